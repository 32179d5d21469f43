// Where lookups go: coordinates on a plane, in a volume or on the face of a cube, and how fast they change from pixel
// to pixel (OpenGL ES 2.0.25, table 3.21 and section 3.7.7). Internal to the sampler; compiled for each SIMD level.
// README.md, "Sampling, to the bit", is the definition.
#pragma once

#include "texture/sample/sampler.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

/// Where a lookup goes on its plane, in units of the whole texture, and how fast that changes.
struct Coordinates {
    F32x16 s, t, r;  ///< r: of 3D textures
    I32x16 face;
    F32x16 dsdx, dtdx, dsdy, dtdy;
    F32x16 drdx, drdy;
};

// The corner of each lane's quad that the derivatives start from, and its neighbours in x and y.
inline F32x16 quadBase(F32x16 v) {
    return __builtin_shufflevector(v, v, 0, 0, 2, 2, 0, 0, 2, 2, 8, 8, 10, 10, 8, 8, 10, 10);
}
inline F32x16 quadRight(F32x16 v) {
    return __builtin_shufflevector(v, v, 1, 1, 3, 3, 1, 1, 3, 3, 9, 9, 11, 11, 9, 9, 11, 11);
}
inline F32x16 quadBelow(F32x16 v) {
    return __builtin_shufflevector(v, v, 4, 4, 6, 6, 4, 4, 6, 6, 12, 12, 14, 14, 12, 12, 14, 14);
}

inline bool isImplicit(LodMode mode) { return mode == LodMode::Implicit || mode == LodMode::Bias; }
inline bool needsDerivatives(LodMode mode) { return isImplicit(mode) || mode == LodMode::Gradient; }

inline Coordinates planeCoordinates(const SampleInput& in, bool derivatives) {
    Coordinates c{};
    c.s = in.coord[0];
    c.t = in.coord[1];
    if (!derivatives) return c;
    if (in.lodMode == LodMode::Gradient) {
        c.dsdx = in.ddx[0], c.dtdx = in.ddx[1];
        c.dsdy = in.ddy[0], c.dtdy = in.ddy[1];
    } else {
        const F32x16 s = quadBase(c.s), t = quadBase(c.t);
        c.dsdx = quadRight(c.s) - s, c.dtdx = quadRight(c.t) - t;
        c.dsdy = quadBelow(c.s) - s, c.dtdy = quadBelow(c.t) - t;
    }
    return c;
}

inline Coordinates volumeCoordinates(const SampleInput& in, bool derivatives) {
    Coordinates c = planeCoordinates(in, derivatives);
    c.r = in.coord[2];
    if (!derivatives) return c;
    if (in.lodMode == LodMode::Gradient) {
        c.drdx = in.ddx[2], c.drdy = in.ddy[2];
    } else {
        const F32x16 r = quadBase(c.r);
        c.drdx = quadRight(c.r) - r, c.drdy = quadBelow(c.r) - r;
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

/// d(s / major) / 2 by the quotient rule: the quad's derivative seen on the face of its first lane.
inline F32x16 projectedChange(F32x16 change, F32x16 coordinate, F32x16 majorChange, F32x16 major) {
    return (change - coordinate * majorChange) / major * 0.5f;
}

inline I32x16 quadBase(I32x16 face) { return asInt(quadBase(asFloat(face))); }
inline int quadBase(int face) { return face; }

/// `face`: majorFace(), or the one face of all lanes.
template <class Face>
inline Coordinates cubeCoordinates(const SampleInput& in, bool derivatives, Face face) {
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
            const F32x16 base = quadBase(d[i]);
            quadDx[i] = quadRight(d[i]) - base;
            quadDy[i] = quadBelow(d[i]) - base;
        }
        dx = quadDx, dy = quadDy;
        face = quadBase(face);
        s = quadBase(s), t = quadBase(t), v.major = quadBase(v.major);
    }
    const FaceVector vx = toFace(face, dx[0], dx[1], dx[2]), vy = toFace(face, dy[0], dy[1], dy[2]);
    c.dsdx = projectedChange(vx.s, s, vx.major, v.major), c.dtdx = projectedChange(vx.t, t, vx.major, v.major);
    c.dsdy = projectedChange(vy.s, s, vy.major, v.major), c.dtdy = projectedChange(vy.t, t, vy.major, v.major);
    return c;
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
