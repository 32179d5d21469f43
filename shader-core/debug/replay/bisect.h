// Where two executors of the same program differ: the first instruction, lane and component.
//
// An executor cannot be watched from outside, but it can be asked. The program is rewritten so that a counter of each
// lane counts the results that the lane computes, and result number n, n being a uniform, is kept in o0; what the
// program itself writes to o0.. goes to temporaries. Running it for n = 1, 2, ... on both executors shows the first
// result in which they differ, however the lanes diverge. Which instruction that was is read off an observed run of the
// interpreter.
#pragma once

#include <functional>
#include <optional>

#include "shader-core/debug/replay/group.h"

namespace tessera::debug {

/// Runs of one group: one as it is, or `count` with the integer 1, 2, ... in component x of a constant register.
struct Sweep {
    int constant = -1;  ///< none: a single run
    uint32_t count = 0;
};
/// An executor, or another process. Nothing when it cannot run the group.
using RunGroup = std::function<std::optional<std::vector<Outcome>>(const Group& group, const Sweep& sweep)>;

[[nodiscard]] RunGroup runnerOf(std::shared_ptr<isa::Executor> executor);

struct Difference {
    int lane = 0;
    uint32_t first = 0, second = 0;  ///< what each computed, as bits
    int component = 0;
    /// The instruction; nothing when the programs agree as soon as they are rewritten. Then `output` differs.
    std::optional<uint32_t> pc;
    uint64_t count = 0;     ///< instructions that the group had executed before it
    bool discards = false;  ///< the instruction is a kil, or the lanes that were discarded differ
    int output = 0;
};

struct Comparison {
    bool failed = false;  ///< an executor could not run it
    std::optional<Difference> difference;
};
[[nodiscard]] Comparison compareRuns(const Group& group, const RunGroup& first, const RunGroup& second);

/// Results that a lane may compute before the search gives up.
inline constexpr uint32_t kMaxResults = 1u << 14;

}  // namespace tessera::debug
