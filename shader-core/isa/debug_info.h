// What a debugger knows about the variables of a program's source: names, types, scopes, and where each component is
// before each instruction.
//
// Nothing that executes programs reads it. A place is stated only where it holds the variable's value for every lane
// that is at the instruction; where a value cannot be known, the reason is stated instead.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "shader-core/isa/program.h"

namespace tessera::isa {

/// Where one component of a variable is.
struct DebugPlace {
    enum class Kind : uint8_t {
        NotAssigned,  ///< nothing was assigned to it yet
        NotComputed,  ///< nothing later needs the value, so that no instruction computes it
        Overwritten,  ///< its register holds something else by now
        Ambiguous,    ///< it is in different places on the ways that lead here
        Register,     ///< in a register: `file` (r, v, c, o, a, p, s), `index`, `component`
        Constant,     ///< always `bits`
    };
    Kind kind = Kind::NotAssigned;
    File file = File::R;
    uint16_t index = 0;
    uint8_t component = 0;
    bool negate = false, absolute = false;  ///< of a float in a register: what the variable makes of it
    uint32_t bits = 0;
    bool operator==(const DebugPlace&) const = default;
};

/// One component's place before the instructions begin .. end - 1.
struct DebugRange {
    uint32_t begin = 0, end = 0;
    uint16_t component = 0;  ///< of the variable: 0..3 of its first column or element, 4..7 of the next, ...
    DebugPlace place;
    bool operator==(const DebugRange&) const = default;
};

struct DebugVariable {
    std::string name;      ///< "light.colour[1]" for a member of a structure
    std::string function;  ///< that it belongs to; empty for globals, and in assembly
    VarType type = VarType::Float;
    bool typed = true;  ///< false: a register by another name, read as what was written to it
    uint16_t arraySize = 0;
    uint32_t firstLine = 0, lastLine = 0;  ///< lines of the source where the name means this variable
    std::vector<DebugRange> ranges;        ///< by component and begin; outside of them NotAssigned
    bool operator==(const DebugVariable&) const = default;
};
/// Components that ranges may name: four for each column of each element.
[[nodiscard]] uint32_t componentSlots(const DebugVariable& variable);

struct DebugInfo {
    std::vector<DebugVariable> variables;  ///< inner scopes behind outer ones
    bool operator==(const DebugInfo&) const = default;
};

/// Empty when every type, range and place is one that `program` has, else the reason.
[[nodiscard]] std::string debugInfoProblem(const Program& program, const DebugInfo& info);

}  // namespace tessera::isa
