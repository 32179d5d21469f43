// Format tables: OpenGL ES 2.0.25 tables 3.4, 3.9 and 4.5, and the extensions' additions.
#include "api/gles/formats.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "base/enumeration.h"

namespace tessera::gles {

namespace {

using texture::ClientFormat;
using texture::ClientType;
using texture::PixelFormat;

// clang-format off
constexpr PixelTransfer kTextureTransfers[] = {
    {GL_RGBA, GL_UNSIGNED_BYTE, ClientFormat::Rgba, ClientType::U8, 4},
    {GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, ClientFormat::Rgba, ClientType::U16_4444, 2},
    {GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, ClientFormat::Rgba, ClientType::U16_5551, 2},
    {GL_RGB, GL_UNSIGNED_BYTE, ClientFormat::Rgb, ClientType::U8, 3},
    {GL_RGB, GL_UNSIGNED_SHORT_5_6_5, ClientFormat::Rgb, ClientType::U16_565, 2},
    {GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, ClientFormat::LuminanceAlpha, ClientType::U8, 2},
    {GL_LUMINANCE, GL_UNSIGNED_BYTE, ClientFormat::Luminance, ClientType::U8, 1},
    {GL_ALPHA, GL_UNSIGNED_BYTE, ClientFormat::Alpha, ClientType::U8, 1},
    {GL_BGRA_EXT, GL_UNSIGNED_BYTE, ClientFormat::Bgra, ClientType::U8, 4},
    // OES_texture_half_float, OES_texture_float
    {GL_RGBA, GL_HALF_FLOAT_OES, ClientFormat::Rgba, ClientType::F16, 8},
    {GL_RGB, GL_HALF_FLOAT_OES, ClientFormat::Rgb, ClientType::F16, 6},
    {GL_LUMINANCE_ALPHA, GL_HALF_FLOAT_OES, ClientFormat::LuminanceAlpha, ClientType::F16, 4},
    {GL_LUMINANCE, GL_HALF_FLOAT_OES, ClientFormat::Luminance, ClientType::F16, 2},
    {GL_ALPHA, GL_HALF_FLOAT_OES, ClientFormat::Alpha, ClientType::F16, 2},
    {GL_RGBA, GL_FLOAT, ClientFormat::Rgba, ClientType::F32, 16},
    {GL_RGB, GL_FLOAT, ClientFormat::Rgb, ClientType::F32, 12},
    {GL_LUMINANCE_ALPHA, GL_FLOAT, ClientFormat::LuminanceAlpha, ClientType::F32, 8},
    {GL_LUMINANCE, GL_FLOAT, ClientFormat::Luminance, ClientType::F32, 4},
    {GL_ALPHA, GL_FLOAT, ClientFormat::Alpha, ClientType::F32, 4},
    // EXT_texture_rg
    {GL_RED_EXT, GL_UNSIGNED_BYTE, ClientFormat::Red, ClientType::U8, 1},
    {GL_RG_EXT, GL_UNSIGNED_BYTE, ClientFormat::Rg, ClientType::U8, 2},
    {GL_RED_EXT, GL_HALF_FLOAT_OES, ClientFormat::Red, ClientType::F16, 2},
    {GL_RG_EXT, GL_HALF_FLOAT_OES, ClientFormat::Rg, ClientType::F16, 4},
    {GL_RED_EXT, GL_FLOAT, ClientFormat::Red, ClientType::F32, 4},
    {GL_RG_EXT, GL_FLOAT, ClientFormat::Rg, ClientType::F32, 8},
    // TESSERA_texture_packed_bgra
    {GL_BGRA_EXT, GL_UNSIGNED_SHORT_4_4_4_4_REV_EXT, ClientFormat::Bgra, ClientType::U16_4444Rev, 2},
    {GL_BGRA_EXT, GL_UNSIGNED_SHORT_1_5_5_5_REV_EXT, ClientFormat::Bgra, ClientType::U16_1555Rev, 2},
    // APPLE_rgb_422, MESA_ycbcr_texture: packed_video.h makes RGB bytes of them before anything else sees them
    {GL_RGB_422_APPLE, GL_UNSIGNED_SHORT_8_8_APPLE, ClientFormat::Rgb, ClientType::U8, 2},
    {GL_RGB_422_APPLE, GL_UNSIGNED_SHORT_8_8_REV_APPLE, ClientFormat::Rgb, ClientType::U8, 2},
    {GL_YCBCR_MESA, GL_UNSIGNED_SHORT_8_8_APPLE, ClientFormat::Rgb, ClientType::U8, 2},
    {GL_YCBCR_MESA, GL_UNSIGNED_SHORT_8_8_REV_APPLE, ClientFormat::Rgb, ClientType::U8, 2},
    // EXT_sRGB
    {GL_SRGB_EXT, GL_UNSIGNED_BYTE, ClientFormat::Rgb, ClientType::U8, 3},
    {GL_SRGB_ALPHA_EXT, GL_UNSIGNED_BYTE, ClientFormat::Rgba, ClientType::U8, 4},
    // OES_depth_texture, OES_packed_depth_stencil
    {GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, ClientFormat::Depth, ClientType::U16, 2},
    {GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, ClientFormat::Depth, ClientType::U32, 4},
    {GL_DEPTH_STENCIL_OES, GL_UNSIGNED_INT_24_8_OES, ClientFormat::DepthStencil, ClientType::U24_8, 4},
};

constexpr PixelTransfer kReadTransfers[] = {
    {GL_RGBA, GL_UNSIGNED_BYTE, ClientFormat::Rgba, ClientType::U8, 4},
    {GL_RGB, GL_UNSIGNED_SHORT_5_6_5, ClientFormat::Rgb, ClientType::U16_565, 2},
    {GL_RED_EXT, GL_UNSIGNED_BYTE, ClientFormat::Red, ClientType::U8, 1},
    {GL_RG_EXT, GL_UNSIGNED_BYTE, ClientFormat::Rg, ClientType::U8, 2},
    {GL_RGBA, GL_FLOAT, ClientFormat::Rgba, ClientType::F32, 16},
    {GL_RGBA, GL_HALF_FLOAT_OES, ClientFormat::Rgba, ClientType::F16, 8},
    {GL_BGRA_EXT, GL_UNSIGNED_BYTE, ClientFormat::Bgra, ClientType::U8, 4},
    {GL_BGRA_EXT, GL_UNSIGNED_SHORT_4_4_4_4_REV_EXT, ClientFormat::Bgra, ClientType::U16_4444Rev, 2},
    {GL_BGRA_EXT, GL_UNSIGNED_SHORT_1_5_5_5_REV_EXT, ClientFormat::Bgra, ClientType::U16_1555Rev, 2},
};

constexpr InternalFormat kUnsizedFormats[] = {
    {GL_RGBA, GL_RGBA, GL_UNSIGNED_BYTE, PixelFormat::Rgba8},
    {GL_RGBA, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, PixelFormat::Rgba4},
    {GL_RGBA, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, PixelFormat::Rgb5A1},
    {GL_RGB, GL_RGB, GL_UNSIGNED_BYTE, PixelFormat::Rgb8},
    {GL_RGB, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, PixelFormat::Rgb565},
    {GL_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, PixelFormat::LuminanceAlpha8},
    {GL_LUMINANCE, GL_LUMINANCE, GL_UNSIGNED_BYTE, PixelFormat::Luminance8},
    {GL_ALPHA, GL_ALPHA, GL_UNSIGNED_BYTE, PixelFormat::Alpha8},
    {GL_BGRA_EXT, GL_BGRA_EXT, GL_UNSIGNED_BYTE, PixelFormat::Bgra8},
    {GL_BGRA_EXT, GL_BGRA_EXT, GL_UNSIGNED_SHORT_4_4_4_4_REV_EXT, PixelFormat::Rgba4},
    {GL_BGRA_EXT, GL_BGRA_EXT, GL_UNSIGNED_SHORT_1_5_5_5_REV_EXT, PixelFormat::Rgb5A1},
    {GL_RGB_422_APPLE, GL_RGB_422_APPLE, GL_UNSIGNED_SHORT_8_8_APPLE, PixelFormat::Rgb8},
    {GL_RGB_422_APPLE, GL_RGB_422_APPLE, GL_UNSIGNED_SHORT_8_8_REV_APPLE, PixelFormat::Rgb8},
    {GL_YCBCR_MESA, GL_YCBCR_MESA, GL_UNSIGNED_SHORT_8_8_APPLE, PixelFormat::Rgb8},
    {GL_YCBCR_MESA, GL_YCBCR_MESA, GL_UNSIGNED_SHORT_8_8_REV_APPLE, PixelFormat::Rgb8},
    {GL_RGBA, GL_RGBA, GL_HALF_FLOAT_OES, PixelFormat::Rgba16F},
    {GL_RGB, GL_RGB, GL_HALF_FLOAT_OES, PixelFormat::Rgb16F},
    {GL_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA, GL_HALF_FLOAT_OES, PixelFormat::LuminanceAlpha16F},
    {GL_LUMINANCE, GL_LUMINANCE, GL_HALF_FLOAT_OES, PixelFormat::Luminance16F},
    {GL_ALPHA, GL_ALPHA, GL_HALF_FLOAT_OES, PixelFormat::Alpha16F},
    {GL_RGBA, GL_RGBA, GL_FLOAT, PixelFormat::Rgba32F},
    {GL_RGB, GL_RGB, GL_FLOAT, PixelFormat::Rgb32F},
    {GL_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA, GL_FLOAT, PixelFormat::LuminanceAlpha32F},
    {GL_LUMINANCE, GL_LUMINANCE, GL_FLOAT, PixelFormat::Luminance32F},
    {GL_ALPHA, GL_ALPHA, GL_FLOAT, PixelFormat::Alpha32F},
    {GL_RED_EXT, GL_RED_EXT, GL_UNSIGNED_BYTE, PixelFormat::R8},
    {GL_RG_EXT, GL_RG_EXT, GL_UNSIGNED_BYTE, PixelFormat::Rg8},
    {GL_RED_EXT, GL_RED_EXT, GL_HALF_FLOAT_OES, PixelFormat::R16F},
    {GL_RG_EXT, GL_RG_EXT, GL_HALF_FLOAT_OES, PixelFormat::Rg16F},
    {GL_RED_EXT, GL_RED_EXT, GL_FLOAT, PixelFormat::R32F},
    {GL_RG_EXT, GL_RG_EXT, GL_FLOAT, PixelFormat::Rg32F},
    {GL_SRGB_EXT, GL_SRGB_EXT, GL_UNSIGNED_BYTE, PixelFormat::Srgb8},
    {GL_SRGB_ALPHA_EXT, GL_SRGB_ALPHA_EXT, GL_UNSIGNED_BYTE, PixelFormat::Srgb8Alpha8},
    {GL_DEPTH_COMPONENT, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, PixelFormat::Depth16},
    {GL_DEPTH_COMPONENT, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, PixelFormat::Depth24},
    {GL_DEPTH_STENCIL_OES, GL_DEPTH_STENCIL_OES, GL_UNSIGNED_INT_24_8_OES, PixelFormat::Depth24Stencil8},
};

/// Sized formats of textures (OES_required_internalformat, EXT_texture_storage).
constexpr InternalFormat kSizedFormats[] = {
    {GL_RGBA8_OES, GL_RGBA, GL_UNSIGNED_BYTE, PixelFormat::Rgba8},
    {GL_RGB8_OES, GL_RGB, GL_UNSIGNED_BYTE, PixelFormat::Rgb8},
    {GL_RGBA4, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, PixelFormat::Rgba4},
    {GL_RGB5_A1, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, PixelFormat::Rgb5A1},
    {GL_RGB565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, PixelFormat::Rgb565},
    {GL_LUMINANCE8_ALPHA8_EXT, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, PixelFormat::LuminanceAlpha8},
    {GL_LUMINANCE4_ALPHA4_OES, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, PixelFormat::LuminanceAlpha8},
    {GL_LUMINANCE8_EXT, GL_LUMINANCE, GL_UNSIGNED_BYTE, PixelFormat::Luminance8},
    {GL_ALPHA8_EXT, GL_ALPHA, GL_UNSIGNED_BYTE, PixelFormat::Alpha8},
    {GL_BGRA8_EXT, GL_BGRA_EXT, GL_UNSIGNED_BYTE, PixelFormat::Bgra8},
    {GL_RGBA16F_EXT, GL_RGBA, GL_HALF_FLOAT_OES, PixelFormat::Rgba16F},
    {GL_RGB16F_EXT, GL_RGB, GL_HALF_FLOAT_OES, PixelFormat::Rgb16F},
    {GL_LUMINANCE_ALPHA16F_EXT, GL_LUMINANCE_ALPHA, GL_HALF_FLOAT_OES, PixelFormat::LuminanceAlpha16F},
    {GL_LUMINANCE16F_EXT, GL_LUMINANCE, GL_HALF_FLOAT_OES, PixelFormat::Luminance16F},
    {GL_ALPHA16F_EXT, GL_ALPHA, GL_HALF_FLOAT_OES, PixelFormat::Alpha16F},
    {GL_RGBA32F_EXT, GL_RGBA, GL_FLOAT, PixelFormat::Rgba32F},
    {GL_RGB32F_EXT, GL_RGB, GL_FLOAT, PixelFormat::Rgb32F},
    {GL_LUMINANCE_ALPHA32F_EXT, GL_LUMINANCE_ALPHA, GL_FLOAT, PixelFormat::LuminanceAlpha32F},
    {GL_LUMINANCE32F_EXT, GL_LUMINANCE, GL_FLOAT, PixelFormat::Luminance32F},
    {GL_ALPHA32F_EXT, GL_ALPHA, GL_FLOAT, PixelFormat::Alpha32F},
    {GL_R8_EXT, GL_RED_EXT, GL_UNSIGNED_BYTE, PixelFormat::R8},
    {GL_RG8_EXT, GL_RG_EXT, GL_UNSIGNED_BYTE, PixelFormat::Rg8},
    {GL_R16F_EXT, GL_RED_EXT, GL_HALF_FLOAT_OES, PixelFormat::R16F},
    {GL_RG16F_EXT, GL_RG_EXT, GL_HALF_FLOAT_OES, PixelFormat::Rg16F},
    {GL_R32F_EXT, GL_RED_EXT, GL_FLOAT, PixelFormat::R32F},
    {GL_RG32F_EXT, GL_RG_EXT, GL_FLOAT, PixelFormat::Rg32F},
    {GL_RGB_RAW_422_APPLE, GL_RGB_422_APPLE, GL_UNSIGNED_SHORT_8_8_APPLE, PixelFormat::Rgb8},
    {GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, PixelFormat::Depth16},
    {GL_DEPTH_COMPONENT24_OES, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, PixelFormat::Depth24},
    {GL_DEPTH24_STENCIL8_OES, GL_DEPTH_STENCIL_OES, GL_UNSIGNED_INT_24_8_OES, PixelFormat::Depth24Stencil8},
};

struct RenderbufferRow {
    GLenum internalformat;
    PixelFormat storage;
};
constexpr RenderbufferRow kRenderbufferFormats[] = {
    {GL_RGBA4, PixelFormat::Rgba4},
    {GL_RGB5_A1, PixelFormat::Rgb5A1},
    {GL_RGB565, PixelFormat::Rgb565},
    {GL_RGB8_OES, PixelFormat::Rgb8},
    {GL_RGBA8_OES, PixelFormat::Rgba8},
    {GL_BGRA_EXT, PixelFormat::Bgra8},
    {GL_BGRA8_EXT, PixelFormat::Bgra8},
    {GL_SRGB8_ALPHA8_EXT, PixelFormat::Srgb8Alpha8},
    {GL_R8_EXT, PixelFormat::R8},
    {GL_RG8_EXT, PixelFormat::Rg8},
    {GL_RGBA16F_EXT, PixelFormat::Rgba16F},
    {GL_RGB16F_EXT, PixelFormat::Rgb16F},
    {GL_RG16F_EXT, PixelFormat::Rg16F},
    {GL_R16F_EXT, PixelFormat::R16F},
    {GL_DEPTH_COMPONENT16, PixelFormat::Depth16},
    {GL_DEPTH_COMPONENT24_OES, PixelFormat::Depth24},
    {GL_DEPTH24_STENCIL8_OES, PixelFormat::Depth24Stencil8},
    {GL_STENCIL_INDEX8, PixelFormat::Stencil8},
};
// clang-format on

/// How many bytes each element of a pixel of the type has; 0: no row of kTextureTransfers has the type.
constexpr size_t bytesOf(GLenum type) {
    switch (type) {
        case GL_UNSIGNED_BYTE:
            return 1;
        case GL_UNSIGNED_SHORT:
        case GL_UNSIGNED_SHORT_4_4_4_4:
        case GL_UNSIGNED_SHORT_5_5_5_1:
        case GL_UNSIGNED_SHORT_5_6_5:
        case GL_UNSIGNED_SHORT_4_4_4_4_REV_EXT:
        case GL_UNSIGNED_SHORT_1_5_5_5_REV_EXT:
        case GL_UNSIGNED_SHORT_8_8_APPLE:
        case GL_UNSIGNED_SHORT_8_8_REV_APPLE:
        case GL_HALF_FLOAT_OES:
            return 2;
        case GL_FLOAT:
        case GL_UNSIGNED_INT:
        case GL_UNSIGNED_INT_24_8_OES:
            return 4;
    }
    return 0;
}

/// Channels that an image of the base format has; 0: none of colour, or video.
constexpr unsigned channelsOfBase(GLenum baseFormat) {
    switch (baseFormat) {
        case GL_ALPHA:
            return kAlpha;
        case GL_LUMINANCE:
        case GL_RED_EXT:
            return kRed;
        case GL_RG_EXT:
            return kRed | kGreen;
        case GL_LUMINANCE_ALPHA:
            return kRed | kAlpha;
        case GL_RGB:
        case GL_SRGB_EXT:
            return kRed | kGreen | kBlue;
        case GL_RGBA:
        case GL_SRGB_ALPHA_EXT:
        case GL_BGRA_EXT:
            return kRed | kGreen | kBlue | kAlpha;
    }
    return 0;
}

constexpr bool isDepthBase(GLenum base) { return base == GL_DEPTH_COMPONENT || base == GL_DEPTH_STENCIL_OES; }
constexpr bool isVideoBase(GLenum base) { return base == GL_RGB_422_APPLE || base == GL_YCBCR_MESA; }

static_assert(std::all_of(std::begin(kTextureTransfers), std::end(kTextureTransfers),
                          [](const PixelTransfer& row) {
                              return bytesOf(row.type) != 0 && (channelsOfBase(row.format) != 0 ||
                                                                isDepthBase(row.format) || isVideoBase(row.format));
                          }),
              "a type or base format that the functions above do not know");
static_assert(std::all_of(std::begin(kReadTransfers), std::end(kReadTransfers),
                          [](const PixelTransfer& row) { return bytesOf(row.type) != 0; }));

template <size_t n>
const PixelTransfer* find(const PixelTransfer (&table)[n], GLenum format, GLenum type) {
    auto it = std::find_if(std::begin(table), std::end(table),
                           [&](const PixelTransfer& row) { return row.format == format && row.type == type; });
    return it == std::end(table) ? nullptr : it;
}

const InternalFormat* unsizedFormat(GLenum format, GLenum type) {
    auto it = std::find_if(std::begin(kUnsizedFormats), std::end(kUnsizedFormats),
                           [&](const InternalFormat& row) { return row.format == format && row.type == type; });
    return it == std::end(kUnsizedFormats) ? nullptr : it;
}

/// The rows of OES_required_internalformat's table 3.4, and floats as OpenGL ES 3.0 has them: bytes may be reduced,
/// single precision may become half, 32-bit depths may become 16-bit ones; otherwise the precision must be the same.
bool sizedFormatTakes(const InternalFormat& sized, GLenum type) {
    if (type == sized.type) return true;
    switch (type) {
        case GL_UNSIGNED_BYTE:
            return !isDepthFormat(sized.format) && !isFloatFormat(sized.storage);
        case GL_FLOAT:
            return sized.type == GL_HALF_FLOAT_OES;
        case GL_UNSIGNED_INT:
            return sized.storage == PixelFormat::Depth16;
        case GL_UNSIGNED_SHORT_8_8_REV_APPLE:
            return sized.format == GL_RGB_422_APPLE;
    }
    return false;
}

}  // namespace

const PixelTransfer* textureTransfer(GLenum format, GLenum type) { return find(kTextureTransfers, format, type); }
const PixelTransfer* readTransfer(GLenum format, GLenum type) { return find(kReadTransfers, format, type); }

const PixelTransfer* implementationRead(PixelFormat format) {
    switch (format) {
        case PixelFormat::Rgb565:
            return readTransfer(GL_RGB, GL_UNSIGNED_SHORT_5_6_5);
        case PixelFormat::R8:
            return readTransfer(GL_RED_EXT, GL_UNSIGNED_BYTE);
        case PixelFormat::Rg8:
            return readTransfer(GL_RG_EXT, GL_UNSIGNED_BYTE);
        default:
            return readTransfer(GL_RGBA, isFloatFormat(format) ? GL_HALF_FLOAT_OES : GL_UNSIGNED_BYTE);
    }
}

bool isReadable(PixelFormat format, const PixelTransfer& transfer) {
    if (transfer == *implementationRead(format)) return true;
    if (isFloatFormat(format)) return transfer.format == GL_RGBA && transfer.type == GL_FLOAT;
    if (transfer.format == GL_BGRA_EXT) return true;
    return transfer.format == GL_RGBA && transfer.type == GL_UNSIGNED_BYTE;
}

size_t typeBytes(GLenum type) { return bytesOf(type); }

bool isPixelFormat(GLenum format) {
    return std::any_of(std::begin(kTextureTransfers), std::end(kTextureTransfers),
                       [&](const PixelTransfer& row) { return row.format == format; });
}

bool isPixelType(GLenum type) {
    return std::any_of(std::begin(kTextureTransfers), std::end(kTextureTransfers),
                       [&](const PixelTransfer& row) { return row.type == type; });
}

bool isReadFormat(GLenum format) {
    return isPixelFormat(format) && !isDepthFormat(format) && !isSrgbFormat(format) && !isVideoFormat(format);
}

bool isReadType(GLenum type) {
    return isPixelType(type) && type != GL_UNSIGNED_SHORT_8_8_APPLE && type != GL_UNSIGNED_SHORT_8_8_REV_APPLE;
}

bool isTextureFormat(GLenum internalformat) {
    return isPixelFormat(internalformat) || storageFormat(internalformat) != nullptr;
}

const InternalFormat* storageFormat(GLenum internalformat) {
    auto it = std::find_if(std::begin(kSizedFormats), std::end(kSizedFormats),
                           [&](const InternalFormat& row) { return row.internalformat == internalformat; });
    return it == std::end(kSizedFormats) ? nullptr : it;
}

namespace {

/// BGRA bytes are RGBA bytes in another order, and go wherever those go (APPLE_texture_format_BGRA8888).
GLenum orderedFormat(const PixelTransfer& transfer, GLenum wanted) {
    const bool reorders = transfer.format == GL_BGRA_EXT && transfer.type == GL_UNSIGNED_BYTE && wanted == GL_RGBA;
    return reorders ? wanted : transfer.format;
}

}  // namespace

const InternalFormat* textureFormat(GLenum internalformat, const PixelTransfer& transfer) {
    const bool isApplesRgb = internalformat == GL_RGB && transfer.format == GL_RGB_422_APPLE;
    if (isApplesRgb) return unsizedFormat(transfer.format, transfer.type);
    if (internalformat == orderedFormat(transfer, internalformat)) return unsizedFormat(internalformat, transfer.type);
    const InternalFormat* sized = storageFormat(internalformat);
    return sized && sized->format == orderedFormat(transfer, sized->format) && sizedFormatTakes(*sized, transfer.type)
               ? sized
               : nullptr;
}

const InternalFormat* copyFormat(GLenum internalformat, PixelFormat from) {
    const bool isUploadOnly = internalformat == GL_BGRA_EXT || internalformat == GL_BGRA8_EXT;
    if (isUploadOnly || isSrgbFormat(internalformat) || internalformat == GL_RGB_RAW_422_APPLE) return nullptr;
    if (neededChannels(internalformat) != 0) {
        const GLenum type = !isFloatFormat(from)                                   ? GL_UNSIGNED_BYTE
                            : texture::isSingle(texture::formatInfo(from).element) ? GL_FLOAT
                                                                                   : GL_HALF_FLOAT_OES;
        return unsizedFormat(internalformat, type);
    }
    const InternalFormat* sized = storageFormat(internalformat);
    return sized && !isDepthFormat(sized->format) ? sized : nullptr;
}

std::span<const GLenum> compressedFormats() {
    static const std::vector<GLenum> kAll = [] {
        std::vector<GLenum> all;
        for (const texture::BlockFormat& format : texture::blockFormats()) all.push_back(format.internalformat);
        for (const texture::PalettedFormat& format : texture::palettedFormats()) all.push_back(format.internalformat);
        return all;
    }();
    return kAll;
}

bool isCompressedFormat(GLenum internalformat) {
    return texture::blockFormat(internalformat) || texture::palettedFormat(internalformat);
}

const texture::BlockFormat* encodedFormat(GLenum internalformat) {
    const texture::BlockFormat* format = texture::blockFormat(internalformat);
    return format && format->family == texture::CodecFamily::S3tc ? format : nullptr;
}

bool acceptsTransfer(GLenum baseFormat, PixelFormat storage, const PixelTransfer& transfer) {
    bool floats = transfer.type == GL_FLOAT || transfer.type == GL_HALF_FLOAT_OES;
    return orderedFormat(transfer, baseFormat) == baseFormat && floats == isFloatFormat(storage);
}

PixelFormat renderbufferFormat(GLenum internalformat) {
    for (const RenderbufferRow& row : kRenderbufferFormats)
        if (row.internalformat == internalformat) return row.storage;
    return PixelFormat::None;
}

bool isSrgbFormat(GLenum baseFormat) { return baseFormat == GL_SRGB_EXT || baseFormat == GL_SRGB_ALPHA_EXT; }

bool isDepthFormat(GLenum baseFormat) { return isDepthBase(baseFormat); }

bool isVideoFormat(GLenum baseFormat) { return isVideoBase(baseFormat); }

bool isFloatFormat(PixelFormat format) { return texture::holdsFloats(texture::formatInfo(format).element); }

unsigned neededChannels(GLenum baseFormat) { return channelsOfBase(baseFormat); }

unsigned channelsOf(PixelFormat format) {
    const texture::FormatInfo& info = texture::formatInfo(format);
    return (info.red ? kRed : 0u) | (info.green ? kGreen : 0u) | (info.blue ? kBlue : 0u) | (info.alpha ? kAlpha : 0u);
}

texture::ImagePtr makeImage(Recorder& recorder, PixelFormat format, int width, int height, int samples) {
    auto image = std::make_shared<texture::Image>(format, width, height, samples);
    recorder.allocated(image->byteCount());
    texture::fillMissing(*image);
    return image;
}

GLenum uniformType(isa::VarType type) {
    // Tokens that OpenGL ES 3.0 brings are not in the headers of 2.0.
    static constexpr GLenum kTypes[] = {
        GL_FLOAT,
        GL_FLOAT_VEC2,
        GL_FLOAT_VEC3,
        GL_FLOAT_VEC4,
        GL_INT,
        GL_INT_VEC2,
        GL_INT_VEC3,
        GL_INT_VEC4,
        GL_BOOL,
        GL_BOOL_VEC2,
        GL_BOOL_VEC3,
        GL_BOOL_VEC4,
        GL_FLOAT_MAT2,
        GL_FLOAT_MAT3,
        GL_FLOAT_MAT4,
        GL_SAMPLER_2D,
        GL_SAMPLER_CUBE,
        GL_SAMPLER_3D_OES,
        GL_SAMPLER_EXTERNAL_OES,
        GL_SAMPLER_2D_SHADOW_EXT,
        GL_UNSIGNED_INT,
        0x8DC6,  // GL_UNSIGNED_INT_VEC2
        0x8DC7,  // GL_UNSIGNED_INT_VEC3
        0x8DC8,  // GL_UNSIGNED_INT_VEC4
        0x8B65,  // GL_FLOAT_MAT2x3
        0x8B66,  // GL_FLOAT_MAT2x4
        0x8B67,  // GL_FLOAT_MAT3x2
        0x8B68,  // GL_FLOAT_MAT3x4
        0x8B69,  // GL_FLOAT_MAT4x2
        0x8B6A,  // GL_FLOAT_MAT4x3
        0x8DC5,  // GL_SAMPLER_CUBE_SHADOW
        0x8DC1,  // GL_SAMPLER_2D_ARRAY
        0x8DC4,  // GL_SAMPLER_2D_ARRAY_SHADOW
        0x8DCA,  // GL_INT_SAMPLER_2D
        0x8DCC,  // GL_INT_SAMPLER_CUBE
        0x8DCB,  // GL_INT_SAMPLER_3D
        0x8DCF,  // GL_INT_SAMPLER_2D_ARRAY
        0x8DD2,  // GL_UNSIGNED_INT_SAMPLER_2D
        0x8DD4,  // GL_UNSIGNED_INT_SAMPLER_CUBE
        0x8DD3,  // GL_UNSIGNED_INT_SAMPLER_3D
        0x8DD7,  // GL_UNSIGNED_INT_SAMPLER_2D_ARRAY
    };
    static_assert(std::size(kTypes) == enumeratorCount<isa::VarType>());
    return kTypes[static_cast<size_t>(type)];
}

}  // namespace tessera::gles
