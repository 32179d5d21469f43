// For the debugger: which variables the source has, where their names mean something, and when they are assigned.
//
// glslang's tree has no declarations. A name's scope is taken to begin at the line that uses it first, which is that
// of its declaration where that initialises it, and to end with the statement list around it, or a later use.
#include <algorithm>

#include "shader-core/glsl/front/link/link.h"
#include "shader-core/glsl/front/lower/ast_to_ir.h"
#include "shader-core/glsl/front/parse/parse.h"
#include "shader-core/glsl/front/preprocess/preprocess.h"

namespace tessera::glsl::front {

namespace {
constexpr uint32_t kMaxSlots = 1u << 16;  ///< components of all variables; further variables are left out
}

void AstToIr::describe(glslang::TIntermSymbol* symbol, const Reference& ref, const std::string& function,
                       uint32_t line) {
    ir::DebugVariables& debug = b_.module().debug;
    if (!debugInfo_ || ref.dynamic || ref.dynamicComponent || ref.type.base == Base::Void) return;
    InterfaceVariable whole;
    const char* const name = symbol->getName().c_str();
    const std::string_view ofSamples = sampleVariableName(name);
    whole.name = ofSamples.empty() ? restoreNames(name) : std::string(ofSamples);
    whole.type = ref.type;
    std::vector<isa::Variable> leaves;
    appendLeaves(whole, leaves);
    const bool global = function.empty();
    const auto firstVariable = static_cast<uint32_t>(debug.variables.size());
    for (const isa::Variable& leaf : leaves) {
        isa::DebugVariable variable;
        variable.name = leaf.name;
        variable.type = leaf.type;
        variable.arraySize = leaf.arraySize;
        variable.firstLine = global ? 1 : line;
        variable.lastLine = global ? UINT32_MAX : 0;
        variable.function = restoreNames(function.substr(0, function.find('(')));
        const uint32_t size = isa::componentSlots(variable);
        if (isa::isSampler(leaf.type) || size > UINT16_MAX || debug.slots + size > kMaxSlots) continue;
        for (uint32_t at = 0; at < size; at++) {
            const uint32_t reg = ref.first + leaf.reg + at / 4, component = at % 4;
            if (static_cast<int>(component) >= isa::componentCount(leaf.type)) continue;
            ir::Assignment assignment;
            assignment.slot = debug.slots + at;
            if (ref.kind == ir::Kind::Temp) {
                slotOfTemp_.resize(std::max<size_t>(slotOfTemp_.size(), reg + 1), ir::kNone);
                slotOfTemp_[reg] = debug.slots + at - component;
            } else if (ref.kind == ir::Kind::Literal) {
                const ir::Operand& o = (*ref.literals)[reg];
                assignment.kind = ref.kind;
                assignment.bits =
                    o.literal[static_cast<size_t>(isa::swizzleAt(o.swizzle, static_cast<int>(component)))];
            } else {  // a parameter that stands for what was passed
                assignment.kind = ref.kind;
                assignment.index = reg;
                const bool vector = ref.type.isScalar() || ref.type.isVector();
                assignment.component = vector ? ref.components[component] : static_cast<uint8_t>(component);
            }
            if (ref.kind == ir::Kind::Shared)
                b_.assigned(assignment);  // it stays there
            else
                noteAssigned(assignment);  // of a temp: not yet, this time
        }
        debug.firstSlot.push_back(debug.slots);
        debug.variables.push_back(std::move(variable));
        debug.slots += size;
    }
    described_[symbol->getId()] = {firstVariable, static_cast<uint32_t>(debug.variables.size())};
}

void AstToIr::noteAssigned(ir::Assignment assignment) {
    b_.assigned(assignment);
    assignment.follows = true;
    b_.assigned(assignment);
}

/// glslang puts constants where they are used; only their names are left.
void AstToIr::describeConstant(glslang::TIntermSymbol* symbol) {
    const Type type = convertType(symbol->getType());
    if (!debugInfo_ || type.base == Base::Struct || symbol->getConstArray().size() == 0) return;
    const Value value = constant(symbol->getConstArray(), type);
    Reference ref;
    ref.type = type;
    ref.kind = ir::Kind::Literal;
    ref.literals = &value.registers;
    describe(symbol, ref, "", 1);
}

void AstToIr::noteUse(SymbolId id) {
    if (!debugInfo_) return;
    const auto found = described_.find(id);
    if (found == described_.end()) return;
    for (uint32_t v = found->second.first; v < found->second.second; v++) {
        isa::DebugVariable& variable = b_.module().debug.variables[v];
        if (variable.lastLine != 0) variable.lastLine = std::max(variable.lastLine, static_cast<uint32_t>(line_));
    }
}

void AstToIr::noteStore(const ir::Dest& dest) {
    if (!debugInfo_ || dest.kind != ir::Kind::Temp) return;
    const uint32_t first = dest.relative == ir::kNone ? dest.index : dest.arrayFirst;
    const uint32_t count = dest.relative == ir::kNone ? 1 : dest.arrayCount;
    for (uint32_t temp = first; temp < first + count && temp < slotOfTemp_.size(); temp++) {
        if (slotOfTemp_[temp] == ir::kNone) continue;
        for (uint32_t c = 0; c < 4; c++) {
            if ((dest.writeMask >> c & 1) == 0) continue;
            ir::Assignment assignment;
            assignment.slot = slotOfTemp_[temp] + c;
            assignment.kind = ir::Kind::Temp;
            assignment.index = temp;
            assignment.component = static_cast<uint8_t>(c);
            noteAssigned(assignment);
        }
    }
}

void AstToIr::endScope(size_t firstVariable) {
    auto& variables = b_.module().debug.variables;
    for (size_t v = firstVariable; v < variables.size(); v++)
        if (variables[v].lastLine == 0)
            variables[v].lastLine = std::max(variables[v].firstLine, static_cast<uint32_t>(lastLine_));
}

/// This instance of the function is over; another call has its own.
void AstToIr::endInstance(size_t firstVariable) {
    endScope(firstVariable);
    const ir::DebugVariables& debug = b_.module().debug;
    for (size_t v = firstVariable; v < debug.variables.size(); v++) {
        const uint32_t end = debug.firstSlot[v] + isa::componentSlots(debug.variables[v]);
        const bool global = debug.variables[v].function.empty();
        for (uint32_t slot = debug.firstSlot[v]; slot < end && !global; slot++) noteAssigned({.slot = slot});
    }
}

}  // namespace tessera::glsl::front
