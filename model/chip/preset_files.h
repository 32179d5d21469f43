// The presets of model/presets/ as they are part of the program: written by CMake from the files.
#pragma once

#include <span>
#include <string_view>

namespace tessera::model {

struct EmbeddedPreset {
    std::string_view name, text;
};
/// "tessera" first, the others in the order of model/CMakeLists.txt.
[[nodiscard]] std::span<const EmbeddedPreset> embeddedPresets();
/// Those of model/memories/.
[[nodiscard]] std::span<const EmbeddedPreset> embeddedMemories();

}  // namespace tessera::model
