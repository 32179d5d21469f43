// What becomes of draws and clears, in which order, and when the scene is flushed.
#include "pipeline/scene/scene.h"

#include <algorithm>

#include "base/check.h"
#include "pipeline/commands.h"
#include "pipeline/geometry/assembly.h"
#include "pipeline/probe/pixel_probe.h"
#include "pipeline/scene/scene_tiles.h"

namespace tessera::pipeline {
namespace {

/// Whether the clear leaves nothing of what was in the target's images.
bool clearsAll(const Clear& clear) {
    const RenderTarget& target = *clear.target;
    if (clear.scissorTest) return false;
    for (size_t i = 0; i < target.color.size(); ++i)
        if (target.color[i] && !(clear.clearColor && clear.colorMask[i] == 0xF)) return false;
    if (target.depth && !(clear.clearDepth && clear.depthMask)) return false;
    if (target.stencil && !(clear.clearStencil && clear.stencilMask == 0xFF)) return false;
    return true;
}

PixelBounds clearBounds(const Clear& clear) {
    PixelBounds bounds = {0, 0, clear.target->width - 1, clear.target->height - 1};
    if (clear.scissorTest) {
        const Rect& box = clear.scissor;
        bounds.minX = std::max(bounds.minX, box.x);
        bounds.minY = std::max(bounds.minY, box.y);
        bounds.maxX = static_cast<int>(std::clamp<int64_t>(int64_t{box.x} + box.width - 1, -1, bounds.maxX));
        bounds.maxY = static_cast<int>(std::clamp<int64_t>(int64_t{box.y} + box.height - 1, -1, bounds.maxY));
    }
    return bounds;
}

/// Whether draws in the state do anything.
bool isDrawn(const DrawState& state) { return state.program && !state.program->isBanned; }

}  // namespace

SceneBuilder::SceneBuilder(ThreadPool& pool, Watch& watch, TextureProbe* textures, PixelProbe* pixels,
                           MachineProbe* machine, bool isPlain)
    : pool_(pool),
      watch_(watch),
      pixelProbe_(pixels),
      isPlain_(isPlain),
      sampled_(pool),
      binned_(watch.stop, textures, machine, isPlain),
      queue_(pool, binned_.scene()),
      streamOuts_(pool, watch.stop) {
    CHECK(textures == nullptr || pool.threads() == 1);
}

// --- What the scene touches ---

bool SceneBuilder::writes(const texture::ImagePtr& image) const {
    return open_ && image && targetHas(binned_.scene().target, *image);
}

bool SceneBuilder::uses(const texture::ImagePtr& image) const {
    return image && (writes(image) || sampled_.has(*image));
}

// --- Collecting ---

void SceneBuilder::begin(const RenderTarget& target) {
    if (open_ && binned_.scene().target == target) return;
    flush();
    binned_.begin(target, pixelProbe_ != nullptr && pixelProbe_->isRecording() ? pixelProbe_ : nullptr);
    open_ = true;
}

bool SceneBuilder::accept(const DrawState& state, bool& feedback) {
    if (!isDrawn(state) || state.target.width <= 0 || state.target.height <= 0) return false;
    begin(state.target);
    feedback = std::ranges::any_of(state.textures.each,
                                   [&](const auto& bindings) { return readsTarget(bindings, state.target); });
    if (feedback) {  // what the draw reads is undefined, but the images must at least be up to date
        flush();
        begin(state.target);
    }
    for (const std::vector<TextureBinding>& bindings : state.textures.each) sampled_.add(bindings);
    accepted_ = feedback ? nullptr : &state;
    return true;
}

void SceneBuilder::draw(const Draw& draw) {
    ++counters_.draws;
    if (draw.streamOut != nullptr && !streamOut(draw)) return;
    if (draw.generated != nullptr && isDrawn(*draw.state)) draw.generated->primitives += drawnPrimitives(draw);
    if (draw.state->raster.discard) return;
    bool feedback = false;
    if (accepted_ != draw.state.get() && !accept(*draw.state, feedback)) return;
    if (binned_.scene().pixelProbe != nullptr) binned_.scene().pixelProbe->draw(draw);
    enqueue(draw);
    if (feedback) flush();
}

/// Before any of the draw's pixels; false: it is left out. What it reads has to be in memory, and whether an earlier
/// draw of its program overran has to be known.
bool SceneBuilder::streamOut(const Draw& draw) {
    const DrawState& state = *draw.state;
    if (!state.program) return false;
    const auto mayOverrun = [&](isa::Stage stage) { return state.program->stages[stage].facts.mayOverrun; };
    if (open_ && (readsTarget(state.textures[isa::Stage::Vertex], binned_.scene().target) ||
                  std::ranges::any_of(kDrawStages, mayOverrun)))
        flush();
    for (const StreamOutRange& range : draw.streamOut->ranges)
        if (range.buffer && fetches(*range.buffer)) runGeometry();
    if (!isDrawn(state)) return false;
    if (streamOuts_.run(draw, counters_)) return true;
    ban(*state.program, isa::Stage::Vertex);
    return false;
}

void SceneBuilder::enqueue(const Draw& draw) {
    const Scene& scene = binned_.scene();
    const uint64_t primitives = uint64_t{primitiveCount(draw.primitive, draw.count)} * draw.instances;
    const bool isProbed = scene.probe != nullptr || scene.pixelProbe != nullptr || scene.machineProbe != nullptr;
    if (primitives <= kChunkPrimitives && !isProbed) {
        if (primitives == 0) return;
        if (queue_.isFull()) runGeometry();
        // What is made of the draw before its primitives is work for the loop too.
        QueuedChunk& chunk = queue_.add(draw, counters_.draws, 0, primitives, nullptr);
        if (!chunk.raster) chunk.raster = binned_.spare().draw();
        return;
    }
    const DrawGeometry& geometry = queue_.begin(draw, counters_.draws);
    const uint64_t total = geometry.primitiveCount();
    const uint32_t most = scene.pixelProbe != nullptr ? 1 : kChunkPrimitives;
    for (uint64_t first = 0; first < total && !geometry.abandoned; first += most) {
        if (queue_.isFull()) runGeometry();
        queue_.add(draw, counters_.draws, first, std::min<uint64_t>(most, total - first), &geometry);
    }
}

void SceneBuilder::clear(const Clear& clear) {
    if (clear.target->width <= 0 || clear.target->height <= 0) return;
    begin(*clear.target);
    runGeometry();
    endParts();
    const PixelBounds bounds = clearBounds(clear);
    if (bounds.isEmpty()) return;
    const Scene& scene = binned_.scene();
    if (scene.pixelProbe != nullptr) scene.pixelProbe->clear(clear);
    // Samples that a query counts must be counted even when they are cleared away, and probes want to see them. Whether
    // a draw overruns decides about its program's later draws.
    const bool isProbed = scene.pixelProbe != nullptr || scene.machineProbe != nullptr;
    if (clearsAll(clear) && !binned_.countsSamples() && scene.undo == nullptr && !isProbed) binned_.drop();
    binned_.add(clear, bounds);
    if (binned_.isFull()) rasterize();
}

// --- Geometry and merging ---

void SceneBuilder::runGeometry() {
    const std::span<QueuedChunk> chunks = queue_.run();
    if (chunks.empty()) return;
    size_t made = 0;
    for (QueuedChunk& chunk : chunks) {
        const size_t before = binned_.bytes();
        merge(chunk);
        made += binned_.bytes() - before;
        if (binned_.isFull()) boundMemory();
    }
    queue_.clear(made, binned_.maxBytes());
}

void SceneBuilder::merge(QueuedChunk& chunk) {
    ChunkGeometry& result = chunk.result;
    counters_.vertices += std::exchange(result.vertices, 0);
    counters_.instructions += std::exchange(result.instructions, 0);
    counters_.primitives += chunk.primitives;
    if (binned_.partOf() != chunk.draw) endParts();
    bool isLeftOut = chunk.program->isBanned;
    if (chunk.isAbandoned() && !isLeftOut) {
        binned_.addDraw(chunk);
        leaveOut(binned_.scene().draws.size() - 1, isa::Stage::Vertex);
        isLeftOut = true;
    }
    if (!result.segments.empty() && !isLeftOut)
        binned_.add(chunk);
    else
        empty(result.primitives);
    result.segments.clear();
}

// --- Flushing ---

/// The last draw may go on.
void SceneBuilder::boundMemory() {
    const Program& program = *binned_.scene().draws.back()->draw->state->program;
    const auto mayOverrun = [&](isa::Stage stage) { return program.stages[stage].facts.mayOverrun; };
    if (binned_.partOf() == nullptr && std::ranges::any_of(kDrawStages, mayOverrun)) beginParts();
    rasterize();
}

void SceneBuilder::rasterize() {
    rasterizeTiles();
    if (binned_.partOf() == nullptr && binned_.scene().undo != nullptr) binned_.undo().commit();
    binned_.drop();
}

void SceneBuilder::rasterizeTiles() {
    const Scene& scene = binned_.scene();
    SceneUndo& undo = binned_.undo();
    std::vector<uint32_t> tiles = tilesToDraw(scene);
    if (!isPlain_) beginTiles(scene.target);
    if (scene.undo != nullptr) undo.begin(scene.tiles.size());
    bool again = binned_.partOf() != nullptr && binned_.partOf()->state->program->isBanned;
    for (;; again = true) {
        if (again) tiles = undo.savedTiles();
        const RasterStats stats = drawTiles(pool_, scene, tiles, undo, again);
        counters_.fragments += stats.fragments;
        counters_.instructions += stats.instructions;
        const uint32_t overrun = undo.firstOverrun.exchange(SceneUndo::kNone);
        if (overrun == SceneUndo::kNone || watch_.stop) return;
        leaveOut(overrun, isa::Stage::Fragment);
    }
}

void SceneBuilder::flush() {
    if (!open_) return;
    runGeometry();
    endParts();
    rasterize();
    if (binned_.scene().probe != nullptr) binned_.scene().probe->drawsDone();
    queue_.endDraws();
    sampled_.clear();
    binned_.end();
    accepted_ = nullptr;
    open_ = false;
}

// --- Draws that overrun ---

/// Memory forces the scene to be flushed in the middle of its last draw, which may overrun later. What is before the
/// draw is finished; the draw goes on in scenes of its own, and tiles stay saved until its end.
void SceneBuilder::beginParts() {
    BinnedScene::Part part = binned_.takeLastDraw();
    rasterize();
    if (part.draw->draw->state->program->isBanned) return binned_.spare().keep(std::move(part.draw));
    binned_.beginPart(std::move(part));
}

void SceneBuilder::endParts() {
    if (binned_.partOf() == nullptr) return;
    rasterizeTiles();
    binned_.drop();
    binned_.endParts();
    binned_.undo().commit();
}

/// A draw of the scene overran: with it go the later ones of its program. What it left in tiles is undone when they are
/// rasterised.
void SceneBuilder::leaveOut(size_t number, isa::Stage stage) {
    const std::shared_ptr<const Program> program = binned_.scene().draws[number]->draw->state->program;
    binned_.leaveOut(number, *program);
    if (!program->isBanned) ban(*program, stage);
}

void SceneBuilder::ban(const Program& program, isa::Stage stage) {
    program.isBanned = true;
    accepted_ = nullptr;
    overruns_.push_back({stage, program.name});
}

}  // namespace tessera::pipeline
