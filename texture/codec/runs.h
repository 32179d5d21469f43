// Runs of compressed blocks, compiled for each SIMD level (codec_simd.cpp): sixteen blocks at a time, for the formats
// that textures mostly come in. The bytes are those of the decoders of codec/internal.h, which take what is left over.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/process/env.h"

namespace tessera::texture {

/// Decodes `count` blocks that follow each other to as many 4x4 blocks of 32-bit elements that follow each other.
using DecodeRun = void (*)(const std::byte* blocks, int count, std::byte* elements);

/// What a SIMD level has of these functions.
struct CodecFunctions {
    DecodeRun dxt1Rgb, dxt1Rgba, dxt3, dxt5;
    DecodeRun etcRgb, etcRgba;
};
[[nodiscard]] CodecFunctions codecFunctions(SimdLevel level);

/// The modifiers of ETC1 and ETC2: the small and the large one of each table.
inline constexpr int kEtcModifiers[8][2] = {{2, 8},   {5, 17},  {9, 29},   {13, 42},
                                            {18, 60}, {24, 80}, {33, 106}, {47, 183}};
/// The modifiers of EAC.
inline constexpr int8_t kEacModifiers[16][8] = {
    {-3, -6, -9, -15, 2, 5, 8, 14}, {-3, -7, -10, -13, 2, 6, 9, 12}, {-2, -5, -8, -13, 1, 4, 7, 12},
    {-2, -4, -6, -13, 1, 3, 5, 12}, {-3, -6, -8, -12, 2, 5, 7, 11},  {-3, -7, -9, -11, 2, 6, 8, 10},
    {-4, -7, -8, -11, 3, 6, 7, 10}, {-3, -5, -8, -11, 2, 4, 7, 10},  {-2, -6, -8, -10, 1, 5, 7, 9},
    {-2, -5, -8, -10, 1, 4, 7, 9},  {-2, -4, -8, -10, 1, 3, 7, 9},   {-2, -5, -7, -10, 1, 4, 6, 9},
    {-3, -4, -7, -10, 2, 3, 6, 9},  {-1, -2, -3, -10, 0, 1, 2, 9},   {-4, -6, -8, -9, 3, 5, 7, 8},
    {-3, -5, -7, -9, 2, 4, 6, 8},
};

/// Any block of ETC's colours, one by one (codec/etc.cpp): sixteen texels, row by row.
void decodeEtcColors(const std::byte* block, uint32_t* texels);

}  // namespace tessera::texture
