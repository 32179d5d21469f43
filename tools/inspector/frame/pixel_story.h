// What a frame's commands did to a pixel, in the window's and the report's words.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>

#include <nlohmann/json.hpp>

#include "inspect/frame/frame_model.h"

namespace tessera::tools {

/// `x`, `y` from the top; `histories`, each with its target's `width` and `height` and `events` as `tessera explain
/// --json` has them, with the command's `number`, what became of the pixel (`fate`) and, of draws, the `depthTest` in
/// numbers from 0 to 1; `absent`: draws to a target with such a pixel that have no event, with their `number`, and
/// `why` where a triangle would have covered it (of the first 256 such draws). Nothing where it was cancelled.
[[nodiscard]] std::optional<nlohmann::ordered_json> pixelStory(inspect::FrameModel& model, size_t frame,
                                                               std::array<int, 2> pixel,
                                                               const std::function<bool()>& isCancelled);

}  // namespace tessera::tools
