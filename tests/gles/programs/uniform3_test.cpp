// Uniforms of the types that OpenGL ES 3.0 adds: set, read back, drawn with, and refused (2.12.6).
#include <GLES3/gl3.h>

#include <limits>
#include <numeric>

#include "tests/gles/api_test.h"

using namespace tessera::gles_test;

namespace {

const char* const kVertex = R"(#version 300 es
    in vec4 position;
    uniform uint u; uniform uvec2 u2; uniform uvec3 u3; uniform uvec4 u4; uniform uvec2 au[3];
    uniform bvec3 b3; uniform int i; uniform float f;
    uniform mat2x3 m23; uniform mat3x2 m32; uniform mat2x4 m24; uniform mat4x2 m42; uniform mat3x4 m34;
    uniform mat4x3 m43; uniform mat3 m3; uniform mat2x3 am[2];
    flat out uvec4 sum;
    out vec4 floats;
    void main() {
        sum = uvec4(u) + u2.xyxy + uvec4(u3, u) + u4 + au[1].xyxy + au[2].xyxy + uvec4(uvec3(b3), i);
        floats = vec4(m23 * m32[0].xy, f) + vec4(m24 * vec2(1)) + vec4(m42 * vec4(1), m43 * vec4(1)).xyzw +
                 m34 * (m3 * vec3(1)) + vec4(am[1] * vec2(1), 0);
        gl_Position = position;
    })";
const char* const kFragment = R"(#version 300 es
    precision highp float;
    flat in highp uvec4 sum; in vec4 floats; out vec4 color; uniform vec4 scale;
    void main() { color = vec4(sum & 255u) / 255.0 + floats * scale; })";

GLuint makeUniformProgram() {
    const GLuint program = useProgram(kVertex, kFragment);
    REQUIRE(program != 0);
    return program;
}

GLint at(GLuint program, const char* name) {
    const GLint location = glGetUniformLocation(program, name);
    CAPTURE(name);
    CHECK(location >= 0);
    return location;
}

template <size_t n>
std::array<GLuint, n> uints(GLuint program, const char* name) {
    std::array<GLuint, n + 1> values;
    values.fill(99);
    glGetUniformuiv(program, at(program, name), values.data());
    CHECK(values[n] == 99);
    std::array<GLuint, n> out;
    std::copy_n(values.begin(), n, out.begin());
    return out;
}

std::vector<GLfloat> floats(GLuint program, const char* name, size_t count) {
    std::vector<GLfloat> values(17, -99.0f);
    glGetUniformfv(program, at(program, name), values.data());
    CHECK(values[count] == -99.0f);
    values.resize(count);
    return values;
}

GLenum typeOf(GLuint program, const char* wanted, GLint* size = nullptr) {
    GLint count = 0;
    glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &count);
    for (GLuint i = 0; i < static_cast<GLuint>(count); ++i) {
        char name[64] = "";
        GLint elements = 0;
        GLenum type = 0;
        glGetActiveUniform(program, i, sizeof name, nullptr, &elements, &type, name);
        if (std::string(name) != wanted) continue;
        if (size) *size = elements;
        return type;
    }
    return GL_NONE;
}

}  // namespace

TEST_CASE("unsigned uniforms keep all their bits") {
    TestContext context(kEs3);
    const GLuint program = makeUniformProgram();
    glUniform1ui(at(program, "u"), 0xFFFFFFFFu);
    CHECK(uints<1>(program, "u") == std::array<GLuint, 1>{0xFFFFFFFFu});
    glUniform2ui(at(program, "u2"), 0x7F800001u, 0x80000000u);
    CHECK(uints<2>(program, "u2") == std::array<GLuint, 2>{0x7F800001u, 0x80000000u});
    glUniform3ui(at(program, "u3"), 1, 2, 3);
    CHECK(uints<3>(program, "u3") == std::array<GLuint, 3>{1, 2, 3});
    glUniform4ui(at(program, "u4"), 4, 5, 6, 7);
    CHECK(uints<4>(program, "u4") == std::array<GLuint, 4>{4, 5, 6, 7});
    const GLuint one[] = {11}, two[] = {21, 22, 23, 24, 25, 26, 27, 28}, three[] = {31, 32, 33},
                 four[] = {41, 42, 43, 44};
    glUniform1uiv(at(program, "u"), 1, one);
    CHECK(uints<1>(program, "u") == std::array<GLuint, 1>{11});
    glUniform2uiv(at(program, "au[1]"), 4, two);  // those beyond the end are ignored
    CHECK(uints<2>(program, "au[1]") == std::array<GLuint, 2>{21, 22});
    CHECK(uints<2>(program, "au[2]") == std::array<GLuint, 2>{23, 24});
    CHECK(uints<2>(program, "au") == std::array<GLuint, 2>{0, 0});
    glUniform3uiv(at(program, "u3"), 1, three);
    CHECK(uints<3>(program, "u3") == std::array<GLuint, 3>{31, 32, 33});
    glUniform4uiv(at(program, "u4"), 1, four);
    CHECK(uints<4>(program, "u4") == std::array<GLuint, 4>{41, 42, 43, 44});
    CHECK(glGetError() == GL_NO_ERROR);
    drawQuad();
    // 11 + u2 + (31, 32, 33, 11) + (41..44) + (21, 22, 21, 22) + (23, 24, 23, 24)
    const Rgba want{static_cast<uint8_t>((11 + 1 + 31 + 41 + 21 + 23) & 255), (11 + 0 + 32 + 42 + 22 + 24) & 255,
                    (11 + 1 + 33 + 43 + 21 + 23) & 255, (11 + 0 + 11 + 44 + 22 + 24) & 255};
    CHECK(near(pixelAt(8, 8), want, 1));
}

TEST_CASE("booleans take values of all kinds, other uniforms those of their own") {
    TestContext context(kEs3);
    const GLuint program = makeUniformProgram();
    glUniform3ui(at(program, "b3"), 7, 0, 0x80000000u);
    CHECK(uints<3>(program, "b3") == std::array<GLuint, 3>{1, 0, 1});
    glUniform3i(at(program, "b3"), 0, -1, 0);
    CHECK(uints<3>(program, "b3") == std::array<GLuint, 3>{0, 1, 0});
    glUniform3f(at(program, "b3"), 0, 0, 0.5f);
    CHECK(uints<3>(program, "b3") == std::array<GLuint, 3>{0, 0, 1});
    CHECK(glGetError() == GL_NO_ERROR);
    const auto refused = [] { return glGetError() == GL_INVALID_OPERATION; };
    glUniform1i(at(program, "u"), 1);
    CHECK(refused());
    glUniform1f(at(program, "u"), 1);
    CHECK(refused());
    glUniform1ui(at(program, "i"), 1);
    CHECK(refused());
    glUniform1ui(at(program, "f"), 1);
    CHECK(refused());
    glUniform2ui(at(program, "u"), 1, 1);
    CHECK(refused());
    const GLuint values[8] = {};
    glUniform1uiv(at(program, "u"), 2, values);
    CHECK(refused());
    glUniform1ui(1000, 1);
    CHECK(refused());
    glUniform1ui(-1, 1);
    CHECK(glGetError() == GL_NO_ERROR);
    glUniform1uiv(at(program, "u"), -1, values);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glUseProgram(0);
    glUniform1ui(-1, 1);
    CHECK(refused());
}

TEST_CASE("a signed uniform is told in unsigned numbers by its bits, a real one rounded") {
    TestContext context(kEs3);
    const GLuint program = makeUniformProgram();
    glUniform1i(at(program, "i"), -2);
    CHECK(uints<1>(program, "i") == std::array<GLuint, 1>{0xFFFFFFFEu});
    glUniform1f(at(program, "f"), 2.75f);
    CHECK(uints<1>(program, "f") == std::array<GLuint, 1>{3});
    glUniform1f(at(program, "f"), 1e20f);
    CHECK(uints<1>(program, "f") == std::array<GLuint, 1>{UINT32_MAX});
    glUniform1f(at(program, "f"), std::numeric_limits<GLfloat>::quiet_NaN());
    CHECK(uints<1>(program, "f") == std::array<GLuint, 1>{0});
    glUniform1ui(at(program, "u"), 0xFFFFFFFFu);
    GLint value = 0;
    glGetUniformiv(program, at(program, "u"), &value);
    CHECK(value == INT32_MAX);
    GLfloat real = 0;
    glGetUniformfv(program, at(program, "u"), &real);
    CHECK(real == 4294967296.0f);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("matrices of all shapes, by columns and by rows") {
    TestContext context(kEs3);
    const GLuint program = makeUniformProgram();
    using Set = void(GL_APIENTRYP)(GLint, GLsizei, GLboolean, const GLfloat*);
    struct Shape {
        const char* name;
        size_t columns, rows;
        Set set;
    };
    for (const Shape& shape : {Shape{"m23", 2, 3, glUniformMatrix2x3fv}, Shape{"m32", 3, 2, glUniformMatrix3x2fv},
                               Shape{"m24", 2, 4, glUniformMatrix2x4fv}, Shape{"m42", 4, 2, glUniformMatrix4x2fv},
                               Shape{"m34", 3, 4, glUniformMatrix3x4fv}, Shape{"m43", 4, 3, glUniformMatrix4x3fv},
                               Shape{"m3", 3, 3, glUniformMatrix3fv}}) {
        CAPTURE(shape.name);
        const size_t count = shape.columns * shape.rows;
        std::vector<GLfloat> values(count), transposed(count);
        std::iota(values.begin(), values.end(), 1.0f);
        for (size_t c = 0; c < shape.columns; ++c)
            for (size_t r = 0; r < shape.rows; ++r) transposed[c * shape.rows + r] = values[r * shape.columns + c];
        shape.set(at(program, shape.name), 1, GL_FALSE, values.data());
        CHECK(floats(program, shape.name, count) == values);
        shape.set(at(program, shape.name), 1, GL_TRUE, values.data());
        CHECK(floats(program, shape.name, count) == transposed);
        CHECK(glGetError() == GL_NO_ERROR);
        shape.set(at(program, shape.name), 2, GL_TRUE, values.data());
        CHECK(glGetError() == GL_INVALID_OPERATION);
        shape.set(at(program, shape.name), -1, GL_TRUE, values.data());
        CHECK(glGetError() == GL_INVALID_VALUE);
        shape.set(at(program, "f"), 1, GL_TRUE, values.data());
        CHECK(glGetError() == GL_INVALID_OPERATION);
        shape.set(at(program, shape.name), 1, GL_TRUE, nullptr);
        CHECK(floats(program, shape.name, count) == transposed);
    }
    std::vector<GLfloat> many(18);
    std::iota(many.begin(), many.end(), 1.0f);
    glUniformMatrix2x3fv(at(program, "am"), 3, GL_TRUE, many.data());  // the array has two
    CHECK(floats(program, "am[0]", 6) == std::vector<GLfloat>{1, 3, 5, 2, 4, 6});
    CHECK(floats(program, "am[1]", 6) == std::vector<GLfloat>{7, 9, 11, 8, 10, 12});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("in a context of OpenGL ES 2.0 matrices are not transposed") {
    TestContext context;
    const GLuint program = useProgram(
        "attribute vec4 position; uniform mat2 m; void main() { gl_Position = position * m[0].x + m[1].yyyy; }",
        "void main() { gl_FragColor = vec4(1); }");
    const GLfloat values[4] = {1, 2, 3, 4};
    glUniformMatrix2fv(glGetUniformLocation(program, "m"), 1, GL_TRUE, values);
    CHECK(glGetError() == GL_INVALID_VALUE);
}

TEST_CASE("active uniforms tell their types") {
    TestContext context(kEs3);
    const GLuint program = makeUniformProgram();
    CHECK(typeOf(program, "u") == GL_UNSIGNED_INT);
    CHECK(typeOf(program, "u2") == GL_UNSIGNED_INT_VEC2);
    CHECK(typeOf(program, "u3") == GL_UNSIGNED_INT_VEC3);
    CHECK(typeOf(program, "u4") == GL_UNSIGNED_INT_VEC4);
    GLint size = 0;
    CHECK(typeOf(program, "au[0]", &size) == GL_UNSIGNED_INT_VEC2);
    CHECK(size == 3);
    CHECK(typeOf(program, "m23") == GL_FLOAT_MAT2x3);
    CHECK(typeOf(program, "m34") == GL_FLOAT_MAT3x4);
    CHECK(typeOf(program, "am[0]") == GL_FLOAT_MAT2x3);
}
