// Two frames with every kind of command, and what is recorded of them.
#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <bit>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "pipeline/command/command_buffer.h"
#include "pipeline/command/gpu.h"
#include "pipeline/recording/encode.h"
#include "pipeline/testing/geometry.h"
#include "pipeline/testing/programs.h"
#include "shader-core/interp/interpreter.h"

namespace tessera::pipeline::test {

/// Unlike that of the others: each target's own state is recorded.
inline constexpr TargetState kSecondTarget = {true,
                                              BlendEquation::Subtract,
                                              BlendEquation::Max,
                                              BlendFactor::DstColor,
                                              BlendFactor::SrcAlpha,
                                              BlendFactor::ConstantAlpha,
                                              BlendFactor::OneMinusSrc1Alpha,
                                              0x6};
inline constexpr int kSize = 100;  // no multiple of the tiles, nor of the blocks of the depth image's half

/// A coloured and a textured program.
inline std::shared_ptr<Program> program(isa::Executor& executor, bool isTextured, uint32_t name) {
    auto linked = std::make_shared<Program>();
    linked->name = name;
    linked->stages[isa::Stage::Vertex].program = assembled(
        ".vertex\n.input v0 place vec4\n.input v1 tint vec4\n.uniform c0 shift vec4\n.output o2 color vec4\n"
        "add o0, v0, c0\nmov o2, v1\nret\n");
    linked->stages[isa::Stage::Fragment].program =
        isTextured
            ? assembled(".fragment\n.input v0 color vec4\n.sampler t0 image 2d\ntex r0, v0, t0, 2d\nmov o0, r0\nret\n")
            : assembled(".fragment\n.input v0 color vec4\nmov o0, v0\nret\n");
    for (const isa::Stage one : kDrawStages) {
        ProgramStage& stage = linked->stages[one];
        stage.routine = executor.prepare(stage.program);
        stage.facts.mayOverrun = false;
    }
    return linked;
}

inline constexpr uint32_t kGroups = 5, kWords = kGroups * 64;

/// Adds a uniform to the words of one buffer, each thread to its own, into another.
inline std::shared_ptr<Program> adding(isa::Executor& executor) {
    auto made = std::make_shared<Program>();
    made->name = 5;
    made->block = {64, 1, 1};
    ProgramStage& stage = made->stages[isa::Stage::Compute];
    stage.program = assembled(
        ".compute\n.group 64\n.buffer b0 from constant\n.buffer b2 to\n.uniform c0 addend int\n"
        "    mad.u32 r0.x, block.x, block_size.x, thread.x\n    mul.u32 r0.x, r0.x, 4\n"
        "    ld r1.x, b0[r0.x]\n    add.u32 r1.x, r1.x, c0.x\n    st b2[r0.x], r1.x\n    ret\n");
    stage.kernel = executor.prepareKernel(stage.program, made->block);
    return made;
}

inline texture::ImagePtr image(texture::PixelFormat format = texture::PixelFormat::Rgba8, int size = kSize,
                               int samples = 1) {
    return std::make_shared<texture::Image>(format, size, size, samples);
}

/// Two frames with every kind of command.
struct RecordedScene {
    std::shared_ptr<isa::Executor> executor = interp::makeInterpreter();
    texture::ImagePtr color = image(), depth = image(texture::PixelFormat::Depth24Stencil8),
                      other = image(texture::PixelFormat::Rgb565),
                      samples = image(texture::PixelFormat::Rgba8, kSize, 4),
                      compressed = image(texture::PixelFormat::Rgb8, 16);
    texture::ImagePtr levels[3] = {image(texture::PixelFormat::Rgba8, 8), image(texture::PixelFormat::Rgba8, 4),
                                   image(texture::PixelFormat::Rgba8, 2)};
    std::shared_ptr<Program> plain = program(*executor, false, 3), textured = program(*executor, true, 4);
    std::vector<ConstantRegister> constants = {{0.1f, -0.2f, 0, 0}};
    std::shared_ptr<Program> adder = adding(*executor);
    std::vector<ConstantRegister> addend = {{std::bit_cast<float>(3)}};
    BufferPtr from = std::make_shared<Buffer>(kWords * 4), to = std::make_shared<Buffer>(kWords * 4 + 2);
    std::vector<std::byte> read = std::vector<std::byte>(size_t{kSize} * kSize * 4);
    BufferPtr captured = std::make_shared<Buffer>(1000);
    std::shared_ptr<StreamOutPlace> place = std::make_shared<StreamOutPlace>();
    std::shared_ptr<PrimitiveCounter> written = std::make_shared<PrimitiveCounter>();
    BufferPtr packed = std::make_shared<Buffer>(1000), vertices = std::make_shared<Buffer>(3 * sizeof(TestVertex));

    Draw draw(bool isTextured, float depthOf) {
        const std::vector<TestVertex> vertices = {{{-0.9f, -0.9f, depthOf, 1}, {0, 0, 1, 1}},
                                                  {{0.9f, -0.8f, depthOf, 1}, {1, 0, 0, 1}},
                                                  {{0.1f, 0.9f, -depthOf, 1}, {0, 1, 0.5f, 1}}};
        PassThrough none;
        Draw draw = makeDraw(none, vertices, kSize, kSize);
        draw.state->program = isTextured ? textured : plain;
        draw.state->target.color[0] = color;
        draw.state->target.depth = draw.state->target.stencil = depth;
        draw.state->pixel.depthTest = true;
        draw.state->pixel.target[1] = kSecondTarget;
        draw.constants[isa::Stage::Vertex] = constants;
        if (isTextured) {
            auto view = std::make_shared<texture::TextureView>();
            view->identity = 7;
            view->levels = 3;
            std::copy(std::begin(levels), std::end(levels), view->image[0].begin());
            draw.state->textures[isa::Stage::Fragment] = {{std::move(view), {}}};
            setIndices(draw, {0, 2, 1});
            draw.occlusion = std::make_shared<OcclusionCounter>();
        }
        return draw;
    }

    /// The vertices of the draw go behind those of the draws before.
    void streamOut(Draw& draw) {
        StreamOut out;
        out.layout.parts = {{isa::kOutPosition, 0, 4, 0, 0}, {isa::kOutVarying0, 1, 2, 0, 20}};
        out.layout.stride[0] = 28;
        out.ranges[0] = {captured, 40, 900};
        out.place = place;
        out.written = written;
        draw.streamOut = std::make_shared<StreamOut>(out);
        draw.generated = std::make_shared<PrimitiveCounter>();
    }

    Dispatch dispatch(const BufferPtr& source, const BufferPtr& target) {
        Dispatch dispatch;
        dispatch.program = adder;
        dispatch.constants = addend;
        dispatch.buffers = {source, nullptr, target};
        dispatch.grid = {kGroups, 1, 1};
        dispatch.result = std::make_shared<compute::DispatchResult>();
        return dispatch;
    }

    /// The words of `to`, when all commands have run: 3 was added to the first ones of `from` before it was changed,
    /// that was copied to the middle of `from`, and 3 was added again.
    [[nodiscard]] bool isComputed(const Buffer& result) const {
        constexpr uint32_t kMiddle = 100, kCopied = 70;
        bool right = true;
        for (uint32_t i = 0; i < kWords; ++i) {
            const bool isCopied = i >= kMiddle && i < kMiddle + kCopied;
            right &= result.as<uint32_t>()[i] == (isCopied ? 2 * (i - kMiddle) + 6 : 1000 + i + 3);
        }
        return right && result.bytes().back() == std::byte{0};
    }

    CommandBuffer first() {
        CommandBuffer buffer;
        Clear clear;
        *clear.target = {kSize, kSize, {color}, depth, depth};
        clear.clearColor = clear.clearDepth = clear.clearStencil = true;
        clear.color[1] = 0.25f;
        buffer.commands.emplace_back(clear);
        const std::vector<uint32_t> texels(64, 0xFF80C020u);
        buffer.commands.emplace_back(Upload{levels[0],
                                            {0, 0, 8, 8},
                                            {texture::ClientFormat::Rgba, texture::ClientType::U8, 32},
                                            bufferOf(texels.data(), 256)});
        buffer.commands.emplace_back(GenerateMipmap{{{levels[0], levels[1], levels[2]}}});
        const texture::BlockFormat* etc = nullptr;
        for (const texture::BlockFormat& format : texture::blockFormats())
            if (format.storage == texture::PixelFormat::Rgb8 && etc == nullptr) etc = &format;
        std::vector<std::byte> blocks(texture::compressedBytes(*etc, 16, 16), std::byte{0x5A});
        buffer.commands.emplace_back(Decode{compressed, {0, 0, 16, 16}, etc, bufferOf(blocks.data(), blocks.size())});
        Draw captures = draw(false, 0.5f);
        streamOut(captures);
        buffer.commands.emplace_back(captures);
        buffer.commands.emplace_back(draw(true, -0.5f));
        for (uint32_t i = 0; i < kWords; ++i) from->as<uint32_t>()[i] = 2 * i;
        buffer.commands.emplace_back(dispatch(from, to));
        buffer.commands.emplace_back(EndFrame{color});
        return buffer;
    }

    CommandBuffer second() {
        CommandBuffer buffer;
        for (uint32_t i = 0; i < kWords; ++i) from->as<uint32_t>()[i] = 1000 + i;
        buffer.commands.emplace_back(CopyBuffer{to, from, 0, 400, 280});
        buffer.commands.emplace_back(dispatch(from, to));
        Draw restarts = draw(true, 0.3f);
        setIndices(restarts, {0, 2, 1, 0, ~0u, 2, 1, 0});
        restarts.restart = true;
        streamOut(restarts);
        buffer.commands.emplace_back(restarts);
        // Vertices that a command writes, and pixels that go round by a buffer.
        Draw written = draw(false, -0.2f);
        buffer.commands.emplace_back(CopyBuffer{written.state->attributes[0].data, vertices, 0, 0, vertices->size()});
        for (VertexAttribute& attribute : std::span(written.state->attributes).first(2)) attribute.data = vertices;
        buffer.commands.emplace_back(written);
        const texture::ClientLayout layout{texture::ClientFormat::Rgba, texture::ClientType::U8, 32};
        buffer.commands.emplace_back(PackPixels{color, {40, 20, 8, 8}, layout, true, packed, 44});
        buffer.commands.emplace_back(Upload{levels[0], {0, 0, 8, 8}, layout, packed});
        buffer.commands.emplace_back(FillSamples{color, samples});
        texture::Blit how{{0, 0, 50, 50}, {90, 10, 20, 80}, {0, 0, kSize, kSize}, true};
        buffer.commands.emplace_back(Blit{color, other, how});
        buffer.commands.emplace_back(CopyImage{color, other, 5, 6, {60, 70, 20, 30}});
        buffer.commands.emplace_back(Resolve{samples, other});
        buffer.commands.emplace_back(ReadBack{color,
                                              {0, 0, kSize, kSize},
                                              {texture::ClientFormat::Rgba, texture::ClientType::U8, kSize * 4},
                                              true,
                                              read.data()});
        buffer.commands.emplace_back(Timestamp{std::make_shared<std::atomic<int64_t>>()});
        buffer.commands.emplace_back(taskOf([] {}));
        buffer.commands.emplace_back(EndFrame{color});
        return buffer;
    }

    /// What is recorded of it: all frames, or those.
    std::string record(FrameRange frames = {}) {
        return recordOf(frames, [this](Gpu& gpu) {
            gpu.wait(gpu.submit(first()));
            // Between commands, as an upload to an idle texture does.
            color->setTexel32(50, 50, 0x12345678u);
            gpu.wait(gpu.submit(second()));
        });
    }
    /// What is recorded of other commands.
    std::string recordOnly(CommandBuffer buffer) {
        return recordOf({}, [&](Gpu& gpu) { gpu.wait(gpu.submit(std::move(buffer))); });
    }

private:
    template <class Submit>
    std::string recordOf(FrameRange frames, const Submit& submit) {
        const std::string path =
            (std::filesystem::path(TESSERA_BINARY_DIR) / (std::to_string(getpid()) + "-scene.tsc")).string();
        const auto recorder = std::make_shared<CommandRecorder>(path, frames);
        Gpu gpu(executor, 2);
        gpu.setCommandProbe(recorder);
        submit(gpu);
        CommandBuffer last;
        last.commands.emplace_back(taskOf([recorder] { recorder->finish(); }));
        gpu.wait(gpu.submit(std::move(last)));
        std::ostringstream bytes;
        bytes << std::ifstream(path, std::ios::binary).rdbuf();
        std::filesystem::remove(path);
        return bytes.str();
    }
};

}  // namespace tessera::pipeline::test
