// Test only: an executor that is wrong in a known place, so that a comparison can be seen to find it.
#pragma once

#include "shader-core/interp/interpreter.h"

namespace tessera::debug {

/// An interpreter that gets one instruction wrong: the results of an operation in some lanes, from the n-th on that
/// they compute, have bits flipped.
class WrongExecutor final : public isa::Executor {
public:
    WrongExecutor(isa::Op op, uint32_t lanes, int from, uint32_t flipped = 1)
        : op_(op), lanes_(lanes), from_(from), flipped_(flipped) {}

    std::shared_ptr<const isa::Routine> prepare(std::shared_ptr<const isa::Program> program) override {
        return std::make_shared<Wrong>(*this, std::move(program));
    }
    std::string name() const override { return "wrong"; }

private:
    class Wrong final : public isa::Routine {
    public:
        Wrong(const WrongExecutor& executor, std::shared_ptr<const isa::Program> program)
            : executor_(executor), program_(program), right_(interp::makeInterpreter()->prepare(program)) {}
        void run(isa::GroupRun& run) const override {
            Disturb disturb(executor_, *program_);
            interp::runObserved(*right_, run, disturb);
        }

    private:
        class Disturb final : public interp::Observer {
        public:
            Disturb(const WrongExecutor& executor, const isa::Program& program)
                : executor_(executor), program_(program) {}
            bool before(const interp::Step& step) override {
                for (uint32_t left = wrong_; left != 0; left &= left - 1) {
                    isa::GroupRegister& to =
                        dst_.file == isa::File::O ? step.outputs[dst_.index] : step.temps[dst_.index];
                    float& value = to.lane[__builtin_ctz(dst_.writeMask)][__builtin_ctz(left)];
                    value = __builtin_bit_cast(float, __builtin_bit_cast(uint32_t, value) ^ executor_.flipped_);
                }
                const isa::Instruction i = *isa::decode(program_.code[step.pc]);
                const bool here = i.op == executor_.op_ && i.type == isa::Type::F32;
                const uint32_t lanes = here ? step.guardedMask & executor_.lanes_ : 0;
                wrong_ = lanes != 0 && ++seen_ >= executor_.from_ ? lanes : 0;
                dst_ = i.dst;
                return true;
            }

        private:
            const WrongExecutor& executor_;
            const isa::Program& program_;
            isa::Destination dst_;
            uint32_t wrong_ = 0;
            int seen_ = 0;
        };

        const WrongExecutor& executor_;
        std::shared_ptr<const isa::Program> program_;
        std::shared_ptr<const isa::Routine> right_;
    };

    const isa::Op op_;
    const uint32_t lanes_;
    const int from_;
    const uint32_t flipped_;
};

}  // namespace tessera::debug
