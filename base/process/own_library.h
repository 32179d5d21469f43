// Libraries of the same build that are opened when they are needed.
#pragma once

#include <string>

namespace tessera {

/// What such a library exports.
struct OwnLibrary {
    const char* identity;  ///< a function without arguments that gives the text `build`
    const char* build;
    const char* entrance;
};

/// The address of the entrance of the library at `path`. Null, with a reason, when it does not load, is another library
/// or of another build, whose code would misunderstand this one's. It is never closed.
[[nodiscard]] void* openOwnLibrary(const std::string& path, const OwnLibrary& library, std::string* why);

}  // namespace tessera
