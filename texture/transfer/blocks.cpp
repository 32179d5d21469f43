// Which copy of the functions for blocks this machine uses.
#include "texture/transfer/blocks.h"

#include "base/check.h"

namespace tessera::texture {

// One copy of the functions for each SIMD level: texture/transfer/blocks_simd.cpp.
TESSERA_SIMD_COPIES(TransferFunctions levelTransferFunctions();)

TransferFunctions transferFunctions(SimdLevel level) { return TESSERA_SIMD_COPY(level, levelTransferFunctions)(); }

const TransferFunctions& transferFunctions() {
    static const TransferFunctions functions = transferFunctions(simdLevel());
    return functions;
}

}  // namespace tessera::texture
