// Coverage: which pixels of a 64x64 tile a primitive covers, as 4x4 blocks with a bit for each pixel.
//
// Hierarchical half-plane rasterisation (M. D. McCool et al., "Incremental and Hierarchical Hilbert Order Edge
// Equation Polygon Rasterization", 2001; seed 004, 2.2): tile, 16x16 blocks, 4x4 blocks. On each level a half
// plane whose largest corner value is negative rejects the block, one whose smallest is not negative drops out.
//
// From 64 to 32 bits. An edge covers (x, y) when a*x + b*y + c >= 0, with a = 256*a', b = 256*b' (a pixel is 256
// sub-pixel steps, so the increments of a pixel are multiples of 256). Then
//     a*x + b*y + c >= 0   <=>   a'*x + b'*y >= -c/256   <=>   a'*x + b'*y + floor(c/256) >= 0
// because the left side is an integer: c >> 8 is exact for the test. Call the reduced value e(x, y). An edge that
// neither rejects nor accepts the whole tile has a pixel p in it with e(p) >= 0 and a pixel q with e(q) < 0. Any
// other pixel of the tile is at most 63 steps from either in each direction, and |a'|, |b'| < 2^24, so
//     -2^31 < -126 * 2^24 <= e <= 126 * 2^24 < 2^31
// over the whole tile: 32 bits hold every value that is ever formed, as each of them is e of a pixel in the tile.
//
// Thin lines follow the diamond-exit rule (OpenGL ES 2.0.25, section 3.4.1) exactly, see lineEdges() below: they
// are a convex polygon of six edges over pixels, less at most one pixel.
#pragma once

#include "base/simd.h"
#include "pipeline/geometry/block_pixels.h"
#include "pipeline/geometry/primitive.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

inline constexpr int kMaxCoverageEdges = 6;
inline constexpr int32_t kNowhere = 1 << 30;

/// A reduced half plane: inside where a*x + b*y + value >= 0, (x, y) relative to a place in the tile that
/// `value` belongs to.
struct TileEdge {
    int32_t a = 0, b = 0, value = 0;
    I32x16 lanes = splat(0);  ///< a*x + b*y at the pixels of a 4x4 block
};

/// Largest and smallest change of a half plane from the first pixel of a square of `size` pixels to any other.
template <class Int>
Int rise(Int a, Int b, int size) {
    return (a > 0 ? a * (size - 1) : 0) + (b > 0 ? b * (size - 1) : 0);
}
template <class Int>
Int fall(Int a, Int b, int size) {
    return (a < 0 ? a * (size - 1) : 0) + (b < 0 ? b * (size - 1) : 0);
}

/// Which part of a tile a half plane covers.
enum class TilePart { Nothing, Some, All };

/// Tells which part of a tile a half plane covers. Its value at the tile's first pixel lies between `lowest` and
/// `highest`, which are the same if it is known.
inline TilePart coveredPart(int64_t a, int64_t b, int64_t lowest, int64_t highest) {
    if (highest + rise(a, b, kTileSize) < 0) return TilePart::Nothing;
    return lowest + fall(a, b, kTileSize) >= 0 ? TilePart::All : TilePart::Some;
}

/// Pixels of a tile within a primitive's bounds, relative to the tile.
struct CoverageBounds : PixelBounds {
    /// `tile`: its pixels that may be drawn to.
    static CoverageBounds of(const SetupPrimitive& primitive, const PixelBounds& tile) {
        return {{primitive.minX > tile.minX ? primitive.minX - tile.minX : 0,
                 primitive.minY > tile.minY ? primitive.minY - tile.minY : 0,
                 (primitive.maxX < tile.maxX ? primitive.maxX : tile.maxX) - tile.minX,
                 (primitive.maxY < tile.maxY ? primitive.maxY : tile.maxY) - tile.minY}};
    }

    /// Calls use(x, y) for each 16x16 square of the tile that they meet.
    template <class Use>
    void forEachSquare(const Use& use) const {
        for (int y = minY & ~15; y <= maxY; y += 16)
            for (int x = minX & ~15; x <= maxX; x += 16) use(x, y);
    }
};

/// The edges of a primitive that cross a tile, relative to the tile's first pixel, and the bounds within it.
struct TileCoverage : CoverageBounds {
    bool empty = true;
    int edgeCount = 0;
    TileEdge edge[kMaxCoverageEdges];
    int32_t excludedX = -kNowhere, excludedY = -kNowhere;  ///< pixel of the target that a line leaves out
};

/// Adds an edge: false when it rejects the whole tile whose first pixel is (tileX, tileY).
inline bool addEdge(TileCoverage& coverage, const Edge& edge, int tileX, int tileY) {
    const int64_t a = edge.a >> 8, b = edge.b >> 8;
    const int64_t value = a * tileX + b * tileY + (edge.c >> 8);
    const TilePart part = coveredPart(a, b, value, value);
    if (part != TilePart::Some) return part == TilePart::All;
    const auto stepX = static_cast<int32_t>(a), stepY = static_cast<int32_t>(b);
    coverage.edge[coverage.edgeCount++] = {stepX, stepY, static_cast<int32_t>(value), kLaneX * stepX + kLaneY * stepY};
    return true;
}

/// The diamond of pixel (x, y) is |px - cx| + |py - cy| < 1/2. In 1/256 pixel with U = px + py and V = px - py it is
/// the open square |U - cu| < 128, |V - cv| < 128 around cu = 256*(x + y + 1), cv = 256*(x - y). The specification
/// moves the line by -(d, d*d) for an infinitely small d; so cu moves by d + d*d and cv by d - d*d instead, both
/// upwards, and the square becomes half open: cu - 128 < U <= cu + 128, and likewise V.
///
/// A segment meets the open square unless an axis separates them (both are convex): U, V, or the line's normal.
/// U and V: the segment's interval [min, max] must reach into the moved interval: max > cu - 128, min <= cu + 128.
/// Normal: g(p) = dx*(py - y0) - dy*(px - x0) takes, over the open square, the open interval of half width
/// r = 128 * max(|dx|, |dy|) around g(centre); 0 must be in it. The move adds dx*d*d - dy*d, which decides where
/// |g| == r: its sign is that of -dy, or of dx when dy is 0.
/// All six conditions are half planes over (x, y) with increments that are multiples of 256.
inline void lineEdges(const SetupPrimitive& line, Edge (&edge)[kMaxCoverageEdges]) {
    const int64_t x0 = line.lineX0, y0 = line.lineY0, x1 = line.lineX1, y1 = line.lineY1;
    const int64_t u0 = x0 + y0, u1 = x1 + y1, v0 = x0 - y0, v1 = x1 - y1;
    const int64_t maxU = u0 > u1 ? u0 : u1, minU = u0 > u1 ? u1 : u0;
    const int64_t maxV = v0 > v1 ? v0 : v1, minV = v0 > v1 ? v1 : v0;
    edge[0] = {-256, -256, maxU - 256 + 128 - 1};
    edge[1] = {256, 256, 256 + 128 - minU};
    edge[2] = {-256, 256, maxV + 128 - 1};
    edge[3] = {256, -256, 128 - minV};
    const int64_t dx = x1 - x0, dy = y1 - y0;
    const int64_t absX = dx < 0 ? -dx : dx, absY = dy < 0 ? -dy : dy;
    const int64_t radius = 128 * (absX > absY ? absX : absY);
    const bool movesDown = dy != 0 ? dy > 0 : dx < 0;  // sign of what the move adds to g
    const int64_t center = dx * (128 - y0) - dy * (128 - x0);
    edge[4] = {256 * dy, -256 * dx, radius - center - (movesDown ? 0 : 1)};
    edge[5] = {-256 * dy, 256 * dx, radius + center - (movesDown ? 1 : 0)};
}

/// The pixel whose moved diamond holds the end point, which the rule leaves out; there is at most one.
inline void excludeLineEnd(const SetupPrimitive& line, TileCoverage& coverage) {
    const int64_t u = static_cast<int64_t>(line.lineX1) + line.lineY1;
    const int64_t v = static_cast<int64_t>(line.lineX1) - line.lineY1;
    // cu - 128 < u <= cu + 128 with cu a multiple of 256 has exactly one solution, and so has v.
    const int64_t sum = ((u + 127) >> 8) - 1, difference = (v + 127) >> 8;
    if (((sum + difference) & 1) != 0) return;  // between diamonds
    coverage.excludedX = static_cast<int32_t>((sum + difference) >> 1);
    coverage.excludedY = static_cast<int32_t>((sum - difference) >> 1);
}

/// The edges of a polygon: false when one rejects the whole tile.
template <class Coverage>
bool addPolygon(Coverage& coverage, const SetupPrimitive& primitive, int tileX, int tileY) {
    for (int i = 0; i < primitive.edgeCount; ++i)
        if (!addEdge(coverage, primitive.edge[i], tileX, tileY)) return false;
    return true;
}

/// Coverage of a tile; `tile`: its pixels that may be drawn to.
inline TileCoverage tileCoverage(const SetupPrimitive& primitive, const PixelBounds& tile) {
    TileCoverage coverage = {CoverageBounds::of(primitive, tile)};
    if (coverage.isEmpty()) return coverage;
    if (primitive.kind == PrimitiveKind::ThinLine) {
        if (primitive.lineX0 == primitive.lineX1 && primitive.lineY0 == primitive.lineY1) return coverage;
        Edge edge[kMaxCoverageEdges];
        lineEdges(primitive, edge);
        for (const Edge& half : edge) {
            if (!addEdge(coverage, half, tile.minX, tile.minY)) return coverage;
        }
        excludeLineEnd(primitive, coverage);
    } else if (!addPolygon(coverage, primitive, tile.minX, tile.minY)) {
        return coverage;
    }
    coverage.empty = false;
    return coverage;
}

/// Bits low..high of a range 0..15, which meets it.
inline uint32_t rangeBits(int low, int high) {
    const int from = low < 0 ? 0 : low, to = high > 15 ? 15 : high;
    return (2u << to) - (1u << from);
}

/// Bit i where any of the bits 4*i .. 4*i + 3 is set, of sixteen.
inline uint32_t anyOfFour(uint32_t bits) {
    bits |= bits >> 1;
    bits |= bits >> 2;
    return (bits & 1) | (bits >> 3 & 2) | (bits >> 6 & 4) | (bits >> 9 & 8);
}

/// What bounds leave of a 16x16 square, in 4x4 blocks.
struct SquareBits {
    uint32_t columns, rows;  ///< bit i: column or row i of the square is within bounds

    SquareBits(const PixelBounds& bounds, int x, int y)
        : columns(rangeBits(bounds.minX - x, bounds.maxX - x)), rows(rangeBits(bounds.minY - y, bounds.maxY - y)) {}
    /// Bit i: block i has a pixel within bounds.
    [[nodiscard]] uint32_t blocks() const { return gridBits(anyOfFour(columns), anyOfFour(rows)); }
    /// The pixels of the block at (x, y) of the square.
    [[nodiscard]] uint32_t lanes(int x, int y) const { return gridBits(columns >> x & 15, rows >> y & 15); }
    /// The pixels of all its blocks.
    [[nodiscard]] U32x16 lanes() const {
        return gridBits(splat(columns) >> asUint(kLaneX << 2) & 15u, splat(rows) >> asUint(kLaneY << 2) & 15u);
    }
    /// Calls use(index, x, y, lanes) for each block of `blocks`.
    template <class Use>
    void forEachBlock(uint32_t blocks, const Use& use) const {
        for (; blocks != 0; blocks &= blocks - 1) {
            const int index = __builtin_ctz(blocks), x = (index & 3) * 4, y = index & 12;
            use(index, x, y, lanes(x, y));
        }
    }
};

/// Squares of 16x16 pixels of a tile, (x, y) in bit y / 16 * 4 + x / 16: those that the bounds meet and no edge
/// rejects, and of these the ones that lose no pixel.
struct CoveredSquares {
    uint32_t some, all;
};
inline CoveredSquares coveredSquares(const TileCoverage& coverage) {
    // A lane stands for a square here.
    I32x16 rejected = splat(0), cut = splat(0);
    for (int i = 0; i < coverage.edgeCount; ++i) {
        const TileEdge& edge = coverage.edge[i];
        const I32x16 value = splat(edge.value) + edge.lanes * 16;
        rejected |= value + rise(edge.a, edge.b, 16);
        cut |= value + fall(edge.a, edge.b, 16);
    }
    const auto met = [](int low, int high) { return (2u << (high >> 4)) - (1u << (low >> 4)); };
    const auto within = [](int low, int high) { return 0xFu << ((low + 15) >> 4) & ((1u << ((high + 1) >> 4)) - 1); };
    const uint32_t some =
        toBits(rejected >= 0) & gridBits(met(coverage.minX, coverage.maxX), met(coverage.minY, coverage.maxY));
    return {some, some & toBits(cut >= 0) &
                      gridBits(within(coverage.minX, coverage.maxX), within(coverage.minY, coverage.maxY))};
}
/// Calls use(index, x, y) for each square of a set; (x, y) is its first pixel, relative to the tile.
template <class Use>
void forEachSquareOf(uint32_t squares, const Use& use) {
    for (; squares != 0; squares &= squares - 1) {
        const int index = __builtin_ctz(squares);
        use(index, (index & 3) * 16, (index >> 2) * 16);
    }
}

/// A covered block of a tile: its pixels in bits 0 to 15, then its column and its row.
using BlockEntry = uint32_t;

/// coverSquare() for up to kEdges edges; those beyond edgeCount leave nothing out.
template <int kEdges, class Sink>
void coverSquareBy(const TileCoverage& coverage, int x, int y, Sink&& sink) {
    // A lane stands for a 4x4 block here.
    alignas(64) int32_t first[kEdges + 1][kBlockLanes];  // values at the blocks' first pixels
    I32x16 rejected = splat(0);
    for (int i = 0; i < kEdges; ++i) {
        const TileEdge& edge = coverage.edge[i];
        const I32x16 value = splat(edge.value + edge.a * x + edge.b * y) + edge.lanes * 4;
        rejected |= value + rise(edge.a, edge.b, 4);
        store(first[i], value);
    }
    const U32x16 within = SquareBits(coverage, x, y).lanes();
    alignas(64) BlockEntry entry[kBlockLanes];
    store(entry, within + asUint((kLaneX << 16) + (kLaneY << 20) + ((x >> 2) << 16 | (y >> 2) << 20)));
    for (uint32_t left = toBits((rejected >= 0) & (within != 0u)); left != 0; left &= left - 1) {
        const int index = __builtin_ctz(left);
        I32x16 outside = splat(0);
        for (int i = 0; i < kEdges; ++i) outside |= coverage.edge[i].lanes + first[i][index];
        sink(entry[index] & ~toBits(outside < 0));
    }
}

/// The 16x16 pixels at (x, y) of the tile, which meet the bounds: calls sink(entry) for each 4x4 block with covered
/// pixels and perhaps for some without.
template <class Sink>
void coverSquare(const TileCoverage& coverage, int x, int y, Sink&& sink) {
    if (coverage.edgeCount == 0) return coverSquareBy<0>(coverage, x, y, sink);
    if (coverage.edgeCount <= 3) return coverSquareBy<3>(coverage, x, y, sink);
    coverSquareBy<kMaxCoverageEdges>(coverage, x, y, sink);
}

/// Calls sink(x, y, lanes) for the covered 4x4 blocks of a tile; (x, y) is the block's first pixel, relative to the
/// tile. Every block is given at most once.
template <class Sink>
void coverTile(const TileCoverage& coverage, const PixelBounds& tile, Sink&& sink) {
    if (coverage.empty) return;
    const int excludedX = coverage.excludedX - tile.minX, excludedY = coverage.excludedY - tile.minY;
    const auto withoutExcluded = [&](BlockEntry entry) {
        const int x = static_cast<int>(entry >> 16 & 15) * kBlockSize, y = static_cast<int>(entry >> 20) * kBlockSize;
        uint32_t lanes = entry & 0xFFFF;
        if ((excludedX & ~3) == x && (excludedY & ~3) == y) lanes &= ~(1u << ((excludedY & 3) * 4 + (excludedX & 3)));
        if (lanes != 0) sink(x, y, lanes);
    };
    forEachSquareOf(coveredSquares(coverage).some,
                    [&](int, int x, int y) { coverSquare(coverage, x, y, withoutExcluded); });
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
