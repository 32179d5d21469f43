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
    const std::array<Value*, 3> vector = {source(l, i, 0, 0), source(l, i, 0, 1), source(l, i, 0, 2)};
    const auto squared = [&](size_t c) { return b_.CreateFMul(vector[c], vector[c]); };
    const std::array<Value*, 3> square = {squared(0), squared(1), squared(2)};
    Value* length = l.squareRoot(b_.CreateFAdd(b_.CreateFAdd(square[0], square[1]), square[2]));
    const auto quotient = [&](size_t c) { return l.canonical(b_.CreateFDiv(vector[c], length)); };
    return {quotient(0), quotient(1), quotient(2), length};
}

}  // namespace tessera::jit
