#include "tools/run/machine_check.h"

#include <fmt/format.h>

#include "model/trim/trim.h"
#include "tools/files.h"

namespace tessera::tools {

std::optional<model::Preset> loadMachine(const std::string& preset) {
    std::string problem;
    std::optional<model::Preset> machine = model::loadPreset(preset, &problem);
    if (!machine) printLocated(problem);
    return machine;
}

bool machineTakes(const model::Preset& machine, const isa::Program& program, const std::string& file) {
    const std::optional<model::Refusal> refused = model::refusal(program, machine);
    if (refused) fmt::print(stderr, "{}\n", model::refusalText(*refused, file));
    return !refused;
}

bool machineTakes(const std::string& preset, const isa::Program& program, const std::string& file) {
    if (preset.empty()) return true;
    const std::optional<model::Preset> machine = loadMachine(preset);
    return machine && machineTakes(*machine, program, file);
}

}  // namespace tessera::tools
