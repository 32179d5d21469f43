// Which copy of the block kernels this machine uses.
#include "texture/blocks.h"

#include "base/check.h"

namespace tessera::texture {

// One copy of the kernels for each SIMD level: texture/blocks_simd.cpp.
namespace v2 {
BlockKernels levelBlockKernels();
}
namespace v3 {
BlockKernels levelBlockKernels();
}
namespace v4 {
BlockKernels levelBlockKernels();
}

BlockKernels blockKernels(SimdLevel level) {
    switch (level) {
        case SimdLevel::v2:
            return v2::levelBlockKernels();
        case SimdLevel::v3:
            return v3::levelBlockKernels();
        case SimdLevel::v4:
            return v4::levelBlockKernels();
    }
    UNREACHABLE("SIMD level");
}

const BlockKernels& blockKernels() {
    static const BlockKernels kernels = blockKernels(simdLevel());
    return kernels;
}

}  // namespace tessera::texture
