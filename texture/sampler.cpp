// Texture filtering of sixteen lookups at once (OpenGL ES 2.0.25, sections 3.7.4 to 3.7.8).
//
// A lookup passes four steps, each a function below:
//   1. coordinates: cube directions pick a face (table 3.21) and become s, t; both get derivatives if needed;
//   2. level of detail: rho, the lookups along an anisotropic footprint, lambda = log2 rho, then the filter and the
//      level, all per lane;
//   3. addressing: wrap, texel indices and eight-bit weights in fixed point;
//   4. fetch and filter, once for each distinct (face, level, filter) among the lanes, which is nearly always one.
//
// Exactness. Eight-bit texels are integers 0..255 held in floats. Horizontal, then vertical interpolation with
// weights k / 256 gives a multiple of 2^-16 below 2^8: 24 bits, so that every operation is exact and the value is
// (sum of texel * weight) / 65536 whatever the order. README.md states the whole definition.
#include "texture/sampler.h"

#include <cfloat>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "texture/convert.h"
#include "texture/srgb.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

namespace {

constexpr int kWeightBits = 8;
constexpr float kWeightScale = 256;

/// One channel set of sixteen lanes.
struct Texels {
    F32x16 channel[4];
};

/// An integer as float in all lanes. Converted as a vector: the host's scalar conversion keeps the rest of its target
/// register, and so waits for whatever was computed there before, the last block's texels for one.
F32x16 wholeFloat(int x) { return toFloat(splat(x)); }

// ---- Coordinates -----------------------------------------------------------------------------------------------

/// Where a lookup goes on its plane, in units of the whole texture, and how fast that changes.
struct Coordinates {
    F32x16 s, t;
    I32x16 face;
    F32x16 dsdx, dtdx, dsdy, dtdy;
};

// The corner of each lane's quad that the derivatives start from, and its neighbours in x and y.
F32x16 quadBase(F32x16 v) { return __builtin_shufflevector(v, v, 0, 0, 2, 2, 0, 0, 2, 2, 8, 8, 10, 10, 8, 8, 10, 10); }
F32x16 quadRight(F32x16 v) { return __builtin_shufflevector(v, v, 1, 1, 3, 3, 1, 1, 3, 3, 9, 9, 11, 11, 9, 9, 11, 11); }
F32x16 quadBelow(F32x16 v) {
    return __builtin_shufflevector(v, v, 4, 4, 6, 6, 4, 4, 6, 6, 12, 12, 14, 14, 12, 12, 14, 14);
}

bool isImplicit(LodMode mode) { return mode == LodMode::Implicit || mode == LodMode::Bias; }
bool needsDerivatives(LodMode mode) { return isImplicit(mode) || mode == LodMode::Gradient; }

Coordinates planeCoordinates(const SampleInput& in, bool derivatives) {
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

/// A direction in the frame of a cube face: table 3.21's s_c and t_c, and the major axis counted positive.
struct FaceVector {
    F32x16 s, t, major;
};

/// Face 0..5: +X -X +Y -Y +Z -Z.
FaceVector toFace(I32x16 face, F32x16 x, F32x16 y, F32x16 z) {
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

I32x16 majorFace(F32x16 x, F32x16 y, F32x16 z) {
    const F32x16 ax = abs(x), ay = abs(y), az = abs(z);
    const Mask16 isX = (ax >= ay) & (ax >= az);
    const Mask16 isY = ~isX & (ay >= az);
    const F32x16 major = select(isX, x, select(isY, y, z));
    const I32x16 pair = select(isX, splat(0), select(isY, splat(2), splat(4)));
    return pair + ((major < 0.0f) & 1);
}

/// d(s / major) / 2 by the quotient rule: the quad's derivative seen on the face of its first lane.
F32x16 projectedChange(F32x16 change, F32x16 coordinate, F32x16 majorChange, F32x16 major) {
    return (change - coordinate * majorChange) / major * 0.5f;
}

Coordinates cubeCoordinates(const SampleInput& in, bool derivatives) {
    const F32x16 *d = in.coord, *dx = in.ddx, *dy = in.ddy;
    Coordinates c{};
    c.face = majorFace(d[0], d[1], d[2]);
    FaceVector v = toFace(c.face, d[0], d[1], d[2]);
    F32x16 s = v.s / v.major, t = v.t / v.major;
    c.s = s * 0.5f + 0.5f;
    c.t = t * 0.5f + 0.5f;
    if (!derivatives) return c;

    F32x16 quadDx[3], quadDy[3];
    I32x16 face = c.face;
    if (isImplicit(in.lodMode)) {
        for (int i = 0; i < 3; ++i) {
            const F32x16 base = quadBase(d[i]);
            quadDx[i] = quadRight(d[i]) - base;
            quadDy[i] = quadBelow(d[i]) - base;
        }
        dx = quadDx, dy = quadDy;
        face = asInt(quadBase(asFloat(face)));
        s = quadBase(s), t = quadBase(t), v.major = quadBase(v.major);
    }
    const FaceVector vx = toFace(face, dx[0], dx[1], dx[2]), vy = toFace(face, dy[0], dy[1], dy[2]);
    c.dsdx = projectedChange(vx.s, s, vx.major, v.major), c.dtdx = projectedChange(vx.t, t, vx.major, v.major);
    c.dsdy = projectedChange(vy.s, s, vy.major, v.major), c.dtdy = projectedChange(vy.t, t, vy.major, v.major);
    return c;
}

// ---- Level of detail -------------------------------------------------------------------------------------------

/// log2 of a positive number by exponent and a polynomial in t = mantissa - 1: t + t (1 - t) q(t), which is exact
/// at powers of two and continuous. Absolute error below 2.5e-6. Zero, negative, tiny and NaN give -126; infinity
/// gives just under 128.
F32x16 levelLog2(F32x16 x) {
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
Footprint footprintOf(const Image& base, const Coordinates& c) {
    const F32x16 width = wholeFloat(base.width()), height = wholeFloat(base.height());
    const F32x16 ux = c.dsdx * width, vx = c.dtdx * height;
    const F32x16 uy = c.dsdy * width, vy = c.dtdy * height;
    return {ux * ux + vx * vx, uy * uy + vy * vy};
}

/// Lookups along the longer axis of a footprint (EXT_texture_filter_anisotropic): as many as the shorter axis, of at
/// least one texel, goes into it, at most `limit`. NaN gives 1.
I32x16 probeCount(const Footprint& footprint, int limit) {
    const F32x16 longer = maxPs(footprint.squareX, footprint.squareY);
    const F32x16 shorter = maxPs(minPs(footprint.squareX, footprint.squareY), splat(1.0f));
    I32x16 count = splat(1);
    for (int k = 1; k < limit; ++k) count -= longer > shorter * static_cast<float>(k * k);
    return count;
}

/// `square`: squared length of what a lookup is to cover, in texels.
F32x16 levelOfDetail(F32x16 square, const SampleInput& in) {
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
LevelChoice chooseLevel(const SamplerState& state, int levels, F32x16 lambda, I32x16 probes) {
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

// ---- Addressing ------------------------------------------------------------------------------------------------

/// The coordinate brought to 0..1 by the wrap mode; NaN and infinities give an end of the range.
F32x16 wrapUnit(Wrap wrap, F32x16 s) {
    switch (wrap) {
        case Wrap::Repeat:
            s = s - floor(s);
            break;
        case Wrap::MirroredRepeat: {
            const F32x16 period = s - floor(s * 0.5f) * 2.0f;
            s = minPs(period, 2.0f - period);
            break;
        }
        case Wrap::ClampToEdge:
            break;
    }
    return clamp(s, 0.0f, 1.0f);
}

I32x16 nearestTexel(Wrap wrap, F32x16 unit, int size) {
    const I32x16 texel = truncToInt(unit * wholeFloat(size));
    // unit == 1: the first texel of the next repetition, or the edge.
    return select(texel < size, texel, splat(wrap == Wrap::Repeat ? 0 : size - 1));
}

struct TexelPair {
    I32x16 first, second;
    F32x16 weight;  ///< of the second: k / 256
};
TexelPair linearTexels(Wrap wrap, F32x16 unit, int size) {
    const I32x16 fixed = truncToInt(roundEven(unit * wholeFloat(size << kWeightBits))) - (1 << (kWeightBits - 1));
    TexelPair pair;
    pair.first = fixed >> kWeightBits;
    pair.second = pair.first + 1;
    pair.weight = toFloat(fixed & 0xFF) * (1 / kWeightScale);
    const bool repeat = wrap == Wrap::Repeat;
    pair.first = select(pair.first < 0, splat(repeat ? size - 1 : 0), pair.first);
    pair.second = select(pair.second < size, pair.second, splat(repeat ? 0 : size - 1));
    return pair;
}

/// Offsets of a column and of a row in elements; their sum addresses a texel.
I32x16 columnOffset(I32x16 x) { return ((x & ~3) << 2) + (x & 3); }
I32x16 rowOffset(I32x16 y, int blocksWide) { return (y >> 2) * (blocksWide * 16) + ((y & 3) << 2); }

// ---- Fetch and filter ------------------------------------------------------------------------------------------

/// Word `part` of the elements at `offset`, kParts words each.
template <int kParts>
U32x16 gather(const uint32_t* base, I32x16 offset, int part) {
#if defined(__AVX512F__)
    auto index = __builtin_bit_cast(__m512i, offset);
    return __builtin_bit_cast(
        U32x16, _mm512_i32gather_epi32(_mm512_mullo_epi32(index, _mm512_set1_epi32(kParts)), base + part, 4));
#else
    U32x16 words;
    for (int lane = 0; lane < 16; ++lane) words[lane] = base[static_cast<size_t>(offset[lane]) * kParts + part];
    return words;
#endif
}

/// How texels are fetched: as their element says, or decoded.
enum class Fetch : uint8_t { Rgba8, D24S8, Rgba16F, Rgba32F, Srgb8 };
Fetch fetchOf(const Image& image) {
    const bool isSrgb = image.format() == PixelFormat::Srgb8 || image.format() == PixelFormat::Srgb8Alpha8;
    return isSrgb ? Fetch::Srgb8 : static_cast<Fetch>(image.element());
}
static_assert(static_cast<int>(Element::Rgba8) == 0 && static_cast<int>(Element::D24S8) == 1 &&
              static_cast<int>(Element::Rgba16F) == 2 && static_cast<int>(Element::Rgba32F) == 3);

template <Fetch kFetch>
Texels fetch(const uint32_t* base, I32x16 offset) {
    Texels texels;
    if constexpr (kFetch == Fetch::Srgb8) {
        const U32x16 word = gather<1>(base, offset, 0);
        texels.channel[0] = srgbToLinear(word & 0xFFu);
        texels.channel[1] = srgbToLinear((word >> 8u) & 0xFFu);
        texels.channel[2] = srgbToLinear((word >> 16u) & 0xFFu);
        texels.channel[3] = toFloat(asInt(word >> 24u));
    } else if constexpr (kFetch == Fetch::Rgba8) {
        const U32x16 word = gather<1>(base, offset, 0);
        texels.channel[0] = toFloat(asInt(word & 0xFFu));
        texels.channel[1] = toFloat(asInt((word >> 8u) & 0xFFu));
        texels.channel[2] = toFloat(asInt((word >> 16u) & 0xFFu));
        texels.channel[3] = toFloat(asInt(word >> 24u));
    } else if constexpr (kFetch == Fetch::D24S8) {
        const F32x16 depth = toFloat(asInt(gather<1>(base, offset, 0) >> 8u)) / 16777215.0f;
        texels.channel[0] = texels.channel[1] = texels.channel[2] = depth;
        texels.channel[3] = splat(1.0f);
    } else if constexpr (kFetch == Fetch::Rgba16F) {
        for (int pair = 0; pair < 2; ++pair) {
            const U32x16 halves = gather<2>(base, offset, pair);
            texels.channel[2 * pair] = halfToFloat(halves & 0xFFFFu);
            texels.channel[2 * pair + 1] = halfToFloat(halves >> 16u);
        }
    } else {
        for (int c = 0; c < 4; ++c) texels.channel[c] = asFloat(gather<4>(base, offset, c));
    }
    return texels;
}

/// The same where every intermediate result is exact, so that one rounding or two make no difference.
F32x16 interpolateExact(F32x16 a, F32x16 b, F32x16 weight) {
#ifdef __FMA__
    return fma(b - a, weight, a);
#else
    return a + (b - a) * weight;
#endif
}

/// a + (b - a) * weight. A weight of zero gives a even where b is infinite or NaN, as float texels may be.
F32x16 interpolate(F32x16 a, F32x16 b, F32x16 weight, bool isFloat) {
    const F32x16 value = a + (b - a) * weight;
    return isFloat ? select(weight == 0.0f, a, value) : value;
}
Texels interpolate(const Texels& a, const Texels& b, F32x16 weight, bool isFloat) {
    Texels result;
    for (int c = 0; c < 4; ++c) result.channel[c] = interpolate(a.channel[c], b.channel[c], weight, isFloat);
    return result;
}

constexpr bool isFloat(Fetch fetch) { return fetch == Fetch::Rgba16F || fetch == Fetch::Rgba32F; }
constexpr bool isEightBit(Fetch fetch) { return fetch == Fetch::Rgba8 || fetch == Fetch::Srgb8; }

struct Addressing {
    Wrap wrapS, wrapT;
    F32x16 s, t;  ///< wrapped to 0..1
};

/// Between neighbouring texels; eight-bit ones are exact (see the top of this file).
template <Fetch kFetch>
Texels interpolateTexels(const Texels& a, const Texels& b, F32x16 weight) {
    if constexpr (kFetch != Fetch::Rgba8) return interpolate(a, b, weight, isFloat(kFetch));
    Texels result;
    for (int c = 0; c < 4; ++c) result.channel[c] = interpolateExact(a.channel[c], b.channel[c], weight);
    return result;
}

template <Fetch kFetch>
Texels filterImage(const Image& image, const Addressing& at, bool linear) {
    const uint32_t* base = image.block32(0, 0);
    if (!linear) {
        const I32x16 x = nearestTexel(at.wrapS, at.s, image.width());
        const I32x16 y = nearestTexel(at.wrapT, at.t, image.height());
        return fetch<kFetch>(base, columnOffset(x) + rowOffset(y, image.blocksWide()));
    }
    const TexelPair x = linearTexels(at.wrapS, at.s, image.width());
    const TexelPair y = linearTexels(at.wrapT, at.t, image.height());
    const I32x16 left = columnOffset(x.first), right = columnOffset(x.second);
    auto filterRow = [&](I32x16 row) {
        const I32x16 start = rowOffset(row, image.blocksWide());
        return interpolateTexels<kFetch>(fetch<kFetch>(base, start + left), fetch<kFetch>(base, start + right),
                                         x.weight);
    };
    return interpolateTexels<kFetch>(filterRow(y.first), filterRow(y.second), y.weight);
}

Texels filterImage(const Image& image, Fetch fetch, const Addressing& at, bool linear) {
    switch (fetch) {
        case Fetch::Rgba8:
            return filterImage<Fetch::Rgba8>(image, at, linear);
        case Fetch::D24S8:
            return filterImage<Fetch::D24S8>(image, at, linear);
        case Fetch::Rgba16F:
            return filterImage<Fetch::Rgba16F>(image, at, linear);
        case Fetch::Rgba32F:
            return filterImage<Fetch::Rgba32F>(image, at, linear);
        case Fetch::Srgb8:
            return filterImage<Fetch::Srgb8>(image, at, linear);
    }
    return {};
}

/// Multiplying by the single nearest to 1/255 maps 0 and 255 to exactly 0 and 1.
constexpr float kByteScale = 1.0f / 255.0f;

/// Tells the listener what `lanes` read of an image.
[[gnu::noinline, gnu::cold]] void tell(const TexelListener& listener, const TextureView& view, int face, int level,
                                       const Addressing& at, bool linear, uint32_t lanes) {
    TexelFetch fetch;
    const Image& image = *view.image[face][level];
    fetch.image = &image;
    fetch.face = face;
    fetch.level = level;
    fetch.linear = linear;
    fetch.lanes = lanes;
    const auto indices = [&](Wrap wrap, F32x16 unit, int size, int32_t(&texels)[2][16]) {
        TexelPair pair;
        if (linear) {
            pair = linearTexels(wrap, unit, size);
        } else {
            pair.first = pair.second = nearestTexel(wrap, unit, size);
        }
        store(texels[0], pair.first);
        store(texels[1], pair.second);
    };
    indices(at.wrapS, at.s, image.width(), fetch.x);
    indices(at.wrapT, at.t, image.height(), fetch.y);
    listener.heard(listener, fetch);
}

/// One lookup of every lane in `mask`; `s`, `t` are not wrapped yet. The others are left alone.
void lookUp(const TextureView& view, const SamplerState& state, I32x16 faces, F32x16 s, F32x16 t,
            const LevelChoice& choice, uint32_t mask, const TexelListener* listener, F32x16 (&rgba)[4]) {
    Addressing at;
    at.wrapS = state.wrapS;
    at.wrapT = state.wrapT;
    at.s = wrapUnit(at.wrapS, s);
    at.t = wrapUnit(at.wrapT, t);
    const Fetch fetch = fetchOf(*view.image[0][0]);
    const I32x16 key = choice.linear | (choice.level << 1) | (faces << 5);
    uint32_t remaining = mask;
    while (remaining != 0) {
        const int lane = __builtin_ctz(remaining);
        const int face = faces[lane], level = choice.level[lane];
        const bool linear = choice.linear[lane] != 0;
        const Mask16 same = key == key[lane];

        Texels texels = filterImage(*view.image[face][level], fetch, at, linear);
        const uint32_t between = toBits(same & (choice.fraction != 0.0f)) & remaining;
        if (listener != nullptr) [[unlikely]] {
            tell(*listener, view, face, level, at, linear, toBits(same) & remaining);
            if (between != 0 && level + 1 < view.levels) tell(*listener, view, face, level + 1, at, linear, between);
        }
        if (between != 0 && level + 1 < view.levels) {
            const Texels next = filterImage(*view.image[face][level + 1], fetch, at, linear);
            texels = interpolate(texels, next, choice.fraction, isFloat(fetch));
        }
        for (int i = 0; i < 4; ++i) {
            const F32x16 value = isEightBit(fetch) ? texels.channel[i] * kByteScale : texels.channel[i];
            rgba[i] = select(same, value, rgba[i]);
        }
        remaining &= ~toBits(same);
    }
}

/// The mean of lookups at equal distances along the longer axis of the footprint.
void lookUpFootprint(const TextureView& view, const SamplerState& state, const Coordinates& c,
                     const Footprint& footprint, I32x16 probes, const LevelChoice& choice, uint32_t mask,
                     const TexelListener* listener, F32x16 (&rgba)[4]) {
    const Mask16 alongX = footprint.squareX >= footprint.squareY;
    const F32x16 ds = select(alongX, c.dsdx, c.dsdy), dt = select(alongX, c.dtdx, c.dtdy);
    const F32x16 count = toFloat(probes);
    const Mask16 isSpread = probes > 1;
    const float inset =
        0.5f / static_cast<float>(view.image[0][0]->width());  // of a cube: the outermost texels' centres
    F32x16 sum[4] = {};
    for (int i = 0;; ++i) {
        const Mask16 takesPart = probes > i;
        const uint32_t lanes = toBits(takesPart) & mask;
        if (lanes == 0) break;
        const F32x16 place = (static_cast<float>(2 * i + 1) - count) / (count * 2.0f);
        F32x16 s = c.s + ds * place, t = c.t + dt * place;
        if (view.kind == Kind::Cube) s = clamp(s, inset, 1 - inset), t = clamp(t, inset, 1 - inset);
        s = select(isSpread, s, c.s), t = select(isSpread, t, c.t);
        F32x16 one[4] = {};
        lookUp(view, state, c.face, s, t, choice, lanes, listener, one);
        for (int channel = 0; channel < 4; ++channel) {
            sum[channel] = select(takesPart, sum[channel] + one[channel], sum[channel]);
        }
    }
    for (int channel = 0; channel < 4; ++channel) rgba[channel] = sum[channel] / count;
}

}  // namespace

void sample(const TextureView& view, const SamplerState& state, const SampleInput& in, SampleOutput& out) {
    out = {};
    if (view.levels <= 0) {
        out.rgba[3] = splat(1.0f);
        return;
    }
    const bool isCube = view.kind == Kind::Cube;
    const bool isAnisotropic =
        state.maxAnisotropy > 1 && state.minFilter == Filter::Linear && needsDerivatives(in.lodMode);
    const bool levelMatters = state.mipFilter != MipFilter::None || state.minFilter != state.magFilter;
    const bool derivatives = isAnisotropic || (levelMatters && needsDerivatives(in.lodMode));
    const Coordinates c = isCube ? cubeCoordinates(in, derivatives) : planeCoordinates(in, derivatives);
    const Footprint footprint = derivatives ? footprintOf(*view.image[0][0], c) : Footprint{};
    F32x16 square = maxPs(footprint.squareX, footprint.squareY);
    I32x16 probes = splat(1);
    if (isAnisotropic) {
        probes = probeCount(footprint, state.maxAnisotropy);
        square /= toFloat(probes * probes);
    }

    LevelChoice choice{};
    if (levelMatters) {
        choice = chooseLevel(state, view.levels, levelOfDetail(square, in), probes);
    } else {
        choice.linear = splat(state.magFilter == Filter::Linear ? 1 : 0);
    }
    const uint32_t mask = in.mask & 0xFFFF;
    if (isAnisotropic && (toBits(probes > 1) & mask) != 0) {
        lookUpFootprint(view, state, c, footprint, probes, choice, mask, in.listener, out.rgba);
    } else {
        lookUp(view, state, c.face, c.s, c.t, choice, mask, in.listener, out.rgba);
    }
}

// ---- Blocks with constant state --------------------------------------------------------------------------------

namespace {

constexpr int kResultStride = 32;  ///< floats from one channel of a result to the next

// kPower: both sizes are powers of two, both wrap modes repeat. A mask then brings every texel into the image, whatever
// the coordinate; a NaN, which converts to -2^31 on the hosts that have this form, gets the texels and weights of 0.
#if defined(__AVX512BW__)
constexpr bool kHasPower = true;
I32x16 texelOf(F32x16 x) { return __builtin_bit_cast(I32x16, _mm512_cvttps_epi32(__builtin_bit_cast(__m512, x))); }
#else
constexpr bool kHasPower = false;
[[maybe_unused]] I32x16 texelOf(F32x16 x) { return truncToInt(x); }
#endif

constexpr bool isPowerOfTwo(int size) { return (size & (size - 1)) == 0; }

template <bool kPower>
[[gnu::always_inline]] inline Addressing blockAddressing(const SamplerState& state, const float* sRow,
                                                         const float* tRow) {
    if constexpr (kPower) {
        const F32x16 s = load<F32x16>(sRow), t = load<F32x16>(tRow);
        return {state.wrapS, state.wrapT, s - floor(s), t - floor(t)};
    }
    return {state.wrapS, state.wrapT, wrapUnit(state.wrapS, load<F32x16>(sRow)),
            wrapUnit(state.wrapT, load<F32x16>(tRow))};
}

/// rowOffset().
template <bool kPower>
[[gnu::always_inline]] inline I32x16 blockRowOffset(I32x16 y, int blocksWide) {
    if constexpr (!kPower) return rowOffset(y, blocksWide);
    return ((y & ~3) << splat(__builtin_ctz(static_cast<unsigned>(blocksWide)) + 2)) + ((y & 3) << 2);
}

#if defined(__AVX512BW__)

/// To nearest, ties to even; |x| < 2^31.
I32x16 roundToInt(F32x16 x) { return __builtin_bit_cast(I32x16, _mm512_cvtps_epi32(__builtin_bit_cast(__m512, x))); }

/// linearTexels() with the weight as an integer 0..255.
struct FixedPair {
    I32x16 first, second, weight;
};
template <bool kPower>
[[gnu::always_inline]] inline FixedPair fixedTexels(Wrap wrap, F32x16 unit, int size) {
    const I32x16 rounded = roundToInt(unit * wholeFloat(size << kWeightBits));
    const I32x16 fixed = asInt(asUint(rounded) - (1u << (kWeightBits - 1)));  // may wrap around
    FixedPair pair;
    pair.first = fixed >> kWeightBits;
    pair.second = pair.first + 1;
    pair.weight = fixed & 0xFF;
    if (kPower) {
        pair.first &= size - 1;
        pair.second &= size - 1;
    } else if (wrap != Wrap::Repeat) {
        pair.first = max(pair.first, splat(0));
        pair.second = min(pair.second, splat(size - 1));
    } else {
        pair.first = select(pair.first < 0, splat(size - 1), pair.first);
        pair.second = select(pair.second < size, pair.second, splat(0));
    }
    return pair;
}

constexpr float kLinearUnit = 65536;  ///< filterLinear() counts in 1 / (255 * this)

__m512i vector(I32x16 x) { return __builtin_bit_cast(__m512i, x); }
I32x16 lanes32(__m512i x) { return __builtin_bit_cast(I32x16, x); }

/// Between two texels, two channels at a time, each in sixteen bits: at most 255 * 256. Less 2^15, for madd.
[[gnu::always_inline]] inline __m512i filterPair(__m512i left, __m512i right, __m512i leftWeight, __m512i rightWeight) {
    const __m512i sum = _mm512_add_epi16(_mm512_mullo_epi16(left, leftWeight), _mm512_mullo_epi16(right, rightWeight));
    return _mm512_xor_si512(sum, _mm512_set1_epi16(static_cast<short>(0x8000)));
}

/// The four texels around each place, weighted, in integers: (sum of texel * weight) exactly.
template <bool kPower>
[[gnu::always_inline]] inline Texels filterLinear(const Image& image, const Addressing& at) {
    const uint32_t* base = image.block32(0, 0);
    const FixedPair x = fixedTexels<kPower>(at.wrapS, at.s, image.width());
    const FixedPair y = fixedTexels<kPower>(at.wrapT, at.t, image.height());
    const I32x16 left = columnOffset(x.first), right = columnOffset(x.second);
    const __m512i rightWeight = vector(x.weight | x.weight << 16);
    const __m512i leftWeight = _mm512_sub_epi16(_mm512_set1_epi16(256), rightWeight);
    const __m512i low = _mm512_set1_epi32(0x00FF00FF);
    struct Row {
        __m512i even, odd;  // red and blue, green and alpha
    };
    const auto filterRow = [&](I32x16 row) -> Row {
        const I32x16 start = blockRowOffset<kPower>(row, image.blocksWide());
        const __m512i a = __builtin_bit_cast(__m512i, gather<1>(base, start + left, 0));
        const __m512i b = __builtin_bit_cast(__m512i, gather<1>(base, start + right, 0));
        return {filterPair(_mm512_and_si512(a, low), _mm512_and_si512(b, low), leftWeight, rightWeight),
                filterPair(_mm512_srli_epi16(a, 8), _mm512_srli_epi16(b, 8), leftWeight, rightWeight)};
    };
    const Row below = filterRow(y.first), above = filterRow(y.second);
    const __m512i weights = vector((y.weight << 16) + (256 - y.weight));
    // Each 32 bits: the lower row's value and the upper row's, both less 2^15, so that their mean is less 2^23.
    const auto column = [&](__m512i pair) { return toFloat(lanes32(_mm512_madd_epi16(pair, weights)) + (1 << 23)); };
    constexpr __mmask32 kUpper = 0xAAAAAAAA;
    Texels result;
    result.channel[0] = column(_mm512_mask_blend_epi16(kUpper, below.even, _mm512_slli_epi32(above.even, 16)));
    result.channel[1] = column(_mm512_mask_blend_epi16(kUpper, below.odd, _mm512_slli_epi32(above.odd, 16)));
    result.channel[2] = column(_mm512_mask_blend_epi16(kUpper, _mm512_srli_epi32(below.even, 16), above.even));
    result.channel[3] = column(_mm512_mask_blend_epi16(kUpper, _mm512_srli_epi32(below.odd, 16), above.odd));
    return result;
}

#else

constexpr float kLinearUnit = 1;

template <bool>
Texels filterLinear(const Image& image, const Addressing& at) {
    return filterImage<Fetch::Rgba8>(image, at, true);
}

#endif

/// In units of 1 / (255 * unit<kLinear>).
template <bool kLinear, bool kPower>
[[gnu::always_inline]] inline Texels filterBlock(const Image& image, const Addressing& at) {
    if constexpr (kLinear) return filterLinear<kPower>(image, at);
    if constexpr (kPower) {
        const I32x16 x = texelOf(at.s * wholeFloat(image.width())) & (image.width() - 1);
        const I32x16 y = texelOf(at.t * wholeFloat(image.height())) & (image.height() - 1);
        return fetch<Fetch::Rgba8>(image.block32(0, 0), columnOffset(x) + blockRowOffset<true>(y, image.blocksWide()));
    }
    const I32x16 x = nearestTexel(at.wrapS, at.s, image.width()), y = nearestTexel(at.wrapT, at.t, image.height());
    return fetch<Fetch::Rgba8>(image.block32(0, 0), columnOffset(x) + rowOffset(y, image.blocksWide()));
}

/// A power of two times kByteScale, so that values are rounded as sample() rounds them.
template <bool kLinear>
constexpr float kBlockScale = kByteScale / (kLinear ? kLinearUnit : 1);

template <bool kLinear>
[[gnu::always_inline]] inline void storeTexels(const Texels& texels, float* result) {
    for (int c = 0; c < 4; ++c) store(result + c * kResultStride, texels.channel[c] * kBlockScale<kLinear>);
}

template <bool kLinear, bool kPower>
void sampleOneLevel(const TextureView& view, const SamplerState& state, uint32_t, const float* s, const float* t,
                    float* result) {
    storeTexels<kLinear>(filterBlock<kLinear, kPower>(*view.image[0][0], blockAddressing<kPower>(state, s, t)), result);
}

/// Mip levels, with one filter for minification and magnification.
template <bool kLinear, bool kPower>
void sampleMipLevels(const TextureView& view, const SamplerState& state, uint32_t lanes, const float* s, const float* t,
                     float* result) {
    SampleInput in;
    in.coord[0] = load<F32x16>(s);
    in.coord[1] = load<F32x16>(t);
    const Coordinates c = planeCoordinates(in, true);
    const Footprint footprint = footprintOf(*view.image[0][0], c);
    const F32x16 square = maxPs(footprint.squareX, footprint.squareY);
    const LevelChoice choice = chooseLevel(state, view.levels, levelOfDetail(square, in), splat(1));
    const Addressing at = blockAddressing<kPower>(state, s, t);
    // Counting levels up, not taking them from the lanes: so which level comes is predicted as a branch is, and
    // fetching starts before the level of detail is known.
    uint32_t remaining = lanes;
    for (int level = 0; remaining != 0 && level < view.levels; ++level) {
        const Mask16 same = choice.level == level;
        const uint32_t sameLanes = toBits(same) & remaining;
        if (sameLanes == 0) continue;
        Texels texels = filterBlock<kLinear, kPower>(*view.image[0][level], at);
        if (level + 1 < view.levels && (toBits(choice.fraction != 0.0f) & sameLanes) != 0) {
            const Texels next = filterBlock<kLinear, kPower>(*view.image[0][level + 1], at);
            texels = interpolate(texels, next, choice.fraction, false);
        }
        if (sameLanes == lanes) return storeTexels<kLinear>(texels, result);
        for (int i = 0; i < 4; ++i) {
            float* channel = result + i * kResultStride;
            store(channel, select(same, texels.channel[i] * kBlockScale<kLinear>, load<F32x16>(channel)));
        }
        remaining &= ~sameLanes;
    }
}

}  // namespace

BlockSampler blockSampler(const TextureView& view, const SamplerState& state) {
    if (view.kind != Kind::Tex2D || view.levels <= 0 || fetchOf(*view.image[0][0]) != Fetch::Rgba8) return nullptr;
    if (state.minFilter != state.magFilter || state.maxAnisotropy > 1) return nullptr;
    const Image& base = *view.image[0][0];
    const bool power = kHasPower && state.wrapS == Wrap::Repeat && state.wrapT == Wrap::Repeat &&
                       isPowerOfTwo(base.width()) && isPowerOfTwo(base.height());
    constexpr BlockSampler kSamplers[2][2][2] = {
        {{sampleOneLevel<false, false>, sampleOneLevel<false, kHasPower>},
         {sampleOneLevel<true, false>, sampleOneLevel<true, kHasPower>}},
        {{sampleMipLevels<false, false>, sampleMipLevels<false, kHasPower>},
         {sampleMipLevels<true, false>, sampleMipLevels<true, kHasPower>}},
    };
    return kSamplers[state.mipFilter != MipFilter::None][state.magFilter == Filter::Linear][power];
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
