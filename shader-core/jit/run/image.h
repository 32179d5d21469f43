// Machine code of a program as bytes, in memory or on disk: linked, and right wherever it is put, but for the addresses
// of the functions that it calls. codegen/link.h makes images, MachineCode (loader.h) runs them.
//
// An image is an ImageHeader, `calls` ImageCalls, and `bytes` bytes of code with its constants, for a place that is
// aligned to kImageAlignment.
#pragma once

#include <cstdint>

#include "shader-core/isa/core.h"

namespace tessera::jit {

/// Addresses within code may be relative to its page.
inline constexpr uint64_t kImageAlignment = 4096;
inline constexpr uint64_t kMaxImageBytes = uint64_t{64} << 20;

struct ImageHeader {
    isa::ComponentMasks inputComponents;  ///< isa::BlockCode::inputComponents
    uint32_t bytes;                       ///< of code and constants
    uint32_t calls;                       ///< functions that are called
    uint32_t function, functionBytes;     ///< where the program's function is
};
static_assert(sizeof(ImageHeader) == 48);

/// The 64 bits at `place`, a multiple of eight, are to be the address of a function.
struct ImageCall {
    uint32_t place;
    uint32_t callee;  ///< calleeNumber() (callees.h)
};

}  // namespace tessera::jit
