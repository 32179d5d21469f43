#include "model/chip/unit/geometry.h"

#include "model/chip/unit/chip.h"

namespace tessera::model {

// --- Assembly ---

Assembly::Assembly(Clock& clock, const Workload& workload, const Preset& preset, uint32_t self, uint32_t clip)
    : primitives(clock, preset.geometry.fifo, preset.fifo.latency, self, clip),
      shaded_(workload.batches.size(), kNever),
      lastUse_(workload.batches.size(), kNone),
      cycles_(preset.geometry.assembly_cycles) {
    for (const DrawWork& draw : workload.draws)
        for (uint32_t i = draw.primitives.first; i < draw.primitives.first + draw.primitives.count; ++i)
            for (const uint32_t batch : workload.primitives[i].batch)
                if (batch != kNone) lastUse_[batch] = i;
}

void Assembly::shaded(Chip& chip, uint32_t batch, Cycle seen) {
    shaded_[batch] = seen;
    chip.clock.wake(chip.at.assembly, seen);
    if (lastUse_[batch] == kNone) chip.dispatch.releaseVertices(chip);
}

bool Assembly::areThere(Chip& chip, const Primitive& primitive) {
    uint32_t latest = kNone;
    for (const uint32_t batch : primitive.batch) {
        if (batch == kNone || shaded_[batch] <= chip.clock.now()) continue;
        if (latest == kNone || batch > latest) latest = batch;
    }
    if (latest == kNone) return true;
    chip.dispatch.hurry(chip, latest);
    return false;
}

void Assembly::release(Chip& chip, uint32_t primitive) {
    for (const uint32_t batch : chip.workload.primitives[primitive].batch) {
        if (batch == kNone || lastUse_[batch] != primitive) continue;
        lastUse_[batch] = kNone;
        chip.dispatch.releaseVertices(chip);
    }
}

void Assembly::step(Chip& chip) {
    const uint32_t self = chip.at.assembly;
    if (!station_.isDone(chip, self)) return;
    for (;;) {
        if (station_.holds) {
            station_.idle = Cause::QueueFull;
            if (!primitives.hasPlace()) return;
            primitives.push(station_.item);
            station_.holds = false;
        }
        if (draw_ == kNone) {
            station_.idle = Cause::NoWork;
            const uint32_t* draw = chip.command.drawsToAssemble.front();
            if (!draw) return;
            draw_ = *draw;
            primitive_ = 0;
            chip.command.drawsToAssemble.pop();
        }
        const Range& range = chip.workload.draws[draw_].primitives;
        if (primitive_ == range.count) {
            station_.take(chip, self, {draw_, kNone}, 1);
            draw_ = kNone;
            return;
        }
        const uint32_t primitive = range.first + primitive_;
        station_.idle = Cause::Vertices;
        if (!areThere(chip, chip.workload.primitives[primitive])) return;
        release(chip, primitive);
        ++primitive_;
        return station_.take(chip, self, {draw_, primitive}, cycles_);
    }
}

// --- Clip ---

Clip::Clip(Clock& clock, const Preset& preset, uint32_t self, uint32_t setup)
    : primitives(clock, preset.geometry.fifo, preset.fifo.latency, self, setup) {}

void Clip::step(Chip& chip) {
    const uint32_t self = chip.at.clip;
    if (!station_.isDone(chip, self)) return;
    const auto& parameters = chip.preset.geometry;
    if (station_.holds) {
        const uint32_t number = station_.item.primitive;
        if (number == kNone || chip.workload.primitives[number].fate != Fate::Outside) {
            station_.idle = Cause::QueueFull;
            if (!primitives.hasPlace()) return;
            primitives.push(station_.item);
        }
        station_.holds = false;
    }
    station_.idle = Cause::NoWork;
    const PrimitiveItem* item = chip.assembly.primitives.front();
    if (!item) return;
    uint32_t cycles = 1;
    if (item->primitive != kNone) {
        const Primitive& primitive = chip.workload.primitives[item->primitive];
        cycles = parameters.clip_cycles;
        if (primitive.fate != Fate::Outside) {
            cycles += parameters.clip_plane_cycles * static_cast<uint32_t>(std::popcount(primitive.outcodes)) +
                      parameters.clip_vertex_cycles * primitive.newVertices;
        }
    }
    station_.take(chip, self, *item, cycles);
    chip.assembly.primitives.pop();
}

// --- Setup ---

Setup::Setup(Clock& clock, const Preset& preset, uint32_t self, uint32_t rasterizers) {
    for (uint32_t i = 0; i < preset.raster.rasterizers; ++i)
        primitives.emplace_back(clock, preset.geometry.fifo, preset.fifo.latency, self, rasterizers + i);
}

void Setup::step(Chip& chip) {
    const uint32_t self = chip.at.setup;
    if (!station_.isDone(chip, self)) return;
    const auto& parameters = chip.preset.geometry;
    if (station_.holds) {
        const uint32_t number = station_.item.primitive;
        if (number == kNone || chip.workload.primitives[number].fate == Fate::Drawn) {
            Queue<PrimitiveItem>& queue = primitives[turn_ % primitives.size()];
            station_.idle = Cause::QueueFull;
            if (!queue.hasPlace()) return;
            queue.push(station_.item);
            ++turn_;
        }
        station_.holds = false;
    }
    station_.idle = Cause::NoWork;
    const PrimitiveItem* item = chip.clip.primitives.front();
    if (!item) return;
    const uint32_t cycles = item->primitive == kNone
                                ? 1
                                : parameters.setup_cycles + parameters.setup_vertex_cycles *
                                                                chip.workload.primitives[item->primitive].newVertices;
    station_.take(chip, self, *item, cycles);
    chip.clip.primitives.pop();
}

}  // namespace tessera::model
