#include "shader-core/isa/debug_info.h"
#include "shader-core/isa/isa.h"

#include <algorithm>

#include <fmt/format.h>

namespace tessera::isa {

uint32_t componentSlots(const DebugVariable& variable) {
    return 4u * static_cast<uint32_t>(columnCount(variable.type)) * std::max<uint32_t>(variable.arraySize, 1);
}

std::string debugInfoProblem(const Program& program, const DebugInfo& info) {
    for (const DebugVariable& variable : info.variables) {
        const auto problem = [&](const char* what) { return fmt::format("variable '{}': {}", variable.name, what); };
        if (variable.name.empty()) return "a variable without a name";
        if (isSampler(variable.type)) return problem("a sampler has no value");
        if (componentSlots(variable) > UINT16_MAX) return problem("too large");
        if (variable.firstLine > variable.lastLine) return problem("the scope ends before it begins");
        const DebugRange* before = nullptr;
        for (const DebugRange& range : variable.ranges) {
            if (range.begin >= range.end || range.end > program.code.size())
                return problem("a range of instructions that the program has not");
            if (range.component >= componentSlots(variable) || range.component % 4 >= componentCount(variable.type))
                return problem("a component that its type has not");
            if (before != nullptr && (range.component < before->component ||
                                      (range.component == before->component && range.begin < before->end)))
                return problem("ranges that overlap or are not in order");
            const DebugPlace& place = range.place;
            const bool inRegister = place.kind == DebugPlace::Kind::Register;
            if (inRegister &&
                (place.file == File::I || !registerExists(place.file, place.index) || place.component > 3))
                return problem("a register that the machine has not");
            before = &range;
        }
    }
    return {};
}

}  // namespace tessera::isa
