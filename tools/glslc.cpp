// tessera glslc
#include <iostream>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "shader-core/asm/disassembler.h"
#include "shader-core/glsl/glsl.h"
#include "tools/files.h"
#include "tools/verbs.h"

namespace tessera::tools {

namespace {

struct Options {
    std::vector<std::string> inputs;
    std::string output, stage;
};

/// One input after compilation.
struct Unit {
    std::string file;
    isa::Stage stage = isa::Stage::Vertex;
    std::shared_ptr<const glsl::Shader> shader;
};

std::optional<isa::Stage> stageOf(const std::string& file, const std::string& option) {
    if (option == "vertex" || (option.empty() && file.ends_with(".vert"))) return isa::Stage::Vertex;
    if (option == "fragment" || (option.empty() && file.ends_with(".frag"))) return isa::Stage::Fragment;
    return std::nullopt;
}

/// Info log lines name string and line ("ERROR: 0:12: ..."); the file stands before each.
void printLog(const std::string& file, std::string_view log) {
    while (!log.empty()) {
        const size_t end = std::min(log.find('\n'), log.size());
        if (end) fmt::print(stderr, "{}: {}\n", file, log.substr(0, end));
        log.remove_prefix(std::min(end + 1, log.size()));
    }
}

std::optional<Unit> compileFile(const std::string& file, const std::string& stageOption, int& status) {
    const std::optional<isa::Stage> stage = stageOf(file, stageOption);
    if (!stage) {
        fmt::print(stderr, "{}: error: the stage does not follow from the name; give --stage vertex or fragment\n",
                   file);
        status = kTrouble;
        return std::nullopt;
    }
    const std::optional<std::string> source = readFile(file);
    if (!source) {
        status = kTrouble;
        return std::nullopt;
    }
    glsl::CompileResult result = glsl::compile(*stage, *source);
    printLog(file, result.infoLog);
    if (!result.shader) {
        status = kWrongInput;
        return std::nullopt;
    }
    return Unit{file, *stage, std::move(result.shader)};
}

int writeProgram(const isa::Program& program, const std::string& output) {
    return writeFile(output, isa::serialize(program)) ? kDone : kTrouble;
}

/// Listing on standard output, or .tsb; of two stages each goes to its own file, "x.vert.tsb" and "x.frag.tsb".
int emit(const glsl::LinkResult& linked, const Options& options) {
    int status = kDone;
    for (const std::shared_ptr<isa::Program>& program : {linked.vertex, linked.fragment}) {
        if (!program) continue;
        if (options.output.empty()) {
            fmt::print("{}", assembly::disassembleWithSource(*program));
            continue;
        }
        const char* ending = program->stage == isa::Stage::Vertex ? ".vert.tsb" : ".frag.tsb";
        const bool both = linked.vertex && linked.fragment;
        status = std::max(status, writeProgram(*program, both ? withEnding(options.output, ending) : options.output));
    }
    return status;
}

int compileFiles(const Options& options) {
    int status = kDone;
    std::vector<Unit> units;
    for (const std::string& file : options.inputs)
        if (std::optional<Unit> unit = compileFile(file, options.stage, status)) units.push_back(std::move(*unit));
    if (status != kDone) return status;
    if (units.size() == 2 && units[0].stage == units[1].stage) {
        fmt::print(stderr, "{}: error: two files are linked as one vertex and one fragment shader\n", units[1].file);
        return kTrouble;
    }
    glsl::LinkResult linked;
    if (units.size() == 2) {
        const bool swapped = units[0].stage == isa::Stage::Fragment;
        linked = glsl::link(*units[swapped].shader, *units[!swapped].shader, {});
    } else {
        linked = glsl::linkSingle(*units[0].shader);
    }
    printLog(units.size() == 2 ? "link" : units[0].file, linked.infoLog);
    return linked.ok ? emit(linked, options) : kWrongInput;
}

}  // namespace

void addGlslCompiler(CLI::App& app, int& status) {
    const auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("glslc", "Compile GLSL ES 1.00 and print the program, or write it as .tsb");
    verb->add_option("input", options->inputs, "A shader (.vert or .frag), or one of each to be linked")
        ->required()
        ->expected(1, 2);
    verb->add_option("-o,--output", options->output,
                     "Write .tsb instead of the listing; of two stages name.vert.tsb and name.frag.tsb");
    verb->add_option("--stage", options->stage, "Stage of a file with another ending")
        ->check(CLI::IsMember({"vertex", "fragment"}));
    verb->footer(
        "The listing shows each source line above its instructions. Exit status 1 when the shader is wrong.\n"
        "Example: tessera glslc shader.vert shader.frag -o shader");
    verb->callback([options, &status] { status = compileFiles(*options); });
}

}  // namespace tessera::tools
