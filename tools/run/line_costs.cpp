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

/// Of a recorder that has heard of one program.
std::optional<model::ProgramCost> recorded(const std::string& name, model::Recorder& recorder,
                                           const model::Preset& machine) {
    if (recorder.isFull()) {
        fmt::print(stderr, "{}: error: more instructions than a workload holds; give it less to do\n", name);
        return std::nullopt;
    }
    auto costs = costsOnMachine(name, recorder.take(), machine);
    if (!costs || costs->empty()) return std::nullopt;
    costs->front().name = name;
    return std::move(costs->front());
}

}  // namespace

std::optional<model::ProgramCost> costOfGroups(const std::string& name, std::span<const debug::Group* const> groups,
                                               const model::Preset& machine) {
    model::Recorder recorder;
    const std::shared_ptr<isa::Executor> executor = recorder.executor();
    for (const debug::Group* group : groups) {
        pipeline::DrawProbe probe;
        probe.probe = &recorder;
        debug::Group copy = *group;
        if (const auto* textures = dynamic_cast<const GroupTextures*>(group->textures.get()))
            copy.textures = textures->probed(probe);
        const debug::Outcome outcome = debug::runGroup(copy, *executor->prepare(copy.program));
        if (outcome.budgetExceeded) {
            fmt::print(stderr, "{}: error: a group was stopped after {} instructions: a loop does not end\n", name,
                       outcome.instructions);
            return std::nullopt;
        }
        recorder.ranAlone(copy.program, copy.activeMask);
    }
    return recorded(name, recorder, machine);
}

std::optional<model::ProgramCost> costOfBlocks(const std::string& name, const debug::Launch& launch, uint64_t first,
                                               uint64_t count, const model::Preset& machine) {
    model::Recorder recorder;
    debug::Launch copy = launch;
    const isa::ComputeFault fault =
        debug::runBlocks(copy, *recorder.executor()->prepareKernel(copy.program, copy.block), first, count);
    if (fault.kind != isa::FaultKind::None) {
        fmt::print(stderr, "{}: error: the program was stopped, so that its lines have no cost\n", name);
        return std::nullopt;
    }
    return recorded(name, recorder, machine);
}

}  // namespace tessera::tools
