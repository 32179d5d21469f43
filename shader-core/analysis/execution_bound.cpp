#include "shader-core/analysis/execution_bound.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <optional>
#include <vector>

#include "base/limits.h"
#include "shader-core/analysis/routines.h"

namespace tessera::analysis {

namespace {

/// Bounds what a block executes, for programs whose loops count from one constant to another, as the compiler writes
/// them:
///     mov rC, first;  loop;  slt p, rC, end;  (!p) brk;  ...  add rC, rC, step;  ...  endloop
class ExecutionBound {
public:
    explicit ExecutionBound(const isa::Program& program) {
        for (const isa::Word& word : program.code) {
            const std::optional<isa::Instruction> i = isa::decode(word);
            if (i) code_.push_back(*i);
        }
        if (code_.size() != program.code.size()) return;
        routines_ = findRoutines(code_);
        bounds_.resize(routines_.size());
        for (size_t at = routines_[0].end(); at < code_.size(); ++at) {
            const isa::Instruction& i = code_[at];
            if (!isa::hasDestination(isa::opInfo(i.op).shape) || i.dst.file != isa::File::R) continue;
            if (i.dst.relative)
                writtenBySubroutines_.fill(0xF);
            else
                writtenBySubroutines_[i.dst.index] |= i.dst.writeMask;
        }
        bound_ = ofRoutine(0);
    }

    [[nodiscard]] bool isAtMost(uint64_t limit) const { return bound_ <= limit; }

private:
    static constexpr uint64_t kMany = uint64_t{1} << 40;
    static constexpr int32_t kMostCount = 1 << 20;  ///< below it single precision counts exactly

    /// Routines do not call themselves.
    uint64_t ofRoutine(size_t number) {
        if (bounds_[number]) return *bounds_[number];
        uint64_t times = 1, bound = 0;
        std::vector<uint64_t> outer;
        for (size_t at = routines_[number].first; at < routines_[number].end(); ++at) {
            const isa::Op op = code_[at].op;
            if (op == isa::Op::Loop) {
                outer.push_back(times);
                times = std::min(times * iterations(at), kMany);
            }
            uint64_t once = 1;
            if (op == isa::Op::Call) once += ofRoutine(routineOf(routines_, code_[at].target));
            bound = times > kMany / once ? kMany : std::min(bound + times * once, kMany);
            if (op == isa::Op::Endloop) {
                times = outer.back();
                outer.pop_back();
            }
        }
        bounds_[number] = bound;
        return bound;
    }

    /// Of a call: that some subroutine may.
    [[nodiscard]] bool writes(const isa::Instruction& i, const isa::Destination& counter) const {
        if (i.op == isa::Op::Call) return (writtenBySubroutines_[counter.index] & counter.writeMask) != 0;
        const isa::Shape shape = isa::opInfo(i.op).shape;
        if (!isa::hasDestination(shape) || i.dst.file != counter.file) return false;
        return i.dst.relative || (i.dst.index == counter.index && (i.dst.writeMask & counter.writeMask) != 0);
    }

    /// An unguarded `op` with a small immediate for its last operand; `value` takes that.
    static bool isPlain(const isa::Instruction& i, isa::Op op, int immediate, int32_t& value) {
        const isa::Source& last = i.src[immediate];
        if (i.op != op || i.guard != 0 || i.saturate || i.dst.relative || last.file != isa::File::I || last.negate ||
            last.absolute)
            return false;
        if (i.type == isa::Type::I32) {
            value = static_cast<int32_t>(i.immediate);
        } else if (i.type == isa::Type::F32) {
            const float number = std::bit_cast<float>(i.immediate);
            if (!(std::abs(number) <= kMostCount)) return false;
            value = static_cast<int32_t>(number);
            if (static_cast<float>(value) != number) return false;
        } else {
            return false;
        }
        return value >= -kMostCount && value <= kMostCount;
    }

    static bool reads(const isa::Source& source, const isa::Destination& counter) {
        return source.file == counter.file && source.index == counter.index && !source.relative && !source.snoop &&
               !source.negate && !source.absolute &&
               isa::swizzleAt(source.swizzle, std::countr_zero(counter.writeMask)) ==
                   std::countr_zero(counter.writeMask);
    }

    /// kMany when it is not known.
    [[nodiscard]] uint64_t iterations(size_t loop) const {
        const size_t endloop = code_[loop].target;
        int32_t first = 0, end = 0, step = 0;
        if (loop == 0 || loop + 2 >= endloop || !isPlain(code_[loop - 1], isa::Op::Mov, 0, first)) return kMany;
        const isa::Instruction &start = code_[loop - 1], &test = code_[loop + 1], &leave = code_[loop + 2];
        const isa::Destination& counter = start.dst;
        // A test's destination is a predicate, so that its operand's component is in the first place.
        const bool tests = test.op == isa::Op::Slt && test.dst.file == isa::File::P && test.type == start.type &&
                           isPlain(test, isa::Op::Slt, 1, end) && test.src[0].file == counter.file &&
                           test.src[0].index == counter.index && !test.src[0].relative && !test.src[0].snoop &&
                           !test.src[0].negate && !test.src[0].absolute &&
                           isa::swizzleAt(test.src[0].swizzle, 0) == std::countr_zero(counter.writeMask);
        const bool leaves = leave.op == isa::Op::Brk && leave.guard == test.dst.index && leave.guardNegate;
        const bool isCounter = counter.file == isa::File::R && std::popcount(counter.writeMask) == 1;
        if (!isCounter || !tests || !leaves) return kMany;
        int depth = 0, steps = 0;
        for (size_t at = loop + 1; at < endloop; ++at) {
            const isa::Instruction& i = code_[at];
            depth += i.op == isa::Op::If || i.op == isa::Op::Loop;
            depth -= i.op == isa::Op::Endif || i.op == isa::Op::Endloop;
            if (i.op == isa::Op::Cont && i.target == endloop) return kMany;
            if (!writes(i, counter)) continue;
            const bool counts = depth == 0 && i.type == start.type && i.dst.writeMask == counter.writeMask &&
                                isPlain(i, isa::Op::Add, 1, step) && reads(i.src[0], counter) && step > 0;
            if (!counts || ++steps > 1) return kMany;
        }
        if (steps != 1) return kMany;
        return end <= first ? 1 : static_cast<uint64_t>(end - first + step - 1) / static_cast<uint64_t>(step) + 1;
    }

    std::vector<isa::Instruction> code_;
    std::vector<Routine> routines_;
    std::array<uint8_t, isa::kMaxTemps> writtenBySubroutines_{};  ///< components of r registers
    std::vector<std::optional<uint64_t>> bounds_;                 ///< of each routine, with what it calls
    uint64_t bound_ = kMany;
};

}  // namespace

bool mayOverrun(const isa::Program& program) { return !ExecutionBound(program).isAtMost(kLeastInstructionBudget); }

}  // namespace tessera::analysis
