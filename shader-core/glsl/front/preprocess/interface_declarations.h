// What glslang does not tell of attributes, varyings and uniforms: where they are declared, as its tree knows places of
// statements alone, and "layout(location = 3)" before attributes and varyings (EXT_separate_shader_objects), which it
// knows in later versions of the language alone. That is taken out of the text, and what it says of the names of its
// declaration is kept.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>

#include "shader-core/glsl/front/preprocess/preprocess.h"
#include "shader-core/glsl/front/preprocess/tokens.h"

namespace tessera::glsl::front {

class InterfaceDeclarations {
public:
    using Write = std::function<void(const Token&)>;
    explicit InterfaceDeclarations(Write write) : write_(std::move(write)) {}

    /// #extension enabled the layout; otherwise `layout` is a name like others.
    bool hasLayout = false;

    /// The next token of the shader, which is written when it is none of a qualifier. Throws PreprocessError.
    void put(const Token& t);

    [[nodiscard]] std::map<std::string, Preprocessed::Declaration> take() { return std::move(declarations_); }

private:
    void qualifier(const Token& t);
    void declaration(const Token& t);
    void keep(const Token& end);

    Write write_;
    std::map<std::string, Preprocessed::Declaration> declarations_;
    Token held_[2];              ///< "layout" and "(", until it is known that they are taken out
    int part_ = -1;              ///< of "( location = 3 )", the one that must come next; -1: not in a qualifier
    int location_ = -1;          ///< that the declaration gives; -1: none
    bool interface_ = false;     ///< it is of attributes, varyings or uniforms
    bool uniform_ = false;       ///< of uniforms
    bool structure_ = false;     ///< it has the members of a structure before the names
    int depth_ = 0, scope_ = 0;  ///< of brackets; of braces
    Token name_;                 ///< last name outside brackets
};

}  // namespace tessera::glsl::front
