#include "shader-core/jit/analysis/cost.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include "shader-core/jit/analysis/host.h"

namespace tessera::jit {

namespace {

uint64_t lanesOf(const llvm::Type* type) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    return vector != nullptr ? vector->getNumElements() : 1;
}

uint64_t sizeOf(const llvm::Instruction& instruction, const HostLevel& host) {
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

uint64_t expectedSize(const llvm::Function& function, SimdLevel level) {
    const HostLevel& host = hostLevel(level);
    uint64_t size = 0;
    for (const llvm::Instruction& instruction : llvm::instructions(function)) size += sizeOf(instruction, host);
    return size;
}

uint64_t countLoops(llvm::Function& function) {
    const llvm::DominatorTree tree(function);
    return llvm::LoopInfo(tree).getLoopsInPreorder().size();
}

uint64_t valuesAlive(const llvm::Function& function) {
    const auto isVector = [](const llvm::Value* value) { return value->getType()->isVectorTy(); };
    std::unordered_map<const llvm::BasicBlock*, size_t> number;
    for (const llvm::BasicBlock& block : function) number.emplace(&block, number.size());
    const auto placeOf = [&](const llvm::Use& use) {
        const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
        const auto* phi = llvm::dyn_cast<llvm::PHINode>(user);
        return number.at(phi != nullptr ? phi->getIncomingBlock(use) : user->getParent());
    };
    // Values that several blocks see: how many more there are from a block on.
    std::vector<int64_t> more(number.size() + 1);
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
        if (!isVector(&instruction) || !instruction.isUsedOutsideOfBlock(instruction.getParent())) continue;
        size_t first = number.at(instruction.getParent()), last = first;
        for (const llvm::Use& use : instruction.uses()) {
            const size_t place = placeOf(use);
            first = std::min(first, place), last = std::max(last, place);
        }
        ++more[first], --more[last + 1];
    }
    int64_t seen = 0;
    uint64_t most = 0;
    std::unordered_set<const llvm::Value*> alive;  // of a block's own values
    for (const llvm::BasicBlock& block : function) {
        seen += more[number.at(&block)];
        alive.clear();
        for (const llvm::Instruction& instruction : llvm::reverse(block)) {
            alive.erase(&instruction);
            if (llvm::isa<llvm::PHINode>(instruction)) continue;
            for (const llvm::Value* operand : instruction.operands()) {
                const auto* made = llvm::dyn_cast<llvm::Instruction>(operand);
                if (made != nullptr && made->getParent() == &block && isVector(made)) alive.insert(made);
            }
            most = std::max<uint64_t>(most, static_cast<uint64_t>(seen) + alive.size());
        }
    }
    return most;
}

Effort effortFor(const CodeCost& cost) {
    if (cost.size > kMaxQuickSize) return Effort::Refused;
    const bool isModest = cost.size <= kMaxFullSize && cost.blocks <= kMaxFullBlocks && cost.loops <= kMaxFullLoops &&
                          cost.size * cost.alive <= kMaxFullPressure;
    return isModest ? Effort::Full : Effort::Quick;
}

}  // namespace tessera::jit
