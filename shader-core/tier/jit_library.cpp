#include "shader-core/tier/jit_library.h"

#include <dlfcn.h>

#include <cstdio>

#include "base/env.h"
#include "base/own_folder.h"
#include "executor_id.h"

namespace tessera::tier {

namespace {

constexpr const char* kLibrary = "libtessera_jit.so.0";
constexpr const char* kIdentity = "tessera_jit_executor_id";
constexpr const char* kEntrance = "tessera_jit_executor";
using Identity = const char* (*)();
using Entrance = void (*)(std::shared_ptr<isa::Executor>*);

/// Outlives static objects, as the thread that asks for the JIT does.
const std::string& kFolder = *new std::string(folderWith(kLibrary, reinterpret_cast<const void*>(&loadJit)));

}  // namespace

std::shared_ptr<isa::Executor> openJit(const std::string& path, std::string* why) {
    void* library = dlopen(path.c_str(), RTLD_LAZY | RTLD_LOCAL);
    const auto identity = library != nullptr ? reinterpret_cast<Identity>(dlsym(library, kIdentity)) : nullptr;
    const auto entrance = library != nullptr ? reinterpret_cast<Entrance>(dlsym(library, kEntrance)) : nullptr;
    if (entrance == nullptr) {
        const char* said = dlerror();
        *why = said != nullptr ? said : path + " is no JIT";
        return nullptr;
    }
    if (identity == nullptr || std::string(identity()) != isa::kExecutorId) {
        *why = path + " is of another build";
        return nullptr;
    }
    std::shared_ptr<isa::Executor> executor;
    entrance(&executor);
    return executor;
}

std::shared_ptr<isa::Executor> openJit(std::string* why) {
    if (!kFolder.empty()) return openJit(kFolder + kLibrary, why);
    *why = std::string(kLibrary) + " is not installed beside this";
    return nullptr;
}

std::shared_ptr<isa::Executor> loadJit() {
    std::string why;
    std::shared_ptr<isa::Executor> executor = openJit(&why);
    if (executor == nullptr && logLevel() >= 2)
        std::fprintf(stderr, "tessera: programs stay on the interpreter: %s\n", why.c_str());
    return executor;
}

}  // namespace tessera::tier
