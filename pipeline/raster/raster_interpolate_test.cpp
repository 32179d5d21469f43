// Interpolation against double precision, and where it must be exact.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "pipeline/raster/interpolate.h"

using namespace tessera;
using namespace tessera::pipeline;

namespace {

using Random = std::mt19937;

float between(Random& random, float low, float high) {
    return low + (high - low) * (static_cast<float>(random() >> 8) * 0x1p-24f);
}

/// The plane of value(x, y) = at + gx * (x - originX) + gy * (y - originY) over pixel centres.
Plane planeOf(double at, double gx, double gy) {
    return {static_cast<float>(at), static_cast<float>(gx), static_cast<float>(gy)};
}

}  // namespace

TEST_CASE("constant attributes and depths stay exact") {
    Random random(1);
    for (int round = 0; round < 1000; ++round) {
        SetupPrimitive primitive;
        primitive.originX = static_cast<int>(random() % kMaxRenderSize),
        primitive.originY = static_cast<int>(random() % kMaxRenderSize);
        const float value = between(random, -1000, 1000), depth = between(random, 0, 1);
        primitive.inverseW = {1.0f, 0.0f, 0.0f};
        primitive.depth = {depth, 0.0f, 0.0f};
        const BlockPosition at =
            blockPosition(primitive, static_cast<int>(random() % 1024), static_cast<int>(random() % 1024));
        const F32x16 result = evaluateAttribute({value, 0.0f, 0.0f}, at, evaluateW(primitive, at));
        const F32x16 z = evaluateDepth(primitive, at);
        for (int lane = 0; lane < 16; ++lane) {
            CHECK(result[lane] == value);
            CHECK(z[lane] == depth);
        }
    }
}

TEST_CASE("lanes are pixel centres") {
    SetupPrimitive primitive;
    primitive.originX = 7, primitive.originY = 50;
    const BlockPosition at = blockPosition(primitive, 3, 10);
    CHECK(at.x[0] == 12 - 7 + 0.5f);
    CHECK(at.y[0] == 40 - 50 + 0.5f);
    CHECK(at.x[6] == 14 - 7 + 0.5f);
    CHECK(at.y[6] == 41 - 50 + 0.5f);
}

TEST_CASE("a plane of blocks one after the other is that of each, exact in doubles or not") {
    Random random(4);
    for (int round = 0; round < 500; ++round) {
        SetupPrimitive primitive;
        primitive.originX = static_cast<int>(random() % kMaxRenderSize),
        primitive.originY = static_cast<int>(random() % kMaxRenderSize);
        const float small = round % 3 == 0 ? 0x1p-40f : 1;
        const Plane plane = {between(random, -10, 10), between(random, -1, 1) * small, between(random, -1, 1)};
        BlockPlane blocks(plane);
        int blockX = 3, blockY = 5;
        for (int i = 0; i < 20; ++i) {
            const bool isSameRow = i != 0 && random() % 4 != 0;
            blockX = isSameRow ? blockX + 1 : static_cast<int>(random() % 1024);
            blockY = isSameRow ? blockY : static_cast<int>(random() % 1024);
            const BlockPosition at = blockPosition(primitive, blockX, blockY);
            const F32x16 result = blocks.next(at, isSameRow), expected = evaluate(plane, at);
            for (int lane = 0; lane < 16; ++lane) CHECK(result[lane] == expected[lane]);
        }
    }
}

TEST_CASE("planes are evaluated with two fused roundings") {
    Random random(2);
    for (int round = 0; round < 2000; ++round) {
        SetupPrimitive primitive;
        primitive.originX = static_cast<int>(random() % kMaxRenderSize),
        primitive.originY = static_cast<int>(random() % kMaxRenderSize);
        const Plane plane = {between(random, -10, 10), between(random, -1, 1), between(random, -1, 1)};
        const int blockX = static_cast<int>(random() % 1024), blockY = static_cast<int>(random() % 1024);
        const F32x16 result = evaluate(plane, blockPosition(primitive, blockX, blockY));
        for (int lane = 0; lane < 16; ++lane) {
            const float x = static_cast<float>(blockX * 4 + lane % 4 - primitive.originX) + 0.5f;
            const float y = static_cast<float>(blockY * 4 + lane / 4 - primitive.originY) + 0.5f;
            CHECK(result[lane] == std::fma(plane.dx, x, std::fma(plane.dy, y, plane.base)));
        }
    }
}

// Where fma() is emulated in doubles: digits that doubles barely hold, or lose, and sums halfway between two singles.
TEST_CASE("planes whose parts are of different size are rounded as often") {
    Random random(5);
    const auto value = [&](int exponents) {
        const auto bits = static_cast<uint32_t>(random());
        const uint32_t digits = 1u << random() % 23 | 1u << random() % 23 | (bits % 4 == 0 ? bits >> 9 : 0);
        const uint32_t exponent = 127 - static_cast<uint32_t>(random()) % static_cast<uint32_t>(exponents);
        return bits % 13 == 0 ? 0.0f : __builtin_bit_cast(float, bits << 31 | exponent << 23 | digits);
    };
    int wrong = 0;
    for (int round = 0; round < 200000; ++round) {
        SetupPrimitive primitive;
        primitive.originX = static_cast<int>(random() % kMaxRenderSize),
        primitive.originY = static_cast<int>(random() % kMaxRenderSize);
        const int blockX = static_cast<int>(random() % 1024), blockY = static_cast<int>(random() % 1024);
        const float dx = static_cast<float>(random() % 8) / 8 - 0.5f, dy = static_cast<float>(random() % 8) / 8 - 0.5f;
        const int exponents = round % 2 == 0 ? 127 : 40;
        Plane plane = {value(exponents), value(exponents), value(exponents)};
        // One pixel's part is half a unit of the last place of the base, or nearly so.
        const float half = plane.base != 0 ? std::ldexp(1.0f, std::ilogb(plane.base) - 24) : 0;
        const float x = static_cast<float>(blockX * 4 - primitive.originX) + 0.5f + dx;
        const float y = static_cast<float>(blockY * 4 - primitive.originY) + 0.5f + dy;
        if (round % 8 == 1 && plane.base != 0 && x != 0) plane.dx = half / x, plane.dy = 0;
        if (round % 8 == 3 && plane.base != 0 && y != 0) plane.dy = half / y;
        const F32x16 result = evaluate(plane, moved(blockPosition(primitive, blockX, blockY), dx, dy));
        for (int lane = 0; lane < 16; ++lane) {
            const float rows = std::fma(plane.dy, y + static_cast<float>(lane / 4), plane.base);
            wrong += result[lane] != std::fma(plane.dx, x + static_cast<float>(lane % 4), rows);
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("perspective against double precision") {
    Random random(3);
    double worst = 0;
    for (int round = 0; round < 2000; ++round) {
        SetupPrimitive primitive;
        primitive.originX = 2000, primitive.originY = 1000;
        // 1/w and a/w, affine over 256 pixels around the origin; w from 1/2 to 20.
        const double q = between(random, 0.3f, 2.0f), qx = between(random, -0.0005f, 0.0005f),
                     qy = between(random, -0.0005f, 0.0005f);
        const double a = between(random, -1, 1), ax = between(random, -0.004f, 0.004f),
                     ay = between(random, -0.004f, 0.004f);
        primitive.inverseW = planeOf(q, qx, qy);
        const int blockX = 500 + static_cast<int>(random() % 64) - 32,
                  blockY = 250 + static_cast<int>(random() % 64) - 32;
        const BlockPosition at = blockPosition(primitive, blockX, blockY);
        const F32x16 result = evaluateAttribute(planeOf(a, ax, ay), at, evaluateW(primitive, at));
        for (int lane = 0; lane < 16; ++lane) {
            const double x = blockX * 4 + lane % 4 - 2000 + 0.5, y = blockY * 4 + lane / 4 - 1000 + 0.5;
            worst = std::max(worst, std::abs(result[lane] - (a + ax * x + ay * y) / (q + qx * x + qy * y)));
        }
    }
    CHECK(worst < 1e-5);
}

TEST_CASE("nothing but the canonical NaN reaches a program, and depth stays in range") {
    SetupPrimitive primitive;
    const float infinity = std::numeric_limits<float>::infinity();
    primitive.inverseW = {0.0f, 0.0f, 0.0f};
    const BlockPosition at = blockPosition(primitive, 0, 0);
    const F32x16 result = evaluateAttribute({0.0f, 0.0f, 0.0f}, at, evaluateW(primitive, at));  // 0 * infinity
    CHECK(asUint(result)[9] == 0x7fc00000u);
    primitive.depth = {infinity, -infinity, 0.0f};
    CHECK(evaluateDepth(primitive, at)[0] == 0.0f);
    primitive.depth = {2.0f, 0.0f, 0.0f};
    CHECK(evaluateDepth(primitive, at)[0] == 1.0f);
    primitive.depth = {-2.0f, 0.0f, 0.0f};
    CHECK(evaluateDepth(primitive, at)[0] == 0.0f);
}
