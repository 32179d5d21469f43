// `certify`: what a tier computes, function by function, against the hashes that are published.
//
//   certify --functions FILE [--tier interp|jit|definition] [--only REGEX] [--quick | --exhaustive] [--shard K/N]
//           [--write] [--list]
//
// TESSERA_SIMD sets the level. The definition (definition.h) is the one tier that writes. Status 1 when a byte differs,
// 2 when there is nothing to compare with. Needs no display, and no file but the list.
#include <unistd.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <regex>

#include "base/process/env.h"
#include "base/process/read_file.h"
#include "base/process/write_file.h"
#include "base/thread/thread_pool.h"
#include "tests/certify/certificate.h"
#include "tests/certify/definition.h"
#include "tests/certify/tier.h"

namespace {

using namespace tessera;
using namespace tessera::certify;

struct Options {
    std::string file, tier = "jit", only;
    int threads = 0;
    std::vector<uint32_t> shard = {1, 1};  ///< of how many
    bool quick = false, exhaustive = false, write = false, list = false;
};

/// A slice of some functions, done by one thread.
struct Job {
    Slice slice;
    std::vector<size_t> which;
};

/// Every so manieth chunk, where neither all nor none are asked for.
constexpr uint32_t kChunkStep = 64;

std::vector<Job> makeJobs(const Options& options, const std::vector<size_t>& which) {
    // So few functions that all threads have work, and so many that they share their operands.
    constexpr size_t kFunctionsOfJob = 24;
    std::vector<Slice> slices{{Slice::kSample}};
    const uint32_t step = options.exhaustive || options.write ? 1 : options.quick ? kChunks : kChunkStep;
    for (uint32_t chunk = options.quick ? kChunks : 0; chunk < kChunks; chunk += step) slices.push_back({chunk});
    std::vector<Job> jobs;
    for (size_t s = 0; s < slices.size(); ++s) {
        const Slice slice = slices[s];
        size_t place = s;  // each function is another shard's in the next slice, as some take longer than others
        for (const size_t f : which) {
            if (!slice.isPublished(functions()[f]) || ++place % options.shard[1] != options.shard[0] % options.shard[1])
                continue;
            if (jobs.empty() || jobs.back().slice.chunk != slice.chunk || jobs.back().which.size() == kFunctionsOfJob)
                jobs.push_back({slice, {}});
            jobs.back().which.push_back(f);
        }
    }
    return jobs;
}

class Run {
public:
    Run(const Options& options, Records& records, std::vector<Job> jobs)
        : options_(options), records_(records), jobs_(std::move(jobs)), pool_(options.threads) {
        if (options.tier == "definition") return;
        for (int worker = 0; worker < pool_.threads(); ++worker) tiers_.emplace_back(options.tier == "jit");
    }

    void run() {
        pool_.parallelFor("certify", jobs_.size(), [&](size_t number, int worker) {
            const Job& job = jobs_[number];
            const Evaluate evaluate = [&](size_t f, const Operands& operands, std::span<uint32_t> results) {
                if (tiers_.empty()) return define(functions()[f], operands, results);
                tiers_[static_cast<size_t>(worker)].evaluate(f, operands, results);
            };
            const std::vector<uint64_t> hashes = hashSlice(job.slice, job.which, evaluate);
            for (size_t i = 0; i < hashes.size(); ++i) {
                uint64_t& published = records_.find(functions()[job.which[i]].name)->second.at(job.slice);
                if (options_.write)
                    published = hashes[i];
                else if (published != hashes[i])
                    report(job.slice, job.which[i], published, hashes[i], evaluate);
            }
            finished(job);
        });
        if (isTerminal_) fmt::print(stderr, "\r{:<40}\r", "");
    }

    [[nodiscard]] uint64_t differences() const { return differences_; }
    [[nodiscard]] uint64_t results() const { return results_; }

private:
    void report(Slice slice, size_t which, uint64_t published, uint64_t found, const Evaluate& evaluate) {
        const Function& function = functions()[which];
        const std::optional<Difference> difference = firstDifference(slice, which, evaluate);
        const std::scoped_lock lock(mutex_);
        ++differences_;
        if (difference)
            fmt::print("{}\n", describe(function, *difference));
        else
            fmt::print("{}: the published hash of {} is {:016x}, this one is {:016x}, as the definition has it here\n",
                       function.name, slice.name(), published, found);
        std::fflush(stdout);
    }

    void finished(const Job& job) {
        const std::scoped_lock lock(mutex_);
        ++done_;
        results_ += uint64_t{job.slice.size()} * job.which.size();
        if (isTerminal_) fmt::print(stderr, "\rfunctions: {} of {} ", done_, jobs_.size());
    }

    const Options& options_;
    Records& records_;
    std::vector<Job> jobs_;
    ThreadPool pool_;
    std::vector<Tier> tiers_;
    bool isTerminal_ = isatty(STDERR_FILENO) != 0;
    std::mutex mutex_;
    uint64_t differences_ = 0, results_ = 0;
    size_t done_ = 0;
};

int certifyFunctions(const Options& options) {
    const std::regex only(options.only);
    std::vector<size_t> which;
    for (size_t f = 0; f < functions().size(); ++f)
        if (std::regex_search(functions()[f].name, only)) which.push_back(f);
    if (options.list) {
        for (const size_t f : which) {
            const Function& function = functions()[f];
            fmt::print("{:<12} {}\n", function.name, function.exhaustive ? "all operands" : "stratified operands");
        }
        return 0;
    }
    if (which.empty()) {
        fmt::print(stderr, "certify: --only {}: no function matches; --list names them\n", options.only);
        return 2;
    }
    std::string why;
    std::optional<std::string> published = readWholeFile(options.file, why);
    if (!published && !(options.write && !std::filesystem::exists(options.file))) {
        fmt::print(stderr, "certify: {}: cannot be read: {}\n", options.file, why);
        return 2;
    }
    why.clear();
    Records records = fromText(published.value_or(""), &why);
    if (!why.empty()) {
        fmt::print(stderr, "certify: {}:{}\n", options.file, why);
        return 2;
    }
    for (const size_t f : which) {
        const Function& function = functions()[f];
        Record& record = records[function.name];
        if (options.write) record.chunks.resize(publishedChunks(function));
        if (record.chunks.size() == publishedChunks(function)) continue;
        fmt::print(stderr, "certify: {} has {} chunks of {}, not {}: write it anew\n", options.file,
                   record.chunks.size(), function.name, publishedChunks(function));
        return 2;
    }
    const auto began = std::chrono::steady_clock::now();
    Run run(options, records, makeJobs(options, which));
    run.run();
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    if (options.write) {
        std::string why;
        if (!writeWholeFile(options.file, toText(records), why)) {
            fmt::print(stderr, "certify: {}: cannot be written: {}\n", options.file, why);
            return 2;
        }
    }
    fmt::print("{} {}: {} functions, {} results, {}; {:.1f} s\n", options.tier, simdLevelName(simdLevel()),
               which.size(), run.results(),
               options.write            ? "written"
               : run.differences() == 0 ? "the same bytes"
                                        : fmt::format("{} DIFFERENT hashes", run.differences()),
               seconds);
    return run.differences() == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    options.threads = threadCount();
    CLI::App app{"Compares what a tier computes with the published hashes of the instruction set's functions",
                 "certify"};
    app.add_option("--functions", options.file, "the published list (tests/certify/functions.txt)");
    app.add_option("--tier", options.tier, "interp, jit, or definition: docs/isa.md in plain C++")
        ->check(CLI::IsMember({"interp", "jit", "definition"}))
        ->capture_default_str();
    app.add_option("--only", options.only, "only functions whose name matches this regular expression");
    app.add_option("--threads", options.threads, "workers; default: TESSERA_THREADS, or all processors")
        ->check(CLI::Range(1, 64));
    auto* quick = app.add_flag("--quick", options.quick, "samples only, a million results of each function");
    app.add_flag("--exhaustive", options.exhaustive, "all that is published")->excludes(quick);
    app.add_flag("--write", options.write, "write the list from the definition")->excludes(quick);
    app.add_option("--shard", options.shard, "only a part of the slices of functions: K/N, K from 1 to N")
        ->delimiter('/')
        ->expected(2)
        ->check(CLI::Range(1u, 1u << 20))
        ->excludes("--write");
    app.add_flag("--list", options.list, "name the functions");
    CLI11_PARSE(app, argc, argv);
    if (options.shard[0] > options.shard[1]) {
        fmt::print(stderr, "certify: --shard: give K/N, K from 1 to N: not '{}/{}'\n", options.shard[0],
                   options.shard[1]);
        return 2;
    }
    if (options.write) options.tier = "definition";
    if (!options.list && options.file.empty()) {
        fmt::print(stderr, "certify: --functions is needed: the published list, tests/certify/functions.txt\n");
        return 2;
    }
    try {
        return certifyFunctions(options);
    } catch (const std::regex_error& error) {
        fmt::print(stderr, "certify: --only: {}\n", error.what());
        return 2;
    }
}
