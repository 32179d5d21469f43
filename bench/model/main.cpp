// How fast the cycle model is: modelled cycles in a second of the host, of recorded workloads.
//
//   model_bench [--rounds N] [--threads N] [--preset NAME] FILE.tsw...
//
// Prints JSON. A sample models the whole workload, short ones again and again; one thread and N take turns, `rounds`
// times. Every sample has to have the same cycles, or the status is 1.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>

#include "base/process/read_file.h"
#include "model/chip/interval.h"
#include "model/chip/unit/machine.h"
#include "model/chip/workload_file.h"

namespace {

using namespace tessera;

struct Options {
    std::vector<std::string> files;
    std::string preset = "tessera";
    int rounds = 5, threads = std::max(2, static_cast<int>(std::thread::hardware_concurrency()));
};

std::optional<model::Workload> load(const std::string& file) {
    std::string problem;
    const std::optional<std::string> bytes = readWholeFile(file, problem);
    std::optional<model::Workload> workload =
        bytes ? model::loadWorkload(std::as_bytes(std::span(*bytes)), &problem) : std::nullopt;
    if (!workload) fmt::print(stderr, "{}: error: {}\n", file, problem);
    return workload;
}

constexpr double kLeastSeconds = 0.05;  ///< of a sample: so many runs as that takes

struct Samples {
    int threads = 1;
    std::vector<double> seconds;
};

/// Measures one workload and prints its row. False, with a message: it cannot be, or threads do not agree.
bool measure(const std::string& file, const model::Preset& preset, const Options& options, bool isFirst) {
    const std::optional<model::Workload> workload = load(file);
    if (!workload) return false;
    if (const std::string why = model::cannotRun(*workload, preset); !why.empty()) {
        fmt::print(stderr, "{}: error: {}\n", file, why);
        return false;
    }
    std::optional<model::Cycle> cycles;
    std::vector<Samples> all = {{1, {}}, {options.threads, {}}};
    for (int round = 0; round < options.rounds; ++round) {
        for (Samples& samples : all) {
            using Clock = std::chrono::steady_clock;
            const auto start = Clock::now();
            double seconds = 0;
            for (int runs = 1; seconds * runs < kLeastSeconds; ++runs) {
                const model::Result result = model::simulate(*workload, preset, {.threads = samples.threads});
                seconds = std::chrono::duration<double>(Clock::now() - start).count() / runs;
                if (!cycles) cycles = result.cycles;
                if (cycles == result.cycles) continue;
                fmt::print(stderr, "{}: error: {} cycles on {} threads, {} before\n", file, result.cycles,
                           samples.threads, *cycles);
                return false;
            }
            samples.seconds.push_back(seconds);
        }
    }
    fmt::print("{}\n  {{\"file\": \"{}\", \"cycles\": {}, \"intervals\": {}, \"samples\": [", isFirst ? "" : ",",
               std::filesystem::path(file).stem().string(), *cycles, model::intervalsOf(*workload).size());
    for (size_t i = 0; i < all.size(); ++i)
        fmt::print("{}{{\"threads\": {}, \"seconds\": [{}]}}", i ? ", " : "", all[i].threads,
                   fmt::join(all[i].seconds, ", "));
    fmt::print("]}}");
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    CLI::App app("How fast the cycle model is", "model_bench");
    app.add_option("files", options.files, "Recorded workloads (.tsw)")->required();
    app.add_option("--rounds", options.rounds, "Samples of each row")->check(CLI::Range(1, 1000));
    app.add_option("--threads", options.threads, "Beside one; default: all of the computer, two at least")
        ->check(CLI::Range(2, 1024));
    app.add_option("--preset", options.preset, "The machine: a preset's name or file");
    CLI11_PARSE(app, argc, argv);
    std::string problem;
    const std::optional<model::Preset> preset = model::loadPreset(options.preset, &problem);
    if (!preset) {
        fmt::print(stderr, "error: {}\n", problem);
        return 1;
    }
    fmt::print("{{\"preset\": \"{}\", \"rows\": [", preset->name);
    for (const std::string& file : options.files)
        if (!measure(file, *preset, options, &file == &options.files.front())) return 1;
    fmt::print("\n]}}\n");
    return 0;
}
