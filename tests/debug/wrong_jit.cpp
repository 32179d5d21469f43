// A library in the JIT's place whose executor is wrong in two ways: programs that normalise get the x of every normal
// wrong, all others the red of texture lookups in lane 5 of either half of a group, the same pixel of every 4x4 block.
// Its kernels get float additions of lane 7 wrong in all blocks but the first three.
#include <algorithm>

#include "executor_id.h"
#include "shader-core/isa/program.h"
#include "tests/debug/wrong_executor.h"

namespace tessera::debug {
namespace {

class WrongJit final : public isa::Executor {
public:
    std::shared_ptr<const isa::Routine> prepare(std::shared_ptr<const isa::Program> program) override {
        const bool normalises = std::any_of(program->code.begin(), program->code.end(), [](const isa::Word& word) {
            const std::optional<isa::Instruction> i = isa::decode(word);
            return i && i->op == isa::Op::Nrm;
        });
        return (normalises ? normals_ : lookups_).prepare(std::move(program));
    }
    std::shared_ptr<const isa::Kernel> prepareKernel(std::shared_ptr<const isa::Program> program,
                                                     std::array<uint32_t, 3> block) override {
        return kernels_.prepareKernel(std::move(program), block);
    }
    std::string name() const override { return "wrong"; }

private:
    WrongExecutor normals_{Mistake{isa::Op::Nrm, ~0u, 1, 1u << 21}},
        lookups_{Mistake{isa::Op::Tex, 0x00200020, 1, 1u << 21}},
        kernels_{Mistake{isa::Op::Add, 1u << 7, 1, 1u << 21}, 3};
};

}  // namespace
}  // namespace tessera::debug

extern "C" __attribute__((visibility("default"))) const char* tessera_jit_executor_id();
extern "C" __attribute__((visibility("default"))) void tessera_jit_executor(
    std::shared_ptr<tessera::isa::Executor>* executor);

const char* tessera_jit_executor_id() { return tessera::isa::kExecutorId; }

void tessera_jit_executor(std::shared_ptr<tessera::isa::Executor>* executor) {
    *executor = std::make_shared<tessera::debug::WrongJit>();
}
