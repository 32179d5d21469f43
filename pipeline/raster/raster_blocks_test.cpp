// Blocks through machine code against groups: random scenes of draws in random state are rendered twice, by a routine
// with block code (here a function) and by the same one without, which takes the general way of raster_groups_simd.cpp.
// Every byte of every image and every sample count must agree, on every SIMD level.
#include <bit>
#include <limits>

#include "pipeline/testing/coverage.h"
#include "pipeline/testing/raster_random.h"
#include "shader-core/isa/block.h"

using namespace tessera;
using namespace tessera::pipeline;
using namespace tessera::pipeline::test;

namespace {

/// What the program does comes in constants: c0 = (kills, writes depth, one colour, salt), c1 = the one colour,
/// c2.x: it reads what both targets hold; c2.y: its alphas are 0 or 1, with 2 the colours of an alpha of 0 are 0 too;
/// c2.z: its alpha is c2.w; c3.x: v2 holds integers, whose lowest eight bits are the colour.
struct Lanes {
    const float* inputs;
    const float* specials;
    float* outputs;
    const float* constants;

    /// A row of a register file, `lane` of it.
    static constexpr int at(int reg, int component, int lane) { return (reg * 4 + component) * isa::kGroupSize + lane; }

    /// True: the lane is discarded.
    [[nodiscard]] bool shade(int lane) const {
        for (int c = 0; c < 4; ++c) {
            const float input = inputs[at(2, c, lane)];
            const auto integer = static_cast<float>(std::bit_cast<uint32_t>(input) & 255) / 255.0f;
            const float color = constants[2] != 0 ? constants[4 + c] : constants[12] != 0 ? integer : input;
            outputs[at(0, c, lane)] = color;
            outputs[at(1, c, lane)] = constants[2] != 0 ? 1 - color : inputs[at(0, c, lane)];
            outputs[at(isa::kOutSecondColor, c, lane)] = 1 - color;
            if (constants[8] == 0) continue;
            for (int target = 0; target < 2; ++target)
                outputs[at(target, c, lane)] += 0.25f * inputs[at(isa::kInLastColor0 + target, c, lane)];
        }
        if (constants[10] != 0) outputs[at(0, 3, lane)] = constants[11];
        if (constants[9] != 0) {
            float& alpha = outputs[at(0, 3, lane)];
            alpha = alpha > 0.4f ? 1 : 0;
            for (int c = 0; constants[9] == 2 && alpha == 0 && c < 3; ++c) outputs[at(0, c, lane)] = 0;
        }
        if (constants[0] == 0 && constants[1] == 0) return false;
        const int x = static_cast<int>(specials[at(0, 0, lane)]), y = static_cast<int>(specials[at(0, 1, lane)]);
        const Behaviour behaviour = {constants[0] != 0, constants[1] != 0, false, static_cast<int>(constants[3])};
        if (behaviour.writesDepth) outputs[at(isa::kOutDepth, 0, lane)] = behaviour.depthOf(x, y);
        return behaviour.killsPixel(x, y);
    }
    void spoil(int lane) const {
        for (int c = 0; c < 4; ++c) outputs[at(0, c, lane)] = 0.77f;  // must not be seen
    }
};

constexpr int kDerivatives = 13;  ///< among the constants: whether the program takes any

void runBlock(isa::BlockRun* run) {
    const Lanes lanes = {run->inputs, run->specials, run->outputs, run->constants};
    run->kill = 0;
    run->instructions = 1;
    run->stopped = isa::Stop::Finished;
    // Lanes without a pixel are there for derivatives alone: else a loop of theirs that does not end would count.
    if (run->constants[kDerivatives] == 0) CHECK(run->helper == 0);
    for (int lane = 0; lane < kBlockLanes; ++lane) {
        if ((run->launch >> lane & 1) == 0) {
            lanes.spoil(lane);
        } else if (lanes.shade(lane)) {
            run->kill |= 1u << lane;
        }
    }
    if ((run->launch & ~run->helper & ~run->kill) == 0) run->stopped = isa::Stop::Discarded;
}

void runPair(isa::BlockRun* run) {
    const Lanes lanes = {run->inputs, run->specials, run->outputs, run->constants};
    run->instructions = 1;
    for (int lane = 0; lane < isa::kGroupSize; ++lane) CHECK(!lanes.shade(lane));
}

class TwoWayRoutine final : public isa::Routine {
public:
    explicit TwoWayRoutine(const isa::ComponentMasks& components) : components_(components) {}
    void run(isa::GroupRun& group) const override {
        const Lanes lanes = {group.inputs[0].lane[0], group.specials[0].lane[0], group.outputs[0].lane[0],
                             group.constants[0]};
        group.instructions = 1;
        for (int lane = 0; lane < isa::kGroupSize; ++lane) {
            if ((group.activeMask >> lane & 1) != 0 && lanes.shade(lane)) group.killMask |= 1u << lane;
        }
    }
    [[nodiscard]] isa::BlockCode blockCode() const override {
        if (!hasBlocks) return {};
        return {.function = runBlock, .inputComponents = components_, .pair = hasPairs ? runPair : nullptr};
    }

    bool hasBlocks = false, hasPairs = false;

private:
    isa::ComponentMasks components_;
};

/// Rather often one that has a short form.
void mixBlending(Random& random, TargetState& state) {
    if (chance(random, 2)) state.colorMask = 0xF;
    state.blend = chance(random, 2);
    const auto factor = [&] { return static_cast<BlendFactor>(below(random, 19)); };
    constexpr BlendFactor kCommon[][2] = {
        {BlendFactor::SrcAlpha, BlendFactor::OneMinusSrcAlpha},
        {BlendFactor::One, BlendFactor::OneMinusSrcAlpha},
        {BlendFactor::SrcAlpha, BlendFactor::One},
        {BlendFactor::One, BlendFactor::One},
        {BlendFactor::One, BlendFactor::Zero},
    };
    if (chance(random, 3)) {
        state.srcRgb = factor(), state.dstRgb = factor(), state.srcAlpha = factor(), state.dstAlpha = factor();
        state.equationRgb = static_cast<BlendEquation>(below(random, 5));
        state.equationAlpha = static_cast<BlendEquation>(below(random, 5));
    } else {
        const auto& [source, destination] = kCommon[below(random, 5)];
        state.srcRgb = state.srcAlpha = source, state.dstRgb = state.dstAlpha = destination;
        if (source == BlendFactor::SrcAlpha && chance(random, 2)) {
            const bool keep = chance(random, 2);
            state.srcAlpha = keep ? BlendFactor::Zero : BlendFactor::One;
            state.dstAlpha = keep ? BlendFactor::One : BlendFactor::OneMinusSrcAlpha;
        }
    }
}

/// Rather often a state that has code of its own.
PixelState mixedState(Random& random) {
    PixelState state = randomState(random);
    if (chance(random, 2)) state.stencilTest = false;
    if (chance(random, 2)) state.depthCompare = chance(random, 2) ? Compare::Less : Compare::LessEqual;
    state.dither = chance(random, 2);
    for (TargetState& target : state.target) mixBlending(random, target);
    for (float& channel : state.blendColor) channel = eighths(random) * 2 - 0.5f;
    return state;
}

float anyValue(Random& random) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    constexpr float kSpecial[] = {
        0,     -0.0f, 1, -1, 0.5f, 255, 1e30f, -1e30f, kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN(),
        1e-40f};
    if (chance(random, 24)) return kSpecial[below(random, 12)];
    return static_cast<float>(below(random, 1 << 20)) / (1 << 19) - 0.4f;
}

/// Random primitives with perspective, sloping colours and depths of all magnitudes.
PrimitiveChunk mixedPrimitives(Random& random, int width, int height) {
    PrimitiveChunk chunk = randomPrimitives(random, width, height);
    for (Plane& plane : chunk.planes) {
        plane = {anyValue(random), anyValue(random) / 64, anyValue(random) / 64};
    }
    for (SetupPrimitive& primitive : chunk.primitives) {
        if (chance(random, 2)) primitive.edgeCount = 0;
        if (chance(random, 2)) primitive.inverseW = {anyValue(random), anyValue(random) / 64, anyValue(random) / 64};
        if (chance(random, 2)) {
            const float scale = chance(random, 2) ? 1.0f : 1.0f / 4096;
            primitive.depth = {anyValue(random) * scale, anyValue(random) * scale / 64, anyValue(random) * scale / 64};
        }
    }
    return chunk;
}

/// Up to 150 primitives of a few pixels over each other, with some larger ones between them.
PrimitiveChunk manyPrimitives(Random& random, int width, int height) {
    PrimitiveChunk chunk;
    const int rounds = 1 + below(random, 40);
    for (int round = 0; round < rounds; ++round) {
        PrimitiveChunk some = mixedPrimitives(random, width, height);
        for (SetupPrimitive& primitive : some.primitives) {
            primitive.firstPlane += static_cast<uint32_t>(chunk.planes.size());
            if (chance(random, 8)) continue;
            primitive.minX = below(random, std::min(width, 80)), primitive.minY = below(random, std::min(height, 20));
            primitive.maxX = std::min(width - 1, primitive.minX + below(random, 9));
            primitive.maxY = std::min(height - 1, primitive.minY + below(random, 9));
            primitive.edgeCount = static_cast<uint8_t>(3 + below(random, 2));
            for (int e = 0; e < primitive.edgeCount; ++e) {
                const int64_t a = 256 * (below(random, 2001) - 1000), b = 256 * (below(random, 2001) - 1000);
                const int x = primitive.minX + below(random, 12) - 2, y = primitive.minY + below(random, 12) - 2;
                primitive.edge[e] = {a, b, -(a * x + b * y) + below(random, 513) - 256 + (std::abs(a) + std::abs(b))};
            }
            if (isSmall(primitive) && chance(random, 2)) primitive.coverage = coverageByEdges(primitive);
        }
        chunk.primitives.insert(chunk.primitives.end(), some.primitives.begin(), some.primitives.end());
        chunk.planes.insert(chunk.planes.end(), some.planes.begin(), some.planes.end());
    }
    return chunk;
}

bool sameBytes(const ImagePtr& a, const ImagePtr& b) {
    return a == nullptr || std::memcmp(a->block(0, 0), b->block(0, 0), a->byteCount()) == 0;
}

RenderTarget mixedTarget(Random& random, int width, int height) {
    RenderTarget target = randomTarget(random, width, height);
    if (chance(random, 3)) target.color[1] = nullptr;
    if (chance(random, 12)) target.color[0] = std::make_shared<Image>(PixelFormat::Rgba16F, width, height);
    if (chance(random, 12)) target.color[0] = std::make_shared<Image>(PixelFormat::Rgb10A2, width, height);
    if (chance(random, 4)) {
        constexpr PixelFormat kSecond[] = {PixelFormat::Rgba8, PixelFormat::Rgba16F, PixelFormat::Rg16F,
                                           PixelFormat::Rgba32F, PixelFormat::Rgb10A2};
        target.color[1] = std::make_shared<Image>(kSecond[below(random, 5)], width, height);
    }
    if (chance(random, 2) && target.color[0] != nullptr && target.color[1] == nullptr) {
        const bool alpha = chance(random, 2);
        target.color[0] = std::make_shared<Image>(alpha ? PixelFormat::Rgba8 : PixelFormat::Rgb8, width, height);
    }
    return target;
}

/// A scene, its routines and its counters.
struct TwoWayWorld {
    World world;
    std::vector<std::shared_ptr<TwoWayRoutine>> routines;
    std::vector<std::shared_ptr<OcclusionCounter>> counters;

    TwoWayWorld(int width, int height) : world(width, height) {}

    void addDraw(Random& random, int width, int height) {
        const bool kills = chance(random, 5), writesDepth = chance(random, 8), constant = chance(random, 4);
        const bool readsColors = !constant && chance(random, 4);
        const bool isCopy = !kills && !writesDepth && !constant && !readsColors && chance(random, 2);
        const bool hasOwnAlpha = chance(random, 3);
        const int sharpness = isCopy ? 0 : below(random, 3);
        auto fragment = std::make_shared<isa::Program>();
        fragment->stage = isa::Stage::Fragment;
        fragment->inputMask = constant ? 0 : 0b101;
        if (!constant && readsColors) fragment->inputMask |= isa::RegisterMask::range(isa::kInLastColor0, 2);
        fragment->outputMask = 0b11 | (writesDepth ? 1 << isa::kOutDepth : 0);
        if (chance(random, 2)) fragment->outputMask |= 1 << isa::kOutSecondColor;
        fragment->specialMask = kills || writesDepth ? 1 : 0;
        fragment->usesKill = kills;
        fragment->writesDepth = writesDepth;
        fragment->usesDerivatives = chance(random, 2);
        fragment->broadcastColor = chance(random, 3);
        auto program = std::make_shared<Program>();
        program->stages[isa::Stage::Fragment].program = fragment;
        program->stages[isa::Stage::Fragment].facts.mayOverrun = false;
        for (const size_t varying : {0, 2})
            if (chance(random, 4)) program->interpolation[varying] = Interpolation::Centroid;
        const bool isFlat = chance(random, 3), isInteger = isFlat && !isCopy && chance(random, 2);
        if (isFlat) program->interpolation[2] = Interpolation::Flat;
        if (chance(random, 4)) program->interpolation[0] = Interpolation::Flat;
        if (isCopy) {
            fragment->outputMask = 1;
            Picture& copy = program->stages[isa::Stage::Fragment].facts.picture;
            copy.instructions = 2;
            for (uint32_t c = 0; c < 4; ++c) copy.channel[c] = {.factor = Picture::Factor::Varying, .at = 4 + c};
            if (hasOwnAlpha) copy.channel[3] = {.factor = Picture::Factor::Constant, .at = 11};
        }
        routines.push_back(std::make_shared<TwoWayRoutine>(
            chance(random, 2) ? isa::ComponentMasks::all() : isa::ComponentMasks{{0b101, 0b101, 0b101, 0b101}}));
        program->stages[isa::Stage::Fragment].routine = routines.back();
        routines.back()->hasPairs = !kills && chance(random, 2);
        Draw draw;
        draw.state->program = program;
        draw.state->pixel = mixedState(random);
        if (chance(random, 3)) {
            draw.occlusion = std::make_shared<OcclusionCounter>();
            counters.push_back(draw.occlusion);
        }
        const auto primitives = constant ? randomPrimitives : chance(random, 4) ? manyPrimitives : mixedPrimitives;
        PrimitiveChunk chunk = primitives(random, width, height);
        for (size_t i = 0; isInteger && i < chunk.planes.size(); ++i)
            if (i % 8 >= 4) chunk.planes[i].base = std::bit_cast<float>(static_cast<uint32_t>(random()));
        world.add(std::move(draw), std::move(chunk));
        const auto flag = [](bool on) { return on ? 1.0f : 0.0f; };
        world.scene.draws.back()->ownConstants = {
            {flag(kills), flag(writesDepth), flag(constant), static_cast<float>(below(random, 8))},
            {anyValue(random), anyValue(random), anyValue(random), anyValue(random)},
            {flag(readsColors), static_cast<float>(sharpness), flag(hasOwnAlpha), anyValue(random)},
            {flag(isInteger), flag(fragment->usesDerivatives), 0, 0}};
        world.scene.draws.back()->fragmentConstants = world.scene.draws.back()->ownConstants;
    }

    /// Renders over a copy of `start` and gives it back, with the sample counts.
    std::pair<RenderTarget, std::vector<uint64_t>> render(const RasterFunctions& functions, const RenderTarget& start,
                                                          bool blocks) {
        for (auto& routine : routines) routine->hasBlocks = blocks;
        for (auto& counter : counters) counter->samples = 0;
        world.scene.target = copyOf(start);
        world.render(functions);
        std::vector<uint64_t> samples;
        for (auto& counter : counters) samples.push_back(counter->samples);
        return {world.scene.target, samples};
    }
};

/// What blocks write on every level against what groups write on the least.
void checkBlocksAgainstGroups(TwoWayWorld& world, const RenderTarget& start) {
    const std::vector<RasterFunctions> levels = hostLevels();
    const auto [expected, expectedSamples] = world.render(levels[0], start, false);
    for (size_t level = 0; level < levels.size(); ++level) {
        const auto [got, samples] = world.render(levels[level], start, true);
        CAPTURE(level);
        CHECK(sameBytes(got.color[0], expected.color[0]));
        CHECK(sameBytes(got.color[1], expected.color[1]));
        CHECK(sameBytes(got.depth, expected.depth));
        CHECK(sameBytes(got.stencil, expected.stencil));
        CHECK(samples == expectedSamples);
    }
}

}  // namespace

TEST_CASE("blocks through machine code give the bytes of groups, in random states on every SIMD level") {
    for (int round = 0; round < 1500; ++round) {
        Random random(static_cast<unsigned>(7000 + round));
        const int width = 1 + below(random, 140), height = 1 + below(random, 100);
        TwoWayWorld world(width, height);
        const RenderTarget start = mixedTarget(random, width, height);
        if (start.samples() != 1) continue;
        const int commands = 2 + below(random, 7);
        for (int i = 0; i < commands; ++i) {
            if (chance(random, 5)) {
                world.world.add(randomClear(random, width, height));
            } else {
                world.addDraw(random, width, height);
            }
        }
        CAPTURE(round);
        checkBlocksAgainstGroups(world, start);
    }
}

TEST_CASE("small triangles that meet in blocks give the bytes of groups, on every SIMD level") {
    constexpr int kWidth = 72, kHeight = 40;
    for (int round = 0; round < 40; ++round) {
        Random random(static_cast<unsigned>(9000 + round));
        TwoWayWorld world(kWidth, kHeight);
        RenderTarget start = world.world.scene.target;
        start.color[0] = std::make_shared<Image>(PixelFormat::Rgba8, kWidth, kHeight);
        start.depth = std::make_shared<Image>(PixelFormat::Depth24, kWidth, kHeight);
        world.world.scene.target = start;
        world.addDraw(random, kWidth, kHeight);
        Draw draw = *world.world.draws.back();
        world.world.scene.draws.clear(), world.world.draws.clear();
        for (auto& tile : world.world.scene.tiles) tile.clear();
        auto fragment = std::make_shared<isa::Program>(draw.state->program->fragment());
        fragment->usesKill = fragment->writesDepth = fragment->usesDerivatives = false;
        fragment->specialMask = 0, fragment->inputMask = 0b101, fragment->outputMask = 1;
        auto program = std::make_shared<Program>(*draw.state->program);
        program->stages[isa::Stage::Fragment].program = fragment;
        draw.state->program = program;
        draw.state->pixel = {};
        draw.state->pixel.depthTest = chance(random, 2);
        draw.state->pixel.depthCompare = chance(random, 2) ? Compare::GreaterEqual : Compare::NotEqual;
        mixBlending(random, draw.state->pixel.target[0]);
        draw.state->pixel.target[0].colorMask = 0xF;
        // Cells of two triangles, and some of them once more.
        PrimitiveChunk chunk;
        const int cell = 1 + below(random, 6);
        const auto add = [&](int x, int y, int64_t side) {
            SetupPrimitive primitive = rectangle(x, y, std::min(x + cell, kWidth) - 1, std::min(y + cell, kHeight) - 1);
            primitive.edgeCount = 3;
            primitive.edge[0] = {256 * side, -256 * side, -256 * side * (x - y) - (side < 0 ? 1 : 0)};
            primitive.edge[1] = primitive.edge[2] = {};
            primitive.depth = {static_cast<float>(below(random, 9)) / 8, anyValue(random) / 64, anyValue(random) / 64};
            primitive.inverseW = {1, anyValue(random) / 64, 0};
            primitive.firstPlane = static_cast<uint32_t>(chunk.planes.size());
            for (int plane = 0; plane < 8; ++plane)
                chunk.planes.push_back({anyValue(random), anyValue(random) / 64, anyValue(random) / 64});
            chunk.primitives.push_back(primitive);
        };
        for (int y = 0; y < kHeight; y += cell)
            for (int x = 0; x < kWidth; x += cell)
                for (int again = 0; again < 1 + (chance(random, 4) ? 1 : 0); ++again) add(x, y, 1), add(x, y, -1);
        world.world.add(std::move(draw), std::move(chunk));
        const Picture& copy = program->stages[isa::Stage::Fragment].facts.picture;
        const float sharpness = copy.isCopy() ? 0 : static_cast<float>(below(random, 3));
        const float ownAlpha = copy.channel[3].factor == Picture::Factor::Constant ? 1 : 0;
        world.world.scene.draws.back()->ownConstants = {
            {0, 0, 0, 0}, {0, 0, 0, 0}, {0, sharpness, ownAlpha, anyValue(random)}, {0, 0, 0, 0}};
        world.world.scene.draws.back()->fragmentConstants = world.world.scene.draws.back()->ownConstants;
        CAPTURE(round);
        checkBlocksAgainstGroups(world, start);
    }
}

namespace {

/// A scene of rectangles that cover two tiles, a draw each or all in one.
class Layers {
public:
    Layers() : world_(kWidth, kHeight) {
        RenderTarget& target = scene().target;
        target.color[0] = std::make_shared<Image>(PixelFormat::Rgba8, kWidth, kHeight);
        target.depth = std::make_shared<Image>(PixelFormat::Depth24, kWidth, kHeight);
        clear(false);
    }

    struct Kind {
        bool blend = false, readsColor = false;
        uint8_t colorMask = 0xF;
        bool sharesState = false;  ///< with the draw before
        int top = 0;               ///< first row of pixels that is covered
        bool hasSmall = false;     ///< a few pixels more, which do not wait
    };
    static constexpr uint64_t kPixels = 128 * 64;

    void draw(const std::vector<float>& depths, const Kind& kind) {
        Draw draw = kind.sharesState ? *world_.world.draws.back() : makeDraw(kind);
        PrimitiveChunk chunk;
        for (int plane = 0; plane < 8; ++plane)
            chunk.planes.push_back({static_cast<float>((count_ * 8 + plane) % 29) / 29, 0, 0});
        ++count_;
        for (const float depth : depths) {
            chunk.primitives.push_back(rectangle(0, kind.top, kWidth - 1, kHeight - 1));
            chunk.primitives.back().depth = {depth, 0, 0};
        }
        if (kind.hasSmall) {
            const int x = 3 * count_ % (kWidth - 3);
            chunk.primitives.push_back(rectangle(x, 0, x + 2, 2));
        }
        world_.world.add(std::move(draw), std::move(chunk));
        const float alpha = static_cast<float>(count_ % 23) / 23;
        scene().draws.back()->ownConstants = {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 1, alpha}, {0, 0, 0, 0}};
        scene().draws.back()->fragmentConstants = scene().draws.back()->ownConstants;
    }

    void clear(bool color) {
        Clear clear;
        clear.clearDepth = clear.depthMask = true;
        clear.clearColor = color;
        clear.depth = 1;
        world_.world.add(clear);
    }

    /// Fragments shaded. The bytes must be those of groups.
    uint64_t shaded() {
        const RenderTarget start = copyOf(scene().target);
        checkBlocksAgainstGroups(world_, start);
        for (auto& routine : world_.routines) routine->hasBlocks = true;
        scene().target = copyOf(start);
        return world_.world.render(rasterFunctions(simdLevel())).fragments;
    }

private:
    static constexpr int kWidth = 128, kHeight = 64;

    Draw makeDraw(const Kind& kind) {
        auto fragment = std::make_shared<isa::Program>();
        fragment->stage = isa::Stage::Fragment;
        fragment->inputMask = 0b101 | (kind.readsColor ? uint64_t{1} << isa::kInLastColor0 : 0);
        fragment->outputMask = 1;
        auto program = std::make_shared<Program>();
        program->stages[isa::Stage::Fragment].program = fragment;
        program->stages[isa::Stage::Fragment].facts.mayOverrun = false;
        world_.routines.push_back(std::make_shared<TwoWayRoutine>(isa::ComponentMasks::all()));
        program->stages[isa::Stage::Fragment].routine = world_.routines.back();
        Draw draw;
        draw.state->program = program;
        draw.state->pixel.depthTest = draw.state->pixel.depthWrite = true;
        TargetState& target = draw.state->pixel.target[0];
        target.blend = kind.blend;
        target.dstRgb = target.dstAlpha = BlendFactor::One;
        target.colorMask = kind.colorMask;
        return draw;
    }

    Scene& scene() { return world_.world.scene; }

    TwoWayWorld world_;
    int count_ = 0;
};

}  // namespace

TEST_CASE("pixels that a later primitive of the draw overwrites are not shaded, nor those behind what is stored") {
    const auto fragmentsOf = [](const std::vector<float>& depths, const Layers::Kind& kind) {
        Layers layers;
        layers.draw(depths, kind);
        return layers.shaded();
    };
    constexpr uint64_t kPixels = Layers::kPixels;
    CHECK(fragmentsOf({0.9f, 0.7f, 0.5f}, {}) == kPixels);
    CHECK(fragmentsOf({0.5f, 0.7f, 0.9f}, {}) == kPixels);
    CHECK(fragmentsOf({0.9f, 0.7f, 0.5f}, {.blend = true}) == 3 * kPixels);
    CHECK(fragmentsOf({0.5f, 0.7f, 0.9f}, {.blend = true}) == kPixels);
    CHECK(fragmentsOf({0.9f, 0.7f, 0.5f}, {.readsColor = true}) == 3 * kPixels);
}

TEST_CASE("nor those that a later draw overwrites, unless something looks at them before") {
    constexpr uint64_t kPixels = Layers::kPixels;
    const auto fragmentsOf = [](const std::vector<Layers::Kind>& kinds) {
        Layers layers;
        float depth = 0.9f;
        for (const Layers::Kind& kind : kinds) layers.draw({depth -= 0.01f}, kind);
        return layers.shaded();
    };
    CHECK(fragmentsOf({{}, {}, {}}) == kPixels);
    CHECK(fragmentsOf({{}, {.sharesState = true}, {.sharesState = true}}) == kPixels);
    CHECK(fragmentsOf({{}, {.blend = true}, {}}) == 3 * kPixels);
    CHECK(fragmentsOf({{}, {}, {.readsColor = true}}) == 2 * kPixels);
    // Alpha of the first is seen; the second writes less than the third.
    CHECK(fragmentsOf({{}, {.colorMask = 0b0111}}) == 2 * kPixels);
    CHECK(fragmentsOf({{.colorMask = 0b0111}, {}}) == kPixels);
    // A mask of none is a draw of depth alone, which does not look at colours.
    CHECK(fragmentsOf({{}, {.colorMask = 0}, {}}) == kPixels);

    SUBCASE("what waits is behind") {
        Layers layers;
        layers.draw({0.5f}, {});
        layers.draw({0.7f}, {});
        CHECK(layers.shaded() == kPixels);
    }
    SUBCASE("a clear in between") {
        for (const bool color : {false, true}) {
            Layers layers;
            layers.draw({0.5f}, {});
            layers.clear(color);
            layers.draw({0.7f}, {});
            CHECK(layers.shaded() == 2 * kPixels);
        }
    }
    SUBCASE("more states than stay prepared, of which all are seen") {
        Layers layers;
        for (int i = 0; i < 40; ++i)
            layers.draw({0.9f - 0.01f * static_cast<float>(i)},
                        {.colorMask = static_cast<uint8_t>(i < 16 ? 0b0111 : 0xF), .top = i});
        // The rows from the first layer's, from the 17th's and from the 33rd's on.
        CHECK(layers.shaded() == (64 + 48 + 32) * 128);
    }
    SUBCASE("more primitives than have numbers") {
        Layers layers;
        float depth = 1;
        for (int i = 0; i < 41; ++i) {
            std::vector<float> depths(i == 0 ? 7 : 20);
            for (float& one : depths) one = depth -= 0.001f;
            layers.draw(depths, {.sharesState = i % 3 != 0, .top = i, .hasSmall = true});
        }
        // No more than 255 primitives wait: rows from layers 0, 13, 25 and 37 on. Small ones of layers from 13 on are
        // over what has been shaded.
        CHECK(layers.shaded() == (64 + 51 + 39 + 27) * 128 + 28 * 9);
    }
}
