// Small helpers over glslang's syntax tree.
#pragma once

#include <glslang/MachineIndependent/localintermediate.h>

namespace tessera::glsl::front {

/// Calls visit(child) for every child of the node, in evaluation order. Null children are skipped.
template <class Visit>
void forEachChild(TIntermNode* node, Visit visit) {
    auto call = [&](TIntermNode* child) {
        if (child) visit(child);
    };
    if (auto* aggregate = node->getAsAggregate()) {
        for (TIntermNode* child : aggregate->getSequence()) call(child);
    } else if (auto* binary = node->getAsBinaryNode()) {
        call(binary->getLeft());
        call(binary->getRight());
    } else if (auto* unary = node->getAsUnaryNode()) {
        call(unary->getOperand());
    } else if (auto* selection = node->getAsSelectionNode()) {
        call(selection->getCondition());
        call(selection->getTrueBlock());
        call(selection->getFalseBlock());
    } else if (auto* loop = node->getAsLoopNode()) {
        call(loop->getTest());
        call(loop->getBody());
        call(loop->getTerminal());
    } else if (auto* choice = node->getAsSwitchNode()) {
        call(choice->getCondition());
        call(choice->getBody());
    } else if (auto* branch = node->getAsBranchNode()) {
        call(branch->getExpression());
    }
}

/// Operators that write their first operand.
[[nodiscard]] bool isAssignment(glslang::TOperator op);

/// The symbol at the root of a chain of index and swizzle operations; null when the root is another expression.
[[nodiscard]] glslang::TIntermSymbol* rootSymbol(TIntermNode* node);

/// An integer constant node's value.
[[nodiscard]] int constantInt(TIntermNode* node);

}  // namespace tessera::glsl::front
