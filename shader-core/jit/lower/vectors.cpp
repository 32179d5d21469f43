// Instructions over the components of a register: dot products, lighting, normalising.
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
    Value* specular = l.power(l.positive(y), w);
    return {one, l.positive(x), b_.CreateSelect(b_.CreateFCmpOGT(x, zero), specular, zero), one};
}

IsaToLlvm::Components IsaToLlvm::normalise(const LaneBuilder& l, const Instruction& i) {
    Value *x = source(l, i, 0, 0), *y = source(l, i, 0, 1), *z = source(l, i, 0, 2);
    Value* squares = b_.CreateFAdd(b_.CreateFMul(x, x), b_.CreateFMul(y, y));
    Value* square = b_.CreateFAdd(squares, b_.CreateFMul(z, z));
    Value* length = l.squareRoot(square);
    Components result{x, y, z, length};
    divideByLength(l, i, square, length, result);
    for (size_t c = 0; c < 3; ++c) result[c] = l.canonical(result[c]);
    return result;
}

void IsaToLlvm::divideByLength(const LaneBuilder& l, const Instruction&, Value*, Value* length, Components& vector) {
    for (size_t c = 0; c < 3; ++c) vector[c] = l->CreateFDiv(vector[c], length);
}

}  // namespace tessera::jit
