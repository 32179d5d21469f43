// "layout(location = 3)" before attributes and varyings (EXT_separate_shader_objects).
//
// glslang knows the qualifier in later versions of the language alone. It is taken out of the text, and what it says
// of the names of its declaration is kept.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "shader-core/glsl/front/preprocess/tokens.h"

namespace tessera::glsl::front {

class LayoutLocations {
public:
    using Write = std::function<void(const Token&)>;
    explicit LayoutLocations(Write write) : write_(std::move(write)) {}

    /// #extension enabled it; otherwise `layout` is a name like others.
    bool enabled = false;

    /// The next token of the shader, which is written when it is none of a qualifier. Throws PreprocessError.
    void put(const Token& t);

    /// Of the attributes and varyings that have one.
    [[nodiscard]] const std::map<std::string, int>& locations() const { return locations_; }

private:
    void qualifier(const Token& t);
    void declaration(const Token& t);
    void keepLocation(const Token& end);

    Write write_;
    std::map<std::string, int> locations_;
    Token held_[2];              ///< "layout" and "(", until it is known that they are taken out
    int part_ = -1;              ///< of "( location = 3 )", the one that must come next; -1: not in a qualifier
    int location_ = -1;          ///< that the declaration gives; -1: none
    bool interface_ = false;     ///< it is of attributes or varyings
    int depth_ = 0, scope_ = 0;  ///< of brackets; of braces
    std::string name_;           ///< last name outside brackets
};

}  // namespace tessera::glsl::front
