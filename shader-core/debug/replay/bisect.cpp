#include "shader-core/debug/replay/bisect.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "shader-core/debug/replay/replay.h"
#include "shader-core/debug/replay/rewriting.h"

namespace tessera::debug {

namespace {

using isa::File;
using isa::Instruction;
using isa::Op;

// Temporaries of the rewritten program, at the end of the file, behind whatever the program reaches relatively.
constexpr int kCounter = isa::kMaxTemps - 1;         ///< x: results of the lane so far
constexpr int kMatch = isa::kMaxTemps - 2;           ///< x: not 0 where the next result is wanted
constexpr int kOutputs = kMatch - isa::kMaxOutputs;  ///< what the program wrote to o0..
constexpr uint64_t kGrowth = 8;                      ///< instructions for one, at most

Instruction integer(Op op, File file, int index, uint8_t mask, std::initializer_list<isa::Source> sources) {
    return instruction(op, isa::Type::I32, file, index, mask, sources);
}

bool hasResult(const Instruction& i) { return i.op == Op::Kil || isa::hasDestination(isa::opInfo(i.op).shape); }

class Rewriter {
public:
    explicit Rewriter(const Group& group) : group_(group), constant_(group.program->constantCount) {}

    /// Nothing when the program needs all registers for itself.
    std::optional<Group> rewrite() {
        const isa::Program& from = *group_.program;
        if (from.tempCount > kOutputs || constant_ >= isa::kMaxConstants) return std::nullopt;
        if (!rewriteCode(from, code_, [this](const Instruction& i) { add(i); })) return std::nullopt;
        return groupOf(from);
    }
    [[nodiscard]] int constant() const { return constant_; }

private:
    void add(Instruction i) {
        moveOutput(i.dst.file, i.dst.index);
        for (isa::Source& s : i.src) moveOutput(s.file, s.index);
        if (!hasResult(i)) {
            code_.push_back(i);
            return;
        }
        // The guard is looked at before the instruction, which may overwrite it.
        const isa::Source zero = source(File::I, 0), counter = source(File::R, kCounter, isa::broadcast(0));
        code_.push_back(integer(Op::Mov, File::R, kMatch, 1, {zero}));
        Instruction count = integer(Op::Add, File::R, kCounter, 1, {counter, source(File::I, 0)});
        count.immediate = 1;
        Instruction match =
            integer(Op::Seq, File::R, kMatch, 1, {counter, source(File::C, constant_, isa::broadcast(0))});
        count.guard = match.guard = i.guard;
        count.guardNegate = match.guardNegate = i.guardNegate;
        code_.push_back(count);
        code_.push_back(match);
        const isa::Source wanted = source(File::R, kMatch, isa::broadcast(0)), kept = source(File::O, 0);
        if (i.op == Op::Kil) {  // lanes that are discarded go on anyway, as helpers
            code_.push_back(
                integer(Op::Sel, File::O, 0, 1, {wanted, source(File::C, constant_, isa::broadcast(1)), kept}));
            return;
        }
        code_.push_back(i);
        isa::Source result = source(i.dst.file, i.dst.index);
        result.relative = i.dst.relative;
        const uint8_t mask = i.dst.file == File::P ? 1 : i.dst.writeMask;
        code_.push_back(integer(Op::Sel, File::O, 0, mask, {wanted, result, kept}));
    }

    static void moveOutput(File& file, uint16_t& index) {
        if (file != File::O) return;
        file = File::R;
        index = static_cast<uint16_t>(index + kOutputs);
    }

    Group groupOf(const isa::Program& from) const {
        auto program = std::make_shared<isa::Program>(from);
        program->code.clear();
        for (const Instruction& i : code_) program->code.push_back(isa::encode(i));
        program->lines.clear();
        program->source.clear();
        program->varyings = from.stage == isa::Stage::Fragment ? from.varyings : std::vector<isa::Variable>();
        isa::deriveUsage(*program);
        program->tempCount = isa::kMaxTemps;
        Group group = group_;
        group.program = std::move(program);
        group.budget = std::min(group.budget, UINT64_MAX / kGrowth) * kGrowth;
        group.constants.resize(static_cast<size_t>(constant_) + 1);
        group.constants.back() = {0.0f, __builtin_bit_cast(float, 1u), 0.0f, 0.0f};
        return group;
    }

    const Group& group_;
    const int constant_;
    std::vector<Instruction> code_;
};

uint32_t bitsOf(const Outcome& outcome, int output, int component, int lane) {
    return __builtin_bit_cast(uint32_t, outcome.outputs[static_cast<size_t>(output)].lane[component][lane]);
}

/// What can be seen of a run: discarded lanes, and the outputs of the others.
std::optional<Difference> visibleDifference(const Group& group, const Outcome& a, const Outcome& b) {
    Difference difference;
    const uint32_t seen = group.activeMask & ~group.helperMask;
    if (const uint32_t killed = (a.killMask ^ b.killMask) & seen; killed != 0) {
        difference.lane = std::countr_zero(killed);
        difference.discards = true;
        difference.first = a.killMask >> difference.lane & 1, difference.second = b.killMask >> difference.lane & 1;
        return difference;
    }
    if (a.budgetExceeded != b.budgetExceeded) {
        difference.lane = std::countr_zero(seen);
        difference.first = a.budgetExceeded, difference.second = b.budgetExceeded;
        return difference;
    }
    for (uint32_t left = seen & ~a.killMask; left != 0; left &= left - 1)
        for (const int output : group.program->outputMask)
            for (int c = 0; c < 4; ++c) {
                const int lane = std::countr_zero(left);
                if (bitsOf(a, output, c, lane) == bitsOf(b, output, c, lane)) continue;
                difference.lane = lane, difference.component = c, difference.output = output;
                difference.first = bitsOf(a, output, c, lane), difference.second = bitsOf(b, output, c, lane);
                return difference;
            }
    return std::nullopt;
}

/// Where each lane computed its results, in the order of execution.
struct Results {
    struct One {
        uint64_t count;
        uint32_t pc;
    };
    std::vector<One> lane[isa::kGroupSize];
    uint32_t most = 0;
};

Results resultsOf(const Group& group) {
    Results results;
    const Replay replay(group);
    (void)replay.visit([&](const interp::Step& step) {
        if (!hasResult(replay.code()[step.pc])) return;
        for (uint32_t left = step.guardedMask; left != 0; left &= left - 1) {
            auto& list = results.lane[std::countr_zero(left)];
            if (list.size() < kMaxResults) list.push_back({step.instructions, step.pc});
            results.most = std::max(results.most, static_cast<uint32_t>(list.size()));
        }
    });
    return results;
}

/// The difference that the group comes to first, of those that each lane shows first.
std::optional<Difference> firstResult(const Results& results, const std::vector<Outcome>& a,
                                      const std::vector<Outcome>& b, uint32_t lanes) {
    std::optional<Difference> best;
    for (; lanes != 0; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        const auto& list = results.lane[lane];
        const size_t runs = std::min({list.size(), a.size(), b.size()});
        for (size_t i = 0; i < runs; ++i) {
            int component = 0;
            while (component < 4 && bitsOf(a[i], 0, component, lane) == bitsOf(b[i], 0, component, lane)) ++component;
            if (component == 4) continue;
            if (!best || list[i].count < best->count) {
                best = Difference{lane,
                                  bitsOf(a[i], 0, component, lane),
                                  bitsOf(b[i], 0, component, lane),
                                  component,
                                  list[i].pc,
                                  list[i].count,
                                  false,
                                  0};
            }
            break;
        }
    }
    return best;
}

}  // namespace

RunGroup runnerOf(std::shared_ptr<isa::Executor> executor) {
    return [executor = std::move(executor)](const Group& given,
                                            const Sweep& sweep) -> std::optional<std::vector<Outcome>> {
        const std::shared_ptr<const isa::Routine> routine = executor->prepare(given.program);
        if (routine == nullptr) return std::nullopt;
        Group group = given;
        std::vector<Outcome> outcomes;
        if (sweep.constant < 0) outcomes.push_back(runGroup(group, *routine));
        for (uint32_t n = 1; sweep.constant >= 0 && n <= sweep.count; ++n) {
            group.constants[static_cast<size_t>(sweep.constant)][0] = __builtin_bit_cast(float, n);
            outcomes.push_back(runGroup(group, *routine));
        }
        return outcomes;
    };
}

Comparison compareRuns(const Group& group, const RunGroup& first, const RunGroup& second) {
    const auto a = first(group, {}), b = second(group, {});
    if (!a || !b || a->empty() || b->empty()) return {true, std::nullopt};
    std::optional<Difference> difference = visibleDifference(group, a->front(), b->front());
    if (!difference) return {};
    Rewriter rewriter(group);
    const std::optional<Group> asking = rewriter.rewrite();
    if (!asking || !isa::verify(*asking->program).empty()) return {false, difference};
    const Results results = resultsOf(group);
    const Sweep sweep{rewriter.constant(), results.most};
    const auto askedA = first(*asking, sweep), askedB = second(*asking, sweep);
    if (!askedA || !askedB) return {false, difference};
    if (auto found = firstResult(results, *askedA, *askedB, group.activeMask)) {
        found->discards = isa::decode(group.program->code[*found->pc])->op == Op::Kil;
        difference = found;
    }
    return {false, difference};
}

}  // namespace tessera::debug
