// Readable text of a module: one instruction a line, indented by nesting, GLSL lines in front.
//
//      7  mad.sat  t3.xyz, t2.xyzx, c4.x, -|t1[1 + t9.x of 4]|.xyzz
#include <fmt/format.h>

#include <bit>
#include <string>

#include "shader-core/glsl/ir/analysis.h"
#include "shader-core/glsl/ir/ir.h"

namespace tessera::glsl::ir {

namespace {

constexpr char kComponents[] = "xyzw";

const char* prefix(Kind kind) {
    switch (kind) {
        case Kind::Temp:
            return "t";
        case Kind::Input:
            return "v";
        case Kind::Output:
            return "o";
        case Kind::Uniform:
            return "c";
        case Kind::Special:
            return "s";
        case Kind::Shared:
            return "x";
        case Kind::Table:
            return "d";
        case Kind::None:
        case Kind::Literal:
            break;
    }
    return "?";
}

template <class Reference>
std::string registerText(const Reference& r) {
    if (r.relative == kNone) return fmt::format("{}{}", prefix(r.kind), r.index);
    return fmt::format("{}[{} + t{}.{} in {}..{}]", prefix(r.kind), r.index, r.relative,
                       kComponents[r.relativeComponent & 3], r.arrayFirst, r.arrayFirst + r.arrayCount - 1);
}

std::string literalText(const Operand& o, uint8_t slots, bool integer) {
    std::string text = "(";
    for (int i = 0; i < 4; i++) {
        if (!(slots >> i & 1)) continue;
        uint32_t bits = o.literal[isa::swizzleAt(o.swizzle, i)];
        if (text.size() > 1) text += ", ";
        text += integer ? fmt::format("{}", static_cast<int32_t>(bits)) : fmt::format("{}", std::bit_cast<float>(bits));
    }
    return text + ")";
}

std::string sourceText(const Operand& o, uint8_t slots, bool integer) {
    std::string text;
    if (o.kind == Kind::None) return "none";
    if (o.kind == Kind::Literal) {
        text = literalText(o, slots, integer);
    } else {
        text = registerText(o);
        if (o.absolute) text = "|" + text + "|";
        text += '.';
        int last = 3;
        while (last > 0 && !(slots >> last & 1)) last--;
        for (int i = 0; i <= last; i++) text += kComponents[isa::swizzleAt(o.swizzle, i)];
    }
    if (o.kind == Kind::Literal && o.absolute) text = "|" + text + "|";
    return (o.negate ? "-" : "") + text;
}

std::string instructionText(const Instruction& i) {
    const isa::OpInfo& info = isa::opInfo(i.op);
    std::string text(info.mnemonic);
    if (i.type == Type::I32) text += ".i32";
    if (i.type == Type::U32) text += ".u32";
    if (i.saturate) text += ".sat";
    const char* separator = " ";
    if (writesResult(i.op)) {
        text += separator + registerText(i.dst) + ".";
        for (int c = 0; c < 4; c++)
            if (i.dst.writeMask >> c & 1) text += kComponents[c];
        separator = ", ";
    }
    bool integer = isa::sourceType(i.op, i.type) != Type::F32;
    for (int s = 0; s < sourceCountOf(i.op); s++) {
        text += separator + sourceText(i.src[s], slotsRead(i, s), integer);
        separator = ", ";
    }
    if (i.condition.kind != Kind::None)
        text += fmt::format(" {}{}", i.conditionNegate ? "not " : "", sourceText(i.condition, 1, false));
    if (isTextureOp(i.op)) {
        constexpr const char* kTargets[] = {"2d", "cube", "3d", "external"};
        text += fmt::format(", unit {}", i.sampler);
        if (i.samplerRelative != kNone)
            text += fmt::format(" + t{}.{}", i.samplerRelative, kComponents[i.samplerRelativeComponent & 3]);
        text += fmt::format(", {}", kTargets[static_cast<int>(i.target) & 3]);
    }
    return text;
}

}  // namespace

std::string print(const Module& module) {
    std::string text = module.stage == isa::Stage::Vertex ? "vertex\n" : "fragment\n";
    for (const Array& a : module.arrays)
        text += fmt::format("array t{}..t{}\n", a.firstTemp, a.firstTemp + a.count - 1);
    int depth = 0;
    for (const Instruction& i : module.code) {
        bool closes = i.op == Op::Else || i.op == Op::Endif || i.op == Op::Endloop;
        if (closes && depth > 0) depth--;
        text += i.line ? fmt::format("{:>5}", i.line) : std::string(5, ' ');
        text += fmt::format("  {:{}}{}\n", "", 2 * depth, instructionText(i));
        if (i.op == Op::If || i.op == Op::Else || i.op == Op::Loop) depth++;
    }
    return text;
}

}  // namespace tessera::glsl::ir
