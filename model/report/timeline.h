// Each unit's time as segments without gaps: what a Result keeps as counts, cycle by cycle.
#pragma once

#include <span>
#include <vector>

#include "model/chip/result.h"

namespace tessera::model {

/// A time in which a unit did the same thing. Whom it waited for is told as Stall does.
struct Segment {
    Cycle begin = 0, end = 0;
    Cause cause = Cause::Busy;
    uint32_t on = kNone, draw = kNone, program = kNone, pc = 0;
    [[nodiscard]] bool isBusy() const { return cause == Cause::Busy; }
    [[nodiscard]] Cycle cycles() const { return end - begin; }
};

/// Of a result with stalls (MachineOptions::keepStalls): where a unit has none it was busy. Lanes have no times.
class Timeline {
public:
    explicit Timeline(const Result& result);

    [[nodiscard]] size_t units() const { return segments_.size(); }
    /// From cycle 0 to Result::cycles; neighbours differ. Empty for lanes.
    [[nodiscard]] std::span<const Segment> of(uint32_t unit) const { return segments_[unit]; }
    /// The segment with the cycle, which is below Result::cycles. The unit has times.
    [[nodiscard]] const Segment& at(uint32_t unit, Cycle cycle) const;
    /// The unit's last busy segment that begins before `cycle`; null: there is none.
    [[nodiscard]] const Segment* lastBusy(uint32_t unit, Cycle cycle) const;
    /// Cycles of first .. last - 1 in which the unit was busy, or idle for that cause.
    [[nodiscard]] Cycle spent(uint32_t unit, Cause cause, Cycle first, Cycle last) const;

private:
    std::vector<std::vector<Segment>> segments_;
};

}  // namespace tessera::model
