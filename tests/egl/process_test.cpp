// The driver in a process that it does not own: which forks, and whose threads have small stacks. Every tier runs this.
#include <doctest/doctest.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <climits>
#include <cstdlib>
#include <string>
#include <thread>

#include "base/testing/process.h"
#include "tests/egl/fixture.h"

using namespace egltest;
using tessera::testing::inChild;

namespace {

constexpr Color kGreen{0, 255, 0, 255};

/// A fragment shader with as many brackets in each other; it writes green.
std::string nested(int depth) {
    std::string text = "precision highp float; uniform float zero; void main() { float x = ";
    for (int i = 0; i < depth; ++i) text += "(zero * 2.0 + ";
    text += "1.0" + std::string(static_cast<size_t>(depth), ')');
    return text + "; gl_FragColor = vec4(0.0, x, 0.0, 1.0); }";
}

GLuint linked(const std::string& fragment) {
    const GLuint name = program("attribute vec4 position; void main() { gl_Position = position; }", fragment.c_str());
    GLint status = 0;
    glGetProgramiv(name, GL_LINK_STATUS, &status);
    return status == GL_TRUE ? name : 0;
}

void drawTriangle(GLuint name) {
    const GLfloat corners[6] = {-1, -1, 3, -1, -1, 3};
    glUseProgram(name);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

/// Draws with a program of its own into what is current.
bool drawsGreen(int depth = 1) {
    clearTo(1, 0, 0);
    const GLuint name = linked(nested(depth));
    drawTriangle(name);
    return name != 0 && pixelAt(3, 3) == kGreen && glGetError() == GL_NO_ERROR;
}

/// Runs `work` on a thread with a stack of so many bytes; whether it said yes.
template <class Work>
bool onStackOf(size_t bytes, Work work) {
    struct Task {
        Work* work;
        bool right = false;
    } task{&work};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    REQUIRE(pthread_attr_setstacksize(&attributes, bytes) == 0);
    pthread_t thread{};
    const auto run = [](void* given) -> void* {
        auto& mine = *static_cast<Task*>(given);
        mine.right = (*mine.work)();
        return nullptr;
    };
    REQUIRE(pthread_create(&thread, &attributes, run, &task) == 0);
    pthread_attr_destroy(&attributes);
    pthread_join(thread, nullptr);
    return task.right;
}

}  // namespace

TEST_CASE("a thread with a small stack draws with programs that it compiles") {
    for (const size_t bytes : {std::max<size_t>(PTHREAD_STACK_MIN, size_t{32} << 10), size_t{64} << 10}) {
        for (const int depth : {1, 100, 150, 250}) {
            CAPTURE(bytes);
            CAPTURE(depth);
            CHECK(onStackOf(bytes, [depth] {
                DisplayFixture egl;
                EGLContext context = egl.context();
                EGLSurface surface = egl.pbuffer();
                const bool right =
                    eglMakeCurrent(egl.display, surface, surface, context) == EGL_TRUE && drawsGreen(depth);
                eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
                return right;
            }));
        }
    }
}

TEST_CASE("a child of fork() goes on with what was current, and makes contexts of its own") {
    DisplayFixture egl;
    EGLContext context = egl.context();
    EGLSurface surface = egl.pbuffer();
    eglMakeCurrent(egl.display, surface, surface, context);
    const GLuint before = linked(nested(1));
    clearTo(0, 0, 1);
    drawTriangle(before);
    CHECK(inChild([&] {  // what the parent drew is there
        bool right = pixelAt(3, 3) == kGreen;
        clearTo(1, 0, 0);
        glFinish();
        drawTriangle(before);
        right &= pixelAt(3, 3) == kGreen;
        return right && drawsGreen(2) && eglSwapBuffers(egl.display, surface) == EGL_TRUE;
    }));
    CHECK(inChild([&] {
        EGLContext other = egl.context();
        EGLSurface target = egl.pbuffer();
        return eglMakeCurrent(egl.display, target, target, other) == EGL_TRUE && drawsGreen() &&
               eglTerminate(egl.display) == EGL_TRUE;
    }));
    CHECK(inChild([&] {  // a display as after nothing
        eglTerminate(egl.display);
        eglReleaseThread();
        DisplayFixture again;
        EGLContext other = again.context();
        EGLSurface target = again.pbuffer();
        return eglMakeCurrent(again.display, target, target, other) == EGL_TRUE && drawsGreen();
    }));
    CHECK(inChild([&] { return inChild([] { return drawsGreen(); }) && drawsGreen(); }));
    CHECK(inChild([] { return true; }));  // exit() alone, with a current context
    CHECK(pixelAt(3, 3) == kGreen);
    CHECK(drawsGreen(3));
}

TEST_CASE("a child of fork() works while another thread of the parent draws, compiles and shares") {
    DisplayFixture egl;
    EGLContext first = egl.context(), second = egl.context(first);
    EGLSurface surface = egl.pbuffer(), target = egl.pbuffer(256, 256);
    eglMakeCurrent(egl.display, surface, surface, first);
    std::atomic<bool> stop = false;
    std::atomic<int> wrong = 0, frames = 0;
    std::thread drawing([&] {
        if (eglMakeCurrent(egl.display, target, target, second) != EGL_TRUE) ++wrong;
        for (int i = 0; !stop; ++i) {
            const GLuint name = linked(nested(1 + i % 60));
            clearTo(1, 0, 0);
            for (int draw = 0; draw < 20; ++draw) drawTriangle(name);
            if (pixelAt(100, 100) != kGreen) ++wrong;
            glUseProgram(0);
            glDeleteProgram(name);
            ++frames;
        }
        eglReleaseThread();
    });
    int right = 0;
    constexpr int kForks = 12;
    for (int i = 0; i < kForks; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(3 * i));
        right += inChild([&] {
            bool mine = drawsGreen(1 + i);
            // The thread that had it is not in the child.
            mine &= eglMakeCurrent(egl.display, target, target, second) == EGL_TRUE && drawsGreen(2 + i);
            return mine;
        });
    }
    stop = true;
    drawing.join();
    CHECK(right == kForks);
    CHECK(wrong == 0);
    CHECK(frames > 0);
}
