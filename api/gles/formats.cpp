// Format tables: OpenGL ES 2.0.25 tables 3.4, 3.9 and 4.5, OpenGL ES 3.0.6 tables 3.2, 3.3 and 3.13, and the
// extensions' additions.
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
    {GL_SRGB_EXT, GL_UNSIGNED_BYTE, ClientFormat::Rgb, ClientType::U8, 3, Versions::Es2},
    {GL_SRGB_ALPHA_EXT, GL_UNSIGNED_BYTE, ClientFormat::Rgba, ClientType::U8, 4, Versions::Es2},
    // OES_depth_texture, OES_packed_depth_stencil
    {GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, ClientFormat::Depth, ClientType::U16, 2},
    {GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, ClientFormat::Depth, ClientType::U32, 4},
    {GL_DEPTH_STENCIL_OES, GL_UNSIGNED_INT_24_8_OES, ClientFormat::DepthStencil, ClientType::U24_8, 4},
    // OpenGL ES 3.0, table 3.2
    {GL_RED, GL_BYTE, ClientFormat::Red, ClientType::I8, 1, Versions::Es3},
    {GL_RG, GL_BYTE, ClientFormat::Rg, ClientType::I8, 2, Versions::Es3},
    {GL_RGB, GL_BYTE, ClientFormat::Rgb, ClientType::I8, 3, Versions::Es3},
    {GL_RGBA, GL_BYTE, ClientFormat::Rgba, ClientType::I8, 4, Versions::Es3},
    {GL_RED, GL_HALF_FLOAT, ClientFormat::Red, ClientType::F16, 2, Versions::Es3},
    {GL_RG, GL_HALF_FLOAT, ClientFormat::Rg, ClientType::F16, 4, Versions::Es3},
    {GL_RGB, GL_HALF_FLOAT, ClientFormat::Rgb, ClientType::F16, 6, Versions::Es3},
    {GL_RGBA, GL_HALF_FLOAT, ClientFormat::Rgba, ClientType::F16, 8, Versions::Es3},
    {GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, ClientFormat::Rgba, ClientType::U2_10_10_10Rev, 4, Versions::Es3},
    {GL_RGB, GL_UNSIGNED_INT_10F_11F_11F_REV, ClientFormat::Rgb, ClientType::U10F_11F_11FRev, 4, Versions::Es3},
    {GL_RGB, GL_UNSIGNED_INT_5_9_9_9_REV, ClientFormat::Rgb, ClientType::U5_9_9_9Rev, 4, Versions::Es3},
    {GL_RED_INTEGER, GL_UNSIGNED_BYTE, ClientFormat::RedInteger, ClientType::U8, 1, Versions::Es3},
    {GL_RED_INTEGER, GL_BYTE, ClientFormat::RedInteger, ClientType::I8, 1, Versions::Es3},
    {GL_RED_INTEGER, GL_UNSIGNED_SHORT, ClientFormat::RedInteger, ClientType::U16, 2, Versions::Es3},
    {GL_RED_INTEGER, GL_SHORT, ClientFormat::RedInteger, ClientType::I16, 2, Versions::Es3},
    {GL_RED_INTEGER, GL_UNSIGNED_INT, ClientFormat::RedInteger, ClientType::U32, 4, Versions::Es3},
    {GL_RED_INTEGER, GL_INT, ClientFormat::RedInteger, ClientType::I32, 4, Versions::Es3},
    {GL_RG_INTEGER, GL_UNSIGNED_BYTE, ClientFormat::RgInteger, ClientType::U8, 2, Versions::Es3},
    {GL_RG_INTEGER, GL_BYTE, ClientFormat::RgInteger, ClientType::I8, 2, Versions::Es3},
    {GL_RG_INTEGER, GL_UNSIGNED_SHORT, ClientFormat::RgInteger, ClientType::U16, 4, Versions::Es3},
    {GL_RG_INTEGER, GL_SHORT, ClientFormat::RgInteger, ClientType::I16, 4, Versions::Es3},
    {GL_RG_INTEGER, GL_UNSIGNED_INT, ClientFormat::RgInteger, ClientType::U32, 8, Versions::Es3},
    {GL_RG_INTEGER, GL_INT, ClientFormat::RgInteger, ClientType::I32, 8, Versions::Es3},
    {GL_RGB_INTEGER, GL_UNSIGNED_BYTE, ClientFormat::RgbInteger, ClientType::U8, 3, Versions::Es3},
    {GL_RGB_INTEGER, GL_BYTE, ClientFormat::RgbInteger, ClientType::I8, 3, Versions::Es3},
    {GL_RGB_INTEGER, GL_UNSIGNED_SHORT, ClientFormat::RgbInteger, ClientType::U16, 6, Versions::Es3},
    {GL_RGB_INTEGER, GL_SHORT, ClientFormat::RgbInteger, ClientType::I16, 6, Versions::Es3},
    {GL_RGB_INTEGER, GL_UNSIGNED_INT, ClientFormat::RgbInteger, ClientType::U32, 12, Versions::Es3},
    {GL_RGB_INTEGER, GL_INT, ClientFormat::RgbInteger, ClientType::I32, 12, Versions::Es3},
    {GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, ClientFormat::RgbaInteger, ClientType::U8, 4, Versions::Es3},
    {GL_RGBA_INTEGER, GL_BYTE, ClientFormat::RgbaInteger, ClientType::I8, 4, Versions::Es3},
    {GL_RGBA_INTEGER, GL_UNSIGNED_SHORT, ClientFormat::RgbaInteger, ClientType::U16, 8, Versions::Es3},
    {GL_RGBA_INTEGER, GL_SHORT, ClientFormat::RgbaInteger, ClientType::I16, 8, Versions::Es3},
    {GL_RGBA_INTEGER, GL_UNSIGNED_INT, ClientFormat::RgbaInteger, ClientType::U32, 16, Versions::Es3},
    {GL_RGBA_INTEGER, GL_INT, ClientFormat::RgbaInteger, ClientType::I32, 16, Versions::Es3},
    {GL_RGBA_INTEGER, GL_UNSIGNED_INT_2_10_10_10_REV, ClientFormat::RgbaInteger, ClientType::U2_10_10_10Rev, 4, Versions::Es3},
    {GL_DEPTH_COMPONENT, GL_FLOAT, ClientFormat::Depth, ClientType::F32, 4, Versions::Es3},
    {GL_DEPTH_STENCIL, GL_FLOAT_32_UNSIGNED_INT_24_8_REV, ClientFormat::DepthStencil, ClientType::F32_U24_8Rev, 8, Versions::Es3},
    // EXT_texture_norm16
    {GL_RED, GL_UNSIGNED_SHORT, ClientFormat::Red, ClientType::U16, 2, Versions::Es3},
    {GL_RG, GL_UNSIGNED_SHORT, ClientFormat::Rg, ClientType::U16, 4, Versions::Es3},
    {GL_RGB, GL_UNSIGNED_SHORT, ClientFormat::Rgb, ClientType::U16, 6, Versions::Es3},
    {GL_RGBA, GL_UNSIGNED_SHORT, ClientFormat::Rgba, ClientType::U16, 8, Versions::Es3},
    {GL_RED, GL_SHORT, ClientFormat::Red, ClientType::I16, 2, Versions::Es3},
    {GL_RG, GL_SHORT, ClientFormat::Rg, ClientType::I16, 4, Versions::Es3},
    {GL_RGB, GL_SHORT, ClientFormat::Rgb, ClientType::I16, 6, Versions::Es3},
    {GL_RGBA, GL_SHORT, ClientFormat::Rgba, ClientType::I16, 8, Versions::Es3},
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
    // NV_read_depth, NV_read_stencil, NV_read_depth_stencil
    {GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, ClientFormat::Depth, ClientType::U16, 2},
    {GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, ClientFormat::Depth, ClientType::U32, 4},
    {GL_DEPTH_COMPONENT, GL_FLOAT, ClientFormat::Depth, ClientType::F32, 4},
    {GL_DEPTH_COMPONENT, GL_UNSIGNED_INT_24_8_OES, ClientFormat::DepthStencil, ClientType::U24_8, 4},
    {GL_STENCIL_INDEX_OES, GL_UNSIGNED_BYTE, ClientFormat::Stencil, ClientType::U8, 1},
    {GL_DEPTH_STENCIL_OES, GL_UNSIGNED_INT_24_8_OES, ClientFormat::DepthStencil, ClientType::U24_8, 4},
};

/// What textures and renderbuffers can be of: unsized formats, which the pixels make more precise, and sized ones.
constexpr InternalFormat kInternalFormats[] = {
    {GL_RGBA, GL_RGBA, GL_UNSIGNED_BYTE, PixelFormat::Rgba8},
    {GL_RGBA, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, PixelFormat::Rgba4},
    {GL_RGBA, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, PixelFormat::Rgb5A1},
    {GL_RGB, GL_RGB, GL_UNSIGNED_BYTE, PixelFormat::Rgb8},
    {GL_RGB, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, PixelFormat::Rgb565},
    {GL_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, PixelFormat::LuminanceAlpha8},
    {GL_LUMINANCE, GL_LUMINANCE, GL_UNSIGNED_BYTE, PixelFormat::Luminance8},
    {GL_ALPHA, GL_ALPHA, GL_UNSIGNED_BYTE, PixelFormat::Alpha8},
    {GL_BGRA_EXT, GL_BGRA_EXT, GL_UNSIGNED_BYTE, PixelFormat::Bgra8, Versions::All, Versions::All},
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
    {GL_SRGB_EXT, GL_SRGB_EXT, GL_UNSIGNED_BYTE, PixelFormat::Srgb8, Versions::Es2},
    {GL_SRGB_ALPHA_EXT, GL_SRGB_ALPHA_EXT, GL_UNSIGNED_BYTE, PixelFormat::Srgb8Alpha8, Versions::Es2},
    {GL_DEPTH_COMPONENT, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, PixelFormat::Depth16},
    {GL_DEPTH_COMPONENT, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, PixelFormat::Depth24},
    {GL_DEPTH_STENCIL_OES, GL_DEPTH_STENCIL_OES, GL_UNSIGNED_INT_24_8_OES, PixelFormat::Depth24Stencil8},
    // Sized formats (OES_required_internalformat, EXT_texture_storage; OpenGL ES 3.0, tables 3.2 and 3.13)
    {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, PixelFormat::Rgba8, Versions::All, Versions::All},
    {GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE, PixelFormat::Rgb8, Versions::All, Versions::All},
    {GL_RGBA4, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, PixelFormat::Rgba4, Versions::All, Versions::All},
    {GL_RGB5_A1, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, PixelFormat::Rgb5A1, Versions::All, Versions::All},
    {GL_RGB565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, PixelFormat::Rgb565, Versions::All, Versions::All},
    {GL_LUMINANCE8_ALPHA8_EXT, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, PixelFormat::LuminanceAlpha8},
    {GL_LUMINANCE4_ALPHA4_OES, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, PixelFormat::LuminanceAlpha8},
    {GL_LUMINANCE8_EXT, GL_LUMINANCE, GL_UNSIGNED_BYTE, PixelFormat::Luminance8},
    {GL_ALPHA8_EXT, GL_ALPHA, GL_UNSIGNED_BYTE, PixelFormat::Alpha8},
    {GL_BGRA8_EXT, GL_BGRA_EXT, GL_UNSIGNED_BYTE, PixelFormat::Bgra8, Versions::All, Versions::All},
    {GL_SRGB8, GL_RGB, GL_UNSIGNED_BYTE, PixelFormat::Srgb8, Versions::Es3, Versions::None},
    {GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, PixelFormat::Srgb8Alpha8, Versions::Es3, Versions::All},
    {GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT_OES, PixelFormat::Rgba16F, Versions::All, Versions::All},
    {GL_RGB16F, GL_RGB, GL_HALF_FLOAT_OES, PixelFormat::Rgb16F, Versions::All, Versions::All},
    {GL_LUMINANCE_ALPHA16F_EXT, GL_LUMINANCE_ALPHA, GL_HALF_FLOAT_OES, PixelFormat::LuminanceAlpha16F},
    {GL_LUMINANCE16F_EXT, GL_LUMINANCE, GL_HALF_FLOAT_OES, PixelFormat::Luminance16F},
    {GL_ALPHA16F_EXT, GL_ALPHA, GL_HALF_FLOAT_OES, PixelFormat::Alpha16F},
    {GL_RGBA32F, GL_RGBA, GL_FLOAT, PixelFormat::Rgba32F, Versions::All, Versions::Es3},
    {GL_RGB32F, GL_RGB, GL_FLOAT, PixelFormat::Rgb32F},
    {GL_LUMINANCE_ALPHA32F_EXT, GL_LUMINANCE_ALPHA, GL_FLOAT, PixelFormat::LuminanceAlpha32F},
    {GL_LUMINANCE32F_EXT, GL_LUMINANCE, GL_FLOAT, PixelFormat::Luminance32F},
    {GL_ALPHA32F_EXT, GL_ALPHA, GL_FLOAT, PixelFormat::Alpha32F},
    {GL_R8, GL_RED, GL_UNSIGNED_BYTE, PixelFormat::R8, Versions::All, Versions::All},
    {GL_RG8, GL_RG, GL_UNSIGNED_BYTE, PixelFormat::Rg8, Versions::All, Versions::All},
    {GL_R16F, GL_RED, GL_HALF_FLOAT_OES, PixelFormat::R16F, Versions::All, Versions::All},
    {GL_RG16F, GL_RG, GL_HALF_FLOAT_OES, PixelFormat::Rg16F, Versions::All, Versions::All},
    {GL_R32F, GL_RED, GL_FLOAT, PixelFormat::R32F, Versions::All, Versions::Es3},
    {GL_RG32F, GL_RG, GL_FLOAT, PixelFormat::Rg32F, Versions::All, Versions::Es3},
    {GL_R11F_G11F_B10F, GL_RGB, GL_UNSIGNED_INT_10F_11F_11F_REV, PixelFormat::R11G11B10F, Versions::Es3, Versions::Es3},
    {GL_RGB9_E5, GL_RGB, GL_UNSIGNED_INT_5_9_9_9_REV, PixelFormat::Rgb9E5, Versions::Es3, Versions::None},
    {GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, PixelFormat::Rgb10A2, Versions::Es3, Versions::Es3},
    {GL_RGB10_A2UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT_2_10_10_10_REV, PixelFormat::Rgb10A2Uint, Versions::Es3, Versions::Es3},
    {GL_R8_SNORM, GL_RED, GL_BYTE, PixelFormat::R8Snorm, Versions::Es3, Versions::Es3},
    {GL_RG8_SNORM, GL_RG, GL_BYTE, PixelFormat::Rg8Snorm, Versions::Es3, Versions::Es3},
    {GL_RGB8_SNORM, GL_RGB, GL_BYTE, PixelFormat::Rgb8Snorm, Versions::Es3, Versions::None},
    {GL_RGBA8_SNORM, GL_RGBA, GL_BYTE, PixelFormat::Rgba8Snorm, Versions::Es3, Versions::Es3},
    {GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE, PixelFormat::R8Uint, Versions::Es3, Versions::Es3},
    {GL_R8I, GL_RED_INTEGER, GL_BYTE, PixelFormat::R8Sint, Versions::Es3, Versions::Es3},
    {GL_RG8UI, GL_RG_INTEGER, GL_UNSIGNED_BYTE, PixelFormat::Rg8Uint, Versions::Es3, Versions::Es3},
    {GL_RG8I, GL_RG_INTEGER, GL_BYTE, PixelFormat::Rg8Sint, Versions::Es3, Versions::Es3},
    {GL_RGB8UI, GL_RGB_INTEGER, GL_UNSIGNED_BYTE, PixelFormat::Rgb8Uint, Versions::Es3, Versions::None},
    {GL_RGB8I, GL_RGB_INTEGER, GL_BYTE, PixelFormat::Rgb8Sint, Versions::Es3, Versions::None},
    {GL_RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, PixelFormat::Rgba8Uint, Versions::Es3, Versions::Es3},
    {GL_RGBA8I, GL_RGBA_INTEGER, GL_BYTE, PixelFormat::Rgba8Sint, Versions::Es3, Versions::Es3},
    {GL_R16UI, GL_RED_INTEGER, GL_UNSIGNED_SHORT, PixelFormat::R16Uint, Versions::Es3, Versions::Es3},
    {GL_R16I, GL_RED_INTEGER, GL_SHORT, PixelFormat::R16Sint, Versions::Es3, Versions::Es3},
    {GL_RG16UI, GL_RG_INTEGER, GL_UNSIGNED_SHORT, PixelFormat::Rg16Uint, Versions::Es3, Versions::Es3},
    {GL_RG16I, GL_RG_INTEGER, GL_SHORT, PixelFormat::Rg16Sint, Versions::Es3, Versions::Es3},
    {GL_RGB16UI, GL_RGB_INTEGER, GL_UNSIGNED_SHORT, PixelFormat::Rgb16Uint, Versions::Es3, Versions::None},
    {GL_RGB16I, GL_RGB_INTEGER, GL_SHORT, PixelFormat::Rgb16Sint, Versions::Es3, Versions::None},
    {GL_RGBA16UI, GL_RGBA_INTEGER, GL_UNSIGNED_SHORT, PixelFormat::Rgba16Uint, Versions::Es3, Versions::Es3},
    {GL_RGBA16I, GL_RGBA_INTEGER, GL_SHORT, PixelFormat::Rgba16Sint, Versions::Es3, Versions::Es3},
    {GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, PixelFormat::R32Uint, Versions::Es3, Versions::Es3},
    {GL_R32I, GL_RED_INTEGER, GL_INT, PixelFormat::R32Sint, Versions::Es3, Versions::Es3},
    {GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT, PixelFormat::Rg32Uint, Versions::Es3, Versions::Es3},
    {GL_RG32I, GL_RG_INTEGER, GL_INT, PixelFormat::Rg32Sint, Versions::Es3, Versions::Es3},
    {GL_RGB32UI, GL_RGB_INTEGER, GL_UNSIGNED_INT, PixelFormat::Rgb32Uint, Versions::Es3, Versions::None},
    {GL_RGB32I, GL_RGB_INTEGER, GL_INT, PixelFormat::Rgb32Sint, Versions::Es3, Versions::None},
    {GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, PixelFormat::Rgba32Uint, Versions::Es3, Versions::Es3},
    {GL_RGBA32I, GL_RGBA_INTEGER, GL_INT, PixelFormat::Rgba32Sint, Versions::Es3, Versions::Es3},
    // EXT_texture_norm16, EXT_texture_sRGB_R8, EXT_texture_sRGB_RG8
    {GL_R16_EXT, GL_RED, GL_UNSIGNED_SHORT, PixelFormat::R16, Versions::Es3, Versions::Es3},
    {GL_RG16_EXT, GL_RG, GL_UNSIGNED_SHORT, PixelFormat::Rg16, Versions::Es3, Versions::Es3},
    {GL_RGB16_EXT, GL_RGB, GL_UNSIGNED_SHORT, PixelFormat::Rgb16, Versions::Es3, Versions::None},
    {GL_RGBA16_EXT, GL_RGBA, GL_UNSIGNED_SHORT, PixelFormat::Rgba16, Versions::Es3, Versions::Es3},
    {GL_R16_SNORM_EXT, GL_RED, GL_SHORT, PixelFormat::R16Snorm, Versions::Es3, Versions::Es3},
    {GL_RG16_SNORM_EXT, GL_RG, GL_SHORT, PixelFormat::Rg16Snorm, Versions::Es3, Versions::Es3},
    {GL_RGB16_SNORM_EXT, GL_RGB, GL_SHORT, PixelFormat::Rgb16Snorm, Versions::Es3, Versions::None},
    {GL_RGBA16_SNORM_EXT, GL_RGBA, GL_SHORT, PixelFormat::Rgba16Snorm, Versions::Es3, Versions::Es3},
    {GL_SR8_EXT, GL_RED, GL_UNSIGNED_BYTE, PixelFormat::Sr8, Versions::Es3, Versions::None},
    {GL_SRG8_EXT, GL_RG, GL_UNSIGNED_BYTE, PixelFormat::Srg8, Versions::Es3, Versions::None},
    // APPLE_rgb_422; depth and stencil
    {GL_RGB_RAW_422_APPLE, GL_RGB_422_APPLE, GL_UNSIGNED_SHORT_8_8_APPLE, PixelFormat::Rgb8},
    {GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, PixelFormat::Depth16, Versions::All, Versions::All},
    {GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, PixelFormat::Depth24, Versions::All, Versions::All},
    {GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT, PixelFormat::Depth32F, Versions::Es3, Versions::Es3},
    {GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, PixelFormat::Depth24Stencil8, Versions::All, Versions::All},
    {GL_DEPTH32F_STENCIL8, GL_DEPTH_STENCIL, GL_FLOAT_32_UNSIGNED_INT_24_8_REV, PixelFormat::Depth32FStencil8, Versions::Es3, Versions::Es3},
    {GL_STENCIL_INDEX8, GL_STENCIL_INDEX8, GL_NONE, PixelFormat::Stencil8, Versions::None, Versions::All},
};
// clang-format on

/// How many bytes each element of a pixel of the type has; 0: no row of kTextureTransfers has the type.
constexpr size_t bytesOf(GLenum type) {
    switch (type) {
        case GL_UNSIGNED_BYTE:
        case GL_BYTE:
            return 1;
        case GL_UNSIGNED_SHORT:
        case GL_SHORT:
        case GL_UNSIGNED_SHORT_4_4_4_4:
        case GL_UNSIGNED_SHORT_5_5_5_1:
        case GL_UNSIGNED_SHORT_5_6_5:
        case GL_UNSIGNED_SHORT_4_4_4_4_REV_EXT:
        case GL_UNSIGNED_SHORT_1_5_5_5_REV_EXT:
        case GL_UNSIGNED_SHORT_8_8_APPLE:
        case GL_UNSIGNED_SHORT_8_8_REV_APPLE:
        case GL_HALF_FLOAT_OES:
        case GL_HALF_FLOAT:
            return 2;
        case GL_FLOAT:
        case GL_UNSIGNED_INT:
        case GL_INT:
        case GL_UNSIGNED_INT_24_8:
        case GL_UNSIGNED_INT_2_10_10_10_REV:
        case GL_UNSIGNED_INT_10F_11F_11F_REV:
        case GL_UNSIGNED_INT_5_9_9_9_REV:
            return 4;
        case GL_FLOAT_32_UNSIGNED_INT_24_8_REV:
            return 8;
    }
    return 0;
}

/// Channels that an image of the base format has; 0: none of colour, or video.
constexpr unsigned channelsOfBase(GLenum baseFormat) {
    switch (baseFormat) {
        case GL_ALPHA:
            return kAlpha;
        case GL_LUMINANCE:
        case GL_RED:
        case GL_RED_INTEGER:
            return kRed;
        case GL_RG:
        case GL_RG_INTEGER:
            return kRed | kGreen;
        case GL_LUMINANCE_ALPHA:
            return kRed | kAlpha;
        case GL_RGB:
        case GL_RGB_INTEGER:
        case GL_SRGB_EXT:
            return kRed | kGreen | kBlue;
        case GL_RGBA:
        case GL_RGBA_INTEGER:
        case GL_SRGB_ALPHA_EXT:
        case GL_BGRA_EXT:
            return kRed | kGreen | kBlue | kAlpha;
    }
    return 0;
}

constexpr bool has(Versions versions, bool isEs3) {
    return versions == Versions::All || versions == (isEs3 ? Versions::Es3 : Versions::Es2);
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
const PixelTransfer* find(const PixelTransfer (&table)[n], bool isEs3, GLenum format, GLenum type) {
    const auto* row = std::find_if(std::begin(table), std::end(table), [&](const PixelTransfer& one) {
        return one.format == format && one.type == type && has(one.versions, isEs3);
    });
    return row == std::end(table) ? nullptr : row;
}

/// The first row that `fits`; null: none.
template <class Fits>
const InternalFormat* findFormat(const Fits& fits) {
    const auto* row = std::find_if(std::begin(kInternalFormats), std::end(kInternalFormats), fits);
    return row == std::end(kInternalFormats) ? nullptr : row;
}

const InternalFormat* unsizedFormat(bool isEs3, GLenum format, GLenum type) {
    return findFormat([&](const InternalFormat& row) {
        return !row.isSized() && row.format == format && row.type == type && has(row.textures, isEs3);
    });
}

/// The rows of OES_required_internalformat's table 3.4 and of OpenGL ES 3.0's table 3.2: bytes may be reduced, as may
/// ten bits, numbers of single and half precision become smaller floats, 32-bit depths 16-bit ones; otherwise the
/// precision must be the same.
bool sizedFormatTakes(const InternalFormat& sized, GLenum type) {
    if (type == sized.type) return true;
    const texture::Element element = texture::formatInfo(sized.storage).element;
    const bool isSmallFloat =
        (texture::holdsFloats(element) && !texture::isSingle(element)) || sized.storage == PixelFormat::Rgb9E5;
    switch (type) {
        case GL_UNSIGNED_BYTE:
            return texture::holdsBytes(element);
        case GL_UNSIGNED_INT_2_10_10_10_REV:
            return sized.storage == PixelFormat::Rgb5A1;
        case GL_FLOAT:
        case GL_HALF_FLOAT:
            return isSmallFloat;
        case GL_UNSIGNED_INT:
            return sized.storage == PixelFormat::Depth16;
        case GL_UNSIGNED_SHORT_8_8_REV_APPLE:
            return sized.format == GL_RGB_422_APPLE;
    }
    return false;
}

/// What every colour buffer of those numbers is read as.
const PixelTransfer* generalRead(texture::Element element) {
    switch (texture::elementInfo(element).number) {
        case texture::Number::Float:
            return find(kReadTransfers, true, GL_RGBA, GL_FLOAT);
        case texture::Number::Uint:
            return find(kTextureTransfers, true, GL_RGBA_INTEGER, GL_UNSIGNED_INT);
        case texture::Number::Sint:
            return find(kTextureTransfers, true, GL_RGBA_INTEGER, GL_INT);
        default:
            return find(kReadTransfers, true, GL_RGBA, GL_UNSIGNED_BYTE);
    }
}

/// What those of more bits or of signs are read as besides (EXT_texture_norm16, EXT_render_snorm); null: none.
const PixelTransfer* preciseRead(texture::Element element) {
    const texture::ElementInfo& info = texture::elementInfo(element);
    const bool hasBytes = info.channel[0].bits == 8, hasWords = info.channel[0].bits == 16;
    if (texture::isSignedNormalized(element) && (hasBytes || hasWords))
        return find(kTextureTransfers, true, GL_RGBA, hasBytes ? GL_BYTE : GL_SHORT);
    if (info.number == texture::Number::Unorm && hasWords)
        return find(kTextureTransfers, true, GL_RGBA, GL_UNSIGNED_SHORT);
    return nullptr;
}

}  // namespace

const PixelTransfer* textureTransfer(bool isEs3, GLenum format, GLenum type) {
    return find(kTextureTransfers, isEs3, format, type);
}
const PixelTransfer* readTransfer(bool isEs3, GLenum format, GLenum type) {
    const PixelTransfer* transfer = find(kReadTransfers, isEs3, format, type);
    return transfer || !isEs3 ? transfer : textureTransfer(isEs3, format, type);
}

namespace {

/// What pixels of a sized format of colours are specified with in OpenGL ES 3.0.
const PixelTransfer* ownTransfer(PixelFormat format) {
    const InternalFormat* sized = findFormat([&](const InternalFormat& row) {
        return row.isSized() && row.storage == format && has(row.renderbuffers, true);
    });
    if (!sized || sized->format == GL_BGRA_EXT) return nullptr;
    return readTransfer(true, sized->format, sized->type == GL_HALF_FLOAT_OES ? GLenum{GL_HALF_FLOAT} : sized->type);
}

}  // namespace

const PixelTransfer* implementationRead(bool isEs3, PixelFormat format) {
    // Browsers take for granted that a buffer is read as it is specified, and lose the context on an error (ANGLE).
    if (const PixelTransfer* own = isEs3 ? ownTransfer(format) : nullptr) return own;
    const texture::Element element = texture::formatInfo(format).element;
    switch (format) {
        case PixelFormat::Rgb565:
            return readTransfer(isEs3, GL_RGB, GL_UNSIGNED_SHORT_5_6_5);
        case PixelFormat::R8:
            return readTransfer(isEs3, GL_RED, GL_UNSIGNED_BYTE);
        case PixelFormat::Rg8:
            return readTransfer(isEs3, GL_RG, GL_UNSIGNED_BYTE);
        default:
            break;
    }
    if (isEs3 || !texture::holdsFloats(element)) return generalRead(element);
    return readTransfer(isEs3, GL_RGBA, GL_HALF_FLOAT_OES);
}

bool isReadable(bool isEs3, PixelFormat format, const PixelTransfer& transfer) {
    const texture::Element element = texture::formatInfo(format).element;
    if (texture::isDepth(element)) return isDepthFormat(transfer.format) || transfer.format == GL_STENCIL_INDEX_OES;
    if (transfer == *implementationRead(isEs3, format) || transfer == *generalRead(element)) return true;
    if (const PixelTransfer* precise = preciseRead(element); precise && transfer == *precise) return true;
    return transfer.format == GL_BGRA_EXT && texture::holdsBytes(element);
}

size_t typeBytes(GLenum type) { return bytesOf(type); }

bool isPixelFormat(bool isEs3, GLenum format) {
    return std::any_of(std::begin(kTextureTransfers), std::end(kTextureTransfers),
                       [&](const PixelTransfer& row) { return row.format == format && has(row.versions, isEs3); });
}

bool isPixelType(bool isEs3, GLenum type) {
    return std::any_of(std::begin(kTextureTransfers), std::end(kTextureTransfers),
                       [&](const PixelTransfer& row) { return row.type == type && has(row.versions, isEs3); });
}

bool isReadFormat(bool isEs3, GLenum format) {
    return (isPixelFormat(isEs3, format) && !isSrgbFormat(format) && !isVideoFormat(format)) ||
           format == GL_STENCIL_INDEX_OES;
}

bool isReadType(bool isEs3, GLenum type) {
    return isPixelType(isEs3, type) && type != GL_UNSIGNED_SHORT_8_8_APPLE && type != GL_UNSIGNED_SHORT_8_8_REV_APPLE;
}

bool isTextureFormat(bool isEs3, GLenum internalformat) {
    return isPixelFormat(isEs3, internalformat) || storageFormat(isEs3, internalformat) != nullptr;
}

const InternalFormat* storageFormat(bool isEs3, GLenum internalformat) {
    return findFormat([&](const InternalFormat& row) {
        return row.isSized() && row.internalformat == internalformat && has(row.textures, isEs3);
    });
}

namespace {

/// BGRA bytes are RGBA bytes in another order, and go wherever those go (APPLE_texture_format_BGRA8888).
GLenum orderedFormat(const PixelTransfer& transfer, GLenum wanted) {
    const bool reorders = transfer.format == GL_BGRA_EXT && transfer.type == GL_UNSIGNED_BYTE && wanted == GL_RGBA;
    return reorders ? wanted : transfer.format;
}

bool sizedTakes(const InternalFormat& sized, const PixelTransfer& transfer) {
    return sized.format == orderedFormat(transfer, sized.format) && sizedFormatTakes(sized, transfer.type);
}

}  // namespace

const InternalFormat* textureFormat(bool isEs3, GLenum internalformat, const PixelTransfer& transfer) {
    const bool isApplesRgb = internalformat == GL_RGB && transfer.format == GL_RGB_422_APPLE;
    if (isApplesRgb) return unsizedFormat(isEs3, transfer.format, transfer.type);
    if (internalformat == orderedFormat(transfer, internalformat))
        return unsizedFormat(isEs3, internalformat, transfer.type);
    const InternalFormat* sized = storageFormat(isEs3, internalformat);
    return sized && sizedTakes(*sized, transfer) ? sized : nullptr;
}

const InternalFormat* copyFormat(bool isEs3, GLenum internalformat, PixelFormat from) {
    const bool isUploadOnly = internalformat == GL_BGRA_EXT || internalformat == GL_BGRA8_EXT;
    if (isUploadOnly || isSrgbFormat(internalformat) || internalformat == GL_RGB_RAW_422_APPLE) return nullptr;
    const InternalFormat* sized = storageFormat(isEs3, internalformat);
    if (sized) return isDepthFormat(sized->format) ? nullptr : sized;
    const GLenum type = !isFloatFormat(from)                                   ? GL_UNSIGNED_BYTE
                        : texture::isSingle(texture::formatInfo(from).element) ? GL_FLOAT
                                                                               : GL_HALF_FLOAT_OES;
    return neededChannels(internalformat) != 0 ? unsizedFormat(isEs3, internalformat, type) : nullptr;
}

ColorKind colorKind(PixelFormat format) {
    switch (texture::elementInfo(texture::formatInfo(format).element).number) {
        case texture::Number::Uint:
            return ColorKind::Unsigned;
        case texture::Number::Sint:
            return ColorKind::Signed;
        default:
            return ColorKind::Real;
    }
}

bool isCopiedTo(PixelFormat to, PixelFormat from) {
    return texture::elementInfo(texture::formatInfo(from).element).number ==
           texture::elementInfo(texture::formatInfo(to).element).number;
}

bool isMadeBy(const InternalFormat& made, PixelFormat from) {
    if (!isCopiedTo(made.storage, from)) return false;
    const texture::FormatInfo &to = texture::formatInfo(made.storage), &source = texture::formatInfo(from);
    if (!made.isSized()) return isFloatFormat(from) || source.red <= 8;  // table 3.16 has effective formats of no more
    const auto same = [](int wanted, int there) { return wanted == 0 || wanted == there; };
    return same(to.red, source.red) && same(to.green, source.green) && same(to.blue, source.blue) &&
           same(to.alpha, source.alpha) && same(to.luminance, source.red);
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

bool acceptsTransfer(bool isEs3, const LevelFormat& level, const PixelTransfer& transfer) {
    if (const InternalFormat* sized = isEs3 ? storageFormat(isEs3, level.internalformat) : nullptr)
        return sizedTakes(*sized, transfer);
    const bool floats =
        transfer.type == GL_FLOAT || transfer.type == GL_HALF_FLOAT_OES || transfer.type == GL_HALF_FLOAT;
    const bool isKnown = !isEs3 || unsizedFormat(isEs3, orderedFormat(transfer, level.format), transfer.type);
    return isKnown && orderedFormat(transfer, level.format) == level.format && floats == isFloatFormat(level.storage);
}

PixelFormat renderbufferFormat(bool isEs3, GLenum internalformat) {
    const InternalFormat* format = findFormat([&](const InternalFormat& row) {
        return row.internalformat == internalformat && has(row.renderbuffers, isEs3);
    });
    return format ? format->storage : PixelFormat::None;
}

bool isRenderable(bool isEs3, PixelFormat format) {
    if (isEs3)
        return findFormat([&](const InternalFormat& row) {
                   return row.storage == format && has(row.renderbuffers, true);
               }) != nullptr;
    const texture::FormatInfo& info = texture::formatInfo(format);
    // Of the formats in single precision, ES 2.0 has extensions that draw to those of one and two channels only
    // (EXT_texture_rg).
    return info.renderable && (!texture::isSingle(info.element) || info.blue == 0);
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
