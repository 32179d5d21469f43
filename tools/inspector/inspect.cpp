// tessera inspect: a frame of a recorded command stream, or of a program, looked at.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/excerpt.h"
#include "tools/commands/recording.h"
#include "tools/files.h"
#include "tools/inspector/frame_report.h"
#include "tools/inspector/inspect_program.h"
#include "tools/inspector/inspector.h"
#include "tools/inspector/program_report.h"
#include "tools/inspector/program_window.h"
#include "tools/inspector/report_parts.h"
#include "tools/options.h"
#include "tools/pixel/probe_run.h"
#include "tools/running_program.h"
#include "tools/verbs.h"

namespace tessera::tools {

namespace {

constexpr const char* kWindowView = "window";

struct Options {
    std::vector<std::string> what;    ///< a file, or a program and its arguments
    uint64_t frame = 0, command = 0;  ///< from 1; 0: not given
    int timeout = 30;
    std::string preset = "tessera", view, page, out, tab, pixel;
    std::vector<uint32_t> size = {1280, 800};  ///< of the window
    bool json = false, costs = true, isLight = false;
    GroupOptions group;  ///< of a program by itself: inspect_program.h
    KernelOptions kernel;

    [[nodiscard]] bool isReport() const { return json || !page.empty() || (!view.empty() && view != kWindowView); }
};

/// Whether it is a file to open, and not a program to run.
bool isRecording(const std::vector<std::string>& what) {
    std::error_code ignored;
    return isCommandStream(what[0]) || (what.size() == 1 && std::filesystem::is_regular_file(what[0], ignored) &&
                                        access(what[0].c_str(), X_OK) != 0);
}

/// The last frame in which something is drawn or cleared, else the last.
size_t usualFrame(const inspect::FrameModel& model) {
    for (size_t frame = model.frames().size(); frame-- > 0;)
        if (!model.commandsOf(frame).empty()) return frame;
    return model.frames().size() - 1;
}

struct Chosen {
    size_t frame = 0;
    std::optional<size_t> action;  ///< that was named
};

/// What the options name; nothing, with a message, when it is not there.
std::optional<Chosen> chosenOf(const Options& options, const inspect::FrameModel& model, bool isProgram) {
    const auto complain = [&](const std::string& text) {
        fmt::print(stderr, "{}: error: {}\n", options.what[0], text);
        return std::nullopt;
    };
    if (model.frames().empty()) return complain("nothing is recorded in it");
    Chosen chosen{.frame = usualFrame(model), .action = {}};
    const bool hasFrame = options.frame != 0 && !isProgram;
    if (hasFrame) {
        if (options.frame > model.frames().size())
            return complain(fmt::format("there is no frame {}; it has {}", options.frame, model.frames().size()));
        chosen.frame = options.frame - 1;
    }
    if (options.command == 0) return chosen;
    for (size_t i = 0; i < model.actions().size(); ++i)
        if (model.actions()[i].command != nullptr && model.actions()[i].number == options.command) chosen.action = i;
    if (!chosen.action)
        return complain(
            fmt::format("there is no command {}; it has {}", options.command, model.stream().commandCount()));
    const size_t frame = model.actions()[*chosen.action].frame;
    if (hasFrame && frame != chosen.frame)
        return complain(fmt::format("command {} is in frame {}", options.command, frame + 1));
    chosen.frame = frame;
    return chosen;
}

// --- Reports ---

bool needsCosts(const Options& options) {
    return std::ranges::find(kHeatWords, options.view) != std::end(kHeatWords) ||
           (options.costs && (options.json || !options.page.empty()));
}

bool writePicture(const Options& options, const inspect::Picture& picture) {
    return writeFile(options.out, pngOf(picture));
}

bool readPixel(const Options& options, std::optional<std::array<int, 2>>& pixel) {
    pixel = parsePixel(options.pixel);
    if (!pixel) fmt::print(stderr, "--pixel: error: this is no pixel; write X,Y\n{}", excerpt(options.pixel, 1));
    return pixel.has_value();
}

int report(const Options& options, OpenedRecording& opened, const Chosen& chosen) {
    inspect::FrameModel& model = opened.model;
    FrameSubject subject{.file = opened.name, .model = model, .frame = chosen.frame, .action = chosen.action};
    if (!options.pixel.empty() && !readPixel(options, subject.pixel)) return kTrouble;
    std::optional<FrameCosts> costs;
    std::string why;
    if (needsCosts(options)) {
        costs = costsOf(model, subject.frame, options.preset, why);
        if (!costs) {
            fmt::print(stderr, "{}: error: {}\n", options.what[0], why);
            return kWrongInput;
        }
        subject.costs = &*costs;
    }
    const inspect::Frame& frame = model.frames()[subject.frame];
    if (options.json)
        fmt::print("{}\n", frameJson(subject).dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
    if (!options.page.empty() && !writeFile(options.page, framePage(subject))) return kTrouble;
    if (options.view.empty() || options.view == kWindowView) return kDone;
    // The last draw; a clear shows in its targets, too.
    size_t action = frame.end - 1;
    const auto isShown = [&](size_t i) {
        const inspect::Action& one = model.actions()[i];
        return one.draw() != nullptr || (options.view != "mesh" && one.clear() != nullptr);
    };
    while (action > frame.first && !isShown(action)) --action;
    const std::optional<inspect::Picture> picture = viewOf(subject, subject.action.value_or(action), options.view, why);
    if (!picture) {
        fmt::print(stderr, "{}: error: {}\n", options.what[0], why);
        return kWrongInput;
    }
    return writePicture(options, *picture) ? kDone : kTrouble;
}

// --- The window ---

int showWindow(const Options& options, const std::shared_ptr<OpenedRecording>& opened, const Chosen& chosen,
               InspectorOptions how) {
    if (!options.pixel.empty() && !readPixel(options, how.pixel)) return kTrouble;
    how.preset = options.preset;
    how.frame = chosen.frame;
    how.action = chosen.action;
    how.isLight = options.isLight;
    if (!options.tab.empty() && std::ranges::find(kTabWords, options.tab) == std::end(kTabWords)) {
        fmt::print(stderr, "{}: error: --tab {} is for a program by itself\n", options.what[0], options.tab);
        return kTrouble;
    }
    how.tab = options.tab.empty() ? (how.pixel ? Tab::Pixel : Tab::Image)
                                  : static_cast<Tab>(std::ranges::find(kTabWords, options.tab) - std::begin(kTabWords));
    std::string why;
    const bool isHidden = options.view == kWindowView;
    const auto width = static_cast<int>(options.size[0]);
    const auto height = static_cast<int>(options.size.size() > 1 ? options.size[1] : options.size[0]);
    const std::unique_ptr<Window> window =
        isHidden ? Window::openHidden(width, height, why) : Window::open("Tessera", width, height, why);
    if (!window) {
        fmt::print(stderr, "tessera inspect: error: no window: {}; --json, --html and --png need none\n", why);
        return kTrouble;
    }
    Inspector inspector(opened, std::move(how));
    if (isHidden) return writePicture(options, inspector.pictureWhenDone(*window)) ? kDone : kTrouble;
    inspector.run(*window);
    return kDone;
}

bool hasPictureFile(const Options& options) {
    if (options.view.empty() || !options.out.empty()) return true;
    fmt::print(stderr, "--png: error: no file for the picture; give -o FILE.png\n");
    return false;
}

// --- Traces of apitrace, which its own tool replays on the driver beside this command ---

constexpr const char* kReplayTool = "eglretrace";

bool isTrace(const std::vector<std::string>& what) {
    std::error_code ignored;
    return what.size() == 1 && what[0].ends_with(".trace") && std::filesystem::is_regular_file(what[0], ignored);
}

std::vector<std::string> replayOf(const std::string& trace) { return {kReplayTool, "--headless", trace}; }

/// False, with a message, where there is no tool.
bool canReplay(const std::string& trace) {
    if (!isOnPath(kReplayTool)) {
        fmt::print(stderr, "{}: error: it takes {} to replay it, which is not installed: apt install apitrace\n", trace,
                   kReplayTool);
        return false;
    }
    setenv("WAFFLE_PLATFORM", "surfaceless_egl", 0);  // no display is needed for it
    return true;
}

int inspectFrame(const Options& options) {
    if (options.what.empty()) {
        fmt::print(stderr, "error: nothing to look at; give FILE.tsc, FILE.tsa, FILE.trace, or -- PROGRAM ARGUMENTS\n");
        return kTrouble;
    }
    if (!hasPictureFile(options)) return kTrouble;
    const bool isTraced = isTrace(options.what), isProgram = isTraced || !isRecording(options.what);
    if (isTraced && !canReplay(options.what[0])) return kTrouble;
    int status = kDone;
    const auto record = [&options, program = isTraced ? replayOf(options.what[0]) : options.what](uint64_t frame,
                                                                                                  int& status) {
        return recordProgram(program, {frame, frame}, options.timeout, "--frame", status);
    };
    const uint64_t wanted = options.frame != 0 ? options.frame : isTraced ? 1 : 2;
    std::optional<Recording> recording = isProgram ? record(wanted, status) : readRecording(options.what[0], status);
    if (!recording) return status;
    const auto opened = std::make_shared<OpenedRecording>(std::move(*recording),
                                                          std::filesystem::path(options.what[0]).filename().string());
    const std::optional<Chosen> chosen = chosenOf(options, opened->model, isProgram);
    if (!chosen) return kWrongInput;
    status = options.isReport() ? report(options, *opened, *chosen) : kDone;
    if (status == kDone && (!options.isReport() || options.view == kWindowView)) {
        InspectorOptions how;
        if (isProgram) {
            how.recordedFrame = wanted;
            how.recordFrame = [record](uint64_t frame) {
                int ignored = 0;
                return record(frame, ignored);
            };
        }
        status = showWindow(options, opened, *chosen, std::move(how));
    }
    for (const std::string& problem : opened->model.takeProblems())
        fmt::print(stderr, "{}: warning: {}\n", options.what[0], problem);
    return status;
}

int inspectWhatever(const CLI::App& verb, const Options& options) {
    if (!isProgramFile(options.what)) {
        for (const char* name : kProgramOptions)
            if (!areAbsent(verb, {name}, options.what.empty() ? "inspect" : options.what[0],
                           "is for a program by itself, in a .tsa, .tsb, .vert or .frag file"))
                return kTrouble;
        return inspectFrame(options);
    }
    InspectedProgram program{.group = options.group,
                             .kernel = options.kernel,
                             .preset = options.preset,
                             .view = options.view,
                             .page = options.page,
                             .out = options.out,
                             .tab = options.tab,
                             .size = options.size,
                             .json = options.json,
                             .costs = options.costs,
                             .isLight = options.isLight};
    program.group.program = options.what[0];
    return hasPictureFile(options) ? inspectProgram(verb, program) : kTrouble;
}

std::vector<std::string> allViews() {
    std::vector<std::string> views = viewNames();
    views.insert(views.end(), std::begin(kProgramViews), std::end(kProgramViews));
    views.emplace_back(kWindowView);
    return views;
}

std::vector<std::string> allTabs() {
    std::vector<std::string> tabs(std::begin(kTabWords), std::end(kTabWords));
    for (const std::string_view tab : kProgramTabWords)
        if (std::ranges::find(tabs, tab) == tabs.end()) tabs.emplace_back(tab);
    return tabs;
}

}  // namespace

void addInspect(CLI::App& app, int& status) {
    const auto options = std::make_shared<Options>();
    CLI::App* verb =
        app.add_subcommand("inspect", "Look at a frame, or at a program by itself, in a window or as a report");
    verb->add_option(
        "what", options->what,
        "A recorded command stream (.tsc), a kernel or shader (.tsa, .tsb, .vert, .frag), a trace of apitrace's "
        "(.trace), or behind -- a program and its arguments");
    verb->add_option("--frame", options->frame,
                     "Frame, from 1; default the last in which something is drawn, of a program its second")
        ->check(CLI::Range(uint64_t{1}, uint64_t{1000000000}));
    verb->add_option("--command", options->command, "Command to look at, as `tessera commands` numbers them")
        ->check(CLI::Range(uint64_t{1}, uint64_t{1000000000}));
    verb->add_flag("--json", options->json, "Print commands, states, costs and programs as JSON; no window");
    verb->add_option("--html", options->page, "Write a page with all of it, which needs no other file; no window");
    verb->add_option("--png", options->view, "Write a picture of a view, as the command left it; no window; needs -o")
        ->check(CLI::IsMember(allViews()));
    verb->add_option("-o,--output", options->out, "The picture's file")->needs("--png");
    verb->add_option("--preset", options->preset, "The chip whose cycles are told, a preset's name or file");
    verb->add_flag("!--no-costs", options->costs, "With --json and --html: count nothing, which takes longest");
    verb->add_option("--tab", options->tab, "What the window shows first; default the image, with --pixel its history")
        ->check(CLI::IsMember(allTabs()));
    verb->add_option("--pixel", options->pixel,
                     "X,Y from the top: the pixel whose history the window shows, or the JSON holds");
    addGroupOptions(*verb, options->group);
    addKernelOptions(*verb, options->kernel, true);
    addSizeOption(*verb, "--size", options->size, 1, "WIDTH,HEIGHT of the window; default 1280,800");
    verb->add_flag("--light", options->isLight, "Dark on light");
    verb->add_option("--timeout", options->timeout, "Seconds until the program must have loaded Tessera; default 30")
        ->check(CLI::Range(1, 86400));
    verb->footer(
        "A program writes a command stream when it runs with TESSERA_COMMANDS=FILE; behind -- it is recorded here, "
        "and\n"
        "ended. In the window F1 lists the keys. Reports are the same on every machine, for every tier and number of\n"
        "threads. docs/inspector.md is a tour. A program by itself takes inputs as `tessera run` does.\n"
        "Exit status 0: done, 1: the file is no recording or has not what was asked for, 2: trouble with files, no\n"
        "display, or the program gives no frame.\n"
        "Examples: tessera inspect gears.tsc\n"
        "          tessera inspect --frame 3 -- es2gears_x11\n"
        "          tessera inspect gears.tsc --html gears.html\n"
        "          tessera inspect gears.tsc --command 5 --png depth -o depth.png\n"
        "          tessera inspect sum.tsa --grid 8 --in values=values.npy --buffer total=i32[1]\n"
        "          tessera inspect game.trace --frame 100");
    verb->callback([verb, options, &status] { status = inspectWhatever(*verb, *options); });
}

}  // namespace tessera::tools
