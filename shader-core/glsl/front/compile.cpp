// compile(): source text to a Shader.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/excerpt.h"
#include "base/thread/thread.h"
#include "shader-core/glsl/front/lower/ast_to_ir.h"
#include "shader-core/glsl/front/parse/diagnose.h"
#include "shader-core/glsl/front/parse/parse.h"
#include "shader-core/glsl/front/preprocess/preprocess.h"

namespace tessera::glsl {

using namespace front;

namespace {

/// Rules that glslang leaves to its linker, or to nobody.
void checkRules(const Analysis& analysis) {
    for (const char* colorName : {"gl_FragColor", "gl_SecondaryFragColorEXT"})
        for (const char* dataName : {"gl_FragData", "gl_SecondaryFragDataEXT"}) {
            auto color = analysis.usedBuiltIns.find(colorName);
            auto data = analysis.usedBuiltIns.find(dataName);
            if (color != analysis.usedBuiltIns.end() && data != analysis.usedBuiltIns.end())
                throw CompileError{
                    std::max(color->second, data->second),
                    fmt::format("'{}' : {} is used by the same shader; only one of them may be", dataName, colorName)};
        }
    if (!analysis.recursiveFunction.empty())
        throw CompileError{analysis.recursiveLine, fmt::format("'{}' : function calls itself; recursion is not allowed",
                                                               analysis.recursiveFunction)};
}

/// What the shader is made of before its statements are.
std::shared_ptr<Shader> makeShader(isa::Stage stage, const Preprocessed& text, std::string_view source) {
    auto shader = std::make_shared<Shader>();
    shader->stage = stage;
    shader->version = text.extensions.version;
    shader->module.stage = stage;
    shader->invariantAll = text.invariantAll != 0;
    for (const std::string& name : text.invariantBuiltIns) {
        shader->invariance.position |= name == "gl_Position";
        shader->invariance.pointSize |= name == "gl_PointSize";
        shader->invariance.fragCoord |= name == "gl_FragCoord";
        shader->invariance.pointCoord |= name == "gl_PointCoord";
    }
    shader->module.source = std::string(source);
    return shader;
}

/// Checks a tree and lowers it into the shader; the error that ended this, or nothing.
std::optional<CompileError> lowerTree(const ParsedShader& parsed, Shader& shader, const Limits& limits,
                                      bool debugInfo) {
    try {
        Analysis analysis(parsed.root());
        checkRules(analysis);
        shader.undefinedFunctions = analysis.undefinedFunctions;
        if (limits.callsFunctions)
            analysis.chooseAllCalled();
        else
            analysis.chooseCalled(limits.inlinedNodes);
        AstToIr(shader, analysis, parsed.declared, limits.drawBuffers, debugInfo).run(parsed.root());
    } catch (const CompileError& error) {
        return error;
    }
    return std::nullopt;
}

/// "0:12:5", or "0:12" when the column is not known.
std::string placeText(const Message& m) {
    return fmt::format("{}:{}", m.string, m.line) + (m.column > 0 ? fmt::format(":{}", m.column) : "");
}

/// What glslang does not tell.
void setDeclarations(std::vector<InterfaceVariable>& variables, const Preprocessed& text) {
    for (InterfaceVariable& variable : variables) {
        const auto found = text.declarations.find(variable.name);
        if (found == text.declarations.end()) continue;
        variable.place = placeText(text.message(true, found->second.place, {}));
        if (found->second.location >= 0) variable.location = found->second.location;
    }
}

void setDeclarations(std::vector<InterfaceBlock>& blocks, const Preprocessed& text) {
    for (InterfaceBlock& block : blocks)
        if (const auto found = text.declarations.find(block.name); found != text.declarations.end())
            block.place = placeText(text.message(true, found->second.place, {}));
}

/// Of several outputs of a fragment shader each has a location (GLSL ES 3.00 section 4.3.8.2), unless the program may
/// give it one (EXT_blend_func_extended).
void checkOutputs(const Shader& shader, const Preprocessed& text, std::vector<Message>& messages) {
    if (shader.outputs.size() < 2 || text.extensions.secondColor) return;
    for (const InterfaceVariable& v : shader.outputs) {
        if (v.location >= 0) continue;
        const auto found = text.declarations.find(v.name);
        const Preprocessed::Place place =
            found == text.declarations.end() ? Preprocessed::Place{} : found->second.place;
        messages.push_back(text.message(
            true, place,
            fmt::format("'{}' : of several outputs each must have a location, as in layout(location = 0)", v.name)));
    }
}

/// A fragment shader's outputs are not made invariant all together (GLSL ES 3.00 section 4.6.1).
void checkPragma(const Shader& shader, const Preprocessed& text, std::vector<Message>& messages) {
    if (text.invariantAll == 0 || shader.stage != isa::Stage::Fragment || shader.version < 300) return;
    messages.push_back(
        text.message(true, {text.invariantAll, 0}, "'#pragma' : invariant(all) is not for fragment shaders"));
}

/// An error of lowerTree() knows its line; the tree of the text with one token on each line knows its token.
Message located(const CompileError& error, isa::Stage stage, const Preprocessed& text, const Limits& limits) {
    Preprocessed::Place place{std::max(error.line, 1), 0};
    const std::string lines = oneTokenALine(text);
    const ParsedShader parsed = parse(stage, lines, limits, text.extensions);
    if (parsed.root()) {
        const std::optional<CompileError> again = lowerTree(parsed, *makeShader(stage, text, {}), limits, false);
        const size_t token = again && again->line > 0 ? static_cast<size_t>(again->line) - 1 : text.places.size();
        if (token < text.places.size() && again->message == error.message)
            place = placeOfToken(text, tokensOf(lines), token, error.message);
    }
    return text.message(true, place, restoreNames(error.message));
}

std::vector<Message> messagesOfLog(std::string_view log, const Preprocessed& text) {
    std::vector<Message> messages;
    while (!log.empty()) {
        const size_t end = std::min(log.find('\n'), log.size());
        messages.push_back(text.fromLog(log.substr(0, end)));
        log.remove_prefix(std::min(end + 1, log.size()));
    }
    return messages;
}

CompileResult compileText(isa::Stage stage, const Preprocessed& text, std::string_view source, const Limits& limits,
                          bool debugInfo) {
    CompileResult result;
    result.messages = text.messages;
    const ParsedShader parsed = parse(stage, text.text, limits, text.extensions);
    std::vector<Message> said;
    if (!parsed.root()) said = diagnose(stage, text, limits);
    if (said.empty()) said = messagesOfLog(parsed.log, text);
    result.messages.insert(result.messages.end(), said.begin(), said.end());
    if (!parsed.root()) return result;
    std::shared_ptr<Shader> shader = makeShader(stage, text, source);
    shader->blendSupport = parsed.blendSupport;
    shader->views = parsed.views;
    if (const std::optional<CompileError> error = lowerTree(parsed, *shader, limits, debugInfo)) {
        result.messages.push_back(located(*error, stage, text, limits));
        return result;
    }
    for (auto* variables : {&shader->attributes, &shader->varyings, &shader->uniforms, &shader->outputs})
        setDeclarations(*variables, text);
    setDeclarations(shader->blocks, text);
    const size_t before = result.messages.size();
    checkOutputs(*shader, text, result.messages);
    checkPragma(*shader, text, result.messages);
    if (result.messages.size() == before) result.shader = std::move(shader);
    return result;
}

/// The info log: "ERROR: 0:12:5: text" for each message.
std::string logText(const std::vector<Message>& messages) {
    std::string log;
    for (const Message& m : messages) {
        log += m.error ? "ERROR: " : "WARNING: ";
        if (m.sourceLine > 0) log += placeText(m) + ": ";
        log += m.text + "\n";
    }
    return log;
}

/// How many bytes of a character a byte begins in UTF-8; 0: none.
size_t characterBytes(unsigned char first) {
    if (first < 0x80) return 1;
    if (first < 0xc2 || first > 0xf4) return 0;
    return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/// The text with each byte that is no part of a character in UTF-8 as "\\x80": glslang echoes single bytes.
std::string printable(std::string_view text) {
    std::string made;
    for (size_t at = 0; at < text.size();) {
        const size_t bytes = characterBytes(static_cast<unsigned char>(text[at]));
        const std::string_view character = text.substr(at, std::max<size_t>(bytes, 1));
        const bool whole = bytes != 0 && character.size() == bytes &&
                           std::ranges::all_of(character.substr(1), [](char c) { return (c & 0xc0) == 0x80; });
        made += whole ? std::string(character) : fmt::format("\\x{:02x}", static_cast<unsigned char>(text[at]));
        at += whole ? bytes : 1;
    }
    return made;
}

/// A line of the source by its number, from 1; lines end with "\n", "\r\n" or "\r".
std::string_view sourceLine(std::string_view source, int number) {
    size_t at = 0;
    for (int line = 1; line < number && at < source.size(); ++line) {
        at = std::min(source.find_first_of("\r\n", at), source.size());
        at += source.substr(at).starts_with("\r\n") ? 2 : 1;
    }
    at = std::min(at, source.size());
    return source.substr(at, std::min(source.find_first_of("\r\n", at), source.size()) - at);
}

}  // namespace

std::string describe(const std::vector<Message>& messages, std::string_view file, std::string_view source) {
    std::string text;
    for (const Message& m : messages) {
        text += file;
        if (m.sourceLine > 0) text += m.string ? fmt::format("[{}]:{}", m.string, m.line) : fmt::format(":{}", m.line);
        if (m.column > 0) text += fmt::format(":{}", m.column);
        text += fmt::format(": {}: {}\n", m.error ? "error" : "warning", m.text);
        if (m.sourceLine > 0) text += excerpt(sourceLine(source, m.sourceLine), m.column);
    }
    return text;
}

void prepare(int version) {
    for (isa::Stage stage : {isa::Stage::Vertex, isa::Stage::Fragment})
        (void)parse(stage, "void main() {}\n", {}, {.version = version});
}

CompileResult compile(isa::Stage stage, std::string_view source, const Limits& given, bool debugInfo) {
    Preprocessed text = preprocess(source, given);
    if (!text.ok) {
        for (Message& m : text.messages) m.text = printable(m.text);
        return {nullptr, text.messages, logText(text.messages)};
    }
    Limits limits = given;
    if (text.extensions.version == 300) limits.drawBuffers = isa::kColors;
    CompileResult result;
    auto work = [&] { result = compileText(stage, text, source, limits, debugInfo); };
    constexpr size_t kShallow = 200;                     // trees that any caller's stack holds
    constexpr size_t kDeepestStack = size_t{256} << 20;  // address space; only touched pages cost memory
    if (text.depth <= kShallow)
        work();
    else
        runWithStack(kDeepestStack, work);
    for (Message& m : result.messages) m.text = printable(m.text);
    result.infoLog = logText(result.messages);
    return result;
}

}  // namespace tessera::glsl
