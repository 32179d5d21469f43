// What compiled code is called with: shader-core/isa/block.h, under the names this room uses.
#pragma once

#include "shader-core/isa/block.h"

namespace tessera::jit {

using Frame = isa::BlockRun;
using isa::BlockFunction;
using isa::SampleFunction;
using isa::Stop;
using isa::TextureCall;
using isa::TextureDescriptor;

inline constexpr const char* kBlockFunctionName = "tessera_block";
/// Symbol of 64 bits in the object: isa::BlockCode::inputComponents.
inline constexpr const char* kInputComponentsName = "tessera_inputs";

}  // namespace tessera::jit
