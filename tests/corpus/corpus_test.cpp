// Every shader of the corpus compiles, its line table maps every instruction to a line of its source that holds code,
// and its disassembly assembles to the same words.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "shader-core/asm/assembler.h"
#include "shader-core/asm/disassembler.h"
#include "shader-core/glsl/glsl.h"
#include "shader-core/isa/debug_info.h"

namespace tessera {
namespace {

std::vector<std::filesystem::path> shaders() {
    std::vector<std::filesystem::path> files;
    for (const char* folder : {"demos/shaders", "tests/corpus"})
        for (const auto& entry :
             std::filesystem::directory_iterator(std::filesystem::path(TESSERA_SOURCE_DIR) / folder))
            if (entry.path().extension() == ".vert" || entry.path().extension() == ".frag")
                files.push_back(entry.path());
    return files;
}

std::shared_ptr<const isa::Program> compiled(const std::string& name, const std::string& source,
                                             bool debugInfo = false) {
    const isa::Stage stage = name.ends_with(".vert") ? isa::Stage::Vertex : isa::Stage::Fragment;
    const glsl::CompileResult result = glsl::compile(stage, source, {}, debugInfo);
    REQUIRE_MESSAGE(result.shader, name, result.infoLog);
    const glsl::LinkResult linked = glsl::linkSingle(*result.shader);
    REQUIRE_MESSAGE(linked.ok, name, linked.infoLog);
    return linked.vertex ? linked.vertex : linked.fragment;
}

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

/// Whether something other than space and comment stands in the line.
bool holdsCode(std::string line) {
    line.resize(std::min(line.find("//"), line.size()));
    return line.find_first_not_of(" \t{}") != std::string::npos;
}

std::string textOf(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

void checkLines(const std::string& name, const isa::Program& program, const std::string& source) {
    const std::vector<std::string> lines = linesOf(source);
    REQUIRE(program.lines.size() == program.code.size());
    for (size_t at = 0; at < program.lines.size(); ++at) {
        const uint32_t line = program.lines[at];
        REQUIRE_MESSAGE((line >= 1 && line <= lines.size()), name, ", instruction ", at, ": line ", line);
        CHECK_MESSAGE(holdsCode(lines[line - 1]), name, ", instruction ", at, ": line ", line);
    }
}

TEST_CASE("the corpus: line tables and disassembly") {
    const std::vector<std::filesystem::path> files = shaders();
    REQUIRE(files.size() >= 50);
    for (const std::filesystem::path& file : files) {
        const std::string name = file.filename().string(), source = textOf(file);
        const auto program = compiled(name, source);
        checkLines(name, *program, source);
        const assembly::AssembleResult back = assembly::assemble(assembly::disassemble(*program), name);
        REQUIRE_MESSAGE(back.program, back.log());
        CHECK(back.program->code == program->code);
    }
}

TEST_CASE("what the debugger is told changes no program") {
    size_t variables = 0, shaderCount = 0;
    for (const std::filesystem::path& file : shaders()) {
        const std::string name = file.filename().string(), source = textOf(file);
        const auto plain = compiled(name, source), told = compiled(name, source, true);
        CHECK_MESSAGE(told->code == plain->code, name);
        CHECK_MESSAGE(told->literals == plain->literals, name);
        CHECK_MESSAGE(told->lines == plain->lines, name);
        CHECK(!plain->debugInfo);
        if (!told->debugInfo) continue;
        CHECK_MESSAGE(isa::debugInfoProblem(*told, *told->debugInfo).empty(), name);
        for (const isa::DebugVariable& variable : told->debugInfo->variables)
            variables += variable.ranges.empty() ? 0 : 1;
        ++shaderCount;
    }
    CHECK(shaderCount >= 40);
    CHECK(variables >= 4 * shaderCount);
}

TEST_CASE("a body of assignments to whole variables alone is a scope of theirs") {
    const auto told = compiled("body.frag",
                               "precision mediump float;\n"
                               "varying vec4 v;\n"
                               "void main() {\n"
                               "    vec4 sum;\n"
                               "    sum = v +\n"
                               "        v * v;\n"
                               "    gl_FragColor = sum;\n"
                               "}\n",
                               true);
    REQUIRE(told->debugInfo);
    CHECK(isa::debugInfoProblem(*told, *told->debugInfo) == "");
    REQUIRE(told->debugInfo->variables.size() == 1);
    const isa::DebugVariable& sum = told->debugInfo->variables[0];
    CHECK(sum.name == "sum");
    CHECK(sum.firstLine >= 5);
    CHECK(sum.lastLine == 7);
}

TEST_CASE("linked pairs keep their line tables") {
    int pairs = 0;
    for (const std::filesystem::path& file : shaders()) {
        const std::filesystem::path partner = std::filesystem::path(file).replace_extension(".frag");
        if (file.extension() != ".vert" || !std::filesystem::exists(partner)) continue;
        const std::string vertexText = textOf(file), fragmentText = textOf(partner);
        const glsl::CompileResult vertex = glsl::compile(isa::Stage::Vertex, vertexText);
        const glsl::CompileResult fragment = glsl::compile(isa::Stage::Fragment, fragmentText);
        REQUIRE((vertex.shader && fragment.shader));
        const glsl::LinkResult linked = glsl::link(*vertex.shader, *fragment.shader, {});
        REQUIRE_MESSAGE(linked.ok, file.filename().string(), linked.infoLog);
        checkLines(file.filename().string(), *linked.vertex, vertexText);
        checkLines(partner.filename().string(), *linked.fragment, fragmentText);
        ++pairs;
    }
    CHECK(pairs >= 4);
}

TEST_CASE("a program without statements belongs to its main") {
    const auto program = compiled("x.frag", "\n\nvoid main()\n{\n}\n");
    for (const uint32_t line : program->lines) CHECK(line == 3);
}

}  // namespace
}  // namespace tessera
