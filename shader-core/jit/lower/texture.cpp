// Texture lookups.
#include "shader-core/jit/lower/isa_to_llvm.h"

namespace tessera::jit {

/// Operands go to the rows of a TextureCall, the texture units are asked through Frame::sample, results come back.
IsaToLlvm::Components IsaToLlvm::texture(const Instruction& i, size_t at) {
    if (textureCall_ == nullptr) {
        llvm::IRBuilder<> entry(entryEnd_);
        textureCall_ =
            entry.CreateAlloca(llvm::ArrayType::get(entry.getInt8Ty(), sizeof(TextureCall)), nullptr, "call");
        textureCall_->setAlignment(llvm::Align(64));
    }
    Value* firstLane = frameField(offsetof(Frame, firstLane), i32_, "first.lane");
    Value* lanes = b_.CreateGEP(b_.getFloatTy(), textureCall_, b_.CreateZExt(firstLane, i64_));
    const auto row = [&](int number) {
        return byteOffset(lanes, static_cast<uint64_t>(number) * isa::kGroupSize * sizeof(float));
    };
    const auto store = [&](int number, Value* x) { b_.CreateAlignedStore(x, row(number), llvm::Align(64)); };
    const int coordinates = isa::coordinateCount(i.textureTarget);
    isa::LodMode mode = isa::LodMode::Implicit;
    for (int c = 0; c < coordinates; ++c) store(c, source(wide_, i, 0, c));
    if (i.op == isa::Op::Txb || i.op == isa::Op::Txl) {
        mode = i.op == isa::Op::Txb ? isa::LodMode::Bias : isa::LodMode::Explicit;
        store(TextureCall::kLod, source(wide_, i, 1, 0));
    } else if (i.op == isa::Op::Txd) {
        mode = isa::LodMode::Gradient;
        for (int c = 0; c < coordinates; ++c) {
            store(TextureCall::kDdx + c, source(wide_, i, 1, c));
            store(TextureCall::kDdy + c, source(wide_, i, 2, c));
        }
    }
    if (i.textureRelative)
        b_.CreateAlignedStore(b_.CreateLoad(wide_.floats(), registerVariable(isa::File::A, 0, 0)),
                              byteOffset(lanes, offsetof(TextureCall, address)), llvm::Align(64));
    const TextureDescriptor descriptor{i.textureUnit, static_cast<uint8_t>(i.textureTarget), static_cast<uint8_t>(mode),
                                       i.textureRelative};
    auto* type = llvm::FunctionType::get(b_.getVoidTy(), {pointer_, pointer_, i32_, i32_}, false);
    llvm::CallInst* call =
        b_.CreateCall(type, frameField(offsetof(Frame, sample), pointer_, "sample"),
                      {frame_, textureCall_, b_.getInt32(descriptor.pack()), b_.CreateZExt(bits(taken(i, at)), i32_)});
    call->setDoesNotThrow();
    Components result{};
    for (uint64_t c = 0; c < 4; ++c)
        if (i.dst.file == isa::File::P ? c == 0 : (i.dst.writeMask >> c & 1) != 0)
            result[c] = b_.CreateAlignedLoad(
                wide_.floats(), byteOffset(lanes, offsetof(TextureCall, result) + c * isa::kGroupSize * sizeof(float)),
                llvm::Align(64));
    return result;
}

}  // namespace tessera::jit
