// What the compiler says to authors: every error, at its token, with what to write instead where that is known.
#include "shader-core/glsl/front/testing/shaders.h"

using namespace tessera;
using namespace tessera::glsl;

namespace {

struct Mistake {
    const char *name, *text, *log;
};

constexpr Mistake kMistakes[] = {
    {"no default precision", "uniform float x;\nvoid main() {}",
     "ERROR: 0:1:9: 'float' : type requires declaration of default precision qualifier; write 'precision mediump "
     "float;' before it\n"},
    {"texture of another version",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { gl_FragColor = "
     "texture(s, v); }",
     "ERROR: 0:3:30: 'texture' : no matching overloaded function found; GLSL ES 1.00 has texture2D and textureCube\n"},
    {"an integer for a float",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { float x = 1; }",
     "ERROR: 0:3:23: '=' : cannot convert from ' const int' to ' temp mediump float'; nothing is converted by itself: "
     "write 1.0 for 1, or float(...)\n"},
    {"a float for an integer",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { int x = 1.0; }",
     "ERROR: 0:3:21: '=' : cannot convert from ' const float' to ' temp mediump int'; nothing is converted by itself: "
     "write int(...)\n"},
    {"a float times an integer",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { float x = u * 2; "
     "}",
     "ERROR: 0:3:27: '*' : wrong operand types: no operation '*' exists that takes a left-hand operand of type ' "
     "uniform mediump float' and a right operand of type ' const int' (or there is no acceptable conversion); nothing "
     "is converted by itself: write 1.0 for 1, or float(...)\n"},
    {"an assigned integer",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { float x; x = 2; }",
     "ERROR: 0:3:26: 'assign' : cannot convert from ' const int' to ' temp mediump float'; nothing is converted by "
     "itself: write 1.0 for 1, or float(...)\n"},
    {"an argument of another type",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { float x = max(u, "
     "0); }",
     "ERROR: 0:3:25: 'max' : no matching overloaded function found; no function of this name takes these arguments\n"},
    {"a condition that is no boolean",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { if (u) discard; }",
     "ERROR: 0:3:15: '' : boolean expression expected\n"},
    {"vectors of different sizes",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { vec3 q = v; }",
     "ERROR: 0:3:22: '=' : cannot convert from ' smooth in mediump 2-component vector of float' to ' temp mediump "
     "3-component vector of float'\n"},
    {"an undeclared name, once",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { a = 1.0; a = 2.0; "
     "float b = a; }",
     "ERROR: 0:3:15: 'a' : undeclared identifier\n"},
    {"a misspelt built-in variable",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { gl_FragColour = "
     "vec4(u); }",
     "ERROR: 0:3:15: 'gl_FragColour' : undeclared identifier; did you mean 'gl_FragColor'?\n"},
    {"a built-in variable of the other stage", "precision mediump float;\nvoid main() { gl_Position = vec4(1.0); }",
     "ERROR: 0:2:15: 'gl_Position' : undeclared identifier; only vertex shaders have it\n"},
    {"a misspelt variable", "precision mediump float;\nuniform vec4 u_colour;\nvoid main() { gl_FragColor = u_color; }",
     "ERROR: 0:3:30: 'u_color' : undeclared identifier; did you mean 'u_colour'?\n"},
    {"in and out",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nin vec2 w;\nout vec4 c;\nvoid "
     "main() {}",
     "ERROR: 0:3:1: 'in for stage inputs' : not supported for this version or the enabled extensions; GLSL ES 1.00 has "
     "attribute and varying\n"
     "ERROR: 0:4:1: 'out for stage outputs' : not supported for this version or the enabled extensions; GLSL ES 1.00 "
     "has varying in vertex shaders, and gl_FragColor in fragment shaders\n"},
    {"a missing semicolon",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { float a = 1.0\n   "
     " float b = 2.0; }",
     "ERROR: 0:4:5: 'float' : syntax error, ',' or ';' must stand before it\n"},
    {"a missing semicolon before a brace",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { gl_FragColor = "
     "vec4(u) }",
     "ERROR: 0:3:38: '}' : syntax error, ',' or ';' must stand before it\n"},
    {"a missing comma",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { gl_FragColor = "
     "vec4(v, 0.0 1.0); }",
     "ERROR: 0:3:42: '1.0' : syntax error, ')' or ',' must stand before it\n"},
    {"a missing parenthesis",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { for (int i = 0; i "
     "< 4; i++ { } }",
     "ERROR: 0:3:42: '{' : syntax error, ')' must stand before it\n"},
    {"a missing brace",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { gl_FragColor = "
     "vec4(u);",
     "ERROR: 0:3:37: '' : syntax error, the shader ends before it is complete; is a '}' missing?\n"},
    {"a brace too many",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { }}",
     "ERROR: 0:3:16: '}' : syntax error\n"},
    {"another version", "#version 300 es\nvoid main() {}",
     "ERROR: 0:1:1: '300' : version not supported, GLSL ES 1.00 is #version 100\n"},
    {"a type of another version",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nuniform uint n;\nvoid main() {}",
     "ERROR: 0:3:14: 'n' : syntax error, 'uint' before it is no type of GLSL ES 1.00\n"},
    {"a reserved word",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { double d; }",
     "ERROR: 0:3:15: 'double' : Reserved word.\n"},
    {"a suffix behind a number",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { gl_FragColor = "
     "vec4(1.0f); }",
     "ERROR: 0:3:35: 'floating-point suffix' : not supported for this version or the enabled extensions; write the "
     "number without 'f'\n"},
    {"an array constructor",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { float x[2] = "
     "float[](1.0, 2.0); }",
     "ERROR: 0:3:28: 'arrayed constructor' : not supported for this version or the enabled extensions; set the "
     "elements one by one\n"},
    {"a remainder",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { int i = 5 % 2; }",
     "ERROR: 0:3:25: '%' : not supported for this version or the enabled extensions; GLSL ES 1.00 has no remainder, "
     "shift and bit operators\n"},
    {"a shift",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { int i = 1 << 2; }",
     "ERROR: 0:3:25: 'bit shift left' : not supported for this version or the enabled extensions; GLSL ES 1.00 has no "
     "remainder, shift and bit operators\n"},
    {"a bit operation",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { int i = 1 & 2; }",
     "ERROR: 0:3:25: 'bitwise and' : not supported for this version or the enabled extensions; GLSL ES 1.00 has no "
     "remainder, shift and bit operators\n"},
    {"a write to a varying",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { v = vec2(1.0); }",
     "ERROR: 0:3:17: 'assign' : l-value required \"v\" (can't modify shader input)\n"},
    {"an extension that is not enabled",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { float y = "
     "dFdx(u); }",
     "ERROR: 0:3:25: 'dFdx' : required extension not requested: GL_OES_standard_derivatives\n"},
    {"a declaration twice",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { float a; float a; "
     "}",
     "ERROR: 0:3:30: 'a' : redefinition\n"},
    {"recursion",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nfloat f(float x) {\n    return "
     "f(x);\n}\nvoid main() { gl_FragColor = vec4(f(u)); }",
     "ERROR: 0:3:7: 'f' : function calls itself; recursion is not allowed\n"},
    {"names that the parser hears by others",
     "precision mediump float;\nuniform float filter;\nfloat case(float a__b) { return case(a__b); }\nvoid main() { "
     "gl_FragColor = vec4(filter); }",
     "ERROR: 0:3:7: 'case' : function calls itself; recursion is not allowed\n"},
    {"errors of such names",
     "precision mediump float;\nuniform float filter;\nvoid main() {\n    int a = filter;\n    common = 1.0;\n    "
     "filter b;\n    float case, case;\n}",
     "ERROR: 0:4:11: '=' : cannot convert from ' uniform mediump float' to ' temp mediump int'; nothing is converted "
     "by "
     "itself: write int(...)\n"
     "ERROR: 0:5:5: 'common' : undeclared identifier\n"
     "ERROR: 0:6:12: 'b' : syntax error, 'filter' before it is no type of GLSL ES 1.00\n"
     "ERROR: 0:7:17: 'case' : redefinition\n"},
    {"an unfinished declaration", "void main() {}\nconst highp",
     "ERROR: 0:2:7: '' : syntax error, the shader ends before it is complete; is a '}' missing?\n"},
    {"qualifiers alone", "void main() {}\nuniform;", "ERROR: 0:2:1: 'uniform' : syntax error\n"},
    {"arrays chosen between",
     "precision mediump float;\nvoid main() {\n    float a[2], b[2];\n    gl_FragColor = vec4((true ? a : b)[0]);\n}",
     "ERROR: 0:4:31: ':' : wrong operand types: no operation ':' exists that takes a left-hand operand of type ' temp "
     "2-element array of mediump float' and a right operand of type ' temp 2-element array of mediump float' (or there "
     "is no acceptable conversion)\n"},
    {"a structure and a function of OpenGL's names", "void gl_f() {}\nvoid main() {}",
     "ERROR: 0:1:6: 'gl_f' : identifiers starting with \"gl_\" are reserved\n"},
    {"a member of OpenGL's name", "struct S {\n    int gl_a;\n};\nvoid main() {}",
     "ERROR: 0:2:9: 'gl_a' : identifiers starting with \"gl_\" are reserved\n"},
    {"both kinds of colour",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { gl_FragColor = "
     "vec4(u);\n    gl_FragData[0] = vec4(u); }",
     "ERROR: 0:4:5: 'gl_FragData' : gl_FragColor is used by the same shader; only one of them may be\n"},
    {"a character that is none",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { float a$ = 1.0; }",
     "ERROR: 0:3:22: '' : character outside of the language's character set\n"},
    {"an invariant gl_FrontFacing", "precision mediump float;\ninvariant gl_FragCoord, gl_FrontFacing;\nvoid main() {}",
     "ERROR: 0:2:25: 'gl_FrontFacing' : cannot be invariant; it is as gl_Position is\n"},
    {"directives", "#foo\n#extension GL_X : require\n#error stop here\nvoid main() {}",
     "ERROR: 0:1:1: '#foo' : unknown directive\n"
     "ERROR: 0:2:1: 'GL_X' : extension not supported\n"
     "ERROR: 0:3:1: '#error' : stop here\n"},
    {"several errors",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nfloat f(float x) { return x + "
     "1; }\nvoid main() {\n    float a = 1;\n    vec4 c = vec4(v, 0.0 1.0);\n    if (a > 2) c.x = b;\n    gl_FragColor "
     "= c + a;\n    gl_FragColor.q1 = 0.0;\n}",
     "ERROR: 0:3:29: '+' : wrong operand types: no operation '+' exists that takes a left-hand operand of type ' in "
     "mediump float' and a right operand of type ' const int' (or there is no acceptable conversion); nothing is "
     "converted by itself: write 1.0 for 1, or float(...)\n"
     "ERROR: 0:5:13: '=' : cannot convert from ' const int' to ' temp mediump float'; nothing is converted by itself: "
     "write 1.0 for 1, or float(...)\n"
     "ERROR: 0:6:26: '1.0' : syntax error, ')' or ',' must stand before it\n"
     "ERROR: 0:7:11: '>' : wrong operand types: no operation '>' exists that takes a left-hand operand of type ' temp "
     "mediump float' and a right operand of type ' const int' (or there is no acceptable conversion); nothing is "
     "converted by itself: write 1.0 for 1, or float(...)\n"
     "ERROR: 0:9:18: 'q1' : unknown swizzle selection\n"},
    {"errors inside a macro",
     "#define TWICE(x) ((x) * 2)\nprecision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 "
     "v;\nvoid main() { float a = TWICE(u); }",
     "ERROR: 0:4:25: '*' : wrong operand types: no operation '*' exists that takes a left-hand operand of type ' "
     "uniform mediump float' and a right operand of type ' const int' (or there is no acceptable conversion); nothing "
     "is converted by itself: write 1.0 for 1, or float(...)\n"},
    {"lines that #line renumbers", "precision mediump float;\n#line 70 3\nvoid main() { x; }",
     "ERROR: 3:70:15: 'x' : undeclared identifier\n"},
    {"a line that goes on", "void main() { int a\\\n= 1.0; }",
     "ERROR: 0:2:1: '=' : cannot convert from ' const float' to ' temp mediump int'; nothing is converted by itself: "
     "write int(...)\n"},
};

std::string repeated(const std::string& text, int n) {
    std::string out;
    for (int i = 0; i < n; ++i) out += text;
    return out;
}

}  // namespace

TEST_CASE("each mistake has its message") {
    for (const Mistake& mistake : kMistakes) {
        CAPTURE(mistake.name);
        const CompileResult result = compile(isa::Stage::Fragment, mistake.text);
        CHECK(result.shader == nullptr);
        CHECK(result.infoLog == mistake.log);
    }
}

TEST_CASE("people see the line and a caret") {
    const std::string text =
        "precision mediump float;\n\tuniform float u;\n\tvoid main() {\n\tfloat a = u * 2;\n}\n#line 9 3\n";
    const CompileResult result = compile(isa::Stage::Fragment, text + "double d;\n");
    CHECK(
        describe(result.messages, "x.frag", text + "double d;\n") ==
        "x.frag:4:14: error: '*' : wrong operand types: no operation '*' exists that takes a left-hand operand of type "
        "' uniform mediump float' and a right operand of type ' const int' (or there is no acceptable conversion); "
        "nothing is converted by itself: write 1.0 for 1, or float(...)\n"
        "     float a = u * 2;\n"
        "                 ^\n"
        "x.frag[3]:9:1: error: 'double' : Reserved word.\n"
        "    double d;\n"
        "    ^\n");
    CHECK(describe({{false, 0, 0, 0, 0, "no place"}}, "x.frag", "") == "x.frag: warning: no place\n");
    CHECK(describe({{true, 2, 0, 0, 2, "no column"}}, "x.frag", "a\r\nb\r\nc") ==
          "x.frag:2: error: no column\n    b\n");
}

TEST_CASE("columns count from the line's beginning, whatever stands in it") {
    const auto log = [](const std::string& text) { return compile(isa::Stage::Vertex, text).infoLog; };
    CHECK(log("/* a\n b */ void main() { x; }") == "ERROR: 0:2:21: 'x' : undeclared identifier\n");
    CHECK(log("void main() {\r\n\t x;\r\n}") == "ERROR: 0:2:3: 'x' : undeclared identifier\n");
    CHECK(log("void main()\r{ x; }") == "ERROR: 0:2:3: 'x' : undeclared identifier\n");
    CHECK(log("#define F(a) a\nvoid main() { F(1); F(x); }") == "ERROR: 0:2:23: 'x' : undeclared identifier\n");
    // What a call of a macro over several lines stands for has a line, and no column.
    CHECK(log("#define F(a) x\nvoid main() { F(\n1); }") == "ERROR: 0:3: 'x' : undeclared identifier\n");
}

TEST_CASE("a function is named where it is called, also inside another call") {
    const auto log = [](const std::string& text) {
        return compile(isa::Stage::Fragment, "precision mediump float; uniform float u;\n" + text).infoLog;
    };
    CHECK(log("void main() { float a = max(max(u, 0), u); }").starts_with("ERROR: 0:2:29: 'max' : no matching"));
    CHECK(log("void main() { float a = max(max(u, u), 0); }").starts_with("ERROR: 0:2:25: 'max' : no matching"));
}

TEST_CASE("a shader has at most twenty errors, found in bounded time") {
    const std::string head = "precision mediump float;\nvoid main() {\n";
    std::string many = head;
    for (int i = 0; i < 100; ++i) many += "x" + std::to_string(i) + " = 1.0;\n";
    const CompileResult result = compile(isa::Stage::Fragment, many + "}");
    CHECK(result.messages.size() == kMaxErrors);
    CHECK(result.messages.back().line == 22);
    CHECK(compile(isa::Stage::Fragment, repeated("#nothing\n", 100)).messages.size() == kMaxErrors);
    // Texts too long to be parsed twenty times over.
    CHECK(compile(isa::Stage::Fragment, head + repeated("float a = 1;\n", 40000) + "}").messages.size() >= 1);
    CHECK(compile(isa::Stage::Fragment, head + repeated("a b;\n", 60000) + "}").messages.size() >= 1);
    CHECK(compile(isa::Stage::Fragment, repeated("}", 100)).messages.size() == 1);
}
