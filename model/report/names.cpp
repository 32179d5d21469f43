#include "model/report/names.h"
#include "shader-core/isa/program.h"

#include <fmt/format.h>

#include <string_view>

namespace tessera::model {

std::string unitName(const Result& result, uint32_t unit) {
    const UnitKind kind = result.units[unit].kind;
    return result.unitCount(kind) == 1 ? std::string(unitText(kind)) : result.units[unit].name();
}

std::string itemText(const Workload& workload, uint32_t item) {
    std::string name = itemName(workload, item);
    if (item < workload.draws.size() && !workload.draws[item].call.empty()) name += ", " + workload.draws[item].call;
    return name;
}

uint32_t lineOf(const ProgramUse& program, uint32_t pc) {
    const std::vector<uint32_t>& lines = program.program->lines;
    return pc < lines.size() ? lines[pc] : 0;
}

std::string instructionText(const Workload& workload, uint32_t program, uint32_t pc) {
    const ProgramUse& use = workload.programs[program];
    const auto instruction = isa::decode(use.program->code[pc]);
    const uint32_t line = lineOf(use, pc);
    return fmt::format("{}{}, instruction {} ({})", use.name, line ? fmt::format(" line {}", line) : "", pc,
                       instruction ? isa::opInfo(instruction->op).mnemonic : "?");
}

std::string sourceLine(const ProgramUse& program, uint32_t line) {
    std::string_view text = program.program->source;
    for (uint32_t at = 1; at < line; ++at) {
        const size_t end = text.find('\n');
        if (end == std::string_view::npos) return "";
        text.remove_prefix(end + 1);
    }
    if (line == 0) return "";
    text = text.substr(0, text.find('\n'));
    const size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return "";
    return std::string(text.substr(first, text.find_last_not_of(" \t\r") + 1 - first));
}

}  // namespace tessera::model
