#include "base/thread/thread.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>

#include "base/check.h"
#include "base/process/signals.h"

/// glibc's: where the stack of the process's first thread begins.
extern "C" void* __libc_stack_end;  // NOLINT(bugprone-reserved-identifier)

namespace tessera {
namespace {

using Range = std::pair<uintptr_t, uintptr_t>;

/// Where the calling thread's stack is: asked for once, as pthread_getattr_np asks the kernel too.
struct ThreadStack {
    ThreadStack() : isFirst(gettid() == getpid()) {
        // pthread_getattr_np would read all of /proc/self/maps for the first thread.
        pthread_attr_t attributes;
        if (isFirst || pthread_getattr_np(pthread_self(), &attributes) != 0) return;
        void* lowest = nullptr;
        size_t bytes = 0;
        pthread_attr_getstack(&attributes, &lowest, &bytes);
        pthread_attr_destroy(&attributes);
        const auto begin = reinterpret_cast<uintptr_t>(lowest);
        own = {begin, begin + bytes};
    }
    const bool isFirst;  ///< of the process; its stack is as large as the limit says, which may change
    Range own;           ///< another thread's; empty when it is not known
};

/// The calling thread's stack, lowest address first; empty when it is not known.
Range stackOfThread() {
    thread_local const ThreadStack stack;
    if (!stack.isFirst) return stack.own;
    rlimit limit{};
    if (getrlimit(RLIMIT_STACK, &limit) != 0) return {};
    const auto end = reinterpret_cast<uintptr_t>(__libc_stack_end);
    // Without a limit, or with a large one, other stacks lie below this one: coroutines', and that of the thread
    // whose fork() made this process.
    constexpr rlim_t kMost = rlim_t{64} << 20;
    return {end - std::min(limit.rlim_cur, kMost), end};
}

}  // namespace

size_t stackLeft() {
    const Range stack = stackOfThread();
    const auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
    return here > stack.first && here < stack.second ? here - stack.first : 0;
}

Thread::~Thread() { CHECK(!started_); }

bool Thread::start(std::function<void()> main, size_t stackBytes) try {
    CHECK(!started_);
    auto owned = std::make_unique<std::function<void()>>(std::move(main));
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return false;
    // Less than the least, which differs between architectures, would be refused and give the default: megabytes.
    pthread_attr_setstacksize(&attributes, std::max(stackBytes, static_cast<size_t>(PTHREAD_STACK_MIN)));
    const auto entry = [](void* argument) -> void* {
        const std::unique_ptr<std::function<void()>> taken(static_cast<std::function<void()>*>(argument));
        (*taken)();
        return nullptr;
    };
    {
        const SignalsBlocked inThread;
        started_ = pthread_create(&thread_, &attributes, entry, owned.get()) == 0;
    }
    pthread_attr_destroy(&attributes);
    if (started_) (void)owned.release();
    return started_;
} catch (const std::bad_alloc&) {
    return false;
}

void Thread::join() {
    CHECK(started_);
    pthread_join(thread_, nullptr);
    started_ = false;
}

void runWithStack(size_t bytes, const std::function<void()>& work) {
    if (stackLeft() >= bytes) return work();
    std::exception_ptr thrown;
    Thread thread;
    const bool started = thread.start(
        [&] {
            try {
                work();
            } catch (...) {
                thrown = std::current_exception();
            }
        },
        bytes);
    if (!started) throw std::bad_alloc();
    thread.join();
    if (thrown) std::rethrow_exception(thrown);
}

}  // namespace tessera
