// What each line of a program costs, three ways side by side: read off its code, counted while it ran, and cycle by
// cycle on a machine. `tessera model`, `glslc --report`, `run --cost` and the debugger's `cost` print this one table.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "model/chip/result.h"

namespace tessera::model {

struct LineCost {
    uint32_t line = 0;  ///< 0: of instructions whose line is not known
    // In the code
    uint32_t instructions = 0;
    uint64_t latency = 0;  ///< cycles of a group that is alone, each of them once
    // As it ran
    uint64_t executed = 0;  ///< instructions of groups; of fragments, which are traced so, of blocks of 4x4
    uint64_t lanes = 0;     ///< vertices, fragments or threads that executed them
    // On the machine
    uint64_t issued = 0;   ///< cycles in which block processors executed them
    CauseCycles waited{};  ///< cycles in which block processors were idle because of them, by cause
    [[nodiscard]] uint64_t waits() const;
    [[nodiscard]] uint64_t cycles() const { return issued + waits(); }
};

struct ProgramCost {
    std::string name;
    std::shared_ptr<const isa::Program> program;
    bool hasRun = false, isModelled = false;  ///< the second and third part of its lines are there
    std::vector<LineCost> lines;              ///< by number
};

/// What is in the code; latencies are the preset's.
[[nodiscard]] ProgramCost costInCode(const std::string& name, std::shared_ptr<const isa::Program> program,
                                     const Preset& preset);
/// Of the programs of a workload that a machine has gone through.
[[nodiscard]] std::vector<ProgramCost> costsOf(const Workload& workload, const Result& result, const Preset& preset);

/// Adds what a run counted and a machine took for each line of a program with the same text. Which of a frame's
/// programs is meant is known by its source: linking moves registers, not lines.
void addRuns(ProgramCost& to, std::span<const ProgramCost> from);

/// A table of a program's lines, with their text.
[[nodiscard]] std::string costText(const ProgramCost& cost);
/// A table of the lines of all that took most cycles, at most so many.
[[nodiscard]] std::string dearestLinesText(std::span<const ProgramCost> costs, size_t most);
[[nodiscard]] nlohmann::ordered_json costJson(const ProgramCost& cost);

}  // namespace tessera::model
