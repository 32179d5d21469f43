// One copy for each SIMD level. What an operation computes is the interpreter's definition.
#include "shader-core/interp/operations.h"
#include "shader-core/isa/executor.h"
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
    store(result, op::greater(splat(0.0f), row(x)));
}
void litZ(const float* x, const float* y, const float* w, float* result) {
    const F32x16 zero = splat(0.0f);
    store(result, select(row(x) > 0.0f, isa::tfu::pow(op::greater(zero, row(y)), row(w)), zero));
}

// --- Relative registers ---

constexpr size_t kLanes = isa::kGroupSize / 2;

/// Where the components of a file's registers lie, in floats.
struct Layout {
    size_t reg, component, lane;
};
constexpr Layout kConstants{4, 1, 0}, kInputs{4 * isa::kGroupSize, isa::kGroupSize, 1}, kRows{4 * kLanes, kLanes, 1};

bool exists(const Reach& reach, uint32_t index) { return index < reach.count && (reach.exists >> index % 64 & 1) != 0; }

template <Layout kLayout>
void gather(const float* file, const int32_t* address, uint64_t reachBits, float* rows, uint64_t existing) {
    const Reach reach = Reach::unpack(reachBits, existing);
    const auto indexOf = [&](size_t lane) { return reach.index + static_cast<uint32_t>(address[lane]); };
    bool isSame = true;
    for (size_t lane = 1; lane < kLanes; ++lane) isSame &= address[lane] == address[0];
    for (size_t c = 0; c < 4; ++c) {
        if (!(reach.components >> c & 1)) continue;
        float* row = rows + c * kLanes;
        const auto load = [&](size_t lane, uint32_t index) {
            return file[index * kLayout.reg + c * kLayout.component + lane * kLayout.lane];
        };
        if (!isSame) {
            for (size_t lane = 0; lane < kLanes; ++lane)
                row[lane] = exists(reach, indexOf(lane)) ? load(lane, indexOf(lane)) : 0.0f;
        } else if (exists(reach, indexOf(0))) {
            for (size_t lane = 0; lane < kLanes; ++lane) row[lane] = load(lane, indexOf(0));
        } else {
            for (size_t lane = 0; lane < kLanes; ++lane) row[lane] = 0;
        }
    }
}

void scatter(float* file, const int32_t* address, uint64_t reachBits, const float* rows, uint32_t lanes,
             uint64_t existing) {
    const Reach reach = Reach::unpack(reachBits, existing);
    for (; lanes != 0; lanes &= lanes - 1) {
        const auto lane = static_cast<size_t>(__builtin_ctz(lanes));
        const uint32_t index = reach.index + static_cast<uint32_t>(address[lane]);
        if (!exists(reach, index)) continue;
        for (size_t c = 0; c < 4; ++c)
            if (reach.components >> c & 1)
                file[index * kRows.reg + c * kRows.component + lane] = rows[c * kLanes + lane];
    }
}

Step typed(isa::Type type, Step f, Step i, Step u) {
    return type == isa::Type::F32 ? f : type == isa::Type::I32 ? i : u;
}

}  // namespace

Gather gatherAt(isa::File file) {
    if (file == isa::File::C) return gather<kConstants>;
    return file == isa::File::V ? gather<kInputs> : gather<kRows>;
}
Scatter scatterAt() { return scatter; }

Step litStepAt(int component) { return component == 1 ? litY : litZ; }

Step stepAt(isa::Op op, isa::Type type) {
    using isa::Op;
    switch (op) {
        case Op::Mul:
            return typed(type, nullptr, binary<op::MulI>, binary<op::MulI>);
        case Op::Mad:
            return typed(type, ternary<op::MadF>, ternary<op::MadI>, ternary<op::MadI>);
        case Op::Min:
            return typed(type, nullptr, binary<op::MinI>, binary<op::MinU>);
        case Op::Max:
            return typed(type, nullptr, binary<op::MaxI>, binary<op::MaxU>);
        case Op::Slt:
            return typed(type, nullptr, nullptr, binary<op::SltU>);
        case Op::Sge:
            return typed(type, nullptr, nullptr, binary<op::SgeU>);
        case Op::Div:
            return typed(type, nullptr, binary<op::Divide<int32_t, false>>, binary<op::Divide<uint32_t, false>>);
        case Op::Mod:
            return typed(type, nullptr, binary<op::Divide<int32_t, true>>, binary<op::Divide<uint32_t, true>>);
        case Op::F2i:
            return typed(type, nullptr, unary<op::FToInt>, unary<op::FToUint>);
        case Op::I2f:
            return typed(type, nullptr, nullptr, unary<op::UintToF>);
        case Op::Shl:
            return binary<op::ShlI>;
        case Op::Shr:
            return typed(type, nullptr, binary<op::ShrI>, binary<op::ShrU>);
        case Op::Rsq:
            return unary<op::Rsq>;
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
        default:
            return nullptr;
    }
}

}  // namespace tessera::jit::TESSERA_SIMD
