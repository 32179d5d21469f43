// Pixels to and from an X drawable. Scan-out writes straight into a MIT-SHM segment that the server reads, so a frame
// is copied once by us; without MIT-SHM the same rows travel in PutImage requests.
#pragma once

#include <optional>

#include "present/x11_connection.h"

namespace tessera::present {

/// Memory for native rows: a segment shared with the server, or plain.
class X11Buffer {
public:
    explicit X11Buffer(X11Connection& connection) : connection_(connection) {}
    ~X11Buffer() { release(); }
    X11Buffer(const X11Buffer&) = delete;
    X11Buffer& operator=(const X11Buffer&) = delete;

    /// At least that many bytes; what was in it is lost. False when memory is out.
    [[nodiscard]] bool reserve(size_t bytes);
    [[nodiscard]] std::byte* data() { return data_; }
    [[nodiscard]] bool isShared() const { return segment_ != 0; }
    [[nodiscard]] uint32_t segment() const { return segment_; }

private:
    [[nodiscard]] bool reserveShared(size_t bytes);
    void release();

    X11Connection& connection_;
    std::byte* data_ = nullptr;
    size_t capacity_ = 0;
    uint32_t segment_ = 0;
    std::unique_ptr<std::byte[]> plain_;
};

class X11Drawable {
public:
    X11Drawable(std::shared_ptr<X11Connection> connection, uint32_t id, int depth, const PixelLayout& layout)
        : connection_(std::move(connection)), buffer_(*connection_), id_(id), depth_(depth), layout_(layout) {}
    ~X11Drawable();
    X11Drawable(const X11Drawable&) = delete;
    X11Drawable& operator=(const X11Drawable&) = delete;

    /// Sends the question that size() gets the answer to.
    void askSize();
    /// The answer also says that the server has read the segment for all that was put before the question.
    [[nodiscard]] bool size(int& width, int& height);
    /// Into a drawable of the size that size() returned; asked for after the last put, see there.
    [[nodiscard]] bool put(const texture::Image& image);
    [[nodiscard]] bool get(texture::Image& image);
    [[nodiscard]] int depth() const { return depth_; }

private:
    [[nodiscard]] size_t pitch() const { return (static_cast<size_t>(width_) * layout_.bytes + 3) & ~size_t{3}; }
    [[nodiscard]] bool putRect(Rect rect);
    [[nodiscard]] bool putRows(Rect rect);

    std::shared_ptr<X11Connection> connection_;
    X11Buffer buffer_;
    uint32_t id_, context_ = 0;
    int depth_;
    PixelLayout layout_;
    int width_ = 0, height_ = 0;  ///< as last reported by the server
    std::optional<xcb_get_geometry_cookie_t> asked_;
};

}  // namespace tessera::present
