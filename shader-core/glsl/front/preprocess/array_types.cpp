#include "shader-core/glsl/front/preprocess/array_types.h"

namespace tessera::glsl::front {

namespace {

bool opens(const Token& t) { return t.is("(") || t.is("[") || t.is("{"); }
bool closes(const Token& t) { return t.is(")") || t.is("]") || t.is("}"); }

}  // namespace

void ArrayTypes::put(const Token& t) {
    if (held_.empty()) {
        // A name of a type, or the end of a struct; where it is an array's name, no name follows the bracket.
        if (t.is("[") && (last_.kind == Token::Kind::Identifier || last_.is("}"))) {
            held_.push_back(t);
            open_ = 1;
        } else {
            pass(t);
        }
        return;
    }
    if (open_ > 0) {
        open_ += opens(t) ? 1 : closes(t) ? -1 : 0;
        held_.push_back(t);
        return;
    }
    std::vector<Token> size;
    size.swap(held_);
    if (t.kind == Token::Kind::Identifier) {
        // Of a parameter there is one name; a comma ends it.
        const bool parameter = !inFor_.empty() && !inFor_.back();
        pass(t);
        writeAll(size);
        if (!parameter) size_ = std::move(size);
        depth_ = 0;
        nameNext_ = false;
        return;
    }
    writeAll(size);
    put(t);
}

void ArrayTypes::finish() {
    writeAll(held_);
    held_.clear();
}

void ArrayTypes::writeAll(const std::vector<Token>& tokens) {
    for (const Token& t : tokens) write_(t);
    if (!tokens.empty()) last_ = tokens.back();
}

void ArrayTypes::pass(const Token& t) {
    if (t.is("(")) inFor_.push_back(last_.is("for"));
    if (t.is(")") && !inFor_.empty()) inFor_.pop_back();
    write_(t);
    last_ = t;
    if (!size_.empty()) trackList(t);
}

/// Later names of a declaration, "b" in "vec4[3] a, b", get the size as the first did.
void ArrayTypes::trackList(const Token& t) {
    if (nameNext_ && t.kind == Token::Kind::Identifier) writeAll(size_);
    nameNext_ = depth_ == 0 && t.is(",");
    depth_ += opens(t) ? 1 : closes(t) ? -1 : 0;
    if (depth_ < 0 || (depth_ == 0 && t.is(";"))) size_.clear();
}

}  // namespace tessera::glsl::front
