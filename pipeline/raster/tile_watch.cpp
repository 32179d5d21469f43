#include "pipeline/raster/tile_watch.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "pipeline/commands.h"
#include "pipeline/raster/pixel_fate.h"
#include "shader-core/isa/isa.h"
#include "shader-core/isa/program.h"

namespace tessera::pipeline {

namespace {

/// Runs a fragment program and shows the groups.
class OverheardRoutine final : public isa::Routine {
public:
    using Look = std::function<void(const isa::GroupRun&)>;
    OverheardRoutine(const isa::Routine& routine, Look look) : routine_(routine), look_(std::move(look)) {}
    void run(isa::GroupRun& run) const override {
        routine_.run(run);
        look_(run);
    }

private:
    const isa::Routine& routine_;
    Look look_;
};

bool isCleared(const Clear& clear, const WatchedPixel& pixel) {
    const Rect& box = clear.scissor;
    return !clear.scissorTest || (pixel.x >= box.x && pixel.y >= box.y && pixel.x - int64_t{box.x} < box.width &&
                                  pixel.y - int64_t{box.y} < box.height);
}

/// The way that the draw goes when nobody watches and its program is compiled.
BlockWay usualWay(const TileDraw& draw, const isa::Program& program) {
    WayCase usual = draw.wayCase;
    usual.isWatched = false;
    usual.isCompiled = true;
    usual.hasLoops = std::ranges::any_of(program.code, [](const isa::Word& word) {
        const std::optional<isa::Instruction> instruction = isa::decode(word);
        return instruction && instruction->op == isa::Op::Loop;
    });
    return blockWay(draw.key, usual);
}

/// What a pixel costs by itself: its quad is run again alone, or its lane where no derivative is taken.
uint64_t instructionsFor(const isa::GroupRun& run, const isa::Routine& routine, bool quads, int lane) {
    std::vector<isa::GroupRegister> outputs(isa::kMaxFragmentOutputs);
    isa::GroupRun alone = run;
    const uint32_t self = 1u << lane;
    const int half = lane & ~(kBlockLanes - 1);
    alone.activeMask = quads ? isa::wholeQuads(self >> half) << half : self;
    alone.helperMask = run.helperMask & alone.activeMask;
    alone.outputs = outputs.data();
    routine.run(alone);
    return alone.instructions;
}

}  // namespace

TileWatch::TileWatch(const Scene& scene, const TilePlace& tile) : scene_(scene), tile_(tile) {
    if (scene.pixelProbe == nullptr) return;
    watched_ = scene.pixelProbe->pixels(scene.target);
    std::erase_if(watched_, [&](const WatchedPixel& pixel) {
        return pixel.x < tile.bounds.minX || pixel.x > tile.bounds.maxX || pixel.y < tile.bounds.minY ||
               pixel.y > tile.bounds.maxY;
    });
}

void TileWatch::beforeClear() {
    beforeClear_.clear();
    for (const WatchedPixel& pixel : watched_) beforeClear_.push_back(readPixel(scene_.target, pixel.x, pixel.y));
}

void TileWatch::afterClear(const Clear& clear) {
    for (size_t i = 0; i < watched_.size(); ++i) {
        const WatchedPixel& pixel = watched_[i];
        if (!isCleared(clear, pixel)) continue;
        PixelEvent event;
        event.kind = PixelEvent::Kind::Clear;
        event.command = scene_.pixelProbe->number(&clear);
        event.before = beforeClear_[i];
        event.after = readPixel(scene_.target, pixel.x, pixel.y);
        scene_.pixelProbe->event(scene_.target, pixel, event);
    }
}

bool TileWatch::touches(const SetupPrimitive& primitive, const TileDraw& draw) {
    touched_.clear();
    for (const WatchedPixel& pixel : watched_) {
        const bool near = pixel.x >= primitive.minX && pixel.x <= primitive.maxX && pixel.y >= primitive.minY &&
                          pixel.y <= primitive.maxY;
        const uint32_t covered =
            near ? coveredSamples(primitive, tile_.bounds, draw, tile_.samples, pixel.x, pixel.y) : 0;
        if (covered != 0) touched_.push_back({pixel, covered, {}, {}});
    }
    return !touched_.empty();
}

const isa::Routine& TileWatch::begin(const RasterDraw& source, const PrimitiveChunk& chunk,
                                     const SetupPrimitive& primitive, const TileDraw& draw,
                                     const FragmentGroup& group) {
    const BlockWay way = usualWay(draw, source.draw->state->program->fragment());
    for (Touched& one : touched_) {
        PixelEvent& event = one.event;
        event.way = way;
        event.command = scene_.pixelProbe->number(source.draw);
        event.primitive = chunk.first;
        event.primitiveKind = primitive.kind;
        event.frontFacing = primitive.frontFacing;
        event.key = draw.key;
        event.values = draw.values;
        event.before = readPixel(scene_.target, one.pixel.x, one.pixel.y);
    }
    const auto look = [this, &routine = *draw.groups.routine, from = source.draw, number = chunk.first,
                       quads = draw.quads,
                       &group](const isa::GroupRun& run) { lookAt(run, routine, from, number, quads, group); };
    overheard_ = std::make_unique<OverheardRoutine>(*draw.groups.routine, look);
    return *overheard_;
}

/// A group has been executed: the watched pixels among its lanes.
void TileWatch::lookAt(const isa::GroupRun& run, const isa::Routine& routine, const Draw* source, uint64_t primitive,
                       bool quads, const FragmentGroup& group) {
    for (Touched& one : touched_)
        for (int slot = 0; slot < 2; ++slot) {
            const PendingBlock& block = group.block[slot];
            const int lane = slot * kBlockLanes + (one.pixel.y & 3) * kBlockSize + (one.pixel.x & 3);
            const bool here = block.place == BlockPlace{one.pixel.x >> 2, one.pixel.y >> 2};
            if (!here || ((run.activeMask & ~run.helperMask) >> lane & 1) == 0) continue;
            one.event.shaded = true;
            one.event.discarded = (run.killMask >> lane & 1) != 0;
            for (size_t target = 0; target < kMaxColorTargets; ++target)
                for (size_t c = 0; c < 4; ++c)
                    one.event.color[target][c] = run.outputs[isa::kOutColor0 + target].lane[c][lane];
            one.shaderDepth = run.outputs[isa::kOutDepth].lane[0][lane];
            one.event.instructions = instructionsFor(run, routine, quads, lane);
            ProbedGroup probed{source, primitive, &run, lane, {}, {}};
            for (int i = 0; i < 2; ++i)
                probed.blockX[i] = group.block[i].place.x, probed.blockY[i] = group.block[i].place.y;
            scene_.pixelProbe->shaded(one.pixel, probed);
        }
}

void TileWatch::end(const SetupPrimitive& primitive, const TileDraw& draw) {
    for (Touched& one : touched_) {
        one.event.after = readPixel(scene_.target, one.pixel.x, one.pixel.y);
        describeTests(primitive, one.pixel.x, one.pixel.y, one.covered,
                      draw.writesDepth && one.event.shaded ? &one.shaderDepth : nullptr, one.event);
        scene_.pixelProbe->event(scene_.target, one.pixel, one.event);
    }
}

}  // namespace tessera::pipeline
