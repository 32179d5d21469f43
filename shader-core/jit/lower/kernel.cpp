// Kernels: special registers from the block size and the group's number, exchange between the lanes of a group,
// barriers.
#include <algorithm>

#include <llvm/IR/Intrinsics.h>

#include "base/check.h"
#include "shader-core/jit/lower/kernel.h"

namespace tessera::jit {

using isa::Op;
using isa::Special;
using isa::Type;

namespace {

constexpr uint32_t kGroup = isa::kGroupSize;

}  // namespace

KernelToLlvm::KernelToLlvm(llvm::Module& module, const isa::Program& program, const Facts& facts, SimdLevel level,
                           const ThreadBlockSize& block)
    : IsaToLlvm(module, program, facts, level, isa::kGroupSize,
                {offsetof(KernelFrame, launch), offsetof(KernelFrame, constants), offsetof(KernelFrame, budget),
                 offsetof(KernelFrame, instructions), offsetof(KernelFrame, stopped)},
                kMaxInlinedSize),
      block_(block),
      readInBlock_(isa::componentsReadInBlock(facts.code)) {}

void KernelToLlvm::start() {
    const uint32_t threads = block_[0] * block_[1] * block_[2];
    // With full groups every lane is launched, and masks vanish where lanes stay together.
    launch_ = threads % kGroup == 0 ? wide_.allLanes() : fromBits(frameField(fields_.launch, i32_, "launch"));
}

// --- Registers ---

/// Every web is a variable of its own, a single bit where it is the same in all lanes.
IsaToLlvm::Variable* KernelToLlvm::predicateVariable(unsigned index, bool write) {
    const uint32_t web = facts_.webs.of(at_, Webs::kPredicates, index, write);
    Variable*& predicate = registers_[{static_cast<unsigned>(isa::File::P), web, 0}];
    const bool uniform = facts_.uniformPredicate(at_, index, write);
    if (predicate == nullptr) predicate = variable(uniform ? b_.getInt1Ty() : exec_->getAllocatedType(), "p");
    return predicate;
}

IsaToLlvm::Value* KernelToLlvm::uniformGuard(const Instruction& i) {
    return i.guard == 0 ? uniformBit(guardMask(wide_, i)) : guardMask(one_, i);
}

/// Every web is a variable of its own.
IsaToLlvm::Variable* KernelToLlvm::temporary(unsigned index, unsigned component, bool write) {
    const uint32_t web = facts_.webs.of(at_, index, component, write);
    Variable*& found = registers_[{static_cast<unsigned>(isa::File::R), web, 0}];
    if (found != nullptr) return found;
    const Spread spread = facts_.spreads[web];
    if (spread.scalar()) {
        found = variable(facts_.integerWebs[web] ? i32_ : b_.getFloatTy(), "u");
        strides_[found] = spread.stride;
    } else {
        found = variable(wide_.floats(), "r");
    }
    return found;
}

IsaToLlvm::Value* KernelToLlvm::kernelField(size_t offset) { return frameField(offset, i32_, "kernel"); }

/// Lane 0's, where the values of this width are single ones.
IsaToLlvm::Value* KernelToLlvm::special(const LaneBuilder& l, const isa::Source& s, unsigned component) {
    const auto [x, y, z] = block_;
    const auto groups = (x * y * z + kGroup - 1) / kGroup;
    const auto uniform = [&](Value* value) { return l.broadcast(b_.CreateBitCast(value, b_.getFloatTy())); };
    const auto known = [&](uint32_t value) { return l.splatBits(value); };
    switch (static_cast<Special>(s.index)) {
        case Special::Lane:
            if (component != 0 || l.width() == 1) return known(0);
            return l.asFloat(l.laneNumbers());
        case Special::Block:
            return uniform(kernelField(offsetof(KernelFrame, block) + component * sizeof(uint32_t)));
        case Special::GridSize:
            return uniform(kernelField(offsetof(KernelFrame, grid) + component * sizeof(uint32_t)));
        case Special::ThreadBlockSize: {
            const uint32_t sizes[4] = {x, y, z, x * y * z};
            return known(sizes[component]);
        }
        case Special::Group:
            if (component == 0) return uniform(kernelField(offsetof(KernelFrame, group)));
            return known(component == 1 ? groups : 0);
        case Special::Thread:
            break;
        default:
            UNREACHABLE("a special register of kernels");
    }
    Value* first = b_.CreateMul(kernelField(offsetof(KernelFrame, group)), b_.getInt32(kGroup));
    Value* thread = l.width() == 1 ? first : b_.CreateAdd(l.broadcast(first), l.laneNumbers());
    // Threads below 2,048 and sizes below 2,049: t / n is the upper half of t * (65536 / n, rounded up).
    const auto quotient = [&](Value* t, uint32_t n) {
        if (n == 1) return t;
        return b_.CreateLShr(b_.CreateMul(t, l.splatInt((65536 + n - 1) / n)), l.splatInt(16));
    };
    const auto remainder = [&](Value* t, uint32_t n) {
        return b_.CreateSub(t, b_.CreateMul(quotient(t, n), l.splatInt(n)));
    };
    switch (component) {
        case 0:
            return l.asFloat(y == 1 && z == 1 ? thread : remainder(thread, x));
        case 1:
            return y == 1 ? known(0) : l.asFloat(z == 1 ? quotient(thread, x) : remainder(quotient(thread, x), y));
        case 2:
            return z == 1 ? known(0) : l.asFloat(quotient(thread, x * y));
        default:
            return l.asFloat(thread);
    }
}

// --- Registers that other groups of the block read: every write goes to memory too ---

/// Where a group's component lies; `number` is its place in readInBlock_.
IsaToLlvm::Value* KernelToLlvm::blockRow(size_t number, Value* group) {
    Value* row = b_.CreateAdd(b_.CreateMul(group, b_.getInt32(static_cast<uint32_t>(readInBlock_.size()))),
                              b_.getInt32(static_cast<uint32_t>(number)));
    Value* base = frameField(offsetof(KernelFrame, blockRegisters), pointer_, "block.registers");
    return b_.CreateGEP(b_.getFloatTy(), base, b_.CreateZExt(b_.CreateMul(row, b_.getInt32(kGroup)), i64_));
}

/// Each lane reads the thread of its column in the wavefront; threads that the block does not have hold zero.
IsaToLlvm::Value* KernelToLlvm::fromBlock(const isa::Source& s, unsigned component) {
    constexpr unsigned kSize = isa::kWavefrontSize;
    const unsigned first = s.wavefront * kSize, threads = block_[0] * block_[1] * block_[2];
    if (first >= threads) return wide_.splatBits(0);
    const auto found = std::lower_bound(readInBlock_.begin(), readInBlock_.end(), s.index * 4u + component);
    CHECK(found != readInBlock_.end() && *found == s.index * 4u + component);
    Value* row = blockRow(static_cast<size_t>(found - readInBlock_.begin()), b_.getInt32(first / kGroup));
    Value* all = b_.CreateAlignedLoad(wide_.floats(), row, llvm::Align(64));
    llvm::SmallVector<int, kGroup> from;
    for (unsigned lane = 0; lane < kGroup; ++lane) {
        const unsigned thread = first + lane % kSize;
        from.push_back(static_cast<int>(thread < threads ? thread % kGroup : kGroup));  // the second vector's are zero
    }
    return b_.CreateShuffleVector(all, wide_.splatBits(0), from);
}

void KernelToLlvm::toBlock(const Instruction& i, unsigned component, Value* result) {
    const auto store = [&](size_t number, Value* mask) {
        Value* value = result;
        if (!value->getType()->isVectorTy()) value = expand(value, facts_.at[at_].result[component].stride);
        Value* row = blockRow(number, kernelField(offsetof(KernelFrame, group)));
        if (mask != nullptr)
            value = b_.CreateSelect(mask, value, b_.CreateAlignedLoad(wide_.floats(), row, llvm::Align(64)));
        b_.CreateAlignedStore(value, row, llvm::Align(64));
    };
    for (size_t n = 0; n < readInBlock_.size(); ++n) {
        const uint32_t index = readInBlock_[n] / 4;
        if (readInBlock_[n] % 4 != component) continue;
        if (i.dst.relative)
            store(n,
                  b_.CreateAnd(writeMask_, b_.CreateICmpEQ(relativeIndex(wide_, i.dst.index), wide_.splatInt(index))));
        else if (i.dst.index == index)
            store(n, writeMask_);
    }
}

// --- Masks ---

/// The first columns of the first rows; of the block's wavefronts those of the group are known when it runs.
void KernelToLlvm::subset(const Instruction& i) {
    const auto [x, y, z] = block_;
    const unsigned size = i.subsetOfBlock ? isa::kWavefrontSize : isa::kGroupColumns;
    const unsigned rows = i.subsetOfBlock ? (x * y * z + size - 1) / size : isa::kGroupRows;
    constexpr unsigned kShare[] = {1, 2, 4, 0};  // the last is one alone
    const unsigned columns = i.subsetWidth == 3 ? 1 : size / kShare[i.subsetWidth];
    const unsigned kept = i.subsetDepth == 3 ? 1 : (rows + kShare[i.subsetDepth] - 1) / kShare[i.subsetDepth];
    std::vector<llvm::Constant*> lanes;
    for (unsigned lane = 0; lane < kGroup; ++lane)
        lanes.push_back(b_.getInt1(lane % size < columns && (i.subsetOfBlock || lane / size < kept)));
    writeMask_ = b_.CreateAnd(writeMask_, llvm::ConstantVector::get(lanes));
    if (!i.subsetOfBlock || kept == rows) return;
    Value* first = b_.CreateMul(kernelField(offsetof(KernelFrame, group)), b_.getInt32(kGroup));
    Value* thread = b_.CreateAdd(wide_.broadcast(first), wide_.laneNumbers());
    writeMask_ = b_.CreateAnd(writeMask_, b_.CreateICmpULT(thread, wide_.splatInt(kept * size)));
}

IsaToLlvm::Value* KernelToLlvm::executing() { return writeMask_ != nullptr ? writeMask_ : launch_; }

// --- Exchange ---

/// A single value: all executing lanes get it.
IsaToLlvm::Value* KernelToLlvm::vote(const Instruction& i, int component) {
    Value* x = source(wide_, i, 0, component);
    Value* set = i.type == Type::F32 ? b_.CreateFCmpUNE(x, wide_.splat(0.0f))
                                     : b_.CreateICmpNE(wide_.asInt(x), wide_.splatInt(0));
    Value* lanes = bits(executing());
    Value* ballot = b_.CreateAnd(bits(set), lanes);
    Value* result = ballot;
    if (i.op != Op::Vbal) {
        Value* holds = i.op == Op::Vall ? b_.CreateICmpEQ(ballot, lanes) : b_.CreateICmpNE(ballot, b_.getInt32(0));
        result = b_.CreateSelect(holds, b_.getInt32(0x3f800000), b_.getInt32(0));
    }
    return b_.CreateBitCast(result, b_.getFloatTy());
}

/// Lanes l and l + n are added for n = 16, 8, 4, 2, 1; those that do not execute count as +0.
IsaToLlvm::Value* KernelToLlvm::total(const Instruction& i, int component) {
    Value* t = source(wide_, i, 0, component);
    if (i.op == Op::Dot) t = b_.CreateFMul(t, source(wide_, i, 1, component));
    if (executing() != wide_.allLanes()) t = b_.CreateSelect(executing(), t, wide_.splatBits(0));
    const bool isFloat = i.type == Type::F32;
    for (int n = kGroup / 2; n >= 1; n /= 2) {
        llvm::SmallVector<int, kGroup> low, high;
        for (int lane = 0; lane < n; ++lane) low.push_back(lane), high.push_back(lane + n);
        Value *a = b_.CreateShuffleVector(t, low), *b = b_.CreateShuffleVector(t, high);
        if (isFloat) {
            t = b_.CreateFAdd(a, b);
        } else {
            llvm::Type* ints = llvm::FixedVectorType::get(i32_, static_cast<unsigned>(n));
            t = b_.CreateAdd(b_.CreateBitCast(a, ints), b_.CreateBitCast(b, ints));
            t = b_.CreateBitCast(t, a->getType());
        }
    }
    Value* sum = b_.CreateExtractElement(t, uint64_t{0});
    return isFloat ? one_.canonical(sum) : sum;
}

/// A shuffle takes values from executing lanes only. A lane that asks for another one keeps its own value.
IsaToLlvm::Value* KernelToLlvm::shuffle(const Instruction& i, int component) {
    if (facts_.at[at_].result[static_cast<size_t>(component)].scalar())
        return source(one_, i, 0, component);  // every lane has the same
    Value* a = source(wide_, i, 0, component);
    Instruction asInteger = i;
    asInteger.type = Type::I32;
    Value* b = wide_.asInt(source(wide_, asInteger, 1, component));
    Value *lane = wide_.laneNumbers(), *from = nullptr, *inside = nullptr;
    Value* last = wide_.splatInt(kGroup - 1);
    switch (i.op) {
        case Op::Shi:
            from = b_.CreateAnd(b, last);
            break;
        case Op::Shx:
            from = b_.CreateXor(lane, b_.CreateAnd(b, last));
            break;
        case Op::Shu:
            inside = b_.CreateICmpULE(b, lane);
            from = b_.CreateSub(lane, b);
            break;
        case Op::Shd:
            inside = b_.CreateICmpULE(b, b_.CreateSub(last, lane));
            from = b_.CreateAdd(lane, b);
            break;
        default:
            UNREACHABLE("a shuffle");
    }
    if (inside != nullptr) from = b_.CreateSelect(inside, from, lane);
    Value* mask = executing();
    const bool all = mask == wide_.allLanes();
    if (const auto* constant = llvm::dyn_cast<llvm::Constant>(from)) {
        llvm::SmallVector<int, kGroup> order;
        for (unsigned l = 0; l < kGroup; ++l)
            order.push_back(
                static_cast<int>(llvm::cast<llvm::ConstantInt>(constant->getAggregateElement(l))->getZExtValue()));
        Value* moved = b_.CreateShuffleVector(a, order);
        return all ? moved : b_.CreateSelect(b_.CreateShuffleVector(mask, order), moved, a);
    }
    Value* moved = picked(a, from);
    if (all) return moved;
    Value* there = b_.CreateAnd(b_.CreateLShr(wide_.broadcast(bits(mask)), from), wide_.splatInt(1));
    return b_.CreateSelect(b_.CreateICmpNE(there, wide_.splatInt(0)), moved, a);
}

/// Lane l of the result is lane from[l] of a.
IsaToLlvm::Value* KernelToLlvm::picked(Value* a, Value* from) {
    if (host_.permute != llvm::Intrinsic::not_intrinsic) {
        const auto half = [&](Value* x, int first) {
            llvm::SmallVector<int, 16> order;
            for (int lane = 0; lane < 16; ++lane) order.push_back(first + lane);
            return b_.CreateShuffleVector(x, order);
        };
        Value *low = half(a, 0), *high = half(a, 16);
        const auto permuted = [&](int first) {
            return b_.CreateIntrinsic(host_.permute, {}, {low, half(from, first), high});
        };
        llvm::SmallVector<int, kGroup> order;
        for (int lane = 0; lane < isa::kGroupSize; ++lane) order.push_back(lane);
        return b_.CreateShuffleVector(permuted(0), permuted(16), order);
    }
    // Through memory, where every lane picks its word.
    Variable* row = shuffleRow_;
    if (row == nullptr) {
        llvm::IRBuilder<> entry(entryEnd_);
        row = shuffleRow_ = entry.CreateAlloca(wide_.floats(), nullptr, "row");
        row->setAlignment(llvm::Align(64));
    }
    b_.CreateAlignedStore(a, row, llvm::Align(64));
    Value* pointers = b_.CreateGEP(b_.getFloatTy(), row, b_.CreateSExt(from, wide_.ints()->getWithNewType(i64_)));
    return b_.CreateMaskedGather(wide_.floats(), pointers, llvm::Align(4), wide_.allLanes(), wide_.splatBits(0));
}

// --- Barriers ---

/// The host's function returns when the group may go on; it may run other groups meanwhile. Not zero: the group ends
/// here.
void KernelToLlvm::lowerBarrier(size_t at) {
    const Instruction& i = facts_.code[at];
    flushCount();
    Value* count = b_.CreateLoad(i64_, count_);
    BasicBlock* within = newBasicBlock("within.budget");
    likely(b_.CreateICmpULE(count, frameField(fields_.budget, i64_, "budget")), within, outOfBudget_);
    enter(within);
    b_.CreateStore(count, byteOffset(frame_, fields_.count));
    const uint64_t where = uint64_t{i.barrier} | uint64_t{i.barrierGroups} << 8 | uint64_t{at} << 16;
    auto* type = llvm::FunctionType::get(i32_, {pointer_, i32_, i64_}, false);
    llvm::CallInst* call = b_.CreateCall(type, frameField(offsetof(KernelFrame, barrier), pointer_, "barrier"),
                                         {frame_, bits(taken(i, at)), b_.getInt64(where)});
    call->setDoesNotThrow();
    BasicBlock* next = newBasicBlock("passed");
    likely(b_.CreateICmpEQ(call, b_.getInt32(0)), next, discarded_);
    enter(next);
}

}  // namespace tessera::jit
