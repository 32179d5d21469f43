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
     "ERROR: 0:3:30: 'texture' : no function has this name; GLSL ES 1.00 has texture2D\n"},
    {"an integer for a float",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { float x = 1; }",
     "ERROR: 0:3:23: '=' : cannot convert from 'const int' to 'float'; nothing is converted by itself: write 1.0 for "
     "1, or float(...)\n"},
    {"a float for an integer",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { int x = 1.0; }",
     "ERROR: 0:3:21: '=' : cannot convert from 'const float' to 'int'; nothing is converted by itself: write "
     "int(...)\n"},
    {"a float times an integer",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { float x = u * 2; "
     "}",
     "ERROR: 0:3:27: '*' : wrong operand types: no operation '*' takes 'uniform float' and 'const int'; nothing is "
     "converted by itself: write 1.0 for 1, or float(...)\n"},
    {"an assigned integer",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { float x; x = 2; }",
     "ERROR: 0:3:26: 'assign' : cannot convert from 'const int' to 'float'; nothing is converted by itself: write 1.0 "
     "for 1, or float(...)\n"},
    {"an argument of another type",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { float x = max(u, "
     "0); }",
     "ERROR: 0:3:25: 'max' : no matching overloaded function found; nothing is converted by itself: write 0.0 for 0\n"},
    {"a condition that is no boolean",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { if (u) discard; }",
     "ERROR: 0:3:15: '' : boolean expression expected; write a comparison, as in x != 0\n"},
    {"vectors of different sizes",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { vec3 q = v; }",
     "ERROR: 0:3:22: '=' : cannot convert from 'varying vec2' to 'vec3'; write vec3(...)\n"},
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
     "ERROR: 0:3:1: 'in for stage inputs' : not in GLSL ES 1.00; write attribute or varying\nERROR: 0:4:1: 'out for "
     "stage outputs' : not in GLSL ES 1.00; write varying in vertex shaders, and gl_FragColor in fragment shaders\n"},
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
     "ERROR: 0:1:1: '300' : version not supported, GLSL ES 1.00 is #version 100; write attribute and varying for in "
     "and out, gl_FragColor for the output of a fragment shader, texture2D and textureCube for texture\n"},
    {"a type of another version",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nuniform uint n;\nvoid main() {}",
     "ERROR: 0:3:14: 'n' : syntax error, 'uint' before it is no type of GLSL ES 1.00; GLSL ES 1.00 has int\n"},
    {"a reserved word",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { double d; }",
     "ERROR: 0:3:15: 'double' : reserved word; the language keeps it for later versions: choose another name\n"},
    {"a suffix behind a number",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { gl_FragColor = "
     "vec4(1.0f); }",
     "ERROR: 0:3:35: 'floating-point suffix' : not in GLSL ES 1.00; write the number without 'f'\n"},
    {"an array constructor",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { float x[2] = "
     "float[](1.0, 2.0); }",
     "ERROR: 0:3:28: 'arrayed constructor' : not in GLSL ES 1.00; set the elements one by one\n"},
    {"a remainder",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { int i = 5 % 2; }",
     "ERROR: 0:3:25: '%' : not in GLSL ES 1.00; it has no remainder, shift and bit operators\n"},
    {"a shift",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { int i = 1 << 2; }",
     "ERROR: 0:3:25: 'bit shift left' : not in GLSL ES 1.00; it has no remainder, shift and bit operators\n"},
    {"a bit operation",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { int i = 1 & 2; }",
     "ERROR: 0:3:25: 'bitwise and' : not in GLSL ES 1.00; it has no remainder, shift and bit operators\n"},
    {"a write to a varying",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { v = vec2(1.0); }",
     "ERROR: 0:3:17: 'assign' : l-value required \"v\" (can't modify shader input); copy it to a variable\n"},
    {"an extension that is not enabled",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nvoid main() { float y = "
     "dFdx(u); }",
     "ERROR: 0:3:25: 'dFdx' : required extension not requested: GL_OES_standard_derivatives; begin with '#extension "
     "GL_OES_standard_derivatives : enable'\n"},
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
     "ERROR: 0:4:11: '=' : cannot convert from 'uniform float' to 'int'; nothing is converted by itself: write "
     "int(...)\nERROR: 0:5:5: 'common' : undeclared identifier\nERROR: 0:6:12: 'b' : syntax error, 'filter' before it "
     "is no type of GLSL ES 1.00\nERROR: 0:7:17: 'case' : redefinition\n"},
    {"an unfinished declaration", "void main() {}\nconst highp",
     "ERROR: 0:2:7: '' : syntax error, the shader ends before it is complete; is a '}' missing?\n"},
    {"qualifiers alone", "void main() {}\nuniform;", "ERROR: 0:2:1: 'uniform' : syntax error\n"},
    {"arrays chosen between",
     "precision mediump float;\nvoid main() {\n    float a[2], b[2];\n    gl_FragColor = vec4((true ? a : b)[0]);\n}",
     "ERROR: 0:4:31: ':' : wrong operand types: no operation ':' takes 'float[2]' and 'float[2]'\n"},
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
     "ERROR: 0:1:1: '#foo' : unknown directive\nERROR: 0:2:1: 'GL_X' : extension not supported\nERROR: 0:3:1: '#error' "
     ": stop here\n"},
    {"several errors",
     "precision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 v;\nfloat f(float x) { return x + "
     "1; }\nvoid main() {\n    float a = 1;\n    vec4 c = vec4(v, 0.0 1.0);\n    if (a > 2) c.x = b;\n    gl_FragColor "
     "= c + a;\n    gl_FragColor.q1 = 0.0;\n}",
     "ERROR: 0:3:29: '+' : wrong operand types: no operation '+' takes 'float' and 'const int'; nothing is converted "
     "by itself: write 1.0 for 1, or float(...)\nERROR: 0:5:13: '=' : cannot convert from 'const int' to 'float'; "
     "nothing is converted by itself: write 1.0 for 1, or float(...)\nERROR: 0:6:26: '1.0' : syntax error, ')' or ',' "
     "must stand before it\nERROR: 0:7:11: '>' : wrong operand types: no operation '>' takes 'float' and 'const int'; "
     "nothing is converted by itself: write 1.0 for 1, or float(...)\nERROR: 0:9:18: 'q1' : unknown swizzle "
     "selection\n"},
    {"errors inside a macro",
     "#define TWICE(x) ((x) * 2)\nprecision mediump float;\nuniform sampler2D s; uniform float u; varying vec2 "
     "v;\nvoid main() { float a = TWICE(u); }",
     "ERROR: 0:4:25: '*' : wrong operand types: no operation '*' takes 'uniform float' and 'const int'; nothing is "
     "converted by itself: write 1.0 for 1, or float(...)\n"},
    {"lines that #line renumbers", "precision mediump float;\n#line 70 3\nvoid main() { x; }",
     "ERROR: 3:70:15: 'x' : undeclared identifier\n"},
    {"a line that goes on", "void main() { int a\\\n= 1.0; }",
     "ERROR: 0:2:1: '=' : cannot convert from 'const float' to 'int'; nothing is converted by itself: write "
     "int(...)\n"},
    {"a misspelt function",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { float x = length(normalise(w)); }",
     "ERROR: 0:3:32: 'normalise' : no function has this name; did you mean 'normalize'?\n"},
    {"a misspelt function of the shader's own",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nfloat noiseAt(vec2 p) { return p.x; }\nvoid main() { float x = noiceAt(v); }",
     "ERROR: 0:4:25: 'noiceAt' : no function has this name; did you mean 'noiseAt'?\n"},
    {"a function that nobody has",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { float x = whatever(u); }",
     "ERROR: 0:3:25: 'whatever' : no function has this name\n"},
    {"capitals",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { gl_FragColor = texture2d(s, v); }",
     "ERROR: 0:3:30: 'texture2d' : no function has this name; did you mean 'texture2D'?\n"},
    {"texture of a cube",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { gl_FragColor = texture(c, w); }",
     "ERROR: 0:3:30: 'texture' : no function has this name; GLSL ES 1.00 has textureCube\n"},
    {"texture of a sampler that was passed",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvec4 at(sampler2D t, vec2 p) { return texture(t, p); }\nvoid main() { gl_FragColor = "
     "at(s, v); }",
     "ERROR: 0:3:39: 'texture' : no function has this name; GLSL ES 1.00 has texture2D\n"},
    {"texture of what is no name",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { gl_FragColor = texture(2, v); }",
     "ERROR: 0:3:30: 'texture' : no function has this name; GLSL ES 1.00 has texture2D and textureCube\n"},
    {"a projected lookup",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { gl_FragColor = textureProj(s, w); }",
     "ERROR: 0:3:30: 'textureProj' : no function has this name; GLSL ES 1.00 has texture2DProj\n"},
    {"a level of detail",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { gl_FragColor = textureLod(c, w, 0.0); }",
     "ERROR: 0:3:30: 'textureLod' : no function has this name; GLSL ES 1.00 has textureCubeLodEXT behind '#extension "
     "GL_EXT_shader_texture_lod : enable'\n"},
    {"a level of detail in a fragment shader",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { gl_FragColor = texture2DLod(s, v, 0.0); }",
     "ERROR: 0:3:30: 'texture2DLod' : no function has this name; only vertex shaders have it, fragment shaders have "
     "texture2DLodEXT behind '#extension GL_EXT_shader_texture_lod : enable'\n"},
    {"gradients",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { gl_FragColor = textureGrad(s, v, v, v); }",
     "ERROR: 0:3:30: 'textureGrad' : no function has this name; GLSL ES 1.00 has texture2DGradEXT behind '#extension "
     "GL_EXT_shader_texture_lod : enable'\n"},
    {"a size",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { vec2 x = vec2(textureSize(s, 0)); }",
     "ERROR: 0:3:29: 'textureSize' : no function has this name; in GLSL ES 1.00 pass the size as a uniform\n"},
    {"functions of another language",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { float x = lerp(u, 1.0, saturate(u)); }",
     "ERROR: 0:3:38: 'saturate' : no function has this name; write clamp(x, 0.0, 1.0)\n"},
    {"a function of later versions",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { float x = round(u); }",
     "ERROR: 0:3:25: 'round' : no function has this name; in GLSL ES 1.00 write floor(x + 0.5)\n"},
    {"a wrong count of arguments",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { float x = clamp(u) + atan(); }",
     "ERROR: 0:3:25: 'clamp' : no matching overloaded function found; it takes (genType, genType, genType) or "
     "(genType, float, float); genType is float, vec2, vec3 or vec4\n"},
    {"wrong arguments of the shader's own function",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nfloat f(float a, const in vec2 b[2]) { return a; }\nfloat f(vec2 a) { return a.x; "
     "}\nvoid main() { float x = f(1); }",
     "ERROR: 0:5:25: 'f' : no matching overloaded function found; it takes (float a, const in vec2 b[2]) or (vec2 "
     "a)\n"},
    {"a function that comes later",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { float x = f(u); }\nfloat f(float a) { return a; }",
     "ERROR: 0:3:25: 'f' : no matching overloaded function found; it is declared behind this call, and has to be "
     "before it\n"},
    {"a negative integer",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { float x = max(u, -1) + pow(u * 2.0, 2); }",
     "ERROR: 0:3:25: 'max' : no matching overloaded function found; nothing is converted by itself: write 1.0 for 1\n"},
    {"an integer of a loop",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { for (int i = 0; i < 4.0; ++i) { float x = mod(i, 2); } }",
     "ERROR: 0:3:33: '<' : wrong operand types: no operation '<' takes 'int' and 'const float'; nothing is converted "
     "by itself: write 1 for 1.0, or float(...)\n"},
    {"a vector of integers",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { vec2 x = v + ivec2(1); }",
     "ERROR: 0:3:26: '+' : wrong operand types: no operation '+' takes 'varying vec2' and 'const ivec2'; nothing is "
     "converted by itself: write vec2(...)\n"},
    {"vectors of different sizes",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { vec3 x = w * v; }",
     "ERROR: 0:3:26: '*' : wrong operand types: no operation '*' takes 'uniform vec3' and 'varying vec2'; both have to "
     "be of one size\n"},
    {"a matrix and a smaller vector",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { vec3 x = m * w; }",
     "ERROR: 0:3:26: '*' : wrong operand types: no operation '*' takes 'uniform mat4' and 'uniform vec3'; write "
     "vec4(...)\n"},
    {"a constant of another type",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { const vec4 x = w; }",
     "ERROR: 0:3:26: 'non-constant initializer' : not in GLSL ES 1.00; make it no 'const'\n"},
    {"too few components",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { gl_FragColor = w; }",
     "ERROR: 0:3:28: 'assign' : cannot convert from 'uniform vec3' to 'vec4'; write vec4(...)\n"},
    {"too many components",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { float x = v; }",
     "ERROR: 0:3:23: '=' : cannot convert from 'varying vec2' to 'float'; take as many of its components, as in .x\n"},
    {"a constructor with too little",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { gl_FragColor = vec4(v); }",
     "ERROR: 0:3:36: 'constructor' : not enough data provided for construction; give as many components as the type "
     "has, or one number for all\n"},
    {"a constructor with too much",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { gl_FragColor = vec4(w, 1.0, 1.0); }",
     "ERROR: 0:3:46: 'constructor' : too many arguments; the type has fewer components\n"},
    {"components that are not there",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { vec4 x = w.xyzw; }",
     "ERROR: 0:3:26: 'xyzw' : vector swizzle selection out of range; the vector has fewer components\n"},
    {"components of two sets",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { vec2 x = w.xg; }",
     "ERROR: 0:3:26: 'xg' : vector swizzle selectors not from the same set; take all of them from xyzw, from rgba or "
     "from stpq\n"},
    {"a component of a number",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { float x = u.x; }",
     "ERROR: 0:3:27: 'scalar swizzle' : not in GLSL ES 1.00; a number has no components\n"},
    {"a component of a sampler",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { vec4 x = s.xyzw; }",
     "ERROR: 0:3:26: 'xyzw' : does not apply to this type: 'uniform sampler2D'\n"},
    {"no booleans",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { if (!u) discard; if (u && true) discard; while (u) {} }",
     "ERROR: 0:3:19: '!' : wrong operand type: no operation '!' takes 'uniform float'; write a comparison, as in x == "
     "0.0\nERROR: 0:3:38: '&&' : wrong operand types: no operation '&&' takes 'uniform float' and 'const bool'; write "
     "comparisons, as in x != 0.0\n"},
    {"vectors compared",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { if (v < vec2(1.0)) discard; }",
     "ERROR: 0:3:21: '<' : wrong operand types: no operation '<' takes 'varying vec2' and 'const vec2'; of vectors "
     "there are lessThan(), greaterThan() and their like\n"},
    {"negated booleans",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { float x = -true; }",
     "ERROR: 0:3:25: '-' : wrong operand type: no operation '-' takes 'const bool'\n"},
    {"a structure for a vector",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nstruct L { vec3 p; float r; };\nuniform L l;\nvoid main() { vec3 x = l; }",
     "ERROR: 0:5:22: '=' : cannot convert from 'uniform structure' to 'vec3'\n"},
    {"arrays of other sizes",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { float a[2]; float b[3]; a = b; }",
     "ERROR: 0:3:41: 'array assignment' : not in GLSL ES 1.00; copy the elements one by one\n"},
    {"an array's list",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { float a[2] = {1.0, 2.0}; }",
     "ERROR: 0:3:28: '{ } style initializers' : not in GLSL ES 1.00; set the elements one by one\n"},
    {"an array's length",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nuniform float k[4];\nvoid main() { int n = k.length(); }",
     "ERROR: 0:4:25: '.length' : not in GLSL ES 1.00; name the constant that the array is declared with\n"},
    {"variables of other versions",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { gl_FragColor = gl_Color; gl_FragDepth = 1.0; uint n; float3 f; mat2x3 k; "
     "}",
     "ERROR: 0:3:30: 'gl_Color' : undeclared identifier; GLSL ES 1.00 does not have it: declare an attribute, a "
     "varying or a uniform\nERROR: 0:3:40: 'gl_FragDepth' : undeclared identifier; write gl_FragDepthEXT behind "
     "'#extension GL_EXT_frag_depth : enable'\nERROR: 0:3:60: 'uint' : undeclared identifier; GLSL ES 1.00 has "
     "int\nERROR: 0:3:68: 'float3' : undeclared identifier; GLSL has vec3\nERROR: 0:3:78: 'mat2x3' : undeclared "
     "identifier; matrices of GLSL ES 1.00 are square\n"},
    {"a global that is computed",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nfloat x = u;\nconst float y = u;\nvoid main() {}",
     "ERROR: 0:3:7: 'non-constant global initializer' : not in GLSL ES 1.00; set it at the beginning of main()\nERROR: "
     "0:4:15: '=' : global const initializers must be constant, 'const float'; make it no 'const', and set it at the "
     "beginning of main()\n"},
    {"a uniform with a value",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nuniform float x = 1.0;\nvoid main() {}",
     "ERROR: 0:3:15: 'uniform' : cannot initialize this type of qualifier; the application sets uniforms, a vertex "
     "shader varyings\n"},
    {"a uniform inside a function",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { uniform float x; }",
     "ERROR: 0:3:15: 'uniform' : not allowed in nested scope; declare it outside of functions\n"},
    {"a varying of integers",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvarying int n;\nvoid main() {}",
     "ERROR: 0:3:1: 'shader input/output' : not in GLSL ES 1.00; varyings and attributes are floats, or vectors and "
     "matrices of floats\n"},
    {"an attribute in a fragment shader",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nattribute vec4 a;\nvoid main() {}",
     "ERROR: 0:3:1: 'attribute' : not supported in this stage: fragment; attributes are vertex shaders': pass a "
     "varying on\n"},
    {"a layout",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nlayout(location = 0) varying vec4 a;\nvoid main() {}",
     "ERROR: 0:3:1: 'layout' : syntax error; GLSL ES 1.00 has no layout: glBindAttribLocation says where attributes "
     "are\n"},
    {"writes to what is read only",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { const float x = 1.0; x = 2.0; u = 1.0; }",
     "ERROR: 0:3:38: 'assign' : l-value required (can't modify a const); make it no 'const', or copy it to a "
     "variable\nERROR: 0:3:47: 'assign' : l-value required \"u\" (can't modify a uniform); copy it to a variable\n"},
    {"a precision for a type that has none",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nprecision highp vec4;\nvoid main() {}",
     "ERROR: 0:3:1: 'float' : cannot apply precision statement to this type; use 'float', 'int' or a sampler type\n"},
    {"names of later versions",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { float input = 1.0; switch (1) {} }",
     "ERROR: 0:3:21: 'input' : reserved word; the language keeps it for later versions: choose another name\nERROR: "
     "0:3:34: 'switch' : reserved word; the language keeps it for later versions: choose another name\n"},
    {"an unsigned number",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nvoid main() { int x = 1u; }",
     "ERROR: 0:3:23: 'unsigned literal' : not in GLSL ES 1.00; write the number without 'u'\n"},
    {"a wrong return",
     "precision mediump float;\nuniform sampler2D s; uniform samplerCube c; uniform float u; uniform vec3 w; uniform "
     "mat4 m; varying vec2 v;\nfloat f() { return 1; }\nvoid main() {}",
     "ERROR: 0:3:13: 'return' : type does not match, or is not convertible to, the function's return type; nothing is "
     "converted by itself\n"},
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
    CHECK(describe(result.messages, "x.frag", text + "double d;\n") ==
          "x.frag:4:14: error: '*' : wrong operand types: no operation '*' takes 'uniform float' and 'const int'; "
          "nothing is converted by itself: write 1.0 for 1, or float(...)\n"
          "     float a = u * 2;\n"
          "                 ^\n"
          "x.frag[3]:9:1: error: 'double' : reserved word; the language keeps it for later versions: choose another "
          "name\n"
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

TEST_CASE("vertex shaders have lookups of their own") {
    const auto log = [](const std::string& text) {
        return compile(isa::Stage::Vertex, "uniform sampler2D s; uniform samplerCube c;\n" + text).infoLog;
    };
    CHECK(log("void main() { gl_Position = textureLod(s, vec2(0.0), 0.0); }") ==
          "ERROR: 0:2:29: 'textureLod' : no function has this name; GLSL ES 1.00 has texture2DLod\n");
    CHECK(log("void main() { gl_Position = textureLod(c, vec3(0.0), 0.0); }") ==
          "ERROR: 0:2:29: 'textureLod' : no function has this name; GLSL ES 1.00 has textureCubeLod\n");
    CHECK(log("void main() { gl_Position = texture2DLod(s, vec2(0.0)); }") ==
          "ERROR: 0:2:29: 'texture2DLod' : no matching overloaded function found; it takes (sampler2D, vec2, float)\n");
    CHECK(log("attribute vec4 a;\nvoid main() { gl_Position = a.xyz; }") ==
          "ERROR: 0:3:27: 'assign' : cannot convert from 'vec3' to 'vec4'; write vec4(...)\n");
    CHECK(log("varying vec2 v;\nvoid main() { gl_Position = v; }") ==
          "ERROR: 0:3:27: 'assign' : cannot convert from 'varying vec2' to 'vec4'; write vec4(...)\n");
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
