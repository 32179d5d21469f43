// Arrays declared by their type, "vec4[3] a, b;", as declarations of arrays by name, "vec4 a[3], b[3];".
//
// The grammar of GLSL ES 1.00 (section 9) has the second form alone, and glslang keeps to it. Other drivers take both,
// and programs are written on them. What neither form has (arrays of arrays, initialisers, arrays returned) comes out
// as what glslang refuses.
#pragma once

#include <functional>
#include <vector>

#include "shader-core/glsl/front/preprocess/tokens.h"

namespace tessera::glsl::front {

class ArrayTypes {
public:
    using Write = std::function<void(const Token&)>;
    explicit ArrayTypes(Write write) : write_(std::move(write)) {}

    /// The next token of the shader; it, or ones before it that were waited with, are written.
    void put(const Token& t);
    /// No more tokens come.
    void finish();

private:
    void pass(const Token& t);
    void writeAll(const std::vector<Token>& tokens);
    void trackList(const Token& t);

    Write write_;
    Token last_;               ///< that was passed on
    std::vector<Token> held_;  ///< "[3]" behind what may be a type, until what follows says whether it is one
    int open_ = 0;             ///< brackets open in held_
    std::vector<bool> inFor_;  ///< each open "(" of the text: does it follow `for`?
    std::vector<Token> size_;  ///< "[3]", while more names of a declaration may come
    int depth_ = 0;            ///< brackets open since that declaration began
    bool nameNext_ = false;    ///< a name of the declaration is next
};

}  // namespace tessera::glsl::front
