// Object files of the code generator to images, which need no linker where they run.
#pragma once

#include <vector>

#include <llvm/Support/MemoryBufferRef.h>

namespace tessera::jit {

/// An image (run/image.h) of an object that defines kBlockFunctionName and kInputComponentsName. Empty when the object
/// calls what there is not (run/callees.h), or holds an absolute address of its own.
[[nodiscard]] std::vector<char> link(llvm::MemoryBufferRef object);

}  // namespace tessera::jit
