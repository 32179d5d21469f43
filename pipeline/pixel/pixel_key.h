// What the per-pixel operations of a draw need to know, as plain data: the key holds what changes their code,
// the values what does not. A constant key folds the stages (test_stages.h, color_stages.h) to what it needs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pipeline/pixel_state.h"
#include "texture/image.h"

namespace tessera::isa {
struct Program;
}  // namespace tessera::isa

namespace tessera::pipeline {

struct RenderTarget;

/// A colour buffer's channels. Arithmetic on channel c is done in units of 1/scale[c], so that stored values of
/// normalised formats are exact integers 0..scale[c]; others have scale 1. Integers take no part in it.
struct ColorLayout {
    texture::Element element = texture::Element::Rgba8;
    bool present = false;            ///< there is an image and the program writes it
    uint8_t channels = 0xF;          ///< bit c: channel c exists; a missing one is never blended or masked
    uint8_t bits[4] = {8, 8, 8, 8};  ///< precision of the channel, of normalised elements only
    float scale[4] = {255, 255, 255, 255};
    bool operator==(const ColorLayout&) const = default;
};

/// Layout of a renderable colour format; of encoded colours perhaps as if they were numbers.
[[nodiscard]] ColorLayout colorLayout(texture::PixelFormat format, bool encodesSrgb);
/// PixelKey::depthBits of a depth or stencil format.
[[nodiscard]] uint8_t depthBitsOf(texture::PixelFormat format);
/// Whether depth and stencil are words of their own.
[[nodiscard]] inline bool hasPairs(const texture::Image& depthStencil) {
    return texture::elementInfo(depthStencil.element()).words == 2;
}

struct StencilKey {
    Compare compare = Compare::Always;
    StencilOp stencilFail = StencilOp::Keep, depthFail = StencilOp::Keep, depthPass = StencilOp::Keep;
    bool operator==(const StencilKey&) const = default;
};

/// When depth and stencil are tested. The specification's order is after the fragment program; testing before it
/// is the same as long as the program can change neither coverage nor depth.
enum class TestOrder : uint8_t {
    Early,           ///< test and write before the program
    LateWithReject,  ///< final tests after the program; what fails now is dropped now, since failing has no effect
    Late,            ///< after the program only
};

/// A colour target: how it is stored, and what is done to it with the colours that the program writes.
struct TargetKey {
    ColorLayout layout;
    uint8_t writeMask = 0xF;  ///< bit 0 red .. bit 3 alpha
    bool blend = false;
    BlendEquation equation[2] = {};  ///< RGB, alpha
    BlendFactor source[2] = {}, destination[2] = {};
    bool dualSource = false;          ///< a factor is of the second colour, which the program writes
    LogicOp logicOp = LogicOp::Copy;  ///< another one without blending, on normalised layouts that are not sRGB
    bool dither = false;
    [[nodiscard]] bool readsColor() const { return blend || logicOp != LogicOp::Copy; }  ///< what is stored
    bool operator==(const TargetKey&) const = default;
};

struct PixelKey {
    bool depthTest = false, depthWrite = false;  ///< depthWrite only with depthTest
    Compare depthCompare = Compare::Always;
    uint8_t depthBits = 24;   ///< 16 or 24, of integers; 32: a float
    bool depthClamp = false;  ///< with depthTest, and to less than 0..1: PixelValues::depthLow, depthHigh
    bool stencilTest = false;
    bool sharedDepthStencil = false;                  ///< both tests are on and use the same words of an image
    bool pairedDepth = false, pairedStencil = false;  ///< the image has elements of two words: depth and stencil
    StencilKey stencil[2];                            ///< front, back
    TestOrder order = TestOrder::Early;
    bool alphaToCoverage = false;  ///< only with several samples and a program that writes colour 0, of no integers
    TargetKey target[kMaxColorTargets];
    bool broadcastColor = false;  ///< every target gets the program's colour 0
    bool operator==(const PixelKey&) const = default;
};

struct StencilValues {
    uint8_t reference = 0, compareMask = 0xFF, writeMask = 0xFF;
};

struct PixelValues {
    StencilValues stencil[2];  ///< front, back
    float blendColor[4] = {};
    float depthLow = 0, depthHigh = 1;
    /// Multisampling: pixels of any 4x4 block whose sample i the sample coverage value lets through.
    uint16_t sampleMask[texture::kMaxSamples] = {0xFFFF, 0xFFFF, 0xFFFF, 0xFFFF};
};

/// Key and values of a draw to a target. `program` is the fragment program.
[[nodiscard]] PixelKey pixelKey(const PixelState& state, const RenderTarget& target, const isa::Program& program);
[[nodiscard]] PixelValues pixelValues(const PixelState& state);

}  // namespace tessera::pipeline
