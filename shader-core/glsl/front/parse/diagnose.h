// All the errors of a shader that does not compile, each at its token.
//
// glslang's parser stops at the first error and names its line alone. A shader that fails is therefore parsed again
// with each token on a line of its own, so that the line it names is a token; then the wrong part of the statement is
// taken out and the rest parsed once more, until nothing is wrong or a bound is reached. A shader that compiles never
// comes here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shader-core/glsl/front/preprocess/preprocess.h"

namespace tessera::glsl::front {

/// `text` with each token on a line of its own: line n is that of text.places[n - 1].
[[nodiscard]] std::string oneTokenALine(const Preprocessed& text);

/// Its lines.
[[nodiscard]] std::vector<std::string_view> tokensOf(std::string_view oneTokenALine);

/// Where the token stands that a message, "'x' : ...", is about. glslang reports a call, and the head of a function, at
/// the closing parenthesis, and an initialiser that does not fit at the variable.
[[nodiscard]] Preprocessed::Place placeOfToken(const Preprocessed& text, const std::vector<std::string_view>& tokens,
                                               size_t at, std::string_view message);

/// The messages of a text that glslang refuses, at most kMaxErrors; empty when it takes the text after all.
[[nodiscard]] std::vector<Message> diagnose(isa::Stage stage, const Preprocessed& text, const Limits& limits);

}  // namespace tessera::glsl::front
