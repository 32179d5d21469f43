// Recorded command streams as verbs read them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/frame_range.h"
#include "pipeline/recording/decode.h"

namespace tessera::tools {

/// A stream, and the bytes that it points into.
struct Recording {
    std::string bytes;
    pipeline::CommandStream stream;
};

/// Reads the file. Of one that is cut off what is whole, and a warning that says how much that is, unless it
/// `mayBeCut`. Nothing, with a message and `status`, when there is nothing to be read.
[[nodiscard]] std::optional<Recording> readRecording(const std::string& path, int& status, bool mayBeCut = false);

/// Runs the program, with its arguments, until it has drawn these frames, from 1, and ends it. `timeout`: seconds until
/// it must have loaded Tessera; `option` is what names the frames, for advice. Nothing, with a message and `status`,
/// when they do not come (tools/running_program.h).
[[nodiscard]] std::optional<Recording> recordProgram(const std::vector<std::string>& program, FrameRange frames,
                                                     int timeout, const char* option, int& status);
/// The same of a program that may have no frames, as without a surface: what it drew until it ended is taken then. No
/// `frames`: all that it draws until it ends by itself.
[[nodiscard]] std::optional<Recording> recordWhatItDraws(const std::vector<std::string>& program,
                                                         std::optional<FrameRange> frames, int timeout, int& status);

}  // namespace tessera::tools
