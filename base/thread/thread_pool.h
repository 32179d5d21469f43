// The worker pool: parallel loops, and the only place where worker threads are made.
//
// A loop hands out its indices in small chunks from one atomic counter, so uneven work balances itself; the
// calling thread works too. Which thread runs which index is not defined: callers write results by index.
//
// Loops of several callers run at the same time. Each goes on with its caller at least, and workers take chunks of the
// loops in turn, so that a short loop does not wait for a long one.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/thread/thread.h"

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

    [[nodiscard]] int threads() const { return threads_; }

    /// Calls body(index, worker) once for each index below count and returns when all calls have. `worker` is
    /// below threads() and no two calls of a loop with the same worker overlap, so it can name scratch space of the
    /// loop. Thread safe; a loop started inside a loop runs inline, as worker 0 of its own. When `body` throws, indices
    /// that have not begun are left out, and one of the exceptions is the caller's. `name` is for the trace.
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

    /// The same when there are workers for it, and in no loop of another caller; else false, and nothing is called.
    template <class Body>
    [[nodiscard]] bool tryParallelFor(size_t count, Body&& body) {
        using Stored = std::remove_reference_t<Body>;
        return tryRun(
            count, [](void* context, size_t index, int worker) { (*static_cast<Stored*>(context))(index, worker); },
            const_cast<void*>(static_cast<const void*>(&body)));
    }

    /// Around a fork() by a thread that runs no loop: from the first to one of the others workers are in no loop. The
    /// child has none of the workers; its first loop starts others.
    void beforeFork();
    void afterForkInParent();
    void afterForkInChild();

private:
    using Call = void (*)(void* context, size_t index, int worker);

    /// A loop that workers may join. It belongs to its caller.
    struct Loop {
        Call call;
        void* context;
        size_t count, chunk;
        std::atomic<size_t> next{0};
        std::atomic<int> running{0};  ///< workers inside the loop; changed with mutex_ held
        std::exception_ptr thrown;    ///< by the body; guarded by mutex_
        std::condition_variable left;
    };

    void run(const char* name, size_t count, Call call, void* context);
    void runLoop(size_t count, Call call, void* context);
    bool tryRun(size_t count, Call call, void* context);
    void runOpen(std::unique_lock<std::mutex>& lock, size_t count, Call call, void* context);
    void startWorkers(int count);
    [[nodiscard]] bool findWorkers();
    void workerMain(int worker);
    void runShare(Loop& loop, int worker) noexcept;
    [[nodiscard]] Loop* nextLoop();

    std::mutex mutex_;  ///< guards what follows, up to isForked_
    std::condition_variable wake_, closed_;
    bool stop_ = false;
    std::vector<Loop*> open_;
    size_t turn_ = 0;  ///< of open_, the loop that a worker joins next
    std::vector<Thread> workers_;
    bool isForked_ = false;  ///< the workers are not there, and not yet replaced

    std::atomic<bool> takesTurns_{false};  ///< several loops are open
    int threads_ = 1;                      ///< as many as there may be, the caller included; set by the constructor
};

}  // namespace tessera
