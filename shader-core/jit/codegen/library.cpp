// What libtessera_llvm.so.0 exports; shader-core/jit/compiler_library.cpp opens it.
#include "build_id.h"
#include "shader-core/jit/codegen/compiler.h"
#include "shader-core/jit/codegen/load_reserve.h"

/// What the compiler was made from. Asked by the one that has opened the library.
extern "C" [[gnu::visibility("default")]] const char* tessera_llvm_build_id() {
    tessera::jit::isLoading = false;
    return tessera::jit::kBuildId;
}

/// A Compiler.
extern "C" [[gnu::visibility("default")]] void tessera_llvm_compile(const tessera::isa::Program& program,
                                                                    const tessera::jit::Target& target,
                                                                    tessera::jit::CompileResult& result) {
    tessera::jit::compile(program, target, result);
}
