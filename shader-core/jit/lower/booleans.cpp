#include "shader-core/jit/lower/booleans.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace tessera::jit {

namespace {

using llvm::Value;

class Booleans {
public:
    /// The lanes in which a value is 1.0, where it is 0.0 in all others; null where that cannot be told. What is made
    /// for it stands behind the value, so that all that uses the value may use it.
    Value* maskOf(Value* value) {
        if (const auto found = masks_.find(value); found != masks_.end()) return found->second;
        masks_[value] = nullptr;  // of a value that depends on itself nothing is known
        Value* mask = make(value);
        masks_[value] = mask;
        return mask;
    }

    /// What the comparison gives, as masks; null where it is one of other numbers.
    Value* resolved(llvm::FCmpInst& compare) {
        Value *a = maskOf(compare.getOperand(0)), *b = a != nullptr ? maskOf(compare.getOperand(1)) : nullptr;
        if (b == nullptr) return nullptr;
        llvm::IRBuilder<> build(&compare);
        // There are no NaNs among them, so that ordered or not is the same.
        switch (compare.getPredicate() | llvm::CmpInst::FCMP_UNO) {
            case llvm::CmpInst::FCMP_UEQ:
                return build.CreateNot(build.CreateXor(a, b));
            case llvm::CmpInst::FCMP_UNE:
                return build.CreateXor(a, b);
            case llvm::CmpInst::FCMP_ULT:
                return build.CreateAnd(build.CreateNot(a), b);
            case llvm::CmpInst::FCMP_UGT:
                return build.CreateAnd(a, build.CreateNot(b));
            case llvm::CmpInst::FCMP_UGE:
                return build.CreateOr(a, build.CreateNot(b));
            case llvm::CmpInst::FCMP_ULE:
                return build.CreateOr(build.CreateNot(a), b);
            default:
                return nullptr;
        }
    }

private:
    Value* make(Value* value) {
        llvm::Type* masks = value->getType()->getWithNewType(llvm::Type::getInt1Ty(value->getContext()));
        if (llvm::PatternMatch::match(value, llvm::PatternMatch::m_PosZeroFP()))
            return llvm::Constant::getNullValue(masks);
        if (llvm::PatternMatch::match(value, llvm::PatternMatch::m_FPOne()))
            return llvm::Constant::getAllOnesValue(masks);
        auto* select = llvm::dyn_cast<llvm::SelectInst>(value);
        if (select == nullptr || select->getCondition()->getType() != masks) return nullptr;
        Value *a = maskOf(select->getTrueValue()), *b = a != nullptr ? maskOf(select->getFalseValue()) : nullptr;
        if (b == nullptr) return nullptr;
        llvm::IRBuilder<> build(select);
        Value* condition = select->getCondition();
        return build.CreateOr(build.CreateAnd(condition, a), build.CreateAnd(build.CreateNot(condition), b));
    }

    llvm::DenseMap<Value*, Value*> masks_;
};

}  // namespace

void resolveBooleans(llvm::Function& function) {
    llvm::SmallVector<llvm::FCmpInst*, 32> compares;
    for (llvm::Instruction& i : llvm::instructions(function))
        if (auto* compare = llvm::dyn_cast<llvm::FCmpInst>(&i)) compares.push_back(compare);
    Booleans booleans;
    for (llvm::FCmpInst* compare : compares) {
        // The comparison stays, as the masks of other values may name it; what nobody uses is removed later.
        if (Value* mask = booleans.resolved(*compare)) compare->replaceAllUsesWith(mask);
    }
}

}  // namespace tessera::jit
