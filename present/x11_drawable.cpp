#include "present/x11_drawable.h"

#include <sys/ipc.h>
#include <sys/shm.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace tessera::present {

// --- Memory shared with the server ---

bool X11Buffer::reserve(size_t bytes) {
    if (bytes <= capacity_) return true;
    release();
    // Some room to grow, so that dragging a window's edge does not make a segment for each size.
    bytes += bytes / 4;
    if (connection_.shm() != nullptr && reserveShared(bytes)) return true;
    plain_.reset(new (std::nothrow) std::byte[bytes]());
    data_ = plain_.get();
    capacity_ = data_ != nullptr ? bytes : 0;
    return data_ != nullptr;
}

bool X11Buffer::reserveShared(size_t bytes) {
    int id = shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600);
    if (id < 0) return false;
    void* address = shmat(id, nullptr, 0);
    if (address == reinterpret_cast<void*>(-1)) {
        shmctl(id, IPC_RMID, nullptr);
        return false;
    }
    const XcbFunctions& xcb = connection_.xcb();
    segment_ = xcb.xcb_generate_id(connection_.get());
    auto attach = connection_.shm()->xcb_shm_attach_checked(connection_.get(), segment_, static_cast<uint32_t>(id), 0);
    Reply<xcb_generic_error_t> error(xcb.xcb_request_check(connection_.get(), attach));
    shmctl(id, IPC_RMID, nullptr);  // it goes with its last user, however that ends
    if (error || !connection_.alive()) {
        shmdt(address);
        segment_ = 0;
        connection_.giveUpShm();
        return false;
    }
    data_ = static_cast<std::byte*>(address);
    capacity_ = bytes;
    return true;
}

void X11Buffer::release() {
    if (segment_ != 0) {
        if (connection_.alive()) {
            auto detach = xcbShmFunctions()->xcb_shm_detach_checked(connection_.get(), segment_);
            connection_.xcb().xcb_discard_reply(connection_.get(), detach.sequence);
            connection_.xcb().xcb_flush(connection_.get());
        }
        shmdt(data_);
        segment_ = 0;
    }
    plain_.reset();
    data_ = nullptr;
    capacity_ = 0;
}

// --- Drawables ---
// Every request is a checked one: its error comes to us and not to the application's error handler, which would end
// the program because a window was closed a moment ago.

X11Drawable::~X11Drawable() {
    if (!connection_->alive()) return;
    if (asked_) connection_->xcb().xcb_discard_reply(connection_->get(), asked_->sequence);
    if (context_ == 0) return;
    auto cookie = connection_->xcb().xcb_free_gc_checked(connection_->get(), context_);
    connection_->xcb().xcb_discard_reply(connection_->get(), cookie.sequence);
}

void X11Drawable::askSize() {
    if (asked_ || !connection_->alive()) return;
    const XcbFunctions& xcb = connection_->xcb();
    asked_ = xcb.xcb_get_geometry(connection_->get(), id_);
    xcb.xcb_flush(connection_->get());
}

bool X11Drawable::size(int& width, int& height) {
    width = width_, height = height_;
    if (!connection_->alive()) return false;
    askSize();
    const XcbFunctions& xcb = connection_->xcb();
    xcb_generic_error_t* error = nullptr;
    Reply<xcb_get_geometry_reply_t> reply(xcb.xcb_get_geometry_reply(connection_->get(), *asked_, &error));
    asked_.reset();
    std::free(error);
    if (!reply) return false;
    width = width_ = reply->width, height = height_ = reply->height;
    return true;
}

bool X11Drawable::put(const texture::Image& image) {
    if (!connection_->alive() || !buffer_.reserve(pitch() * static_cast<size_t>(height_))) return false;
    const XcbFunctions& xcb = connection_->xcb();
    if (context_ == 0) {
        context_ = xcb.xcb_generate_id(connection_->get());
        auto cookie = xcb.xcb_create_gc_checked(connection_->get(), context_, id_, 0, nullptr);
        xcb.xcb_discard_reply(connection_->get(), cookie.sequence);
    }
    const Rect rect = overlap(image, width_, height_);
    bool ok = true;
    if (rect.width > 0 && rect.height > 0) {
        scanOut(image, buffer_.data(), pitch(), rect, layout_);
        ok = putRect(rect);
    }
    xcb.xcb_flush(connection_->get());
    return ok && connection_->alive();
}

bool X11Drawable::putRect(Rect rect) {
    if (!buffer_.isShared()) return putRows(rect);
    auto narrow = [](int value) { return static_cast<uint16_t>(value); };
    auto cookie = xcbShmFunctions()->xcb_shm_put_image_checked(
        connection_->get(), id_, context_, narrow(width_), narrow(height_), narrow(rect.x), narrow(rect.y),
        narrow(rect.width), narrow(rect.height), static_cast<int16_t>(rect.x), static_cast<int16_t>(rect.y),
        static_cast<uint8_t>(depth_), XCB_IMAGE_FORMAT_Z_PIXMAP, 0, buffer_.segment(), 0);
    connection_->xcb().xcb_discard_reply(connection_->get(), cookie.sequence);
    return true;
}

/// Bands of whole rows that fit a request. The rows lie as wide as the drawable, so what is put is that wide, too.
bool X11Drawable::putRows(Rect rect) {
    const XcbFunctions& xcb = connection_->xcb();
    size_t limit = static_cast<size_t>(xcb.xcb_get_maximum_request_length(connection_->get())) * 4 - 64;
    int band = static_cast<int>(std::clamp<size_t>(limit / pitch(), 1, 65535));
    // A part of the rows only: they have to be packed, since requests have no pitch of their own.
    size_t rowBytes = (static_cast<size_t>(rect.width) * layout_.bytes + 3) & ~size_t{3};
    bool whole = rect.x == 0 && rowBytes == pitch();
    std::unique_ptr<std::byte[]> packed;
    if (!whole)
        packed.reset(new (std::nothrow) std::byte[rowBytes * static_cast<size_t>(std::min(band, rect.height))]());
    if (!whole && packed == nullptr) return false;
    for (int y = rect.y; y < rect.y + rect.height; y += band) {
        int rows = std::min(band, rect.y + rect.height - y);
        const std::byte* data = buffer_.data() + static_cast<size_t>(y) * pitch();
        for (int row = 0; !whole && row < rows; ++row)
            std::memcpy(packed.get() + static_cast<size_t>(row) * rowBytes,
                        data + static_cast<size_t>(row) * pitch() + static_cast<size_t>(rect.x) * layout_.bytes,
                        static_cast<size_t>(rect.width) * layout_.bytes);
        auto cookie = xcb.xcb_put_image_checked(
            connection_->get(), XCB_IMAGE_FORMAT_Z_PIXMAP, id_, context_, static_cast<uint16_t>(rect.width),
            static_cast<uint16_t>(rows), static_cast<int16_t>(rect.x), static_cast<int16_t>(y), 0,
            static_cast<uint8_t>(depth_), static_cast<uint32_t>(rowBytes * static_cast<size_t>(rows)),
            reinterpret_cast<const uint8_t*>(whole ? data : packed.get()));
        xcb.xcb_discard_reply(connection_->get(), cookie.sequence);
    }
    return true;
}

bool X11Drawable::get(texture::Image& image) {
    int width = 0, height = 0;
    if (!size(width, height) || !buffer_.reserve(pitch() * static_cast<size_t>(height))) return false;
    const XcbFunctions& xcb = connection_->xcb();
    Rect rect = overlap(image, width, height);
    auto narrow = [](int value) { return static_cast<uint16_t>(value); };
    xcb_generic_error_t* error = nullptr;
    if (buffer_.isShared()) {
        const XcbShmFunctions& shm = *xcbShmFunctions();
        Reply<xcb_shm_get_image_reply_t> reply(shm.xcb_shm_get_image_reply(
            connection_->get(),
            shm.xcb_shm_get_image(connection_->get(), id_, 0, 0, narrow(width), narrow(height), ~0u,
                                  XCB_IMAGE_FORMAT_Z_PIXMAP, buffer_.segment(), 0),
            &error));
        std::free(error);
        if (reply) scanIn(image, buffer_.data(), pitch(), rect, layout_);
        return reply != nullptr;
    }
    Reply<xcb_get_image_reply_t> reply(xcb.xcb_get_image_reply(
        connection_->get(),
        xcb.xcb_get_image(connection_->get(), XCB_IMAGE_FORMAT_Z_PIXMAP, id_, 0, 0, narrow(width), narrow(height), ~0u),
        &error));
    std::free(error);
    bool all = reply &&
               static_cast<size_t>(xcb.xcb_get_image_data_length(reply.get())) >= pitch() * static_cast<size_t>(height);
    if (all)
        scanIn(image, reinterpret_cast<const std::byte*>(xcb.xcb_get_image_data(reply.get())), pitch(), rect, layout_);
    return all;
}

// --- Windows and pixmaps ---

namespace {

class X11Window final : public Presenter {
public:
    X11Window(std::shared_ptr<X11Connection> connection, uint32_t id, int depth, const PixelLayout& layout)
        : drawable_(std::move(connection), id, depth, layout) {}
    bool size(int& width, int& height) override { return drawable_.size(width, height); }
    void prepare() override { drawable_.askSize(); }
    /// There is no compositor to hint at: all of the buffer becomes the front one, whatever the damage.
    bool present(const texture::Image& image, std::span<const Rect>) override { return drawable_.put(image); }

private:
    X11Drawable drawable_;
};

class X11Pixmap final : public NativePixmap {
public:
    X11Pixmap(std::shared_ptr<X11Connection> connection, uint32_t id, int depth, const PixelLayout& layout)
        : drawable_(std::move(connection), id, depth, layout) {}
    bool size(int& width, int& height) override { return drawable_.size(width, height); }
    bool read(texture::Image& image) override { return drawable_.get(image); }
    bool write(const texture::Image& image) override {
        int width = 0, height = 0;
        return drawable_.size(width, height) && drawable_.put(image);
    }
    int depth() const override { return drawable_.depth(); }

private:
    X11Drawable drawable_;
};

}  // namespace

std::unique_ptr<Presenter> X11Connection::openWindow(uint64_t window, ColorBits bits) {
    if (!alive() || window == 0 || window > UINT32_MAX) return nullptr;
    auto id = static_cast<uint32_t>(window);
    xcb_generic_error_t* error = nullptr;
    Reply<xcb_get_window_attributes_reply_t> attributes(
        xcb().xcb_get_window_attributes_reply(connection_, xcb().xcb_get_window_attributes(connection_, id), &error));
    std::free(error);
    if (!attributes || attributes->_class != XCB_WINDOW_CLASS_INPUT_OUTPUT) return nullptr;
    const Visual* found = findVisual(attributes->visual);
    if (found == nullptr) return nullptr;
    PixelLayout layout = found->layout;
    if (found->depth == 32 && bits.alpha > 0) {
        layout.alphaShift = 24;
        layout.alphaBits = 8;
        layout.alphaMask = 0;
    }
    return std::make_unique<X11Window>(shared_from_this(), id, found->depth, layout);
}

std::unique_ptr<NativePixmap> X11Connection::openPixmap(uint64_t pixmap) {
    if (!alive() || pixmap == 0 || pixmap > UINT32_MAX) return nullptr;
    auto id = static_cast<uint32_t>(pixmap);
    xcb_generic_error_t* error = nullptr;
    Reply<xcb_get_geometry_reply_t> geometry(
        xcb().xcb_get_geometry_reply(connection_, xcb().xcb_get_geometry(connection_, id), &error));
    std::free(error);
    const PixelLayout* layout = geometry ? pixmapLayout(geometry->depth) : nullptr;
    if (layout == nullptr) return nullptr;
    return std::make_unique<X11Pixmap>(shared_from_this(), id, geometry->depth, *layout);
}

}  // namespace tessera::present
