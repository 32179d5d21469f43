// A program by itself as a report: data for programs, a page for people, pictures.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "inspect/frame/image_look.h"
#include "tools/inspector/program/program_run.h"
#include "tools/inspector/report/frame_costs.h"

namespace tessera::tools {

/// What a report is about: all of it has been computed.
struct ProgramReport {
    const ProgramSubject& subject;
    const ProgramRun& run;
    const BlockRun& block;                ///< the one that is looked at, or the groups of a shader
    const ProgramCosts* costs = nullptr;  ///< null: none
};

[[nodiscard]] nlohmann::ordered_json programJson(const ProgramReport& report);
/// One file with everything in it.
[[nodiscard]] std::string programPage(const ProgramReport& report);

/// Pictures: instructions of every block of the grid, slices below each other; or of every lane (x) of every group (y)
/// of the block.
inline constexpr std::string_view kProgramViews[] = {"blocks", "lanes"};
[[nodiscard]] HeatMap blockHeat(const ProgramSubject& subject, const ProgramRun& run);
[[nodiscard]] HeatMap laneHeat(const BlockRun& block);

/// Lanes that took part, of those that there were: "87 %".
[[nodiscard]] std::string occupancyText(const Executions& executions);
/// Where an instruction stands: "line 31", "@17" where no line is known.
[[nodiscard]] std::string placeText(const isa::Program& program, uint32_t pc);

}  // namespace tessera::tools
