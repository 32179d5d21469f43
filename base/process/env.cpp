#include "base/process/env.h"

#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <optional>

#include "base/frame_range.h"
#include "base/limits.h"
#include "base/nearest.h"
#include "base/process/processors.h"
#include "base/process/report.h"

namespace tessera {

namespace {

using Kind = EnvVariable::Kind;

constexpr EnvVariable kVariables[] = {
    {Kind::Number, "TESSERA_THREADS", "1 to 64", "the processors it may use", "workers", 1, 64},
    {Kind::Words, "TESSERA_SIMD", "v2, v3, v4, neon", "the best the host has",
     "SIMD level of the hot loops: x86-64-v2, -v3 or -v4; neon on aarch64"},
    {Kind::Words, "TESSERA_TIER", "interp, baseline, jit, tiered", "tiered (kernels: jit)",
     "shaders and kernels are interpreted, compiled before they run (baseline: quickly, kernels not), or interpreted "
     "until compiled"},
    {Kind::Text, "TESSERA_CACHE_DIR", "a folder; empty: nowhere", "~/.cache/tessera",
     "where compiled shaders are kept"},
    {Kind::Flag, "TESSERA_STATS", "0, 1", "0",
     "the model of the paper's texture caches counts; a summary after each frame"},
    {Kind::Text, "TESSERA_TEXTURE_STREAM", "a file", "none", "written: what the texture units read in one frame"},
    {Kind::Number, "TESSERA_TEXTURE_FRAME", "1 to 1000000000", "1", "the frame that TESSERA_TEXTURE_STREAM is of", 1,
     1000000000},
    {Kind::Text, "TESSERA_COMMANDS", "a file", "none",
     "written: the command stream that the GPU executes, for `tessera commands`"},
    {Kind::Text, "TESSERA_COMMANDS_FRAME", "a frame or a range: 3, 3-5", "all",
     "the frames that TESSERA_COMMANDS is of, from 1"},
    {Kind::Flag, "TESSERA_PERF", "0, 1", "0", "names compiled shaders for `perf`"},
    {Kind::Number, "TESSERA_LOG", "0 to 4", "1",
     "how much the driver says on standard error: nothing, errors, warnings, information, all", 0, 4},
    {Kind::Number, "TESSERA_BUDGET", "65536 to 1000000000", "16777216",
     "instructions that 16 vertices or fragments may take; a draw that needs more is left out", kLeastInstructionBudget,
     1000000000},
    {Kind::Number, "TESSERA_TIME_LIMIT", "0 to 86400", "30",
     "seconds that a scene may take before its context is lost; 0: any", 0, 86400},
    {Kind::Text, "TESSERA_TRACE", "a file", "none",
     "written: what the GPU's threads did and for how long, for `bench/scaling.py`"},
    {Kind::Text, "TESSERA_PROBE", "a file", "none", "what the tools ask the driver to record"},
    {Kind::Words, "TESSERA_PRESET", "release, debug, package, asan, ubsan, tsan, fuzz, aarch64", "release",
     "which build `./run` uses"},
};

/// Read by tests, benchmarks and scripts alone.
constexpr std::string_view kOfOthers[] = {"TESSERA_BUILT", "TESSERA_PREFIX", "TESSERA_RANDOM_PROGRAMS",
                                          "TESSERA_RANDOM_SEED", "TESSERA_BENCH_LINGER"};

constexpr std::string_view kTrue[] = {"1", "true", "yes", "on"}, kFalse[] = {"0", "false", "no", "off"};

bool isOneOf(std::span<const std::string_view> words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Calls `visit` for each word of a row of Kind::Words.
template <class Visit>
void eachWord(std::string_view accepted, Visit visit) {
    while (!accepted.empty()) {
        const size_t end = std::min(accepted.find(", "), accepted.size());
        visit(accepted.substr(0, end));
        accepted.remove_prefix(std::min(end + 2, accepted.size()));
    }
}

const EnvVariable* findVariable(std::string_view name) {
    const auto* at = std::ranges::find_if(kVariables, [&](const EnvVariable& v) { return v.name == name; });
    return at == std::end(kVariables) ? nullptr : at;
}

SimdLevel hostSimdLevel() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("x86-64-v4")) return SimdLevel::v4;
    if (__builtin_cpu_supports("x86-64-v3")) return SimdLevel::v3;
#endif
    return kLeastSimdLevel;
}

/// None: another architecture's.
std::optional<SimdLevel> simdLevelByName(std::string_view name) {
#define TESSERA_SIMD_WORD(level, ...) #level,
    constexpr std::string_view kNames[] = {TESSERA_EACH_SIMD_LEVEL(TESSERA_SIMD_WORD)};
#undef TESSERA_SIMD_WORD
    const auto* at = std::ranges::find(kNames, name);
    if (at == std::end(kNames)) return std::nullopt;
    return static_cast<SimdLevel>(at - kNames);
}

std::optional<int> wholeNumber(std::string_view text) {
    int value = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (status != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// The value of a row of Kind::Number, within its range; `fallback` when it is unset or no number.
int envNumber(const char* name, int fallback) {
    const EnvVariable& row = *findVariable(name);
    return std::clamp(wholeNumber(envString(name, "")).value_or(fallback), row.low, row.high);
}

/// A value as a message shows it: short, without control characters.
std::string shown(std::string_view value) {
    std::string text = "'";
    for (const char c : value.substr(0, 40)) text += c >= ' ' && c <= '~' ? c : '?';
    return text + (value.size() > 40 ? "...'" : "'");
}

std::string used(const EnvVariable& row) { return "the default is used: " + std::string(row.byDefault); }

std::optional<EnvProblem> problem(const EnvVariable& row, std::string_view value, SimdLevel host) {
    const std::string start = std::string(row.name) + ": ";
    if (value.empty()) return std::nullopt;
    if (row.name == "TESSERA_COMMANDS_FRAME" && !frameRange(value))
        return EnvProblem{start + shown(value) + " is no frame, nor a range of frames as 3-5", used(row), true};
    if (row.kind == Kind::Text) return std::nullopt;
    if (row.kind == Kind::Number) {
        const std::optional<int> number = wholeNumber(value);
        if (number && *number >= row.low && *number <= row.high) return std::nullopt;
        const std::string clamped = number ? std::to_string(std::clamp(*number, row.low, row.high)) : "";
        return EnvProblem{start + shown(value) + " is no number from " + std::string(row.accepted),
                          number ? clamped + " is used" : used(row), true};
    }
    if (row.kind == Kind::Flag) {
        if (isOneOf(kTrue, value) || isOneOf(kFalse, value)) return std::nullopt;
        return EnvProblem{start + shown(value) + " is neither 0 nor 1", used(row), true};
    }
    bool known = false;
    eachWord(row.accepted, [&](std::string_view word) { known |= word == value; });
    if (!known) return EnvProblem{start + shown(value) + " is none of " + std::string(row.accepted), used(row), true};
    if (row.name != "TESSERA_SIMD") return std::nullopt;
    if (const auto level = simdLevelByName(value); level && *level <= host) return std::nullopt;
    return EnvProblem{start + "this processor has no " + std::string(value),
                      std::string(simdLevelName(host)) + " is used", false};
}

/// A misspelt name; one that is not near any of ours may be anybody's.
std::optional<EnvProblem> unknownVariable(std::string_view name) {
    std::vector<std::string_view> names;
    for (const EnvVariable& row : kVariables) names.push_back(row.name);
    const std::string_view near = nearest(names, name);
    if (near.empty()) return std::nullopt;
    return EnvProblem{std::string(name.substr(0, 60)) + ": there is no such variable",
                      "did you mean " + std::string(near) + "?", false};
}

}  // namespace

SimdLevel simdLevel() {
    static const SimdLevel level =
        std::min(simdLevelByName(envString("TESSERA_SIMD", "")).value_or(hostSimdLevel()), hostSimdLevel());
    return level;
}

std::span<const SimdLevel> simdLevels() { return {kSimdLevels, static_cast<size_t>(simdLevel()) + 1}; }

const char* simdLevelName(SimdLevel level) {
#if defined(__x86_64__)
    constexpr const char* kNames[kSimdLevelCount] = {"x86-64-v2", "x86-64-v3", "x86-64-v4"};
#else
    constexpr const char* kNames[kSimdLevelCount] = {"aarch64-neon"};
#endif
    return kNames[static_cast<size_t>(level)];
}

int threadCount() {
    static const int count = envNumber("TESSERA_THREADS", std::min(usableProcessors(), 64));
    return count;
}

int logLevel() {
    static const int level = envNumber("TESSERA_LOG", 1);
    return level;
}

uint64_t instructionBudget() {
    static const auto budget = static_cast<uint64_t>(envNumber("TESSERA_BUDGET", 1 << 24));
    return budget;
}

int timeLimit() {
    static const int limit = envNumber("TESSERA_TIME_LIMIT", 30);
    return limit;
}

int textureFrame() { return envNumber("TESSERA_TEXTURE_FRAME", 1); }

bool envFlag(const char* name) { return isOneOf(kTrue, envString(name, "")); }

/// Nothing is read in a privileged process, a set-user-id program for one: there the environment is what a user without
/// its rights wants, and variables name files to write and folders to take code from.
std::string envString(const char* name, const char* fallback) {
    const char* text = secure_getenv(name);
    return text == nullptr ? fallback : text;
}

std::span<const EnvVariable> envVariables() { return kVariables; }

std::vector<EnvProblem> envProblems(const char* const* environment, SimdLevel host) {
    std::vector<EnvProblem> problems;
    for (; environment != nullptr && *environment != nullptr; ++environment) {
        const std::string_view entry = *environment;
        const size_t equals = std::min(entry.find('='), entry.size());
        const std::string_view name = entry.substr(0, equals);
        if (!name.starts_with("TESSERA_") || isOneOf(kOfOthers, name)) continue;
        const EnvVariable* row = findVariable(name);
        const std::string_view value = entry.substr(std::min(equals + 1, entry.size()));
        if (auto found = row == nullptr ? unknownVariable(name) : problem(*row, value, host))
            problems.push_back(std::move(*found));
    }
    return problems;
}

std::vector<EnvProblem> envProblems() {
    if (getauxval(AT_SECURE) != 0) return {};
    return envProblems(environ, hostSimdLevel());
}

void reportEnvProblems() {
    [[maybe_unused]] static const bool reported = [] {
        for (const EnvProblem& p : envProblems()) report(Severity::Error, "%s", p.text().c_str());
        return true;
    }();
}

}  // namespace tessera
