// EGL objects: displays, configurations, surfaces, contexts and syncs. Handles given to the application are
// addresses of these objects, looked up in their display before use, so a stale or made-up handle is an error
// and never a dereference.
//
// Specification: EGL 1.5 (August 2014), sections named at each function.
#pragma once

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "api/gles/driver.h"
#include "present/present.h"

// EGL_TESSERA_platform_sdl: the native display is null, native windows are SDL_Window*.
#define EGL_PLATFORM_SDL_TESSERA 0x3F5D

namespace tessera::egl {

enum class Platform { Surfaceless, Sdl };

/// One frame buffer configuration (section 3.4). Configurations are values of the display, in EGL's sort order.
struct Config {
    EGLint id = 0;
    EGLint red = 0, green = 0, blue = 0, alpha = 0;
    EGLint depth = 0, stencil = 0, samples = 0;
    EGLint surfaceType = 0;
    texture::PixelFormat colorFormat = texture::PixelFormat::Rgba8;

    [[nodiscard]] EGLint bufferSize() const { return red + green + blue + alpha; }
    /// False for an attribute that configurations do not have.
    [[nodiscard]] bool attribute(EGLint name, EGLint* value) const;
};

/// All configurations of a platform, sorted as eglChooseConfig sorts with no attributes given.
[[nodiscard]] std::vector<Config> makeConfigs(Platform platform);

/// eglChooseConfig (section 3.4.1): the matching configurations in the specified order, or an EGL error.
[[nodiscard]] EGLint chooseConfigs(const std::vector<Config>& all, const EGLint* attributes,
                                   std::vector<const Config*>* result);

enum class SurfaceKind { Pbuffer, Window };

struct Surface {
    SurfaceKind kind = SurfaceKind::Pbuffer;
    const Config* config = nullptr;
    std::shared_ptr<gles::Drawable> drawable;
    std::unique_ptr<present::Presenter> presenter;  ///< windows
    const void* nativeWindow = nullptr;
    EGLint swapBehavior = EGL_BUFFER_PRESERVED;
    EGLint multisampleResolve = EGL_MULTISAMPLE_RESOLVE_DEFAULT;
    EGLint mipmapLevel = 0;
    EGLint textureFormat = EGL_NO_TEXTURE, textureTarget = EGL_NO_TEXTURE;
    bool largestPbuffer = false, mipmapTexture = false;
    int currentCount = 0;  ///< threads that have it current, as draw or read

    /// Gives the drawable fresh, zeroed images of that size. False when memory is out.
    [[nodiscard]] bool allocate(int width, int height);
};

struct Context {
    const Config* config = nullptr;  ///< null: EGL_KHR_no_config_context
    std::shared_ptr<gles::Context> gles;
    EGLint clientVersion = 2;
    bool isCurrent = false;
};

struct Sync {
    EGLenum type = EGL_SYNC_FENCE;
    uint64_t serial = 0;    ///< command buffer to wait for
    bool signaled = false;  ///< reusable syncs
};

struct Display {
    Platform platform = Platform::Surfaceless;
    void* native = nullptr;
    bool initialized = false;
    std::vector<Config> configs;
    std::map<EGLSurface, std::shared_ptr<Surface>> surfaces;
    std::map<EGLContext, std::shared_ptr<Context>> contexts;
    std::map<EGLSync, std::shared_ptr<Sync>> syncs;

    [[nodiscard]] const Config* findConfig(EGLConfig handle) const;
    [[nodiscard]] std::shared_ptr<Surface> findSurface(EGLSurface handle) const;
    [[nodiscard]] std::shared_ptr<Context> findContext(EGLContext handle) const;
    [[nodiscard]] std::shared_ptr<Sync> findSync(EGLSync handle) const;
};

/// What the calling thread has current (sections 3.1 and 3.7).
struct ThreadState {
    EGLint error = EGL_SUCCESS;
    EGLenum api = EGL_OPENGL_ES_API;
    Display* display = nullptr;
    std::shared_ptr<Context> context;
    std::shared_ptr<Surface> draw, read;
    EGLint swapInterval = 1;
    ~ThreadState();
};
[[nodiscard]] ThreadState& threadState();

/// All displays of the process and the lock over them.
class Library {
public:
    static Library& instance();
    std::recursive_mutex mutex;

    /// The display of a platform and native handle, made on first use; it lives as long as the process.
    [[nodiscard]] Display* display(Platform platform, void* native);
    /// Null unless the handle is a display.
    [[nodiscard]] Display* find(EGLDisplay handle);

private:
    std::vector<std::unique_ptr<Display>> displays_;
};

/// Sets the thread's error and returns the value: `return fail(EGL_BAD_MATCH, EGL_FALSE);`
template <class Result>
Result fail(EGLint error, Result result) {
    threadState().error = error;
    return result;
}
template <class Result>
Result succeed(Result result) {
    threadState().error = EGL_SUCCESS;
    return result;
}

/// The initialised display, or null with EGL_BAD_DISPLAY / EGL_NOT_INITIALIZED set.
[[nodiscard]] Display* initializedDisplay(EGLDisplay handle);

/// Makes nothing current on the thread.
void releaseCurrent(ThreadState& state);

}  // namespace tessera::egl
