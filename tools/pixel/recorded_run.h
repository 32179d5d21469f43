// The recording that a verb looks for a pixel in: a file, or what a program draws, and what it is told of it.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>

#include "tools/commands/recording.h"
#include "tools/pixel/probe_run.h"
#include "tools/pixel/recorded_pixel.h"

namespace tessera::tools {

/// --follow, --picture, --command, --image, --keep.
void addRecordedOptions(CLI::App& verb, RecordedOptions& options);

/// Whether they are about a recording: the program is one, or an option is given that wants one.
[[nodiscard]] bool isAboutRecording(const FrameOptions& frame, const RecordedOptions& options);

/// False, and a message printed, when one of the options was given: they do nothing for a recording. Of a file that
/// are also those of programs.
[[nodiscard]] bool suitRecording(const CLI::App& verb, const FrameOptions& frame,
                                 std::initializer_list<const char*> others);

/// The file, or what the program draws up to the frame; all that it draws where a picture, a command or an image is
/// named. Nothing, with a message and `status`.
[[nodiscard]] std::optional<Recording> openRecording(const FrameOptions& frame, const RecordedOptions& options,
                                                     int& status);

[[nodiscard]] PixelChoice choiceOf(const FrameOptions& frame, const RecordedOptions& options, std::array<int, 2> pixel);

/// "tessera dbg --pixel 3,4 --command 5 gears.tsc"; empty where the recording is not kept.
[[nodiscard]] std::string debuggedBy(const FrameOptions& frame, const RecordedOptions& options,
                                     std::array<int, 2> pixel);

}  // namespace tessera::tools
