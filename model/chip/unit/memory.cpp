#include "model/chip/unit/memory.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace tessera::model {

MemoryClock::MemoryClock(const Preset& preset) {
    const uint32_t chip = preset.clock.khz, memory = preset.clock.memory_khz ? preset.clock.memory_khz : chip;
    const uint32_t divisor = std::gcd(chip, memory);
    chip_ = chip / divisor;
    memory_ = memory / divisor;
    isOne_ = chip == memory;
}

/// The exclusive or of all of a number's digits of so many bits: what is a power of two apart is not in one place.
static uint32_t folded(uint64_t number, int bits) {
    if (bits == 0) return 0;
    if (bits == 1) return static_cast<uint32_t>(std::popcount(number)) & 1;
    // Halves, quarters, ... of the digits onto each other.
    int shift = bits;
    while (2 * shift < 64) shift *= 2;
    for (; shift >= bits; shift /= 2) number ^= number >> shift;
    return static_cast<uint32_t>(number & ((uint64_t{1} << bits) - 1));
}

Sdram::Sdram(const Preset& preset, Ledger& ledger, const Clock& clock, uint32_t firstUnit, Result& result, bool keeps)
    : clock_(preset),
      ledger_(ledger),
      chip_(clock),
      firstUnit_(firstUnit),
      channelCount_(preset.sdram.channels),
      latency_(preset.sdram.latency),
      crossing_(preset.fifo.crossing),
      batch_(preset.sdram.write_batch),
      interleaveBits_(std::countr_zero(preset.sdram.interleave)),
      channelBits_(std::countr_zero(preset.sdram.channels)),
      bankBits_(std::countr_zero(preset.sdram.banks)),
      rowBits_(std::countr_zero(preset.sdram.row_bytes)),
      result_(result),
      keeps_(keeps) {
    for (uint32_t i = 0; i < channelCount_; ++i) channels_.push_back({DramChannel(preset), {}, {}, 0});
}

const Sdram::Stretch& Sdram::stretchOf(uint64_t address) {
    const uint64_t number = address >> std::min(interleaveBits_, rowBits_);
    if (number == last_.number) return last_;
    // The address within the channel: without the bits that choose it.
    const uint64_t low = address & ((uint64_t{1} << interleaveBits_) - 1);
    const uint64_t inside = address >> (interleaveBits_ + channelBits_) << interleaveBits_ | low;
    const uint64_t row = inside >> rowBits_;
    last_ = {number, folded(address >> interleaveBits_, channelBits_), folded(row, bankBits_), row};
    return last_;
}

Cycle Sdram::read(Cycle now, uint64_t address, uint32_t bytes) {
    if (isMarked(address)) return now;
    result_.sdramRead += bytes;
    if (keeps_) result_.requests.push_back({now + crossing_, address, bytes, false});
    const auto [stretch, number, bank, row] = stretchOf(address);
    bookIfMany(number);
    const Cycle asked = clock_.memoryCycle(now + crossing_);
    const Cycle end = channels_[number].dram.place(memoryNow(), asked, false, {bank, row, bytes});
    const Cycle there = clock_.chipCycle(end + latency_) + crossing_;
    ++result_.sdramReads;
    result_.sdramReadCycles += there - now;
    return there;
}

Cycle Sdram::write(Cycle now, uint64_t address, uint32_t bytes) {
    if (!marked_.empty())
        if (const auto surface = marked_.find(surfaceOf(address)); surface != marked_.end())
            surface->second.insert(address);
    result_.sdramWritten += bytes;
    if (keeps_) result_.requests.push_back({now + crossing_, address, bytes, true});
    const auto [stretch, number, bank, row] = stretchOf(address);
    Channel& channel = channels_[number];
    bookIfMany(number);
    const Cycle asked = clock_.memoryCycle(now + crossing_);
    if (!batch_) return clock_.chipCycle(channel.dram.place(memoryNow(), asked, true, DramPlace{bank, row, bytes}));
    // There is room for two batches: one is written while the other one is gathered.
    Cycle taken = asked;
    while (!channel.written.empty() && channel.written.front() <= asked) channel.written.popFront();
    if (channel.written.size() + channel.waiting.size() >= 2 * size_t{batch_}) {
        taken = std::max(taken, channel.written.front());
        channel.written.popFront();
    }
    channel.waiting.emplace_back(taken, Cycle{0}, DramPlace{bank, row, bytes});
    if (channel.waiting.size() == batch_) writeBatch(channel);
    return clock_.chipCycle(taken);
}

void Sdram::writeBatch(Channel& channel) {
    // All when the last one is there; what shares a row follows each other.
    Cycle asked = 0;
    for (const Waiting& one : channel.waiting) asked = std::max(asked, one.asked);
    const Cycle now = memoryNow();
    for (size_t first = 0; first < channel.waiting.size(); ++first) {
        if (channel.waiting[first].end) continue;
        const DramPlace row = channel.waiting[first].place;
        for (size_t i = first; i < channel.waiting.size(); ++i) {
            Waiting& one = channel.waiting[i];
            if (one.end || one.place.bank != row.bank || one.place.row != row.row) continue;
            one.end = channel.dram.place(now, asked, true, one.place);
            channel.lastWritten = std::max(channel.lastWritten, one.end);
        }
    }
    for (const Waiting& one : channel.waiting) channel.written.insert(channel.written.size(), one.end);
    channel.waiting.clear();
}

Cycle Sdram::drain(Cycle now) {
    Cycle done = now;
    for (Channel& channel : channels_) {
        writeBatch(channel);
        done = std::max(done, clock_.chipCycle(channel.lastWritten));
    }
    return done;
}

void Sdram::book(uint32_t channel, Cycle until) {
    const uint32_t unit = firstUnit_ + channel;
    channels_[channel].dram.settle(until, [&](const DramChannel::Piece& piece) {
        ledger_.spend(unit, clock_.chipCycle(piece.wanted), Cause::NoWork);
        ledger_.spend(unit, clock_.chipCycle(piece.begin), Cause::RowChange);
        ledger_.spend(unit, clock_.chipCycle(piece.end), Cause::Busy);
    });
}

void Sdram::settle() {
    for (uint32_t channel = 0; channel < channelCount_; ++channel) book(channel, memoryNow());
}

void Sdram::finish(Cycle now) {
    (void)drain(now);
    for (uint32_t channel = 0; channel < channelCount_; ++channel) book(channel, kNever);
}

HostBus::HostBus(const Preset& preset, Ledger& ledger, uint32_t unit) : ledger_(ledger), unit_(unit) {
    // A byte takes khz / (1000 megabytes) cycles.
    const uint64_t rate = uint64_t{preset.host.megabytes} * 1000, khz = preset.clock.khz;
    const uint64_t divisor = std::gcd(rate, khz);
    perCycle_ = rate / divisor;
    perByte_ = khz / divisor;
}

HostBus::Crossing HostBus::cross(Cycle now, uint64_t bytes) {
    const uint64_t begin = std::max(now * perCycle_, free_);
    free_ = begin + bytes * perByte_;
    const Crossing crossing = {begin / perCycle_, (free_ + perCycle_ - 1) / perCycle_};
    ledger_.spend(unit_, crossing.begin, Cause::NoWork);
    ledger_.spend(unit_, crossing.end, Cause::Busy);
    return crossing;
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

}  // namespace tessera::model
