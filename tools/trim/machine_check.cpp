#include "tools/trim/machine_check.h"

#include <fmt/format.h>

#include "model/trim/trim.h"

namespace tessera::tools {

bool machineTakes(const model::Preset& machine, const isa::Program& program, const std::string& file) {
    const std::optional<model::Refusal> refused = model::refusal(program, machine);
    if (refused) fmt::print(stderr, "{}\n", model::refusalText(*refused, file));
    return !refused;
}

bool machineTakes(const std::string& preset, const isa::Program& program, const std::string& file) {
    if (preset.empty()) return true;
    std::string error;
    const std::optional<model::Preset> machine = model::loadPreset(preset, &error);
    if (!machine) fmt::print(stderr, "{}\n", error);
    return machine && machineTakes(*machine, program, file);
}

}  // namespace tessera::tools
