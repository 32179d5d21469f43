// Texture views and sampling state: what a draw reads. A view is an immutable set of images; the front end
// makes a new one whenever a level is respecified, so recorded draws keep what they were recorded with.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "texture/image.h"

namespace tessera::texture {

inline constexpr int kMaxTextureSize = 16384;  ///< the paper (2.3): 4096
inline constexpr int kMaxLevels = 15;          ///< from the largest down to 1 x 1
inline constexpr int kMaxAnisotropy = 16;

/// The greatest bias that changes anything, GL_MAX_TEXTURE_LOD_BIAS: no level of detail is as far from all levels.
inline constexpr float kMaxLodBias = 128;

enum class Kind : uint8_t { Tex2D, Cube, Tex3D, Array2D };

/// What a component of a lookup's result is.
enum class Channel : uint8_t { Red, Green, Blue, Alpha, Zero, One };
using Swizzle = std::array<Channel, 4>;
inline constexpr Swizzle kNoSwizzle = {Channel::Red, Channel::Green, Channel::Blue, Channel::Alpha};
/// Depth, which is luminance without a swizzle, as OpenGL ES 3.0 has it: (d, 0, 0, 1).
inline constexpr Swizzle kDepthAsRed = {Channel::Red, Channel::Zero, Channel::Zero, Channel::One};
/// The swizzle that is `first` and then `second`.
[[nodiscard]] constexpr Swizzle swizzled(const Swizzle& first, const Swizzle& second) {
    Swizzle both = second;
    for (Channel& channel : both)
        if (channel < Channel::Zero) channel = first[static_cast<size_t>(channel)];
    return both;
}
static_assert(swizzled(kDepthAsRed, {Channel::Green, Channel::Red, Channel::One, Channel::Alpha}) ==
              Swizzle{Channel::Zero, Channel::Red, Channel::One, Channel::One});

/// Cube faces in GL order: +X -X +Y -Y +Z -Z. Other textures use face 0 only: a 3D texture has volumes there, an array
/// volumes whose slices are the layers, as many in each level.
///
/// A view begins at the texture's base level: levels of lookups, fetches and sizes are counted from there.
struct TextureView {
    uint64_t identity = 0;  ///< of the texture object that it is a view of, for tools; its low 32 bits are GL's name
    Kind kind = Kind::Tex2D;
    /// Levels present and complete from the first; 0: incomplete, samples (0,0,0,1). Where the filter reads one level
    /// alone there may be more, which fetches and sizes can ask for.
    int levels = 0;
    Swizzle swizzle = kNoSwizzle;  ///< of what a lookup's filter or comparison gives
    /// What the images were decoded from, for whoever asks what they would take in memory: GL's compressed format, or
    /// the fourcc of a video's picture. 0: they are what was specified.
    uint32_t storedAs = 0;
    std::array<std::array<ImagePtr, kMaxLevels>, 6> image{};
};
using TextureViewPtr = std::shared_ptr<const TextureView>;

enum class Filter : uint8_t { Nearest, Linear };
enum class MipFilter : uint8_t { None, Nearest, Linear };
enum class Wrap : uint8_t { Repeat, ClampToEdge, MirroredRepeat, MirrorClampToEdge, ClampToBorder };
/// How a reference is compared with depth, where a lookup asks for that (EXT_shadow_samplers). In OpenGL's order, as
/// pipeline::Compare.
enum class DepthCompare : uint8_t { None, Never, Less, Equal, LessEqual, Greater, NotEqual, GreaterEqual, Always };

struct SamplerState {
    Filter magFilter = Filter::Linear;
    Filter minFilter = Filter::Nearest;
    MipFilter mipFilter = MipFilter::Linear;
    Wrap wrapS = Wrap::Repeat, wrapT = Wrap::Repeat, wrapR = Wrap::Repeat;
    DepthCompare compare = DepthCompare::None;
    uint8_t maxAnisotropy = 1;  ///< lookups of a footprint, 1..kMaxAnisotropy
    /// What Wrap::ClampToBorder reads outside the image, as a texel of the view's format is sampled.
    std::array<float, 4> border{};
    float minLod = -1000, maxLod = 1000;  ///< the level of detail is clamped to them, its bias added
    /// Filters as OpenGL ES 3.0 has them: cube maps over the edges of faces, whatever the wrap modes are; magnification
    /// up to a level of detail of 0 with any filters. In 2.0 it is 1/2 with a linear magnification filter and a nearest
    /// minification filter with mipmap levels (section 3.7.8).
    bool isEs3 = false;
    /// Lookups take sRGB codes for numbers, as if they were not encoded; fetches of single texels decode them all the
    /// same (EXT_texture_sRGB_decode).
    bool asCodes = false;
    bool operator==(const SamplerState&) const = default;
};

}  // namespace tessera::texture
