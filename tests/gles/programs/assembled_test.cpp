// Programs that are assembled and handed over by glShaderBinary: what they draw, look up and read.
#include <GLES3/gl3.h>

#include <span>
#include <string>
#include <vector>

#include "api/gles/gles.h"
#include "shader-core/asm/assembler.h"
#include "tests/gles/drawing/color_program.h"
#include "tests/gles/texturing.h"

using namespace tessera::gles;
using namespace tessera::gles_test;

namespace {

constexpr uint32_t kBlack = 0xFF000000, kRed = 0xFF0000FF, kGreen = 0xFF00FF00;

/// A shader from assembly.
GLuint load(GLenum type, const std::string& text) {
    tessera::assembly::AssembleResult assembled = tessera::assembly::assemble(text, "test.tsa");
    INFO(assembled.log());
    REQUIRE(assembled.program.has_value());
    std::vector<std::byte> bytes = tessera::isa::serialize(*assembled.program);
    GLuint shader = glCreateShader(type);
    glShaderBinary(1, &shader, GL_SHADER_BINARY_TESSERA, bytes.data(), static_cast<GLsizei>(bytes.size()));
    CHECK(glGetError() == GL_NO_ERROR);
    return shader;
}

}  // namespace

TEST_CASE("an assembled program looks up in all 32 texture units") {
    TestContext context({.width = 32, .height = 2});
    // Column i shows unit i, the lower row by its number, the upper one by a0.x.
    std::string fragment =
        ".fragment\n.sampler t0 u_images 2d[32]\n.const c0 = 0.5, 0.5, 0, 0\n    f2i a0.x, frag_coord.x\n";
    for (int i = 0; i < 32; ++i) {
        const std::string number = std::to_string(i);
        fragment += "    seq p1, frag_coord.x, " + number + ".5\n    (p1) txl r0, c0, c0.z, t" + number + ", 2d\n";
    }
    fragment += "    slt p1, frag_coord.y, 1.0\n    (!p1) txl r0, c0, c0.z, t[a0.x], 2d\n    mov o0, r0\n    ret\n";
    const GLuint program = glCreateProgram();
    glAttachShader(program, load(GL_VERTEX_SHADER, ".vertex\n.input v0 position vec4\n    mov o0, v0\n    ret\n"));
    glAttachShader(program, load(GL_FRAGMENT_SHADER, fragment));
    glLinkProgram(program);
    GLint linked = GL_FALSE;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    REQUIRE(linked == GL_TRUE);
    glUseProgram(program);
    CHECK(getInt(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS) == 32);
    GLint units[32];
    for (GLint i = 0; i < 32; ++i) {
        units[i] = 31 - i;
        glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(units[i]));
        bindNewTexture(GL_TEXTURE_2D);
        const Rgba texel = {static_cast<uint8_t>(i * 8), static_cast<uint8_t>(255 - i), 0, 255};
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel.data());
    }
    glUniform1iv(glGetUniformLocation(program, "u_images"), 32, units);
    drawQuad();
    for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 32; ++x)
            CHECK(pixelAt(x, y) == Rgba{static_cast<uint8_t>(x * 8), static_cast<uint8_t>(255 - x), 0, 255});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("assembled programs read uniform blocks, and their colours have names") {
    TestContext context({.width = 32, .height = 32, .version = 3});
    const GLuint program = glCreateProgram();
    glAttachShader(program, load(GL_VERTEX_SHADER,
                                 ".vertex\n.input v2 position vec4\n.block c0 Place 16\n.member 8 shift vec2\n"
                                 "    mov o0, v2\n    add o0.xy, v2, shift.xy\n    ret\n"));
    glAttachShader(program, load(GL_FRAGMENT_SHADER,
                                 ".fragment\n.output o0 color vec4\n.uniform c0 which int\n.block c1 Tints 48\n"
                                 ".member 0 tints vec4[2]\n.member 32 scale float\n.block unread Other 16\n"
                                 "    mov.i32 a0.x, which.x\n    mul color, tints[a0.x], scale.x\n    ret\n"));
    glLinkProgram(program);
    GLint linked = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    REQUIRE(linked == GL_TRUE);
    CHECK(glGetFragDataLocation(program, "color") == 0);
    GLint blocks = 0, bytes = 0, offset = 0;
    glGetProgramiv(program, GL_ACTIVE_UNIFORM_BLOCKS, &blocks);
    CHECK(blocks == 3);
    const GLuint tints = glGetUniformBlockIndex(program, "Tints"), place = glGetUniformBlockIndex(program, "Place");
    glGetActiveUniformBlockiv(program, tints, GL_UNIFORM_BLOCK_DATA_SIZE, &bytes);
    CHECK(bytes == 48);
    const GLchar* name = "scale";
    GLuint scale = 0;
    glGetUniformIndices(program, 1, &name, &scale);
    glGetActiveUniformsiv(program, 1, &scale, GL_UNIFORM_OFFSET, &offset);
    CHECK(offset == 32);
    glUniformBlockBinding(program, place, 1);
    glUniformBlockBinding(program, tints, 2);
    constexpr GLfloat kPlace[4] = {0, 0, 1, 0}, kTints[12] = {2, 0, 0, 2, 0, 2, 0, 2, 0.5f, 0, 0, 0};
    const auto bind = [](GLuint index, std::span<const GLfloat> values) {
        GLuint buffer = 0;
        glGenBuffers(1, &buffer);
        glBindBufferBase(GL_UNIFORM_BUFFER, index, buffer);
        glBufferData(GL_UNIFORM_BUFFER, static_cast<GLsizeiptr>(values.size_bytes()), values.data(), GL_STATIC_DRAW);
    };
    bind(1, kPlace);
    bind(2, kTints);
    glUseProgram(program);
    glUniform1i(glGetUniformLocation(program, "which"), 1);
    glEnableVertexAttribArray(2);
    glVertexAttribPointer(2, 2, GL_FLOAT, GL_FALSE, 0, kQuad);
    clearTo({0, 0, 0, 1});
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    CHECK(packedPixelAt(20, 16) == kGreen);
    CHECK(packedPixelAt(10, 16) == kBlack);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("assembled programs draw through glShaderBinary, and do not mix with GLSL") {
    TestContext context(kLarge);
    constexpr const char* kVertex =
        ".vertex\n.input v2 a_position vec4\n.uniform c0 u_shift vec4\n.output o2 v_color vec4\n"
        "    add o0, v2, c0\n    mov o2, v2\n    ret\n";
    constexpr const char* kFragment =
        ".fragment\n.input v0 v_color vec4\n.uniform c0 u_tint vec4\n    mov o0, c0\n    ret\n";
    GLuint program = glCreateProgram();
    GLuint vertex = load(GL_VERTEX_SHADER, kVertex);
    glAttachShader(program, vertex);
    glAttachShader(program, load(GL_FRAGMENT_SHADER, kFragment));
    glLinkProgram(program);
    GLint linked = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    REQUIRE(linked == GL_TRUE);
    CHECK(glGetAttribLocation(program, "a_position") == 2);
    glUseProgram(program);
    glUniform4f(glGetUniformLocation(program, "u_tint"), 0, 1, 0, 1);
    glUniform4f(glGetUniformLocation(program, "u_shift"), 1, 0, 0, 0);
    glEnableVertexAttribArray(2);
    glVertexAttribPointer(2, 2, GL_FLOAT, GL_FALSE, 0, kQuad);
    clearTo({0, 0, 0, 1});
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    CHECK(packedPixelAt(20, 16) == kGreen);
    CHECK(packedPixelAt(10, 16) == kBlack);

    // A flat varying has the value of each triangle's last vertex; an integer keeps its bits.
    const GLuint flat = glCreateProgram();
    glAttachShader(flat,
                   load(GL_VERTEX_SHADER,
                        ".vertex\n.input v2 a_position vec4\n.input v3 a_color vec4\n.output o2 v_color vec4\n"
                        ".output o3 v_last ivec4\n    mov o0, v2\n    mov o2, v3\n    f2i.i32 o3, v3\n    ret\n"));
    glAttachShader(flat, load(GL_FRAGMENT_SHADER,
                              ".fragment\n.input v0 v_color flat vec4\n.input v1 v_last flat ivec4\n    mov o0, v0\n"
                              "    i2f.i32 o0.z, v1.x\n    ret\n"));
    glLinkProgram(flat);
    glGetProgramiv(flat, GL_LINK_STATUS, &linked);
    REQUIRE(linked == GL_TRUE);
    glUseProgram(flat);
    constexpr GLfloat kColors[] = {1, 1, 1, 1, 0, 1, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1};
    glEnableVertexAttribArray(3);
    glVertexAttribPointer(3, 4, GL_FLOAT, GL_FALSE, 0, kColors);
    glVertexAttribPointer(2, 2, GL_FLOAT, GL_FALSE, 0, kQuad);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    CHECK(packedPixelAt(2, 2) == kGreen);
    CHECK(packedPixelAt(29, 29) == (kRed | 0x00FF0000));
    glDisableVertexAttribArray(3);

    // GL_TESSERA_shader_binary: varyings of a name agree in type, array size and register.
    const auto links = [&](const char* output, const char* input) {
        const GLuint pair = glCreateProgram();
        glAttachShader(pair,
                       load(GL_VERTEX_SHADER,
                            (".vertex\n.output " + std::string(output) + "\n    mov o0, 0.0\n    ret\n").c_str()));
        glAttachShader(pair, load(GL_FRAGMENT_SHADER,
                                  (".fragment\n.input " + std::string(input) + "\n    mov o0, v0\n    ret\n").c_str()));
        glLinkProgram(pair);
        GLint status = GL_FALSE;
        glGetProgramiv(pair, GL_LINK_STATUS, &status);
        return status == GL_TRUE;
    };
    CHECK(links("o2 v_c vec4[2]", "v0 v_c vec4[2]"));
    CHECK_FALSE(links("o2 v_c vec4[3]", "v0 v_c vec4[2]"));
    CHECK_FALSE(links("o2 v_c vec4", "v0 v_c vec4[2]"));
    CHECK_FALSE(links("o2 v_c vec4[2]", "v0 v_c vec4"));
    CHECK_FALSE(links("o2 v_c vec3", "v0 v_c vec4"));
    CHECK_FALSE(links("o3 v_c vec4", "v0 v_c vec4"));
    CHECK_FALSE(links("o2 v_d vec4", "v0 v_c vec4"));

    GLuint mixed = glCreateProgram();
    glAttachShader(mixed, vertex);
    glAttachShader(mixed, makeShader(GL_FRAGMENT_SHADER, kColorFragment));
    glLinkProgram(mixed);
    glGetProgramiv(mixed, GL_LINK_STATUS, &linked);
    CHECK(linked == GL_FALSE);
    glGetProgramiv(mixed, GL_INFO_LOG_LENGTH, &linked);
    CHECK(linked > 1);
}
