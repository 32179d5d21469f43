// The GPU's front: the threads that take command buffers from the queue, and the watchdog over them.
#include "pipeline/command/gpu.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <new>
#include <optional>
#include <thread>
#include <utility>

#include "base/check.h"
#include "base/float_control.h"
#include "base/limits.h"
#include "base/process/trace.h"
#include "base/thread/fork.h"
#include "base/thread/thread.h"
#include "base/thread/thread_pool.h"
#include "pipeline/command/command_processor.h"
#include "pipeline/command/submission_queue.h"
#include "pipeline/probe/command_probe.h"
#include "pipeline/probe/machine_probe.h"
#include "pipeline/probe/pixel_probe.h"

namespace tessera::pipeline {
namespace {

/// What may wait in a stream: sixteen buffers, which lets the front end run some frames ahead, or four times as many
/// that were handed over because they were full, being parts of a frame of thousands of draws; fewer that keep much
/// memory, 256 MB together.
constexpr size_t kMaxQueuedCost = 64;

/// Streams that run at the same time. When more have something to do, some wait for the end of another's buffer.
constexpr size_t kMaxProcessors = 16;

/// Full buffers that are executed together, as one scene, when that many wait: fewer scenes are fewer loops to wake
/// threads for (docs/adr/0032-full-buffers-are-one-scene.md). Few threads have fewer, as what one thread then does with
/// a draw first and last would no longer find it in its cache. A trace of one thread is to tell of many.
constexpr size_t kMostTogether = 8;

size_t mostTogether(int threads) {
    if (isTracing()) return kMostTogether;
    return threads == 1 ? 1 : std::min(kMostTogether, 2 * static_cast<size_t>(threads));
}

/// Executed buffers whose memory serves again: what one scene gives back and the application's thread has not taken.
constexpr size_t kMostSpare = 2 * kMostTogether;

constexpr std::chrono::milliseconds kLook{100};  ///< of the watchdog

/// How much stack a thread needs that executes its own command buffers, which may have kernels in them.
constexpr size_t kExecutingStack = size_t{1} << 20;

thread_local bool isExecuting = false;

/// Whether the calling thread still has its thread-local memory, which executors keep things in. It has none while the
/// process's static objects are destroyed, whose destructors may draw.
bool hasThreadMemory() {
    thread_local bool isGone = false;
    struct End {
        bool& isGone;
        ~End() { isGone = true; }
    };
    thread_local const End end{isGone};
    return !isGone;
}

}  // namespace

CommandBuffer::CommandBuffer() noexcept = default;
CommandBuffer::CommandBuffer(CommandBuffer&& other) noexcept = default;
CommandBuffer& CommandBuffer::operator=(CommandBuffer&& other) noexcept = default;
CommandBuffer::~CommandBuffer() = default;

void CommandBuffer::clear() {
    commands.clear();
    if (constants.size() > 1) constants.erase(constants.begin() + 1, constants.end());
    states.clear();
    faults = nullptr;
    stream = nullptr;
    bytes = 0;
}

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
    /// A command processor with its thread, and what others see of it.
    struct Processor {
        std::optional<CommandProcessor> commands;  ///< made by the thread
        Watch watch;
        StepClock clock;
        bool isBusy = false;  ///< executes a buffer, or is about to begin
        Counters counters;
        Thread thread;
    };

    Impl(std::shared_ptr<isa::Executor> tier, int threadCount, TextureProbe* textureProbe)
        : executor(std::move(tier)), threads(threadCount), probe(textureProbe) {
        spare.reserve(kMostSpare);
    }

    void startProcessor();
    void startWatchdog();
    void handOver(std::unique_lock<std::mutex>& lock);
    void main(Processor& processor);
    void prepare(Processor& processor);
    void execute(Processor& processor, std::unique_lock<std::mutex>& lock, SubmissionQueue::Taken taken);
    void wakeSubmitters(const SubmissionQueue::Entry& taken);
    [[nodiscard]] bool keepForCaller(uint64_t serial);
    void executeHere(std::unique_lock<std::mutex>& lock, SubmissionQueue::Taken taken);
    void guard();
    [[nodiscard]] bool isAnyBusy() const { return std::ranges::any_of(processors, &Processor::isBusy); }
    [[nodiscard]] bool isWatched() const { return watched.load(std::memory_order_relaxed); }
    void noteProbes() { watched = probe != nullptr || pixelProbe != nullptr || commandProbe != nullptr; }
    [[nodiscard]] const std::shared_ptr<Stream>& actual(const std::shared_ptr<Stream>& stream) const {
        return stream == nullptr || isWatched() ? common : stream;
    }

    const std::shared_ptr<isa::Executor> executor;
    const int threads;
    TextureProbe* probe;
    MachineProbe* machineProbe = nullptr;        ///< set before the first processor starts; then `probe` is it too
    std::shared_ptr<PixelProbe> pixelProbe;      ///< likewise
    std::shared_ptr<CommandProbe> commandProbe;  ///< changes only while nothing is executed
    bool isPlain = false;                        ///< set before the first processor starts
    std::atomic<bool> watched{false};            ///< there is one of the probes
    std::function<void()> first;                 ///< set before the first processor starts; called by its thread
    std::once_flag workersMade;
    std::optional<ThreadPool> workers;       ///< made by the first processor
    std::atomic<ThreadPool*> pool{nullptr};  ///< the same, once it is there
    const std::shared_ptr<Stream> common = makeStream();

    mutable std::mutex mutex;  ///< guards what follows, and streams
    std::condition_variable work, progress;
    SubmissionQueue queue;
    std::vector<CommandBuffer> spare;  ///< executed and empty, but with memory
    /// With threads, from the front on; the last one is for a thread that executes what it submits itself.
    std::array<Processor, kMaxProcessors + 1> processors;
    /// A buffer that the last processor is about to execute, when the thread waits that submitted it.
    struct Kept {
        SubmissionQueue::Taken taken;
        std::thread::id thread;
    };
    std::optional<Kept> kept;
    size_t started = 0;  ///< processors with a thread: the first from the first submission on, the others when missing
    size_t idle = 0;     ///< of these, the ones that wait for work
    std::chrono::milliseconds timeLimit = std::chrono::seconds(tessera::timeLimit());
    bool watchdogSleeps = false;  ///< until a processor is busy
    bool stop = false;
    Thread watchdog;  ///< started by the first submission
    std::condition_variable looking;

    std::atomic<uint64_t> done{0};  ///< all buffers with that serial number or a lower one are executed
};

/// With the mutex held. Where there is no thread to be had those that are there do the work.
void Gpu::Impl::startProcessor() {
    if (started == kMaxProcessors) return;
    Processor& processor = processors[started];
    if (!processor.thread.start([this, &processor] { main(processor); })) return;
    ++started;
    ++idle;
    processor.isBusy = true;
}

/// With the mutex held, as a stream has become ready: sees to it that somebody executes it. Where the process may start
/// no thread the calling one does, and what other threads submit meanwhile too. What a task submits waits for the
/// task's end.
void Gpu::Impl::handOver(std::unique_lock<std::mutex>& lock) {
    if (started == 0) startProcessor();
    if (started == 0) {
        while (queue.ready() != 0 && !processors.back().isBusy) {
            prepare(processors.back());
            executeHere(lock, queue.take());
        }
    } else if (queue.ready() <= idle) {
        work.notify_one();
    } else {
        startProcessor();
    }
}

/// With the mutex held. Tried again each time while there is no thread to be had.
void Gpu::Impl::startWatchdog() {
    if (!watchdog.isStarted() && timeLimit.count() != 0) (void)watchdog.start([this] { guard(); });
}

void Gpu::Impl::main(Processor& processor) {
    setComputeFloatEnvironment();
    prepare(processor);
    if (&processor == processors.data() && first) {
        try {
            std::exchange(first, nullptr)();
        } catch (const std::bad_alloc&) {
            // Whoever needs what it prepares tries again.
        }
    }
    std::unique_lock lock(mutex);
    processor.isBusy = false;
    progress.notify_all();
    for (;;) {
        work.wait(lock, [this] { return stop || queue.ready() != 0; });
        if (queue.ready() == 0) return;  // stopped; the rest of a stream is its present processor's
        --idle;
        execute(processor, lock, queue.take());
        ++idle;
    }
}

void Gpu::Impl::prepare(Processor& processor) {
    std::call_once(workersMade, [this] { pool.store(&workers.emplace(threads), std::memory_order_release); });
    if (!processor.commands)
        processor.commands.emplace(*workers, processor.watch, probe, pixelProbe.get(), machineProbe, isPlain);
}

/// With the mutex held, as the buffer has left its place in the stream to be executed.
void Gpu::Impl::wakeSubmitters(const SubmissionQueue::Entry& taken) {
    const size_t before = SubmissionQueue::queuedCost(taken.stream) + SubmissionQueue::costOf(taken.buffer);
    if (before >= kMaxQueuedCost) progress.notify_all();
}

/// With the mutex held, which is released meanwhile. The calling thread computes in the environment for it.
void Gpu::Impl::execute(Processor& processor, std::unique_lock<std::mutex>& lock, SubmissionQueue::Taken taken) {
    std::array<SubmissionQueue::Taken, kMostTogether> together;
    size_t count = 0;
    processor.isBusy = true;
    processor.watch.stop = false;
    if (watchdogSleeps) looking.notify_one();
    wakeSubmitters(*taken);
    lock.unlock();
    const uint64_t begin = isTracing() ? traceNow() : 0, spent = isTracing() ? traceProcessorTime() : 0;
    isExecuting = true;
    for (std::optional<SubmissionQueue::Taken> next = taken; next;) {
        taken = together[count++] = *next;
        if (commandProbe) commandProbe->before(taken->buffer);
        processor.commands->execute(taken->buffer);
        if (count == mostTogether(threads) || isWatched() || processor.watch.stop) break;
        lock.lock();
        next = queue.takeRest(taken, count);
        if (next) wakeSubmitters(**next);
        lock.unlock();
    }
    processor.commands->finish(taken->buffer.faults.get());
    if (commandProbe) commandProbe->after(taken->buffer);
    isExecuting = false;
    // The buffers' images and byte arrays are released here, before the wait that hands them back ends.
    for (size_t i = 0; i < count; ++i) together[i]->buffer.clear();
    if (isTracing()) traceSpan("buffer", begin, traceProcessorTimeSince(spent));
    lock.lock();
    processor.isBusy = false;
    processor.counters = processor.commands->counters();
    for (size_t i = 0; i < count; ++i) {
        CommandBuffer& buffer = together[i]->buffer;
        if (!isPlain && spare.size() < spare.capacity() && buffer.commands.capacity() >= kFullBuffer)
            spare.push_back(std::move(buffer));
        queue.done(together[i]);
    }
    done.store(queue.allDone(), std::memory_order_release);
    progress.notify_all();
}

/// With the mutex held: has the buffer, which may be executed, wait for the calling thread's wait(). False where
/// another thread has to execute it. While somebody traces, a trace of the application's thread is to tell what that
/// does itself; what is watched is one processor's, which numbers its draws.
bool Gpu::Impl::keepForCaller(uint64_t serial) {
    Processor& processor = processors.back();
    if (processor.isBusy || isExecuting || isTracing() || isWatched() || !hasThreadMemory()) return false;
    if (stackLeft() < kExecutingStack) return false;
    try {
        prepare(processor);
    } catch (const std::bad_alloc&) {
        return false;
    }
    processor.isBusy = true;
    kept = {queue.take(serial), std::this_thread::get_id()};
    return true;
}

/// With the mutex held: on the calling thread, in the place for it, which is prepared and no other thread's.
void Gpu::Impl::executeHere(std::unique_lock<std::mutex>& lock, SubmissionQueue::Taken taken) {
    const FloatControl callers = floatControl();
    setComputeFloatEnvironment();
    execute(processors.back(), lock, taken);
    setFloatControl(callers);
}

/// The watchdog's thread. It looks only while there is something to see.
void Gpu::Impl::guard() {
    const auto limit = static_cast<uint64_t>(timeLimit / kLook);
    std::unique_lock lock(mutex);
    while (!stop) {
        const auto busy = static_cast<size_t>(std::ranges::count_if(processors, &Processor::isBusy));
        for (Processor& processor : processors)
            if (processor.clock.look(processor.isBusy, processor.watch, busy, limit)) processor.watch.stop = true;
        watchdogSleeps = busy == 0;
        if (busy != 0)
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
    impl_->noteProbes();
}

Gpu::~Gpu() {
    {
        std::lock_guard lock(impl_->mutex);
        impl_->stop = true;
    }
    impl_->work.notify_all();
    for (size_t i = 0; i < impl_->started; ++i) impl_->processors[i].thread.join();
    impl_->looking.notify_all();
    if (impl_->watchdog.isStarted()) impl_->watchdog.join();
}

void Gpu::setPixelProbe(std::shared_ptr<PixelProbe> probe) {
    CHECK(impl_->started == 0 && impl_->queue.submitted() == 0);
    impl_->pixelProbe = std::move(probe);
    impl_->noteProbes();
}

void Gpu::setMachineProbe(MachineProbe& probe) {
    CHECK(impl_->started == 0 && impl_->queue.submitted() == 0);
    CHECK_EQ(impl_->threads, 1);
    impl_->probe = impl_->machineProbe = &probe;
    impl_->noteProbes();
}

void Gpu::setCommandProbe(std::shared_ptr<CommandProbe> probe) {
    CHECK(!isExecuting);
    std::unique_lock lock(impl_->mutex);
    // A stream that was by itself comes before, or after, all that is watched: it has no order with it otherwise.
    impl_->progress.wait(lock, [this] { return impl_->queue.isEmpty() && !impl_->isAnyBusy(); });
    impl_->commandProbe = std::move(probe);
    impl_->noteProbes();
}

bool Gpu::hasCommandProbe() const {
    std::lock_guard lock(impl_->mutex);
    return impl_->commandProbe != nullptr;
}

void Gpu::setPlain() {
    CHECK(impl_->started == 0 && impl_->queue.submitted() == 0);
    CHECK(impl_->probe != nullptr);
    impl_->isPlain = true;
}

void Gpu::setTimeLimit(std::chrono::milliseconds limit) {
    CHECK(impl_->started == 0 && impl_->queue.submitted() == 0);
    impl_->timeLimit = limit;
}

void Gpu::start(std::function<void()> first) {
    std::lock_guard lock(impl_->mutex);
    CHECK(impl_->started == 0 && impl_->queue.submitted() == 0);
    impl_->first = std::move(first);
    impl_->startProcessor();
}

uint64_t Gpu::submit(CommandBuffer&& commands, Submitter submitter) {
    const uint64_t begin = isTracing() ? traceNow() : 0;
    std::unique_lock lock(impl_->mutex);
    impl_->startWatchdog();
    commands.stream = impl_->actual(commands.stream);
    // A task may submit; it must not wait for itself.
    if (!isExecuting)
        impl_->progress.wait(lock, [&] { return SubmissionQueue::queuedCost(commands.stream) < kMaxQueuedCost; });
    const bool isReady = impl_->queue.push(std::move(commands));
    const uint64_t serial = impl_->queue.submitted();
    commands = {};
    if (!impl_->spare.empty()) {
        commands = std::move(impl_->spare.back());
        impl_->spare.pop_back();
    }
    if (isReady && !(submitter == Submitter::Waits && impl_->keepForCaller(serial))) impl_->handOver(lock);
    lock.unlock();
    if (isTracing()) traceSpan("submit", begin, traceProcessorTime());
    return serial;
}

void Gpu::execute(CommandBuffer&& commands) {
    CHECK(!isExecuting);
    wait(submit(std::move(commands), Submitter::Waits));
}

void Gpu::join(const std::shared_ptr<Stream>& one, const std::shared_ptr<Stream>& other) {
    std::lock_guard lock(impl_->mutex);
    // Watched streams are one anyway; when nobody watches any more these two have to be.
    impl_->queue.join(one != nullptr ? one : impl_->common, other != nullptr ? other : impl_->common);
}

void Gpu::wait(uint64_t serial) {
    if (isDone(serial)) return;
    const uint64_t begin = isTracing() ? traceNow() : 0;
    {
        std::unique_lock lock(impl_->mutex);
        CHECK_LE(serial, impl_->queue.submitted());
        CHECK(!isExecuting);
        const std::optional<Impl::Kept>& kept = impl_->kept;
        if (kept && kept->taken->serial == serial && kept->thread == std::this_thread::get_id()) {
            impl_->executeHere(lock, std::exchange(impl_->kept, std::nullopt)->taken);
            if (impl_->queue.ready() != 0) impl_->handOver(lock);  // another thread has submitted to the stream
        }
        impl_->progress.wait(lock, [&] { return impl_->queue.isDone(serial); });
    }
    if (isTracing()) traceSpan("wait", begin, traceProcessorTime());
}

bool Gpu::isDone(uint64_t serial) const {
    if (impl_->done.load(std::memory_order_acquire) >= serial) return true;
    std::lock_guard lock(impl_->mutex);
    return impl_->queue.isDone(serial);
}

uint64_t Gpu::submitted(const std::shared_ptr<Stream>& stream) const {
    std::lock_guard lock(impl_->mutex);
    return SubmissionQueue::last(impl_->actual(stream));
}

void Gpu::parallel(size_t count, const std::function<void(size_t)>& body) {
    ThreadPool* pool = impl_->pool.load(std::memory_order_acquire);
    if (pool != nullptr && pool->tryParallelFor(count, [&](size_t i, int) { body(i); })) return;
    for (size_t i = 0; i < count; ++i) body(i);
}

void Gpu::beforeFork() {
    std::unique_lock lock(impl_->mutex);
    impl_->progress.wait(lock, [this] { return impl_->queue.isEmpty() && !impl_->isAnyBusy(); });
    if (impl_->workers) impl_->workers->beforeFork();
    (void)lock.release();
}

void Gpu::afterForkInParent() {
    if (impl_->workers) impl_->workers->afterForkInParent();
    impl_->mutex.unlock();
}

void Gpu::afterForkInChild() {
    if (impl_->workers) impl_->workers->afterForkInChild();
    for (Impl::Processor& processor : impl_->processors) processor.thread.abandon();
    impl_->started = impl_->idle = 0;
    impl_->watchdog.abandon();
    forgetWaiters(impl_->work);
    forgetWaiters(impl_->progress);
    forgetWaiters(impl_->looking);
    impl_->mutex.unlock();
}

isa::Executor& Gpu::executor() const { return *impl_->executor; }
int Gpu::threads() const { return impl_->threads; }
TextureProbe* Gpu::textureProbe() const { return impl_->probe; }
bool Gpu::isPlain() const { return impl_->isPlain; }
bool Gpu::hearsFrames() const { return impl_->isWatched(); }

Counters Gpu::counters() const {
    std::lock_guard lock(impl_->mutex);
    Counters sum;
    for (const Impl::Processor& processor : impl_->processors) sum.add(processor.counters);
    return sum;
}

}  // namespace tessera::pipeline
