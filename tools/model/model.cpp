// tessera model: what the paper's chip would do with a frame or a kernel.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/frame_range.h"
#include "model/chip/unit/machine.h"
#include "model/chip/workload_file.h"
#include "model/report/lines.h"
#include "model/report/sensitivity.h"
#include "tools/files.h"
#include "tools/model/outputs.h"
#include "tools/model/sample.h"
#include "tools/model/summary.h"
#include "tools/model/sweep.h"
#include "tools/model/workloads.h"
#include "tools/options.h"
#include "tools/run/machine_check.h"
#include "tools/verbs.h"

namespace tessera::tools {

namespace {

struct Options {
    WorkloadOptions workload;
    std::string preset = "tessera", memory, saveFile, name;
    std::vector<std::string> parameters;
    bool lists = false, onlySummary = false, json = false, isSensitivity = false;
    std::string tornado;  ///< file of its plot
    int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    OutputOptions outputs;
    SweepOptions sweep;
    SampleOptions sample;
};

/// "3", or "3..5".
std::optional<FrameRange> framesOf(std::string text) {
    if (const size_t dots = text.find(".."); dots != std::string::npos) text.replace(dots, 2, "-");
    const std::optional<FrameRange> range = frameRange(text);
    return range && range->last <= UINT32_MAX ? range : std::nullopt;
}

/// The preset with the changes that the command line asks for. Nothing, with a message, when it is no machine.
std::optional<model::Preset> presetOf(const Options& options) {
    std::optional<model::Preset> preset = loadMachine(options.preset);
    std::string problem;
    if (preset && !options.memory.empty() && !model::setMemory(*preset, options.memory, &problem)) {
        printLocated(problem);
        preset.reset();
    }
    for (const std::string& parameter : options.parameters) {
        if (!preset || model::setParameter(*preset, parameter, &problem)) continue;
        printLocated(problem);
        preset.reset();
    }
    return preset;
}

/// The file of a program, or what it is a part of.
std::string placeOf(const model::ProgramUse& program, const std::string& what) {
    return kindOfWorkload(what) == WorkloadKind::Compute ? what : fmt::format("{}, {}", what, program.name);
}

/// Options that would do nothing are refused.
bool optionsAct(const CLI::App& verb, const std::string& what) {
    const std::initializer_list<const char*> launch = {"--grid",   "--block",  "--in",
                                                       "--buffer", "--budget", "--uniform"};
    const WorkloadKind kind = kindOfWorkload(what);
    const auto refuse = [&](std::initializer_list<const char*> names, const char* why) {
        return areAbsent(verb, names, what, why);
    };
    const bool isRecorded = kind == WorkloadKind::Program || kind == WorkloadKind::Stream;
    return (kind == WorkloadKind::Compute || refuse(launch, "is for compute programs")) &&
           (kind == WorkloadKind::Kernel || refuse({"--size"}, "is for kernels of the suite")) &&
           (kind == WorkloadKind::Program || refuse({"--timeout"}, "is for programs that are run")) &&
           (isRecorded || refuse({"--frames"}, "is for programs that are run and for recorded command streams"));
}

int sensitivity(const Options& options, const model::Workload& workload, const model::Preset& preset) {
    const model::Sensitivity result = model::sensitivityOf(workload, preset, options.threads);
    if (!options.tornado.empty() && !writeFile(options.tornado, model::sensitivityPlot(result))) return kTrouble;
    fmt::print("{}", options.json ? model::sensitivityJson(result) : model::sensitivityText(result));
    return kDone;
}

int run(const CLI::App& verb, const Options& options) {
    if (options.lists) {
        fmt::print("{}", kernelList());
        return kDone;
    }
    const SweepOptions& grid = options.sweep;
    if (grid.axes.empty() && !grid.results.empty() && options.workload.what.empty())
        return finishedSweep(grid, options.json);
    if (grid.axes.empty() && !(grid.results + grid.plot).empty()) {
        fmt::print(stderr, "error: --{} is for a sweep; give --sweep NAME=VALUES{}\n",
                   grid.results.empty() ? "pareto" : "results",
                   grid.results.empty() ? "" : ", or no work for what a finished one prints");
        return kTrouble;
    }
    if (options.workload.what.empty()) {
        fmt::print(stderr, "error: nothing to model; give a file, a kernel (--list), or -- PROGRAM ARGS\n");
        return kTrouble;
    }
    if (!optionsAct(verb, options.workload.what[0])) return kTrouble;
    int status = kDone;
    std::optional<model::Workload> workload = makeWorkload(options.workload, status);
    if (!workload) return status;
    if (!options.name.empty()) workload->name = options.name;
    if (!options.saveFile.empty() && !writeFile(options.saveFile, model::saveWorkload(*workload))) return kTrouble;
    if (options.onlySummary) {
        fmt::print("{}", summary(*workload));
        return kDone;
    }
    const std::optional<model::Preset> preset = presetOf(options);
    if (!preset) return kWrongInput;
    for (const model::ProgramUse& use : workload->programs)
        if (!machineTakes(*preset, *use.program, placeOf(use, options.workload.what[0]))) return kWrongInput;
    if (!grid.axes.empty()) return sweep(grid, *workload, *preset, options.json);
    if (const std::string why = model::cannotRun(*workload, *preset); !why.empty()) {
        fmt::print(stderr, "{}: error: {}\n", options.workload.what[0], why);
        return kWrongInput;
    }
    model::MachineOptions machine = machineOptions(options.outputs);
    machine.threads = options.threads;
    if (options.isSensitivity) return sensitivity(options, *workload, *preset);
    if (options.sample.size) return sample(options.sample, *workload, *preset, machine, options.json);
    const model::Result result = model::simulate(*workload, *preset, machine);
    status = writeOutputs(options.outputs, result, *workload, *preset);
    if (status != kDone || !options.outputs.why.empty()) return status;
    if (options.json) {
        fmt::print("{}", model::reportJson(result, *workload));
        return kDone;
    }
    constexpr size_t kLinesShown = 20;
    fmt::print("{}\nLines, by the cycles of block processors that they took\n{}", model::reportText(result, *workload),
               model::dearestLinesText(model::costsOf(*workload, result, *preset), kLinesShown));
    return kDone;
}

}  // namespace

void addModel(CLI::App& app, int& status) {
    const auto options = std::make_shared<Options>();
    WorkloadOptions& workload = options->workload;
    CLI::App* verb =
        app.add_subcommand("model", "What the paper's chip would do with a frame or a kernel, cycle by cycle");
    verb->add_option_function<std::string>(
            "--frames,--frame", [&workload](const std::string& text) { workload.frames = framesOf(text); },
            "Frames to model, from 1: one, or A..B; a frame ends with eglSwapBuffers; default: a program's second, all "
            "of a file")
        ->check([](const std::string& text) {
            return framesOf(text) ? std::string() : "give a frame, from 1, or A..B: not " + text;
        });
    verb->add_option("--threads", options->threads,
                     "Of this computer; frames and launches are modelled side by side; default: all. Counts are the "
                     "same with any number")
        ->check(CLI::Range(1, 1024));
    verb->add_option("--save", options->saveFile, "Keep what was recorded in a file (.tsw), to be modelled again");
    verb->add_option("--name", options->name, "What reports call it; default: the program and the frame");
    verb->add_option("--preset", options->preset, "The machine: a preset's name or file; default tessera");
    verb->add_option(
        "--memory", options->memory,
        fmt::format("Its memory: {}, or a file; default: the preset's", fmt::join(model::memoryNames(), ", ")));
    verb->add_option("--set", options->parameters, "Another value of a parameter: NAME=VALUE (repeatable)")
        ->take_all()
        ->allow_extra_args(false);
    CLI::Option* summary =
        verb->add_flag("--summary", options->onlySummary, "Print what there is to do, not how long that takes");
    verb->add_flag("--json", options->json, "Print the report as JSON")->excludes(summary);
    addOutputOptions(*verb, options->outputs);
    addSweepOptions(*verb, options->sweep);
    addSampleOptions(*verb, options->sample);
    CLI::Option* ours = verb->add_flag("--sensitivity", options->isSensitivity,
                                       "Instead of the report: cycles with half and twice of each value of the machine "
                                       "that no paper and no data sheet gives, those that matter most first");
    verb->add_option("--tornado", options->tornado, "Plot them (SVG)")->needs(ours);
    for (const char* const other :
         {"--why", "--summary", "--sweep", "--sample", "--perfetto", "--vcd", "--konata", "--requests", "--plots"})
        ours->excludes(verb->get_option(other));
    // One answer: the report, what a question asks for, or a grid of machines.
    for (const char* const other : {"--json", "--summary", "--sweep"})
        verb->get_option("--why")->excludes(verb->get_option(other));
    for (const char* const other : {"--summary", "--perfetto", "--vcd", "--konata", "--requests", "--plots"})
        verb->get_option("--sweep")->excludes(verb->get_option(other));
    verb->add_flag("--list", options->lists, "Print the kernels of the suite");
    verb->add_option("--size", workload.size, "Of a kernel of the suite: small (default), paper or large")
        ->check(CLI::IsMember({"small", "paper", "large"}));
    verb->add_option("--timeout", workload.timeout, "Seconds until the program must have loaded Tessera; default 30")
        ->check(CLI::Range(1, 86400));
    verb->add_option("--uniform", workload.uniforms, "A uniform of a compute program: NAME=VALUE (repeatable)")
        ->take_all()
        ->allow_extra_args(false);
    addKernelOptions(*verb, workload.kernel, false);
    verb->add_option(
        "what", workload.what,
        "A file (.tsw, .tsc, .tsc.compute-1, .tsa, .tsb), a kernel, or a GLES program and its arguments, behind --");
    verb->footer(
        "A program runs on the driver beside this command until the frame has ended. Its commands are then executed\n"
        "again on one thread, with every vertex, primitive, 4x4 block, instruction and texture line written down, "
        "which\n"
        "changes no pixel; docs/model.md says how. The status is 1 when the input is wrong, 2 when a program cannot "
        "be\n"
        "started or a file not be read.\n"
        "Examples: tessera model -- gears\n"
        "          tessera model --preset miaow2 --set block.processors=2 transpose\n"
        "          tessera model --memory gddr5-3400-x128 -- gears\n"
        "          tessera model --frame 10 --save gears.tsw -- es2gears_x11; tessera model gears.tsw\n"
        "          tessera model --frames 2..31 --threads 4 -- water --headless\n"
        "          tessera model --frames 2..301 --sample auto -- gears --headless --frames 302\n"
        "          tessera model fft_256\n"
        "          tessera model --why top gears.tsw; tessera model --why \"texture engine 3:5000\" gears.tsw\n"
        "          tessera model --sweep block.processors=1..16 --results gears.csv --pareto gears.svg gears.tsw\n"
        "          tessera model saxpy.tsa --in x=x.npy --in y=y.npy --uniform a=2\n"
        "          TESSERA_COMMANDS=gears.tsc TESSERA_COMMANDS_FRAME=2 ./run demo gears; tessera model gears.tsc\n\n" +
        std::string(kernelOptionsHelp()));
    verb->callback([options, verb, &status] { status = run(*verb, *options); });
}

}  // namespace tessera::tools
