// Blocks through machine code, 1: which blocks of a tile a primitive covers. Small primitives have a way of their own.
#pragma once

#include "pipeline/coverage/coverage.h"
#include "pipeline/raster/block_list.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

// Of raster_blocks_simd.cpp alone: internal, so that what has one caller becomes part of it.
namespace {

/// Lists the covered blocks outside of `hidden` squares; returns the squares that are covered whole.
uint32_t listBlocks(const PixelBounds& tile, const SetupPrimitive& primitive, uint32_t hidden, BlockList& list) {
    const TileCoverage coverage = tileCoverage(primitive, tile);
    if (coverage.empty) return 0;
    const auto add = [&](int x, int y, uint32_t lanes) { list.addIfAny(x, y, lanes); };
    if (primitive.kind == PrimitiveKind::ThinLine) {
        coverTile(coverage, tile, add);
        return 0;
    }
    uint32_t whole = 0;
    coverage.forEachSquare([&](int x, int y) {
        const uint32_t square = 1u << (y / 4 + x / 16);
        if ((hidden & square) != 0) return;
        const bool inside = coverage.minX <= x && coverage.minY <= y && coverage.maxX >= x + 15 &&
                            coverage.maxY >= y + 15 && coversSquare(coverage, x, y);
        if (inside) {
            list.addSquare(x, y);
            whole |= square;
        } else {
            coverSquare(coverage, x, y, add);
        }
    });
    return whole;
}

/// The triangle or square at no more than 2x2 blocks of the tile, with a vector of each edge's values. `x`, `y`: first
/// pixel of the first block, relative to the tile; `columns`, `rows`: bits of the pixels within bounds.
template <int kEdges>
void listFewBlocks(const PixelBounds& tile, const SetupPrimitive& primitive, int x, int y, uint32_t columns,
                   uint32_t rows, BlockList& list) {
    constexpr int64_t kFar = int64_t{1} << 30;
    I32x16 value[kEdges];
    int32_t stepX[kEdges], stepY[kEdges];
    for (int i = 0; i < kEdges; ++i) {
        const int64_t a = primitive.edge[i].a >> 8, b = primitive.edge[i].b >> 8;
        const int64_t first = a * (tile.minX + x) + b * (tile.minY + y) + (primitive.edge[i].c >> 8);
        // Over eight pixels an edge changes by less than 14 * 2^24 (coverage.h): beyond kFar it says the same of all.
        if (first < -kFar) return;
        const bool accepts = first >= kFar;
        stepX[i] = accepts ? 0 : static_cast<int32_t>(a);
        stepY[i] = accepts ? 0 : static_cast<int32_t>(b);
        value[i] = splat(accepts ? 0 : static_cast<int32_t>(first)) + kLaneX * stepX[i] + kLaneY * stepY[i];
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

/// Lists the blocks of a primitive that meets no more than 2x2 of the tile; false: it may meet more.
bool listSmall(const PixelBounds& tile, const SetupPrimitive& primitive, BlockList& list) {
    constexpr int kMost = 2 * kBlockSize;
    const CoverageBounds bounds = CoverageBounds::of(primitive, tile);
    if (bounds.isEmpty()) return true;
    const auto& [minX, minY, maxX, maxY] = static_cast<const PixelBounds&>(bounds);
    const int x = minX & -kBlockSize, y = minY & -kBlockSize;
    if (maxX - x >= kMost || maxY - y >= kMost || primitive.edgeCount < 3 || primitive.kind == PrimitiveKind::ThinLine)
        return false;
    const uint32_t columns = (2u << (maxX - x)) - (1u << (minX - x)), rows = (2u << (maxY - y)) - (1u << (minY - y));
    if (primitive.edgeCount == 3)
        listFewBlocks<3>(tile, primitive, x, y, columns, rows, list);
    else
        listFewBlocks<4>(tile, primitive, x, y, columns, rows, list);
    return true;
}

}  // namespace

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
