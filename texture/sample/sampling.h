// What the sampler's two halves share: addressing, comparison, texels and filters of one image. Internal to
// sampler_simd.cpp (every state) and block_sampler_simd.cpp (code for one state alone); compiled for each SIMD level.
// docs/sampling.md, "Sampling, to the bit", is the definition.
#pragma once

#include <algorithm>

#include "texture/element_lanes.h"
#include "texture/sample/footprint.h"
#include "texture/sample/sampler.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

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

/// Of lookups that are moved by texels: whatever the offset, what is so far away is at one end.
inline constexpr float kFarFromImage = 9;

/// What a lookup takes the texels of a view's images for.
inline Element sampledElement(Element element, const SamplerState& state) {
    return state.asCodes && element == Element::Srgb8 ? Element::Rgba8 : element;
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

/// Whether the clamps of the level of detail change what a lookup reads.
inline bool clampsLevels(const TextureView& view, const SamplerState& state) {
    const bool levelMatters = hasLevels(view, state) || state.minFilter != state.magFilter;
    return levelMatters && (state.minLod > 0 || !(state.maxLod >= static_cast<float>(std::max(view.levels - 1, 1))));
}
/// Whether lookups filter over the edges of a cube map's faces.
inline bool crossesEdges(const TextureView& view, const SamplerState& state) {
    return view.kind == Kind::Cube && state.isEs3 &&
           (state.minFilter == Filter::Linear || state.magFilter == Filter::Linear);
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

/// Whether some of `lanes` read beyond the face of a cube map whose places are within it.
inline bool readsOverEdge(F32x16 s, F32x16 t, int size, uint32_t lanes) {
    const auto isBeyond = [&](F32x16 unit) {
        const I32x16 first = fixedPosition(unit, size) >> kWeightBits;
        return (first < 0) | (first + 1 >= size);
    };
    return (toBits(isBeyond(s) | isBeyond(t)) & lanes) != 0;
}

/// Offsets of a column and of a row in elements; their sum addresses a texel.
inline I32x16 columnOffset(I32x16 x) { return ((x & ~3) << 2) + (x & 3); }
inline I32x16 rowOffset(I32x16 y, int blocksWide) { return (y >> 2) * (blocksWide * 16) + ((y & 3) << 2); }

/// A layer of an array: what lookups ask of an image.
class Layer {
public:
    Layer(const Image& image, int layer)
        : image_(&image), start_(static_cast<size_t>(layer) * (image.planeBytes() / sizeof(uint32_t))) {}
    [[nodiscard]] int width() const { return image_->width(); }
    [[nodiscard]] int height() const { return image_->height(); }
    [[nodiscard]] int depth() const { return 1; }
    [[nodiscard]] int blocksWide() const { return image_->blocksWide(); }
    [[nodiscard]] int blocksHigh() const { return image_->blocksHigh(); }
    [[nodiscard]] const uint32_t* block32(int bx, int by) const { return image_->block32(bx, by) + start_; }
    /// There are no copies of layers.
    struct NoRows {
        [[nodiscard]] static RowCopy::Words words() { return {nullptr, 0, 0}; }
        [[nodiscard]] static RowCopy::Light light() { return {nullptr, 0}; }
    };
    [[nodiscard]] static NoRows rows() { return {}; }

private:
    const Image* image_;
    size_t start_;  ///< in words
};

/// The layer that each lane looks up.
inline I32x16 layersOf(const TextureView& view, F32x16 r) {
    return truncToInt(roundEven(clamp(r, 0.0f, static_cast<float>(view.image[0][0]->depth() - 1))));
}

// --- Fetch and filter ---

/// Fetches texels of an element that is known when the code is compiled.
template <Element kElement>
struct TexelsOf {
    static constexpr Element element = kElement;
    static constexpr bool isOfDepth = isDepth(kElement);
    Texels operator()(const uint32_t* first, I32x16 offset) const {
        return numbersOf<kElement>(gatherWords<kElement>(first, offset));
    }
};
/// Of any element.
struct AnyTexels {
    static constexpr bool isOfDepth = true;  ///< or may be
    explicit AnyTexels(Element of) : element(of), gather(elementFunctions(of).gather) {}
    Element element;
    void (*gather)(const uint32_t* first, I32x16 offset, Texels& numbers);
    Texels operator()(const uint32_t* first, I32x16 offset) const {
        Texels texels;
        gather(first, offset, texels);
        return texels;
    }
};

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

/// Between neighbouring texels; eight-bit ones are exact (see the top of sampler_simd.cpp).
template <class Fetch>
inline Texels interpolateTexels(const Fetch& fetch, const Texels& a, const Texels& b, F32x16 weight) {
    if (fetch.element != Element::Rgba8) return interpolate(a, b, weight, isFloat(fetch.element));
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
template <class Fetch, class Plane>
inline Texels filterSlice(const Fetch& fetch, const Plane& image, const Addressing& at, I32x16 slice, bool linear) {
    const uint32_t* base = image.block32(0, 0);
    if (!linear) {
        const I32x16 x = nearestTexel(at.wrapS, at.s, image.width());
        const I32x16 y = nearestTexel(at.wrapT, at.t, image.height());
        return fetch(base, slice + columnOffset(x) + rowOffset(y, image.blocksWide()));
    }
    const TexelPair x = linearTexels(at.wrapS, at.s, image.width());
    const TexelPair y = linearTexels(at.wrapT, at.t, image.height());
    const I32x16 left = slice + columnOffset(x.first), right = slice + columnOffset(x.second);
    auto filterRow = [&](I32x16 row) {
        const I32x16 start = rowOffset(row, image.blocksWide());
        return interpolateTexels(fetch, fetch(base, start + left), fetch(base, start + right), x.weight);
    };
    return interpolateTexels(fetch, filterRow(y.first), filterRow(y.second), y.weight);
}

template <class Fetch, class Plane>
inline Texels filterImage(const Fetch& fetch, const Plane& image, const Addressing& at, bool linear) {
    return filterSlice(fetch, image, at, I32x16{}, linear);
}

/// Slices first, then between two of them.
template <class Fetch>
inline Texels filterVolume(const Fetch& fetch, const Image& image, const Addressing& at, bool linear) {
    const int sliceElements = image.blocksWide() * image.blocksHigh() * 16;
    if (!linear) {
        const I32x16 z = nearestTexel(at.wrapR, at.r, image.depth());
        return filterSlice(fetch, image, at, z * sliceElements, false);
    }
    const TexelPair z = linearTexels(at.wrapR, at.r, image.depth());
    const Texels first = filterSlice(fetch, image, at, z.first * sliceElements, true);
    const Texels second = filterSlice(fetch, image, at, z.second * sliceElements, true);
    return interpolate(first, second, z.weight, isFloat(fetch.element));
}

/// Multiplying by the single nearest to 1/255 maps 0 and 255 to exactly 0 and 1.
inline constexpr float kByteScale = 1.0f / 255.0f;

// --- For all that lookups and fetches have ---

/// Calls use(fetch): elements that programs mostly sample have code of their own, the others are fetched by the
/// function of their row.
template <class Use>
inline Texels withFetch(Element element, const Use& use) {
    if (element == Element::Rgba8) return use(TexelsOf<Element::Rgba8>{});
    if (element == Element::Srgb8) return use(TexelsOf<Element::Srgb8>{});
    if (element == Element::D24S8) return use(TexelsOf<Element::D24S8>{});
    if (element == Element::Rgba16F) return use(TexelsOf<Element::Rgba16F>{});
    if (element == Element::Rgba32F) return use(TexelsOf<Element::Rgba32F>{});
    return use(AnyTexels(element));
}

/// Elements from one slice to the next.
inline int sliceStep(const Image& image) { return image.blocksWide() * image.blocksHigh() * 16; }
inline I32x16 within(I32x16 index, int size) { return min(max(index, splat(0)), splat(size - 1)); }

/// The value of a channel as programs have it.
inline F32x16 scaled(Element element, int channel, F32x16 value) {
    if (holdsBytes(element)) return value * kByteScale;
    return isNormalized(element) ? value / unitOf(element, channel) : value;
}

/// What a program gets of a filtered, compared or fetched texel.
inline void swizzle(const TextureView& view, F32x16 (&rgba)[4]) {
    if (view.swizzle == kNoSwizzle) return;
    const bool isOfIntegers = isInteger(view.image[0][0]->element());
    const F32x16 from[6] = {rgba[0], rgba[1],     rgba[2],
                            rgba[3], splat(0.0f), isOfIntegers ? asFloat(splat(1)) : splat(1.0f)};
    for (size_t c = 0; c < 4; ++c) rgba[c] = from[static_cast<size_t>(view.swizzle[c])];
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
