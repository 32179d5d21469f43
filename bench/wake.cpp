// What opening a parallel loop costs while the pool's worker sleeps: how long until the caller begins its own share,
// having woken the worker, and until the worker begins. Prints both in nanoseconds, medians; scaling.py schedules with
// them. The pool has two threads, as a worker that finds no free processor would say nothing.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <ratio>
#include <vector>

#include "base/thread/thread_pool.h"

namespace {

using Clock = std::chrono::steady_clock;

double nanoseconds(Clock::duration time) { return std::chrono::duration<double, std::nano>(time).count(); }

double median(std::vector<double>& values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

struct Delays {
    std::vector<double> caller, worker;
};

/// One loop of two parts, each of which lasts until the other one has begun, so that nobody does both.
void measure(tessera::ThreadPool& pool, Delays& delays) {
    std::atomic<int> begun = 0;
    double caller = 0, worker = 0;
    const Clock::time_point begin = Clock::now();
    pool.parallelFor(2, [&](size_t, int who) {
        (who == 0 ? caller : worker) = nanoseconds(Clock::now() - begin);
        ++begun;
        // The time limit is for a worker that another program keeps from running.
        while (begun < 2 && Clock::now() - begin < std::chrono::milliseconds(20)) {
        }
    });
    if (caller == 0 || worker == 0) return;  // one of them did the whole loop
    delays.caller.push_back(caller);
    delays.worker.push_back(worker);
}

/// The caller works between two loops of a frame, and the worker falls asleep.
void work(std::chrono::microseconds time) {
    const Clock::time_point begin = Clock::now();
    while (Clock::now() - begin < time) {
    }
}

}  // namespace

int main() {
    constexpr int kLoops = 2000;
    tessera::ThreadPool pool(2);
    Delays delays;
    for (int i = 0; i < kLoops; ++i) {
        work(std::chrono::microseconds(50));
        measure(pool, delays);
    }
    if (delays.caller.size() < kLoops / 10) {
        std::fprintf(stderr, "wake_bench: a worker began in %zu of %d loops: fewer than two processors are free\n",
                     delays.caller.size(), kLoops);
        return 1;
    }
    std::printf("%.0f %.0f\n", median(delays.caller), median(delays.worker));
    return 0;
}
