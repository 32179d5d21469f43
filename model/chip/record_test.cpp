#include "model/chip/record.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <random>

#include "api/compute/device.h"
#include "model/chip/workload_file.h"
#include "model/texture_cache_probe.h"
#include "pipeline/command/command_buffer.h"
#include "pipeline/command/gpu.h"
#include "pipeline/testing/geometry.h"
#include "shader-core/asm/assembler.h"
#include "texture/codec/codec.h"
#include "texture/codec/yuv.h"

using namespace tessera;
using namespace tessera::model;
using pipeline::test::TestVertex;

namespace {

constexpr int kWidth = 128, kHeight = 96;

std::shared_ptr<const isa::Program> assembled(const std::string& text) {
    const assembly::AssembleResult result = assembly::assemble(text, "test.tsa");
    REQUIRE_MESSAGE(result.program, result.log());
    return std::make_shared<const isa::Program>(*result.program);
}

constexpr const char* kPassThrough =
    ".vertex\n.input v0 position vec4\n.input v1 color vec4\n.output o2 tint vec4\n"
    "mov o0, position\nmov tint, color\nret\n";
constexpr const char* kColor = ".fragment\n.input v0 tint vec4\nmov o0, tint\nret\n";
/// Discards where red is above one half.
constexpr const char* kDiscard = ".fragment\n.input v0 tint vec4\nslt p1.x, 0.5, tint.x\n(p1) kil\nmov o0, tint\nret\n";
constexpr const char* kTextured =
    ".fragment\n.input v0 tint vec4\n.sampler t0 image 2d\ntex r0, tint, image\nmov o0, r0\nret\n";

/// Programs without routines, as a recorded stream has them.
std::shared_ptr<pipeline::Program> programOf(const char* fragment) {
    auto program = std::make_shared<pipeline::Program>();
    program->name = 3;
    program->stages[isa::Stage::Vertex].program = assembled(kPassThrough);
    program->stages[isa::Stage::Fragment].program = assembled(fragment);
    return program;
}

struct Target {
    explicit Target(int samples = 1)
        : color(std::make_shared<texture::Image>(texture::PixelFormat::Rgba8, kWidth, kHeight, samples)),
          depth(std::make_shared<texture::Image>(texture::PixelFormat::Depth24Stencil8, kWidth, kHeight, samples)) {
        target.width = kWidth, target.height = kHeight;
        target.color[0] = color;
        target.depth = target.stencil = depth;
    }
    texture::ImagePtr color, depth;
    pipeline::RenderTarget target;
};

pipeline::Draw drawOf(const std::vector<TestVertex>& vertices, std::shared_ptr<const pipeline::Program> program,
                      const Target& target) {
    static const pipeline::test::PassThrough unused;
    pipeline::Draw draw = pipeline::test::makeDraw(unused, vertices, kWidth, kHeight);
    draw.state->program = std::move(program);
    draw.state->target = target.target;
    draw.occlusion = std::make_shared<pipeline::OcclusionCounter>();
    return draw;
}

pipeline::Clear clearOf(const Target& target) {
    pipeline::Clear clear;
    *clear.target = target.target;
    clear.clearColor = clear.clearDepth = clear.clearStencil = true;
    return clear;
}

/// Runs commands that end with an end of a frame. Routines are the executor's while it lasts.
void run(pipeline::Gpu& gpu, std::vector<pipeline::Command> commands) {
    std::vector<std::shared_ptr<pipeline::Program>> programs;
    for (pipeline::Command& command : commands)
        if (auto* draw = std::get_if<pipeline::Draw>(&command)) {
            programs.push_back(std::make_shared<pipeline::Program>(*draw->state->program));
            for (pipeline::ProgramStage& stage : programs.back()->stages.each)
                if (stage.program) stage.routine = gpu.executor().prepare(stage.program);
            draw->state = std::make_shared<pipeline::DrawState>(*draw->state);
            draw->state->program = programs.back();
        }
    pipeline::CommandBuffer buffer;
    buffer.commands = std::move(commands);
    gpu.wait(gpu.submit(std::move(buffer)));
}

Workload recorded(const std::vector<pipeline::Command>& commands, pipeline::Counters* counters = nullptr) {
    Recorder recorder;
    {
        pipeline::Gpu gpu(recorder.executor(), 1);
        gpu.setMachineProbe(recorder);
        run(gpu, commands);
        if (counters != nullptr) *counters = gpu.counters();
    }
    Workload workload = recorder.take();
    CHECK(validate(workload).empty());
    return workload;
}

/// The faces of a cube around the origin, outside counter-clockwise, as triangles.
std::vector<TestVertex> cube() {
    std::vector<TestVertex> vertices;
    for (int axis = 0; axis < 3; ++axis)
        for (const float side : {-0.5f, 0.5f}) {
            const int corners[6][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, -1}, {1, 1}, {-1, 1}};
            for (const auto& [s, t] : corners) {
                TestVertex vertex{{0, 0, 0, 1}, {1, 1, 1, 1}};
                vertex.position[axis] = side;
                // Seen along the axis, the other two turn the other way round on the far side.
                vertex.position[(axis + 1) % 3] = side < 0 ? 0.5f * s : 0.5f * t;
                vertex.position[(axis + 2) % 3] = side < 0 ? 0.5f * t : 0.5f * s;
                vertices.push_back(vertex);
            }
        }
    return vertices;
}

std::array<int, 4> fates(const Workload& workload) {
    std::array<int, 4> counts{};
    for (const Primitive& primitive : workload.primitives) ++counts[static_cast<size_t>(primitive.fate)];
    return counts;
}

uint64_t pixelCount(const Workload& workload, uint16_t Block::* mask) {
    uint64_t count = 0;
    for (const Block& block : workload.blocks) count += static_cast<uint64_t>(std::popcount(block.*mask));
    return count;
}

uint64_t pixelsOfColor(const texture::Image& image, uint32_t color) {
    uint64_t count = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) count += image.texel32(x, y) == color;
    return count;
}

std::vector<TestVertex> randomTriangles(std::mt19937& random, int count) {
    std::vector<TestVertex> vertices;
    const auto number = [&] { return static_cast<float>(static_cast<int>(random() % 256) - 128) / 100.0f; };
    for (int i = 0; i < 3 * count; ++i)
        vertices.push_back({{number(), number(), number(), 0.5f + 0.7f * std::abs(number())},
                            {std::abs(number()), std::abs(number()), 0.5f, 0.5f}});
    return vertices;
}

/// Clipped, blended, tested and discarded triangles, lines and points, in several draws.
std::vector<pipeline::Command> randomScene(const Target& target, uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<pipeline::Command> commands = {clearOf(target)};
    const auto color = programOf(kColor), discard = programOf(kDiscard);
    for (int i = 0; i < 6; ++i) {
        pipeline::Draw draw = drawOf(randomTriangles(random, 40), i % 2 != 0 ? discard : color, target);
        const pipeline::Primitive primitives[] = {pipeline::Primitive::Triangles, pipeline::Primitive::Lines,
                                                  pipeline::Primitive::TriangleStrip, pipeline::Primitive::Points};
        draw.primitive = primitives[i % 4];
        draw.state->pixel.depthTest = i % 3 != 2;
        draw.state->pixel.target[0].blend = i >= 3;
        draw.state->pixel.target[0].dstRgb = pipeline::BlendFactor::OneMinusSrcAlpha;
        draw.state->raster.lineWidth = 3;
        commands.emplace_back(std::move(draw));
    }
    commands.emplace_back(pipeline::EndFrame{target.color});
    return commands;
}

std::vector<std::byte> bytesOf(const texture::Image& image) {
    return {image.block(0, 0), image.block(0, 0) + image.byteCount()};
}

}  // namespace

TEST_CASE("a cube: batches, fates, fragments and instructions are what arithmetic says") {
    const Target target;
    pipeline::Draw draw = drawOf(cube(), programOf(kColor), target);
    draw.state->raster.cull = pipeline::CullFace::Back;
    pipeline::Counters counters;
    const Workload w = recorded({clearOf(target), draw, pipeline::EndFrame{target.color}}, &counters);

    REQUIRE(w.draws.size() == 1);
    CHECK(w.draws[0].name == "draw 1: 12 triangles, program 3");
    CHECK(w.draws[0].attributes == 2);
    CHECK(w.draws[0].varyings == 1);
    REQUIRE(w.batches.size() == 2);  // 36 vertices without indices
    CHECK(w.batches[0].lanes == ~0u);
    CHECK(w.batches[1].lanes == 0xF);
    CHECK(w.batches[0].fetches.count == 32 * 32 / 64);  // of 32 bytes each, side by side
    // Of the faces one looks here, one away, and four are seen from their edges.
    CHECK(fates(w) == std::array<int, 4>{2, 0, 2, 8});
    CHECK(w.primitives[11].batch[0] == 1);
    CHECK(w.primitives[10].batch[0] == 0);
    constexpr uint64_t kPixels = kWidth / 2 * (kHeight / 2);
    CHECK(pixelCount(w, &Block::covered) == kPixels);
    CHECK(pixelCount(w, &Block::written) == kPixels);
    CHECK(pixelsOfColor(*target.color, ~0u) == kPixels);
    CHECK(draw.occlusion->samples == kPixels);
    CHECK(w.executed.size() == counters.instructions);
    uint32_t scanned = 0;
    for (const Primitive& primitive : w.primitives) scanned += primitive.scanned;
    // Each triangle's bounds are the square's; the lower one's edge rejects the tile at the top left, with 8x2 blocks
    // of them.
    CHECK(scanned == 2 * kPixels / 16 - 16);

    REQUIRE(w.transfers.size() == 1);
    CHECK(w.transfers[0].bytesRead == 0);
    CHECK(w.transfers[0].bytesWritten == 2 * 4 * kWidth * kHeight);
    using Kind = CommandWork::Kind;
    REQUIRE(w.commands.size() == 3);
    CHECK((w.commands[0].kind == Kind::Transfer && w.commands[1].kind == Kind::Draw));
    CHECK((w.commands[2].kind == Kind::EndFrame && w.commands[2].item == 1));
    CHECK((w.width == kWidth && w.height == kHeight));
}

TEST_CASE("vertices that indices name twice are shaded once") {
    const Target target;
    const std::vector<TestVertex> quad = {
        {{-1, -1, 0, 1}, {}}, {{1, -1, 0, 1}, {}}, {{1, 1, 0, 1}, {}}, {{-1, 1, 0, 1}, {}}};
    pipeline::Draw draw = drawOf(quad, programOf(kColor), target);
    pipeline::test::setIndices(draw, {0, 1, 2, 0, 2, 3});
    const Workload w = recorded({draw, pipeline::EndFrame{target.color}});
    REQUIRE(w.batches.size() == 1);
    CHECK(w.batches[0].lanes == 0xF);
    CHECK(w.batches[0].fetches.count == 1 + 2);  // 24 bytes of indices, 4 vertices of 32
    CHECK(w.primitives.size() == 2);
    CHECK(pixelCount(w, &Block::covered) == kWidth * kHeight);
}

TEST_CASE("what is outside, or clipped") {
    const Target target;
    std::vector<TestVertex> vertices = {
        {{2, 0, 0, 1}, {}},  {{3, 0, 0, 1}, {}}, {{2, 1, 0, 1}, {}},  // right of the view
        {{0, 0, -2, 1}, {}}, {{1, 0, 0, 1}, {}}, {{0, 1, 0, 1}, {}},  // one corner before the near plane
    };
    const Workload w = recorded({drawOf(vertices, programOf(kColor), target), pipeline::EndFrame{target.color}});
    REQUIRE(w.primitives.size() == 2);
    CHECK(w.primitives[0].fate == Fate::Outside);
    CHECK(w.primitives[0].outcodes == 0b000010);
    CHECK(w.primitives[1].fate == Fate::Drawn);
    CHECK(w.primitives[1].outcodes == 0b010000);
    CHECK(w.primitives[1].newVertices == 2);
}

TEST_CASE("discards and late tests leave what is written; early tests what is shaded") {
    const Target target;
    std::vector<TestVertex> quad;
    for (const auto& [x, y] : {std::pair{-1.0f, -1.0f}, {1.0f, -1.0f}, {-1.0f, 1.0f}, {1.0f, 1.0f}})
        quad.push_back({{x, y, 0, 1}, {x < 0 ? 0.0f : 1.0f, 0, 0, 1}});
    pipeline::Draw discards = drawOf(quad, programOf(kDiscard), target);
    discards.primitive = pipeline::Primitive::TriangleStrip;
    discards.state->pixel.depthTest = true;
    for (TestVertex& vertex : quad) vertex.position[2] = 0.5f;  // behind what is there
    pipeline::Draw behind = drawOf(quad, programOf(kColor), target);
    behind.primitive = pipeline::Primitive::TriangleStrip;
    behind.state->pixel.depthTest = true;
    const Workload w = recorded({clearOf(target), discards, behind, pipeline::EndFrame{target.color}});
    constexpr uint64_t kHalf = kWidth * kHeight / 2;
    uint64_t shaded[2] = {}, written[2] = {};
    for (size_t i = 0; i < 2; ++i)
        for (uint32_t p = 0; p < 2; ++p)
            for (const Range blocks = w.primitives[w.draws[i].primitives.first + p].blocks;
                 const Block& block : std::span(w.blocks).subspan(blocks.first, blocks.count)) {
                shaded[i] += static_cast<uint64_t>(std::popcount(block.early));
                written[i] += static_cast<uint64_t>(std::popcount(block.written));
            }
    CHECK(shaded[0] == 2 * kHalf);
    CHECK(written[0] == kHalf);
    CHECK(shaded[1] == kHalf);
    CHECK(written[1] == kHalf);
    CHECK(!w.draws[0].pixels.colorRead);
    CHECK(w.draws[1].pixels.earlyTests);
}

TEST_CASE("what leaves bytes alone reads nothing, and what leaves bits alone does") {
    const Target target;
    constexpr uint64_t kBytes = 4 * kWidth * kHeight;
    const auto cleared = [&](bool color, bool depth, bool stencil, uint8_t colorMask, uint8_t stencilMask) {
        pipeline::Clear clear = clearOf(target);
        clear.clearColor = color, clear.clearDepth = depth, clear.clearStencil = stencil;
        clear.colorMask[0] = colorMask;
        clear.stencilMask = stencilMask;
        const Workload w = recorded({clear, pipeline::EndFrame{target.color}});
        REQUIRE(w.transfers.size() == 1);
        return std::pair(w.transfers[0].bytesRead, w.transfers[0].bytesWritten);
    };
    CHECK(cleared(true, false, false, 0xF, 0xFF) == std::pair(uint64_t{0}, kBytes));
    CHECK(cleared(true, false, false, 0x5, 0xFF) == std::pair(uint64_t{0}, kBytes));  // red and blue, a byte each
    CHECK(cleared(false, true, false, 0xF, 0xFF) == std::pair(uint64_t{0}, kBytes));  // three bytes of four
    CHECK(cleared(false, false, true, 0xF, 0xFF) == std::pair(uint64_t{0}, kBytes));
    CHECK(cleared(false, false, true, 0xF, 0x7F) == std::pair(kBytes, kBytes));
    CHECK(cleared(false, true, true, 0xF, 0x01) == std::pair(kBytes, kBytes));
    CHECK(cleared(true, true, true, 0x1, 0xFF) == std::pair(uint64_t{0}, 2 * kBytes));
}

TEST_CASE("a scene is the same workload every time, in the order of submission; its picture is that of any GPU") {
    for (const int samples : {1, texture::kMaxSamples})
        for (const uint32_t seed : {1u, 2u}) {
            CAPTURE(samples);
            const Target listened(samples), again(samples), plain(samples);
            const Workload w = recorded(randomScene(listened, seed));
            CHECK(saveWorkload(w) == saveWorkload(recorded(randomScene(again, seed))));
            {
                pipeline::Gpu gpu(interp::makeInterpreter(), 4);
                run(gpu, randomScene(plain, seed));
            }
            CHECK(bytesOf(*listened.color) == bytesOf(*plain.color));
            CHECK(bytesOf(*listened.depth) == bytesOf(*plain.depth));
            uint32_t end = 0;
            for (const DrawWork& draw : w.draws)
                for (const Primitive& primitive :
                     std::span(w.primitives).subspan(draw.primitives.first, draw.primitives.count)) {
                    if (primitive.blocks.count == 0) continue;
                    CHECK(primitive.blocks.first == end);
                    end += primitive.blocks.count;
                }
            CHECK(end == w.blocks.size());
            CHECK(fates(w)[1] > 0);
        }
}

TEST_CASE("texture lines are those that the texture cache model asks for") {
    auto view = std::make_shared<texture::TextureView>();
    view->identity = 1;
    view->levels = 6;
    for (int level = 0; level < 6; ++level)
        view->image[0][static_cast<size_t>(level)] =
            std::make_shared<texture::Image>(texture::PixelFormat::Rgba8, 32 >> level, 32 >> level);
    const Target target;
    std::vector<TestVertex> quad;
    for (const auto& [x, y] : {std::pair{-1.0f, -1.0f}, {1.0f, -1.0f}, {-1.0f, 1.0f}, {1.0f, 1.0f}})
        quad.push_back({{x, y, 0, 1}, {5 * x, 3 * y + x, 0, 1}});
    pipeline::Draw draw = drawOf(quad, programOf(kTextured), target);
    draw.primitive = pipeline::Primitive::TriangleStrip;
    texture::SamplerState state;
    state.minFilter = texture::Filter::Linear;
    draw.state->textures[isa::Stage::Fragment] = {{view, state}};
    const std::vector<pipeline::Command> commands = {draw, pipeline::EndFrame{target.color}};
    const Workload w = recorded(commands);

    TextureCacheProbe probe({});
    {
        pipeline::Gpu gpu(interp::makeInterpreter(), 1, &probe);
        run(gpu, commands);
    }
    uint64_t lookups = 0, cycles = 0;
    for (const Executed& executed : w.executed) {
        int last = -1;
        for (const Access& access : w.of(executed)) {
            const int lookup = access.lookup << 8 | access.lane;
            lookups += lookup != last;
            last = lookup;
            cycles += access.cycles;
            CHECK(access.address % 64 == 0);
        }
    }
    const pipeline::TextureCacheCounters counters = probe.total();
    CHECK(lookups == counters.lookups);
    CHECK(w.accesses.size() == counters.hits + counters.misses);
    CHECK(cycles == counters.lookups + counters.bankConflicts);
    CHECK(counters.bankConflicts > 0);
}

TEST_CASE("identical quads ask for the same lines, each as its format is stored") {
    const Target target;
    std::vector<TestVertex> quad;
    for (const auto& [x, y] : {std::pair{-1.0f, -1.0f}, {1.0f, -1.0f}, {-1.0f, 1.0f}, {1.0f, 1.0f}})
        quad.push_back({{x, y, 0, 1}, {0.5f + 0.5f * x, 0.5f + 0.5f * y, 0, 1}});
    const auto accessesOf = [&](texture::PixelFormat format, uint32_t storedAs) {
        auto view = std::make_shared<texture::TextureView>();
        view->identity = 1;
        view->levels = 1;
        view->storedAs = storedAs;
        view->image[0][0] = std::make_shared<texture::Image>(format, 64, 64);
        pipeline::Draw draw = drawOf(quad, programOf(kTextured), target);
        draw.primitive = pipeline::Primitive::TriangleStrip;
        texture::SamplerState state;
        state.mipFilter = texture::MipFilter::None;
        draw.state->textures[isa::Stage::Fragment] = {{view, state}};
        return recorded({draw, pipeline::EndFrame{target.color}}).accesses;
    };
    using texture::PixelFormat;
    struct Row {
        PixelFormat format;
        uint32_t storedAs;
        int bytes, step;
    };
    constexpr uint32_t kDxt1 = 0x83F0, kDxt5 = 0x83F3, kEtc1 = 0x8D64;
    constexpr uint32_t kAstc5x5 = 0x93B2, kAstc8x8 = 0x93B7;
    const std::vector<Access> plain = accessesOf(PixelFormat::Rgba8, 0);
    REQUIRE(plain.size() > 1000);
    for (const Row& row :
         {Row{PixelFormat::Rgba8, 0, 64, 64}, Row{PixelFormat::Rgb8, 0, 64, 64}, Row{PixelFormat::Rgb565, 0, 32, 32},
          Row{PixelFormat::Rgba4, 0, 32, 32}, Row{PixelFormat::Luminance8, 0, 16, 16},
          Row{PixelFormat::Rgb8, kDxt1, 8, 8}, Row{PixelFormat::Rgb8, kEtc1, 8, 8},
          Row{PixelFormat::Rgba8, kDxt5, 16, 16}, Row{PixelFormat::Rgb8, texture::fourcc("YUYV"), 32, 32},
          Row{PixelFormat::Rgb8, texture::fourcc("YV12"), 24, 32}, Row{PixelFormat::Rgba8, kAstc8x8, 16, 4}}) {
        CAPTURE(texture::formatInfo(row.format).name);
        CAPTURE(row.storedAs);
        const std::vector<Access> accesses = accessesOf(row.format, row.storedAs);
        REQUIRE(accesses.size() == plain.size());
        for (size_t i = 0; i < plain.size(); ++i) {
            REQUIRE(accesses[i].address == plain[i].address);
            REQUIRE(accesses[i].bytes == row.bytes);
            REQUIRE(accesses[i].step == row.step);
        }
    }
    // Texels 0..3 are in a block of 5x5 texels, 4..7 in two: so in both directions, and 12..15 in two as well.
    const std::vector<Access> odd = accessesOf(PixelFormat::Rgba8, kAstc5x5);
    const uint64_t first = std::ranges::min_element(odd, {}, &Access::address)->address;
    for (const Access& access : odd) {
        const uint64_t tile = (access.address - first) / 64, x = tile % 16, y = tile / 16;
        const auto blocks = [](uint64_t at) { return (4 * at + 3) / 5 - 4 * at / 5 + 1; };
        REQUIRE(access.bytes == 16 * blocks(x) * blocks(y));
        REQUIRE(access.step == 16);
    }
}

TEST_CASE("transfers: what uploads carry over the host's bus, and write as it is stored") {
    const Target target;
    auto image = [](texture::PixelFormat format) { return std::make_shared<texture::Image>(format, 64, 32); };
    const auto pixels = std::make_shared<pipeline::Buffer>(64 * 32 * 4);
    const auto only = [&](const pipeline::Command& command) {
        const Workload w = recorded({command, pipeline::EndFrame{target.color}});
        REQUIRE(w.transfers.size() == 1);
        return w.transfers[0];
    };
    using Host = TransferWork::Host;
    const TransferWork packed = only(pipeline::Upload{image(texture::PixelFormat::Rgb565),
                                                      {0, 0, 64, 32},
                                                      {texture::ClientFormat::Rgb, texture::ClientType::U16_565, 128},
                                                      pixels});
    CHECK(packed.host == Host::Read);
    CHECK(packed.bytesRead == 64 * 32 * 2);
    CHECK(packed.bytesWritten == 64 * 32 * 2);
    const TransferWork rgba = only(pipeline::Upload{image(texture::PixelFormat::Rgba8),
                                                    {0, 0, 64, 32},
                                                    {texture::ClientFormat::Rgba, texture::ClientType::U8, 256},
                                                    pixels});
    CHECK(rgba.bytesWritten == 64 * 32 * 4);
    constexpr uint32_t kDxt1 = 0x83F0;
    const texture::BlockFormat* format = texture::blockFormat(kDxt1);
    const TransferWork blocks = only(pipeline::Decode{image(format->storage), {0, 0, 64, 32}, format, pixels});
    CHECK(blocks.host == Host::Read);
    CHECK(blocks.bytesRead == 64 * 32 / 2);
    CHECK(blocks.bytesWritten == 64 * 32 / 2);
    std::vector<std::byte> to(64 * 32 * 4);
    pipeline::ReadBack back;
    back.image = image(texture::PixelFormat::Rgba8);
    back.rect = {0, 0, 64, 32};
    back.layout = {texture::ClientFormat::Rgba, texture::ClientType::U8, 256};
    back.to = to.data();
    const TransferWork read = only(back);
    CHECK(read.host == Host::Written);
    CHECK(read.bytesRead == 64 * 32 * 4);
}

TEST_CASE("a clear says which images of its target it clears as wholes") {
    const Target target;
    constexpr uint64_t kBytes = 4 * kWidth * kHeight;
    const auto cleared = [&](auto&& change) {
        pipeline::Clear clear = clearOf(target);
        change(clear);
        return recorded({clear, pipeline::EndFrame{target.color}}).transfers.at(0);
    };
    const TransferWork all = cleared([](pipeline::Clear&) {});
    CHECK(all.target == 0);
    CHECK(all.wholeColor);
    CHECK(all.wholeDepth);
    CHECK(all.bytesWhole == 2 * kBytes);
    // Stencils stay beside the depths.
    const TransferWork depthAlone = cleared([](pipeline::Clear& clear) { clear.clearStencil = false; });
    CHECK(depthAlone.wholeColor);
    CHECK_FALSE(depthAlone.wholeDepth);
    CHECK(depthAlone.bytesWhole == kBytes);
    const TransferWork bits = cleared([](pipeline::Clear& clear) { clear.stencilMask = 0x7F; });
    CHECK_FALSE(bits.wholeDepth);
    const TransferWork channels = cleared([](pipeline::Clear& clear) { clear.colorMask[0] = 0x7; });
    CHECK_FALSE(channels.wholeColor);
    CHECK(channels.wholeDepth);
    CHECK(channels.bytesWhole == kBytes);
    const TransferWork part = cleared([](pipeline::Clear& clear) {
        clear.scissorTest = true;
        clear.scissor = {0, 0, kWidth, kHeight - 1};
    });
    CHECK(part.target == kNone);
    CHECK(part.bytesWhole == 0);
}

TEST_CASE("only the frames that are wanted are recorded") {
    const Target target;
    std::vector<pipeline::Command> commands;
    for (int frame = 0; frame < 3; ++frame) {
        for (int i = 0; i <= frame; ++i) commands.emplace_back(drawOf(cube(), programOf(kColor), target));
        commands.emplace_back(pipeline::EndFrame{target.color});
    }
    Recorder recorder({2, 2});
    {
        pipeline::Gpu gpu(recorder.executor(), 1);
        gpu.setMachineProbe(recorder);
        run(gpu, commands);
    }
    const Workload w = recorder.take();
    CHECK(w.draws.size() == 2);
    REQUIRE(w.commands.size() == 3);
    CHECK(w.commands[2].item == 2);
    CHECK(w.primitives.size() == 24);
}

TEST_CASE("a kernel: groups, barriers and the words that lanes access") {
    const auto program = assembled(
        ".compute\n.group 48\n.shared 192\n.buffer b0 from\n.buffer b1 to\n"
        "mul.i32 r0.x, thread.w, 4\nmul.i32 r0.y, block.w, 192\nadd.i32 r0.y, r0.x, r0.y\n"
        "ld r1.x, b0[r0.y]\nst shared[r0.x], r1.x\nbar 0\nld r1.x, shared[r0.x]\nst b1[r0.y], r1.x\nret\n");
    Recorder recorder;
    isa::ComputeCounters counters;
    {
        compute::Device device(recorder.executor(), 1);
        std::string why;
        const auto kernel = device.load(*program, &why);
        REQUIRE_MESSAGE(kernel != nullptr, why);
        const auto from = std::make_shared<compute::Buffer>(2 * 192), to = std::make_shared<compute::Buffer>(2 * 192);
        for (uint32_t i = 0; i < 96; ++i) from->as<uint32_t>()[i] = i + 1;
        kernel->bind("from", from);
        kernel->bind("to", to);
        const auto launch = device.launch(*kernel, {.grid = {2, 1, 1}});
        device.wait();
        REQUIRE_MESSAGE(launch->ok(), launch->message);
        counters = launch->counters;
        CHECK(to->as<uint32_t>()[95] == 96);
    }
    const Workload w = recorder.take();
    CHECK(validate(w).empty());
    REQUIRE(w.launches.size() == 1);
    CHECK(w.launches[0].threadsPerBlock == 48);
    CHECK(w.launches[0].blocks.count == 2);
    REQUIRE(w.groups.size() == 4);
    CHECK(w.groups[1].lanes == 0xFFFF);
    CHECK(w.executed.size() == counters.instructions);
    CHECK(w.accesses.size() == 4 * 96);
    // The second group of the second block loads words 80.. of the first buffer, which lies at 0.
    const auto trace = w.trace(w.groups[3].trace);
    REQUIRE(trace.size() == 9);
    const auto loads = w.of(trace[3]), shared = w.of(trace[4]), stores = w.of(trace[7]);
    REQUIRE((loads.size() == 16 && shared.size() == 16 && stores.size() == 16));
    for (size_t lane = 0; lane < 16; ++lane) {
        CHECK(loads[lane].lane == lane);
        CHECK(loads[lane].address == 4 * (80 + lane));
        CHECK(shared[lane].address == 4 * (32 + lane));
        CHECK(stores[lane].address == 4096 + 4 * (80 + lane));
    }
}

TEST_CASE("a workload is the same after it has been in a file, and a hostile file is refused with its place") {
    const Target target;
    const Workload w = recorded(randomScene(target, 7));
    const std::string file = saveWorkload(w);
    std::string problem;
    const auto bytes = [](const std::string& text) { return std::as_bytes(std::span(text)); };
    const std::optional<Workload> loaded = loadWorkload(bytes(file), &problem);
    REQUIRE_MESSAGE(loaded, problem);
    CHECK(saveWorkload(*loaded) == file);
    CHECK(loaded->executed == w.executed);
    CHECK(loaded->accesses == w.accesses);
    CHECK(loaded->draws.back().name == w.draws.back().name);

    CHECK(!loadWorkload({}, &problem));
    CHECK(problem == "byte 0: this is no workload; tessera model --save writes one");
    std::string changed = file;
    changed[4] = 9;
    CHECK(!loadWorkload(bytes(changed), &problem));
    CHECK(problem == "byte 4: version 9; this build reads version 2: record it again");
    changed = file;
    changed[file.size() / 2] ^= 1;
    CHECK(!loadWorkload(bytes(changed), &problem));
    CHECK(problem == "byte 8: the file is damaged: its checksum is another; copy or record it again");
}
