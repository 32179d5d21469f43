#include "pipeline/command/light_copies.h"

#include <doctest/doctest.h>

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

bool hasLight(const texture::TextureView& view) { return view.image[0][0]->light().rows().texel != nullptr; }

void sampleOften(LightCopies& copies, const texture::TextureView& view) {
    for (int scene = 0; scene < 4; ++scene) copies.sampled(view);
}

}  // namespace

TEST_CASE("sRGB images that scene after scene samples get copies of their light") {
    ThreadPool pool(2);
    LightCopies copies(pool);
    const texture::TextureView encoded = viewOf(PixelFormat::Srgb8Alpha8, 30, 17);
    const texture::TextureView plain = viewOf(PixelFormat::Rgba8, 30, 17);
    encoded.image[0][0]->setTexel32(29, 16, 0x07FF0000u);
    copies.sampled(encoded);
    copies.sampled(encoded);
    CHECK(!hasLight(encoded));
    copies.sampled(encoded);
    REQUIRE(hasLight(encoded));
    const texture::LightCopy::Rows rows = encoded.image[0][0]->light().rows();
    CHECK(rows.texel[16 * rows.rowFloats + 29 * 4 + 2] == 255.0f);
    CHECK(rows.texel[16 * rows.rowFloats + 29 * 4 + 3] == 7.0f);
    sampleOften(copies, plain);
    CHECK(!hasLight(plain));
    copies.sampled(texture::TextureView{});
}

TEST_CASE("copies of light are bounded, each and together, and memory of images that are gone is given to others") {
    ThreadPool pool(2);
    LightCopies copies(pool);
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
    for (int scene = 0; scene < 8; ++scene) copies.sampled(views[1]);
    CHECK(hasLight(views[1]));
    copies.sampled(views[4]);
    CHECK(!hasLight(views[4]));
    views.erase(views.begin());
    copies.sampled(views.back());
    CHECK(hasLight(views.back()));
}
