// What lookups of OpenGL ES 3.0 have beyond those of 2.0: arrays, offsets, single texels, filters over the edges of
// cube maps, clamps of the level of detail, swizzles (OpenGL ES 3.0.6, sections 3.8.10 to 3.8.15; GLSL ES 3.00.6, 8.8).
// References are in double precision, with unrounded weights, and find texels in ways of their own.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "base/process/env.h"
#include "texture/testing/sampler_levels.h"

using namespace tessera;
using namespace tessera::texture;
using namespace tessera::texture::levels;

namespace {

struct Random {
    std::mt19937 engine;
    double uniform(double low, double high) { return low + (high - low) * (engine() / 4294967296.0); }
    int below(int n) { return static_cast<int>(engine() % static_cast<uint32_t>(n)); }
};

const uint32_t* wordsOf(const Image& image, int x, int y, int z) {
    const int words = elementBytes(image.element()) / 4;
    const std::byte* plane = image.block(x / 4, y / 4) + static_cast<size_t>(z) * image.planeBytes();
    return reinterpret_cast<const uint32_t*>(plane) + static_cast<ptrdiff_t>((y % 4) * 4 + x % 4) * words;
}

/// What a channel of floats always is that the format lacks.
void fillMissingFloats(const FormatInfo& format, uint32_t* texel) {
    const ElementInfo& element = elementInfo(format.element);
    const int luminance = format.luminance;
    const int bits[4] = {format.red + luminance, format.green + luminance, format.blue + luminance, format.alpha};
    for (size_t c = 0; c < 4; ++c) {
        const Field field = element.channel[c];
        if (element.number != Number::Float || bits[c] != 0 || field.bits == 0) continue;
        const uint32_t one = field.bits == 32 ? 0x3F800000 : 0x3C00;
        texel[field.word] = (texel[field.word] & ~field.mask()) | (c == 3 ? one << field.shift : 0);
    }
}

/// Random texels; a 3D texture's depth is halved from level to level, an array's layers are not.
TextureView makeView(Random& random, Kind kind, PixelFormat format, std::array<int, 3> size, int levels = 1) {
    TextureView view;
    view.kind = kind;
    view.levels = levels;
    for (size_t face = 0; face < (kind == Kind::Cube ? 6 : 1); ++face)
        for (int level = 0; level < levels; ++level) {
            const auto scaled = [&](int n) { return std::max(n >> level, 1); };
            auto image = std::make_shared<Image>(format, scaled(size[0]), scaled(size[1]), 1,
                                                 kind == Kind::Tex3D ? scaled(size[2]) : size[2]);
            for (int z = 0; z < image->depth(); ++z) {
                auto* words = reinterpret_cast<uint32_t*>(image->block(0, 0) + z * image->planeBytes());
                for (size_t i = 0; i < image->planeBytes() / 4; ++i) words[i] = random.engine();
                const auto step = static_cast<size_t>(elementBytes(image->element()) / 4);
                for (size_t i = 0; i < image->planeBytes() / 4; i += step)
                    fillMissingFloats(formatInfo(format), words + i);
            }
            view.image[face][static_cast<size_t>(level)] = image;
        }
    return view;
}

SamplerState stateOf(Filter filter, MipFilter mips = MipFilter::None, Wrap wrap = Wrap::Repeat) {
    SamplerState state;
    state.magFilter = state.minFilter = filter;
    state.mipFilter = mips;
    state.wrapS = state.wrapT = state.wrapR = wrap;
    return state;
}

/// A channel of an eight-bit texel, 0..1.
double byteOf(const Image& image, int x, int y, int z, int channel) {
    return (*wordsOf(image, x, y, z) >> (8 * channel) & 0xFF) / 255.0;
}

/// The same as a nearest texel is given.
float singleOf(const Image& image, int x, int y, int z, int channel) {
    return static_cast<float>(*wordsOf(image, x, y, z) >> (8 * channel) & 0xFF) * (1.0f / 255.0f);
}

int wrapped(Wrap wrap, int i, int n) {
    while (wrap == Wrap::Repeat && i < 0) i += n;
    while (wrap == Wrap::Repeat && i >= n) i -= n;
    if (wrap == Wrap::MirrorClampToEdge && i < 0) i = -1 - i;
    while (wrap == Wrap::MirroredRepeat && (i < 0 || i >= n)) i = i < 0 ? -1 - i : 2 * n - 1 - i;
    return wrap == Wrap::ClampToBorder ? i : std::clamp(i, 0, n - 1);
}

struct Texels2 {
    int first, second;
    double weight;
    bool isUnsure;  ///< it is near to where another texel begins
};
Texels2 texels(const SamplerState& state, Wrap wrap, double coordinate, int offset, int n) {
    const double u = coordinate * n + offset - (state.magFilter == Filter::Linear ? 0.5 : 0.0);
    const double first = std::floor(u), weight = u - first;
    const auto i = static_cast<int>(first);
    if (state.magFilter == Filter::Linear) return {wrapped(wrap, i, n), wrapped(wrap, i + 1, n), weight, false};
    return {wrapped(wrap, i, n), wrapped(wrap, i, n), 0, weight < 1e-3 || weight > 1 - 1e-3};
}

PlainColors look(const TextureView& view, const SamplerState& state, const PlainLookups& in) {
    PlainColors colors;
    samplePlain(view, state, in, colors);
    for (const SimdLevel level : simdLevels()) {
        PlainColors other;
        plainSampler(level)(view, state, in, other);
        REQUIRE(std::memcmp(&colors, &other, sizeof colors) == 0);
    }
    return colors;
}

constexpr double kTolerance = 1.6 / 255;  // half a step of 1/256 of a weight in each direction, at full contrast

}  // namespace

TEST_CASE("a lookup of an array reads the nearest layer, ties to even") {
    Random random{std::mt19937(1)};
    const TextureView view = makeView(random, Kind::Array2D, PixelFormat::Rgba8, {8, 4, 6}, 3);
    const float layers[] = {0,    0.5f, 0.75f, 1.5f,  2.49f, 2.5f,   4.5f, 5.4f,
                            5.5f, 6,    1e30f, -0.5f, -3,    -1e30f, NAN,  3.5f};
    const int expected[] = {0, 0, 1, 2, 2, 2, 4, 5, 5, 5, 5, 0, 0, 0, 0, 4};
    for (int level = 0; level < 3; ++level) {
        PlainLookups in;
        in.lodMode = TestLod::Explicit;
        for (int lane = 0; lane < 16; ++lane) {
            in.coord[0][lane] = 0.6f, in.coord[1][lane] = 0.9f, in.coord[2][lane] = layers[lane];
            in.lod[lane] = static_cast<float>(level);
        }
        const PlainColors colors = look(view, stateOf(Filter::Nearest, MipFilter::Nearest), in);
        const Image& image = *view.image[0][static_cast<size_t>(level)];
        for (int lane = 0; lane < 16; ++lane)
            for (int c = 0; c < 4; ++c) {
                const auto x = static_cast<int>(0.6 * image.width()), y = static_cast<int>(0.9 * image.height());
                CHECK(colors.rgba[c][lane] == singleOf(image, x, y, expected[lane], c));
            }
    }
}

TEST_CASE("lookups with an offset read the texels so far away, before the coordinate is wrapped") {
    Random random{std::mt19937(2)};
    int compared = 0;
    const std::array<int, 3> sizes[] = {{16, 8, 4}, {5, 3, 7}, {1, 2, 1}, {37, 1, 3}};
    for (int round = 0; round < 1500; ++round) {
        const bool isVolume = random.below(2) == 0;
        const TextureView view =
            makeView(random, isVolume ? Kind::Tex3D : Kind::Array2D, PixelFormat::Rgba8, sizes[random.below(4)]);
        const auto wrap = static_cast<Wrap>(random.below(4));
        const SamplerState state = stateOf(static_cast<Filter>(random.below(2)), MipFilter::None, wrap);
        const Image& image = *view.image[0][0];
        PlainLookups in;
        for (int axis = 0; axis < (isVolume ? 3 : 2); ++axis)
            in.offset[axis] = static_cast<int8_t>(random.below(16) - 8);
        for (int lane = 0; lane < 16; ++lane)
            for (auto& axis : in.coord) axis[lane] = static_cast<float>(random.uniform(-3, 4));
        const PlainColors colors = look(view, state, in);
        for (int lane = 0; lane < 16; ++lane) {
            const Texels2 x = texels(state, wrap, in.coord[0][lane], in.offset[0], image.width());
            const Texels2 y = texels(state, wrap, in.coord[1][lane], in.offset[1], image.height());
            Texels2 z = texels(state, wrap, in.coord[2][lane], in.offset[2], image.depth());
            const auto layer = static_cast<int>(
                std::clamp(std::nearbyint(static_cast<double>(in.coord[2][lane])), 0.0, image.depth() - 1.0));
            if (!isVolume) z = {layer, layer, 0, false};
            if (x.isUnsure || y.isUnsure || z.isUnsure) continue;
            for (int c = 0; c < 4; ++c) {
                const auto row = [&](int at, int slice) {
                    return std::lerp(byteOf(image, x.first, at, slice, c), byteOf(image, x.second, at, slice, c),
                                     x.weight);
                };
                const auto slice = [&](int at) { return std::lerp(row(y.first, at), row(y.second, at), y.weight); };
                const double expected = std::lerp(slice(z.first), slice(z.second), z.weight);
                CHECK(std::abs(static_cast<double>(colors.rgba[c][lane]) - expected) <= kTolerance);
                ++compared;
            }
        }
    }
    CHECK(compared > 50000);
}

TEST_CASE("an offset of a repeated texture is a coordinate that is moved") {
    Random random{std::mt19937(3)};
    const TextureView view = makeView(random, Kind::Tex2D, PixelFormat::Rgba8, {16, 32, 1}, 5);
    for (const Filter filter : {Filter::Nearest, Filter::Linear})
        for (int round = 0; round < 50; ++round) {
            PlainLookups in, moved;
            in.lodMode = moved.lodMode = TestLod::Zero;
            moved.offset[0] = static_cast<int8_t>(random.below(16) - 8);
            moved.offset[1] = static_cast<int8_t>(random.below(16) - 8);
            for (int lane = 0; lane < 16; ++lane) {
                const int s = random.below(4096), t = random.below(4096);
                moved.coord[0][lane] = static_cast<float>(s) / 4096,
                moved.coord[1][lane] = static_cast<float>(t) / 4096;
                in.coord[0][lane] = static_cast<float>(s + moved.offset[0] * 256) / 4096;
                in.coord[1][lane] = static_cast<float>(t + moved.offset[1] * 128) / 4096;
            }
            const PlainColors a = look(view, stateOf(filter), in), b = look(view, stateOf(filter), moved);
            CHECK(std::memcmp(&a, &b, sizeof a) == 0);
        }
}

TEST_CASE("an offset can lead to the border") {
    Random random{std::mt19937(4)};
    const TextureView view = makeView(random, Kind::Tex2D, PixelFormat::Rgba8, {4, 4, 1});
    SamplerState state = stateOf(Filter::Nearest, MipFilter::None, Wrap::ClampToBorder);
    state.border = {0.25f, 0.5f, 0.75f, 1};
    PlainLookups in;
    in.offset[0] = 2;
    for (int lane = 0; lane < 16; ++lane)
        in.coord[0][lane] = (static_cast<float>(lane % 8 - 4) + 0.5f) / 4, in.coord[1][lane] = 0.1f;
    const PlainColors colors = look(view, state, in);
    for (int lane = 0; lane < 8; ++lane) {
        const int x = lane - 4 + 2;
        CHECK(colors.rgba[0][lane] == (x >= 0 && x < 4 ? singleOf(*view.image[0][0], x, 0, 0, 0) : 0.25f));
    }
}

TEST_CASE("a fetch gives the texel itself, of every element, and 0 beyond the image") {
    Random random{std::mt19937(5)};
    for (int format = 1; format < kPixelFormats; ++format) {
        const auto pixelFormat = static_cast<PixelFormat>(format);
        const Element element = formatInfo(pixelFormat).element;
        for (const Kind kind : {Kind::Tex2D, Kind::Tex3D, Kind::Array2D}) {
            const TextureView view = makeView(random, kind, pixelFormat, {7, 5, kind == Kind::Tex2D ? 1 : 6}, 2);
            PlainFetches in;
            for (int lane = 0; lane < 16; ++lane) {
                in.level[lane] = random.below(2);
                const Image& image = *view.image[0][static_cast<size_t>(in.level[lane])];
                in.at[0][lane] = random.below(image.width()), in.at[1][lane] = random.below(image.height());
                in.at[2][lane] = random.below(image.depth());
            }
            in.at[0][1] = -1, in.at[0][2] = 7, in.at[1][3] = 5, in.at[1][4] = INT_MIN, in.at[2][5] = 6,
            in.at[2][6] = -1;
            in.level[7] = 2, in.level[8] = -1, in.at[0][9] = INT_MAX;
            for (const SimdLevel level : simdLevels()) {
                PlainColors colors;
                plainFetch(level)(view, in, colors);
                // In code for the element: of several levels, and of one.
                PlainFetches ofOne = in;
                for (int32_t& of : ofOne.level) of = 1;
                ofOne.mask = 0x7F9F;
                // Columns and rows, as where a program reads around its pixel, the first and the last ones beyond.
                PlainFetches grid = ofOne;
                const int column = random.below(9) - 3, row = random.below(7) - 2;
                for (int lane = 0; lane < 16; ++lane)
                    grid.at[0][lane] = column + lane % 4, grid.at[1][lane] = row + lane / 4, grid.at[2][lane] = 0,
                    grid.level[lane] = 0;
                for (PlainFetches fetches : {in, ofOne, grid}) {
                    if (kind == Kind::Tex2D) std::ranges::fill(fetches.at[2], 0);
                    fetches.channels = random.below(2) == 0 ? 0xF : static_cast<uint32_t>(random.below(0x10));
                    PlainColors general, own;
                    plainFetch(level)(view, fetches, general);
                    plainElementFetch(level)(view, fetches, own);
                    for (int lane = 0; lane < 16; ++lane)
                        for (int c = 0; c < 4; ++c)
                            if ((fetches.mask >> lane & 1) != 0 && (fetches.channels >> c & 1) != 0)
                                CHECK(std::bit_cast<uint32_t>(own.rgba[c][lane]) ==
                                      std::bit_cast<uint32_t>(general.rgba[c][lane]));
                }
                for (int lane = 0; lane < 16; ++lane) {
                    if (lane >= 1 && lane <= 9) {
                        for (auto& channel : colors.rgba) CHECK(std::bit_cast<uint32_t>(channel[lane]) == 0);
                        continue;
                    }
                    // The nearest filter at the texel's centre.
                    const Image& image = *view.image[0][static_cast<size_t>(in.level[lane])];
                    PlainLookups centre;
                    centre.lodMode = TestLod::Explicit;
                    for (int i = 0; i < 16; ++i) {
                        centre.lod[i] = static_cast<float>(in.level[lane]);
                        const auto at = [&](int axis) { return static_cast<float>(in.at[axis][lane]); };
                        centre.coord[0][i] = (at(0) + 0.5f) / static_cast<float>(image.width());
                        centre.coord[1][i] = (at(1) + 0.5f) / static_cast<float>(image.height());
                        centre.coord[2][i] =
                            kind == Kind::Array2D ? at(2) : (at(2) + 0.5f) / static_cast<float>(image.depth());
                    }
                    PlainColors nearest;
                    plainSampler(level)(view, stateOf(Filter::Nearest, MipFilter::Nearest), centre, nearest);
                    for (int c = 0; c < 4; ++c) {
                        const auto bits = std::bit_cast<uint32_t>(colors.rgba[c][lane]);
                        if (!isInteger(element) && std::isnan(colors.rgba[c][lane])) continue;
                        CHECK(bits == std::bit_cast<uint32_t>(nearest.rgba[c][lane]));
                    }
                    if (element == Element::R32Sint)
                        CHECK(std::bit_cast<uint32_t>(colors.rgba[0][lane]) ==
                              *wordsOf(image, in.at[0][lane], in.at[1][lane], in.at[2][lane]));
                    if (element == Element::Rgba8Sint)
                        CHECK(
                            std::bit_cast<int32_t>(colors.rgba[3][lane]) ==
                            static_cast<int8_t>(*wordsOf(image, in.at[0][lane], in.at[1][lane], in.at[2][lane]) >> 24));
                }
            }
        }
    }
}

// --- Edges of cube maps ---

namespace {

using Vector = std::array<double, 3>;

/// Where a place of a face is on the cube of -1..1 (table 3.21).
Vector onCube(int face, double s, double t) {
    const double u = 2 * s - 1, v = 2 * t - 1;
    const Vector places[6] = {{1, -v, -u}, {-1, -v, u}, {u, 1, v}, {u, -1, -v}, {u, -v, 1}, {-u, -v, -1}};
    return places[face];
}
struct FacePlace {
    int face, x, y;
};
Vector centre(const FacePlace& texel, int n) { return onCube(texel.face, (texel.x + 0.5) / n, (texel.y + 0.5) / n); }

/// Of all texels of other faces, the one that is nearest to one at an edge, on the side of `beyond`.
FacePlace neighbour(const FacePlace& edge, const Vector& beyond, int n) {
    const Vector from = centre(edge, n);
    FacePlace best{};
    double least = 1e9;
    for (int face = 0; face < 6; ++face)
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x) {
                const Vector at = centre({face, x, y}, n);
                double distance = 0, toBeyond = 0;
                for (size_t i = 0; i < 3; ++i)
                    distance += (at[i] - from[i]) * (at[i] - from[i]),
                        toBeyond += (at[i] - beyond[i]) * (at[i] - beyond[i]);
                // The second term decides between two edges at a corner.
                if (face != edge.face && distance + 1e-3 * toBeyond < least)
                    least = distance + 1e-3 * toBeyond, best = {face, x, y};
            }
    return best;
}

}  // namespace

TEST_CASE("seamless cube maps are filtered over their edges, and corners are means of three texels") {
    Random random{std::mt19937(6)};
    int beyond = 0, corners = 0;
    for (const int n : {1, 2, 3, 4, 7}) {
        const TextureView view = makeView(random, Kind::Cube, PixelFormat::Rgba8, {n, n, 1});
        SamplerState state = stateOf(Filter::Linear);
        state.isEs3 = true;
        for (int round = 0; round < 150; ++round) {
            PlainLookups in;
            int faces[16];
            double places[2][16];
            for (int lane = 0; lane < 16; ++lane) {
                faces[lane] = random.below(6);
                for (auto& place : places) {
                    place[lane] = random.uniform(0.001, 0.999);
                    if (random.below(3) == 0) place[lane] = random.below(2) == 0 ? 0.002 : 0.998;
                }
                const Vector direction = onCube(faces[lane], places[0][lane], places[1][lane]);
                for (size_t i = 0; i < 3; ++i) in.coord[i][lane] = static_cast<float>(direction[i]);
            }
            const PlainColors colors = look(view, state, in);
            for (int lane = 0; lane < 16; ++lane) {
                const double u = places[0][lane] * n - 0.5, v = places[1][lane] * n - 0.5;
                const int x = static_cast<int>(std::floor(u)), y = static_cast<int>(std::floor(v));
                for (int c = 0; c < 4; ++c) {
                    const auto texel = [&](int tx, int ty) {
                        FacePlace place{faces[lane], std::clamp(tx, 0, n - 1), std::clamp(ty, 0, n - 1)};
                        const Vector out = onCube(faces[lane], (tx + 0.5) / n, (ty + 0.5) / n);
                        if (tx != place.x || ty != place.y) place = neighbour(place, out, n);
                        return byteOf(*view.image[static_cast<size_t>(place.face)][0], place.x, place.y, 0, c);
                    };
                    double four[2][2];
                    double sum = 0;
                    int there = 0;
                    const auto isCorner = [&](int tx, int ty) { return (tx < 0 || tx >= n) && (ty < 0 || ty >= n); };
                    for (int j = 0; j < 2; ++j)
                        for (int i = 0; i < 2; ++i)
                            if (!isCorner(x + i, y + j)) sum += four[j][i] = texel(x + i, y + j), ++there;
                    for (int j = 0; j < 2; ++j)
                        for (int i = 0; i < 2; ++i)
                            if (isCorner(x + i, y + j)) four[j][i] = sum / 3, ++corners;
                    beyond += x < 0 || y < 0 || x + 1 >= n || y + 1 >= n;
                    const double expected = std::lerp(std::lerp(four[0][0], four[0][1], u - x),
                                                      std::lerp(four[1][0], four[1][1], u - x), v - y);
                    CAPTURE(n);
                    CAPTURE(faces[lane]);
                    CHECK(std::abs(static_cast<double>(colors.rgba[c][lane]) - expected) <= kTolerance);
                }
            }
        }
    }
    CHECK(beyond > 10000);
    CHECK(corners > 2000);
}

TEST_CASE("within a face seamless filters and others are the same, and so are nearest texels") {
    Random random{std::mt19937(7)};
    const PixelFormat formats[] = {PixelFormat::Rgba8, PixelFormat::Srgb8Alpha8, PixelFormat::Rgb10A2};
    for (const PixelFormat format : formats) {
        const TextureView view = makeView(random, Kind::Cube, format, {16, 16, 1}, 5);
        for (int round = 0; round < 200; ++round) {
            SamplerState plain = stateOf(static_cast<Filter>(random.below(2)), static_cast<MipFilter>(random.below(3)),
                                         Wrap::ClampToEdge);
            SamplerState seamless = plain;
            seamless.isEs3 = true;
            seamless.wrapS = static_cast<Wrap>(random.below(5)), seamless.wrapT = static_cast<Wrap>(random.below(5));
            PlainLookups in;
            in.lodMode = TestLod::Explicit;
            const bool isNearest = plain.magFilter == Filter::Nearest;
            for (int lane = 0; lane < 16; ++lane) {
                // Half a texel from the edges of level 2, whose texels are a quarter of a face.
                const double least = isNearest ? 0 : 0.126;
                const Vector d =
                    onCube(random.below(6), random.uniform(least, 1 - least), random.uniform(least, 1 - least));
                for (size_t i = 0; i < 3; ++i) in.coord[i][lane] = static_cast<float>(d[i]);
                in.lod[lane] = static_cast<float>(random.uniform(-1, isNearest ? 4 : 2));
            }
            const PlainColors a = look(view, plain, in), b = look(view, seamless, in);
            CHECK(std::memcmp(&a, &b, sizeof a) == 0);
        }
    }
}

TEST_CASE("seamless cube maps are the same whatever the mode of either axis is") {
    Random random{std::mt19937(8)};
    const TextureView view = makeView(random, Kind::Cube, PixelFormat::Rgba8, {4, 4, 1});
    SamplerState clamped = stateOf(Filter::Linear, MipFilter::None, Wrap::ClampToEdge);
    clamped.isEs3 = true;
    for (int round = 0; round < 100; ++round) {
        SamplerState other = clamped;
        (round % 2 == 0 ? other.wrapS : other.wrapT) = static_cast<Wrap>(random.below(5));
        PlainLookups in;
        for (int lane = 0; lane < 16; ++lane) {
            const Vector d = onCube(random.below(6), random.uniform(0, 1), random.uniform(0, 1));
            for (size_t i = 0; i < 3; ++i) in.coord[i][lane] = static_cast<float>(d[i]);
        }
        const PlainColors a = look(view, clamped, in), b = look(view, other, in);
        CHECK(std::memcmp(&a, &b, sizeof a) == 0);
    }
}

TEST_CASE("a lane of a seamless lookup is the same whatever the other lanes are") {
    Random random{std::mt19937(8)};
    const float wild[] = {NAN, INFINITY, -INFINITY, 0, -0.0f, 1, 1e-40f, 1e30f};
    const PixelFormat formats[] = {PixelFormat::Rgba8, PixelFormat::Srgb8Alpha8, PixelFormat::Depth24,
                                   PixelFormat::Rgba16F};
    for (int round = 0; round < 1500; ++round) {
        const TextureView view = makeView(random, Kind::Cube, formats[random.below(4)], {4, 4, 1}, 3);
        SamplerState state = stateOf(Filter::Linear, static_cast<MipFilter>(random.below(3)));
        state.isEs3 = true;
        state.compare = static_cast<DepthCompare>(random.below(9));
        PlainLookups in, one;
        in.lodMode = TestLod::Explicit;
        in.compares = random.below(2) == 0;
        for (int lane = 0; lane < 16; ++lane) {
            for (auto& axis : in.coord)
                axis[lane] = random.below(4) == 0 ? wild[random.below(8)] : static_cast<float>(random.uniform(-1, 1));
            in.reference[lane] = static_cast<float>(random.uniform(-0.1, 1.1));
            in.lod[lane] = static_cast<float>(random.uniform(-1, 3));
        }
        one = in;
        const int lane = random.below(16);
        for (int i = 0; i < 16; ++i) {
            for (auto& axis : one.coord) axis[i] = axis[lane];
            one.reference[i] = in.reference[lane], one.lod[i] = in.lod[lane];
        }
        const PlainColors a = look(view, state, in), b = look(view, state, one);
        for (int c = 0; c < 4; ++c)
            CHECK(std::bit_cast<uint32_t>(a.rgba[c][lane]) == std::bit_cast<uint32_t>(b.rgba[c][lane]));
    }
}

// --- States ---

TEST_CASE("the level of detail is clamped, its bias added, before it chooses filter and level") {
    TextureView view;
    view.levels = 4;
    for (int level = 0; level < 4; ++level) {
        auto image = std::make_shared<Image>(PixelFormat::Rgba8, 8 >> level, 8 >> level);
        for (int y = 0; y < image->height(); ++y)
            for (int x = 0; x < image->width(); ++x)
                image->setTexel32(x, y, static_cast<uint32_t>(level * 10 + (x & 1)));
        view.image[0][static_cast<size_t>(level)] = image;
    }
    struct Case {
        float lod, minLod, maxLod, level;
    };
    const Case cases[] = {{0, -1000, 1000, 0}, {2, -1000, 1000, 2}, {0, 1.5f, 1000, 1.5f}, {3, -1000, 1.25f, 1.25f},
                          {9, -1000, 1000, 3}, {-5, 2, 3, 2},       {1, 3, 2, 2},          {NAN, 1, 2, 1},
                          {2, 0, 0, 0},        {2, -1000, -1, 0}};
    for (const Case& one : cases)
        for (const TestLod mode : {TestLod::Explicit, TestLod::Bias}) {
            SamplerState state = stateOf(Filter::Nearest, MipFilter::Linear);
            state.minLod = one.minLod, state.maxLod = one.maxLod;
            PlainLookups in;
            in.lodMode = mode;
            for (int lane = 0; lane < 16; ++lane) {
                in.lod[lane] = one.lod;
                // For a bias: a texel of level 0 from pixel to pixel.
                if (mode == TestLod::Bias) in.coord[0][lane] = static_cast<float>(2 * (lane % 4)) / 8 / 2;
            }
            const PlainColors colors = look(view, state, in);
            CAPTURE(one.lod);
            CHECK(static_cast<double>(colors.rgba[0][0]) * 255 == doctest::Approx(static_cast<double>(one.level) * 10));
        }
    // Clamped to 0, all of it is magnified.
    SamplerState state = stateOf(Filter::Nearest, MipFilter::Nearest);
    state.magFilter = Filter::Linear, state.maxLod = 0;
    PlainLookups in;
    in.lodMode = TestLod::Explicit;
    for (int lane = 0; lane < 16; ++lane) in.lod[lane] = 3, in.coord[0][lane] = 0.25f, in.coord[1][lane] = 0.25f;
    CHECK(static_cast<double>(look(view, state, in).rgba[0][0]) * 255 == doctest::Approx(0.5));
    state.maxLod = 1000;
    CHECK(static_cast<double>(look(view, state, in).rgba[0][0]) * 255 == doctest::Approx(30));
}

TEST_CASE("where magnification ends late, a linear filter serves to half a level") {
    Random random{std::mt19937(10)};
    const TextureView view = makeView(random, Kind::Tex2D, PixelFormat::Rgba8, {4, 4, 1}, 3);
    SamplerState state = stateOf(Filter::Nearest, MipFilter::Nearest);
    state.magFilter = Filter::Linear;
    PlainLookups in;
    in.lodMode = TestLod::Explicit;
    for (int lane = 0; lane < 16; ++lane) in.coord[0][lane] = in.coord[1][lane] = 0.3f;
    const auto lookAt = [&](bool isLate, float lod) {
        state.isEs3 = !isLate;
        for (float& of : in.lod) of = lod;
        return look(view, state, in).rgba[0][0];
    };
    const float magnified = lookAt(true, -1), minified = singleOf(*view.image[0][0], 1, 1, 0, 0);
    REQUIRE(magnified != minified);
    CHECK(lookAt(true, 0.25f) == magnified);
    CHECK(lookAt(true, 0.5f) == magnified);
    CHECK(lookAt(false, 0.25f) == minified);
    CHECK(lookAt(false, 0) == magnified);
}

TEST_CASE("a swizzle chooses the components of what filters and comparisons give") {
    TextureView view;
    view.levels = 1;
    view.image[0][0] = std::make_shared<Image>(PixelFormat::Rgba8, 1, 1);
    view.image[0][0]->setTexel32(0, 0, 0xFF804020);
    const SamplerState state = stateOf(Filter::Linear);
    const auto look0 = [&](const SamplerState& with, bool compares) {
        PlainLookups in;
        in.compares = compares;
        const PlainColors colors = look(view, with, in);
        return std::array{colors.rgba[0][0], colors.rgba[1][0], colors.rgba[2][0], colors.rgba[3][0]};
    };
    const std::array<float, 4> plain = look0(state, false);
    view.swizzle = {Channel::Blue, Channel::One, Channel::Zero, Channel::Red};
    CHECK(look0(state, false) == std::array{plain[2], 1.0f, 0.0f, plain[0]});
    view.image[0][0] = std::make_shared<Image>(PixelFormat::Depth24, 1, 1);
    view.image[0][0]->setTexel32(0, 0, 0x80000000);
    view.swizzle = kDepthAsRed;
    CHECK(look0(state, false)[0] == doctest::Approx(0.5));
    CHECK(look0(state, false)[1] == 0);
    SamplerState compared = state;
    compared.compare = DepthCompare::LessEqual;
    CHECK(look0(compared, true) == std::array{1.0f, 0.0f, 0.0f, 1.0f});
    view.image[0][0] = std::make_shared<Image>(PixelFormat::R32Sint, 1, 1);
    view.image[0][0]->setTexel32(0, 0, static_cast<uint32_t>(-5));
    view.swizzle = {Channel::One, Channel::Red, Channel::Alpha, Channel::Zero};
    const std::array<float, 4> integers = look0(state, false);
    CHECK(std::bit_cast<std::array<int32_t, 4>>(integers) == std::array{1, -5, 1, 0});
}

TEST_CASE("depth of arrays and of cube maps is compared, texel by texel") {
    Random random{std::mt19937(9)};
    for (int round = 0; round < 400; ++round) {
        const bool isCube = random.below(2) == 0, isFloat = random.below(2) == 0;
        const TextureView view =
            makeView(random, isCube ? Kind::Cube : Kind::Array2D,
                     isFloat ? PixelFormat::Depth32F : PixelFormat::Depth24, {8, 8, isCube ? 1 : 3});
        if (isFloat)
            for (size_t face = 0; face < (isCube ? 6 : 1); ++face)
                for (int z = 0; z < (isCube ? 1 : 3); ++z) {
                    Image& image = *view.image[face][0];
                    auto* words = reinterpret_cast<float*>(image.block(0, 0) + z * image.planeBytes());
                    for (size_t i = 0; i < image.planeBytes() / 4; ++i)
                        words[i] = static_cast<float>(random.uniform(-1, 2));
                }
        SamplerState state = stateOf(static_cast<Filter>(random.below(2)));
        state.compare = static_cast<DepthCompare>(1 + random.below(8));
        PlainLookups in;
        in.compares = true;
        int faces[16], layers[16];
        double place[2][16];
        for (int lane = 0; lane < 16; ++lane) {
            faces[lane] = isCube ? random.below(6) : 0, layers[lane] = isCube ? 0 : random.below(3);
            // Between the centres of the outermost texels: no edge is met.
            for (auto& p : place) p[lane] = (static_cast<double>(random.below(7 * 16)) / 16 + 0.5 + 1.0 / 64) / 8;
            in.reference[lane] = static_cast<float>(random.uniform(-0.5, 1.5));
            const Vector d = onCube(faces[lane], place[0][lane], place[1][lane]);
            for (size_t i = 0; i < 3; ++i) in.coord[i][lane] = static_cast<float>(d[i]);
            if (!isCube) {
                in.coord[0][lane] = static_cast<float>(place[0][lane]),
                in.coord[1][lane] = static_cast<float>(place[1][lane]);
                in.coord[2][lane] = static_cast<float>(layers[lane]) + 0.25f;
            }
        }
        const PlainColors colors = look(view, state, in);
        for (int lane = 0; lane < 16; ++lane) {
            const Image& image = *view.image[static_cast<size_t>(faces[lane])][0];
            const float reference = isFloat ? in.reference[lane] : std::clamp(in.reference[lane], 0.0f, 1.0f);
            const auto passes = [&](int x, int y) {
                const uint32_t word = *wordsOf(image, x, y, layers[lane]);
                const float depth = isFloat ? std::bit_cast<float>(word) : static_cast<float>((word >> 8) / 16777215.0);
                const bool results[] = {false,
                                        reference < depth,
                                        reference == depth,
                                        reference <= depth,
                                        reference > depth,
                                        reference != depth,
                                        reference >= depth,
                                        true};
                return results[static_cast<int>(state.compare) - 1] ? 1.0 : 0.0;
            };
            const Texels2 x = texels(state, Wrap::ClampToEdge, place[0][lane], 0, 8);
            const Texels2 y = texels(state, Wrap::ClampToEdge, place[1][lane], 0, 8);
            const double expected =
                std::lerp(std::lerp(passes(x.first, y.first), passes(x.second, y.first), x.weight),
                          std::lerp(passes(x.first, y.second), passes(x.second, y.second), x.weight), y.weight);
            if (x.isUnsure || y.isUnsure) continue;
            CHECK(std::abs(static_cast<double>(colors.rgba[0][lane]) - expected) < 0.01);
        }
    }
}
