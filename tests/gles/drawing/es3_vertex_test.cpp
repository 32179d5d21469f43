// Vertices of OpenGL ES 3.0 (3.0.6, sections 2.7 to 2.10): integers that stay integers, packed and normalised elements,
// current values of three types, vertices that differ by their number alone, vertex arrays without client memory.
#define GL_GLEXT_PROTOTYPES 1
#include <GLES3/gl3.h>
// After it: the tokens of extensions.
#include <GLES2/gl2ext.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tests/gles/fixture.h"

using namespace tessera::gles_test;

namespace {

constexpr Rgba kGreen = {0, 255, 0, 255};

/// A program that draws green where the attribute at location 1 is as the expression says, with a triangle that takes
/// its corners from the numbers of its vertices.
GLuint checking(const std::string& type, const std::string& condition) {
    return useProgram(
        "#version 300 es\nlayout(location = 1) in " + type +
            " value; flat out vec4 color;"
            " void main() { vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1); bool right = " +
            condition +
            "; color = right ? vec4(0, 1, 0, 1) : vec4(1, 0, 0, 1); gl_Position = vec4(corner * 4.0 - 1.0, 0, 1); }",
        "#version 300 es\nprecision highp float; flat in vec4 color; out vec4 result; void main() { result = color; }");
}

/// The green triangle, which covers everything.
bool draws() {
    glClearColor(0, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    return pixelAt(0, 0) == kGreen && pixelAt(15, 15) == kGreen && glGetError() == GL_NO_ERROR;
}

/// The same with the attribute from client memory, which holds one element for all vertices.
template <class Component, size_t n>
bool drawsElements(const Component (&element)[n], GLint size, GLenum type, bool asInteger, bool normalized = false) {
    constexpr size_t kBytes = n * sizeof(Component);
    unsigned char memory[3 * kBytes];
    for (size_t i = 0; i < 3; ++i)
        std::copy_n(reinterpret_cast<const unsigned char*>(element), kBytes, memory + i * kBytes);
    if (asInteger)
        glVertexAttribIPointer(1, size, type, static_cast<GLsizei>(kBytes), memory);
    else
        glVertexAttribPointer(1, size, type, normalized ? GL_TRUE : GL_FALSE, static_cast<GLsizei>(kBytes), memory);
    glEnableVertexAttribArray(1);
    const bool right = draws();
    glDisableVertexAttribArray(1);
    return right;
}

}  // namespace

TEST_CASE("vertices without any array differ by gl_VertexID") {
    TestContext context(kEs3);
    checking("vec4", "value == vec4(0, 0, 0, 1)");
    CHECK(draws());
}

TEST_CASE("vertices beyond their buffers differ by gl_VertexID") {
    TestContext context(kEs3);
    // The sixth triangle alone covers something.
    useProgram(
        "#version 300 es\nlayout(location = 0) in vec2 beyond; void main() {\n"
        "vec2 corner = gl_VertexID < 15 ? vec2(0) : vec2(gl_VertexID == 16, gl_VertexID == 17);\n"
        "gl_Position = vec4(corner * 4.0 - 1.0 + beyond, 0, 1); }",
        "#version 300 es\nprecision highp float; out vec4 result; void main() { result = vec4(0, 1, 0, 1); }");
    const GLfloat origin[2] = {};
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof origin, origin, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLES, 0, 18);
    CHECK(pixelAt(0, 0) == kGreen);
    CHECK(pixelAt(15, 15) == kGreen);
}

TEST_CASE("a range of indices may be a single one") {
    TestContext context(kEs3);
    useProgram("#version 300 es\nvoid main() { gl_Position = vec4(0, 0, 0, 1); gl_PointSize = 16.0; }",
               "#version 300 es\nprecision highp float; out vec4 result; void main() { result = vec4(0, 1, 0, 1); }");
    const GLubyte indices[] = {1, 1};
    glDrawRangeElements(GL_POINTS, 1, 1, 2, GL_UNSIGNED_BYTE, indices);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(pixelAt(8, 8) == kGreen);
    glDrawRangeElements(GL_POINTS, 2, 1, 2, GL_UNSIGNED_BYTE, indices);
    CHECK(glGetError() == GL_INVALID_VALUE);
}

TEST_CASE("current values keep their type") {
    TestContext context(kEs3);
    const GLint ints[] = {-5, 7, INT32_MAX, INT32_MIN};
    const GLuint uints[] = {5, 0x80000000u, UINT32_MAX, 0x7F800001u};  // the last would be a signalling NaN
    checking("ivec4", "value == ivec4(-5, 7, 0x7FFFFFFF, 0x80000000)");
    glVertexAttribI4iv(1, ints);
    CHECK(draws());
    GLint gotInts[4] = {};
    glGetVertexAttribIiv(1, GL_CURRENT_VERTEX_ATTRIB, gotInts);
    CHECK(std::equal(ints, ints + 4, gotInts));
    checking("uvec4", "value == uvec4(5u, 0x80000000u, 0xFFFFFFFFu, 0x7F800001u)");
    glVertexAttribI4uiv(1, uints);
    CHECK(draws());
    GLuint gotUints[4] = {};
    glGetVertexAttribIuiv(1, GL_CURRENT_VERTEX_ATTRIB, gotUints);
    CHECK(std::equal(uints, uints + 4, gotUints));
    checking("vec4", "value == vec4(0.5, -1, 2, 1)");
    glVertexAttrib3f(1, 0.5f, -1, 2);
    CHECK(draws());
    GLfloat gotFloats[4] = {};
    glGetVertexAttribfv(1, GL_CURRENT_VERTEX_ATTRIB, gotFloats);
    CHECK(std::vector<GLfloat>(gotFloats, gotFloats + 4) == std::vector<GLfloat>{0.5f, -1, 2, 1});
}

TEST_CASE("arrays of integers of every type stay integers") {
    TestContext context(kEs3);
    GLint isInteger = -1;
    {
        checking("ivec4", "value == ivec4(-128, 127, 0, 1)");
        const int8_t bytes[] = {-128, 127, 0, 99};
        glVertexAttribPointer(1, 3, GL_BYTE, GL_TRUE, 0, bytes);  // normalised, which integers are not
        CHECK(drawsElements(bytes, 3, GL_BYTE, true));
        GLint isNormalized = -1;
        glGetVertexAttribiv(1, GL_VERTEX_ATTRIB_ARRAY_NORMALIZED, &isNormalized);
        CHECK(isNormalized == GL_FALSE);
        glGetVertexAttribiv(1, GL_VERTEX_ATTRIB_ARRAY_INTEGER, &isInteger);
        CHECK(isInteger == GL_TRUE);
        checking("ivec4", "value == ivec4(-32768, 32767, 0, 1)");
        const int16_t shorts[] = {-32768, 32767};
        CHECK(drawsElements(shorts, 2, GL_SHORT, true));
        checking("ivec4", "value == ivec4(0x80000000, 0x7FFFFFFF, 3, -4)");
        const int32_t ints[] = {INT32_MIN, INT32_MAX, 3, -4};
        CHECK(drawsElements(ints, 4, GL_INT, true));
    }
    checking("uvec4", "value == uvec4(255, 128, 0, 1)");
    const uint8_t bytes[] = {255, 128, 0, 99};
    CHECK(drawsElements(bytes, 3, GL_UNSIGNED_BYTE, true));
    checking("uvec4", "value == uvec4(65535, 0, 0, 1)");
    const uint16_t shorts[] = {65535, 7};
    CHECK(drawsElements(shorts, 1, GL_UNSIGNED_SHORT, true));
    checking("uvec4", "value == uvec4(0xFFFFFFFFu, 0x80000000u, 3, 4)");
    const uint32_t ints[] = {UINT32_MAX, 0x80000000u, 3, 4};
    CHECK(drawsElements(ints, 4, GL_UNSIGNED_INT, true));
    // As floats again.
    checking("vec4", "value == vec4(255, 128, 0, 1)");
    CHECK(drawsElements(bytes, 3, GL_UNSIGNED_BYTE, false));
    glGetVertexAttribiv(1, GL_VERTEX_ATTRIB_ARRAY_INTEGER, &isInteger);
    CHECK(isInteger == GL_FALSE);
}

TEST_CASE("types of elements that OpenGL ES 3.0 adds") {
    TestContext context(kEs3);
    const int32_t ints[] = {-1000, 1 << 20};
    checking("vec4", "value == vec4(-1000, 1048576, 0, 1)");
    CHECK(drawsElements(ints, 2, GL_INT, false));
    const uint32_t uints[] = {0x80000000u};
    checking("vec4", "value == vec4(2147483648.0, 0, 0, 1)");
    CHECK(drawsElements(uints, 1, GL_UNSIGNED_INT, false));
    const uint16_t halves[] = {0x3C00, 0xC000, 0x3800, 0};
    checking("vec4", "value == vec4(1, -2, 0.5, 0)");
    CHECK(drawsElements(halves, 4, GL_HALF_FLOAT, false));
    // x in the lowest bits: 511, -512, 0, -2; of 10, 10, 10 and 2 bits.
    const uint32_t packed[] = {511u | 512u << 10 | 0u << 20 | 2u << 30};
    checking("vec4", "value == vec4(511, -512, 0, -2)");
    CHECK(drawsElements(packed, 4, GL_INT_2_10_10_10_REV, false));
    checking("vec4", "value == vec4(511, 512, 0, 2)");
    CHECK(drawsElements(packed, 4, GL_UNSIGNED_INT_2_10_10_10_REV, false));
    checking("vec4", "value == vec4(1, -1, 0, -1)");
    CHECK(drawsElements(packed, 4, GL_INT_2_10_10_10_REV, false, true));
}

TEST_CASE("normalised signed integers have a 0 in OpenGL ES 3.0, and none in 2.0") {
    const int8_t bytes[] = {-128, -127, 0, 127};
    {
        TestContext context(kEs3);
        checking("vec4", "value == vec4(-1, -1, 0, 1)");
        CHECK(drawsElements(bytes, 4, GL_BYTE, false, true));
    }
    TestContext context;
    useProgram(
        "attribute vec4 position; attribute vec4 value; varying vec4 color; void main() {"
        " gl_Position = position; color = vec4(value.z * 127.5, 0, 0, 1); }",
        "precision highp float; varying vec4 color; void main() { gl_FragColor = color; }");
    // (2 * 0 + 1) / 255 at attribute 1: half of 255 in red.
    glVertexAttribPointer(1, 4, GL_BYTE, GL_TRUE, 0, bytes);
    const GLfloat corners[] = {-1, -1, 3, -1, -1, 3};
    const int8_t three[12] = {-128, -127, 0, 127, -128, -127, 0, 127, -128, -127, 0, 127};
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glVertexAttribPointer(1, 4, GL_BYTE, GL_TRUE, 0, three);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    CHECK(near(pixelAt(3, 3), {128, 0, 0, 255}, 1));
}

TEST_CASE("errors of attributes") {
    TestContext context(kEs3);
    const auto error = [] { return glGetError(); };
    unsigned char memory[64] = {};
    glVertexAttribPointer(0, 3, GL_INT_2_10_10_10_REV, GL_TRUE, 0, memory);
    CHECK(error() == GL_INVALID_OPERATION);
    GLuint array = 0;
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, memory);
    CHECK(error() == GL_INVALID_OPERATION);
    glVertexAttribIPointer(0, 4, GL_INT, 0, memory);
    CHECK(error() == GL_INVALID_OPERATION);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
    CHECK(error() == GL_NO_ERROR);
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glVertexAttribIPointer(0, 4, GL_INT, 0, memory);  // an offset, whatever it is
    CHECK(error() == GL_NO_ERROR);
    glBindVertexArray(0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, memory);
    CHECK(error() == GL_NO_ERROR);
    GLint value = 0;
    glGetVertexAttribiv(0, GL_VERTEX_ATTRIB_ARRAY_INTEGER, &value);
    CHECK(error() == GL_NO_ERROR);
}

TEST_CASE("contexts of OpenGL ES 2.0 have neither those types nor names") {
    TestContext context;
    unsigned char memory[64] = {};
    for (const GLenum type : {GL_INT, GL_UNSIGNED_INT, GL_INT_2_10_10_10_REV}) {
        glVertexAttribPointer(0, 4, type, GL_FALSE, 0, memory);
        CHECK(glGetError() == GL_INVALID_ENUM);
    }
    GLint value = 0;
    glGetVertexAttribiv(0, GL_VERTEX_ATTRIB_ARRAY_INTEGER, &value);
    CHECK(glGetError() == GL_INVALID_ENUM);
    for (const GLenum capability : {GL_PRIMITIVE_RESTART_FIXED_INDEX, GL_RASTERIZER_DISCARD}) {
        glEnable(capability);
        CHECK(glGetError() == GL_INVALID_ENUM);
    }
}

namespace {

/// Two squares of a strip each: the left quarter and the right quarter of the picture.
constexpr GLfloat kSquares[] = {-1, -1, -0.5f, -1, -1, 1, -0.5f, 1, 0.5f, -1, 1, -1, 0.5f, 1, 1, 1};

template <class Index>
void checkRestart(GLenum type, bool inBuffer) {
    const Index indices[] = {0, 1, 2, 3, static_cast<Index>(-1), 4, 5, 6, 7};
    GLuint buffers[2];
    glGenBuffers(2, buffers);
    if (inBuffer) {
        glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
        glBufferData(GL_ARRAY_BUFFER, sizeof kSquares, kSquares, GL_STATIC_DRAW);
        glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
        glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices, GL_STATIC_DRAW);
    }
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, inBuffer ? nullptr : kSquares);
    glEnableVertexAttribArray(0);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawElements(GL_TRIANGLE_STRIP, 9, type, inBuffer ? nullptr : indices);
    // The strips are two, and nothing lies between them.
    for (int x = 0; x < 16; ++x)
        for (int y = 0; y < 16; ++y) CHECK(pixelAt(x, y) == (x < 4 || x >= 12 ? kGreen : Rgba{0, 0, 0, 0}));
    CHECK(glGetError() == GL_NO_ERROR);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
    glDeleteBuffers(2, buffers);
}

void useGreen() {
    const GLuint program = useProgram(kPassVertex, kColorFragment);
    glUniform4f(glGetUniformLocation(program, "color"), 0, 1, 0, 1);
}

}  // namespace

TEST_CASE("the index of all ones begins a primitive anew, whatever memory it is in") {
    TestContext context(kEs3);
    useGreen();
    CHECK(glIsEnabled(GL_PRIMITIVE_RESTART_FIXED_INDEX) == GL_FALSE);
    glEnable(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    for (const bool inBuffer : {false, true}) {
        checkRestart<uint8_t>(GL_UNSIGNED_BYTE, inBuffer);
        checkRestart<uint16_t>(GL_UNSIGNED_SHORT, inBuffer);
        checkRestart<uint32_t>(GL_UNSIGNED_INT, inBuffer);
    }
}

TEST_CASE("EXT_base_instance: instanced arrays begin at an element, and the instances' numbers at 0") {
    TestContext context(kEs3);
    const std::string list = reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS));
    CHECK(list.find("GL_EXT_base_instance ") != std::string::npos);
    // A column of the framebuffer for each instance, in the colour of its element; divisor 2 of the second array.
    useProgram(
        "#version 300 es\nlayout(location = 0) in vec2 corner; layout(location = 1) in float red;\n"
        "layout(location = 2) in float green; out vec4 color; void main() {\n"
        "gl_Position = vec4((corner.x * 0.5 + 0.5 + float(gl_InstanceID)) / 8.0 - 1.0, corner.y, 0, 1);\n"
        "color = vec4(red, green, float(gl_InstanceID) / 255.0, 1); }",
        "#version 300 es\nprecision highp float; in vec4 color; out vec4 result; void main() { result = color; }");
    constexpr int kElements = 16;
    std::array<unsigned char, kElements> reds{}, greens{};
    for (int i = 0; i < kElements; ++i)
        reds[static_cast<size_t>(i)] = static_cast<unsigned char>(10 + i),
        greens[static_cast<size_t>(i)] = static_cast<unsigned char>(100 + i);
    const GLushort indices[] = {1, 2, 3, 4};
    const GLfloat corners[] = {9, 9, -1, -1, 1, -1, -1, 1, 1, 1};  // one more at the beginning
    GLuint buffers[4];
    glGenBuffers(4, buffers);
    const auto fill = [&](GLenum target, int number, const void* data, size_t bytes) {
        glBindBuffer(target, buffers[number]);
        glBufferData(target, static_cast<GLsizeiptr>(bytes), data, GL_STATIC_DRAW);
    };
    for (const bool isInBuffers : {false, true}) {
        CAPTURE(isInBuffers);
        const auto source = [&](int number, const auto& data) -> const void* {
            if (!isInBuffers) return std::data(data);
            fill(GL_ARRAY_BUFFER, number, std::data(data), sizeof data);
            return nullptr;
        };
        for (GLuint i = 0; i < 3; ++i) glEnableVertexAttribArray(i);
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, source(0, corners));
        glVertexAttribPointer(1, 1, GL_UNSIGNED_BYTE, GL_TRUE, 0, source(1, reds));
        glVertexAttribPointer(2, 1, GL_UNSIGNED_BYTE, GL_TRUE, 0, source(2, greens));
        glVertexAttribDivisor(1, 1);
        glVertexAttribDivisor(2, 2);
        if (isInBuffers) fill(GL_ELEMENT_ARRAY_BUFFER, 3, indices, sizeof indices);
        const void* elements = isInBuffers ? nullptr : indices;
        const auto check = [&](int instances, int base, const auto& draw) {
            CAPTURE(base);
            glClear(GL_COLOR_BUFFER_BIT);
            draw();
            CHECK(glGetError() == GL_NO_ERROR);
            for (int i = 0; i < instances; ++i) {
                // Elements beyond a buffer are 0.
                const int red = i + base < kElements ? 10 + i + base : 0,
                          green = i / 2 + base < kElements ? 100 + i / 2 + base : 0;
                CHECK(pixelAt(i, 5) ==
                      Rgba{static_cast<uint8_t>(red), static_cast<uint8_t>(green), static_cast<uint8_t>(i), 255});
            }
        };
        // Draws with and without a base one after the other: neither takes the other's place to begin.
        for (const GLuint base : {0u, 3u, 0u, 7u, 7u, 1u}) {
            const auto number = static_cast<int>(base);
            check(8, number, [&] { glDrawArraysInstancedBaseInstanceEXT(GL_TRIANGLE_STRIP, 1, 4, 8, base); });
            check(8, number, [&] {
                glDrawElementsInstancedBaseInstanceEXT(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_SHORT, elements, 8, base);
            });
            check(8, number, [&] {
                glDrawElementsInstancedBaseVertexBaseInstanceEXT(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_SHORT, elements, 8,
                                                                 0, base);
            });
            check(8, 0, [&] { glDrawArraysInstanced(GL_TRIANGLE_STRIP, 1, 4, 8); });
            check(8, 0, [&] {  // and nothing between the two
                glDrawArraysInstancedBaseInstanceEXT(GL_TRIANGLE_STRIP, 1, 4, 8, base);
                glDrawArraysInstanced(GL_TRIANGLE_STRIP, 1, 4, 8);
            });
        }
        if (!isInBuffers) continue;
        check(8, 12, [&] { glDrawArraysInstancedBaseInstanceEXT(GL_TRIANGLE_STRIP, 1, 4, 8, 12); });
        check(8, 1 << 30, [&] { glDrawArraysInstancedBaseInstanceEXT(GL_TRIANGLE_STRIP, 1, 4, 8, ~0u); });
        glVertexAttribPointer(2, 1, GL_UNSIGNED_BYTE, GL_TRUE, INT32_MAX, nullptr);
        glDrawArraysInstancedBaseInstanceEXT(GL_TRIANGLE_STRIP, 1, 4, 8, ~0u);
        glVertexAttribPointer(2, 1, GL_UNSIGNED_BYTE, GL_TRUE, INT32_MAX, reinterpret_cast<const void*>(INTPTR_MAX));
        glDrawArraysInstancedBaseInstanceEXT(GL_TRIANGLE_STRIP, 1, 4, 8, ~0u);
        CHECK(glGetError() == GL_NO_ERROR);
    }
    const auto error = [&](GLenum mode, GLint first, GLsizei count, GLsizei instances) {
        glDrawArraysInstancedBaseInstanceEXT(mode, first, count, instances, 1);
        return glGetError();
    };
    CHECK(error(GL_TRIANGLES, 0, 3, -1) == GL_INVALID_VALUE);
    CHECK(error(GL_TRIANGLES, 0, -3, 1) == GL_INVALID_VALUE);
    CHECK(error(GL_TRIANGLES, -1, 3, 1) == GL_INVALID_VALUE);
    CHECK(error(7, 0, 3, 1) == GL_INVALID_ENUM);
    glDrawElementsInstancedBaseInstanceEXT(GL_TRIANGLES, 3, GL_SHORT, nullptr, 1, 1);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glDrawElementsInstancedBaseVertexBaseInstanceEXT(GL_TRIANGLES, 3, GL_UNSIGNED_INT, nullptr, -1, 1, 1);
    CHECK(glGetError() == GL_INVALID_VALUE);
}

TEST_CASE("with GL_RASTERIZER_DISCARD nothing is drawn or cleared") {
    TestContext context(kEs3);
    useGreen();
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_RASTERIZER_DISCARD);
    drawQuad();
    glClearColor(0, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(pixelAt(8, 8) == Rgba{255, 0, 0, 255});
    glDisable(GL_RASTERIZER_DISCARD);
    drawQuad();
    CHECK(pixelAt(8, 8) == kGreen);
    CHECK(glGetError() == GL_NO_ERROR);
}
