// Targets and textures of the largest sizes: what is drawn at their far ends is drawn as anywhere else.
#include <GLES3/gl3.h>

#include <algorithm>

#include "tests/gles/fixture.h"

namespace tessera::gles_test {
namespace {

constexpr int kMost = 16384, kShort = 8;

GLuint textureOf(GLint format, int width, int height, GLenum type, const void* pixels) {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, format, width, height, 0, static_cast<GLenum>(format), type, pixels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return texture;
}

/// Texel i of a row or column has i in its first two bytes.
std::vector<Rgba> numbered() {
    std::vector<Rgba> texels(kMost);
    for (size_t i = 0; i < texels.size(); ++i)
        texels[i] = {static_cast<uint8_t>(i), static_cast<uint8_t>(i >> 8), 77, 255};
    return texels;
}

constexpr const char* kTexturedVertex =
    "attribute vec4 position; varying highp vec2 at; void main() { gl_Position = position; at = position.xy * 0.5 + "
    "0.5; }";

}  // namespace

TEST_CASE("an edge over the longest target covers the pixels whose centres it has, to both ends") {
    TestContext context;
    const GLuint program = useProgram(kPassVertex, kColorFragment);
    glUniform4f(glGetUniformLocation(program, "color"), 0, 1, 0, 1);
    for (const bool isWide : {true, false}) {
        CAPTURE(isWide);
        const int width = isWide ? kMost : kShort, height = isWide ? kShort : kMost;
        ColorTarget target(GL_RGBA8, width, height);
        glViewport(0, 0, width, height);
        glClear(GL_COLOR_BUFFER_BIT);
        const GLfloat triangle[] = {-1, -1, 1, -1, 1, 1};  // under the diagonal
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, triangle);
        glEnableVertexAttribArray(0);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        const std::vector<Rgba> pixels = readRect(0, 0, width, height);
        int wrong = 0;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                // (y + 1/2) / height < (x + 1/2) / width; the diagonal's own pixels are the triangle's above it.
                const bool isCovered = (2 * y + 1) * int64_t{width} < (2 * x + 1) * int64_t{height};
                const bool isEven = (2 * y + 1) * int64_t{width} == (2 * x + 1) * int64_t{height};
                const bool isDrawn = pixels[static_cast<size_t>(y * width + x)][1] == 255;
                wrong += !isEven && isDrawn != isCovered;
            }
        CHECK(wrong == 0);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("the largest texture is looked up texel by texel, and drawn one to one") {
    TestContext context;
    const std::vector<Rgba> texels = numbered();
    useProgram(kTexturedVertex,
               "varying highp vec2 at; uniform sampler2D image; void main() { gl_FragColor = texture2D(image, at); }");
    for (const bool isWide : {true, false}) {
        CAPTURE(isWide);
        const int width = isWide ? kMost : 1, height = isWide ? 1 : kMost;
        ColorTarget target(GL_RGBA8, width, height);
        glViewport(0, 0, width, height);
        const GLuint texture = textureOf(GL_RGBA, width, height, GL_UNSIGNED_BYTE, texels.data());
        for (const GLint filter : {GL_NEAREST, GL_LINEAR}) {  // at a texel's centre both give the texel
            CAPTURE(filter);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
            glClear(GL_COLOR_BUFFER_BIT);
            drawQuad();
            const std::vector<Rgba> pixels = readRect(0, 0, width, height);
            // A coordinate has 24 bits, of which the last are a 512th of a texel here.
            const auto wrong = std::mismatch(texels.begin(), texels.end(), pixels.begin(),
                                             [](const Rgba& a, const Rgba& b) { return near(a, b, 1); });
            CHECK(wrong.first - texels.begin() == kMost);
        }
        glDeleteTextures(1, &texture);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("scissor, points and reads reach the far corner") {
    TestContext context;
    const GLuint program = useProgram(
        "attribute vec4 position; void main() { gl_Position = position; gl_PointSize = 1.0; }", kColorFragment);
    const GLint color = glGetUniformLocation(program, "color");
    ColorTarget target(GL_RGBA8, kMost, 64, GL_DEPTH_COMPONENT16);
    glViewport(0, 0, kMost, 64);
    glEnable(GL_SCISSOR_TEST);
    glScissor(kMost - 3, 61, 3, 3);
    glClearColor(0, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glDisable(GL_SCISSOR_TEST);
    glUniform4f(color, 1, 0, 0, 1);
    const GLfloat last[] = {2 * (kMost - 0.5f) / kMost - 1, 2 * 63.5f / 64 - 1};
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, last);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_POINTS, 0, 1);
    CHECK(pixelAt(kMost - 1, 63) == Rgba{255, 0, 0, 255});
    CHECK(pixelAt(kMost - 2, 63) == Rgba{0, 0, 255, 255});
    CHECK(pixelAt(kMost - 3, 61) == Rgba{0, 0, 255, 255});
    CHECK(pixelAt(kMost - 4, 63) == Rgba{0, 0, 0, 0});
    CHECK(pixelAt(kMost - 1, 60) == Rgba{0, 0, 0, 0});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("fifteen levels of the largest texture, down to one texel, and its last texel fetched") {
    TestContext context(kEs3);
    const std::vector<Rgba> texels = numbered();
    ColorTarget target(GL_RGBA8, 16, 1);
    glViewport(0, 0, 16, 1);
    const GLuint program = useProgram(
        "#version 300 es\nlayout(location = 0) in vec4 position; void main() { gl_Position = position; }",
        "#version 300 es\nprecision highp float; precision highp int; uniform sampler2D image; out vec4 color;\n"
        "void main() {\n"
        "    int level = int(gl_FragCoord.x); ivec2 size = textureSize(image, level);\n"
        "    color = level < 15 ? vec4(float(size.x == max(16384 >> level, 1)), float(size.y), 0, 1)\n"
        "                       : texelFetch(image, ivec2(16383, 0), 0);\n"
        "}");
    REQUIRE(program != 0);
    const GLuint texture = textureOf(GL_RGBA, kMost, 1, GL_UNSIGNED_BYTE, texels.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    glGenerateMipmap(GL_TEXTURE_2D);
    drawQuad();
    for (int level = 0; level < 15; ++level) {
        CAPTURE(level);
        CHECK(pixelAt(level, 0) == Rgba{255, 255, 0, 255});
    }
    CHECK(pixelAt(15, 0) == Rgba{255, 63, 77, 255});
    glDeleteTextures(1, &texture);
    CHECK(glGetError() == GL_NO_ERROR);
}

}  // namespace tessera::gles_test
