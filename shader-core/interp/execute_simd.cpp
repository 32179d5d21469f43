// The instruction loop and the reconvergence stack.
//
// Every open if, loop and call has an entry (StackEntry) that says which of its lanes wait and where. `exec` is never
// empty at an instruction: when the last lane leaves, control goes to where the innermost entry's lanes meet.
//   if    waiting lanes are those of the other side; else swaps them in, endif joins them
//   loop  lanes that took brk wait for the end of the loop, lanes that took cont for its next iteration
//   call  lanes that took ret wait for the others; without an open call they are done
#include "shader-core/interp/access.h"
#include "shader-core/isa/program.h"

namespace tessera::interp::TESSERA_SIMD {

namespace {

/// What the group's blocks have executed: a block is charged for an instruction when one of its lanes is at it. So it
/// does not matter who shares a group (docs/isa.md, budget). Lanes change in control instructions only, so that is
/// where accounts are settled; in between one number says how far the group may go.
class Fuel {
public:
    Fuel(const Machine& machine, uint64_t limit)
        : limit_(limit), blocks_(machine.program->stage == isa::Stage::Compute ? 1 : kMaxBlocks) {
        for (int i = 0; i < blocks_; ++i) block_[i].lanes = blocks_ == 1 ? ~0u : 0xFFFFu << 16 * i;
    }

    /// `count` instructions are executed, and the next ones are for the lanes of `exec`.
    void settle(uint64_t count, uint32_t exec) {
        end_ = UINT64_MAX;
        for (int i = 0; i < blocks_; ++i) {
            Block& block = block_[i];
            if (block.executes) block.spent += count - settled_;
            block.executes = (exec & block.lanes) != 0;
            if (block.executes && limit_ - block.spent < end_ - count) end_ = count + (limit_ - block.spent);
        }
        settled_ = count;
    }

    /// The blocks with lanes in `exec` are at a kil: one without a lane of `visible` has ended, though its lanes may go
    /// on as helpers beside another.
    void end(uint32_t exec, uint32_t visible) {
        for (Block& block : block_)
            if ((exec & block.lanes) != 0 && (visible & block.lanes) == 0) block.lanes = 0;
    }

    /// What is executed when the first block has used up its budget.
    [[nodiscard]] uint64_t limit() const { return end_; }

private:
    static constexpr int kMaxBlocks = 2;

    struct Block {
        uint32_t lanes = 0;
        bool executes = false;
        uint64_t spent = 0;
    };
    const uint64_t limit_;
    const int blocks_;
    Block block_[kMaxBlocks];
    uint64_t settled_ = 0, end_ = UINT64_MAX;
};

class Execution {
public:
    Execution(Machine& machine, uint64_t budget) : machine_(machine), fuel_(machine, budget) {}

    /// Goes on where a group of a block stopped, up to its next barrier or its end.
    void resume(Position& position, Observer* observer) {
        pc_ = position.pc;
        depth_ = position.depth, loop_ = position.loop, call_ = position.call;
        __builtin_memcpy(stack_, position.stack, depth_ * sizeof(StackEntry));
        position_ = &position;
        if (observer != nullptr)
            run<true>(observer);
        else
            run<false>(nullptr);
        position.instructions += machine_.run->instructions;
        position.pc = pc_;
        position.depth = depth_, position.loop = loop_, position.call = call_;
        __builtin_memcpy(position.stack, stack_, depth_ * sizeof(StackEntry));
        position.ended = position.arrived == 0;
    }

    template <bool kObserved>
    void run(Observer* observer) {
        const Decoded* code = machine_.code;
        isa::GroupRun& group = *machine_.run;
        uint64_t count = 0;
        fuel_.settle(count, machine_.exec);
        while (!done_) {
            const Decoded& d = code[pc_];
            if (count == fuel_.limit()) {
                group.budgetExceeded = true;
                break;
            }
            const uint32_t mask = machine_.exec & (machine_.predicate[d.guard] ^ d.guardFlip);
            if constexpr (kObserved) {
                if (!observe(*observer, mask, count)) {
                    group.budgetExceeded = true;
                    break;
                }
                // The observer may have changed the predicates.
                const uint32_t changed = machine_.exec & (machine_.predicate[d.guard] ^ d.guardFlip);
                step(d, changed, ++count);
            } else {
                step(d, mask, ++count);
            }
        }
        group.instructions = count;
    }

private:
    void step(const Decoded& d, uint32_t mask, uint64_t count) {
        if (d.handler != nullptr) [[likely]] {
            if (mask != 0) d.handler(machine_, d, mask);
            ++pc_;
        } else {
            control(d, mask);
            fuel_.settle(count, machine_.exec);
        }
    }

    bool observe(Observer& observer, uint32_t mask, uint64_t count) {
        Step step;
        step.pc = pc_;
        step.execMask = machine_.exec;
        step.guardedMask = mask;
        step.subsetMask = subsetLanes(machine_.code[pc_], machine_.group, machine_.blockThreads);
        step.killMask = machine_.run->killMask;
        step.instructions = count + (position_ != nullptr ? position_->instructions : 0);
        step.stackDepth = depth_;
        step.stack = stack_;
        step.temps = reinterpret_cast<isa::GroupRegister*>(machine_.base[kBaseTemp]);
        step.outputs = reinterpret_cast<isa::GroupRegister*>(machine_.base[kBaseOutput]);
        step.address = reinterpret_cast<isa::GroupRegister*>(machine_.base[kBaseAddress]);
        step.predicates = machine_.predicate;
        step.specials = reinterpret_cast<const isa::GroupRegister*>(machine_.base[kBaseSpecial]);
        return observer.before(step);
    }

    void control(const Decoded& d, uint32_t mask) {
        uint32_t& exec = machine_.exec;
        switch (d.op) {
            case isa::Op::If:
                push({EntryKind::If, 0, 0, exec & ~mask, 0, d.target, 0});
                exec = mask;
                next();
                break;
            case isa::Op::Else: {
                StackEntry& entry = top();
                const uint32_t taken = exec;
                exec = entry.waiting;
                entry.waiting = taken;
                entry.target = d.target;
                next();
                break;
            }
            case isa::Op::Endif:
                exec |= top().waiting;
                --depth_;
                next();
                break;
            case isa::Op::Loop:
                push({EntryKind::Loop, 0, loop_, 0, 0, d.target, d.iterations});
                loop_ = depth_;
                next();
                break;
            case isa::Op::Endloop:
                endLoop(d);
                break;
            case isa::Op::Brk:
                stack_[loop_ - 1].waiting |= mask;
                exec &= ~mask;
                next();
                break;
            case isa::Op::Cont:
                stack_[loop_ - 1].continuing |= mask;
                exec &= ~mask;
                next();
                break;
            case isa::Op::Call:
                call(d, mask);
                break;
            case isa::Op::Ret:
                if (call_ != 0) stack_[call_ - 1].waiting |= mask;
                exec &= ~mask;
                next();
                break;
            case isa::Op::Kil:
                kill(mask);
                break;
            case isa::Op::Bar:
                // Outside of a block (position_ is null) there is nobody to wait for.
                if (mask != 0 && position_ != nullptr) {
                    position_->arrived = mask;
                    done_ = true;
                }
                ++pc_;
                break;
            case isa::Op::Gbar:
                ++pc_;
                break;
            default:
                __builtin_unreachable();  // every other instruction has a handler
        }
    }

    void endLoop(const Decoded& d) {
        StackEntry& entry = top();
        uint32_t& exec = machine_.exec;
        exec |= entry.continuing;
        entry.continuing = 0;
        releaseHelpers(entry);
        const bool last = entry.iterations == 1;
        if (entry.iterations != 0) --entry.iterations;
        if (exec != 0 && !last) {
            pc_ = d.target + 1u;
            return;
        }
        exec |= entry.waiting;
        loop_ = entry.outerLoop;
        --depth_;
        next();
    }

    /// Helpers leave a loop that no lane of their quad with a visible result is in any more: a loop that ends for
    /// every fragment ends, whatever its helpers compute. By quad, so that it does not matter who shares a group.
    void releaseHelpers(StackEntry& loop) {
        uint32_t& exec = machine_.exec;
        const isa::GroupRun& group = *machine_.run;
        const uint32_t helpers = group.helperMask | group.killMask;
        if ((exec & helpers) == 0) return;
        uint32_t quads = exec & ~helpers;
        quads |= (quads & 0x55555555) << 1 | (quads >> 1 & 0x55555555);
        quads |= (quads & 0x0F0F0F0F) << 4 | (quads >> 4 & 0x0F0F0F0F);
        loop.waiting |= exec & ~quads;
        exec &= quads;
    }

    /// Lanes whose guard is false wait at the return address.
    void call(const Decoded& d, uint32_t mask) {
        if (mask == 0) return next();
        push({EntryKind::Call, call_, loop_, machine_.exec & ~mask, 0, pc_ + 1, 0});
        call_ = depth_;
        machine_.exec = mask;
        pc_ = d.target;
    }

    /// Discarded lanes go on as helpers; once nothing but helpers is left, nobody will look at a result.
    void kill(uint32_t mask) {
        isa::GroupRun& group = *machine_.run;
        group.killMask |= mask;
        const uint32_t visible = machine_.launch & ~(group.killMask | group.helperMask);
        if (visible == 0) {
            done_ = true;
            return;
        }
        fuel_.end(machine_.exec, visible);
        next();
    }

    void push(const StackEntry& entry) { stack_[depth_++] = entry; }
    StackEntry& top() { return stack_[depth_ - 1]; }

    void next() {
        ++pc_;
        if (machine_.exec == 0) [[unlikely]]
            meet();
    }

    /// No lane is left here: go to where the innermost waiting lanes are.
    void meet() {
        while (machine_.exec == 0) {
            if (depth_ == 0) {
                done_ = true;
                return;
            }
            StackEntry& entry = top();
            pc_ = entry.target;
            if (entry.kind != EntryKind::Call) {
                // The else, endif or endloop there brings lanes back, or pops the entry and comes here again.
                control(machine_.code[pc_], 0);
                return;
            }
            machine_.exec = entry.waiting;
            call_ = entry.outerCall;
            loop_ = entry.outerLoop;
            --depth_;
        }
    }

    Machine& machine_;
    Fuel fuel_;
    uint32_t pc_ = 0;
    bool done_ = false;
    Position* position_ = nullptr;             ///< of a group of a block
    uint8_t depth_ = 0, loop_ = 0, call_ = 0;  ///< loop_, call_: stack index + 1 of the innermost one
    StackEntry stack_[isa::kMaxNesting];
};

}  // namespace

void resume(Machine& machine, Position& position, Observer* observer) {
    position.arrived = 0;
    Execution(machine, machine.run->budget - position.instructions).resume(position, observer);
}

void execute(Machine& machine, Observer* observer) {
    if (machine.exec == 0) return;
    const uint64_t budget = machine.run->budget;
    Execution execution(machine, budget != 0 ? budget : UINT64_MAX);
    if (observer != nullptr)
        execution.run<true>(observer);
    else
        execution.run<false>(nullptr);
}

}  // namespace tessera::interp::TESSERA_SIMD
