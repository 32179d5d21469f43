// Formats of OpenGL ES 3.0: what images can be made of, what is drawn to, copied and read, and what is refused.
#include <GLES3/gl3.h>
// After it: the tokens of extensions.
#include <GLES2/gl2ext.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "tests/gles/api_test.h"
#include "tests/gles/fixture.h"

using namespace tessera::gles_test;

namespace {

/// A row of tables 3.2 and 3.13, or of an extension.
struct Format {
    GLenum internalformat, format, type;
    int pixelBytes;
    bool isRenderable, isFiltered;
};
// clang-format off
constexpr Format kFormats[] = {
    {GL_R8, GL_RED, GL_UNSIGNED_BYTE, 1, true, true},
    {GL_R8_SNORM, GL_RED, GL_BYTE, 1, true, true},
    {GL_R16F, GL_RED, GL_HALF_FLOAT, 2, true, true},
    {GL_R16F, GL_RED, GL_FLOAT, 4, true, true},
    {GL_R32F, GL_RED, GL_FLOAT, 4, true, true},
    {GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE, 1, true, false},
    {GL_R8I, GL_RED_INTEGER, GL_BYTE, 1, true, false},
    {GL_R16UI, GL_RED_INTEGER, GL_UNSIGNED_SHORT, 2, true, false},
    {GL_R16I, GL_RED_INTEGER, GL_SHORT, 2, true, false},
    {GL_R32UI, GL_RED_INTEGER, GL_UNSIGNED_INT, 4, true, false},
    {GL_R32I, GL_RED_INTEGER, GL_INT, 4, true, false},
    {GL_RG8, GL_RG, GL_UNSIGNED_BYTE, 2, true, true},
    {GL_RG8_SNORM, GL_RG, GL_BYTE, 2, true, true},
    {GL_RG16F, GL_RG, GL_HALF_FLOAT, 4, true, true},
    {GL_RG32F, GL_RG, GL_FLOAT, 8, true, true},
    {GL_RG8UI, GL_RG_INTEGER, GL_UNSIGNED_BYTE, 2, true, false},
    {GL_RG8I, GL_RG_INTEGER, GL_BYTE, 2, true, false},
    {GL_RG16UI, GL_RG_INTEGER, GL_UNSIGNED_SHORT, 4, true, false},
    {GL_RG16I, GL_RG_INTEGER, GL_SHORT, 4, true, false},
    {GL_RG32UI, GL_RG_INTEGER, GL_UNSIGNED_INT, 8, true, false},
    {GL_RG32I, GL_RG_INTEGER, GL_INT, 8, true, false},
    {GL_RGB8, GL_RGB, GL_UNSIGNED_BYTE, 3, true, true},
    {GL_SRGB8, GL_RGB, GL_UNSIGNED_BYTE, 3, false, true},
    {GL_RGB565, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 2, true, true},
    {GL_RGB565, GL_RGB, GL_UNSIGNED_BYTE, 3, true, true},
    {GL_RGB8_SNORM, GL_RGB, GL_BYTE, 3, false, true},
    {GL_R11F_G11F_B10F, GL_RGB, GL_UNSIGNED_INT_10F_11F_11F_REV, 4, true, true},
    {GL_R11F_G11F_B10F, GL_RGB, GL_HALF_FLOAT, 6, true, true},
    {GL_R11F_G11F_B10F, GL_RGB, GL_FLOAT, 12, true, true},
    {GL_RGB9_E5, GL_RGB, GL_UNSIGNED_INT_5_9_9_9_REV, 4, false, true},
    {GL_RGB9_E5, GL_RGB, GL_HALF_FLOAT, 6, false, true},
    {GL_RGB9_E5, GL_RGB, GL_FLOAT, 12, false, true},
    {GL_RGB16F, GL_RGB, GL_HALF_FLOAT, 6, true, true},
    {GL_RGB32F, GL_RGB, GL_FLOAT, 12, false, true},
    {GL_RGB8UI, GL_RGB_INTEGER, GL_UNSIGNED_BYTE, 3, false, false},
    {GL_RGB8I, GL_RGB_INTEGER, GL_BYTE, 3, false, false},
    {GL_RGB16UI, GL_RGB_INTEGER, GL_UNSIGNED_SHORT, 6, false, false},
    {GL_RGB16I, GL_RGB_INTEGER, GL_SHORT, 6, false, false},
    {GL_RGB32UI, GL_RGB_INTEGER, GL_UNSIGNED_INT, 12, false, false},
    {GL_RGB32I, GL_RGB_INTEGER, GL_INT, 12, false, false},
    {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, true, true},
    {GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE, 4, true, true},
    {GL_RGBA8_SNORM, GL_RGBA, GL_BYTE, 4, true, true},
    {GL_RGB5_A1, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, 2, true, true},
    {GL_RGB5_A1, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, 4, true, true},
    {GL_RGBA4, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, 2, true, true},
    {GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, 4, true, true},
    {GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT, 8, true, true},
    {GL_RGBA32F, GL_RGBA, GL_FLOAT, 16, true, true},
    {GL_RGBA8UI, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, 4, true, false},
    {GL_RGBA8I, GL_RGBA_INTEGER, GL_BYTE, 4, true, false},
    {GL_RGB10_A2UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT_2_10_10_10_REV, 4, true, false},
    {GL_RGBA16UI, GL_RGBA_INTEGER, GL_UNSIGNED_SHORT, 8, true, false},
    {GL_RGBA16I, GL_RGBA_INTEGER, GL_SHORT, 8, true, false},
    {GL_RGBA32UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT, 16, true, false},
    {GL_RGBA32I, GL_RGBA_INTEGER, GL_INT, 16, true, false},
    // EXT_texture_norm16, EXT_texture_sRGB_R8, EXT_texture_sRGB_RG8
    {GL_R16_EXT, GL_RED, GL_UNSIGNED_SHORT, 2, true, true},
    {GL_R16_SNORM_EXT, GL_RED, GL_SHORT, 2, true, true},
    {GL_RG16_EXT, GL_RG, GL_UNSIGNED_SHORT, 4, true, true},
    {GL_RG16_SNORM_EXT, GL_RG, GL_SHORT, 4, true, true},
    {GL_RGB16_EXT, GL_RGB, GL_UNSIGNED_SHORT, 6, false, true},
    {GL_RGB16_SNORM_EXT, GL_RGB, GL_SHORT, 6, false, true},
    {GL_RGBA16_EXT, GL_RGBA, GL_UNSIGNED_SHORT, 8, true, true},
    {GL_RGBA16_SNORM_EXT, GL_RGBA, GL_SHORT, 8, true, true},
    {GL_SR8_EXT, GL_RED, GL_UNSIGNED_BYTE, 1, false, true},
    {GL_SRG8_EXT, GL_RG, GL_UNSIGNED_BYTE, 2, false, true},
};
constexpr Format kDepthFormats[] = {
    {GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, 2, true, false},
    {GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, 4, true, false},
    {GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, 4, true, false},
    {GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT, 4, true, false},
    {GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, 4, true, false},
    {GL_DEPTH32F_STENCIL8, GL_DEPTH_STENCIL, GL_FLOAT_32_UNSIGNED_INT_24_8_REV, 8, true, false},
};
// clang-format on

GLuint bindTexture(GLenum target) {
    GLuint name = 0;
    glGenTextures(1, &name);
    glBindTexture(target, name);
    return name;
}

/// Makes a framebuffer whose colour is level 0 of the 2D texture.
GLuint attach(GLuint texture) {
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    return framebuffer;
}

}  // namespace

TEST_CASE("every format of OpenGL ES 3.0 makes images of all targets, and says whether it can be drawn to") {
    TestContext context(kEs3);
    const std::vector<uint8_t> pixels(4 * 4 * 6 * 16, 1);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    for (const Format& format : kFormats) {
        INFO("internal format " << format.internalformat << ", type " << format.type);
        const auto internal = static_cast<GLint>(format.internalformat);
        for (GLenum target : {GL_TEXTURE_3D, GL_TEXTURE_2D_ARRAY}) {
            const GLuint texture = bindTexture(target);
            glTexImage3D(target, 0, internal, 4, 3, 6, 0, format.format, format.type, pixels.data());
            glTexSubImage3D(target, 0, 1, 1, 2, 2, 2, 3, format.format, format.type, pixels.data());
            CHECK(glGetError() == GL_NO_ERROR);
            glDeleteTextures(1, &texture);
        }
        bindTexture(GL_TEXTURE_CUBE_MAP);
        glTexImage2D(GL_TEXTURE_CUBE_MAP_NEGATIVE_Y, 0, internal, 4, 4, 0, format.format, format.type, pixels.data());
        const GLuint texture = bindTexture(GL_TEXTURE_2D);
        glTexImage2D(GL_TEXTURE_2D, 0, internal, 4, 4, 0, format.format, format.type, pixels.data());
        CHECK(glGetError() == GL_NO_ERROR);
        glGenerateMipmap(GL_TEXTURE_2D);
        CHECK((glGetError() == GL_NO_ERROR) == (format.isRenderable && format.isFiltered));
        const GLuint framebuffer = attach(texture);
        CHECK((glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE) == format.isRenderable);
        GLuint renderbuffer = 0;
        glGenRenderbuffers(1, &renderbuffer);
        glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
        glRenderbufferStorage(GL_RENDERBUFFER, format.internalformat, 4, 4);
        CHECK(glGetError() == (format.isRenderable ? GL_NO_ERROR : GL_INVALID_ENUM));
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, format.internalformat, 4, 4);
        const bool isInteger = format.isRenderable && !format.isFiltered;  // which have one sample
        CHECK(glGetError() == (isInteger ? GL_INVALID_OPERATION : format.isRenderable ? GL_NO_ERROR : GL_INVALID_ENUM));
        glDeleteRenderbuffers(1, &renderbuffer);
        glDeleteFramebuffers(1, &framebuffer);
        glDeleteTextures(1, &texture);
        bindTexture(GL_TEXTURE_2D);
        glTexStorage2D(GL_TEXTURE_2D, 3, format.internalformat, 4, 4);
        glTexSubImage2D(GL_TEXTURE_2D, 1, 0, 0, 2, 2, format.format, format.type, pixels.data());
        CHECK(glGetError() == GL_NO_ERROR);
    }
    for (const Format& format : kDepthFormats) {
        INFO("internal format " << format.internalformat << ", type " << format.type);
        const auto internal = static_cast<GLint>(format.internalformat);
        bindTexture(GL_TEXTURE_2D_ARRAY);
        glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, internal, 4, 3, 6, 0, format.format, format.type, pixels.data());
        const GLuint texture = bindTexture(GL_TEXTURE_2D);
        glTexImage2D(GL_TEXTURE_2D, 0, internal, 4, 4, 0, format.format, format.type, pixels.data());
        CHECK(glGetError() == GL_NO_ERROR);
        attach(texture);
        CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, texture, 0);
        CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        bindTexture(GL_TEXTURE_3D);
        glTexImage3D(GL_TEXTURE_3D, 0, internal, 4, 3, 6, 0, format.format, format.type, nullptr);
        CHECK(glGetError() == GL_INVALID_OPERATION);
    }
}

TEST_CASE("the formats of OpenGL ES 3.0 are not there in a context of 2.0") {
    TestContext context;
    bindTexture(GL_TEXTURE_2D);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8UI, 4, 4, 0, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, nullptr);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB8, 4, 4, 0, GL_RGB, GL_UNSIGNED_BYTE, nullptr);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glBindTexture(GL_TEXTURE_2D_ARRAY, 1);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glPixelStorei(GL_UNPACK_SKIP_IMAGES, 1);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SWIZZLE_R, GL_RED);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 1);
    CHECK(glGetError() == GL_INVALID_ENUM);
}

TEST_CASE("pixels that do not go with an internal format are an invalid operation") {
    TestContext context(kEs3);
    bindTexture(GL_TEXTURE_2D);
    const auto error = [](GLenum internalformat, GLenum format, GLenum type) {
        glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(internalformat), 1, 1, 0, format, type, nullptr);
        return glGetError();
    };
    CHECK(error(GL_RGBA32UI, GL_RGBA_INTEGER, GL_INT) == GL_INVALID_OPERATION);
    CHECK(error(GL_RGBA8UI, GL_RGBA, GL_UNSIGNED_BYTE) == GL_INVALID_OPERATION);
    CHECK(error(GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_BYTE) == GL_INVALID_OPERATION);
    CHECK(error(GL_RGBA8_SNORM, GL_RGBA, GL_UNSIGNED_BYTE) == GL_INVALID_OPERATION);
    CHECK(error(GL_RGBA32F, GL_RGBA, GL_HALF_FLOAT) == GL_INVALID_OPERATION);
    CHECK(error(GL_R11F_G11F_B10F, GL_RGB, GL_UNSIGNED_INT_5_9_9_9_REV) == GL_INVALID_OPERATION);
    CHECK(error(GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT) == GL_INVALID_OPERATION);
    CHECK(error(GL_RGBA_INTEGER, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE) != GL_NO_ERROR);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_RGBA, GL_BYTE, nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, nullptr);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(error(0x8C42, 0x8C42, GL_UNSIGNED_BYTE) != GL_NO_ERROR);  // GL_SRGB_ALPHA_EXT
    CHECK(error(GL_RGBA8, GL_RGBA, GL_TEXTURE_2D) == GL_INVALID_ENUM);
    CHECK(error(GL_TEXTURE_2D, GL_RGBA, GL_UNSIGNED_BYTE) == GL_INVALID_VALUE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA4, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);
}

TEST_CASE("integers are cleared, read back and copied bit by bit") {
    TestContext context(kEs3);
    struct Row {
        GLenum internalformat;
        GLenum format, type;
        std::array<GLint, 4> want;
    };
    const std::array<GLint, 4> value = {-5, 100, -128, 127};
    for (const Row& row :
         {Row{GL_RGBA32I, GL_RGBA_INTEGER, GL_INT, value}, Row{GL_RGBA8I, GL_RGBA_INTEGER, GL_BYTE, value},
          Row{GL_RG16I, GL_RG_INTEGER, GL_SHORT, {-5, 100, 0, 1}},
          Row{GL_R32I, GL_RED_INTEGER, GL_INT, {-5, 0, 0, 1}}}) {
        INFO("internal format " << row.internalformat);
        const GLuint texture = bindTexture(GL_TEXTURE_2D);
        glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(row.internalformat), 8, 8, 0, row.format, row.type, nullptr);
        attach(texture);
        glClearBufferiv(GL_COLOR, 0, value.data());
        std::array<GLint, 4> read{};
        glReadPixels(3, 3, 1, 1, GL_RGBA_INTEGER, GL_INT, read.data());
        CHECK(glGetError() == GL_NO_ERROR);
        CHECK(read == row.want);
        // Clears of other numbers are not defined: here they do nothing.
        const GLfloat floats[4] = {1, 1, 1, 1};
        glClearBufferfv(GL_COLOR, 0, floats);
        glClear(GL_COLOR_BUFFER_BIT);
        glReadPixels(3, 3, 1, 1, GL_RGBA_INTEGER, GL_INT, read.data());
        CHECK(read == row.want);
        GLint format = 0, type = 0;
        glGetIntegerv(GL_IMPLEMENTATION_COLOR_READ_FORMAT, &format);
        glGetIntegerv(GL_IMPLEMENTATION_COLOR_READ_TYPE, &type);
        CHECK(format == static_cast<GLint>(row.format));
        CHECK(type == static_cast<GLint>(row.type));
        glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, read.data());
        CHECK(glGetError() == GL_INVALID_OPERATION);
        glReadPixels(0, 0, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT, read.data());
        CHECK(glGetError() == GL_INVALID_OPERATION);
        // A copy keeps numbers and sizes.
        const GLuint copy = bindTexture(GL_TEXTURE_2D);
        glCopyTexImage2D(GL_TEXTURE_2D, 0, row.internalformat, 0, 0, 8, 8, 0);
        CHECK(glGetError() == GL_NO_ERROR);
        attach(copy);
        glReadPixels(7, 7, 1, 1, GL_RGBA_INTEGER, GL_INT, read.data());
        CHECK(read == row.want);
        glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8UI, 0, 0, 8, 8, 0);
        CHECK(glGetError() == GL_INVALID_OPERATION);
        glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, 8, 8, 0);
        CHECK(glGetError() == GL_INVALID_OPERATION);
    }
}

TEST_CASE("copies from the framebuffer keep what the format says of channels, sizes and encoding") {
    TestContext context(kEs3);  // RGBA8
    const auto error = [](GLenum internalformat) {
        bindTexture(GL_TEXTURE_2D);
        glCopyTexImage2D(GL_TEXTURE_2D, 0, internalformat, 0, 0, 4, 4, 0);
        return glGetError();
    };
    for (GLenum good : {GL_RGBA, GL_RGB, GL_LUMINANCE_ALPHA, GL_LUMINANCE, GL_ALPHA, GL_RGBA8, GL_RGB8, GL_RG8, GL_R8})
        CHECK_MESSAGE(error(good) == GL_NO_ERROR, "internal format " << good);
    for (GLenum bad : {GL_RGBA4, GL_RGB5_A1, GL_RGB565, GL_SRGB8, GL_SRGB8_ALPHA8, GL_RGBA16F, GL_RGBA8UI, GL_RGBA8I,
                       GL_RGB10_A2, GL_RGBA8_SNORM, GL_RGB9_E5, GL_RGBA16_EXT, GL_R16_EXT, GL_SR8_EXT})
        CHECK_MESSAGE(error(bad) == GL_INVALID_OPERATION, "internal format " << bad);
    CHECK(error(GL_DEPTH_COMPONENT16) == GL_INVALID_ENUM);
    CHECK(error(GL_TEXTURE_2D) == GL_INVALID_ENUM);
    const GLuint ten = bindTexture(GL_TEXTURE_2D);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGB10_A2, 4, 4);
    attach(ten);
    CHECK(error(GL_RGBA) == GL_INVALID_OPERATION);
    CHECK(error(GL_RGB10_A2) == GL_NO_ERROR);
    bindTexture(GL_TEXTURE_2D);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8UI, 4, 4, 0, GL_RGBA_INTEGER, GL_UNSIGNED_BYTE, nullptr);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, 4, 4);
    CHECK(glGetError() == GL_INVALID_OPERATION);
}

TEST_CASE("ten bits, floats and packed floats are read as the implementation says") {
    TestContext context(kEs3);
    const GLfloat color[4] = {1, 0.5f, 0.25f, 1};
    {
        const GLuint texture = bindTexture(GL_TEXTURE_2D);
        glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGB10_A2, 4, 4);
        attach(texture);
        glClearBufferfv(GL_COLOR, 0, color);
        GLuint packed = 0;
        glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV, &packed);
        CHECK(glGetError() == GL_NO_ERROR);
        CHECK(packed == (3u << 30 | 256u << 20 | 512u << 10 | 1023u));
        CHECK(pixelAt(0, 0) == Rgba{255, 128, 64, 255});
        GLfloat floats[4];
        glReadPixels(0, 0, 1, 1, GL_RGBA, GL_FLOAT, floats);
        CHECK(glGetError() == GL_INVALID_OPERATION);
    }
    for (GLenum format : {GL_RGBA32F, GL_RGBA16F, GL_R11F_G11F_B10F}) {
        const GLuint texture = bindTexture(GL_TEXTURE_2D);
        glTexStorage2D(GL_TEXTURE_2D, 1, format, 4, 4);
        attach(texture);
        glClearBufferfv(GL_COLOR, 0, color);
        GLfloat floats[4] = {};
        glReadPixels(0, 0, 1, 1, GL_RGBA, GL_FLOAT, floats);
        CHECK(glGetError() == GL_NO_ERROR);
        for (int i = 0; i < 4; ++i) CHECK(floats[i] == color[i]);
        GLint type = 0;
        glGetIntegerv(GL_IMPLEMENTATION_COLOR_READ_TYPE, &type);
        CHECK(type == (format == GL_RGBA16F   ? GL_HALF_FLOAT
                       : format == GL_RGBA32F ? GL_FLOAT
                                              : GL_UNSIGNED_INT_10F_11F_11F_REV));
    }
}

TEST_CASE("a colour buffer is read as its format is specified, which is the implementation's pair") {
    TestContext context(kEs3);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    std::vector<GLenum> seen;
    for (const Format& row : kFormats) {
        // The first row of a format has the type that is as precise as it.
        if (!row.isRenderable || std::ranges::find(seen, row.internalformat) != seen.end()) continue;
        seen.push_back(row.internalformat);
        INFO("internal format " << row.internalformat);
        const GLuint texture = bindTexture(GL_TEXTURE_2D);
        glTexStorage2D(GL_TEXTURE_2D, 1, row.internalformat, 4, 4);
        std::vector<uint8_t> pixels(16 * static_cast<size_t>(row.pixelBytes));
        for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<uint8_t>(17 * i % 60);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 4, 4, row.format, row.type, pixels.data());
        attach(texture);
        GLint format = 0, type = 0;
        glGetIntegerv(GL_IMPLEMENTATION_COLOR_READ_FORMAT, &format);
        glGetIntegerv(GL_IMPLEMENTATION_COLOR_READ_TYPE, &type);
        CHECK(format == static_cast<GLint>(row.format));
        CHECK(type == static_cast<GLint>(row.type));
        std::vector<uint8_t> read(pixels.size());
        glReadPixels(0, 0, 4, 4, row.format, row.type, read.data());
        CHECK(glGetError() == GL_NO_ERROR);
        CHECK(read == pixels);
    }
    CHECK(seen.size() > 30);
}

TEST_CASE("colours of sixteen bits and of signs are drawn, blended, sampled, copied and read as they are stored") {
    TestContext context(kEs3);
    const GLuint program = useProgram("#version 300 es\nin vec4 position; void main() { gl_Position = position; }",
                                      "#version 300 es\nprecision highp float; uniform vec4 value; out vec4 color; "
                                      "void main() { color = value; }");
    const GLint value = glGetUniformLocation(program, "value");
    struct Row {
        GLenum internalformat, type;
        int32_t largest;
        std::array<int32_t, 4> want;  ///< of 0.25, -0.5, 2 and 0.75
    };
    for (const Row& row :
         {Row{GL_RGBA16_EXT, GL_UNSIGNED_SHORT, 65535, {16384, 0, 65535, 49151}},
          Row{GL_RGBA16_SNORM_EXT, GL_SHORT, 32767, {8192, -16384, 32767, 24575}},
          Row{GL_RG16_SNORM_EXT, GL_SHORT, 32767, {8192, -16384, 0, 32767}},
          Row{GL_R16_EXT, GL_UNSIGNED_SHORT, 65535, {16384, 0, 0, 65535}},
          Row{GL_RGBA8_SNORM, GL_BYTE, 127, {32, -64, 127, 95}}, Row{GL_R8_SNORM, GL_BYTE, 127, {32, 0, 0, 127}}}) {
        INFO("internal format " << row.internalformat);
        const auto read = [&] {
            std::array<int32_t, 4> pixel{};
            std::array<uint8_t, 8> bytes{};
            glReadPixels(3, 3, 1, 1, GL_RGBA, row.type, bytes.data());
            CHECK(glGetError() == GL_NO_ERROR);
            for (size_t c = 0; c < 4; ++c) {
                int16_t number = 0;
                std::memcpy(&number, bytes.data() + 2 * c, 2);
                pixel[c] = row.type == GL_BYTE    ? static_cast<int8_t>(bytes[c])
                           : row.type == GL_SHORT ? number
                                                  : static_cast<uint16_t>(number);
            }
            return pixel;
        };
        const GLuint texture = bindTexture(GL_TEXTURE_2D);
        glTexStorage2D(GL_TEXTURE_2D, 1, row.internalformat, 8, 8);
        const GLuint framebuffer = attach(texture);
        REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        glUseProgram(program);
        glUniform4f(value, 0.25f, -0.5f, 2, 0.75f);
        drawQuad();
        CHECK(read() == row.want);
        glClearColor(-1, -0.5f, 2, 0.75f);
        glClear(GL_COLOR_BUFFER_BIT);
        CHECK(read()[0] == (row.type == GL_UNSIGNED_SHORT ? 0 : -row.largest));
        // Bytes are read of both, without signs.
        std::array<uint8_t, 4> bytes{};
        glReadPixels(3, 3, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, bytes.data());
        CHECK(glGetError() == GL_NO_ERROR);
        CHECK(bytes[0] == 0);
        // Sums are kept within what there is.
        glEnable(GL_BLEND);
        glBlendFunc(GL_ONE, GL_ONE);
        glUniform4f(value, 0.5f, -1, 1, 1);
        drawQuad();
        glDisable(GL_BLEND);
        CHECK(std::abs(read()[0] - (row.type == GL_UNSIGNED_SHORT ? 32768 : -(row.largest + 1) / 2)) <= 1);
        const std::array<int32_t, 4> blended = read();
        // A copy of the same kind keeps the bits; one of another kind is refused.
        const GLuint copy = bindTexture(GL_TEXTURE_2D);
        glCopyTexImage2D(GL_TEXTURE_2D, 0, row.internalformat, 0, 0, 8, 8, 0);
        CHECK(glGetError() == GL_NO_ERROR);
        glDeleteFramebuffers(1, &framebuffer);
        const GLuint other = attach(copy);
        CHECK(read() == blended);
        glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 0, 0, 8, 8, 0);
        CHECK(glGetError() == GL_INVALID_OPERATION);
        glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, 8, 8, 0);
        CHECK(glGetError() == GL_INVALID_OPERATION);
        glDeleteFramebuffers(1, &other);
        glDeleteTextures(1, &texture);
        glDeleteTextures(1, &copy);
    }
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_SHORT, nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);
}

TEST_CASE("codes of one and two channels are sampled as light") {
    TestContext context(kEs3);
    useProgram("#version 300 es\nin vec4 position; void main() { gl_Position = position; }",
               "#version 300 es\nprecision highp float; uniform sampler2D image; out vec4 color; "
               "void main() { color = texelFetch(image, ivec2(0), 0); }");
    const std::array<uint8_t, 2> codes = {188, 64};
    for (const GLenum format : {GL_SR8_EXT, GL_SRG8_EXT}) {
        bindTexture(GL_TEXTURE_2D);
        glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
        glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), 1, 1, 0, format == GL_SR8_EXT ? GL_RED : GL_RG,
                     GL_UNSIGNED_BYTE, codes.data());
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        CHECK(glGetError() == GL_NO_ERROR);
        drawQuad();
        CHECK(pixelAt(3, 3) == Rgba{128, static_cast<uint8_t>(format == GL_SR8_EXT ? 0 : 13), 0, 255});
        glGenerateMipmap(GL_TEXTURE_2D);
        CHECK(glGetError() == GL_INVALID_OPERATION);  // such formats are not drawn to
    }
}

TEST_CASE("images to skip and the height between images are of three dimensions alone") {
    TestContext context(kEs3);
    std::vector<uint32_t> pixels(5 * 6 * 4);
    for (size_t i = 0; i < pixels.size(); ++i) pixels[i] = static_cast<uint32_t>(i);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 5);
    glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, 6);
    glPixelStorei(GL_UNPACK_SKIP_IMAGES, 1);
    glPixelStorei(GL_UNPACK_SKIP_ROWS, 2);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS, 1);
    CHECK(getInt(GL_UNPACK_IMAGE_HEIGHT) == 6);
    CHECK(getInt(GL_UNPACK_SKIP_IMAGES) == 1);
    const GLuint texture = bindTexture(GL_TEXTURE_2D_ARRAY);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_R32UI, 3, 3, 2, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, pixels.data());
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    for (GLint layer : {0, 1}) {
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, layer);
        GLuint read[4] = {};
        glReadPixels(2, 1, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT, read);
        CHECK(read[0] == static_cast<GLuint>((1 + layer) * 30 + (2 + 1) * 5 + 1 + 2));
    }
    const GLuint flat = bindTexture(GL_TEXTURE_2D);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32UI, 3, 3, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, pixels.data());
    attach(flat);
    GLuint read[4] = {};
    glReadPixels(2, 1, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT, read);
    CHECK(read[0] == 3 * 5 + 1 + 2);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("a pixel unpack buffer must have every image that is unpacked") {
    TestContext context(kEs3);
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, buffer);
    glBufferData(GL_PIXEL_UNPACK_BUFFER, 2 * 2 * 4 * 3, nullptr, GL_STATIC_DRAW);
    bindTexture(GL_TEXTURE_2D_ARRAY);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 2, 2, 3, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    CHECK(glGetError() == GL_NO_ERROR);
    glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, 3);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, 2, 2, 3, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glPixelStorei(GL_UNPACK_IMAGE_HEIGHT, 0);
    glPixelStorei(GL_UNPACK_SKIP_IMAGES, 1);
    glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 2, 2, 3, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 2, 2, 2, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("a mapped pixel buffer is refused by transfers of no pixels, too") {
    TestContext context(kEs3);
    GLuint buffers[2] = {};
    glGenBuffers(2, buffers);
    bindTexture(GL_TEXTURE_2D);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    const GLenum targets[] = {GL_PIXEL_UNPACK_BUFFER, GL_PIXEL_PACK_BUFFER};
    for (size_t i = 0; i < 2; ++i) {
        glBindBuffer(targets[i], buffers[i]);
        glBufferData(targets[i], 64, nullptr, GL_STATIC_DRAW);
    }
    const auto errors = [](GLenum expected) {
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 2, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        CHECK(glGetError() == expected);
        glReadPixels(0, 0, 0, 2, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        CHECK(glGetError() == expected);
    };
    errors(GL_NO_ERROR);
    for (const GLenum target : targets) REQUIRE(glMapBufferRange(target, 0, 64, GL_MAP_WRITE_BIT) != nullptr);
    errors(GL_INVALID_OPERATION);
}

TEST_CASE("blocks of ETC2 are layers of arrays, and of no 3D texture") {
    TestContext context(kEs3);
    const GLuint texture = bindTexture(GL_TEXTURE_2D_ARRAY);
    // Red above green: an ETC2 block whose base colours are the same in both halves, without a distance.
    const auto block = [](uint8_t red, uint8_t green) {
        return std::array<uint8_t, 8>{
            static_cast<uint8_t>(red << 3), static_cast<uint8_t>(green << 3), 0, 2, 0, 0, 0, 0};
    };
    std::vector<uint8_t> blocks;
    for (const auto& one : {block(31, 0), block(0, 31)}) blocks.insert(blocks.end(), one.begin(), one.end());
    const auto make = [&](GLenum target, GLsizei bytes) {
        glCompressedTexImage3D(target, 0, GL_COMPRESSED_RGB8_ETC2, 4, 4, 2, 0, bytes, blocks.data());
        return glGetError();
    };
    CHECK(make(GL_TEXTURE_2D_ARRAY, 15) == GL_INVALID_VALUE);
    CHECK(make(GL_TEXTURE_2D_ARRAY, -1) == GL_INVALID_VALUE);
    CHECK(make(GL_TEXTURE_3D, 16) == GL_INVALID_OPERATION);
    CHECK(make(GL_TEXTURE_2D, 16) == GL_INVALID_ENUM);
    REQUIRE(make(GL_TEXTURE_2D_ARRAY, 16) == GL_NO_ERROR);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    const auto change = [&](GLint layer, GLint x, GLenum format) {
        glCompressedTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, x, 0, layer, 4, 4, 1, format, 8, blocks.data());
        return glGetError();
    };
    CHECK(change(2, 0, GL_COMPRESSED_RGB8_ETC2) == GL_INVALID_VALUE);
    CHECK(change(0, 0, GL_COMPRESSED_SRGB8_ETC2) == GL_INVALID_OPERATION);
    CHECK(change(0, 0, GL_RGBA8) == GL_INVALID_ENUM);
    CHECK(change(1, 0, GL_COMPRESSED_RGB8_ETC2) == GL_NO_ERROR);
    glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 4, 4, 1, GL_RGB, GL_UNSIGNED_BYTE, blocks.data());
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glCopyTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 0, 0, 4, 4);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glGenerateMipmap(GL_TEXTURE_2D_ARRAY);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, 1);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
}

TEST_CASE("blocks of BPTC are layers and slices") {
    TestContext context(kEs3);
    // Mode 6, one colour: seven bits of each channel's two endpoints, whose lowest bit is 1.
    const auto block = [](unsigned red, unsigned green) {
        std::array<uint8_t, 16> bytes{};
        const auto set = [&](unsigned first, unsigned count, unsigned value) {
            for (unsigned i = 0; i < count; ++i)
                bytes[(first + i) / 8] |= static_cast<uint8_t>((value >> i & 1) << (first + i) % 8);
        };
        set(6, 1, 1);
        for (unsigned end = 0; end < 2; ++end) {
            set(7 + 7 * end, 7, red);
            set(21 + 7 * end, 7, green);
            set(49 + 7 * end, 7, 127);
            set(63 + end, 1, 1);
        }
        return bytes;
    };
    std::vector<uint8_t> blocks;
    for (const auto& one : {block(127, 0), block(0, 127)}) blocks.insert(blocks.end(), one.begin(), one.end());
    const char* const kVertex = "#version 300 es\nin vec4 position; void main() { gl_Position = position; }";
    const auto fragment = [](const std::string& sampler) {
        return "#version 300 es\nprecision highp float; precision highp " + sampler + "; uniform " + sampler +
               " image; uniform int z; out vec4 color; void main() { color = texelFetch(image, ivec3(1, 2, z), 0); }";
    };
    const struct {
        GLenum target;
        const char* sampler;
    } kinds[] = {{GL_TEXTURE_2D_ARRAY, "sampler2DArray"}, {GL_TEXTURE_3D, "sampler3D"}};
    for (const auto& kind : kinds) {
        CAPTURE(kind.sampler);
        bindTexture(kind.target);
        glTexParameteri(kind.target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexParameteri(kind.target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
        glTexStorage3D(kind.target, 1, GL_COMPRESSED_RGBA_BPTC_UNORM_EXT, 4, 4, 2);
        glCompressedTexSubImage3D(kind.target, 0, 0, 0, 0, 4, 4, 2, GL_COMPRESSED_RGBA_BPTC_UNORM_EXT, 32,
                                  blocks.data());
        CHECK(glGetError() == GL_NO_ERROR);
        const GLuint program = useProgram(kVertex, fragment(kind.sampler));
        for (const int z : {0, 1}) {
            glUniform1i(glGetUniformLocation(program, "z"), z);
            drawQuad();
            CHECK(pixelAt(3, 3) == (z == 0 ? Rgba{255, 1, 1, 255} : Rgba{1, 255, 1, 255}));
        }
        bindTexture(kind.target);
        glCompressedTexImage3D(kind.target, 0, GL_COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT, 4, 4, 2, 0, 32,
                               blocks.data());
        CHECK(glGetError() == GL_NO_ERROR);
    }
}
