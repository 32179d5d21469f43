// Executor and routine of the interpreter: prepares programs, lends registers to runs, and picks the SIMD level.
#include "shader-core/interp/interpreter.h"

#include <cstring>
#include <string>

#include "base/check.h"
#include "base/process/env.h"
#include "base/simd.h"
#include "shader-core/interp/levels.h"
#include "shader-core/isa/program.h"

namespace tessera::interp {

namespace {

/// Temporaries of the group a thread is running, kept between runs. Contents are left over from earlier groups:
/// what a run may read before writing it is zeroed by the run.
class Arena {
public:
    isa::GroupRegister* reserve(size_t count) {
        if (count > capacity_) {
            registers_ = std::make_unique<isa::GroupRegister[]>(count);
            capacity_ = count;
        }
        return registers_.get();
    }

private:
    std::unique_ptr<isa::GroupRegister[]> registers_;
    size_t capacity_ = 0;
};

/// s3: the lane number in x, zero elsewhere.
struct LaneRegister {
    alignas(64) int32_t lane[4][isa::kGroupSize] = {};
    constexpr LaneRegister() {
        for (int i = 0; i < isa::kGroupSize; ++i) lane[0][i] = i;
    }
};
constexpr LaneRegister kLaneRegister;

/// Handlers only read through the bases of inputs, constants, specials and immediates.
template <class T>
std::byte* base(const T* p) {
    return reinterpret_cast<std::byte*>(const_cast<T*>(p));
}

/// What a compute program finds that is run as a single group: no memory.
ThreadBlockMemory& noMemory() {
    thread_local ThreadBlockMemory none;
    return none;
}

class InterpreterRoutine final : public isa::Routine {
public:
    InterpreterRoutine(Program program, LevelFunctions functions)
        : program_(std::move(program)), functions_(functions) {
        chooseHandlers(program_, functions_);
    }

    void run(isa::GroupRun& run) const override { runGroup(run, nullptr); }

    void runGroup(isa::GroupRun& run, Observer* observer) const {
        thread_local Arena arena;
        const isa::Program& source = *program_.source;
        isa::GroupRegister* registers = arena.reserve(size_t{source.tempCount} + kExtraRegisters);
        isa::GroupRegister* address = registers + source.tempCount;

        Machine machine;
        machine.base[kBaseTemp] = base(registers);
        machine.base[kBaseInput] = base(run.inputs);
        machine.base[kBaseConstant] = base(run.constants);
        machine.base[kBaseOutput] = base(run.outputs);
        machine.base[kBaseAddress] = base(address);
        machine.base[kBaseSpecial] = base(run.specials);
        machine.base[kBaseImmediate] = base(program_.immediates.data());
        machine.base[kBaseLane] = base(&kLaneRegister);
        machine.base[kBaseScratch] = base(address + 1);
        machine.code = program_.code.data();
        machine.program = &source;
        machine.run = &run;
        if (source.stage == isa::Stage::Compute) machine.memory = &noMemory();
        machine.launch = machine.whole = machine.exec = run.activeMask;
        // Quads with lanes that are not launched see their registers, which are zero. No pipeline has such quads.
        if (source.usesDerivatives && run.activeMask != isa::wholeQuads(run.activeMask)) {
            machine.whole = ~0u;
            std::memset(base(registers), 0, size_t{source.tempCount} * kRegisterBytes);
        }

        for (const uint32_t offset : program_.zeroTemps) std::memset(base(registers) + offset, 0, kComponentBytes);
        for (const uint32_t offset : program_.zeroOutputs) std::memset(base(run.outputs) + offset, 0, kComponentBytes);
        if (program_.usesAddress) std::memset(address, 0, sizeof *address);
        run.killMask = 0;
        run.budgetExceeded = false;
        run.instructions = 0;

        functions_.execute(machine, observer);

        const uint32_t wanted = run.activeMask & ~(run.killMask | run.helperMask);
        if (run.budgetExceeded || wanted == 0)
            clearOutputs(run, ~0u);
        else if (run.activeMask != ~0u)
            clearOutputs(run, ~run.activeMask);
    }

private:
    void clearOutputs(isa::GroupRun& run, uint32_t lanes) const {
        for (const int number : program_.source->outputMask) {
            isa::GroupRegister& output = run.outputs[number];
            for (auto& component : output.lane)
                for (int half = 0; half < isa::kGroupSize; half += kBlockLanes) {
                    const Mask16 cleared = fromBits(lanes >> half & 0xFFFF);
                    store(component + half, select(cleared, splat(0.0f), load<F32x16>(component + half)));
                }
        }
    }

    Program program_;
    LevelFunctions functions_;
};

class Interpreter final : public isa::Executor {
public:
    explicit Interpreter(SimdLevel level) : level_(level) {}

    std::shared_ptr<const isa::Routine> prepare(std::shared_ptr<const isa::Program> program) override {
        return std::make_shared<InterpreterRoutine>(decodeProgram(std::move(program)), functionsOf(level_));
    }
    std::shared_ptr<const isa::Kernel> prepareKernel(std::shared_ptr<const isa::Program> program,
                                                     std::array<uint32_t, 3> block) override {
        return makeKernel(decodeProgram(std::move(program)), block, functionsOf(level_));
    }
    std::string name() const override { return "interp"; }

private:
    SimdLevel level_;
};

}  // namespace

LevelFunctions functionsOf(SimdLevel level) {
    return {TESSERA_SIMD_COPY(level, handlerFor), TESSERA_SIMD_COPY(level, subsetHandler),
            TESSERA_SIMD_COPY(level, execute), TESSERA_SIMD_COPY(level, resume)};
}

void chooseHandlers(Program& program, const LevelFunctions& functions) {
    for (Decoded& d : program.code) {
        d.handler = functions.handlerFor(d);
        if (d.handler == nullptr || (d.subsetWidth == 0 && d.subsetDepth == 0)) continue;
        d.whole = d.handler;
        d.handler = functions.subsetHandler();
    }
}

std::byte* laneRegister() { return base(&kLaneRegister); }

std::shared_ptr<isa::Executor> makeInterpreter() { return makeInterpreter(simdLevel()); }
std::shared_ptr<isa::Executor> makeInterpreter(SimdLevel level) { return std::make_shared<Interpreter>(level); }

void runObserved(const isa::Routine& routine, isa::GroupRun& run, Observer& observer) {
    const auto* own = dynamic_cast<const InterpreterRoutine*>(&routine);
    CHECK(own != nullptr);
    own->runGroup(run, &observer);
}

}  // namespace tessera::interp
