#include "shader-core/asm/disassembler.h"

#include <cstdlib>
#include <set>

#include <fmt/format.h>

#include "shader-core/asm/spelling.h"
#include "shader-core/asm/structure.h"

namespace tessera::assembly {

using isa::File;
using isa::Instruction;
using isa::Op;
using isa::Program;
using isa::Shape;
using isa::Stage;

namespace {

std::string registerText(std::string_view file, int index, bool relative) {
    if (!relative) return fmt::format("{}{}", file, index);
    return index ? fmt::format("{}[a0.x + {}]", file, index) : fmt::format("{}[a0.x]", file);
}

std::string destinationText(const isa::Destination& d) {
    const std::string mask = d.file == File::P ? "" : maskText(d.writeMask);
    return registerText(fileLetters()[static_cast<int>(d.file)], d.index, d.relative) + mask;
}

std::string sourceText(const Instruction& i, const isa::Source& s) {
    std::string text;
    if (s.file == File::I)
        text = literalText(i.immediate, isa::sourceType(i.op, i.type, &s == &i.src[1] ? 1 : 0));
    else if (s.file == File::S)
        text = std::string(specialNames()[s.index]) + swizzleText(s.swizzle);
    else
        text = (s.snoopOfBlock ? fmt::format("&[{}]", s.wavefront)
                : s.snoop      ? "&"
                               : "") +
               registerText(fileLetters()[static_cast<int>(s.file)], s.index, s.relative) + swizzleText(s.swizzle);
    if (s.absolute) text = "|" + text + "|";
    if (!s.negate) return text;
    // "-0.5" is a negative number; the negate modifier of a number is set apart.
    return s.file == File::I && !s.absolute ? "-(" + text + ")" : "-" + text;
}

std::string memoryText(const Instruction& i) {
    const std::string slot = i.slot == isa::kSharedSlot ? "shared" : fmt::format("b{}", i.slot);
    const int32_t offset = static_cast<int32_t>(i.immediate);
    if (i.src[0].file == File::I) return fmt::format("{}[{}]", slot, offset);
    std::string text = slot + "[" + sourceText(i, i.src[0]);
    if (offset != 0) text += fmt::format(" {} {}", offset < 0 ? '-' : '+', std::abs(int64_t{offset}));
    return text + "]";
}

/// With one letter for each element.
std::string storeValueText(const Instruction& i) {
    isa::Source value = i.src[1];
    const int count = isa::elementCount(i);
    if (value.file == File::P || (count == 4 && value.swizzle == isa::kSwizzleXYZW)) return sourceText(i, value);
    std::string letters = ".";
    for (int c = 0; c < count; ++c) letters += "xyzw"[isa::swizzleAt(value.swizzle, c)];
    value.swizzle = isa::kSwizzleXYZW;
    std::string text = sourceText(i, value);
    return text.ends_with('|') ? text.substr(0, text.size() - 1) + letters + "|" : text + letters;
}

std::string mnemonicText(const Instruction& i) {
    const isa::OpInfo& info = isa::opInfo(i.op);
    std::string text;
    if (i.guard) text = fmt::format("({}p{}) ", i.guardNegate ? "!" : "", i.guard);
    text += info.mnemonic;
    const isa::Type defaultType = info.types & 1 ? isa::Type::F32 : isa::Type::I32;
    if (i.elementSize != isa::ElementSize::Word)
        text += fmt::format(".{}{}", i.type == isa::Type::I32 ? 'i' : 'u', 8 * isa::byteCount(i.elementSize));
    else if (i.type != defaultType || defaultType != isa::Type::F32)
        text += fmt::format(".{}", typeNames()[static_cast<int>(i.type)]);
    if (i.saturate) text += ".sat";
    if (i.subsetWidth) text += fmt::format(".{}", widthSuffixes()[i.subsetWidth]);
    if (i.subsetDepth) text += fmt::format(".{}", depthSuffixes()[i.subsetDepth]);
    if (i.subsetOfBlock) text += ".block";
    if (i.snoopRow) text += fmt::format(".{}", snoopRowSuffixes()[i.snoopRow]);
    return text;
}

/// Everything but the target of a branch.
std::string instructionText(const Instruction& i) {
    const Shape shape = isa::opInfo(i.op).shape;
    std::string text = mnemonicText(i);
    if (i.iterations) text += fmt::format(" {}", i.iterations);
    if (shape == Shape::Barrier)
        return text +
               (i.barrierGroups ? fmt::format(" {}, {}", i.barrier, i.barrierGroups) : fmt::format(" {}", i.barrier));
    if (shape == Shape::MS) return text + " " + memoryText(i) + ", " + storeValueText(i);
    if (isa::hasDestination(shape)) text += " " + destinationText(i.dst);
    if (isa::isMemory(shape)) text += ", " + memoryText(i);
    for (int s = isa::isMemory(shape) ? 1 : 0; s < isa::sourceCount(shape); ++s) text += ", " + sourceText(i, i.src[s]);
    if (isa::isTexture(shape))
        text += fmt::format(", {}, {}", registerText("t", i.textureUnit, i.textureRelative),
                            targetNames()[static_cast<int>(i.textureTarget)]);
    if (const auto [x, y, z] = i.texelOffset; x != 0 || y != 0 || z != 0)
        text += fmt::format(", ({}, {}, {})", x, y, z);
    return text;
}

class Disassembler {
public:
    Disassembler(const Program& program, bool withSource) : program_(program), withSource_(withSource) {}

    std::string run() {
        out_ = fmt::format(".{}\n", stageNames()[static_cast<int>(program_.stage)]);
        declarations();
        decodeAll();
        out_ += "\n";
        for (size_t at = 0; at < program_.code.size(); ++at) line(at);
        return std::move(out_);
    }

private:
    // --- Declarations ---

    void variable(std::string_view directive, char letter, int index, const isa::Variable& v) {
        const std::string component = v.component ? fmt::format(".{}", "xyzw"[v.component]) : "";
        out_ += fmt::format(".{} {}{}{} {} ", directive, letter, index, component, v.name);
        if (v.interpolation != isa::Interpolation::Smooth)
            out_ += fmt::format("{} ", interpolationNames()[static_cast<int>(v.interpolation)]);
        out_ += typeText(v.precision, v.type, v.arraySize) + "\n";
    }

    static std::string typeText(isa::Precision precision, isa::VarType type, int arraySize) {
        std::string text;
        if (precision != isa::Precision::None) text = fmt::format("{} ", precisionNames()[static_cast<int>(precision)]);
        text += variableTypeNames()[static_cast<int>(type)];
        return arraySize ? text + fmt::format("[{}]", arraySize) : text;
    }

    void block(const isa::UniformBlock& block) {
        const std::string place = block.registers ? fmt::format("c{}", block.reg) : "unread";
        out_ += fmt::format(".block {} {} {}{}\n", place, block.name, block.byteSize, block.isShared ? "" : " packed");
        for (const isa::BlockMember& m : block.members) {
            out_ += fmt::format(".member {} {} {}", m.offset, m.name, typeText(m.precision, m.type, m.arraySize));
            if (m.arraySize) out_ += fmt::format(" stride {}", m.arrayStride);
            if (isa::isMatrix(m.type)) out_ += fmt::format(" {} {}", m.rowMajor ? "rows" : "columns", m.matrixStride);
            out_ += "\n";
        }
    }

    void computeDeclarations() {
        if (program_.stage != Stage::Compute) return;
        const auto [x, y, z] = program_.blockSize;
        out_ += fmt::format(".group {}, {}, {}\n", x, y, z);
        if (program_.sharedBytes) out_ += fmt::format(".shared {}\n", program_.sharedBytes);
        for (const isa::Buffer& buffer : program_.buffers)
            out_ += fmt::format(".buffer b{} {}{}\n", buffer.slot, buffer.name, buffer.constant ? " constant" : "");
    }

    void declarations() {
        if (program_.broadcastColor) out_ += ".broadcast\n";
        computeDeclarations();
        for (const isa::Variable& v : program_.attributes) variable("input", 'v', v.reg, v);
        for (const isa::Variable& v : program_.varyings) {
            if (program_.stage == Stage::Vertex)
                variable("output", 'o', v.reg + isa::kOutVarying0, v);
            else
                variable("input", 'v', v.reg, v);
        }
        for (const isa::Variable& v : program_.outputs) variable("output", 'o', v.reg, v);
        for (const isa::Variable& v : program_.uniforms) {
            if (isa::isSampler(v.type))
                variable("sampler", 't', v.reg, v);
            else
                variable("uniform", 'c', v.reg, v);
        }
        for (const isa::UniformBlock& b : program_.blocks) block(b);
        for (const isa::Literal& literal : program_.literals) {
            out_ += fmt::format(".const c{} =", literal.reg);
            for (size_t c = 0; c < literal.bits.size(); ++c)
                out_ += (c ? ", " : " ") + literalText(literal.bits[c], isa::Type::F32);
            out_ += "\n";
        }
        // Only relative operands can reach more temporaries than the code names.
        Program derived = program_;
        derived.tempCount = 0;
        isa::deriveUsage(derived);
        if (derived.tempCount < program_.tempCount) out_ += fmt::format(".temps {}\n", program_.tempCount);
    }

    // --- Code ---

    void decodeAll() {
        std::vector<Op> ops;
        for (const isa::Word& word : program_.code) {
            code_.push_back(isa::decode(word));
            ops.push_back(code_.back() ? code_.back()->op : Op::Mov);
            if (code_.back() && code_.back()->op == Op::Call && code_.back()->target < program_.code.size())
                labels_.insert(code_.back()->target);
        }
        structure_ = matchStructure(ops);
    }

    static std::string label(size_t at) { return fmt::format("sub{}", at); }

    void sourceComment(size_t at) {
        if (!withSource_ || at >= program_.lines.size()) return;
        const uint32_t number = program_.lines[at];
        if (number == 0 || number == shownLine_) return;
        shownLine_ = number;
        std::string_view rest = program_.source;
        for (uint32_t n = 1; n < number && !rest.empty(); ++n)
            rest = rest.substr(std::min(rest.find('\n'), rest.size() - 1) + 1);
        std::string_view text = rest.substr(0, rest.find('\n'));
        while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
        while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
        out_ += fmt::format("    ; {}: {}\n", number, text);
    }

    void line(size_t at) {
        if (labels_.contains(at)) out_ += fmt::format("{}{}:\n", at ? "\n" : "", label(at));
        sourceComment(at);
        if (!code_[at]) {
            out_ += fmt::format("    .word 0x{:016x}, 0x{:016x}\n", program_.code[at].lo, program_.code[at].hi);
            return;
        }
        const Instruction& i = *code_[at];
        if (depth_ > 0 && (i.op == Op::Else || i.op == Op::Endif || i.op == Op::Endloop)) --depth_;
        out_.append(4 + 4 * std::min<size_t>(depth_, isa::kMaxNesting), ' ');
        out_ += instructionText(i);
        if (i.op == Op::Call && i.target < program_.code.size())
            out_ += " " + label(i.target);
        else if (isa::opInfo(i.op).shape == Shape::Branch && structure_.targets[at] != i.target)
            out_ += fmt::format(" @{}", i.target);
        out_ += "\n";
        if (i.op == Op::If || i.op == Op::Else || i.op == Op::Loop) ++depth_;
    }

    const Program& program_;
    bool withSource_;
    std::string out_;
    std::vector<std::optional<Instruction>> code_;
    std::set<size_t> labels_;
    Structure structure_;
    size_t depth_ = 0;
    uint32_t shownLine_ = 0;
};

}  // namespace

std::string disassemble(const Program& program) { return Disassembler(program, false).run(); }
std::string disassembleWithSource(const Program& program) { return Disassembler(program, true).run(); }

std::string disassemble(const Instruction& instruction) {
    std::string text = instructionText(instruction);
    if (isa::opInfo(instruction.op).shape == Shape::Branch) text += fmt::format(" @{}", instruction.target);
    return text;
}

}  // namespace tessera::assembly
