#include "pipeline/geometry/rectangles.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "pipeline/commands.h"

namespace tessera::pipeline {
namespace {

/// The edges of a right triangle with sides parallel to the target's.
struct RightTriangle {
    const Edge *diagonal = nullptr, *vertical = nullptr, *horizontal = nullptr;

    explicit RightTriangle(const SetupPrimitive& triangle) {
        for (int i = 0; i < 3; ++i) {
            const Edge& edge = triangle.edge[i];
            (edge.a == 0 ? horizontal : edge.b == 0 ? vertical : diagonal) = &edge;
        }
    }
    [[nodiscard]] bool isOne() const { return diagonal != nullptr && vertical != nullptr && horizontal != nullptr; }
};

bool areOpposite(const Edge& one, const Edge& other, int64_t sum) {
    return one.a == -other.a && one.b == -other.b && one.c + other.c == sum;
}

bool makeRectangle(const RightTriangle& one, const RightTriangle& other) {
    if (!one.isOne() || !other.isOne() || !areOpposite(*one.diagonal, *other.diagonal, -1)) return false;
    constexpr int64_t kOne = 256;  // of an edge's steps, which are a pixel's
    const int64_t sum = std::abs(one.vertical->a) / kOne * (std::abs(one.horizontal->b) / kOne) - 1;
    return areOpposite(*one.vertical, *other.vertical, sum) && areOpposite(*one.horizontal, *other.horizontal, sum);
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
    return std::memcmp(&first.minX, &second.minX, 6 * sizeof(int32_t)) == 0;
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

/// Of triangles with the same bounds and planes.
bool join(SetupPrimitive& first, const SetupPrimitive& second) {
    if (!isTriangle(first) || !isTriangle(second) || first.frontFacing != second.frontFacing) return false;
    const RightTriangle one(first), other(second);
    if (!makeRectangle(one, other)) return false;
    int32_t minX = first.minX, minY = first.minY, maxX = first.maxX, maxY = first.maxY;
    for (const Edge* side : {one.vertical, other.vertical}) bound(minX, maxX, side->a, side->c);
    for (const Edge* side : {one.horizontal, other.horizontal}) bound(minY, maxY, side->b, side->c);
    if (minX > maxX || minY > maxY) return false;
    first.minX = minX, first.minY = minY, first.maxX = maxX, first.maxY = maxY;
    first.edgeCount = 0;
    return true;
}

}  // namespace

bool mergeTriangles(SetupPrimitive& first, const SetupPrimitive& second, const Plane* planes, int planesOfEach) {
    return haveSamePlace(first, second) && haveSamePlanes(first, second, planes, planesOfEach) && join(first, second);
}

size_t RectangleMerger::merge(PrimitiveChunk& chunk, size_t first) {
    SetupPrimitive* const primitives = chunk.primitives.data();
    const Plane* const planes = chunk.planes.data();
    const size_t end = chunk.primitives.size();
    size_t kept = first;
    for (size_t i = first; i < end; ++i, ++kept) {
        if (kept != i) primitives[kept] = primitives[i];
        if (i + 1 == end || !haveSamePlace(primitives[kept], primitives[i + 1])) continue;
        if (haveSamePlanes(primitives[kept], primitives[i + 1], planes, planesOfEach_) && isAllowed() &&
            join(primitives[kept], primitives[i + 1]))
            ++i;
    }
    chunk.primitives.resize(kept);
    return end - kept;
}

bool allowsRectangles(const isa::Program& fragment, bool mayOverrun) {
    if (mayOverrun) return false;
    // Opcode and function, without decoding: it is asked for each draw.
    const isa::OpInfo& info = isa::opInfo(isa::Op::Loop);
    const uint64_t loop = info.opcode | info.function << 5;
    return !fragment.usesDerivatives ||
           std::ranges::none_of(fragment.code, [&](const isa::Word& word) { return (word.lo & 0x3FF) == loop; });
}

bool RectangleMerger::isAllowed() {
    if (!isAllowed_) {
        const ProgramStage& fragment = draw_.state->program->stages[isa::Stage::Fragment];
        isAllowed_ = allowsRectangles(*fragment.program, fragment.mayOverrun);
    }
    return *isAllowed_;
}

}  // namespace tessera::pipeline
