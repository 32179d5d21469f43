// The watchdog: when it finds that a scene takes too long, and what becomes of the scene and of its context.
#include "pipeline/watchdog.h"

#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "pipeline/command/command_buffer.h"
#include "pipeline/command/gpu.h"
#include "pipeline/testing/geometry.h"
#include "pipeline/testing/square_target.h"

using namespace tessera;
using namespace tessera::pipeline;
using namespace tessera::pipeline::test;

TEST_CASE("the watchdog's clock counts looks at a busy processor that stays at one step") {
    Watch watch;
    StepClock clock;
    constexpr uint64_t kLimit = 3;
    size_t busy = 1;
    const auto looks = [&](int count, bool isBusy) {
        bool late = false;
        for (int i = 0; i < count; ++i) late = clock.look(isBusy, watch, busy, kLimit);
        return late;
    };
    CHECK_FALSE(looks(100, false));
    watch.step();
    CHECK_FALSE(looks(3, true));
    watch.step();
    CHECK_FALSE(looks(3, true));
    watch.isWaiting = true;
    CHECK_FALSE(looks(100, true));
    watch.isWaiting = false;
    CHECK_FALSE(looks(2, true));
    CHECK(looks(1, true));
    watch.step();
    CHECK_FALSE(looks(1, true));
    watch.step();
    busy = 4;  // it has a quarter of the time
    CHECK_FALSE(looks(12, true));
    CHECK(looks(1, true));
}

TEST_CASE("a scene that takes too long is given up, its context draws nothing more, others go on") {
    PassThrough programs;
    const auto delay = [](const std::shared_ptr<const isa::Routine>& inner) {
        return std::make_shared<FunctionRoutine>([inner](isa::GroupRun& run) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            inner->run(run);
        });
    };
    for (const bool inVertices : {true, false}) {
        for (const int threads : {1, 3}) {
            auto slow = std::make_shared<Program>(*programs.program);
            auto& routine =
                inVertices ? slow->stages[isa::Stage::Vertex].routine : slow->stages[isa::Stage::Fragment].routine;
            routine = delay(routine);
            const texture::ImagePtr image = colorImage();
            const std::vector<TestVertex> once = square(-1, 1, 1, 0);
            std::vector<TestVertex> vertices;
            for (int i = 0; i < (inVertices ? 16384 : 1); ++i)
                vertices.insert(vertices.end(), once.begin(), once.end());
            Draw hours = makeDraw(programs, vertices, kSize, kSize);
            hours.state->target = targetOf(image);
            hours.state->program = slow;
            Gpu gpu(nullptr, threads);
            gpu.setTimeLimit(std::chrono::milliseconds(300));
            const auto guilty = std::make_shared<Faults>(), other = std::make_shared<Faults>();
            const auto submit = [&](const std::shared_ptr<Faults>& faults, std::vector<Command> commands) {
                CommandBuffer buffer;
                buffer.faults = faults;
                buffer.commands = std::move(commands);
                const auto begin = std::chrono::steady_clock::now();
                gpu.wait(gpu.submit(std::move(buffer)));
                return std::chrono::steady_clock::now() - begin;
            };
            bool called = false;
            // 1,250 groups of fragments, or 3,000 of vertices, of 20 ms each: far longer than this allows.
            CHECK(submit(guilty, {hours, taskOf([&] { called = true; })}) < std::chrono::seconds(5));
            CHECK(called);
            CHECK(guilty->any());
            CHECK(guilty->isOutOfTime());
            CHECK(guilty->takeNews().size() == 1);
            submit(other, {clearTo(targetOf(image), 0, 1, 0)});
            CHECK(image->texel32(3, 3) == 0xFF00FF00);
            CHECK_FALSE(other->any());
            submit(guilty, {clearTo(targetOf(image), 1, 0, 0)});
            CHECK(image->texel32(3, 3) == 0xFF00FF00);
        }
    }
}
