// Level of detail: how much of a texture a pixel covers, and what levels and filter that asks for (OpenGL ES 2.0.25,
// sections 3.7.7 and 3.7.8; EXT_texture_filter_anisotropic). Internal to the sampler; compiled for each SIMD level.
// README.md, "Sampling, to the bit", is the definition.
#pragma once

#include <cfloat>

#include "texture/sample/coordinates.h"
#include "texture/sample/sampler.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

inline constexpr int kWeightBits = 8;
inline constexpr float kWeightScale = 256;

/// An integer as float in all lanes. Converted as a vector: the host's scalar conversion keeps the rest of its target
/// register, and so waits for whatever was computed there before, the last block's texels for one.
inline F32x16 wholeFloat(int x) { return toFloat(splat(x)); }

/// log2 of a positive number by exponent and a polynomial in t = mantissa - 1: t + t (1 - t) q(t), which is exact
/// at powers of two and continuous. Absolute error below 2.5e-6. Zero, negative, tiny and NaN give -126; infinity
/// gives just under 128.
inline F32x16 levelLog2(F32x16 x) {
    const I32x16 bits = asInt(clamp(x, FLT_MIN, FLT_MAX));
    const F32x16 exponent = toFloat((bits >> 23) - 127);
    const F32x16 t = asFloat((bits & 0x007FFFFF) | 0x3F800000) - 1.0f;
    F32x16 q = splat(0x1.a7628ep-6f);
    q = q * t + -0x1.890978p-4f;
    q = q * t + 0x1.74a18ep-3f;
    q = q * t + -0x1.1a36f6p-2f;
    q = q * t + 0x1.c52a80p-2f;
    return exponent + (t + t * (1.0f - t) * q);
}

/// What a lane reads: level `level` (and the next one with weight `fraction`) through `filter`.
struct LevelChoice {
    I32x16 level;
    I32x16 linear;    ///< 1: the level is filtered linearly
    F32x16 fraction;  ///< weight of level + 1: k / 256
};

/// How much of the texture a pixel covers: squared lengths in texels of its axes in x and y.
struct Footprint {
    F32x16 squareX, squareY;
};
inline Footprint footprintOf(const Image& base, const Coordinates& c) {
    const F32x16 width = wholeFloat(base.width()), height = wholeFloat(base.height());
    const F32x16 ux = c.dsdx * width, vx = c.dtdx * height;
    const F32x16 uy = c.dsdy * width, vy = c.dtdy * height;
    return {ux * ux + vx * vx, uy * uy + vy * vy};
}
inline Footprint volumeFootprint(const Image& base, const Coordinates& c) {
    Footprint footprint = footprintOf(base, c);
    const F32x16 depth = wholeFloat(base.depth());
    const F32x16 wx = c.drdx * depth, wy = c.drdy * depth;
    footprint.squareX += wx * wx;
    footprint.squareY += wy * wy;
    return footprint;
}

/// Lookups along the longer axis of a footprint (EXT_texture_filter_anisotropic): as many as the shorter axis, of at
/// least one texel, goes into it, at most `limit`. NaN gives 1.
inline I32x16 probeCount(const Footprint& footprint, int limit) {
    const F32x16 longer = maxPs(footprint.squareX, footprint.squareY);
    const F32x16 shorter = maxPs(minPs(footprint.squareX, footprint.squareY), splat(1.0f));
    I32x16 count = splat(1);
    for (int k = 1; k < limit; ++k) count -= longer > shorter * static_cast<float>(k * k);
    return count;
}

/// `square`: squared length of what a lookup is to cover, in texels.
inline F32x16 levelOfDetail(F32x16 square, const SampleInput& in) {
    switch (in.lodMode) {
        case LodMode::Zero:
            return F32x16{};
        case LodMode::Explicit:
            return in.lod;
        default:
            break;
    }
    const F32x16 lambda = levelLog2(square) * 0.5f;
    return in.lodMode == LodMode::Bias ? lambda + in.lod : lambda;
}

/// Section 3.7.7 (minification) and 3.7.8 (the switch-over to magnification). A NaN magnifies. Footprints of several
/// lookups are minified.
inline LevelChoice chooseLevel(const SamplerState& state, int levels, F32x16 lambda, I32x16 probes) {
    const bool lateSwitch =
        state.magFilter == Filter::Linear && state.minFilter == Filter::Nearest && state.mipFilter != MipFilter::None;
    const Mask16 minified = (lambda > (lateSwitch ? 0.5f : 0.0f)) | (probes > 1);
    const F32x16 level = minPs(maxPs(lambda, splat(0.0f)), wholeFloat(levels - 1));

    LevelChoice choice{};
    choice.linear = select(minified, splat(state.minFilter == Filter::Linear ? 1 : 0),
                           splat(state.magFilter == Filter::Linear ? 1 : 0));
    if (state.mipFilter == MipFilter::Nearest) {
        // ceil(lambda + 1/2) - 1, and 0 up to 1/2
        const F32x16 nearest = -floor(-(level + 0.5f)) - 1.0f;
        choice.level = minified & max(truncToInt(nearest), I32x16{});
    } else if (state.mipFilter == MipFilter::Linear) {
        const I32x16 fixed = minified & truncToInt(roundEven(level * kWeightScale));
        choice.level = fixed >> kWeightBits;
        choice.fraction = toFloat(fixed & 0xFF) * (1 / kWeightScale);
    }
    return choice;
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
