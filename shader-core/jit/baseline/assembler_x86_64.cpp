#include "shader-core/jit/baseline/assembler_x86_64.h"

#include <cstring>

#include "base/check.h"

namespace tessera::jit::x86 {

namespace {

constexpr unsigned number(Reg reg) { return static_cast<unsigned>(reg); }
constexpr unsigned low(unsigned reg) { return reg & 7; }
constexpr unsigned high(unsigned reg) { return reg >> 3; }
constexpr unsigned kNone = 0;  ///< instead of a second operand
constexpr size_t kNotBound = SIZE_MAX;

unsigned highOf(const Operand& operand) {
    if (operand.kind == Operand::Register) return high(operand.reg);
    return operand.kind == Operand::InMemory ? high(number(operand.memory.base)) : 0;
}

}  // namespace

void Assembler::word(uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) byte(value >> shift & 0xFF);
}

// --- Operands ---

/// Always with 32 bits of offset, so that there is one form.
void Assembler::memoryOperand(unsigned reg, Memory memory) {
    byte(0x80 | low(reg) << 3 | low(number(memory.base)));
    if (low(number(memory.base)) == number(Reg::rsp)) byte(0x24);
    word(static_cast<uint32_t>(memory.offset));
}

/// `bytesBehind` the operand the instruction ends: that is where constants are counted from.
void Assembler::operand(unsigned reg, const Operand& from, unsigned bytesBehind) {
    switch (from.kind) {
        case Operand::Register:
            byte(0xC0 | low(reg) << 3 | low(from.reg));
            return;
        case Operand::InMemory:
            return memoryOperand(reg, from.memory);
        case Operand::InPool:
            byte(low(reg) << 3 | 5);
            constants_.push_back({size(), from.pool, 4 + bytesBehind});
            word(0);
            return;
    }
}

// --- Vectors ---

/// With AVX2 a VEX prefix has what the mandatory prefix, REX and the bytes of the opcode's table have elsewhere.
void Assembler::vector(Opcode op, Vector reg, unsigned second, const Operand& from, int immediate, bool wide) {
    if (wide_) {
        const unsigned prefix = op.prefix == 0 ? 0u : op.prefix == 0x66 ? 1u : op.prefix == 0xF3 ? 2u : 3u;
        byte(0xC4);
        byte((high(reg) ^ 1) << 7 | 1u << 6 | (highOf(from) ^ 1) << 5 | op.table);
        byte((~second & 0xF) << 3 | (wide ? 4u : 0u) | prefix);
    } else {
        if (op.prefix != 0) byte(op.prefix);
        if (const unsigned rex = high(reg) << 2 | highOf(from); rex != 0) byte(0x40 | rex);
        byte(0x0F);
        if (op.table != 1) byte(op.table == 2 ? 0x38 : 0x3A);
    }
    byte(op.opcode);
    operand(reg, from, immediate >= 0 ? 1 : 0);
    if (immediate >= 0) byte(static_cast<unsigned>(immediate));
}

void Assembler::load(Vector to, Operand from) {
    if (from.kind == Operand::Register && from.reg == to) return;
    vector({0, 1, 0x28}, to, kNone, from, -1, wide_);
}

void Assembler::store(Memory to, Vector from) { vector({0, 1, 0x29}, from, kNone, to, -1, wide_); }

void Assembler::broadcast(Vector to, Memory from) {
    if (wide_) return vector({0x66, 2, 0x18}, to, kNone, from, -1, true);
    vector({0xF3, 1, 0x10}, to, kNone, from, -1, false);
    vector({0, 1, 0xC6}, to, kNone, to, 0, false);
}

void Assembler::broadcast(Vector to, Reg from) {
    vector({0x66, 1, 0x6E}, to, kNone, static_cast<Vector>(from), -1, false);
    if (wide_) return vector({0x66, 2, 0x58}, to, kNone, to, -1, true);
    vector({0x66, 1, 0x70}, to, kNone, to, 0, false);
}

void Assembler::binary(Opcode op, Vector to, Vector a, Operand b, int immediate) {
    if (wide_) return vector(op, to, a, b, immediate, true);
    CHECK(a == to || b.kind != Operand::Register || b.reg != to);
    load(to, a);
    vector(op, to, kNone, b, immediate, false);
}

void Assembler::unary(Opcode op, Vector to, Operand from, int immediate) {
    vector(op, to, kNone, from, immediate, wide_);
}

void Assembler::multiplyAdd(Vector to, Vector a, Operand b) {
    CHECK(wide_);
    vector(vector_op::kMultiplyAdd, to, a, b, -1, true);
}

void Assembler::choose(Vector to, Vector mask, Operand yes, Vector no, Vector scratch) {
    if (wide_) return vector({0x66, 3, 0x4A}, to, no, yes, mask << 4, true);
    binary(vector_op::kAndNot, scratch, mask, no);
    load(to, mask);
    binary(vector_op::kAnd, to, to, yes);
    binary(vector_op::kOr, to, to, scratch);
}

void Assembler::signs(Reg to, Vector from) { vector({0, 1, 0x50}, static_cast<Vector>(to), kNone, from, -1, wide_); }

void Assembler::clearUpperHalves() {
    if (!wide_) return;
    byte(0xC5);
    byte(0xF8);
    byte(0x77);
}

// --- General registers ---

void Assembler::general(uint8_t opcode, Reg reg, Memory memory, bool wide) {
    const unsigned rex = (wide ? 8u : 0u) | high(number(reg)) << 2 | high(number(memory.base));
    if (rex != 0) byte(0x40 | rex);
    byte(opcode);
    memoryOperand(number(reg), memory);
}

void Assembler::registers(uint8_t opcode, unsigned reg, Reg rm, bool wide) {
    const unsigned rex = (wide ? 8u : 0u) | high(reg) << 2 | high(number(rm));
    if (rex != 0) byte(0x40 | rex);
    byte(opcode);
    byte(0xC0 | low(reg) << 3 | low(number(rm)));
}

void Assembler::move(Reg to, uint32_t value) {
    if (high(number(to)) != 0) byte(0x41);
    byte(0xB8 | low(number(to)));
    word(value);
}

void Assembler::moveWide(Reg to, uint64_t value) {
    byte(0x48 | high(number(to)));
    byte(0xB8 | low(number(to)));
    word(static_cast<uint32_t>(value));
    word(static_cast<uint32_t>(value >> 32));
}

void Assembler::moveWide(Reg to, Reg from) { registers(0x89, number(from), to, true); }

void Assembler::storeBits(Memory to, uint32_t value) {
    general(0xC7, Reg::rax, to, false);
    word(value);
}

void Assembler::addressOfElement(Reg to, Reg base, Reg index) {
    byte(0x48 | high(number(to)) << 2 | high(number(index)) << 1 | high(number(base)));
    byte(0x8D);
    byte(0x80 | low(number(to)) << 3 | 4);
    byte(2u << 6 | low(number(index)) << 3 | low(number(base)));
    word(0);
}

void Assembler::alu(AluOp op, Reg to, Reg with) {
    registers(static_cast<uint8_t>(static_cast<unsigned>(op) << 3 | 1), number(with), to, false);
}

void Assembler::alu(AluOp op, Reg to, uint32_t value) {
    registers(0x81, static_cast<unsigned>(op), to, false);
    word(value);
}

void Assembler::aluWide(AluOp op, Reg to, uint32_t value) {
    registers(0x81, static_cast<unsigned>(op), to, true);
    word(value);
}

void Assembler::test(Reg a, Reg b) { registers(0x85, number(b), a, false); }

void Assembler::test(Memory a, uint32_t bits) {
    general(0xF7, Reg::rax, a, false);
    word(bits);
}

void Assembler::invert(Reg to) { registers(0xF7, 2, to, false); }

void Assembler::shift(unsigned extension, Reg to, uint8_t by) {
    registers(0xC1, extension, to, false);
    byte(by);
}

void Assembler::push(Reg from) {
    if (high(number(from)) != 0) byte(0x41);
    byte(0x50 | low(number(from)));
}

void Assembler::pop(Reg to) {
    if (high(number(to)) != 0) byte(0x41);
    byte(0x58 | low(number(to)));
}

// --- Control ---

Label Assembler::newLabel() {
    labels_.push_back(kNotBound);
    return {static_cast<uint32_t>(labels_.size() - 1)};
}

void Assembler::bind(Label label) { labels_[label.number] = size(); }

void Assembler::place(Label to) {
    jumps_.push_back({size(), to.number, 4});
    word(0);
}

void Assembler::jump(Label to) {
    byte(0xE9);
    place(to);
}

void Assembler::jumpIf(Condition condition, Label to) {
    byte(0x0F);
    byte(0x80 | static_cast<unsigned>(condition));
    place(to);
}

void Assembler::call(Reg function) { registers(0xFF, 2, function, false); }

void Assembler::call(Memory pointer) { general(0xFF, Reg::rdx, pointer, false); }

void Assembler::call(Label to) {
    byte(0xE8);
    place(to);
}

void Assembler::ret() { byte(0xC3); }

// --- Constants ---

uint32_t Assembler::constant(const std::vector<uint32_t>& lanes) {
    return pool_.try_emplace(lanes, static_cast<uint32_t>(pool_.size())).first->second;
}

std::vector<uint8_t> Assembler::finish(size_t* codeBytes) {
    *codeBytes = size();
    while (size() % vectorBytes() != 0) byte(0xCC);
    const size_t pool = size();
    code_.resize(pool + pool_.size() * vectorBytes());
    for (const auto& [lanes, number] : pool_)
        std::memcpy(code_.data() + pool + size_t{number} * vectorBytes(), lanes.data(), vectorBytes());
    const auto patch = [&](const Reference& reference, size_t target) {
        const auto distance = static_cast<uint32_t>(target - (reference.at + reference.behind));
        std::memcpy(code_.data() + reference.at, &distance, sizeof distance);
    };
    for (const Reference& jump : jumps_) {
        CHECK(labels_[jump.number] != kNotBound);
        patch(jump, labels_[jump.number]);
    }
    for (const Reference& constant : constants_) patch(constant, pool + size_t{constant.number} * vectorBytes());
    return std::move(code_);
}

}  // namespace tessera::jit::x86
