// What compiles, what must not, and what the log says.
#include "shader-core/glsl/front/testing/shaders.h"

#include <algorithm>
#include <ctime>
#include <thread>
#include <vector>

using namespace tessera;
using namespace tessera::glsl;

TEST_CASE("the log names the place and the thing") {
    CompileResult r = vertex("void main() {\n  gl_Position = foo;\n}\n");
    CHECK(r.shader == nullptr);
    CHECK(contains(r.infoLog, "ERROR: 0:2:17: 'foo' : undeclared identifier"));
    CHECK_FALSE(contains(r.infoLog, "No code generated"));
    CHECK(contains(vertex("#line 70\nvoid main() { x; }").infoLog, "ERROR: 0:70:15: 'x'"));
    CHECK(vertex("void main() { gl_Position = vec4(0.0); }").infoLog.empty());
}

TEST_CASE("statements and expressions of every kind compile") {
    for (std::string s : std::initializer_list<std::string>{
             "",
             ";",
             "float x = u, y; y = x++; gl_FragColor = vec4(--y);",
             "for (int i = 0; i < 4; i++) { if (i == 2) continue; if (u > 1.0) break; gl_FragColor[i] = u; }",
             "int i = 0; while (i < k) i++; do { i--; } while (i > 0);",
             "for (;;) { break; }",
             "if (u > 1.0) discard; else gl_FragColor = v;",
             "gl_FragColor = u > 0.5 ? v : -v;",
             "vec4 w = v; w.zx = v.xy; w.w += 2.0; w[k] = 1.0; gl_FragColor = w.wzyx;",
             "mat3 m = mat3(u); m[1][2] = u; m[k] = vec3(1.0); gl_FragColor.xyz = m * v.xyz * m;",
             "vec4 a[3]; a[0] = v; a[k] = v; gl_FragColor = a[2] + a[k];",
             "bvec2 b = bvec2(v.xy); ivec3 i = ivec3(b, k); gl_FragColor = vec4(i, any(b)) / u;",
             "gl_FragColor = texture2D(s, v.xy, 1.0) + texture2DProj(s, v) + texture2DProj(s, v.xyz);",
             "bool a = u > 1.0 && k < 2 || !(u < 0.0) ^^ true; gl_FragColor = vec4(a);",
             "struct S { vec2 a; mat2 m; } x, y; x = S(v.xy, mat2(v)); y = x; gl_FragColor = vec4(x == y, x.m);",
             "gl_FragColor = vec4(gl_FragCoord.xy, gl_PointCoord) * (gl_FrontFacing ? 1.0 : gl_DepthRange.diff);",
             "gl_FragData[0] = vec4(gl_MaxDrawBuffers);",
             "return; gl_FragColor = v;",
             "const float c = matrixCompMult(mat2(2.0), mat2(3.0))[0][0]; gl_FragColor = vec4(c);",
             "float a[int(matrixCompMult(mat3(2.0), mat3(3.0))[2].z)]; a[5] = u; gl_FragColor = vec4(a[5]);",
             "const mat2 a = mat2(1, 2, 3, 4), b = matrixCompMult(a, a) + a; float c[int(b[1].y)]; c[19] = u;",
             "float a[(ivec2(3, -2) == ivec2(-6, 2)) == false ? 2 : 1]; a[1] = u; gl_FragColor = vec4(a[1]);",
             "float a[true == (mat2(1.0) != mat2(2.0)) ? 2 : 1]; a[1] = u; gl_FragColor = vec4(a[1]);",
             "float a[(vec2(1.0) == vec2(1.0)) == (bvec3(true) == bvec3(true)) ? 2 : 1]; a[1] = u;",
             "const bool c = vec2(1.0) == vec2(2.0); float a[c == false ? 2 : 1]; a[1] = u;",
             "const vec3 c = vec3(1.0, 2.0, 3.0); gl_FragColor = vec4(c[k], c.zy, mat2(1.0)[k][k]);",
         }) {
        CAPTURE(s);
        CHECK(compiles(body(s)));
    }
}

TEST_CASE("every built-in function compiles") {
    for (const char* one :
         {"radians", "degrees", "sin",  "cos",         "tan", "asin", "acos",  "atan", "exp",   "log",
          "exp2",    "log2",    "sqrt", "inversesqrt", "abs", "sign", "floor", "ceil", "fract", "normalize"})
        CHECK(compiles(body(std::string("gl_FragColor = ") + one + "(v) + " + one + "(u);")));
    for (const char* two : {"atan", "pow", "mod", "min", "max", "step", "reflect"})
        CHECK(compiles(body(std::string("gl_FragColor = ") + two + "(v, v) + " + two + "(u, u);")));
    for (const char* three : {"clamp", "mix", "smoothstep", "faceforward"})
        CHECK(compiles(body(std::string("gl_FragColor = ") + three + "(v, v, v) + " + three + "(u, u, u);")));
    for (const char* reduce : {"length(v)", "length(u)", "distance(v, v)", "dot(v.xy, v.zw)", "dot(u, u)",
                               "cross(v.xyz, v.yzw).x", "refract(v, v, u).x", "matrixCompMult(mat2(v), mat2(v))[0].x",
                               "float(all(lessThan(v, v)))", "float(any(greaterThanEqual(ivec2(k), ivec2(1))))",
                               "float(any(not(equal(bvec2(true), notEqual(v.xy, v.zw)))))"})
        CHECK(compiles(body(std::string("gl_FragColor = vec4(") + reduce + ");")));
    CHECK(
        compiles(vertex("uniform sampler2D s; uniform samplerCube c; void main() { gl_Position = texture2D(s, "
                        "vec2(0.0)) + texture2DLod(s, vec2(0.0), 1.0) + texture2DProjLod(s, vec4(1.0), 2.0) + "
                        "textureCube(c, vec3(1.0)) + textureCubeLod(c, vec3(1.0), 0.5); gl_PointSize = 2.0; }")));
}

TEST_CASE("extensions are there when asked for") {
    std::string derivatives = "void main() { gl_FragColor = vec4(dFdx(gl_FragCoord.x), dFdy(1.0), fwidth(2.0), 1.0); }";
    CHECK(compiles(compile(isa::Stage::Fragment,
                           "#extension GL_OES_standard_derivatives : enable\nprecision highp float;\n" + derivatives)));
    CHECK_FALSE(compiles(fragment(derivatives)));
    std::string depth = "void main() { gl_FragDepthEXT = 0.5; }";
    CHECK(compiles(
        compile(isa::Stage::Fragment, "#extension GL_EXT_frag_depth : require\nprecision highp float;\n" + depth)));
    CHECK_FALSE(compiles(fragment(depth)));
    const auto with = [&](const std::string& directives) {
        return compile(isa::Stage::Fragment, directives + "precision highp float;\n" + derivatives);
    };
    const CompileResult warned = with("#extension all : warn\n");
    CHECK(compiles(warned));
    CHECK(contains(warned.infoLog, "WARNING: 0:3: extension GL_OES_standard_derivatives is being used for dFdx"));
    CHECK(compiles(with("#extension all : disable\n#extension GL_OES_standard_derivatives : enable\n")));
    CHECK(compiles(with("#extension all : warn\n#extension GL_EXT_frag_depth : disable\n")));
    CHECK_FALSE(compiles(with("#extension GL_OES_standard_derivatives : enable\n#extension all : disable\n")));
    CHECK_FALSE(compiles(with("#extension all : warn\n#extension all : disable\n")));
    CHECK_FALSE(compiles(with("#extension all : warn\n#extension GL_OES_standard_derivatives : disable\n")));
    CHECK(compiles(
        compile(isa::Stage::Fragment,
                "#extension GL_EXT_shader_texture_lod : require\nprecision highp float; uniform sampler2D s;"
                "uniform samplerCube c; void main() { gl_FragColor = texture2DLodEXT(s, vec2(0.5), 1.0) + "
                "texture2DGradEXT(s, vec2(0.5), vec2(1.0), vec2(2.0)) + texture2DProjLodEXT(s, vec3(1.0), 0.0) + "
                "textureCubeLodEXT(c, vec3(1.0), 1.0) + textureCubeGradEXT(c, vec3(1.0), vec3(0.1), vec3(0.2)) "
                "+ texture2DProjGradEXT(s, vec4(1.0), vec2(0.0), vec2(1.0)); }")));
}

TEST_CASE("what must not compile") {
    for (std::string s : std::initializer_list<std::string>{
             "float x = 1;",
             "int x = 1.0;",
             "gl_FragColor = v + k;",
             "gl_FragColor = vec4(1.0); gl_FragData[0] = vec4(1.0);",
             "u = 1.0;",
             "gl_FragCoord.x = 1.0;",
             "const float c = u;",
             "const mat2 c = matrixCompMult(mat2(u), mat2(1.0));",
             "const mat2 c = matrixCompMult(mat2(1.0), mat2(1.0)); c[0] = v.xy;",
             "const mat2 c = matrixCompMult(mat2(1.0), mat3(1.0));",
             "float a[int(matrixCompMult(mat3(2.0), mat3(3.0))[2].z)]; a[6] = u;",
             "int x = 5 % 2;",
             "int x = 1 << 2;",
             "float while1 = 1.0; while1();",
             "vec2 a = v.rgx;",
             "vec4 w; w.xx = v.xy;",
             "float a[k];",
             "float a[2]; a[2] = 1.0;",
             "break;",
             "double d;",
             "gl_FragColor = texture2DLod(s, v.xy, 1.0);",
             "struct S { struct T { float a; } b; };",
             "float f() { return 1.0; }",
             "float a[2], b[2]; a = b;",
             "float a[2], b[2]; gl_FragColor = vec4((u > 1.0 ? a : b)[1]);",
             "float a[2], b[2]; true ? a : b;",
             "struct gl_S { float a; };",
             "struct S { float gl_a; };",
             "gl_Foo = 1.0;",
         }) {
        CAPTURE(s);
        CHECK_FALSE(compiles(body(s)));
    }
    CHECK_FALSE(compiles(compile(isa::Stage::Fragment, "uniform float x; void main() {}")));  // no default precision
    CHECK_FALSE(compiles(fragment("attribute vec4 a; void main() {}")));
    CHECK_FALSE(
        compiles(fragment("float f(float x); float g(float x) { return f(x); }\n"
                          "float f(float x) { return g(x); } void main() { gl_FragColor = vec4(f(1.0)); }")));
    CompileResult both =
        fragment("void a() { gl_FragColor = vec4(1.0); }\nvoid main() { gl_FragData[0] = vec4(1.0); }");
    CHECK(contains(both.infoLog, "gl_FragData"));
    CHECK(contains(both.infoLog, "0:3:"));
}

TEST_CASE("names that begin with gl_ are not declared") {
    const std::string empty = " void main() {}";
    for (std::string s : std::initializer_list<std::string>{
             "float gl_foo();",
             "void gl_FragColor() {}",
             "struct gl_S { float a; };",
             "struct S { float a, gl_b; };",
             "struct S { vec2[2] gl_a; };",
             "struct S { mediump float a; highp vec4 gl_b[gl_MaxDrawBuffers]; };",
             "struct { float gl_a; } s;",
             "void f(float gl_a) {}",
             "uniform float gl_a;",
         }) {
        CAPTURE(s);
        const CompileResult r = fragment(s + empty);
        CHECK_FALSE(compiles(r));
        CHECK(contains(r.infoLog, "ERROR: 0:2:"));
        CHECK(contains(r.infoLog, " : identifiers starting with \"gl_\" are reserved\n"));
    }
    CHECK(compiles(fragment("struct S { float a[gl_MaxDrawBuffers]; gl_DepthRangeParameters b; };" + empty)));
}

TEST_CASE("functions of extensions that are disabled are the shader's to declare") {
    const std::string derivative = "float dFdx(float x) { return x; } void main() { gl_FragColor = vec4(dFdx(1.0)); }";
    const auto with = [&](const std::string& directive) {
        return compile(isa::Stage::Fragment, directive + "precision mediump float;\n" + derivative);
    };
    CHECK(compiles(with("")));
    CHECK(compiles(with("#extension GL_OES_standard_derivatives : disable\n")));
    CHECK(contains(with("#extension GL_OES_standard_derivatives : enable\n").infoLog, "redefinition of built-in"));
    CHECK(compiles(
        fragment("uniform sampler2D s; vec4 texture2DLodEXT(sampler2D t, vec2 at, float lod) { return "
                 "texture2D(t, at, lod); } void main() { gl_FragColor = texture2DLodEXT(s, vec2(0.0), 1.0); }")));
    CHECK_FALSE(compiles(fragment("float sin(float x) { return x; } void main() {}")));
    const CompileResult r = fragment("float dFdx(float x) { return x; } void main() { float y = dFdx(true); }");
    CHECK(contains(r.infoLog, "'dFdx' : no matching overloaded function found"));
}

TEST_CASE("shadow samplers have a default precision") {
    Limits limits;
    limits.shadowSamplers = true;
    for (const isa::Stage stage : {isa::Stage::Vertex, isa::Stage::Fragment}) {
        const std::string use = "uniform sampler2DShadow s; void main() { shadow2DEXT(s, vec3(0.0)); }";
        CHECK(compiles(compile(stage, "#extension GL_EXT_shadow_samplers : enable\n" + use, limits)));
        CHECK_FALSE(compiles(compile(stage, use, limits)));
        const std::string warn = "#extension GL_EXT_shadow_samplers : warn\n";
        CHECK(compile(stage, warn + "void main() {}", limits).infoLog == "");
        CHECK(compile(stage, warn + use, limits).infoLog ==
              "WARNING: 0:2: extension GL_EXT_shadow_samplers is being used for shadow2DEXT\n");
    }
}

TEST_CASE("keywords of other languages are names") {
    for (std::string name : {"active", "case", "common", "filter", "isamplerCubeArray", "partition", "samplerCubeArray",
                             "samplerCubeArrayShadow", "usamplerCubeArray"}) {
        CAPTURE(name);
        const CompileResult r = fragment("uniform vec4 " + name + "; varying vec2 v_" + name +
                                         "; void main() { gl_FragColor = " + name + " + v_" + name + ".xyxy; }");
        REQUIRE(compiles(r));
        REQUIRE(r.shader->uniforms.size() == 1);
        CHECK(r.shader->uniforms[0].name == name);
        CHECK(r.shader->uniforms[0].place == "0:2:14");
        CHECK(compiles(fragment("struct " + name + " { float x; }; void main() { " + name + " s; s.x = 1.0; }")));
        CHECK(compiles(fragment("float " + name + "(float " + name + ") { return " + name +
                                "; } void main() { struct S " + "{ vec2 " + name + "; } s; s." + name + ".x = " + name +
                                "(1.0); }")));
        CHECK(compiles(fragment("#define " + name + " 1.0\nvoid main() { gl_FragColor = vec4(" + name + "); }")));
    }
    for (std::string name : {"asm",
                             "class",
                             "union",
                             "enum",
                             "typedef",
                             "template",
                             "this",
                             "packed",
                             "goto",
                             "switch",
                             "default",
                             "inline",
                             "noinline",
                             "volatile",
                             "public",
                             "static",
                             "extern",
                             "external",
                             "interface",
                             "flat",
                             "long",
                             "short",
                             "double",
                             "half",
                             "fixed",
                             "unsigned",
                             "superp",
                             "input",
                             "output",
                             "hvec2",
                             "hvec3",
                             "hvec4",
                             "dvec2",
                             "dvec3",
                             "dvec4",
                             "fvec2",
                             "fvec3",
                             "fvec4",
                             "sampler1D",
                             "sampler3D",
                             "sampler1DShadow",
                             "sampler2DShadow",
                             "sampler2DRect",
                             "sampler3DRect",
                             "sampler2DRectShadow",
                             "sizeof",
                             "cast",
                             "namespace",
                             "using"}) {
        CAPTURE(name);
        CHECK(contains(body("float " + name + ";").infoLog, "'" + name + "' : "));
        CHECK_FALSE(compiles(body("float " + name + ";")));
    }
}

TEST_CASE("a declaration is complete") {
    const std::string main = "void main() {}\n";
    for (std::string s : std::initializer_list<std::string>{
             "highp", "mediump", "lowp", "const", "uniform", "const highp", "uniform lowp", "const in",
             "precision highp", "invariant", "float", "uniform float x", "struct S { float x; }", "void f()"}) {
        CAPTURE(s);
        for (const char* end : {"", "\n", " // c"}) {
            const CompileResult r = fragment(main + s + end);
            CHECK_FALSE(compiles(r));
            CHECK(contains(r.infoLog, "'' : syntax error, the shader ends before it is complete"));
        }
    }
    for (const char* s : {"uniform;", "const;", "highp;", "uniform lowp;", "precision highp;"}) {
        CAPTURE(s);
        const CompileResult r = fragment(s + main);
        CHECK_FALSE(compiles(r));
        CHECK(contains(r.infoLog, " : syntax error"));
    }
    for (const char* s : {"precision highp float;", "invariant gl_FragCoord;", "float;", "struct S { float x; };", ";",
                          ";;", "void f() {};", "struct S { float x; };;", "uniform float x;;"}) {
        CAPTURE(s);
        CHECK(compiles(fragment(s + main)));
        CHECK(compiles(fragment(main + s)));
    }
}

// The tables say what Mesa does with each, where the specification's grammar has none of them.
TEST_CASE("arrays may be declared by their type") {
    const std::string empty = "void main() {}";
    for (std::string s : std::initializer_list<std::string>{
             "uniform vec4[3] x, y; void main() { gl_FragColor = x[2] + y[1]; }",
             "varying highp vec2[2] x; void main() { gl_FragColor = x[1].xyxy; }",
             "const int n = 2; uniform float[n + 1] x; void main() { gl_FragColor = vec4(x[2]); }",
             "struct S { vec2[2] a, b; float c; }; uniform S s; void main() { gl_FragColor = s.b[1].xyxy * s.c; }",
             "uniform struct S { float a; }[2] s; void main() { gl_FragColor = vec4(s[1].a); }",
             "struct S { float a; }; S[2] s; void main() { s[1].a = 1.0; gl_FragColor = vec4(s[1].a); }",
             "float f(const in float[2] x) { return x[1]; } void main() { float[2] a; gl_FragColor = vec4(f(a)); }",
             "void f(out mediump float[2] x, float y) { x[1] = y; } void main() { float x[2]; f(x, 2.0); }",
             "float f(float[2] x); float f(float x[2]) { return x[0]; } " + empty,
             std::string("uniform sampler2D[2] s; vec4 f(sampler2D[2] t) { return texture2D(t[1], vec2(0.5)); }") +
                 "void main() { gl_FragColor = f(s); }",
             "void main() { for (int[2] i, j; false;) { i[1] = j[1]; } }",
             "void main() { float[2] x, y; x[0] = 1.0, y[1] = x[0]; float z, w = x[1]; z = w; }",
             "invariant varying vec4[2] v; " + empty,
             "uniform float\n[\n2\n]\na\n; " + empty,
         }) {
        CAPTURE(s);
        CHECK(compiles(fragment(s)));
    }
    for (std::string s : std::initializer_list<std::string>{
             "float[2] x[3]; " + empty,
             "float[2] x, y[3]; " + empty,
             "float[2][3] x; " + empty,
             "struct S { vec2[2] a[3]; }; " + empty,
             "float f(float[2] x[2]) { return 1.0; } " + empty,
             "void main() { float[] x; }",
             "void main() { float[2] x, y; x = y; }",
             "void main() { float y[2]; float[2] x = y; }",
             "void main() { float[2] x = float[2](1.0, 2.0); }",
             "const float[2] x; " + empty,
             "float[0] x; " + empty,
             "float[2.0] x; " + empty,
             "uniform int n; float[n] x; " + empty,
             "float[1, 2] x; " + empty,
             "float[2] f(); " + empty,
             "precision mediump float[2]; " + empty,
             "void main() { float[2] x; x.length(); }",
         }) {
        CAPTURE(s);
        CHECK_FALSE(compiles(fragment(s)));
    }
    CHECK_FALSE(compiles(vertex("attribute vec4[2] a; void main() { gl_Position = a[0]; }")));
    CHECK(contains(fragment("uniform float[2] a, b,\n  c,\n  a; void main() {}").infoLog, "ERROR: 0:4:3: 'a'"));
    // A long size before many names does not grow without bound.
    std::string bomb = "uniform float[1";
    for (int i = 0; i < 5000; i++) bomb += "+1";
    bomb += "] x";
    for (int i = 0; i < 5000; i++) bomb += ",x" + std::to_string(i);
    CHECK_FALSE(compiles(fragment(bomb + "; void main() {}")));
}

TEST_CASE("a sequence of constant expressions is one") {
    for (std::string s : std::initializer_list<std::string>{
             "const float f = (1.0, 2.0);",
             "const float f = 3.0 + (1.0, 2.0, 4.0);",
             "const float c = 1.0; const float f = cos((c, 2.0));",
             "float x[(1, 3)]; x[2] = u;",
             "const vec2 f = (1, vec2(2.0)); float x[int((0, f.x))]; x[1] = u;",
         }) {
        CAPTURE(s);
        CHECK(compiles(body(s)));
    }
    CHECK(compiles(fragment("float f = (1.0, 3.0); void main() { gl_FragColor = vec4(f); }")));
    CHECK_FALSE(compiles(body("float x[1, 2];")));  // the grammar wants parentheses here
    CHECK_FALSE(compiles(body("float x[(1, 2)]; x[2] = u;")));
    CHECK_FALSE(compiles(body("const float f = (u, 2.0);")));
    CHECK_FALSE(compiles(body("const float f = (1.0, u);")));
    CHECK_FALSE(compiles(body("float y; const float f = (y = 1.0, 2.0);")));
}

TEST_CASE("declarations of a function agree in the precision of what it returns") {
    const std::string empty = "void main() {}";
    CHECK(compiles(fragment("mediump float f(); float f() { return 1.0; } " + empty)));
    CHECK(compiles(fragment("float f(float x) { return x; } highp float f(vec2 x) { return x.x; } " + empty)));
    CHECK(compiles(fragment("highp float sin(vec2 x, float y) { return y; } " + empty)));
    CompileResult r = fragment("float f();\nhighp float f() { return 1.0; }\n" + empty);
    CHECK_FALSE(compiles(r));
    CHECK(r.infoLog == "ERROR: 0:3:13: 'f' : declared before with another precision of what it returns\n");
    CHECK_FALSE(compiles(fragment("lowp int f(); int f() { return 1; } " + empty)));
    CHECK_FALSE(compiles(fragment("float f(); precision highp float; float f() { return 1.0; } " + empty)));
    CHECK_FALSE(compiles(fragment("float f(lowp float x); float f(highp float x) { return x; } " + empty)));
}

TEST_CASE("bombs end in a message") {
    auto repeat = [](const std::string& s, int n) {
        std::string out;
        for (int i = 0; i < n; i++) out += s;
        return out;
    };
    CHECK_FALSE(compiles(body("gl_FragColor = vec4(" + repeat("(", 20000) + "u" + repeat(")", 20000) + ");")));
    CHECK_FALSE(compiles(body("gl_FragColor = vec4(u" + repeat("+u", 50000) + ");")));
    CHECK(compiles(body("gl_FragColor = vec4(u" + repeat("+u", 5000) + ");")));
    CHECK_FALSE(compiles(body(repeat("if (u > 1.0) {", 100) + repeat("}", 100))));
    CHECK(compiles(
        body("float x = 0.0; " + repeat("if (u == 1.0) x = 1.0; else ", 300) + "x = 2.0; gl_FragColor = vec4(x);")));
    CHECK_FALSE(compiles(body("float a[2000000000]; a[k] = 1.0;")));
    std::string calls = "uniform float u; float f0(float x) { return x * u; }\n";
    for (int i = 1; i < 40; i++) {
        std::string callee = "f" + std::to_string(i - 1);
        calls += "float f" + std::to_string(i) + "(float x) { return " + callee + "(x) + " + callee + "(x * 2.0); }\n";
    }
    // 2^39 calls are a program of a few functions, which the budget ends.
    CHECK(compiles(fragment(calls + "void main() { gl_FragColor = vec4(f39(u)); }")));
    CHECK(compiles(body("for (int i = 0; i < 1000000000; i++) gl_FragColor.x += u;")));
    CHECK_FALSE(compiles(vertex(std::string("void main() { \0 }", 17))));
}

TEST_CASE("what is live in loops is found in seconds, however long a chain of copies is") {
    std::string text;
    const auto place = [](int i) { return "a" + std::to_string(i); };
    constexpr int kPlaces = 2500, kLoops = 20;
    for (int i = 0; i < kPlaces; i++) text += "float " + place(i) + " = u * " + std::to_string(i) + ".0;";
    for (int i = 0; i < kLoops; i++) text += "while (a0 < u) {";
    for (int i = kPlaces - 1; i > 0; i--) text += "if (u > 1.0) " + place(i) + " = " + place(i - 1) + ";";
    text += std::string(kLoops, '}') + "gl_FragColor = vec4(" + place(kPlaces - 1) + ");";
    const CompileResult compiled = body(text);
    REQUIRE(compiles(compiled));
    const std::clock_t before = std::clock();
    CHECK_FALSE(linkSingle(*compiled.shader).ok);          // more than there are registers
    CHECK((std::clock() - before) / CLOCKS_PER_SEC < 30);  // minutes, once
}

TEST_CASE("functions are called where inlining them would make a long shader, and nowhere else") {
    std::string function = "uniform float u; uniform sampler2D s, t;\nfloat count = 0.0;\nfloat f(float x) {\n";
    for (int i = 0; i < 200; i++) function += "x = x * u + " + std::to_string(i) + ".0;\n";
    function +=
        "count += 1.0;\nreturn x; }\nvec4 look(sampler2D from, float x) { return texture2D(from, vec2(f(x), x)); }\n";
    const auto program = [&](int calls, const std::string& call) {
        std::string text = function + "void main() { vec4 sum = vec4(0.0);\n";
        for (int i = 0; i < calls; i++) text += "sum += " + call + ";\n";
        const CompileResult compiled = fragment(text + "gl_FragColor = sum + count; }");
        REQUIRE(compiles(compiled));
        const LinkResult linked = linkSingle(*compiled.shader);
        REQUIRE_MESSAGE(linked.ok, linked.infoLog);
        REQUIRE(isa::verify(*linked.fragment) == "");
        return linked.fragment;
    };
    const auto callsOf = [](const isa::Program& one) {
        return std::ranges::count_if(one.code, [](const isa::Word& w) { return isa::decode(w)->op == isa::Op::Call; });
    };
    const auto few = program(10, "vec4(f(sum.x))"), many = program(300, "vec4(f(sum.x))");
    CHECK(callsOf(*few) == 0);
    CHECK(few->code.size() > 2000);
    CHECK(callsOf(*many) == 300);
    CHECK(many->code.size() < 3000);
    // Samplers are no values: one function for each that is passed, which call the other one.
    const auto lookups = program(300, "look(s, sum.x) + look(t, sum.y)");
    CHECK(lookups->samplerMask == 3);
    CHECK(lookups->code.size() < 5000);
    // Functions that call each other have registers of their own, which are not infinitely many.
    std::string deep = function;
    for (int i = 0; i < 60; i++) {
        const std::string name = "g" + std::to_string(i), callee = i == 0 ? "f" : "g" + std::to_string(i - 1);
        deep += "float " + name + "(float x) { return " + callee + "(x) + " + callee + "(x * 2.0); }\n";
    }
    CHECK(compiles(fragment(deep + "void main() { gl_FragColor = vec4(g50(u)); }")));
}

TEST_CASE("threads compile at the same time") {
    std::vector<std::thread> threads;
    std::vector<int> good(4);
    for (size_t t = 0; t < good.size(); t++) {
        threads.emplace_back([&good, t] {
            for (int i = 0; i < 20; i++) {
                std::string n = std::to_string(t * 100 + static_cast<size_t>(i));
                CompileResult r =
                    compile(isa::Stage::Vertex, "attribute vec4 a" + n + "; void main() { gl_Position = a" + n + "; }");
                good[t] += r.shader && r.shader->attributes.size() == 1 && r.shader->attributes[0].name == "a" + n;
            }
        });
    }
    for (std::thread& t : threads) t.join();
    for (int g : good) CHECK(g == 20);
}
