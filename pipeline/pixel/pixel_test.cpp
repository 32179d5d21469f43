// The pixel engine as a whole: a block is merged into targets that differ in format, write mask and blending, with one
// sample and with four.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "pipeline/pixel/pixel_forms.h"
#include "pipeline/pixel/pixel_key.h"
#include "pipeline/render_target.h"
#include "pipeline/testing/pixel_model.h"
#include "shader-core/isa/isa.h"
#include "shader-core/isa/program.h"
#include "texture/image.h"

using namespace tessera;
using namespace tessera::pipeline;
using namespace tessera::pipeline::test;

namespace {

template <class Enum>
Enum pick(Random& random, int count) {
    return static_cast<Enum>(random() % count);
}

TargetKey randomTarget(Random& random, const FormatCase& format) {
    TargetKey key;
    key.layout = layoutOf(format);
    key.writeMask = random() % 2 == 0 ? 0xF : 1 + random() % 15;
    key.blend = random() % 4 != 0;
    if (!key.blend) return key;
    for (int part = 0; part < 2; ++part) {
        key.equation[part] = pick<BlendEquation>(random, 5);
        key.source[part] = pick<BlendFactor>(random, kBlendFactors);
        key.destination[part] = pick<BlendFactor>(random, kBlendFactors);
        for (const BlendFactor factor : {key.source[part], key.destination[part]})
            key.dualSource |= factor >= BlendFactor::Src1Color;
    }
    return key;
}

/// A target's memory, one block for each sample, and what it means.
struct Target {
    FormatCase format;
    std::array<Block, kSamples> block;
    std::array<std::array<Pixel, 16>, kSamples> meaning;
};

/// The largest difference to the exact result, in units of the target's last place; 100: a byte that was to stay did
/// not, or is nothing that the format holds.
template <int kCount>
double worstOfMerge(Random& random) {
    PixelDraw draw;
    draw.key.order = TestOrder::Early;
    draw.key.broadcastColor = random() % 4 == 0;
    Pixel constant;
    for (int c = 0; c < 4; ++c) {
        draw.values.blendColor[c] = unit(random);
        constant.channel[c] = draw.values.blendColor[c];
    }
    std::array<Target, kMaxColorTargets> targets;
    for (int i = 0; i < kMaxColorTargets; ++i) {
        Target& target = targets[i];
        target.format = kFormats[random() % kFormats.size()];
        for (int sample = 0; sample < kCount; ++sample)
            target.meaning[sample] = randomBlock(random, target.format, target.block[sample]);
        if (random() % 5 != 0) draw.key.target[i] = randomTarget(random, target.format);
        draw.color[i] = {target.block[0].bytes(), 1, 64, 64};
    }
    if (random() % 2 == 0) draw.way.forms = pixelForms(draw.key);
    const std::array<Target, kMaxColorTargets> before = targets;

    std::vector<isa::GroupRegister> outputs(isa::kMaxOutputs);
    const int firstLane = random() % 2 == 0 ? 0 : kBlockLanes;
    for (isa::GroupRegister& output : outputs)
        for (auto& component : output.lane)
            for (float& value : component) value = unit(random) * 1.4f - 0.2f;
    std::array<uint32_t, kSamples> covered{};
    uint32_t coverage[kCount];
    for (int sample = 0; sample < kCount; ++sample) coverage[sample] = covered[sample] = random() & 0xFFFF;
    const auto depthOf = [](int) { return splat(0.0f); };
    mergeBlock<kCount>(draw, {{0, 0}, true, outputs.data(), firstLane}, depthOf, coverage);

    double worst = 0;
    for (int i = 0; i < kMaxColorTargets; ++i) {
        const TargetKey& key = draw.key.target[i];
        for (int sample = 0; sample < kCount; ++sample) {
            for (int lane = 0; lane < kBlockLanes; ++lane) {
                const auto colorOf = [&](int output) {
                    Pixel color;
                    for (int c = 0; c < 4; ++c) color.channel[c] = clamp01(outputs[output].lane[c][firstLane + lane]);
                    return color;
                };
                const Pixel first = colorOf(isa::kOutColor0 + (draw.key.broadcastColor ? 0 : i));
                const Pixel second = colorOf(isa::kOutSecondColor);
                const Pixel& stored = before[i].meaning[sample][lane];
                for (int c = 0; c < 4; ++c) {
                    const int bits = before[i].format.bits[c], part = c == 3 ? 1 : 0;
                    const int byte = targets[i].block[sample].channel(lane, c);
                    const bool isWritten = key.layout.present && (covered[sample] >> lane & 1) != 0 && bits != 0 &&
                                           (key.writeMask >> c & 1) != 0;
                    if (!isWritten) {
                        if (byte != before[i].block[sample].channel(lane, c)) return 100;
                        continue;
                    }
                    double exact = first.channel[c];
                    if (key.blend)
                        exact = clamp01(blendScalar(
                            key.equation[part], first.channel[c],
                            factorScalar(key.source[part], first, second, stored, constant, c), stored.channel[c],
                            factorScalar(key.destination[part], first, second, stored, constant, c)));
                    const int levels = (1 << bits) - 1, value = static_cast<int>(std::lround(byte * levels / 255.0));
                    if (byte != expandScalar(value, bits)) return 100;
                    worst = std::max(worst, std::abs(value - exact * levels));
                }
            }
        }
    }
    return worst;
}

}  // namespace

TEST_CASE("targets of their own format, mask and blending, against double precision") {
    Random random(7);
    for (int round = 0; round < 2000; ++round) {
        CHECK(worstOfMerge<1>(random) <= 0.5 + 1e-4);
        CHECK(worstOfMerge<kSamples>(random) <= 0.5 + 1e-4);
    }
}

TEST_CASE("each blend that applications use most has a short form of its own") {
    using enum BlendFactor;
    struct Row {
        FinishForm form;
        BlendFactor source, destination, sourceAlpha, destinationAlpha;
    };
    for (const auto& [form, source, destination, sourceAlpha, destinationAlpha] : {
             Row{FinishForm::Opaque, One, Zero, One, Zero},
             Row{FinishForm::AlphaBlend, SrcAlpha, OneMinusSrcAlpha, SrcAlpha, OneMinusSrcAlpha},
             Row{FinishForm::AlphaBlendKeep, SrcAlpha, OneMinusSrcAlpha, Zero, One},
             Row{FinishForm::AlphaBlendOver, SrcAlpha, OneMinusSrcAlpha, One, OneMinusSrcAlpha},
             Row{FinishForm::Premultiplied, One, OneMinusSrcAlpha, One, OneMinusSrcAlpha},
             Row{FinishForm::Additive, One, One, One, One},
             Row{FinishForm::AlphaAdditive, SrcAlpha, One, SrcAlpha, One},
             Row{FinishForm::Factors, SrcAlpha, Zero, SrcAlpha, Zero},
         }) {
        CAPTURE(static_cast<int>(form));
        PixelKey key;
        TargetKey& target = key.target[0];
        target.layout = layoutOf(kFormats[0]);
        target.blend = true;
        target.equation[0] = target.equation[1] = BlendEquation::Add;
        target.source[0] = source, target.source[1] = sourceAlpha;
        target.destination[0] = destination, target.destination[1] = destinationAlpha;
        CHECK(pixelForms(key).finish == form);
        target.equation[1] = BlendEquation::Subtract;
        CHECK(pixelForms(key).finish == FinishForm::Factors);
    }
}

TEST_CASE("a stage that a short form does not know rules it out") {
    PixelKey key;
    key.target[0].layout = layoutOf(kFormats[0]);
    CHECK(pixelForms(key).finish == FinishForm::Opaque);
    CHECK(pixelForms(key).tests == TestForm::None);
    for (int stage = 0; stage < 3; ++stage) {
        PixelKey other = key;
        if (stage == 0) other.target[0].logicOp = LogicOp::Xor;
        if (stage == 1) other.target[0].writeMask = 0x7;
        if (stage == 2) other.target[1].layout = layoutOf(kFormats[0]);
        CHECK(pixelForms(other).finish == FinishForm::General);
    }
    key.depthTest = key.depthWrite = true;
    CHECK(pixelForms(key).tests == TestForm::DepthOnly);
    key.alphaToCoverage = true;
    CHECK(pixelForms(key).tests == TestForm::General);
    key.alphaToCoverage = false, key.stencilTest = true;
    CHECK(pixelForms(key).tests == TestForm::General);
}

TEST_CASE("sums by constants and the source's alpha have a short form, of ten bits too, with the bytes of the stages") {
    const auto isOfAlpha = [](BlendFactor factor) {
        return factor <= BlendFactor::One || factor == BlendFactor::SrcAlpha ||
               factor == BlendFactor::OneMinusSrcAlpha ||
               (factor >= BlendFactor::ConstantColor && factor <= BlendFactor::OneMinusConstantAlpha);
    };
    constexpr PixelFormat kShort[] = {PixelFormat::Rgba8, PixelFormat::Rgb8, PixelFormat::Rgb10A2};
    Random random(11);
    int wrongForms = 0, wrongBytes = 0, shortForms = 0;
    for (int round = 0; round < 6000; ++round) {
        PixelDraw draw;
        draw.key.order = TestOrder::Early;
        const PixelFormat format = kShort[random() % 3];
        TargetKey& key = draw.key.target[0];
        key = randomTarget(random, kFormats[0]);
        key.layout = colorLayout(format, true);
        key.writeMask = 0xF, key.dualSource = false;
        key.dither = random() % 2 == 0;
        bool isShort = true;
        for (int part = 0; key.blend && part < 2; ++part) {
            key.equation[part] = pick<BlendEquation>(random, random() % 4 == 0 ? 5 : 3);
            for (BlendFactor* factor : {&key.source[part], &key.destination[part]}) {
                *factor = pick<BlendFactor>(random, static_cast<int>(BlendFactor::Src1Color));
                if (!isOfAlpha(*factor) && random() % 4 != 0) *factor = BlendFactor::OneMinusConstantAlpha;
            }
        }
        // Colours that have a form of their own with some factors of alpha meet all others, too.
        if (key.blend && random() % 4 == 0) {
            key.equation[0] = key.equation[1] = BlendEquation::Add;
            key.source[0] = BlendFactor::SrcAlpha, key.destination[0] = BlendFactor::OneMinusSrcAlpha;
            if (random() % 2 == 0) key.source[1] = BlendFactor::Zero;
        }
        for (int part = 0; key.blend && part < 2; ++part)
            isShort &= isOfAlpha(key.source[part]) && isOfAlpha(key.destination[part]) &&
                       key.equation[part] <= BlendEquation::ReverseSubtract;
        wrongForms += isShort != (pixelForms(draw.key).finish != FinishForm::General) ? 1 : 0;
        shortForms += isShort ? 1 : 0;
        for (float& channel : draw.values.blendColor) channel = unit(random) * 1.4f - 0.2f;
        std::vector<isa::GroupRegister> outputs(isa::kMaxOutputs);
        for (auto& component : outputs[isa::kOutColor0].lane)
            for (float& value : component) value = random() % 16 == 0 ? std::nanf("") : unit(random) * 1.4f - 0.2f;
        Block before;
        for (uint32_t& element : before.element)
            element = static_cast<uint32_t>(random()) | (format == PixelFormat::Rgb8 ? 0xFF000000u : 0u);
        const uint32_t covered = random() & 0xFFFF;
        const auto merged = [&](const PixelForms& forms) {
            Block block = before;
            draw.way.forms = forms;
            draw.color[0] = {block.bytes(), 1, 64, 64};
            uint32_t coverage = covered;
            mergeBlock<1>(draw, {{0, 0}, true, outputs.data(), 0}, [](int) { return splat(0.0f); }, &coverage);
            return block.element;
        };
        wrongBytes += merged(pixelForms(draw.key)) != merged({}) ? 1 : 0;
    }
    CHECK(wrongForms == 0);
    CHECK(wrongBytes == 0);
    CHECK(shortForms > 2000);
}

TEST_CASE("depths are clamped where their range is less than 0..1, at either end") {
    RenderTarget target;
    target.depth = std::make_shared<texture::Image>(PixelFormat::Depth24, 8, 8);
    const isa::Program program;
    const auto clamps = [&](bool enabled, float low, float high) {
        PixelState state;
        state.depthTest = true;
        state.depthClamp = enabled;
        state.depthLow = low, state.depthHigh = high;
        return pixelKey(state, target, program).depthClamp;
    };
    CHECK(clamps(true, 0.25f, 1));
    CHECK(clamps(true, 0, 0.75f));
    CHECK(clamps(true, 0.25f, 0.75f));
    CHECK(!clamps(true, 0, 1));
    CHECK(!clamps(false, 0.25f, 0.75f));
}

TEST_CASE("logical operations are of normalised numbers that are stored as they are") {
    isa::Program program;
    program.outputMask = 1u << isa::kOutColor0;
    const auto operation = [&](PixelFormat format, bool encodesSrgb) {
        RenderTarget target;
        target.color[0] = std::make_shared<texture::Image>(format, 8, 8);
        PixelState state;
        state.encodesSrgb = encodesSrgb;
        state.logicOp = LogicOp::Xor;
        return pixelKey(state, target, program).target[0].logicOp;
    };
    CHECK(operation(PixelFormat::Rgba8, true) == LogicOp::Xor);
    CHECK(operation(PixelFormat::Srgb8Alpha8, false) == LogicOp::Xor);
    CHECK(operation(PixelFormat::Srgb8Alpha8, true) == LogicOp::Copy);
    CHECK(operation(PixelFormat::Rgba16F, true) == LogicOp::Copy);
}
