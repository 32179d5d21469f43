// What there is in a frame under some words: commands, debug groups, images and buffers, lines of programs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "inspect/frame/frame_model.h"

namespace tessera::tools {

struct Found {
    std::string text;                         ///< "12 draw triangles, 660 indices", "fragment program 1:12: ..."
    size_t action = 0;                        ///< that it is, or the first of the frame that has to do with it
    uint32_t line = 0;                        ///< of the program that the action draws with; 0: it is no line
    isa::Stage stage = isa::Stage::Fragment;  ///< of the line
};
inline constexpr size_t kMostFound = 200;

/// In the order of the frame, commands first, then what they refer to, then lines; kMostFound at most. Capitals do not
/// matter.
[[nodiscard]] std::vector<Found> searchFrame(const inspect::FrameModel& model, size_t frame, std::string_view words);
/// Whether the text has the words in it; capitals do not matter.
[[nodiscard]] bool hasWords(std::string_view text, std::string_view words);

}  // namespace tessera::tools
