// tessera dbg
#include "tools/debugger/dbg.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <filesystem>
#include <iostream>
#include <sstream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/excerpt.h"
#include "base/process/env.h"
#include "base/thread/thread_pool.h"
#include "shader-core/debug/replay/capture.h"
#include "shader-core/tier/tier.h"
#include "tools/debugger/dbg_console.h"
#include "tools/debugger/line_editor.h"
#include "tools/files.h"
#include "tools/pixel/pixel_history.h"
#include "tools/pixel/recorded_pixel.h"
#include "tools/pixel/recorded_run.h"
#include "tools/run/group_textures.h"
#include "tools/running_program.h"
#include "tools/verbs.h"

namespace tessera::tools {

namespace {

struct Options {
    DebugTarget target;
    std::string script;
    bool adapter = false;
};

std::optional<DebugSession> sessionOfCapture(const std::string& bytes, const std::string& file, int& status) {
    std::string title, error;
    int lane = 0;
    std::optional<debug::Group> group = groupOf(bytes, title, lane, error);
    if (!group) {
        fmt::print(stderr, "{}: error: {}\n", file, error);
        status = kWrongInput;
        return std::nullopt;
    }
    std::vector<debug::Group> groups;
    groups.push_back(std::move(*group));
    DebugSession made{std::make_unique<debug::Session>(std::move(groups)), title, {}};
    made.session->select(0, lane);
    return made;
}

/// Why there is no capture of the pixel.
void tellMissing(const DebugTarget& target, const nlohmann::json& report) {
    const std::string &program = target.frame.program[0], &pixel = target.pixel;
    if (!isOnSurface(report)) {
        const nlohmann::json& surface = report["surface"];
        fmt::print(stderr, "{}: error: the surface has no pixel {}; it is {} x {}\n", program, pixel,
                   surface["width"].dump(), surface["height"].dump());
        return;
    }
    fmt::print(stderr,
               "{}: error: no program was run for pixel {} in frame {}; tessera explain says what was drawn there\n",
               program, pixel, target.frame.frame);
}

bool keepCapture(const DebugTarget& target, const std::string& capture, int& status) {
    if (target.saveFile.empty() || writeFile(target.saveFile, capture)) return true;
    status = kTrouble;
    return false;
}

std::optional<DebugSession> sessionOfRecorded(const DebugTarget& target, std::array<int, 2> pixel, int& status) {
    const std::string& name = target.frame.program[0];
    std::optional<Recording> recording = openRecording(target.frame, target.recorded, status);
    if (!recording) return std::nullopt;
    status = kWrongInput;
    const auto refuse = [&](const std::string& why) {
        fmt::print(stderr, "{}: error: {}\n", target.recorded.picture.empty() ? name : target.recorded.picture, why);
        return std::nullopt;
    };
    if (target.vertices) return refuse("--vertices is for a program that runs, not for a recording");
    inspect::FrameModel model(recording->stream, tier::makeExecutor(tier::tierFromEnvironment(tier::Tier::Tiered)),
                              threadCount());
    std::string why;
    const std::optional<PixelPlace> place = placeOf(model, choiceOf(target.frame, target.recorded, pixel), why);
    if (!place) return refuse(why);
    const auto follow = static_cast<size_t>(target.recorded.follow.value_or(0));
    const std::vector<PixelStep> steps = stepsOf(model, *place, static_cast<int>(follow));
    if (steps.size() <= follow)
        return refuse(fmt::format("--follow {}: what the pixel comes from is followed {} time{} and no more", follow,
                                  steps.size() - 1, steps.size() == 2 ? "" : "s"));
    const auto number = [](int64_t given) { return given < 0 ? std::nullopt : std::optional<uint64_t>(given); };
    const std::optional<PixelCapture> capture =
        captureOf(model, steps.back(), number(target.draw), number(target.primitive));
    if (!capture) return refuse("no program was run for the pixel; tessera explain says what was drawn there");
    if (!keepCapture(target, capture->bytes, status)) return std::nullopt;
    status = kDone;
    std::optional<DebugSession> made = sessionOfCapture(capture->bytes, name, status);
    if (made) made->title = capture->title;
    return made;
}

std::optional<DebugSession> sessionOfPixel(const DebugTarget& target, int& status) {
    status = kWrongInput;
    const auto nothing = [&] {
        status = kNothingGiven;
        return std::nullopt;
    };
    const std::optional<std::array<int, 2>> pixel = parsePixel(target.pixel);
    if (!pixel) {
        fmt::print(stderr, "--pixel: error: this is no pixel; write X,Y\n{}", excerpt(target.pixel, 1));
        return std::nullopt;
    }
    if (isAboutRecording(target.frame, target.recorded)) return sessionOfRecorded(target, *pixel, status);
    ProbeRequest request;
    request.pixels.push_back(*pixel);
    request.capture = true;
    request.draw = target.draw, request.primitive = target.primitive;
    std::optional<ProbeResult> result = probe(target.frame, request);
    if (!result) return nothing();
    if (result->capture.empty()) {
        tellMissing(target, result->report);
        return std::nullopt;
    }
    if (target.vertices) {  // which primitive it is, is known now
        request.draw = result->report["captured"]["draw"].get<int64_t>();
        request.primitive = result->report["captured"]["primitive"].get<int64_t>();
        request.capture = false, request.vertices = true;
        result = probe(target.frame, request);
        if (!result) return nothing();
        result->capture = result->vertices;
    }
    if (!keepCapture(target, result->capture, status)) return std::nullopt;
    status = kDone;
    return sessionOfCapture(result->capture, target.frame.program[0], status);
}

/// Of a compute program the groups of one block.
std::optional<std::vector<debug::Group>> groupsOfBlock(const std::shared_ptr<const isa::Program>& program,
                                                       const std::string& file, const DebugTarget& target,
                                                       int& status) {
    const std::optional<KernelInput> input =
        makeKernelInput(program, file, target.group.uniforms, target.kernel, status);
    return input ? makeBlockGroups(*input, target.kernel, status) : std::nullopt;
}

std::optional<DebugSession> sessionOfShader(const DebugTarget& target, int& status) {
    const std::string& file = target.frame.program[0];
    if (target.frame.program.size() != 1) {
        fmt::print(stderr, "error: one shader at a time; for a pixel of a GLES program give --pixel X,Y\n");
        status = kTrouble;
        return std::nullopt;
    }
    const std::shared_ptr<const isa::Program> program = loadProgram(file, target.group.stage, status);
    if (!program) return std::nullopt;
    if (!optionsSuit(*program, file, target.group, target.kernel)) {
        status = kTrouble;
        return std::nullopt;
    }
    std::optional<std::vector<debug::Group>> groups = program->stage == isa::Stage::Compute
                                                          ? groupsOfBlock(program, file, target, status)
                                                          : makeGroups(program, target.group, status);
    if (!groups) return std::nullopt;
    std::string title = fmt::format("{}, {} instructions", file, program->code.size());
    if (const auto& launch = groups->front().launch)
        title += fmt::format(", block {} of {}", groups->front().block, debug::blockCount(*launch));
    std::error_code ignored;
    return DebugSession{std::make_unique<debug::Session>(std::move(*groups)), title,
                        std::filesystem::absolute(file, ignored).lexically_normal().string()};
}

constexpr const char* kPrompt = "(tessera) ";

/// What Ctrl-C has asked for; a signal handler has nothing else to write to.
std::atomic<bool> isInterrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free);

/// While it exists Ctrl-C ends moves of a session instead of the debugger.
class InterruptedByUser {
public:
    explicit InterruptedByUser(debug::Session& session) : session_(session) {
        struct sigaction note{};
        note.sa_handler = [](int) { isInterrupted = true; };
        note.sa_flags = SA_RESTART;
        sigaction(SIGINT, &note, &old_);
        session_.setInterrupt(&isInterrupted);
    }
    ~InterruptedByUser() {
        session_.setInterrupt(nullptr);
        sigaction(SIGINT, &old_, nullptr);
    }
    InterruptedByUser(const InterruptedByUser&) = delete;

private:
    debug::Session& session_;
    struct sigaction old_{};
};

/// A terminal: lines are edited, and kept for the next session.
int runTerminal(debug::Session& session, const std::string& title) {
    std::cout << title << "\n";
    DebugConsole console(session, std::cout);
    console.showPosition();
    LineEditor editor(kPrompt, defaultHistoryFile(),
                      [&](const std::string& line) { return console.completions(line); });
    const InterruptedByUser interrupts(session);
    while (true) {
        std::cout << std::flush;
        const std::optional<std::string> line = editor.read();
        if (!line) break;
        isInterrupted = false;  // at the prompt it was about the line
        if (!console.execute(*line)) return kDone;
    }
    std::cout << "\n";
    return kDone;
}

int runConsole(debug::Session& session, const std::string& title, std::istream& in) {
    std::cout << title << "\n";
    DebugConsole console(session, std::cout);
    console.showPosition();
    std::string line;
    while (true) {
        std::cout << kPrompt << std::flush;
        if (!std::getline(in, line)) break;
        std::cout << line << "\n";
        if (!console.execute(line)) return console.hadErrors() ? kWrongInput : kDone;
    }
    std::cout << "\n";
    return console.hadErrors() ? kWrongInput : kDone;
}

int debugProgram(const Options& options) {
    setComputeFloatEnvironment();
    if (options.adapter) return serveDebugAdapter(std::cin, std::cout);
    int status = kDone;
    const std::optional<DebugSession> made = makeSession(options.target, status);
    if (!made) return status;
    const bool terminal = isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0;
    if (options.script.empty() && terminal) return runTerminal(*made->session, made->title);
    if (options.script.empty() || options.script == "-") return runConsole(*made->session, made->title, std::cin);
    const std::optional<std::string> text = readFile(options.script);
    if (!text) return kTrouble;
    std::istringstream script(*text);
    return runConsole(*made->session, made->title, script);
}

}  // namespace

std::optional<DebugSession> makeSession(const DebugTarget& target, int& status) {
    if (!target.captureFile.empty()) {
        const std::optional<std::string> bytes = readFile(target.captureFile);
        status = bytes ? kDone : kTrouble;
        return bytes ? sessionOfCapture(*bytes, target.captureFile, status) : std::nullopt;
    }
    if (target.frame.program.empty()) {
        fmt::print(stderr, "error: no program; give a shader, --capture FILE, or --pixel X,Y -- PROGRAM ARGS\n");
        status = kTrouble;
        return std::nullopt;
    }
    return target.pixel.empty() ? sessionOfShader(target, status) : sessionOfPixel(target, status);
}

void addDebug(CLI::App& app, int& status) {
    const auto options = std::make_shared<Options>();
    CLI::App* verb =
        app.add_subcommand("dbg", "Step through a shader, or through the group of a pixel of a GLES program");
    addFrameOptions(*verb, options->target.frame);
    verb->get_option("program")->required(false)->description(
        "A shader (.tsa, .tsb, .vert, .frag); with --pixel a GLES program and its arguments, behind --, or a "
        "recording");
    addRecordedOptions(*verb, options->target.recorded);
    verb->add_option("--pixel", options->target.pixel,
                     "X,Y in the window, y from the top: the last fragment shaded there");
    verb->add_option("--draw", options->target.draw,
                     "Of the pixel's fragments that of this draw, as explain numbers it");
    verb->add_option("--primitive", options->target.primitive, "And of this primitive");
    verb->add_flag("--vertices", options->target.vertices, "The vertices of that primitive, not the fragments");
    verb->add_option("--save", options->target.saveFile, "Keep the captured group in a file");
    verb->add_option("--capture", options->target.captureFile, "Debug a group that --save kept");
    verb->add_option("--script", options->script, "Commands from a file; - reads standard input");
    verb->add_flag("--dap", options->adapter, "Serve the Debug Adapter Protocol on standard input and output");
    addGroupOptions(*verb, options->target.group);
    addKernelOptions(*verb, options->target.kernel, true);
    verb->footer(std::string(groupOptionsHelp()) + "\n" + kernelOptionsHelp() +
                 "\nThe command help lists what the debugger understands. With a script the exit status is 1 when a\n"
                 "command failed; it is 2 when the program of --pixel cannot be started, or ends before the frame.\n"
                 "Examples: tessera dbg phong.frag --set v_normal=0,0,1 --lanes 16\n"
                 "          tessera dbg --pixel 400,300 --frame 2 -- es2gears_x11\n"
                 "          tessera dbg --pixel 160,120 --picture page.png --follow 3 page.tsc\n"
                 "          tessera dbg sum.tsa --grid 8 --at 3 --in data=data.npy --buffer sums=f32[8]");
    verb->callback([options, &status] { status = debugProgram(*options); });
}

}  // namespace tessera::tools
