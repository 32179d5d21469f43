// From primitives to groups of fragments: two rasterizers for odd and even primitives, early tests, interpolators,
// and the unit that puts blocks into groups. Blocks of one primitive follow those of the one before.
#pragma once

#include <vector>

#include "model/chip/unit/geometry.h"
#include "model/chip/unit/memory.h"
#include "model/chip/unit/queue.h"

namespace tessera::model {

/// A 4x4 block on its way, or nothing but the end of its primitive.
struct BlockItem {
    uint32_t draw = 0;
    uint32_t block = kNone;  ///< kNone: empty
    bool last = false;       ///< of its primitive
    bool endsDraw = false;   ///< (empty)
};

/// Two blocks at most, of one draw.
struct FragmentGroup {
    uint32_t draw = 0, blocks = 0;
    uint32_t block[2] = {kNone, kNone};
};

class Rasterizer {
public:
    Rasterizer(Clock& clock, const Preset& preset, uint32_t number, uint32_t self, uint32_t earlyTests);
    void step(Chip& chip);

    Queue<BlockItem> blocks;

private:
    /// Cycles of scanning after which block `next_` is found.
    [[nodiscard]] uint64_t foundAfter(const Primitive& primitive) const;
    void take(Chip& chip, const PrimitiveItem& item);

    uint32_t number_, self_, scanCycles_;
    bool holds_ = false;
    PrimitiveItem item_;
    uint32_t next_ = 0;   ///< block of the primitive
    uint64_t spent_ = 0;  ///< cycles of scanning until block next_ - 1
    Cycle found_ = 0;     ///< block next_ is found, or an empty primitive is scanned
    Cause idle_ = Cause::NoWork;
};

/// A line of depth and stencil for each block, through a cache.
class EarlyTests {
public:
    EarlyTests(Clock& clock, const Preset& preset, uint32_t self, uint32_t interpolators);
    void step(Chip& chip);
    /// See Chip::flush().
    Cycle flush(Chip& chip, Cycle now, bool forget);

    std::vector<Queue<BlockItem>> blocks;  ///< by interpolator

private:
    /// The block's lines; cycle in which they are there, or kNever: not now, it acts again later.
    Cycle bring(Chip& chip, const Block& block, const PixelWork& pixels);

    LineCache cache_;
    Window misses_;
    Station<BlockItem> station_;
    Cycle ready_ = 0;    ///< lines of the block in the station are there
    uint64_t turn_ = 0;  ///< primitive, by number: which rasterizer's it is
};

class Interpolator {
public:
    Interpolator(Clock& clock, const Preset& preset, uint32_t number, uint32_t self, uint32_t former);
    void step(Chip& chip);

    Queue<BlockItem> blocks;

private:
    uint32_t number_, self_;
    Station<BlockItem> station_;
};

class GroupFormer {
public:
    GroupFormer(Clock& clock, const Preset& preset, uint32_t self, uint32_t dispatch);
    void step(Chip& chip);

    Queue<FragmentGroup> groups;

private:
    Station<BlockItem> station_;
    FragmentGroup open_;
    uint64_t turn_ = 0;
    bool closeWithPrimitive_;
};

/// Address of the first line that a target keeps for a block.
[[nodiscard]] uint64_t surfaceAddress(uint32_t target, bool depth, const Block& block, uint32_t lines);

}  // namespace tessera::model
