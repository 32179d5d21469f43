#include "shader-core/asm/hints.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "shader-core/asm/spelling.h"
#include "shader-core/asm/symbols.h"
#include "shader-core/isa/isa.h"
#include "shader-core/isa/type_names.h"

namespace tessera::assembly {

namespace {

struct Hint {
    std::string_view word, write;
};

/// Instructions as GLSL, HLSL, PTX and the ARB assembly programs call them.
constexpr Hint kInstructions[] = {{"sub", "write add with a minus sign: add d, a, -b"},
                                  {"neg", "write a minus sign: mov d, -a"},
                                  {"abs", "write bars: mov d, |a|"},
                                  {"saturate", "write the suffix .sat: mov.sat d, a"},
                                  {"fma", "write mad"},
                                  {"sqrt", "write sqt"},
                                  {"rsqrt", "write rsq"},
                                  {"inversesqrt", "write rsq"},
                                  {"exp", "write ex2, which takes powers of two"},
                                  {"exp2", "write ex2"},
                                  {"log", "write lg2, which is to base two"},
                                  {"log2", "write lg2"},
                                  {"floor", "write flr"},
                                  {"fract", "write frc"},
                                  {"trunc", "write trc"},
                                  {"round", "write rne"},
                                  {"normalize", "write nrm"},
                                  {"mix", "write add t, b, -a and mad d, t, w, a"},
                                  {"lerp", "write add t, b, -a and mad d, t, w, a"},
                                  {"lrp", "write add t, b, -a and mad d, t, w, a"},
                                  {"dp2", "write mul and add of the two components"},
                                  {"cmp", "write slt, sge, seq or sne, and sel"},
                                  {"select", "write sel"},
                                  {"sgt", "write slt with the operands exchanged"},
                                  {"sle", "write sge with the operands exchanged"},
                                  {"texture", "write tex"},
                                  {"texture2D", "write tex"},
                                  {"texld", "write tex"},
                                  {"sample", "write tex"},
                                  {"discard", "write kil"},
                                  {"kill", "write kil"},
                                  {"texkill", "write kil"},
                                  {"break", "write brk"},
                                  {"continue", "write cont"},
                                  {"return", "write ret"},
                                  {"end", "write ret; an if ends with endif, a loop with endloop"},
                                  {"exit", "write ret"},
                                  {"elseif", "write else and an if inside it"},
                                  {"while", "write loop, a guarded brk and endloop"},
                                  {"for", "write loop, a guarded brk and endloop, or loop with a number of iterations"},
                                  {"rep", "write loop with a number of iterations: loop 16, and endloop"},
                                  {"jmp", "there are no jumps: write if, loop or call"},
                                  {"bra", "there are no jumps: write if, loop or call"},
                                  {"goto", "there are no jumps: write if, loop or call"},
                                  {"load", "write ld"},
                                  {"store", "write st"},
                                  {"barrier", "write bar 0"},
                                  {"sync", "write bar 0"}};

/// Operands as GLSL and CUDA call them.
constexpr Hint kOperands[] = {{"gl_Position", "write o0"},
                              {"gl_PointSize", "write o1.x"},
                              {"gl_FragColor", "write o0"},
                              {"gl_FragData", "write o0 to o7"},
                              {"gl_FragDepth", "write o8.x"},
                              {"gl_FragDepthEXT", "write o8.x"},
                              {"gl_LastFragData", "write v32 to v39"},
                              {"gl_FragCoord", "write frag_coord"},
                              {"gl_FrontFacing", "write front_facing"},
                              {"gl_PointCoord", "write point_coord"},
                              {"gl_InstanceID", "write instance_id"},
                              {"gl_LocalInvocationID", "write thread"},
                              {"gl_WorkGroupID", "write block"},
                              {"gl_WorkGroupSize", "write block_size"},
                              {"gl_NumWorkGroups", "write grid_size"},
                              {"threadIdx", "write thread"},
                              {"blockIdx", "write block"},
                              {"blockDim", "write block_size"},
                              {"gridDim", "write grid_size"},
                              {"true", "write 1.0, or a predicate"},
                              {"false", "write 0.0, or a predicate"}};

constexpr Hint kSuffixes[] = {{"f", "write .f32"},        {"float", "write .f32"},
                              {"i", "write .i32"},        {"int", "write .i32"},
                              {"s32", "write .i32"},      {"u", "write .u32"},
                              {"uint", "write .u32"},     {"b32", "write .u32"},
                              {"saturate", "write .sat"}, {"f16", "halves are converted by f2h and h2f"}};

constexpr Hint kDirectives[] = {
    {"attribute", "write .input"},     {"in", "write .input"},       {"out", "write .output"},
    {"texture", "write .sampler"},     {"pixel", "write .fragment"}, {"kernel", "write .compute"},
    {"local", "write .shared"},        {"constant", "write .const"}, {"literal", "write .const"},
    {"threads", "write .group"},       {"equ", "write .define"},     {"set", "write .define"},
    {"end", "a program ends with ret"}};

constexpr std::array<std::string_view, 22> kDirectiveNames{
    "vertex", "fragment", "compute", "input",  "output", "varying",   "uniform", "sampler",
    "block",  "member",   "const",   "temps",  "word",   "broadcast", "define",  "alias",
    "macro",  "endmacro", "include", "buffer", "shared", "group"};

std::optional<std::string_view> hint(std::span<const Hint> hints, std::string_view word) {
    const auto at = std::find_if(hints.begin(), hints.end(), [&](const Hint& h) { return h.word == word; });
    if (at == hints.end()) return std::nullopt;
    return at->write;
}

std::string lowerCase(std::string_view word) {
    std::string lower(word);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return lower;
}

std::vector<std::string_view> mnemonics() {
    std::vector<std::string_view> names;
    for (int i = 0; i < isa::kOpCount; ++i) names.push_back(isa::opInfo(static_cast<isa::Op>(i)).mnemonic);
    return names;
}

/// What to write instead of a word that is no instruction; empty when nothing is near.
std::string insteadOfInstruction(std::string_view word, std::span<const std::string> macros) {
    std::vector<std::string_view> names = mnemonics();
    if (const auto known = hint(kInstructions, word)) return std::string(*known);
    if (isReserved(word))
        return fmt::format("a statement begins with its instruction, then comes the destination: mov {}, ...", word);
    if (std::find(macros.begin(), macros.end(), word) != macros.end())
        return "the macro of this name is defined further down; it stands before its use";
    if (find(stageNames(), word) || find(kDirectiveNames, word)) return fmt::format("did you mean '.{}'?", word);
    if (const std::string lower = lowerCase(word); lower != word && find(names, lower))
        return fmt::format("instructions are written in lower case: {}", lower);
    if (const size_t bar = word.find('_'); bar != std::string_view::npos && find(names, word.substr(0, bar)))
        return fmt::format("a suffix follows a point: {}.{}", word.substr(0, bar), word.substr(bar + 1));
    names.insert(names.end(), macros.begin(), macros.end());
    const std::string_view near = nearest(names, word);
    return near.empty() ? "" : fmt::format("did you mean '{}'?", near);
}

}  // namespace

std::string noInstruction(std::string_view word, std::span<const std::string> macros) {
    const std::string instead = insteadOfInstruction(word, macros);
    return fmt::format("unknown instruction '{}'; {}", word.substr(0, 40),
                       instead.empty() ? "docs/isa.md has the list" : instead);
}

bool isDirectiveWord(std::string_view word) { return find(kDirectiveNames, word) || hint(kDirectives, word); }

std::string insteadOfOperand(std::string_view word) {
    if (const auto known = hint(kOperands, word)) return std::string(*known);
    if (find(variableTypeNames().first(15), word)) return "numbers at once are a constant: .const c0 = 1, 0, 0, 1";
    return {};
}

std::string tooMuch(std::string_view text, isa::Op op) {
    std::string shown;
    for (const char c : text.substr(0, 24)) shown += c >= ' ' && c <= '~' ? c : '?';
    if (!text.empty() && std::string_view("*/+-").find(text[0]) != std::string_view::npos)
        return fmt::format("'{}' is too much here; registers are computed by instructions of their own: mul d, a, b",
                           shown);
    return fmt::format("'{}' is too much here; {} is written {}", shown, isa::opInfo(op).mnemonic,
                       isa::writtenForm(op));
}

std::string insteadOfSuffix(std::string_view word) {
    if (const auto known = hint(kSuffixes, word)) return std::string(*known);
    if (word.empty() || word.size() > 4 || !componentsProblem(word).empty()) return {};
    return fmt::format("components stand behind a register: r0.{}", word);
}

std::string noStatement(std::string_view text) {
    if (text.starts_with('#') || text.starts_with("/*"))
        return "a comment begins with ';' or '//' and ends with its line";
    if (text.starts_with('!') || text.starts_with('@'))
        return "a guard stands in parentheses before the instruction: (p1) mov or (!p1) mov";
    return "an instruction, a directive or a label must stand here";
}

std::string noDirective(std::string_view word) {
    const std::string_view near = nearest(kDirectiveNames, word);
    std::string instead = near.empty() ? "there are" : fmt::format("did you mean '.{}'?", near);
    if (const auto known = hint(kDirectives, word)) instead = *known;
    if (instead == "there are") {
        for (const std::string_view name : kDirectiveNames) instead += fmt::format(" .{}", name);
    }
    return fmt::format("unknown directive '.{}'; {}", word.substr(0, 40), instead);
}

std::string targetChoice() {
    const std::span<const std::string_view> names = targetNames();
    return fmt::format("{} or {}", fmt::join(names.first(names.size() - 1), ", "), names.back());
}

/// The kind of texture of a sampler's type of GLSL.
static std::optional<std::string_view> samplerOfGlsl(std::string_view word) {
    for (size_t i = 0; i < variableTypeNames().size(); ++i) {
        const auto type = static_cast<isa::VarType>(i);
        if (isa::isSampler(type) && isa::nameOf(type) == word) return variableTypeNames()[i];
    }
    return std::nullopt;
}

std::string noType(std::string_view word, bool sampler) {
    constexpr std::string_view kUnsigned[] = {"unsigned", "u32"}, kSigned[] = {"i32", "integer"};
    const std::string_view shown = word.substr(0, 40);
    const auto kind = samplerOfGlsl(word);
    if (sampler) {
        if (kind) return fmt::format("'{}' is the type of GLSL; here it is written {}", shown, *kind);
        return fmt::format("the kind of texture must stand here: {}; of integers i2d to u2darray", targetChoice());
    }
    if (find(kUnsigned, word)) return fmt::format("'{}' is no type of a uniform; write uint", shown);
    if (find(kSigned, word)) return fmt::format("'{}' is no type of a uniform; write int", shown);
    if (word == "f32") return "'f32' is no type of a uniform; write float";
    if (kind || find(variableTypeNames(), word))
        return fmt::format("'{}' is a texture; declare it with .sampler t0 name {}", shown, kind.value_or(shown));
    const std::string_view near = nearest(variableTypeNames().first(15), word);
    return fmt::format(
        "the type must stand here: float, vec2 to vec4, int, ivec2 to ivec4, uint, uvec2 to uvec4, bool, bvec2 to "
        "bvec4, mat2 to mat4, mat2x3 to mat4x3{}",
        near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
}

}  // namespace tessera::assembly
