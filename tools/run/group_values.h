// Numbers of the command line: values for lanes, written as tools/run/group_input.cpp tells the user.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::tools {

[[nodiscard]] std::optional<int> parseInteger(std::string_view text);

/// The bits of each component, for one lane that serves all or for each of `lanes`. Nothing, and `problem` with the
/// column of VALUE where it stands, when the text is no value.
[[nodiscard]] std::optional<std::vector<std::vector<uint32_t>>> parseLanes(std::string_view text, int lanes,
                                                                           bool integers, std::string& problem);

}  // namespace tessera::tools
