// Blocks through machine code (raster_blocks_simd.cpp): lists of covered blocks in a tile, and whose they are.
#pragma once

#include "pipeline/raster/interpolate.h"
#include "pipeline/raster/raster_functions.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

// Of raster_blocks_simd.cpp alone: internal, so that what has one caller becomes part of it.
namespace {

constexpr int kTileBlocks = kTileSize / kBlockSize;
/// Blocks of a primitive that counts as small.
constexpr int kMostSmallBlocks = 4;
static_assert(kRunPrimitives * kMostSmallBlocks <= kTileBlocks * kTileBlocks && kRunPrimitives <= 256);

/// Covered blocks of primitives in a tile, as BlockEntry has them.
struct BlockList {
    int count = 0;
    alignas(64) uint32_t entry[kTileBlocks * kTileBlocks + kBlockLanes];

    /// Nothing without lanes, but without a branch.
    void addIfAny(int x, int y, uint32_t lanes) {
        entry[count] = lanes | static_cast<uint32_t>(x >> 2) << 16 | static_cast<uint32_t>(y >> 2) << 20;
        count += lanes != 0 ? 1 : 0;
    }
};

/// All blocks of the square of 16x16 pixels at (x, y) of the tile.
inline void storeSquare(int x, int y, uint32_t* entries) {
    constexpr I32x16 kPlaces = (kLaneX << 16) | (kLaneY << 20) | static_cast<int>(kAllLanes);
    store(entries, asUint(kPlaces + ((x >> 2) << 16 | (y >> 2) << 20)));
}

inline uint32_t lanesOf(uint32_t entry) { return entry & kAllLanes; }

inline BlockPlace placeOf(const PixelBounds& tile, uint32_t entry) {
    return {(tile.minX >> 2) + static_cast<int>(entry >> 16 & 15), (tile.minY >> 2) + static_cast<int>(entry >> 20)};
}

/// Places of a tile's blocks relative to a primitive's origin: blockPosition() with the whole part of the sum done
/// before; all values are multiples of 1/2 below 2^23, so that sums are exact in any order.
class TilePositions {
public:
    TilePositions(const PixelBounds& tile, const SetupPrimitive& primitive)
        : first_(blockPosition(primitive, tile.minX / kBlockSize, tile.minY / kBlockSize)) {}
    [[nodiscard]] BlockPosition operator[](uint32_t entry) const {
        return {first_.x + kSteps[entry >> 16 & 15], first_.y + kSteps[entry >> 20]};
    }

private:
    static constexpr float kSteps[kTileBlocks] = {0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60};
    BlockPosition first_;
};

/// The blocks of a surface in a tile.
class TileBlocks {
public:
    TileBlocks(const Surface& surface, const PixelBounds& tile)
        : first_(surface.block(tile.minX / kBlockSize, tile.minY / kBlockSize)),
          rowBytes_(int64_t{surface.blocksWide} * surface.blockBytes) {}
    /// The block of an entry, in an image of 32-bit elements.
    [[nodiscard]] uint32_t* operator[](uint32_t entry) const {
        return elements(first_ + (entry >> 20) * rowBytes_ + (entry >> 16 & 15) * sizeof(uint32_t[kBlockLanes]));
    }

private:
    std::byte* first_;
    int64_t rowBytes_;
};

// Whose blocks a list holds. Both classes answer by number in the list.

/// All one primitive's.
class OnePrimitive {
public:
    OnePrimitive(const PixelBounds& tile, const PlacedPrimitive& placed)
        : placed_(placed), positions_(tile, *placed.setup) {}
    static constexpr bool kIsRun = false;
    [[nodiscard]] const SetupPrimitive& primitive(int) const { return *placed_.setup; }
    [[nodiscard]] const Plane* planes(int) const { return placed_.planes; }
    [[nodiscard]] BlockPosition position(int, uint32_t entry) const { return positions_[entry]; }
    void move(int, int) const {}
    [[nodiscard]] F32x16 depth(int, uint32_t entry) const { return evaluate(placed_.setup->depth, positions_[entry]); }

private:
    const PlacedPrimitive& placed_;
    const TilePositions positions_;
};

/// The covered blocks of up to kRunPrimitives small primitives, which go through the loops together.
class PrimitiveRun {
public:
    PrimitiveRun(const PixelBounds& tile, const PlacedPrimitive* placed)
        : placed_(placed), firstX_(tile.minX / kBlockSize), firstY_(tile.minY / kBlockSize) {}
    static constexpr bool kIsRun = true;
    [[nodiscard]] const SetupPrimitive& primitive(int i) const { return *placed_[number_[i]].setup; }
    [[nodiscard]] const Plane* planes(int i) const { return placed_[number_[i]].planes; }
    [[nodiscard]] BlockPosition position(int i, uint32_t entry) const { return positionIn(primitive(i), entry); }
    [[nodiscard]] BlockPosition positionIn(const SetupPrimitive& primitive, uint32_t entry) const {
        return blockPosition(primitive, firstX_ + static_cast<int>(entry >> 16 & 15),
                             firstY_ + static_cast<int>(entry >> 20));
    }
    /// Window z, not clamped, of each lane's primitive.
    [[nodiscard, gnu::always_inline]] F32x16 depth(int i, uint32_t entry) const {
        F32x16 z = evaluate(primitive(i).depth, position(i, entry));
        forEachGuest(i, [&](const SetupPrimitive& guest, const Plane*, uint32_t lanes) {
            z = select(fromBits(lanes), evaluate(guest.depth, positionIn(guest, entry)), z);
        });
        return z;
    }
    /// Block `from` becomes number `to`, with its guests.
    void move(int from, int to) {
        number_[to] = number_[from];
        guests_[to] = guests_[from];
    }
    /// The next kMostSmallBlocks blocks are those of the primitive, or of the one named after it.
    void name(int block, int primitive) {
        const auto number = static_cast<uint8_t>(primitive);
        for (int i = 0; i < kMostSmallBlocks; ++i) number_[block + i] = number;
    }

    /// Makes one block of those at the same place whose lanes have nothing in common: the later ones become guests of
    /// the first. Pixels keep their order, as blocks that have lanes in common stay as they are.
    void share(BlockList& list) {
        uint8_t last[kTileBlocks * kTileBlocks] = {};  // by place: the last block there, if it is there
        int count = 0, guests = 0;
        for (int i = 0; i < list.count; ++i) {
            const uint32_t entry = list.entry[i], place = entry >> 16;
            const int host = last[place];
            if (host < count && list.entry[host] >> 16 == place && (lanesOf(list.entry[host]) & entry) == 0) {
                list.entry[host] |= entry;
                guest_[++guests] = {lanesOf(entry), number_[i], guests_[host]};
                guests_[host] = static_cast<uint16_t>(guests);
                continue;
            }
            list.entry[count] = entry;
            number_[count] = number_[i];
            guests_[count] = 0;
            last[place] = static_cast<uint8_t>(count++);
        }
        list.count = count;
        isShared_ = true;
    }
    /// Calls use(primitive, planes, lanes) for each guest of block `i`. Tests may have taken lanes away.
    template <class Use>
    void forEachGuest(int i, const Use& use) const {
        for (int at = isShared_ ? guests_[i] : 0; at != 0; at = guest_[at].next) {
            const PlacedPrimitive& placed = placed_[guest_[at].number];
            use(*placed.setup, placed.planes, guest_[at].lanes);
        }
    }

private:
    /// Another primitive's lanes of a block.
    struct Guest {
        uint32_t lanes;
        uint16_t number, next;  ///< of the primitive; of the block's next guest, 0 for none
    };

    const PlacedPrimitive* const placed_;
    const int firstX_, firstY_;
    bool isShared_ = false;
    uint8_t number_[(kRunPrimitives + 1) * kMostSmallBlocks];
    uint16_t guests_[kRunPrimitives * kMostSmallBlocks];  ///< by block: its first guest, 0 for none
    Guest guest_[kRunPrimitives * kMostSmallBlocks + 1];
};

}  // namespace

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
