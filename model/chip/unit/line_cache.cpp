#include "model/chip/unit/line_cache.h"

#include <algorithm>
#include <bit>

#include "model/chip/policies/policies.h"
#include "model/chip/unit/memory.h"

namespace tessera::model {

LineCache::LineCache(uint32_t lines, uint32_t ways, Replacement replacement)
    : lines_(lines), ways_(ways), bits_(std::countr_zero(std::max(lines / ways, 1u))), replacement_(replacement) {}

LineCache::Line* LineCache::find(uint64_t number) {
    if (lines_.empty()) return nullptr;
    Line* const first = set(number);
    for (Line* line = first; line != first + ways_; ++line) {
        if (line->number != number) continue;
        policies::withReplacement(replacement_, [&](auto policy) { policy.used(*line, ++now_); });
        return line;
    }
    return nullptr;
}

bool LineCache::contains(uint64_t number) {
    if (lines_.empty()) return false;
    const Line* const first = set(number);
    return std::any_of(first, first + ways_, [&](const Line& line) { return line.number == number; });
}

LineCache::Line& LineCache::replace(uint64_t number, Line* evicted) {
    const std::span<Line> all(set(number), ways_);
    Line& victim = policies::withReplacement(replacement_, [&](auto policy) -> Line& { return policy.victim(all); });
    *evicted = victim;
    victim = {number, ++now_, 0, false};
    return victim;
}

void LineCache::clear() { std::fill(lines_.begin(), lines_.end(), Line{}); }

Cycle LineCache::flush(Sdram& sdram, Cycle now, uint32_t lineBytes, bool forget) {
    Cycle done = now;
    for (Line& line : lines_) {
        if (line.dirty) done = std::max(done, sdram.write(now, line.number * lineBytes, lineBytes));
        line.dirty = false;
    }
    if (forget) clear();
    return done;
}

}  // namespace tessera::model
