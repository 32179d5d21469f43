// Preprocessing tokens and the scanner that makes them: comments and line continuations are gone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tessera::glsl::front {

struct Token {
    enum class Kind : unsigned char { Identifier, Number, Operator, Invalid, Newline, MacroEnd, End };
    Kind kind = Kind::End;
    bool spaceBefore = false;
    bool noExpand = false;  ///< names a macro that was being expanded when it came up
    int line = 1;           ///< physical
    int column = 0;         ///< from 1; 0: unknown
    std::string text;       ///< MacroEnd: the macro's name

    [[nodiscard]] bool is(std::string_view s) const {
        return (kind == Kind::Operator || kind == Kind::Identifier) && text == s;
    }
};

class Scanner {
public:
    explicit Scanner(std::string_view source) : source_(source) {}
    Token next();
    [[nodiscard]] bool unterminatedComment() const { return unterminated_; }
    [[nodiscard]] int commentLine() const { return commentLine_; }

private:
    [[nodiscard]] char peek(size_t ahead = 0);
    void advance();
    void beginLine();
    void skipContinuations();
    bool skipBlank(bool& space);

    std::string_view source_;
    size_t at_ = 0;
    int line_ = 1;
    size_t lineStart_ = 0;  ///< where line_ begins
    bool unterminated_ = false;
    int commentLine_ = 0;
};

}  // namespace tessera::glsl::front
