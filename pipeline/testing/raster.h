// For tests of whole tiles: scenes of clears and draws whose fragment programs are functions, drawn at every level.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <random>

#include "base/process/env.h"
#include "pipeline/command/command_buffer.h"
#include "pipeline/command/gpu.h"
#include "pipeline/raster/raster_functions.h"
#include "pipeline/testing/geometry.h"
#include "shader-core/isa/stage_registers.h"

namespace tessera::pipeline::test {

using texture::Image;
using texture::ImagePtr;
using texture::PixelFormat;

using Random = std::mt19937;

inline std::vector<RasterFunctions> hostLevels() {
    std::vector<RasterFunctions> levels;
    for (const SimdLevel level : simdLevels()) levels.push_back(rasterFunctions(level));
    return levels;
}

inline std::shared_ptr<Program> programOf(const isa::Program& fragment, std::function<void(isa::GroupRun&)> function) {
    auto program = std::make_shared<Program>();
    program->stages[isa::Stage::Fragment].program = std::make_shared<isa::Program>(fragment);
    program->stages[isa::Stage::Fragment].routine = std::make_shared<FunctionRoutine>(std::move(function));
    return program;
}

/// A scene with everything it refers to.
struct World {
    Scene scene;
    std::vector<std::unique_ptr<Draw>> draws;
    std::vector<std::unique_ptr<Clear>> clears;

    World(int width, int height) {
        scene.target.width = width, scene.target.height = height;
        scene.tilesWide = (width + 63) / 64, scene.tilesHigh = (height + 63) / 64;
        scene.tiles.resize(static_cast<size_t>(scene.tilesWide) * scene.tilesHigh);
    }
    void bin(const TileCommand& command) {
        for (auto& tile : scene.tiles) tile.push_back(command);
    }
    void add(Clear clear) {
        clears.push_back(std::make_unique<Clear>(std::move(clear)));
        scene.clears.push_back(clears.back().get());
        bin({TileCommand::Kind::Clear, static_cast<uint32_t>(scene.clears.size() - 1), 0, 0, 0});
    }
    void add(Draw draw, PrimitiveChunk chunk) {
        draws.push_back(std::make_unique<Draw>(std::move(draw)));
        auto raster = std::make_unique<RasterDraw>();
        raster->draw = draws.back().get();
        raster->varyingCount = isa::varyingMask(draws.back()->state->program->fragment()).count();
        raster->chunks.emplace_back();  // chunks may be empty
        raster->chunks.push_back(std::move(chunk));
        scene.draws.push_back(std::move(raster));
        PrimitiveChunk& added = scene.draws.back()->chunks[1];
        const auto count = static_cast<uint32_t>(added.primitives.size());
        for (uint32_t i = 0; i < count; ++i) added.byTile.push_back(i);
        // In two parts.
        bin({TileCommand::Kind::Draw, static_cast<uint32_t>(scene.draws.size() - 1), 1, 0, count / 3});
        bin({TileCommand::Kind::Draw, static_cast<uint32_t>(scene.draws.size() - 1), 1, count / 3, count - count / 3});
    }
    RasterStats render(const RasterFunctions& functions) {
        RasterStats stats;
        for (int y = 0; y < scene.tilesHigh; ++y) {
            for (int x = 0; x < scene.tilesWide; ++x) rasterTileWith(functions, scene, x, y, stats);
        }
        return stats;
    }
};

inline SetupPrimitive rectangle(int minX, int minY, int maxX, int maxY) {
    SetupPrimitive primitive;
    primitive.edgeCount = 0;
    primitive.setPixels({minX, minY, maxX, maxY});
    primitive.inverseW = {1, 0, 0};
    return primitive;
}

inline ImagePtr copyOf(const ImagePtr& image) {
    if (image == nullptr) return nullptr;
    auto copy = std::make_shared<Image>(image->format(), image->width(), image->height(), image->samples());
    std::copy_n(image->block(0, 0), image->byteCount(), copy->block(0, 0));
    return copy;
}

inline bool same(const ImagePtr& a, const ImagePtr& b) {
    if (a == nullptr) return b == nullptr;
    const auto bytes = static_cast<size_t>(texture::elementBytes(a->element()));
    for (int y = 0; y < a->height(); ++y) {
        for (int x = 0; x < a->width(); ++x) {
            const size_t at = static_cast<size_t>(y % 4 * 4 + x % 4) * bytes;
            if (std::memcmp(a->block(x / 4, y / 4) + at, b->block(x / 4, y / 4) + at, bytes) != 0) return false;
        }
    }
    return true;
}

/// Copies the images of a target, shared ones once.
inline RenderTarget copyOf(const RenderTarget& target) {
    RenderTarget copy = target;
    for (ImagePtr& image : copy.color) image = copyOf(image);
    copy.depth = copyOf(target.depth);
    copy.stencil = target.stencil == target.depth ? copy.depth : copyOf(target.stencil);
    return copy;
}

/// One sample of a target's pixels, as a target of its own.
inline ImagePtr planeOf(const ImagePtr& image, int sample) {
    if (image == nullptr) return nullptr;
    auto plane = std::make_shared<Image>(image->format(), image->width(), image->height());
    std::copy_n(image->sampleBlock(sample, 0, 0), image->planeBytes(), plane->block(0, 0));
    return plane;
}
inline RenderTarget planeOf(const RenderTarget& target, int sample) {
    RenderTarget plane = target;
    for (ImagePtr& image : plane.color) image = planeOf(image, sample);
    plane.depth = planeOf(target.depth, sample);
    plane.stencil = target.stencil == target.depth ? plane.depth : planeOf(target.stencil, sample);
    return plane;
}

}  // namespace tessera::pipeline::test
