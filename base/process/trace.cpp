#include "base/process/trace.h"

#include <chrono>
#include <ctime>
#include <mutex>
#include <string>

#include "base/process/env.h"
#include "base/process/recording_file.h"

namespace tessera {

namespace {

/// Lines of several threads, each whole by itself.
class TraceFile {
public:
    explicit TraceFile(const std::string& path) : file_("TESSERA_TRACE", path, RecordingFile::Devices::Written) {}
    ~TraceFile() { file_.finish(); }
    TraceFile(const TraceFile&) = delete;
    TraceFile& operator=(const TraceFile&) = delete;

    [[nodiscard]] bool isOpen() const { return file_.isOpen(); }
    void line(const std::string& text) {
        std::lock_guard lock(mutex_);
        file_.write(text);
        file_.markWhole();
    }

private:
    RecordingFile file_;
    std::mutex mutex_;
};

/// Null: there is none to write. It may have been given up.
TraceFile* traceFile() {
    static const std::string path = envString("TESSERA_TRACE", "");
    if (path.empty()) return nullptr;
    static TraceFile file(path);
    return &file;
}

/// What this thread has spent on the trace.
thread_local uint64_t ownTime = 0;

uint64_t threadTime() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

uint64_t clockTime() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

/// What asking a clock costs. Of two calls half of each lies between their answers.
template <uint64_t (*ask)()>
uint64_t costOf() {
    static const uint64_t cost = [] {
        constexpr int kTries = 1000;
        const uint64_t start = threadTime();
        for (int i = 0; i < kTries; ++i) (void)ask();
        return (threadTime() - start) / kTries;
    }();
    return cost;
}

/// Takes what the thread does in its lifetime out of the thread's processor time.
class OwnTime {
public:
    OwnTime() : begin_(threadTime()) {}
    ~OwnTime() { ownTime += threadTime() - begin_ + costOf<threadTime>(); }
    OwnTime(const OwnTime&) = delete;
    OwnTime& operator=(const OwnTime&) = delete;

private:
    uint64_t begin_;
};

}  // namespace

bool isTracing() {
    static const bool tracing = traceFile() != nullptr && traceFile()->isOpen();
    return tracing;
}

uint64_t traceNow() { return clockTime(); }

uint64_t traceProcessorTime() {
    const uint64_t cost = costOf<threadTime>(), time = threadTime() - ownTime;
    ownTime += cost;
    return time;
}

uint64_t traceProcessorTimeSince(uint64_t processorTime) {
    const uint64_t now = traceProcessorTime();
    return now > processorTime ? now - processorTime : 0;
}

void traceSpan(const char* kind, uint64_t begin, uint64_t processorTime) {
    const OwnTime own;
    const uint64_t end = traceNow();
    traceFile()->line(std::string(kind) + ' ' + std::to_string(begin) + ' ' + std::to_string(end) + ' ' +
                      std::to_string(processorTime) + '\n');
}

TracedLoop::TracedLoop(const char* name, size_t count) : name_(name) {
    {
        const OwnTime own;
        (void)costOf<clockTime>();
        durations_.resize(count);
        begin_ = traceNow();
    }
    processorTime_ = traceProcessorTime();
}

void TracedLoop::done(size_t index, uint64_t begin) {
    const uint64_t cost = costOf<clockTime>(), duration = clockTime() - begin;
    durations_[index] = static_cast<uint32_t>(duration > cost ? duration - cost : 0);
    ownTime += 2 * cost;
}

TracedLoop::~TracedLoop() {
    const uint64_t processorTime = traceProcessorTimeSince(processorTime_);
    const OwnTime own;
    std::string text = std::string("loop ") + name_ + ' ' + std::to_string(begin_) + ' ' + std::to_string(traceNow()) +
                       ' ' + std::to_string(processorTime);
    for (const uint32_t duration : durations_) text += ' ' + std::to_string(duration);
    traceFile()->line(text + '\n');
}

}  // namespace tessera
