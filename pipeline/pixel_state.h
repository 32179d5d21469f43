// What is done to a pixel: tests, blending, masks. State keys (pixel/pixel_key.h) hold only what changes code, so
// colours and reference values are kept apart from modes there.
#pragma once

#include <array>
#include <cstdint>

#include "pipeline/limits.h"

namespace tessera::pipeline {

enum class Compare : uint8_t { Never, Less, Equal, LessEqual, Greater, NotEqual, GreaterEqual, Always };
enum class StencilOp : uint8_t { Keep, Zero, Replace, Increment, IncrementWrap, Decrement, DecrementWrap, Invert };
enum class BlendFactor : uint8_t {
    Zero,
    One,
    SrcColor,
    OneMinusSrcColor,
    DstColor,
    OneMinusDstColor,
    SrcAlpha,
    OneMinusSrcAlpha,
    DstAlpha,
    OneMinusDstAlpha,
    ConstantColor,
    OneMinusConstantColor,
    ConstantAlpha,
    OneMinusConstantAlpha,
    SrcAlphaSaturate,
    Src1Color,  ///< of the second colour: this and what follows
    OneMinusSrc1Color,
    Src1Alpha,
    OneMinusSrc1Alpha,
};
enum class BlendEquation : uint8_t {
    Add,
    Subtract,
    ReverseSubtract,
    Min,
    Max,
    Multiply,  ///< of colour and alpha together, without factors: this and what follows (pixel/advanced_blend.h)
    Screen,
    Overlay,
    Darken,
    Lighten,
    ColorDodge,
    ColorBurn,
    HardLight,
    SoftLight,
    Difference,
    Exclusion,
    HslHue,
    HslSaturation,
    HslColor,
    HslLuminosity,
};
/// In OpenGL's order, as its enumerants are: bit 3 - (2 * source + destination) of the number is the result.
enum class LogicOp : uint8_t {
    Clear,
    And,
    AndReverse,
    Copy,
    AndInverted,
    Noop,
    Xor,
    Or,
    Nor,
    Equiv,
    Invert,
    OrReverse,
    CopyInverted,
    OrInverted,
    Nand,
    Set
};

struct StencilFace {
    Compare compare = Compare::Always;
    StencilOp stencilFail = StencilOp::Keep, depthFail = StencilOp::Keep, depthPass = StencilOp::Keep;
    uint8_t reference = 0, compareMask = 0xFF, writeMask = 0xFF;
    bool operator==(const StencilFace&) const = default;
};

/// What is done to the colours of one target: what OES_draw_buffers_indexed and OpenGL ES 3.2 have for each buffer.
struct TargetState {
    bool blend = false;
    BlendEquation equationRgb = BlendEquation::Add, equationAlpha = BlendEquation::Add;
    BlendFactor srcRgb = BlendFactor::One, dstRgb = BlendFactor::Zero;
    BlendFactor srcAlpha = BlendFactor::One, dstAlpha = BlendFactor::Zero;
    uint8_t colorMask = 0xF;  ///< bit 0 red .. bit 3 alpha
    bool operator==(const TargetState&) const = default;
};

struct PixelState {
    bool depthTest = false, depthWrite = true;
    Compare depthCompare = Compare::Less;
    bool depthClamp = false;  ///< depths are brought to depthLow .. depthHigh before they are tested
    float depthLow = 0, depthHigh = 1;
    bool stencilTest = false;
    StencilFace front, back;
    std::array<TargetState, kMaxColorTargets> target;
    float blendColor[4] = {};         ///< unclamped; clamped to 0..1 for normalised targets
    LogicOp logicOp = LogicOp::Copy;  ///< another one takes blending's place; float and sRGB targets ignore it
    bool dither = true;
    bool encodesSrgb = true;  ///< false: targets of encoded colours are drawn to as if they held numbers
    bool eachSample = false;  ///< the program is run for each sample; this and the next: without multisampling
                              ///< no effect
    bool alphaToCoverage = false;
    bool sampleCoverage = false, sampleCoverageInvert = false;
    float sampleCoverageValue = 1;
};

}  // namespace tessera::pipeline
