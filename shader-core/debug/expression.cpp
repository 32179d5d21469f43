#include "shader-core/debug/expression.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "shader-core/debug/trace/trace.h"
#include "shader-core/isa/scalar.h"

namespace tessera::debug {

struct Expression::Node {
    enum class Kind : uint8_t { Number, Name, Unary, Binary, Index, Components, Construct };
    Kind kind = Kind::Number;
    std::string text;     ///< operator, name, components, or type
    Element number;       ///< Number
    bool adapts = false;  ///< Number: an integer that is a float beside one
    std::vector<std::shared_ptr<const Node>> operands;
};

namespace {

namespace scalar = isa::scalar;
using isa::Op;
using isa::Type;
using Node = Expression::Node;
using NodePtr = std::shared_ptr<const Node>;

constexpr size_t kMaxLength = 1000;  ///< of a text, which bounds the depth of its tree
constexpr int kMaxDepth = 200;       ///< brackets and signs within each other

bool isLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }

struct Problem {
    std::string what;
};

// --- Parsing ---

class Parser {
public:
    explicit Parser(std::string_view text) : rest_(text) {}

    NodePtr whole() {
        NodePtr node = binary(0);
        skip();
        if (!rest_.empty()) throw Problem{fmt::format("'{}' is not expected here", rest_)};
        return node;
    }

private:
    void skip() {
        while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\t')) rest_.remove_prefix(1);
    }
    bool accept(std::string_view token) {
        skip();
        if (!rest_.starts_with(token)) return false;
        rest_.remove_prefix(token.size());
        return true;
    }
    void expect(std::string_view token) {
        if (!accept(token)) throw Problem{fmt::format("'{}' is missing", token)};
    }
    std::string_view word() {
        size_t n = 0;
        while (n < rest_.size() && (isLetter(rest_[n]) || isDigit(rest_[n]))) ++n;
        const std::string_view text = rest_.substr(0, n);
        rest_.remove_prefix(n);
        return text;
    }
    static NodePtr node(Node::Kind kind, std::string_view text, std::vector<NodePtr> operands) {
        auto made = std::make_shared<Node>();
        made->kind = kind, made->text = text, made->operands = std::move(operands);
        return made;
    }

    /// Operators by how tightly they bind; of those that begin alike the longer one first.
    static constexpr std::array<std::array<std::string_view, 4>, 6> kOperators = {
        {{"||"}, {"&&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}}};

    NodePtr binary(size_t level) {
        if (level == kOperators.size()) return unary();
        NodePtr left = binary(level + 1);
        while (true) {
            std::string_view found;
            for (const std::string_view one : kOperators[level])
                if (found.empty() && !one.empty() && accept(one)) found = one;
            if (found.empty()) return left;
            left = node(Node::Kind::Binary, found, {left, binary(level + 1)});
        }
    }

    NodePtr unary() {
        for (const std::string_view one : {"-", "+", "!"})
            if (accept(one)) {
                const Nesting deeper(*this);
                return node(Node::Kind::Unary, one, {unary()});
            }
        NodePtr value = primary();
        while (true) {
            if (accept("[")) {
                const Nesting deeper(*this);
                value = node(Node::Kind::Index, "", {value, binary(0)});
                expect("]");
            } else if (accept(".")) {
                const std::string_view components = word();
                if (components.empty()) throw Problem{"components or a member must follow the point"};
                value = node(Node::Kind::Components, components, {value});
            } else {
                return value;
            }
        }
    }

    NodePtr primary() {
        skip();
        if (accept("(")) {
            const Nesting deeper(*this);
            NodePtr inner = binary(0);
            expect(")");
            return inner;
        }
        if (rest_.empty()) throw Problem{"a value is missing at the end"};
        if (isDigit(rest_.front()) || (rest_.front() == '.' && rest_.size() > 1 && isDigit(rest_[1]))) return number();
        if (!isLetter(rest_.front())) throw Problem{fmt::format("'{}' is no value", rest_)};
        const std::string_view name = word();
        if (name == "true" || name == "false") {
            auto made = std::make_shared<Node>();
            made->number = {name == "true" ? scalar::kOne : 0, Format::Bool, {}};
            return made;
        }
        if (!accept("(")) return node(Node::Kind::Name, name, {});
        const Nesting deeper(*this);
        std::vector<NodePtr> arguments;
        do arguments.push_back(binary(0));
        while (accept(","));
        expect(")");
        return node(Node::Kind::Construct, name, std::move(arguments));
    }

    NodePtr number() {
        auto made = std::make_shared<Node>();
        const char *begin = rest_.data(), *end = begin + rest_.size();
        const auto take = [&](const std::from_chars_result& read) {
            if (read.ec != std::errc()) throw Problem{fmt::format("'{}' is no number in range", rest_)};
            rest_.remove_prefix(static_cast<size_t>(read.ptr - begin));
        };
        if (rest_.starts_with("0x")) {
            const auto read = std::from_chars(begin + 2, end, made->number.bits, 16);
            made->number.format = Format::I32;
            take(read);
            return made;
        }
        uint64_t integer = 0;
        const auto whole = std::from_chars(begin, end, integer);
        const bool point = whole.ptr != end && (*whole.ptr == '.' || *whole.ptr == 'e' || *whole.ptr == 'E');
        if (whole.ec == std::errc() && !point) {
            if (integer > UINT32_MAX) throw Problem{fmt::format("'{}' is no number in range", rest_)};
            made->adapts = integer <= INT32_MAX;
            made->number = {static_cast<uint32_t>(integer), made->adapts ? Format::I32 : Format::U32, {}};
            take(whole);
            return made;
        }
        float value = 0;
        const auto read = std::from_chars(begin, end, value);
        made->number = {std::bit_cast<uint32_t>(value), Format::F32, {}};
        take(read);
        return made;
    }

    struct Nesting {
        explicit Nesting(Parser& p) : parser(p) {
            if (++parser.depth_ > kMaxDepth) throw Problem{"too many brackets and signs within each other"};
        }
        ~Nesting() { --parser.depth_; }
        Nesting(const Nesting&) = delete;
        Parser& parser;
    };

    std::string_view rest_;
    int depth_ = 0;
};

// --- Evaluating ---

/// How the machine reads the element: booleans are compared with zero as integers are.
Type typeOf(const Element& e) {
    return e.format == Format::F32 ? Type::F32 : e.format == Format::U32 ? Type::U32 : Type::I32;
}
bool truth(const Element& e) { return scalar::holds(typeOf(e), e.bits); }

struct Operand {
    Value value;
    bool adapts = false;  ///< integer numbers that may become floats
};

class Evaluator {
public:
    Evaluator(const Moment& moment, int lane) : moment_(moment), lane_(lane) {}
    /// Sees whether there can be a value in any lane; what it returns has the right size but says nothing else.
    explicit Evaluator(const Moment& moment) : moment_(moment), checksOnly_(true) {}

    Operand evaluate(const Node& node) {
        switch (node.kind) {
            case Node::Kind::Number:
                return {{{}, {node.number}}, node.adapts};
            case Node::Kind::Unary:
                return unary(node);
            case Node::Kind::Binary:
                return binary(node);
            case Node::Kind::Construct:
                return {construct(node), false};
            default:
                break;
        }
        // A name with its members, elements and components; or the components of any other value.
        if (const std::optional<Named> named = variable(node)) return {valueOf(*named), false};
        if (node.kind == Node::Kind::Name)
            throw Problem{
                fmt::format("'{}' is no variable or register here; locals and registers list them", node.text)};
        return {part(node), false};
    }

    /// Nothing when the node is no name; a Problem when it is one whose part does not exist.
    std::optional<Named> variable(const Node& node) {
        if (const std::optional<std::string> path = pathOf(node))
            if (auto found = findVariable(program(), lineOf(program(), moment_.pc), moment_.pc, *path)) return found;
        if (node.kind != Node::Kind::Index && node.kind != Node::Kind::Components) return std::nullopt;
        std::optional<Named> base = variable(*node.operands[0]);
        if (!base) {
            if (node.kind == Node::Kind::Index) throwIfNoElement(*node.operands[0], *node.operands[1]);
            return std::nullopt;
        }
        if (node.kind == Node::Kind::Components) {
            if (!chooseComponents(*base, node.text))
                throw Problem{fmt::format("there is no component '{}'", node.text)};
        } else if (const int index = indexOf(*node.operands[1]); !chooseElement(*base, index)) {
            throw Problem{fmt::format("there is no element {}", index)};
        }
        return base;
    }

private:
    [[nodiscard]] const isa::Program& program() const { return *moment_.group.program; }

    /// A problem in this lane at this moment, which others may not have.
    void failsInLane(std::string what) const {
        if (!checksOnly_) throw Problem{std::move(what)};
    }

    [[nodiscard]] Value valueOf(const Named& named) const {
        Value value = read(named, moment_, lane_);
        // A register that is missing is so in all lanes; a local may have a value elsewhere.
        return checksOnly_ && named.isRegister() ? known(std::move(value), true) : value;
    }

    /// How the lists of variables spell it: "lights[1].colour".
    static std::optional<std::string> pathOf(const Node& node) {
        if (node.kind == Node::Kind::Name) return node.text;
        if (node.kind != Node::Kind::Index && node.kind != Node::Kind::Components) return std::nullopt;
        const std::optional<std::string> base = pathOf(*node.operands[0]);
        if (!base) return std::nullopt;
        if (node.kind == Node::Kind::Components) return *base + "." + node.text;
        const Node& index = *node.operands[1];
        if (index.kind != Node::Kind::Number || !index.adapts) return std::nullopt;
        return fmt::format("{}[{}]", *base, index.number.bits);
    }

    /// Elements of an array of structures are no variables, only their members are.
    void throwIfNoElement(const Node& array, const Node& index) {
        const std::optional<std::string> path = pathOf(array);
        const std::vector<uint32_t> elements =
            path ? elementsOf(program(), lineOf(program(), moment_.pc), moment_.pc, *path) : std::vector<uint32_t>();
        if (elements.empty()) return;
        const int number = indexOf(index);
        if (std::ranges::find(elements, static_cast<uint32_t>(number)) == elements.end())
            throw Problem{fmt::format("index {} is outside of the elements of '{}' that the program has: {}", number,
                                      *path, rangeText(elements))};
    }
    /// "0 to 3", or, with gaps, "0, 2, 3".
    static std::string rangeText(const std::vector<uint32_t>& numbers) {
        const bool whole = numbers.back() - numbers.front() + 1 == numbers.size();
        return whole && numbers.size() > 1 ? fmt::format("{} to {}", numbers.front(), numbers.back())
                                           : fmt::format("{}", fmt::join(numbers, ", "));
    }

    int indexOf(const Node& node) {
        const Value index = known(evaluate(node).value);
        if (!index.shape.isScalar()) throw Problem{"an index must be an integer"};
        if (!isInteger(index.elements[0])) failsInLane("an index must be an integer");
        if (checksOnly_ && node.kind != Node::Kind::Number) return 0;
        return static_cast<int>(index.elements[0].bits);
    }

    Value part(const Node& node) {
        Value base = evaluate(*node.operands[0]).value;
        std::vector<size_t> chosen;
        if (node.kind == Node::Kind::Index) {
            if (!base.shape.isVector() || base.shape.rows == 1)
                throw Problem{"only vectors, matrices and arrays have elements"};
            chosen.push_back(static_cast<size_t>(indexOf(*node.operands[1])));
        } else {
            for (const char c : node.text)
                chosen.push_back(std::min(kComponents.find(c), std::string_view("rgba").find(c)));
        }
        Value result{{static_cast<int>(chosen.size()), 1, 0}, {}};
        for (const size_t i : chosen) {
            if (!base.shape.isVector() || i >= base.elements.size() || chosen.size() > 4)
                throw Problem{"there is no such component"};
            result.elements.push_back(base.elements[i]);
        }
        return result;
    }

    [[nodiscard]] Value known(Value value, bool inAllLanes = false) const {
        for (const Element& one : value.elements) {
            if (one.missing.empty()) continue;
            if (inAllLanes) throw Problem{fmt::format("<{}>", one.missing)};
            failsInLane(fmt::format("<{}>", one.missing));
        }
        return value;
    }

    static bool isInteger(const Element& e) { return e.format == Format::I32 || e.format == Format::U32; }
    static Element boolean(bool x) { return {x ? scalar::kOne : 0, Format::Bool, {}}; }
    static void toFloat(Value& value) {
        for (Element& one : value.elements) one = {compute(Op::I2f, Type::I32, one.bits), Format::F32, {}};
    }

    Operand unary(const Node& node) {
        Operand operand = evaluate(*node.operands[0]);
        operand.value = known(std::move(operand.value));
        if (node.text == "+") return operand;
        if (node.text == "!") {
            if (!operand.value.shape.isScalar()) throw Problem{"! takes a scalar"};
            return {{{}, {boolean(!truth(operand.value.elements[0]))}}, false};
        }
        for (Element& one : operand.value.elements) {
            if (one.format == Format::Bool) throw Problem{"a bool has no sign"};
            one.bits = scalar::modified(typeOf(one), one.bits, false, true);
        }
        return operand;
    }

    bool condition(const Node& node) {
        const Value value = known(evaluate(node).value);
        if (!value.shape.isScalar()) throw Problem{"&& and || take scalars"};
        return truth(value.elements[0]);
    }

    Operand binary(const Node& node) {
        const std::string& op = node.text;
        if (op == "&&" || op == "||") {
            const bool left = condition(*node.operands[0]);
            const bool decided = left == (op == "||") && !checksOnly_;
            return {{{}, {boolean(decided ? left : condition(*node.operands[1]))}}, false};
        }
        Operand a = evaluate(*node.operands[0]), b = evaluate(*node.operands[1]);
        a.value = known(std::move(a.value)), b.value = known(std::move(b.value));
        if (a.adapts && b.value.elements[0].format == Format::F32) toFloat(a.value);
        if (b.adapts && a.value.elements[0].format == Format::F32) toFloat(b.value);
        const bool adapts = a.adapts && b.adapts;
        const bool broadcast = a.value.shape.isScalar() || b.value.shape.isScalar();
        if (!broadcast && a.value.shape != b.value.shape)
            throw Problem{fmt::format("the sides of {} differ in size", op)};
        if (op == "==" || op == "!=") {
            bool equal = a.value.shape == b.value.shape;
            if (!equal) throw Problem{fmt::format("the sides of {} differ in size", op)};
            for (size_t i = 0; i < a.value.elements.size(); ++i)
                equal = truth(combine("==", a.value.elements[i], b.value.elements[i])) && equal;
            return {{{}, {boolean(equal == (op == "=="))}}, false};
        }
        const bool matrices = a.value.shape.columns > 1 || b.value.shape.columns > 1;
        if (a.value.shape.elements != 0 || b.value.shape.elements != 0)
            throw Problem{fmt::format("{} does not take arrays; choose elements", op)};
        if (matrices && !broadcast && op == "*") throw Problem{"products of matrices are not computed; choose columns"};
        const bool relation = op[0] == '<' || op[0] == '>';
        const Value& larger = a.value.shape.isScalar() ? b.value : a.value;
        if (relation && !larger.shape.isScalar()) throw Problem{fmt::format("{} takes scalars", op)};
        Value result{larger.shape, {}};
        for (size_t i = 0; i < larger.elements.size(); ++i)
            result.elements.push_back(combine(op, a.value.elements[a.value.shape.isScalar() ? 0 : i],
                                              b.value.elements[b.value.shape.isScalar() ? 0 : i]));
        return {std::move(result), adapts};
    }

    [[nodiscard]] Element combine(std::string_view op, const Element& a, const Element& b) const {
        if (isInteger(a) && isInteger(b)) return integers(op, a, b);
        const bool bools = a.format == Format::Bool && b.format == Format::Bool;
        if (bools && op == "==") return boolean(truth(a) == truth(b));
        if (a.format != Format::F32 || b.format != Format::F32) {
            failsInLane(
                fmt::format("{} takes two floats or two integers; a register is read as another type by "
                            "print NAME/f, NAME/i",
                            op));
            return a;
        }
        if (op == "%") {
            failsInLane("% takes integers");
            return a;
        }
        return apply(op, Type::F32, a, b);
    }

    [[nodiscard]] Element integers(std::string_view op, const Element& a, const Element& b) const {
        if ((op == "/" || op == "%") && b.bits == 0) {
            failsInLane("division by zero");
            return a;
        }
        // What is unsigned makes the other side so; numbers and loop counters are signed.
        const bool isUnsigned = a.format == Format::U32 || b.format == Format::U32;
        return apply(op, isUnsigned ? Type::U32 : Type::I32, a, b);
    }

    /// What the machine computes for the operator.
    static Element apply(std::string_view op, Type type, const Element& a, const Element& b) {
        const uint32_t x = a.bits, y = b.bits;
        const auto relation = [&](Op comparison, uint32_t left, uint32_t right) {
            return Element{compute(comparison, type, left, right), Format::Bool, {}};
        };
        if (op == "<") return relation(Op::Slt, x, y);
        if (op == "<=") return relation(Op::Sge, y, x);
        if (op == ">") return relation(Op::Slt, y, x);
        if (op == ">=") return relation(Op::Sge, x, y);
        if (op == "==") return relation(Op::Seq, x, y);
        const uint32_t right = op == "-" ? scalar::modified(type, y, false, true) : y;
        const Op arithmetic = op == "*" ? Op::Mul : op == "/" ? Op::Div : op == "%" ? Op::Mod : Op::Add;
        return {compute(arithmetic, type, x, right), formatOf(type), {}};
    }
    static uint32_t compute(Op op, Type type, uint32_t a, uint32_t b = 0) { return *scalar::component(op, type, a, b); }

    [[nodiscard]] Element convert(const Element& e, Format to) const {
        if (to == Format::Bool) return boolean(truth(e));
        if (e.format == Format::Bool) {
            const uint32_t one = to == Format::F32 ? scalar::kOne : 1;
            return {truth(e) ? one : 0, to, {}};
        }
        if (to == Format::F32) return isInteger(e) ? Element{compute(Op::I2f, typeOf(e), e.bits), to, {}} : e;
        if (isInteger(e)) return {e.bits, to, {}};
        const float x = std::bit_cast<float>(e.bits);
        const bool inRange = x > -2147483904.0f && x < 2147483648.0f;
        if (!inRange) {
            failsInLane("the float is too large for an int");
            return {0, to, {}};
        }
        return {compute(Op::F2i, Type::I32, e.bits), to, {}};
    }

    Value construct(const Node& node) {
        struct Type {
            std::string_view name;
            Format format;
            size_t rows;
        };
        static constexpr Type kTypes[] = {
            {"float", Format::F32, 1},  {"vec2", Format::F32, 2},   {"vec3", Format::F32, 3},
            {"vec4", Format::F32, 4},   {"int", Format::I32, 1},    {"ivec2", Format::I32, 2},
            {"ivec3", Format::I32, 3},  {"ivec4", Format::I32, 4},  {"bool", Format::Bool, 1},
            {"bvec2", Format::Bool, 2}, {"bvec3", Format::Bool, 3}, {"bvec4", Format::Bool, 4}};
        const auto type = std::ranges::find(kTypes, std::string_view(node.text), &Type::name);
        if (type == std::end(kTypes))
            throw Problem{fmt::format("'{}' is no type of a scalar or vector; functions are not called", node.text)};
        Value result{{static_cast<int>(type->rows), 1, 0}, {}};
        for (const auto& argument : node.operands)
            for (const Element& one : known(evaluate(*argument).value).elements)
                result.elements.push_back(convert(one, type->format));
        if (result.elements.size() == 1) result.elements.resize(type->rows, result.elements[0]);
        if (result.elements.size() < type->rows) throw Problem{fmt::format("{} has too few components", node.text)};
        result.elements.resize(type->rows);
        return result;
    }

    const Moment& moment_;
    int lane_ = 0;
    bool checksOnly_ = false;
};

/// What is wrong with a condition of that size; nothing when it is a scalar.
std::string problemOfCondition(const Value& value) { return value.shape.isScalar() ? "" : "a condition is a scalar"; }

}  // namespace

std::optional<Expression> Expression::parse(std::string_view text, std::string& error) {
    try {
        if (text.size() > kMaxLength) throw Problem{fmt::format("an expression has at most {} characters", kMaxLength)};
        Expression made;
        made.text_ = text;
        made.root_ = Parser(text).whole();
        return made;
    } catch (const Problem& problem) {
        error = problem.what;
        return std::nullopt;
    }
}

std::optional<Value> Expression::evaluate(const Moment& moment, int lane, std::string& error) const {
    try {
        return Evaluator(moment, lane).evaluate(*root_).value;
    } catch (const Problem& problem) {
        error = problem.what;
        return std::nullopt;
    }
}

std::optional<bool> Expression::holds(const Moment& moment, int lane, std::string& error) const {
    const std::optional<Value> value = evaluate(moment, lane, error);
    if (!value) return std::nullopt;
    error = problemOfCondition(*value);
    const Element& one = value->elements[0];
    if (error.empty() && !one.missing.empty()) error = fmt::format("<{}>", one.missing);
    if (!error.empty()) return std::nullopt;
    return truth(one);
}

std::string Expression::problemAsCondition(const Moment& moment) const {
    try {
        return problemOfCondition(Evaluator(moment).evaluate(*root_).value);
    } catch (const Problem& problem) {
        return problem.what;
    }
}

std::optional<Named> Expression::variable(const Moment& moment, int lane, std::string& error) const {
    try {
        auto named = Evaluator(moment, lane).variable(*root_);
        if (!named) error = fmt::format("'{}' is no variable or register here; locals and registers list them", text_);
        return named;
    } catch (const Problem& problem) {
        error = problem.what;
        return std::nullopt;
    }
}

}  // namespace tessera::debug
