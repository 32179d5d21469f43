// Macro definitions, their expansion, and the constant expressions of #if.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "shader-core/glsl/front/preprocess/tokens.h"

namespace tessera::glsl::front {

/// What went wrong, and where.
struct PreprocessError {
    int line = 1;  ///< physical
    std::string message;
    int column = 0;  ///< 0: unknown, or that of the directive
};

struct Macro {
    bool function = false;
    bool predefined = false;
    bool disabled = false;  ///< while its expansion is scanned again
    std::vector<std::string> parameters;
    std::vector<Token> body;
    std::vector<int> uses;  ///< of each token of a function's body: the parameter that it names, or -1

    [[nodiscard]] bool sameAs(const Macro& other) const;
};

class Macros {
public:
    std::unordered_map<std::string, Macro> table;
    /// Value of __LINE__ and __FILE__ on a physical line.
    std::function<int(int)> lineNumber, fileNumber;

    /// Appends the expansion of `tokens` to `out`. With `keepDefined`, the operand of `defined` is left alone.
    void expand(const std::vector<Token>& tokens, std::vector<Token>& out, bool keepDefined);
    [[nodiscard]] bool defined(const std::string& name) const;

private:
    void endMacro(std::vector<Token>& stack);
    void expandStack(std::vector<Token>& stack, std::vector<Token>& out, bool keepDefined);
    bool expandBuiltIn(const Token& token, std::vector<Token>& out, int line);
    bool expandFunction(const Token& name, Macro& macro, std::vector<Token>& stack, bool keepDefined);
    void pushBody(const Token& name, Macro& macro, std::vector<Token>& stack,
                  const std::vector<std::vector<Token>>* raw, bool keepDefined);
    void count(int line);

    size_t produced_ = 0;
    int depth_ = 0;
    int closingLine_ = 0;
};

/// The value of an expanded #if expression; all tokens must belong to it.
[[nodiscard]] bool evaluateCondition(const std::vector<Token>& tokens, const Macros& macros, int line);
/// Integer operands of #line: expressions, each as long as operators go on with it. "5 +2" is one, "(5) (2)" are two.
[[nodiscard]] std::vector<int> evaluateList(const std::vector<Token>& tokens, const Macros& macros, int line);

}  // namespace tessera::glsl::front
