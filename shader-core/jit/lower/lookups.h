// Lookups of a unit that do not need each other's results are asked for together, so that a unit starts on all of them
// before the first is done (isa::BlockLookup::several; docs/adr/0033-lookups-together.md).
//
// IsaToLlvm writes a lookup with a derived level of detail as a call of kLookupName, one of single texels of
// kTexelName. Once registers are values, it can be seen what the coordinates of each need: a lookup joins an earlier
// one of its basic block, unit and lanes if all of that can be computed before the earlier one.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "shader-core/jit/run/frame.h"

namespace tessera::jit {

/// Functions that stand for a lookup until resolveLookups(): descriptor, wanted lanes, the rows of
/// LookupRows::coordinate to four channels.
inline constexpr const char* kLookupName = "tessera.lookup";
inline constexpr const char* kTexelName = "tessera.texel";

/// `coordinates`: as many as the target has; for single texels integers, and LookupRows::kLevel; of the lanes of a
/// block or of both blocks of a pair. `wanted`: 32 bits. The four channels.
[[nodiscard]] std::array<llvm::Value*, 4> placeLookup(llvm::IRBuilder<>& b, const TextureDescriptor& descriptor,
                                                      llvm::Value* wanted,
                                                      const std::array<llvm::Value*, 4>& coordinates);

/// Whether the unit has a function for such lookups, a bit. `frame`: isa::BlockRun. `also`: bits of
/// BlockLookup::targets that there must be besides.
[[nodiscard]] llvm::Value* hasOwnLookup(llvm::IRBuilder<>& b, llvm::Value* frame, const TextureDescriptor& descriptor,
                                        uint32_t also = 0);

/// Expects registers to be values already. Afterwards no call of kLookupName is left.
void resolveLookups(llvm::Function& function);

}  // namespace tessera::jit
