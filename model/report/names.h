// What parts of a workload are called in reports.
#pragma once

#include <string>

#include "model/chip/result.h"

namespace tessera::model {

/// "pixel engine 3"; of a kind of which there is one, "setup".
[[nodiscard]] std::string unitName(const Result& result, uint32_t unit);
/// An item's name, with the GL call of a draw: "draw 3: 220 triangles, glDrawArrays".
[[nodiscard]] std::string itemText(const Workload& workload, uint32_t item);
/// "fragment program 3 line 14, instruction 5 (tex)"
[[nodiscard]] std::string instructionText(const Workload& workload, uint32_t program, uint32_t pc);
/// Line of the instruction in its source; 0: not known.
[[nodiscard]] uint32_t lineOf(const ProgramUse& program, uint32_t pc);
/// Text of a line of the program's source, without blanks around it; empty where it is not known.
[[nodiscard]] std::string sourceLine(const ProgramUse& program, uint32_t line);

}  // namespace tessera::model
