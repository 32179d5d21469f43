// Context loss: a shader that never ends is stopped, its context and those that share with it are lost if they asked to
// be told (EGL_EXT_create_context_robustness), and all others go on.
#include <doctest/doctest.h>

#include <string_view>
#include <thread>

#include "tests/egl/fixture.h"

using namespace egltest;

namespace {

constexpr EGLint kRobust[] = {EGL_CONTEXT_CLIENT_VERSION,
                              2,
                              EGL_CONTEXT_OPENGL_ROBUST_ACCESS_EXT,
                              EGL_TRUE,
                              EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT,
                              EGL_LOSE_CONTEXT_ON_RESET_EXT,
                              EGL_NONE};

EGLContext robustContext(const DisplayFixture& egl, EGLContext share = EGL_NO_CONTEXT) {
    return eglCreateContext(egl.display, egl.config(), share, kRobust);
}

void drawForever() {
    glUseProgram(program("attribute vec4 position; void main() { gl_Position = position; }",
                         "uniform mediump float one; void main() { mediump float x = 0.0;"
                         "for (mediump float i = 0.0; i < 100.0; i += 0.0) x += one; gl_FragColor = vec4(x); }"));
    static const GLfloat corners[] = {-1, -1, 3, -1, -1, 3};
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

bool isListed(const char* name) { return contains(reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS)), name); }

}  // namespace

TEST_CASE("a runaway shader loses its context and those that share with it, and no others") {
    DisplayFixture egl;
    EGLContext guilty = robustContext(egl), sharing = robustContext(egl, guilty), other = egl.context();
    EGLSurface surface = egl.pbuffer(), spare = egl.pbuffer();
    REQUIRE(eglMakeCurrent(egl.display, surface, surface, guilty) == EGL_TRUE);
    auto* resetStatus = extension<GLenum()>("glGetGraphicsResetStatusEXT");
    REQUIRE((resetStatus != nullptr));
    CHECK(isListed("GL_EXT_robustness"));
    CHECK(isListed("GL_KHR_robustness"));
    GLint isRobust = GL_FALSE;
    glGetIntegerv(0x90F3, &isRobust);  // GL_CONTEXT_ROBUST_ACCESS_EXT
    CHECK(isRobust == GL_TRUE);
    CHECK(resetStatus() == GL_NO_ERROR);
    drawForever();
    glFinish();
    CHECK(eglSwapBuffers(egl.display, surface) == EGL_FALSE);
    CHECK(error() == EGL_CONTEXT_LOST);
    CHECK(resetStatus() == GL_GUILTY_CONTEXT_RESET_EXT);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(glGetError() == GL_CONTEXT_LOST_KHR);
    for (EGLContext lost : {guilty, sharing}) {
        CHECK(eglMakeCurrent(egl.display, surface, surface, lost) == EGL_FALSE);
        CHECK(error() == EGL_CONTEXT_LOST);
    }
    CHECK(eglGetCurrentContext() == guilty);  // what was current stays so

    REQUIRE(eglMakeCurrent(egl.display, spare, spare, other) == EGL_TRUE);
    clearTo(0, 1, 0);
    CHECK(pixelAt(1, 1) == Color{0, 255, 0, 255});
    CHECK(eglSwapBuffers(egl.display, spare) == EGL_TRUE);
    CHECK(glGetError() == GL_NO_ERROR);

    // The application starts afresh.
    CHECK(eglDestroyContext(egl.display, guilty) == EGL_TRUE);
    CHECK(eglDestroyContext(egl.display, sharing) == EGL_TRUE);
    EGLContext fresh = robustContext(egl);
    REQUIRE(eglMakeCurrent(egl.display, surface, surface, fresh) == EGL_TRUE);
    clearTo(0, 0, 1);
    CHECK(pixelAt(1, 1) == Color{0, 0, 255, 255});
    CHECK(resetStatus() == GL_NO_ERROR);
}

TEST_CASE("without notification nothing is lost") {
    DisplayFixture egl;
    EGLContext context = egl.context();
    EGLSurface surface = egl.pbuffer();
    REQUIRE(eglMakeCurrent(egl.display, surface, surface, context) == EGL_TRUE);
    clearTo(0, 1, 0);
    glEnable(GL_DEBUG_OUTPUT_KHR);
    drawForever();
    glFinish();
    CHECK(pixelAt(1, 1) == Color{0, 255, 0, 255});  // the draw is left out
    char message[200] = "";
    GLenum source = 0;
    auto* log = extension<std::remove_pointer_t<PFNGLGETDEBUGMESSAGELOGKHRPROC>>("glGetDebugMessageLogKHR");
    REQUIRE(log(1, sizeof message, &source, nullptr, nullptr, nullptr, nullptr, message) == 1);
    CHECK(source == GL_DEBUG_SOURCE_API_KHR);
    CHECK(std::string_view(message).starts_with("a draw was left out"));
    CHECK(eglSwapBuffers(egl.display, surface) == EGL_TRUE);
    CHECK(eglMakeCurrent(egl.display, surface, surface, context) == EGL_TRUE);
    clearTo(1, 0, 0);
    CHECK(pixelAt(1, 1) == Color{255, 0, 0, 255});
}

TEST_CASE("another thread draws on while a context is lost") {
    DisplayFixture egl;
    int wrong = 0;
    std::thread innocent([&] {
        EGLContext context = egl.context();
        EGLSurface surface = egl.pbuffer();
        wrong += eglMakeCurrent(egl.display, surface, surface, context) != EGL_TRUE;
        for (int frame = 0; frame < 50; ++frame) {
            clearTo(static_cast<float>(frame) / 255, 0, 1);
            wrong += pixelAt(2, 2) != Color{frame, 0, 255, 255};
            wrong += eglSwapBuffers(egl.display, surface) != EGL_TRUE;
        }
        eglReleaseThread();
    });
    EGLContext guilty = robustContext(egl);
    EGLSurface surface = egl.pbuffer();
    CHECK(eglMakeCurrent(egl.display, surface, surface, guilty) == EGL_TRUE);
    drawForever();
    glFinish();
    CHECK(extension<GLenum()>("glGetGraphicsResetStatusEXT")() == GL_GUILTY_CONTEXT_RESET_EXT);
    innocent.join();
    CHECK(wrong == 0);
}

TEST_CASE("a debug context starts with its messages on") {
    DisplayFixture egl;
    for (EGLint name : {EGL_CONTEXT_OPENGL_DEBUG, EGL_CONTEXT_FLAGS_KHR}) {
        for (EGLint debug : {0, 1}) {  // EGL_TRUE and EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR are one
            const EGLint attributes[] = {EGL_CONTEXT_CLIENT_VERSION, 2, name, debug, EGL_NONE};
            EGLContext context = eglCreateContext(egl.display, egl.config(), EGL_NO_CONTEXT, attributes);
            REQUIRE(eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_TRUE);
            CHECK(glIsEnabled(GL_DEBUG_OUTPUT_KHR) == debug);
        }
    }
}
