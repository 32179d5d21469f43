#include "shader-core/glsl/front/preprocess/interface_declarations.h"

#include <charconv>
#include <iterator>
#include <string_view>

#include "shader-core/glsl/front/preprocess/macros.h"

namespace tessera::glsl::front {

namespace {

constexpr std::string_view kParts[] = {"(", "location", "=", "", ")"};  // the number between '=' and ')'
constexpr int kNumber = 3;

/// An integer constant of the language: decimal, octal or hexadecimal. -1: none, or too large for a location.
int integerConstant(std::string_view text) {
    int base = 10;
    if (text.starts_with("0x") || text.starts_with("0X")) {
        base = 16;
        text.remove_prefix(2);
    } else if (text.starts_with('0')) {
        base = 8;
    }
    int value = -1;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    return status == std::errc() && end == text.data() + text.size() ? value : -1;
}

[[noreturn]] void fail(const Token& t, const char* what) {
    throw PreprocessError{t.line, std::string("'layout' : ") + what, t.column};
}

}  // namespace

void InterfaceDeclarations::put(const Token& t) {
    if (part_ >= 0) return qualifier(t);
    if (hasLayout && t.is("layout")) {
        if (scope_ > 0 || depth_ > 0) fail(t, "only global variables have a location");
        if (location_ >= 0) fail(t, "a declaration has one location");
        held_[part_ = 0] = t;
        return;
    }
    declaration(t);
    write_(t);
}

void InterfaceDeclarations::qualifier(const Token& t) {
    if (part_ == 0) held_[1] = t;
    if (part_ == 1 && t.is("noncoherent")) {  // of gl_LastFragData: parse() knows it
        for (const Token& held : held_) write_(held);
        ++depth_;
        part_ = -1;
        return write_(t);
    }
    if (part_ == kNumber) {
        location_ = t.kind == Token::Kind::Number ? integerConstant(t.text) : -1;
        if (location_ < 0) fail(t, "a location is an integer constant, not negative");
    } else if (!t.is(kParts[part_])) {
        fail(t, "must read \"layout(location = number)\"");
    }
    if (++part_ == std::ssize(kParts)) part_ = -1;
}

void InterfaceDeclarations::declaration(const Token& t) {
    if (t.is("{") && scope_ == 0 && depth_ == 0 && interface_ && !structure_) keep(t);  // the name of a block
    if (t.is("{")) ++scope_;
    if (t.is("}") && scope_ > 0) --scope_;
    if (t.is("(") || t.is("[")) ++depth_;
    if ((t.is(")") || t.is("]")) && depth_ > 0) --depth_;
    if (scope_ > 0 || depth_ > 0) return;
    // "in" and "out" of version 3.00 are names in no shader of 1.00, where they are reserved.
    if (t.is("attribute") || t.is("varying") || t.is("uniform") || t.is("in") || t.is("out")) interface_ = true;
    if (t.is("uniform")) uniform_ = true;
    if (t.is("struct")) structure_ = true;
    if (t.is(",") || t.is(";")) keep(t);
    if (t.kind == Token::Kind::Identifier) name_ = t;
    const bool endsBody = t.is("}") && !structure_;
    if (!t.is(";") && !endsBody) return;
    location_ = -1;
    interface_ = uniform_ = structure_ = false;
}

void InterfaceDeclarations::keep(const Token& end) {
    if (location_ >= 0 && (!interface_ || uniform_)) fail(end, "only attributes and varyings have a location");
    if (interface_)
        declarations_.try_emplace(name_.text, Preprocessed::Declaration{{name_.line, name_.column}, location_});
}

}  // namespace tessera::glsl::front
