#include "pipeline/pixel/pixel_forms.h"

#include <algorithm>
#include <iterator>

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
    const bool isPlain = (needed & ~kDepthOnly) == 0 && !key.pairedDepth && !key.depthClamp;
    return isPlain ? TestForm::DepthOnly : TestForm::General;
}

/// Whether a factor is known without the destination, and for all channels with the source's alpha.
bool isOfAlpha(BlendFactor factor) {
    switch (factor) {
        case BlendFactor::Zero:
        case BlendFactor::One:
        case BlendFactor::SrcAlpha:
        case BlendFactor::OneMinusSrcAlpha:
        case BlendFactor::ConstantColor:
        case BlendFactor::OneMinusConstantColor:
        case BlendFactor::ConstantAlpha:
        case BlendFactor::OneMinusConstantAlpha:
            return true;
        default:
            return false;
    }
}

/// Factors, if a blend is one of them.
FinishForm factorsForm(const TargetKey& key) {
    for (int part = 0; part < 2; ++part) {
        const BlendEquation equation = key.equation[part];
        const bool isSum = equation == BlendEquation::Add || equation == BlendEquation::Subtract ||
                           equation == BlendEquation::ReverseSubtract;
        if (!isSum || !isOfAlpha(key.source[part]) || !isOfAlpha(key.destination[part])) return FinishForm::General;
    }
    return FinishForm::Factors;
}

FinishForm blendForm(const TargetKey& key) {
    const auto has = [&](int part, BlendFactor source, BlendFactor destination) {
        return key.source[part] == source && key.destination[part] == destination;
    };
    const auto both = [&](BlendFactor source, BlendFactor destination) {
        return has(0, source, destination) && has(1, source, destination);
    };
    const FinishForm other = factorsForm(key);
    if (key.equation[0] != BlendEquation::Add || key.equation[1] != BlendEquation::Add) return other;
    if (both(BlendFactor::One, BlendFactor::Zero)) return FinishForm::Opaque;
    if (both(BlendFactor::One, BlendFactor::OneMinusSrcAlpha)) return FinishForm::Premultiplied;
    if (both(BlendFactor::One, BlendFactor::One)) return FinishForm::Additive;
    if (both(BlendFactor::SrcAlpha, BlendFactor::One)) return FinishForm::AlphaAdditive;
    if (!has(0, BlendFactor::SrcAlpha, BlendFactor::OneMinusSrcAlpha)) return other;
    if (has(1, BlendFactor::SrcAlpha, BlendFactor::OneMinusSrcAlpha)) return FinishForm::AlphaBlend;
    if (has(1, BlendFactor::Zero, BlendFactor::One)) return FinishForm::AlphaBlendKeep;
    if (has(1, BlendFactor::One, BlendFactor::OneMinusSrcAlpha)) return FinishForm::AlphaBlendOver;
    return other;
}

struct TargetForm {
    FinishForm finish = FinishForm::General;
    FinishReason reason = FinishReason::None;
};

/// Of a target that is there.
TargetForm targetForm(const TargetKey& target) {
    const ColorLayout& layout = target.layout;
    const auto general = [](FinishReason reason) { return TargetForm{FinishForm::General, reason}; };
    const bool isOfTen = layout.element == texture::Element::Rgb10A2;
    if (layout.element != texture::Element::Rgba8 && !isOfTen) return general(FinishReason::Format);
    if ((ColorStages::needed(target) & ~kFinish) != 0) return general(FinishReason::State);
    if (isOfTen) {
        const bool isShort = !target.blend || factorsForm(target) != FinishForm::General;
        return isShort ? TargetForm{FinishForm::Rgb10A2} : general(FinishReason::Blending);
    }
    const FinishForm form = target.blend ? blendForm(target) : FinishForm::Opaque;
    const auto hasBits = [&](uint8_t channels, int red, int green, int blue) {
        return layout.channels == channels && layout.bits[0] == red && layout.bits[1] == green &&
               layout.bits[2] == blue && layout.bits[3] == 8;
    };
    const bool is565 = hasBits(0x7, 5, 6, 5);
    if (!is565 && !hasBits(0x7, 8, 8, 8) && !hasBits(0xF, 8, 8, 8)) return general(FinishReason::Format);
    if (form == FinishForm::General || (is565 && form != FinishForm::Opaque)) return general(FinishReason::Blending);
    return {is565 ? FinishForm::Rgb565 : form};
}

PixelForms finishForm(const PixelKey& key) {
    PixelForms forms;
    const auto isPresent = [](const TargetKey& target) { return target.layout.present; };
    if (std::any_of(std::begin(key.target) + 1, std::end(key.target), isPresent)) {
        forms.reason = FinishReason::SeveralTargets;
        for (size_t i = 0; i < forms.ofTarget.size(); ++i)
            if (isPresent(key.target[i])) forms.ofTarget[i] = targetForm(key.target[i]).finish;
    } else if (isPresent(key.target[0])) {
        const auto [finish, reason] = targetForm(key.target[0]);
        forms.finish = finish, forms.reason = reason;
    }
    return forms;
}

}  // namespace

PixelForms pixelForms(const PixelKey& key) {
    PixelForms forms = finishForm(key);
    forms.tests = testForm(key);
    return forms;
}

}  // namespace tessera::pipeline
