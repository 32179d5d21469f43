// tessera explain: the history of pixels.
#include <memory>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/excerpt.h"
#include "base/process/env.h"
#include "shader-core/tier/tier.h"
#include "tools/debugger/frame_difference.h"
#include "tools/files.h"
#include "tools/pixel/pixel_history.h"
#include "tools/pixel/probe_run.h"
#include "tools/pixel/recorded_pixel.h"
#include "tools/pixel/recorded_run.h"
#include "tools/running_program.h"
#include "tools/verbs.h"

namespace tessera::tools {

namespace {

struct Options {
    FrameOptions frame;
    RecordedOptions recorded;
    std::vector<std::string> pixels;
    std::string pixelFile, otherBuild;
    std::pair<std::string, std::string> pictures;  ///< that differ
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

/// Of a recording, with what the pixels come from.
int explainRecorded(const Options& options, const std::vector<std::array<int, 2>>& pixels) {
    int status = kDone;
    std::optional<Recording> recording = openRecording(options.frame, options.recorded, status);
    if (!recording) return status;
    inspect::FrameModel model(recording->stream, tier::makeExecutor(tier::tierFromEnvironment(tier::Tier::Tiered)),
                              threadCount());
    nlohmann::json all = {{"pixels", nlohmann::json::array()}};
    for (const std::array<int, 2>& pixel : pixels) {
        std::string why;
        const std::optional<PixelPlace> place = placeOf(model, choiceOf(options.frame, options.recorded, pixel), why);
        if (!place) {
            const std::string& picture = options.recorded.picture;
            fmt::print(stderr, "{}: error: {}\n", picture.empty() ? options.frame.program[0] : picture, why);
            return kWrongInput;
        }
        const std::vector<PixelStep> steps = stepsOf(model, *place, options.recorded.follow.value_or(0));
        if (!options.json) {
            fmt::print("{}", stepsText(model, steps, debuggedBy(options.frame, options.recorded, pixel)));
            continue;
        }
        nlohmann::json& one = all["pixels"].emplace_back();
        one = {{"x", pixel[0]}, {"y", pixel[1]}, {"steps", nlohmann::json::array()}};
        for (const PixelStep& step : steps) {
            one["steps"].push_back(step.report);
            if (step.writer) one["steps"].back()["writer"] = *step.writer;
        }
    }
    if (options.json) fmt::print("{}\n", all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
    return kDone;
}

int explain(const CLI::App& verb, const Options& options) {
    if (!options.pictures.first.empty())
        return explainDifference(options.frame, {options.pictures.first, options.pictures.second}, options.otherBuild);
    ProbeRequest request;
    int status = kWrongInput;
    for (const std::string& text : options.pixels)
        if (!addPixel(text, "--pixel", request)) return kWrongInput;
    if (!options.pixelFile.empty() && !readPixels(options.pixelFile, request, status)) return status;
    if (request.pixels.empty()) {
        fmt::print(stderr, "error: no pixel; give --pixel X,Y\n");
        return kTrouble;
    }
    if (isAboutRecording(options.frame, options.recorded))
        return suitRecording(verb, options.frame, {"--let-finish", "--all-targets"})
                   ? explainRecorded(options, request.pixels)
                   : kTrouble;
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
    CLI::Option* const difference =
        verb->add_option("--difference", options->pictures, "Two pictures of the frame that differ: say from where on")
            ->excludes("--pixel")
            ->excludes("--pixels");
    verb->add_option("--other-build", options->otherBuild,
                     "With --difference: another build tree that may have drawn one")
        ->needs(difference);
    addFrameOptions(*verb, options->frame);
    verb->get_option("program")->description("The program and its arguments, behind --; or a recording, FILE.tsc");
    addRecordedOptions(*verb, options->recorded);
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
        "A recording (TESSERA_COMMANDS=FILE.tsc, docs/commands.md) has pixels of programs without a window, too: of "
        "what\n"
        "its frame shows, or of a picture, a command or an image of it. The line, the instruction and the lane that "
        "wrote\n"
        "the color are named, and the texels that the pixel looked up; --follow tells what drew them.\n"
        "With --difference the program is run on the interpreter and on the JIT (and that of another build); where "
        "two\n"
        "of them draw the pictures, the draw, the instruction and the value in which they differ are named. Status 0:\n"
        "the pictures are the same, 1: they differ.\n"
        "Examples: tessera explain --pixel 400,300 --frame 2 -- es2gears_x11\n"
        "          tessera explain --pixel 160,120 --picture page.png --follow 9 -- tessera exec chromium "
        "--headless=new\n"
        "              --screenshot=page.png page.html\n"
        "          tessera explain --pixel 160,120 --follow 2 gears.tsc\n"
        "          tessera explain --difference good.png bad.png --other-build ../old/build/release -- es2gears_x11");
    verb->callback([verb, options, &status] { status = explain(*verb, *options); });
}

}  // namespace tessera::tools
