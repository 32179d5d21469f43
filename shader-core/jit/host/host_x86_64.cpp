#include <llvm/IR/IntrinsicsX86.h>
#include <llvm/Support/TargetSelect.h>

#include "shader-core/jit/host/host.h"

namespace tessera::jit {

const HostLevel& hostLevel(SimdLevel level) {
    constexpr llvm::Intrinsic::ID kNone = llvm::Intrinsic::not_intrinsic;
    static constexpr HostLevel kLevels[kSimdLevelCount] = {
        {"x86-64-v2", 128, false, false, false, true, kNone, kNone},
        {"x86-64-v3", 256, true, false, false, true, kNone, llvm::Intrinsic::x86_avx_movmsk_ps_256},
        {"x86-64-v4", 512, true, true, false, false, llvm::Intrinsic::x86_avx512_vpermi2var_ps_512, kNone}};
    return kLevels[static_cast<size_t>(level)];
}

void initialiseHost() {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();  // keepingCall()
}

KeepingCall keepingCall(size_t offset) {
    return {"callq *" + std::to_string(offset) + "(%rdi)",
            "{rdi},{rsi},{rdx},{ecx},~{memory},~{dirflag},~{fpsr},~{flags}"};
}

}  // namespace tessera::jit
