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

/// Percentage closer filtering: texels are compared, then the zeros and ones filtered. `slice`: as of filterSlice().
template <class Fetch>
Texels filterCompared(const Fetch& fetch, const Image& image, const Addressing& at, I32x16 slice, bool linear) {
    const uint32_t* base = image.block32(0, 0);
    const auto compared = [&](I32x16 offset) {
        return compareDepth(at.compare, at.reference, fetch(base, slice + offset).channel[0]);
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

/// What lookups have in common.
struct Lookup {
    const TextureView& view;
    const SamplerState& state;
    const SampleInput& in;
    I32x16 faces;
    LevelChoice choice;
    F32x16 r;      ///< of 3D textures
    I32x16 layer;  ///< of arrays; else 0
};

/// Where lookups go: the coordinates wrapped, and as they are.
struct Where {
    Addressing at;
    F32x16 s, t, r;
};

Where whereOf(const Lookup& lookup, Element element, F32x16 s, F32x16 t) {
    const SamplerState& state = lookup.state;
    Where where{{}, s, t, lookup.r};
    Addressing& at = where.at;
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
        at.reference = isFloat(element) ? lookup.in.reference : clamp(lookup.in.reference, 0.0f, 1.0f);
    }
    return where;
}

// --- Texels beyond an image ---

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

/// x - floor(x / n) * n, of numbers that are less than 2^19: the quotient is no nearer to an integer than 1 / (2 n).
I32x16 floorModulo(I32x16 x, int n) { return x - truncToInt(floor((toFloat(x) + 0.5f) / wholeFloat(n))) * n; }

/// The texel of the image that stands for one that may be beyond it; a border's stays outside.
I32x16 wrapTexel(Wrap wrap, I32x16 x, int size) {
    switch (wrap) {
        case Wrap::Repeat:
            return floorModulo(x, size);
        case Wrap::MirroredRepeat: {
            const I32x16 period = floorModulo(x, 2 * size);
            return min(period, 2 * size - 1 - period);
        }
        case Wrap::MirrorClampToEdge:
            return min(max(x, -1 - x), splat(size - 1));
        case Wrap::ClampToEdge:
            return min(max(x, splat(0)), splat(size - 1));
        case Wrap::ClampToBorder:
            break;
    }
    return x;
}

/// The same of lookups that are moved by some texels: a position within one period, or near the image, which is moved
/// before it is wrapped.
TexelPair movedTexels(Wrap wrap, F32x16 s, int offset, int size, bool linear) {
    F32x16 place = clamp(s, -kFarFromImage, kFarFromImage);
    if (wrap == Wrap::Repeat) place = wrapUnit(wrap, s);
    if (wrap == Wrap::MirroredRepeat) place = clamp(s - floor(s * 0.5f) * 2.0f, 0.0f, 2.0f);
    TexelPair pair{};
    if (linear) {
        const I32x16 fixed = fixedPosition(place, size);
        pair = {(fixed >> kWeightBits) + offset, (fixed >> kWeightBits) + (offset + 1), weightOf(fixed)};
    } else {
        pair.first = pair.second = truncToInt(floor(place * wholeFloat(size))) + offset;
    }
    pair.first = wrapTexel(wrap, pair.first, size), pair.second = wrapTexel(wrap, pair.second, size);
    return pair;
}

/// What sixteen lookups read of an image, in each direction.
struct Reach {
    TexelPair x, y, z;
};
Reach reachOf(const Lookup& lookup, const Where& where, const Image& image, bool linear) {
    const auto direction = [&](Wrap wrap, F32x16 unit, F32x16 coordinate, int offset, int size) {
        return offset == 0 ? texelsOf(wrap, unit, size, linear) : movedTexels(wrap, coordinate, offset, size, linear);
    };
    const Addressing& at = where.at;
    const std::array<int8_t, 3>& offset = lookup.in.offset;
    Reach reach{};
    reach.x = direction(at.wrapS, at.s, where.s, offset[0], image.width());
    reach.y = direction(at.wrapT, at.t, where.t, offset[1], image.height());
    if (lookup.view.kind == Kind::Tex3D)
        reach.z = direction(at.wrapR, at.r, where.r, offset[2], image.depth());
    else
        reach.z.first = reach.z.second = lookup.layer;
    return reach;
}

/// Interpolates `texel(x, y, z)` between the texels of a reach. They may be any numbers, so that each operation rounds;
/// between eight-bit texels they are exact all the same.
template <class Texel>
Texels filterReach(const Reach& reach, bool isVolume, bool isOfFloats, const Texel& texel) {
    const auto row = [&](I32x16 y, I32x16 z) {
        return interpolate(texel(reach.x.first, y, z), texel(reach.x.second, y, z), reach.x.weight, isOfFloats);
    };
    const auto slice = [&](I32x16 z) {
        return interpolate(row(reach.y.first, z), row(reach.y.second, z), reach.y.weight, isOfFloats);
    };
    if (!isVolume) return slice(reach.z.first);
    return interpolate(slice(reach.z.first), slice(reach.z.second), reach.z.weight, isOfFloats);
}

template <class Fetch>
Texels comparedTexels(const Fetch&, const Addressing& at, const Texels& texels) {
    if (!Fetch::isOfDepth || at.compare == DepthCompare::None) return texels;
    const F32x16 passed = compareDepth(at.compare, at.reference, texels.channel[0]);
    return {{passed, passed, passed, splat(1.0f)}};
}

/// Lookups that are moved by some texels, or of which some texels may be the border's; of any kind of image.
template <class Fetch>
Texels filterMoved(const Fetch& fetch, const Lookup& lookup, const Where& where, const Image& image, bool linear) {
    const bool isVolume = lookup.view.kind == Kind::Tex3D;
    const bool hasBorder = readsBorder(lookup.state, isVolume);
    const std::array<float, 4>& border = lookup.state.border;
    const int width = image.width(), height = image.height(), depth = image.depth(), step = sliceStep(image);
    const auto texel = [&](I32x16 x, I32x16 y, I32x16 z) {
        Texels texels = fetch(image.block32(0, 0), within(z, depth) * step + columnOffset(within(x, width)) +
                                                       rowOffset(within(y, height), image.blocksWide()));
        if (hasBorder) {
            const Mask16 isInside = (x >= 0) & (x < width) & (y >= 0) & (y < height) & (z >= 0) & (z < depth);
            for (size_t c = 0; c < 4; ++c) {
                const float unit = unitOf(fetch.element, static_cast<int>(c));
                // Integers' bits are not multiplied: they may look like a NaN, which would become a quiet one.
                const float colour = unit == 1.0f ? border[c] : border[c] * unit;
                texels.channel[c] = select(isInside, texels.channel[c], splat(colour));
            }
        }
        return comparedTexels(fetch, where.at, texels);
    };
    const Reach reach = reachOf(lookup, where, image, linear);
    if (!linear) return texel(reach.x.first, reach.y.first, reach.z.first);
    return filterReach(reach, isVolume, isFloat(fetch.element), texel);
}

// --- Edges of cube maps ---

struct FaceTexel {
    I32x16 face, x, y;
};
/// The texel at (x, y) of a face, of which one may be -1 or `size`: then it is the nearest one of the face beyond that
/// edge. Directions count in half texels from the cube's centre, so that all of it is exact.
FaceTexel overEdge(int face, I32x16 x, I32x16 y, int size) {
    const F32x16 s = toFloat(2 * x + (1 - size)), t = toFloat(2 * y + (1 - size)), major = wholeFloat(size);
    F32x16 direction[3];
    switch (face) {  // toFace(), backwards
        case 0:
            direction[0] = major, direction[1] = -t, direction[2] = -s;
            break;
        case 1:
            direction[0] = -major, direction[1] = -t, direction[2] = s;
            break;
        case 2:
            direction[0] = s, direction[1] = major, direction[2] = t;
            break;
        case 3:
            direction[0] = s, direction[1] = -major, direction[2] = -t;
            break;
        case 4:
            direction[0] = s, direction[1] = -t, direction[2] = major;
            break;
        default:
            direction[0] = -s, direction[1] = -t, direction[2] = -major;
            break;
    }
    FaceTexel to;
    to.face = majorFace(direction[0], direction[1], direction[2]);
    const FaceVector v = toFace(to.face, direction[0], direction[1], direction[2]);
    const auto last = static_cast<float>(size - 1);
    const auto index = [&](F32x16 place) { return truncToInt((clamp(place, -last, last) + last) * 0.5f); };
    to.x = index(v.s), to.y = index(v.t);
    return to;
}

/// Linear filters over the edges of a cube map's face, some of whose texels are those of other faces. Where three faces
/// meet the fourth texel is the mean of the others.
template <class Fetch>
Texels filterOverEdges(const Fetch& fetch, const TextureView& view, int face, int level, const Addressing& at) {
    const int size = view.image[face][level]->width();
    const auto texel = [&](I32x16 x, I32x16 y) {
        const FaceTexel place = overEdge(face, x, y, size);
        Texels texels{};
        for (uint32_t remaining = 0xFFFF; remaining != 0;) {
            const int from = place.face[__builtin_ctz(remaining)];
            const Mask16 same = place.face == from;
            const Image& image = *view.image[from][level];
            const Texels some =
                fetch(image.block32(0, 0), columnOffset(place.x) + rowOffset(place.y, image.blocksWide()));
            for (int c = 0; c < 4; ++c) texels.channel[c] = select(same, some.channel[c], texels.channel[c]);
            remaining &= ~toBits(same);
        }
        return comparedTexels(fetch, at, texels);
    };
    const I32x16 fixedX = fixedPosition(at.s, size), fixedY = fixedPosition(at.t, size);
    const I32x16 x = fixedX >> kWeightBits, y = fixedY >> kWeightBits;
    Texels four[2][2];  // [row][column]
    for (int row = 0; row < 2; ++row)
        for (int column = 0; column < 2; ++column) four[row][column] = texel(x + column, y + row);
    const Mask16 isBeyondX[2] = {x < 0, x + 1 >= size}, isBeyondY[2] = {y < 0, y + 1 >= size};
    for (int row = 0; row < 2; ++row)
        for (int column = 0; column < 2; ++column) {
            const Mask16 isCorner = isBeyondY[row] & isBeyondX[column];
            if (!any(isCorner)) continue;
            for (int c = 0; c < 4; ++c) {
                const F32x16 sum = (four[row][1 - column].channel[c] + four[1 - row][column].channel[c]) +
                                   four[1 - row][1 - column].channel[c];
                F32x16& corner = four[row][column].channel[c];
                corner = select(isCorner, sum / 3.0f, corner);
            }
        }
    const bool isOfFloats = isFloat(fetch.element);
    const F32x16 across = weightOf(fixedX);
    return interpolate(interpolate(four[0][0], four[0][1], across, isOfFloats),
                       interpolate(four[1][0], four[1][1], across, isOfFloats), weightOf(fixedY), isOfFloats);
}

// --- Lookups ---

/// What `lanes` read of an image; the others are anything.
Texels filterTexels(const Lookup& lookup, const Where& where, int face, int level, bool linear, uint32_t lanes) {
    const TextureView& view = lookup.view;
    const Image& image = *view.image[face][level];
    const bool isVolume = view.kind == Kind::Tex3D;
    const bool isMoved = lookup.in.offset != std::array<int8_t, 3>{} || readsBorder(lookup.state, isVolume);
    const bool isOverEdge = linear && view.kind == Kind::Cube && lookup.state.isEs3 &&
                            readsOverEdge(where.at.s, where.at.t, image.width(), lanes);
    return withFetch(sampledElement(image.element(), lookup.state), [&]<class Fetch>(const Fetch& fetch) {
        if (isMoved) return filterMoved(fetch, lookup, where, image, linear);
        if (isOverEdge) return filterOverEdges(fetch, view, face, level, where.at);
        if (isVolume) return filterVolume(fetch, image, where.at, linear);
        const I32x16 slice = lookup.layer * sliceStep(image);
        if constexpr (Fetch::isOfDepth)
            if (where.at.compare != DepthCompare::None) return filterCompared(fetch, image, where.at, slice, linear);
        return filterSlice(fetch, image, where.at, slice, linear);
    });
}

/// Tells the listener what `lanes` read of an image. Texels beyond it are told as those at its edge.
[[gnu::noinline, gnu::cold]] void tell(const Lookup& lookup, const Where& where, int face, int level, bool linear,
                                       uint32_t lanes) {
    TexelFetch fetch;
    const Image& image = *lookup.view.image[face][level];
    fetch.image = &image;
    fetch.face = face;
    fetch.level = level;
    fetch.linear = linear;
    fetch.lanes = lanes;
    const Reach reach = reachOf(lookup, where, image, linear);
    const auto indices = [](const TexelPair& pair, int size, int32_t(&texels)[2][16]) {
        store(texels[0], within(pair.first, size));
        store(texels[1], within(pair.second, size));
    };
    indices(reach.x, image.width(), fetch.x);
    indices(reach.y, image.height(), fetch.y);
    indices(reach.z, image.depth(), fetch.z);
    lookup.in.listener->heard(*lookup.in.listener, fetch);
}

/// One lookup of every lane in `mask`; `s`, `t` are not wrapped yet. The others are left alone.
void lookUp(const Lookup& lookup, F32x16 s, F32x16 t, uint32_t mask, F32x16 (&rgba)[4]) {
    const TextureView& view = lookup.view;
    const LevelChoice& choice = lookup.choice;
    const I32x16 faces = lookup.faces;
    const Element element = sampledElement(view.image[0][0]->element(), lookup.state);
    const Where where = whereOf(lookup, element, s, t);
    const I32x16 key = choice.linear | (choice.level << 1) | (faces << 5);
    uint32_t remaining = mask;
    while (remaining != 0) {
        const int lane = __builtin_ctz(remaining);
        const int face = faces[lane], level = choice.level[lane];
        const bool linear = choice.linear[lane] != 0;
        const Mask16 same = key == key[lane];
        const uint32_t lanes = toBits(same) & remaining;

        Texels texels = filterTexels(lookup, where, face, level, linear, lanes);
        const uint32_t between = level + 1 < view.levels ? toBits(choice.fraction != 0.0f) & lanes : 0;
        if (lookup.in.listener != nullptr) [[unlikely]] {
            tell(lookup, where, face, level, linear, lanes);
            if (between != 0) tell(lookup, where, face, level + 1, linear, between);
        }
        if (between != 0) {
            const Texels next = filterTexels(lookup, where, face, level + 1, linear, between);
            texels = interpolate(texels, next, choice.fraction, isFloat(element));
        }
        for (int i = 0; i < 4; ++i) rgba[i] = select(same, scaled(element, i, texels.channel[i]), rgba[i]);
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
/// Where cube maps are filtered over edges, no wrap mode matters.
SamplerState clampedToEdges(SamplerState state) {
    state.wrapS = state.wrapT = Wrap::ClampToEdge;
    return state;
}

}  // namespace

void sample(const TextureView& view, const SamplerState& state, const SampleInput& in, SampleOutput& out) {
    sampleUnswizzled(view, state, in, out);
    if (view.levels > 0) swizzle(view, out.rgba);
}

void sampleUnswizzled(const TextureView& view, const SamplerState& state, const SampleInput& in, SampleOutput& out) {
    out = {};
    if (view.levels <= 0) {
        out.rgba[3] = splat(1.0f);
        return;
    }
    if (!elementInfo(view.image[0][0]->element()).isFiltered && hasFilter(state))
        return sampleUnswizzled(view, withoutFilter(state), in, out);
    if (view.kind == Kind::Cube && state.isEs3 &&
        (state.wrapS != Wrap::ClampToEdge || state.wrapT != Wrap::ClampToEdge))
        return sampleUnswizzled(view, clampedToEdges(state), in, out);
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
        const F32x16 lambda = clamp(levelOfDetail(square, in), state.minLod, state.maxLod);
        choice = chooseLevel(state, view.levels, lambda, probes);
    } else {
        choice.linear = splat(state.magFilter == Filter::Linear ? 1 : 0);
    }
    const uint32_t mask = in.mask & 0xFFFF;
    Lookup lookup = {view, state, in, c.face, choice, c.r, splat(0)};
    if (view.kind == Kind::Array2D) lookup.layer = layersOf(view, in.coord[2]);
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

void findSizes(const TextureView& view, I32x16 level, I32x16 (&size)[3]) {
    for (I32x16& one : size) one = splat(0);
    for (int i = 0; i < view.levels; ++i) {
        const Image& image = *view.image[0][i];
        const Mask16 same = level == i;
        const bool hasDepth = view.kind == Kind::Tex3D || view.kind == Kind::Array2D;
        size[0] |= same & image.width(), size[1] |= same & image.height();
        size[2] |= same & (hasDepth ? image.depth() : 0);
    }
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::texture
