// Depth, stencil, blending, dithering and quantisation of a block against plain scalar references in integers and
// double precision.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <vector>

#include "pipeline/pixel/pixel_color.h"
#include "pipeline/pixel/pixel_ops.h"

using namespace tessera;
using namespace tessera::pipeline;
using texture::PixelFormat;

namespace {

using Random = std::mt19937;
using Floats = std::array<float, 16>;

float unit(Random& random) { return static_cast<float>(random() >> 8) * 0x1p-24f; }

F32x16 vectorOf(const Floats& values) { return load<F32x16>(values.data()); }

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
        const Mask16 pass = testDepthStencil(key, values, front, vectorOf(z), fromBits(coverage), block, write);
        CHECK(toBits(pass) == expectedPass);
        CHECK(depth == expectedDepth);
        CHECK(stencil == expectedStencil);
    }
}

// Colour

namespace {

struct Pixel {
    std::array<double, 4> channel{};
};

constexpr int kBlendFactors = static_cast<int>(BlendFactor::OneMinusSrc1Alpha) + 1;

double factorScalar(BlendFactor factor, const Pixel& s, const Pixel& second, const Pixel& d, const Pixel& k, int c) {
    switch (factor) {
        case BlendFactor::Zero:
            return 0;
        case BlendFactor::One:
            return 1;
        case BlendFactor::SrcColor:
            return s.channel[c];
        case BlendFactor::OneMinusSrcColor:
            return 1 - s.channel[c];
        case BlendFactor::DstColor:
            return d.channel[c];
        case BlendFactor::OneMinusDstColor:
            return 1 - d.channel[c];
        case BlendFactor::SrcAlpha:
            return s.channel[3];
        case BlendFactor::OneMinusSrcAlpha:
            return 1 - s.channel[3];
        case BlendFactor::DstAlpha:
            return d.channel[3];
        case BlendFactor::OneMinusDstAlpha:
            return 1 - d.channel[3];
        case BlendFactor::ConstantColor:
            return k.channel[c];
        case BlendFactor::OneMinusConstantColor:
            return 1 - k.channel[c];
        case BlendFactor::ConstantAlpha:
            return k.channel[3];
        case BlendFactor::OneMinusConstantAlpha:
            return 1 - k.channel[3];
        case BlendFactor::SrcAlphaSaturate:
            return c == 3 ? 1 : std::min(s.channel[3], 1 - d.channel[3]);
        case BlendFactor::Src1Color:
            return second.channel[c];
        case BlendFactor::OneMinusSrc1Color:
            return 1 - second.channel[c];
        case BlendFactor::Src1Alpha:
            return second.channel[3];
        case BlendFactor::OneMinusSrc1Alpha:
            return 1 - second.channel[3];
    }
    return -1;
}

double blendScalar(BlendEquation equation, double s, double sf, double d, double df) {
    switch (equation) {
        case BlendEquation::Add:
            return s * sf + d * df;
        case BlendEquation::Subtract:
            return s * sf - d * df;
        case BlendEquation::ReverseSubtract:
            return d * df - s * sf;
        case BlendEquation::Min:
            return std::min(s, d);
        case BlendEquation::Max:
            return std::max(s, d);
    }
    return -1;
}

double clamp01(double x) { return x > 0 ? std::min(x, 1.0) : 0.0; }

struct Block {
    alignas(64) std::array<uint32_t, 16> element{};
    std::byte* bytes() { return reinterpret_cast<std::byte*>(element.data()); }
    [[nodiscard]] int channel(int lane, int c) const { return static_cast<int>(element[lane] >> (8 * c) & 0xFF); }
};

int expandScalar(int value, int bits) { return static_cast<int>(std::floor(value * 255.0 / ((1 << bits) - 1) + 0.5)); }

struct FormatCase {
    PixelFormat format;
    std::array<int, 4> bits;  // 0: missing
};
constexpr std::array<FormatCase, 7> kFormats = {{{PixelFormat::Rgba8, {8, 8, 8, 8}},
                                                 {PixelFormat::Rgb8, {8, 8, 8, 0}},
                                                 {PixelFormat::Rgba4, {4, 4, 4, 4}},
                                                 {PixelFormat::Rgb5A1, {5, 5, 5, 1}},
                                                 {PixelFormat::Rgb565, {5, 6, 5, 0}},
                                                 {PixelFormat::R8, {8, 0, 0, 0}},
                                                 {PixelFormat::Rg8, {8, 8, 0, 0}}}};

/// What an element holds of a channel that the format lacks.
constexpr int missingByte(int c) { return c == 3 ? 255 : 0; }

/// A layout as a test states it, without asking the texture room.
ColorLayout layoutOf(const FormatCase& format) {
    ColorLayout layout;
    layout.present = true;
    layout.channels = 0;
    for (int c = 0; c < 4; ++c) layout.channels |= static_cast<uint8_t>((format.bits[c] != 0) << c);
    for (int c = 0; c < 4; ++c) {
        if (format.bits[c] == 0) continue;
        layout.bits[c] = static_cast<uint8_t>(format.bits[c]);
        layout.scale[c] = static_cast<float>((1 << format.bits[c]) - 1);
    }
    return layout;
}

/// Fills a block with values the format can hold, and says what they mean.
std::array<Pixel, 16> randomBlock(Random& random, const FormatCase& format, Block& block) {
    std::array<Pixel, 16> meaning;
    for (int lane = 0; lane < 16; ++lane) {
        block.element[lane] = 0;
        for (int c = 0; c < 4; ++c) {
            const int bits = format.bits[c];
            const int value = bits == 0 ? 1 : static_cast<int>(random() % (1u << bits));
            const int stored = bits == 0 ? missingByte(c) : expandScalar(value, bits);
            meaning[lane].channel[c] = bits == 0 ? 1.0 : value / static_cast<double>((1 << bits) - 1);
            block.element[lane] |= static_cast<uint32_t>(stored) << (8 * c);
        }
    }
    return meaning;
}

}  // namespace

TEST_CASE("every blend factor and equation, every format, against double precision") {
    Random random(3);
    double worst = 0;
    for (int source = 0; source < kBlendFactors; ++source) {
        for (int destination = 0; destination < kBlendFactors; ++destination) {
            for (int equation = 0; equation < 5; ++equation) {
                const FormatCase& format = kFormats[random() % kFormats.size()];
                TargetKey key;
                key.layout = layoutOf(format);
                key.blend = true;
                key.equation[0] = static_cast<BlendEquation>(equation);
                key.source[0] = static_cast<BlendFactor>(source);
                key.destination[0] = static_cast<BlendFactor>(destination);
                // Alpha goes through the same table in another order.
                key.equation[1] = static_cast<BlendEquation>((equation + 2) % 5);
                key.source[1] = static_cast<BlendFactor>(destination);
                key.destination[1] = static_cast<BlendFactor>(source);
                key.dualSource = std::max(source, destination) >= static_cast<int>(BlendFactor::Src1Color);
                PixelValues values;
                Pixel constant;
                for (int c = 0; c < 4; ++c) {
                    values.blendColor[c] = unit(random) * 1.5f - 0.25f;
                    constant.channel[c] = clamp01(values.blendColor[c]);
                }
                Block block;
                const std::array<Pixel, 16> stored = randomBlock(random, format, block);
                std::array<Floats, 4> outputs, seconds;
                for (std::array<Floats, 4>* colors : {&outputs, &seconds}) {
                    for (Floats& channel : *colors) {
                        for (float& value : channel) value = unit(random) * 1.4f - 0.2f;
                    }
                }
                ColorBlock color, second;
                for (int c = 0; c < 4; ++c) color.channel[c] = vectorOf(outputs[c]);
                for (int c = 0; c < 4; ++c) second.channel[c] = vectorOf(seconds[c]);
                writeColor(key, values, block.bytes(), {color, second}, splat(-1));
                for (int lane = 0; lane < 16; ++lane) {
                    Pixel s, other;
                    for (int c = 0; c < 4; ++c) s.channel[c] = clamp01(outputs[c][lane]);
                    for (int c = 0; c < 4; ++c) other.channel[c] = clamp01(seconds[c][lane]);
                    for (int c = 0; c < 4; ++c) {
                        const int part = c == 3 ? 1 : 0, bits = format.bits[c];
                        if (bits == 0) {
                            CHECK(block.channel(lane, c) == missingByte(c));
                            continue;
                        }
                        const double exact = clamp01(
                            blendScalar(key.equation[part], s.channel[c],
                                        factorScalar(key.source[part], s, other, stored[lane], constant, c),
                                        stored[lane].channel[c],
                                        factorScalar(key.destination[part], s, other, stored[lane], constant, c)));
                        const int levels = (1 << bits) - 1;
                        const int value = static_cast<int>(std::lround(block.channel(lane, c) * levels / 255.0));
                        CHECK(block.channel(lane, c) == expandScalar(value, bits));
                        worst = std::max(worst, std::abs(value - exact * levels));
                    }
                }
            }
        }
    }
    CHECK(worst <= 0.5 + 1e-4);
}

TEST_CASE("stored eight-bit values survive a blend that keeps them") {
    TargetKey key;
    key.blend = true;
    key.dither = true;
    for (const FormatCase& format : kFormats) {
        key.layout = layoutOf(format);
        Random random(4);
        Block block;
        randomBlock(random, format, block);
        const Block before = block;
        for (const BlendFactor factor : {BlendFactor::Zero, BlendFactor::SrcColor}) {
            for (int part = 0; part < 2; ++part) {
                key.source[part] = factor;
                key.destination[part] = BlendFactor::One;
            }
            ColorBlock black;
            for (F32x16& channel : black.channel) channel = splat(0.0f);
            writeColor(key, PixelValues{}, block.bytes(), black, splat(-1));
            CHECK(block.element == before.element);
        }
    }
}

TEST_CASE("quantisation rounds to nearest, ties to even") {
    TargetKey key;
    for (const FormatCase& format : kFormats) {
        key.layout = layoutOf(format);
        for (int step = 0; step <= 4096; ++step) {
            const float value = static_cast<float>(step) / 4096.0f;
            ColorBlock color;
            for (F32x16& channel : color.channel) channel = splat(value);
            Block block;
            writeColor(key, PixelValues{}, block.bytes(), color, splat(-1));
            for (int c = 0; c < 4; ++c) {
                const int bits = format.bits[c];
                const double scaled = value * static_cast<double>((1 << bits) - 1);  // exact
                double nearest = std::floor(scaled + 0.5);
                if (nearest - scaled == 0.5 && std::fmod(nearest, 2.0) == 1.0) nearest -= 1;
                CHECK(block.channel(5, c) ==
                      (bits == 0 ? missingByte(c) : expandScalar(static_cast<int>(nearest), bits)));
            }
        }
    }
}

TEST_CASE("colours that are no numbers or out of range") {
    Block block;
    ColorBlock color;
    color.channel[0] = splat(std::numeric_limits<float>::quiet_NaN());
    color.channel[1] = splat(std::numeric_limits<float>::infinity());
    color.channel[2] = splat(-3.0f);
    color.channel[3] = splat(7.0f);
    writeColor(TargetKey{.layout = layoutOf(kFormats[0])}, PixelValues{}, block.bytes(), color, splat(-1));
    CHECK(block.element[0] == 0xFF00FF00u);
}

TEST_CASE("dithering keeps the mean of a block and leaves eight bits alone") {
    // The recursive definition of Bayer's matrix, not the table in the code.
    const auto bayer = [](int x, int y) {
        const auto two = [](int i, int j) { return j == 0 ? (i == 0 ? 0 : 2) : (i == 0 ? 3 : 1); };
        return 4 * two(x & 1, y & 1) + two(x >> 1, y >> 1);
    };
    TargetKey key;
    key.dither = true;
    for (const FormatCase& format : kFormats) {
        key.layout = layoutOf(format);
        for (int step = 0; step <= 1000; ++step) {
            const float value = static_cast<float>(step) / 1000.0f;
            ColorBlock color;
            for (F32x16& channel : color.channel) channel = splat(value);
            Block block;
            writeColor(key, PixelValues{}, block.bytes(), color, splat(-1));
            for (int c = 0; c < 4; ++c) {
                const int bits = format.bits[c];
                if (bits == 0) continue;
                const double scaled = static_cast<double>(value) * ((1 << bits) - 1);
                for (int lane = 0; lane < 16; ++lane) {
                    const double threshold = (bayer(lane % 4, lane / 4) + 0.5) / 16;
                    const double shifted = scaled + (bits == 8 ? 0.5 : threshold);
                    if (std::abs(shifted - std::round(shifted)) < 1e-4) continue;  // float and double may part there
                    CHECK(block.channel(lane, c) == expandScalar(static_cast<int>(std::floor(shifted)), bits));
                }
            }
        }
    }
}

TEST_CASE("colour mask and coverage choose bytes") {
    Random random(5);
    for (int round = 0; round < 500; ++round) {
        const FormatCase& format = kFormats[random() % kFormats.size()];
        TargetKey key;
        key.layout = layoutOf(format);
        key.writeMask = random() & 0xF;
        const uint32_t coverage = random() & 0xFFFF;
        Block block;
        randomBlock(random, format, block);
        const Block before = block;
        ColorBlock color;
        for (F32x16& channel : color.channel) channel = splat(random() % 2 == 0 ? 1.0f : 0.0f);
        writeColor(key, PixelValues{}, block.bytes(), color, fromBits(coverage));
        for (int lane = 0; lane < 16; ++lane) {
            for (int c = 0; c < 4; ++c) {
                const bool written =
                    (coverage >> lane & 1) != 0 && (key.writeMask >> c & 1) != 0 && format.bits[c] != 0;
                CHECK(block.channel(lane, c) ==
                      (written ? static_cast<int>(color.channel[c][lane]) * 255 : before.channel(lane, c)));
            }
        }
    }
}

TEST_CASE("float buffers blend every factor and equation without clamps, against double precision") {
    Random random(6);
    int wrong = 0;
    for (int round = 0; round < kBlendFactors * kBlendFactors * 5; ++round) {
        const bool isHalf = round % 2 == 1;
        const ColorLayout layout = colorLayout(isHalf ? PixelFormat::Rgba16F : PixelFormat::Rgba32F);
        TargetKey key;
        key.layout = layout;
        key.blend = true;
        for (int part = 0; part < 2; ++part) {
            key.equation[part] = static_cast<BlendEquation>((round / (kBlendFactors * kBlendFactors) + part) % 5);
            key.source[part] = static_cast<BlendFactor>((round + part) % kBlendFactors);
            key.destination[part] = static_cast<BlendFactor>((round / kBlendFactors + 7 * part) % kBlendFactors);
        }
        key.dualSource = true;
        // Halves with few bits, so that stored values, inputs and constants are exact.
        const auto value = [&] { return static_cast<float>(static_cast<int>(random() % 129) - 64) / 16; };
        PixelValues values;
        Pixel constant, source, other, stored;
        std::array<float, 4> wide;
        std::array<uint16_t, 4> narrow;
        for (int c = 0; c < 4; ++c) {
            constant.channel[c] = values.blendColor[c] = value();
            stored.channel[c] = wide[c] = value();
            narrow[c] = static_cast<uint16_t>(texture::floatToHalf(splat(wide[c]))[0]);
        }
        ColorBlock color, second;
        for (int c = 0; c < 4; ++c) {
            source.channel[c] = value(), other.channel[c] = value();
            color.channel[c] = splat(static_cast<float>(source.channel[c]));
            second.channel[c] = splat(static_cast<float>(other.channel[c]));
        }
        alignas(64) std::array<std::byte, 256> block{};
        const int lane = static_cast<int>(random() % 16);
        if (isHalf) {
            std::memcpy(block.data() + lane * 8, narrow.data(), 8);
        } else {
            std::memcpy(block.data() + lane * 16, wide.data(), 16);
        }
        writeColor(key, values, block.data(), {color, second}, fromBits(1u << lane));
        const ColorBlock result = loadColor(layout, block.data());
        for (int c = 0; c < 4; ++c) {
            const int part = c == 3 ? 1 : 0;
            const double exact =
                blendScalar(key.equation[part], source.channel[c],
                            factorScalar(key.source[part], source, other, stored, constant, c), stored.channel[c],
                            factorScalar(key.destination[part], source, other, stored, constant, c));
            wrong += std::abs(result.channel[c][lane] - exact) > std::abs(exact) * (isHalf ? 0x1p-11 : 0x1p-23) + 1e-9;
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("float buffers are neither clamped nor rounded") {
    TargetKey key;
    ColorLayout& layout = key.layout;
    layout.present = true;
    for (float& scale : layout.scale) scale = 1;
    key.blend = true;
    for (int part = 0; part < 2; ++part) key.source[part] = key.destination[part] = BlendFactor::One;
    ColorBlock color;
    for (int c = 0; c < 4; ++c) color.channel[c] = splat(-1.5f * static_cast<float>(c + 1));

    layout.element = texture::Element::Rgba32F;
    alignas(64) std::array<float, 64> wide{};
    for (int twice = 0; twice < 2; ++twice) {
        writeColor(key, PixelValues{}, reinterpret_cast<std::byte*>(wide.data()), color, fromBits(0x00F0));
    }
    CHECK(wide[4 * 4 + 1] == -6.0f);
    CHECK(wide[7 * 4 + 3] == -12.0f);
    CHECK(wide[3 * 4 + 3] == 0.0f);

    layout.element = texture::Element::Rgba16F;
    alignas(64) std::array<uint16_t, 64> narrow{};
    writeColor(key, PixelValues{}, reinterpret_cast<std::byte*>(narrow.data()), color, fromBits(0x8000));
    CHECK(narrow[15 * 4 + 0] == 0xBE00);  // -1.5
    CHECK(narrow[15 * 4 + 1] == 0xC200);  // -3
    CHECK(narrow[14 * 4 + 1] == 0);
}
