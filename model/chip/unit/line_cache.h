// The caches in front of memory outside (docs/model.md, Caches).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/chip/result.h"

namespace tessera::model {

class Sdram;

/// Lines by number; sets by four digits of it.
class LineCache {
public:
    LineCache(uint32_t lines, uint32_t ways, Replacement replacement = Replacement::LeastRecentlyUsed);

    struct Line {
        uint64_t number = kNoLine;
        uint64_t age = 0;   ///< the replacement's: those that came or were used later have more
        Cycle arrival = 0;  ///< its bytes are there from this cycle on
        bool dirty = false;
    };
    static constexpr uint64_t kNoLine = ~uint64_t{0};

    /// The line, or null.
    [[nodiscard]] Line* find(uint64_t number);
    /// Whether it is there, without being used.
    [[nodiscard]] bool contains(uint64_t number);
    /// A line that is not in the cache gets the place of its set that the replacement gives up; what was there is
    /// *evicted.
    Line& replace(uint64_t number, Line* evicted);
    void clear();
    /// Writes changed lines; the cycle in which memory has taken all of them (Sdram::drain(): has written). `forget`:
    /// the cache is empty then.
    Cycle flush(Sdram& sdram, Cycle now, uint32_t lineBytes, bool forget);

private:
    [[nodiscard]] Line* set(uint64_t number) {
        const uint64_t digits = number ^ number >> bits_ ^ number >> 2 * bits_ ^ number >> 3 * bits_;
        return &lines_[(digits & ((uint64_t{1} << bits_) - 1)) * ways_];
    }
    std::vector<Line> lines_;  ///< the ways of a set follow each other
    uint32_t ways_;
    int bits_;
    Replacement replacement_;
    uint64_t now_ = 0;
};

}  // namespace tessera::model
