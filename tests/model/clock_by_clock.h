// One block processor of the cycle model, written a second time from docs/model.md, "Rules": a loop over cycles in
// which every unit is looked at in every cycle. Slow, and without any cleverness: what the text says, in its order. The
// machine (model/chip/unit/machine.h) goes from event to event instead; reference_test.cpp compares the two to the
// cycle.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/chip/preset.h"
#include "model/chip/result.h"
#include "model/chip/workload.h"
#include "tests/model/texture_clock_by_clock.h"

namespace tessera::model::reference {

/// One instruction of a group's trace.
struct Step {
    uint32_t pc = 0;
    uint32_t lanes = 0;
    std::vector<Access> accesses;
};

/// A group that somebody dispatches in this very cycle, or as soon afterwards as it has room. Groups go in their order.
struct Group {
    Cycle offered = 0;
    std::shared_ptr<const isa::Program> program;
    uint32_t temporaries = 0;
    uint32_t lanes = ~0u;      ///< its threads
    uint32_t threadBlock = 0;  ///< whose groups meet at barriers and share memory
    uint32_t sharedBytes = 0;  ///< of the thread block
    std::vector<Step> trace;
};

/// What became of a group.
struct Residence {
    uint32_t place = 0;
    Cycle dispatched = kNever, arrived = kNever, ended = kNever;
    bool operator==(const Residence&) const = default;
};

/// An instruction that a port issued in `cycle`, that began in `start`, and whose result came in `result`.
struct Issued {
    Cycle cycle = 0;
    uint32_t port = 0, group = 0, step = 0;
    Cycle start = 0, result = 0;
    bool operator==(const Issued&) const = default;
};

/// Lanes times cycles.
struct LaneCycles {
    uint64_t busy = 0, diverged = 0, notFull = 0;
    bool operator==(const LaneCycles&) const = default;
};

struct Outcome {
    std::vector<Residence> groups;  ///< in the order of the groups given
    std::vector<Issued> issues;     ///< by cycle, then by port
    std::vector<Cause> causes;      ///< of cycle 0, 1 ... up to the one in which the last group ends
    Cycle passesBeyond = 0;         ///< cycles behind those in which a port is still in the passes of an instruction
    LaneCycles lanes;
    EngineCycles engines;
    [[nodiscard]] uint64_t count(Cause cause) const;
};

/// Runs until every group has ended. Groups need room in an empty block processor, and barriers have to open. `begun`:
/// how many cycles memory's clock, if it is another one, has run before.
[[nodiscard]] Outcome runBlockProcessor(const Preset& preset, const std::vector<Group>& groups, Cycle begun = 0);

}  // namespace tessera::model::reference
