// model/presets/resources.toml and model/devices as part of the program: written by CMake from the files.
#pragma once

#include <span>
#include <string_view>

namespace tessera::model {

[[nodiscard]] std::string_view resourceFile();

struct EmbeddedDevice {
    std::string_view name, text;
};
[[nodiscard]] std::span<const EmbeddedDevice> embeddedDevices();

}  // namespace tessera::model
