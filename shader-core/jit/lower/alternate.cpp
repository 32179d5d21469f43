#include "shader-core/jit/lower/alternate.h"

#include <vector>

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "base/check.h"
#include "shader-core/jit/lower/lane_calls.h"
#include "shader-core/jit/run/lane_functions.h"

namespace tessera::jit {

namespace {

/// The call of a lane function's wrapper, or, `inside` it, of its bitcode; else null.
llvm::CallInst* laneCall(llvm::Instruction& i, bool inside) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
    llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
    if (callee == nullptr || callee->size() != 1) return nullptr;
    return callee->getName().starts_with(inside ? kInlinePrefix : kWrapperPrefix) ? call : nullptr;
}

/// The other block's call: the next one of the same function, behind nothing but the selection of its operands.
llvm::CallInst* twinOf(llvm::CallInst& call) {
    for (llvm::Instruction* next = call.getNextNode(); next != nullptr; next = next->getNextNode()) {
        if (llvm::CallInst* twin = laneCall(*next, false))
            return twin->getCalledFunction() == call.getCalledFunction() ? twin : nullptr;
        if (!llvm::isa<llvm::ShuffleVectorInst>(next)) return nullptr;
        for (const llvm::Value* operand : next->operands())
            if (operand == &call) return nullptr;
    }
    return nullptr;
}

void inlineCall(llvm::CallInst& call) {
    llvm::InlineFunctionInfo info;
    CHECK(llvm::InlineFunction(call, info).isSuccess());
}

/// What a call became, with the bitcode inside it: instructions between `before`, if any, and `behind`.
std::vector<llvm::Instruction*> inlined(llvm::CallInst& call) {
    llvm::BasicBlock* block = call.getParent();
    llvm::Instruction *before = call.getPrevNode(), *behind = call.getNextNode();
    const auto first = [&] { return before == nullptr ? &block->front() : before->getNextNode(); };
    inlineCall(call);
    for (llvm::Instruction* i = first(); i != behind; i = i->getNextNode()) {
        if (llvm::CallInst* inner = laneCall(*i, true)) {
            inlineCall(*inner);
            break;
        }
    }
    std::vector<llvm::Instruction*> instructions;
    for (llvm::Instruction* i = first(); i != behind; i = i->getNextNode()) instructions.push_back(i);
    return instructions;
}

}  // namespace

void inlineAlternating(llvm::Function& function) {
    std::vector<std::pair<llvm::CallInst*, llvm::CallInst*>> twins;
    llvm::CallInst* last = nullptr;
    for (llvm::Instruction& i : llvm::instructions(function)) {
        llvm::CallInst* call = laneCall(i, false);
        if (call == nullptr || call == last) continue;
        last = twinOf(*call);
        if (last != nullptr) twins.emplace_back(call, last);
    }
    for (const auto& [call, twin] : twins) {
        call->moveBefore(twin);
        const std::vector<llvm::Instruction*> one = inlined(*call), other = inlined(*twin);
        if (one.size() != other.size()) continue;
        for (size_t k = 0; k < one.size(); ++k) other[k]->moveAfter(one[k]);
    }
}

}  // namespace tessera::jit
