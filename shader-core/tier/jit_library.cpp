#include "shader-core/tier/jit_library.h"

#include "base/process/own_folder.h"
#include "base/process/own_library.h"
#include "base/process/report.h"
#include "executor_id.h"

namespace tessera::tier {

namespace {

constexpr const char* kLibrary = "libtessera_jit.so.0";
constexpr OwnLibrary kExports = {"tessera_jit_executor_id", isa::kExecutorId, "tessera_jit_executor"};
using Entrance = void (*)(std::shared_ptr<isa::Executor>*);

/// Outlives static objects, as the thread that asks for the JIT does.
const std::string* const kFolder = keptFolderWith(kLibrary, reinterpret_cast<const void*>(&loadJit));

}  // namespace

std::shared_ptr<isa::Executor> openJit(const std::string& path, std::string* why) {
    const auto entrance = reinterpret_cast<Entrance>(openOwnLibrary(path, kExports, why));
    std::shared_ptr<isa::Executor> executor;
    if (entrance != nullptr) entrance(&executor);
    return executor;
}

std::shared_ptr<isa::Executor> openJit(std::string* why) {
    if (kFolder != nullptr && !kFolder->empty()) return openJit(*kFolder + kLibrary, why);
    *why = kFolder == nullptr ? "memory ran out when this was loaded"
                              : std::string(kLibrary) + " is not installed beside this";
    return nullptr;
}

std::shared_ptr<isa::Executor> loadJit() {
    std::string why;
    std::shared_ptr<isa::Executor> executor = openJit(&why);
    if (executor == nullptr) report(Severity::Warning, "programs stay on the interpreter: %s", why.c_str());
    return executor;
}

}  // namespace tessera::tier
