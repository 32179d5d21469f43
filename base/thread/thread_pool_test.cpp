#include "base/thread/thread_pool.h"

#include <unistd.h>

#include <barrier>
#include <chrono>
#include <latch>
#include <new>
#include <numeric>

#include <doctest/doctest.h>

#include "base/float_control.h"
#include "base/testing/process.h"

using namespace tessera;

TEST_CASE("every index runs exactly once, for any thread count and any loop length") {
    for (int threads : {1, 2, 3, 8}) {
        ThreadPool pool(threads);
        CHECK(pool.threads() == threads);
        for (size_t count : {0, 1, 2, 3, 7, 64, 1000, 5000}) {
            std::vector<std::atomic<int>> hits(count);
            pool.parallelFor(count, [&](size_t i, int) { hits[i].fetch_add(1); });
            bool once = true;
            for (auto& hit : hits) once &= hit.load() == 1;
            CHECK(once);
        }
    }
}

TEST_CASE("worker numbers name scratch space that no two calls share at a time") {
    ThreadPool pool(4);
    std::vector<std::atomic<int>> busy(4);
    std::atomic<int> collisions{0};
    std::vector<uint64_t> sums(4, 0);
    for (int round = 0; round < 50; ++round) {
        pool.parallelFor(200, [&](size_t i, int worker) {
            if (busy[worker].fetch_add(1) != 0) ++collisions;
            sums[worker] += i;
            busy[worker].fetch_sub(1);
        });
    }
    CHECK(collisions == 0);
    CHECK(std::accumulate(sums.begin(), sums.end(), uint64_t{0}) == 50u * (200 * 199 / 2));
}

TEST_CASE("writes of a loop are visible to the caller and to the next loop") {
    ThreadPool pool(3);
    std::vector<int> a(777), b(777);
    for (int round = 1; round < 40; ++round) {
        pool.parallelFor(a.size(), [&](size_t i, int) { a[i] = static_cast<int>(i) * round; });
        pool.parallelFor(b.size(), [&](size_t i, int) { b[i] = a[a.size() - 1 - i]; });
        bool equal = true;
        for (size_t i = 0; i < b.size(); ++i) equal &= b[i] == static_cast<int>(a.size() - 1 - i) * round;
        CHECK(equal);
    }
}

TEST_CASE("a loop inside a loop runs inline instead of waiting for itself") {
    ThreadPool pool(2);
    std::atomic<int> calls{0};
    pool.parallelFor(8, [&](size_t, int) { pool.parallelFor(5, [&](size_t, int) { ++calls; }); });
    CHECK(calls == 40);
}

TEST_CASE("loops of several callers run whole") {
    ThreadPool pool(3);
    std::atomic<int> calls{0};
    std::vector<std::thread> callers;
    for (int c = 0; c < 4; ++c)
        callers.emplace_back([&] {
            for (int round = 0; round < 50; ++round) pool.parallelFor(20, [&](size_t, int) { ++calls; });
        });
    for (std::thread& caller : callers) caller.join();
    CHECK(calls == 4 * 50 * 20);
}

TEST_CASE("workers keep denormals whatever the creating thread's control word says") {
    const FloatControl mine = floatControl();
    setFloatControl(mine | kFlushToZero);
    ThreadPool pool(3);
    setFloatControl(mine);
    volatile float tiny = 1e-38f;
    std::atomic<int> lost{0};
    std::barrier everyThread(3);
    pool.parallelFor(3, [&](size_t, int) {
        everyThread.arrive_and_wait();  // three indices, three threads: each takes one
        if (tiny * 0.25f == 0.0f) ++lost;
    });
    CHECK(lost == 0);
}

TEST_CASE("a loop ends while another caller's loop holds all the workers") {
    for (int threads : {1, 3}) {
        ThreadPool pool(threads);
        std::latch held(threads), shortIsDone(1);
        std::atomic<int> calls{0};
        std::thread caller([&] {
            pool.parallelFor(threads, [&](size_t, int) {
                held.count_down();
                shortIsDone.wait();
            });
        });
        held.wait();  // the caller and each worker are at an index that takes as long as the other loop
        pool.parallelFor(100, [&](size_t, int) { ++calls; });
        CHECK(calls == 100);
        shortIsDone.count_down();
        caller.join();
    }
}

TEST_CASE("workers leave a long loop for a short one") {
    ThreadPool pool(2);
    std::atomic<bool> isJoined{false}, longIsDone{false}, helped{false}, helpedInTime{false};
    std::thread caller([&] {
        pool.parallelFor(1u << 20, [&](size_t, int worker) {
            if (worker != 0) isJoined = true;
            if (!helped) std::this_thread::sleep_for(std::chrono::microseconds(10));
        });
        longIsDone = true;
    });
    while (!isJoined) std::this_thread::yield();
    while (!helped)
        pool.parallelFor(64, [&](size_t, int worker) {
            std::this_thread::sleep_for(std::chrono::microseconds(100));
            if (worker != 0 && !helped.exchange(true)) helpedInTime = !longIsDone;
        });
    caller.join();
    CHECK(helpedInTime);
}

TEST_CASE("a loop is tried: it runs whole when the pool is free, and not at all when it is not") {
    tessera::ThreadPool pool(3);
    std::atomic<int> calls{0};
    CHECK(pool.tryParallelFor(100, [&](size_t, int) { ++calls; }));
    CHECK(calls == 100);
    std::atomic<bool> tried{false};
    pool.parallelFor(2, [&](size_t, int) {
        std::thread other([&] { tried = tried || pool.tryParallelFor(5, [&](size_t, int) { ++calls; }); });
        other.join();
    });
    CHECK(!tried);
    CHECK(calls == 100);
}

TEST_CASE("workers take no signal of the application") {
    ThreadPool pool(4);
    std::atomic<int> ran{0};
    CHECK(testing::keepsBlockedSignal([&] {
        for (int round = 0; round < 100; ++round) pool.parallelFor(64, [&](size_t, int) { ++ran; });
    }));
    CHECK(ran == 6400);
}

TEST_CASE("what a body throws is the caller's, and the pool is as good as before") {
    for (int threads : {1, 3}) {
        ThreadPool pool(threads);
        for (int round = 0; round < 20; ++round) {
            CHECK_THROWS_AS(pool.parallelFor(500,
                                             [&](size_t i, int) {
                                                 if (i % 100 == 57) throw std::bad_alloc();
                                             }),
                            std::bad_alloc);
            std::atomic<int> calls{0};
            pool.parallelFor(500, [&](size_t, int) { ++calls; });
            CHECK(calls == 500);
        }
    }
}

TEST_CASE("the child of a fork has workers of its own") {
    ThreadPool pool(4);
    std::atomic<int> ran{0};
    const auto everyThread = [&] {  // four indices that wait for each other: four threads
        std::barrier together(4);
        pool.parallelFor(4, [&](size_t, int) {
            together.arrive_and_wait();
            ++ran;
        });
    };
    everyThread();
    pool.beforeFork();
    const auto works = [&] {
        pool.afterForkInChild();
        everyThread();
        return ran == 8 && pool.threads() == 4;
    };
    CHECK(testing::inChild(works, _exit));
    pool.afterForkInParent();
    everyThread();
    CHECK(ran == 8);
}
