// Parallel loops over a fixed set of sleeping workers. A loop opens under the mutex, workers join it while it has
// indices left, and the caller waits for those inside and closes it before the loop's state goes out of scope.
#include "base/thread/thread_pool.h"

#include <algorithm>
#include <chrono>

#include "base/check.h"
#include "base/float_control.h"
#include "base/process/trace.h"
#include "base/thread/fork.h"

namespace tessera {
namespace {

/// Indices handed out at a time: about sixteen chunks for each thread, so that the slowest one matters little.
constexpr size_t kChunksPerThread = 16;
constexpr size_t kMaxChunk = 64;

/// Loops that are open at once without asking for memory.
constexpr size_t kUsualLoops = 32;

/// How long a caller looks whether its workers are done before it sleeps: less than waking it would take. Threads take
/// the last chunks of a loop at about the same time.
constexpr std::chrono::microseconds kPatience{10};

thread_local bool insideLoop = false;

void pause() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
}

/// Whether `isDue` becomes true within kPatience.
template <class IsDue>
bool comesSoon(const IsDue& isDue) {
    constexpr int kLooksBetweenClocks = 16;
    if (isDue()) return true;
    const auto end = std::chrono::steady_clock::now() + kPatience;
    do {
        for (int i = 0; i < kLooksBetweenClocks; ++i) {
            pause();
            if (isDue()) return true;
        }
    } while (std::chrono::steady_clock::now() < end);
    return false;
}

/// While the calling thread runs a loop's body.
class InsideLoop {
public:
    InsideLoop() : wasInside_(std::exchange(insideLoop, true)) {}
    ~InsideLoop() { insideLoop = wasInside_; }
    InsideLoop(const InsideLoop&) = delete;
    InsideLoop& operator=(const InsideLoop&) = delete;

private:
    bool wasInside_;
};

}  // namespace

void setComputeFloatEnvironment() { setFloatControl(kDefaultFloatControl); }

ThreadPool::ThreadPool(int threads) {
    CHECK_LE(1, threads);
    startWorkers(threads - 1);
    threads_ = static_cast<int>(workers_.size()) + 1;
}

void ThreadPool::startWorkers(int count) try {
    open_.reserve(kUsualLoops);
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

/// The caller (worker 0) stays to the end, a worker until it is another loop's turn.
void ThreadPool::runShare(Loop& loop, int worker) noexcept try {
    do {
        const size_t begin = loop.next.fetch_add(loop.chunk, std::memory_order_relaxed);
        if (begin >= loop.count) return;
        const size_t end = std::min(begin + loop.chunk, loop.count);
        for (size_t i = begin; i < end; ++i) loop.call(loop.context, i, worker);
    } while (worker == 0 || !takesTurns_.load(std::memory_order_relaxed));
} catch (...) {
    loop.next.store(loop.count, std::memory_order_relaxed);
    std::lock_guard lock(mutex_);
    loop.thrown = std::current_exception();
}

namespace {

/// A loop's body with a clock around it.
struct TimedBody {
    void (*call)(void* context, size_t index, int worker);
    void* context;
    TracedLoop loop;

    static void run(void* timed, size_t index, int worker) {
        auto& body = *static_cast<TimedBody*>(timed);
        const uint64_t begin = traceNow();
        body.call(body.context, index, worker);
        body.loop.done(index, begin);
    }
};

}  // namespace

void ThreadPool::run(const char* name, size_t count, Call call, void* context) {
    if (!isTracing() || insideLoop || count == 0) return runLoop(count, call, context);
    TimedBody timed{call, context, {name, count}};
    runLoop(count, TimedBody::run, &timed);
}

void ThreadPool::runLoop(size_t count, Call call, void* context) {
    if (!insideLoop && count > 1) {
        std::unique_lock lock(mutex_);
        if (findWorkers()) return runOpen(lock, count, call, context);
    }
    const InsideLoop inside;
    for (size_t i = 0; i < count; ++i) call(context, i, 0);
}

bool ThreadPool::tryRun(size_t count, Call call, void* context) {
    if (insideLoop || count <= 1) return false;
    std::unique_lock lock(mutex_);
    if (!open_.empty() || !findWorkers()) return false;
    runOpen(lock, count, call, context);
    return true;
}

/// False when there are none, those that a fork took replaced. With mutex_ held.
bool ThreadPool::findWorkers() {
    if (std::exchange(isForked_, false)) startWorkers(threads_ - 1);
    return !workers_.empty();
}

/// With mutex_ held: opens the loop, works in it, and closes it.
void ThreadPool::runOpen(std::unique_lock<std::mutex>& lock, size_t count, Call call, void* context) {
    Loop loop{call, context, count, std::clamp<size_t>(count / (kChunksPerThread * threads()), 1, kMaxChunk)};
    open_.push_back(&loop);
    takesTurns_.store(open_.size() > 1, std::memory_order_relaxed);
    const size_t helpers = std::min(count - 1, workers_.size());
    const bool areAll = helpers == workers_.size();
    lock.unlock();
    if (areAll)
        wake_.notify_all();
    else
        for (size_t i = 0; i < helpers; ++i) wake_.notify_one();
    {
        const InsideLoop inside;
        runShare(loop, 0);
    }
    // Who left last may still hold the mutex, for less time than sleeping takes.
    const auto isOver = [&] { return loop.running.load(std::memory_order_relaxed) == 0 && lock.try_lock(); };
    if (!comesSoon(isOver)) lock.lock();
    loop.left.wait(lock, [&] { return loop.running == 0; });
    std::erase(open_, &loop);
    takesTurns_.store(open_.size() > 1, std::memory_order_relaxed);
    if (open_.empty()) closed_.notify_all();
    if (loop.thrown) std::rethrow_exception(loop.thrown);
}

/// The loop whose turn it is, of those with indices left; null: none. With mutex_ held.
ThreadPool::Loop* ThreadPool::nextLoop() {
    for (size_t i = 0; i < open_.size(); ++i) {
        Loop* loop = open_[turn_++ % open_.size()];
        if (loop->next.load(std::memory_order_relaxed) < loop->count) return loop;
    }
    return nullptr;
}

void ThreadPool::workerMain(int worker) {
    setComputeFloatEnvironment();
    insideLoop = true;
    std::unique_lock lock(mutex_);
    for (;;) {
        Loop* loop = nullptr;
        wake_.wait(lock, [&] { return stop_ || (loop = nextLoop()) != nullptr; });
        if (stop_) return;
        ++loop->running;
        lock.unlock();
        runShare(*loop, worker);
        lock.lock();
        if (--loop->running == 0) loop->left.notify_one();
    }
}

void ThreadPool::beforeFork() {
    std::unique_lock lock(mutex_);
    closed_.wait(lock, [this] { return open_.empty(); });
    (void)lock.release();
}

void ThreadPool::afterForkInParent() { mutex_.unlock(); }

void ThreadPool::afterForkInChild() {
    for (Thread& worker : workers_) worker.abandon();
    workers_.clear();
    isForked_ = true;
    forgetWaiters(wake_);
    forgetWaiters(closed_);
    mutex_.unlock();
}

}  // namespace tessera
