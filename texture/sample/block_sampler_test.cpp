// Code for one state alone against the general sampler, lane by lane and to the bit: random textures of every kind,
// states and coordinates, at every SIMD level. The general sampler itself is compared with references in
// sampler_test.cpp and accuracy_test.cpp.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/process/env.h"
#include "texture/convert.h"
#include "texture/srgb.h"
#include "texture/testing/sampler_levels.h"

using namespace tessera;
using namespace tessera::texture;
using namespace tessera::texture::levels;

namespace {

struct Random {
    std::mt19937 engine{23};
    uint32_t operator()() { return static_cast<uint32_t>(engine()); }
    uint32_t below(uint32_t n) { return engine() % n; }
    float uniform(double low, double high) {
        return static_cast<float>(low + (high - low) * (static_cast<double>(engine()) / 4294967296.0));
    }
};

/// A complete chain of levels of random texels.
TextureView makeView(Random& random, Kind kind, PixelFormat format, int width, int height, int depth) {
    TextureView view;
    view.kind = kind;
    for (int face = 0; face < (kind == Kind::Cube ? 6 : 1); ++face) {
        int w = width, h = height, d = depth;
        for (int level = 0;; ++level) {
            auto image = std::make_shared<Image>(format, w, h, 1, d);
            for (int z = 0; z < d; ++z) {
                Image slice(image, z);
                for (int y = 0; y < h; ++y)
                    for (int x = 0; x < w; ++x) slice.setTexel32(x, y, random());
            }
            view.image[face][level] = image;
            view.levels = level + 1;
            const bool areLayers = kind == Kind::Array2D;
            if (w == 1 && h == 1 && (d == 1 || areLayers)) break;
            w = std::max(1, w / 2), h = std::max(1, h / 2), d = areLayers ? d : std::max(1, d / 2);
        }
    }
    return view;
}

void makeRows(Image& image) {
    const auto inTurn = [](size_t rows, const auto& copyRow) {
        for (size_t row = 0; row < rows; ++row) copyRow(row);
    };
    REQUIRE(image.rows().make(std::as_const(image), inTurn));
}
/// Beside all levels but one.
void makeRows(const TextureView& view) {
    for (const auto& face : view.image)
        for (int level = 0; level < view.levels; ++level)
            if (level != 2 && face[static_cast<size_t>(level)]) makeRows(*face[static_cast<size_t>(level)]);
}

/// Of those that have code of their own.
SamplerState makeState(Random& random) {
    SamplerState state;
    const auto filter = [&] { return random.below(3) == 0 ? Filter::Nearest : Filter::Linear; };
    state.minFilter = state.magFilter = filter();
    state.mipFilter = static_cast<MipFilter>(random.below(3));
    if (random.below(3) == 0) state.minFilter = filter();
    if (state.minFilter == state.magFilter && random.below(3) == 0)
        state.maxAnisotropy = static_cast<uint8_t>(1 + random.below(kMaxAnisotropy));
    const bool repeats = random.below(2) == 0;  // in all directions: another form on some hosts
    for (Wrap* wrap : {&state.wrapS, &state.wrapT, &state.wrapR})
        *wrap = repeats ? Wrap::Repeat : static_cast<Wrap>(random.below(4));
    return state;
}

/// A patch of a surface: places that change evenly, from a sixteenth of a texel to sixteen texels a pixel, turned and
/// mirrored; around an edge of the image or anywhere. Sometimes straight, sometimes along texel centres exactly.
PlainLookups makePatch(Random& random, Kind kind, const Image& base) {
    PlainLookups in;
    const int sizes[3] = {base.width(), base.height(), base.depth()};
    const double texels = std::exp2(random.uniform(-4, 4));
    const bool isAligned = random.below(4) == 0, isAtEdge = random.below(3) == 0, isStraight = random.below(3) == 0;
    for (int i = 0; i < 3; ++i) {
        const double scale = kind == Kind::Cube ? 2.0 / sizes[0] : 1.0 / sizes[i];
        double dx = random.uniform(-texels, texels) * scale, dy = random.uniform(-texels, texels) * scale;
        double start = kind == Kind::Cube ? random.uniform(-1, 1) : random.uniform(-2, 3);
        if (isAtEdge) start = std::round(start) + random.uniform(-2, 2) * scale;
        if (isStraight) (i == 0 ? dy : dx) = 0;
        if (isAligned) {
            dx = i == 0 ? scale : 0, dy = i == 1 ? scale : 0;
            start = (std::floor(start / scale) + 0.5) * scale;
        }
        for (int lane = 0; lane < 16; ++lane)
            in.coord[i][lane] = static_cast<float>(start + dx * (lane % 4) + dy * (lane / 4));
    }
    return in;
}

/// One layer for all lanes, or several.
void makeLayers(Random& random, const Image& base, PlainLookups& in) {
    const float one = random.uniform(-1, base.depth() + 1);
    const bool areSeveral = random.below(3) == 0;
    for (float& layer : in.coord[2]) layer = areSeveral ? random.uniform(-1, base.depth() + 1) : one;
}

Swizzle makeSwizzle(Random& random) {
    Swizzle swizzle;
    for (Channel& channel : swizzle) channel = static_cast<Channel>(random.below(6));
    return swizzle;
}

/// Single lanes, or all, somewhere else; or whole columns of s and rows of t.
void spoil(Random& random, PlainLookups& in) {
    static const float kWild[] = {NAN,           INFINITY,      -INFINITY,   1e30f,          -1e30f, 3e38f,
                                  2147483648.0f, -2147483904.f, 16777217.0f, 8388607.5f,     0.0f,   -0.0f,
                                  1.0f,          -1.0f,         0.99999994f, 0x1.fffffep-2f, 1e-40f, -1e-40f};
    const uint32_t rare = random.below(2) == 0 ? 2 : 24;
    const auto somewhere = [&] {
        return random.below(2) == 0 ? kWild[random.below(std::size(kWild))] : random.uniform(-4, 4);
    };
    if (random.below(2) == 0) {
        for (int i = 0; i < 4; ++i) {
            if (random.below(rare) != 0) continue;
            const float s = somewhere(), t = somewhere();
            for (int lane = 0; lane < 4; ++lane) in.coord[0][lane * 4 + i] = s, in.coord[1][i * 4 + lane] = t;
        }
        return;
    }
    for (auto& axis : in.coord)
        for (float& value : axis)
            if (random.below(rare) == 0) value = somewhere();
}

/// References around and equal to depths of the image.
void makeReferences(Random& random, const Image& image, PlainLookups& in) {
    for (float& reference : in.coord[2]) {
        const uint32_t texel = image.texel32(static_cast<int>(random.below(static_cast<uint32_t>(image.width()))),
                                             static_cast<int>(random.below(static_cast<uint32_t>(image.height()))));
        const float depth = static_cast<float>(texel >> 8) / 16777215.0f;
        const uint32_t kind = random.below(4);
        reference = kind == 0 ? random.uniform(-0.5, 1.5)
                              : std::nextafter(depth, kind == 1   ? 2.0f
                                                      : kind == 2 ? -1.0f
                                                                  : depth);
    }
}

/// Whether depth has code of its own at a level.
bool hasDepthBlocks(SimdLevel level) { return std::string_view(simdLevelName(level)) == "x86-64-v4"; }

/// Lookups that differ, over `rounds` blocks at each level.
int differences(Random& random, const TextureView& all, int rounds) {
    const bool isDepth = all.image[0][0]->element() == Element::D24S8;
    TextureView view = all;
    int different = 0;
    for (int round = 0; round < rounds; ++round) {
        SamplerState state = makeState(random);
        view.levels = random.below(4) == 0 ? 1 : all.levels;
        if (isDepth) {
            if (view.levels > 1) state.mipFilter = MipFilter::None;
            state.minFilter = state.magFilter;
            state.compare = static_cast<DepthCompare>(random.below(9));
        }
        view.swizzle = random.below(3) != 0 ? kNoSwizzle : isDepth ? kDepthAsRed : makeSwizzle(random);
        state.isEs3 = random.below(2) == 0;
        if (random.below(3) == 0) state.minLod = random.uniform(-3, 0), state.maxLod = random.uniform(15, 20);
        // Those have no code of their own.
        const bool isSeamless = view.kind == Kind::Cube && state.isEs3;
        if (isDepth || isSeamless || view.kind == Kind::Array2D || isSrgb(view.image[0][0]->element()))
            state.maxAnisotropy = 1;
        PlainLookups in = makePatch(random, view.kind, *view.image[0][0]);
        if (view.kind == Kind::Array2D) makeLayers(random, *view.image[0][0], in);
        in.compares = isDepth && state.compare != DepthCompare::None;
        if (in.compares) makeReferences(random, *view.image[0][0], in);
        if (random.below(3) == 0) spoil(random, in);
        if (random.below(3) == 0) in.mask = 1 + random.below(0xFFFF);
        PlainColors expected;
        samplePlain(view, state, in, expected);
        for (const SimdLevel level : simdLevels()) {
            PlainColors general, own;
            plainSampler(level)(view, state, in, general);
            REQUIRE(std::memcmp(&general, &expected, sizeof general) == 0);
            const bool hasOwn = plainBlockSampler(level)(view, state, in, own);
            if (isDepth && !hasOwn && !hasDepthBlocks(level)) continue;
            REQUIRE(hasOwn);
            for (int lane = 0; lane < 16; ++lane)
                for (int c = 0; c < 4; ++c)
                    different += (in.mask >> lane & 1) != 0 &&
                                 std::memcmp(&own.rgba[c][lane], &expected.rgba[c][lane], sizeof(float)) != 0;
        }
    }
    return different;
}

/// Lookups of any level of detail that differ.
int inputDifferences(Random& random, TextureView view, int rounds) {
    const Image& base = *view.image[0][0];
    int different = 0;
    for (int round = 0; round < rounds; ++round) {
        SamplerState state = makeState(random);
        state.minFilter = state.magFilter, state.maxAnisotropy = 1, state.isEs3 = random.below(2) == 0;
        if (holdsFloats(base.element())) state.mipFilter = MipFilter::None;
        if (random.below(2) == 0) state.minLod = random.uniform(-1, 5), state.maxLod = random.uniform(-1, 8);
        PlainLookups in = makePatch(random, view.kind, base);
        if (view.kind == Kind::Array2D) makeLayers(random, base, in);
        in.lodMode = static_cast<TestLod>(random.below(5));
        const float texels = std::exp2(random.uniform(-4, 4)) / static_cast<float>(base.width());
        const bool isOne = random.below(2) == 0;
        for (int lane = 0; lane < 16; ++lane) {
            in.lod[lane] = random.uniform(-2, 7);
            for (int i = 0; i < 3; ++i)
                in.ddx[i][lane] = random.uniform(-texels, texels), in.ddy[i][lane] = random.uniform(-texels, texels);
            if (isOne && lane > 0) {
                in.lod[lane] = in.lod[0];
                for (int i = 0; i < 3; ++i) in.ddx[i][lane] = in.ddx[i][0], in.ddy[i][lane] = in.ddy[i][0];
            }
        }
        if (random.below(3) == 0) spoil(random, in);
        if (random.below(3) == 0) in.mask = 1 + random.below(0xFFFF);
        PlainColors expected, own;
        samplePlain(view, state, in, expected);
        for (const SimdLevel level : simdLevels()) {
            const auto compare = [&] {
                for (int lane = 0; lane < 16; ++lane)
                    for (int c = 0; c < 4; ++c)
                        different += (in.mask >> lane & 1) != 0 &&
                                     std::memcmp(&own.rgba[c][lane], &expected.rgba[c][lane], sizeof(float)) != 0;
            };
            REQUIRE(plainInputSampler(level)(view, state, in, own));
            compare();
            if (!holdsFloats(base.element()) || in.lodMode != TestLod::Implicit) continue;
            REQUIRE(plainBlockSampler(level)(view, state, in, own));
            compare();
        }
    }
    return different;
}

/// Whether several lookups have a function at a level.
bool hasSeveral(SimdLevel level, const TextureView& view, const SamplerState& state) {
    const std::string_view name = simdLevelName(level);
    if (!name.starts_with("x86-64")) return false;
    if (state.mipFilter != MipFilter::None && view.levels > 1) return name != "x86-64-v2" && view.kind == Kind::Tex2D;
    if (state.magFilter == Filter::Linear)
        return name == "x86-64-v3" || (name == "x86-64-v4" && view.kind == Kind::Tex2D);
    return view.image[0][0]->element() == Element::Rgba8 && view.kind == Kind::Tex2D;
}

/// Whether lookups that are moved by texels have a function at a level.
bool hasMoved(SimdLevel level, const TextureView& view, const SamplerState& state) {
    const bool isDepth = view.image[0][0]->element() == Element::D24S8;
    const int levels = state.mipFilter != MipFilter::None ? view.levels : 1;
    const Image& smallest = *view.image[0][static_cast<size_t>(levels - 1)];
    const auto wraps = [](Wrap wrap, int size) {
        return wrap == Wrap::ClampToEdge || (wrap == Wrap::Repeat && size > 8);
    };
    return std::string_view(simdLevelName(level)).starts_with("x86-64") && view.kind == Kind::Tex2D &&
           state.magFilter == Filter::Linear && wraps(state.wrapS, smallest.width()) &&
           wraps(state.wrapT, smallest.height()) && (!isDepth || state.compare != DepthCompare::None);
}

/// Columns of one s and rows of one t, as where a picture lies straight.
void straighten(PlainLookups& in) {
    for (int lane = 0; lane < 16; ++lane)
        in.coord[0][lane] = in.coord[0][lane % 4], in.coord[1][lane] = in.coord[1][lane / 4 * 4];
}

/// Texels that differ, of several lookups at once and each alone; all are moved by texels, or none. Lookups that lie
/// straight are neighbours.
int severalDifferences(Random& random, const TextureView& view, Filter filter, bool isStraight, bool isMoved = false) {
    const Image& base = *view.image[0][0];
    const bool isDepth = base.element() == Element::D24S8;
    int different = 0;
    for (int round = 0; round < 300; ++round) {
        SamplerState state;
        state.minFilter = state.magFilter = filter;
        state.mipFilter = isDepth ? MipFilter::None : static_cast<MipFilter>(random.below(3));
        if (isDepth) state.compare = static_cast<DepthCompare>(random.below(9));
        const bool ends = random.below(2) == 0;
        state.wrapS = state.wrapT = ends ? Wrap::ClampToEdge : Wrap::Repeat;
        if (random.below(8) == 0) state.wrapT = Wrap::MirroredRepeat;
        // Up to more than a round of the function takes.
        const size_t count = 1 + random.below(random.below(4) == 0 ? 100 : 9);
        const uint32_t mask = random.below(3) == 0 ? 1 + random.below(0xFFFF) : 0xFFFF;
        std::vector<PlainColors> expected(count);
        std::vector<PlainRows> rows(count);
        PlainLookups last;
        for (size_t i = 0; i < count; ++i) {
            PlainLookups in = makePatch(random, view.kind, base);
            if (isStraight) straighten(in);
            // Beside the last one, as two blocks of a surface are.
            if (i > 0 && (isStraight ? random.below(16) != 0 : random.below(2) == 0)) {
                in = last;
                const bool byTexels = random.below(2) == 0;
                for (int axis = 0; axis < 3; ++axis) {
                    const int size = axis == 0 ? base.width() : base.height();
                    const float by = byTexels ? static_cast<float>(random.below(3)) / static_cast<float>(size) -
                                                    1.0f / static_cast<float>(size)
                                              : random.uniform(-0.1, 0.1);
                    for (float& value : in.coord[axis]) value += by;
                }
            }
            last = in;
            in.compares = isDepth && state.compare != DepthCompare::None;
            if (in.compares) makeReferences(random, base, in);
            if (random.below(isStraight ? 32 : 4) == 0) spoil(random, in);
            in.mask = mask;
            uint32_t moves = 0xA5A5;  // the lowest bits may be any
            for (int axis = 0; isMoved && axis < 2; ++axis) {
                const auto offset = static_cast<int>(random.below(16)) - 8;
                in.offset[axis] = static_cast<int8_t>(offset);
                moves |= (static_cast<uint32_t>(offset) & 15) << (16 + 4 * axis);
            }
            samplePlain(view, state, in, expected[i]);
            std::memcpy(rows[i].coordinate, in.coord, sizeof in.coord);
            if (isMoved) std::memcpy(rows[i].coordinate[3], &moves, sizeof moves);
        }
        for (const SimdLevel level : simdLevels()) {
            for (PlainRows& row : rows) std::memset(row.result, 0xFF, sizeof row.result);
            const uint32_t channels = random.below(2) == 0 ? 0xF : random.below(0x10);
            const auto sampler = isMoved ? plainMovedSampler(level) : plainSeveralSampler(level);
            const bool has = sampler(view, state, mask, static_cast<int>(count), rows.data(), channels);
            REQUIRE(has == (isMoved ? hasMoved(level, view, state) : hasSeveral(level, view, state)));
            for (size_t i = 0; has && i < count; ++i)
                for (int lane = 0; lane < 16; ++lane)
                    for (int c = 0; c < 4; ++c)
                        different += (mask >> lane & 1) != 0 && (channels >> c & 1) != 0 &&
                                     std::memcmp(&rows[i].result[c][lane], &expected[i].rgba[c][lane], 4) != 0;
        }
    }
    return different;
}

}  // namespace

TEST_CASE("lookups with a level of detail of their own are those of the general sampler") {
    Random random;
    for (const PixelFormat format : {PixelFormat::Rgba8, PixelFormat::Srgb8Alpha8})
        for (const int size : {1, 4, 13, 64}) {
            CHECK(inputDifferences(random, makeView(random, Kind::Tex2D, format, size, size / 2 + 1, 1), 300) == 0);
            CHECK(inputDifferences(random, makeView(random, Kind::Cube, format, size, size, 1), 300) == 0);
            CHECK(inputDifferences(random, makeView(random, Kind::Array2D, format, size, size / 2 + 1, 5), 300) == 0);
            if (format == PixelFormat::Rgba8)
                CHECK(inputDifferences(random, makeView(random, Kind::Tex3D, format, size, size, 3), 300) == 0);
        }
}

TEST_CASE("lookups of floats in code for their state are those of the general sampler") {
    Random random;
    for (const PixelFormat format : {PixelFormat::Rgba16F, PixelFormat::Rgba32F, PixelFormat::R11G11B10F})
        for (const int size : {1, 4, 13, 64}) {
            const TextureView view = makeView(random, Kind::Tex2D, PixelFormat::Rgba8, size, size / 2 + 1, 1);
            TextureView floats = view;
            for (int level = 0; level < view.levels; ++level) {
                const Image& base = *view.image[0][static_cast<size_t>(level)];
                auto image = std::make_shared<Image>(format, base.width(), base.height());
                auto* words = reinterpret_cast<uint32_t*>(image->block(0, 0));
                for (size_t i = 0; i < image->byteCount() / 4; ++i) words[i] = random();  // NaNs and infinities too
                floats.image[0][static_cast<size_t>(level)] = image;
            }
            CHECK(inputDifferences(random, floats, 600) == 0);
        }
}

TEST_CASE("lookups of arrays in code for their state are those of the general sampler") {
    Random random;
    for (const PixelFormat format : {PixelFormat::Rgba8, PixelFormat::Srgb8Alpha8})
        for (const int size : {1, 4, 13, 64})
            CHECK(differences(random, makeView(random, Kind::Array2D, format, size, size / 2 + 1, 5), 500) == 0);
}

TEST_CASE("several lookups at once are each as one alone") {
    Random random;
    const int sizes[][2] = {{1, 1}, {4, 4}, {8, 8}, {64, 64}, {256, 1}, {5, 3}, {13, 21}, {100, 60}};
    for (const auto& size : sizes)
        for (const Filter filter : {Filter::Nearest, Filter::Linear}) {
            for (const PixelFormat format : {PixelFormat::Rgba8, PixelFormat::Depth24Stencil8}) {
                const TextureView view = makeView(random, Kind::Tex2D, format, size[0], size[1], 1);
                for (const bool isStraight : {false, true})
                    CHECK(severalDifferences(random, view, filter, isStraight) == 0);
                makeRows(view);
                for (const bool isStraight : {false, true})
                    CHECK(severalDifferences(random, view, filter, isStraight) == 0);
            }
            const TextureView cube = makeView(random, Kind::Cube, PixelFormat::Rgba8, size[0], size[0], 1);
            CHECK(severalDifferences(random, cube, filter, false) == 0);
            makeRows(cube);
            CHECK(severalDifferences(random, cube, filter, false) == 0);
            const TextureView volume =
                makeView(random, Kind::Tex3D, PixelFormat::Rgba8, std::min(size[0], 16), std::min(size[1], 16), 5);
            CHECK(severalDifferences(random, volume, filter, false) == 0);
            makeRows(volume);
            CHECK(severalDifferences(random, volume, filter, false) == 0);
        }
}

TEST_CASE("lookups that are moved by texels are those of the general sampler") {
    Random random;
    const int sizes[][2] = {{1, 1}, {4, 4}, {9, 9}, {64, 64}, {256, 10}, {5, 3}, {13, 21}, {100, 60}};
    for (const auto& size : sizes)
        for (const PixelFormat format : {PixelFormat::Rgba8, PixelFormat::Depth24Stencil8}) {
            const TextureView view = makeView(random, Kind::Tex2D, format, size[0], size[1], 1);
            for (const bool isStraight : {false, true})
                CHECK(severalDifferences(random, view, Filter::Linear, isStraight, true) == 0);
            makeRows(view);
            for (const bool isStraight : {false, true})
                CHECK(severalDifferences(random, view, Filter::Linear, isStraight, true) == 0);
        }
}

TEST_CASE("planes in code for their state alone") {
    Random random;
    const int sizes[][2] = {{1, 1}, {2, 2}, {4, 4}, {8, 8}, {16, 4}, {64, 64}, {256, 1}, {5, 3}, {13, 21}, {100, 60}};
    for (const auto& size : sizes) {
        const TextureView view = makeView(random, Kind::Tex2D, PixelFormat::Rgba8, size[0], size[1], 1);
        CHECK(differences(random, view, 1000) == 0);
        makeRows(view);
        CHECK(differences(random, view, 1000) == 0);
    }
}

TEST_CASE("cube maps in code for their state alone") {
    Random random;
    for (const int size : {1, 2, 4, 16, 64, 3, 13, 50}) {
        const TextureView view = makeView(random, Kind::Cube, PixelFormat::Rgba8, size, size, 1);
        CHECK(differences(random, view, 1500) == 0);
        makeRows(view);
        CHECK(differences(random, view, 1000) == 0);
    }
}

TEST_CASE("sRGB planes and cube maps in code for their state alone") {
    Random random;
    for (const auto [kind, width, height] :
         {std::tuple(Kind::Tex2D, 1, 1), std::tuple(Kind::Tex2D, 64, 32), std::tuple(Kind::Tex2D, 100, 61),
          std::tuple(Kind::Cube, 16, 16), std::tuple(Kind::Cube, 13, 13)}) {
        const TextureView view = makeView(random, kind, PixelFormat::Srgb8Alpha8, width, height, 1);
        CHECK(differences(random, view, 1000) == 0);
        // The same pictures with their light beside them: the general sampler knows of none.
        makeRows(view);
        CHECK(differences(random, view, 2000) == 0);
    }
}

namespace {

/// The same bytes, as numbers.
TextureView asBytes(const TextureView& view) {
    TextureView bytes = view;
    for (auto& face : bytes.image)
        for (ImagePtr& image : face) {
            if (!image) continue;
            auto copy = std::make_shared<Image>(PixelFormat::Rgba8, image->width(), image->height(), 1, image->depth());
            std::memcpy(copy->block(0, 0), std::as_const(*image).block(0, 0), image->byteCount());
            image = std::move(copy);
        }
    return bytes;
}

}  // namespace

TEST_CASE("sRGB codes that are not decoded are looked up as bytes, with their light beside them too") {
    Random random;
    for (const auto [kind, width, height, depth] :
         {std::tuple(Kind::Tex2D, 64, 32, 1), std::tuple(Kind::Tex2D, 9, 5, 1), std::tuple(Kind::Cube, 16, 16, 1),
          std::tuple(Kind::Tex3D, 8, 4, 6), std::tuple(Kind::Array2D, 16, 8, 3)}) {
        const TextureView codes = makeView(random, kind, PixelFormat::Srgb8Alpha8, width, height, depth);
        const TextureView bytes = asBytes(codes);
        int decoded = 0, different = 0;
        for (int round = 0; round < 400; ++round) {
            if (round == 200) makeRows(codes);
            SamplerState state = makeState(random);
            state.isEs3 = random.below(2) == 0;
            PlainLookups in = makePatch(random, kind, *codes.image[0][0]);
            if (kind == Kind::Array2D) makeLayers(random, *codes.image[0][0], in);
            PlainColors expected, light;
            samplePlain(bytes, state, in, expected);
            samplePlain(codes, state, in, light);
            decoded += std::memcmp(&light, &expected, sizeof light) != 0;
            state.asCodes = true;
            for (const SimdLevel level : simdLevels()) {
                PlainColors general, own;
                plainSampler(level)(codes, state, in, general);
                REQUIRE(std::memcmp(&general, &expected, sizeof general) == 0);
                const auto compare = [&](bool has) {
                    for (int lane = 0; has && lane < 16; ++lane)
                        for (int c = 0; c < 4; ++c)
                            different += std::memcmp(&own.rgba[c][lane], &expected.rgba[c][lane], sizeof(float)) != 0;
                };
                PlainColors ofBytes;
                const bool hasBlock = plainBlockSampler(level)(codes, state, in, own);
                CHECK(hasBlock == plainBlockSampler(level)(bytes, state, in, ofBytes));
                compare(hasBlock);
                compare(plainInputSampler(level)(codes, state, in, own));
            }
        }
        CHECK(decoded > 300);
        CHECK(different == 0);
    }
}

TEST_CASE("row copies are made for the third scene, and forgotten when the image may change") {
    Image image(PixelFormat::Srgb8Alpha8, 6, 3);
    image.setTexel32(5, 2, 0x80BC00FFu);
    RowCopy& copy = image.rows();
    const auto isThere = [&] { return copy.light().texel != nullptr; };
    CHECK(!copy.isWanted());
    CHECK(!copy.isWanted());
    CHECK(copy.isWanted());
    CHECK(!isThere());
    makeRows(image);
    REQUIRE(isThere());
    const RowCopy::Light light = copy.light();
    const float* last = light.texel + 2 * light.rowFloats + 5 * 4;
    CHECK(last[0] == 255.0f);
    CHECK(last[1] == 0.0f);
    CHECK(last[2] == kLinearOfSrgb[0xBC]);
    CHECK(last[3] == 128.0f);
    CHECK(!copy.isWanted());
    (void)image.block32(0, 0);
    CHECK(!isThere());
    CHECK(!copy.isWanted());  // the first one was of no use: twice as long a wait
    CHECK(!copy.isWanted());
    CHECK(!copy.isWanted());
    CHECK(!copy.isWanted());
    CHECK(copy.isWanted());
    makeRows(image);
    for (int scene = 0; scene < 100; ++scene) CHECK(!copy.isWanted());
    CHECK(isThere());
    (void)image.tileBlocks();
    CHECK(!isThere());
    CHECK(!copy.isWanted());
    CHECK(!copy.isWanted());
    CHECK(copy.isWanted());
}

TEST_CASE("row copies hold every texel, and the first ones again after the last") {
    Random random;
    for (const auto [width, height, depth] :
         {std::tuple(1, 1, 1), std::tuple(16, 4, 1), std::tuple(13, 6, 1), std::tuple(6, 5, 3)}) {
        const TextureView view =
            makeView(random, depth > 1 ? Kind::Tex3D : Kind::Tex2D, PixelFormat::Rgba8, width, height, depth);
        const ImagePtr& image = view.image[0][0];
        makeRows(*image);
        const RowCopy::Words words = image->rows().words();
        REQUIRE(words.texel != nullptr);
        for (int z = 0; z < (depth > 1 ? depth + 1 : 1); ++z)
            for (int y = 0; y <= height; ++y)
                for (int x = 0; x <= width; ++x) {
                    const uint32_t* slice = image->block32(0, 0) + z % depth * image->planeBytes() / sizeof(uint32_t);
                    const int atX = x % width, atY = y % height;
                    const int block = atY / 4 * image->blocksWide() + atX / 4;
                    CHECK(words.texel[z * words.sliceWords + y * words.rowWords + x] ==
                          (slice[block * 16 + atY % 4 * 4 + atX % 4] ^ 0x80808080u));
                }
    }
    // What is written in a slice is written in the volume.
    const TextureView view = makeView(random, Kind::Tex3D, PixelFormat::Rgba8, 4, 4, 2);
    makeRows(*view.image[0][0]);
    Image slice(view.image[0][0], 1);
    slice.setTexel32(1, 2, 3);
    CHECK(view.image[0][0]->rows().words().texel == nullptr);
}

TEST_CASE("volumes in code for their state alone") {
    Random random;
    const int sizes[][3] = {{1, 1, 1}, {8, 8, 8}, {16, 16, 4}, {32, 32, 32}, {16, 8, 1}, {5, 9, 3}, {20, 12, 30}};
    for (const auto& size : sizes) {
        const TextureView view = makeView(random, Kind::Tex3D, PixelFormat::Rgba8, size[0], size[1], size[2]);
        CHECK(differences(random, view, 1500) == 0);
        makeRows(view);
        CHECK(differences(random, view, 1000) == 0);
    }
}

TEST_CASE("depth in code for its state alone") {
    Random random;
    const int sizes[][2] = {{1, 1}, {8, 8}, {64, 64}, {13, 21}, {100, 60}};
    for (const auto& size : sizes) {
        TextureView view = makeView(random, Kind::Tex2D, PixelFormat::Depth24Stencil8, size[0], size[1], 1);
        CHECK(differences(random, view, 2000) == 0);
        makeRows(view);
        CHECK(differences(random, view, 1000) == 0);
        // Few values, so that references and depths are often equal, with the ends of the range.
        const uint32_t few[] = {0, 1, 2, 0x7FFFFF, 0x800000, 0x800001, 0xFFFFFE, 0xFFFFFF};
        for (int y = 0; y < size[1]; ++y)
            for (int x = 0; x < size[0]; ++x)
                view.image[0][0]->setTexel32(x, y, few[random.below(8)] << 8 | random.below(256));
        CHECK(differences(random, view, 2000) == 0);
        makeRows(view);
        CHECK(differences(random, view, 1000) == 0);
    }
}

TEST_CASE("what has no code of its own says so") {
    Random random;
    SamplerState state;
    state.minFilter = state.magFilter = Filter::Linear;
    PlainColors out;
    for (const SimdLevel level : simdLevels()) {
        const PlainBlockSample block = plainBlockSampler(level);
        const TextureView plane = makeView(random, Kind::Tex2D, PixelFormat::Rgba8, 8, 8, 1);
        CHECK(block(plane, state, {}, out));
        SamplerState mixed = state;
        mixed.magFilter = Filter::Nearest;
        CHECK(block(plane, mixed, {}, out));
        mixed.maxAnisotropy = 2;
        CHECK(!block(plane, mixed, {}, out));
        CHECK(!block(TextureView{}, state, {}, out));
        const TextureView encoded = makeView(random, Kind::Tex3D, PixelFormat::Srgb8Alpha8, 8, 8, 1);
        CHECK(!block(encoded, state, {}, out));
        const TextureView light = makeView(random, Kind::Tex2D, PixelFormat::Srgb8Alpha8, 8, 8, 1);
        SamplerState anisotropic = state;
        CHECK(block(light, anisotropic, {}, out));
        anisotropic.maxAnisotropy = 2;
        CHECK(!block(light, anisotropic, {}, out));

        // Of planes, filtered and with levels from AVX2 on.
        PlainRows row = {};
        const auto isSeveral = [&](const TextureView& view, Filter filter, MipFilter mips) {
            SamplerState edge;
            edge.wrapS = edge.wrapT = Wrap::ClampToEdge;
            edge.minFilter = edge.magFilter = filter, edge.mipFilter = mips;
            return plainSeveralSampler(level)(view, edge, 0xFFFF, 1, &row, 0xF);
        };
        CHECK(isSeveral(plane, Filter::Nearest, MipFilter::None) ==
              std::string_view(simdLevelName(level)).starts_with("x86-64"));
        const bool hasAvx2 = std::string_view(simdLevelName(level)) == "x86-64-v3";
        const bool hasAvx512 = std::string_view(simdLevelName(level)) == "x86-64-v4";
        CHECK(isSeveral(plane, Filter::Linear, MipFilter::None) == (hasAvx2 || hasAvx512));
        CHECK(isSeveral(plane, Filter::Nearest, MipFilter::Nearest) == (hasAvx2 || hasAvx512));
        CHECK(!isSeveral(light, Filter::Nearest, MipFilter::None));
        CHECK(!isSeveral(encoded, Filter::Nearest, MipFilter::None));
        CHECK(!isSeveral(TextureView{}, Filter::Nearest, MipFilter::None));
    }
}
