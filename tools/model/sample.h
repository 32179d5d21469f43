// `tessera model --sample`: a long run by some of its frames.
#pragma once

#include <optional>
#include <string>

#include "model/chip/unit/machine.h"

namespace CLI {
class App;
}

namespace tessera::tools {

struct SampleOptions {
    std::optional<std::string> size;  ///< "8", "auto"; nothing: all frames are modelled
    bool check = false;               ///< all are modelled too
};
/// Behind the options that it excludes.
void addSampleOptions(CLI::App& verb, SampleOptions& options);

/// Models some frames and prints what all of them take, with the expected error. An exit status; messages are printed.
[[nodiscard]] int sample(const SampleOptions& options, const model::Workload& workload, const model::Preset& preset,
                         const model::MachineOptions& machine, bool json);

}  // namespace tessera::tools
