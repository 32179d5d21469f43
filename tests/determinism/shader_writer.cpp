#include "tests/determinism/shader_writer.h"

#include <fmt/format.h>

#include <array>
#include <vector>

namespace determinism {

namespace {

/// Expressions are float vectors of 1 to 4 components; integers and booleans appear inside them.
const char* const kTypeNames[] = {"", "float", "vec2", "vec3", "vec4"};

class Writer {
public:
    Writer(Chooser& choose, bool isFragment) : choose_(choose), isFragment_(isFragment) {
        if (isFragment) {
            readable_ = {{"v_first", 4}, {"v_second", 3}, {"v_third", 2}, {"gl_FragCoord", 4}, {"gl_PointCoord", 2}};
        } else {
            readable_ = {{"a_position", 4}, {"a_first", 4}, {"a_second", 2}};
        }
        for (int i = 0; i < 4; ++i) readable_.push_back({fmt::format("u_vector[{}]", i), 4});
    }

    std::string body(bool hasLongLoop) {
        if (hasLongLoop) longLoop();
        const int locals = choose_.between(1, 4);
        for (int i = 0; i < locals; ++i) {
            const int width = choose_.between(1, 4);
            line(fmt::format("{} t{} = {};", kTypeNames[width], i, expression(width, 2)));
            written_.push_back({fmt::format("t{}", i), width});
            readable_.push_back(written_.back());
        }
        line("vec4 list[3];");
        for (int i = 0; i < 3; ++i) line(fmt::format("list[{}] = {};", i, expression(4, 1)));
        hasList_ = true;
        const int statements = choose_.between(1, 4);
        for (int i = 0; i < statements; ++i) statement(0);
        return std::move(text_);
    }

    /// A loop of about five instructions, of a length that differs from lane to lane.
    void longLoop() {
        static constexpr const char* kIterations[] = {"9000.0", "12000.0", "13000.0", "14000.0", "19000.0"};
        line("float spent = 0.0, limit = " + std::string(choose_.of(kIterations)) + " * fract(" + expression(1, 1) +
             ");");
        line("for (int k = 0; k < 20000; ++k) {");
        line("    if (float(k) > limit) break;");
        line("    spent += 0.001;");
        line("}");
        readable_.push_back({"fract(spent)", 1});
    }

    std::string expression(int width, int depth) {
        if (depth <= 0 || choose_.oneIn(6)) return leaf(width);
        switch (choose_.below(12)) {
            case 0:
            case 1:
            case 2:
                return binary(width, depth);
            case 3:
                return componentwise(width, depth);
            case 4:
                return reduction(width, depth);
            case 5:
                return constructor(width, depth);
            case 6:
                return fmt::format("({} ? {} : {})", condition(depth - 1), expression(width, depth - 1),
                                   expression(width, depth - 1));
            case 7:
                return swizzled(choose_.oneIn(3) ? "helper(" + expression(4, depth - 1) + ")" : lookup(depth), width);
            case 8:
                return swizzled("(u_matrix * " + expression(4, depth - 1) + ")", width);
            case 9:
                return fmt::format("{}(int({}))", kTypeNames[width], expression(1, depth - 1));
            case 10:
                if (hasList_)
                    return swizzled(
                        fmt::format("list[{}]", choose_.oneIn(2) ? "clampIndex(" + expression(1, depth - 1) + ")"
                                                                 : std::to_string(choose_.below(3))),
                        width);
                [[fallthrough]];
            default:
                return binary(width, depth);
        }
    }

private:
    struct Variable {
        std::string name;
        int width;
    };

    void line(const std::string& what) { text_ += std::string(4 * (indent_ + 1), ' ') + what + "\n"; }

    std::string literal() {
        static constexpr const char* kSpecial[] = {"0.0", "1.0", "-1.0", "0.5", "2.0", "1.0e-3", "37.5", "-0.25"};
        return choose_.oneIn(2) ? choose_.of(kSpecial) : fmt::format("{:.4f}", choose_.real(-4, 4));
    }

    std::string leaf(int width) {
        if (choose_.oneIn(5)) return fmt::format("{}({})", kTypeNames[width], literal());
        const Variable& variable = readable_[static_cast<size_t>(choose_.below(static_cast<int>(readable_.size())))];
        return fit(variable, width);
    }

    std::string fit(const Variable& variable, int width) {
        if (variable.width == 1) return fmt::format("{}({})", kTypeNames[width], variable.name);
        return variable.name + "." + letters(variable.width, width);
    }

    std::string swizzled(const std::string& vec4, int width) { return vec4 + "." + letters(4, width); }

    std::string letters(int from, int count) {
        std::string result;
        for (int i = 0; i < count; ++i) result += "xyzw"[choose_.below(from)];
        return result;
    }

    std::string binary(int width, int depth) {
        static constexpr const char* kOperators[] = {"+", "-", "*", "/", "*", "+"};
        return fmt::format("({} {} {})", expression(width, depth - 1), choose_.of(kOperators),
                           expression(width, depth - 1));
    }

    std::string componentwise(int width, int depth) {
        static constexpr const char* kOne[] = {"sin",   "cos",  "tan",   "asin",    "acos",        "atan", "exp",
                                               "exp2",  "log",  "log2",  "sqrt",    "inversesqrt", "abs",  "sign",
                                               "floor", "ceil", "fract", "radians", "degrees"};
        static constexpr const char* kTwo[] = {"pow", "mod", "min", "max", "step", "atan", "reflect"};
        static constexpr const char* kThree[] = {"clamp", "mix", "smoothstep", "faceforward"};
        const auto argument = [&] { return expression(width, depth - 1); };
        switch (choose_.below(4)) {
            case 0:
                return fmt::format("{}({}, {})", choose_.of(kTwo), argument(), argument());
            case 1:
                return fmt::format("{}({}, {}, {})", choose_.of(kThree), argument(), argument(), argument());
            case 2:
                if (isFragment_) {
                    static constexpr const char* kDerivatives[] = {"dFdx", "dFdy", "fwidth"};
                    return fmt::format("{}({})", choose_.of(kDerivatives), argument());
                }
                [[fallthrough]];
            default:
                return fmt::format("{}({})", choose_.of(kOne), argument());
        }
    }

    std::string reduction(int width, int depth) {
        const int inner = choose_.between(2, 4);
        const std::string a = expression(inner, depth - 1), b = expression(inner, depth - 1);
        switch (choose_.below(5)) {
            case 0:
                return fmt::format("{}(dot({}, {}))", kTypeNames[width], a, b);
            case 1:
                return fmt::format("{}(length({}))", kTypeNames[width], a);
            case 2:
                return fmt::format("{}(distance({}, {}))", kTypeNames[width], a, b);
            case 3:
                return width >= 2 ? fmt::format("normalize({})", expression(width, depth - 1))
                                  : fmt::format("dot({}, {})", a, b);
            default:
                return width == 3 ? fmt::format("cross({}, {})", expression(3, depth - 1), expression(3, depth - 1))
                                  : fmt::format("refract({}, {}, 0.8)", expression(width, depth - 1),
                                                expression(width, depth - 1));
        }
    }

    std::string constructor(int width, int depth) {
        if (width == 1) return fmt::format("float({})", condition(depth - 1));
        const int first = choose_.between(1, width - 1);
        return fmt::format("{}({}, {})", kTypeNames[width], expression(first, depth - 1),
                           expression(width - first, depth - 1));
    }

    std::string lookup(int depth) {
        if (!isFragment_)
            return fmt::format("texture2DLod(u_image, {}, {})", expression(2, depth - 1), expression(1, 1));
        switch (choose_.below(5)) {
            case 0:
                return fmt::format("textureCube(u_cube, {})", expression(3, depth - 1));
            case 1:
                return fmt::format("texture2D(u_image, {}, {})", expression(2, depth - 1), expression(1, 1));
            case 2:
                return fmt::format("texture2DProj(u_image, {})", expression(3, depth - 1));
            default:
                return fmt::format("texture2D(u_image, {})", expression(2, depth - 1));
        }
    }

    std::string condition(int depth) {
        static constexpr const char* kCompare[] = {"<", ">", "<=", ">=", "==", "!="};
        static constexpr const char* kVector[] = {"lessThan", "greaterThanEqual", "notEqual"};
        if (depth > 0 && choose_.oneIn(4)) {
            static constexpr const char* kLogic[] = {"&&", "||", "^^"};
            return fmt::format("({} {} {})", condition(depth - 1), choose_.of(kLogic), condition(depth - 1));
        }
        if (choose_.oneIn(4)) {
            const int width = choose_.between(2, 4);
            return fmt::format("{}({}({}, {}))", choose_.oneIn(2) ? "any" : "all", choose_.of(kVector),
                               expression(width, depth - 1), expression(width, depth - 1));
        }
        if (isFragment_ && choose_.oneIn(8)) return "gl_FrontFacing";
        if (choose_.oneIn(8)) return fmt::format("u_count > {}", choose_.below(6));
        return fmt::format("{} {} {}", expression(1, depth - 1), choose_.of(kCompare), expression(1, depth - 1));
    }

    void assignment() {
        if (choose_.oneIn(5)) {
            line(fmt::format(
                "list[{}] = {};",
                choose_.oneIn(2) ? "clampIndex(" + expression(1, 1) + ")" : std::to_string(choose_.below(3)),
                expression(4, 2)));
            return;
        }
        const Variable& target = written_[static_cast<size_t>(choose_.below(static_cast<int>(written_.size())))];
        static constexpr const char* kAssign[] = {"=", "=", "+=", "*=", "-="};
        if (target.width > 1 && choose_.oneIn(3)) {
            const int at = choose_.below(target.width);
            line(fmt::format("{}.{} {} {};", target.name, "xyzw"[at], choose_.of(kAssign), expression(1, 2)));
        } else {
            line(fmt::format("{} {} {};", target.name, choose_.of(kAssign),
                             expression(target.width, 2 + choose_.below(2))));
        }
    }

    void block(int depth) {
        ++indent_;
        const int statements = choose_.between(1, 2);
        for (int i = 0; i < statements; ++i) statement(depth + 1);
        --indent_;
    }

    void statement(int depth) {
        const int kind = depth >= 3 ? 0 : choose_.below(10);
        switch (kind) {
            case 5:
            case 6:
                line("if (" + condition(2) + ") {");
                block(depth);
                if (choose_.oneIn(2)) {
                    line("} else {");
                    block(depth);
                }
                line("}");
                break;
            case 7:
            case 8:
                loop(depth);
                break;
            case 9:
                if (isFragment_ && choose_.oneIn(3)) {
                    line("if (" + condition(1) + ") discard;");
                    break;
                }
                if (isFragment_ && choose_.oneIn(8)) {
                    line("if (" + condition(1) + ") { gl_FragColor = vec4(0.25, 0.5, 0.75, 1.0); return; }");
                    break;
                }
                [[fallthrough]];
            default:
                assignment();
        }
    }

    void loop(int depth) {
        const std::string counter = fmt::format("i{}", loops_++);
        const std::string bound = choose_.oneIn(2) ? "u_count" : std::to_string(choose_.between(1, 5));
        const bool isFor = choose_.oneIn(2);
        if (isFor) {
            line(fmt::format("for (int {0} = 0; {0} < {1}; ++{0}) {{", counter, bound));
        } else {
            line(fmt::format("int {0} = 0;", counter));
            line(fmt::format("while ({0} < {1}) {{", counter, bound));
            ++indent_;
            line(fmt::format("++{0};", counter));
            --indent_;
        }
        readable_.push_back({fmt::format("float({})", counter), 1});
        block(depth);
        ++indent_;
        if (choose_.oneIn(2)) line("if (" + condition(1) + ") " + (choose_.oneIn(2) ? "break;" : "continue;"));
        if (choose_.oneIn(2)) assignment();
        --indent_;
        readable_.pop_back();
        line("}");
    }

    Chooser& choose_;
    const bool isFragment_;
    std::vector<Variable> readable_, written_;
    std::string text_;
    int indent_ = 0, loops_ = 0;
    bool hasList_ = false;
};

constexpr const char* kUniforms = R"(uniform highp vec4 u_vector[4];
uniform highp mat4 u_matrix;
uniform highp int u_count;
uniform sampler2D u_image;
varying vec4 v_first;
varying vec3 v_second;
varying vec2 v_third;
int clampIndex(float x) { return x >= 0.0 ? (x < 3.0 ? int(x) : 2) : 0; }
vec4 helper(vec4 x) {
    if (x.x > 0.5) return x.wzyx * 0.5;
    for (int i = 0; i < 3; ++i) { if (x.y < float(i)) break; x.z += 0.25; }
    return x;
}
)";

}  // namespace

ShaderPair writeShaders(Chooser& choose, bool nearBudget) {
    ShaderPair pair;
    Writer vertex(choose, false);
    pair.vertex = std::string("attribute vec4 a_position, a_first;\nattribute vec2 a_second;\n") + kUniforms +
                  "void main() {\n" + vertex.body(nearBudget && choose.oneIn(3));
    pair.vertex += "    v_first = a_first + " + vertex.expression(4, 2) + ";\n";
    pair.vertex += "    v_second = a_first.xyz + 0.1 * " + vertex.expression(3, 2) + ";\n";
    pair.vertex += "    v_third = a_second;\n    gl_PointSize = 1.0 + 9.0 * fract(a_second.x);\n";
    // Most vertices stay where the scene put them; some go anywhere.
    pair.vertex += choose.oneIn(4) ? "    gl_Position = a_position + 0.2 * " + vertex.expression(4, 2) + ";\n}\n"
                                   : "    gl_Position = a_position;\n}\n";
    Writer fragment(choose, true);
    static constexpr const char* kPrecisions[] = {"highp", "highp", "mediump", "lowp"};
    pair.fragment = fmt::format(
        "#extension GL_OES_standard_derivatives : enable\n#extension GL_EXT_shader_framebuffer_fetch : enable\n"
        "#extension GL_EXT_blend_func_extended : enable\nprecision {} float;\nuniform samplerCube u_cube;\n",
        choose.of(kPrecisions));
    pair.fragment += kUniforms;
    pair.fragment += "void main() {\n" + fragment.body(nearBudget);
    if (choose.oneIn(4)) pair.fragment += "    gl_SecondaryFragColorEXT = " + fragment.expression(4, 2) + ";\n";
    pair.fragment +=
        "    gl_FragColor = " + fragment.expression(4, 3) + " * 0.5 + 0.5 * vec4(v_third, fract(v_first.xy));\n";
    if (choose.oneIn(4))
        pair.fragment +=
            "    gl_FragColor = mix(gl_FragColor.yzwx, gl_LastFragData[0], " + fragment.expression(4, 1) + ");\n";
    pair.fragment += "}\n";
    return pair;
}

}  // namespace determinism
