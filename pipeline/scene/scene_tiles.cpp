#include "pipeline/scene/scene_tiles.h"

namespace tessera::pipeline {
namespace {

/// Tiles side by side that one worker clears at a time: 16 runs of 16 KB.
constexpr int kMostClearedTiles = 16;

/// `count` tiles from `first` to the right.
struct TileRun {
    uint32_t first;
    int count;
};

/// Tiles in work for one thread at a time: each by itself, but for neighbours in a row that the same clear is all of.
std::vector<TileRun> tileRuns(const Scene& scene, const std::vector<uint32_t>& tiles) {
    const bool isPlain = scene.undo == nullptr && scene.pixelProbe == nullptr && scene.machineProbe == nullptr;
    const auto isClear = [&](uint32_t tile) {
        return isPlain && scene.tiles[tile].size() == 1 && scene.tiles[tile][0].kind == TileCommand::Kind::Clear;
    };
    std::vector<TileRun> runs;
    for (const uint32_t tile : tiles) {
        if (!runs.empty() && isClear(tile)) {
            TileRun& last = runs.back();
            if (last.first + last.count == tile && tile % scene.tilesWide != 0 && last.count < kMostClearedTiles &&
                isClear(last.first) && scene.tiles[last.first][0].item == scene.tiles[tile][0].item) {
                ++last.count;
                continue;
            }
        }
        runs.push_back({tile, 1});
    }
    return runs;
}

}  // namespace

std::vector<uint32_t> tilesToDraw(const Scene& scene) {
    std::vector<uint32_t> tiles;
    for (size_t i = 0; i < scene.tiles.size(); ++i)
        if (!scene.tiles[i].empty()) tiles.push_back(static_cast<uint32_t>(i));
    return tiles;
}

RasterStats drawTiles(ThreadPool& pool, const Scene& scene, const std::vector<uint32_t>& tiles, SceneUndo& undo,
                      bool restore) {
    std::vector<RasterStats> stats(pool.threads());
    const std::vector<TileRun> runs = tileRuns(scene, tiles);
    pool.parallelFor("tiles", runs.size(), [&](size_t i, int worker) {
        const int tile = static_cast<int>(runs[i].first);
        const int x = tile % scene.tilesWide, y = tile / scene.tilesWide;
        if (runs[i].count != 1) return clearTiles(scene, *scene.clears[scene.tiles[tile][0].item], x, y, runs[i].count);
        if (restore) restoreTile(scene.target, x, y, undo.tiles[static_cast<size_t>(tile)]);
        rasterTile(scene, x, y, stats[worker]);
    });
    RasterStats all;
    for (const RasterStats& one : stats) {
        all.fragments += one.fragments;
        all.instructions += one.instructions;
    }
    return all;
}

}  // namespace tessera::pipeline
