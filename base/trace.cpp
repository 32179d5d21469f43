#include "base/trace.h"

#include <chrono>
#include <cstdio>
#include <ctime>
#include <mutex>
#include <string>

#include "base/env.h"

namespace tessera {

namespace {

/// Lines of several threads; what is left is written when the process exits.
class TraceFile {
public:
    explicit TraceFile(const char* path) : file_(std::fopen(path, "w")) {}
    ~TraceFile() {
        if (file_ != nullptr) std::fclose(file_);
    }
    TraceFile(const TraceFile&) = delete;
    TraceFile& operator=(const TraceFile&) = delete;

    [[nodiscard]] bool isOpen() const { return file_ != nullptr; }
    void line(const std::string& text) {
        std::lock_guard lock(mutex_);
        std::fwrite(text.data(), 1, text.size(), file_);
        std::fflush(file_);
    }

private:
    std::FILE* file_;
    std::mutex mutex_;
};

TraceFile* traceFile() {
    static const std::string path = envString("TESSERA_TRACE", "");
    if (path.empty()) return nullptr;
    static TraceFile file(path.c_str());
    [[maybe_unused]] static const bool told = [] {
        if (!file.isOpen() && logLevel() >= 1)
            std::fprintf(stderr, "tessera: TESSERA_TRACE: %s cannot be written\n", path.c_str());
        return true;
    }();
    return file.isOpen() ? &file : nullptr;
}

/// What this thread has spent on the trace.
thread_local uint64_t ownTime = 0;

uint64_t threadTime() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(time.tv_nsec);
}

}  // namespace

bool isTracing() {
    static const bool tracing = traceFile() != nullptr;
    return tracing;
}

uint64_t traceNow() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

uint64_t traceProcessorTime() { return threadTime() - ownTime; }

uint32_t traceDuration(uint64_t begin) {
    static const uint64_t cost = [] {
        constexpr int kTries = 1000;
        const uint64_t start = threadTime();
        for (int i = 0; i < kTries; ++i) (void)threadTime();
        return (threadTime() - start) / (kTries + 1);
    }();
    // Half of each of the two calls lies between their answers, the other halves around them.
    const uint64_t duration = traceProcessorTime() - begin;
    ownTime += 2 * cost;
    return static_cast<uint32_t>(duration > cost ? duration - cost : 0);
}

void traceSpan(const char* kind, uint64_t begin, uint64_t processorTime) {
    const uint64_t end = traceNow(), start = threadTime();
    traceFile()->line(std::string(kind) + ' ' + std::to_string(begin) + ' ' + std::to_string(end) + ' ' +
                      std::to_string(processorTime) + '\n');
    ownTime += threadTime() - start;
}

void traceLoop(const char* name, uint64_t begin, const uint32_t* durations, size_t count) {
    const uint64_t end = traceNow(), start = threadTime();
    std::string text = std::string("loop ") + name + ' ' + std::to_string(begin) + ' ' + std::to_string(end);
    for (size_t i = 0; i < count; ++i) text += ' ' + std::to_string(durations[i]);
    traceFile()->line(text + '\n');
    ownTime += threadTime() - start;
}

}  // namespace tessera
