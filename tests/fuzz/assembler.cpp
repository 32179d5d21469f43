// Any text: a program or located errors; a program's disassembly assembles to the same words and declarations.
#include "shader-core/asm/assembler.h"

#include <cstdint>

#include "shader-core/asm/disassembler.h"
#include "tests/fuzz/check.h"

namespace {

using namespace tessera;

std::vector<std::byte> essence(isa::Program program) {
    program.lines.clear();
    program.source.clear();
    program.debugInfo.reset();
    return isa::serialize(program);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    assembly::AssembleOptions options;
    options.warnDeadWrites = options.warnUninitialised = options.warnTruthValues = options.warnUndeclared = true;
    // A file of any name holds the second half of the text.
    options.include = [&text](const std::string&, const std::string&) {
        return assembly::IncludedFile{text.substr(text.size() / 2), {}, {}};
    };
    const assembly::AssembleResult first = assembly::assemble(text, "input.tsa", options);
    fuzz::demand(first.program.has_value() == first.errors.empty(), "a program or errors");
    fuzz::demand(first.errors.size() <= assembly::kMaxErrors, "a bounded number of errors");
    for (const assembly::Diagnostic& error : first.errors)
        fuzz::demand(error.line >= 1 && error.column >= 1 && !error.message.empty(), "errors are located");
    (void)first.log();
    (void)first.listing();
    if (!first.program) return 0;
    fuzz::demand(isa::verify(*first.program).empty(), "what assembles is valid", isa::verify(*first.program));
    for (const std::string& printed :
         {assembly::disassemble(*first.program), assembly::disassembleWithSource(*first.program)}) {
        const assembly::AssembleResult second = assembly::assemble(printed, "disassembly");
        fuzz::demand(second.program.has_value(), "the disassembly assembles", second.log() + printed);
        fuzz::demand(essence(*second.program) == essence(*first.program), "to the same program", printed);
    }
    return 0;
}
