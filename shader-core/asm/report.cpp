// What an assembly says to its author: diagnostics with their lines, and the listing.
#include <fmt/format.h>

#include "base/excerpt.h"
#include "shader-core/asm/assembler.h"

namespace tessera::assembly {

namespace {

std::string entry(const Diagnostic& d, std::string_view kind) {
    std::string text =
        fmt::format("{}:{}:{}: {}: {}\n{}", d.file, d.line, d.column, kind, d.message, excerpt(d.text, d.column));
    for (const std::string& via : d.via) text += fmt::format("  {}\n", via);
    return text;
}

}  // namespace

std::string AssembleResult::log() const {
    std::string text;
    for (const Diagnostic& d : errors) text += entry(d, "error");
    for (const Diagnostic& d : warnings) text += entry(d, "warning");
    return text;
}

std::string AssembleResult::listing() const {
    std::string text = "   at  high half        low half          line  source\n";
    if (!program) return text;
    for (const ListedLine& line : lines) {
        std::string source = std::string(2 * static_cast<size_t>(line.depth), ' ') + line.text;
        source.erase(source.find_last_not_of(" \t\r") + 1);
        if (line.instructions == 0) {
            text += fmt::format("{:39} {:>5}", "", line.line);
        } else {
            const isa::Word& word = program->code[line.firstInstruction];
            text += fmt::format("{:>5}  {:016x} {:016x} {:>4}", line.firstInstruction, word.hi, word.lo, line.line);
        }
        text += source.empty() ? "\n" : "  " + source + "\n";
    }
    return text;
}

}  // namespace tessera::assembly
