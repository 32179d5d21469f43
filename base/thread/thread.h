// Threads of the driver, and room on the stack. The process is somebody else's: it may start no thread any more, limit
// the stacks of its own, and take its signals itself.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <functional>
#include <utility>

namespace tessera {

/// A thread that takes no signal but those of its own faults, on a stack of known size. Exceptions that leave what it
/// runs end the process.
class Thread {
public:
    Thread() = default;
    Thread(Thread&& other) noexcept { swap(other); }
    Thread& operator=(Thread&& other) noexcept {
        swap(other);
        return *this;
    }
    /// It has been joined or abandoned, or has never started.
    ~Thread();

    /// False when there is none to be had: no memory, or as many as the process may have.
    [[nodiscard]] bool start(std::function<void()> main, size_t stackBytes = kStackBytes);
    [[nodiscard]] bool isStarted() const { return started_; }
    void join();
    /// In the child of a fork(), which has no threads but the one that forked.
    void abandon() { started_ = false; }

    /// What most processes give their threads, also where the process gives less.
    static constexpr size_t kStackBytes = size_t{8} << 20;

private:
    void swap(Thread& other) noexcept {
        std::swap(thread_, other.thread_);
        std::swap(started_, other.started_);
    }

    pthread_t thread_{};
    bool started_ = false;
};

/// What is left of the calling thread's stack, in bytes; 0 when it runs on one of its own making.
[[nodiscard]] size_t stackLeft();

/// Runs `work` with at least that many bytes of stack: on the calling thread when it has them left, else on one that
/// is made for it and waited for. Throws what `work` throws, and std::bad_alloc when there is no such thread to be had.
void runWithStack(size_t bytes, const std::function<void()>& work);

}  // namespace tessera
