#include "demos/host/surface.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <EGL/egltessera.h>
#include <SDL.h>

#include <cstdlib>
#include <cstring>

namespace demos {

namespace {

bool clientExtension(const char* name) {
    const char* extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    return extensions != nullptr && std::strstr(extensions, name) != nullptr;
}

std::string eglErrorName(EGLint error) {
    switch (error) {
#define NAME(value) \
    case value:     \
        return #value
        NAME(EGL_SUCCESS);
        NAME(EGL_NOT_INITIALIZED);
        NAME(EGL_BAD_ACCESS);
        NAME(EGL_BAD_ALLOC);
        NAME(EGL_BAD_ATTRIBUTE);
        NAME(EGL_BAD_CONFIG);
        NAME(EGL_BAD_CONTEXT);
        NAME(EGL_BAD_CURRENT_SURFACE);
        NAME(EGL_BAD_DISPLAY);
        NAME(EGL_BAD_MATCH);
        NAME(EGL_BAD_NATIVE_PIXMAP);
        NAME(EGL_BAD_NATIVE_WINDOW);
        NAME(EGL_BAD_PARAMETER);
        NAME(EGL_BAD_SURFACE);
        NAME(EGL_CONTEXT_LOST);
#undef NAME
        default:
            return "EGL error " + std::to_string(error);
    }
}

/// Display, configuration and context of an EGL platform.
struct EglContext {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLConfig config = nullptr;
    EGLContext context = EGL_NO_CONTEXT;

    bool open(EGLenum platform, EGLint surfaceBit, const SurfaceWish& wish, std::string* error) {
        auto getPlatformDisplay =
            reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
        if (getPlatformDisplay != nullptr) display = getPlatformDisplay(platform, nullptr, nullptr);
        if (display == EGL_NO_DISPLAY || eglInitialize(display, nullptr, nullptr) != EGL_TRUE) {
            *error = "EGL has no such display on this driver";
            return false;
        }
        eglBindAPI(EGL_OPENGL_ES_API);
        if (!choose(surfaceBit, wish.version, wish.samples) && !choose(surfaceBit, wish.version, 1)) {
            *error = "no RGBA8 D24 S8 configuration";
            return false;
        }
        const EGLint contextAttributes[] = {EGL_CONTEXT_CLIENT_VERSION, wish.version, EGL_NONE};
        context = eglCreateContext(display, config, EGL_NO_CONTEXT, contextAttributes);
        if (context == EGL_NO_CONTEXT) *error = "no OpenGL ES " + std::to_string(wish.version) + " context";
        return context != EGL_NO_CONTEXT;
    }

    bool choose(EGLint surfaceBit, int version, int samples) {
        const EGLint renderable = version == 1   ? EGL_OPENGL_ES_BIT
                                  : version == 2 ? EGL_OPENGL_ES2_BIT
                                                 : EGL_OPENGL_ES3_BIT_KHR;
        const bool isMultisampled = samples > 1;
        const EGLint attributes[] = {EGL_SURFACE_TYPE,
                                     surfaceBit,
                                     EGL_RENDERABLE_TYPE,
                                     renderable,
                                     EGL_RED_SIZE,
                                     8,
                                     EGL_GREEN_SIZE,
                                     8,
                                     EGL_BLUE_SIZE,
                                     8,
                                     EGL_ALPHA_SIZE,
                                     8,
                                     EGL_DEPTH_SIZE,
                                     24,
                                     EGL_STENCIL_SIZE,
                                     8,
                                     EGL_SAMPLE_BUFFERS,
                                     isMultisampled ? 1 : 0,
                                     EGL_SAMPLES,
                                     isMultisampled ? samples : 0,
                                     EGL_NONE};
        EGLint count = 0;
        return eglChooseConfig(display, attributes, &config, 1, &count) == EGL_TRUE && count > 0;
    }

    bool makeCurrent(EGLSurface surface, std::string* error) const {
        if (surface != EGL_NO_SURFACE && eglMakeCurrent(display, surface, surface, context) == EGL_TRUE) return true;
        *error = "EGL surface cannot be made current";
        return false;
    }

    bool swap(EGLSurface surface, std::string* error) const {
        if (eglSwapBuffers(display, surface) == EGL_TRUE) return true;
        *error = "eglSwapBuffers: " + eglErrorName(eglGetError());
        return false;
    }

    void close(EGLSurface surface) const {
        if (display == EGL_NO_DISPLAY) return;
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        if (surface != EGL_NO_SURFACE) eglDestroySurface(display, surface);
        if (context != EGL_NO_CONTEXT) eglDestroyContext(display, context);
        eglTerminate(display);
    }
};

class HeadlessSurface final : public Surface {
public:
    explicit HeadlessSurface(const SurfaceWish& wish) : wish_(wish) {}
    ~HeadlessSurface() override { egl_.close(surface_); }

    bool open(std::string* error) {
        if (!egl_.open(EGL_PLATFORM_SURFACELESS_MESA, EGL_PBUFFER_BIT, wish_, error)) return false;
        const EGLint attributes[] = {EGL_WIDTH, wish_.width, EGL_HEIGHT, wish_.height, EGL_NONE};
        surface_ = eglCreatePbufferSurface(egl_.display, egl_.config, attributes);
        return egl_.makeCurrent(surface_, error);
    }
    bool swap(std::string* error) override { return egl_.swap(surface_, error); }
    void size(int& width, int& height) const override { width = wish_.width, height = wish_.height; }

private:
    EglContext egl_;
    EGLSurface surface_ = EGL_NO_SURFACE;
    SurfaceWish wish_;
};

/// Tessera: EGL over the SDL window.
class TesseraWindow final : public Surface {
public:
    ~TesseraWindow() override {
        egl_.close(surface_);
        if (window_ != nullptr) SDL_DestroyWindow(window_);
        SDL_Quit();
    }
    bool open(const char* title, const SurfaceWish& wish, std::string* error) {
        window_ = SDL_CreateWindow(title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, wish.width, wish.height,
                                   SDL_WINDOW_RESIZABLE);
        if (window_ == nullptr) return *error = SDL_GetError(), false;
        if (!egl_.open(EGL_PLATFORM_SDL_TESSERA, EGL_WINDOW_BIT, wish, error)) return false;
        auto createWindowSurface = reinterpret_cast<PFNEGLCREATEPLATFORMWINDOWSURFACEEXTPROC>(
            eglGetProcAddress("eglCreatePlatformWindowSurfaceEXT"));
        surface_ = createWindowSurface(egl_.display, egl_.config, window_, nullptr);
        return egl_.makeCurrent(surface_, error);
    }
    bool swap(std::string* error) override { return egl_.swap(surface_, error); }
    void size(int& width, int& height) const override {
        eglQuerySurface(egl_.display, surface_, EGL_WIDTH, &width);
        eglQuerySurface(egl_.display, surface_, EGL_HEIGHT, &height);
    }
    [[nodiscard]] SDL_Window* window() const override { return window_; }

private:
    EglContext egl_;
    EGLSurface surface_ = EGL_NO_SURFACE;
    SDL_Window* window_ = nullptr;
};

/// Any other driver, and Wayland: SDL makes the context.
class SdlGlWindow final : public Surface {
public:
    ~SdlGlWindow() override {
        if (context_ != nullptr) SDL_GL_DeleteContext(context_);
        if (window_ != nullptr) SDL_DestroyWindow(window_);
        SDL_Quit();
    }
    bool open(const char* title, const SurfaceWish& wish, std::string* error) {
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_ES);
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, wish.version);
        SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, wish.version == 1 ? 1 : 0);
        SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 24);
        for (const int samples : {wish.samples, 1}) {
            SDL_GL_SetAttribute(SDL_GL_MULTISAMPLEBUFFERS, samples > 1 ? 1 : 0);
            SDL_GL_SetAttribute(SDL_GL_MULTISAMPLESAMPLES, samples > 1 ? samples : 0);
            window_ = SDL_CreateWindow(title, SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, wish.width, wish.height,
                                       SDL_WINDOW_RESIZABLE | SDL_WINDOW_OPENGL);
            if (window_ != nullptr) break;
        }
        if (window_ != nullptr) context_ = SDL_GL_CreateContext(window_);
        if (context_ == nullptr) *error = SDL_GetError();
        return context_ != nullptr;
    }
    bool swap(std::string* error) override {
        SDL_ClearError();
        SDL_GL_SwapWindow(window_);
        *error = SDL_GetError();  // the call itself returns nothing
        return error->empty();
    }
    void size(int& width, int& height) const override { SDL_GL_GetDrawableSize(window_, &width, &height); }
    [[nodiscard]] SDL_Window* window() const override { return window_; }

private:
    SDL_Window* window_ = nullptr;
    SDL_GLContext context_ = nullptr;
};

/// SDL falls back to drivers that show nothing; those count as no display.
bool hasDisplay(std::string* error) {
    // Where Wayland has no place for its sockets its library complains on standard error, before anything else is said.
    if (std::getenv("XDG_RUNTIME_DIR") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr)
        SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER, "x11", SDL_HINT_DEFAULT);
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return *error = SDL_GetError(), false;
    const char* driver = SDL_GetCurrentVideoDriver();
    if (driver != nullptr && std::strcmp(driver, "dummy") != 0 && std::strcmp(driver, "offscreen") != 0) return true;
    SDL_Quit();
    *error = "no display";
    return false;
}

template <class Window>
std::unique_ptr<Surface> openWindow(const char* title, const SurfaceWish& wish, std::string* error) {
    auto window = std::make_unique<Window>();
    if (!window->open(title, wish, error)) return nullptr;
    return window;
}

}  // namespace

std::unique_ptr<Surface> makeHeadlessSurface(const SurfaceWish& wish, std::string* error) {
    auto surface = std::make_unique<HeadlessSurface>(wish);
    if (!surface->open(error)) return nullptr;
    return surface;
}

std::unique_ptr<Surface> makeWindowSurface(const char* title, const SurfaceWish& wish, std::string* error) {
    if (!hasDisplay(error)) return nullptr;
    // On Wayland SDL gives every window an EGL surface of its own, so that is the one to draw to.
    const bool hasOwnSurface = std::strcmp(SDL_GetCurrentVideoDriver(), "wayland") == 0;
    return clientExtension("EGL_TESSERA_platform_sdl") && !hasOwnSurface ? openWindow<TesseraWindow>(title, wish, error)
                                                                         : openWindow<SdlGlWindow>(title, wish, error);
}

}  // namespace demos
