// tessera as
#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>

#include "shader-core/asm/assembler.h"
#include "tools/files.h"
#include "tools/verbs.h"

namespace tessera::tools {

namespace {

struct Options {
    std::string input, output;
    bool strip = false;
};

int assembleFile(const Options& options) {
    const std::optional<std::string> text = readFile(options.input);
    if (!text) return kTrouble;
    assembly::AssembleResult result = assembly::assemble(*text, options.input);
    std::cerr << result.log();
    if (!result.program) return kWrongInput;
    if (options.strip) {
        result.program->source.clear();
        result.program->lines.clear();
    }
    const std::string output = options.output.empty() ? withEnding(options.input, ".tsb") : options.output;
    return writeFile(output, isa::serialize(*result.program)) ? kDone : kTrouble;
}

}  // namespace

void addAssemble(CLI::App& app, int& status) {
    const auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("as", "Assemble a .tsa text into a .tsb program");
    verb->add_option("input", options->input, "Assembly text; - reads standard input")->required();
    verb->add_option("-o,--output", options->output, "Program to write; the input's name with .tsb when left out");
    verb->add_flag("--strip", options->strip, "Leave out the source text and the line table");
    verb->footer(
        "Errors are printed as file:line:column: what, and what to do. Exit status 1 when there are any.\n"
        "Example: tessera as shader.tsa -o shader.tsb");
    verb->callback([options, &status] { status = assembleFile(*options); });
}

}  // namespace tessera::tools
