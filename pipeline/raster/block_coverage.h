// Blocks through machine code, 1: which blocks of a tile a primitive covers. Of small triangles setup mostly knows
// (SetupPrimitive::coverage); other small primitives have a way of their own.
#pragma once

#include "pipeline/coverage/coverage.h"
#include "pipeline/raster/block_list.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

// Of raster_blocks_simd.cpp alone: internal, so that what has one caller becomes part of it.
namespace {

/// Bits of the pixels first .. last, of 64.
inline uint64_t rangeOf(int first, int last) { return (~uint64_t{0} >> (63 - last)) & ~uint64_t{0} << first; }

/// listBlocks() of a rectangle: row by row, a row of blocks at a time.
uint32_t listRectangle(const PixelBounds& tile, const SetupPrimitive& primitive, uint32_t hidden, BlockList& list) {
    const CoverageBounds bounds = CoverageBounds::of(primitive, tile);
    if (bounds.isEmpty() || hidden == 0xFFFF) return 0;
    const uint64_t columns = rangeOf(bounds.minX, bounds.maxX), rows = rangeOf(bounds.minY, bounds.maxY);
    // A lane for each block, from the first one.
    const int first = bounds.minX / kBlockSize, blocks = bounds.maxX / kBlockSize - first + 1;
    const I32x16 number = (kLaneX + kLaneY * kBlockSize) + first, start = number * kBlockSize;
    const I32x16 lowest = max(splat(bounds.minX) - start, splat(0)),
                 highest = max(min(splat(bounds.maxX) - start, splat(3)), splat(0));
    const U32x16 inRow = asUint((splat(2) << highest) - (splat(1) << lowest));  // as gridBits() takes columns
    for (int y = bounds.minY & -kBlockSize; y <= bounds.maxY; y += kBlockSize) {
        const uint32_t hiddenHere = hidden >> y / 16 * 4 & 0xF;
        const U32x16 entries = inRow * gridBits(1, rows >> y & 0xF) + asUint((number << 16) + ((y >> 2) << 20));
        if (hiddenHere == 0) [[likely]] {
            store(list.entry + list.count, entries);
            list.count += blocks;
            continue;
        }
        for (int i = 0; i < blocks; ++i) {
            list.entry[list.count] = entries[i];
            list.count += (hiddenHere >> (first + i) / 4 & 1) != 0 ? 0 : 1;
        }
    }
    uint32_t whole = 0;
    bounds.forEachSquare([&](int x, int y) {
        const bool isWhole = (columns >> x & 0xFFFF) == 0xFFFF && (rows >> y & 0xFFFF) == 0xFFFF;
        whole |= static_cast<uint32_t>(isWhole) << (y / 16 * 4 + x / 16);
    });
    return whole & ~hidden;
}

/// Lists the covered blocks outside of `hidden` squares; returns the squares that are covered whole.
uint32_t listBlocks(const PixelBounds& tile, const SetupPrimitive& primitive, uint32_t hidden, BlockList& list) {
    if (primitive.edgeCount == 0 && primitive.kind == PrimitiveKind::Polygon)
        return listRectangle(tile, primitive, hidden, list);
    const TileCoverage coverage = tileCoverage(primitive, tile);
    if (coverage.empty) return 0;
    if (primitive.kind == PrimitiveKind::ThinLine) {
        coverTile(coverage, tile, [&](int x, int y, uint32_t lanes) { list.addIfAny(x, y, lanes); });
        return 0;
    }
    const CoveredSquares squares = coveredSquares(coverage);
    const uint32_t whole = squares.all & ~hidden;
    uint32_t* end = list.entry + list.count;  // not list.count itself, which the entries' stores might change
    forEachSquareOf(squares.some & ~hidden, [&](int index, int x, int y) {
        if ((whole >> index & 1) != 0) {
            storeSquare(x, y, end);
            end += kBlockLanes;
            return;
        }
        coverSquare(coverage, x, y, [&](BlockEntry entry) {
            *end = entry;
            end += lanesOf(entry) != 0 ? 1 : 0;
        });
    });
    list.count = static_cast<int>(end - list.entry);
    return whole;
}

/// a or b of an edge over 256, read as the 32 bits that it is (coverage.h), so that vectors of it come from memory.
int32_t reducedStep(const int64_t& step) {
    static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
    int32_t reduced;
    __builtin_memcpy(&reduced, reinterpret_cast<const char*>(&step) + 1, sizeof reduced);
    return reduced;
}

/// The triangle or square at no more than 2x2 blocks of the tile, with a vector of each edge's values. `x`, `y`: first
/// pixel of the first block, relative to the tile; `columns`, `rows`: bits of the pixels within bounds.
template <int kEdges>
void listFewBlocks(const PixelBounds& tile, const SetupPrimitive& primitive, int x, int y, uint32_t columns,
                   uint32_t rows, BlockList& list) {
    // Over eight pixels an edge changes by less than 14 * 2^24 (coverage.h): as far as this it says the same of all,
    // and so it does when it is no further.
    constexpr int64_t kFar = int64_t{1} << 30;
    I32x16 value[kEdges + 1];
    int32_t stepX[kEdges + 1], stepY[kEdges + 1];
    for (int i = 0; i < kEdges; ++i) {
        const Edge& edge = primitive.edge[i];
        stepX[i] = reducedStep(edge.a), stepY[i] = reducedStep(edge.b);
        const int64_t first = int64_t{stepX[i]} * (tile.minX + x) + int64_t{stepY[i]} * (tile.minY + y) + (edge.c >> 8);
        const int64_t notAbove = first < kFar ? first : kFar;
        const auto near = static_cast<int32_t>(notAbove > -kFar ? notAbove : -kFar);
        // kLaneY times the step, for which there is one slow instruction.
        const I32x16 step = splat(stepY[i]);
        const I32x16 up = (step & -(kLaneY & 1)) + (step + step & -(kLaneY >> 1));
        value[i] = kLaneX * stepX[i] + splat(near) + up;
    }
    const auto add = [&](int blockX, int blockY) {
        I32x16 outside = splat(0);
        for (int i = 0; i < kEdges; ++i) outside |= value[i] + (stepX[i] * blockX + stepY[i] * blockY);
        list.addIfAny(x + blockX, y + blockY,
                      toBits(outside >= 0) & gridBits(columns >> blockX & 0xF, rows >> blockY & 0xF));
    };
    add(0, 0);
    if ((columns | rows) < 1u << kBlockSize) return;
    add(kBlockSize, 0);
    add(0, kBlockSize);
    add(kBlockSize, kBlockSize);
}

/// The blocks that are known from setup (SetupPrimitive::coverage) and lie in the tile.
void listKnownBlocks(const PixelBounds& tile, const SetupPrimitive& primitive, BlockList& list) {
    const int x = (primitive.minX - tile.minX) >> 2, y = (primitive.minY - tile.minY) >> 2;  // -1: in the tile before
    const auto add = [&](int column, int row, uint32_t lanes) {
        const bool isThere = static_cast<uint32_t>(column) < kTileBlocks && static_cast<uint32_t>(row) < kTileBlocks;
        list.entry[list.count] = lanes | static_cast<uint32_t>(column) << 16 | static_cast<uint32_t>(row) << 20;
        list.count += lanes != 0 && isThere ? 1 : 0;
    };
    const uint64_t coverage = primitive.coverage;
    add(x, y, coverage & kAllLanes);
    if (coverage <= kAllLanes) return;
    add(x + 1, y, coverage >> 16 & kAllLanes);
    add(x, y + 1, coverage >> 32 & kAllLanes);
    add(x + 1, y + 1, static_cast<uint32_t>(coverage >> 48));
}

/// Lists the blocks of a primitive that meets no more than 2x2 of the tile; false: it may meet more.
bool listSmall(const PixelBounds& tile, const SetupPrimitive& primitive, BlockList& list) {
    if (primitive.coverage != 0) {
        listKnownBlocks(tile, primitive, list);
        return true;
    }
    constexpr int kMost = 2 * kBlockSize;
    const CoverageBounds bounds = CoverageBounds::of(primitive, tile);
    if (bounds.isEmpty()) return true;
    const auto& [minX, minY, maxX, maxY] = static_cast<const PixelBounds&>(bounds);
    const int x = minX & -kBlockSize, y = minY & -kBlockSize;
    if (maxX - x >= kMost || maxY - y >= kMost || primitive.kind == PrimitiveKind::ThinLine) return false;
    const uint32_t columns = (2u << (maxX - x)) - (1u << (minX - x)), rows = (2u << (maxY - y)) - (1u << (minY - y));
    if (primitive.edgeCount == 3)
        listFewBlocks<3>(tile, primitive, x, y, columns, rows, list);
    else if (primitive.edgeCount == 0)
        listFewBlocks<0>(tile, primitive, x, y, columns, rows, list);
    else
        listFewBlocks<4>(tile, primitive, x, y, columns, rows, list);
    return true;
}

}  // namespace

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
