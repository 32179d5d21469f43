// OES_get_program_binary; EXT_draw_instanced.
#include <string>
#include <vector>

#include "api/gles/gles.h"
#include "shader-core/isa/built_in_uniforms.h"
#include "shader-core/isa/isa.h"
#include "shader-core/isa/program.h"
#include "tests/gles/fixture.h"

using namespace tessera::gles_test;

namespace {

void drawQuadFromAttribute3() {
    glVertexAttribPointer(3, 2, GL_FLOAT, GL_FALSE, 0, kQuad);
    glEnableVertexAttribArray(3);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

GLint programInt(GLuint program, GLenum pname) {
    GLint value = -1;
    glGetProgramiv(program, pname, &value);
    return value;
}

std::string logOf(GLuint program) {
    char text[256] = "";
    glGetProgramInfoLog(program, sizeof text, nullptr, text);
    return text;
}

std::vector<uint8_t> binaryOf(GLuint program) {
    std::vector<uint8_t> bytes(static_cast<size_t>(programInt(program, GL_PROGRAM_BINARY_LENGTH_OES)));
    GLenum format = 0;
    GLsizei length = 0;
    glGetProgramBinaryOES(program, static_cast<GLsizei>(bytes.size()), &length, &format, bytes.data());
    CHECK(format == GL_PROGRAM_BINARY_TESSERA);
    CHECK(static_cast<size_t>(length) == bytes.size());
    return bytes;
}

GLuint load(const std::vector<uint8_t>& bytes) {
    GLuint program = glCreateProgram();
    glProgramBinaryOES(program, GL_PROGRAM_BINARY_TESSERA, bytes.data(), static_cast<GLint>(bytes.size()));
    return program;
}

/// A program whose attribute is at location 3.
GLuint linkedProgram() {
    GLuint program = glCreateProgram();
    for (GLuint shader : {makeShader(GL_VERTEX_SHADER, kPassVertex), makeShader(GL_FRAGMENT_SHADER, kColorFragment)})
        glAttachShader(program, shader);
    glBindAttribLocation(program, 3, "position");
    glLinkProgram(program);
    return program;
}

}  // namespace

TEST_CASE("OES_get_program_binary: what is loaded draws as what was linked") {
    TestContext context(kLarge);
    CHECK(getInt(GL_NUM_PROGRAM_BINARY_FORMATS_OES) == 1);
    CHECK(getInt(GL_PROGRAM_BINARY_FORMATS_OES) == GL_PROGRAM_BINARY_TESSERA);
    GLuint original = linkedProgram();
    glUseProgram(original);
    glUniform4f(glGetUniformLocation(original, "color"), 1, 1, 1, 1);
    GLuint loaded = load(binaryOf(original));
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(programInt(loaded, GL_LINK_STATUS) == GL_TRUE);
    CHECK(programInt(loaded, GL_ATTACHED_SHADERS) == 0);
    CHECK(programInt(loaded, GL_ACTIVE_UNIFORMS) == 1);
    CHECK(glGetAttribLocation(loaded, "position") == 3);
    GLint color = glGetUniformLocation(loaded, "color");
    GLfloat value[4] = {9, 9, 9, 9};
    glGetUniformfv(loaded, color, value);
    CHECK(value[0] == 0);  // uniforms start anew
    glUseProgram(loaded);
    glUniform4f(color, 0, 1, 0, 1);
    drawQuadFromAttribute3();
    CHECK(packedPixelAt(5, 5) == 0xFF00FF00u);
    CHECK(binaryOf(loaded) == binaryOf(original));
}

TEST_CASE("OES_get_program_binary: bytes that are no program are refused, whatever they are") {
    TestContext context(kLarge);
    std::vector<uint8_t> bytes = binaryOf(linkedProgram());
    auto refused = [](const std::vector<uint8_t>& wrong) {
        GLuint program = load(wrong);
        CHECK(glGetError() == GL_NO_ERROR);
        CHECK(programInt(program, GL_LINK_STATUS) == GL_FALSE);
        CHECK(programInt(program, GL_PROGRAM_BINARY_LENGTH_OES) == 0);
        CHECK(logOf(program).starts_with("ERROR: "));
        glUseProgram(program);
        CHECK(glGetError() == GL_INVALID_OPERATION);
        glDeleteProgram(program);
    };
    refused({});
    for (size_t size : {size_t{1}, size_t{11}, size_t{12}, bytes.size() / 2, bytes.size() - 1})
        refused({bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)});
    std::vector<uint8_t> longer = bytes;
    longer.push_back(0);
    refused(longer);
    for (size_t i = 0; i < bytes.size(); i += 7) {  // the checksums see every changed byte
        std::vector<uint8_t> changed = bytes;
        changed[i] ^= 0x11;
        refused(changed);
    }
    // A failed load loses what was linked.
    GLuint program = linkedProgram();
    glProgramBinaryOES(program, GL_PROGRAM_BINARY_TESSERA, bytes.data(), 5);
    CHECK(programInt(program, GL_LINK_STATUS) == GL_FALSE);
    glLinkProgram(program);
    CHECK(programInt(program, GL_LINK_STATUS) == GL_TRUE);
}

TEST_CASE("binaries in which a built-in uniform is no float are refused") {
    TestContext context(kLarge);
    const auto program = [](tessera::isa::Stage stage, std::vector<tessera::isa::Variable> uniforms) {
        tessera::isa::Program p;
        p.stage = stage;
        p.code = {tessera::isa::encode({.op = tessera::isa::Op::Ret})};
        p.uniforms = std::move(uniforms);
        return tessera::isa::serialize(p);
    };
    const auto linkStatus = [](const std::vector<std::byte>& vertex, const std::vector<std::byte>& fragment) {
        std::vector<uint8_t> bytes = {'T', 'S', 'P', '3', 0, 0, 0, 0, 0, 0, 0, 0};
        for (const size_t size : {vertex.size(), fragment.size()})
            for (size_t i = 0; i < 4; ++i) bytes.push_back(static_cast<uint8_t>(size >> 8 * i));
        for (const auto* stage : {&vertex, &fragment})
            for (const std::byte b : *stage) bytes.push_back(std::to_integer<uint8_t>(b));
        const GLuint name = load(bytes);
        glUseProgram(name);
        glDepthRangef(0.25f, 0.5f);
        glDrawArrays(GL_POINTS, 0, 1);  // writes the depth range where the program wants it
        glGetError();
        return programInt(name, GL_LINK_STATUS);
    };
    const auto shaderStatus = [](GLenum type, const std::vector<std::byte>& bytes) {
        const GLuint shader = glCreateShader(type);
        glShaderBinary(1, &shader, GL_SHADER_BINARY_TESSERA, bytes.data(), static_cast<GLsizei>(bytes.size()));
        glGetError();
        GLint value = -1;
        glGetShaderiv(shader, GL_COMPILE_STATUS, &value);
        return value;
    };
    using tessera::isa::VarType;
    const auto vertex = program(tessera::isa::Stage::Vertex, {}), fragment = program(tessera::isa::Stage::Fragment, {});
    CHECK(linkStatus(vertex, fragment) == GL_TRUE);
    CHECK(linkStatus(vertex, {}) == GL_FALSE);  // one stage: of separable programs only
    CHECK(linkStatus({}, fragment) == GL_FALSE);
    for (const std::string_view builtIn : tessera::isa::kDepthRangeUniforms) {
        for (const VarType type : {VarType::Float, VarType::Sampler2D, VarType::SamplerCube, VarType::Mat4}) {
            const std::vector<tessera::isa::Variable> uniforms = {
                {std::string(builtIn), type, tessera::isa::Precision::High, 0, 12}};
            const GLint expected = type == VarType::Float ? GL_TRUE : GL_FALSE;
            const auto vertexWith = program(tessera::isa::Stage::Vertex, uniforms);
            const auto fragmentWith = program(tessera::isa::Stage::Fragment, uniforms);
            CHECK(linkStatus(vertexWith, fragment) == expected);
            CHECK(linkStatus(vertex, fragmentWith) == expected);
            CHECK(shaderStatus(GL_VERTEX_SHADER, vertexWith) == expected);
            CHECK(shaderStatus(GL_FRAGMENT_SHADER, fragmentWith) == expected);
        }
    }
}

TEST_CASE("OES_get_program_binary: errors") {
    TestContext context(kLarge);
    GLuint program = linkedProgram(), unlinked = glCreateProgram();
    std::vector<uint8_t> bytes(static_cast<size_t>(programInt(program, GL_PROGRAM_BINARY_LENGTH_OES)));
    GLsizei length = 7;
    GLenum format = 0;
    glGetProgramBinaryOES(program, static_cast<GLsizei>(bytes.size()) - 1, &length, &format, bytes.data());
    CHECK(glGetError() == GL_INVALID_OPERATION);
    CHECK(length == 0);
    glGetProgramBinaryOES(program, -1, &length, &format, bytes.data());
    CHECK(glGetError() == GL_INVALID_VALUE);
    glGetProgramBinaryOES(unlinked, 1000, &length, &format, bytes.data());
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glGetProgramBinaryOES(999, 1000, &length, &format, bytes.data());
    CHECK(glGetError() == GL_INVALID_VALUE);
    glProgramBinaryOES(program, GL_SHADER_BINARY_TESSERA, bytes.data(), 4);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glProgramBinaryOES(program, GL_PROGRAM_BINARY_TESSERA, bytes.data(), -1);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glProgramBinaryOES(999, GL_PROGRAM_BINARY_TESSERA, bytes.data(), 4);
    CHECK(glGetError() == GL_INVALID_VALUE);
    CHECK(programInt(program, GL_LINK_STATUS) == GL_TRUE);
}

TEST_CASE("EXT_draw_instanced: gl_InstanceIDEXT counts the instances") {
    TestContext context(kLarge);
    GLuint program = makeProgram(R"(
#extension GL_EXT_draw_instanced : require
attribute vec2 position;
varying float shade;
void main() {
    shade = float(gl_InstanceIDEXT) / 3.0;
    gl_Position = vec4((position.x * 0.5 + 0.5 + float(gl_InstanceIDEXT)) * 0.5 - 1.0, position.y, 0.0, 1.0);
}
)",
                                 R"(
precision mediump float;
varying float shade;
void main() { gl_FragColor = vec4(shade, 1.0, 0.0, 1.0); }
)");
    glUseProgram(program);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, kQuad);
    glEnableVertexAttribArray(0);
    glDrawArraysInstancedEXT(GL_TRIANGLE_STRIP, 0, 4, 4);
    for (int i = 0; i < 4; ++i) CHECK(packedPixelAt(4 + 8 * i, 4) == (0xFF00FF00u | static_cast<uint32_t>(85 * i)));
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    CHECK(packedPixelAt(4, 4) == 0xFF00FF00u);
    CHECK(packedPixelAt(12, 4) == 0u);
}

TEST_CASE("KHR_parallel_shader_compile: everything is done when it is asked for") {
    TestContext context(kLarge);
    CHECK(getInt(GL_MAX_SHADER_COMPILER_THREADS_KHR) == -1);
    glMaxShaderCompilerThreadsKHR(3);
    CHECK(getInt(GL_MAX_SHADER_COMPILER_THREADS_KHR) == 3);
    const GLuint program = makeProgram(kPassVertex, kColorFragment);
    CHECK(programInt(program, GL_COMPLETION_STATUS_KHR) == GL_TRUE);
    GLint done = 0;
    glGetShaderiv(makeShader(GL_VERTEX_SHADER, kPassVertex), GL_COMPLETION_STATUS_KHR, &done);
    CHECK(done == GL_TRUE);
    CHECK(glGetError() == GL_NO_ERROR);
}
