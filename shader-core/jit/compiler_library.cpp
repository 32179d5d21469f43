#include "shader-core/jit/compiler_library.h"

#include "base/process/own_folder.h"
#include "base/process/own_library.h"
#include "base/process/report.h"
#include "build_id.h"

namespace tessera::jit {

namespace {

constexpr const char* kLibrary = "libtessera_llvm.so.0";
constexpr OwnLibrary kExports = {"tessera_llvm_build_id", kBuildId, "tessera_llvm_compile"};

/// Outlives static objects, as the thread that compiles does.
const std::string* const kFolder = keptFolderWith(kLibrary, reinterpret_cast<const void*>(&loadCompiler));

}  // namespace

Compiler openCompiler(const std::string& path, std::string* why) {
    return reinterpret_cast<Compiler>(openOwnLibrary(path, kExports, why));
}

Compiler openCompiler(std::string* why) {
    if (kFolder != nullptr && !kFolder->empty()) return openCompiler(*kFolder + kLibrary, why);
    *why = kFolder == nullptr ? "memory ran out when this was loaded"
                              : std::string(kLibrary) + " is not installed beside this";
    return nullptr;
}

Compiler loadCompiler() {
    std::string why;
    const Compiler compiler = openCompiler(&why);
    if (compiler == nullptr) report(Severity::Warning, "programs stay on the interpreter: %s", why.c_str());
    return compiler;
}

}  // namespace tessera::jit
