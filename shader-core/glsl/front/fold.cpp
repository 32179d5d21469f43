// Constant folding of matrixCompMult, which glslang 12 leaves out: a call of it must be a constant expression
// (GLSL ES 1.00 section 5.10), good for array sizes and const initialisers.
//
// glslang folds every built-in call in TIntermediate::fold(). The linker is told (--wrap, see CMakeLists.txt) that
// its calls of that function come here first.
#include <glslang/MachineIndependent/localintermediate.h>

using namespace glslang;

extern "C" {
TIntermTyped* glslangFold(TIntermediate* intermediate,
                          TIntermAggregate* node) asm("__real__ZN7glslang13TIntermediate4foldEPNS_16TIntermAggregateE");
TIntermTyped* foldFirst(TIntermediate* intermediate,
                        TIntermAggregate* node) asm("__wrap__ZN7glslang13TIntermediate4foldEPNS_16TIntermAggregateE");
}

TIntermTyped* foldFirst(TIntermediate* intermediate, TIntermAggregate* node) {
    const TIntermSequence& operands = node->getSequence();
    if (node->getOp() != EOpMul || operands.size() != 2) return glslangFold(intermediate, node);
    const TIntermConstantUnion* a = operands[0]->getAsConstantUnion();
    const TIntermConstantUnion* b = operands[1]->getAsConstantUnion();
    if (!a || !b || !node->getType().isMatrix()) return node;
    TConstUnionArray products(node->getType().computeNumComponents());
    for (size_t i = 0; i < static_cast<size_t>(products.size()); i++)
        products[i].setDConst(a->getConstArray()[i].getDConst() * b->getConstArray()[i].getDConst());
    auto* folded = new TIntermConstantUnion(products, node->getType());
    folded->getWritableType().getQualifier().storage = EvqConst;
    folded->setLoc(node->getLoc());
    return folded;
}
