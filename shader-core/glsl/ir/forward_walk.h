// The textbook forward data flow, over the structure of a module: the arms of an If start from one state and meet at
// Endif; a loop is walked again until the state at its head covers what comes back from its end.
#pragma once

#include <utility>
#include <vector>

#include "shader-core/glsl/ir/analysis.h"

namespace tessera::glsl::ir {

/// Walks the code forwards with a State: reset() makes it that of code that is not reached, meet(other) takes in what
/// comes another way (true when that changed it). For each instruction, in this order: assign(n, state) makes its
/// assignments, see(n, state) sees the state of all lanes that can be there (its last call for n is the one that
/// counts), write(n, state) takes the result, or what a call may write. Where `guarded(n)`, the arms of an If have no
/// lanes of their own: those whose guard is false pass as well.
template <class State, class Client>
class ForwardWalk {
public:
    ForwardWalk(const Module& module, Client& client)
        : module_(module), client_(client), partner_(matchControl(module)) {}

    void run(State& state) { walk(0, static_cast<uint32_t>(module_.code.size()), state, nullptr); }

private:
    struct Loop {
        State head, exit;
        bool changed = true;
    };

    void see(uint32_t n, const State& state, const State* aside) {
        if (aside == nullptr) return client_.see(n, state);
        State all = state;
        all.meet(*aside);
        client_.see(n, all);
    }

    void walk(uint32_t begin, uint32_t end, State& state, const State* aside) {
        for (uint32_t n = begin; n < end; n++) {
            const Instruction& i = module_.code[n];
            client_.assign(n, state);
            see(n, state, aside);
            if (i.op == Op::If) {
                n = walkIf(n, state);
            } else if (i.op == Op::Loop) {
                n = walkLoop(n, state);
            } else {
                if (writesResult(i.op) || i.op == Op::Call) client_.write(n, state);
                if (i.op == Op::Brk) loops_.back().exit.meet(state);
                if (i.op == Op::Cont) loops_.back().changed |= loops_.back().head.meet(state);
                const bool leaves = i.op == Op::Brk || i.op == Op::Cont || i.op == Op::Ret;
                if (leaves && i.condition.kind == Kind::None) state.reset();
            }
        }
    }

    uint32_t walkIf(uint32_t n, State& state) {
        const uint32_t middle = partner_[n];
        const bool hasElse = module_.code[middle].op == Op::Else, guarded = client_.guarded(n);
        const uint32_t end = hasElse ? partner_[middle] : middle;
        State other = state;
        walk(n + 1, middle, state, guarded ? &other : nullptr);
        client_.assign(middle, state);
        if (hasElse) {
            // At the else stand those who come from the first arm, and those who wait for the second.
            see(middle, state, &other);
            walk(middle + 1, end, other, guarded ? &state : nullptr);
            client_.assign(end, other);
        }
        state.meet(other);
        client_.see(end, state);
        return end;
    }

    uint32_t walkLoop(uint32_t n, State& state) {
        const uint32_t end = partner_[n], number = static_cast<uint32_t>(loops_.size());
        loops_.push_back({state, state});
        loops_[number].exit.reset();
        while (loops_[number].changed) {
            loops_[number].changed = false;
            State round = loops_[number].head;
            walk(n + 1, end, round, nullptr);
            client_.assign(end, round);
            loops_[number].changed |= loops_[number].head.meet(round);
            // At the endloop wait those who left and those who continued as well.
            round.meet(loops_[number].exit);
            see(end, round, &loops_[number].head);
        }
        state = std::move(loops_[number].exit);
        loops_.pop_back();
        return end;
    }

    const Module& module_;
    Client& client_;
    std::vector<uint32_t> partner_;
    std::vector<Loop> loops_;
};

}  // namespace tessera::glsl::ir
