#include "api/icd/jit_library.h"

#include <dlfcn.h>

#include <cstdio>
#include <string>

#include "base/env.h"

namespace tessera::icd {

namespace {

constexpr const char* kLibrary = "libtessera_jit.so.0";
constexpr const char* kEntrance = "tessera_jit_executor";
using Entrance = void (*)(std::shared_ptr<isa::Executor>*);

/// The directory of the library this code is in.
std::string ownDirectory() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&loadJit), &info) == 0 || info.dli_fname == nullptr) return {};
    const std::string path = info.dli_fname;
    const size_t slash = path.rfind('/');
    return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

void warn(const char* why) {
    if (logLevel() >= 2) std::fprintf(stderr, "tessera: shaders stay on the interpreter: %s\n", why);
}

}  // namespace

std::shared_ptr<isa::Executor> loadJit() {
    void* library = dlopen((ownDirectory() + kLibrary).c_str(), RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr) {
        warn(dlerror());
        return nullptr;
    }
    const auto entrance = reinterpret_cast<Entrance>(dlsym(library, kEntrance));
    if (entrance == nullptr) {
        warn(dlerror());
        return nullptr;
    }
    std::shared_ptr<isa::Executor> executor;
    entrance(&executor);
    return executor;
}

}  // namespace tessera::icd
