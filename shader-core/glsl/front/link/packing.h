// The packing algorithm of GLSL ES 1.00 appendix A.7: variables into rows of four components.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::glsl::front {

/// A variable as the algorithm sees it: `width` components in each of `rows` consecutive rows, one row for each
/// array element and matrix column. (A mat2 is two rows of width 2, as in the specification's example.)
struct PackItem {
    uint8_t width = 4;
    uint32_t rows = 1;
};

struct PackPlace {
    uint32_t row = 0;
    uint8_t column = 0;
};

/// Places of the items in `capacity` rows, in the order given; empty when they don't fit.
[[nodiscard]] std::vector<PackPlace> pack(std::span<const PackItem> items, uint32_t capacity);

}  // namespace tessera::glsl::front
