#include "shader-core/jit/compiler_library.h"

#include <doctest/doctest.h>

using namespace tessera;

TEST_CASE("a compiler that is missing, or none, is named") {
    std::string why;
    CHECK(!jit::openCompiler("/nowhere/libtessera_llvm.so.0", &why));
    CHECK(why.find("/nowhere/libtessera_llvm.so.0") != std::string::npos);
    CHECK(!jit::openCompiler("libc.so.6", &why));
    CHECK(why.find("tessera_llvm_compile") != std::string::npos);
}

TEST_CASE("a compiler of another build is refused before it is entered") {
    std::string why;
    CHECK(!jit::openCompiler(TESSERA_OTHER_COMPILER, &why));
    CHECK(why == std::string(TESSERA_OTHER_COMPILER) + " is of another build");
}
