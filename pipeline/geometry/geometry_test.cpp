// The geometry path as a whole: index reuse, chunk borders, instances, rejection.
#include "pipeline/geometry/geometry.h"

#include <bit>
#include <cstring>
#include <random>

#include <doctest/doctest.h>

#include "pipeline/geometry/assembly.h"
#include "pipeline/testing/geometry.h"

using namespace tessera;
using namespace tessera::pipeline;
using namespace tessera::pipeline::test;

namespace {

constexpr int kSize = 256;

/// All chunks of a draw, one after another.
PrimitiveChunk allPrimitives(const Draw& draw, uint64_t* vertices = nullptr) {
    const DrawGeometry geometry(draw);
    GeometryScratch scratch;
    PrimitiveChunk all;
    for (uint64_t first = 0; first < geometry.primitiveCount(); first += kChunkPrimitives) {
        ChunkGeometry chunk;
        const uint64_t count = std::min<uint64_t>(kChunkPrimitives, geometry.primitiveCount() - first);
        processChunk(geometry, first, static_cast<uint32_t>(count), scratch, chunk);
        for (SetupPrimitive primitive : chunk.primitives.primitives) {
            primitive.firstPlane += static_cast<uint32_t>(all.planes.size());
            all.primitives.push_back(primitive);
        }
        all.planes.insert(all.planes.end(), chunk.primitives.planes.begin(), chunk.primitives.planes.end());
        if (vertices) *vertices += chunk.vertices;
    }
    return all;
}

bool same(const Plane& a, const Plane& b) { return a.base == b.base && a.dx == b.dx && a.dy == b.dy; }

bool same(const PrimitiveChunk& a, const PrimitiveChunk& b) {
    if (a.primitives.size() != b.primitives.size() || a.planes.size() != b.planes.size()) return false;
    for (size_t i = 0; i < a.primitives.size(); ++i) {
        const SetupPrimitive &p = a.primitives[i], &q = b.primitives[i];
        if (p.minX != q.minX || p.maxY != q.maxY || p.frontFacing != q.frontFacing || !same(p.depth, q.depth))
            return false;
        for (int e = 0; e < p.edgeCount; ++e)
            if (p.edge[e].a != q.edge[e].a || p.edge[e].b != q.edge[e].b || p.edge[e].c != q.edge[e].c) return false;
    }
    for (size_t i = 0; i < a.planes.size(); ++i)
        if (!same(a.planes[i], b.planes[i])) return false;
    return true;
}

std::vector<TestVertex> randomVertices(size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> unit(-1, 1);
    std::vector<TestVertex> vertices(count);
    for (TestVertex& v : vertices) {
        v.position[3] = unit(random) + 1.3f;
        for (int c = 0; c < 3; ++c) v.position[c] = 1.5f * unit(random) * v.position[3];
        for (float& c : v.color) c = unit(random);
    }
    return vertices;
}

}  // namespace

TEST_CASE("indexed vertices are shaded once in each chunk") {
    PassThrough programs;
    constexpr uint32_t kCells = 30;  // 1800 triangles: two chunks
    std::vector<TestVertex> vertices((kCells + 1) * (kCells + 1));
    std::vector<uint32_t> indices;
    for (uint32_t y = 0; y <= kCells; ++y)
        for (uint32_t x = 0; x <= kCells; ++x)
            vertices[y * (kCells + 1) + x] = {{x / 15.0f - 1, y / 15.0f - 1, 0, 1}, {}};
    for (uint32_t y = 0; y < kCells; ++y)
        for (uint32_t x = 0; x < kCells; ++x) {
            const uint32_t i = y * (kCells + 1) + x, up = i + kCells + 1;
            indices.insert(indices.end(), {i, i + 1, up, i + 1, up + 1, up});
        }
    Draw draw = makeDraw(programs, vertices, kSize, kSize);
    setIndices(draw, indices);
    uint64_t counted = 0;
    const PrimitiveChunk chunk = allPrimitives(draw, &counted);
    CHECK(chunk.primitives.size() == 2 * kCells * kCells);
    CHECK(programs.shadedVertices == counted);
    CHECK(counted >= vertices.size());
    CHECK(counted <= vertices.size() + kCells + 3);  // the row at the chunk border
}

TEST_CASE("once a scene is given up no further group is shaded") {
    PassThrough programs;
    std::atomic<bool> stop{false};
    int groups = 0;
    auto stopping = std::make_shared<Program>(*programs.program);
    stopping->stages[isa::Stage::Vertex].routine = std::make_shared<FunctionRoutine>([&](isa::GroupRun&) {
        ++groups;
        stop = true;
    });
    programs.program = stopping;
    const Draw draw = makeDraw(programs, randomVertices(900, 5), kSize, kSize);
    DrawGeometry geometry(draw);
    geometry.stop = &stop;
    GeometryScratch scratch;
    ChunkGeometry chunk;
    processChunk(geometry, 0, 300, scratch, chunk);
    CHECK(groups == 1);
    CHECK(chunk.primitives.primitives.empty());
}

TEST_CASE("of a draw that can reach no pixel no primitive is to be drawn") {
    PassThrough programs;
    Draw draw = makeDraw(programs, randomVertices(30, 5), kSize, kSize);
    CHECK(DrawGeometry(draw).primitiveCount() == 10);
    draw.state->raster.discard = true;
    CHECK(DrawGeometry(draw).primitiveCount() == 0);
    CHECK(DrawGeometry(draw).allPrimitives() == 10);
}

TEST_CASE("strips, fans and loops across chunk borders equal the same primitives as lists") {
    PassThrough programs;
    const std::vector<TestVertex> vertices = randomVertices(2500, 31);
    const auto compare = [&](Primitive connected, Primitive list, const std::vector<uint32_t>& indices) {
        Draw direct = makeDraw(programs, vertices, kSize, kSize);
        direct.primitive = connected;
        Draw spelled = direct;
        spelled.primitive = list;
        setIndices(spelled, indices);
        const PrimitiveChunk a = allPrimitives(direct), b = allPrimitives(spelled);
        CHECK(a.primitives.size() > 100);
        CHECK(same(a, b));
    };
    std::vector<uint32_t> strip, fan, loop;
    for (uint32_t i = 0; i + 2 < vertices.size(); ++i) {
        if (i % 2 == 0)
            strip.insert(strip.end(), {i, i + 1, i + 2});
        else
            strip.insert(strip.end(), {i + 1, i, i + 2});
        fan.insert(fan.end(), {0, i + 1, i + 2});
    }
    for (uint32_t i = 0; i < vertices.size(); ++i)
        loop.insert(loop.end(), {i, static_cast<uint32_t>((i + 1) % vertices.size())});
    compare(Primitive::TriangleStrip, Primitive::Triangles, strip);
    compare(Primitive::TriangleFan, Primitive::Triangles, fan);
    compare(Primitive::LineLoop, Primitive::Lines, loop);
    loop.resize(loop.size() - 2);
    compare(Primitive::LineStrip, Primitive::Lines, loop);
}

TEST_CASE("instances repeat the primitives with their own attributes") {
    PassThrough programs;
    const std::vector<TestVertex> vertices = {{{-1, -1, 0, 1}, {}}, {{1, -1, 0, 1}, {}}, {{0, 1, 0, 1}, {}}};
    Draw draw = makeDraw(programs, vertices, kSize, kSize);
    std::vector<float> colors;
    for (int i = 0; i < 1500; ++i) colors.push_back(static_cast<float>(i));
    draw.state->attributes[1] = {};
    draw.state->attributes[1].data = bufferOf(colors.data(), colors.size() * sizeof(float));
    draw.state->attributes[1].stride = 4;
    draw.state->attributes[1].components = 1;
    draw.state->attributes[1].divisor = 1;
    draw.instances = 1500;
    const PrimitiveChunk chunk = allPrimitives(draw);
    REQUIRE(chunk.primitives.size() == 1500);
    int wrong = 0;
    for (int i = 0; i < 1500; ++i) wrong += chunk.planes[chunk.primitives[i].firstPlane].base != static_cast<float>(i);
    CHECK(wrong == 0);
}

TEST_CASE("what is not finite, behind the eye or outside is dropped; what crosses is clipped") {
    PassThrough programs;
    const auto count = [&](Primitive primitive, const std::vector<TestVertex>& vertices) {
        Draw draw = makeDraw(programs, vertices, kSize, kSize);
        draw.primitive = primitive;
        return allPrimitives(draw).primitives.size();
    };
    const TestVertex a = {{-1, -1, 0, 1}, {}}, b = {{1, -1, 0, 1}, {}}, c = {{0, 1, 0, 1}, {}};
    CHECK(count(Primitive::Triangles, {a, b, c}) == 1);
    CHECK(count(Primitive::Triangles, {a, b, {{NAN, 1, 0, 1}, {}}}) == 0);
    CHECK(count(Primitive::Triangles, {a, b, {{0, INFINITY, 0, 1}, {}}}) == 0);
    CHECK(count(Primitive::Triangles, {a, b, {{0, 1, 0, 0}, {}}}) > 0);   // a vertex at infinity
    CHECK(count(Primitive::Triangles, {a, b, {{0, 3, 0, -1}, {}}}) > 0);  // behind the eye
    CHECK(count(Primitive::Triangles, {a, b, {{0, 1e30f, 0, 1}, {}}}) > 0);
    CHECK(count(Primitive::Triangles, {a, b, {{0, 0, 0, 0}, {}}}) == 0);
    CHECK(count(Primitive::Triangles, {{{2, 0, 0, 1}, {}}, {{3, 0, 0, 1}, {}}, {{2, 1, 0, 1}, {}}}) == 0);
    CHECK(count(Primitive::Lines, {a, {{0, 0, 5, 1}, {}}}) == 1);
    CHECK(count(Primitive::Lines, {{{0, 0, 2, 1}, {}}, {{0, 0, 5, 1}, {}}}) == 0);
    CHECK(count(Primitive::Lines, {{{-4000, -4100, -1e6f, 1}, {}}, {{4000, 4100, 1e6f, 1}, {}}}) == 1);
    CHECK(count(Primitive::Points, {c, a}) == 2);
    CHECK(count(Primitive::Points, {{{0, 0, 1.1f, 1}, {}}, {{0, 0, 0, 0}, {}}, {{0, 0, 0, -1}, {}}}) == 0);
    // A wide point just outside the sides reaches into the viewport.
    CHECK(count(Primitive::Points, {{{1.01f, 0, 0, 1}, {0, 0, 0, 8}}}) == 1);
    CHECK(count(Primitive::Points, {{{1.01f, 0, 0, 1}, {0, 0, 0, 1}}}) == 0);
}

TEST_CASE("a triangle far larger than the guard band still covers the window, with its interpolation") {
    PassThrough programs;
    const float far = 1e6f;
    Draw draw = makeDraw(programs,
                         {{{-far, -far, 0, 1}, {-far, 0, 0, 0}},
                          {{3 * far, -far, 0, 1}, {3 * far, 0, 0, 0}},
                          {{-far, 3 * far, 0, 1}, {-far, 0, 0, 0}}},
                         kSize, kSize);
    const PrimitiveChunk chunk = allPrimitives(draw);
    int coverage[kSize] = {};
    double worst = 0;
    for (const SetupPrimitive& p : chunk.primitives)
        for (int x = p.minX; x <= p.maxX; ++x) {
            const int y = x;
            if (y < p.minY || y > p.maxY) continue;
            bool inside = true;
            for (int e = 0; e < p.edgeCount; ++e) inside &= p.edge[e].a * x + p.edge[e].b * y + p.edge[e].c >= 0;
            if (!inside) continue;
            ++coverage[x];
            const Plane& plane = chunk.planes[p.firstPlane];
            const float value = plane.dx * (x - p.originX + 0.5f) + plane.dy * (y - p.originY + 0.5f) + plane.base;
            worst = std::max<double>(worst, std::abs(value - ((x + 0.5) / (kSize / 2) - 1)));
        }
    for (int count : coverage) CHECK(count == 1);
    CHECK(worst < 1e-2);
}

TEST_CASE("literals are filled into the constants of either stage") {
    isa::Program program;
    program.constantCount = 4;
    program.literals = {{2, {0x3F800000, 0x40000000, 0, 0}}, {9, {}}};
    const std::vector<std::array<float, 4>> recorded = {{5, 6, 7, 8}};
    std::vector<std::array<float, 4>> constants = {{9, 9, 9, 9}};
    fillConstants(program, recorded, constants);
    REQUIRE(constants.size() == 4);
    CHECK(constants[0][3] == 8);
    CHECK(constants[1][0] == 0);
    CHECK(constants[2][0] == 1);
    CHECK(constants[2][1] == 2);
    fillConstants(program, {}, constants);
    CHECK(constants.size() == 4);
    CHECK(constants[0][3] == 0);
}

TEST_CASE("flat varyings have the bits of the last vertex of their primitive, clipped or not") {
    PassThrough programs;
    auto flat = std::make_shared<Program>(*programs.program);
    flat->interpolation[0] = Interpolation::Flat;
    std::mt19937 random(23);
    for (const Primitive primitive : {Primitive::Points, Primitive::Lines, Primitive::LineStrip, Primitive::LineLoop,
                                      Primitive::Triangles, Primitive::TriangleStrip, Primitive::TriangleFan}) {
        std::vector<TestVertex> vertices = randomVertices(300, static_cast<unsigned>(random()));
        // Integers: small ones are denormal floats, others infinities and NaN of all kinds.
        for (TestVertex& vertex : vertices)
            for (float& c : vertex.color) {
                const auto bits = static_cast<uint32_t>(random());
                c = std::bit_cast<float>(random() % 2 == 0 ? bits : bits % 300 | (random() % 2 == 0 ? 0x7FA00000 : 0));
            }
        Draw draw = makeDraw(programs, vertices, kSize, kSize);
        draw.state->program = flat;
        draw.primitive = primitive;
        draw.state->raster.lineWidth = 3;
        const DrawGeometry geometry(draw);
        // One by one, as the last vertex of a primitive alone may be behind the near plane.
        GeometryScratch scratch;
        PrimitiveChunk expected;
        uint64_t planes = 0, wrong = 0;
        for (uint32_t number = 0; number < geometry.primitiveCount(); ++number) {
            ChunkGeometry one;
            processChunk(geometry, number, 1, scratch, one);
            uint32_t corners[3];
            primitiveCorners(primitive, number, draw.count, corners);
            const float* const last = vertices[corners[cornerCount(primitive) - 1]].color;
            for (size_t i = 0; i < one.primitives.planes.size(); ++i) {
                const Plane& plane = one.primitives.planes[i];
                wrong += std::memcmp(&plane.base, last + i % 4, sizeof(float)) != 0 || plane.dx != 0 || plane.dy != 0;
                ++planes;
            }
            expected.planes.insert(expected.planes.end(), one.primitives.planes.begin(), one.primitives.planes.end());
        }
        CAPTURE(static_cast<int>(primitive));
        CHECK(wrong == 0);
        CHECK(planes > 100);
        const PrimitiveChunk all = allPrimitives(draw);
        REQUIRE(all.planes.size() == expected.planes.size());
        CHECK(std::memcmp(all.planes.data(), expected.planes.data(), all.planes.size() * sizeof(Plane)) == 0);
    }
}
