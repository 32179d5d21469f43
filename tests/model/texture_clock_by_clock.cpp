#include "tests/model/texture_clock_by_clock.h"

#include <algorithm>

namespace tessera::model::reference {

namespace {

constexpr uint64_t kLineBytes = 64;

}  // namespace

TextureEngines::TextureEngines(const Preset& preset, Cycle begun)
    : preset_(preset), begun_(begun), engines_(preset.texture.engines), channels_(preset.sdram.channels) {
    for (Engine& engine : engines_) engine.cache.resize(preset.texture.cache_lines / preset.texture.ways);
    for (Channel& channel : channels_) channel.openRow.resize(preset.sdram.banks);
}

// Requests.

std::vector<Access> TextureEngines::accessesOf(size_t engine, const std::vector<Access>& accesses) const {
    std::vector<Access> own;
    for (const Access& access : accesses)
        if (access.lane % engines_.size() == engine) own.push_back(access);
    return own;
}

bool TextureEngines::havePlaces(const std::vector<Access>& accesses) const {
    return std::all_of(accesses.begin(), accesses.end(), [&](const Access& access) {
        return engines_[access.lane % engines_.size()].queue.size() < preset_.texture.fifo;
    });
}

uint32_t TextureEngines::push(uint32_t group, const std::vector<Access>& accesses, Cycle t) {
    uint32_t requests = 0;
    for (size_t i = 0; i < engines_.size(); ++i) {
        std::vector<Access> own = accessesOf(i, accesses);
        if (own.empty()) continue;
        engines_[i].queue.push_back({group, t, std::move(own)});
        ++requests;
    }
    return requests;
}

// What happens in a cycle.

std::vector<TextureEngines::Answer> TextureEngines::act(Cycle t) {
    std::vector<Answer> answers;
    for (Engine& engine : engines_) {  // of requests to SDRAM in one cycle the lower engine's is first
        if (!engine.request && t >= engine.tagsFree && !engine.queue.empty() &&
            t >= engine.queue.front().pushed + preset_.fifo.latency) {
            engine.request = std::move(engine.queue.front());
            engine.queue.pop_front();
            engine.begun = t;
            engine.next = 0;
        }
        if (!engine.request || !access(engine, engine.request->accesses[engine.next], t)) continue;
        if (++engine.next < engine.request->accesses.size()) continue;
        answers.push_back({engine.request->group, engine.dataEnd + preset_.texture.filter_cycles});
        engine.request.reset();
        engine.tagsFree = t + 1;
    }
    return answers;
}

bool TextureEngines::access(Engine& engine, const Access& access, Cycle t) {
    // Between tags and data are in_flight accesses at most.
    const size_t number = engine.read.size(), window = preset_.texture.in_flight;
    if (number >= window && t < engine.read[number - window]) return false;

    const uint64_t line = access.address / kLineBytes;
    std::deque<Line>& set = setOf(engine, line);
    const auto found = std::find_if(set.begin(), set.end(), [&](const Line& one) { return one.number == line; });
    Line used{line, 0};
    if (found != set.end()) {
        used = *found;
        set.erase(found);
        ++cycles_.hits;
    } else {
        const size_t miss = engine.arrived.size(), most = preset_.texture.misses;
        if (miss >= most && t < engine.arrived[miss - most]) return false;
        used.arrival = read(line * kLineBytes, t);
        engine.arrived.push_back(std::max(used.arrival, miss > 0 ? engine.arrived.back() : 0));
        if (set.size() == preset_.texture.ways) set.pop_back();
        ++cycles_.misses;
    }
    set.push_front(used);

    const Cycle before = engine.dataEnd;
    const Cycle looked = std::max(t + preset_.texture.pipe_cycles, before), begin = std::max(looked, used.arrival);
    cycles_.busy += access.cycles;
    cycles_.waitedForLine += begin - looked;
    cycles_.filling += looked - std::min(looked, std::max(before, engine.begun));
    engine.dataEnd = begin + access.cycles;
    engine.read.push_back(engine.dataEnd);
    return true;
}

/// The exclusive or of the four lowest digits of the line's number, each as wide as a set's number.
std::deque<TextureEngines::Line>& TextureEngines::setOf(Engine& engine, uint64_t line) const {
    const uint64_t sets = engine.cache.size();
    uint64_t set = 0;
    for (int digit = 0; digit < 4; ++digit, line /= sets) set ^= line % sets;
    return engine.cache[set];
}

// SDRAM. Its turns are in memory cycles.

/// The first cycle of one clock that does not begin before that cycle of another.
static Cycle rescaled(Cycle cycle, uint64_t fromKhz, uint64_t toKhz) { return (cycle * toKhz + fromKhz - 1) / fromKhz; }

Cycle TextureEngines::read(uint64_t address, Cycle t) {
    const auto& sdram = preset_.sdram;
    const uint64_t piece = address / sdram.interleave;
    Channel& channel = channels_[piece % sdram.channels];
    const uint64_t within = piece / sdram.channels * sdram.interleave + address % sdram.interleave;
    const uint64_t row = within / sdram.row_bytes;
    std::optional<uint64_t>& open = channel.openRow[row % sdram.banks];
    Cycle turn = std::max(rescaled(begun_ + t + preset_.fifo.crossing, preset_.clock.khz, memoryKhz()), channel.free);
    if (open != row) turn += sdram.row_cycles;
    open = row;
    channel.free = turn + (kLineBytes + sdram.bytes_per_cycle - 1) / sdram.bytes_per_cycle;
    const Cycle there = rescaled(channel.free + sdram.latency, memoryKhz(), preset_.clock.khz);
    return there + preset_.fifo.crossing - begun_;
}

uint64_t TextureEngines::memoryKhz() const {
    return preset_.clock.memory_khz == 0 ? preset_.clock.khz : preset_.clock.memory_khz;
}

}  // namespace tessera::model::reference
