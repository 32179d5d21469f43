// Where the source's variables are in the end, for the debugger.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "shader-core/glsl/ir/emit/allocate.h"
#include "shader-core/glsl/ir/ir.h"

namespace tessera::glsl::ir {

/// Where the variables are before each of the words, given the word that each instruction begins at.
[[nodiscard]] std::shared_ptr<const isa::DebugInfo> locateVariables(const Module& module, const Allocation& allocation,
                                                                    const std::vector<bool>& writesPredicate,
                                                                    const std::vector<uint32_t>& firstWord,
                                                                    const std::vector<bool>& isGuarded, uint32_t words);

}  // namespace tessera::glsl::ir
