// Constant expressions: numbers, names of numbers, + - * / % << >>, parentheses and a few functions, computed in double
// precision from operations that are rounded exactly, so that a text means the same on every machine.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "shader-core/asm/symbols.h"

namespace tessera::assembly {

struct ExpressionResult {
    std::optional<double> value;
    size_t length = 0;   ///< characters read
    size_t errorAt = 0;  ///< where the error is
    std::string error;
    std::string unknownName;  ///< the error is that nothing has this name
};

/// Reads the expression at the front of `text`, as far as it goes.
[[nodiscard]] ExpressionResult readExpression(std::string_view text, const Symbols& symbols);

/// Whether `text`, which follows a number, goes on with an operator.
[[nodiscard]] bool startsOperator(std::string_view text);

/// Names an expression knows: pi and the functions.
[[nodiscard]] std::span<const std::string_view> expressionNames();

}  // namespace tessera::assembly
