// tessera lsp, course, playground: verbs that are written in Python (docs/adr/0049). The package `tessera` is installed
// beside this command; the command becomes python3, which runs the verb of that name there.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/process/own_folder.h"
#include "tools/driver.h"
#include "tools/files.h"
#include "tools/verbs.h"

namespace tessera::tools {

namespace {

namespace fs = std::filesystem;

/// Not `-m`, which would look into the working directory first, where anybody's `tessera.py` may lie.
constexpr const char* kStart =
    "import sys; sys.path[0] = sys.argv[1]; from tessera.__main__ import main; sys.exit(main(sys.argv[2:], 'tessera'))";

/// The folder of the package: in a prefix or Debian's package, and in a build tree. Empty: it is not there.
std::string packageFolder() {
    const fs::path own = folderOf(reinterpret_cast<const void*>(&addPackageVerbs));
    for (const char* place : {"../share/tessera/python", "../python"}) {
        const fs::path folder = (own / place).lexically_normal();
        std::error_code error;
        if (fs::exists(folder / "tessera/__main__.py", error)) return folder.string();
    }
    return {};
}

/// Becomes Python. An exit status when it cannot.
int becomePython(const std::string& verb, const std::vector<std::string>& behind) {
    // -B: nothing is written beside the package, where it would stay when the package is removed.
    std::vector<std::string> words = {"python3", "-B", "-c", kStart, packageFolder(), verb};
    if (words[4].empty()) {
        fmt::print(stderr,
                   "error: tessera {} is in the Python package beside this command, and that is not there: {}\n", verb,
                   "in a build tree ./run build python_package makes it");
        return kTrouble;
    }
    // What it draws is drawn by the driver beside it, also where libglvnd has that driver's usual name.
    if (const Driver driver = installedDriver(); !driver.libraries.empty()) selectDriver(driver);
    words.insert(words.end(), behind.begin(), behind.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    fmt::print(stderr, "error: tessera {} is written in Python, and python3 cannot be started: {}\n", verb,
               std::strerror(errno));
    return kTrouble;
}

void addVerb(CLI::App& app, int& status, const char* name, const char* what, const char* notes) {
    CLI::App* verb = app.add_subcommand(name, what);
    verb->set_help_flag("");  // its help is Python's
    verb->prefix_command();
    verb->footer(notes);
    verb->callback([verb, &status] { status = becomePython(verb->get_name(), verb->remaining()); });
}

}  // namespace

void addPackageVerbs(CLI::App& app, int& status) {
    addVerb(app, status, "lsp", "Serve an editor: the Language Server Protocol on standard input and output",
            "For .tsa and GLSL ES 1.00 and 3.00: errors and warnings as one types, what words mean, completion,\n"
            "definitions, symbols, and what lines cost. Editors start it by itself: editors/README.md.\n"
            "It needs python3.");
    addVerb(
        app, status, "course", "Learn how a GPU works: exercises for eight sheets, and who checks them",
        "tessera course             lists the sheets and their exercises\n"
        "tessera course start 3     writes the file of exercise 3\n"
        "tessera course check 3 F   runs what was made of it: right, or which mistake it is, in which lane and line,\n"
        "                           and what it takes beside par; the status is 1 where it is not right\n"
        "The sheets are docs/course in Tessera's repository. It needs python3.");
    addVerb(app, status, "playground", "Try programs on a page in the browser: instructions, costs, picture, lanes",
            "Serves the page on the loopback interface, to this computer alone, and opens the browser; --no-browser\n"
            "only prints the address, --port N chooses it. Interrupt it to end it. It needs python3.");
}

}  // namespace tessera::tools
