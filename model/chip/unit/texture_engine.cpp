#include "model/chip/unit/texture_engine.h"

#include "model/chip/unit/chip.h"

namespace tessera::model {

uint32_t engineOfBlock(int x, int y, uint32_t engines) {
    const int bits = std::countr_zero(engines), columns = (bits + 1) / 2;
    const auto low = [](int value, int count) { return static_cast<uint32_t>(value) & ((1u << count) - 1); };
    return low(x, columns) | low(y, bits - columns) << columns;
}

namespace {

/// Where the line of an access lies in SDRAM. Lines of 64 bytes lie where they are called; those of other distances
/// apart from these, at so much of their address.
uint64_t storedAddress(const Access& access) {
    constexpr int kPartShift = 56;
    const uint64_t line = access.address / kLineBytes;
    if (access.step == kLineBytes) return line * kLineBytes;
    const uint64_t part = static_cast<uint64_t>(std::countr_zero(access.step)) + 1;
    const uint64_t whole = std::bit_ceil(access.bytes);  // what is read together begins at a multiple of it
    return part << kPartShift | (line * access.step & ~(whole - 1));
}

}  // namespace

TextureEngine::TextureEngine(Clock& clock, const Preset& preset, uint32_t self, uint32_t blockProcessors)
    : self_(self),
      pipeCycles_(preset.texture.pipe_cycles),
      filterCycles_(preset.texture.filter_cycles),
      cache_(preset.texture.cache_lines, preset.texture.ways, preset.texture.replacement),
      misses_(preset.texture.misses),
      inFlight_(preset.texture.in_flight) {
    for (uint32_t i = 0; i < preset.block.processors; ++i)
        requests_.emplace_back(clock, preset.texture.fifo, preset.fifo.latency, blockProcessors + i, self);
}

bool TextureEngine::take(Chip& chip) {
    Queue<TextureRequest>* first = nullptr;
    for (Queue<TextureRequest>& queue : requests_) {
        const TextureRequest* request = queue.front();
        if (request && (!first || request->pushed < request_.pushed)) {
            first = &queue;
            request_ = *request;
        }
    }
    if (!first) return false;
    first->pop();
    access_ = 0;
    half_ = 0;
    begun_ = tags_ = chip.clock.now();
    return works_ = true;
}

const Access* TextureEngine::nextAccess(const Workload& workload) {
    for (; half_ < 2; ++half_, access_ = 0) {
        if (!request_.executed[half_]) continue;
        const std::span<const Access> accesses = workload.of(*request_.executed[half_]);
        while (access_ < accesses.size() && !(request_.lanes >> accesses[access_].lane & 1)) ++access_;
        if (access_ < accesses.size()) return &accesses[access_];
    }
    return nullptr;
}

void TextureEngine::step(Chip& chip) {
    const Cycle now = chip.clock.now();
    if (now < tags_) return;
    if (!works_ && !take(chip)) return;
    while (const Access* next = nextAccess(chip.workload)) {
        const Access& access = *next;
        const uint64_t number = access.address / kLineBytes;
        Cycle tags = std::max(tags_, inFlight_.mayBegin());
        LineCache::Line* line = cache_.find(number);
        if (line) {
            ++chip.result.textureCache.hits;
        } else {
            tags = std::max(tags, misses_.mayBegin());
            if (tags > now) {
                tags_ = tags;
                return chip.clock.wake(self_, tags);
            }
            ++chip.result.textureCache.misses;
            ++chip.result.textureCache.fetched;
            LineCache::Line evicted;
            line = &cache_.replace(number, &evicted);
            line->arrival = chip.sdram.read(now, storedAddress(access), access.bytes);
            misses_.begin(line->arrival);
        }
        const Cycle looked = std::max(tags + pipeCycles_, data_), begin = std::max(looked, line->arrival);
        chip.ledger.spend(self_, begun_, Cause::NoWork);
        chip.ledger.spend(self_, looked, Cause::Filling);
        chip.ledger.spend(self_, begin, Cause::Sdram);
        chip.ledger.spend(self_, begin + access.cycles, Cause::Busy);
        data_ = begin + access.cycles;
        inFlight_.begin(data_);
        tags_ = tags + 1;
        ++access_;
    }
    works_ = false;
    tags_ = std::max(tags_, now + 1);
    chip.blockProcessors[request_.processor].lookedUp(chip, request_.resident,
                                                      std::max(data_, now + pipeCycles_) + filterCycles_);
    chip.clock.wake(self_, tags_);
}

}  // namespace tessera::model
