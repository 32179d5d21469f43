// Parallel loops over a fixed set of sleeping workers. A loop opens under the mutex, workers join it while it is
// open, and the caller closes it and waits for those inside before the loop's state goes out of scope.
#include "base/thread_pool.h"

#include <algorithm>

#include "base/check.h"
#include "base/float_control.h"
#include "base/fork.h"
#include "base/trace.h"

namespace tessera {
namespace {

/// Indices handed out at a time: about sixteen chunks for each thread, so that the slowest one matters little.
constexpr size_t kChunksPerThread = 16;
constexpr size_t kMaxChunk = 64;

thread_local bool insideLoop = false;

/// While the calling thread runs a loop's body.
class InsideLoop {
public:
    InsideLoop() { insideLoop = true; }
    ~InsideLoop() { insideLoop = false; }
    InsideLoop(const InsideLoop&) = delete;
    InsideLoop& operator=(const InsideLoop&) = delete;
};

}  // namespace

void setComputeFloatEnvironment() { setFloatControl(kDefaultFloatControl); }

ThreadPool::ThreadPool(int threads) {
    CHECK_LE(1, threads);
    startWorkers(threads - 1);
}

void ThreadPool::startWorkers(int count) try {
    workers_.reserve(count);
    for (int i = 1; i <= count; ++i) {
        Thread worker;
        if (!worker.start([this, i] { workerMain(i); })) return;
        workers_.push_back(std::move(worker));
    }
} catch (const std::bad_alloc&) {
    // Those that are there do it.
}

ThreadPool::~ThreadPool() {
    {
        std::lock_guard lock(mutex_);
        stop_ = true;
    }
    wake_.notify_all();
    for (Thread& worker : workers_) worker.join();
}

void ThreadPool::runShare(int worker) noexcept try {
    for (;;) {
        size_t begin = next_.fetch_add(chunk_, std::memory_order_relaxed);
        if (begin >= count_) return;
        size_t end = std::min(begin + chunk_, count_);
        for (size_t i = begin; i < end; ++i) call_(context_, i, worker);
    }
} catch (...) {
    next_.store(count_, std::memory_order_relaxed);
    std::lock_guard lock(mutex_);
    thrown_ = std::current_exception();
}

namespace {

/// A loop's body with a clock around it.
struct TimedBody {
    void (*call)(void* context, size_t index, int worker);
    void* context;
    std::vector<uint32_t> durations;

    static void run(void* timed, size_t index, int worker) {
        auto& body = *static_cast<TimedBody*>(timed);
        const uint64_t begin = traceProcessorTime();
        body.call(body.context, index, worker);
        body.durations[index] = traceDuration(begin);
    }
};

}  // namespace

void ThreadPool::run(const char* name, size_t count, Call call, void* context) {
    if (!isTracing() || insideLoop || count == 0) return runLoop(count, call, context);
    TimedBody timed{call, context, std::vector<uint32_t>(count)};
    const uint64_t begin = traceNow();
    runLoop(count, TimedBody::run, &timed);
    traceLoop(name, begin, timed.durations.data(), count);
}

void ThreadPool::runLoop(size_t count, Call call, void* context) {
    if (count == 0) return;
    if (insideLoop) {
        for (size_t i = 0; i < count; ++i) call(context, i, 0);
        return;
    }
    std::lock_guard oneLoop(callers_);
    runAlone(count, call, context);
}

bool ThreadPool::tryRun(size_t count, Call call, void* context) {
    if (insideLoop) return false;
    std::unique_lock oneLoop(callers_, std::try_to_lock);
    if (!oneLoop.owns_lock()) return false;
    runAlone(count, call, context);
    return true;
}

/// With callers_ held.
void ThreadPool::runAlone(size_t count, Call call, void* context) {
    if (lostWorkers_ != 0) startWorkers(std::exchange(lostWorkers_, 0));
    const InsideLoop inside;
    if (workers_.empty() || count <= 1) {
        for (size_t i = 0; i < count; ++i) call(context, i, 0);
        return;
    }
    {
        std::lock_guard lock(mutex_);
        call_ = call;
        context_ = context;
        count_ = count;
        chunk_ = std::clamp<size_t>(count / (kChunksPerThread * threads()), 1, kMaxChunk);
        next_.store(0, std::memory_order_relaxed);
        open_ = true;
        ++generation_;
    }
    size_t helpers = std::min(count - 1, workers_.size());
    if (helpers == workers_.size())
        wake_.notify_all();
    else
        for (size_t i = 0; i < helpers; ++i) wake_.notify_one();
    runShare(0);
    std::unique_lock lock(mutex_);
    open_ = false;
    finished_.wait(lock, [this] { return running_ == 0; });
    if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void ThreadPool::workerMain(int worker) {
    setComputeFloatEnvironment();
    insideLoop = true;
    uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
        wake_.wait(lock, [&] { return stop_ || (open_ && generation_ != seen); });
        if (stop_) return;
        seen = generation_;
        ++running_;
        lock.unlock();
        runShare(worker);
        lock.lock();
        if (--running_ == 0) finished_.notify_one();
    }
}

void ThreadPool::beforeFork() {
    callers_.lock();
    mutex_.lock();
}

void ThreadPool::afterForkInParent() {
    mutex_.unlock();
    callers_.unlock();
}

void ThreadPool::afterForkInChild() {
    for (Thread& worker : workers_) worker.abandon();
    lostWorkers_ += static_cast<int>(workers_.size());
    workers_.clear();
    forgetWaiters(wake_);
    forgetWaiters(finished_);
    afterForkInParent();
}

}  // namespace tessera
