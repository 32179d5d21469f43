// Errors of shader and program objects (sections 2.10, 6.1.8).
#include <cstring>

#include "tests/gles/api_test.h"

using tessera::gles_test::ErrorTest;
using tessera::gles_test::kColorFragment;
using tessera::gles_test::kPassVertex;
using tessera::gles_test::makeProgram;

namespace {

constexpr GLenum kNoEnum = 0x12345;
constexpr GLuint kNoName = 987654;

/// What every call on a shader object says of names that are none; `call(name)`.
template <class Call>
void shaderNames(ErrorTest& t, Call call) {
    GLuint program = glCreateProgram();
    t.error(GL_INVALID_VALUE, [&] { call(kNoName); });
    t.error(GL_INVALID_VALUE, [&] { call(0); });
    t.error(GL_INVALID_OPERATION, [&] { call(program); });
}

/// The same for program objects.
template <class Call>
void programNames(ErrorTest& t, Call call) {
    GLuint shader = glCreateShader(GL_VERTEX_SHADER);
    t.error(GL_INVALID_VALUE, [&] { call(kNoName); });
    t.error(GL_INVALID_VALUE, [&] { call(0); });
    t.error(GL_INVALID_OPERATION, [&] { call(shader); });
}

GLuint goodProgram() {
    GLuint program = makeProgram(kPassVertex, kColorFragment);
    REQUIRE(program != 0);
    return program;
}

}  // namespace

ERROR_TEST(glCreateShader, GL_INVALID_ENUM) {
    t.error(GL_INVALID_ENUM, [] { CHECK(glCreateShader(kNoEnum) == 0); });
    t.error(GL_INVALID_ENUM, [] { CHECK(glCreateShader(0x8DD9 /* GEOMETRY_SHADER */) == 0); });
    for (GLenum type : {GL_VERTEX_SHADER, GL_FRAGMENT_SHADER})
        t.fine([=] { CHECK(glIsShader(glCreateShader(type)) == GL_TRUE); });
}

ERROR_TEST(glDeleteShader, GL_INVALID_VALUE, GL_INVALID_OPERATION) {
    GLuint shader = glCreateShader(GL_VERTEX_SHADER), program = glCreateProgram();
    t.error(GL_INVALID_VALUE, [] { glDeleteShader(kNoName); });
    t.error(GL_INVALID_OPERATION, [=] { glDeleteShader(program); });
    CHECK(glIsProgram(program) == GL_TRUE);
    t.fine([] { glDeleteShader(0); });
    t.fine([=] { glDeleteShader(shader); });
    t.error(GL_INVALID_VALUE, [=] { glDeleteShader(shader); });
}

ERROR_TEST(glIsShader) {
    GLuint program = glCreateProgram();
    for (GLuint name : {0u, kNoName, program}) t.fine([=] { CHECK(glIsShader(name) == GL_FALSE); });
}

ERROR_TEST(glShaderSource, GL_INVALID_VALUE, GL_INVALID_OPERATION) {
    static const char* const source[] = {"void main() {}"};
    shaderNames(t, [](GLuint name) { glShaderSource(name, 1, source, nullptr); });
    GLuint shader = glCreateShader(GL_VERTEX_SHADER);
    t.error(GL_INVALID_VALUE, [=] { glShaderSource(shader, -1, source, nullptr); });
    t.fine([=] { glShaderSource(shader, 1, source, nullptr); });
    t.fine([=] { glShaderSource(shader, 0, nullptr, nullptr); });
}

ERROR_TEST(glCompileShader, GL_INVALID_VALUE, GL_INVALID_OPERATION) {
    shaderNames(t, [](GLuint name) { glCompileShader(name); });
    GLuint shader = glCreateShader(GL_VERTEX_SHADER);
    const char* const broken[] = {"void main( {"};
    glShaderSource(shader, 1, broken, nullptr);
    t.fine([=] { glCompileShader(shader); });  // it fails, but that is no error
    GLint compiled = 7;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    CHECK(compiled == GL_FALSE);
}

ERROR_TEST(glReleaseShaderCompiler) {
    t.fine([] { glReleaseShaderCompiler(); });
    CHECK(goodProgram() != 0);
}

ERROR_TEST(glShaderBinary, GL_INVALID_ENUM, GL_INVALID_VALUE, GL_INVALID_OPERATION) {
    static const uint8_t data[64] = {1, 2, 3};
    GLuint shader = glCreateShader(GL_VERTEX_SHADER), program = glCreateProgram();
    GLint count = 0;
    glGetIntegerv(GL_NUM_SHADER_BINARY_FORMATS, &count);
    REQUIRE(count == 1);
    GLint format = 0;
    glGetIntegerv(GL_SHADER_BINARY_FORMATS, &format);
    auto binary = static_cast<GLenum>(format);
    t.error(GL_INVALID_ENUM, [=] { glShaderBinary(1, &shader, kNoEnum, data, sizeof data); });
    t.error(GL_INVALID_VALUE, [=] { glShaderBinary(-1, &shader, binary, data, sizeof data); });
    t.error(GL_INVALID_VALUE, [=] { glShaderBinary(1, &shader, binary, data, -1); });
    t.error(GL_INVALID_VALUE, [=] { glShaderBinary(1, &kNoName, binary, data, sizeof data); });
    t.error(GL_INVALID_OPERATION, [=] { glShaderBinary(1, &program, binary, data, sizeof data); });
    t.error(GL_INVALID_VALUE, [=] { glShaderBinary(1, &shader, binary, data, sizeof data); });  // not a program
    t.error(GL_INVALID_VALUE, [=] { glShaderBinary(1, &shader, binary, data, 0); });
    const GLuint twice[] = {shader, shader};
    t.error(GL_INVALID_OPERATION, [=, &twice] { glShaderBinary(2, twice, binary, data, sizeof data); });
}

ERROR_TEST(glGetShaderiv, GL_INVALID_ENUM, GL_INVALID_VALUE, GL_INVALID_OPERATION) {
    GLint value = 7;
    shaderNames(t, [&](GLuint name) { glGetShaderiv(name, GL_SHADER_TYPE, &value); });
    GLuint shader = glCreateShader(GL_VERTEX_SHADER);
    t.error(GL_INVALID_ENUM, [&] { glGetShaderiv(shader, kNoEnum, &value); });
    t.error(GL_INVALID_ENUM, [&] { glGetShaderiv(shader, GL_LINK_STATUS, &value); });
    CHECK(value == 7);
    for (GLenum pname :
         {GL_SHADER_TYPE, GL_DELETE_STATUS, GL_COMPILE_STATUS, GL_INFO_LOG_LENGTH, GL_SHADER_SOURCE_LENGTH})
        t.fine([&] { glGetShaderiv(shader, pname, &value); });
}

ERROR_TEST(glGetShaderInfoLog, GL_INVALID_VALUE, GL_INVALID_OPERATION) {
    GLchar text[8] = "unseen";
    GLsizei length = 7;
    shaderNames(t, [&](GLuint name) { glGetShaderInfoLog(name, 8, &length, text); });
    GLuint shader = glCreateShader(GL_VERTEX_SHADER);
    t.error(GL_INVALID_VALUE, [&] { glGetShaderInfoLog(shader, -1, &length, text); });
    CHECK(std::strcmp(text, "unseen") == 0);
    CHECK(length == 7);
    t.fine([&] { glGetShaderInfoLog(shader, 8, nullptr, text); });
    t.fine([&] { glGetShaderInfoLog(shader, 0, &length, nullptr); });
}

ERROR_TEST(glGetShaderSource, GL_INVALID_VALUE, GL_INVALID_OPERATION) {
    GLchar text[8] = "unseen";
    GLsizei length = 7;
    shaderNames(t, [&](GLuint name) { glGetShaderSource(name, 8, &length, text); });
    GLuint shader = glCreateShader(GL_VERTEX_SHADER);
    t.error(GL_INVALID_VALUE, [&] { glGetShaderSource(shader, -1, &length, text); });
    CHECK(std::strcmp(text, "unseen") == 0);
    t.fine([&] { glGetShaderSource(shader, 8, nullptr, text); });
}

ERROR_TEST(glGetShaderPrecisionFormat, GL_INVALID_ENUM) {
    GLint range[2] = {7, 7}, precision = 7;
    t.error(GL_INVALID_ENUM, [&] { glGetShaderPrecisionFormat(kNoEnum, GL_HIGH_FLOAT, range, &precision); });
    t.error(GL_INVALID_ENUM, [&] { glGetShaderPrecisionFormat(GL_VERTEX_SHADER, kNoEnum, range, &precision); });
    t.error(GL_INVALID_ENUM, [&] { glGetShaderPrecisionFormat(GL_VERTEX_SHADER, GL_FLOAT, range, &precision); });
    CHECK(precision == 7);
    for (GLenum type : {GL_LOW_FLOAT, GL_MEDIUM_FLOAT, GL_HIGH_FLOAT, GL_LOW_INT, GL_MEDIUM_INT, GL_HIGH_INT})
        t.fine([&] { glGetShaderPrecisionFormat(GL_FRAGMENT_SHADER, type, range, &precision); });
}

ERROR_TEST(glCreateProgram) {
    t.fine([] { CHECK(glIsProgram(glCreateProgram()) == GL_TRUE); });
}

ERROR_TEST(glDeleteProgram, GL_INVALID_VALUE, GL_INVALID_OPERATION) {
    GLuint shader = glCreateShader(GL_VERTEX_SHADER), program = glCreateProgram();
    t.error(GL_INVALID_VALUE, [] { glDeleteProgram(kNoName); });
    t.error(GL_INVALID_OPERATION, [=] { glDeleteProgram(shader); });
    CHECK(glIsShader(shader) == GL_TRUE);
    t.fine([] { glDeleteProgram(0); });
    t.fine([=] { glDeleteProgram(program); });
    CHECK(glIsProgram(program) == GL_FALSE);
}

ERROR_TEST(glIsProgram) {
    GLuint shader = glCreateShader(GL_VERTEX_SHADER);
    for (GLuint name : {0u, kNoName, shader}) t.fine([=] { CHECK(glIsProgram(name) == GL_FALSE); });
}

ERROR_TEST(glAttachShader, GL_INVALID_VALUE, GL_INVALID_OPERATION) {
    GLuint shader = glCreateShader(GL_VERTEX_SHADER), another = glCreateShader(GL_VERTEX_SHADER);
    GLuint program = glCreateProgram();
    programNames(t, [=](GLuint name) { glAttachShader(name, shader); });
    t.error(GL_INVALID_VALUE, [=] { glAttachShader(program, kNoName); });
    t.error(GL_INVALID_OPERATION, [=] { glAttachShader(program, program); });
    t.fine([=] { glAttachShader(program, shader); });
    t.error(GL_INVALID_OPERATION, [=] { glAttachShader(program, shader); });   // attached already
    t.error(GL_INVALID_OPERATION, [=] { glAttachShader(program, another); });  // one of each kind
    t.fine([=] { glAttachShader(program, glCreateShader(GL_FRAGMENT_SHADER)); });
}

ERROR_TEST(glDetachShader, GL_INVALID_VALUE, GL_INVALID_OPERATION) {
    GLuint shader = glCreateShader(GL_VERTEX_SHADER), program = glCreateProgram();
    programNames(t, [=](GLuint name) { glDetachShader(name, shader); });
    t.error(GL_INVALID_VALUE, [=] { glDetachShader(program, kNoName); });
    t.error(GL_INVALID_OPERATION, [=] { glDetachShader(program, program); });
    t.error(GL_INVALID_OPERATION, [=] { glDetachShader(program, shader); });
    glAttachShader(program, shader);
    t.fine([=] { glDetachShader(program, shader); });
    t.error(GL_INVALID_OPERATION, [=] { glDetachShader(program, shader); });
}

ERROR_TEST(glGetAttachedShaders, GL_INVALID_VALUE, GL_INVALID_OPERATION) {
    GLuint names[2] = {7, 7};
    GLsizei count = 7;
    programNames(t, [&](GLuint name) { glGetAttachedShaders(name, 2, &count, names); });
    GLuint program = glCreateProgram();
    t.error(GL_INVALID_VALUE, [&] { glGetAttachedShaders(program, -1, &count, names); });
    CHECK(count == 7);
    t.fine([&] { glGetAttachedShaders(program, 2, &count, names); });
    CHECK(count == 0);
    t.fine([&] { glGetAttachedShaders(program, 2, nullptr, names); });
}

ERROR_TEST(glBindAttribLocation, GL_INVALID_VALUE, GL_INVALID_OPERATION) {
    programNames(t, [](GLuint name) { glBindAttribLocation(name, 0, "a"); });
    GLuint program = glCreateProgram();
    t.error(GL_INVALID_VALUE, [=] { glBindAttribLocation(program, 16, "a"); });
    t.error(GL_INVALID_OPERATION, [=] { glBindAttribLocation(program, 0, "gl_"); });
    t.error(GL_INVALID_OPERATION, [=] { glBindAttribLocation(program, 0, "gl_Position"); });
    t.fine([=] { glBindAttribLocation(program, 15, "nowhere"); });
}

ERROR_TEST(glLinkProgram, GL_INVALID_VALUE, GL_INVALID_OPERATION) {
    programNames(t, [](GLuint name) { glLinkProgram(name); });
    GLuint program = glCreateProgram();
    t.fine([=] { glLinkProgram(program); });  // without shaders: fails to link, but that is no error
    GLint linked = 7;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    CHECK(linked == GL_FALSE);
}

ERROR_TEST(glUseProgram, GL_INVALID_VALUE, GL_INVALID_OPERATION) {
    GLuint current = goodProgram();
    glUseProgram(current);
    GLuint shader = glCreateShader(GL_VERTEX_SHADER), unlinked = glCreateProgram();
    t.error(GL_INVALID_VALUE, [] { glUseProgram(kNoName); });
    t.error(GL_INVALID_OPERATION, [=] { glUseProgram(shader); });
    t.error(GL_INVALID_OPERATION, [=] { glUseProgram(unlinked); });
    t.fine([] { glUseProgram(0); });
    t.fine([=] { glUseProgram(current); });
}

ERROR_TEST(glValidateProgram, GL_INVALID_VALUE, GL_INVALID_OPERATION) {
    programNames(t, [](GLuint name) { glValidateProgram(name); });
    GLuint program = goodProgram();
    t.fine([=] { glValidateProgram(program); });
}

ERROR_TEST(glGetProgramiv, GL_INVALID_ENUM, GL_INVALID_VALUE, GL_INVALID_OPERATION) {
    GLint value = 7;
    programNames(t, [&](GLuint name) { glGetProgramiv(name, GL_LINK_STATUS, &value); });
    GLuint program = glCreateProgram();
    t.error(GL_INVALID_ENUM, [&] { glGetProgramiv(program, kNoEnum, &value); });
    t.error(GL_INVALID_ENUM, [&] { glGetProgramiv(program, GL_COMPILE_STATUS, &value); });
    CHECK(value == 7);
    for (GLenum pname :
         {GL_DELETE_STATUS, GL_LINK_STATUS, GL_VALIDATE_STATUS, GL_INFO_LOG_LENGTH, GL_ATTACHED_SHADERS,
          GL_ACTIVE_ATTRIBUTES, GL_ACTIVE_ATTRIBUTE_MAX_LENGTH, GL_ACTIVE_UNIFORMS, GL_ACTIVE_UNIFORM_MAX_LENGTH})
        t.fine([&] { glGetProgramiv(program, pname, &value); });
}

ERROR_TEST(glGetProgramInfoLog, GL_INVALID_VALUE, GL_INVALID_OPERATION) {
    GLchar text[8] = "unseen";
    GLsizei length = 7;
    programNames(t, [&](GLuint name) { glGetProgramInfoLog(name, 8, &length, text); });
    GLuint program = glCreateProgram();
    t.error(GL_INVALID_VALUE, [&] { glGetProgramInfoLog(program, -1, &length, text); });
    CHECK(std::strcmp(text, "unseen") == 0);
    t.fine([&] { glGetProgramInfoLog(program, 8, nullptr, text); });
}

namespace {

using GetActive = void (*)(GLuint, GLuint, GLsizei, GLsizei*, GLint*, GLenum*, GLchar*);

void getActive(ErrorTest& t, GetActive call) {
    GLchar text[16] = "unseen";
    GLsizei length = 7;
    GLint size = 7;
    GLenum type = 7;
    programNames(t, [&](GLuint name) { call(name, 0, 16, &length, &size, &type, text); });
    GLuint program = goodProgram(), unlinked = glCreateProgram();
    t.error(GL_INVALID_VALUE, [&] { call(program, 1, 16, &length, &size, &type, text); });
    t.error(GL_INVALID_VALUE, [&] { call(program, ~0u, 16, &length, &size, &type, text); });
    t.error(GL_INVALID_VALUE, [&] { call(program, 0, -1, &length, &size, &type, text); });
    t.error(GL_INVALID_VALUE, [&] { call(unlinked, 0, 16, &length, &size, &type, text); });
    CHECK(std::strcmp(text, "unseen") == 0);
    CHECK(length == 7);
    CHECK(size == 7);
    CHECK(type == 7);
    t.fine([&] { call(program, 0, 16, nullptr, &size, &type, text); });
    CHECK(size == 1);
    CHECK(type == GL_FLOAT_VEC4);
}

}  // namespace

ERROR_TEST(glGetActiveAttrib, GL_INVALID_VALUE, GL_INVALID_OPERATION) { getActive(t, glGetActiveAttrib); }
ERROR_TEST(glGetActiveUniform, GL_INVALID_VALUE, GL_INVALID_OPERATION) { getActive(t, glGetActiveUniform); }

ERROR_TEST(glGetAttribLocation, GL_INVALID_VALUE, GL_INVALID_OPERATION) {
    programNames(t, [](GLuint name) { CHECK(glGetAttribLocation(name, "position") == -1); });
    GLuint program = goodProgram(), unlinked = glCreateProgram();
    t.error(GL_INVALID_OPERATION, [=] { CHECK(glGetAttribLocation(unlinked, "position") == -1); });
    t.fine([=] { CHECK(glGetAttribLocation(program, "position") == 0); });
    t.fine([=] { CHECK(glGetAttribLocation(program, "nothing") == -1); });
    t.fine([=] { CHECK(glGetAttribLocation(program, "gl_Position") == -1); });
}

ERROR_TEST(glGetUniformLocation, GL_INVALID_VALUE, GL_INVALID_OPERATION) {
    programNames(t, [](GLuint name) { CHECK(glGetUniformLocation(name, "color") == -1); });
    GLuint program = goodProgram(), unlinked = glCreateProgram();
    t.error(GL_INVALID_OPERATION, [=] { CHECK(glGetUniformLocation(unlinked, "color") == -1); });
    t.fine([=] { CHECK(glGetUniformLocation(program, "color") >= 0); });
    t.fine([=] { CHECK(glGetUniformLocation(program, "nothing") == -1); });
    t.fine([=] { CHECK(glGetUniformLocation(program, "gl_DepthRange.near") == -1); });
}
