// The worker pool: parallel loops, and the only place where worker threads are made.
//
// A loop hands out its indices in small chunks from one atomic counter, so uneven work balances itself; the
// calling thread works too. Which thread runs which index is not defined: callers write results by index.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/thread.h"

namespace tessera {

/// The floating-point environment every computing thread uses: round to nearest even, denormals kept, no traps.
/// New threads inherit the creator's environment, which belongs to the application, so each sets its own.
void setComputeFloatEnvironment();

class ThreadPool {
public:
    /// `threads` counts the calling thread: 1 starts no worker and runs every loop inline. Where the process may have
    /// no more threads there are fewer.
    explicit ThreadPool(int threads);
    ~ThreadPool();
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;

    [[nodiscard]] int threads() const { return static_cast<int>(workers_.size()) + lostWorkers_ + 1; }

    /// Calls body(index, worker) once for each index below count and returns when all calls have. `worker` is
    /// below threads() and no two calls with the same worker overlap, so it can name scratch space. Thread safe:
    /// loops of different callers run one after the other; a loop started inside a loop runs inline, as worker 0
    /// of its own, so it must not share scratch with the outer one. When `body` throws, indices that have not begun are
    /// left out, and one of the exceptions is the caller's. `name` is for the trace.
    template <class Body>
    void parallelFor(const char* name, size_t count, Body&& body) {
        using Stored = std::remove_reference_t<Body>;
        run(
            name, count,
            [](void* context, size_t index, int worker) { (*static_cast<Stored*>(context))(index, worker); },
            const_cast<void*>(static_cast<const void*>(&body)));
    }
    template <class Body>
    void parallelFor(size_t count, Body&& body) {
        parallelFor("other", count, std::forward<Body>(body));
    }

    /// The same when no loop of another caller is running; else false, and nothing is called.
    template <class Body>
    [[nodiscard]] bool tryParallelFor(size_t count, Body&& body) {
        using Stored = std::remove_reference_t<Body>;
        return tryRun(
            count, [](void* context, size_t index, int worker) { (*static_cast<Stored*>(context))(index, worker); },
            const_cast<void*>(static_cast<const void*>(&body)));
    }

    /// Around a fork() by a thread that runs no loop: from the first to one of the others no loop runs. The child has
    /// none of the workers; its first loop starts others.
    void beforeFork();
    void afterForkInParent();
    void afterForkInChild();

private:
    using Call = void (*)(void* context, size_t index, int worker);

    void run(const char* name, size_t count, Call call, void* context);
    void runLoop(size_t count, Call call, void* context);
    bool tryRun(size_t count, Call call, void* context);
    void runAlone(size_t count, Call call, void* context);
    void startWorkers(int count);
    void workerMain(int worker);
    void runShare(int worker) noexcept;

    std::mutex callers_;  ///< held by the caller whose loop is running

    std::mutex mutex_;  ///< guards what follows, up to workers_
    std::condition_variable wake_, finished_;
    bool stop_ = false;
    bool open_ = false;        ///< a loop accepts workers
    uint64_t generation_ = 0;  ///< number of the loop
    int running_ = 0;          ///< workers inside the loop

    // The loop: written before it opens, read by those that joined.
    Call call_ = nullptr;
    void* context_ = nullptr;
    size_t count_ = 0, chunk_ = 1;
    std::atomic<size_t> next_{0};
    std::exception_ptr thrown_;  ///< by the body; guarded by mutex_

    std::vector<Thread> workers_;
    int lostWorkers_ = 0;  ///< by a fork, and not yet replaced
};

}  // namespace tessera
