// Window systems behind one interface: windows that frames are shown in, pixmaps that are drawn to, and the visuals
// that fit them. X11, Wayland and SDL implement it; a headless display has no window system at all.
//
// The libraries of a window system are loaded when the first display of it is opened, so the driver depends on none.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "base/rectangle.h"
#include "texture/image.h"

namespace tessera::present {

/// A native window that frames are shown in. Used by one thread at a time.
class Presenter {
public:
    virtual ~Presenter() = default;
    /// Current drawable size in pixels. False when the window is gone.
    [[nodiscard]] virtual bool size(int& width, int& height) = 0;
    /// A frame is being finished that will be shown: asks for what size() will return, so that the answer comes
    /// while the GPU works and nobody waits for it.
    virtual void prepare() {}
    /// Shows the image (row 0 at the bottom) in a window of the size that size() has just returned. Scales nothing: the
    /// overlapping part is shown. `damage` is what changed since the last frame shown, a hint for who composes it;
    /// none: everything. All of the image is shown in any case. False when the window is gone.
    [[nodiscard]] virtual bool present(const texture::Image& image, std::span<const Rect> damage) = 0;
    /// Frames to wait for the display, 0 or 1.
    virtual void setSwapInterval(int interval) { (void)interval; }
};

/// A native off-screen image that both the window system and GL draw to.
class NativePixmap {
public:
    virtual ~NativePixmap() = default;
    /// False when the pixmap is gone.
    [[nodiscard]] virtual bool size(int& width, int& height) = 0;
    /// Native pixels into the image, and back. False when the pixmap is gone.
    [[nodiscard]] virtual bool read(texture::Image& image) = 0;
    [[nodiscard]] virtual bool write(const texture::Image& image) = 0;
    /// Bits of colour and alpha of one native pixel.
    [[nodiscard]] virtual int depth() const = 0;
};

/// What a window or pixmap must be made with to match a colour buffer.
struct NativeVisual {
    uint32_t id = 0;
    int kind = 0;  ///< the X11 visual class; 0 elsewhere
};

/// Channel sizes of a colour buffer, in bits.
struct ColorBits {
    int red = 8, green = 8, blue = 8, alpha = 0;
};

/// A connection to a window system. Native handles are passed as the 64 bits that EGL was given.
class WindowSystem {
public:
    virtual ~WindowSystem() = default;
    /// What windows for that colour buffer look like; none: they cannot be shown.
    [[nodiscard]] virtual std::optional<NativeVisual> visual(ColorBits bits) const = 0;
    [[nodiscard]] virtual bool hasPixmaps(ColorBits bits) const { return (void)bits, false; }
    /// Null when the handle is no window, or one of a format that cannot be shown in.
    [[nodiscard]] virtual std::unique_ptr<Presenter> openWindow(uint64_t window, ColorBits bits) = 0;
    [[nodiscard]] virtual std::unique_ptr<NativePixmap> openPixmap(uint64_t pixmap) { return (void)pixmap, nullptr; }
    /// Waits until the window system has done all that was asked of it on this connection (eglWaitNative).
    virtual void wait() {}
    [[nodiscard]] virtual int maxSwapInterval() const { return 1; }
};

/// The application's X connection, or (both null) one of our own to $DISPLAY. Null when there is none.
/// `screen` is -1 for the connection's default.
struct X11Native {
    void* xlib = nullptr;  ///< Display*
    void* xcb = nullptr;   ///< xcb_connection_t*
    int screen = -1;
};
[[nodiscard]] std::shared_ptr<WindowSystem> connectX11(const X11Native& native);

/// The application's wl_display, or (null) one of our own to $WAYLAND_DISPLAY. Null when there is none.
[[nodiscard]] std::shared_ptr<WindowSystem> connectWayland(void* display);

/// Windows are SDL_Window*. Null when SDL cannot be loaded.
[[nodiscard]] std::shared_ptr<WindowSystem> connectSdl();

/// What a native display handle of unknown origin is. Never dereferences what it cannot read.
enum class NativeKind : uint8_t { Unknown, Xlib, Wayland };
[[nodiscard]] NativeKind classifyNativeDisplay(const void* display);

/// True when `size` bytes at the address can be read.
[[nodiscard]] bool isReadable(const void* address, size_t size);

}  // namespace tessera::present
