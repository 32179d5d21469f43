// Long runs by some of their frames: which are modelled, what all of them take by that, and how far off that may be.
//
// Frames are told apart by what they ask of each unit, which is counted from the recording. Frames that ask for much
// the same are a cluster (k-means, as in "MEGsim: A Novel Methodology for Efficient Simulation of Graphics Workloads in
// GPUs", ISPASS 2022); of each cluster three are modelled, drawn by lot, so that what they differ by says how far off
// the estimate may be. Estimates are those of stratified sampling with a combined ratio (Cochran, "Sampling
// Techniques", 3rd edition, 5.4 and 6.11): a cycle that is asked for takes so many modelled ones.
//
// Clusters and lots are made with whole numbers and without a clock: the same frames are chosen everywhere.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/chip/interval.h"
#include "model/chip/unit/machine.h"

namespace tessera::model {

/// What a frame asks of the machine: cycles in which units are busy with it if nothing makes them wait.
enum class Demand : uint8_t {
    Commands,
    Transfers,      ///< bytes of clears, copies and uploads, through all channels
    VertexFetch,    ///< lines that a directly mapped cache has not, through all channels
    Vertices,       ///< passes of their instructions, on all block processors
    Primitives,     ///< assembly, clip and setup, one behind the other
    Scan,           ///< of blocks, in all rasterizers
    EarlyTests,     ///< of blocks
    Interpolation,  ///< of fragments, in all interpolators
    Fragments,      ///< passes of their instructions, on all block processors
    Lookups,        ///< accesses, of all texture engines
    Texels,         ///< lines that a cache of all engines has not, through all channels
    Pixels,         ///< fragments, of all pixel engines
    Surfaces,       ///< lines of depth and colour that caches have not, in and out through all channels
    Kernels,        ///< passes of their instructions, on all block processors
    Words,          ///< that kernels ask memory for, through all channels
};
inline constexpr size_t kDemands = 15;
using FrameDemand = std::array<uint64_t, kDemands>;
/// Of all units together.
[[nodiscard]] uint64_t demandSum(const FrameDemand& demand);

/// The intervals that a frame is, by number in intervalsOf().
struct FrameIntervals {
    Range intervals;
    uint32_t number = 0;  ///< of the frame, as the program counts it; of what comes behind the last one 0
    FrameDemand demand{};
};
/// All frames; commands behind the last end of a frame are one more.
[[nodiscard]] std::vector<FrameIntervals> framesOf(const Workload& workload, std::span<const Interval> intervals,
                                                   const Preset& preset);

/// Frames that ask for much the same.
struct FrameCluster {
    std::vector<uint32_t> frames;  ///< by number among all, by lot: the first ones are modelled
    uint32_t modelled = 0;
};
/// So that `count` frames are modelled: 2 at least, and no more than there are; but all, if one is all.
[[nodiscard]] std::vector<FrameCluster> clusterFrames(std::span<const FrameIntervals> frames, uint32_t count);

/// A sum over all frames.
struct Estimate {
    double value = 0;
    double error = 0;  ///< half of the interval in which the sum is in 95 of 100 cases
};
/// `values` has one of each frame; only those of modelled frames are looked at.
[[nodiscard]] Estimate estimateSum(std::span<const FrameCluster> clusters, std::span<const FrameIntervals> frames,
                                   std::span<const double> values);

/// What one frame took.
struct FrameCost {
    Cycle cycles = 0;
    std::array<uint64_t, static_cast<size_t>(UnitKind::Lanes) + 1> busy{};  ///< by kind of unit
    uint64_t sdramBytes = 0;
};

/// How many frames are modelled.
struct SampleSize {
    uint32_t frames = 0;  ///< 0: so many that the expected error is kAutoError
};
inline constexpr double kAutoError = 0.01;
/// "8", "auto". Nothing: *error says "--sample:1:1: what, and what to do". `frames`: there are so many.
[[nodiscard]] std::optional<SampleSize> readSampleSize(std::string_view text, size_t frames, std::string* error);

struct FrameSample {
    std::string workload, preset;
    uint32_t clockKhz = 0;
    std::vector<FrameIntervals> frames;
    std::vector<FrameCluster> clusters;
    std::vector<std::optional<FrameCost>> costs;  ///< of each frame; nothing of what was not modelled
    size_t modelled = 0;                          ///< so many were; with Auto more than the clusters say
    Estimate cycles;
    std::array<double, static_cast<size_t>(UnitKind::Lanes) + 1> busy{};  ///< 0..1, of units of a kind together
    double sdramBytes = 0;
    [[nodiscard]] bool isWhole() const { return modelled == frames.size(); }
};
/// For a workload that has frames and that the machine can run. Uses `threads` of `options`.
[[nodiscard]] FrameSample sampleFrames(const Workload& workload, const Preset& preset, SampleSize size,
                                       const MachineOptions& options);

/// The same run without sampling.
struct SampleCheck {
    std::vector<Cycle> frames;
    double wholeSeconds = 0, sampledSeconds = 0;  ///< of the host, for modelling
};
/// Cycles of all frames.
[[nodiscard]] std::vector<Cycle> modelAllFrames(const Workload& workload, const Preset& preset,
                                                const MachineOptions& options);

[[nodiscard]] std::string sampleText(const FrameSample& sample, const SampleCheck* check);
[[nodiscard]] std::string sampleJson(const FrameSample& sample, const SampleCheck* check);

}  // namespace tessera::model
