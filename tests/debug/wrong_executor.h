// Test only: an executor that is wrong in a known place, so that a comparison can be seen to find it.
#pragma once

#include "shader-core/interp/interpreter.h"

namespace tessera::debug {

/// An interpreter that gets one instruction wrong: the results of an operation, in one lane, from the n-th on that the
/// lane computes, have bits flipped.
class WrongExecutor final : public isa::Executor {
public:
    WrongExecutor(isa::Op op, int lane, int from, uint32_t flipped = 1)
        : op_(op), lane_(lane), from_(from), flipped_(flipped) {}

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
                if (wrong_) {
                    isa::GroupRegister& to =
                        dst_.file == isa::File::O ? step.outputs[dst_.index] : step.temps[dst_.index];
                    float& value = to.lane[__builtin_ctz(dst_.writeMask)][executor_.lane_];
                    value = __builtin_bit_cast(float, __builtin_bit_cast(uint32_t, value) ^ executor_.flipped_);
                }
                const isa::Instruction i = *isa::decode(program_.code[step.pc]);
                const bool here =
                    i.op == executor_.op_ && i.type == isa::Type::F32 && (step.guardedMask >> executor_.lane_ & 1) != 0;
                wrong_ = here && ++seen_ >= executor_.from_;
                dst_ = i.dst;
                return true;
            }

        private:
            const WrongExecutor& executor_;
            const isa::Program& program_;
            isa::Destination dst_;
            bool wrong_ = false;
            int seen_ = 0;
        };

        const WrongExecutor& executor_;
        std::shared_ptr<const isa::Program> program_;
        std::shared_ptr<const isa::Routine> right_;
    };

    const isa::Op op_;
    const int lane_, from_;
    const uint32_t flipped_;
};

}  // namespace tessera::debug
