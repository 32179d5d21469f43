// tessera run
#include <algorithm>
#include <memory>
#include <sstream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/thread/thread_pool.h"
#include "shader-core/debug/replay/value.h"
#include "shader-core/debug/trace/trace.h"
#include "tools/files.h"
#include "tools/options.h"
#include "tools/run/group_input.h"
#include "tools/run/line_costs.h"
#include "tools/run/machine_check.h"
#include "tools/run/places.h"
#include "tools/run/run_kernel.h"
#include "tools/verbs.h"

namespace tessera::tools {

namespace {

struct Options {
    GroupOptions group;
    KernelOptions kernel;
    LaunchOptions launch;
    std::string trace, vcd, perfetto, format, preset;
    bool json = false, cost = false;
    uint64_t limit = 100000;
};

/// A group that was executed, with its trace when one is wanted.
struct Executed {
    std::unique_ptr<debug::Replay> replay;
    debug::Trace trace;
};

bool wantsTrace(const Options& options) {
    return !options.trace.empty() || !options.vcd.empty() || !options.perfetto.empty();
}

Executed execute(debug::Group group, const Options& options) {
    Executed result{std::make_unique<debug::Replay>(std::move(group)), {}};
    result.trace = debug::trace(*result.replay, wantsTrace(options) ? options.limit : 0);
    return result;
}

/// Without a format each value is printed as it was written.
void printOutputs(const Executed& run, std::optional<debug::Format> format) {
    const debug::Group& group = run.replay->group();
    const isa::Program& program = *group.program;
    const debug::Outcome& outcome = run.trace.outcome;
    for (uint32_t left = group.activeMask & ~group.helperMask; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        const bool discarded = (outcome.killMask >> lane & 1) != 0;
        fmt::print("lane {}, {}{}\n", lane, group.laneNames[static_cast<size_t>(lane)], discarded ? ": discarded" : "");
        for (const int output : discarded ? isa::RegisterMask() : program.outputMask) {
            const std::string name = outputName(program, output);
            std::string values;
            for (int c = 0; c < 4; ++c) {
                const debug::Format written = run.trace.types.of(isa::File::O, output, c).in(lane);
                const float value = outcome.outputs[static_cast<size_t>(output)].lane[c][lane];
                values += " " + debug::valueText(value, format.value_or(written));
            }
            fmt::print("    {:<4} {:<16}{}\n", fmt::format("o{}", output), name, values);
        }
    }
}

nlohmann::ordered_json jsonOutputs(const Executed& run) {
    const debug::Group& group = run.replay->group();
    const debug::Outcome& outcome = run.trace.outcome;
    nlohmann::ordered_json lanes = nlohmann::ordered_json::array();
    for (uint32_t left = group.activeMask & ~group.helperMask; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        nlohmann::ordered_json json;
        json["lane"] = lane;
        json["name"] = group.laneNames[static_cast<size_t>(lane)];
        json["discarded"] = (outcome.killMask >> lane & 1) != 0;
        for (const int output : group.program->outputMask) {
            nlohmann::ordered_json& bits = json["outputs"][fmt::format("o{}", output)];
            for (const auto& component : outcome.outputs[static_cast<size_t>(output)].lane)
                bits.push_back(debug::valueText(component[lane], debug::Format::Hex));
        }
        lanes.push_back(std::move(json));
    }
    return lanes;
}

std::optional<model::Preset> costMachine(const Options& options) {
    return loadMachine(options.preset.empty() ? "tessera" : options.preset);
}

/// What the lines of the shader cost, of the groups that ran.
std::optional<model::ProgramCost> costOf(const std::vector<Executed>& runs, const Options& options) {
    const std::optional<model::Preset> machine = costMachine(options);
    if (!machine) return std::nullopt;
    std::vector<const debug::Group*> groups;
    for (const Executed& run : runs) groups.push_back(&run.replay->group());
    return costOfGroups(options.group.program, groups, *machine);
}

/// Text for a file, or nothing when no file is wanted.
bool exportTo(const std::string& file, const std::vector<debug::TraceGroup>& groups,
              void (*write)(std::ostream&, std::span<const debug::TraceGroup>)) {
    if (file.empty()) return true;
    std::ostringstream text;
    write(text, groups);
    return writeFile(file, text.str());
}

/// Prints groups that were executed together.
void printTrace(std::span<const debug::TraceGroup> groups, const std::string& form) {
    std::ostringstream text;
    if (form == "text") debug::writeText(text, groups);
    if (form == "json") debug::writeJson(text, groups);
    fmt::print("{}", text.str());
}

int report(const std::vector<Executed>& runs, const Options& options) {
    std::vector<debug::TraceGroup> groups;
    for (const Executed& run : runs) groups.push_back({static_cast<int>(groups.size()), run.replay.get(), &run.trace});
    for (const debug::TraceGroup& group : groups) printTrace(std::span(&group, 1), options.trace);
    if (!exportTo(options.vcd, groups, debug::writeVcd)) return kTrouble;
    if (!exportTo(options.perfetto, groups, debug::writePerfetto)) return kTrouble;

    int status = kDone;
    nlohmann::ordered_json json;
    for (const debug::TraceGroup& group : groups) {
        const debug::Outcome& outcome = group.trace->outcome;
        const Executed& run = runs[static_cast<size_t>(group.number)];
        if (options.json) {
            json["groups"].push_back({{"group", group.number},
                                      {"instructions", outcome.instructions},
                                      {"ended", !outcome.budgetExceeded},
                                      {"lanes", jsonOutputs(run)}});
        } else if (options.trace != "json") {
            if (options.trace.empty()) fmt::print("group {}: {} instructions\n", group.number, outcome.instructions);
            printOutputs(run, debug::formatByName(options.format));
        }
        if (group.trace->cut && wantsTrace(options))
            fmt::print(stderr, "{}: warning: the trace ends after {} instructions of group {} (--limit)\n",
                       options.group.program, options.limit, group.number);
        if (!outcome.budgetExceeded) continue;
        fmt::print(stderr, "{}: error: group {} was stopped after {} instructions: a loop does not end\n",
                   options.group.program, group.number, outcome.instructions);
        status = kWrongInput;
    }
    std::optional<model::ProgramCost> cost;
    if (options.cost && status == kDone && !(cost = costOf(runs, options))) status = kWrongInput;
    if (options.json) {
        if (cost) json["cost"] = model::costJson(*cost);
        fmt::print("{}\n", json.dump(1));
    } else if (cost) {
        fmt::print("{}", model::costText(*cost));
    }
    return status;
}

// --- Compute programs ---

/// Traces the block that --at names, from the buffers as they were given.
int traceBlock(const KernelInput& input, const Options& options) {
    int status = kDone;
    std::optional<std::vector<debug::Group>> groups = makeBlockGroups(input, options.kernel, status);
    if (!groups) return status;
    std::vector<std::unique_ptr<debug::Replay>> replays;
    std::vector<const debug::Replay*> pointers;
    for (debug::Group& group : *groups) {
        replays.push_back(std::make_unique<debug::Replay>(std::move(group)));
        pointers.push_back(replays.back().get());
    }
    const std::vector<debug::Trace> traces = debug::traceBlock(pointers, options.limit);
    std::vector<debug::TraceGroup> all;
    for (size_t g = 0; g < traces.size(); ++g) all.push_back({static_cast<int>(g), pointers[g], &traces[g]});
    printTrace(all, options.trace);
    if (!exportTo(options.vcd, all, debug::writeVcd)) return kTrouble;
    if (!exportTo(options.perfetto, all, debug::writePerfetto)) return kTrouble;
    if (std::any_of(traces.begin(), traces.end(), [](const debug::Trace& trace) { return trace.cut; }))
        fmt::print(stderr, "{}: warning: the trace ends after {} instructions of the block (--limit)\n",
                   options.group.program, options.limit);
    return kDone;
}

/// What the lines of the kernel cost, of the whole launch; the buffers stay as they are.
int printCost(const KernelInput& input, const Options& options) {
    const std::optional<model::Preset> machine = costMachine(options);
    if (!machine) return kWrongInput;
    const std::shared_ptr<debug::Launch> launch = launchOf(input);
    const auto cost = costOfBlocks(options.group.program, *launch, 0, debug::blockCount(*launch), *machine);
    if (!cost) return kWrongInput;
    if (options.json)
        fmt::print("{}\n", nlohmann::ordered_json{{"cost", model::costJson(*cost)}}.dump(1));
    else
        fmt::print("{}", model::costText(*cost));
    return kDone;
}

int runCompute(const std::shared_ptr<const isa::Program>& program, const Options& options) {
    int status = kDone;
    const std::optional<KernelInput> input =
        makeKernelInput(program, options.group.program, options.group.uniforms, options.kernel, status);
    if (!input) return status;
    if (wantsTrace(options)) status = traceBlock(*input, options);
    if (options.cost && status == kDone) status = printCost(*input, options);
    return status == kDone ? launchKernel(*input, options.launch) : status;
}

/// Options that would do nothing are refused.
bool optionsAct(const CLI::App& verb, const isa::Program& program, const Options& options) {
    const bool isCompute = program.stage == isa::Stage::Compute;
    const auto refuse = [&](std::initializer_list<const char*> names, const char* why) {
        return areAbsent(verb, names, options.group.program, why);
    };
    if (!optionsSuit(program, options.group.program, options.group, options.kernel)) return false;
    if (isCompute && !refuse({"--format"}, "does nothing for a compute program")) return false;
    if (isCompute && !options.cost && !refuse({"--json"}, "does nothing for a compute program without --cost"))
        return false;
    if (!isCompute && !refuse({"--out", "--tier", "--counters"}, "is for compute programs")) return false;
    return wantsTrace(options) || refuse({"--limit", "--at"}, "needs --trace, --vcd or --perfetto");
}

int runProgram(const CLI::App& verb, const Options& options) {
    setComputeFloatEnvironment();
    int status = kDone;
    const std::shared_ptr<const isa::Program> program = loadProgram(options.group.program, options.group.stage, status);
    if (!program) return status;
    if (!optionsAct(verb, *program, options)) return kTrouble;
    if (!machineTakes(options.preset, *program, options.group.program)) return kWrongInput;
    if (program->stage == isa::Stage::Compute) return runCompute(program, options);
    std::optional<std::vector<debug::Group>> groups = makeGroups(program, options.group, status);
    if (!groups) return status;
    std::vector<Executed> runs;
    for (debug::Group& group : *groups) runs.push_back(execute(std::move(group), options));
    return report(runs, options);
}

}  // namespace

void addRun(CLI::App& app, int& status) {
    const auto options = std::make_shared<Options>();
    CLI::App* verb = app.add_subcommand("run", "Execute a program on given inputs; print outputs or every instruction");
    verb->add_option("program", options->group.program, "Assembly (.tsa), binary (.tsb) or GLSL (.vert, .frag)")
        ->required();
    addGroupOptions(*verb, options->group);
    addKernelOptions(*verb, options->kernel, true);
    addLaunchOptions(*verb, options->launch);
    verb->add_option("--preset", options->preset,
                     "Only if this machine can execute the program: a preset's name or file (tessera trim writes one); "
                     "of --cost the machine, tessera unless another is given");
    verb->add_flag("--cost", options->cost,
                   "Print what each line costs: in the code, as it ran, and on the machine, where these groups are "
                   "alone (docs/model.md)");
    verb->add_option("--trace", options->trace, "Print each instruction: cycle, lanes, registers written")
        ->check(CLI::IsMember({"text", "json"}));
    verb->add_option("--vcd", options->vcd, "Write the execution as a waveform (GTKWave); one time unit is one cycle");
    verb->add_option("--perfetto", options->perfetto, "Write it as a timeline (ui.perfetto.dev, chrome://tracing)");
    verb->add_option("--limit", options->limit,
                     "Instructions of a group, or of a block, that a trace lists; default 100000")
        ->check(CLI::Range(uint64_t{0}, uint64_t{1} << 40));
    verb->add_option("--format", options->format,
                     "How outputs are printed: f32, i32, u32, hex; as what they were written, unless it is given")
        ->check(CLI::IsMember({"f32", "i32", "u32", "hex"}));
    verb->add_flag("--json", options->json, "Print the outputs' bits as JSON, and of --cost the table");
    verb->footer(
        groupOptionsHelp() +
        std::string("\nCycles are the instruction table's estimates (docs/isa.md, Cycles), added up over the "
                    "instructions that ran,\n"
                    "loops as often as they ran.\n"
                    "Example: tessera run phong.frag --set v_normal=0,0,1 --uniform u_shininess=20 --trace text\n\n") +
        kernelOptionsHelp() +
        "\nAnd --out, --tier and --counters; what is traced is one block, with all its groups (--at).\n"
        "  tessera run add.tsa --grid 64 --in a=a.npy --in b=b.npy --buffer c=f32[16384] --out c=c.npy");
    verb->callback([verb, options, &status] { status = runProgram(*verb, *options); });
}

}  // namespace tessera::tools
