// Statements and function calls: structured control flow, functions inlined at the call or called.
//
// A return inside an inlined function stores the result and raises a flag (`returned`). Statements that follow one
// that may have returned are wrapped in "if not returned"; a loop that returns is left by a break, and the loops
// around it by a break on the flag. A conditional whose one branch always returns takes what follows as its other
// branch, which needs no flag at all.
//
// A discarded fragment goes on as a helper of its quad. What ends a loop may be what the discard made sure of, so
// loops that are not plainly counted are left by discarded lanes (`discarded_`).
#include <algorithm>
#include <utility>

#include "shader-core/glsl/front/lower/ast_to_ir.h"

namespace tessera::glsl::front {

using namespace glslang;

namespace {

constexpr int kComfortableNesting = 24;  ///< up to here the forms that nest deeper but run faster are used
constexpr int kLongChain = 12;           ///< else-if links from which a chain is flattened

bool isSequence(TIntermNode* node) {
    auto* aggregate = node ? node->getAsAggregate() : nullptr;
    return aggregate && (aggregate->getOp() == EOpSequence || aggregate->getOp() == EOpScope);
}

/// A declaration with initialisers is a list of its own in the tree, but no scope. (Nor is, then, a block of nothing
/// but assignments to whole variables.)
bool isDeclaration(std::span<TIntermNode* const> list) {
    return std::ranges::all_of(list, [](TIntermNode* node) {
        auto* binary = node->getAsBinaryNode();
        return binary && binary->getOp() == EOpAssign && binary->getLeft()->getAsSymbolNode();
    });
}

}  // namespace

void AstToIr::beginIf(const Operand& condition, bool negate) {
    if (++nesting_ > isa::kMaxNesting - 2) fail("'' : control flow nested too deeply");
    b_.beginIf(condition, negate);
}
void AstToIr::endIf() {
    b_.endIf();
    nesting_--;
}
void AstToIr::beginLoop() {
    if (++nesting_ > isa::kMaxNesting - 2) fail("'' : control flow nested too deeply");
    b_.beginLoop();
}
void AstToIr::endLoop() {
    b_.endLoop();
    nesting_--;
}

void AstToIr::run(TIntermNode* root) {
    declareInterface(root);
    auto main = analysis_.functions.find("main(");
    if (main != analysis_.functions.end()) {
        shader_.hasMain = true;
        frames_.emplace_back();
        frames_.back().isWhole = true;
        frames_.back().function = "main(";
        if (analysis_.discards && !analysis_.openLoops.empty()) {
            discarded_ = analysis_.called.empty() ? b_.newTemp(1) : newSharedRegisters(1);
            setDiscarded(0);
        }
        loadLastColors();
        loadSampleVariables();
        loadInterpolants();
        runInitialisers(root);
        line_ = std::max(main->second.node->getLoc().line, 1);
        b_.setLine(static_cast<uint32_t>(line_));
        bool returns = false;
        for (TIntermNode* child : main->second.node->getSequence()) {
            auto* aggregate = child->getAsAggregate();
            if (aggregate && aggregate->getOp() != EOpParameters && statement(child) == Flow::Exits) returns = true;
        }
        if (!returns) dropMaskedSamples();
        endScope(0);  // of a body that looks like a declaration, too
        b_.module().endLine = static_cast<uint32_t>(line_);
    }
    listUniforms();
}

/// Initialisers of globals, in the order of the source.
void AstToIr::runInitialisers(TIntermNode* root) {
    for (TIntermNode* node : root->getAsAggregate()->getSequence()) {
        auto* aggregate = node->getAsAggregate();
        if (aggregate && (aggregate->getOp() == EOpFunction || aggregate->getOp() == EOpLinkerObjects)) continue;
        (void)statement(node);
    }
}

AstToIr::Flow AstToIr::statements(std::span<TIntermNode* const> list) {
    if (isDeclaration(list)) return statementsInScope(list);
    const size_t firstVariable = b_.module().debug.variables.size();
    const int before = std::exchange(lastLine_, line_);
    const Flow flow = statementsInScope(list);
    endScope(firstVariable);
    lastLine_ = std::max(lastLine_, before);
    return flow;
}

AstToIr::Flow AstToIr::statementsInScope(std::span<TIntermNode* const> list) {
    bool mayReturn = false;
    auto returnsAfter = [&](size_t i) { return analysis_.containsReturn(list[i]); };
    bool flagged = !frames_.back().isWhole && !frames_.back().isInLoop();
    for (size_t i = 0; i < list.size(); i++) {
        TIntermNode* node = list[i];
        auto* choice = node->getAsSelectionNode();
        if (choice && flagged && i + 1 < list.size() && nesting_ < kComfortableNesting && returnsAfter(i)) {
            // The rest of the list belongs to the branch that does not return.
            bool yesReturns = analysis_.alwaysReturns(choice->getTrueBlock());
            bool noReturns = analysis_.alwaysReturns(choice->getFalseBlock());
            if (yesReturns != noReturns) {
                TIntermNode* returning = yesReturns ? choice->getTrueBlock() : choice->getFalseBlock();
                TIntermNode* other = yesReturns ? choice->getFalseBlock() : choice->getTrueBlock();
                if (!analysis_.containsReturn(other)) {
                    Operand condition = expression(choice->getCondition()).scalar();
                    if (condition.kind == ir::Kind::Literal) {
                        if ((condition.literal[0] != 0) == yesReturns) return statement(returning);
                        if (other) (void)statement(other);
                        continue;
                    }
                    beginIf(condition, !yesReturns);
                    (void)statement(returning);
                    b_.beginElse();
                    if (other) (void)statement(other);
                    Flow rest = statements(list.subspan(i + 1));
                    endIf();
                    return rest == Flow::Exits ? Flow::Exits : Flow::MayReturn;
                }
            }
        }
        Flow flow = statement(node);
        if (flow == Flow::Exits) return Flow::Exits;
        if (flow == Flow::Falls || !flagged) continue;
        mayReturn = true;
        // Up to and including the next statement that may return goes under one guard.
        while (i + 1 < list.size()) {
            size_t end = i + 1;
            while (end < list.size() - 1 && !returnsAfter(end)) end++;
            beginIf(b_.tempOperand(frames_.back().returned), true);
            Flow guarded = statements(list.subspan(i + 1, end - i));
            endIf();
            i = end;
            if (guarded == Flow::Exits) return Flow::Exits;
            if (guarded == Flow::Falls) break;  // only at the end of the list
        }
    }
    return mayReturn ? Flow::MayReturn : Flow::Falls;
}

AstToIr::Flow AstToIr::statement(TIntermNode* node) {
    int line = node->getLoc().line;
    if (line > 0) {
        line_ = line;
        lastLine_ = std::max(lastLine_, line);
        b_.setLine(static_cast<uint32_t>(line));
    }
    checkSize();
    if (auto* choice = node->getAsSelectionNode()) return selection(choice);
    if (auto* l = node->getAsLoopNode()) return loop(l);
    if (auto* s = node->getAsSwitchNode()) return choose(s);
    if (auto* br = node->getAsBranchNode()) return branch(br);
    if (isSequence(node)) {
        const TIntermSequence& list = node->getAsAggregate()->getSequence();
        return statements({list.data(), list.size()});
    }
    if (auto* typed = node->getAsTyped()) {
        if (auto* aggregate = node->getAsAggregate(); aggregate && aggregate->getOp() == EOpNull) return Flow::Falls;
        (void)expression(typed);
    }
    return Flow::Falls;
}

AstToIr::Flow AstToIr::selection(TIntermSelection* node) {
    int links = 0;
    for (auto* s = node; s && links <= kLongChain;
         s = s->getFalseBlock() ? s->getFalseBlock()->getAsSelectionNode() : nullptr)
        links++;
    if (links > kLongChain) return selectionChain(node);
    TIntermNode* yes = node->getTrueBlock();
    TIntermNode* no = node->getFalseBlock();
    Operand condition = expression(node->getCondition()).scalar();
    if (condition.kind == ir::Kind::Literal) {
        TIntermNode* taken = condition.literal[0] != 0 ? yes : no;
        return taken ? statement(taken) : Flow::Falls;
    }
    beginIf(condition);
    Flow first = yes ? statement(yes) : Flow::Falls;
    Flow second = Flow::Falls;
    if (no) {
        b_.beginElse();
        second = statement(no);
    }
    endIf();
    if (first == second) return first;
    return Flow::MayReturn;
}

/// if a {} else if b {} else if c {} ... without nesting: `open` holds while no link was taken.
AstToIr::Flow AstToIr::selectionChain(TIntermSelection* node) {
    uint32_t open = b_.newTemp(1), taken = b_.newTemp(1);
    b_.emitTo(ir::tempDest(open, 1), Op::Mov, ir::literal(1));
    bool returns = false;
    TIntermNode* rest = node;
    while (auto* link = rest ? rest->getAsSelectionNode() : nullptr) {
        b_.emitTo(ir::tempDest(taken, 1), Op::Mov, ir::literal(0));
        beginIf(b_.tempOperand(open));
        b_.emitTo(ir::tempDest(taken, 1), Op::Mov, expression(link->getCondition()).scalar());
        endIf();
        b_.emitTo(ir::tempDest(open, 1), Op::Slt, b_.tempOperand(taken), b_.tempOperand(open));
        beginIf(b_.tempOperand(taken));
        if (link->getTrueBlock()) returns |= statement(link->getTrueBlock()) != Flow::Falls;
        endIf();
        rest = link->getFalseBlock();
    }
    if (rest) {
        beginIf(b_.tempOperand(open));
        returns |= statement(rest) != Flow::Falls;
        endIf();
    }
    return returns ? Flow::MayReturn : Flow::Falls;
}

void AstToIr::breakUnless(TIntermNode* test) {
    if (!test) return;
    Operand condition = expression(test).scalar();
    if (condition.kind == ir::Kind::Literal) {
        if (condition.literal[0] == 0) b_.brk();
        return;
    }
    b_.brk(condition, true);
}

AstToIr::Flow AstToIr::loop(TIntermLoop* node) {
    bool first = node->testFirst();
    beginLoop();
    if (discarded_ != ir::kNone && analysis_.openLoops.contains(node)) b_.brk(discarded());
    Frame& frame = frames_.back();
    frame.breakables.push_back({.terminal = node->getTerminal(), .lateTest = first ? nullptr : node->getTest()});
    if (first) breakUnless(node->getTest());
    if (node->getBody()) (void)statement(node->getBody());
    if (node->getTerminal()) (void)expression(node->getTerminal());
    if (!first) breakUnless(node->getTest());
    endLoop();
    frames_.back().breakables.pop_back();
    return leaveLoop(analysis_.containsReturn(node->getBody()));
}

/// Behind a loop that is left by returns in it: so are the loops around it.
AstToIr::Flow AstToIr::leaveLoop(bool returns) {
    const Frame& frame = frames_.back();
    if (frame.isWhole || !returns) return Flow::Falls;
    if (!frame.isInLoop()) return Flow::MayReturn;
    b_.brk(b_.tempOperand(frame.returned));
    return Flow::Falls;
}

void AstToIr::breakOut() {
    const auto& breakables = frames_.back().breakables;
    if (!breakables.empty() && breakables.back().kind == Breakable::Kind::SwitchChain) return;
    b_.brk();
}

/// On with the next iteration of the loop around, through the switches in between.
void AstToIr::continueLoop() {
    const auto& breakables = frames_.back().breakables;
    const auto around = std::find_if(breakables.rbegin(), breakables.rend(),
                                     [](const Breakable& b) { return b.kind != Breakable::Kind::SwitchChain; });
    if (around == breakables.rend()) fail("'continue' : stands in no loop");
    const Breakable target = *around;
    if (target.kind == Breakable::Kind::SwitchLoop) {
        b_.emitTo(ir::tempDest(target.continued, 1), Op::Mov, ir::literal(1));
        b_.brk();
        return;
    }
    if (target.terminal) (void)expression(target.terminal);
    breakUnless(target.lateTest);
    b_.cont();
}

AstToIr::Operand AstToIr::discarded() const {
    return analysis_.called.empty() ? b_.tempOperand(discarded_) : ir::sharedOperand(discarded_, 1);
}

void AstToIr::setDiscarded(float value) {
    const ir::Dest dest = analysis_.called.empty() ? ir::tempDest(discarded_, 1) : ir::sharedDest(discarded_, 1);
    b_.emitTo(dest, Op::Mov, ir::literal(value));
}

AstToIr::Flow AstToIr::branch(TIntermBranch* node) {
    switch (node->getFlowOp()) {
        case EOpKill:
            b_.kil();
            if (discarded_ != ir::kNone) setDiscarded(1);
            return Flow::Falls;
        case EOpBreak:
            breakOut();
            return Flow::Exits;
        case EOpContinue:
            continueLoop();
            return Flow::Exits;
        case EOpReturn: {
            if (node->getExpression()) {
                Value v = expression(node->getExpression());
                if (frames_.back().hasResult) store(frames_.back().result, v);
            }
            const Frame& frame = frames_.back();
            if (frame.isWhole) {
                if (frame.function == "main(") dropMaskedSamples();
                b_.ret();
            } else {
                b_.emitTo(ir::tempDest(frame.returned, 1), Op::Mov, ir::literal(1));
                if (frame.isInLoop()) b_.brk();
            }
            return Flow::Exits;
        }
        default:
            fail("'' : statement not supported");
    }
}

// switch

namespace {

/// A break that belongs to the switch at hand, or a continue of a loop around it.
bool leavesSwitch(TIntermNode* node, bool hasInnerSwitch = false) {
    if (node->getAsLoopNode()) return false;
    if (auto* branch = node->getAsBranchNode())
        return branch->getFlowOp() == EOpContinue || (branch->getFlowOp() == EOpBreak && !hasInnerSwitch);
    if (!node->getAsAggregate() && !node->getAsSelectionNode() && !node->getAsSwitchNode()) return false;
    bool leaves = false;
    const bool inner = hasInnerSwitch || node->getAsSwitchNode();
    forEachChild(node, [&](TIntermNode* child) { leaves = leaves || leavesSwitch(child, inner); });
    return leaves;
}

/// Control may leave the statements of a group elsewhere than at their end, where blocks count as their statements.
bool leavesInside(std::span<TIntermNode* const> list) {
    for (TIntermNode* node : list) {
        if (node->getAsBranchNode()) return false;  // the end: nothing behind it is reached
        if (isSequence(node)) {
            const TIntermSequence& inner = node->getAsAggregate()->getSequence();
            if (leavesInside({inner.data(), inner.size()})) return true;
            if (std::ranges::any_of(inner, [](TIntermNode* n) { return n->getAsBranchNode() != nullptr; }))
                return false;
        } else if (leavesSwitch(node)) {
            return true;
        }
    }
    return false;
}

}  // namespace

/// The groups one after the other, each run by the lanes that came to one of its labels or fell through from the group
/// before. Breaks at the ends of groups need no more than that; for others the whole is a loop that runs once.
AstToIr::Flow AstToIr::choose(TIntermSwitch* node) {
    const Value condition = expression(node->getCondition());
    const Operand selector = preserve(condition).scalar();
    std::vector<Group> groups;
    for (TIntermNode* child : node->getBody()->getSequence()) {
        auto* label = child->getAsBranchNode();
        if (label && (label->getFlowOp() == EOpCase || label->getFlowOp() == EOpDefault)) {
            if (groups.empty() || !groups.back().list.empty()) groups.emplace_back();
            groups.back().labels.push_back(label->getExpression());
        } else if (!groups.empty()) {
            groups.back().list.push_back(child);
        }
    }
    const bool returns = analysis_.containsReturn(node->getBody());
    const bool isLoop = (returns && !frames_.back().isWhole) ||
                        std::ranges::any_of(groups, [](const Group& g) { return leavesInside(g.list); });
    if (!isLoop) {
        frames_.back().breakables.push_back({.kind = Breakable::Kind::SwitchChain});
        runGroups(groups, selector, condition.type);
        frames_.back().breakables.pop_back();
        return Flow::Falls;
    }
    const uint32_t continued = b_.newTemp(1);
    b_.emitTo(ir::tempDest(continued, 1), Op::Mov, ir::literal(0));
    beginLoop();
    frames_.back().breakables.push_back({.kind = Breakable::Kind::SwitchLoop, .continued = continued});
    runGroups(groups, selector, condition.type);
    b_.brk();
    endLoop();
    frames_.back().breakables.pop_back();
    const auto& around = frames_.back().breakables;
    const bool isContinued =
        std::ranges::any_of(around, [](const Breakable& b) { return b.kind == Breakable::Kind::Loop; });
    if (isContinued && leavesSwitch(node->getBody(), true)) {
        beginIf(b_.tempOperand(continued));
        continueLoop();
        endIf();
    }
    return leaveLoop(returns);
}

void AstToIr::runGroups(std::span<const Group> groups, const Operand& selector, const Type& type) {
    // A lane is at the label that its selector names, or else at the default.
    std::vector<Operand> enters(groups.size(), ir::literal(0));
    Operand anyLabel = ir::literal(0);
    const auto either = [&](const Operand& a, const Operand& b) { return emit(1, Op::Max, a, b); };
    for (size_t g = 0; g < groups.size(); g++) {
        for (TIntermNode* label : groups[g].labels) {
            if (!label) continue;
            const Operand value = expression(label).scalar();
            const Operand isAt = emit(1, Op::Seq, selector, value, {}, operationType(type.base));
            enters[g] = either(enters[g], isAt);
            anyLabel = either(anyLabel, isAt);
        }
    }
    for (size_t g = 0; g < groups.size(); g++)
        if (std::ranges::find(groups[g].labels, nullptr) != groups[g].labels.end())
            enters[g] = either(enters[g], emit(1, Op::Seq, anyLabel, ir::literal(0)));
    const uint32_t running = b_.newTemp(1);
    bool falls = false;  // from the group before
    for (size_t g = 0; g < groups.size(); g++) {
        const Operand enter = falls ? either(b_.tempOperand(running), enters[g]) : enters[g];
        b_.emitTo(ir::tempDest(running, 1), Op::Mov, enter);
        beginIf(b_.tempOperand(running));
        falls = statements(groups[g].list) != Flow::Exits;
        endIf();
    }
}

// Function calls

void AstToIr::bindParameter(Frame& frame, TIntermSymbol* parameter, TIntermNode* argument, TStorageQualifier qualifier,
                            Reference* target) {
    SymbolId id = parameter->getId();
    Type type = convertType(parameter->getType());
    bool reads = qualifier != EvqOut;
    bool writes = qualifier == EvqOut || qualifier == EvqInOut;
    TIntermSymbol* root = rootSymbol(argument);
    bool constantRoot = root && root->getConstArray().size() > 0;
    if (writes) {
        *target = reference(argument);
    } else if (root && !constantRoot && !isInBlock(argument) &&
               (samplerCount(type) > 0 || !analysis_.written.contains(id))) {
        // What can't change needs no copy: samplers, uniforms, attributes and varyings.
        Reference source = reference(argument);
        bool fixed = source.kind == ir::Kind::Uniform || (source.kind == ir::Kind::Input && !source.dynamicComponent);
        if (type.base == Base::Sampler || (fixed && !source.dynamicComponent && !analysis_.written.contains(id))) {
            frame.locals[id] = source;
            describe(parameter, source, frame.function, frame.line);
            return;
        }
        Reference local = newVariable(type, analysis_.indexed.contains(id));
        local.sampler = source.sampler;
        describe(parameter, local, frame.function, frame.line);
        store(local, load(source));
        frame.locals[id] = local;
        return;
    }
    Reference local = newVariable(type, analysis_.indexed.contains(id));
    describe(parameter, local, frame.function, frame.line);
    if (reads) store(local, writes ? load(*target) : expression(argument));
    frame.locals[id] = local;
}

Value AstToIr::callFunction(TIntermAggregate* call) {
    std::string name = call->getName().c_str();
    if (name.starts_with(kInterpolateAtAlias)) return interpolate(call);
    Type type = convertType(call->getType());
    auto found = analysis_.functions.find(name);
    if (found == analysis_.functions.end() || !found->second.node) {
        // link() reports the missing body; until then any value of the right shape will do.
        Value v{type, {}};
        for (const RegisterShape& shape : registerShapes(type)) {
            (void)shape;
            v.registers.push_back(ir::literal(0));
        }
        return v;
    }
    if (frames_.size() > 64) fail("'" + name.substr(0, name.find('(')) + "' : calls nested too deeply");
    if (analysis_.called.contains(name) &&
        std::ranges::none_of(call->getSequence(), [this](TIntermNode* argument) { return choosesSampler(argument); }))
        return callRoutine(call, name);
    TIntermSequence& parts = found->second.node->getSequence();
    TIntermSequence& arguments = call->getSequence();
    TIntermAggregate* parameters = parts.empty() ? nullptr : parts[0]->getAsAggregate();

    Frame frame;
    frame.function = name;
    frame.line = static_cast<uint32_t>(std::max(found->second.node->getLoc().line, 1));
    const size_t firstVariable = b_.module().debug.variables.size();
    const int lastLine = std::exchange(lastLine_, 1);
    std::vector<Reference> targets(arguments.size());
    std::vector<TStorageQualifier> qualifiers(arguments.size(), EvqIn);
    for (size_t i = 0; i < arguments.size() && parameters && i < parameters->getSequence().size(); i++) {
        TIntermSymbol* parameter = parameters->getSequence()[i]->getAsSymbolNode();
        qualifiers[i] = parameter->getType().getQualifier().storage;
        bindParameter(frame, parameter, arguments[i], qualifiers[i], &targets[i]);
    }
    frame.returned = b_.newTemp(1);
    if (type.base != Base::Void) {
        frame.result = newVariable(type, false);
        frame.hasResult = true;
    }
    if (analysis_.containsReturn(found->second.node))
        b_.emitTo(ir::tempDest(frame.returned, 1), Op::Mov, ir::literal(0));
    frames_.push_back(std::move(frame));
    for (size_t i = 1; i < parts.size(); i++) (void)statement(parts[i]);
    Frame done = std::move(frames_.back());
    frames_.pop_back();
    endInstance(firstVariable);
    lastLine_ = lastLine;
    for (size_t i = 0; i < arguments.size(); i++) {
        if (qualifiers[i] != EvqOut && qualifiers[i] != EvqInOut) continue;
        TIntermSymbol* parameter = parameters->getSequence()[i]->getAsSymbolNode();
        store(targets[i], load(done.locals.at(parameter->getId())));
    }
    return done.hasResult ? load(done.result) : Value{type, {}};
}

// --- Functions that are called ---

/// The argument is or holds a sampler that is found out when the shader runs.
bool AstToIr::choosesSampler(TIntermNode* argument) {
    if (samplerCount(convertType(argument->getAsTyped()->getType())) == 0) return false;
    while (auto* binary = argument->getAsBinaryNode()) {
        if (binary->getOp() == EOpIndexIndirect) return true;
        argument = binary->getLeft();
    }
    auto* symbol = argument->getAsSymbolNode();
    return symbol == nullptr || variable(symbol).sampler.dynamic;
}

/// Arguments are all evaluated before the first is passed: one of them may be a call of the same function.
Value AstToIr::callRoutine(TIntermAggregate* call, const std::string& name) {
    const TIntermSequence& arguments = call->getSequence();
    TIntermAggregate* const list = analysis_.functions.at(name).node->getSequence()[0]->getAsAggregate();
    std::vector<Reference> targets(arguments.size()), passed(arguments.size());
    std::vector<TStorageQualifier> qualifiers;
    for (size_t i = 0; i < arguments.size(); i++) {
        const TType& declared = list->getSequence()[i]->getAsSymbolNode()->getType();
        const Type type = convertType(declared);
        qualifiers.push_back(declared.getQualifier().storage);
        const bool writes = qualifiers[i] == EvqOut || qualifiers[i] == EvqInOut;
        passed[i].type = type;
        if (writes || samplerCount(type) > 0) targets[i] = reference(arguments[i]);
        passed[i].sampler = targets[i].sampler;
        if (registerCount(type) == 0 || qualifiers[i] == EvqOut) continue;
        const Value value = targets[i].type.base == Base::Void ? expression(arguments[i]) : load(targets[i]);
        const SamplerRef sampler = passed[i].sampler;
        passed[i] = newVariable(type, false);
        passed[i].sampler = sampler;
        store(passed[i], value);
    }
    const Routine routine = routineOf(name, passed);
    for (size_t i = 0; i < arguments.size(); i++)
        if (passed[i].arrayCount > 0) store(routine.parameters[i], load(passed[i]));
    b_.call(routine.number);
    Value result{convertType(call->getType()), {}};
    if (routine.hasResult) result = preserve(load(routine.result));
    for (size_t i = 0; i < arguments.size(); i++)
        if (qualifiers[i] == EvqOut || qualifiers[i] == EvqInOut) store(targets[i], load(routine.parameters[i]));
    return result;
}

/// One for the function and each set of samplers that it is passed, as those are no values.
AstToIr::Routine& AstToIr::routineOf(const std::string& name, std::span<const Reference> arguments) {
    std::string key = name;
    for (const Reference& argument : arguments)
        if (samplerCount(argument.type) > 0) key += ' ' + std::to_string(argument.sampler.first);
    const auto [found, isNew] = routines_.try_emplace(key);
    Routine& routine = found->second;
    if (isNew) lowerRoutine(name, arguments, routine);  // may add others, which moves iterators
    return routine;
}

void AstToIr::lowerRoutine(const std::string& name, std::span<const Reference> arguments, Routine& routine) {
    TIntermAggregate* const node = analysis_.functions.at(name).node;
    const TIntermSequence& parts = node->getSequence();
    routine.number = static_cast<uint32_t>(shader_.module.functions.size());
    shader_.module.functions.emplace_back();  // its number is taken
    const Type type = convertType(node->getType());
    routine.hasResult = type.base != Base::Void;
    if (routine.hasResult) routine.result = sharedVariable(type);

    ir::Module module;
    module.stage = shader_.stage;
    const ir::Builder outer = std::exchange(b_, ir::Builder(module));
    const int line = line_, lastLine = std::exchange(lastLine_, 1), nesting = std::exchange(nesting_, 0);
    const auto described = std::exchange(described_, {});
    const auto slots = std::exchange(slotOfTemp_, {});
    line_ = std::max(node->getLoc().line, 1);
    b_.setLine(static_cast<uint32_t>(line_));
    Frame frame;
    frame.function = name;
    frame.line = static_cast<uint32_t>(line_);
    frame.isWhole = true;
    frame.result = routine.result;
    frame.hasResult = routine.hasResult;
    for (size_t i = 0; i < arguments.size(); i++) {
        TIntermSymbol* symbol = parts[0]->getAsAggregate()->getSequence()[i]->getAsSymbolNode();
        Reference parameter = sharedVariable(arguments[i].type);
        parameter.sampler = arguments[i].sampler;
        describe(symbol, parameter, name, frame.line);
        frame.locals[symbol->getId()] = parameter;
        routine.parameters.push_back(parameter);
    }
    frames_.push_back(std::move(frame));
    for (size_t i = 1; i < parts.size(); i++) (void)statement(parts[i]);
    frames_.pop_back();
    endScope(0);
    module.endLine = static_cast<uint32_t>(std::max(line_, lastLine_));

    b_ = outer;
    line_ = line, lastLine_ = lastLine, nesting_ = nesting;
    described_ = described;
    slotOfTemp_ = slots;
    shader_.module.functions[routine.number] = std::move(module);
}

}  // namespace tessera::glsl::front
