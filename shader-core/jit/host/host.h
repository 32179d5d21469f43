// What the JIT knows of the processor it compiles for, in one place: host_x86_64.cpp or host_aarch64.cpp.
#pragma once

#include <string>

#include <llvm/IR/Intrinsics.h>

#include "base/simd_levels.h"

namespace tessera::jit {

/// A SIMD level.
struct HostLevel {
    const char* processor;  ///< LLVM's name for one that has the level and no more
    unsigned registerBits;  ///< of a vector register
    bool hasFma;            ///< else lane_functions_simd.cpp emulates it
    bool hasMasks;          ///< mask registers; masked loads, stores, gathers and scatters that cost no branches
    bool hasMinNum;         ///< canonical.h keepComparisons()
    bool widensMasks;       ///< of vertex and fragment programs: wide_masks.h
    /// The intrinsic that picks sixteen floats by number from (sixteen, numbers, sixteen more); 0: none.
    llvm::Intrinsic::ID permute;
    /// The intrinsic that gives the signs of a register of floats as bits; 0: none, or packing is as short.
    llvm::Intrinsic::ID signs;
};
[[nodiscard]] const HostLevel& hostLevel(SimdLevel level);

inline constexpr const char* kHostTriple =
#if defined(__x86_64__)
    "x86_64-pc-linux-gnu";
#elif defined(__aarch64__)
    "aarch64-unknown-linux-gnu";
#endif

/// Makes kHostTriple known to LLVM.
void initialiseHost();

/// Inline assembly that calls the MemoryFunction at an offset of the frame, its operands in the registers that
/// `constraints` names.
struct KeepingCall {
    std::string text;
    const char* constraints;
};
[[nodiscard]] KeepingCall keepingCall(size_t offset);

}  // namespace tessera::jit
