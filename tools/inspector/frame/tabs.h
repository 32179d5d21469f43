// What the inspector's window can show at its right, by name.
#pragma once

#include <cstdint>
#include <string_view>

namespace tessera::tools {

enum class Tab : uint8_t { Image, Textures, Mesh, Vertices, Pixel, Debugger, Chip };
inline constexpr std::string_view kTabWords[] = {"image", "textures", "mesh", "vertices", "pixel", "debugger", "chip"};

}  // namespace tessera::tools
