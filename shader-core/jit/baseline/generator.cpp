// The function, rows, operands and writes; what is computed is in arithmetic.cpp, what is called in calls.cpp.
#include "shader-core/jit/baseline/generator.h"

#include <algorithm>

#include "shader-core/isa/tfu.h"

namespace tessera::jit {

using isa::File;
using isa::Op;
using isa::Type;

namespace {

constexpr uint32_t kScratchRows = 16, kGatheredRows = 12, kLookupRows = sizeof(LookupRows) / 64,
                   kCallRows = sizeof(TextureCall) / 64;
/// What is read of memory that nobody writes has names from here on.
constexpr uint32_t kInputs = 1u << 20, kSpecials = kInputs + isa::kMaxInputs * 4u,
                   kConstants = kSpecials + isa::kSpecials * 4u, kGathered = kConstants + isa::kMaxConstants * 4u;

bool isControl(const isa::Instruction& i) { return isa::opInfo(i.op).unit == isa::Unit::Control; }

/// Some source is a relative register.
bool isRelative(const isa::Instruction& i) {
    return std::any_of(i.src.begin(), i.src.begin() + isa::sourceCount(isa::opInfo(i.op).shape),
                       [](const isa::Source& source) { return source.relative; });
}

}  // namespace

bool Generator::canGenerate(const isa::Program& program, const Facts& facts, SimdLevel level) {
    if (!facts.refusal.empty() || program.stage == isa::Stage::Compute) return false;
    return std::ranges::all_of(facts.code, [&](const Instruction& i) {
        const bool isTexture = isa::isTexture(isa::opInfo(i.op).shape);
        return isControl(i) || isTexture || i.op == Op::Lit || isInline(i, level) ||
               stepOf(level, i.op, i.type) != nullptr;
    });
}

Generator::Generator(const isa::Program& program, const Facts& facts, SimdLevel level)
    : program_(program),
      facts_(facts),
      level_(level),
      numbers_(facts),
      live_(facts, numbers_, program.outputMask),
      literals_(program.constantCount),
      a_(level),
      values_([this](Vector v) { save(v); }),
      parts_(kRowBytes / a_.vectorBytes()),
      exec_(numbers_.count()),
      launch_(exec_ + 1),
      kill_(launch_ + 1),
      scratch_(kill_ + 1),
      gathered_(scratch_ + kScratchRows),
      lookup_(gathered_ + kGatheredRows),
      call_(lookup_ + kLookupRows),
      nestRows_(call_ + kCallRows),
      nests_(analysis::findNests(facts)),
      made_(nests_.all.size()),
      routines_(analysis::findRoutines(facts.code)) {
    for (const isa::Literal& literal : program.literals)
        if (literal.reg < literals_.size()) literals_[literal.reg] = literal.bits;
    hasControl_ = std::any_of(facts.code.begin(), facts.code.end() - 1, isControl);
    outOfBudget_ = a_.newLabel(), discarded_ = a_.newLabel(), leave_ = a_.newLabel();
    for (size_t routine = 0; routine < routines_.size(); ++routine) starts_.push_back(a_.newLabel());
}

// --- The function ---

void Generator::run() {
    prologue();
    routine(routines_[0]);
    epilogue();
    for (size_t number = 1; number < routines_.size(); ++number) {
        a_.bind(starts_[number]);
        a_.beginRoutine();
        routine(routines_[number]);
        // A program without loops ends, but after more calls than anybody has time for.
        a_.jumpIfCountAbove(field(offsetof(Frame, budget)), outOfBudget_);
        a_.endRoutine();
    }
}

void Generator::routine(const Routine& routine) {
    finished_ = a_.newLabel();
    const bool isMain = routine.first == 0;
    const size_t last = routine.last;
    size_t begin = routine.first;
    for (size_t at = begin; at < last; ++at) {
        const Instruction& i = facts_.code[at];
        const bool isTexture = isa::isTexture(isa::opInfo(i.op).shape);
        ++pendingCount_;
        if (isControl(i)) {
            straight(begin, at, at, nullptr);
            control(at);
            begin = at + 1;
            continue;
        }
        if (isRelative(i)) {
            straight(begin, at, at, nullptr);
            gatherRelative(at);
            begin = at;
        }
        if (isTexture) {
            texture(begin, at);
        } else if (i.op == Op::Lit) {
            lighting(begin, at);
        } else if (!isInline(i, level_)) {
            steps(begin, at);
        } else if (!i.dst.relative) {
            continue;
        }
        if (i.dst.relative) {
            const bool isCalled = !isInline(i, level_);
            straight(isCalled ? at + 1 : begin, at + 1, at, nullptr);
            scatter(at);
        }
        begin = at + 1;
    }
    ++pendingCount_;
    const auto outputs = [this] { a_.setLoaded(field(offsetof(Frame, outputs))); };
    if (!isMain || hasControl_) {
        straight(begin, last, last, nullptr);
        flushCount();
        a_.bind(finished_);
        if (!isMain) return;
        outputs();
        eachPart([this] {
            values_.forgetAll();
            storeOutputs();
        });
    } else {
        outputs();
        straight(begin, last, last, [this] { storeOutputs(); });
        flushCount();
    }
}

void Generator::prologue() {
    const auto nests = std::ranges::count_if(
        facts_.code, [](const Instruction& i) { return i.op == Op::If || i.op == Op::Loop || i.op == Op::Call; });
    const uint32_t rows = nestRows_ + kRowsOfNest * static_cast<uint32_t>(nests);
    a_.enter(rows * kRowBytes, {offsetof(Frame, inputs), offsetof(Frame, constants), offsetof(Frame, specials)});
    if (program_.usesKill) a_.storeNumber(wholeRow(kill_), 0);
    for (uint32_t number = 0; number < numbers_.count(); ++number)
        if (live_.isLive(0, number)) clearRow(number);
    if (hasControl_) {
        a_.load(Bits::A, field(offsetof(Frame, launch)));
        lanesFromBits(Bits::A, launch_);
        copyRow(launch_, exec_);
    }
}

void Generator::epilogue() {
    const auto stopped = [this](Stop why) { a_.storeNumber(field(offsetof(Frame, stopped)), why); };
    stopped(Stop::Finished);
    if (hasControl_) {
        a_.jump(leave_);
        a_.bind(outOfBudget_);
        stopped(Stop::OutOfBudget);
        a_.jump(leave_);
        a_.bind(discarded_);
        stopped(Stop::Discarded);
        a_.bind(leave_);
    }
    a_.storeCount(field(offsetof(Frame, instructions)));
    if (program_.usesKill) {
        a_.load(Bits::A, wholeRow(kill_));
        a_.store(field(offsetof(Frame, kill)), Bits::A);
    } else {
        a_.storeNumber(field(offsetof(Frame, kill)), 0);
    }
    a_.leave();
}

/// Stores the outputs where Base::Loaded points to. Components that were never written get zero.
void Generator::storeOutputs() {
    for (const int output : program_.outputMask) {
        const auto index = static_cast<unsigned>(output);
        for (unsigned c = 0; c < 4; ++c) {
            const Values::Scope scope(values_);
            const uint32_t number = numbers_.of(File::O, index, c);
            Operand value{a_.everywhere(0)};
            if (number != ComponentNumbers::kNone) value = named(number);
            if (value.isRaw) makeCanonical(value);
            a_.store(ofPart(Base::Loaded, registerOffset(index, c)), inVector(value));
        }
    }
}

/// Instructions that are written one part after the other: the results of the call before, `begin` to `end`, and what
/// comes `before` a call. Then values that are live at instruction `live`, and the guard of `end`, are in their rows.
void Generator::straight(size_t begin, size_t end, size_t live, const EachPart& before) {
    const Instruction& next = facts_.code[end];
    const uint32_t guard = next.guard == 0 ? Values::kUnnamed : numbers_.of(File::P, next.guard, 0);
    eachPart([&] {
        values_.forgetAll();
        if (after_) after_();
        for (size_t at = begin; at < end; ++at) inlined(at);
        if (before) before();
        for (Vector v = 0; v < kVectors; ++v)
            if (values_[v].isChanged && (values_[v].name == guard || live_.isLive(live, values_[v].name))) save(v);
        values_.forgetAll();
    });
    after_ = nullptr;
}

void Generator::inlined(size_t at) {
    const Instruction& i = facts_.code[at];
    const unsigned wanted = wantedOf(at);
    if (wanted == 0) return;
    std::array<Result, 4> results;
    // All are computed before the first is written: one may be an operand of another.
    compute(i, wanted, results);
    writeAll(at, wanted, results);
}

/// Results are kept (values.h), and released here.
void Generator::writeAll(size_t at, unsigned wanted, std::array<Result, 4>& results) {
    const Instruction& i = facts_.code[at];
    for (int c = 0; c < 4; ++c) {
        if (!(wanted >> c & 1)) continue;
        const Values::Scope scope(values_);
        Result& result = results[static_cast<size_t>(c)];
        if (i.saturate && !result.isMask) saturate(result);
        if (i.dst.file == File::P)
            toPredicate(i, result);
        else if (result.isMask)
            a_.binary(VectorOp::And, result.at, result.at, a_.everywhere(kOneBits));
        if (i.dst.relative) {
            if (result.isRaw) makeCanonical(result.at);
            a_.store(row(scratch_ + static_cast<uint32_t>(c)), result.at);
        } else {
            write(at, destination(i, c), result);
        }
        values_.release(results[static_cast<size_t>(c)].at);
    }
    for (Vector v = 0; v < kVectors; ++v)
        if (values_[v].pins == 0 && values_[v].name < numbers_.count() &&
            !live_.isLive(liveBehind(at), values_[v].name))
            values_.forget(v);
}

uint32_t Generator::destination(const Instruction& i, int component) const {
    return numbers_.of(i.dst.file, i.dst.index, static_cast<unsigned>(component));
}

// --- Rows ---

Place Generator::ofPart(Base base, size_t offset) const {
    return {base, static_cast<int32_t>(offset + size_t{part_} * a_.vectorBytes())};
}

Place Generator::row(uint32_t number) const { return ofPart(Base::Rows, size_t{number} * kRowBytes); }

void Generator::eachPart(const EachPart& body) {
    for (part_ = 0; part_ < parts_; ++part_) body();
}

void Generator::save(Vector v) {
    if (values_[v].isRaw && !live_.isNumeric(values_[v].name)) makeCanonical(v);
    a_.store(row(values_[v].name), v);
    values_[v].isChanged = false;
}

void Generator::makeCanonical(Vector v) {
    a_.compare(Comparison::Unordered, kScratch, v, v);
    a_.choose(v, kScratch, a_.everywhere(isa::tfu::kNan), v);
    values_[v].isRaw = false;
}

void Generator::makeCanonical(Operand& operand) {
    makeCanonical(operand.where.reg);
    operand.isRaw = false;
}

// --- Operands ---

/// What an operand is known to be when code is made: an immediate, or a literal.
std::optional<uint32_t> Generator::known(const Instruction& i, int s, int component) const {
    const isa::Source& source = i.src[static_cast<size_t>(s)];
    uint32_t bits = i.immediate;
    if (source.file == File::C) {
        if (source.relative || source.index >= literals_.size() || !literals_[source.index]) return std::nullopt;
        bits = (*literals_[source.index])[static_cast<size_t>(isa::swizzleAt(source.swizzle, component))];
    } else if (source.file != File::I) {
        return std::nullopt;
    }
    if (isa::sourceType(i.op, i.type, s) == Type::F32) {
        if (source.absolute) bits &= ~kSignBit;
        return source.negate ? bits ^ kSignBit : bits;
    }
    if (source.absolute && (bits & kSignBit) != 0) bits = 0u - bits;
    return source.negate ? 0u - bits : bits;
}

/// No vector that this takes on the way stays pinned, as an instruction needs vectors for three operands, four results
/// and what it computes with.
Generator::Operand Generator::source(const Instruction& i, int s, int component) {
    if (const std::optional<uint32_t> bits = known(i, s, component)) return {a_.everywhere(*bits)};
    Operand operand{Vector{0}};
    {
        const Values::Scope scope(values_);
        operand = modified(i, s, component);
        if (operand.where.kind != VectorOperand::Register) return operand;
        values_.keep(operand.where.reg);
    }
    values_.pin(operand.where.reg);
    values_.release(operand.where.reg);
    return operand;
}

Generator::Operand Generator::modified(const Instruction& i, int s, int component) {
    const isa::Source& source = i.src[static_cast<size_t>(s)];
    const bool isInteger = isa::sourceType(i.op, i.type, s) != Type::F32, isModified = source.negate || source.absolute;
    Operand operand = source.relative ? gathered(s, isa::swizzleAt(source.swizzle, component))
                                      : rawSource(source, component, isInteger);
    // Whoever looks at bits sees the canonical NaN; so does who copies them with another sign.
    const bool isCopied = i.op == Op::Mov || i.op == Op::Sel;
    if (operand.isRaw && (isInteger || (isModified && isCopied))) makeCanonical(operand);
    if (!isModified) return operand;
    const Vector x = inVector(operand), to = values_.take();
    if (isInteger) {
        a_.load(to, x);
        if (source.absolute) a_.unary(UnaryOp::MagnitudesOfInts, to, x);
        if (!source.negate) return {to};
        const Vector negated = values_.take();
        a_.load(negated, a_.everywhere(0));
        a_.binary(VectorOp::SubtractInts, negated, negated, to);
        return {negated};
    }
    if (source.absolute) a_.binary(VectorOp::And, to, x, a_.everywhere(~kSignBit));
    if (source.negate) a_.binary(VectorOp::Xor, to, source.absolute ? to : x, a_.everywhere(kSignBit));
    return {to};
}

Generator::Operand Generator::rawSource(const isa::Source& s, int component, bool isInteger) {
    const auto c = static_cast<unsigned>(isa::swizzleAt(s.swizzle, component));
    const uint32_t place = s.index * 4u + c;
    switch (s.file) {
        case File::V:
            inputComponents_.add(s.index, static_cast<int>(c));
            return kept(kInputs + place, ofPart(Base::Inputs, registerOffset(s.index, c)), false);
        case File::S:
            if (s.index == static_cast<int>(isa::Special::Lane)) return laneNumber(c);
            return kept(kSpecials + place, ofPart(Base::Specials, registerOffset(s.index, c)), false);
        case File::C:
            return kept(kConstants + place, {Base::Constants, static_cast<int32_t>(place * sizeof(float))}, true);
        case File::P: {
            const Vector mask = named(numbers_.of(File::P, s.index, 0)).where.reg, to = values_.take();
            a_.binary(VectorOp::And, to, mask, a_.everywhere(isInteger ? 1 : kOneBits));
            return {to};
        }
        default:
            return named(numbers_.of(s.file, s.index, c));
    }
}

Generator::Operand Generator::gathered(int s, int component) {
    const auto number = static_cast<uint32_t>(4 * s + component);
    return kept(kGathered + number, row(gathered_ + number), false);
}

Generator::Operand Generator::laneNumber(unsigned component) {
    if (component != 0) return a_.everywhere(0);
    const Vector to = values_.take();
    a_.broadcast(to, field(offsetof(Frame, firstLane)));
    a_.binary(VectorOp::AddInts, to, to, a_.laneNumbers(part_ * a_.vectorBytes() / uint32_t{sizeof(float)}));
    return {to};
}

Generator::Operand Generator::named(uint32_t name) {
    Vector at = 0;
    if (!values_.find(name, at)) {
        at = values_.take();
        a_.load(at, row(name));
        values_.name(at, name, false, name < numbers_.count() && live_.isNumeric(name));
    }
    return {at, values_[at].isRaw};
}

Generator::Operand Generator::kept(uint32_t name, Place from, bool broadcasts) {
    Vector at = 0;
    if (!values_.find(name, at)) {
        at = values_.take();
        if (broadcasts)
            a_.broadcast(at, from);
        else
            a_.load(at, from);
        values_.name(at, name, false, false);
    }
    return {at};
}

Vector Generator::inVector(const Operand& operand) {
    if (operand.where.kind == VectorOperand::Register) return operand.where.reg;
    const Vector to = values_.take();
    a_.load(to, operand.where);
    return to;
}

// --- Writes ---

/// x > 0 ? x : 0, then that < 1 ? that : 1: NaN and -0 become +0.
void Generator::saturate(Result& result) {
    a_.binary(VectorOp::Maximum, result.at, result.at, a_.everywhere(0));
    a_.binary(VectorOp::Minimum, result.at, result.at, a_.everywhere(kOneBits));
    result.isRaw = false;
}

/// As floats -0 is zero and NaN is not; as integers all bits count.
void Generator::toPredicate(const Instruction& i, Result& result) {
    result.isRaw = false;
    if (result.isMask) return;
    if (isa::resultType(i.op, i.type) == Type::F32) {
        a_.compare(Comparison::NotEqual, result.at, result.at, a_.everywhere(0));
        return;
    }
    a_.binary(VectorOp::EqualInts, result.at, result.at, a_.everywhere(0));
    a_.binary(VectorOp::Xor, result.at, result.at, a_.everywhere(kAllBits));
}

void Generator::write(size_t at, uint32_t name, const Result& result) {
    const std::optional<Vector> mask = writeMask(at, name);
    values_[result.at].isRaw = result.isRaw;
    if (!mask) return values_.name(result.at, name, true, result.isRaw);
    const Vector old = named(name).where.reg;
    if (!live_.isNumeric(name)) {
        if (result.isRaw) makeCanonical(result.at);
        if (values_[old].isRaw) makeCanonical(old);
    }
    const Vector to = values_.take();
    a_.choose(to, *mask, result.at, old);
    values_.name(to, name, true, values_[result.at].isRaw || values_[old].isRaw);
}

std::optional<Vector> Generator::writeMask(size_t at, uint32_t component) {
    const Instruction& i = facts_.code[at];
    const bool divergent = facts_.at[at].divergent;
    if (i.guard == 0) {
        if (!divergent || !live_.keepsOthers(at, component)) return std::nullopt;
        return named(exec_).where.reg;
    }
    const Vector guard = guardMask(i);
    if (!divergent) return guard;
    const Vector lanes = named(exec_).where.reg, both = values_.take();
    a_.binary(VectorOp::And, both, guard, lanes);
    return both;
}

Vector Generator::guardMask(const Instruction& i) {
    const Vector holds = named(numbers_.of(File::P, i.guard, 0)).where.reg;
    if (!i.guardNegate) return holds;
    const Vector to = values_.take();
    a_.binary(VectorOp::Xor, to, holds, a_.everywhere(kAllBits));
    return to;
}

}  // namespace tessera::jit
