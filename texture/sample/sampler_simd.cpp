// Texture filtering of sixteen lookups at once (OpenGL ES 2.0.25, sections 3.7.4 to 3.7.8).
//
// A lookup passes four steps, each a function here, in footprint.h or sampling.h:
//   1. coordinates: cube directions pick a face (table 3.21) and become s, t; both get derivatives if needed;
//   2. level of detail: rho, the lookups along an anisotropic footprint, lambda = log2 rho, then the filter and the
//      level, all per lane;
//   3. addressing: wrap, texel indices and eight-bit weights in fixed point;
//   4. fetch and filter, once for each distinct (face, level, filter) among the lanes, which is nearly always one.
//
// Exactness. Eight-bit texels are integers 0..255 held in floats. Horizontal, then vertical interpolation with
// weights k / 256 gives a multiple of 2^-16 below 2^8: 24 bits, so that every operation is exact and the value is
// (sum of texel * weight) / 65536 whatever the order. docs/sampling.md states the whole definition.
#include "texture/sample/sampler.h"

#include "texture/sample/sampling.h"

namespace tessera::texture {

inline namespace TESSERA_SIMD {

namespace {

/// Calls use(fetch): elements that programs mostly sample have code of their own, the others are fetched by the
/// function of their row.
template <class Use>
Texels withFetch(Element element, const Use& use) {
    if (element == Element::Rgba8) return use(TexelsOf<Element::Rgba8>{});
    if (element == Element::Srgb8) return use(TexelsOf<Element::Srgb8>{});
    if (element == Element::D24S8) return use(TexelsOf<Element::D24S8>{});
    if (element == Element::Rgba16F) return use(TexelsOf<Element::Rgba16F>{});
    if (element == Element::Rgba32F) return use(TexelsOf<Element::Rgba32F>{});
    return use(AnyTexels(element));
}

/// Percentage closer filtering: texels are compared, then the zeros and ones filtered.
template <class Fetch>
Texels filterCompared(const Fetch& fetch, const Image& image, const Addressing& at, bool linear) {
    const uint32_t* base = image.block32(0, 0);
    const auto compared = [&](I32x16 offset) {
        return compareDepth(at.compare, at.reference, fetch(base, offset).channel[0]);
    };
    F32x16 value;
    if (linear) {
        const TexelPair x = linearTexels(at.wrapS, at.s, image.width());
        const TexelPair y = linearTexels(at.wrapT, at.t, image.height());
        const I32x16 left = columnOffset(x.first), right = columnOffset(x.second);
        const I32x16 first = rowOffset(y.first, image.blocksWide()), second = rowOffset(y.second, image.blocksWide());
        const F32x16 lower = interpolateExact(compared(first + left), compared(first + right), x.weight);
        const F32x16 upper = interpolateExact(compared(second + left), compared(second + right), x.weight);
        value = interpolateExact(lower, upper, y.weight);
    } else {
        const I32x16 x = nearestTexel(at.wrapS, at.s, image.width());
        value = compared(columnOffset(x) + rowOffset(nearestTexel(at.wrapT, at.t, image.height()), image.blocksWide()));
    }
    return {{value, value, value, splat(1.0f)}};
}

/// The texels of one direction; where there is a border they may be outside 0 .. size - 1.
TexelPair texelsOf(Wrap wrap, F32x16 unit, int size, bool linear) {
    TexelPair pair{};
    if (wrap == Wrap::ClampToBorder && linear) {
        const I32x16 fixed = fixedPosition(unit, size);
        pair = {fixed >> kWeightBits, (fixed >> kWeightBits) + 1, weightOf(fixed)};
    } else if (wrap == Wrap::ClampToBorder) {
        pair.first = pair.second = truncToInt(floor(unit * wholeFloat(size)));
    } else if (linear) {
        pair = linearTexels(wrap, unit, size);
    } else {
        pair.first = pair.second = nearestTexel(wrap, unit, size);
    }
    return pair;
}

/// Lookups of which some texels may be the border's, in any direction and of any kind of image.
template <class Fetch>
Texels filterBordered(const Fetch& fetch, const Image& image, const Addressing& at, bool isVolume,
                      const std::array<float, 4>& border, bool linear) {
    const int width = image.width(), height = image.height(), depth = image.depth();
    const int sliceElements = image.blocksWide() * image.blocksHigh() * 16;
    const auto texel = [&](I32x16 x, I32x16 y, I32x16 z) {
        const auto within = [](I32x16 index, int size) { return min(max(index, splat(0)), splat(size - 1)); };
        const Mask16 isInside = (x >= 0) & (x < width) & (y >= 0) & (y < height) & (z >= 0) & (z < depth);
        Texels texels = fetch(image.block32(0, 0), within(z, depth) * sliceElements + columnOffset(within(x, width)) +
                                                       rowOffset(within(y, height), image.blocksWide()));
        for (size_t c = 0; c < 4; ++c) {
            const float unit = unitOf(fetch.element, static_cast<int>(c));
            // Integers' bits are not multiplied: they may look like a NaN, which would become a quiet one.
            texels.channel[c] = select(isInside, texels.channel[c], splat(unit == 1.0f ? border[c] : border[c] * unit));
        }
        if (!Fetch::isOfDepth || at.compare == DepthCompare::None) return texels;
        const F32x16 passed = compareDepth(at.compare, at.reference, texels.channel[0]);
        return Texels{{passed, passed, passed, splat(1.0f)}};
    };
    const TexelPair x = texelsOf(at.wrapS, at.s, width, linear), y = texelsOf(at.wrapT, at.t, height, linear);
    const TexelPair z = isVolume ? texelsOf(at.wrapR, at.r, depth, linear) : TexelPair{};
    if (!linear) return texel(x.first, y.first, z.first);
    // The border may be any number, so the interpolation that is exact for eight-bit texels does not serve.
    const bool isOfFloats = isFloat(fetch.element);
    const auto row = [&](I32x16 y, I32x16 z) {
        return interpolate(texel(x.first, y, z), texel(x.second, y, z), x.weight, isOfFloats);
    };
    const auto slice = [&](I32x16 z) { return interpolate(row(y.first, z), row(y.second, z), y.weight, isOfFloats); };
    return isVolume ? interpolate(slice(z.first), slice(z.second), z.weight, isOfFloats) : slice(z.first);
}

Texels filterTexels(const Image& image, const SamplerState& state, const Addressing& at, bool isVolume, bool linear) {
    return withFetch(image.element(), [&]<class Fetch>(const Fetch& fetch) {
        if (readsBorder(state, isVolume)) return filterBordered(fetch, image, at, isVolume, state.border, linear);
        if (isVolume) return filterVolume(fetch, image, at, linear);
        if constexpr (Fetch::isOfDepth)
            if (at.compare != DepthCompare::None) return filterCompared(fetch, image, at, linear);
        return filterImage(fetch, image, at, linear);
    });
}

/// Tells the listener what `lanes` read of an image.
[[gnu::noinline, gnu::cold]] void tell(const TexelListener& listener, const TextureView& view, int face, int level,
                                       const Addressing& at, bool linear, uint32_t lanes) {
    TexelFetch fetch;
    const Image& image = *view.image[face][level];
    fetch.image = &image;
    fetch.face = face;
    fetch.level = level;
    fetch.linear = linear;
    fetch.lanes = lanes;
    const auto indices = [&](Wrap wrap, F32x16 unit, int size, int32_t(&texels)[2][16]) {
        const TexelPair pair = texelsOf(wrap, unit, size, linear);
        const auto within = [&](I32x16 index) { return min(max(index, splat(0)), splat(size - 1)); };
        store(texels[0], within(pair.first));
        store(texels[1], within(pair.second));
    };
    indices(at.wrapS, at.s, image.width(), fetch.x);
    indices(at.wrapT, at.t, image.height(), fetch.y);
    if (view.kind == Kind::Tex3D) {
        indices(at.wrapR, at.r, image.depth(), fetch.z);
    } else {
        store(fetch.z[0], I32x16{});
        store(fetch.z[1], I32x16{});
    }
    listener.heard(listener, fetch);
}

/// What lookups along a footprint have in common.
struct Lookup {
    const TextureView& view;
    const SamplerState& state;
    const SampleInput& in;
    I32x16 faces;
    LevelChoice choice;
    F32x16 r;  ///< of 3D textures
};

Addressing addressing(const Lookup& lookup, Element element, F32x16 s, F32x16 t) {
    const SamplerState& state = lookup.state;
    Addressing at;
    at.wrapS = state.wrapS;
    at.wrapT = state.wrapT;
    at.s = wrapUnit(at.wrapS, s);
    at.t = wrapUnit(at.wrapT, t);
    if (lookup.view.kind == Kind::Tex3D) {
        at.wrapR = state.wrapR;
        at.r = wrapUnit(at.wrapR, lookup.r);
    }
    if (lookup.in.compares && isDepth(element)) {
        at.compare = state.compare;
        at.reference = isFloat(element) ? lookup.in.coord[2] : clamp(lookup.in.coord[2], 0.0f, 1.0f);
    }
    return at;
}

/// One lookup of every lane in `mask`; `s`, `t` are not wrapped yet. The others are left alone.
void lookUp(const Lookup& lookup, F32x16 s, F32x16 t, uint32_t mask, F32x16 (&rgba)[4]) {
    const TextureView& view = lookup.view;
    const LevelChoice& choice = lookup.choice;
    const TexelListener* listener = lookup.in.listener;
    const I32x16 faces = lookup.faces;
    const Element element = view.image[0][0]->element();
    const Addressing at = addressing(lookup, element, s, t);
    const bool isVolume = view.kind == Kind::Tex3D;
    const auto filter = [&](int face, int level, bool linear) {
        return filterTexels(*view.image[face][level], lookup.state, at, isVolume, linear);
    };
    const I32x16 key = choice.linear | (choice.level << 1) | (faces << 5);
    uint32_t remaining = mask;
    while (remaining != 0) {
        const int lane = __builtin_ctz(remaining);
        const int face = faces[lane], level = choice.level[lane];
        const bool linear = choice.linear[lane] != 0;
        const Mask16 same = key == key[lane];

        Texels texels = filter(face, level, linear);
        const uint32_t between = toBits(same & (choice.fraction != 0.0f)) & remaining;
        if (listener != nullptr) [[unlikely]] {
            tell(*listener, view, face, level, at, linear, toBits(same) & remaining);
            if (between != 0 && level + 1 < view.levels) tell(*listener, view, face, level + 1, at, linear, between);
        }
        if (between != 0 && level + 1 < view.levels) {
            const Texels next = filter(face, level + 1, linear);
            texels = interpolate(texels, next, choice.fraction, isFloat(element));
        }
        for (int i = 0; i < 4; ++i) {
            F32x16 value = texels.channel[i];
            if (holdsBytes(element))
                value *= kByteScale;
            else if (isNormalized(element))
                value /= unitOf(element, i);
            rgba[i] = select(same, value, rgba[i]);
        }
        remaining &= ~toBits(same);
    }
}

/// The mean of lookups at equal distances along the longer axis of the footprint.
void lookUpFootprint(const Lookup& lookup, const Coordinates& c, const Footprint& footprint, I32x16 probes,
                     uint32_t mask, F32x16 (&rgba)[4]) {
    const TextureView& view = lookup.view;
    const FootprintWalk walk(c, footprint, probes, view.kind == Kind::Cube ? view.image[0][0]->width() : 0);
    F32x16 sum[4] = {};
    for (int i = 0;; ++i) {
        const Mask16 takesPart = probes > i;
        const uint32_t lanes = toBits(takesPart) & mask;
        if (lanes == 0) break;
        const Coordinates place = walk.place(c, i);
        F32x16 one[4] = {};
        lookUp(lookup, place.s, place.t, lanes, one);
        for (int channel = 0; channel < 4; ++channel) {
            sum[channel] = select(takesPart, sum[channel] + one[channel], sum[channel]);
        }
    }
    for (int channel = 0; channel < 4; ++channel) rgba[channel] = sum[channel] / walk.count;
}

bool hasFilter(const SamplerState& state) {
    return state.magFilter != Filter::Nearest || state.minFilter != Filter::Nearest ||
           state.mipFilter == MipFilter::Linear;
}
SamplerState withoutFilter(SamplerState state) {
    state.magFilter = state.minFilter = Filter::Nearest;
    if (state.mipFilter == MipFilter::Linear) state.mipFilter = MipFilter::Nearest;
    return state;
}

}  // namespace

void sample(const TextureView& view, const SamplerState& state, const SampleInput& in, SampleOutput& out) {
    out = {};
    if (view.levels <= 0) {
        out.rgba[3] = splat(1.0f);
        return;
    }
    if (!elementInfo(view.image[0][0]->element()).isFiltered && hasFilter(state))
        return sample(view, withoutFilter(state), in, out);
    const bool isVolume = view.kind == Kind::Tex3D;
    const bool isAnisotropic =
        state.maxAnisotropy > 1 && state.minFilter == Filter::Linear && needsDerivatives(in.lodMode) && !isVolume;
    const bool levelMatters = state.mipFilter != MipFilter::None || state.minFilter != state.magFilter;
    const bool derivatives = isAnisotropic || (levelMatters && needsDerivatives(in.lodMode));
    const F32x16* d = in.coord;
    const Coordinates c = view.kind == Kind::Cube ? cubeCoordinates(in, derivatives, majorFace(d[0], d[1], d[2]))
                          : isVolume              ? volumeCoordinates(in, derivatives)
                                                  : planeCoordinates(in, derivatives);
    const Image& base = *view.image[0][0];
    Footprint footprint{};
    if (derivatives) footprint = isVolume ? volumeFootprint(base, c) : footprintOf(base, c);
    F32x16 square = maxPs(footprint.squareX, footprint.squareY);
    I32x16 probes = splat(1);
    if (isAnisotropic) {
        probes = probeCount(footprint, state.maxAnisotropy);
        square /= toFloat(probes * probes);
    }

    LevelChoice choice{};
    if (levelMatters) {
        choice = chooseLevel(state, view.levels, levelOfDetail(square, in), probes);
    } else {
        choice.linear = splat(state.magFilter == Filter::Linear ? 1 : 0);
    }
    const uint32_t mask = in.mask & 0xFFFF;
    const Lookup lookup = {view, state, in, c.face, choice, c.r};
    if (isAnisotropic && (toBits(probes > 1) & mask) != 0) {
        lookUpFootprint(lookup, c, footprint, probes, mask, out.rgba);
    } else {
        lookUp(lookup, c.s, c.t, mask, out.rgba);
    }
    if (isFloat(base.element())) {
        // Every NaN becomes the canonical one, as it is the host's choice which operand's NaN an addition hands on.
        const F32x16 nan = asFloat(splat(0x7fc00000));
        for (F32x16& channel : out.rgba) channel = select(channel == channel, channel, nan);
    }
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
