// A compiler's library of another build: entered, it would give the JIT code that it misunderstands.
#include <cstdlib>

extern "C" [[gnu::visibility("default")]] const char* tessera_llvm_build_id() { return "another"; }
extern "C" [[gnu::visibility("default")]] void tessera_llvm_compile() { std::abort(); }
