// model/presets/resources.toml as part of the program: written by CMake from the file.
#pragma once

#include <string_view>

namespace tessera::model {

[[nodiscard]] std::string_view resourceFile();

}  // namespace tessera::model
