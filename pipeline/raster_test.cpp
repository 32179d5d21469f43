// Whole tiles: random scenes of clears and draws in random state, against a scalar model that follows the
// specification's order pixel by pixel; on every SIMD level the host has. The fragment programs are functions here.
#include "pipeline/raster.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <random>

#include "base/env.h"
#include "pipeline/gpu.h"
#include "pipeline/raster_kernels.h"

using namespace tessera;
using namespace tessera::pipeline;
using texture::Image;
using texture::ImagePtr;
using texture::PixelFormat;

namespace tessera::pipeline {
namespace v2 {
RasterKernels rasterKernels();
}
namespace v3 {
RasterKernels rasterKernels();
}
namespace v4 {
RasterKernels rasterKernels();
}
}  // namespace tessera::pipeline

namespace {

using Random = std::mt19937;

std::vector<RasterKernels> hostLevels() {
    std::vector<RasterKernels> levels = {pipeline::v2::rasterKernels()};
    if (simdLevel() >= SimdLevel::v3) levels.push_back(pipeline::v3::rasterKernels());
    if (simdLevel() >= SimdLevel::v4) levels.push_back(pipeline::v4::rasterKernels());
    return levels;
}

class FunctionRoutine final : public isa::Routine {
public:
    explicit FunctionRoutine(std::function<void(isa::GroupRun&)> function) : function_(std::move(function)) {}
    void run(isa::GroupRun& run) const override { function_(run); }

private:
    std::function<void(isa::GroupRun&)> function_;
};

std::shared_ptr<ProgramPair> programOf(const isa::Program& fragment, std::function<void(isa::GroupRun&)> function) {
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

SetupPrimitive rectangle(int minX, int minY, int maxX, int maxY) {
    SetupPrimitive primitive;
    primitive.edgeCount = 0;
    primitive.minX = minX, primitive.minY = minY, primitive.maxX = maxX, primitive.maxY = maxY;
    primitive.inverseW = {1, 0, 0};
    return primitive;
}

ImagePtr copyOf(const ImagePtr& image) {
    if (image == nullptr) return nullptr;
    auto copy = std::make_shared<Image>(image->format(), image->width(), image->height());
    std::copy_n(image->block(0, 0), image->byteCount(), copy->block(0, 0));
    return copy;
}

bool same(const ImagePtr& a, const ImagePtr& b) {
    if (a == nullptr) return b == nullptr;
    for (int y = 0; y < a->height(); ++y) {
        for (int x = 0; x < a->width(); ++x) {
            if (a->texel32(x, y) != b->texel32(x, y)) return false;
        }
    }
    return true;
}

/// Copies the images of a target, shared ones once.
RenderTarget copyOf(const RenderTarget& target) {
    RenderTarget copy = target;
    for (ImagePtr& image : copy.color) image = copyOf(image);
    copy.depth = copyOf(target.depth);
    copy.stencil = target.stencil == target.depth ? copy.depth : copyOf(target.stencil);
    return copy;
}

// The scalar model

/// The programs of the random draws: colour from v1, and where they say so, a kill and a depth by position.
struct Behaviour {
    bool kills = false, writesDepth = false, quads = false;
    int salt = 0;
    [[nodiscard]] bool killsPixel(int x, int y) const { return kills && (x * 7 + y * 13 + salt) % 5 == 0; }
    [[nodiscard]] float depthOf(int x, int y) const { return static_cast<float>((x ^ y ^ salt) & 7) / 8; }
};

bool compareScalar(Compare function, uint32_t a, uint32_t b) {
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

uint32_t stencilScalar(StencilOp operation, uint32_t value, uint32_t reference) {
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

uint32_t quantizeScalar(double z, PixelFormat format) {
    if (format == PixelFormat::Depth16) {
        const auto d = static_cast<uint32_t>(std::nearbyint(z * 65535));
        return d * 256 + d / 256;
    }
    return static_cast<uint32_t>(std::nearbyint(z * 16777215));
}

std::array<int, 4> bitsOf(PixelFormat format) {
    if (format == PixelFormat::Rgb565) return {5, 6, 5, 0};
    if (format == PixelFormat::Rgba4) return {4, 4, 4, 4};
    if (format == PixelFormat::Rgb8) return {8, 8, 8, 0};
    return {8, 8, 8, 8};
}

/// Sets a channel of a pixel to value/255, added to what is there when `add`.
void modelChannel(Image& image, int x, int y, int c, int value, bool add) {
    const int bits = bitsOf(image.format())[c];
    uint32_t texel = image.texel32(x, y) & ~(255u << (8 * c));
    uint32_t byte = 255;
    if (bits != 0) {
        const double largest = (1 << bits) - 1;
        const double old = std::nearbyint((image.texel32(x, y) >> (8 * c) & 255) * largest / 255);
        const double sum = std::min(largest, std::nearbyint(value * largest / 255 + (add ? old : 0)));
        byte = static_cast<uint32_t>(std::floor(sum * 255 / largest + 0.5));
    }
    image.setTexel32(x, y, texel | byte << (8 * c));
}

void modelColor(const RenderTarget& target, int x, int y, int index, const std::array<int, 4>& color, uint8_t mask,
                bool add) {
    const ImagePtr& image = target.color[index];
    if (image == nullptr || mask == 0) return;
    for (int c = 0; c < 4; ++c) {
        if ((mask >> c & 1) != 0 || bitsOf(image->format())[c] == 0) modelChannel(*image, x, y, c, color[c], add);
    }
}

float modelPlane(const Plane& plane, const SetupPrimitive& primitive, int x, int y) {
    const float px = static_cast<float>(x - primitive.originX) + 0.5f;
    const float py = static_cast<float>(y - primitive.originY) + 0.5f;
    return std::fma(plane.dx, px, std::fma(plane.dy, py, plane.base));
}

/// One fragment in the specification's order: program, stencil, depth, blend. True when it passes.
bool modelFragment(const RenderTarget& target, const Draw& draw, const Behaviour& behaviour,
                   const PrimitiveChunk& chunk, const SetupPrimitive& primitive, int x, int y) {
    if (behaviour.killsPixel(x, y)) return false;
    const PixelState& state = draw.pixel;
    const bool depthTest = state.depthTest && target.depth != nullptr;
    const bool stencilTest = state.stencilTest && target.stencil != nullptr;
    const StencilFace& face = primitive.frontFacing ? state.front : state.back;
    const uint32_t stencil = stencilTest ? target.stencil->texel32(x, y) & 255 : 0;
    const bool stencilPass =
        !stencilTest || compareScalar(face.compare, face.reference & face.compareMask, stencil & face.compareMask);
    bool depthPass = true;
    if (depthTest && stencilPass) {
        const double z = std::clamp(modelPlane(primitive.depth, primitive, x, y), 0.0f, 1.0f);
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

uint64_t modelDraw(const RenderTarget& target, const Draw& draw, const Behaviour& behaviour,
                   const PrimitiveChunk& chunk) {
    uint64_t samples = 0;
    for (const SetupPrimitive& primitive : chunk.primitives) {
        for (int y = std::max(0, primitive.minY); y <= std::min(target.height - 1, primitive.maxY); ++y) {
            for (int x = std::max(0, primitive.minX); x <= std::min(target.width - 1, primitive.maxX); ++x) {
                bool inside = true;
                for (int i = 0; i < primitive.edgeCount; ++i) {
                    inside &= primitive.edge[i].a * x + primitive.edge[i].b * y + primitive.edge[i].c >= 0;
                }
                if (inside && modelFragment(target, draw, behaviour, chunk, primitive, x, y)) ++samples;
            }
        }
    }
    return samples;
}

void modelClear(const RenderTarget& target, const Clear& clear) {
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

int below(Random& random, int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); }
bool chance(Random& random, int outOf) { return below(random, outOf) == 0; }
float eighths(Random& random) { return static_cast<float>(below(random, 9)) / 8; }

RenderTarget randomTarget(Random& random, int width, int height) {
    constexpr PixelFormat kColors[] = {PixelFormat::Rgba8, PixelFormat::Rgb565, PixelFormat::Rgba4, PixelFormat::Rgb8};
    RenderTarget target;
    target.width = width, target.height = height;
    const auto make = [&](PixelFormat format) {
        // Larger than the target at times: what lies outside must stay.
        return std::make_shared<Image>(format, width + below(random, 2) * 9, height + below(random, 2) * 3);
    };
    target.color[0] = chance(random, 8) ? nullptr : make(kColors[below(random, 4)]);
    if (chance(random, 3)) target.color[1] = make(kColors[below(random, 4)]);
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

StencilFace randomFace(Random& random) {
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

PixelState randomState(Random& random) {
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

PrimitiveChunk randomPrimitives(Random& random, int width, int height) {
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
std::shared_ptr<ProgramPair> programOf(const Behaviour& behaviour) {
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

Clear randomClear(Random& random, int width, int height) {
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

}  // namespace

TEST_CASE("random scenes equal the scalar model on every SIMD level") {
    const std::vector<RasterKernels> levels = hostLevels();
    uint64_t drawn = 0;
    for (int round = 0; round < 250; ++round) {
        Random random(static_cast<unsigned>(round));
        const int width = 1 + below(random, 100), height = 1 + below(random, 80);
        World world(width, height);
        const RenderTarget start = randomTarget(random, width, height);
        const RenderTarget expected = copyOf(start);
        std::vector<std::shared_ptr<OcclusionCounter>> counters;
        std::vector<uint64_t> expectedSamples;
        const int commands = 2 + below(random, 8);
        for (int i = 0; i < commands; ++i) {
            if (chance(random, 4)) {
                const Clear clear = randomClear(random, width, height);
                modelClear(expected, clear);
                world.add(clear);
                continue;
            }
            const Behaviour behaviour = {chance(random, 3), chance(random, 5), chance(random, 2), below(random, 8)};
            Draw draw;
            draw.program = programOf(behaviour);
            draw.pixel = randomState(random);
            draw.occlusion = std::make_shared<OcclusionCounter>();
            PrimitiveChunk chunk = randomPrimitives(random, width, height);
            counters.push_back(draw.occlusion);
            expectedSamples.push_back(modelDraw(expected, draw, behaviour, chunk));
            drawn += expectedSamples.back();
            world.add(std::move(draw), std::move(chunk));
        }
        for (size_t level = 0; level < levels.size(); ++level) {
            static_cast<RenderTarget&>(world.scene.target) = copyOf(start);
            for (auto& counter : counters) counter->samples = 0;
            world.render(levels[level]);
            const RenderTarget& got = world.scene.target;
            CAPTURE(round);
            CAPTURE(level);
            CHECK(same(got.color[0], expected.color[0]));
            CHECK(same(got.color[1], expected.color[1]));
            CHECK(same(got.depth, expected.depth));
            CHECK(same(got.stencil, expected.stencil));
            for (size_t i = 0; i < counters.size(); ++i) CHECK(counters[i]->samples == expectedSamples[i]);
        }
    }
    CHECK(drawn > 100000);
}

namespace {

/// A draw of `primitives` into an RGBA32F target of 64x64 whose program is `function`.
struct SpecialsWorld {
    World world{64, 64};
    ImagePtr image = std::make_shared<Image>(PixelFormat::Rgba32F, 64, 64);
    isa::Program program;

    SpecialsWorld() {
        world.scene.target.color[0] = image;
        program.stage = isa::Stage::Fragment;
        program.outputMask = 1;
        program.specialMask = 7;
    }
    RasterStats draw(std::vector<SetupPrimitive> primitives, std::function<void(isa::GroupRun&)> function) {
        Draw draw;
        draw.program = programOf(program, std::move(function));
        PrimitiveChunk chunk;
        chunk.primitives = std::move(primitives);
        world.add(std::move(draw), std::move(chunk));
        RasterStats stats;
        rasterTile(world.scene, 0, 0, stats);
        return stats;
    }
    [[nodiscard]] float at(int x, int y, int c) const {
        float value;
        std::memcpy(&value, image->block(x / 4, y / 4) + ((y % 4 * 4 + x % 4) * 4 + c) * sizeof value, sizeof value);
        return value;
    }
};

void copySpecial(isa::GroupRun& run, isa::Special special) { run.outputs[0] = run.specials[static_cast<int>(special)]; }

}  // namespace

TEST_CASE("special registers") {
    SetupPrimitive primitive = rectangle(5, 6, 40, 41);
    primitive.originX = 5, primitive.originY = 6;
    primitive.depth = {0.25f, 1.0f / 256, 0};
    primitive.inverseW = {0.5f, 0, 1.0f / 128};
    {
        SpecialsWorld world;
        const RasterStats stats =
            world.draw({primitive}, [](isa::GroupRun& run) { copySpecial(run, isa::Special::FragCoord); });
        CHECK(stats.fragments == 36 * 36);
        CHECK(world.at(9, 22, 0) == 9.5f);
        CHECK(world.at(9, 22, 1) == 22.5f);
        CHECK(world.at(9, 22, 2) == 0.25f + 4.5f / 256);
        CHECK(world.at(9, 22, 3) == 0.5f + 16.5f / 128);
        CHECK(world.at(4, 22, 0) == 0.0f);
        CHECK(world.at(9, 42, 0) == 0.0f);
    }
    {
        SpecialsWorld world;
        SetupPrimitive back = rectangle(50, 50, 60, 60);
        back.frontFacing = false;
        const auto function = [](isa::GroupRun& run) {
            copySpecial(run, isa::Special::FrontFacing);
            for (float& lane : run.outputs[0].lane[3]) lane = 9;
        };
        world.draw({primitive, back}, function);
        CHECK(world.at(9, 22, 0) == 1.0f);
        CHECK(world.at(9, 22, 2) == 1.0f);
        CHECK(world.at(55, 55, 0) == 0.0f);
        CHECK(world.at(55, 55, 3) == 9.0f);
    }
    {
        SpecialsWorld world;
        primitive.kind = PrimitiveKind::Point;
        primitive.pointCoord[0] = {0, 1.0f / 64, 0};
        primitive.pointCoord[1] = {1, 0, -1.0f / 64};
        world.draw({primitive}, [](isa::GroupRun& run) { copySpecial(run, isa::Special::PointCoord); });
        CHECK(world.at(9, 22, 0) == 4.5f / 64);
        CHECK(world.at(9, 22, 1) == 1 - 16.5f / 64);
    }
}

TEST_CASE("blocks of several primitives share a group, and their order holds") {
    SpecialsWorld world;
    int groups = 0;
    std::vector<SetupPrimitive> primitives;
    for (int i = 0; i < 6; ++i) primitives.push_back(rectangle(8 + 4 * (i / 2), 8, 8 + 4 * (i / 2), 8));
    primitives[1].frontFacing = primitives[3].frontFacing = primitives[5].frontFacing = false;
    world.draw(primitives, [&](isa::GroupRun& run) {
        ++groups;
        CHECK(run.activeMask == 0x10001u);
        copySpecial(run, isa::Special::FrontFacing);
        for (float& lane : run.outputs[0].lane[3]) lane = 9;
    });
    CHECK(groups == 3);
    for (int x = 8; x < 20; x += 4) {
        CHECK(world.at(x, 8, 3) == 9.0f);
        CHECK(world.at(x, 8, 0) == 0.0f);  // the second one is on top
    }
}

TEST_CASE("a block waiting in the group counts as drawn for the next one's tests") {
    // The program may kill, so its depth is written late: the second fragment fails against what is stored when it
    // is queued, and passes against what the first one will have written.
    SpecialsWorld world;
    world.world.scene.target.depth = std::make_shared<Image>(PixelFormat::Depth24, 64, 64);
    world.program.usesKill = true;
    Draw draw;
    draw.program = programOf(world.program, [](isa::GroupRun& run) { copySpecial(run, isa::Special::FragCoord); });
    draw.pixel.depthTest = true;
    draw.pixel.depthCompare = Compare::NotEqual;
    draw.occlusion = std::make_shared<OcclusionCounter>();
    const auto counter = draw.occlusion;
    PrimitiveChunk chunk;
    chunk.primitives = {rectangle(8, 8, 8, 8), rectangle(8, 8, 8, 8)};
    chunk.primitives[0].depth = {0.5f, 0, 0};
    world.world.add(std::move(draw), std::move(chunk));
    RasterStats stats;
    rasterTile(world.world.scene, 0, 0, stats);
    CHECK(counter->samples == 2);
    CHECK(world.world.scene.target.depth->texel32(8, 8) == 0u);
    CHECK(world.at(8, 8, 0) == 8.5f);
    CHECK(world.at(8, 8, 2) == 0.0f);
}

TEST_CASE("a program over its budget ends the draw in the tile") {
    SpecialsWorld world;
    int groups = 0;
    const RasterStats stats = world.draw({rectangle(0, 0, 63, 63)}, [&](isa::GroupRun& run) {
        ++groups;
        CHECK(run.budget == kGroupInstructionBudget);
        run.budgetExceeded = true;
        copySpecial(run, isa::Special::FragCoord);
    });
    CHECK(stats.budgetExceeded);
    CHECK(groups == 1);
    CHECK(world.at(1, 1, 0) == 0.0f);
    // It costs the draw's other tiles nothing.
    RasterStats other;
    rasterTile(world.world.scene, 0, 0, other);
    CHECK(groups == 1);
    CHECK(world.world.scene.draws[0]->abandoned);
}

TEST_CASE("a program nobody sees is not run, its depth and samples count") {
    World world(64, 64);
    world.scene.target.depth = std::make_shared<Image>(PixelFormat::Depth24, 64, 64);
    isa::Program program;
    program.stage = isa::Stage::Fragment;
    program.outputMask = 1;
    Draw draw;
    draw.program = programOf(program, [](isa::GroupRun&) { FAIL("run"); });
    draw.pixel.depthTest = true;
    draw.pixel.depthCompare = Compare::Always;
    draw.occlusion = std::make_shared<OcclusionCounter>();
    const auto counter = draw.occlusion;
    PrimitiveChunk chunk;
    chunk.primitives.push_back(rectangle(3, 3, 12, 12));
    chunk.primitives[0].depth = {1, 0, 0};
    world.add(std::move(draw), std::move(chunk));
    RasterStats stats;
    rasterTile(world.scene, 0, 0, stats);
    CHECK(counter->samples == 100);
    CHECK(world.scene.target.depth->texel32(12, 3) == 0xFFFFFF00u);
    CHECK(world.scene.target.depth->texel32(13, 3) == 0u);
}

TEST_CASE("clearing float buffers keeps range and masked channels") {
    SpecialsWorld world;
    Clear clear;
    clear.clearColor = true;
    clear.color[0] = 7.5f, clear.color[1] = -2, clear.color[2] = 1, clear.color[3] = 3;
    clear.colorMask = 0xB;
    clear.scissorTest = true;
    clear.scissor = {2, 2, 10, 10};
    world.world.add(clear);
    RasterStats stats;
    rasterTile(world.world.scene, 0, 0, stats);
    CHECK(world.at(2, 2, 0) == 7.5f);
    CHECK(world.at(11, 11, 1) == -2.0f);
    CHECK(world.at(11, 11, 2) == 0.0f);
    CHECK(world.at(11, 11, 3) == 3.0f);
    CHECK(world.at(12, 11, 0) == 0.0f);
}
