// How near the sampler is to the specification's real numbers: 2D and 3D lookups for every filter and wrap mode against
// a reference in double precision with unrounded weights (OpenGL ES 2.0.25, sections 3.7.4 to 3.7.8; OES_texture_3D),
// depth comparisons against the same (EXT_shadow_samplers), and the level of detail against the exact formula. The
// figures stand in docs/sampling.md, "Accuracy". Lookups next to a jump of the result, where both sides are right, are
// left out.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "base/process/env.h"
#include "texture/testing/sampler_levels.h"
#include "texture/transfer/transfer.h"

using namespace tessera;
using namespace tessera::texture;
using namespace tessera::texture::levels;

namespace {

struct Random {
    std::mt19937 engine;
    double uniform(double low, double high) { return low + (high - low) * (engine() / 4294967296.0); }
    uint32_t below(uint32_t n) { return engine() % n; }
};

std::array<int, 3> sizeOf(const Image& image) { return {image.width(), image.height(), image.depth()}; }

/// A full chain of random texels; `dims` 2 or 3.
TextureView makeView(Random& random, PixelFormat format, std::array<int, 3> size, int dims) {
    TextureView view;
    view.kind = dims == 3 ? Kind::Tex3D : Kind::Tex2D;
    const uint32_t keep = format == PixelFormat::Rgba16F ? 0xBFFFBFFFu : ~0u;  // halves below 2
    for (;;) {
        auto image = std::make_shared<Image>(format, size[0], size[1], 1, size[2]);
        for (int z = 0; z < size[2]; ++z) {
            Image& plane = *image;
            auto* words = reinterpret_cast<uint32_t*>(plane.block(0, 0) + z * plane.planeBytes());
            for (size_t i = 0; i < plane.planeBytes() / 4; ++i) words[i] = random.engine() & keep;
        }
        view.image[0][view.levels++] = image;
        if (size == std::array<int, 3>{1, 1, 1}) return view;
        for (int& n : size) n = std::max(n / 2, 1);
    }
}

// --- Reference ---

constexpr double kNear = 2e-3;

struct Reference {
    const TextureView& view;
    const SamplerState& state;
    int dims;
    bool compares;
    double reference = 0;
    bool unsure = false;

    [[nodiscard]] Wrap wrap(int axis) const { return axis == 0 ? state.wrapS : axis == 1 ? state.wrapT : state.wrapR; }

    static constexpr int64_t kOutside = -1;

    static int64_t index(Wrap wrap, int64_t i, int64_t n) {
        switch (wrap) {
            case Wrap::Repeat:
                return ((i % n) + n) % n;
            case Wrap::MirroredRepeat: {
                const int64_t j = ((i % (2 * n)) + 2 * n) % (2 * n);
                return j < n ? j : 2 * n - 1 - j;
            }
            case Wrap::MirrorClampToEdge:
                i = i < 0 ? -1 - i : i;
                break;
            case Wrap::ClampToEdge:
                break;
            case Wrap::ClampToBorder:
                return i >= 0 && i < n ? i : kOutside;
        }
        return std::clamp<int64_t>(i, 0, n - 1);
    }

    /// One channel of a texel, or the outcome of its comparison.
    [[nodiscard]] double texel(const Image& image, int64_t x, int64_t y, int64_t z, int channel) {
        const bool isBorder = x == kOutside || y == kOutside || z == kOutside;
        const double border = static_cast<double>(state.border[static_cast<size_t>(channel)]);
        uint32_t word = 0;
        if (!isBorder) {
            const auto slice = static_cast<size_t>(z) * image.planeBytes();
            const auto* plane = reinterpret_cast<const uint32_t*>(image.block(0, 0) + slice);
            word = plane[((y / 4) * image.blocksWide() + x / 4) * 16 + y % 4 * 4 + x % 4];
        }
        if (holdsBytes(image.element())) return isBorder ? border : (word >> 8 * channel & 0xFF) / 255.0;
        const double depth = isBorder ? border : (word >> 8) / 16777215.0;
        if (!compares) return depth;
        const double r = std::clamp(reference, 0.0, 1.0);
        if (std::abs(r - depth) < 1e-6) unsure = true;
        switch (state.compare) {
            case DepthCompare::LessEqual:
            case DepthCompare::Less:
                return r < depth;
            case DepthCompare::GreaterEqual:
            case DepthCompare::Greater:
                return r > depth;
            case DepthCompare::NotEqual:
            case DepthCompare::Always:
                return 1;
            default:
                return 0;
        }
    }

    double lookup(int level, Filter filter, const double* coordinate, int channel) {
        const Image& image = *view.image[0][level];
        const std::array<int, 3> size = sizeOf(image);
        int64_t first[3] = {};
        double weight[3] = {};
        for (int a = 0; a < dims; ++a) {
            // Mirroring repeats the image turned round: the place itself need not be mirrored when indices are.
            const double u = coordinate[a] * size[a];
            if (filter == Filter::Nearest) {
                if (std::abs(u - std::round(u)) < kNear) unsure = true;
                first[a] = static_cast<int64_t>(std::floor(u));
            } else {
                first[a] = static_cast<int64_t>(std::floor(u - 0.5));
                weight[a] = u - 0.5 - static_cast<double>(first[a]);
            }
        }
        double sum = 0;
        for (int corner = 0; corner < 8; ++corner) {
            double share = 1;
            int64_t at[3] = {};
            for (int a = 0; a < 3; ++a) {
                const int side = corner >> a & 1;
                share *= side ? weight[a] : 1 - weight[a];
                if (a < dims) at[a] = index(wrap(a), first[a] + side, size[a]);
            }
            if (share != 0) sum += share * texel(image, at[0], at[1], at[2], channel);
        }
        return sum;
    }

    double filtered(const double* coordinate, double lambda, int channel) {
        const int last = view.levels - 1;
        const bool late = state.magFilter == Filter::Linear && state.minFilter == Filter::Nearest &&
                          state.mipFilter != MipFilter::None;
        const double threshold = late ? 0.5 : 0;
        if (std::abs(lambda - threshold) < kNear && (state.magFilter != state.minFilter || late)) unsure = true;
        if (lambda <= threshold) return lookup(0, state.magFilter, coordinate, channel);
        if (state.mipFilter == MipFilter::None) return lookup(0, state.minFilter, coordinate, channel);
        if (state.mipFilter == MipFilter::Nearest) {
            if (std::abs(lambda + 0.5 - std::round(lambda + 0.5)) < kNear) unsure = true;
            const int level = std::clamp(static_cast<int>(std::ceil(lambda + 0.5)) - 1, 0, last);
            return lookup(level, state.minFilter, coordinate, channel);
        }
        const double inside = std::clamp(lambda, 0.0, static_cast<double>(last));
        const int level = std::min(static_cast<int>(inside), last);
        const double a = lookup(level, state.minFilter, coordinate, channel);
        if (inside == level) return a;
        return a + (lookup(level + 1, state.minFilter, coordinate, channel) - a) * (inside - level);
    }
};

double exactLambda(const PlainLookups& in, int lane, std::array<int, 3> size, int dims) {
    const int corner = lane & ~5;
    double x = 0, y = 0;
    for (int a = 0; a < dims; ++a) {
        const double dx = double{in.coord[a][corner + 1]} - in.coord[a][corner];
        const double dy = double{in.coord[a][corner + 4]} - in.coord[a][corner];
        x += dx * size[a] * dx * size[a];
        y += dy * size[a] * dy * size[a];
    }
    return 0.5 * std::log2(std::max(x, y));
}

/// A patch of a surface, rho from 1/4 to 16 texels.
PlainLookups patch(Random& random, int size, int dims) {
    PlainLookups in;
    const double step = std::exp2(random.uniform(-2, 4)) / size;
    for (int a = 0; a < 3; ++a) {
        const double start = random.uniform(-2, 3), dx = random.uniform(-step, step), dy = random.uniform(-step, step);
        for (int lane = 0; lane < 16 && a < dims; ++lane)
            in.coord[a][lane] = static_cast<float>(start + dx * (lane % 4) + dy * (lane / 4));
    }
    return in;
}

struct Errors {
    double max = 0, sum = 0;
    long count = 0, left = 0;

    void add(double error) {
        max = std::max(max, error);
        sum += error;
        ++count;
    }
    [[nodiscard]] double mean() const { return sum / static_cast<double>(count); }
};

Errors compare(Random& random, const TextureView& view, const SamplerState& state, int dims, bool compares,
               int rounds) {
    Errors errors;
    for (int round = 0; round < rounds; ++round) {
        PlainLookups in = patch(random, view.image[0][0]->width(), dims);
        in.compares = compares;
        if (compares)
            for (float& reference : in.coord[2]) reference = static_cast<float>(random.uniform(-0.2, 1.2));
        PlainColors out;
        samplePlain(view, state, in, out);
        for (int lane = 0; lane < 16; ++lane) {
            Reference reference{view, state, dims, compares, in.coord[2][lane]};
            const double place[3] = {in.coord[0][lane], in.coord[1][lane], in.coord[2][lane]};
            const double lambda = exactLambda(in, lane, sizeOf(*view.image[0][0]), dims);
            for (int channel = 0; channel < (compares ? 1 : 4); ++channel) {
                const double expected = reference.filtered(place, lambda, channel);
                if (reference.unsure)
                    ++errors.left;
                else
                    errors.add(255 * std::abs(out.rgba[channel][lane] - expected));
            }
        }
    }
    return errors;
}

struct FilterRow {
    std::string name;
    Filter mag, min;
    MipFilter mip;
};
const FilterRow kFilters[] = {
    {"nearest", Filter::Nearest, Filter::Nearest, MipFilter::None},
    {"linear", Filter::Linear, Filter::Linear, MipFilter::None},
    {"nearest, nearest level", Filter::Nearest, Filter::Nearest, MipFilter::Nearest},
    {"linear, nearest level", Filter::Linear, Filter::Linear, MipFilter::Nearest},
    {"nearest, between levels", Filter::Nearest, Filter::Nearest, MipFilter::Linear},
    {"linear, between levels", Filter::Linear, Filter::Linear, MipFilter::Linear},
};
const std::string kWraps[] = {"repeat", "clamp to edge", "mirrored repeat", "mirror clamp to edge", "clamp to border"};

SamplerState stateOf(const FilterRow& filter, int wrap) {
    SamplerState state;
    state.magFilter = filter.mag, state.minFilter = filter.min, state.mipFilter = filter.mip;
    state.wrapS = state.wrapT = state.wrapR = static_cast<Wrap>(wrap);
    state.border = {0.3f, 0.85f, 0.0f, 1.0f};
    return state;
}

/// Half a step of each weight at full contrast.
double bound(const FilterRow& filter, int dims) {
    const double axes = filter.mag == Filter::Linear ? dims : 0;
    return 0.5 * (axes + (filter.mip == MipFilter::Linear ? 1 : 0)) + 1e-3;
}

void checkTable(const std::string& what, PixelFormat format, std::array<int, 3> size, int dims, DepthCompare comparison,
                int rounds) {
    Random random{std::mt19937(11)};
    const TextureView view = makeView(random, format, size, dims);
    for (const FilterRow& filter : kFilters)
        for (int wrap = 0; wrap < static_cast<int>(std::size(kWraps)); ++wrap) {
            SamplerState state = stateOf(filter, wrap);
            state.compare = comparison;
            const Errors errors = compare(random, view, state, dims, comparison != DepthCompare::None, rounds);
            MESSAGE(what << ", " << filter.name << ", " << kWraps[wrap] << ": max " << errors.max << ", mean "
                         << errors.mean() << " (1/255), " << errors.count << " values");
            CHECK(errors.max < bound(filter, dims));
            CHECK(errors.mean() < 0.15);
            CHECK(errors.left * 5 < errors.count);
        }
}

}  // namespace

TEST_CASE("2D filters and wrap modes") {
    checkTable("2D", PixelFormat::Rgba8, {64, 48, 1}, 2, DepthCompare::None, 200);
}

TEST_CASE("3D filters and wrap modes") {
    checkTable("3D", PixelFormat::Rgba8, {32, 13, 9}, 3, DepthCompare::None, 200);
}

TEST_CASE("3D texels of the other kinds") {
    Random random{std::mt19937(2)};
    // Three coordinates of a colour that is linear in the place come back, whatever the format.
    for (const PixelFormat format : {PixelFormat::Rgba32F, PixelFormat::Rgba16F}) {
        const int n = 8;
        auto image = std::make_shared<Image>(format, n, n, 1, n);
        for (int z = 0; z < n; ++z) {
            Image slice(image, z);
            std::vector<float> pixels;
            for (int y = 0; y < n; ++y)
                for (int x = 0; x < n; ++x)
                    for (const int value : {x, y, z, 1}) pixels.push_back(static_cast<float>(value));
            upload(slice, {0, 0, n, n}, reinterpret_cast<const std::byte*>(pixels.data()),
                   {ClientFormat::Rgba, ClientType::F32, size_t{n} * 16});
        }
        TextureView view;
        view.kind = Kind::Tex3D;
        view.levels = 1;
        view.image[0][0] = image;
        SamplerState state;
        state.minFilter = state.magFilter = Filter::Linear;
        state.wrapS = state.wrapT = state.wrapR = Wrap::ClampToEdge;
        PlainLookups in;
        for (auto& axis : in.coord)
            for (float& value : axis) value = static_cast<float>(random.uniform(0.5 / n, 1 - 0.5 / n));
        PlainColors out;
        samplePlain(view, state, in, out);
        for (int lane = 0; lane < 16; ++lane)
            for (int a = 0; a < 3; ++a)
                CHECK(std::abs(out.rgba[a][lane] - (in.coord[a][lane] * n - 0.5)) < 1.0 / 512 + 1e-5);
    }
}

TEST_CASE("comparisons are filtered, not depths") {
    for (const DepthCompare function : {DepthCompare::LessEqual, DepthCompare::Greater, DepthCompare::Always})
        checkTable("shadow", PixelFormat::Depth24Stencil8, {32, 32, 1}, 2, function, 60);
}

TEST_CASE("a reference equal to the depth, at the ends, and not a number") {
    TextureView view;
    view.levels = 1;
    view.image[0][0] = std::make_shared<Image>(PixelFormat::Depth24, 1, 1);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    struct Case {
        uint32_t depth;
        float reference;
        int order;  ///< of reference and depth: -1, 0, 1
    };
    const Case cases[] = {{0xFFFFFF, 1, 0}, {0xFFFFFF, 7, 0},
                          {0, 0, 0},        {0, -3, 0},
                          {0, nan, 0},      {0x800000, 0, -1},
                          {5, 1, 1},        {0xFFFFFE, 1, 1},
                          {1, nan, -1},     {0x800000, static_cast<float>(0x800000) / 16777215.0f, 0}};
    for (const Case& one : cases) {
        view.image[0][0]->setTexel32(0, 0, one.depth << 8 | 0x5A);
        PlainLookups in;
        in.compares = true;
        for (float& reference : in.coord[2]) reference = one.reference;
        const bool expected[] = {false,          false,          one.order < 0,
                                 one.order == 0, one.order <= 0, one.order > 0,
                                 one.order != 0, one.order >= 0, true};
        for (int function = 1; function <= 8; ++function) {
            SamplerState state;
            state.mipFilter = MipFilter::None;
            state.compare = static_cast<DepthCompare>(function);
            PlainColors out;
            samplePlain(view, state, in, out);
            CAPTURE(one.depth);
            CAPTURE(function);
            CHECK(out.rgba[0][3] == (expected[function] ? 1.0f : 0.0f));
            CHECK(out.rgba[3][3] == 1.0f);
        }
    }
}

TEST_CASE("the level of detail is that of the exact formula") {
    // Texels of level i hold the number i, so that a lookup between levels gives the level of detail itself.
    for (const int dims : {2, 3}) {
        TextureView view;
        view.kind = dims == 3 ? Kind::Tex3D : Kind::Tex2D;
        const int n = dims == 3 ? 64 : 1024;
        for (int size = n; size > 0; size /= 2) {
            const int depth = dims == 3 ? size : 1;
            auto image = std::make_shared<Image>(PixelFormat::Rgba32F, size, size, 1, depth);
            auto* values = reinterpret_cast<float*>(image->block(0, 0));
            std::fill_n(values, image->byteCount() / 4, static_cast<float>(view.levels));
            view.image[0][view.levels++] = image;
        }
        SamplerState state;
        state.minFilter = Filter::Linear;
        Random random{std::mt19937(5)};
        Errors errors;
        const double most = view.levels - 1.01;
        for (int round = 0; round < 20000; ++round) {
            PlainLookups in = patch(random, n, dims);
            const double scale = std::exp2(random.uniform(-1, most - 1));
            for (auto& axis : in.coord)
                for (float& value : axis) value = static_cast<float>(value * scale);
            PlainColors out;
            samplePlain(view, state, in, out);
            const double exact = exactLambda(in, 0, sizeOf(*view.image[0][0]), dims);
            if (exact > 0.01 && exact < most) errors.add(std::abs(out.rgba[0][0] - exact));
        }
        MESSAGE(dims << "D level of detail: max " << errors.max << ", mean " << errors.mean() << " levels over "
                     << errors.count);
        CHECK(errors.count > 10000);
        CHECK(errors.max < 0.5 / 256 + 1e-5);
    }
}

TEST_CASE("every SIMD level gives the same 3D and compared bytes, whatever the coordinates") {
    Random random{std::mt19937(9)};
    const float inf = std::numeric_limits<float>::infinity();
    const float wild[] = {NAN, inf, -inf, 1e30f, -1e30f, 2147483648.0f, 1e-40f, 0.0f, -0.0f, 1.0f, 0.99999994f};
    std::vector<TextureView> views;
    for (const PixelFormat format : {PixelFormat::Rgba8, PixelFormat::Srgb8Alpha8, PixelFormat::Rgba16F})
        for (const std::array<int, 3> size : {std::array{16, 8, 4}, std::array{5, 3, 7}, std::array{1, 1, 9}})
            views.push_back(makeView(random, format, size, 3));
    views.push_back(makeView(random, PixelFormat::Depth24, {16, 16, 1}, 2));
    views.push_back(makeView(random, PixelFormat::Depth24, {7, 3, 1}, 2));
    for (int round = 0; round < 6000; ++round) {
        const TextureView& view = views[random.below(static_cast<uint32_t>(views.size()))];
        SamplerState state = stateOf(kFilters[random.below(6)], static_cast<int>(random.below(5)));
        state.wrapR = static_cast<Wrap>(random.below(5));
        state.minFilter = static_cast<Filter>(random.below(2));
        state.maxAnisotropy = static_cast<uint8_t>(1 + random.below(8));
        state.compare = static_cast<DepthCompare>(random.below(9));
        PlainLookups in = patch(random, view.image[0][0]->width(), 3);
        in.lodMode = static_cast<TestLod>(random.below(5));
        in.compares = view.kind == Kind::Tex2D;
        in.mask = random.engine() & 0xFFFF;
        const auto spoil = [&](float& value) {
            if (random.below(4) == 0) value = wild[random.below(std::size(wild))];
        };
        for (int lane = 0; lane < 16; ++lane) {
            in.lod[lane] = static_cast<float>(random.uniform(-2, 6));
            for (int a = 0; a < 3; ++a) {
                in.ddx[a][lane] = static_cast<float>(random.uniform(-0.5, 0.5));
                in.ddy[a][lane] = static_cast<float>(random.uniform(-0.5, 0.5));
                if (round % 2) spoil(in.coord[a][lane]), spoil(in.ddx[a][lane]), spoil(in.ddy[a][lane]);
            }
        }
        PlainColors first, other;
        samplePlain(view, state, in, first);
        const auto isSame = [&] {
            for (int c = 0; c < 4; ++c)
                for (int lane = 0; lane < 16; ++lane)
                    if ((in.mask >> lane & 1) != 0 && std::memcmp(&first.rgba[c][lane], &other.rgba[c][lane], 4) != 0)
                        return false;
            return true;
        };
        for (const SimdLevel level : simdLevels()) {
            plainSampler(level)(view, state, in, other);
            REQUIRE(isSame());
        }
    }
}
