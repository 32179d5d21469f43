// The lookups that programs mostly make, in code for their state alone: 2D textures, cube maps and 3D textures of
// eight-bit texels, the first two of sRGB ones too, a derived level of detail, several lookups along an anisotropic
// footprint; planes of floats, and depth, compared or not, without mip levels. Gives what sample() gives, to the bit;
// block_sampler_test.cpp compares them.
//
// Here it is chosen; one lookup is made in block_lookup.h, several in several_lookups.h and moved_lookups.h.
#include "texture/sample/block_lookup.h"
#include "texture/sample/moved_lookups.h"
#include "texture/sample/several_lookups.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

namespace {

/// What a state's lookups need of code made for one filter.
struct FilterNeeds {
    bool mips;              ///< levels
    bool linear;            ///< the filter, where it is one
    bool switches = false;  ///< another filter magnifies than minifies
};

/// kMake<form> for a form of one filter.
template <Kind kKind, Element kElement, bool kIsSeamless, class Make>
auto ofOneFilter(bool mips, bool linear, const Make& make) {
    constexpr auto formOf = [](bool hasMips, bool isLinear) {
        return Form{.kind = kKind, .element = kElement, .mips = hasMips, .linear = isLinear, .seamless = kIsSeamless};
    };
    if (mips)
        return linear ? make.template operator()<formOf(true, true)>()
                      : make.template operator()<formOf(true, false)>();
    return linear ? make.template operator()<formOf(false, true)>() : make.template operator()<formOf(false, false)>();
}
template <Kind kKind, bool kIsSeamless, class Make>
auto ofOneFilter(bool isLight, bool mips, bool linear, const Make& make) {
    return isLight ? ofOneFilter<kKind, Element::Srgb8, kIsSeamless>(mips, linear, make)
                   : ofOneFilter<kKind, Element::Rgba8, kIsSeamless>(mips, linear, make);
}
/// It is null for sRGB volumes.
template <class Make>
auto ofOneFilter(Kind kind, bool isSeamless, bool isLight, bool mips, bool linear, const Make& make)
    -> decltype(make.template operator()<Form{}>()) {
    switch (kind) {
        case Kind::Tex2D:
            return ofOneFilter<Kind::Tex2D, false>(isLight, mips, linear, make);
        case Kind::Cube:
            return isSeamless ? ofOneFilter<Kind::Cube, true>(isLight, mips, linear, make)
                              : ofOneFilter<Kind::Cube, false>(isLight, mips, linear, make);
        case Kind::Tex3D:
            return isLight ? nullptr : ofOneFilter<Kind::Tex3D, Element::Rgba8, false>(mips, linear, make);
        case Kind::Array2D:
            return ofOneFilter<Kind::Array2D, false>(isLight, mips, linear, make);
    }
    return nullptr;
}
BlockSampler oneFilterSampler(Kind kind, bool isSeamless, bool isLight, bool mips, bool linear) {
    return ofOneFilter(kind, isSeamless, isLight, mips, linear,
                       []<Form kForm>() -> BlockSampler { return sampleBlock<kForm>; });
}

/// Finds those of `lanes` that are minified. False: lanes see several faces.
template <Kind kKind>
[[gnu::noinline]] bool findMinified(const BoundTexture& bound, uint32_t lanes, const float* coordinates,
                                    uint32_t& minified) {
    const SampleInput in = loadCoordinates<kCoordinates<kKind>>(coordinates);
    BlockPlaces places;
    if (!findPlaces<kKind, Changes::OfLanes>(in, coordinates, true, places)) return false;
    const Footprint footprint = blockFootprint<kKind>(*bound.view->image[places.face][0], places.c);
    const F32x16 lambda = levelOfDetail(maxPs(footprint.squareX, footprint.squareY), SampleInput{});
    minified = toBits(isMinified(*bound.state, lambda)) & lanes;
    return true;
}

/// Two filters: mostly all of a block is minified, or magnified, and one of them does.
template <Kind kKind, bool kIsLight>
void sampleSwitching(const void* texture, uint32_t lanes, const float* coordinates, float* result) {
    const auto& bound = *static_cast<const BoundTexture*>(texture);
    const SamplerState& state = *bound.state;
    uint32_t minified = 0;
    if (!findMinified<kKind>(bound, lanes, coordinates, minified) || (minified != 0 && minified != lanes))
        return sampleGeneral(*bound.view, state, lanes, loadCoordinates<kCoordinates<kKind>>(coordinates), result);
    const Filter filter = minified != 0 ? state.minFilter : state.magFilter;
    oneFilterSampler(kKind, state.isEs3, kIsLight, minified != 0 && hasLevels(*bound.view, state),
                     filter == Filter::Linear)(texture, lanes, coordinates, result);
}
BlockSampler switchingSampler(Kind kind, bool isLight) {
    switch (kind) {
        case Kind::Tex2D:
            return isLight ? sampleSwitching<Kind::Tex2D, true> : sampleSwitching<Kind::Tex2D, false>;
        case Kind::Cube:
            return isLight ? sampleSwitching<Kind::Cube, true> : sampleSwitching<Kind::Cube, false>;
        case Kind::Tex3D:
            return isLight ? nullptr : sampleSwitching<Kind::Tex3D, false>;
        case Kind::Array2D:
            return isLight ? sampleSwitching<Kind::Array2D, true> : sampleSwitching<Kind::Array2D, false>;
    }
    return nullptr;
}

template <Kind kKind>
constexpr BlockSampler kFootprintSampler = sampleBlock<Form{kKind, Element::Rgba8, true, true, true}>;

#if defined(__x86_64__)

template <bool kIsRed>
BlockSampler depthSampler(bool compares, bool linear) {
    if (compares) return linear ? sampleDepth<true, true, kIsRed> : sampleDepth<true, false, kIsRed>;
    return linear ? sampleDepth<false, true, kIsRed> : sampleDepth<false, false, kIsRed>;
}

#else

/// The general sampler does as well.
template <bool>
BlockSampler depthSampler(bool, bool) {
    return nullptr;
}

#endif

}  // namespace

bool comparesDepth(const TextureView& view, const SamplerState& state) {
    return view.levels > 0 && view.image[0][0]->element() == Element::D24S8 && state.compare != DepthCompare::None;
}

namespace {

/// Of a view whose swizzle is that of its depth, or does not matter.
BlockSampler plainSampler(const TextureView& view, const SamplerState& state) {
    const bool isVolume = view.kind == Kind::Tex3D;
    if (readsBorder(state, isVolume) || clampsLevels(view, state)) return nullptr;
    const bool isAnisotropic = state.maxAnisotropy > 1 && state.minFilter == Filter::Linear && !isVolume;
    const Element element = sampledElement(view.image[0][0]->element(), state);
    const FilterNeeds needs = {hasLevels(view, state), state.magFilter == Filter::Linear,
                               state.minFilter != state.magFilter};
    if (element == Element::D24S8 && view.kind == Kind::Tex2D && !needs.mips && !needs.switches && !isAnisotropic) {
        const bool compares = comparesDepth(view, state);
        return view.swizzle == kDepthAsRed ? depthSampler<true>(compares, needs.linear)
                                           : depthSampler<false>(compares, needs.linear);
    }
    if (!holdsBytes(element) || (isAnisotropic && needs.switches)) return nullptr;
    const bool isLight = isSrgb(element);
    if (isAnisotropic) {
        if (isLight || view.kind == Kind::Array2D || crossesEdges(view, state)) return nullptr;
        return view.kind == Kind::Cube ? kFootprintSampler<Kind::Cube> : kFootprintSampler<Kind::Tex2D>;
    }
    return needs.switches ? switchingSampler(view.kind, isLight)
                          : oneFilterSampler(view.kind, state.isEs3, isLight, needs.mips, needs.linear);
}

bool isDepthAsRed(const TextureView& view) {
    return view.swizzle == kDepthAsRed && view.image[0][0]->element() == Element::D24S8;
}

/// Which component of a result is which follows the lookup.
void swizzleRows(const Swizzle& swizzle, float* result) {
    F32x16 from[6];
    for (int c = 0; c < 4; ++c) from[c] = load<F32x16>(result + c * kLookupStride);
    from[4] = splat(0.0f), from[5] = splat(1.0f);
    for (size_t c = 0; c < 4; ++c) store(result + c * kLookupStride, from[static_cast<size_t>(swizzle[c])]);
}
void sampleSwizzled(const void* texture, uint32_t lanes, const float* coordinates, float* result) {
    const auto& bound = *static_cast<const BoundTexture*>(texture);
    TextureView const& view = *bound.view;
    plainSampler(view, *bound.state)(texture, lanes, coordinates, result);
    swizzleRows(view.swizzle, result);
}

/// Texels whose NaNs may have any bits.
template <Element kElement>
struct FloatTexels : TexelsOf<kElement> {};
#if defined(__AVX512F__)
template <>
struct FloatTexels<Element::Rgba16F> {
    static constexpr Element element = Element::Rgba16F;
    Texels operator()(const uint32_t* first, I32x16 offset) const {
        const ElementWords<element> words = gatherWords<element>(first, offset);
        const auto low = [](U32x16 word) {
            return __builtin_bit_cast(F32x16,
                                      _mm512_cvtph_ps(_mm512_cvtepi32_epi16(__builtin_bit_cast(__m512i, word))));
        };
        return {{low(words.word[0]), low(words.word[0] >> 16u), low(words.word[1]), low(words.word[1] >> 16u)}};
    }
};
#endif

#if defined(__F16C__)

/// Four texels of halves in the order of texelsOf(), which one conversion makes floats, NaNs of any bits.
template <int kLane>
[[gnu::always_inline]] inline F32x16 halvesOf(const uint32_t* first, const uint32_t (&at)[16]) {
    using Words = uint64_t __attribute__((ext_vector_type(4)));
    const auto one = [&](int lane) {
        uint64_t texel;
        std::memcpy(&texel, first + at[lane], sizeof texel);
        return texel;
    };
    const Words texels = {one(kLane), one(kLane + 4), one(kLane + 8), one(kLane + 12)};
    return __builtin_convertvector(__builtin_bit_cast(Halves, texels), F32x16);
}
/// Filters linearly, in the order of filterSlice().
inline Texels filterHalves(const Image& image, const Addressing& at) {
    const TexelPair x = linearTexels(at.wrapS, at.s, image.width()), y = linearTexels(at.wrapT, at.t, image.height());
    constexpr int kWords = elementInfo(Element::Rgba16F).words;
    const I32x16 columns[2] = {columnOffset(x.first), columnOffset(x.second)};
    const I32x16 rows[2] = {rowOffset(y.first, image.blocksWide()), rowOffset(y.second, image.blocksWide())};
    alignas(64) uint32_t places[2][2][16];
    for (int row = 0; row < 2; ++row)
        for (int column = 0; column < 2; ++column)
            storeIndices(places[row][column], (rows[row] + columns[column]) * kWords);
    alignas(64) float weights[2][16];
    store(weights[0], x.weight), store(weights[1], y.weight);
    asm("" : "+m"(weights));  // or they would be computed anew for each four lanes
    const auto across = load<F32x16>(weights[0]), down = load<F32x16>(weights[1]);
    const uint32_t* texels = image.block32(0, 0);
    const auto filter = [&]<int kLane>(std::integral_constant<int, kLane>) __attribute__((always_inline)) {
        const auto row = [&](const uint32_t(&at)[2][16]) __attribute__((always_inline)) {
            return interpolate(halvesOf<kLane>(texels, at[0]), halvesOf<kLane>(texels, at[1]), weightsOf<kLane>(across),
                               true);
        };
        return interpolate(row(places[0]), row(places[1]), weightsOf<kLane>(down), true);
    };
    return channelsOf({filter(std::integral_constant<int, 0>{}), filter(std::integral_constant<int, 1>{}),
                       filter(std::integral_constant<int, 2>{}), filter(std::integral_constant<int, 3>{})});
}

#endif

template <Element kElement, bool kLinear>
Texels filterFloats(const Image& image, const Addressing& at) {
#if defined(__F16C__)
    if constexpr (kLinear && kElement == Element::Rgba16F) return filterHalves(image, at);
#endif
    return filterImage(FloatTexels<kElement>{}, image, at, kLinear);
}

/// Planes of floats without levels.
template <Element kElement, bool kLinear>
void sampleFloats(const BoundTexture& bound, const SampleInput& in, float* result) {
    const SamplerState& state = *bound.state;
    Addressing at;
    at.wrapS = state.wrapS, at.s = wrapUnit(state.wrapS, in.coord[0]);
    at.wrapT = state.wrapT, at.t = wrapUnit(state.wrapT, in.coord[1]);
    const Texels texels = filterFloats<kElement, kLinear>(*bound.view->image[0][0], at);
    const F32x16 nan = asFloat(splat(0x7fc00000));
    for (int c = 0; c < 4; ++c) {
        const F32x16 value = texels.channel[c];
        store(result + c * kLookupStride, select(value == value, value, nan));
    }
}
/// The same of a derived level of detail, which is that of the one level.
template <Element kElement, bool kLinear>
void sampleFloatBlock(const void* texture, uint32_t, const float* coordinates, float* result) {
    sampleFloats<kElement, kLinear>(*static_cast<const BoundTexture*>(texture), loadCoordinates<2>(coordinates),
                                    result);
}

struct FloatSamplers {
    InputSampler input = nullptr;
    BlockSampler block = nullptr;
};
template <Element kElement>
FloatSamplers floatSamplers(bool linear) {
    if (linear) return {sampleFloats<kElement, true>, sampleFloatBlock<kElement, true>};
    return {sampleFloats<kElement, false>, sampleFloatBlock<kElement, false>};
}
/// Null for all other states. One filter, no border and no swizzle are asked for before.
FloatSamplers floatSamplers(const TextureView& view, const SamplerState& state) {
    if (view.kind != Kind::Tex2D || hasLevels(view, state)) return {};
    const bool linear = state.magFilter == Filter::Linear;
    switch (view.image[0][0]->element()) {
        case Element::Rgba16F:
            return floatSamplers<Element::Rgba16F>(linear);
        case Element::Rgba32F:
            return floatSamplers<Element::Rgba32F>(linear);
        case Element::R11G11B10F:
            return floatSamplers<Element::R11G11B10F>(linear);
        default:
            return {};
    }
}
/// Of views without a swizzle.
bool hasOneFilter(const TextureView& view, const SamplerState& state) {
    const bool isAnisotropic = state.maxAnisotropy > 1 && state.minFilter == Filter::Linear;
    return view.swizzle == kNoSwizzle && !readsBorder(state, view.kind == Kind::Tex3D) && !isAnisotropic &&
           state.minFilter == state.magFilter;
}

}  // namespace

BlockSampler blockSampler(const TextureView& view, const SamplerState& state) {
    if (view.levels <= 0) return nullptr;
    if (holdsFloats(view.image[0][0]->element()))
        return hasOneFilter(view, state) ? floatSamplers(view, state).block : nullptr;
    const BlockSampler plain = plainSampler(view, state);
    return plain == nullptr || view.swizzle == kNoSwizzle || isDepthAsRed(view) ? plain : sampleSwizzled;
}

InputSampler inputSampler(const TextureView& view, const SamplerState& state) {
    if (view.levels <= 0 || !hasOneFilter(view, state)) return nullptr;
    const Element element = sampledElement(view.image[0][0]->element(), state);
    if (holdsFloats(element)) return floatSamplers(view, state).input;
    if (!holdsBytes(element)) return nullptr;
    return ofOneFilter(view.kind, state.isEs3, isSrgb(element), hasLevels(view, state),
                       state.magFilter == Filter::Linear,
                       []<Form kForm>() -> InputSampler { return sampleInput<kForm>; });
}

#if defined(__x86_64__)

#if defined(__AVX2__)
template <bool kIsRed>
static SeveralSampler severalDepthsSampler(bool compares) {
    return compares ? sampleDepths<true, kIsRed> : sampleDepths<false, kIsRed>;
}
#endif

bool gainsByRows(const TextureView& view, const SamplerState& state) {
    if (blockSampler(view, state) == nullptr || view.kind == Kind::Array2D) return false;
    const Element element = view.image[0][0]->element();
    if (sampledElement(element, state) != element) return false;  // copies are of light
    if (holdsFloats(element)) return false;                       // of which there are no copies
    if (isSrgb(element)) return true;
    const bool isColour = element == Element::Rgba8 && view.kind != Kind::Tex3D;
    const bool isLinear = state.minFilter == Filter::Linear || state.magFilter == Filter::Linear;
    const bool readsLevels = isColour && state.minFilter == Filter::Linear && hasLevels(view, state);
    return readsLevels || (isLinear && RowCopies::serves(Use::Neighbours)) ||
           (isColour && RowCopies::serves(Use::Texel));
}

SeveralSampler severalSampler(const TextureView& view, const SamplerState& state) {
    const BlockSampler sampler = blockSampler(view, state);
    if (sampler == nullptr || sampler == sampleSwizzled || (view.kind == Kind::Cube && state.isEs3)) return nullptr;
    const Element element = sampledElement(view.image[0][0]->element(), state);
    const bool linear = state.magFilter == Filter::Linear, isPlane = view.kind == Kind::Tex2D;
    const bool mips = hasLevels(view, state);
    const bool isOne =
        element == Element::Rgba8 && state.minFilter == state.magFilter && !(linear && state.maxAnisotropy > 1);
    if (isOne && isPlane && !mips && !linear) return sampleTexels<Form{Kind::Tex2D, Element::Rgba8, false, false}>;
#if defined(__AVX2__)
    if (isOne && mips && isPlane)
        return linear ? sampleLevelPairs<Form{Kind::Tex2D, Element::Rgba8, true, true}>
                      : sampleLevelPairs<Form{Kind::Tex2D, Element::Rgba8, true, false}>;
    if (element == Element::D24S8 && linear)
        return isDepthAsRed(view) ? severalDepthsSampler<true>(comparesDepth(view, state))
                                  : severalDepthsSampler<false>(comparesDepth(view, state));
    if (!isOne || mips || !linear) return nullptr;
    if (isPlane) return sampleFiltered<Form{Kind::Tex2D, Element::Rgba8, false, true}>;
#endif
#if defined(__AVX2__) && !defined(__AVX512BW__)
    switch (view.kind) {
        case Kind::Cube:
            return sampleFiltered<Form{Kind::Cube, Element::Rgba8, false, true}>;
        case Kind::Tex3D:
            return sampleFiltered<Form{Kind::Tex3D, Element::Rgba8, false, true}>;
        case Kind::Tex2D:
        case Kind::Array2D:
            break;
    }
#endif
    return nullptr;
}

SeveralSampler movedSampler(const TextureView& view, const SamplerState& state) {
    const BlockSampler sampler = blockSampler(view, state);
    if (sampler == nullptr || sampler == sampleSwizzled || view.kind != Kind::Tex2D) return nullptr;
    if (state.minFilter != Filter::Linear || state.magFilter != Filter::Linear || state.maxAnisotropy > 1)
        return nullptr;
    for (int level = 0; level < view.levels; ++level) {
        const Image& image = *view.image[0][level];
        if (!wrapsMoved(state.wrapS, image.width()) || !wrapsMoved(state.wrapT, image.height())) return nullptr;
        if (!hasLevels(view, state)) break;
    }
    const Element element = view.image[0][0]->element();
    if (element == Element::D24S8) {
        if (!comparesDepth(view, state)) return nullptr;
        return isDepthAsRed(view) ? sampleMovedDepth<true> : sampleMovedDepth<false>;
    }
    if (element != Element::Rgba8) return nullptr;
    return hasLevels(view, state) ? sampleMovedBetween : sampleMoved;
}

#else

bool gainsByRows(const TextureView& view, const SamplerState& state) {
    const Element element = view.image[0][0]->element();
    return blockSampler(view, state) != nullptr && view.kind != Kind::Array2D && isSrgb(sampledElement(element, state));
}

SeveralSampler severalSampler(const TextureView&, const SamplerState&) { return nullptr; }
SeveralSampler movedSampler(const TextureView&, const SamplerState&) { return nullptr; }

#endif

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
