// A position in the execution of a group, which may be moved forwards and backwards.
//
// A group's execution is a function of its inputs, so the state before instruction n is found by executing the first n
// instructions again: stepping back costs what stepping forward costs, nothing is logged, and nothing can be out of
// date (the idea of reverse execution by deterministic replay; King, Dunlap and Chen, "Debugging operating systems with
// time-traveling virtual machines", 2005). What the user changed is applied again at the instruction where it was done.
#pragma once

#include <atomic>
#include <functional>
#include <span>

#include "shader-core/debug/replay/group.h"
#include "shader-core/debug/replay/written_types.h"
#include "shader-core/interp/interpreter.h"
#include "shader-core/isa/isa.h"

namespace tessera::debug {

/// The group before instruction number `count` of its execution, or after its last one.
struct State {
    uint64_t count = 0;  ///< instructions executed
    uint32_t pc = 0;     ///< the next instruction; of a group that has ended: its last one
    uint32_t execMask = 0, guardedMask = 0, killMask = 0;
    bool ended = false;
    bool budgetExceeded = false;
    isa::ComputeFault fault;                ///< why the block of a group that has ended was stopped
    std::vector<interp::StackEntry> stack;  ///< outermost first
    std::vector<isa::GroupRegister> temps;
    WrittenTypes types;
    std::array<isa::GroupRegister, isa::kMaxOutputs> outputs{};
    isa::GroupRegister address{};
    std::array<uint32_t, isa::kPredicates + 1> predicates{};  ///< [1..3], one bit per lane
};

/// A new value for one component of a register in one lane; of a predicate, constant or input likewise.
struct Edit {
    uint64_t count = 0;  ///< made before this instruction
    isa::File file = isa::File::R;
    int index = 0, component = 0, lane = 0;
    uint32_t bits = 0;
};

class Replay {
public:
    explicit Replay(Group group);

    [[nodiscard]] const Group& group() const { return group_; }
    [[nodiscard]] const isa::Program& program() const { return *group_.program; }
    [[nodiscard]] std::span<const isa::Instruction> code() const { return code_; }
    [[nodiscard]] const State& state() const { return state_; }

    /// A flag that ends a move when it is set, from another thread or a signal handler: forwards the position is then
    /// where the group had come to, else it stays. Null: moves go on to their end.
    void setInterrupt(const std::atomic<bool>* interrupt) { interrupt_ = interrupt; }
    [[nodiscard]] bool isInterrupted() const;

    /// Moves to before instruction `count`, or to the end when the group ends sooner.
    void goTo(uint64_t count);

    /// Asked before every instruction from the first on, in order, whatever the position is.
    using Condition = std::function<bool(const interp::Step&, const WrittenTypes&)>;
    /// Moves forward to the next instruction where the condition holds; false at the end of the group, or interrupted.
    bool forward(const Condition& condition);
    /// Moves back to the last instruction before this one where it holds; false at the start, or interrupted.
    bool backward(const Condition& condition);

    /// Executes the whole group and hands every step to `look`; the position stays.
    Outcome visit(const std::function<void(const interp::Step&)>& look) const;

    /// The same with the steps of all groups of the block, in the order in which they run.
    Outcome visitBlock(const std::function<void(const interp::Step&)>& look) const;

    /// Memory of a slot at the current position; at the end of the group as its block leaves it. Empty where the
    /// program has none. Valid until a replay of the block moves.
    [[nodiscard]] std::span<const std::byte> memory(int slot) const;

    /// Changes a register (r, o, a, p) at the current position; what was changed later is forgotten.
    void edit(isa::File file, int index, int component, int lane, uint32_t bits);

private:
    class Runner;
    void capture(const interp::Step& step, const Runner& runner);
    void finish(const Runner& runner, const isa::GroupRun& run, const Outcome& outcome);
    [[nodiscard]] Outcome execute(Runner& runner, isa::GroupRun& run) const;
    [[nodiscard]] Outcome executeBlock(Runner& runner) const;

    Group group_;
    std::vector<isa::Instruction> code_;
    std::shared_ptr<const isa::Routine> routine_;  ///< or, of a group of a block,
    std::shared_ptr<const isa::Kernel> kernel_;
    std::vector<Edit> edits_;  ///< by count
    const std::atomic<bool>* interrupt_ = nullptr;
    State state_;
};

}  // namespace tessera::debug
