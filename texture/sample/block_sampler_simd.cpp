// The lookups that programs mostly make, in code for their state alone: 2D textures, cube maps and 3D textures of
// eight-bit texels, the first two of sRGB ones too, a derived level of detail, several lookups along an anisotropic
// footprint; depth without mip levels, compared or not. Gives what sample() gives, to the bit;
// block_sampler_test.cpp compares them.
//
// Here it is chosen; one lookup is made in block_lookup.h, several in several_lookups.h.
#include "texture/sample/block_lookup.h"
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

template <Kind kKind, Element kElement>
BlockSampler oneFilterSampler(bool mips, bool linear) {
    constexpr auto formOf = [](bool hasMips, bool isLinear) {
        return Form{.kind = kKind, .element = kElement, .mips = hasMips, .linear = isLinear};
    };
    constexpr BlockSampler kSamplers[2][2] = {
        {sampleBlock<formOf(false, false)>, sampleBlock<formOf(false, true)>},
        {sampleBlock<formOf(true, false)>, sampleBlock<formOf(true, true)>},
    };
    return kSamplers[mips][linear];
}
/// It is null for sRGB volumes.
BlockSampler oneFilterSampler(Kind kind, bool isLight, bool mips, bool linear) {
    switch (kind) {
        case Kind::Tex2D:
            return isLight ? oneFilterSampler<Kind::Tex2D, Element::Srgb8>(mips, linear)
                           : oneFilterSampler<Kind::Tex2D, Element::Rgba8>(mips, linear);
        case Kind::Cube:
            return isLight ? oneFilterSampler<Kind::Cube, Element::Srgb8>(mips, linear)
                           : oneFilterSampler<Kind::Cube, Element::Rgba8>(mips, linear);
        case Kind::Tex3D:
            return isLight ? nullptr : oneFilterSampler<Kind::Tex3D, Element::Rgba8>(mips, linear);
        case Kind::Array2D:
            break;
    }
    return nullptr;
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
    oneFilterSampler(kKind, kIsLight, minified != 0 && hasLevels(*bound.view, state), filter == Filter::Linear)(
        texture, lanes, coordinates, result);
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
            break;
    }
    return nullptr;
}

template <Kind kKind>
constexpr BlockSampler kFootprintSampler = sampleBlock<Form{kKind, Element::Rgba8, true, true, true}>;

#if defined(__x86_64__)

BlockSampler depthSampler(bool compares, bool linear) {
    if (compares) return linear ? sampleDepth<true, true> : sampleDepth<true, false>;
    return linear ? sampleDepth<false, true> : sampleDepth<false, false>;
}

#else

/// The general sampler does as well.
BlockSampler depthSampler(bool, bool) { return nullptr; }

#endif

}  // namespace

bool comparesDepth(const TextureView& view, const SamplerState& state) {
    return view.levels > 0 && view.image[0][0]->element() == Element::D24S8 && state.compare != DepthCompare::None;
}

BlockSampler blockSampler(const TextureView& view, const SamplerState& state) {
    if (view.levels <= 0 || view.kind == Kind::Array2D || view.swizzle != kNoSwizzle) return nullptr;
    if (clampsLevels(view, state) || crossesEdges(view, state)) return nullptr;
    const bool isVolume = view.kind == Kind::Tex3D;
    if (readsBorder(state, isVolume)) return nullptr;
    const bool isAnisotropic = state.maxAnisotropy > 1 && state.minFilter == Filter::Linear && !isVolume;
    const Element element = view.image[0][0]->element();
    const FilterNeeds needs = {hasLevels(view, state), state.magFilter == Filter::Linear,
                               state.minFilter != state.magFilter};
    if (element == Element::D24S8 && view.kind == Kind::Tex2D && !needs.mips && !needs.switches && !isAnisotropic)
        return depthSampler(comparesDepth(view, state), needs.linear);
    if (!holdsBytes(element) || (isAnisotropic && needs.switches)) return nullptr;
    const bool isLight = isSrgb(element);
    if (isAnisotropic) {
        if (isLight) return nullptr;
        return view.kind == Kind::Cube ? kFootprintSampler<Kind::Cube> : kFootprintSampler<Kind::Tex2D>;
    }
    return needs.switches ? switchingSampler(view.kind, isLight)
                          : oneFilterSampler(view.kind, isLight, needs.mips, needs.linear);
}

#if defined(__x86_64__)

bool gainsByRows(const TextureView& view, const SamplerState& state) {
    if (blockSampler(view, state) == nullptr) return false;
    const Element element = view.image[0][0]->element();
    if (isSrgb(element)) return true;
    const bool isColour = element == Element::Rgba8 && view.kind != Kind::Tex3D;
    const bool isLinear = state.minFilter == Filter::Linear || state.magFilter == Filter::Linear;
    const bool readsLevels = isColour && state.minFilter == Filter::Linear && hasLevels(view, state);
    return readsLevels || (isLinear && RowCopies::serves(Use::Neighbours)) ||
           (isColour && RowCopies::serves(Use::Texel));
}

SeveralSampler severalSampler(const TextureView& view, const SamplerState& state) {
    if (blockSampler(view, state) == nullptr) return nullptr;
    const Element element = view.image[0][0]->element();
    const bool linear = state.magFilter == Filter::Linear, isPlane = view.kind == Kind::Tex2D;
    const bool mips = hasLevels(view, state);
    const bool isOne =
        element == Element::Rgba8 && state.minFilter == state.magFilter && !(linear && state.maxAnisotropy > 1);
    if (isOne && isPlane && !mips && !linear) return sampleTexels<Form{Kind::Tex2D, Element::Rgba8, false, false}>;
#if defined(__AVX2__) && !defined(__AVX512BW__)
    if (element == Element::D24S8 && linear)
        return comparesDepth(view, state) ? sampleDepths<true> : sampleDepths<false>;
    if (!isOne) return nullptr;
    if (mips && isPlane)
        return linear ? sampleLevelPairs<Form{Kind::Tex2D, Element::Rgba8, true, true}>
                      : sampleLevelPairs<Form{Kind::Tex2D, Element::Rgba8, true, false}>;
    if (mips || !linear) return nullptr;
    switch (view.kind) {
        case Kind::Tex2D:
            return sampleFiltered<Form{Kind::Tex2D, Element::Rgba8, false, true}>;
        case Kind::Cube:
            return sampleFiltered<Form{Kind::Cube, Element::Rgba8, false, true}>;
        case Kind::Tex3D:
            return sampleFiltered<Form{Kind::Tex3D, Element::Rgba8, false, true}>;
        case Kind::Array2D:
            break;
    }
#endif
    return nullptr;
}

#else

bool gainsByRows(const TextureView& view, const SamplerState& state) {
    return blockSampler(view, state) != nullptr && isSrgb(view.image[0][0]->element());
}

SeveralSampler severalSampler(const TextureView&, const SamplerState&) { return nullptr; }

#endif

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
