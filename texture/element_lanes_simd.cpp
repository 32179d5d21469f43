// One function of each kind for each row of element.h.
#include "texture/element_lanes.h"

#include <array>
#include <utility>

namespace tessera::texture {

inline namespace TESSERA_SIMD {

namespace {

template <Element kElement>
constexpr int kWords = elementInfo(kElement).words;

// Written as shuffles: of loops over lanes the compiler makes memory, which costs a block of halves ten times as much.

template <Element kElement>
ElementWords<kElement> loadWords(const std::byte* elements) {
    ElementWords<kElement> words;
    const auto* memory = reinterpret_cast<const uint32_t*>(elements);
    U32x16 in[kWords<kElement>];
    for (int i = 0; i < kWords<kElement>; ++i) in[i] = load<U32x16>(memory + i * kBlockLanes);
    if constexpr (kWords<kElement> == 1) {
        words.word[0] = in[0];
    } else if constexpr (kWords<kElement> == 2) {
        words.word[0] =
            __builtin_shufflevector(in[0], in[1], 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
        words.word[1] =
            __builtin_shufflevector(in[0], in[1], 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    } else {
        static_assert(kWords<kElement> == 4);
        for (int half = 0; half < 2; ++half) {  // words 0 and 1, 2 and 3
            U32x16 of[2];                       // of eight elements: one word, then the other
            for (int i = 0; i < 2; ++i)
                of[i] = half == 0 ? __builtin_shufflevector(in[2 * i], in[2 * i + 1], 0, 4, 8, 12, 16, 20, 24, 28, 1, 5,
                                                            9, 13, 17, 21, 25, 29)
                                  : __builtin_shufflevector(in[2 * i], in[2 * i + 1], 2, 6, 10, 14, 18, 22, 26, 30, 3,
                                                            7, 11, 15, 19, 23, 27, 31);
            words.word[2 * half] =
                __builtin_shufflevector(of[0], of[1], 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23);
            words.word[2 * half + 1] =
                __builtin_shufflevector(of[0], of[1], 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
        }
    }
    return words;
}

/// Two vectors lane by lane: the lower lanes of both, then the upper ones.
void interleave(U32x16 a, U32x16 b, U32x16 (&out)[2]) {
    out[0] = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    out[1] = __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
}

template <Element kElement>
void storeWords(std::byte* elements, const ElementWords<kElement>& words) {
    auto* memory = reinterpret_cast<uint32_t*>(elements);
    if constexpr (kWords<kElement> == 1) {
        store(memory, words.word[0]);
    } else if constexpr (kWords<kElement> == 2) {
        U32x16 out[2];
        interleave(words.word[0], words.word[1], out);
        for (int i = 0; i < 2; ++i) store(memory + i * kBlockLanes, out[i]);
    } else {
        static_assert(kWords<kElement> == 4);
        U32x16 low[2], high[2];  // words 0 and 1, 2 and 3, of eight elements each
        interleave(words.word[0], words.word[1], low);
        interleave(words.word[2], words.word[3], high);
        for (int i = 0; i < 2; ++i) {
            store(memory + 2 * i * kBlockLanes,
                  __builtin_shufflevector(low[i], high[i], 0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23));
            store(memory + (2 * i + 1) * kBlockLanes, __builtin_shufflevector(low[i], high[i], 8, 9, 24, 25, 10, 11, 26,
                                                                              27, 12, 13, 28, 29, 14, 15, 30, 31));
        }
    }
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
    ElementWords<kElement> words = loadWords<kElement>(elements);
    const Mask16 isWritten = fromBits(lanes);
    const auto setWord = [&]<int kWord>(std::integral_constant<int, kWord>) {
        const U32x16 mask = asUint(isWritten) & maskOf<kElement, kWord>(channels);
        words.word[kWord] = (words.word[kWord] & ~mask) | (wordOf<kElement, kWord>(numbers) & mask);
    };
    [&]<int... kWord>(std::integer_sequence<int, kWord...>) {
        (setWord(std::integral_constant<int, kWord>{}), ...);
    }(std::make_integer_sequence<int, kWords<kElement>>{});
    storeWords<kElement>(elements, words);
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
