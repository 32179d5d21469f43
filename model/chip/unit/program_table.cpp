#include "model/chip/unit/program_table.h"

#include <algorithm>
#include <bit>

#include "base/check.h"
#include "shader-core/isa/program.h"

namespace tessera::model {
namespace {

/// Of a program's register.
constexpr uint32_t kMostComponents = 4;
constexpr uint8_t kAllComponents = 0xF;

ExecutionUnit executionUnit(InstructionClass instructions) {
    switch (instructions) {
        case InstructionClass::Alu:
        case InstructionClass::Multiply:
        case InstructionClass::Floating:
        case InstructionClass::Divide:
            return ExecutionUnit::Arithmetic;
        case InstructionClass::Tfu:
        case InstructionClass::Lighting:
            return ExecutionUnit::Transcendental;
        case InstructionClass::Texture:
            return ExecutionUnit::Texture;
        case InstructionClass::Control:
            return ExecutionUnit::Control;
        case InstructionClass::Load:
        case InstructionClass::Store:
        case InstructionClass::Atomic:
            return ExecutionUnit::Memory;
        case InstructionClass::Lane:
        case InstructionClass::Reduce:
            return ExecutionUnit::Exchange;
    }
    return ExecutionUnit::Arithmetic;
}

/// Of a register, that the instruction works on: those that it writes, or whose products it adds.
uint32_t componentsOf(const isa::Instruction& instruction) {
    const isa::Shape shape = isa::opInfo(instruction.op).shape;
    if (isa::isTexture(shape)) return 1;
    if (instruction.op == isa::Op::Dp3) return 3;
    if (instruction.op == isa::Op::Dp4) return 4;
    const bool writes = isa::hasDestination(shape) && instruction.dst.file != isa::File::P;
    if (!writes && shape != isa::Shape::MS) return 1;
    return std::max(static_cast<uint32_t>(std::popcount(instruction.dst.writeMask)), 1u);
}

InstructionCost costOf(const isa::Instruction& instruction, const Preset& preset) {
    InstructionCost cost;
    const isa::Shape shape = isa::opInfo(instruction.op).shape;
    cost.instructions = instructionClass(instruction.op, instruction.type);
    const uint32_t together = preset.block.components;
    cost.turns = static_cast<uint8_t>((componentsOf(instruction) + together - 1) / together);
    cost.unit = executionUnit(cost.instructions);
    const InstructionTiming& timing = preset.timing(cost.instructions);
    cost.latency = static_cast<uint16_t>(timing.latency);
    cost.interval = static_cast<uint16_t>(timing.interval);
    cost.slot = instruction.slot;
    if (isa::isTexture(shape)) cost.kind = InstructionCost::Kind::Lookup;
    if (isa::isMemory(shape))
        cost.kind =
            instruction.slot == isa::kSharedSlot ? InstructionCost::Kind::Shared : InstructionCost::Kind::Global;
    if (instruction.op == isa::Op::Bar) {
        cost.kind = InstructionCost::Kind::Barrier;
        cost.barrier = instruction.barrier;
        cost.barrierGroups = instruction.barrierGroups;
    }
    return cost;
}

RegisterUse useOf(const isa::Instruction& instruction) {
    RegisterUse use;
    const isa::Shape shape = isa::opInfo(instruction.op).shape;
    const auto add = [&use](isa::File file, uint16_t index, bool relative) {
        if (file == isa::File::I || file == isa::File::C || file == isa::File::S || file == isa::File::V) return;
        use.read[use.reads++] = {static_cast<uint8_t>(file),
                                 relative ? static_cast<uint16_t>(RegisterUse::kWholeFile) : index};
    };
    bool relative = instruction.textureRelative || instruction.dst.relative;
    for (int i = 0; i < isa::sourceCount(shape); ++i) {
        const isa::Source& source = instruction.src[static_cast<size_t>(i)];
        relative |= source.relative;
        add(source.file, source.index, source.relative);
    }
    if (relative) add(isa::File::A, 0, false);
    if (instruction.guard) add(isa::File::P, instruction.guard, false);
    use.writes = isa::hasDestination(shape);
    if (use.writes)
        use.written = {static_cast<uint8_t>(instruction.dst.file), instruction.dst.relative
                                                                       ? static_cast<uint16_t>(RegisterUse::kWholeFile)
                                                                       : instruction.dst.index};
    use.waitsForAll = shape == isa::Shape::Barrier;
    return use;
}

constexpr uint32_t ceilDivide(uint32_t a, uint32_t b) { return (a + b - 1) / b; }

}  // namespace

uint32_t registersOf(const Workload& workload, const Preset& preset, uint32_t program) {
    const uint32_t granule = preset.block.register_granule, width = preset.block.components;
    uint32_t temporaries = program == kNone ? 0 : workload.programs[program].temporaries;
    if (program != kNone && width < kMostComponents) {
        // Those of fewer components hold what the program uses of its own.
        std::vector<uint8_t> used(temporaries, 1);
        for (const isa::Word& word : workload.programs[program].program->code) {
            const auto instruction = isa::decode(word);
            const isa::Destination& to = instruction->dst;
            if (!isa::hasDestination(isa::opInfo(instruction->op).shape) || to.file != isa::File::R) continue;
            if (to.relative)
                used.assign(temporaries, kAllComponents);
            else if (to.index < temporaries)
                used[to.index] |= to.writeMask;
        }
        temporaries = 0;
        for (const uint8_t mask : used) temporaries += ceilDivide(static_cast<uint32_t>(std::popcount(mask)), width);
    }
    return preset.block.threads * (ceilDivide(std::max(temporaries, 1u), granule) * granule);
}

ProgramTable::ProgramTable(const Workload& workload, const Preset& preset) {
    for (const ProgramUse& program : workload.programs) {
        bases_.push_back(static_cast<uint32_t>(costs_.size()));
        for (const isa::Word& word : program.program->code) {
            const auto instruction = isa::decode(word);
            CHECK(instruction.has_value());
            costs_.push_back(costOf(*instruction, preset));
            uses_.push_back(useOf(*instruction));
        }
    }
    bases_.push_back(static_cast<uint32_t>(costs_.size()));
    for (uint32_t program = 0; program < workload.programs.size(); ++program)
        registers_.push_back(registersOf(workload, preset, program));
    registers_.push_back(registersOf(workload, preset, kNone));
    results_.resize(costs_.size());
}

std::vector<std::vector<PcResult>> ProgramTable::results() const {
    std::vector<std::vector<PcResult>> list;
    for (size_t program = 0; program + 1 < bases_.size(); ++program)
        list.emplace_back(results_.begin() + bases_[program], results_.begin() + bases_[program + 1]);
    return list;
}

}  // namespace tessera::model
