// What the sampler's two halves share: addressing, comparison, texels and filters of one image. Internal to
// sampler_simd.cpp (every state) and block_sampler_simd.cpp (code for one state alone); compiled for each SIMD level.
// docs/sampling.md, "Sampling, to the bit", is the definition.
#pragma once

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

#include "base/enumeration.h"
#include "texture/convert.h"
#include "texture/sample/footprint.h"
#include "texture/sample/sampler.h"
#include "texture/srgb.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

/// One channel set of sixteen lanes.
struct Texels {
    F32x16 channel[4];
};

// --- Addressing ---

/// What the mirroring wrap modes do, and the others do not.
[[gnu::always_inline]] inline F32x16 mirrored(Wrap wrap, F32x16 s) {
    if (wrap == Wrap::MirroredRepeat) {
        const F32x16 period = s - floor(s * 0.5f) * 2.0f;
        return minPs(period, 2.0f - period);
    }
    return wrap == Wrap::MirrorClampToEdge ? abs(s) : s;
}
/// The coordinate brought to 0..1 (with a border -1..2) by the wrap mode; NaN and infinities give an end of the range.
inline F32x16 wrapUnit(Wrap wrap, F32x16 s) {
    if (wrap == Wrap::ClampToBorder) return clamp(s, -1.0f, 2.0f);  // all that lies outside is alike
    return clamp(wrap == Wrap::Repeat ? s - floor(s) : mirrored(wrap, s), 0.0f, 1.0f);
}

inline I32x16 nearestTexel(Wrap wrap, F32x16 unit, int size) {
    const I32x16 texel = truncToInt(unit * wholeFloat(size));
    // unit == 1: the first texel of the next repetition, or the edge.
    return select(texel < size, texel, splat(wrap == Wrap::Repeat ? 0 : size - 1));
}

/// Whether more than the filter hangs on a lookup's level.
inline bool hasLevels(const TextureView& view, const SamplerState& state) {
    return state.mipFilter != MipFilter::None && view.levels > 1;
}

/// Whether lookups may read outside the image.
inline bool readsBorder(const SamplerState& state, bool isVolume) {
    return state.wrapS == Wrap::ClampToBorder || state.wrapT == Wrap::ClampToBorder ||
           (isVolume && state.wrapR == Wrap::ClampToBorder);
}

struct TexelPair {
    I32x16 first, second;
    F32x16 weight;  ///< of the second: k / 256
};
/// A coordinate as a position in 1/256 of a texel, counted from the centre of the first texel.
inline I32x16 fixedPosition(F32x16 unit, int size) {
    return truncToInt(roundEven(unit * wholeFloat(size << kWeightBits))) - (1 << (kWeightBits - 1));
}
inline F32x16 weightOf(I32x16 fixed) { return toFloat(fixed & 0xFF) * (1 / kWeightScale); }
inline TexelPair linearTexels(Wrap wrap, F32x16 unit, int size) {
    const I32x16 fixed = fixedPosition(unit, size);
    TexelPair pair;
    pair.first = fixed >> kWeightBits;
    pair.second = pair.first + 1;
    pair.weight = weightOf(fixed);
    const bool repeat = wrap == Wrap::Repeat;
    pair.first = select(pair.first < 0, splat(repeat ? size - 1 : 0), pair.first);
    pair.second = select(pair.second < size, pair.second, splat(repeat ? 0 : size - 1));
    return pair;
}

/// Offsets of a column and of a row in elements; their sum addresses a texel.
inline I32x16 columnOffset(I32x16 x) { return ((x & ~3) << 2) + (x & 3); }
inline I32x16 rowOffset(I32x16 y, int blocksWide) { return (y >> 2) * (blocksWide * 16) + ((y & 3) << 2); }

// --- Fetch and filter ---

/// Word `part` of the elements at `offset`, kParts words each.
template <int kParts>
inline U32x16 gather(const uint32_t* base, I32x16 offset, int part) {
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
inline Fetch fetchOf(const Image& image) {
    return isSrgb(image.format()) ? Fetch::Srgb8 : static_cast<Fetch>(image.element());
}
static_assert(static_cast<int>(Element::Rgba8) == 0 && static_cast<int>(Element::D24S8) == 1 &&
              static_cast<int>(Element::Rgba16F) == 2 && static_cast<int>(Element::Rgba32F) == 3 &&
              static_cast<size_t>(Fetch::Srgb8) == enumeratorCount<Element>());

/// The bytes of each lane.
inline Texels bytesOf(U32x16 word) {
    return {{toFloat(asInt(word & 0xFFu)), toFloat(asInt((word >> 8u) & 0xFFu)), toFloat(asInt((word >> 16u) & 0xFFu)),
             toFloat(asInt(word >> 24u))}};
}

/// Their light, with alpha as it is.
inline Texels lightOf(U32x16 word) {
    return {{srgbToLinear(word, 0), srgbToLinear(word, 1), srgbToLinear(word, 2), toFloat(asInt(word >> 24u))}};
}

template <Fetch kFetch>
inline Texels fetch(const uint32_t* base, I32x16 offset) {
    Texels texels;
    if constexpr (kFetch == Fetch::Srgb8) {
        texels = lightOf(gather<1>(base, offset, 0));
    } else if constexpr (kFetch == Fetch::Rgba8) {
        texels = bytesOf(gather<1>(base, offset, 0));
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
inline F32x16 interpolateExact(F32x16 a, F32x16 b, F32x16 weight) {
#ifdef __FMA__
    return fma(b - a, weight, a);
#else
    return a + (b - a) * weight;
#endif
}

/// a + (b - a) * weight. A weight of zero gives a even where b is infinite or NaN, as float texels may be.
inline F32x16 interpolate(F32x16 a, F32x16 b, F32x16 weight, bool isFloat) {
    const F32x16 value = a + (b - a) * weight;
    return isFloat ? select(weight == 0.0f, a, value) : value;
}
inline Texels interpolate(const Texels& a, const Texels& b, F32x16 weight, bool isFloat) {
    Texels result;
    for (int c = 0; c < 4; ++c) result.channel[c] = interpolate(a.channel[c], b.channel[c], weight, isFloat);
    return result;
}

constexpr bool isFloat(Fetch fetch) { return fetch == Fetch::Rgba16F || fetch == Fetch::Rgba32F; }
constexpr bool isEightBit(Fetch fetch) { return fetch == Fetch::Rgba8 || fetch == Fetch::Srgb8; }

struct Addressing {
    Wrap wrapS, wrapT;
    F32x16 s, t;  ///< wrapped to 0..1
    // These are set only where the view is one of volumes.
    Wrap wrapR;
    F32x16 r;
    // These are set only where depth is compared.
    DepthCompare compare = DepthCompare::None;
    F32x16 reference;
};

/// Between neighbouring texels; eight-bit ones are exact (see the top of this file).
template <Fetch kFetch>
inline Texels interpolateTexels(const Texels& a, const Texels& b, F32x16 weight) {
    if constexpr (kFetch != Fetch::Rgba8) return interpolate(a, b, weight, isFloat(kFetch));
    Texels result;
    for (int c = 0; c < 4; ++c) result.channel[c] = interpolateExact(a.channel[c], b.channel[c], weight);
    return result;
}

/// 1 where "reference `compare` depth" holds, else 0.
inline F32x16 compareDepth(DepthCompare compare, F32x16 reference, F32x16 depth) {
    Mask16 holds{};
    switch (compare) {
        case DepthCompare::LessEqual:
            holds = reference <= depth;
            break;
        case DepthCompare::GreaterEqual:
            holds = reference >= depth;
            break;
        case DepthCompare::Less:
            holds = reference < depth;
            break;
        case DepthCompare::Greater:
            holds = reference > depth;
            break;
        case DepthCompare::Equal:
            holds = reference == depth;
            break;
        case DepthCompare::NotEqual:
            holds = reference != depth;
            break;
        case DepthCompare::Always:
            holds = ~Mask16{};
            break;
        case DepthCompare::Never:
        case DepthCompare::None:
            break;
    }
    return select(holds, splat(1.0f), splat(0.0f));
}

/// `slice`: of each lane, as an offset in elements.
template <Fetch kFetch>
inline Texels filterSlice(const Image& image, const Addressing& at, I32x16 slice, bool linear) {
    const uint32_t* base = image.block32(0, 0);
    if (!linear) {
        const I32x16 x = nearestTexel(at.wrapS, at.s, image.width());
        const I32x16 y = nearestTexel(at.wrapT, at.t, image.height());
        return fetch<kFetch>(base, slice + columnOffset(x) + rowOffset(y, image.blocksWide()));
    }
    const TexelPair x = linearTexels(at.wrapS, at.s, image.width());
    const TexelPair y = linearTexels(at.wrapT, at.t, image.height());
    const I32x16 left = slice + columnOffset(x.first), right = slice + columnOffset(x.second);
    auto filterRow = [&](I32x16 row) {
        const I32x16 start = rowOffset(row, image.blocksWide());
        return interpolateTexels<kFetch>(fetch<kFetch>(base, start + left), fetch<kFetch>(base, start + right),
                                         x.weight);
    };
    return interpolateTexels<kFetch>(filterRow(y.first), filterRow(y.second), y.weight);
}

template <Fetch kFetch>
inline Texels filterImage(const Image& image, const Addressing& at, bool linear) {
    return filterSlice<kFetch>(image, at, I32x16{}, linear);
}

/// Slices first, then between two of them.
template <Fetch kFetch>
inline Texels filterVolume(const Image& image, const Addressing& at, bool linear) {
    const int sliceElements = image.blocksWide() * image.blocksHigh() * 16;
    if (!linear) {
        const I32x16 z = nearestTexel(at.wrapR, at.r, image.depth());
        return filterSlice<kFetch>(image, at, z * sliceElements, false);
    }
    const TexelPair z = linearTexels(at.wrapR, at.r, image.depth());
    const Texels first = filterSlice<kFetch>(image, at, z.first * sliceElements, true);
    const Texels second = filterSlice<kFetch>(image, at, z.second * sliceElements, true);
    return interpolate(first, second, z.weight, isFloat(kFetch));
}

/// Multiplying by the single nearest to 1/255 maps 0 and 255 to exactly 0 and 1.
inline constexpr float kByteScale = 1.0f / 255.0f;

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
