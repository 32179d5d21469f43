// Kernels on Tessera beside plain C++, libraries and OpenCL: the same inputs, the same check, one run.
//
//   kernels_bench [--filter REGEX] [--size small|paper|large] [--rounds N] [--threads N] [--list]
//
// Prints JSON. The contenders of a row take turns, `rounds` times; a sample is as many runs as fill 3 ms, and what is
// printed is the fastest, which other programs of the machine disturb least. Every contender's result is checked like
// Tessera's.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <regex>

#include "base/process/env.h"
#include "bench/kernels/contender.h"
#include "demos/kernels/runner.h"

namespace {

using namespace tessera;
using bench::Contender;

struct Options {
    std::string filter, size = "paper";
    int rounds = 5, threads = 0;
    bool list = false;
};

Contender tesseraContender(const kernels::Job& job, int threads) {
    auto runner = std::make_shared<kernels::Runner>(tier::tierFromEnvironment(compute::kUsualTier), threads);
    auto prepared = std::make_shared<kernels::Runner::Prepared>(runner->prepare(job));
    return {"Tessera " + std::to_string(threads),
            [runner, prepared] {
                if (!prepared->launch()) fmt::print(stderr, "{}\n", prepared->failure());
            },
            [runner, prepared] { return prepared->memories(); }};
}

constexpr double kMostSeconds = 0.5;  ///< a contender's samples, of long runs

double sample(const Contender& contender) {
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    int runs = 0;
    double seconds = 0;
    do {
        contender.run();
        ++runs;
        seconds = std::chrono::duration<double>(Clock::now() - start).count();
    } while (seconds < 0.003);
    return seconds / runs;
}

/// Jobs that change their input start from it only once here, so what is checked is the first run.
bool isRight(const Contender& contender, const kernels::Job& job) {
    contender.run();
    return job.check(job, contender.memories()).ok();
}

void printRow(const kernels::Row& row, const kernels::Job& job, const Options& options, bool first) {
    std::vector<Contender> contenders{tesseraContender(job, 1),
                                      tesseraContender(job, options.threads),
                                      bench::plain(row.name, job, 1),
                                      bench::plain(row.name, job, options.threads),
                                      bench::library(row.name, job, options.threads),
                                      bench::openCl(row.name, job)};
    std::erase_if(contenders, [](const Contender& contender) { return !contender.run; });
    std::vector<std::vector<double>> samples(contenders.size());
    std::vector<double> spent(contenders.size());
    std::vector<bool> right;
    for (const Contender& contender : contenders) right.push_back(isRight(contender, job));
    for (int round = 0; round < options.rounds; ++round) {
        for (size_t i = 0; i < contenders.size(); ++i) {
            if (round == 0 || spent[i] < kMostSeconds) spent[i] += samples[i].emplace_back(sample(contenders[i]));
        }
    }
    constexpr const char* kUnits[] = {"GFLOP/s", "Gop/s", "GB/s"};
    fmt::print(
        "{}\n  {{\"name\": \"{}\", \"seed\": \"{}\", \"size\": \"{}\", \"work\": {}, \"unit\": \"{}\", \"paper\": "
        "\"{}\", \"contenders\": [",
        first ? "" : ",", row.name, row.seed, job.size, job.work, kUnits[static_cast<int>(job.unit)], row.paper);
    for (size_t i = 0; i < contenders.size(); ++i) {
        fmt::print("{}{{\"name\": \"{}\", \"seconds\": {:.9f}, \"ok\": {}}}", i == 0 ? "" : ", ", contenders[i].name,
                   *std::min_element(samples[i].begin(), samples[i].end()), right[i]);
    }
    fmt::print("]}}");
    std::fflush(stdout);
}

int run(const Options& options) {
    const kernels::Scale scale = options.size == "small"   ? kernels::Scale::Small
                                 : options.size == "paper" ? kernels::Scale::Paper
                                                           : kernels::Scale::Large;
    const std::regex filter(options.filter);
    std::vector<const kernels::Row*> rows;
    for (const auto& row : kernels::suite()) {
        if (std::regex_search(row.name.begin(), row.name.end(), filter)) rows.push_back(&row);
    }
    if (options.list) {
        for (const auto* row : rows) fmt::print("{}\n", row->name);
        return 0;
    }
    const auto device = compute::openDevice(tier::tierFromEnvironment(compute::kUsualTier), options.threads);
    fmt::print(
        "{{\"tier\": \"{}\", \"level\": \"{}\", \"threads\": {}, \"peak_flops\": {}, \"copy_bandwidth\": {}, "
        "\"rows\": [",
        device->tier(), simdLevelName(simdLevel()), options.threads, bench::peakFlops(options.threads),
        bench::copyBandwidth(options.threads));
    bool first = true;
    for (const auto* row : rows) {
        const kernels::Job job = row->make(scale);
        if (!bench::plain(row->name, job, 1).run) continue;
        fmt::print(stderr, "{:<30}\n", row->name);
        printRow(*row, job, options, first);
        first = false;
    }
    fmt::print("\n]}}\n");
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    options.threads = threadCount();
    CLI::App app{"Kernels on Tessera beside plain C++, libraries and OpenCL", "kernels_bench"};
    app.add_option("--filter", options.filter, "only kernels whose name matches this regular expression");
    app.add_option("--size", options.size, "small, paper (default) or large")
        ->check(CLI::IsMember({"small", "paper", "large"}));
    app.add_option("--rounds", options.rounds, "samples of each contender")->check(CLI::Range(1, 100));
    app.add_option("--threads", options.threads, "threads of all contenders")->check(CLI::Range(1, 64));
    app.add_flag("--list", options.list, "name the kernels");
    CLI11_PARSE(app, argc, argv);
    try {
        return run(options);
    } catch (const std::regex_error& error) {
        fmt::print(stderr, "kernels_bench: --filter: {}\n", error.what());
        return 2;
    }
}
