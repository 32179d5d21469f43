// Single texels (texelFetch of GLSL ES 3.00): of every view and level, lane by lane, and in code for an element where
// all lanes fetch of one level, as programs mostly do. Compiled once for each SIMD level.
#include <utility>

#include "texture/sample/sampler.h"
#include "texture/sample/texel_sources.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

void fetchTexels(const TextureView& view, const FetchInput& in, SampleOutput& out) {
    out = {};
    const auto [x, y, z] = in.at;
    uint32_t remaining = in.mask & toBits((in.level >= 0) & (in.level < view.levels));
    while (remaining != 0) {
        const int level = in.level[__builtin_ctz(remaining)];
        const Mask16 same = in.level == level;
        const Image& image = *view.image[0][level];
        const int width = image.width(), height = image.height(), depth = image.depth();
        const Mask16 isInside = same & (x >= 0) & (x < width) & (y >= 0) & (y < height) & (z >= 0) & (z < depth);
        const uint32_t lanes = toBits(isInside) & remaining;
        remaining &= ~toBits(same);
        if (lanes == 0) continue;
        const I32x16 column = within(x, width), row = within(y, height), slice = within(z, depth);
        const I32x16 offset = slice * sliceStep(image) + columnOffset(column) + rowOffset(row, image.blocksWide());
        const Element element = image.element();
        const Texels texels = withFetch(element, [&](const auto& fetch) { return fetch(image.block32(0, 0), offset); });
        F32x16 rgba[4];
        for (int c = 0; c < 4; ++c) rgba[c] = scaled(element, c, texels.channel[c]);
        swizzle(view, rgba);
        for (int c = 0; c < 4; ++c) out.rgba[c] = select(isInside, rgba[c], out.rgba[c]);
        if (in.listener != nullptr) [[unlikely]] {
            TexelFetch fetch;
            fetch.image = &image;
            fetch.level = level;
            fetch.lanes = lanes;
            for (int i = 0; i < 2; ++i) store(fetch.x[i], column), store(fetch.y[i], row), store(fetch.z[i], slice);
            in.listener->heard(*in.listener, fetch);
        }
    }
}

namespace {

/// One row of a lookup, as integers.
I32x16 rowOf(const float* lookup, int row) { return asInt(load<F32x16>(lookup + row * kLookupStride)); }
constexpr int kLevel = 3;  ///< the row of the level

void fetchGeneral(const void* texture, uint32_t lanes, int32_t count, float* lookups, uint32_t /*channels*/) {
    const TextureView& view = *static_cast<const BoundTexture*>(texture)->view;
    for (; count > 0; --count, lookups += kLookupFloats) {
        FetchInput in;
        in.mask = lanes;
        for (int i = 0; i < (view.kind == Kind::Tex2D ? 2 : 3); ++i) in.at[i] = rowOf(lookups, i);
        in.level = rowOf(lookups, kLevel);
        SampleOutput out;
        fetchTexels(view, in, out);
        for (int c = 0; c < 4; ++c) store(lookups + kLookupResult + c * kLookupStride, out.rgba[c]);
    }
}

/// The first words of elements; the other channels are not there.
template <Element kElement, int kWords, int kChannel>
F32x16 firstChannel(const ElementWords<kElement>& words) {
    constexpr Field kField = elementInfo(kElement).channel[kChannel];
    if constexpr (kField.word < kWords)
        return scaled(kElement, kChannel, channelOf<kElement, kChannel>(words));
    else
        return asFloat(splat(missingBits(kElement, kChannel)));
}

/// Those of `channels`. `kWords`: what the format has of the element.
template <Element kElement, int kWords>
[[gnu::always_inline]] inline void storeFetched(const ElementWords<kElement>& words, Mask16 isInside, float* result,
                                                uint32_t channels) {
    const auto put = [&](int c, const auto& value) __attribute__((always_inline)) {
        if ((channels >> c & 1) != 0) store(result + c * kLookupStride, asInt(value()) & isInside);
    };
    constexpr Number kNumber = elementInfo(kElement).number;
    if constexpr (kNumber == Number::Srgb || kNumber == Number::SharedExponent || isDepth(kElement)) {
        const Texels texels = numbersOf<kElement>(words);
        for (int c = 0; c < 4; ++c) put(c, [&] { return scaled(kElement, c, texels.channel[c]); });
    } else {
        put(0, [&] { return firstChannel<kElement, kWords, 0>(words); });
        put(1, [&] { return firstChannel<kElement, kWords, 1>(words); });
        put(2, [&] { return firstChannel<kElement, kWords, 2>(words); });
        put(3, [&] { return firstChannel<kElement, kWords, 3>(words); });
    }
}

/// The texels of a plane where lanes are columns and rows, as they are where a program reads around its pixel.
template <Element kElement>
[[gnu::always_inline]] inline bool gatherGrid([[maybe_unused]] const Image& image, [[maybe_unused]] I32x16 x,
                                              [[maybe_unused]] I32x16 y, [[maybe_unused]] ElementWords<kElement>& to) {
#if defined(__x86_64__)
    if constexpr (elementInfo(kElement).words == 1) {
        Grid grid;
        if (!grid.findTexels(image, x, y)) return false;
        to.word[0] = asUint(grid.words());
        return true;
    }
#endif
    return false;
}

/// Channels that are made of a word of the element.
constexpr uint32_t channelsOfWord(Element element, int word) {
    const ElementInfo& info = elementInfo(element);
    if (info.number == Number::SharedExponent || isDepth(element)) return 0xF;
    uint32_t channels = 0;
    for (uint32_t c = 0; c < 4; ++c)
        if (info.channel[c].bits != 0 && info.channel[c].word == word) channels |= 1u << c;
    return channels;
}

/// Of views without a swizzle.
template <Element kElement, int kWords>
void fetchElements(const void* texture, uint32_t lanes, int32_t count, float* lookups, uint32_t channels) {
    constexpr uint32_t kLast = 1u << 15;
    constexpr int kElementWords = elementInfo(kElement).words;
    const TextureView& view = *static_cast<const BoundTexture*>(texture)->view;
    const bool isPlane = view.kind == Kind::Tex2D;
    const auto size = [](int n) { return static_cast<uint32_t>(n); };
    for (; count > 0; --count, lookups += kLookupFloats) {
        const I32x16 levels = rowOf(lookups, kLevel);
        const int level = levels[__builtin_ctz(lanes | kLast)];
        const bool isOne = (toBits(levels == level) & lanes) == lanes;
        if (!isOne || level < 0 || level >= view.levels) [[unlikely]] {
            fetchGeneral(texture, lanes, 1, lookups, channels);
            continue;
        }
        const Image& image = *view.image[0][level];
        I32x16 x = rowOf(lookups, 0), y = rowOf(lookups, 1);
        const Mask16 isColumn = asUint(x) < size(image.width()), isRow = asUint(y) < size(image.height());
        Mask16 isInside = isColumn & isRow;
        x &= isColumn, y &= isRow;
        ElementWords<kElement> words;
        if (!isPlane || !gatherGrid(image, x, y, words)) {
            I32x16 offset = columnOffset(x) + rowOffset(y, image.blocksWide());
            if (!isPlane) {
                const I32x16 z = rowOf(lookups, 2);
                const Mask16 isSlice = asUint(z) < size(image.depth());
                isInside &= isSlice;
                offset += (z & isSlice) * sliceStep(image);
            }
            for (int i = 0; i < kWords; ++i)
                if ((channels & channelsOfWord(kElement, i)) != 0)
                    words.word[i] = gather<kElementWords>(image.block32(0, 0), offset, i);
        }
        storeFetched<kElement, kWords>(words, isInside, lookups + kLookupResult, channels);
    }
}

template <Element kElement>
SeveralSampler fetcherOfWords(int words) {
    constexpr int kWords = elementInfo(kElement).words;
    if constexpr (kWords > 2)
        if (words == 1) return fetchElements<kElement, 1>;
    if constexpr (kWords > 1)
        if (words <= kWords / 2) return fetchElements<kElement, kWords / 2>;
    return fetchElements<kElement, kWords>;
}

/// Words of an element in which a format has something.
int wordsOf(const FormatInfo& format) {
    const ElementInfo& element = elementInfo(format.element);
    if (element.words == 1 || isDepth(format.element)) return element.words;
    const bool hasBlue = format.blue != 0 || format.luminance != 0;
    const size_t last = format.alpha != 0 ? 3 : hasBlue ? 2 : format.green != 0 ? 1 : 0;
    return element.channel[last].word + 1;
}

}  // namespace

SeveralSampler texelFetcher(const TextureView& view) {
    if (view.levels <= 0 || view.kind == Kind::Cube) return nullptr;
    if (view.swizzle != kNoSwizzle) return fetchGeneral;
    const FormatInfo& format = formatInfo(view.image[0][0]->format());
    const auto find = [&]<size_t... kElements>(std::index_sequence<kElements...>) {
        SeveralSampler fetcher = nullptr;
        (void)((format.element == static_cast<Element>(kElements) &&
                (fetcher = fetcherOfWords<static_cast<Element>(kElements)>(wordsOf(format)), true)) ||
               ...);
        return fetcher;
    };
    return find(std::make_index_sequence<enumeratorCount<Element>()>());
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
