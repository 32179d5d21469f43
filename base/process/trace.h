// A record of what the GPU's threads did and for how long, for bench/scaling.py: TESSERA_TRACE names the file.
//
// A line is written when it is complete: a process that is killed leaves all but maybe a part of its last one, which
// has no end of line then.
//
// Lines of text, times in nanoseconds. BEGIN, END and D are of one clock; CPU is processor time of the thread, so that
// other programs on the machine do not count. NAME is one word.
//     loop NAME BEGIN END CPU D0 D1 ...   a parallel loop of the command processor: its processor time in the loop, the
//                                         duration of each index, whichever thread ran it
//     buffer BEGIN END CPU                command buffers while they were executed
//     submit BEGIN END CPU                a submission, waiting for room included; CPU is the thread's time so far
//     wait BEGIN END CPU                  the application waited for the GPU; likewise
//
// What the trace itself costs is in none of the CPU: the clocks' own time is measured once and left out, the rest as it
// is spent. Processor time is asked for around whole loops only: that is a system call, and around each index of a
// microsecond it would cost as much as the index.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera {

/// True when TESSERA_TRACE is set: one branch where it is not.
[[nodiscard]] bool isTracing();
[[nodiscard]] uint64_t traceNow();
[[nodiscard]] uint64_t traceProcessorTime();  ///< of this thread, without what its trace cost
/// Since it was that. What the trace costs is an average: of a moment it may be more than there was, which then is 0.
[[nodiscard]] uint64_t traceProcessorTimeSince(uint64_t processorTime);
void traceSpan(const char* kind, uint64_t begin, uint64_t processorTime);  ///< it ends now

/// A loop from its construction to its destruction, by the thread that waits for it.
class TracedLoop {
public:
    TracedLoop(const char* name, size_t count);
    ~TracedLoop();
    TracedLoop(const TracedLoop&) = delete;
    TracedLoop& operator=(const TracedLoop&) = delete;

    /// The index, which the calling thread began at `begin` by traceNow(), is done.
    void done(size_t index, uint64_t begin);

private:
    const char* name_;
    std::vector<uint32_t> durations_;
    uint64_t begin_ = 0, processorTime_ = 0;
};

}  // namespace tessera
