// Presents in an SDL window through its window surface. SDL is the application's: the copy it has loaded is used,
// so the driver itself does not depend on SDL.
#include <SDL.h>
#include <dlfcn.h>

#include <cstring>

#include "base/process/shared_library.h"
#include "present/present.h"
#include "present/scan_out.h"

namespace tessera::present {

namespace {

struct SdlFunctions {
    decltype(&SDL_GetWindowSize) getWindowSize = nullptr;
    decltype(&SDL_GetWindowSurface) getWindowSurface = nullptr;
    decltype(&SDL_UpdateWindowSurface) updateWindowSurface = nullptr;
    decltype(&SDL_LockSurface) lockSurface = nullptr;
    decltype(&SDL_UnlockSurface) unlockSurface = nullptr;
    decltype(&SDL_CreateRGBSurfaceWithFormat) createSurface = nullptr;
    decltype(&SDL_FreeSurface) freeSurface = nullptr;
    decltype(&SDL_UpperBlit) blit = nullptr;
    decltype(&SDL_SetSurfaceBlendMode) setBlendMode = nullptr;
    decltype(&SDL_GetWindowID) getWindowId = nullptr;
    decltype(&SDL_GetCurrentVideoDriver) getCurrentVideoDriver = nullptr;
    decltype(&SDL_SetHintWithPriority) setHint = nullptr;
    decltype(&SDL_GetHint) getHint = nullptr;

    [[nodiscard]] bool load() {
        // First what is in the process already under any name, then the usual file.
        SharedLibrary library = dlsym(RTLD_DEFAULT, "SDL_GetWindowSurface") != nullptr
                                    ? SharedLibrary(RTLD_DEFAULT)
                                    : SharedLibrary("libSDL2-2.0.so.0");
        library.get(getWindowSize, "SDL_GetWindowSize");
        library.get(getWindowSurface, "SDL_GetWindowSurface");
        library.get(updateWindowSurface, "SDL_UpdateWindowSurface");
        library.get(lockSurface, "SDL_LockSurface");
        library.get(unlockSurface, "SDL_UnlockSurface");
        library.get(createSurface, "SDL_CreateRGBSurfaceWithFormat");
        library.get(freeSurface, "SDL_FreeSurface");
        library.get(blit, "SDL_UpperBlit");
        library.get(setBlendMode, "SDL_SetSurfaceBlendMode");
        library.get(getWindowId, "SDL_GetWindowID");
        library.get(getCurrentVideoDriver, "SDL_GetCurrentVideoDriver");
        library.get(setHint, "SDL_SetHintWithPriority");
        library.get(getHint, "SDL_GetHint");
        return library.complete();
    }
};

/// On X11, the process's first window surface makes SDL look for an accelerated driver to show all window surfaces
/// with: it makes the window anew for GLX or EGL and draws each frame as a texture. The driver that it finds is slower
/// than MIT-SHM, and may be this one. Elsewhere (Wayland) SDL has no other way. Who chose a way keeps it.
void preferSharedMemory(const SdlFunctions& sdl) {
    const char* driver = sdl.getCurrentVideoDriver();
    if (driver == nullptr || std::strcmp(driver, "x11") != 0) return;
    if (sdl.getHint(SDL_HINT_FRAMEBUFFER_ACCELERATION) == nullptr)
        (void)sdl.setHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0", SDL_HINT_DEFAULT);
}

class SdlPresenter final : public Presenter {
public:
    SdlPresenter(SdlFunctions sdl, SDL_Window* window) : sdl_(sdl), window_(window) {}

    bool size(int& width, int& height) override {
        sdl_.getWindowSize(window_, &width, &height);
        return true;
    }

    bool present(const texture::Image& image, std::span<const Rect>) override {
        SDL_Surface* surface = sdl_.getWindowSurface(window_);
        const bool isShown =
            surface != nullptr && (hasBytes(*surface->format) ? fill(image, surface) : convert(image, surface));
        return isShown && sdl_.updateWindowSurface(window_) == 0;
    }

private:
    /// Whether each channel is a byte of a word.
    static bool hasBytes(const SDL_PixelFormat& format) {
        return format.BytesPerPixel == 4 && format.Rloss == 0 && format.Gloss == 0 && format.Bloss == 0 &&
               format.Rmask >> format.Rshift == 0xFF && format.Gmask >> format.Gshift == 0xFF &&
               format.Bmask >> format.Bshift == 0xFF;
    }

    [[nodiscard]] bool fill(const texture::Image& image, SDL_Surface* surface) {
        if (SDL_MUSTLOCK(surface) && sdl_.lockSurface(surface) != 0) return false;
        PixelLayout layout;
        layout.redShift = surface->format->Rshift;
        layout.greenShift = surface->format->Gshift;
        layout.blueShift = surface->format->Bshift;
        layout.alphaMask = ~(surface->format->Rmask | surface->format->Gmask | surface->format->Bmask);
        scanOut(image, static_cast<std::byte*>(surface->pixels), static_cast<size_t>(surface->pitch), surface->w,
                surface->h, layout);
        if (SDL_MUSTLOCK(surface)) sdl_.unlockSurface(surface);
        return true;
    }

    /// On screens of another depth than 24 bits.
    [[nodiscard]] bool convert(const texture::Image& image, SDL_Surface* surface) {
        SDL_Surface* bytes = sdl_.createSurface(0, surface->w, surface->h, 32, SDL_PIXELFORMAT_RGB888);
        if (bytes == nullptr) return false;
        const bool isDone = sdl_.setBlendMode(bytes, SDL_BLENDMODE_NONE) == 0 && fill(image, bytes) &&
                            sdl_.blit(bytes, nullptr, surface, nullptr) == 0;
        sdl_.freeSurface(bytes);
        return isDone;
    }

    SdlFunctions sdl_;
    SDL_Window* window_;
};

class SdlWindowSystem final : public WindowSystem {
public:
    explicit SdlWindowSystem(SdlFunctions sdl) : sdl_(sdl) {}
    [[nodiscard]] std::optional<NativeVisual> visual(ColorBits) const override { return NativeVisual{}; }
    [[nodiscard]] std::unique_ptr<Presenter> openWindow(uint64_t handle, ColorBits) override {
        auto* window = reinterpret_cast<SDL_Window*>(handle);
        // SDL knows its windows by a mark in them: 0 is no window.
        if (!isReadable(window, sizeof(void*)) || sdl_.getWindowId(window) == 0) return nullptr;
        preferSharedMemory(sdl_);
        return std::make_unique<SdlPresenter>(sdl_, window);
    }

private:
    SdlFunctions sdl_;
};

}  // namespace

std::shared_ptr<WindowSystem> connectSdl() {
    SdlFunctions sdl;
    return sdl.load() ? std::make_shared<SdlWindowSystem>(sdl) : nullptr;
}

}  // namespace tessera::present
