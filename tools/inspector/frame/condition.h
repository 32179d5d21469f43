// Frames by what they show: the first one in which a pixel has a color, or has it not.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "inspect/frame/frame_model.h"

namespace tessera::tools {

struct PixelCondition {
    int x = 0, y = 0;  ///< from the top
    bool isEqual = true;
    std::array<uint8_t, 3> color{};  ///< red, green, blue
};

/// "400,300=red", "400,300!=#102030"; blanks do not matter. Nothing, and what is wrong, of other texts.
[[nodiscard]] std::optional<PixelCondition> readCondition(std::string_view text, std::string& why);

/// The first frame whose surface, as the frame leaves it, meets the condition; nothing where none does. Pixels outside
/// of a surface have no color.
[[nodiscard]] std::optional<size_t> firstFrame(inspect::FrameModel& model, const PixelCondition& condition);

}  // namespace tessera::tools
