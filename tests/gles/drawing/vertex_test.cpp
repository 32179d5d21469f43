// Vertex data: every type, size and normalisation (tables 2.4 and 2.9), strides and offsets, client memory against
// buffers, every index type.
#include <doctest/doctest.h>

#define GL_GLEXT_PROTOTYPES 1
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstring>
#include <random>

#include "tests/gles/fixture.h"

using namespace tessera::gles_test;

namespace {

constexpr Rgba kGreen = {0, 255, 0, 255};

struct VertexType {
    GLenum type;
    int bytes;
    double least, most;  ///< raw values to try in between
    bool isInteger;
};
const VertexType kTypes[] = {
    {GL_BYTE, 1, -128, 127, true},
    {GL_UNSIGNED_BYTE, 1, 0, 255, true},
    {GL_SHORT, 2, -32768, 32767, true},
    {GL_UNSIGNED_SHORT, 2, 0, 65535, true},
    {GL_FIXED, 4, -2147483648.0, 2147483647.0, false},
    {GL_FLOAT, 4, -1e6, 1e6, false},
};

void store(std::byte* at, GLenum type, double raw) {
    auto put = [&](auto value) { std::memcpy(at, &value, sizeof value); };
    switch (type) {
        case GL_BYTE:
            return put(static_cast<int8_t>(raw));
        case GL_UNSIGNED_BYTE:
            return put(static_cast<uint8_t>(raw));
        case GL_SHORT:
            return put(static_cast<int16_t>(raw));
        case GL_UNSIGNED_SHORT:
            return put(static_cast<uint16_t>(raw));
        case GL_FIXED:
            return put(static_cast<int32_t>(raw));
        default:
            return put(static_cast<float>(raw));
    }
}

/// What the shader must see of a raw value: section 2.8 and the conversions of table 2.9.
double attributeValue(const VertexType& t, double raw, bool normalized) {
    if (t.type == GL_FIXED) return std::trunc(raw) / 65536.0;
    if (t.type == GL_FLOAT) return static_cast<double>(static_cast<float>(raw));
    if (!normalized) return std::trunc(raw);
    double range = std::exp2(8 * t.bytes) - 1;
    return t.least == 0 ? std::trunc(raw) / range : (2 * std::trunc(raw) + 1) / range;
}

/// Green when attribute "value" is `expected` up to a relative 2^-22; one point in the middle of pixel (0, 0).
const char* const kCompareVertex = R"(
    attribute vec4 value; uniform vec4 expected; varying vec4 color;
    void main() {
        vec4 tolerance = max(abs(expected), vec4(0.001)) * 2.4e-7;
        bool good = all(lessThanEqual(abs(value - expected), tolerance));
        color = good ? vec4(0.0, 1.0, 0.0, 1.0) : vec4(1.0, 0.0, 0.0, 1.0);
        gl_Position = vec4(0.0, 0.0, 0.0, 1.0); gl_PointSize = 1.0;
    })";
const char* const kVaryingFragment = "precision highp float; varying vec4 color; void main() { gl_FragColor = color; }";

struct Layout {
    VertexType type;
    int size;
    bool normalized, inBuffer;
    int stride, offset, first;
};

/// Draws vertex `first` of an array of the layout and tells whether the shader saw what it should.
bool fetches(const Layout& layout, GLint expectedLocation, std::mt19937& random) {
    int element = layout.type.bytes * layout.size;
    int step = layout.stride == 0 ? element : layout.stride;
    std::vector<std::byte> data(static_cast<size_t>(layout.offset + step * (layout.first + 1)), std::byte{0x5A});
    GLfloat expected[4] = {0, 0, 0, 1};
    for (int i = 0; i < layout.size; ++i) {
        double raw = std::uniform_real_distribution<double>(layout.type.least, layout.type.most)(random);
        if (i == 0 && random() % 4 == 0) raw = random() % 2 ? layout.type.least : layout.type.most;
        store(data.data() + layout.offset + layout.first * step + i * layout.type.bytes, layout.type.type, raw);
        expected[i] = static_cast<GLfloat>(attributeValue(layout.type, raw, layout.normalized));
    }
    GLuint buffer = 0;
    const std::byte* pointer = data.data() + layout.offset;
    if (layout.inBuffer) {
        glGenBuffers(1, &buffer);
        glBindBuffer(GL_ARRAY_BUFFER, buffer);
        glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(data.size()), data.data(), GL_STATIC_DRAW);
        pointer = reinterpret_cast<const std::byte*>(static_cast<uintptr_t>(layout.offset));
    }
    glVertexAttribPointer(0, layout.size, layout.type.type, layout.normalized, layout.stride, pointer);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glUniform4fv(expectedLocation, 1, expected);
    glDrawArrays(GL_POINTS, layout.first, 1);
    glDeleteBuffers(1, &buffer);
    return pixelAt(0, 0) == kGreen;
}

/// A program with position at 0 and color at 1.
GLuint useColorProgram() {
    GLuint vertex = makeShader(GL_VERTEX_SHADER,
                               "attribute vec4 position; attribute vec4 tint; varying vec4 color; void main() { color "
                               "= tint; gl_Position = position; gl_PointSize = 1.0; }");
    GLuint fragment = makeShader(GL_FRAGMENT_SHADER, kVaryingFragment);
    GLuint program = glCreateProgram();
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    glBindAttribLocation(program, 0, "position");
    glBindAttribLocation(program, 1, "tint");
    glLinkProgram(program);
    glUseProgram(program);
    return program;
}

struct Vertex {
    GLfloat position[3];
    GLubyte color[4];
};

std::vector<Vertex> randomMesh(size_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> place(-1.2f, 1.2f);
    std::vector<Vertex> mesh(count);
    for (Vertex& v : mesh) {
        for (GLfloat& x : v.position) x = place(random);
        v.position[2] *= 0.8f;
        for (GLubyte& x : v.color) x = static_cast<GLubyte>(random());
    }
    return mesh;
}

/// Clears, calls `draw`, reads everything.
template <class Draw>
std::vector<Rgba> picture(const TestContext& context, Draw draw) {
    glClearColor(0.25f, 0, 0.5f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    draw();
    return readRect(0, 0, context.width(), context.height());
}

void pointTo(const Vertex* base) {
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(Vertex), base->position);
    glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(Vertex), base->color);
}

void pointToBuffer() {
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(Vertex), nullptr);
    glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(Vertex), reinterpret_cast<const void*>(12));
}

GLuint makeBuffer(GLenum target, const void* data, size_t bytes) {
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(target, buffer);
    glBufferData(target, static_cast<GLsizeiptr>(bytes), data, GL_STATIC_DRAW);
    return buffer;
}

}  // namespace

TEST_CASE("every vertex format reaches the shader as the specification converts it") {
    TestContext context({.width = 1, .height = 1});
    GLuint program = glCreateProgram();
    glAttachShader(program, makeShader(GL_VERTEX_SHADER, kCompareVertex));
    glAttachShader(program, makeShader(GL_FRAGMENT_SHADER, kVaryingFragment));
    glBindAttribLocation(program, 0, "value");
    glLinkProgram(program);
    glUseProgram(program);
    GLint expected = glGetUniformLocation(program, "expected");
    REQUIRE(expected >= 0);
    glEnableVertexAttribArray(0);
    std::mt19937 random(4);
    for (const VertexType& type : kTypes)
        for (int size = 1; size <= 4; ++size)
            for (bool normalized : {false, true})
                for (bool inBuffer : {false, true}) {
                    CAPTURE(type.type);
                    CAPTURE(size);
                    CAPTURE(normalized);
                    CAPTURE(inBuffer);
                    CHECK(fetches({type, size, normalized, inBuffer, 0, 0, 0}, expected, random));
                    CHECK(fetches({type, size, normalized, inBuffer, 0, 8, 5}, expected, random));
                    CHECK(fetches({type, size, normalized, inBuffer, 36, 4, 3}, expected, random));
                    // No alignment is asked for: odd offsets and strides work.
                    CHECK(fetches({type, size, normalized, inBuffer, 19, 3, 2}, expected, random));
                }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("without an array the current attribute is used, by all vertices") {
    TestContext context;
    useColorProgram();
    glVertexAttrib4f(1, 0.2f, 0.4f, 0.6f, 0.8f);
    drawQuad();
    CHECK(pixelAt(3, 12) == Rgba{51, 102, 153, 204});
    glVertexAttrib2f(1, 1, 0);
    drawQuad();
    CHECK(pixelAt(12, 3) == Rgba{255, 0, 0, 255});
}

TEST_CASE("client memory and buffers give the same picture") {
    TestContext context({.width = 64, .height = 64});
    useColorProgram();
    glEnable(GL_DEPTH_TEST);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    const std::vector<Vertex> mesh = randomMesh(90, 7);
    auto draw = [] { glDrawArrays(GL_TRIANGLES, 0, 90); };
    pointTo(mesh.data());
    std::vector<Rgba> client = picture(context, draw);
    makeBuffer(GL_ARRAY_BUFFER, mesh.data(), mesh.size() * sizeof(Vertex));
    pointToBuffer();
    CHECK(picture(context, draw) == client);
    // One from each.
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(Vertex), mesh[0].color);
    CHECK(picture(context, draw) == client);
    // Drawn in three pieces.
    CHECK(picture(context, [] {
              glDrawArrays(GL_TRIANGLES, 0, 30);
              glDrawArrays(GL_TRIANGLES, 30, 33);
              glDrawArrays(GL_TRIANGLES, 63, 27);
          }) == client);
    size_t drawn = 0;
    for (const Rgba& pixel : client) drawn += pixel != Rgba{64, 0, 128, 255};
    CHECK(drawn > 1000);
}

TEST_CASE("index types, offsets and index buffers") {
    TestContext context({.width = 64, .height = 64});
    useColorProgram();
    glEnable(GL_DEPTH_TEST);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    const std::vector<Vertex> mesh = randomMesh(200, 11);
    std::mt19937 random(3);
    std::vector<GLubyte> bytes(120);
    for (GLubyte& index : bytes) index = static_cast<GLubyte>(random() % 200);
    std::vector<GLushort> shorts(bytes.begin(), bytes.end());
    std::vector<GLuint> ints(bytes.begin(), bytes.end());
    std::vector<Vertex> expanded;
    for (GLubyte index : bytes) expanded.push_back(mesh[index]);
    pointTo(expanded.data());
    std::vector<Rgba> reference = picture(context, [] { glDrawArrays(GL_TRIANGLES, 0, 120); });

    bool wide = std::strstr(reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS)), "GL_OES_element_index_uint");
    constexpr GLenum kUnsignedInt = GL_UNSIGNED_INT;
    for (bool vertexBuffer : {false, true}) {
        CAPTURE(vertexBuffer);
        glBindBuffer(GL_ARRAY_BUFFER, 0);
        pointTo(mesh.data());
        if (vertexBuffer) {
            makeBuffer(GL_ARRAY_BUFFER, mesh.data(), mesh.size() * sizeof(Vertex));
            pointToBuffer();
        }
        auto both = [&](GLenum type, const void* indices, size_t indexBytes) {
            glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
            CHECK(picture(context, [&] { glDrawElements(GL_TRIANGLES, 120, type, indices); }) == reference);
            makeBuffer(GL_ELEMENT_ARRAY_BUFFER, indices, 120 * indexBytes);
            CHECK(picture(context, [&] {
                      glDrawElements(GL_TRIANGLES, 60, type, nullptr);
                      glDrawElements(GL_TRIANGLES, 60, type, reinterpret_cast<const void*>(60 * indexBytes));
                  }) == reference);
        };
        both(GL_UNSIGNED_BYTE, bytes.data(), 1);
        both(GL_UNSIGNED_SHORT, shorts.data(), 2);
        if (wide) both(kUnsignedInt, ints.data(), 4);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("all 65536 short indices are different vertices") {
    TestContext context({.width = 5, .height = 5});
    useColorProgram();
    std::vector<Vertex> mesh(65536, Vertex{{0, 0, 0}, {255, 0, 0, 255}});
    for (size_t index : {0u, 1u, 32767u, 32768u, 65534u, 65535u}) mesh[index].color[1] = 255;
    pointTo(mesh.data());
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    for (GLushort index : {0, 1, 2, 32767, 32768, 32769, 65533, 65534, 65535}) {
        glDrawElements(GL_POINTS, 1, GL_UNSIGNED_SHORT, &index);
        bool marked = mesh[index].color[1] == 255;
        CAPTURE(index);
        CHECK(pixelAt(2, 2) == Rgba{255, static_cast<uint8_t>(marked ? 255 : 0), 0, 255});
    }
}

TEST_CASE("a base vertex moves the indices: the same picture as indices that are larger") {
    TestContext context({.width = 64, .height = 64});
    useColorProgram();
    glEnable(GL_DEPTH_TEST);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    const std::vector<Vertex> mesh = randomMesh(1000, 13);
    std::mt19937 random(5);
    for (const GLint base : {0, 1, 700, -150, INT_MIN, INT_MAX}) {
        CAPTURE(base);
        // Indices whose sums are in the array: what is added and what wraps come out the same.
        std::vector<GLuint> wide(120);
        std::vector<Vertex> expanded;
        for (GLuint& index : wide) {
            const GLuint element = base == 0 ? random() % 200 : 700 + random() % 200;
            index = element - static_cast<GLuint>(base);
            expanded.push_back(mesh[element]);
        }
        glBindBuffer(GL_ARRAY_BUFFER, 0);
        glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
        pointTo(expanded.data());
        const std::vector<Rgba> reference = picture(context, [] { glDrawArrays(GL_TRIANGLES, 0, 120); });
        const GLvoid* lists[2] = {wide.data(), wide.data() + 60};
        const GLsizei counts[2] = {60, 60};
        const GLint bases[2] = {base, base};
        const auto all = [&] {
            const auto draws = [&](auto draw) { CHECK(picture(context, draw) == reference); };
            draws([&] { glDrawElementsBaseVertexOES(GL_TRIANGLES, 120, GL_UNSIGNED_INT, lists[0], base); });
            draws([&] { glDrawElementsBaseVertexEXT(GL_TRIANGLES, 120, GL_UNSIGNED_INT, lists[0], base); });
            draws([&] { glDrawElementsInstancedBaseVertexOES(GL_TRIANGLES, 120, GL_UNSIGNED_INT, lists[0], 2, base); });
            draws([&] { glDrawElementsInstancedBaseVertexEXT(GL_TRIANGLES, 120, GL_UNSIGNED_INT, lists[0], 1, base); });
            draws([&] { glMultiDrawElementsBaseVertexEXT(GL_TRIANGLES, counts, GL_UNSIGNED_INT, lists, 2, bases); });
        };
        pointTo(mesh.data());
        all();
        makeBuffer(GL_ARRAY_BUFFER, mesh.data(), mesh.size() * sizeof(Vertex));
        pointToBuffer();
        all();
        makeBuffer(GL_ELEMENT_ARRAY_BUFFER, wide.data(), wide.size() * sizeof(GLuint));
        lists[0] = nullptr;
        lists[1] = reinterpret_cast<const void*>(60 * sizeof(GLuint));
        all();
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("a base vertex goes beyond what the index's type can hold") {
    TestContext context({.width = 5, .height = 5});
    useColorProgram();
    std::vector<Vertex> mesh(1000, Vertex{{0, 0, 0}, {255, 0, 0, 255}});
    mesh[900].color[1] = 255;
    pointTo(mesh.data());
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    const GLubyte index = 250;
    glDrawElementsBaseVertexOES(GL_POINTS, 1, GL_UNSIGNED_BYTE, &index, 650);
    CHECK(pixelAt(2, 2) == Rgba{255, 255, 0, 255});
}

TEST_CASE("elements of negative sums, and those beyond the arrays, read (0, 0, 0, 1) and nothing that lies there") {
    TestContext context({.width = 5, .height = 5});
    useColorProgram();
    const Vertex vertex = {{0, 0, 0}, {255, 255, 255, 255}};
    const GLuint index = 3;
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    for (const bool inBuffer : {false, true})
        for (const GLint base : {-4, INT_MIN}) {
            CAPTURE(inBuffer);
            CAPTURE(base);
            pointTo(&vertex);
            if (inBuffer) makeBuffer(GL_ARRAY_BUFFER, &vertex, sizeof vertex);
            if (inBuffer) pointToBuffer();
            glClearColor(1, 0, 0, 1);
            glClear(GL_COLOR_BUFFER_BIT);
            glDrawElementsBaseVertexOES(GL_POINTS, 1, GL_UNSIGNED_INT, &index, base);
            CHECK(pixelAt(2, 2) == Rgba{0, 0, 0, 255});
            glBindBuffer(GL_ARRAY_BUFFER, 0);
        }
    // A range that wraps in client memory would be 2^32 elements.
    pointTo(&vertex);
    const GLuint ends[2] = {0, 0xFFFFFFFF};
    glDrawElementsBaseVertexOES(GL_POINTS, 2, GL_UNSIGNED_INT, ends, 1);
    CHECK(glGetError() == GL_OUT_OF_MEMORY);
}

TEST_CASE("buffers: partial updates, replaced storage, one buffer for vertices and indices") {
    TestContext context({.width = 16, .height = 16});
    useColorProgram();
    const Vertex quad[4] = {{{-1, -1, 0}, {255, 0, 0, 255}},
                            {{1, -1, 0}, {255, 0, 0, 255}},
                            {{-1, 1, 0}, {255, 0, 0, 255}},
                            {{1, 1, 0}, {255, 0, 0, 255}}};
    const GLubyte indices[6] = {0, 1, 2, 2, 1, 3};
    GLuint buffer = makeBuffer(GL_ARRAY_BUFFER, nullptr, sizeof quad + sizeof indices);
    glBufferSubData(GL_ARRAY_BUFFER, 0, sizeof quad, quad);
    glBufferSubData(GL_ARRAY_BUFFER, sizeof quad, sizeof indices, indices);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    pointToBuffer();
    auto draw = [&] { glDrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_BYTE, reinterpret_cast<const void*>(sizeof quad)); };
    draw();
    CHECK(pixelAt(8, 8) == Rgba{255, 0, 0, 255});
    // A change between two draws is seen by the second only.
    const GLubyte blue[4] = {0, 0, 255, 255};
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 8, 16);
    draw();
    for (size_t i = 0; i < 4; ++i)
        glBufferSubData(GL_ARRAY_BUFFER, static_cast<GLintptr>(i * sizeof(Vertex) + 12), 4, blue);
    glScissor(8, 0, 8, 16);
    draw();
    CHECK(pixelAt(2, 2) == Rgba{255, 0, 0, 255});
    CHECK(pixelAt(12, 2) == Rgba{0, 0, 255, 255});
    // New storage: the old one is still what was drawn with.
    glBufferData(GL_ARRAY_BUFFER, sizeof quad, nullptr, GL_DYNAMIC_DRAW);
    CHECK(pixelAt(12, 12) == Rgba{0, 0, 255, 255});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("client arrays are read when the draw is made, not later") {
    TestContext context;
    useColorProgram();
    std::vector<Vertex> triangle = {
        {{-1, -1, 0}, {0, 255, 0, 255}}, {{3, -1, 0}, {0, 255, 0, 255}}, {{-1, 3, 0}, {0, 255, 0, 255}}};
    pointTo(triangle.data());
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    GLubyte indices[3] = {0, 1, 2};
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_BYTE, indices);
    std::memset(triangle.data(), 0, triangle.size() * sizeof(Vertex));
    std::memset(indices, 0, sizeof indices);
    triangle = {};
    CHECK(pixelAt(8, 8) == kGreen);
}
