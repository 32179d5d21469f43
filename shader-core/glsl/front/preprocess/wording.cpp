#include "shader-core/glsl/front/preprocess/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/nearest.h"

namespace tessera::glsl::front {

namespace {

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// Takes the text up to an end, which is dropped, from a text; all of it when the end is not there.
std::string_view takeUntil(std::string_view& text, std::string_view end) {
    const size_t at = text.find(end);
    const std::string_view taken = text.substr(0, at);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + end.size());
    return taken;
}

void replace(std::string& text, std::string_view from, std::string_view to) {
    if (const size_t at = text.find(from); at != std::string::npos) text.replace(at, from.size(), to);
}

// --- Types ---

constexpr std::string_view kScalars[] = {"float", "int", "bool", "void", "uint", "double"};

bool isScalar(std::string_view word) { return std::ranges::find(kScalars, word) != std::end(kScalars); }

/// Words in glslang's descriptions of types that the language has no use for where types are compared.
constexpr std::string_view kOtherWords[] = {"temp",   "global", "(read",     "only)", "smooth",  "flat",  "in",
                                            "out",    "inout",  "invariant", "lowp",  "mediump", "highp", "of",
                                            "vector", "matrix", "array",     "const", "uniform", "",      "fragColor"};

/// A type as glslang describes it, "smooth in mediump 2-component vector of float": qualifiers, then what it is made
/// of, then perhaps the name of a built-in variable. Empty when the text describes none.
std::string typeName(std::string_view text) {
    std::string qualifier, array;
    bool interpolated = false;
    std::string_view numbers;  // of a vector or matrix, as in "4-component" or "4X4"
    while (!text.empty()) {
        const std::string_view word = takeUntil(text, " ");
        if (word == "const" || word == "uniform") qualifier = std::string(word) + " ";
        if (word == "smooth" || word == "flat") interpolated = true;
        if (interpolated && (word == "in" || word == "out")) qualifier = "varying ";
        if (word.starts_with("sampler") || word.starts_with("isampler") || word.starts_with("usampler"))
            return qualifier + std::string(word) + array;
        if (word.starts_with("structure")) return qualifier + "structure" + array;
        if (isScalar(word)) {
            if (numbers.empty()) return qualifier + std::string(word) + array;
            if (numbers[1] == 'X' && numbers[0] != numbers[2])
                return fmt::format("{}mat{}x{}{}", qualifier, numbers[0], numbers[2], array);
            if (numbers[1] == 'X') return fmt::format("{}mat{}{}", qualifier, numbers[0], array);
            return fmt::format("{}{}vec{}{}", qualifier, word == "float" ? "" : word.substr(0, 1), numbers[0], array);
        }
        if (word.ends_with("-element"))
            array += fmt::format("[{}]", word.substr(0, word.find('-')));
        else if (word.ends_with("-component") || (word.size() == 3 && word[1] == 'X'))
            numbers = word;
        else if (std::ranges::find(kOtherWords, word) == std::end(kOtherWords) && !word.starts_with("gl_"))
            return {};
    }
    return {};
}

/// Of a type's name, what a conversion asks for.
struct Shape {
    std::string_view scalar;  ///< float, int, uint or bool; empty: neither a scalar nor a vector of them
    int components = 0;
};

Shape shapeOf(std::string_view type) {
    for (const std::string_view qualifier : {"const ", "uniform ", "varying "})
        if (type.starts_with(qualifier)) type.remove_prefix(qualifier.size());
    if (contains(type, "[")) return {};
    if (isScalar(type)) return {type, 1};
    const size_t vec = type.find("vec");
    if (vec == std::string_view::npos || type.size() != vec + 4) return {};
    const std::string_view kind = type.substr(0, vec);
    return {kind.empty() ? "float" : kind == "i" ? "int" : kind == "u" ? "uint" : "bool", type.back() - '0'};
}

/// The constructor of a shape: "vec3".
std::string constructorOf(Shape shape) {
    if (shape.components == 1) return std::string(shape.scalar);
    return fmt::format("{}vec{}", shape.scalar == "float" ? "" : shape.scalar.substr(0, 1), shape.components);
}

// --- Functions ---

struct Function {
    std::string_view name;
    /// Alternatives, separated by '|'. genType: float, vec2, vec3 or vec4.
    std::string_view parameters;
};

/// Chapter 8 of the specification.
constexpr Function kFunctions[] = {{"radians", "genType"},
                                   {"degrees", "genType"},
                                   {"sin", "genType"},
                                   {"cos", "genType"},
                                   {"tan", "genType"},
                                   {"asin", "genType"},
                                   {"acos", "genType"},
                                   {"atan", "genType|genType, genType"},
                                   {"pow", "genType, genType"},
                                   {"exp", "genType"},
                                   {"log", "genType"},
                                   {"exp2", "genType"},
                                   {"log2", "genType"},
                                   {"sqrt", "genType"},
                                   {"inversesqrt", "genType"},
                                   {"abs", "genType"},
                                   {"sign", "genType"},
                                   {"floor", "genType"},
                                   {"ceil", "genType"},
                                   {"fract", "genType"},
                                   {"mod", "genType, genType|genType, float"},
                                   {"min", "genType, genType|genType, float"},
                                   {"max", "genType, genType|genType, float"},
                                   {"clamp", "genType, genType, genType|genType, float, float"},
                                   {"mix", "genType, genType, genType|genType, genType, float"},
                                   {"step", "genType, genType|float, genType"},
                                   {"smoothstep", "genType, genType, genType|float, float, genType"},
                                   {"length", "genType"},
                                   {"distance", "genType, genType"},
                                   {"dot", "genType, genType"},
                                   {"cross", "vec3, vec3"},
                                   {"normalize", "genType"},
                                   {"faceforward", "genType, genType, genType"},
                                   {"reflect", "genType, genType"},
                                   {"refract", "genType, genType, float"},
                                   {"matrixCompMult", "mat2, mat2|mat3, mat3|mat4, mat4"},
                                   {"lessThan", "two vec or two ivec of one size"},
                                   {"lessThanEqual", "two vec or two ivec of one size"},
                                   {"greaterThan", "two vec or two ivec of one size"},
                                   {"greaterThanEqual", "two vec or two ivec of one size"},
                                   {"equal", "two vec, two ivec or two bvec of one size"},
                                   {"notEqual", "two vec, two ivec or two bvec of one size"},
                                   {"any", "bvec2|bvec3|bvec4"},
                                   {"all", "bvec2|bvec3|bvec4"},
                                   {"not", "bvec2|bvec3|bvec4"},
                                   {"texture2D", "sampler2D, vec2"},
                                   {"texture2DProj", "sampler2D, vec3|sampler2D, vec4"},
                                   {"textureCube", "samplerCube, vec3"}};

/// Lookups with a level of detail, which vertex shaders alone have.
constexpr Function kVertexFunctions[] = {{"texture2DLod", "sampler2D, vec2, float"},
                                         {"texture2DProjLod", "sampler2D, vec3, float|sampler2D, vec4, float"},
                                         {"textureCubeLod", "samplerCube, vec3, float"}};

struct Advice {
    std::string_view name, text;
};

/// Functions of other versions of the language, and of other languages.
constexpr Advice kOtherFunctions[] = {
    {"lerp", "GLSL has mix(a, b, t)"},
    {"frac", "GLSL has fract(x)"},
    {"fmod", "GLSL has mod(x, y)"},
    {"saturate", "write clamp(x, 0.0, 1.0)"},
    {"mul", "write a product with *"},
    {"atan2", "GLSL has atan(y, x)"},
    {"rsqrt", "GLSL has inversesqrt(x)"},
    {"ddx", "GLSL has dFdx(x), behind '#extension GL_OES_standard_derivatives : enable'"},
    {"ddy", "GLSL has dFdy(x), behind '#extension GL_OES_standard_derivatives : enable'"},
    {"tex2D", "GLSL has texture2D(sampler, position)"},
    {"texCUBE", "GLSL has textureCube(sampler, direction)"},
    {"round", "in GLSL ES 1.00 write floor(x + 0.5)"},
    {"roundEven", "in GLSL ES 1.00 write floor(x + 0.5)"},
    {"trunc", "in GLSL ES 1.00 write sign(x) * floor(abs(x))"},
    {"modf", "in GLSL ES 1.00 write floor(x) and fract(x)"},
    {"isnan", "in GLSL ES 1.00 write x != x"},
    {"isinf", "later versions of GLSL have it"},
    {"sinh", "in GLSL ES 1.00 write (exp(x) - exp(-x)) * 0.5"},
    {"cosh", "in GLSL ES 1.00 write (exp(x) + exp(-x)) * 0.5"},
    {"tanh", "in GLSL ES 1.00 write 1.0 - 2.0 / (exp(2.0 * x) + 1.0)"},
    {"inverse", "in GLSL ES 1.00 pass the inverse matrix as a uniform"},
    {"transpose", "in GLSL ES 1.00 write v * m, which is transpose(m) * v"},
    {"determinant", "later versions of GLSL have it"},
    {"outerProduct", "later versions of GLSL have it"},
    {"textureSize", "in GLSL ES 1.00 pass the size as a uniform"},
    {"texelFetch", "in GLSL ES 1.00 look up (position + 0.5) / size by texture2D"},
    {"ftransform", "GLSL ES 1.00 has no fixed function: multiply by a matrix of your own"}};

/// Names of other versions and languages that are no functions.
constexpr Advice kOtherNames[] = {
    {"uint", "GLSL ES 1.00 has int"},
    {"uvec2", "GLSL ES 1.00 has ivec2"},
    {"uvec3", "GLSL ES 1.00 has ivec3"},
    {"uvec4", "GLSL ES 1.00 has ivec4"},
    {"float2", "GLSL has vec2"},
    {"float3", "GLSL has vec3"},
    {"float4", "GLSL has vec4"},
    {"float2x2", "GLSL has mat2"},
    {"float3x3", "GLSL has mat3"},
    {"float4x4", "GLSL has mat4"},
    {"int2", "GLSL has ivec2"},
    {"int3", "GLSL has ivec3"},
    {"int4", "GLSL has ivec4"},
    {"mat2x3", "matrices of GLSL ES 1.00 are square"},
    {"mat2x4", "matrices of GLSL ES 1.00 are square"},
    {"mat3x2", "matrices of GLSL ES 1.00 are square"},
    {"mat3x4", "matrices of GLSL ES 1.00 are square"},
    {"mat4x2", "matrices of GLSL ES 1.00 are square"},
    {"mat4x3", "matrices of GLSL ES 1.00 are square"},
    {"mat2x2", "GLSL ES 1.00 has mat2"},
    {"mat3x3", "GLSL ES 1.00 has mat3"},
    {"mat4x4", "GLSL ES 1.00 has mat4"},
    {"gl_FragDepth", "write gl_FragDepthEXT behind '#extension GL_EXT_frag_depth : enable'"},
    {"gl_VertexID", "GLSL ES 1.00 does not have it: pass an attribute"},
    {"gl_InstanceID", "write gl_InstanceIDEXT behind '#extension GL_EXT_draw_instanced : enable'"}};

/// Variables that a shader need not declare, of vertex shaders and of fragment shaders.
constexpr std::string_view kVertexBuiltIns[] = {"gl_Position", "gl_PointSize", "gl_DepthRange"};
constexpr std::string_view kFragmentBuiltIns[] = {"gl_FragColor",   "gl_FragData",   "gl_FragCoord",
                                                  "gl_FrontFacing", "gl_PointCoord", "gl_DepthRange"};

/// Bit and remainder operators are reserved.
constexpr std::string_view kIntegerOperators[] = {"%",
                                                  "%=",
                                                  "bit shift left",
                                                  "bit shift right",
                                                  "bitwise and",
                                                  "bitwise inclusive or",
                                                  "bitwise exclusive or",
                                                  "bitwise not",
                                                  "bit-shift left assign",
                                                  "bit-shift right assign",
                                                  "bitwise-and assign",
                                                  "bitwise-or assign",
                                                  "bitwise-xor assign",
                                                  "bitwise-exclusive-or assign",
                                                  "bitwise-inclusive-or assign"};

const Function* find(std::span<const Function> functions, std::string_view name) {
    const auto found = std::ranges::find(functions, name, &Function::name);
    return found == functions.end() ? nullptr : &*found;
}

std::string_view find(std::span<const Advice> advice, std::string_view name) {
    const auto found = std::ranges::find(advice, name, &Advice::name);
    return found == advice.end() ? std::string_view() : found->text;
}

/// "; it takes (genType) or (genType, genType); genType is a float or a vector of floats".
std::string takes(std::string_view parameters) {
    std::string text;
    for (std::string_view rest = parameters; !rest.empty();)
        text += fmt::format("{}({})", text.empty() ? "; it takes " : " or ", takeUntil(rest, "|"));
    return contains(parameters, "genType") ? text + "; genType is float, vec2, vec3 or vec4" : text;
}

bool isIntegerLiteral(std::string_view token) {
    return !token.empty() && std::ranges::all_of(token, [](char c) { return c >= '0' && c <= '9'; });
}

// --- A call that no function takes ---

class Call {
public:
    Call(std::string_view name, const ErrorPlace& place) : name_(name), place_(place), tokens_(place.tokens) {
        // glslang has come to the closing parenthesis.
        int depth = 0;
        size_t at = std::min(place.at, tokens_.size() - 1);
        for (;; --at) {
            if (tokens_[at] == ")") ++depth;
            if (tokens_[at] == "(" && --depth <= 0) break;
            if (at == 0) return;
        }
        open_ = at;
    }

    [[nodiscard]] std::string message() const {
        const bool isVertex = place_.stage == isa::Stage::Vertex;
        const std::string noMatch = fmt::format("'{}' : no matching overloaded function found", name_);
        const Function* function = find(kFunctions, name_);
        if (!function && isVertex) function = find(kVertexFunctions, name_);
        if (function) {
            if (const auto integer = integerArgument(); !integer.empty())
                return noMatch + fmt::format("; nothing is converted by itself: write {}.0 for {}", integer, integer);
            return noMatch + takes(function->parameters);
        }
        if (const std::string own = ownFunction(); !own.empty()) return noMatch + own;
        const std::string none = fmt::format("'{}' : no function has this name", name_);
        if (const std::string lookup = lookupOfOtherVersion(); !lookup.empty()) return none + lookup;
        if (const std::string_view text = find(kOtherFunctions, name_); !text.empty())
            return fmt::format("{}; {}", none, text);
        const std::string_view near = nearest(functionNames(), name_);
        return near.empty() ? none : fmt::format("{}; did you mean '{}'?", none, near);
    }

private:
    /// An argument that is an integer as it stands.
    [[nodiscard]] std::string_view integerArgument() const {
        if (!open_) return {};
        int depth = 0;
        for (size_t i = *open_; i <= place_.at && i + 1 < tokens_.size(); ++i) {
            if (tokens_[i] == "(" || tokens_[i] == "[") ++depth;
            if (tokens_[i] == ")" || tokens_[i] == "]") --depth;
            const bool begins = tokens_[i] == "(" || tokens_[i] == ",";
            if (!begins || depth != 1) continue;
            const size_t first = i + 1 + (tokens_[i + 1] == "-");
            if (first + 1 >= tokens_.size() || !isIntegerLiteral(tokens_[first])) continue;
            if (tokens_[first + 1] == "," || tokens_[first + 1] == ")") return tokens_[first];
        }
        return {};
    }

    /// Calls use(i) for each token that is the name in the head of a function of the shader.
    template <class Use>
    void forEachFunction(const Use& use) const {
        int depth = 0;
        for (size_t i = 0; i + 1 < tokens_.size(); ++i) {
            if (tokens_[i] == "{") ++depth;
            if (tokens_[i] == "}") --depth;
            const bool isHead = depth == 0 && i > 0 && isIdentifier(tokens_[i]) && isIdentifier(tokens_[i - 1]);
            if (isHead && tokens_[i + 1] == "(" && tokens_[i - 1] != "return") use(i);
        }
    }

    /// What the shader's own functions of that name take, or that they come later.
    [[nodiscard]] std::string ownFunction() const {
        std::string list;
        bool isLater = false;
        forEachFunction([&](size_t i) {
            if (tokens_[i] != name_) return;
            if (i > place_.at) {
                isLater = true;
                return;
            }
            std::string parameters;
            for (size_t k = i + 2; k < tokens_.size() && tokens_[k] != ")"; ++k) {
                const bool joins = tokens_[k] == "," || tokens_[k] == "[" || tokens_[k] == "]" || tokens_[k - 1] == "[";
                parameters += (parameters.empty() || joins ? "" : " ") + std::string(tokens_[k]);
            }
            const std::string one = "(" + parameters + ")";
            if (!contains(list, one)) list += (list.empty() ? "; it takes " : " or ") + one;
        });
        if (list.empty() && isLater) return "; it is declared behind this call, and has to be before it";
        return list;
    }

    /// texture(), textureLod() and their like, by the type of the sampler.
    [[nodiscard]] std::string lookupOfOtherVersion() const {
        const bool isVertex = place_.stage == isa::Stage::Vertex;
        constexpr std::string_view kKinds[] = {"texture",        "textureProj", "textureLod",
                                               "textureProjLod", "textureGrad", "textureProjGrad"};
        if (find(kVertexFunctions, name_))  // of this version, but not of this stage
            return fmt::format(
                "; only vertex shaders have it, fragment shaders have {}EXT behind '#extension "
                "GL_EXT_shader_texture_lod : enable'",
                name_);
        if (std::ranges::find(kKinds, name_) == std::end(kKinds)) return {};
        const std::string_view way = name_.substr(std::string_view("texture").size());
        const bool isExtension = contains(way, "Grad") || (contains(way, "Lod") && !isVertex);
        const auto spelled = [&](std::string_view dimension) {
            return fmt::format("texture{}{}{}", dimension, way, isExtension ? "EXT" : "");
        };
        const std::string behind =
            isExtension ? " behind '#extension GL_EXT_shader_texture_lod : enable'" : std::string();
        const std::string_view sampler = samplerType();
        if (sampler == "sampler2D") return fmt::format("; GLSL ES 1.00 has {}{}", spelled("2D"), behind);
        const bool hasCube = !contains(way, "Proj");
        if (sampler == "samplerCube" && hasCube) return fmt::format("; GLSL ES 1.00 has {}{}", spelled("Cube"), behind);
        if (!hasCube) return fmt::format("; GLSL ES 1.00 has {}{}", spelled("2D"), behind);
        return fmt::format("; GLSL ES 1.00 has {} and {}{}", spelled("2D"), spelled("Cube"), behind);
    }

    /// Of the first argument, if it is a name; or empty.
    [[nodiscard]] std::string_view samplerType() const {
        if (!open_ || *open_ + 1 >= tokens_.size()) return {};
        const std::string_view argument = tokens_[*open_ + 1];
        std::string_view type;  // of the declaration that is open
        for (size_t i = 0; i < place_.at; ++i) {
            if (tokens_[i].starts_with("sampler")) type = tokens_[i];
            if (tokens_[i] == ";" || tokens_[i] == "{" || tokens_[i] == ")") type = {};
            if (!type.empty() && tokens_[i] == argument && i != *open_ + 1) return type;
        }
        return {};
    }

    [[nodiscard]] std::vector<std::string_view> functionNames() const {
        std::vector<std::string_view> names;
        for (const Function& function : kFunctions) names.push_back(function.name);
        if (place_.stage == isa::Stage::Vertex)
            for (const Function& function : kVertexFunctions) names.push_back(function.name);
        forEachFunction([&](size_t i) { names.push_back(tokens_[i]); });
        return names;
    }

    std::string_view name_;
    const ErrorPlace& place_;
    std::span<const std::string_view> tokens_;
    std::optional<size_t> open_;  ///< the call's parenthesis
};

// --- Other advice ---

/// "; did you mean 'x'?": a name that the shader uses elsewhere, or a built-in one.
std::string adviceOnName(std::string_view name, const ErrorPlace& place) {
    const bool isVertex = place.stage == isa::Stage::Vertex;
    const std::span<const std::string_view> vertex = kVertexBuiltIns, fragment = kFragmentBuiltIns;
    const auto own = isVertex ? vertex : fragment, other = isVertex ? fragment : vertex;
    if (std::ranges::find(other, name) != other.end())
        return fmt::format("; only {} shaders have it", isVertex ? "fragment" : "vertex");
    if (const std::string_view text = find(kOtherNames, name); !text.empty()) return fmt::format("; {}", text);
    std::vector<std::string_view> names(own.begin(), own.end());
    for (const std::string_view token : place.tokens)
        if (isIdentifier(token) && token.size() > 2) names.push_back(token);
    std::erase(names, name);
    const std::string_view near = name.size() > 2 ? nearest(names, name) : std::string_view();
    if (!near.empty()) return fmt::format("; did you mean '{}'?", near);
    return name.starts_with("gl_") ? "; GLSL ES 1.00 does not have it: declare an attribute, a varying or a uniform"
                                   : "";
}

/// What makes one type of another.
std::string adviceOnConversion(std::string_view from, std::string_view to) {
    const Shape one = shapeOf(from), other = shapeOf(to);
    if (one.components == 0 || other.components == 0) return {};
    if (one.scalar != other.scalar) {
        const std::string constructor = constructorOf({other.scalar, one.components});
        return fmt::format("; nothing is converted by itself: write {}{}(...)",
                           from == "const int" && other.scalar == "float" ? "1.0 for 1, or " : "", constructor);
    }
    if (one.components > other.components)
        return fmt::format("; take as many of its components, as in .{}",
                           std::string_view("xyzw").substr(0, static_cast<size_t>(other.components)));
    if (one.components < other.components) return fmt::format("; write {}(...)", constructorOf(other));
    return {};
}

/// The same for two operands, of which an integer is made a float.
std::string adviceOnOperands(std::string_view left, std::string_view right) {
    const Shape one = shapeOf(left), other = shapeOf(right);
    const bool mixed =
        (one.scalar == "int" && other.scalar == "float") || (one.scalar == "float" && other.scalar == "int");
    if (!mixed) return {};
    const std::string_view integer = one.scalar == "int" ? left : right, number = one.scalar == "int" ? right : left;
    if (number == "const float" && integer == "int")
        return "; nothing is converted by itself: write 1 for 1.0, or float(...)";
    return adviceOnConversion(integer, constructorOf({"float", shapeOf(integer).components}));
}

/// Of version 1.00 alone.
constexpr Advice kFirstMessages[] = {
    {"'layout' : syntax error", "GLSL ES 1.00 has no layout: glBindAttribLocation says where attributes are"},
    {"floating-point suffix", "write the number without 'f'"},
    {"unsigned literal", "write the number without 'u'"},
    {"for stage inputs", "write attribute or varying"},
    {"for stage outputs", "write varying in vertex shaders, and gl_FragColor in fragment shaders"},
    {"arrayed constructor", "set the elements one by one"},
    {"{ } style initializers", "set the elements one by one"},
    {"'array assignment'", "copy the elements one by one"},
    {"'arrays of arrays'", "make one array of all elements"},
    {"'.length'", "name the constant that the array is declared with"},
    {"'scalar swizzle'", "a number has no components"},
    {"'shader input/output'", "varyings and attributes are floats, or vectors and matrices of floats"},
    {"'in' : cannot be bool", "varyings and attributes are floats, or vectors and matrices of floats"},
    {"'out' : cannot be bool", "varyings and attributes are floats, or vectors and matrices of floats"},
    {"non-constant global initializer", "set it at the beginning of main()"},
    {"'attribute' : not supported in this stage", "attributes are vertex shaders': pass a varying on"}};

constexpr Advice kMessages[] = {
    {"no operation '!' takes", "write a comparison, as in x == 0.0"},
    {"boolean expression expected", "write a comparison, as in x != 0"},
    {"reserved word", "the language keeps it for later versions: choose another name"},
    {"type does not match, or is not convertible to, the function's return type", "nothing is converted by itself"},
    {"'non-constant initializer'", "make it no 'const'"},
    {"non-matching or non-convertible constant type", "it has to be of the type that is declared"},
    {"not enough data provided for construction", "give as many components as the type has, or one number for all"},
    {"'constructor' : too many arguments", "the type has fewer components"},
    {"vector swizzle selection out of range", "the vector has fewer components"},
    {"vector swizzle selectors not from the same set", "take all of them from xyzw, from rgba or from stpq"},
    {"not allowed in nested scope", "declare it outside of functions"},
    {"variables with qualifier 'const' must be initialized", "write what it is, or make it no 'const'"},
    {"(can't modify a uniform)", "copy it to a variable"},
    {"(can't modify shader input)", "copy it to a variable"},
    {"(can't modify a const)", "make it no 'const', or copy it to a variable"},
    {"cannot initialize this type of qualifier", "the application sets uniforms, a vertex shader varyings"},
    {"global const initializers must be constant", "make it no 'const', and set it at the beginning of main()"},
    {"overloaded functions must have the same return type", "choose another name"},
    {"function already has a body", "choose another name, or other parameters"}};

}  // namespace

bool isIdentifier(std::string_view token) {
    return !token.empty() &&
           (token[0] == '_' || (token[0] >= 'a' && token[0] <= 'z') || (token[0] >= 'A' && token[0] <= 'Z'));
}

std::string_view inQuotes(std::string_view message) {
    const size_t end = message.find("' : ");
    return message.starts_with('\'') && end != std::string_view::npos ? message.substr(1, end - 1) : std::string_view();
}

std::string expectedTokens(std::string_view message) {
    struct Names {
        std::string_view name, written;
    };
    static constexpr Names kTokens[] = {{"LEFT_PAREN", "'('"},
                                        {"RIGHT_PAREN", "')'"},
                                        {"LEFT_BRACKET", "'['"},
                                        {"RIGHT_BRACKET", "']'"},
                                        {"LEFT_BRACE", "'{'"},
                                        {"RIGHT_BRACE", "'}'"},
                                        {"DOT", "'.'"},
                                        {"COMMA", "','"},
                                        {"COLON", "':'"},
                                        {"SEMICOLON", "';'"},
                                        {"EQUAL", "'='"},
                                        {"QUESTION", "'?'"},
                                        {"IDENTIFIER", "a name"},
                                        {"TYPE_NAME", "a type"},
                                        {"FLOATCONSTANT", "a number"},
                                        {"INTCONSTANT", "a number"},
                                        {"WHILE", "'while'"}};
    constexpr std::string_view kExpecting = "expecting ";
    const size_t at = message.find(kExpecting);
    if (at == std::string_view::npos) return {};
    std::string list;
    for (std::string_view rest = message.substr(at + kExpecting.size()); !rest.empty();) {
        const auto* known = std::ranges::find(kTokens, takeUntil(rest, " or "), &Names::name);
        if (known == std::end(kTokens)) return {};
        list += (list.empty() ? "" : " or ") + std::string(known->written);
    }
    return list;
}

std::string inWordsOfTheLanguage(std::string_view message) {
    std::string text;
    // Types stand in quotes that begin with a blank, or behind these words.
    constexpr std::string_view kOperand = "that takes an operand of type ", kOther = "does not apply to this type: ";
    std::string_view rest = message;
    while (!rest.empty()) {
        const size_t quote = rest.find("' "), operand = rest.find(kOperand), other = rest.find(kOther);
        const size_t first = std::min({quote, operand, other});
        if (first == std::string_view::npos) break;
        const bool isQuote = first == quote;
        const size_t begin = first + (isQuote ? 1 : first == operand ? kOperand.size() : kOther.size());
        text += rest.substr(0, begin);
        rest.remove_prefix(begin);
        const size_t end = std::min(first == operand ? rest.find(" (or ")
                                    : isQuote        ? rest.find('\'')
                                                     : rest.size(),
                                    rest.size());
        const std::string type = typeName(rest.substr(0, end));
        if (type.empty()) continue;
        text += isQuote ? type : "'" + type + "'";
        rest.remove_prefix(end);
    }
    text += rest;
    replace(text, " (or there is no acceptable conversion)", "");
    replace(text, "wrong operand type no", "wrong operand type: no");
    replace(text, "exists that takes a left-hand operand of type", "takes");
    replace(text, "exists that takes an operand of type", "takes");
    replace(text, "and a right operand of type", "and");
    replace(text, " (needs GL_EXT_shader_non_constant_global_initializers)", "");
    replace(text, "not supported for this version or the enabled extensions", "not in GLSL ES 1.00");
    replace(text, "not supported with this profile: es", "not in GLSL ES 1.00");
    replace(text, "global const initializers must be constant '", "global const initializers must be constant, '");
    replace(text, "Reserved word.", "reserved word");
    replace(text, "'' : memory exhausted", "'' : nested too deeply");
    return text;
}

namespace {

constexpr std::string_view kFirst = "GLSL ES 1.00", kThird = "GLSL ES 3.00";

/// What version 3.00 has for names of 1.00.
constexpr Advice kNamesOfFirst[] = {
    {"attribute", "GLSL ES 3.00 has 'in'"},
    {"varying", "GLSL ES 3.00 has 'out' in vertex shaders and 'in' in fragment shaders"},
    {"gl_FragColor", "declare an output: out vec4 color;"},
    {"gl_FragData", "declare outputs: layout(location = 0) out vec4 color;"},
    {"gl_FragDepthEXT", "GLSL ES 3.00 has gl_FragDepth"},
    {"gl_InstanceIDEXT", "GLSL ES 3.00 has gl_InstanceID"},
    {"gl_MaxVaryingVectors", "GLSL ES 3.00 has gl_MaxVertexOutputVectors and gl_MaxFragmentInputVectors"},
    {"texture2D", "GLSL ES 3.00 has texture(sampler, position)"},
    {"texture3D", "GLSL ES 3.00 has texture(sampler, position)"},
    {"textureCube", "GLSL ES 3.00 has texture(sampler, direction)"},
    {"texture2DProj", "GLSL ES 3.00 has textureProj(sampler, position)"},
    {"texture2DLod", "GLSL ES 3.00 has textureLod(sampler, position, level)"},
    {"texture2DProjLod", "GLSL ES 3.00 has textureProjLod(sampler, position, level)"},
    {"textureCubeLod", "GLSL ES 3.00 has textureLod(sampler, direction, level)"},
    {"texture2DLodEXT", "GLSL ES 3.00 has textureLod(sampler, position, level)"},
    {"texture2DGradEXT", "GLSL ES 3.00 has textureGrad(sampler, position, dx, dy)"},
    {"shadow2DEXT", "GLSL ES 3.00 has texture(sampler, position)"}};

/// Of names that version 3.00 does not have: "; GLSL ES 3.00 has ...", or what other languages call things.
std::string adviceOnNameOfThird(std::string_view name, const ErrorPlace& place) {
    if (const std::string_view text = find(kNamesOfFirst, name); !text.empty()) return fmt::format("; {}", text);
    if (const std::string_view text = find(kOtherFunctions, name); !text.empty() && !contains(text, kFirst))
        return fmt::format("; {}", text);
    std::vector<std::string_view> names;
    for (const std::string_view token : place.tokens)
        if (isIdentifier(token) && token.size() > 2) names.push_back(token);
    std::erase(names, name);
    const std::string_view near = name.size() > 2 ? nearest(names, name) : std::string_view();
    return near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
}

}  // namespace

std::string withAdvice(std::string message, const ErrorPlace& place) {
    const std::string_view name = inQuotes(message);
    if (place.version == 300) {
        for (size_t at = message.find(kFirst); at != std::string::npos; at = message.find(kFirst, at))
            message.replace(at, kFirst.size(), kThird);
        const bool isUnknown = contains(message, "undeclared identifier") ||
                               contains(message, "no matching overloaded function") ||
                               contains(message, "is no type of");
        if (isUnknown) {
            const std::string_view unknown = contains(message, "is no type of") ? place.tokens[place.at - 1]
                                             : name.empty()                     ? place.tokens[place.at]
                                                                                : name;
            return message + adviceOnNameOfThird(unknown, place);
        }
        if (const std::string_view text = find(kNamesOfFirst, name); !text.empty())
            return message + fmt::format("; {}", text);
    }
    if (contains(message, "is no type of GLSL ES 1.00")) {
        const std::string_view text = find(kOtherNames, place.tokens[place.at - 1]);
        return text.empty() ? message : fmt::format("{}; {}", message, text);
    }
    if (contains(message, "undeclared identifier")) return message + adviceOnName(place.tokens[place.at], place);
    if (contains(message, "no matching overloaded function")) return Call(name, place).message();
    if (contains(message, "declaration of default precision qualifier"))
        return message + fmt::format("; write 'precision mediump {};' before it", name.empty() ? "float" : name);
    if (contains(message, "required extension not requested: ")) {
        const std::string_view extension = std::string_view(message).substr(message.rfind(' ') + 1);
        return message + fmt::format("; begin with '#extension {} : enable'", extension);
    }
    if (contains(message, "not in GLSL ES 1.00") &&
        std::ranges::find(kIntegerOperators, name) != std::end(kIntegerOperators))
        return message + "; it has no remainder, shift and bit operators";
    if (place.version == 100)
        for (const auto& [part, text] : kFirstMessages)
            if (contains(message, part)) return message + fmt::format("; {}", text);
    for (const auto& [part, text] : kMessages)
        if (contains(message, part)) return message + fmt::format("; {}", text);
    std::string_view rest = message;
    const auto types = [&](std::string_view before, std::string_view between) {
        (void)takeUntil(rest, before);
        const std::string_view from = takeUntil(rest, between);
        return std::pair(from, takeUntil(rest, "'"));
    };
    if (contains(message, "cannot convert from '")) {
        const auto [from, to] = types("cannot convert from '", "' to '");
        return message + adviceOnConversion(from, to);
    }
    if (contains(message, "wrong operand types: ")) {
        const auto [left, right] = types(" takes '", "' and '");
        if (const std::string advice = adviceOnOperands(left, right); !advice.empty()) return message + advice;
        if (name == "&&" || name == "||" || name == "^^") return message + "; write comparisons, as in x != 0.0";
        const bool compares = name == "<" || name == ">" || name == "<=" || name == ">=";
        if (compares && shapeOf(left).components > 1)
            return message + "; of vectors there are lessThan(), greaterThan() and their like";
        const Shape one = shapeOf(left), other = shapeOf(right);
        if (one.components > 1 && other.components > 1 && one.scalar == other.scalar)
            return message + "; both have to be of one size";
        const size_t mat = left.find("mat");
        if (mat != std::string_view::npos && other.components > 1)
            return message + fmt::format("; write vec{}(...)", left[mat + 3]);
    }
    return message;
}

}  // namespace tessera::glsl::front
