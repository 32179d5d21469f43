// The lookups that programs mostly make, in code for their state alone: 2D textures of eight-bit texels, one filter, a
// derived level of detail. Gives what sample() gives, to the bit; sampler_test.cpp compares them.
#include "texture/sampler.h"
#include "texture/sampling.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

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
        return {.wrapS = state.wrapS, .wrapT = state.wrapT, .s = s - floor(s), .t = t - floor(t)};
    }
    return {.wrapS = state.wrapS,
            .wrapT = state.wrapT,
            .s = wrapUnit(state.wrapS, load<F32x16>(sRow)),
            .t = wrapUnit(state.wrapT, load<F32x16>(tRow))};
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
