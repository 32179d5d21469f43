// Handlers of all instructions but control and texture: fetch, compute both halves of the group, write back.
//
// The frequent float operations have a handler for each way their operands can lie (per lane or uniform), with
// modifiers and without, so that nothing is decided per component; the others decide as they fetch.
#include <type_traits>
#include <utility>

#include "shader-core/interp/access.h"
#include "shader-core/interp/operations.h"

namespace tessera::interp::TESSERA_SIMD {

namespace {

/// Apply::apply of an operation's operands, component `c`.
template <class Apply, class Operation, Modifiers kModifiers, Access... kAccess>
[[gnu::always_inline]] inline Lanes applied(const Machine& machine, const Operand* src, uint32_t c) {
    return [&]<size_t... kSource>(std::index_sequence<kSource...>) __attribute__((always_inline)) {
        const Lanes operand[] = {fetch<kAccess, Operation::kInteger, kModifiers>(machine, src[kSource], c)...};
        Lanes result;
        for (int h = 0; h < 2; ++h) result.half[h] = Apply::apply(operand[kSource].half[h]...);
        return result;
    }(std::make_index_sequence<sizeof...(kAccess)>());
}

/// For components that depend on one another's results, or on operands that must be gathered, or that not all lanes
/// take: kept aside until all are there.
template <class Operation, Access... kAccess>
[[gnu::noinline]] void throughCopies(Machine& machine, const Decoded& d, uint32_t mask) {
    TESSERA_RESOLVE(d)
    Lanes out[4];
    for (uint32_t c = 0; c < 4; ++c)
        if (d.writeMask >> c & 1) out[c] = applied<Operation, Operation, Modifiers::Any, kAccess...>(machine, src, c);
    writeBack(machine, d, out, mask);
}

/// What is rare finds out how operands lie as it fetches them: one function for each operation.
template <Access kAccess>
constexpr Access kAnyOf = Access::Any;

template <class Operation, Access... kAccess>
void fromComponent(Machine& machine, const Decoded& d, uint32_t first);

/// Components `first` and up, each by itself. Without modifiers, nothing is saturated either.
template <class Apply, class Operation, Modifiers kModifiers, Access... kAccess>
[[gnu::always_inline]] inline void eachComponent(Machine& machine, const Decoded& d, uint32_t first) {
    std::byte* const to = machine.base[d.dstBase] + d.dstOffset;
    for (uint32_t c = first; c < 4; ++c) {
        if (!(d.writeMask >> c & 1)) continue;
        Lanes result = applied<Apply, Operation, kModifiers, kAccess...>(machine, d.src, c);
        if constexpr (!std::is_same_v<Apply, Operation>)
            if (any((result.half[0] != result.half[0]) | (result.half[1] != result.half[1]))) [[unlikely]]
                return fromComponent<Operation, kAnyOf<kAccess>...>(machine, d, c);
        if constexpr (kModifiers == Modifiers::Any)
            if (d.saturate) [[unlikely]]
                for (F32x16& half : result.half) half = saturate(half);
        float* const lanes = reinterpret_cast<float*>(to + c * kComponentBytes);
        store(lanes, result.half[0]);
        store(lanes + 16, result.half[1]);
    }
}

/// The rest of an instruction whose Quick form came to a NaN; last of all, so that the handler needs no stack.
template <class Operation, Access... kAccess>
[[gnu::noinline]] void fromComponent(Machine& machine, const Decoded& d, uint32_t first) {
    eachComponent<Operation, Operation, Modifiers::Any, kAccess...>(machine, d, first);
}

/// All components for some of the lanes.
template <class Operation, Access... kAccess>
[[gnu::noinline]] void underMask(Machine& machine, const Decoded& d, uint32_t mask) {
    const Mask16 taken[2] = {fromBits(mask), fromBits(mask >> 16)};
    float* to = reinterpret_cast<float*>(machine.base[d.dstBase] + d.dstOffset);
    for (uint32_t c = 0; c < 4; ++c, to += isa::kGroupSize) {
        if (!(d.writeMask >> c & 1)) continue;
        Lanes result = applied<Operation, Operation, Modifiers::Any, kAccess...>(machine, d.src, c);
        for (int h = 0; h < 2; ++h) {
            if (d.saturate) result.half[h] = saturate(result.half[h]);
            store(to + 16 * h, select(taken[h], result.half[h], load<F32x16>(to + 16 * h)));
        }
    }
}

/// An operation of as many operands as accesses.
template <class Operation, Modifiers kModifiers, Access... kAccess>
void componentwise(Machine& machine, const Decoded& d, uint32_t mask) {
    constexpr bool kIsFrequent = requires { typename Operation::Quick; };
    if (!d.writesAtOnce || (!kIsFrequent && mask != machine.whole)) [[unlikely]]
        return throughCopies<Operation, kAnyOf<kAccess>...>(machine, d, mask);
    if constexpr (kIsFrequent) {
        if (mask != machine.whole) [[unlikely]]
            return underMask<Operation, kAccess...>(machine, d, mask);
        eachComponent<typename Operation::Quick, Operation, kModifiers, kAccess...>(machine, d, 0);
    } else {
        eachComponent<Operation, Operation, kModifiers, kAccess...>(machine, d, 0);
    }
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
        out[1].half[h] = greater(zero, x.half[h]);
        out[2].half[h] = select(x.half[h] > 0.0f, tfu::pow(greater(zero, y.half[h]), w.half[h]), zero);
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
constexpr Handler kUnary = componentwise<Operation, Modifiers::Any, kAny>;
template <class Operation>
constexpr Handler kBinary = componentwise<Operation, Modifiers::Any, kAny, kAny>;
template <class Operation>
constexpr Handler kTernary = componentwise<Operation, Modifiers::Any, kAny, kAny, kAny>;

template <class Operation, Access... kAccess>
Handler hot(const Decoded& d) {
    bool isPlain = !d.saturate;
    for (const Operand& operand : d.src) isPlain = isPlain && !operand.negate && !operand.absolute;
    return isPlain ? componentwise<Operation, Modifiers::None, kAccess...>
                   : componentwise<Operation, Modifiers::Any, kAccess...>;
}

template <class Operation>
Handler hotUnary(const Decoded& d) {
    if (d.gathers || d.src[0].uniform) return kUnary<Operation>;
    return hot<Operation, kV>(d);
}

template <class Operation>
Handler hotBinary(const Decoded& d) {
    if (d.gathers) return kBinary<Operation>;
    if (d.src[0].uniform) return d.src[1].uniform ? hot<Operation, kU, kU>(d) : hot<Operation, kU, kV>(d);
    return d.src[1].uniform ? hot<Operation, kV, kU>(d) : hot<Operation, kV, kV>(d);
}

template <int kComponents>
Handler hotDot(const Decoded& d) {
    if (d.gathers) return dot<kComponents, kAny, kAny>;
    if (d.src[0].uniform) return d.src[1].uniform ? dot<kComponents, kAny, kAny> : dot<kComponents, kU, kV>;
    return d.src[1].uniform ? dot<kComponents, kV, kU> : dot<kComponents, kV, kV>;
}

template <class Operation>
Handler hotTernary(const Decoded& d) {
    if (d.gathers || (d.src[0].uniform && d.src[1].uniform)) return kTernary<Operation>;
    if (d.src[0].uniform) return d.src[2].uniform ? hot<Operation, kU, kV, kU>(d) : hot<Operation, kU, kV, kV>(d);
    if (d.src[1].uniform) return d.src[2].uniform ? hot<Operation, kV, kU, kU>(d) : hot<Operation, kV, kU, kV>(d);
    return d.src[2].uniform ? hot<Operation, kV, kV, kU>(d) : hot<Operation, kV, kV, kV>(d);
}

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
            return isFloat ? hotTernary<MadF>(d) : kTernary<MadI>;
        case Op::Sel:
            return isFloat ? kTernary<SelF> : kTernary<SelI>;
        case Op::Dp3:
            return hotDot<3>(d);
        case Op::Dp4:
            return hotDot<4>(d);
        case Op::Min:
            return isFloat ? hotBinary<MinF>(d) : typedBinary<MinF, MinI, MinU>(d);
        case Op::Max:
            return isFloat ? hotBinary<MaxF>(d) : typedBinary<MaxF, MaxI, MaxU>(d);
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
        case Op::Txf:
        case Op::Txs:
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
            return kTernary<MadFixed>;
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
