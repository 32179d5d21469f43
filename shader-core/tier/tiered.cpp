#include "shader-core/tier/tiered.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <iterator>
#include <mutex>
#include <new>
#include <vector>

#include "base/thread/fork.h"
#include "base/thread/thread.h"
#include "shader-core/isa/compute.h"
#include "shader-core/isa/program.h"

namespace tessera::tier {

namespace {

/// Nice value of the compiling thread: behind the threads that draw, yet never starved by them.
constexpr int kNice = 2;

using Clock = std::chrono::steady_clock;
/// Nobody asked for so long: a program's first frame is probably over, and it may be refined. Long programs draw long
/// frames.
constexpr std::chrono::milliseconds kCalm{20};
constexpr std::chrono::microseconds kCalmOfInstruction{200};
Clock::duration calmOf(const isa::Program& program) {
    return kCalm + kCalmOfInstruction * static_cast<int64_t>(program.code.size());
}

/// What a program that runs and the thread that compiles it share.
class Slot {
public:
    Slot(std::shared_ptr<const isa::Program> of, int runsBefore) : program(std::move(of)), runsBefore_(runsBefore) {}
    virtual ~Slot() = default;
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;

    enum class Kept : uint8_t {
        Nothing,
        First,  ///< what can be refined
        Whole,  ///< or that the executor refuses the program
    };
    /// Takes what the executor has kept from an earlier process. The thread that asks calls it.
    [[nodiscard]] virtual Kept takeKept(isa::Executor& executor) = 0;
    // By the compiling thread
    [[nodiscard]] virtual bool isPrepared() const = 0;
    [[nodiscard]] virtual bool prepare(isa::Executor& executor) = 0;  ///< false: refused
    virtual void refine(isa::Executor& executor) = 0;                 ///< when it is prepared

    /// Whether the run that now begins is the one that asks for other code.
    [[nodiscard]] bool asksNow() {
        return !hasAsked_.load(std::memory_order_relaxed) &&
               runs_.fetch_add(1, std::memory_order_relaxed) + 1 >= runsBefore_ && !hasAsked_.exchange(true);
    }

    /// From now on it may be refined, once it has executed enough.
    void beRefinable() { left_.store(kRunsBeforeRefining * program->code.size(), std::memory_order_relaxed); }
    [[nodiscard]] bool countsInstructions() const { return left_.load(std::memory_order_relaxed) > 0; }
    /// Where they are counted: whether those that have now been executed are those that make refining worth it.
    [[nodiscard]] bool wantsRefining(uint64_t instructions) {
        const int64_t before = left_.fetch_sub(static_cast<int64_t>(instructions), std::memory_order_relaxed);
        return before > 0 && before <= static_cast<int64_t>(instructions);
    }

    const std::shared_ptr<const isa::Program> program;

private:
    const int runsBefore_;
    std::atomic<int> runs_ = 0;
    std::atomic<bool> hasAsked_ = false;
    std::atomic<int64_t> left_ = 0;  ///< instructions until it is refined; 0 and less: nobody counts
};

/// A program made ready: a routine or a kernel.
template <class Code>
class CodeSlot : public Slot {
public:
    using Slot::Slot;
    /// Null: not ready.
    [[nodiscard]] const Code* fast() const { return fast_.load(std::memory_order_acquire); }
    [[nodiscard]] bool isPrepared() const final { return owner_ != nullptr; }

protected:
    bool isReady(std::shared_ptr<const Code> code) {
        owner_ = std::move(code);
        fast_.store(owner_.get(), std::memory_order_release);
        return owner_ != nullptr;
    }
    std::shared_ptr<const Code> owner_;  ///< written once, before `fast_`

private:
    std::atomic<const Code*> fast_ = nullptr;  ///< set when ready
};

class RoutineSlot final : public CodeSlot<isa::Routine> {
public:
    explicit RoutineSlot(std::shared_ptr<const isa::Program> of) : CodeSlot(std::move(of), kGroupsBeforeAsking) {}
    Kept takeKept(isa::Executor& executor) override {
        isa::KeptRoutine kept = executor.prepareKept(*program);
        const bool runs = isReady(std::move(kept.routine));
        return kept.isWhole ? Kept::Whole : runs ? Kept::First : Kept::Nothing;
    }
    bool prepare(isa::Executor& executor) override { return isReady(executor.prepareFirst(program)); }
    void refine(isa::Executor& executor) override { executor.refine(*owner_, *program); }
};

class KernelSlot final : public CodeSlot<isa::Kernel> {
public:
    KernelSlot(std::shared_ptr<const isa::Program> of, std::array<uint32_t, 3> block)
        : CodeSlot(std::move(of), 1), block_(block) {}
    Kept takeKept(isa::Executor& executor) override {
        return isReady(executor.prepareKeptKernel(program, block_)) ? Kept::Whole : Kept::Nothing;
    }
    bool prepare(isa::Executor& executor) override { return isReady(executor.prepareKernel(program, block_)); }
    void refine(isa::Executor&) override {}

private:
    const std::array<uint32_t, 3> block_;
};

/// Programs that wait for the thread that compiles. Some may be gone before their turn comes.
class Waiting {
public:
    /// Returns those that are gone, of all if there may be as many as there are others: a process that makes one
    /// program after the other, and never rests, keeps no more than twice what it has.
    [[nodiscard]] std::vector<std::shared_ptr<Slot>> add(const std::shared_ptr<Slot>& slot) {
        std::vector<std::shared_ptr<Slot>> gone;
        if (slots_.size() >= most_) {
            const auto lives = [](const std::shared_ptr<Slot>& one) { return one.use_count() != 1; };
            const auto dead = std::ranges::partition(slots_, lives);
            std::ranges::move(dead, std::back_inserter(gone));
            slots_.erase(dead.begin(), dead.end());
            most_ = std::max(kLeast, 2 * slots_.size());
        }
        slots_.push_back(slot);
        return gone;
    }
    [[nodiscard]] bool isEmpty() const { return slots_.empty(); }
    /// The shortest first: nobody waits for more than one of the programs that take long.
    [[nodiscard]] std::shared_ptr<Slot> takeShortest() {
        const auto shortest = findShortest();
        std::shared_ptr<Slot> slot = std::move(*shortest);
        slots_.erase(shortest);
        return slot;
    }
    [[nodiscard]] const isa::Program& shortest() { return *(*findShortest())->program; }

private:
    [[nodiscard]] std::vector<std::shared_ptr<Slot>>::iterator findShortest() {
        return std::ranges::min_element(
            slots_, {}, [](const std::shared_ptr<Slot>& waiting) { return waiting->program->code.size(); });
    }
    static constexpr size_t kLeast = 64;
    std::vector<std::shared_ptr<Slot>> slots_;
    size_t most_ = kLeast;
};

/// The fast executor, and the queue of programs that wait for it with its thread.
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

    /// Makes the program ready if that takes no compiling; else its turn comes.
    void ask(const std::shared_ptr<Slot>& slot) {
        isa::Executor* executor = fast();
        if (executor == nullptr) return;
        const Slot::Kept kept = slot->takeKept(*executor);
        if (kept == Slot::Kept::Whole) return;
        if (kept == Slot::Kept::First) return slot->beRefinable();
        queue(queue_, slot);
    }

    /// A program that runs on first code has run enough: its turn comes when nothing else is to be done.
    void askForBetter(const std::shared_ptr<Slot>& slot) { queue(refinable_, slot); }

    void beforeFork() {
        loading_.lock();
        std::unique_lock lock(mutex_);
        rests_.wait(lock, [this] { return !compiles_; });
        (void)lock.release();
    }
    void afterForkInParent() {
        mutex_.unlock();
        loading_.unlock();
    }
    void afterForkInChild() {
        thread_.abandon();
        forgetWaiters(wake_);
        forgetWaiters(rests_);
        mutex_.unlock();
        loading_.unlock();
    }

private:
    /// Null: there is none.
    isa::Executor* fast() {
        const std::scoped_lock lock(loading_);
        if (!isLoaded_) fast_ = loadFast_();
        isLoaded_ = true;
        return fast_.get();
    }

    void queue(Waiting& waiting, const std::shared_ptr<Slot>& slot) {
        std::vector<std::shared_ptr<Slot>> gone;  // goes without the mutex
        const std::scoped_lock lock(mutex_);
        gone = waiting.add(slot);
        lastAsked_ = Clock::now();
        owner_ = getpid();
        if (thread_.isStarted()) return wake_.notify_one();
        // Without a thread it waits for the next program that asks.
        compiles_ = true;
        if (!thread_.start([this] { loop(); })) compiles_ = false;
    }

    void loop() {
        setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), kNice);
        if (!waitForWork()) return;
        // Before a program is chosen: until that is done others ask, and some that asked are gone.
        attempt([this] { fast_->getReady(); });
        do {
            if (const std::shared_ptr<Slot> slot = chosen()) attempt([&] { compile(slot); });
        } while (waitForWork());
    }

    template <class Work>
    static void attempt(const Work& work) {
        try {
            work();
        } catch (const std::bad_alloc&) {
            // Programs stay where they are.
        }
    }

    void compile(const std::shared_ptr<Slot>& slot) {
        // The program may be gone before its turn comes.
        if (slot.use_count() == 1) return;
        if (slot->isPrepared()) return slot->refine(*fast_);
        if (slot->prepare(*fast_)) slot->beRefinable();
    }

    /// False: the process ends.
    bool waitForWork() {
        std::unique_lock lock(mutex_);
        compiles_ = false;
        rests_.notify_all();
        const auto isAsked = [&] { return stopping_ || !queue_.isEmpty(); };
        wake_.wait(lock, [&] { return isAsked() || !refinable_.isEmpty(); });
        while (!isAsked() &&
               wake_.wait_until(lock, lastAsked_ + calmOf(refinable_.shortest())) != std::cv_status::timeout) {
        }
        compiles_ = !stopping_;
        return compiles_;
    }

    /// Chooses one of the programs that wait. Null: the process ends.
    std::shared_ptr<Slot> chosen() {
        const std::scoped_lock lock(mutex_);
        if (stopping_) return nullptr;
        return (queue_.isEmpty() ? refinable_ : queue_).takeShortest();
    }

    const LoadFast loadFast_;
    std::mutex loading_;
    bool isLoaded_ = false;
    std::shared_ptr<isa::Executor> fast_;  ///< written once, before anything waits for it
    std::mutex mutex_;
    std::condition_variable wake_, rests_;
    Waiting queue_;
    Waiting refinable_;  ///< running on first code, much; their turn comes last
    Clock::time_point lastAsked_;
    bool stopping_ = false, compiles_ = false;
    pid_t owner_ = 0;  ///< the process that the thread is of
    Thread thread_;
};

/// Code that runs on the reference until there is other.
template <class Code>
class Swapped {
public:
    Swapped(std::shared_ptr<const Code> reference, std::shared_ptr<CodeSlot<Code>> slot,
            std::shared_ptr<Background> background)
        : reference_(std::move(reference)), slot_(std::move(slot)), background_(std::move(background)) {}

    /// Null: not ready.
    [[nodiscard]] const Code* fast() const { return slot_->fast(); }
    /// The code to run now. After some runs it asks for other code.
    [[nodiscard]] const Code& current() const {
        const Code* ready = fast();
        return ready != nullptr ? *ready : firstCode();
    }

    void executed(uint64_t instructions) const {
        if (slot_->countsInstructions()) count(instructions);
    }

private:
    // Apart, so that what each run asks is no call.
    [[gnu::noinline]] const Code& firstCode() const {
        if (!slot_->asksNow()) return *reference_;
        background_->ask(slot_);
        const Code* kept = fast();
        return kept != nullptr ? *kept : *reference_;
    }
    [[gnu::noinline]] void count(uint64_t instructions) const {
        if (slot_->wantsRefining(instructions)) background_->askForBetter(slot_);
    }

    std::shared_ptr<const Code> reference_;
    std::shared_ptr<CodeSlot<Code>> slot_;
    std::shared_ptr<Background> background_;
};

class TieredRoutine final : public isa::Routine {
public:
    explicit TieredRoutine(Swapped<isa::Routine> code) : code_(std::move(code)) {}
    void run(isa::GroupRun& run) const override {
        code_.current().run(run);
        constexpr uint32_t kFirstBlock = 0xFFFF;
        const bool both = (run.activeMask & kFirstBlock) != 0 && (run.activeMask & ~kFirstBlock) != 0;
        code_.executed(both ? 2 * run.instructions : run.instructions);
    }
    /// Asks as a run does: what writes depth alone is never run, and the ways of blocks are quicker for it, too.
    [[nodiscard]] isa::BlockCode blockCode() const override { return code_.current().blockCode(); }
    void ranBlocks(uint64_t instructions) const override { code_.executed(instructions); }

private:
    Swapped<isa::Routine> code_;
};

class TieredKernel final : public isa::Kernel {
public:
    explicit TieredKernel(Swapped<isa::Kernel> code) : code_(std::move(code)) {}
    void run(isa::ComputeRun& run) const override { code_.current().run(run); }

private:
    Swapped<isa::Kernel> code_;
};

class Tiered final : public isa::Executor {
public:
    Tiered(std::shared_ptr<isa::Executor> reference, LoadFast loadFast)
        : reference_(std::move(reference)), background_(std::make_shared<Background>(std::move(loadFast))) {}

    std::shared_ptr<const isa::Routine> prepare(std::shared_ptr<const isa::Program> program) override {
        auto slot = std::make_shared<RoutineSlot>(program);
        return std::make_shared<TieredRoutine>(
            Swapped<isa::Routine>(reference_->prepare(std::move(program)), std::move(slot), background_));
    }
    std::shared_ptr<const isa::Kernel> prepareKernel(std::shared_ptr<const isa::Program> program,
                                                     std::array<uint32_t, 3> block) override {
        auto slot = std::make_shared<KernelSlot>(program, block);
        return std::make_shared<TieredKernel>(
            Swapped<isa::Kernel>(reference_->prepareKernel(std::move(program), block), std::move(slot), background_));
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
    Eager(std::shared_ptr<isa::Executor> reference, LoadFast loadFast, std::string name)
        : reference_(std::move(reference)), loadFast_(std::move(loadFast)), name_(std::move(name)) {}

    std::shared_ptr<const isa::Routine> prepare(std::shared_ptr<const isa::Program> program) override {
        if (isa::Executor* executor = fast())
            if (std::shared_ptr<const isa::Routine> routine = executor->prepare(program)) {
                executor->refine(*routine, *program);
                return routine;
            }
        return reference_->prepare(std::move(program));
    }
    std::shared_ptr<const isa::Kernel> prepareKernel(std::shared_ptr<const isa::Program> program,
                                                     std::array<uint32_t, 3> block) override {
        if (isa::Executor* executor = fast())
            if (std::shared_ptr<const isa::Kernel> kernel = executor->prepareKernel(program, block)) return kernel;
        return reference_->prepareKernel(std::move(program), block);
    }
    std::string name() const override { return name_; }

private:
    /// Null: there is none.
    isa::Executor* fast() {
        std::call_once(loaded_, [&] { fast_ = loadFast_(); });
        return fast_.get();
    }

    std::shared_ptr<isa::Executor> reference_, fast_;
    LoadFast loadFast_;
    const std::string name_;
    std::once_flag loaded_;
};

}  // namespace

std::shared_ptr<isa::Executor> makeTiered(std::shared_ptr<isa::Executor> reference, LoadFast loadFast) {
    return std::make_shared<Tiered>(std::move(reference), std::move(loadFast));
}

std::shared_ptr<isa::Executor> makeEager(std::shared_ptr<isa::Executor> reference, LoadFast loadFast,
                                         std::string name) {
    return std::make_shared<Eager>(std::move(reference), std::move(loadFast), std::move(name));
}

}  // namespace tessera::tier
