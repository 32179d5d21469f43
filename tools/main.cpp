// The `tessera` command.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/nearest.h"
#include "base/process/env.h"
#include "tools/files.h"
#include "tools/verbs.h"

namespace {

/// Whether the first word is none of the command's. CLI11 would only miss a verb, and not name the word.
bool isUnknown(const CLI::App& app, const std::string& word) {
    std::vector<std::string> owned = {"--help", "-h", "--version"};
    for (const CLI::App* verb : app.get_subcommands({})) owned.push_back(verb->get_name());
    const std::vector<std::string_view> names(owned.begin(), owned.end());
    if (std::ranges::find(names, std::string_view(word)) != names.end()) return false;
    const std::string_view near = tessera::nearest(names, word);
    fmt::print(stderr, "tessera: error: there is no {} '{}'{}; tessera --help lists what there is\n",
               word.starts_with('-') ? "option" : "verb", word,
               near.empty() ? "" : fmt::format("; did you mean '{}'?", near));
    return true;
}

/// `status`, or trouble when standard output has not taken all that was printed.
int afterPrinting(int status) {
    std::cout.flush();
    if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout) return status;
    // Not by fmt, which throws when this cannot be written either.
    (void)std::fputs("tessera: error: standard output cannot be written\n", stderr);
    return tessera::tools::kTrouble;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Tessera: a GPU in software. Tools for its shader programs and pictures."};
    app.require_subcommand(1);
    app.set_version_flag("--version", "Tessera " TESSERA_VERSION, "Print the version and exit");
    app.footer(
        "Exit status: 0 done; 1 the input is wrong, or what is compared differs; 2 trouble with files, with the "
        "command\n"
        "line, or with a program behind -- that cannot be started or ends before it has drawn what was asked for. "
        "exec\n"
        "has the status of its program.\n"
        "Every verb has its own --help. The instruction set and the assembly language: docs/isa.md");
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
    tessera::tools::addInspect(app, status);
    tessera::tools::addModel(app, status);
    tessera::tools::addTrim(app, status);
    tessera::tools::addExec(app, status);
    tessera::tools::addBrowser(app, status);
    tessera::tools::addPackageVerbs(app, status);
    tessera::tools::addPages(app, status);
    // Tools do not guess what a wrong value was meant to be.
    bool invalid = false;
    for (const tessera::EnvProblem& problem : tessera::envProblems()) {
        if (problem.invalid) fmt::print(stderr, "tessera: error: {}\n", problem.what);
        invalid |= problem.invalid;
    }
    if (invalid) return tessera::tools::kTrouble;
    tessera::reportEnvProblems();
    // CLI11 hands what stands behind "--" back to the command; with exec it is for the program that follows.
    if (argc > 2 && std::string_view(argv[1]) == "exec" && std::string_view(argv[2]) == "--") {
        argv[2] = argv[1];
        argv[1] = argv[0];
        ++argv, --argc;
    }
    try {
        if (argc > 1 && isUnknown(app, argv[1])) return tessera::tools::kTrouble;
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return app.exit(e) == 0 ? afterPrinting(0) : tessera::tools::kTrouble;
    } catch (const std::system_error&) {  // what fmt throws when it cannot print
        return afterPrinting(tessera::tools::kTrouble);
    }
    return afterPrinting(status);
}
