#include "base/process/own_library.h"

#include <dlfcn.h>

namespace tessera {

void* openOwnLibrary(const std::string& path, const OwnLibrary& library, std::string* why) {
    void* handle = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
    const auto identity =
        handle != nullptr ? reinterpret_cast<const char* (*)()>(dlsym(handle, library.identity)) : nullptr;
    void* entrance = handle != nullptr ? dlsym(handle, library.entrance) : nullptr;
    if (entrance == nullptr) {
        const char* said = dlerror();
        *why = said != nullptr ? said : path + " has no " + library.entrance;
        return nullptr;
    }
    if (identity == nullptr || std::string(identity()) != library.build) {
        *why = path + " is of another build";
        return nullptr;
    }
    return entrance;
}

}  // namespace tessera
