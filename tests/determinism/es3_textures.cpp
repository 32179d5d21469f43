#include <GLES3/gl3.h>
// After it: the tokens of extensions.
#include <GLES2/gl2ext.h>

#include <algorithm>

#include "tests/determinism/es3_things.h"

namespace determinism {

namespace {

struct TexelFormat {
    GLenum internal, format, type;
    int bytes;  ///< of a texel
};

/// All levels have texels of their own.
void makeTexture(Es3Things& things, GLuint unit, GLenum target, const TexelFormat& texel) {
    const bool isCube = target == GL_TEXTURE_CUBE_MAP, isFlat = isCube || target == GL_TEXTURE_2D;
    const GLsizei width = things.choose.between(1, 24), height = isCube ? width : things.choose.between(1, 24),
                  depth = isFlat ? 1 : things.choose.between(1, 6);
    GLsizei longest = std::max(width, height);
    if (target == GL_TEXTURE_3D) longest = std::max(longest, depth);
    GLsizei levels = 1;
    while (longest >> levels > 0) ++levels;
    if (things.choose.oneIn(4)) levels = things.choose.between(1, levels);
    glActiveTexture(GL_TEXTURE0 + unit);
    glBindTexture(target, things.made(glGenTextures, things.textures));
    isFlat ? glTexStorage2D(target, levels, texel.internal, width, height)
           : glTexStorage3D(target, levels, texel.internal, width, height, depth);
    for (GLint level = 0; level < levels; ++level) {
        const GLsizei w = std::max(width >> level, 1), h = std::max(height >> level, 1),
                      d = target == GL_TEXTURE_3D ? std::max(depth >> level, 1) : depth;
        for (GLenum face = 0; face < (isCube ? 6u : 1u); ++face) {
            const std::vector<uint8_t> bytes = things.randomBytes(static_cast<size_t>(w * h * d * texel.bytes));
            const GLenum image = isCube ? GL_TEXTURE_CUBE_MAP_POSITIVE_X + face : target;
            const bool isPacked = things.choose.oneIn(4);
            if (isPacked) things.makeBuffer(GL_PIXEL_UNPACK_BUFFER, bytes);
            const void* const texels = isPacked ? nullptr : bytes.data();
            isFlat ? glTexSubImage2D(image, level, 0, 0, w, h, texel.format, texel.type, texels)
                   : glTexSubImage3D(image, level, 0, 0, 0, w, h, d, texel.format, texel.type, texels);
            glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
        }
    }
    const bool isInteger =
        texel.format == GL_RGBA_INTEGER || texel.format == GL_RG_INTEGER || texel.format == GL_RED_INTEGER;
    const bool isDepth = texel.format == GL_DEPTH_COMPONENT;
    sampleEs3(things, [&](GLenum name, GLint value) { glTexParameteri(target, name, value); }, isInteger, isDepth);
    if (things.choose.oneIn(3)) {
        const GLuint sampler = things.made(glGenSamplers, things.samplers);
        glBindSampler(unit, sampler);
        sampleEs3(
            things, [&](GLenum name, GLint value) { glSamplerParameteri(sampler, name, value); }, isInteger, isDepth);
    }
    if (things.choose.oneIn(3)) {
        glTexParameteri(target, GL_TEXTURE_BASE_LEVEL, things.choose.below(levels));
        glTexParameteri(target, GL_TEXTURE_MAX_LEVEL, things.choose.between(levels / 2, levels));
    }
    static constexpr GLint kSwizzles[] = {GL_RED, GL_GREEN, GL_BLUE, GL_ALPHA, GL_ZERO, GL_ONE};
    if (things.choose.oneIn(3))
        for (const GLenum component :
             {GL_TEXTURE_SWIZZLE_R, GL_TEXTURE_SWIZZLE_G, GL_TEXTURE_SWIZZLE_B, GL_TEXTURE_SWIZZLE_A})
            glTexParameteri(target, component, things.choose.of(kSwizzles));
}

}  // namespace

void sampleEs3(Es3Things& things, const SetParameter& set, bool isInteger, bool isDepth) {
    static constexpr GLint kWraps[] = {GL_REPEAT, GL_CLAMP_TO_EDGE, GL_MIRRORED_REPEAT};
    static constexpr GLint kSmaller[] = {GL_LINEAR_MIPMAP_LINEAR,   GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR, GL_NEAREST,
                                         GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST_MIPMAP_LINEAR};
    static constexpr GLint kNearest[] = {GL_NEAREST, GL_NEAREST_MIPMAP_NEAREST};
    for (const GLenum axis : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T, GL_TEXTURE_WRAP_R})
        set(axis, things.choose.of(kWraps));
    set(GL_TEXTURE_MIN_FILTER, isInteger ? things.choose.of(kNearest) : things.choose.of(kSmaller));
    set(GL_TEXTURE_MAG_FILTER, isInteger || things.choose.oneIn(3) ? GL_NEAREST : GL_LINEAR);
    if (things.choose.oneIn(3)) {
        set(GL_TEXTURE_MIN_LOD, things.choose.between(-1, 2));
        set(GL_TEXTURE_MAX_LOD, things.choose.between(2, 5));
    }
    if (things.isExtended && things.choose.oneIn(3)) set(GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER_EXT);
    if (things.isExtended && !isDepth)
        set(GL_TEXTURE_SRGB_DECODE_EXT, things.choose.oneIn(2) ? GL_DECODE_EXT : GL_SKIP_DECODE_EXT);
    if (!isDepth) return;
    static constexpr GLint kTests[] = {GL_LEQUAL, GL_GEQUAL, GL_LESS, GL_GREATER, GL_EQUAL, GL_NOTEQUAL};
    set(GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    set(GL_TEXTURE_COMPARE_FUNC, things.choose.of(kTests));
}

void makeEs3Textures(Es3Things& things) {
    static constexpr TexelFormat kColors[] = {{GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4},
                                              {GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, 4},
                                              {GL_RGBA8_SNORM, GL_RGBA, GL_BYTE, 4},
                                              {GL_RG8, GL_RG, GL_UNSIGNED_BYTE, 2},
                                              {GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, 4},
                                              {GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, 8},
                                              {GL_R11F_G11F_B10F, GL_RGB, GL_UNSIGNED_INT_10F_11F_11F_REV, 4},
                                              {GL_RGB9_E5, GL_RGB, GL_UNSIGNED_INT_5_9_9_9_REV, 4},
                                              {GL_R16F, GL_RED, GL_HALF_FLOAT, 2}};
    static constexpr TexelFormat kUints[] = {{GL_RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, 4},
                                             {GL_RG16UI, GL_RG_INTEGER, GL_UNSIGNED_SHORT, 4},
                                             {GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, 4},
                                             {GL_RGB10_A2UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT_2_10_10_10_REV, 4}};
    static constexpr TexelFormat kInts[] = {{GL_RGBA8I, GL_RGBA_INTEGER, GL_BYTE, 4},
                                            {GL_RG16I, GL_RG_INTEGER, GL_SHORT, 4},
                                            {GL_RGBA32I, GL_RGBA_INTEGER, GL_INT, 16}};
    static constexpr TexelFormat kDepths[] = {{GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, 2},
                                              {GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, 4}};
    makeTexture(things, 0, GL_TEXTURE_2D, things.choose.of(kColors));
    makeTexture(things, 1, GL_TEXTURE_2D, things.choose.of(kUints));
    makeTexture(things, 2, GL_TEXTURE_2D_ARRAY, things.choose.of(kInts));
    makeTexture(things, 3, GL_TEXTURE_2D_ARRAY, things.choose.of(kColors));
    makeTexture(things, 4, GL_TEXTURE_3D, things.choose.of(kColors));
    makeTexture(things, 5, GL_TEXTURE_CUBE_MAP, things.choose.of(kColors));
    makeTexture(things, 6, GL_TEXTURE_2D, things.choose.of(kDepths));
    makeTexture(things, 7, GL_TEXTURE_2D_ARRAY, things.choose.of(kDepths));
    makeTexture(things, 8, GL_TEXTURE_CUBE_MAP, things.choose.of(kDepths));
}

}  // namespace determinism
