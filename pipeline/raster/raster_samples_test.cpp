// Multisampling. A target of four samples holds what four targets of one would, each with everything moved so that its
// sample lies at the pixel's centre: the scalar model of the single-sample tests serves, one sample at a time. Beside
// it: where pixels are shaded, masks, and the GPU's commands. What is covered:
// pipeline/coverage/sample_coverage_test.cpp.
#include "pipeline/pixel/color_stages.h"
#include "pipeline/testing/raster_random.h"

using namespace tessera;
using namespace tessera::pipeline;
using namespace tessera::pipeline::test;

namespace {

/// Rank of a pixel among 4x4 in Bayer's matrix, by bits: the interleaved bits of y and x ^ y, reversed.
int bayer(int x, int y) {
    const int d = x ^ y;
    return (d & 1) << 3 | (y & 1) << 2 | (d >> 1 & 1) << 1 | (y >> 1 & 1);
}

/// Samples of pixel (x, y) that a fraction covers, by the definition in samples.h.
bool fractionHas(double fraction, int x, int y, int sample) {
    constexpr int kOrder[4] = {0, 3, 1, 2};
    const int count = static_cast<int>(std::floor(4 * fraction + (bayer(x & 3, y & 3) + 0.5) / 16));
    for (int i = 0; i < count; ++i) {
        if (kOrder[i] == sample) return true;
    }
    return false;
}

ModelSample modelSample(int sample) {
    ModelSample model;
    model.x = kFromCenter[sample][0], model.y = kFromCenter[sample][1];
    model.inMask = [sample](const PixelState& state, int x, int y, double alpha) {
        if (state.alphaToCoverage && !fractionHas(alpha, x, y, sample)) return false;
        return !state.sampleCoverage ||
               fractionHas(state.sampleCoverageValue, x, y, sample) != state.sampleCoverageInvert;
    };
    return model;
}

bool samePlanes(const RenderTarget& target, const RenderTarget (&expected)[4]) {
    bool equal = true;
    for (int sample = 0; sample < 4; ++sample) {
        const RenderTarget plane = planeOf(target, sample);
        for (int i = 0; i < kMaxColorTargets; ++i) equal &= same(plane.color[i], expected[sample].color[i]);
        equal &= same(plane.depth, expected[sample].depth) && same(plane.stencil, expected[sample].stencil);
    }
    return equal;
}

uint32_t sampleWord(const Image& image, int sample, int x, int y) {
    uint32_t word;
    std::memcpy(&word, image.sampleBlock(sample, x / 4, y / 4) + (y % 4 * 4 + x % 4) * 4, 4);
    return word;
}

RenderTarget targetOf(int size, int samples, PixelFormat depth = PixelFormat::None) {
    RenderTarget target;
    target.width = target.height = size;
    target.color[0] = std::make_shared<Image>(PixelFormat::Rgba8, size, size, samples);
    if (depth != PixelFormat::None) {
        target.depth = target.stencil = std::make_shared<Image>(depth, size, size, samples);
    }
    return target;
}

void execute(int threads, std::vector<Command> commands) {
    Gpu gpu(nullptr, threads);
    CommandBuffer buffer;
    buffer.commands = std::move(commands);
    gpu.wait(gpu.submit(std::move(buffer)));
}

}  // namespace

TEST_CASE("blocks that primitives of a draw overwrite whole are shaded once, after what covers a part of them before") {
    uint64_t waited = 0, all = 0;
    for (int round = 0; round < 40; ++round) {
        Random random(static_cast<unsigned>(round));
        constexpr int kSize = 90;
        World world(kSize, kSize);
        const RenderTarget start = targetOf(kSize, 4, PixelFormat::Depth24Stencil8);
        RenderTarget expected[4];
        for (int sample = 0; sample < 4; ++sample) expected[sample] = planeOf(start, sample);
        const Behaviour behaviour = {.integers = round % 2 != 0};
        const std::shared_ptr<Program> program = programOf(behaviour);
        for (int i = 0; i < 2; ++i) {
            Draw draw;
            draw.state->program = program;
            draw.state->pixel.depthTest = draw.state->pixel.depthWrite = chance(random, 2);
            draw.state->pixel.depthCompare = chance(random, 2) ? Compare::GreaterEqual : Compare::Less;
            TargetState& target = draw.state->pixel.target[0];
            target.blend = chance(random, 8);
            target.dstRgb = target.dstAlpha = BlendFactor::One;
            PrimitiveChunk chunk = primitivesFor(behaviour, random, kSize, kSize);
            for (int sample = 0; sample < 4; ++sample)
                modelDraw(expected[sample], draw, behaviour, chunk, modelSample(sample));
            world.add(std::move(draw), std::move(chunk));
        }
        for (const RasterFunctions& functions : hostLevels()) {
            CAPTURE(round);
            for (const bool waits : {false, true}) {
                CAPTURE(waits);
                program->stages[isa::Stage::Fragment].facts.mayOverrun = !waits;
                world.scene.target = copyOf(start);
                (waits ? waited : all) += world.render(functions).fragments;
                CHECK(samePlanes(world.scene.target, expected));
            }
        }
    }
    CHECK(all > 100000);
    CHECK(10 * waited < 9 * all);
}

TEST_CASE("random multisampled scenes equal the scalar model, sample by sample, on every SIMD level") {
    const std::vector<RasterFunctions> levels = hostLevels();
    uint64_t drawn = 0;
    for (int round = 0; round < 120; ++round) {
        Random random(static_cast<unsigned>(1000 + round));
        const int width = 1 + below(random, 100), height = 1 + below(random, 80);
        World world(width, height);
        const RenderTarget start = randomTarget(random, width, height, 4);
        if (start.samples() != 4) continue;  // no image at all
        RenderTarget expected[4];
        for (int sample = 0; sample < 4; ++sample) expected[sample] = planeOf(start, sample);
        std::vector<std::shared_ptr<OcclusionCounter>> counters;
        std::vector<uint64_t> expectedSamples;
        const int commands = 2 + below(random, 8);
        for (int i = 0; i < commands; ++i) {
            if (chance(random, 4)) {
                const Clear clear = randomClear(random, width, height);
                for (const RenderTarget& one : expected) modelClear(one, clear);
                world.add(clear);
                continue;
            }
            const Behaviour behaviour = {chance(random, 4), chance(random, 5), chance(random, 2), below(random, 8),
                                         chance(random, 3)};
            Draw draw;
            const std::shared_ptr<Program> program = programOf(behaviour);
            program->stages[isa::Stage::Fragment].facts.mayOverrun = chance(random, 2);
            draw.state->program = program;
            draw.state->pixel = randomState(random);
            draw.state->pixel.alphaToCoverage = chance(random, 3);
            draw.state->pixel.sampleCoverage = chance(random, 3);
            draw.state->pixel.sampleCoverageInvert = chance(random, 2);
            draw.state->pixel.sampleCoverageValue = eighths(random);
            draw.occlusion = std::make_shared<OcclusionCounter>();
            PrimitiveChunk chunk = primitivesFor(behaviour, random, width, height);
            counters.push_back(draw.occlusion);
            expectedSamples.push_back(0);
            for (int sample = 0; sample < 4; ++sample) {
                expectedSamples.back() += modelDraw(expected[sample], draw, behaviour, chunk, modelSample(sample));
            }
            drawn += expectedSamples.back();
            world.add(std::move(draw), std::move(chunk));
        }
        for (size_t level = 0; level < levels.size(); ++level) {
            world.scene.target = copyOf(start);
            for (auto& counter : counters) counter->samples = 0;
            world.render(levels[level]);
            CAPTURE(round);
            CAPTURE(level);
            CHECK(samePlanes(world.scene.target, expected));
            for (size_t i = 0; i < counters.size(); ++i) CHECK(counters[i]->samples == expectedSamples[i]);
        }
    }
    CHECK(drawn > 100000);
}

namespace {

struct ShadingPlaces {
    int centers = 0, edges = 0, wrong = 0;
};

/// Whether a place in a pixel, 0..1, is the mean of some of its samples, to what an attribute's plane may be off.
bool isMeanOfSamples(float x, float y) {
    for (uint32_t samples = 1; samples < 1 << kSamples; ++samples) {
        double meanX = 0, meanY = 0;
        for (int i = 0; i < kSamples; ++i) {
            if ((samples >> i & 1) == 0) continue;
            meanX += kSamplePosition[i].x / 256.0 / std::popcount(samples);
            meanY += kSamplePosition[i].y / 256.0 / std::popcount(samples);
        }
        if (std::abs(x - meanX) < 2e-3 && std::abs(y - meanY) < 2e-3) return true;
    }
    return false;
}

/// Draws random triangles and looks at where their pixels are shaded: where a varying is evaluated that is interpolated
/// as `one` says. Beside it the program reads a smooth one.
ShadingPlaces shadingPlaces(bool usesDerivatives, Interpolation one = Interpolation::Smooth) {
    ShadingPlaces places;
    auto& [centers, edges, wrong] = places;
    Random random(4);
    PassThrough programs;
    auto program = std::make_shared<Program>(*programs.program);
    auto fragment = std::make_shared<isa::Program>(program->fragment());
    fragment->inputMask = 0b11;
    fragment->specialMask = 7;
    fragment->usesDerivatives = usesDerivatives;
    program->varyingSource[1] = 0;
    program->interpolation[0] = one;
    program->stages[isa::Stage::Fragment].program = fragment;
    // The colour's first two components are window x and y in pixels, its third is 1 inside and grows to both sides.
    program->stages[isa::Stage::Fragment].routine = std::make_shared<FunctionRoutine>([&](isa::GroupRun& group) {
        group.outputs[isa::kOutColor0] = group.inputs[0];
        for (int lane = 0; lane < isa::kGroupSize; ++lane) {
            if (((group.activeMask & ~group.helperMask) >> lane & 1) == 0) continue;
            const float x = group.inputs[0].lane[0][lane], y = group.inputs[0].lane[1][lane];
            const float fx = x - std::floor(x), fy = y - std::floor(y);
            if (std::abs(fx - 0.5f) < 1e-3f && std::abs(fy - 0.5f) < 1e-3f) {
                ++centers;
            } else {
                ++edges;
            }
            // At a mean of samples, within the pixel that FragCoord names, and within the attribute's range.
            wrong += !isMeanOfSamples(fx, fy);
            wrong += std::floor(x) + 0.5f != group.specials[0].lane[0][lane];
            wrong += std::floor(y) + 0.5f != group.specials[0].lane[1][lane];
            const auto isCenter = [&](int component) {
                const float value = group.inputs[1].lane[component][lane];
                return std::abs(value - std::floor(value) - 0.5f) < 1e-3f;
            };
            if (usesDerivatives) wrong += !isCenter(0) || !isCenter(1);
            if (usesDerivatives && one == Interpolation::Smooth) continue;
            wrong += !(group.inputs[0].lane[2][lane] >= -1e-4f && group.inputs[0].lane[2][lane] <= 1.0001f);
        }
    });
    std::vector<TestVertex> vertices;
    for (int i = 0; i < 300; ++i) {
        TestVertex vertex{};
        vertex.position[0] = static_cast<float>(below(random, 2000)) / 1000 - 1;
        vertex.position[1] = static_cast<float>(below(random, 2000)) / 1000 - 1;
        vertex.position[3] = 1;
        // Attributes of the rounded position, which is where the corner is drawn.
        vertex.color[0] = std::nearbyint((vertex.position[0] + 1) * 50 * 256) / 256;
        vertex.color[1] = std::nearbyint((vertex.position[1] + 1) * 50 * 256) / 256;
        vertex.color[2] = i % 3 == 0 ? 1.0f : 0.0f;
        vertices.push_back(vertex);
    }
    Draw draw = makeDraw(programs, vertices, 100, 100);
    draw.state->program = program;
    draw.state->target = targetOf(100, 4);
    execute(1, {draw});
    return places;
}

}  // namespace

TEST_CASE("a pixel is shaded inside the primitive, at its centre where that is covered") {
    const ShadingPlaces places = shadingPlaces(false);
    CHECK(places.wrong == 0);
    CHECK(places.centers > 1000);
    CHECK(places.edges > 1000);
}

TEST_CASE("a program that takes derivatives runs at the centres") {
    const ShadingPlaces places = shadingPlaces(true);
    CHECK(places.wrong == 0);
    CHECK(places.centers > 1000);
    CHECK(places.edges == 0);
}

TEST_CASE("centroid varyings are those of a place inside the primitive, also where the program takes derivatives") {
    for (const bool usesDerivatives : {false, true}) {
        const ShadingPlaces places = shadingPlaces(usesDerivatives, Interpolation::Centroid);
        CAPTURE(usesDerivatives);
        CHECK(places.wrong == 0);
        CHECK(places.centers > 1000);
        CHECK(places.edges > 1000);
    }
}

TEST_CASE("intersecting triangles are separated sample by sample") {
    // Two planes z = 0.3 + 0.4 x and z = 0.7 - 0.4 x over the window cross in a slanted line.
    PassThrough programs;
    const auto plane = [](float left, float right, float slant, float red) {
        const auto corner = [&](float x, float y) {
            return TestVertex{{x, y, (x < 0 ? left : right) + slant * y, 1}, {red, 1 - red, 0, 1}};
        };
        return std::vector<TestVertex>{corner(-1, -1), corner(1, -1), corner(1, 1),
                                       corner(-1, -1), corner(1, 1),  corner(-1, 1)};
    };
    const RenderTarget target = targetOf(64, 4, PixelFormat::Depth24Stencil8);
    Clear clear;
    *clear.target = target;
    clear.clearColor = clear.clearDepth = true;
    Draw first = makeDraw(programs, plane(-0.5f, 0.5f, 0.2f, 1), 64, 64);
    Draw second = makeDraw(programs, plane(0.5f, -0.5f, -0.1f, 0), 64, 64);
    for (Draw* draw : {&first, &second}) {
        draw->state->target = target;
        draw->state->pixel.depthTest = true;
        draw->state->pixel.depthCompare = Compare::Less;
    }
    auto resolved = std::make_shared<Image>(PixelFormat::Rgba8, 64, 64);
    execute(2, {clear, first, second, Resolve{target.color[0], resolved}});
    int wrong = 0, mixed = 0;
    for (int pixel = 0; pixel < 64 * 64; ++pixel) {
        int reds = 0;
        for (int sample = 0; sample < 4; ++sample) {
            const double x = (pixel % 64 + 0.5 + kFromCenter[sample][0] / 256.0) / 32 - 1;
            const double y = (pixel / 64 + 0.5 + kFromCenter[sample][1] / 256.0) / 32 - 1;
            const double difference = (0.5 * x + 0.2 * y) - (-0.5 * x - 0.1 * y);
            const bool isRed = (sampleWord(*target.color[0], sample, pixel % 64, pixel / 64) & 0xFF) != 0;
            reds += isRed;
            if (std::abs(difference) > 1e-5) wrong += isRed != (difference < 0);
        }
        mixed += reds != 0 && reds != 4;
        wrong += (resolved->texel32(pixel % 64, pixel / 64) & 0xFF) != static_cast<uint32_t>((reds * 255 + 2) / 4);
    }
    CHECK(wrong == 0);
    CHECK(mixed > 20);
}

TEST_CASE("masks of a fraction are proportional, nested and complemented by the inversion") {
    PixelState state;
    state.sampleCoverage = true;
    uint16_t before[4] = {};
    for (int step = 0; step <= 640; ++step) {
        state.sampleCoverageValue = static_cast<float>(step) / 640;
        state.sampleCoverageInvert = false;
        const PixelValues values = pixelValues(state);
        state.sampleCoverageInvert = true;
        const PixelValues inverted = pixelValues(state);
        int count = 0;
        for (int sample = 0; sample < 4; ++sample) {
            CHECK(values.sampleMask[sample] == static_cast<uint16_t>(~inverted.sampleMask[sample]));
            CHECK((before[sample] & ~values.sampleMask[sample]) == 0);
            before[sample] = values.sampleMask[sample];
            count += std::popcount(values.sampleMask[sample]);
            const Mask16 covered = fractionCovers(splat(state.sampleCoverageValue), sample);
            CHECK(toBits(covered) == values.sampleMask[sample]);  // alpha gives the same
        }
        CHECK(std::abs(count / 64.0 - step / 640.0) <= 0.5 / 64 + 1e-6);
    }
    for (int sample = 0; sample < 4; ++sample) {
        CHECK(toBits(fractionCovers(splat(NAN), sample)) == 0);
        CHECK(toBits(fractionCovers(splat(-1.0f), sample)) == 0);
        CHECK(toBits(fractionCovers(splat(7.0f), sample)) == 0xFFFF);
    }
}

TEST_CASE("the thread count does not change a sample, and reading a multisample image resolves it") {
    PassThrough programs;
    Random random(5);
    std::vector<TestVertex> vertices;
    for (int i = 0; i < 900; ++i) {
        const auto place = [&] { return static_cast<float>(below(random, 2200)) / 1000 - 1.1f; };
        vertices.push_back({{place(), place(), place(), 1}, {place(), place(), place(), 0.5f}});
    }
    std::vector<std::byte> first;
    for (int threads : {1, 4}) {
        const RenderTarget target = targetOf(200, 4, PixelFormat::Depth24Stencil8);
        std::vector<Command> commands;
        Clear clear;
        *clear.target = target;
        clear.clearColor = clear.clearDepth = true;
        clear.color[2] = 0.25f;
        commands.emplace_back(clear);
        for (Primitive primitive : {Primitive::Triangles, Primitive::LineStrip, Primitive::Points}) {
            Draw draw = makeDraw(programs, vertices, 200, 200);
            draw.state->target = target;
            draw.primitive = primitive;
            draw.state->raster.lineWidth = 2.5f;
            draw.state->pixel.depthTest = true;
            TargetState& blending = draw.state->pixel.target[0];
            blending.blend = true;
            blending.srcRgb = BlendFactor::SrcAlpha, blending.dstRgb = BlendFactor::OneMinusSrcAlpha;
            draw.state->pixel.alphaToCoverage = primitive == Primitive::LineStrip;
            commands.emplace_back(draw);
        }
        auto resolved = std::make_shared<Image>(PixelFormat::Rgba8, 200, 200);
        auto copied = std::make_shared<Image>(PixelFormat::Rgba8, 200, 200);
        std::vector<std::byte> read(200 * 200 * 4);
        commands.emplace_back(CopyImage{target.color[0], copied, 0, 0, {0, 0, 200, 200}});
        commands.emplace_back(Resolve{target.color[0], resolved});
        commands.emplace_back(ReadBack{target.color[0],
                                       {0, 0, 200, 200},
                                       {texture::ClientFormat::Rgba, texture::ClientType::U8, 800},
                                       false,
                                       read.data()});
        execute(threads, std::move(commands));
        CHECK(same(resolved, copied));
        std::vector<std::byte> expected(read.size());
        texture::readBack(*resolved, {0, 0, 200, 200}, expected.data(),
                          {texture::ClientFormat::Rgba, texture::ClientType::U8, 800});
        CHECK(read == expected);
        const Image& color = *target.color[0];
        std::vector<std::byte> all(color.block(0, 0), color.block(0, 0) + color.byteCount());
        all.insert(all.end(), target.depth->block(0, 0), target.depth->block(0, 0) + target.depth->byteCount());
        if (first.empty()) first = all;
        CHECK(all == first);
    }
}

TEST_CASE("a target is multisampled when all its images are") {
    RenderTarget target;
    CHECK(target.samples() == 1);
    target.color[0] = std::make_shared<Image>(PixelFormat::Rgba8, 8, 8, 4);
    CHECK(target.samples() == 4);
    target.depth = std::make_shared<Image>(PixelFormat::Depth16, 8, 8);
    CHECK(target.samples() == 1);
    target.depth = std::make_shared<Image>(PixelFormat::Depth16, 8, 8, 4);
    CHECK(target.samples() == 4);
}
