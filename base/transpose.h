// Sixteen lanes as four quarters of four: rows to columns within each quarter.
#pragma once

#include "base/simd.h"

namespace tessera {

inline namespace TESSERA_SIMD {

template <class V>
struct Columns {
    V column[4];  ///< lane 4 * q + i of column c is lane 4 * q + c of row i
};

/// The 4x4 transpositions in the quarters of four vectors of sixteen 32-bit lanes.
template <class V>
Columns<V> transposeQuarters(const V (&row)[4]) {
    const auto low = [](V a, V b) {
        return __builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29);
    };
    const auto high = [](V a, V b) {
        return __builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31);
    };
    const auto firstPairs = [](V a, V b) {
        return __builtin_shufflevector(a, b, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29);
    };
    const auto secondPairs = [](V a, V b) {
        return __builtin_shufflevector(a, b, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31);
    };
    const V low01 = low(row[0], row[1]), low23 = low(row[2], row[3]);
    const V high01 = high(row[0], row[1]), high23 = high(row[2], row[3]);
    return {
        {firstPairs(low01, low23), secondPairs(low01, low23), firstPairs(high01, high23), secondPairs(high01, high23)}};
}

}  // namespace TESSERA_SIMD

}  // namespace tessera
