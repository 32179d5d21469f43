#include "shader-core/tier/jit_library.h"

#include <doctest/doctest.h>

using namespace tessera;

TEST_CASE("a JIT of another build is refused before it is entered") {
    std::string why;
    CHECK(tier::openJit(TESSERA_OTHER_JIT, &why) == nullptr);
    CHECK(why == std::string(TESSERA_OTHER_JIT) + " is of another build");
}

TEST_CASE("a library that is missing, or no JIT, is named") {
    std::string why;
    CHECK(tier::openJit("/nowhere/libtessera_jit.so.0", &why) == nullptr);
    CHECK(why.find("/nowhere/libtessera_jit.so.0") != std::string::npos);
    CHECK(tier::openJit("libc.so.6", &why) == nullptr);
    CHECK(why.find("tessera_jit_executor") != std::string::npos);
}
