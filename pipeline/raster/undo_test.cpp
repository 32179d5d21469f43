// Draws that overrun: random sequences on every thread count give what drawing one draw after the other gives, on a
// copy that is thrown away when a vertex or a fragment of it needed too much, with programs that know no budget.
#include "pipeline/raster/undo.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "pipeline/command/command_buffer.h"
#include "pipeline/command/gpu.h"
#include "pipeline/testing/geometry.h"

using namespace tessera;
using namespace tessera::pipeline;
using namespace tessera::pipeline::test;

namespace {

constexpr int kSize = 150;

/// Programs whose vertices left of `vertexLimit` and whose fragments of less red than `fragmentLimit` need too much.
struct Greedy {
    PassThrough base;
    float vertexLimit, fragmentLimit;
    std::atomic<bool> vertexNeeds{false}, fragmentNeeds{false};  ///< too much
    std::shared_ptr<const Program> stopped, unstopped;

    Greedy(float vertex, float fragment) : vertexLimit(vertex), fragmentLimit(fragment) {
        stopped = program(true);
        unstopped = program(false);
    }
    [[nodiscard]] bool needsTooMuch() const { return vertexNeeds || fragmentNeeds; }

private:
    std::shared_ptr<const Program> program(bool stops) {
        auto made = std::make_shared<Program>(*base.program);
        const auto routine = [stops](const std::shared_ptr<const isa::Routine>& inner, const float& limit,
                                     std::atomic<bool>& needs) {
            return std::make_shared<FunctionRoutine>([stops, inner, &limit, &needs](isa::GroupRun& run) {
                inner->run(run);
                for (uint32_t left = run.activeMask & ~run.helperMask; left != 0; left &= left - 1)
                    if (run.inputs[0].lane[0][__builtin_ctz(left)] < limit) {
                        needs = true;
                        run.budgetExceeded = stops;
                    }
            });
        };
        made->stages[isa::Stage::Vertex].routine =
            routine(base.program->stages[isa::Stage::Vertex].routine, vertexLimit, vertexNeeds);
        made->stages[isa::Stage::Fragment].routine =
            routine(base.program->stages[isa::Stage::Fragment].routine, fragmentLimit, fragmentNeeds);
        made->stages[isa::Stage::Vertex].facts.mayOverrun = vertexLimit > -2;
        made->stages[isa::Stage::Fragment].facts.mayOverrun = fragmentLimit > 0;
        return made;
    }
};

struct Pixels {
    RenderTarget target;
    explicit Pixels(int samples, texture::PixelFormat format = texture::PixelFormat::Rgba8) {
        target.width = target.height = kSize;
        target.color[0] = std::make_shared<texture::Image>(format, kSize, kSize, samples);
        target.depth = std::make_shared<texture::Image>(texture::PixelFormat::Depth24, kSize, kSize, samples);
        std::memset(target.depth->tileBlocks(), 0xFF, target.depth->byteCount());  // the farthest
        target.depth->tiles().forget();
    }
    [[nodiscard]] std::vector<std::byte> bytes() const {
        std::vector<std::byte> all;
        forEachImage(target, [&](texture::Image& image) {
            all.insert(all.end(), image.tileBlocks(), image.tileBlocks() + image.byteCount());
        });
        return all;
    }
    void put(const std::vector<std::byte>& all) const {
        const std::byte* from = all.data();
        forEachImage(target, [&](texture::Image& image) {
            std::memcpy(image.tileBlocks(), from, image.byteCount());
            image.tiles().forget();
            from += image.byteCount();
        });
    }
};

/// A few triangles, or so many that memory forces the draw into parts.
std::vector<TestVertex> randomTriangles(std::mt19937& random) {
    std::uniform_real_distribution<float> unit(-1, 1);
    const bool isLarge = random() % 6 == 0;
    std::vector<TestVertex> vertices(3 * (isLarge ? 20000 : 1 + random() % 8));
    const float reach = isLarge ? 0.1f : 1;
    for (size_t i = 0; i < vertices.size(); i += 3) {
        const float x = unit(random), y = unit(random);
        for (size_t c = 0; c < 3; ++c)
            vertices[i + c] = {{x + reach * unit(random), y + reach * unit(random), unit(random), 1},
                               {unit(random) * 0.5f + 0.5f, unit(random) * 0.5f + 0.5f, 0, 1}};
    }
    return vertices;
}

void run(Gpu& gpu, std::vector<Command> commands) {
    CommandBuffer buffer;
    buffer.commands = std::move(commands);
    gpu.wait(gpu.submit(std::move(buffer)));
}

}  // namespace

TEST_CASE("a draw that overruns is left out whole, and so are its program's later draws") {
    int leftOut = 0, byFragments = 0, stayed = 0, parts = 0;
    for (uint32_t seed = 1; seed <= 24; ++seed) {
        CAPTURE(seed);
        std::mt19937 random(seed);
        std::uniform_real_distribution<float> unit(0, 1);
        std::vector<std::unique_ptr<Greedy>> programs;
        programs.push_back(std::make_unique<Greedy>(-3.0f, -1.0f));  // neither
        for (int i = 0; i < 3; ++i)
            programs.push_back(std::make_unique<Greedy>(
                random() % 3 == 0 ? -1.05f - 0.05f * unit(random) : -1.9f + 0.2f * unit(random),
                random() % 2 == 0 ? 0.1f * unit(random) : -1.0f));
        const int samples = seed % 4 == 0 ? texture::kMaxSamples : 1;
        const auto format = seed % 3 == 0 ? texture::PixelFormat::Rgba32F : texture::PixelFormat::Rgba8;
        const Pixels expected(samples, format);
        // Vertices of all draws are copied to one buffer: what a draw has fetched is not looked at again, whatever
        // becomes of it.
        const bool isShared = seed % 2 == 0;
        const BufferPtr shared = std::make_shared<Buffer>(60000 * sizeof(TestVertex));
        std::vector<Command> commands;
        std::vector<std::shared_ptr<OcclusionCounter>> counters;
        std::vector<uint64_t> counts;
        std::vector<const Greedy*> banned;
        Gpu one(nullptr, 1);
        for (int i = 0; i < 12; ++i) {
            Greedy& program = *programs[random() % programs.size()];
            Draw draw = makeDraw(program.base, randomTriangles(random), kSize, kSize);
            draw.state->pixel.depthTest = draw.state->pixel.depthWrite = true;
            draw.state->pixel.depthCompare = Compare::LessEqual;
            draw.occlusion = std::make_shared<OcclusionCounter>();
            draw.state->program = program.stopped;
            parts += draw.count > 1000;
            const ConstBufferPtr own = draw.state->attributes[0].data;
            if (isShared) {
                commands.emplace_back(CopyBuffer{own, shared, 0, 0, own->size()});
                for (VertexAttribute& attribute : std::span(draw.state->attributes).first(2)) attribute.data = shared;
            }
            commands.emplace_back(draw);
            counters.push_back(draw.occlusion);
            counts.push_back(0);
            if (std::ranges::find(banned, &program) != banned.end()) continue;
            draw.state = std::make_shared<DrawState>(*draw.state);
            for (VertexAttribute& attribute : std::span(draw.state->attributes).first(2)) attribute.data = own;
            draw.state->target = expected.target;
            draw.state->program = program.unstopped;
            draw.occlusion = std::make_shared<OcclusionCounter>();
            program.vertexNeeds = program.fragmentNeeds = false;
            const std::vector<std::byte> before = expected.bytes();
            run(one, {draw});
            if (program.needsTooMuch()) {
                banned.push_back(&program);
                expected.put(before);
                ++leftOut;
                byFragments += !program.vertexNeeds;
            } else {
                counts.back() = draw.occlusion->samples;
                ++stayed;
            }
        }
        for (const int threads : {1, 2, 3, 8}) {
            const Pixels actual(samples, format);
            for (Command& command : commands) {
                auto* const draw = std::get_if<Draw>(&command);
                if (draw == nullptr) continue;
                draw->state->target = actual.target;
                draw->occlusion->samples = 0;
            }
            for (const auto& program : programs) program->stopped->isBanned = false;
            Gpu gpu(nullptr, threads);
            run(gpu, commands);
            REQUIRE(actual.bytes() == expected.bytes());
            for (size_t i = 0; i < counters.size(); ++i) REQUIRE(counters[i]->samples == counts[i]);
        }
    }
    CHECK(leftOut > 20);
    CHECK(byFragments > 10);
    CHECK(stayed > 100);
    CHECK(parts > 10);
}

TEST_CASE("a draw that overruns is found where a clear leaves nothing of it") {
    const Greedy programs(-2, 0.5f);
    const Pixels pixels(1);
    const auto drawOf = [&](float red) {
        const std::vector<TestVertex> all = {
            {{-1, -1, 0, 1}, {red, 0, 0, 1}}, {{3, -1, 0, 1}, {red, 0, 0, 1}}, {{-1, 3, 0, 1}, {red, 0, 0, 1}}};
        Draw draw = makeDraw(programs.base, all, kSize, kSize);
        draw.state->target = pixels.target;
        draw.state->program = programs.stopped;
        return draw;
    };
    Clear clear;
    *clear.target = pixels.target;
    clear.clearColor = clear.clearDepth = true;
    clear.color[1] = clear.color[3] = 1;
    // The second draw would do what its budget allows.
    const Draw first = drawOf(0.25f), second = drawOf(1);
    Gpu gpu(nullptr, 1);
    run(gpu, {first, clear, second});
    CHECK(programs.needsTooMuch());
    CHECK(pixels.target.color[0]->texel32(5, 5) == 0xFF00FF00);
}

// A clear between the draws is done again with them; of tiles that hold its value already it would be left out.
TEST_CASE("what a tile is known to be cleared to is forgotten when it is set back") {
    for (const int samples : {1, texture::kMaxSamples}) {
        const Pixels pixels(samples), cleared(samples);
        const auto clearTo = [](const Pixels& of, float red, bool clearDepth) {
            Clear clear;
            *clear.target = of.target;
            clear.clearColor = true;
            clear.clearDepth = clearDepth;
            clear.color[0] = red, clear.color[3] = 1;
            return clear;
        };
        // Both may need too much, the second one does.
        Greedy modest(-3.0f, 0.01f), greedy(-3.0f, 2.0f);
        const auto draw = [&](const Greedy& program, float reach) {
            const auto corner = [](float x, float y) { return TestVertex{{x, y, 0, 1}, {0.5f, 0, 0, 1}}; };
            const std::vector<TestVertex> triangle = {corner(-1, -1), corner(reach, -1), corner(-1, reach)};
            Draw made = makeDraw(program.base, triangle, kSize, kSize);
            made.state->target = pixels.target;
            made.state->program = program.stopped;
            return made;
        };
        Gpu gpu(nullptr, 2);
        run(gpu, {clearTo(pixels, 0, true), draw(modest, -0.75f), clearTo(pixels, 1, false), draw(greedy, -0.5f)});
        CHECK(greedy.needsTooMuch());
        CHECK(!modest.needsTooMuch());
        run(gpu, {clearTo(cleared, 0, true), clearTo(cleared, 1, false)});
        CHECK(pixels.bytes() == cleared.bytes());
    }
}
