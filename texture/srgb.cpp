// The tables are made by the compiler, in double with basic operations only: the same on every machine.
#include "texture/srgb.h"

#include <limits>

namespace tessera::texture {

namespace {

/// a^(1/5) by Newton's method from above, 0 < a <= 1.
constexpr double fifthRoot(double a) {
    double root = 1;
    for (double next = root - (1 - a) / 5; next < root;) {
        root = next;
        const double square = root * root;
        next = root - (root - a / (square * square)) / 5;
    }
    return root;
}

/// ((c + 0.055) / 1.055)^2.4 above 0.04045, c / 12.92 up to it.
constexpr double linear(double encoded) {
    if (encoded <= 0.04045) return encoded / 12.92;
    const double base = (encoded + 0.055) / 1.055;
    return base * base * fifthRoot(base * base);
}

constexpr std::array<float, 256> table(double offset) {
    std::array<float, 256> values{};
    for (int code = 0; code < 256; ++code) values[code] = static_cast<float>(255 * linear((code + offset) / 255));
    return values;
}

constexpr std::array<float, 256> ends() {
    std::array<float, 256> values = table(0.5);
    values[255] = std::numeric_limits<float>::infinity();
    return values;
}

}  // namespace

constinit const std::array<float, 256> kLinearOfSrgb = table(0);
constinit const std::array<float, 256> kSrgbEnd = ends();
static_assert(table(0)[255] == 255.0f);

}  // namespace tessera::texture
