// The colour stages once more, one channel of one pixel at a time and in double precision, as the specification writes
// them: what the tests of pipeline/pixel compare with.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>

#include "pipeline/pixel/pixel_engine.h"

namespace tessera::pipeline::test {

using texture::PixelFormat;

using Random = std::mt19937;
using Floats = std::array<float, 16>;

inline float unit(Random& random) { return static_cast<float>(random() >> 8) * 0x1p-24f; }

inline F32x16 vectorOf(const Floats& values) { return load<F32x16>(values.data()); }

struct Pixel {
    std::array<double, 4> channel{};
};

inline constexpr int kBlendFactors = static_cast<int>(BlendFactor::OneMinusSrc1Alpha) + 1;

inline double factorScalar(BlendFactor factor, const Pixel& s, const Pixel& second, const Pixel& d, const Pixel& k,
                           int c) {
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

inline double blendScalar(BlendEquation equation, double s, double sf, double d, double df) {
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
        default:  // the advanced ones take whole colours (advanced_blend_test.cpp)
            return -1;
    }
}

inline double clamp01(double x) { return x > 0 ? std::min(x, 1.0) : 0.0; }

struct Block {
    alignas(64) std::array<uint32_t, 16> element{};
    std::byte* bytes() { return reinterpret_cast<std::byte*>(element.data()); }
    [[nodiscard]] int channel(int lane, int c) const { return static_cast<int>(element[lane] >> (8 * c) & 0xFF); }
};

inline int expandScalar(int value, int bits) {
    return static_cast<int>(std::floor(value * 255.0 / ((1 << bits) - 1) + 0.5));
}

struct FormatCase {
    PixelFormat format;
    std::array<int, 4> bits;  // 0: missing
};
inline constexpr std::array<FormatCase, 7> kFormats = {{{PixelFormat::Rgba8, {8, 8, 8, 8}},
                                                        {PixelFormat::Rgb8, {8, 8, 8, 0}},
                                                        {PixelFormat::Rgba4, {4, 4, 4, 4}},
                                                        {PixelFormat::Rgb5A1, {5, 5, 5, 1}},
                                                        {PixelFormat::Rgb565, {5, 6, 5, 0}},
                                                        {PixelFormat::R8, {8, 0, 0, 0}},
                                                        {PixelFormat::Rg8, {8, 8, 0, 0}}}};

/// What an element holds of a channel that the format lacks.
constexpr int missingByte(int c) { return c == 3 ? 255 : 0; }

/// A layout as a test states it, without asking the texture room.
inline ColorLayout layoutOf(const FormatCase& format) {
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
inline std::array<Pixel, 16> randomBlock(Random& random, const FormatCase& format, Block& block) {
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

/// What a program writes for a target.
struct SourceColors {
    SourceColors(const ColorBlock& only) : first(only), second(only) {}
    SourceColors(const ColorBlock& one, const ColorBlock& other) : first(one), second(other) {}
    ColorBlock first, second;
};

/// The colour stages and their end.
inline void writeColor(const TargetKey& key, const PixelValues& values, std::byte* block, const SourceColors& sources,
                       Mask16 coverage) {
    ColorLanes lanes(key, values);
    lanes.color = sources.first, lanes.second = sources.second;
    lanes.memory = block;
    ColorStages::run(lanes);
    storeColor(key.layout, block, lanes.color, coverage, lanes.channels);
}

}  // namespace tessera::pipeline::test
