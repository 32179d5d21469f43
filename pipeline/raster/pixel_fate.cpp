// Coverage and tests of one pixel by the functions that the tiles use, compiled for the level every host has: the
// levels agree to the bit.
#include "pipeline/raster/pixel_fate.h"

#include <bit>
#include <cstring>

#include "pipeline/coverage/sample_coverage.h"
#include "pipeline/pixel/test_stages.h"
#include "pipeline/raster/interpolate.h"
#include "pipeline/raster/raster_functions.h"
#include "texture/element_lanes.h"

namespace tessera::pipeline {

namespace {

int laneOf(int x, int y) { return (y & 3) * kBlockSize + (x & 3); }

bool holds(const texture::ImagePtr& image, int x, int y) {
    return image != nullptr && x < image->width() && y < image->height();
}

/// Channels as they are stored: bytes, integers, floats.
std::array<float, 4> readColor(const texture::Image& image, int sample, int x, int y) {
    const texture::Element element = image.element();
    const int bytes = texture::elementBytes(element);
    alignas(64) std::array<std::byte, size_t{kBlockLanes} * 16> block{};
    std::memcpy(block.data(), image.sampleBlock(sample, x >> 2, y >> 2) + laneOf(x, y) * bytes,
                static_cast<size_t>(bytes));
    std::array<float, 4> color{};
    if (texture::holdsBytes(element)) {
        for (size_t c = 0; c < 4; ++c) color[c] = static_cast<float>(std::to_integer<int>(block[c]));
        return color;
    }
    texture::Texels numbers;
    texture::elementFunctions(element).load(block.data(), numbers);
    const bool isSigned = texture::elementInfo(element).number == texture::Number::Sint;
    for (size_t c = 0; c < 4; ++c) {
        const F32x16 number = numbers.channel[c];
        if (!texture::isInteger(element))
            color[c] = number[0];
        else
            color[c] = isSigned ? toFloat(asInt(number))[0] : toFloat(asUint(number))[0];
    }
    return color;
}

/// A word of an element; the last one has the stencil.
uint32_t readWord(const texture::Image& image, int sample, int x, int y, int word) {
    uint32_t bits = 0;
    const int bytes = texture::elementBytes(image.element());
    std::memcpy(&bits, image.sampleBlock(sample, x >> 2, y >> 2) + laneOf(x, y) * bytes + word * 4, sizeof bits);
    return bits;
}

}  // namespace

PixelContents readPixel(const RenderTarget& target, int x, int y) {
    PixelContents contents;
    contents.samples = target.samples();
    for (int sample = 0; sample < contents.samples; ++sample) {
        SampleContents& to = contents.sample[static_cast<size_t>(sample)];
        to.hasDepth = holds(target.depth, x, y);
        to.hasStencil = holds(target.stencil, x, y);
        if (to.hasDepth) {
            const auto word = static_cast<int32_t>(readWord(*target.depth, sample, x, y, 0));
            to.depth = static_cast<uint32_t>(storedDepth(splat(word), depthBitsOf(target.depth->format()))[0]);
        }
        if (to.hasStencil) {
            const int last = texture::elementInfo(target.stencil->element()).words - 1;
            to.stencil = static_cast<uint8_t>(readWord(*target.stencil, sample, x, y, last));
        }
        for (size_t i = 0; i < target.color.size(); ++i)
            if (holds(target.color[i], x, y)) to.color[i] = readColor(*target.color[i], sample, x, y);
    }
    return contents;
}

uint32_t coveredSamples(const SetupPrimitive& primitive, const PixelBounds& tile, const TileDraw& draw, int samples,
                        int x, int y) {
    const int blockX = (x - tile.minX) & ~3, blockY = (y - tile.minY) & ~3, lane = laneOf(x, y);
    uint32_t covered = 0;
    if (samples == 1) {
        coverTile(tileCoverage(primitive, tile), tile, [&](int atX, int atY, uint32_t lanes) {
            if (atX == blockX && atY == blockY) covered = lanes >> lane & 1;
        });
        return covered;
    }
    coverTileSamples(sampleCoverage(primitive, tile), [&](int atX, int atY, const SampleLanes& lanes) {
        if (atX != blockX || atY != blockY) return;
        for (int i = 0; i < kSamples; ++i)
            covered |= (lanes.sample[i] & draw.values.sampleMask[i]) >> lane & 1 ? 1u << i : 0u;
    });
    return covered;
}

void describeTests(const SetupPrimitive& primitive, int x, int y, uint32_t covered, const float* shaderDepth,
                   PixelEvent& event) {
    const BlockPosition centers = blockPosition(primitive, x >> 2, y >> 2);
    const PixelKey& key = event.key;
    const int side = event.frontFacing ? 0 : 1, lane = laneOf(x, y);
    for (int i = 0; i < event.before.samples; ++i) {
        SampleFate& fate = event.fate[static_cast<size_t>(i)];
        const SampleContents& stored = event.before.sample[static_cast<size_t>(i)];
        fate.covered = (covered >> i & 1) != 0;
        BlockPosition at = centers;
        if (event.before.samples > 1) at = moved(centers, samplePlace(i).x - 0.5f, samplePlace(i).y - 0.5f);
        fate.depth = shaderDepth != nullptr ? *shaderDepth : evaluateDepth(primitive, at)[lane];
        const I32x16 incoming = incomingDepth(key, event.values, splat(fate.depth));
        fate.depthQuantized = static_cast<uint32_t>(incoming[0]);
        fate.stencilPass = !key.stencilTest || stencilTest(key.stencil[side], event.values.stencil[side],
                                                           splat(int{stored.stencil}))[0] != 0;
        fate.depthPass = !key.depthTest || depthTest(key, incoming, splat(static_cast<int32_t>(stored.depth)))[0] != 0;
    }
}

}  // namespace tessera::pipeline
