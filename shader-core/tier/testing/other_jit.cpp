// A JIT's library of another build: entered, it would give the driver an executor that it misunderstands.
#include <cstdlib>

extern "C" [[gnu::visibility("default")]] const char* tessera_jit_executor_id() { return "another"; }
extern "C" [[gnu::visibility("default")]] void tessera_jit_executor(void*) { std::abort(); }
