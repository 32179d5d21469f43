// Rectangles of pixels.
#pragma once

namespace tessera {

/// From pixel (x, y), the lower left one unless it is said otherwise.
struct Rect {
    int x = 0, y = 0, width = 0, height = 0;
    bool operator==(const Rect&) const = default;
};

}  // namespace tessera
