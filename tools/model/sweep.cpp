#include "tools/model/sweep.h"

#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

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
bool readResults(const std::string& file, const std::string& head, const std::vector<SweepAxis>& axes,
                 std::vector<std::optional<SweepPoint>>& points) {
    const std::optional<std::string> text = readFile(file);
    if (!text) return false;
    if (!text->starts_with(head)) {
        fmt::print(stderr, "{}:1:1: error: these are no results of this sweep; give another file, or remove it\n",
                   file);
        return false;
    }
    size_t line = 3;
    for (size_t at = head.size(), end = 0; (end = text->find('\n', at)) != std::string::npos; at = end + 1, ++line) {
        const std::optional<SweepPoint> point = model::readSweepRow(axes, std::string_view(*text).substr(at, end - at));
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

/// Measures the points that are missing. Each is written to the file when it is done. False: it cannot be written.
bool measureMissing(const std::vector<SweepAxis>& axes, const model::Workload& workload, const model::Preset& preset,
                    const std::string& file, std::vector<std::optional<SweepPoint>>& points) {
    std::vector<size_t> missing;
    for (size_t number = 0; number < points.size(); ++number)
        if (!points[number]) missing.push_back(number);
    std::ofstream out;
    if (!file.empty()) out.open(file, std::ios::app);
    std::mutex mutex;  // guards what is below
    bool good = true;
    Progress progress(points.size() - missing.size(), points.size());
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

}  // namespace

void addSweepOptions(CLI::App& verb, SweepOptions& options) {
    CLI::Option* axes = verb.add_option(
        "--sweep", options.axes,
        "Instead of one machine, a grid: NAME=VALUES,NAME=VALUES,... with VALUES A..B (doubled), A..B+STEP or A,B,C; "
        "prints the machines that are worth their area, --json all of them");
    verb.add_option("--results", options.results,
                    "Keep each finished point of a sweep in a file (CSV); given again, they are not run again")
        ->needs(axes);
    verb.add_option("--pareto", options.plot, "Plot a sweep's area against its speed (SVG)")->needs(axes);
}

int sweep(const SweepOptions& options, const model::Workload& workload, const model::Preset& preset, bool json) {
    std::string problem;
    const std::vector<SweepAxis> axes = model::readSweep(options.axes, &problem);
    if (axes.empty()) {
        printLocated(problem);
        return kWrongInput;
    }
    std::vector<std::optional<SweepPoint>> found(model::pointCount(axes));
    const std::string head = headOf(options, axes, workload, preset);
    if (!options.results.empty()) {
        if (std::filesystem::exists(options.results)) {
            if (!readResults(options.results, head, axes, found)) return kWrongInput;
        }
        // Whole lines, so that what is added begins with one.
        std::string whole = head;
        for (const std::optional<SweepPoint>& point : found)
            if (point) whole += model::sweepRow(axes, *point);
        if (!writeFile(options.results, whole)) return kTrouble;
    }
    if (!measureMissing(axes, workload, preset, options.results, found)) return kTrouble;
    std::vector<SweepPoint> points;
    std::string whole = head;
    for (std::optional<SweepPoint>& point : found) {
        whole += model::sweepRow(axes, *point);
        points.push_back(std::move(*point));
    }
    if (!options.results.empty() && !writeFile(options.results, whole)) return kTrouble;
    const std::string title = fmt::format("{} on {}", workload.name, preset.name);
    if (!options.plot.empty() && !writeFile(options.plot, model::sweepPlot(axes, points, title))) return kTrouble;
    fmt::print("{}", json ? model::sweepJson(axes, points, title) : model::sweepText(axes, points, title));
    return kDone;
}

}  // namespace tessera::tools
