// tessera bisect-tiers: the first instruction, lane and pixel where two executors differ.
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/thread/thread_pool.h"
#include "shader-core/debug/replay/bisect.h"
#include "shader-core/debug/replay/value.h"
#include "shader-core/debug/trace/trace.h"
#include "tools/debugger/dbg.h"
#include "tools/debugger/tiers.h"
#include "tools/files.h"
#include "tools/options.h"
#include "tools/pixel/pixel_history.h"
#include "tools/run/group_textures.h"
#include "tools/run/kernel_input.h"
#include "tools/run/places.h"
#include "tools/running_program.h"
#include "tools/verbs.h"

namespace tessera::tools {

namespace {

using Json = nlohmann::json;

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

// --- A group ---

std::string bitsText(uint32_t bits, debug::Format format) {
    return fmt::format("{} ({})", debug::valueText(bits, format), debug::valueText(bits, debug::Format::Hex));
}

void printDifference(const debug::Group& group, const debug::Difference& difference, const std::array<Side, 2>& sides) {
    const std::string& laneName = group.laneNames[static_cast<size_t>(difference.lane)];
    fmt::print("first difference: lane {}{}{}", difference.lane, laneName.empty() ? "" : ", ", laneName);
    debug::Format format = debug::Format::F32;
    if (difference.pc) {
        const isa::Instruction i = *isa::decode(group.program->code[*difference.pc]);
        const uint32_t line = debug::lineOf(*group.program, *difference.pc);
        fmt::print(", instruction @{}{}: {}\n", *difference.pc, line == 0 ? "" : fmt::format(", line {}", line),
                   debug::instructionText(i));
        fmt::print("  it is instruction #{} of the group's execution\n", difference.count);
        format = debug::formatOf(isa::resultType(i.op, i.type));
        if (difference.discards) {
            fmt::print("  it discards the lane on one of them only\n");
            return;
        }
        fmt::print("  component {}: ", debug::kComponents[static_cast<size_t>(difference.component)]);
    } else if (difference.discards) {
        fmt::print(", which is discarded on one of them only");
    } else {
        fmt::print(", {}.{}: ", outputName(*group.program, difference.output),
                   debug::kComponents[static_cast<size_t>(difference.component)]);
    }
    fmt::print("{} on {}, {} on {}\n", bitsText(difference.first, format), sides[0].name(),
               bitsText(difference.second, format), sides[1].name());
    if (!difference.pc)
        fmt::print("  no single instruction: rewritten so that every result can be seen, the program agrees\n");
}

/// Prints what differs; kDone when nothing does.
int compareGroup(const debug::Group& group, const std::vector<debug::CapturedTexture>& textures,
                 const std::array<Side, 2>& sides) {
    const auto first = runnerOf(sides[0], textures), second = runnerOf(sides[1], textures);
    if (!first || !second) return kTrouble;
    const debug::Comparison comparison = debug::compareRuns(group, *first, *second);
    if (comparison.failed) {
        fmt::print(stderr, "error: {} or {} cannot run the program\n", sides[0].name(), sides[1].name());
        return kTrouble;
    }
    if (!comparison.difference) return kDone;
    printDifference(group, *comparison.difference, sides);
    return kWrongInput;
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

// --- A frame ---

std::optional<ProbeResult> probeSide(const Options& options, const Side& side, ProbeRequest request) {
    request.tier = side.tier;
    if (!side.build.empty()) request.libraries = side.build + "/lib";
    return probe(options.frame, request);
}

struct Pictures {
    int width = 0, height = 0;
    size_t differing = 0;
    std::array<int, 2> first{};
    std::array<std::array<uint8_t, 4>, 2> values{};
};

std::optional<Pictures> comparePictures(const ProbeResult& a, const ProbeResult& b) {
    if (!a.report.contains("surface") || !b.report.contains("surface")) return std::nullopt;
    Pictures result;
    result.width = a.report["surface"]["width"].get<int>(), result.height = a.report["surface"]["height"].get<int>();
    if (a.picture.size() != b.picture.size() || a.picture.empty()) return std::nullopt;
    for (size_t at = 0; at < a.picture.size(); at += 4) {
        if (std::memcmp(&a.picture[at], &b.picture[at], 4) == 0) continue;
        if (result.differing++ != 0) continue;
        const auto pixel = static_cast<int>(at / 4);
        result.first = {pixel % result.width, pixel / result.width};
        std::memcpy(result.values[0].data(), &a.picture[at], 4);
        std::memcpy(result.values[1].data(), &b.picture[at], 4);
    }
    return result;
}

/// The events of the first pixel on the surface, without what tiers count in their own ways.
std::vector<Json> eventsOf(const Json& report) {
    std::vector<Json> events;
    for (const Json& history : report["pixels"][0]["histories"])
        if (history["surface"] == true)
            for (Json event : history["events"]) {
                event.erase("instructions");
                events.push_back(std::move(event));
            }
    return events;
}

/// The inputs of both groups: where they differ, it happened before the fragment program.
bool sameInputs(const debug::Group& a, const debug::Group& b) {
    for (uint32_t left = a.activeMask & b.activeMask; left != 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        for (const int v : a.program->inputMask) {
            for (int c = 0; c < 4; ++c) {
                const float x = a.inputs[static_cast<size_t>(v)].lane[c][lane];
                const float y = b.inputs[static_cast<size_t>(v)].lane[c][lane];
                if (std::memcmp(&x, &y, sizeof x) == 0) continue;
                fmt::print("the inputs of its fragments differ already, v{}.{} of lane {}: {} and {}\n", v,
                           debug::kComponents[static_cast<size_t>(c)], lane, x, y);
                return false;
            }
        }
    }
    return true;
}

/// The vertices of the primitive, where the inputs of its fragments differ.
int compareVertices(const Options& options, ProbeRequest request) {
    const auto sides = sidesOf(options);
    request.capture = false, request.vertices = true;
    const auto probed = probeSide(options, sides[0], request);
    if (!probed) return kNothingGiven;
    std::string title, error;
    int lane = 0;
    const auto group = groupOf(probed->vertices, title, lane, error);
    if (!group) {
        fmt::print(stderr, "error: {}\n", error);
        return kTrouble;
    }
    const auto* textures = dynamic_cast<const GroupTextures*>(group->textures.get());
    const int status = compareGroup(*group, textures->captured(), sides);
    if (status == kDone) fmt::print("its vertex program computes the same on both: setup or interpolation differ\n");
    return status == kTrouble ? kTrouble : kWrongInput;
}

/// The group of the first primitive after which the pixel differs.
int compareEvent(const Options& options, const Json& event, ProbeRequest request) {
    const auto sides = sidesOf(options);
    request.capture = true;
    request.draw = event["command"].get<int64_t>();
    request.primitive = event["primitive"].get<int64_t>();
    const auto a = probeSide(options, sides[0], request), b = probeSide(options, sides[1], request);
    if (!a || !b) return kNothingGiven;
    if (a->capture.empty() || b->capture.empty()) {
        fmt::print("its fragment program does not run for the pixel on both: coverage or the tests before it differ\n");
        return kWrongInput;
    }
    std::string title, error;
    int lane = 0;
    const auto groupA = groupOf(a->capture, title, lane, error), groupB = groupOf(b->capture, title, lane, error);
    if (!groupA || !groupB) {
        fmt::print(stderr, "error: {}\n", error);
        return kTrouble;
    }
    if (!sameInputs(*groupA, *groupB)) return compareVertices(options, request);
    const auto* textures = dynamic_cast<const GroupTextures*>(groupA->textures.get());
    const int status = compareGroup(*groupA, textures->captured(), sides);
    if (status == kDone)
        fmt::print(
            "its fragment program computes the same on both: the difference is behind it, in tests or blending\n");
    return status == kTrouble ? kTrouble : kWrongInput;
}

int compareFrame(const Options& options) {
    const auto sides = sidesOf(options);
    ProbeRequest request;
    request.picture = true;
    const auto a = probeSide(options, sides[0], request), b = probeSide(options, sides[1], request);
    if (!a || !b) return kNothingGiven;
    const std::optional<Pictures> pictures = comparePictures(*a, *b);
    if (!pictures) {
        fmt::print(stderr, "{}: error: frame {} has no surface, or one of another size on {}\n",
                   options.frame.program[0], options.frame.frame, sides[1].name());
        return kWrongInput;
    }
    fmt::print("frame {}, {} x {}: ", options.frame.frame, pictures->width, pictures->height);
    if (pictures->differing == 0) {
        fmt::print("{} and {} agree\n", sides[0].name(), sides[1].name());
        return kDone;
    }
    const auto [x, y] = pictures->first;
    const auto& [one, other] = pictures->values;
    fmt::print("{} pixels differ; the first is {},{}: {} on {}, {} on {}\n", pictures->differing, x, y,
               fmt::join(one, " "), sides[0].name(), fmt::join(other, " "), sides[1].name());
    request = {};
    request.pixels = {{x, options.frame.bottomUp ? pictures->height - 1 - y : y}};
    const auto toldA = probeSide(options, sides[0], request), toldB = probeSide(options, sides[1], request);
    if (!toldA || !toldB) return kNothingGiven;
    const std::vector<Json> eventsA = eventsOf(toldA->report), eventsB = eventsOf(toldB->report);
    const auto [differs, ignored] = std::mismatch(eventsA.begin(), eventsA.end(), eventsB.begin(), eventsB.end());
    if (differs == eventsA.end()) {
        const bool same = eventsA.size() == eventsB.size();
        fmt::print("{}\n",
                   same ? "their accounts of the pixel agree: it depends on what runs together, or is in the code for "
                          "single blocks (pipeline/README.md)"
                        : "the second draws more to the pixel; tessera explain shows both accounts");
        return kWrongInput;
    }
    const Json& command = toldA->report["commands"][(*differs)["command"].get<size_t>()];
    fmt::print("it differs from {} on", commandText(command));
    if (!differs->contains("primitive")) {
        fmt::print("\n");
        return kWrongInput;
    }
    fmt::print(", primitive {}\n", (*differs)["primitive"].get<uint64_t>());
    return compareEvent(options, *differs, request);
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
    return isShader ? compareShader(verb, options) : compareFrame(options);
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
