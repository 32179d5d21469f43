// SDRAM, and the caches in front of it (docs/model.md, SDRAM and Caches).
#pragma once

#include <bit>
#include <vector>

#include "model/chip/unit/ledger.h"

namespace tessera::model {

inline constexpr uint32_t kLineBytes = 64, kWordBytes = 4;

/// Cycles of memory's clock beside those of the chip's. Both begin together; a signal is taken over at the first edge
/// of the other clock that is not before it.
class MemoryClock {
public:
    explicit MemoryClock(const Preset& preset);
    /// The first memory cycle that does not begin before this cycle of the chip.
    [[nodiscard]] Cycle memoryCycle(Cycle chip) const { return isOne_ ? chip : divideUp(chip * memory_, chip_); }
    /// The first cycle of the chip that does not begin before this memory cycle.
    [[nodiscard]] Cycle chipCycle(Cycle memory) const { return isOne_ ? memory : divideUp(memory * chip_, memory_); }

private:
    static Cycle divideUp(Cycle a, Cycle b) { return (a + b - 1) / b; }
    bool isOne_;
    uint64_t chip_, memory_;  ///< frequencies, without common divisors
};

/// Channels serve requests in the order in which these are made; so the time of each is known when it is made.
class Sdram {
public:
    Sdram(const Preset& preset, Ledger& ledger, uint32_t firstUnit);

    /// Cycle in which the bytes are there. They lie in one channel.
    Cycle read(Cycle now, uint64_t address, uint32_t bytes = kLineBytes) {
        bytesRead_ += bytes;
        return clock_.chipCycle(turn(now, address, bytes) + latency_) + crossing_;
    }
    /// Cycle in which the bytes are written.
    Cycle write(Cycle now, uint64_t address, uint32_t bytes = kLineBytes) {
        bytesWritten_ += bytes;
        return clock_.chipCycle(turn(now, address, bytes));
    }
    [[nodiscard]] uint64_t bytesRead() const { return bytesRead_; }
    [[nodiscard]] uint64_t bytesWritten() const { return bytesWritten_; }

private:
    /// Memory cycle in which the request's turn at its channel ends.
    Cycle turn(Cycle now, uint64_t address, uint32_t bytes);

    const MemoryClock clock_;
    Ledger& ledger_;
    uint32_t firstUnit_, channels_, banks_, bytesPerCycle_, latency_, crossing_, rowCycles_;
    int interleaveBits_, channelBits_, rowBits_;
    std::vector<Cycle> free_;         ///< by channel, in memory cycles
    std::vector<uint64_t> openRows_;  ///< by channel and bank
    uint64_t bytesRead_ = 0, bytesWritten_ = 0;
};

/// A processor that hands words on to memory outside, one at a time (docs/model.md, Memory of kernels).
class Relay {
public:
    Relay(const Preset& preset, Ledger& ledger, Sdram& sdram, uint32_t unit);

    [[nodiscard]] bool exists() const { return cycles_ > 0; }
    /// Cycle in which a word is read or written that a block processor hands to it in this cycle.
    Cycle access(Cycle now, uint64_t address, bool store);

private:
    const MemoryClock clock_;
    Ledger& ledger_;
    Sdram& sdram_;
    uint32_t unit_, cycles_, memoryCycles_;
    Cycle free_ = 0;
};

/// Lines by number; sets by four digits of it, least recently used.
class LineCache {
public:
    LineCache(uint32_t lines, uint32_t ways);

    struct Line {
        uint64_t number = kNoLine;
        uint64_t lastUse = 0;
        Cycle arrival = 0;  ///< its bytes are there from this cycle on
        bool dirty = false;
    };
    static constexpr uint64_t kNoLine = ~uint64_t{0};

    /// The line, or null.
    [[nodiscard]] Line* find(uint64_t number);
    /// A line that is not in the cache gets the least recently used place of its set; what was there is *evicted.
    Line& replace(uint64_t number, Line* evicted);
    void clear();
    /// Writes changed lines; the cycle in which all of them are written. `forget`: the cache is empty then.
    Cycle flush(Sdram& sdram, Cycle now, uint32_t lineBytes, bool forget);

private:
    [[nodiscard]] Line* set(uint64_t number) {
        const uint64_t digits = number ^ number >> bits_ ^ number >> 2 * bits_ ^ number >> 3 * bits_;
        return &lines_[(digits & ((uint64_t{1} << bits_) - 1)) * ways_];
    }
    std::vector<Line> lines_;  ///< the ways of a set follow each other
    uint32_t ways_;
    int bits_;
    uint64_t now_ = 0;
};

}  // namespace tessera::model
