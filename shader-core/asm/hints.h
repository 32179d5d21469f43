// What an author who knows other assemblers or shading languages may have meant: the end of a diagnostic.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tessera::assembly {

/// For a word where an instruction should stand; `macros` are the names of the text's macros. Always a whole
/// diagnostic: "unknown instruction 'madd'; did you mean 'mad'?".
[[nodiscard]] std::string noInstruction(std::string_view word, std::span<const std::string> macros);

/// For text where a statement should begin: a comment of another language, a guard without parentheses.
[[nodiscard]] std::string noStatement(std::string_view text);

/// For a word behind the point that is no directive.
[[nodiscard]] std::string noDirective(std::string_view word);

/// For a word where the type of a variable should stand; `sampler`: where the kind of a texture should.
[[nodiscard]] std::string noType(std::string_view word, bool sampler);

}  // namespace tessera::assembly
