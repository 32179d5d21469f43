// tessera bisect-tiers: the first instruction, lane and pixel where two executors differ.
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/thread/thread_pool.h"
#include "shader-core/debug/replay/bisect.h"
#include "shader-core/debug/replay/value.h"
#include "shader-core/debug/trace/trace.h"
#include "tools/debugger/dbg.h"
#include "tools/debugger/frame_difference.h"
#include "tools/debugger/tiers.h"
#include "tools/files.h"
#include "tools/options.h"
#include "tools/run/group_textures.h"
#include "tools/run/kernel_input.h"
#include "tools/run/places.h"
#include "tools/running_program.h"
#include "tools/verbs.h"

namespace tessera::tools {

namespace {

struct Options {
    GroupOptions group;
    FrameOptions frame;
    std::vector<std::string> tiers = {"interp", "jit"};
    std::string otherBuild, tier = "jit", answer;
    debug::Sweep sweep;
    KernelOptions kernel;
    std::vector<uint64_t> blocks;
};

/// Both sides: two tiers of this build, or the same tier of two builds.
std::array<Side, 2> sidesOf(const Options& options) {
    if (options.otherBuild.empty()) return {Side{options.tiers[0], {}}, Side{options.tiers[1], {}}};
    return {Side{options.tier, {}}, Side{options.tier, options.otherBuild}};
}

// --- A launch of a compute program ---

std::string blockText(const debug::Launch& launch, uint64_t block) {
    const uint64_t x = launch.grid[0], y = launch.grid[1];
    return fmt::format("block {},{},{}", block % x, block / x % y, block / x / y);
}

void printDifference(const debug::Launch& launch, const debug::KernelDifference& difference,
                     const std::array<Side, 2>& sides) {
    const isa::Program& program = *launch.program;
    if (difference.faults)
        fmt::print("{} is the first to differ: it is stopped on one of them only, or in another place\n",
                   blockText(launch, difference.block));
    else
        fmt::print("{} is the first to differ: {} bytes of {}, the first at {}\n", blockText(launch, difference.block),
                   difference.bytes, debug::memoryName(program, difference.slot), difference.byte);
    if (!difference.result) {
        fmt::print("  no single instruction: rewritten so that every result can be seen, the program agrees\n");
        return;
    }
    const debug::KernelDifference::Result& result = *difference.result;
    const isa::Instruction i = *isa::decode(program.code[result.pc]);
    const uint32_t line = debug::lineOf(program, result.pc);
    const uint32_t thread = result.group * isa::kGroupSize + static_cast<uint32_t>(result.lane);
    const uint32_t x = launch.block[0], y = launch.block[1];
    fmt::print("first difference: group {}, lane {}, thread {},{},{}, instruction @{}{}: {}\n", result.group,
               result.lane, thread % x, thread / x % y, thread / x / y, result.pc,
               line == 0 ? "" : fmt::format(", line {}", line), debug::instructionText(i));
    fmt::print("  it is instruction #{} of the group's execution\n", result.count);
    const debug::Format format = debug::formatOf(result.stored ? i.type : isa::resultType(i.op, i.type));
    fmt::print("  {} {}: {} on {}, {} on {}\n", result.stored ? "what it stored, component" : "component",
               debug::kComponents[static_cast<size_t>(result.component)], bitsText(result.first, format),
               sides[0].name(), bitsText(result.second, format), sides[1].name());
}

int compareKernel(const std::shared_ptr<const isa::Program>& program, const Options& options) {
    int status = kDone;
    const std::optional<KernelInput> input =
        makeKernelInput(program, options.frame.program[0], options.group.uniforms, options.kernel, status);
    if (!input) return status;
    const auto sides = sidesOf(options);
    const auto first = blocksRunnerOf(sides[0]), second = blocksRunnerOf(sides[1]);
    if (!first || !second) return kTrouble;
    const std::shared_ptr<debug::Launch> launch = launchOf(*input);
    const debug::KernelComparison comparison = debug::compareLaunches(*launch, *first, *second);
    if (comparison.failed) {
        fmt::print(stderr, "error: {} or {} cannot run the program\n", sides[0].name(), sides[1].name());
        return kTrouble;
    }
    if (comparison.difference) {
        printDifference(*launch, *comparison.difference, sides);
        return kWrongInput;
    }
    const uint64_t blocks = debug::blockCount(*launch);
    const uint32_t threads = launch->block[0] * launch->block[1] * launch->block[2];
    fmt::print("{} and {} agree: {} block{} of {} thread{}\n", sides[0].name(), sides[1].name(), blocks,
               blocks == 1 ? "" : "s", threads, threads == 1 ? "" : "s");
    return kDone;
}

/// Whether the other build's tool is there, which runs shaders for this one.
bool hasTool(const std::string& build) {
    const std::string tool = build + "/bin/tessera";
    if (build.empty() || access(tool.c_str(), X_OK) == 0) return true;
    fmt::print(stderr, "{}: error: {}: --other-build takes a build tree, or a prefix\n", tool, std::strerror(errno));
    return false;
}

int compareShader(const CLI::App& verb, const Options& options) {
    if (!areAbsent(verb, {"--frame", "--gl", "--let-finish", "--timeout"}, options.frame.program[0],
                   "is for GLES programs"))
        return kTrouble;
    if (!hasTool(options.otherBuild)) return kTrouble;
    int status = kDone;
    const auto program = loadProgram(options.frame.program[0], options.group.stage, status);
    if (!program) return status;
    if (!optionsSuit(*program, options.frame.program[0], options.group, options.kernel)) return kTrouble;
    if (program->stage == isa::Stage::Compute) return compareKernel(program, options);
    const auto groups = makeGroups(program, options.group, status);
    if (!groups) return status;
    for (const debug::Group& group : *groups) {
        const auto* textures = dynamic_cast<const GroupTextures*>(group.textures.get());
        status = compareGroup(group, textures != nullptr ? textures->captured() : std::vector<debug::CapturedTexture>(),
                              sidesOf(options));
        if (status != kDone) return status;
    }
    const auto sides = sidesOf(options);
    fmt::print("{} and {} agree: {} lane{}\n", sides[0].name(), sides[1].name(), options.group.lanes,
               options.group.lanes == 1 ? "" : "s");
    return kDone;
}

int bisect(const CLI::App& verb, const Options& options) {
    setComputeFloatEnvironment();
    if (!options.answer.empty() && !options.blocks.empty())
        return answerBlocks(options.answer, options.tier, options.blocks[0], options.blocks[1]);
    if (!options.answer.empty()) return answerRun(options.answer, options.tier, options.sweep);
    if (options.frame.program.empty()) {
        fmt::print(stderr, "error: no program; give a shader with its inputs, or a GLES program behind --\n");
        return kTrouble;
    }
    const std::string& program = options.frame.program[0];
    const bool isShader = !options.group.stage.empty() || program.ends_with(".tsa") || program.ends_with(".tsb") ||
                          program.ends_with(".vert") || program.ends_with(".frag");
    return isShader ? compareShader(verb, options) : compareFrame(options.frame, sidesOf(options));
}

}  // namespace

void addBisect(CLI::App& app, int& status) {
    const auto options = std::make_shared<Options>();
    const CLI::IsMember tiers({"interp", "jit"});
    CLI::App* verb =
        app.add_subcommand("bisect-tiers", "Find the first instruction, lane and pixel where tiers differ");
    addFrameOptions(*verb, options->frame);
    verb->get_option("program")->required(false)->description(
        "A shader (.tsa, .tsb, .vert, .frag) with its inputs, or a GLES program and its arguments behind --");
    // One word, so that what stands behind it is the program.
    verb->add_option_function<std::string>(
            "--tiers", [options](const std::string& text) { options->tiers = listOf(text); },
            "Two tiers to compare; default interp,jit")
        ->check([](const std::string& text) {
            const auto isTier = [](const std::string& word) { return word == "interp" || word == "jit"; };
            const std::vector<std::string> list = listOf(text);
            const bool isRight = list.size() == 2 && isTier(list[0]) && isTier(list[1]);
            return isRight ? std::string() : fmt::format("write two of interp and jit, as interp,jit: not '{}'", text);
        })
        ->type_name("A,B")
        ->take_last();
    verb->add_option("--other-build", options->otherBuild, "Compare with another build tree (its bin and lib) instead");
    verb->add_option("--tier", options->tier, "The tier that is compared between builds; default jit")->check(tiers);
    // What this tool asks of another build's.
    verb->add_option("--answer", options->answer)->group("");
    verb->add_option("--constant", options->sweep.constant)->group("");
    verb->add_option("--count", options->sweep.count)->group("")->check(CLI::Range(0u, debug::kMaxResults));
    verb->add_option("--blocks", options->blocks)->group("")->delimiter(',')->expected(2);
    addGroupOptions(*verb, options->group);
    addKernelOptions(*verb, options->kernel, false);
    verb->footer(
        std::string(groupOptionsHelp()) + "\n" + kernelOptionsHelp() +
        "\nOf a GLES program the pictures of the frame are compared, then the histories of the first pixel that\n"
        "differs, then the group that drew it; of a compute program the first block and instruction. Exit status 0: "
        "they agree, 1: they differ, 2: the program cannot be started, or ends before the frame.\n"
        "Examples: tessera bisect-tiers phong.frag --lanes 32 --set v_normal=0..1,0,1\n"
        "          tessera bisect-tiers --other-build ../old/build/release --frame 3 -- es2gears_x11");
    verb->callback([options, verb, &status] { status = bisect(*verb, *options); });
}

}  // namespace tessera::tools
