#include "shader-core/jit/lower/block_values.h"

#include <unordered_map>
#include <unordered_set>

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

namespace tessera::jit {

namespace {

using Variables = std::unordered_set<const llvm::Value*>;

void forwardIn(llvm::BasicBlock& block, const Variables& variables) {
    struct Known {
        llvm::Value* value = nullptr;
        llvm::StoreInst* last = nullptr;  ///< that is still to be seen at the block's end
    };
    std::unordered_map<const llvm::Value*, Known> known;
    for (auto at = block.begin(); at != block.end();) {
        llvm::Instruction& instruction = *at++;
        if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
            if (!variables.contains(load->getPointerOperand())) continue;
            Known& one = known[load->getPointerOperand()];
            if (one.value != nullptr) {
                load->replaceAllUsesWith(one.value);
                load->eraseFromParent();
                continue;
            }
            one.value = load;
            if (llvm::Instruction& first = *block.getFirstInsertionPt(); &first != load) load->moveBefore(&first);
        } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
            if (!variables.contains(store->getPointerOperand())) continue;
            Known& one = known[store->getPointerOperand()];
            if (one.last != nullptr) one.last->eraseFromParent();
            one = {store->getValueOperand(), store};
        }
    }
}

}  // namespace

void forwardInBlocks(llvm::Function& function) {
    Variables variables;
    for (const llvm::Instruction& instruction : function.getEntryBlock())
        if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
            variable != nullptr && llvm::isAllocaPromotable(variable))
            variables.insert(variable);
    for (llvm::BasicBlock& block : function)
        if (&block != &function.getEntryBlock()) forwardIn(block, variables);
}

}  // namespace tessera::jit
