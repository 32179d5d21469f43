#include "model/report/frame_sample.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/thread/thread_pool.h"

namespace tessera::model {

namespace {

// --- What a frame asks for ---

constexpr uint64_t kLineBytes = 64;

/// Lines that a directly mapped cache of so many would fetch: an estimate of a cache's misses without its order.
class LineFilter {
public:
    explicit LineFilter(uint64_t lines) : lines_(std::bit_ceil(std::max<uint64_t>(lines, 1)), ~uint64_t{0}) {}
    bool misses(uint64_t line) { return std::exchange(lines_[line & (lines_.size() - 1)], line) != line; }
    void forget() { std::ranges::fill(lines_, ~uint64_t{0}); }

private:
    std::vector<uint64_t> lines_;
};

/// Counts what the commands of one frame ask of units.
class DemandCounter {
public:
    DemandCounter(const Workload& workload, const Preset& preset)
        : w_(workload),
          p_(preset),
          sdram_(std::max<uint64_t>(1, uint64_t{preset.sdram.channels} * preset.sdram.bytes_per_cycle)),
          vertexLines_(preset.vertex.cache_lines),
          texelLines_(uint64_t{preset.texture.engines} * preset.texture.cache_lines),
          surfaceLines_(uint64_t{preset.pixel.engines} * preset.pixel.cache_lines) {}

    FrameDemand count(Range commands) {
        counts_ = {};
        for (LineFilter* filter : {&vertexLines_, &texelLines_, &surfaceLines_}) filter->forget();
        for (const CommandWork& command : std::span(w_.commands).subspan(commands.first, commands.count)) {
            add(Demand::Commands, p_.command.cycles);
            if (command.kind == CommandWork::Kind::Draw) draw(w_.draws[command.item]);
            if (command.kind == CommandWork::Kind::Launch) launch(w_.launches[command.item]);
            if (command.kind == CommandWork::Kind::Transfer) {
                const TransferWork& transfer = w_.transfers[command.item];
                add(Demand::Transfers, transfer.bytesRead + transfer.bytesWritten);
            }
        }
        FrameDemand demand = counts_;
        const auto divide = [&](Demand which, uint64_t by) {
            uint64_t& count = demand[static_cast<size_t>(which)];
            count = (count + by - 1) / by;
        };
        for (const Demand bytes :
             {Demand::Transfers, Demand::VertexFetch, Demand::Texels, Demand::Surfaces, Demand::Words})
            divide(bytes, sdram_);
        // Instructions were counted in lanes of whole groups.
        const uint64_t lanes = uint64_t{p_.block.processors} * p_.block.lanes;
        for (const Demand passes : {Demand::Vertices, Demand::Fragments, Demand::Kernels}) divide(passes, lanes);
        const uint64_t rasterizers = std::max(1u, p_.raster.rasterizers);
        divide(Demand::Scan, rasterizers);
        divide(Demand::Interpolation, rasterizers);
        divide(Demand::Lookups, std::max(1u, p_.texture.engines));
        divide(Demand::Pixels, std::max<uint64_t>(1, uint64_t{p_.pixel.engines} * p_.pixel.fragments_per_cycle));
        return demand;
    }

private:
    void add(Demand which, uint64_t cycles) { counts_[static_cast<size_t>(which)] += cycles; }

    void draw(const DrawWork& draw) {
        add(Demand::Commands, draw.commandBytes / p_.command.bytes_per_cycle);
        for (const VertexBatch& batch : std::span(w_.batches).subspan(draw.batches.first, draw.batches.count)) {
            add(Demand::Vertices, uint64_t{batch.trace.count} * isa::kGroupSize);
            for (const uint64_t line : std::span(w_.lines).subspan(batch.fetches.first, batch.fetches.count))
                if (vertexLines_.misses(line / kLineBytes)) add(Demand::VertexFetch, kLineBytes);
            accesses(batch.trace);
        }
        for (const Primitive& primitive :
             std::span(w_.primitives).subspan(draw.primitives.first, draw.primitives.count)) {
            uint64_t cycles = uint64_t{p_.geometry.assembly_cycles} + p_.geometry.clip_cycles;
            if (primitive.fate != Fate::Outside)
                cycles += p_.geometry.setup_cycles +
                          uint64_t{primitive.newVertices} *
                              (p_.geometry.clip_vertex_cycles + p_.geometry.setup_vertex_cycles) +
                          static_cast<uint64_t>(std::popcount(primitive.outcodes)) * p_.geometry.clip_plane_cycles;
            add(Demand::Primitives, cycles);
            add(Demand::Scan, uint64_t{primitive.scanned} * p_.raster.scan_cycles);
            for (const Block& block : std::span(w_.blocks).subspan(primitive.blocks.first, primitive.blocks.count))
                fragments(draw, block);
        }
    }

    void fragments(const DrawWork& draw, const Block& block) {
        const PixelWork& pixels = draw.pixels;
        const auto shaded = static_cast<uint64_t>(std::popcount(block.early));
        const auto written = static_cast<uint64_t>(std::popcount(block.written));
        add(Demand::EarlyTests, pixels.earlyTests ? uint64_t{p_.early.cycles} * pixels.samples : 1);
        const uint64_t attributes =
            (uint64_t{draw.varyings} + p_.interpolation.attributes - 1) / p_.interpolation.attributes;
        add(Demand::Interpolation, shaded * std::max<uint64_t>(attributes, 1) / p_.interpolation.fragments_per_cycle);
        add(Demand::Fragments, uint64_t{block.trace.count} * isa::kGroupSize / 2);
        add(Demand::Pixels, written * pixels.samples * pixels.targets);
        accesses(block.trace);
        // A place of the surface; its depth lies elsewhere than its colour.
        const uint64_t place = (uint64_t{pixels.target} << 32 | uint64_t{static_cast<uint16_t>(block.y)} << 16 |
                                static_cast<uint16_t>(block.x));
        const uint64_t line = place ^ place >> 10;
        if ((pixels.depthRead || pixels.depthWrite || pixels.stencil) && surfaceLines_.misses(2 * line))
            add(Demand::Surfaces, 2 * kLineBytes * pixels.samples);
        if (written > 0 && surfaceLines_.misses(2 * line + 1))
            add(Demand::Surfaces, (pixels.colorRead ? 2 : 1) * kLineBytes * pixels.samples * pixels.targets);
    }

    void accesses(Range trace) {
        for (const Executed& executed : w_.trace(trace)) {
            add(Demand::Lookups, executed.accesses.count);
            for (const Access& access : w_.of(executed))
                if (texelLines_.misses(access.address / kLineBytes)) add(Demand::Texels, access.bytes);
        }
    }

    void launch(const LaunchWork& launch) {
        for (const ThreadBlock& block : std::span(w_.threadBlocks).subspan(launch.blocks.first, launch.blocks.count))
            for (const KernelGroup& group : std::span(w_.groups).subspan(block.groups.first, block.groups.count)) {
                add(Demand::Kernels, uint64_t{group.trace.count} * isa::kGroupSize);
                for (const Executed& executed : w_.trace(group.trace))
                    add(Demand::Words, executed.accesses.count * sizeof(uint32_t));
            }
    }

    const Workload& w_;
    const Preset& p_;
    const uint64_t sdram_;  ///< bytes in a cycle
    FrameDemand counts_{};
    LineFilter vertexLines_, texelLines_, surfaceLines_;
};

// --- Clusters ---

/// Whole numbers, so that every machine makes the same clusters.
__extension__ using Distance = unsigned __int128;

Distance distance(const FrameDemand& a, const FrameDemand& b) {
    Distance sum = 0;
    for (size_t i = 0; i < kDemands; ++i) {
        const Distance difference = a[i] > b[i] ? a[i] - b[i] : b[i] - a[i];
        sum += difference * difference;
    }
    return sum;
}

FrameDemand meanOf(std::span<const FrameIntervals> frames, std::span<const uint32_t> members) {
    FrameDemand mean{};
    for (size_t i = 0; i < kDemands; ++i) {
        for (const uint32_t frame : members) mean[i] += frames[frame].demand[i];
        mean[i] /= std::max<size_t>(members.size(), 1);
    }
    return mean;
}

/// k-means. The first centre is the mean, each further one the frame that is farthest from all before.
std::vector<std::vector<uint32_t>> kMeans(std::span<const FrameIntervals> frames, size_t clusters) {
    std::vector<uint32_t> all(frames.size());
    std::iota(all.begin(), all.end(), 0u);
    std::vector<FrameDemand> centres = {meanOf(frames, all)};
    std::vector<Distance> nearest(frames.size(), ~Distance{0});  // centre of each frame
    while (centres.size() < clusters) {
        for (const uint32_t frame : all)
            nearest[frame] = std::min(nearest[frame], distance(centres.back(), frames[frame].demand));
        const auto farthest = std::ranges::max_element(nearest);
        if (*farthest == 0) break;  // no more kinds of frames than that
        centres.push_back(frames[static_cast<size_t>(farthest - nearest.begin())].demand);
    }
    std::vector<std::vector<uint32_t>> members;
    constexpr int kMostRounds = 30;
    for (int round = 0; round < kMostRounds; ++round) {
        std::vector<std::vector<uint32_t>> next(centres.size());
        for (const uint32_t frame : all) {
            size_t best = 0;
            Distance least = ~Distance{0};
            for (size_t i = 0; i < centres.size(); ++i)
                if (const Distance far = distance(centres[i], frames[frame].demand); far < least) least = far, best = i;
            next[best].push_back(frame);
        }
        if (next == members) break;
        members = std::move(next);
        for (size_t i = 0; i < centres.size(); ++i)
            if (!members[i].empty()) centres[i] = meanOf(frames, members[i]);
    }
    std::erase_if(members, [](const auto& one) { return one.empty(); });
    return members;
}

/// The lot of a frame: the same however many are drawn, so that a larger sample has most of a smaller one.
uint64_t lotOf(uint32_t frame) {
    uint64_t x = (uint64_t{frame} + 1) * 0x9E3779B97F4A7C15;  // splitmix64
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
}

/// How much frames of a cluster differ, times how many there are: what Neyman's allocation goes by.
uint64_t spreadOf(std::span<const FrameIntervals> frames, const std::vector<uint32_t>& members) {
    const FrameDemand mean = meanOf(frames, members);
    uint64_t sum = 0;
    for (const uint32_t frame : members)
        for (size_t i = 0; i < kDemands; ++i) {
            const uint64_t one = frames[frame].demand[i];
            sum += one > mean[i] ? one - mean[i] : mean[i] - one;
        }
    return sum;
}

// --- Estimates ---

/// Student's t for 95 % on both sides.
double quantile(double freedom) {
    constexpr double kTable[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                 2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086};
    const auto whole = static_cast<size_t>(std::max(freedom, 1.0));
    if (whole <= std::size(kTable)) return kTable[whole - 1];
    return 1.960 + 2.5 / static_cast<double>(whole);  // within 0.002 of it
}

}  // namespace

uint64_t demandSum(const FrameDemand& demand) { return std::accumulate(demand.begin(), demand.end(), uint64_t{0}); }

std::vector<FrameIntervals> framesOf(const Workload& workload, std::span<const Interval> intervals,
                                     const Preset& preset) {
    std::vector<FrameIntervals> frames;
    DemandCounter counter(workload, preset);
    Range range, commands;
    for (uint32_t i = 0; i < intervals.size(); ++i) {
        const Range& own = intervals[i].commands;
        ++range.count;
        commands.count += own.count;
        const bool hasEnd =
            own.count > 0 && workload.commands[own.first + own.count - 1].kind == CommandWork::Kind::EndFrame;
        if (!hasEnd && i + 1 < intervals.size()) continue;
        const uint32_t number = hasEnd ? workload.commands[own.first + own.count - 1].item : 0;
        if (commands.count > 0) frames.push_back({range, number, counter.count(commands)});
        range = {i + 1, 0};
        commands = {own.first + own.count, 0};
    }
    return frames;
}

std::vector<FrameCluster> clusterFrames(std::span<const FrameIntervals> frames, uint32_t count) {
    std::vector<FrameCluster> clusters;
    uint32_t left = count;
    constexpr uint32_t kLeast = 3;  // of a cluster: two that happen to be alike would say that all are
    std::vector<uint64_t> spreads;
    for (std::vector<uint32_t>& members : kMeans(frames, std::max(1u, count / kLeast))) {
        spreads.push_back(spreadOf(frames, members));
        std::ranges::sort(members, {}, [](uint32_t frame) { return std::pair(lotOf(frame), frame); });
        const auto modelled = static_cast<uint32_t>(std::min<size_t>(members.size(), std::min(left, kLeast)));
        clusters.push_back({std::move(members), modelled});
        left -= modelled;
    }
    // Each further one goes where it tells most.
    for (; left > 0; --left) {
        size_t best = clusters.size();
        double most = -1;
        for (size_t i = 0; i < clusters.size(); ++i) {
            if (clusters[i].modelled == clusters[i].frames.size()) continue;
            const double n = clusters[i].modelled;
            const double gain = static_cast<double>(spreads[i]) * static_cast<double>(spreads[i]) / (n * (n + 1));
            if (gain > most) most = gain, best = i;
        }
        if (best == clusters.size()) break;
        ++clusters[best].modelled;
    }
    return clusters;
}

Estimate estimateSum(std::span<const FrameCluster> clusters, std::span<const FrameIntervals> frames,
                     std::span<const double> values) {
    // The ratio of what was modelled to what was asked for, each cluster by its size.
    double asked = 0, estimatedAsked = 0, estimatedValue = 0;
    for (const FrameCluster& cluster : clusters) {
        const double weight = static_cast<double>(cluster.frames.size()) / cluster.modelled;
        for (size_t i = 0; i < cluster.frames.size(); ++i) {
            const auto demand = static_cast<double>(demandSum(frames[cluster.frames[i]].demand));
            asked += demand;
            if (i >= cluster.modelled) continue;
            estimatedAsked += weight * demand;
            estimatedValue += weight * values[cluster.frames[i]];
        }
    }
    const double ratio = estimatedAsked > 0 ? estimatedValue / estimatedAsked : 0;
    Estimate estimate{ratio * asked, 0};
    double variance = 0, freedom = 0;
    for (const FrameCluster& cluster : clusters) {
        const double all = static_cast<double>(cluster.frames.size()), some = cluster.modelled;
        if (cluster.modelled < 2 || cluster.modelled == cluster.frames.size()) continue;
        double sum = 0, squares = 0;
        const auto residual = [&](uint32_t i) {
            const uint32_t frame = cluster.frames[i];
            return values[frame] - ratio * static_cast<double>(demandSum(frames[frame].demand));
        };
        for (uint32_t i = 0; i < cluster.modelled; ++i) sum += residual(i);
        for (uint32_t i = 0; i < cluster.modelled; ++i) squares += std::pow(residual(i) - sum / some, 2);
        const double part = all * all * (1 - some / all) * squares / (some - 1) / some;
        variance += part;
        freedom += part * part / (some - 1);
    }
    if (variance > 0) estimate.error = quantile(variance * variance / freedom) * std::sqrt(variance);
    return estimate;
}

// --- A run ---

namespace {

FrameCost costOf(const Workload& workload, const Preset& preset, std::span<const Interval> intervals, Range range) {
    FrameCost cost;
    for (uint32_t i = range.first; i < range.first + range.count; ++i) {
        const Result result = simulateInterval(workload, intervals[i], preset, {.pieces = 2});
        cost.cycles += result.cycles;
        for (const UnitResult& unit : result.units) cost.busy[static_cast<size_t>(unit.kind)] += unit.busy();
        cost.sdramBytes += result.sdramRead + result.sdramWritten;
    }
    return cost;
}

std::vector<double> valuesOf(const FrameSample& sample, const auto& value) {
    std::vector<double> values(sample.frames.size());
    for (size_t i = 0; i < values.size(); ++i)
        if (sample.costs[i]) values[i] = static_cast<double>(value(*sample.costs[i]));
    return values;
}

/// So many of a kind; lanes of block processors as many as work side by side.
double unitCount(const Preset& preset, UnitKind kind) {
    using enum UnitKind;
    switch (kind) {
        case Rasterizer:
        case Interpolator:
            return preset.raster.rasterizers;
        case BlockProcessor:
            return preset.block.processors;
        case TextureEngine:
            return preset.texture.engines;
        case PixelEngine:
            return preset.pixel.engines;
        case Sdram:
            return preset.sdram.channels;
        case Lanes:
            return static_cast<double>(preset.block.processors) * preset.block.lanes * preset.block.issue;
        default:
            return 1;
    }
}

}  // namespace

std::optional<SampleSize> readSampleSize(std::string_view text, size_t frames, std::string* error) {
    const auto wrong = [&](std::string what) {
        *error = fmt::format("--sample:1:1: {}", what);
        return std::nullopt;
    };
    if (frames == 0) return wrong("there are no frames to choose from; leave it out");
    if (text == "auto") return SampleSize{};
    uint32_t count = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), count);
    if (status != std::errc{} || end != text.data() + text.size() || count == 0)
        return wrong(fmt::format("give a number of frames, from 1, or auto: not \"{}\"", text));
    if (count > frames)
        return wrong(fmt::format("{} frames cannot be chosen from {}; give fewer, or auto", count, frames));
    if (count == 1 && frames > 1) return wrong("one frame does not tell how far off it is; give 2 or more, or auto");
    return SampleSize{count};
}

FrameSample sampleFrames(const Workload& workload, const Preset& preset, SampleSize size,
                         const MachineOptions& options) {
    constexpr uint32_t kFirstFrames = 9;  // three clusters of three
    FrameSample sample;
    sample.workload = workload.name;
    sample.preset = preset.name;
    sample.clockKhz = preset.clock.khz;
    const std::vector<Interval> intervals = intervalsOf(workload);
    sample.frames = framesOf(workload, intervals, preset);
    sample.costs.resize(sample.frames.size());
    const auto all = static_cast<uint32_t>(sample.frames.size());
    ThreadPool pool(std::min(options.threads, static_cast<int>(std::min<uint32_t>(all, 1024))));
    for (uint32_t count = size.frames ? size.frames : std::min(kFirstFrames, all);;
         count = std::min(count + count / 2, all)) {
        sample.clusters = clusterFrames(sample.frames, count);
        std::vector<uint32_t> missing;
        for (const FrameCluster& cluster : sample.clusters)
            for (uint32_t i = 0; i < cluster.modelled; ++i)
                if (!sample.costs[cluster.frames[i]]) missing.push_back(cluster.frames[i]);
        pool.parallelFor("model", missing.size(), [&](size_t index, int) {
            const uint32_t frame = missing[index];
            sample.costs[frame] = costOf(workload, preset, intervals, sample.frames[frame].intervals);
        });
        sample.modelled += missing.size();
        sample.cycles = estimateSum(sample.clusters, sample.frames,
                                    valuesOf(sample, [](const FrameCost& cost) { return cost.cycles; }));
        if (size.frames || count == all || sample.cycles.error <= kAutoError * sample.cycles.value) break;
    }
    for (size_t kind = 0; kind < sample.busy.size(); ++kind) {
        const double units = unitCount(preset, static_cast<UnitKind>(kind));
        const Estimate busy = estimateSum(sample.clusters, sample.frames,
                                          valuesOf(sample, [&](const FrameCost& cost) { return cost.busy[kind]; }));
        if (units > 0 && sample.cycles.value > 0) sample.busy[kind] = busy.value / (sample.cycles.value * units);
    }
    sample.sdramBytes = estimateSum(sample.clusters, sample.frames,
                                    valuesOf(sample, [](const FrameCost& cost) { return cost.sdramBytes; }))
                            .value;
    return sample;
}

std::vector<Cycle> modelAllFrames(const Workload& workload, const Preset& preset, const MachineOptions& options) {
    const std::vector<Interval> intervals = intervalsOf(workload);
    const std::vector<FrameIntervals> frames = framesOf(workload, intervals, preset);
    std::vector<Cycle> cycles(frames.size());
    ThreadPool pool(std::min(options.threads, static_cast<int>(std::min<size_t>(frames.size(), 1024))));
    pool.parallelFor("model", frames.size(), [&](size_t frame, int) {
        cycles[frame] = costOf(workload, preset, intervals, frames[frame].intervals).cycles;
    });
    return cycles;
}

// --- Reports ---

namespace {

double share(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

double framesPerSecond(const FrameSample& sample) {
    const auto frames = static_cast<double>(
        std::ranges::count_if(sample.frames, [](const FrameIntervals& frame) { return frame.number != 0; }));
    return sample.cycles.value > 0 ? frames * 1000.0 * sample.clockKhz / sample.cycles.value : 0;
}

Cycle wholeOf(const SampleCheck& check) { return std::accumulate(check.frames.begin(), check.frames.end(), Cycle{0}); }

std::string frameName(const FrameIntervals& frame) { return frame.number ? fmt::format("{}", frame.number) : "rest"; }

}  // namespace

std::string sampleText(const FrameSample& sample, const SampleCheck* check) {
    const double milliseconds = sample.cycles.value / sample.clockKhz;
    std::string text = fmt::format(
        "{} on {}: {:.0f} cycles at {} MHz, {:.3f} ms, {} frames, {:.1f} frames/s, by {} of them\n"
        "Expected error: {:.2f} %; in 95 of 100 cases the cycles are {:.0f} to {:.0f}\n",
        sample.workload, sample.preset, sample.cycles.value, sample.clockKhz / 1000.0, milliseconds,
        sample.frames.size(), framesPerSecond(sample), sample.modelled, share(sample.cycles.error, sample.cycles.value),
        sample.cycles.value - sample.cycles.error, sample.cycles.value + sample.cycles.error);
    if (check != nullptr) {
        const auto whole = static_cast<double>(wholeOf(*check));
        text += fmt::format(
            "All frames: {:.0f} cycles; the error is {:+.2f} %, {} what was expected; modelled in {:.2f} s, by some of "
            "them in {:.2f} s, {:.1f} times as fast\n",
            whole, share(sample.cycles.value - whole, whole),
            std::abs(sample.cycles.value - whole) <= sample.cycles.error + 0.5 ? "within" : "more than",
            check->wholeSeconds, check->sampledSeconds, check->wholeSeconds / std::max(check->sampledSeconds, 1e-9));
    }
    text += "\nUnits (of a kind together): busy\n";
    for (size_t kind = 0; kind < sample.busy.size(); ++kind)
        text += fmt::format("  {:<26} {:>6.1f} %\n", unitText(static_cast<UnitKind>(kind)), 100 * sample.busy[kind]);
    text += fmt::format("\nMemory\n  SDRAM {:.0f} bytes, {:.2f} GB/s\n", sample.sdramBytes,
                        milliseconds > 0 ? sample.sdramBytes / milliseconds * 1e-6 : 0);
    text += "\nFrames that ask for much the same\n  frames  modelled   cycles of one  which\n";
    for (const FrameCluster& cluster : sample.clusters) {
        double cycles = 0;
        std::vector<uint32_t> modelled(cluster.frames.begin(), cluster.frames.begin() + cluster.modelled);
        for (const uint32_t frame : modelled) cycles += static_cast<double>(sample.costs[frame]->cycles);
        std::ranges::sort(modelled);
        constexpr size_t kShown = 8;
        std::string which;
        for (size_t i = 0; i < std::min(modelled.size(), kShown); ++i)
            which += (i ? ", " : "") + frameName(sample.frames[modelled[i]]);
        if (modelled.size() > kShown) which += fmt::format(" and {} more", modelled.size() - kShown);
        text += fmt::format("{:>8}{:>10}{:>16.0f}  {}\n", cluster.frames.size(), cluster.modelled,
                            cycles / cluster.modelled, which);
    }
    return text;
}

std::string sampleJson(const FrameSample& sample, const SampleCheck* check) {
    nlohmann::json json{{"workload", sample.workload},
                        {"preset", sample.preset},
                        {"clock_khz", sample.clockKhz},
                        {"frames", sample.frames.size()},
                        {"modelled", sample.modelled},
                        {"cycles", std::llround(sample.cycles.value)},
                        {"expected_error", sample.cycles.value > 0 ? sample.cycles.error / sample.cycles.value : 0},
                        {"from", std::llround(sample.cycles.value - sample.cycles.error)},
                        {"to", std::llround(sample.cycles.value + sample.cycles.error)},
                        {"frames_per_second", framesPerSecond(sample)},
                        {"sdram_bytes", std::llround(sample.sdramBytes)}};
    json["busy"] = nlohmann::json::object();
    for (size_t kind = 0; kind < sample.busy.size(); ++kind)
        json["busy"][std::string(unitText(static_cast<UnitKind>(kind)))] = sample.busy[kind];
    json["each"] = nlohmann::json::array();
    for (const FrameIntervals& frame : sample.frames)
        json["each"].push_back({{"frame", frame.number}, {"demand", frame.demand}});
    for (size_t number = 0; number < sample.clusters.size(); ++number)
        for (uint32_t i = 0; i < sample.clusters[number].frames.size(); ++i) {
            const uint32_t frame = sample.clusters[number].frames[i];
            json["each"][frame]["cluster"] = number;
            if (i < sample.clusters[number].modelled) json["each"][frame]["cycles"] = sample.costs[frame]->cycles;
        }
    if (check != nullptr) {
        const Cycle whole = wholeOf(*check);
        json["check"] = {{"cycles", whole},
                         {"error", whole ? sample.cycles.value / static_cast<double>(whole) - 1 : 0},
                         {"each", check->frames},
                         {"seconds", check->wholeSeconds},
                         {"sampled_seconds", check->sampledSeconds}};
    }
    return json.dump(1) + '\n';
}

}  // namespace tessera::model
