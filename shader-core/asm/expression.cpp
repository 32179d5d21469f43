// Recursive descent with one function for each level: shift < sum < product < sign < primary. Nesting is bounded.
#include "shader-core/asm/expression.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "shader-core/asm/spelling.h"

namespace tessera::assembly {

namespace {

constexpr std::array<std::string_view, 6> kNames{"pi", "abs", "floor", "max", "min", "sqrt"};
constexpr double kPi = 3.14159265358979323846;
constexpr int kMaxDepth = 64;

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isWord(char c) { return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isWhole(double value) { return std::abs(value) <= 9007199254740992.0 && value == std::floor(value); }

class Reader {
public:
    Reader(std::string_view text, const Symbols& symbols) : text_(text), symbols_(symbols) {}

    ExpressionResult run() {
        ExpressionResult result;
        double value = 0;
        if (shift(value) && check(std::isfinite(value), 0, "the value is too large, or no number"))
            result.value = value;
        result.length = at_;
        result.error = error_;
        result.errorAt = errorAt_;
        result.unknownName = unknownName_;
        return result;
    }

private:
    bool check(bool good, size_t at, std::string why) {
        if (good || !error_.empty()) return good;
        error_ = std::move(why);
        errorAt_ = at;
        return false;
    }
    size_t skip() {
        while (at_ < text_.size() && isSpace(text_[at_])) ++at_;
        return at_;
    }
    bool accept(std::string_view sign) {
        const size_t before = at_;
        if (text_.substr(skip()).starts_with(sign)) {
            at_ += sign.size();
            return true;
        }
        at_ = before;  // spaces behind the expression are not its own
        return false;
    }

    bool shift(double& value) {
        if (!sum(value)) return false;
        for (;;) {
            const size_t at = at_;
            const bool left = accept("<<");
            if (!left && !accept(">>")) return true;
            double count = 0;
            if (!sum(count)) return false;
            if (!check(isWhole(value) && isWhole(count) && count >= 0 && count < 32, at,
                       "a shift takes whole numbers, and a count from 0 to 31"))
                return false;
            const double scale = static_cast<double>(1u << static_cast<int>(count));
            value = left ? value * scale : std::floor(value / scale);
        }
    }
    bool sum(double& value) {
        if (!product(value)) return false;
        for (;;) {
            const bool plus = accept("+");
            if (!plus && !accept("-")) return true;
            double other = 0;
            if (!product(other)) return false;
            value = plus ? value + other : value - other;
        }
    }
    bool product(double& value) {
        if (!signedValue(value)) return false;
        for (;;) {
            const size_t at = at_;
            const char sign = accept("*") ? '*' : accept("/") ? '/' : accept("%") ? '%' : '\0';
            if (!sign) return true;
            double other = 0;
            if (!signedValue(other)) return false;
            if (!check(sign == '*' || other != 0, at, "division by zero")) return false;
            if (!check(sign != '%' || (isWhole(value) && isWhole(other)), at, "a remainder takes whole numbers"))
                return false;
            value = sign == '*'   ? value * other
                    : sign == '/' ? value / other
                                  : static_cast<double>(static_cast<int64_t>(value) % static_cast<int64_t>(other));
        }
    }
    bool signedValue(double& value) {
        bool negative = false;
        while (accept("-")) negative = !negative;
        if (!primary(value)) return false;
        if (negative) value = -value;
        return true;
    }

    bool primary(double& value) {
        const size_t start = skip();
        if (!check(depth_ < kMaxDepth, start, "parentheses are nested too deep")) return false;
        if (accept("(")) {
            ++depth_;
            const bool good = shift(value) && check(accept(")"), at_, "')' must follow the expression");
            --depth_;
            return good;
        }
        const char c = start < text_.size() ? text_[start] : '\0';
        if (isDigit(c) || c == '.') return number(value);
        size_t end = start;
        while (end < text_.size() && isWord(text_[end])) ++end;
        const std::string_view name = text_.substr(start, end - start);
        if (name.empty()) return check(false, start, "a number or the name of one must stand here");
        at_ = end;
        if (name == "pi") {
            value = kPi;
            return true;
        }
        if (find(kNames, name)) return function(name, value);
        const Symbol* symbol = symbols_.find(name);
        if (!check(symbol || name.size() < 2 || !isReserved(name), start,
                   fmt::format("'{}' is a register; an expression is of numbers", name.substr(0, 40))))
            return false;
        if (symbol == nullptr) {
            unknownName_ = name;
            return check(false, start,
                         fmt::format("nothing is named '{}'{}", name.substr(0, 40),
                                     symbols_.instead(name, Symbols::Wanted::Number)));
        }
        if (!check(symbol->kind == Symbol::Kind::Number, start, fmt::format("'{}' is a register, no number", name)))
            return false;
        value = symbol->value;
        return true;
    }

    bool function(std::string_view name, double& value) {
        const size_t start = at_;
        const bool two = name == "min" || name == "max";
        double other = 0;
        ++depth_;
        const bool good =
            check(accept("("), start, fmt::format("'(' must follow {}", name)) && shift(value) &&
            (!two || (check(accept(","), at_, fmt::format("{} takes two numbers", name)) && shift(other))) &&
            check(accept(")"), at_, fmt::format("')' must end {}", name));
        --depth_;
        if (!good) return false;
        if (name == "sqrt" && !check(value >= 0, start, "the square root of a negative number")) return false;
        value = name == "sqrt"    ? std::sqrt(value)
                : name == "floor" ? std::floor(value)
                : name == "abs"   ? std::abs(value)
                : name == "min"   ? std::min(value, other)
                                  : std::max(value, other);
        return true;
    }

    bool number(double& value) {
        const std::string_view rest = text_.substr(at_);
        const size_t start = at_;
        const bool hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
        std::from_chars_result read{};
        if (hexadecimal) {
            uint64_t whole = 0;
            read = std::from_chars(rest.data() + 2, rest.data() + rest.size(), whole, 16);
            if (!check(read.ec == std::errc{} && whole <= 0xFFFFFFFFu, start,
                       "one to eight hexadecimal digits must follow 0x"))
                return false;
            value = static_cast<double>(whole);
        } else {
            read = std::from_chars(rest.data(), rest.data() + rest.size(), value);
            if (!check(read.ec == std::errc{}, start, "a number must stand here, within the range of double precision"))
                return false;
        }
        at_ += static_cast<size_t>(read.ptr - rest.data());
        size_t end = at_;
        while (end < text_.size() && (isWord(text_[end]) || text_[end] == '.')) ++end;
        return check(end == at_, start, noNumber(text_.substr(start, at_ - start), text_.substr(at_, end - at_)));
    }

    std::string_view text_;
    const Symbols& symbols_;
    size_t at_ = 0, errorAt_ = 0;
    int depth_ = 0;
    std::string error_, unknownName_;
};

}  // namespace

ExpressionResult readExpression(std::string_view text, const Symbols& symbols) { return Reader(text, symbols).run(); }

bool startsOperator(std::string_view text) {
    while (!text.empty() && isSpace(text[0])) text.remove_prefix(1);
    return !text.empty() && (std::string_view("+-*/%").find(text[0]) != std::string_view::npos ||
                             text.starts_with("<<") || text.starts_with(">>"));
}

std::span<const std::string_view> expressionNames() { return kNames; }

}  // namespace tessera::assembly
