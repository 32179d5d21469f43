#include "model/chip/unit/line_cache.h"

#include <algorithm>
#include <bit>

#include "model/chip/unit/memory.h"

namespace tessera::model {

LineCache::LineCache(uint32_t lines, uint32_t ways)
    : lines_(lines), ways_(ways), bits_(std::countr_zero(std::max(lines / ways, 1u))) {}

LineCache::Line* LineCache::find(uint64_t number) {
    if (lines_.empty()) return nullptr;
    Line* const first = set(number);
    for (Line* line = first; line != first + ways_; ++line) {
        if (line->number != number) continue;
        line->lastUse = ++now_;
        return line;
    }
    return nullptr;
}

LineCache::Line& LineCache::replace(uint64_t number, Line* evicted) {
    Line* const first = set(number);
    Line* const oldest =
        std::min_element(first, first + ways_, [](const Line& a, const Line& b) { return a.lastUse < b.lastUse; });
    *evicted = *oldest;
    *oldest = {number, ++now_, 0, false};
    return *oldest;
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
