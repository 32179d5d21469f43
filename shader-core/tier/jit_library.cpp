#include "shader-core/tier/jit_library.h"

#include "base/process/own_folder.h"
#include "base/process/own_library.h"
#include "base/process/report.h"
#include "executor_id.h"

namespace tessera::tier {

namespace {

constexpr const char* kLibrary = "libtessera_jit.so.0";
constexpr OwnLibrary kExports = {"tessera_jit_executor_id", isa::kExecutorId, "tessera_jit_executor"},
                     kBaseline = {"tessera_jit_executor_id", isa::kExecutorId, "tessera_jit_baseline_executor"};
using Entrance = void (*)(std::shared_ptr<isa::Executor>*);

/// Outlives static objects, as the thread that asks for the JIT does.
const std::string* const kFolder = keptFolderWith(kLibrary, reinterpret_cast<const void*>(&loadJit));

std::shared_ptr<isa::Executor> open(const std::string& path, const OwnLibrary& library, std::string* why) {
    const auto entrance = reinterpret_cast<Entrance>(openOwnLibrary(path, library, why));
    std::shared_ptr<isa::Executor> executor;
    if (entrance != nullptr) entrance(&executor);
    return executor;
}

std::shared_ptr<isa::Executor> open(const OwnLibrary& library, std::string* why) {
    if (kFolder != nullptr && !kFolder->empty()) return open(*kFolder + kLibrary, library, why);
    *why = kFolder == nullptr ? "memory ran out when this was loaded"
                              : std::string(kLibrary) + " is not installed beside this";
    return nullptr;
}

std::shared_ptr<isa::Executor> load(const OwnLibrary& library) {
    std::string why;
    std::shared_ptr<isa::Executor> executor = open(library, &why);
    if (executor == nullptr) report(Severity::Warning, "programs stay on the interpreter: %s", why.c_str());
    return executor;
}

}  // namespace

std::shared_ptr<isa::Executor> openJit(const std::string& path, std::string* why) { return open(path, kExports, why); }
std::shared_ptr<isa::Executor> openJit(std::string* why) { return open(kExports, why); }
std::shared_ptr<isa::Executor> loadJit() { return load(kExports); }
std::shared_ptr<isa::Executor> loadBaseline() { return load(kBaseline); }

}  // namespace tessera::tier
