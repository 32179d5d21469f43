#include "tools/model/sweep.h"

#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/thread/thread_pool.h"
#include "model/chip/workload_file.h"
#include "model/report/sweep.h"
#include "tools/files.h"

namespace tessera::tools {

namespace {

using model::SweepAxis;
using model::SweepPoint;

/// The beginning of a results file: which sweep it is of. Points of another workload or machine are not mixed in.
std::string headOf(const SweepOptions& options, const std::vector<SweepAxis>& axes, const model::Workload& workload,
                   const model::Preset& preset) {
    const std::string all = model::saveWorkload(workload) + model::presetText(preset);
    return fmt::format("# tessera sweep {} of {} on {}, {:016x}\n{}", options.axes, workload.name, preset.name,
                       XXH3_64bits(all.data(), all.size()), model::sweepColumns(axes));
}

/// Finished points of a results file, by number. A last line that was cut short is not one. False, with a message: the
/// file is of something else.
bool readResults(const std::string& file, std::string_view text, const std::string& head,
                 const std::vector<SweepAxis>& axes, std::vector<std::optional<SweepPoint>>& points) {
    if (!text.starts_with(head)) {
        fmt::print(stderr, "{}:1:1: error: these are no results of this sweep; give another file, or remove it\n",
                   file);
        return false;
    }
    size_t line = 3;
    for (size_t at = head.size(), end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1, ++line) {
        const std::optional<SweepPoint> point = model::readSweepRow(axes, text.substr(at, end - at));
        if (!point) {
            fmt::print(stderr, "{}:{}:1: error: no point of this sweep; remove the line\n", file, line);
            return false;
        }
        points[*model::pointNumber(axes, point->values)] = point;
    }
    return true;
}

/// How many points are done, rewritten in place on a terminal.
class Progress {
public:
    Progress(size_t done, size_t all) : done_(done), all_(all) { show(); }
    ~Progress() {
        if (isTerminal_) fmt::print(stderr, "\r\x1b[K");
    }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void oneMore() {
        ++done_;
        show();
    }

private:
    void show() const {
        if (isTerminal_) fmt::print(stderr, "\r\x1b[K{} of {} points", done_, all_);
    }

    const bool isTerminal_ = isatty(STDERR_FILENO) != 0;
    size_t done_, all_;
};

/// Whether a point is the shard's. Each row of so many points begins with another shard, else the values of the last
/// axis would be divided as well, and some take longer than others.
bool isOwn(const Shard& shard, size_t number) { return shard.has(number + number / shard.of); }

/// Measures the points of the shard that are missing. Each is written to the file when it is done. False: it cannot be
/// written.
bool measureMissing(const std::vector<SweepAxis>& axes, const model::Workload& workload, const model::Preset& preset,
                    const Shard& shard, const std::string& file, std::vector<std::optional<SweepPoint>>& points) {
    std::vector<size_t> missing;
    size_t all = 0;
    for (size_t number = 0; number < points.size(); ++number) {
        if (!isOwn(shard, number)) continue;
        ++all;
        if (!points[number]) missing.push_back(number);
    }
    std::ofstream out;
    if (!file.empty()) out.open(file, std::ios::app);
    std::mutex mutex;  // guards what is below
    bool good = true;
    Progress progress(all - missing.size(), all);
    ThreadPool pool(static_cast<int>(std::max(1u, std::thread::hardware_concurrency())));
    pool.parallelFor("sweep", missing.size(), [&](size_t index, int) {
        SweepPoint point = model::measurePoint(axes, missing[index], workload, preset);
        const std::lock_guard lock(mutex);
        if (!file.empty()) {
            out << model::sweepRow(axes, point) << std::flush;
            good = good && out.good();
        }
        points[missing[index]] = std::move(point);
        progress.oneMore();
    });
    if (!good) fmt::print(stderr, "{}: error: cannot be written\n", file);
    return good;
}

/// What a results file says of its sweep, in the first line: "# tessera sweep AXES of TITLE, HASH".
struct Head {
    std::string axes, title;
    std::string text;  ///< that line and the one with the columns' names
};
std::optional<Head> readHead(std::string_view text) {
    constexpr std::string_view kBegin = "# tessera sweep ", kOf = " of ", kOn = " on ";
    const size_t end = text.find('\n'), second = end == std::string_view::npos ? end : text.find('\n', end + 1);
    if (!text.starts_with(kBegin) || second == std::string_view::npos) return std::nullopt;
    const std::string_view line = text.substr(kBegin.size(), end - kBegin.size());
    const size_t of = line.find(kOf), on = line.rfind(kOn), hash = line.rfind(", ");
    if (of == std::string_view::npos || on == std::string_view::npos || hash == std::string_view::npos || on < of ||
        hash < on)
        return std::nullopt;
    return Head{.axes = std::string(line.substr(0, of)),
                .title = std::string(line.substr(of + kOf.size(), hash - of - kOf.size())),
                .text = std::string(text.substr(0, second + 1))};
}

/// What a sweep prints and draws when it has all points.
int tell(const SweepOptions& options, const std::vector<SweepAxis>& axes, const std::vector<SweepPoint>& points,
         const std::string& title, bool json) {
    if (!options.plot.empty() && !writeFile(options.plot, model::sweepPlot(axes, points, title))) return kTrouble;
    fmt::print("{}", json ? model::sweepJson(axes, points, title) : model::sweepText(axes, points, title));
    return kDone;
}

/// The points of a shard, for the one who merges them.
int leave(const SweepOptions& options, const std::vector<SweepAxis>& axes, const std::string& head,
          const std::vector<std::optional<SweepPoint>>& points, bool json, double seconds) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (size_t number = 0; number < points.size(); ++number)
        if (isOwn(options.shard, number)) rows.push_back({number, model::sweepRow(axes, *points[number])});
    const size_t count = rows.size();
    ShardResult result{.verb = "model --sweep",
                       .options = {{"sweep", options.axes},
                                   {"results", options.results},
                                   {"pareto", options.plot},
                                   {"json", json},
                                   {"head", head}},
                       .counts = {{"points", count}},
                       .outputs = {{"rows", std::move(rows)}},
                       .failures = {},
                       .seconds = seconds};
    if (!writeShard(options.shard, result)) return kTrouble;
    fmt::print("{} of {} points are measured; ./run merge makes the table of all parts\n", count, points.size());
    return kDone;
}

}  // namespace

void addSweepOptions(CLI::App& verb, SweepOptions& options) {
    CLI::Option* axes = verb.add_option(
        "--sweep", options.axes,
        "Instead of one machine, a grid: NAME=VALUES,NAME=VALUES,... with VALUES A..B (doubled), A..B+STEP or A,B,C; "
        "prints the machines that are worth their area, --json all of them");
    verb.add_option("--results", options.results,
                    "Keep each finished point of a sweep in a file (CSV); given again, they are not run again; without "
                    "--sweep: print what a finished sweep prints");
    verb.add_option("--pareto", options.plot, "Plot a sweep's area against its speed (SVG)");
    addShardOptions(verb, axes, options.shard);
}

int sweep(const SweepOptions& options, const model::Workload& workload, const model::Preset& preset, bool json) {
    std::string problem;
    const std::vector<SweepAxis> axes = model::readSweep(options.axes, &problem);
    if (axes.empty()) {
        printLocated(problem);
        return kWrongInput;
    }
    const auto began = std::chrono::steady_clock::now();
    std::vector<std::optional<SweepPoint>> found(model::pointCount(axes));
    const std::string head = headOf(options, axes, workload, preset);
    // Shards may share a folder: each keeps its points in a file of its own.
    const Shard& shard = options.shard;
    const std::string kept = options.results.empty() || !shard.isGiven
                                 ? options.results
                                 : fmt::format("{}.{}-of-{}", options.results, shard.number, shard.of);
    if (!kept.empty()) {
        if (std::filesystem::exists(kept)) {
            const std::optional<std::string> text = readFile(kept);
            if (!text || !readResults(kept, *text, head, axes, found)) return kWrongInput;
        }
        // Whole lines, so that what is added begins with one.
        std::string whole = head;
        for (const std::optional<SweepPoint>& point : found)
            if (point) whole += model::sweepRow(axes, *point);
        if (!writeFile(kept, whole)) return kTrouble;
    }
    if (!measureMissing(axes, workload, preset, shard, kept, found)) return kTrouble;
    if (shard.isGiven)
        return leave(options, axes, head, found, json,
                     std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count());
    std::vector<SweepPoint> points;
    std::string whole = head;
    for (std::optional<SweepPoint>& point : found) {
        whole += model::sweepRow(axes, *point);
        points.push_back(std::move(*point));
    }
    if (!kept.empty() && !writeFile(kept, whole)) return kTrouble;
    return tell(options, axes, points, fmt::format("{} on {}", workload.name, preset.name), json);
}

int finishedSweep(const SweepOptions& options, bool json) {
    const std::optional<std::string> text = readFile(options.results);
    if (!text) return kTrouble;
    const std::optional<Head> head = readHead(*text);
    std::string problem;
    const std::vector<SweepAxis> axes = head ? model::readSweep(head->axes, &problem) : std::vector<SweepAxis>();
    if (axes.empty()) {
        fmt::print(stderr,
                   "{}:1:1: error: these are no results of a sweep; tessera model --sweep --results writes them\n",
                   options.results);
        return kWrongInput;
    }
    std::vector<std::optional<SweepPoint>> found(model::pointCount(axes));
    if (!readResults(options.results, *text, head->text, axes, found)) return kWrongInput;
    std::vector<SweepPoint> points;
    for (std::optional<SweepPoint>& point : found)
        if (point) points.push_back(std::move(*point));
    if (points.size() != found.size()) {
        fmt::print(stderr, "{}: error: {} of {} points are missing; run the sweep again, it goes on from there\n",
                   options.results, found.size() - points.size(), found.size());
        return kWrongInput;
    }
    return tell(options, axes, points, head->title, json);
}

}  // namespace tessera::tools
