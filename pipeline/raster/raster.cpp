// The commands of a tile in order. How a draw is made ready is in tile_draws.cpp, what happens per block in
// raster_groups_simd.cpp and raster_blocks_simd.cpp, a clear in tile_clear.cpp, pixels that a probe watches in
// tile_watch.cpp.
#include "pipeline/raster/raster.h"

#include <cstring>
#include <span>
#include <utility>

#include "base/check.h"
#include "base/process/env.h"
#include "pipeline/commands.h"
#include "pipeline/raster/fragment_group.h"
#include "pipeline/raster/raster_functions.h"
#include "pipeline/raster/tile_clear.h"
#include "pipeline/raster/tile_draws.h"
#include "pipeline/raster/tile_listener.h"
#include "pipeline/raster/tile_watch.h"

namespace tessera::pipeline {

// One copy of the functions for each SIMD level: pipeline/raster/raster_groups_simd.cpp.
TESSERA_SIMD_COPIES(RasterFunctions rasterFunctions();)

RasterFunctions rasterFunctions(SimdLevel level) { return TESSERA_SIMD_COPY(level, rasterFunctions)(); }

namespace {

bool hasPlanes(const SetupPrimitive& primitive, const PrimitiveChunk& chunk, int varyingCount) {
    return primitive.firstPlane + 4 * static_cast<size_t>(varyingCount) <= chunk.planes.size();
}

/// What coverage.h needs to be exact in 32 bits; setup promises it. Without branches: it is asked for most primitives.
bool hasSaneEdges(const SetupPrimitive& primitive) {
    constexpr int64_t kEdgeLimit = int64_t{1} << 32, kLineLimit = int64_t{1} << 24;
    const auto isBeyond = [](auto value, int64_t limit) { return (limit - 1 - value) | (limit - 1 + value); };
    int64_t beyond = 0, fraction = 0;  // the sign of one, the lowest bits of the other
    if (primitive.kind == PrimitiveKind::ThinLine) [[unlikely]] {
        beyond = isBeyond(int64_t{primitive.lineX1} - primitive.lineX0, kLineLimit) |
                 isBeyond(int64_t{primitive.lineY1} - primitive.lineY0, kLineLimit);
    } else {
        if (primitive.edgeCount > 4) return false;
        // a and b of an edge.
        using Steps = int64_t __attribute__((ext_vector_type(2)));
        Steps anyBeyond = 0, anyFraction = 0;
        const auto look = [&](const Edge& edge) {
            Steps steps;
            static_assert(offsetof(Edge, a) == 0 && offsetof(Edge, b) == sizeof(int64_t));
            std::memcpy(&steps, &edge, sizeof steps);
            anyBeyond |= isBeyond(steps, kEdgeLimit);
            anyFraction |= steps;
        };
        if (primitive.edgeCount == 3) [[likely]] {
            for (int i = 0; i < 3; ++i) look(primitive.edge[i]);
        } else {
            for (int i = 0; i < primitive.edgeCount; ++i) look(primitive.edge[i]);
        }
        beyond = anyBeyond[0] | anyBeyond[1];
        fraction = anyFraction[0] | anyFraction[1];
    }
    return (beyond >= 0) & ((fraction & 0xFF) == 0);
}

/// What of a primitive is in the second cache line, and only looked at where its edges are.
constexpr size_t kEdgesBegin = 64;
static_assert(offsetof(SetupPrimitive, edge[0].b) == kEdgesBegin);

/// Asks for memory that will be read soon.
void prefetch(const void* memory, size_t bytes) {
    constexpr size_t kLineBytes = 64;
    for (size_t at = 0; at < bytes; at += kLineBytes) __builtin_prefetch(static_cast<const std::byte*>(memory) + at);
}

/// One tile of one scene.
class TileRaster {
public:
    TileRaster(const RasterFunctions& functions, const Scene& scene, int tileX, int tileY, RasterStats& stats)
        : scene_(scene),
          functions_(functions),
          stats_(stats),
          tile_(placeTile(scene.target, tileX, tileY)),
          watch_(scene, tile_),
          listener_(scene.machineProbe, tile_),
          draws_(functions_, scene, tile_, {!watch_.isEmpty(), listener_.blocks()}, group_, stats) {}

    void run(const std::vector<TileCommand>& commands) {
        if (tile_.bounds.isEmpty()) return;
        if (scene_.undo != nullptr)
            undo_ = &scene_.undo->tiles[static_cast<size_t>(tile_.y) * scene_.tilesWide + tile_.x];
        for (size_t i = undo_ != nullptr ? undo_->next : 0; i < commands.size() && !isStopped();) {
            const TileCommand& command = commands[i];
            if (command.kind == TileCommand::Kind::Clear) {
                endDraw();
                shadeWaiting();
                clear(*scene_.clears[command.item]);
                ++i;
            } else if (const RasterDraw& draw = *scene_.draws[command.item]; draw.isLeftOut) {
                ++i;
            } else {
                if (draw.mayBeUndone && !undo_->isSaved) save(i);
                i +=
                    watch_.isEmpty() ? drawCommands({commands.data() + i, commands.size() - i}) : watchCommand(command);
            }
        }
        endDraw();
        shadeWaiting();
    }

private:
    void clear(const Clear& command) {
        watch_.beforeClear();
        clearTile(functions_, scene_.target, tile_, command, draws_.depth());
        drawn_ = 0;
        watch_.afterClear(command);
    }

    void beginDrawOf(const TileCommand& command) {
        const RasterDraw& source = *scene_.draws[command.item];
        if (&source == source_) return;
        endDraw();
        beginDraw(source, command.item);
    }

    /// The command while pixels are watched: the general way, one primitive at a time.
    size_t watchCommand(const TileCommand& command) {
        beginDrawOf(command);
        const PrimitiveChunk& chunk = source_->chunks[command.chunk];
        for (const uint32_t number : numbersOf(command)) {
            const SetupPrimitive& primitive = chunk.primitives[number];
            if (!watch_.touches(primitive, *draw_) || isStopped()) {
                drawPrimitive(chunk, number);
                continue;
            }
            finishGroup();
            const isa::Routine* routine =
                std::exchange(draw_->groups.routine, &watch_.begin(*source_, chunk, primitive, *draw_, group_));
            drawPrimitive(chunk, number);
            finishGroup();
            draw_->groups.routine = routine;
            noteBudget();
            watch_.end(primitive, *draw_);
        }
        return 1;
    }

    void finishGroup() {
        const bool mayWait = draw_->way.kind == BlockWay::Kind::Samples && draw_->way.waits;
        if (group_.count != 0 || mayWait) functions_.finishGroup(*draw_, group_);
    }

    /// The commands of one draw at the front of the list; returns how many.
    size_t drawCommands(std::span<const TileCommand> commands) {
        beginDrawOf(commands[0]);
        const bool inBlocks = draw_->way.kind == BlockWay::Kind::Blocks;
        PrimitiveBatch batch;
        size_t used = 0;
        for (; used < commands.size(); ++used) {
            const TileCommand& command = commands[used];
            if (command.item != commands[0].item || command.kind != TileCommand::Kind::Draw) break;
            const PrimitiveChunk& chunk = source_->chunks[command.chunk];
            for (const uint32_t number : numbersOf(command)) {
                if (!inBlocks) {
                    drawPrimitive(chunk, number);
                } else {
                    batch.add(chunk, number);
                    if (batch.count == kRunPrimitives) drawBatch(batch);
                }
            }
        }
        drawBatch(batch);
        return used;
    }

    [[nodiscard]] std::span<const uint32_t> numbersOf(const TileCommand& command) const {
        return std::span(scene_.draws[command.item]->chunks[command.chunk].byTile)
            .subspan(command.first, command.count);
    }

    /// Primitives of the current draw on their way to drawBlocks. They are first touched when all are known.
    struct PrimitiveBatch {
        int count = 0;
        const PrimitiveChunk* chunk[kRunPrimitives];
        PlacedPrimitive placed[kRunPrimitives];

        void add(const PrimitiveChunk& from, uint32_t number) {
            chunk[count] = &from;
            placed[count] = {from.primitives.data() + number, from.planes.data()};
            prefetch(placed[count++].setup, kEdgesBegin);
        }
    };

    void drawBatch(PrimitiveBatch& batch) {
        const int count = std::exchange(batch.count, 0);
        if (count == 0) return;
        bool areSane = true, askEdges = false;
        uint32_t squares = 0;
        for (int i = 0; i < count; ++i) {
            PlacedPrimitive& placed = batch.placed[i];
            const SetupPrimitive& primitive = *placed.setup;
            const PrimitiveChunk& chunk = *batch.chunk[i];
            areSane &= hasPlanes(primitive, chunk, source_->varyingCount);
            if (primitive.coverage == 0) {
                prefetch(&primitive.edge[0].b, offsetof(SetupPrimitive, edge[3]) - kEdgesBegin);
                askEdges = true;
            }
            squares |= squaresOf(primitive, tile_.bounds);
            placed.planes += primitive.firstPlane;
            prefetch(placed.planes, 4 * static_cast<size_t>(source_->varyingCount) * sizeof(Plane));
        }
        for (int i = 0; askEdges && i < count; ++i)
            areSane &= batch.placed[i].setup->coverage != 0 || hasSaneEdges(*batch.placed[i].setup);
        CHECK(areSane);
        if (isStopped()) return;
        noteDrawn(squares);
        draws_.makeRoom(count);
        functions_.drawBlocks(tile_.bounds, batch.placed, count, *draw_);
        draws_.noteWaiting();
        noteBudget();
    }

    /// Draws a primitive of the current draw.
    void drawPrimitive(const PrimitiveChunk& chunk, uint32_t number) {
        if (isStopped()) return;
        const SetupPrimitive& primitive = chunk.primitives[number];
        CHECK(hasPlanes(primitive, chunk, source_->varyingCount) && hasSaneEdges(primitive));
        if (draw_->groups.listener != nullptr) listener_.begin(*source_, chunk, number);
        noteDrawn(squaresOf(primitive, tile_.bounds));
        functions_.drawPrimitive(tile_.bounds, primitive, chunk.planes.data() + primitive.firstPlane, *draw_, group_);
        noteBudget();
    }

    void noteDrawn(uint32_t squares) {
        if ((squares & ~drawn_) == 0) return;
        drawn_ |= squares;
        forEachImage(scene_.target, [&](texture::Image& image) { image.tiles().draw(tile_.x, tile_.y, drawn_); });
    }

    void noteBudget() {
        if (draw_->stats.budgetExceeded && scene_.undo != nullptr) scene_.undo->note(item_);
    }

    /// What is in the tile will not stay: the scene is given up, or the current draw or one before it has overrun in
    /// some tile. So a shader that never ends costs one budget for each worker, not one for each tile.
    [[nodiscard]] bool isStopped() const {
        if (scene_.stop != nullptr && scene_.stop->load(std::memory_order_relaxed)) return true;
        return undo_ != nullptr && undo_->isSaved && scene_.undo->firstOverrun.load(std::memory_order_relaxed) <= item_;
    }

    void save(size_t command) {
        endDraw();
        shadeWaiting();
        saveTile(scene_.target, tile_.x, tile_.y, *undo_);
        undo_->next = command;
    }

    void beginDraw(const RasterDraw& source, uint32_t item) {
        source_ = &source;
        item_ = item;
        draw_ = &draws_.begin(source);
    }

    void shadeWaiting() {
        if (isStopped())
            draws_.dropWaiting();
        else
            draws_.shadeWaiting();
    }

    void endDraw() {
        if (source_ == nullptr) return;
        if (isStopped()) {
            group_.count = 0;
            draws_.dropBlocks();
        }
        if (undo_ != nullptr) shadeWaiting();  // what may be undone does not wait for draws to come
        finishGroup();
        noteBudget();
        if (draw_->samplesPassed != 0 && source_->draw->occlusion != nullptr) {
            if (undo_ != nullptr && undo_->isSaved)
                undo_->samples.emplace_back(source_->draw->occlusion, draw_->samplesPassed);
            else
                source_->draw->occlusion->samples.fetch_add(draw_->samplesPassed, std::memory_order_relaxed);
        }
        stats_.fragments += draw_->stats.fragments;
        stats_.instructions += draw_->stats.instructions;
        source_ = nullptr;
    }

    const Scene& scene_;
    const RasterFunctions functions_;
    RasterStats& stats_;
    const TilePlace tile_;
    TileWatch watch_;
    TileListener listener_;
    uint32_t drawn_ = 0;        ///< squares of the tile, since the last clear
    TileUndo* undo_ = nullptr;  ///< null: no draw of the scene may be undone
    const RasterDraw* source_ = nullptr;
    uint32_t item_ = 0;         ///< number of that draw in the scene
    TileDraw* draw_ = nullptr;  ///< made of it
    FragmentGroup group_;
    TileDraws draws_;
};

}  // namespace

void rasterTileWith(const RasterFunctions& functions, const Scene& scene, int tileX, int tileY, RasterStats& stats) {
    const size_t index = static_cast<size_t>(tileY) * scene.tilesWide + tileX;
    TileRaster(functions, scene, tileX, tileY, stats).run(scene.tiles[index]);
}

static_assert(kTileSize == texture::TileValues::kTileSize);

void beginTiles(const RenderTarget& target) {
    forEachImage(target, [](texture::Image& image) {
        // Nothing is noted for a slice of a volume, as others may write the volume's memory.
        if (&image.whole() == &image) image.tiles().begin(image.width(), image.height());
    });
}

void rasterTile(const Scene& scene, int tileX, int tileY, RasterStats& stats) {
    rasterTileWith(rasterFunctions(simdLevel()), scene, tileX, tileY, stats);
}

void clearTiles(const Scene& scene, const Clear& clear, int tileX, int tileY, int count) {
    const TilePlace tiles = placeTile(scene.target, tileX, tileY, count);
    TileDepth depth;
    if (!tiles.bounds.isEmpty()) clearTile(rasterFunctions(simdLevel()), scene.target, tiles, clear, depth);
}

}  // namespace tessera::pipeline
