// Uniform blocks: their interface, buffers bound to them, and what draws read of these (2.12.6.4).
#include <GLES3/gl3.h>

#include <cstring>
#include <map>

#include "tests/gles/api_test.h"

using namespace tessera::gles_test;

namespace {

const char* const kVertex = R"(#version 300 es
    in vec4 position;
    layout(std140) uniform Place { vec2 offset; float scale; int unread[2]; };
    void main() { gl_Position = vec4(position.xy * scale + offset, position.zw); })";
const char* const kFragment = R"(#version 300 es
    precision highp float;
    struct Light { vec4 color; uint weight; };
    layout(std140) uniform Lights { Light light[2]; layout(row_major) mat2x3 turn; bool on; } lights[2];
    layout(std140) uniform Place { highp vec2 offset; highp float scale; highp int unread[2]; };
    uniform uint which;
    out vec4 color;
    void main() {
        color = vec4(0, 0, 0, 1);
        if (lights[0].on) color = lights[0].light[which].color * float(lights[0].light[which].weight);
        if (lights[1].on) color += vec4(lights[1].turn[1], 0);
    })";

/// std140 of Lights: light[i] at 32 i, turn at 64 with 3 rows of 16 bytes, on at 112.
struct Lights {
    struct {
        GLfloat color[4];
        GLuint weight, padding[3];
    } light[2] = {};
    GLfloat turn[3][4] = {};
    GLuint on = 1, padding[3] = {};
};
static_assert(sizeof(Lights) == 128);
struct Place {
    GLfloat offset[2] = {0, 0}, scale = 1, padding = 0;
    GLint unread[8] = {};
};

template <class T>
GLuint makeBuffer(const T& value) {
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_UNIFORM_BUFFER, buffer);
    glBufferData(GL_UNIFORM_BUFFER, sizeof value, &value, GL_STATIC_DRAW);
    return buffer;
}

GLuint makeBlockProgram() {
    const GLuint program = useProgram(kVertex, kFragment);
    REQUIRE(program != 0);
    glUniformBlockBinding(program, glGetUniformBlockIndex(program, "Place"), 1);
    glUniformBlockBinding(program, glGetUniformBlockIndex(program, "Lights[0]"), 2);
    glUniformBlockBinding(program, glGetUniformBlockIndex(program, "Lights[1]"), 71);
    REQUIRE(glGetError() == GL_NO_ERROR);
    return program;
}

Lights colored(GLfloat red, GLfloat green, GLfloat blue) {
    Lights lights;
    const GLfloat color[4] = {red, green, blue, 1};
    std::memcpy(lights.light[0].color, color, sizeof color);
    lights.light[0].weight = 1;
    return lights;
}

GLint blockParameter(GLuint program, const char* block, GLenum pname) {
    GLint value = -99;
    glGetActiveUniformBlockiv(program, glGetUniformBlockIndex(program, block), pname, &value);
    return value;
}

/// Of a uniform by name.
GLint uniformParameter(GLuint program, const char* name, GLenum pname) {
    GLuint index = GL_INVALID_INDEX;
    glGetUniformIndices(program, 1, &name, &index);
    CAPTURE(name);
    REQUIRE(index != GL_INVALID_INDEX);
    GLint value = -99;
    glGetActiveUniformsiv(program, 1, &index, pname, &value);
    return value;
}

}  // namespace

TEST_CASE("blocks and their members are listed") {
    TestContext context(kEs3);
    const GLuint program = makeBlockProgram();
    GLint blocks = 0, longest = 0;
    glGetProgramiv(program, GL_ACTIVE_UNIFORM_BLOCKS, &blocks);
    glGetProgramiv(program, GL_ACTIVE_UNIFORM_BLOCK_MAX_NAME_LENGTH, &longest);
    CHECK(blocks == 3);
    CHECK(longest == 10);
    for (const char* name : {"Place", "Lights[0]", "Lights[1]"}) {
        const GLuint index = glGetUniformBlockIndex(program, name);
        REQUIRE(index < 3);
        GLchar told[10] = "";
        GLsizei length = 0;
        glGetActiveUniformBlockName(program, index, sizeof told, &length, told);
        CHECK(std::string(told) == name);
        CHECK(length == static_cast<GLsizei>(std::strlen(name)));
        CHECK(blockParameter(program, name, GL_UNIFORM_BLOCK_NAME_LENGTH) == length + 1);
    }
    CHECK(glGetUniformBlockIndex(program, "Lights") == glGetUniformBlockIndex(program, "Lights[0]"));
    CHECK(glGetUniformBlockIndex(program, "Lights[2]") == GL_INVALID_INDEX);
    CHECK(glGetUniformBlockIndex(program, "lights") == GL_INVALID_INDEX);
    CHECK(blockParameter(program, "Place", GL_UNIFORM_BLOCK_BINDING) == 1);
    CHECK(blockParameter(program, "Lights[1]", GL_UNIFORM_BLOCK_BINDING) == 71);
    CHECK(blockParameter(program, "Place", GL_UNIFORM_BLOCK_DATA_SIZE) == 48);
    CHECK(blockParameter(program, "Lights[1]", GL_UNIFORM_BLOCK_DATA_SIZE) == 128);
    CHECK(blockParameter(program, "Place", GL_UNIFORM_BLOCK_REFERENCED_BY_VERTEX_SHADER) == GL_TRUE);
    CHECK(blockParameter(program, "Lights[0]", GL_UNIFORM_BLOCK_REFERENCED_BY_VERTEX_SHADER) == GL_FALSE);
    CHECK(blockParameter(program, "Lights[0]", GL_UNIFORM_BLOCK_REFERENCED_BY_FRAGMENT_SHADER) == GL_TRUE);
    CHECK(blockParameter(program, "Place", GL_UNIFORM_BLOCK_ACTIVE_UNIFORMS) == 3);
    REQUIRE(blockParameter(program, "Lights[0]", GL_UNIFORM_BLOCK_ACTIVE_UNIFORMS) == 6);
    GLint members[2][7] = {};
    for (int i = 0; i < 2; ++i) {
        members[i][6] = -99;
        glGetActiveUniformBlockiv(program, glGetUniformBlockIndex(program, i == 0 ? "Lights[0]" : "Lights[1]"),
                                  GL_UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES, members[i]);
        CHECK(members[i][6] == -99);
    }
    CHECK(std::memcmp(members[0], members[1], sizeof members[0]) == 0);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("members tell where they are, other uniforms that they are in no block") {
    TestContext context(kEs3);
    const GLuint program = makeBlockProgram();
    const auto tells = [&](const char* name, GLint type, GLint size, GLint offset, GLint arrayStride,
                           GLint matrixStride, GLint rowMajor) {
        CAPTURE(name);
        CHECK(uniformParameter(program, name, GL_UNIFORM_TYPE) == type);
        CHECK(uniformParameter(program, name, GL_UNIFORM_SIZE) == size);
        CHECK(uniformParameter(program, name, GL_UNIFORM_OFFSET) == offset);
        CHECK(uniformParameter(program, name, GL_UNIFORM_ARRAY_STRIDE) == arrayStride);
        CHECK(uniformParameter(program, name, GL_UNIFORM_MATRIX_STRIDE) == matrixStride);
        CHECK(uniformParameter(program, name, GL_UNIFORM_IS_ROW_MAJOR) == rowMajor);
        CHECK(glGetUniformLocation(program, name) == (offset < 0 ? 0 : -1));
    };
    tells("offset", GL_FLOAT_VEC2, 1, 0, 0, 0, 0);
    tells("scale", GL_FLOAT, 1, 8, 0, 0, 0);
    tells("unread[0]", GL_INT, 2, 16, 16, 0, 0);
    tells("unread", GL_INT, 2, 16, 16, 0, 0);
    tells("Lights.light[1].color", GL_FLOAT_VEC4, 1, 32, 0, 0, 0);
    tells("Lights.light[1].weight", GL_UNSIGNED_INT, 1, 48, 0, 0, 0);
    tells("Lights.turn", GL_FLOAT_MAT2x3, 1, 64, 0, 16, 1);
    tells("Lights.on", GL_BOOL, 1, 112, 0, 0, 0);
    tells("which", GL_UNSIGNED_INT, 1, -1, -1, -1, 0);
    CHECK(uniformParameter(program, "unread[0]", GL_UNIFORM_NAME_LENGTH) == 10);
    CHECK(uniformParameter(program, "which", GL_UNIFORM_BLOCK_INDEX) == -1);
    CHECK(uniformParameter(program, "scale", GL_UNIFORM_BLOCK_INDEX) ==
          static_cast<GLint>(glGetUniformBlockIndex(program, "Place")));
    const GLchar* names[] = {"scale", "scales", "unread[1]", "lights.on"};
    GLuint indices[4] = {};
    glGetUniformIndices(program, 4, names, indices);
    CHECK(indices[0] != GL_INVALID_INDEX);
    for (int i = 1; i < 4; ++i) CHECK(indices[i] == GL_INVALID_INDEX);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("draws read what the bound buffers hold") {
    TestContext context(kEs3);
    const GLuint program = makeBlockProgram();
    const GLuint place = makeBuffer(Place()), first = makeBuffer(colored(1, 0, 0.2f));
    Lights second;
    second.turn[0][1] = 0, second.turn[1][1] = 0.6f, second.turn[2][1] = 0.4f;  // its second column
    const GLuint other = makeBuffer(second);
    glBindBufferBase(GL_UNIFORM_BUFFER, 1, place);
    glBindBufferBase(GL_UNIFORM_BUFFER, 2, first);
    drawQuad();
    CHECK(near(pixelAt(8, 8), {255, 0, 51, 255}, 1));  // nothing at 71: zeros, so `on` is false
    glBindBufferBase(GL_UNIFORM_BUFFER, 71, other);
    drawQuad();
    CHECK(near(pixelAt(8, 8), {255, 153, 153, 255}, 1));
    glUniform1ui(glGetUniformLocation(program, "which"), 1);
    drawQuad();
    CHECK(near(pixelAt(8, 8), {0, 153, 102, 0}, 1));
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("a draw reads what its buffer holds then, with nothing but a write between it and the last one") {
    TestContext context(kEs3);
    makeBlockProgram();
    glBindBufferBase(GL_UNIFORM_BUFFER, 1, makeBuffer(Place()));
    const GLuint lights = makeBuffer(colored(1, 0, 0));
    glBindBufferBase(GL_UNIFORM_BUFFER, 2, lights);
    glEnable(GL_SCISSOR_TEST);
    int drawn = 0;
    const auto draw = [&] {
        glScissor(2 * drawn++, 0, 2, 16);
        drawQuad();
    };
    draw();
    const Lights written = colored(0, 1, 0);
    glBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof written, &written);
    draw();
    const GLfloat blue = 1;  // a part of it
    glBufferSubData(GL_UNIFORM_BUFFER, 8, sizeof blue, &blue);
    draw();
    auto* mapped = static_cast<Lights*>(glMapBufferRange(GL_UNIFORM_BUFFER, 0, sizeof(Lights), GL_MAP_WRITE_BIT));
    REQUIRE(mapped != nullptr);
    *mapped = colored(0, 0, 1);
    draw();
    *mapped = colored(1, 1, 1);
    draw();
    CHECK(glUnmapBuffer(GL_UNIFORM_BUFFER) == GL_TRUE);
    const GLuint other = makeBuffer(colored(1, 1, 0));
    glBindBuffer(GL_COPY_READ_BUFFER, other);
    glBindBuffer(GL_COPY_WRITE_BUFFER, lights);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, sizeof(Lights));
    draw();
    CHECK(glGetError() == GL_NO_ERROR);
    const Rgba want[] = {{255, 0, 0, 255}, {0, 255, 0, 255},     {0, 255, 255, 255},
                         {0, 0, 255, 255}, {255, 255, 255, 255}, {255, 255, 0, 255}};
    for (int i = 0; i < drawn; ++i) {
        CAPTURE(i);
        CHECK(pixelAt(2 * i, 8) == want[i]);
    }
}

TEST_CASE("each draw reads its own range, and what was written before it") {
    TestContext context(kEs3);
    makeBlockProgram();
    const GLuint place = makeBuffer(Place());
    glBindBufferBase(GL_UNIFORM_BUFFER, 1, place);
    constexpr int kRanges = 16;
    std::vector<Lights> lights(kRanges);
    for (int i = 0; i < kRanges; ++i) lights[static_cast<size_t>(i)] = colored(0, 0, static_cast<float>(i) / 15);
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_UNIFORM_BUFFER, buffer);
    glBufferData(GL_UNIFORM_BUFFER, kRanges * sizeof(Lights), lights.data(), GL_DYNAMIC_DRAW);
    glEnable(GL_SCISSOR_TEST);
    for (int i = 0; i < kRanges; ++i) {
        glBindBufferRange(GL_UNIFORM_BUFFER, 2, buffer, static_cast<GLintptr>(i * sizeof(Lights)), sizeof(Lights));
        if (i % 4 == 3) {
            const Lights red = colored(1, 0, 0);
            glBufferSubData(GL_UNIFORM_BUFFER, static_cast<GLintptr>(i * sizeof(Lights)), sizeof red, &red);
        }
        glScissor(i, 0, 1, 16);
        drawQuad();
    }
    // Written after its draw.
    const Lights green = colored(0, 1, 0);
    glBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof green, &green);
    for (int i = 0; i < kRanges; ++i) {
        CAPTURE(i);
        const Rgba want{static_cast<uint8_t>(i % 4 == 3 ? 255 : 0), 0, static_cast<uint8_t>(i % 4 == 3 ? 0 : i * 17),
                        255};
        CHECK(pixelAt(i, 8) == want);
    }
    // The binding is the same, the contents are not: written, mapped, and given anew.
    glScissor(0, 0, 16, 16);
    glBindBufferRange(GL_UNIFORM_BUFFER, 2, buffer, 0, sizeof(Lights));
    drawQuad();
    CHECK(pixelAt(8, 8) == Rgba{0, 255, 0, 255});
    auto* mapped = static_cast<Lights*>(glMapBufferRange(GL_UNIFORM_BUFFER, 0, sizeof(Lights), GL_MAP_WRITE_BIT));
    REQUIRE(mapped != nullptr);
    *mapped = colored(1, 1, 0);
    glUnmapBuffer(GL_UNIFORM_BUFFER);
    drawQuad();
    CHECK(pixelAt(8, 8) == Rgba{255, 255, 0, 255});
    const Lights blue = colored(0, 0, 1);
    glBufferData(GL_UNIFORM_BUFFER, sizeof blue, &blue, GL_DYNAMIC_DRAW);
    drawQuad();
    CHECK(pixelAt(8, 8) == Rgba{0, 0, 255, 255});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("what lies behind the end of a buffer or range is 0") {
    TestContext context(kEs3);
    makeBlockProgram();
    glBindBufferBase(GL_UNIFORM_BUFFER, 1, makeBuffer(Place()));
    const GLuint buffer = makeBuffer(colored(1, 1, 1));
    glBindBufferRange(GL_UNIFORM_BUFFER, 2, buffer, 0, 112);  // without `on`
    drawQuad();
    CHECK(pixelAt(8, 8) == Rgba{0, 0, 0, 255});
    glBindBufferRange(GL_UNIFORM_BUFFER, 2, buffer, 0, 128);
    drawQuad();
    CHECK(pixelAt(8, 8) == Rgba{255, 255, 255, 255});
    glBufferData(GL_UNIFORM_BUFFER, 112, nullptr, GL_STATIC_DRAW);  // the range is longer than the buffer now
    drawQuad();
    CHECK(pixelAt(8, 8) == Rgba{0, 0, 0, 255});
    glBindBufferRange(GL_UNIFORM_BUFFER, 2, buffer, 1 << 20, 128);
    drawQuad();
    CHECK(pixelAt(8, 8) == Rgba{0, 0, 0, 255});
    glDeleteBuffers(1, &buffer);  // which unbinds it
    drawQuad();
    CHECK(pixelAt(8, 8) == Rgba{0, 0, 0, 255});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("arrays of a block are indexed to their end, however large") {
    TestContext context(kEs3);
    const GLuint program =
        useProgram("#version 300 es\nin vec4 position; void main() { gl_Position = position; }",
                   "#version 300 es\nprecision highp float; uniform Large { uvec4 table[4096]; }; uniform int at;"
                   " uniform Small { uint one; }; out vec4 color;"
                   " void main() { color = vec4(table[at]) / 255.0 * float(one); }");
    REQUIRE(program != 0);
    glUniformBlockBinding(program, glGetUniformBlockIndex(program, "Small"), 1);
    std::vector<GLuint> table(4096 * 4);
    for (size_t i = 0; i < table.size(); ++i) table[i] = static_cast<GLuint>((i * 7 + i / 4) & 255);
    GLuint buffers[2] = {};
    glGenBuffers(2, buffers);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffers[0]);
    glBufferData(GL_UNIFORM_BUFFER, 65536, table.data(), GL_STATIC_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 1, buffers[1]);
    const GLuint one = 1;
    glBufferData(GL_UNIFORM_BUFFER, sizeof one, &one, GL_STATIC_DRAW);
    for (const int at : {0, 1, 511, 512, 4095}) {
        CAPTURE(at);
        glUniform1i(glGetUniformLocation(program, "at"), at);
        drawQuad();
        const GLuint* row = &table[static_cast<size_t>(at) * 4];
        CHECK(pixelAt(8, 8) == Rgba{static_cast<uint8_t>(row[0]), static_cast<uint8_t>(row[1]),
                                    static_cast<uint8_t>(row[2]), static_cast<uint8_t>(row[3])});
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("errors of indexed bindings and of blocks") {
    TestContext context(kEs3);
    const GLuint program = makeBlockProgram(), buffer = makeBuffer(Place());
    const auto gives = [](GLenum error) { return glGetError() == error; };
    glBindBufferRange(GL_UNIFORM_BUFFER, 0, buffer, 8, 16);
    CHECK(gives(GL_INVALID_VALUE));
    glBindBufferRange(GL_UNIFORM_BUFFER, 0, buffer, -16, 16);
    CHECK(gives(GL_INVALID_VALUE));
    glBindBufferRange(GL_UNIFORM_BUFFER, 0, buffer, 0, 0);
    CHECK(gives(GL_INVALID_VALUE));
    glBindBufferRange(GL_UNIFORM_BUFFER, 72, buffer, 0, 16);
    CHECK(gives(GL_INVALID_VALUE));
    glBindBufferRange(GL_UNIFORM_BUFFER, 0, 0, 8, -1);  // nothing is bound, so no range of it
    CHECK(gives(GL_NO_ERROR));
    for (const GLenum name : {GL_UNIFORM_BUFFER_BINDING, GL_UNIFORM_BUFFER_START, GL_UNIFORM_BUFFER_SIZE}) {
        GLint64 told = -99;
        glGetInteger64i_v(name, 0, &told);
        CHECK(told == 0);
    }
    glBindBufferBase(GL_ARRAY_BUFFER, 0, buffer);
    CHECK(gives(GL_INVALID_ENUM));
    glUniformBlockBinding(program, 3, 0);
    CHECK(gives(GL_INVALID_VALUE));
    glUniformBlockBinding(program, 0, 72);
    CHECK(gives(GL_INVALID_VALUE));
    GLint value = 0;
    glGetActiveUniformBlockiv(program, 3, GL_UNIFORM_BLOCK_BINDING, &value);
    CHECK(gives(GL_INVALID_VALUE));
    glGetActiveUniformBlockiv(program, 0, GL_UNIFORM_TYPE, &value);
    CHECK(gives(GL_INVALID_ENUM));
    glGetActiveUniformBlockName(program, 3, 0, nullptr, nullptr);
    CHECK(gives(GL_INVALID_VALUE));
    glGetActiveUniformBlockName(program, 0, -1, nullptr, nullptr);
    CHECK(gives(GL_INVALID_VALUE));
    GLuint indices[2] = {0, 1000};
    GLint values[2] = {-99, -99};
    glGetActiveUniformsiv(program, 2, indices, GL_UNIFORM_TYPE, values);
    CHECK(gives(GL_INVALID_VALUE));
    CHECK(values[0] == -99);
    glGetActiveUniformsiv(program, -1, indices, GL_UNIFORM_TYPE, values);
    CHECK(gives(GL_INVALID_VALUE));
    glGetActiveUniformsiv(program, 1, indices, GL_UNIFORM_BLOCK_BINDING, values);
    CHECK(gives(GL_INVALID_ENUM));
    const GLchar* name = "scale";
    glGetUniformIndices(program, -1, &name, indices);
    CHECK(gives(GL_INVALID_VALUE));
    CHECK(glGetUniformBlockIndex(program, nullptr) == GL_INVALID_INDEX);
    CHECK(gives(GL_NO_ERROR));
}

TEST_CASE("outputs of fragment shaders have locations") {
    TestContext context(kEs3);
    const GLuint program = useProgram(
        "#version 300 es\nin vec4 position; void main() { gl_Position = position; }",
        "#version 300 es\nprecision highp float; layout(location = 0) out vec4 a; layout(location = 1) out vec4 b[2];"
        " void main() { a = b[0] = b[1] = vec4(1); }");
    REQUIRE(program != 0);
    CHECK(glGetFragDataLocation(program, "a") == 0);
    CHECK(glGetFragDataLocation(program, "b") == 1);
    CHECK(glGetFragDataLocation(program, "b[0]") == 1);
    CHECK(glGetFragDataLocation(program, "b[1]") == 2);
    CHECK(glGetFragDataLocation(program, "b[2]") == -1);
    CHECK(glGetFragDataLocation(program, "c") == -1);
    CHECK(glGetFragDataLocation(program, "gl_FragColor") == -1);
    CHECK(glGetFragDataLocation(program, nullptr) == -1);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(glGetFragDataLocation(glCreateProgram(), "a") == -1);
    CHECK(glGetError() == GL_INVALID_OPERATION);
}
