#include "shader-core/analysis/facts.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>

#include "shader-core/analysis/routines.h"
#include "shader-core/isa/executor.h"

namespace tessera::analysis {

namespace {

using isa::File;
using isa::Instruction;
using isa::Op;

class Analysis {
public:
    Analysis(const isa::Program& program, const ThreadBlockSize* block, Facts& facts)
        : facts_(facts), block_(block), fragment_(program.stage == isa::Stage::Fragment) {
        for (const isa::Literal& literal : program.literals) literals_[literal.reg] = literal.bits;
        facts.code = decodedCode(program);
        facts.at.resize(facts.code.size());
        facts.temporaries = program.tempCount;
        varyingTemps_.resize(program.tempCount);
        loopDiverges_.resize(facts.code.size());
    }

    void run() {
        routines_ = findRoutines(facts_.code);
        for (const Instruction& i : facts_.code) scan(i);
        facts_.forks =
            std::ranges::any_of(facts_.code, [](const Instruction& i) { return i.op == Op::If || i.op == Op::Loop; });
        facts_.lanesApart = std::ranges::all_of(facts_.code, keepsLanesApart);
        facts_.pairs = fragment_ && facts_.lanesApart && !(facts_.forks && facts_.usesTextures);
        if (block_ != nullptr) startKernel();
        if (!facts_.refusal.empty()) return;
        do {
            changed_ = false;
            for (const Routine& one : routines_) routine(one.first, one.end());
        } while (changed_);
        for (size_t n = 0; n < facts_.code.size(); ++n) {
            facts_.at[n].uniformGuard = guardIsUniform(n);
            facts_.at[n].uniformAddress = (varyingAddress_ & 1) == 0;
            facts_.at[n].nulled = isNulled(n);
        }
        if (block_ == nullptr) findJumps();
    }

private:
    /// Bits of components that may differ between lanes.
    using Varying = uint8_t;

    void scan(const Instruction& i) {
        const isa::OpInfo& info = isa::opInfo(i.op);
        const bool narrowed = i.subsetWidth != 0 || i.subsetDepth != 0;
        if (block_ == nullptr && (narrowed || info.set == isa::InstructionSet::Compute))
            facts_.refusal = "instructions of kernels";
        facts_.usesTextures |= isa::isTexture(info.shape);
        if (isa::hasDestination(info.shape)) relative(i.dst.file, i.dst.relative);
        for (int s = 0; s < isa::sourceCount(info.shape); ++s) {
            if (i.src[s].snoop && block_ == nullptr) facts_.refusal = "snooping";
            relative(i.src[s].file, i.src[s].relative);
        }
    }
    void relative(File file, bool isRelative) {
        facts_.relativeTemps |= isRelative && file == File::R;
        facts_.relativeOutputs |= isRelative && file == File::O;
    }

    static bool keepsLanesApart(const Instruction& i) {
        const isa::OpInfo& info = isa::opInfo(i.op);
        if (i.op == Op::Call || i.op == Op::Kil || (i.op == Op::Ret && i.guard != 0)) return false;
        if (isa::isTexture(info.shape) && !isa::mayBeBlockLookup(i) && !isa::mayBeMovedLookup(i)) return false;
        if (isa::hasDestination(info.shape) && i.dst.relative) return false;
        return std::none_of(i.src.begin(), i.src.begin() + isa::sourceCount(info.shape), [](const isa::Source& s) {
            return s.relative || (s.file == File::S && s.index == static_cast<int>(isa::Special::Lane));
        });
    }

    // --- Ladders ---

    /// The compiler guards what a short `if` does. Of one or two of them all instructions are computed as fast as one
    /// knows whether there is a lane for them; of a ladder, as `if (id == 0) ...; else if (id == 1) ...`, lanes take
    /// few rungs, and neighbours the same.
    static constexpr size_t kLeastJumps = 8;
    static constexpr int kLeastWork = 8;  ///< components; computed ones count twice, as there is a merge for each

    void findJumps() {
        std::vector<std::pair<size_t, size_t>> rungs;
        for (size_t n = 0; n < facts_.code.size();) {
            const size_t end = endOfGuarded(n);
            if (end > n) rungs.emplace_back(n, end);
            n = std::max(end, n + 1);
        }
        if (rungs.size() < kLeastJumps) return;
        facts_.lanesApart = facts_.pairs = false;
        for (const auto& [first, end] : rungs) facts_.at[first].jumpTo = static_cast<uint32_t>(end);
    }

    /// Behind the instructions from this one on that depend on its guard and on nothing of their neighbours; `first` if
    /// they are too little work to jump over.
    [[nodiscard]] size_t endOfGuarded(size_t first) const {
        const Instruction& start = facts_.code[first];
        size_t end = first;
        int work = 0;
        for (; end < facts_.code.size(); ++end) {
            const Instruction& i = facts_.code[end];
            const isa::OpInfo& info = isa::opInfo(i.op);
            const bool computes =
                info.unit == isa::Unit::Alu || info.unit == isa::Unit::Tfu || info.unit == isa::Unit::Light;
            const bool snoops = std::ranges::any_of(i.src, [](const isa::Source& s) { return s.snoop; });
            if (i.guard == 0 || i.guard != start.guard || i.guardNegate != start.guardNegate || !computes || snoops ||
                i.op == Op::Ddx || i.op == Op::Ddy || i.dst.file == File::P)
                break;
            work += std::popcount(i.dst.writeMask) * (i.op == Op::Mov ? 1 : 2);
        }
        return work >= kLeastWork ? end : first;
    }

    // --- Divergence ---

    struct Open {
        bool isLoop = false;
        bool before = false;  ///< divergence at its start
        bool inside = false;
        bool left = false;  ///< loops: some lanes may have left by brk or cont
        size_t at = 0;
    };

    void diverge(std::vector<bool>& flags, size_t at) {
        changed_ |= !flags[at];
        flags[at] = true;
    }

    void routine(size_t start, size_t end) {
        const bool entry = divergentEntry_[start];
        std::vector<Open> open;
        bool returned = false, divergent = entry;
        const auto innermostLoop = [&]() -> Open* {
            for (size_t k = open.size(); k-- > 0;)
                if (open[k].isLoop) return &open[k];
            return nullptr;
        };
        for (size_t n = start; n < end; ++n) {
            const Instruction& i = facts_.code[n];
            if (divergent && !facts_.at[n].divergent) facts_.at[n].divergent = changed_ = true;
            const bool split = divergent || !guardIsUniform(n);
            switch (i.op) {
                case Op::If:
                    open.push_back({false, divergent, split, false, n});
                    divergent = split;
                    break;
                case Op::Else:
                    divergent = open.back().inside || returned || (innermostLoop() && innermostLoop()->left);
                    break;
                case Op::Endif:
                    divergent = open.back().before || returned;
                    open.pop_back();
                    if (innermostLoop() != nullptr) divergent |= innermostLoop()->left;
                    break;
                case Op::Loop: {
                    // Behind the loop those lanes are together again that were before it.
                    const bool before = divergent;
                    divergent |= loopDiverges_[n];
                    open.push_back({true, before, divergent, false, n});
                    break;
                }
                case Op::Endloop:
                    divergent = open.back().before || returned;
                    open.pop_back();
                    if (innermostLoop() != nullptr) divergent |= innermostLoop()->left;
                    break;
                case Op::Brk:
                case Op::Cont:
                    if (!split) break;
                    innermostLoop()->left = divergent = true;
                    if (i.op == Op::Brk) diverge(loopDiverges_, innermostLoop()->at);
                    break;
                case Op::Ret:
                    if (!split || n + 1 == end) break;
                    returned = divergent = true;
                    for (const Open& o : open)
                        if (o.isLoop) diverge(loopDiverges_, o.at);
                    break;
                case Op::Call:
                    if (split && !divergentEntry_[i.target]) divergentEntry_[i.target] = changed_ = true;
                    break;
                case Op::Kil:
                case Op::Bar:
                case Op::Gbar:
                    break;
                default:
                    if (block_ != nullptr)
                        writeKernel(n, split);
                    else
                        write(i, split);
                    break;
            }
        }
    }

    // --- Uniformity ---

    bool guardIsUniform(size_t n) const {
        const Instruction& i = facts_.code[n];
        if (i.guard == 0) return true;
        return block_ != nullptr ? facts_.uniformPredicate(n, i.guard, false) : !varyingPredicate_[i.guard];
    }

    bool sourceVaries(const isa::Source& s, int component) const {
        const int c = isa::swizzleAt(s.swizzle, component);
        switch (s.file) {
            case File::R:
                return s.relative || (varyingTemps_[s.index] >> c & 1);
            case File::O:
                return s.relative || (varyingOutputs_[s.index] >> c & 1);
            case File::C:
                return s.relative && (varyingAddress_ & 1);
            case File::A:
                return varyingAddress_ >> c & 1;
            case File::P:
                return varyingPredicate_[s.index];
            case File::I:
                return false;
            case File::V:
            case File::S:
                return true;
        }
        return true;
    }

    void mark(Varying& varying, Varying components) {
        changed_ |= (components & ~varying) != 0;
        varying |= components;
    }

    void write(const Instruction& i, bool split) {
        const isa::OpInfo& info = isa::opInfo(i.op);
        const int sources = isa::sourceCount(info.shape);
        const bool acrossComponents = info.unit == isa::Unit::Light || i.op == Op::Dp3 || i.op == Op::Dp4;
        const bool alwaysVaries = split || isa::isTexture(info.shape) || i.op == Op::Ddx || i.op == Op::Ddy;
        Varying result = 0;
        if (alwaysVaries) result = 0xF;
        for (int s = 0; s < sources && !alwaysVaries; ++s)
            for (int c = 0; c < 4; ++c)
                if ((isa::componentsRead(i, s) >> c & 1) != 0 && sourceVaries(i.src[s], c))
                    result |= static_cast<Varying>(acrossComponents ? 0xF : 1 << c);
        result &= i.dst.file == File::P ? Varying{1} : i.dst.writeMask;
        if (i.dst.relative) {
            for (Varying& v : i.dst.file == File::R ? varyingTemps_ : varyingOutputs_) mark(v, 0xF);
            return;
        }
        switch (i.dst.file) {
            case File::R:
                return mark(varyingTemps_[i.dst.index], result);
            case File::O:
                return mark(varyingOutputs_[i.dst.index], result);
            case File::A:
                return mark(varyingAddress_, result);
            case File::P:
                changed_ |= result != 0 && !varyingPredicate_[i.dst.index];
                varyingPredicate_[i.dst.index] |= result != 0;
                return;
            default:
                return;
        }
    }

    // --- Lookups ---

    /// Follows straight code to the end of the program. What lies behind a branch is not looked at.
    bool isNulled(size_t at) {
        const Instruction& lookup = facts_.code[at];
        if (!isa::isTexture(isa::opInfo(lookup.op).shape) || lookup.dst.file != File::R || lookup.dst.relative ||
            facts_.relativeTemps || at >= routines_[0].end())
            return false;
        unsigned live = lookup.dst.writeMask;
        for (size_t n = at + 1; n < routines_[0].end() && live != 0; ++n) {
            const Instruction& i = facts_.code[n];
            const isa::OpInfo& info = isa::opInfo(i.op);
            if (info.unit == isa::Unit::Control) return i.op == Op::Ret && i.guard == 0;
            for (int s = 0; s < isa::sourceCount(info.shape); ++s) {
                const isa::Source& source = i.src[static_cast<size_t>(s)];
                if (source.file != File::R || source.index != lookup.dst.index) continue;
                for (int c = 0; c < 4; ++c) {
                    const bool reads = isa::componentsRead(i, s) >> c & 1;
                    if (!reads || !(live >> isa::swizzleAt(source.swizzle, c) & 1)) continue;
                    if (i.op != Op::Mul || i.type != isa::Type::F32 || !isZero(i, 1 - s, c)) return false;
                }
            }
            const bool writes = isa::hasDestination(info.shape) && i.dst.file == File::R && !i.dst.relative;
            if (writes && i.guard == 0 && i.dst.index == lookup.dst.index) live &= ~unsigned{i.dst.writeMask};
        }
        return live == 0;
    }

    /// Whether component c of a source is known to be zero, of either sign.
    bool isZero(const Instruction& i, int s, int c) const {
        const isa::Source& source = i.src[static_cast<size_t>(s)];
        if (source.relative) return false;
        if (source.file == File::I) return i.immediate << 1 == 0;
        const auto literal = source.file == File::C ? literals_.find(source.index) : literals_.end();
        return literal != literals_.end() &&
               literal->second[static_cast<size_t>(isa::swizzleAt(source.swizzle, c))] << 1 == 0;
    }

    // --- Kernels ---

    void startKernel() {
        facts_.webs = Webs(facts_.code, static_cast<unsigned>(varyingTemps_.size()), facts_.relativeTemps);
        facts_.spreads.resize(facts_.webs.count());
        facts_.integerWebs.resize(facts_.webs.count());
        for (uint32_t web = 0; web < facts_.webs.count(); ++web) {
            if (facts_.relativeTemps) facts_.spreads[web] = {Spread::Varying};
            if (facts_.webs.startsAsZero(web)) join(facts_.spreads[web], {Spread::Linear, 0});
        }
        for (size_t n = 0; n < facts_.code.size(); ++n) {
            const Instruction& i = facts_.code[n];
            if (!isa::hasDestination(isa::opInfo(i.op).shape) || i.dst.file != File::R || i.dst.relative) continue;
            for (unsigned c = 0; c < 4; ++c)
                if ((i.dst.writeMask >> c & 1) && isa::resultType(i.op, i.type) != isa::Type::F32)
                    facts_.integerWebs[facts_.webs.of(n, i.dst.index, c, true)] = true;
        }
    }

    void join(Spread& into, Spread other) {
        if (other.kind == Spread::Unset || into == other || into.kind == Spread::Varying) return;
        into = into.kind == Spread::Unset ? other : Spread{Spread::Varying};
        changed_ = true;
    }

    Spread rawSpread(const isa::Source& s, int component) const {
        const int c = isa::swizzleAt(s.swizzle, component);
        if (s.relative || s.snoop) return {Spread::Varying};
        switch (s.file) {
            case File::R:
                return facts_.spreads[facts_.webs.of(now_, s.index, static_cast<unsigned>(c), false)];
            case File::C:
            case File::I:
                return {Spread::Linear, 0};
            case File::P:
                return facts_.spreads[facts_.webs.of(now_, Webs::kPredicates, s.index, false)];
            case File::S:
                if (s.index == static_cast<int>(isa::Special::Lane)) return {Spread::Linear, c == 0 ? 1u : 0u};
                if (s.index == static_cast<int>(isa::Special::Thread)) return threadSpread(*block_, c);
                return {Spread::Linear, 0};
            default:
                return {Spread::Varying};
        }
    }

    Spread spreadOf(const isa::Source& s, int component, bool integer) const {
        Spread spread = rawSpread(s, component);
        if (spread.kind != Spread::Linear || spread.stride == 0) return spread;
        if (s.absolute || (s.negate && !integer)) return {Spread::Varying};
        if (s.negate) spread.stride = 0u - spread.stride;
        return spread;
    }

    /// The value of an operand that is known when the program is compiled.
    std::optional<uint32_t> knownValue(const Instruction& i, int s, int component) const {
        const isa::Source& source = i.src[static_cast<size_t>(s)];
        if (source.absolute || source.relative) return std::nullopt;
        uint32_t bits = i.immediate;
        if (source.file == File::C) {
            const auto literal = literals_.find(source.index);
            if (literal == literals_.end()) return std::nullopt;
            bits = literal->second[static_cast<size_t>(isa::swizzleAt(source.swizzle, component))];
        } else if (source.file != File::I) {
            return std::nullopt;
        }
        return source.negate ? 0u - bits : bits;
    }

    Spread product(const Instruction& i, int component, Spread a, Spread b) const {
        if (a.stride == 0 && b.stride == 0) return a;
        const auto known = knownValue(i, a.stride == 0 ? 0 : 1, component);
        if (!known || (a.stride != 0 && b.stride != 0)) return {Spread::Varying};
        return {Spread::Linear, (a.stride | b.stride) * *known};
    }

    /// The result of an instruction all of whose operands are linear.
    Spread linearResult(const Instruction& i, int component, const std::array<Spread, 3>& s) const {
        const bool allUniform = s[0].stride == 0 && s[1].stride == 0 && s[2].stride == 0;
        if (allUniform) return {Spread::Linear, 0};
        if (i.saturate || (i.type == isa::Type::F32 && i.op != Op::Mov)) return {Spread::Varying};
        switch (i.op) {
            case Op::Mov:
                return i.dst.file == File::P ? Spread{Spread::Varying} : s[0];
            case Op::Add:
                return {Spread::Linear, s[0].stride + s[1].stride};
            case Op::Mul:
                return product(i, component, s[0], s[1]);
            case Op::Mad: {
                Spread sum = product(i, component, s[0], s[1]);
                sum.stride += s[2].stride;
                return sum;
            }
            case Op::Shl: {
                const auto known = knownValue(i, 1, component);
                if (!known || s[1].stride != 0) return {Spread::Varying};
                return {Spread::Linear, s[0].stride << (*known & 31)};
            }
            default:
                return {Spread::Varying};
        }
    }

    Spread resultSpread(const Instruction& i, int component) const {
        const isa::OpInfo& info = isa::opInfo(i.op);
        const bool integer = isa::sourceType(i.op, i.type) != isa::Type::F32;
        std::array<Spread, 3> operands;
        operands.fill({Spread::Linear, 0});
        bool unset = false;
        for (int s = 0; s < isa::sourceCount(info.shape); ++s) {
            const bool address = isa::isMemory(info.shape) && s == 0;
            Spread& operand = operands[static_cast<size_t>(s)];
            operand = spreadOf(i.src[static_cast<size_t>(s)], address ? 0 : component, integer);
            if (operand.kind == Spread::Varying) return operand;
            unset |= operand.kind == Spread::Unset;
        }
        if (unset) return {Spread::Unset};
        return linearResult(i, component, operands);
    }

    void writeKernel(size_t n, bool split) {
        const Instruction& i = facts_.code[n];
        const isa::OpInfo& info = isa::opInfo(i.op);
        InstructionFacts& facts = facts_.at[n];
        now_ = n;
        split |= i.subsetWidth != 0 || i.subsetDepth != 0;
        if (isa::isMemory(info.shape)) {
            facts.address = spreadOf(i.src[0], 0, true);
            if (info.shape == isa::Shape::MS) return;
        }
        const bool acrossComponents = info.unit == isa::Unit::Light || i.op == Op::Dp3 || i.op == Op::Dp4;
        const bool broadcasts = info.unit == isa::Unit::Lane && (info.shape == isa::Shape::DS1 || i.op == Op::Dot);
        const bool atomic = info.shape == isa::Shape::DMS1 || info.shape == isa::Shape::DMS2;
        const uint8_t wanted = i.dst.file == File::P ? 1 : i.dst.writeMask;
        Spread common{Spread::Linear, 0};
        for (int c = 0; acrossComponents && c < 4 && common.kind != Spread::Varying; ++c) {
            if (!(isa::componentsRead(i, 0) >> c & 1)) continue;
            const Spread one = resultSpread(i, c);
            if (one.kind == Spread::Unset || !one.uniform())
                common = {one.kind == Spread::Unset ? Spread::Unset : Spread::Varying};
        }
        for (int c = 0; c < 4; ++c) {
            if (!(wanted >> c & 1)) continue;
            Spread result = acrossComponents ? common : resultSpread(i, c);
            if (broadcasts && result.kind != Spread::Unset) result = {Spread::Linear, 0};
            if (atomic || (split && result.kind != Spread::Unset)) result = {Spread::Varying};
            Spread& own = facts.result[static_cast<size_t>(c)];
            if (own != result) changed_ = true, own = result;
            if (i.dst.file == File::P) {
                if (result.kind == Spread::Linear && result.stride != 0) result = {Spread::Varying};
                join(facts_.spreads[facts_.webs.of(n, Webs::kPredicates, i.dst.index, true)], result);
            } else if (i.dst.file == File::R && !i.dst.relative) {
                join(facts_.spreads[facts_.webs.of(n, i.dst.index, static_cast<unsigned>(c), true)], result);
            }
        }
        if (i.dst.file == File::A) varyingAddress_ = 0xF;
    }

    Facts& facts_;
    const ThreadBlockSize* block_;
    const bool fragment_;
    size_t now_ = 0;  ///< the instruction whose operands are looked at
    std::map<uint16_t, std::array<uint32_t, 4>> literals_;
    std::vector<Routine> routines_;
    std::map<size_t, bool> divergentEntry_;
    std::vector<Varying> varyingTemps_, varyingOutputs_ = std::vector<Varying>(isa::kMaxOutputs);
    Varying varyingAddress_ = 0;
    bool varyingPredicate_[isa::kPredicates + 1] = {};
    std::vector<bool> loopDiverges_;
    bool changed_ = false;
};

}  // namespace

Facts findFacts(const isa::Program& program, const ThreadBlockSize* block) {
    Facts facts;
    Analysis(program, block, facts).run();
    return facts;
}

Spread threadSpread(const ThreadBlockSize& block, int component) {
    const auto [x, y, z] = block;
    constexpr uint32_t kGroup = isa::kGroupSize;
    if (component == 3) return {Spread::Linear, 1};
    if (component == 0 && (x % kGroup == 0 || (y == 1 && z == 1))) return {Spread::Linear, 1};
    if (component == 1 && (y == 1 || x % kGroup == 0)) return {Spread::Linear, 0};
    if (component == 2 && (z == 1 || (x * y) % kGroup == 0)) return {Spread::Linear, 0};
    return {Spread::Varying};
}

}  // namespace tessera::analysis
