// A record of what the GPU's threads did and for how long, for bench/scaling.py: TESSERA_TRACE names the file.
//
// Lines of text, times in nanoseconds. BEGIN and END are of one clock; CPU and D are processor time of the thread, so
// that other programs on the machine do not count.
//     loop NAME BEGIN END D0 D1 ...   a parallel loop of the command processor: the duration of each index
//     buffer BEGIN END CPU            a command buffer while it was executed, without what the trace cost
//     submit BEGIN END CPU            its submission, waiting for room included; CPU is the thread's time so far
//     wait BEGIN END CPU              the application waited for the GPU; likewise
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera {

/// True when TESSERA_TRACE is set: one branch where it is not.
[[nodiscard]] bool isTracing();
[[nodiscard]] uint64_t traceNow();
[[nodiscard]] uint64_t traceProcessorTime();  ///< of this thread, without what its trace cost
/// Time since traceProcessorTime() was `begin`, without what asking twice costs; that is then taken out of the
/// thread's.
[[nodiscard]] uint32_t traceDuration(uint64_t begin);
void traceSpan(const char* kind, uint64_t begin, uint64_t processorTime);  ///< it ends now
void traceLoop(const char* name, uint64_t begin, const uint32_t* durations, size_t count);

}  // namespace tessera
