// Rectangles, from two triangles to colours: where they are recognised and what is done with them.
//
//   1. geometry/rectangles.h   two triangles become a primitive whose bounds are its coverage;
//   2. block_coverage.h        its blocks are listed row by row, without edges;
//   3. here                    if its program shows a picture (picture.h) and the picture lies straight, with 1/w the
//                              same everywhere, s a function of the column and t one of the row, blocks get their
//                              colours without the program: texels from texture/sample/straight_picture.h, times the
//                              factors. Nothing waits (block_deferral.h), as such a block costs little more.
//
// Coordinates are the planes' at each column and row, texels those of the sampler, products and what follows the same
// operations on the same numbers, so bytes are the program's. All else goes the general way.
#pragma once

#include <optional>

#include "pipeline/coverage/coverage.h"
#include "pipeline/pixel/pixel_engine.h"
#include "pipeline/raster/block_list.h"
#include "pipeline/units/texture_units.h"
#include "shader-core/analysis/picture.h"
#include "texture/sample/straight_picture.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

// Of raster_blocks_simd.cpp alone: internal, so that what has one caller becomes part of it.
namespace {

/// Whether the primitive is a rectangle that a picture may fill.
inline bool mayShowPicture(const TileDraw& draw, const SetupPrimitive& primitive) {
    return draw.way.color == BlockWay::Color::Picture && primitive.edgeCount == 0 &&
           primitive.kind == PrimitiveKind::Polygon;
}

#if defined(__x86_64__)

/// A picture's values over one rectangle.
struct PictureValues {
    float w = 1;
    Plane s, t;
    float factor[4];

    /// False: the picture does not lie straight.
    bool find(const TileDraw& draw, const PlacedPrimitive& placed) {
        const Picture& picture = *draw.blocks.picture;
        const auto isFlat = [](const Plane& plane) { return plane.dx == 0 && plane.dy == 0; };
        const Plane& inverseW = placed.setup->inverseW;
        s = placed.planes[picture.s], t = placed.planes[picture.t];
        if (!isFlat(inverseW) || inverseW.base == 0 || s.dy != 0 || t.dx != 0) return false;
        w = 1.0f / inverseW.base;
        for (int c = 0; c < 4; ++c) {
            const Picture::Channel& channel = picture.channel[c];
            switch (channel.factor) {
                case Picture::Factor::One:
                    factor[c] = 1;
                    break;
                case Picture::Factor::Literal:
                    factor[c] = __builtin_bit_cast(float, channel.at);
                    break;
                case Picture::Factor::Constant:
                    factor[c] = draw.constants[channel.at / 4][channel.at % 4];
                    break;
                case Picture::Factor::Varying: {
                    const Plane& plane = placed.planes[channel.at];
                    if (!isFlat(plane)) return false;
                    const bool isVaryingFlat = (draw.blocks.flat >> (channel.at / 4) & 1) != 0;
                    factor[c] = isVaryingFlat ? plane.base : plane.base * w;
                    break;
                }
            }
        }
        return true;
    }
};

/// Coordinates along one side of a rectangle, as evaluate() and evaluateAttribute() give them: the other side's slope
/// is zero, which leaves the base.
struct PictureAxis {
    float slope, base, w;
    int start;  ///< of the tile, from the plane's origin

    /// The value at pixels 16 * part to 16 * part + 15.
    F32x16 operator()(int part) const {
        const F32x16 at = toFloat(splat(start + part * 16) + (kLaneX + kLaneY * kBlockSize)) + 0.5f;
        return fma(splat(slope), at, splat(base)) * w;
    }
};
using PictureSide = texture::StraightSide<PictureAxis>;

/// Where a rectangle's pictures lie in a tile.
struct PictureSides {
    PictureSide columns, rows;

    PictureSides(const PixelBounds& tile, const SetupPrimitive& primitive, const PictureValues& values) {
        const CoverageBounds bounds = CoverageBounds::of(primitive, tile);
        const Plane &s = values.s, &t = values.t;
        columns = {bounds.minX, bounds.maxX, {s.dx, s.base, values.w, tile.minX - primitive.originX}};
        rows = {bounds.minY, bounds.maxY, {t.dy, t.base, values.w, tile.minY - primitive.originY}};
    }
};

/// Colours of listed blocks, kBatchBlocks at a time.
class PictureShader {
public:
    PictureShader(const PictureSides& sides, const texture::StraightLevel& level, const PictureValues& values,
                  const TileDraw& draw)
        : values_(values),
          channel_(draw.blocks.picture->channel),
          isEach_(isEach(*draw.blocks.picture)),
          fraction_(level.fraction),
          picture_(imageOf(draw, level.level), *draw.blocks.pictureTexture->state, level.isLinear, sides.columns,
                   sides.rows) {
        if (fraction_ != 0)
            next_.emplace(imageOf(draw, level.level + 1), *draw.blocks.pictureTexture->state, level.isLinear,
                          sides.columns, sides.rows);
    }

    void run(const uint32_t* entries, int count, ColorBlock* colors) {
        if (next_) {
            for (int i = 0; i < count; ++i)
                colors[i] = colorOf(texture::between(picture_, *next_, fraction_, entries[i] >> 16 & 15,
                                                     static_cast<int>(entries[i] >> 20)));
            return;
        }
        if (picture_.isSingle()) {
            for (int i = 0; i < count; ++i)
                colors[i] = colorOf(picture_.single(entries[i] >> 16 & 15, static_cast<int>(entries[i] >> 20)));
            return;
        }
        for (int i = 0; i < count; ++i) {
            picture_.filterRow(static_cast<int>(entries[i] >> 20));
            colors[i] = colorOf(picture_.linear(entries[i] >> 16 & 15));
        }
    }

private:
    static const texture::Image& imageOf(const TileDraw& draw, int level) {
        return *draw.blocks.pictureTexture->view->image[0][level];
    }

    /// Whether each channel is that of the texel.
    static bool isEach(const Picture& picture) {
        bool isEach = true;
        for (int c = 0; c < 4; ++c) isEach &= picture.channel[c].texel == c;
        return isEach;
    }
    [[gnu::always_inline]] ColorBlock colorOf(const texture::Texels& texels) const {
        ColorBlock color;
        if (isEach_) {
            for (int c = 0; c < 4; ++c) color.channel[c] = texels.channel[c] * values_.factor[c];
            return color;
        }
        for (int c = 0; c < 4; ++c) {
            const int texel = channel_[c].texel;
            color.channel[c] = splat(values_.factor[c]);
            for (int from = 0; from < 4; ++from)
                if (texel == from) color.channel[c] = texels.channel[from] * values_.factor[c];
        }
        return color;
    }

    const PictureValues& values_;
    const Picture::Channel* const channel_;
    const bool isEach_;
    const float fraction_;  ///< of the next mip level
    texture::StraightPicture picture_;
    std::optional<texture::StraightPicture> next_;
};

/// Colours the listed blocks of a rectangle; false: nothing was done.
bool shadePicture(const PixelBounds& tile, const PlacedPrimitive& placed, TileDraw& draw, const BlockList& list) {
    const texture::TextureView& view = *draw.blocks.pictureTexture->view;
    const texture::SamplerState& state = *draw.blocks.pictureTexture->state;
    PictureValues values;
    if (!texture::canLieStraight(view, state) || !values.find(draw, placed)) return false;
    const PictureSides sides(tile, *placed.setup, values);
    texture::StraightLevel level;
    if (!texture::findStraightLevel(view, state, sides.columns, sides.rows, level)) return false;
    draw.lookAtStop();
    PictureShader shader(sides, level, values, draw);
    const TileBlocks blocks(draw.color[0], tile);
    alignas(64) ColorBlock colors[kBatchBlocks];
    withFinish(draw.way.forms.finish, [&]<class Finish>() {
        const Finish finish(draw.key.target[0], draw.values);
        for (int first = 0; first < list.count; first += kBatchBlocks) {
            const uint32_t* entries = list.entry + first;
            const int count = list.count - first < kBatchBlocks ? list.count - first : kBatchBlocks;
            shader.run(entries, count, colors);
            for (int i = 0; i < count; ++i) finish.merge(blocks[entries[i]], colors[i], lanesOf(entries[i]));
        }
    });
    for (int i = 0; i < list.count; ++i) {
        draw.stats.fragments += static_cast<uint64_t>(__builtin_popcount(lanesOf(list.entry[i])));
        draw.stats.instructions += draw.blocks.picture->instructions;
    }
    return true;
}

#else

inline bool shadePicture(const PixelBounds&, const PlacedPrimitive&, TileDraw&, const BlockList&) { return false; }

#endif

}  // namespace

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
