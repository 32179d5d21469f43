// Uniform values: every type set and read back, arrays, structs, conversions, independence of programs (2.10.4).
#include <cmath>

#include "tests/gles/api_test.h"

using namespace tessera::gles_test;

namespace {

const char* const kVertex = R"(
    attribute vec4 position;
    uniform float f; uniform vec2 f2; uniform vec3 f3; uniform vec4 f4;
    uniform int i; uniform ivec2 i2; uniform ivec3 i3; uniform ivec4 i4;
    uniform bool b; uniform bvec2 b2; uniform bvec3 b3; uniform bvec4 b4;
    uniform mat2 m2; uniform mat3 m3; uniform mat4 m4;
    uniform vec3 a3[4]; uniform mat2 am[3]; uniform ivec2 ai[3]; uniform bool ab[3];
    uniform float shared_value;
    void main() {
        vec4 s = vec4(f) + f2.xyxy + f3.xyzx + f4 + vec4(i) + vec4(ivec4(i2, i2)) + vec4(ivec4(i3, i)) + vec4(i4);
        s += vec4(b) + vec4(bvec4(b2, b2)) + vec4(bvec4(b3, b)) + vec4(b4) + vec4(m2 * f2, 0.0, 0.0);
        s += vec4(m3 * f3, 0.0) + m4 * f4;
        for (int k = 0; k < 3; ++k) {
            s += vec4(a3[k] + a3[3], 1.0) + vec4(am[k] * f2, 0.0, 0.0) + vec4(ivec4(ai[k], ai[k])) + vec4(ab[k]);
        }
        gl_Position = position + s * shared_value;
    })";
const char* const kFragment = R"(
    precision highp float;
    uniform float shared_value; uniform sampler2D s; uniform sampler2D sa[3];
    struct Inner { vec2 v; ivec2 i; }; struct Outer { Inner inner[2]; float x; };
    uniform Outer o[2];
    void main() {
        vec4 t = texture2D(s, vec2(0.0)) + texture2D(sa[0], vec2(0.0)) + texture2D(sa[1], vec2(0.0)) +
                 texture2D(sa[2], vec2(0.0));
        gl_FragColor = t * shared_value + o[0].inner[1].v.xyxy + o[1].inner[0].v.xyxy + vec4(o[1].x + o[0].x) +
                       vec4(ivec4(o[1].inner[1].i, o[0].inner[0].i));
    })";

struct Program {
    GLuint name;
    [[nodiscard]] GLint at(const char* uniform) const {
        GLint location = glGetUniformLocation(name, uniform);
        CAPTURE(uniform);
        CHECK(location >= 0);
        return location;
    }
    [[nodiscard]] std::vector<GLfloat> floats(const char* uniform, size_t count) const {
        std::vector<GLfloat> v(17, -99.0f);
        glGetUniformfv(name, at(uniform), v.data());
        for (size_t i = count; i < v.size(); ++i) CHECK(v[i] == -99.0f);
        v.resize(count);
        return v;
    }
    [[nodiscard]] std::vector<GLint> ints(const char* uniform, size_t count) const {
        std::vector<GLint> v(17, -99);
        glGetUniformiv(name, at(uniform), v.data());
        for (size_t i = count; i < v.size(); ++i) CHECK(v[i] == -99);
        v.resize(count);
        return v;
    }
};

using Floats = std::vector<GLfloat>;
using Ints = std::vector<GLint>;

Program makeUniformProgram() {
    Program program{makeProgram(kVertex, kFragment)};
    REQUIRE(program.name != 0);
    glUseProgram(program.name);
    return program;
}

}  // namespace

TEST_CASE("uniforms are 0 after linking, and again after linking again") {
    TestContext context;
    GLuint vertex = makeShader(GL_VERTEX_SHADER, kVertex), fragment = makeShader(GL_FRAGMENT_SHADER, kFragment);
    Program program{glCreateProgram()};
    glAttachShader(program.name, vertex);
    glAttachShader(program.name, fragment);
    for (int round = 0; round < 2; ++round) {
        glLinkProgram(program.name);
        glUseProgram(program.name);
        CHECK(program.floats("f4", 4) == Floats{0, 0, 0, 0});
        CHECK(program.floats("m3", 9) == Floats(9));
        CHECK(program.ints("sa[2]", 1) == Ints{0});
        glUniform4f(program.at("f4"), 1, 2, 3, 4);
        glUniform1i(program.at("sa[2]"), 3);
        CHECK(program.floats("f4", 4) == Floats{1, 2, 3, 4});
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("floats, vectors and matrices come back as they were set") {
    TestContext context;
    Program p = makeUniformProgram();
    const GLfloat v[] = {1.5f, -2.25f, 3e30f, -1e-42f, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    glUniform1f(p.at("f"), v[0]);
    glUniform2f(p.at("f2"), v[0], v[1]);
    glUniform3f(p.at("f3"), v[0], v[1], v[2]);
    glUniform4f(p.at("f4"), v[0], v[1], v[2], v[3]);
    CHECK(p.floats("f", 1) == Floats(v, v + 1));
    CHECK(p.floats("f2", 2) == Floats(v, v + 2));
    CHECK(p.floats("f3", 3) == Floats(v, v + 3));
    CHECK(p.floats("f4", 4) == Floats(v, v + 4));
    glUniform1fv(p.at("f"), 1, v + 4);
    glUniform2fv(p.at("f2"), 1, v + 4);
    glUniform3fv(p.at("f3"), 1, v + 4);
    glUniform4fv(p.at("f4"), 1, v + 4);
    CHECK(p.floats("f", 1) == Floats(v + 4, v + 5));
    CHECK(p.floats("f2", 2) == Floats(v + 4, v + 6));
    CHECK(p.floats("f3", 3) == Floats(v + 4, v + 7));
    CHECK(p.floats("f4", 4) == Floats(v + 4, v + 8));
    glUniformMatrix2fv(p.at("m2"), 1, GL_FALSE, v);
    glUniformMatrix3fv(p.at("m3"), 1, GL_FALSE, v);
    glUniformMatrix4fv(p.at("m4"), 1, GL_FALSE, v);
    CHECK(p.floats("m2", 4) == Floats(v, v + 4));
    CHECK(p.floats("m3", 9) == Floats(v, v + 9));
    CHECK(p.floats("m4", 16) == Floats(v, v + 16));
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("integers, booleans and samplers") {
    TestContext context;
    Program p = makeUniformProgram();
    glUniform1i(p.at("i"), -7);
    glUniform2i(p.at("i2"), 1, 16777215);
    glUniform3i(p.at("i3"), 1, 2, 3);
    glUniform4i(p.at("i4"), 1, 2, 3, -4);
    CHECK(p.ints("i", 1) == Ints{-7});
    CHECK(p.ints("i2", 2) == Ints{1, 16777215});
    CHECK(p.ints("i3", 3) == Ints{1, 2, 3});
    CHECK(p.ints("i4", 4) == Ints{1, 2, 3, -4});
    CHECK(p.floats("i", 1) == Floats{-7});
    const GLint values[] = {9, 8, 7, 6};
    glUniform4iv(p.at("i4"), 1, values);
    CHECK(p.ints("i4", 4) == Ints{9, 8, 7, 6});

    // Booleans take floats and integers; whatever is not 0 is true and reads back as 1.
    glUniform1f(p.at("b"), 0.25f);
    glUniform2f(p.at("b2"), 0, -3);
    glUniform3i(p.at("b3"), 5, 0, -1);
    glUniform4i(p.at("b4"), 0, 1, 0, 256);
    CHECK(p.ints("b", 1) == Ints{1});
    CHECK(p.ints("b2", 2) == Ints{0, 1});
    CHECK(p.ints("b3", 3) == Ints{1, 0, 1});
    CHECK(p.floats("b4", 4) == Floats{0, 1, 0, 1});
    glUniform1f(p.at("b"), 0);
    CHECK(p.ints("b", 1) == Ints{0});

    glUniform1i(p.at("s"), 31);
    CHECK(p.ints("s", 1) == Ints{31});
    CHECK(p.floats("s", 1) == Floats{31});
    const GLint units[] = {4, 5, 6};
    glUniform1iv(p.at("sa"), 3, units);
    CHECK(p.ints("sa[0]", 1) == Ints{4});
    CHECK(p.ints("sa[1]", 1) == Ints{5});
    CHECK(p.ints("sa[2]", 1) == Ints{6});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("float uniforms asked for as integers are rounded") {
    TestContext context;
    Program p = makeUniformProgram();
    glUniform4f(p.at("f4"), 1.25f, 1.75f, -1.75f, 1e20f);
    Ints v = p.ints("f4", 4);
    CHECK(v[0] == 1);
    CHECK(v[1] == 2);
    CHECK(v[2] == -2);
    CHECK(v[3] == INT32_MAX);
}

TEST_CASE("arrays: from the start, from the middle, past the end") {
    TestContext context;
    Program p = makeUniformProgram();
    GLfloat v[18];
    for (int i = 0; i < 18; ++i) v[i] = static_cast<GLfloat>(i + 1);
    glUniform3fv(p.at("a3"), 4, v);
    CHECK(p.floats("a3[0]", 3) == Floats{1, 2, 3});
    CHECK(p.floats("a3[3]", 3) == Floats{10, 11, 12});
    glUniform3fv(p.at("a3[2]"), 6, v);  // two elements are left: the others are ignored
    CHECK(p.floats("a3[1]", 3) == Floats{4, 5, 6});
    CHECK(p.floats("a3[2]", 3) == Floats{1, 2, 3});
    CHECK(p.floats("a3[3]", 3) == Floats{4, 5, 6});
    glUniform3f(p.at("a3[1]"), -1, -2, -3);
    CHECK(p.floats("a3[1]", 3) == Floats{-1, -2, -3});
    glUniform3fv(p.at("a3"), 0, v);  // count 0 is allowed and does nothing
    CHECK(p.floats("a3", 3) == Floats{1, 2, 3});
    glUniformMatrix2fv(p.at("am[1]"), 2, GL_FALSE, v);
    CHECK(p.floats("am[0]", 4) == Floats{0, 0, 0, 0});
    CHECK(p.floats("am[1]", 4) == Floats{1, 2, 3, 4});
    CHECK(p.floats("am[2]", 4) == Floats{5, 6, 7, 8});
    const GLint n[] = {1, 2, 3, 4, 5, 6};
    glUniform2iv(p.at("ai"), 3, n);
    CHECK(p.ints("ai[2]", 2) == Ints{5, 6});
    glUniform1iv(p.at("ab"), 3, n);
    CHECK(p.ints("ab[2]", 1) == Ints{1});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("members of structures are uniforms of their own") {
    TestContext context;
    Program p = makeUniformProgram();
    glUniform2f(p.at("o[0].inner[1].v"), 1, 2);
    glUniform2f(p.at("o[1].inner[0].v"), 3, 4);
    glUniform2i(p.at("o[1].inner[1].i"), 5, 6);
    glUniform1f(p.at("o[1].x"), 7);
    CHECK(p.floats("o[0].inner[1].v", 2) == Floats{1, 2});
    CHECK(p.floats("o[1].inner[0].v", 2) == Floats{3, 4});
    CHECK(p.ints("o[1].inner[1].i", 2) == Ints{5, 6});
    CHECK(p.floats("o[1].x", 1) == Floats{7});
    CHECK(p.floats("o[0].x", 1) == Floats{0});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("uniforms belong to their program") {
    TestContext context;
    Program first = makeUniformProgram();
    glUniform1f(first.at("shared_value"), 3);
    Program second = makeUniformProgram();
    CHECK(second.floats("shared_value", 1) == Floats{0});
    glUniform1f(second.at("shared_value"), 4);
    CHECK(first.floats("shared_value", 1) == Floats{3});
    glUseProgram(first.name);
    glUniform1f(first.at("f"), 9);
    CHECK(second.floats("f", 1) == Floats{0});
}

TEST_CASE("uniforms reach both stages") {
    TestContext context;
    GLuint program = useProgram(
        "attribute vec4 position; uniform vec4 color; varying vec4 v; void main() { v = color; gl_Position = position; "
        "}",
        "precision highp float; uniform vec4 color; varying vec4 v; void main() { gl_FragColor = vec4(color.rg, v.ba); "
        "}");
    glUniform4f(glGetUniformLocation(program, "color"), 0.2f, 0.4f, 0.6f, 0.8f);
    drawQuad();
    CHECK(pixelAt(5, 5) == Rgba{51, 102, 153, 204});
}
