// Texture views and sampling state: what a draw reads. A view is an immutable set of images; the front end
// makes a new one whenever a level is respecified, so recorded draws keep what they were recorded with.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "texture/image.h"

namespace tessera::texture {

inline constexpr int kMaxLevels = 13;  ///< 4096 x 4096 down to 1 x 1 (paper 2.3)
inline constexpr int kMaxTextureSize = 4096;
inline constexpr int kMaxAnisotropy = 16;

enum class Kind : uint8_t { Tex2D, Cube, Tex3D };

/// Cube faces in GL order: +X -X +Y -Y +Z -Z. A 2D texture uses face 0 only, as does a 3D texture, of volumes.
struct TextureView {
    uint64_t identity = 0;  ///< of the texture object that it is a view of, for tools; its low 32 bits are GL's name
    Kind kind = Kind::Tex2D;
    int levels = 0;  ///< levels present and complete from level 0; 0: incomplete, samples (0,0,0,1)
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
    bool operator==(const SamplerState&) const = default;
};

}  // namespace tessera::texture
