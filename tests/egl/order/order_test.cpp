// The order of what several contexts do is that of the calls, whichever context makes them (OpenGL ES 2.0.25 appendix
// C, EGL 1.5 sections 3.6, 3.9 and 3.10).
#include <doctest/doctest.h>

#include <thread>
#include <type_traits>

#include "tests/egl/fixture.h"

using namespace egltest;

namespace {

/// A pbuffer that can be bound to a texture, and two contexts of one share group.
struct BoundSurface : DisplayFixture {
    EGLSurface source, target = pbuffer(4, 4);
    EGLContext first = context(), second = context(first);
    GLuint texture = 0;

    BoundSurface() {
        const EGLint attributes[] = {
            EGL_WIDTH,      4,       EGL_HEIGHT, 4, EGL_TEXTURE_FORMAT, EGL_TEXTURE_RGBA, EGL_TEXTURE_TARGET,
            EGL_TEXTURE_2D, EGL_NONE};
        source = eglCreatePbufferSurface(display, config(), attributes);
        makeCurrent(source, first);
        clearTo(0, 1, 0);
        makeCurrent(target, first);
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        REQUIRE(eglBindTexImage(display, source, EGL_BACK_BUFFER) == EGL_TRUE);
    }
    void makeCurrent(EGLSurface surface, EGLContext context) const {
        REQUIRE(eglMakeCurrent(display, surface, surface, context) == EGL_TRUE);
    }
    /// What a draw with the texture gives.
    [[nodiscard]] Color sampled() const {
        static constexpr GLfloat corners[] = {-1, -1, 3, -1, -1, 3};
        glBindTexture(GL_TEXTURE_2D, texture);
        glUseProgram(program("attribute vec4 position; void main() { gl_Position = position; }",
                             "uniform sampler2D image; void main() { gl_FragColor = texture2D(image, vec2(0.5)); }"));
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
        glEnableVertexAttribArray(0);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        return pixelAt(1, 1);
    }
};

constexpr Color kGreen = {0, 255, 0, 255}, kBlack = {0, 0, 0, 255};

}  // namespace

TEST_CASE("draws after eglReleaseTexImage do not see the surface") {
    BoundSurface egl;
    GLuint corners = 0;
    static constexpr GLfloat kCorners[] = {-1, -1, 3, -1, -1, 3};
    glGenBuffers(1, &corners);
    glBindBuffer(GL_ARRAY_BUFFER, corners);
    glBufferData(GL_ARRAY_BUFFER, sizeof kCorners, kCorners, GL_STATIC_DRAW);
    glUseProgram(program("attribute vec4 position; void main() { gl_Position = position; }",
                         "uniform sampler2D image; void main() { gl_FragColor = texture2D(image, vec2(0.5)); }"));
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);
    // Nothing of GL's state changes between the draws.
    glDrawArrays(GL_TRIANGLES, 0, 3);
    CHECK(eglReleaseTexImage(egl.display, egl.source, EGL_BACK_BUFFER) == EGL_TRUE);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    CHECK(pixelAt(1, 1) == kBlack);
}

TEST_CASE("a surface stays bound to a shared texture when the context that bound it is gone") {
    BoundSurface egl;
    egl.makeCurrent(egl.target, egl.second);
    CHECK(eglDestroyContext(egl.display, egl.first) == EGL_TRUE);
    CHECK(egl.sampled() == kGreen);
    CHECK(eglBindTexImage(egl.display, egl.source, EGL_BACK_BUFFER) == EGL_FALSE);
    CHECK(error() == EGL_BAD_ACCESS);
    CHECK(eglReleaseTexImage(egl.display, egl.source, EGL_BACK_BUFFER) == EGL_TRUE);
    CHECK(egl.sampled() == kBlack);
}

TEST_CASE("an image holds what its source's context drew on another thread before") {
    DisplayFixture egl;
    EGLContext drawing = egl.context(), used = egl.context();
    EGLSurface surface = egl.pbuffer(4, 4), other = egl.pbuffer(4, 4);
    auto* toTexture =
        reinterpret_cast<PFNGLEGLIMAGETARGETTEXTURE2DOESPROC>(eglGetProcAddress("glEGLImageTargetTexture2DOES"));
    REQUIRE(eglMakeCurrent(egl.display, surface, surface, drawing) == EGL_TRUE);
    GLuint texture = 0, framebuffer = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    clearTo(0, 1, 0);
    Color seen{};
    std::thread([&] {
        eglMakeCurrent(egl.display, other, other, used);
        EGLImage image = eglCreateImage(egl.display, drawing, EGL_GL_TEXTURE_2D,
                                        reinterpret_cast<EGLClientBuffer>(static_cast<uintptr_t>(texture)), nullptr);
        GLuint sibling = 0, reading = 0;
        glGenTextures(1, &sibling);
        glBindTexture(GL_TEXTURE_2D, sibling);
        toTexture(GL_TEXTURE_2D, image);
        glGenFramebuffers(1, &reading);
        glBindFramebuffer(GL_FRAMEBUFFER, reading);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, sibling, 0);
        seen = pixelAt(1, 1);
        eglReleaseThread();
    }).join();
    CHECK(seen == kGreen);
}

namespace {

/// Two contexts that do not share, each with a surface of its own.
struct TwoGroups : DisplayFixture {
    EGLContext one = context(), other = context();
    EGLSurface surface = pbuffer(kSize, kSize), otherSurface = pbuffer(kSize, kSize);
    static constexpr int kSize = 64;

    void makeCurrent(EGLSurface drawn, EGLContext context) const {
        REQUIRE(eglMakeCurrent(display, drawn, drawn, context) == EGL_TRUE);
    }
    /// Green all over, and it takes long.
    static void drawSlowly() {
        static constexpr GLfloat corners[] = {-1, -1, 3, -1, -1, 3};
        glUseProgram(program("attribute vec4 position; void main() { gl_Position = position; }",
                             "uniform mediump float none; void main() { highp float x = 0.0;"
                             "for (highp float i = 0.0; i < 20000.0; i += 1.0) x += none * gl_FragCoord.x;"
                             "gl_FragColor = vec4(x, 1.0, x, 1.0); }"));
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
        glEnableVertexAttribArray(0);
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }
    /// A framebuffer of that texture, or of a renderbuffer, is bound.
    static void bindFramebuffer(GLuint texture, GLuint renderbuffer = 0) {
        GLuint framebuffer = 0;
        glGenFramebuffers(1, &framebuffer);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        if (texture != 0)
            glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
        else
            glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
        REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    }
    static GLuint boundTexture() {
        GLuint texture = 0;
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        return texture;
    }
    [[nodiscard]] EGLImage imageOf(EGLenum target, GLuint name) const {
        EGLImage image = eglCreateImage(display, one, target,
                                        reinterpret_cast<EGLClientBuffer>(static_cast<uintptr_t>(name)), nullptr);
        REQUIRE(image != EGL_NO_IMAGE);
        return image;
    }
    /// The last pixel that is drawn, as tiles go from the lower left.
    static Color lastPixel() { return pixelAt(kSize - 1, kSize - 1); }
};

}  // namespace

TEST_CASE("contexts that do not share see what another one's long draw did to an image of both") {
    TwoGroups egl;
    auto* toTexture =
        extension<std::remove_pointer_t<PFNGLEGLIMAGETARGETTEXTURE2DOESPROC>>("glEGLImageTargetTexture2DOES");
    auto* toRenderbuffer = extension<std::remove_pointer_t<PFNGLEGLIMAGETARGETRENDERBUFFERSTORAGEOESPROC>>(
        "glEGLImageTargetRenderbufferStorageOES");
    egl.makeCurrent(egl.surface, egl.one);

    SUBCASE("a texture's") {
        const GLuint texture = TwoGroups::boundTexture();
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, TwoGroups::kSize, TwoGroups::kSize, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     nullptr);
        TwoGroups::bindFramebuffer(texture);
        EGLImage image = egl.imageOf(EGL_GL_TEXTURE_2D, texture);
        TwoGroups::drawSlowly();
        egl.makeCurrent(egl.otherSurface, egl.other);
        const GLuint sibling = TwoGroups::boundTexture();
        toTexture(GL_TEXTURE_2D, image);
        TwoGroups::bindFramebuffer(sibling);
        CHECK(TwoGroups::lastPixel() == kGreen);
        // And the other way, once they are siblings.
        TwoGroups::drawSlowly();
        clearTo(0, 0, 1);
        TwoGroups::drawSlowly();
        egl.makeCurrent(egl.surface, egl.one);
        CHECK(TwoGroups::lastPixel() == kGreen);
    }
    SUBCASE("a renderbuffer's") {
        GLuint renderbuffers[2] = {};
        glGenRenderbuffers(1, renderbuffers);
        glBindRenderbuffer(GL_RENDERBUFFER, renderbuffers[0]);
        glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA4, TwoGroups::kSize, TwoGroups::kSize);
        TwoGroups::bindFramebuffer(0, renderbuffers[0]);
        EGLImage image = egl.imageOf(EGL_GL_RENDERBUFFER, renderbuffers[0]);
        TwoGroups::drawSlowly();
        egl.makeCurrent(egl.otherSurface, egl.other);
        glGenRenderbuffers(1, renderbuffers + 1);
        glBindRenderbuffer(GL_RENDERBUFFER, renderbuffers[1]);
        toRenderbuffer(GL_RENDERBUFFER, image);
        TwoGroups::bindFramebuffer(0, renderbuffers[1]);
        CHECK(TwoGroups::lastPixel() == kGreen);
    }
    SUBCASE("the surface that the other one was current with") {
        TwoGroups::drawSlowly();
        egl.makeCurrent(egl.surface, egl.other);
        CHECK(TwoGroups::lastPixel() == kGreen);
    }
    SUBCASE("a surface that is bound to a texture") {
        const EGLint attributes[] = {EGL_WIDTH,          TwoGroups::kSize,   EGL_HEIGHT,
                                     TwoGroups::kSize,   EGL_TEXTURE_FORMAT, EGL_TEXTURE_RGBA,
                                     EGL_TEXTURE_TARGET, EGL_TEXTURE_2D,     EGL_NONE};
        EGLSurface source = eglCreatePbufferSurface(egl.display, egl.config(), attributes);
        egl.makeCurrent(source, egl.one);
        TwoGroups::drawSlowly();
        egl.makeCurrent(egl.otherSurface, egl.other);
        const GLuint texture = TwoGroups::boundTexture();
        REQUIRE(eglBindTexImage(egl.display, source, EGL_BACK_BUFFER) == EGL_TRUE);
        TwoGroups::bindFramebuffer(texture);
        CHECK(TwoGroups::lastPixel() == kGreen);
    }
}

TEST_CASE("what comes behind eglWaitSync comes behind a fence of a context that does not share") {
    TwoGroups egl;
    egl.makeCurrent(egl.surface, egl.one);
    TwoGroups::drawSlowly();
    EGLSync fence = eglCreateSync(egl.display, EGL_SYNC_FENCE, nullptr);
    egl.makeCurrent(egl.otherSurface, egl.other);
    CHECK(eglWaitSync(egl.display, fence, 0) == EGL_TRUE);
    clearTo(0, 0, 1);
    glFinish();
    EGLAttrib status = 0;
    CHECK(eglGetSyncAttrib(egl.display, fence, EGL_SYNC_STATUS, &status) == EGL_TRUE);
    CHECK(status == EGL_SIGNALED);
}
