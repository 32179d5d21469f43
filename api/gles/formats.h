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

/// The contexts that have a row of a table: those of OpenGL ES 3.0 take more, and one thing less.
enum class Versions : uint8_t { None, Es2, Es3, All };

/// A (format, type) pair of glTexImage2D (table 3.4 and the extensions' rows) or glReadPixels: the client's pixels.
struct PixelTransfer {
    GLenum format, type;
    texture::ClientFormat clientFormat;
    texture::ClientType clientType;
    int pixelBytes;
    Versions versions = Versions::All;
    bool operator==(const PixelTransfer&) const = default;
};

// `isEs3` is Context::isEs3().

/// Null when the pair is not one of glTexImage2D's.
[[nodiscard]] const PixelTransfer* textureTransfer(bool isEs3, GLenum format, GLenum type);
/// Null when glReadPixels never takes the pair.
[[nodiscard]] const PixelTransfer* readTransfer(bool isEs3, GLenum format, GLenum type);
/// GL_IMPLEMENTATION_COLOR_READ_FORMAT and _TYPE of a colour buffer; never null.
[[nodiscard]] const PixelTransfer* implementationRead(bool isEs3, texture::PixelFormat format);
/// True when glReadPixels gives a colour buffer of the format in that pair: RGBA bytes (of floats: RGBA floats, of
/// integers: RGBA integers of 32 bits), with signs or sixteen bits also RGBA of the channels' type, the
/// implementation's own pair, which in OpenGL ES 3.0 is the one that the format is specified with, and BGRA of bytes.
/// Depth and stencil are read in every pair of theirs.
[[nodiscard]] bool isReadable(bool isEs3, texture::PixelFormat format, const PixelTransfer& transfer);
[[nodiscard]] size_t typeBytes(GLenum type);                  ///< of what a pixel of the type is made of
[[nodiscard]] bool isPixelFormat(bool isEs3, GLenum format);  ///< of glTexImage2D
[[nodiscard]] bool isPixelType(bool isEs3, GLenum type);      ///< of glTexImage2D
[[nodiscard]] bool isReadFormat(bool isEs3, GLenum format);   ///< known to glReadPixels, in some pair
[[nodiscard]] bool isReadType(bool isEs3, GLenum type);

/// What an image holds, in GL's terms: base format, and the type that says the precision.
struct InternalFormat {
    GLenum internalformat;  ///< the base format itself (unsized), or a sized one
    GLenum format, type;
    texture::PixelFormat storage;
    Versions textures = Versions::All, renderbuffers = Versions::None;  ///< what can be of it
    bool isSized() const { return internalformat != format; }
};

/// The format that a level of a texture was given.
struct LevelFormat {
    GLenum internalformat, format;  ///< of InternalFormat
    texture::PixelFormat storage;
};

/// True for unsized and sized formats that glTexImage2D takes (OES_required_internalformat).
[[nodiscard]] bool isTextureFormat(bool isEs3, GLenum internalformat);
/// What glTexImage2D makes; null when the three do not go together.
[[nodiscard]] const InternalFormat* textureFormat(bool isEs3, GLenum internalformat, const PixelTransfer& transfer);
/// What glTexStorage2D makes; null for unsized and unknown formats.
[[nodiscard]] const InternalFormat* storageFormat(bool isEs3, GLenum internalformat);
/// What glCopyTexImage2D makes from a colour buffer; null for other enums. Unsized formats keep floats as floats.
[[nodiscard]] const InternalFormat* copyFormat(bool isEs3, GLenum internalformat, texture::PixelFormat from);
/// What numbers colours are, which clears and blits of OpenGL ES 3.0 do not change: fixed point and floats are one
/// kind.
enum class ColorKind : uint8_t { Real, Signed, Unsigned };
[[nodiscard]] ColorKind colorKind(texture::PixelFormat format);
/// Whether OpenGL ES 3.0 copies a colour buffer of `from` into an image of `to` (section 3.8.5): numbers of one kind,
/// encoded both or neither. The channels are another question.
[[nodiscard]] bool isCopiedTo(texture::PixelFormat to, texture::PixelFormat from);
/// Whether glCopyTexImage2D of OpenGL ES 3.0 makes it of such a buffer: a sized one has the channels as they are there.
[[nodiscard]] bool isMadeBy(const InternalFormat& made, texture::PixelFormat from);
/// Pixels that glTexSubImage2D may write into a level of that format.
[[nodiscard]] bool acceptsTransfer(bool isEs3, const LevelFormat& level, const PixelTransfer& transfer);

/// GL_COMPRESSED_TEXTURE_FORMATS: what texture::blockFormat() and texture::palettedFormat() know.
[[nodiscard]] std::span<const GLenum> compressedFormats();
[[nodiscard]] bool isCompressedFormat(GLenum internalformat);
/// The formats that glTexImage2D and glTexSubImage2D compress to (EXT_texture_compression_s3tc); null for all others.
[[nodiscard]] const texture::BlockFormat* encodedFormat(GLenum internalformat);

/// PixelFormat::None when glRenderbufferStorage does not know the format.
[[nodiscard]] texture::PixelFormat renderbufferFormat(bool isEs3, GLenum internalformat);
/// Whether textures of the format can be drawn to.
[[nodiscard]] bool isRenderable(bool isEs3, texture::PixelFormat format);

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
