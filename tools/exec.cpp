// tessera exec: a program on this driver.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "tools/browsers.h"
#include "tools/driver.h"
#include "tools/files.h"
#include "tools/verbs.h"

namespace tessera::tools {

namespace {

// As env(1) and the shell have them.
constexpr int kCannotExecute = 126, kNotFound = 127;

/// Becomes the program. An exit status when it cannot.
int exec(std::vector<std::string> program) {
    if (program.empty()) {
        fmt::print(stderr, "error: no program; write tessera exec PROGRAM ARGUMENTS\n");
        return kTrouble;
    }
    const Driver driver = installedDriver();
    if (driver.libraries.empty()) {
        fmt::print(stderr, "error: {}\n", kNoDriver);
        return kTrouble;
    }
    selectDriver(driver);
    if (isChromium(program[0]))
        program.insert(program.begin() + 1, chromiumSwitches().begin(), chromiumSwitches().end());
    std::vector<char*> arguments;
    for (std::string& argument : program) arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    execvp(arguments[0], arguments.data());
    fmt::print(stderr, "{}: error: cannot be started: {}\n", program[0], std::strerror(errno));
    return errno == ENOENT ? kNotFound : kCannotExecute;
}

}  // namespace

void addExec(CLI::App& app, int& status) {
    CLI::App* verb = app.add_subcommand("exec", "Run a program on Tessera: exec PROGRAM ARGUMENTS");
    verb->prefix_command();
    verb->footer(
        "Sets __EGL_VENDOR_LIBRARY_FILENAMES, SDL_VIDEO_X11_FORCE_EGL, GST_GL_API, GST_GL_PLATFORM and, unless "
        "Tessera\n"
        "is installed where the system looks, LD_LIBRARY_PATH; then becomes the program. Everything behind PROGRAM is "
        "the program's own. "
        "Chromium\n"
        "and its kin are given the switches before it by which they draw with the system's EGL (tessera browser).\n"
        "The status is the program's; 127: it is not there, 126: it cannot be started, 2: Tessera is not.\n"
        "Examples: tessera exec es2gears_x11\n"
        "          tessera exec chromium https://get.webgl.org\n"
        "          tessera exec sh -c 'echo $__EGL_VENDOR_LIBRARY_FILENAMES'");
    verb->callback([verb, &status] { status = exec(verb->remaining()); });
}

}  // namespace tessera::tools
