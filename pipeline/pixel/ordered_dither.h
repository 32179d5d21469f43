// The 4x4 ordered dither: of colours with few bits, and of fractions of a pixel's samples.
#pragma once

#include "base/simd.h"
#include "pipeline/samples.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

/// Ordered dither thresholds of a 4x4 block (B. E. Bayer, 1973), (index + 1/2) / 16, by pixel position. A value
/// that the format holds exactly stays as it is.
inline constexpr F32x16 kDitherThreshold = {
    0.5f / 16, 8.5f / 16,  2.5f / 16, 10.5f / 16, 12.5f / 16, 4.5f / 16, 14.5f / 16, 6.5f / 16,
    3.5f / 16, 11.5f / 16, 1.5f / 16, 9.5f / 16,  15.5f / 16, 7.5f / 16, 13.5f / 16, 5.5f / 16,
};

/// Pixels of a block whose sample is covered when a fraction of the samples is to be (samples.h); NaN covers none.
inline Mask16 fractionCovers(F32x16 fraction, int sample) {
    const F32x16 count = floor(clamp(fraction, 0.0f, 1.0f) * static_cast<float>(kSamples) + kDitherThreshold);
    return count > static_cast<float>(kSampleRank[sample]);
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
