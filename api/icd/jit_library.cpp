#include "api/icd/jit_library.h"

#include <dlfcn.h>

#include <cstdio>
#include <string>

#include "base/env.h"
#include "base/own_folder.h"

namespace tessera::icd {

namespace {

constexpr const char* kLibrary = "libtessera_jit.so.0";
constexpr const char* kEntrance = "tessera_jit_executor";
using Entrance = void (*)(std::shared_ptr<isa::Executor>*);

/// Outlives static objects, as the thread that asks for the JIT does.
const std::string& kFolder = *new std::string(folderOf(reinterpret_cast<const void*>(&loadJit)));

void warn(const char* why) {
    if (logLevel() >= 2) std::fprintf(stderr, "tessera: shaders stay on the interpreter: %s\n", why);
}

}  // namespace

std::shared_ptr<isa::Executor> loadJit() {
    if (kFolder.empty()) {
        warn("the folder of the driver is not known");
        return nullptr;
    }
    void* library = dlopen((kFolder + kLibrary).c_str(), RTLD_LAZY | RTLD_LOCAL);
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
