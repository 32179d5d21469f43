// A program's stage to read: the lines of its source and its instructions, each with what it cost in a frame.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/inspector/report/frame_costs.h"

namespace tessera::tools {

struct SourceLine {
    uint32_t line = 0;
    std::string text;
    uint32_t instructions = 0;         ///< in the code
    uint64_t executed = 0, lanes = 0;  ///< instructions of groups, and of lanes
    uint64_t issued = 0, waited = 0;   ///< cycles of the chip
};
struct CodeLine {
    uint32_t pc = 0, line = 0;
    std::string text;
    std::string help;  ///< what it does, by the table of instructions
    uint64_t issued = 0, lanes = 0, waited = 0;
};
struct ShaderText {
    std::string title;  ///< "fragment program 1"
    bool hasCosts = false;
    std::vector<SourceLine> source;
    std::vector<CodeLine> code;
    std::vector<std::string> variables;  ///< of the source, that a debugger knows by name
};

/// Of the stage of program `number` of the stream, which has it. `costs` null: nothing has been counted.
[[nodiscard]] ShaderText shaderText(const isa::Program& program, uint32_t number, isa::Stage stage,
                                    const FrameCosts* costs);

}  // namespace tessera::tools
