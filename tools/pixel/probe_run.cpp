#include "tools/pixel/probe_run.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "tools/driver.h"
#include "tools/run/group_values.h"
#include "tools/running_program.h"

namespace tessera::tools {

namespace {

std::string contents(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

/// The driver that the request asks for. Nothing, with a message, when it is not there: the program would load
/// whichever its own run path, or the system, names.
std::optional<Driver> driverOf(const ProbeRequest& request) {
    const bool isOwn = request.libraries.empty();
    Driver driver = isOwn ? installedDriver() : driverIn(request.libraries);
    if (!driver.libraries.empty()) return driver;
    if (isOwn)
        fmt::print(stderr, "error: libtessera.so.0 is not installed beside this command\n");
    else
        fmt::print(stderr, "{}/libtessera.so.0: error: no such file: a build tree, or a prefix, has the driver there\n",
                   request.libraries);
    return std::nullopt;
}

/// In the child: the driver, and the request.
void setEnvironment(const ProbeRequest& request, const Driver& driver, const std::string& requestFile) {
    selectDriver(driver);
    setenv("TESSERA_PROBE", requestFile.c_str(), 1);
    if (!request.tier.empty())
        setenv("TESSERA_TIER", request.tier.c_str(), 1);
    else
        setenv("TESSERA_TIER", "interp", 0);
}

}  // namespace

std::optional<std::array<int, 2>> parsePixel(const std::string& text) {
    const size_t comma = text.find(',');
    if (comma == std::string::npos) return std::nullopt;
    const std::optional<int> x = parseInteger(std::string_view(text).substr(0, comma));
    const std::optional<int> y = parseInteger(std::string_view(text).substr(comma + 1));
    if (!x || !y || *x < 0 || *y < 0) return std::nullopt;
    return std::array<int, 2>{*x, *y};
}

void addFrameOptions(CLI::App& verb, FrameOptions& options) {
    verb.add_option("--frame", options.frame, "Frame to look at, from 0; a frame ends with eglSwapBuffers; default 0")
        ->check(CLI::Range(uint64_t{0}, uint64_t{1000000000}));
    verb.add_flag("--gl", options.bottomUp, "Pixels count y from the bottom row, as GL does, not from the top");
    verb.add_flag("--let-finish", options.letFinish, "Let the program go on to its own end afterwards");
    verb.add_option("--timeout", options.timeout, "Seconds until the program must have loaded Tessera; default 30")
        ->check(CLI::Range(1, 86400));
    verb.add_option("program", options.program, "The program and its arguments, behind --")->required();
}

std::optional<ProbeResult> probe(const FrameOptions& options, const ProbeRequest& request) {
    const std::optional<Driver> driver = driverOf(request);
    if (!driver) return std::nullopt;
    const Interruptible interruptible;  // outlives what has to be cleaned up
    const TemporaryFolder folder;
    if (!folder.isThere()) {
        fmt::print(stderr, "error: no temporary folder: {}\n", std::strerror(errno));
        return std::nullopt;
    }
    nlohmann::json json = {{"frame", options.frame},
                           {"pixels", request.pixels},
                           {"bottomUp", options.bottomUp},
                           {"report", folder.file("report")},
                           {"progress", folder.file("progress")},
                           {"draw", request.draw},
                           {"primitive", request.primitive}};
    if (request.capture) json["capture"] = folder.file("capture");
    if (request.vertices) json["vertices"] = folder.file("vertices");
    if (request.picture) json["picture"] = folder.file("picture");
    std::ofstream(folder.file("request")) << json.dump();

    RunningProgram child(options.program, [&] { setEnvironment(request, *driver, folder.file("request")); });
    if (!child.hasStarted()) return std::nullopt;
    const auto isThere = [&](const char* name) { return access(folder.file(name).c_str(), F_OK) == 0; };
    const auto advice = [&] {
        const std::string frames = contents(folder.file("progress"));
        return fmt::format(": it completed {} frame{}; try an earlier --frame", frames, frames == "1" ? "" : "s");
    };
    const Awaited awaited{.program = options.program[0],
                          .what = fmt::format("frame {}", options.frame),
                          .timeout = options.timeout,
                          .isThere = [&] { return isThere("report"); },
                          .hasLoaded = [&] { return isThere("progress"); },
                          .advice = advice};
    if (!child.waitFor(awaited)) return std::nullopt;
    if (options.letFinish) (void)child.waitFor(std::nullopt);
    ProbeResult result;
    result.report = nlohmann::json::parse(contents(folder.file("report")), nullptr, false);
    if (!result.report.is_object()) {
        fmt::print(stderr, "{}: error: its record of the frame cannot be read\n", options.program[0]);
        return std::nullopt;
    }
    result.capture = contents(folder.file("capture"));
    result.vertices = contents(folder.file("vertices"));
    result.picture = contents(folder.file("picture"));
    return result;
}

}  // namespace tessera::tools
