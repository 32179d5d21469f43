// Signals belong to the application: no thread of the driver takes one, and nothing the driver does raises one.
#pragma once

#include <cerrno>
#include <csignal>
#include <ctime>

namespace tessera {

/// While it lives, the thread that made it, and threads started meanwhile for all their life, take no signal but those
/// that tell of a fault of their own.
class SignalsBlocked {
public:
    SignalsBlocked() {
        sigset_t blocked;
        sigfillset(&blocked);
        for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS, SIGABRT}) sigdelset(&blocked, fault);
        pthread_sigmask(SIG_BLOCK, &blocked, &before_);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

private:
    sigset_t before_;
};

/// While it lives, a write of this thread that goes beyond RLIMIT_FSIZE, or to a pipe that nobody reads, fails with
/// EFBIG or EPIPE and raises no signal.
class WriteSignalsBlocked {
public:
    WriteSignalsBlocked() {
        sigset_t pending, both;
        sigpending(&pending);
        sigemptyset(&raised_), sigemptyset(&both);
        for (const int signal : {SIGXFSZ, SIGPIPE}) {
            sigaddset(&both, signal);
            if (sigismember(&pending, signal) == 0) sigaddset(&raised_, signal);
        }
        pthread_sigmask(SIG_BLOCK, &both, &before_);
    }
    ~WriteSignalsBlocked() {
        const int error = errno;  // of the write
        const timespec none{};
        while (sigtimedwait(&raised_, nullptr, &none) > 0) {
        }
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
        errno = error;
    }
    WriteSignalsBlocked(const WriteSignalsBlocked&) = delete;
    WriteSignalsBlocked& operator=(const WriteSignalsBlocked&) = delete;

private:
    sigset_t raised_;  ///< those that may be raised meanwhile
    sigset_t before_;
};

}  // namespace tessera
