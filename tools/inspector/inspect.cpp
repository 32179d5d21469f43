// tessera inspect: a frame of a recorded command stream, or of a program, looked at.
#include <unistd.h>

#include <algorithm>
#include <charconv>
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
#include "tools/inspector/frame/condition.h"
#include "tools/inspector/frame/frame_report.h"
#include "tools/inspector/frame/inspector.h"
#include "tools/inspector/program/inspect_program.h"
#include "tools/inspector/program/program_report.h"
#include "tools/inspector/program/program_window.h"
#include "tools/inspector/report/report_parts.h"
#include "tools/options.h"
#include "tools/pixel/probe_run.h"
#include "tools/running_program.h"
#include "tools/verbs.h"

namespace tessera::tools {

namespace {

constexpr const char* kWindowView = "window";

struct Options {
    std::vector<std::string> what;      ///< a file, or a program and its arguments
    std::vector<std::string> replaced;  ///< "N=FILE"
    uint64_t frame = 0, command = 0;    ///< from 1; 0: not given
    uint64_t frames = 0;                ///< of a program, to record; 0: not given
    std::string when;
    std::optional<PixelCondition> condition;  ///< of `when`
    int timeout = 30, level = 0;
    std::string preset = "tessera", view, page, out, tab, pixel, layout, sampler;
    std::vector<uint32_t> size;  ///< of the window; empty: as it was
    float scale = 0;             ///< 0: the display's
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

/// Frames of a program that are looked through for one that meets a condition, unless the user says how many.
constexpr uint64_t kUsualSearch = 60;

struct Chosen {
    size_t frame = 0;
    std::optional<size_t> action;  ///< that was named
};

/// What the options name; nothing, with a message, when it is not there.
std::optional<Chosen> chosenOf(const Options& options, inspect::FrameModel& model, bool isProgram) {
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
    if (options.condition) {
        const std::optional<size_t> first = firstFrame(model, *options.condition);
        if (!first) {
            const auto isShown = [](const inspect::Frame& frame) { return frame.surface != nullptr; };
            return complain(fmt::format("none of the {} frames meets {}",
                                        std::ranges::count_if(model.frames(), isShown), options.when));
        }
        chosen.frame = *first;
    }
    if (options.command == 0) return chosen;
    for (size_t i = 0; i < model.actions().size(); ++i)
        if (model.actions()[i].command != nullptr && model.actions()[i].number == options.command) chosen.action = i;
    if (!chosen.action)
        return complain(
            fmt::format("there is no command {}; it has {}", options.command, model.stream().commandCount()));
    const size_t frame = model.actions()[*chosen.action].frame;
    if ((hasFrame || options.condition) && frame != chosen.frame)
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
    std::optional<TextureMisses> misses;
    if (std::ranges::find(kMissesViews, options.view) != std::end(kMissesViews))
        subject.misses = &misses.emplace(missesOf(model, subject.frame));
    subject.sampler = options.sampler;
    subject.level = options.level;
    const inspect::Frame& frame = model.frames()[subject.frame];
    if (options.json)
        fmt::print("{}\n", frameJson(subject).dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
    if (!options.page.empty() && !writeFile(options.page, framePage(subject))) return kTrouble;
    if (options.view.empty() || options.view == kWindowView) return kDone;
    // The last draw; a clear shows in its targets, too.
    size_t action = frame.end - 1;
    const auto isShown = [&](size_t i) {
        const inspect::Action& one = model.actions()[i];
        const bool isOfDraws = options.view == "mesh" || options.view.starts_with("texture");
        return one.draw() != nullptr || (!isOfDraws && one.clear() != nullptr);
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
    if (!options.tab.empty() && std::ranges::find(kTabWords, options.tab) == std::end(kTabWords)) {
        fmt::print(stderr, "{}: error: --tab {} is for a program by itself\n", options.what[0], options.tab);
        return kTrouble;
    }
    const bool isHidden = options.view == kWindowView;
    // A picture is the same for everybody, unless a layout is asked for.
    const std::string file = !options.layout.empty() ? options.layout : isHidden ? std::string() : layoutFile();
    std::string why;
    const std::optional<Layout> layout = file.empty() ? Layout() : readLayout(file, why);
    if (!layout) fmt::print(stderr, "{}: warning: {}; the usual layout is used\n", file, why);
    how.layout = layout.value_or(Layout());
    if (options.isLight) how.layout.isLight = true;
    if (!options.tab.empty())
        how.layout.tab = options.tab;
    else if (how.pixel)
        how.layout.tab = kTabWords[static_cast<size_t>(Tab::Pixel)];
    how.isEditing = !options.replaced.empty();
    int width = how.layout.width, height = how.layout.height;
    if (!options.size.empty()) {
        width = static_cast<int>(options.size[0]);
        height = static_cast<int>(options.size.size() > 1 ? options.size[1] : options.size[0]);
    }
    const std::unique_ptr<Window> window = isHidden ? Window::openHidden(width, height, options.scale, why)
                                                    : Window::open("Tessera", width, height, options.scale, why);
    if (!window) {
        fmt::print(stderr, "tessera inspect: error: no window: {}; --json, --html and --png need none\n", why);
        return kTrouble;
    }
    Inspector inspector(opened, std::move(how));
    if (isHidden) return writePicture(options, inspector.pictureWhenDone(*window)) ? kDone : kTrouble;
    inspector.run(*window);
    // What could not be read is left for its owner to look at.
    if (layout && !file.empty() && !writeLayout(file, inspector.layout(), why))
        fmt::print(stderr, "{}: warning: the layout is not kept: {}\n", file, why);
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

// --- Programs of the user's own ---

/// Reads "N=FILE"; of files that are no assembly the ending says which stage it is.
std::optional<ProgramEdit> readEdit(const std::string& argument, int& status) {
    const auto refuse = [&](const std::string& why) {
        fmt::print(stderr, "--replace: error: {}\n{}", why, excerpt(argument, 1));
        status = kTrouble;
        return std::nullopt;
    };
    ProgramEdit edit;
    const size_t equals = argument.find('=');
    const auto [end, problem] =
        std::from_chars(argument.data(), argument.data() + std::min(equals, argument.size()), edit.program);
    if (equals == std::string::npos || problem != std::errc() || end != argument.data() + equals)
        return refuse("write N=FILE, N the program's number in the recording");
    edit.name = argument.substr(equals + 1);
    std::optional<std::string> text = readFile(edit.name);
    if (!text) {
        status = kTrouble;
        return std::nullopt;
    }
    edit.text = std::move(*text);
    if (const auto stage = assemblyStage(edit.text))
        edit.stage = *stage;
    else if (edit.name.ends_with(".vert"))
        edit.stage = isa::Stage::Vertex;
    else if (!edit.name.ends_with(".frag"))
        return refuse("the file is no assembly; name GLSL .vert or .frag");
    return edit;
}

/// Puts the user's programs in the place of those that they name.
int replaceWanted(const Options& options, pipeline::CommandStream& stream, std::vector<ProgramEdit>& edits) {
    int status = kDone;
    for (const std::string& argument : options.replaced) {
        std::optional<ProgramEdit> edit = readEdit(argument, status);
        if (!edit) return status;
        const auto isSame = [&](const ProgramEdit& one) {
            return one.program == edit->program && one.stage == edit->stage;
        };
        if (std::ranges::any_of(edits, isSame)) {
            fmt::print(stderr, "--replace: error: this shader has a text already\n{}", excerpt(argument, 1));
            return kTrouble;
        }
        edits.push_back(std::move(*edit));
    }
    if (edits.empty()) return kDone;
    const EditResult result = replacePrograms(stream, edits);
    fmt::print(stderr, "{}", result.log);
    for (const std::string& note : result.notes) fmt::print(stderr, "{}: note: {}\n", options.what[0], note);
    return result.isDone() ? kDone : kWrongInput;
}

bool readWhen(Options& options) {
    if (options.when.empty()) return true;
    std::string why;
    options.condition = readCondition(options.when, why);
    if (!options.condition) fmt::print(stderr, "--when: error: {}\n{}", why, excerpt(options.when, 1));
    return options.condition.has_value();
}

int inspectFrame(Options& options) {
    if (options.what.empty()) {
        fmt::print(stderr, "error: nothing to look at; give FILE.tsc, FILE.tsa, FILE.trace, or -- PROGRAM ARGUMENTS\n");
        return kTrouble;
    }
    if (!hasPictureFile(options) || !readWhen(options)) return kTrouble;
    const bool isTraced = isTrace(options.what), isProgram = isTraced || !isRecording(options.what);
    if (isTraced && !canReplay(options.what[0])) return kTrouble;
    int status = kDone;
    const auto record = [&options, program = isTraced ? replayOf(options.what[0]) : options.what](FrameRange frames,
                                                                                                  int& status) {
        return recordProgram(program, frames, options.timeout, options.frames != 0 ? "--frames" : "--frame", status);
    };
    // Where a frame has to be found they are looked through from the first on.
    const uint64_t wanted = options.frame != 0 ? options.frame : options.condition || isTraced ? 1 : 2;
    const uint64_t count = options.frames != 0 ? options.frames : options.condition ? kUsualSearch : 1;
    std::optional<Recording> recording =
        isProgram ? record({wanted, wanted + count - 1}, status) : readRecording(options.what[0], status);
    if (!recording) return status;
    std::vector<ProgramEdit> edits;
    status = replaceWanted(options, recording->stream, edits);
    if (status != kDone) return status;
    const auto opened = std::make_shared<OpenedRecording>(
        std::move(*recording), std::filesystem::path(options.what[0]).filename().string(), std::move(edits));
    const std::optional<Chosen> chosen = chosenOf(options, opened->model, isProgram);
    if (!chosen) return kWrongInput;
    status = options.isReport() ? report(options, *opened, *chosen) : kDone;
    if (status == kDone && (!options.isReport() || options.view == kWindowView)) {
        InspectorOptions how;
        if (isProgram) {
            how.recordedFrame = wanted + count - 1;
            how.firstFrame = wanted;
            how.recordFrame = [record](uint64_t frame) {
                int ignored = 0;
                return record({frame, frame}, ignored);
            };
        }
        status = showWindow(options, opened, *chosen, std::move(how));
    }
    for (const std::string& problem : opened->model.takeProblems())
        fmt::print(stderr, "{}: warning: {}\n", options.what[0], problem);
    return status;
}

int inspectWhatever(const CLI::App& verb, Options& options) {
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
                             .size = options.size.empty() ? std::vector<uint32_t>{1280, 800} : options.size,
                             .scale = options.scale,
                             .json = options.json,
                             .costs = options.costs,
                             .isLight = options.isLight};
    program.group.program = options.what[0];
    return hasPictureFile(options) ? inspectProgram(verb, program) : kTrouble;
}

std::vector<std::string> allViews() {
    std::vector<std::string> views = viewNames();
    for (const std::string_view view : kProgramViews)
        if (std::ranges::find(views, view) == views.end()) views.emplace_back(view);
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
    verb->add_option("--frames", options->frames,
                     "Frames of a program to record, from --frame on; default 1, with --when 60")
        ->check(CLI::Range(uint64_t{1}, uint64_t{1000000}));
    verb->add_option("--when", options->when,
                     "X,Y=COLOR or X,Y!=COLOR: the first frame in which the pixel, from the top, has that color, or "
                     "another one; #rrggbb or a name")
        ->excludes("--frame");
    verb->add_option("--command", options->command, "Command to look at, as `tessera commands` numbers them")
        ->check(CLI::Range(uint64_t{1}, uint64_t{1000000000}));
    verb->add_flag("--json", options->json, "Print commands, states, costs and programs as JSON; no window");
    verb->add_option("--html", options->page, "Write a page with all of it, which needs no other file; no window");
    verb->add_option("--png", options->view, "Write a picture of a view, as the command left it; no window; needs -o")
        ->check(CLI::IsMember(allViews()));
    verb->add_option("-o,--output", options->out, "The picture's file")->needs("--png");
    verb->add_option("--preset", options->preset, "The chip whose cycles are told, a preset's name or file");
    verb->add_flag("!--no-costs", options->costs, "With --json and --html: count nothing, which takes longest");
    verb->add_option("--sampler", options->sampler, "Whose texture --png texture shows; default the program's first")
        ->needs("--png");
    verb->add_option("--level", options->level, "Of that texture; default the first, 0")
        ->check(CLI::Range(0, 30))
        ->needs("--png");
    verb->add_option("--tab", options->tab, "What the window shows first; default the image, with --pixel its history")
        ->check(CLI::IsMember(allTabs()));
    verb->add_option("--pixel", options->pixel,
                     "X,Y from the top: the pixel whose history the window shows, or the JSON holds");
    verb->add_option("--replace", options->replaced,
                     "N=FILE: draw with this .vert, .frag or .tsa in the place of that shader of program N of the "
                     "recording; may be given more than once")
        ->take_all();
    addGroupOptions(*verb, options->group);
    addKernelOptions(*verb, options->kernel, true);
    addSizeOption(*verb, "--size", options->size, 1,
                  "WIDTH,HEIGHT of the window; default as it was, at first 1280,800");
    verb->add_flag("--light", options->isLight, "Dark on light");
    verb->add_option("--scale", options->scale,
                     "How much larger than usual things are; default by the display's dots per inch")
        ->check(CLI::Range(0.5, 4.0));
    verb->add_option(
        "--layout", options->layout,
        "File that the window's layout is kept in; default ~/.config/tessera/inspector.json, of --png none");
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
        "          tessera inspect --when '400,300!=black' -- es2gears_x11\n"
        "          tessera inspect gears.tsc --html gears.html\n"
        "          tessera inspect gears.tsc --command 5 --png depth -o depth.png\n"
        "          tessera inspect gears.tsc --replace 1=mine.frag --png color -o mine.png\n"
        "          tessera inspect sum.tsa --grid 8 --in values=values.npy --buffer total=i32[1]\n"
        "          tessera inspect game.trace --frame 100");
    verb->callback([verb, options, &status] { status = inspectWhatever(*verb, *options); });
}

}  // namespace tessera::tools
