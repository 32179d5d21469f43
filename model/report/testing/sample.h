// Test only: a frame of two draws by hand, small enough to be read and large enough to stall.
#pragma once

#include "model/chip/testing/workload_builder.h"
#include "model/chip/unit/machine.h"
#include "shader-core/isa/program.h"

namespace tessera::model {

struct Sample {
    Workload workload;
    Preset preset;
    Result result;
};

/// A draw whose fragments look up lines that no cache has, one of plain arithmetic, and a frame's end.
inline Sample sample() {
    WorkloadBuilder builder;
    const auto op = [](isa::Op op, int destination = 0) { return WorkloadBuilder::instruction(op, destination); };
    const uint32_t vertex = builder.program(isa::Stage::Vertex, {op(isa::Op::Mov), op(isa::Op::Ret)});
    const uint32_t textured = builder.program(
        isa::Stage::Fragment, {op(isa::Op::Mov), op(isa::Op::Tex, 1), op(isa::Op::Mul), op(isa::Op::Ret)});
    const uint32_t plain =
        builder.program(isa::Stage::Fragment, {op(isa::Op::Mul), op(isa::Op::Add), op(isa::Op::Ret)});
    WorkloadBuilder::DrawOptions lookups;
    lookups.accesses.resize(2);
    for (uint8_t lane = 0; lane < 16; ++lane)
        lookups.accesses[1].push_back({.address = lane * uint64_t{4096}, .lane = lane});
    builder.draw(vertex, textured, {{.blocks = WorkloadBuilder::square(8, 8)}}, lookups);
    builder.draw(vertex, plain, {{.blocks = WorkloadBuilder::square(4, 4)}});
    builder.endFrame();
    Sample sample;
    sample.workload = std::move(builder.w);
    sample.workload.name = "two draws";
    sample.workload.width = sample.workload.height = 32;
    sample.workload.draws[0].call = "glDrawArrays <1 & 2>";
    auto program = std::make_shared<isa::Program>(*sample.workload.programs[textured].program);
    program->lines = {1, 2, 2, 3};
    program->source = "void main() {\n    color = texture2D(map, at) * tint;\n}\n";
    sample.workload.programs[textured].program = program;
    std::string error;
    sample.preset = *loadPreset("tessera", &error);
    sample.result =
        simulate(sample.workload, sample.preset, {.keepStalls = true, .keepIssues = true, .keepLevels = true});
    return sample;
}

}  // namespace tessera::model
