// What a program costs, read off its code: instructions for each unit, registers, and the shortest and longest way
// through it in cycles. Structural: nothing is run.
//
// Cycles are the sum of latencies along a path, those of the preset tessera (docs/isa.md, Cycles) or those that are
// given: what one group takes that is alone on its block processor. With the 64 groups that a block processor can hold,
// latencies overlap and the unit with the most cycles on the path decides: it bounds the program. A loop counts once on
// the longest path; the shortest path leaves it, and the program, at the first place that can.
#pragma once

#include <array>
#include <string_view>

#include "shader-core/isa/isa.h"
#include "shader-core/isa/program.h"

namespace tessera::assembly {

inline constexpr int kUnits = 7;

struct Cost {
    int instructions = 0;
    std::array<int, kUnits> perUnit{};  ///< instructions, by isa::Unit
    int temporaries = 0, constants = 0, inputs = 0, outputs = 0;
    int lookups = 0, loops = 0;
    int64_t shortest = 0, longest = 0;         ///< cycles
    std::array<int64_t, kUnits> unitCycles{};  ///< of the longest path
    isa::Unit bound = isa::Unit::Alu;          ///< the unit with the most of them, control apart
};

/// Cycles from issue to result, by isa::Op.
using Latencies = std::array<uint32_t, isa::kOpCount>;
/// Those of the preset tessera.
[[nodiscard]] const Latencies& staticLatencies();

/// `program` must have passed isa::verify().
[[nodiscard]] Cost cost(const isa::Program& program, const Latencies& latencies = staticLatencies());

/// "arithmetic", "transcendental", "lighting", "texture", "control", "memory", "lane".
[[nodiscard]] std::string_view unitName(isa::Unit unit);

}  // namespace tessera::assembly
