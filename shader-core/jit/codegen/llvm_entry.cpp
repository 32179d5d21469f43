#include "shader-core/jit/codegen/llvm_entry.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <csetjmp>
#include <exception>
#include <new>
#include <utility>

#include <llvm/Support/ErrorHandling.h>

#include "base/process/report.h"

namespace tessera::jit {

namespace {

void reportLoss(const char* why) {
    report(Severity::Warning, "shaders that are not compiled yet stay on the interpreter: LLVM: %s", why);
}

void leaveAtError(void*, const char* why, bool) { leaveLlvm(why); }

}  // namespace

class LlvmEntry {
public:
    bool enter(llvm::function_ref<void()> work) {
        for (pid_t occupant = 0; !occupant_.compare_exchange_strong(occupant, getpid()); occupant = 0) {
            if (occupant != getpid()) return false;
            occupant_.wait(occupant);
        }
        const bool isDone = !isLost_ && attempt(work);
        occupant_ = 0;
        occupant_.notify_all();
        return isDone;
    }

    [[noreturn]] void leaveFromWithin(const char* why) {
        if (occupant_ != getpid() || insider_ != pthread_self()) throw std::bad_alloc();
        reportLoss(why);
        std::longjmp(wayOut_, 1);
    }

private:
    /// The rest is for whoever is inside.
    bool attempt(llvm::function_ref<void()> work) {
        if (setjmp(wayOut_) != 0) return lose();
        try {
            insider_ = pthread_self();
            if (!std::exchange(hasHandlers_, true)) {
                llvm::install_bad_alloc_error_handler(leaveAtError);
                llvm::install_fatal_error_handler(leaveAtError);
            }
            work();
            insider_ = {};
            return true;
        } catch (const std::exception& error) {
            reportLoss(error.what());
        }
        return lose();
    }

    bool lose() {
        insider_ = {};
        isLost_ = true;
        return false;
    }

    /// The process of the thread inside; 0: nobody is. In the child of a fork() it is the parent's when one was inside,
    /// who will never leave: so LLVM is lost to the child.
    std::atomic<pid_t> occupant_ = 0;
    std::atomic<pthread_t> insider_{};  ///< while it is at its work
    std::jmp_buf wayOut_{};             ///< its
    bool hasHandlers_ = false, isLost_ = false;
};

namespace {

constinit LlvmEntry entry;

}  // namespace

void leaveLlvm(const char* why) { entry.leaveFromWithin(why); }

bool enterLlvm(llvm::function_ref<void()> work) { return entry.enter(work); }

}  // namespace tessera::jit
