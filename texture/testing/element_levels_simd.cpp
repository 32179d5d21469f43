// Compiled once for each SIMD level: calls that level's functions.
#include "texture/testing/element_levels.h"

#include "texture/element_lanes.h"

namespace tessera::texture::levels::TESSERA_SIMD {

namespace {

Texels texelsOf(const PlainNumbers& numbers) {
    Texels texels;
    for (int c = 0; c < 4; ++c) texels.channel[c] = asFloat(load<U32x16>(numbers.channel[c]));
    return texels;
}
void storeTexels(const Texels& texels, PlainNumbers& numbers) {
    for (int c = 0; c < 4; ++c) store(numbers.channel[c], asUint(texels.channel[c]));
}

}  // namespace

void loadPlain(Element element, const std::byte* elements, PlainNumbers& numbers) {
    Texels texels;
    elementFunctions(element).load(elements, texels);
    storeTexels(texels, numbers);
}

void storePlain(Element element, std::byte* elements, const PlainNumbers& numbers, uint32_t lanes, uint32_t channels) {
    elementFunctions(element).store(elements, texelsOf(numbers), lanes, channels);
}

void gatherPlain(Element element, const uint32_t* first, const int32_t (&offset)[16], PlainNumbers& numbers) {
    Texels texels;
    elementFunctions(element).gather(first, load<I32x16>(offset), texels);
    storeTexels(texels, numbers);
}

void unitsPlain(Element element, PlainNumbers& numbers) { storeTexels(inUnits(element, texelsOf(numbers)), numbers); }

}  // namespace tessera::texture::levels::TESSERA_SIMD
