// The machine against the clock-by-clock simulator of a block processor: random programs, groups and machines, compared
// to the cycle. The two share the preset, the workload and the rules of docs/model.md, and no line of code.
//
// TESSERA_RANDOM_PROGRAMS and TESSERA_RANDOM_SEED make it run more, and others.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "model/chip/machine.h"
#include "tests/model/clock_by_clock.h"
#include "tests/model/random_workload.h"

using namespace tessera;
using namespace tessera::model;
using namespace tessera::model::reference;

namespace {

uint32_t fromEnvironment(const char* name, uint32_t otherwise) {
    const char* text = std::getenv(name);
    return text != nullptr ? static_cast<uint32_t>(std::strtoul(text, nullptr, 10)) : otherwise;
}

/// Empty, or the first thing in which the two are not the same.
std::string difference(const Outcome& expected, const Result& result) {
    const auto text = [](const Issue& issue) {
        return fmt::format("cycle {}, port {}: group {}, step {}, begun {}, result {}", issue.cycle, issue.port,
                           issue.group, issue.step, issue.start, issue.result);
    };
    for (size_t i = 0; i < std::max(expected.issues.size(), result.issues.size()); ++i) {
        if (i >= expected.issues.size()) return fmt::format("{} issues more", result.issues.size() - i);
        if (i >= result.issues.size()) return fmt::format("{} issues are missing", expected.issues.size() - i);
        const IssueLog& machine = result.issues[i];
        const Issue issue{machine.cycle, machine.port, machine.group, machine.step, machine.start, machine.result};
        if (issue != expected.issues[i])
            return fmt::format("issue {}: {}; the machine: {}", i, text(expected.issues[i]), text(issue));
    }
    for (size_t g = 0; g < expected.groups.size(); ++g) {
        const Residence& residence = expected.groups[g];
        const GroupLog& machine = result.groupLog[g];
        if (residence != Residence{machine.place, machine.dispatched, machine.arrived, machine.ended})
            return fmt::format("group {}: place {}, {}..{}..{}; the machine: place {}, {}..{}..{}", g, residence.place,
                               residence.dispatched, residence.arrived, residence.ended, machine.place,
                               machine.dispatched, machine.arrived, machine.ended);
    }
    return "";
}

}  // namespace
