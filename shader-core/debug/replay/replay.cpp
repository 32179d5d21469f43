#include "shader-core/debug/replay/replay.h"

#include <algorithm>
#include <cstring>

#include "shader-core/debug/replay/launch.h"
#include "shader-core/interp/decoded.h"

namespace tessera::debug {

namespace {

bool isSet(const std::atomic<bool>* flag) { return flag != nullptr && flag->load(std::memory_order_relaxed); }

}  // namespace

/// Clears what the program does not write itself, applies the edits, and asks `visit` whether to go on. Of a block it
/// looks at one group; the others run as they are.
class Replay::Runner final : public interp::Observer {
public:
    using Visit = std::function<bool(const interp::Step&)>;
    Runner(const isa::Program& program, const std::vector<Edit>& edits, Visit visit)
        : program_(program), edits_(edits), visit_(std::move(visit)), types_(program) {}

    bool before(const interp::Step& step) override {
        if (step.instructions == 0) {
            std::memset(static_cast<void*>(step.temps), 0, bytesOfTemps());
            std::memset(static_cast<void*>(step.address), 0, sizeof *step.address);
        }
        shared_ = step.shared;
        const bool isOwn = step.group == group_;
        for (; isOwn && next_ < edits_.size() && edits_[next_].count <= step.instructions; ++next_)
            apply(edits_[next_], step);
        interp::Step seen = step;
        seen.guardedMask = guarded(step);
        if (!isOwn) {
            if (others_) others_(seen);
            stopped_ = isSet(interrupt_);  // a group that this one waits for may never end
            return !stopped_;
        }
        executed_ = step.instructions + 1;
        stopped_ = !visit_(seen);
        if (!stopped_) types_.executes((*code_)[step.pc], seen);
        return !stopped_;
    }
    [[nodiscard]] const WrittenTypes& types() const { return types_; }
    [[nodiscard]] bool stopped() const { return stopped_; }
    [[nodiscard]] uint64_t executed() const { return executed_; }                ///< instructions of the group
    [[nodiscard]] std::span<const std::byte> shared() const { return shared_; }  ///< memory of the block
    void setGroup(uint32_t group) { group_ = group; }
    void setOthers(std::function<void(const interp::Step&)> look) { others_ = std::move(look); }
    void setInterrupt(const std::atomic<bool>* interrupt) { interrupt_ = interrupt; }
    void setGuards(const std::vector<isa::Instruction>& code) { code_ = &code; }

private:
    [[nodiscard]] size_t bytesOfTemps() const { return program_.tempCount * sizeof(isa::GroupRegister); }

    /// An edit may have changed the predicate of the guard.
    [[nodiscard]] uint32_t guarded(const interp::Step& step) const {
        const isa::Instruction& i = (*code_)[step.pc];
        const uint32_t lanes = step.execMask & step.subsetMask;
        if (i.guard == 0) return lanes;
        return lanes & (step.predicates[i.guard] ^ (i.guardNegate ? ~0u : 0u));
    }

    void apply(const Edit& edit, const interp::Step& step) const {
        isa::GroupRegister* to = nullptr;
        if (edit.file == isa::File::R && edit.index < program_.tempCount) to = step.temps + edit.index;
        if (edit.file == isa::File::O && edit.index < isa::kMaxOutputs) to = step.outputs + edit.index;
        if (edit.file == isa::File::A) to = step.address;
        if (to != nullptr) to->lane[edit.component][edit.lane] = __builtin_bit_cast(float, edit.bits);
        if (edit.file != isa::File::P) return;
        uint32_t& bits = step.predicates[edit.index];
        bits = (bits & ~(1u << edit.lane)) | (edit.bits != 0 ? 1u << edit.lane : 0u);
    }

    const isa::Program& program_;
    const std::vector<Edit>& edits_;
    const std::vector<isa::Instruction>* code_ = nullptr;
    Visit visit_;
    WrittenTypes types_;
    std::function<void(const interp::Step&)> others_;
    const std::atomic<bool>* interrupt_ = nullptr;
    std::span<const std::byte> shared_;
    uint32_t group_ = 0;
    uint64_t executed_ = 0;
    size_t next_ = 0;
    bool stopped_ = false;
};

Replay::Replay(Group group) : group_(std::move(group)) {
    if (group_.launch != nullptr)
        kernel_ = interp::makeInterpreter()->prepareKernel(group_.program, group_.launch->block);
    else
        routine_ = interp::makeInterpreter()->prepare(group_.program);
    for (const isa::Word& word : group_.program->code) code_.push_back(*isa::decode(word));
    fillLiterals(group_);
    goTo(0);
}

Outcome Replay::execute(Runner& runner, isa::GroupRun& run) const {
    Outcome outcome;
    runner.setGuards(code_);
    if (group_.launch != nullptr) {
        const Outcome ofBlock = executeBlock(runner);
        run.instructions = ofBlock.instructions;
        return ofBlock;
    }
    run = groupRun(group_, outcome.outputs.data());
    interp::runObserved(*routine_, run, runner);
    outcome.killMask = run.killMask;
    outcome.budgetExceeded = run.budgetExceeded;
    outcome.instructions = run.instructions;
    return outcome;
}

Outcome Replay::executeBlock(Runner& runner) const {
    const Launch& launch = *group_.launch;
    ThreadBlockMemory& memory = *group_.memory;
    memory.group = -1;
    std::copy(launch.buffers.begin(), launch.buffers.end(), memory.bytes.begin());
    isa::ComputeRun run = computeRun(launch, std::span(memory.bytes).first(launch.buffers.size()));
    run.constants = reinterpret_cast<const float(*)[4]>(group_.constants.data());
    run.firstBlock = group_.block;
    runner.setGroup(group_.number);
    interp::runObserved(*kernel_, run, runner);
    memory.bytes[isa::kSharedSlot].assign(runner.shared().begin(), runner.shared().end());
    Outcome outcome;
    outcome.instructions = runner.executed();
    if (runner.stopped()) return outcome;
    outcome.fault = run.fault;
    outcome.budgetExceeded = run.fault.kind == isa::FaultKind::OutOfBudget && run.fault.group == group_.number;
    return outcome;
}

std::span<const std::byte> Replay::memory(int slot) const {
    if (group_.launch == nullptr) return {};
    ThreadBlockMemory& memory = *group_.memory;
    if (memory.group != static_cast<int>(group_.number)) {
        isa::GroupRun run;
        Runner runner(program(), edits_,
                      [&](const interp::Step& step) { return state_.ended || step.instructions < state_.count; });
        (void)execute(runner, run);
        memory.group = static_cast<int>(group_.number);
    }
    return memory.bytes[static_cast<size_t>(slot)];
}

void Replay::capture(const interp::Step& step, const Runner& runner) {
    state_.count = step.instructions;
    state_.pc = step.pc;
    state_.execMask = step.execMask;
    state_.guardedMask = step.guardedMask;
    state_.killMask = step.killMask;
    state_.ended = state_.budgetExceeded = false;
    state_.stack.assign(step.stack, step.stack + step.stackDepth);
    state_.temps.assign(step.temps, step.temps + group_.program->tempCount);
    std::memcpy(static_cast<void*>(state_.outputs.data()), step.outputs, sizeof state_.outputs);
    state_.types = runner.types();
    state_.address = *step.address;
    std::memcpy(state_.predicates.data(), step.predicates, sizeof state_.predicates);
}

/// After the last instruction: its registers are those before it, as it was one of control, which writes none.
void Replay::finish(const Runner& runner, const isa::GroupRun& run, const Outcome& outcome) {
    if (runner.stopped()) return;
    if (run.instructions != 0) {
        isa::GroupRun again;
        Runner last(program(), edits_, [&](const interp::Step& step) {
            if (step.instructions + 1 < outcome.instructions) return true;
            capture(step, last);
            return false;
        });
        (void)execute(last, again);
    }
    state_.temps.resize(program().tempCount);  // a group that never ran has none
    state_.count = outcome.instructions;
    state_.fault = outcome.fault;
    state_.ended = true;
    state_.budgetExceeded = outcome.budgetExceeded;
    state_.execMask = state_.guardedMask = 0;
    state_.killMask = outcome.killMask;
    state_.stack.clear();
    state_.outputs = outcome.outputs;
}

bool Replay::isInterrupted() const { return isSet(interrupt_); }

void Replay::goTo(uint64_t count) {
    const uint64_t from = state_.count;
    isa::GroupRun run;
    Runner runner(program(), edits_, [&](const interp::Step& step) {
        const bool interrupted = step.instructions >= from && isInterrupted();
        if (step.instructions < count && !interrupted) return true;
        capture(step, runner);
        return false;
    });
    if (count > from) runner.setInterrupt(interrupt_);
    const Outcome outcome = execute(runner, run);
    finish(runner, run, outcome);
}

bool Replay::forward(const Condition& condition) {
    if (state_.ended) return false;
    const uint64_t from = state_.count;
    bool found = false;
    isa::GroupRun run;
    Runner runner(program(), edits_, [&](const interp::Step& step) {
        const bool holds = condition(step, runner.types());
        if (step.instructions <= from || (!holds && !isInterrupted())) return true;
        found = holds;
        capture(step, runner);
        return false;
    });
    runner.setInterrupt(interrupt_);
    const Outcome outcome = execute(runner, run);
    finish(runner, run, outcome);
    return found;
}

bool Replay::backward(const Condition& condition) {
    const uint64_t from = state_.count;
    uint64_t last = 0;
    bool found = false;
    isa::GroupRun run;
    Runner runner(program(), edits_, [&](const interp::Step& step) {
        if (step.instructions >= from || isInterrupted()) return false;
        if (condition(step, runner.types())) found = true, last = step.instructions;
        return true;
    });
    runner.setInterrupt(interrupt_);
    (void)execute(runner, run);
    if (isInterrupted()) return false;
    goTo(last);
    return found;
}

Outcome Replay::visit(const std::function<void(const interp::Step&)>& look) const {
    isa::GroupRun run;
    Runner runner(program(), edits_, [&](const interp::Step& step) {
        look(step);
        return true;
    });
    return execute(runner, run);
}

Outcome Replay::visitBlock(const std::function<void(const interp::Step&)>& look) const {
    isa::GroupRun run;
    Runner runner(program(), edits_, [&](const interp::Step& step) {
        look(step);
        return true;
    });
    runner.setOthers(look);
    return execute(runner, run);
}

void Replay::edit(isa::File file, int index, int component, int lane, uint32_t bits) {
    std::erase_if(edits_, [&](const Edit& one) { return one.count > state_.count; });
    edits_.push_back({state_.count, file, index, component, lane, bits});
    goTo(state_.count);
}

}  // namespace tessera::debug
