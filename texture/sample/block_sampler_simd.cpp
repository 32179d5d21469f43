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

constexpr bool isPowerOfTwo(int size) { return (size & (size - 1)) == 0; }

#if defined(__x86_64__)

BlockSampler depthSampler(bool compares, bool linear) {
    if (compares) return linear ? sampleDepth<true, true> : sampleDepth<true, false>;
    return linear ? sampleDepth<false, true> : sampleDepth<false, false>;
}

constexpr Form plainForm(Outside outside, bool linear, Kind kind = Kind::Tex2D) {
    return {.kind = kind, .fetch = Fetch::Rgba8, .mips = false, .linear = linear, .outside = outside};
}

#if defined(__AVX2__) && !defined(__AVX512BW__)
template <Kind kKind, Outside kOutside>
constexpr SeveralSampler kLinearSampler = sampleLinear<plainForm(kOutside, true, kKind)>;
template <bool kCompares>
constexpr SeveralSampler kDepthSampler = sampleDepths<kCompares>;
template <Outside kOutside>
SeveralSampler severalLevels(bool linear) {
    constexpr auto formOf = [](bool isLinear) {
        return Form{.kind = Kind::Tex2D, .fetch = Fetch::Rgba8, .mips = true, .linear = isLinear, .outside = kOutside};
    };
    return linear ? sampleLevelPairs<formOf(true)> : sampleLevelPairs<formOf(false)>;
}
#else
template <Kind, Outside>
constexpr SeveralSampler kLinearSampler = nullptr;
template <bool>
constexpr SeveralSampler kDepthSampler = nullptr;
template <Outside>
SeveralSampler severalLevels(bool) {
    return nullptr;
}
#endif

template <Kind kKind>
SeveralSampler linearOf(bool power) {
    return power ? kLinearSampler<kKind, Outside::Power> : kLinearSampler<kKind, Outside::Any>;
}
template <Outside kOutside>
SeveralSampler severalOf(bool linear) {
    return linear ? kLinearSampler<Kind::Tex2D, kOutside> : sampleSeveral<plainForm(kOutside, false)>;
}

#else

/// The general sampler does as well.
BlockSampler depthSampler(bool, bool) { return nullptr; }

#endif

/// What a state's lookups need of code made for one filter.
struct FilterNeeds {
    bool mips;              ///< levels
    bool linear;            ///< the filter, where it is one
    bool switches = false;  ///< another filter magnifies than minifies
};

template <Kind kKind, Outside kOutside, Fetch kFetch>
BlockSampler oneFilterSampler(bool mips, bool linear) {
    const auto formOf = [](bool hasMips, bool isLinear) {
        return Form{.kind = kKind, .fetch = kFetch, .mips = hasMips, .linear = isLinear, .outside = kOutside};
    };
    constexpr BlockSampler kSamplers[2][2] = {
        {sampleBlock<formOf(false, false)>, sampleBlock<formOf(false, true)>},
        {sampleBlock<formOf(true, false)>, sampleBlock<formOf(true, true)>},
    };
    return kSamplers[mips][linear];
}

/// Two filters: mostly all of a block is minified, or magnified, and one of them does.
template <Kind kKind, Outside kOutside, Fetch kFetch>
void sampleSwitching(const void* texture, uint32_t lanes, const float* coordinates, float* result) {
    const auto* bound = static_cast<const BoundTexture*>(texture);
    const TextureView& view = *bound->view;
    const SamplerState& state = *bound->state;
    const SampleInput in = loadCoordinates < kKind == Kind::Tex2D ? 2 : 3 > (coordinates);
    BlockPlaces places;
    if (!findPlaces<kKind, Changes::OfLanes>(in, coordinates, true, places))
        return sampleGeneral(view, state, lanes, in, result);
    const Footprint footprint = blockFootprint<kKind>(*view.image[places.face][0], places.c);
    const F32x16 lambda = levelOfDetail(maxPs(footprint.squareX, footprint.squareY), SampleInput{});
    const uint32_t minified = toBits(isMinified(state, lambda)) & lanes;
    if (minified != 0 && minified != lanes) return sampleGeneral(view, state, lanes, in, result);
    const Filter filter = minified != 0 ? state.minFilter : state.magFilter;
    oneFilterSampler<kKind, kOutside, kFetch>(minified != 0 && hasLevels(view, state), filter == Filter::Linear)(
        texture, lanes, coordinates, result);
}

template <Kind kKind, Outside kOutside, Fetch kFetch = Fetch::Rgba8>
BlockSampler samplerOf(FilterNeeds needs) {
    return needs.switches ? sampleSwitching<kKind, kOutside, kFetch>
                          : oneFilterSampler<kKind, kOutside, kFetch>(needs.mips, needs.linear);
}
template <Kind kKind>
BlockSampler samplerOf(FilterNeeds needs, bool power) {
    return power ? samplerOf<kKind, kHasPower ? Outside::Power : Outside::Any>(needs)
                 : samplerOf<kKind, Outside::Any>(needs);
}

template <Kind kKind>
BlockSampler anisotropicSampler(bool power) {
    constexpr Form kAny = {kKind, Fetch::Rgba8, true, true, Outside::Any, true};
    constexpr Form kPower = {kKind, Fetch::Rgba8, true, true, kHasPower ? Outside::Power : Outside::Any, true};
    return power ? sampleBlock<kPower> : sampleBlock<kAny>;
}

/// One form for all ways out of the image: what sRGB costs is decoding.
BlockSampler lightSampler(Kind kind, FilterNeeds needs) {
    switch (kind) {
        case Kind::Tex2D:
            return samplerOf<Kind::Tex2D, Outside::Any, Fetch::Srgb8>(needs);
        case Kind::Cube:
            return samplerOf<Kind::Cube, Outside::Any, Fetch::Srgb8>(needs);
        case Kind::Tex3D:
            return nullptr;
    }
    return nullptr;
}

bool repeatsByMasks(const Image& base, Kind kind, const SamplerState& state) {
    const bool isVolume = kind == Kind::Tex3D;
    return kHasPower && state.wrapS == Wrap::Repeat && state.wrapT == Wrap::Repeat && isPowerOfTwo(base.width()) &&
           isPowerOfTwo(base.height()) && (!isVolume || (state.wrapR == Wrap::Repeat && isPowerOfTwo(base.depth())));
}
bool endsAtEdges(const SamplerState& state) {
    return state.wrapS == Wrap::ClampToEdge && state.wrapT == Wrap::ClampToEdge;
}

}  // namespace

bool comparesDepth(const TextureView& view, const SamplerState& state) {
    return view.levels > 0 && fetchOf(*view.image[0][0]) == Fetch::D24S8 && state.compare != DepthCompare::None;
}

BlockSampler blockSampler(const TextureView& view, const SamplerState& state) {
    if (view.levels <= 0) return nullptr;
    const bool isVolume = view.kind == Kind::Tex3D;
    if (readsBorder(state, isVolume)) return nullptr;
    const bool isAnisotropic = state.maxAnisotropy > 1 && state.minFilter == Filter::Linear && !isVolume;
    const Image& base = *view.image[0][0];
    const Fetch fetch = fetchOf(base);
    const FilterNeeds needs = {hasLevels(view, state), state.magFilter == Filter::Linear,
                               state.minFilter != state.magFilter};
    if (fetch == Fetch::D24S8 && view.kind == Kind::Tex2D && !needs.mips && !needs.switches && !isAnisotropic)
        return depthSampler(comparesDepth(view, state), needs.linear);
    if (!isEightBit(fetch) || (isAnisotropic && needs.switches)) return nullptr;
    if (fetch == Fetch::Srgb8) return isAnisotropic ? nullptr : lightSampler(view.kind, needs);
    const bool power = repeatsByMasks(base, view.kind, state);
    if (isAnisotropic)
        return view.kind == Kind::Cube ? anisotropicSampler<Kind::Cube>(power) : anisotropicSampler<Kind::Tex2D>(power);
    switch (view.kind) {
        case Kind::Tex2D:
            if (endsAtEdges(state)) return samplerOf<Kind::Tex2D, Outside::Edge>(needs);
            return samplerOf<Kind::Tex2D>(needs, power);
        case Kind::Cube:
            return samplerOf<Kind::Cube>(needs, power);
        case Kind::Tex3D:
            return samplerOf<Kind::Tex3D>(needs, power);
    }
    return nullptr;
}

bool gainsByRows(const TextureView& view, const SamplerState& state) {
    if (blockSampler(view, state) == nullptr) return false;
    const Fetch fetch = fetchOf(*view.image[0][0]);
    if (fetch == Fetch::Srgb8) return true;
    const bool isColour = fetch == Fetch::Rgba8 && view.kind != Kind::Tex3D;
    const bool isLinear = state.minFilter == Filter::Linear || state.magFilter == Filter::Linear;
    const bool readsLevels = isColour && state.minFilter == Filter::Linear && hasLevels(view, state);
    return kHasRowCopies && (readsLevels || (kHasCopiesOfOneLevel && (isLinear || isColour)));
}

#if defined(__x86_64__)

SeveralSampler severalSampler(const TextureView& view, const SamplerState& state) {
    if (blockSampler(view, state) == nullptr) return nullptr;
    const Image& base = *view.image[0][0];
    const bool linear = state.magFilter == Filter::Linear;
    if (fetchOf(base) == Fetch::D24S8 && linear)
        return comparesDepth(view, state) ? kDepthSampler<true> : kDepthSampler<false>;
    if (state.minFilter != state.magFilter || fetchOf(base) != Fetch::Rgba8 || (linear && state.maxAnisotropy > 1))
        return nullptr;
    const bool power = repeatsByMasks(base, view.kind, state);
    if (hasLevels(view, state)) {
        if (view.kind != Kind::Tex2D) return nullptr;
        if (endsAtEdges(state)) return severalLevels<Outside::Edge>(linear);
        return power ? severalLevels<Outside::Power>(linear) : severalLevels<Outside::Any>(linear);
    }
    if (view.kind != Kind::Tex2D) {
        if (!linear) return nullptr;
        if (view.kind == Kind::Cube) return linearOf<Kind::Cube>(power);
        return linearOf<Kind::Tex3D>(power);
    }
    if (base.blocksWide() < kLeastGridColumns) return nullptr;
    if (endsAtEdges(state)) return severalOf<Outside::Edge>(linear);
    return power ? severalOf<Outside::Power>(linear) : nullptr;
}

#else

SeveralSampler severalSampler(const TextureView&, const SamplerState&) { return nullptr; }

#endif

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
