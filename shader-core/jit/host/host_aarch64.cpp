#include <llvm/Support/TargetSelect.h>

#include "shader-core/jit/host/host.h"

namespace tessera::jit {

const HostLevel& hostLevel(SimdLevel) {
    static constexpr HostLevel kNeon = {
        "generic", 128, true, false, true, false, llvm::Intrinsic::not_intrinsic, llvm::Intrinsic::not_intrinsic};
    return kNeon;
}

void initialiseHost() {
    LLVMInitializeAArch64TargetInfo();
    LLVMInitializeAArch64Target();
    LLVMInitializeAArch64TargetMC();
    LLVMInitializeAArch64AsmPrinter();
    LLVMInitializeAArch64AsmParser();  // keepingCall()
}

KeepingCall keepingCall(size_t offset) {
    return {"ldr x16, [x0, #" + std::to_string(offset) + "]\nblr x16",
            "{x0},{x1},{x2},{w3},~{memory},~{x16},~{x17},~{lr},~{cc}"};
}

}  // namespace tessera::jit
