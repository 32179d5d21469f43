// What an author who knows other assemblers or shading languages may have meant: the end of a diagnostic.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "shader-core/isa/isa.h"

namespace tessera::assembly {

/// For a word where an instruction should stand; `macros` are the names of the text's macros. Always a whole
/// diagnostic: "unknown instruction 'madd'; did you mean 'mad'?".
[[nodiscard]] std::string noInstruction(std::string_view word, std::span<const std::string> macros);

/// Whether the word is a directive, or what another language calls one, that lacks its point.
[[nodiscard]] bool isDirectiveWord(std::string_view word);

/// What to write instead of an operand of another language: "write o0" for gl_Position. Empty when it is none.
[[nodiscard]] std::string insteadOfOperand(std::string_view word);

/// For what follows a complete instruction.
[[nodiscard]] std::string tooMuch(std::string_view text, isa::Op op);

/// What to write instead of a suffix that an instruction cannot have, or empty.
[[nodiscard]] std::string insteadOfSuffix(std::string_view word);

/// For text where a statement should begin: a comment of another language, a guard without parentheses.
[[nodiscard]] std::string noStatement(std::string_view text);

/// For a word behind the point that is no directive.
[[nodiscard]] std::string noDirective(std::string_view word);

/// "2d, cube, ... or 2darrayshadow"
[[nodiscard]] std::string targetChoice();

/// For a word where the type of a variable should stand; `sampler`: where the kind of a texture should.
[[nodiscard]] std::string noType(std::string_view word, bool sampler);

}  // namespace tessera::assembly
