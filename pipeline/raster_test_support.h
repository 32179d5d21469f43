// For tests of whole tiles: scenes of clears and draws in random state, and a scalar model that follows the
// specification's order sample by sample. The fragment programs are functions.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <random>

#include "base/env.h"
#include "pipeline/geometry_test_support.h"
#include "pipeline/gpu.h"
#include "pipeline/raster_kernels.h"

namespace tessera::pipeline {
inline namespace v2 {  // the level that base/simd.h has for sources compiled once
RasterKernels rasterKernels();
}
namespace v3 {
RasterKernels rasterKernels();
}
namespace v4 {
RasterKernels rasterKernels();
}
}  // namespace tessera::pipeline

namespace tessera::pipeline::test {

using texture::Image;
using texture::ImagePtr;
using texture::PixelFormat;

using Random = std::mt19937;

inline std::vector<RasterKernels> hostLevels() {
    std::vector<RasterKernels> levels = {pipeline::v2::rasterKernels()};
    if (simdLevel() >= SimdLevel::v3) levels.push_back(pipeline::v3::rasterKernels());
    if (simdLevel() >= SimdLevel::v4) levels.push_back(pipeline::v4::rasterKernels());
    return levels;
}

inline std::shared_ptr<ProgramPair> programOf(const isa::Program& fragment,
                                              std::function<void(isa::GroupRun&)> function) {
    auto pair = std::make_shared<ProgramPair>();
    pair->fragment = std::make_shared<isa::Program>(fragment);
    pair->fragmentRoutine = std::make_shared<FunctionRoutine>(std::move(function));
    return pair;
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
        bin({TileCommand::Kind::Clear, static_cast<uint32_t>(scene.clears.size() - 1), 0, 0});
    }
    void add(Draw draw, PrimitiveChunk chunk) {
        draws.push_back(std::make_unique<Draw>(std::move(draw)));
        auto raster = std::make_unique<RasterDraw>();
        raster->draw = draws.back().get();
        raster->varyingCount = std::popcount(draws.back()->program->fragment->inputMask);
        raster->chunks.emplace_back();  // chunks may be empty
        raster->chunks.push_back(std::move(chunk));
        scene.draws.push_back(std::move(raster));
        const size_t count = scene.draws.back()->chunks[1].primitives.size();
        for (uint32_t i = 0; i < count; ++i) {
            bin({TileCommand::Kind::Draw, static_cast<uint32_t>(scene.draws.size() - 1), 1, i});
        }
    }
    RasterStats render(const RasterKernels& kernels) {
        RasterStats stats;
        for (int y = 0; y < scene.tilesHigh; ++y) {
            for (int x = 0; x < scene.tilesWide; ++x) rasterTileWith(kernels, scene, x, y, stats);
        }
        return stats;
    }
};

inline SetupPrimitive rectangle(int minX, int minY, int maxX, int maxY) {
    SetupPrimitive primitive;
    primitive.edgeCount = 0;
    primitive.minX = minX, primitive.minY = minY, primitive.maxX = maxX, primitive.maxY = maxY;
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
    for (int y = 0; y < a->height(); ++y) {
        for (int x = 0; x < a->width(); ++x) {
            if (a->texel32(x, y) != b->texel32(x, y)) return false;
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

// The scalar model

/// What is drawn of a pixel: the point that coverage and depth are those of, in 1/256 pixel from the centre, and a
/// fragment's coverage mask. A single sample lies at the centre and is always in the mask.
struct ModelSample {
    int x = 0, y = 0;
    std::function<bool(const PixelState& state, int pixelX, int pixelY, double alpha)> inMask =
        [](const PixelState&, int, int, double) { return true; };
};

/// The programs of the random draws: colour from v1, and where they say so, a kill and a depth by position.
struct Behaviour {
    bool kills = false, writesDepth = false, quads = false;
    int salt = 0;
    [[nodiscard]] bool killsPixel(int x, int y) const { return kills && (x * 7 + y * 13 + salt) % 5 == 0; }
    [[nodiscard]] float depthOf(int x, int y) const { return static_cast<float>((x ^ y ^ salt) & 7) / 8; }
};

inline bool compareScalar(Compare function, uint32_t a, uint32_t b) {
    switch (function) {
        case Compare::Never:
            return false;
        case Compare::Less:
            return a < b;
        case Compare::Equal:
            return a == b;
        case Compare::LessEqual:
            return a <= b;
        case Compare::Greater:
            return a > b;
        case Compare::NotEqual:
            return a != b;
        case Compare::GreaterEqual:
            return a >= b;
        case Compare::Always:
            return true;
    }
    return false;
}

inline uint32_t stencilScalar(StencilOp operation, uint32_t value, uint32_t reference) {
    switch (operation) {
        case StencilOp::Keep:
            return value;
        case StencilOp::Zero:
            return 0;
        case StencilOp::Replace:
            return reference;
        case StencilOp::Increment:
            return std::min(value + 1, 255u);
        case StencilOp::IncrementWrap:
            return (value + 1) % 256;
        case StencilOp::Decrement:
            return value == 0 ? 0 : value - 1;
        case StencilOp::DecrementWrap:
            return (value + 255) % 256;
        case StencilOp::Invert:
            return ~value & 255;
    }
    return 0;
}

inline uint32_t quantizeScalar(double z, PixelFormat format) {
    if (format == PixelFormat::Depth16) {
        const auto d = static_cast<uint32_t>(std::nearbyint(z * 65535));
        return d * 256 + d / 256;
    }
    return static_cast<uint32_t>(std::nearbyint(z * 16777215));
}

inline std::array<int, 4> bitsOf(PixelFormat format) {
    if (format == PixelFormat::Rgb565) return {5, 6, 5, 0};
    if (format == PixelFormat::Rgba4) return {4, 4, 4, 4};
    if (format == PixelFormat::Rgb8) return {8, 8, 8, 0};
    if (format == PixelFormat::Rg8) return {8, 8, 0, 0};
    return {8, 8, 8, 8};
}

/// Sets a channel of a pixel to value/255, added to what is there when `add`.
inline void modelChannel(Image& image, int x, int y, int c, int value, bool add) {
    const int bits = bitsOf(image.format())[c];
    uint32_t texel = image.texel32(x, y) & ~(255u << (8 * c));
    uint32_t byte = c == 3 ? 255 : 0;
    if (bits != 0) {
        const double largest = (1 << bits) - 1;
        const double old = std::nearbyint((image.texel32(x, y) >> (8 * c) & 255) * largest / 255);
        const double sum = std::min(largest, std::nearbyint(value * largest / 255 + (add ? old : 0)));
        byte = static_cast<uint32_t>(std::floor(sum * 255 / largest + 0.5));
    }
    image.setTexel32(x, y, texel | byte << (8 * c));
}

inline void modelColor(const RenderTarget& target, int x, int y, int index, const std::array<int, 4>& color,
                       uint8_t mask, bool add) {
    const ImagePtr& image = target.color[index];
    if (image == nullptr || mask == 0) return;
    for (int c = 0; c < 4; ++c) {
        if ((mask >> c & 1) != 0 || bitsOf(image->format())[c] == 0) modelChannel(*image, x, y, c, color[c], add);
    }
}

inline float modelPlane(const Plane& plane, const SetupPrimitive& primitive, const ModelSample& sample, int x, int y) {
    const float px = static_cast<float>(x - primitive.originX) + static_cast<float>(128 + sample.x) / 256;
    const float py = static_cast<float>(y - primitive.originY) + static_cast<float>(128 + sample.y) / 256;
    return std::fma(plane.dx, px, std::fma(plane.dy, py, plane.base));
}

/// One fragment in the specification's order: program, stencil, depth, blend. True when it passes.
inline bool modelFragment(const RenderTarget& target, const Draw& draw, const Behaviour& behaviour,
                          const PrimitiveChunk& chunk, const SetupPrimitive& primitive, const ModelSample& sample,
                          int x, int y) {
    const PixelState& state = draw.pixel;
    if (behaviour.killsPixel(x, y)) return false;
    if (!sample.inMask(state, x, y, chunk.planes[primitive.firstPlane + 7].base)) return false;
    const bool depthTest = state.depthTest && target.depth != nullptr;
    const bool stencilTest = state.stencilTest && target.stencil != nullptr;
    const StencilFace& face = primitive.frontFacing ? state.front : state.back;
    const uint32_t stencil = stencilTest ? target.stencil->texel32(x, y) & 255 : 0;
    const bool stencilPass =
        !stencilTest || compareScalar(face.compare, face.reference & face.compareMask, stencil & face.compareMask);
    bool depthPass = true;
    if (depthTest && stencilPass) {
        const double z = std::clamp(modelPlane(primitive.depth, primitive, sample, x, y), 0.0f, 1.0f);
        const uint32_t incoming =
            quantizeScalar(behaviour.writesDepth ? behaviour.depthOf(x, y) : z, target.depth->format());
        const uint32_t stored = target.depth->texel32(x, y);
        depthPass = compareScalar(state.depthCompare, incoming, stored >> 8);
        if (depthPass && state.depthWrite) target.depth->setTexel32(x, y, incoming << 8 | (stored & 255));
    }
    if (stencilTest) {
        const StencilOp operation = !stencilPass ? face.stencilFail : depthPass ? face.depthPass : face.depthFail;
        const uint32_t next = stencilScalar(operation, stencil, face.reference);
        const uint32_t element = target.stencil->texel32(x, y) & ~255u;
        target.stencil->setTexel32(x, y, element | (stencil & ~uint32_t{face.writeMask}) | (next & face.writeMask));
    }
    if (!stencilPass || !depthPass) return false;
    std::array<int, 4> color, inverse;
    for (int c = 0; c < 4; ++c) {
        color[c] = static_cast<int>(std::lround(chunk.planes[primitive.firstPlane + 4 + c].base * 255));
        inverse[c] = 255 - color[c];
    }
    modelColor(target, x, y, 0, color, state.colorMask, state.blend);
    modelColor(target, x, y, 1, inverse, state.colorMask, state.blend);
    return true;
}

inline uint64_t modelDraw(const RenderTarget& target, const Draw& draw, const Behaviour& behaviour,
                          const PrimitiveChunk& chunk, const ModelSample& sample = {}) {
    uint64_t samples = 0;
    for (const SetupPrimitive& primitive : chunk.primitives) {
        for (int y = std::max(0, primitive.minY); y <= std::min(target.height - 1, primitive.maxY); ++y) {
            for (int x = std::max(0, primitive.minX); x <= std::min(target.width - 1, primitive.maxX); ++x) {
                bool inside = true;
                for (int i = 0; i < primitive.edgeCount; ++i) {
                    const Edge& edge = primitive.edge[i];
                    inside &= edge.a * (256 * x + sample.x) + edge.b * (256 * y + sample.y) + 256 * edge.c >= 0;
                }
                if (inside && modelFragment(target, draw, behaviour, chunk, primitive, sample, x, y)) ++samples;
            }
        }
    }
    return samples;
}

inline void modelClear(const RenderTarget& target, const Clear& clear) {
    for (int y = 0; y < target.height; ++y) {
        for (int x = 0; x < target.width; ++x) {
            const Box& box = clear.scissor;
            if (clear.scissorTest && (x < box.x || y < box.y || x >= box.x + box.width || y >= box.y + box.height))
                continue;
            if (clear.clearColor) {
                std::array<int, 4> color;
                for (int c = 0; c < 4; ++c) color[c] = static_cast<int>(std::lround(clear.color[c] * 255));
                for (int index = 0; index < 4; ++index) modelColor(target, x, y, index, color, clear.colorMask, false);
            }
            if (clear.clearDepth && clear.depthMask && target.depth != nullptr) {
                const uint32_t depth = quantizeScalar(clear.depth, target.depth->format());
                target.depth->setTexel32(x, y, depth << 8 | (target.depth->texel32(x, y) & 255));
            }
            if (clear.clearStencil && target.stencil != nullptr) {
                const uint32_t element = target.stencil->texel32(x, y);
                const uint32_t mask = clear.stencilMask;
                target.stencil->setTexel32(x, y, (element & ~mask) | (clear.stencil & mask));
            }
        }
    }
}

// Random scenes

inline int below(Random& random, int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); }
inline bool chance(Random& random, int outOf) { return below(random, outOf) == 0; }
inline float eighths(Random& random) { return static_cast<float>(below(random, 9)) / 8; }

inline RenderTarget randomTarget(Random& random, int width, int height, int samples = 1) {
    constexpr PixelFormat kColors[] = {PixelFormat::Rgba8, PixelFormat::Rgb565, PixelFormat::Rgba4, PixelFormat::Rgb8,
                                       PixelFormat::Rg8};
    RenderTarget target;
    target.width = width, target.height = height;
    const auto make = [&](PixelFormat format) {
        // Larger than the target at times: what lies outside must stay.
        return std::make_shared<Image>(format, width + below(random, 2) * 9, height + below(random, 2) * 3, samples);
    };
    target.color[0] = chance(random, 8) ? nullptr : make(kColors[below(random, 5)]);
    if (chance(random, 3)) target.color[1] = make(kColors[below(random, 5)]);
    for (const ImagePtr& image : {target.color[0], target.color[1]}) {
        for (int y = 0; image != nullptr && y < image->height(); ++y) {
            for (int x = 0; x < image->width(); ++x) {
                for (int c = 0; c < 4; ++c) modelChannel(*image, x, y, c, below(random, 256), false);
            }
        }
    }
    switch (below(random, 5)) {
        case 0:
            break;
        case 1:
            target.depth = make(PixelFormat::Depth16);
            break;
        case 2:
            target.depth = make(PixelFormat::Depth24), target.stencil = make(PixelFormat::Stencil8);
            break;
        case 3:
            target.depth = make(PixelFormat::Depth24Stencil8);
            break;
        default:
            target.depth = target.stencil = make(PixelFormat::Depth24Stencil8);
            break;
    }
    return target;
}

inline StencilFace randomFace(Random& random) {
    const auto operation = [&] {
        return chance(random, 2) ? StencilOp::Keep : static_cast<StencilOp>(below(random, 8));
    };
    StencilFace face;
    face.compare = static_cast<Compare>(below(random, 8));
    face.stencilFail = operation(), face.depthFail = operation(), face.depthPass = operation();
    face.reference = static_cast<uint8_t>(below(random, 4));
    face.compareMask = chance(random, 2) ? 0xFF : static_cast<uint8_t>(random());
    face.writeMask = chance(random, 2) ? 0xFF : static_cast<uint8_t>(random());
    return face;
}

inline PixelState randomState(Random& random) {
    PixelState state;
    state.depthTest = !chance(random, 3);
    state.depthWrite = !chance(random, 4);
    state.depthCompare = static_cast<Compare>(below(random, 8));
    state.stencilTest = chance(random, 2);
    state.front = randomFace(random), state.back = randomFace(random);
    state.blend = chance(random, 2);  // One, One
    state.dstRgb = state.dstAlpha = BlendFactor::One;
    state.colorMask = chance(random, 3) ? static_cast<uint8_t>(below(random, 16)) : 0xF;
    state.dither = false;
    return state;
}

inline PrimitiveChunk randomPrimitives(Random& random, int width, int height) {
    PrimitiveChunk chunk;
    const int count = 1 + below(random, 6);
    for (int i = 0; i < count; ++i) {
        SetupPrimitive primitive = rectangle(0, 0, width - 1, height - 1);
        primitive.edgeCount = static_cast<uint8_t>(below(random, 5));
        for (int e = 0; e < primitive.edgeCount; ++e) {
            const int64_t a = 256 * (below(random, 40001) - 20000), b = 256 * (below(random, 40001) - 20000);
            primitive.edge[e] = {a, b,
                                 -(a * below(random, width) + b * below(random, height)) + below(random, 513) - 256};
        }
        if (chance(random, 2)) {
            primitive.minX = below(random, width), primitive.minY = below(random, height);
            primitive.maxX = std::min(width - 1, primitive.minX + below(random, 30));
            primitive.maxY = std::min(height - 1, primitive.minY + below(random, 30));
        }
        primitive.frontFacing = chance(random, 2);
        primitive.originX = below(random, width), primitive.originY = below(random, height);
        primitive.depth = {eighths(random) * 1.5f - 0.25f, chance(random, 2) ? 0.0f : 1.0f / 64,
                           chance(random, 2) ? 0.0f : -1.0f / 128};
        primitive.firstPlane = static_cast<uint32_t>(chunk.planes.size());
        // v0: unused values; v1: a constant colour.
        for (int c = 0; c < 4; ++c) chunk.planes.push_back({5.0f, 0.25f, 0.5f});
        for (int c = 0; c < 4; ++c) chunk.planes.push_back({static_cast<float>(below(random, 256)) / 255.0f, 0, 0});
        chunk.primitives.push_back(primitive);
    }
    return chunk;
}

/// v0 and v2 are the varyings: the second one is the colour.
inline std::shared_ptr<ProgramPair> programOf(const Behaviour& behaviour) {
    isa::Program program;
    program.stage = isa::Stage::Fragment;
    program.inputMask = 0b101;
    program.outputMask = static_cast<uint16_t>(0b11 | (behaviour.writesDepth ? 1 << isa::kOutDepth : 0));
    program.specialMask = behaviour.kills || behaviour.writesDepth ? 1 : 0;
    program.usesKill = behaviour.kills;
    program.writesDepth = behaviour.writesDepth;
    program.usesDerivatives = behaviour.quads;
    return programOf(program, [behaviour](isa::GroupRun& run) {
        CHECK((run.helperMask & ~run.activeMask) == 0);
        CHECK((run.activeMask & ~run.helperMask) != 0);
        run.instructions = 1;
        for (int lane = 0; lane < isa::kGroupSize; ++lane) {
            if ((run.activeMask >> lane & 1) == 0) {
                for (int c = 0; c < 4; ++c) run.outputs[0].lane[c][lane] = 0.77f;  // must not be seen
                continue;
            }
            if (behaviour.quads) {
                const uint32_t quad = 1u << lane | 1u << (lane ^ 1) | 1u << (lane ^ 4) | 1u << (lane ^ 5);
                CHECK((run.activeMask & quad) == quad);
                CHECK((run.activeMask & ~run.helperMask & quad) != 0);
            }
            for (int c = 0; c < 4; ++c) {
                run.outputs[0].lane[c][lane] = run.inputs[2].lane[c][lane];
                run.outputs[1].lane[c][lane] = 1 - run.inputs[2].lane[c][lane];
            }
            if (!behaviour.kills && !behaviour.writesDepth) continue;
            const int x = static_cast<int>(run.specials[0].lane[0][lane]),
                      y = static_cast<int>(run.specials[0].lane[1][lane]);
            if (behaviour.killsPixel(x, y)) run.killMask |= 1u << lane;
            run.outputs[isa::kOutDepth].lane[0][lane] = behaviour.depthOf(x, y);
        }
    });
}

inline Clear randomClear(Random& random, int width, int height) {
    Clear clear;
    clear.scissorTest = chance(random, 2);
    clear.scissor = {below(random, width + 20) - 20, below(random, height + 20) - 20, below(random, 90),
                     below(random, 90)};
    clear.clearColor = chance(random, 2), clear.clearDepth = chance(random, 2), clear.clearStencil = chance(random, 2);
    for (float& channel : clear.color) channel = static_cast<float>(below(random, 256)) / 255.0f;
    clear.colorMask = chance(random, 2) ? 0xF : static_cast<uint8_t>(below(random, 16));
    clear.depth = eighths(random);
    clear.depthMask = !chance(random, 4);
    clear.stencil = static_cast<uint8_t>(below(random, 4));
    clear.stencilMask = chance(random, 2) ? 0xFF : static_cast<uint8_t>(random());
    return clear;
}

}  // namespace tessera::pipeline::test
