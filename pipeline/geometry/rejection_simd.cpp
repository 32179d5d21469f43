// Which triangles of a batch setup sees, and the coverage of those that lie within 2x2 blocks: sixteen at a time, or
// one by one where there are few. The formulas are those of formulas.h; geometry_functions_test.cpp compares the bits.
#include "pipeline/geometry/rejection.h"

#include "pipeline/geometry/block_pixels.h"
#include "pipeline/geometry/formulas.h"
#include "pipeline/geometry/gather.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

namespace {

Mask16 narrow(I64x16 mask) { return __builtin_convertvector(mask, Mask16); }

// How many triangles are done at a time: so many that the edges of a block stay in registers.
#if defined(__AVX512F__)
using CoverageLanes = I32x16;
#elif defined(__AVX2__)
using CoverageLanes = I32x8;
#else
using CoverageLanes = I32x4;
#endif

/// Half planes of triangles, as setup makes them, over 256, relative to a pixel of each.
template <class Int>
struct SmallEdges {
    Int value[3], stepX[3], stepY[3];
};

/// The edges of triangles that are less than 2^13 sub-pixels wide and high, as values at a pixel that lies in their
/// bounds or up to eight pixels beside them. All of it fits 32 bits.
template <class Int, class Condition>
SmallEdges<Int> smallEdges(const Int (&x)[3], const Int (&y)[3], Condition isPositive, Int pixelX, Int pixelY) {
    const Int px = pixelX * kOne + kHalf, py = pixelY * kOne + kHalf;
    const Int sign = choose(isPositive, Int(-1), Int(1));
    SmallEdges<Int> edges;
    for (int i = 0; i < 3; ++i) {
        const int next = i == 2 ? 0 : i + 1;
        // The edge as a counter-clockwise triangle has it: turned round when the area is negative.
        const Int dx = (x[i] - x[next]) * sign, dy = (y[i] - y[next]) * sign;
        edges.value[i] = dx * (py - y[i]) - dy * (px - x[i]) - choose(isTopLeft(dx, dy), Int(0), Int(1));
        edges.stepX[i] = -dy * kOne, edges.stepY[i] = dx * kOne;
    }
    return edges;
}

/// Tells in bits 0 to 15 which pixels of a block are inside all three edges. The values are the edges' at the block's
/// first pixel.
template <class Lanes>
Lanes coveredPixels(const Lanes (&value)[3], const Lanes (&stepX)[3], const Lanes (&stepY)[3]) {
    Lanes outside = Lanes(0);
    Lanes row[3] = {value[0], value[1], value[2]};
    for (int pixel = 0; pixel < kBlockLanes;) {
        Lanes at[3] = {row[0], row[1], row[2]};
        for (int x = 0; x < kBlockSize; ++x, ++pixel) {
            outside |= ((at[0] | at[1] | at[2]) >> 31) & (1 << pixel);
            for (int i = 0; i < 3; ++i) at[i] += stepX[i];
        }
        for (int i = 0; i < 3; ++i) row[i] += stepY[i];
    }
    return ~outside & 0xFFFF;
}

/// The same of sixteen triangles, whose blocks lie (blockX, blockY) pixels further.
I32x16 coveredPixels(const SmallEdges<I32x16>& edges, int blockX, int blockY) {
    constexpr int kPart = sizeof(CoverageLanes) / sizeof(int32_t);
    alignas(64) int32_t covered[kBlockLanes];
    const auto part = [](const I32x16& all, int first) {
        CoverageLanes lanes;
        __builtin_memcpy(&lanes, reinterpret_cast<const int32_t*>(&all) + first, sizeof lanes);
        return lanes;
    };
    for (int first = 0; first < kBlockLanes; first += kPart) {
        CoverageLanes value[3], stepX[3], stepY[3];
        for (int i = 0; i < 3; ++i) {
            stepX[i] = part(edges.stepX[i], first), stepY[i] = part(edges.stepY[i], first);
            value[i] = part(edges.value[i], first) + stepX[i] * blockX + stepY[i] * blockY;
        }
        const CoverageLanes lanes = coveredPixels(value, stepX, stepY);
        __builtin_memcpy(covered + first, &lanes, sizeof lanes);
    }
    return load<I32x16>(covered);
}

/// Pixels first .. last of eight, in bits; of other numbers anything.
U32x16 rangeBits(I32x16 first, I32x16 last) { return asUint((splat(2) << (last & 7)) - (splat(1) << (first & 7))); }

/// SetupPrimitive::coverage of sixteen triangles: of the first two blocks, and of the two above them.
struct SmallCoverage {
    I32x16 lower = splat(0), upper = splat(0);
};

/// Coverage of triangles whose bounds fit. `pixels` bounds what is drawn of a triangle, and lies within `box`, which
/// bounds all that the triangle could cover. Nobody looks at what other triangles get.
SmallCoverage smallCoverage(const I32x16 (&x)[3], const I32x16 (&y)[3], Mask16 isPositive, Mask16 fits,
                            const BoundsLanes<I32x16>& pixels, const BoundsLanes<I32x16>& box) {
    const I32x16 firstX = pixels.minX & -kBlockSize, firstY = pixels.minY & -kBlockSize;
    const SmallEdges<I32x16> edges = smallEdges(x, y, isPositive, firstX, firstY);
    const bool hasRight = any(fits & (pixels.maxX - firstX >= kBlockSize)),
               hasUpper = any(fits & (pixels.maxY - firstY >= kBlockSize));
    SmallCoverage coverage;
    coverage.lower = coveredPixels(edges, 0, 0);
    if (hasRight) coverage.lower |= coveredPixels(edges, kBlockSize, 0) << kBlockLanes;
    if (hasUpper) coverage.upper = coveredPixels(edges, 0, kBlockSize);
    if (hasRight && hasUpper) coverage.upper |= coveredPixels(edges, kBlockSize, kBlockSize) << kBlockLanes;
    const Mask16 isCut =
        (pixels.minX != box.minX) | (pixels.minY != box.minY) | (pixels.maxX != box.maxX) | (pixels.maxY != box.maxY);
    if (any(fits & isCut)) {
        const U32x16 columns = rangeBits(pixels.minX - firstX, pixels.maxX - firstX),
                     rows = rangeBits(pixels.minY - firstY, pixels.maxY - firstY);
        const auto both = [&](U32x16 four) {
            return gridBits(columns & 0xFu, four) | gridBits(columns >> kBlockSize, four) << kBlockLanes;
        };
        coverage.lower &= asInt(both(rows & 0xFu)), coverage.upper &= asInt(both(rows >> kBlockSize));
    }
    return coverage;
}

/// Triangles whose vertices all have a place: those that setup would keep and, of those whose coverage is found, those
/// with a pixel.
Mask16 hasPixels(const SetupState& state, const VertexArrays& arrays, const U32x16 (&corner)[3],
                 SmallCoverage& coverage) {
    I32x16 x[3], y[3];
    for (int i = 0; i < 3; ++i) x[i] = gather(arrays.x, corner[i]), y[i] = gather(arrays.y, corner[i]);
    const F64x16 area = signedArea(x, y);
    const Mask16 isPositive = narrow(area > 0.0), isNegative = narrow(area < 0.0);
    const CullFace positive = state.frontIsClockwise ? CullFace::Back : CullFace::Front;
    const CullFace negative = state.frontIsClockwise ? CullFace::Front : CullFace::Back;
    Mask16 keep = splat(0);
    if (state.cull != CullFace::Both && state.cull != positive) keep |= isPositive;
    if (state.cull != CullFace::Both && state.cull != negative) keep |= isNegative;
    if (!any(keep)) return keep;

    const BoundsLanes<I32x16> box = {least(x), least(y), most(x), most(y)};
    const BoundsLanes<I32x16> whole = pixelsOf(state, box), pixels = within(whole, state.bounds);
    keep &= (pixels.minX <= pixels.maxX) & (pixels.minY <= pixels.maxY);
    constexpr int kMost = 2 * kBlockSize;
    const Mask16 fits = keep & (pixels.maxX - (pixels.minX & -kBlockSize) < kMost) &
                        (pixels.maxY - (pixels.minY & -kBlockSize) < kMost) & (box.maxX - box.minX < 1 << 13) &
                        (box.maxY - box.minY < 1 << 13);
    if (state.samples != 1 || !any(fits)) return keep;
    for (int i = 0; i < 3; ++i) x[i] &= fits, y[i] &= fits;
    coverage = smallCoverage(x, y, isPositive, fits, pixels, whole);
    coverage.lower &= fits, coverage.upper &= fits;
    return keep & (~fits | ((coverage.lower | coverage.upper) != 0));
}

/// SetupPrimitive::coverage of one triangle, a lane for each pixel of a block.
uint64_t coveredPixels(const SmallEdges<int32_t>& edges, bool hasRight, bool hasUpper) {
    I32x16 value[3];
    for (int i = 0; i < 3; ++i) value[i] = edges.value[i] + edges.stepX[i] * kLaneX + edges.stepY[i] * kLaneY;
    const auto covered = [&](int blockX, int blockY) {
        I32x16 outside = splat(0);
        for (int i = 0; i < 3; ++i) outside |= value[i] + (edges.stepX[i] * blockX + edges.stepY[i] * blockY);
        return uint64_t{~toBits(outside < 0) & 0xFFFF} << (blockX != 0 ? kBlockLanes : 0) << (blockY != 0 ? 32 : 0);
    };
    uint64_t coverage = covered(0, 0);
    if (hasRight) coverage |= covered(kBlockSize, 0);
    if (hasUpper) coverage |= covered(0, kBlockSize);
    if (hasRight && hasUpper) coverage |= covered(kBlockSize, kBlockSize);
    return coverage;
}

/// The above of one triangle: whether setup would keep it and, if its coverage is found, that has a pixel.
bool hasPixels(const SetupState& state, const int32_t (&x)[3], const int32_t (&y)[3], uint64_t& coverage) {
    const double area = signedArea(x, y);
    if (area == 0 || state.cull == CullFace::Both) return false;
    const CullFace face = (area > 0) != state.frontIsClockwise ? CullFace::Front : CullFace::Back;
    if (state.cull == face) return false;
    const BoundsLanes<int32_t> box = {least(x), least(y), most(x), most(y)}, whole = pixelsOf(state, box),
                               pixels = within(whole, state.bounds);
    if (pixels.minX > pixels.maxX || pixels.minY > pixels.maxY) return false;
    const int firstX = pixels.minX & -kBlockSize, firstY = pixels.minY & -kBlockSize;
    const int wide = pixels.maxX - firstX, high = pixels.maxY - firstY;
    if (state.samples != 1 || most(wide, high) >= 2 * kBlockSize ||
        most(box.maxX - box.minX, box.maxY - box.minY) >= 1 << 13)
        return true;
    coverage = coveredPixels(smallEdges(x, y, area > 0, firstX, firstY), wide >= kBlockSize, high >= kBlockSize);
    if (pixels.minX != whole.minX || pixels.minY != whole.minY || pixels.maxX != whole.maxX ||
        pixels.maxY != whole.maxY) {
        const auto range = [](int first, int last) { return (2u << last) - (1u << first); };
        const uint32_t columns = range(pixels.minX - firstX, wide), rows = range(pixels.minY - firstY, high);
        const auto both = [&](uint32_t four) {
            return gridBits(columns & 0xF, four) | gridBits(columns >> kBlockSize, four) << kBlockLanes;
        };
        coverage &= both(rows & 0xF) | uint64_t{both(rows >> kBlockSize)} << 32;
    }
    return coverage != 0;
}

/// So many triangles are done one by one: sixteen together cost as much as five.
constexpr uint32_t kFewTriangles = 4;

/// cull() one by one.
uint32_t cullFew(const SetupState& state, const VertexArrays& arrays, const TriangleCorners& triangles, uint32_t* list,
                 uint64_t* coverage) {
    uint32_t listed = 0;
    for (uint32_t number = 0; number < triangles.count; ++number) {
        uint32_t some = 0, all = ~0u;
        int32_t x[3], y[3];
        for (int i = 0; i < 3; ++i) {
            const uint32_t corner = triangles.corner[i][number], code = arrays.code[corner];
            some |= code, all &= code;
            x[i] = arrays.x[corner], y[i] = arrays.y[corner];
        }
        if (((some & kNotFinite) | (all & (kViewOutcode | kDistanceCode))) != 0) continue;
        const bool toClip = (some & (kClipOutcode | state.clippedDistances)) != 0;
        coverage[listed] = 0;
        if (!toClip && ((some & kNoPlace) != 0 || !hasPixels(state, x, y, coverage[listed]))) continue;
        list[listed++] = number | (toClip ? kToClip : 0);
    }
    return listed;
}

}  // namespace

uint32_t cull(const SetupState& state, const VertexArrays& arrays, const TriangleCorners& triangles, uint32_t* list,
              uint64_t* coverage) {
    if (triangles.count <= kFewTriangles) return cullFew(state, arrays, triangles, list, coverage);
    uint32_t listed = 0;
    for (uint32_t first = 0; first < triangles.count; first += kBlockLanes) {
        const uint32_t left = triangles.count - first;
        const uint32_t lanes = left >= kBlockLanes ? 0xFFFF : (1u << left) - 1;
        U32x16 corner[3];
        for (int i = 0; i < 3; ++i) {
            corner[i] = load<U32x16>(triangles.corner[i] + first);
            if (lanes != 0xFFFF) corner[i] &= asUint(fromBits(lanes));
        }
        const auto* codes = reinterpret_cast<const int32_t*>(arrays.code);
        const U32x16 a = asUint(gather(codes, corner[0])), b = asUint(gather(codes, corner[1])),
                     c = asUint(gather(codes, corner[2]));
        const U32x16 some = a | b | c, all = a & b & c;
        const uint32_t alive = ~toBits(((some & kNotFinite) | (all & (kViewOutcode | kDistanceCode))) != 0u) & lanes;
        const uint32_t toClip = toBits((some & (kClipOutcode | state.clippedDistances)) != 0u) & alive;
        uint32_t kept = ~toBits((some & kNoPlace) != 0u) & alive & ~toClip;
        SmallCoverage small;
        if (kept != 0) kept &= toBits(hasPixels(state, arrays, corner, small));
        alignas(64) uint32_t lower[kBlockLanes], upper[kBlockLanes];
        store(lower, asUint(small.lower)), store(upper, asUint(small.upper));
        for (uint32_t rest = kept | toClip; rest != 0; rest &= rest - 1) {
            const int lane = __builtin_ctz(rest);
            coverage[listed] = lower[lane] | uint64_t{upper[lane]} << 32;
            list[listed++] = (first + lane) | ((toClip >> lane & 1) != 0 ? kToClip : 0);
        }
    }
    return listed;
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
