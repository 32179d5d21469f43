// Memory instructions of compute programs: loads, stores and atomics on buffers and shared memory.
//
// Element by element: first element of all lanes in ascending order, then the second. So when lanes store to one place
// the highest lane's value stays. What lies outside the memory reads zero, is not written, and is counted.
#include "base/check.h"
#include "shader-core/interp/access.h"

namespace tessera::interp::TESSERA_SIMD {

namespace {

struct LaneWords {
    alignas(64) uint32_t lane[isa::kGroupSize];
};

LaneWords words(const Lanes& lanes) {
    LaneWords out;
    store(out.lane, asUint(lanes.half[0]));
    store(out.lane + 16, asUint(lanes.half[1]));
    return out;
}

Lanes lanes(const LaneWords& words) {
    return {{asFloat(load<U32x16>(words.lane)), asFloat(load<U32x16>(words.lane + 16))}};
}

LaneWords addresses(const Machine& machine, const Decoded& d, const Operand& operand) {
    Lanes a = fetch<Access::Any, true>(machine, operand, 0);
    for (F32x16& half : a.half) half = asFloat(asUint(half) + d.offset);
    return words(a);
}

/// The value of a store or an atomic, as the instruction's type reads it.
LaneWords value(const Machine& machine, const Decoded& d, const Operand& operand, int component) {
    return words(d.type == isa::Type::F32 ? fetch<Access::Any, false>(machine, operand, component)
                                          : fetch<Access::Any, true>(machine, operand, component));
}

/// Where an element lies, or null outside the memory.
std::byte* element(Machine& machine, const Decoded& d, int lane, uint32_t address, uint32_t number) {
    ThreadBlockMemory& memory = *machine.memory;
    const uint64_t first = address + uint64_t{number} * d.elementBytes;
    if (first + d.elementBytes > memory.size[d.slot]) {
        ++memory.outOfRange;
        return nullptr;
    }
    if (memory.observer != nullptr) [[unlikely]]
        memory.observer->accessed({d.slot, static_cast<uint8_t>(lane), d.elementBytes, static_cast<uint32_t>(first)});
    return memory.data[d.slot] + first;
}

uint32_t loadElement(const std::byte* p, const Decoded& d) {
    uint32_t word = 0;
    if (d.elementBytes == 4) {
        __builtin_memcpy(&word, p, 4);
        return word;
    }
    __builtin_memcpy(&word, p, d.elementBytes);
    const uint32_t unused = 32 - 8u * d.elementBytes;
    return d.type == isa::Type::I32 ? static_cast<uint32_t>(static_cast<int32_t>(word << unused) >> unused) : word;
}

void loadHandler(Machine& machine, const Decoded& d, uint32_t mask) {
    TESSERA_RESOLVE(d)
    const LaneWords address = addresses(machine, d, src[0]);
    Lanes out[4];
    uint32_t number = 0;
    for (int c = 0; c < 4; ++c) {
        if (!(d.writeMask >> c & 1)) continue;
        LaneWords result{};
        for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
            const int lane = __builtin_ctz(rest);
            if (const std::byte* p = element(machine, d, lane, address.lane[lane], number))
                result.lane[lane] = loadElement(p, d);
        }
        out[c] = lanes(result);
        ++number;
    }
    writeBack(machine, d, out, mask);
}

void storeHandler(Machine& machine, const Decoded& d, uint32_t mask) {
    TESSERA_RESOLVE(d)
    const LaneWords address = addresses(machine, d, src[0]);
    for (int c = 0; c < 4; ++c) {
        if (!(d.writeMask >> c & 1)) continue;
        const LaneWords values = value(machine, d, src[1], c);
        for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
            const int lane = __builtin_ctz(rest);
            if (std::byte* p = element(machine, d, lane, address.lane[lane], static_cast<uint32_t>(c)))
                __builtin_memcpy(p, &values.lane[lane], d.elementBytes);
        }
    }
}

/// What the word becomes.
uint32_t combined(const Decoded& d, uint32_t word, uint32_t b, uint32_t c) {
    const bool isSigned = d.type == isa::Type::I32;
    const bool less = isSigned ? static_cast<int32_t>(word) < static_cast<int32_t>(b) : word < b;
    switch (d.op) {
        case isa::Op::Atadd:
            return word + b;
        case isa::Op::Atmin:
            return less ? word : b;
        case isa::Op::Atmax:
            return less ? b : word;
        case isa::Op::Atand:
            return word & b;
        case isa::Op::Ator:
            return word | b;
        case isa::Op::Atxor:
            return word ^ b;
        case isa::Op::Atxch:
            return b;
        case isa::Op::Atcas:
            return word == b ? c : word;
        default:
            UNREACHABLE("an atomic operation");
    }
}

void atomicHandler(Machine& machine, const Decoded& d, uint32_t mask) {
    TESSERA_RESOLVE(d)
    const LaneWords address = addresses(machine, d, src[0]);
    const LaneWords b = value(machine, d, src[1], 0);
    const LaneWords c = d.op == isa::Op::Atcas ? value(machine, d, src[2], 0) : b;
    LaneWords old{};
    for (uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        if (address.lane[lane] % 4 != 0) {
            ++machine.memory->outOfRange;
            continue;
        }
        auto* word = reinterpret_cast<uint32_t*>(element(machine, d, lane, address.lane[lane], 0));
        if (word == nullptr) continue;
        uint32_t seen = __atomic_load_n(word, __ATOMIC_RELAXED);
        while (!__atomic_compare_exchange_n(word, &seen, combined(d, seen, b.lane[lane], c.lane[lane]), true,
                                            __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
        }
        old.lane[lane] = seen;
    }
    Lanes out[4];
    for (Lanes& component : out) component = lanes(old);
    writeBack(machine, d, out, mask);
}

}  // namespace

Handler memoryHandler(const Decoded& d) {
    if (d.op == isa::Op::Ld) return loadHandler;
    if (d.op == isa::Op::St) return storeHandler;
    return atomicHandler;
}

}  // namespace tessera::interp::TESSERA_SIMD
