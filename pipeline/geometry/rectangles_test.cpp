// Pairs of triangles, merged and not: a rectangle covers exactly the pixels that its triangles cover by their edges,
// and pairs that a pixel could tell from a rectangle stay two.
#include "pipeline/geometry/rectangles.h"

#include <algorithm>
#include <array>
#include <random>

#include <doctest/doctest.h>

#include "pipeline/commands.h"
#include "pipeline/geometry/setup.h"
#include "pipeline/testing/coverage.h"
#include "shader-core/isa/isa.h"
#include "shader-core/isa/program.h"

using namespace tessera;
using namespace tessera::pipeline;
using namespace tessera::pipeline::test;

namespace {

constexpr int kWindow = 24, kOne = 256, kPlanes = 4;

struct Corner {
    int32_t x, y;
    std::array<float, kPlanes> attributes;
    double z = 0.5, inverseW = 1;
};

struct Quad {
    std::mt19937 random;
    SetupState state;
    int32_t left, bottom, right, top;
    std::array<Corner, 4> corner;  ///< around the rectangle

    explicit Quad(unsigned seed) : random(seed) {
        state.bounds = state.viewport = {0, 0, kWindow - 1, kWindow - 1};
        state.attributeFloats = kPlanes;
        if (below(3) == 0) state.bounds = {below(12), below(12), 8 + below(16), 8 + below(16)};
        left = coordinate(), bottom = coordinate();
        right = left + 1 + below(10 * kOne), top = bottom + 1 + below(10 * kOne);
        if (below(2) == 0) right = (right + kOne / 2 - 1) / kOne * kOne + kOne / 2;  // on centres
        if (below(2) == 0) top = (top + kOne / 2 - 1) / kOne * kOne + kOne / 2;
        const auto value = [&](int s, int t) {
            std::array<float, kPlanes> values{};
            for (int i = 0; i < kPlanes; ++i) values[i] = static_cast<float>((i & 1) != 0 ? s : t) * 0.25f + 1;
            return values;
        };
        corner = {{{left, bottom, value(0, 0)},
                   {right, bottom, value(1, 0)},
                   {right, top, value(1, 1)},
                   {left, top, value(0, 1)}}};
    }
    int below(int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); }
    /// Often on a centre or a border of pixels.
    int32_t coordinate() {
        const int32_t any = below(kWindow * kOne) - 2 * kOne;
        return below(2) == 0 ? any : any / (kOne / 2) * (kOne / 2);
    }

    /// Two triangles with either diagonal, each from any of its corners in either direction.
    PrimitiveChunk triangles(bool turnsAround) {
        PrimitiveChunk chunk;
        const int first = below(4);
        const bool isClockwise = below(2) == 0;
        for (int triangle = 0; triangle < 2; ++triangle) {
            const int start = below(3);
            WindowVertex vertices[3];
            for (int i = 0; i < 3; ++i) {
                const int around = (start + i) % 3;
                const bool turned = isClockwise != (turnsAround && triangle == 1);
                const Corner& at = corner[(first + 2 * triangle + (turned ? 2 - around : around)) & 3];
                vertices[i] = {at.x, at.y, at.z, at.inverseW, at.attributes.data()};
            }
            setupPolygon(state, vertices, 3, vertices[2].attributes, chunk);
        }
        return chunk;
    }
};

bool merges(const PrimitiveChunk& chunk) {
    SetupPrimitive first = chunk.primitives[0];
    return mergeTriangles(first, chunk.primitives[1], chunk.planes.data(), kPlanes);
}

}  // namespace

TEST_CASE("a rectangle covers what its triangles cover") {
    int merged = 0, pairs = 0;
    for (unsigned seed = 0; seed < 20000; ++seed) {
        Quad quad(seed);
        const PrimitiveChunk chunk = quad.triangles(false);
        if (chunk.primitives.size() != 2) continue;
        ++pairs;
        SetupPrimitive rectangle = chunk.primitives[0];
        if (!mergeTriangles(rectangle, chunk.primitives[1], chunk.planes.data(), kPlanes)) continue;
        ++merged;
        REQUIRE(rectangle.edgeCount == 0);
        int wrong = 0;
        for (int y = -1; y <= kWindow; ++y)
            for (int x = -1; x <= kWindow; ++x)
                wrong +=
                    covers(rectangle, x, y) != (covers(chunk.primitives[0], x, y) != covers(chunk.primitives[1], x, y));
        CAPTURE(seed);
        REQUIRE(wrong == 0);
    }
    // Nearly all: but for those that cover nothing, and planes whose last bit depends on the first vertex.
    CHECK(pairs > 15000);
    CHECK(merged > pairs * 9 / 10);
}

TEST_CASE("a small rectangle of triangles whose pixels are known covers both, and the same as without") {
    int merged = 0;
    for (unsigned seed = 0; seed < 20000; ++seed) {
        Quad quad(seed);
        PrimitiveChunk chunk = quad.triangles(false);
        if (chunk.primitives.size() != 2 || !isSmall(chunk.primitives[0]) || !isSmall(chunk.primitives[1])) continue;
        const bool mergesByEdges = merges(chunk);
        for (SetupPrimitive& triangle : chunk.primitives) triangle.coverage = coverageByEdges(triangle);
        if (chunk.primitives[0].coverage == 0 || chunk.primitives[1].coverage == 0) continue;
        SetupPrimitive rectangle = chunk.primitives[0];
        CAPTURE(seed);
        REQUIRE(mergeTriangles(rectangle, chunk.primitives[1], chunk.planes.data(), kPlanes) == mergesByEdges);
        if (!mergesByEdges) continue;
        ++merged;
        REQUIRE(rectangle.edgeCount == 0);
        REQUIRE(rectangle.coverage == coverageByEdges(rectangle));
        int wrong = 0;
        for (int y = -1; y <= kWindow; ++y)
            for (int x = -1; x <= kWindow; ++x)
                wrong +=
                    covers(rectangle, x, y) != (covers(chunk.primitives[0], x, y) != covers(chunk.primitives[1], x, y));
        REQUIRE(wrong == 0);
    }
    CHECK(merged > 500);
}

TEST_CASE("two triangles stay two when a pixel can tell") {
    int tried = 0;
    for (unsigned seed = 0; seed < 4000; ++seed) {
        Quad same(seed);
        const std::mt19937 random = same.random;
        const PrimitiveChunk chunk = same.triangles(false);
        if (chunk.primitives.size() != 2 || !merges(chunk)) continue;
        ++tried;
        const auto mergesWith = [&](const auto& change, bool turnsAround = false) {
            Quad quad(seed);
            quad.random = random;
            change(quad);
            const PrimitiveChunk changed = quad.triangles(turnsAround);
            return changed.primitives.size() == 2 && merges(changed);
        };
        CAPTURE(seed);
        REQUIRE(mergesWith([](Quad&) {}));
        CHECK_FALSE(mergesWith([](Quad& quad) { quad.corner[2].attributes[3] += 0.125f; }));
        CHECK_FALSE(mergesWith([](Quad& quad) { quad.corner[1].z += 0.125; }));
        CHECK_FALSE(mergesWith([](Quad& quad) { quad.corner[0].inverseW += 0.125; }));
        CHECK_FALSE(mergesWith([](Quad& quad) { quad.corner[3].x += 1; }));
        CHECK_FALSE(mergesWith([](Quad& quad) { quad.corner[1].y -= 1; }));
        CHECK_FALSE(mergesWith([](Quad&) {}, true));
    }
    CHECK(tried > 2000);
}

TEST_CASE("of a chunk two neighbours at one place are merged, whose planes are the same wherever they are") {
    const auto quadAt = [](int pixels) {
        Quad quad(5);
        quad.state.bounds = quad.state.viewport;
        for (int i = 0; i < 4; ++i) {
            quad.corner[i].x = (i == 0 || i == 3 ? 1 : 4) * kOne + pixels * kOne;
            quad.corner[i].y = (i < 2 ? 1 : 4) * kOne;
            quad.corner[i].attributes.fill(1);
        }
        PrimitiveChunk chunk = quad.triangles(false);
        REQUIRE(chunk.primitives.size() == 2);
        for (SetupPrimitive& triangle : chunk.primitives) triangle.coverage = coverageByEdges(triangle);
        return chunk;
    };
    auto program = std::make_shared<Program>();
    program->stages[isa::Stage::Fragment].facts = {.mayOverrun = false, .derivesInLoops = false};
    Draw draw;
    draw.state->program = program;
    const auto merged = [&](PrimitiveChunk& chunk) { return RectangleMerger(draw, kPlanes).merge(chunk, 0); };
    PrimitiveChunk one = quadAt(0), two = quadAt(0), last = quadAt(0);
    CHECK(merged(one) == 1);
    CHECK(one.primitives.size() == 1);
    two.primitives[1] = quadAt(8).primitives[1];
    CHECK(merged(two) == 0);
    // What lies behind the last one is none of the chunk's.
    last.primitives.resize(1);
    CHECK(merged(last) == 0);
    CHECK(last.primitives[0].edgeCount == 3);
}

TEST_CASE("programs that may overrun, or leave loops in which they derive, keep their triangles") {
    CHECK(allowsRectangles({.mayOverrun = false, .derivesInLoops = false}));
    CHECK_FALSE(allowsRectangles({.mayOverrun = true, .derivesInLoops = false}));
    CHECK_FALSE(allowsRectangles({.mayOverrun = false, .derivesInLoops = true}));
}
TEST_CASE("triangles at different places, or twice the same one, are not merged") {
    Quad quad(5);
    quad.state.bounds = quad.state.viewport;
    quad.left = quad.bottom = 2 * kOne, quad.right = quad.top = 9 * kOne;
    quad.corner[0].x = quad.corner[3].x = quad.left, quad.corner[1].x = quad.corner[2].x = quad.right;
    quad.corner[0].y = quad.corner[1].y = quad.bottom, quad.corner[2].y = quad.corner[3].y = quad.top;
    const PrimitiveChunk chunk = quad.triangles(false);
    REQUIRE(merges(chunk));
    for (const Edge step : {Edge{1, 0, 0}, Edge{0, 1, 0}, Edge{3, 3, 0}}) {
        PrimitiveChunk moved = chunk;
        // As if the second triangle were that many sub-pixels further, which its pixel bounds do not show.
        for (Edge& edge : moved.primitives[1].edge) edge.c -= (edge.a * step.a + edge.b * step.b) / kOne;
        CHECK_FALSE(merges(moved));
    }
    PrimitiveChunk twice = chunk;
    std::copy_n(chunk.primitives[0].edge, 3, twice.primitives[1].edge);
    CHECK_FALSE(merges(twice));
}
