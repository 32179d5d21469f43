// Every kernel on the machine that is trimmed to it: the same bytes as on the whole one, and no instruction, register
// or stack entry at run time that the machine has not. What their runs are counted to be.
#include <doctest/doctest.h>

#include <algorithm>

#include "api/compute/profile.h"
#include "demos/kernels/runner.h"
#include "model/trim/trim.h"
#include "shader-core/interp/interpreter.h"

using namespace tessera;
using namespace tessera::kernels;

namespace {

model::Preset whole() {
    std::string error;
    const auto preset = model::loadPreset("tessera", &error);
    REQUIRE_MESSAGE(preset, error);
    return *preset;
}

/// Executes what a machine has: looks at each instruction as it is executed, not at the program.
class TrimmedMachine : public isa::Executor {
public:
    explicit TrimmedMachine(model::Preset machine) : machine_(std::move(machine)) {}

    std::shared_ptr<const isa::Routine> prepare(std::shared_ptr<const isa::Program> program) override {
        return interpreter_->prepare(std::move(program));
    }
    std::shared_ptr<const isa::Kernel> prepareKernel(std::shared_ptr<const isa::Program> program,
                                                     std::array<uint32_t, 3> block) override {
        CHECK_FALSE(model::refusal(*program, machine_));
        return std::make_shared<Kernel>(machine_, program, interpreter_->prepareKernel(program, block));
    }
    [[nodiscard]] std::string name() const override { return machine_.name; }

private:
    class Kernel : public isa::Kernel, interp::Observer {
    public:
        Kernel(const model::Preset& machine, std::shared_ptr<const isa::Program> program,
               std::shared_ptr<const isa::Kernel> kernel)
            : machine_(machine), program_(std::move(program)), kernel_(std::move(kernel)) {}
        void run(isa::ComputeRun& run) const override {
            Kernel observer = *this;
            interp::runObserved(*kernel_, run, observer);
        }

    private:
        bool before(const interp::Step& step) override {
            const isa::Instruction in = *isa::decode(program_->code[step.pc]);
            return machine_.has(in.op, in.type) && step.pc < machine_.program.instructions &&
                   static_cast<uint32_t>(step.stackDepth) <= machine_.program.stack &&
                   in.guard <= machine_.program.predicates && step.shared.size() <= machine_.block.shared_bytes;
        }
        const model::Preset& machine_;
        std::shared_ptr<const isa::Program> program_;
        std::shared_ptr<const isa::Kernel> kernel_;
    };

    model::Preset machine_;
    std::shared_ptr<isa::Executor> interpreter_ = interp::makeInterpreter();
};

model::Needs needsOf(const Job& job) {
    model::Needs needs;
    for (const Step& step : job.steps) {
        std::string why;
        const auto program = readKernel(step.kernel, &why);
        REQUIRE_MESSAGE(program, why);
        needs.add(model::needsOf(*program));
    }
    return needs;
}

}  // namespace

TEST_CASE("every kernel gives the same bytes on the machine that is trimmed to it") {
    Runner reference(tier::Tier::Interp, 1);
    for (const Row& row : suite()) {
        CAPTURE(row.name);
        const Job job = row.make(Scale::Small);
        const auto machine = std::make_shared<TrimmedMachine>(model::trimmed(whole(), needsOf(job), row.name));
        Runner runner(std::make_shared<compute::Device>(machine, 1));
        const Outcome here = runner.run(job), there = reference.run(job);
        REQUIRE_MESSAGE(here.failure.empty(), here.failure);
        REQUIRE(here.memories.size() == there.memories.size());
        for (size_t i = 0; i < here.memories.size(); ++i) CHECK(here.memories[i].bytes == there.memories[i].bytes);
        CHECK(here.counters == there.counters);
    }
}

TEST_CASE("a machine that lacks one of a kernel's instructions refuses it and would stop it") {
    const Job job = suite().front().make(Scale::Small);
    std::string why;
    const auto program = readKernel(job.steps.front().kernel, &why);
    REQUIRE_MESSAGE(program, why);
    for (int i = 0; i < isa::kOpCount; ++i) {
        const auto op = static_cast<isa::Op>(i);
        model::Preset machine = whole();
        machine.without[static_cast<size_t>(i)] = isa::opInfo(op).types;
        const bool used = model::needsOf(*program).forms[static_cast<size_t>(i)] != 0;
        CAPTURE(isa::opInfo(op).mnemonic);
        CHECK(model::refusal(*program, machine).has_value() == used);
    }
}

TEST_CASE("a profile has every instruction that a launch counts, and the same results") {
    for (const Row& row : suite()) {
        CAPTURE(row.name);
        const Job job = row.make(Scale::Small);
        compute::Profile profile;
        Runner runner(compute::openProfilingDevice(profile));
        Runner::Prepared prepared = runner.prepare(job);
        REQUIRE(prepared.launch());
        CHECK(job.check(job, prepared.memories()).ok());
        uint64_t executed = 0;
        for (const auto& [name, program] : prepared.programs()) {
            REQUIRE(profile.at(program).size() == program->code.size());
            for (const uint64_t count : profile.at(program)) executed += count;
        }
        CHECK(executed == prepared.counters().instructions);
    }
}
