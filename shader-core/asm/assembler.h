// The assembler: text to program. docs/isa.md gives the language.
//
// Any text is safe. Errors are located and say what is wrong and what to do about it:
//     shader.tsa:12:9: error: unknown instruction 'madd'; did you mean 'mad'?
//         madd r0, r1, r2, r3
//         ^
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shader-core/asm/expander.h"
#include "shader-core/isa/program.h"

namespace tessera::assembly {

struct Diagnostic {
    int line = 0, column = 0;  ///< from 1
    std::string message;
    std::string file;              ///< the text itself, or an included file
    std::string text;              ///< the line, a macro's arguments filled in
    int rootLine = 0;              ///< the line of the text itself that brought it in
    std::vector<std::string> via;  ///< "file:line:column: in the expansion of 'm'", from the inside out
};

/// What the listing shows beside the words.
struct ListedLine {
    std::string text;
    int line = 0, depth = 0;  ///< depth: macros and includes it came through
    size_t firstInstruction = 0, instructions = 0;
};

struct AssembleResult {
    std::optional<isa::Program> program;  ///< present when there was no error; it has passed isa::verify()
    std::vector<Diagnostic> errors;       ///< in line order, at most kMaxErrors
    std::vector<Diagnostic> warnings;     ///< of a program without errors (lint.h), at most kMaxErrors
    std::vector<ListedLine> lines;        ///< of a program without errors
    std::string fileName;

    /// Each error and warning as "file:line:column: error: message", its line and a caret below.
    [[nodiscard]] std::string log() const;
    /// The text with number and word of each instruction in front of its line.
    [[nodiscard]] std::string listing() const;
};
inline constexpr size_t kMaxErrors = 50;

/// Whether the program as a whole must verify, or only each instruction (for tools that look at single words).
enum class Extent { Program, Instructions };

struct AssembleOptions {
    Extent extent = Extent::Program;
    IncludeReader include;  ///< none: `.include` is an error
    bool warnDeadWrites = false, warnUninitialised = false, warnTruthValues = false, warnUndeclared = false;
};

/// `fileName` is for the diagnostics. The program keeps the text and the line of each instruction; what came from a
/// macro or an included file has the line of the text that brought it in.
[[nodiscard]] AssembleResult assemble(std::string_view text, std::string fileName, const AssembleOptions& options);
[[nodiscard]] AssembleResult assemble(std::string_view text, std::string fileName, Extent extent = Extent::Program);

}  // namespace tessera::assembly
