#include "base/export/trace_events.h"

#include <nlohmann/json.hpp>

namespace tessera {

nlohmann::ordered_json traceEvent(const char* phase, int process, int thread, uint64_t time) {
    nlohmann::ordered_json json;
    json["ph"] = phase;
    json["pid"] = process;
    json["tid"] = thread;
    json["ts"] = time;
    return json;
}

nlohmann::ordered_json traceName(const char* kind, int process, int thread, const std::string& name) {
    nlohmann::ordered_json json = traceEvent("M", process, thread, 0);
    json["name"] = kind;
    json["args"]["name"] = name;
    return json;
}

}  // namespace tessera
