// A context that draws for too long is stopped, and the others go on: run with TESSERA_TIME_LIMIT=2.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "tests/egl/fixture.h"

using namespace egltest;

namespace {

/// Hours: every fragment takes millions of instructions, below the budget, and ends.
void drawForHours() {
    glUseProgram(program("attribute vec4 position; void main() { gl_Position = position; }",
                         "uniform mediump float one; void main() { highp float x = 0.0;"
                         "for (highp float i = 0.0; i < 300000.0; i += 1.0) x += one + gl_FragCoord.x;"
                         "gl_FragColor = vec4(x); }"));
    static const GLfloat corners[] = {-1, -1, 3, -1, -1, 3};
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

EGLContext notifiedContext(const DisplayFixture& egl) {
    const EGLint attributes[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT,
                                 EGL_LOSE_CONTEXT_ON_RESET_EXT, EGL_NONE};
    return eglCreateContext(egl.display, egl.config(), EGL_NO_CONTEXT, attributes);
}

}  // namespace

TEST_CASE("a draw of hours is stopped: its context is lost, or draws nothing any more, and others go on") {
    DisplayFixture egl;
    EGLContext other = egl.context();
    EGLSurface surface = egl.pbuffer();
    for (const bool isNotified : {true, false}) {
        CAPTURE(isNotified);
        EGLContext runaway = isNotified ? notifiedContext(egl) : egl.context();
        EGLSurface large = egl.pbuffer(1024, 1024);
        REQUIRE(eglMakeCurrent(egl.display, large, large, runaway) == EGL_TRUE);
        auto* resetStatus = extension<GLenum()>("glGetGraphicsResetStatusEXT");
        drawForHours();
        glFinish();  // the test ends because this does
        CHECK(resetStatus() == (isNotified ? GL_GUILTY_CONTEXT_RESET_EXT : GL_NO_ERROR));
        glClear(GL_COLOR_BUFFER_BIT);
        CHECK(glGetError() == (isNotified ? GL_CONTEXT_LOST_KHR : GL_NO_ERROR));
        drawForHours();
        glFinish();

        REQUIRE(eglMakeCurrent(egl.display, surface, surface, other) == EGL_TRUE);
        clearTo(0, 1, 0);
        CHECK(pixelAt(1, 1) == Color{0, 255, 0, 255});
        CHECK(glGetError() == GL_NO_ERROR);
    }
}

TEST_CASE("contexts that share nothing with one that draws for hours go on beside it") {
    DisplayFixture egl;
    EGLContext runaway = egl.context(), other = egl.context();
    EGLSurface large = egl.pbuffer(1024, 1024), surface = egl.pbuffer();
    REQUIRE(eglMakeCurrent(egl.display, large, large, runaway) == EGL_TRUE);
    drawForHours();
    EGLSync fence = eglCreateSync(egl.display, EGL_SYNC_FENCE, nullptr);
    const auto isStopped = [&] {
        EGLAttrib status = 0;
        REQUIRE(eglGetSyncAttrib(egl.display, fence, EGL_SYNC_STATUS, &status) == EGL_TRUE);
        return status == EGL_SIGNALED;
    };
    REQUIRE(eglMakeCurrent(egl.display, surface, surface, other) == EGL_TRUE);
    for (const bool red : {true, false, true}) {
        clearTo(red, !red, 0);
        CHECK(pixelAt(1, 1) == (red ? Color{255, 0, 0, 255} : Color{0, 255, 0, 255}));
        CHECK(eglSwapBuffers(egl.display, surface) == EGL_TRUE);
    }
    CHECK_FALSE(isStopped());
    CHECK(eglClientWaitSync(egl.display, fence, 0, EGL_FOREVER) == EGL_CONDITION_SATISFIED);
    CHECK(isStopped());
}

TEST_CASE("who waits until the GPU takes more holds up no other thread's EGL calls") {
    DisplayFixture egl;
    EGLContext other = egl.context(), runaway = egl.context();
    EGLSurface large = egl.pbuffer(1024, 1024), surface = egl.pbuffer();
    for (const bool isSync : {true, false}) {
        CAPTURE(isSync);
        std::atomic<bool> waits{false}, goesOn{false};
        std::thread drawer([&] {
            eglMakeCurrent(egl.display, large, large, runaway);
            GLuint texture = 0;
            glGenTextures(1, &texture);
            glBindTexture(GL_TEXTURE_2D, texture);
            glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
            drawForHours();
            constexpr int kMostQueued = 16;
            for (int i = 0; i <= kMostQueued; ++i) {
                glFlush();
                glClear(GL_COLOR_BUFFER_BIT);
            }
            waits = true;
            const auto buffer = reinterpret_cast<EGLClientBuffer>(uintptr_t{texture});
            if (isSync)
                eglCreateSync(egl.display, EGL_SYNC_FENCE, nullptr);
            else
                eglCreateImage(egl.display, runaway, EGL_GL_TEXTURE_2D, buffer, nullptr);
            goesOn = true;
            eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        });
        while (!waits) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        CHECK(eglMakeCurrent(egl.display, surface, surface, other) == EGL_TRUE);
        CHECK_FALSE(goesOn);
        CHECK(eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT) == EGL_TRUE);
        drawer.join();
        runaway = egl.context();
    }
}
