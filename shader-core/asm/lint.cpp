// Three iterative data flow analyses over the instructions: forwards, which components may have been written, and which
// of them may hold a truth value or something else; backwards, which may still be read. Calls lead into the subroutine,
// its returns into one exit node and from there behind every call, so that the number of edges stays linear; paths that
// return to another caller make the answer more careful.
#include "shader-core/asm/lint.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "shader-core/asm/spelling.h"

namespace tessera::assembly {

using isa::File;
using isa::Instruction;
using isa::Op;

namespace {

/// A set of register components. Temporaries the program has, outputs, the address register, predicates.
class Components {
public:
    explicit Components(size_t bits = 0) : words_((bits + 63) / 64) {}
    void set(size_t bit) { words_[bit / 64] |= uint64_t{1} << bit % 64; }
    void reset(size_t bit) { words_[bit / 64] &= ~(uint64_t{1} << bit % 64); }
    [[nodiscard]] bool test(size_t bit) const { return words_[bit / 64] >> bit % 64 & 1; }
    /// Adds the other's members; true when that changed anything.
    bool merge(const Components& other) {
        uint64_t grown = 0;
        for (size_t w = 0; w < words_.size(); ++w) {
            grown |= other.words_[w] & ~words_[w];
            words_[w] |= other.words_[w];
        }
        return grown != 0;
    }

private:
    std::vector<uint64_t> words_;
};

class Lint {
public:
    explicit Lint(const isa::Program& program) : program_(program) {
        for (const isa::Word& word : program.code) code_.push_back(*isa::decode(word));
        temps_ = size_t{4} * program.tempCount;
        bits_ = temps_ + 4 * isa::kMaxOutputs + 4 + isa::kPredicates + 1;
        edges();
    }

    std::vector<LintFinding> run() {
        std::vector<Components> start(successors_.size(), Components(bits_));
        const std::vector<Components> written =
            flow(true, start, [this](const Instruction& i, Components& set) { addWritten(i, set); });
        addWhole(File::O, start[code_.size()]);  // the exit of the main program
        const std::vector<Components> read =
            flow(false, std::move(start), [this](const Instruction& i, Components& set) { passBack(i, set); });
        const std::vector<Components> contents =
            flow(true, std::vector(successors_.size(), Components(2 * bits_)),
                 [this](const Instruction& i, Components& set) { addContents(i, set); });
        for (size_t at = 0; at < code_.size(); ++at) {
            if (!reached_[at]) continue;
            undeclared(at);
            uninitialised(at, written[at]);
            truthAsInteger(at, contents[at]);
            deadWrite(at, read[at]);
        }
        return std::move(findings_);
    }

private:
    // --- Control flow ---

    void edge(size_t from, size_t to) {
        successors_[from].push_back(to);
        predecessors_[to].push_back(from);
    }

    void edges() {
        // Routines end with their unguarded ret outside every if and loop; node code_.size() + r is the exit of routine
        // r.
        std::vector<size_t> routineOf(code_.size());
        std::map<size_t, size_t> startsAt{{0, 0}};
        size_t routines = 1;
        for (size_t at = 0, depth = 0; at < code_.size(); ++at) {
            const Instruction& i = code_[at];
            routineOf[at] = routines - 1;
            depth += i.op == Op::If || i.op == Op::Loop;
            depth -= i.op == Op::Endif || i.op == Op::Endloop;
            if (i.op == Op::Ret && i.guard == 0 && depth == 0 && at + 1 < code_.size()) startsAt[at + 1] = routines++;
        }
        successors_.resize(code_.size() + routines);
        predecessors_.resize(code_.size() + routines);
        for (size_t at = 0; at < code_.size(); ++at) instructionEdges(at, routineOf[at], startsAt);
        reach();
    }

    void instructionEdges(size_t at, size_t routine, const std::map<size_t, size_t>& startsAt) {
        const Instruction& i = code_[at];
        const bool jumps = i.op == Op::Ret || i.op == Op::Brk || i.op == Op::Cont || i.op == Op::Else ||
                           i.op == Op::Endloop || i.op == Op::Call;
        if ((!jumps || i.guard != 0) && at + 1 < code_.size()) edge(at, at + 1);
        switch (i.op) {
            case Op::Ret:
                edge(at, code_.size() + routine);
                break;
            case Op::If:
                if (i.guard != 0) edge(at, code_[i.target].op == Op::Else ? i.target + 1u : i.target);
                break;
            case Op::Else:
            case Op::Cont:
                edge(at, i.target);
                break;
            case Op::Endloop:
                edge(at, i.target);
                if (code_[i.target].iterations != 0 && at + 1 < code_.size()) edge(at, at + 1);
                break;
            case Op::Brk:
                edge(at, i.target + 1u);
                break;
            case Op::Call:
                edge(at, i.target);
                edge(code_.size() + startsAt.at(i.target), at + 1);
                break;
            default:
                break;
        }
    }

    void reach() {
        reached_.resize(successors_.size());
        std::vector<size_t> work{0};
        reached_[0] = true;
        while (!work.empty()) {
            const size_t node = work.back();
            work.pop_back();
            for (const size_t next : successors_[node]) {
                if (reached_[next]) continue;
                reached_[next] = true;
                work.push_back(next);
            }
        }
    }

    // --- What an instruction reads and writes ---

    [[nodiscard]] size_t bit(File file, size_t index, size_t component) const {
        switch (file) {
            case File::R:
                return 4 * index + component;
            case File::O:
                return temps_ + 4 * index + component;
            case File::A:
                return temps_ + 4 * isa::kMaxOutputs + component;
            default:
                return temps_ + 4 * isa::kMaxOutputs + 4 + index;
        }
    }

    /// Those that are read of the source's register, a bit each.
    static unsigned componentsOfRegister(const Instruction& i, int source) {
        unsigned components = 0;
        for (int c = 0; c < 4; ++c)
            if (isa::componentsRead(i, source) >> c & 1) components |= 1u << isa::swizzleAt(i.src[source].swizzle, c);
        return components;
    }

    /// Calls `visit(file, index, component)` for what the instruction reads; relative operands read `whole(file)`.
    template <class Visit, class Whole>
    void reads(const Instruction& i, Visit visit, Whole whole) const {
        if (i.guard) visit(File::P, size_t{i.guard}, size_t{0});
        const isa::Shape shape = isa::opInfo(i.op).shape;
        bool relative = i.textureRelative || (isa::hasDestination(shape) && i.dst.relative);
        for (int s = 0; s < isa::sourceCount(shape); ++s) {
            const isa::Source& source = i.src[s];
            relative |= source.relative;
            if (source.relative) {
                whole(source.file);
                continue;
            }
            if (source.file == File::P) {
                visit(File::P, size_t{source.index}, size_t{0});
                continue;
            }
            if (source.file != File::R && source.file != File::O && source.file != File::A) continue;
            const unsigned components = componentsOfRegister(i, s);
            for (size_t c = 0; c < 4; ++c)
                if (components >> c & 1) visit(source.file, size_t{source.index}, c);
        }
        if (relative) visit(File::A, size_t{0}, size_t{0});
    }

    template <class Visit>
    void writes(const Instruction& i, Visit visit) const {
        if (!isa::hasDestination(isa::opInfo(i.op).shape)) return;
        if (i.dst.file == File::P) return visit(size_t{bit(File::P, i.dst.index, 0)});
        for (size_t c = 0; c < 4; ++c)
            if (i.dst.writeMask >> c & 1) visit(bit(i.dst.file, i.dst.index, c));
    }

    void addWhole(File file, Components& set) const {
        if (file == File::R)
            for (size_t b = 0; b < temps_; ++b) set.set(b);
        if (file == File::O)
            for (size_t r = 0; r < isa::kMaxOutputs; ++r)
                for (size_t c = 0; c < 4; ++c) set.set(bit(File::O, r, c));
    }

    // --- Data flow ---

    /// What holds before each node (forwards) or after it, from what each holds at least; `pass` takes a set through an
    /// instruction.
    template <class Pass>
    [[nodiscard]] std::vector<Components> flow(bool forwards, std::vector<Components> sets, Pass pass) const {
        const auto& next = forwards ? successors_ : predecessors_;
        std::vector<size_t> work;
        std::vector<bool> queued(successors_.size(), true);
        for (size_t n = 0; n < successors_.size(); ++n) work.push_back(forwards ? successors_.size() - 1 - n : n);
        while (!work.empty()) {
            const size_t node = work.back();
            work.pop_back();
            queued[node] = false;
            if (!reached_[node]) continue;
            Components through = sets[node];
            if (node < code_.size()) pass(code_[node], through);
            for (const size_t to : next[node]) {
                if (!sets[to].merge(through) || queued[to]) continue;
                queued[to] = true;
                work.push_back(to);
            }
        }
        return sets;
    }

    void addWritten(const Instruction& i, Components& set) const {
        if (isa::hasDestination(isa::opInfo(i.op).shape) && i.dst.relative) return addWhole(i.dst.file, set);
        writes(i, [&](size_t b) { set.set(b); });
    }

    /// Whether every lane that comes here writes the destination.
    static bool writesForCertain(const Instruction& i) {
        return i.guard == 0 && !i.dst.relative && !i.subsetWidth && !i.subsetDepth;
    }

    void passBack(const Instruction& i, Components& set) const {
        if (writesForCertain(i)) writes(i, [&](size_t b) { set.reset(b); });
        reads(
            i, [&](File file, size_t index, size_t c) { set.set(bit(file, index, c)); },
            [&](File file) { addWhole(file, set); });
    }

    // --- Truth values ---

    /// What a value may be: the 1.0 or 0.0 of a comparison, something else, or both.
    struct Content {
        bool truth = false, other = false;
        [[nodiscard]] bool isTruth() const { return truth && !other; }
    };

    [[nodiscard]] Content contentOf(const Instruction& i, int source, size_t component, const Components& set) const {
        const isa::Source& s = i.src[source];
        const auto at = static_cast<size_t>(isa::swizzleAt(s.swizzle, static_cast<int>(component)));
        const Content truth{true, false}, other{false, true};
        if (s.relative || s.snoop || s.negate || s.absolute) return other;
        switch (s.file) {
            case File::R:
            case File::O: {
                const size_t b = bit(s.file, s.index, at);
                return {set.test(b), set.test(bits_ + b)};
            }
            case File::P:
                return isa::sourceType(i.op, i.type, source) == isa::Type::F32 ? truth : other;
            case File::I:
                return i.immediate == 0 || i.immediate == 0x3f800000u ? truth : other;
            case File::S:
                return s.index == static_cast<int>(isa::Special::FrontFacing) ? truth : other;
            case File::C:
                return isBoolUniform(s.index, static_cast<int>(at)) ? truth : other;
            default:
                return other;
        }
    }

    [[nodiscard]] bool isBoolUniform(int reg, int component) const {
        return std::ranges::any_of(program_.uniforms, [&](const isa::Variable& v) {
            return v.type >= isa::VarType::Bool && v.type <= isa::VarType::BVec4 && reg >= v.reg &&
                   reg < v.reg + isa::registerCount(v) && component >= v.component &&
                   component < v.component + isa::componentCount(v.type);
        });
    }

    [[nodiscard]] Content result(const Instruction& i, size_t component, const Components& set) const {
        switch (i.op) {
            case Op::Slt:
            case Op::Sge:
            case Op::Seq:
            case Op::Sne:
            case Op::Vall:
            case Op::Vany:
                return {true, false};
            case Op::Mov:
                return contentOf(i, 0, component, set);
            case Op::And:
            case Op::Or:
            case Op::Xor: {  // of two truth values these are && || !=
                const Content a = contentOf(i, 0, component, set), b = contentOf(i, 1, component, set);
                return {a.truth && b.truth, a.other || b.other};
            }
            default:
                return {false, true};
        }
    }

    void addContents(const Instruction& i, Components& set) const {
        if (!isa::hasDestination(isa::opInfo(i.op).shape) || (i.dst.file != File::R && i.dst.file != File::O)) return;
        if (i.dst.relative) {
            const size_t registers = i.dst.file == File::R ? temps_ / 4 : isa::kMaxOutputs;
            for (size_t b = bit(i.dst.file, 0, 0); b < bit(i.dst.file, registers, 0); ++b) set.set(bits_ + b);
            return;
        }
        std::array<Content, 4> results;
        for (size_t c = 0; c < 4; ++c) results[c] = result(i, c, set);
        for (size_t c = 0; c < 4; ++c) {
            if ((i.dst.writeMask >> c & 1) == 0) continue;
            const size_t b = bit(i.dst.file, i.dst.index, c);
            if (writesForCertain(i)) set.reset(b), set.reset(bits_ + b);
            if (results[c].truth) set.set(b);
            if (results[c].other) set.set(bits_ + b);
        }
    }

    /// Whether the integer instruction means the same for 1.0 and 0.0 as for 1 and 0, as far as this source goes: it
    /// copies bits, asks whether there are any, or has another truth value to compare or combine it with.
    [[nodiscard]] bool takesTruth(const Instruction& i, int source, size_t component, const Components& set) const {
        const auto isOtherTruth = [&] { return contentOf(i, 1 - source, component, set).isTruth(); };
        const bool plain = !i.src[source].negate && !i.src[source].absolute;
        switch (i.op) {
            case Op::Mov:
                return plain && i.dst.file != File::A;
            case Op::Sel:
            case Op::Vall:
            case Op::Vany:
            case Op::Vbal:
                return plain || source == 0;
            case Op::Shi:
            case Op::Shu:
            case Op::Shd:
            case Op::Shx:
                return plain && source == 0;
            case Op::Slt:
            case Op::Sge:
            case Op::Seq:
            case Op::Sne:
            case Op::Min:
            case Op::Max:
            case Op::And:
            case Op::Or:
            case Op::Xor:
                return plain && isOtherTruth();
            default:
                return false;
        }
    }

    // --- Findings ---

    void truthAsInteger(size_t at, const Components& contents) {
        const Instruction& i = code_[at];
        const isa::OpInfo& info = isa::opInfo(i.op);
        for (int s = 0; s < isa::sourceCount(info.shape); ++s) {
            const isa::Source& source = i.src[s];
            const bool integer = isa::sourceType(i.op, i.type, s) != isa::Type::F32 || i.dst.file == File::A;
            if (!integer || source.file == File::I) continue;
            Instruction read = i;  // a sign does not change what the register holds
            read.src[s].negate = read.src[s].absolute = false;
            unsigned components = 0;
            for (size_t c = 0; c < 4; ++c)
                if ((isa::componentsRead(i, s) >> c & 1) != 0 && contentOf(read, s, c, contents).isTruth() &&
                    !takesTruth(i, s, c, contents))
                    components |= 1u << isa::swizzleAt(source.swizzle, static_cast<int>(c));
            if (components == 0) continue;
            const std::string name =
                (source.file == File::S
                     ? std::string(specialNames()[source.index])
                     : fmt::format("{}{}", fileLetters()[static_cast<int>(source.file)], source.index)) +
                (source.file == File::P ? "" : maskText(static_cast<uint8_t>(components)));
            findings_.push_back(
                {LintFinding::Kind::TruthAsInteger, at,
                 fmt::format("{0} is 1.0 or 0.0, as comparisons give it, and {1} reads its bits as an integer; convert "
                             "it before (f2i.i32 d, {0}), or compare into a predicate, which integer instructions read "
                             "as 1 or 0",
                             name, typedName(i))});
            return;
        }
    }

    /// "and.i32"
    static std::string typedName(const Instruction& i) {
        return fmt::format("{}.{}", isa::opInfo(i.op).mnemonic, typeNames()[static_cast<int>(i.type)]);
    }

    void uninitialised(size_t at, const Components& written) {
        std::map<std::pair<File, size_t>, uint8_t> missing;  ///< register to components
        reads(
            code_[at],
            [&](File file, size_t index, size_t c) {
                if (written.test(bit(file, index, c))) return;
                uint8_t& components = missing[{file, index}];
                components = static_cast<uint8_t>(components | 1 << c);
            },
            [](File) {});
        if (missing.empty()) return;
        std::string names;
        for (const auto& [which, components] : missing)
            names += fmt::format("{}{}{}{}", names.empty() ? "" : ", ", fileLetters()[static_cast<int>(which.first)],
                                 which.second, which.first == File::P ? "" : maskText(components));
        const bool several = missing.size() > 1;
        findings_.push_back({LintFinding::Kind::Uninitialised, at,
                             fmt::format("{} {} read here, but nothing writes {} before; registers start at zero",
                                         names, several ? "are" : "is", several ? "them" : "it")});
    }

    void deadWrite(size_t at, const Components& readLater) {
        const Instruction& i = code_[at];
        const isa::OpInfo& info = isa::opInfo(i.op);
        const bool atomic = info.unit == isa::Unit::Memory && i.op != Op::Ld;  // it changes memory in any case
        if (!isa::hasDestination(info.shape) || i.dst.relative || atomic) return;
        bool wanted = false;
        writes(i, [&](size_t b) { wanted |= readLater.test(b); });
        if (wanted) return;
        const std::string name = fmt::format("{}{}{}", fileLetters()[static_cast<int>(i.dst.file)], i.dst.index,
                                             i.dst.file == File::P ? "" : maskText(i.dst.writeMask));
        findings_.push_back(
            {LintFinding::Kind::DeadWrite, at,
             fmt::format("nothing reads {} after this; remove the instruction, or use its result", name)});
    }

    /// What the application, or a literal, gives the program has a declaration; each that is missing is named once.
    void undeclared(size_t at) {
        const Instruction& i = code_[at];
        const isa::Shape shape = isa::opInfo(i.op).shape;
        for (int s = 0; s < isa::sourceCount(shape); ++s) {
            const isa::Source& source = i.src[s];
            if (source.relative || (source.file != File::V && source.file != File::C)) continue;
            if (declared(source.file, source.index)) {
                if (source.file == File::C) beyondUniform(at, source.index, componentsOfRegister(i, s));
                continue;
            }
            if (!named_.insert({source.file, source.index}).second) continue;
            const bool input = source.file == File::V;
            finding(at, fmt::format("{0}{1} is read here, but nothing declares it; write {2} {0}{1} name vec4{3}",
                                    input ? 'v' : 'c', source.index, input ? ".input" : ".uniform",
                                    input ? "" : fmt::format(", or .const c{} = ...", source.index)));
        }
        if (isa::isTexture(shape) && !i.textureRelative) texture(at, i);
    }

    /// A name without a swizzle is all four components: of a float only x holds what the application set.
    void beyondUniform(size_t at, int reg, unsigned components) {
        if (std::ranges::any_of(program_.literals, [reg](const isa::Literal& l) { return l.reg == reg; })) return;
        const isa::Variable* uniform = nullptr;
        for (const isa::Variable& v : program_.uniforms) {
            if (isa::isSampler(v.type) || reg < v.reg || reg >= v.reg + isa::registerCount(v)) continue;
            components &= ~(((1u << isa::componentCount(v.type)) - 1) << v.component);
            uniform = &v;
        }
        if (components == 0 || isOfBlock(reg) || !named_.insert({File::C, reg}).second) return;
        const int first = uniform->component, last = first + isa::componentCount(uniform->type) - 1;
        const std::string own = std::string("xyzw").substr(first, last - first + 1);
        finding(at, fmt::format("c{0}{1} is read here and nothing sets it: {2} is of type {3}; write {2}.{4}", reg,
                                maskText(static_cast<uint8_t>(components)), uniform->name,
                                variableTypeNames()[static_cast<int>(uniform->type)], own));
    }

    [[nodiscard]] bool isOfBlock(int reg) const {
        return std::ranges::any_of(
            program_.blocks, [reg](const isa::UniformBlock& b) { return reg >= b.reg && reg < b.reg + b.registers; });
    }

    [[nodiscard]] bool declared(File file, int reg) const {
        const auto holds = [reg](const isa::Variable& v) {
            return !isa::isSampler(v.type) && reg >= v.reg && reg < v.reg + isa::registerCount(v);
        };
        if (file == File::V && program_.stage == isa::Stage::Fragment && reg >= isa::kInLastColor0) return true;
        if (file == File::V)
            return std::ranges::any_of(program_.stage == isa::Stage::Vertex ? program_.attributes : program_.varyings,
                                       holds);
        return std::ranges::any_of(program_.uniforms, holds) || isOfBlock(reg) ||
               std::ranges::any_of(program_.literals, [reg](const isa::Literal& l) { return l.reg == reg; });
    }

    void texture(size_t at, const Instruction& i) {
        const int unit = i.textureUnit;
        const std::string_view target = targetNames()[static_cast<int>(i.textureTarget)];
        const auto sampler = std::ranges::find_if(program_.uniforms, [unit](const isa::Variable& v) {
            return isa::isSampler(v.type) && unit >= v.reg && unit < v.reg + isa::registerCount(v);
        });
        if (sampler == program_.uniforms.end()) {
            if (units_.insert(unit).second)
                finding(at, fmt::format("t{0} is read here, but no sampler declares it; write .sampler t{0} name {1}",
                                        unit, target));
            return;
        }
        const std::string_view kind = variableTypeNames()[static_cast<int>(sampler->type)];
        if (isa::targetOf(sampler->type) != i.textureTarget)
            finding(at,
                    fmt::format("t{} is declared as {} {}, and read as {} here", unit, kind, sampler->name, target));
    }

    void finding(size_t at, std::string message) {
        findings_.push_back({LintFinding::Kind::Undeclared, at, std::move(message)});
    }

    const isa::Program& program_;
    std::set<std::pair<File, int>> named_;  ///< registers that have their finding
    std::set<int> units_;                   ///< and texture units
    std::vector<Instruction> code_;
    std::vector<std::vector<size_t>> successors_, predecessors_;
    std::vector<bool> reached_;
    std::vector<LintFinding> findings_;
    size_t temps_ = 0, bits_ = 0;
};

}  // namespace

std::vector<LintFinding> lint(const isa::Program& program) { return Lint(program).run(); }

}  // namespace tessera::assembly
