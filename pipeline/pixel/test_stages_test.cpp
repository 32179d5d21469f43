// The test stages, and their short form, against plain scalar references in integers.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "pipeline/testing/pixel_model.h"

using namespace tessera;
using namespace tessera::pipeline;
using namespace tessera::pipeline::test;

namespace {

/// round(z * (2^n - 1)), ties to even, in integers; z so small that 128 bits do not hold it gives 0 anyway.
uint32_t exactDepth(float z, int bits) {
    if (!(z > 0)) return 0;
    if (z >= 1) return (1u << bits) - 1;
    int exponent = 0;
    const double fraction = std::frexp(static_cast<double>(z), &exponent);  // z = fraction * 2^exponent
    const auto significand = static_cast<unsigned __int128>(std::ldexp(fraction, 24));
    const int shift = 24 - exponent;  // z = significand / 2^shift
    if (shift > 100) return 0;
    const unsigned __int128 product = significand * ((1u << bits) - 1), one = static_cast<unsigned __int128>(1)
                                                                              << shift;
    const unsigned __int128 whole = product >> shift, rest = product & (one - 1), half = one >> 1;
    const bool up = rest > half || (rest == half && (whole & 1) != 0);
    return static_cast<uint32_t>(whole) + (up ? 1 : 0);
}

bool compareScalar(Compare function, int incoming, int stored) {
    const std::array<std::function<bool()>, 8> results = {
        [] { return false; },
        [&] { return incoming < stored; },
        [&] { return incoming == stored; },
        [&] { return incoming <= stored; },
        [&] { return incoming > stored; },
        [&] { return incoming != stored; },
        [&] { return incoming >= stored; },
        [] { return true; },
    };
    return results[static_cast<size_t>(function)]();
}

int stencilScalar(StencilOp operation, int value, int reference) {
    switch (operation) {
        case StencilOp::Keep:
            return value;
        case StencilOp::Zero:
            return 0;
        case StencilOp::Replace:
            return reference;
        case StencilOp::Increment:
            return value == 255 ? 255 : value + 1;
        case StencilOp::IncrementWrap:
            return value == 255 ? 0 : value + 1;
        case StencilOp::Decrement:
            return value == 0 ? 0 : value - 1;
        case StencilOp::DecrementWrap:
            return value == 0 ? 255 : value - 1;
        case StencilOp::Invert:
            return 255 - value;
    }
    return -1;
}

template <class Enum>
Enum pick(Random& random, int count) {
    return static_cast<Enum>(random() % count);
}

}  // namespace

TEST_CASE("depth is rounded once, to nearest") {
    Random random(1);
    std::vector<float> values = {0.0f,
                                 -0.0f,
                                 1.0f,
                                 -1.0f,
                                 2.0f,
                                 0.5f,
                                 0.25f,
                                 0x1p-24f,
                                 0x1p-25f,
                                 0x1.8p-25f,
                                 0x1p-149f,
                                 std::nextafter(1.0f, 0.0f),
                                 std::nextafter(0.5f, 0.0f),
                                 std::nextafter(0.5f, 1.0f),
                                 std::numeric_limits<float>::infinity(),
                                 -std::numeric_limits<float>::infinity(),
                                 std::numeric_limits<float>::quiet_NaN()};
    for (int i = 0; i < 100000; ++i) {
        const float z = unit(random);
        values.push_back(i % 3 == 0 ? std::ldexp(z, -static_cast<int>(random() % 30)) : z);
    }
    for (int i = 0; i < 65536; ++i) values.push_back((static_cast<float>(i) + 0.5f) / 65535.0f);
    while (values.size() % 16 != 0) values.push_back(0);
    size_t wrong = 0;
    for (size_t i = 0; i < values.size(); i += 16) {
        const F32x16 z = load<F32x16>(&values[i]);
        const I32x16 depth24 = quantizeDepth(z, 24), depth16 = quantizeDepth(z, 16);
        for (int lane = 0; lane < 16; ++lane) {
            wrong += static_cast<uint32_t>(depth24[lane]) != exactDepth(values[i + lane], 24);
            wrong += static_cast<uint32_t>(depth16[lane]) >> 8 != exactDepth(values[i + lane], 16);
        }
    }
    CHECK(wrong == 0);
    CHECK(quantizeDepth(splat(1.0f), 16)[0] == 0xFFFFFF);
    CHECK(quantizeDepth(splat(0.0f), 16)[0] == 0);
}

TEST_CASE("compare functions") {
    constexpr std::array<int, 4> kValues = {0, 1, 0x800000, 0xFFFFFF};
    for (int function = 0; function < 8; ++function) {
        for (const int incoming : kValues) {
            for (const int stored : kValues) {
                const auto code = static_cast<Compare>(function);
                CHECK(compare(code, splat(incoming), splat(stored))[7] ==
                      (compareScalar(code, incoming, stored) ? -1 : 0));
            }
        }
    }
}

TEST_CASE("stencil operations") {
    for (int operation = 0; operation < 8; ++operation) {
        for (int value = 0; value < 256; ++value) {
            const auto code = static_cast<StencilOp>(operation);
            CHECK(applyStencilOp(code, splat(value), 77)[3] == stencilScalar(code, value, 77));
        }
    }
}

TEST_CASE("depth and stencil together, one image or two, any state") {
    Random random(2);
    for (int round = 0; round < 4000; ++round) {
        PixelKey key;
        PixelValues values;
        key.depthTest = random() % 4 != 0;
        key.depthWrite = key.depthTest && random() % 2 != 0;
        key.depthCompare = pick<Compare>(random, 8);
        key.stencilTest = random() % 4 != 0;
        key.sharedDepthStencil = key.depthTest && key.stencilTest && random() % 2 != 0;
        for (int side = 0; side < 2; ++side) {
            key.stencil[side] = {pick<Compare>(random, 8), pick<StencilOp>(random, 8), pick<StencilOp>(random, 8),
                                 pick<StencilOp>(random, 8)};
            values.stencil[side] = {static_cast<uint8_t>(random()), static_cast<uint8_t>(random() | random()),
                                    static_cast<uint8_t>(random() | random())};
        }
        const bool front = random() % 2 != 0, write = random() % 4 != 0;
        const uint32_t coverage = random() & 0xFFFF;
        alignas(64) std::array<uint32_t, 16> depth{}, stencil{};
        Floats z;
        for (int lane = 0; lane < 16; ++lane) {
            z[lane] = static_cast<float>(random() % 4) / 4;
            depth[lane] = exactDepth(static_cast<float>(random() % 4) / 4, 24) << 8 | (random() & 0xFF);
            stencil[lane] =
                (random() & ~0xFFu) | (random() % 3 == 0 ? values.stencil[front ? 0 : 1].reference : random() & 0xFF);
        }
        auto expectedDepth = depth, expectedStencil = stencil;
        auto& stencilImage = key.sharedDepthStencil ? expectedDepth : expectedStencil;
        uint32_t expectedPass = 0;
        for (int lane = 0; lane < 16; ++lane) {
            if ((coverage >> lane & 1) == 0) continue;
            const StencilKey& face = key.stencil[front ? 0 : 1];
            const StencilValues& numbers = values.stencil[front ? 0 : 1];
            const int old = static_cast<int>(stencilImage[lane] & 0xFF);
            const int incoming = static_cast<int>(exactDepth(z[lane], 24));
            const bool stencilPass =
                !key.stencilTest ||
                compareScalar(face.compare, numbers.reference & numbers.compareMask, old & numbers.compareMask);
            const bool depthPass =
                !key.depthTest || compareScalar(key.depthCompare, incoming, static_cast<int>(expectedDepth[lane] >> 8));
            if (stencilPass && depthPass) expectedPass |= 1u << lane;
            if (write && key.depthWrite && stencilPass && depthPass) {
                expectedDepth[lane] = static_cast<uint32_t>(incoming) << 8 | (expectedDepth[lane] & 0xFF);
            }
            if (write && key.stencilTest) {
                const StencilOp operation = !stencilPass ? face.stencilFail
                                            : depthPass  ? face.depthPass
                                                         : face.depthFail;
                const int next = stencilScalar(operation, old, numbers.reference);
                const int merged = (old & ~numbers.writeMask) | (next & numbers.writeMask);
                stencilImage[lane] = (stencilImage[lane] & ~0xFFu) | static_cast<uint32_t>(merged & 0xFF);
            }
        }
        const DepthStencilBlock block = {depth.data(), key.sharedDepthStencil ? depth.data() : stencil.data()};
        if (key.depthTest && !key.stencilTest) {
            auto fewer = depth, more = depth;
            const bool writes = write && key.depthWrite;
            CHECK(testDepthOnly<24, true>(key.depthCompare, writes, vectorOf(z), coverage, fewer.data()) ==
                  expectedPass);
            CHECK(testDepthOnly<24, false>(key.depthCompare, writes, vectorOf(z), coverage, more.data()) ==
                  expectedPass);
            CHECK(fewer == expectedDepth);
            CHECK(more == expectedDepth);
        }
        TestLanes lanes = {key, values, front ? 0 : 1, 0, block, vectorOf(z), nullptr, fromBits(coverage)};
        if (write)
            TestStages::run(lanes);
        else
            RejectStages::run(lanes);
        CHECK(toBits(lanes.passed()) == expectedPass);
        CHECK(depth == expectedDepth);
        CHECK(stencil == expectedStencil);
    }
}
