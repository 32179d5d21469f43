// Counts and corner orders against the lists of the specification (section 2.7), written out by hand.
#include "pipeline/geometry/assembly.h"

#include <span>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "pipeline/commands.h"
#include "pipeline/geometry/index_runs.h"
#include "pipeline/geometry/vertex_fetch.h"

using namespace tessera;
using namespace tessera::pipeline;

namespace {

/// "012 213": the corners of all primitives.
std::string assembled(Primitive primitive, uint32_t vertices) {
    std::string text;
    for (uint32_t p = 0; p < primitiveCount(primitive, vertices); ++p) {
        uint32_t corners[3];
        primitiveCorners(primitive, p, vertices, corners);
        if (p > 0) text += ' ';
        for (int c = 0; c < cornerCount(primitive); ++c) text += std::to_string(corners[c]);
    }
    return text;
}

}  // namespace

TEST_CASE("all seven primitive types") {
    CHECK(assembled(Primitive::Points, 3) == "0 1 2");
    CHECK(assembled(Primitive::Lines, 5) == "01 23");
    CHECK(assembled(Primitive::LineStrip, 4) == "01 12 23");
    CHECK(assembled(Primitive::LineLoop, 4) == "01 12 23 30");
    CHECK(assembled(Primitive::Triangles, 8) == "012 345");
    CHECK(assembled(Primitive::TriangleStrip, 6) == "012 213 234 435");
    CHECK(assembled(Primitive::TriangleFan, 5) == "012 023 034");
}

TEST_CASE("too few vertices make nothing") {
    CHECK(assembled(Primitive::Points, 0).empty());
    CHECK(assembled(Primitive::Lines, 1).empty());
    CHECK(assembled(Primitive::LineStrip, 1).empty());
    CHECK(assembled(Primitive::LineLoop, 1).empty());
    CHECK(assembled(Primitive::LineLoop, 2) == "01 10");
    CHECK(assembled(Primitive::Triangles, 2).empty());
    CHECK(assembled(Primitive::TriangleStrip, 2).empty());
    CHECK(assembled(Primitive::TriangleFan, 2).empty());
    CHECK(primitiveCount(Primitive::TriangleStrip, 0xFFFFFFFF) == 0xFFFFFFFD);
}

TEST_CASE("the index of all ones begins another strip, fan, loop or list") {
    const auto restarted = [](Primitive primitive, const std::vector<uint16_t>& indices) {
        Draw draw;
        draw.primitive = primitive;
        draw.indexType = IndexType::U16;
        draw.restart = true;
        draw.count = static_cast<uint32_t>(indices.size());
        draw.indices = std::make_shared<Buffer>(std::as_bytes(std::span(indices)));
        const std::vector<IndexRun> runs = indexRuns(draw);
        std::string text;
        for (uint32_t p = 0; p < drawnPrimitives(draw); ++p) {
            uint32_t corners[3];
            drawCorners(draw, runs, p, corners);
            if (p > 0) text += ' ';
            for (int c = 0; c < cornerCount(primitive); ++c) text += std::to_string(vertexElement(draw, corners[c]));
        }
        return text;
    };
    constexpr uint16_t kEnd = 0xFFFF;
    CHECK(restarted(Primitive::TriangleStrip, {0, 1, 2, 3, kEnd, 4, 5, 6, 7}) == "012 213 456 657");
    CHECK(restarted(Primitive::TriangleFan, {0, 1, 2, 3, kEnd, 4, 5, 6}) == "012 023 456");
    CHECK(restarted(Primitive::LineLoop, {0, 1, 2, kEnd, 3, kEnd, kEnd, 4, 5}) == "01 12 20 45 54");
    CHECK(restarted(Primitive::LineStrip, {kEnd, 0, 1, kEnd, 2, 3, 4, kEnd}) == "01 23 34");
    CHECK(restarted(Primitive::Lines, {0, 1, 2, kEnd, 3, 4}) == "01 34");
    CHECK(restarted(Primitive::Triangles, {0, 1, kEnd, 2, 3, 4, 5, 6}) == "234");
    CHECK(restarted(Primitive::Points, {0, kEnd, 1}) == "0 1");
    CHECK(restarted(Primitive::Points, {kEnd, kEnd}).empty());
    CHECK(restarted(Primitive::LineLoop, {}).empty());
}
