// Format tables: OpenGL ES 2.0.25 tables 3.4, 3.9 and 4.5, and the extensions' additions.
#include "api/gles/formats.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace tessera::gles {

namespace {

using texture::ClientFormat;
using texture::ClientType;
using texture::PixelFormat;

constexpr PixelTransfer kTextureTransfers[] = {
    {GL_RGBA, GL_UNSIGNED_BYTE, PixelFormat::Rgba8, ClientFormat::Rgba, ClientType::U8, 4},
    {GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, PixelFormat::Rgba4, ClientFormat::Rgba, ClientType::U16_4444, 2},
    {GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, PixelFormat::Rgb5A1, ClientFormat::Rgba, ClientType::U16_5551, 2},
    {GL_RGB, GL_UNSIGNED_BYTE, PixelFormat::Rgb8, ClientFormat::Rgb, ClientType::U8, 3},
    {GL_RGB, GL_UNSIGNED_SHORT_5_6_5, PixelFormat::Rgb565, ClientFormat::Rgb, ClientType::U16_565, 2},
    {GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, PixelFormat::LuminanceAlpha8, ClientFormat::LuminanceAlpha, ClientType::U8,
     2},
    {GL_LUMINANCE, GL_UNSIGNED_BYTE, PixelFormat::Luminance8, ClientFormat::Luminance, ClientType::U8, 1},
    {GL_ALPHA, GL_UNSIGNED_BYTE, PixelFormat::Alpha8, ClientFormat::Alpha, ClientType::U8, 1},
    {GL_BGRA_EXT, GL_UNSIGNED_BYTE, PixelFormat::Bgra8, ClientFormat::Bgra, ClientType::U8, 4},
};

constexpr PixelTransfer kReadTransfers[] = {
    {GL_RGBA, GL_UNSIGNED_BYTE, PixelFormat::Rgba8, ClientFormat::Rgba, ClientType::U8, 4},
    {GL_RGB, GL_UNSIGNED_SHORT_5_6_5, PixelFormat::Rgb565, ClientFormat::Rgb, ClientType::U16_565, 2},
    {GL_BGRA_EXT, GL_UNSIGNED_BYTE, PixelFormat::Bgra8, ClientFormat::Bgra, ClientType::U8, 4},
    {GL_BGRA_EXT, GL_UNSIGNED_SHORT_4_4_4_4_REV_EXT, PixelFormat::Rgba4, ClientFormat::Bgra, ClientType::U16_4444Rev,
     2},
    {GL_BGRA_EXT, GL_UNSIGNED_SHORT_1_5_5_5_REV_EXT, PixelFormat::Rgb5A1, ClientFormat::Bgra, ClientType::U16_1555Rev,
     2},
};

template <size_t n>
const PixelTransfer* find(const PixelTransfer (&table)[n], GLenum format, GLenum type) {
    auto it = std::find_if(std::begin(table), std::end(table),
                           [&](const PixelTransfer& row) { return row.format == format && row.type == type; });
    return it == std::end(table) ? nullptr : it;
}

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
    {GL_DEPTH_COMPONENT16, PixelFormat::Depth16},
    {GL_DEPTH_COMPONENT24_OES, PixelFormat::Depth24},
    {GL_DEPTH24_STENCIL8_OES, PixelFormat::Depth24Stencil8},
    {GL_STENCIL_INDEX8, PixelFormat::Stencil8},
};

}  // namespace

const PixelTransfer* textureTransfer(GLenum format, GLenum type) { return find(kTextureTransfers, format, type); }
const PixelTransfer* readTransfer(GLenum format, GLenum type) { return find(kReadTransfers, format, type); }

bool isPixelFormat(GLenum format) {
    return std::any_of(std::begin(kTextureTransfers), std::end(kTextureTransfers),
                       [&](const PixelTransfer& row) { return row.format == format; });
}

bool isPixelType(GLenum type) {
    return std::any_of(std::begin(kTextureTransfers), std::end(kTextureTransfers),
                       [&](const PixelTransfer& row) { return row.type == type; });
}

bool isReadFormat(GLenum format) { return isPixelFormat(format); }

bool isReadType(GLenum type) {
    return isPixelType(type) || type == GL_UNSIGNED_SHORT_4_4_4_4_REV_EXT || type == GL_UNSIGNED_SHORT_1_5_5_5_REV_EXT;
}

PixelFormat renderbufferFormat(GLenum internalformat) {
    for (const RenderbufferRow& row : kRenderbufferFormats)
        if (row.internalformat == internalformat) return row.storage;
    return PixelFormat::None;
}

unsigned neededChannels(GLenum baseFormat) {
    switch (baseFormat) {
        case GL_ALPHA:
            return kAlpha;
        case GL_LUMINANCE:
            return kRed;
        case GL_LUMINANCE_ALPHA:
            return kRed | kAlpha;
        case GL_RGB:
            return kRed | kGreen | kBlue;
        case GL_RGBA:
        case GL_BGRA_EXT:
            return kRed | kGreen | kBlue | kAlpha;
    }
    return 0;
}

unsigned channelsOf(PixelFormat format) {
    const texture::FormatInfo& info = texture::formatInfo(format);
    return (info.red ? kRed : 0u) | (info.green ? kGreen : 0u) | (info.blue ? kBlue : 0u) | (info.alpha ? kAlpha : 0u);
}

texture::ImagePtr makeImage(PixelFormat format, int width, int height) {
    auto image = std::make_shared<texture::Image>(format, width, height);
    const texture::FormatInfo& info = texture::formatInfo(format);
    bool isColor = info.depth == 0 && info.stencil == 0;
    if (isColor && info.alpha == 0 && info.element == texture::Element::Rgba8)
        texture::fill(*image, {0, 0, width, height}, 0xFF000000u, 0xFF000000u);
    return image;
}

GLenum uniformType(isa::VarType type) {
    constexpr std::array<GLenum, 20> kTypes = {GL_FLOAT,
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
                                               GL_SAMPLER_2D_SHADOW_EXT};
    return kTypes[static_cast<size_t>(type)];
}

}  // namespace tessera::gles
