#include "shader-core/tier/tiered.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <new>

#include "base/thread/fork.h"
#include "base/thread/thread.h"

namespace tessera::tier {

namespace {

/// Nice value of the compiling thread: behind the threads that draw, yet never starved by them.
constexpr int kNice = 5;

/// What a routine and the thread that compiles it share.
struct Slot {
    std::shared_ptr<const isa::Program> program;
    std::shared_ptr<const isa::Routine> owner;        ///< written once, before `fast`
    std::atomic<const isa::Routine*> fast = nullptr;  ///< set when ready
    std::atomic<bool> asked = false;
};

/// The queue and its thread.
class Background {
public:
    explicit Background(LoadFast loadFast) : loadFast_(std::move(loadFast)) {}
    /// Waits for the compilation under way; what is queued stays where it runs.
    ~Background() {
        {
            const std::scoped_lock lock(mutex_);
            stopping_ = true;
        }
        wake_.notify_one();
        // The child of a fork() that nobody announced has no threads but its own.
        if (owner_ != getpid())
            thread_.abandon();
        else if (thread_.isStarted())
            thread_.join();
    }

    void ask(const std::shared_ptr<Slot>& slot) {
        const std::scoped_lock lock(mutex_);
        queue_.push_back(slot);
        owner_ = getpid();
        // Without a thread it waits for the next program that asks.
        if (thread_.isStarted() || thread_.start([this] { loop(); })) wake_.notify_one();
    }

    void beforeFork() {
        std::unique_lock lock(mutex_);
        rests_.wait(lock, [this] { return !compiles_; });
        (void)lock.release();
    }
    void afterForkInParent() { mutex_.unlock(); }
    void afterForkInChild() {
        thread_.abandon();
        forgetWaiters(wake_);
        forgetWaiters(rests_);
        mutex_.unlock();
    }

private:
    void loop() {
        setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), kNice);
        while (std::shared_ptr<Slot> slot = next()) {
            try {
                compile(slot);
            } catch (const std::bad_alloc&) {
                // The program stays where it is.
            }
        }
    }

    void compile(const std::shared_ptr<Slot>& slot) {
        if (!isLoaded_) fast_ = loadFast_();
        isLoaded_ = true;
        // The program may be gone before its turn comes.
        if (fast_ == nullptr || slot.use_count() == 1) return;
        if (slot->owner != nullptr) return fast_->refine(*slot->owner, *slot->program);
        slot->owner = fast_->prepare(slot->program);
        slot->fast.store(slot->owner.get(), std::memory_order_release);
        if (slot->owner == nullptr) return;
        const std::scoped_lock lock(mutex_);
        refinable_.push_back(slot);
    }

    std::shared_ptr<Slot> next() {
        std::unique_lock lock(mutex_);
        compiles_ = false;
        rests_.notify_all();
        wake_.wait(lock, [&] { return stopping_ || !queue_.empty() || !refinable_.empty(); });
        if (stopping_) return nullptr;
        std::deque<std::shared_ptr<Slot>>& from = queue_.empty() ? refinable_ : queue_;
        // The shortest first: nobody waits for more than one of the programs that take long.
        const auto shortest = std::ranges::min_element(
            from, {}, [](const std::shared_ptr<Slot>& waiting) { return waiting->program->code.size(); });
        std::shared_ptr<Slot> slot = std::move(*shortest);
        from.erase(shortest);
        compiles_ = true;
        return slot;
    }

    const LoadFast loadFast_;
    std::mutex mutex_;
    std::condition_variable wake_, rests_;
    std::deque<std::shared_ptr<Slot>> queue_;
    std::deque<std::shared_ptr<Slot>> refinable_;  ///< running on the fast executor; their turn comes last
    bool stopping_ = false, compiles_ = false;
    pid_t owner_ = 0;  ///< the process that the thread is of
    Thread thread_;
    // Of the thread:
    bool isLoaded_ = false;
    std::shared_ptr<isa::Executor> fast_;
};

class TieredRoutine final : public isa::Routine {
public:
    TieredRoutine(std::shared_ptr<const isa::Routine> reference, std::shared_ptr<Slot> slot,
                  std::shared_ptr<Background> background)
        : reference_(std::move(reference)), slot_(std::move(slot)), background_(std::move(background)) {}

    void run(isa::GroupRun& run) const override {
        if (const isa::Routine* fast = slot_->fast.load(std::memory_order_acquire)) return fast->run(run);
        if (!slot_->asked.load(std::memory_order_relaxed) && !slot_->asked.exchange(true)) background_->ask(slot_);
        reference_->run(run);
    }

    [[nodiscard]] isa::BlockCode blockCode() const override {
        const isa::Routine* fast = slot_->fast.load(std::memory_order_acquire);
        return fast != nullptr ? fast->blockCode() : isa::BlockCode{};
    }

private:
    std::shared_ptr<const isa::Routine> reference_;
    std::shared_ptr<Slot> slot_;
    std::shared_ptr<Background> background_;
};

class Tiered final : public isa::Executor {
public:
    Tiered(std::shared_ptr<isa::Executor> reference, LoadFast loadFast)
        : reference_(std::move(reference)), background_(std::make_shared<Background>(std::move(loadFast))) {}

    std::shared_ptr<const isa::Routine> prepare(std::shared_ptr<const isa::Program> program) override {
        auto slot = std::make_shared<Slot>();
        slot->program = program;
        return std::make_shared<TieredRoutine>(reference_->prepare(std::move(program)), std::move(slot), background_);
    }
    std::string name() const override { return "tiered"; }
    void beforeFork() override { background_->beforeFork(); }
    void afterForkInParent() override { background_->afterForkInParent(); }
    void afterForkInChild() override { background_->afterForkInChild(); }

private:
    std::shared_ptr<isa::Executor> reference_;
    std::shared_ptr<Background> background_;
};

class Eager final : public isa::Executor {
public:
    Eager(std::shared_ptr<isa::Executor> reference, LoadFast loadFast)
        : reference_(std::move(reference)), loadFast_(std::move(loadFast)) {}

    std::shared_ptr<const isa::Routine> prepare(std::shared_ptr<const isa::Program> program) override {
        std::call_once(loaded_, [&] { fast_ = loadFast_(); });
        if (fast_ != nullptr)
            if (std::shared_ptr<const isa::Routine> routine = fast_->prepare(program)) {
                fast_->refine(*routine, *program);
                return routine;
            }
        return reference_->prepare(std::move(program));
    }
    std::string name() const override { return "jit"; }

private:
    std::shared_ptr<isa::Executor> reference_, fast_;
    LoadFast loadFast_;
    std::once_flag loaded_;
};

}  // namespace

std::shared_ptr<isa::Executor> makeTiered(std::shared_ptr<isa::Executor> reference, LoadFast loadFast) {
    return std::make_shared<Tiered>(std::move(reference), std::move(loadFast));
}

std::shared_ptr<isa::Executor> makeEager(std::shared_ptr<isa::Executor> reference, LoadFast loadFast) {
    return std::make_shared<Eager>(std::move(reference), std::move(loadFast));
}

}  // namespace tessera::tier
