// A library in the JIT's place whose executor gets the red of texture lookups wrong in lane 5 of either
// half of a group, which is the same pixel of every 4x4 block.
#include "tests/debug/wrong_executor.h"

extern "C" __attribute__((visibility("default"))) void tessera_jit_executor(
    std::shared_ptr<tessera::isa::Executor>* executor);

void tessera_jit_executor(std::shared_ptr<tessera::isa::Executor>* executor) {
    *executor = std::make_shared<tessera::debug::WrongExecutor>(tessera::isa::Op::Tex, 0x00200020, 1, 1u << 21);
}
