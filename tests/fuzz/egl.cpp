// Streams of EGL and GL calls on two threads, which share displays, contexts, surfaces, images and syncs: whatever was
// made may be used, made current and destroyed by both at any time, and handles stay in use after what they named is
// gone. Demands: the errors of EGL, and in the end a fresh context draws.
#define EGL_EGLEXT_PROTOTYPES 1
#define GL_GLEXT_PROTOTYPES 1
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

#include <array>
#include <atomic>
#include <thread>

#include "api/gles/driver.h"
#include "shader-core/interp/interpreter.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/input.h"
#include "tests/gles/hostile_caller.h"

namespace {

using namespace tessera;
using fuzz::Input;

constexpr EGLTime kWait = 1'000'000;  ///< at most, in nanoseconds: a sync may never be signalled

/// A few handles of one kind. Some are of what is gone, some were never any.
class Handles {
public:
    void put(Input& input, void* handle) { slots_[input.byte() % slots_.size()] = handle; }
    [[nodiscard]] void* get(Input& input) const {
        const uint8_t which = input.byte();
        return which < 240 ? slots_[which % slots_.size()].load() : reinterpret_cast<void*>(uintptr_t{which} * 8);
    }

private:
    std::array<std::atomic<void*>, 4> slots_{};
};

struct Objects {
    EGLDisplay display;
    std::array<EGLConfig, 64> configs{};
    EGLint configCount = 0;
    Handles contexts, surfaces, images, syncs;
};

/// Pairs of an attribute list, likely ones and odd ones, and its end.
std::array<EGLint, 9> attributesOf(Input& input) {
    static constexpr EGLint kNames[] = {EGL_CONTEXT_MAJOR_VERSION,
                                        EGL_CONTEXT_MINOR_VERSION,
                                        EGL_WIDTH,
                                        EGL_HEIGHT,
                                        EGL_TEXTURE_FORMAT,
                                        EGL_TEXTURE_TARGET,
                                        EGL_MIPMAP_TEXTURE,
                                        EGL_LARGEST_PBUFFER,
                                        EGL_CONTEXT_OPENGL_ROBUST_ACCESS_EXT,
                                        EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT,
                                        EGL_IMAGE_PRESERVED_KHR,
                                        EGL_GL_TEXTURE_LEVEL_KHR,
                                        EGL_CONTEXT_PRIORITY_LEVEL_IMG,
                                        EGL_RED_SIZE,
                                        EGL_SURFACE_TYPE,
                                        EGL_SAMPLES};
    static constexpr EGLint kValues[] = {0,
                                         1,
                                         2,
                                         3,
                                         4,
                                         8,
                                         16,
                                         33,
                                         EGL_TEXTURE_RGBA,
                                         EGL_TEXTURE_2D,
                                         EGL_NO_TEXTURE,
                                         EGL_LOSE_CONTEXT_ON_RESET_EXT,
                                         EGL_PBUFFER_BIT,
                                         EGL_DONT_CARE,
                                         -7,
                                         0x7fffffff};
    std::array<EGLint, 9> list{};
    list.fill(EGL_NONE);
    for (size_t i = 0, pairs = input.byte() % 4; i < pairs; ++i) {
        list[2 * i] = kNames[input.byte() % std::size(kNames)];
        list[2 * i + 1] = kValues[input.byte() % std::size(kValues)];
    }
    return list;
}

/// A context that the calls after it are likely to work with.
EGLContext makeContext(Objects& objects, Input& input) {
    const EGLConfig config = input.byte() % 8 == 0
                                 ? EGL_NO_CONFIG_KHR
                                 : objects.configs[input.byte() % static_cast<size_t>(objects.configCount)];
    static constexpr EGLint kUsual[] = {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_NONE};
    const EGLContext share = input.byte() % 2 != 0 ? objects.contexts.get(input) : EGL_NO_CONTEXT;
    const auto attributes = attributesOf(input);
    return eglCreateContext(objects.display, config, share, input.byte() % 4 != 0 ? kUsual : attributes.data());
}

EGLSurface makeSurface(Objects& objects, Input& input) {
    const EGLConfig config = objects.configs[input.byte() % static_cast<size_t>(objects.configCount)];
    const EGLint usual[] = {EGL_WIDTH, input.byte() % 40, EGL_HEIGHT, input.byte() % 40, EGL_NONE};
    const auto attributes = attributesOf(input);
    return eglCreatePbufferSurface(objects.display, config, input.byte() % 4 != 0 ? usual : attributes.data());
}

EGLImage makeImage(Objects& objects, Input& input) {
    static constexpr EGLenum kTargets[] = {EGL_GL_TEXTURE_2D, EGL_GL_RENDERBUFFER, EGL_GL_TEXTURE_CUBE_MAP_POSITIVE_X,
                                           EGL_LINUX_DMA_BUF_EXT, EGL_NONE};
    const EGLenum target = kTargets[input.byte() % std::size(kTargets)];
    const auto name = reinterpret_cast<EGLClientBuffer>(uintptr_t{input.byte()} % 8);
    const EGLContext context = input.byte() % 4 != 0 ? eglGetCurrentContext() : objects.contexts.get(input);
    return eglCreateImageKHR(objects.display, context, target, name, attributesOf(input).data());
}

/// What an image is of, and what it goes to.
void useImage(Objects& objects, Input& input) {
    const GLuint name = input.byte() % 8;
    glBindTexture(GL_TEXTURE_2D, name);
    if (input.byte() % 2 != 0) {
        const GLsizei size = 1 << input.byte() % 6;
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    } else {
        glEGLImageTargetTexture2DOES(GL_TEXTURE_2D, objects.images.get(input));
    }
    glBindRenderbuffer(GL_RENDERBUFFER, name);
    if (input.byte() % 2 != 0)
        glRenderbufferStorage(GL_RENDERBUFFER, GL_RGB565, 8, 8);
    else
        glEGLImageTargetRenderbufferStorageOES(GL_RENDERBUFFER, objects.images.get(input));
}

/// Draws to an image or the surface, and reads it.
void draw(Input& input) {
    const GLuint name = input.byte() % 8;
    glBindFramebuffer(GL_FRAMEBUFFER, name % 3);
    if (name % 3 != 0) glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, name, 0);
    glClearColor(input.byte() / 255.0f, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    uint8_t texel[4] = {};
    if (input.byte() % 2 != 0) glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texel);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 0, 0, 4, 4, 0);
}

void query(Objects& objects, Input& input) {
    const EGLint name = EGL_BUFFER_SIZE + input.byte();
    EGLint value = 0;
    EGLAttrib wide = 0;
    (void)eglQuerySurface(objects.display, objects.surfaces.get(input), name, &value);
    (void)eglQueryContext(objects.display, objects.contexts.get(input), name, &value);
    (void)eglGetConfigAttrib(objects.display, objects.configs[input.byte() % objects.configs.size()], name, &value);
    (void)eglGetSyncAttrib(objects.display, objects.syncs.get(input), EGL_SYNC_TYPE_KHR + input.byte() % 4, &wide);
    (void)eglQueryString(objects.display, EGL_VENDOR + input.byte() % 6);
}

void call(Objects& objects, Input& input, gles_test::HostileCaller& gl) {
    const EGLDisplay display = objects.display;
    switch (input.byte() % 24) {
        case 0:
            return objects.contexts.put(input, makeContext(objects, input));
        case 1:
            return objects.surfaces.put(input, makeSurface(objects, input));
        case 2:
            return objects.images.put(input, makeImage(objects, input));
        case 3:
            return objects.syncs.put(
                input,
                eglCreateSyncKHR(display, input.byte() % 3 != 0 ? EGL_SYNC_FENCE : EGL_SYNC_REUSABLE_KHR, nullptr));
        case 4:
        case 5:
        case 6: {
            const EGLSurface both = objects.surfaces.get(input);
            (void)eglMakeCurrent(display, both, input.byte() % 8 != 0 ? both : objects.surfaces.get(input),
                                 objects.contexts.get(input));
            return;
        }
        case 7:
            (void)eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE,
                                 input.byte() % 2 != 0 ? objects.contexts.get(input) : EGL_NO_CONTEXT);
            return;
        case 8:
            (void)eglDestroyContext(display, objects.contexts.get(input));
            return;
        case 9:
            (void)eglDestroySurface(display, objects.surfaces.get(input));
            return;
        case 10:
            (void)eglDestroyImageKHR(display, objects.images.get(input));
            return;
        case 11:
            (void)eglDestroySyncKHR(display, objects.syncs.get(input));
            return;
        case 12:
            (void)eglClientWaitSyncKHR(display, objects.syncs.get(input), input.byte() % 2, kWait * (input.byte() % 2));
            return;
        case 13:
            (void)eglWaitSyncKHR(display, objects.syncs.get(input), 0);
            return;
        case 14:
            (void)eglSignalSyncKHR(display, objects.syncs.get(input), EGL_SIGNALED_KHR + input.byte() % 2);
            return;
        case 15:
            (void)eglSwapBuffers(display, objects.surfaces.get(input));
            return;
        case 16:
            (void)(input.byte() % 2 != 0 ? eglBindTexImage(display, objects.surfaces.get(input), EGL_BACK_BUFFER)
                                         : eglReleaseTexImage(display, objects.surfaces.get(input), EGL_BACK_BUFFER));
            return;
        case 17:
            (void)eglSurfaceAttrib(display, objects.surfaces.get(input), EGL_MIPMAP_LEVEL + input.byte() % 32,
                                   input.byte());
            return;
        case 18:
            return query(objects, input);
        case 19:
            (void)(input.byte() % 16 == 0 ? eglReleaseThread() : eglWaitClient());
            return;
        case 20:
            return useImage(objects, input);
        case 21:
            return draw(input);
        default:
            for (int calls = input.byte() % 8; calls > 0; --calls) (void)gl.call();
    }
}

void run(Objects& objects, Input input) {
    gles_test::HostileCaller gl([&input] { return input.half() * 0x10001u; }, false);
    while (!input.empty()) {
        call(objects, input, gl);
        const EGLint error = eglGetError();
        fuzz::demand(error >= EGL_SUCCESS && error <= EGL_CONTEXT_LOST, "an error of EGL", std::to_string(error));
    }
    (void)eglReleaseThread();
}

void demandThatAContextDraws() {
    const EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
    fuzz::demand(eglInitialize(display, nullptr, nullptr) == EGL_TRUE, "the display is there again");
    static constexpr EGLint kWanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RED_SIZE, 8, EGL_NONE};
    static constexpr EGLint kSize[] = {EGL_WIDTH, 8, EGL_HEIGHT, 8, EGL_NONE};
    static constexpr EGLint kVersion[] = {EGL_CONTEXT_MAJOR_VERSION, 2, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    (void)eglChooseConfig(display, kWanted, &config, 1, &count);
    const EGLSurface surface = eglCreatePbufferSurface(display, config, kSize);
    const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, kVersion);
    fuzz::demand(eglMakeCurrent(display, surface, surface, context) == EGL_TRUE, "a fresh context is made current");
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    std::array<uint8_t, 4> pixel{};
    glReadPixels(3, 3, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel.data());
    fuzz::demand(pixel[0] == 0 && pixel[1] == 255 && pixel[2] == 0, "a fresh context draws");
    (void)eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    (void)eglTerminate(display);
    (void)eglReleaseThread();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    [[maybe_unused]] static const bool kInstalled = [] {
        gles::setExecutorFactory([] { return interp::makeInterpreter(); });
        return true;
    }();
    if (size < 2) return 0;
    Objects objects;
    objects.display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
    (void)eglInitialize(objects.display, nullptr, nullptr);
    (void)eglGetConfigs(objects.display, objects.configs.data(), static_cast<EGLint>(objects.configs.size()),
                        &objects.configCount);
    const size_t half = data[0] % 4 == 0 ? 0 : size / 2;  // sometimes on one thread, where what fails fails again
    std::thread beside(run, std::ref(objects), Input(data + 1, half));
    run(objects, Input(data + 1 + half, size - 1 - half));
    beside.join();
    (void)eglTerminate(objects.display);
    demandThatAContextDraws();
    return 0;
}
