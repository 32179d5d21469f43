// GLSL ES 3.00 by its grammar: whatever is made of the input compiles, links, and gives the same outputs, bit by bit,
// on the interpreter, in the baseline tier's code and in LLVM's.
#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "shader-core/glsl/glsl.h"
#include "shader-core/jit/codegen/linked_jit.h"
#include "tests/fuzz/execute.h"
#include "tests/fuzz/input.h"

namespace {

using namespace tessera;

enum class Base { Float, Int, Uint, Bool };
struct Type {
    Base base = Base::Float;
    int size = 1;     ///< components, or rows
    int columns = 1;  ///< 2 to 4: a matrix
    bool operator==(const Type&) const = default;
};

std::string spelled(const Type& t) {
    if (t.columns > 1) return fmt::format("mat{}x{}", t.columns, t.size);
    constexpr const char* kScalars[] = {"float", "int", "uint", "bool"};
    constexpr const char* kVectors[] = {"vec", "ivec", "uvec", "bvec"};
    const auto base = static_cast<size_t>(t.base);
    return t.size == 1 ? kScalars[base] : fmt::format("{}{}", kVectors[base], t.size);
}

/// A sampler, and which lookups there are with it.
struct Sampler {
    const char* name;
    const char* type;
    Base base;      ///< of its texels
    int position;   ///< components of it, layer and reference included
    int gradients;  ///< components of derivatives
    int size;       ///< components of its size
    int offsets;    ///< components of an offset; 0: there is none
    bool isArray = false, isCube = false, compares = false;
};
constexpr Sampler kSamplers[] = {
    {"t0", "sampler2D", Base::Float, 2, 2, 2, 2},
    {"t1", "isampler3D", Base::Int, 3, 3, 3, 3},
    {"t2", "usampler2DArray", Base::Uint, 3, 2, 3, 2, true},
    {"t3", "samplerCube", Base::Float, 3, 3, 2, 0, false, true},
    {"t4", "sampler2DShadow", Base::Float, 3, 2, 2, 2, false, false, true},
    {"t5", "samplerCubeShadow", Base::Float, 4, 3, 2, 0, false, true, true},
    {"t6", "sampler2DArrayShadow", Base::Float, 4, 2, 3, 0, true, false, true},
};

struct Variable {
    std::string name;
    Type type;
    int elements = 0;  ///< 0: not an array
    bool isConst = false;
};

/// Text of a shader that is always valid. What it calls stands before it, loops count to a constant.
class Grammar {
public:
    explicit Grammar(fuzz::Input& in) : in_(in) {}

    std::string shader(isa::Stage stage) {
        const bool isVertex = stage == isa::Stage::Vertex;
        isFragment_ = !isVertex;
        text_ = "#version 300 es\n";
        if (isFragment_)
            for (const char* name : {"EXT_shader_framebuffer_fetch", "OES_sample_variables",
                                     "OES_shader_multisample_interpolation", "EXT_blend_func_extended"})
                text_ += fmt::format("#extension GL_{} : require\n", name);
        const bool hasDistances = pick(4) == 0;
        if (hasDistances) text_ += "#extension GL_EXT_clip_cull_distance : require\n";
        text_ += "precision highp float;\nprecision highp int;\n";
        const auto global = [&](const char* qualifiers, Type type, const char* name, int elements = 0) {
            line(fmt::format("{} {} {}{};", qualifiers, spelled(type), name,
                             elements ? fmt::format("[{}]", elements) : ""));
            scope_.push_back({name, type, elements, true});
        };
        global("in", {Base::Float, 4}, "a");
        global(isVertex ? "in" : "flat in", {Base::Int, 4}, "i");
        global(isVertex ? "in" : "flat in", {Base::Uint, 3}, "n");
        global("uniform", {Base::Float, 3, 3}, "m");
        global("uniform", {Base::Int, 2}, "k", 3);
        line("struct S { float x; ivec3 y; mat2 z; uint w[2]; };");
        line(fmt::format("layout({}) uniform B {{ float bx; mat4x2 bm; {}S bs[2]; uvec3 bu; vec3 bv[4]; }};",
                         pick(2) ? "std140" : "shared, row_major", pick(2) ? "" : "layout(column_major) "));
        scope_.push_back({"bx", {}, 0, true});
        scope_.push_back({"bm", {Base::Float, 2, 4}, 0, true});
        scope_.push_back({"bu", {Base::Uint, 3}, 0, true});
        scope_.push_back({"bv", {Base::Float, 3}, 4, true});
        for (const Sampler& s : kSamplers) line(fmt::format("uniform highp {} {};", s.type, s.name));
        line("const int kTable[4] = int[4](3, -1, 7, 100);");
        scope_.push_back({"kTable", {Base::Int}, 4, true});
        const bool isInout = pick(3) == 0, hasTwoColors = !isVertex && pick(4) == 0;
        if (hasDistances) {
            line(fmt::format("{} highp float gl_ClipDistance[3];", isVertex ? "out" : "in"));
            if (!isVertex) scope_.push_back({"gl_ClipDistance", {}, 3, true});
        }
        if (isVertex) {
            line("flat out uvec4 o; out vec4 p;");
        } else if (hasTwoColors) {
            line("layout(location = 0) out uvec4 o; layout(location = 0, index = 1) out uvec4 second; vec4 p;");
        } else {
            const char* storage = isInout ? "inout" : "out";
            line(fmt::format("layout(location = 0) {} uvec4 o; layout(location = 1) {} vec4 p;", storage, storage));
        }
        if (isFragment_) {
            scope_.push_back({"gl_SampleID", {Base::Int}, 0, true});
            scope_.push_back({"gl_SamplePosition", {Base::Float, 2}, 0, true});
            scope_.push_back({"gl_SampleMaskIn", {Base::Int}, 1, true});
        }
        for (int f = pick(3); f > 0; --f) function();
        line("void main() {");
        const size_t globals = scope_.size();
        line("uvec4 bits = uvec4(0u); vec4 sum = vec4(0.0); S s = bs[i.x & 1];");
        scope_.push_back({"bits", {Base::Uint, 4}});
        scope_.push_back({"sum", {Base::Float, 4}});
        if (isFragment_ && isInout && !hasTwoColors) line("bits = o; sum = p;");
        if (isFragment_ && pick(4) == 0) line("gl_SampleMask[0] = i.x & gl_NumSamples;");
        statements(6 + pick(10));
        // All that is left counts.
        for (size_t v = globals + 2; v < scope_.size(); ++v)
            if (scope_[v].elements == 0) line("bits ^= " + asBits(scope_[v]) + ";");
        line("o = bits ^ uvec4(s.w[0], s.w[1], floatBitsToUint(s.x), uint(s.y.z)); p = sum;");
        if (isVertex) line("gl_Position = vec4(0.0);");
        if (isVertex && hasDistances) line("gl_ClipDistance[i.x & 1] = sum.x; gl_ClipDistance[2] = a.y;");
        if (hasTwoColors) line("second = floatBitsToUint(p) ^ o;");
        if (isFragment_ && pick(4) == 0) line("gl_FragDepth = sum.y;");
        line("}");
        return text_;
    }

private:
    int pick(int n) { return n <= 1 ? 0 : in_.byte() % n; }
    void line(const std::string& text) { text_ += text + "\n"; }

    Type anyType(bool matrices = true) {
        if (matrices && pick(6) == 0) return {Base::Float, 2 + pick(3), 2 + pick(3)};
        return {static_cast<Base>(pick(4)), 1 + pick(4)};
    }

    static std::string asBits(const Variable& v) {
        const std::string column = v.type.columns > 1 ? "[1]" : "";
        const std::string value = fmt::format("{}{}", v.name, column);
        const std::string first = v.type.size > 1 ? value + ".x" : value;
        switch (v.type.base) {
            case Base::Float:
                return fmt::format("uvec4(floatBitsToUint({}), 1u, 2u, 3u)", first);
            default:
                return fmt::format("uvec4({})", first);
        }
    }

    // --- Statements ---

    void statements(int count) {
        for (int s = 0; s < count; ++s) statement();
    }

    void block(int count) {
        const size_t before = scope_.size();
        ++depth_;
        statements(count);
        --depth_;
        scope_.resize(before);
    }

    void statement() {
        switch (pick(depth_ > 3 ? 4 : 9)) {
            case 0:
            case 1:
                return declaration();
            case 2:
            case 3:
                return assignment();
            case 4:
                line(fmt::format("if ({}) {{", expression({Base::Bool}, 2)));
                block(1 + pick(2));
                if (pick(2)) {
                    line("} else {");
                    block(1 + pick(2));
                }
                return line("}");
            case 5: {
                const std::string name = newName();
                line(fmt::format("for (int {} = 0; {} < {}; {}++) {{", name, name, 1 + pick(5), name));
                scope_.push_back({name, {Base::Int}, 0, true});
                ++loops_;
                block(1 + pick(3));
                if (pick(3) == 0)
                    line(fmt::format("if ({}) {};", expression({Base::Bool}, 1), pick(2) ? "break" : "continue"));
                --loops_;
                scope_.pop_back();
                return line("}");
            }
            case 6:
                return switchStatement();
            case 7:
                return line(fmt::format("s.w[{} & 1] = {}; s.z[{} & 1] = {};", expression({Base::Int}, 1),
                                        expression({Base::Uint}, 2), expression({Base::Int}, 1),
                                        expression({Base::Float, 2}, 1)));
            default:
                return line(fmt::format("s = {} ? bs[{} & 1] : s; sum.x += float(s == bs[1]);",
                                        expression({Base::Bool}, 1), expression({Base::Int}, 1)));
        }
    }

    void switchStatement() {
        const bool isUnsigned = pick(2) != 0;
        const char* suffix = isUnsigned ? "u" : "";
        line(fmt::format("switch ({} & 3{}) {{", expression({isUnsigned ? Base::Uint : Base::Int}, 2), suffix));
        for (int label = 0; label < 3; ++label) {
            line(fmt::format("case {}{}:", label, suffix));
            block(1);
            if (pick(3)) line(pick(4) || loops_ == 0 ? "break;" : "continue;");
            if (pick(5) == 0) line(fmt::format("if ({}) break;", expression({Base::Bool}, 1)));
        }
        line("default: bits.w += 7u; }");
    }

    void declaration() {
        const Type type = anyType();
        const int elements = pick(5) == 0 ? 1 + pick(4) : 0;
        const std::string name = newName();
        if (elements == 0) {
            line(fmt::format("{} {} = {};", spelled(type), name, expression(type, 3)));
        } else {
            std::string values;
            for (int e = 0; e < elements; ++e) values += (e ? ", " : "") + expression(type, 1);
            line(fmt::format("{}[{}] {} = {}[]({});", spelled(type), elements, name, spelled(type), values));
        }
        scope_.push_back({name, type, elements, false});
    }

    void assignment() {
        std::vector<const Variable*> targets;
        for (const Variable& v : scope_)
            if (!v.isConst) targets.push_back(&v);
        if (targets.empty()) return;
        const Variable v = *targets[static_cast<size_t>(pick(static_cast<int>(targets.size())))];
        const std::string name = v.elements ? fmt::format("{}[{}]", v.name, index(v.elements)) : v.name;
        constexpr const char* kFloat[] = {"=", "+=", "-=", "*="};
        constexpr const char* kInteger[] = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="};
        if (v.type.base == Base::Bool) return line(fmt::format("{} = {};", name, expression(v.type, 3)));
        if (v.type.base != Base::Float)
            return line(fmt::format("{} {} {};", name, kInteger[pick(11)], expression(v.type, 3)));
        const bool isMatrix = v.type.columns > 1;
        line(fmt::format("{} {} {};", name, kFloat[pick(isMatrix ? 3 : 4)], expression(v.type, 3)));
    }

    void function() {
        const Type result = anyType(), first = anyType(), second = anyType(false);
        const std::string name = fmt::format("f{}", functions_.size());
        line(fmt::format("{} {}({} q, inout {} r) {{", spelled(result), name, spelled(first), spelled(second)));
        line("uvec4 bits = uvec4(0u); vec4 sum = vec4(1.0); S s = bs[0];");
        const size_t before = scope_.size();
        scope_.push_back({"q", first});
        scope_.push_back({"r", second});
        scope_.push_back({"bits", {Base::Uint, 4}});
        ++depth_;
        statements(1 + pick(3));
        if (pick(3)) line(fmt::format("if ({}) return {};", expression({Base::Bool}, 1), expression(result, 1)));
        statements(pick(3));
        line(fmt::format("return {};\n}}", expression(result, 2)));
        --depth_;
        scope_.resize(before);
        functions_.push_back({name, result, first, second});
    }

    // --- Expressions ---

    std::string index(int elements) {
        // Any value, brought into range; unsigned indices too.
        if (pick(2)) return fmt::format("{}", pick(elements));
        return fmt::format("{} % {}u", expression({Base::Uint}, 1), elements);
    }

    std::string literal(const Type& type) {
        if (type.columns > 1) return fmt::format("{}({})", spelled(type), literal({Base::Float}));
        if (type.size > 1) {
            std::string values;
            for (int c = 0; c < type.size; ++c) values += (c ? ", " : "") + literal({type.base});
            return fmt::format("{}({})", spelled(type), values);
        }
        constexpr const char* kFloats[] = {"0.0", "1.0", "-2.5", "1e20", "3.14159", "1e-30", "16777217.0", "-0.0"};
        constexpr const char* kInts[] = {"0", "1", "-1", "31", "32", "0x7fffffff", "(-0x7fffffff - 1)", "12345"};
        constexpr const char* kUints[] = {"0u", "1u", "31u", "33u", "0xffffffffu", "0x80000000u", "7u", "65536u"};
        const int which = pick(8);
        switch (type.base) {
            case Base::Float:
                return kFloats[which];
            case Base::Int:
                return kInts[which];
            case Base::Uint:
                return kUints[which];
            case Base::Bool:
                return which & 1 ? "true" : "false";
        }
        return "0";
    }

    std::string variable(const Type& type) {
        std::vector<std::string> fitting;
        for (const Variable& v : scope_) {
            const std::string name = v.elements ? fmt::format("{}[{}]", v.name, index(v.elements)) : v.name;
            if (v.type == type) fitting.push_back(name);
            if (v.type.columns > 1 && type.columns == 1 && v.type.size == type.size && type.base == Base::Float)
                fitting.push_back(fmt::format("{}[{}]", name, index(v.type.columns)));
            if (v.type.columns == 1 && type.columns == 1 && v.type.base == type.base && v.type.size > 1 &&
                fitting.size() < 8) {
                std::string swizzle;
                for (int c = 0; c < type.size; ++c) swizzle += "xyzw"[pick(v.type.size)];
                fitting.push_back(fmt::format("{}.{}", name, swizzle));
            }
        }
        return fitting.empty() ? literal(type) : fitting[static_cast<size_t>(pick(static_cast<int>(fitting.size())))];
    }

    std::string call(const Type& type, int depth) {
        for (const Function& f : functions_) {
            if (f.result != type) continue;
            for (const Variable& v : scope_)
                if (!v.isConst && v.type == f.second && v.elements == 0)
                    return fmt::format("{}({}, {})", f.name, expression(f.first, depth - 1), v.name);
        }
        return variable(type);
    }

    std::string expression(const Type& type, int depth) {
        if (depth <= 0 || text_.size() > 20000) return pick(3) ? variable(type) : literal(type);
        const auto sub = [&](const Type& t) { return expression(t, depth - 1); };
        if (pick(8) == 0) return fmt::format("({} ? {} : {})", sub({Base::Bool}), sub(type), sub(type));
        if (pick(7) == 0) return call(type, depth);
        if (type.columns > 1) return matrix(type, depth);
        switch (type.base) {
            case Base::Float:
                return floats(type, depth);
            case Base::Bool:
                return booleans(type, depth);
            default:
                return integers(type, depth);
        }
    }

    std::string matrix(const Type& type, int depth) {
        const auto sub = [&](const Type& t) { return expression(t, depth - 1); };
        const Type turned{Base::Float, type.columns, type.size};
        switch (pick(6)) {
            case 0:
                return fmt::format("transpose({})", sub(turned));
            case 1:
                return fmt::format("({} {} {})", sub(type), pick(2) ? "+" : "-", sub(type));
            case 2:
                return fmt::format("outerProduct({}, {})", sub({Base::Float, type.size}),
                                   sub({Base::Float, type.columns}));
            case 3: {
                const int inner = 2 + pick(3);
                return fmt::format("({} * {})", sub({Base::Float, type.size, inner}),
                                   sub({Base::Float, inner, type.columns}));
            }
            case 4:
                if (type.size == type.columns) return fmt::format("inverse({})", sub(type));
                [[fallthrough]];
            default:
                return fmt::format("matrixCompMult({}, {})", sub(type), sub(type));
        }
    }

    std::string floats(const Type& type, int depth) {
        const auto sub = [&](const Type& t) { return expression(t, depth - 1); };
        constexpr const char* kOperators[] = {"+", "-", "*", "/"};
        constexpr const char* kFunctions[] = {"abs",   "sign",      "floor", "ceil", "fract", "trunc",
                                              "round", "roundEven", "sqrt",  "sin",  "cos",   "exp2",
                                              "log2",  "tanh",      "asinh", "cosh", "atan"};
        switch (pick(11)) {
            case 10:
                return isFragment_ ? interpolated(type, depth) : lookup(type, depth);
            case 9:
                return lookup(type, depth);
            case 0:
            case 1:
                return fmt::format("({} {} {})", sub(type), kOperators[pick(4)], sub(type));
            case 2:
                return fmt::format("{}({})", kFunctions[pick(17)], sub(type));
            case 3:
                return fmt::format("{}({}, {})", pick(2) ? "min" : "max", sub(type), sub(type));
            case 4:
                return fmt::format("{}({})", spelled(type), sub({static_cast<Base>(1 + pick(3)), type.size}));
            case 5:
                return fmt::format("mix({}, {}, {})", sub(type), sub(type), sub({Base::Bool, type.size}));
            case 6:
                return bitsToFloat(type, depth);
            case 7: {
                const int columns = 2 + pick(3);
                if (type.size == 1)
                    return fmt::format("dot({}, {})", sub({Base::Float, columns}), sub({Base::Float, columns}));
                return fmt::format("({} * {})", sub({Base::Float, type.size, columns}), sub({Base::Float, columns}));
            }
            default:
                if (type.size == 2) return fmt::format("unpack{}2x16({})", kPacked[pick(3)], sub({Base::Uint}));
                return fmt::format("-{}", sub(type));
        }
    }

    std::string interpolated(const Type& type, int depth) {
        std::string call = "interpolateAtCentroid(a)";
        if (pick(3) == 0) call = fmt::format("interpolateAtSample(a, {})", expression({Base::Int}, depth - 1));
        if (pick(3) == 0) call = fmt::format("interpolateAtOffset(a, {})", expression({Base::Float, 2}, depth - 1));
        return fmt::format("{}.{}", call, std::string_view("zxwy").substr(0, static_cast<size_t>(type.size)));
    }

    std::string bitsToFloat(const Type& type, int depth) {
        const bool isSigned = pick(2) != 0;
        return fmt::format("{}({})", isSigned ? "intBitsToFloat" : "uintBitsToFloat",
                           expression({isSigned ? Base::Int : Base::Uint, type.size}, depth - 1));
    }

    std::string integers(const Type& type, int depth) {
        const auto sub = [&](const Type& t) { return expression(t, depth - 1); };
        const bool isSigned = type.base == Base::Int;
        constexpr const char* kOperators[] = {"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"};
        switch (pick(9)) {
            case 7:
                return lookup(type, depth);
            case 8: {
                const Sampler& s = kSamplers[pick(static_cast<int>(std::size(kSamplers)))];
                return fmt::format("{}(textureSize({}, {}).{})", spelled(type), s.name, sub({Base::Int}),
                                   std::string_view("yxxy").substr(0, static_cast<size_t>(type.size)));
            }
            case 0:
            case 1:
            case 2:
                return fmt::format("({} {} {})", sub(type), kOperators[pick(10)], sub(type));
            case 3:
                return fmt::format("{}{}", pick(2) ? "~" : "-", sub(type));
            case 4:
                return fmt::format("clamp({}, {}, {})", sub(type), sub(type), sub(type));
            case 5:
                return fmt::format("{}({})", spelled(type), sub({static_cast<Base>(pick(4)), type.size}));
            default:
                if (!isSigned && type.size == 1)
                    return fmt::format("pack{}2x16({})", kPacked[pick(3)], sub({Base::Float, 2}));
                return fmt::format("{}({})", isSigned ? "floatBitsToInt" : "floatBitsToUint",
                                   sub({Base::Float, type.size}));
        }
    }

    std::string lookup(const Type& type, int depth) {
        std::vector<const Sampler*> fitting;
        for (const Sampler& s : kSamplers)
            if (s.base == type.base) fitting.push_back(&s);
        const Sampler& s = *fitting[static_cast<size_t>(pick(static_cast<int>(fitting.size())))];
        const std::string call = lookup(s, depth);
        if (s.compares) return fmt::format("{}({})", spelled(type), call);
        return fmt::format("{}.{}", call, std::string_view("wxzy").substr(0, static_cast<size_t>(type.size)));
    }

    std::string lookup(const Sampler& s, int depth) {
        const auto sub = [&](const Type& t) { return expression(t, depth - 1); };
        const auto floats = [&](int size) { return sub({Base::Float, size}); };
        std::string name = "texture", position = floats(s.position), level, bias, offset;
        const bool hasLevels = s.position < 4 || !s.compares;
        switch (pick(5)) {
            case 0:
                if (!hasLevels) break;
                name = "textureLod", level = ", " + floats(1);
                break;
            case 1:
                name = "textureGrad", level = fmt::format(", {}, {}", floats(s.gradients), floats(s.gradients));
                break;
            case 2:
                if (s.compares || s.isCube) break;
                name = "texelFetch", position = sub({Base::Int, s.position}), level = ", " + sub({Base::Int});
                break;
            case 3:
                if (s.isArray || s.isCube) break;
                name = "textureProj", position = floats(4);
                break;
            default:
                break;
        }
        if (s.offsets > 0 && pick(2)) {
            name += "Offset";
            offset = fmt::format(", ivec{}(", s.offsets);
            for (int c = 0; c < s.offsets; ++c) offset += fmt::format("{}{}", c > 0 ? ", " : "", pick(16) - 8);
            offset += ")";
        }
        const bool derives = level.empty() && isFragment_ && hasLevels;
        if (derives && pick(3) == 0) bias = ", " + floats(1);
        return fmt::format("{}({}, {}{}{}{})", name, s.name, position, level, offset, bias);
    }

    std::string booleans(const Type& type, int depth) {
        const auto sub = [&](const Type& t) { return expression(t, depth - 1); };
        const Type operand{static_cast<Base>(pick(3)), type.size};
        constexpr const char* kRelations[] = {"<", "<=", ">", ">=", "==", "!="};
        constexpr const char* kFunctions[] = {"lessThan",         "lessThanEqual", "greaterThan",
                                              "greaterThanEqual", "equal",         "notEqual"};
        if (type.size == 1) {
            switch (pick(5)) {
                case 0:
                    return fmt::format("({} {} {})", sub(type), pick(2) ? "&&" : "^^", sub(type));
                case 1:
                    return fmt::format("!{}", sub(type));
                case 2: {
                    const Type any = anyType();
                    return fmt::format("({} {} {})", sub(any), pick(2) ? "==" : "!=", sub(any));
                }
                case 3:
                    return fmt::format("{}({})", pick(2) ? "any" : "all", sub({Base::Bool, 2 + pick(3)}));
                default:
                    return fmt::format("({} {} {})", sub(operand), kRelations[pick(6)], sub(operand));
            }
        }
        switch (pick(4)) {
            case 0:
                return fmt::format("not({})", sub(type));
            case 1:
                return fmt::format("{}({})", pick(2) ? "isnan" : "isinf", sub({Base::Float, type.size}));
            default:
                return fmt::format("{}({}, {})", kFunctions[pick(6)], sub(operand), sub(operand));
        }
    }

    std::string newName() { return fmt::format("v{}", names_++); }

    static constexpr const char* kPacked[] = {"Snorm", "Unorm", "Half"};
    struct Function {
        std::string name;
        Type result, first, second;
    };

    fuzz::Input& in_;
    std::string text_;
    std::vector<Variable> scope_;
    std::vector<Function> functions_;
    int names_ = 0, depth_ = 0, loops_ = 0;
    bool isFragment_ = false;
};

/// The program's outputs for lanes with hostile registers.
struct Outputs {
    std::vector<uint32_t> words;
    bool stopped = false;
    uint32_t discarded = 0;  ///< lanes
};

Outputs run(isa::Executor& executor, const std::shared_ptr<const isa::Program>& program, uint32_t seed) {
    interp::TestGroup group;
    fuzz::fill(group, seed);
    group.constants.resize(std::max<size_t>(group.constants.size(), program->constantCount));
    group.run.activeMask = ~0u;
    const auto routine = executor.prepare(program);
    fuzz::demand(routine != nullptr, "the tier takes the program");
    fuzz::runGroup(*program, *routine, group);
    Outputs out;
    out.stopped = group.run.budgetExceeded;
    for (int o = 0; o < isa::kMaxOutputs && !out.stopped; ++o)
        if (program->outputMask.has(o))
            for (int c = 0; c < 4; ++c)
                for (int lane = 0; lane < isa::kGroupSize; ++lane) {
                    // What a lane that is discarded gives is nobody's.
                    const bool isDiscarded = (group.run.killMask >> lane & 1) != 0;
                    out.words.push_back(isDiscarded ? 0 : group.bits(o, c, lane));
                }
    out.discarded = group.run.killMask;
    return out;
}

isa::Executor& compilerOf(jit::Baseline baseline) {
    static std::map<jit::Baseline, std::shared_ptr<isa::Executor>> made;
    std::shared_ptr<isa::Executor>& one = made[baseline];
    jit::Options options;
    options.level = simdLevel();
    options.baseline = baseline;
    if (!one) one = jit::makeJit(options);
    return *one;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    fuzz::Input in(data, size);
    const isa::Stage stage = in.byte() % 2 ? isa::Stage::Vertex : isa::Stage::Fragment;
    const bool usesLlvm = in.byte() % 4 == 0;
    const uint32_t seed = in.word();
    const std::string text = Grammar(in).shader(stage);
    const glsl::Limits limits{.version = 300};
    const glsl::CompileResult compiled = glsl::compile(stage, text, limits);
    fuzz::demand(compiled.shader != nullptr, "what the grammar makes compiles", compiled.infoLog + text);
    const glsl::LinkResult linked = glsl::linkSingle(*compiled.shader, limits);
    if (!linked.ok) {  // of the machine's limits: registers, nesting, instructions
        fuzz::demand(!linked.infoLog.empty(), "a failed link says why", text);
        return 0;
    }
    const std::shared_ptr<const isa::Program> program = linked.vertex ? linked.vertex : linked.fragment;
    const std::string problem = isa::verify(*program);
    fuzz::demand(problem.empty(), "the program is valid", problem + text);
    const auto interpreter = interp::makeInterpreter();
    const Outputs expected = run(*interpreter, program, seed);
    for (const jit::Baseline baseline : {jit::Baseline::Only, jit::Baseline::Never}) {
        if (baseline == jit::Baseline::Never && !usesLlvm) continue;
        const Outputs actual = run(compilerOf(baseline), program, seed);
        fuzz::demand(actual.stopped == expected.stopped, "a program is stopped where the interpreter stops it", text);
        fuzz::demand(actual.discarded == expected.discarded, "compiled code discards the interpreter's lanes", text);
        fuzz::demand(actual.words == expected.words, "compiled code gives the interpreter's outputs", text);
    }
    return 0;
}
