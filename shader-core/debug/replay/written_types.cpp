#include "shader-core/debug/replay/written_types.h"

#include <bit>
#include <map>

#include "shader-core/debug/replay/block_variable.h"

namespace tessera::debug {

namespace {

constexpr WrittenAs kSigned{~0u, 0}, kUnsigned{0, ~0u};

}  // namespace

WrittenAs writtenAs(isa::Type type) {
    if (type == isa::Type::I32) return kSigned;
    return type == isa::Type::U32 ? kUnsigned : WrittenAs{};
}

/// Components of inputs, outputs and constants that a declaration makes integers: register * 4 + component.
struct WrittenTypes::Declared {
    std::map<int, WrittenAs> inputs, outputs, constants;

    explicit Declared(const isa::Program& program) {
        add(constants, program.uniforms, 0);
        for (const BlockVariable& one : blockVariables(program)) {
            const isa::Scalar scalar = isa::scalarOf(one.member->type);
            if (scalar == isa::Scalar::Float) continue;
            for (const ConstantWord& word : wordsOf(one))
                constants[word.reg * 4 + word.component] = scalar == isa::Scalar::Int ? kSigned : kUnsigned;
        }
        add(inputs, program.attributes, 0);
        if (program.stage == isa::Stage::Vertex)
            add(outputs, program.varyings, isa::kOutVarying0);
        else
            add(inputs, program.varyings, 0), add(outputs, program.outputs, isa::kOutColor0);
    }

private:
    static void add(std::map<int, WrittenAs>& to, const std::vector<isa::Variable>& variables, int first) {
        for (const isa::Variable& v : variables) {
            const Format format = formatOf(v.type);
            if (isa::isSampler(v.type) || (format != Format::I32 && format != Format::U32)) continue;
            for (int i = 0; i < isa::registerCount(v); ++i)
                for (int c = 0; c < isa::componentCount(v.type); ++c)
                    to[(first + v.reg + i) * 4 + v.component + c] = format == Format::I32 ? kSigned : kUnsigned;
        }
    }
};

WrittenTypes::WrittenTypes(const isa::Program& program)
    : temps_(program.tempCount), declared_(std::make_shared<const Declared>(program)) {
    for (const auto& [at, type] : declared_->outputs)
        if (at / 4 < isa::kMaxOutputs) outputs_[static_cast<size_t>(at / 4)][static_cast<size_t>(at % 4)] = type;
}

WrittenAs WrittenTypes::of(isa::File file, int index, int component) const {
    const auto i = static_cast<size_t>(index), c = static_cast<size_t>(component);
    const auto declared = [&](std::map<int, WrittenAs> Declared::* list) {
        if (declared_ == nullptr) return WrittenAs{};
        const auto found = ((*declared_).*list).find(index * 4 + component);
        return found != ((*declared_).*list).end() ? found->second : WrittenAs{};
    };
    switch (file) {
        case isa::File::R:
            return i < temps_.size() ? temps_[i][c] : WrittenAs{};
        case isa::File::O:
            return i < outputs_.size() ? outputs_[i][c] : WrittenAs{};
        case isa::File::C:
            return declared(&Declared::constants);
        case isa::File::V:
            return declared(&Declared::inputs);
        case isa::File::S:
            return index >= static_cast<int>(isa::Special::Lane) ? kSigned : WrittenAs{};
        case isa::File::A:
            return kSigned;
        case isa::File::P:
            return kUnsigned;  // a bit
        case isa::File::I:
            break;
    }
    return {};
}

WrittenAs WrittenTypes::result(const isa::Instruction& i, int component, const interp::Step& step) const {
    const WrittenAs own = writtenAs(isa::resultType(i.op, i.type));
    const isa::Source& from = i.src[0];
    if (i.op != isa::Op::Mov || i.saturate || from.negate || from.absolute || from.snoop) return own;
    // The move's own type decides what a predicate reads as, and what an immediate was written as.
    if (from.file == isa::File::P || from.file == isa::File::I) return own;
    const int at = isa::swizzleAt(from.swizzle, component);
    // Among integers the move's own sign counts.
    const auto handedOn = [&](const WrittenAs& read) {
        const uint32_t integers = read.signedLanes | read.unsignedLanes;
        if (i.type == isa::Type::F32) return read;
        return WrittenAs{own.signedLanes & integers, own.unsignedLanes & integers};
    };
    if (!from.relative) return handedOn(of(from.file, from.index, at));
    WrittenAs each;
    for (int lane = 0; lane < isa::kGroupSize; ++lane) {
        const uint32_t index = from.index + __builtin_bit_cast(uint32_t, step.address->lane[0][lane]);
        if (index >= static_cast<uint32_t>(isa::registerCount(from.file))) continue;
        const WrittenAs one = handedOn(of(from.file, static_cast<int>(index), at));
        each.signedLanes |= one.signedLanes & 1u << lane;
        each.unsignedLanes |= one.unsignedLanes & 1u << lane;
    }
    return each;
}

void WrittenTypes::executes(const isa::Instruction& i, const interp::Step& step) {
    const bool isOutput = i.dst.file == isa::File::O;
    if (!isa::hasDestination(isa::opInfo(i.op).shape) || (i.dst.file != isa::File::R && !isOutput)) return;
    Register written;
    for (size_t c = 0; c < 4; ++c) written[c] = result(i, static_cast<int>(c), step);
    const auto write = [&](uint32_t index, uint32_t lanes) {
        if (index >= (isOutput ? outputs_.size() : temps_.size())) return;
        Register& reg = isOutput ? outputs_[index] : temps_[index];
        for (size_t c = 0; c < 4; ++c) {
            if ((i.dst.writeMask >> c & 1) == 0) continue;
            reg[c].signedLanes = (reg[c].signedLanes & ~lanes) | (written[c].signedLanes & lanes);
            reg[c].unsignedLanes = (reg[c].unsignedLanes & ~lanes) | (written[c].unsignedLanes & lanes);
        }
    };
    if (!i.dst.relative) return write(i.dst.index, step.guardedMask);
    for (uint32_t left = step.guardedMask; left != 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        write(i.dst.index + __builtin_bit_cast(uint32_t, step.address->lane[0][lane]), 1u << lane);
    }
}

}  // namespace tessera::debug
