// Where the library or program that some code is in lies.
#pragma once

#include <string>

namespace tessera {

/// The absolute folder of the library or program that `symbol` is in, with a slash at its end; empty when it cannot be
/// known. To be asked while the library is loaded: its path may be relative, and later the working directory is
/// another one, which may hold anybody's files.
[[nodiscard]] std::string folderOf(const void* symbol);

}  // namespace tessera
