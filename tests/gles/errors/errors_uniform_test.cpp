// Errors of glUniform* and glGetUniform* (section 2.10.4): every function against a uniform of every type.
#include <map>

#include "tests/gles/api_test.h"

using tessera::gles_test::ErrorTest;
using tessera::gles_test::makeProgram;

namespace {

// Every type once as a single uniform and once as an array; all are used, so all are active.
const char* const kVertex = R"(
    attribute vec4 position;
    uniform float f1; uniform vec2 f2; uniform vec3 f3; uniform vec4 f4;
    uniform int i1; uniform ivec2 i2; uniform ivec3 i3; uniform ivec4 i4;
    uniform bool b1; uniform bvec2 b2; uniform bvec3 b3; uniform bvec4 b4;
    uniform mat2 m2; uniform mat3 m3; uniform mat4 m4;
    uniform float f1a[2]; uniform vec2 f2a[2]; uniform vec3 f3a[2]; uniform vec4 f4a[2];
    uniform int i1a[2]; uniform ivec2 i2a[2]; uniform ivec3 i3a[2]; uniform ivec4 i4a[2];
    uniform mat2 m2a[2]; uniform mat3 m3a[2]; uniform mat4 m4a[2];
    void main() {
        vec4 sum = vec4(f1) + f2.xyxy + f3.xyzx + f4;
        sum += vec4(float(i1)) + vec4(ivec4(i2, i2)) + vec4(ivec4(i3, 0)) + vec4(i4);
        sum += vec4(float(b1)) + vec4(bvec4(b2, b2)) + vec4(bvec4(b3, b1)) + vec4(b4);
        sum += (m2 * f2).xyxy + (m3 * f3).xyzx + m4 * f4;
        for (int i = 0; i < 2; ++i) {
            sum += vec4(f1a[i]) + f2a[i].xyxy + f3a[i].xyzx + f4a[i];
            sum += vec4(float(i1a[i])) + vec4(ivec4(i2a[i], i2a[i])) + vec4(ivec4(i3a[i], 0)) + vec4(i4a[i]);
            sum += (m2a[i] * f2).xyxy + (m3a[i] * f3).xyzx + m4a[i] * f4;
        }
        gl_Position = position + sum;
    }
)";
const char* const kFragment = R"(
    precision highp float;
    uniform sampler2D s2; uniform samplerCube sc; uniform sampler2D s2a[2];
    void main() {
        gl_FragColor = texture2D(s2, vec2(0.0)) + textureCube(sc, vec3(1.0)) +
                       texture2D(s2a[0], vec2(0.0)) + texture2D(s2a[1], vec2(0.0));
    }
)";

GLuint useUniformProgram() {
    GLuint program = makeProgram(kVertex, kFragment);
    REQUIRE(program != 0);
    glUseProgram(program);
    return program;
}

GLint locationOf(GLuint program, const std::string& name) {
    GLint location = glGetUniformLocation(program, name.c_str());
    CAPTURE(name);
    REQUIRE(location >= 0);
    return location;
}

/// One glUniform function: which of the uniforms above it may set, by the letters of their names.
struct Setter {
    char kind;      ///< 'f', 'i' or 'm'
    int size;       ///< components or columns
    bool isVector;  ///< takes a count
    std::function<void(GLint location, GLsizei count)> call;
};

bool accepts(const Setter& setter, const std::string& name) {
    int size = name[1] - '0';
    if (name[0] == 's') return setter.kind == 'i' && setter.size == 1;
    if (setter.kind == 'm' || name[0] == 'm') return setter.kind == name[0] && setter.size == size;
    return size == setter.size && (name[0] == setter.kind || name[0] == 'b');
}

void uniformErrors(ErrorTest& t, const Setter& setter) {
    t.error(GL_INVALID_OPERATION, [&] { setter.call(0, 1); });  // no program is in use
    t.error(GL_INVALID_OPERATION, [&] { setter.call(-1, 1); });
    GLuint program = useUniformProgram();
    t.fine([&] { setter.call(-1, 1); });  // silently ignored
    t.error(GL_INVALID_OPERATION, [&] { setter.call(-2, 1); });
    t.error(GL_INVALID_OPERATION, [&] { setter.call(1 << 20, 1); });
    for (const char* text :
         {"f1", "f2", "f3", "f4", "i1", "i2", "i3", "i4", "b1", "b2", "b3", "b4", "m2", "m3", "m4", "s2", "sc"}) {
        std::string name = text;
        GLint location = locationOf(program, name);
        CAPTURE(name);
        if (!accepts(setter, name)) {
            t.error(GL_INVALID_OPERATION, [&] { setter.call(location, 1); });
            continue;
        }
        t.fine([&] { setter.call(location, 1); });
        if (!setter.isVector) continue;
        t.error(GL_INVALID_VALUE, [&] { setter.call(location, -1); });
        t.error(GL_INVALID_OPERATION, [&] { setter.call(location, 2); });  // not an array
    }
    for (const char* text : {"f1a", "f2a", "f3a", "f4a", "i1a", "i2a", "i3a", "i4a", "m2a", "m3a", "m4a", "s2a"}) {
        std::string name = text;
        GLint location = locationOf(program, name);
        CAPTURE(name);
        if (!accepts(setter, name)) {
            t.error(GL_INVALID_OPERATION, [&] { setter.call(location, 1); });
        } else if (setter.isVector) {
            t.fine([&] { setter.call(location, 2); });
            t.fine([&] { setter.call(location, 5); });  // beyond the end: the rest is ignored
            t.error(GL_INVALID_VALUE, [&] { setter.call(location, -1); });
        }
    }
}

const GLfloat kFloats[16 * 8] = {};
const GLint kInts[4 * 8] = {};

}  // namespace

#define SCALAR_FLOAT(n, ...)                                                                                        \
    ERROR_TEST(glUniform##n##f, GL_INVALID_OPERATION) {                                                             \
        uniformErrors(t, {'f', n, false, [](GLint location, GLsizei) { glUniform##n##f(location, __VA_ARGS__); }}); \
    }
SCALAR_FLOAT(1, 0)
SCALAR_FLOAT(2, 0, 0)
SCALAR_FLOAT(3, 0, 0, 0)
SCALAR_FLOAT(4, 0, 0, 0, 0)

#define SCALAR_INT(n, ...) \
    uniformErrors(t, {'i', n, false, [](GLint location, GLsizei) { glUniform##n##i(location, __VA_ARGS__); }});
ERROR_TEST(glUniform1i, GL_INVALID_OPERATION, GL_INVALID_VALUE) {
    SCALAR_INT(1, 0)
    GLuint program = useUniformProgram();
    for (const char* name : {"s2", "sc", "s2a", "s2a[1]"}) {
        GLint location = locationOf(program, name);
        for (GLint unit : {-1, 32, 1 << 30}) t.error(GL_INVALID_VALUE, [=] { glUniform1i(location, unit); });
        t.fine([=] { glUniform1i(location, 31); });
    }
}
ERROR_TEST(glUniform2i, GL_INVALID_OPERATION){SCALAR_INT(2, 0, 0)} ERROR_TEST(glUniform3i, GL_INVALID_OPERATION){
    SCALAR_INT(3, 0, 0, 0)} ERROR_TEST(glUniform4i, GL_INVALID_OPERATION){SCALAR_INT(4, 0, 0, 0, 0)}
#define VECTOR(n, letter, values)                                                                                    \
    ERROR_TEST(glUniform##n##letter##v, GL_INVALID_OPERATION, GL_INVALID_VALUE) {                                    \
        uniformErrors(t, {#letter[0], n, true,                                                                       \
                          [](GLint location, GLsizei count) { glUniform##n##letter##v(location, count, values); }}); \
    }
VECTOR(1, f, kFloats) VECTOR(2, f, kFloats) VECTOR(3, f, kFloats) VECTOR(4, f, kFloats) VECTOR(2, i, kInts)
    VECTOR(3, i, kInts) VECTOR(4, i, kInts) ERROR_TEST(glUniform1iv, GL_INVALID_OPERATION, GL_INVALID_VALUE) {
    uniformErrors(t, {'i', 1, true, [](GLint location, GLsizei count) { glUniform1iv(location, count, kInts); }});
    GLuint program = useUniformProgram();
    GLint location = locationOf(program, "s2a");
    static const GLint bad[] = {0, 32}, good[] = {30, 31};
    t.error(GL_INVALID_VALUE, [=] { glUniform1iv(location, 2, bad); });
    t.fine([=] { glUniform1iv(location, 2, good); });
}

#define MATRIX(n)                                                                                  \
    ERROR_TEST(glUniformMatrix##n##fv, GL_INVALID_OPERATION, GL_INVALID_VALUE) {                   \
        uniformErrors(t, {'m', n, true, [](GLint location, GLsizei count) {                        \
                              glUniformMatrix##n##fv(location, count, GL_FALSE, kFloats);          \
                          }});                                                                     \
        GLuint program = useUniformProgram();                                                      \
        GLint location = locationOf(program, "m" #n);                                              \
        t.error(GL_INVALID_VALUE, [=] { glUniformMatrix##n##fv(location, 1, GL_TRUE, kFloats); }); \
    }
MATRIX(2)
MATRIX(3)
MATRIX(4)

namespace {

template <class T>
void getUniform(ErrorTest& t, void (*call)(GLuint, GLint, T*)) {
    T values[16] = {7};
    GLuint program = useUniformProgram(), unlinked = glCreateProgram(), shader = glCreateShader(GL_VERTEX_SHADER);
    GLint location = locationOf(program, "f1");
    t.error(GL_INVALID_VALUE, [&] { call(987654, location, values); });
    t.error(GL_INVALID_VALUE, [&] { call(0, location, values); });
    t.error(GL_INVALID_OPERATION, [&] { call(shader, location, values); });
    t.error(GL_INVALID_OPERATION, [&] { call(unlinked, location, values); });
    t.error(GL_INVALID_OPERATION, [&] { call(program, -1, values); });
    t.error(GL_INVALID_OPERATION, [&] { call(program, 1 << 20, values); });
    CHECK(values[0] == 7);
    t.fine([&] { call(program, location, values); });
    CHECK(values[0] == 0);
}

}  // namespace

ERROR_TEST(glGetUniformfv, GL_INVALID_OPERATION, GL_INVALID_VALUE) { getUniform<GLfloat>(t, glGetUniformfv); }
ERROR_TEST(glGetUniformiv, GL_INVALID_OPERATION, GL_INVALID_VALUE) { getUniform<GLint>(t, glGetUniformiv); }

TEST_CASE("samplers of two types on one unit") {
    // Section 2.10.4: such a program must not draw, and does not validate.
    tessera::gles_test::TestContext context;
    GLuint program = useUniformProgram();
    ErrorTest t("glDrawArrays", {GL_INVALID_OPERATION});
    GLint cube = locationOf(program, "sc"), valid = 7;
    static const GLubyte indices[3] = {};
    t.error(GL_INVALID_OPERATION, [] { glDrawArrays(GL_TRIANGLES, 0, 3); });
    t.error(GL_INVALID_OPERATION, [] { glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_BYTE, indices); });
    glValidateProgram(program);
    glGetProgramiv(program, GL_VALIDATE_STATUS, &valid);
    CHECK(valid == GL_FALSE);
    glUniform1i(cube, 5);
    t.fine([] { glDrawArrays(GL_TRIANGLES, 0, 3); });
    glValidateProgram(program);
    glGetProgramiv(program, GL_VALIDATE_STATUS, &valid);
    CHECK(valid == GL_TRUE);
    t.finish();
}
