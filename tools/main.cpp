// The `tessera` command.
#include <string_view>

#include <CLI/CLI.hpp>

#include "base/env.h"
#include "tools/files.h"
#include "tools/verbs.h"

int main(int argc, char** argv) {
    CLI::App app{"Tessera: a GPU in software. Tools for its shader programs and pictures."};
    app.require_subcommand(1);
    app.set_version_flag("--version", "Tessera " TESSERA_VERSION, "Print the version and exit");
    app.footer("Every verb has its own --help. The instruction set and the assembly language: docs/isa.md");
    int status = 0;
    tessera::tools::addAssemble(app, status);
    tessera::tools::addDisassemble(app, status);
    tessera::tools::addInfo(app, status);
    tessera::tools::addGlslCompiler(app, status);
    tessera::tools::addDiff(app, status);
    tessera::tools::addRun(app, status);
    tessera::tools::addTex(app, status);
    tessera::tools::addDebug(app, status);
    tessera::tools::addBisect(app, status);
    tessera::tools::addExplain(app, status);
    tessera::tools::addCommands(app, status);
    tessera::tools::addModel(app, status);
    tessera::tools::addTrim(app, status);
    tessera::tools::addExec(app, status);
    tessera::tools::addPages(app, status);
    // Tools do not guess what a wrong value was meant to be.
    bool invalid = false;
    for (const tessera::EnvProblem& problem : tessera::envProblems()) invalid |= problem.invalid;
    tessera::reportEnvProblems();
    if (invalid) return tessera::tools::kTrouble;
    // CLI11 hands what stands behind "--" back to the command; with exec it is for the program that follows.
    if (argc > 2 && std::string_view(argv[1]) == "exec" && std::string_view(argv[2]) == "--") {
        argv[2] = argv[1];
        argv[1] = argv[0];
        ++argv, --argc;
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return app.exit(e) == 0 ? 0 : 2;
    }
    return status;
}
