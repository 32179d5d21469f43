// What pictures of figures share: the look of their text and lines, light and dark.
#pragma once

#include <string>
#include <string_view>

namespace tessera {

/// The element's start with its style. Classes: title, small, grid; lines and marks add their own.
[[nodiscard]] std::string svgHead(double width, double height, std::string_view ownStyle = "");
/// Text as it may stand in an element.
[[nodiscard]] std::string svgText(std::string_view text);

}  // namespace tessera
