// Work as applications do it, many times over and on several threads: contexts that draw at once, share groups whose
// threads hand each other objects, and cycles of making everything, drawing and destroying it, after which memory must
// be where it was. EGL_TEST_CYCLES sets the number of cycles; meant for the sanitizers, too.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "tests/egl/fixture.h"
#include "tests/egl/memory.h"

using namespace egltest;

namespace {

int cycles() {
    const char* wanted = std::getenv("EGL_TEST_CYCLES");
    return wanted != nullptr ? std::atoi(wanted) : 200;
}

constexpr const char* kVertex =
    "attribute vec4 position; varying mediump vec2 at;"
    "void main() { gl_Position = position; at = position.xy * 0.5 + 0.5; }";
constexpr const char* kFragment =
    "precision mediump float; uniform sampler2D image; uniform vec4 color; varying vec2 at;"
    "void main() { gl_FragColor = texture2D(image, at) * color; }";
constexpr GLfloat kCorners[] = {-1, -1, 3, -1, -1, 3};

/// A program, a buffer, and a texture of one colour: what a frame needs, made in the current context.
struct Scene {
    GLuint program = 0, buffer = 0, texture = 0;

    explicit Scene(Color texel) {
        program = egltest::program(kVertex, kFragment);
        glGenBuffers(1, &buffer);
        glBindBuffer(GL_ARRAY_BUFFER, buffer);
        glBufferData(GL_ARRAY_BUFFER, sizeof kCorners, kCorners, GL_STATIC_DRAW);
        glGenTextures(1, &texture);
        setTexture(texel);
    }
    void setTexture(Color texel) const {
        unsigned char texels[16 * 4];
        for (size_t i = 0; i < sizeof texels; ++i) texels[i] = static_cast<unsigned char>(texel[i % 4]);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    }
    void draw() const {
        glUseProgram(program);
        glUniform4f(glGetUniformLocation(program, "color"), 1, 1, 1, 1);
        glBindTexture(GL_TEXTURE_2D, texture);
        glBindBuffer(GL_ARRAY_BUFFER, buffer);
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
        glEnableVertexAttribArray(0);
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }
    void destroy() const {
        glDeleteProgram(program);
        glDeleteBuffers(1, &buffer);
        glDeleteTextures(1, &texture);
    }
};

Color colorOf(int n) { return {n % 256, n * 7 % 256, n * 31 % 256, 255}; }

/// Everything made, drawn with once and destroyed. Some objects are left to the end of their context.
bool runCycle(const DisplayFixture& egl, EGLConfig config, int n) {
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, 20, EGL_HEIGHT, 20, EGL_NONE};
    EGLContext context = eglCreateContext(egl.display, config, EGL_NO_CONTEXT, version);
    EGLContext sharing = eglCreateContext(egl.display, config, context, version);
    EGLSurface surface = eglCreatePbufferSurface(egl.display, config, size);
    bool good = eglMakeCurrent(egl.display, surface, surface, context) == EGL_TRUE;
    Scene scene(colorOf(n));
    good &= eglMakeCurrent(egl.display, surface, surface, sharing) == EGL_TRUE;
    glViewport(0, 0, 20, 20);
    scene.draw();
    EGLSync sync = eglCreateSync(egl.display, EGL_SYNC_FENCE, nullptr);
    good &= eglClientWaitSync(egl.display, sync, 0, EGL_FOREVER) == EGL_CONDITION_SATISFIED;
    eglDestroySync(egl.display, sync);
    auto* buffer = reinterpret_cast<EGLClientBuffer>(static_cast<uintptr_t>(scene.texture));
    EGLImage image = eglCreateImage(egl.display, sharing, EGL_GL_TEXTURE_2D, buffer, nullptr);
    good &= image != EGL_NO_IMAGE;
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, scene.texture, 0);
    good &= pixelAt(1, 1) == colorOf(n);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    good &= pixelAt(10, 10) == colorOf(n);
    good &= eglSwapBuffers(egl.display, surface) == EGL_TRUE && glGetError() == GL_NO_ERROR;
    if (n % 2 == 0) scene.destroy();
    eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    good &= eglDestroyImage(egl.display, image) == EGL_TRUE;
    good &= eglDestroySurface(egl.display, surface) == EGL_TRUE;
    good &= eglDestroyContext(egl.display, context) == EGL_TRUE;
    good &= eglDestroyContext(egl.display, sharing) == EGL_TRUE;
    return good;
}

}  // namespace

TEST_CASE("two contexts draw at once, each its own frames") {
    DisplayFixture egl;
    std::atomic<int> wrong = 0;
    auto render = [&](int n) {
        EGLContext context = egl.context();
        EGLSurface surface = egl.pbuffer(100, 80);
        wrong += eglMakeCurrent(egl.display, surface, surface, context) != EGL_TRUE;
        Scene scene(colorOf(n));
        for (int frame = 0; frame < 60; ++frame) {
            scene.setTexture(colorOf(n * 1000 + frame));
            clearTo(0, 0, 0);
            scene.draw();
            wrong += pixelAt(frame, 79) != colorOf(n * 1000 + frame);
            wrong += eglSwapBuffers(egl.display, surface) != EGL_TRUE;
        }
        eglReleaseThread();
        eglDestroySurface(egl.display, surface);
        eglDestroyContext(egl.display, context);
    };
    std::thread first(render, 1), second(render, 2);
    first.join();
    second.join();
    CHECK(wrong == 0);
}

TEST_CASE("the threads of a share group hand each other textures, buffers and programs") {
    DisplayFixture egl;
    EGLContext making = egl.context(), used = egl.context(making);
    constexpr int kRounds = 100;
    struct Handed {
        Scene scene;
        EGLSync made;
        Color color;
    };
    std::mutex mutex;
    std::vector<Handed> queue;
    std::atomic<bool> failed = false;
    std::thread maker([&] {
        EGLSurface surface = egl.pbuffer();
        if (eglMakeCurrent(egl.display, surface, surface, making) != EGL_TRUE) failed = true;
        for (int n = 0; n < kRounds && !failed; ++n) {
            Scene scene(colorOf(n));
            EGLSync made = eglCreateSync(egl.display, EGL_SYNC_FENCE, nullptr);
            std::lock_guard lock(mutex);
            queue.push_back({scene, made, colorOf(n)});
        }
        eglReleaseThread();
    });
    std::thread user([&] {
        EGLSurface surface = egl.pbuffer();
        if (eglMakeCurrent(egl.display, surface, surface, used) != EGL_TRUE) failed = true;
        for (int n = 0; n < kRounds && !failed;) {
            std::vector<Handed> taken;
            {
                std::lock_guard lock(mutex);
                taken.swap(queue);
            }
            for (const Handed& one : taken) {
                if (eglWaitSync(egl.display, one.made, 0) != EGL_TRUE) failed = true;
                one.scene.draw();
                if (pixelAt(7, 7) != one.color) failed = true;
                one.scene.destroy();
                eglDestroySync(egl.display, one.made);
                ++n;
            }
            std::this_thread::yield();
        }
        if (glGetError() != GL_NO_ERROR) failed = true;
        eglReleaseThread();
    });
    maker.join();
    user.join();
    CHECK_FALSE(failed);
}

TEST_CASE("cycles of making, drawing and destroying everything leave memory where it was") {
    DisplayFixture egl;
    const EGLConfig configs[] = {egl.config(),
                                 egl.choose({EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RED_SIZE, 8, EGL_SAMPLES, 4})};
    const int count = cycles(), warmUp = count / 4;
    int bad = 0;
    size_t before = 0;
    for (int n = 0; n < count; ++n) {
        if (n == warmUp) before = settledBytes();
        bad += !runCycle(egl, configs[n % 2], n);
    }
    const size_t after = settledBytes();
    CHECK(bad == 0);
    CHECK(error() == EGL_SUCCESS);
    // A cycle allocates tens of kilobytes. Caches may still fill up, but nothing may stay of every cycle.
    const auto growth = static_cast<long>(after) - static_cast<long>(before);
    MESSAGE(count << " cycles, bytes more at the end than after the first quarter: " << growth);
    if (!kIsSanitized) CHECK(growth < 64 << 10);
}

TEST_CASE("threads run cycles at once") {
    DisplayFixture egl;
    std::atomic<int> bad = 0;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 3; ++thread)
        threads.emplace_back([&, thread] {
            for (int n = 0; n < cycles() / 8; ++n) bad += !runCycle(egl, egl.config(), n * 3 + thread);
            eglReleaseThread();
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(bad == 0);
}
