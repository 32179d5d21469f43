// The GPU's front: a bounded queue of command buffers, the thread that takes them from it, and the watchdog over it.
#include "pipeline/gpu.h"

#include <cfenv>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

#include "base/check.h"
#include "base/fork.h"
#include "base/limits.h"
#include "base/thread.h"
#include "base/thread_pool.h"
#include "base/trace.h"
#include "pipeline/command_processor.h"
#include "pipeline/pixel_probe.h"

namespace tessera::pipeline {
namespace {

/// What may wait: sixteen buffers, which lets the front end run some frames ahead, or four times as many that were
/// handed over because they were full, being parts of a frame of thousands of draws.
constexpr size_t kMaxQueuedCost = 64;
size_t costOf(const CommandBuffer& buffer) { return buffer.commands.size() >= kFullBuffer ? 1 : 4; }

constexpr std::chrono::milliseconds kLook{100};  ///< of the watchdog

}  // namespace

void Faults::ranOutOfTime(std::string message) {
    isOutOfTime_.store(true, std::memory_order_release);
    tell(std::move(message));
}

void Faults::tell(std::string message) {
    {
        std::lock_guard lock(mutex_);
        news_.push_back(std::move(message));
    }
    any_.store(true, std::memory_order_release);
    hasNews_.store(true, std::memory_order_release);
}

std::vector<std::string> Faults::takeNews() {
    std::lock_guard lock(mutex_);
    hasNews_.store(false, std::memory_order_relaxed);
    return std::exchange(news_, {});
}

struct Gpu::Impl {
    Impl(std::shared_ptr<isa::Executor> tier, int threadCount, TextureProbe* textureProbe)
        : executor(std::move(tier)), threads(threadCount), probe(textureProbe) {}

    void main();
    void guard();
    void startThreads();
    void executeNext(std::unique_lock<std::mutex>& lock);
    void executeHere(std::unique_lock<std::mutex>& lock);
    [[nodiscard]] bool onProcessorThread() const { return std::this_thread::get_id() == executing; }

    const std::shared_ptr<isa::Executor> executor;
    const int threads;
    TextureProbe* const probe;
    std::shared_ptr<PixelProbe> pixelProbe;  ///< set before the processor's thread starts
    std::optional<ThreadPool> workers;       ///< made by the thread that executes the first buffer
    std::atomic<ThreadPool*> pool{nullptr};  ///< the same, once it is there
    std::optional<CommandProcessor> commandProcessor;

    mutable std::mutex mutex;  ///< guards what follows
    std::condition_variable work, progress;
    std::deque<CommandBuffer> queue;
    size_t queuedCost = 0;
    uint64_t submitted = 0;  ///< serial number of the last buffer handed over
    Counters counters;
    std::chrono::milliseconds timeLimit = std::chrono::seconds(tessera::timeLimit());
    bool isBusy = false;          ///< a buffer is being executed
    std::thread::id executing;    ///< by this thread
    bool watchdogSleeps = false;  ///< until one comes
    bool stop = false;
    Thread processor, watchdog;  ///< started by the first submission
    std::condition_variable looking;

    Watch watch;

    std::atomic<uint64_t> done{0};  ///< serial number of the last buffer executed
};

void Gpu::Impl::main() {
    setComputeFloatEnvironment();
    std::unique_lock lock(mutex);
    for (;;) {
        work.wait(lock, [this] { return !isBusy && (stop || !queue.empty()); });
        if (queue.empty()) return;  // stopped, and everything submitted is executed
        executeNext(lock);
    }
}

/// With the lock held, which is released meanwhile. The calling thread computes in the environment for it.
void Gpu::Impl::executeNext(std::unique_lock<std::mutex>& lock) {
    {
        const CommandBuffer buffer = std::move(queue.front());
        queue.pop_front();
        queuedCost -= costOf(buffer);
        isBusy = true;
        executing = std::this_thread::get_id();
        watch.stop = false;
        if (watchdogSleeps) looking.notify_one();
        lock.unlock();
        const uint64_t begin = isTracing() ? traceNow() : 0, spent = isTracing() ? traceProcessorTime() : 0;
        if (!commandProcessor) {
            pool.store(&workers.emplace(threads), std::memory_order_release);
            commandProcessor.emplace(*workers, watch, probe, pixelProbe.get());
        }
        commandProcessor->execute(buffer);
        if (isTracing()) traceSpan("buffer", begin, traceProcessorTime() - spent);
        lock.lock();
        counters = commandProcessor->counters();
        lock.unlock();
        // The buffer's images and byte arrays are released here, before the wait that hands them back ends.
    }
    lock.lock();
    isBusy = false;
    executing = {};
    done.fetch_add(1, std::memory_order_release);
    progress.notify_all();
}

/// Where the process may start no thread, submitting is executing. What a callback submits waits for the callback's
/// end, and what other threads submit meanwhile is executed here too.
void Gpu::Impl::executeHere(std::unique_lock<std::mutex>& lock) {
    fenv_t callers;
    std::fegetenv(&callers);
    setComputeFloatEnvironment();
    while (!isBusy && !queue.empty()) executeNext(lock);
    std::fesetenv(&callers);
}

/// With the lock held. Tried again each time while there is no thread to be had.
void Gpu::Impl::startThreads() {
    if (!processor.isStarted()) (void)processor.start([this] { main(); });
    if (!watchdog.isStarted() && timeLimit.count() != 0) (void)watchdog.start([this] { guard(); });
}

/// The watchdog's thread. It looks only while there is something to see.
void Gpu::Impl::guard() {
    const auto limit = static_cast<uint64_t>(timeLimit / kLook);
    StepClock clock;
    std::unique_lock lock(mutex);
    while (!stop) {
        if (clock.look(isBusy, watch, limit)) watch.stop = true;
        watchdogSleeps = !isBusy;
        if (isBusy)
            looking.wait_for(lock, kLook);
        else
            looking.wait(lock);
        watchdogSleeps = false;
    }
}

Gpu::Gpu(std::shared_ptr<isa::Executor> executor, int threads, TextureProbe* probe)
    : impl_(std::make_unique<Impl>(std::move(executor), threads, probe)) {
    CHECK_LE(1, threads);
    CHECK(probe == nullptr || threads == 1);
}

Gpu::~Gpu() {
    {
        std::lock_guard lock(impl_->mutex);
        impl_->stop = true;
    }
    impl_->work.notify_all();
    if (impl_->processor.isStarted()) impl_->processor.join();
    impl_->looking.notify_all();
    if (impl_->watchdog.isStarted()) impl_->watchdog.join();
}

void Gpu::setPixelProbe(std::shared_ptr<PixelProbe> probe) {
    CHECK_EQ(impl_->submitted, 0);
    impl_->pixelProbe = std::move(probe);
}

void Gpu::setTimeLimit(std::chrono::milliseconds limit) {
    CHECK_EQ(impl_->submitted, 0);
    impl_->timeLimit = limit;
}

uint64_t Gpu::submit(CommandBuffer&& commands) {
    const uint64_t begin = isTracing() ? traceNow() : 0;
    std::unique_lock lock(impl_->mutex);
    impl_->startThreads();
    // A callback may submit; it must not wait for itself.
    if (!impl_->onProcessorThread()) impl_->progress.wait(lock, [this] { return impl_->queuedCost < kMaxQueuedCost; });
    const size_t cost = costOf(commands);
    impl_->queue.push_back(std::move(commands));
    impl_->queuedCost += cost;
    const uint64_t serial = ++impl_->submitted;
    if (impl_->processor.isStarted())
        impl_->work.notify_one();
    else
        impl_->executeHere(lock);
    lock.unlock();
    if (isTracing()) traceSpan("submit", begin, traceProcessorTime());
    return serial;
}

void Gpu::wait(uint64_t serial) {
    if (isDone(serial)) return;
    const uint64_t begin = isTracing() ? traceNow() : 0;
    {
        std::unique_lock lock(impl_->mutex);
        CHECK_LE(serial, impl_->submitted);
        CHECK(!impl_->onProcessorThread());
        impl_->progress.wait(lock, [&] { return isDone(serial); });
    }
    if (isTracing()) traceSpan("wait", begin, traceProcessorTime());
}

bool Gpu::isDone(uint64_t serial) const { return impl_->done.load(std::memory_order_acquire) >= serial; }

uint64_t Gpu::submitted() const {
    std::lock_guard lock(impl_->mutex);
    return impl_->submitted;
}

void Gpu::parallel(size_t count, const std::function<void(size_t)>& body) {
    ThreadPool* pool = impl_->pool.load(std::memory_order_acquire);
    if (pool != nullptr && pool->tryParallelFor(count, [&](size_t i, int) { body(i); })) return;
    for (size_t i = 0; i < count; ++i) body(i);
}

void Gpu::beforeFork() {
    std::unique_lock lock(impl_->mutex);
    impl_->progress.wait(lock, [this] { return impl_->queue.empty() && !impl_->isBusy; });
    if (impl_->workers) impl_->workers->beforeFork();
    (void)lock.release();
}

void Gpu::afterForkInParent() {
    if (impl_->workers) impl_->workers->afterForkInParent();
    impl_->mutex.unlock();
}

void Gpu::afterForkInChild() {
    if (impl_->workers) impl_->workers->afterForkInChild();
    impl_->processor.abandon();
    impl_->watchdog.abandon();
    forgetWaiters(impl_->work);
    forgetWaiters(impl_->progress);
    forgetWaiters(impl_->looking);
    impl_->mutex.unlock();
}

isa::Executor& Gpu::executor() const { return *impl_->executor; }
int Gpu::threads() const { return impl_->threads; }
TextureProbe* Gpu::textureProbe() const { return impl_->probe; }

Counters Gpu::counters() const {
    std::lock_guard lock(impl_->mutex);
    return impl_->counters;
}

}  // namespace tessera::pipeline
