// GL's formats and types in the terms of the texture room.
#pragma once

#include "api/gles/gles.h"
#include "shader-core/isa/program.h"
#include "texture/transfer.h"

namespace tessera::gles {

/// A (format, type) pair of glTexImage2D (table 3.4 plus EXT_texture_format_BGRA8888) or glReadPixels.
struct PixelTransfer {
    GLenum format, type;
    texture::PixelFormat storage;  ///< what an image made from it holds
    texture::ClientFormat clientFormat;
    texture::ClientType clientType;
    int pixelBytes;
};

/// Null when the pair is not one of glTexImage2D's.
[[nodiscard]] const PixelTransfer* textureTransfer(GLenum format, GLenum type);
/// Null when glReadPixels never takes the pair.
[[nodiscard]] const PixelTransfer* readTransfer(GLenum format, GLenum type);
[[nodiscard]] bool isPixelFormat(GLenum format);  ///< of glTexImage2D
[[nodiscard]] bool isPixelType(GLenum type);      ///< of glTexImage2D
[[nodiscard]] bool isReadFormat(GLenum format);   ///< known to glReadPixels, in some pair
[[nodiscard]] bool isReadType(GLenum type);

/// PixelFormat::None when glRenderbufferStorage does not know the format.
[[nodiscard]] texture::PixelFormat renderbufferFormat(GLenum internalformat);

/// Channels that a colour format has (glCopyTexImage2D: table 3.9).
enum Channel : unsigned { kRed = 1, kGreen = 2, kBlue = 4, kAlpha = 8 };
/// What a texture of that base format takes from the framebuffer; 0 for other enums.
[[nodiscard]] unsigned neededChannels(GLenum baseFormat);
[[nodiscard]] unsigned channelsOf(texture::PixelFormat format);

/// Bytes from one row to the next in client memory (section 3.6.2). 64-bit: the widths are the application's.
[[nodiscard]] inline size_t alignedRowBytes(int width, int pixelBytes, int alignment) {
    size_t bytes = static_cast<size_t>(width) * static_cast<size_t>(pixelBytes);
    return (bytes + static_cast<size_t>(alignment) - 1) & ~(static_cast<size_t>(alignment) - 1);
}

/// A new image whose missing channels read as GL says: alpha 1. Everything else is zero.
[[nodiscard]] texture::ImagePtr makeImage(texture::PixelFormat format, int width, int height);

[[nodiscard]] GLenum uniformType(isa::VarType type);  ///< GL_FLOAT_VEC4, ...

}  // namespace tessera::gles
