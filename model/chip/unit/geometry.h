// Between shaded vertices and fragments: primitive assembly, clip, setup.
#pragma once

#include <vector>

#include "model/chip/unit/queue.h"
#include "model/chip/unit/station.h"

namespace tessera::model {

struct Chip;

/// A primitive on its way, or the end of a draw's.
struct PrimitiveItem {
    uint32_t draw = 0;
    uint32_t primitive = kNone;  ///< kNone: the draw ends here
};

/// Takes primitives in order, as soon as their vertices are shaded.
class Assembly {
public:
    Assembly(Clock& clock, const Workload& workload, const Preset& preset, uint32_t self, uint32_t clip);
    void step(Chip& chip);
    /// The batch is shaded, and seen from cycle `seen` on.
    void shaded(Chip& chip, uint32_t batch, Cycle seen);

    Queue<PrimitiveItem> primitives;

private:
    /// Whether the primitive's vertices are there.
    bool areThere(Chip& chip, const Primitive& primitive);
    void release(Chip& chip, uint32_t primitive);

    Station<PrimitiveItem> station_;
    std::vector<Cycle> shaded_;      ///< by batch
    std::vector<uint32_t> lastUse_;  ///< by batch: the last primitive that needs it
    uint32_t draw_ = kNone, primitive_ = 0;
    uint32_t cycles_;
};

class Clip {
public:
    Clip(Clock& clock, const Preset& preset, uint32_t self, uint32_t setup);
    void step(Chip& chip);

    Queue<PrimitiveItem> primitives;

private:
    Station<PrimitiveItem> station_;
};

/// Hands drawn primitives to the rasterizers in turn.
class Setup {
public:
    Setup(Clock& clock, const Preset& preset, uint32_t self, uint32_t rasterizers);
    void step(Chip& chip);

    std::vector<Queue<PrimitiveItem>> primitives;  ///< by rasterizer

private:
    Station<PrimitiveItem> station_;
    uint64_t turn_ = 0;
};

}  // namespace tessera::model
