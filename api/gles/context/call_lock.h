// The lock that calls hold, and that is given back when a call is left in the middle.
//
// Calls read and write the application's memory, which may not be there. What happens then is the application's: its
// handler of SIGSEGV may leave the call by siglongjmp, as it may leave any library's. No destructor runs, so a lock of
// the usual kind would stay locked, and the next call of any context of the share group would wait for ever.
//
// siglongjmp and longjmp of glibc call the handlers that _pthread_cleanup_push() has put on stack frames that they
// leave; a call's lock is one of those. Other ways out (setcontext, a handler that changes where its thread goes on)
// are noticed when the thread calls again: within a call no thread locks the mutex twice.
//
// What a call had done until it was left stays. So nothing that others rely on may be half done while the application's
// memory is touched: it is touched before anything is recorded, and by the calling thread alone (client_memory.h).
#pragma once

#include <pthread.h>

#include <atomic>
#include <mutex>

extern "C" {
void pushHandler(_pthread_cleanup_buffer* handler, void (*routine)(void*), void* argument) asm("_pthread_cleanup_push");
void popHandler(_pthread_cleanup_buffer* handler, int execute) asm("_pthread_cleanup_pop");
}

namespace tessera::gles {

/// Gives a lock back when the stack frame that this is on is left by longjmp; to be destroyed before the lock is.
class WhenLeft {
public:
    WhenLeft(void (*giveBack)(void*), void* lock) { pushHandler(&handler_, giveBack, lock); }
    ~WhenLeft() { popHandler(&handler_, 0); }
    WhenLeft(const WhenLeft&) = delete;
    WhenLeft& operator=(const WhenLeft&) = delete;

    /// Undoes the constructor of one whose stack frame is gone; `before` is what before() gave.
    static void forget(_pthread_cleanup_buffer* before) {
        _pthread_cleanup_buffer left{};
        left.__prev = before;
        popHandler(&left, 0);
    }
    [[nodiscard]] _pthread_cleanup_buffer* before() const { return handler_.__prev; }

private:
    _pthread_cleanup_buffer handler_;
};

/// Locked by std::lock_guard, and by a MayBeLeft besides while the application's memory is touched.
class CallMutex {
public:
    void lock() {
        const void* const self = thisThread();
        if (owner_.load(std::memory_order_relaxed) == self) return takeOver();
        mutex_.lock();
        owner_.store(self, std::memory_order_relaxed);
    }
    /// Nothing when it was given back already.
    void unlock() {
        if (owner_.load(std::memory_order_relaxed) != thisThread()) return;
        handled_ = false;
        owner_.store(nullptr, std::memory_order_relaxed);
        mutex_.unlock();
    }

private:
    friend class MayBeLeft;
    static const void* thisThread() { return __builtin_thread_pointer(); }

    /// From a call of this thread that was left.
    void takeOver() {
        if (handled_) WhenLeft::forget(before_);
        handled_ = false;
    }

    std::mutex mutex_;
    std::atomic<const void*> owner_ = nullptr;  ///< the thread that has it
    bool handled_ = false;                      ///< the call has, or had, a MayBeLeft, before which there was:
    _pthread_cleanup_buffer* before_ = nullptr;
};

/// While it lives, the call that has locked the mutex may be left. Within another one it adds nothing.
class MayBeLeft {
public:
    explicit MayBeLeft(CallMutex& mutex) : left_(giveBack, &mutex) {
        if (!mutex.handled_) mutex.before_ = left_.before();
        mutex.handled_ = true;
    }
    MayBeLeft(const MayBeLeft&) = delete;
    MayBeLeft& operator=(const MayBeLeft&) = delete;

private:
    static void giveBack(void* mutex) { static_cast<CallMutex*>(mutex)->unlock(); }

    const WhenLeft left_;
};

/// Of a call that touches the application's memory wherever it likes.
class CallLock {
public:
    explicit CallLock(CallMutex& mutex) : lock_(mutex), left_(mutex) {}

private:
    const std::lock_guard<CallMutex> lock_;
    const MayBeLeft left_;
};

}  // namespace tessera::gles
