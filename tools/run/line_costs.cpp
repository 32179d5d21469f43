#include "tools/run/line_costs.h"

#include <fmt/format.h>

#include "model/chip/record.h"
#include "model/chip/unit/machine.h"
#include "tools/run/group_textures.h"

namespace tessera::tools {

std::optional<std::vector<model::ProgramCost>> costsOnMachine(const std::string& name, const model::Workload& workload,
                                                              const model::Preset& machine) {
    if (const std::string why = model::cannotRun(workload, machine); !why.empty()) {
        fmt::print(stderr, "{}: error: {}\n", name, why);
        return std::nullopt;
    }
    return model::costsOf(workload, model::simulate(workload, machine), machine);
}

namespace {

/// What a recorder has heard of, unless there was too much.
std::optional<model::Workload> taken(model::Recorder& recorder, std::string& problem) {
    problem = recorder.isFull() ? "more instructions than a workload holds; give it less to do" : "";
    return recorder.isFull() ? std::nullopt : std::optional(recorder.take());
}

/// Of a workload of one program.
std::optional<model::ProgramCost> costOf(const std::string& name, const std::optional<model::Workload>& workload,
                                         const std::string& problem, const model::Preset& machine) {
    if (!workload) {
        fmt::print(stderr, "{}: error: {}\n", name, problem);
        return std::nullopt;
    }
    auto costs = costsOnMachine(name, *workload, machine);
    if (!costs || costs->empty()) return std::nullopt;
    costs->front().name = name;
    return std::move(costs->front());
}

}  // namespace

std::optional<model::Workload> workloadOfGroups(size_t count, const std::function<debug::Group(size_t)>& groupNumber,
                                                std::string& problem) {
    model::Recorder recorder;
    const std::shared_ptr<isa::Executor> executor = recorder.executor();
    std::shared_ptr<const isa::Routine> routine;  // of all of them
    for (size_t i = 0; i < count && !recorder.isFull(); ++i) {
        debug::Group group = groupNumber(i);
        pipeline::DrawProbe probe;
        probe.probe = &recorder;
        if (const auto* textures = dynamic_cast<const GroupTextures*>(group.textures.get()))
            group.textures = textures->probed(probe);
        if (routine == nullptr) routine = executor->prepare(group.program);
        const debug::Outcome outcome = debug::runGroup(group, *routine);
        if (outcome.budgetExceeded) {
            problem =
                fmt::format("a group was stopped after {} instructions: a loop does not end", outcome.instructions);
            return std::nullopt;
        }
        recorder.ranAlone(group.program, group.activeMask);
    }
    return taken(recorder, problem);
}

std::optional<model::Workload> workloadOfBlocks(const debug::Launch& launch, uint64_t first, uint64_t count,
                                                std::string& problem) {
    model::Recorder recorder;
    debug::Launch copy = launch;
    const isa::ComputeFault fault =
        debug::runBlocks(copy, *recorder.executor()->prepareKernel(copy.program, copy.block), first, count);
    if (fault.kind != isa::FaultKind::None) {
        problem = "the program was stopped, so that its lines have no cost";
        return std::nullopt;
    }
    return taken(recorder, problem);
}

std::optional<model::ProgramCost> costOfGroups(const std::string& name, std::span<const debug::Group* const> groups,
                                               const model::Preset& machine) {
    std::string problem;
    const auto workload = workloadOfGroups(groups.size(), [&](size_t i) { return *groups[i]; }, problem);
    return costOf(name, workload, problem, machine);
}

std::optional<model::ProgramCost> costOfBlocks(const std::string& name, const debug::Launch& launch, uint64_t first,
                                               uint64_t count, const model::Preset& machine) {
    std::string problem;
    return costOf(name, workloadOfBlocks(launch, first, count, problem), problem, machine);
}

}  // namespace tessera::tools
