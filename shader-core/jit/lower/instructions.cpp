// What lowers each instruction, and what it computes, from docs/isa.md: a handler for each row of opcodes.def.
#include <bit>

#include <llvm/IR/Intrinsics.h>

#include "shader-core/jit/lower/graphics.h"
#include "shader-core/jit/lower/kernel.h"

namespace tessera::jit {

namespace {

using L = const LaneBuilder&;
using Value = llvm::Value;
using Binary = llvm::Instruction::BinaryOps;
using Compare = llvm::CmpInst;

Value* integerBinary(L l, Binary op, Value* a, Value* b) {
    Value *x = l.asInt(a), *y = l.asInt(b);
    return l.asFloat(l->CreateBinOp(op, x, y));
}
Value* shift(L l, Binary op, Value* a, Value* b) {
    Value* x = l.asInt(a);
    return l.asFloat(l->CreateBinOp(op, x, l->CreateAnd(l.asInt(b), l.splatInt(31))));
}
Value* integerCompare(L l, Compare::Predicate predicate, Value* a, Value* b) {
    Value *x = l.asInt(a), *y = l.asInt(b);
    return l->CreateICmp(predicate, x, y);
}
/// The upper half of the 64-bit product.
Value* upperProduct(L l, Value* a, Value* b, bool isSigned) {
    llvm::Type* longs = l.ints()->getWithNewType(l->getInt64Ty());
    const auto wide = [&](Value* x) {
        return isSigned ? l->CreateSExt(l.asInt(x), longs) : l->CreateZExt(l.asInt(x), longs);
    };
    Value* x = wide(a);
    Value* product = l->CreateMul(x, wide(b));
    return l.asFloat(l->CreateTrunc(l->CreateLShr(product, 32), l.ints()));
}
/// a * b + c of the lower 16 bits, with fraction bits.
Value* fixedMultiplyAdd(L l, Value* a, Value* b, Value* c) {
    const auto low = [&](Value* x) { return l->CreateAShr(l->CreateShl(x, l.splatInt(16)), l.splatInt(16)); };
    Value* x = low(l.asInt(a));
    Value* product = l->CreateMul(x, low(l.asInt(b)));
    Value* shifted = l->CreateAShr(product, l.splatInt(isa::kFixedPointBits));
    return l.asFloat(low(l->CreateAdd(shifted, low(l.asInt(c)))));
}

}  // namespace

/// Named as the rows of opcodes.def are. Without a member for each of them kHandlers does not compile. Texture lookups
/// and kil are in graphics programs only, the compute set in kernels (facts.cpp).
struct IsaToLlvm::Rows {
    using O = const Operands&;

    // --- Arithmetic ---
    static constexpr Handler Mov{.floats = [](L, O o) { return o.a; }, .integers = [](L, O o) { return o.a; }};
    static constexpr Handler Add{
        .floats = [](L l, O o) { return l.canonical(l->CreateFAdd(o.a, o.b)); },
        .integers = [](L l, O o) { return integerBinary(l, Binary::Add, o.a, o.b); },
    };
    static constexpr Handler Mul{
        .floats = [](L l, O o) { return l.canonical(l->CreateFMul(o.a, o.b)); },
        .integers = [](L l, O o) { return integerBinary(l, Binary::Mul, o.a, o.b); },
    };
    static constexpr Handler Mad{
        .floats = [](L l, O o) { return l.canonical(l.fusedMultiplyAdd(o.a, o.b, o.c)); },
        .integers =
            [](L l, O o) {
                Value *x = l.asInt(o.a), *y = l.asInt(o.b);
                Value* product = l->CreateMul(x, y);
                return l.asFloat(l->CreateAdd(product, l.asInt(o.c)));
            },
    };
    static constexpr Handler Min{
        .floats = [](L l, O o) { return l.extremum(o.a, o.b, false); },
        .integers =
            [](L l, O o) {
                const auto less = o.isSigned ? Compare::ICMP_SLT : Compare::ICMP_ULT;
                return l->CreateSelect(integerCompare(l, less, o.a, o.b), o.a, o.b);
            },
    };
    static constexpr Handler Max{
        .floats = [](L l, O o) { return l.extremum(o.a, o.b, true); },
        .integers =
            [](L l, O o) {
                const auto greater = o.isSigned ? Compare::ICMP_SGT : Compare::ICMP_UGT;
                return l->CreateSelect(integerCompare(l, greater, o.a, o.b), o.a, o.b);
            },
    };
    static constexpr Handler Slt{
        .floats = [](L l, O o) { return l.truth(l->CreateFCmpOLT(o.a, o.b)); },
        .integers =
            [](L l, O o) {
                return l.truth(integerCompare(l, o.isSigned ? Compare::ICMP_SLT : Compare::ICMP_ULT, o.a, o.b));
            },
    };
    static constexpr Handler Sge{
        .floats = [](L l, O o) { return l.truth(l->CreateFCmpOGE(o.a, o.b)); },
        .integers =
            [](L l, O o) {
                return l.truth(integerCompare(l, o.isSigned ? Compare::ICMP_SGE : Compare::ICMP_UGE, o.a, o.b));
            },
    };
    static constexpr Handler Seq{
        .floats = [](L l, O o) { return l.truth(l->CreateFCmpOEQ(o.a, o.b)); },
        .integers = [](L l, O o) { return l.truth(integerCompare(l, Compare::ICMP_EQ, o.a, o.b)); },
    };
    static constexpr Handler Sne{
        .floats = [](L l, O o) { return l.truth(l->CreateFCmpUNE(o.a, o.b)); },
        .integers = [](L l, O o) { return l.truth(integerCompare(l, Compare::ICMP_NE, o.a, o.b)); },
    };
    static constexpr Handler Sel{
        .floats = [](L l, O o) { return l->CreateSelect(l->CreateFCmpUNE(o.a, l.splat(0.0f)), o.b, o.c); },
        .integers = [](L l, O o) { return l->CreateSelect(l->CreateICmpNE(l.asInt(o.a), l.splatInt(0)), o.b, o.c); },
    };
    static constexpr Handler Flr{
        .floats = [](L l, O o) { return l.canonical(l.intrinsic(llvm::Intrinsic::floor, {o.a})); }};
    static constexpr Handler Frc{
        .floats = [](L l, O o) { return l.canonical(l->CreateFSub(o.a, l.intrinsic(llvm::Intrinsic::floor, {o.a}))); }};
    static constexpr Handler Dp3{.across = &IsaToLlvm::dot3}, Dp4{.across = &IsaToLlvm::dot4};

    // --- Transcendental function unit, lighting ---
    static constexpr Handler Rcp{.floats = [](L l, O o) { return l.canonical(l->CreateFDiv(l.splat(1.0f), o.a)); }};
    static constexpr Handler Rsq{.floats = [](L l, O o) { return l.canonical(l.laneFunction("rsq", {o.a})); }};
    static constexpr Handler Sqt{.floats = [](L l, O o) { return l.squareRoot(o.a); }};
    static constexpr Handler Ex2{.floats = [](L l, O o) { return l.canonical(l.laneFunction("ex2", {o.a})); }};
    static constexpr Handler Lg2{.floats = [](L l, O o) { return l.laneFunction("lg2", {o.a}); }};
    static constexpr Handler Sin{.floats = [](L l, O o) { return l.canonical(l.laneFunction("sin", {o.a})); }};
    static constexpr Handler Cos{.floats = [](L l, O o) { return l.canonical(l.laneFunction("cos", {o.a})); }};
    static constexpr Handler Pow{.floats = [](L l, O o) { return l.power(o.a, o.b); }};
    static constexpr Handler Lit{.across = &IsaToLlvm::lighting}, Nrm{.across = &IsaToLlvm::normalise};

    // --- Texture mapping ---
    static constexpr Handler Tex{.access = static_cast<Handler::Access>(&GraphicsToLlvm::texture)},
        Txb = Tex, Txl = Tex, Txd = Tex, Txf = Tex, Txs = Tex;
    static constexpr Handler Ddx{.floats = [](L l, O o) { return l.derivative(o.a, 1); }};
    static constexpr Handler Ddy{.floats = [](L l, O o) { return l.derivative(o.a, 4); }};

    // --- Control ---
    static constexpr Handler If{.control = &IsaToLlvm::lowerIf}, Else{.control = &IsaToLlvm::lowerElse},
        Endif{.control = &IsaToLlvm::lowerEndif}, Loop{.control = &IsaToLlvm::lowerLoop},
        Endloop{.control = &IsaToLlvm::lowerEndloop}, Brk{.control = &IsaToLlvm::lowerJump},
        Cont = Brk, Call{.control = &IsaToLlvm::lowerCall}, Ret{.control = &IsaToLlvm::lowerRet},
        Kil{.control = static_cast<Handler::Control>(&GraphicsToLlvm::lowerKil)};

    // --- Extended set ---
    static constexpr Handler Div{
        .floats = [](L l, O o) { return l.canonical(l->CreateFDiv(o.a, o.b)); },
        .integers = [](L l, O o) { return l.divideIntegers(o.a, o.b, o.isSigned, false); },
    };
    static constexpr Handler Mod{.integers = [](L l, O o) { return l.divideIntegers(o.a, o.b, o.isSigned, true); }};
    static constexpr Handler F2i{.integers = [](L l, O o) { return l.asFloat(l.toInteger(o.a, o.isSigned)); }};
    static constexpr Handler I2f{.integers = [](L l, O o) {
        return o.isSigned ? l->CreateSIToFP(l.asInt(o.a), l.floats()) : l->CreateUIToFP(l.asInt(o.a), l.floats());
    }};
    static constexpr Handler Trc{
        .floats = [](L l, O o) { return l.canonical(l.intrinsic(llvm::Intrinsic::trunc, {o.a})); }};
    static constexpr Handler Rne{
        .floats = [](L l, O o) { return l.canonical(l.intrinsic(llvm::Intrinsic::roundeven, {o.a})); }};
    static constexpr Handler And{.integers = [](L l, O o) { return integerBinary(l, Binary::And, o.a, o.b); }};
    static constexpr Handler Or{.integers = [](L l, O o) { return integerBinary(l, Binary::Or, o.a, o.b); }};
    static constexpr Handler Xor{.integers = [](L l, O o) { return integerBinary(l, Binary::Xor, o.a, o.b); }};
    static constexpr Handler Not{.integers = [](L l, O o) { return l.asFloat(l->CreateNot(l.asInt(o.a))); }};
    static constexpr Handler Shl{.integers = [](L l, O o) { return shift(l, Binary::Shl, o.a, o.b); }};
    static constexpr Handler Shr{
        .integers = [](L l, O o) { return shift(l, o.isSigned ? Binary::AShr : Binary::LShr, o.a, o.b); }};

    // --- Compute set ---
    static constexpr Handler Mulh{.integers = [](L l, O o) { return upperProduct(l, o.a, o.b, o.isSigned); }};
    static constexpr Handler Popc{
        .integers = [](L l, O o) { return l.asFloat(l.intrinsic(llvm::Intrinsic::ctpop, {l.asInt(o.a)})); }};
    static constexpr Handler Clz{.integers = [](L l, O o) {
        return l.asFloat(l->CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, l.asInt(o.a), l->getFalse()));
    }};
    static constexpr Handler Brev{
        .integers = [](L l, O o) { return l.asFloat(l.intrinsic(llvm::Intrinsic::bitreverse, {l.asInt(o.a)})); }};
    static constexpr Handler Madx{.integers = [](L l, O o) { return fixedMultiplyAdd(l, o.a, o.b, o.c); }};
    static constexpr Handler F2h{.integers = [](L l, O o) { return l.asFloat(l.halfFromFloat(l.asInt(o.a))); }};
    static constexpr Handler H2f{.integers = [](L l, O o) { return l.floatFromHalf(l.asInt(o.a)); }};
    static constexpr Handler Ld{.access = static_cast<Handler::Access>(&KernelToLlvm::memory)}, St = Ld;
    static constexpr Handler Atadd{.access = static_cast<Handler::Access>(&KernelToLlvm::atomic)},
        Atmin = Atadd, Atmax = Atadd, Atand = Atadd, Ator = Atadd, Atxor = Atadd, Atxch = Atadd, Atcas = Atadd;
    static constexpr Handler Bar{.control = static_cast<Handler::Control>(&KernelToLlvm::lowerBarrier)},
        Gbar{.control = &IsaToLlvm::lowerGbar};
    static constexpr Handler Vall{.exchange = static_cast<Handler::Exchange>(&KernelToLlvm::vote)}, Vany = Vall,
                                                                                                    Vbal = Vall;
    static constexpr Handler Shi{.exchange = static_cast<Handler::Exchange>(&KernelToLlvm::shuffle)},
        Shu = Shi, Shd = Shi, Shx = Shi;
    static constexpr Handler Sum{.exchange = static_cast<Handler::Exchange>(&KernelToLlvm::total)}, Dot = Sum;
};

/// Stops the compiler: not constexpr.
void handlerIsMissingForOneOfItsTypes();

namespace {

constexpr int F = 1 << static_cast<int>(isa::Type::F32), I = 1 << static_cast<int>(isa::Type::I32),
              U = 1 << static_cast<int>(isa::Type::U32);

/// The handler of a row, if it is of the row's unit and knows all of its types.
template <class Handler>
consteval Handler complete(const Handler& handler, isa::Unit unit, int types) {
    const bool whole = handler.access != nullptr || handler.across != nullptr || handler.exchange != nullptr;
    const bool computes = whole || (((types & F) == 0 || handler.floats != nullptr) &&
                                    ((types & (I | U)) == 0 || handler.integers != nullptr));
    if (!(unit == isa::Unit::Control ? handler.control != nullptr : computes)) handlerIsMissingForOneOfItsTypes();
    return handler;
}

}  // namespace

constinit const std::array<IsaToLlvm::Handler, isa::kOpCount> IsaToLlvm::kHandlers = {
#define OP(name, mnemonic, opcode, function, shape, unit, types, ...) complete(Rows::name, isa::Unit::unit, types),
#include "shader-core/isa/opcodes.def"
#undef OP
};

// --- An instruction that writes a register ---

IsaToLlvm::Components IsaToLlvm::compute(const Instruction& i, size_t at) {
    const Handler& handler = handlerOf(i.op);
    if (handler.access != nullptr) return (this->*handler.access)(i, at);
    const auto builderOf = [&](size_t c) -> const LaneBuilder& {
        return once_ || facts_.at[at].result[c].scalar() ? one_ : wide_;
    };
    const unsigned wanted = i.dst.file == isa::File::P ? 1 : i.dst.writeMask;
    if (handler.across != nullptr)
        return (this->*handler.across)(builderOf(static_cast<size_t>(std::countr_zero(wanted))), i);
    Components result{};
    for (size_t c = 0; c < 4; ++c) {
        if (!(wanted >> c & 1)) continue;
        const int component = static_cast<int>(c);
        result[c] = handler.exchange != nullptr ? (this->*handler.exchange)(i, component)
                                                : this->component(builderOf(c), i, component);
    }
    return result;
}

IsaToLlvm::Value* IsaToLlvm::component(const LaneBuilder& l, const Instruction& i, int c) {
    const Handler& handler = handlerOf(i.op);
    Value* operand[3] = {};
    for (int s = 0; s < isa::sourceCount(isa::opInfo(i.op).shape); ++s) operand[s] = source(l, i, s, c);
    const Operands operands{operand[0], operand[1], operand[2], i.type == isa::Type::I32};
    return (i.type == isa::Type::F32 ? handler.floats : handler.integers)(l, operands);
}

}  // namespace tessera::jit
