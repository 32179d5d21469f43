// Machine code of x86-64, instruction by instruction: as much of it as macro_assembler_x86_64.cpp writes.
//
// Vectors are 256 bits with three operands (AVX2), or 128 bits where the first operand is overwritten (SSE4.2); both
// have the same opcodes, and the same calls here. Encodings: Intel 64 and IA-32 Architectures Software Developer's
// Manual, volume 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "shader-core/jit/baseline/macro_assembler.h"

namespace tessera::jit::x86 {

enum class Reg : uint8_t { rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15 };

struct Memory {
    Reg base;
    int32_t offset = 0;
};

/// The second operand of a vector instruction: a register, memory, or a constant of the pool.
struct Operand {
    enum Kind : uint8_t { Register, InMemory, InPool } kind = Register;
    Vector reg = 0;
    Memory memory{Reg::rax};
    uint32_t pool = 0;
    Operand(Vector v) : reg(v) {}                     // NOLINT(google-explicit-constructor)
    Operand(Memory m) : kind(InMemory), memory(m) {}  // NOLINT(google-explicit-constructor)
    static Operand inPool(uint32_t constant) {
        Operand operand(Vector{0});
        operand.kind = InPool;
        operand.pool = constant;
        return operand;
    }
};

/// A vector instruction: its mandatory prefix, the table that its opcode is in (1: 0F, 2: 0F 38, 3: 0F 3A), the opcode.
struct Opcode {
    uint8_t prefix, table, opcode;
};
namespace vector_op {
inline constexpr Opcode kAdd{0, 1, 0x58}, kMultiply{0, 1, 0x59}, kSubtract{0, 1, 0x5C}, kMinimum{0, 1, 0x5D},
    kDivide{0, 1, 0x5E}, kMaximum{0, 1, 0x5F}, kAnd{0, 1, 0x54}, kAndNot{0, 1, 0x55}, kOr{0, 1, 0x56}, kXor{0, 1, 0x57},
    kCompare{0, 1, 0xC2}, kAddInts{0x66, 1, 0xFE}, kSubtractInts{0x66, 1, 0xFA}, kEqualInts{0x66, 1, 0x76},
    kGreaterInts{0x66, 1, 0x66};
// Operations of one operand.
inline constexpr Opcode kSquareRoot{0, 1, 0x51}, kIntsToFloats{0, 1, 0x5B}, kRound{0x66, 3, 0x08},
    kMagnitudesOfInts{0x66, 2, 0x1E};
/// Where the host has it: the first operand becomes first * second + third.
inline constexpr Opcode kMultiplyAdd{0x66, 2, 0xA8};
}  // namespace vector_op

/// What a conditional jump asks of the result of the last alu() or test().
enum class Condition : uint8_t { Zero = 0x4, NotZero = 0x5, Above = 0x7 };
enum class AluOp : uint8_t { Add = 0, Or = 1, And = 4, Compare = 7 };

class Assembler {
public:
    /// With `wide` vectors of 256 bits.
    explicit Assembler(bool wide) : wide_(wide) {}
    [[nodiscard]] uint32_t vectorBytes() const { return wide_ ? 32 : 16; }
    [[nodiscard]] size_t size() const { return code_.size(); }

    // --- Vectors ---
    void load(Vector to, Operand from);
    void store(Memory to, Vector from);
    /// One float of memory to all lanes, and the lower 32 bits of a general register.
    void broadcast(Vector to, Memory from);
    void broadcast(Vector to, Reg from);
    /// to = a op b. `b` may be `to` only where `a` is, too.
    void binary(Opcode op, Vector to, Vector a, Operand b, int immediate = -1);
    void unary(Opcode op, Vector to, Operand from, int immediate = -1);
    /// to = to * a + b; wide vectors only.
    void multiplyAdd(Vector to, Vector a, Operand b);
    /// Lanes of `yes` where `mask` has all bits, else of `no`. `scratch` is lost; all five differ but for `to` and
    /// `no`.
    void choose(Vector to, Vector mask, Operand yes, Vector no, Vector scratch);
    /// The signs of the lanes.
    void signs(Reg to, Vector from);
    void clearUpperHalves();  ///< of all vectors, where there are such

    // --- General registers; 32 bits unless a name says otherwise ---
    void move(Reg to, uint32_t value);
    void moveWide(Reg to, uint64_t value);
    void moveWide(Reg to, Reg from);
    void load(Reg to, Memory from) { general(0x8B, to, from, false); }
    void loadWide(Reg to, Memory from) { general(0x8B, to, from, true); }
    void store(Memory to, Reg from) { general(0x89, from, to, false); }
    void storeWide(Memory to, Reg from) { general(0x89, from, to, true); }
    void storeBits(Memory to, uint32_t value);
    void address(Reg to, Memory of) { general(0x8D, to, of, true); }
    void addressOfElement(Reg to, Reg base, Reg index);  ///< to = base + 4 * index
    void alu(AluOp op, Reg to, Reg with);
    void alu(AluOp op, Reg to, uint32_t value);
    void aluWide(AluOp op, Reg to, uint32_t value);
    void compareWide(Reg a, Memory b) { general(0x3B, a, b, true); }
    void test(Reg a, Reg b);
    void test(Memory a, uint32_t bits);
    void invert(Reg to);
    void shiftLeft(Reg to, uint8_t by) { shift(4, to, by); }
    void shiftRight(Reg to, uint8_t by) { shift(5, to, by); }
    void push(Reg from);
    void pop(Reg to);

    // --- Control ---
    [[nodiscard]] Label newLabel();
    void bind(Label label);
    void jump(Label to);
    void jumpIf(Condition condition, Label to);
    void call(Reg function);
    void call(Memory pointer);
    void call(Label to);
    void ret();

    /// The number of a vector in the pool of constants.
    [[nodiscard]] uint32_t constant(const std::vector<uint32_t>& lanes);

    /// Code with its constants behind it, for a place that is aligned to a page. `codeBytes`: what of it is code.
    [[nodiscard]] std::vector<uint8_t> finish(size_t* codeBytes);

private:
    void byte(unsigned value) { code_.push_back(static_cast<uint8_t>(value)); }
    void word(uint32_t value);
    void memoryOperand(unsigned reg, Memory memory);
    void operand(unsigned reg, const Operand& from, unsigned bytesBehind);
    void vector(Opcode op, Vector reg, unsigned second, const Operand& from, int immediate, bool wide);
    void general(uint8_t opcode, Reg reg, Memory memory, bool wide);
    void registers(uint8_t opcode, unsigned reg, Reg rm, bool wide);
    void shift(unsigned extension, Reg to, uint8_t by);
    void place(Label to);

    struct Reference {
        size_t at;  ///< of 32 bits, relative to what is `behind` them
        uint32_t number;
        unsigned behind;
    };
    const bool wide_;
    std::vector<uint8_t> code_;
    std::vector<size_t> labels_;
    std::vector<Reference> jumps_, constants_;
    std::map<std::vector<uint32_t>, uint32_t> pool_;  ///< with their numbers
};

}  // namespace tessera::jit::x86
