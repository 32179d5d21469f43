// `kernels`: runs the compute kernels of the seed papers, checks each against its reference and prints a table.
//
//   kernels [--filter REGEX] [--size small|paper|large] [--tier interp|jit|tiered] [--threads N] [--hash] [--json]
//   [--list] [--profile FILE]
//
// The time is that of the fastest of several runs after the first, which compiles; the error is explained where the
// kernel's check is (fft.cpp and its neighbours). Status 1 when a kernel fails or is outside its bound.
#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <regex>
#include <thread>

#include "api/compute/profile.h"
#include "base/process/env.h"
#include "base/process/write_file.h"
#include "demos/kernels/runner.h"

namespace {

using namespace tessera;
using namespace tessera::kernels;

struct Options {
    std::string filter, size = "paper", tier, profile;
    int threads = 0;
    bool list = false, json = false, hash = false;
};

struct Line {
    const Row* row;
    std::string size, failure;
    Check check;
    double seconds = 0, rate = 0;
    Work unit = Work::Flops;
    uint64_t hash = 0, instructions = 0;
};

/// FNV-1a over the bytes of the job's outputs.
uint64_t hashOf(const Job& job, const std::vector<Memory>& memories) {
    uint64_t hash = 0xcbf29ce484222325;
    for (int output : job.outputs) {
        for (std::byte byte : memories[static_cast<size_t>(output)].bytes) {
            hash = (hash ^ static_cast<uint64_t>(byte)) * 0x100000001b3;
        }
    }
    return hash;
}

double secondsOf(Runner::Prepared& prepared) {
    const auto start = std::chrono::steady_clock::now();
    prepared.launch();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Line measure(Runner& runner, const Row& row, Scale scale, bool timed) {
    const Job job = row.make(scale);
    Line line{&row, job.size, {}, {}};
    Runner::Prepared prepared = runner.prepare(job);
    if (prepared.failure().empty()) line.seconds = secondsOf(prepared);
    line.failure = prepared.failure();
    if (!line.failure.empty()) return line;
    const std::vector<Memory> memories = prepared.memories();
    line.check = job.check(job, memories);
    line.hash = hashOf(job, memories);
    line.instructions = prepared.counters().instructions;
    // At least three more, for at least a tenth of a second, but none beyond a second.
    double spent = 0;
    for (int i = 0; timed && (i < 3 || spent < 0.1) && spent < 1 && i < 1000; ++i) {
        const double seconds = secondsOf(prepared);
        spent += seconds;
        line.seconds = std::min(line.seconds, seconds);
    }
    line.rate = job.work / line.seconds;
    line.unit = job.unit;
    return line;
}

std::string timeText(double seconds) {
    if (seconds < 1e-3) return fmt::format("{:.1f} us", seconds * 1e6);
    return seconds < 1 ? fmt::format("{:.2f} ms", seconds * 1e3) : fmt::format("{:.2f} s", seconds);
}

const char* unitText(Work unit) { return unit == Work::Flops ? "GFLOP/s" : unit == Work::Bytes ? "GB/s" : "Gop/s"; }

bool passed(const Line& line) { return line.failure.empty() && line.check.ok(); }

std::string errorText(const Line& line) {
    if (line.check.bound == 0) return line.check.error == 0 ? "exact" : fmt::format("{:.0f} wrong", line.check.error);
    return fmt::format("{:.1e} < {:.1e}", line.check.error, line.check.bound);
}

void printLine(const Line& line, const Options& options) {
    if (options.hash) {
        fmt::print("{} {:016x} {}\n", line.row->name, line.hash, passed(line) ? "ok" : "FAILED");
    } else {
        fmt::print("{:<22} {:>4}  {:<42} {:>17} {:>10} {:>8.2f} {:<7}  {}{}\n", line.row->name, line.row->seed,
                   line.size, errorText(line), timeText(line.seconds), line.rate / 1e9, unitText(line.unit),
                   line.row->paper, passed(line) ? "" : "  FAILED");
    }
    if (!line.failure.empty()) fmt::print(stderr, "{}: {}\n", line.row->name, line.failure);
    std::fflush(stdout);
}

void printJson(const std::vector<Line>& lines, const compute::Device& device) {
    fmt::print("{{\"tier\": \"{}\", \"threads\": {}, \"rows\": [", device.tier(), device.threads());
    for (size_t i = 0; i < lines.size(); ++i) {
        const Line& line = lines[i];
        fmt::print(
            "{}\n  {{\"name\": \"{}\", \"seed\": \"{}\", \"size\": \"{}\", \"ok\": {}, \"error\": {}, \"bound\": {}, "
            "\"seconds\": {:.9f}, \"rate\": {:.6g}, \"unit\": \"{}\", \"hash\": \"{:016x}\", "
            "\"instructions\": {}, \"paper\": \"{}\"}}",
            i == 0 ? "" : ",", line.row->name, line.row->seed, line.size, passed(line),
            passed(line) ? line.check.error : -1.0, line.check.bound, line.seconds, line.rate / 1e9,
            unitText(line.unit), line.hash, line.instructions, line.row->paper);
    }
    fmt::print("\n]}}\n");
}

/// Runs each kernel once, interpreted, and writes how often groups executed each instruction of its programs.
int writeProfile(const std::vector<const Row*>& rows, Scale scale, const Options& options) {
    std::string text = fmt::format("{{\"size\": \"{}\", \"applications\": [", options.size);
    for (const Row* row : rows) {
        compute::Profile profile;
        Runner runner(compute::openProfilingDevice(profile));
        const Job job = row->make(scale);
        Runner::Prepared prepared = runner.prepare(job);
        if (!prepared.failure().empty() || !prepared.launch()) {
            fmt::print(stderr, "{}: {}\n", row->name, prepared.failure());
            return 1;
        }
        text += fmt::format("{}\n  {{\"name\": \"{}\", \"seed\": \"{}\", \"size\": \"{}\", \"programs\": {{",
                            row == rows.front() ? "" : ",", row->name, row->seed, job.size);
        const char* separator = "";
        for (const auto& [name, program] : prepared.programs()) {
            text += fmt::format("{}\n    \"{}\": [{}]", separator, name, fmt::join(profile.at(program), ", "));
            separator = ",";
        }
        text += "}}";
    }
    text += "\n]}\n";
    std::string why;
    if (writeWholeFile(options.profile, text, why)) return 0;
    fmt::print(stderr, "kernels: {} cannot be written: {}\n", options.profile, why);
    return 2;
}

int run(const Options& options) {
    const Scale scale = options.size == "small" ? Scale::Small : options.size == "paper" ? Scale::Paper : Scale::Large;
    const std::regex filter(options.filter);
    std::vector<const Row*> rows;
    for (const Row& row : suite()) {
        if (std::regex_search(row.name.begin(), row.name.end(), filter)) rows.push_back(&row);
    }
    if (options.list) {
        for (const Row* row : rows) fmt::print("{:<22} seed {}  {}\n", row->name, row->seed, row->make(scale).size);
        return 0;
    }
    if (rows.empty()) {
        fmt::print(stderr, "kernels: no kernel matches '{}'; --list names them\n", options.filter);
        return 2;
    }
    if (!options.profile.empty()) return writeProfile(rows, scale, options);
    Runner runner(tier::tierByName(options.tier).value_or(tier::tierFromEnvironment(compute::kUsualTier)),
                  options.threads);
    const bool table = !options.json && !options.hash, terminal = isatty(STDERR_FILENO) != 0;
    if (table) {
        fmt::print("On {} with {} threads, {}:\n", runner.device().tier(), runner.device().threads(),
                   simdLevelName(simdLevel()));
        fmt::print("{:<22} {:>4}  {:<42} {:>17} {:>10} {:>16}  {}\n", "kernel", "seed", "size", "error", "time", "rate",
                   "paper");
    }
    std::vector<Line> lines;
    int failures = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
        if (terminal) fmt::print(stderr, "\r[{}/{}] {:<30}\r", i + 1, rows.size(), rows[i]->name);
        lines.push_back(measure(runner, *rows[i], scale, !options.hash));
        if (terminal) fmt::print(stderr, "{:<50}\r", "");
        failures += passed(lines.back()) ? 0 : 1;
        if (!options.json) printLine(lines.back(), options);
    }
    if (options.json) printJson(lines, runner.device());
    if (table)
        fmt::print("{} of {} kernels agree with their references\n", lines.size() - static_cast<size_t>(failures),
                   lines.size());
    return failures == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    options.threads = tessera::threadCount();
    CLI::App app{"Runs the compute kernels of the seed papers and checks each against its reference", "kernels"};
    app.add_option("--filter", options.filter, "only kernels whose name matches this regular expression");
    app.add_option("--size", options.size, "small, paper (default) or large")
        ->check(CLI::IsMember({"small", "paper", "large"}));
    app.add_option("--tier", options.tier, "interp, baseline, jit or tiered; default: TESSERA_TIER, or jit")
        ->check(CLI::IsMember(std::vector<std::string>(std::begin(tier::kTierNames), std::end(tier::kTierNames))));
    app.add_option("--threads", options.threads, "workers; default: TESSERA_THREADS, or all processors")
        ->check(CLI::Range(1, 64));
    app.add_flag("--list", options.list, "name the kernels and their sizes");
    app.add_flag("--json", options.json, "the table as JSON");
    app.add_option("--profile", options.profile,
                   "run each once, interpreted, and write to this file how often each instruction was executed (JSON)");
    app.add_flag("--hash", options.hash, "only name, hash of the results and whether they are right; no timing");
    try {
        app.parse(argc, argv);
        return run(options);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    } catch (const std::regex_error& error) {
        fmt::print(stderr, "kernels: --filter: {}\n", error.what());
        return 2;
    }
}
