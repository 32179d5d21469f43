// A result for viewers: timelines (Chrome's trace events), waveforms (VCD) and pipelines (Konata).
#pragma once

#include <iosfwd>

#include "model/chip/result.h"

namespace tessera::model {

/// Trace events for Perfetto and chrome://tracing, one cycle a microsecond: a track for each unit with what it did or
/// waited for (nothing where it had nothing to do), a span for each draw and launch, a mark at each frame's end, and an
/// arrow from where the command processor read a draw to the pixel engine that ended it. The result has its stalls.
void writeTimeline(std::ostream& out, const Result& result, const Workload& workload);

/// A value change dump, one cycle a nanosecond: the state of each unit by number of its Cause, the oldest draw or
/// launch that is not done, the frame; and how many places of each queue are taken, if the result has its levels. It
/// has its stalls.
void writeWaves(std::ostream& out, const Result& result);

/// A pipeline log for Konata ("Kanata 0004"): an instruction for each issue of a group, in the stages IF, ID, EX, WB.
/// The machine counts the stages before execution at the end (docs/model.md, A block processor); here they are where
/// they belong, so that an instruction enters in the cycle in which it was issued, and leaves `block.stages` - 1 cycles
/// behind its result. The result has its issues (MachineOptions::keepIssues).
void writePipeline(std::ostream& out, const Result& result, const Workload& workload, const Preset& preset);

/// What was asked of memory outside, as DRAMsim3 and Ramulator read it: a line "0x1f40 READ 12" for each burst, with
/// its memory cycle. The result has its requests (MachineOptions::keepRequests).
void writeRequests(std::ostream& out, const Result& result, const Preset& preset);

}  // namespace tessera::model
