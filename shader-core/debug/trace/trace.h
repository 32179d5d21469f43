// The execution of a group, instruction by instruction, as data; and its four written forms.
//
// Time is counted in cycles by the table: an instruction starts when the one before it has finished and takes the
// latency that the preset tessera gives its row, an estimate (docs/isa.md, Cycles). A loop costs what its iterations
// do. How groups would overlap on a chip is no part of it: the groups of a block each count their own cycles, and those
// that wait at a barrier go on with the last to come.
#pragma once

#include <iosfwd>
#include <optional>
#include <vector>

#include "shader-core/debug/replay/replay.h"
#include "shader-core/isa/isa.h"

namespace tessera::debug {

/// A register after the instruction that wrote it.
struct Write {
    isa::File file = isa::File::R;
    int index = 0;
    uint8_t components = 0xF;  ///< written ones
    uint32_t lanes = 0;        ///< written ones
    std::array<WrittenAs, 4> types;
    isa::GroupRegister value;  ///< of a predicate: component x is the integer 1 or 0
};

/// What an instruction does to memory. What it loads, or finds there as an atomic, is a Write of its register.
struct Access {
    enum class Kind : uint8_t { Load, Store, Atomic };
    Kind kind = Kind::Load;
    int slot = 0;
    uint8_t elementBytes = 4, components = 0xF;       ///< one element for each component, one behind the other
    uint32_t lanes = 0, outside = 0;                  ///< of them, lanes with an element outside the memory
    std::array<uint32_t, isa::kGroupSize> address{};  ///< of the first element, in bytes
    isa::Type type = isa::Type::F32;
    isa::GroupRegister value;  ///< stored, or given to the atomic
};

struct TraceStep {
    uint64_t count = 0;  ///< instructions before this one
    uint64_t order = 0;  ///< the same, of all groups of the block
    uint64_t cycle = 0;  ///< it starts
    uint32_t pc = 0;
    uint32_t execMask = 0, guardedMask = 0;
    uint32_t killed = 0;  ///< lanes that this instruction discarded
    int stackDepth = 0;
    std::vector<Write> writes;         ///< none or one; several when relative lanes name several registers
    std::vector<Access> accesses;      ///< none or one
    std::optional<uint64_t> released;  ///< of a barrier that the group waited at: the cycle in which it goes on
};

struct Trace {
    std::vector<TraceStep> steps;
    uint64_t cycles = 0;  ///< of the whole execution, also where steps are cut off
    bool cut = false;     ///< there are more steps than were asked for
    Outcome outcome;
    WrittenTypes types;  ///< when the group has ended
};

[[nodiscard]] Trace trace(const Replay& replay, uint64_t maxSteps);
/// Of all groups of a block, from one execution; `groups` are their replays, `maxSteps` is for all of them together.
[[nodiscard]] std::vector<Trace> traceBlock(std::span<const Replay* const> groups, uint64_t maxSteps);

/// What the written forms call a group; `number` tells several groups of one launch apart.
struct TraceGroup {
    int number = 0;
    const Replay* replay = nullptr;
    const Trace* trace = nullptr;
};

/// One group, or the groups of a block: their steps are in the order in which they ran.
void writeText(std::ostream& out, std::span<const TraceGroup> groups);
/// One JSON object a line.
void writeJson(std::ostream& out, std::span<const TraceGroup> groups);
/// Value change dump (IEEE 1364-2005, clause 18), for GTKWave and its like: program counter, masks and every register
/// that is written, of each active lane. One time unit is one cycle.
void writeVcd(std::ostream& out, std::span<const TraceGroup> groups);
/// Chrome's trace format, which ui.perfetto.dev reads: a track for each unit and counters of the lanes.
void writePerfetto(std::ostream& out, std::span<const TraceGroup> groups);

/// Assembly text of each instruction, and where it comes from.
[[nodiscard]] std::string instructionText(const isa::Instruction& instruction);
[[nodiscard]] uint32_t lineOf(const isa::Program& program, uint32_t pc);  ///< 0: not known

}  // namespace tessera::debug
