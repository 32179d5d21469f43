// Where the library or program that some code is in lies, and the libraries that were installed with it.
#pragma once

#include <string>

namespace tessera {

/// The absolute folder of the library or program that `symbol` is in, with a slash at its end; empty when it cannot be
/// known. To be asked while the library is loaded: its path may be relative, and later the working directory is
/// another one, which may hold anybody's files.
[[nodiscard]] std::string folderOf(const void* symbol);

/// Where the installed library `file` is for the code at `symbol`: that code's own folder, or beside it lib or Debian's
/// lib/x86_64-linux-gnu, for programs in bin. As folderOf() says it; empty when it is in none of them.
[[nodiscard]] std::string folderWith(const char* file, const void* symbol);

/// The same for a static object, kept for as long as the process lives; null when memory ran out. It does not throw:
/// an exception of a library's static object leaves dlopen() with the dynamic linker's lock held, for ever.
[[nodiscard]] const std::string* keptFolderWith(const char* file, const void* symbol) noexcept;

}  // namespace tessera
