// Buffers that commands write, between draws, transfers and kernels that read them: everything is as if each command
// had been done before the next one was begun.
#include <doctest/doctest.h>

#include <bit>
#include <cstring>
#include <random>
#include <utility>

#include "pipeline/command/command_buffer.h"
#include "pipeline/command/gpu.h"
#include "pipeline/testing/geometry.h"
#include "shader-core/asm/assembler.h"
#include "shader-core/interp/interpreter.h"

using namespace tessera;
using namespace tessera::pipeline;
using namespace tessera::pipeline::test;
using texture::Image;
using texture::ImagePtr;

namespace {

constexpr int kSize = 150;
constexpr uint32_t kVertices = 6000;  // of a buffer: more than two chunks of triangles

/// Puts the words of one buffer into another in reversed order.
std::shared_ptr<Program> reversing(isa::Executor& executor) {
    assembly::AssembleResult assembled = assembly::assemble(
        ".compute\n.group 64\n.buffer b0 from constant\n.buffer b1 to\n.uniform c0 last int\n"
        "    mad.u32 r0.x, block.x, block_size.x, thread.x\n    mul.u32 r0.x, r0.x, 4\n    ld r1.x, b0[r0.x]\n"
        "    add.u32 r0.y, c0.x, -r0.x\n    st b1[r0.y], r1.x\n    ret\n",
        "reverse");
    REQUIRE_MESSAGE(assembled.program, assembled.log());
    auto made = std::make_shared<Program>();
    made->block = {64, 1, 1};
    ProgramStage& stage = made->stages[isa::Stage::Compute];
    stage.program = std::make_shared<isa::Program>(std::move(*assembled.program));
    stage.kernel = executor.prepareKernel(stage.program, made->block);
    return made;
}

/// Buffers, and images that are drawn to, packed into them and unpacked from them.
struct World {
    std::vector<BufferPtr> buffers;
    BufferPtr indices;
    std::vector<ImagePtr> images;

    explicit World(uint32_t seed) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<float> unit(-1, 1);
        for (int i = 0; i < 3; ++i) {
            std::vector<TestVertex> vertices(kVertices);
            for (size_t v = 0; v < kVertices; v += 3) {
                const float x = unit(random), y = unit(random);
                for (size_t corner = 0; corner < 3; ++corner)
                    vertices[v + corner] = {{x + 0.1f * unit(random), y + 0.1f * unit(random), 0, 1},
                                            {unit(random) * 0.5f + 0.5f, unit(random) * 0.5f + 0.5f, 0.5f, 1}};
            }
            buffers.push_back(bufferOf(vertices.data(), vertices.size() * sizeof(TestVertex)));
        }
        std::vector<uint32_t> numbers(kVertices);
        for (uint32_t& number : numbers) number = random() % kVertices;
        indices = bufferOf(numbers.data(), numbers.size() * 4);
        for (int i = 0; i < 2; ++i)
            images.push_back(std::make_shared<Image>(texture::PixelFormat::Rgba8, kSize, kSize));
    }

    [[nodiscard]] bool operator==(const World& other) const {
        bool same = std::ranges::equal(indices->bytes(), other.indices->bytes());
        for (size_t i = 0; i < buffers.size(); ++i)
            same &= std::ranges::equal(buffers[i]->bytes(), other.buffers[i]->bytes());
        for (size_t i = 0; i < images.size(); ++i)
            same &= std::memcmp(images[i]->block(0, 0), other.images[i]->block(0, 0), images[i]->byteCount()) == 0;
        return same;
    }
};

/// The same commands for each world.
class Commands {
public:
    Commands(World& world, uint32_t seed) : world_(world), random_(seed) {}

    Command next() {
        switch (below(10)) {
            case 0:
            case 1:
            case 2:
            case 3:
                return draw();
            case 4:
                return pack();
            case 5:
                return upload();
            case 6:
                return reverse();
            case 7:
                return clear();
            default:
                return copy();
        }
    }

private:
    uint32_t below(uint32_t limit) { return random_() % limit; }
    BufferPtr any() { return world_.buffers[below(3)]; }
    ImagePtr anyImage() { return world_.images[below(8) == 0 ? 1 : 0]; }

    Draw draw() {
        Draw draw = makeDraw(programs_, {}, kSize, kSize);
        draw.state->target.color[0] = anyImage();
        const BufferPtr position = any(), color = below(3) == 0 ? any() : position;
        draw.state->attributes[0].data = position;
        draw.state->attributes[1].data = color;
        draw.count = below(3) == 0 ? kVertices : 3 * (1 + below(20));
        draw.first = below(kVertices - draw.count + 1);
        if (below(3) == 0) {
            draw.indices = below(8) == 0 ? any() : world_.indices;
            draw.indexType = IndexType::U32;
            draw.indexOffset = std::exchange(draw.first, 0) * 4;
        }
        if (below(3) == 0) streamOut(draw);
        return draw;
    }
    /// Its vertices, one after another, into a buffer that it may fetch from.
    void streamOut(Draw& draw) {
        auto out = std::make_shared<StreamOut>();
        out->layout.parts = {{isa::kOutPosition, 0, 4, 0, 0}, {isa::kOutVarying0, 0, 4, 0, 16}};
        out->layout.stride[0] = sizeof(TestVertex);
        const uint64_t offset = below(kVertices) * sizeof(TestVertex);
        const BufferPtr to = any();
        out->ranges[0] = {to, offset, to->size() - offset};
        if (!place_ || below(3) == 0) place_ = std::make_shared<StreamOutPlace>();
        out->place = place_;
        draw.streamOut = out;
        draw.state->raster.discard = below(2) == 0;
    }
    CopyBuffer copy() {
        const uint32_t count = below(2) == 0 ? kVertices : 3 * (1 + below(100));
        const auto place = [&] { return below(kVertices - count + 1) * sizeof(TestVertex); };
        const uint64_t from = place(), to = place();
        return {any(), any(), from, to, count * sizeof(TestVertex)};
    }
    PackPixels pack() {
        const Rect rect{static_cast<int>(below(40)), static_cast<int>(below(40)), 60, 50};
        return {anyImage(),    rect,  {texture::ClientFormat::Rgba, texture::ClientType::U8, 256},
                below(2) == 0, any(), below(1000) * 32};
    }
    Upload upload() {
        return {anyImage(), {7, 9, 64, 50}, {texture::ClientFormat::Rgba, texture::ClientType::U8, 256}, any()};
    }
    Dispatch reverse() {
        Dispatch dispatch;
        dispatch.program = reversing_;
        dispatch.constants = last_;
        const size_t from = below(3);
        dispatch.buffers = {world_.buffers[from], world_.buffers[(from + 1) % 3]};
        dispatch.grid = {kVertices * 8 / 64, 1, 1};
        return dispatch;
    }
    Clear clear() {
        Clear clear;
        *clear.target = {kSize, kSize, {anyImage()}, nullptr, nullptr};
        clear.clearColor = true;
        clear.color[1] = static_cast<float>(below(3)) / 2;
        clear.scissorTest = below(2) == 0;
        clear.scissor = {20, 20, 70, 70};
        return clear;
    }

    World& world_;
    std::mt19937 random_;
    std::shared_ptr<StreamOutPlace> place_;
    const PassThrough programs_;
    const std::shared_ptr<isa::Executor> executor_ = interp::makeInterpreter();
    const std::shared_ptr<Program> reversing_ = reversing(*executor_);
    const std::vector<ConstantRegister> last_ = {{std::bit_cast<float>(kVertices * 32 - 4)}};
};

void run(Gpu& gpu, std::vector<Command> commands, const std::shared_ptr<Faults>& faults = nullptr) {
    CommandBuffer buffer;
    buffer.commands = std::move(commands);
    buffer.faults = faults;
    gpu.wait(gpu.submit(std::move(buffer)));
}

}  // namespace

TEST_CASE("draws, copies, kernels and transfers of the same buffers are in order, on any number of threads") {
    for (uint32_t seed = 1; seed <= 6; ++seed) {
        World expected(seed);
        {
            Commands commands(expected, seed);
            Gpu gpu(nullptr, 1);
            for (int i = 0; i < 40; ++i) run(gpu, {commands.next()});
        }
        for (const int threads : {1, 2, 3, 8}) {
            CAPTURE(seed);
            CAPTURE(threads);
            World world(seed);
            Commands commands(world, seed);
            std::vector<Command> all;
            for (int i = 0; i < 40; ++i) all.push_back(commands.next());
            Gpu gpu(nullptr, threads);
            run(gpu, all);
            CHECK(world == expected);
        }
    }
}

TEST_CASE("one buffer that is written anew for each draw: each draws what was there then") {
    const std::vector<TestVertex> left = {{{-1, -1, 0, 1}, {1, 0, 0, 1}},
                                          {{0, -1, 0, 1}, {1, 0, 0, 1}},
                                          {{-1, 3, 0, 1}, {1, 0, 0, 1}}},
                                  right = {{{1, -1, 0, 1}, {0, 1, 0, 1}},
                                           {{1, 3, 0, 1}, {0, 1, 0, 1}},
                                           {{0, -1, 0, 1}, {0, 1, 0, 1}}};
    const PassThrough programs;
    for (const int threads : {1, 4}) {
        const ImagePtr image = std::make_shared<Image>(texture::PixelFormat::Rgba8, kSize, kSize);
        Draw draw = makeDraw(programs, left, kSize, kSize);
        draw.state->target.color[0] = image;
        const BufferPtr shared = std::make_shared<Buffer>(3 * sizeof(TestVertex));
        for (int i = 0; i < 2; ++i) draw.state->attributes[i].data = shared;
        const auto put = [&](const std::vector<TestVertex>& vertices) {
            return CopyBuffer{bufferOf(vertices.data(), shared->size()), shared, 0, 0, shared->size()};
        };
        Gpu gpu(nullptr, threads);
        run(gpu, {put(left), draw, put(right), draw, put(left)});
        CHECK(image->texel32(2, 2) == 0xFF0000FFu);
        CHECK(image->texel32(kSize - 3, 2) == 0xFF00FF00u);
        CHECK(std::memcmp(shared->data(), left.data(), shared->size()) == 0);
    }
}

TEST_CASE("a context that is given up writes no buffers any more") {
    const BufferPtr from = std::make_shared<Buffer>(std::vector(64, std::byte{7})), to = std::make_shared<Buffer>(64);
    const ImagePtr image = std::make_shared<Image>(texture::PixelFormat::Rgba8, kSize, kSize);
    image->setTexel32(0, 0, 0x01020304);
    const auto faults = std::make_shared<Faults>();
    faults->ranOutOfTime("too late");
    Gpu gpu(nullptr, 2);
    const PackPixels pack{image, {0, 0, 1, 1}, {texture::ClientFormat::Rgba, texture::ClientType::U8, 4}, false, to, 0};
    run(gpu, {CopyBuffer{from, to, 0, 0, 64}, pack}, faults);
    CHECK(to->as<uint64_t>()[0] == 0);
    run(gpu, {CopyBuffer{from, to, 8, 8, 8}, pack}, std::make_shared<Faults>());
    CHECK(to->as<uint32_t>()[0] == 0x01020304);
    CHECK(to->as<uint64_t>()[1] == 0x0707070707070707u);
    CHECK(to->as<uint64_t>()[2] == 0);
}

TEST_CASE("memory of a buffer: aligned, zero or as it was given, and no more of the application's than there is") {
    const Buffer zeros(1000);
    CHECK(reinterpret_cast<uintptr_t>(zeros.data()) % 64 == 0);
    CHECK(std::ranges::count(zeros.bytes(), std::byte{0}) == 1000);
    Buffer copy(std::vector(100, std::byte{9}));
    CHECK(std::ranges::count(copy.bytes(), std::byte{9}) == 100);
    CHECK(copy.as<uint64_t>().size() == 12);
    CHECK(Buffer(0).size() == 0);
    CHECK_THROWS_AS(Buffer(SIZE_MAX), std::bad_alloc);

    alignas(4) std::byte memory[64] = {};
    const std::span<std::byte> all = memory;
    CHECK(Buffer::wrap(all.subspan(1)) == nullptr);
    const BufferPtr first = Buffer::wrap(all.first(32)), second = Buffer::wrap(all.subspan(32)),
                    middle = Buffer::wrap(all.subspan(28, 8));
    CHECK(first->data() == memory);
    CHECK_FALSE(first->overlaps(*second));
    CHECK(middle->overlaps(*first));
    CHECK(second->overlaps(*middle));
    CHECK_FALSE(first->overlaps(zeros));
}
