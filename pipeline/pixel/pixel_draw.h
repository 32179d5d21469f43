// A draw as the pixel engine sees it, as plain data: its state and the memory it ends in.
#pragma once

#include <cstddef>
#include <cstdint>

#include "pipeline/pixel/block_way.h"

namespace tessera::pipeline {

/// A block's place in the target, in blocks.
struct BlockPlace {
    int x, y;  ///< not initialised
    bool operator==(const BlockPlace&) const = default;
};

/// An image's memory. `blocks` null: no image.
struct Surface {
    std::byte* blocks = nullptr;
    int32_t blocksWide = 0;
    int32_t blockBytes = 64;
    int64_t planeBytes = 0;  ///< from one sample to the next

    [[nodiscard]] std::byte* block(int blockX, int blockY, int sample = 0) const {
        return blocks + (static_cast<int64_t>(blockY) * blocksWide + blockX) * blockBytes + sample * planeBytes;
    }
    [[nodiscard]] std::byte* block(BlockPlace place, int sample = 0) const { return block(place.x, place.y, sample); }
};

struct PixelDraw {
    PixelDraw() = default;
    /// Key and values, made in their place: a key of eight targets that is copied as soon as it is written waits for
    /// its stores.
    PixelDraw(const PixelState& state, const RenderTarget& target, const isa::Program& program)
        : key(pixelKey(state, target, program)), values(pixelValues(state)) {}

    PixelKey key;
    PixelValues values;
    BlockWay way;  ///< the first form of everything is always right
    Surface depth, stencil, color[kMaxColorTargets];
    bool writesDepth = false;    ///< the program does, which is then tested
    uint64_t samplesPassed = 0;  ///< counted: samples that passed all tests
};

}  // namespace tessera::pipeline
