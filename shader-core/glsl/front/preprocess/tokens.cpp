#include "shader-core/glsl/front/preprocess/tokens.h"

namespace tessera::glsl::front {

namespace {

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

constexpr std::string_view kLongOperators[] = {"<<=", ">>=", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&",
                                               "||",  "^^",  "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|="};
constexpr std::string_view kOperators = "+-*/%<>[](){}^|&~=!:;,?.#";

}  // namespace

/// at_ has come to the first character of a line.
void Scanner::beginLine() {
    line_++;
    lineStart_ = at_;
}

/// Backslash-newline joins lines. GLSL ES 1.00 does not have it, drivers do.
void Scanner::skipContinuations() {
    while (at_ < source_.size() && source_[at_] == '\\') {
        size_t n = 1;
        if (at_ + n < source_.size() && source_[at_ + n] == '\r') n++;
        if (at_ + n >= source_.size() || source_[at_ + n] != '\n') {
            if (n == 1) return;
            n = 1;  // a lone carriage return ends a line too
        }
        at_ += n + 1;
        beginLine();
    }
}

char Scanner::peek(size_t ahead) {
    size_t i = at_ + ahead;
    return i < source_.size() ? source_[i] : '\0';
}

void Scanner::advance() {
    at_++;
    skipContinuations();
}

/// Skips blanks and comments; false at a newline or the end.
bool Scanner::skipBlank(bool& space) {
    skipContinuations();
    while (at_ < source_.size()) {
        char c = peek();
        if (c == ' ' || c == '\t' || c == '\v' || c == '\f') {
            advance();
        } else if (c == '/' && peek(1) == '/') {
            while (at_ < source_.size() && peek() != '\n' && peek() != '\r') advance();
            return true;
        } else if (c == '/' && peek(1) == '*') {
            commentLine_ = line_;
            at_ += 2;
            while (at_ < source_.size() && !(peek() == '*' && peek(1) == '/')) {
                const bool ends = peek() == '\n' || (peek() == '\r' && peek(1) != '\n');
                at_++;
                if (ends) beginLine();
            }
            if (at_ >= source_.size()) {
                unterminated_ = true;
                return false;
            }
            at_ += 2;
            skipContinuations();
        } else {
            return true;
        }
        space = true;
    }
    return false;
}

Token Scanner::next() {
    Token t;
    (void)skipBlank(t.spaceBefore);
    t.line = line_;
    t.column = static_cast<int>(at_ - lineStart_) + 1;
    if (at_ >= source_.size()) return t;
    char c = peek();
    if (c == '\n' || c == '\r') {
        t.kind = Token::Kind::Newline;
        at_ += c == '\r' && peek(1) == '\n' ? 2 : 1;
        beginLine();
        return t;
    }
    if (isLetter(c)) {
        t.kind = Token::Kind::Identifier;
        for (; at_ < source_.size() && (isLetter(peek()) || isDigit(peek())); advance()) t.text += peek();
        return t;
    }
    if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
        t.kind = Token::Kind::Number;
        bool hexadecimal = c == '0' && (peek(1) == 'x' || peek(1) == 'X');
        while (at_ < source_.size()) {
            char d = peek();
            char before = t.text.empty() ? '\0' : t.text.back();
            bool exponentSign =
                !hexadecimal && (d == '+' || d == '-') && (before == 'e' || before == 'E') && isDigit(peek(1));
            if (!isLetter(d) && !isDigit(d) && d != '.' && !exponentSign) break;
            t.text += d;
            advance();
        }
        return t;
    }
    t.kind = Token::Kind::Operator;
    for (std::string_view op : kLongOperators) {
        if (source_.substr(at_, op.size()) != op) continue;
        t.text = op;
        at_ += op.size();
        skipContinuations();
        return t;
    }
    t.text = std::string(1, c);
    if (kOperators.find(c) == std::string_view::npos || c == '\0') t.kind = Token::Kind::Invalid;
    advance();
    return t;
}

}  // namespace tessera::glsl::front
