// Draws, clears, copies and read back through the real compiler, pipeline and interpreter.
#include <GLES3/gl3.h>

#include <algorithm>
#include <array>
#include <thread>
#include <vector>

#include "api/gles/driver.h"
#include "api/gles/gles.h"
#include "tests/gles/texturing.h"

using namespace tessera::gles;
using namespace tessera::gles_test;

namespace {

constexpr uint32_t kBlack = 0xFF000000, kRed = 0xFF0000FF, kGreen = 0xFF00FF00, kBlue = 0xFFFF0000, kWhite = 0xFFFFFFFF;

/// A program that draws in one colour, current, with `position` at location 0.
struct PlainProgram {
    PlainProgram() {
        name = makeProgram(kPassVertex, kColorFragment);
        glUseProgram(name);
        color = glGetUniformLocation(name, "color");
        glEnableVertexAttribArray(0);
    }
    void setColor(float r, float g, float b) const { glUniform4f(color, r, g, b, 1); }
    GLuint name = 0;
    GLint color = -1;
};

void clearTo(float r, float g, float b) {
    glClearColor(r, g, b, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

constexpr const char* kTextureVertex = R"(
attribute vec2 position;
varying vec2 place;
void main() { gl_Position = vec4(position, 0.0, 1.0); place = position * 0.5 + 0.5; }
)";
constexpr const char* kTextureFragment = R"(
precision mediump float;
uniform sampler2D image;
varying vec2 place;
void main() { gl_FragColor = texture2D(image, place); }
)";

GLuint textureProgram() {
    GLuint name = makeProgram(kTextureVertex, kTextureFragment);
    glUseProgram(name);
    glEnableVertexAttribArray(0);
    return name;
}

}  // namespace

TEST_CASE("a draw like the last one is refused when something that it needs is gone") {
    TestContext context;
    const PlainProgram program;
    GLuint buffer = 0, framebuffer = 0, texture = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof kQuad, kQuad, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    const auto draw = [](GLenum mode = GL_TRIANGLE_STRIP, GLint first = 0, GLsizei count = 4) {
        glDrawArrays(mode, first, count);
        return glGetError();
    };
    const auto twice = [&] { return draw() == GL_NO_ERROR && draw() == GL_NO_ERROR; };
    CHECK(twice());
    CHECK(draw(GL_TRIANGLE_FAN + 1) == GL_INVALID_ENUM);
    CHECK(draw(GL_TRIANGLES, -1) == GL_INVALID_VALUE);
    CHECK(draw(GL_TRIANGLES, 0, -1) == GL_INVALID_VALUE);
    CHECK(twice());
    REQUIRE(glMapBufferOES(GL_ARRAY_BUFFER, GL_WRITE_ONLY_OES) != nullptr);
    CHECK(draw() == GL_INVALID_OPERATION);
    CHECK(draw() == GL_INVALID_OPERATION);
    CHECK(glUnmapBufferOES(GL_ARRAY_BUFFER) == GL_TRUE);
    CHECK(twice());
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    CHECK(draw() == GL_INVALID_FRAMEBUFFER_OPERATION);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    CHECK(twice());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    CHECK(draw() == GL_INVALID_FRAMEBUFFER_OPERATION);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    CHECK(twice());
}

// OES_mapbuffer, changes to section 2.9: "INVALID_OPERATION results from any GL command that reads from a mapped
// buffer".
TEST_CASE("indices of a buffer that is mapped are an error") {
    TestContext context;
    const PlainProgram program;
    const GLubyte indices[] = {0, 1, 2, 3};
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, kQuad);
    const auto draw = [] {
        glDrawElements(GL_TRIANGLE_STRIP, 4, GL_UNSIGNED_BYTE, nullptr);
        return glGetError();
    };
    CHECK(draw() == GL_NO_ERROR);
    REQUIRE(glMapBufferOES(GL_ELEMENT_ARRAY_BUFFER, GL_WRITE_ONLY_OES) != nullptr);
    CHECK(draw() == GL_INVALID_OPERATION);
    CHECK(glUnmapBufferOES(GL_ELEMENT_ARRAY_BUFFER) == GL_TRUE);
    CHECK(draw() == GL_NO_ERROR);
}

TEST_CASE("thousands of draws with states and constants of their own, executed together, are those of one at a time") {
    TestContext context(kLarge);
    const PlainProgram program;
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, kQuad);
    glEnable(GL_SCISSOR_TEST);
    const auto colorOf = [](int i) { return std::array<int, 3>{i % 251, i / 251, i % 7}; };
    constexpr int kDraws = 3 * 32 * 32;
    for (int i = 0; i < kDraws; ++i) {
        glScissor(i % 32, i / 32 % 32, 1, 1);
        const auto [red, green, blue] = colorOf(i);
        program.setColor(static_cast<float>(red) / 255, static_cast<float>(green) / 255,
                         static_cast<float>(blue) / 255);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    int wrong = 0;
    for (int y = 0; y < 32; ++y)
        for (int x = 0; x < 32; ++x) {
            const auto [red, green, blue] = colorOf(kDraws - 32 * 32 + 32 * y + x);
            wrong += packedPixelAt(x, y) != (0xFF000000u | blue << 16 | green << 8 | red);
        }
    CHECK(wrong == 0);
}

TEST_CASE("clear, scissor and colour mask") {
    TestContext context(kLarge);
    clearTo(0, 0, 1);
    CHECK(packedPixelAt(0, 0) == kBlue);
    CHECK(packedPixelAt(31, 31) == kBlue);
    glEnable(GL_SCISSOR_TEST);
    glScissor(4, 4, 8, 8);
    clearTo(1, 0, 0);
    glDisable(GL_SCISSOR_TEST);
    CHECK(packedPixelAt(4, 4) == kRed);
    CHECK(packedPixelAt(11, 11) == kRed);
    CHECK(packedPixelAt(12, 11) == kBlue);
    CHECK(packedPixelAt(3, 4) == kBlue);
    glColorMask(GL_FALSE, GL_TRUE, GL_FALSE, GL_FALSE);
    clearTo(1, 1, 1);
    CHECK(packedPixelAt(0, 0) == (kBlue | kGreen));
}

TEST_CASE("a triangle covers its half of the window") {
    TestContext context(kLarge);
    PlainProgram program;
    clearTo(0, 0, 0);
    program.setColor(0, 1, 0);
    const GLfloat triangle[] = {-1, -1, 1, -1, -1, 1};
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, triangle);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    for (int y = 0; y < kLarge.width; y += 5)
        for (int x = 0; x < kLarge.width; x += 5) {
            int edge = x + y + 1 - kLarge.width;  // centres on the diagonal may go either way
            if (edge != 0) CHECK(packedPixelAt(x, y) == (edge < 0 ? kGreen : kBlack));
        }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("recorded draws keep the uniforms, buffers and client arrays they were recorded with") {
    TestContext context(kLarge);
    PlainProgram program;
    clearTo(0, 0, 0);
    std::vector<GLfloat> left = {-1, -1, 0, -1, -1, 1, 0, 1};
    program.setColor(1, 0, 0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, left.data());
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    for (size_t i = 0; i < left.size(); i += 2) left[i] += 1;  // the right half now
    program.setColor(0, 0, 1);
    glBindBuffer(GL_ARRAY_BUFFER, 1);
    glBufferData(GL_ARRAY_BUFFER, 32, left.data(), GL_STATIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    const std::array<GLfloat, 8> nothing{};
    glBufferSubData(GL_ARRAY_BUFFER, 0, 32, nothing.data());
    program.setColor(1, 1, 1);
    CHECK(packedPixelAt(8, 16) == kRed);
    CHECK(packedPixelAt(24, 16) == kBlue);
}

TEST_CASE("what a program computes of uniforms alone is each draw's own") {
    TestContext context(kLarge);
    const GLuint program = useProgram(R"(
        attribute vec4 position;
        uniform float turn;
        void main() { gl_Position = vec4(0.5 * position.x + 0.5 * cos(3.14159265 * turn), position.yzw); })",
                                      R"(
        precision highp float;
        uniform float hue;
        void main() {
            float side = sin(1.57079633 * hue);
            gl_FragColor = vec4(max(side, 0.0), min(gl_FragCoord.x - 0.5, 0.0), max(-side, 0.0), 1.0);
        })");
    const GLint turn = glGetUniformLocation(program, "turn"), hue = glGetUniformLocation(program, "hue");
    glBindBuffer(GL_ARRAY_BUFFER, 1);
    glBufferData(GL_ARRAY_BUFFER, sizeof kQuad, kQuad, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);
    glViewport(0, 0, 8, 8);  // one tile
    for (const float sign : {1.0f, -1.0f}) {
        clearTo(0, 0, 0);
        glUniform1f(turn, 1);  // the left half
        glUniform1f(hue, sign);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        glUniform1f(turn, 0);  // the right half
        glUniform1f(hue, -sign);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        CHECK(packedPixelAt(2, 4) == (sign > 0 ? kRed : kBlue));
        CHECK(packedPixelAt(6, 4) == (sign > 0 ? kBlue : kRed));
    }
}

TEST_CASE("indexed draws from client memory and from buffers") {
    TestContext context(kLarge);
    PlainProgram program;
    clearTo(0, 0, 0);
    // Elements 0..2 are never named: only what the indices name is read.
    const GLfloat vertices[] = {-1, -1, 1, -1, -1, 1, 1, 1};
    const auto* base =
        reinterpret_cast<const GLfloat*>(reinterpret_cast<uintptr_t>(vertices) - 3 * 2 * sizeof(GLfloat));
    const GLushort indices[] = {3, 4, 5, 5, 4, 6};
    program.setColor(0, 1, 0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, base);
    glDrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_SHORT, indices);
    CHECK(packedPixelAt(1, 30) == kGreen);
    CHECK(packedPixelAt(30, 1) == kGreen);

    clearTo(0, 0, 0);
    const struct {
        GLushort pad;
        GLubyte index[3];
        GLfloat position[3][2];
    } data = {0, {0, 1, 2}, {{-1, -1}, {3, -1}, {-1, 3}}};
    glBindBuffer(GL_ARRAY_BUFFER, 1);
    glBufferData(GL_ARRAY_BUFFER, sizeof data.position, data.position, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 2);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof data, &data, GL_STATIC_DRAW);
    program.setColor(1, 0, 0);
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_BYTE, reinterpret_cast<void*>(2));
    CHECK(packedPixelAt(16, 16) == kRed);
    CHECK(packedPixelAt(31, 31) == kRed);

    // Buffers too small, offsets beyond the end: zeros are read, nothing else happens.
    glDrawElements(GL_TRIANGLES, 3000, GL_UNSIGNED_INT, reinterpret_cast<void*>(12));
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_INT, reinterpret_cast<void*>(INTPTR_MAX));
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0x7FFFFFFF, reinterpret_cast<void*>(INTPTR_MAX));
    glDrawArrays(GL_TRIANGLES, 0x7FFFFFF0, 12);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, nullptr);
    CHECK(packedPixelAt(16, 16) == kRed);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("packed client attributes of several types") {
    TestContext context(kLarge);
    GLuint name = makeProgram(R"(
attribute vec2 position;
attribute vec4 tint;
attribute float unused;
varying vec4 color;
void main() { gl_Position = vec4(position, 0.0, 1.0); color = tint; }
)",
                              R"(
precision mediump float;
varying vec4 color;
void main() { gl_FragColor = color; }
)");
    glUseProgram(name);
    struct Vertex {
        GLubyte tint[4];
        GLshort x, y;
    };
    const Vertex vertices[] = {{{0, 255, 0, 255}, -1, -1}, {{0, 255, 0, 255}, 3, -1}, {{0, 255, 0, 255}, -1, 3}};
    auto position = static_cast<GLuint>(glGetAttribLocation(name, "position"));
    auto tint = static_cast<GLuint>(glGetAttribLocation(name, "tint"));
    glVertexAttribPointer(position, 2, GL_SHORT, GL_FALSE, sizeof(Vertex), &vertices[0].x);
    glVertexAttribPointer(tint, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(Vertex), vertices[0].tint);
    glEnableVertexAttribArray(position);
    glEnableVertexAttribArray(tint);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    CHECK(packedPixelAt(0, 31) == kGreen);
    glDisableVertexAttribArray(tint);
    glVertexAttrib3f(tint, 1, 0, 0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    CHECK(packedPixelAt(0, 31) == kRed);
}

TEST_CASE("depth test and depth range") {
    TestContext context(kLarge);
    PlainProgram program;
    clearTo(0, 0, 0);
    glEnable(GL_DEPTH_TEST);
    const auto quadAt = [&](float z) {
        const GLfloat quad[] = {-1, -1, z, 1, -1, z, -1, 1, z, 1, 1, z};
        glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, quad);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    };
    program.setColor(1, 0, 0);
    quadAt(0.0f);
    program.setColor(0, 1, 0);
    quadAt(0.5f);
    CHECK(packedPixelAt(5, 5) == kRed);
    quadAt(-0.5f);
    CHECK(packedPixelAt(5, 5) == kGreen);
}

TEST_CASE("the shader extensions that are listed work") {
    TestContext context(kLarge);
    constexpr const char* kDepth = R"(#extension GL_EXT_frag_depth : require
precision mediump float;
void main() { gl_FragColor = vec4(0.0, 1.0, 0.0, 1.0); gl_FragDepthEXT = gl_FragCoord.x < 16.0 ? 0.25 : 0.75; }
)";
    clearTo(0, 0, 0);
    glEnable(GL_DEPTH_TEST);
    glUseProgram(makeProgram(kPassVertex, kDepth));
    glEnableVertexAttribArray(0);
    drawQuad();
    PlainProgram plain;
    plain.setColor(1, 0, 0);
    drawQuad();  // at depth 0.5
    CHECK(packedPixelAt(3, 3) == kGreen);
    CHECK(packedPixelAt(20, 3) == kRed);
    glDisable(GL_DEPTH_TEST);

    constexpr const char* kDerivative = R"(#extension GL_OES_standard_derivatives : require
precision mediump float;
varying vec2 place;
void main() { gl_FragColor = vec4(dFdx(place.x) * 16.0, dFdy(place.x), fwidth(place.y) * 32.0, 1.0); }
)";
    glUseProgram(makeProgram(kTextureVertex, kDerivative));
    drawQuad();
    uint32_t slope = packedPixelAt(9, 9);  // place rises by 1/32 for each pixel
    CHECK(int(slope & 0xFF) >= 127);
    CHECK(int(slope & 0xFF) <= 128);
    CHECK((slope & 0xFFFFFF00) == 0xFFFF0000);

    constexpr const char* kLod = R"(#extension GL_EXT_shader_texture_lod : require
precision mediump float;
uniform sampler2D image;
void main() { gl_FragColor = texture2DLodEXT(image, vec2(0.5), gl_FragCoord.x < 16.0 ? 0.0 : 1.0); }
)";
    const uint32_t texels[] = {kRed, kRed, kRed, kRed};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glTexImage2D(GL_TEXTURE_2D, 1, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, &kBlue);
    glUseProgram(makeProgram(kTextureVertex, kLod));
    drawQuad();
    CHECK(packedPixelAt(3, 3) == kRed);
    CHECK(packedPixelAt(20, 3) == kBlue);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("texture upload, sub-image, incompleteness") {
    TestContext context(kLarge);
    textureProgram();
    const uint32_t texels[] = {kRed, kGreen, kBlue, kWhite};
    glBindTexture(GL_TEXTURE_2D, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    drawQuad();
    CHECK(packedPixelAt(1, 1) == kBlack);  // no mipmaps, but the filter wants them
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    drawQuad();
    CHECK(packedPixelAt(1, 1) == kRed);
    CHECK(packedPixelAt(30, 1) == kGreen);
    CHECK(packedPixelAt(1, 30) == kBlue);
    CHECK(packedPixelAt(30, 30) == kWhite);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 1, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    drawQuad();
    glTexSubImage2D(GL_TEXTURE_2D, 0, 1, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texels + 2);  // after the draw
    CHECK(packedPixelAt(30, 1) == kRed);

    // Rows of three bytes are four apart by default.
    const GLubyte alphas[] = {0, 0, 0, 99, 0, 0, 255};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_ALPHA, 3, 2, 0, GL_ALPHA, GL_UNSIGNED_BYTE, alphas);
    drawQuad();
    CHECK(packedPixelAt(30, 30) == 0xFF000000);
    CHECK(packedPixelAt(30, 1) == 0);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("render to texture, copy, generate mipmaps, read back") {
    TestContext context(kLarge);
    PlainProgram plain;
    glBindTexture(GL_TEXTURE_2D, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glBindFramebuffer(GL_FRAMEBUFFER, 1);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 1, 0);
    glViewport(0, 0, 16, 16);
    CHECK(packedPixelAt(0, 0) == 0);  // fresh images are zero
    clearTo(0, 0, 1);
    glViewport(0, 0, 8, 16);
    plain.setColor(1, 0, 0);
    drawQuad();
    CHECK(packedPixelAt(7, 8) == kRed);
    CHECK(packedPixelAt(8, 8) == kBlue);

    glBindTexture(GL_TEXTURE_2D, 2);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 4, 0, 8, 8, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glGenerateMipmap(GL_TEXTURE_2D);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, 32, 32);
    textureProgram();
    drawQuad();
    CHECK(packedPixelAt(1, 16) == kRed);
    CHECK(packedPixelAt(30, 16) == kBlue);
    glViewport(0, 0, 1, 1);
    drawQuad();  // the smallest level: the mean of both halves
    uint32_t mean = packedPixelAt(0, 0);
    CHECK(int(mean & 0xFF) >= 127);
    CHECK(int(mean & 0xFF) <= 128);
    CHECK(int(mean >> 16 & 0xFF) >= 127);
    CHECK(int(mean >> 24) == 255);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("glReadPixels leaves memory outside the framebuffer alone, and keeps the alignment") {
    TestContext context(kLarge);
    clearTo(0, 1, 0);
    std::vector<uint32_t> pixels(16, 0x11111111);
    glReadPixels(-2, 30, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    for (size_t i = 0; i < 16; ++i) {
        bool inside = i % 4 >= 2 && i / 4 < 2;
        CHECK(pixels[i] == (inside ? kGreen : 0x11111111u));
    }
    glReadPixels(INT32_MIN, INT32_MAX, INT32_MAX, INT32_MAX, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    glReadPixels(0, 0, 1, 1, GL_BGRA_EXT, GL_UNSIGNED_BYTE, pixels.data());
    CHECK(pixels[0] == kGreen);
    glReadPixels(0, 0, 1, 1, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, pixels.data());
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glBindRenderbuffer(GL_RENDERBUFFER, 1);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGB565, 2, 2);
    glBindFramebuffer(GL_FRAMEBUFFER, 1);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, 1);
    CHECK(getInt(GL_IMPLEMENTATION_COLOR_READ_TYPE) == GL_UNSIGNED_SHORT_5_6_5);
    CHECK(packedPixelAt(0, 0) == kBlack);  // no alpha channel: alpha is 1 even where nothing was drawn
    clearTo(1, 0, 0);
    std::array<GLushort, 6> rows{};
    glPixelStorei(GL_PACK_ALIGNMENT, 8);
    glReadPixels(0, 0, 1, 2, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, rows.data());
    CHECK((rows[0] == 0xF800 && rows[1] == 0 && rows[4] == 0xF800));
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("draws that share their state see each change between them, whoever makes it") {
    TestContext context(kLarge);
    const PlainProgram program;
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    constexpr GLfloat kLeft[] = {-1, -1, 0, -1, -1, 1, 0, 1}, kRight[] = {0, -1, 1, -1, 0, 1, 1, 1};
    glBufferData(GL_ARRAY_BUFFER, sizeof kLeft, kLeft, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    const auto draw = [&](float r, float g, float b) {
        program.setColor(r, g, b);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    };
    const auto check = [](uint32_t left, uint32_t right) {
        CHECK(packedPixelAt(4, 16) == left);
        CHECK(packedPixelAt(28, 16) == right);
    };
    clearTo(0, 0, 0);
    SUBCASE("uniforms alone") {
        glEnable(GL_BLEND);
        glBlendFunc(GL_ONE, GL_ONE);
        draw(1, 0, 0);
        draw(0, 1, 0);
        draw(0, 0, 1);
        check(kWhite, kBlack);
    }
    SUBCASE("this context: vertices, mask, scissor") {
        draw(1, 0, 0);
        glBufferSubData(GL_ARRAY_BUFFER, 0, sizeof kRight, kRight);
        draw(0, 1, 0);
        check(kRed, kGreen);
        glColorMask(GL_TRUE, GL_FALSE, GL_FALSE, GL_TRUE);
        draw(1, 1, 1);
        check(kRed, kRed | kGreen);
        glEnable(GL_SCISSOR_TEST);
        glScissor(0, 0, 1, 1);
        draw(0, 0, 0);
        check(kRed, kRed | kGreen);
    }
    SUBCASE("a context that shares the buffer, between two draws of this one") {
        draw(1, 0, 0);
        {
            TestContext other({.width = kLarge.width, .height = kLarge.height, .share = &context});
            glBindBuffer(GL_ARRAY_BUFFER, buffer);
            glBufferSubData(GL_ARRAY_BUFFER, 0, sizeof kRight, kRight);
        }
        context.makeCurrent();
        draw(0, 1, 0);
        check(kRed, kGreen);
    }
    SUBCASE("another drawable") {
        draw(1, 0, 0);
        TestContext other({.width = kLarge.width, .height = kLarge.height, .share = &context});
        makeCurrent(context.context(), other.drawable(), other.drawable());
        draw(0, 1, 0);
        check(kGreen, 0);
        context.makeCurrent();
        check(kRed, kBlack);
    }
    SUBCASE("other images in the drawable") {
        draw(1, 0, 0);
        const auto old = context.drawable()->color;
        context.drawable()->color =
            std::make_shared<tessera::texture::Image>(tessera::texture::PixelFormat::Rgba8, kLarge.width, kLarge.width);
        draw(0, 1, 0);
        check(kGreen, 0);
        CHECK(old->texel32(4, 16) == kRed);
    }
}

TEST_CASE("two threads draw with shared objects that both change") {
    TestContext first(kLarge);
    GLuint name = makeProgram(kPassVertex, kColorFragment);
    glBindBuffer(GL_ARRAY_BUFFER, 1);
    glBufferData(GL_ARRAY_BUFFER, sizeof kQuad, kQuad, GL_DYNAMIC_DRAW);
    glBindTexture(GL_TEXTURE_2D, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    TestContext::makeNoneCurrent();
    TestContext second({.width = kLarge.width, .height = kLarge.height, .share = &first});
    TestContext::makeNoneCurrent();

    const auto work = [name](const TestContext& context, uint32_t& last) {
        context.makeCurrent();
        glUseProgram(name);
        glBindBuffer(GL_ARRAY_BUFFER, 1);
        glBindTexture(GL_TEXTURE_2D, 1);
        glEnableVertexAttribArray(0);
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
        const uint32_t texel = kRed;
        for (int i = 0; i < 50; ++i) {
            glBufferSubData(GL_ARRAY_BUFFER, 0, sizeof kQuad, kQuad);
            glUniform4f(glGetUniformLocation(name, "color"), 0, 1, 0, 1);
            glTexSubImage2D(GL_TEXTURE_2D, 0, i % 8, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &texel);
            glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
            if (i % 7 == 0) glFlush();
            if (i % 16 == 0) glFinish();
        }
        last = packedPixelAt(9, 9);
        TestContext::makeNoneCurrent();
    };
    uint32_t lastFirst = 0, lastSecond = 0;
    std::thread other([&] { work(second, lastSecond); });
    work(first, lastFirst);
    other.join();
    CHECK(lastFirst == kGreen);
    CHECK(lastSecond == kGreen);
    first.makeCurrent();
}

TEST_CASE("a surfaceless context draws to framebuffer objects only") {
    TestContext context(kLarge);
    makeCurrent(context.context(), nullptr, nullptr);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_UNDEFINED_OES);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(glGetError() == GL_INVALID_FRAMEBUFFER_OPERATION);
    CHECK(getInt(GL_RED_BITS) == 0);
    glBindRenderbuffer(GL_RENDERBUFFER, 1);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8_OES, 4, 4);
    glBindFramebuffer(GL_FRAMEBUFFER, 1);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, 1);
    clearTo(1, 1, 1);
    CHECK(packedPixelAt(3, 3) == kWhite);
}

TEST_CASE("draws see the texture as it was when they were called, however it is sent anew afterwards") {
    TestContext context(kLarge);
    textureProgram();
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    constexpr int kSide = 16;
    const auto solid = [](uint32_t color) { return std::vector<uint32_t>(kSide * kSide, color); };
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, kSide, kSide, 0, GL_RGBA, GL_UNSIGNED_BYTE, solid(kWhite).data());
    glEnable(GL_SCISSOR_TEST);
    const uint32_t colors[] = {kRed, kGreen, kBlue, kWhite};
    for (GLint filter : {GL_NEAREST, GL_NEAREST_MIPMAP_NEAREST}) {
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
        for (bool respecifies : {false, true}) {
            // Columns of the window: each drawn with another content, all recorded before any is executed.
            for (int x = 0; x < kLarge.width; ++x) {
                const std::vector<uint32_t> texels = solid(colors[x % 4]);
                if (respecifies)
                    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, kSide, kSide, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
                else
                    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kSide, kSide, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
                // Every third column a part of it is sent once more.
                if (x % 3 == 0)
                    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, kSide / 2, kSide, kSide / 2, GL_RGBA, GL_UNSIGNED_BYTE,
                                    solid(kBlack).data());
                if (filter != GL_NEAREST) glGenerateMipmap(GL_TEXTURE_2D);
                glScissor(x, 0, 1, kLarge.width);
                drawQuad();
                if (x == 11) glFinish();
            }
            int wrong = 0;
            for (int x = 0; x < kLarge.width; ++x) {
                wrong += packedPixelAt(x, 2) != colors[x % 4];
                wrong += packedPixelAt(x, kLarge.width - 3) != (x % 3 == 0 ? kBlack : colors[x % 4]);
            }
            CHECK(wrong == 0);
        }
    }
}
