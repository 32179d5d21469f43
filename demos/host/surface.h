// Where a demo draws: a window or a headless pbuffer, with a current context of that version of OpenGL ES.
#pragma once

#include <memory>
#include <string>

struct SDL_Window;

namespace demos {

class Surface {
public:
    virtual ~Surface() = default;
    /// Shows the frame. False with what failed, by EGL's name of the error.
    [[nodiscard]] virtual bool swap(std::string* error) = 0;
    virtual void size(int& width, int& height) const = 0;
    /// Null for a headless surface.
    [[nodiscard]] virtual SDL_Window* window() const { return nullptr; }
};

/// What a surface is asked for. Where the driver has no such number of samples, a pixel has one.
struct SurfaceWish {
    int width = 0, height = 0;
    int version = 2;  ///< of OpenGL ES
    int samples = 1;
};

/// A pbuffer on EGL's surfaceless platform. Null with a reason when the driver cannot.
[[nodiscard]] std::unique_ptr<Surface> makeHeadlessSurface(const SurfaceWish& wish, std::string* error);

/// A resizable SDL window. Null with a reason, also when there is no display.
[[nodiscard]] std::unique_ptr<Surface> makeWindowSurface(const char* title, const SurfaceWish& wish,
                                                         std::string* error);

}  // namespace demos
