#include "api/gles/driver.h"

#include <fmt/format.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "api/gles/context/context.h"
#include "api/gles/context/entry.h"
#include "base/check.h"
#include "base/process/env.h"
#include "base/process/report.h"
#include "base/thread/fork.h"
#include "pipeline/commands.h"
#include "shader-core/glsl/glsl.h"
#include "shader-core/isa/executor.h"

namespace tessera::gles {

namespace {

GpuPreparation& gpuPreparation() {
    static GpuPreparation preparation;
    return preparation;
}

ExecutorFactory& executorFactory() {
    static ExecutorFactory factory;
    return factory;
}

pipeline::TextureProbe*& textureProbe() {
    static pipeline::TextureProbe* probe = nullptr;
    return probe;
}

thread_local std::shared_ptr<Context> threadContext;

std::atomic<Driver*> theDriver;  ///< null: not made yet

void beforeFork() {
    ShareGroup::lockAll();
    if (Driver* driver = theDriver) {
        driver->gpu().beforeFork();
        driver->gpu().executor().beforeFork();
    }
}

void afterForkInParent() {
    if (Driver* driver = theDriver) {
        driver->gpu().executor().afterForkInParent();
        driver->gpu().afterForkInParent();
    }
    ShareGroup::unlockAll();
}

void afterForkInChild() {
    if (Driver* driver = theDriver) {
        driver->gpu().executor().afterForkInChild();
        driver->gpu().afterForkInChild();
    }
    // The lock knows its owner by the thread's number, which is another one in the child.
    forgetWaiters(ShareGroup::callsWithoutLock());
    ShareGroup::callsWithoutLock().lock();
    ShareGroup::unlockAll();
}

}  // namespace

void setGpuPreparation(GpuPreparation preparation) { gpuPreparation() = std::move(preparation); }
void setExecutorFactory(ExecutorFactory factory) { executorFactory() = std::move(factory); }

void setTextureProbe(pipeline::TextureProbe* probe) { textureProbe() = probe; }

Driver& Driver::instance() {
    static Driver& driver = *[] {
        theDriver = new Driver;
        return theDriver.load();
    }();
    return driver;
}

void Driver::surviveForks() { pthread_atfork(beforeFork, afterForkInParent, afterForkInChild); }

Driver::Driver() {
    FloatEnvironment environment;  // threads made here inherit it
    CHECK(executorFactory() != nullptr);
    std::shared_ptr<isa::Executor> executor = executorFactory()();
    int threads = textureProbe() == nullptr ? threadCount() : 1;
    renderer_ = fmt::format("Tessera ({}, {} {}, {})", executor->name(), threads, threads == 1 ? "thread" : "threads",
                            simdLevelName(simdLevel()));
    report(Severity::Information, "driver: %s", renderer_.c_str());
    gpu_ = std::make_unique<pipeline::Gpu>(std::move(executor), threads, textureProbe());
    if (gpuPreparation()) gpuPreparation()(*gpu_);
}

void Driver::start(int contextVersion) {
    std::call_once(started_,
                   [&] { gpu_->start([version = contextVersion == 3 ? 300 : 100] { glsl::prepare(version); }); });
}

std::shared_ptr<Context> createContext(const ContextOptions& options) {
    Driver::instance().start(options.version);
    return std::make_shared<Context>(options);
}

const std::shared_ptr<Context>& currentContext() { return threadContext; }

Context* current() { return threadContext.get(); }

void makeCurrent(std::shared_ptr<Context> context, std::shared_ptr<Drawable> draw, std::shared_ptr<Drawable> read) {
    FloatEnvironment environment;
    if (threadContext) {
        (void)flush(*threadContext);
        if (threadContext != context) threadContext->setDrawables(nullptr, nullptr);
    }
    if (context) context->setDrawables(std::move(draw), std::move(read));
    threadContext = std::move(context);
}

bool isContextLost(Context& context) {
    std::lock_guard lock(context.group().mutex);
    return context.isLost();
}

void deliverDebugMessages(Context& context) noexcept {
    // The callback may do anything, even make another context current and destroy this one.
    const GLDEBUGPROCKHR callback = context.debug.callback;
    const void* userParam = context.debug.userParam;
    for (const DebugMessage& message : context.debug.takePending())
        if (callback)
            callback(message.source, message.type, message.id, message.severity,
                     static_cast<GLsizei>(message.text.size()), message.text.c_str(), userParam);
}

namespace {

uint64_t flushFor(Context& context, Recorder::Submitter submitter) {
    std::lock_guard lock(context.group().mutex);
    context.changeDrawState();
    return context.recorder.flush(SamplesResolved(context), submitter);
}

}  // namespace

uint64_t flush(Context& context) { return flushFor(context, Recorder::Submitter::GoesOn); }

void finish(Context& context) {
    const uint64_t serial = flushFor(context, Recorder::Submitter::Waits);
    if (serial != 0) Driver::instance().gpu().wait(serial);
}

void orderWith(Context& context, const std::shared_ptr<pipeline::Stream>& stream) {
    if (stream && stream != streamOf(context)) Driver::instance().gpu().join(stream, streamOf(context));
}

void orderWith(Context& context, Drawable& drawable) {
    orderWith(context, drawable.stream);
    drawable.stream = streamOf(context);
}

const std::shared_ptr<pipeline::Stream>& streamOf(Context& context) { return context.group().stream; }

void waitFor(uint64_t serial) {
    FloatEnvironment environment;
    if (serial != 0) Driver::instance().gpu().wait(serial);
}

bool waitFor(uint64_t serial, uint64_t nanoseconds) {
    constexpr uint64_t kForever = uint64_t{1} << 60;  // more does not fit into the clock's time
    pipeline::Gpu& gpu = Driver::instance().gpu();
    if (nanoseconds >= kForever) {
        gpu.wait(serial);
        return true;
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::nanoseconds(nanoseconds);
    while (!gpu.isDone(serial)) {
        if (std::chrono::steady_clock::now() >= end) return false;
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    return true;
}

void endFrame(Context& context, const Drawable& drawable) {
    if (!Driver::instance().gpu().hearsFrames()) return;
    std::lock_guard lock(context.group().mutex);
    context.changeDrawState();
    const SamplesResolved resolved(context);
    context.recorder.record(pipeline::EndFrame{drawable.color});
    (void)context.recorder.flush(resolved);
}

}  // namespace tessera::gles
