// Recorded command streams as verbs read them.
#pragma once

#include <optional>
#include <string>

#include "pipeline/recording/decode.h"

namespace tessera::tools {

/// A stream, and the bytes that it points into.
struct Recording {
    std::string bytes;
    pipeline::CommandStream stream;
};

/// Reads the file. Of one that is cut off what is whole, and a warning that says how much that is. Nothing, with a
/// message and `status`, when there is nothing to be read.
[[nodiscard]] std::optional<Recording> readRecording(const std::string& path, int& status);

}  // namespace tessera::tools
