// Streams of a GPU: they run side by side, are joined, and each keeps its order whoever executes it.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <set>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "base/float_control.h"
#include "base/testing/process.h"
#include "base/thread/thread.h"
#include "pipeline/command/command_buffer.h"
#include "pipeline/command/gpu.h"
#include "pipeline/probe/command_probe.h"
#include "pipeline/testing/geometry.h"
#include "pipeline/testing/square_target.h"

using namespace tessera;
using namespace tessera::pipeline;
using namespace tessera::pipeline::test;

namespace {

CommandBuffer in(const std::shared_ptr<Stream>& stream, std::vector<Command> commands) {
    CommandBuffer buffer;
    buffer.stream = stream;
    buffer.commands = std::move(commands);
    return buffer;
}

/// A draw all over the image whose fragments wait for what is done elsewhere.
struct WaitingDraw {
    PassThrough programs;
    std::atomic<bool> isElsewhereDone{false}, hasWaitedInVain{false};
    std::vector<TestVertex> vertices = square(-1, 1, 1, 0);
    Draw draw = makeDraw(programs, vertices, kSize, kSize);

    explicit WaitingDraw(const texture::ImagePtr& image) {
        auto waiting = std::make_shared<Program>(*programs.program);
        waiting->stages[isa::Stage::Fragment].routine = std::make_shared<FunctionRoutine>(
            [this, inner = waiting->stages[isa::Stage::Fragment].routine](isa::GroupRun& run) {
                const auto begin = std::chrono::steady_clock::now();
                while (!isElsewhereDone && !hasWaitedInVain) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                    if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(20)) hasWaitedInVain = true;
                }
                inner->run(run);
            });
        draw.state->program = waiting;
        draw.state->target = targetOf(image);
    }
};

}  // namespace

TEST_CASE("streams run side by side: what one does is done while a draw of another one is not") {
    for (const int threads : {1, 3}) {
        CAPTURE(threads);
        const texture::ImagePtr image = colorImage(), other = colorImage();
        WaitingDraw waiting(image);
        Gpu gpu(nullptr, threads);
        const auto one = makeStream(), another = makeStream();
        const uint64_t drawn = gpu.submit(in(one, {waiting.draw}));
        const uint64_t behind = gpu.submit(in(one, {clearTo(targetOf(image), 0, 0, 1)}));
        for (int i = 0; i < 20; ++i) {
            gpu.wait(gpu.submit(in(another, {clearTo(targetOf(other), 0, 1, 0)})));
            REQUIRE(other->texel32(kSize / 2, 3) == 0xFF00FF00);
        }
        gpu.wait(gpu.submitted(another));
        CHECK_FALSE(gpu.isDone(drawn));
        CHECK_FALSE(gpu.isDone(behind));
        waiting.isElsewhereDone = true;
        gpu.wait(gpu.submitted(one));
        CHECK(gpu.isDone(drawn));
        CHECK_FALSE(waiting.hasWaitedInVain);
        CHECK(image->texel32(5, 5) == 0xFFFF0000);
        CHECK(gpu.counters().draws == 1);
    }
}

TEST_CASE("many streams have work at once, and all of it is done") {
    Gpu gpu(nullptr, 2);
    std::atomic<int> ran{0};
    std::vector<uint64_t> serials;
    for (int i = 0; i < 100; ++i) {
        const auto stream = makeStream();
        const auto step = std::make_shared<std::atomic<int>>(0);
        for (int part = 0; part < 5; ++part)
            serials.push_back(gpu.submit(in(stream, {taskOf([&ran, step, part] {
                                                if (step->exchange(part + 1) == part) ++ran;
                                            })})));
    }
    for (const uint64_t serial : serials) gpu.wait(serial);
    CHECK(ran == 500);
}

TEST_CASE("sixteen streams run at once, and the others when these have ended") {
    constexpr int kStreams = 40, kAtOnce = 16;
    Gpu gpu(nullptr, 2);
    std::atomic<bool> go{false};
    std::atomic<int> running{0}, most{0}, ran{0};
    const auto waiting = taskOf([&] {
        const int now = ++running;
        for (int known = most; known < now && !most.compare_exchange_weak(known, now);) {
        }
        go.wait(false);
        --running, ++ran;
    });
    std::vector<uint64_t> serials;
    for (int i = 0; i < kStreams; ++i) serials.push_back(gpu.submit(in(makeStream(), {waiting})));
    while (running < kAtOnce) std::this_thread::yield();
    go = true;
    go.notify_all();
    for (const uint64_t serial : serials) gpu.wait(serial);
    CHECK(most == kAtOnce);
    CHECK(ran == kStreams);
}

TEST_CASE("streams that are joined are in order from then on, whoever of them was at work") {
    for (int round = 0; round < 50; ++round) {
        Gpu gpu(nullptr, 2);
        const auto one = makeStream(), other = makeStream();
        std::vector<int> order;  // with nothing around it: a race is an error of the order
        std::atomic<int> before{0};
        const auto slow = taskOf([&] {
            std::this_thread::sleep_for(std::chrono::microseconds(200));
            ++before;
        });
        gpu.submit(in(one, {slow}));
        gpu.submit(in(other, {slow}));
        gpu.submit(in(one, {slow}));
        gpu.join(one, other);
        int wanted = 0;
        for (int i = 0; i < 10; ++i)
            gpu.submit(in(i % 3 == 0 ? one : other, {taskOf([&, i] { order.push_back(before == 3 ? i : -1); })}));
        gpu.wait(gpu.submitted(one));
        CHECK(gpu.submitted(one) == gpu.submitted(other));
        for (const int i : order) CHECK(i == wanted++);
        CHECK(wanted == 10);
    }
}

TEST_CASE(
    "who waits for a buffer executes it: at once, in its own place in the stream, with its own control word after") {
    Gpu gpu(nullptr, 2);
    const auto stream = makeStream();
    const FloatControl before = floatControl();
    setFloatControl(before | kFlushToZero);
    std::thread::id executedBy;
    FloatControl inside = 0;
    gpu.execute(in(stream, {taskOf([&] {
                       executedBy = std::this_thread::get_id();
                       inside = floatControl();
                   })}));
    CHECK(executedBy == std::this_thread::get_id());
    CHECK((inside & kFlushToZero) == 0);
    CHECK((floatControl() & kFlushToZero) == kFlushToZero);
    setFloatControl(before);

    // Behind what another thread has submitted.
    bool isFirstDone = false, wasFirstDone = false;
    gpu.submit(in(stream, {taskOf([&] {
                      std::this_thread::sleep_for(std::chrono::milliseconds(5));
                      isFirstDone = true;
                  })}));
    gpu.execute(in(stream, {taskOf([&] { wasFirstDone = isFirstDone; })}));
    CHECK(wasFirstDone);
}

TEST_CASE("who submits a buffer and then waits for it executes it, and others of its stream are done after it") {
    Gpu gpu(nullptr, 2);
    const auto stream = makeStream();
    std::vector<std::thread::id> executedBy;  // with nothing around it: a race is an error of the order
    const auto note = [&] { return in(stream, {taskOf([&] { executedBy.push_back(std::this_thread::get_id()); })}); };
    const uint64_t own = gpu.submit(note(), Gpu::Submitter::Waits);
    // Another thread's come after it, and so does who waits for the same one.
    std::thread another([&] {
        gpu.wait(gpu.submit(note(), Gpu::Submitter::Waits));
        gpu.wait(gpu.submit(note()));
    });
    std::thread onlooker([&] { gpu.wait(own); });
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    CHECK_FALSE(gpu.isDone(own));
    gpu.wait(own);
    CHECK(gpu.isDone(own));
    another.join();
    onlooker.join();
    REQUIRE(executedBy.size() == 3);
    CHECK(executedBy[0] == std::this_thread::get_id());
    CHECK(executedBy[1] != std::this_thread::get_id());
    CHECK(executedBy[2] != std::this_thread::get_id());
}

TEST_CASE("what is watched is executed by one thread, whoever waits, as that numbers the draws") {
    Gpu gpu(nullptr, 1);
    struct Watch final : CommandProbe {
        void before(const CommandBuffer&) noexcept override {}
        void after(const CommandBuffer&) noexcept override {}
    };
    gpu.setCommandProbe(std::make_shared<Watch>());
    std::set<std::thread::id> executedBy;
    for (const auto submitter : {Gpu::Submitter::GoesOn, Gpu::Submitter::Waits, Gpu::Submitter::GoesOn}) {
        const auto note = taskOf([&] { executedBy.insert(std::this_thread::get_id()); });
        gpu.wait(gpu.submit(in(makeStream(), {note}), submitter));
    }
    CHECK(executedBy.size() == 1);
    CHECK_FALSE(executedBy.contains(std::this_thread::get_id()));
}

TEST_CASE("a thread whose stack is too small for it waits for another one, one whose stack is not draws") {
    const texture::ImagePtr image = colorImage();
    Gpu gpu(nullptr, 2);
    for (const size_t stack : {size_t{256} << 10, size_t{1200} << 10}) {
        CAPTURE(stack);
        PassThrough programs;
        std::vector<TestVertex> vertices = square(-1, 1, 1, 0);
        Draw draw = makeDraw(programs, vertices, kSize, kSize);
        draw.state->target = targetOf(image);
        std::thread::id executedBy, own;
        Thread thread;
        REQUIRE(thread.start(
            [&] {
                own = std::this_thread::get_id();
                const auto note = taskOf([&] { executedBy = std::this_thread::get_id(); });
                gpu.wait(gpu.submit(in(makeStream(), {clearTo(draw.state->target, 0, 0, 1), draw, note}),
                                    Gpu::Submitter::Waits));
            },
            stack));
        thread.join();
        CHECK((executedBy == own) == (stack > size_t{1} << 20));
        CHECK(image->texel32(5, 5) == 0xFF0000FF);
    }
}

TEST_CASE("a thread whose thread-local memory is gone waits for another one") {
    const auto ends = [] {
        static Gpu gpu(nullptr, 2);
        static bool wasOwn = false;
        static const auto isOwn = [] {
            std::thread::id executedBy;
            const auto note = taskOf([&] { executedBy = std::this_thread::get_id(); });
            gpu.wait(gpu.submit(in(makeStream(), {note}), Gpu::Submitter::Waits));
            return executedBy == std::this_thread::get_id();
        };
        wasOwn = isOwn();
        std::atexit([] { _exit(wasOwn && !isOwn() ? 0 : 1); });
        return true;
    };
    CHECK(testing::inChild(ends));
}

TEST_CASE("threads that execute and threads that submit, to one stream and several: all is done, in order") {
    Gpu gpu(nullptr, 3);
    std::vector<std::thread> threads;
    const auto common = makeStream();
    std::vector<int> counts(4);  // each of one thread's buffers, in order; the last one of all of them
    std::atomic<int> wrong{0};
    for (int n = 0; n < 3; ++n)
        threads.emplace_back([&, n] {
            const auto own = makeStream();
            for (int i = 0; i < 200; ++i) {
                const auto count = taskOf([&, n, i] { wrong += counts[static_cast<size_t>(n)]++ != i; });
                const auto together = taskOf([&] { ++counts[3]; });
                if ((i + n) % 3 == 0)
                    gpu.submit(in(own, {count}));
                else
                    gpu.execute(in(own, {count}));
                if (i % 3 == 0)
                    gpu.submit(in(common, {together}));
                else if (i % 3 == 1)
                    gpu.execute(in(common, {together}));
                else
                    gpu.wait(gpu.submit(in(common, {together}), Gpu::Submitter::Waits));
            }
            gpu.wait(gpu.submitted(own));
        });
    for (std::thread& thread : threads) thread.join();
    gpu.wait(gpu.submitted(common));
    CHECK(wrong == 0);
    CHECK(counts == std::vector{200, 200, 200, 600});
}
