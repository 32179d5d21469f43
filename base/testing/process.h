// What tests do with the process they run in.
#pragma once

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <sys/wait.h>
#include <unistd.h>

namespace tessera::testing {

/// What the process holds when it ends is not reported by a sanitizer from now on. A child of fork() has none of the
/// parent's other threads, and so nobody who frees what they hold.
inline bool leaksAreMeant = false;

/// Runs `work` in a forked child, which ends by `end`; whether it said yes within ten seconds.
template <class Work>
[[nodiscard]] bool inChild(Work work, void (*end)(int) = std::exit) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child == 0) {
        alarm(10);
        leaksAreMeant = true;
        end(work() ? 0 : 1);
    }
    int status = -1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/// Sends the process a signal that the calling thread blocks, and does `work`; whether the signal is still there to be
/// taken. A thread that took it would have ended the process.
template <class Work>
[[nodiscard]] bool keepsBlockedSignal(Work work) {
    sigset_t signals, before, pending;
    sigemptyset(&signals);
    sigaddset(&signals, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &signals, &before);
    kill(getpid(), SIGUSR1);
    work();
    sigpending(&pending);
    int taken = 0;
    const bool isKept = sigismember(&pending, SIGUSR1) == 1 && sigwait(&signals, &taken) == 0 && taken == SIGUSR1;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return isKept && sigismember(&before, SIGUSR1) == 0;  // the driver left the thread's mask as it was
}

}  // namespace tessera::testing

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
extern "C" [[gnu::used]] inline int __lsan_is_turned_off() { return tessera::testing::leaksAreMeant; }
#endif
#endif
