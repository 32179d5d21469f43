// Control flow: nests (analysis/nests.h), and rows of masks. All values are in their rows here.
#include "base/check.h"
#include "shader-core/jit/baseline/generator.h"

namespace tessera::jit {

using isa::Op;

// --- Rows of masks ---

void Generator::copyRow(uint32_t from, uint32_t to) {
    eachPart([&] {
        a_.load(kScratch, row(from));
        a_.store(row(to), kScratch);
    });
}

void Generator::clearRow(uint32_t number) {
    a_.clear(kScratch);
    eachPart([&] { a_.store(row(number), kScratch); });
}

void Generator::addRow(uint32_t from, uint32_t to) {
    eachPart([&] {
        a_.load(kScratch, row(to));
        a_.binary(VectorOp::Or, kScratch, kScratch, row(from));
        a_.store(row(to), kScratch);
    });
}

/// One bit for each lane.
void Generator::bitsOf(uint32_t number, Bits to) {
    const uint32_t lanes = a_.vectorBytes() / sizeof(float);
    eachPart([&] {
        a_.load(kScratch, row(number));
        a_.addLanes(to, kScratch, part_ * lanes);
    });
}

void Generator::lanesFromBits(Bits from, uint32_t to) {
    const uint32_t lanes = a_.vectorBytes() / sizeof(float);
    a_.broadcast(kScratch2, from);
    eachPart([&] {
        const VectorOperand bits = a_.laneBits(part_ * lanes);
        a_.binary(VectorOp::And, kScratch, kScratch2, bits);
        a_.binary(VectorOp::EqualInts, kScratch, kScratch, bits);
        a_.store(row(to), kScratch);
    });
}

/// Launched lanes for which a guard that is the same for all of them holds, in Bits::A. Loses Bits::B.
void Generator::guardBits(size_t at) {
    const Instruction& i = facts_.code[at];
    if (i.guard == 0) return a_.load(Bits::A, field(offsetof(Frame, launch)));
    bitsOf(numbers_.of(isa::File::P, i.guard, 0), Bits::A);
    if (i.guardNegate) a_.invert(Bits::A);
    a_.load(Bits::B, field(offsetof(Frame, launch)));
    a_.keep(Bits::A, Bits::B);
}

/// Lanes that execute the instruction, in Bits::A. Loses Bits::B.
void Generator::takenBits(size_t at) {
    const Instruction& i = facts_.code[at];
    if (!facts_.at[at].divergent) return guardBits(at);
    bitsOf(exec_, Bits::A);
    if (i.guard == 0) return;
    bitsOf(numbers_.of(isa::File::P, i.guard, 0), Bits::B);
    if (i.guardNegate) a_.invert(Bits::B);
    a_.keep(Bits::A, Bits::B);
}

/// exec becomes the lanes for which the guard holds, or those for which it does not; `others` the rest, or with `adds`
/// some more.
void Generator::splitLanes(size_t at, bool keepsHolding, uint32_t others, bool adds) {
    const Instruction& i = facts_.code[at];
    constexpr Vector kLanes = 0, kHolds = 1, kNot = 2, kRest = 3;
    eachPart([&] {
        a_.load(kLanes, row(lanesAt(at)));
        a_.load(kHolds, kLanes);
        if (i.guard != 0) {
            a_.load(kRest, row(numbers_.of(isa::File::P, i.guard, 0)));
            if (i.guardNegate)
                a_.binary(VectorOp::AndNot, kHolds, kRest, kLanes);
            else
                a_.binary(VectorOp::And, kHolds, kLanes, kRest);
        }
        a_.binary(VectorOp::Xor, kNot, kLanes, kHolds);
        a_.store(row(exec_), keepsHolding ? kHolds : kNot);
        if (others == kNoRow) return;
        a_.load(kRest, keepsHolding ? kNot : kHolds);
        if (adds) a_.binary(VectorOp::Or, kRest, kRest, row(others));
        a_.store(row(others), kRest);
    });
}

// --- Nests ---

void Generator::flushCount() {
    if (pendingCount_ != 0) a_.addToCount(pendingCount_);
    pendingCount_ = 0;
}

/// Without lanes control goes to where the nearest wait.
void Generator::goOnIfLanesLeft(uint32_t nest) {
    const uint32_t meeting = nests_.meeting(nest);
    flushCount();
    bitsOf(exec_, Bits::A);
    a_.jumpIfNone(Bits::A, meeting == analysis::Nests::kNone ? finished_ : made_[meeting].meet);
}

void Generator::control(size_t at) {
    switch (facts_.code[at].op) {
        case Op::If:
            return lowerIf(at);
        case Op::Else:
            return lowerElse(at);
        case Op::Endif:
            return lowerEndif(at);
        case Op::Loop:
            return lowerLoop(at);
        case Op::Endloop:
            return lowerEndloop(at);
        case Op::Brk:
        case Op::Cont:
            return lowerJump(at);
        case Op::Ret:
            return lowerRet(at);
        case Op::Call:
            return lowerCall(at);
        case Op::Kil:
            return lowerKil(at);
        default:
            UNREACHABLE("not in programs of the pipeline");
    }
}

void Generator::lowerIf(size_t at) {
    const analysis::Nest& nest = nests_.all[nests_.innermost[at]];
    Nest& made = madeOf(at);
    made.waiting = newRows();
    made.after = a_.newLabel();
    made.meet = nest.hasElse ? a_.newLabel() : made.after;
    flushCount();
    if (nest.isPlain) {
        guardBits(at);
    } else {
        copyRow(lanesAt(at), made.saved());
        splitLanes(at, true, made.waiting, false);
        bitsOf(exec_, Bits::A);
    }
    a_.jumpIfNone(Bits::A, made.meet);
}

void Generator::lowerElse(size_t at) {
    Nest& made = madeOf(at);
    const Label otherSide = made.meet;
    made.meet = made.after;
    flushCount();
    if (nests_.all[nests_.innermost[at]].isPlain) {
        a_.jump(made.after);
        a_.bind(otherSide);
        return;
    }
    a_.bind(otherSide);
    eachPart([&] {
        a_.load(0, row(exec_));
        a_.load(1, row(made.waiting));
        a_.store(row(made.waiting), 0);
        a_.store(row(exec_), 1);
    });
    bitsOf(exec_, Bits::A);
    a_.jumpIfNone(Bits::A, made.after);
}

void Generator::lowerEndif(size_t at) {
    const analysis::Nest& nest = nests_.all[nests_.innermost[at]];
    const Nest& made = madeOf(at);
    flushCount();
    a_.bind(made.after);
    if (nest.isPlain) return;
    if (!nest.lanesLeave) return copyRow(made.saved(), exec_);
    addRow(made.waiting, exec_);
    goOnIfLanesLeft(nest.around);
}

void Generator::lowerLoop(size_t at) {
    Nest& made = madeOf(at);
    made.waiting = newRows();
    made.header = a_.newLabel(), made.meet = a_.newLabel(), made.after = a_.newLabel();
    copyRow(lanesAt(at), made.saved());
    clearRow(made.waiting);
    clearRow(made.continuing());
    flushCount();
    a_.bind(made.header);
}

void Generator::lowerEndloop(size_t at) {
    const analysis::Nest& nest = nests_.all[nests_.innermost[at]];
    const Nest& made = madeOf(at);
    flushCount();
    a_.bind(made.meet);
    if (facts_.at[at].divergent) {
        addRow(made.continuing(), exec_);
        clearRow(made.continuing());
        if (program_.stage == isa::Stage::Fragment) retireIdleHelpers(made);
        bitsOf(exec_, Bits::A);
        a_.jumpIfNone(Bits::A, made.after);
    }
    a_.jumpIfCountAbove(field(offsetof(Frame, budget)), outOfBudget_);
    a_.jump(made.header);

    a_.bind(made.after);
    if (!nest.lanesLeave) return copyRow(made.saved(), exec_);
    copyRow(made.waiting, exec_);
    goOnIfLanesLeft(nest.around);
}

/// Helpers leave a loop that no lane of their quad with a visible result is in any more (docs/isa.md, control flow).
void Generator::retireIdleHelpers(const Nest& loop) {
    const Label none = a_.newLabel();
    bitsOf(exec_, Bits::A);
    a_.load(Bits::D, field(offsetof(Frame, helper)));
    if (program_.usesKill) {
        a_.load(Bits::B, wholeRow(kill_));
        a_.add(Bits::D, Bits::B);
    }
    a_.move(Bits::C, Bits::A);
    a_.keep(Bits::C, Bits::D);  // helpers
    a_.jumpIfNone(Bits::C, none);
    a_.invert(Bits::D);
    a_.move(Bits::B, Bits::A);
    a_.keep(Bits::B, Bits::D);  // lanes that are seen, and then their quads
    const auto spread = [&](uint8_t distance, uint32_t lower) {
        a_.move(Bits::C, Bits::B);
        a_.keep(Bits::C, lower);
        a_.shiftLeft(Bits::C, distance);
        a_.move(Bits::D, Bits::B);
        a_.shiftRight(Bits::D, distance);
        a_.keep(Bits::D, lower);
        a_.add(Bits::B, Bits::C);
        a_.add(Bits::B, Bits::D);
    };
    spread(1, 0x5555);
    spread(4, 0x0F0F);
    a_.move(Bits::C, Bits::A);
    a_.keep(Bits::C, Bits::B);  // quads that go on
    a_.invert(Bits::B);
    a_.keep(Bits::A, Bits::B);  // idle
    lanesFromBits(Bits::A, scratch_);
    addRow(scratch_, loop.waiting);
    lanesFromBits(Bits::C, exec_);
    a_.bind(none);
}

/// brk and cont.
void Generator::lowerJump(size_t at) {
    const Nest& loop = made_[nests_.loopOf(at)];
    const bool leaves = facts_.code[at].op == Op::Brk;
    if (isPlain(at)) {
        flushCount();
        guardBits(at);
        a_.jumpIfAny(Bits::A, leaves ? loop.after : loop.meet);
        return;
    }
    splitLanes(at, false, leaves ? loop.waiting : loop.continuing(), true);
    goOnIfLanesLeft(nests_.innermost[at]);
}

/// Lanes that do not call wait behind the call, as do those that return.
void Generator::lowerCall(size_t at) {
    const Instruction& i = facts_.code[at];
    const Label routine = starts_[analysis::routineOf(routines_, i.target)], after = a_.newLabel();
    const uint32_t saved = isPlain(at) ? launch_ : newRows();
    flushCount();
    if (isPlain(at)) {
        guardBits(at);
    } else {
        copyRow(lanesAt(at), saved);
        splitLanes(at, true, kNoRow, false);
        bitsOf(exec_, Bits::A);
    }
    if (i.guard != 0) {
        a_.jumpIfNone(Bits::A, after);
    }
    a_.callRoutine(routine);
    a_.bind(after);
    copyRow(saved, exec_);
}

/// A ret that is not the last of its routine.
void Generator::lowerRet(size_t at) {
    if (isPlain(at)) {
        flushCount();
        guardBits(at);
        a_.jumpIfAny(Bits::A, finished_);
        return;
    }
    splitLanes(at, false, kNoRow, false);
    goOnIfLanesLeft(nests_.innermost[at]);
}

/// A block whose wanted lanes are all discarded ends.
void Generator::lowerKil(size_t at) {
    takenBits(at);
    a_.load(Bits::B, wholeRow(kill_));
    a_.add(Bits::A, Bits::B);
    a_.store(wholeRow(kill_), Bits::A);
    flushCount();
    a_.load(Bits::B, field(offsetof(Frame, helper)));
    a_.add(Bits::A, Bits::B);
    a_.invert(Bits::A);
    a_.load(Bits::B, field(offsetof(Frame, launch)));
    a_.keep(Bits::A, Bits::B);
    a_.jumpIfNone(Bits::A, discarded_);
}

}  // namespace tessera::jit
