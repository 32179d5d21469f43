// Translation of GL state to the pipeline's plain data. GL's enum values are contiguous where a subtraction is used.
#include "api/gles/objects/state.h"

#include <algorithm>
#include <iterator>

#include "api/gles/limits.h"
#include "base/check.h"
#include "pipeline/pixel_state.h"
#include "pipeline/raster_state.h"

namespace tessera::gles {

namespace {

pipeline::Compare compare(GLenum func) {
    static_assert(GL_ALWAYS - GL_NEVER == static_cast<int>(pipeline::Compare::Always));
    static_assert(GL_NOTEQUAL - GL_NEVER == static_cast<int>(pipeline::Compare::NotEqual));
    return static_cast<pipeline::Compare>(func - GL_NEVER);
}

pipeline::StencilOp stencilOp(GLenum op) {
    using pipeline::StencilOp;
    switch (op) {
        case GL_KEEP:
            return StencilOp::Keep;
        case GL_ZERO:
            return StencilOp::Zero;
        case GL_REPLACE:
            return StencilOp::Replace;
        case GL_INCR:
            return StencilOp::Increment;
        case GL_INCR_WRAP:
            return StencilOp::IncrementWrap;
        case GL_DECR:
            return StencilOp::Decrement;
        case GL_DECR_WRAP:
            return StencilOp::DecrementWrap;
        case GL_INVERT:
            return StencilOp::Invert;
    }
    UNREACHABLE("stencil operation");
}

pipeline::BlendFactor blendFactor(GLenum factor) {
    using pipeline::BlendFactor;
    switch (factor) {
        case GL_ZERO:
            return BlendFactor::Zero;
        case GL_ONE:
            return BlendFactor::One;
        case GL_SRC_COLOR:
            return BlendFactor::SrcColor;
        case GL_ONE_MINUS_SRC_COLOR:
            return BlendFactor::OneMinusSrcColor;
        case GL_DST_COLOR:
            return BlendFactor::DstColor;
        case GL_ONE_MINUS_DST_COLOR:
            return BlendFactor::OneMinusDstColor;
        case GL_SRC_ALPHA:
            return BlendFactor::SrcAlpha;
        case GL_ONE_MINUS_SRC_ALPHA:
            return BlendFactor::OneMinusSrcAlpha;
        case GL_DST_ALPHA:
            return BlendFactor::DstAlpha;
        case GL_ONE_MINUS_DST_ALPHA:
            return BlendFactor::OneMinusDstAlpha;
        case GL_CONSTANT_COLOR:
            return BlendFactor::ConstantColor;
        case GL_ONE_MINUS_CONSTANT_COLOR:
            return BlendFactor::OneMinusConstantColor;
        case GL_CONSTANT_ALPHA:
            return BlendFactor::ConstantAlpha;
        case GL_ONE_MINUS_CONSTANT_ALPHA:
            return BlendFactor::OneMinusConstantAlpha;
        case GL_SRC1_COLOR_EXT:
            return BlendFactor::Src1Color;
        case GL_ONE_MINUS_SRC1_COLOR_EXT:
            return BlendFactor::OneMinusSrc1Color;
        case GL_SRC1_ALPHA_EXT:
            return BlendFactor::Src1Alpha;
        case GL_ONE_MINUS_SRC1_ALPHA_EXT:
            return BlendFactor::OneMinusSrc1Alpha;
        case GL_SRC_ALPHA_SATURATE:
            return BlendFactor::SrcAlphaSaturate;
    }
    UNREACHABLE("blend factor");
}

pipeline::BlendEquation blendEquation(GLenum equation) {
    using pipeline::BlendEquation;
    switch (equation) {
        case GL_FUNC_ADD:
            return BlendEquation::Add;
        case GL_FUNC_SUBTRACT:
            return BlendEquation::Subtract;
        case GL_FUNC_REVERSE_SUBTRACT:
            return BlendEquation::ReverseSubtract;
        case GL_MIN_EXT:
            return BlendEquation::Min;
        case GL_MAX_EXT:
            return BlendEquation::Max;
    }
    if (const int advanced = advancedBlendEquation(equation); advanced >= 0)
        return static_cast<BlendEquation>(static_cast<int>(BlendEquation::Multiply) + advanced);
    UNREACHABLE("blend equation");
}

pipeline::CullFace cullFace(const State& state) {
    if (!state.cullFace) return pipeline::CullFace::None;
    if (state.cullFaceMode == GL_FRONT) return pipeline::CullFace::Front;
    return state.cullFaceMode == GL_BACK ? pipeline::CullFace::Back : pipeline::CullFace::Both;
}

pipeline::StencilFace stencilFace(const StencilState& face) {
    pipeline::StencilFace out;
    out.compare = compare(face.func);
    out.stencilFail = stencilOp(face.fail);
    out.depthFail = stencilOp(face.depthFail);
    out.depthPass = stencilOp(face.depthPass);
    out.reference = static_cast<uint8_t>(std::clamp(face.ref, 0, 255));
    out.compareMask = static_cast<uint8_t>(face.valueMask);
    out.writeMask = static_cast<uint8_t>(face.writeMask);
    return out;
}

pipeline::TargetState targetState(const State& state, const DrawBufferState& buffer) {
    pipeline::TargetState out;
    out.blend = buffer.blend && !state.logicOperationEnabled;  // OpenGL ES 1.1.12, section 4.1.9
    out.equationRgb = blendEquation(buffer.equationRgb);
    out.equationAlpha = blendEquation(buffer.equationAlpha);
    out.srcRgb = blendFactor(buffer.srcRgb);
    out.dstRgb = blendFactor(buffer.dstRgb);
    out.srcAlpha = blendFactor(buffer.srcAlpha);
    out.dstAlpha = blendFactor(buffer.dstAlpha);
    out.colorMask = colorMaskBits(buffer);
    return out;
}

}  // namespace

int advancedBlendEquation(GLenum mode) {
    static constexpr GLenum kEquations[] = {
        GL_MULTIPLY_KHR,   GL_SCREEN_KHR,    GL_OVERLAY_KHR,        GL_DARKEN_KHR,    GL_LIGHTEN_KHR,
        GL_COLORDODGE_KHR, GL_COLORBURN_KHR, GL_HARDLIGHT_KHR,      GL_SOFTLIGHT_KHR, GL_DIFFERENCE_KHR,
        GL_EXCLUSION_KHR,  GL_HSL_HUE_KHR,   GL_HSL_SATURATION_KHR, GL_HSL_COLOR_KHR, GL_HSL_LUMINOSITY_KHR};
    const auto* found = std::ranges::find(kEquations, mode);
    return found == std::end(kEquations) ? -1 : static_cast<int>(found - std::begin(kEquations));
}

GLint* pixelStoreParameter(State& state, bool isEs3, GLenum pname) {
    struct Row {
        GLenum name;
        PixelStore State::* store;
        GLint PixelStore::* parameter;
        bool isEs3 = false;
    };
    static constexpr Row kRows[] = {
        {GL_UNPACK_ALIGNMENT, &State::unpack, &PixelStore::alignment},
        {GL_UNPACK_ROW_LENGTH_EXT, &State::unpack, &PixelStore::rowLength},
        {GL_UNPACK_SKIP_ROWS_EXT, &State::unpack, &PixelStore::skipRows},
        {GL_UNPACK_SKIP_PIXELS_EXT, &State::unpack, &PixelStore::skipPixels},
        {GL_PACK_ALIGNMENT, &State::pack, &PixelStore::alignment},
        {GL_PACK_ROW_LENGTH_NV, &State::pack, &PixelStore::rowLength},
        {GL_PACK_SKIP_ROWS_NV, &State::pack, &PixelStore::skipRows},
        {GL_PACK_SKIP_PIXELS_NV, &State::pack, &PixelStore::skipPixels},
        {GL_PACK_REVERSE_ROW_ORDER_ANGLE, &State::pack, &PixelStore::reverseRows},
        {GL_UNPACK_IMAGE_HEIGHT, &State::unpack, &PixelStore::imageHeight, true},
        {GL_UNPACK_SKIP_IMAGES, &State::unpack, &PixelStore::skipImages, true},
    };
    const Row* row = std::ranges::find(kRows, pname, &Row::name);
    return row != std::end(kRows) && (isEs3 || !row->isEs3) ? &(state.*row->store.*row->parameter) : nullptr;
}

uint8_t colorMaskBits(const DrawBufferState& buffer) {
    uint8_t bits = 0;
    for (int i = 0; i < 4; ++i) bits |= static_cast<uint8_t>(buffer.colorMask[i] << i);
    return bits;
}

bool writesAllChannels(const State& state) {
    return std::ranges::all_of(state.drawBuffers,
                               [](const DrawBufferState& buffer) { return colorMaskBits(buffer) == 0xF; });
}

pipeline::RasterState rasterState(const State& state) {
    pipeline::RasterState out;
    for (int i = 0; i < 4; ++i) out.viewport[i] = static_cast<float>(state.viewport[i]);
    out.depthNear = state.depthRange[0];
    out.depthFar = state.depthRange[1];
    out.scissorTest = state.scissorTest;
    out.scissor = {state.scissorBox[0], state.scissorBox[1], state.scissorBox[2], state.scissorBox[3]};
    out.cull = cullFace(state);
    out.clipUpperLeft = state.clipOrigin == GL_UPPER_LEFT_EXT;
    out.clipDepthFromZero = state.clipDepthMode == GL_ZERO_TO_ONE_EXT;
    out.depthClamp = state.depthClamp;
    for (size_t i = 0; i < state.clipDistance.size(); ++i)
        out.clipDistances |= static_cast<uint8_t>(state.clipDistance[i] << i);
    out.frontIsClockwise =
        (state.frontFace == GL_CW) != out.clipUpperLeft;  // a face stays what it is when y is flipped
    out.polygonOffset = state.polygonOffsetFill;
    out.offsetFactor = state.polygonOffsetFactor;
    out.offsetUnits = state.polygonOffsetUnits;
    out.offsetClamp = state.polygonOffsetClamp;
    out.discard = state.rasterizerDiscard;
    out.lineWidth = std::clamp(state.lineWidth, kMinLineWidth, kMaxLineWidth);
    return out;
}

pipeline::PixelState pixelState(const State& state) {
    pipeline::PixelState out;
    out.depthTest = state.depthTest;
    out.depthWrite = state.depthMask;
    out.depthCompare = compare(state.depthFunc);
    out.depthClamp = state.depthClamp;
    out.depthLow = std::min(state.depthRange[0], state.depthRange[1]);
    out.depthHigh = std::max(state.depthRange[0], state.depthRange[1]);
    out.stencilTest = state.stencilTest;
    out.front = stencilFace(state.stencilFront);
    out.back = stencilFace(state.stencilBack);
    out.target.fill(targetState(state, state.drawBuffers[0]));
    if (state.drawBuffersDiffer)
        for (size_t i = 1; i < state.drawBuffers.size(); ++i) out.target[i] = targetState(state, state.drawBuffers[i]);
    std::copy_n(state.blendColor, 4, out.blendColor);
    static_assert(kCopyLogicOperation - static_cast<int>(pipeline::LogicOp::Copy) == kClearLogicOperation);
    if (state.logicOperationEnabled)
        out.logicOp = static_cast<pipeline::LogicOp>(state.logicOperation - kClearLogicOperation);
    out.dither = state.dither;
    out.encodesSrgb = state.framebufferSrgb;
    // More than one set of inputs a pixel are as many as it has samples.
    out.eachSample = state.sampleShading && state.minSampleShading * kMaxSamples > 1;
    out.alphaToCoverage = state.multisample && state.sampleAlphaToCoverage;
    out.sampleCoverage = state.multisample && state.sampleCoverage;
    out.sampleCoverageInvert = state.sampleCoverageInvert;
    out.sampleCoverageValue = state.sampleCoverageValue;
    return out;
}

}  // namespace tessera::gles
