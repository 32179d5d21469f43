#include "pipeline/geometry/rectangles.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "base/simd.h"
#include "pipeline/commands.h"
#include "pipeline/geometry/block_pixels.h"
#include "shader-core/isa/isa.h"
#include "shader-core/isa/program.h"

namespace tessera::pipeline {
namespace {

/// Which edges of a triangle are parallel to the target's sides; -1: none is.
struct RightTriangle {
    int horizontal = -1, vertical = -1;

    explicit RightTriangle(const SetupPrimitive& triangle) {
        for (int i = 0; i < 3; ++i) {
            horizontal = triangle.edge[i].a == 0 ? i : horizontal;
            vertical = triangle.edge[i].b == 0 ? i : vertical;
        }
    }
    [[nodiscard]] bool isOne() const { return horizontal >= 0 && vertical >= 0; }
    [[nodiscard]] int diagonal() const { return 3 - horizontal - vertical; }
};

bool areOpposite(const Edge& one, const Edge& other, int64_t sum) {
    return ((one.a + other.a) | (one.b + other.b) | (one.c + other.c - sum)) == 0;
}

/// Takes from bounds along an axis the row or column that is outside an edge across it, if any: centres on the edge, as
/// bounds are closed. `step`: of the edge along the axis.
void bound(int32_t& low, int32_t& high, int64_t step, int64_t c) {
    const bool lowIsOutside = step * low + c < 0, highIsOutside = step * high + c < 0;
    low += lowIsOutside ? 1 : 0, high -= highIsOutside ? 1 : 0;
}

constexpr bool isTriangle(const SetupPrimitive& primitive) {
    return primitive.kind == PrimitiveKind::Polygon && primitive.edgeCount == 3;
}

/// The same bounds and origin, which few neighbours of a mesh have.
bool haveSamePlace(const SetupPrimitive& first, const SetupPrimitive& second) {
    static_assert(offsetof(SetupPrimitive, coverage) == offsetof(SetupPrimitive, minX) + 16);
    return std::memcmp(&first.minX, &second.minX, 16) == 0;
}

/// Whether the planes give the same bits everywhere. The sign of a slope of zero, which depends on the vertex that
/// setup begins with, is not seen beside a base that is no tiny number: a sum with it cancels to +0 or not at all.
bool areSame(const Plane& one, const Plane& other) {
    constexpr float kTiny = 0x1p-60f;
    if (one.base != other.base || one.dx != other.dx || one.dy != other.dy) return false;
    return std::abs(one.base) > kTiny || std::memcmp(&one, &other, sizeof one) == 0;
}

bool haveSamePlanes(const SetupPrimitive& first, const SetupPrimitive& second, const Plane* planes, int planesOfEach) {
    if (!areSame(first.inverseW, second.inverseW) || !areSame(first.depth, second.depth)) return false;
    const Plane* const of = planes + first.firstPlane;
    return std::equal(of, of + planesOfEach, planes + second.firstPlane, areSame);
}

/// SetupPrimitive::coverage of a rectangle in 2x2 blocks.
uint64_t coverageOf(const PixelBounds& pixels) {
    const auto bits = [](int first, int last) {
        const int start = first & -kBlockSize;
        return (2u << (last - start)) - (1u << (first - start));
    };
    const uint32_t columns = bits(pixels.minX, pixels.maxX), rows = bits(pixels.minY, pixels.maxY);
    const auto row = [&](uint32_t four) {
        return uint64_t{gridBits(columns & 0xF, four) | gridBits(columns >> kBlockSize, four) << kBlockLanes};
    };
    return row(rows & 0xF) | row(rows >> kBlockSize) << 2 * kBlockLanes;
}

/// Makes a rectangle of two triangles that have the same bounds and planes, if they are its halves.
bool join(SetupPrimitive& first, const SetupPrimitive& second) {
    if (!isTriangle(first) || !isTriangle(second) || first.frontFacing != second.frontFacing) return false;
    const bool areKnown = first.coverage != 0 && second.coverage != 0;
    if (areKnown && (first.coverage & second.coverage) == 0 &&
        (first.coverage | second.coverage) == coverageOf(first.pixels())) {
        first.coverage |= second.coverage;
        first.edgeCount = 0;
        return true;
    }
    const RightTriangle one(first), other(second);
    if (!one.isOne() || !other.isOne()) return false;
    if (!areOpposite(first.edge[one.diagonal()], second.edge[other.diagonal()], -1)) return false;
    const Edge &vertical = first.edge[one.vertical], &otherVertical = second.edge[other.vertical];
    const Edge &horizontal = first.edge[one.horizontal], &otherHorizontal = second.edge[other.horizontal];
    constexpr int64_t kOne = 256;  // of an edge's steps, which are a pixel's
    const int64_t sum = std::abs(vertical.a) / kOne * (std::abs(horizontal.b) / kOne) - 1;
    if (!areOpposite(vertical, otherVertical, sum) || !areOpposite(horizontal, otherHorizontal, sum)) return false;
    PixelBounds pixels = first.pixels();
    bound(pixels.minX, pixels.maxX, vertical.a, vertical.c);
    bound(pixels.minX, pixels.maxX, otherVertical.a, otherVertical.c);
    bound(pixels.minY, pixels.maxY, horizontal.b, horizontal.c);
    bound(pixels.minY, pixels.maxY, otherHorizontal.b, otherHorizontal.c);
    if (pixels.isEmpty()) return false;
    first.coverage = areKnown ? coverageOf(pixels) : 0;
    first.setPixels(pixels);
    first.edgeCount = 0;
    return true;
}

}  // namespace

bool mergeTriangles(SetupPrimitive& first, const SetupPrimitive& second, const Plane* planes, int planesOfEach) {
    return haveSamePlace(first, second) && haveSamePlanes(first, second, planes, planesOfEach) && join(first, second);
}

RectangleMerger::RectangleMerger(const Draw& draw, int planesOfEach)
    : planesOfEach_(planesOfEach),
      isAllowed_(allowsRectangles(draw.state->program->stages[isa::Stage::Fragment].facts)) {}

size_t RectangleMerger::merge(PrimitiveChunk& chunk, size_t first) {
    constexpr size_t kEnough = 64, kWorthOneIn = 16;
    if (kept_ >= kEnough && merged_ * kWorthOneIn < kept_) return 0;
    SetupPrimitive* const primitives = chunk.primitives.data();
    const Plane* const planes = chunk.planes.data();
    const size_t end = chunk.primitives.size();
    size_t kept = first;
    for (size_t i = first; i < end; ++i, ++kept) {
        if (kept != i) primitives[kept] = primitives[i];
        if (i + 1 == end || !haveSamePlace(primitives[kept], primitives[i + 1])) continue;
        if (haveSamePlanes(primitives[kept], primitives[i + 1], planes, planesOfEach_) && isAllowed_ &&
            join(primitives[kept], primitives[i + 1]))
            ++i;
    }
    chunk.primitives.resize(kept);
    kept_ += kept - first, merged_ += end - kept;
    return end - kept;
}

}  // namespace tessera::pipeline
