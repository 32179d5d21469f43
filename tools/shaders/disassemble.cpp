// tessera dis
#include <memory>

#include <CLI/CLI.hpp>

#include "shader-core/asm/disassembler.h"
#include "tools/files.h"
#include "tools/verbs.h"

namespace tessera::tools {

namespace {

struct Options {
    std::string input, output = "-";
    bool source = false;
};

int disassembleFile(const Options& options) {
    if (!isDistinct(options.output, std::span(&options.input, 1))) return kTrouble;
    int status = kDone;
    const std::optional<isa::Program> program = readProgram(options.input, status);
    if (!program) return status;
    const std::string text =
        options.source ? assembly::disassembleWithSource(*program) : assembly::disassemble(*program);
    return writeFile(options.output, text) ? kDone : kTrouble;
}

}  // namespace

void addDisassemble(CLI::App& app, int& status) {
    const auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("dis", "Print a .tsb program as assembly text");
    verb->add_option("input", options->input, "Program (.tsb), or assembly text to be printed in its plain form")
        ->required();
    verb->add_option("-o,--output", options->output, "File to write; standard output when left out");
    verb->add_flag("--source", options->source, "Show the source line above the instructions made from it");
    verb->footer("The text assembles to the same program again.\nExample: tessera dis --source shader.tsb");
    verb->callback([options, &status] { status = disassembleFile(*options); });
}

}  // namespace tessera::tools
