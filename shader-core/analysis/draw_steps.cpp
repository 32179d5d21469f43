#include "shader-core/analysis/draw_steps.h"

#include <algorithm>
#include <set>

#include "shader-core/isa/block.h"

namespace tessera::analysis {

namespace {

using isa::File;
using isa::Instruction;
using isa::Op;

/// Longer programs are looked through for long, and compiled in parts where they are straight (jit/codegen/parts.h).
constexpr size_t kMaxCode = 400;
/// Components that are computed; one of the transcendental unit counts as many.
constexpr int kLeastWork = 4, kTranscendental = 8;

enum class Kind : uint8_t {
    Lanes,    ///< may differ between lanes
    Literal,  ///< of literals alone, or a copy of a constant: nothing that is worth keeping
    Draw,
};

class Finder {
public:
    Finder(const Facts& facts, const isa::Program& program) : code_(facts.code), temporaries_(facts.temporaries) {
        for (const isa::Literal& literal : program.literals) literals_.insert(literal.reg);
    }

    DrawSteps run() {
        if (code_.size() > kMaxCode || std::ranges::none_of(code_, [](const Instruction& i) { return mayBegin(i); }))
            return {};
        webs_ = Webs(code_, temporaries_, false);
        countWriters();
        kinds_.assign(webs_.count(), Kind::Lanes);
        readOnce_.resize(webs_.count());
        readInBlocks_.resize(webs_.count());
        steps_.resize(code_.size());
        for (size_t n = 0; n < code_.size(); ++n) find(n);
        if (work_ < kLeastWork) return {};
        for (size_t n = code_.size(); n-- > 0;) findReaders(n);
        return placeResults() ? DrawSteps{std::move(steps_), std::move(webs_)} : DrawSteps{};
    }

private:
    static int sources(const Instruction& i) { return isa::sourceCount(isa::opInfo(i.op).shape); }

    /// Whether it computes, for all lanes that execute it, a temporary that others may be the same as.
    static bool computes(const Instruction& i) {
        const isa::OpInfo& info = isa::opInfo(i.op);
        const bool ofLanes =
            info.unit != isa::Unit::Alu && info.unit != isa::Unit::Tfu && info.unit != isa::Unit::Light;
        if (ofLanes || !isa::hasDestination(info.shape) || i.op == Op::Ddx || i.op == Op::Ddy) return false;
        return i.guard == 0 && i.dst.file == File::R && !i.dst.relative;
    }
    static bool isConstant(const isa::Source& s) { return (s.file == File::C && !s.relative) || s.file == File::I; }

    /// Of constants alone: without one of these there are no others.
    static bool mayBegin(const Instruction& i) {
        return computes(i) && std::all_of(i.src.begin(), i.src.begin() + sources(i), isConstant);
    }

    void countWriters() {
        writers_.assign(webs_.count(), 0);
        for (size_t n = 0; n < code_.size(); ++n) {
            const Instruction& i = code_[n];
            if (!isa::hasDestination(isa::opInfo(i.op).shape) || i.dst.file != File::R || i.dst.relative) continue;
            for (unsigned c = 0; c < 4; ++c)
                if (i.dst.writeMask >> c & 1) ++writers_[webs_.of(n, i.dst.index, c, true)];
        }
    }

    [[nodiscard]] Kind kindOf(size_t n, const isa::Source& s, unsigned component) const {
        if (s.file == File::I) return Kind::Literal;
        if (isConstant(s)) return literals_.contains(s.index) ? Kind::Literal : Kind::Draw;
        return s.file == File::R ? kinds_[webs_.of(n, s.index, component, false)] : Kind::Lanes;
    }

    /// Of component c of the result.
    [[nodiscard]] Kind resultKind(size_t n, unsigned c) const {
        const Instruction& i = code_[n];
        Kind least = Kind::Draw, most = Kind::Literal;
        for (int s = 0; s < sources(i); ++s) {
            const isa::Source& source = i.src[static_cast<size_t>(s)];
            for (unsigned k = 0; k < 4; ++k) {
                if (!(componentsFor(i, s, c) >> k & 1)) continue;
                const Kind kind = kindOf(n, source, static_cast<unsigned>(isa::swizzleAt(source.swizzle, k)));
                least = std::min(least, kind);
                most = std::max(most, kind);
            }
        }
        return least == Kind::Lanes ? Kind::Lanes : most;
    }

    /// Components of the swizzle of a source that one of the result is made of.
    static unsigned componentsFor(const Instruction& i, int s, unsigned c) {
        return isAcross(i.op) ? isa::componentsRead(i, s) : 1U << c;
    }
    static bool isAcross(Op op) { return op == Op::Dp3 || op == Op::Dp4 || op == Op::Lit || op == Op::Nrm; }

    void find(size_t n) {
        const Instruction& i = code_[n];
        if (!computes(i)) return;
        for (unsigned c = 0; c < 4; ++c) {
            if (!(i.dst.writeMask >> c & 1)) continue;
            const uint32_t web = webs_.of(n, i.dst.index, c, true);
            Kind kind = resultKind(n, c);
            if (writers_[web] != 1 || webs_.startsAsZero(web) || kind == Kind::Lanes) continue;
            const bool copiesConstant = i.op == Op::Mov && i.src[0].file == File::C;
            if (copiesConstant) kind = Kind::Literal;
            kinds_[web] = kind;
            if (kind != Kind::Draw) continue;
            steps_[n].computed |= static_cast<uint8_t>(1U << c);
            if (i.op != Op::Mov) work_ += isa::opInfo(i.op).unit == isa::Unit::Alu ? 1 : kTranscendental;
        }
    }

    /// What each reads of the others, from the last instruction on: once in a draw, or in each block.
    void findReaders(size_t n) {
        const Instruction& i = code_[n];
        DrawSteps::Step& step = steps_[n];
        unsigned once = 0, inBlocks = 0xF;
        if (computes(i)) {
            for (unsigned c = 0; c < 4; ++c)
                if (i.dst.writeMask >> c & 1 && readOnce_[webs_.of(n, i.dst.index, c, true)])
                    step.needed |= static_cast<uint8_t>(1U << c);
            once = step.computed | step.needed;
            inBlocks = i.dst.writeMask & ~unsigned{step.computed};
        }
        for (int s = 0; s < sources(i); ++s) {
            const isa::Source& source = i.src[static_cast<size_t>(s)];
            if (source.file != File::R) continue;
            for (unsigned k = 0; k < 4; ++k) {
                if (!(isa::componentsRead(i, s) >> k & 1)) continue;
                const auto component = static_cast<unsigned>(isa::swizzleAt(source.swizzle, static_cast<int>(k)));
                const uint32_t web = webs_.of(n, source.index, component, false);
                const bool allAtOnce = isAcross(i.op) || !computes(i);
                if (allAtOnce ? once != 0 : once >> k & 1) readOnce_[web] = true;
                if (allAtOnce ? inBlocks != 0 : inBlocks >> k & 1) readInBlocks_[web] = true;
            }
        }
    }

    /// False: there are too many.
    bool placeResults() {
        size_t places = 0;
        for (size_t n = 0; n < code_.size(); ++n)
            for (unsigned c = 0; c < 4; ++c) {
                if (!(steps_[n].computed >> c & 1)) continue;
                if (!readInBlocks_[webs_.of(n, code_[n].dst.index, c, true)]) continue;
                if (places == isa::DrawValues::kPlaces) return false;
                steps_[n].place[c] = static_cast<uint8_t>(places++);
            }
        return places != 0;
    }

    const std::vector<Instruction>& code_;
    const unsigned temporaries_;
    std::set<unsigned> literals_;  ///< constants
    Webs webs_;
    std::vector<uint32_t> writers_;  ///< instructions that write a web
    std::vector<Kind> kinds_;        ///< of webs
    std::vector<DrawSteps::Step> steps_;
    std::vector<bool> readOnce_, readInBlocks_;  ///< webs
    int work_ = 0;
};

}  // namespace

DrawSteps findDrawSteps(const Facts& facts, const isa::Program& program) {
    if (facts.relativeTemps) return {};
    return Finder(facts, program).run();
}

}  // namespace tessera::analysis
