// Whole tiles: random scenes of clears and draws in random state, against a scalar model that follows the
// specification's order pixel by pixel; on every SIMD level the host has. The fragment programs are functions here.
#include "pipeline/raster/raster.h"

#include "base/limits.h"
#include "pipeline/testing/raster_random.h"

using namespace tessera;
using namespace tessera::pipeline;
using namespace tessera::pipeline::test;

TEST_CASE("random scenes equal the scalar model on every SIMD level") {
    const std::vector<RasterFunctions> levels = hostLevels();
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
            const Behaviour behaviour = {chance(random, 3), chance(random, 5), chance(random, 2), below(random, 8),
                                         chance(random, 3)};
            Draw draw;
            draw.state->program = programOf(behaviour);
            draw.state->pixel = randomState(random);
            draw.occlusion = std::make_shared<OcclusionCounter>();
            PrimitiveChunk chunk = primitivesFor(behaviour, random, width, height);
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

TEST_CASE("frames that clear what is known of their tiles equal the scalar model") {
    int cleared = 0;
    for (int round = 0; round < 40; ++round) {
        Random random(static_cast<unsigned>(round));
        const int width = 1 + below(random, 150), height = 1 + below(random, 150);
        const RenderTarget start = randomTarget(random, width, height);
        const RenderTarget expected = copyOf(start);
        std::vector<RenderTarget> targets;
        const std::vector<RasterFunctions> levels = hostLevels();
        for (size_t level = 0; level < levels.size(); ++level) targets.push_back(copyOf(start));
        std::vector<Clear> clears;
        for (int i = 0; i < 2; ++i) {
            clears.push_back(randomClear(random, width, height));
            clears.back().scissorTest = false;
            clears.push_back(clears.back());  // of a part, to the same values
            clears.back().scissorTest = true;
        }
        for (int frame = 0; frame < 8; ++frame) {
            World world(width, height);
            for (int i = 0; i < 5; ++i) {
                if (chance(random, 2)) {
                    world.add(clears[below(random, static_cast<int>(clears.size()))]);
                    modelClear(expected, *world.clears.back());
                    ++cleared;
                    continue;
                }
                const Behaviour behaviour = {chance(random, 3), chance(random, 5), chance(random, 2), below(random, 8),
                                             chance(random, 3)};
                Draw draw;
                draw.state->program = programOf(behaviour);
                draw.state->pixel = randomState(random);
                PrimitiveChunk chunk = primitivesFor(behaviour, random, width, height);
                // Mostly in a few squares of a tile.
                for (SetupPrimitive& primitive : chunk.primitives) {
                    if (chance(random, 8)) continue;
                    PixelBounds pixels = primitive.pixels();
                    pixels.maxX = std::min(pixels.maxX, pixels.minX + below(random, 40));
                    pixels.maxY = std::min(pixels.maxY, pixels.minY + below(random, 40));
                    primitive.setPixels(pixels);
                }
                (void)modelDraw(expected, draw, behaviour, chunk);
                world.add(std::move(draw), std::move(chunk));
            }
            for (size_t level = 0; level < levels.size(); ++level) {
                static_cast<RenderTarget&>(world.scene.target) = targets[level];
                beginTiles(targets[level]);
                world.render(levels[level]);
                CAPTURE(round);
                CAPTURE(frame);
                CAPTURE(level);
                REQUIRE(same(targets[level].color[0], expected.color[0]));
                REQUIRE(same(targets[level].color[1], expected.color[1]));
                REQUIRE(same(targets[level].depth, expected.depth));
                REQUIRE(same(targets[level].stencil, expected.stencil));
            }
        }
    }
    CHECK(cleared > 500);
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
        draw.state->program = programOf(program, std::move(function));
        PrimitiveChunk chunk;
        chunk.primitives.assign(primitives.begin(), primitives.end());
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
    draw.state->program =
        programOf(world.program, [](isa::GroupRun& run) { copySpecial(run, isa::Special::FragCoord); });
    draw.state->pixel.depthTest = true;
    draw.state->pixel.depthCompare = Compare::NotEqual;
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
    SceneUndo undo;
    undo.tiles.resize(1);
    world.world.scene.undo = &undo;
    world.draw({rectangle(0, 0, 63, 63)}, [&](isa::GroupRun& run) {
        ++groups;
        CHECK(run.budget == instructionBudget());
        run.budgetExceeded = true;
        copySpecial(run, isa::Special::FragCoord);
    });
    CHECK(undo.firstOverrun == 0);
    CHECK(groups == 1);
    CHECK(world.at(1, 1, 0) == 0.0f);
    // It costs tiles that will be drawn again nothing.
    undo.tiles[0].isSaved = true;
    RasterStats other;
    rasterTile(world.world.scene, 0, 0, other);
    CHECK(groups == 1);
}

TEST_CASE("a program nobody sees is not run, its depth and samples count") {
    World world(64, 64);
    world.scene.target.depth = std::make_shared<Image>(PixelFormat::Depth24, 64, 64);
    isa::Program program;
    program.stage = isa::Stage::Fragment;
    program.outputMask = 1;
    Draw draw;
    draw.state->program = programOf(program, [](isa::GroupRun&) { FAIL("run"); });
    draw.state->pixel.depthTest = true;
    draw.state->pixel.depthCompare = Compare::Always;
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
    clear.colorMask[0] = 0xB;
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
