#include "shader-core/analysis/liveness.h"

#include <algorithm>

#include "shader-core/analysis/routines.h"

namespace tessera::analysis {

using isa::File;
using isa::Instruction;
using isa::Op;

namespace {

bool isControl(const Instruction& i) { return isa::opInfo(i.op).unit == isa::Unit::Control; }

/// Reads what lanes of the quad have that do not execute.
bool readsQuads(const Instruction& i) {
    return isa::isTexture(isa::opInfo(i.op).shape) || i.op == Op::Ddx || i.op == Op::Ddy;
}

/// Reads a0.x.
bool isRelative(const Instruction& i) {
    const isa::Shape shape = isa::opInfo(i.op).shape;
    return (isa::isTexture(shape) && i.textureRelative) || (isa::hasDestination(shape) && i.dst.relative) ||
           std::any_of(i.src.begin(), i.src.begin() + isa::sourceCount(shape),
                       [](const isa::Source& source) { return source.relative; });
}

template <class Use>
void forEachRead(const Instruction& i, const ComponentNumbers& numbers, const Use& use) {
    if (i.guard != 0) use(numbers.of(File::P, i.guard, 0));
    if (isRelative(i))
        if (const uint32_t address = numbers.of(File::A, 0, 0); address != ComponentNumbers::kNone) use(address);
    for (int s = 0; s < isa::sourceCount(isa::opInfo(i.op).shape); ++s) {
        const isa::Source& source = i.src[static_cast<size_t>(s)];
        if (source.file == File::P) {
            use(numbers.of(File::P, source.index, 0));
            continue;
        }
        const unsigned read = isa::componentsRead(i, s);
        for (int c = 0; c < 4; ++c) {
            if (!(read >> c & 1)) continue;
            const auto component = static_cast<unsigned>(isa::swizzleAt(source.swizzle, c));
            if (source.relative) {
                numbers.forEachOf(source.file, component, use);
                continue;
            }
            const uint32_t number = numbers.of(source.file, source.index, component);
            if (number != ComponentNumbers::kNone) use(number);
        }
    }
}

/// What is written for certain.
template <class Use>
void forEachWrite(const Instruction& i, const ComponentNumbers& numbers, const Use& use) {
    if (!isa::hasDestination(isa::opInfo(i.op).shape) || i.dst.relative) return;
    if (i.dst.file == File::P) return use(numbers.of(File::P, i.dst.index, 0));
    for (unsigned c = 0; c < 4; ++c)
        if (i.dst.writeMask >> c & 1) use(numbers.of(i.dst.file, i.dst.index, c));
}

}  // namespace

// --- Numbers ---

size_t ComponentNumbers::placeOf(File file, unsigned index, unsigned component) {
    constexpr size_t kOutputs = size_t{isa::kMaxTemps} * 4, kAddress = kOutputs + size_t{isa::kMaxOutputs} * 4,
                     kPredicate = kAddress + 4, kAll = kPredicate + isa::kPredicates + 1;
    switch (file) {
        case File::R:
            return size_t{index} * 4 + component;
        case File::O:
            return kOutputs + size_t{index} * 4 + component;
        case File::A:
            return kAddress + component;
        case File::P:
            return kPredicate + index;
        default:
            return kAll;
    }
}

void ComponentNumbers::name(File file, unsigned index, unsigned component) {
    const size_t at = placeOf(file, index, component);
    if (at < numbers_.size() && numbers_[at] == kNone) numbers_[at] = count_++;
}

void ComponentNumbers::nameAll(File file, unsigned registers) {
    for (unsigned index = 0; index < registers; ++index)
        for (unsigned c = 0; c < 4; ++c) name(file, index, c);
}

ComponentNumbers::ComponentNumbers(const Facts& facts)
    : numbers_(placeOf(File::V, 0, 0), kNone), temporaries_(facts.temporaries) {
    if (facts.relativeTemps) nameAll(File::R, temporaries_);
    if (facts.relativeOutputs) nameAll(File::O, isa::kMaxOutputs);
    for (const Instruction& i : facts.code) {
        if (i.guard != 0) name(File::P, i.guard, 0);
        if (isRelative(i)) name(File::A, 0, 0);
        for (int s = 0; s < isa::sourceCount(isa::opInfo(i.op).shape); ++s)
            for (unsigned c = 0; c < 4; ++c)
                name(i.src[static_cast<size_t>(s)].file, i.src[static_cast<size_t>(s)].index,
                     static_cast<unsigned>(isa::swizzleAt(i.src[static_cast<size_t>(s)].swizzle, static_cast<int>(c))));
        if (!isa::hasDestination(isa::opInfo(i.op).shape)) continue;
        for (unsigned c = 0; c < 4; ++c)
            if (i.dst.writeMask >> c & 1 || i.dst.file == File::P) name(i.dst.file, i.dst.index, c);
    }
}

// --- Liveness ---

Liveness::Liveness(const Facts& facts, const ComponentNumbers& numbers, isa::RegisterMask outputMask)
    : facts_(facts), numbers_(numbers), outputs_(numbers.count()), readInQuads_(numbers.count()) {
    for (const int o : outputMask)
        for (unsigned c = 0; c < 4; ++c)
            if (const uint32_t number = numbers.of(File::O, static_cast<unsigned>(o), c);
                number != ComponentNumbers::kNone)
                outputs_.put(number);
    for (const Instruction& i : facts.code)
        if (readsQuads(i)) forEachRead(i, numbers, [&](uint32_t number) { readInQuads_.put(number); });
    findBlocks();
    findEdges();
    before_.assign(facts.code.size() + routineOf_.back() + 1, Set(numbers.count()));
    before_[facts.code.size()] = outputs_;
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t block = start_.size() - 1; block-- > 0;) changed |= walk(block);
        for (const Call& call : calls_) changed |= walkBack(call);
    }
    findWaited();
    findNumeric();
}

void Liveness::findBlocks() {
    blockOf_.resize(facts_.code.size());
    bool begins = true;
    for (size_t at = 0; at < facts_.code.size(); ++at) {
        if (begins) start_.push_back(at);
        begins = isControl(facts_.code[at]);
        blockOf_[at] = start_.size() - 1;
    }
    start_.push_back(facts_.code.size());
}

/// Control goes from each instruction to the next, and to where lanes wait when there are none left; that is taken to
/// happen at every control instruction.
void Liveness::findEdges() {
    struct Nest {
        std::vector<size_t> waiting;  ///< of the side that is being executed
        size_t meet, after;
    };
    const size_t size = facts_.code.size();
    std::vector<Nest> nests;
    const std::vector<Routine> routines = findRoutines(facts_.code);
    std::vector<bool> continues(size), mayReturn(routines.size());  // endloops; routines, from their middle
    for (size_t at = 0; at < size; ++at) {
        const Instruction& i = facts_.code[at];
        if (i.op == Op::Cont) continues[i.target] = true;
        const size_t routine = routineOf(routines, at);
        if (i.op == Op::Ret && at != routines[routine].last) mayReturn[routine] = true;
    }

    size_t routine = 0;
    for (size_t block = 0; block + 1 < start_.size(); ++block) {
        const size_t end = size + routine;  // of the routine
        routineOf_.push_back(routine);
        std::vector<size_t>& waiting = waitingAt_.emplace_back();
        for (const Nest& nest : nests) waiting.insert(waiting.end(), nest.waiting.begin(), nest.waiting.end());
        if (mayReturn[routine]) waiting.push_back(end);

        const size_t at = start_[block + 1] - 1, next = at + 1;
        const Instruction& i = facts_.code[at];
        Edges& edges = edges_.emplace_back();
        if (at == routines[routine].last) {
            edges.ofLane = edges.ofControl = {end};
            ++routine;
            continue;
        }
        edges.ofControl = {next, end};
        edges.ofLane = {next};
        switch (i.op) {
            case Op::If: {
                const size_t otherSide = facts_.code[i.target].op == Op::Else ? i.target + size_t{1} : i.target;
                edges.ofLane.push_back(otherSide);
                nests.push_back({{otherSide}, i.target, i.target});
                break;
            }
            case Op::Else:
                edges.ofLane = {i.target};
                nests.back() = {{i.target}, i.target, i.target};
                break;
            case Op::Endif:
                nests.pop_back();
                break;
            case Op::Loop: {
                Nest nest{{i.target + size_t{1}}, i.target, i.target + size_t{1}};
                if (continues[i.target]) nest.waiting.push_back(i.target);
                nests.push_back(nest);
                break;
            }
            case Op::Endloop:
                edges.ofLane.push_back(i.target + size_t{1});
                nests.pop_back();
                break;
            case Op::Brk:
                edges.ofLane.push_back(i.target + size_t{1});
                break;
            case Op::Cont:
                edges.ofLane.push_back(i.target);
                break;
            case Op::Ret:
                edges.ofLane.push_back(end);
                break;
            case Op::Call:
                if (i.guard == 0) edges.ofLane.clear();
                edges.ofLane.push_back(i.target);
                edges.ofControl.push_back(i.target);
                calls_.push_back({block, routineOf(routines, i.target)});
                break;
            default:
                break;
        }
        for (const Nest& nest : nests) edges.ofControl.insert(edges.ofControl.end(), {nest.meet, nest.after});
    }
}

/// From behind a call to the end of what it calls.
bool Liveness::walkBack(const Call& call) {
    Set& end = before_[facts_.code.size() + call.routine];
    Set live = end;
    live.putAll(before_[start_[call.block + 1]]);
    if (live == end) return false;
    end = std::move(live);
    return true;
}

/// Walks from the block's end to its start, and says whether anything is live that was not known to be.
bool Liveness::walk(size_t block) {
    Set live(numbers_.count());
    for (const size_t successor : edges_[block].ofLane) live.putAll(before_[successor]);
    for (const size_t successor : edges_[block].ofControl) live.putAll(before_[successor], readInQuads_);
    bool changed = false;
    for (size_t at = start_[block + 1]; at-- > start_[block];) {
        const Instruction& i = facts_.code[at];
        forEachWrite(i, numbers_, [&](uint32_t number) {
            if (i.guard == 0 && !(facts_.at[at].divergent && readInQuads_.has(number))) live.remove(number);
        });
        forEachRead(i, numbers_, [&](uint32_t number) { live.put(number); });
        if (before_[at] == live) continue;
        before_[at] = live;
        changed = true;
    }
    return changed;
}

void Liveness::findWaited() {
    for (const std::vector<size_t>& places : waitingAt_) {
        Set& waited = waited_.emplace_back(numbers_.count());
        for (const size_t place : places) waited.putAll(before_[place]);
    }
    if (calls_.empty()) return;
    // While a routine runs lanes of its callers wait behind the call, and wherever else they did already.
    std::vector<Set> ofCallers(routineOf_.back() + 1, Set(numbers_.count()));
    bool changed = true;
    while (changed) {
        changed = false;
        for (const Call& call : calls_) {
            Set all = ofCallers[call.routine];
            all.putAll(before_[start_[call.block + 1]]);
            all.putAll(waited_[call.block]);
            all.putAll(ofCallers[routineOf_[call.block]]);
            if (all == ofCallers[call.routine]) continue;
            ofCallers[call.routine] = std::move(all);
            changed = true;
        }
    }
    for (size_t block = 0; block < waited_.size(); ++block) waited_[block].putAll(ofCallers[routineOf_[block]]);
}

// --- NaNs ---

/// Who reads bits: operations on integers, the outputs, and copies to where bits are read.
void Liveness::findNumeric() {
    const auto sourceOf = [&](const Instruction& i, int s, int c) {
        const isa::Source& source = i.src[static_cast<size_t>(s)];
        if (source.file == File::P) return ComponentNumbers::kNone;
        return numbers_.of(source.file, source.index, static_cast<unsigned>(isa::swizzleAt(source.swizzle, c)));
    };
    const auto isCopy = [](const Instruction& i, int s) { return i.op == Op::Mov || (i.op == Op::Sel && s > 0); };
    // `other`: unless every NaN of the result is the canonical one, or that of a copied operand for which this holds.
    Set other(numbers_.count()), bits = outputs_;
    bool changed = true;
    const auto put = [&](Set& set, uint32_t number) {
        if (number == ComponentNumbers::kNone || set.has(number)) return;
        set.put(number);
        changed = true;
    };
    // Nothing is known of a file that is addressed relatively.
    for (unsigned c = 0; c < 4; ++c) {
        for (Set* set : {&other, &bits}) {
            if (facts_.relativeTemps) numbers_.forEachOf(File::R, c, [&](uint32_t number) { set->put(number); });
            if (facts_.relativeOutputs) numbers_.forEachOf(File::O, c, [&](uint32_t number) { set->put(number); });
        }
    }
    while (changed) {
        changed = false;
        for (const Instruction& i : facts_.code) {
            const isa::OpInfo& info = isa::opInfo(i.op);
            if (!isa::hasDestination(info.shape)) continue;
            const bool computes =
                i.saturate || (isa::resultType(i.op, i.type) == isa::Type::F32 && !isa::isTexture(info.shape));
            for (int c = 0; c < 4; ++c) {
                const bool toPredicate = i.dst.file == File::P;
                if (!toPredicate && !(i.dst.writeMask >> c & 1)) continue;
                const uint32_t to = toPredicate ? ComponentNumbers::kNone
                                                : numbers_.of(i.dst.file, i.dst.index, static_cast<unsigned>(c));
                if (!computes) put(other, to);
                for (int s = 0; s < isa::sourceCount(info.shape); ++s) {
                    const isa::Source& source = i.src[static_cast<size_t>(s)];
                    const uint32_t from = sourceOf(i, s, c);
                    if (isa::sourceType(i.op, i.type, s) != isa::Type::F32) put(bits, from);
                    if (!isCopy(i, s) || i.saturate || toPredicate) continue;
                    if (bits.has(to)) put(bits, from);
                    const bool isSame = source.file == File::P || (from != ComponentNumbers::kNone && !other.has(from));
                    if (!isSame || source.negate || source.absolute) put(other, to);
                }
            }
        }
    }
    numeric_ = Set(numbers_.count());
    for (uint32_t n = 0; n < numbers_.count(); ++n)
        if (!other.has(n) || !bits.has(n)) numeric_.put(n);
}

}  // namespace tessera::analysis
