// A texture engine: address generator and tags run ahead of the data, so that lines are on their way before they are
// needed (seed 004, 2.3; docs/model.md, Texture engines).
#pragma once

#include <vector>

#include "model/chip/unit/memory.h"
#include "model/chip/unit/queue.h"
#include "model/chip/workload.h"

namespace tessera::model {

struct Chip;

/// A 4x4 block goes to the engine of its place on the target, so that the engines serve a square side by side
/// (docs/adr/0013-texture-engines-by-place.md). The same for pixel engines.
[[nodiscard]] uint32_t engineOfBlock(int x, int y, uint32_t engines);

/// A lookup of a group, as far as it is one engine's: of one block, of both, or of some lanes of a group of vertices.
struct TextureRequest {
    const Executed* executed[2] = {};
    uint32_t lanes = ~0u;  ///< whose accesses are meant
    uint32_t processor = 0, resident = 0;
    Cycle pushed = 0;
};

class TextureEngine {
public:
    TextureEngine(Clock& clock, const Preset& preset, uint32_t self, uint32_t blockProcessors);
    void step(Chip& chip);
    [[nodiscard]] Queue<TextureRequest>& requests(uint32_t processor) { return requests_[processor]; }
    void forget() { cache_.clear(); }

private:
    /// Takes the request that was pushed first.
    bool take(Chip& chip);
    /// The next access of the request; null: there is none.
    const Access* nextAccess(const Workload& workload);

    uint32_t self_, pipeCycles_, filterCycles_;
    std::vector<Queue<TextureRequest>> requests_;  ///< by block processor
    LineCache cache_;
    Window misses_, inFlight_;
    bool works_ = false;
    TextureRequest request_;
    int half_ = 0;       ///< of the request
    size_t access_ = 0;  ///< of the half
    Cycle begun_ = 0;    ///< the request was taken
    Cycle tags_ = 0;     ///< first cycle in which the tags are free
    Cycle data_ = 0;     ///< first cycle in which the data are free
};

}  // namespace tessera::model
