#include "model/chip/unit/fragments.h"

#include "model/chip/unit/chip.h"

namespace tessera::model {
namespace {

constexpr uint32_t kBlocksPerRow = 1024;  ///< of a surface, as addresses go: 4,096 pixels

/// Fragments of the quads that have one in the mask: l, l ^ 1, l ^ 4 and l ^ 5 are a quad.
uint32_t fragmentsOfQuads(uint16_t mask) {
    uint32_t quads = mask | mask >> 1;
    quads = (quads | quads >> 4) & 0x0505;
    return 4 * static_cast<uint32_t>(std::popcount(quads));
}

}  // namespace

uint64_t surfaceAddress(uint32_t target, bool depth, const Block& block, uint32_t lines) {
    const auto x = static_cast<uint64_t>(block.x), y = static_cast<uint64_t>(block.y);
    return surfaceNumber(target, depth) << kSurfaceShift | (y * kBlocksPerRow + x) * lines * kLineBytes;
}

// --- Rasterizer ---

Rasterizer::Rasterizer(Clock& clock, const Preset& preset, uint32_t number, uint32_t self, uint32_t earlyTests)
    : blocks(clock, preset.raster.fifo, preset.fifo.latency, self, earlyTests),
      number_(number),
      self_(self),
      scanCycles_(preset.raster.scan_cycles) {}

uint64_t Rasterizer::foundAfter(const Primitive& primitive) const {
    const uint64_t covered = primitive.blocks.count,
                   scanned = std::max({primitive.scanned, primitive.blocks.count, 1u});
    if (!covered) return scanned * scanCycles_;
    return ((next_ + 1) * scanned + covered - 1) / covered * scanCycles_;
}

void Rasterizer::take(Chip& chip, const PrimitiveItem& item) {
    holds_ = true;
    item_ = item;
    next_ = 0;
    spent_ = item.primitive == kNone ? 1 : foundAfter(chip.workload.primitives[item.primitive]);
    found_ = chip.clock.now() + spent_;
    chip.ledger.spend(self_, found_, Cause::Busy);
    chip.clock.wake(self_, found_);
}

void Rasterizer::step(Chip& chip) {
    const Cycle now = chip.clock.now();
    chip.ledger.spend(self_, now, idle_);
    if (now < found_) return;
    if (holds_) {
        idle_ = Cause::QueueFull;
        if (!blocks.hasPlace()) return;
        BlockItem out{item_.draw};
        const uint32_t covered = item_.primitive == kNone ? 0 : chip.workload.primitives[item_.primitive].blocks.count;
        if (next_ < covered) out.block = chip.workload.primitives[item_.primitive].blocks.first + next_;
        out.last = next_ + 1 >= covered;
        out.endsDraw = item_.primitive == kNone;
        blocks.push(out);
        if (!out.last) {
            ++next_;
            const uint64_t after = foundAfter(chip.workload.primitives[item_.primitive]);
            found_ = now + (after - spent_);
            spent_ = after;
            chip.ledger.spend(self_, found_, Cause::Busy);
            chip.clock.wake(self_, found_);
            return;
        }
        holds_ = false;
    }
    idle_ = Cause::NoWork;
    Queue<PrimitiveItem>& queue = chip.setup.primitives[number_];
    if (const PrimitiveItem* item = queue.front()) {
        take(chip, *item);
        queue.pop();
    }
}

// --- Early tests ---

EarlyTests::EarlyTests(Clock& clock, const Preset& preset, uint32_t self, uint32_t interpolators)
    : cache_(preset.early.cache_lines, preset.early.ways), misses_(preset.early.misses) {
    for (uint32_t i = 0; i < preset.raster.rasterizers; ++i)
        blocks.emplace_back(clock, preset.interpolation.fifo, preset.fifo.latency, self, interpolators + i);
}

Cycle EarlyTests::flush(Chip& chip, Cycle now, bool forget) {
    return cache_.flush(chip.sdram, now, kLineBytes, forget);
}

Cycle EarlyTests::bring(Chip& chip, const Block& block, const PixelWork& pixels) {
    const Cycle now = chip.clock.now();
    const bool writes = pixels.depthWrite || pixels.stencil;
    const uint64_t first = surfaceAddress(pixels.target, true, block, pixels.samples) / kLineBytes;
    if (misses_.mayBegin() > now) {
        chip.clock.wake(chip.at.earlyTests, misses_.mayBegin());
        return kNever;
    }
    Cycle ready = now;
    for (uint32_t i = 0; i < pixels.samples; ++i) {
        LineCache::Line* line = cache_.find(first + i);
        if (line) {
            ++chip.result.earlyCache.hits;
        } else {
            ++chip.result.earlyCache.misses;
            chip.result.earlyCache.fetched += !chip.sdram.isMarked((first + i) * kLineBytes);
            LineCache::Line evicted;
            line = &cache_.replace(first + i, &evicted);
            if (evicted.dirty) {
                ++chip.result.earlyCache.writeBacks;
                chip.sdram.write(now, evicted.number * kLineBytes);
            }
            line->arrival = chip.sdram.read(now, (first + i) * kLineBytes);
        }
        ready = std::max(ready, line->arrival);
        line->dirty |= writes;
    }
    misses_.begin(ready);
    return ready;
}

void EarlyTests::step(Chip& chip) {
    const uint32_t self = chip.at.earlyTests;
    if (!station_.isDone(chip, self)) return;
    if (station_.holds) {
        const BlockItem& item = station_.item;
        const bool passes = item.block != kNone && chip.workload.blocks[item.block].early != 0;
        // What has been tested away goes no further, but the end of its primitive does.
        if (passes || item.last) {
            Queue<BlockItem>& queue = blocks[turn_ % blocks.size()];
            station_.idle = Cause::QueueFull;
            if (!queue.hasPlace()) return;
            queue.push({item.draw, passes ? item.block : kNone, item.last, item.endsDraw}, ready_);
        }
        if (item.last) ++turn_;
        station_.holds = false;
    }
    Queue<BlockItem>& queue = chip.rasterizers[turn_ % blocks.size()].blocks;
    const BlockItem* item = queue.front();
    if (!item) {
        station_.idle = Cause::NoWork;
        for (Rasterizer& other : chip.rasterizers)
            if (other.blocks.front()) station_.idle = Cause::Order;
        return;
    }
    uint32_t cycles = 1;
    ready_ = 0;
    if (item->block != kNone) {
        const PixelWork& pixels = chip.workload.draws[item->draw].pixels;
        if (pixels.earlyTests && (pixels.depthRead || pixels.depthWrite || pixels.stencil)) {
            station_.idle = Cause::Sdram;
            ready_ = bring(chip, chip.workload.blocks[item->block], pixels);
            if (ready_ == kNever) return;
            ready_ += chip.preset.fifo.latency;
            cycles = chip.preset.early.cycles * pixels.samples;
        }
    }
    station_.take(chip, self, *item, cycles);
    queue.pop();
}

// --- Interpolator ---

Interpolator::Interpolator(Clock& clock, const Preset& preset, uint32_t number, uint32_t self, uint32_t former)
    : blocks(clock, preset.interpolation.fifo, preset.fifo.latency, self, former), number_(number), self_(self) {}

void Interpolator::step(Chip& chip) {
    if (!station_.isDone(chip, self_)) return;
    if (station_.holds) {
        station_.idle = Cause::QueueFull;
        if (!blocks.hasPlace()) return;
        blocks.push(station_.item);
        station_.holds = false;
    }
    station_.idle = Cause::NoWork;
    Queue<BlockItem>& queue = chip.earlyTests.blocks[number_];
    const BlockItem* item = queue.front();
    if (!item) return;
    uint32_t cycles = 1;
    if (item->block != kNone) {
        const auto& parameters = chip.preset.interpolation;
        const uint32_t fragments = fragmentsOfQuads(chip.workload.blocks[item->block].early);
        const uint32_t attributes = std::max<uint32_t>(chip.workload.draws[item->draw].varyings, 1);
        cycles = (fragments + parameters.fragments_per_cycle - 1) / parameters.fragments_per_cycle *
                 ((attributes + parameters.attributes - 1) / parameters.attributes);
    }
    station_.take(chip, self_, *item, cycles);
    queue.pop();
}

// --- Groups ---

GroupFormer::GroupFormer(Clock& clock, const Preset& preset, uint32_t self, uint32_t dispatch)
    : groups(clock, preset.fragments.fifo, preset.fifo.latency, self, dispatch),
      closeWithPrimitive_(preset.fragments.close == Close::Primitive) {}

void GroupFormer::step(Chip& chip) {
    const uint32_t self = chip.at.groupFormer;
    if (!station_.isDone(chip, self)) return;
    if (station_.holds) {
        const BlockItem item = station_.item;
        if (item.block != kNone) {
            open_.draw = item.draw;
            open_.block[open_.blocks++] = item.block;
            chip.progress.add(item.draw);
            station_.item.block = kNone;  // it is in the group, should that have to wait
        }
        const bool closes = open_.blocks == 2 || item.endsDraw || (item.last && closeWithPrimitive_);
        if (closes && open_.blocks) {
            station_.idle = Cause::QueueFull;
            if (!groups.hasPlace()) return;
            groups.push(open_);
            open_ = {};
        }
        if (item.endsDraw) chip.progress.finish(item.draw, chip.clock.now());
        if (item.last) ++turn_;
        station_.holds = false;
    }
    Queue<BlockItem>& queue = chip.interpolators[turn_ % chip.interpolators.size()].blocks;
    const BlockItem* item = queue.front();
    if (!item) {
        station_.idle = Cause::NoWork;
        for (Interpolator& other : chip.interpolators)
            if (other.blocks.front()) station_.idle = Cause::Order;
        return;
    }
    station_.take(chip, self, *item, 1);
    queue.pop();
}

}  // namespace tessera::model
