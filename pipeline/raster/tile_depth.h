// Hierarchical depth: the largest depth stored in each 16x16 square of a tile, so that a square that a primitive is
// behind costs nothing (N. Greene et al., "Hierarchical Z-Buffer Visibility", 1993, with one level).
//
// Exact, not estimated: a plane is evaluated as fma(dx, x, fma(dy, y, base)), rounding is monotonic, and so are the
// clamp and the quantisation that follow; over a square the smallest and the largest depth are those of two of its
// corner pixels, computed as pixels are. The largest stored depth only falls while draws test with Less or LessEqual:
// a draw that covers a square whole leaves nothing in it that is behind the draw. Sixteen squares are one vector.
#pragma once

#include "pipeline/pixel/short_forms.h"
#include "pipeline/raster/interpolate.h"
#include "pipeline/raster/raster_functions.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

class SquareDepths {
public:
    SquareDepths(const TileDraw& draw, const SetupPrimitive& primitive, const PixelBounds& tile) {
        const PixelKey& key = draw.key;
        const Plane& plane = primitive.depth;
        // Primitives that are smaller than a square change too little of the bounds to be worth the time.
        if (primitive.maxX - primitive.minX < 16 && primitive.maxY - primitive.minY < 16) return;
        if (!draw.way.hidesSquares || !isTame(plane)) return;
        largest_ = draw.blocks.depth->largest;
        writes_ = key.depthWrite && draw.way.earlyTests == BlockWay::EarlyTests::Final;
        const bool fallsX = plane.dx < 0, fallsY = plane.dy < 0;
        const I32x16 nearest = depthAt(primitive, tile, key.depthBits, fallsX ? 15 : 0, fallsY ? 15 : 0);
        farthest_ = depthAt(primitive, tile, key.depthBits, fallsX ? 0 : 15, fallsY ? 0 : 15);
        const I32x16 stored = load<I32x16>(largest_);
        hidden_ = toBits(key.depthCompare == Compare::Less ? nearest >= stored : nearest > stored);
    }

    /// Squares, bit 4 * y + x, in which every pixel fails the depth test.
    [[nodiscard]] uint32_t hidden() const { return hidden_; }

    /// The primitive has been tested, and written, in all pixels of `whole` squares.
    void note(uint32_t whole) const {
        if (!writes_ || whole == 0) return;
        const I32x16 stored = load<I32x16>(largest_);
        store(largest_, select(fromBits(whole), min(stored, farthest_), stored));
    }

private:
    /// No infinities and no NaN on the way.
    static bool isTame(const Plane& plane) {
        const auto small = [](float x) { return std::abs(x) < 1e30f; };
        return small(plane.base) && small(plane.dx) && small(plane.dy);
    }

    /// Quantised depth at pixel (x, y) of each square.
    static I32x16 depthAt(const SetupPrimitive& primitive, const PixelBounds& tile, int bits, int x, int y) {
        const BlockPosition at = {toFloat(splat(tile.minX + x - primitive.originX) + kLaneX * 16) + 0.5f,
                                  toFloat(splat(tile.minY + y - primitive.originY) + kLaneY * 16) + 0.5f};
        const F32x16 depth = evaluate(primitive.depth, at);
        if (bits == 32) return quantizeDepthFast<32>(depth);
        return bits == 16 ? quantizeDepthFast<16>(depth) : quantizeDepthFast<24>(depth);
    }

    int32_t* largest_ = nullptr;
    bool writes_ = false;
    uint32_t hidden_ = 0;
    I32x16 farthest_ = {};
};

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
