// What a drawing target's tiles are known to hold, so that clearing a square of pixels to what it already holds costs
// nothing: the background of most frames, and a depth buffer where nothing was drawn.
//
// Knowledge is never owed: memory always holds what it should. Whoever writes an image in another way than the tile
// rasteriser makes its tiles unknown; Image sees to that in every accessor that can write.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace tessera::texture {

/// For images of 32-bit elements, all samples alike. Tile (x, y) is the 64x64 pixels from (64x, 64y) on; its square
/// (x, y) the 16x16 from (16x, 16y) on, bit 4 * y + x where squares are bits.
class TileValues {
public:
    static constexpr int kTileSize = 64, kSquareSize = 16;
    static constexpr uint32_t kAllSquares = 0xFFFF;

    TileValues() = default;
    /// An image that takes over another's memory knows nothing of it.
    TileValues(TileValues&&) noexcept {}
    TileValues& operator=(TileValues&&) noexcept {
        forget();
        tile_ = nullptr;
        return *this;
    }

    /// Nothing is known from now on. Any thread.
    void forget() {
        if (valid_.load(std::memory_order_relaxed)) valid_.store(false, std::memory_order_relaxed);
    }

    /// Before tiles of an image of that size are drawn: until forget(), what happens to them is noted. The calls below
    /// are for one worker at a time in each tile.
    void begin(int width, int height) {
        if (valid_.load(std::memory_order_relaxed)) return;
        wide_ = (width + kTileSize - 1) / kTileSize;
        const size_t tiles = static_cast<size_t>(wide_) * static_cast<size_t>((height + kTileSize - 1) / kTileSize);
        if (tile_ == nullptr) tile_ = std::make_unique<Tile[]>(tiles);
        for (size_t i = 0; i < tiles; ++i) tile_[i] = {};
        valid_.store(true, std::memory_order_relaxed);
    }

    /// Squares of the tile are drawn to.
    void draw(int tileX, int tileY, uint32_t squares) {
        if (notes()) at(tileX, tileY).drawn |= squares;
    }

    /// The tile may hold anything.
    void forget(int tileX, int tileY) {
        if (notes()) at(tileX, tileY) = {};
    }

    /// The bits of `mask` in every pixel of the tile, or in a part of them, become those of `value`. Returns the
    /// squares that have to be written; in the others they are so already.
    [[nodiscard]] uint32_t clear(int tileX, int tileY, uint32_t value, uint32_t mask, bool wholeTile) {
        if (!notes()) return kAllSquares;
        Tile& tile = at(tileX, tileY);
        const bool isSame = (mask & ~tile.known) == 0 && ((value ^ tile.value) & mask) == 0;
        const uint32_t written = isSame ? tile.drawn : kAllSquares;
        if (!isSame) {
            tile.value = (tile.value & ~mask) | (value & mask);
            tile.known = wholeTile ? tile.known | mask : tile.known & ~mask;
        }
        if (wholeTile && tile.drawn != 0) {
            tile.known &= mask;  // other bits are as they were drawn
            tile.drawn = 0;
        }
        return written;
    }

private:
    struct Tile {
        uint32_t value = 0, known = 0;  ///< bits that pixels have in common, and which of them do
        uint32_t drawn = 0;             ///< squares whose pixels may have others
    };
    [[nodiscard]] bool notes() const { return valid_.load(std::memory_order_relaxed); }
    Tile& at(int tileX, int tileY) { return tile_[static_cast<size_t>(tileY) * wide_ + tileX]; }

    std::atomic<bool> valid_ = false;
    int wide_ = 0;
    std::unique_ptr<Tile[]> tile_;
};

}  // namespace tessera::texture
