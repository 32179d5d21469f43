#include "pipeline/scene/row_copies.h"

#include <doctest/doctest.h>

#include <string_view>

#include "base/process/env.h"
#include "base/simd_levels.h"

using namespace tessera;
using namespace tessera::pipeline;
using texture::PixelFormat;

namespace {

texture::TextureView viewOf(PixelFormat format, int width, int height) {
    texture::TextureView view;
    view.levels = 1;
    view.image[0][0] = std::make_shared<texture::Image>(format, width, height);
    return view;
}

bool hasLight(const texture::TextureView& view) { return view.image[0][0]->rows().light().texel != nullptr; }
bool hasWords(const texture::TextureView& view) { return view.image[0][0]->rows().words().texel != nullptr; }

texture::SamplerState filtered(texture::Filter filter) {
    texture::SamplerState state;
    state.minFilter = state.magFilter = filter, state.mipFilter = texture::MipFilter::None;
    return state;
}
const texture::SamplerState kLinear = filtered(texture::Filter::Linear), kNearest = filtered(texture::Filter::Nearest);

void sampleOften(RowCopies& copies, const texture::TextureView& view, const texture::SamplerState& state = kLinear) {
    for (int scene = 0; scene < 4; ++scene) copies.sampled(view, state);
}

/// Whether texels as they are have copies at this machine's level.
bool wordsGain() {
    const std::string_view level = simdLevelName(simdLevel());
    return level == "x86-64-v2" || level == "x86-64-v3";
}

}  // namespace

TEST_CASE("sRGB images that scene after scene samples get copies of their light") {
    ThreadPool pool(2);
    RowCopies copies(pool);
    const texture::TextureView encoded = viewOf(PixelFormat::Srgb8Alpha8, 30, 17);
    const texture::TextureView plain = viewOf(PixelFormat::Rgba8, 30, 17);
    encoded.image[0][0]->setTexel32(29, 16, 0x07FF0000u);
    copies.sampled(encoded, kLinear);
    copies.sampled(encoded, kLinear);
    CHECK(!hasLight(encoded));
    copies.sampled(encoded, kLinear);
    REQUIRE(hasLight(encoded));
    const texture::RowCopy::Light rows = encoded.image[0][0]->rows().light();
    CHECK(rows.texel[16 * rows.rowFloats + 29 * 4 + 2] == 255.0f);
    CHECK(rows.texel[16 * rows.rowFloats + 29 * 4 + 3] == 7.0f);
    copies.sampled(texture::TextureView{}, kLinear);
}

TEST_CASE("images that scene after scene samples get copies of their words, where lookups gain by them") {
    ThreadPool pool(2);
    RowCopies copies(pool);
    const texture::TextureView colours = viewOf(PixelFormat::Rgba8, 30, 17), depth = viewOf(PixelFormat::Depth24, 8, 8),
                               floats = viewOf(PixelFormat::Rgba16F, 8, 8);
    sampleOften(copies, depth, kNearest);
    CHECK(!hasWords(depth));
    for (const texture::TextureView* view : {&colours, &depth}) {
        sampleOften(copies, *view);
        CHECK(hasWords(*view) == wordsGain());
    }
    sampleOften(copies, floats);
    CHECK(!hasWords(floats));

    // One slice of a volume does not hear of what is written in the volume.
    auto volume = std::make_shared<texture::Image>(PixelFormat::Rgba8, 8, 8, 1, 2);
    texture::TextureView slice;
    slice.levels = 1;
    slice.image[0][0] = std::make_shared<texture::Image>(volume, 1);
    sampleOften(copies, slice);
    CHECK(!hasWords(slice));
    texture::TextureView whole;
    whole.kind = texture::Kind::Tex3D;
    whole.levels = 1;
    whole.image[0][0] = volume;
    sampleOften(copies, whole);
    CHECK(hasWords(whole) == wordsGain());
}

TEST_CASE("row copies are bounded, each and together, and memory of images that are gone is given to others") {
    ThreadPool pool(2);
    RowCopies copies(pool);
    const texture::TextureView large = viewOf(PixelFormat::Srgb8, 2048, 600);
    sampleOften(copies, large);
    CHECK(!hasLight(large));
    std::vector<texture::TextureView> views;
    for (int i = 0; i < 5; ++i) {
        views.push_back(viewOf(PixelFormat::Srgb8, 1024, 1024));
        sampleOften(copies, views.back());
        CHECK(hasLight(views.back()) == (i < 4));
    }
    // Made again, a copy counts once.
    (void)views[1].image[0][0]->block32(0, 0);
    for (int scene = 0; scene < 8; ++scene) copies.sampled(views[1], kLinear);
    CHECK(hasLight(views[1]));
    copies.sampled(views[4], kLinear);
    CHECK(!hasLight(views[4]));
    views.erase(views.begin());
    copies.sampled(views.back(), kLinear);
    CHECK(hasLight(views.back()));
}
