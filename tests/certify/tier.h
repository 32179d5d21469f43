// Runs the functions on a tier, at the process's SIMD level.
//
// What programs that draw may use runs as a vertex program: inputs v, outputs o, as many instructions as there are
// registers. The compute set runs as a kernel between buffers.
#pragma once

#include <memory>

#include "shader-core/isa/compute.h"
#include "shader-core/isa/executor.h"
#include "tests/certify/functions.h"

namespace tessera::certify {

/// For one thread.
class Tier {
public:
    explicit Tier(bool isJit);

    /// `results` has a multiple of 2,048 elements. Ends the process, with a message, when the function does not run.
    void evaluate(size_t which, const Operands& operands, std::span<uint32_t> results);

private:
    struct Prepared {
        std::shared_ptr<const isa::Routine> routine;
        std::shared_ptr<const isa::Kernel> kernel;
    };
    const Prepared& prepare(size_t which);

    std::shared_ptr<isa::Executor> executor_;
    std::vector<Prepared> prepared_;
};

}  // namespace tessera::certify
