// Facts about the syntax tree that AstToIr asks for, gathered in one walk before it starts.
#pragma once

#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

class TIntermNode;

namespace glslang {
class TIntermAggregate;
class TIntermTyped;
class TIntermSymbol;
}  // namespace glslang

namespace tessera::glsl::front {

using SymbolId = long long;

class Analysis {
public:
    explicit Analysis(TIntermNode* root);

    struct Function {
        glslang::TIntermAggregate* node = nullptr;
        std::vector<std::string> callees;  ///< as often as they are called
        int line = 0;
        uint64_t nodes = 0;  ///< of its tree
    };
    /// By mangled name, only those with a body.
    std::unordered_map<std::string, Function> functions;
    /// Variables whose registers are indexed dynamically (arrays, matrix columns).
    std::unordered_set<SymbolId> indexed;
    /// First arguments of interpolateAtCentroid() and those beside it.
    std::set<SymbolId> interpolants;
    /// Variables assigned to anywhere but in their initialiser.
    std::unordered_set<SymbolId> written;
    /// Variables and built-ins named in a function or an initialiser, with the line of the first use.
    std::unordered_map<SymbolId, int> used;
    std::unordered_map<std::string, int> usedBuiltIns;
    /// Elements of gl_FragData that constant indices name, with the line of the highest one.
    /// The shader has a discard.
    bool discards = false;
    /// Loops that are not plainly counted: whether a lane leaves one may depend on what a discard was to prevent.
    std::unordered_set<TIntermNode*> openLoops;
    /// Called without a body: GL spelling of the name.
    std::vector<std::string> undefinedFunctions;
    /// Functions that are called and not inlined, after chooseCalled().
    std::unordered_set<std::string> called;
    /// A function that calls itself, directly or not; empty when there is none.
    std::string recursiveFunction;
    int recursiveLine = 0;
    int mainLine = 0;

    /// Of a shader without recursion whose tree, with functions inlined, has more nodes than that, chooses the
    /// functions that are long and called more than once. One node is about one instruction.
    void chooseCalled(uint64_t mostInlined);
    void chooseAllCalled();

    /// Evaluating the expression writes a variable or calls a function.
    [[nodiscard]] bool hasEffects(TIntermNode* node);
    [[nodiscard]] bool containsReturn(TIntermNode* node);
    /// Control never passes the end of the statement.
    [[nodiscard]] bool alwaysReturns(TIntermNode* node);
    /// Number of nodes below, saturating at 1000.
    [[nodiscard]] int weight(TIntermNode* node);

private:
    void walk(TIntermNode* node, Function* function);
    void markWritten(TIntermNode* target);
    void checkCalls();
    uint64_t inlinedNodes(const std::string& name, std::unordered_map<std::string, uint64_t>& known) const;
    uint64_t nodesWithCalls(const std::string& name, const std::unordered_map<std::string, int>& mentions,
                            std::unordered_map<std::string, uint64_t>& known);
    bool findCycle(const std::string& name, std::unordered_map<std::string, int>& state);

    std::unordered_map<TIntermNode*, bool> effects_, returns_;
    std::unordered_map<TIntermNode*, int> weights_;
};

}  // namespace tessera::glsl::front
