#include "shader-core/jit/codegen/parts.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include "shader-core/jit/codegen/cost.h"
#include "shader-core/jit/host/host.h"
#include "shader-core/jit/lower/lane_calls.h"
#include "shader-core/jit/run/frame.h"

namespace tessera::jit {

namespace {

/// As many instructions of expectedSize() are 24 to 33 KB, with what values on the stack take besides. First caches of
/// instructions have 32 or 64.
constexpr uint64_t kMostInstructions = 3200;

/// Calls are of sixteen lanes, whoever makes them.
bool isStraightWithoutCalls(const llvm::Function& function) {
    return function.size() == 1 && std::ranges::none_of(function.front(), [](const llvm::Instruction& i) {
               return llvm::isa<llvm::CallBase>(i) && !llvm::isa<llvm::IntrinsicInst>(i);
           });
}

bool isFree(const llvm::Instruction& i) {
    return llvm::isa<llvm::GetElementPtrInst>(i) || llvm::isa<llvm::BitCastInst>(i);
}

/// Cycles until what waits for a result can begin, of processors of our days.
uint64_t latencyOf(const llvm::Instruction& i) {
    constexpr uint64_t kArithmetic = 4, kLoad = 6, kDivision = 12, kRounding = 8, kOther = 1;
    if (isFree(i)) return 0;
    if (llvm::isa<llvm::LoadInst>(i)) return kLoad;
    if (i.getOpcode() == llvm::Instruction::FDiv) return kDivision;
    if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i)) {
        switch (call->getIntrinsicID()) {
            case llvm::Intrinsic::sqrt:
                return kDivision;
            case llvm::Intrinsic::floor:
            case llvm::Intrinsic::trunc:
            case llvm::Intrinsic::roundeven:
                return kRounding;
            default:
                return kArithmetic;
        }
    }
    const bool hasFloats = std::ranges::any_of(
        i.operands(), [](const llvm::Use& operand) { return operand->getType()->isFPOrFPVectorTy(); });
    return hasFloats && !llvm::isa<llvm::SelectInst>(i) ? kArithmetic : kOther;
}

/// How long a straight function takes when one of `parts` of its lanes runs, in thirds of a cycle: three instructions
/// begin in a cycle, in their order, as long as the one that is `kWindow` before has its result, and each waits for its
/// operands. Measured are 2.9 to 3.2 in a cycle.
uint64_t timeOf(const llvm::Function& function, SimdLevel level, unsigned parts) {
    constexpr uint64_t kWindow = 256;
    struct Step {
        uint64_t behind;   ///< instructions up to this one
        uint64_t results;  ///< when all of those have their results
    };
    std::vector<Step> steps;
    llvm::DenseMap<const llvm::Value*, uint64_t> ready;
    size_t oldest = 0;
    uint64_t count = 0, begun = 0, results = 0;
    for (const llvm::Instruction& i : function.front()) {
        const uint64_t size = isFree(i) ? 0 : std::max<uint64_t>(1, expectedSize(i, level) / parts);
        count += size;
        for (; oldest < steps.size() && steps[oldest].behind + kWindow <= count; ++oldest)
            begun = std::max(begun, steps[oldest].results);
        begun += size;
        uint64_t start = begun;
        for (const llvm::Value* operand : i.operands())
            if (const auto found = ready.find(operand); found != ready.end()) start = std::max(start, found->second);
        results = std::max(results, ready[&i] = start + 3 * latencyOf(i));
        steps.push_back({count, results});
    }
    return results;
}

}  // namespace

unsigned lanesAtATime(const llvm::Function& block, SimdLevel level, unsigned least) {
    constexpr unsigned kLaneBits = 32;
    const uint64_t size = expectedSize(block, level);
    if (size <= kMostInstructions || !isStraightWithoutCalls(block)) return kBlockLanes;
    least = std::max(least, hostLevel(level).registerBits / kLaneBits);
    unsigned lanes = kBlockLanes;
    while (lanes > least && size * lanes > kMostInstructions * kBlockLanes) lanes /= 2;
    const uint64_t whole = timeOf(block, level, 1);
    const auto isSlower = [&](unsigned parts) { return timeOf(block, level, parts) * parts > whole + whole / 10; };
    while (lanes < kBlockLanes && isSlower(kBlockLanes / lanes)) lanes *= 2;
    return lanes;
}

void runInParts(llvm::Function& part, unsigned lanes) {
    llvm::Module& module = *part.getParent();
    llvm::LLVMContext& context = module.getContext();
    part.setName("part");
    part.setLinkage(llvm::Function::InternalLinkage);
    part.addFnAttr(llvm::Attribute::NoInline);
    // Before the part, which counts as its code where it lies behind.
    auto* block =
        llvm::Function::Create(part.getFunctionType(), llvm::Function::ExternalLinkage, kBlockFunctionName, module);
    block->removeFromParent();
    module.getFunctionList().insert(part.getIterator(), block);
    block->copyAttributesFrom(&part);
    block->setLinkage(llvm::Function::ExternalLinkage);
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "entry", block));
    llvm::Value* frame = block->getArg(0);
    struct Field {
        llvm::Value *place, *first;
    };
    std::vector<Field> fields;
    for (const size_t offset : {offsetof(Frame, inputs), offsetof(Frame, outputs), offsetof(Frame, specials)}) {
        llvm::Value* place = b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), frame, offset);
        fields.push_back({place, b.CreateLoad(b.getPtrTy(), place)});
    }
    for (unsigned lane = 0; lane < kBlockLanes; lane += lanes) {
        if (lane != 0)
            for (const Field& field : fields)
                b.CreateStore(b.CreateConstGEP1_64(b.getFloatTy(), field.first, lane), field.place);
        b.CreateCall(&part, {frame});
    }
    for (const Field& field : fields) b.CreateStore(field.first, field.place);
    b.CreateRetVoid();
}

}  // namespace tessera::jit
