// Exchange between the lanes of a group: votes, shuffles, sums; and instructions with an active subset.
#include "base/check.h"
#include "shader-core/interp/access.h"
#include "shader-core/interp/operations.h"

namespace tessera::interp::TESSERA_SIMD {

namespace {

Lanes fetchTyped(const Machine& machine, const Decoded& d, const Operand& operand, int component) {
    return d.type == isa::Type::F32 ? fetch<Access::Any, false>(machine, operand, component)
                                    : fetch<Access::Any, true>(machine, operand, component);
}

/// One bit for each lane that is not zero: as floats NaN is not zero and -0 is.
uint32_t nonZero(const Decoded& d, const Lanes& x) {
    uint32_t bits = 0;
    for (int h = 0; h < 2; ++h) {
        const Mask16 set = d.type == isa::Type::F32 ? Mask16(x.half[h] != 0.0f) : Mask16(asInt(x.half[h]) != 0);
        bits |= toBits(set) << (16 * h);
    }
    return bits;
}

void vote(Machine& machine, const Decoded& d, uint32_t mask) {
    TESSERA_RESOLVE(d)
    Lanes out[4];
    for (int c = 0; c < 4; ++c) {
        if (!(d.writeMask >> c & 1)) continue;
        const uint32_t ballot = nonZero(d, fetchTyped(machine, d, src[0], c)) & mask;
        const bool holds = d.op == isa::Op::Vall ? ballot == mask : ballot != 0;
        out[c].half[0] = out[c].half[1] = d.op == isa::Op::Vbal ? asFloat(splat(ballot)) : splat(holds ? 1.0f : 0.0f);
    }
    writeBack(machine, d, out, mask);
}

/// The lane that a shuffle reads; out of the group means the lane itself.
uint32_t partner(isa::Op op, uint32_t lane, uint32_t b) {
    switch (op) {
        case isa::Op::Shi:
            return b & 31;
        case isa::Op::Shx:
            return lane ^ (b & 31);
        case isa::Op::Shu:
            return b <= lane ? lane - b : lane;
        case isa::Op::Shd:
            return b <= 31 - lane ? lane + b : lane;
        default:
            UNREACHABLE("a shuffle");
    }
}

void shuffle(Machine& machine, const Decoded& d, uint32_t mask) {
    TESSERA_RESOLVE(d)
    Lanes out[4];
    for (int c = 0; c < 4; ++c) {
        if (!(d.writeMask >> c & 1)) continue;
        const Lanes a = fetchTyped(machine, d, src[0], c), b = fetch<Access::Any, true>(machine, src[1], c);
        alignas(64) uint32_t value[32], index[32], result[32];
        for (int h = 0; h < 2; ++h) {
            store(value + 16 * h, asUint(a.half[h]));
            store(index + 16 * h, asUint(b.half[h]));
        }
        for (uint32_t lane = 0; lane < 32; ++lane) {
            const uint32_t from = partner(d.op, lane, index[lane]);
            result[lane] = value[mask >> from & 1 ? from : lane];
        }
        for (int h = 0; h < 2; ++h) out[c].half[h] = asFloat(load<U32x16>(result + 16 * h));
    }
    writeBack(machine, d, out, mask);
}

/// Adds lanes l and l + 16, then l and l + 8, and so on down to one. Lanes that do not execute count as +0.
template <class Add>
F32x16 total(const Lanes& x, uint32_t mask, Add add) {
    const F32x16 zero = splat(0.0f);
    F32x16 s = add(select(fromBits(mask), x.half[0], zero), select(fromBits(mask >> 16), x.half[1], zero));
    s = add(s, __builtin_shufflevector(s, s, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15));
    s = add(s, __builtin_shufflevector(s, s, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7, 4, 5, 6, 7));
    s = add(s, __builtin_shufflevector(s, s, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3));
    s = add(s, __builtin_shufflevector(s, s, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1));
    return splat(float(s[0]));
}

void sum(Machine& machine, const Decoded& d, uint32_t mask) {
    TESSERA_RESOLVE(d)
    Lanes out[4];
    for (int c = 0; c < 4; ++c) {
        if (!(d.writeMask >> c & 1)) continue;
        Lanes x = fetchTyped(machine, d, src[0], c);
        if (d.op == isa::Op::Dot) {
            const Lanes y = fetchTyped(machine, d, src[1], c);
            for (int h = 0; h < 2; ++h) x.half[h] *= y.half[h];
        }
        F32x16 s;
        if (d.type == isa::Type::F32)
            s = canonical(total(x, mask, [](F32x16 a, F32x16 b) { return a + b; }));
        else
            s = total(x, mask, [](F32x16 a, F32x16 b) { return asFloat(asUint(a) + asUint(b)); });
        out[c].half[0] = out[c].half[1] = s;
    }
    writeBack(machine, d, out, mask);
}

void narrowed(Machine& machine, const Decoded& d, uint32_t mask) {
    mask &= subsetLanes(d, machine.group, machine.blockThreads);
    if (mask != 0) d.whole(machine, d, mask);
}

}  // namespace

Handler laneHandler(const Decoded& d) {
    switch (d.op) {
        case isa::Op::Vall:
        case isa::Op::Vany:
        case isa::Op::Vbal:
            return vote;
        case isa::Op::Sum:
        case isa::Op::Dot:
            return sum;
        case isa::Op::Shi:
        case isa::Op::Shu:
        case isa::Op::Shd:
        case isa::Op::Shx:
            return shuffle;
        default:
            UNREACHABLE("an exchange between lanes");
    }
}

Handler subsetHandler() { return narrowed; }

}  // namespace tessera::interp::TESSERA_SIMD
