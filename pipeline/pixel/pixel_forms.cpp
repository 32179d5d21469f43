#include "pipeline/pixel/pixel_forms.h"

#include "pipeline/pixel/color_stages.h"
#include "pipeline/pixel/test_stages.h"

namespace tessera::pipeline {

namespace {

// What the short forms do.
constexpr uint32_t kDepthOnly = TestStages::bitsOf<TestDepth, WriteDepth>();
constexpr uint32_t kFinish = ColorStages::bitsOf<ClampSource, LoadStored, Blend, ToUnits, Quantize>();

TestForm testForm(const PixelKey& key) {
    const uint32_t needed = TestStages::needed(key);
    if (needed == 0) return TestForm::None;
    return (needed & ~kDepthOnly) == 0 ? TestForm::DepthOnly : TestForm::General;
}

FinishForm blendForm(const TargetKey& key) {
    const auto has = [&](int part, BlendFactor source, BlendFactor destination) {
        return key.source[part] == source && key.destination[part] == destination;
    };
    const auto both = [&](BlendFactor source, BlendFactor destination) {
        return has(0, source, destination) && has(1, source, destination);
    };
    if (key.equation[0] != BlendEquation::Add || key.equation[1] != BlendEquation::Add) return FinishForm::General;
    if (both(BlendFactor::One, BlendFactor::Zero)) return FinishForm::Opaque;
    if (both(BlendFactor::One, BlendFactor::OneMinusSrcAlpha)) return FinishForm::Premultiplied;
    if (both(BlendFactor::One, BlendFactor::One)) return FinishForm::Additive;
    if (both(BlendFactor::SrcAlpha, BlendFactor::One)) return FinishForm::AlphaAdditive;
    if (!has(0, BlendFactor::SrcAlpha, BlendFactor::OneMinusSrcAlpha)) return FinishForm::General;
    if (has(1, BlendFactor::SrcAlpha, BlendFactor::OneMinusSrcAlpha)) return FinishForm::AlphaBlend;
    if (has(1, BlendFactor::Zero, BlendFactor::One)) return FinishForm::AlphaBlendKeep;
    if (has(1, BlendFactor::One, BlendFactor::OneMinusSrcAlpha)) return FinishForm::AlphaBlendOver;
    return FinishForm::General;
}

FinishForm finishForm(const PixelKey& key) {
    for (int index = 1; index < kMaxColorTargets; ++index)
        if (key.target[index].layout.present) return FinishForm::General;
    const TargetKey& target = key.target[0];
    const ColorLayout& layout = target.layout;
    if (!layout.present || layout.srgb || (ColorStages::needed(target) & ~kFinish) != 0) return FinishForm::General;
    const FinishForm form = target.blend ? blendForm(target) : FinishForm::Opaque;
    const auto hasBits = [&](uint8_t channels, int red, int green, int blue) {
        return layout.channels == channels && layout.bits[0] == red && layout.bits[1] == green &&
               layout.bits[2] == blue && layout.bits[3] == 8;
    };
    if (hasBits(0x7, 5, 6, 5)) return form == FinishForm::Opaque ? FinishForm::Rgb565 : FinishForm::General;
    return isNormalized(layout) && (hasBits(0x7, 8, 8, 8) || hasBits(0xF, 8, 8, 8)) ? form : FinishForm::General;
}

}  // namespace

PixelForms pixelForms(const PixelKey& key) { return {testForm(key), finishForm(key)}; }

}  // namespace tessera::pipeline
