#include "shader-core/jit/lower/lane_builder.h"

#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>

#include "shader-core/isa/isa.h"

namespace tessera::jit {

namespace {

using Value = llvm::Value;

llvm::Type* ofWidth(llvm::Type* type, unsigned width) {
    return width == 1 ? type : static_cast<llvm::Type*>(llvm::FixedVectorType::get(type, width));
}

/// The value of all lanes of a constant, if it is one.
const llvm::ConstantFP* splatConstant(const Value* x) {
    const auto* constant = llvm::dyn_cast<llvm::Constant>(x);
    if (constant == nullptr) return nullptr;
    if (const auto* scalar = llvm::dyn_cast<llvm::ConstantFP>(constant)) return scalar;
    return llvm::dyn_cast_or_null<llvm::ConstantFP>(constant->getSplatValue());
}

}  // namespace

LaneBuilder::LaneBuilder(llvm::IRBuilder<>& builder, LaneCalls& calls, const HostLevel& host, unsigned width)
    : b_(builder),
      calls_(calls),
      host_(host),
      width_(width),
      floats_(ofWidth(builder.getFloatTy(), width)),
      ints_(ofWidth(builder.getInt32Ty(), width)),
      mask_(ofWidth(builder.getInt1Ty(), width)) {}

// --- Constants and conversions ---

Value* LaneBuilder::splat(float x) const { return splatBits(__builtin_bit_cast(uint32_t, x)); }

Value* LaneBuilder::splatBits(uint32_t bits) const {
    const llvm::APFloat value(llvm::APFloat::IEEEsingle(), llvm::APInt(32, bits));
    llvm::Constant* scalar = llvm::ConstantFP::get(b_.getContext(), value);
    return width_ == 1 ? scalar : llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(width_), scalar);
}

Value* LaneBuilder::splatInt(uint32_t x) const {
    if (width_ == 1) return b_.getInt32(x);
    return llvm::ConstantVector::getSplat(llvm::ElementCount::getFixed(width_), b_.getInt32(x));
}

Value* LaneBuilder::broadcast(Value* scalar) const {
    return width_ == 1 ? scalar : b_.CreateVectorSplat(width_, scalar);
}

Value* LaneBuilder::laneNumbers(uint32_t stride) const {
    if (width_ == 1) return b_.getInt32(0);
    std::vector<uint32_t> numbers(width_);
    for (uint32_t lane = 0; lane < width_; ++lane) numbers[lane] = lane * stride;
    return llvm::ConstantDataVector::get(b_.getContext(), numbers);
}

/// Round to nearest, ties to even: normal halves by adding to the bits, denormal ones by an addition whose result has
/// its last bit at 2^-24.
Value* LaneBuilder::halfFromFloat(Value* bits) const {
    Value* sign = b_.CreateAnd(b_.CreateLShr(bits, splatInt(16)), splatInt(0x8000));
    Value* magnitude = b_.CreateAnd(bits, splatInt(0x7fffffff));
    Value* odd = b_.CreateAnd(b_.CreateLShr(magnitude, splatInt(13)), splatInt(1));
    Value* rounded = b_.CreateAdd(b_.CreateAdd(magnitude, splatInt(0xfff)), odd);
    Value* normal = b_.CreateLShr(b_.CreateSub(rounded, splatInt(112u << 23)), splatInt(13));
    // 0.5 has its last bit at 2^-24.
    Value* sum = asInt(b_.CreateFAdd(asFloat(magnitude), splat(0.5f)));
    Value* denormal = b_.CreateSub(sum, splatInt(0x3f000000));
    Value* half = b_.CreateSelect(b_.CreateICmpULT(magnitude, splatInt(113u << 23)), denormal, normal);
    half = b_.CreateSelect(b_.CreateICmpUGE(magnitude, splatInt(0x477ff000)), splatInt(0x7c00), half);
    half = b_.CreateOr(half, sign);
    return b_.CreateSelect(b_.CreateICmpUGT(magnitude, splatInt(0x7f800000)), splatInt(0x7e00), half);
}

Value* LaneBuilder::floatFromHalf(Value* bits) const {
    Value* sign = b_.CreateShl(b_.CreateAnd(bits, splatInt(0x8000)), splatInt(16));
    Value* magnitude = b_.CreateAnd(bits, splatInt(0x7fff));
    Value* normal = b_.CreateAdd(b_.CreateShl(magnitude, splatInt(13)), splatInt(112u << 23));
    Value* denormal = asInt(b_.CreateFMul(b_.CreateSIToFP(magnitude, floats_), splat(0x1p-24f)));
    Value* value = b_.CreateSelect(b_.CreateICmpULT(magnitude, splatInt(0x400)), denormal, normal);
    value = b_.CreateSelect(b_.CreateICmpEQ(magnitude, splatInt(0x7c00)), splatInt(0x7f800000), value);
    value = b_.CreateOr(value, sign);
    return asFloat(b_.CreateSelect(b_.CreateICmpUGT(magnitude, splatInt(0x7c00)), splatInt(0x7fc00000), value));
}

/// Truncated; what is beyond the integers gives the nearest one, NaN 0. By comparisons, as code for LLVM's saturating
/// conversion of vectors goes lane by lane.
Value* LaneBuilder::toInteger(Value* x, bool isSigned) const {
    Value* const end = splat(isSigned ? 0x1p31f : 0x1p32f);
    Value* const magnitude = isSigned ? b_.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x) : x;
    Value* within = b_.CreateFCmpOLT(magnitude, end);
    if (!isSigned) within = b_.CreateAnd(within, b_.CreateFCmpOGT(x, splat(0.0f)));
    Value* const converted = b_.CreateSelect(within, x, splat(0.0f));
    Value* integer = isSigned ? b_.CreateFPToSI(converted, ints_) : b_.CreateFPToUI(converted, ints_);
    integer = b_.CreateSelect(b_.CreateFCmpOGE(x, end), splatInt(isSigned ? 0x7fffffff : ~0u), integer);
    if (!isSigned) return integer;
    return b_.CreateSelect(b_.CreateFCmpOLE(x, splat(-0x1p31f)), splatInt(0x80000000), integer);
}

// --- Arithmetic ---

Value* LaneBuilder::intrinsic(llvm::Intrinsic::ID id, const std::vector<Value*>& arguments) const {
    return b_.CreateIntrinsic(arguments[0]->getType(), id, arguments);
}

Value* LaneBuilder::laneFunction(const std::string& name, const std::vector<Value*>& arguments) const {
    return calls_.call(b_, name, arguments);
}

/// The canonical quiet NaN for any NaN.
Value* LaneBuilder::canonical(Value* x) const {
    const std::string name = std::string(kCanonicalName) + (width_ == 1 ? ".scalar" : "");
    llvm::FunctionCallee callee =
        b_.GetInsertBlock()->getModule()->getOrInsertFunction(name, llvm::FunctionType::get(floats_, {floats_}, false));
    auto* function = llvm::cast<llvm::Function>(callee.getCallee());
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    return b_.CreateCall(callee, x);
}

Value* LaneBuilder::truth(Value* mask) const { return b_.CreateSelect(mask, splat(1.0f), splat(0.0f)); }

/// x > 0 ? x : 0, then that < 1 ? that : 1: NaN and -0 become +0.
Value* LaneBuilder::saturate(Value* x) const {
    Value* low = b_.CreateSelect(b_.CreateFCmpOGT(x, splat(0.0f)), x, splat(0.0f));
    return b_.CreateSelect(b_.CreateFCmpOLT(low, splat(1.0f)), low, splat(1.0f));
}

Value* LaneBuilder::squareRoot(Value* x) const { return canonical(intrinsic(llvm::Intrinsic::sqrt, {x})); }

/// 2^(y * log2 x), and 1 for y = 0.
Value* LaneBuilder::power(Value* x, Value* y) const {
    Value* result = canonical(laneFunction("ex2", {b_.CreateFMul(y, laneFunction("lg2", {x}))}));
    return b_.CreateSelect(b_.CreateFCmpOEQ(y, splat(0.0f)), splat(1.0f), result);
}

/// One rounding; emulated where the host has no instruction.
Value* LaneBuilder::fusedMultiplyAdd(Value* a, Value* b, Value* c) const {
    if (host_.hasFma) return intrinsic(llvm::Intrinsic::fma, {a, b, c});
    if (width_ != 1 && calls_.takesFmaIn()) return fmaByDoubles(a, b, c);
    return laneFunction("fma", {a, b, c});
}

/// As in base/simd.h: in doubles, and by the lane function where rounding twice may differ. Operands of several of
/// these are converted once.
Value* LaneBuilder::fmaByDoubles(Value* a, Value* b, Value* c) const {
    constexpr unsigned kPart = 4;
    const auto* const four = llvm::FixedVectorType::get(b_.getInt32Ty(), kPart);
    const auto ofFour = [&](llvm::Type* element) { return llvm::FixedVectorType::get(element, kPart); };
    const auto everywhere = [&](uint32_t x) {
        return llvm::ConstantVector::getSplat(four->getElementCount(), b_.getInt32(x));
    };
    // Of all parts: 0 where a double lies halfway between two singles; twice the bits of the least single, less one.
    Value *halfway = everywhere(~0u), *least = everywhere(~0u);
    const auto smaller = [&](Value* x, Value* y) { return b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, x, y); };
    llvm::SmallVector<Value*, 8> parts;
    for (unsigned first = 0; first < width_; first += kPart) {
        const auto wide = [&](Value* x) {
            llvm::SmallVector<int, kPart> lanes;
            for (unsigned lane = 0; lane < kPart; ++lane) lanes.push_back(static_cast<int>(first + lane));
            return b_.CreateFPExt(b_.CreateShuffleVector(x, lanes), ofFour(b_.getDoubleTy()));
        };
        Value* x = wide(a);
        Value* product = b_.CreateFMul(x, wide(b));
        Value* sum = b_.CreateFAdd(product, wide(c));
        Value* words = b_.CreateBitCast(sum, llvm::FixedVectorType::get(b_.getInt32Ty(), 2 * kPart));
        Value* lost = b_.CreateShl(b_.CreateShuffleVector(words, llvm::ArrayRef<int>{0, 2, 4, 6}), everywhere(3));
        halfway = smaller(halfway, b_.CreateXor(lost, everywhere(0x80000000)));
        Value* single = b_.CreateFPTrunc(sum, ofFour(b_.getFloatTy()));
        Value* bits = b_.CreateBitCast(single, ofFour(b_.getInt32Ty()));
        least = smaller(least, b_.CreateSub(b_.CreateAdd(bits, bits), everywhere(1)));
        parts.push_back(single);
    }
    while (parts.size() > 1) {
        llvm::SmallVector<Value*, 8> joined;
        for (size_t i = 0; i < parts.size(); i += 2) {
            const unsigned lanes = llvm::cast<llvm::FixedVectorType>(parts[i]->getType())->getNumElements();
            llvm::SmallVector<int, isa::kGroupSize> order;
            for (unsigned lane = 0; lane < 2 * lanes; ++lane) order.push_back(static_cast<int>(lane));
            joined.push_back(b_.CreateShuffleVector(parts[i], parts[i + 1], order));
        }
        parts = std::move(joined);
    }
    Value* doubtful =
        b_.CreateOr(b_.CreateICmpEQ(halfway, everywhere(0)), b_.CreateICmpULT(least, everywhere(2 * 0x00800000)));
    Value* sure = b_.CreateICmpEQ(b_.CreateBitCast(doubtful, b_.getIntNTy(kPart)), b_.getIntN(kPart, 0));
    llvm::BasicBlock* fast = b_.GetInsertBlock();
    auto *slow = llvm::BasicBlock::Create(b_.getContext(), "fma.again", fast->getParent()),
         *done = llvm::BasicBlock::Create(b_.getContext(), "fma", fast->getParent());
    b_.CreateCondBr(sure, done, slow, llvm::MDBuilder(b_.getContext()).createBranchWeights(1000, 1));
    b_.SetInsertPoint(slow);
    Value* again = laneFunction("fma", {a, b, c});
    b_.CreateBr(done);
    b_.SetInsertPoint(done);
    llvm::PHINode* result = b_.CreatePHI(floats_, 2);
    result->addIncoming(parts[0], fast);
    result->addIncoming(again, slow);
    return result;
}

/// Through double precision: 32-bit operands are exact there, and the rounded quotient is off by less than 1/|b|, so
/// truncation gives the integer quotient. By zero: all ones, and the dividend remains. -2^31 / -1 wraps.
Value* LaneBuilder::divideIntegers(Value* a, Value* b, bool isSigned, bool remainder) const {
    llvm::Type* doubles = ints_->getWithNewType(b_.getDoubleTy());
    const auto toDouble = [&](Value* x) {
        return isSigned ? b_.CreateSIToFP(x, doubles) : b_.CreateUIToFP(x, doubles);
    };
    Value *x = asInt(a), *y = asInt(b);
    Value* byZero = b_.CreateICmpEQ(y, splatInt(0));
    // -2^31 by -1 has no quotient among the integers that hosts convert to at once; negating wraps as it should.
    Value* byMinusOne = isSigned ? b_.CreateICmpEQ(y, splatInt(~0u)) : nullptr;
    Value* divisor = b_.CreateSelect(isSigned ? b_.CreateOr(byZero, byMinusOne) : byZero, splatInt(1), y);
    Value* quotient = b_.CreateFDiv(toDouble(x), toDouble(divisor));
    Value* integer = nullptr;
    if (isSigned) {
        integer = b_.CreateFPToSI(quotient, ints_);
        integer = b_.CreateSelect(byMinusOne, b_.CreateNeg(integer), integer);
    } else {
        Value* half = llvm::ConstantFP::get(doubles, 2147483648.0);
        Value* shifted = b_.CreateFSub(intrinsic(llvm::Intrinsic::floor, {quotient}), half);
        integer = b_.CreateXor(b_.CreateFPToSI(shifted, ints_), splatInt(0x80000000u));
    }
    Value* result = remainder ? b_.CreateSub(x, b_.CreateMul(integer, y)) : integer;
    return asFloat(b_.CreateSelect(byZero, remainder ? x : splatInt(~0u), result));
}

/// b where it is beyond a, else a. Only a NaN in a stays one.
Value* LaneBuilder::extremum(Value* a, Value* b, bool maximum) const {
    Value* beyond = maximum ? b_.CreateFCmpOGT(b, a) : b_.CreateFCmpOLT(b, a);
    Value* result = b_.CreateSelect(beyond, b, a);
    const llvm::ConstantFP* constant = splatConstant(a);
    return constant != nullptr && !constant->isNaN() ? result : canonical(result);
}

/// The greater coordinate's value minus the smaller one's, in pairs of lanes l and l ^ neighbour.
Value* LaneBuilder::derivative(Value* x, unsigned neighbour) const {
    llvm::SmallVector<int, isa::kGroupSize> low, high;
    for (unsigned lane = 0; lane < width_; ++lane) {
        low.push_back(static_cast<int>(lane & ~neighbour));
        high.push_back(static_cast<int>(lane | neighbour));
    }
    return canonical(b_.CreateFSub(b_.CreateShuffleVector(x, high), b_.CreateShuffleVector(x, low)));
}

}  // namespace tessera::jit
