// Programs (program.h): the verifier refuses them or they run, at every SIMD level alike, within their budget.
#include "tests/fuzz/execute.h"
#include "tests/fuzz/program.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tessera;
    fuzz::Input in(data, size);
    const fuzz::SeededProgram made = fuzz::programOf(in);
    if (isa::verify(*made.program).empty()) fuzz::execute(made.program, made.seed);
    return 0;
}
