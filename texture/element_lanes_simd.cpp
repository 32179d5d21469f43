// One function of each kind for each row of element.h.
#include "texture/element_lanes.h"

#include <array>
#include <utility>

namespace tessera::texture {

inline namespace TESSERA_SIMD {

namespace {

template <Element kElement>
constexpr int kWords = elementInfo(kElement).words;

template <Element kElement>
ElementWords<kElement> loadWords(const std::byte* elements) {
    ElementWords<kElement> words;
    const auto* word = reinterpret_cast<const uint32_t*>(elements);
    for (int i = 0; i < kWords<kElement>; ++i)
        for (int lane = 0; lane < kBlockLanes; ++lane) words.word[i][lane] = word[lane * kWords<kElement> + i];
    return words;
}

template <Element kElement>
void loadElements(const std::byte* elements, Texels& numbers) {
    numbers = numbersOf<kElement>(loadWords<kElement>(elements));
}

template <Element kElement>
void gatherElements(const uint32_t* first, I32x16 offset, Texels& numbers) {
    numbers = numbersOf<kElement>(gatherWords<kElement>(first, offset));
}

/// The bits that those channels have in a word; of a shared exponent they cannot be told apart.
template <Element kElement, int kWord>
uint32_t maskOf(uint32_t channels) {
    constexpr const ElementInfo& kRow = kElements[static_cast<size_t>(kElement)];
    if constexpr (kRow.number == Number::SharedExponent) return ~0u;
    uint32_t mask = 0;
    for (size_t c = 0; c < 4; ++c)
        if (kRow.channel[c].word == kWord && (channels >> c & 1) != 0) mask |= kRow.channel[c].mask();
    return mask;
}

template <Element kElement>
void storeElements(std::byte* elements, const Texels& numbers, uint32_t lanes, uint32_t channels) {
    auto* word = reinterpret_cast<uint32_t*>(elements);
    const ElementWords<kElement> old = loadWords<kElement>(elements);
    const Mask16 isWritten = fromBits(lanes);
    const auto storeWord = [&]<int kWord>(std::integral_constant<int, kWord>) {
        const U32x16 mask = asUint(isWritten) & maskOf<kElement, kWord>(channels);
        const U32x16 bits = (old.word[kWord] & ~mask) | (wordOf<kElement, kWord>(numbers) & mask);
        for (int lane = 0; lane < kBlockLanes; ++lane) word[lane * kWords<kElement> + kWord] = bits[lane];
    };
    [&]<int... kWord>(std::integer_sequence<int, kWord...>) {
        (storeWord(std::integral_constant<int, kWord>{}), ...);
    }(std::make_integer_sequence<int, kWords<kElement>>{});
}

template <size_t... kElement>
constexpr std::array<ElementFunctions, sizeof...(kElement)> functionsOfAll(std::index_sequence<kElement...>) {
    return {{{loadElements<static_cast<Element>(kElement)>, storeElements<static_cast<Element>(kElement)>,
              gatherElements<static_cast<Element>(kElement)>}...}};
}

}  // namespace

const ElementFunctions& elementFunctions(Element element) {
    static constexpr auto kFunctions = functionsOfAll(std::make_index_sequence<std::size(kElements)>{});
    return kFunctions[static_cast<size_t>(element)];
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
