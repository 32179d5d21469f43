// A line that is used is the youngest of its set.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace tessera::model::policies {

struct LeastRecentlyUsed {
    /// The line was there when it was asked for. `now` grows with each use; a line that comes has its `age` set to it.
    template <class Line>
    static void used(Line& line, uint64_t now) {
        line.age = now;
    }
    /// Which line of the set goes.
    template <class Line>
    static Line& victim(std::span<Line> set) {
        return *std::min_element(set.begin(), set.end(), [](const Line& a, const Line& b) { return a.age < b.age; });
    }
};

}  // namespace tessera::model::policies
