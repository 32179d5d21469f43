// Samples as a fragment program sees them: two integers beside the point coordinate, special register s2.
//
//   s2.z  bits 0..7: the number of the sample that the program is run for, 8..15 and 16..23: its place in the pixel, x
//         and y from the lower left corner in 1/256. Who reads it is run for each covered sample.
//   s2.w  bits 0..7: which samples of the pixel the primitive covers, 8..14: how many samples a pixel of the target
//         has, 15: the primitive covers the pixel's centre, 16..23 and 24..31: the place of the centre or, of a program
//         that is run for each sample, of the sample.
//
// A target with one sample has that of number 0 in the middle of the pixel.
#pragma once

#include <cstdint>

namespace tessera::isa {

inline constexpr int kSampleComponent = 2, kSamplesComponent = 3;  ///< z and w

/// A field of one of the two.
struct SampleField {
    int component, shift;
    uint32_t mask;
};
inline constexpr SampleField kSampleNumber{kSampleComponent, 0, 0xFF}, kSampleX{kSampleComponent, 8, 0xFF},
    kSampleY{kSampleComponent, 16, 0xFF};
inline constexpr SampleField kSampleMask{kSamplesComponent, 0, 0xFF}, kSampleCount{kSamplesComponent, 8, 0x7F},
    kCenterCovered{kSamplesComponent, 15, 1}, kShadedX{kSamplesComponent, 16, 0xFF},
    kShadedY{kSamplesComponent, 24, 0xFF};
inline constexpr uint32_t kSamplePlaceSteps = 256;  ///< of a pixel, in either axis
/// Where the samples of a pixel are: x and y in steps.
inline constexpr uint8_t kSamplePlaces[4][2] = {{96, 32}, {224, 96}, {32, 160}, {160, 224}};

[[nodiscard]] constexpr uint32_t sampleWord(uint32_t number, uint32_t x, uint32_t y) {
    return number << kSampleNumber.shift | x << kSampleX.shift | y << kSampleY.shift;
}
[[nodiscard]] constexpr uint32_t samplesWord(uint32_t mask, uint32_t count, bool isCenterCovered, uint32_t x,
                                             uint32_t y) {
    return mask << kSampleMask.shift | count << kSampleCount.shift |
           (isCenterCovered ? 1u : 0u) << kCenterCovered.shift | x << kShadedX.shift | y << kShadedY.shift;
}

}  // namespace tessera::isa
