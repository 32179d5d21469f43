// Instructions over the components of a register: dot products, lighting, normalising.
#include <llvm/IR/Intrinsics.h>

#include "shader-core/jit/lower/isa_to_llvm.h"

namespace tessera::jit {

/// ((x + y) + z) + w of products, each rounded on its own.
IsaToLlvm::Components IsaToLlvm::dot(const LaneBuilder& l, const Instruction& i, int components) {
    Value* sum = nullptr;
    for (int c = 0; c < components; ++c) {
        Value* product = b_.CreateFMul(source(l, i, 0, c), source(l, i, 1, c));
        sum = sum == nullptr ? product : b_.CreateFAdd(sum, product);
    }
    sum = l.canonical(sum);
    return {sum, sum, sum, sum};
}

IsaToLlvm::Components IsaToLlvm::lighting(const LaneBuilder& l, const Instruction& i) {
    Value *one = l.splat(1.0f), *zero = l.splat(0.0f);
    Value *x = source(l, i, 0, 0), *y = source(l, i, 0, 1), *w = source(l, i, 0, 3);
    Value* specular = l.laneFunction("pow", {l.positive(y), w});
    return {one, l.positive(x), b_.CreateSelect(b_.CreateFCmpOGT(x, zero), specular, zero), one};
}

IsaToLlvm::Components IsaToLlvm::normalise(const LaneBuilder& l, const Instruction& i) {
    Value *x = source(l, i, 0, 0), *y = source(l, i, 0, 1), *z = source(l, i, 0, 2);
    Value* squares = b_.CreateFAdd(b_.CreateFMul(x, x), b_.CreateFMul(y, y));
    Value* square = b_.CreateFAdd(squares, b_.CreateFMul(z, z));
    Value* length = l.squareRoot(square);
    Components result{x, y, z, length};
    const bool divides = (i.dst.writeMask & 7) == 7 && i.dst.file != isa::File::P;
    if (divides && pair_ && writeMask_ == nullptr) {
        quotients(square, length, result);
    } else {
        for (size_t c = 0; c < 3; ++c) result[c] = b_.CreateFDiv(result[c], length);
    }
    for (size_t c = 0; c < 3; ++c) result[c] = l.canonical(result[c]);
    return result;
}

/// Divides x, y and z by their length with one division: from the correctly rounded reciprocal, two steps with exact
/// remainders give what a division rounds to (P. Markstein, "Computation of elementary functions on the IBM RISC
/// System/6000 processor", 1990). The remainders are exact, and quotients normal, where the length is moderate and no
/// component but zero is tiny; a block in which some lane is otherwise divides.
void IsaToLlvm::quotients(Value* square, Value* length, Components& vector) {
    constexpr uint32_t kSmallestSquare = 0x17800000, kSquares = 0x67800000 - kSmallestSquare;  // 2^-80 to 2^80
    constexpr uint32_t kSmallest = 0x21800000;                                                 // 2^-60
    // Twice the bits of a number have no sign; zero becomes the largest of all.
    Value* least = nullptr;
    for (size_t c = 0; c < 3; ++c) {
        Value* magnitude = b_.CreateSub(b_.CreateShl(wide_.asInt(vector[c]), wide_.splatInt(1)), wide_.splatInt(1));
        least = c == 0 ? magnitude : b_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, least, magnitude);
    }
    Value* moderate =
        b_.CreateICmpULT(b_.CreateSub(wide_.asInt(square), wide_.splatInt(kSmallestSquare)), wide_.splatInt(kSquares));
    Value* exact = b_.CreateAnd(moderate, b_.CreateICmpUGE(least, wide_.splatInt(2 * kSmallest - 1)));
    Block *fast = newBlock("reciprocal"), *slow = newBlock("divide"), *done = newBlock("normalised");
    likely(allLanes(exact), fast, slow);

    std::array<Value*, 3> quotient{}, divided{};
    enter(fast);
    Value* reciprocal = b_.CreateFDiv(wide_.splat(1.0f), length);
    Value* negated = b_.CreateFNeg(length);
    for (size_t c = 0; c < 3; ++c) {
        Value* q = b_.CreateFMul(vector[c], reciprocal);
        for (int step = 0; step < 2; ++step)
            q = wide_.fusedMultiplyAdd(wide_.fusedMultiplyAdd(negated, q, vector[c]), reciprocal, q);
        // -0 lost its sign.
        quotient[c] = b_.CreateBinaryIntrinsic(llvm::Intrinsic::copysign, q, vector[c]);
    }
    b_.CreateBr(done);
    enter(slow);
    for (size_t c = 0; c < 3; ++c) divided[c] = b_.CreateFDiv(vector[c], length);
    b_.CreateBr(done);
    enter(done);
    for (size_t c = 0; c < 3; ++c) {
        llvm::PHINode* phi = b_.CreatePHI(wide_.floats(), 2);
        phi->addIncoming(quotient[c], fast);
        phi->addIncoming(divided[c], slow);
        vector[c] = phi;
    }
}

}  // namespace tessera::jit
