#include "api/compute/device.h"

#include <dlfcn.h>

#include <cstdio>
#include <string>

#include "base/env.h"
#include "base/own_folder.h"
#include "shader-core/interp/interpreter.h"

namespace tessera::compute {

namespace {

constexpr const char* kLibrary = "libtessera_jit.so.0";
constexpr const char* kEntrance = "tessera_jit_compute_executor";
using Entrance = void (*)(std::shared_ptr<isa::ComputeExecutor>*);

const std::string kFolder = folderWith(kLibrary, reinterpret_cast<const void*>(&openDevice));

std::shared_ptr<isa::ComputeExecutor> loadJit() {
    void* library = kFolder.empty() ? nullptr : dlopen((kFolder + kLibrary).c_str(), RTLD_LAZY | RTLD_LOCAL);
    const auto entrance = library != nullptr ? reinterpret_cast<Entrance>(dlsym(library, kEntrance)) : nullptr;
    if (entrance == nullptr) {
        const char* why = kFolder.empty() ? "libtessera_jit.so.0 is not installed beside this" : dlerror();
        if (logLevel() >= 2) std::fprintf(stderr, "tessera: kernels stay on the interpreter: %s\n", why);
        return nullptr;
    }
    std::shared_ptr<isa::ComputeExecutor> executor;
    entrance(&executor);
    return executor;
}

}  // namespace

std::optional<Tier> tierByName(std::string_view name) {
    if (name == "interp") return Tier::Interp;
    if (name == "jit" || name == "tiered") return Tier::Jit;
    return std::nullopt;
}

Tier tierFromEnvironment() { return tierByName(envString("TESSERA_TIER", "jit")).value_or(Tier::Jit); }

std::shared_ptr<Device> openDevice(Tier tier, int threads) {
    reportEnvProblems();
    const std::shared_ptr<isa::ComputeExecutor> reference = interp::makeComputeInterpreter(simdLevel());
    std::shared_ptr<isa::ComputeExecutor> executor = tier == Tier::Jit ? loadJit() : nullptr;
    if (executor == nullptr) executor = reference;
    return std::make_shared<Device>(std::move(executor), reference, threads);
}

}  // namespace tessera::compute
