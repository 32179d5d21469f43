// Multisampling: where the samples of a pixel are, and which of them a fraction covers (OpenGL ES 2.0.25, sections 3.2
// and 4.1.3).
//
// Four samples on a rotated grid: no two share a row or a column of eighths, so edges near either axis get all five
// shades. Their mean is the pixel's centre. In 1/256 pixel from the lower left corner:
//
//     y 224           3
//       160   2
//        96                   1
//        32       0
//          x 32  96  160  224
#pragma once

#include <cstdint>

#include "texture/image.h"

namespace tessera::pipeline {

inline constexpr int kSamples = texture::kMaxSamples;

struct SamplePosition {
    int32_t x, y;  ///< 1/256 pixel
};
inline constexpr SamplePosition kSamplePosition[kSamples] = {{96, 32}, {224, 96}, {32, 160}, {160, 224}};
inline constexpr int32_t kLowestSample = 32, kHighestSample = 224;  ///< in either axis
inline constexpr int32_t kPixelCenter = 128;
inline constexpr int32_t kSampleReach = 96;  ///< largest distance from the centre along an axis

/// A place in a pixel as floats, 0..1.
struct PixelPlace {
    float x, y;
};
struct SamplePlaces {
    PixelPlace place[kSamples];
};
constexpr SamplePlaces makeSamplePlaces() {
    SamplePlaces places{};
    for (int i = 0; i < kSamples; ++i) places.place[i] = {kSamplePosition[i].x / 256.0f, kSamplePosition[i].y / 256.0f};
    return places;
}
inline constexpr SamplePlaces kSamplePlaces = makeSamplePlaces();
constexpr PixelPlace samplePlace(int sample) { return kSamplePlaces.place[sample]; }

/// Mean of the samples whose bits are set; of none: the centre.
constexpr PixelPlace centroid(uint32_t samples) {
    int x = 0, y = 0, count = 0;
    for (int i = 0; i < kSamples; ++i) {
        if ((samples >> i & 1) != 0) x += kSamplePosition[i].x, y += kSamplePosition[i].y, ++count;
    }
    if (count == 0) return {0.5f, 0.5f};
    return {static_cast<float>(x / 256.0 / count), static_cast<float>(y / 256.0 / count)};
}

/// From a fraction to coverage: pixel (x, y) gets floor(4 * fraction + t) samples, t being the 4x4 ordered dither's
/// threshold of the pixel (kDitherThreshold, ordered_dither.h), and gets them in one order. So masks grow with the
/// fraction, 0 gives none and 1 all, the mean over 4x4 pixels is the fraction to 1/64, and a pixel's mask depends on
/// its place and the fraction alone. Sample i is covered when more than kSampleRank[i] are.
inline constexpr int kSampleRank[kSamples] = {0, 2, 3, 1};

}  // namespace tessera::pipeline
