// Test only: groups from assembly text.
#pragma once

#include <doctest/doctest.h>

#include "shader-core/asm/assembler.h"
#include "shader-core/debug/replay/group.h"

namespace tessera::debug {

inline Group groupOf(std::string_view text, uint32_t lanes = 0xF) {
    assembly::AssembleResult result = assembly::assemble(text, "test.tsa");
    REQUIRE_MESSAGE(result.program.has_value(), result.log());
    Group group;
    group.program = std::make_shared<isa::Program>(std::move(*result.program));
    group.activeMask = lanes;
    for (int lane = 0; lane < isa::kGroupSize; ++lane) group.inputs[0].lane[0][lane] = static_cast<float>(lane);
    fillLiterals(group);
    return group;
}

/// Lanes diverge in an if and in a loop: lane n leaves the loop after n + 1 rounds.
inline constexpr std::string_view kDiverging = R"(.vertex
.input v0 a_value vec4
    mov r0, v0
    slt p1, v0.x, 2.0
    (p1) if
        add r0.x, r0.x, 10.0
    else
        mul r0.x, r0.x, 2.0
    endif
    mov r1, 0.0
    loop
        add r1.x, r1.x, 1.0
        slt p2, v0.x, r1.x
        (p2) brk
    endloop
    mov o0, r0
    mov o0.y, r1.x
    ret
)";

}  // namespace tessera::debug
