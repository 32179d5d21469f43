// Presents in an SDL window through its window surface. SDL is the application's: the copy it has loaded is used,
// so the driver itself does not depend on SDL.
#include <SDL.h>
#include <dlfcn.h>

#include <algorithm>

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

    [[nodiscard]] bool load() {
        // First what is in the process already under any name, then the usual file.
        void* library = dlsym(RTLD_DEFAULT, "SDL_GetWindowSurface") != nullptr
                            ? RTLD_DEFAULT
                            : dlopen("libSDL2-2.0.so.0", RTLD_LAZY | RTLD_LOCAL);
        auto get = [&](auto& function, const char* name) {
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
            return function != nullptr;
        };
        return get(getWindowSize, "SDL_GetWindowSize") && get(getWindowSurface, "SDL_GetWindowSurface") &&
               get(updateWindowSurface, "SDL_UpdateWindowSurface") && get(lockSurface, "SDL_LockSurface") &&
               get(unlockSurface, "SDL_UnlockSurface");
    }
};

class SdlPresenter final : public Presenter {
public:
    SdlPresenter(SdlFunctions sdl, SDL_Window* window) : sdl_(sdl), window_(window) {}

    void size(int& width, int& height) override { sdl_.getWindowSize(window_, &width, &height); }

    void present(const texture::Image& image) override {
        SDL_Surface* surface = sdl_.getWindowSurface(window_);
        if (surface == nullptr || surface->format->BytesPerPixel != 4) return;
        if (SDL_MUSTLOCK(surface) && sdl_.lockSurface(surface) != 0) return;
        PixelLayout layout{surface->format->Rshift, surface->format->Gshift, surface->format->Bshift,
                           ~(surface->format->Rmask | surface->format->Gmask | surface->format->Bmask)};
        scanOut(image, static_cast<std::byte*>(surface->pixels), static_cast<size_t>(surface->pitch), surface->w,
                surface->h, layout);
        if (SDL_MUSTLOCK(surface)) sdl_.unlockSurface(surface);
        sdl_.updateWindowSurface(window_);
    }

private:
    SdlFunctions sdl_;
    SDL_Window* window_;
};

}  // namespace

std::unique_ptr<Presenter> makeSdlPresenter(void* window) {
    SdlFunctions sdl;
    if (window == nullptr || !sdl.load()) return nullptr;
    return std::make_unique<SdlPresenter>(sdl, static_cast<SDL_Window*>(window));
}

}  // namespace tessera::present
