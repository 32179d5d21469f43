#include <llvm/IR/MDBuilder.h>

#include "base/check.h"
#include "shader-core/jit/lower/isa_to_llvm.h"

namespace tessera::jit {

using isa::Op;

IsaToLlvm::IsaToLlvm(llvm::Module& module, const isa::Program& program, const Facts& facts, SimdLevel level,
                     unsigned lanes, const FrameFields& fields, int inlinedSize)
    : module_(module),
      context_(module.getContext()),
      b_(context_),
      program_(program),
      facts_(facts),
      host_(hostLevel(level)),
      lanes_(lanes),
      fields_(fields),
      calls_(module, host_, inlinedSize),
      wide_(b_, calls_, host_, lanes),
      one_(b_, calls_, host_, 1),
      laneBits_(b_.getIntNTy(lanes)),
      i16_(b_.getInt16Ty()),
      i32_(b_.getInt32Ty()),
      i64_(b_.getInt64Ty()),
      pointer_(b_.getPtrTy()),
      found_(analysis::findNests(facts)) {
    for (const isa::Literal& literal : program.literals) literals_[literal.reg] = literal.bits;
}

llvm::Function* IsaToLlvm::run() {
    createFunction();
    BasicBlock* body = newBasicBlock("body");
    b_.CreateBr(body);
    entryEnd_ = b_.GetInsertBlock()->getTerminator();
    frame_ = function_->getArg(0);
    enter(body);

    exec_ = variable(host_.hasMasks ? wide_.mask() : wide_.ints(), "exec");
    start();
    storeMask(launch_, exec_);
    count_ = variable(i64_, "count");
    stopped_ = variable(i32_, "stopped");
    finished_ = newBasicBlock("finished"), outOfBudget_ = newBasicBlock("out.of.budget"),
    discarded_ = newBasicBlock("discarded");

    if (facts_.relativeTemps) temps_ = memoryFile(program_.tempCount);
    if (facts_.relativeOutputs) outputs_ = memoryFile(isa::kMaxOutputs);

    routine(0);
    b_.CreateUnreachable();  // the basic block behind the last ret
    createEpilogue();
    return function_;
}

void IsaToLlvm::createFunction() {
    auto* type = llvm::FunctionType::get(b_.getVoidTy(), {pointer_}, false);
    function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, kBlockFunctionName, module_);
    function_->addFnAttr(llvm::Attribute::NoUnwind);
    function_->addParamAttr(0, llvm::Attribute::NoAlias);
    function_->addParamAttr(0, llvm::Attribute::NonNull);
    calls_.addTargetAttributes(*function_);
    b_.SetInsertPoint(BasicBlock::Create(context_, "entry", function_));
}

void IsaToLlvm::createEpilogue() {
    BasicBlock* leave = BasicBlock::Create(context_, "leave", function_);
    const auto stop = [&](BasicBlock* block, Stop reason) {
        enter(block);
        b_.CreateStore(b_.getInt32(reason), stopped_);
    };
    stop(finished_, Stop::Finished);
    storeResults();
    b_.CreateBr(leave);
    stop(outOfBudget_, Stop::OutOfBudget);
    b_.CreateBr(leave);
    stop(discarded_, Stop::Discarded);
    b_.CreateBr(leave);
    enter(leave);
    const auto result = [&](Value* value, size_t offset) { b_.CreateStore(value, byteOffset(frame_, offset)); };
    storeDiscarded();
    storeCount();
    result(b_.CreateLoad(i32_, stopped_), fields_.stopped);
    b_.CreateRetVoid();
}

/// One routine, up to and with its last ret.
void IsaToLlvm::routine(size_t start) {
    int depth = 0;
    for (size_t at = start;; ++at) {
        const Instruction& i = facts_.code[at];
        at_ = at;
        ++pendingCount_;
        if (isa::opInfo(i.op).unit != isa::Unit::Control) {
            if (facts_.at[at].jumpTo != 0) jumpOver(at);
            instruction(at);
            if (joinAt_ == at + 1) join();
            continue;
        }
        depth += i.op == Op::If || i.op == Op::Loop;
        depth -= i.op == Op::Endif || i.op == Op::Endloop;
        if (i.op == Op::Ret && i.guard == 0 && depth == 0) {
            Nest* call = innermostCall();
            branchTo(call != nullptr ? call->after : finished_);
            return;
        }
        (this->*handlerOf(i.op).control)(at);
    }
}

void IsaToLlvm::instruction(size_t at) {
    const Instruction& i = facts_.code[at];
    selectLanes(i, at);
    write(i, compute(i, at));
}

void IsaToLlvm::selectLanes(const Instruction& i, size_t at) {
    const bool narrowed = i.subsetWidth != 0 || i.subsetDepth != 0;
    const bool whole = i.guard == 0 && !facts_.at[at].divergent && !i.dst.relative && !narrowed;
    writeMask_ = whole ? nullptr : taken(i, at);
    if (narrowed) subset(i);
    // Only lanes of the mask count, unless the instruction looks at its neighbours.
    const bool snoops = i.src[0].snoop || i.src[1].snoop || i.src[2].snoop;
    const bool lanesAlone = !isa::isTexture(isa::opInfo(i.op).shape) && i.op != Op::Ddx && i.op != Op::Ddy && !snoops;
    readMask_ = lanesAlone ? writeMask_ : nullptr;
    readExec_ = lanesAlone && writeMask_ != nullptr ? exec(at) : nullptr;
}

/// What follows is for lanes that have the guard. Instructions count whether it is executed or not.
void IsaToLlvm::jumpOver(size_t at) {
    BasicBlock* some = newBasicBlock("guarded");
    join_ = newBasicBlock("guarded.end");
    joinAt_ = facts_.at[at].jumpTo;
    b_.CreateCondBr(any(taken(facts_.code[at], at)), some, join_);
    enter(some);
}

void IsaToLlvm::join() {
    b_.CreateBr(join_);
    enter(join_);
    joinAt_ = 0;
}

// --- Blocks and counting ---

IsaToLlvm::BasicBlock* IsaToLlvm::newBasicBlock(const char* name) {
    return BasicBlock::Create(context_, name, function_);
}

void IsaToLlvm::enter(BasicBlock* block) { b_.SetInsertPoint(block); }

void IsaToLlvm::likely(Value* condition, BasicBlock* often, BasicBlock* seldom) {
    b_.CreateCondBr(condition, often, seldom, llvm::MDBuilder(context_).createBranchWeights(1000, 1));
}

void IsaToLlvm::flushCount() {
    if (pendingCount_ == 0) return;
    countBlocks();
    b_.CreateStore(b_.CreateAdd(b_.CreateLoad(i64_, count_), b_.getInt64(pendingCount_)), count_);
    pendingCount_ = 0;
}

void IsaToLlvm::branchTo(BasicBlock* block) {
    flushCount();
    b_.CreateBr(block);
    enter(newBasicBlock("unreached"));
}

/// Without lanes control goes to where the innermost waiting lanes are.
void IsaToLlvm::goOnIfLanesLeft(Value* exec) {
    flushCount();
    BasicBlock* next = newBasicBlock("lanes.left");
    b_.CreateCondBr(any(exec), next, meetingPoint());
    enter(next);
}

IsaToLlvm::BasicBlock* IsaToLlvm::meetingPoint() const {
    for (size_t k = nests_.size(); k-- > 0;)
        if (!nests_[k].plain) return nests_[k].meet;
    return finished_;
}

IsaToLlvm::Nest* IsaToLlvm::innermostLoop() {
    for (size_t k = nests_.size(); k-- > 0;)
        if (nests_[k].kind == Nest::Loop) return &nests_[k];
    UNREACHABLE("jump outside a loop");
}

IsaToLlvm::Nest* IsaToLlvm::innermostCall() {
    for (size_t k = nests_.size(); k-- > 0;)
        if (nests_[k].kind == Nest::Call) return &nests_[k];
    return nullptr;
}

// --- Masks ---

/// Within a basic block the value that was stored or loaded last, so that equal masks are the same value.
IsaToLlvm::Value* IsaToLlvm::loadMask(Variable* variable) {
    KnownMask& known = knownMasks_[variable];
    if (known.where == b_.GetInsertBlock()) return known.mask;
    Value* stored = b_.CreateLoad(variable->getAllocatedType(), variable);
    Value* mask = variable->getAllocatedType() == wide_.mask() ? stored : b_.CreateICmpSLT(stored, wide_.splatInt(0));
    known = {b_.GetInsertBlock(), mask};
    return mask;
}

void IsaToLlvm::storeMask(Value* mask, Variable* variable) {
    b_.CreateStore(variable->getAllocatedType() == wide_.mask() ? mask : b_.CreateSExt(mask, wide_.ints()), variable);
    knownMasks_[variable] = {b_.GetInsertBlock(), mask};
}

IsaToLlvm::Value* IsaToLlvm::exec(size_t at) { return facts_.at[at].divergent ? loadMask(exec_) : launch_; }

IsaToLlvm::Value* IsaToLlvm::predicate(const LaneBuilder& l, unsigned index, bool write) {
    Variable* predicate = predicateVariable(index, write);
    if (!predicate->getAllocatedType()->isIntegerTy(1)) return loadMask(predicate);
    return l.broadcast(b_.CreateLoad(b_.getInt1Ty(), predicate));
}

IsaToLlvm::Value* IsaToLlvm::guardMask(const LaneBuilder& l, const Instruction& i) {
    if (i.guard == 0) return l.allLanes();
    Value* mask = predicate(l, i.guard);
    return i.guardNegate ? b_.CreateNot(mask) : mask;
}

/// Lanes of exec whose guard has the value.
IsaToLlvm::Value* IsaToLlvm::guarded(const Instruction& i, Value* exec, bool holds) {
    if (i.guard == 0) return holds ? exec : wide_.noLanes();
    Value* mask = predicate(wide_, i.guard);
    // A predicate that the same lanes have just written: what the others had is not asked for.
    if (auto* select = llvm::dyn_cast<llvm::SelectInst>(mask); select != nullptr && select->getCondition() == exec)
        mask = select->getTrueValue();
    const bool negate = i.guardNegate == holds;
    KnownMask& known = knownGuards_[{exec, mask, negate}];
    if (known.where != b_.GetInsertBlock())
        known = {b_.GetInsertBlock(), b_.CreateAnd(exec, negate ? b_.CreateNot(mask) : mask)};
    return known.mask;
}

IsaToLlvm::Value* IsaToLlvm::taken(const Instruction& i, size_t at) { return guarded(i, exec(at), true); }

IsaToLlvm::Value* IsaToLlvm::notTaken(const Instruction& i, size_t at) { return guarded(i, exec(at), false); }

/// Lanes that were not launched know nothing: masked writes pass them by.
IsaToLlvm::Value* IsaToLlvm::uniformBit(Value* mask) { return any(b_.CreateAnd(mask, launch_)); }

IsaToLlvm::Value* IsaToLlvm::bits(Value* mask) { return b_.CreateBitCast(mask, laneBits_); }

IsaToLlvm::Value* IsaToLlvm::fromBits(Value* bits) { return b_.CreateBitCast(bits, wide_.mask()); }

IsaToLlvm::Value* IsaToLlvm::any(Value* mask) {
    return b_.CreateICmpNE(bits(mask), llvm::ConstantInt::get(laneBits_, 0));
}

IsaToLlvm::Value* IsaToLlvm::allLanes(Value* mask) {
    return b_.CreateICmpEQ(bits(mask), llvm::ConstantInt::getAllOnesValue(laneBits_));
}

// --- If ---

void IsaToLlvm::lowerIf(size_t at) {
    const Instruction& i = facts_.code[at];
    Nest nest;
    nest.kind = Nest::If;
    nest.plain = foundAt(at).isPlain;
    nest.saved = exec(at);
    nest.after = newBasicBlock("endif");
    nest.meet = foundAt(at).hasElse ? newBasicBlock("else") : nest.after;
    BasicBlock* then = newBasicBlock("then");
    flushCount();
    if (nest.plain) {
        b_.CreateCondBr(uniformGuard(i), then, nest.meet);
    } else {
        Value* lanes = taken(i, at);
        nest.waiting = variable(exec_->getAllocatedType(), "waiting");
        storeMask(notTaken(i, at), nest.waiting);
        storeMask(lanes, exec_);
        b_.CreateCondBr(any(lanes), then, nest.meet);
    }
    nests_.push_back(nest);
    enter(then);
}

void IsaToLlvm::lowerElse(size_t) {
    Nest& nest = nests_.back();
    BasicBlock* otherSide = nest.meet;
    nest.meet = nest.after;
    flushCount();
    if (nest.plain) {
        b_.CreateBr(nest.after);
        enter(otherSide);
        return;
    }
    b_.CreateBr(otherSide);
    enter(otherSide);
    Value* fromThen = loadMask(exec_);
    Value* lanes = loadMask(nest.waiting);
    storeMask(fromThen, nest.waiting);
    storeMask(lanes, exec_);
    BasicBlock* body = newBasicBlock("else.lanes");
    b_.CreateCondBr(any(lanes), body, nest.after);
    enter(body);
}

void IsaToLlvm::lowerEndif(size_t at) {
    const Nest nest = nests_.back();
    nests_.pop_back();
    flushCount();
    b_.CreateBr(nest.after);
    enter(nest.after);
    if (nest.plain) return;
    if (!foundAt(at).lanesLeave) {
        storeMask(nest.saved, exec_);
        return;
    }
    Value* lanes = b_.CreateOr(loadMask(exec_), loadMask(nest.waiting));
    storeMask(lanes, exec_);
    goOnIfLanesLeft(lanes);
}

// --- Loop ---

void IsaToLlvm::lowerLoop(size_t at) {
    Nest nest;
    nest.kind = Nest::Loop;
    nest.header = newBasicBlock("loop");
    nest.meet = newBasicBlock("endloop");
    nest.after = newBasicBlock("loop.end");
    nest.saved = exec(at);
    nest.waiting = variable(exec_->getAllocatedType(), "broken");
    nest.continuing = variable(exec_->getAllocatedType(), "continuing");
    Value* none = wide_.noLanes();
    storeMask(none, nest.waiting);
    storeMask(none, nest.continuing);
    if (const uint16_t iterations = facts_.code[at].iterations; iterations != 0) {
        nest.iterations = variable(i32_, "iterations");
        b_.CreateStore(b_.getInt32(iterations), nest.iterations);
    }
    nests_.push_back(nest);
    flushCount();
    b_.CreateBr(nest.header);
    enter(nest.header);
}

void IsaToLlvm::lowerEndloop(size_t at) {
    const Nest nest = nests_.back();
    flushCount();
    b_.CreateBr(nest.meet);
    enter(nest.meet);
    if (facts_.at[at].divergent) {
        storeMask(b_.CreateOr(loadMask(exec_), loadMask(nest.continuing)), exec_);
        storeMask(wide_.noLanes(), nest.continuing);
        retireIdleHelpers(nest);
        BasicBlock* again = newBasicBlock("again");
        b_.CreateCondBr(any(loadMask(exec_)), again, nest.after);
        enter(again);
    }
    if (nest.iterations != nullptr) {
        Value* left = b_.CreateSub(b_.CreateLoad(i32_, nest.iterations), b_.getInt32(1));
        b_.CreateStore(left, nest.iterations);
        BasicBlock *next = newBasicBlock("next"), *last = newBasicBlock("last");
        b_.CreateCondBr(b_.CreateICmpEQ(left, b_.getInt32(0)), last, next);
        enter(last);
        storeMask(b_.CreateOr(loadMask(nest.waiting), exec(at)), nest.waiting);
        b_.CreateBr(nest.after);
        enter(next);
    }
    Value* count = b_.CreateLoad(i64_, count_);
    if (blocks_ != 1) count = b_.CreateLShr(count, 1);  // each of two has a budget of its own
    Value* budget = frameField(fields_.budget, i64_, "budget");
    b_.CreateCondBr(b_.CreateICmpUGT(count, budget), outOfBudget_, nest.header);
    nests_.pop_back();

    enter(nest.after);
    if (!foundAt(at).lanesLeave) {
        storeMask(nest.saved, exec_);
        return;
    }
    Value* lanes = loadMask(nest.waiting);
    storeMask(lanes, exec_);
    goOnIfLanesLeft(lanes);
}

/// brk and cont.
void IsaToLlvm::lowerJump(size_t at) {
    const Instruction& i = facts_.code[at];
    Nest& loop = *innermostLoop();
    const bool leaves = i.op == Op::Brk;
    if (plainControl(at)) {
        if (leaves) storeMask(launch_, loop.waiting);
        BasicBlock* target = leaves ? loop.after : loop.meet;
        flushCount();
        BasicBlock* next = newBasicBlock("stay");
        b_.CreateCondBr(uniformGuard(i), target, next);
        enter(next);
        return;
    }
    flushCount();
    Value* lanes = taken(i, at);
    Value* rest = notTaken(i, at);
    Variable* where = leaves ? loop.waiting : loop.continuing;
    storeMask(b_.CreateOr(loadMask(where), lanes), where);
    storeMask(rest, exec_);
    goOnIfLanesLeft(rest);
}

// --- Call, ret, kil ---

void IsaToLlvm::lowerCall(size_t at) {
    const Instruction& i = facts_.code[at];
    Nest nest;
    nest.kind = Nest::Call;
    nest.saved = exec(at);
    nest.meet = nest.after = newBasicBlock("called");
    flushCount();
    if (i.guard != 0) {
        Value* lanes = taken(i, at);
        storeMask(lanes, exec_);
        BasicBlock* body = newBasicBlock("call");
        b_.CreateCondBr(any(lanes), body, nest.after);
        enter(body);
    }
    nests_.push_back(nest);
    routine(i.target);
    nests_.pop_back();
    b_.CreateUnreachable();  // the basic block behind the routine's last ret
    enter(nest.after);
    storeMask(nest.saved, exec_);
}

/// A ret that is not the last of its routine.
void IsaToLlvm::lowerRet(size_t at) {
    const Instruction& i = facts_.code[at];
    if (plainControl(at)) {
        Nest* call = innermostCall();
        BasicBlock* next = newBasicBlock("stay");
        flushCount();
        b_.CreateCondBr(uniformGuard(i), call != nullptr ? call->after : finished_, next);
        enter(next);
        return;
    }
    Value* rest = notTaken(i, at);
    storeMask(rest, exec_);
    goOnIfLanesLeft(rest);
}

}  // namespace tessera::jit
