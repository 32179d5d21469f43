// Behind the programs: the store that brings groups of fragments back into order, and the pixel engines.
#pragma once

#include <vector>

#include "model/chip/unit/fragments.h"
#include "model/chip/unit/memory.h"
#include "model/chip/unit/queue.h"

namespace tessera::model {

struct Chip;

/// Results of shaded groups leave for the pixel engines in the order in which the groups were dispatched.
class FragmentStore {
public:
    FragmentStore(const Preset& preset, uint32_t self);
    void step(Chip& chip);

    [[nodiscard]] bool hasPlace() const { return reserved_ - released_ < places_.size(); }
    /// A place for a group that is dispatched; its number.
    uint32_t reserve(const FragmentGroup& group);
    /// The group's results are seen from that cycle on.
    void shaded(Chip& chip, uint32_t place, Cycle seen);

private:
    struct Place {
        FragmentGroup group;
        Cycle seen = kNever;
    };
    std::vector<Place> places_;
    uint64_t reserved_ = 0, released_ = 0;
    uint32_t self_, next_ = 0;  ///< block of the oldest group
    Cycle free_ = 0;
    Cause idle_ = Cause::NoWork;
};

/// Tests that come after the program, blending, and the lines of the targets.
class PixelEngine {
public:
    PixelEngine(Clock& clock, const Preset& preset, uint32_t self, uint32_t store);
    void step(Chip& chip);
    /// See Chip::flush().
    Cycle flush(Chip& chip, Cycle now, bool forget);

    struct Work {
        uint32_t draw = 0, block = 0;
    };
    Queue<Work> blocks;

private:
    /// The lines of a surface that a block has; cycle in which they are there.
    Cycle bring(Chip& chip, uint64_t address, uint32_t lines, bool read, bool write);

    uint32_t self_, fragmentsPerCycle_;
    LineCache cache_;
    Window inFlight_;
    Cycle tags_ = 0, data_ = 0;
};

}  // namespace tessera::model
