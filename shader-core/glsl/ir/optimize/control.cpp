// Control flow: branches with known conditions, empty arms, jumps under an If of their own, loops that run once, and
// code that control cannot reach.
#include "shader-core/glsl/ir/analysis.h"
#include "shader-core/glsl/ir/assignments.h"
#include "shader-core/glsl/ir/optimize/passes.h"

namespace tessera::glsl::ir {

namespace {

class Control {
public:
    explicit Control(Module& module)
        : module_(module), partner_(matchControl(module)), dead_(module.code.size()), jumps_(module.code.size()) {
        for (uint32_t n = 0; n < module.code.size(); n++)
            if (module.code[n].op == Op::Brk || module.code[n].op == Op::Cont) jumps_[partner_[n]]++;
    }

    bool run() {
        // Backwards, so that an arm is known to be empty when its If is looked at.
        for (auto n = static_cast<uint32_t>(module_.code.size()); n-- > 0;) {
            if (dead_[n]) continue;
            switch (module_.code[n].op) {
                case Op::If:
                    simplifyIf(n);
                    break;
                case Op::Loop:
                    simplifyLoop(n);
                    break;
                case Op::Brk:
                case Op::Cont:
                case Op::Kil:
                    simplifyJump(n);
                    break;
                case Op::Ret:
                    killUnreachable(n);
                    break;
                default:
                    break;
            }
        }
        if (changed_) eraseMarked(module_, dead_);
        return changed_;
    }

private:
    void kill(uint32_t n) {
        if (dead_[n]) return;
        dead_[n] = changed_ = true;
    }
    void killRange(uint32_t begin, uint32_t end) {
        for (uint32_t n = begin; n < end; n++) kill(n);
    }

    /// The assignments in front of instructions begin .. end - 1 are never made.
    void neverMade(uint32_t begin, uint32_t end) {
        for (uint32_t n = begin; n < end; n++) module_.code[n].assigns = kNone;
    }
    /// Some lanes make them, but nothing tells any more which.
    void madeByUnknown(uint32_t begin, uint32_t end) {
        for (uint32_t n = begin; n < end; n++) loseAssignments(module_, module_.code[n].assigns, Lost::Ambiguous);
    }

    /// 1 true, 0 false, -1 unknown, with the negation taken in.
    static int known(const Instruction& i) {
        if (i.condition.kind != Kind::Literal) return -1;
        bool holds = (i.condition.literal[isa::swizzleAt(i.condition.swizzle, 0)] & 0x7FFFFFFF) != 0;
        return holds != i.conditionNegate;
    }

    [[nodiscard]] bool isEmpty(uint32_t begin, uint32_t end) const {
        for (uint32_t n = begin; n < end; n++)
            if (!dead_[n]) return false;
        return true;
    }

    void simplifyIf(uint32_t n) {
        Instruction& i = module_.code[n];
        uint32_t middle = partner_[n];
        bool hasElse = module_.code[middle].op == Op::Else;
        uint32_t end = hasElse ? partner_[middle] : middle;
        if (int value = known(i); value >= 0) {
            kill(n);
            kill(middle);
            kill(end);
            if (value)
                killRange(middle, end);
            else
                killRange(n, middle);
            // The first arm ends in front of the else, the last one in front of the endif.
            if (value == 0)
                neverMade(n + 1, middle + 1);
            else if (hasElse)
                neverMade(middle + 1, end + 1);
            return;
        }
        if (hasElse && isEmpty(middle + 1, end)) {
            madeByUnknown(middle + 1, end + 1);
            kill(middle);
            partner_[n] = middle = end;
            hasElse = false;
        }
        if (isEmpty(n + 1, middle)) {
            madeByUnknown(n + 1, middle + 1);
            if (hasElse) {
                i.conditionNegate = !i.conditionNegate;
                kill(middle);
                partner_[n] = end;
            } else {
                kill(n);
                kill(end);
            }
            return;
        }
        conditionJump(n, middle, end, hasElse);
    }

    /// if (c) break;  ->  break where c. What an else holds follows unconditionally.
    void conditionJump(uint32_t n, uint32_t middle, uint32_t end, bool hasElse) {
        if (middle != n + 2) return;
        Instruction& jump = module_.code[n + 1];
        bool isJump = jump.op == Op::Brk || jump.op == Op::Cont || (jump.op == Op::Kil && !hasElse);
        if (!isJump || jump.condition.kind != Kind::None) return;
        jump.condition = module_.code[n].condition;
        jump.conditionNegate = module_.code[n].conditionNegate;
        madeByUnknown(n + 1, n + 2);
        if (jump.op == Op::Kil)
            madeByUnknown(middle, middle + 1);  // a discarded lane goes on
        else
            neverMade(middle, middle + 1);
        kill(n);
        kill(middle);
        kill(end);
    }

    void simplifyJump(uint32_t n) {
        Instruction& i = module_.code[n];
        if (int value = known(i); value >= 0) {
            changed_ = true;
            if (value == 0) return kill(n);
            i.condition = {};
            i.conditionNegate = false;
        }
        if (i.op != Op::Kil && i.condition.kind == Kind::None) killUnreachable(n);
    }

    /// Everything up to the end of the arm or loop body that an unconditional jump ends.
    void killUnreachable(uint32_t n) {
        int depth = 0;
        for (uint32_t k = n + 1; k < module_.code.size(); k++) {
            Op op = module_.code[k].op;
            bool closes = op == Op::Endif || op == Op::Endloop;
            neverMade(k, k + 1);
            if (depth == 0 && (closes || op == Op::Else)) {
                // The markers of a construct that is being removed do not end the arm.
                if (!dead_[k]) return;
                continue;
            }
            if (op == Op::If || op == Op::Loop) depth++;
            if (closes) depth--;
            kill(k);
        }
    }

    /// A loop whose only jump is a break at its end runs once.
    void simplifyLoop(uint32_t n) {
        uint32_t end = partner_[n], last = end - 1;
        const Instruction& jump = module_.code[last];
        bool once = last > n && jump.op == Op::Brk && jump.condition.kind == Kind::None && partner_[last] == n;
        if (!once || jumps_[n] != 1) return;
        neverMade(end, end + 1);
        kill(n);
        kill(last);
        kill(end);
    }

    Module& module_;
    std::vector<uint32_t> partner_;
    std::vector<bool> dead_;
    std::vector<uint32_t> jumps_;  ///< per Loop, its Brk and Cont
    bool changed_ = false;
};

}  // namespace

bool simplifyControl(Module& module) { return Control(module).run(); }

}  // namespace tessera::glsl::ir
