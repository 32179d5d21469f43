// Where lookups go: coordinates on a plane, in a volume or on the face of a cube, how fast they change from pixel to
// pixel, so how much of the texture a pixel covers, and what levels and filter that asks for (OpenGL ES 2.0.25,
// table 3.21 and sections 3.7.7 and 3.7.8; EXT_texture_filter_anisotropic). Internal to the sampler; compiled for each
// SIMD level. docs/sampling.md, "Sampling, to the bit", is the definition.
#pragma once

#include <cfloat>
#include <cmath>

#include "texture/sample/sampler.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

// --- Coordinates ---

/// Where a lookup goes on its plane, in units of the whole texture, and how fast that changes.
struct Coordinates {
    F32x16 s, t, r;  ///< r: of 3D textures
    I32x16 face;
    F32x16 dsdx, dtdx, dsdy, dtdy;
    F32x16 drdx, drdy;
};

/// Lanes that hold changes, and what follows from them. They are the same in all of a quad, so that four lanes are
/// enough: of vectors wider than the host's the rest is then not computed. Only of implicit ones: gradients that a
/// program gives (LodMode::Gradient) are each lane's.
enum class Changes : uint8_t {
    OfLanes,
    OfQuads,  ///< lanes 0 to 3, of the quads in order; the others are anything
};

// The corner of each lane's quad that the derivatives start from, and its neighbours in x and y.
template <Changes kChanges = Changes::OfLanes>
F32x16 quadBase(F32x16 v) {
    if constexpr (kChanges == Changes::OfQuads)
        return __builtin_shufflevector(v, v, 0, 2, 8, 10, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    return __builtin_shufflevector(v, v, 0, 0, 2, 2, 0, 0, 2, 2, 8, 8, 10, 10, 8, 8, 10, 10);
}
template <Changes kChanges = Changes::OfLanes>
F32x16 quadRight(F32x16 v) {
    if constexpr (kChanges == Changes::OfQuads)
        return __builtin_shufflevector(v, v, 1, 3, 9, 11, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    return __builtin_shufflevector(v, v, 1, 1, 3, 3, 1, 1, 3, 3, 9, 9, 11, 11, 9, 9, 11, 11);
}
template <Changes kChanges = Changes::OfLanes>
F32x16 quadBelow(F32x16 v) {
    if constexpr (kChanges == Changes::OfQuads)
        return __builtin_shufflevector(v, v, 4, 6, 12, 14, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    return __builtin_shufflevector(v, v, 4, 4, 6, 6, 4, 4, 6, 6, 12, 12, 14, 14, 12, 12, 14, 14);
}
/// Changes::OfQuads to all lanes; of a vector of four or more.
template <class Quads>
auto spreadQuads(Quads v) {
    return __builtin_shufflevector(v, v, 0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3);
}

inline bool isImplicit(LodMode mode) { return mode == LodMode::Implicit || mode == LodMode::Bias; }
inline bool needsDerivatives(LodMode mode) { return isImplicit(mode) || mode == LodMode::Gradient; }

template <Changes kChanges = Changes::OfLanes>
Coordinates planeCoordinates(const SampleInput& in, bool derivatives) {
    Coordinates c{};
    c.s = in.coord[0];
    c.t = in.coord[1];
    if (!derivatives) return c;
    if (in.lodMode == LodMode::Gradient) {
        c.dsdx = in.ddx[0], c.dtdx = in.ddx[1];
        c.dsdy = in.ddy[0], c.dtdy = in.ddy[1];
    } else {
        const F32x16 s = quadBase<kChanges>(c.s), t = quadBase<kChanges>(c.t);
        c.dsdx = quadRight<kChanges>(c.s) - s, c.dtdx = quadRight<kChanges>(c.t) - t;
        c.dsdy = quadBelow<kChanges>(c.s) - s, c.dtdy = quadBelow<kChanges>(c.t) - t;
    }
    return c;
}

/// The changes of two blocks on their planes, or of two lookups of one: lanes 0 to 3 are those of the first one's
/// quads, lanes 4 to 7 of the second's; the others, and s and t, are anything.
inline Coordinates planeChangesOfTwo(const SampleInput& first, const SampleInput& second) {
    const auto change = [&](int coordinate, F32x16& dx, F32x16& dy) {
        const F32x16 a = first.coord[coordinate], b = second.coord[coordinate];
        const F32x16 base = __builtin_shufflevector(a, b, 0, 2, 8, 10, 16, 18, 24, 26, -1, -1, -1, -1, -1, -1, -1, -1);
        dx = __builtin_shufflevector(a, b, 1, 3, 9, 11, 17, 19, 25, 27, -1, -1, -1, -1, -1, -1, -1, -1) - base;
        dy = __builtin_shufflevector(a, b, 4, 6, 12, 14, 20, 22, 28, 30, -1, -1, -1, -1, -1, -1, -1, -1) - base;
    };
    Coordinates c{};
    change(0, c.dsdx, c.dsdy);
    change(1, c.dtdx, c.dtdy);
    return c;
}

template <Changes kChanges = Changes::OfLanes>
Coordinates volumeCoordinates(const SampleInput& in, bool derivatives) {
    Coordinates c = planeCoordinates<kChanges>(in, derivatives);
    c.r = in.coord[2];
    if (!derivatives) return c;
    if (in.lodMode == LodMode::Gradient) {
        c.drdx = in.ddx[2], c.drdy = in.ddy[2];
    } else {
        const F32x16 r = quadBase<kChanges>(c.r);
        c.drdx = quadRight<kChanges>(c.r) - r, c.drdy = quadBelow<kChanges>(c.r) - r;
    }
    return c;
}

/// A direction in the frame of a cube face: table 3.21's s_c and t_c, and the major axis counted positive.
struct FaceVector {
    F32x16 s, t, major;
};

/// Face 0..5: +X -X +Y -Y +Z -Z.
inline FaceVector toFace(I32x16 face, F32x16 x, F32x16 y, F32x16 z) {
    const Mask16 isX = face < 2, isY = (face >= 2) & (face < 4);
    const Mask16 negative = -(face & 1);
    const U32x16 flip = asUint(negative) & 0x80000000u;
    const U32x16 flipBack = asUint(~negative) & 0x80000000u;
    auto signedBy = [](F32x16 v, U32x16 sign) { return asFloat(asUint(v) ^ sign); };
    FaceVector v;
    v.major = signedBy(select(isX, x, select(isY, y, z)), flip);
    v.s = select(isX, signedBy(z, flipBack), select(isY, x, signedBy(x, flip)));
    v.t = select(isY, signedBy(z, flip), -y);
    return v;
}

/// The same where all lanes see one face.
inline FaceVector toFace(int face, F32x16 x, F32x16 y, F32x16 z) {
    const uint32_t flip = static_cast<uint32_t>(face) << 31, flipBack = flip ^ 0x80000000u;
    const auto signedBy = [](F32x16 v, uint32_t sign) { return asFloat(asUint(v) ^ sign); };
    switch (face >> 1) {
        case 0:
            return {signedBy(z, flipBack), -y, signedBy(x, flip)};
        case 1:
            return {x, signedBy(z, flip), signedBy(y, flip)};
        default:
            return {signedBy(x, flip), -y, signedBy(z, flip)};
    }
}

/// The face that a direction meets.
inline I32x16 majorFace(F32x16 x, F32x16 y, F32x16 z) {
    const F32x16 ax = abs(x), ay = abs(y), az = abs(z);
    const Mask16 isX = (ax >= ay) & (ax >= az);
    const Mask16 isY = ~isX & (ay >= az);
    const F32x16 major = select(isX, x, select(isY, y, z));
    const I32x16 pair = select(isX, splat(0), select(isY, splat(2), splat(4)));
    return pair + ((major < 0.0f) & 1);
}

/// The face that one direction points at.
inline int majorFace(float x, float y, float z) {
    const float ax = std::abs(x), ay = std::abs(y), az = std::abs(z);
    if (ax >= ay && ax >= az) return x < 0 ? 1 : 0;
    if (ay >= az) return y < 0 ? 3 : 2;
    return z < 0 ? 5 : 4;
}

/// Whether all directions meet `face` and none its edges. A few comparisons for what majorFace() asks.
inline bool allMeet(int face, F32x16 x, F32x16 y, F32x16 z) {
    const FaceVector v = toFace(face, x, y, z);
    return toBits((v.major > abs(v.s)) & (v.major > abs(v.t))) == 0xFFFF;
}

/// d(s / major) / 2 by the quotient rule: the quad's derivative seen on the face of its first lane.
inline F32x16 projectedChange(F32x16 change, F32x16 coordinate, F32x16 majorChange, F32x16 major) {
    return (change - coordinate * majorChange) / major * 0.5f;
}

template <Changes kChanges>
I32x16 quadBase(I32x16 face) {
    return asInt(quadBase<kChanges>(asFloat(face)));
}
template <Changes>
int quadBase(int face) {
    return face;
}

/// `face`: majorFace(), or the one face of all lanes.
template <Changes kChanges = Changes::OfLanes, class Face>
Coordinates cubeCoordinates(const SampleInput& in, bool derivatives, Face face) {
    const F32x16 *d = in.coord, *dx = in.ddx, *dy = in.ddy;
    Coordinates c{};
    c.face = I32x16(face);
    FaceVector v = toFace(face, d[0], d[1], d[2]);
    F32x16 s = v.s / v.major, t = v.t / v.major;
    c.s = s * 0.5f + 0.5f;
    c.t = t * 0.5f + 0.5f;
    if (!derivatives) return c;

    F32x16 quadDx[3], quadDy[3];
    if (isImplicit(in.lodMode)) {
        for (int i = 0; i < 3; ++i) {
            const F32x16 base = quadBase<kChanges>(d[i]);
            quadDx[i] = quadRight<kChanges>(d[i]) - base;
            quadDy[i] = quadBelow<kChanges>(d[i]) - base;
        }
        dx = quadDx, dy = quadDy;
        face = quadBase<kChanges>(face);
        s = quadBase<kChanges>(s), t = quadBase<kChanges>(t), v.major = quadBase<kChanges>(v.major);
    }
    const FaceVector vx = toFace(face, dx[0], dx[1], dx[2]), vy = toFace(face, dy[0], dy[1], dy[2]);
    c.dsdx = projectedChange(vx.s, s, vx.major, v.major), c.dtdx = projectedChange(vx.t, t, vx.major, v.major);
    c.dsdy = projectedChange(vy.s, s, vy.major, v.major), c.dtdy = projectedChange(vy.t, t, vy.major, v.major);
    return c;
}

// --- Level of detail ---

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

/// Places at equal distances along the longer axis of a footprint.
struct FootprintWalk {
    F32x16 ds, dt, count;
    Mask16 isSpread;
    float inset;  ///< of a cube's face: its outermost texels' centres; else negative

    /// `faceSize`: of a cube; else 0.
    FootprintWalk(const Coordinates& c, const Footprint& footprint, I32x16 probes, int faceSize)
        : count(toFloat(probes)), isSpread(probes > 1), inset(faceSize > 0 ? 0.5f / static_cast<float>(faceSize) : -1) {
        const Mask16 alongX = footprint.squareX >= footprint.squareY;
        ds = select(alongX, c.dsdx, c.dsdy), dt = select(alongX, c.dtdx, c.dtdy);
    }
    /// The i-th of each lane that has so many.
    [[nodiscard]] Coordinates place(const Coordinates& c, int i) const {
        const F32x16 along = (static_cast<float>(2 * i + 1) - count) / (count * 2.0f);
        F32x16 s = c.s + ds * along, t = c.t + dt * along;
        if (inset >= 0) s = clamp(s, inset, 1 - inset), t = clamp(t, inset, 1 - inset);
        Coordinates place = c;
        place.s = select(isSpread, s, c.s), place.t = select(isSpread, t, c.t);
        return place;
    }
};

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

/// Section 3.7.8: the switch-over to magnification. A NaN magnifies.
inline Mask16 isMinified(const SamplerState& state, F32x16 lambda) {
    const bool lateSwitch = !state.isEs3 && state.magFilter == Filter::Linear && state.minFilter == Filter::Nearest &&
                            state.mipFilter != MipFilter::None;
    return lambda > (lateSwitch ? 0.5f : 0.0f);
}

/// Section 3.7.7 (minification). Footprints of several lookups are minified.
inline LevelChoice chooseLevel(const SamplerState& state, int levels, F32x16 lambda, I32x16 probes) {
    const Mask16 minified = isMinified(state, lambda) | (probes > 1);
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
