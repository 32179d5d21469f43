// Reading and writing files for the verbs, with messages for the user on standard error.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "shader-core/asm/expander.h"
#include "shader-core/isa/program.h"

namespace tessera::tools {

inline constexpr int kDone = 0, kWrongInput = 1, kTrouble = 2;

/// "-" is standard input or output. Nothing, and a message printed, when it fails.
[[nodiscard]] std::optional<std::string> readFile(const std::string& path);
/// The same of a file that a driver records into (base/process/recording_file.h). Says which recordings beside it came
/// to nothing since, or are still to come.
[[nodiscard]] std::optional<std::string> readRecorded(const std::string& path);
/// A file is written whole or stays as it was (base/process/write_file.h).
[[nodiscard]] bool writeFile(const std::string& path, std::span<const std::byte> bytes);
[[nodiscard]] bool writeFile(const std::string& path, const std::string& text);

/// False, and a message printed, when what is to be written is one of the files that were read.
[[nodiscard]] bool isDistinct(const std::string& output, std::span<const std::string> inputs);

/// Files that assembly text includes, named relative to the file that includes them.
[[nodiscard]] assembly::IncludedFile readIncluded(const std::string& path, const std::string& from);

/// A program from .tsb bytes or assembly text, whichever the contents are; verified. `status` says why not.
[[nodiscard]] std::optional<isa::Program> readProgram(const std::string& path, int& status);

/// The same from the contents of the file.
[[nodiscard]] std::optional<isa::Program> programOf(const std::string& contents, const std::string& path, int& status);

/// What is wrong with a text, "file:line:column: what", as "file:line:column: error: what".
void printLocated(std::string_view problem);

/// The log of a link, "ERROR: text" on each line, as "file: error: text".
void printLinkLog(const std::string& file, std::string_view log);

/// Whether it is a recorded command stream, by what it begins with or by its name: FILE.tsc, or FILE.tsc.compute-1 of a
/// compute device.
[[nodiscard]] bool isCommandStream(const std::string& path);

/// The first four bytes, which say what kind of file it is; fewer of what is shorter, none of what is no file.
[[nodiscard]] std::string magicOf(const std::string& path);

/// `path` with another ending.
[[nodiscard]] std::string withEnding(const std::string& path, const char* ending);

}  // namespace tessera::tools
