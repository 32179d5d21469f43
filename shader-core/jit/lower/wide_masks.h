// Masks of lanes as vectors of integers, 0 or -1, where the host has no registers for masks.
//
// IsaToLlvm makes masks of single bits. LLVM gives such a vector that is combined, or that crosses from a basic block
// to the next, a byte for each lane: a comparison of floats is packed three times before the "and", and unpacked again
// for each selection. Of 96 instructions of a round of the benchmark's row diverge on x86-64-v3 that was half.
#pragma once

namespace llvm {
class Function;
}

namespace tessera::jit {

struct HostLevel;

/// After the last pass that could undo it.
void widenMasks(llvm::Function& function, const HostLevel& host);

}  // namespace tessera::jit
