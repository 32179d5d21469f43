// The instruction loop and the reconvergence stack.
//
// Every open if, loop and call has an entry (StackEntry) that says which of its lanes wait and where. `exec` is never
// empty at an instruction: when the last lane leaves, control goes to where the innermost entry's lanes meet.
//   if    waiting lanes are those of the other side; else swaps them in, endif joins them
//   loop  lanes that took brk wait for the end of the loop, lanes that took cont for its next iteration
//   call  lanes that took ret wait for the others; without an open call they are done
#include "shader-core/interp/access.h"

namespace tessera::interp::TESSERA_SIMD {

namespace {

class Execution {
public:
    explicit Execution(Machine& machine) : machine_(machine) {}

    /// Goes on where a group of a block stopped, up to its next barrier or its end.
    void resume(Position& position, Observer* observer) {
        pc_ = position.pc;
        depth_ = position.depth, loop_ = position.loop, call_ = position.call;
        __builtin_memcpy(stack_, position.stack, depth_ * sizeof(StackEntry));
        position_ = &position;
        const uint64_t budget = machine_.run->budget;
        machine_.run->budget = budget - position.instructions;
        if (observer != nullptr)
            run<true>(observer);
        else
            run<false>(nullptr);
        machine_.run->budget = budget;
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
        const uint64_t limit = group.budget != 0 ? group.budget : UINT64_MAX;
        uint64_t count = 0;
        while (!done_) {
            const Decoded& d = code[pc_];
            if (count == limit) {
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
                ++count;
                step(d, changed);
            } else {
                ++count;
                step(d, mask);
            }
        }
        group.instructions = count;
    }

private:
    void step(const Decoded& d, uint32_t mask) {
        if (d.handler != nullptr) [[likely]] {
            if (mask != 0) d.handler(machine_, d, mask);
            ++pc_;
        } else {
            control(d, mask);
        }
    }

    bool observe(Observer& observer, uint32_t mask, uint64_t count) {
        Step step;
        step.pc = pc_;
        step.execMask = machine_.exec;
        step.guardedMask = mask;
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
                push({EntryKind::If, 0, 0, exec & ~mask, 0, d.target});
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
                push({EntryKind::Loop, 0, loop_, 0, 0, d.target});
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
        if (exec != 0) {
            pc_ = d.target + 1u;
            return;
        }
        exec = entry.waiting;
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
        push({EntryKind::Call, call_, loop_, machine_.exec & ~mask, 0, pc_ + 1});
        call_ = depth_;
        machine_.exec = mask;
        pc_ = d.target;
    }

    /// Discarded lanes go on as helpers; once nothing but helpers is left, nobody will look at a result.
    void kill(uint32_t mask) {
        isa::GroupRun& group = *machine_.run;
        group.killMask |= mask;
        if ((machine_.launch & ~(group.killMask | group.helperMask)) == 0) {
            done_ = true;
            return;
        }
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
    uint32_t pc_ = 0;
    bool done_ = false;
    Position* position_ = nullptr;             ///< of a group of a block
    uint8_t depth_ = 0, loop_ = 0, call_ = 0;  ///< loop_, call_: stack index + 1 of the innermost one
    StackEntry stack_[isa::kMaxNesting];
};

}  // namespace

void resume(Machine& machine, Position& position, Observer* observer) {
    position.arrived = 0;
    Execution(machine).resume(position, observer);
}

void execute(Machine& machine, Observer* observer) {
    if (machine.exec == 0) return;
    Execution execution(machine);
    if (observer != nullptr)
        execution.run<true>(observer);
    else
        execution.run<false>(nullptr);
}

}  // namespace tessera::interp::TESSERA_SIMD
