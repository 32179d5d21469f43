// Loads, stores and atomics of kernels.
//
// Short ways, each behind one test of the range:
//   the same address in all lanes       one scalar load for each element
//   addresses that rise by an element   whole rows: facts.h knows it, or the lanes' addresses are compared with what a
//   from lane to lane                   row in each half of the group would have
//   anything else inside the memory     gather, scatter
// All else goes to KernelFrame::memory, element by element: lanes outside the memory, atomics, odd stores.
#include <bit>
#include <string>

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Intrinsics.h>

#include "base/check.h"
#include "shader-core/jit/lower/kernel.h"

namespace tessera::jit {

using isa::Op;

namespace {

constexpr uint64_t kRowBytes = isa::kGroupSize * sizeof(uint32_t);

}  // namespace

/// bytes from the address on lie in the memory; wide enough not to wrap.
IsaToLlvm::Value* KernelToLlvm::inRange(const Access& access, Value* base, uint64_t bytes) {
    return b_.CreateICmpULE(b_.CreateAdd(b_.CreateZExt(base, i64_), b_.getInt64(bytes)), access.size);
}

/// An element, or a row of them, as words.
IsaToLlvm::Value* KernelToLlvm::extended(const Access& access, Value* element) {
    llvm::Type* words = element->getType()->getWithNewBitWidth(32);
    if (access.bytes != 4)
        element = access.i.type == isa::Type::I32 ? b_.CreateSExt(element, words) : b_.CreateZExt(element, words);
    return b_.CreateBitCast(element, words->isVectorTy() ? wide_.floats() : b_.getFloatTy());
}

IsaToLlvm::Value* KernelToLlvm::narrowed(const Access& access, Value* value) {
    Value* words = b_.CreateBitCast(value, value->getType()->isVectorTy() ? wide_.ints() : i32_);
    return b_.CreateTrunc(words, words->getType()->getWithNewBitWidth(8 * access.bytes));
}

IsaToLlvm::Components KernelToLlvm::memory(const Instruction& i, size_t at) {
    Access access{i};
    access.count = i.dst.file == isa::File::P ? 1 : isa::elementCount(i);
    access.bytes = isa::byteCount(i.elementSize);
    access.element = b_.getIntNTy(8 * access.bytes);
    access.spread = facts_.at[at].address;
    Instruction address = i;
    address.type = isa::Type::I32;
    const LaneBuilder& l = access.spread.scalar() ? one_ : wide_;
    access.address = l.asInt(source(l, address, 0, 0));
    if (i.src[0].file != isa::File::I) access.address = b_.CreateAdd(access.address, l.splatInt(i.immediate));
    access.data = frameField(offsetof(KernelFrame, data) + i.slot * sizeof(std::byte*), pointer_, "data");
    access.size = frameField(offsetof(KernelFrame, size) + i.slot * sizeof(uint64_t), i64_, "size");
    if (i.op == Op::St) {
        for (int c = 0; c < access.count; ++c) access.value[static_cast<size_t>(c)] = source(wide_, i, 1, c);
        vectorStore(access);
        return {};
    }
    Components elements =
        access.spread.uniform()
            ? uniformLoad(access, facts_.at[at].result[static_cast<size_t>(std::countr_zero(i.dst.writeMask))].scalar())
            : vectorLoad(access);
    // Element n belongs to the n-th component of the mask.
    Components result{};
    size_t n = 0;
    for (size_t c = 0; c < 4; ++c)
        if (i.dst.file == isa::File::P ? c == 0 : (i.dst.writeMask >> c & 1) != 0) result[c] = elements[n++];
    return result;
}

// --- Element by element ---

/// Addresses and values to the rows of a MemoryCall, the host's function, results back.
IsaToLlvm::Components KernelToLlvm::slowCall(const Access& access) {
    if (memoryCall_ == nullptr) {
        llvm::IRBuilder<> entry(entryEnd_);
        memoryCall_ = entry.CreateAlloca(llvm::ArrayType::get(entry.getInt8Ty(), sizeof(MemoryCall)), nullptr, "call");
        memoryCall_->setAlignment(llvm::Align(64));
    }
    Value* address = access.address;
    if (!address->getType()->isVectorTy())
        address = b_.CreateAdd(wide_.broadcast(address), wide_.laneNumbers(access.spread.stride));
    b_.CreateAlignedStore(address, byteOffset(memoryCall_, offsetof(MemoryCall, address)), llvm::Align(64));
    for (uint64_t c = 0; c < 4; ++c)
        if (access.value[c] != nullptr)
            b_.CreateAlignedStore(access.value[c], byteOffset(memoryCall_, offsetof(MemoryCall, value) + c * kRowBytes),
                                  llvm::Align(64));
    const MemoryDescriptor descriptor{access.i.op, access.i.type, access.i.slot, static_cast<uint8_t>(access.bytes),
                                      static_cast<uint8_t>(access.count)};
    // All registers are kept (memory_call_*.S). A call that the code generator knew as one would cost the code around
    // it.
    auto* type = llvm::FunctionType::get(b_.getVoidTy(), {pointer_, pointer_, i64_, i32_}, false);
    const KeepingCall call = keepingCall(offsetof(KernelFrame, keepingMemory));
    auto* assembly = llvm::InlineAsm::get(type, call.text, call.constraints, /*hasSideEffects=*/true);
    b_.CreateCall(assembly, {frame_, memoryCall_, b_.getInt64(descriptor.pack()), bits(executing())})
        ->setDoesNotThrow();
    Components result{};
    if (access.i.op == Op::St) return result;
    for (uint64_t c = 0; c < static_cast<uint64_t>(access.count); ++c)
        result[c] = b_.CreateAlignedLoad(
            wide_.floats(), byteOffset(memoryCall_, offsetof(MemoryCall, result) + c * kRowBytes), llvm::Align(64));
    return result;
}

IsaToLlvm::Components KernelToLlvm::atomic(const Instruction& i, size_t) {
    Access access{i};
    access.count = 1;
    Instruction address = i;
    address.type = isa::Type::I32;
    access.address = wide_.asInt(source(wide_, address, 0, 0));
    if (i.src[0].file != isa::File::I && isa::hasOffset(isa::opInfo(i.op).shape))
        access.address = b_.CreateAdd(access.address, wide_.splatInt(i.immediate));
    access.value[0] = source(wide_, i, 1, 0);
    if (i.op == Op::Atcas) access.value[1] = source(wide_, i, 2, 0);
    Value* old = slowCall(access)[0];
    return {old, old, old, old};
}

// --- Loads ---

IsaToLlvm::Components KernelToLlvm::uniformLoad(const Access& access, bool scalarResult) {
    BasicBlock *fast = newBasicBlock("load"), *slow = newBasicBlock("load.outside"), *done = newBasicBlock("loaded");
    const size_t count = static_cast<size_t>(access.count);
    likely(inRange(access, access.address, count * access.bytes), fast, slow);
    Components quick{}, slowly{};
    enter(fast);
    Value* base = b_.CreateGEP(b_.getInt8Ty(), access.data, b_.CreateZExt(access.address, i64_));
    for (size_t c = 0; c < count; ++c)
        quick[c] =
            extended(access, b_.CreateAlignedLoad(access.element, byteOffset(base, c * access.bytes), llvm::Align(1)));
    b_.CreateBr(done);
    enter(slow);
    slowly = slowCall(access);
    // Some lane executes where it is whole; all lanes that do have read the same.
    for (size_t c = 0; c < count; ++c) {
        if (!scalarResult) {
            Value* lanes = bits(executing());
            Value* first = b_.CreateIntrinsic(llvm::Intrinsic::cttz, {i32_}, {lanes, b_.getFalse()});
            slowly[c] = b_.CreateExtractElement(slowly[c], b_.CreateAnd(first, b_.getInt32(31)));
        } else {
            slowly[c] = b_.CreateExtractElement(slowly[c], uint64_t{0});
        }
    }
    b_.CreateBr(done);
    enter(done);
    Components result{};
    for (size_t c = 0; c < count; ++c) {
        llvm::PHINode* phi = b_.CreatePHI(b_.getFloatTy(), 2);
        phi->addIncoming(quick[c], fast);
        phi->addIncoming(slowly[c], slow);
        result[c] = phi;
    }
    for (size_t c = 0; !scalarResult && c < count; ++c) result[c] = wide_.broadcast(result[c]);
    return result;
}

/// Rows of one element or, for more, elements side by side that are taken apart.
IsaToLlvm::Components KernelToLlvm::rowLoad(const Access& access, Value* base) {
    Components result{};
    const size_t count = static_cast<size_t>(access.count);
    llvm::Type* row = llvm::FixedVectorType::get(access.element, lanes_);
    std::vector<Value*> rows;
    for (size_t k = 0; k < count; ++k)
        rows.push_back(b_.CreateAlignedLoad(row, byteOffset(base, k * lanes_ * access.bytes), llvm::Align(1)));
    if (count == 1) {
        result[0] = extended(access, rows[0]);
        return result;
    }
    // Pairs of rows are joined; an element of the joined pairs is every count-th.
    const auto joined = [&](Value* a, Value* b) {
        llvm::SmallVector<int, 128> order;
        const int n = static_cast<int>(llvm::cast<llvm::FixedVectorType>(a->getType())->getNumElements());
        for (int k = 0; k < 2 * n; ++k) order.push_back(k);
        return b_.CreateShuffleVector(a, b, order);
    };
    Value* low = joined(rows[0], rows[1]);
    Value* high = count == 2 ? low : joined(rows[2], count == 4 ? rows[3] : rows[2]);
    for (size_t c = 0; c < count; ++c) {
        llvm::SmallVector<int, isa::kGroupSize> order;
        for (size_t lane = 0; lane < lanes_; ++lane) order.push_back(static_cast<int>(lane * count + c));
        result[c] = extended(access, b_.CreateShuffleVector(low, high, order));
    }
    return result;
}

IsaToLlvm::Components KernelToLlvm::gatherLoad(const Access& access) {
    Components result{};
    // Without an instruction for it each lane loads its own: the first element where it does not execute.
    Value *mask = executing(), *address = access.address;
    if (!host_.hasMasks && mask != wide_.allLanes()) {
        address = b_.CreateSelect(mask, address, wide_.splatInt(0));
        mask = wide_.allLanes();
    }
    Value* offsets = b_.CreateSExt(address, wide_.ints()->getWithNewType(i64_));
    Value* pointers = b_.CreateGEP(b_.getInt8Ty(), access.data, offsets);
    for (size_t c = 0; c < static_cast<size_t>(access.count); ++c) {
        Value* element = b_.CreateGEP(b_.getInt8Ty(), pointers, b_.getInt64(c * access.bytes));
        result[c] = b_.CreateMaskedGather(wide_.floats(), element, llvm::Align(1), mask, wide_.splatBits(0));
    }
    return result;
}

/// Words of any lanes: those outside read zero and are counted here.
IsaToLlvm::Components KernelToLlvm::countingGather(const Access& access) {
    // Offsets below 2^31 are taken as signed; what lies beyond in a larger memory goes the slow way.
    BasicBlock *large = newBasicBlock("load.large"), *small = newBasicBlock("load.small"),
               *done = newBasicBlock("gathered");
    likely(b_.CreateICmpULT(access.size, b_.getInt64(0x80000000)), small, large);
    enter(small);
    Value* end = b_.CreateTrunc(access.size, i32_);
    Value* fits =
        b_.CreateICmpULT(b_.CreateAnd(access.address, wide_.splatInt(0x7fffffff)),
                         wide_.broadcast(b_.CreateBinaryIntrinsic(llvm::Intrinsic::usub_sat, end, b_.getInt32(3))));
    Value* inside = b_.CreateAnd(fits, b_.CreateICmpSGE(access.address, wide_.splatInt(0)));
    Value* mask = b_.CreateAnd(executing(), inside);
    Value* outside = b_.CreateAnd(bits(executing()), b_.CreateNot(bits(inside)));
    Value* counter = byteOffset(frame_, offsetof(KernelFrame, outOfRange));
    Value* more = b_.CreateZExt(b_.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, outside), i64_);
    b_.CreateStore(b_.CreateAdd(b_.CreateLoad(i64_, counter), more), counter);
    Value* offsets = b_.CreateSExt(access.address, wide_.ints()->getWithNewType(i64_));
    Value* pointers = b_.CreateGEP(b_.getInt8Ty(), access.data, offsets);
    Value* gathered = b_.CreateMaskedGather(wide_.floats(), pointers, llvm::Align(1), mask, wide_.splatBits(0));
    b_.CreateBr(done);
    enter(large);
    Value* slowly = slowCall(access)[0];
    b_.CreateBr(done);
    enter(done);
    llvm::PHINode* phi = b_.CreatePHI(wide_.floats(), 2);
    phi->addIncoming(gathered, small);
    phi->addIncoming(slowly, large);
    return {phi, nullptr, nullptr, nullptr};
}

/// One address in each half of the group: a scalar load for each. Goes on where it is otherwise.
void KernelToLlvm::halvesLoad(const Access& access, const std::function<void(const Components&)>& finish) {
    const unsigned half = lanes_ / 2;
    const size_t count = static_cast<size_t>(access.count);
    Value* start[2] = {b_.CreateExtractElement(access.address, uint64_t{0}),
                       b_.CreateExtractElement(access.address, uint64_t{half})};
    llvm::SmallVector<int, isa::kGroupSize> halves;
    for (unsigned lane = 0; lane < lanes_; ++lane) halves.push_back(lane < half ? 0 : static_cast<int>(half));
    Value* starts = b_.CreateShuffleVector(access.address, halves);
    BasicBlock *same = newBasicBlock("load.two"), *other = newBasicBlock("load.others");
    Value* fits =
        b_.CreateAnd(inRange(access, start[0], count * access.bytes), inRange(access, start[1], count * access.bytes));
    b_.CreateCondBr(b_.CreateAnd(fits, allLanes(b_.CreateICmpEQ(access.address, starts))), same, other);
    enter(same);
    Components result{};
    for (size_t c = 0; c < count; ++c) {
        Value* spread[2];
        for (int h = 0; h < 2; ++h) {
            Value* base = b_.CreateGEP(b_.getInt8Ty(), access.data, b_.CreateZExt(start[h], i64_));
            Value* element = b_.CreateAlignedLoad(access.element, byteOffset(base, c * access.bytes), llvm::Align(1));
            spread[h] = b_.CreateVectorSplat(half, extended(access, element));
        }
        llvm::SmallVector<int, isa::kGroupSize> order;
        for (unsigned lane = 0; lane < lanes_; ++lane) order.push_back(static_cast<int>(lane));
        result[c] = b_.CreateShuffleVector(spread[0], spread[1], order);
    }
    finish(result);
    enter(other);
}

IsaToLlvm::Components KernelToLlvm::vectorLoad(const Access& access) {
    const size_t count = static_cast<size_t>(access.count);
    const uint32_t stride = access.bytes * static_cast<uint32_t>(count);
    const uint64_t rowBytes = uint64_t{lanes_} * stride;
    BasicBlock *slow = newBasicBlock("load.slowly"), *done = newBasicBlock("loaded");
    std::vector<std::pair<BasicBlock*, Components>> ways;
    const auto finish = [&](const Components& values) {
        ways.emplace_back(b_.GetInsertBlock(), values);
        b_.CreateBr(done);
    };
    const auto pointer = [&](Value* base) {
        return b_.CreateGEP(b_.getInt8Ty(), access.data, b_.CreateZExt(base, i64_));
    };
    const bool known = access.spread.scalar() && access.spread.stride == stride;
    Access all = access;
    if (known) {
        BasicBlock* row = newBasicBlock("load.row");
        likely(inRange(access, access.address, rowBytes), row, slow);
        enter(row);
        finish(rowLoad(access, pointer(access.address)));
    } else if (access.spread.scalar()) {
        all.address = b_.CreateAdd(wide_.broadcast(access.address), wide_.laneNumbers(access.spread.stride));
    }
    if (!known && !access.spread.scalar() && count == 1) {
        // A row in each half of the group?
        const unsigned half = lanes_ / 2;
        Value* first = b_.CreateExtractElement(access.address, uint64_t{0});
        Value* second = b_.CreateExtractElement(access.address, uint64_t{half});
        llvm::SmallVector<int, isa::kGroupSize> halves;
        std::vector<uint32_t> rises;
        for (unsigned lane = 0; lane < lanes_; ++lane) {
            halves.push_back(lane < half ? 0 : static_cast<int>(half));
            rises.push_back(lane % half * stride);
        }
        Value* starts = b_.CreateShuffleVector(access.address, halves);
        Value* expected = b_.CreateAdd(starts, llvm::ConstantDataVector::get(context_, rises));
        BasicBlock *row = newBasicBlock("load.halves"), *scattered = newBasicBlock("load.scattered");
        Value* fits = b_.CreateAnd(inRange(access, first, rowBytes / 2), inRange(access, second, rowBytes / 2));
        b_.CreateCondBr(b_.CreateAnd(fits, allLanes(b_.CreateICmpEQ(access.address, expected))), row, scattered);
        enter(row);
        llvm::Type* halfRow = llvm::FixedVectorType::get(access.element, half);
        Value* low = b_.CreateAlignedLoad(halfRow, pointer(first), llvm::Align(1));
        Value* high = b_.CreateAlignedLoad(halfRow, pointer(second), llvm::Align(1));
        llvm::SmallVector<int, isa::kGroupSize> order;
        for (unsigned lane = 0; lane < lanes_; ++lane) order.push_back(static_cast<int>(lane));
        finish({extended(access, b_.CreateShuffleVector(low, high, order)), nullptr, nullptr, nullptr});
        enter(scattered);
    }
    if (!access.spread.scalar()) halvesLoad(access, finish);
    if (!known && access.bytes == 4 && count == 1 && host_.hasMasks) {
        finish(countingGather(all));
    } else if (!known) {
        if (access.bytes == 4) {
            // Offsets below 2^31, so that they can be taken as signed.
            Value* limit = b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, access.size, b_.getInt64(0x7fffffff));
            Value* enough = b_.CreateICmpUGE(limit, b_.getInt64(stride));
            Value* highest = b_.CreateTrunc(b_.CreateSub(limit, b_.getInt64(stride)), i32_);
            Value* inside = b_.CreateICmpULE(all.address, wide_.broadcast(highest));
            if (writeMask_ != nullptr || launch_ != wide_.allLanes())
                inside = b_.CreateOr(inside, b_.CreateNot(executing()));
            BasicBlock* gather = newBasicBlock("load.gather");
            likely(b_.CreateAnd(enough, allLanes(inside)), gather, slow);
            enter(gather);
            finish(gatherLoad(all));
        } else {
            b_.CreateBr(slow);
        }
    }
    if (slow->hasNPredecessors(0)) {
        slow->eraseFromParent();
    } else {
        enter(slow);
        finish(slowCall(known ? access : all));
    }
    enter(done);
    Components result{};
    for (size_t c = 0; c < count; ++c) {
        llvm::PHINode* phi = b_.CreatePHI(wide_.floats(), static_cast<unsigned>(ways.size()));
        for (const auto& [block, values] : ways) phi->addIncoming(values[c], block);
        result[c] = phi;
    }
    return result;
}

// --- Stores ---

void KernelToLlvm::rowStore(const Access& access, Value* base) {
    const size_t count = static_cast<size_t>(access.count);
    std::vector<Value*> rows;
    for (size_t c = 0; c < count; ++c) rows.push_back(narrowed(access, access.value[c]));
    const bool whole = writeMask_ == nullptr && launch_ == wide_.allLanes();
    if (count == 1) {
        if (whole)
            b_.CreateAlignedStore(rows[0], base, llvm::Align(1));
        else
            b_.CreateMaskedStore(rows[0], base, llvm::Align(1), executing());
        return;
    }
    // Side by side: element c of a lane stands behind element c - 1.
    const auto joined = [&](Value* a, Value* b) {
        llvm::SmallVector<int, 64> order;
        for (int k = 0; k < 2 * static_cast<int>(lanes_); ++k) order.push_back(k);
        return b_.CreateShuffleVector(a, b, order);
    };
    Value* low = joined(rows[0], rows[1]);
    Value* high = count == 2 ? low : joined(rows[2], count == 4 ? rows[3] : rows[2]);
    for (size_t k = 0; k < count; ++k) {
        llvm::SmallVector<int, isa::kGroupSize> order, lanesOf;
        for (size_t n = 0; n < lanes_; ++n) {
            const size_t word = k * lanes_ + n, lane = word / count, element = word % count;
            order.push_back(static_cast<int>(element * lanes_ + lane));
            lanesOf.push_back(static_cast<int>(lane));
        }
        Value* row = b_.CreateShuffleVector(low, high, order);
        Value* place = byteOffset(base, k * lanes_ * access.bytes);
        if (whole)
            b_.CreateAlignedStore(row, place, llvm::Align(1));
        else
            b_.CreateMaskedStore(row, place, llvm::Align(1), b_.CreateShuffleVector(executing(), lanesOf));
    }
}

/// All lanes to one place: what the highest one has stays.
void KernelToLlvm::uniformStore(const Access& access, BasicBlock* slow, BasicBlock* done) {
    const size_t count = static_cast<size_t>(access.count);
    BasicBlock *some = newBasicBlock("store.some"), *fast = newBasicBlock("store");
    Value* lanes = bits(executing());
    b_.CreateCondBr(b_.CreateICmpNE(lanes, b_.getInt32(0)), some, done);
    enter(some);
    likely(inRange(access, access.address, count * access.bytes), fast, slow);
    enter(fast);
    Value* zeros = b_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, lanes, b_.getTrue());
    Value* highest = b_.CreateSub(b_.getInt32(isa::kGroupSize - 1), zeros);
    Value* base = b_.CreateGEP(b_.getInt8Ty(), access.data, b_.CreateZExt(access.address, i64_));
    for (size_t c = 0; c < count; ++c) {
        Value* value = b_.CreateExtractElement(access.value[c], highest);
        b_.CreateAlignedStore(narrowed(access, value), byteOffset(base, c * access.bytes), llvm::Align(1));
    }
    b_.CreateBr(done);
}

void KernelToLlvm::vectorStore(const Access& access) {
    const size_t count = static_cast<size_t>(access.count);
    const uint32_t stride = access.bytes * static_cast<uint32_t>(count);
    BasicBlock *slow = newBasicBlock("store.slowly"), *done = newBasicBlock("stored");
    const auto pointer = [&](Value* base) {
        return b_.CreateGEP(b_.getInt8Ty(), access.data, b_.CreateZExt(base, i64_));
    };
    if (access.spread.uniform()) {
        uniformStore(access, slow, done);
    } else if (access.spread.scalar() && access.spread.stride == stride) {
        BasicBlock* row = newBasicBlock("store.row");
        likely(inRange(access, access.address, uint64_t{lanes_} * stride), row, slow);
        enter(row);
        rowStore(access, pointer(access.address));
        b_.CreateBr(done);
    } else if (!access.spread.scalar() && count == 1 && access.bytes == 4) {
        // Each half a row of its own; they do not overlap where they are whole.
        const unsigned half = lanes_ / 2;
        const uint64_t bytes = uint64_t{half} * stride;
        Value* first = b_.CreateExtractElement(access.address, uint64_t{0});
        Value* second = b_.CreateExtractElement(access.address, uint64_t{half});
        llvm::SmallVector<int, isa::kGroupSize> halves, low, high;
        std::vector<uint32_t> rises;
        for (unsigned lane = 0; lane < lanes_; ++lane) {
            halves.push_back(lane < half ? 0 : static_cast<int>(half));
            rises.push_back(lane % half * stride);
            (lane < half ? low : high).push_back(static_cast<int>(lane));
        }
        Value* expected = b_.CreateAdd(b_.CreateShuffleVector(access.address, halves),
                                       llvm::ConstantDataVector::get(context_, rises));
        BasicBlock *rows = newBasicBlock("store.halves"),
                   *scattered = host_.hasMasks ? newBasicBlock("store.scattered") : slow;
        Value* fits = b_.CreateAnd(inRange(access, first, bytes), inRange(access, second, bytes));
        b_.CreateCondBr(b_.CreateAnd(fits, allLanes(b_.CreateICmpEQ(access.address, expected))), rows, scattered);
        enter(rows);
        // The halves are stored in the order of lanes, so that the second half's elements stay where the two overlap.
        for (const auto& [base, order] : {std::pair(first, low), std::pair(second, high)})
            b_.CreateMaskedStore(b_.CreateShuffleVector(access.value[0], order), pointer(base), llvm::Align(1),
                                 b_.CreateShuffleVector(executing(), order));
        b_.CreateBr(done);
        if (scattered != slow) {
            enter(scattered);
            Value* limit = b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, access.size, b_.getInt64(0x7fffffff));
            Value* enough = b_.CreateICmpUGE(limit, b_.getInt64(stride));
            Value* highest = b_.CreateTrunc(b_.CreateSub(limit, b_.getInt64(stride)), i32_);
            Value* inside = b_.CreateICmpULE(access.address, wide_.broadcast(highest));
            inside = b_.CreateOr(inside, b_.CreateNot(executing()));
            BasicBlock* scatter = newBasicBlock("store.scatter");
            likely(b_.CreateAnd(enough, allLanes(inside)), scatter, slow);
            enter(scatter);
            Value* offsets = b_.CreateSExt(access.address, wide_.ints()->getWithNewType(i64_));
            b_.CreateMaskedScatter(access.value[0], b_.CreateGEP(b_.getInt8Ty(), access.data, offsets), llvm::Align(1),
                                   executing());
            b_.CreateBr(done);
        }
    } else {
        b_.CreateBr(slow);
    }
    enter(slow);
    (void)slowCall(access);
    b_.CreateBr(done);
    enter(done);
}

}  // namespace tessera::jit
