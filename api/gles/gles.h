// The Khronos headers as this room sees them: entry points have default visibility, everything else is hidden.
#pragma once

#ifndef GL_APICALL
#define GL_APICALL __attribute__((visibility("default")))
#endif
#define GL_GLEXT_PROTOTYPES 1

#include <GLES3/gl3.h>
// Extensions, with the tokens that OpenGL ES 3.0 has no more.
#include <GLES2/gl2ext.h>
#include <GLES2/gl2tessera.h>

// NV_pack_subimage has no tokens in gl2ext.h.
#ifndef GL_PACK_ROW_LENGTH_NV
#define GL_PACK_ROW_LENGTH_NV 0x0D02
#define GL_PACK_SKIP_ROWS_NV 0x0D03
#define GL_PACK_SKIP_PIXELS_NV 0x0D04
#endif

// Texture parameters of OpenGL ES 1.1 and of OES_draw_texture.
#define GL_GENERATE_MIPMAP 0x8191
#define GL_TEXTURE_CROP_RECT_OES 0x8B9D

// MESA_ycbcr_texture is an extension of OpenGL; its types are APPLE_rgb_422's.
#ifndef GL_YCBCR_MESA
#define GL_YCBCR_MESA 0x8757
#endif
