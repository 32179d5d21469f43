// The assembler: text to program. docs/isa.md gives the language.
//
// Any text is safe. Errors are located and say what is wrong and what to do about it:
//     shader.tsa:12:9: error: unknown instruction 'madd'; did you mean 'mad'?
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shader-core/isa/program.h"

namespace tessera::assembly {

struct Diagnostic {
    int line = 0, column = 0;  ///< from 1
    std::string message;
};

struct AssembleResult {
    std::optional<isa::Program> program;  ///< present when there was no error; it has passed isa::verify()
    std::vector<Diagnostic> errors;       ///< in line order, at most kMaxErrors
    std::string fileName;

    /// One line for each error: "file:line:column: error: message".
    [[nodiscard]] std::string log() const;
};
inline constexpr size_t kMaxErrors = 50;

/// Whether the program as a whole must verify, or only each instruction (for tools that look at single words).
enum class Extent { Program, Instructions };

/// `fileName` is for the diagnostics. The program keeps the text and the line of each instruction.
[[nodiscard]] AssembleResult assemble(std::string_view text, std::string fileName, Extent extent = Extent::Program);

}  // namespace tessera::assembly
