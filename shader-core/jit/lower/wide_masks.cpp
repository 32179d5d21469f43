#include "shader-core/jit/lower/wide_masks.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/ConstantFolding.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PatternMatch.h>

#include "shader-core/jit/host/host.h"

namespace tessera::jit {

namespace {

using Builder = llvm::IRBuilder<>;
using llvm::Value;

/// A vector of single bits.
const llvm::FixedVectorType* maskType(const Value& x) {
    const auto* type = llvm::dyn_cast<llvm::FixedVectorType>(x.getType());
    return type != nullptr && type->getElementType()->isIntegerTy(1) ? type : nullptr;
}

/// Whether each element is 0 or -1.
bool isWideMask(const Value* x, llvm::SmallPtrSetImpl<const Value*>& seen) {
    if (const auto* constant = llvm::dyn_cast<llvm::Constant>(x))
        return constant->isNullValue() || constant->isAllOnesValue();
    if (!seen.insert(x).second) return true;
    if (const auto* extended = llvm::dyn_cast<llvm::SExtInst>(x)) return maskType(*extended->getOperand(0)) != nullptr;
    const auto* phi = llvm::dyn_cast<llvm::PHINode>(x);
    return phi != nullptr &&
           llvm::all_of(phi->incoming_values(), [&](const llvm::Use& value) { return isWideMask(value.get(), seen); });
}

class MaskWidener {
public:
    MaskWidener(llvm::Function& function, const HostLevel& host) : function_(function), host_(host) {}

    void run() {
        for (llvm::Instruction& i : llvm::instructions(function_))
            if (maskType(i) != nullptr && !isForSelectionsHere(i)) masks_.push_back(&i);
        for (llvm::Instruction* mask : masks_) (void)wide(mask);
        for (const auto& [narrow, phi] : phis_)
            for (unsigned k = 0; k < narrow->getNumIncomingValues(); ++k)
                phi->addIncoming(wide(narrow->getIncomingValue(k)), narrow->getIncomingBlock(k));
        for (llvm::Instruction* mask : masks_) replaceUses(*mask);
        for (llvm::Instruction* mask : masks_)
            if (!kept_.contains(mask)) mask->replaceAllUsesWith(llvm::PoisonValue::get(mask->getType()));
        for (llvm::Instruction* mask : masks_)
            if (!kept_.contains(mask)) mask->eraseFromParent();
    }

private:
    static bool isComparison(const llvm::Instruction& i) { return llvm::isa<llvm::CmpInst>(i); }

    /// LLVM makes the best of a comparison that only selections of the same basic block look at.
    static bool isForSelectionsHere(const llvm::Instruction& i) {
        return isComparison(i) && llvm::all_of(i.users(), [&](const llvm::User* user) {
                   const auto* select = llvm::dyn_cast<llvm::SelectInst>(user);
                   return select != nullptr && select->getCondition() == &i && select->getParent() == i.getParent() &&
                          maskType(*select) == nullptr;
               });
    }

    llvm::Type* wideType(const Value& mask) const {
        return llvm::FixedVectorType::get(llvm::Type::getInt32Ty(function_.getContext()),
                                          maskType(mask)->getNumElements());
    }

    /// The mask as integers, made where the mask is.
    Value* wide(Value* mask) {
        if (auto* constant = llvm::dyn_cast<llvm::Constant>(mask))
            return llvm::ConstantFoldCastInstruction(llvm::Instruction::SExt, constant, wideType(*mask));
        if (const auto found = wide_.find(mask); found != wide_.end()) return found->second;
        auto* instruction = llvm::dyn_cast<llvm::Instruction>(mask);
        Value* made = makeWide(*instruction);
        return wide_[mask] = made;
    }

    Value* makeWide(llvm::Instruction& mask) {
        if (auto* phi = llvm::dyn_cast<llvm::PHINode>(&mask)) {
            Builder b(phi);
            llvm::PHINode* made = b.CreatePHI(wideType(mask), phi->getNumIncomingValues());
            phis_.emplace_back(phi, made);
            return made;
        }
        Builder b(mask.getNextNode());
        if (auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(&mask); binary != nullptr && binary->isBitwiseLogicOp())
            return b.CreateBinOp(binary->getOpcode(), wide(binary->getOperand(0)), wide(binary->getOperand(1)));
        if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&mask)) {
            Value* condition = select->getCondition();
            if (maskType(*condition) != nullptr) condition = narrow(b, wide(condition));
            return b.CreateSelect(condition, wide(select->getTrueValue()), wide(select->getFalseValue()));
        }
        if (auto* bits = llvm::dyn_cast<llvm::BitCastInst>(&mask); bits != nullptr && bits->getSrcTy()->isIntegerTy())
            return spread(b, bits->getOperand(0), mask);
        Value* integers = nullptr;
        using namespace llvm::PatternMatch;
        llvm::SmallPtrSet<const Value*, 8> seen;
        if (match(&mask, m_SpecificICmp(llvm::CmpInst::ICMP_SLT, m_Value(integers), m_Zero())) &&
            integers->getType() == wideType(mask) && isWideMask(integers, seen))
            return integers;
        kept_.insert(&mask);
        return b.CreateSExt(&mask, wideType(mask));
    }

    /// Lanes whose bit is set.
    Value* spread(Builder& b, Value* bits, const Value& mask) const {
        const unsigned lanes = maskType(mask)->getNumElements();
        llvm::SmallVector<uint32_t, 32> bitOfLane;
        for (unsigned lane = 0; lane < lanes; ++lane) bitOfLane.push_back(1u << lane);
        Value* own = llvm::ConstantDataVector::get(function_.getContext(), bitOfLane);
        Value* all = b.CreateVectorSplat(lanes, b.CreateZExtOrTrunc(bits, b.getInt32Ty()));
        return b.CreateSExt(b.CreateICmpEQ(b.CreateAnd(all, own), own), wideType(mask));
    }

    static Value* narrow(Builder& b, Value* wide) {
        return b.CreateICmpSLT(wide, llvm::Constant::getNullValue(wide->getType()));
    }

    void replaceUses(llvm::Instruction& mask) {
        Value* wide = wide_[&mask];
        llvm::SmallVector<llvm::Use*, 8> uses;
        for (llvm::Use& use : mask.uses()) uses.push_back(&use);
        for (llvm::Use* use : uses) {
            auto* user = llvm::cast<llvm::Instruction>(use->getUser());
            if (user == wide || (wide_.contains(user) && !kept_.contains(user))) continue;
            Builder b(user);
            if (llvm::isa<llvm::SExtInst>(user) && user->getType() == wide->getType())
                user->replaceAllUsesWith(wide);
            else if (llvm::isa<llvm::BitCastInst>(user) && user->getType()->isIntegerTy())
                replaceBits(*user, wide);
            else
                use->set(narrow(b, wide));
        }
    }

    /// The bits of a mask: compared with none or all they are not needed.
    void replaceBits(llvm::Instruction& bits, Value* wide) const {
        llvm::SmallVector<llvm::Use*, 4> uses;
        for (llvm::Use& use : bits.uses()) uses.push_back(&use);
        Value* packed = nullptr;
        for (llvm::Use* use : uses) {
            auto* compare = llvm::dyn_cast<llvm::ICmpInst>(use->getUser());
            const auto* number =
                compare == nullptr ? nullptr : llvm::dyn_cast<llvm::ConstantInt>(compare->getOperand(1));
            if (number != nullptr && compare->isEquality() && (number->isZero() || number->isMinusOne())) {
                Builder b(compare);
                compare->replaceAllUsesWith(compareAll(b, wide, compare->getPredicate(), number->isZero()));
                continue;
            }
            if (packed == nullptr) {
                Builder b(&bits);
                packed = pack(b, wide, bits.getType());
            }
            use->set(packed);
        }
    }

    Value* part(Builder& b, Value* wide, unsigned first, unsigned lanes) const {
        llvm::SmallVector<int, 32> order;
        for (unsigned lane = 0; lane < lanes; ++lane) order.push_back(static_cast<int>(first + lane));
        return b.CreateShuffleVector(wide, order);
    }
    static unsigned lanesOf(const Value* wide) {
        return llvm::cast<llvm::FixedVectorType>(wide->getType())->getNumElements();
    }

    /// Whether no lane, or every lane, is set, or the contrary: one register is tested.
    Value* compareAll(Builder& b, Value* wide, llvm::CmpInst::Predicate predicate, bool none) const {
        for (unsigned lanes = lanesOf(wide) / 2; lanes * 32 >= host_.registerBits; lanes /= 2) {
            Value *low = part(b, wide, 0, lanes), *high = part(b, wide, lanes, lanes);
            wide = none ? b.CreateOr(low, high) : b.CreateAnd(low, high);
        }
        llvm::Type* type = b.getIntNTy(lanesOf(wide));
        Value* bits = b.CreateBitCast(narrow(b, wide), type);
        return b.CreateICmp(predicate, bits,
                            none ? llvm::Constant::getNullValue(type) : llvm::Constant::getAllOnesValue(type));
    }

    /// A bit for each lane: the signs of each register.
    Value* pack(Builder& b, Value* wide, llvm::Type* type) const {
        if (host_.signs == llvm::Intrinsic::not_intrinsic) return b.CreateBitCast(narrow(b, wide), type);
        const unsigned lanes = host_.registerBits / 32;
        Value* floats = b.CreateBitCast(wide, llvm::FixedVectorType::get(b.getFloatTy(), lanesOf(wide)));
        Value* bits = nullptr;
        for (unsigned first = 0; first < lanesOf(wide); first += lanes) {
            Value* signs = b.CreateIntrinsic(host_.signs, {}, {part(b, floats, first, lanes)});
            bits = bits == nullptr ? signs : b.CreateOr(bits, b.CreateShl(signs, first));
        }
        return b.CreateZExtOrTrunc(bits, type);
    }

    llvm::Function& function_;
    const HostLevel& host_;
    llvm::SmallVector<llvm::Instruction*, 32> masks_;
    llvm::DenseMap<Value*, Value*> wide_;
    llvm::SmallPtrSet<const Value*, 16> kept_;  ///< whose integers are made of them
    llvm::SmallVector<std::pair<llvm::PHINode*, llvm::PHINode*>, 8> phis_;
};

}  // namespace

void widenMasks(llvm::Function& function, const HostLevel& host) { MaskWidener(function, host).run(); }

}  // namespace tessera::jit
