// Unrolling of loops with a known number of iterations.
//
// The loop is recognised by its exit: a Brk at its top level on a comparison of a counter with a literal, where the
// counter starts as a literal, and is changed by a literal once per iteration at the top level. The number of
// iterations is found by running the counter with the ISA's arithmetic, so rounding counts too. Values that live
// only within one iteration get temps of their own in each copy, which keeps them single-assignment.
//
// Further breaks stay possible: the copies are then wrapped in a loop that runs once. A continue behind the exit
// wraps each copy in such a loop, provided that the counter's change stands in front of it as well.
#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "shader-core/glsl/ir/analysis.h"
#include "shader-core/glsl/ir/assignments.h"
#include "shader-core/glsl/ir/optimize/passes.h"
#include "shader-core/isa/scalar.h"

namespace tessera::glsl::ir {

namespace {

constexpr uint32_t kMaxTrips = 64;
constexpr uint32_t kMaxSize = 256;     ///< instructions that stay after unrolling
constexpr uint32_t kMaxCopied = 1024;  ///< all, with those that are folded; those that stay where an index may become
                                       ///< constant

struct Counter {
    uint32_t temp = kNone;
    uint8_t component = 0;
    bool operator==(const Counter&) const = default;
    [[nodiscard]] bool isWritten(const Instruction& i) const {
        return writesResult(i.op) && i.dst.kind == Kind::Temp && i.dst.index == temp &&
               i.dst.writeMask >> component & 1;
    }
};

struct Plan {
    uint32_t loop = 0, endloop = 0, exit = 0;
    Counter counter{};
    uint32_t trips = 0;  ///< whole iterations; then the part up to the exit once more
    bool wrapAll = false, wrapEach = false;
};

class Unroller {
public:
    Unroller(Module& module, uint32_t& budget) : module_(module), budget_(budget), partner_(matchControl(module)) {}

    bool run() {
        std::vector<Plan> plans;
        uint32_t innermost = kNone;
        for (uint32_t n = 0; n < module_.code.size(); n++) {
            if (module_.code[n].op == Op::Loop) innermost = n;
            if (module_.code[n].op != Op::Endloop || partner_[n] != innermost) continue;
            innermost = kNone;
            if (std::optional<Plan> plan = makePlan(partner_[n], n)) plans.push_back(*plan);
        }
        if (plans.empty()) return false;
        findLocals(plans);
        std::vector<Instruction> code = std::move(module_.code);
        module_.code.clear();
        loseLocals(code);
        uint32_t from = 0;
        for (const Plan& plan : plans) {
            for (uint32_t n = from; n < plan.loop; n++) push(code[n], code[n].assigns);
            assigns_ = joinAssignments(module_, assigns_, code[plan.loop].assigns);
            copyLoop(plan, code);
            from = plan.endloop + 1;
        }
        for (uint32_t n = from; n < code.size(); n++) push(code[n], code[n].assigns);
        return true;
    }

private:
    // Recognition

    std::optional<Plan> makePlan(uint32_t loop, uint32_t endloop) {
        Plan plan{loop, endloop, kNone};
        uint32_t breaks = 0, continues = 0, topBreak = kNone;
        bool indexed = false;
        int depth = 0;
        for (uint32_t n = loop + 1; n < endloop; n++) {
            const Instruction& i = module_.code[n];
            if (i.op == Op::If) depth++;
            if (i.op == Op::Endif) depth--;
            breaks += i.op == Op::Brk;
            continues += i.op == Op::Cont;
            if (i.op == Op::Cont && topBreak == kNone) return std::nullopt;
            if (i.op == Op::Brk && depth == 0 && topBreak == kNone) topBreak = n;
            forEachIndex(i, [&](uint32_t, uint8_t) { indexed = true; });
        }
        if (topBreak == kNone) return std::nullopt;
        plan.exit = topBreak;
        plan.wrapAll = breaks > 1;
        plan.wrapEach = continues > 0;
        if (plan.wrapAll && plan.wrapEach) return std::nullopt;
        std::optional<uint32_t> trips = countTrips(plan);  // finds the counter, too
        if (!trips) return std::nullopt;
        plan.trips = *trips;
        uint32_t size = (plan.trips + 1) * (endloop - loop);
        if (size > kMaxCopied || size > budget_) return std::nullopt;
        if (!indexed && (plan.trips + 1) * countStaying(plan) > kMaxSize) return std::nullopt;
        budget_ -= size;
        return plan;
    }

    /// Instructions of an iteration that stay in its copy: what follows from literals and the counter is folded there.
    [[nodiscard]] uint32_t countStaying(const Plan& plan) const {
        std::unordered_map<uint32_t, uint8_t> known{{plan.counter.temp, uint8_t(1u << plan.counter.component)}};
        const auto isKnown = [&](const Operand& o, uint8_t slots) {
            if (o.relative != kNone) return false;
            if (o.kind != Kind::Temp) return o.kind == Kind::Literal;
            const auto at = known.find(o.index);
            return at != known.end() && (throughSwizzle(o.swizzle, slots) & ~at->second) == 0;
        };
        uint32_t staying = 0;
        int depth = 0;
        for (uint32_t n = plan.loop + 1; n < plan.endloop; n++) {
            const Instruction& i = module_.code[n];
            depth += (i.op == Op::If) - (i.op == Op::Endif);
            bool folds =
                n == plan.exit || (depth == 0 && writesResult(i.op) && i.dst.kind == Kind::Temp &&
                                   module_.temps[i.dst.index].array == kNone && formOf(i.op) == Form::ComponentWise &&
                                   isa::scalar::component(i.op, i.type, 0, 0).has_value());
            if (n != plan.exit)
                forEachSource(i, [&](const Operand& o, uint8_t slots) { folds = folds && isKnown(o, slots); });
            staying += !folds;
            if (!writesResult(i.op) || i.dst.kind != Kind::Temp || i.dst.relative != kNone) continue;
            if (folds)
                known[i.dst.index] |= i.dst.writeMask;
            else if (const auto at = known.find(i.dst.index); at != known.end())
                at->second &= static_cast<uint8_t>(~i.dst.writeMask);
        }
        return staying;
    }

    /// The only instruction in the loop, at its top level, that writes the component; kNone if there are others.
    [[nodiscard]] uint32_t onlyWrite(const Plan& plan, const Counter& counter) const {
        uint32_t found = kNone;
        int depth = 0;
        for (uint32_t n = plan.loop + 1; n < plan.endloop; n++) {
            const Instruction& i = module_.code[n];
            if (i.op == Op::If) depth++;
            if (i.op == Op::Endif) depth--;
            if (!counter.isWritten(i)) continue;
            if (found != kNone || depth != 0 || i.dst.relative != kNone) return kNone;
            found = n;
        }
        return found;
    }

    /// A counter and a literal as the operands of a binary instruction at destination component c.
    struct Step {
        Counter counter;
        uint32_t literal = 0;
        bool counterFirst = true;
    };
    [[nodiscard]] std::optional<Step> stepOf(const Instruction& i, int c) const {
        if (sourceCountOf(i.op) != 2 || formOf(i.op) != Form::ComponentWise || i.saturate) return std::nullopt;
        for (int s = 0; s < 2; s++) {
            const Operand &a = i.src[s], &b = i.src[1 - s];
            if (a.kind != Kind::Temp || a.relative != kNone || a.negate || a.absolute) continue;
            if (b.kind != Kind::Literal || b.absolute || (b.negate && i.type != Type::F32)) continue;
            if (module_.temps[a.index].array != kNone) continue;
            Step step;
            step.counter = {a.index, static_cast<uint8_t>(isa::swizzleAt(a.swizzle, c))};
            step.literal = b.literal[isa::swizzleAt(b.swizzle, c)] ^ (b.negate ? 0x80000000u : 0u);
            step.counterFirst = s == 0;
            return step;
        }
        return std::nullopt;
    }

    /// The write at the top level, when every other write is a copy of it in front of an unconditional Cont and no
    /// Cont lacks one.
    [[nodiscard]] uint32_t updateOf(const Plan& plan, const Counter& counter) const {
        uint32_t found = kNone, copies = 0, continues = 0;
        int depth = 0;
        for (uint32_t n = plan.loop + 1; n < plan.endloop; n++) {
            const Instruction& i = module_.code[n];
            if (i.op == Op::If) depth++;
            if (i.op == Op::Endif) depth--;
            continues += i.op == Op::Cont;
            if (!counter.isWritten(i) || depth != 0) continue;
            if (found != kNone || i.dst.relative != kNone) return kNone;
            found = n;
        }
        if (found == kNone) return kNone;
        std::optional<Step> step = stepOf(module_.code[found], counter.component);
        for (uint32_t n = plan.loop + 1; n < plan.endloop; n++) {
            const Instruction& i = module_.code[n];
            if (n == found || !counter.isWritten(i)) continue;
            std::optional<Step> other = stepOf(i, counter.component);
            bool same = step && other && i.op == module_.code[found].op && i.type == module_.code[found].type &&
                        other->counter == step->counter && other->literal == step->literal &&
                        other->counterFirst == step->counterFirst;
            uint32_t k = n + 1;
            while (!endsBasicBlock(module_.code[k].op)) {
                if (counter.isWritten(module_.code[k])) return kNone;
                k++;
            }
            bool jumps = module_.code[k].op == Op::Cont && module_.code[k].condition.kind == Kind::None;
            if (!same || !jumps) return kNone;
            copies++;
        }
        if (copies > 0 && found < plan.exit) return kNone;
        return copies == continues ? found : kNone;
    }

    /// The literal that the counter holds on entry of the loop.
    [[nodiscard]] std::optional<uint32_t> initialValue(const Plan& plan, const Counter& counter) const {
        for (uint32_t n = plan.loop; n-- > 0;) {
            const Instruction& i = module_.code[n];
            if (endsBasicBlock(i.op)) return std::nullopt;
            if (!counter.isWritten(i)) continue;
            const Operand& o = i.src[0];
            bool plain = i.op == Op::Mov && o.kind == Kind::Literal && !o.negate && !o.absolute && !i.saturate;
            if (!plain || i.dst.relative != kNone) return std::nullopt;
            return o.literal[isa::swizzleAt(o.swizzle, counter.component)];
        }
        return std::nullopt;
    }

    static std::optional<uint32_t> apply(const Instruction& i, const Step& step, uint32_t value) {
        const auto [a, b] = step.counterFirst ? std::pair{value, step.literal} : std::pair{step.literal, value};
        return isa::scalar::component(i.op, i.type, a, b);
    }

    [[nodiscard]] std::optional<uint32_t> countTrips(Plan& plan) const {
        const Instruction& exit = module_.code[plan.exit];
        const Operand& condition = exit.condition;
        if (condition.kind != Kind::Temp || condition.relative != kNone) return std::nullopt;
        Counter tested{condition.index, static_cast<uint8_t>(isa::swizzleAt(condition.swizzle, 0))};
        uint32_t test = onlyWrite(plan, tested);
        if (test == kNone || test > plan.exit || !isComparison(module_.code[test].op)) return std::nullopt;
        std::optional<Step> compared = stepOf(module_.code[test], tested.component);
        if (!compared) return std::nullopt;

        plan.counter = compared->counter;
        uint32_t update = updateOf(plan, compared->counter);
        if (update == kNone) return std::nullopt;
        uint32_t step = update;  // the instruction that computes: the update, or what it copies
        uint8_t component = compared->counter.component;
        const Instruction& copy = module_.code[update];
        if (copy.op == Op::Mov && copy.src[0].kind == Kind::Temp && copy.src[0].relative == kNone && !copy.saturate &&
            !copy.src[0].negate && !copy.src[0].absolute) {
            Counter sum{copy.src[0].index,
                        static_cast<uint8_t>(isa::swizzleAt(copy.src[0].swizzle, compared->counter.component))};
            step = onlyWrite(plan, sum);
            component = sum.component;
            if (step == kNone || step > update) return std::nullopt;
        }
        const Instruction& computed = module_.code[step];
        if (computed.op != Op::Add && computed.op != Op::Mul) return std::nullopt;
        std::optional<Step> change = stepOf(computed, component);
        if (!change || change->counter != compared->counter) return std::nullopt;

        std::optional<uint32_t> value = initialValue(plan, compared->counter);
        for (uint32_t trips = 0; value && trips <= kMaxTrips; trips++) {
            // The comparison sees the value before or after the update of its iteration.
            std::optional<uint32_t> next = apply(computed, *change, *value);
            if (!next) return std::nullopt;
            std::optional<uint32_t> result = apply(module_.code[test], *compared, update < test ? *next : *value);
            if (!result) return std::nullopt;
            if ((*result != 0) != exit.conditionNegate) return trips;
            value = next;
        }
        return std::nullopt;
    }

    // Copying

    /// For each plan, the temps used only inside the loop and written there before they are read.
    void findLocals(const std::vector<Plan>& plans) {
        constexpr uint32_t kShared = kNone - 1;
        localTo_.assign(module_.temps.size(), kNone);
        auto use = [&](uint32_t temp, uint32_t plan) {
            uint32_t& owner = localTo_[temp];
            if (module_.temps[temp].array != kNone || plan == kNone) plan = kShared;
            owner = owner == kNone || owner == plan ? plan : kShared;
        };
        size_t next = 0;
        for (uint32_t n = 0; n < module_.code.size(); n++) {
            while (next < plans.size() && plans[next].endloop < n) next++;
            bool inside = next < plans.size() && n > plans[next].loop;
            uint32_t plan = inside ? static_cast<uint32_t>(next) : kNone;
            const Instruction& i = module_.code[n];
            forEachSource(i, [&](const Operand& o, uint8_t) {
                if (o.kind == Kind::Temp) use(o.index, plan);
            });
            forEachIndex(i, [&](uint32_t temp, uint8_t) { use(temp, plan); });
            if (writesResult(i.op) && i.dst.kind == Kind::Temp) use(i.dst.index, plan);
        }
        for (const Liveness::LoopEntry& entry : computeLiveness(module_).loops)
            for (uint32_t place : entry.places)
                if (place < localTo_.size()) localTo_[place] = kShared;
        planStart_.clear();
        planEnd_.clear();
        for (const Plan& plan : plans) {
            planStart_.push_back(plan.loop);
            planEnd_.push_back(plan.endloop);
        }
    }

    /// An instruction, behind the assignments that wait for one and its own.
    void push(Instruction i, uint32_t assigns) {
        i.assigns = joinAssignments(module_, std::exchange(assigns_, kNone), assigns);
        module_.code.push_back(i);
    }
    void append(Op op, uint32_t line) {
        Instruction i;
        i.op = op;
        i.line = line;
        push(i, kNone);
    }
    /// What copies of a loop have in temps of their own is in none of them for the code around it.
    void loseLocals(const std::vector<Instruction>& code) {
        size_t next = 0;
        for (uint32_t n = 0; n < code.size(); n++) {
            while (next < planStart_.size() && planEnd_[next] < n) next++;
            if (next < planStart_.size() && n > planStart_[next]) continue;
            forEachAssignment(module_, code[n].assigns, [&](Assignment& a) {
                if (a.kind == Kind::Temp && localTo_[a.index] < planStart_.size()) lose(a, Lost::NotComputed);
            });
        }
    }

    void copyLoop(const Plan& plan, const std::vector<Instruction>& code) {
        auto number = static_cast<uint32_t>(std::ranges::lower_bound(planStart_, plan.loop) - planStart_.begin());
        uint32_t line = code[plan.loop].line;
        if (plan.wrapAll) append(Op::Loop, line);
        for (uint32_t trip = 0; trip <= plan.trips; trip++) {
            bool whole = trip < plan.trips;
            bool wrap = plan.wrapEach && whole;  // the part up to the exit has no Cont
            if (wrap) append(Op::Loop, line);
            copyBody(plan, number, code, whole ? plan.endloop : plan.exit, trip > 0);
            if (!wrap) continue;
            append(Op::Brk, line);
            append(Op::Endloop, line);
        }
        if (!plan.wrapAll) return;
        append(Op::Brk, line);
        append(Op::Endloop, line);
    }

    void copyBody(const Plan& plan, uint32_t number, const std::vector<Instruction>& code, uint32_t end, bool rename) {
        std::vector<std::pair<uint32_t, uint32_t>> renamed;
        auto map = [&](uint32_t& temp) {
            if (!rename || temp >= localTo_.size() || localTo_[temp] != number) return;
            if (renamedTo_.size() < localTo_.size()) renamedTo_.resize(localTo_.size(), kNone);
            if (renamedTo_[temp] == kNone) {
                renamedTo_[temp] = static_cast<uint32_t>(module_.temps.size());
                module_.temps.push_back(module_.temps[temp]);
                renamed.emplace_back(temp, renamedTo_[temp]);
            }
            temp = renamedTo_[temp];
        };
        auto mapAssignments = [&](uint32_t n) {
            const uint32_t list = copyAssignments(module_, code[n].assigns);
            forEachAssignment(module_, list, [&](Assignment& a) {
                if (!rename || a.kind != Kind::Temp || localTo_[a.index] != number) return;
                if (a.index < renamedTo_.size() && renamedTo_[a.index] != kNone)
                    a.index = renamedTo_[a.index];
                else
                    lose(a, Lost::NotComputed);  // of the iteration before
            });
            return list;
        };
        for (uint32_t n = plan.loop + 1; n < end; n++) {
            if (n == plan.exit) {
                assigns_ = joinAssignments(module_, assigns_, mapAssignments(n));
                continue;
            }
            const uint32_t assigns = mapAssignments(n);
            Instruction i = code[n];
            // Within a wrapped copy, the next iteration begins behind it.
            if (i.op == Op::Cont) i.op = Op::Brk;
            forEachSource(i, [&](Operand& o, uint8_t) {
                if (o.kind == Kind::Temp) map(o.index);
            });
            forEachIndex(i, [&](uint32_t& temp, uint8_t&) { map(temp); });
            if (writesResult(i.op) && i.dst.kind == Kind::Temp) map(i.dst.index);
            push(i, assigns);
        }
        assigns_ = joinAssignments(module_, assigns_, mapAssignments(end));
        for (auto [temp, copy] : renamed) renamedTo_[temp] = kNone;
    }

    Module& module_;
    uint32_t& budget_;
    std::vector<uint32_t> partner_;
    std::vector<uint32_t> localTo_;  ///< per temp: the plan whose loop alone uses it
    std::vector<uint32_t> planStart_, planEnd_;
    uint32_t assigns_ = kNone;         ///< assignments that wait for the next instruction
    std::vector<uint32_t> renamedTo_;  ///< per temp: its copy in the current iteration
};

}  // namespace

bool unrollLoops(Module& module, uint32_t& budget) { return Unroller(module, budget).run(); }

}  // namespace tessera::glsl::ir
