// Memory outside, as the chip sees it (docs/model.md, SDRAM).
#pragma once

#include <bit>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "model/chip/unit/clock.h"
#include "model/chip/unit/dram_channel.h"
#include "model/chip/unit/ledger.h"
#include "model/chip/unit/line_cache.h"

namespace tessera::model {

inline constexpr uint32_t kLineBytes = 64, kWordBytes = 4;

/// Each target's colours, and its depths and stencils, lie in so large a part of the address space.
inline constexpr int kSurfaceShift = 40;
[[nodiscard]] constexpr uint64_t surfaceNumber(uint32_t target, bool depth) { return uint64_t{2} * target + depth + 1; }
[[nodiscard]] constexpr uint64_t surfaceOf(uint64_t address) { return address >> kSurfaceShift; }

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

/// Channels, each with a time that is known when a request is made (dram_channel.h). What is written waits in its
/// channel until there is a batch of it, and nobody waits for it but at the end of work.
class Sdram {
public:
    /// `keeps`: requests are written down in the result.
    Sdram(const Preset& preset, Ledger& ledger, const Clock& clock, uint32_t firstUnit, Result& result, bool keeps);

    /// Cycle in which the bytes are there. They lie in one channel.
    Cycle read(Cycle now, uint64_t address, uint32_t bytes = kLineBytes);
    /// Cycle in which the controller has taken the bytes; without batches, in which they are written.
    Cycle write(Cycle now, uint64_t address, uint32_t bytes = kLineBytes);
    /// All lines of a surface (surfaceOf()) are marked as cleared: until they are written nothing is read of them.
    void mark(uint64_t surface) { marked_[surface].clear(); }
    /// Whether the line with that address is.
    [[nodiscard]] bool isMarked(uint64_t address) const {
        if (marked_.empty()) return false;
        const auto surface = marked_.find(surfaceOf(address));
        return surface != marked_.end() && !surface->second.contains(address);
    }
    /// All that was gathered is written: the cycle in which it is.
    Cycle drain(Cycle now);
    /// Books of the channels, as far as they cannot change.
    void settle();
    /// Nothing comes any more: what was gathered is written, and books are closed.
    void finish(Cycle now);

private:
    struct Waiting {
        Cycle asked = 0;
        Cycle end = 0;  ///< of its bytes on the bus; 0: not known yet
        DramPlace place;
    };
    struct Channel {
        DramChannel dram;
        std::vector<Waiting> waiting;  ///< to be written
        Schedule<Cycle> written;       ///< ends of what may not be written yet, in the order in which it was taken
        Cycle lastWritten = 0;
    };

    /// What follows each other in one row of one channel.
    struct Stretch {
        uint64_t number = ~uint64_t{0};
        uint32_t channel = 0, bank = 0;
        uint64_t row = 0;
    };
    [[nodiscard]] const Stretch& stretchOf(uint64_t address);
    void writeBatch(Channel& channel);
    void book(uint32_t channel, Cycle until);
    /// Books do not grow without end: those of a channel that has many pieces are written as far as they can be.
    void bookIfMany(uint32_t channel) {
        if (channels_[channel].dram.pieces() >= kManyPieces) book(channel, memoryNow());
    }
    [[nodiscard]] Cycle memoryNow() const { return clock_.memoryCycle(chip_.now()); }
    static constexpr size_t kManyPieces = 256;

    const MemoryClock clock_;
    Ledger& ledger_;
    const Clock& chip_;
    uint32_t firstUnit_, channelCount_, latency_, crossing_, batch_;
    int interleaveBits_, channelBits_, bankBits_, rowBits_;
    Stretch last_;  ///< that was asked for
    std::vector<Channel> channels_;
    /// Surfaces that were cleared by marks, and their lines that have been written since.
    std::unordered_map<uint64_t, std::unordered_set<uint64_t>> marked_;
    Result& result_;
    bool keeps_;
};

/// The bus from the host (docs/model.md, The host's bus): one thing crosses it after the other.
class HostBus {
public:
    HostBus(const Preset& preset, Ledger& ledger, uint32_t unit);

    [[nodiscard]] bool exists() const { return perCycle_ > 0; }
    /// When the first of the bytes, and the last of them, have crossed that are there in this cycle.
    struct Crossing {
        Cycle begin = 0, end = 0;
        /// When that part of them has.
        [[nodiscard]] Cycle arrivalOf(uint64_t part, uint64_t whole) const {
            return begin + ((end - begin) * part + whole - 1) / whole;
        }
    };
    Crossing cross(Cycle now, uint64_t bytes);

private:
    Ledger& ledger_;
    uint32_t unit_;
    uint64_t perCycle_, perByte_;  ///< parts of a cycle, which are a whole number for a byte
    uint64_t free_ = 0;            ///< in them: nothing crosses from then on
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

}  // namespace tessera::model
