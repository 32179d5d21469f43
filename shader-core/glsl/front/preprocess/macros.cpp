#include "shader-core/glsl/front/preprocess/macros.h"

#include <algorithm>

namespace tessera::glsl::front {

namespace {

constexpr size_t kMaxTokens = 400000;  ///< tokens all expansions of a shader may produce
constexpr int kMaxDepth = 200;         ///< macro calls within macro arguments

}  // namespace

bool Macro::sameAs(const Macro& other) const {
    if (function != other.function || parameters != other.parameters || body.size() != other.body.size()) return false;
    for (size_t i = 0; i < body.size(); i++) {
        const Token& a = body[i];
        const Token& b = other.body[i];
        if (a.kind != b.kind || a.text != b.text || (i > 0 && a.spaceBefore != b.spaceBefore)) return false;
    }
    return true;
}

bool Macros::defined(const std::string& name) const {
    return name == "__LINE__" || name == "__FILE__" || table.contains(name);
}

void Macros::count(int line) {
    if (++produced_ > kMaxTokens) throw PreprocessError{line, "'' : shader too long after macro expansion"};
}

namespace {

/// What is wrong with a call of a macro, at its name.
[[noreturn]] void failCall(const Token& name, const std::string& what) {
    throw PreprocessError{name.line, "'" + name.text + "' : " + what, name.column};
}

}  // namespace

bool Macros::expandBuiltIn(const Token& token, std::vector<Token>& out, int line) {
    if (token.text != "__LINE__" && token.text != "__FILE__") return false;
    Token number = token;
    number.kind = Token::Kind::Number;
    number.text = std::to_string(token.text == "__LINE__" ? lineNumber(line) : fileNumber(line));
    out.push_back(std::move(number));
    return true;
}

void Macros::expand(const std::vector<Token>& tokens, std::vector<Token>& out, bool keepDefined) {
    std::vector<Token> stack(tokens.rbegin(), tokens.rend());
    expandStack(stack, out, keepDefined);
}

/// Takes the end of a macro, which is next: its name may be expanded again.
void Macros::endMacro(std::vector<Token>& stack) {
    if (auto found = table.find(stack.back().text); found != table.end()) found->second.disabled = false;
    stack.pop_back();
}

void Macros::expandStack(std::vector<Token>& stack, std::vector<Token>& out, bool keepDefined) {
    while (!stack.empty()) {
        Token token = std::move(stack.back());
        stack.pop_back();
        count(token.line);
        if (token.kind == Token::Kind::MacroEnd) {
            stack.push_back(std::move(token));
            endMacro(stack);
            continue;
        }
        if (token.kind != Token::Kind::Identifier || token.noExpand) {
            out.push_back(std::move(token));
            continue;
        }
        if (keepDefined && token.text == "defined") {
            out.push_back(std::move(token));
            for (int i = 0; i < 2 && !stack.empty(); i++) {  // [ ( ] name
                while (!stack.empty() && stack.back().kind == Token::Kind::MacroEnd) endMacro(stack);
                if (stack.empty()) break;
                bool parenthesis = stack.back().is("(");
                stack.back().noExpand = true;
                out.push_back(std::move(stack.back()));
                stack.pop_back();
                if (!parenthesis) break;
            }
            continue;
        }
        if (expandBuiltIn(token, out, token.line)) continue;
        auto found = table.find(token.text);
        if (found == table.end()) {
            out.push_back(std::move(token));
            continue;
        }
        Macro& macro = found->second;
        if (macro.disabled) {
            token.noExpand = true;
            out.push_back(std::move(token));
        } else if (!macro.function) {
            closingLine_ = token.line;
            pushBody(token, macro, stack, nullptr, keepDefined);
        } else if (!expandFunction(token, macro, stack, keepDefined)) {
            out.push_back(std::move(token));
        }
    }
}

/// The call's arguments from the stack; false (and nothing taken) when no parenthesis follows.
bool Macros::expandFunction(const Token& name, Macro& macro, std::vector<Token>& stack, bool keepDefined) {
    size_t next = stack.size();
    while (next > 0 && stack[next - 1].kind == Token::Kind::MacroEnd) next--;
    if (next == 0 || !stack[next - 1].is("(")) return false;
    auto take = [&] {
        Token t = std::move(stack.back());
        stack.pop_back();
        if (t.kind == Token::Kind::MacroEnd) {
            if (auto found = table.find(t.text); found != table.end()) found->second.disabled = false;
        }
        return t;
    };
    while (!take().is("(")) {
    }
    std::vector<std::vector<Token>> arguments(1);
    int open = 1;
    closingLine_ = name.line;
    while (open > 0) {
        if (stack.empty()) failCall(name, "macro call is not closed");
        Token t = take();
        if (t.kind == Token::Kind::MacroEnd) continue;
        count(t.line);
        closingLine_ = std::max(closingLine_, t.line);
        if (t.is("(")) open++;
        if (t.is(")") && --open == 0) break;
        // A name that came up inside its own macro stays as it is, though the call goes on behind the macro's end.
        if (auto found = table.find(t.text); found != table.end() && found->second.disabled) t.noExpand = true;
        if (t.is(",") && open == 1)
            arguments.emplace_back();
        else
            arguments.back().push_back(std::move(t));
    }
    size_t given = macro.parameters.empty() && arguments.size() == 1 && arguments[0].empty() ? 0 : arguments.size();
    const size_t taken = macro.parameters.size();
    if (given != taken)
        failCall(name, "macro takes " + std::to_string(taken) + (taken == 1 ? " argument, not " : " arguments, not ") +
                           std::to_string(given));
    pushBody(name, macro, stack, &arguments, keepDefined);
    return true;
}

void Macros::pushBody(const Token& name, Macro& macro, std::vector<Token>& stack,
                      const std::vector<std::vector<Token>>* raw, bool keepDefined) {
    int line = closingLine_;
    // An argument is expanded where the body first has it: one that it has not may be no good for that.
    std::vector<std::optional<std::vector<Token>>> expanded(macro.parameters.size());
    auto expandedArgument = [&](size_t i) -> const std::vector<Token>& {
        if (!expanded[i]) {
            if (++depth_ > kMaxDepth) failCall(name, "macro calls nested too deeply");
            expand((*raw)[i], expanded[i].emplace(), keepDefined);
            depth_--;
        }
        return *expanded[i];
    };
    bool first = true;
    std::vector<Token> body;
    for (size_t at = 0; at < macro.body.size(); at++) {
        const Token& t = macro.body[at];
        if (raw && macro.uses[at] >= 0) {
            const std::vector<Token>& argument = expandedArgument(static_cast<size_t>(macro.uses[at]));
            for (size_t i = 0; i < argument.size(); i++) {
                count(line);
                body.push_back(argument[i]);
                if (i == 0) body.back().spaceBefore = true;
            }
        } else {
            count(line);
            body.push_back(t);
            body.back().line = line;
            body.back().column = name.line == line ? name.column : 0;
        }
        if (first && !body.empty()) body.front().spaceBefore = name.spaceBefore;
        first = false;
    }
    Token end;
    end.kind = Token::Kind::MacroEnd;
    end.text = name.text;
    end.line = line;
    stack.push_back(std::move(end));
    macro.disabled = true;
    for (size_t i = body.size(); i-- > 0;) stack.push_back(std::move(body[i]));
}

// Constant expressions

namespace {

class Evaluator {
public:
    Evaluator(const std::vector<Token>& tokens, const Macros& macros, int line)
        : tokens_(tokens), macros_(macros), line_(line) {}

    int expression() {
        int value = binary(0, true);
        return value;
    }
    [[nodiscard]] bool atEnd() const { return at_ >= tokens_.size(); }
    [[noreturn]] void fail(const std::string& message) const { throw PreprocessError{line_, message}; }

private:
    [[nodiscard]] bool is(std::string_view s) const { return !atEnd() && tokens_[at_].is(s); }

    static int precedence(const Token& t) {
        static constexpr struct {
            std::string_view op;
            int level;
        } kLevels[] = {{"||", 1}, {"&&", 2}, {"|", 3}, {"^", 4},  {"&", 5},  {"==", 6},
                       {"!=", 6}, {"<", 7},  {">", 7}, {"<=", 7}, {">=", 7}, {"<<", 8},
                       {">>", 8}, {"+", 9},  {"-", 9}, {"*", 10}, {"/", 10}, {"%", 10}};
        if (t.kind != Token::Kind::Operator) return 0;
        for (const auto& l : kLevels)
            if (t.text == l.op) return l.level;
        return 0;
    }

    /// Operators of more than `level`; with `live` false the value does not count and nothing is undefined.
    int binary(int level, bool live) {
        int value = unary(live);
        while (!atEnd()) {
            const Token& op = tokens_[at_];
            int p = precedence(op);
            if (p <= level) break;
            at_++;
            bool right = live && !(op.text == "||" && value != 0) && !(op.text == "&&" && value == 0);
            value = apply(op.text, value, binary(p, right), right);
        }
        return value;
    }

    int apply(const std::string& op, int a, int b, bool live) const {
        auto wrap = [](int64_t x) { return static_cast<int>(static_cast<uint32_t>(x)); };
        int64_t x = a, y = b;
        if (op == "||") return a || b;
        if (op == "&&") return a && b;
        if (op == "|") return a | b;
        if (op == "^") return a ^ b;
        if (op == "&") return a & b;
        if (op == "==") return a == b;
        if (op == "!=") return a != b;
        if (op == "<") return a < b;
        if (op == ">") return a > b;
        if (op == "<=") return a <= b;
        if (op == ">=") return a >= b;
        if (op == "<<") return wrap(static_cast<int64_t>(static_cast<uint64_t>(x) << (b & 31)));
        if (op == ">>") return wrap(x >> (b & 31));
        if (op == "+") return wrap(x + y);
        if (op == "-") return wrap(x - y);
        if (op == "*") return wrap(x * y);
        if (b == 0) {
            if (live) fail("'" + op + "' : division by zero in preprocessor expression");
            return 0;
        }
        return wrap(op == "/" ? x / y : x % y);
    }

    int unary(bool live) {
        if (++depth_ > 500) fail("'' : preprocessor expression nested too deeply");
        int value = 0;
        auto sign = [&](auto f) {
            at_++;
            return f(unary(live));
        };
        if (is("-"))
            value = sign([](int x) { return static_cast<int>(0u - static_cast<uint32_t>(x)); });
        else if (is("+"))
            value = sign([](int x) { return x; });
        else if (is("~"))
            value = sign([](int x) { return ~x; });
        else if (is("!"))
            value = sign([](int x) { return static_cast<int>(!x); });
        else
            value = primary(live);
        depth_--;
        return value;
    }

    int primary(bool live) {
        if (atEnd()) fail("'' : preprocessor expression is incomplete");
        const Token& t = tokens_[at_++];
        if (t.is("(")) {
            int value = binary(0, live);
            if (!is(")")) fail("'(' : no matching right parenthesis in preprocessor expression");
            at_++;
            return value;
        }
        if (t.kind == Token::Kind::Number) return number(t);
        if (t.kind == Token::Kind::Identifier) {
            if (t.text == "defined") return definedOperator();
            if (live) fail("'" + t.text + "' : undefined macro in preprocessor expression");
            return 0;
        }
        fail("'" + t.text + "' : unexpected token in preprocessor expression");
    }

    int definedOperator() {
        bool parenthesis = is("(");
        if (parenthesis) at_++;
        if (atEnd() || tokens_[at_].kind != Token::Kind::Identifier) fail("'defined' : identifier expected");
        bool value = macros_.defined(tokens_[at_++].text);
        if (parenthesis) {
            if (!is(")")) fail("'defined' : no matching right parenthesis");
            at_++;
        }
        return value;
    }

    int number(const Token& t) const {
        const std::string& s = t.text;
        int base = 10;
        size_t i = 0;
        if (s.size() > 1 && s[0] == '0') {
            bool hexadecimal = s[1] == 'x' || s[1] == 'X';
            base = hexadecimal ? 16 : 8;
            i = hexadecimal ? 2 : 1;
        }
        bool good = i < s.size();
        uint64_t value = 0;
        for (; i < s.size(); i++) {
            int digit = s[i] >= '0' && s[i] <= '9'   ? s[i] - '0'
                        : s[i] >= 'a' && s[i] <= 'f' ? s[i] - 'a' + 10
                        : s[i] >= 'A' && s[i] <= 'F' ? s[i] - 'A' + 10
                                                     : 99;
            good = good && digit < base;
            value = value * static_cast<uint64_t>(base) + static_cast<uint64_t>(digit % base);
            good = good && value <= 0xFFFFFFFFu;
        }
        if (!good) fail("'" + s + "' : integer expected in preprocessor expression");
        return static_cast<int>(static_cast<uint32_t>(value));
    }

    const std::vector<Token>& tokens_;
    const Macros& macros_;
    int line_;
    size_t at_ = 0;
    int depth_ = 0;
};

}  // namespace

bool evaluateCondition(const std::vector<Token>& tokens, const Macros& macros, int line) {
    Evaluator e(tokens, macros, line);
    int value = e.expression();
    if (!e.atEnd()) e.fail("'' : unexpected tokens after preprocessor expression");
    return value != 0;
}

std::vector<int> evaluateList(const std::vector<Token>& tokens, const Macros& macros, int line) {
    Evaluator e(tokens, macros, line);
    std::vector<int> values;
    while (!e.atEnd()) values.push_back(e.expression());
    return values;
}

}  // namespace tessera::glsl::front
