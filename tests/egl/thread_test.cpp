// Several contexts, threads and share groups at once.
#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <thread>

#include "base/testing/process.h"
#include "tests/egl/fixture.h"

using namespace egltest;

TEST_CASE("contexts of several threads draw at once, each its own picture") {
    DisplayFixture egl;
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (int n = 0; n < 4; ++n) {
        threads.emplace_back([&, n] {
            eglBindAPI(EGL_OPENGL_ES_API);
            EGLContext context = egl.context();
            EGLSurface surface = egl.pbuffer(40 + n, 30);
            if (eglMakeCurrent(egl.display, surface, surface, context) != EGL_TRUE) ++wrong;
            for (int frame = 0; frame < 20; ++frame) {
                int level = (n * 60 + frame) % 256;
                clearTo(static_cast<float>(level) / 255, static_cast<float>(n) / 255, 1);
                wrong += pixelAt(39, 29) != Color{level, n, 255, 255};
            }
            eglReleaseThread();
            eglDestroySurface(egl.display, surface);
            eglDestroyContext(egl.display, context);
        });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
}

TEST_CASE("what one context of a share group uploads, the other reads") {
    DisplayFixture egl;
    EGLContext first = egl.context(), second = egl.context(first);
    EGLSurface surface = egl.pbuffer();
    eglMakeCurrent(egl.display, surface, surface, first);
    GLuint texture = 0;
    glGenTextures(1, &texture);
    std::thread([&] {
        EGLSurface other = egl.pbuffer();
        eglMakeCurrent(egl.display, other, other, second);
        const unsigned char pixel[4] = {9, 8, 7, 6};
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
        glFinish();
        eglReleaseThread();
    }).join();
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    CHECK(pixelAt(0, 0) == Color{9, 8, 7, 6});
}

namespace {

/// A fragment shader that takes some tenths of a second to compile.
std::string longShader() {
    std::string text = "precision highp float; varying float v; void main() { float x = v;\n";
    for (int i = 0; i < 8000; ++i) text += "x = x * v + sin(x);\n";
    return text + "gl_FragColor = vec4(x); }";
}

void compile(GLuint shader, const std::string& text) {
    const char* source = text.c_str();
    glShaderSource(shader, 1, &source, nullptr);
    glCompileShader(shader);
}

}  // namespace

TEST_CASE("while one context of a share group compiles, the others go on") {
    DisplayFixture egl;
    EGLContext first = egl.context(), second = egl.context(first);
    EGLSurface surface = egl.pbuffer();
    eglMakeCurrent(egl.display, surface, surface, first);
    std::atomic<bool> compiles = false, compiled = false;
    std::thread compiler([&] {
        EGLSurface other = egl.pbuffer();
        eglMakeCurrent(egl.display, other, other, second);
        const GLuint shader = glCreateShader(GL_FRAGMENT_SHADER);
        compiles = true;
        compile(shader, longShader());
        compiled = true;
        eglReleaseThread();
    });
    while (!compiles) std::this_thread::yield();
    // A call that waited for the compiler would be the only one.
    int calls = 0;
    for (GLuint buffer = 0; !compiled; ++calls) {
        glGenBuffers(1, &buffer);
        glDeleteBuffers(1, &buffer);
    }
    compiler.join();
    CHECK(calls > 10);
}

TEST_CASE("one shader and one program, compiled and linked by all threads at once, end up as one of them made them") {
    DisplayFixture egl;
    EGLContext first = egl.context();
    EGLSurface surface = egl.pbuffer();
    eglMakeCurrent(egl.display, surface, surface, first);
    const GLuint vertex = glCreateShader(GL_VERTEX_SHADER), fragment = glCreateShader(GL_FRAGMENT_SHADER);
    compile(vertex, "attribute vec4 p; void main() { gl_Position = p; }");
    const GLuint program = glCreateProgram();
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    std::vector<std::thread> threads;
    for (int n = 0; n < 3; ++n) {
        threads.emplace_back([&, n] {
            EGLContext context = egl.context(first);
            EGLSurface other = egl.pbuffer();
            eglMakeCurrent(egl.display, other, other, context);
            for (int i = 0; i < 40; ++i) {
                // Each third one is an error.
                compile(fragment, (i + n) % 3 == 0
                                      ? "precision mediump float; void main() { gl_FragColor = 1; }"
                                      : "precision mediump float; uniform vec4 color" + std::to_string(n) +
                                            "; void main() { gl_FragColor = color" + std::to_string(n) + "; }");
                glLinkProgram(program);
                GLint length = 0;
                glGetProgramiv(program, GL_INFO_LOG_LENGTH, &length);
                glUseProgram(program);
                glUseProgram(0);
                while (glGetError() != GL_NO_ERROR) {
                }
            }
            eglReleaseThread();
        });
    }
    for (std::thread& thread : threads) thread.join();
    compile(fragment, "precision mediump float; uniform vec4 color; void main() { gl_FragColor = color; }");
    glLinkProgram(program);
    GLint linked = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    CHECK(linked == GL_TRUE);
    CHECK(glGetUniformLocation(program, "color") == 0);
    CHECK(glGetUniformLocation(program, "color0") == -1);
}

TEST_CASE("displays are initialised and terminated while others work") {
    EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
    std::vector<std::thread> threads;
    for (int n = 0; n < 4; ++n) {
        threads.emplace_back([&, n] {
            for (int i = 0; i < 50; ++i) {
                if (n == 0) eglTerminate(display);
                eglInitialize(display, nullptr, nullptr);
                EGLConfig config = nullptr;
                EGLint count = 0;
                const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT,
                                         EGL_NONE};
                const EGLint size[] = {EGL_WIDTH, 4, EGL_HEIGHT, 4, EGL_NONE};
                const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
                eglChooseConfig(display, wanted, &config, 1, &count);
                EGLSurface surface = eglCreatePbufferSurface(display, config, size);
                EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
                // The other thread may have terminated in between: no surface then, and surfaceless is legal.
                if (surface != EGL_NO_SURFACE && eglMakeCurrent(display, surface, surface, context) == EGL_TRUE) {
                    clearTo(1, 1, 1);
                    CHECK(pixelAt(1, 1) == Color{255, 255, 255, 255});
                }
                eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
                eglDestroySurface(display, surface);
                eglDestroyContext(display, context);
            }
            eglReleaseThread();
        });
    }
    for (std::thread& thread : threads) thread.join();
    eglTerminate(display);
}

TEST_CASE("no thread of the driver takes a signal that the application blocks in its own") {
    DisplayFixture egl;
    EGLContext context = egl.context();
    EGLSurface surface = egl.pbuffer();
    eglMakeCurrent(egl.display, surface, surface, context);
    const GLuint name = plainProgram();
    glUseProgram(name);
    glUniform4f(glGetUniformLocation(name, "color"), 0, 1, 0, 1);
    const GLfloat corners[6] = {-1, -1, 3, -1, -1, 3};
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    CHECK(pixelAt(0, 0) == Color{0, 255, 0, 255});
    CHECK(tessera::testing::keepsBlockedSignal([] {
        clearTo(1, 0, 0);
        CHECK(pixelAt(0, 0) == Color{255, 0, 0, 255});
    }));
}
