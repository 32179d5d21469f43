#include "shader-core/debug/trace.h"

#include "shader-core/asm/disassembler.h"

namespace tessera::debug {

namespace {

/// The register a destination means in each lane, looked at before the instruction, as it may change a0.
struct Target {
    int index = 0;
    uint32_t lanes = 0;
};

std::vector<Target> targetsOf(const isa::Instruction& i, const interp::Step& step) {
    if (!i.dst.relative) return {{i.dst.index, step.guardedMask}};
    std::vector<Target> targets;
    for (uint32_t left = step.guardedMask; left != 0; left &= left - 1) {
        const int lane = __builtin_ctz(left);
        const int64_t index = int64_t{i.dst.index} + __builtin_bit_cast(int32_t, step.address->lane[0][lane]);
        Target* found = nullptr;
        for (Target& one : targets)
            if (one.index == index) found = &one;
        if (found == nullptr && isa::registerExists(i.dst.file, static_cast<int>(index)) && index >= 0)
            found = &targets.emplace_back(Target{static_cast<int>(index), 0});
        if (found != nullptr) found->lanes |= 1u << lane;
    }
    return targets;
}

class Recorder {
public:
    Recorder(const Replay& replay, uint64_t maxSteps) : replay_(replay), maxSteps_(maxSteps) {}

    void before(const interp::Step& step) {
        finishLast(&step);
        if (trace_.steps.size() >= maxSteps_) {
            trace_.cut = true;
            open_ = false;
            return;
        }
        const isa::Instruction& i = replay_.code()[step.pc];
        const isa::OpInfo& info = isa::opInfo(i.op);
        trace_.steps.push_back(
            {step.instructions, trace_.cycles, step.pc, step.execMask, step.guardedMask, 0, step.stackDepth, {}});
        trace_.cycles += info.latency;
        killed_ = step.killMask;
        targets_.clear();
        if (isa::hasDestination(info.shape) && step.guardedMask != 0) targets_ = targetsOf(i, step);
        open_ = true;
    }

    Trace end(const Outcome& outcome) {
        finishLast(nullptr);
        if (open_) trace_.steps.back().killed = outcome.killMask & ~killed_;
        trace_.outcome = outcome;
        return std::move(trace_);
    }

private:
    /// What the last instruction wrote can be seen before the next one.
    void finishLast(const interp::Step* now) {
        if (!open_ || now == nullptr) return;
        TraceStep& last = trace_.steps.back();
        last.killed = now->killMask & ~killed_;
        const isa::Instruction& i = replay_.code()[last.pc];
        for (const Target& target : targets_) {
            Write write{i.dst.file, target.index, i.dst.writeMask, isa::resultType(i.op, i.type), target.lanes, {}};
            switch (i.dst.file) {
                case isa::File::R:
                    if (target.index >= replay_.program().tempCount) continue;
                    write.value = now->temps[target.index];
                    break;
                case isa::File::O:
                    write.value = now->outputs[target.index];
                    break;
                case isa::File::A:
                    write.value = *now->address;
                    write.type = isa::Type::I32;
                    break;
                default:
                    write.components = 1;
                    write.type = isa::Type::F32;
                    write.value = {};
                    for (int lane = 0; lane < isa::kGroupSize; ++lane)
                        write.value.lane[0][lane] = (now->predicates[target.index] >> lane & 1) != 0 ? 1.0f : 0.0f;
            }
            last.writes.push_back(write);
        }
    }

    const Replay& replay_;
    const uint64_t maxSteps_;
    Trace trace_;
    std::vector<Target> targets_;
    uint32_t killed_ = 0;
    bool open_ = false;
};

}  // namespace

Trace trace(const Replay& replay, uint64_t maxSteps) {
    Recorder recorder(replay, maxSteps);
    const Outcome outcome = replay.visit([&](const interp::Step& step) { recorder.before(step); });
    return recorder.end(outcome);
}

std::string instructionText(const isa::Instruction& instruction) { return assembly::disassemble(instruction); }

uint32_t lineOf(const isa::Program& program, uint32_t pc) { return pc < program.lines.size() ? program.lines[pc] : 0; }

}  // namespace tessera::debug
