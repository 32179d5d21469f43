// Pbuffers: creation, attributes, swapping, binding to textures (EGL 1.5 sections 3.5, 3.6 and 3.10).
#include <doctest/doctest.h>

#include <cstdlib>

#include "tests/egl/fixture.h"

using namespace egltest;

namespace {

EGLSurface makePbuffer(const DisplayFixture& egl, std::vector<EGLint> attributes, EGLConfig config = nullptr) {
    attributes.push_back(EGL_NONE);
    return eglCreatePbufferSurface(egl.display, config != nullptr ? config : egl.config(), attributes.data());
}

EGLint query(EGLDisplay display, EGLSurface surface, EGLint name) {
    EGLint value = -77;
    CHECK(eglQuerySurface(display, surface, name, &value) == EGL_TRUE);
    return value;
}

}  // namespace

TEST_CASE("a fresh pbuffer has its size and zero contents") {
    DisplayFixture egl;
    EGLSurface surface = egl.pbuffer(21, 13);
    REQUIRE(surface != EGL_NO_SURFACE);
    CHECK(query(egl.display, surface, EGL_WIDTH) == 21);
    CHECK(query(egl.display, surface, EGL_HEIGHT) == 13);
    CHECK(query(egl.display, surface, EGL_CONFIG_ID) == egl.attribute(egl.config(), EGL_CONFIG_ID));
    CHECK(query(egl.display, surface, EGL_RENDER_BUFFER) == EGL_BACK_BUFFER);
    CHECK(query(egl.display, surface, EGL_TEXTURE_FORMAT) == EGL_NO_TEXTURE);
    CHECK(query(egl.display, surface, EGL_GL_COLORSPACE) == EGL_GL_COLORSPACE_LINEAR);
    EGLint value = 0;
    CHECK(eglQuerySurface(egl.display, surface, EGL_RED_SIZE, &value) == EGL_FALSE);
    CHECK(error() == EGL_BAD_ATTRIBUTE);
    eglMakeCurrent(egl.display, surface, surface, egl.context());
    CHECK(pixelAt(20, 12) == Color{0, 0, 0, 0});
}

TEST_CASE("pbuffers of any size") {
    DisplayFixture egl;
    EGLContext context = egl.context();
    for (int size : {0, 1, 3, 4096}) {
        EGLSurface surface = egl.pbuffer(size, 1);
        REQUIRE(surface != EGL_NO_SURFACE);
        CHECK(eglMakeCurrent(egl.display, surface, surface, context) == EGL_TRUE);
        clearTo(1, 0, 0);
        if (size > 0) CHECK(pixelAt(size - 1, 0) == Color{255, 0, 0, 255});
        CHECK(glGetError() == GL_NO_ERROR);
        eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroySurface(egl.display, surface);
    }
    CHECK(egl.pbuffer(-1, 4) == EGL_NO_SURFACE);
    CHECK(error() == EGL_BAD_PARAMETER);
    CHECK(egl.pbuffer(1 << 30, 1 << 30) == EGL_NO_SURFACE);
    CHECK(error() == EGL_BAD_ALLOC);
    EGLSurface largest = makePbuffer(egl, {EGL_WIDTH, 1 << 20, EGL_HEIGHT, 2, EGL_LARGEST_PBUFFER, EGL_TRUE});
    REQUIRE(largest != EGL_NO_SURFACE);
    CHECK(query(egl.display, largest, EGL_WIDTH) == egl.attribute(egl.config(), EGL_MAX_PBUFFER_WIDTH));
    CHECK(query(egl.display, largest, EGL_LARGEST_PBUFFER) == EGL_TRUE);
}

TEST_CASE("pbuffer attributes that contradict each other or the configuration") {
    DisplayFixture egl;
    auto refused = [&](std::vector<EGLint> attributes, EGLint want) {
        attributes.insert(attributes.end(), {EGL_WIDTH, 4, EGL_HEIGHT, 4});
        CHECK(makePbuffer(egl, attributes) == EGL_NO_SURFACE);
        CHECK(error() == want);
    };
    refused({EGL_TEXTURE_FORMAT, EGL_TEXTURE_RGBA}, EGL_BAD_MATCH);
    refused({EGL_TEXTURE_TARGET, EGL_TEXTURE_2D}, EGL_BAD_MATCH);
    refused({EGL_TEXTURE_FORMAT, EGL_TEXTURE_RGB, EGL_TEXTURE_TARGET, EGL_TEXTURE_2D}, EGL_BAD_ATTRIBUTE);
    refused({EGL_TEXTURE_FORMAT, 5}, EGL_BAD_ATTRIBUTE);
    refused({EGL_RED_SIZE, 8}, EGL_BAD_ATTRIBUTE);
    refused({EGL_GL_COLORSPACE, EGL_NONE}, EGL_BAD_ATTRIBUTE);
}

TEST_CASE("surface attributes") {
    DisplayFixture egl;
    EGLSurface surface = egl.pbuffer();
    CHECK(eglSurfaceAttrib(egl.display, surface, EGL_SWAP_BEHAVIOR, EGL_BUFFER_DESTROYED) == EGL_TRUE);
    CHECK(query(egl.display, surface, EGL_SWAP_BEHAVIOR) == EGL_BUFFER_DESTROYED);
    CHECK(eglSurfaceAttrib(egl.display, surface, EGL_MIPMAP_LEVEL, 2) == EGL_TRUE);
    CHECK(query(egl.display, surface, EGL_MIPMAP_LEVEL) == 2);
    CHECK(eglSurfaceAttrib(egl.display, surface, EGL_WIDTH, 2) == EGL_FALSE);
    CHECK(error() == EGL_BAD_ATTRIBUTE);
    CHECK(eglSurfaceAttrib(egl.display, surface, EGL_MULTISAMPLE_RESOLVE, EGL_MULTISAMPLE_RESOLVE_BOX) == EGL_FALSE);
    CHECK(error() == EGL_BAD_MATCH);
}

TEST_CASE("swapping a pbuffer changes nothing, and only the current one can be swapped") {
    DisplayFixture egl;
    EGLSurface surface = egl.pbuffer(), other = egl.pbuffer();
    CHECK(eglSwapBuffers(egl.display, surface) == EGL_FALSE);
    CHECK(error() == EGL_BAD_SURFACE);
    eglMakeCurrent(egl.display, surface, surface, egl.context());
    clearTo(0, 1, 0);
    CHECK(eglSwapBuffers(egl.display, surface) == EGL_TRUE);
    CHECK(pixelAt(2, 2) == Color{0, 255, 0, 255});
    CHECK(eglSwapBuffers(egl.display, other) == EGL_FALSE);
    CHECK(error() == EGL_BAD_SURFACE);
    CHECK(eglSwapInterval(egl.display, 1000) == EGL_TRUE);
    CHECK(eglCopyBuffers(egl.display, surface, 5) == EGL_FALSE);
    CHECK(error() == EGL_BAD_NATIVE_PIXMAP);
}

TEST_CASE("a pbuffer is a texture while it is bound to one") {
    DisplayFixture egl;
    EGLSurface bound = makePbuffer(
        egl, {EGL_WIDTH, 4, EGL_HEIGHT, 4, EGL_TEXTURE_FORMAT, EGL_TEXTURE_RGBA, EGL_TEXTURE_TARGET, EGL_TEXTURE_2D});
    REQUIRE(bound != EGL_NO_SURFACE);
    EGLContext context = egl.context();
    eglMakeCurrent(egl.display, bound, bound, context);
    clearTo(1, 0, 1, 1);
    EGLSurface target = egl.pbuffer();
    eglMakeCurrent(egl.display, target, target, context);
    GLuint texture = 0, framebuffer = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    CHECK(eglBindTexImage(egl.display, bound, EGL_BACK_BUFFER) == EGL_TRUE);
    // The texture can be attached and read: level 0 is the pbuffer.
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    CHECK(pixelAt(3, 3) == Color{255, 0, 255, 255});
    CHECK(eglBindTexImage(egl.display, bound, EGL_BACK_BUFFER) == EGL_FALSE);
    CHECK(error() == EGL_BAD_ACCESS);
    CHECK(eglReleaseTexImage(egl.display, bound, EGL_BACK_BUFFER) == EGL_TRUE);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    // Respecifying the texture ends it as well.
    CHECK(eglBindTexImage(egl.display, bound, EGL_BACK_BUFFER) == EGL_TRUE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    CHECK(eglBindTexImage(egl.display, bound, EGL_BACK_BUFFER) == EGL_TRUE);
    CHECK(eglBindTexImage(egl.display, bound, EGL_SINGLE_BUFFER) == EGL_FALSE);
    CHECK(error() == EGL_BAD_PARAMETER);
    CHECK(eglBindTexImage(egl.display, target, EGL_BACK_BUFFER) == EGL_FALSE);
    CHECK(error() == EGL_BAD_MATCH);
}

TEST_CASE("a pbuffer without alpha is bound as an RGBA texture too: alpha is 1") {
    DisplayFixture egl;
    const EGLConfig opaque = egl.choose({EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RED_SIZE, 8, EGL_ALPHA_SIZE, 0});
    REQUIRE(egl.attribute(opaque, EGL_ALPHA_SIZE) == 0);
    for (const EGLint format : {EGL_TEXTURE_RGB, EGL_TEXTURE_RGBA}) {
        const EGLint attributes[] = {
            EGL_WIDTH, 4, EGL_HEIGHT, 4, EGL_TEXTURE_FORMAT, format, EGL_TEXTURE_TARGET, EGL_TEXTURE_2D, EGL_NONE};
        const EGLSurface surface = eglCreatePbufferSurface(egl.display, opaque, attributes);
        REQUIRE(surface != EGL_NO_SURFACE);
        CHECK(query(egl.display, surface, EGL_TEXTURE_FORMAT) == format);
        const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
        const EGLContext drawing = eglCreateContext(egl.display, opaque, EGL_NO_CONTEXT, version);
        REQUIRE(eglMakeCurrent(egl.display, surface, surface, drawing) == EGL_TRUE);
        clearTo(0.2f, 1, 0, 0);
        const EGLSurface target = egl.pbuffer(4, 4);
        REQUIRE(eglMakeCurrent(egl.display, target, target, egl.context()) == EGL_TRUE);
        GLuint texture = 0;
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        REQUIRE(eglBindTexImage(egl.display, surface, EGL_BACK_BUFFER) == EGL_TRUE);
        glUseProgram(program("attribute vec4 position; void main() { gl_Position = position; }",
                             "uniform sampler2D image; void main() { gl_FragColor = texture2D(image, vec2(0.5)); }"));
        const GLfloat corners[] = {-1, -1, 3, -1, -1, 3};
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
        glEnableVertexAttribArray(0);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        CHECK(pixelAt(1, 1) == Color{51, 255, 0, 255});
        eglReleaseTexImage(egl.display, surface, EGL_BACK_BUFFER);
        eglDestroyContext(egl.display, drawing);
    }
}

TEST_CASE("EGL_KHR_gl_colorspace: what is drawn to an sRGB surface is encoded") {
    DisplayFixture egl;
    CHECK(contains(eglQueryString(egl.display, EGL_EXTENSIONS), "EGL_KHR_gl_colorspace"));
    for (EGLint space : {EGL_GL_COLORSPACE_LINEAR, EGL_GL_COLORSPACE_SRGB}) {
        const bool encoded = space == EGL_GL_COLORSPACE_SRGB;
        EGLSurface surface =
            makePbuffer(egl, {EGL_WIDTH, 4, EGL_HEIGHT, 4, EGL_GL_COLORSPACE, space, EGL_TEXTURE_FORMAT,
                              EGL_TEXTURE_RGBA, EGL_TEXTURE_TARGET, EGL_TEXTURE_2D});
        REQUIRE(surface != EGL_NO_SURFACE);
        CHECK(query(egl.display, surface, EGL_GL_COLORSPACE) == space);
        EGLContext context = egl.context();
        REQUIRE(eglMakeCurrent(egl.display, surface, surface, context) == EGL_TRUE);
        clearTo(0.5f, 0.2f, 1, 0.5f);
        // 0.5 is 188 and 0.2 is 124 in sRGB; alpha stays as it is.
        CHECK(pixelAt(1, 1) == (encoded ? Color{188, 124, 255, 128} : Color{128, 51, 255, 128}));
        // As a texture it is decoded: drawn into a linear surface, the colour is what it was.
        EGLSurface target = egl.pbuffer(4, 4);
        eglMakeCurrent(egl.display, target, target, context);
        GLuint texture = 0;
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        REQUIRE(eglBindTexImage(egl.display, surface, EGL_BACK_BUFFER) == EGL_TRUE);
        glUseProgram(program("attribute vec4 position; void main() { gl_Position = position; }",
                             "uniform sampler2D image; void main() { gl_FragColor = texture2D(image, vec2(0.5)); }"));
        const GLfloat corners[] = {-1, -1, 3, -1, -1, 3};
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
        glEnableVertexAttribArray(0);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        CHECK(std::abs(pixelAt(1, 1)[0] - 128) <= 1);
        CHECK(std::abs(pixelAt(1, 1)[1] - 51) <= 1);
        CHECK(pixelAt(1, 1)[3] == 128);
        eglReleaseTexImage(egl.display, surface, EGL_BACK_BUFFER);
    }
    // Only eight bits are encoded.
    EGLConfig small = egl.choose({EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_CONFIG_ID, EGL_DONT_CARE});
    REQUIRE(egl.attribute(small, EGL_RED_SIZE) < 8);
    const EGLint srgb[] = {EGL_WIDTH, 4, EGL_HEIGHT, 4, EGL_GL_COLORSPACE, EGL_GL_COLORSPACE_SRGB, EGL_NONE};
    CHECK(eglCreatePbufferSurface(egl.display, small, srgb) == EGL_NO_SURFACE);
    CHECK(error() == EGL_BAD_MATCH);
}
