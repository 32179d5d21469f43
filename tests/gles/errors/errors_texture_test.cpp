// Errors of texture objects and images (section 3.7, 4.3 for the copies).
#define GL_GLEXT_PROTOTYPES 1
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

#include "tests/gles/api_test.h"

namespace {

constexpr GLenum kNoEnum = 0x12345;
constexpr GLenum kFaces[] = {GL_TEXTURE_CUBE_MAP_POSITIVE_X, GL_TEXTURE_CUBE_MAP_NEGATIVE_X,
                             GL_TEXTURE_CUBE_MAP_POSITIVE_Y, GL_TEXTURE_CUBE_MAP_NEGATIVE_Y,
                             GL_TEXTURE_CUBE_MAP_POSITIVE_Z, GL_TEXTURE_CUBE_MAP_NEGATIVE_Z};

GLuint bindTexture(GLenum target) {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(target, texture);
    return texture;
}

void image(GLenum target, GLint level, GLenum format, GLsizei size) {
    glTexImage2D(target, level, static_cast<GLint>(format), size, size, 0, format, GL_UNSIGNED_BYTE, nullptr);
}

void bindIncompleteFramebuffer() {
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
}

}  // namespace

ERROR_TEST(glGenTextures, GL_INVALID_VALUE) {
    GLuint name = 7;
    t.error(GL_INVALID_VALUE, [&] { glGenTextures(-1, &name); });
    CHECK(name == 7);
    t.fine([&] { glGenTextures(1, &name); });
}

ERROR_TEST(glDeleteTextures, GL_INVALID_VALUE) {
    GLuint name = bindTexture(GL_TEXTURE_2D);
    t.error(GL_INVALID_VALUE, [&] { glDeleteTextures(-1, &name); });
    CHECK(glIsTexture(name) == GL_TRUE);
    const GLuint silent[] = {0, 987654, name};
    t.fine([&] { glDeleteTextures(3, silent); });
    CHECK(glIsTexture(name) == GL_FALSE);
}

ERROR_TEST(glIsTexture) {
    t.fine([] { CHECK(glIsTexture(0) == GL_FALSE); });
    t.fine([] { CHECK(glIsTexture(987654) == GL_FALSE); });
}

ERROR_TEST(glActiveTexture, GL_INVALID_ENUM) {
    t.error(GL_INVALID_ENUM, [] { glActiveTexture(GL_TEXTURE0 - 1); });
    t.error(GL_INVALID_ENUM, [] { glActiveTexture(GL_TEXTURE0 + 32); });
    t.error(GL_INVALID_ENUM, [] { glActiveTexture(0); });
    t.fine([] { glActiveTexture(GL_TEXTURE31); });
}

ERROR_TEST(glBindTexture, GL_INVALID_ENUM, GL_INVALID_OPERATION) {
    GLuint flat = bindTexture(GL_TEXTURE_2D), cube = bindTexture(GL_TEXTURE_CUBE_MAP);
    t.error(GL_INVALID_ENUM, [=] { glBindTexture(kNoEnum, flat); });
    t.error(GL_INVALID_ENUM, [=] { glBindTexture(GL_TEXTURE_CUBE_MAP_POSITIVE_X, cube); });
    t.error(GL_INVALID_OPERATION, [=] { glBindTexture(GL_TEXTURE_CUBE_MAP, flat); });
    t.error(GL_INVALID_OPERATION, [=] { glBindTexture(GL_TEXTURE_2D, cube); });
    t.fine([] { glBindTexture(GL_TEXTURE_2D, 0); });
    t.fine([] { glBindTexture(GL_TEXTURE_CUBE_MAP, 0); });
    t.fine([] { glBindTexture(GL_TEXTURE_CUBE_MAP, 4711); });
}

namespace {

template <class Call>
void textureParameter(tessera::gles_test::ErrorTest& t, Call call) {
    t.error(GL_INVALID_ENUM, [=] { call(kNoEnum, GL_TEXTURE_MIN_FILTER, GL_LINEAR); });
    t.error(GL_INVALID_ENUM, [=] { call(GL_TEXTURE_CUBE_MAP_POSITIVE_X, GL_TEXTURE_MIN_FILTER, GL_LINEAR); });
    t.error(GL_INVALID_ENUM, [=] { call(GL_TEXTURE_2D, kNoEnum, GL_LINEAR); });
    t.error(GL_INVALID_ENUM, [=] { call(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, kNoEnum); });
    t.error(GL_INVALID_ENUM, [=] { call(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_REPEAT); });
    t.error(GL_INVALID_ENUM, [=] { call(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR_MIPMAP_LINEAR); });
    t.error(GL_INVALID_ENUM, [=] { call(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_LINEAR); });
    t.error(GL_INVALID_ENUM, [=] { call(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_WRAP_T, 0x2900 /* CLAMP */); });
    for (GLenum target : {GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP}) {
        for (GLenum filter : {GL_NEAREST, GL_LINEAR, GL_NEAREST_MIPMAP_NEAREST, GL_LINEAR_MIPMAP_NEAREST,
                              GL_NEAREST_MIPMAP_LINEAR, GL_LINEAR_MIPMAP_LINEAR})
            t.fine([=] { call(target, GL_TEXTURE_MIN_FILTER, filter); });
        for (GLenum filter : {GL_NEAREST, GL_LINEAR}) t.fine([=] { call(target, GL_TEXTURE_MAG_FILTER, filter); });
        for (GLenum wrap : {GL_CLAMP_TO_EDGE, GL_MIRRORED_REPEAT, GL_REPEAT}) {
            t.fine([=] { call(target, GL_TEXTURE_WRAP_S, wrap); });
            t.fine([=] { call(target, GL_TEXTURE_WRAP_T, wrap); });
        }
    }
}

}  // namespace

ERROR_TEST(glTexParameterf, GL_INVALID_ENUM) {
    textureParameter(t, [](GLenum target, GLenum pname, GLenum value) {
        glTexParameterf(target, pname, static_cast<GLfloat>(value));
    });
    t.error(GL_INVALID_ENUM, [] { glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, -1.0f); });
}

ERROR_TEST(glTexParameteri, GL_INVALID_ENUM) {
    textureParameter(t, [](GLenum target, GLenum pname, GLenum value) {
        glTexParameteri(target, pname, static_cast<GLint>(value));
    });
}

ERROR_TEST(glTexParameterfv, GL_INVALID_ENUM) {
    textureParameter(t, [](GLenum target, GLenum pname, GLenum value) {
        GLfloat values[] = {static_cast<GLfloat>(value)};
        glTexParameterfv(target, pname, values);
    });
}

ERROR_TEST(glTexParameteriv, GL_INVALID_ENUM) {
    textureParameter(t, [](GLenum target, GLenum pname, GLenum value) {
        GLint values[] = {static_cast<GLint>(value)};
        glTexParameteriv(target, pname, values);
    });
}

ERROR_TEST(glGetTexParameterfv, GL_INVALID_ENUM) {
    GLfloat value = 7;
    t.error(GL_INVALID_ENUM, [&] { glGetTexParameterfv(kNoEnum, GL_TEXTURE_WRAP_S, &value); });
    t.error(GL_INVALID_ENUM, [&] { glGetTexParameterfv(GL_TEXTURE_CUBE_MAP_POSITIVE_X, GL_TEXTURE_WRAP_S, &value); });
    t.error(GL_INVALID_ENUM, [&] { glGetTexParameterfv(GL_TEXTURE_2D, kNoEnum, &value); });
    CHECK(value == 7);
    t.fine([&] { glGetTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, &value); });
    CHECK(value == GL_REPEAT);
}

ERROR_TEST(glGetTexParameteriv, GL_INVALID_ENUM) {
    GLint value = 7;
    t.error(GL_INVALID_ENUM, [&] { glGetTexParameteriv(kNoEnum, GL_TEXTURE_WRAP_S, &value); });
    t.error(GL_INVALID_ENUM, [&] { glGetTexParameteriv(GL_TEXTURE_2D, kNoEnum, &value); });
    CHECK(value == 7);
    t.fine([&] { glGetTexParameteriv(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, &value); });
    CHECK(value == GL_NEAREST_MIPMAP_LINEAR);
}

namespace {

/// The sizes that no level may have; `call(target, level, width, height, border)`.
template <class Call>
void imageSizes(tessera::gles_test::ErrorTest& t, Call call) {
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, -1, 4, 4, 0); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, 15, 1, 1, 0); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, 0, -1, 4, 0); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, 0, 4, -1, 0); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, 0, 16385, 4, 0); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, 0, 4, 16385, 0); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, 0, 4, 4, 1); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, 0, 4, 4, -1); });
    for (GLenum face : kFaces) {
        t.error(GL_INVALID_VALUE, [=] { call(face, 0, 4, 8, 0); });
        t.error(GL_INVALID_VALUE, [=] { call(face, 0, 8, 4, 0); });
    }
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_CUBE_MAP_NEGATIVE_Z, 0, 16385, 16385, 0); });
    t.fine([=] { call(GL_TEXTURE_2D, 0, 0, 0, 0); });
    t.fine([=] { call(GL_TEXTURE_2D, 12, 1, 1, 0); });
    t.fine([=] { call(GL_TEXTURE_2D, 0, 16384, 1, 0); });
    t.fine([=] { call(GL_TEXTURE_2D, 0, 1, 16384, 0); });
}

}  // namespace

ERROR_TEST(glTexImage2D, GL_INVALID_ENUM, GL_INVALID_VALUE, GL_INVALID_OPERATION) {
    bindTexture(GL_TEXTURE_2D);
    bindTexture(GL_TEXTURE_CUBE_MAP);
    auto call = [](GLenum target, GLenum internalformat, GLenum format, GLenum type) {
        glTexImage2D(target, 0, static_cast<GLint>(internalformat), 4, 4, 0, format, type, nullptr);
    };
    t.error(GL_INVALID_ENUM, [=] { call(kNoEnum, GL_RGBA, GL_RGBA, GL_UNSIGNED_BYTE); });
    t.error(GL_INVALID_ENUM, [=] { call(GL_TEXTURE_CUBE_MAP, GL_RGBA, GL_RGBA, GL_UNSIGNED_BYTE); });
    t.error(GL_INVALID_ENUM, [=] { call(GL_TEXTURE_2D, GL_RGBA, kNoEnum, GL_UNSIGNED_BYTE); });
    t.error(GL_INVALID_ENUM, [=] { call(GL_TEXTURE_2D, GL_RGBA, GL_RGBA, kNoEnum); });
    // internalformat is a GLint that names one of table 3.8, else INVALID_VALUE.
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, 4, GL_RGBA, GL_UNSIGNED_BYTE); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, GL_STENCIL_INDEX8, GL_RGBA, GL_UNSIGNED_BYTE); });
    t.error(GL_INVALID_OPERATION, [=] { call(GL_TEXTURE_2D, GL_RGB, GL_RGBA, GL_UNSIGNED_BYTE); });
    t.error(GL_INVALID_OPERATION, [=] { call(GL_TEXTURE_2D, GL_ALPHA, GL_LUMINANCE, GL_UNSIGNED_BYTE); });
    for (GLenum format : {GL_RGBA, GL_ALPHA, GL_LUMINANCE, GL_LUMINANCE_ALPHA})
        t.error(GL_INVALID_OPERATION, [=] { call(GL_TEXTURE_2D, format, format, GL_UNSIGNED_SHORT_5_6_5); });
    for (GLenum format : {GL_RGB, GL_ALPHA, GL_LUMINANCE, GL_LUMINANCE_ALPHA})
        for (GLenum type : {GL_UNSIGNED_SHORT_4_4_4_4, GL_UNSIGNED_SHORT_5_5_5_1})
            t.error(GL_INVALID_OPERATION, [=] { call(GL_TEXTURE_2D, format, format, type); });
    imageSizes(t, [](GLenum target, GLint level, GLsizei width, GLsizei height, GLint border) {
        glTexImage2D(target, level, GL_ALPHA, width, height, border, GL_ALPHA, GL_UNSIGNED_BYTE, nullptr);
    });
    for (GLenum face : kFaces) t.fine([=] { call(face, GL_RGB, GL_RGB, GL_UNSIGNED_SHORT_5_6_5); });
}

ERROR_TEST(glTexSubImage2D, GL_INVALID_ENUM, GL_INVALID_VALUE, GL_INVALID_OPERATION) {
    static const uint8_t data[256] = {};
    bindTexture(GL_TEXTURE_2D);
    auto call = [](GLenum target, GLint level, GLint x, GLint y, GLsizei width, GLsizei height) {
        glTexSubImage2D(target, level, x, y, width, height, GL_RGBA, GL_UNSIGNED_BYTE, data);
    };
    t.error(GL_INVALID_OPERATION, [=] { call(GL_TEXTURE_2D, 0, 0, 0, 1, 1); });
    image(GL_TEXTURE_2D, 0, GL_RGBA, 8);
    t.error(GL_INVALID_OPERATION, [=] { call(GL_TEXTURE_2D, 1, 0, 0, 1, 1); });
    t.error(GL_INVALID_ENUM, [=] { call(kNoEnum, 0, 0, 0, 1, 1); });
    t.error(GL_INVALID_ENUM, [=] { call(GL_TEXTURE_CUBE_MAP, 0, 0, 0, 1, 1); });
    t.error(GL_INVALID_ENUM, [] { glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, kNoEnum, GL_UNSIGNED_BYTE, data); });
    t.error(GL_INVALID_ENUM, [] { glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, kNoEnum, data); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, -1, 0, 0, 1, 1); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, 15, 0, 0, 1, 1); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, 0, -1, 0, 1, 1); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, 0, 0, -1, 1, 1); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, 0, 0, 0, -1, 1); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, 0, 0, 0, 1, -1); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, 0, 5, 0, 4, 1); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, 0, 0, 5, 1, 4); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, 0, INT32_MAX, 0, 4, 1); });
    t.error(GL_INVALID_OPERATION,
            [] { glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGB, GL_UNSIGNED_BYTE, data); });
    t.error(GL_INVALID_OPERATION,
            [] { glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_SHORT_5_6_5, data); });
    t.fine([=] { call(GL_TEXTURE_2D, 0, 0, 0, 8, 8); });
    t.fine([=] { call(GL_TEXTURE_2D, 0, 8, 8, 0, 0); });
}

ERROR_TEST(glCopyTexImage2D, GL_INVALID_ENUM, GL_INVALID_VALUE, GL_INVALID_OPERATION,
           GL_INVALID_FRAMEBUFFER_OPERATION) {
    bindTexture(GL_TEXTURE_2D);
    bindTexture(GL_TEXTURE_CUBE_MAP);
    auto call = [](GLenum target, GLenum format) { glCopyTexImage2D(target, 0, format, 0, 0, 4, 4, 0); };
    t.error(GL_INVALID_ENUM, [=] { call(kNoEnum, GL_RGBA); });
    t.error(GL_INVALID_ENUM, [=] { call(GL_TEXTURE_CUBE_MAP, GL_RGBA); });
    t.error(GL_INVALID_ENUM, [=] { call(GL_TEXTURE_2D, kNoEnum); });
    t.error(GL_INVALID_ENUM, [=] { call(GL_TEXTURE_2D, 4); });
    imageSizes(t, [](GLenum target, GLint level, GLsizei width, GLsizei height, GLint border) {
        glCopyTexImage2D(target, level, GL_ALPHA, 0, 0, width, height, border);
    });
    for (GLenum format : {GL_ALPHA, GL_LUMINANCE, GL_LUMINANCE_ALPHA, GL_RGB, GL_RGBA})
        t.fine([=] { call(GL_TEXTURE_2D, format); });
    for (GLenum face : kFaces) t.fine([=] { call(face, GL_RGBA); });
    {  // Table 3.9: a framebuffer without alpha can make neither ALPHA nor anything that has it.
        tessera::gles_test::ColorTarget target(GL_RGB565, 4, 4);
        for (GLenum format : {GL_ALPHA, GL_LUMINANCE_ALPHA, GL_RGBA})
            t.error(GL_INVALID_OPERATION, [=] { call(GL_TEXTURE_2D, format); });
        for (GLenum format : {GL_LUMINANCE, GL_RGB}) t.fine([=] { call(GL_TEXTURE_2D, format); });
    }
    bindIncompleteFramebuffer();
    t.error(GL_INVALID_FRAMEBUFFER_OPERATION, [=] { call(GL_TEXTURE_2D, GL_RGBA); });
}

ERROR_TEST(glCopyTexSubImage2D, GL_INVALID_ENUM, GL_INVALID_VALUE, GL_INVALID_OPERATION,
           GL_INVALID_FRAMEBUFFER_OPERATION) {
    bindTexture(GL_TEXTURE_2D);
    auto call = [](GLenum target, GLint level, GLint x, GLint y, GLsizei width, GLsizei height) {
        glCopyTexSubImage2D(target, level, x, y, 0, 0, width, height);
    };
    t.error(GL_INVALID_OPERATION, [=] { call(GL_TEXTURE_2D, 0, 0, 0, 1, 1); });
    image(GL_TEXTURE_2D, 0, GL_RGBA, 8);
    t.error(GL_INVALID_OPERATION, [=] { call(GL_TEXTURE_2D, 1, 0, 0, 1, 1); });
    t.error(GL_INVALID_ENUM, [=] { call(kNoEnum, 0, 0, 0, 1, 1); });
    t.error(GL_INVALID_ENUM, [=] { call(GL_TEXTURE_CUBE_MAP, 0, 0, 0, 1, 1); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, -1, 0, 0, 1, 1); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, 15, 0, 0, 1, 1); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, 0, -1, 0, 1, 1); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, 0, 0, -1, 1, 1); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, 0, 0, 0, -1, 1); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, 0, 0, 0, 1, -1); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, 0, 5, 0, 4, 1); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, 0, 0, 8, 1, 1); });
    t.fine([=] { call(GL_TEXTURE_2D, 0, 0, 0, 8, 8); });
    {
        tessera::gles_test::ColorTarget target(GL_RGB565, 4, 4);
        t.error(GL_INVALID_OPERATION, [=] { call(GL_TEXTURE_2D, 0, 0, 0, 1, 1); });
    }
    bindIncompleteFramebuffer();
    t.error(GL_INVALID_FRAMEBUFFER_OPERATION, [=] { call(GL_TEXTURE_2D, 0, 0, 0, 1, 1); });
}

ERROR_TEST(glCompressedTexImage2D, GL_INVALID_ENUM, GL_INVALID_VALUE, GL_INVALID_OPERATION) {
    static const uint8_t data[64] = {};
    bindTexture(GL_TEXTURE_2D);
    bindTexture(GL_TEXTURE_CUBE_MAP);
    auto call = [](GLenum target, GLenum format, GLint level, GLsizei width, GLsizei height, GLint border,
                   GLsizei size) { glCompressedTexImage2D(target, level, format, width, height, border, size, data); };
    constexpr GLenum kEtc1 = 0x8D64;
    for (GLenum format : {kNoEnum, GLenum{GL_RGBA}, GLenum{0x9999}})
        t.error(GL_INVALID_ENUM, [=] { call(GL_TEXTURE_2D, format, 0, 4, 4, 0, 8); });
    t.error(GL_INVALID_ENUM, [=] { call(kNoEnum, kEtc1, 0, 4, 4, 0, 8); });
    t.error(GL_INVALID_ENUM, [=] { call(GL_TEXTURE_CUBE_MAP, kEtc1, 0, 4, 4, 0, 8); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, kEtc1, -1, 4, 4, 0, 8); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, kEtc1, 15, 4, 4, 0, 8); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, kEtc1, 0, -4, 4, 0, 8); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, kEtc1, 0, 4, 5000, 0, 8); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, kEtc1, 0, 4, 4, 1, 8); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, kEtc1, 0, 4, 4, 0, 7); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_CUBE_MAP_POSITIVE_X, kEtc1, 0, 4, 8, 0, 16); });
    t.fine([=] { call(GL_TEXTURE_2D, kEtc1, 0, 4, 4, 0, 8); });
    t.fine([=] { call(GL_TEXTURE_CUBE_MAP_NEGATIVE_Z, kEtc1, 12, 1, 1, 0, 8); });
    glTexStorage2DEXT(GL_TEXTURE_2D, 1, GL_RGBA8_OES, 4, 4);
    t.error(GL_INVALID_OPERATION, [=] { call(GL_TEXTURE_2D, kEtc1, 0, 4, 4, 0, 8); });
}

ERROR_TEST(glCompressedTexSubImage2D, GL_INVALID_ENUM, GL_INVALID_VALUE, GL_INVALID_OPERATION) {
    static const uint8_t data[64] = {};
    constexpr GLenum kEtc1 = 0x8D64;
    bindTexture(GL_TEXTURE_2D);
    auto call = [](GLenum target, GLenum format, GLint x, GLint y, GLsizei width, GLsizei height, GLsizei size) {
        glCompressedTexSubImage2D(target, 0, x, y, width, height, format, size, data);
    };
    t.error(GL_INVALID_OPERATION, [=] { call(GL_TEXTURE_2D, kEtc1, 0, 0, 4, 4, 8); });
    image(GL_TEXTURE_2D, 0, GL_RGB, 8);
    t.error(GL_INVALID_OPERATION, [=] { call(GL_TEXTURE_2D, kEtc1, 0, 0, 4, 4, 8); });
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, kEtc1, 8, 8, 0, 32, data);
    for (GLenum format : {kNoEnum, GLenum{GL_RGBA}, GLenum{0x9999}})
        t.error(GL_INVALID_ENUM, [=] { call(GL_TEXTURE_2D, format, 0, 0, 4, 4, 8); });
    t.error(GL_INVALID_ENUM, [=] { call(kNoEnum, kEtc1, 0, 0, 4, 4, 8); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, kEtc1, -4, 0, 4, 4, 8); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, kEtc1, 8, 0, 4, 4, 8); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_TEXTURE_2D, kEtc1, 0, 0, 4, 4, 16); });
    t.error(GL_INVALID_OPERATION, [=] { call(GL_TEXTURE_2D, kEtc1, 2, 0, 4, 4, 8); });
    t.error(GL_INVALID_OPERATION, [=] { call(GL_TEXTURE_2D, kEtc1, 0, 0, 4, 3, 8); });
    t.error(GL_INVALID_OPERATION, [=] { call(GL_TEXTURE_2D, 0x83F0, 0, 0, 4, 4, 8); });
    t.fine([=] { call(GL_TEXTURE_2D, kEtc1, 4, 4, 4, 4, 8); });
}

ERROR_TEST(glGenerateMipmap, GL_INVALID_ENUM, GL_INVALID_OPERATION) {
    bindTexture(GL_TEXTURE_2D);
    bindTexture(GL_TEXTURE_CUBE_MAP);
    t.error(GL_INVALID_ENUM, [] { glGenerateMipmap(kNoEnum); });
    t.error(GL_INVALID_ENUM, [] { glGenerateMipmap(GL_TEXTURE_CUBE_MAP_POSITIVE_X); });
    // Level 0 is still undefined: its size 0 x 0 is no power of two.
    t.error(GL_INVALID_OPERATION, [] { glGenerateMipmap(GL_TEXTURE_2D); });
    t.error(GL_INVALID_OPERATION, [] { glGenerateMipmap(GL_TEXTURE_CUBE_MAP); });
    image(GL_TEXTURE_2D, 0, GL_RGBA, 8);
    t.fine([] { glGenerateMipmap(GL_TEXTURE_2D); });
    for (GLenum face : kFaces) image(face, 0, GL_RGBA, 8);
    t.fine([] { glGenerateMipmap(GL_TEXTURE_CUBE_MAP); });
    image(GL_TEXTURE_CUBE_MAP_NEGATIVE_Y, 0, GL_RGBA, 4);
    t.error(GL_INVALID_OPERATION, [] { glGenerateMipmap(GL_TEXTURE_CUBE_MAP); });
    image(GL_TEXTURE_CUBE_MAP_NEGATIVE_Y, 0, GL_RGB, 8);
    t.error(GL_INVALID_OPERATION, [] { glGenerateMipmap(GL_TEXTURE_CUBE_MAP); });
}
