// Collecting, merging and flushing of a scene.
#include "pipeline/command/scene.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/check.h"
#include "pipeline/commands.h"
#include "pipeline/geometry/assembly.h"
#include "pipeline/probe/pixel_probe.h"
#include "pipeline/raster/raster.h"
#include "shader-core/isa/stage_registers.h"

namespace tessera::pipeline {
namespace {

/// Memory of a scene before it is flushed: no more than the target's own, so that many small triangles are still in a
/// cache when the tiles read them, and no less, so that visiting the target's tiles again does not cost more than that.
constexpr size_t kLeastSceneBytes = 2u << 20, kMostSceneBytes = 64u << 20;
constexpr size_t kTargetPixelBytes = 8;  ///< colour and depth
/// Chunks that run through the geometry path together, for each thread: at least so many, to keep all busy; more, so
/// that threads are woken seldom, when the last ones left little behind.
constexpr size_t kLeastQueuedPerThread = 4, kMostQueuedPerThread = 256;
/// Memory of emptied primitive chunks, and number of emptied draws, kept for the next scene: allocating them anew costs
/// a quarter of a small draw call.
constexpr size_t kMostSpareBytes = 16u << 20, kMostSpareDraws = 4096;
/// Memory of a draw's only chunk that stays with it when it is emptied, where the next worker finds it.
constexpr size_t kMostOwnBytes = kMostSpareBytes / kMostSpareDraws;

/// Tiles side by side that one worker clears at a time: 16 runs of 16 KB.
constexpr int kMostClearedTiles = 16;

size_t memoryOf(const PrimitiveChunk& chunk) {
    return sizeof chunk + chunk.primitives.capacity() * sizeof(SetupPrimitive) +
           chunk.planes.capacity() * sizeof(Plane) + chunk.byTile.capacity() * sizeof(uint32_t);
}

/// Keeps the memory.
void empty(PrimitiveChunk& chunk) {
    chunk.primitives.clear();
    chunk.planes.clear();
    chunk.byTile.clear();
    chunk.sources.clear();
}

size_t sceneBytes(const RenderTarget& target) {
    const size_t bytes = static_cast<size_t>(target.width) * target.height * target.samples() * kTargetPixelBytes;
    return std::clamp(bytes, kLeastSceneBytes, kMostSceneBytes);
}

bool targetHas(const RenderTarget& target, const texture::Image* image) {
    bool found = false;
    forEachImage(target, [&](const texture::Image& other) { found |= &other.whole() == &image->whole(); });
    return found;
}

/// Views are of whole images.
bool viewHas(const texture::TextureView& view, const texture::Image* part) {
    const texture::Image* image = &part->whole();
    const int faces = view.kind == texture::Kind::Cube ? 6 : 1;
    for (int face = 0; face < faces; ++face)
        for (const texture::ImagePtr& level : view.image[face])
            if (level.get() == image) return true;
    return false;
}

/// Whether the clear leaves nothing of what was in the target's images.
bool clearsAll(const Clear& clear) {
    const RenderTarget& target = clear.target;
    if (clear.scissorTest) return false;
    for (size_t i = 0; i < target.color.size(); ++i)
        if (target.color[i] && !(clear.clearColor && clear.colorMask[i] == 0xF)) return false;
    if (target.depth && !(clear.clearDepth && clear.depthMask)) return false;
    if (target.stencil && !(clear.clearStencil && clear.stencilMask == 0xFF)) return false;
    return true;
}

PixelBounds clearBounds(const Clear& clear) {
    PixelBounds bounds = {0, 0, clear.target.width - 1, clear.target.height - 1};
    if (clear.scissorTest) {
        const Rect& box = clear.scissor;
        bounds.minX = std::max(bounds.minX, box.x);
        bounds.minY = std::max(bounds.minY, box.y);
        bounds.maxX = static_cast<int>(std::clamp<int64_t>(int64_t{box.x} + box.width - 1, -1, bounds.maxX));
        bounds.maxY = static_cast<int>(std::clamp<int64_t>(int64_t{box.y} + box.height - 1, -1, bounds.maxY));
    }
    return bounds;
}

}  // namespace

SceneBuilder::SceneBuilder(ThreadPool& pool, Watch& watch, TextureProbe* textures, PixelProbe* pixels,
                           MachineProbe* machine)
    : pool_(pool),
      watch_(watch),
      pixelProbe_(pixels),
      maxQueued_(kLeastQueuedPerThread * pool.threads()),
      rowCopies_(pool),
      scratch_(pool.threads()) {
    CHECK(textures == nullptr || pool.threads() == 1);
    scene_.probe = textures;
    scene_.machineProbe = machine;
    scene_.stop = &watch.stop;
}
SceneBuilder::~SceneBuilder() = default;

// --- What the scene touches ---

bool SceneBuilder::writes(const texture::ImagePtr& image) const {
    return open_ && image && targetHas(scene_.target, image.get());
}

bool SceneBuilder::uses(const texture::ImagePtr& image) const {
    if (writes(image)) return true;
    return image && std::any_of(views_.begin(), views_.end(),
                                [&](const texture::TextureView* view) { return viewHas(*view, image.get()); });
}

bool SceneBuilder::readsTarget(const std::vector<TextureBinding>& bindings) const {
    bool reads = false;
    for (const TextureBinding& binding : bindings)
        if (binding.view)
            forEachImage(scene_.target, [&](const texture::Image& image) { reads |= viewHas(*binding.view, &image); });
    return reads;
}

void SceneBuilder::noteTextures(const std::vector<TextureBinding>& bindings) {
    for (const TextureBinding& binding : bindings)
        if (binding.view && std::find(views_.begin(), views_.end(), binding.view.get()) == views_.end()) {
            views_.push_back(binding.view.get());
            rowCopies_.sampled(*binding.view, binding.state);
        }
}

// --- Collecting ---

void SceneBuilder::begin(const RenderTarget& target) {
    if (open_ && scene_.target == target) return;
    flush();
    scene_.target = target;
    scene_.pixelProbe = pixelProbe_ != nullptr && pixelProbe_->isRecording() ? pixelProbe_ : nullptr;
    maxBytes_ = sceneBytes(target);
    scene_.tilesWide = (target.width + kTileSize - 1) / kTileSize;
    scene_.tilesHigh = (target.height + kTileSize - 1) / kTileSize;
    const size_t tiles = static_cast<size_t>(scene_.tilesWide) * scene_.tilesHigh;
    if (scene_.tiles.size() < tiles) scene_.tiles.resize(tiles);  // never shrinks: the lists keep their memory
    open_ = true;
}

bool SceneBuilder::accept(const DrawState& state, bool& feedback) {
    if (!state.program || state.target.width <= 0 || state.target.height <= 0 || state.program->isBanned) return false;
    begin(state.target);
    feedback = std::ranges::any_of(state.textures.each, [this](const auto& bindings) { return readsTarget(bindings); });
    if (feedback) {  // what the draw reads is undefined, but the images must at least be up to date
        flush();
        begin(state.target);
    }
    for (const std::vector<TextureBinding>& bindings : state.textures.each) noteTextures(bindings);
    accepted_ = feedback ? nullptr : &state;
    return true;
}

void SceneBuilder::draw(const Draw& draw) {
    ++counters_.draws;
    bool feedback = false;
    if (accepted_ != draw.state.get() && !accept(*draw.state, feedback)) return;
    if (scene_.pixelProbe != nullptr) scene_.pixelProbe->draw(draw);
    const uint64_t primitives = uint64_t{primitiveCount(draw.primitive, draw.count)} * draw.instances;
    const bool isProbed = scene_.probe != nullptr || scene_.pixelProbe != nullptr || scene_.machineProbe != nullptr;
    if (primitives > kChunkPrimitives || isProbed)
        enqueueChunks(draw);
    else if (primitives != 0) {  // what is made of the draw before its primitives is work for the loop too
        QueuedChunk& chunk = enqueue(draw, 0, primitives);
        if (!chunk.raster) chunk.raster = spareDraw();
    }
    if (feedback) flush();
}

SceneBuilder::QueuedChunk& SceneBuilder::enqueue(const Draw& draw, uint64_t first, uint64_t count) {
    if (queued_ >= maxQueued_) runGeometry();
    if (queued_ == queue_.size()) queue_.emplace_back();
    QueuedChunk& chunk = queue_[queued_++];
    chunk.draw = &draw;
    chunk.program = draw.state->program.get();
    chunk.countsSamples = draw.occlusion != nullptr;
    chunk.number = counters_.draws;
    chunk.geometry = nullptr;
    chunk.first = first;
    chunk.count = static_cast<uint32_t>(count);
    chunk.abandoned = false;
    return chunk;
}

void SceneBuilder::enqueueChunks(const Draw& draw) {
    DrawGeometry& geometry = geometries_.emplace_back(
        draw, DrawProbe{scene_.probe, counters_.draws, true, scene_.target.anyImage(), {}, {}, scene_.machineProbe},
        scene_.pixelProbe);
    geometry.stop = &watch_.stop;
    const uint64_t total = geometry.primitiveCount();
    const uint32_t most = scene_.pixelProbe != nullptr ? 1 : kChunkPrimitives;
    for (uint64_t first = 0; first < total && !geometry.abandoned; first += most)
        enqueue(draw, first, std::min<uint64_t>(most, total - first)).geometry = &geometry;
}

void SceneBuilder::clear(const Clear& clear) {
    if (clear.target.width <= 0 || clear.target.height <= 0) return;
    begin(clear.target);
    runGeometry();
    endParts();
    const PixelBounds bounds = clearBounds(clear);
    if (bounds.isEmpty()) return;
    if (scene_.pixelProbe != nullptr) scene_.pixelProbe->clear(clear);
    // Samples that a query counts must be counted even when they are cleared away, and probes want to see them.
    const bool isProbed = scene_.pixelProbe != nullptr || scene_.machineProbe != nullptr;
    if (clearsAll(clear) && !countsSamples_ && !isProbed) dropCommands();
    scene_.clears.push_back(&clear);
    TileCommand command;
    command.kind = TileCommand::Kind::Clear;
    command.item = static_cast<uint32_t>(scene_.clears.size() - 1);
    for (int y = bounds.minY / kTileSize; y <= bounds.maxY / kTileSize; ++y)
        for (int x = bounds.minX / kTileSize; x <= bounds.maxX / kTileSize; ++x) {
            scene_.tiles[static_cast<size_t>(y) * scene_.tilesWide + x].push_back(command);
            bytes_ += sizeof(TileCommand);
        }
    if (bytes_ > maxBytes_) rasterize();
}

// --- Geometry and merging ---

namespace {

/// What is made becomes the draw's; memory of what it had serves the next result.
void takeChunk(PrimitiveChunk& drawn, ChunkGeometry& result, uint64_t first) {
    std::swap(drawn, result.primitives);
    drawn.first = first;
    empty(result.primitives);
}

}  // namespace

void SceneBuilder::process(QueuedChunk& chunk, GeometryScratch& scratch) const {
    ChunkGeometry& result = chunk.result;
    if (chunk.geometry != nullptr) {
        processChunk(*chunk.geometry, chunk.first, chunk.count, scratch, result);
    } else {
        DrawGeometry geometry(*chunk.draw, DrawProbe{nullptr, chunk.number, true, scene_.target.anyImage(), {}, {}});
        geometry.stop = &watch_.stop;
        if (geometry.primitiveCount() != 0) processChunk(geometry, chunk.first, chunk.count, scratch, result);
        chunk.abandoned = geometry.abandoned;
    }
    const PrimitiveChunk& made = result.primitives;
    chunk.primitives = made.primitives.size() + std::exchange(result.merged, 0);
    chunk.bytes = result.segments.size() * sizeof(TileCommand) + made.primitives.size() * sizeof(SetupPrimitive) +
                  made.planes.size() * sizeof(Plane) + made.byTile.size() * sizeof(uint32_t);
    if (chunk.geometry != nullptr || result.segments.empty()) return;
    makeRasterDraw(chunk, *chunk.raster);
    takeChunk(chunk.raster->chunks.front(), result, chunk.first);
}

void SceneBuilder::makeRasterDraw(const QueuedChunk& chunk, RasterDraw& raster) {
    const Draw& draw = *chunk.draw;
    const isa::Program& fragment = chunk.program->fragment();
    raster.draw = &draw;
    raster.number = chunk.number;
    raster.fragmentConstants = filledConstants(fragment, draw.constants[isa::Stage::Fragment], raster.ownConstants);
    raster.varyingCount = std::popcount(isa::varyingMask(fragment));
    raster.mayBeUndone = chunk.program->stages[isa::Stage::Fragment].mayOverrun;
    raster.isLeftOut = false;
}

void SceneBuilder::runGeometry() {
    if (queued_ == 0) return;
    pool_.parallelFor("geometry", queued_, [this](size_t i, int worker) { process(queue_[i], scratch_[worker]); });
    size_t made = 0;
    for (size_t i = 0; i < queued_; ++i) {
        const size_t before = bytes_;
        merge(queue_[i]);
        made += bytes_ - before;
        if (bytes_ > maxBytes_) boundMemory();
    }
    const size_t threads = pool_.threads();
    maxQueued_ =
        std::clamp(maxBytes_ / (made / queued_ + 1), kLeastQueuedPerThread * threads, kMostQueuedPerThread * threads);
    queued_ = 0;
    while (geometries_.size() > 1) geometries_.pop_front();  // the last one may have chunks still to come
}

PrimitiveChunk SceneBuilder::spareChunk() {
    if (spare_.empty()) return {};
    PrimitiveChunk chunk = std::move(spare_.back());
    spare_.pop_back();
    spareBytes_ -= memoryOf(chunk);
    return chunk;
}

/// With one chunk.
std::unique_ptr<RasterDraw> SceneBuilder::spareDraw() {
    std::unique_ptr<RasterDraw> raster;
    if (spareDraws_.empty()) {
        raster = std::make_unique<RasterDraw>();
    } else {
        raster = std::move(spareDraws_.back());
        spareDraws_.pop_back();
    }
    if (raster->chunks.empty()) raster->chunks.push_back(spareChunk());
    return raster;
}

void SceneBuilder::addDraw(std::unique_ptr<RasterDraw> raster, bool countsSamples) {
    raster->mayBeUndone |= inParts_ == raster->draw;
    if (raster->mayBeUndone) scene_.undo = &undo_;
    scene_.draws.push_back(std::move(raster));
    countsSamples_ |= countsSamples;
}

/// Adds a chunk to the scene's last draw, or begins another draw with it.
void SceneBuilder::addChunk(QueuedChunk& chunk) {
    if (scene_.draws.empty() || scene_.draws.back()->draw != chunk.draw) {
        std::unique_ptr<RasterDraw> raster = spareDraw();
        makeRasterDraw(chunk, *raster);
        takeChunk(raster->chunks.front(), chunk.result, chunk.first);
        return addDraw(std::move(raster), chunk.countsSamples);
    }
    takeChunk(scene_.draws.back()->chunks.emplace_back(spareChunk()), chunk.result, chunk.first);
}

void SceneBuilder::merge(QueuedChunk& chunk) {
    ChunkGeometry& result = chunk.result;
    counters_.vertices += std::exchange(result.vertices, 0);
    counters_.instructions += std::exchange(result.instructions, 0);
    counters_.primitives += chunk.primitives;
    if (inParts_ != chunk.draw) endParts();
    bool isLeftOut = chunk.program->isBanned;
    const bool isAbandoned = chunk.geometry != nullptr ? chunk.geometry->abandoned.load() : chunk.abandoned;
    if (isAbandoned && !isLeftOut) {
        addChunk(chunk);
        leaveOut(scene_.draws.size() - 1, isa::Stage::Vertex);
        isLeftOut = true;
    }
    if (!result.segments.empty() && !isLeftOut) {
        if (chunk.geometry == nullptr)
            addDraw(std::move(chunk.raster), chunk.countsSamples);
        else
            addChunk(chunk);
        TileCommand command;
        command.item = static_cast<uint32_t>(scene_.draws.size() - 1);
        command.chunk = static_cast<uint32_t>(scene_.draws.back()->chunks.size() - 1);
        for (const TileSegment& segment : result.segments) {
            command.first = segment.first;
            command.count = segment.count;
            scene_.tiles[segment.tile].push_back(command);
        }
        bytes_ += chunk.bytes;
    } else {
        empty(result.primitives);
    }
    result.segments.clear();
}

// --- Flushing ---

void SceneBuilder::dropCommands() {
    for (std::vector<TileCommand>& tile : scene_.tiles) tile.clear();
    for (std::unique_ptr<RasterDraw>& draw : scene_.draws) keep(std::move(draw));
    scene_.draws.clear();
    scene_.clears.clear();
    scene_.undo = nullptr;
    countsSamples_ = false;
    bytes_ = 0;
}

void SceneBuilder::keep(std::unique_ptr<RasterDraw> draw) {
    const bool hasRoom = spareDraws_.size() < kMostSpareDraws;
    if (hasRoom && draw->chunks.size() == 1 && memoryOf(draw->chunks.front()) <= kMostOwnBytes)
        return spareDraws_.push_back(std::move(draw));
    for (PrimitiveChunk& chunk : draw->chunks) {
        const size_t bytes = memoryOf(chunk);
        if (spareBytes_ + bytes > kMostSpareBytes) continue;
        spareBytes_ += bytes;
        empty(chunk);
        spare_.push_back(std::move(chunk));
    }
    if (!hasRoom) return;
    draw->chunks.clear();
    spareDraws_.push_back(std::move(draw));
}

/// The last draw may go on.
void SceneBuilder::boundMemory() {
    const Program& program = *scene_.draws.back()->draw->state->program;
    const auto mayOverrun = [&](isa::Stage stage) { return program.stages[stage].mayOverrun; };
    if (inParts_ == nullptr && std::ranges::any_of(kDrawStages, mayOverrun)) beginParts();
    rasterize();
}

void SceneBuilder::rasterize() {
    rasterizeTiles();
    if (inParts_ == nullptr && scene_.undo != nullptr) undo_.commit();
    dropCommands();
}

/// Tiles in work for one thread at a time: each by itself, but for neighbours in a row that the same clear is all of.
std::vector<SceneBuilder::TileRun> SceneBuilder::tileRuns(const std::vector<uint32_t>& tiles) const {
    const bool isPlain = scene_.undo == nullptr && scene_.pixelProbe == nullptr && scene_.machineProbe == nullptr;
    const auto isClear = [&](uint32_t tile) {
        return isPlain && scene_.tiles[tile].size() == 1 && scene_.tiles[tile][0].kind == TileCommand::Kind::Clear;
    };
    std::vector<TileRun> runs;
    for (const uint32_t tile : tiles) {
        if (!runs.empty() && isClear(tile)) {
            TileRun& last = runs.back();
            if (last.first + last.count == tile && tile % scene_.tilesWide != 0 && last.count < kMostClearedTiles &&
                isClear(last.first) && scene_.tiles[last.first][0].item == scene_.tiles[tile][0].item) {
                ++last.count;
                continue;
            }
        }
        runs.push_back({tile, 1});
    }
    return runs;
}

void SceneBuilder::rasterizeTiles() {
    std::vector<uint32_t> tiles;
    for (size_t i = 0; i < scene_.tiles.size(); ++i)
        if (!scene_.tiles[i].empty()) tiles.push_back(static_cast<uint32_t>(i));
    beginTiles(scene_.target);
    if (scene_.undo != nullptr) undo_.begin(scene_.tiles.size());
    bool again = inParts_ != nullptr && inParts_->state->program->isBanned;
    for (;; again = true) {
        if (again) tiles = undo_.savedTiles();
        std::vector<RasterStats> stats(pool_.threads());
        const std::vector<TileRun> runs = tileRuns(tiles);
        pool_.parallelFor("tiles", runs.size(), [&](size_t i, int worker) {
            const int tile = static_cast<int>(runs[i].first);
            const int x = tile % scene_.tilesWide, y = tile / scene_.tilesWide;
            if (runs[i].count != 1)
                return clearTiles(scene_, *scene_.clears[scene_.tiles[tile][0].item], x, y, runs[i].count);
            if (again) restoreTile(scene_.target, x, y, undo_.tiles[static_cast<size_t>(tile)]);
            rasterTile(scene_, x, y, stats[worker]);
        });
        for (const RasterStats& one : stats) {
            counters_.fragments += one.fragments;
            counters_.instructions += one.instructions;
        }
        const uint32_t overrun = undo_.firstOverrun.exchange(SceneUndo::kNone);
        if (overrun == SceneUndo::kNone || watch_.stop) return;
        leaveOut(overrun, isa::Stage::Fragment);
    }
}

void SceneBuilder::flush() {
    if (!open_) return;
    runGeometry();
    endParts();
    rasterize();
    if (scene_.probe != nullptr) scene_.probe->drawsDone();
    geometries_.clear();
    views_.clear();
    scene_.target = {};
    accepted_ = nullptr;
    open_ = false;
}

// --- Draws that overrun ---

/// Memory forces the scene to be flushed in the middle of its last draw, which may overrun later. What is before the
/// draw is finished; the draw goes on in scenes of its own, and tiles stay saved until its end.
void SceneBuilder::beginParts() {
    const auto number = static_cast<uint32_t>(scene_.draws.size() - 1);
    std::vector<std::vector<TileCommand>> own(scene_.tiles.size());
    for (size_t i = 0; i < own.size(); ++i) {
        std::vector<TileCommand>& commands = scene_.tiles[i];
        const auto first = std::ranges::find_if(commands, [&](const TileCommand& command) {
            return command.kind == TileCommand::Kind::Draw && command.item == number;
        });
        own[i].assign(first, commands.end());
        commands.erase(first, commands.end());
        for (TileCommand& command : own[i]) command.item = 0;
    }
    std::unique_ptr<RasterDraw> draw = std::move(scene_.draws.back());
    scene_.draws.pop_back();
    rasterize();
    if (draw->draw->state->program->isBanned) return keep(std::move(draw));
    inParts_ = draw->draw;
    draw->mayBeUndone = true;
    scene_.undo = &undo_;
    scene_.draws.push_back(std::move(draw));
    for (size_t i = 0; i < own.size(); ++i) scene_.tiles[i].insert(scene_.tiles[i].end(), own[i].begin(), own[i].end());
}

void SceneBuilder::endParts() {
    if (inParts_ == nullptr) return;
    rasterizeTiles();
    dropCommands();
    inParts_ = nullptr;
    undo_.commit();
}

/// A draw of the scene overran: with it go the later ones of its program. What it left in tiles is undone when they are
/// rasterised.
void SceneBuilder::leaveOut(size_t number, isa::Stage stage) {
    const std::shared_ptr<const Program> program = scene_.draws[number]->draw->state->program;
    for (; number < scene_.draws.size(); ++number)
        if (scene_.draws[number]->draw->state->program == program) scene_.draws[number]->isLeftOut = true;
    if (program->isBanned) return;
    program->isBanned = true;
    accepted_ = nullptr;
    overruns_.push_back({stage, program->name});
}

}  // namespace tessera::pipeline
