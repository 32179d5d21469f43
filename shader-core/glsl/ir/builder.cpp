// The builder is all in its header but for the check of our own mistakes.
#include "shader-core/glsl/ir/builder.h"

#include "base/check.h"

namespace tessera::glsl::ir {

void checkIndexOperand(const Operand& index) {
    CHECK(index.kind == Kind::Temp && index.relative == kNone && !index.negate && !index.absolute);
}

}  // namespace tessera::glsl::ir
