// Three steps. The text becomes lines (expander.h). Every line is parsed on its own into an instruction or a
// declaration. Then branch targets follow from labels and structure, usage is derived and the program verified; errors
// of this step are located through the instruction's line.
#include "shader-core/asm/assembler.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include <fmt/format.h>

#include "shader-core/asm/declarations.h"
#include "shader-core/asm/hints.h"
#include "shader-core/asm/line_parser.h"
#include "shader-core/asm/lint.h"
#include "shader-core/asm/spelling.h"
#include "shader-core/asm/structure.h"
#include "shader-core/isa/stage_registers.h"

namespace tessera::assembly {

using isa::Instruction;
using isa::Op;
using isa::Shape;

namespace {

/// "o0 to o3, o8 to o9"
std::string registerRanges(std::string_view letter, isa::RegisterMask mask) {
    std::string text;
    for (const int first : mask) {
        if (mask.has(first - 1)) continue;
        int last = first;
        while (mask.has(last + 1)) ++last;
        text += fmt::format("{}{}{}", text.empty() ? "" : ", ", letter, first);
        if (last != first) text += fmt::format(" to {}{}", letter, last);
    }
    return text;
}

/// Why a program of the stage cannot name the register, or empty.
std::string stageProblem(isa::Stage stage, isa::File file, int index) {
    const std::string_view name = stageNames()[static_cast<int>(stage)];
    if (file == isa::File::S && !isa::specialExists(stage, index))
        return fmt::format("{} programs have no {}", name, specialNames()[index]);
    if (file != isa::File::V && file != isa::File::O) return {};
    const isa::RegisterMask there = file == isa::File::V ? isa::inputsOf(stage) : isa::outputsOf(stage);
    if (there.has(index)) return {};
    if (there.none()) return "compute programs have no inputs and outputs; they load from buffers and store to them";
    const std::string_view letter = fileLetters()[static_cast<int>(file)];
    return fmt::format("{} programs have no {}{}; use {}", name, letter, index, registerRanges(letter, there));
}

std::vector<std::string_view> makeMnemonics() {
    std::vector<std::string_view> names;
    for (int i = 0; i < isa::kOpCount; ++i) names.push_back(isa::opInfo(static_cast<Op>(i)).mnemonic);
    return names;
}

struct Place {
    size_t line = 0;  ///< index into the expanded lines
    int column = 1;
};

/// An instruction as its line gave it; a target that must still be found has `needsTarget`.
struct Statement {
    Instruction instruction;
    std::optional<isa::Word> word;  ///< from .word: stands as it is
    bool needsTarget = false;
    std::string label;
    Place place, labelPlace;
};

/// An error about a name that nothing has by then.
struct Unknown {
    Place place;
    std::string name, message;
};

class Assembler {
public:
    Assembler(std::string_view text, const std::string& fileName, const AssembleOptions& options)
        : text_(text),
          options_(options),
          extent_(options.extent),
          mnemonics_(makeMnemonics()),
          expansion_(expand(text, fileName, options.include)) {}

    void run() {
        for (const ExpansionError& e : expansion_.errors) keep(located(e.place, e.place.column, e.text, e.message));
        if (!expansion_.isComplete) symbols_.setFileUnread();
        for (line_ = 0; line_ < expansion_.lines.size() && errors.size() + unknown_.size() < kMaxErrors; ++line_) {
            const size_t first = statements_.size();
            LineParser in(expansion_.lines[line_].statement(), symbols_);
            declares_ = false;
            statement(in);
            if (in.failed()) lineFailed(in);
            list(first);
        }
        for (Unknown& name : unknown_) {
            if (symbols_.find(name.name) || symbols_.findBuffer(name.name))
                name.message =
                    fmt::format("'{}' is declared further down; a declaration stands before its use", name.name);
            error(name.place, std::move(name.message));
        }
        if (!declarations_.hasStage() && errors.empty() && extent_ == Extent::Program)
            error({0, 1}, "the stage is missing; begin with .vertex, .fragment or .compute");
        findTargets();
        if (errors.empty()) finish();
        if (errors.empty() && extent_ == Extent::Program) warn();
    }

    isa::Program program;
    std::vector<Diagnostic> errors, warnings;
    std::vector<ListedLine> lines;

private:
    void error(Place place, std::string message) { keep(located(place, std::move(message))); }

    /// One error for each cause: what a declaration that could not be read should have given is missing further down.
    void lineFailed(const LineParser& in) {
        if (declares_) {
            symbols_.addUnread(expansion_.lines[line_].statement());
            declarations_.lineFailed();
        }
        if (in.hasBeenTold()) return;
        const Place place{line_, in.errorColumn()};
        if (in.unknownName().empty()) return error(place, in.message());
        unknown_.push_back({place, in.unknownName(), in.message()});
    }

    /// Errors stand in line order; what macros and other files say stands where the text brought them in. A mistake in
    /// a macro is one, however often it is used.
    void keep(Diagnostic error) {
        if (errors.size() >= kMaxErrors) return;
        const auto isSame = [&](const Diagnostic& d) {
            return d.line == error.line && d.column == error.column && d.file == error.file &&
                   d.message == error.message && !d.via.empty() && !error.via.empty();
        };
        if (std::ranges::any_of(errors, isSame)) return;
        const auto behind =
            std::upper_bound(errors.begin(), errors.end(), error,
                             [](const Diagnostic& a, const Diagnostic& b) { return a.rootLine < b.rootLine; });
        errors.insert(behind, std::move(error));
    }

    [[nodiscard]] Diagnostic located(Place place, std::string message) const {
        if (place.line >= expansion_.lines.size()) return located(SourcePlace{0, 1, 1, -1}, 1, "", std::move(message));
        const ExpandedLine& line = expansion_.lines[place.line];
        return located(line.place, place.column, line.text, std::move(message));
    }

    [[nodiscard]] Diagnostic located(const SourcePlace& place, int column, std::string text,
                                     std::string message) const {
        Diagnostic d{
            place.line, column, std::move(message), expansion_.files[static_cast<size_t>(place.file)], std::move(text),
            place.line, {}};
        for (int step = place.through; step >= 0;) {
            const ExpansionStep& s = expansion_.steps[static_cast<size_t>(step)];
            d.via.push_back(fmt::format("{}:{}:{}: {}", expansion_.files[static_cast<size_t>(s.place.file)],
                                        s.place.line, s.place.column, s.what));
            d.rootLine = s.place.line;
            step = s.place.through;
        }
        return d;
    }

    void list(size_t firstInstruction) {
        const ExpandedLine& line = expansion_.lines[line_];
        int depth = 0;
        for (int step = line.place.through; step >= 0; step = expansion_.steps[static_cast<size_t>(step)].place.through)
            ++depth;
        lines.push_back({line.text, line.place.line, depth, firstInstruction, statements_.size() - firstInstruction});
    }

    void warn() {
        using Kind = LintFinding::Kind;
        std::set<Kind> wanted;
        if (options_.warnDeadWrites) wanted.insert(Kind::DeadWrite);
        if (options_.warnUninitialised) wanted.insert(Kind::Uninitialised);
        if (options_.warnTruthValues) wanted.insert(Kind::TruthAsInteger);
        if (options_.warnUndeclared) wanted.insert(Kind::Undeclared);
        if (wanted.empty()) return;
        for (const LintFinding& found : lint(program)) {
            if (wanted.contains(found.kind) && warnings.size() < kMaxErrors)
                warnings.push_back(located(statements_[found.instruction].place, found.message));
        }
    }

    // --- Lines ---

    bool statement(LineParser& in) {
        while (!in.atEnd()) {
            const Place place{line_, in.column()};
            if (in.accept('.')) return directive(in, place);
            Statement s;
            s.place = place;
            if (!in.guard(s.instruction)) return false;
            const int column = in.column();
            const std::string_view word = in.word();
            if (word.empty()) return in.fail(column, noStatement(in.rest()));
            if (s.instruction.guard != 0 || !in.accept(':')) return instruction(in, std::move(s), word, column);
            if (!label(in, word, column)) return false;
        }
        return true;
    }

    bool label(LineParser& in, std::string_view word, int column) {
        if (word[0] >= '0' && word[0] <= '9') return in.fail(column, "a label must not start with a digit");
        if (labels_.emplace(std::string(word), statements_.size()).second) return true;
        return in.fail(column, fmt::format("the label '{}' is there already; choose another name", word));
    }

    bool directive(LineParser& in, Place place) {
        LineParser ahead = in;
        if (ahead.word() != "word") {
            declares_ = true;
            return declarations_.directive(in);
        }
        in = ahead;
        isa::Word word;
        if (!halfWord(in, word.lo) || !in.expect(',', "the low half") || !halfWord(in, word.hi) || !in.endOfLine())
            return false;
        Statement s;
        s.place = place;
        s.word = word;
        s.instruction = isa::decode(word).value_or(Instruction{.op = Op::Mov});
        return append(in, std::move(s));
    }

    static bool halfWord(LineParser& in, uint64_t& half) {
        const int column = in.column();
        const std::string_view text = in.word();
        const bool prefixed = text.starts_with("0x") && text.size() > 2;
        const auto [end, status] =
            std::from_chars(text.data() + (prefixed ? 2 : 0), text.data() + text.size(), half, 16);
        return (prefixed && status == std::errc{} && end == text.data() + text.size()) ||
               in.fail(column, "64 bits must stand here: 0x and up to sixteen hexadecimal digits, low half first");
    }

    bool instruction(LineParser& in, Statement s, std::string_view word, int column) {
        const auto found = find(mnemonics_, word);
        if (!found && predicateName(word))
            return in.fail(column, fmt::format("'{0}' is a predicate; as a guard it stands in parentheses before the "
                                               "instruction: ({0}) mov",
                                               word));
        declares_ = !found && isDirectiveWord(word);
        if (!found) return in.failName(column, word, noInstruction(word, expansion_.macros));
        s.instruction.op = static_cast<Op>(*found);
        if (!suffixes(in, s.instruction)) return false;
        const bool branch = isa::opInfo(s.instruction.op).shape == Shape::Branch;
        if (!(branch ? target(in, s) : operands(in, s.instruction))) return false;
        if (branch && s.instruction.op != Op::Call && !in.atEnd())
            return in.fail(in.column(),
                           fmt::format("{0} takes no operand; its condition is a guard before it: (p1) {0}", word));
        if (!in.atEnd()) return in.fail(in.column(), tooMuch(in.rest(), s.instruction.op));
        return append(in, std::move(s));
    }

    [[nodiscard]] bool predicateName(std::string_view word) const {
        const Symbol* symbol = symbols_.find(word);
        return (word.size() == 2 && word[0] == 'p' && isReserved(word)) ||
               (symbol && symbol->kind == Symbol::Kind::Register && symbol->file == isa::File::P);
    }

    bool append(LineParser& in, Statement s) {
        if (statements_.size() >= isa::kMaxInstructions)
            return in.fail(s.place.column, fmt::format("a program has at most {} instructions", isa::kMaxInstructions));
        if (const std::string_view why = isa::instructionProblem(s.instruction); !why.empty())
            return in.fail(s.place.column, fmt::format("{}: {}", isa::opInfo(s.instruction.op).mnemonic, why));
        statements_.push_back(std::move(s));
        return true;
    }

    bool suffixes(LineParser& in, Instruction& i) {
        const isa::OpInfo& info = isa::opInfo(i.op);
        // Integer instructions are i32 by default, where they have that form.
        i.type = info.types & 1 ? isa::Type::F32 : info.types & 2 ? isa::Type::I32 : isa::Type::U32;
        bool typed = false;
        while (in.accept('.')) {
            const int column = in.column();
            const std::string_view name = in.word();
            if (name == "sat" && !i.saturate) {
                i.saturate = true;
            } else if (const auto element = find(elementTypeNames(), name); element && *element > 2 && !typed) {
                typed = true;
                if (info.shape != Shape::DM && info.shape != Shape::MS)
                    return in.fail(column,
                                   fmt::format("{} works on words; only ld and st have type {}", info.mnemonic, name));
                i.type = name[0] == 'i' ? isa::Type::I32 : isa::Type::U32;
                i.elementSize = name.substr(1) == "16" ? isa::ElementSize::Half : isa::ElementSize::Byte;
            } else if (const auto type = find(typeNames(), name); type && !typed) {
                typed = true;
                i.type = static_cast<isa::Type>(*type);
                if (!(info.types >> *type & 1))
                    return in.fail(
                        column, fmt::format("{} has no {} form; its types are{}", info.mnemonic, name, typeList(info)));
            } else if (const auto width = find(widthSuffixes(), name); width && !i.subsetWidth) {
                i.subsetWidth = static_cast<uint8_t>(*width);
            } else if (const auto depth = find(depthSuffixes(), name); depth && !i.subsetDepth) {
                i.subsetDepth = static_cast<uint8_t>(*depth);
            } else if (name == "block" && !i.subsetOfBlock) {
                i.subsetOfBlock = true;
            } else if (const auto row = find(snoopRowSuffixes(), name); row && !i.snoopRow) {
                i.snoopRow = static_cast<uint8_t>(*row);
            } else {
                if (const std::string instead = insteadOfSuffix(name); !instead.empty())
                    return in.fail(column, fmt::format("'.{}' is no suffix; {}", name.substr(0, 40), instead));
                return in.fail(column,
                               fmt::format("'.{}' does not fit here; suffixes are sat, f32, i32, u32 and for compute "
                                           "w2 w4 w1 d2 d4 d1 block row1 row2 row3, each once",
                                           name.substr(0, 40)));
            }
        }
        return true;
    }

    static std::string typeList(const isa::OpInfo& info) {
        std::string list;
        for (int t = 0; t < 3; ++t)
            if (info.types >> t & 1) list += fmt::format(" {}", typeNames()[t]);
        return list;
    }

    /// Nothing where the structure gives the target, a label, or "@number"; of a loop its iterations come first.
    bool target(LineParser& in, Statement& s) {
        if (s.instruction.op == Op::Loop && in.startsExpression()) {
            int iterations = 0;
            if (!in.number(1, UINT16_MAX, iterations)) return false;
            s.instruction.iterations = static_cast<uint16_t>(iterations);
        }
        if (in.accept('@')) {
            int number = 0;
            if (!in.number(0, isa::kMaxInstructions - 1, number)) return false;
            s.instruction.target = static_cast<uint16_t>(number);
            return true;
        }
        s.needsTarget = true;
        if (s.instruction.op != Op::Call) return true;
        const int column = in.column();
        s.labelPlace = {line_, column};
        s.label = std::string(in.word());
        return !s.label.empty() || in.fail(column, "the label of a subroutine must follow call");
    }

    bool operands(LineParser& in, Instruction& i) {
        const isa::OpInfo& info = isa::opInfo(i.op);
        if (info.shape == Shape::Barrier) return barrier(in, i);
        if (isa::isMemory(info.shape)) return memoryOperands(in, i);
        const int destinationColumn = in.column();
        if (isa::hasDestination(info.shape) &&
            (!in.destination(i.dst) || !inStage(in, destinationColumn, i.dst.file, i.dst.index)))
            return false;
        for (int s = 0; s < isa::sourceCount(info.shape); ++s) {
            if (!comma(in, i.op)) return false;
            const int column = in.column();
            if (!in.source(i.src[s], isa::sourceType(i.op, i.type, s), i.immediate)) return false;
            if (!inStage(in, column, i.src[s].file, i.src[s].index)) return false;
            if (i.src[s].file != isa::File::I) continue;
            if (info.shape != Shape::DS1 && info.shape != Shape::DS1S2)
                return in.fail(
                    column, fmt::format("{} has no room for an immediate; put it in a .const register", info.mnemonic));
            if (s == 1 && i.src[0].file == isa::File::I)
                return in.fail(column, "an instruction holds one immediate; put the other in a .const register");
        }
        if (!isa::isTexture(info.shape)) return true;
        return comma(in, i.op) && in.texture(i);
    }

    /// Between two operands.
    static bool comma(LineParser& in, Op op) {
        if (in.accept(',')) return true;
        return in.fail(in.column(), fmt::format("{}; {} is written {}",
                                                in.atEnd() ? "an operand is missing" : "',' must follow this operand",
                                                isa::opInfo(op).mnemonic, isa::writtenForm(op)));
    }

    bool inStage(LineParser& in, int column, isa::File file, int index) {
        if (extent_ != Extent::Program || !declarations_.hasStage()) return true;
        std::string why = stageProblem(program.stage, file, index);
        return why.empty() || in.fail(column, std::move(why));
    }

    /// number [, groups]
    static bool barrier(LineParser& in, Instruction& i) {
        int number = 0, groups = 0;
        if (!in.number(0, isa::kBarriers - 1, number)) return false;
        if (in.accept(',') && !in.number(1, isa::kMaxThreadBlockGroups, groups)) return false;
        i.barrier = static_cast<uint8_t>(number);
        i.barrierGroups = static_cast<uint8_t>(groups);
        return true;
    }

    static bool memoryOperands(LineParser& in, Instruction& i) {
        const Shape shape = isa::opInfo(i.op).shape;
        if (shape == Shape::MS) return in.memory(i) && in.expect(',', "the address") && in.storeValue(i);
        if (!in.destination(i.dst) || !comma(in, i.op) || !in.memory(i)) return false;
        for (int s = 1; s < isa::sourceCount(shape); ++s) {
            uint32_t immediate = 0;
            if (!comma(in, i.op)) return false;
            const int column = in.column();
            if (!in.source(i.src[s], i.type, immediate)) return false;
            if (i.src[s].file == isa::File::I)
                return in.fail(column, "an atomic has no room for an immediate; put it in a register");
        }
        return true;
    }

    // --- The whole ---

    void findTargets() {
        std::vector<Op> ops;
        for (const Statement& s : statements_) ops.push_back(s.instruction.op);
        const Structure structure = matchStructure(ops);
        // A line with an error may have held the if, or the label, that seems to be missing.
        if (!errors.empty()) return;
        if (extent_ == Extent::Program)
            for (const Structure::Problem& p : structure.problems) error(statements_[p.at].place, p.message);
        for (size_t at = 0; at < statements_.size(); ++at) {
            Statement& s = statements_[at];
            if (!s.needsTarget) continue;
            if (s.instruction.op != Op::Call) {
                if (structure.targets[at] >= 0)
                    s.instruction.target = static_cast<uint16_t>(structure.targets[at]);
                else if (extent_ == Extent::Instructions)
                    error(s.place, "no target follows from the structure; write it as @number");
                continue;
            }
            const auto label = labels_.find(s.label);
            if (label == labels_.end())
                error(s.labelPlace, noLabel(s.label));
            else if (label->second >= statements_.size())
                error(s.labelPlace, fmt::format("no instruction follows the label '{}'", s.label));
            else
                s.instruction.target = static_cast<uint16_t>(label->second);
        }
    }

    [[nodiscard]] std::string noLabel(const std::string& wanted) const {
        std::vector<std::string_view> names;
        for (const auto& [name, at] : labels_) names.push_back(name);
        const std::string_view near = nearest(names, wanted);
        if (!near.empty()) return fmt::format("there is no label '{}'; did you mean '{}'?", wanted, near);
        std::string labels;
        for (size_t i = 0; i < std::min<size_t>(names.size(), 12); ++i) labels += fmt::format(" {}", names[i]);
        return fmt::format("there is no label '{0}'; write '{0}:' before the subroutine{1}{2}", wanted,
                           labels.empty() ? "" : "; the program has", labels);
    }

    void finish() {
        for (const Statement& s : statements_) {
            program.code.push_back(s.word ? *s.word : isa::encode(s.instruction));
            program.lines.push_back(static_cast<uint32_t>(expansion_.lines[s.place.line].rootLine));
        }
        program.source = std::string(text_);
        declarations_.finish();
        isa::deriveUsage(program);
        if (extent_ == Extent::Instructions) return;
        std::string why = isa::verify(program);
        if (why.empty()) return;
        // "instruction 12: reason": the place is that instruction's, and the number says nothing to the reader.
        constexpr std::string_view kPrefix = "instruction ";
        Place place{expansion_.lines.empty() ? 0 : expansion_.lines.size() - 1, 1};
        if (size_t number = 0; why.starts_with(kPrefix)) {
            const auto [end, status] = std::from_chars(why.data() + kPrefix.size(), why.data() + why.size(), number);
            if (status == std::errc{} && number < statements_.size()) {
                place = statements_[number].place;
                why = why.substr(static_cast<size_t>(end - why.data()) + 2);
            }
        }
        error(place, std::move(why));
    }

    std::string_view text_;
    const AssembleOptions& options_;
    Extent extent_;
    std::vector<std::string_view> mnemonics_;
    Expansion expansion_;
    Symbols symbols_;
    Declarations declarations_{program, symbols_};
    std::vector<Statement> statements_;
    std::map<std::string, size_t> labels_;
    std::vector<Unknown> unknown_;
    size_t line_ = 0;
    bool declares_ = false;  ///< the line is a declaration, or meant to be one
};

}  // namespace

AssembleResult assemble(std::string_view text, std::string fileName, const AssembleOptions& options) {
    Assembler assembler(text, fileName, options);
    assembler.run();
    AssembleResult result;
    result.fileName = std::move(fileName);
    result.errors = std::move(assembler.errors);
    if (!result.errors.empty()) return result;
    result.program = std::move(assembler.program);
    result.warnings = std::move(assembler.warnings);
    result.lines = std::move(assembler.lines);
    return result;
}

AssembleResult assemble(std::string_view text, std::string fileName, Extent extent) {
    AssembleOptions options;
    options.extent = extent;
    return assemble(text, std::move(fileName), options);
}

}  // namespace tessera::assembly
