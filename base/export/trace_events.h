// Timelines as Chrome's trace events, which Perfetto reads: a JSON object with an array of events. A process and a
// thread are numbers that name a track.
#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace tessera {

/// "X": a slice, which wants a "dur" and a "name"; "C": a counter; "s" and "f": the ends of a flow. One cycle is one
/// microsecond.
[[nodiscard]] nlohmann::ordered_json traceEvent(const char* phase, int process, int thread, uint64_t time);
/// `kind` is "process_name" or "thread_name".
[[nodiscard]] nlohmann::ordered_json traceName(const char* kind, int process, int thread, const std::string& name);

}  // namespace tessera
