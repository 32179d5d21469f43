// The parser's messages in the words of GLSL ES 1.00, and what to do about them.
//
// glslang speaks of all versions of the language at once: a vec4 is a "4-component vector of float", and a function
// that the language does not have is one that was not matched.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "shader-core/isa/program.h"

namespace tessera::glsl::front {

/// A message, "'x' : ...", with types as shaders write them ('const vec4', 'uniform sampler2D') and in short sentences.
/// Precisions are left out, which decide about no expression (section 4.5.2).
[[nodiscard]] std::string inWordsOfTheLanguage(std::string_view message);

/// Where an error is.
struct ErrorPlace {
    isa::Stage stage;
    int version;                               ///< of the language: 100 or 300
    std::span<const std::string_view> tokens;  ///< of the shader; those that are out of the question are empty
    size_t at;
};

/// The message with what to do about it, if that is known: "'x' : what; what to do".
[[nodiscard]] std::string withAdvice(std::string message, const ErrorPlace& place);

/// Tokens as glslang's grammar calls them: "unexpected X, expecting COMMA or SEMICOLON" gives "',' or ';'"; or empty.
[[nodiscard]] std::string expectedTokens(std::string_view message);

/// x of "'x' : ...".
[[nodiscard]] std::string_view inQuotes(std::string_view message);

[[nodiscard]] bool isIdentifier(std::string_view token);

}  // namespace tessera::glsl::front
