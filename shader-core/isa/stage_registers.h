// Which inputs, outputs and specials programs of a stage have. The verifier refuses the others, the assembler says so
// where they are named.
#pragma once

#include "shader-core/isa/program.h"

namespace tessera::isa {

[[nodiscard]] constexpr int inputCount(Stage stage) { return stage == Stage::Compute ? 0 : kMaxInputs; }

[[nodiscard]] constexpr int outputCount(Stage stage) {
    return stage == Stage::Vertex ? kOutVarying0 + kMaxVaryings : stage == Stage::Fragment ? kOutSecondColor + 1 : 0;
}

/// The varyings that a fragment program reads: bits of its v registers.
[[nodiscard]] constexpr uint16_t varyingMask(const Program& fragment) {
    return fragment.inputMask & ((1u << kInLastColor0) - 1);
}

/// The colour targets whose last colours a fragment program reads.
[[nodiscard]] constexpr uint16_t lastColorMask(const Program& fragment) { return fragment.inputMask >> kInLastColor0; }

[[nodiscard]] constexpr bool specialExists(Stage stage, int index) {
    if (index >= kGraphicsSpecials) return stage == Stage::Compute;
    if (index == static_cast<int>(Special::Lane)) return true;
    return stage == (index == static_cast<int>(Special::InstanceId) ? Stage::Vertex : Stage::Fragment);
}

}  // namespace tessera::isa
