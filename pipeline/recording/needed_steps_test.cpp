// Frames of a recorded stream that are executed alone: what they depend on is executed, and little else.
#include "pipeline/recording/needed_steps.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>

#include "pipeline/command/command_buffer.h"
#include "pipeline/command/gpu.h"
#include "pipeline/recording/encode.h"
#include "pipeline/recording/replay.h"
#include "pipeline/testing/geometry.h"
#include "pipeline/testing/programs.h"
#include "shader-core/interp/interpreter.h"

using namespace tessera;
using namespace tessera::pipeline;
using namespace tessera::pipeline::test;
using texture::Image;
using texture::ImagePtr;
using texture::PixelFormat;

namespace {

constexpr int kSize = 24;

/// What commands are made of: a surface, a target with samples, a picture, a small mipmap.
struct World {
    std::shared_ptr<isa::Executor> executor = interp::makeInterpreter();
    ImagePtr color = std::make_shared<Image>(PixelFormat::Rgba8, kSize, kSize),
             depth = std::make_shared<Image>(PixelFormat::Depth24Stencil8, kSize, kSize),
             samples = std::make_shared<Image>(PixelFormat::Rgba8, kSize, kSize, 4),
             picture = std::make_shared<Image>(PixelFormat::Rgba8, kSize, kSize);
    ImagePtr levels[2] = {std::make_shared<Image>(PixelFormat::Rgba8, 8, 8),
                          std::make_shared<Image>(PixelFormat::Rgba8, 4, 4)};
    std::shared_ptr<Program> plain = linked(false), textured = linked(true);

    std::shared_ptr<Program> linked(bool isTextured) {
        auto program = std::make_shared<Program>();
        program->name = isTextured ? 2 : 1;
        program->stages[isa::Stage::Vertex].program = assembled(
            ".vertex\n.input v0 place vec4\n.input v1 tint vec4\n.output o2 color vec4\nmov o0, v0\nmov o2, v1\nret\n");
        program->stages[isa::Stage::Fragment].program = assembled(
            isTextured
                ? ".fragment\n.input v0 color vec4\n.sampler t0 image 2d\ntex r0, v0, t0, 2d\nadd o0, r0, v0\nret\n"
                : ".fragment\n.input v0 color vec4\nmov o0, v0\nret\n");
        for (const isa::Stage one : kDrawStages) {
            program->stages[one].routine = executor->prepare(program->stages[one].program);
            program->stages[one].facts.mayOverrun = false;
        }
        return program;
    }

    [[nodiscard]] Draw draw(const ImagePtr& target, float tint = 0.5f, const ImagePtr& texture = nullptr) const {
        PassThrough none;
        const std::vector<TestVertex> vertices = {{{-0.9f, -0.8f, -0.3f, 1}, {tint, 0, 1, 1}},
                                                  {{0.8f, -0.9f, tint - 0.5f, 1}, {1, tint, 0, 1}},
                                                  {{0.2f, 0.9f, 0.4f, 1}, {0, 1, tint, 0.5f}}};
        Draw draw = makeDraw(none, vertices, kSize, kSize);
        draw.state->program = texture ? textured : plain;
        draw.state->target.color[0] = target;
        if (target->samples() == 1) draw.state->target.depth = draw.state->target.stencil = depth;
        if (texture) {
            auto view = std::make_shared<texture::TextureView>();
            view->identity = 7;
            view->levels = 1;
            view->image[0][0] = texture;
            draw.state->textures[isa::Stage::Fragment] = {{std::move(view), {}}};
        }
        return draw;
    }
    [[nodiscard]] Clear clear(bool isColor, bool isDepth, bool isStencil = false) const {
        Clear clear;
        *clear.target = {kSize, kSize, {color}, depth, depth};
        clear.clearColor = isColor;
        clear.clearDepth = isDepth;
        clear.clearStencil = isStencil;
        return clear;
    }
    [[nodiscard]] Upload upload(const ImagePtr& image, Rect rect) const {
        const std::vector<uint32_t> texels(size_t{kSize} * kSize, 0xFF80C020u);
        return {image,
                rect,
                {texture::ClientFormat::Rgba, texture::ClientType::U8, 4 * size_t{kSize}},
                bufferOf(texels.data(), texels.size() * 4)};
    }
};

/// Numbers of the steps that the frame needs, apart from the ends of frames.
std::vector<size_t> needs(const std::vector<Command>& commands, size_t frame) {
    CommandStream stream;
    for (const Command& command : commands) stream.steps.emplace_back(command);
    const std::vector<bool> needed =
        neededSteps(stream, [frame](size_t one) { return one == frame; }, SurfaceStart::AsItEnded);
    std::vector<size_t> list;
    for (size_t i = 0; i < needed.size(); ++i)
        if (needed[i] && !std::holds_alternative<EndFrame>(commands[i])) list.push_back(i);
    return list;
}
using List = std::vector<size_t>;

}  // namespace

TEST_CASE("a frame that clears what it draws to needs no other") {
    const World world;
    Draw tested = world.draw(world.color);
    tested.state->pixel.depthTest = true;
    const EndFrame end{world.color};
    const std::vector<Command> whole = {world.clear(true, true), tested, end, world.clear(true, true), tested, end};
    CHECK(needs(whole, 1) == List{0, 1});
    CHECK(needs(whole, 2) == List{3, 4});
    CHECK(needs(whole, 3).empty());

    // Depths that stay decide about the next frame's pixels.
    const std::vector<Command> depthStays = {world.clear(true, true),  tested, end,
                                             world.clear(true, false), tested, end};
    CHECK(needs(depthStays, 2) == List{0, 1, 3, 4});
    // Without the test they do not.
    const std::vector<Command> untested = {world.clear(true, true), tested, end, world.clear(true, false),
                                           world.draw(world.color), end};
    CHECK(needs(untested, 2) == List{3, 4});
}

TEST_CASE("depth and stencil of one image are told apart") {
    const World world;
    Draw depth = world.draw(world.color), stencil = world.draw(world.color);
    depth.state->pixel.depthTest = stencil.state->pixel.stencilTest = true;
    depth.state->pixel.target[0].colorMask = stencil.state->pixel.target[0].colorMask = 0;
    Draw both = world.draw(world.color);
    both.state->pixel.stencilTest = true;
    const EndFrame end{world.color};
    const std::vector<Command> commands = {depth, stencil, end, world.clear(true, true), both, end};
    CHECK(needs(commands, 2) == List{1, 3, 4});
    CHECK(needs({depth, stencil, end, world.clear(true, true, true), both, end}, 2) == List{3, 4});
}

TEST_CASE("what is written in part leaves something of what was there") {
    const World world;
    const EndFrame end{world.color};
    const Draw draw = world.draw(world.color);
    Clear part = world.clear(true, false);
    part.scissorTest = true;
    part.scissor = {0, 0, 3, 3};
    Clear masked = world.clear(true, false);
    masked.colorMask[0] = 7;
    Clear smaller = world.clear(true, false);
    smaller.target->width = kSize - 1;
    for (const Clear& clear : {part, masked, smaller}) CHECK(needs({draw, end, clear, end}, 2) == List{0, 2});
    CHECK(needs({draw, end, world.clear(true, false), end}, 2) == List{2});
    CHECK(needs({draw, end, world.upload(world.color, {0, 0, kSize, kSize - 1}), end}, 2) == List{0, 2});
    CHECK(needs({draw, end, world.upload(world.color, {0, 0, kSize, kSize}), end}, 2) == List{2});
}

TEST_CASE("pictures that are drawn or uploaded once are there for all frames that show them") {
    const World world;
    const EndFrame end{world.color};
    const Clear clear = world.clear(true, false);
    const Draw draw = world.draw(world.color, 0.5f, world.picture), other = world.draw(world.color);
    const std::vector<Command> commands = {world.upload(world.levels[0], {0, 0, 8, 8}),
                                           world.draw(world.picture, 0.5f, world.levels[0]),
                                           end,
                                           clear,
                                           other,
                                           end,
                                           clear,
                                           draw,
                                           end};
    CHECK(needs(commands, 1).empty());  // it shows what the surface held
    CHECK(needs(commands, 2) == List{3, 4});
    CHECK(needs(commands, 3) == List{0, 1, 6, 7});
    CHECK(needs({world.draw(world.samples), Resolve{world.samples, world.color}, end, clear, end,
                 Resolve{world.samples, world.color}, end},
                3) == List{0, 5});
}

TEST_CASE("a surface may be supposed to be drawn anew where it is compared") {
    const World world;
    const Draw draw = world.draw(world.color);
    const Command end = EndFrame{world.color};
    const auto needed = [](const CommandStream& stream) {
        return neededSteps(stream, [](size_t frame) { return frame == 2; }, SurfaceStart::Unknown);
    };
    CommandStream stream;
    const CommandStream::Expectation is{world.color, nullptr, 0};
    stream.steps = {Command(draw), end, is, Command(draw), end, is};
    CHECK(needed(stream) == std::vector<bool>{false, false, false, true, true, true});
    // It is not compared in the frame that shows it again.
    stream.steps = {Command(draw), end, is, end};
    CHECK(needed(stream) == std::vector<bool>{true, false, false, true});
    // Another image is not the surface.
    stream.steps = {Command(world.draw(world.picture)), end, Command(world.draw(world.picture)), end,
                    CommandStream::Expectation{world.picture, nullptr, 0}};
    CHECK(needed(stream) == std::vector<bool>{true, false, true, true, true});
}

TEST_CASE("buffers are what kernels before have left in them") {
    const BufferPtr a = std::make_shared<Buffer>(64), b = std::make_shared<Buffer>(64),
                    c = std::make_shared<Buffer>(64);
    Dispatch dispatch;
    dispatch.buffers = {a, nullptr, b};
    CommandStream stream;
    const std::byte bytes[64] = {};
    stream.steps = {Command(dispatch),
                    Command(CopyBuffer{c, a, 0, 0, 32}),
                    Command(EndFrame{}),
                    CommandStream::Contents{nullptr, a, bytes},
                    Command(CopyBuffer{b, c, 0, 0, 32}),
                    Command(dispatch),
                    CommandStream::Expectation{nullptr, c, 0}};
    CHECK(frameCount(stream) == 2);
    const auto isNeeded = [&stream](size_t wanted) {
        return neededSteps(stream, [wanted](size_t frame) { return frame == wanted; }, SurfaceStart::AsItEnded);
    };
    CHECK(isNeeded(1) == std::vector<bool>{false, false, true, false, false, false, false});
    CHECK(isNeeded(2) == std::vector<bool>{true, false, false, false, true, false, true});
}

TEST_CASE("draws and uploads need what was written to their buffers before, and packed pixels what was drawn") {
    const World world;
    const BufferPtr vertices = std::make_shared<Buffer>(96), indices = std::make_shared<Buffer>(12),
                    packed = std::make_shared<Buffer>(size_t{kSize} * kSize * 4),
                    other = std::make_shared<Buffer>(1000);
    Draw draw = world.draw(world.color);
    draw.state->attributes[1].data = vertices;
    Draw indexed = world.draw(world.color);
    indexed.indices = indices;
    Upload upload = world.upload(world.picture, {0, 0, kSize, kSize});
    upload.pixels = packed;
    const PackPixels pack{world.color, {0, 0, kSize, 5}, upload.layout, false, packed};
    const EndFrame end{world.color};
    const std::vector<Command> commands = {CopyBuffer{other, vertices, 0, 0, 96},
                                           CopyBuffer{other, indices, 0, 0, 4},
                                           world.clear(true, true),
                                           end,
                                           world.clear(true, true),
                                           draw,
                                           end,
                                           world.clear(true, true),
                                           indexed,
                                           pack,
                                           end,
                                           CopyBuffer{other, packed, 0, 0, 1000},
                                           world.clear(true, true),
                                           upload,
                                           world.draw(world.color, 0.5f, world.picture),
                                           end};
    CHECK(needs(commands, 1) == List{2});
    CHECK(needs(commands, 2) == List{0, 4, 5});
    CHECK(needs(commands, 3) == List{1, 7, 8});
    CHECK(needs(commands, 4) == List{1, 7, 8, 9, 11, 12, 13, 14});
    std::vector<Command> whole = commands;  // what is overwritten does not matter
    whole[11] = CopyBuffer{std::make_shared<Buffer>(packed->size()), packed, 0, 0, packed->size()};
    CHECK(needs(whole, 4) == List{11, 12, 13, 14});
}

TEST_CASE("a stream-out goes on where those before it ended, and what it wrote is read") {
    const World world;
    const BufferPtr vertices = std::make_shared<Buffer>(1000);
    StreamOut out;
    out.layout.parts = {{isa::kOutPosition, 0, 4, 0, 0}};
    out.layout.stride[0] = 16;
    out.ranges[0] = {vertices, 0, 1000};
    out.place = std::make_shared<StreamOutPlace>();
    Draw captures = world.draw(world.color);
    captures.streamOut = std::make_shared<StreamOut>(out);
    captures.state->raster.discard = true;
    Draw other = captures;
    out.place = std::make_shared<StreamOutPlace>();
    out.ranges[0].buffer = std::make_shared<Buffer>(1000);
    other.streamOut = std::make_shared<StreamOut>(out);
    Draw drawn = world.draw(world.color);
    drawn.state->attributes[1].data = vertices;
    const EndFrame end{world.color};
    const std::vector<Command> commands = {
        captures, other, world.clear(true, true), end, world.clear(true, true), captures, drawn, end};
    CHECK(needs(commands, 1) == List{2});
    CHECK(needs(commands, 2) == List{0, 4, 5, 6});
}

TEST_CASE("frames of random streams, in parts, are those of the whole stream") {
    World world;
    std::mt19937 random(7);
    const auto chance = [&random](unsigned in) { return random() % in == 0; };
    const ImagePtr targets[] = {world.color, world.color, world.picture, world.samples};
    const auto any = [&]() -> Command {
        const auto place = [&random] { return static_cast<int>(random() % (kSize - 4)); };
        const ImagePtr target = targets[random() % 4];
        switch (random() % 12) {
            case 0: {
                Clear clear = world.clear(!chance(4), !chance(3), chance(3));
                if (chance(3)) *clear.target = {kSize, kSize, {target}, nullptr, nullptr};
                clear.scissorTest = chance(4);
                clear.scissor = {place(), place(), 9, 7};
                clear.color[0] = static_cast<float>(random() % 256) / 255;
                clear.depth = static_cast<float>(random() % 16) / 16;
                clear.stencil = static_cast<uint8_t>(random() % 4);
                if (chance(4)) clear.stencilMask = 1;
                if (chance(5)) clear.colorMask[0] = 5;
                clear.depthMask = !chance(5);
                return clear;
            }
            case 1:
                return world.upload(world.picture, chance(2) ? Rect{0, 0, kSize, kSize} : Rect{place(), 1, 4, 8});
            case 2:
                return world.upload(world.levels[0], {0, 0, 8, chance(2) ? 8 : 5});
            case 3:
                return GenerateMipmap{{{world.levels[0], world.levels[1]}}};
            case 4:
                return CopyImage{world.color, world.picture, place(), place(), {place(), place(), 4, 4}};
            case 5:
                return Blit{world.picture,
                            world.color,
                            {{0, 0, kSize, kSize}, {1, 2, kSize, kSize / 2}, {0, 0, kSize, kSize}, false}};
            case 6:
                return Resolve{world.samples, chance(2) ? world.color : world.picture};
            case 7:
                return FillSamples{world.picture, world.samples};
            default: {
                const ImagePtr sources[] = {nullptr, world.levels[0], world.levels[1],
                                            target == world.picture ? nullptr : world.picture};
                Draw draw = world.draw(target, static_cast<float>(random() % 256) / 255, sources[random() % 4]);
                PixelState& pixel = draw.state->pixel;
                pixel.depthTest = !chance(3);
                pixel.depthWrite = !chance(3);
                pixel.depthCompare = chance(2) ? Compare::Less : Compare::GreaterEqual;
                pixel.stencilTest = chance(3);
                for (StencilFace* face : {&pixel.front, &pixel.back}) {
                    face->compare = chance(2) ? Compare::Always : Compare::Equal;
                    face->reference = static_cast<uint8_t>(random() % 4);
                    face->depthPass = chance(2) ? StencilOp::Replace : StencilOp::Increment;
                }
                if (chance(4)) pixel.target[0].colorMask = static_cast<uint8_t>(random() % 16);
                if (chance(3)) {
                    pixel.target[0].blend = true;
                    pixel.target[0].srcRgb = BlendFactor::SrcAlpha;
                    pixel.target[0].dstRgb = BlendFactor::OneMinusSrcAlpha;
                }
                return draw;
            }
        }
    };
    size_t skipped = 0, earlier = 0, all = 0, supposed = 0, supposedWrongly = 0;
    for (int round = 0; round < 60; ++round) {
        const std::string path = (std::filesystem::path(TESSERA_BINARY_DIR) / "needed_steps_test.tsc").string();
        constexpr size_t kFrames = 6;
        {
            const auto recorder = std::make_shared<CommandRecorder>(path, FrameRange{});
            Gpu gpu(world.executor, 1);
            gpu.setCommandProbe(recorder);
            for (size_t frame = 0; frame < kFrames; ++frame) {
                CommandBuffer buffer;
                if (!chance(3)) buffer.commands.emplace_back(world.clear(true, true, chance(2)));
                for (unsigned left = 1 + random() % 9; left > 0; --left) buffer.commands.emplace_back(any());
                buffer.commands.emplace_back(EndFrame{world.color});
                gpu.wait(gpu.submit(std::move(buffer)));
                // As an upload to an idle texture does.
                if (chance(3))
                    world.picture->setTexel32(1, static_cast<int>(random() % kSize), static_cast<uint32_t>(random()));
            }
            CommandBuffer last;
            last.commands.emplace_back(taskOf([recorder] { recorder->finish(); }));
            gpu.wait(gpu.submit(std::move(last)));
        }
        std::ostringstream bytes;
        bytes << std::ifstream(path, std::ios::binary).rdbuf();
        std::filesystem::remove(path);
        const std::string file = bytes.str();  // which the stream points into
        const auto frames = [&](size_t shard, size_t of, std::set<uint64_t>& checked, SurfaceStart start) {
            std::string problem;
            std::optional<CommandStream> stream = decodeCommands(std::as_bytes(std::span(file)), &problem);
            REQUIRE_MESSAGE(stream, problem);
            std::map<size_t, uint64_t> hashes;
            ReplayOptions options;
            options.frameEnded = [&](size_t frame, const Image& image) { hashes[frame] = hashOfPixels(image); };
            if (of != 1) options.steps = neededSteps(*stream, [&](size_t frame) { return frame % of == shard; }, start);
            for (size_t i = 0; i < stream->steps.size(); ++i)
                if (std::holds_alternative<CommandStream::Expectation>(stream->steps[i]) &&
                    (of == 1 || options.steps[i]))
                    checked.insert(i);
            Gpu gpu(world.executor, 1);
            ReplayResult result = replay(*stream, gpu, options);
            if (start == SurfaceStart::Unknown && !result.mismatches.empty()) {
                ++supposedWrongly;
                options.steps =
                    neededSteps(*stream, [&](size_t frame) { return frame % of == shard; }, SurfaceStart::AsItEnded);
                hashes.clear();
                forgetContents(*stream);
                result = replay(*stream, gpu, options);
            }
            CHECK(result.mismatches.empty());
            if (of == kFrames && start == SurfaceStart::AsItEnded) {
                skipped += stream->commandCount() - result.commands;
                all += stream->commandCount();
                // More than the last frame's commands: what they depend on.
                earlier += result.commands > 11;
            }
            return hashes;
        };
        std::set<uint64_t> every;
        const std::map<size_t, uint64_t> whole = frames(0, 1, every, SurfaceStart::AsItEnded);
        CHECK(whole.size() == kFrames);
        for (const SurfaceStart start : {SurfaceStart::AsItEnded, SurfaceStart::Unknown})
            for (const size_t of : {size_t{2}, kFrames}) {
                std::map<size_t, uint64_t> together;
                std::set<uint64_t> checked;
                for (size_t shard = 0; shard < of; ++shard) together.merge(frames(shard, of, checked, start));
                CHECK(together == whole);
                CHECK(checked == every);
                if (start == SurfaceStart::Unknown) supposed += of;
            }
    }
    // Neither is all executed, nor only each frame by itself.
    CHECK(skipped > all / 2);
    CHECK(earlier > 20);
    // What is supposed of surfaces is right at times, and at times not.
    CHECK(supposedWrongly > supposed / 20);
    CHECK(supposedWrongly < supposed - supposed / 20);
}
