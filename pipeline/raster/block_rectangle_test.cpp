// Rectangles with pictures against groups: random scenes of rectangles whose program shows a picture are rendered with
// what block_rectangle.h makes of them, and by a routine without block code, which runs the program for every pixel and
// asks the texture units for every lookup. Every byte must agree, on every SIMD level.

#include <cmath>

#include "pipeline/testing/raster_random.h"
#include "shader-core/isa/block.h"
#include "shader-core/isa/isa.h"

using namespace tessera;
using namespace tessera::pipeline;
using namespace tessera::pipeline::test;

namespace {

/// v0.xy are the coordinates, v2 and c0 factors.
class PictureRoutine final : public isa::Routine {
public:
    explicit PictureRoutine(const Picture& picture) : picture_(picture) {}
    void run(isa::GroupRun& group) const override {
        group.instructions = picture_.instructions;
        const isa::TextureRequest request = {.mask = group.activeMask,
                                             .coord = {group.inputs[0].lane[0], group.inputs[0].lane[1]}};
        isa::GroupRegister texels{};
        group.textures->sample(picture_.unit, request, texels);
        for (int c = 0; c < 4; ++c) {
            const Picture::Channel& channel = picture_.channel[c];
            for (int lane = 0; lane < isa::kGroupSize; ++lane) {
                float factor = 1;
                if (channel.factor == Picture::Factor::Literal) factor = std::bit_cast<float>(channel.at);
                if (channel.factor == Picture::Factor::Constant) factor = group.constants[0][channel.at];
                if (channel.factor == Picture::Factor::Varying) factor = group.inputs[2].lane[channel.at - 4][lane];
                const bool hasTexel = channel.texel >= 0;
                group.outputs[0].lane[c][lane] = hasTexel ? texels.lane[channel.texel][lane] * factor : factor;
            }
        }
    }
    [[nodiscard]] isa::BlockCode blockCode() const override {
        if (!hasBlocks) return {};
        return {.function = runBlock, .inputComponents = isa::ComponentMasks::all()};
    }

    bool hasBlocks = false;
    static inline std::atomic<int> blocks{0};  ///< that did run the program
    static inline const PictureRoutine* current = nullptr;

private:
    static void runBlock(isa::BlockRun* run) {
        ++blocks;
        // Registers of the block's lanes alone belong to it.
        static thread_local isa::GroupRegister inputs[3], outputs[1];
        const auto at = [](int reg, int c) { return (reg * 4 + c) * isa::kGroupSize; };
        for (int reg : {0, 2})
            for (int c = 0; c < 4; ++c) std::copy_n(run->inputs + at(reg, c), kBlockLanes, inputs[reg].lane[c]);
        isa::GroupRun group = {.activeMask = run->launch, .inputs = inputs, .outputs = outputs};
        group.constants = reinterpret_cast<const float(*)[4]>(run->constants);
        group.textures = run->textures;
        current->run(group);
        for (int c = 0; c < 4; ++c) std::copy_n(outputs[0].lane[c], kBlockLanes, run->outputs + at(0, c));
        run->instructions = group.instructions;
        run->kill = 0;
        run->stopped = isa::Stop::Finished;
    }

    const Picture picture_;
};

Picture randomPicture(Random& random) {
    Picture picture;
    picture.instructions = 3;
    picture.hasLookup = true;
    picture.s = 0, picture.t = 1;
    const bool isEach = chance(random, 2), isCoverage = !isEach && chance(random, 2);
    for (int c = 0; c < 4; ++c) {
        Picture::Channel& channel = picture.channel[c];
        channel.texel = static_cast<int8_t>(isEach ? c : isCoverage ? 3 : below(random, 5) - 1);
        channel.factor = static_cast<Picture::Factor>(below(random, 4));
        if (channel.factor == Picture::Factor::Literal) channel.at = std::bit_cast<uint32_t>(0.6f);
        if (channel.factor == Picture::Factor::Constant) channel.at = static_cast<uint32_t>(below(random, 4));
        if (channel.factor == Picture::Factor::Varying) channel.at = static_cast<uint32_t>(4 + below(random, 4));
    }
    return picture;
}

TextureBinding randomTexture(Random& random) {
    constexpr PixelFormat kFormats[] = {PixelFormat::Rgba8, PixelFormat::Rgba8, PixelFormat::Rgb8, PixelFormat::Alpha8};
    const bool isPower = chance(random, 2);
    const int width = isPower ? 1 << below(random, 7) : 1 + below(random, 90);
    const int height = isPower ? 1 << below(random, 7) : 1 + below(random, 90);
    const PixelFormat format = kFormats[below(random, 4)];
    auto view = std::make_shared<texture::TextureView>();
    view->levels = chance(random, 2) ? 1 : 1 + std::ilogb(std::max(width, height));
    for (int level = 0; level < view->levels; ++level) {
        auto image = std::make_shared<Image>(format, std::max(width >> level, 1), std::max(height >> level, 1));
        for (int y = 0; y < image->height(); ++y)
            for (int x = 0; x < image->width(); ++x) image->setTexel32(x, y, static_cast<uint32_t>(random()));
        view->image[0][level] = image;
    }
    texture::SamplerState state;
    const auto filter = [&] { return chance(random, 3) ? texture::Filter::Nearest : texture::Filter::Linear; };
    state.magFilter = state.minFilter = filter();
    if (chance(random, 2)) state.minFilter = filter();
    state.mipFilter = static_cast<texture::MipFilter>(below(random, 3));
    state.wrapS = static_cast<texture::Wrap>(below(random, 4)),
    state.wrapT = static_cast<texture::Wrap>(below(random, 4));
    return {view, state};
}

/// A coordinate along one axis: texels a pixel, often one or minus one, and often on texels' centres.
Plane randomCoordinate(Random& random, int size, bool isAcross) {
    double texels = std::exp2(static_cast<double>(below(random, 1000)) / 125 - 5);
    if (chance(random, 2)) texels = chance(random, 2) ? 1 : 0.625;
    if (chance(random, 4)) texels = -texels;
    if (chance(random, 16)) texels = 0;
    double start = static_cast<double>(below(random, 4 * size)) - size;
    if (chance(random, 2)) start += static_cast<double>(below(random, 256)) / 256;
    const auto slope = static_cast<float>(texels / size), base = static_cast<float>(start / size);
    const float zero = chance(random, 2) ? 0.0f : -0.0f;
    return isAcross ? Plane{base, slope, zero} : Plane{base, zero, slope};
}

/// The last one has no short form.
void mixBlending(Random& random, TargetState& state, bool isPlain) {
    constexpr BlendFactor kFactors[][2] = {{BlendFactor::SrcAlpha, BlendFactor::OneMinusSrcAlpha},
                                           {BlendFactor::One, BlendFactor::OneMinusSrcAlpha},
                                           {BlendFactor::SrcAlpha, BlendFactor::One},
                                           {BlendFactor::One, BlendFactor::One},
                                           {BlendFactor::DstColor, BlendFactor::Zero}};
    const auto& [source, destination] = kFactors[below(random, isPlain ? 4 : 5)];
    state.blend = chance(random, 2);
    state.colorMask = chance(random, 8) ? static_cast<uint8_t>(below(random, 16)) : 0xF;
    state.srcRgb = state.srcAlpha = source, state.dstRgb = state.dstAlpha = destination;
}

struct PictureWorld {
    World world;
    std::vector<std::shared_ptr<PictureRoutine>> routines;

    PictureWorld(int width, int height) : world(width, height) {}

    /// `isPlain`: nothing but what pictures do.
    void addDraw(Random& random, int width, int height, bool isPlain) {
        const Picture picture = randomPicture(random);
        auto fragment = std::make_shared<isa::Program>();
        fragment->stage = isa::Stage::Fragment;
        fragment->inputMask = 0b101, fragment->outputMask = 1;
        fragment->usesDerivatives = true;
        auto program = std::make_shared<Program>();
        routines.push_back(std::make_shared<PictureRoutine>(picture));
        program->stages[isa::Stage::Fragment] = {
            .program = fragment,
            .routine = routines.back(),
            .facts = {.mayOverrun = false, .derivesInLoops = false, .picture = picture}};
        if (chance(random, 2)) program->interpolation[2] = Interpolation::Flat;
        if (!isPlain && chance(random, 16)) program->interpolation[0] = Interpolation::Flat;
        Draw draw;
        draw.state->program = program;
        draw.state->pixel = isPlain || chance(random, 2) ? PixelState{} : randomState(random);
        mixBlending(random, draw.state->pixel.target[0], isPlain);
        if (isPlain) draw.state->pixel.target[0].colorMask = 0xF;
        const TextureBinding texture = randomTexture(random);
        draw.state->textures[isa::Stage::Fragment] = {texture};
        const texture::Image& image = *texture.view->image[0][0];
        PrimitiveChunk chunk;
        for (int count = 1 + below(random, 5); count > 0; --count) {
            const int x = below(random, width), y = below(random, height);
            SetupPrimitive primitive = rectangle(x, y, std::min(width - 1, x + below(random, 80)),
                                                 std::min(height - 1, y + below(random, 80)));
            primitive.edgeCount = 0;
            if (!isPlain && chance(random, 4)) {
                primitive.edgeCount = 3;
                for (int e = 0; e < 3; ++e)
                    primitive.edge[e] = {256 * (below(random, 9) - 4), 256, 256 * below(random, 99)};
            }
            primitive.originX = (primitive.minX + primitive.maxX) / 2,
            primitive.originY = (primitive.minY + primitive.maxY) / 2;
            primitive.depth = {eighths(random), 0, 0};
            constexpr float kInverseW[] = {1, 0.5f, 3, 0.3f};
            primitive.inverseW = {kInverseW[below(random, 4)], 0, 0};
            if (!isPlain && chance(random, 8)) primitive.inverseW = {eighths(random), 1.0f / 512, 0};
            primitive.firstPlane = static_cast<uint32_t>(chunk.planes.size());
            chunk.planes.push_back(randomCoordinate(random, image.width(), isPlain || !chance(random, 16)));
            chunk.planes.push_back(randomCoordinate(random, image.height(), !isPlain && chance(random, 16)));
            chunk.planes.insert(chunk.planes.end(), {{5, 1, 1}, {6, 1, 1}});
            for (int c = 0; c < 4; ++c)
                chunk.planes.push_back({eighths(random) * 1.25f, !isPlain && chance(random, 16) ? 0.01f : 0.0f, 0});
            chunk.primitives.push_back(primitive);
        }
        world.add(std::move(draw), std::move(chunk));
        world.scene.draws.back()->ownConstants = {
            {eighths(random), eighths(random) * 1.5f, eighths(random) - 0.25f, eighths(random)}};
        world.scene.draws.back()->fragmentConstants = world.scene.draws.back()->ownConstants;
    }

    RenderTarget render(const RasterFunctions& functions, const RenderTarget& start, bool blocks) {
        for (auto& routine : routines) routine->hasBlocks = blocks;
        PictureRoutine::current = routines.front().get();
        world.scene.target = copyOf(start);
        world.render(functions);
        return world.scene.target;
    }
};

bool sameBytes(const ImagePtr& a, const ImagePtr& b) {
    return a == nullptr || std::memcmp(a->block(0, 0), b->block(0, 0), a->byteCount()) == 0;
}

/// One draw, as block code does not know which routine it is of.
void compare(unsigned seed, bool isPlain) {
    Random random(seed);
    const int width = 1 + below(random, 140), height = 1 + below(random, 100);
    PictureWorld world(width, height);
    RenderTarget start = randomTarget(random, width, height);
    start.color[1] = nullptr;
    if (isPlain || chance(random, 2))
        start.color[0] =
            std::make_shared<Image>(chance(random, 2) ? PixelFormat::Rgba8 : PixelFormat::Rgb8, width, height);
    if (isPlain) start.depth = start.stencil = nullptr;
    world.addDraw(random, width, height, isPlain);
    const std::vector<RasterFunctions> levels = hostLevels();
    const RenderTarget expected = world.render(levels[0], start, false);
    for (size_t level = 0; level < levels.size(); ++level) {
        const RenderTarget got = world.render(levels[level], start, true);
        CAPTURE(seed);
        CAPTURE(level);
        CHECK(sameBytes(got.color[0], expected.color[0]));
        CHECK(sameBytes(got.depth, expected.depth));
        CHECK(sameBytes(got.stencil, expected.stencil));
    }
}

}  // namespace

TEST_CASE("rectangles with pictures give the bytes of groups, on every SIMD level") {
    for (unsigned round = 0; round < 3000; ++round) compare(100000 + round, false);
}

#if defined(__x86_64__)
TEST_CASE("pictures that lie straight need no program") {
    PictureRoutine::blocks = 0;
    for (unsigned round = 0; round < 1500; ++round) compare(200000 + round, true);
    // Those of few blocks go with other small primitives, and need it: of some 500,000 blocks on each level.
    CHECK(PictureRoutine::blocks.load() < 10000);
}
#endif
