// What the passes ask about an instruction, and the shape of a module's control flow.
#pragma once

#include <cstdint>
#include <vector>

#include "shader-core/glsl/ir/ir.h"
#include "shader-core/isa/fields.h"

namespace tessera::glsl::ir {

/// How an operation makes the components of its result.
enum class Form : uint8_t {
    ComponentWise,  ///< component i from component i of each source
    Dot,            ///< dp3, dp4: the same value in every component
    Fixed,          ///< lit, nrm, texture lookups: a result with fixed components
    Control,
};
[[nodiscard]] Form formOf(Op op);

// The passes ask for these at every step; isa::opInfo() is a call with a check.
inline constexpr isa::Shape kShapes[] = {
#define OP(name, mnemonic, opcode, function, shape, ...) isa::Shape::shape,
#include "shader-core/isa/opcodes.def"
#undef OP
};
[[nodiscard]] inline bool writesResult(Op op) { return kShapes[static_cast<int>(op)] >= isa::Shape::DS1; }
[[nodiscard]] inline bool isTextureOp(Op op) { return kShapes[static_cast<int>(op)] >= isa::Shape::DT1; }
[[nodiscard]] constexpr int sourceCountOf(Op op) { return isa::detail::shapeSources(kShapes[static_cast<int>(op)]); }
[[nodiscard]] inline bool isComparison(Op op) {
    return op == Op::Slt || op == Op::Sge || op == Op::Seq || op == Op::Sne;
}
/// Does control enter or leave a straight-line block here? Kil does not count: the lanes go on as helpers.
[[nodiscard]] bool endsBasicBlock(Op op);

/// Positions of source `source` (before its swizzle) that the operation reads, given the write mask.
[[nodiscard]] uint8_t slotsRead(const Instruction& instruction, int source);
/// Components of the register that a swizzle selects in the given positions.
[[nodiscard]] constexpr uint8_t throughSwizzle(Swizzle swizzle, uint8_t slots) {
    uint8_t mask = 0;
    for (int i = 0; i < 4; i++)
        if (slots >> i & 1) mask |= static_cast<uint8_t>(1 << isa::swizzleAt(swizzle, i));
    return mask;
}
/// The swizzle with the positions outside `slots` set to a position inside: nothing unread is named.
[[nodiscard]] Swizzle tidySwizzle(Swizzle swizzle, uint8_t slots);

/// Calls f(operand, slots) for each source and the condition. Index registers are not operands: see forEachIndex.
template <class InstructionRef, class Function>
void forEachSource(InstructionRef& i, Function&& f) {
    int n = sourceCountOf(i.op);
    for (int s = 0; s < n; s++) f(i.src[s], slotsRead(i, s));
    if (i.condition.kind != Kind::None) f(i.condition, uint8_t{1});
}
/// Calls f(temp, component) for each temp used as an index; both are references.
template <class InstructionRef, class Function>
void forEachIndex(InstructionRef& i, Function&& f) {
    auto visit = [&](auto& temp, auto& component) {
        if (temp != kNone) f(temp, component);
    };
    for (auto& s : i.src) visit(s.relative, s.relativeComponent);
    visit(i.condition.relative, i.condition.relativeComponent);
    visit(i.dst.relative, i.dst.relativeComponent);
    visit(i.samplerRelative, i.samplerRelativeComponent);
}

/// Temps, outputs and shared registers as one space of places that hold values, in this order.
struct Places {
    explicit Places(const Module& module);
    uint32_t temps = 0, outputs = 0, shared = 0;
    [[nodiscard]] uint32_t count() const { return temps + outputs + shared; }
    [[nodiscard]] uint32_t of(Kind kind, uint32_t index) const {
        return kind == Kind::Temp ? index : kind == Kind::Output ? temps + index : temps + outputs + index;
    }
    template <class Reference>
    [[nodiscard]] uint32_t of(const Reference& r) const {
        return of(r.kind, r.index);
    }
    static bool isPlace(Kind kind) { return isVariable(kind); }
};

/// For each control instruction the one it belongs with: If -> Else or Endif, Else -> Endif, Endif -> If,
/// Loop -> Endloop, Endloop -> Loop, Brk and Cont -> their Loop.
[[nodiscard]] std::vector<uint32_t> matchControl(const Module& module);

/// Component-wise liveness over the structured code.
struct Liveness {
    /// Per instruction, the components of its destination that something may read afterwards. All of the write
    /// mask for relative destinations that are read at all.
    std::vector<uint8_t> liveResult;
    /// Per Mov from a temp or output, the components of that place that are read again after it.
    std::vector<uint8_t> liveCopied;
    std::vector<uint32_t> entry;  ///< temps that may be read before anything is written to them
    /// Per place, the components live on entry of each loop, in order of the Loop instructions.
    struct LoopEntry {
        uint32_t loop = 0, endloop = 0;
        std::vector<uint32_t> places;
    };
    std::vector<LoopEntry> loops;
};
[[nodiscard]] Liveness computeLiveness(const Module& module);

/// Removes the instructions whose flag is set.
void eraseMarked(Module& module, const std::vector<bool>& dead);

}  // namespace tessera::glsl::ir
