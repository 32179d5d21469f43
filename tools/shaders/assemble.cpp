// tessera as
#include <iostream>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "shader-core/asm/assembler.h"
#include "tools/files.h"
#include "tools/verbs.h"

namespace tessera::tools {

namespace {

struct Options {
    std::string input, output, listing, warnings = "all";
    bool strip = false, warningsAreErrors = false;
};

int assembleFile(const Options& options) {
    if (options.input == "-" && options.output.empty() && options.listing != "-") {
        fmt::print(stderr, "error: the text comes from standard input; name the program with -o\n");
        return kTrouble;
    }
    const std::string output = options.output.empty() ? withEnding(options.input, ".tsb") : options.output;
    for (const std::string& file : {output, options.listing})
        if (!isDistinct(file, std::span(&options.input, 1))) return kTrouble;
    const std::optional<std::string> text = readFile(options.input);
    if (!text) return kTrouble;
    assembly::AssembleOptions how;
    how.include = readIncluded;
    how.warnDeadWrites = options.warnings == "all" || options.warnings == "dead-write";
    how.warnTruthValues = options.warnings == "all" || options.warnings == "truth-value";
    how.warnUndeclared = options.warnings == "all" || options.warnings == "undeclared";
    how.warnUninitialised = options.warnings == "all" || options.warnings == "uninitialised";
    assembly::AssembleResult result = assembly::assemble(*text, options.input, how);
    std::cerr << result.log();
    if (!result.program || (options.warningsAreErrors && !result.warnings.empty())) return kWrongInput;
    if (!options.listing.empty() && !writeFile(options.listing, result.listing())) return kTrouble;
    if (options.strip) {
        result.program->source.clear();
        result.program->lines.clear();
        result.program->debugInfo.reset();
    }
    if (options.output.empty() && options.listing == "-") return kDone;
    return writeFile(output, isa::serialize(*result.program)) ? kDone : kTrouble;
}

}  // namespace

void addAssemble(CLI::App& app, int& status) {
    const auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("as", "Assemble a .tsa text into a .tsb program");
    verb->add_option("input", options->input, "Assembly text; - reads standard input")->required();
    verb->add_option("-o,--output", options->output, "Program to write; the input's name with .tsb when left out");
    verb->add_option("--listing", options->listing,
                     "Also write the text with number and encoding of each instruction; - prints it, and writes no "
                     "program unless -o names one");
    verb->add_option("-W,--warn", options->warnings,
                     "Warnings to give: all, none, uninitialised, dead-write, truth-value, undeclared")
        ->check(CLI::IsMember({"all", "none", "uninitialised", "dead-write", "truth-value", "undeclared"}));
    verb->add_flag("--werror", options->warningsAreErrors, "Write nothing when there is a warning");
    verb->add_flag("--strip", options->strip, "Leave out the source text, the line table and the names of registers");
    verb->footer(
        "Errors and warnings are printed as file:line:column: what, and what to do, with the line and a caret.\n"
        "Exit status 1 when there are errors. Included files are looked for beside the file that includes them.\n"
        "Example: tessera as shader.tsa -o shader.tsb");
    verb->callback([options, &status] { status = assembleFile(*options); });
}

}  // namespace tessera::tools
