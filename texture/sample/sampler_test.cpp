// The sampler against a plain reference in double precision, written from OpenGL ES 2.0.25 sections 3.7.4 to
// 3.7.8: full-precision weights, libm's log2, modulo addressing, derivatives of cube coordinates by difference
// quotients. Lookups so close to a discontinuity that either answer is right are left out.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "base/process/env.h"
#include "texture/testing/element_levels.h"
#include "texture/testing/sampler_levels.h"
#include "texture/transfer/transfer.h"

using namespace tessera;
using namespace tessera::texture;
using namespace tessera::texture::levels;

namespace {

using Color = std::array<double, 4>;

std::shared_ptr<TextureView> makeView(std::mt19937& random, Kind kind, PixelFormat format, int width, int height,
                                      bool mipmapped) {
    auto view = std::make_shared<TextureView>();
    view->kind = kind;
    for (int face = 0; face < (kind == Kind::Cube ? 6 : 1); ++face) {
        int level = 0, w = width, h = height;
        for (;; ++level, w = std::max(1, w / 2), h = std::max(1, h / 2)) {
            auto image = std::make_shared<Image>(format, w, h);
            const Element element = image->element();
            const bool isOfFloats = !holdsBytes(element) && !isDepth(element) && !isInteger(element);
            if (isOfFloats) {
                std::vector<float> pixels(static_cast<size_t>(w) * h * 4);
                for (float& p : pixels) p = static_cast<float>(static_cast<int>(random() % 4001) - 2000) / 250.0f;
                upload(*image, {0, 0, w, h}, reinterpret_cast<std::byte*>(pixels.data()),
                       {ClientFormat::Rgba, ClientType::F32, static_cast<size_t>(w) * 16});
            } else {
                for (int y = 0; y < h; ++y) {
                    for (int x = 0; x < w; ++x) image->setTexel32(x, y, random());
                }
            }
            view->image[face][level] = image;
            if (!mipmapped || (w == 1 && h == 1)) break;
        }
        view->levels = level + 1;
    }
    return view;
}

// --- Reference ---

Color texelOf(const Image& image, int x, int y) {
    const Element element = image.element();
    const auto bytes = static_cast<size_t>(elementBytes(element));
    alignas(64) std::array<std::byte, 256> block{};
    std::memcpy(block.data(), image.block(x / 4, y / 4) + (y % 4 * 4 + x % 4) * bytes, bytes);
    PlainNumbers numbers;
    plainLoad(kLeastSimdLevel)(element, block.data(), numbers);
    Color c;
    for (int i = 0; i < 4; ++i) c[i] = std::bit_cast<float>(numbers.channel[i][0]) / unitOf(element, i);
    return c;
}

struct Reference {
    const TextureView& view;
    const SamplerState& state;
    bool unsure = false;  ///< a discontinuity is too near

    static constexpr double kNear = 2e-3;

    int wrapIndex(Wrap wrap, int64_t i, int size) const {
        if (wrap == Wrap::Repeat) return static_cast<int>(((i % size) + size) % size);
        return static_cast<int>(std::clamp<int64_t>(i, 0, size - 1));
    }
    double mirror(Wrap wrap, double s) const {
        if (wrap != Wrap::MirroredRepeat) return s;
        const double whole = std::floor(s), fraction = s - whole;
        return std::fmod(whole, 2.0) == 0 ? fraction : 1 - fraction;
    }

    Color lookup(const Image& image, Filter filter, double s, double t) {
        const Wrap wrapS = state.wrapS;
        const Wrap wrapT = state.wrapT;
        const double u = mirror(wrapS, s) * image.width(), v = mirror(wrapT, t) * image.height();
        if (filter == Filter::Nearest) {
            if (std::abs(u - std::round(u)) < kNear || std::abs(v - std::round(v)) < kNear) unsure = true;
            return texelOf(image, wrapIndex(wrapS, static_cast<int64_t>(std::floor(u)), image.width()),
                           wrapIndex(wrapT, static_cast<int64_t>(std::floor(v)), image.height()));
        }
        const double i0 = std::floor(u - 0.5), j0 = std::floor(v - 0.5), a = u - 0.5 - i0, b = v - 0.5 - j0;
        Color result{};
        for (int j = 0; j < 2; ++j) {
            for (int i = 0; i < 2; ++i) {
                const Color texel = texelOf(image, wrapIndex(wrapS, static_cast<int64_t>(i0) + i, image.width()),
                                            wrapIndex(wrapT, static_cast<int64_t>(j0) + j, image.height()));
                for (int c = 0; c < 4; ++c) result[c] += texel[c] * (i ? a : 1 - a) * (j ? b : 1 - b);
            }
        }
        return result;
    }

    Color filtered(int face, double s, double t, double lambda) {
        const int last = view.levels - 1;
        const double c = state.magFilter == Filter::Linear && state.minFilter == Filter::Nearest &&
                                 state.mipFilter != MipFilter::None
                             ? 0.5
                             : 0;
        if (std::abs(lambda - c) < kNear && (state.magFilter != state.minFilter || c != 0)) unsure = true;
        if (lambda <= c) return lookup(*view.image[face][0], state.magFilter, s, t);
        switch (state.mipFilter) {
            case MipFilter::None:
                return lookup(*view.image[face][0], state.minFilter, s, t);
            case MipFilter::Nearest: {
                if (std::abs(lambda + 0.5 - std::round(lambda + 0.5)) < kNear) unsure = true;
                int d = last;
                if (lambda <= 0.5) {
                    d = 0;
                } else if (lambda <= last + 0.5) {
                    d = static_cast<int>(std::ceil(lambda + 0.5)) - 1;
                }
                return lookup(*view.image[face][std::min(d, last)], state.minFilter, s, t);
            }
            case MipFilter::Linear:
                break;
        }
        if (lambda >= last) return lookup(*view.image[face][last], state.minFilter, s, t);
        const int d = static_cast<int>(std::floor(lambda));
        const Color one = lookup(*view.image[face][d], state.minFilter, s, t);
        const Color two = lookup(*view.image[face][d + 1], state.minFilter, s, t);
        Color result;
        for (int i = 0; i < 4; ++i) result[i] = one[i] + (two[i] - one[i]) * (lambda - d);
        return result;
    }
};

/// Table 3.21.
struct FaceCoordinates {
    int face;
    double s, t;
};
FaceCoordinates onFace(int face, const double* d) {
    const double x = d[0], y = d[1], z = d[2];
    const double sc[] = {-z, z, x, x, x, -x}, tc[] = {-y, -y, z, -z, -y, -y}, ma[] = {x, x, y, y, z, z};
    return {face, 0.5 * (sc[face] / std::abs(ma[face]) + 1), 0.5 * (tc[face] / std::abs(ma[face]) + 1)};
}
FaceCoordinates project(const double* d) {
    int axis = 0;
    for (int i = 1; i < 3; ++i) {
        if (std::abs(d[i]) > std::abs(d[axis])) axis = i;
    }
    return onFace(axis * 2 + (d[axis] < 0), d);
}
bool nearFaceEdge(const double* d) {
    double m[3] = {std::abs(d[0]), std::abs(d[1]), std::abs(d[2])};
    std::sort(m, m + 3);
    return m[1] > m[2] * 0.999;
}

Color reference(const TextureView& view, const SamplerState& state, const PlainLookups& in, int lane, bool& unsure) {
    Reference r{view, state};
    const bool cube = view.kind == Kind::Cube;
    const int dims = cube ? 3 : 2;
    double coord[3] = {}, origin[3] = {}, dx[3] = {}, dy[3] = {};
    const int corner = lane & ~5;
    const bool implicit = in.lodMode == TestLod::Implicit || in.lodMode == TestLod::Bias;
    for (int i = 0; i < dims; ++i) {
        coord[i] = in.coord[i][lane];
        origin[i] = implicit ? in.coord[i][corner] : coord[i];
        dx[i] = implicit ? double(in.coord[i][corner + 1]) - in.coord[i][corner] : in.ddx[i][lane];
        dy[i] = implicit ? double(in.coord[i][corner + 4]) - in.coord[i][corner] : in.ddy[i][lane];
    }
    double s = coord[0], t = coord[1];
    int face = 0;
    double change[2][2] = {{dx[0], dx[1]}, {dy[0], dy[1]}};
    if (cube) {
        if (nearFaceEdge(coord) || nearFaceEdge(origin)) unsure = true;
        const FaceCoordinates f = project(coord);
        s = f.s, t = f.t, face = f.face;
        constexpr double kStep = 1e-6;
        const FaceCoordinates from = project(origin);
        for (int k = 0; k < 2; ++k) {
            double moved[3];
            for (int i = 0; i < 3; ++i) moved[i] = origin[i] + kStep * (k ? dy[i] : dx[i]);
            const FaceCoordinates to = onFace(from.face, moved);
            change[k][0] = (to.s - from.s) / kStep, change[k][1] = (to.t - from.t) / kStep;
        }
    }
    double lambda = 0;
    if (in.lodMode == TestLod::Explicit) {
        lambda = in.lod[lane];
    } else if (in.lodMode != TestLod::Zero) {
        const double w = view.image[0][0]->width(), h = view.image[0][0]->height();
        lambda = std::log2(
            std::max(std::hypot(change[0][0] * w, change[0][1] * h), std::hypot(change[1][0] * w, change[1][1] * h)));
        if (in.lodMode == TestLod::Bias) lambda += in.lod[lane];
    }
    const Color c = r.filtered(face, s, t, lambda);
    unsure = unsure || r.unsure;
    return c;
}

// --- Random lookups ---

struct Generator {
    std::mt19937 random{7};
    float uniform(double lo, double hi) {
        return static_cast<float>(lo + (hi - lo) * (static_cast<double>(random()) / 4294967296.0));
    }
    template <class T>
    T pick(std::initializer_list<T> values) {
        return values.begin()[random() % values.size()];
    }

    SamplerState state() {
        SamplerState s;
        s.magFilter = pick({Filter::Nearest, Filter::Linear});
        s.minFilter = pick({Filter::Nearest, Filter::Linear});
        s.mipFilter = pick({MipFilter::None, MipFilter::Nearest, MipFilter::Linear});
        s.wrapS = pick({Wrap::Repeat, Wrap::ClampToEdge, Wrap::MirroredRepeat});
        s.wrapT = pick({Wrap::Repeat, Wrap::ClampToEdge, Wrap::MirroredRepeat});
        return s;
    }

    /// A surface patch: coordinates affine in x and y, so that implicit levels of detail are sensible.
    PlainLookups lookups(Kind kind, int size) {
        PlainLookups in;
        in.lodMode = pick({TestLod::Implicit, TestLod::Bias, TestLod::Explicit, TestLod::Gradient, TestLod::Zero});
        const double step = std::exp2(uniform(-3, 6)) / size;  // rho from 1/8 to 64
        for (int i = 0; i < (kind == Kind::Cube ? 3 : 2); ++i) {
            const double start = kind == Kind::Cube ? uniform(-1, 1) : uniform(-3, 4);
            const double a = uniform(-step, step), b = uniform(-step, step);
            for (int lane = 0; lane < 16; ++lane) {
                in.coord[i][lane] = static_cast<float>(start + a * (lane % 4) + b * (lane / 4));
                in.ddx[i][lane] = uniform(-step, step);
                in.ddy[i][lane] = uniform(-step, step);
            }
        }
        for (float& lod : in.lod) lod = in.lodMode == TestLod::Bias ? uniform(-3, 3) : uniform(-2, 9);
        return in;
    }
};

struct Errors {
    double max = 0, sum = 0;
    long count = 0, left = 0;
};

/// Errors in units of 1/255, over `rounds` blocks of sixteen lookups.
Errors compare(Kind kind, PixelFormat format, int width, int height, int rounds) {
    Generator g;
    Errors errors;
    const auto view = makeView(g.random, kind, format, width, height, true);
    for (int round = 0; round < rounds; ++round) {
        const SamplerState state = g.state();
        const PlainLookups in = g.lookups(kind, width);
        PlainColors out;
        samplePlain(*view, state, in, out);
        for (int lane = 0; lane < 16; ++lane) {
            bool unsure = false;
            const Color expected = reference(*view, state, in, lane, unsure);
            if (unsure) {
                ++errors.left;
                continue;
            }
            for (int c = 0; c < 4; ++c) {
                const double error = std::abs(out.rgba[c][lane] - expected[c]) * 255;
                errors.max = std::max(errors.max, error);
                errors.sum += error;
                ++errors.count;
            }
        }
    }
    return errors;
}

void checkErrors(const std::string& name, const Errors& e, double range) {
    MESSAGE(name << ": max " << e.max << ", mean " << e.sum / e.count << " (1/255) over " << e.count / 4 << " lookups, "
                 << e.left << " left out");
    // Each weight is within 1/512: at most half a step of the full range for each of the three axes.
    CHECK(e.max < 1.5 * range);
    CHECK(e.sum / e.count < 0.1 * range);
    CHECK(e.left * 4 < e.count);
}

std::shared_ptr<TextureView> singleColumn(std::initializer_list<uint32_t> texels) {
    auto view = std::make_shared<TextureView>();
    view->levels = 1;
    view->image[0][0] = std::make_shared<Image>(PixelFormat::Rgba8, static_cast<int>(texels.size()), 1);
    int x = 0;
    for (uint32_t texel : texels) view->image[0][0]->setTexel32(x++, 0, texel);
    return view;
}

}  // namespace

TEST_CASE("2D lookups agree with the reference") {
    checkErrors("2D 64x64", compare(Kind::Tex2D, PixelFormat::Rgba8, 64, 64, 3000), 1);
    checkErrors("2D 37x11", compare(Kind::Tex2D, PixelFormat::Rgba8, 37, 11, 3000), 1);
    checkErrors("2D 1x5", compare(Kind::Tex2D, PixelFormat::Rgba8, 1, 5, 1000), 1);
    checkErrors("2D 512x2", compare(Kind::Tex2D, PixelFormat::Rgba8, 512, 2, 1000), 1);
}

TEST_CASE("cube lookups agree with the reference on all faces") {
    checkErrors("cube 32", compare(Kind::Cube, PixelFormat::Rgba8, 32, 32, 4000), 1);
    checkErrors("cube 13", compare(Kind::Cube, PixelFormat::Rgba8, 13, 13, 2000), 1);
}

TEST_CASE("float and depth lookups agree with the reference") {
    checkErrors("Rgba32F", compare(Kind::Tex2D, PixelFormat::Rgba32F, 32, 20, 1000), 16);
    checkErrors("Rgba16F", compare(Kind::Tex2D, PixelFormat::Rgba16F, 32, 20, 1000), 16);
    checkErrors("depth", compare(Kind::Tex2D, PixelFormat::Depth24Stencil8, 32, 20, 1000), 1);
}

TEST_CASE("lookups of elements without code of their own agree with the reference") {
    checkErrors("Rgba8Snorm", compare(Kind::Tex2D, PixelFormat::Rgba8Snorm, 32, 20, 500), 2);
    checkErrors("Rgb10A2", compare(Kind::Tex2D, PixelFormat::Rgb10A2, 32, 20, 500), 1);
    checkErrors("R11G11B10F", compare(Kind::Tex2D, PixelFormat::R11G11B10F, 32, 20, 500), 16);
    checkErrors("Rgb9E5", compare(Kind::Tex2D, PixelFormat::Rgb9E5, 32, 20, 500), 16);
    checkErrors("Rgb10A2 cube", compare(Kind::Cube, PixelFormat::Rgb10A2, 13, 13, 500), 1);
}

TEST_CASE("integers are looked up as they are: no filter, no weight, also the bits of what would be no number") {
    Generator g;
    // The same numbers as floats and as integers.
    const auto floats = makeView(g.random, Kind::Tex2D, PixelFormat::Rgba32F, 37, 20, true);
    auto integers = std::make_shared<TextureView>(*floats);
    for (int level = 0; level < floats->levels; ++level) {
        Image& from = *floats->image[0][level];
        auto to = std::make_shared<Image>(PixelFormat::Rgba32Sint, from.width(), from.height());
        for (size_t i = 0; i < from.byteCount() / 4; ++i) {
            const auto number = static_cast<int32_t>(g.random() % 20001) - 10000;
            from.block32(0, 0)[i] = std::bit_cast<uint32_t>(static_cast<float>(number));
            to->block32(0, 0)[i] = static_cast<uint32_t>(number);
        }
        integers->image[0][level] = std::move(to);
    }
    int wrong = 0;
    for (int round = 0; round < 2000; ++round) {
        const SamplerState state = g.state();
        SamplerState nearest = state;
        nearest.magFilter = nearest.minFilter = Filter::Nearest;
        if (state.mipFilter == MipFilter::Linear) nearest.mipFilter = MipFilter::Nearest;
        const PlainLookups in = g.lookups(Kind::Tex2D, 37);
        PlainColors expected, colors;
        samplePlain(*floats, nearest, in, expected);
        samplePlain(*integers, state, in, colors);
        for (int c = 0; c < 4; ++c)
            for (int lane = 0; lane < 16; ++lane)
                wrong += std::bit_cast<int32_t>(colors.rgba[c][lane]) != static_cast<int32_t>(expected.rgba[c][lane]);
    }
    CHECK(wrong == 0);

    auto bits = std::make_shared<TextureView>();
    bits->levels = 1;
    bits->image[0][0] = std::make_shared<Image>(PixelFormat::R32Uint, 1, 1);
    bits->image[0][0]->setTexel32(0, 0, 0x7F800001);
    SamplerState bordered;
    bordered.wrapS = Wrap::ClampToBorder;
    bordered.border = {std::bit_cast<float>(0xFF812345u), 0, 0, 0};
    for (const SimdLevel level : simdLevels()) {
        PlainLookups in;
        std::fill_n(in.coord[0] + 8, 8, 5.0f);
        PlainColors colors;
        levels::plainSampler(level)(*bits, bordered, in, colors);
        CHECK(std::bit_cast<uint32_t>(colors.rgba[0][0]) == 0x7F800001);
        CHECK(std::bit_cast<uint32_t>(colors.rgba[3][0]) == 1);
        CHECK(std::bit_cast<uint32_t>(colors.rgba[0][15]) == 0xFF812345);
    }
}

TEST_CASE("depth of single precision is compared as it is") {
    auto view = std::make_shared<TextureView>();
    view->levels = 1;
    view->image[0][0] = std::make_shared<Image>(PixelFormat::Depth32F, 1, 1);
    view->image[0][0]->setTexel32(0, 0, std::bit_cast<uint32_t>(2.5f));
    SamplerState state;
    state.compare = DepthCompare::Less;
    PlainLookups in;
    in.compares = true;
    const float references[] = {2.0f, 2.5f, 3.0f, -1.0f, NAN};
    std::copy_n(references, 5, in.coord[2]);
    for (const SimdLevel level : simdLevels()) {
        PlainColors colors;
        levels::plainSampler(level)(*view, state, in, colors);
        const float expected[] = {1, 0, 0, 1, 0};
        for (int lane = 0; lane < 5; ++lane) CHECK(colors.rgba[0][lane] == expected[lane]);
        in.compares = false;
        levels::plainSampler(level)(*view, state, in, colors);
        CHECK(colors.rgba[0][0] == 2.5f);
        in.compares = true;
    }
}

TEST_CASE("a filtered byte is exactly the weighted sum of its texels over 65536 x 255") {
    Generator g;
    const auto view = makeView(g.random, Kind::Tex2D, PixelFormat::Rgba8, 16, 8, false);
    const Image& image = *view->image[0][0];
    SamplerState state;
    state.minFilter = state.magFilter = Filter::Linear;
    for (int round = 0; round < 2000; ++round) {
        PlainLookups in;
        uint32_t u[16], v[16];  // multiples of 1/256 texel, half a texel inside
        for (int lane = 0; lane < 16; ++lane) {
            u[lane] = 128 + g.random() % (15 * 256), v[lane] = 128 + g.random() % (7 * 256);
            in.coord[0][lane] = static_cast<float>(u[lane]) / (16 * 256);
            in.coord[1][lane] = static_cast<float>(v[lane]) / (8 * 256);
        }
        PlainColors out;
        samplePlain(*view, state, in, out);
        bool exact = true;
        for (int lane = 0; lane < 16; ++lane) {
            const uint32_t x = u[lane] - 128, y = v[lane] - 128, a = x & 255, b = y & 255;
            for (int c = 0; c < 4; ++c) {
                auto texel = [&](uint32_t i, uint32_t j) {
                    return image.texel32(std::min<int>(i, 15), std::min<int>(j, 7)) >> (8 * c) & 255;
                };
                const uint32_t i = x >> 8, j = y >> 8;
                const uint32_t sum = (texel(i, j) * (256 - a) + texel(i + 1, j) * a) * (256 - b) +
                                     (texel(i, j + 1) * (256 - a) + texel(i + 1, j + 1) * a) * b;
                exact = exact && out.rgba[c][lane] == static_cast<float>(sum) * 0x1p-16f * (1.0f / 255.0f);
            }
        }
        CHECK(exact);
    }
}

TEST_CASE("a constant texture stays constant through every filter") {
    for (uint32_t byte : {0u, 1u, 127u, 128u, 254u, 255u}) {
        auto view = std::make_shared<TextureView>();
        view->levels = 5;
        for (int level = 0; level < 5; ++level) {
            view->image[0][level] = std::make_shared<Image>(PixelFormat::Rgba8, 16 >> level, 16 >> level);
            fill(*view->image[0][level], {0, 0, 16, 16}, byte * 0x01010101u, ~0u);
        }
        Generator g;
        for (int round = 0; round < 200; ++round) {
            PlainColors out;
            samplePlain(*view, g.state(), g.lookups(Kind::Tex2D, 16), out);
            bool same = true;
            for (int lane = 0; lane < 16; ++lane)
                same = same && out.rgba[3][lane] == static_cast<float>(byte) * (1.0f / 255.0f);
            CHECK(same);
        }
    }
    CHECK(255.0f * (1.0f / 255.0f) == 1.0f);
}

TEST_CASE("wrap modes at and beyond the edges") {
    const auto view = singleColumn({0xFF000000, 0xFF000001, 0xFF000002, 0xFF000003});
    SamplerState state;
    state.minFilter = state.magFilter = Filter::Nearest;
    state.mipFilter = MipFilter::None;
    const float coordinates[16] = {0,     0.3f,  0.99f, 1,  1.3f,    2,        2.6f, -0.1f,
                                   -0.9f, -1.2f, 3.99f, -4, 1000.6f, -1000.6f, 5.1f, 7.8f};
    const int repeat[16] = {0, 1, 3, 0, 1, 0, 2, 3, 0, 3, 3, 0, 2, 1, 0, 3};
    const int edge[16] = {0, 1, 3, 3, 3, 3, 3, 0, 0, 0, 3, 0, 3, 0, 3, 3};
    const int mirrored[16] = {0, 1, 3, 3, 2, 0, 2, 0, 3, 3, 0, 0, 2, 2, 3, 0};
    PlainLookups in;
    std::copy_n(coordinates, 16, in.coord[0]);
    for (const auto& [wrap, expected] :
         {std::pair{Wrap::Repeat, repeat}, {Wrap::ClampToEdge, edge}, {Wrap::MirroredRepeat, mirrored}}) {
        state.wrapS = wrap;
        PlainColors out;
        samplePlain(*view, state, in, out);
        for (int lane = 0; lane < 16; ++lane) {
            CAPTURE(static_cast<int>(wrap));
            CAPTURE(coordinates[lane]);
            CHECK(std::lround(out.rgba[0][lane] * 255) == expected[lane]);
        }
    }
}

TEST_CASE("each cube direction reads its face, the right way round") {
    auto view = std::make_shared<TextureView>();
    view->kind = Kind::Cube;
    view->levels = 1;
    for (uint32_t face = 0; face < 6; ++face) {
        view->image[face][0] = std::make_shared<Image>(PixelFormat::Rgba8, 2, 2);
        for (uint32_t i = 0; i < 4; ++i) view->image[face][0]->setTexel32(i % 2, i / 2, face * 4 + i);
    }
    SamplerState state;
    state.minFilter = state.magFilter = Filter::Nearest;
    state.mipFilter = MipFilter::None;
    // Directions toward the four texels of each face by table 3.21, in the order (0,0) (1,0) (0,1) (1,1).
    const float directions[6][4][3] = {
        {{1, .5f, .5f}, {1, .5f, -.5f}, {1, -.5f, .5f}, {1, -.5f, -.5f}},
        {{-1, .5f, -.5f}, {-1, .5f, .5f}, {-1, -.5f, -.5f}, {-1, -.5f, .5f}},
        {{-.5f, 1, -.5f}, {.5f, 1, -.5f}, {-.5f, 1, .5f}, {.5f, 1, .5f}},
        {{-.5f, -1, .5f}, {.5f, -1, .5f}, {-.5f, -1, -.5f}, {.5f, -1, -.5f}},
        {{-.5f, .5f, 1}, {.5f, .5f, 1}, {-.5f, -.5f, 1}, {.5f, -.5f, 1}},
        {{.5f, .5f, -1}, {-.5f, .5f, -1}, {.5f, -.5f, -1}, {-.5f, -.5f, -1}},
    };
    for (int face = 0; face < 6; ++face) {
        PlainLookups in;
        for (int lane = 0; lane < 16; ++lane) {
            for (int i = 0; i < 3; ++i) in.coord[i][lane] = directions[(face + lane / 4) % 6][lane % 4][i] * (1 + lane);
        }
        PlainColors out;
        samplePlain(*view, state, in, out);
        for (int lane = 0; lane < 16; ++lane) {
            CHECK(std::lround(out.rgba[0][lane] * 255) == (face + lane / 4) % 6 * 4 + lane % 4);
        }
    }
}

TEST_CASE("directions between faces read that of x before y before z") {  // docs/sampling.md, cube
    auto view = std::make_shared<TextureView>();
    view->kind = Kind::Cube;
    view->levels = 1;
    for (uint32_t face = 0; face < 6; ++face) {
        view->image[face][0] = std::make_shared<Image>(PixelFormat::Rgba8, 1, 1);
        view->image[face][0]->setTexel32(0, 0, face);
    }
    SamplerState state;
    state.minFilter = state.magFilter = Filter::Nearest;
    state.mipFilter = MipFilter::None;
    std::vector<std::array<float, 3>> directions;
    for (const float x : {-2.0f, -1.0f, 0.0f, 1.0f, 2.0f})
        for (const float y : {-2.0f, -1.0f, 0.0f, 1.0f, 2.0f})
            for (const float z : {-2.0f, -1.0f, 0.0f, 1.0f, 2.0f})
                if (x != 0 || y != 0 || z != 0) directions.push_back({x, y, z});
    for (size_t first = 0; first < directions.size(); ++first) {
        // Blocks of one direction, and of sixteen.
        for (const bool several : {false, true}) {
            PlainLookups in;
            const auto direction = [&](int lane) {
                return directions[(first + (several ? static_cast<size_t>(lane) : 0)) % directions.size()];
            };
            for (int lane = 0; lane < 16; ++lane)
                for (size_t i = 0; i < 3; ++i) in.coord[i][lane] = direction(lane)[i];
            PlainColors out;
            samplePlain(*view, state, in, out);
            for (int lane = 0; lane < 16; ++lane) {
                const auto [x, y, z] = direction(lane);
                const float most = std::max({std::abs(x), std::abs(y), std::abs(z)});
                const int expected = std::abs(x) == most   ? (x > 0 ? 0 : 1)
                                     : std::abs(y) == most ? (y > 0 ? 2 : 3)
                                                           : (z > 0 ? 4 : 5);
                CHECK(std::lround(out.rgba[0][lane] * 255) == expected);
            }
        }
    }
}

TEST_CASE("an incomplete texture is opaque black") {
    const TextureView view;
    PlainColors out;
    samplePlain(view, SamplerState{}, PlainLookups{}, out);
    for (int lane = 0; lane < 16; ++lane) {
        for (int c = 0; c < 4; ++c) CHECK(out.rgba[c][lane] == (c == 3 ? 1.0f : 0.0f));
    }
}

TEST_CASE("an infinite texel without weight leaves no trace") {
    auto view = std::make_shared<TextureView>();
    view->levels = 1;
    view->image[0][0] = std::make_shared<Image>(PixelFormat::Rgba32F, 2, 1);
    const float pixels[8] = {1, 2, 3, 4, INFINITY, -INFINITY, NAN, INFINITY};
    upload(*view->image[0][0], {0, 0, 2, 1}, reinterpret_cast<const std::byte*>(pixels),
           {ClientFormat::Rgba, ClientType::F32, 32});
    SamplerState state;
    state.minFilter = state.magFilter = Filter::Linear;
    PlainLookups in;
    for (float& s : in.coord[0]) s = 0.25f;
    PlainColors out;
    samplePlain(*view, state, in, out);
    for (int c = 0; c < 4; ++c) CHECK(out.rgba[c][0] == static_cast<float>(c + 1));
}

TEST_CASE("NaN texels give the canonical NaN, the same bytes on every SIMD level") {
    Generator g;
    auto view = std::make_shared<TextureView>();
    view->levels = 1;
    view->image[0][0] = std::make_shared<Image>(PixelFormat::Rgba32F, 8, 8);
    const uint32_t special[] = {0x7F800001, 0xFFC12345, 0x7FC00000, 0xFFFFFFFF, 0x7F800000, 0xFF800000, 0x3F800000};
    for (int y = 0; y < 8; ++y) {
        for (int x = 0; x < 8; ++x) {
            uint32_t texel[4];
            for (uint32_t& bits : texel) bits = special[g.random() % std::size(special)];
            std::memcpy(view->image[0][0]->block(x >> 2, y >> 2) + ((y & 3) * 4 + (x & 3)) * 16, texel, sizeof texel);
        }
    }
    std::vector<PlainSample> samplers;
    for (const SimdLevel level : simdLevels()) samplers.push_back(levels::plainSampler(level));
    int nans = 0;
    for (int round = 0; round < 500; ++round) {
        const SamplerState state = g.state();
        PlainLookups in = g.lookups(Kind::Tex2D, 8);
        for (size_t i = 0; i < samplers.size(); ++i) {
            PlainColors out, first;
            samplers[0](*view, state, in, first);
            samplers[i](*view, state, in, out);
            REQUIRE(std::memcmp(&first, &out, sizeof first) == 0);
            for (const auto& channel : out.rgba) {
                for (float value : channel) {
                    if (!std::isnan(value)) continue;
                    ++nans;
                    REQUIRE(std::bit_cast<uint32_t>(value) == 0x7FC00000);
                }
            }
        }
    }
    CHECK(nans > 1000);
}

TEST_CASE("every SIMD level gives the same bytes, whatever the coordinates") {
    Generator g;
    const float wild[] = {NAN,    -NAN,          INFINITY,       -INFINITY,   1e30f,       -1e30f,     3e38f,
                          -3e38f, 2147483648.0f, -2147483904.0f, 16777217.0f, 1e-40f,      -1e-40f,    0.0f,
                          -0.0f,  1.0f,          -1.0f,          0.5f,        0.99999994f, 8388607.5f, 4096.5f};
    const PixelFormat formats[] = {PixelFormat::Rgba8,           PixelFormat::Rgba16F, PixelFormat::Rgba32F,
                                   PixelFormat::Depth24Stencil8, PixelFormat::Rgb10A2, PixelFormat::R11G11B10F,
                                   PixelFormat::Rgba16Sint};
    std::vector<std::shared_ptr<TextureView>> views;
    for (PixelFormat format : formats) {
        for (int size : {1, 5, 64}) {
            views.push_back(makeView(g.random, Kind::Tex2D, format, size, size + size / 2, true));
            views.push_back(makeView(g.random, Kind::Cube, format, size, size, true));
        }
        views.push_back(makeView(g.random, Kind::Tex2D, format, 9, 4, false));
        views.push_back(makeView(g.random, Kind::Tex2D, format, 64, 64, true));
        views.push_back(makeView(g.random, Kind::Tex2D, format, 8, 32, true));
    }
    std::vector<PlainSample> samplers;
    for (const SimdLevel level : simdLevels()) samplers.push_back(levels::plainSampler(level));
    int blocks = 0;
    MESSAGE("SIMD levels compared: " << samplers.size());
    for (int round = 0; round < 20000; ++round) {
        const TextureView& view = *views[g.random() % views.size()];
        const SamplerState state = g.state();
        PlainLookups in = g.lookups(view.kind, view.image[0][0]->width());
        in.mask = round % 3 ? 0xFFFF : g.random() & 0xFFFF;
        if (round % 2) {
            auto spoil = [&](float& value) {
                if (g.random() % 3 == 0) value = wild[g.random() % std::size(wild)];
            };
            for (int i = 0; i < 3; ++i) {
                for (int lane = 0; lane < 16; ++lane)
                    spoil(in.coord[i][lane]), spoil(in.ddx[i][lane]), spoil(in.ddy[i][lane]);
            }
            for (float& lod : in.lod) spoil(lod);
        }
        PlainColors first;
        samplers[0](view, state, in, first);
        for (size_t i = 1; i < samplers.size(); ++i) {
            PlainColors other;
            samplers[i](view, state, in, other);
            REQUIRE(std::memcmp(&first, &other, sizeof first) == 0);
        }
        // Lookups with code for their state alone.
        for (size_t i = 0; i < samplers.size() && in.lodMode == TestLod::Implicit && in.mask != 0; ++i) {
            PlainColors other;
            if (!levels::plainBlockSampler(kSimdLevels[i])(view, state, in, other)) continue;
            ++blocks;
            for (int lane = 0; lane < 16; ++lane) {
                for (int c = 0; c < 4 && (in.mask >> lane & 1) != 0; ++c)
                    REQUIRE(std::memcmp(&first.rgba[c][lane], &other.rgba[c][lane], sizeof(float)) == 0);
            }
        }
        if (holdsBytes(view.image[0][0]->element()) || view.image[0][0]->element() == Element::D24S8) {
            bool inRange = true;
            for (const auto& channel : first.rgba) {
                for (float value : channel) inRange = inRange && value >= 0 && value <= 1;
            }
            REQUIRE(inRange);
        }
    }
    CHECK(blocks > 100);
}
