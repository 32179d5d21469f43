// Shaders, linking, uniforms and their locations.
#include <cstring>
#include <string>
#include <vector>

#include "api/gles/gles.h"
#include "tests/gles/fixture.h"

using namespace tessera::gles_test;

namespace {

constexpr const char* kUniformVertex = R"(
attribute vec4 position;
attribute mat2 turn;
struct Light { vec3 direction; float power[2]; };
uniform Light lights[2];
uniform mat3 frame;
uniform bvec3 flags;
uniform ivec2 shift;
uniform float shared_[3];
void main() {
    vec4 p = position;
    p.xy = turn * p.xy + vec2(shift);
    p.xyz = frame * p.xyz;
    for (int i = 0; i < 2; i++) p.xyz += lights[i].direction * lights[i].power[i];
    if (flags.x && flags.y || flags.z) p.x += shared_[0] + shared_[1] + shared_[2];
    gl_Position = p;
}
)";
constexpr const char* kUniformFragment = R"(
precision highp float;
uniform float shared_[3];
uniform sampler2D image;
uniform samplerCube sky;
void main() { gl_FragColor = texture2D(image, vec2(shared_[1])) + textureCube(sky, vec3(shared_[2])); }
)";

GLint programParameter(GLuint program, GLenum pname) {
    GLint value = -1;
    glGetProgramiv(program, pname, &value);
    return value;
}

std::vector<GLfloat> uniformFloats(GLuint program, GLint location, size_t n) {
    std::vector<GLfloat> values(n + 1, -99.0f);
    glGetUniformfv(program, location, values.data());
    CHECK(values.back() == -99.0f);
    values.pop_back();
    return values;
}

}  // namespace

TEST_CASE("shader objects keep their source and report their state") {
    TestContext context(kLarge);
    GLuint shader = glCreateShader(GL_FRAGMENT_SHADER);
    GLint value = -1;
    glGetShaderiv(shader, GL_SHADER_SOURCE_LENGTH, &value);
    CHECK(value == 0);
    const char* parts[] = {"void main() ", "{}garbage", "\n"};
    const GLint lengths[] = {-1, 2, 1};
    glShaderSource(shader, 3, parts, lengths);
    char source[64] = "";
    GLsizei length = -1;
    glGetShaderSource(shader, sizeof source, &length, source);
    CHECK(std::string(source) == "void main() {}\n");
    CHECK(length == 15);
    glGetShaderiv(shader, GL_SHADER_SOURCE_LENGTH, &value);
    CHECK(value == 16);
    glGetShaderSource(shader, 5, &length, source);
    CHECK((std::string(source) == "void" && length == 4));
    glGetShaderiv(shader, GL_COMPILE_STATUS, &value);
    CHECK(value == GL_FALSE);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &value);
    CHECK(value == GL_TRUE);

    const char* broken = "precision mediump float; void main() { gl_FragColor = vec4(undeclared); }";
    glShaderSource(shader, 1, &broken, nullptr);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &value);
    CHECK(value == GL_FALSE);
    glGetShaderiv(shader, GL_INFO_LOG_LENGTH, &value);
    std::string log(static_cast<size_t>(value), 'x');
    glGetShaderInfoLog(shader, value, &length, log.data());
    CHECK(length == value - 1);
    CHECK(log.find("undeclared") != std::string::npos);
    GLint range[2], precision = -1;
    glGetShaderPrecisionFormat(GL_FRAGMENT_SHADER, GL_HIGH_FLOAT, range, &precision);
    CHECK((range[0] == 127 && range[1] == 127 && precision == 23));
    glGetShaderPrecisionFormat(GL_VERTEX_SHADER, GL_MEDIUM_INT, range, &precision);
    CHECK((range[0] == 31 && range[1] == 30 && precision == 0));
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("programs that cannot link say why, and cannot be used") {
    TestContext context(kLarge);
    GLuint program = glCreateProgram();
    glLinkProgram(program);
    CHECK(programParameter(program, GL_LINK_STATUS) == GL_FALSE);
    CHECK(programParameter(program, GL_INFO_LOG_LENGTH) > 1);
    glUseProgram(program);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glGetUniformLocation(program, "color");
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glValidateProgram(program);
    CHECK(programParameter(program, GL_VALIDATE_STATUS) == GL_FALSE);
    GLuint shader = makeShader(GL_VERTEX_SHADER, kPassVertex);
    glAttachShader(program, shader);
    glAttachShader(program, shader);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glDetachShader(program, program);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glAttachShader(program, 4711);
    CHECK(glGetError() == GL_INVALID_VALUE);
    CHECK(programParameter(program, GL_ATTACHED_SHADERS) == 1);
}

TEST_CASE("attribute locations are those that were bound before the link") {
    TestContext context(kLarge);
    GLuint program = makeProgram(kUniformVertex, kUniformFragment);
    glBindAttribLocation(program, 7, "turn");
    glBindAttribLocation(program, 3, "position");
    glLinkProgram(program);
    REQUIRE(programParameter(program, GL_LINK_STATUS) == GL_TRUE);
    CHECK(glGetAttribLocation(program, "turn") == 7);
    CHECK(glGetAttribLocation(program, "position") == 3);
    CHECK(glGetAttribLocation(program, "nothing") == -1);
    CHECK(programParameter(program, GL_ACTIVE_ATTRIBUTES) == 2);
    CHECK(programParameter(program, GL_ACTIVE_ATTRIBUTE_MAX_LENGTH) == 9);
    bool sawMatrix = false;
    for (GLuint i = 0; i < 2; ++i) {
        char name[32];
        GLint size = 0;
        GLenum type = 0;
        glGetActiveAttrib(program, i, sizeof name, nullptr, &size, &type, name);
        CHECK(size == 1);
        if (std::strcmp(name, "turn") == 0) sawMatrix = type == GL_FLOAT_MAT2;
    }
    CHECK(sawMatrix);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("uniforms: types, arrays, structures, conversions") {
    TestContext context(kLarge);
    GLuint program = makeProgram(kUniformVertex, kUniformFragment);
    glUseProgram(program);
    auto at = [&](const char* name) { return glGetUniformLocation(program, name); };

    GLint array = at("shared_");
    REQUIRE(array >= 0);
    CHECK(at("shared_[0]") == array);
    GLint second = at("shared_[1]");
    CHECK((second >= 0 && second != array));
    CHECK(at("shared_[3]") == -1);
    CHECK(at("shared_[01]") == -1);
    CHECK(at("shared_[-1]") == -1);
    CHECK(at("frame[0]") == -1);
    CHECK(at("lights") == -1);
    CHECK(at("lights[1]") == -1);
    CHECK(at("lights[1].power[1]") >= 0);

    const GLfloat five[] = {1, 2, 3, 4, 5};
    glUniform1fv(array, 5, five);  // beyond the end: ignored
    CHECK(uniformFloats(program, at("shared_[2]"), 1)[0] == 3);
    glUniform1fv(second, 1, five + 4);
    CHECK(uniformFloats(program, second, 1)[0] == 5);
    CHECK(uniformFloats(program, array, 1)[0] == 1);
    glUniform1fv(at("lights[1].power[1]"), 1, five + 3);
    CHECK(uniformFloats(program, at("lights[1].power[1]"), 1)[0] == 4);
    glUniform3f(at("lights[1].direction"), 7, 8, 9);
    CHECK(uniformFloats(program, at("lights[1].direction"), 3) == std::vector<GLfloat>{7, 8, 9});

    const GLfloat matrix[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    glUniformMatrix3fv(at("frame"), 1, GL_FALSE, matrix);
    CHECK(uniformFloats(program, at("frame"), 9) == std::vector<GLfloat>(matrix, matrix + 9));
    glUniform3f(at("flags"), 0.0f, 0.1f, -3.0f);
    GLint ints[4] = {};
    glGetUniformiv(program, at("flags"), ints);
    CHECK((ints[0] == 0 && ints[1] == 1 && ints[2] == 1));
    glUniform3i(at("flags"), 4, 0, -1);
    CHECK(uniformFloats(program, at("flags"), 3) == std::vector<GLfloat>{1, 0, 1});
    glUniform2i(at("shift"), -2000000001, 3);
    glGetUniformiv(program, at("shift"), ints);
    CHECK((ints[0] == -2000000001 && ints[1] == 3));
    glUniform1i(at("image"), 31);
    glGetUniformiv(program, at("image"), ints);
    CHECK(ints[0] == 31);
    CHECK(glGetError() == GL_NO_ERROR);

    auto expect = [](GLenum code) { CHECK(glGetError() == code); };
    glUniform1i(at("image"), 32), expect(GL_INVALID_VALUE);
    glUniform1f(at("image"), 1), expect(GL_INVALID_OPERATION);
    glUniform2f(at("shift"), 1, 2), expect(GL_INVALID_OPERATION);
    glUniform2i(array, 1, 2), expect(GL_INVALID_OPERATION);
    glUniform3fv(at("lights[0].direction"), 2, matrix), expect(GL_INVALID_OPERATION);
    glUniformMatrix3fv(at("frame"), 1, GL_TRUE, matrix), expect(GL_INVALID_VALUE);
    glUniform1fv(array, -1, five), expect(GL_INVALID_VALUE);
    glUniform4f(-1, 1, 2, 3, 4), expect(GL_NO_ERROR);
    glUniform4f(1000, 1, 2, 3, 4), expect(GL_INVALID_OPERATION);
    glUseProgram(0);
    glUniform1f(-1, 0), expect(GL_INVALID_OPERATION);
}

TEST_CASE("active uniforms are listed once, arrays with their index") {
    TestContext context(kLarge);
    GLuint program = makeProgram(kUniformVertex, kUniformFragment);
    int arrays = 0, samplers = 0;
    GLint longest = programParameter(program, GL_ACTIVE_UNIFORM_MAX_LENGTH);
    GLint seenLongest = 0;
    for (GLint i = 0; i < programParameter(program, GL_ACTIVE_UNIFORMS); ++i) {
        char name[64];
        GLsizei length = 0;
        GLint size = 0;
        GLenum type = 0;
        glGetActiveUniform(program, static_cast<GLuint>(i), sizeof name, &length, &size, &type, name);
        seenLongest = std::max(seenLongest, length + 1);
        arrays += std::strcmp(name, "shared_[0]") == 0 && size == 3 && type == GL_FLOAT;
        samplers += type == GL_SAMPLER_2D || type == GL_SAMPLER_CUBE;
        CHECK(glGetUniformLocation(program, name) >= 0);
    }
    CHECK(arrays == 1);
    CHECK(samplers == 2);
    CHECK(seenLongest == longest);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("samplers of different types must not share a texture image unit when drawing") {
    TestContext context(kLarge);
    GLuint program = makeProgram(kUniformVertex, kUniformFragment);
    glUseProgram(program);
    glDrawArrays(GL_TRIANGLES, 0, 3);  // both at unit 0
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glValidateProgram(program);
    CHECK(programParameter(program, GL_VALIDATE_STATUS) == GL_FALSE);
    glUniform1i(glGetUniformLocation(program, "sky"), 1);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    CHECK(glGetError() == GL_NO_ERROR);
    glValidateProgram(program);
    CHECK(programParameter(program, GL_VALIDATE_STATUS) == GL_TRUE);
}

TEST_CASE("shader binaries are checked") {
    TestContext context(kLarge);
    GLuint shader = glCreateShader(GL_VERTEX_SHADER);
    glShaderBinary(1, &shader, GL_SHADER_BINARY_TESSERA, "nonsense", 8);
    CHECK(glGetError() == GL_INVALID_VALUE);
    GLint value = 0;
    glGetShaderiv(shader, GL_INFO_LOG_LENGTH, &value);
    CHECK(value > 1);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &value);
    CHECK(value == GL_FALSE);
    glShaderBinary(1, &shader, 0, "nonsense", 8);
    CHECK(glGetError() == GL_INVALID_ENUM);
}
