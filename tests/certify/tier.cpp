#include "tests/certify/tier.h"

#include <fmt/format.h>

#include <cstring>

#include "shader-core/asm/assembler.h"
#include "shader-core/interp/interpreter.h"
#include "shader-core/jit/codegen/linked_jit.h"

namespace tessera::certify {

namespace {

constexpr size_t kInputs = 16, kFirstOutput = 2, kBlockThreads = 512;

/// Instructions of a vertex program: one for each output, all with inputs of their own.
size_t instructionsOf(const Function& f) { return f.operands < 3 ? 8 : 4; }

std::string vertexText(const Function& f) {
    const size_t count = instructionsOf(f);
    std::string text = ".vertex\n", code;
    for (size_t v = 0; v < count * static_cast<size_t>(f.operands); ++v)
        text += fmt::format(".input v{0} a{0} vec4\n", v);
    for (size_t n = 0; n < count; ++n) {
        text += fmt::format(".output o{} d{} vec4\n", kFirstOutput + n, n);
        std::array<std::string, 3> sources;
        for (size_t k = 0; k < sources.size(); ++k) sources[k] = fmt::format("v{}", k * count + n);
        code += instructionText(f, fmt::format("o{}", kFirstOutput + n), sources);
    }
    return text + code + "    ret\n";
}

void runVertices(const Function& f, const isa::Routine& routine, const Operands& operands,
                 std::span<uint32_t> results) {
    isa::GroupRegister inputs[kInputs], outputs[isa::kMaxOutputs];
    isa::GroupRun run;
    run.activeMask = ~0u;
    run.inputs = inputs;
    run.outputs = outputs;
    const size_t count = instructionsOf(f), step = count * kGroupElements, bytes = step * sizeof(uint32_t);
    for (size_t first = 0; first < results.size(); first += step) {
        for (size_t k = 0; k < static_cast<size_t>(f.operands); ++k)
            std::memcpy(static_cast<void*>(&inputs[k * count]), &operands[k][first], bytes);
        routine.run(run);
        std::memcpy(&results[first], &outputs[kFirstOutput], bytes);
    }
}

std::string kernelText(const Function& f) {
    std::string text = fmt::format(
        ".compute\n.group {}\n.buffer b0 a constant\n.buffer b1 b constant\n.buffer b2 c constant\n.buffer b3 d\n"
        "    mad.i32 r0.x, block.x, group.y, group.x\n"
        "    shl.i32 r0.x, r0.x, 7\n"
        "    add.i32 r0.x, r0.x, lane.x\n"
        "    shl.i32 r0.x, r0.x, 2\n",
        kBlockThreads);
    const auto each = [&](const char* line, auto... names) {
        for (size_t c = 0; c < 4; ++c)
            text += fmt::format(fmt::runtime(line), names..., "xyzw"[c], c * kLanes * sizeof(uint32_t));
    };
    for (int k = 0; k < f.operands; ++k) each("    ld r{0}.{2}, b{1}[r0.x + {3}]\n", 1 + k, k);
    text += instructionText(f, "r4", {"r1", "r2", "r3"});
    each("    st b3[r0.x + {1}], r4.{0}\n");
    return text + "    ret\n";
}

void runKernel(const isa::Kernel& kernel, const Operands& operands, std::span<uint32_t> results) {
    isa::ComputeRun run;
    for (size_t k = 0; k < operands.size(); ++k) {
        // The kernel declares these constant.
        auto* words = const_cast<uint32_t*>(operands[k].data());
        run.buffers[k] = {reinterpret_cast<std::byte*>(words), operands[k].size_bytes()};
    }
    run.buffers[operands.size()] = {reinterpret_cast<std::byte*>(results.data()), results.size_bytes()};
    run.blockCount = results.size() / (4 * kBlockThreads);
    run.grid[0] = static_cast<uint32_t>(run.blockCount);
    kernel.run(run);
}

}  // namespace

Tier::Tier(bool isJit)
    : executor_(isJit ? jit::makeJit(simdLevel()) : interp::makeInterpreter(simdLevel())),
      prepared_(functions().size()) {}

const Tier::Prepared& Tier::prepare(size_t which) {
    Prepared& prepared = prepared_[which];
    if (prepared.routine != nullptr || prepared.kernel != nullptr) return prepared;
    const Function& function = functions()[which];
    const bool isKernel = isa::opInfo(function.op).set == isa::InstructionSet::Compute;
    assembly::AssembleResult assembled =
        assembly::assemble(isKernel ? kernelText(function) : vertexText(function), function.name);
    if (assembled.program) {
        const auto program = std::make_shared<const isa::Program>(std::move(*assembled.program));
        if (isKernel)
            prepared.kernel = executor_->prepareKernel(program, {kBlockThreads, 1, 1});
        else
            prepared.routine = executor_->prepare(program);
    }
    if (prepared.routine == nullptr && prepared.kernel == nullptr) {
        fmt::print(stderr, "certify: {} does not run\n{}", function.name, assembled.log());
        std::exit(2);
    }
    return prepared;
}

void Tier::evaluate(size_t which, const Operands& operands, std::span<uint32_t> results) {
    const Prepared& prepared = prepare(which);
    if (prepared.kernel != nullptr)
        runKernel(*prepared.kernel, operands, results);
    else
        runVertices(functions()[which], *prepared.routine, operands, results);
}

}  // namespace tessera::certify
