// Test support: what each SIMD level makes of elements (element_lanes.h), behind plain functions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/simd_levels.h"
#include "texture/element.h"

namespace tessera::texture::levels {

/// The bits of four channels of sixteen lanes.
struct PlainNumbers {
    uint32_t channel[4][16] = {};
};

using PlainLoad = void (*)(Element, const std::byte* elements, PlainNumbers&);
using PlainStore = void (*)(Element, std::byte* elements, const PlainNumbers&, uint32_t lanes, uint32_t channels);
using PlainGather = void (*)(Element, const uint32_t* first, const int32_t (&offset)[16], PlainNumbers&);
/// inUnits(): what a normalised element holds of floats.
using PlainUnits = void (*)(Element, PlainNumbers&);

#define TESSERA_PLAIN_ELEMENTS(level, ...)                                                                 \
    namespace level {                                                                                      \
    void loadPlain(Element, const std::byte* elements, PlainNumbers&);                                     \
    void storePlain(Element, std::byte* elements, const PlainNumbers&, uint32_t lanes, uint32_t channels); \
    void gatherPlain(Element, const uint32_t* first, const int32_t (&offset)[16], PlainNumbers&);          \
    void unitsPlain(Element, PlainNumbers&);                                                               \
    }
TESSERA_EACH_SIMD_LEVEL(TESSERA_PLAIN_ELEMENTS)
#undef TESSERA_PLAIN_ELEMENTS

inline PlainLoad plainLoad(SimdLevel level) { return TESSERA_SIMD_COPY(level, loadPlain); }
inline PlainStore plainStore(SimdLevel level) { return TESSERA_SIMD_COPY(level, storePlain); }
inline PlainGather plainGather(SimdLevel level) { return TESSERA_SIMD_COPY(level, gatherPlain); }
inline PlainUnits plainUnits(SimdLevel level) { return TESSERA_SIMD_COPY(level, unitsPlain); }

}  // namespace tessera::texture::levels
