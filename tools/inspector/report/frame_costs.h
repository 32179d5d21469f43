// What a frame's draws cost: vertices, primitives and fragments counted as they were made, and the cycles of the
// modelled chip with what bounds them.
#pragma once

#include <cstdint>
#include <functional>
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
/// `isCancelled`, unless null, is asked between the two.
[[nodiscard]] std::optional<FrameCosts> costsOf(inspect::FrameModel& model, size_t frame, const std::string& preset,
                                                std::string& why, const std::function<bool()>& isCancelled = nullptr);

/// What the frame takes on a chip.
struct PresetCost {
    std::string name;  ///< "tessera, memory ddr3-1600-x64"
    uint64_t cycles = 0;
    double milliseconds = 0;
    std::string problem;  ///< why it cannot draw the frame; empty: it can
};
/// Of every preset that draws pictures, with its own memory and with the others, in the order of their names.
[[nodiscard]] std::vector<PresetCost> presetCosts(const FrameCosts& costs, const std::function<bool()>& isCancelled);

/// What is counted at each pixel of what the action draws to: by the draws of the frame up to it, but of lanes, what
/// the last of these draws made of them (LaneFate).
enum class Heat : uint8_t { Overdraw, Written, Discarded, Lanes };
inline constexpr std::string_view kHeatWords[] = {"overdraw", "written", "discarded", "lanes"};
/// What became of a pixel of the blocks of 4x4 that a draw's primitives touch, which are the lanes of a group: the most
/// that any of them made of it.
enum class LaneFate : uint8_t { NoBlock, Idle, Helper, Failed, Discarded, Written };
inline constexpr std::string_view kLaneFateWords[] = {"no primitive touches its block",
                                                      "idle: its block is touched, its quad is not shaded",
                                                      "a helper: for the derivatives of its quad only",
                                                      "covered, and fails the early tests",
                                                      "shaded, and discarded or failing later tests",
                                                      "written"};
/// Counts of pixels, or numbers of LaneFate; rows from the top. Nothing where the action draws to nothing.
struct HeatMap {
    int width = 0, height = 0;
    uint32_t most = 0;
    std::vector<uint32_t> counts;
    Heat heat = Heat::Overdraw;

    [[nodiscard]] uint32_t at(int x, int y) const {
        return counts[static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)];
    }
    /// What it shows all in all: "up to 3 times"; of lanes how many of those in blocks do something.
    [[nodiscard]] std::string summary() const;
    /// What it shows of a pixel.
    [[nodiscard]] std::string text(int x, int y) const;
};
[[nodiscard]] HeatMap heatOf(const FrameCosts& costs, const inspect::FrameModel& model, size_t action, Heat heat);
/// Counts from dark blue, which is none, to white, the most. Lanes: black, grey, blue, red, orange, green.
[[nodiscard]] inspect::Picture pictureOf(const HeatMap& map);

/// How many primitives of the frame's draws cover something of a tile of 64x64 pixels: of the action alone, and of all
/// of the frame up to it.
struct TileCounts {
    static constexpr int kSize = 64;  ///< pixels; tiles begin at the lower left corner
    int columns = 0, rows = 0;
    std::vector<uint32_t> own, all;  ///< rows from the bottom
};
[[nodiscard]] TileCounts tilesOf(const FrameCosts& costs, const inspect::FrameModel& model, size_t action);

}  // namespace tessera::tools
