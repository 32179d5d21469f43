// Who gives groups to block processors: groups of vertices and of fragments as they come, or the blocks of a launch.
#pragma once

#include <vector>

#include "model/chip/unit/queue.h"

namespace tessera::model {

struct Chip;

class Dispatch {
public:
    explicit Dispatch(const Preset& preset) : preset_(preset) {}
    void step(Chip& chip);
    /// The launch begins; its groups are dispatched from the next cycle on.
    void launch(Chip& chip, uint32_t launch);

    /// A batch of shaded vertices is not needed any more.
    void releaseVertices(Chip& chip);
    /// Assembly needs this batch: it is dispatched though the store of vertices is full.
    void hurry(Chip& chip, uint32_t batch);
    /// A group left a block processor.
    void placeBecameFree(Chip& chip);

private:
    bool dispatchVertices(Chip& chip);
    bool dispatchFragments(Chip& chip);
    bool dispatchKernel(Chip& chip);
    /// The block processor with the fewest residents that has room; kNone: none, and idle_ says why.
    uint32_t choose(Chip& chip, uint32_t groups, uint32_t registers, uint32_t sharedBytes);
    [[nodiscard]] uint32_t groupsOf(const ThreadBlock& block) const;

    const Preset& preset_;
    Cause idle_ = Cause::NoWork;
    Cycle free_ = 0;
    uint32_t verticesStored_ = 0, needed_ = kNone;
    uint32_t launch_ = kNone, block_ = 0, group_ = 0;  ///< of the launch; group_ of the block
    uint32_t processor_ = kNone;                       ///< that the block goes to
};

}  // namespace tessera::model
