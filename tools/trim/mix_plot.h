// The instruction mix of programs as stacked bars, in the classes of seed 002's figure 4.
#pragma once

#include <string>
#include <vector>

#include "model/trim/instructions.h"

namespace tessera::tools {

struct MixBar {
    std::string name, group;
    model::InstructionMix mix;
    bool executed = false;  ///< of a run; else of the code
};
/// One bar for each, of the same height; bars of a group beside each other under its name.
[[nodiscard]] std::string mixSvg(const std::vector<MixBar>& bars);

}  // namespace tessera::tools
