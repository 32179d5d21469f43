// The colour stages: blending, dithering, quantisation and writing of a block, against plain scalar references in
// integers and double precision.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "pipeline/testing/pixel_model.h"

using namespace tessera;
using namespace tessera::pipeline;
using namespace tessera::pipeline::test;

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
        const ColorLayout layout = colorLayout(isHalf ? PixelFormat::Rgba16F : PixelFormat::Rgba32F, true);
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

namespace {

using Three = std::array<double, 3>;

double luminosityOf(const Three& c) { return 0.30 * c[0] + 0.59 * c[1] + 0.11 * c[2]; }
double leastOf(const Three& c) { return std::min({c[0], c[1], c[2]}); }
double mostOf(const Three& c) { return std::max({c[0], c[1], c[2]}); }

/// SetLum, SetLumSat and ClipColor of KHR_blend_equation_advanced.
Three withLuminosity(Three base, const Three& of) {
    const double difference = luminosityOf(of) - luminosityOf(base);
    for (double& c : base) c += difference;
    const double lum = luminosityOf(base), low = leastOf(base), high = mostOf(base);
    for (double& c : base) {
        if (low < 0) c = lum + (c - lum) * lum / (lum - low);
        if (high > 1) c = lum + (c - lum) * (1 - lum) / (high - lum);
    }
    return base;
}
Three withSaturation(Three base, const Three& saturated, const Three& of) {
    const double low = leastOf(base), own = mostOf(base) - low, wanted = mostOf(saturated) - leastOf(saturated);
    for (double& c : base) c = own > 0 ? (c - low) * wanted / own : 0;
    return withLuminosity(base, of);
}

double functionOf(BlendEquation equation, double s, double d) {
    switch (equation) {
        case BlendEquation::Multiply:
            return s * d;
        case BlendEquation::Screen:
            return s + d - s * d;
        case BlendEquation::Overlay:
            return d <= 0.5 ? 2 * s * d : 1 - 2 * (1 - s) * (1 - d);
        case BlendEquation::Darken:
            return std::min(s, d);
        case BlendEquation::Lighten:
            return std::max(s, d);
        case BlendEquation::ColorDodge:
            return d <= 0 ? 0 : s < 1 ? std::min(1.0, d / (1 - s)) : 1;
        case BlendEquation::ColorBurn:
            return d >= 1 ? 1 : s > 0 ? 1 - std::min(1.0, (1 - d) / s) : 0;
        case BlendEquation::HardLight:
            return s <= 0.5 ? 2 * s * d : 1 - 2 * (1 - s) * (1 - d);
        case BlendEquation::SoftLight:
            if (s <= 0.5) return d - (1 - 2 * s) * d * (1 - d);
            return d <= 0.25 ? d + (2 * s - 1) * d * ((16 * d - 12) * d + 3) : d + (2 * s - 1) * (std::sqrt(d) - d);
        case BlendEquation::Difference:
            return std::abs(d - s);
        default:
            return s + d - 2 * s * d;
    }
}

Three colorOf(BlendEquation equation, const Three& s, const Three& d) {
    if (equation == BlendEquation::HslHue) return withSaturation(s, d, d);
    if (equation == BlendEquation::HslSaturation) return withSaturation(d, s, d);
    if (equation == BlendEquation::HslColor) return withLuminosity(s, d);
    if (equation == BlendEquation::HslLuminosity) return withLuminosity(d, s);
    Three result{};
    for (size_t c = 0; c < 3; ++c) result[c] = functionOf(equation, s[c], d[c]);
    return result;
}

}  // namespace

TEST_CASE("the advanced blend equations, every format, against double precision") {
    Random random(8);
    int wrong = 0;
    for (auto equation = static_cast<int>(BlendEquation::Multiply);
         equation <= static_cast<int>(BlendEquation::HslLuminosity); ++equation) {
        for (int round = 0; round < 60; ++round) {
            const FormatCase& format = kFormats[random() % kFormats.size()];
            TargetKey key;
            key.layout = layoutOf(format);
            key.blend = true;
            key.equation[0] = key.equation[1] = static_cast<BlendEquation>(equation);
            Block block;
            const std::array<Pixel, 16> stored = randomBlock(random, format, block);
            std::array<Floats, 4> outputs;
            ColorBlock color;
            for (int lane = 0; lane < 16; ++lane) {
                outputs[3][lane] = random() % 4 == 0 ? static_cast<float>(random() % 2) : unit(random);
                for (size_t c = 0; c < 3; ++c)
                    outputs[c][lane] = outputs[3][lane] * static_cast<float>(random() % 5) / 4;
            }
            for (int c = 0; c < 4; ++c) color.channel[c] = vectorOf(outputs[c]);
            writeColor(key, {}, block.bytes(), {color, {}}, splat(-1));
            for (int lane = 0; lane < 16; ++lane) {
                const auto fraction = [&](int c) {
                    return format.bits[c] == 0 ? 1.0 : static_cast<double>(stored[lane].channel[c]);
                };
                const double as = static_cast<double>(outputs[3][lane]), ad = fraction(3);
                Three s{}, d{};
                for (size_t c = 0; c < 3; ++c) {
                    s[c] = as == 0 ? 0 : static_cast<double>(outputs[c][lane]) / as;
                    d[c] = ad == 0 ? 0 : fraction(static_cast<int>(c)) / ad;
                }
                // Hue, saturation and luminosity are defined of colours up to 1.
                if (equation >= static_cast<int>(BlendEquation::HslHue) && mostOf(d) > 1) continue;
                const Three f = colorOf(static_cast<BlendEquation>(equation), s, d);
                for (int c = 0; c < 4; ++c) {
                    if (format.bits[c] == 0) continue;
                    const auto i = static_cast<size_t>(c);
                    const double exact =
                        c == 3 ? as + ad - as * ad : f[i] * as * ad + s[i] * as * (1 - ad) + d[i] * ad * (1 - as);
                    const double largest = (1 << format.bits[c]) - 1;
                    const double got = std::nearbyint(block.channel(lane, c) * largest / 255);
                    wrong += std::abs(got - std::clamp(exact, 0.0, 1.0) * largest) > 0.51;
                }
            }
        }
    }
    CHECK(wrong == 0);
}
