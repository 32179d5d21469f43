// Program binaries: those of linked programs, with their interface changed by a mutator that knows which names, types
// and numbers mean something, then loaded, fed with uniforms and attributes, and drawn with.
#define GL_GLEXT_PROTOTYPES 1
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "shader-core/isa/program.h"
#include "tests/fuzz/check.h"
#include "tests/fuzz/input.h"
#include "tests/gles/fixture.h"

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

namespace {

using namespace tessera;
using fuzz::Input;
using gles_test::TestContext;

constexpr const char* kPairs[][2] = {
    {"attribute vec4 a; attribute vec2 b; varying vec2 v; uniform mat4 m; void main() { v = b; gl_Position = m * a; }",
     "precision mediump float; varying vec2 v; uniform sampler2D s; uniform vec4 c[3]; void main() { "
     "gl_FragColor = texture2D(s, v) + c[1]; }"},
    {"attribute vec4 a; uniform sampler2D s; uniform vec4 p[4]; uniform int i; void main() { "
     "gl_Position = a + p[i] + texture2D(s, a.xy); gl_PointSize = gl_DepthRange.diff; }",
     "precision mediump float; uniform samplerCube t; uniform bool k; void main() { if (k) discard; "
     "gl_FragColor = textureCube(t, gl_FragCoord.xyz) + gl_DepthRange.near; }"},
};

constexpr const char* kNames[] = {"gl_DepthRange.near",
                                  "gl_DepthRange.far",
                                  "gl_DepthRange.diff",
                                  "gl_DepthRange",
                                  "gl_Position",
                                  "gl_FragCoord",
                                  "gl_FragColor",
                                  "tessera_InstanceID",
                                  "gl_",
                                  "",
                                  "a",
                                  "b",
                                  "c",
                                  "c[0]",
                                  "c[1]",
                                  "s",
                                  "m",
                                  "p[",
                                  "p[4294967296]",
                                  "v"};
constexpr uint16_t kNumbers[] = {0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 127, 128, 255, 256, 511, 512, 1023, 0x7FFF, 0xFFFF};

/// A program binary's two halves. The container: four letters, flags, the bytes of the names that it captures, of which
/// these have none, and those of each half.
struct Binary {
    GLenum format = 0;
    std::vector<std::byte> head;
    std::array<isa::Program, 2> stages;
};

Binary makeBinary(const char* const texts[2]) {
    const GLuint name = glCreateProgram();
    for (int stage = 0; stage < 2; ++stage) {
        const GLuint shader = glCreateShader(stage == 0 ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER);
        glShaderSource(shader, 1, &texts[stage], nullptr);
        glCompileShader(shader);
        glAttachShader(name, shader);
        glDeleteShader(shader);
    }
    glLinkProgram(name);
    GLint bytes = 0;
    glGetProgramiv(name, GL_PROGRAM_BINARY_LENGTH_OES, &bytes);
    std::vector<std::byte> data(static_cast<size_t>(bytes));
    Binary made;
    glGetProgramBinaryOES(name, bytes, nullptr, &made.format, data.data());
    glDeleteProgram(name);
    fuzz::demand(glGetError() == GL_NO_ERROR && data.size() > 20, "the pair links");
    uint32_t sizes[2];
    std::memcpy(sizes, data.data() + 12, sizeof sizes);
    made.head.assign(data.begin(), data.begin() + 12);
    size_t at = 20;
    for (int stage = 0; stage < 2; ++stage, at += sizes[stage - 1]) {
        std::string error;
        const auto program = isa::deserialize(std::span(data).subspan(at, sizes[stage]), &error);
        fuzz::demand(program.has_value(), "a stage of a binary can be read", error);
        made.stages[static_cast<size_t>(stage)] = *program;
    }
    return made;
}

uint16_t number(Input& input) {
    const uint8_t which = input.byte();
    return which < 128 ? kNumbers[which % std::size(kNumbers)] : static_cast<uint16_t>(which - 128);
}

void change(isa::Variable& variable, Input& input) {
    switch (input.byte() % 6) {
        case 0:
            variable.name = kNames[input.byte() % std::size(kNames)];
            break;
        case 1:
            variable.type = static_cast<isa::VarType>(input.byte() % (static_cast<int>(isa::kLastVarType) + 1));
            break;
        case 2:
            variable.arraySize = number(input);
            break;
        case 3:
            variable.reg = number(input);
            break;
        case 4:
            variable.component = input.byte() % 8;
            break;
        default:
            variable.precision = static_cast<isa::Precision>(input.byte() % 4);
    }
}

void change(isa::Program& program, Input& input) {
    std::vector<isa::Variable>* const lists[] = {&program.uniforms, &program.uniforms, &program.attributes,
                                                 &program.varyings};
    std::vector<isa::Variable>& list = *lists[input.byte() % 4];
    const uint8_t what = input.byte();
    if (what < 16 && list.size() < 40) {
        list.push_back({kNames[input.byte() % std::size(kNames)], isa::VarType::Float, {}, 0, number(input), 0});
    } else if (what < 24 && !list.empty()) {
        list.erase(list.begin() + what % static_cast<std::ptrdiff_t>(list.size()));
    } else if (what < 40 && !program.literals.empty()) {
        program.literals[what % program.literals.size()].reg = number(input);
    } else if (what < 72 && !program.code.empty()) {
        auto* bytes = reinterpret_cast<uint8_t*>(program.code.data());
        bytes[input.half() % (program.code.size() * sizeof(isa::Word))] ^= static_cast<uint8_t>(1u << input.byte() % 8);
    } else if (!list.empty()) {
        change(list[what % list.size()], input);
    }
}

std::vector<std::byte> bytesOf(const Binary& binary) {
    std::vector<std::byte> bytes = binary.head;
    const std::vector<std::byte> stages[] = {isa::serialize(binary.stages[0]), isa::serialize(binary.stages[1])};
    for (const auto& stage : stages)
        for (int k = 0; k < 4; ++k) bytes.push_back(static_cast<std::byte>(stage.size() >> 8 * k));
    for (const auto& stage : stages) bytes.insert(bytes.end(), stage.begin(), stage.end());
    return bytes;
}

void setUniform(GLuint program, GLuint index, Input& input) {
    GLchar name[64];
    GLint size = 0;
    GLenum type = 0;
    glGetActiveUniform(program, index, sizeof name, nullptr, &size, &type, name);
    const GLint at = glGetUniformLocation(program, name);
    const float value = static_cast<float>(static_cast<int8_t>(input.byte())) / 16;
    const std::vector<float> reals(16 * 8, value);
    const std::vector<GLint> ints(4 * 8, input.byte());
    const GLsizei count = input.byte() % 8;
    glUniform4fv(at, count, reals.data());
    glUniform3fv(at, count, reals.data());
    glUniform2fv(at, count, reals.data());
    glUniform1fv(at, count, reals.data());
    glUniform1iv(at, count, ints.data());
    glUniform4iv(at, count, ints.data());
    glUniformMatrix4fv(at, count, GL_FALSE, reals.data());
    glUniformMatrix2fv(at, count, GL_FALSE, reals.data());
    std::array<float, 16> read{};
    glGetUniformfv(program, at, read.data());
}

void draw(GLuint program, Input& input) {
    glUseProgram(program);
    GLint uniforms = 0;
    glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &uniforms);
    for (GLint index = 0; index < uniforms; ++index) setUniform(program, static_cast<GLuint>(index), input);
    static constexpr float kPlaces[] = {-1, -1, 0, 1, 1, -1, 0.5f, 1, -1, 1, -0.5f, 1, 1, 1, 0, 1};
    for (GLuint index = 0; index < 16; index += 2) {
        glVertexAttribPointer(index, 4, GL_FLOAT, GL_FALSE, 0, kPlaces);
        glEnableVertexAttribArray(index);
    }
    glEnable(GL_DEPTH_TEST);
    for (int k = 0; k < 2; ++k) {
        glDepthRangef(0, static_cast<float>(input.byte()) / 255);
        glDrawArrays(input.byte() % 7, 0, 4);
    }
    glFinish();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const TestContext context;
    static const std::array<Binary, 2> kBinaries = {makeBinary(kPairs[0]), makeBinary(kPairs[1])};
    Input input(data, size);
    Binary binary = kBinaries[input.byte() % kBinaries.size()];
    for (int changes = 1 + input.byte() % 8; changes > 0; --changes) change(binary.stages[input.byte() % 2], input);
    const std::vector<std::byte> bytes = bytesOf(binary);
    const GLuint program = glCreateProgram();
    glProgramBinaryOES(program, binary.format, bytes.data(), static_cast<GLint>(bytes.size()));
    GLint linked = GL_FALSE, letters = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    glGetProgramiv(program, GL_INFO_LOG_LENGTH, &letters);
    fuzz::demand(linked != GL_FALSE || letters > 1, "a program or a reason");
    if (linked) draw(program, input);
    glDeleteProgram(program);
    return 0;
}
