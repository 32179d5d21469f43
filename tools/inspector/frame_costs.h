// What a frame's draws cost: vertices, primitives and fragments counted as they were made, and the cycles of the
// modelled chip with what bounds them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "inspect/frame/frame_model.h"
#include "inspect/frame/image_look.h"
#include "model/chip/result.h"
#include "model/chip/workload.h"
#include "model/report/lines.h"

namespace tessera::tools {

struct DrawCost {
    uint64_t vertices = 0;  ///< shaded
    uint64_t primitives = 0, outside = 0, facing = 0, empty = 0;
    uint64_t covered = 0, shaded = 0, written = 0;  ///< pixels: by primitives; left by early tests; stored
    uint64_t cycles = 0;                            ///< that the draw adds on the chip
    std::string boundBy;                            ///< "block processors, 97 % busy"; empty: nothing
};

struct FrameCosts {
    model::Workload workload;
    model::Result result;
    std::vector<model::ProgramCost> programs;  ///< by line
    /// By action of the frame, from its first; none of what is no draw, or of a draw without a program.
    std::vector<std::optional<DrawCost>> draws;
    std::vector<uint32_t> drawNumbers;  ///< in workload.draws; model::kNone
    /// In programs: by the number of a program of the stream, and its stage.
    std::map<std::pair<uint32_t, isa::Stage>, size_t> places;
};

/// Executes the frame with a listener and goes through it with the preset's chip. Nothing, and why, when it cannot.
[[nodiscard]] std::optional<FrameCosts> costsOf(inspect::FrameModel& model, size_t frame, const std::string& preset,
                                                std::string& why);

/// What is counted at each pixel of what the action draws to, by the draws of the frame up to it.
enum class Heat : uint8_t { Overdraw, Written, Discarded };
inline constexpr std::string_view kHeatWords[] = {"overdraw", "written", "discarded"};
/// Counts of pixels, rows from the top; nothing where the action draws to nothing.
struct HeatMap {
    int width = 0, height = 0;
    uint32_t most = 0;
    std::vector<uint32_t> counts;
};
[[nodiscard]] HeatMap heatOf(const FrameCosts& costs, const inspect::FrameModel& model, size_t action, Heat heat);
/// From dark blue, which is none, to white, the most.
[[nodiscard]] inspect::Picture pictureOf(const HeatMap& map);

}  // namespace tessera::tools
