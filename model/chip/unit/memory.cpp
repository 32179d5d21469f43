#include "model/chip/unit/memory.h"

#include <algorithm>
#include <numeric>

namespace tessera::model {

MemoryClock::MemoryClock(const Preset& preset) {
    const uint32_t chip = preset.clock.khz, memory = preset.clock.memory_khz ? preset.clock.memory_khz : chip;
    const uint32_t divisor = std::gcd(chip, memory);
    chip_ = chip / divisor;
    memory_ = memory / divisor;
    isOne_ = chip == memory;
}

Sdram::Sdram(const Preset& preset, Ledger& ledger, uint32_t firstUnit)
    : clock_(preset),
      ledger_(ledger),
      firstUnit_(firstUnit),
      channels_(preset.sdram.channels),
      banks_(preset.sdram.banks),
      bytesPerCycle_(preset.sdram.bytes_per_cycle),
      latency_(preset.sdram.latency),
      crossing_(preset.fifo.crossing),
      rowCycles_(preset.sdram.row_cycles),
      interleaveBits_(std::countr_zero(preset.sdram.interleave)),
      channelBits_(std::countr_zero(preset.sdram.channels)),
      rowBits_(std::countr_zero(preset.sdram.row_bytes)),
      free_(channels_),
      openRows_(static_cast<size_t>(channels_) * banks_, ~uint64_t{0}) {}

Cycle Sdram::turn(Cycle now, uint64_t address, uint32_t bytes) {
    const uint32_t channel = static_cast<uint32_t>(address >> interleaveBits_) & (channels_ - 1);
    // The address within the channel: without the bits that choose it.
    const uint64_t low = address & ((uint64_t{1} << interleaveBits_) - 1);
    const uint64_t inside = address >> (interleaveBits_ + channelBits_) << interleaveBits_ | low;
    const uint64_t row = inside >> rowBits_;
    uint64_t& open = openRows_[channel * banks_ + (row & (banks_ - 1))];
    const uint32_t unit = firstUnit_ + channel;
    const Cycle asked = std::max(clock_.memoryCycle(now + crossing_), free_[channel]);
    const Cycle begin = asked + (open == row ? 0 : rowCycles_);
    const Cycle end = begin + (bytes + bytesPerCycle_ - 1) / bytesPerCycle_;
    ledger_.spend(unit, clock_.chipCycle(asked), Cause::NoWork);
    ledger_.spend(unit, clock_.chipCycle(begin), Cause::RowChange);
    ledger_.spend(unit, clock_.chipCycle(end), Cause::Busy);
    open = row;
    free_[channel] = end;
    return end;
}

Relay::Relay(const Preset& preset, Ledger& ledger, Sdram& sdram, uint32_t unit)
    : clock_(preset),
      ledger_(ledger),
      sdram_(sdram),
      unit_(unit),
      cycles_(preset.relay.cycles),
      memoryCycles_(preset.relay.memory_cycles) {}

Cycle Relay::access(Cycle now, uint64_t address, bool store) {
    const Cycle begin = std::max(now, free_);
    const Cycle asks = clock_.chipCycle(clock_.memoryCycle(begin + cycles_) + memoryCycles_);
    free_ = store ? sdram_.write(asks, address, kWordBytes) : sdram_.read(asks, address, kWordBytes);
    ledger_.spend(unit_, begin, Cause::NoWork);
    ledger_.spend(unit_, asks, Cause::Busy);
    ledger_.spend(unit_, free_, Cause::Sdram);
    return free_;
}

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
