// Compares pictures: exactly, or with a tolerance. Used by `tessera diff` and by tests with golden images.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tessera::imagediff {

/// Eight bits for each of red, green, blue, alpha; rows from the top.
struct Image {
    int width = 0, height = 0;
    std::vector<uint8_t> rgba;
    [[nodiscard]] const uint8_t* pixel(int x, int y) const { return &rgba[(size_t(y) * width + x) * 4]; }
};

/// Nothing and a reason in `error` when the file is no readable PNG.
[[nodiscard]] std::optional<Image> readPng(const std::string& path, std::string& error);
[[nodiscard]] std::string pngOf(const Image& image);  ///< the bytes of a file; none where there is no memory for them
[[nodiscard]] bool writePng(const std::string& path, const Image& image, std::string& error);

struct Difference {
    bool sameSize = true;
    int64_t pixels = 0;                       ///< compared
    int64_t differing = 0;                    ///< pixels with a channel that differs by more than the tolerance
    int worstX = 0, worstY = 0, worstBy = 0;  ///< the first pixel with the largest channel difference
    std::array<uint8_t, 4> worstA{}, worstB{};
    std::array<double, 4> mean{};  ///< mean absolute difference of each channel, in units of 1/255
    [[nodiscard]] bool equal() const { return sameSize && differing == 0; }
};

[[nodiscard]] Difference compare(const Image& a, const Image& b, int tolerance);

/// Image `a` dimmed to grey, with differing pixels in strong colours: the channels that differ, amplified.
/// Both images must have the same size.
[[nodiscard]] Image differencePicture(const Image& a, const Image& b, int tolerance);

/// What `tessera diff` prints, several lines.
[[nodiscard]] std::string report(const Image& a, const Image& b, const Difference& difference, int tolerance);

}  // namespace tessera::imagediff
