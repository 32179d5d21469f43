// Which copy of the block kernels this machine uses.
#include "texture/transfer/blocks.h"

#include "base/check.h"

namespace tessera::texture {

// One copy of the kernels for each SIMD level: texture/transfer/blocks_simd.cpp.
TESSERA_SIMD_COPIES(BlockKernels levelBlockKernels();)

BlockKernels blockKernels(SimdLevel level) { return TESSERA_SIMD_COPY(level, levelBlockKernels)(); }

const BlockKernels& blockKernels() {
    static const BlockKernels kernels = blockKernels(simdLevel());
    return kernels;
}

}  // namespace tessera::texture
