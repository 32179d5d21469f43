#include "tools/inspector/report/shader_text.h"

#include <algorithm>
#include <numeric>
#include <sstream>

#include <fmt/format.h>

#include "shader-core/asm/disassembler.h"
#include "shader-core/isa/debug_info.h"
#include "shader-core/isa/isa.h"

namespace tessera::tools {

ShaderText shaderText(const isa::Program& program, uint32_t number, isa::Stage stage, const FrameCosts* costs) {
    ShaderText text{.title = fmt::format("{} program {}", stage == isa::Stage::Vertex ? "vertex" : "fragment", number),
                    .hasCosts = costs != nullptr,
                    .source = {},
                    .code = {},
                    .variables = {}};
    std::istringstream source(program.source);
    for (std::string line; std::getline(source, line);) {
        text.source.push_back({.line = static_cast<uint32_t>(text.source.size() + 1), .text = line});
    }
    for (uint32_t pc = 0; pc < program.code.size(); ++pc) {
        const std::optional<isa::Instruction> instruction = isa::decode(program.code[pc]);
        CodeLine code{.pc = pc, .line = pc < program.lines.size() ? program.lines[pc] : 0};
        code.text = instruction ? assembly::disassemble(*instruction) : "?";
        if (instruction) {
            const isa::OpInfo& info = isa::opInfo(instruction->op);
            code.help = fmt::format("{}: {}; {} cycles", isa::writtenForm(info.op), info.meaning, info.latency);
        }
        if (code.line != 0 && code.line <= text.source.size()) ++text.source[code.line - 1].instructions;
        text.code.push_back(std::move(code));
    }
    if (program.debugInfo)
        for (const isa::DebugVariable& variable : program.debugInfo->variables) text.variables.push_back(variable.name);
    if (costs == nullptr) return text;
    const auto place = costs->places.find({number, stage});
    if (place == costs->places.end()) return text;
    for (const model::LineCost& line : costs->programs[place->second].lines) {
        if (line.line == 0 || line.line > text.source.size()) continue;
        SourceLine& to = text.source[line.line - 1];
        to.executed = line.executed, to.lanes = line.lanes, to.issued = line.issued, to.waited = line.waits();
    }
    if (place->second >= costs->result.programs.size()) return text;
    const std::vector<model::PcResult>& byPc = costs->result.programs[place->second];
    for (size_t pc = 0; pc < std::min(byPc.size(), text.code.size()); ++pc) {
        CodeLine& to = text.code[pc];
        to.issued = byPc[pc].issues, to.lanes = byPc[pc].lanes;
        to.waited = std::accumulate(byPc[pc].stalls.begin(), byPc[pc].stalls.end(), uint64_t{0});
    }
    return text;
}

}  // namespace tessera::tools
