// Counts and corner orders against the lists of the specification (section 2.7), written out by hand.
#include "pipeline/geometry/assembly.h"

#include <string>

#include <doctest/doctest.h>

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
