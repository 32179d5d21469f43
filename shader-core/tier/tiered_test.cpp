// The swap: nothing waits, nothing changes, failures keep the reference, and processes end when they want to.
#include "shader-core/tier/tiered.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "base/process/env.h"
#include "base/testing/process.h"
#include "shader-core/interp/testing/group.h"
#include "shader-core/tier/tier.h"

using namespace tessera;
using interp::TestGroup;

namespace {

using std::chrono::milliseconds;

std::shared_ptr<isa::Program> doubling() {
    using interp::make;
    using interp::reg;
    return interp::makeProgram(
        {make(isa::Op::Add, isa::Type::F32, isa::File::O, 0, {reg(isa::File::V, 0), reg(isa::File::V, 0)}),
         interp::control(isa::Op::Ret)});
}

/// The interpreter, slow to prepare, counting what happens.
class SlowExecutor : public isa::Executor {
public:
    struct Counts {
        std::atomic<int> prepared = 0, kept = 0, ready = 0, refined = 0, runs = 0, alive = 0;
        std::vector<size_t> sizes;  ///< of the programs, in the order they were prepared in
    };
    SlowExecutor(
        std::shared_ptr<Counts> counts, milliseconds delay, bool refuses = false, std::function<void()> gate = [] {},
        size_t keptSize = 0, bool isWhole = true)
        : counts_(std::move(counts)),
          delay_(delay),
          refuses_(refuses),
          gate_(std::move(gate)),
          keptSize_(keptSize),
          isWhole_(isWhole) {}

    isa::KeptRoutine prepareKept(const isa::Program& program) override {
        if (program.code.size() != keptSize_) return {};
        ++counts_->kept;
        if (refuses_) return {nullptr, true};
        return {std::make_shared<Counting>(interp_->prepare(std::make_shared<isa::Program>(program)), counts_),
                isWhole_};
    }
    void getReady() override { ++counts_->ready; }
    std::shared_ptr<const isa::Routine> prepare(std::shared_ptr<const isa::Program> program) override {
        gate_();
        std::this_thread::sleep_for(delay_);
        counts_->sizes.push_back(program->code.size());
        ++counts_->prepared;
        if (refuses_) return nullptr;
        return std::make_shared<Counting>(interp_->prepare(std::move(program)), counts_);
    }
    std::shared_ptr<const isa::Kernel> prepareKernel(std::shared_ptr<const isa::Program> program,
                                                     std::array<uint32_t, 3> block) override {
        std::this_thread::sleep_for(delay_);
        ++counts_->prepared;
        if (refuses_) return nullptr;
        return std::make_shared<CountingKernel>(interp_->prepareKernel(std::move(program), block), counts_);
    }
    void refine(const isa::Routine& routine, const isa::Program&) override {
        const auto& counting = static_cast<const Counting&>(routine);
        if (!counting.refined.exchange(true)) ++counts_->refined;
    }
    std::string name() const override { return "slow"; }

private:
    struct Counting : isa::Routine {
        Counting(std::shared_ptr<const isa::Routine> r, std::shared_ptr<Counts> c)
            : routine(std::move(r)), counts(std::move(c)) {
            ++counts->alive;
        }
        ~Counting() override { --counts->alive; }
        void run(isa::GroupRun& run) const override {
            ++counts->runs;
            routine->run(run);
        }
        std::shared_ptr<const isa::Routine> routine;
        std::shared_ptr<Counts> counts;
        mutable std::atomic<bool> refined = false;
    };
    struct CountingKernel : isa::Kernel {
        CountingKernel(std::shared_ptr<const isa::Kernel> k, std::shared_ptr<Counts> c)
            : kernel(std::move(k)), counts(std::move(c)) {}
        void run(isa::ComputeRun& run) const override {
            ++counts->runs;
            kernel->run(run);
        }
        std::shared_ptr<const isa::Kernel> kernel;
        std::shared_ptr<Counts> counts;
    };
    std::shared_ptr<isa::Executor> interp_ = interp::makeInterpreter();
    std::shared_ptr<Counts> counts_;
    milliseconds delay_;
    bool refuses_;
    std::function<void()> gate_;  ///< passed before a program is prepared
    size_t keptSize_;             ///< of the programs that were made ready long ago
    bool isWhole_;                ///< what was made then
};

/// Of so many groups, that the program asks for the fast executor.
bool runIsRight(const isa::Routine& routine, float value, int groups = tier::kGroupsBeforeAsking) {
    TestGroup group;
    for (auto& component : group.inputs[0].lane)
        for (float& x : component) x = value;
    for (int k = 0; k < groups; ++k) routine.run(group.run);
    for (const auto& component : group.outputs[0].lane)
        for (const float x : component)
            if (x != 2 * value) return false;
    return true;
}

/// Instructions after which doubling() is refined.
const uint64_t kMuch = tier::kRunsBeforeRefining * doubling()->code.size();

/// A kernel that does nothing.
std::shared_ptr<isa::Program> empty() {
    auto program = interp::makeProgram({interp::control(isa::Op::Ret)});
    program->stage = isa::Stage::Compute;
    return program;
}

/// Three blocks, run as such.
bool kernelIsRight(const isa::Kernel& kernel) {
    isa::ComputeRun run;
    run.grid = {3, 1, 1};
    run.blockCount = 3;
    kernel.run(run);
    return run.counters.blocks == 3 && run.counters.groups == 6 && run.fault.kind == isa::FaultKind::None;
}

/// Whether `condition` comes true within five seconds.
template <class Condition>
bool eventually(Condition&& condition) {
    for (int k = 0; k < 5000; ++k) {
        if (condition()) return true;
        std::this_thread::sleep_for(milliseconds(1));
    }
    return false;
}

}  // namespace

TEST_CASE("programs run at once and are swapped under load") {
    const auto counts = std::make_shared<SlowExecutor::Counts>();
    std::atomic<int> loads = 0;
    const auto tiered = tier::makeTiered(interp::makeInterpreter(), [&] {
        ++loads;
        return std::make_shared<SlowExecutor>(counts, milliseconds(20));
    });
    CHECK(tiered->name() == "tiered");
    std::vector<std::shared_ptr<const isa::Routine>> routines;
    const auto program = doubling();
    for (int k = 0; k < 4; ++k) routines.push_back(tiered->prepare(program));
    std::this_thread::sleep_for(milliseconds(30));
    CHECK(loads == 0);  // nothing ran yet
    CHECK(runIsRight(*routines[0], 1, tier::kGroupsBeforeAsking - 1));
    std::this_thread::sleep_for(milliseconds(5));
    CHECK(loads == 0);  // too little

    CHECK(runIsRight(*routines[0], 1.5f));
    CHECK(counts->runs == 0);
    std::atomic<bool> stop = false, right = true;
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t)
        threads.emplace_back([&, t] {
            for (int k = t; !stop; ++k)
                if (!runIsRight(*routines[static_cast<size_t>(k) % 3], static_cast<float>(k), 1)) right = false;
        });
    CHECK(eventually([&] { return counts->alive == 3; }));
    const int before = counts->runs;
    CHECK(eventually([&] { return counts->runs > before + 100; }));
    stop = true;
    for (std::thread& thread : threads) thread.join();
    CHECK(right);
    CHECK(loads == 1);
    CHECK(counts->prepared == 3);  // the fourth never ran
    for (int k = 0; k < 3; ++k) routines[static_cast<size_t>(k)]->ranBlocks(kMuch);
    CHECK(eventually([&] { return counts->refined == 3; }));

    CHECK(runIsRight(*routines[3], 2));
    CHECK(eventually([&] { return counts->alive == 4; }));
    routines.clear();
    CHECK(eventually([&] { return counts->alive == 0; }));
}

TEST_CASE("a program whose block code is asked for is compiled though it never runs") {
    const auto counts = std::make_shared<SlowExecutor::Counts>();
    const auto tiered = tier::makeTiered(interp::makeInterpreter(),
                                         [&] { return std::make_shared<SlowExecutor>(counts, milliseconds(0)); });
    const auto routine = tiered->prepare(doubling());
    for (int k = 0; k < tier::kGroupsBeforeAsking; ++k) {
        const bool hasCode = routine->blockCode().function != nullptr;
        CHECK(!hasCode);
    }
    CHECK(eventually([&] { return counts->prepared == 1; }));
}

TEST_CASE("the shortest program is compiled first") {
    const auto counts = std::make_shared<SlowExecutor::Counts>();
    std::atomic<bool> all = false;
    const auto tiered = tier::makeTiered(interp::makeInterpreter(), [&] {
        return std::make_shared<SlowExecutor>(counts, milliseconds(0), false, [&] { all.wait(false); });
    });
    std::vector<std::shared_ptr<const isa::Routine>> routines;
    // The thread may take the first before the others are there; then it waits until all are.
    for (const size_t more : {0, 7, 3, 9, 5}) {
        auto program = doubling();
        for (size_t k = 0; k < more; ++k) program->code.insert(program->code.begin(), program->code.front());
        routines.push_back(tiered->prepare(program));
        CHECK(runIsRight(*routines.back(), 1));
    }
    all = true;
    all.notify_all();
    CHECK(eventually([&] { return counts->prepared == 5; }));
    CHECK(std::ranges::is_sorted(counts->sizes));
    CHECK(counts->sizes.size() == 5);
}

TEST_CASE("what was kept is there when a program asks, whatever is being compiled") {
    const auto counts = std::make_shared<SlowExecutor::Counts>();
    std::atomic<bool> goesOn = false;
    const auto kept = doubling();
    const auto tiered = tier::makeTiered(interp::makeInterpreter(), [&] {
        return std::make_shared<SlowExecutor>(
            counts, milliseconds(0), false, [&] { goesOn.wait(false); }, kept->code.size());
    });
    auto longer = doubling();
    longer->code.insert(longer->code.begin(), longer->code.front());
    const auto compiled = tiered->prepare(longer), known = tiered->prepare(kept);
    CHECK(runIsRight(*compiled, 1));
    CHECK(counts->runs == 0);
    CHECK(runIsRight(*known, 1.5f));
    CHECK(counts->kept == 1);
    CHECK(counts->runs == 1);  // the last group already
    CHECK(runIsRight(*known, 2));
    CHECK(counts->runs == 1 + tier::kGroupsBeforeAsking);
    goesOn = true;
    goesOn.notify_all();
    CHECK(eventually([&] { return counts->prepared == 1; }));
    CHECK(eventually([&] { return counts->alive == 2; }));
    compiled->ranBlocks(2 * kMuch);
    CHECK(eventually([&] { return counts->refined == 1; }));
    CHECK(counts->prepared == 1);  // not the one that was kept
}

TEST_CASE("what was kept and can be better becomes so once nobody asks") {
    const auto counts = std::make_shared<SlowExecutor::Counts>();
    const auto program = doubling();
    const auto tiered = tier::makeTiered(interp::makeInterpreter(), [&] {
        return std::make_shared<SlowExecutor>(counts, milliseconds(0), false, [] {}, program->code.size(), false);
    });
    // The second one asks when the compiling thread waits with nothing to do.
    for (int done = 0; done < 2; ++done) {
        const auto routine = tiered->prepare(program);
        CHECK(runIsRight(*routine, 1));
        CHECK(counts->runs == done + 1);  // the last group already
        routine->ranBlocks(kMuch);
        CHECK(eventually([&] { return counts->refined == done + 1; }));
    }
    CHECK(counts->ready == 1);
    CHECK(counts->prepared == 0);
}

TEST_CASE("what has not run much is not made better; groups and blocks count") {
    const auto counts = std::make_shared<SlowExecutor::Counts>();
    const auto program = doubling();
    const auto tiered = tier::makeTiered(interp::makeInterpreter(), [&] {
        return std::make_shared<SlowExecutor>(counts, milliseconds(0), false, [] {}, program->code.size(), false);
    });
    const auto routine = tiered->prepare(program);
    routine->ranBlocks(kMuch);  // on the interpreter
    CHECK(runIsRight(*routine, 1));
    const uint64_t size = program->code.size();
    routine->ranBlocks(kMuch - 5 * size);  // a group is two blocks
    CHECK(runIsRight(*routine, 2, 1));
    std::this_thread::sleep_for(milliseconds(60));
    CHECK(counts->refined == 0);
    CHECK(counts->ready == 0);
    CHECK(runIsRight(*routine, 3, 1));
    CHECK(eventually([&] { return counts->refined == 1; }));
    routine->ranBlocks(kMuch);
    CHECK(runIsRight(*routine, 4));
    std::this_thread::sleep_for(milliseconds(60));
    CHECK(counts->refined == 1);
}

TEST_CASE("a program that is known to be refused is not compiled again") {
    const auto counts = std::make_shared<SlowExecutor::Counts>();
    const auto program = doubling();
    const auto tiered = tier::makeTiered(interp::makeInterpreter(), [&] {
        return std::make_shared<SlowExecutor>(counts, milliseconds(0), true, [] {}, program->code.size());
    });
    const auto refused = tiered->prepare(program);
    CHECK(runIsRight(*refused, 1));
    auto longer = doubling();
    longer->code.insert(longer->code.begin(), longer->code.front());
    const auto compiled = tiered->prepare(longer);
    CHECK(runIsRight(*compiled, 1));
    CHECK(eventually([&] { return counts->prepared == 1; }));
    CHECK(counts->kept == 1);
    CHECK(counts->sizes == std::vector{longer->code.size()});  // the shorter one would have been first
}

TEST_CASE("programs that are gone are not compiled") {
    const auto counts = std::make_shared<SlowExecutor::Counts>();
    const auto tiered = tier::makeTiered(interp::makeInterpreter(),
                                         [&] { return std::make_shared<SlowExecutor>(counts, milliseconds(100)); });
    const auto first = tiered->prepare(doubling());
    CHECK(runIsRight(*first, 1));
    for (int k = 0; k < 20; ++k) CHECK(runIsRight(*tiered->prepare(doubling()), 1));
    const auto last = tiered->prepare(doubling());
    CHECK(runIsRight(*last, 1));
    CHECK(eventually([&] { return counts->alive == 2; }));
    CHECK(counts->prepared <= 3);
}

TEST_CASE("without a fast executor, or refused by it, programs stay where they are") {
    const auto counts = std::make_shared<SlowExecutor::Counts>();
    const auto none = [] { return std::shared_ptr<isa::Executor>(); };
    const auto refusing = [&] { return std::make_shared<SlowExecutor>(counts, milliseconds(0), true); };
    for (const bool refuses : {false, true}) {
        const tier::LoadFast load = refuses ? tier::LoadFast(refusing) : tier::LoadFast(none);
        const auto tiered = tier::makeTiered(interp::makeInterpreter(), load)->prepare(doubling());
        const auto eager = tier::makeEager(interp::makeInterpreter(), load)->prepare(doubling());
        for (int k = 0; k < 50; ++k) {
            CHECK(runIsRight(*tiered, static_cast<float>(k)));
            CHECK(runIsRight(*eager, static_cast<float>(k)));
            std::this_thread::sleep_for(milliseconds(1));
        }
    }
    CHECK(counts->runs == 0);
}

TEST_CASE("eager programs are ready when prepare returns") {
    const auto counts = std::make_shared<SlowExecutor::Counts>();
    const auto eager = tier::makeEager(interp::makeInterpreter(),
                                       [&] { return std::make_shared<SlowExecutor>(counts, milliseconds(5)); });
    CHECK(eager->name() == "jit");
    CHECK(runIsRight(*eager->prepare(doubling()), 3));
    CHECK(counts->runs == tier::kGroupsBeforeAsking);
    CHECK(counts->refined == 1);
}

TEST_CASE("kernels run at once and are swapped; eager ones are ready; refused ones stay") {
    for (const bool refuses : {false, true}) {
        const auto counts = std::make_shared<SlowExecutor::Counts>();
        const tier::LoadFast load = [&] { return std::make_shared<SlowExecutor>(counts, milliseconds(20), refuses); };
        const auto tiered = tier::makeTiered(interp::makeInterpreter(), load)->prepareKernel(empty(), {64, 1, 1});
        CHECK(kernelIsRight(*tiered));
        CHECK(counts->runs == 0);
        CHECK(eventually([&] { return counts->prepared == 1; }));
        if (!refuses) CHECK(eventually([&] { return kernelIsRight(*tiered) && counts->runs != 0; }));
        CHECK(kernelIsRight(*tiered));
        const int before = counts->runs;
        CHECK(kernelIsRight(*tier::makeEager(interp::makeInterpreter(), load)->prepareKernel(empty(), {64, 1, 1})));
        CHECK(counts->prepared == 2);
        CHECK(counts->runs == (refuses ? 0 : before + 1));
    }
}

TEST_CASE("tiers have the names that the environment's table tells") {
    std::string names;
    for (const std::string_view name : tier::kTierNames) {
        REQUIRE(tier::tierByName(name));
        names += (names.empty() ? "" : ", ") + std::string(name);
        CHECK(tier::makeExecutor(*tier::tierByName(name))->name() == name);
    }
    CHECK(!tier::tierByName("fast"));
    for (const EnvVariable& variable : envVariables())
        if (variable.name == "TESSERA_TIER") CHECK(variable.accepted == names);
    for (const char* value : {"", "fast", "interp"}) {
        setenv("TESSERA_TIER", value, 1);
        const auto expected = value == std::string("interp") ? tier::Tier::Interp : tier::Tier::Tiered;
        CHECK(tier::tierFromEnvironment(tier::Tier::Tiered) == expected);
    }
    unsetenv("TESSERA_TIER");
}

TEST_CASE("a process may end at any moment of a compilation, and fork") {
    std::fflush(nullptr);  // or every child prints what is buffered
    for (int k = 0; k < 12; ++k) {
        const pid_t child = fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            testing::leaksAreMeant = true;  // what another thread holds that compiles
            // Not destroyed, as the driver is not.
            auto* counts = new std::shared_ptr(std::make_shared<SlowExecutor::Counts>());
            auto* tiered = new std::shared_ptr(tier::makeTiered(interp::makeInterpreter(), [=] {
                std::this_thread::sleep_for(milliseconds(10));
                return std::make_shared<SlowExecutor>(*counts, milliseconds(20));
            }));
            auto* routine = new std::shared_ptr((*tiered)->prepare(doubling()));
            auto* other = new std::shared_ptr((*tiered)->prepare(doubling()));
            bool right = runIsRight(**routine, 1) && runIsRight(**other, 1);
            std::this_thread::sleep_for(milliseconds(5 * k));
            if (k % 3 == 0) {
                const pid_t grandchild = fork();
                if (grandchild == 0) std::exit(runIsRight(**routine, 2) ? 0 : 1);
                int status = -1;
                waitpid(grandchild, &status, 0);
                right &= status == 0;
            }
            std::exit(right ? 0 : 1);
        }
        int status = -1;
        waitpid(child, &status, 0);
        CHECK(status == 0);
    }
}

TEST_CASE("programs that are gone leave, with their code, though nobody rests") {
    const auto counts = std::make_shared<SlowExecutor::Counts>();
    const size_t size = doubling()->code.size();
    const auto tiered = tier::makeTiered(interp::makeInterpreter(), [&] {
        return std::make_shared<SlowExecutor>(counts, milliseconds(0), false, [] {}, size, false);
    });
    for (int i = 0; i < 1000; ++i) REQUIRE(runIsRight(*tiered->prepare(doubling()), 1.0f));
    CHECK(counts->kept == 1000);
    CHECK(counts->alive <= 100);
}
