// Trimming (seed 002): a machine without what its programs do not need, more of it in the area that is free then, and
// what that gains. And the other side: which programs a machine cannot execute.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "model/trim/needs.h"
#include "model/trim/resources.h"

namespace tessera::model {

/// The second step of seed 002's algorithm 1: instructions, units, registers and memories that `needs` does not name
/// are gone. Nothing that is left is slower: as many groups are resident as before. `why` stands in the source of every
/// number that changed: "ours: trimmed to what WHY needs".
[[nodiscard]] Preset trimmed(const Preset& full, const Needs& needs, std::string_view why);

/// What the free area is filled with: block processors (seed 002's multi-core), or lanes of each (its multi-thread,
/// more vector units of one core).
enum class Refill : uint8_t { Cores, Units };
/// As many as fit into `room`; the machine itself when none does. First caches make room in block RAM, down to half of
/// what there was for all of them. Lanes double, as they have to divide a group.
[[nodiscard]] Preset refilled(const Preset& machine, const Area& room, Refill refill, const ResourceTable& table);

/// Cycles of a machine for what was executed.
using Cycles = std::function<double(const Preset&, const InstructionCounts& executed)>;
/// At best: the busiest unit of the block processors works all the time, and so do the texture engines; caches and
/// SDRAM never make it wait. Work is dealt evenly.
[[nodiscard]] double throughputCycles(const Preset& preset, const InstructionCounts& executed);
/// Of `after` over `before` at the same clock. `cycles` says how long a machine takes.
[[nodiscard]] double predictedSpeedup(const Preset& before, const Preset& after, const InstructionCounts& executed,
                                      const Cycles& cycles = throughputCycles);

/// Why a machine cannot execute a program.
struct Refusal {
    uint32_t instruction = 0;       ///< the first that is to blame
    uint32_t line = 0, column = 0;  ///< of it in the program's source, from 1; 0: the program does not know
    std::string what;               ///< and what to do
};
/// Nothing when it can. `program` must have passed isa::verify().
[[nodiscard]] std::optional<Refusal> refusal(const isa::Program& program, const Preset& preset);
/// "file:line:column: error: what", or "file: error: instruction N: what" where the line is not known.
[[nodiscard]] std::string refusalText(const Refusal& refusal, std::string_view file);

}  // namespace tessera::model
