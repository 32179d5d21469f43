#include "shader-core/jit/lower/lane_calls.h"

#include "base/check.h"
#include "shader-core/isa/isa.h"
#include "shader-core/jit/run/lane_functions.h"

namespace tessera::jit {

namespace {

llvm::Type* blockType(llvm::LLVMContext& context) {
    return llvm::FixedVectorType::get(llvm::Type::getFloatTy(context), kBlockLanes);
}

}  // namespace

/// Sixteen lanes at a time; of one value all lanes have it, of fewer values those that are left over have anything.
llvm::Value* LaneCalls::call(llvm::IRBuilder<>& b, const std::string& name,
                             const std::vector<llvm::Value*>& arguments) {
    const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(arguments[0]->getType());
    const unsigned width = vector == nullptr ? 1 : vector->getNumElements();
    if (width == kBlockLanes) return callBlock(b, name, arguments);
    std::vector<llvm::Value*> results;
    const auto part = [&](llvm::Value* x, unsigned block) -> llvm::Value* {
        if (width == 1) return b.CreateVectorSplat(kBlockLanes, x);
        llvm::SmallVector<int, kBlockLanes> order;
        for (unsigned lane = 0; lane < kBlockLanes; ++lane)
            order.push_back(lane < width ? static_cast<int>(block * kBlockLanes + lane) : llvm::PoisonMaskElem);
        return b.CreateShuffleVector(x, order);
    };
    for (unsigned block = 0; block == 0 || block * kBlockLanes < width; ++block) {
        std::vector<llvm::Value*> parts;
        for (llvm::Value* x : arguments) parts.push_back(part(x, block));
        results.push_back(callBlock(b, name, parts));
    }
    if (width == 1) return b.CreateExtractElement(results[0], uint64_t{0});
    llvm::SmallVector<int, isa::kGroupSize> order;
    for (unsigned lane = 0; lane < width; ++lane) order.push_back(static_cast<int>(lane));
    return b.CreateShuffleVector(results.front(), results.back(), order);
}

/// Stores its operands, calls, loads the result. The wrapper is always inlined; what it calls is bitcode while the
/// program is small, else native code.
llvm::Value* LaneCalls::callBlock(llvm::IRBuilder<>& b, const std::string& name,
                                  const std::vector<llvm::Value*>& arguments) {
    const int size = laneFunction(name).size;
    const bool inlined = takesIn_ && host_.hasFma && size <= roomInside_;
    if (inlined) roomInside_ -= size;
    const std::string wrapperName = kWrapperPrefix + name + (inlined ? ".inline" : ".call");
    llvm::Function* wrapper = module_.getFunction(wrapperName);
    if (wrapper == nullptr)
        wrapper = makeWrapper(wrapperName, std::string(inlined ? kInlinePrefix : kCallPrefix) + name, arguments.size());
    return b.CreateCall(wrapper, arguments);
}

llvm::Function* LaneCalls::makeWrapper(const std::string& name, const std::string& target, size_t arguments) {
    llvm::LLVMContext& context = module_.getContext();
    llvm::Type* const floats = blockType(context);
    const std::vector<llvm::Type*> types(arguments, floats),
        pointers(arguments + 1, llvm::PointerType::getUnqual(context));
    auto* wrapper = llvm::Function::Create(llvm::FunctionType::get(floats, types, false),
                                           llvm::Function::InternalLinkage, name, module_);
    addTargetAttributes(*wrapper);
    wrapper->setDoesNotAccessMemory();
    wrapper->setDoesNotThrow();
    wrapper->setWillReturn();
    wrapper->addFnAttr(llvm::Attribute::AlwaysInline);
    auto* callee = llvm::cast<llvm::Function>(
        module_.getOrInsertFunction(target, llvm::FunctionType::get(llvm::Type::getVoidTy(context), pointers, false))
            .getCallee());
    callee->setDoesNotThrow();
    callee->setWillReturn();
    callee->setOnlyAccessesArgMemory();
    llvm::IRBuilder<> b(llvm::BasicBlock::Create(context, "entry", wrapper));
    std::vector<llvm::Value*> places;
    for (llvm::Argument& argument : wrapper->args()) {
        llvm::Value* place = b.CreateAlloca(floats);
        b.CreateStore(&argument, place);
        places.push_back(place);
    }
    places.push_back(b.CreateAlloca(floats));
    b.CreateCall(callee, places);
    b.CreateRet(b.CreateLoad(floats, places.back()));
    return wrapper;
}

void LaneCalls::addTargetAttributes(llvm::Function& function) const {
    const llvm::Function* model = module_.getFunction(std::string(kInlinePrefix) + "rsq");
    CHECK(model != nullptr);
    for (const char* name : {"target-cpu", "target-features", "tune-cpu", "prefer-vector-width"})
        if (model->hasFnAttribute(name)) function.addFnAttr(model->getFnAttribute(name));
    if (host_.registerBits == 512) function.addFnAttr("min-legal-vector-width", "512");
}

}  // namespace tessera::jit
