// Fragments and their built-in inputs: points, lines, discard, facing, coordinates, interpolation; viewports (2.12,
// 3.3, 3.4, 3.8).
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "tests/gles/texturing.h"

using namespace tessera::gles_test;

namespace {

constexpr Rgba kGreen = {0, 255, 0, 255}, kNothing = {0, 0, 0, 0};

const char* const kPointVertex =
    "attribute vec4 position; uniform float size; void main() { gl_Position = position; gl_PointSize = size; }";

void drawPoint(GLuint program, double x, double y, double size, int side) {
    const GLfloat at[2] = {static_cast<GLfloat>(x / side * 2 - 1), static_cast<GLfloat>(y / side * 2 - 1)};
    glUniform1f(glGetUniformLocation(program, "size"), static_cast<GLfloat>(size));
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, at);
    glDrawArrays(GL_POINTS, 0, 1);
}

}  // namespace

TEST_CASE("point sprites are squares of their size with coordinates over them") {
    constexpr int kSide = 40;
    TestContext context({.width = kSide, .height = kSide});
    GLuint program = useProgram(kPointVertex,
                                "precision highp float; void main() { gl_FragColor = vec4(gl_PointCoord, 0.0, 1.0); }");
    for (double size : {1.0, 2.0, 3.0, 5.5, 8.0, 17.0, 30.0})
        for (auto [x, y] : {std::array{20.25, 19.75}, {7.3, 30.6}, {0.7, 39.2}}) {
            CAPTURE(size);
            CAPTURE(x);
            glClear(GL_COLOR_BUFFER_BIT);
            drawPoint(program, x, y, size, kSide);
            std::vector<Rgba> pixels = readRect(0, 0, kSide, kSide);
            int wrong = 0;
            for (int j = 0; j < kSide; ++j)
                for (int i = 0; i < kSide; ++i) {
                    double dx = i + 0.5 - x, dy = j + 0.5 - y, far = std::max(std::abs(dx), std::abs(dy));
                    if (std::abs(far - size / 2) < 0.01) continue;  // snapping decides
                    Rgba got = pixels[static_cast<size_t>(j * kSide + i)];
                    if (far > size / 2) {
                        wrong += got != kNothing;
                        continue;
                    }
                    // Section 3.3: s from left to right, t from top to bottom.
                    double s = 0.5 + dx / size, t = 0.5 - dy / size;
                    wrong += std::abs(got[0] - 255 * s) > 2 || std::abs(got[1] - 255 * t) > 2 || got[3] != 255;
                }
            CHECK(wrong == 0);
        }
}

TEST_CASE("point sizes are clamped to the supported range") {
    constexpr int kSide = 300;
    TestContext context({.width = kSide, .height = kSide});
    GLuint program = useProgram(kPointVertex, kColorFragment);
    glUniform4f(glGetUniformLocation(program, "color"), 0, 1, 0, 1);
    GLfloat range[2] = {};
    glGetFloatv(GL_ALIASED_POINT_SIZE_RANGE, range);
    auto width = [&](double size) {
        glClear(GL_COLOR_BUFFER_BIT);
        drawPoint(program, 150.5, 150.5, size, kSide);
        int n = 0;
        for (const Rgba& pixel : readRect(0, 150, kSide, 1)) n += pixel == kGreen;
        return n;
    };
    CHECK(std::abs(width(1e9) - static_cast<double>(range[1])) <= 1);
    CHECK(width(0.01) == 1);
    CHECK(width(21) == 21);
}

TEST_CASE("points are clipped by the near and far planes only") {  // section 2.13
    TestContext context({.width = 32, .height = 32});
    GLuint program = useProgram(kPointVertex, kColorFragment);
    glUniform4f(glGetUniformLocation(program, "color"), 0, 1, 0, 1);
    drawPoint(program, -3, 16, 20, 32);  // its vertex is left of the window, a part of it is in sight
    CHECK(pixelAt(5, 16) == kGreen);
    CHECK(pixelAt(8, 16) == kNothing);
    glClear(GL_COLOR_BUFFER_BIT);
    for (GLfloat z : {-1.01f, 1.01f}) {
        const GLfloat at[3] = {0, 0, z};
        glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, at);
        glDrawArrays(GL_POINTS, 0, 1);
        CHECK(pixelAt(16, 16) == kNothing);
    }
    const GLfloat at[3] = {0, 0, 1};
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, at);
    glDrawArrays(GL_POINTS, 0, 1);
    CHECK(pixelAt(16, 16) == kGreen);
}

TEST_CASE("wide lines are as many pixels across their minor axis") {
    TestContext context({.width = 32, .height = 32});
    GLuint program = useProgram(kPassVertex, kColorFragment);
    glUniform4f(glGetUniformLocation(program, "color"), 0, 1, 0, 1);
    glEnableVertexAttribArray(0);
    GLfloat range[2] = {};
    glGetFloatv(GL_ALIASED_LINE_WIDTH_RANGE, range);
    const GLfloat flat[2][2] = {{-2, 0.03f}, {2, 0.03f}}, diagonal[2][2] = {{-2, -1}, {2, 1}};
    for (int width : {1, 2, 3, 4, 7}) {
        if (static_cast<float>(width) > range[1]) continue;
        glLineWidth(static_cast<GLfloat>(width));
        for (const auto& line : {flat, diagonal}) {
            glClear(GL_COLOR_BUFFER_BIT);
            glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, line);
            glDrawArrays(GL_LINES, 0, 2);
            std::vector<Rgba> pixels = readRect(0, 0, 32, 32);
            for (int x = 8; x < 24; ++x) {
                int n = 0;
                for (int y = 0; y < 32; ++y) n += pixels[static_cast<size_t>(y * 32 + x)] == kGreen;
                CAPTURE(width);
                CHECK(n == width);
            }
        }
    }
}

TEST_CASE("gl_FragCoord is the pixel's centre, its depth, and 1/w") {
    TestContext context({.width = 64, .height = 32});
    GLuint program = useProgram(
        "attribute vec4 position; uniform float w; void main() { gl_Position = position * w; }",
        "precision highp float; void main() { gl_FragColor = vec4(gl_FragCoord.x / 64.0, gl_FragCoord.y / 32.0, "
        "gl_FragCoord.z, gl_FragCoord.w); }");
    glUniform1f(glGetUniformLocation(program, "w"), 4);
    drawQuad(0.5f);
    for (int y : {0, 7, 31})
        for (int x : {0, 1, 40, 63}) {
            Rgba got = pixelAt(x, y);
            CHECK(std::abs(got[0] - (x + 0.5) / 64 * 255) <= 0.51);
            CHECK(std::abs(got[1] - (y + 0.5) / 32 * 255) <= 0.51);
            CHECK(std::abs(got[2] - 0.75 * 255) <= 0.51);
            CHECK(std::abs(got[3] - 0.25 * 255) <= 0.51);
        }
}

TEST_CASE("discard leaves colour, depth and stencil alone") {
    TestContext context({.width = 8, .height = 8});
    GLuint program = useProgram(kPassVertex,
                                "precision highp float; uniform vec4 color; uniform float limit; void main() { if "
                                "(gl_FragCoord.x > limit) discard; gl_FragColor = color; }");
    GLint color = glGetUniformLocation(program, "color"), limit = glGetUniformLocation(program, "limit");
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_ALWAYS, 1, ~0u);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    glUniform4f(color, 1, 0, 0, 1);
    glUniform1f(limit, 4);
    drawQuad(-0.5f);
    glUniform4f(color, 0, 1, 0, 1);
    glUniform1f(limit, 100);
    drawQuad(0.5f);  // behind what was drawn, in front of what was discarded
    for (int x = 0; x < 8; ++x) CHECK(pixelAt(x, 3) == (x < 4 ? Rgba{255, 0, 0, 255} : kGreen));
    glDisable(GL_DEPTH_TEST);
    glStencilFunc(GL_EQUAL, 1, ~0u);
    glUniform4f(color, 0, 0, 1, 1);
    drawQuad();
    CHECK(pixelAt(2, 2) == Rgba{0, 0, 255, 255});
}

TEST_CASE("gl_FrontFacing") {
    TestContext context;
    useProgram(kPassVertex,
               "void main() { gl_FragColor = gl_FrontFacing ? vec4(0.0, 1.0, 0.0, 1.0) : vec4(1.0, 0.0, 0.0, 1.0); }");
    const GLfloat ccw[3][2] = {{-1, -1}, {3, -1}, {-1, 3}}, cw[3][2] = {{-1, -1}, {-1, 3}, {3, -1}};
    glEnableVertexAttribArray(0);
    for (GLenum frontFace : {GL_CCW, GL_CW}) {
        glFrontFace(frontFace);
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, ccw);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        CHECK((pixelAt(5, 5) == kGreen) == (frontFace == GL_CCW));
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, cw);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        CHECK((pixelAt(5, 5) == kGreen) == (frontFace == GL_CW));
    }
    glDrawArrays(GL_POINTS, 0, 1);  // points and lines are front facing
}

TEST_CASE("varyings are interpolated with perspective") {
    TestContext context({.width = 32, .height = 32});
    useProgram(
        "attribute vec4 position; attribute float value; varying float v; void main() { v = value; gl_Position = "
        "position; }",
        "precision highp float; varying float v; void main() { gl_FragColor = vec4(v, 0.0, 0.0, 1.0); }");
    GLint program = 0;
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    auto value = static_cast<GLuint>(glGetAttribLocation(static_cast<GLuint>(program), "value"));
    // w grows from 1 at the left to 4 at the right.
    const GLfloat quad[4][5] = {{-1, -1, 0, 1, 0}, {4, -4, 0, 4, 1}, {-1, 1, 0, 1, 0}, {4, 4, 0, 4, 1}};
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(value);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 20, quad);
    glVertexAttribPointer(value, 1, GL_FLOAT, GL_FALSE, 20, &quad[0][4]);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    double worst = 0;
    for (int x = 0; x < 32; ++x) {
        double a = (x + 0.5) / 32;
        double expected = (a / 4) / ((1 - a) + a / 4);
        for (int y : {1, 17, 30}) worst = std::max(worst, std::abs(pixelAt(x, y)[0] - expected * 255));
    }
    CHECK(worst <= 0.75);
}

TEST_CASE("viewports place and scale, and reach outside the framebuffer") {
    TestContext context({.width = 32, .height = 32});
    GLuint program = useProgram(kPassVertex, kColorFragment);
    glUniform4f(glGetUniformLocation(program, "color"), 0, 1, 0, 1);
    for (auto [x, y, w, h] : {std::array{0, 0, 32, 32},
                              {3, 4, 10, 7},
                              {-8, -8, 16, 16},
                              {20, 20, 100, 100},
                              {-1000, -1000, 2010, 2020},
                              {5, 5, 0, 10},
                              {5, 5, 10, 0},
                              {40, 0, 10, 10}}) {
        CAPTURE(x);
        CAPTURE(w);
        glClear(GL_COLOR_BUFFER_BIT);
        glViewport(x, y, w, h);
        drawQuad();
        std::vector<Rgba> pixels = readRect(0, 0, 32, 32);
        int wrong = 0;
        for (int j = 0; j < 32; ++j)
            for (int i = 0; i < 32; ++i) {
                bool in = i >= x && i < x + w && j >= y && j < y + h;
                wrong += (pixels[static_cast<size_t>(j * 32 + i)] == kGreen) != in;
            }
        CHECK(wrong == 0);
    }
}

TEST_CASE("vertex shaders look textures up") {
    TestContext context({.width = 16, .height = 16});
    useProgram(
        "attribute vec4 position; uniform sampler2D image; varying vec4 color; void main() { color = "
        "texture2DLod(image, position.xy * 0.5 + 0.5, 0.0); gl_Position = position; gl_PointSize = 1.0; }",
        "precision highp float; varying vec4 color; void main() { gl_FragColor = color; }");
    bindNewTexture(GL_TEXTURE_2D);
    std::mt19937 random(1);
    std::vector<Rgba> image(256);
    for (Rgba& pixel : image)
        for (uint8_t& c : pixel) c = static_cast<uint8_t>(random());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, image.data());
    std::vector<GLfloat> points;
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 16; ++x) {
            points.push_back((static_cast<GLfloat>(x) + 0.5f) / 8 - 1);
            points.push_back((static_cast<GLfloat>(y) + 0.5f) / 8 - 1);
        }
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, points.data());
    glDrawArrays(GL_POINTS, 0, 256);
    CHECK(readRect(0, 0, 16, 16) == image);
}
