#include "shader-core/jit/facts.h"

#include <algorithm>
#include <map>

namespace tessera::jit {

namespace {

using isa::File;
using isa::Instruction;
using isa::Op;

/// Programs with more instructions than this after inlining are not compiled: time and memory would be unreasonable.
constexpr uint64_t kMaxExpandedInstructions = 12000;

/// Components of a source that an instruction reads, before the swizzle.
uint8_t componentsRead(const Instruction& i) {
    if (i.op == Op::Dp3 || i.op == Op::Nrm) return 0x7;
    if (i.op == Op::Dp4 || i.op == Op::Lit || isa::isTexture(isa::opInfo(i.op).shape)) return 0xF;
    return i.dst.file == File::P ? 0x1 : i.dst.writeMask;
}

class Analysis {
public:
    Analysis(const isa::Program& program, Facts& facts) : facts_(facts) {
        for (const isa::Word& word : program.code) facts.code.push_back(*isa::decode(word));
        facts.at.resize(facts.code.size());
        varyingTemps_.resize(program.tempCount);
        loopDiverges_.resize(facts.code.size());
    }

    void run() {
        findRoutines();
        for (const Instruction& i : facts_.code) scan(i);
        if (expandedSize(0) > kMaxExpandedInstructions) facts_.refusal = "too large after inlining its calls";
        if (!facts_.refusal.empty()) return;
        do {
            changed_ = false;
            for (size_t start = 0; start < facts_.code.size();) start = routine(start);
        } while (changed_);
        for (size_t n = 0; n < facts_.code.size(); ++n) {
            facts_.at[n].uniformGuard = guardIsUniform(facts_.code[n]);
            facts_.at[n].uniformAddress = (varyingAddress_ & 1) == 0;
        }
    }

private:
    /// Bits of components that may differ between lanes.
    using Varying = uint8_t;

    void scan(const Instruction& i) {
        const isa::OpInfo& info = isa::opInfo(i.op);
        if (info.set == isa::InstructionSet::Compute) facts_.refusal = "instructions of the compute set";
        if (i.subsetWidth != 0 || i.subsetDepth != 0) facts_.refusal = "active subsets";
        facts_.usesTextures |= isa::isTexture(info.shape);
        if (isa::hasDestination(info.shape)) relative(i.dst.file, i.dst.relative);
        for (int s = 0; s < isa::sourceCount(info.shape); ++s) {
            if (i.src[s].snoop) facts_.refusal = "snooping";
            relative(i.src[s].file, i.src[s].relative);
        }
    }
    void relative(File file, bool isRelative) {
        facts_.relativeTemps |= isRelative && file == File::R;
        facts_.relativeOutputs |= isRelative && file == File::O;
    }

    void findRoutines() {
        int depth = 0;
        size_t start = 0;
        for (size_t n = 0; n < facts_.code.size(); ++n) {
            const Instruction& i = facts_.code[n];
            depth += i.op == Op::If || i.op == Op::Loop;
            depth -= i.op == Op::Endif || i.op == Op::Endloop;
            if (i.op == Op::Ret && i.guard == 0 && depth == 0) {
                routineEnd_[start] = n + 1;
                start = n + 1;
            }
        }
    }

    /// Instructions of a routine with its calls inlined.
    uint64_t expandedSize(size_t start) {
        const auto known = size_.find(start);
        if (known != size_.end()) return known->second;
        uint64_t total = 0;
        for (size_t n = start; n < routineEnd_[start]; ++n) {
            total += 1;
            if (facts_.code[n].op == Op::Call) total += expandedSize(facts_.code[n].target);
            total = std::min<uint64_t>(total, uint64_t{1} << 40);
        }
        return size_[start] = total;
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

    size_t routine(size_t start) {
        const size_t end = routineEnd_[start];
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
            const bool split = divergent || !guardIsUniform(i);
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
                case Op::Loop:
                    divergent |= loopDiverges_[n];
                    open.push_back({true, divergent, divergent, false, n});
                    break;
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
                    break;
                default:
                    write(i, split);
                    break;
            }
        }
        return end;
    }

    // --- Uniformity ---

    bool guardIsUniform(const Instruction& i) const { return i.guard == 0 || !varyingPredicate_[i.guard]; }

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
        const uint8_t read = componentsRead(i);
        const bool acrossComponents = info.unit == isa::Unit::Light || i.op == Op::Dp3 || i.op == Op::Dp4;
        const bool alwaysVaries = split || isa::isTexture(info.shape) || i.op == Op::Ddx || i.op == Op::Ddy;
        Varying result = 0;
        for (int c = 0; c < 4; ++c) {
            if (!(read >> c & 1)) continue;
            bool varies = alwaysVaries;
            for (int s = 0; s < sources; ++s) varies |= sourceVaries(i.src[s], c);
            if (varies) result |= static_cast<Varying>(acrossComponents || alwaysVaries ? 0xF : 1 << c);
        }
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

    Facts& facts_;
    std::map<size_t, size_t> routineEnd_;
    std::map<size_t, uint64_t> size_;
    std::map<size_t, bool> divergentEntry_;
    std::vector<Varying> varyingTemps_, varyingOutputs_ = std::vector<Varying>(isa::kMaxOutputs);
    Varying varyingAddress_ = 0;
    bool varyingPredicate_[isa::kPredicates + 1] = {};
    std::vector<bool> loopDiverges_;
    bool changed_ = false;
};

}  // namespace

Facts findFacts(const isa::Program& program) {
    Facts facts;
    Analysis(program, facts).run();
    return facts;
}

}  // namespace tessera::jit
