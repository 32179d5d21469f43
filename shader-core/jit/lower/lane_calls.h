// Calls of lane functions (lane_functions_simd.cpp) out of the code that is made.
#pragma once

#include <string>
#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include "shader-core/jit/host/host.h"

namespace tessera::jit {

inline constexpr unsigned kBlockLanes = 16;  ///< of graphics programs that are no pairs, and of a lane function

/// Lane functions are inlined up to this many instructions for sixteen lanes; code generation takes time.
inline constexpr int kMaxInlinedSize = 250;
/// The same where a register has sixteen lanes, so that they are short, and there are enough registers for what lives
/// on.
inline constexpr int kMaxInlinedSizeWide = 1200;
/// Emulated fma() of a program that need no call, a hundred instructions each.
inline constexpr int kMaxInlinedFmas = 32;

/// Prefix of the functions over vectors that wrap those of lane_functions_simd.cpp.
inline constexpr const char* kWrapperPrefix = "tessera.lane.";

class LaneCalls {
public:
    /// `module` holds the lane functions of the level as bitcode. `inlinedSize`: how many instructions of them a
    /// program may take in; after that native code is called.
    LaneCalls(llvm::Module& module, const HostLevel& host, int inlinedSize)
        : module_(module), host_(host), roomInside_(inlinedSize), fmasInside_(inlinedSize == 0 ? 0 : kMaxInlinedFmas) {}

    /// Of operands of any number of lanes, or of one value.
    [[nodiscard]] llvm::Value* call(llvm::IRBuilder<>& b, const std::string& name,
                                    const std::vector<llvm::Value*>& arguments);

    /// Whether what is called from now on may be part of the program. What is computed seldom is not worth it.
    void takeIn(bool mayTakeIn) { takesIn_ = mayTakeIn; }

    /// Whether one more emulated fma() may be part of the program.
    [[nodiscard]] bool takesFmaIn() { return fmasInside_-- > 0; }

    /// Those of the lane functions, so that these can be inlined.
    void addTargetAttributes(llvm::Function& function) const;

private:
    [[nodiscard]] llvm::Value* callBlock(llvm::IRBuilder<>& b, const std::string& name,
                                         const std::vector<llvm::Value*>& arguments);
    [[nodiscard]] llvm::Function* makeWrapper(const std::string& name, const std::string& target, size_t arguments);

    llvm::Module& module_;
    const HostLevel& host_;
    int roomInside_, fmasInside_;
    bool takesIn_ = true;
};

}  // namespace tessera::jit
