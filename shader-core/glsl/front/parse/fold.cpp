// Constant folding that glslang 12 leaves out: of matrixCompMult, and of "a, b". Both are constant expressions of
// GLSL ES 1.00 when their operands are (section 5.10), good for array sizes and const initialisers; the sequence
// operator is none from version 3.00 on. And what it folds wrongly: whether two vectors are equal is one bool, but
// comes as many as they have components, which then equals no other bool; and an int by zero is all ones, as it is
// where it is computed.
//
// glslang folds every built-in call in TIntermediate::fold(), operators in TIntermConstantUnion::fold(), and makes
// sequences in addComma(). The linker is told (--wrap, see CMakeLists.txt) that its calls of those functions come here
// first.
#include <glslang/MachineIndependent/localintermediate.h>

using namespace glslang;

extern "C" {
TIntermTyped* glslangFold(TIntermediate* intermediate,
                          TIntermAggregate* node) asm("__real__ZN7glslang13TIntermediate4foldEPNS_16TIntermAggregateE");
TIntermTyped* foldFirst(TIntermediate* intermediate,
                        TIntermAggregate* node) asm("__wrap__ZN7glslang13TIntermediate4foldEPNS_16TIntermAggregateE");
TIntermTyped* glslangFoldOperator(const TIntermConstantUnion* left, TOperator op, const TIntermTyped* right) asm(
    "__real__ZNK7glslang20TIntermConstantUnion4foldENS_9TOperatorEPKNS_12TIntermTypedE");
TIntermTyped* foldOperator(const TIntermConstantUnion* left, TOperator op, const TIntermTyped* right) asm(
    "__wrap__ZNK7glslang20TIntermConstantUnion4foldENS_9TOperatorEPKNS_12TIntermTypedE");
TIntermTyped* glslangAddComma(
    TIntermediate* intermediate, TIntermTyped* left, TIntermTyped* right,
    const TSourceLoc& place) asm("__real__ZN7glslang13TIntermediate8addCommaEPNS_12TIntermTypedES2_RKNS_10TSourceLocE");
TIntermTyped* addCommaFolded(
    TIntermediate* intermediate, TIntermTyped* left, TIntermTyped* right,
    const TSourceLoc& place) asm("__wrap__ZN7glslang13TIntermediate8addCommaEPNS_12TIntermTypedES2_RKNS_10TSourceLocE");
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

TIntermTyped* foldOperator(const TIntermConstantUnion* left, TOperator op, const TIntermTyped* right) {
    TIntermTyped* folded = glslangFoldOperator(left, op, right);
    TIntermConstantUnion* constant = folded != nullptr ? folded->getAsConstantUnion() : nullptr;
    if (constant == nullptr) return folded;
    const TType& type = constant->getType();
    const TConstUnionArray& values = constant->getConstArray();
    const bool isQuotient = op == EOpDiv && type.getBasicType() == EbtInt;
    const bool isRepeated = type.isScalar() && values.size() > 1;
    if (!isQuotient && !isRepeated) return folded;
    TConstUnionArray changed(values, 0, isRepeated ? 1 : values.size());
    if (isQuotient) {
        const TConstUnionArray& divisor = right->getAsConstantUnion()->getConstArray();
        for (int i = 0; i < changed.size(); i++)
            if (divisor[divisor.size() == 1 ? 0 : static_cast<size_t>(i)].getIConst() == 0)
                changed[static_cast<size_t>(i)].setIConst(-1);
    }
    auto* made = new TIntermConstantUnion(changed, type);
    made->setLoc(constant->getLoc());
    return made;
}

TIntermTyped* addCommaFolded(TIntermediate* intermediate, TIntermTyped* left, TIntermTyped* right,
                             const TSourceLoc& place) {
    if (intermediate->getVersion() < 300 && left->getAsConstantUnion() && right->getAsConstantUnion()) return right;
    return glslangAddComma(intermediate, left, right, place);
}
