// Test only: executors that are wrong in a known place, so that a comparison can be seen to find it.
#pragma once

#include <array>

#include "shader-core/interp/interpreter.h"
#include "shader-core/isa/compute.h"
#include "shader-core/isa/isa.h"

namespace tessera::debug {

/// One instruction that is got wrong: the results of a float operation in some lanes, from the n-th on that a run
/// computes, have bits flipped in their first component.
struct Mistake {
    isa::Op op = isa::Op::Add;
    uint32_t lanes = 0;
    int from = 1;
    uint32_t flipped = 1;
};

/// Makes the mistake in a run of the interpreter.
class Disturb final : public interp::Observer {
public:
    Disturb(const Mistake& mistake, const isa::Program& program) : mistake_(mistake), program_(program) {}
    bool before(const interp::Step& step) override {
        Pending& last = pending_[step.group];
        for (uint32_t left = last.lanes; left != 0; left &= left - 1) {
            isa::GroupRegister& to =
                last.dst.file == isa::File::O ? step.outputs[last.dst.index] : step.temps[last.dst.index];
            float& value = to.lane[__builtin_ctz(last.dst.writeMask)][__builtin_ctz(left)];
            value = __builtin_bit_cast(float, __builtin_bit_cast(uint32_t, value) ^ mistake_.flipped);
        }
        const isa::Instruction i = *isa::decode(program_.code[step.pc]);
        const bool here = i.op == mistake_.op && i.type == isa::Type::F32;
        const uint32_t lanes = here ? step.guardedMask & mistake_.lanes : 0;
        last = {lanes != 0 && ++seen_ >= mistake_.from ? lanes : 0, i.dst};
        return true;
    }

private:
    /// What a group's last instruction got wrong, seen before its next one.
    struct Pending {
        uint32_t lanes = 0;
        isa::Destination dst;
    };
    const Mistake mistake_;
    const isa::Program& program_;
    std::array<Pending, isa::kMaxThreadBlockGroups> pending_{};
    int seen_ = 0;
};

/// Makes the mistake in groups, and in the blocks of kernels from a number on.
class WrongExecutor final : public isa::Executor {
public:
    explicit WrongExecutor(const Mistake& mistake, uint64_t fromBlock = 0) : mistake_(mistake), fromBlock_(fromBlock) {}

    std::shared_ptr<const isa::Routine> prepare(std::shared_ptr<const isa::Program> program) override {
        return std::make_shared<WrongRoutine>(mistake_, std::move(program));
    }
    std::shared_ptr<const isa::Kernel> prepareKernel(std::shared_ptr<const isa::Program> program,
                                                     std::array<uint32_t, 3> block) override {
        return std::make_shared<WrongKernel>(mistake_, fromBlock_, std::move(program), block);
    }
    std::string name() const override { return "wrong"; }

private:
    class WrongRoutine final : public isa::Routine {
    public:
        WrongRoutine(const Mistake& mistake, std::shared_ptr<const isa::Program> program)
            : mistake_(mistake), program_(program), right_(interp::makeInterpreter()->prepare(program)) {}
        void run(isa::GroupRun& run) const override {
            Disturb disturb(mistake_, *program_);
            interp::runObserved(*right_, run, disturb);
        }

    private:
        const Mistake mistake_;
        std::shared_ptr<const isa::Program> program_;
        std::shared_ptr<const isa::Routine> right_;
    };

    class WrongKernel final : public isa::Kernel {
    public:
        WrongKernel(const Mistake& mistake, uint64_t fromBlock, std::shared_ptr<const isa::Program> program,
                    std::array<uint32_t, 3> block)
            : mistake_(mistake),
              fromBlock_(fromBlock),
              program_(program),
              right_(interp::makeInterpreter()->prepareKernel(program, block)) {}
        void run(isa::ComputeRun& run) const override {
            const uint64_t first = run.firstBlock, count = run.blockCount;
            run.blockCount = 1;
            for (uint64_t n = 0; n < count && run.fault.kind == isa::FaultKind::None; ++n) {
                run.firstBlock = first + n;
                Disturb disturb(mistake_, *program_);
                if (run.firstBlock < fromBlock_)
                    right_->run(run);
                else
                    interp::runObserved(*right_, run, disturb);
            }
            run.firstBlock = first;
            run.blockCount = count;
        }

    private:
        const Mistake mistake_;
        const uint64_t fromBlock_;
        std::shared_ptr<const isa::Program> program_;
        std::shared_ptr<const isa::Kernel> right_;
    };

    const Mistake mistake_;
    const uint64_t fromBlock_;
};

}  // namespace tessera::debug
