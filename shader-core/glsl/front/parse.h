// glslang as the parser: preprocessed GLSL ES 1.00 text to its syntax tree.
#pragma once

#include <memory>
#include <string>

#include "shader-core/glsl/glsl.h"

class TIntermNode;

namespace tessera::glsl::front {

/// What gl_FragColor is called in the tree of a shader that indexes it dynamically, which glslang would refuse.
inline constexpr const char* kFragColorAlias = "tessera_FragColor";

/// Owns the tree and the memory pool it lives in. Made and used on one thread.
class ParsedShader {
public:
    ParsedShader();
    ~ParsedShader();
    ParsedShader(ParsedShader&&) noexcept;
    ParsedShader& operator=(ParsedShader&&) noexcept;

    [[nodiscard]] TIntermNode* root() const;  ///< null when parsing failed
    bool fragColorAliased = false;
    std::string log;  ///< errors and warnings, one line each

private:
    friend ParsedShader parseText(isa::Stage stage, std::string text, const Limits& limits);
    struct State;
    std::unique_ptr<State> state_;
};

[[nodiscard]] ParsedShader parse(isa::Stage stage, const std::string& text, const Limits& limits);

}  // namespace tessera::glsl::front
