#include "shader-core/jit/codegen/cost.h"

#include <algorithm>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "shader-core/isa/isa.h"
#include "shader-core/jit/host/host.h"

namespace tessera::jit {

namespace {

uint64_t lanesOf(const llvm::Type* type) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    return vector != nullptr ? vector->getNumElements() : 1;
}

}  // namespace

bool tooManyVariables(const llvm::Function& function) {
    constexpr size_t kMaxPlaces = 500'000;
    // Masks live in few blocks.
    const auto isRegister = [](const llvm::Instruction& instruction) {
        const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
        return variable != nullptr && variable->getAllocatedType()->getScalarType()->isFloatTy();
    };
    const auto registers = std::ranges::count_if(function.getEntryBlock(), isRegister);
    return static_cast<size_t>(registers) * function.size() > kMaxPlaces;
}

uint64_t expectedSize(const llvm::Instruction& instruction, SimdLevel level) {
    const HostLevel& host = hostLevel(level);
    // What an instruction works on: a comparison's operands, not its mask.
    const bool hasResult = !instruction.getType()->isVoidTy();
    const llvm::Type* type = hasResult ? instruction.getType() : nullptr;
    for (const llvm::Value* operand : instruction.operands())
        if (type == nullptr || operand->getType()->getPrimitiveSizeInBits() > type->getPrimitiveSizeInBits())
            type = operand->getType();
    const uint64_t bits = type != nullptr ? type->getPrimitiveSizeInBits().getFixedValue() : 0;
    const uint64_t registers = std::max<uint64_t>(1, bits / host.registerBits);
    if (const auto* intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
        const bool isGather = intrinsic->getIntrinsicID() == llvm::Intrinsic::masked_gather;
        const bool isScatter = intrinsic->getIntrinsicID() == llvm::Intrinsic::masked_scatter;
        // Without an instruction for it lane by lane: an address, an access, and moving the element.
        if (isGather || isScatter) return host.hasMasks ? 3 * registers : 3 * lanesOf(type);
    }
    return registers;
}

uint64_t expectedSize(const llvm::Function& function, SimdLevel level) {
    uint64_t size = 0;
    for (const llvm::Instruction& instruction : llvm::instructions(function)) size += expectedSize(instruction, level);
    return size;
}

uint64_t countLoops(llvm::Function& function) {
    const llvm::DominatorTree tree(function);
    return llvm::LoopInfo(tree).getLoopsInPreorder().size();
}

Effort effortFor(uint64_t size, uint64_t blocks, uint64_t loops) {
    if (size <= kMaxFullSize && blocks <= kMaxFullBlocks && loops <= kMaxFullLoops) return Effort::Full;
    return size <= kMaxQuickSize ? Effort::Quick : Effort::Refused;
}

}  // namespace tessera::jit
