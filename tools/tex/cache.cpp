// tessera tex cache: records what a program's texture units read in one frame, and shows what caches make of it.
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "tools/driver.h"
#include "tools/files.h"
#include "tools/running_program.h"
#include "tools/tex/cache_plots.h"
#include "tools/tex/tex.h"

namespace tessera::tools {

namespace {

struct Options {
    std::vector<std::string> program;
    std::string stream, svg, png;
    uint64_t frame = 1;
    uint32_t target = 0;
};

/// Runs the program on Tessera with recording switched on. False, and a message printed, when it gives no such frame.
bool record(const Options& options, const std::string& file) {
    const Driver driver = installedDriver();
    if (driver.libraries.empty()) {
        fmt::print(stderr, "error: libtessera.so.0 is not installed beside this command\n");
        return false;
    }
    RunningProgram program(options.program, [&] {
        selectDriver(driver);
        setenv("TESSERA_TEXTURE_STREAM", file.c_str(), 1);
        setenv("TESSERA_TEXTURE_FRAME", std::to_string(options.frame).c_str(), 1);
    });
    if (!program.hasStarted() || !program.waitFor(std::nullopt)) return false;
    std::error_code ignored;
    const bool isThere = std::filesystem::exists(file, ignored);
    if (!isThere)
        fmt::print(stderr, "{}: error: it ended {} and has drawn no frame {} on Tessera\n", options.program[0],
                   program.howItEnded(), options.frame);
    else if (program.howItEnded() != "with status 0")
        fmt::print(stderr, "{}: warning: it ended {}\n", options.program[0], program.howItEnded());
    return isThere;
}

void printTable(const std::vector<CacheSweep>& sweeps) {
    for (const CacheSweep& sweep : sweeps) {
        fmt::print("{}\n", sweep.title);
        for (const CachePoint& point : sweep.points)
            fmt::print("  {:>8}  {:6.2f} % hits  misses {:>9}  bytes {:>11}  bank conflicts {:>9}\n", point.label,
                       100 * point.hitRate(), point.counters.misses, point.counters.bytes,
                       point.counters.bankConflicts);
    }
}

/// The target that most fragments look textures up for.
uint32_t busiestTarget(const model::TexelStream& stream) {
    std::map<uint32_t, uint64_t> blocks;
    for (const model::TexelBlock& block : stream.blocks) blocks[block.isVertex ? 0 : block.target] += 1;
    blocks.erase(0);
    const auto busiest = std::max_element(blocks.begin(), blocks.end(),
                                          [](const auto& a, const auto& b) { return a.second < b.second; });
    return busiest == blocks.end() ? 0 : busiest->first;
}

/// `file`: what messages call the stream.
int show(const Options& options, const std::string& bytes, const std::string& file) {
    model::TexelStream stream;
    std::string error;
    if (!model::readStream(std::as_bytes(std::span(bytes)), stream, error)) {
        fmt::print(stderr, "{}: error: {}\n", file, error);
        return kWrongInput;
    }
    if (stream.leftOut)
        fmt::print(stderr, "{}: warning: the frame is cut off: {} whole blocks of lookups, {} bytes left out\n", file,
                   stream.blocks.size(), *stream.leftOut);
    if (stream.blocks.empty()) {
        fmt::print(stderr, "{}: error: the frame has no texture lookups\n", file);
        return kWrongInput;
    }
    const std::vector<CacheSweep> sweeps = sweepCaches(stream);
    printTable(sweeps);
    const std::string title =
        options.program.empty()
            ? file
            : fmt::format("{}, frame {}", std::filesystem::path(options.program[0]).filename().string(), options.frame);
    if (!options.svg.empty() && !writeFile(options.svg, cacheSvg(sweeps, title))) return kTrouble;
    if (options.png.empty()) return kDone;
    const uint32_t target = options.target != 0 ? options.target : busiestTarget(stream);
    const imagediff::Image picture = missPicture(stream, target);
    if (picture.rgba.empty()) {
        fmt::print(stderr, "{}: error: nothing is drawn to target {}; there are {}\n", file, target,
                   stream.targets.size());
        return kWrongInput;
    }
    if (imagediff::writePng(options.png, picture, error)) return kDone;
    fmt::print(stderr, "{}: error: {}\n", options.png, error);
    return kTrouble;
}

int run(const Options& options) {
    if (options.program.empty() && options.stream.empty()) {
        fmt::print(stderr, "tessera tex cache: error: name a program after --, or a recorded stream with --stream\n");
        return kTrouble;
    }
    if (options.program.empty()) {
        const std::optional<std::string> bytes = readRecorded(options.stream);
        return bytes ? show(options, *bytes, options.stream) : kTrouble;
    }
    const Interruptible interruptible;  // outlives what has to be cleaned up
    const TemporaryFolder folder;
    if (!folder.isThere()) {
        fmt::print(stderr, "error: no temporary folder: {}\n", std::strerror(errno));
        return kTrouble;
    }
    const std::string file = folder.file("stream");
    if (!record(options, file)) return kNothingGiven;
    const std::optional<std::string> bytes = readFile(file);
    if (!bytes || (!options.stream.empty() && !writeFile(options.stream, *bytes))) return kTrouble;
    return show(options, *bytes, options.program[0]);
}

}  // namespace

void addTexCache(CLI::App& tex, int& status) {
    const auto options = std::make_shared<Options>();
    CLI::App* verb = tex.add_subcommand("cache", "Show what texture caches make of one frame of a program");
    verb->add_option("program", options->program, "Program and arguments, after --; runs on Tessera");
    verb->add_option("--frame", options->frame, "The frame to record; a swap of buffers ends one")
        ->capture_default_str()
        ->check(CLI::Range(uint64_t{1}, uint64_t{1000000000}));
    verb->add_option("--stream", options->stream, "Keep the recorded stream here; without a program: read it");
    verb->add_option("--svg", options->svg, "Plot the hit rate by size, ways and line shape");
    verb->add_option("--png", options->png, "Misses of each pixel in false colours");
    verb->add_option("--target", options->target,
                     "Which render target --png shows (default: the busiest, the first of equals)");
    verb->footer(
        fmt::format("Exit status 2 when the program cannot be started, or ends before the frame.\n"
                    "The cache is the paper's ({}; the ways are ours), one for each of 16 texture engines.\n"
                    "Colours of --png: black no lookup, dark blue no miss, over violet and orange to white for {} "
                    "misses and more.",
                    model::TextureCacheShape{}.name(), kMissesWhite));
    verb->callback([options, &status] { status = run(*options); });
}

}  // namespace tessera::tools
