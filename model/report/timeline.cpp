#include "model/report/timeline.h"

#include <algorithm>

namespace tessera::model {
namespace {

void append(std::vector<Segment>& segments, const Segment& next) {
    if (next.begin >= next.end) return;
    if (!segments.empty()) {
        Segment& last = segments.back();
        if (last.cause == next.cause && last.on == next.on && last.draw == next.draw && last.program == next.program &&
            last.pc == next.pc) {
            last.end = next.end;
            return;
        }
    }
    segments.push_back(next);
}

/// The first segment that ends behind the cycle.
std::vector<Segment>::const_iterator find(const std::vector<Segment>& segments, Cycle cycle) {
    return std::upper_bound(segments.begin(), segments.end(), cycle,
                            [](Cycle value, const Segment& segment) { return value < segment.end; });
}

}  // namespace

Timeline::Timeline(const Result& result) : segments_(result.units.size()) {
    const auto fill = [&](uint32_t unit, Cycle to) {
        std::vector<Segment>& segments = segments_[unit];
        append(segments, {segments.empty() ? 0 : segments.back().end, to});
    };
    const auto hasTimes = [&](uint32_t unit) { return result.units[unit].kind != UnitKind::Lanes; };
    for (const Stall& stall : result.stalls) {
        if (!hasTimes(stall.unit)) continue;
        fill(stall.unit, stall.begin);
        append(segments_[stall.unit],
               {stall.begin, stall.end, stall.cause, stall.on, stall.draw, stall.program, stall.pc});
    }
    for (uint32_t unit = 0; unit < segments_.size(); ++unit)
        if (hasTimes(unit)) fill(unit, result.cycles);
}

const Segment& Timeline::at(uint32_t unit, Cycle cycle) const { return *find(segments_[unit], cycle); }

const Segment* Timeline::lastBusy(uint32_t unit, Cycle cycle) const {
    const std::vector<Segment>& segments = segments_[unit];
    if (cycle == 0 || segments.empty()) return nullptr;
    for (auto segment = find(segments, cycle - 1);; --segment) {
        if (segment->isBusy()) return &*segment;
        if (segment == segments.begin()) return nullptr;
    }
}

Cycle Timeline::spent(uint32_t unit, Cause cause, Cycle first, Cycle last) const {
    const std::vector<Segment>& segments = segments_[unit];
    Cycle cycles = 0;
    for (auto segment = find(segments, first); segment != segments.end() && segment->begin < last; ++segment)
        if (segment->cause == cause) cycles += std::min(segment->end, last) - std::max(segment->begin, first);
    return cycles;
}

}  // namespace tessera::model
