// Presenting a finished colour image: one interface, several back ends (SDL window, X11, Wayland, headless).
#pragma once

#include <memory>

#include "texture/image.h"

namespace tessera::present {

/// A native window that frames are shown in. Used by one thread at a time.
class Presenter {
public:
    virtual ~Presenter() = default;
    /// Current drawable size in pixels.
    virtual void size(int& width, int& height) = 0;
    /// Shows the image (row 0 at the bottom). Scales nothing: the overlapping part is shown.
    virtual void present(const texture::Image& image) = 0;
    /// Frames to wait for the display, 0 or 1.
    virtual void setSwapInterval(int interval) { (void)interval; }
};

/// `window` is an SDL_Window*. SDL is loaded at run time, so the driver does not depend on it.
[[nodiscard]] std::unique_ptr<Presenter> makeSdlPresenter(void* window);

}  // namespace tessera::present
