// Any words: decode(word) is nothing, or an instruction that encodes to the word and prints as text that assembles to
// it.
#include <cstdint>
#include <cstring>

#include "shader-core/asm/assembler.h"
#include "shader-core/asm/disassembler.h"
#include "tests/fuzz/check.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace tessera;
    isa::Program program;
    for (; size >= sizeof(isa::Word); data += sizeof(isa::Word), size -= sizeof(isa::Word)) {
        isa::Word word;
        std::memcpy(&word, data, sizeof word);
        const std::optional<isa::Instruction> instruction = isa::decode(word);
        if (!instruction) continue;
        fuzz::demand(isa::instructionProblem(*instruction).empty(), "what decodes is sound",
                     std::string(isa::instructionProblem(*instruction)));
        fuzz::demand(isa::encode(*instruction) == word, "encode(decode(word)) == word",
                     assembly::disassemble(*instruction));
        program.code.push_back(word);
    }
    const std::string text = assembly::disassemble(program);
    const assembly::AssembleResult back = assembly::assemble(text, "words", assembly::Extent::Instructions);
    fuzz::demand(back.program.has_value(), "the disassembly assembles", back.log() + text);
    fuzz::demand(back.program->code == program.code, "to the same words", text);
    return 0;
}
