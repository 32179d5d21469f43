#include <algorithm>

#include <fmt/format.h>

#include "model/trim/trim.h"

namespace tessera::model {

namespace {

using isa::Instruction;

constexpr std::string_view kRemedy = "trim the machine with this program too, or run it on a preset that has more";

/// "the integer multiplier, 16 x 16 of its integer unit", or nothing when the machine has all the parts.
std::string missingPart(const Preset& preset, isa::Op op, isa::Type type) {
    for (const Part& part : resourceTable().parts)
        if (part.forms[static_cast<size_t>(op)] >> static_cast<int>(type) & 1 && !part.target && !hasPart(preset, part))
            return fmt::format(": its {} unit is without {}", part.unit, part.name);
    return "";
}

std::string_view targetName(isa::TextureTarget target) {
    static constexpr std::string_view kNames[] = {"2D textures", "cube maps", "3D textures", "video images",
                                                  "depth textures"};
    return kNames[static_cast<int>(target)];
}

/// One check after the other; the first instruction that is to blame for one counts.
class Checks {
public:
    Checks(const isa::Program& program, const Preset& preset) : program_(program), preset_(preset) {
        for (const isa::Word& word : program.code) code_.push_back(*isa::decode(word));
    }

    std::optional<Refusal> run() {
        if (program_.stage != isa::Stage::Compute && !preset_.drawsPictures()) {
            return at(0, "draws no pictures (raster.rasterizers = 0)");
        }
        for (size_t i = 0; i < code_.size(); ++i)
            if (auto found = instruction(i)) return found;
        return limits();
    }

private:
    /// Of the machine, with its name in front.
    [[nodiscard]] Refusal at(size_t instruction, std::string_view what) const {
        Refusal refusal{.instruction = static_cast<uint32_t>(instruction)};
        refusal.what = fmt::format("{} {}; {}", preset_.name, what, kRemedy);
        if (instruction >= program_.lines.size()) return refusal;
        refusal.line = program_.lines[instruction];
        refusal.column = 1;
        // Programs keep lines; a column is that of the line's text.
        std::string_view text = program_.source;
        for (uint32_t line = 1; line < refusal.line && !text.empty(); ++line)
            text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
        const size_t first = text.substr(0, text.find('\n')).find_first_not_of(" \t");
        if (first != std::string_view::npos) refusal.column = static_cast<uint32_t>(first + 1);
        return refusal;
    }

    std::optional<Refusal> instruction(size_t i) const {
        const Instruction& in = code_[i];
        if (!preset_.has(in.op, in.type))
            return at(i, fmt::format("has no {}{}", formName(in.op, in.type), missingPart(preset_, in.op, in.type)));
        if (!isa::isTexture(isa::opInfo(in.op).shape)) return std::nullopt;
        const auto& texture = preset_.texture;
        const bool has[] = {texture.engines > 0, texture.cube > 0, texture.volume > 0, texture.external > 0,
                            texture.shadow > 0};
        if (!has[0]) return at(i, "has no texture engines");
        if (!has[static_cast<int>(in.textureTarget)])
            return at(i, fmt::format("has texture engines without {}", targetName(in.textureTarget)));
        if (in.textureUnit >= texture.units)
            return at(i, fmt::format("has {} texture units, there is no t{}", texture.units, in.textureUnit));
        return std::nullopt;
    }

    /// The first instruction that names a register of the file from `limit` on; 0 when it is reached relatively.
    [[nodiscard]] size_t firstBeyond(isa::File file, uint32_t limit) const {
        for (size_t i = 0; i < code_.size(); ++i) {
            const Instruction& in = code_[i];
            const isa::Shape shape = isa::opInfo(in.op).shape;
            bool beyond = isa::hasDestination(shape) && in.dst.file == file && in.dst.index >= limit;
            for (int s = 0; s < isa::sourceCount(shape); ++s) {
                const isa::Source& source = in.src[static_cast<size_t>(s)];
                beyond |= source.file == file && source.index >= limit;
            }
            if (file == isa::File::P) beyond |= in.guard >= limit && in.guard != 0;
            if (beyond) return i;
        }
        return 0;
    }

    std::optional<Refusal> limits() const {
        const Needs needs = needsOf(program_);
        const auto& has = preset_.program;
        const auto& block = preset_.block;
        if (needs.instructions > has.instructions)
            return at(has.instructions, fmt::format("has an instruction memory of {} instructions, the program has {}",
                                                    has.instructions, needs.instructions));
        if (needs.temporaries > has.temporaries)
            return at(
                firstBeyond(isa::File::R, has.temporaries),
                fmt::format("has {} r registers a thread, the program uses {}", has.temporaries, needs.temporaries));
        if (needs.constants > has.constants)
            return at(firstBeyond(isa::File::C, has.constants),
                      fmt::format("has {} c registers, the program uses {}", has.constants, needs.constants));
        if (needs.predicates > has.predicates)
            return at(firstBeyond(isa::File::P, has.predicates + 1),
                      fmt::format("has {} predicates, the program uses p{}", has.predicates, needs.predicates));
        if (needs.temporaries * block.threads > block.registers)
            return at(firstBeyond(isa::File::R, block.registers / block.threads),
                      fmt::format("has {} registers in a block processor, a group of {} threads takes {}",
                                  block.registers, block.threads, needs.temporaries * block.threads));
        if (needs.sharedBytes > block.shared_bytes)
            return at(firstShared(), fmt::format("has {} bytes of shared memory, a block of the program has {}",
                                                 block.shared_bytes, needs.sharedBytes));
        if (needs.stack > has.stack)
            return at(firstDeeper(), fmt::format("has a stack of {} ifs, loops and calls, the program nests {} deep",
                                                 has.stack, needs.stack));
        return std::nullopt;
    }

    [[nodiscard]] size_t firstShared() const {
        const auto found = std::ranges::find_if(code_, [](const Instruction& in) {
            return isa::isMemory(isa::opInfo(in.op).shape) && in.slot == isa::kSharedSlot;
        });
        return found == code_.end() ? 0 : static_cast<size_t>(found - code_.begin());
    }

    [[nodiscard]] size_t firstDeeper() const {
        const std::vector<Nesting> nesting = nestingOf(program_);
        for (size_t i = 0; i < code_.size(); ++i) {
            const bool opens =
                code_[i].op == isa::Op::If || code_[i].op == isa::Op::Loop || code_[i].op == isa::Op::Call;
            if (opens && nesting[i].depth() + 1 > preset_.program.stack) return i;
        }
        return 0;
    }

    const isa::Program& program_;
    const Preset& preset_;
    std::vector<Instruction> code_;
};

}  // namespace

std::optional<Refusal> refusal(const isa::Program& program, const Preset& preset) {
    return Checks(program, preset).run();
}

std::string refusalText(const Refusal& refusal, std::string_view file) {
    if (refusal.line == 0) return fmt::format("{}: error: instruction {}: {}", file, refusal.instruction, refusal.what);
    return fmt::format("{}:{}:{}: error: {}", file, refusal.line, refusal.column, refusal.what);
}

}  // namespace tessera::model
