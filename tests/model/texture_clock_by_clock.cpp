#include "tests/model/texture_clock_by_clock.h"

#include <algorithm>

namespace tessera::model::reference {

namespace {

constexpr uint64_t kLineBytes = 64;

}  // namespace

TextureEngines::TextureEngines(const Preset& preset, Cycle begun)
    : preset_(preset), begun_(begun), engines_(preset.texture.engines), channels_(preset.sdram.channels) {
    for (Engine& engine : engines_) engine.cache.resize(preset.texture.cache_lines / preset.texture.ways);
    for (Channel& channel : channels_) channel.rows.resize(preset.sdram.banks);
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
        ++cycles_.hits;
        if (preset_.texture.replacement == Replacement::LeastRecentlyUsed) std::rotate(set.begin(), found, found + 1);
    } else {
        const size_t miss = engine.arrived.size(), most = preset_.texture.misses;
        if (miss >= most && t < engine.arrived[miss - most]) return false;
        used.arrival = read(access, t);
        engine.arrived.push_back(std::max(used.arrival, miss > 0 ? engine.arrived.back() : 0));
        if (set.size() == preset_.texture.ways) set.pop_back();
        set.push_front(used);
        ++cycles_.misses;
    }

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

// SDRAM. Its times are in memory cycles.

/// The first cycle of one clock that does not begin before that cycle of another.
static Cycle rescaled(Cycle cycle, uint64_t fromKhz, uint64_t toKhz) { return (cycle * toKhz + fromKhz - 1) / fromKhz; }

/// The exclusive or of a number's digits to a base.
static uint64_t digitsOf(uint64_t number, uint64_t base) {
    uint64_t all = 0;
    for (; base > 1 && number > 0; number /= base) all ^= number % base;
    return all;
}

bool TextureEngines::isRefreshed(Cycle m) const {
    const Cycle every = preset_.sdram.refresh_every;
    return every > 0 && m >= every && m % every < preset_.sdram.refresh_cycles;
}

Cycle TextureEngines::nextRefresh(Cycle m) const {
    const Cycle every = preset_.sdram.refresh_every;
    return every > 0 ? m - m % every + every : kNever;
}

/// The first time from `m` on at which the bus is free for so long.
Cycle TextureEngines::freeBus(const Channel& channel, Cycle m, Cycle cycles) {
    const auto meets = [&](const std::pair<Cycle, Cycle>& taken) {
        return m < taken.second && taken.first < m + cycles;
    };
    while (std::any_of(channel.taken.begin(), channel.taken.end(), meets)) ++m;
    return m;
}

/// Whether rows that are activated then, too, keep their distances.
bool TextureEngines::mayActivate(const Channel& channel, Cycle m) const {
    std::vector<Cycle> all = channel.activated;
    all.push_back(m);
    std::sort(all.begin(), all.end());
    for (size_t i = 1; i < all.size(); ++i)
        if (all[i] - all[i - 1] < preset_.sdram.activates_apart) return false;
    for (size_t i = 4; i < all.size(); ++i)
        if (all[i] - all[i - 4] < preset_.sdram.four_activates) return false;
    return true;
}

/// The line's place in SDRAM: at its own address, or where lines are less than 64 bytes apart.
static uint64_t placeOf(const Access& access) {
    const uint64_t line = access.address / kLineBytes;
    if (access.step == kLineBytes) return line * kLineBytes;
    uint64_t part = 1, together = 1;
    while (uint64_t{1} << (part - 1) < access.step) ++part;
    while (together < access.bytes) together *= 2;
    return (part << 56) + line * access.step / together * together;
}

Cycle TextureEngines::read(const Access& access, Cycle t) {
    const uint64_t address = placeOf(access);
    const auto& sdram = preset_.sdram;
    const uint64_t piece = address / sdram.interleave;
    Channel& channel = channels_[digitsOf(piece, sdram.channels)];
    const uint64_t within = piece / sdram.channels * sdram.interleave + address % sdram.interleave;
    const uint64_t row = within / sdram.row_bytes;
    std::vector<OpenRow>& rows = channel.rows[digitsOf(row, sdram.banks)];
    const Cycle asked = rescaled(begun_ + t + preset_.fifo.crossing, preset_.clock.khz, memoryKhz());
    const uint64_t bytes = (access.bytes + sdram.burst_bytes - 1) / sdram.burst_bytes * sdram.burst_bytes;
    const Cycle cycles = (bytes + sdram.bytes_per_cycle - 1) / sdram.bytes_per_cycle;
    const auto there = [&](Cycle begin) {
        channel.taken.emplace_back(begin, begin + cycles);
        return rescaled(begin + cycles + sdram.latency, memoryKhz(), preset_.clock.khz) + preset_.fifo.crossing -
               begun_;
    };
    // What is over cannot be in anybody's way.
    std::erase_if(channel.taken, [&](const auto& taken) { return taken.second <= asked; });
    std::erase_if(channel.activated,
                  [&](Cycle m) { return m + std::max(sdram.four_activates, sdram.activates_apart) <= asked; });
    std::erase_if(rows, [&](const OpenRow& open) { return open.closed <= asked; });
    // The row is open, or will be.
    for (OpenRow& open : rows) {
        if (open.row != row) continue;
        const Cycle begin =
            freeBus(channel, std::max(asked, open.activated + sdram.activate_cycles) + sdram.read_cycles, cycles);
        const Cycle mayClose = std::max(open.mayClose, begin - sdram.read_cycles + sdram.read_precharge_cycles);
        if (begin + cycles > nextRefresh(open.activated) || std::max(begin + cycles, mayClose) > open.closed) continue;
        open.mayClose = mayClose;
        return there(begin);
    }
    // It is opened, behind the one before.
    Cycle m = asked;
    if (!rows.empty()) {
        const Cycle closed = std::max(asked, rows.back().mayClose) + sdram.precharge_cycles;
        const Cycle refresh = nextRefresh(rows.back().activated);
        m = closed < refresh ? closed : std::max(asked, refresh + sdram.refresh_cycles);
    }
    for (;; ++m) {
        if (isRefreshed(m) || !mayActivate(channel, m)) continue;
        const Cycle begin = freeBus(channel, m + sdram.activate_cycles + sdram.read_cycles, cycles);
        if (begin + cycles > nextRefresh(m)) {
            m = nextRefresh(m) - 1;
            continue;
        }
        if (!rows.empty()) rows.back().closed = m - std::min<Cycle>(m, sdram.precharge_cycles);
        rows.push_back({.row = row,
                        .activated = m,
                        .mayClose = std::max<Cycle>(m + sdram.open_cycles,
                                                    begin - sdram.read_cycles + sdram.read_precharge_cycles)});
        channel.activated.push_back(m);
        return there(begin);
    }
}

uint64_t TextureEngines::memoryKhz() const {
    return preset_.clock.memory_khz == 0 ? preset_.clock.khz : preset_.clock.memory_khz;
}

}  // namespace tessera::model::reference
