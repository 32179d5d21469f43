#include "model/chip/unit/pixels.h"

#include "model/chip/unit/chip.h"

namespace tessera::model {

// --- The store ---

FragmentStore::FragmentStore(const Preset& preset, uint32_t self) : places_(preset.fragments.store), self_(self) {}

uint32_t FragmentStore::reserve(const FragmentGroup& group) {
    const auto place = static_cast<uint32_t>(reserved_++ % places_.size());
    places_[place] = {group, kNever};
    return place;
}

void FragmentStore::shaded(Chip& chip, uint32_t place, Cycle seen) {
    places_[place].seen = seen;
    chip.clock.wake(self_, seen);
}

void FragmentStore::step(Chip& chip) {
    const Cycle now = chip.clock.now();
    chip.ledger.spend(self_, now, idle_);
    if (now < free_) return;
    if (released_ == reserved_) {
        idle_ = Cause::NoWork;
        return;
    }
    Place& place = places_[released_ % places_.size()];
    if (place.seen > now) {
        idle_ = Cause::NoWork;
        for (const Place& other : places_)
            if (other.seen <= now) idle_ = Cause::Order;
        return;
    }
    const uint32_t number = place.group.block[next_];
    const Block& block = chip.workload.blocks[number];
    // Everything was discarded, and there are no tests to come.
    if (block.written || !chip.workload.draws[place.group.draw].pixels.earlyTests) {
        const uint32_t engine = engineOfBlock(block.x, block.y, static_cast<uint32_t>(chip.pixelEngines.size()));
        Queue<PixelEngine::Work>& queue = chip.pixelEngines[engine].blocks;
        idle_ = Cause::QueueFull;
        if (!queue.hasPlace()) return;
        queue.push({place.group.draw, number});
    } else {
        chip.progress.finish(place.group.draw, now);
    }
    free_ = now + 1;
    chip.ledger.spend(self_, free_, Cause::Busy);
    chip.clock.wake(self_, free_);
    if (++next_ < place.group.blocks) return;
    next_ = 0;
    place.seen = kNever;
    ++released_;
    chip.dispatch.placeBecameFree(chip);
}

// --- A pixel engine ---

PixelEngine::PixelEngine(Clock& clock, const Preset& preset, uint32_t self, uint32_t store)
    : blocks(clock, preset.pixel.fifo, preset.fifo.latency, store, self),
      self_(self),
      fragmentsPerCycle_(preset.pixel.fragments_per_cycle),
      cache_(preset.pixel.cache_lines, preset.pixel.ways),
      inFlight_(preset.pixel.in_flight) {}

Cycle PixelEngine::flush(Chip& chip, Cycle now, bool forget) {
    return cache_.flush(chip.sdram, now, kLineBytes, forget);
}

Cycle PixelEngine::bring(Chip& chip, uint64_t address, uint32_t lines, bool read, bool write) {
    const Cycle now = chip.clock.now();
    Cycle ready = now;
    for (uint64_t number = address / kLineBytes; number < address / kLineBytes + lines; ++number) {
        LineCache::Line* line = cache_.find(number);
        if (line) {
            ++chip.result.pixelCache.hits;
        } else {
            ++chip.result.pixelCache.misses;
            chip.result.pixelCache.fetched += read && !chip.sdram.isMarked(number * kLineBytes);
            LineCache::Line evicted;
            line = &cache_.replace(number, &evicted);
            if (evicted.dirty) {
                ++chip.result.pixelCache.writeBacks;
                chip.sdram.write(now, evicted.number * kLineBytes);
            }
            // What is only written needs no reading: SDRAM takes bytes under a mask.
            line->arrival = read ? chip.sdram.read(now, number * kLineBytes) : now;
        }
        ready = std::max(ready, line->arrival);
        line->dirty |= write;
    }
    return ready;
}

void PixelEngine::step(Chip& chip) {
    const Cycle now = chip.clock.now();
    if (now < tags_) return;
    const Work* next = blocks.front();
    if (!next) return;
    if (inFlight_.mayBegin() > now) return chip.clock.wake(self_, inFlight_.mayBegin());
    const Work work = *next;
    blocks.pop();

    const Block& block = chip.workload.blocks[work.block];
    const PixelWork& pixels = chip.workload.draws[work.draw].pixels;
    const uint32_t colorLines = (16u * pixels.colorBytes * pixels.samples + kLineBytes - 1) / kLineBytes;
    uint32_t lines = 0;
    Cycle ready = now;
    if (!pixels.earlyTests && (pixels.depthRead || pixels.depthWrite || pixels.stencil)) {
        lines += pixels.samples;
        ready = std::max(ready, bring(chip, surfaceAddress(pixels.target, true, block, pixels.samples), pixels.samples,
                                      pixels.depthRead || pixels.stencil, pixels.depthWrite || pixels.stencil));
    }
    if (block.written) {
        for (uint32_t i = 0; i < pixels.targets; ++i) {
            lines += colorLines;
            // Colours of one draw lie one behind the other; each has the place of a target of its own.
            const uint64_t address = surfaceAddress(pixels.target, false, block, colorLines) + (uint64_t{i} << 36);
            ready = std::max(ready, bring(chip, address, colorLines, pixels.colorRead, true));
        }
    }
    const uint32_t fragments = static_cast<uint32_t>(std::popcount(pixels.earlyTests ? block.written : block.early));
    const uint32_t cycles =
        (fragments * pixels.samples * std::max<uint32_t>(pixels.targets, 1) + fragmentsPerCycle_ - 1) /
        fragmentsPerCycle_;
    lines = std::max(lines, 1u);
    const Cycle looked = std::max(now + lines, data_), begin = std::max(looked, ready);
    chip.ledger.spend(self_, now, Cause::NoWork);
    chip.ledger.spend(self_, looked, Cause::Filling);
    chip.ledger.spend(self_, begin, Cause::Sdram);
    data_ = begin + std::max(cycles, 1u);
    chip.ledger.spend(self_, data_, Cause::Busy);
    inFlight_.begin(data_);
    tags_ = now + lines;
    chip.clock.wake(self_, tags_);
    chip.progress.finish(work.draw, data_);
}

}  // namespace tessera::model
