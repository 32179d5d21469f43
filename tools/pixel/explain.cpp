// tessera explain: the history of pixels.
#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/excerpt.h"
#include "tools/files.h"
#include "tools/pixel/pixel_history.h"
#include "tools/pixel/probe_run.h"
#include "tools/running_program.h"
#include "tools/verbs.h"

namespace tessera::tools {

namespace {

struct Options {
    FrameOptions frame;
    std::vector<std::string> pixels;
    std::string pixelFile;
    bool json = false, allTargets = false;
};

bool addPixel(const std::string& text, const std::string& where, ProbeRequest& request) {
    const std::optional<std::array<int, 2>> pixel = parsePixel(text);
    if (pixel)
        request.pixels.push_back(*pixel);
    else
        fmt::print(stderr, "{}: error: this is no pixel; write X,Y\n{}", where, excerpt(text, 1));
    return pixel.has_value();
}

/// One pixel in each line.
bool readPixels(const std::string& file, ProbeRequest& request, int& status) {
    const std::optional<std::string> text = readFile(file);
    status = text ? kWrongInput : kTrouble;
    if (!text) return false;
    std::istringstream lines(*text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number)
        if (!line.empty() && !addPixel(line, fmt::format("{}:{}:1", file, number), request)) return false;
    return true;
}

int explain(const Options& options) {
    ProbeRequest request;
    int status = kWrongInput;
    for (const std::string& text : options.pixels)
        if (!addPixel(text, "--pixel", request)) return kWrongInput;
    if (!options.pixelFile.empty() && !readPixels(options.pixelFile, request, status)) return status;
    if (request.pixels.empty()) {
        fmt::print(stderr, "error: no pixel; give --pixel X,Y\n");
        return kTrouble;
    }
    const std::optional<ProbeResult> result = probe(options.frame, request);
    if (!result) return kNothingGiven;
    if (options.json)
        fmt::print("{}\n", result->report.dump(1));
    else
        fmt::print("{}", historyText(result->report, {options.frame.bottomUp, options.allTargets}));
    return options.allTargets || isOnSurface(result->report) ? kDone : kWrongInput;
}

}  // namespace

void addExplain(CLI::App& app, int& status) {
    const auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("explain", "Say what every draw of a frame did to a pixel");
    verb->add_option("--pixel", options->pixels, "X,Y in the window, y from the top (repeatable)")
        ->take_all()
        ->allow_extra_args(false);
    verb->add_option("--pixels", options->pixelFile, "A file with one X,Y a line");
    addFrameOptions(*verb, options->frame);
    verb->add_flag("--all-targets", options->allTargets, "Also what happened at X,Y of framebuffer objects");
    verb->add_flag("--json", options->json, "Print the record as JSON");
    verb->footer(
        "Runs the program on Tessera (on the interpreter, unless TESSERA_TIER says otherwise), records the frame and\n"
        "ends the program. Listed are clears and the primitives that cover the pixel: what was culled, clipped or\n"
        "scissored away never touched it. Instructions are those that the pixel itself executed, with its quad when\n"
        "the program takes derivatives. A draw's way is the one that its blocks go when nobody watches and its "
        "program\n"
        "is compiled, with the reason where it misses a faster one. Exit status 0: the window has the pixels, 1: it "
        "has\n"
        "not all of them, 2: the program cannot be started, or ends before the frame.\n"
        "Example: tessera explain --pixel 400,300 --frame 2 -- es2gears_x11");
    verb->callback([options, &status] { status = explain(*options); });
}

}  // namespace tessera::tools
