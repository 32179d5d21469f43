// One copy for each SIMD level. What an operation computes is the interpreter's definition.
#include "shader-core/interp/operations.h"
#include "shader-core/jit/baseline/steps.h"

namespace tessera::jit::TESSERA_SIMD {

namespace {

namespace op = interp::TESSERA_SIMD;

F32x16 row(const float* lanes) { return tessera::load<F32x16>(lanes); }

template <class Operation>
void unary(const float* a, const float*, const float*, float* result) {
    store(result, Operation::apply(row(a)));
}
template <class Operation>
void binary(const float* a, const float* b, const float*, float* result) {
    store(result, Operation::apply(row(a), row(b)));
}
template <class Operation>
void ternary(const float* a, const float* b, const float* c, float* result) {
    store(result, Operation::apply(row(a), row(b), row(c)));
}

void litY(const float* x, const float*, const float*, float* result) {
    store(result, op::maximum(row(x), splat(0.0f)));
}
void litZ(const float* x, const float* y, const float* w, float* result) {
    const F32x16 zero = splat(0.0f);
    store(result, select(row(x) > 0.0f, isa::tfu::pow(op::maximum(row(y), zero), row(w)), zero));
}

Step typed(isa::Type type, Step f, Step i, Step u) {
    return type == isa::Type::F32 ? f : type == isa::Type::I32 ? i : u;
}
template <class F, class I, class U = I>
Step typedBinary(isa::Type type) {
    return typed(type, binary<F>, binary<I>, binary<U>);
}

}  // namespace

Step litStepAt(int component) { return component == 1 ? litY : litZ; }

Step stepAt(isa::Op op, isa::Type type) {
    using isa::Op;
    switch (op) {
        case Op::Mov:
            return unary<op::Copy>;
        case Op::Add:
            return typedBinary<op::AddF, op::AddI>(type);
        case Op::Mul:
            return typedBinary<op::MulF, op::MulI>(type);
        case Op::Mad:
            return typed(type, ternary<op::MadF>, ternary<op::MadI>, ternary<op::MadI>);
        case Op::Min:
            return typedBinary<op::MinF, op::MinI, op::MinU>(type);
        case Op::Max:
            return typedBinary<op::MaxF, op::MaxI, op::MaxU>(type);
        case Op::Slt:
            return typedBinary<op::SltF, op::SltI, op::SltU>(type);
        case Op::Sge:
            return typedBinary<op::SgeF, op::SgeI, op::SgeU>(type);
        case Op::Seq:
            return typedBinary<op::SeqF, op::SeqI>(type);
        case Op::Sne:
            return typedBinary<op::SneF, op::SneI>(type);
        case Op::Sel:
            return typed(type, ternary<op::SelF>, ternary<op::SelI>, ternary<op::SelI>);
        case Op::Flr:
            return unary<op::FloorF>;
        case Op::Frc:
            return unary<op::FractF>;
        case Op::Trc:
            return unary<op::TruncF>;
        case Op::Rne:
            return unary<op::NearestF>;
        case Op::Rcp:
            return unary<op::Rcp>;
        case Op::Rsq:
            return unary<op::Rsq>;
        case Op::Sqt:
            return unary<op::Sqt>;
        case Op::Ex2:
            return unary<op::Ex2>;
        case Op::Lg2:
            return unary<op::Lg2>;
        case Op::Sin:
            return unary<op::Sin>;
        case Op::Cos:
            return unary<op::Cos>;
        case Op::Pow:
            return binary<op::Pow>;
        case Op::Ddx:
            return unary<op::DerivativeX>;
        case Op::Ddy:
            return unary<op::DerivativeY>;
        case Op::Div:
            return typedBinary<op::DivF, op::Divide<int32_t, false>, op::Divide<uint32_t, false>>(type);
        case Op::Mod:
            return typed(type, nullptr, binary<op::Divide<int32_t, true>>, binary<op::Divide<uint32_t, true>>);
        case Op::F2i:
            return typed(type, nullptr, unary<op::FToInt>, unary<op::FToUint>);
        case Op::I2f:
            return typed(type, nullptr, unary<op::IntToF>, unary<op::UintToF>);
        case Op::And:
            return binary<op::AndI>;
        case Op::Or:
            return binary<op::OrI>;
        case Op::Xor:
            return binary<op::XorI>;
        case Op::Not:
            return unary<op::NotI>;
        case Op::Shl:
            return binary<op::ShlI>;
        case Op::Shr:
            return typed(type, nullptr, binary<op::ShrI>, binary<op::ShrU>);
        default:
            return nullptr;
    }
}

}  // namespace tessera::jit::TESSERA_SIMD
