// GL's formats and types in the terms of the texture room.
#pragma once

#include <span>

#include "api/gles/gles.h"
#include "api/gles/recorder.h"
#include "shader-core/isa/program.h"
#include "texture/codec/codec.h"
#include "texture/codec/paletted.h"
#include "texture/transfer/transfer.h"

namespace tessera::gles {

/// A (format, type) pair of glTexImage2D (table 3.4 and the extensions' rows) or glReadPixels: the client's pixels.
struct PixelTransfer {
    GLenum format, type;
    texture::ClientFormat clientFormat;
    texture::ClientType clientType;
    int pixelBytes;
    bool operator==(const PixelTransfer&) const = default;
};

/// Null when the pair is not one of glTexImage2D's.
[[nodiscard]] const PixelTransfer* textureTransfer(GLenum format, GLenum type);
/// Null when glReadPixels never takes the pair.
[[nodiscard]] const PixelTransfer* readTransfer(GLenum format, GLenum type);
/// GL_IMPLEMENTATION_COLOR_READ_FORMAT and _TYPE of a colour buffer; never null.
[[nodiscard]] const PixelTransfer* implementationRead(texture::PixelFormat format);
/// True when glReadPixels gives a colour buffer of the format in that pair: RGBA bytes (of floats: RGBA floats), the
/// implementation's own pair, and BGRA of what is no float.
[[nodiscard]] bool isReadable(texture::PixelFormat format, const PixelTransfer& transfer);
[[nodiscard]] size_t typeBytes(GLenum type);      ///< of what a pixel of the type is made of
[[nodiscard]] bool isPixelFormat(GLenum format);  ///< of glTexImage2D
[[nodiscard]] bool isPixelType(GLenum type);      ///< of glTexImage2D
[[nodiscard]] bool isReadFormat(GLenum format);   ///< known to glReadPixels, in some pair
[[nodiscard]] bool isReadType(GLenum type);

/// What an image holds, in GL's terms: base format, and the type that says the precision.
struct InternalFormat {
    GLenum internalformat;  ///< the base format itself (unsized), or a sized one
    GLenum format, type;
    texture::PixelFormat storage;
    bool isSized() const { return internalformat != format; }
};

/// True for unsized and sized formats that glTexImage2D takes (OES_required_internalformat).
[[nodiscard]] bool isTextureFormat(GLenum internalformat);
/// What glTexImage2D makes; null when the three do not go together.
[[nodiscard]] const InternalFormat* textureFormat(GLenum internalformat, const PixelTransfer& transfer);
/// What glTexStorage2DEXT makes; null for unsized and unknown formats.
[[nodiscard]] const InternalFormat* storageFormat(GLenum internalformat);
/// What glCopyTexImage2D makes from a colour buffer; null for other enums. Unsized formats keep floats as floats.
[[nodiscard]] const InternalFormat* copyFormat(GLenum internalformat, texture::PixelFormat from);
/// Pixels that glTexSubImage2D may write into a level with that base format and storage.
[[nodiscard]] bool acceptsTransfer(GLenum baseFormat, texture::PixelFormat storage, const PixelTransfer& transfer);

/// GL_COMPRESSED_TEXTURE_FORMATS: what texture::blockFormat() and texture::palettedFormat() know.
[[nodiscard]] std::span<const GLenum> compressedFormats();
[[nodiscard]] bool isCompressedFormat(GLenum internalformat);
/// The formats that glTexImage2D and glTexSubImage2D compress to (EXT_texture_compression_s3tc); null for all others.
[[nodiscard]] const texture::BlockFormat* encodedFormat(GLenum internalformat);

/// PixelFormat::None when glRenderbufferStorage does not know the format.
[[nodiscard]] texture::PixelFormat renderbufferFormat(GLenum internalformat);

[[nodiscard]] bool isDepthFormat(GLenum baseFormat);  ///< GL_DEPTH_COMPONENT, GL_DEPTH_STENCIL_OES
[[nodiscard]] bool isSrgbFormat(GLenum baseFormat);   ///< GL_SRGB_EXT, GL_SRGB_ALPHA_EXT
[[nodiscard]] bool isVideoFormat(GLenum baseFormat);  ///< GL_RGB_422_APPLE, GL_YCBCR_MESA
[[nodiscard]] bool isFloatFormat(texture::PixelFormat format);

/// Channels that a colour format has (glCopyTexImage2D: table 3.9).
enum Channel : unsigned { kRed = 1, kGreen = 2, kBlue = 4, kAlpha = 8 };
/// What a texture of that base format takes from the framebuffer; 0 for other enums.
[[nodiscard]] unsigned neededChannels(GLenum baseFormat);
[[nodiscard]] unsigned channelsOf(texture::PixelFormat format);

/// A new image whose missing channels read as GL says: alpha 1. Everything else is zero.
[[nodiscard]] texture::ImagePtr makeImage(Recorder& recorder, texture::PixelFormat format, int width, int height,
                                          int samples = 1);

[[nodiscard]] GLenum uniformType(isa::VarType type);  ///< GL_FLOAT_VEC4, ...

}  // namespace tessera::gles
