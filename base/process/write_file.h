// Files that a user named, written whole or not at all: beside the file, then renamed. What had the name is there until
// what takes its place is whole, whatever ends the process and however full the disk is.
#pragma once

#include <string>
#include <string_view>

namespace tessera {

/// Where a path leads that is to be written.
struct WrittenPlace {
    std::string path;  ///< without links: renaming replaces what has the name, and a link would be gone
    /// A file, or nothing yet: what is written takes its name. Else what is there is written into: a pipe, a device, or
    /// what a process has open (/dev/stdout), which others may be writing into as well.
    bool isReplaced = true;
};
[[nodiscard]] WrittenPlace writtenPlace(const std::string& path);

/// False, and `why` ("No space left on device"), when they cannot be written; then a file is as it was.
[[nodiscard]] bool writeWholeFile(const std::string& path, std::string_view bytes, std::string& why);

}  // namespace tessera
