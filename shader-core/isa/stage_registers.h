// Which inputs, outputs and specials programs of a stage have. The verifier refuses the others, the assembler says so
// where they are named.
#pragma once

#include "shader-core/isa/program.h"

namespace tessera::isa {

[[nodiscard]] constexpr int inputCount(Stage stage) {
    return stage == Stage::Vertex ? kMaxInputs : stage == Stage::Fragment ? kMaxVaryings : 0;
}

[[nodiscard]] constexpr int outputCount(Stage stage) {
    return stage == Stage::Vertex ? kOutVarying0 + kMaxVaryings : stage == Stage::Fragment ? kOutDepth + 1 : 0;
}

[[nodiscard]] constexpr bool specialExists(Stage stage, int index) {
    if (index >= kGraphicsSpecials) return stage == Stage::Compute;
    if (index == static_cast<int>(Special::Lane)) return true;
    return stage == (index == static_cast<int>(Special::InstanceId) ? Stage::Vertex : Stage::Fragment);
}

}  // namespace tessera::isa
