// Handlers of all instructions but control and texture: fetch, compute both halves of the group, write back.
//
// The frequent float operations have a handler for each way their operands can lie (per lane or uniform), so that
// nothing is decided per component; the others decide as they fetch.
#include "shader-core/interp/access.h"
#include "shader-core/interp/operations.h"

namespace tessera::interp::TESSERA_SIMD {

namespace {

/// Results of components that depend on one another's results, or on operands that must be gathered, or that not all
/// lanes take: kept aside until all are there.
template <class Compute>
[[gnu::noinline]] void throughCopies(Machine& machine, const Decoded& d, uint32_t mask, Compute compute) {
    TESSERA_RESOLVE(d)
    Lanes out[4];
    for (int c = 0; c < 4; ++c)
        if (d.writeMask >> c & 1) out[c] = compute(machine, src, c);
    writeBack(machine, d, out, mask);
}

/// Writes compute(machine, sources, component), which depends on nothing else, for each component of the write mask.
template <class Compute>
[[gnu::always_inline]] inline void eachComponent(Machine& machine, const Decoded& d, uint32_t mask, Compute compute) {
    if (!d.writesAtOnce || mask != machine.launch) [[unlikely]]
        return throughCopies(machine, d, mask, compute);
    float* to = reinterpret_cast<float*>(machine.base[d.dstBase] + d.dstOffset);
    for (int c = 0; c < 4; ++c, to += isa::kGroupSize) {
        if (!(d.writeMask >> c & 1)) continue;
        Lanes result = compute(machine, d.src, c);
        if (d.saturate) [[unlikely]]
            for (F32x16& half : result.half) half = saturate(half);
        store(to, result.half[0]);
        store(to + 16, result.half[1]);
    }
}

template <class Operation, Access kA>
void unary(Machine& machine, const Decoded& d, uint32_t mask) {
    eachComponent(machine, d, mask, [](const Machine& m, const Operand* src, int c) {
        const Lanes a = fetch<kA, Operation::kInteger>(m, src[0], c);
        Lanes result;
        for (int h = 0; h < 2; ++h) result.half[h] = Operation::apply(a.half[h]);
        return result;
    });
}

template <class Operation, Access kA, Access kB>
void binary(Machine& machine, const Decoded& d, uint32_t mask) {
    eachComponent(machine, d, mask, [](const Machine& m, const Operand* src, int c) {
        const Lanes a = fetch<kA, Operation::kInteger>(m, src[0], c);
        const Lanes b = fetch<kB, Operation::kInteger>(m, src[1], c);
        Lanes result;
        for (int h = 0; h < 2; ++h) result.half[h] = Operation::apply(a.half[h], b.half[h]);
        return result;
    });
}

template <class Operation, Access kA, Access kB, Access kC>
void ternary(Machine& machine, const Decoded& d, uint32_t mask) {
    eachComponent(machine, d, mask, [](const Machine& m, const Operand* src, int c) {
        const Lanes x = fetch<kA, Operation::kInteger>(m, src[0], c);
        const Lanes y = fetch<kB, Operation::kInteger>(m, src[1], c);
        const Lanes z = fetch<kC, Operation::kInteger>(m, src[2], c);
        Lanes result;
        for (int h = 0; h < 2; ++h) result.half[h] = Operation::apply(x.half[h], y.half[h], z.half[h]);
        return result;
    });
}

/// Expensive operations: a component that repeats an earlier one's operands is copied.
template <class Operation>
void transcendental(Machine& machine, const Decoded& d, uint32_t mask) {
    TESSERA_RESOLVE(d)
    Lanes out[4];
    for (int c = 0; c < 4; ++c) {
        if (!(d.writeMask >> c & 1)) continue;
        if (d.sameAs[c] != c) {
            out[c] = out[d.sameAs[c]];
            continue;
        }
        const Lanes a = fetch<Access::Any>(machine, src[0], c);
        for (int h = 0; h < 2; ++h) out[c].half[h] = Operation::apply(a.half[h]);
    }
    writeBack(machine, d, out, mask);
}

void power(Machine& machine, const Decoded& d, uint32_t mask) {
    TESSERA_RESOLVE(d)
    Lanes out[4];
    for (int c = 0; c < 4; ++c) {
        if (!(d.writeMask >> c & 1)) continue;
        if (d.sameAs[c] != c) {
            out[c] = out[d.sameAs[c]];
            continue;
        }
        const Lanes a = fetch<Access::Any>(machine, src[0], c), b = fetch<Access::Any>(machine, src[1], c);
        for (int h = 0; h < 2; ++h) out[c].half[h] = tfu::pow(a.half[h], b.half[h]);
    }
    writeBack(machine, d, out, mask);
}

/// ((x + y) + z) + w of products rounded one by one.
template <int kComponents, Access kA, Access kB>
void dot(Machine& machine, const Decoded& d, uint32_t mask) {
    TESSERA_RESOLVE(d)
    Lanes sum;
    for (int c = 0; c < kComponents; ++c) {
        const Lanes a = fetch<kA>(machine, src[0], c);
        const Lanes b = fetch<kB>(machine, src[1], c);
        for (int h = 0; h < 2; ++h) {
            const F32x16 product = a.half[h] * b.half[h];
            sum.half[h] = c == 0 ? product : sum.half[h] + product;
        }
    }
    for (int h = 0; h < 2; ++h) sum.half[h] = canonical(sum.half[h]);
    Lanes out[4] = {sum, sum, sum, sum};
    writeBack(machine, d, out, mask);
}

void lighting(Machine& machine, const Decoded& d, uint32_t mask) {
    TESSERA_RESOLVE(d)
    const Lanes x = fetch<Access::Any>(machine, src[0], 0), y = fetch<Access::Any>(machine, src[0], 1),
                w = fetch<Access::Any>(machine, src[0], 3);
    Lanes out[4];
    for (int h = 0; h < 2; ++h) {
        const F32x16 zero = splat(0.0f), one = splat(1.0f);
        out[0].half[h] = out[3].half[h] = one;
        out[1].half[h] = maximum(x.half[h], zero);
        out[2].half[h] = select(x.half[h] > 0.0f, tfu::pow(maximum(y.half[h], zero), w.half[h]), zero);
    }
    writeBack(machine, d, out, mask);
}

void normalise(Machine& machine, const Decoded& d, uint32_t mask) {
    TESSERA_RESOLVE(d)
    const Lanes x = fetch<Access::Any>(machine, src[0], 0), y = fetch<Access::Any>(machine, src[0], 1),
                z = fetch<Access::Any>(machine, src[0], 2);
    Lanes out[4];
    for (int h = 0; h < 2; ++h) {
        const F32x16 a = x.half[h], b = y.half[h], c = z.half[h];
        const F32x16 length = tfu::sqt((a * a + b * b) + c * c);
        out[0].half[h] = canonical(a / length);
        out[1].half[h] = canonical(b / length);
        out[2].half[h] = canonical(c / length);
        out[3].half[h] = length;
    }
    writeBack(machine, d, out, mask);
}

// --- Choice of handler ---

constexpr Access kV = Access::Vector, kU = Access::Uniform, kAny = Access::Any;

template <class Operation>
Handler hotUnary(const Decoded& d) {
    if (d.gathers || d.src[0].uniform) return unary<Operation, kAny>;
    return unary<Operation, kV>;
}

template <class Operation>
Handler hotBinary(const Decoded& d) {
    if (d.gathers) return binary<Operation, kAny, kAny>;
    if (d.src[0].uniform) return d.src[1].uniform ? binary<Operation, kU, kU> : binary<Operation, kU, kV>;
    return d.src[1].uniform ? binary<Operation, kV, kU> : binary<Operation, kV, kV>;
}

template <int kComponents>
Handler hotDot(const Decoded& d) {
    if (d.gathers) return dot<kComponents, kAny, kAny>;
    if (d.src[0].uniform) return d.src[1].uniform ? dot<kComponents, kAny, kAny> : dot<kComponents, kU, kV>;
    return d.src[1].uniform ? dot<kComponents, kV, kU> : dot<kComponents, kV, kV>;
}

template <class Operation>
Handler hotTernary(const Decoded& d) {
    if (d.gathers || (d.src[0].uniform && d.src[1].uniform)) return ternary<Operation, kAny, kAny, kAny>;
    if (d.src[0].uniform) return d.src[2].uniform ? ternary<Operation, kU, kV, kU> : ternary<Operation, kU, kV, kV>;
    if (d.src[1].uniform) return d.src[2].uniform ? ternary<Operation, kV, kU, kU> : ternary<Operation, kV, kU, kV>;
    return d.src[2].uniform ? ternary<Operation, kV, kV, kU> : ternary<Operation, kV, kV, kV>;
}

template <class Operation>
constexpr Handler kUnary = unary<Operation, kAny>;
template <class Operation>
constexpr Handler kBinary = binary<Operation, kAny, kAny>;

/// The handler of a type: float, signed, unsigned.
Handler typed(const Decoded& d, Handler f, Handler i, Handler u) {
    return d.type == isa::Type::F32 ? f : d.type == isa::Type::I32 ? i : u;
}

template <class F, class I, class U = I>
Handler typedBinary(const Decoded& d) {
    return typed(d, kBinary<F>, kBinary<I>, kBinary<U>);
}

}  // namespace

// An instruction without a handler does not compile.
#pragma clang diagnostic error "-Wswitch"

Handler handlerFor(const Decoded& d) {
    using isa::Op;
    const bool isFloat = d.type == isa::Type::F32;
    switch (d.op) {
        case Op::Mov:
            return isFloat ? hotUnary<Copy>(d) : kUnary<CopyI>;
        case Op::Add:
            return isFloat ? hotBinary<AddF>(d) : kBinary<AddI>;
        case Op::Mul:
            return isFloat ? hotBinary<MulF>(d) : kBinary<MulI>;
        case Op::Mad:
            return isFloat ? hotTernary<MadF>(d) : ternary<MadI, kAny, kAny, kAny>;
        case Op::Sel:
            return isFloat ? ternary<SelF, kAny, kAny, kAny> : ternary<SelI, kAny, kAny, kAny>;
        case Op::Dp3:
            return hotDot<3>(d);
        case Op::Dp4:
            return hotDot<4>(d);
        case Op::Min:
            return typedBinary<MinF, MinI, MinU>(d);
        case Op::Max:
            return typedBinary<MaxF, MaxI, MaxU>(d);
        case Op::Slt:
            return typedBinary<SltF, SltI, SltU>(d);
        case Op::Sge:
            return typedBinary<SgeF, SgeI, SgeU>(d);
        case Op::Seq:
            return typedBinary<SeqF, SeqI>(d);
        case Op::Sne:
            return typedBinary<SneF, SneI>(d);
        case Op::Flr:
            return kUnary<FloorF>;
        case Op::Frc:
            return kUnary<FractF>;
        case Op::Trc:
            return kUnary<TruncF>;
        case Op::Rne:
            return kUnary<NearestF>;
        case Op::Rcp:
            return transcendental<Rcp>;
        case Op::Rsq:
            return transcendental<Rsq>;
        case Op::Sqt:
            return transcendental<Sqt>;
        case Op::Ex2:
            return transcendental<Ex2>;
        case Op::Lg2:
            return transcendental<Lg2>;
        case Op::Sin:
            return transcendental<Sin>;
        case Op::Cos:
            return transcendental<Cos>;
        case Op::Pow:
            return power;
        case Op::Lit:
            return lighting;
        case Op::Nrm:
            return normalise;
        case Op::Ddx:
            return kUnary<DerivativeX>;
        case Op::Ddy:
            return kUnary<DerivativeY>;
        case Op::Div:
            return typedBinary<DivF, Divide<int32_t, false>, Divide<uint32_t, false>>(d);
        case Op::Mod:
            return typed(d, nullptr, kBinary<Divide<int32_t, true>>, kBinary<Divide<uint32_t, true>>);
        case Op::F2i:
            return typed(d, nullptr, kUnary<FToInt>, kUnary<FToUint>);
        case Op::I2f:
            return typed(d, nullptr, kUnary<IntToF>, kUnary<UintToF>);
        case Op::And:
            return kBinary<AndI>;
        case Op::Or:
            return kBinary<OrI>;
        case Op::Xor:
            return kBinary<XorI>;
        case Op::Not:
            return kUnary<NotI>;
        case Op::Shl:
            return kBinary<ShlI>;
        case Op::Shr:
            return typed(d, nullptr, kBinary<ShrI>, kBinary<ShrU>);
        case Op::Tex:
        case Op::Txb:
        case Op::Txl:
        case Op::Txd:
            return textureHandler(d);
        case Op::Mulh:
            return typed(d, nullptr, kBinary<MulHigh<int32_t>>, kBinary<MulHigh<uint32_t>>);
        case Op::Popc:
            return kUnary<PopCount>;
        case Op::Clz:
            return kUnary<LeadingZeros>;
        case Op::Brev:
            return kUnary<BitReverse>;
        case Op::Madx:
            return ternary<MadFixed, kAny, kAny, kAny>;
        case Op::F2h:
            return kUnary<FToHalf>;
        case Op::H2f:
            return kUnary<HalfToF>;
        case Op::Ld:
        case Op::St:
        case Op::Atadd:
        case Op::Atmin:
        case Op::Atmax:
        case Op::Atand:
        case Op::Ator:
        case Op::Atxor:
        case Op::Atxch:
        case Op::Atcas:
            return memoryHandler(d);
        case Op::Vall:
        case Op::Vany:
        case Op::Vbal:
        case Op::Shi:
        case Op::Shu:
        case Op::Shd:
        case Op::Shx:
        case Op::Sum:
        case Op::Dot:
            return laneHandler(d);
        case Op::Bar:
        case Op::Gbar:
        case Op::If:
        case Op::Else:
        case Op::Endif:
        case Op::Loop:
        case Op::Endloop:
        case Op::Brk:
        case Op::Cont:
        case Op::Call:
        case Op::Ret:
        case Op::Kil:
            return nullptr;  // execute_simd.cpp
    }
    return nullptr;
}

}  // namespace tessera::interp::TESSERA_SIMD
