// Whole files that a user named, of whatever kind they are.
#pragma once

#include <cstdio>
#include <optional>
#include <string>

namespace tessera {

/// The bytes of a file or pipe; nothing, and `why` ("it is a folder"), when they cannot be read. Devices, some of which
/// never end, and what is larger than 4 GiB are refused.
[[nodiscard]] std::optional<std::string> readWholeFile(const std::string& path, std::string& why);

/// What is left of an open one, of any kind.
[[nodiscard]] std::optional<std::string> readRest(std::FILE* file, std::string& why);

}  // namespace tessera
