// Anisotropic lookups (docs/sampling.md, "Anisotropy") against means of ordinary lookups at places computed in double.
#include <doctest/doctest.h>

#include <algorithm>
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

TextureView makeView(Kind kind, PixelFormat format, int width, int height) {
    std::mt19937 random(7);
    TextureView view;
    view.kind = kind;
    for (int face = 0; face < (kind == Kind::Cube ? 6 : 1); ++face) {
        int level = 0;
        for (int w = width, h = height;; w = std::max(1, w / 2), h = std::max(1, h / 2)) {
            auto image = std::make_shared<Image>(format, w, h);
            for (int y = 0; y < h; ++y)
                for (int x = 0; x < w; ++x) image->setTexel32(x, y, random());
            view.image[face][level++] = image;
            if (w == 1 && h == 1) break;
        }
        view.levels = level;
    }
    return view;
}

SamplerState trilinear(int maxAnisotropy) {
    SamplerState state;
    state.minFilter = Filter::Linear;
    state.maxAnisotropy = static_cast<uint8_t>(maxAnisotropy);
    return state;
}

/// All lanes at (s, t) with these derivatives.
PlainLookups at(float s, float t, float dsdx, float dtdx, float dsdy, float dtdy) {
    PlainLookups in;
    in.lodMode = TestLod::Gradient;
    for (int lane = 0; lane < 16; ++lane) {
        in.coord[0][lane] = s, in.coord[1][lane] = t;
        in.ddx[0][lane] = dsdx, in.ddx[1][lane] = dtdx;
        in.ddy[0][lane] = dsdy, in.ddy[1][lane] = dtdy;
    }
    return in;
}

/// The mean of `count` lookups at an explicit level, along (ds, dt).
std::array<double, 4> meanOf(const TextureView& view, double s, double t, double ds, double dt, int count,
                             double lambda) {
    std::array<double, 4> sum{};
    for (int i = 0; i < count; ++i) {
        const double place = (2 * i + 1 - count) / (2.0 * count);
        PlainLookups in = at(static_cast<float>(s + ds * place), static_cast<float>(t + dt * place), 0, 0, 0, 0);
        in.lodMode = TestLod::Explicit;
        std::fill_n(in.lod, 16, static_cast<float>(lambda));
        PlainColors out;
        samplePlain(view, trilinear(1), in, out);
        for (int c = 0; c < 4; ++c) sum[c] += out.rgba[c][0] / count;
    }
    return sum;
}

}  // namespace

TEST_CASE("an elongated footprint is the mean of lookups along its longer axis") {
    const TextureView view = makeView(Kind::Tex2D, PixelFormat::Rgba8, 64, 32);
    struct Case {
        double ux, vx, uy, vy;  ///< texels
        int limit, count;
    };
    const Case cases[] = {{8, 0, 0, 2, 16, 4},      {0, 2, 8, 0, 16, 4},    {8, 0, 0, 2, 3, 3},
                          {8.1, 0, 0, 2, 16, 5},    {3, 4, -4, 3, 16, 1},   {12, 5, 0, 1, 16, 13},
                          {40, 0, 0, 1, 16, 16},    {6, 0, 0, 0.25, 16, 6}, {0.5, 0, 0, 0.1, 16, 1},
                          {24, 18, -1.5, 2, 16, 12}};
    for (const Case& one : cases) {
        CAPTURE(one.ux);
        CAPTURE(one.limit);
        const double longer = std::max(std::hypot(one.ux, one.vx), std::hypot(one.uy, one.vy));
        const bool alongX = std::hypot(one.ux, one.vx) >= std::hypot(one.uy, one.vy);
        const double ds = (alongX ? one.ux : one.uy) / 64, dt = (alongX ? one.vx : one.vy) / 32;
        const double lambda = std::log2(longer / one.count);
        const PlainLookups in = at(0.4f, 0.7f, static_cast<float>(one.ux / 64), static_cast<float>(one.vx / 32),
                                   static_cast<float>(one.uy / 64), static_cast<float>(one.vy / 32));
        PlainColors out;
        samplePlain(view, trilinear(one.limit), in, out);
        const auto expected = meanOf(view, 0.4f, 0.7f, ds, dt, one.count, lambda);
        for (int c = 0; c < 4; ++c) CHECK(std::abs(out.rgba[c][5] - expected[c]) < 1.5 / 255);
    }
}

TEST_CASE("a bias is added after the footprint, and a nearest filter is isotropic") {
    const TextureView view = makeView(Kind::Tex2D, PixelFormat::Rgba8, 64, 64);
    PlainLookups quads;  // x runs 4 texels for each pixel, y one
    quads.lodMode = TestLod::Bias;
    for (int lane = 0; lane < 16; ++lane) {
        quads.coord[0][lane] = 0.3f + static_cast<float>(lane % 4) * 4 / 64;
        quads.coord[1][lane] = 0.2f + static_cast<float>(lane / 4) / 64;
        quads.lod[lane] = 1;
    }
    PlainColors out, isotropic;
    samplePlain(view, trilinear(8), quads, out);
    const auto expected = meanOf(view, quads.coord[0][6], quads.coord[1][6], 4.0 / 64, 0, 4, 1);
    for (int c = 0; c < 4; ++c) CHECK(std::abs(out.rgba[c][6] - expected[c]) < 1.5 / 255);

    SamplerState nearest = trilinear(8);
    nearest.minFilter = Filter::Nearest;
    samplePlain(view, nearest, quads, out);
    nearest.maxAnisotropy = 1;
    samplePlain(view, nearest, quads, isotropic);
    CHECK(std::memcmp(&out, &isotropic, sizeof out) == 0);
}

TEST_CASE("lookups of a cube stay on their face") {
    TextureView view = makeView(Kind::Cube, PixelFormat::Rgba8, 32, 32);
    for (int face = 0; face < 6; ++face)
        for (int level = 0; level < view.levels; ++level) {
            Image& image = *view.image[face][level];
            for (int y = 0; y < image.height(); ++y)  // the left half is red, the right half green
                for (int x = 0; x < image.width(); ++x) image.setTexel32(x, y, x * 2 < image.width() ? 0xFFu : 0xFF00u);
        }
    PlainLookups in;
    in.lodMode = TestLod::Gradient;
    for (int lane = 0; lane < 16; ++lane) {
        in.coord[0][lane] = 1, in.coord[1][lane] = 0, in.coord[2][lane] = -0.95f;  // +X, near its right edge
        in.ddx[2][lane] = -1.0f;
        in.ddy[1][lane] = 0.0625f;
    }
    PlainColors out;
    samplePlain(view, trilinear(16), in, out);
    CHECK(out.rgba[0][0] < 0.1f);  // with repetition across the edge half would be red
    CHECK(out.rgba[1][0] > 0.9f);
}

TEST_CASE("every SIMD level gives the same anisotropic bytes, whatever the derivatives") {
    std::mt19937 random(11);
    const TextureView views[] = {makeView(Kind::Tex2D, PixelFormat::Rgba8, 64, 32),
                                 makeView(Kind::Tex2D, PixelFormat::Srgb8Alpha8, 37, 11),
                                 makeView(Kind::Cube, PixelFormat::Rgba8, 32, 32)};
    const float odd[] = {
        0, -0.0f, 1e-30f, 1e30f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()};
    auto number = [&] {
        return random() % 16 == 0 ? odd[random() % 6]
                                  : static_cast<float>(static_cast<int>(random() % 2001) - 1000) / 700;
    };
    for (int round = 0; round < 300; ++round) {
        PlainLookups in;
        in.lodMode = static_cast<TestLod>(random() % 5);
        in.mask = random() & 0xFFFF;
        for (int lane = 0; lane < 16; ++lane) {
            in.lod[lane] = number();
            for (int i = 0; i < 3; ++i) {
                in.coord[i][lane] = number();
                in.ddx[i][lane] = number(), in.ddy[i][lane] = number();
            }
        }
        SamplerState state = trilinear(2 + static_cast<int>(random() % 15));
        state.mipFilter = static_cast<MipFilter>(random() % 3);
        state.wrapS = static_cast<Wrap>(random() % 5), state.wrapT = static_cast<Wrap>(random() % 5);
        PlainColors a, b;
        const TextureView& view = views[round % 3];
        samplePlain(view, state, in, a);
        auto same = [&](const PlainColors& other) {
            for (int c = 0; c < 4; ++c)
                for (int lane = 0; lane < 16; ++lane)
                    if ((in.mask >> lane & 1) != 0 &&
                        std::memcmp(&a.rgba[c][lane], &other.rgba[c][lane], sizeof(float)) != 0)
                        return false;
            return true;
        };
        for (const SimdLevel level : simdLevels()) {
            plainSampler(level)(view, state, in, b);
            CHECK(same(b));
        }
    }
}

TEST_CASE("a lane's result does not depend on the other lanes") {
    const TextureView view = makeView(Kind::Tex2D, PixelFormat::Rgba8, 64, 64);
    PlainLookups in = at(0.4f, 0.6f, 0.01f, 0, 0, 0.01f);
    PlainColors alone, mixed;
    samplePlain(view, trilinear(16), in, alone);
    for (int lane = 1; lane < 16; ++lane) in.ddx[0][lane] = 0.02f * static_cast<float>(lane);
    samplePlain(view, trilinear(16), in, mixed);
    for (int c = 0; c < 4; ++c) CHECK(alone.rgba[c][0] == mixed.rgba[c][0]);
}
