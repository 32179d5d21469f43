// Single texels (texelFetch of GLSL ES 3.00): of every view and level, lane by lane, and in code for an element where
// all lanes fetch of one level, as programs mostly do. Compiled once for each SIMD level.
#include <utility>

#include "texture/sample/sampler.h"
#include "texture/sample/sampling.h"

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

/// The first words of elements; the other channels are not there.
template <Element kElement, int kWords, int kChannel>
F32x16 firstChannel(const ElementWords<kElement>& words) {
    constexpr Field kField = elementInfo(kElement).channel[kChannel];
    if constexpr (kField.word < kWords)
        return scaled(kElement, kChannel, channelOf<kElement, kChannel>(words));
    else
        return asFloat(splat(missingBits(kElement, kChannel)));
}

/// Of views without a swizzle. `kWords`: what the format has of the element.
template <Element kElement, int kWords>
void fetchElement(const TextureView& view, const FetchInput& in, SampleOutput& out) {
    constexpr uint32_t kLast = 1u << 15;
    const int level = in.level[__builtin_ctz(in.mask | kLast)];
    const bool isOne = (toBits(in.level == level) & in.mask) == (in.mask & 0xFFFF);
    if (!isOne || level < 0 || level >= view.levels) [[unlikely]]
        return fetchTexels(view, in, out);
    const Image& image = *view.image[0][level];
    const U32x16 x = asUint(in.at[0]), y = asUint(in.at[1]), z = asUint(in.at[2]);
    const auto size = [](int n) { return static_cast<uint32_t>(n); };
    const Mask16 isInside = (x < size(image.width())) & (y < size(image.height())) & (z < size(image.depth()));
    I32x16 offset = columnOffset(in.at[0] & isInside) + rowOffset(in.at[1] & isInside, image.blocksWide());
    if (image.depth() > 1) offset += (in.at[2] & isInside) * sliceStep(image);
    constexpr int kElementWords = elementInfo(kElement).words;
    ElementWords<kElement> words;
    for (int i = 0; i < kWords; ++i) words.word[i] = gather<kElementWords>(image.block32(0, 0), offset, i);
    const auto inside = [&](F32x16 value) { return asFloat(asInt(value) & isInside); };
    constexpr Number kNumber = elementInfo(kElement).number;
    if constexpr (kNumber == Number::Srgb || kNumber == Number::SharedExponent || isDepth(kElement)) {
        const Texels texels = numbersOf<kElement>(words);
        for (int c = 0; c < 4; ++c) out.rgba[c] = inside(scaled(kElement, c, texels.channel[c]));
    } else {
        out.rgba[0] = inside(firstChannel<kElement, kWords, 0>(words));
        out.rgba[1] = inside(firstChannel<kElement, kWords, 1>(words));
        out.rgba[2] = inside(firstChannel<kElement, kWords, 2>(words));
        out.rgba[3] = inside(firstChannel<kElement, kWords, 3>(words));
    }
}

template <Element kElement>
TexelFetcher fetcherOfWords(int words) {
    constexpr int kWords = elementInfo(kElement).words;
    if constexpr (kWords > 2)
        if (words == 1) return fetchElement<kElement, 1>;
    if constexpr (kWords > 1)
        if (words <= kWords / 2) return fetchElement<kElement, kWords / 2>;
    return fetchElement<kElement, kWords>;
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

TexelFetcher texelFetcher(const TextureView& view) {
    if (view.levels <= 0 || view.swizzle != kNoSwizzle || view.kind == Kind::Cube) return fetchTexels;
    const FormatInfo& format = formatInfo(view.image[0][0]->format());
    const auto find = [&]<size_t... kElements>(std::index_sequence<kElements...>) {
        TexelFetcher fetcher = fetchTexels;
        (void)((format.element == static_cast<Element>(kElements) &&
                (fetcher = fetcherOfWords<static_cast<Element>(kElements)>(wordsOf(format)), true)) ||
               ...);
        return fetcher;
    };
    return find(std::make_index_sequence<enumeratorCount<Element>()>());
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
