// Any text as a shader of either stage: an info log, or a program that is valid and whose disassembly assembles to it.
// Two shaders of one input are linked.
#include "shader-core/glsl/glsl.h"

#include <cstdint>

#include "shader-core/asm/assembler.h"
#include "shader-core/asm/disassembler.h"
#include "tests/fuzz/check.h"

namespace {

using namespace tessera;

/// #version says which language the text is.
constexpr glsl::Limits kLimits{.version = 300};

void demandValid(const glsl::LinkResult& linked) {
    if (!linked.ok) return fuzz::demand(!linked.infoLog.empty(), "a failed link says why");
    for (const auto& program : {linked.vertex, linked.fragment}) {
        if (!program) continue;
        fuzz::demand(isa::verify(*program).empty(), "the program is valid", isa::verify(*program));
        const std::string text = assembly::disassemble(*program);
        const assembly::AssembleResult back = assembly::assemble(text, "disassembly");
        fuzz::demand(back.program.has_value(), "the disassembly assembles", back.log() + text);
        fuzz::demand(back.program->code == program->code, "to the same words", text);
        fuzz::demand(back.program->blocks == program->blocks && back.program->outputs == program->outputs &&
                         back.program->uniforms == program->uniforms && back.program->varyings == program->varyings,
                     "to the same declarations", text);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    glsl::CompileResult shaders[2];
    for (const isa::Stage stage : {isa::Stage::Vertex, isa::Stage::Fragment}) {
        glsl::CompileResult& result = shaders[static_cast<int>(stage)];
        result = glsl::compile(stage, text, kLimits);
        fuzz::demand(result.shader || !result.infoLog.empty(), "a failed compilation says why");
        fuzz::demand(result.messages.size() <= glsl::kMaxErrors + size, "a bounded number of messages");
        for (const glsl::Message& m : result.messages)
            fuzz::demand(
                m.column >= 0 && static_cast<size_t>(m.column) <= size + 1 && (m.column == 0 || m.sourceLine > 0),
                "columns are inside the text", m.text);
        (void)glsl::describe(result.messages, "input.frag", text);
        if (result.shader) demandValid(glsl::linkSingle(*result.shader, kLimits));
    }
    if (shaders[0].shader && shaders[1].shader)
        demandValid(glsl::link(*shaders[0].shader, *shaders[1].shader, {}, kLimits));
    return 0;
}
