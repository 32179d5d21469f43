#include "pipeline/pixel/pixel_key.h"

#include "pipeline/pixel/color_block.h"
#include "pipeline/pixel/ordered_dither.h"
#include "pipeline/render_target.h"
#include "shader-core/isa/program.h"

namespace tessera::pipeline {

namespace {

StencilKey stencilKey(const StencilFace& face) {
    StencilKey key{face.compare, face.stencilFail, face.depthFail, face.depthPass};
    if (face.writeMask == 0) key.stencilFail = key.depthFail = key.depthPass = StencilOp::Keep;
    return key;
}

bool failureChangesStencil(const StencilKey& key) {
    return key.stencilFail != StencilOp::Keep || key.depthFail != StencilOp::Keep;
}

TestOrder testOrder(const PixelKey& key, const isa::Program& program) {
    if (program.writesDepth) return TestOrder::Late;
    if (!program.usesKill && !key.alphaToCoverage) return TestOrder::Early;
    const bool failureWrites =
        key.stencilTest && (failureChangesStencil(key.stencil[0]) || failureChangesStencil(key.stencil[1]));
    return failureWrites ? TestOrder::Late : TestOrder::LateWithReject;
}

bool isOfSecondColor(BlendFactor factor) { return factor >= BlendFactor::Src1Color; }

/// A second colour that the program does not write is 0.
BlendFactor withoutSecondColor(BlendFactor factor) {
    if (!isOfSecondColor(factor)) return factor;
    const bool isComplement = factor == BlendFactor::OneMinusSrc1Color || factor == BlendFactor::OneMinusSrc1Alpha;
    return isComplement ? BlendFactor::One : BlendFactor::Zero;
}

void useSecondColor(TargetKey& key, const isa::Program& program) {
    const bool isWritten = program.outputMask.has(isa::kOutSecondColor);
    for (BlendFactor* factors : {key.source, key.destination})
        for (int part = 0; part < 2; ++part) {
            if (!isWritten) factors[part] = withoutSecondColor(factors[part]);
            key.dualSource |= isOfSecondColor(factors[part]);
        }
}

/// Its layout apart. `image` may be null.
void setTarget(TargetKey& key, const PixelState& state, const TargetState& target, const texture::Image* image,
               const isa::Program& program) {
    const bool canBlend = image == nullptr || texture::elementInfo(image->element()).isBlended;
    key.writeMask = target.colorMask & 0xF;
    key.dither = state.dither;
    key.logicOp = state.logicOp;
    key.blend = target.blend && key.logicOp == LogicOp::Copy && canBlend;
    if (key.blend) {
        key.equation[0] = target.equationRgb, key.equation[1] = target.equationAlpha;
        key.source[0] = target.srcRgb, key.source[1] = target.srcAlpha;
        key.destination[0] = target.dstRgb, key.destination[1] = target.dstAlpha;
        useSecondColor(key, program);
    }
}

}  // namespace

namespace {

ColorLayout makeLayout(texture::PixelFormat format) {
    const texture::FormatInfo& info = texture::formatInfo(format);
    ColorLayout layout;
    layout.element = info.element;
    layout.present = true;
    const uint8_t colorBits[4] = {info.red, info.green, info.blue, info.alpha};
    layout.channels = 0;
    for (int channel = 0; channel < 4; ++channel) {
        const uint8_t bits = channel < 3 && info.luminance != 0 ? info.luminance : colorBits[channel];
        if (bits != 0) layout.channels |= 1u << channel;
        if (!isNormalized(layout)) {
            layout.scale[channel] = 1;
        } else if (bits != 0) {
            layout.bits[channel] = bits;
            layout.scale[channel] = static_cast<float>((1 << bits) - 1);
        }
    }
    return layout;
}

}  // namespace

ColorLayout colorLayout(texture::PixelFormat format, bool encodesSrgb) {
    // Asked for by each draw in each tile.
    static const auto kLayouts = [] {
        std::array<ColorLayout, texture::kPixelFormats> all;
        for (size_t i = 0; i < all.size(); ++i) all[i] = makeLayout(static_cast<texture::PixelFormat>(i));
        return all;
    }();
    const ColorLayout& layout = kLayouts[static_cast<size_t>(format)];
    if (encodesSrgb || !isSrgb(layout)) return layout;
    ColorLayout asNumbers = layout;
    asNumbers.element = texture::Element::Rgba8;
    return asNumbers;
}

uint8_t depthBitsOf(texture::PixelFormat format) {
    const texture::FormatInfo& info = texture::formatInfo(format);
    if (texture::isFloat(info.element)) return 32;
    return info.depth <= 16 ? 16 : 24;
}

PixelKey pixelKey(const PixelState& state, const RenderTarget& target, const isa::Program& program) {
    static constexpr PixelKey kUnset;  // copied, which is less than to make eight targets
    PixelKey key = kUnset;
    key.depthTest = state.depthTest && target.depth != nullptr;
    if (key.depthTest) {
        key.depthWrite = state.depthWrite;
        key.depthCompare = state.depthCompare;
        key.depthBits = depthBitsOf(target.depth->format());
        key.depthClamp = state.depthClamp && (state.depthLow > 0 || state.depthHigh < 1);
        key.pairedDepth = hasPairs(*target.depth);
    }
    key.stencilTest = state.stencilTest && target.stencil != nullptr;
    if (key.stencilTest) {
        key.pairedStencil = hasPairs(*target.stencil);
        key.stencil[0] = stencilKey(state.front);
        key.stencil[1] = stencilKey(state.back);
    }
    key.sharedDepthStencil = key.depthTest && key.stencilTest && target.depth == target.stencil && !key.pairedDepth;
    const texture::Image* const color0 = target.color[0].get();
    const bool hasAlpha =
        program.outputMask.has(isa::kOutColor0) && (color0 == nullptr || !texture::isInteger(color0->element()));
    key.alphaToCoverage = state.alphaToCoverage && hasAlpha && target.samples() != 1;
    key.order = testOrder(key, program);
    key.broadcastColor = program.broadcastColor;
    for (int index = 0; index < kMaxColorTargets; ++index) {
        const texture::Image* image = target.color[index].get();
        if (image == nullptr && index != 0) continue;
        TargetKey& one = key.target[index];
        setTarget(one, state, state.target[index], image, program);
        if (image == nullptr) continue;  // of target 0 tools tell the state all the same
        const int output = isa::kOutColor0 + (program.broadcastColor ? 0 : index);
        const bool isWritten = program.outputMask.has(output) && one.writeMask != 0;
        if (isWritten) one.layout = colorLayout(image->format(), state.encodesSrgb);
        if (!isNormalized(one.layout) || isSrgb(one.layout)) one.logicOp = LogicOp::Copy;
    }
    return key;
}

PixelValues pixelValues(const PixelState& state) {
    PixelValues values;
    const StencilFace* faces[2] = {&state.front, &state.back};
    for (int side = 0; side < 2; ++side) {
        values.stencil[side] = {faces[side]->reference, faces[side]->compareMask, faces[side]->writeMask};
    }
    for (int channel = 0; channel < 4; ++channel) values.blendColor[channel] = state.blendColor[channel];
    values.depthLow = state.depthLow, values.depthHigh = state.depthHigh;
    if (state.sampleCoverage) {
        for (int sample = 0; sample < kSamples; ++sample) {
            const uint32_t lanes = toBits(fractionCovers(splat(state.sampleCoverageValue), sample));
            values.sampleMask[sample] = static_cast<uint16_t>(state.sampleCoverageInvert ? ~lanes : lanes);
        }
    }
    return values;
}

}  // namespace tessera::pipeline
