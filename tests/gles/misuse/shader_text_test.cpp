// Shader texts that are wrong, deep, huge or hostile: a log and GL_FALSE, or a shader; never a crash, never a hang.
#include <doctest/doctest.h>

#include <chrono>
#include <random>

#include "tests/gles/fixture.h"

using namespace tessera::gles_test;

namespace {

std::string repeat(const std::string& text, int count) {
    std::string out;
    out.reserve(text.size() * static_cast<size_t>(count));
    for (int i = 0; i < count; ++i) out += text;
    return out;
}

/// Compiles as both stages, links what compiled; true when the fragment shader compiled.
bool compiles(const std::string& text) {
    bool result = false;
    for (GLenum type : {GL_VERTEX_SHADER, GL_FRAGMENT_SHADER}) {
        GLuint shader = glCreateShader(type);
        const char* string = text.data();
        auto length = static_cast<GLint>(text.size());
        glShaderSource(shader, 1, &string, &length);
        glCompileShader(shader);
        GLint compiled = 7, logLength = 0;
        glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
        glGetShaderiv(shader, GL_INFO_LOG_LENGTH, &logLength);
        CHECK((compiled == GL_TRUE || compiled == GL_FALSE));
        if (compiled == GL_FALSE) CHECK(logLength > 1);
        result = compiled == GL_TRUE;
        GLuint program = glCreateProgram();
        GLuint partner = makeShader(type == GL_VERTEX_SHADER ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER,
                                    type == GL_VERTEX_SHADER ? kColorFragment : kPassVertex);
        glAttachShader(program, shader);
        glAttachShader(program, partner);
        glLinkProgram(program);
        GLint linked = 7;
        glGetProgramiv(program, GL_LINK_STATUS, &linked);
        CHECK((linked == GL_TRUE || linked == GL_FALSE));
        glDeleteProgram(program);
        glDeleteShader(partner);
        glDeleteShader(shader);
    }
    CHECK(glGetError() == GL_NO_ERROR);
    return result;
}

std::string inMain(const std::string& body) {
    return "precision highp float; uniform float u; void main() { " + body + " }";
}

struct Stopwatch {
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    ~Stopwatch() {
        double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        CHECK_MESSAGE(took < 40, "took " << took << " s");
    }
};

}  // namespace

TEST_CASE("texts that are no shaders") {
    TestContext context;
    Stopwatch watch;
    const std::string texts[] = {
        " ",
        "}",
        "{",
        "void",
        "void main(",
        "void main() {",
        "void main() { /* no end",
        "void main() { // no end",
        "#",
        "#version",
        "#version 300 es\nvoid main() {}",
        "#version 99999999999999999999\nvoid main() {}",
        "#if 1\nvoid main() {}",
        "#endif\nvoid main() {}",
        "#else\nvoid main() {}",
        "#define\nvoid main() {}",
        "#define A(\nvoid main() {}",
        "#define A(x, x) x\nvoid main() { A(1, 2); }",
        "#include \"/etc/passwd\"\nvoid main() {}",
        "#error stop here\nvoid main() {}",
        "#extension GL_nothing : require\nvoid main() {}",
        "#line 99999999999 5\nvoid main() { x }",
        "void main() { gl_FragColor = vec4(1.0) }",
        "void main() { undefined(); }",
        "void main() { int x = 1.0; }",
        "void main() { float x = 1; }",
        "void main() { vec4 x = vec2(1.0); }",
        "void main() { main(); }",
        "int main() { return 0; }",
        "void main(int x) {}",
        "void main() {} void main() {}",
        "float f(); void main() { float x = f(); }",
        "float f() { return f(); } void main() { float x = f(); }",
        "float f(); float g() { return f(); } float f() { return g(); } void main() { float x = f(); }",
        "struct S { S s; }; void main() {}",
        "struct { } s; void main() {}",
        "uniform float a[0]; void main() {}",
        "uniform float a[-1]; void main() {}",
        "uniform float a[]; void main() {}",
        "uniform float a[1000000000]; void main() { gl_FragColor = vec4(a[5]); }",
        "uniform float a[2147483647]; void main() { gl_FragColor = vec4(a[0]); }",
        "uniform float a[99999999999999999999]; void main() {}",
        "void main() { float a[1000000]; a[0] = 1.0; }",
        "void main() { mat4 a[65536]; int i = 3; a[i] = mat4(1.0); }",
        "varying vec4 v[100000]; void main() {}",
        "attribute mat4 m[4]; void main() {}",
        "void main() { float x = 1e999; }",
        "void main() { int x = 99999999999999999999; }",
        "void main() { int x = 1 / 0; }",
        "void main() { const int x = 1 / 0; float a[x]; }",
        "const float x = 1.0 / 0.0; void main() { gl_FragColor = vec4(x); }",
        "const int i = 5; const vec3 v = vec3(1.0); void main() { gl_FragColor = vec4(v[i]); }",
        "void main() { vec3 v; v.xyzw = vec4(1.0); }",
        "void main() { vec3 v; v.xx = vec2(1.0); }",
        "void main() { for (;;) {} }",
        "void main() { break; }",
        "void main() { continue; }",
        "void f() { discard; } void main() { f(); }",
        "void main() { return 1; }",
        "uniform sampler2D s; void main() { sampler2D t = s; }",
        "void main() { gl_Position = 3; gl_FragColor = 4; }",
        "precision lowp sampler3D; void main() {}",
        "void main() { \\ }",
        "void main() { @ }",
        "void main() { '\"' }",
        "void main() { float \xC3\xA4; }",
        "\xEF\xBB\xBFvoid main() {}",
        std::string("void main() {} \0 rubbish", 23),
        std::string(64, '\0'),
        std::string("\xFF\xFE\xFD\x80", 4),
    };
    for (const std::string& text : texts) {
        CAPTURE(text);
        compiles(text);
    }
    CHECK_FALSE(compiles("void main( {"));
    CHECK(compiles("void main() {}"));
}

TEST_CASE("deep nesting") {
    TestContext context;
    Stopwatch watch;
    for (int depth : {50, 300, 3000, 30000}) {
        CAPTURE(depth);
        compiles(inMain("float x = " + repeat("(", depth) + "u" + repeat(")", depth) + ";"));
        compiles(inMain("float x = " + repeat("-", depth) + "u;"));
        compiles(inMain("float x = " + repeat("sin(", depth) + "u" + repeat(")", depth) + ";"));
        compiles(inMain(repeat("{", depth) + repeat("}", depth)));
        compiles(inMain(repeat("if (u > 0.0) {", depth) + repeat("}", depth)));
        compiles(inMain(repeat("if (u > 0.0) ; else ", depth) + ";"));
        compiles(inMain(repeat("for (int i = 0; i < 2; ++i) {", depth) + repeat("}", depth)));
        compiles(inMain("float x = " + repeat("u > 0.0 ? 1.0 : ", depth) + "2.0;"));
        compiles(inMain("float x = u" + repeat(" + u", depth) + ";"));
        compiles(inMain("vec4 x; x = vec4(u); float y = x" + repeat(".xyzw", depth) + ".x;"));
        compiles(repeat("#if 1\n", depth) + "void main() {}\n" + repeat("#endif\n", depth));
        compiles("#define A " + repeat("(", depth) + "1.0" + repeat(")", depth) + "\n" + inMain("float x = A;"));
        compiles("#if " + repeat("(", depth) + "1" + repeat(")", depth) + "\n#endif\nvoid main() {}");
        compiles("#if " + repeat("!", depth) + "1\n#endif\nvoid main() {}");
    }
}

TEST_CASE("long texts") {
    TestContext context;
    Stopwatch watch;
    compiles(repeat("float ", 100000));
    compiles(repeat("/* */ ", 100000) + "void main() {}");
    compiles(repeat("\n", 200000) + "void main() { x; }");
    compiles(std::string(200000, 'a'));
    compiles(inMain("float " + std::string(100000, 'b') + " = 1.0;"));
    compiles(inMain(repeat("gl_FragColor = vec4(u);", 2000)));
    compiles(inMain("float x = " + std::string(10000, '9') + ".0;"));
    std::string functions;
    for (int i = 0; i < 500; ++i)
        functions += "float f" + std::to_string(i) + "(float x) { return " +
                     (i ? "f" + std::to_string(i - 1) + "(x) + 1.0" : "x") + "; }\n";
    compiles("precision highp float; uniform float u;" + functions + "void main() { gl_FragColor = vec4(f499(u)); }");
    std::string errors;
    for (int i = 0; i < 3000; ++i) errors += "x" + std::to_string(i) + ";\n";
    CHECK_FALSE(compiles(inMain(errors)));
}

TEST_CASE("growth by macros and by calls") {
    TestContext context;
    Stopwatch watch;
    std::string doubling = "#define A0 u\n";
    for (int i = 1; i <= 40; ++i) {
        std::string before = "A" + std::to_string(i - 1);
        doubling += "#define A" + std::to_string(i) + " (" + before + " + " + before + ")\n";
    }
    compiles(doubling + inMain("float x = A40;"));
    compiles("#define A A B\n#define B B A\n" + inMain("A B;"));
    compiles("#define F(x) F(F(x)) x x\n" + inMain("F(F(F(u)));"));
    std::string calls = "precision highp float; uniform float u; float f0(float x) { return sin(x); }\n";
    for (int i = 1; i <= 24; ++i) {
        std::string before = "f" + std::to_string(i - 1);
        calls += "float f" + std::to_string(i) + "(float x) { return " + before + "(x) + " + before + "(x + 1.0); }\n";
    }
    compiles(calls + "void main() { gl_FragColor = vec4(f24(u)); }");  // 16 million calls when unfolded
    std::string loops;
    for (int i = 0; i < 8; ++i) {
        std::string v(1, static_cast<char>('a' + i));
        loops += "for (int " + v + " = 0; " + v + " < 1000; ++" + v + ") ";
    }
    compiles(inMain("float x = u; " + loops + "x += u; gl_FragColor = vec4(x);"));  // unrolled: 10^24
    std::string types = "struct S0 { vec4 a[4]; };\n";
    for (int i = 1; i <= 12; ++i)
        types += "struct S" + std::to_string(i) + " { S" + std::to_string(i - 1) + " s[4]; };\n";
    compiles("precision highp float;" + types + "uniform S12 s; void main() { gl_FragColor = vec4(1.0); }");
    compiles("precision highp float;" + types + "void main() { S12 s; S12 t = s; gl_FragColor = vec4(1.0); }");
}

TEST_CASE("random edits of a good shader") {
    TestContext context;
    Stopwatch watch;
    const std::string good = R"(#version 100
#extension GL_OES_standard_derivatives : enable
#define TWICE(x) ((x) * 2.0)
precision highp float;
struct Light { vec3 color; float power[2]; };
uniform Light lights[2]; uniform mat3 m; uniform sampler2D image; varying vec2 at; const int n = 3;
float shade(in vec3 a, inout float b, const int c) { b += a.x; return c > 1 ? TWICE(b) : dot(a, a); }
void main() {
    vec4 sum = texture2D(image, at, 0.5); float b = 1.0;
    for (int i = 0; i < n; ++i) { if (i == 1) continue; sum.xyz += m * lights[i > 0 ? 1 : 0].color * shade(sum.zyx, b, i); }
    while (b < 3.0) b += 1.0;
    do { b -= 0.5; } while (b > 2.0);
    if (any(lessThan(sum, vec4(0.1)))) discard;
    gl_FragColor = mix(sum, vec4(1e-3, .5, 2., float(n)), lights[1].power[0] / b);
})";
    REQUIRE(compiles(good));
    std::mt19937 random(99);
    const std::string alphabet = "{}()[];,.+-*/<>=!&|^?:#\\ \n\t0179aexyzfvgl_";
    const char* const words[] = {"float",    "void",         "struct", "for (",      "vec4(",  "1.0",
                                 "uniform ", "invariant ",   "#if ",   "#define x ", "const ", "highp ",
                                 "[5]",      "gl_FragColor", "0",      "sampler2D ", "return "};
    for (int round = 0; round < 400; ++round) {
        std::string text = good;
        for (unsigned edits = 1 + random() % 6; edits > 0; --edits) {
            size_t at = random() % text.size();
            switch (random() % 5) {
                case 0:
                    text[at] = alphabet[random() % alphabet.size()];
                    break;
                case 1:
                    text.erase(at, 1 + random() % 12);
                    break;
                case 2:
                    text.insert(at, words[random() % std::size(words)]);
                    break;
                case 3:
                    text.insert(at, text.substr(random() % text.size(), random() % 40));
                    break;
                default:
                    text[at] = static_cast<char>(random());
            }
            if (text.empty()) text = " ";
        }
        compiles(text);
    }
}
