// What each instruction computes, from docs/isa.md.
//
// A NaN result is canonical() before it goes anywhere; canonical.h removes what nobody can tell.
#include <bit>

#include <llvm/IR/Intrinsics.h>

#include "base/check.h"
#include "shader-core/jit/lower/isa_to_llvm.h"
#include "shader-core/jit/lower/lane_functions.h"

namespace tessera::jit {

using isa::Op;
using isa::Type;

namespace {

/// Lane functions are inlined up to this many instructions for sixteen lanes; code generation takes time.
constexpr int kMaxInlinedSize = 250;

/// The value of all lanes of a constant, if it is one.
const llvm::ConstantFP* splatConstant(llvm::Value* x) {
    const auto* constant = llvm::dyn_cast<llvm::Constant>(x);
    if (constant == nullptr) return nullptr;
    if (const auto* scalar = llvm::dyn_cast<llvm::ConstantFP>(constant)) return scalar;
    return llvm::dyn_cast_or_null<llvm::ConstantFP>(constant->getSplatValue());
}

}  // namespace

// --- Building blocks ---

IsaToLlvm::Value* IsaToLlvm::intrinsic(llvm::Intrinsic::ID id, std::vector<Value*> arguments) {
    return b_.CreateIntrinsic(arguments[0]->getType(), id, arguments);
}

/// The canonical quiet NaN for any NaN.
IsaToLlvm::Value* IsaToLlvm::canonical(Value* x) {
    const std::string name = std::string(kCanonicalName) + (width_ == 1 ? ".scalar" : "");
    llvm::FunctionCallee callee = module_.getOrInsertFunction(name, llvm::FunctionType::get(floats_, {floats_}, false));
    auto* function = llvm::cast<llvm::Function>(callee.getCallee());
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    return b_.CreateCall(callee, x);
}

/// A lane function over values: stores its operands, calls, loads the result. The wrapper is always inlined; what it
/// calls is bitcode while the program is small, else native code.
IsaToLlvm::Value* IsaToLlvm::callLaneFunction(const std::string& name, std::vector<Value*> arguments) {
    if (width_ != kBlockLanes) return perBlock(name, arguments);
    const int size = laneFunction(name).size;
    const bool inlined = host_.hasFma && inlinedSize_ + size <= (pair_ ? 2 : 1) * kMaxInlinedSize;
    if (inlined) inlinedSize_ += size;
    const std::string wrapperName = kWrapperPrefix + name + (inlined ? ".inline" : ".call");
    llvm::Function* wrapper = module_.getFunction(wrapperName);
    if (wrapper == nullptr)
        wrapper = makeWrapper(wrapperName, (inlined ? kInlinePrefix : kCallPrefix) + name, arguments.size());
    return b_.CreateCall(wrapper, arguments);
}

llvm::Function* IsaToLlvm::makeWrapper(const std::string& name, const std::string& target, size_t arguments) {
    const std::vector<llvm::Type*> types(arguments, floats_), pointers(arguments + 1, pointer_);
    auto* wrapper = llvm::Function::Create(llvm::FunctionType::get(floats_, types, false),
                                           llvm::Function::InternalLinkage, name, module_);
    addTargetAttributes(*wrapper);
    wrapper->setDoesNotAccessMemory();
    wrapper->setDoesNotThrow();
    wrapper->setWillReturn();
    wrapper->addFnAttr(llvm::Attribute::AlwaysInline);
    auto* callee = llvm::cast<llvm::Function>(
        module_.getOrInsertFunction(target, llvm::FunctionType::get(b_.getVoidTy(), pointers, false)).getCallee());
    callee->setDoesNotThrow();
    callee->setWillReturn();
    callee->setOnlyAccessesArgMemory();
    llvm::IRBuilder<> b(Block::Create(context_, "entry", wrapper));
    std::vector<Value*> places;
    for (llvm::Argument& argument : wrapper->args()) {
        Value* place = b.CreateAlloca(floats_);
        b.CreateStore(&argument, place);
        places.push_back(place);
    }
    places.push_back(b.CreateAlloca(floats_));
    b.CreateCall(callee, places);
    b.CreateRet(b.CreateLoad(floats_, places.back()));
    return wrapper;
}

/// One rounding; emulated where the host has no instruction.
IsaToLlvm::Value* IsaToLlvm::fusedMultiplyAdd(Value* a, Value* b, Value* c) {
    if (!host_.hasFma) return callLaneFunction("fma", {a, b, c});
    return intrinsic(llvm::Intrinsic::fma, {a, b, c});
}

IsaToLlvm::Value* IsaToLlvm::squareRoot(Value* x) { return canonical(intrinsic(llvm::Intrinsic::sqrt, {x})); }

IsaToLlvm::Value* IsaToLlvm::truth(Value* mask) { return b_.CreateSelect(mask, splat(1.0f), splat(0.0f)); }

/// x > 0 ? x : 0, then that < 1 ? that : 1: NaN and -0 become +0.
IsaToLlvm::Value* IsaToLlvm::saturate(Value* x) {
    Value* low = b_.CreateSelect(b_.CreateFCmpOGT(x, splat(0.0f)), x, splat(0.0f));
    return b_.CreateSelect(b_.CreateFCmpOLT(low, splat(1.0f)), low, splat(1.0f));
}

// --- Instructions by shape of their result ---

std::array<IsaToLlvm::Value*, 4> IsaToLlvm::compute(const Instruction& i, size_t at) {
    if (i.op == Op::Dp3 || i.op == Op::Dp4 || i.op == Op::Lit || i.op == Op::Nrm) return acrossComponents(i, at);
    switch (i.op) {
        case Op::Tex:
        case Op::Txb:
        case Op::Txl:
        case Op::Txd:
            return texture(i, at);
        default:
            break;
    }
    if (isa::isMemory(isa::opInfo(i.op).shape)) return memory(i, at);
    std::array<Value*, 4> result{};
    const unsigned wanted = i.dst.file == isa::File::P ? 1 : i.dst.writeMask;
    for (int c = 0; c < 4; ++c) {
        if (!(wanted >> c & 1)) continue;
        if (facts_.at[at].result[static_cast<size_t>(c)].scalar() && isa::opInfo(i.op).unit != isa::Unit::Lane)
            setWidth(1);
        result[static_cast<size_t>(c)] = component(i, c);
        setWidth(lanes_);
    }
    return result;
}

std::array<IsaToLlvm::Value*, 4> IsaToLlvm::acrossComponents(const Instruction& i, size_t at) {
    const unsigned first = i.dst.file == isa::File::P ? 0 : static_cast<unsigned>(std::countr_zero(i.dst.writeMask));
    if (facts_.at[at].result[first].scalar()) setWidth(1);
    const std::array<Value*, 4> result = i.op == Op::Lit   ? lighting(i)
                                         : i.op == Op::Nrm ? normalise(i)
                                                           : dot(i, i.op == Op::Dp3 ? 3 : 4);
    setWidth(lanes_);
    return result;
}

IsaToLlvm::Value* IsaToLlvm::component(const Instruction& i, int c) {
    if (isa::opInfo(i.op).unit == isa::Unit::Lane) return exchange(i, c);
    Value* operand[3] = {};
    for (int s = 0; s < isa::sourceCount(isa::opInfo(i.op).shape); ++s) operand[s] = source(i, s, c);
    Value* result = i.type == Type::F32 || i.op == Op::F2i || i.op == Op::F2h
                        ? floatOperation(i, operand[0], operand[1], operand[2])
                        : integerOperation(i, operand[0], operand[1], operand[2]);
    CHECK(result != nullptr);
    return result;
}

IsaToLlvm::Value* IsaToLlvm::floatOperation(const Instruction& i, Value* a, Value* b, Value* c) {
    switch (i.op) {
        case Op::Mov:
            return a;
        case Op::Add:
            return canonical(b_.CreateFAdd(a, b));
        case Op::Mul:
            return canonical(b_.CreateFMul(a, b));
        case Op::Mad:
            return canonical(fusedMultiplyAdd(a, b, c));
        case Op::Div:
            return canonical(b_.CreateFDiv(a, b));
        case Op::Rcp:
            return canonical(b_.CreateFDiv(splat(1.0f), a));
        case Op::Sqt:
            return squareRoot(a);
        case Op::Min:
            return extremum(a, b, false);
        case Op::Max:
            return extremum(a, b, true);
        case Op::Slt:
            return truth(b_.CreateFCmpOLT(a, b));
        case Op::Sge:
            return truth(b_.CreateFCmpOGE(a, b));
        case Op::Seq:
            return truth(b_.CreateFCmpOEQ(a, b));
        case Op::Sne:
            return truth(b_.CreateFCmpUNE(a, b));
        case Op::Sel:
            return b_.CreateSelect(b_.CreateFCmpUNE(a, splat(0.0f)), b, c);
        case Op::Flr:
            return canonical(intrinsic(llvm::Intrinsic::floor, {a}));
        case Op::Frc:
            return canonical(b_.CreateFSub(a, intrinsic(llvm::Intrinsic::floor, {a})));
        case Op::Trc:
            return canonical(intrinsic(llvm::Intrinsic::trunc, {a}));
        case Op::Rne:
            return canonical(intrinsic(llvm::Intrinsic::roundeven, {a}));
        case Op::Ddx:
            return derivative(a, 1);
        case Op::Ddy:
            return derivative(a, 4);
        case Op::Rsq:
            return callLaneFunction("rsq", {a});
        case Op::Ex2:
            return callLaneFunction("ex2", {a});
        case Op::Lg2:
            return callLaneFunction("lg2", {a});
        case Op::Sin:
            return callLaneFunction("sin", {a});
        case Op::Cos:
            return callLaneFunction("cos", {a});
        case Op::Pow:
            return callLaneFunction("pow", {a, b});
        case Op::F2i: {
            const bool isSigned = i.type == Type::I32;
            const auto id = isSigned ? llvm::Intrinsic::fptosi_sat : llvm::Intrinsic::fptoui_sat;
            return asFloat(b_.CreateIntrinsic(id, {ints_, floats_}, {a}));
        }
        case Op::F2h:
            return asFloat(halfFromFloat(asInt(a)));
        default:
            return nullptr;
    }
}

IsaToLlvm::Value* IsaToLlvm::integerOperation(const Instruction& i, Value* a, Value* b, Value* c) {
    const bool isSigned = i.type == Type::I32;
    const auto compare = [&](llvm::CmpInst::Predicate forSigned, llvm::CmpInst::Predicate forUnsigned) {
        return b_.CreateICmp(isSigned ? forSigned : forUnsigned, asInt(a), asInt(b));
    };
    const auto binary = [&](llvm::Instruction::BinaryOps op, Value* x, Value* y) {
        return asFloat(b_.CreateBinOp(op, x, y));
    };
    using Predicate = llvm::CmpInst;
    switch (i.op) {
        case Op::Mov:
            return a;
        case Op::Add:
            return binary(llvm::Instruction::Add, asInt(a), asInt(b));
        case Op::Mul:
            return binary(llvm::Instruction::Mul, asInt(a), asInt(b));
        case Op::Mad:
            return asFloat(b_.CreateAdd(b_.CreateMul(asInt(a), asInt(b)), asInt(c)));
        case Op::Min:
            return b_.CreateSelect(compare(Predicate::ICMP_SLT, Predicate::ICMP_ULT), a, b);
        case Op::Max:
            return b_.CreateSelect(compare(Predicate::ICMP_SGT, Predicate::ICMP_UGT), a, b);
        case Op::Slt:
            return truth(compare(Predicate::ICMP_SLT, Predicate::ICMP_ULT));
        case Op::Sge:
            return truth(compare(Predicate::ICMP_SGE, Predicate::ICMP_UGE));
        case Op::Seq:
            return truth(b_.CreateICmpEQ(asInt(a), asInt(b)));
        case Op::Sne:
            return truth(b_.CreateICmpNE(asInt(a), asInt(b)));
        case Op::Sel:
            return b_.CreateSelect(b_.CreateICmpNE(asInt(a), splatInt(0)), b, c);
        case Op::Div:
            return divide(a, b, isSigned, false);
        case Op::Mod:
            return divide(a, b, isSigned, true);
        case Op::I2f:
            return isSigned ? b_.CreateSIToFP(asInt(a), floats_) : b_.CreateUIToFP(asInt(a), floats_);
        case Op::Mulh: {
            llvm::Type* longs = ints_->getWithNewType(i64_);
            const auto wide = [&](Value* x) {
                return isSigned ? b_.CreateSExt(asInt(x), longs) : b_.CreateZExt(asInt(x), longs);
            };
            Value* product = b_.CreateMul(wide(a), wide(b));
            return asFloat(b_.CreateTrunc(b_.CreateLShr(product, 32), ints_));
        }
        case Op::Popc:
            return asFloat(intrinsic(llvm::Intrinsic::ctpop, {asInt(a)}));
        case Op::Clz:
            return asFloat(b_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, asInt(a), b_.getFalse()));
        case Op::Brev:
            return asFloat(intrinsic(llvm::Intrinsic::bitreverse, {asInt(a)}));
        case Op::Madx: {
            const auto low = [&](Value* x) { return b_.CreateAShr(b_.CreateShl(x, splatInt(16)), splatInt(16)); };
            Value* product = b_.CreateMul(low(asInt(a)), low(asInt(b)));
            Value* sum = b_.CreateAdd(b_.CreateAShr(product, splatInt(isa::kFixedPointBits)), low(asInt(c)));
            return asFloat(low(sum));
        }
        case Op::H2f:
            return floatFromHalf(asInt(a));
        case Op::And:
            return binary(llvm::Instruction::And, asInt(a), asInt(b));
        case Op::Or:
            return binary(llvm::Instruction::Or, asInt(a), asInt(b));
        case Op::Xor:
            return binary(llvm::Instruction::Xor, asInt(a), asInt(b));
        case Op::Not:
            return asFloat(b_.CreateNot(asInt(a)));
        case Op::Shl:
            return binary(llvm::Instruction::Shl, asInt(a), b_.CreateAnd(asInt(b), splatInt(31)));
        case Op::Shr:
            return binary(isSigned ? llvm::Instruction::AShr : llvm::Instruction::LShr, asInt(a),
                          b_.CreateAnd(asInt(b), splatInt(31)));
        default:
            return nullptr;
    }
}

/// Through double precision: 32-bit operands are exact there, and the rounded quotient is off by less than 1/|b|, so
/// truncation gives the integer quotient. By zero: 0. -2^31 / -1 wraps.
IsaToLlvm::Value* IsaToLlvm::divide(Value* a, Value* b, bool isSigned, bool remainder) {
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
    return asFloat(b_.CreateSelect(byZero, splatInt(0), result));
}

/// The other operand for a NaN; -0 is less than +0.
IsaToLlvm::Value* IsaToLlvm::extremum(Value* a, Value* b, bool maximum) {
    if (const auto* constant = splatConstant(b); constant != nullptr && !constant->isNaN())
        return extremumWithConstant(a, b, constant->getValueAPF().convertToFloat(), maximum);
    if (const auto* constant = splatConstant(a); constant != nullptr && !constant->isNaN())
        return extremumWithConstant(b, a, constant->getValueAPF().convertToFloat(), maximum);
    const auto better = [&](Value* x, Value* y) { return maximum ? b_.CreateFCmpOGT(x, y) : b_.CreateFCmpOLT(x, y); };
    // Both orders differ for zeros of different sign, which the bits decide, and for NaN.
    Value* first = asInt(b_.CreateSelect(better(a, b), a, b));
    Value* second = asInt(b_.CreateSelect(better(b, a), b, a));
    Value* ordered = asFloat(maximum ? b_.CreateAnd(first, second) : b_.CreateOr(first, second));
    Value* withoutB = b_.CreateSelect(b_.CreateFCmpUNO(b, b), a, ordered);
    return canonical(b_.CreateSelect(b_.CreateFCmpUNO(a, a), b, withoutB));
}

/// A number that is no NaN wins over a NaN by losing every comparison; only the zeros need care.
IsaToLlvm::Value* IsaToLlvm::extremumWithConstant(Value* x, Value* c, float constant, bool maximum) {
    const uint32_t bits = __builtin_bit_cast(uint32_t, constant);
    Value* keep = nullptr;
    if (maximum)
        keep = bits == 0x80000000 ? b_.CreateFCmpOGE(x, c) : b_.CreateFCmpOGT(x, c);
    else
        keep = bits == 0 ? b_.CreateFCmpOLE(x, c) : b_.CreateFCmpOLT(x, c);
    return b_.CreateSelect(keep, x, c);
}

/// The greater coordinate's value minus the smaller one's, in pairs of lanes l and l ^ neighbour.
IsaToLlvm::Value* IsaToLlvm::derivative(Value* x, unsigned neighbour) {
    llvm::SmallVector<int, isa::kGroupSize> low, high;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
        low.push_back(static_cast<int>(lane & ~neighbour));
        high.push_back(static_cast<int>(lane | neighbour));
    }
    return canonical(b_.CreateFSub(b_.CreateShuffleVector(x, high), b_.CreateShuffleVector(x, low)));
}

/// ((x + y) + z) + w of products, each rounded on its own.
std::array<IsaToLlvm::Value*, 4> IsaToLlvm::dot(const Instruction& i, int components) {
    Value* sum = nullptr;
    for (int c = 0; c < components; ++c) {
        Value* product = b_.CreateFMul(source(i, 0, c), source(i, 1, c));
        sum = sum == nullptr ? product : b_.CreateFAdd(sum, product);
    }
    sum = canonical(sum);
    return {sum, sum, sum, sum};
}

std::array<IsaToLlvm::Value*, 4> IsaToLlvm::lighting(const Instruction& i) {
    Value *one = splat(1.0f), *zero = splat(0.0f);
    Value *x = source(i, 0, 0), *y = source(i, 0, 1), *w = source(i, 0, 3);
    const auto positive = [&](Value* v) { return extremumWithConstant(v, zero, 0.0f, true); };
    Value* specular = callLaneFunction("pow", {positive(y), w});
    return {one, positive(x), b_.CreateSelect(b_.CreateFCmpOGT(x, zero), specular, zero), one};
}

std::array<IsaToLlvm::Value*, 4> IsaToLlvm::normalise(const Instruction& i) {
    Value *x = source(i, 0, 0), *y = source(i, 0, 1), *z = source(i, 0, 2);
    Value* squares = b_.CreateFAdd(b_.CreateFMul(x, x), b_.CreateFMul(y, y));
    Value* square = b_.CreateFAdd(squares, b_.CreateFMul(z, z));
    Value* length = squareRoot(square);
    std::array<Value*, 4> result{x, y, z, length};
    const bool divides = (i.dst.writeMask & 7) == 7 && i.dst.file != isa::File::P;
    if (divides && pair_ && writeMask_ == nullptr) {
        quotients(square, length, result);
    } else {
        for (size_t c = 0; c < 3; ++c) result[c] = b_.CreateFDiv(result[c], length);
    }
    for (size_t c = 0; c < 3; ++c) result[c] = canonical(result[c]);
    return result;
}

/// Divides x, y and z by their length with one division: from the correctly rounded reciprocal, two steps with exact
/// remainders give what a division rounds to (P. Markstein, "Computation of elementary functions on the IBM RISC
/// System/6000 processor", 1990). The remainders are exact, and quotients normal, where the length is moderate and no
/// component but zero is tiny; a block in which some lane is otherwise divides.
void IsaToLlvm::quotients(Value* square, Value* length, std::array<Value*, 4>& vector) {
    constexpr uint32_t kSmallestSquare = 0x17800000, kSquares = 0x67800000 - kSmallestSquare;  // 2^-80 to 2^80
    constexpr uint32_t kSmallest = 0x21800000;                                                 // 2^-60
    // Twice the bits of a number have no sign; zero becomes the largest of all.
    Value* least = nullptr;
    for (size_t c = 0; c < 3; ++c) {
        Value* magnitude = b_.CreateSub(b_.CreateShl(asInt(vector[c]), splatInt(1)), splatInt(1));
        least = c == 0 ? magnitude : b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, least, magnitude);
    }
    Value* moderate = b_.CreateICmpULT(b_.CreateSub(asInt(square), splatInt(kSmallestSquare)), splatInt(kSquares));
    Value* exact = b_.CreateAnd(moderate, b_.CreateICmpUGE(least, splatInt(2 * kSmallest - 1)));
    Block *fast = newBlock("reciprocal"), *slow = newBlock("divide"), *done = newBlock("normalised");
    likely(allLanes(exact), fast, slow);

    std::array<Value*, 3> quotient{}, divided{};
    enter(fast);
    Value* reciprocal = b_.CreateFDiv(splat(1.0f), length);
    Value* negated = b_.CreateFNeg(length);
    for (size_t c = 0; c < 3; ++c) {
        Value* q = b_.CreateFMul(vector[c], reciprocal);
        for (int step = 0; step < 2; ++step)
            q = fusedMultiplyAdd(fusedMultiplyAdd(negated, q, vector[c]), reciprocal, q);
        // -0 lost its sign.
        quotient[c] = b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, q, vector[c]);
    }
    b_.CreateBr(done);
    enter(slow);
    for (size_t c = 0; c < 3; ++c) divided[c] = b_.CreateFDiv(vector[c], length);
    b_.CreateBr(done);
    enter(done);
    for (size_t c = 0; c < 3; ++c) {
        llvm::PHINode* phi = b_.CreatePHI(floats_, 2);
        phi->addIncoming(quotient[c], fast);
        phi->addIncoming(divided[c], slow);
        vector[c] = phi;
    }
}

// --- Texture lookups ---

/// Operands go to the rows of a TextureCall, the texture units are asked through Frame::sample, results come back.
std::array<IsaToLlvm::Value*, 4> IsaToLlvm::texture(const Instruction& i, size_t at) {
    if (textureCall_ == nullptr) {
        llvm::IRBuilder<> entry(entryEnd_);
        textureCall_ =
            entry.CreateAlloca(llvm::ArrayType::get(entry.getInt8Ty(), sizeof(TextureCall)), nullptr, "call");
        textureCall_->setAlignment(llvm::Align(64));
    }
    Value* firstLane = frameField(offsetof(Frame, firstLane), i32_, "first.lane");
    Value* lanes = b_.CreateGEP(b_.getFloatTy(), textureCall_, b_.CreateZExt(firstLane, i64_));
    const auto row = [&](int number) {
        return byteOffset(lanes, static_cast<uint64_t>(number) * isa::kGroupSize * sizeof(float));
    };
    const auto store = [&](int number, Value* x) { b_.CreateAlignedStore(x, row(number), llvm::Align(64)); };
    const int coordinates = isa::coordinateCount(i.textureTarget);
    isa::LodMode mode = isa::LodMode::Implicit;
    for (int c = 0; c < coordinates; ++c) store(c, source(i, 0, c));
    if (i.op == Op::Txb || i.op == Op::Txl) {
        mode = i.op == Op::Txb ? isa::LodMode::Bias : isa::LodMode::Explicit;
        store(TextureCall::kLod, source(i, 1, 0));
    } else if (i.op == Op::Txd) {
        mode = isa::LodMode::Gradient;
        for (int c = 0; c < coordinates; ++c) {
            store(TextureCall::kDdx + c, source(i, 1, c));
            store(TextureCall::kDdy + c, source(i, 2, c));
        }
    }
    if (i.textureRelative)
        b_.CreateAlignedStore(b_.CreateLoad(floats_, registerVariable(isa::File::A, 0, 0)),
                              byteOffset(lanes, offsetof(TextureCall, address)), llvm::Align(64));
    const TextureDescriptor descriptor{i.textureUnit, static_cast<uint8_t>(i.textureTarget), static_cast<uint8_t>(mode),
                                       i.textureRelative};
    auto* type = llvm::FunctionType::get(b_.getVoidTy(), {pointer_, pointer_, i32_, i32_}, false);
    llvm::CallInst* call =
        b_.CreateCall(type, frameField(offsetof(Frame, sample), pointer_, "sample"),
                      {frame_, textureCall_, b_.getInt32(descriptor.pack()), b_.CreateZExt(bits(taken(i, at)), i32_)});
    call->setDoesNotThrow();
    std::array<Value*, 4> result{};
    for (uint64_t c = 0; c < 4; ++c)
        if (i.dst.file == isa::File::P ? c == 0 : (i.dst.writeMask >> c & 1) != 0)
            result[c] = b_.CreateAlignedLoad(
                floats_, byteOffset(lanes, offsetof(TextureCall, result) + c * isa::kGroupSize * sizeof(float)),
                llvm::Align(64));
    return result;
}

}  // namespace tessera::jit
