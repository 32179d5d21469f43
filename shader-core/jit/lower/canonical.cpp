#include "shader-core/jit/lower/canonical.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "shader-core/jit/lower/lane_builder.h"
#include "shader-core/jit/lower/lookups.h"

namespace tessera::jit {

namespace {

enum class Use {
    Indifferent,  ///< the bits of a NaN operand cannot be seen in the result
    PassedOn,     ///< they can where those of the result can
    Seen,
};

Use useOfIntrinsic(const llvm::IntrinsicInst& call) {
    switch (call.getIntrinsicID()) {
        case llvm::Intrinsic::fma:
        case llvm::Intrinsic::sqrt:
        case llvm::Intrinsic::floor:
        case llvm::Intrinsic::trunc:
        case llvm::Intrinsic::roundeven:
            return Use::Indifferent;
        case llvm::Intrinsic::fabs:
            return Use::PassedOn;
        default:
            return Use::Seen;
    }
}

Use useOf(const llvm::Instruction& user) {
    switch (user.getOpcode()) {
        case llvm::Instruction::FAdd:
        case llvm::Instruction::FSub:
        case llvm::Instruction::FMul:
        case llvm::Instruction::FDiv:
        case llvm::Instruction::FCmp:
        case llvm::Instruction::FPToSI:
        case llvm::Instruction::FPToUI:
            return Use::Indifferent;
        case llvm::Instruction::PHI:
        case llvm::Instruction::Select:
        case llvm::Instruction::FNeg:
        case llvm::Instruction::FPExt:
        case llvm::Instruction::ShuffleVector:
            return Use::PassedOn;
        case llvm::Instruction::Call: {
            if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&user)) return useOfIntrinsic(*call);
            const llvm::Function* callee = llvm::cast<llvm::CallInst>(user).getCalledFunction();
            if (callee == nullptr) return Use::Seen;
            // What the lane functions give is made canonical as what arithmetic gives is; lookups read texels, the same
            // ones.
            const llvm::StringRef name = callee->getName();
            return name == kLookupName || name.starts_with(kCanonicalName) || name.starts_with(kWrapperPrefix)
                       ? Use::Indifferent
                       : Use::Seen;
        }
        default:
            return Use::Seen;
    }
}

bool isCanonical(const llvm::Instruction& i) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&i);
    return call != nullptr && call->getCalledFunction() != nullptr &&
           call->getCalledFunction()->getName().starts_with(kCanonicalName);
}

/// Values whose NaN bits can be seen.
llvm::DenseSet<llvm::Value*> findSeen(llvm::Function& function) {
    llvm::DenseSet<llvm::Value*> seen;
    llvm::SmallVector<llvm::Instruction*, 64> work;
    const auto markOperands = [&](llvm::Instruction& user) {
        for (llvm::Value* operand : user.operands()) {
            auto* instruction = llvm::dyn_cast<llvm::Instruction>(operand);
            if (instruction == nullptr || !instruction->getType()->isFPOrFPVectorTy()) continue;
            if (seen.insert(instruction).second) work.push_back(instruction);
        }
    };
    for (llvm::Instruction& i : llvm::instructions(function))
        if (useOf(i) == Use::Seen) markOperands(i);
    while (!work.empty()) {
        llvm::Instruction* value = work.pop_back_val();
        if (useOf(*value) == Use::PassedOn) markOperands(*value);
    }
    return seen;
}

}  // namespace

void resolveCanonical(llvm::Function& function) {
    const llvm::DenseSet<llvm::Value*> seen = findSeen(function);
    llvm::SmallVector<llvm::CallInst*, 64> calls;
    for (llvm::Instruction& i : llvm::instructions(function))
        if (isCanonical(i)) calls.push_back(llvm::cast<llvm::CallInst>(&i));
    for (llvm::CallInst* call : calls) {
        llvm::Value* x = call->getArgOperand(0);
        if (seen.contains(call)) {
            llvm::IRBuilder<> b(call);
            const llvm::APFloat nan(llvm::APFloat::IEEEsingle(), llvm::APInt(32, 0x7fc00000));
            llvm::Value* quiet = llvm::ConstantFP::get(x->getType(), nan);
            x = b.CreateSelect(b.CreateFCmpUNO(x, x), quiet, x);
        }
        call->replaceAllUsesWith(x);
        call->eraseFromParent();
    }
}

void keepComparisons(llvm::Function& function) {
    for (llvm::Instruction& i : llvm::instructions(function)) {
        auto* select = llvm::dyn_cast<llvm::SelectInst>(&i);
        auto* compare = select != nullptr ? llvm::dyn_cast<llvm::FCmpInst>(select->getCondition()) : nullptr;
        if (compare == nullptr) continue;
        llvm::IRBuilder<> b(select);
        llvm::Value* x = b.CreateFreeze(compare->getOperand(0));
        llvm::Value* y = b.CreateFreeze(compare->getOperand(1));
        select->setCondition(b.CreateFCmp(compare->getPredicate(), x, y));
    }
}

}  // namespace tessera::jit
