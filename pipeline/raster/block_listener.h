// What hears of a tile's blocks, one at a time, as plain data: it is filled in where code is compiled for each SIMD
// level.
#pragma once

#include <cstdint>

namespace tessera::pipeline {

/// While a draw has one, its groups have one block each.
struct BlockListener {
    void (*heard)(BlockListener& listener) = nullptr;  ///< all of the block's work is done

    int32_t blockX = 0, blockY = 0;  ///< in blocks of the target
    uint32_t covered = 0;            ///< pixels that the primitive covers
    uint32_t early = 0;              ///< left after early tests
    uint32_t written = 0;            ///< left after discards and late tests

    void begin(int x, int y, uint32_t lanes) {
        blockX = x, blockY = y;
        covered = lanes;
        early = written = 0;
    }
};

}  // namespace tessera::pipeline
