#include "tools/debugger/tiers.h"

#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "shader-core/interp/interpreter.h"
#include "shader-core/tier/jit_library.h"
#include "tools/files.h"
#include "tools/run/group_textures.h"

namespace tessera::tools {

namespace {

/// What answerRun() writes for each run: the mask of discarded lanes, whether the budget ran out, the outputs.
struct Answer {
    uint32_t killMask = 0, budgetExceeded = 0;
    isa::GroupRegister outputs[isa::kMaxOutputs];
};

std::string shellWord(const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

/// All that a command writes to its standard output; nothing when it fails.
std::optional<std::string> outputOf(const std::string& command) {
    FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) return std::nullopt;
    std::string bytes;
    char buffer[65536];
    while (const size_t n = fread(buffer, 1, sizeof buffer, pipe)) bytes.append(buffer, n);
    if (pclose(pipe) != 0) return std::nullopt;
    return bytes;
}

/// What the other build's tool answers to a file with these bytes.
std::optional<std::string> answerOf(const Side& side, std::span<const std::byte> bytes, const std::string& arguments) {
    std::string file = (std::filesystem::temp_directory_path() / "tessera-group-XXXXXX").string();
    const int descriptor = mkstemp(file.data());
    if (descriptor < 0) return std::nullopt;
    close(descriptor);
    std::optional<std::string> answer;
    if (writeFile(file, bytes))
        answer = outputOf(fmt::format("{} bisect-tiers --answer {} --tier {} {}",
                                      shellWord(side.build + "/bin/tessera"), shellWord(file), side.tier, arguments));
    unlink(file.c_str());
    return answer;
}

std::optional<std::vector<debug::Outcome>> runElsewhere(const Side& side, const debug::Capture& capture,
                                                        const debug::Sweep& sweep) {
    const std::optional<std::string> answers =
        answerOf(side, debug::serialize(capture), fmt::format("--constant {} --count {}", sweep.constant, sweep.count));
    if (!answers || answers->size() % sizeof(Answer) != 0) return std::nullopt;
    std::vector<debug::Outcome> outcomes;
    for (size_t at = 0; at < answers->size(); at += sizeof(Answer)) {
        Answer answer;
        std::memcpy(static_cast<void*>(&answer), answers->data() + at, sizeof answer);
        debug::Outcome& outcome = outcomes.emplace_back();
        outcome.killMask = answer.killMask;
        outcome.budgetExceeded = answer.budgetExceeded != 0;
        std::memcpy(static_cast<void*>(outcome.outputs.data()), answer.outputs, sizeof answer.outputs);
    }
    return outcomes;
}

}  // namespace

std::shared_ptr<isa::Executor> makeExecutor(const std::string& tier) {
    if (tier == "interp") return interp::makeInterpreter();
    std::string why;
    std::shared_ptr<isa::Executor> executor = tier::openJit(&why);
    if (executor == nullptr) fmt::print(stderr, "error: the JIT cannot be loaded: {}\n", why);
    return executor;
}

std::optional<debug::RunBlocks> blocksRunnerOf(const Side& side) {
    if (side.build.empty()) {
        std::shared_ptr<isa::Executor> executor = makeExecutor(side.tier);
        if (executor == nullptr) return std::nullopt;
        return debug::blocksRunnerOf(std::move(executor));
    }
    return [side](const debug::Launch& launch, uint64_t first, uint64_t count) -> std::optional<debug::BlocksOutcome> {
        const std::optional<std::string> answer =
            answerOf(side, debug::serialize(launch), fmt::format("--blocks {},{}", first, count));
        return answer ? debug::deserializeOutcome(std::as_bytes(std::span(*answer))) : std::nullopt;
    };
}

std::optional<debug::RunGroup> runnerOf(const Side& side, std::vector<debug::CapturedTexture> textures) {
    if (side.build.empty()) {
        std::shared_ptr<isa::Executor> executor = makeExecutor(side.tier);
        if (executor == nullptr) return std::nullopt;
        return debug::runnerOf(std::move(executor));
    }
    return [side, textures = std::move(textures)](const debug::Group& group, const debug::Sweep& sweep) {
        return runElsewhere(side, {group, 0, {}, textures}, sweep);
    };
}

int answerRun(const std::string& captureFile, const std::string& tier, const debug::Sweep& sweep) {
    const std::optional<std::string> bytes = readFile(captureFile);
    if (!bytes) return kTrouble;
    std::string title, error;
    int lane = 0;
    std::optional<debug::Group> group = groupOf(*bytes, title, lane, error);
    if (!group) {
        fmt::print(stderr, "{}: error: {}\n", captureFile, error);
        return kWrongInput;
    }
    if (sweep.constant >= static_cast<int>(group->constants.size())) return kWrongInput;
    const std::shared_ptr<isa::Executor> executor = makeExecutor(tier);
    if (executor == nullptr) return kTrouble;
    const auto outcomes = debug::runnerOf(executor)(*group, sweep);
    if (!outcomes) return kTrouble;
    for (const debug::Outcome& outcome : *outcomes) {
        Answer answer;
        answer.killMask = outcome.killMask;
        answer.budgetExceeded = outcome.budgetExceeded;
        std::memcpy(static_cast<void*>(answer.outputs), outcome.outputs.data(), sizeof answer.outputs);
        if (fwrite(&answer, sizeof answer, 1, stdout) != 1) return kTrouble;
    }
    return kDone;
}

int answerBlocks(const std::string& launchFile, const std::string& tier, uint64_t first, uint64_t count) {
    const std::optional<std::string> bytes = readFile(launchFile);
    if (!bytes) return kTrouble;
    std::string error;
    const std::optional<debug::Launch> launch = debug::deserializeLaunch(std::as_bytes(std::span(*bytes)), error);
    if (!launch || first > debug::blockCount(*launch) || count > debug::blockCount(*launch) - first) {
        fmt::print(stderr, "{}: error: {}\n", launchFile, launch ? "it has no such blocks" : error);
        return kWrongInput;
    }
    const std::shared_ptr<isa::Executor> executor = makeExecutor(tier);
    if (executor == nullptr) return kTrouble;
    const std::optional<debug::BlocksOutcome> outcome = debug::blocksRunnerOf(executor)(*launch, first, count);
    if (!outcome) return kTrouble;
    const std::vector<std::byte> answer = debug::serialize(*outcome);
    return fwrite(answer.data(), 1, answer.size(), stdout) == answer.size() ? kDone : kTrouble;
}

}  // namespace tessera::tools
