#include "pipeline/raster/undo.h"

#include <algorithm>
#include <cstring>

#include "base/simd.h"
#include "pipeline/commands.h"
#include "shader-core/isa/isa.h"
#include "shader-core/isa/program.h"

namespace tessera::pipeline {
namespace {

/// Memory of saved tiles that is kept for the next scene: that of a window.
constexpr size_t kMostKeptBytes = 32u << 20;

/// Calls use(bytes, count) for each row of blocks of the tile, in every sample of every image.
template <class Use>
void forEachRow(const RenderTarget& target, int tileX, int tileY, const Use& use) {
    constexpr int kTileBlocks = kTileSize / kBlockSize;
    forEachImage(target, [&](texture::Image& image) {
        const int firstX = tileX * kTileBlocks, firstY = tileY * kTileBlocks;
        const int wide = std::min(kTileBlocks, image.blocksWide() - firstX);
        const int high = std::min(kTileBlocks, image.blocksHigh() - firstY);
        const size_t block = static_cast<size_t>(kBlockLanes * texture::elementBytes(image.element()));
        for (int sample = 0; sample < image.samples(); ++sample)
            for (int y = 0; y < high && wide > 0; ++y) {
                std::byte* plane = image.tileBlocks() + static_cast<size_t>(sample) * image.planeBytes();
                use(plane + (static_cast<size_t>(firstY + y) * image.blocksWide() + firstX) * block, wide * block);
            }
    });
}

}  // namespace

void SceneUndo::note(uint32_t draw) {
    uint32_t first = firstOverrun.load(std::memory_order_relaxed);
    while (draw < first && !firstOverrun.compare_exchange_weak(first, draw, std::memory_order_relaxed)) {
    }
}

void SceneUndo::begin(size_t tileCount) {
    tiles.resize(std::max(tiles.size(), tileCount));
    for (TileUndo& tile : tiles) tile.next = 0;
}

std::vector<uint32_t> SceneUndo::savedTiles() const {
    std::vector<uint32_t> saved;
    for (size_t i = 0; i < tiles.size(); ++i)
        if (tiles[i].isSaved) saved.push_back(static_cast<uint32_t>(i));
    return saved;
}

void SceneUndo::commit() {
    size_t kept = 0;
    for (TileUndo& tile : tiles) {
        for (const auto& [counter, count] : tile.samples) counter->samples.fetch_add(count, std::memory_order_relaxed);
        tile.samples.clear();
        tile.isSaved = false;
        kept += tile.contents.capacity();
        if (kept > kMostKeptBytes) tile.contents = {};
    }
}

void saveTile(const RenderTarget& target, int tileX, int tileY, TileUndo& undo) {
    undo.isSaved = true;
    size_t bytes = 0;
    forEachRow(target, tileX, tileY, [&](const std::byte*, size_t count) { bytes += count; });
    undo.contents.resize(bytes);
    std::byte* to = undo.contents.data();
    forEachRow(target, tileX, tileY, [&](const std::byte* row, size_t count) {
        std::memcpy(to, row, count);
        to += count;
    });
}

void restoreTile(const RenderTarget& target, int tileX, int tileY, TileUndo& undo) {
    const std::byte* from = undo.contents.data();
    forEachRow(target, tileX, tileY, [&](std::byte* row, size_t count) {
        std::memcpy(row, from, count);
        from += count;
    });
    forEachImage(target, [&](texture::Image& image) { image.tiles().forget(tileX, tileY); });
    undo.samples.clear();
}

}  // namespace tessera::pipeline
