// Errors of framebuffers, renderbuffers, clears, reads and draws (sections 2.8, 4.2.3, 4.3.1, 4.4).
#include "tests/gles/api_test.h"

using tessera::gles_test::ColorTarget;

namespace {

constexpr GLenum kNoEnum = 0x12345;

GLuint bindFramebuffer() {
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    return framebuffer;
}

GLuint bindRenderbuffer() {
    GLuint renderbuffer = 0;
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    return renderbuffer;
}

GLuint bindTexture(GLenum target) {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(target, texture);
    return texture;
}

}  // namespace

ERROR_TEST(glGenFramebuffers, GL_INVALID_VALUE) {
    GLuint name = 7;
    t.error(GL_INVALID_VALUE, [&] { glGenFramebuffers(-1, &name); });
    CHECK(name == 7);
    t.fine([&] { glGenFramebuffers(1, &name); });
}

ERROR_TEST(glDeleteFramebuffers, GL_INVALID_VALUE) {
    GLuint name = bindFramebuffer();
    t.error(GL_INVALID_VALUE, [&] { glDeleteFramebuffers(-1, &name); });
    CHECK(glIsFramebuffer(name) == GL_TRUE);
    const GLuint silent[] = {0, 987654, name};
    t.fine([&] { glDeleteFramebuffers(3, silent); });
    CHECK(glIsFramebuffer(name) == GL_FALSE);
}

ERROR_TEST(glIsFramebuffer) {
    t.fine([] { CHECK(glIsFramebuffer(0) == GL_FALSE); });
    t.fine([] { CHECK(glIsFramebuffer(987654) == GL_FALSE); });
}

ERROR_TEST(glBindFramebuffer, GL_INVALID_ENUM) {
    t.error(GL_INVALID_ENUM, [] { glBindFramebuffer(kNoEnum, 1); });
    t.error(GL_INVALID_ENUM, [] { glBindFramebuffer(GL_RENDERBUFFER, 0); });
    CHECK(glIsFramebuffer(1) == GL_FALSE);
    t.fine([] { glBindFramebuffer(GL_FRAMEBUFFER, 77); });
    t.fine([] { glBindFramebuffer(GL_FRAMEBUFFER, 0); });
}

ERROR_TEST(glGenRenderbuffers, GL_INVALID_VALUE) {
    GLuint name = 7;
    t.error(GL_INVALID_VALUE, [&] { glGenRenderbuffers(-1, &name); });
    CHECK(name == 7);
    t.fine([&] { glGenRenderbuffers(1, &name); });
}

ERROR_TEST(glDeleteRenderbuffers, GL_INVALID_VALUE) {
    GLuint name = bindRenderbuffer();
    t.error(GL_INVALID_VALUE, [&] { glDeleteRenderbuffers(-1, &name); });
    CHECK(glIsRenderbuffer(name) == GL_TRUE);
    const GLuint silent[] = {0, 987654, name};
    t.fine([&] { glDeleteRenderbuffers(3, silent); });
    CHECK(glIsRenderbuffer(name) == GL_FALSE);
}

ERROR_TEST(glIsRenderbuffer) {
    t.fine([] { CHECK(glIsRenderbuffer(0) == GL_FALSE); });
    t.fine([] { CHECK(glIsRenderbuffer(987654) == GL_FALSE); });
}

ERROR_TEST(glBindRenderbuffer, GL_INVALID_ENUM) {
    t.error(GL_INVALID_ENUM, [] { glBindRenderbuffer(kNoEnum, 1); });
    t.error(GL_INVALID_ENUM, [] { glBindRenderbuffer(GL_FRAMEBUFFER, 0); });
    CHECK(glIsRenderbuffer(1) == GL_FALSE);
    t.fine([] { glBindRenderbuffer(GL_RENDERBUFFER, 77); });
    t.fine([] { glBindRenderbuffer(GL_RENDERBUFFER, 0); });
}

ERROR_TEST(glRenderbufferStorage, GL_INVALID_ENUM, GL_INVALID_VALUE, GL_INVALID_OPERATION) {
    t.error(GL_INVALID_OPERATION, [] { glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA4, 4, 4); });
    bindRenderbuffer();
    t.error(GL_INVALID_ENUM, [] { glRenderbufferStorage(kNoEnum, GL_RGBA4, 4, 4); });
    for (GLenum format : {kNoEnum, GLenum{GL_RGBA}, GLenum{GL_RGB}, GLenum{GL_DEPTH_COMPONENT}, GLenum{GL_ALPHA}})
        t.error(GL_INVALID_ENUM, [=] { glRenderbufferStorage(GL_RENDERBUFFER, format, 4, 4); });
    t.error(GL_INVALID_VALUE, [] { glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA4, -1, 4); });
    t.error(GL_INVALID_VALUE, [] { glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA4, 4, -1); });
    t.error(GL_INVALID_VALUE, [] { glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA4, 16385, 4); });
    t.error(GL_INVALID_VALUE, [] { glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA4, 4, 16385); });
    for (GLenum format : {GL_RGBA4, GL_RGB5_A1, GL_RGB565, GL_DEPTH_COMPONENT16, GL_STENCIL_INDEX8})
        t.fine([=] { glRenderbufferStorage(GL_RENDERBUFFER, format, 4, 4); });
    t.fine([] { glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA4, 0, 0); });
    t.fine([] { glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA4, 16384, 1); });
}

ERROR_TEST(glGetRenderbufferParameteriv, GL_INVALID_ENUM, GL_INVALID_OPERATION) {
    GLint value = 7;
    auto call = [&](GLenum target, GLenum pname) { glGetRenderbufferParameteriv(target, pname, &value); };
    t.error(GL_INVALID_OPERATION, [&] { call(GL_RENDERBUFFER, GL_RENDERBUFFER_WIDTH); });
    bindRenderbuffer();
    t.error(GL_INVALID_ENUM, [&] { call(kNoEnum, GL_RENDERBUFFER_WIDTH); });
    t.error(GL_INVALID_ENUM, [&] { call(GL_RENDERBUFFER, kNoEnum); });
    CHECK(value == 7);
    for (GLenum pname : {GL_RENDERBUFFER_WIDTH, GL_RENDERBUFFER_HEIGHT, GL_RENDERBUFFER_INTERNAL_FORMAT,
                         GL_RENDERBUFFER_RED_SIZE, GL_RENDERBUFFER_GREEN_SIZE, GL_RENDERBUFFER_BLUE_SIZE,
                         GL_RENDERBUFFER_ALPHA_SIZE, GL_RENDERBUFFER_DEPTH_SIZE, GL_RENDERBUFFER_STENCIL_SIZE})
        t.fine([&] { call(GL_RENDERBUFFER, pname); });
}

ERROR_TEST(glCheckFramebufferStatus, GL_INVALID_ENUM) {
    t.error(GL_INVALID_ENUM, [] { CHECK(glCheckFramebufferStatus(kNoEnum) == 0); });
    t.fine([] { CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE); });
}

ERROR_TEST(glFramebufferRenderbuffer, GL_INVALID_ENUM, GL_INVALID_OPERATION) {
    GLuint renderbuffer = bindRenderbuffer(), reserved = 0;
    glGenRenderbuffers(1, &reserved);
    auto call = [](GLenum target, GLenum attachment, GLenum rbTarget, GLuint name) {
        glFramebufferRenderbuffer(target, attachment, rbTarget, name);
    };
    // The default framebuffer has no attachments.
    t.error(GL_INVALID_OPERATION, [=] { call(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer); });
    t.error(GL_INVALID_OPERATION, [=] { call(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, 0); });
    bindFramebuffer();
    t.error(GL_INVALID_ENUM, [=] { call(kNoEnum, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer); });
    t.error(GL_INVALID_ENUM, [=] { call(GL_FRAMEBUFFER, kNoEnum, GL_RENDERBUFFER, renderbuffer); });
    t.error(GL_INVALID_ENUM, [=] { call(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + 4, GL_RENDERBUFFER, renderbuffer); });
    t.error(GL_INVALID_ENUM, [=] { call(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, kNoEnum, renderbuffer); });
    t.error(GL_INVALID_OPERATION, [=] { call(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, 987654); });
    t.error(GL_INVALID_OPERATION, [=] { call(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, reserved); });
    for (GLenum attachment : {GL_COLOR_ATTACHMENT0, GL_DEPTH_ATTACHMENT, GL_STENCIL_ATTACHMENT}) {
        t.fine([=] { call(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, renderbuffer); });
        t.fine([=] { call(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, 0); });
    }
}

ERROR_TEST(glFramebufferTexture2D, GL_INVALID_ENUM, GL_INVALID_VALUE, GL_INVALID_OPERATION) {
    GLuint flat = bindTexture(GL_TEXTURE_2D), cube = bindTexture(GL_TEXTURE_CUBE_MAP), reserved = 0;
    glGenTextures(1, &reserved);
    auto call = [](GLenum attachment, GLenum textarget, GLuint name, GLint level) {
        glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, textarget, name, level);
    };
    t.error(GL_INVALID_OPERATION, [=] { call(GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, flat, 0); });
    t.error(GL_INVALID_OPERATION, [=] { call(GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0); });
    bindFramebuffer();
    t.error(GL_INVALID_ENUM, [=] { glFramebufferTexture2D(kNoEnum, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, flat, 0); });
    t.error(GL_INVALID_ENUM, [=] { call(kNoEnum, GL_TEXTURE_2D, flat, 0); });
    t.error(GL_INVALID_ENUM, [=] { call(GL_COLOR_ATTACHMENT0, kNoEnum, flat, 0); });
    t.error(GL_INVALID_ENUM, [=] { call(GL_COLOR_ATTACHMENT0, GL_TEXTURE_CUBE_MAP, cube, 0); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, flat, 15); });
    t.error(GL_INVALID_VALUE, [=] { call(GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, flat, -1); });
    t.error(GL_INVALID_OPERATION, [=] { call(GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 987654, 0); });
    t.error(GL_INVALID_OPERATION, [=] { call(GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, reserved, 0); });
    t.error(GL_INVALID_OPERATION, [=] { call(GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, cube, 0); });
    t.error(GL_INVALID_OPERATION, [=] { call(GL_COLOR_ATTACHMENT0, GL_TEXTURE_CUBE_MAP_NEGATIVE_Z, flat, 0); });
    t.fine([=] { call(GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, flat, 0); });
    t.fine([=] { call(GL_COLOR_ATTACHMENT0, GL_TEXTURE_CUBE_MAP_NEGATIVE_Z, cube, 0); });
    t.fine([=] { call(GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0); });
}

ERROR_TEST(glGetFramebufferAttachmentParameteriv, GL_INVALID_ENUM, GL_INVALID_OPERATION) {
    GLint value = 7;
    auto call = [&](GLenum target, GLenum attachment, GLenum pname) {
        glGetFramebufferAttachmentParameteriv(target, attachment, pname, &value);
    };
    constexpr GLenum kType = GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, kName = GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME;
    constexpr GLenum kLevel = GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL;
    constexpr GLenum kFace = GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE;
    t.error(GL_INVALID_OPERATION, [&] { call(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, kType); });
    bindFramebuffer();
    t.error(GL_INVALID_ENUM, [&] { call(kNoEnum, GL_COLOR_ATTACHMENT0, kType); });
    t.error(GL_INVALID_ENUM, [&] { call(GL_FRAMEBUFFER, kNoEnum, kType); });
    t.error(GL_INVALID_ENUM, [&] { call(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, kNoEnum); });
    // With nothing attached only the type can be asked for; with a renderbuffer neither level nor face.
    for (GLenum pname : {kName, kLevel, kFace})
        t.error(GL_INVALID_ENUM, [&] { call(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, pname); });
    CHECK(value == 7);
    t.fine([&] { call(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, kType); });
    CHECK(value == GL_NONE);
    GLuint renderbuffer = bindRenderbuffer();
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, renderbuffer);
    for (GLenum pname : {kLevel, kFace})
        t.error(GL_INVALID_ENUM, [&] { call(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, pname); });
    for (GLenum pname : {kType, kName}) t.fine([&] { call(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, pname); });
    CHECK(value == static_cast<GLint>(renderbuffer));
}

ERROR_TEST(glClear, GL_INVALID_VALUE, GL_INVALID_FRAMEBUFFER_OPERATION) {
    t.error(GL_INVALID_VALUE, [] { glClear(GL_COLOR_BUFFER_BIT | 1); });
    t.error(GL_INVALID_VALUE, [] { glClear(0x0200 /* ACCUM_BUFFER_BIT */); });
    t.error(GL_INVALID_VALUE, [] { glClear(~0u); });
    t.fine([] { glClear(0); });
    t.fine([] { glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT); });
    bindFramebuffer();
    t.error(GL_INVALID_FRAMEBUFFER_OPERATION, [] { glClear(GL_COLOR_BUFFER_BIT); });
}

ERROR_TEST(glReadPixels, GL_INVALID_ENUM, GL_INVALID_VALUE, GL_INVALID_OPERATION, GL_INVALID_FRAMEBUFFER_OPERATION) {
    uint8_t pixels[64] = {7};
    auto call = [&](GLsizei width, GLsizei height, GLenum format, GLenum type) {
        glReadPixels(0, 0, width, height, format, type, pixels);
    };
    t.error(GL_INVALID_ENUM, [&] { call(1, 1, kNoEnum, GL_UNSIGNED_BYTE); });
    t.error(GL_INVALID_ENUM, [&] { call(1, 1, GL_RGBA, kNoEnum); });
    t.error(GL_INVALID_VALUE, [&] { call(-1, 1, GL_RGBA, GL_UNSIGNED_BYTE); });
    t.error(GL_INVALID_VALUE, [&] { call(1, -1, GL_RGBA, GL_UNSIGNED_BYTE); });
    t.error(GL_INVALID_OPERATION, [&] { call(1, 1, GL_RGBA, GL_UNSIGNED_SHORT_5_6_5); });
    t.error(GL_INVALID_OPERATION, [&] { call(1, 1, GL_ALPHA, GL_UNSIGNED_BYTE); });
    t.error(GL_INVALID_OPERATION, [&] { call(1, 1, GL_RGB, GL_UNSIGNED_SHORT_4_4_4_4); });
    CHECK(pixels[0] == 7);
    t.fine([&] { call(1, 1, GL_RGBA, GL_UNSIGNED_BYTE); });
    t.fine([&] { call(0, 0, GL_RGBA, GL_UNSIGNED_BYTE); });
    GLint format = 0, type = 0;
    glGetIntegerv(GL_IMPLEMENTATION_COLOR_READ_FORMAT, &format);
    glGetIntegerv(GL_IMPLEMENTATION_COLOR_READ_TYPE, &type);
    t.fine([&] { call(1, 1, static_cast<GLenum>(format), static_cast<GLenum>(type)); });
    bindFramebuffer();
    t.error(GL_INVALID_FRAMEBUFFER_OPERATION, [&] { call(1, 1, GL_RGBA, GL_UNSIGNED_BYTE); });
}

ERROR_TEST(glDrawArrays, GL_INVALID_ENUM, GL_INVALID_VALUE, GL_INVALID_FRAMEBUFFER_OPERATION) {
    t.error(GL_INVALID_ENUM, [] { glDrawArrays(kNoEnum, 0, 3); });
    t.error(GL_INVALID_ENUM, [] { glDrawArrays(GL_TRIANGLE_FAN + 1, 0, 3); });
    t.error(GL_INVALID_VALUE, [] { glDrawArrays(GL_TRIANGLES, 0, -1); });
    for (GLenum mode = GL_POINTS; mode <= GL_TRIANGLE_FAN; ++mode) t.fine([=] { glDrawArrays(mode, 0, 0); });
    t.fine([] { glDrawArrays(GL_TRIANGLES, 0, 3); });  // no program: undefined, but no error
    bindFramebuffer();
    t.error(GL_INVALID_FRAMEBUFFER_OPERATION, [] { glDrawArrays(GL_TRIANGLES, 0, 3); });
}

ERROR_TEST(glDrawElements, GL_INVALID_ENUM, GL_INVALID_VALUE, GL_INVALID_FRAMEBUFFER_OPERATION) {
    static const GLubyte indices[16] = {};
    t.error(GL_INVALID_ENUM, [] { glDrawElements(kNoEnum, 3, GL_UNSIGNED_BYTE, indices); });
    t.error(GL_INVALID_ENUM, [] { glDrawElements(GL_TRIANGLES, 3, kNoEnum, indices); });
    for (GLenum type : {GL_BYTE, GL_SHORT, GL_INT, GL_FLOAT})
        t.error(GL_INVALID_ENUM, [=] { glDrawElements(GL_TRIANGLES, 3, type, indices); });
    t.error(GL_INVALID_VALUE, [] { glDrawElements(GL_TRIANGLES, -1, GL_UNSIGNED_BYTE, indices); });
    for (GLenum type : {GL_UNSIGNED_BYTE, GL_UNSIGNED_SHORT})
        t.fine([=] { glDrawElements(GL_TRIANGLES, 3, type, indices); });
    t.fine([] { glDrawElements(GL_LINE_LOOP, 0, GL_UNSIGNED_BYTE, nullptr); });
    bindFramebuffer();
    t.error(GL_INVALID_FRAMEBUFFER_OPERATION, [] { glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_BYTE, indices); });
}
