// Transform feedback: what programs capture, the objects' state and errors, and what is in the buffers (2.14, 2.15).
#define GL_GLEXT_PROTOTYPES
#include <GLES3/gl3.h>
// Behind the header of the version.
#include <GLES2/gl2ext.h>

#include <cstring>
#include <initializer_list>

#include "tests/gles/api_test.h"

using namespace tessera::gles_test;

namespace {

const char* const kVertex = R"(#version 300 es
    struct Pair { vec2 a; vec2 b; };
    in vec4 position;
    out vec3 sum; flat out ivec2 whole; out float list[3]; out mat4 wide[4]; out mat2x3 turn; out Pair pair; out vec4 read;
    void main() {
        gl_Position = position;
        gl_PointSize = 1.0 + position.x;
        sum = position.xyz + 0.5;
        whole = ivec2(gl_VertexID, -gl_InstanceID);
        for (int i = 0; i < 4; ++i) wide[i] = mat4(position.y);
        for (int i = 0; i < 3; ++i) list[i] = position.x * float(i + 1);
        turn = mat2x3(position.xyz, position.zyx);
        pair = Pair(position.zw, vec2(position.y, -position.y));
        read = vec4(0, 1, 0, 1);
    })";
const char* const kFragment =
    "#version 300 es\nprecision highp float; in vec4 read; out vec4 color; void main() { color = read; }";

GLuint linkCapturing(std::initializer_list<const char*> names, GLenum mode = GL_INTERLEAVED_ATTRIBS) {
    const GLuint program = glCreateProgram();
    for (const auto& [type, text] : {std::pair(GL_VERTEX_SHADER, kVertex), std::pair(GL_FRAGMENT_SHADER, kFragment)}) {
        const GLuint shader = makeShader(static_cast<GLenum>(type), text);
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    glBindAttribLocation(program, 0, "position");
    const std::vector<const char*> list(names);
    glTransformFeedbackVaryings(program, static_cast<GLsizei>(list.size()), list.data(), mode);
    glLinkProgram(program);
    return program;
}

bool isLinked(GLuint program) {
    GLint linked = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    return linked == GL_TRUE;
}

GLuint linked(std::initializer_list<const char*> names, GLenum mode = GL_INTERLEAVED_ATTRIBS) {
    const GLuint program = linkCapturing(names, mode);
    char log[256] = "";
    glGetProgramInfoLog(program, sizeof log, nullptr, log);
    CAPTURE(std::string(log));
    REQUIRE(isLinked(program));
    glUseProgram(program);
    return program;
}

GLint programParameter(GLuint program, GLenum pname) {
    GLint value = -99;
    glGetProgramiv(program, pname, &value);
    return value;
}

/// Bound to a binding point, filled with -1.
GLuint captureBuffer(GLuint index, size_t words) {
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, index, buffer);
    const std::vector<GLint> fill(words, -1);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, static_cast<GLsizeiptr>(words * 4), fill.data(), GL_DYNAMIC_READ);
    return buffer;
}

template <class T>
std::vector<T> contents(GLuint buffer, size_t count) {
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    std::vector<T> out(count);
    const void* from =
        glMapBufferRange(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(count * sizeof(T)), GL_MAP_READ_BIT);
    REQUIRE(from != nullptr);
    std::memcpy(out.data(), from, count * sizeof(T));
    glUnmapBuffer(GL_ARRAY_BUFFER);
    return out;
}

/// position: vertex i is at (i, i + 0.25, 0.5, 1) / 8.
void usePositions(int count) {
    std::vector<GLfloat> positions;
    for (int i = 0; i < count; ++i)
        for (const float value : {static_cast<float>(i), static_cast<float>(i) + 0.25f, 0.5f, 1.0f})
            positions.push_back(value / 8);
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(positions.size() * 4), positions.data(), GL_STATIC_DRAW);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);
}

using Floats = std::vector<GLfloat>;
using Ints = std::vector<GLint>;

}  // namespace

TEST_CASE("a program tells what it captures") {
    TestContext context(kEs3);
    const GLuint program = linked({"sum", "list", "turn", "pair.b", "gl_Position", "whole", "list[2]", "gl_PointSize"});
    CHECK(programParameter(program, GL_TRANSFORM_FEEDBACK_VARYINGS) == 8);
    CHECK(programParameter(program, GL_TRANSFORM_FEEDBACK_BUFFER_MODE) == GL_INTERLEAVED_ATTRIBS);
    CHECK(programParameter(program, GL_TRANSFORM_FEEDBACK_VARYING_MAX_LENGTH) == 13);
    struct Told {
        const char* name;
        GLenum type;
        GLsizei size;
    };
    GLuint index = 0;
    for (const Told& want :
         {Told{"sum", GL_FLOAT_VEC3, 1}, Told{"list", GL_FLOAT, 3}, Told{"turn", GL_FLOAT_MAT2x3, 1},
          Told{"pair.b", GL_FLOAT_VEC2, 1}, Told{"gl_Position", GL_FLOAT_VEC4, 1}, Told{"whole", GL_INT_VEC2, 1},
          Told{"list[2]", GL_FLOAT, 1}, Told{"gl_PointSize", GL_FLOAT, 1}}) {
        CAPTURE(want.name);
        char name[13] = "";
        GLsizei length = 0, size = 0;
        GLenum type = 0;
        glGetTransformFeedbackVarying(program, index++, sizeof name, &length, &size, &type, name);
        CHECK(std::string(name) == want.name);
        CHECK(length == static_cast<GLsizei>(std::strlen(want.name)));
        CHECK(type == want.type);
        CHECK(size == want.size);
    }
    glGetTransformFeedbackVarying(program, 8, 0, nullptr, nullptr, nullptr, nullptr);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glGetTransformFeedbackVarying(program, 0, -1, nullptr, nullptr, nullptr, nullptr);
    CHECK(glGetError() == GL_INVALID_VALUE);
    // What is asked for takes effect with the next link.
    const char* const position = "gl_Position";
    glTransformFeedbackVaryings(program, 1, &position, GL_SEPARATE_ATTRIBS);
    CHECK(programParameter(program, GL_TRANSFORM_FEEDBACK_VARYINGS) == 8);
    glLinkProgram(program);
    CHECK(programParameter(program, GL_TRANSFORM_FEEDBACK_VARYINGS) == 1);
    CHECK(programParameter(program, GL_TRANSFORM_FEEDBACK_BUFFER_MODE) == GL_SEPARATE_ATTRIBS);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("captured varyings are outputs, each once, and not too many") {
    TestContext context(kEs3);
    CHECK_FALSE(isLinked(linkCapturing({"nothing"})));
    CHECK_FALSE(isLinked(linkCapturing({"position"})));
    CHECK_FALSE(isLinked(linkCapturing({"list[3]"})));
    CHECK_FALSE(isLinked(linkCapturing({"pair"})));
    CHECK_FALSE(isLinked(linkCapturing({"sum", "sum"})));
    CHECK(getInt(GL_MAX_TRANSFORM_FEEDBACK_INTERLEAVED_COMPONENTS) == 128);
    CHECK(isLinked(linkCapturing({"wide", "wide[0]", "wide[1]", "wide[2]", "wide[3]"})));
    CHECK_FALSE(isLinked(linkCapturing({"wide", "wide[0]", "wide[1]", "wide[2]", "wide[3]", "list[0]"})));
    CHECK(isLinked(linkCapturing({"wide", "turn"}, GL_SEPARATE_ATTRIBS)));
    CHECK(isLinked(linkCapturing({"sum", "gl_Position", "whole", "list"}, GL_SEPARATE_ATTRIBS)));
    CHECK(glGetError() == GL_NO_ERROR);
    const char* const names[] = {"sum", "whole", "read", "list", "gl_Position"};
    glTransformFeedbackVaryings(glCreateProgram(), 5, names, GL_SEPARATE_ATTRIBS);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glTransformFeedbackVaryings(glCreateProgram(), -1, names, GL_INTERLEAVED_ATTRIBS);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glTransformFeedbackVaryings(glCreateProgram(), 1, names, GL_TRIANGLES);
    CHECK(glGetError() == GL_INVALID_ENUM);
}

TEST_CASE("a buffer that is deleted is bound no longer") {
    TestContext context(kEs3);
    const GLuint buffer = captureBuffer(1, 4);
    GLint bound = 0;
    glGetIntegeri_v(GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, 1, &bound);
    CHECK(bound == static_cast<GLint>(buffer));
    glDeleteBuffers(1, &buffer);
    for (const GLuint index : {0u, 1u}) {
        glGetIntegeri_v(GL_TRANSFORM_FEEDBACK_BUFFER_BINDING, index, &bound);
        CHECK(bound == 0);
    }
}

TEST_CASE("the buffer with the least room bounds what is captured") {
    TestContext context(kEs3);
    linked({"sum", "whole"}, GL_SEPARATE_ATTRIBS);
    usePositions(4);
    for (const size_t first : {size_t{2}, size_t{3}}) {
        CAPTURE(first);
        captureBuffer(0, first * 3);
        captureBuffer(1, (5 - first) * 2);
        glBeginTransformFeedback(GL_POINTS);
        glDrawArrays(GL_POINTS, 0, 3);
        CHECK(glGetError() == GL_INVALID_OPERATION);
        glDrawArrays(GL_POINTS, 0, 2);
        CHECK(glGetError() == GL_NO_ERROR);
        glEndTransformFeedback();
    }
}

TEST_CASE("captured vertices are in the buffer, whatever the fragment shader reads") {
    TestContext context(kEs3);
    linked({"sum", "whole", "list[1]", "turn", "gl_PointSize", "pair.b"});
    usePositions(4);
    constexpr size_t kWords = 3 + 2 + 1 + 6 + 1 + 2;
    const GLuint buffer = captureBuffer(0, kWords * 8);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 1, 2);
    glDrawArraysInstanced(GL_POINTS, 3, 1, 2);
    glEndTransformFeedback();
    CHECK(glGetError() == GL_NO_ERROR);
    const Floats floats = contents<GLfloat>(buffer, kWords * 8);
    const Ints ints = contents<GLint>(buffer, kWords * 8);
    const int vertices[4] = {1, 2, 3, 3}, instances[4] = {0, 0, 0, 1};
    for (size_t v = 0; v < 4; ++v) {
        CAPTURE(v);
        const float x = static_cast<float>(vertices[v]) / 8, y = x + 0.25f / 8, z = 0.5f / 8;
        const Floats want = {x + 0.5f, y + 0.5f, z + 0.5f, 0, 0, x * 2, x, y, z, z, y, x, 1 + x, y, -y};
        for (size_t i = 0; i < kWords; ++i) {
            CAPTURE(i);
            if (i == 3) CHECK(ints[v * kWords + i] == vertices[v]);
            if (i == 4) CHECK(ints[v * kWords + i] == -instances[v]);
            if (i != 3 && i != 4) CHECK(floats[v * kWords + i] == want[i]);
        }
    }
    for (size_t i = 4 * kWords; i < 8 * kWords; ++i) CHECK(ints[i] == -1);
}

TEST_CASE("an element of an array of matrices is captured with all of its columns") {
    TestContext context(kEs3);
    const GLuint program = glCreateProgram();
    const char* const vertex = R"(#version 300 es
        in vec4 position; out mat2x3 turn[3]; out vec4 read;
        void main() {
            gl_Position = position;
            for (int i = 0; i < 3; ++i) turn[i] = mat2x3(vec3(10 * i) + vec3(0, 1, 2), vec3(10 * i) + vec3(3, 4, 5));
            read = vec4(1);
        })";
    for (const auto& [type, text] : {std::pair(GL_VERTEX_SHADER, vertex), std::pair(GL_FRAGMENT_SHADER, kFragment)})
        glAttachShader(program, makeShader(static_cast<GLenum>(type), text));
    const char* const names[] = {"turn[2]", "turn[1]"};
    glTransformFeedbackVaryings(program, 2, names, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(program);
    REQUIRE(isLinked(program));
    glUseProgram(program);
    const GLuint buffer = captureBuffer(0, 12);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, 1);
    glEndTransformFeedback();
    CHECK(contents<GLfloat>(buffer, 12) == Floats{20, 21, 22, 23, 24, 25, 10, 11, 12, 13, 14, 15});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("strips are captured triangle by triangle, into several buffers and ranges") {
    TestContext context(kEs3);
    linked({"whole", "gl_Position"}, GL_SEPARATE_ATTRIBS);
    usePositions(5);
    const GLuint first = captureBuffer(0, 32), second = captureBuffer(1, 64);
    glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, first, 8, 19 * 4);  // nine vertices and a word
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 5);
    glEndTransformFeedback();
    CHECK(glGetError() == GL_NO_ERROR);
    const Ints ints = contents<GLint>(first, 32);
    const int want[9] = {0, 1, 2, 2, 1, 3, 2, 3, 4};
    CHECK(ints[1] == -1);
    for (size_t i = 0; i < 9; ++i) CHECK(ints[2 + 2 * i] == want[i]);
    CHECK(ints[20] == -1);
    const Floats floats = contents<GLfloat>(second, 64);
    for (size_t i = 0; i < 9; ++i) CHECK(floats[4 * i] == static_cast<float>(want[i]) / 8);
}

TEST_CASE("pausing leaves draws out, and other objects capture meanwhile") {
    TestContext context(kEs3);
    linked({"whole"});
    usePositions(6);
    GLuint objects[2] = {};
    glGenTransformFeedbacks(2, objects);
    CHECK(glIsTransformFeedback(objects[0]) == GL_FALSE);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, objects[0]);
    CHECK(glIsTransformFeedback(objects[0]) == GL_TRUE);
    CHECK(getInt(GL_TRANSFORM_FEEDBACK_BINDING) == static_cast<GLint>(objects[0]));
    const GLuint first = captureBuffer(0, 8);
    glBeginTransformFeedback(GL_POINTS);
    CHECK(getInt(GL_TRANSFORM_FEEDBACK_ACTIVE) == GL_TRUE);
    CHECK(getInt(GL_TRANSFORM_FEEDBACK_PAUSED) == GL_FALSE);
    glDrawArrays(GL_POINTS, 0, 1);
    glPauseTransformFeedback();
    CHECK(getInt(GL_TRANSFORM_FEEDBACK_PAUSED) == GL_TRUE);
    glDrawArrays(GL_TRIANGLES, 1, 3);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, objects[1]);
    CHECK(getInt(GL_TRANSFORM_FEEDBACK_ACTIVE) == GL_FALSE);
    const GLuint second = captureBuffer(0, 8);
    glBeginTransformFeedback(GL_LINES);
    glDrawArrays(GL_LINES, 2, 2);
    glEndTransformFeedback();
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, objects[0]);
    glResumeTransformFeedback();
    glDrawArrays(GL_POINTS, 4, 2);
    glEndTransformFeedback();
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(contents<GLint>(first, 8) == Ints{0, 0, 4, 0, 5, 0, -1, -1});
    CHECK(contents<GLint>(second, 8) == Ints{2, 0, 3, 0, -1, -1, -1, -1});
    // A new beginning starts at the front.
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 3, 1);
    glEndTransformFeedback();
    CHECK(contents<GLint>(first, 8) == Ints{3, 0, 4, 0, 5, 0, -1, -1});
    glObjectLabelKHR(GL_TRANSFORM_FEEDBACK, objects[1], -1, "second");
    char label[8] = "";
    glGetObjectLabelKHR(GL_TRANSFORM_FEEDBACK, objects[1], sizeof label, nullptr, label);
    CHECK(std::string(label) == "second");
    CHECK(glGetError() == GL_NO_ERROR);
    glDeleteTransformFeedbacks(2, objects);
    CHECK(getInt(GL_TRANSFORM_FEEDBACK_BINDING) == 0);
    CHECK(glIsTransformFeedback(objects[0]) == GL_FALSE);
}

TEST_CASE("what is captured is drawn too, and drawn with") {
    TestContext context(kEs3);
    linked({"gl_Position"});
    const GLfloat corners[] = {-1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1, 1, 1, 0, 1};
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    const GLuint buffer = captureBuffer(0, 24);
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glEndTransformFeedback();
    CHECK(pixelAt(3, 12) == Rgba{0, 255, 0, 255});
    glClear(GL_COLOR_BUFFER_BIT);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
    glDrawArrays(GL_TRIANGLES, 0, 6);
    CHECK(pixelAt(3, 12) == Rgba{0, 255, 0, 255});
    CHECK(pixelAt(12, 3) == Rgba{0, 255, 0, 255});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("a uniform block reads what was captured before") {
    TestContext context(kEs3);
    const GLuint reading = makeProgram("#version 300 es\nin vec4 position; void main() { gl_Position = position; }",
                                       "#version 300 es\nprecision highp float; uniform Captured { vec4 at[2]; };"
                                       " out vec4 color; void main() { color = at[1]; }");
    REQUIRE(reading != 0);
    linked({"gl_Position"});
    const GLfloat points[] = {0, 0, 0, 1, 0.2f, 0.4f, 0.6f, 1};
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, points);
    glEnableVertexAttribArray(0);
    const GLuint buffer = captureBuffer(0, 8);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffer);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, 2);
    glEndTransformFeedback();
    glUseProgram(reading);
    drawQuad();
    CHECK(near(pixelAt(8, 8), {51, 102, 153, 255}, 1));
    // And what a copy has written over it.
    const GLuint other = captureBuffer(1, 8);
    const GLfloat red[] = {1, 0, 0, 1};
    glBufferSubData(GL_TRANSFORM_FEEDBACK_BUFFER, 0, sizeof red, red);
    glBindBuffer(GL_COPY_READ_BUFFER, other);
    glBindBuffer(GL_COPY_WRITE_BUFFER, buffer);
    glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 16, sizeof red);
    drawQuad();
    CHECK(pixelAt(8, 8) == Rgba{255, 0, 0, 255});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("a query counts the primitives that are written") {
    TestContext context(kEs3);
    linked({"whole"});
    usePositions(6);
    captureBuffer(0, 64);
    GLuint query = 0, written = 0;
    glGenQueries(1, &query);
    glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
    glBeginTransformFeedback(GL_TRIANGLES);
    glDrawArrays(GL_TRIANGLE_FAN, 0, 6);
    glDrawArraysInstanced(GL_TRIANGLES, 0, 3, 3);
    glEndTransformFeedback();
    glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    glGetQueryObjectuiv(query, GL_QUERY_RESULT, &written);
    CHECK(written == 7);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("a draw that there is no room for is an error, and captures nothing") {
    TestContext context(kEs3);
    linked({"whole"});
    usePositions(6);
    const GLuint buffer = captureBuffer(0, 7);  // three vertices
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, 2);
    CHECK(glGetError() == GL_NO_ERROR);
    glDrawArrays(GL_POINTS, 2, 2);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glDrawArraysInstanced(GL_POINTS, 2, 1, 2);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glDrawArrays(GL_POINTS, 5, 1);
    CHECK(glGetError() == GL_NO_ERROR);
    glDeleteBuffers(1, &buffer);
    glDrawArrays(GL_POINTS, 0, 1);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glEndTransformFeedback();
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("errors of transform feedback") {
    TestContext context(kEs3);
    const GLuint program = linked({"whole", "sum"}, GL_SEPARATE_ATTRIBS), other = linked({});
    const auto gives = [](GLenum error) { return glGetError() == error; };
    usePositions(6);
    GLuint objects[2] = {};
    glGenTransformFeedbacks(2, objects);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, objects[0]);
    captureBuffer(0, 64);
    glBeginTransformFeedback(GL_POINTS);  // the program captures nothing
    CHECK(gives(GL_INVALID_OPERATION));
    glUseProgram(0);
    glBeginTransformFeedback(GL_POINTS);
    CHECK(gives(GL_INVALID_OPERATION));
    glUseProgram(program);
    glBeginTransformFeedback(GL_POINTS);  // the second buffer is not there
    CHECK(gives(GL_INVALID_OPERATION));
    const GLuint second = captureBuffer(1, 64);
    glBeginTransformFeedback(GL_LINE_LOOP);
    CHECK(gives(GL_INVALID_ENUM));
    glResumeTransformFeedback();
    CHECK(gives(GL_INVALID_OPERATION));
    glPauseTransformFeedback();
    CHECK(gives(GL_INVALID_OPERATION));
    glEndTransformFeedback();
    CHECK(gives(GL_INVALID_OPERATION));
    glBeginTransformFeedback(GL_POINTS);
    CHECK(gives(GL_NO_ERROR));

    glBeginTransformFeedback(GL_POINTS);
    CHECK(gives(GL_INVALID_OPERATION));
    glResumeTransformFeedback();
    CHECK(gives(GL_INVALID_OPERATION));
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, objects[1]);
    CHECK(gives(GL_INVALID_OPERATION));
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, second);
    CHECK(gives(GL_INVALID_OPERATION));
    glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, second, 0, 4);
    CHECK(gives(GL_INVALID_OPERATION));
    glUseProgram(other);
    CHECK(gives(GL_INVALID_OPERATION));
    glLinkProgram(program);
    CHECK(gives(GL_INVALID_OPERATION));
    glDeleteTransformFeedbacks(2, objects);
    CHECK(gives(GL_INVALID_OPERATION));
    CHECK(glIsTransformFeedback(objects[0]) == GL_TRUE);
    glDrawArrays(GL_LINES, 0, 2);
    CHECK(gives(GL_INVALID_OPERATION));
    const GLubyte indices[] = {0, 1, 2};
    glDrawElements(GL_POINTS, 3, GL_UNSIGNED_BYTE, indices);
    CHECK(gives(GL_INVALID_OPERATION));
    glBindBuffer(GL_ARRAY_BUFFER, second);
    CHECK(glMapBufferRange(GL_ARRAY_BUFFER, 0, 4, GL_MAP_WRITE_BIT) != nullptr);
    glDrawArrays(GL_POINTS, 0, 1);
    CHECK(gives(GL_INVALID_OPERATION));
    glUnmapBuffer(GL_ARRAY_BUFFER);

    glPauseTransformFeedback();
    glPauseTransformFeedback();
    CHECK(gives(GL_INVALID_OPERATION));
    glDrawElements(GL_POINTS, 3, GL_UNSIGNED_BYTE, indices);
    CHECK(gives(GL_NO_ERROR));
    glLinkProgram(program);
    CHECK(gives(GL_INVALID_OPERATION));
    glUseProgram(other);
    CHECK(gives(GL_NO_ERROR));
    glResumeTransformFeedback();  // of another program
    CHECK(gives(GL_INVALID_OPERATION));
    glDeleteProgram(program);
    glEndTransformFeedback();
    CHECK(gives(GL_NO_ERROR));
    CHECK(glIsProgram(program) == GL_FALSE);

    glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, second, 2, 4);
    CHECK(gives(GL_INVALID_VALUE));
    glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, 0, second, 4, 6);
    CHECK(gives(GL_INVALID_VALUE));
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 4, second);
    CHECK(gives(GL_INVALID_VALUE));
    glDeleteTransformFeedbacks(2, objects);
    CHECK(gives(GL_NO_ERROR));
}

TEST_CASE("a program binary captures what its program does") {
    TestContext context(kEs3);
    const GLuint program = linked({"whole", "list[1]"}, GL_SEPARATE_ATTRIBS);
    const GLuint loaded = reloaded(program);
    REQUIRE(isLinked(loaded));
    CHECK(programParameter(loaded, GL_TRANSFORM_FEEDBACK_VARYINGS) == 2);
    CHECK(programParameter(loaded, GL_TRANSFORM_FEEDBACK_BUFFER_MODE) == GL_SEPARATE_ATTRIBS);
    glUseProgram(loaded);
    usePositions(2);
    captureBuffer(0, 4);
    const GLuint list = captureBuffer(1, 2);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, 2);
    glEndTransformFeedback();
    CHECK(contents<GLfloat>(list, 2) == Floats{0, 0.25f});
    CHECK(glGetError() == GL_NO_ERROR);
    glProgramParameteri(loaded, GL_PROGRAM_BINARY_RETRIEVABLE_HINT, GL_TRUE);
    CHECK(programParameter(loaded, GL_PROGRAM_BINARY_RETRIEVABLE_HINT) == GL_TRUE);
    glProgramParameteri(loaded, GL_PROGRAM_BINARY_RETRIEVABLE_HINT, 2);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glProgramParameteri(loaded, GL_LINK_STATUS, GL_TRUE);
    CHECK(glGetError() == GL_INVALID_ENUM);
}
