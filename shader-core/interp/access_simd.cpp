// The slow paths of register access: relative addressing, predicates, partial masks.
#include "shader-core/interp/access.h"
#include "shader-core/isa/program.h"

namespace tessera::interp::TESSERA_SIMD {

namespace {

const int32_t* addressLanes(const Machine& machine) {
    return reinterpret_cast<const int32_t*>(machine.base[kBaseAddress]);
}

/// Registers of a file that a relative operand reaches. Inputs and outputs the program does not declare are absent.
bool reachable(const isa::Program& program, uint8_t base, uint32_t index) {
    switch (base) {
        case kBaseTemp:
            return index < program.tempCount;
        case kBaseConstant:
            return index < program.constantCount;
        case kBaseInput:
            return program.inputMask.has(static_cast<int>(index));
        case kBaseOutput:
            return program.outputMask.has(static_cast<int>(index));
        default:
            return false;
    }
}

uint32_t lowestLane(uint32_t mask) { return static_cast<uint32_t>(__builtin_ctz(mask)); }

/// True when a0.x is the same in all lanes of `mask`.
bool addressAgrees(const Machine& machine, uint32_t mask) {
    const int32_t* lanes = addressLanes(machine);
    const I32x16 first = splat(lanes[lowestLane(mask)]);
    const uint32_t same = toBits(load<I32x16>(lanes) == first) | toBits(load<I32x16>(lanes + 16) == first) << 16;
    return (same & mask) == mask;
}

float* scratchComponent(const Machine& machine, uint32_t source, uint32_t component) {
    return reinterpret_cast<float*>(machine.base[kBaseScratch] + source * kRegisterBytes + component * kComponentBytes);
}

void toScratch(Operand& operand, uint32_t source) {
    for (uint32_t c = 0; c < 4; ++c) operand.offset[c] = source * kRegisterBytes + c * kComponentBytes;
    operand.base = kBaseScratch;
    operand.uniform = false;
}

void gatherPredicate(Machine& machine, Operand& operand, uint32_t source, bool integer) {
    const uint32_t bits = machine.predicate[operand.index];
    const F32x16 one = integer ? asFloat(splat(int32_t{1})) : splat(1.0f);
    for (uint32_t c = 0; c < 4; ++c) {
        float* p = scratchComponent(machine, source, c);
        store(p, select(fromBits(bits), one, splat(0.0f)));
        store(p + 16, select(fromBits(bits >> 16), one, splat(0.0f)));
    }
    toScratch(operand, source);
}

/// Lane l reads the lane of its column in the row that the instruction names; lanes outside the launch hold zero.
void gatherSnooped(Machine& machine, const Decoded& d, Operand& operand, uint32_t source) {
    const uint32_t first = d.snoopRow * uint32_t{isa::kGroupColumns};
    for (uint32_t c = 0; c < 4; ++c) {
        const float* from = reinterpret_cast<const float*>(machine.base[operand.base] + operand.offset[c]) + first;
        float* to = scratchComponent(machine, source, c);
        for (uint32_t lane = 0; lane < isa::kGroupSize; ++lane) {
            const uint32_t column = lane % isa::kGroupColumns;
            to[lane] = machine.launch >> (first + column) & 1 ? from[column] : 0.0f;
        }
    }
    toScratch(operand, source);
}

/// Lane l reads the thread of its column in a wavefront of the block; threads that the block does not have hold zero.
void gatherFromBlock(Machine& machine, Operand& operand, uint32_t source) {
    const uint32_t size = isa::kWavefrontSize, first = operand.wavefront * size;
    const std::byte* group = machine.blockTemps + first / isa::kGroupSize * machine.groupBytes;
    for (uint32_t c = 0; c < 4; ++c) {
        float* to = scratchComponent(machine, source, c);
        for (uint32_t lane = 0; lane < isa::kGroupSize; ++lane) {
            const uint32_t thread = first + lane % size;
            to[lane] = thread < machine.blockThreads
                           ? reinterpret_cast<const float*>(group + operand.offset[c])[thread % isa::kGroupSize]
                           : 0.0f;
        }
    }
    toScratch(operand, source);
}

void gatherLanes(Machine& machine, Operand& operand, uint32_t source) {
    const int32_t* offsets = addressLanes(machine);
    const uint32_t stride = operand.uniform ? kUniformBytes : kRegisterBytes;
    const uint32_t own = operand.index * stride;  // the component offsets were made with the operand's own register
    for (uint32_t lane = 0; lane < isa::kGroupSize; ++lane) {
        const uint32_t index = operand.index + static_cast<uint32_t>(offsets[lane]);
        const bool exists = reachable(*machine.program, operand.base, index);
        for (uint32_t c = 0; c < 4; ++c) {
            float value = 0;
            if (exists) {
                const float* p = reinterpret_cast<const float*>(machine.base[operand.base] + index * size_t{stride} +
                                                                (operand.offset[c] - own));
                value = operand.uniform ? *p : p[lane];
            }
            scratchComponent(machine, source, c)[lane] = value;
        }
    }
    toScratch(operand, source);
}

void gatherRelative(Machine& machine, Operand& operand, uint32_t source) {
    // Derivatives read lanes that are not executing, so the short cut needs all lanes that are seen to agree.
    if (!addressAgrees(machine, machine.whole)) return gatherLanes(machine, operand, source);
    const uint32_t step = static_cast<uint32_t>(addressLanes(machine)[lowestLane(machine.launch)]);
    if (reachable(*machine.program, operand.base, operand.index + step)) {
        const uint32_t bytes = step * (operand.uniform ? kUniformBytes : kRegisterBytes);
        for (uint32_t c = 0; c < 4; ++c) operand.offset[c] += bytes;
        return;
    }
    for (uint32_t c = 0; c < 4; ++c) __builtin_memset(scratchComponent(machine, source, c), 0, kComponentBytes);
    toScratch(operand, source);
}

void writePredicate(Machine& machine, const Decoded& d, const Lanes& result, uint32_t mask) {
    uint32_t bits = 0;
    for (int h = 0; h < 2; ++h) {
        const F32x16 x = result.half[h];
        // As floats -0 is zero and NaN is not; as integers all bits count.
        const Mask16 set = d.resultIsFloat ? Mask16(x != 0.0f) : Mask16(asInt(x) != 0);
        bits |= toBits(set) << (16 * h);
    }
    uint32_t& predicate = machine.predicate[d.dstIndex];
    predicate = (predicate & ~mask) | (bits & mask);
}

void writeMasked(std::byte* destination, const Decoded& d, const Lanes (&result)[4], uint32_t mask) {
    float* p = reinterpret_cast<float*>(destination);
    const Mask16 low = fromBits(mask), high = fromBits(mask >> 16);
    for (int c = 0; c < 4; ++c) {
        if (!(d.writeMask >> c & 1)) continue;
        float* q = p + c * isa::kGroupSize;
        store(q, select(low, result[c].half[0], load<F32x16>(q)));
        store(q + 16, select(high, result[c].half[1], load<F32x16>(q + 16)));
    }
}

void writeRelative(Machine& machine, const Decoded& d, const Lanes (&result)[4], uint32_t mask) {
    const int32_t* offsets = addressLanes(machine);
    while (mask != 0) {  // once for each distinct address
        const int32_t offset = offsets[lowestLane(mask)];
        const I32x16 first = splat(offset);
        uint32_t same = toBits(load<I32x16>(offsets) == first) | toBits(load<I32x16>(offsets + 16) == first) << 16;
        same &= mask;
        mask &= ~same;
        const uint32_t index = d.dstIndex + static_cast<uint32_t>(offset);
        if (reachable(*machine.program, d.dstBase, index))
            writeMasked(machine.base[d.dstBase] + index * size_t{kRegisterBytes}, d, result, same);
    }
}

}  // namespace

void gather(Machine& machine, const Decoded& d, Operand (&resolved)[3]) {
    for (uint32_t s = 0; s < 3; ++s) {
        resolved[s] = d.src[s];
        if (!resolved[s].gathered) continue;
        if (resolved[s].snoopOfBlock)
            gatherFromBlock(machine, resolved[s], s);
        else if (resolved[s].snoop)
            gatherSnooped(machine, d, resolved[s], s);
        else if (resolved[s].base == kBasePredicate)
            gatherPredicate(machine, resolved[s], s,
                            isa::sourceType(d.op, d.type, static_cast<int>(s)) != isa::Type::F32);
        else
            gatherRelative(machine, resolved[s], s);
    }
}

void writeSlowly(Machine& machine, const Decoded& d, const Lanes (&result)[4], uint32_t mask) {
    if (d.dstBase == kBasePredicate) return writePredicate(machine, d, result[0], mask);
    if (d.dstRelative) return writeRelative(machine, d, result, mask);
    writeMasked(machine.base[d.dstBase] + d.dstOffset, d, result, mask);
}

}  // namespace tessera::interp::TESSERA_SIMD
