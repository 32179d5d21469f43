// What images hold, for people: pictures of channels within a range, and the numbers of a texel.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "texture/image.h"

namespace tessera::inspect {

/// Eight bits for each of red, green, blue, alpha; rows from the top.
struct Picture {
    int width = 0, height = 0;
    std::vector<uint8_t> rgba;
};

enum class Channels : uint8_t { Color, WithAlpha, Red, Green, Blue, Alpha, Depth, Stencil };
inline constexpr std::string_view kChannelsWords[] = {"color", "rgba",  "red",   "green",
                                                      "blue",  "alpha", "depth", "stencil"};

/// How an image is looked at.
struct Look {
    Channels channels = Channels::Color;
    int plane = -1;            ///< slice of a volume or sample; -1: the first slice, or the mean of the samples
    double low = 0, high = 1;  ///< black and white; of stencil bits and integers their numbers
};

/// What it can be looked at as: colours or depth and stencil.
[[nodiscard]] std::vector<Channels> channelsOf(const texture::Image& image);
/// The range that its numbers have by their kind: 0..1, or of integers and stencil bits 0..255.
[[nodiscard]] Look usualLook(const texture::Image& image, Channels channels);
/// The least and the greatest of the numbers that the look shows; nothing where there is none.
[[nodiscard]] std::optional<std::array<double, 2>> rangeOf(const texture::ImagePtr& image, const Look& look);

/// Grey for a single channel. What is no number is magenta.
[[nodiscard]] Picture pictureOf(const texture::ImagePtr& image, const Look& look);

/// What the texel holds, from the bottom row: "0.2 0.4 1 1", "depth 0.95818782 (16075723), stencil 0".
[[nodiscard]] std::string texelText(const texture::ImagePtr& image, int plane, int x, int y);

}  // namespace tessera::inspect
