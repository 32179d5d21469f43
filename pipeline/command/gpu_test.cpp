// The GPU from the outside: order, waiting, several submitting threads, and scenes.
#include "pipeline/command/gpu.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <future>
#include <memory>
#include <random>
#include <thread>

#include <doctest/doctest.h>

#include "pipeline/command/command_processor.h"
#include "pipeline/probe/command_probe.h"
#include "pipeline/testing/geometry.h"
#include "pipeline/testing/square_target.h"
#include "pipeline/watchdog.h"

using namespace tessera;
using namespace tessera::pipeline;
using namespace tessera::pipeline::test;

namespace {

CommandBuffer bufferOf(RunTask task) {
    CommandBuffer buffer;
    buffer.commands.push_back(std::move(task));
    return buffer;
}

/// Elements of the image after the buffer has run on a GPU with that many threads.
std::vector<uint32_t> render(int threads, const texture::ImagePtr& image, std::vector<Command> commands,
                             Counters* counters = nullptr) {
    Gpu gpu(nullptr, threads);
    CommandBuffer buffer;
    buffer.commands = std::move(commands);
    gpu.wait(gpu.submit(std::move(buffer)));
    if (counters) *counters = gpu.counters();
    std::vector<uint32_t> pixels;
    for (int y = 0; y < kSize; ++y)
        for (int x = 0; x < kSize; ++x) pixels.push_back(image->texel32(x, y));
    return pixels;
}

/// Draws of it are neither undone nor, for that, kept.
std::shared_ptr<Program> withoutOverrun(const Program& program) {
    auto made = std::make_shared<Program>(program);
    for (const isa::Stage stage : kDrawStages) made->stages[stage].facts.mayOverrun = false;
    return made;
}

}  // namespace

TEST_CASE("buffers run in the order of their serial numbers, and wait waits for them") {
    Gpu gpu(nullptr, 2);
    CHECK(gpu.threads() == 2);
    CHECK(gpu.isDone(0));
    std::vector<int> order;
    uint64_t last = 0;
    for (int i = 0; i < 100; ++i) {
        const uint64_t serial = gpu.submit(bufferOf(taskOf([&order, i] { order.push_back(i); })));
        CHECK(serial == last + 1);
        last = serial;
    }
    gpu.wait(last);
    CHECK(gpu.isDone(last));
    CHECK(!gpu.isDone(last + 1));
    REQUIRE(order.size() == 100);
    for (int i = 0; i < 100; ++i) CHECK(order[i] == i);
}

TEST_CASE("several threads submit and wait; each sees its own buffers in order") {
    Gpu gpu(nullptr, 2);
    std::vector<std::vector<int>> seen(4);
    std::vector<std::thread> threads;
    std::atomic<int> late{0};
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 100; ++i) {
                const uint64_t serial = gpu.submit(bufferOf(taskOf([&seen, t, i] { seen[t].push_back(i); })));
                if (i % 10 != 0) continue;
                gpu.wait(serial);
                if (seen[t].size() != static_cast<size_t>(i + 1)) ++late;
            }
        });
    for (std::thread& thread : threads) thread.join();
    gpu.wait(400);
    CHECK(late == 0);
    for (const std::vector<int>& one : seen) {
        REQUIRE(one.size() == 100);
        for (int i = 0; i < 100; ++i) CHECK(one[i] == i);
    }
}

TEST_CASE("the destructor runs what was submitted, and a GPU that was never used has no thread to end") {
    int count = 0;
    {
        Gpu unused(nullptr, 4);
        Gpu gpu(nullptr, 1);
        for (int i = 0; i < 5; ++i) gpu.submit(bufferOf(taskOf([&] { ++count; })));
    }
    CHECK(count == 5);
}

TEST_CASE("a buffer's images are released before its wait ends") {
    Gpu gpu(nullptr, 1);
    texture::ImagePtr image = colorImage();
    CommandBuffer buffer;
    buffer.commands.push_back(clearTo(targetOf(image), 1, 0, 0));
    gpu.wait(gpu.submit(std::move(buffer)));
    CHECK(image.use_count() == 1);
    CHECK((image->texel32(kSize - 1, kSize - 1) & 0xFFFFFF) == 0x0000FF);
}

TEST_CASE("the front end runs ahead by sixteen buffers, or by more that are full, and no further") {
    for (const auto& [commands, ahead] : {std::pair{size_t{1}, 16}, std::pair{kFullBuffer, 64}}) {
        Gpu gpu(nullptr, 1);
        std::promise<void> began, goOn;
        std::atomic<int> submitted = 0;
        std::shared_future<void> released = goOn.get_future().share();
        gpu.submit(bufferOf(taskOf([&began, released] { began.set_value(), released.wait(); })));
        began.get_future().wait();
        std::thread application([&] {
            for (int i = 0; i < 2 * ahead; ++i, ++submitted) {
                CommandBuffer buffer;
                for (size_t j = 0; j < commands; ++j) buffer.commands.push_back(taskOf([] {}));
                gpu.submit(std::move(buffer));
            }
        });
        const std::chrono::milliseconds moment(20);
        for (int i = 0; i < 500 && submitted < ahead; ++i) std::this_thread::sleep_for(moment);
        std::this_thread::sleep_for(moment);
        CHECK(submitted == ahead);
        goOn.set_value();
        application.join();
        CHECK(submitted == 2 * ahead);
    }
}

TEST_CASE("a probe of commands sees whole buffers: those that begin when it is set, and no part of one before") {
    struct Counting final : CommandProbe {
        void before(const CommandBuffer&) noexcept override { ++begun; }
        void after(const CommandBuffer&) noexcept override { ++ended; }
        std::atomic<int> begun = 0, ended = 0;
    };
    Gpu gpu(nullptr, 1);
    const auto probe = std::make_shared<Counting>();
    std::promise<void> began, goOn;
    std::shared_future<void> released = goOn.get_future().share();
    gpu.submit(bufferOf(taskOf([&began, released] { began.set_value(), released.wait(); })));
    began.get_future().wait();
    std::thread watcher([&] { gpu.setCommandProbe(probe); });
    // Were it set now it would be in this time.
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CHECK_FALSE(gpu.hasCommandProbe());
    goOn.set_value();
    watcher.join();
    CHECK(gpu.hasCommandProbe());
    gpu.wait(gpu.submit(bufferOf(taskOf([] {}))));
    gpu.setCommandProbe(nullptr);
    gpu.wait(gpu.submit(bufferOf(taskOf([] {}))));
    CHECK(probe->begun == 1);
    CHECK(probe->ended == 1);
}

TEST_CASE("what is drawn waits in the scene until the buffers that are executed together are finished") {
    PassThrough programs;
    const texture::ImagePtr image = colorImage();
    ThreadPool pool(2);
    Watch watch;
    CommandProcessor processor(pool, watch);
    CommandBuffer first, second;
    first.commands.emplace_back(clearTo(targetOf(image), 0, 0, 0));
    for (CommandBuffer* buffer : {&first, &second}) {
        // Its state is the buffer's alone.
        const bool isSecond = buffer == &second;
        Draw draw = makeDraw(programs, square(isSecond ? 0 : -1, 1, 1, isSecond ? 1 : 0), kSize, kSize);
        draw.state->target = targetOf(image);
        buffer->states.push_back(draw.state);
        draw.state = {std::shared_ptr<void>(), draw.state.get()};
        buffer->commands.emplace_back(draw);
        processor.execute(*buffer);
        CHECK(image->texel32(10, 10) == 0);
    }
    processor.finish(nullptr);
    CHECK((image->texel32(10, 10) & 0xFFFFFF) == 0x0000FF);
    CHECK((image->texel32(kSize - 10, 10) & 0xFFFFFF) == 0x00FFFF);
}

TEST_CASE("full buffers that wait are executed eight at a time, of one context, and their memory serves again") {
    Gpu gpu(nullptr, 4);
    const auto one = std::make_shared<Faults>(), other = std::make_shared<Faults>();
    std::promise<void> goOn;
    std::shared_future<void> released = goOn.get_future().share();
    gpu.submit(bufferOf(taskOf([released] { released.wait(); })));
    constexpr int kBuffers = 24;
    std::array<bool, kBuffers> follows{};
    std::vector<int> order;
    const texture::ImagePtr image = colorImage();
    uint64_t last = 1;
    for (int i = 0; i < kBuffers; ++i) {
        CommandBuffer buffer;
        buffer.faults = i < 20 ? one : other;
        buffer.commands.push_back(taskOf([&, i, before = last] {
            follows[i] = !gpu.isDone(before);
            order.push_back(i);
        }));
        // Clears of nothing.
        Clear nothing = clearTo(targetOf(image), 1, 1, 1);
        nothing.target->width = 0;
        while (buffer.commands.size() < (i == 10 ? kFullBuffer - 1 : kFullBuffer))
            buffer.commands.emplace_back(nothing);
        last = gpu.submit(std::move(buffer));
        CHECK(buffer.commands.empty());  // NOLINT(bugprone-use-after-move): submit() empties it
    }
    goOn.set_value();
    gpu.wait(last);
    CHECK(image.use_count() == 1);
    for (int i = 0; i < kBuffers; ++i) {
        CAPTURE(i);
        CHECK(order[i] == i);
        // 0..7, 8..10, which ends with one that is not full, 11..18, 19, which is its context's last, 20..23.
        CHECK(follows[i] == !(i == 0 || i == 8 || i == 11 || i == 19 || i == 20));
    }
    CommandBuffer buffer = bufferOf(taskOf([] {}));
    gpu.wait(gpu.submit(std::move(buffer)));
    CHECK(buffer.commands.empty());  // NOLINT(bugprone-use-after-move): submit() empties it
    CHECK(buffer.commands.capacity() >= kFullBuffer);
    CHECK(buffer.faults == nullptr);
}

TEST_CASE("draws, clears and tasks take effect in order") {
    PassThrough programs;
    const texture::ImagePtr image = colorImage(), other = colorImage();
    const RenderTarget target = targetOf(image);
    Draw left = makeDraw(programs, square(-1, 0, 1, 0), kSize, kSize);
    Draw middle = makeDraw(programs, square(-0.5f, 0.5f, 0, 1), kSize, kSize);
    left.state->target = middle.state->target = target;
    uint32_t between = 0;
    const std::vector<uint32_t> pixels =
        render(2, image,
               {clearTo(target, 0, 1, 0), left, clearTo(target, 0, 0, 1), left, clearTo(targetOf(other), 1, 1, 1),
                taskOf([&] { between = image->texel32(80, 100); }), middle});
    CHECK((between & 0xFFFFFF) == 0x0000FF);
    CHECK((pixels[100 * kSize + 20] & 0xFFFFFF) == 0x0000FF);
    CHECK((pixels[100 * kSize + 80] & 0xFFFFFF) == 0x00FF00);
    CHECK((pixels[100 * kSize + 180] & 0xFFFFFF) == 0xFF0000);
    CHECK((other->texel32(3, 3) & 0xFFFFFF) == 0xFFFFFF);
}

TEST_CASE("in the plain way a clear drops no draw, and of no tile anything is known") {
    class HearsNothing final : public TextureProbe {
        void fetched(const TextureFetch&) override {}
        void drawsDone() override {}
        void endFrame() override {}
        [[nodiscard]] TextureCacheCounters total() const override { return {}; }
        [[nodiscard]] TextureCacheCounters ofTexture(uint64_t) const override { return {}; }
    } nobody;
    const PassThrough programs;
    const std::shared_ptr<Program> program = withoutOverrun(*programs.program);
    for (const bool isPlain : {false, true}) {
        const texture::ImagePtr image = colorImage();
        Draw draw = makeDraw(programs, square(-1, 1, 1, 0), kSize, kSize);
        draw.state->target = targetOf(image);
        draw.state->program = program;
        Gpu gpu(nullptr, 1, isPlain ? &nobody : nullptr);
        if (isPlain) gpu.setPlain();
        CHECK(gpu.isPlain() == isPlain);
        CommandBuffer buffer;
        buffer.commands.emplace_back(draw);
        buffer.commands.emplace_back(clearTo(targetOf(image), 0, 0, 1));
        gpu.wait(gpu.submit(std::move(buffer)));
        CHECK(gpu.counters().fragments == (isPlain ? kSize * kSize : 0));
        const uint32_t blue = std::as_const(*image).texel32(3, 3);
        CHECK(blue == 0xFFFF0000);
        const uint32_t toWrite = image->tiles().clear(0, 0, blue, ~0u, true);
        CHECK(toWrite == (isPlain ? texture::TileValues::kAllSquares : 0));
    }
}

TEST_CASE("draws stay that a clear leaves something of: beside its scissor, in a channel, in another image") {
    const PassThrough programs;
    auto fragment = std::make_shared<isa::Program>(*programs.program->stages[isa::Stage::Fragment].program);
    fragment->broadcastColor = true;
    const std::shared_ptr<Program> program = withoutOverrun(*programs.program);
    program->stages[isa::Stage::Fragment].program = fragment;
    for (int left = 0; left < 4; ++left) {
        CAPTURE(left);
        RenderTarget target = targetOf(colorImage());
        target.color[1] = colorImage();
        Draw draw = makeDraw(programs, square(-1, 1, 1, 0), kSize, kSize);
        draw.state->target = target;
        draw.state->program = program;
        Clear clear = clearTo(target, 0, 0, 1);
        if (left == 1) clear.scissorTest = true, clear.scissor = {0, 0, 100, kSize};
        if (left == 2) clear.colorMask[1] = 0x7;
        if (left == 3) clear.colorMask[1] = 0;
        Counters counters;
        const std::vector<uint32_t> pixels = render(2, target.color[0], {draw, clear}, &counters);
        CHECK(counters.fragments == (left == 0 ? 0 : kSize * kSize));
        CHECK(pixels[3] == 0xFFFF0000);
        CHECK(pixels[150] == (left == 1 ? 0xFF0000FF : 0xFFFF0000));
        CHECK(target.color[1]->texel32(3, 3) == (left == 3 ? 0xFF0000FF : 0xFFFF0000));
    }
}

TEST_CASE("draws have sampled what something else than a draw then writes, faces of cubes too") {
    const PassThrough programs;
    for (const bool isCube : {false, true})
        for (int writer = 0; writer < 4; ++writer) {
            CAPTURE(isCube);
            CAPTURE(writer);
            auto view = std::make_shared<texture::TextureView>();
            view->kind = isCube ? texture::Kind::Cube : texture::Kind::Tex2D;
            view->levels = 1;
            for (size_t face = 0; face < (isCube ? 6 : 1); ++face) view->image[face][0] = colorImage();
            const texture::ImagePtr sampled = view->image[isCube ? 4 : 0][0], target = colorImage();
            std::memset(sampled->tileBlocks(), 0x33, sampled->byteCount());
            sampled->tiles().forget();
            const std::shared_ptr<Program> program = withoutOverrun(*programs.program);
            program->stages[isa::Stage::Fragment].routine =
                std::make_shared<FunctionRoutine>([&](isa::GroupRun& group) {
                    const auto red = static_cast<float>(std::as_const(*sampled).texel32(3, 3) & 0xFF) / 255;
                    for (auto& component : group.outputs[isa::kOutColor0].lane)
                        std::fill(std::begin(component), std::end(component), red);
                    group.instructions = 1;
                });
            Draw draw = makeDraw(programs, square(-1, 1, 1, 0), kSize, kSize);
            draw.state->target = targetOf(target);
            draw.state->program = program;
            draw.state->textures[isa::Stage::Fragment].push_back({view, {}});
            std::vector<Command> commands = {draw};
            if (writer == 0) commands.emplace_back(CopyImage{colorImage(), sampled, 0, 0, {0, 0, kSize, kSize}});
            if (writer == 1) {
                Blit blit{colorImage(), sampled, {}};
                blit.how.from = blit.how.to = {0, 0, kSize, kSize};
                blit.how.within = {0, 0, kSize, kSize};
                commands.emplace_back(blit);
            }
            const auto ofSize = [](int size, int samples) {
                return std::make_shared<texture::Image>(texture::PixelFormat::Rgba8, size, size, samples);
            };
            if (writer == 2) commands.emplace_back(Resolve{ofSize(kSize, texture::kMaxSamples), sampled});
            if (writer == 3) commands.emplace_back(GenerateMipmap{{{ofSize(2 * kSize, 1), sampled}}});
            CHECK(render(2, target, commands)[3 * kSize + 3] == 0x33333333);
            CHECK(sampled->texel32(3, 3) == 0);
        }
}

TEST_CASE("uploads and copies are ordered with the draws that touch the same images") {
    PassThrough programs;
    const texture::ImagePtr image = colorImage(), copy = colorImage();
    const RenderTarget target = targetOf(image);
    Draw left = makeDraw(programs, square(-1, 0, 1, 0), kSize, kSize);
    left.state->target = target;
    Upload upload;
    upload.image = image;
    upload.rect = {0, 0, 1, 1};
    upload.pixels = std::make_shared<Buffer>(std::vector(4, std::byte{0x77}));
    upload.layout.rowStride = 4;
    CopyImage taken;
    taken.from = image;
    taken.to = copy;
    taken.rect = {0, 0, kSize, kSize};
    const std::vector<uint32_t> pixels =
        render(2, image, {clearTo(target, 0, 0, 1), left, upload, taken, clearTo(target, 0, 1, 0), upload});
    CHECK(pixels[0] == 0x77777777);
    CHECK((pixels[1] & 0xFFFFFF) == 0x00FF00);
    CHECK(copy->texel32(0, 0) == 0x77777777);
    CHECK((copy->texel32(1, 0) & 0xFFFFFF) == 0x0000FF);
    CHECK((copy->texel32(150, 0) & 0xFFFFFF) == 0xFF0000);
}

TEST_CASE("layers of an array have mipmap levels of their own, slices of a volume are averaged") {
    const auto levelsOf = [](int depth, int smallerDepth) {
        const auto image = [](int size, int slices) {
            return std::make_shared<texture::Image>(texture::PixelFormat::Rgba8, size, size, 1, slices);
        };
        std::vector<texture::ImagePtr> levels = {image(4, depth), image(2, smallerDepth)};
        for (int z = 0; z < depth; ++z) {
            texture::Image slice(levels[0], z);
            for (int y = 0; y < 4; ++y)
                for (int x = 0; x < 4; ++x) slice.setTexel32(x, y, static_cast<uint32_t>(100 * z + (x & 1) * 20));
        }
        return levels;
    };
    const std::vector<texture::ImagePtr> layers = levelsOf(2, 2), volume = levelsOf(2, 1);
    CommandBuffer buffer;
    buffer.commands.emplace_back(GenerateMipmap{{layers}});
    buffer.commands.emplace_back(GenerateMipmap{{volume}});
    Gpu gpu(nullptr, 2);
    gpu.wait(gpu.submit(std::move(buffer)));
    CHECK(texture::Image(layers[1], 0).texel32(1, 1) == 10);
    CHECK(texture::Image(layers[1], 1).texel32(1, 1) == 110);
    CHECK(volume[1]->texel32(1, 1) == 60);
}

namespace {

/// Two colour buffers that share a depth and stencil buffer.
struct Buffers {
    explicit Buffers(int samples) {
        const auto make = [&](texture::PixelFormat format) {
            return std::make_shared<texture::Image>(format, kSize, kSize - 30, samples);
        };
        const texture::ImagePtr depth = make(texture::PixelFormat::Depth24Stencil8);
        for (RenderTarget& one : target) {
            one.width = kSize, one.height = kSize - 30;
            one.depth = one.stencil = depth;
        }
        target[0].color[0] = make(texture::PixelFormat::Rgba8);
        target[1].color[0] = make(texture::PixelFormat::Rgb565);
        target[1].height -= 60;  // less than the images have
    }
    [[nodiscard]] std::vector<texture::ImagePtr> images() const {
        return {target[0].color[0], target[1].color[0], target[0].depth};
    }
    RenderTarget target[2];
};

bool sameBytes(const Buffers& a, const Buffers& b) {
    bool same = true;
    for (size_t i = 0; i < 3; ++i) {
        const texture::Image &one = *a.images()[i], &other = *b.images()[i];
        same &= std::memcmp(one.block(0, 0), other.block(0, 0), one.byteCount()) == 0;
    }
    return same;
}

/// A command that writes to some of the buffers, in few enough ways that clears often change nothing.
Command randomWrite(std::mt19937& random, const Buffers& buffers, const PassThrough& programs) {
    const auto below = [&](unsigned limit) { return static_cast<int>(random() % limit); };
    const RenderTarget& target = buffers.target[below(2)];
    const int kind = below(12);
    const bool samples = target.samples() > 1;
    if (kind == 0) {
        Draw draw = makeDraw(programs, square(-0.7f, static_cast<float>(below(3)) / 2, 1, 0), kSize, kSize);
        draw.state->target = target;
        draw.state->pixel.depthTest = below(2) == 0;
        return draw;
    }
    if (kind == 1 && !samples) {
        Upload upload;
        upload.image = target.color[0];
        upload.rect = {below(kSize - 8), below(100), 8, 8};
        upload.pixels = std::make_shared<Buffer>(std::vector(256, static_cast<std::byte>(below(256))));
        upload.layout.rowStride = 32;
        return upload;
    }
    if (kind == 2 && !samples) {
        CopyImage copy;
        copy.from = buffers.target[0].color[0], copy.to = buffers.target[1].color[0];
        copy.rect = {below(100), below(100), 40, 40};
        return copy;
    }
    Clear clear = clearTo(target, static_cast<float>(below(2)), static_cast<float>(below(2)), 0);
    clear.clearColor = below(3) != 0;
    clear.colorMask.fill(below(2) == 0 ? 0xF : static_cast<uint8_t>(below(16)));
    clear.clearDepth = below(2) == 0;
    clear.depth = static_cast<float>(below(2));
    clear.clearStencil = below(3) == 0;
    clear.stencil = static_cast<uint8_t>(below(2) * 5);
    clear.stencilMask = below(2) == 0 ? 0xFF : 0x0F;
    clear.scissorTest = below(5) == 0;
    clear.scissor = {below(kSize), below(100), below(kSize), below(kSize)};
    return clear;
}

}  // namespace

TEST_CASE("clears that are left out because they would change nothing would have changed nothing") {
    PassThrough programs;
    Gpu gpu(nullptr, 2);
    for (int samples : {1, texture::kMaxSamples}) {
        Buffers noted(samples), forgotten(samples);
        std::mt19937 random(7), sameRandom(7);
        for (int i = 0; i < 600; ++i) {
            for (const texture::ImagePtr& image : forgotten.images()) image->tiles().forget();
            for (auto [buffers, source] : {std::pair(&noted, &random), std::pair(&forgotten, &sameRandom)}) {
                CommandBuffer buffer;
                buffer.commands.push_back(randomWrite(*source, *buffers, programs));
                gpu.wait(gpu.submit(std::move(buffer)));
            }
            CAPTURE(i);
            REQUIRE(sameBytes(noted, forgotten));
        }
    }
}

TEST_CASE("clears of many tiles, whose neighbours hold this and that, write what they name and nothing else") {
    constexpr int kWide = 330, kHigh = 150;
    PassThrough programs;
    for (const int threads : {1, 3}) {
        Gpu gpu(nullptr, threads);
        const auto image = std::make_shared<texture::Image>(texture::PixelFormat::Rgba8, kWide, kHigh);
        RenderTarget target = targetOf(image);
        std::vector<uint32_t> expected(size_t{kWide} * kHigh);
        std::mt19937 random(11);
        const auto below = [&](unsigned limit) { return static_cast<int>(random() % limit); };
        for (int round = 0; round < 200; ++round) {
            target.width = below(4) == 0 ? 200 : kWide, target.height = below(4) == 0 ? 70 : kHigh;
            Clear clear = clearTo(target, static_cast<float>(below(2)), static_cast<float>(below(2)), 0);
            if (below(3) == 0) clear.colorMask.fill(static_cast<uint8_t>(1 + below(15)));
            clear.scissorTest = below(2) == 0;
            clear.scissor = {below(kWide), below(kHigh), 1 + below(below(2) == 0 ? 9 : kWide), 1 + below(kHigh)};
            const uint32_t value =
                0xFF000000u | (clear.color[0] != 0 ? 0xFFu : 0u) | (clear.color[1] != 0 ? 0xFF00u : 0u);
            uint32_t mask = 0;
            for (int channel = 0; channel < 4; ++channel)
                if ((clear.colorMask[0] >> channel & 1) != 0) mask |= 0xFFu << (8 * channel);
            for (int y = 0; y < target.height; ++y)
                for (int x = 0; x < target.width; ++x) {
                    const Rect& box = clear.scissor;
                    if (clear.scissorTest &&
                        (x < box.x || x >= box.x + box.width || y < box.y || y >= box.y + box.height))
                        continue;
                    uint32_t& pixel = expected[static_cast<size_t>(y) * kWide + x];
                    pixel = (pixel & ~mask) | (value & mask);
                }
            CommandBuffer buffer;
            buffer.commands.emplace_back(clear);
            gpu.wait(gpu.submit(std::move(buffer)));
            int wrong = 0;
            for (int y = 0; y < kHigh; ++y)
                for (int x = 0; x < kWide; ++x)
                    wrong += std::as_const(*image).texel32(x, y) != expected[static_cast<size_t>(y) * kWide + x];
            CAPTURE(round);
            REQUIRE(wrong == 0);
        }
    }
}

TEST_CASE("float targets keep values beyond one, with blending and clears, resolved or not") {
    PassThrough programs;
    for (int variant = 0; variant < 4; ++variant) {
        const auto format = variant % 2 == 0 ? texture::PixelFormat::Rgba16F : texture::PixelFormat::Rgba32F;
        const auto image = std::make_shared<texture::Image>(format, kSize, kSize, variant < 2 ? 1 : 4);
        const RenderTarget target = targetOf(image);
        Draw draw = makeDraw(programs, square(-1, 0, 3.5f, -2), kSize, kSize);
        draw.state->target = target;
        TargetState& blending = draw.state->pixel.target[0];
        blending.blend = true;
        blending.dstRgb = blending.dstAlpha = BlendFactor::One;
        render(2, std::make_shared<texture::Image>(texture::PixelFormat::Rgba8, kSize, kSize),
               {clearTo(target, 100, -7, 0.5f), draw, draw});
        float pixels[2][4];
        for (int side = 0; side < 2; ++side) {
            texture::readBack(*image, {side * 150, 90, 1, 1}, reinterpret_cast<std::byte*>(pixels[side]),
                              {texture::ClientFormat::Rgba, texture::ClientType::F32, 16});
        }
        CHECK(pixels[0][0] == 107.0f);
        CHECK(pixels[0][1] == -11.0f);
        CHECK(pixels[0][2] == 0.5f);
        CHECK(pixels[0][3] == 3.0f);
        CHECK(pixels[1][0] == 100.0f);
        CHECK(pixels[1][1] == -7.0f);
    }
}

TEST_CASE("large images are read back in parts: any rectangle, upside down too, and rows that overlap in their order") {
    constexpr int kWidth = 500, kHeight = 401;
    const auto image = std::make_shared<texture::Image>(texture::PixelFormat::Rgba8, kWidth, kHeight);
    std::vector<uint32_t> all(size_t{kWidth} * kHeight);
    for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<uint32_t>(i * 2654435761u);
    texture::upload(*image, {0, 0, kWidth, kHeight}, reinterpret_cast<const std::byte*>(all.data()),
                    {texture::ClientFormat::Rgba, texture::ClientType::U8, kWidth * 4});
    for (const Rect rect : {Rect{0, 0, kWidth, kHeight}, Rect{3, 7, 491, 389}, Rect{499, 0, 1, kHeight}})
        for (const bool reverse : {false, true})
            for (const int stride : {kWidth, rect.width, 2, 0}) {
                const auto at = [&](int row) { return static_cast<size_t>(row) * static_cast<size_t>(stride); };
                std::vector<uint32_t> expected(at(rect.height) + kWidth), read = expected;
                for (int row = 0; row < rect.height; ++row) {
                    const int from = rect.y + (reverse ? rect.height - 1 - row : row);
                    std::copy_n(all.begin() + from * kWidth + rect.x, rect.width, expected.begin() + at(row));
                }
                CommandBuffer buffer;
                buffer.commands.emplace_back(
                    ReadBack{image,
                             rect,
                             {texture::ClientFormat::Rgba, texture::ClientType::U8, static_cast<size_t>(stride) * 4},
                             reverse,
                             reinterpret_cast<std::byte*>(read.data())});
                Gpu gpu(nullptr, 3);
                gpu.wait(gpu.submit(std::move(buffer)));
                CHECK(read == expected);
            }
}

TEST_CASE("the thread count does not change a pixel, and large draws keep their order") {
    PassThrough programs;
    std::mt19937 random(41);
    std::uniform_real_distribution<float> unit(-1, 1);
    std::vector<TestVertex> vertices(3 * 5000);
    for (TestVertex& v : vertices) {
        v.position[3] = unit(random) + 1.2f;
        for (int c = 0; c < 3; ++c) v.position[c] = unit(random) * v.position[3];
        for (int c = 0; c < 3; ++c) v.color[c] = unit(random) * 0.5f + 0.5f;
        v.color[3] = 1;
    }
    // The last triangle lies over everything else.
    for (int i = 0; i < 3; ++i)
        vertices[vertices.size() - 3 + i] = {{i == 1 ? 0.0f : -1.0f, i == 2 ? 0.0f : -1.0f, 0, 1}, {1, 1, 0, 1}};
    std::vector<std::vector<uint32_t>> results;
    for (int threads : {1, 2, 4}) {
        const texture::ImagePtr image = colorImage();
        Draw draw = makeDraw(programs, vertices, kSize, kSize);
        draw.state->target = targetOf(image);
        Counters counters;
        results.push_back(render(threads, image, {clearTo(draw.state->target, 0, 0, 0), draw}, &counters));
        CHECK(counters.draws == 1);
        CHECK(counters.vertices == vertices.size());
        CHECK(counters.primitives > 1000);
        CHECK(counters.fragments > 10000);
        CHECK((results.back()[10 * kSize + 10] & 0xFFFFFF) == 0x00FFFF);
    }
    CHECK(results[0] == results[1]);
    CHECK(results[0] == results[2]);
}

TEST_CASE("a vertex program out of budget is reported, and its later draws cost nothing") {
    PassThrough programs;
    auto endless = std::make_shared<Program>(*programs.program);
    std::atomic<int> runs{0};
    endless->stages[isa::Stage::Vertex].routine = std::make_shared<FunctionRoutine>([&](isa::GroupRun& group) {
        ++runs;
        group.budgetExceeded = true;
    });
    const texture::ImagePtr image = colorImage();
    Draw draw = makeDraw(programs, square(-1, 1, 1, 0), kSize, kSize);
    draw.state->target = targetOf(image);
    Draw bad = draw;
    bad.state = std::make_shared<DrawState>(*draw.state);
    bad.state->program = endless;
    bad.count = 3 * 200000;  // so many that it overruns before the next draw, of the same state, is looked at
    Gpu gpu(nullptr, 1);
    const auto faults = std::make_shared<Faults>();
    CommandBuffer buffer;
    buffer.commands = {bad, bad, bad, draw};
    buffer.faults = faults;
    gpu.wait(gpu.submit(std::move(buffer)));
    CHECK(faults->any());
    CHECK(faults->takeNews().size() == 1);
    CHECK(runs == 1);
    CHECK((image->texel32(5, 5) & 0xFFFFFF) == 0x0000FF);
    CommandBuffer again;
    again.commands = {bad};
    again.faults = faults;
    gpu.wait(gpu.submit(std::move(again)));
    CHECK(runs == 1);
    CHECK_FALSE(faults->hasNews());
}

TEST_CASE("draws of nothing and draws to nothing do nothing") {
    PassThrough programs;
    const texture::ImagePtr image = colorImage();
    Draw empty = makeDraw(programs, square(-1, 1, 1, 0), kSize, kSize);
    empty.state->target = targetOf(image);
    empty.count = 0;
    Draw nowhere = makeDraw(programs, square(-1, 1, 1, 0), 0, 0);
    Draw outside = makeDraw(programs, square(-1, 1, 1, 0), kSize, kSize);
    outside.state->target = targetOf(image);
    outside.state->raster.viewport[0] = 1e9f;
    Draw culled = outside;
    culled.state = std::make_shared<DrawState>(*outside.state);
    culled.state->raster.viewport[0] = 0;
    culled.state->raster.cull = CullFace::Both;
    const std::vector<uint32_t> pixels =
        render(1, image, {clearTo(targetOf(image), 0, 0, 1), empty, nowhere, outside, culled});
    for (uint32_t pixel : pixels) REQUIRE((pixel & 0xFFFFFF) == 0xFF0000);
}
