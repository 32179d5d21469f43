// The baseline compiler on architectures that it has no assembler for.
#include "shader-core/jit/baseline/baseline.h"

namespace tessera::jit {

std::vector<char> baselineImage(const isa::Program&, SimdLevel) { return {}; }

}  // namespace tessera::jit
