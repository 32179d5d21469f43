// Draws that write the outputs of their vertices to buffers: all of a draw's chunks side by side, in its place among
// the commands.
#pragma once

#include <atomic>
#include <vector>

#include "base/thread/thread_pool.h"
#include "pipeline/counters.h"
#include "pipeline/geometry/geometry.h"

namespace tessera::pipeline {

class StreamOuts {
public:
    /// `stop`: set, a draw is given up.
    StreamOuts(ThreadPool& pool, const std::atomic<bool>& stop) : pool_(pool), stop_(stop) {}

    /// Writes what the draw streams out; false: its vertex program exceeded its budget, and nothing is written. A draw
    /// that `stop` ends may leave a part of what it writes. Neither counts. What the draw reads is in memory.
    [[nodiscard]] bool run(const Draw& draw, Counters& counters);

private:
    ThreadPool& pool_;
    const std::atomic<bool>& stop_;
    std::vector<GeometryScratch> scratch_;  ///< by worker; none until the first draw
};

}  // namespace tessera::pipeline
