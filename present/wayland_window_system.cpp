// The Wayland window system: frames go to the compositor in wl_shm buffers. Windows are wl_egl_window objects, made by
// libwayland-egl in the application; what they hold is wayland-egl-backend.h.
//
// Every window listens on an event queue of its own, so nothing of the application's is dispatched here.
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wayland-egl-backend.h>

#include <chrono>
#include <cstring>
#include <list>

#include "present/scan_out.h"
#include "present/wayland_functions.h"

namespace tessera::present {

namespace {

/// A compositor stops sending frame events to a hidden window; a program should not hang in it.
constexpr auto kFrameTimeout = std::chrono::milliseconds(100);

class WaylandConnection final : public WindowSystem, public std::enable_shared_from_this<WaylandConnection> {
public:
    [[nodiscard]] static std::shared_ptr<WaylandConnection> open(void* native) {
        if (!loadWayland()) return nullptr;
        auto out = std::make_shared<WaylandConnection>();
        out->own_ = native == nullptr;
        out->display_ = native != nullptr ? static_cast<wl_display*>(native) : wayland.wl_display_connect(nullptr);
        return out->display_ != nullptr && out->bindShm() ? out : nullptr;
    }
    ~WaylandConnection() override {
        if (shm_ != nullptr) wl_shm_destroy(shm_);
        if (queue_ != nullptr) wayland.wl_event_queue_destroy(queue_);
        if (own_ && display_ != nullptr) wayland.wl_display_disconnect(display_);
    }

    [[nodiscard]] std::optional<NativeVisual> visual(ColorBits bits) const override {
        if (bits.red != 8 || bits.green != 8 || bits.blue != 8) return std::nullopt;
        return NativeVisual{bits.alpha > 0 ? WL_SHM_FORMAT_ARGB8888 : WL_SHM_FORMAT_XRGB8888, 0};
    }
    [[nodiscard]] std::unique_ptr<Presenter> openWindow(uint64_t window, ColorBits bits) override;
    void wait() override { wayland.wl_display_roundtrip_queue(display_, queue_); }

    [[nodiscard]] wl_display* display() const { return display_; }
    [[nodiscard]] wl_shm* shm() const { return shm_; }
    [[nodiscard]] bool alive() const { return wayland.wl_display_get_error(display_) == 0; }

private:
    [[nodiscard]] bool bindShm() {
        queue_ = wayland.wl_display_create_queue(display_);
        auto* wrapper = static_cast<wl_display*>(wayland.wl_proxy_create_wrapper(display_));
        if (queue_ == nullptr || wrapper == nullptr) return false;
        wayland.wl_proxy_set_queue(reinterpret_cast<wl_proxy*>(wrapper), queue_);
        wl_registry* registry = wl_display_get_registry(wrapper);
        wayland.wl_proxy_wrapper_destroy(wrapper);
        if (registry == nullptr) return false;
        static constexpr wl_registry_listener kListener = {&WaylandConnection::onGlobal,
                                                           [](void*, wl_registry*, uint32_t) {}};
        wl_registry_add_listener(registry, &kListener, this);
        wayland.wl_display_roundtrip_queue(display_, queue_);
        wl_registry_destroy(registry);
        return shm_ != nullptr;
    }
    static void onGlobal(void* self, wl_registry* registry, uint32_t name, const char* interface, uint32_t) {
        auto* connection = static_cast<WaylandConnection*>(self);
        // XRGB8888 and ARGB8888 exist everywhere: the formats need not be listened for.
        if (std::strcmp(interface, "wl_shm") == 0 && connection->shm_ == nullptr)
            connection->shm_ = static_cast<wl_shm*>(wl_registry_bind(registry, name, &wl_shm_interface, 1));
    }

    wl_display* display_ = nullptr;
    wl_event_queue* queue_ = nullptr;
    wl_shm* shm_ = nullptr;
    bool own_ = false;
};

/// One wl_buffer over memory of its own. The compositor holds it from commit to release.
struct WaylandBuffer {
    wl_buffer* buffer = nullptr;
    std::byte* data = nullptr;
    size_t bytes = 0;
    int width = 0, height = 0;
    bool busy = false;

    WaylandBuffer() = default;
    WaylandBuffer(const WaylandBuffer&) = delete;
    WaylandBuffer& operator=(const WaylandBuffer&) = delete;
    ~WaylandBuffer() {
        if (buffer != nullptr) wl_buffer_destroy(buffer);
        if (data != nullptr) munmap(data, bytes);
    }

    [[nodiscard]] bool create(wl_shm* shm, int newWidth, int newHeight, uint32_t format) {
        width = newWidth, height = newHeight;
        bytes = static_cast<size_t>(width) * static_cast<size_t>(height) * 4;
        int file = memfd_create("tessera-frame", MFD_CLOEXEC | MFD_ALLOW_SEALING);
        if (file < 0) return false;
        void* address = ftruncate(file, static_cast<off_t>(bytes)) == 0
                            ? mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                            : MAP_FAILED;
        if (address != MAP_FAILED) {
            data = static_cast<std::byte*>(address);
            wl_shm_pool* pool = wl_shm_create_pool(shm, file, static_cast<int32_t>(bytes));
            buffer = wl_shm_pool_create_buffer(pool, 0, width, height, width * 4, format);
            wl_shm_pool_destroy(pool);
            static constexpr wl_buffer_listener kListener = {
                [](void* self, wl_buffer*) { static_cast<WaylandBuffer*>(self)->busy = false; }};
            wl_buffer_add_listener(buffer, &kListener, this);
        }
        close(file);
        return buffer != nullptr;
    }
};

class WaylandWindow final : public Presenter {
public:
    WaylandWindow(std::shared_ptr<WaylandConnection> connection, wl_egl_window* window, bool alpha)
        : connection_(std::move(connection)), window_(window), alpha_(alpha) {
        queue_ = wayland.wl_display_create_queue(connection_->display());
        shm_ = onQueue(connection_->shm());
        surface_ = onQueue(window->surface);
        window_->driver_private = this;
        window_->destroy_window_callback = [](void* self) { static_cast<WaylandWindow*>(self)->window_ = nullptr; };
    }
    ~WaylandWindow() override {
        if (window_ != nullptr) {
            window_->driver_private = nullptr;
            window_->destroy_window_callback = nullptr;
        }
        if (frame_ != nullptr) wl_callback_destroy(frame_);
        buffers_.clear();
        wayland.wl_proxy_wrapper_destroy(surface_);
        wayland.wl_proxy_wrapper_destroy(shm_);
        wayland.wl_event_queue_destroy(queue_);
    }

    bool size(int& width, int& height) override {
        if (window_ != nullptr) width_ = window_->width, height_ = window_->height;
        width = width_, height = height_;
        return window_ != nullptr && connection_->alive();
    }

    bool present(const texture::Image& image, std::span<const Rect> damage) override {
        if (window_ == nullptr || !connection_->alive()) return false;
        if (interval_ > 0 && frame_ != nullptr) dispatchUntil([&] { return frame_ == nullptr; });
        WaylandBuffer* buffer = freeBuffer(image.width(), image.height());
        if (buffer == nullptr) return false;
        PixelLayout layout;
        if (alpha_) layout.alphaBits = 8, layout.alphaMask = 0;
        scanOut(image, buffer->data, static_cast<size_t>(image.width()) * 4, image.width(), image.height(), layout);
        if (frame_ == nullptr) {
            frame_ = wl_surface_frame(surface_);
            static constexpr wl_callback_listener kListener = {&WaylandWindow::onFrame};
            wl_callback_add_listener(frame_, &kListener, this);
        }
        wl_surface_attach(surface_, buffer->buffer, window_->dx, window_->dy);
        window_->dx = window_->dy = 0;
        window_->attached_width = image.width(), window_->attached_height = image.height();
        showDamage(image, damage);
        wl_surface_commit(surface_);
        buffer->busy = true;
        wayland.wl_display_flush(connection_->display());
        return connection_->alive();
    }

    void setSwapInterval(int interval) override { interval_ = interval; }

private:
    static constexpr size_t kMaxBuffers = 4;

    template <class Proxy>
    [[nodiscard]] Proxy* onQueue(Proxy* proxy) const {
        auto* wrapper = static_cast<Proxy*>(wayland.wl_proxy_create_wrapper(proxy));
        wayland.wl_proxy_set_queue(reinterpret_cast<wl_proxy*>(wrapper), queue_);
        return wrapper;
    }

    static void onFrame(void* self, wl_callback* callback, uint32_t) {
        static_cast<WaylandWindow*>(self)->frame_ = nullptr;
        wl_callback_destroy(callback);
    }

    void showDamage(const texture::Image& image, std::span<const Rect> damage) {
        // Surfaces before version 4 count damage in scaled coordinates: there, everything is damaged.
        bool buffers =
            wl_proxy_get_version(reinterpret_cast<wl_proxy*>(surface_)) >= WL_SURFACE_DAMAGE_BUFFER_SINCE_VERSION;
        if (!buffers || damage.empty()) {
            wl_surface_damage(surface_, 0, 0, INT32_MAX, INT32_MAX);
            return;
        }
        for (const Rect& part : damage) {
            Rect rect = overlap(image, image.width(), image.height(), part);
            if (rect.width > 0 && rect.height > 0)
                wl_surface_damage_buffer(surface_, rect.x, rect.y, rect.width, rect.height);
        }
    }

    [[nodiscard]] WaylandBuffer* freeBuffer(int width, int height) {
        wayland.wl_display_dispatch_queue_pending(connection_->display(), queue_);
        auto fits = [&](const WaylandBuffer& buffer) {
            return !buffer.busy && buffer.width == width && buffer.height == height;
        };
        buffers_.remove_if([&](const WaylandBuffer& buffer) { return !buffer.busy && !fits(buffer); });
        auto find = [&]() -> WaylandBuffer* {
            for (WaylandBuffer& buffer : buffers_)
                if (fits(buffer)) return &buffer;
            return nullptr;
        };
        if (buffers_.size() >= kMaxBuffers && find() == nullptr) dispatchUntil([&] { return find() != nullptr; });
        if (WaylandBuffer* buffer = find()) return buffer;
        WaylandBuffer& fresh = buffers_.emplace_back();
        if (fresh.create(shm_, width, height, alpha_ ? WL_SHM_FORMAT_ARGB8888 : WL_SHM_FORMAT_XRGB8888)) return &fresh;
        buffers_.pop_back();
        return nullptr;
    }

    /// Handles this window's events until `done`, or until the compositor has been silent for too long.
    template <class Done>
    void dispatchUntil(Done&& done) {
        wl_display* display = connection_->display();
        auto end = std::chrono::steady_clock::now() + kFrameTimeout;
        while (!done()) {
            if (wayland.wl_display_prepare_read_queue(display, queue_) != 0) {
                if (wayland.wl_display_dispatch_queue_pending(display, queue_) < 0) return;
                continue;
            }
            wayland.wl_display_flush(display);
            auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
            pollfd wanted{wayland.wl_display_get_fd(display), POLLIN, 0};
            if (left.count() <= 0 || poll(&wanted, 1, static_cast<int>(left.count())) <= 0) {
                wayland.wl_display_cancel_read(display);
                return;
            }
            if (wayland.wl_display_read_events(display) < 0) return;
            if (wayland.wl_display_dispatch_queue_pending(display, queue_) < 0) return;
        }
    }

    std::shared_ptr<WaylandConnection> connection_;
    wl_egl_window* window_;  ///< null once the application destroyed it
    bool alpha_;
    wl_event_queue* queue_ = nullptr;
    wl_shm* shm_ = nullptr;
    wl_surface* surface_ = nullptr;
    wl_callback* frame_ = nullptr;  ///< pending frame event
    std::list<WaylandBuffer> buffers_;
    int interval_ = 1, width_ = 0, height_ = 0;
};

std::unique_ptr<Presenter> WaylandConnection::openWindow(uint64_t handle, ColorBits bits) {
    auto* window = reinterpret_cast<wl_egl_window*>(handle);
    if (!alive() || !isReadable(window, sizeof *window)) return nullptr;
    if (window->version < 1 || window->version > WL_EGL_WINDOW_VERSION || window->surface == nullptr) return nullptr;
    return std::make_unique<WaylandWindow>(shared_from_this(), window, bits.alpha > 0);
}

}  // namespace

std::shared_ptr<WindowSystem> connectWayland(void* display) { return WaylandConnection::open(display); }

}  // namespace tessera::present
