// The seam between the baseline compiler and an architecture: what it writes code of, in operations that every host
// has. macro_assembler_x86_64.cpp makes instructions of them; nothing outside of the files with an architecture in
// their name knows one. (The idea is that of Wasmtime's Winch, winch/codegen/src/masm.rs.)
//
// A value is a vector of floats or integers of 32 bits, vectorBytes() wide. Masks of lanes are vectors, all bits or
// none in each lane, or Bits, one for each lane. All memory is reached from a few bases.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

#include "base/simd_levels.h"

namespace tessera::jit {

/// The number of a vector register: kVectors for values, and two that an operation may lose where it says so.
using Vector = uint8_t;
inline constexpr Vector kVectors = 14, kScratch = 14, kScratch2 = 15;

/// Registers for masks of lanes. Calls lose them.
enum class Bits : uint8_t { A, B, C, D };

/// What memory is reached from: the rows of values, the frame that the code is called with, what that points to, and
/// two pointers that code sets itself and that calls lose.
enum class Base : uint8_t { Rows, Frame, Inputs, Constants, Specials, Loaded, Element };
struct Place {
    Base base;
    int32_t offset = 0;
};

/// A place in the code that jumps go to; made by newLabel().
struct Label {
    uint32_t number;
};

/// The second operand of a vector operation: a register, memory, or a constant, made by everywhere() and the like.
struct VectorOperand {
    enum Kind : uint8_t { Register, InMemory, Constant } kind = Register;
    Vector reg = 0;
    Place place{Base::Rows};
    uint32_t constant = 0;
    VectorOperand(Vector v) : reg(v) {}                   // NOLINT(google-explicit-constructor)
    VectorOperand(Place p) : kind(InMemory), place(p) {}  // NOLINT(google-explicit-constructor)
    static VectorOperand ofConstant(uint32_t number) {
        VectorOperand operand(Vector{0});
        operand.kind = Constant;
        operand.constant = number;
        return operand;
    }
};

/// Minimum is a < b ? a : b, Maximum a > b ? a : b, so that b is the result for a NaN and for two zeros; AndNot is ~a &
/// b.
enum class VectorOp : uint8_t {
    Add,
    Subtract,
    Multiply,
    Divide,
    Minimum,
    Maximum,
    And,
    AndNot,
    Or,
    Xor,
    AddInts,
    SubtractInts,
    EqualInts,
    GreaterInts,
};
enum class UnaryOp : uint8_t { SquareRoot, IntsToFloats, MagnitudesOfInts };
/// `Unordered` are NaNs.
enum class Comparison : uint8_t { Equal, Less, LessOrEqual, Unordered, NotEqual };
enum class Rounding : uint8_t { ToNearest, Down, ToZero };

/// What is passed to a function.
struct Argument {
    enum Kind : uint8_t { Frame, Address, Pointer, Value, Mask } kind = Frame;
    Place place{Base::Rows};
    uint64_t value = 0;
    Bits bits = Bits::A;
    static Argument frame() { return {}; }
    static Argument address(Place of) { return {.kind = Address, .place = of}; }
    static Argument pointer(Place at) { return {.kind = Pointer, .place = at}; }
    static Argument number(uint64_t value) { return {.kind = Value, .value = value}; }
    static Argument mask(Bits bits) { return {.kind = Mask, .bits = bits}; }  ///< Bits::A or B
};

class MacroAssembler {
public:
    explicit MacroAssembler(SimdLevel level);
    ~MacroAssembler();
    MacroAssembler(const MacroAssembler&) = delete;
    MacroAssembler& operator=(const MacroAssembler&) = delete;

    [[nodiscard]] static bool hasMultiplyAdd(SimdLevel level);
    [[nodiscard]] uint32_t vectorBytes() const;

    // --- The function ---
    /// Where the frame has the pointers that are bases.
    struct Pointers {
        int32_t inputs, constants, specials;
    };
    /// Begins it: so many bytes of rows, aligned to a row; the count of instructions is 0.
    void enter(uint32_t rowBytes, const Pointers& pointers);
    void leave();  ///< ends it, from wherever control is
    /// Routines of it that it calls itself. Between begin and end they may call.
    void callRoutine(Label routine);
    void beginRoutine();
    void endRoutine();

    // --- Vectors ---
    void load(Vector to, VectorOperand from);
    void store(Place to, Vector from);
    void clear(Vector v);
    /// One float of memory to all lanes, and the bits of a register.
    void broadcast(Vector to, Place from);
    void broadcast(Vector to, Bits from);
    /// to = a op b. `b` may be `to` only where `a` is, too.
    void binary(VectorOp op, Vector to, Vector a, VectorOperand b);
    void unary(UnaryOp op, Vector to, VectorOperand from);
    void compare(Comparison comparison, Vector to, Vector a, VectorOperand b);
    void round(Rounding rounding, Vector to, VectorOperand from);
    /// to = to * a + b, rounded once; where hasMultiplyAdd().
    void multiplyAdd(Vector to, Vector a, VectorOperand b);
    /// Lanes of `yes` where `mask` has all bits, else of `no`. May lose the scratch vector that is not `mask`; all
    /// differ but for `to` and `no`.
    void choose(Vector to, Vector mask, VectorOperand yes, Vector no);

    /// The same bits in all lanes; a bit of its own in each, or its number, from `first` on.
    [[nodiscard]] VectorOperand everywhere(uint32_t bits);
    [[nodiscard]] VectorOperand laneBits(uint32_t first);
    [[nodiscard]] VectorOperand laneNumbers(uint32_t first);

    // --- Bits ---
    /// The lanes of a mask, from lane `first` on: with 0 they become all that `to` has, else they are added.
    void addLanes(Bits to, Vector mask, uint32_t first);
    void load(Bits to, Place from);
    void store(Place to, Bits from);
    void storeNumber(Place to, uint32_t value);
    void move(Bits to, Bits from);
    void keep(Bits to, Bits with);  ///< to &= with
    void keep(Bits to, uint32_t with);
    void add(Bits to, Bits with);  ///< to |= with
    void invert(Bits to);
    void shiftLeft(Bits to, uint8_t by);
    void shiftRight(Bits to, uint8_t by);

    // --- Instructions executed, 64 bits ---
    void addToCount(uint32_t instructions);
    void storeCount(Place to);

    // --- Pointers ---
    void setLoaded(Place from);
    /// Base::Element becomes the float behind a place that has the number in 32 bits at `index`.
    void setElement(Place place, Place index);

    // --- Control ---
    [[nodiscard]] Label newLabel();
    void bind(Label label);
    void jump(Label to);
    void jumpIfNone(Bits bits, Label to);
    void jumpIfAny(Bits bits, Label to);
    void jumpIfClear(Place bits, uint32_t mask, Label to);  ///< none of the bits of `mask` is set there
    void jumpIfCountAbove(Place budget, Label to);

    // --- Calls; they lose all vectors, Bits, Base::Loaded and Base::Element ---
    void call(const void* function, std::initializer_list<Argument> arguments);
    void call(Place function, std::initializer_list<Argument> arguments);

    /// Code with its constants behind it, for a place that is aligned to a page. `codeBytes`: what of it is code.
    [[nodiscard]] std::vector<uint8_t> finish(size_t* codeBytes);

private:
    class Host;
    std::unique_ptr<Host> host_;
};

}  // namespace tessera::jit
