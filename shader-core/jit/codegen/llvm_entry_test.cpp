// Whatever ends LLVM ends neither the process nor what is compiled already.
#include "shader-core/jit/codegen/llvm_entry.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <atomic>
#include <new>
#include <thread>

#include <llvm/Support/ErrorHandling.h>

#include "base/testing/process.h"
#include "shader-core/interp/testing/group.h"
#include "shader-core/jit/codegen/linked_jit.h"

using namespace tessera;
using interp::TestGroup;

namespace {

std::shared_ptr<isa::Program> doubling() {
    using interp::make;
    using interp::reg;
    return interp::makeProgram(
        {make(isa::Op::Add, isa::Type::F32, isa::File::O, 0, {reg(isa::File::V, 0), reg(isa::File::V, 0)}),
         interp::control(isa::Op::Ret)});
}

bool doubles(const isa::Routine& routine) {
    TestGroup group;
    for (float& x : group.inputs[0].lane[0]) x = 1.5f;
    routine.run(group.run);
    return group.outputs[0].lane[0][7] == 3;
}

/// In a child, as LLVM is lost for good: `end` leaves it while another thread waits to enter.
bool survives(llvm::function_ref<void()> end) {
    const auto goesOn = [&] {
        const auto executor = jit::makeJit(kLeastSimdLevel);
        auto compiled = executor->prepare(doubling());
        bool right = compiled != nullptr && doubles(*compiled);
        std::atomic<bool> isInside = false, isRefused = false;
        std::thread waiting([&] {
            while (!isInside) std::this_thread::yield();
            isRefused = executor->prepare(doubling()) == nullptr;
        });
        right &= !jit::enterLlvm([&] {
            isInside = true;
            end();
        });
        waiting.join();
        right &= isRefused && executor->prepare(doubling()) == nullptr && !jit::enterLlvm([] {}) && doubles(*compiled);
        compiled.reset();
        return right;
    };
    return testing::inChild(goesOn, _exit);
}

}  // namespace

TEST_CASE("LLVM is left where it cannot go on, and not entered again") {
    CHECK(survives([] { llvm::report_bad_alloc_error("no memory"); }));
    CHECK(survives([] { llvm::report_fatal_error("no such instruction"); }));
    CHECK(survives([] { throw std::bad_alloc(); }));
}
