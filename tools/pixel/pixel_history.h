// A pixel recorder's report for people.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace tessera::tools {

struct HistoryStyle {
    bool bottomUp = false;
    bool allTargets = false;  ///< not only the surface
};
/// The report is the driver's own; a report of another shape gives less text, no trouble.
[[nodiscard]] std::string historyText(const nlohmann::json& report, HistoryStyle style);

/// The `events` of a report with their `commands`, and what the last one left unless a `copy` went over it
/// (tools/pixel/recorded_pixel.h).
[[nodiscard]] std::string eventsText(const nlohmann::json& report);

/// Whether the surface, where there is one, has all pixels that were asked for.
[[nodiscard]] bool isOnSurface(const nlohmann::json& report);

/// "3: glDrawArrays(GL_TRIANGLES, 0, 36), program 2"
[[nodiscard]] std::string commandText(const nlohmann::json& command);

}  // namespace tessera::tools
