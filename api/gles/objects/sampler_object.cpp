#include "api/gles/objects/sampler_object.h"

#include <algorithm>
#include <bit>

#include "api/gles/limits.h"

namespace tessera::gles {

namespace {

texture::Wrap wrap(GLenum mode) {
    switch (mode) {
        case GL_CLAMP_TO_EDGE:
            return texture::Wrap::ClampToEdge;
        case GL_MIRRORED_REPEAT:
            return texture::Wrap::MirroredRepeat;
        case GL_MIRROR_CLAMP_TO_EDGE_EXT:
            return texture::Wrap::MirrorClampToEdge;
        case GL_CLAMP_TO_BORDER_EXT:
            return texture::Wrap::ClampToBorder;
        default:
            return texture::Wrap::Repeat;
    }
}

/// The border as a texel of the format is sampled: its range, and the channels that it has. Of integers it is bits.
/// (What floats are as integers, and integers as floats, is not defined: bits are taken for what is asked for.)
std::array<float, 4> borderOf(texture::PixelFormat format, std::array<float, 4> color) {
    const texture::FormatInfo& info = texture::formatInfo(format);
    const texture::Number number = texture::elementInfo(info.element).number;
    const float least = number == texture::Number::Snorm ? -1.0f : 0.0f;
    const bool isInteger = texture::isInteger(info.element);
    if (number != texture::Number::Float && !isInteger)
        for (float& channel : color) channel = channel > least ? std::min(channel, 1.0f) : least;
    if (info.luminance != 0 || info.depth != 0) {
        color[1] = color[2] = color[0];
    } else {
        if (info.red == 0) color[0] = 0;
        if (info.green == 0) color[1] = 0;
        if (info.blue == 0) color[2] = 0;
    }
    if (info.alpha == 0) color[3] = isInteger ? std::bit_cast<float>(1) : 1.0f;
    return color;
}

texture::DepthCompare compare(GLenum function) {
    static_assert(GL_ALWAYS - GL_NEVER ==
                  static_cast<int>(texture::DepthCompare::Always) - static_cast<int>(texture::DepthCompare::Never));
    return static_cast<texture::DepthCompare>(function - GL_NEVER + static_cast<GLenum>(texture::DepthCompare::Never));
}

}  // namespace

texture::SamplerState SamplingParameters::state(texture::PixelFormat format) const {
    const bool linear =
        minFilter == GL_LINEAR || minFilter == GL_LINEAR_MIPMAP_NEAREST || minFilter == GL_LINEAR_MIPMAP_LINEAR;
    const bool betweenLevels = minFilter == GL_NEAREST_MIPMAP_LINEAR || minFilter == GL_LINEAR_MIPMAP_LINEAR;
    texture::SamplerState out;
    out.magFilter = magFilter == GL_LINEAR ? texture::Filter::Linear : texture::Filter::Nearest;
    out.maxAnisotropy = static_cast<uint8_t>(std::min(maxAnisotropy, kMaxAnisotropy));
    out.minFilter = linear ? texture::Filter::Linear : texture::Filter::Nearest;
    out.mipFilter = !usesMipmaps()  ? texture::MipFilter::None
                    : betweenLevels ? texture::MipFilter::Linear
                                    : texture::MipFilter::Nearest;
    out.wrapS = wrap(wrapS);
    out.wrapT = wrap(wrapT);
    out.wrapR = wrap(wrapR);
    out.minLod = minLod;
    out.maxLod = maxLod;
    out.border = borderOf(format, borderColor);
    out.asCodes = srgbDecode == GL_SKIP_DECODE_EXT && texture::formatInfo(format).srgb();
    out.compare = compareMode == GL_NONE ? texture::DepthCompare::None : compare(compareFunction);
    return out;
}

GLenum* SamplingParameters::find(GLenum pname) {
    switch (pname) {
        case GL_TEXTURE_MIN_FILTER:
            return &minFilter;
        case GL_TEXTURE_MAG_FILTER:
            return &magFilter;
        case GL_TEXTURE_WRAP_S:
            return &wrapS;
        case GL_TEXTURE_WRAP_T:
            return &wrapT;
        case GL_TEXTURE_WRAP_R_OES:
            return &wrapR;
        case GL_TEXTURE_COMPARE_MODE_EXT:
            return &compareMode;
        case GL_TEXTURE_COMPARE_FUNC_EXT:
            return &compareFunction;
        case GL_TEXTURE_SRGB_DECODE_EXT:
            return &srgbDecode;
    }
    return nullptr;
}

}  // namespace tessera::gles
