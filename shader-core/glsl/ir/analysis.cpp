// Facts about single instructions, control-flow matching, and liveness.
//
// Liveness is the textbook backward data flow, run over the structure instead of a graph: the two arms of an If
// start from the state after Endif and meet at If; a loop is repeated until the state assumed at its end (the
// entry of the next iteration) covers what its body asks for. The assumption is kept from one visit to the next,
// so nested loops converge in few rounds.
#include "shader-core/glsl/ir/analysis.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "shader-core/glsl/ir/assignments.h"

namespace tessera::glsl::ir {

// clang-format off
Form formOf(Op op) {
    // An instruction without its form does not compile.
#pragma clang diagnostic push
#pragma clang diagnostic error "-Wswitch"
    switch (op) {
        case Op::Mov: case Op::Add: case Op::Mul: case Op::Mad: case Op::Div: case Op::Mod: case Op::Min: case Op::Max:
        case Op::Slt: case Op::Sge: case Op::Seq: case Op::Sne: case Op::Sel:
        case Op::Flr: case Op::Frc: case Op::Trc: case Op::Rne:
        case Op::Rcp: case Op::Rsq: case Op::Sqt: case Op::Ex2: case Op::Lg2: case Op::Sin: case Op::Cos: case Op::Pow:
        case Op::Ddx: case Op::Ddy:
        case Op::F2i: case Op::I2f: case Op::F2h: case Op::H2f:
        case Op::And: case Op::Or: case Op::Xor: case Op::Not: case Op::Shl: case Op::Shr:
        case Op::Mulh: case Op::Popc: case Op::Clz: case Op::Brev: case Op::Madx:
        case Op::Ld: case Op::Atadd: case Op::Atmin: case Op::Atmax: case Op::Atand: case Op::Ator: case Op::Atxor:
        case Op::Atxch: case Op::Atcas:
        case Op::Vall: case Op::Vany: case Op::Vbal: case Op::Shi: case Op::Shu: case Op::Shd: case Op::Shx:
        case Op::Sum: case Op::Dot:
            return Form::ComponentWise;
        case Op::Dp3: case Op::Dp4:
            return Form::Dot;
        case Op::Lit: case Op::Nrm: case Op::Tex: case Op::Txb: case Op::Txl: case Op::Txd:
        case Op::Txf: case Op::Txs:
            return Form::Fixed;
        case Op::If: case Op::Else: case Op::Endif: case Op::Loop: case Op::Endloop: case Op::Brk: case Op::Cont:
        case Op::Call: case Op::Ret: case Op::Kil: case Op::St: case Op::Bar: case Op::Gbar:
            return Form::Control;
    }
#pragma clang diagnostic pop
    UNREACHABLE("no instruction");
}
// clang-format on

bool endsBasicBlock(Op op) {
    switch (op) {
        case Op::If:
        case Op::Else:
        case Op::Endif:
        case Op::Loop:
        case Op::Endloop:
        case Op::Brk:
        case Op::Cont:
        case Op::Call:
        case Op::Ret:
            return true;
        default:
            return false;
    }
}

uint8_t slotsRead(const Instruction& i, int source) {
    isa::Instruction word{.op = i.op, .textureTarget = i.target};
    word.dst.writeMask = i.dst.writeMask;
    return isa::componentsRead(word, source);
}

Swizzle tidySwizzle(Swizzle swizzle, uint8_t slots) {
    int at[4] = {};
    int fill = 0;
    for (int i = 3; i >= 0; i--)
        if (slots >> i & 1) fill = isa::swizzleAt(swizzle, i);
    for (int i = 0; i < 4; i++) {
        if (slots >> i & 1) fill = isa::swizzleAt(swizzle, i);
        at[i] = fill;
    }
    return isa::makeSwizzle(at[0], at[1], at[2], at[3]);
}

Places::Places(const Module& module) : temps(static_cast<uint32_t>(module.temps.size())) {
    auto visit = [&](Kind kind, uint32_t index, uint32_t relative, uint32_t first, uint32_t count) {
        if (kind != Kind::Output && kind != Kind::Shared) return;
        uint32_t& places = kind == Kind::Output ? outputs : shared;
        places = std::max(places, index + 1);
        if (relative != kNone) places = std::max(places, first + count);
    };
    for (const Instruction& i : module.code) {
        if (writesResult(i.op)) visit(i.dst.kind, i.dst.index, i.dst.relative, i.dst.arrayFirst, i.dst.arrayCount);
        forEachSource(
            i, [&](const Operand& o, uint8_t) { visit(o.kind, o.index, o.relative, o.arrayFirst, o.arrayCount); });
    }
}

std::vector<uint32_t> matchControl(const Module& module) {
    std::vector<uint32_t> partner(module.code.size(), kNone);
    std::vector<uint32_t> open, loops, ifs;
    for (uint32_t n = 0; n < module.code.size(); n++) {
        switch (module.code[n].op) {
            case Op::If:
                open.push_back(n);
                ifs.push_back(n);
                break;
            case Op::Else:
                partner[open.back()] = n;
                open.back() = n;
                break;
            case Op::Endif:
                partner[open.back()] = n;
                partner[n] = ifs.back();
                open.pop_back();
                ifs.pop_back();
                break;
            case Op::Loop:
                loops.push_back(n);
                break;
            case Op::Endloop:
                partner[loops.back()] = n;
                partner[n] = loops.back();
                loops.pop_back();
                break;
            case Op::Brk:
            case Op::Cont:
                partner[n] = loops.back();
                break;
            default:
                break;
        }
    }
    return partner;
}

namespace {

using State = std::vector<uint8_t>;  ///< live components of each place

void unite(State& into, const State& from) {
    for (size_t i = 0; i < into.size(); i++) into[i] |= from[i];
}

class LivenessWalker {
public:
    explicit LivenessWalker(const Module& module)
        : module_(module), places_(module), partner_(matchControl(module)), live_(places_.count()) {
        result_.liveResult.assign(module.code.size(), 0);
        result_.liveCopied.assign(module.code.size(), 0);
        loopOf_.assign(module.code.size(), kNone);
        for (uint32_t n = 0; n < module.code.size(); n++)
            if (module.code[n].op == Op::Loop) {
                loopOf_[n] = static_cast<uint32_t>(heads_.size());
                heads_.emplace_back(places_.count());
                afters_.emplace_back();
                result_.loops.push_back({n, partner_[n], {}});
            }
    }

    Liveness run() {
        setAtEnd(live_);
        walk(0, static_cast<uint32_t>(module_.code.size()));
        for (uint32_t p = 0; p < places_.temps; p++)
            if (live_[p]) result_.entry.push_back(p);
        for (size_t l = 0; l < heads_.size(); l++)
            for (uint32_t p = 0; p < places_.count(); p++)
                if (heads_[l][p]) result_.loops[l].places.push_back(p);
        return std::move(result_);
    }

private:
    void setAtEnd(State& state) {
        std::fill(state.begin(), state.end(), 0);
        std::fill(state.begin() + places_.temps, state.end(), 0xF);
    }

    void read(const Operand& o, uint8_t slots) {
        if (!Places::isPlace(o.kind)) return;
        uint8_t mask = throughSwizzle(o.swizzle, slots);
        if (o.relative == kNone) {
            live_[places_.of(o)] |= mask;
        } else {
            uint32_t first = places_.of(o.kind, o.arrayFirst);
            for (uint32_t p = first; p < first + o.arrayCount; p++) live_[p] |= mask;
        }
    }

    void compute(uint32_t n) {
        const Instruction& i = module_.code[n];
        uint8_t wanted = 0;
        if (i.dst.relative == kNone) {
            uint8_t& place = live_[places_.of(i.dst)];
            wanted = result_.liveResult[n] |= place & i.dst.writeMask;
            place &= static_cast<uint8_t>(~i.dst.writeMask);
        } else {
            uint32_t first = places_.of(i.dst.kind, i.dst.arrayFirst);
            for (uint32_t p = first; p < first + i.dst.arrayCount; p++) wanted |= live_[p];
            wanted = result_.liveResult[n] |= wanted & i.dst.writeMask;
        }
        if (i.op == Op::Mov && Places::isPlace(i.src[0].kind) && i.src[0].relative == kNone)
            result_.liveCopied[n] |= live_[places_.of(i.src[0])];
        if (wanted == 0) return;
        effects_++;
        if (formOf(i.op) == Form::ComponentWise) {
            for (int s = 0; s < sourceCountOf(i.op); s++) read(i.src[s], wanted);
        } else {
            forEachSource(i, [&](const Operand& o, uint8_t slots) { read(o, slots); });
        }
        readIndices(i);
    }

    void readIndices(const Instruction& i) {
        forEachIndex(i, [&](uint32_t temp, uint8_t component) { live_[temp] |= static_cast<uint8_t>(1 << component); });
    }

    /// Backward over [begin, end).
    void walk(uint32_t begin, uint32_t end) {
        for (uint32_t n = end; n-- > begin;) {
            const Instruction& i = module_.code[n];
            if (writesResult(i.op)) {
                compute(n);
                continue;
            }
            switch (i.op) {
                case Op::Endif:
                    n = walkIf(n);
                    break;
                case Op::Endloop:
                    n = walkLoop(n);
                    break;
                case Op::Brk:
                    jump(i, afters_[loopOf_[partner_[n]]]);
                    break;
                case Op::Cont:
                    jump(i, heads_[loopOf_[partner_[n]]]);
                    break;
                case Op::Ret:
                    setAtEnd(live_);
                    break;
                case Op::Call:  // reads and writes what it likes of what is not a temp
                    std::fill(live_.begin() + places_.temps, live_.end(), 0xF);
                    break;
                default:
                    break;
            }
            const bool hasEffect =
                i.op == Op::Brk || i.op == Op::Cont || i.op == Op::Kil || i.op == Op::Ret || i.op == Op::Call;
            effects_ += hasEffect;
            if (i.condition.kind != Kind::None && i.op != Op::If) {
                read(i.condition, 1);
                readIndices(i);
            }
        }
    }

    void jump(const Instruction& i, const State& target) {
        if (i.condition.kind == Kind::None)
            live_ = target;
        else
            unite(live_, target);
    }

    uint32_t walkIf(uint32_t endif) {
        uint32_t start = partner_[endif], middle = partner_[start];
        uint64_t effectsBefore = effects_;
        State after = live_;
        work_ += live_.size();
        if (middle != endif) {
            walk(middle + 1, endif);
            std::swap(after, live_);  // `after` is now the state at Else, `live_` the state behind Endif
        }
        walk(start + 1, middle);
        unite(live_, after);
        if (effects_ == effectsBefore) return start;  // nothing depends on the condition
        read(module_.code[start].condition, 1);
        readIndices(module_.code[start]);
        return start;
    }

    /// An outermost loop is walked until no head in it grows any more, the loops inside once each time. Were each
    /// walked until it is done, an inner one would be walked as often as all heads around it grow together. Copies in
    /// the wrong order grow a head by one place a round: what then takes too long is given up, and all that is ever
    /// read is taken to be live at the heads.
    uint32_t walkLoop(uint32_t endloop) {
        uint32_t start = partner_[endloop], l = loopOf_[start];
        const bool outermost = !inLoop_;
        afters_[l] = live_;
        inLoop_ = true;
        do {
            if (outermost && work_ > kMostWork) assumeAll(l, endloop);
            if (outermost) headsGrew_ = false;
            work_ += live_.size();
            live_ = heads_[l];
            walk(start + 1, endloop);
            for (uint32_t p = 0; p < live_.size(); p++) headsGrew_ |= (live_[p] & ~heads_[l][p]) != 0;
            unite(heads_[l], live_);
        } while (outermost && headsGrew_);
        inLoop_ = !outermost;
        return start;
    }

    /// What is live at the heads of loop number l, which ends at `endloop`, and of the loops in it.
    void assumeAll(uint32_t l, uint32_t endloop) {
        const State before = std::exchange(live_, State(places_.count()));
        setAtEnd(live_);
        for (const Instruction& i : module_.code) {
            forEachSource(i, [&](const Operand& o, uint8_t slots) { read(o, slots); });
            readIndices(i);
        }
        const State all = std::exchange(live_, before);
        for (; l < heads_.size() && result_.loops[l].loop < endloop; l++) heads_[l] = all;
    }

    static constexpr uint64_t kMostWork = 100'000'000;  ///< components looked at

    const Module& module_;
    Places places_;
    std::vector<uint32_t> partner_;
    State live_;
    uint64_t work_ = 0;  ///< in loops and conditions
    std::vector<uint32_t> loopOf_;
    std::vector<State> heads_, afters_;
    bool inLoop_ = false, headsGrew_ = false;
    uint64_t effects_ = 0;  ///< instructions met that are needed
    Liveness result_;
};

}  // namespace

Liveness computeLiveness(const Module& module) { return LivenessWalker(module).run(); }

void eraseMarked(Module& module, const std::vector<bool>& dead) {
    CHECK_EQ(dead.size(), module.code.size());
    size_t kept = 0;
    uint32_t assigns = kNone;  // in front of instructions that go: made before the next that stays
    for (size_t n = 0; n < dead.size(); n++) {
        assigns = joinAssignments(module, assigns, module.code[n].assigns);
        if (dead[n]) continue;
        if (kept != n) module.code[kept] = module.code[n];
        module.code[kept].assigns = std::exchange(assigns, kNone);
        kept++;
    }
    module.code.resize(kept);
}

}  // namespace tessera::glsl::ir
