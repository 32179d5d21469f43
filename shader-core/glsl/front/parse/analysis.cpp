#include "shader-core/glsl/front/parse/analysis.h"
#include "shader-core/glsl/front/parse/parse.h"

#include <algorithm>

#include "shader-core/glsl/front/parse/tree.h"
#include "shader-core/glsl/front/preprocess/preprocess.h"
#include "shader-core/isa/isa.h"

namespace tessera::glsl::front {

using namespace glslang;

bool isAssignment(TOperator op) {
    if (op >= EOpAssign && op <= EOpRightShiftAssign) return true;
    if (op == EOpModf) return true;  // the only built-in function that writes one of its operands
    return op == EOpPostIncrement || op == EOpPostDecrement || op == EOpPreIncrement || op == EOpPreDecrement;
}

TIntermSymbol* rootSymbol(TIntermNode* node) {
    while (node) {
        if (auto* symbol = node->getAsSymbolNode()) return symbol;
        auto* binary = node->getAsBinaryNode();
        if (!binary) return nullptr;
        switch (binary->getOp()) {
            case EOpIndexDirect:
            case EOpIndexIndirect:
            case EOpIndexDirectStruct:
            case EOpVectorSwizzle:
                node = binary->getLeft();
                break;
            default:
                return nullptr;
        }
    }
    return nullptr;
}

int constantInt(TIntermNode* node) {
    auto* constant = node ? node->getAsConstantUnion() : nullptr;
    return constant && constant->getConstArray().size() > 0 ? constant->getConstArray()[0].getIConst() : 0;
}

namespace {

/// Does the statement write the variable?
bool writes(TIntermNode* node, SymbolId variable) {
    auto is = [&](TIntermNode* target) {
        TIntermSymbol* symbol = rootSymbol(target);
        return symbol && symbol->getId() == variable;
    };
    auto* binary = node->getAsBinaryNode();
    if (binary && isAssignment(binary->getOp()) && is(binary->getLeft())) return true;
    auto* unary = node->getAsUnaryNode();
    if (unary && isAssignment(unary->getOp()) && is(unary->getOperand())) return true;
    if (auto* call = node->getAsAggregate(); call && call->getOp() == EOpModf && is(call->getSequence()[1]))
        return true;
    if (auto* call = node->getAsAggregate(); call && call->getOp() == EOpFunctionCall) {
        const TQualifierList& qualifiers = call->getQualifierList();
        for (size_t i = 0; i < qualifiers.size() && i < call->getSequence().size(); i++) {
            if ((qualifiers[i] == EvqOut || qualifiers[i] == EvqInOut) && is(call->getSequence()[i])) return true;
        }
    }
    bool result = false;
    forEachChild(node, [&](TIntermNode* child) { result = result || writes(child, variable); });
    return result;
}

/// Sign of what a for loop's step adds to the variable; 0 when it is another kind of step.
int stepSign(TIntermTyped* step, SymbolId variable) {
    auto counts = [&](TIntermTyped* target) {
        auto* symbol = target->getAsSymbolNode();
        return symbol && symbol->getId() == variable;
    };
    if (auto* unary = step->getAsUnaryNode(); unary && counts(unary->getOperand())) {
        if (unary->getOp() == EOpPostIncrement || unary->getOp() == EOpPreIncrement) return 1;
        if (unary->getOp() == EOpPostDecrement || unary->getOp() == EOpPreDecrement) return -1;
    }
    auto* binary = step->getAsBinaryNode();
    if (!binary || (binary->getOp() != EOpAddAssign && binary->getOp() != EOpSubAssign) || !counts(binary->getLeft()))
        return 0;
    auto* amount = binary->getRight()->getAsConstantUnion();
    if (!amount || amount->getConstArray().size() != 1) return 0;
    const TConstUnion& value = amount->getConstArray()[0];
    double number = value.getType() == EbtInt ? value.getIConst() : value.getDConst();
    if (number == 0) return 0;
    return (number > 0) == (binary->getOp() == EOpAddAssign) ? 1 : -1;
}

/// A for loop that counts towards a constant or uniform limit, as Appendix A of the specification has them.
bool plainlyCounted(TIntermLoop* loop) {
    auto* test = loop->getTest() ? loop->getTest()->getAsBinaryNode() : nullptr;
    if (!test || !loop->testFirst() || !loop->getTerminal()) return false;
    auto* counter = test->getLeft()->getAsSymbolNode();
    if (!counter) return false;
    auto* limit = test->getRight()->getAsSymbolNode();
    bool fixed = limit && limit->getType().getQualifier().storage == EvqUniform;
    if (!fixed && !test->getRight()->getAsConstantUnion()) return false;
    bool up = test->getOp() == EOpLessThan || test->getOp() == EOpLessThanEqual;
    bool down = test->getOp() == EOpGreaterThan || test->getOp() == EOpGreaterThanEqual;
    int sign = stepSign(loop->getTerminal(), counter->getId());
    if (!(up && sign > 0) && !(down && sign < 0)) return false;
    return !loop->getBody() || !writes(loop->getBody(), counter->getId());
}

}  // namespace

Analysis::Analysis(TIntermNode* root) {
    if (root) walk(root, nullptr);
    checkCalls();
}

void Analysis::markWritten(TIntermNode* target) {
    if (TIntermSymbol* symbol = rootSymbol(target)) written.insert(symbol->getId());
}

void Analysis::walk(TIntermNode* node, Function* function) {
    int line = node->getLoc().line;
    if (function) function->nodes++;
    if (auto* symbol = node->getAsSymbolNode()) {
        used.emplace(symbol->getId(), line);
        if (symbol->getName().compare(0, 3, "gl_") == 0) usedBuiltIns.emplace(symbol->getName().c_str(), line);
        return;
    }
    if (auto* aggregate = node->getAsAggregate()) {
        if (aggregate->getOp() == EOpLinkerObjects || aggregate->getOp() == EOpParameters) return;
        std::string name = aggregate->getName().c_str();
        if (aggregate->getOp() == EOpFunction) {
            Function& f = functions[name];
            f.node = aggregate;
            f.line = line;
            if (name == "main(") mainLine = line;
            Function local;  // walk into a copy: the map may grow
            for (TIntermNode* child : aggregate->getSequence()) walk(child, &local);
            functions[name].callees = std::move(local.callees);
            functions[name].nodes = local.nodes;
            return;
        }
        if (aggregate->getOp() == EOpFunctionCall) {
            if (function)
                function->callees.push_back(name);
            else
                functions["<initialisers>"].callees.push_back(name);
            if (name.starts_with(kInterpolateAtAlias))
                if (TIntermSymbol* symbol = rootSymbol(aggregate->getSequence()[0]))
                    interpolants.insert(symbol->getId());
            const TQualifierList& qualifiers = aggregate->getQualifierList();
            for (size_t i = 0; i < qualifiers.size() && i < aggregate->getSequence().size(); i++) {
                if (qualifiers[i] == EvqOut || qualifiers[i] == EvqInOut) markWritten(aggregate->getSequence()[i]);
            }
        }
        if (aggregate->getOp() == EOpModf) markWritten(aggregate->getSequence()[1]);
    }
    if (auto* binary = node->getAsBinaryNode()) {
        if (isAssignment(binary->getOp())) markWritten(binary->getLeft());
        if (binary->getOp() == EOpIndexIndirect && (binary->getLeft()->isArray() || binary->getLeft()->isMatrix())) {
            if (TIntermSymbol* symbol = rootSymbol(binary->getLeft())) indexed.insert(symbol->getId());
        }
        if (binary->getOp() == EOpIndexDirectStruct || binary->getOp() == EOpVectorSwizzle) {
            walk(binary->getLeft(), function);
            return;
        }
    }
    if (auto* unary = node->getAsUnaryNode()) {
        if (isAssignment(unary->getOp())) markWritten(unary->getOperand());
    }
    if (auto* branch = node->getAsBranchNode()) discards |= branch->getFlowOp() == EOpKill;
    if (auto* loop = node->getAsLoopNode(); loop && !plainlyCounted(loop)) openLoops.insert(loop);
    forEachChild(node, [&](TIntermNode* child) { walk(child, function); });
}

bool Analysis::findCycle(const std::string& name, std::unordered_map<std::string, int>& state) {
    auto found = functions.find(name);
    if (found == functions.end()) return false;
    int& s = state[name];
    if (s == 1) {
        recursiveFunction = name.substr(0, name.find('('));
        recursiveLine = found->second.line;
        return true;
    }
    if (s == 2) return false;
    s = 1;
    for (const std::string& callee : found->second.callees) {
        if (findCycle(callee, state)) return true;
    }
    state[name] = 2;
    return false;
}

void Analysis::checkCalls() {
    std::unordered_map<std::string, int> state;
    std::unordered_set<std::string> missing;
    for (const auto& [name, function] : functions) {
        for (const std::string& callee : function.callees) {
            if (!functions.contains(callee) && missing.insert(callee).second)
                undefinedFunctions.push_back(restoreNames(callee.substr(0, callee.find('('))));
        }
    }
    std::sort(undefinedFunctions.begin(), undefinedFunctions.end());
    std::vector<std::string> names;
    for (const auto& entry : functions) names.push_back(entry.first);
    std::sort(names.begin(), names.end());  // the same message whatever the hash order
    for (const std::string& name : names) {
        if (findCycle(name, state)) return;
    }
}

namespace {

const std::string kMain = "main(", kInitialisers = "<initialisers>";
constexpr uint64_t kMany = uint64_t{1} << 40;
constexpr uint64_t kLongFunction = 64;  ///< nodes; shorter ones are inlined in any case

}  // namespace

uint64_t Analysis::inlinedNodes(const std::string& name, std::unordered_map<std::string, uint64_t>& known) const {
    const auto found = functions.find(name);
    if (found == functions.end()) return 0;
    if (const auto done = known.find(name); done != known.end()) return done->second;
    uint64_t nodes = found->second.nodes;
    for (const std::string& callee : found->second.callees)
        nodes = std::min(nodes + inlinedNodes(callee, known), kMany);
    return known[name] = nodes;
}

/// With the functions in `called`, which gets those that are called by this one.
uint64_t Analysis::nodesWithCalls(const std::string& name, const std::unordered_map<std::string, int>& mentions,
                                  std::unordered_map<std::string, uint64_t>& known) {
    const auto found = functions.find(name);
    if (found == functions.end()) return 0;
    if (const auto done = known.find(name); done != known.end()) return done->second;
    uint64_t nodes = found->second.nodes;
    for (const std::string& callee : found->second.callees) {
        const uint64_t size = nodesWithCalls(callee, mentions, known);
        nodes = std::min(nodes + (called.contains(callee) ? 1 : size), kMany);
    }
    if (nodes >= kLongFunction && name != kMain && mentions.at(name) > 1) called.insert(name);
    return known[name] = nodes;
}

void Analysis::chooseCalled(uint64_t mostInlined) {
    std::unordered_map<std::string, uint64_t> inlined, withCalls;
    if (inlinedNodes(kMain, inlined) + inlinedNodes(kInitialisers, inlined) <= mostInlined) return;
    std::unordered_map<std::string, int> mentions;
    for (const auto& [name, size] : inlined)
        for (const std::string& callee : functions.at(name).callees) mentions[callee]++;
    mentions[kInitialisers] = 0;
    (void)nodesWithCalls(kMain, mentions, withCalls);
    (void)nodesWithCalls(kInitialisers, mentions, withCalls);
}

void Analysis::chooseAllCalled() {
    for (const auto& [name, function] : functions)
        if (function.node && name != kMain) called.insert(name);
}

bool Analysis::hasEffects(TIntermNode* node) {
    if (!node || node->getAsSymbolNode() || node->getAsConstantUnion()) return false;
    if (auto found = effects_.find(node); found != effects_.end()) return found->second;
    bool result = false;
    if (auto* op = node->getAsOperator()) result = isAssignment(op->getOp()) || op->getOp() == EOpFunctionCall;
    forEachChild(node, [&](TIntermNode* child) { result = result || hasEffects(child); });
    effects_[node] = result;
    return result;
}

bool Analysis::containsReturn(TIntermNode* node) {
    if (!node) return false;
    if (auto* branch = node->getAsBranchNode()) return branch->getFlowOp() == EOpReturn;
    if (!node->getAsAggregate() && !node->getAsSelectionNode() && !node->getAsLoopNode() && !node->getAsSwitchNode())
        return false;
    if (auto found = returns_.find(node); found != returns_.end()) return found->second;
    bool result = false;
    forEachChild(node, [&](TIntermNode* child) { result = result || containsReturn(child); });
    returns_[node] = result;
    return result;
}

bool Analysis::alwaysReturns(TIntermNode* node) {
    if (!node || !containsReturn(node)) return false;
    if (node->getAsBranchNode()) return true;
    if (auto* selection = node->getAsSelectionNode())
        return alwaysReturns(selection->getTrueBlock()) && alwaysReturns(selection->getFalseBlock());
    if (auto* aggregate = node->getAsAggregate()) {
        const TIntermSequence& list = aggregate->getSequence();
        return std::any_of(list.begin(), list.end(), [&](TIntermNode* child) { return alwaysReturns(child); });
    }
    return false;
}

int Analysis::weight(TIntermNode* node) {
    if (!node) return 0;
    if (node->getAsSymbolNode() || node->getAsConstantUnion()) return 1;
    if (auto found = weights_.find(node); found != weights_.end()) return found->second;
    int total = 1;
    if (auto* op = node->getAsOperator(); op && (op->isTexture() || op->getOp() == EOpFunctionCall)) total = 20;
    forEachChild(node, [&](TIntermNode* child) { total = std::min(total + weight(child), 1000); });
    weights_[node] = total;
    return total;
}

}  // namespace tessera::glsl::front
