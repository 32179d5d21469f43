#include "shader-core/analysis/positions.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "shader-core/isa/isa.h"
#include "shader-core/isa/stage_registers.h"

namespace tessera::analysis {
namespace {

/// Registers whose values are still needed, from the end of a straight program backwards.
class Needed {
public:
    explicit Needed(const isa::Program& program) : components_(program.tempCount) {}

    /// Whether the instruction computes something that is needed. Empty: that is not known.
    std::optional<bool> takes(const isa::Instruction& instruction) {
        const isa::Destination& to = instruction.dst;
        if (to.relative) return std::nullopt;
        // What a guard leaves is what was there before.
        const bool overwrites = instruction.guard == 0;
        switch (to.file) {
            case isa::File::O:
                return to.index == isa::kOutPosition;
            case isa::File::R: {
                if (to.index >= components_.size()) return std::nullopt;
                uint8_t& needed = components_[to.index];
                const bool takes = (needed & to.writeMask) != 0;
                if (overwrites) needed &= static_cast<uint8_t>(~to.writeMask);
                return takes;
            }
            case isa::File::A:
                return address_;
            case isa::File::P:
                return (predicates_ >> to.index & 1) != 0;
            default:
                return std::nullopt;
        }
    }

    /// False: what the instruction reads is not known.
    bool addSources(const isa::Instruction& instruction) {
        predicates_ |= 1u << instruction.guard;
        address_ |= instruction.textureRelative;
        for (int i = 0; i < isa::sourceCount(isa::opInfo(instruction.op).shape); ++i) {
            const isa::Source& source = instruction.src[i];
            if (source.snoop || source.file == isa::File::O) return false;
            address_ |= source.relative || source.file == isa::File::A;
            if (source.file == isa::File::P) predicates_ |= 1u << source.index;
            if (source.file != isa::File::R) continue;
            if (source.relative || source.index >= components_.size()) return false;
            components_[source.index] = 0xF;
        }
        return true;
    }

private:
    std::vector<uint8_t> components_;  ///< of r registers, a bit for each
    uint32_t predicates_ = 0;
    bool address_ = false;
};

/// Marks the instructions that are needed for the position. The last instruction is `ret`.
std::optional<std::vector<bool>> neededInstructions(const isa::Program& program) {
    std::vector<bool> isNeeded(program.code.size());
    Needed needed(program);
    for (size_t i = program.code.size(); i-- != 0;) {
        const std::optional<isa::Instruction> instruction = isa::decode(program.code[i]);
        if (!instruction) return std::nullopt;
        if (i + 1 == program.code.size()) {
            if (instruction->op != isa::Op::Ret || instruction->guard != 0) return std::nullopt;
            isNeeded[i] = true;
            continue;
        }
        const isa::Shape shape = isa::opInfo(instruction->op).shape;
        if (!isa::hasDestination(shape) || isa::isMemory(shape)) return std::nullopt;
        const std::optional<bool> takes = needed.takes(*instruction);
        if (!takes) return std::nullopt;
        isNeeded[i] = *takes;
        if (*takes && !needed.addSources(*instruction)) return std::nullopt;
    }
    return isNeeded;
}

}  // namespace

std::shared_ptr<const isa::Program> positionsOf(const isa::Program& vertex) {
    const std::optional<std::vector<bool>> isNeeded = neededInstructions(vertex);
    if (!isNeeded) return nullptr;
    const auto count = static_cast<size_t>(std::ranges::count(*isNeeded, true));
    if (4 * count >= 3 * vertex.code.size()) return nullptr;
    auto positions = std::make_shared<isa::Program>(vertex);
    positions->code.clear();
    positions->lines.clear();
    positions->debugInfo.reset();
    for (size_t i = 0; i < vertex.code.size(); ++i)
        if ((*isNeeded)[i]) positions->code.push_back(vertex.code[i]);
    isa::deriveUsage(*positions);
    return positions;
}

}  // namespace tessera::analysis
