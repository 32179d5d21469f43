// What sixteen lookups make of the texels that a source finds (texel_sources.h), as **readers**: find() for a source,
// then the colours. Linear filters of eight-bit texels, of light and of depth, in planes and volumes. Internal;
// compiled for each SIMD level.
//
// Sums of eight-bit texels and their weights are exact integers in sixteen bits. Light of sRGB pictures is taken from
// the copy that is kept decoded, where there is one (row_copy.h). Hosts other than x86-64 filter as sample() does.
#pragma once

#include <type_traits>

#include "base/transpose.h"
#include "texture/sample/texel_sources.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

/// interpolate() of values that are each `offset` too low, of sixteen lanes or of a part.
template <class Channels, class Weight>
[[gnu::always_inline]] inline Channels interpolateFrom(const Channels& a, const Channels& b, Weight weight,
                                                       float offset) {
    Channels result;
    for (int c = 0; c < 4; ++c) result.channel[c] = (a.channel[c] + offset) + (b.channel[c] - a.channel[c]) * weight;
    return result;
}

// --- Light that is decoded already ---
using F32x4 = float __attribute__((ext_vector_type(4)));
using F32x8 = float __attribute__((ext_vector_type(8)));

/// Four texels of a row of lanes each: lanes i, i + 4, i + 8 and i + 12 as one vector, so that a vector of weights
/// is a shuffle within 128 bits, and channels of lanes come in order.
template <int kLane>
[[gnu::always_inline]] inline F32x16 texelsOf(const float* texel, const uint32_t (&at)[16]) {
    const auto one = [&](int lane) {
        F32x4 value;
        std::memcpy(&value, texel + at[lane], sizeof value);
        return value;
    };
    const F32x8 low = __builtin_shufflevector(one(kLane), one(kLane + 4), 0, 1, 2, 3, 4, 5, 6, 7);
    const F32x8 high = __builtin_shufflevector(one(kLane + 8), one(kLane + 12), 0, 1, 2, 3, 4, 5, 6, 7);
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}
/// Each texel's weight for its four channels.
template <int kLane>
[[gnu::always_inline]] inline F32x16 weightsOf(F32x16 weight) {
    constexpr int k = kLane;
    return __builtin_shufflevector(weight, weight, k, k, k, k, k + 4, k + 4, k + 4, k + 4, k + 8, k + 8, k + 8, k + 8,
                                   k + 12, k + 12, k + 12, k + 12);
}
/// Of texels as texelsOf() has them, `texels[i]` being those of lane i and further.
[[gnu::always_inline]] inline Texels channelsOf(const F32x16 (&texels)[4]) {
    const auto [channel] = transposeQuarters(texels);
    return {{channel[0], channel[1], channel[2], channel[3]}};
}

/// The texel of each lane.
[[gnu::always_inline]] inline Texels lightAt(const RowCopy::Light& rows, I32x16 x, I32x16 y) {
    alignas(64) uint32_t at[16];
    storeIndices(at, y * rows.rowFloats + (x << 2));
    return channelsOf({texelsOf<0>(rows.texel, at), texelsOf<1>(rows.texel, at), texelsOf<2>(rows.texel, at),
                       texelsOf<3>(rows.texel, at)});
}

/// A texel and the weight of the next one, 0 where another one is next in the rows than lookups read.
struct LightPlace {
    I32x16 first;
    F32x16 weight;
};
/// Filters linearly, in the order of filterSlice().
[[gnu::always_inline]] inline Texels filterLightRows(const RowCopy::Light& rows, LightPlace x, LightPlace y) {
    alignas(64) uint32_t at[16];
    alignas(64) float weights[2][16];
    storeIndices(at, y.first * rows.rowFloats + (x.first << 2));
    store(weights[0], x.weight), store(weights[1], y.weight);
    asm("" : "+m"(weights));  // or they would be computed anew for each four lanes
    x.weight = load<F32x16>(weights[0]), y.weight = load<F32x16>(weights[1]);
    const float* above = rows.texel + rows.rowFloats;
    const auto filter = [&]<int kLane>(std::integral_constant<int, kLane>) {
        const F32x16 acrossWeight = weightsOf<kLane>(x.weight);
        const auto row = [&](const float* texel) {
            return interpolate(texelsOf<kLane>(texel, at), texelsOf<kLane>(texel + 4, at), acrossWeight, false);
        };
        return interpolate(row(rows.texel), row(above), weightsOf<kLane>(y.weight), false);
    };
    return channelsOf({filter(std::integral_constant<int, 0>{}), filter(std::integral_constant<int, 1>{}),
                       filter(std::integral_constant<int, 2>{}), filter(std::integral_constant<int, 3>{})});
}

#if defined(__x86_64__)

/// Linear filters of bytes count in 1 / (255 * kLinearUnit), from -kLinearOffset.
inline constexpr float kLinearUnit = 65536, kLinearOffset = 1 << 23;

struct PartTexels {
    PartF channel[4];
};

// --- Weights of a part: lowest bytes of lanes ---
using PartU = uint32_t __attribute__((ext_vector_type(kPartLanes)));

/// The weights of two texels. Sums of their channels are sixteen bits each, less 2^15.
template <class Pair>
class PairWeights {
public:
    /// Place::fixed as the bytes that pairs are multiplied by.
    [[gnu::always_inline]] static PartI bytesOf(PartI fixed) {
        if constexpr (Pair::kIsFirstAgain) {
            // Bytes 256 - w and w, twice. As 256 is no byte, 0 becomes 1: the two texels are the same there.
            const PartI right = __builtin_elementwise_max(fixed & 0xFF, PartI(1));
            const PartI both = (right << 8) - right + 256;
            return both | both << 16;
        } else {
            // Bytes 255 - w and w, and each first texel is added once more.
            const __m128i lowest = _mm_setr_epi8(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
            const auto four = __builtin_bit_cast(PartI, orderBytes(__builtin_bit_cast(Register, fixed), lowest));
            return four ^ 0x00FF00FF;
        }
    }
    [[gnu::always_inline]] explicit PairWeights(PartI bytes) : bytes_(__builtin_bit_cast(Register, bytes)) {}
    [[gnu::always_inline]] ChannelPairs sums(const ChannelPairs& pairs) const {
        return {sum(pairs.even), sum(pairs.odd)};
    }

private:
    [[gnu::always_inline]] Register sum(Register bytes) const {
        using Halves = int16_t __attribute__((ext_vector_type(2 * kPartLanes)));
        auto weighed = __builtin_bit_cast(Halves, addProductsOfBytes(bytes_, bytes));
        if constexpr (!Pair::kIsFirstAgain) {
            const auto once = __builtin_bit_cast(Register, PartI(0x00010001));
            weighed += __builtin_bit_cast(Halves, addProductsOfBytes(once, bytes));
        }
        return __builtin_bit_cast(Register, weighed);
    }

    Register bytes_;
};
/// The weights of two rows, which are halves 256 - w and w.
[[gnu::always_inline]] inline PartI halvesOf(PartI fixed) {
    const PartI weight = fixed & 0xFF;
    return (weight << 16) - weight + 256;
}
[[gnu::always_inline]] inline PartF weightOfPart(PartI fixed) {
    return __builtin_convertvector(fixed & 0xFF, PartF) * (1 / kWeightScale);
}

// --- Readers ---
/// Reads one texel of each lane.
template <class Source, bool kIsVolume>
class OneReader {
public:
    [[gnu::always_inline]] bool find(const auto& image, const Addressing& at) {
        return source_.template findTexel<kIsVolume>(image, at);
    }
    [[gnu::always_inline]] I32x16 words() const { return source_.words(); }

private:
    Source source_;
};
template <class Source>
using TexelReader = OneReader<Source, false>;
template <class Source>
using VolumeTexelReader = OneReader<Source, true>;

/// Reads four neighbours of each lane, eight in a volume, and has their weights.
template <class Source, bool kIsVolume>
class NeighbourReader {
public:
    [[gnu::always_inline]] bool find(const auto& image, const Places& at) {
        if (!source_.template find<kIsVolume>(image, at)) return false;
        store(x_, at.x.fixed), store(y_, at.y.fixed);
        if constexpr (kIsVolume) store(z_, at.z.fixed);
        return true;
    }
    /// Whether no lane has a weight but for its first texel, which then is the nearest: pictures shown one to one.
    /// Others are mostly found out by their first lane. It is asked of planes alone.
    [[gnu::always_inline]] bool areNearest() const {
        return ((x_[0] | y_[0]) & 0xFF) == 0 && isNone((load<I32x16>(x_) | load<I32x16>(y_)) & 0xFF);
    }
    /// The first texels.
    [[gnu::always_inline]] I32x16 words() const { return source_.words(); }

protected:
    [[gnu::always_inline]] auto neighbours(int part, int row, int slice = 0) const {
        return source_.neighbours(part, row, slice);
    }
    /// What pairs and rows are multiplied by: PairWeights::bytesOf() and halvesOf(), or the weights of second texels.
    template <class Pair>
    [[gnu::always_inline]] PartI pairBytes(int part) const {
        return PairWeights<Pair>::bytesOf(x(part));
    }
    [[gnu::always_inline]] PartI rowHalves(int part) const { return halvesOf(y(part)); }
    [[gnu::always_inline]] PartF columnWeight(int part) const { return weightOfPart(x(part)); }
    [[gnu::always_inline]] PartF rowWeight(int part) const { return weightOfPart(y(part)); }

    [[gnu::always_inline]] PartI x(int part) const { return loadPart<PartI>(x_, part); }
    [[gnu::always_inline]] PartI y(int part) const { return loadPart<PartI>(y_, part); }
    [[gnu::always_inline]] PartI z(int part) const { return loadPart<PartI>(z_, part); }

private:
    Source source_;
    alignas(64) int32_t x_[16], y_[16], z_[kIsVolume ? 16 : 1];  ///< Place::fixed
};

/// Filters eight-bit texels in integers: of a NeighbourReader, or of who has its protected functions. Of planes the
/// result is exactly (sum of texel * weight) less kLinearOffset; of volumes two slices are filtered so, and what is
/// between them counts from 0.
template <class Base, bool kIsVolume>
class LinearFilter : public Base {
public:
    using Base::Base;
    [[gnu::always_inline]] PartTexels part(int i) const {
        if constexpr (kIsVolume)
            return interpolateFrom(slice(i, 0), slice(i, 1), weightOfPart(this->z(i)), kLinearOffset);
        else
            return slice(i, 0);
    }

private:
    [[gnu::always_inline]] PartTexels slice(int part, int slice) const {
        const auto lower = this->neighbours(part, 0, slice), upper = this->neighbours(part, 1, slice);
        const PairWeights<decltype(lower)> weights(this->template pairBytes<decltype(lower)>(part));
        const ChannelPairs below = weights.sums(lower.channels()), above = weights.sums(upper.channels());
        // Each 32 bits: the lower row's value and the upper row's, both less 2^15, so that their mean is less 2^23.
        const auto weightsOfRows = __builtin_bit_cast(Register, this->rowHalves(part));
        const auto mean = [&](PartI both) {
            const Register weighed = addProductsOfHalves(__builtin_bit_cast(Register, both), weightsOfRows);
            return __builtin_convertvector(__builtin_bit_cast(PartI, weighed), PartF);
        };
        const auto low = [&](Register one, Register other) {
            return mean((__builtin_bit_cast(PartI, one) & 0xFFFF) | moved(__builtin_bit_cast(PartI, other) << 16));
        };
        const auto high = [&](Register one, Register other) {
            return mean(moved(__builtin_bit_cast(PartI, __builtin_bit_cast(PartU, one) >> 16u)) |
                        (__builtin_bit_cast(PartI, other) & ~0xFFFF));
        };
        return {{low(below.even, above.even), low(below.odd, above.odd), high(below.even, above.even),
                 high(below.odd, above.odd)}};
    }

    /// With AVX-512 the compiler would put halves together by permutations, which take longer than a mask on some
    /// hosts.
    [[gnu::always_inline]] static PartI moved(PartI halves) {
#if defined(__AVX512BW__)
        asm("" : "+v"(halves));
#endif
        return halves;
    }
};
template <class Source, bool kIsVolume>
using LinearReader = LinearFilter<NeighbourReader<Source, kIsVolume>, kIsVolume>;
template <class Source>
using PlaneReader = LinearReader<Source, false>;
template <class Source>
using VolumeReader = LinearReader<Source, true>;

/// Filters the light of sRGB texels, in 1 / 255, in the order of filterSlice().
template <class Source>
class LightReader : public NeighbourReader<Source, false> {
public:
    [[gnu::always_inline]] Texels texels() const {
        if (this->areNearest()) return lightOf(asUint(this->words()));
        std::array<PartI, kParts> words[2][2];
        I32x16 x, y;
        for (int part = 0; part < kParts; ++part)
            for (int row = 0; row < 2; ++row) {
                const WordPair pair = this->neighbours(part, row).words();
                words[row][0][static_cast<size_t>(part)] = pair.left;
                words[row][1][static_cast<size_t>(part)] = pair.right;
            }
        std::array<PartI, kParts> fixedX, fixedY;
        for (int part = 0; part < kParts; ++part)
            fixedX[static_cast<size_t>(part)] = this->x(part), fixedY[static_cast<size_t>(part)] = this->y(part);
        x = __builtin_bit_cast(I32x16, fixedX), y = __builtin_bit_cast(I32x16, fixedY);
        const auto light = [&](int row, int column) { return lightOf(__builtin_bit_cast(U32x16, words[row][column])); };
        const auto between = [](const Texels& a, const Texels& b, I32x16 fixed) {
            return interpolate(a, b, toFloat(fixed & 0xFF) * (1 / kWeightScale), false);
        };
        const auto row = [&](int i) { return between(light(i, 0), light(i, 1), x); };
        return between(row(0), row(1), y);
    }
};

/// d / 16777215, rounded, of the 24 bits of an element. With d = m * 2^k, 2^23 <= m < 2^24, it is more than half a step
/// and less than a whole one above d / 2^24: the next single.
template <class Floats, class Words>
[[gnu::always_inline]] inline Floats depthOf(Words element) {
    const Words depth = element >> 8 & 0x00FFFFFF;
    const Words next = __builtin_bit_cast(Words, __builtin_convertvector(depth, Floats)) - ((24 << 23) - 1);
    return __builtin_bit_cast(Floats, (depth != 0) & next);
}

/// A comparison with a reference as one of the 24 bits of depth: "depth > threshold" or "depth == threshold", or not
/// so.
struct DepthTest {
    bool isEqual, isInverted;
    int32_t less;  ///< of the reference's bits: 1 where a depth that is the reference passes "greater"
    bool isConstant;

    static DepthTest of(DepthCompare compare) {
        switch (compare) {
            case DepthCompare::Less:
                return {false, false, 0, false};
            case DepthCompare::GreaterEqual:
                return {false, true, 0, false};
            case DepthCompare::LessEqual:
                return {false, false, 1, false};
            case DepthCompare::Greater:
                return {false, true, 1, false};
            case DepthCompare::Equal:
                return {true, false, 0, false};
            case DepthCompare::NotEqual:
                return {true, true, 0, false};
            case DepthCompare::Always:
                return {false, true, 0, true};
            case DepthCompare::Never:
            case DepthCompare::None:
                break;
        }
        return {false, false, 0, true};
    }
    /// `reference`: 0 to 1. Once for sixteen lanes, so that no texel becomes a float: depthOf() is that of d in order,
    /// as bits of d + 1 - 24 * 2^23, but for depth 0, which is 0.
    [[nodiscard]] I32x16 threshold(F32x16 reference) const {
        if (isConstant) return splat(INT32_MAX);
        const I32x16 bits = asInt(reference) - less;
        const F32x16 bound = asFloat(bits + ((24 << 23) - 1));
        const I32x16 depth = ofRegisters<truncated>(bound);
        if (!isEqual) return depth + (bits >> 31);  // of the bits -1 all depths are greater
        return select((toFloat(depth) == bound) | (bits == 0), depth, splat(-1));
    }
};

/// Filters depth, which is percentage closer filtering where it is compared; of a reader as LinearFilter has it.
template <class Base, bool kCompares>
class DepthFilter : public Base {
public:
    using Base::Base;
    [[gnu::always_inline]] bool find(const auto& image, const Places& places, const Addressing& at) {
        if (!Base::find(image, places)) return false;
        compareAs(at);
        return true;
    }
    [[gnu::always_inline]] void compareAs([[maybe_unused]] const Addressing& at) {
        if constexpr (kCompares) {
            test_ = DepthTest::of(at.compare);
            store(threshold_, test_.threshold(at.reference));
        }
    }
    /// Calls use(part, value) for each part.
    template <class ForPart>
    [[gnu::always_inline]] void forEach(ForPart&& use) const {
        if constexpr (!kCompares)
            forEachOf(use, [this](int i) { return depth(i); });
        else if (test_.isEqual)
            forEachOf(use, [this](int i) { return passing<true>(i); });
        else
            forEachOf(use, [this](int i) { return passing<false>(i); });
    }

private:
    template <class ForPart, class Part>
    [[gnu::always_inline]] static void forEachOf(ForPart& use, const Part& part) {
        for (int i = 0; i < kParts; ++i) use(i, part(i));
    }
    [[gnu::always_inline]] PartF depth(int i) const {
        const auto between = [](PartF a, PartF b, PartF weight) { return a + (b - a) * weight; };
        const PartF x = this->columnWeight(i), y = this->rowWeight(i);
        const auto row = [&](int number) {
            const WordPair pair = this->neighbours(i, number).words();
            return between(depthOf<PartF>(pair.left), depthOf<PartF>(pair.right), x);
        };
        return between(row(0), row(1), y);
    }
    /// How much passes: the sum of weights, which is exact, as all are multiples of 1/65536; so is 1 less it.
    template <bool kIsEqual>
    [[gnu::always_inline]] PartF passing(int i) const {
        const auto threshold = loadPart<PartI>(threshold_, i);
        const PartF x = this->columnWeight(i), y = this->rowWeight(i);
        const auto weightIf = [&](PartI element, PartF weight) {
            const PartI depth = element >> 8 & 0x00FFFFFF;
            const PartI passes = kIsEqual ? depth == threshold : depth > threshold;
            return __builtin_bit_cast(PartF, passes & __builtin_bit_cast(PartI, weight));
        };
        const auto row = [&](int number) {
            const WordPair pair = this->neighbours(i, number).words();
            return weightIf(pair.left, 1 - x) + weightIf(pair.right, x);
        };
        const PartF sum = row(0) * (1 - y) + row(1) * y;
        return test_.isInverted ? 1 - sum : sum;
    }

    DepthTest test_{};
    alignas(64) int32_t threshold_[kCompares ? 16 : 1];
};
template <class Source, bool kCompares>
using DepthReader = DepthFilter<NeighbourReader<Source, false>, kCompares>;
template <class Source>
using PlainDepthReader = DepthReader<Source, false>;
template <class Source>
using ComparedDepthReader = DepthReader<Source, true>;

#endif

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
