// Which inputs, outputs and specials programs of a stage have. The verifier refuses the others, the assembler says so
// where they are named.
#pragma once

#include "shader-core/isa/program.h"

namespace tessera::isa {

[[nodiscard]] constexpr RegisterMask inputsOf(Stage stage) {
    if (stage == Stage::Vertex) return RegisterMask::range(0, kMaxAttributes);
    if (stage == Stage::Compute) return {};
    return RegisterMask::range(0, kMaxVaryings) | RegisterMask::range(kInLastColor0, kColors);
}

[[nodiscard]] constexpr RegisterMask outputsOf(Stage stage) {
    if (stage == Stage::Vertex) return RegisterMask::range(0, kOutVarying0 + kMaxVaryings);
    if (stage == Stage::Compute) return {};
    return RegisterMask::range(kOutColor0, kColors) | RegisterMask::range(kOutDepth, 2);
}

/// The varyings that a fragment program reads: its v registers without the last colours.
[[nodiscard]] inline RegisterMask varyingMask(const Program& fragment) {
    return fragment.inputMask & RegisterMask::range(0, kMaxVaryings);
}

/// The colour targets whose last colours a fragment program reads.
[[nodiscard]] inline RegisterMask lastColorMask(const Program& fragment) {
    return fragment.inputMask.from(kInLastColor0);
}

[[nodiscard]] constexpr bool specialExists(Stage stage, int index) {
    if (index >= kGraphicsSpecials) return stage == Stage::Compute;
    if (index == static_cast<int>(Special::Lane)) return true;
    return stage == (index == static_cast<int>(Special::InstanceId) ? Stage::Vertex : Stage::Fragment);
}

}  // namespace tessera::isa
