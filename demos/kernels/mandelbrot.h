// What the picture of the Mandelbrot set is made with, wherever it is drawn: colours and the kernel's unit of
// iterations.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace tessera::kernels {

/// kernels/mandelbrot*.tsa iterate in rounds of nine; the 63 of seed 001 are seven.
inline constexpr int kMandelbrotRound = 9;

/// Sixteen colours, rgba8 with red in the low byte: the longer a point takes to leave the brighter it is, and the set
/// itself is black (seed 001, section 2.4).
inline const std::array<uint32_t, 16>& mandelbrotPalette() {
    static const std::array<uint32_t, 16> palette = [] {
        std::array<uint32_t, 16> colours{};
        for (uint32_t i = 0; i < 15; ++i) {
            const uint32_t red = i < 4 ? 0 : (i - 3) * 255 / 11;
            const uint32_t green = std::min(i * 255 / 9, 255u), blue = std::min(48 + i * 207 / 5, 255u);
            colours[i] = red | green << 8 | blue << 16 | 0xff000000u;
        }
        colours[15] = 0xff000000u;
        return colours;
    }();
    return palette;
}

}  // namespace tessera::kernels
