#include "shader-core/debug/trace/trace.h"

#include <algorithm>
#include <cstring>

#include "shader-core/asm/disassembler.h"
#include "shader-core/debug/replay/launch.h"
#include "shader-core/isa/scalar.h"

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

using LaneBits = std::array<uint32_t, isa::kGroupSize>;

/// A source of a memory instruction as it reads it, in all lanes (docs/isa.md, operands).
class SourceReader {
public:
    SourceReader(const Replay& replay, const interp::Step& step, const isa::Instruction& instruction)
        : replay_(replay), step_(step), instruction_(instruction) {}

    [[nodiscard]] LaneBits read(const isa::Source& source, int component, bool integer) const {
        const int c = isa::swizzleAt(source.swizzle, component);
        LaneBits bits{};
        for (int lane = 0; lane < isa::kGroupSize; ++lane) {
            const int from =
                source.snoop ? instruction_.snoopRow * isa::kGroupColumns + lane % isa::kGroupColumns : lane;
            const bool launched = (replay_.group().activeMask >> from & 1) != 0 || !source.snoop;
            const uint32_t value = launched ? registerBits(source, c, from, integer) : 0;
            bits[static_cast<size_t>(lane)] =
                isa::scalar::modified(integer ? isa::Type::I32 : isa::Type::F32, value, source.absolute, source.negate);
        }
        return bits;
    }

private:
    [[nodiscard]] uint32_t registerBits(const isa::Source& source, int component, int lane, bool integer) const {
        const uint32_t index =
            source.index + (source.relative ? __builtin_bit_cast(uint32_t, step_.address->lane[0][lane]) : 0);
        const auto of = [&](const isa::GroupRegister& reg) {
            return __builtin_bit_cast(uint32_t, reg.lane[component][lane]);
        };
        const isa::Program& program = replay_.program();
        switch (source.file) {
            case isa::File::R:
                return index < program.tempCount ? of(step_.temps[index]) : 0;
            case isa::File::C:
                return index < program.constantCount
                           ? __builtin_bit_cast(uint32_t,
                                                replay_.group().constants[index][static_cast<size_t>(component)])
                           : 0;
            case isa::File::S:
                if (index == static_cast<uint32_t>(isa::Special::Lane))
                    return component == 0 ? static_cast<uint32_t>(lane) : 0;
                return of(step_.specials[index]);
            case isa::File::A:
                return of(*step_.address);
            case isa::File::P:
                if ((step_.predicates[index] >> lane & 1) == 0) return 0;
                return integer ? 1 : 0x3f800000u;
            case isa::File::I:
                return instruction_.immediate;
            case isa::File::V:
            case isa::File::O:
                break;  // compute programs have none
        }
        return 0;
    }

    const Replay& replay_;
    const interp::Step& step_;
    const isa::Instruction& instruction_;
};

/// What the instruction is about to do to memory, if it is one that does.
std::vector<Access> accessOf(const Replay& replay, const interp::Step& step) {
    const isa::Instruction& i = replay.code()[step.pc];
    if (isa::opInfo(i.op).unit != isa::Unit::Memory || isa::sourceCount(isa::opInfo(i.op).shape) == 0 ||
        step.guardedMask == 0)
        return {};
    Access access;
    const bool isLoad = i.op == isa::Op::Ld, isStore = i.op == isa::Op::St;
    access.kind = isLoad ? Access::Kind::Load : isStore ? Access::Kind::Store : Access::Kind::Atomic;
    access.slot = i.slot;
    access.type = i.type;
    access.elementBytes = static_cast<uint8_t>(isa::byteCount(i.elementSize));
    access.components = isLoad || isStore ? i.dst.writeMask : 1;
    access.lanes = step.guardedMask;
    const SourceReader reader(replay, step, i);
    access.address = reader.read(i.src[0], 0, true);
    if (i.src[0].file != isa::File::I)
        for (uint32_t& address : access.address) address += i.immediate;
    const uint64_t size =
        i.slot == isa::kSharedSlot ? replay.program().sharedBytes : replay.group().launch->buffers[i.slot].size();
    const int elements = __builtin_popcount(access.components);
    for (uint32_t left = access.lanes; left != 0; left &= left - 1) {
        const auto lane = static_cast<size_t>(__builtin_ctz(left));
        const bool misaligned = access.kind == Access::Kind::Atomic && access.address[lane] % 4 != 0;
        if (misaligned || access.address[lane] + uint64_t(elements) * access.elementBytes > size)
            access.outside |= 1u << lane;
    }
    if (isLoad) return {access};
    for (int c = 0; c < 4; ++c) {
        const LaneBits bits = reader.read(i.src[1], c, i.type != isa::Type::F32);
        std::memcpy(access.value.lane[c], bits.data(), sizeof bits);
    }
    return {access};
}

class Recorder {
public:
    explicit Recorder(const Replay& replay) : replay_(replay) { trace_.types = WrittenTypes(replay.program()); }

    void before(const interp::Step& step, uint64_t order, bool isFull) {
        finishLast(&step);
        const isa::Instruction& i = replay_.code()[step.pc];
        const isa::OpInfo& info = isa::opInfo(i.op);
        trace_.types.executes(i, step);
        const uint64_t start = trace_.cycles;
        trace_.cycles += info.latency;
        if (isFull) {
            trace_.cut = true;
            open_ = false;
            return;
        }
        trace_.steps.push_back({step.instructions,
                                order,
                                start,
                                step.pc,
                                step.execMask,
                                step.guardedMask,
                                0,
                                step.stackDepth,
                                {},
                                replay_.group().launch != nullptr ? accessOf(replay_, step) : std::vector<Access>(),
                                {}});
        killed_ = step.killMask;
        targets_.clear();
        if (isa::hasDestination(info.shape) && step.guardedMask != 0) targets_ = targetsOf(i, step);
        open_ = true;
    }

    [[nodiscard]] uint64_t cycles() const { return trace_.cycles; }
    /// The group waited at a barrier, its last step, until then.
    void release(uint64_t cycle) {
        if (!trace_.cut) trace_.steps.back().released = cycle;
        trace_.cycles = cycle;
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
            Write write{i.dst.file, target.index, i.dst.writeMask, target.lanes, {}, {}};
            for (size_t c = 0; c < 4; ++c)
                write.types[c] = trace_.types.of(i.dst.file, target.index, static_cast<int>(c));
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
                    break;
                default:
                    write.components = 1;
                    write.value = {};
                    for (int lane = 0; lane < isa::kGroupSize; ++lane)
                        write.value.lane[0][lane] =
                            __builtin_bit_cast(float, now->predicates[target.index] >> lane & 1);
            }
            last.writes.push_back(write);
        }
    }

    const Replay& replay_;
    Trace trace_;
    std::vector<Target> targets_;
    uint32_t killed_ = 0;
    bool open_ = false;
};

}  // namespace

Trace trace(const Replay& replay, uint64_t maxSteps) {
    Recorder recorder(replay);
    const Outcome outcome = replay.visit(
        [&](const interp::Step& step) { recorder.before(step, step.instructions, step.instructions >= maxSteps); });
    return recorder.end(outcome);
}

std::vector<Trace> traceBlock(std::span<const Replay* const> groups, uint64_t maxSteps) {
    std::vector<Recorder> recorders;
    for (const Replay* replay : groups) recorders.emplace_back(*replay);
    std::vector<uint64_t> executed(groups.size());
    std::array<std::vector<uint32_t>, isa::kBarriers> waiting;
    uint64_t order = 0;
    const Outcome outcome = groups[0]->visitBlock([&](const interp::Step& step) {
        recorders[step.group].before(step, order, order >= maxSteps);
        ++order;
        executed[step.group] = step.instructions + 1;
        const isa::Instruction& i = groups[0]->code()[step.pc];
        if (i.op != isa::Op::Bar || step.guardedMask == 0) return;
        std::vector<uint32_t>& there = waiting[i.barrier];
        there.push_back(step.group);
        if (there.size() < (i.barrierGroups != 0 ? i.barrierGroups : groups.size())) return;
        uint64_t last = 0;
        for (const uint32_t g : there) last = std::max(last, recorders[g].cycles());
        for (const uint32_t g : there) recorders[g].release(last);
        there.clear();
    });
    std::vector<Trace> traces;
    for (size_t g = 0; g < groups.size(); ++g) {
        Outcome own = outcome;
        own.instructions = executed[g];
        own.budgetExceeded = outcome.fault.kind == isa::FaultKind::OutOfBudget && outcome.fault.group == g;
        traces.push_back(recorders[g].end(own));
    }
    return traces;
}

std::string instructionText(const isa::Instruction& instruction) { return assembly::disassemble(instruction); }

uint32_t lineOf(const isa::Program& program, uint32_t pc) { return pc < program.lines.size() ? program.lines[pc] : 0; }

}  // namespace tessera::debug
