// Random calls of OpenGL ES 3.0: textures of all kinds and formats, samplers, framebuffers, what they hold, and draws
// that look textures up whatever they are. As in misuse_test.cpp, nothing may crash, hang or read outside its buffers,
// and errors must be those that GL knows.
#define GL_GLEXT_PROTOTYPES 1
#include <GLES3/gl3.h>
// After it: the tokens of extensions.
#include <GLES2/gl2ext.h>

#include <vector>

#include "tests/gles/fixture.h"
#include "tests/gles/misuse/chooser.h"

using namespace tessera::gles_test;

namespace {

constexpr GLenum kTargets[] = {GL_TEXTURE_2D, GL_TEXTURE_3D, GL_TEXTURE_2D_ARRAY, GL_TEXTURE_CUBE_MAP};
constexpr GLenum kFaces[] = {GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP_POSITIVE_X, GL_TEXTURE_CUBE_MAP_NEGATIVE_Z, GL_RGBA};
constexpr GLenum kFramebuffers[] = {GL_FRAMEBUFFER, GL_READ_FRAMEBUFFER, GL_DRAW_FRAMEBUFFER};
constexpr GLenum kAttachments[] = {GL_COLOR_ATTACHMENT0,
                                   GL_COLOR_ATTACHMENT1,
                                   GL_COLOR_ATTACHMENT0 + 7,
                                   GL_DEPTH_ATTACHMENT,
                                   GL_STENCIL_ATTACHMENT,
                                   GL_DEPTH_STENCIL_ATTACHMENT,
                                   GL_BACK,
                                   GL_COLOR,
                                   GL_NONE};
/// Pixels, and a format that they go into.
struct Pixels {
    GLenum internalformat, format, type;
};
constexpr Pixels kPixels[] = {
    {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE},
    {GL_RGBA, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4},
    {GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE},
    {GL_RGBA8_SNORM, GL_RGBA, GL_BYTE},
    {GL_RGBA16_EXT, GL_RGBA, GL_UNSIGNED_SHORT},
    {GL_RG16_SNORM_EXT, GL_RG, GL_SHORT},
    {GL_SR8_EXT, GL_RED, GL_UNSIGNED_BYTE},
    {GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV},
    {GL_RGB10_A2UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT_2_10_10_10_REV},
    {GL_R11F_G11F_B10F, GL_RGB, GL_FLOAT},
    {GL_RGB9_E5, GL_RGB, GL_UNSIGNED_INT_5_9_9_9_REV},
    {GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT},
    {GL_RGBA32F, GL_RGBA, GL_FLOAT},
    {GL_RGB565, GL_RGB, GL_UNSIGNED_BYTE},
    {GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE},
    {GL_RG16I, GL_RG_INTEGER, GL_SHORT},
    {GL_RGB32UI, GL_RGB_INTEGER, GL_UNSIGNED_INT},
    {GL_RGBA32I, GL_RGBA_INTEGER, GL_INT},
    {GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT},
    {GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8},
    {GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT},
    {GL_DEPTH32F_STENCIL8, GL_DEPTH_STENCIL, GL_FLOAT_32_UNSIGNED_INT_24_8_REV},
    {GL_STENCIL_INDEX8, GL_LUMINANCE, GL_UNSIGNED_BYTE},
};
constexpr GLenum kCompressed[] = {GL_COMPRESSED_RGB8_ETC2, GL_COMPRESSED_SRGB8_ALPHA8_ETC2_EAC,
                                  GL_COMPRESSED_SIGNED_RG11_EAC};
struct Parameter {
    GLenum name;
    GLint value;
};
constexpr Parameter kParameters[] = {
    {GL_TEXTURE_MIN_FILTER, GL_NEAREST},
    {GL_TEXTURE_MIN_FILTER, GL_LINEAR},
    {GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST},
    {GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR},
    {GL_TEXTURE_MAG_FILTER, GL_NEAREST},
    {GL_TEXTURE_MAG_FILTER, GL_LINEAR},
    {GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE},
    {GL_TEXTURE_WRAP_R, GL_MIRRORED_REPEAT},
    {GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE},
    {GL_TEXTURE_COMPARE_MODE, GL_NONE},
    {GL_TEXTURE_COMPARE_FUNC, GL_GREATER},
    {GL_TEXTURE_MIN_LOD, 1},
    {GL_TEXTURE_MAX_LOD, -3},
    {GL_TEXTURE_BASE_LEVEL, 1},
    {GL_TEXTURE_BASE_LEVEL, 0},
    {GL_TEXTURE_BASE_LEVEL, INT32_MAX},
    {GL_TEXTURE_MAX_LEVEL, 0},
    {GL_TEXTURE_MAX_LEVEL, INT32_MAX},
    {GL_TEXTURE_SWIZZLE_G, GL_ONE},
    {GL_TEXTURE_SWIZZLE_A, GL_RED},
    {GL_TEXTURE_SWIZZLE_R, GL_RGBA},
    {GL_TEXTURE_SRGB_DECODE_EXT, GL_SKIP_DECODE_EXT},
    {GL_TEXTURE_SRGB_DECODE_EXT, GL_DECODE_EXT},
};
constexpr const char* kFragment = R"(#version 300 es
precision highp float;
precision highp sampler3D;
precision highp sampler2DArray;
precision highp sampler2DShadow;
precision highp isampler2D;
precision highp usampler2DArray;
uniform sampler2D flat_;
uniform sampler3D volume;
uniform sampler2DArray layers;
uniform samplerCube cube;
uniform sampler2DShadow shadow;
uniform isampler2D integers;
uniform usampler2DArray naturals;
layout(location = 0) out vec4 color;
void main() {
    vec2 at = gl_FragCoord.xy / 8.0;
    color = texture(flat_, at) + texture(volume, vec3(at, 0.3)) + texture(layers, vec3(at, 1.0)) +
            texture(cube, vec3(at, 0.5)) + vec4(texture(shadow, vec3(at, 0.5)));
    color += vec4(texelFetch(integers, ivec2(gl_FragCoord.xy), 1)) + vec4(texture(naturals, vec3(at, 2.0)));
    color += vec4(textureSize(flat_, 0), textureSize(layers, 1).z, 0.0);
})";

void callImages(Chooser& r) {
    const Pixels pixels = r.of(kPixels), other = r() % 4 == 0 ? r.of(kPixels) : pixels;
    const void* data = r() % 4 == 0 ? nullptr : memory.data();
    const GLint level = r() % 2 ? 0 : r.size();
    const auto internal = static_cast<GLint>(pixels.internalformat);
    switch (r() % 12) {
        case 0:
            glTexImage3D(r.of(kTargets), level, internal, r.size(), r.size(), r.size(), 0, other.format, other.type,
                         data);
            break;
        case 1:
            glTexImage2D(r.of(kFaces), level, internal, r.size(), r.size(), 0, other.format, other.type, data);
            break;
        case 2:
            glTexSubImage3D(r.of(kTargets), level, r.size(), r.size(), r.size(), r.size(), r.size(), r.size(),
                            other.format, other.type, data);
            break;
        case 3:
            glTexSubImage2D(r.of(kFaces), level, r.size(), r.size(), r.size(), r.size(), other.format, other.type,
                            data);
            break;
        case 4:
            glTexStorage3D(r.of(kTargets), r.size(), pixels.internalformat, r.size(), r.size(), r.size());
            break;
        case 5:
            glTexStorage2D(r.of(kTargets), r.size(), pixels.internalformat, 4, 4);
            break;
        case 6:
            glCopyTexImage2D(r.of(kFaces), level, pixels.internalformat, r.size(), r.size(), r.size(), r.size(), 0);
            break;
        case 7:
            glCopyTexSubImage3D(r.of(kTargets), level, r.size(), r.size(), r.size(), r.size(), r.size(), r.size(),
                                r.size());
            break;
        case 8:
            glGenerateMipmap(r.of(kTargets));
            break;
        case 9:
            glCompressedTexImage3D(r.of(kTargets), level, r.of(kCompressed), 4, 4, 2, 0, r() % 2 ? 16 : 32,
                                   memory.data());
            break;
        case 10:
            glCompressedTexSubImage3D(r.of(kTargets), level, 0, 0, r.size(), 4, 4, 1, r.of(kCompressed),
                                      r() % 2 ? 8 : 16, memory.data());
            break;
        case 11: {
            constexpr GLenum kStores[] = {GL_UNPACK_ROW_LENGTH, GL_UNPACK_SKIP_ROWS, GL_UNPACK_SKIP_PIXELS,
                                          GL_UNPACK_SKIP_IMAGES, GL_UNPACK_IMAGE_HEIGHT};
            glPixelStorei(r.of(kStores), r.size());
        }
    }
}

void callObjects(Chooser& r) {
    GLuint name = r.name();
    const Parameter parameter = r.of(kParameters);
    switch (r() % 10) {
        case 0:
            glActiveTexture(GL_TEXTURE0 + r() % 8);
            glBindTexture(r.of(kTargets), name);
            break;
        case 1:
            glBindSampler(r() % 8, name);
            break;
        case 2:
            glSamplerParameteri(name, parameter.name, parameter.value);
            break;
        case 3:
        case 4:
            glTexParameteri(r.of(kTargets), parameter.name, parameter.value);
            break;
        case 5:
            if (r() % 8 == 0) glDeleteSamplers(1, &name);
            glGenSamplers(1, &name);
            break;
        case 6:
            if (r() % 8 == 0) glDeleteTextures(1, &name);
            break;
        case 7: {
            GLfloat values[4];
            glGetSamplerParameterfv(name, parameter.name, values);
            glGetTexParameterfv(r.of(kTargets), parameter.name, values);
            break;
        }
        case 9: {
            const GLint border[4] = {r.size(), -1, INT32_MAX, INT32_MIN}, wrap = GL_CLAMP_TO_BORDER_EXT;
            glTexParameterIivEXT(r.of(kTargets), r() % 2 ? GL_TEXTURE_BORDER_COLOR_EXT : r.of(kParameters).name,
                                 border);
            glSamplerParameterIivEXT(name, GL_TEXTURE_WRAP_S, &wrap);
            break;
        }
        case 8:
            glBindRenderbuffer(GL_RENDERBUFFER, name);
            glRenderbufferStorageMultisample(GL_RENDERBUFFER, r() % 3 == 0 ? r.size() : 0, r.of(kPixels).internalformat,
                                             r.size(), r.size());
    }
}

void callFramebuffers(Chooser& r) {
    const GLenum target = r.of(kFramebuffers), attachment = r.of(kAttachments);
    const GLuint name = r.name();
    switch (r() % 13) {
        case 11:
            if (r() % 2)
                glFramebufferTextureMultiviewOVR(target, attachment, name, r.size(), r.size(), r.size());
            else
                glFramebufferTextureMultisampleMultiviewOVR(target, attachment, name, r.size(), r.size(), r.size(),
                                                            r.size());
            break;
        case 12:
            glFramebufferTexture2DMultisampleEXT(target, attachment, r.of(kFaces), name, 0, r() % 2 ? 4 : r.size());
            break;
        case 0:
            glBindFramebuffer(target, name);
            break;
        case 1:
            glFramebufferTextureLayer(target, attachment, name, r.size(), r.size());
            break;
        case 2:
            glFramebufferTexture2D(target, attachment, r.of(kFaces), name, r() % 2 ? 0 : r.size());
            break;
        case 3:
            glFramebufferRenderbuffer(target, attachment, GL_RENDERBUFFER, name);
            break;
        case 4: {
            const GLenum buffers[] = {r.of(kAttachments), r.of(kAttachments), r.of(kAttachments)};
            glDrawBuffers(r.size(), buffers);
            glReadBuffer(r.of(kAttachments));
            break;
        }
        case 5: {
            const GLint values[] = {1, -1, INT32_MAX, 0x7FC00000};
            const auto buffer = static_cast<GLint>(r() % 3);
            glClearBufferiv(r() % 4 ? GL_COLOR : GL_STENCIL, buffer, values);
            glClearBufferuiv(GL_COLOR, buffer, reinterpret_cast<const GLuint*>(values));
            glClearBufferfv(r() % 2 ? GL_COLOR : GL_DEPTH, buffer, reinterpret_cast<const GLfloat*>(values));
            glClearBufferfi(GL_DEPTH_STENCIL, 0, 0.5f, values[1]);
            glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
            break;
        }
        case 6:
            glBlitFramebuffer(r.size(), r.size(), r.size(), r.size(), r.size(), r.size(), r.size(), r.size(),
                              r() % 2 ? GL_COLOR_BUFFER_BIT : GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT,
                              r() % 2 ? GL_NEAREST : GL_LINEAR);
            break;
        case 7: {
            const GLenum which = r.of(kAttachments);
            glInvalidateSubFramebuffer(target, r.size(), &which, r.size(), r.size(), r.size(), r.size());
            break;
        }
        case 8: {
            GLint value = 0;
            glGetFramebufferAttachmentParameteriv(target, attachment, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE + r() % 5,
                                                  &value);
            glGetFramebufferAttachmentParameteriv(target, attachment,
                                                  GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING + r() % 8, &value);
            break;
        }
        case 9: {
            std::vector<std::byte> pixels(1 << 12);
            const Pixels wanted = r.of(kPixels);
            glReadPixels(r.size(), r.size(), 3, 3, wanted.format, wanted.type, pixels.data());
            break;
        }
        case 10:
            drawQuad();
    }
}

}  // namespace

TEST_CASE("random calls with the images of OpenGL ES 3.0") {
    const uint64_t before = drawnFragments();
    for (unsigned seed = 0; seed < 8; ++seed) {
        TestContext context(kEs3);
        const GLuint program =
            useProgram("#version 300 es\nin vec4 position; void main() { gl_Position = position; }", kFragment);
        GLint unit = 0;
        for (const char* name : {"flat_", "volume", "layers", "cube", "shadow", "integers", "naturals"})
            glUniform1i(glGetUniformLocation(program, name), unit++);
        Chooser r(seed);
        for (std::byte& byte : memory) byte = static_cast<std::byte>(r());
        for (int i = 0; i < 1500; ++i) {
            switch (r() % 3) {
                case 0:
                    callImages(r);
                    break;
                case 1:
                    callObjects(r);
                    break;
                case 2:
                    callFramebuffers(r);
            }
            const GLenum error = glGetError();
            CHECK_MESSAGE(isError(error), "seed " << seed << ", call " << i << ": " << error);
        }
        glFinish();
    }
    // The calls are not all refused: they do reach the pipeline.
    CHECK(drawnFragments() - before > 1000);
}
