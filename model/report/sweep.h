// A grid of machines that differ in named parameters, a workload on each: cycles, area, and which are worth their area.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/chip/result.h"
#include "model/trim/resources.h"

namespace tessera::model {

/// One parameter, and the values that it takes in turn.
struct SweepAxis {
    const Parameter* parameter = nullptr;
    std::vector<uint32_t> values;  ///< of a choice the numbers of its words
};
inline constexpr size_t kMostSweepPoints = 10000;
/// "block.processors=1..16,texture.cache_lines=8..64+8,block.policy=oldest,greedy": A..B doubles A until B, A..B+S adds
/// S, and a comma or / stands between values. Empty: *error says "--sweep:1:COLUMN: what, and what to do".
[[nodiscard]] std::vector<SweepAxis> readSweep(std::string_view text, std::string* error);

/// Points of the grid, the last axis fastest.
[[nodiscard]] size_t pointCount(std::span<const SweepAxis> axes);

struct SweepPoint {
    std::vector<uint32_t> values;  ///< one of each axis
    std::string problem;           ///< why it makes no machine or runs not the workload; then nothing below
    Cycle cycles = 0;
    double perSecond = 0;  ///< frames, or whole runs where there is no frame
    Area area;             ///< of the resource table
    bool operator==(const SweepPoint&) const = default;
};
[[nodiscard]] SweepPoint measurePoint(std::span<const SweepAxis> axes, size_t number, const Workload& workload,
                                      const Preset& preset);
/// Whether a point is on the Pareto front: no other is as fast or faster and takes as much or less of everything.
[[nodiscard]] std::vector<bool> paretoFront(std::span<const SweepPoint> points);

// As text: CSV, a row for each point, so that a sweep that was cut short goes on where it stopped.

/// The names of the columns.
[[nodiscard]] std::string sweepColumns(std::span<const SweepAxis> axes);
[[nodiscard]] std::string sweepRow(std::span<const SweepAxis> axes, const SweepPoint& point);
/// The row without its end of line. Nothing: it is no row of this sweep.
[[nodiscard]] std::optional<SweepPoint> readSweepRow(std::span<const SweepAxis> axes, std::string_view row);
/// The number of a point with these values; nothing: the grid has none.
[[nodiscard]] std::optional<size_t> pointNumber(std::span<const SweepAxis> axes, std::span<const uint32_t> values);

// Results. `title` says which workload and machine.

/// For a person: the front, cheapest first.
[[nodiscard]] std::string sweepText(std::span<const SweepAxis> axes, std::span<const SweepPoint> points,
                                    std::string_view title);
[[nodiscard]] std::string sweepJson(std::span<const SweepAxis> axes, std::span<const SweepPoint> points,
                                    std::string_view title);
/// Area in look-up tables against speed, a mark for each point, those of the front with their parameters.
[[nodiscard]] std::string sweepPlot(std::span<const SweepAxis> axes, std::span<const SweepPoint> points,
                                    std::string_view title);

}  // namespace tessera::model
