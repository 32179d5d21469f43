// Groups of lanes that the targets of the debugger start from: shaders with debug information, and the block of a
// kernel.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "shader-core/asm/assembler.h"
#include "shader-core/debug/replay/launch.h"
#include "shader-core/glsl/glsl.h"
#include "tests/fuzz/check.h"

namespace tessera::fuzz {

/// What a replay of a group may execute: moves back and forth start from the beginning each time.
inline constexpr uint64_t kReplayBudget = 2000;

inline constexpr std::string_view kVertexText = R"(attribute vec2 a_value;
uniform vec2 u_scale;
uniform float u_weights[3];
varying vec2 v_result;
void main() {
    vec2 scaled = a_value * u_scale;
    float sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        if (scaled.x > float(i)) sum += u_weights[i];
    }
    mat2 turned = mat2(scaled, sum, 1.0);
    v_result = turned * scaled;
    gl_Position = vec4(v_result, sum, 1.0);
}
)";

inline constexpr std::string_view kFragmentText = R"(#extension GL_OES_standard_derivatives : enable
precision highp float;
varying vec2 v_place;
uniform sampler2D u_picture;
uniform bool u_keep;
void main() {
    vec4 texel = texture2D(u_picture, v_place);
    bvec2 beyond = greaterThan(v_place, vec2(1.0));
    if (!u_keep && any(beyond)) discard;
    gl_FragColor = texel + vec4(dFdx(v_place.x));
}
)";

inline constexpr std::string_view kKernelText = R"(.compute
.group 40, 1
.shared 64
.buffer b0 data
    and.i32 r0.x, thread.x, 15
    shl.i32 r0.x, r0.x, 2
    st.u32 shared[r0.x], thread.x
    bar 0
    ld.u32 r1.x, shared[r0.x]
    st.u32 b0[r0.x], r1.x
    ret
)";

inline debug::Group groupOf(std::shared_ptr<const isa::Program> program) {
    debug::Group group;
    group.program = std::move(program);
    group.activeMask = 0xFF;
    group.budget = kReplayBudget;
    for (int lane = 0; lane < isa::kGroupSize; ++lane)
        for (auto& row : group.inputs[0].lane) row[lane] = static_cast<float>(lane) / 2;
    group.laneNames[3] = "vertex 3";
    debug::fillLiterals(group);
    return group;
}

/// Of a shader.
inline debug::Group shaderGroup(isa::Stage stage) {
    const bool isVertex = stage == isa::Stage::Vertex;
    const glsl::CompileResult compiled = glsl::compile(stage, isVertex ? kVertexText : kFragmentText, {}, true);
    demand(compiled.shader != nullptr, "the shader compiles", compiled.infoLog);
    const glsl::LinkResult linked = glsl::linkSingle(*compiled.shader);
    demand(linked.ok, "the shader links", linked.infoLog);
    return groupOf(isVertex ? linked.vertex : linked.fragment);
}

/// Of the first block of a kernel.
inline std::vector<debug::Group> kernelGroups() {
    assembly::AssembleResult assembled = assembly::assemble(kKernelText, "kernel.tsa");
    demand(assembled.program.has_value(), "the kernel assembles", assembled.log());
    const auto launch = std::make_shared<debug::Launch>();
    launch->program = std::make_shared<isa::Program>(std::move(*assembled.program));
    launch->constants = groupOf(launch->program).constants;
    launch->block = {40, 1, 1};
    launch->budget = kReplayBudget;
    launch->buffers[0].resize(64);
    return debug::groupsOf(launch, 0);
}

}  // namespace tessera::fuzz
