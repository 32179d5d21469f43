// Pixels of 4x4 blocks as bits, along rows: pixel (x, y) of a block in bit y * 4 + x.
#pragma once

#include "base/simd.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

template <class Bits>
constexpr Bits gridOf(Bits columns, Bits rows) {
    const Bits pairs = (rows & 3u) | (rows & 12u) << 6;
    return columns * ((pairs | pairs << 3) & 0x1111u);
}

/// The pixels in all `columns` and `rows`, of four bits each.
constexpr uint32_t gridBits(uint32_t columns, uint32_t rows) { return gridOf(columns, rows); }
/// The same of sixteen blocks.
inline U32x16 gridBits(U32x16 columns, U32x16 rows) { return gridOf(columns, rows); }

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
