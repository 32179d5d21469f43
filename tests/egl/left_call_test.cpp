// Calls that are left in the middle. They name memory that is not there; the application's handler of SIGSEGV leaves
// them by siglongjmp, five times each. Nothing is said of such a call's own effect, but the application goes on: this
// context draws right, and so does one that shares with it, on another thread, before this thread calls again.
#include <doctest/doctest.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <csetjmp>
#include <csignal>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/testing/process.h"
#include "tests/egl/fixture.h"

using namespace egltest;

namespace {

constexpr Color kGreen{0, 255, 0, 255};
constexpr int kTimes = 5;

template <class T>
T* nowhere() {
    return reinterpret_cast<T*>(64);
}

/// So many bytes, of which the first half is there.
template <class T>
T* halfThere(size_t bytes) {
    constexpr size_t kMost = size_t{1} << 20;
    static char* const end = [] {
        void* const all = mmap(nullptr, 2 * kMost, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mprotect(all, kMost, PROT_READ | PROT_WRITE);
        return static_cast<char*>(all) + kMost;
    }();
    return reinterpret_cast<T*>(end - bytes / 2);
}

thread_local sigjmp_buf wayOut;
[[maybe_unused]] thread_local ucontext_t otherWayOut;

void jumpOut(int) { siglongjmp(wayOut, 1); }
[[maybe_unused]] void changeContext(int) { setcontext(&otherWayOut); }

/// The process's handler of faults while it lives, and an end for what would wait for ever.
class FaultHandler {
public:
    explicit FaultHandler(void (*handler)(int), int flags = 0) {
        tessera::testing::leaksAreMeant = true;  // what a call holds that is left
        struct sigaction action{};
        action.sa_handler = handler;
        action.sa_flags = flags;
        for (size_t i = 0; i < kFaults.size(); ++i) sigaction(kFaults[i], &action, &before_[i]);
        alarm(100);
    }
    ~FaultHandler() {
        for (size_t i = 0; i < kFaults.size(); ++i) sigaction(kFaults[i], &before_[i], nullptr);
        alarm(0);
    }
    FaultHandler(const FaultHandler&) = delete;
    FaultHandler& operator=(const FaultHandler&) = delete;

private:
    static constexpr std::array<int, 2> kFaults{SIGSEGV, SIGBUS};
    std::array<struct sigaction, 2> before_{};
};

/// Whether the call was left.
bool isLeft(const std::function<void()>& call) {
    if (sigsetjmp(wayOut, 1) != 0) return true;
    call();
    return false;
}

/// One that shares its objects is current, with a pbuffer, while this lives.
class Current {
public:
    Current(const DisplayFixture& egl, EGLContext share) : egl_(egl), context_(egl.context(share)) {
        surface_ = egl.pbuffer();
        eglMakeCurrent(egl.display, surface_, surface_, context_);
    }
    ~Current() {
        eglMakeCurrent(egl_.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroySurface(egl_.display, surface_);
        eglDestroyContext(egl_.display, context_);
    }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

private:
    const DisplayFixture& egl_;
    EGLContext context_;
    EGLSurface surface_;
};

/// Draws with the program, whose colour is a uniform, by arrays of the application's and by buffers.
bool drawsGreen(GLuint name) {
    const GLfloat corners[6] = {-1, -1, 3, -1, -1, 3};
    const GLushort indices[3] = {0, 1, 2};
    while (glGetError() != GL_NO_ERROR) {
    }
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
    glUseProgram(name);
    glUniform4f(glGetUniformLocation(name, "color"), 0, 1, 0, 1);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    clearTo(1, 0, 0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    const bool arrays = pixelAt(3, 3) == kGreen;
    clearTo(1, 0, 0);
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, indices);
    const bool elements = pixelAt(3, 3) == kGreen;
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    clearTo(1, 0, 0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    const bool buffers = pixelAt(3, 3) == kGreen;
    glDeleteBuffers(1, &buffer);
    return arrays && elements && buffers && glGetError() == GL_NO_ERROR;
}

/// What a bad call has at hand.
struct Scene {
    GLuint name;  ///< the program that is in use
    GLuint textures[2], buffer, shader, other;
    GLint color;
};

struct BadCall {
    const char* name;
    std::function<void(const Scene&)> call;
};

constexpr GLsizei kLarge = 512;  ///< a texture that several threads convert

void drawsFrom(const void* array) {
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, array);
    glEnableVertexAttribArray(0);
}

const std::vector<BadCall>& badCalls() {
    static const std::vector<BadCall> calls = {
        {"glDrawArrays",
         [](const Scene&) {
             drawsFrom(nowhere<void>());
             glDrawArrays(GL_TRIANGLES, 0, 3);
         }},
        {"glDrawArrays of strides",
         [](const Scene&) {
             glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 20, nowhere<void>());
             glEnableVertexAttribArray(0);
             glDrawArrays(GL_TRIANGLES, 0, 30);
         }},
        {"glDrawElements, its indices",
         [](const Scene&) {
             const GLfloat corners[6] = {-1, -1, 3, -1, -1, 3};
             drawsFrom(corners);
             glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, nowhere<void>());
         }},
        {"glDrawElements, its vertices",
         [](const Scene&) {
             const GLubyte indices[3] = {0, 1, 2};
             drawsFrom(nowhere<void>());
             glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_BYTE, indices);
         }},
        {"glDrawElements, indices with a buffer's vertices",
         [](const Scene& scene) {
             glBindBuffer(GL_ARRAY_BUFFER, scene.buffer);
             drawsFrom(nullptr);
             glBindBuffer(GL_ARRAY_BUFFER, 0);
             glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, nowhere<void>());
         }},
        {"glMultiDrawArraysEXT",
         [](const Scene&) {
             drawsFrom(nowhere<void>());
             const GLint first[2] = {0, 0};
             const GLsizei count[2] = {3, 3};
             const auto draw = reinterpret_cast<PFNGLMULTIDRAWARRAYSEXTPROC>(eglGetProcAddress("glMultiDrawArraysEXT"));
             draw(GL_TRIANGLES, first, count, 2);
         }},
        {"glMultiDrawElementsEXT, its lists",
         [](const Scene& scene) {
             glBindBuffer(GL_ARRAY_BUFFER, scene.buffer);
             drawsFrom(nullptr);
             const auto draw =
                 reinterpret_cast<PFNGLMULTIDRAWELEMENTSEXTPROC>(eglGetProcAddress("glMultiDrawElementsEXT"));
             draw(GL_TRIANGLES, nowhere<GLsizei>(), GL_UNSIGNED_BYTE, nowhere<const void*>(), 2);
         }},
        {"glBufferData",
         [](const Scene& scene) {
             glBindBuffer(GL_ARRAY_BUFFER, scene.buffer);
             glBufferData(GL_ARRAY_BUFFER, 4096, nowhere<void>(), GL_STATIC_DRAW);
         }},
        {"glBufferSubData",
         [](const Scene& scene) {
             glBindBuffer(GL_ARRAY_BUFFER, scene.buffer);
             glBufferSubData(GL_ARRAY_BUFFER, 4, 16, nowhere<void>());
         }},
        {"glTexImage2D",
         [](const Scene&) {
             glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, nowhere<void>());
         }},
        {"glTexImage2D of 16 bits",
         [](const Scene&) {
             glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 8, 8, 0, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, nowhere<void>());
         }},
        {"glTexImage2D by several threads",
         [](const Scene&) {
             glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, kLarge, kLarge, 0, GL_RGBA, GL_UNSIGNED_BYTE, nowhere<void>());
         }},
        {"glTexSubImage2D",
         [](const Scene& scene) {
             glBindTexture(GL_TEXTURE_2D, scene.textures[1]);
             glTexSubImage2D(GL_TEXTURE_2D, 0, 8, 8, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, nowhere<void>());
         }},
        {"glTexSubImage2D by several threads",
         [](const Scene& scene) {
             glBindTexture(GL_TEXTURE_2D, scene.textures[1]);
             glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kLarge, kLarge, GL_RGBA, GL_UNSIGNED_BYTE, nowhere<void>());
         }},
        {"glTexSubImage2D by several threads, half of it",
         [](const Scene& scene) {
             glBindTexture(GL_TEXTURE_2D, scene.textures[1]);
             glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kLarge, kLarge, GL_RGBA, GL_UNSIGNED_BYTE,
                             halfThere<void>(size_t{kLarge} * kLarge * 4));
         }},
        {"glTexSubImage2D of a texture that a copy waits for",
         [](const Scene& scene) {
             glBindTexture(GL_TEXTURE_2D, scene.textures[1]);
             glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, 8, 8);
             glTexSubImage2D(GL_TEXTURE_2D, 0, 8, 8, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, nowhere<void>());
         }},
        {"glCompressedTexImage2D",
         [](const Scene&) {
             glCompressedTexImage2D(GL_TEXTURE_2D, 0, GL_ETC1_RGB8_OES, 8, 8, 0, 32, nowhere<void>());
         }},
        {"glCompressedTexImage2D by several threads",
         [](const Scene&) {
             glCompressedTexImage2D(GL_TEXTURE_2D, 0, GL_ETC1_RGB8_OES, kLarge, kLarge, 0, kLarge * kLarge / 2,
                                    nowhere<void>());
         }},
        {"glTexImage3DOES",
         [](const Scene&) {
             reinterpret_cast<PFNGLTEXIMAGE3DOESPROC>(eglGetProcAddress("glTexImage3DOES"))(
                 GL_TEXTURE_3D_OES, 0, GL_RGBA, 8, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, nowhere<void>());
         }},
        {"glReadPixels", [](const Scene&) { glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, nowhere<void>()); }},
        {"glReadPixels of all",
         [](const Scene&) { glReadPixels(0, 0, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, nowhere<void>()); }},
        {"glReadPixels of all, half of it",
         [](const Scene&) {
             glReadPixels(0, 0, 16, 16, GL_RGBA, GL_UNSIGNED_BYTE, halfThere<void>(size_t{16} * 16 * 4));
         }},
        {"glUniform4fv", [](const Scene& scene) { glUniform4fv(scene.color, 1, nowhere<GLfloat>()); }},
        {"glUniform1iv",
         [](const Scene& scene) { glUniform1iv(glGetUniformLocation(scene.name, "picture"), 1, nowhere<GLint>()); }},
        {"glUniformMatrix4fv",
         [](const Scene& scene) {
             glUniformMatrix4fv(glGetUniformLocation(scene.name, "turn"), 1, GL_FALSE, nowhere<GLfloat>());
         }},
        {"glShaderSource, its list",
         [](const Scene& scene) { glShaderSource(scene.shader, 1, nowhere<const GLchar*>(), nullptr); }},
        {"glShaderSource, a text",
         [](const Scene& scene) {
             const GLchar* const text[2] = {"void main() {}", nowhere<GLchar>()};
             glShaderSource(scene.shader, 2, text, nullptr);
         }},
        {"glShaderBinary",
         [](const Scene& scene) {
             GLint format = 0;
             glGetIntegerv(GL_SHADER_BINARY_FORMATS, &format);
             glShaderBinary(1, &scene.shader, static_cast<GLenum>(format), nowhere<void>(), 64);
         }},
        {"glProgramBinaryOES",
         [](const Scene& scene) {
             GLint format = 0;
             glGetIntegerv(GL_PROGRAM_BINARY_FORMATS_OES, &format);
             reinterpret_cast<PFNGLPROGRAMBINARYOESPROC>(eglGetProcAddress("glProgramBinaryOES"))(
                 scene.other, static_cast<GLenum>(format), nowhere<void>(), 64);
         }},
        {"glVertexAttrib4fv", [](const Scene&) { glVertexAttrib4fv(1, nowhere<GLfloat>()); }},
        {"glTexParameteriv",
         [](const Scene&) { glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, nowhere<GLint>()); }},
        {"glBindAttribLocation", [](const Scene& scene) { glBindAttribLocation(scene.name, 1, nowhere<GLchar>()); }},
        {"glGetUniformLocation", [](const Scene& scene) { (void)glGetUniformLocation(scene.name, nowhere<GLchar>()); }},
        {"glGetIntegerv", [](const Scene&) { glGetIntegerv(GL_VIEWPORT, nowhere<GLint>()); }},
        {"glGetShaderInfoLog",
         [](const Scene& scene) { glGetShaderInfoLog(scene.shader, 100, nullptr, nowhere<GLchar>()); }},
        {"glGenTextures", [](const Scene&) { glGenTextures(2, nowhere<GLuint>()); }},
        {"glDeleteTextures", [](const Scene&) { glDeleteTextures(2, nowhere<GLuint>()); }},
    };
    return calls;
}

constexpr const char* kVertex =
    "attribute vec4 position; uniform mat4 turn; uniform float zero;\n"
    "void main() { gl_Position = position + zero * (turn * position); }";
constexpr const char* kFragment =
    "precision highp float; uniform vec4 color; uniform sampler2D picture; uniform float zero;\n"
    "void main() { gl_FragColor = color + zero * texture2D(picture, vec2(0.5)); }";

Scene makeScene() {
    Scene scene{};
    scene.name = program(kVertex, kFragment);
    scene.color = glGetUniformLocation(scene.name, "color");
    glGenTextures(2, scene.textures);
    for (const GLuint texture : {scene.textures[1], scene.textures[0]}) {
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, kLarge, kLarge, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    }
    glGenBuffers(1, &scene.buffer);
    glBindBuffer(GL_ARRAY_BUFFER, scene.buffer);
    glBufferData(GL_ARRAY_BUFFER, 256, nullptr, GL_STATIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    scene.other = glCreateProgram();
    scene.shader = glCreateShader(GL_FRAGMENT_SHADER);
    const GLchar* const wrong = "void main() { what; }";
    glShaderSource(scene.shader, 1, &wrong, nullptr);
    glCompileShader(scene.shader);
    return scene;
}

/// All calls, five times each, on the thread; the other context draws from a thread of its own.
void leaveAllCalls(const DisplayFixture& egl, EGLContext share) {
    const Current current(egl, share);
    const EGLContext mine = eglGetCurrentContext();
    const Scene scene = makeScene();
    CHECK(drawsGreen(scene.name));
    for (const BadCall& bad : badCalls()) {
        CAPTURE(std::string(bad.name));
        for (int time = 0; time < kTimes; ++time) {
            glUseProgram(scene.name);
            CHECK(isLeft([&] { bad.call(scene); }));
        }
        bool drew = false;
        std::thread([&] {
            const Current other(egl, mine);
            drew = drawsGreen(scene.name);
        }).join();
        CHECK(drew);
        CHECK(drawsGreen(scene.name));
    }
}

}  // namespace

TEST_CASE("calls that are left give back what they have locked") {
    const FaultHandler handler(jumpOut);
    const DisplayFixture egl;
    leaveAllCalls(egl, EGL_NO_CONTEXT);
}

TEST_CASE("from a stack of the handler's own, on a thread that is not the first") {
    const FaultHandler handler(jumpOut, SA_ONSTACK);
    const DisplayFixture egl;
    std::thread([&] {
        std::vector<char> memory(size_t{1} << 16);
        const stack_t stack{.ss_sp = memory.data(), .ss_flags = 0, .ss_size = memory.size()};
        sigaltstack(&stack, nullptr);
        leaveAllCalls(egl, EGL_NO_CONTEXT);
        const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
        sigaltstack(&none, nullptr);
    }).join();
}

// A handler may also have its thread go on elsewhere without longjmp, as runtimes of other languages do. Sanitizers
// keep account of stack frames, and do not hear of those that setcontext() leaves.
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
TEST_CASE("a thread that left a call in another way calls again") {
    const FaultHandler handler(changeContext);
    const DisplayFixture egl;
    const Current current(egl, EGL_NO_CONTEXT);
    const Scene scene = makeScene();
    for (const BadCall& bad : badCalls()) {
        CAPTURE(std::string(bad.name));
        for (int time = 0; time < kTimes; ++time) {
            glUseProgram(scene.name);
            volatile bool left = false;
            getcontext(&otherWayOut);
            if (!left) {
                left = true;
                bad.call(scene);
                left = false;
            }
            CHECK(left);
        }
        CHECK(drawsGreen(scene.name));
        CHECK_FALSE(isLeft([] {}));
    }
    // A jump that has nothing to do with calls, past where they were.
    CHECK((sigsetjmp(wayOut, 1) != 0 || (siglongjmp(wayOut, 1), false)));
}
#endif

TEST_CASE("EGL's calls, too") {
    const FaultHandler handler(jumpOut);
    const DisplayFixture egl;
    EGLint count = 0;
    EGLConfig found = nullptr;
    const EGLConfig config = egl.config();
    for (int time = 0; time < kTimes; ++time) {
        CHECK(isLeft([&] { eglChooseConfig(egl.display, nowhere<EGLint>(), &found, 1, &count); }));
        CHECK(isLeft([&] { eglCreatePbufferSurface(egl.display, config, nowhere<EGLint>()); }));
        CHECK(isLeft([&] { eglCreateContext(egl.display, config, EGL_NO_CONTEXT, nowhere<EGLint>()); }));
        CHECK(isLeft([&] { eglGetConfigAttrib(egl.display, config, EGL_RED_SIZE, nowhere<EGLint>()); }));
    }
    bool drew = false;
    std::thread([&] {
        const Current other(egl, EGL_NO_CONTEXT);
        drew = drawsGreen(plainProgram());
    }).join();
    CHECK(drew);
    const Current current(egl, EGL_NO_CONTEXT);
    CHECK(drawsGreen(plainProgram()));
}
