// A small Wayland compositor in a thread of the test's process: it keeps what surfaces show instead of showing it.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace egltest {

/// What a surface showed from one commit on.
struct ShownFrame {
    int width = 0, height = 0;
    uint32_t format = 0;                                   ///< WL_SHM_FORMAT_*
    std::vector<uint32_t> pixels;                          ///< in rows from the top
    std::vector<std::array<int, 4>> damage, bufferDamage;  ///< x, y, width, height from the upper left
    std::array<int, 2> moved{};                            ///< by the attached buffer
    uint32_t buffer = 0;                                   ///< the client's name of it

    [[nodiscard]] uint32_t at(int x, int y) const { return pixels[static_cast<size_t>(y * width + x)]; }
};

class Compositor {
public:
    /// `version`: of wl_compositor, and so of surfaces.
    explicit Compositor(int version = 4);
    ~Compositor();
    Compositor(const Compositor&) = delete;
    Compositor& operator=(const Compositor&) = delete;

    /// The client's end of its connection, which it closes.
    [[nodiscard]] int socket() const;
    /// All frames so far. The client has waited for the compositor before, as wl_display_roundtrip does.
    [[nodiscard]] std::vector<ShownFrame> frames();
    /// As of a compositor that is busy with the frames: it gives no buffer back.
    void keepBuffers();
    /// As of a hidden window: it does not say when the next frame is wanted.
    void keepCallbacks();
    /// Ends the connection, as a compositor does that ends.
    void drop();

    struct State;

private:
    std::unique_ptr<State> state_;
};

}  // namespace egltest
