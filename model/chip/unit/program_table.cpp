#include "model/chip/unit/program_table.h"

#include "base/check.h"
#include "shader-core/isa/program.h"

namespace tessera::model {
namespace {

ExecutionUnit executionUnit(InstructionClass instructions) {
    switch (instructions) {
        case InstructionClass::Alu:
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

InstructionCost costOf(const isa::Instruction& instruction, const Preset& preset) {
    InstructionCost cost;
    const isa::Shape shape = isa::opInfo(instruction.op).shape;
    cost.instructions = instructionClass(instruction.op);
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

}  // namespace

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
    results_.resize(costs_.size());
}

std::vector<std::vector<PcResult>> ProgramTable::results() const {
    std::vector<std::vector<PcResult>> list;
    for (size_t program = 0; program + 1 < bases_.size(); ++program)
        list.emplace_back(results_.begin() + bases_[program], results_.begin() + bases_[program + 1]);
    return list;
}

}  // namespace tessera::model
