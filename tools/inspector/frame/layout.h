// How the inspector's window is laid out, kept between runs.
#pragma once

#include <optional>
#include <string>

namespace tessera::tools {

struct Layout {
    int width = 1280, height = 800;  ///< of the window, in pixels
    float left = 0.36f;              ///< commands and state, of the width
    float top = 0.56f;               ///< commands, and the tabs beside them, of the height
    float source = 0.55f;            ///< a program's source, of what it has with its instructions
    std::string tab = "image";
    bool isLight = false;
    bool operator==(const Layout&) const = default;
};

/// What panels may have: a part of the window.
inline constexpr float kLeastPart = 0.15f, kMostPart = 0.85f;

/// $XDG_CONFIG_HOME/tessera/inspector.json, or ~/.config/tessera/inspector.json; empty when neither is known.
[[nodiscard]] std::string layoutFile();
/// The usual one where there is no such file. Nothing, and why, of a file that is wrong.
[[nodiscard]] std::optional<Layout> readLayout(const std::string& file, std::string& why);
/// Makes the folder where that is missing. False, and why, when it cannot be written.
[[nodiscard]] bool writeLayout(const std::string& file, const Layout& layout, std::string& why);

}  // namespace tessera::tools
