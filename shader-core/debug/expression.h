// Expressions over the variables of a program, as GLSL writes them:
//
//   or      = and { "||" and }                    sum     = product { ("+" | "-") product }
//   and     = equality { "&&" equality }          product = unary { ("*" | "/" | "%") unary }
//   equality= relation { ("==" | "!=") relation } unary   = { "-" | "+" | "!" } postfix
//   relation= sum { ("<"|"<="|">"|">=") sum }     postfix = primary { "[" or "]" | "." components }
//   primary = number | true | false | name | type "(" or { "," or } ")" | "(" or ")"
//
// Names are those of variable.h. Vectors combine component by component, and with scalars. As in GLSL there is no
// conversion between int and float, but for numbers: 1 is a float beside a float. Floats are computed as the machine
// does: each operation rounded once, to nearest even.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "shader-core/debug/variable.h"

namespace tessera::debug {

class Expression {
public:
    /// Nothing, and why in `error`, when the text is no expression. Names are looked up later, where it is evaluated.
    [[nodiscard]] static std::optional<Expression> parse(std::string_view text, std::string& error);

    /// The value in a lane; nothing, and why, when a name means nothing there or operands do not fit. A name alone may
    /// give a value of which components are missing.
    [[nodiscard]] std::optional<Value> evaluate(const Moment& moment, int lane, std::string& error) const;
    /// Whether a scalar is not zero.
    [[nodiscard]] std::optional<bool> holds(const Moment& moment, int lane, std::string& error) const;
    /// Why it can hold in no lane at the moment's instruction, whatever the lanes contain: a name that means nothing
    /// there, sizes that do not fit, or no scalar. Empty when it can.
    [[nodiscard]] std::string problemAsCondition(const Moment& moment) const;
    /// The variable, or part of one, that the expression is a name of; an index may be computed in the lane.
    [[nodiscard]] std::optional<Named> variable(const Moment& moment, int lane, std::string& error) const;

    [[nodiscard]] const std::string& text() const { return text_; }

    struct Node;

private:
    std::string text_;
    std::shared_ptr<const Node> root_;
};

}  // namespace tessera::debug
