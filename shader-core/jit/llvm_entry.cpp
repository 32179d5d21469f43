#include "shader-core/jit/llvm_entry.h"

#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <new>
#include <stdexcept>
#include <utility>

#include <llvm/Support/ErrorHandling.h>

#include "base/env.h"

namespace tessera::jit {

namespace {

void reportLoss(const char* why) {
    if (logLevel() >= 2)
        std::fprintf(stderr, "tessera: shaders that are not compiled yet stay on the interpreter: LLVM: %s\n", why);
}

void leaveWithoutMemory(void*, const char*, bool) { throw std::bad_alloc(); }

void leaveAtError(void*, const char* why, bool) { throw std::runtime_error(why); }

}  // namespace

class LlvmEntry {
public:
    LlvmEntry() {
        llvm::install_bad_alloc_error_handler(leaveWithoutMemory);
        llvm::install_fatal_error_handler(leaveAtError);
    }

    bool enter(llvm::function_ref<void()> work) {
        {
            std::unique_lock lock(mutex_);
            left_.wait(lock, [this] { return !isOccupied_; });
            if (isLost_) return false;
            isOccupied_ = true;
        }
        const bool isDone = attempt(work);
        leave();
        return isDone;
    }

    void discard(LlvmObject* object) {
        {
            const std::scoped_lock lock(mutex_);
            if (isLost_) return;
            object->next_ = std::exchange(discarded_, object);
            if (isOccupied_) return;
            isOccupied_ = true;
        }
        leave();
    }

private:
    /// By whoever is inside.
    bool attempt(llvm::function_ref<void()> work) {
        try {
            work();
            return true;
        } catch (const std::bad_alloc&) {
            reportLoss("memory ran out");
        } catch (const std::exception& error) {
            reportLoss(error.what());
        }
        const std::scoped_lock lock(mutex_);
        isLost_ = true;
        return false;
    }

    void leave() {
        std::unique_lock lock(mutex_);
        while (!isLost_ && discarded_ != nullptr) {
            LlvmObject* object = std::exchange(discarded_, discarded_->next_);
            lock.unlock();
            (void)attempt([&] { object->destroy(); });
            lock.lock();
        }
        isOccupied_ = false;
        lock.unlock();
        left_.notify_all();
    }

    std::mutex mutex_;
    std::condition_variable left_;
    bool isOccupied_ = false, isLost_ = false;
    LlvmObject* discarded_ = nullptr;
};

namespace {

LlvmEntry& entry() {
    static LlvmEntry entry;
    return entry;
}

}  // namespace

bool enterLlvm(llvm::function_ref<void()> work) { return entry().enter(work); }

void LlvmObject::Discard::operator()(LlvmObject* object) const noexcept { entry().discard(object); }

}  // namespace tessera::jit
