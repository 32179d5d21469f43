// The X11 window system: one connection, its visuals, and the drawables shown on it.
#pragma once

#include <atomic>
#include <cstdlib>
#include <memory>
#include <vector>

#include "present/scan_out.h"
#include "present/x11_functions.h"

namespace tessera::present {

/// Replies and errors of xcb come from malloc.
struct FreeReply {
    void operator()(void* reply) const { std::free(reply); }
};
template <class T>
using Reply = std::unique_ptr<T, FreeReply>;

class X11Connection final : public WindowSystem, public std::enable_shared_from_this<X11Connection> {
public:
    struct Visual {
        uint32_t id = 0;
        uint8_t kind = 0, depth = 0;
        PixelLayout layout;
    };

    /// Null when the connection is broken or its server keeps pixels in a way that scan-out does not write.
    [[nodiscard]] static std::shared_ptr<X11Connection> open(const X11Native& native);
    ~X11Connection() override;

    [[nodiscard]] std::optional<NativeVisual> visual(ColorBits bits) const override;
    [[nodiscard]] bool hasPixmaps(ColorBits bits) const override;
    [[nodiscard]] std::unique_ptr<Presenter> openWindow(uint64_t window, ColorBits bits) override;
    [[nodiscard]] std::unique_ptr<NativePixmap> openPixmap(uint64_t pixmap) override;
    void wait() override;

    /// False once the connection broke or the application closed its Display: nothing may be sent any more.
    [[nodiscard]] bool alive() const { return !closed_ && xcb().xcb_connection_has_error(connection_) == 0; }
    [[nodiscard]] xcb_connection_t* get() const { return connection_; }
    [[nodiscard]] const XcbFunctions& xcb() const { return *xcbFunctions(); }
    /// Null without MIT-SHM.
    [[nodiscard]] const XcbShmFunctions* shm() const { return shm_; }
    /// The server turned a segment down: it is on another machine.
    void giveUpShm() { shm_ = nullptr; }

    [[nodiscard]] const Visual* findVisual(uint32_t id) const;
    /// The layout that pixmaps of a depth have by convention; null for an unsupported depth.
    [[nodiscard]] const PixelLayout* pixmapLayout(int depth) const;

private:
    explicit X11Connection(const X11Native& native);
    [[nodiscard]] bool readSetup(int screen);
    [[nodiscard]] const Visual* visualFor(ColorBits bits) const;
    void watchClose(Display* display);

    xcb_connection_t* connection_ = nullptr;
    bool own_ = false;                  ///< opened by us
    std::atomic<bool> closed_ = false;  ///< the application called XCloseDisplay
    const XcbShmFunctions* shm_ = nullptr;
    std::vector<Visual> visuals_;
    std::vector<int> depths_;  ///< that pixmaps can have
};

}  // namespace tessera::present
