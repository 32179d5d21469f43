// Completeness (section 3.7.10) and mipmaps (3.7.11): what an incomplete texture gives, what glGenerateMipmap makes.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "tests/gles/texturing.h"

using namespace tessera::gles_test;

namespace {

constexpr Rgba kBlack = {0, 0, 0, 255};
constexpr Rgba kOrange = {255, 128, 0, 64};

void image(GLenum target, GLint level, GLenum format, int width, int height, GLenum type = GL_UNSIGNED_BYTE) {
    std::vector<Rgba> data(static_cast<size_t>(width * height), kOrange);
    glTexImage2D(target, level, static_cast<GLint>(format), width, height, 0, format, type, data.data());
}

void minFilter(GLenum target, GLenum filter) {
    glTexParameteri(target, GL_TEXTURE_MIN_FILTER, static_cast<GLint>(filter));
}

Rgba sampled() {
    drawQuad();
    return pixelAt(1, 1);
}

constexpr GLenum kMipFilters[] = {GL_NEAREST_MIPMAP_NEAREST, GL_LINEAR_MIPMAP_NEAREST, GL_NEAREST_MIPMAP_LINEAR,
                                  GL_LINEAR_MIPMAP_LINEAR};

GLuint useCubeProgram() {
    return useProgram(kPassVertex,
                      "precision highp float; uniform samplerCube image; void main() { gl_FragColor = "
                      "textureCube(image, vec3(0.1, 0.2, 1.0)); }");
}

}  // namespace

TEST_CASE("incomplete 2D textures sample as black") {
    TestContext context({.width = 4, .height = 4});
    useTextureProgram();
    CHECK(sampled() == kBlack);  // the default texture has no image
    bindNewTexture(GL_TEXTURE_2D);
    CHECK(sampled() == kBlack);  // nor has a new one
    image(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4);
    CHECK(sampled() == kOrange);
    for (GLenum filter : kMipFilters) {
        minFilter(GL_TEXTURE_2D, filter);
        CHECK(sampled() == kBlack);  // no levels 1 and 2
    }
    image(GL_TEXTURE_2D, 1, GL_RGBA, 2, 2);
    CHECK(sampled() == kBlack);
    image(GL_TEXTURE_2D, 2, GL_RGBA, 1, 1);
    CHECK(sampled() == kOrange);
    image(GL_TEXTURE_2D, 1, GL_RGBA, 2, 1);  // a wrong size
    CHECK(sampled() == kBlack);
    image(GL_TEXTURE_2D, 1, GL_LUMINANCE_ALPHA, 2, 2);  // a wrong format
    CHECK(sampled() == kBlack);
    image(GL_TEXTURE_2D, 1, GL_RGBA, 2, 2, GL_UNSIGNED_SHORT_4_4_4_4);  // a wrong type
    CHECK(sampled() == kBlack);
    image(GL_TEXTURE_2D, 1, GL_RGBA, 2, 2);
    CHECK(sampled() == kOrange);
    image(GL_TEXTURE_2D, 1, GL_RGBA, 0, 0);
    CHECK(sampled() == kBlack);
    minFilter(GL_TEXTURE_2D, GL_LINEAR);  // without mipmaps only level 0 matters
    CHECK(sampled() == kOrange);
    image(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0);
    CHECK(sampled() == kBlack);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("levels may be given in any order, and more than are needed") {
    TestContext context({.width = 4, .height = 4});
    useTextureProgram();
    bindNewTexture(GL_TEXTURE_2D);
    minFilter(GL_TEXTURE_2D, GL_NEAREST_MIPMAP_NEAREST);
    for (GLint level : {2, 5, 0, 1}) {
        CHECK(sampled() == kBlack);
        image(GL_TEXTURE_2D, level, GL_RGBA, std::max(4 >> level, 1), std::max(4 >> level, 1));
    }
    CHECK(sampled() == kOrange);
    bindNewTexture(GL_TEXTURE_2D);  // 8 x 2: 8x2, 4x1, 2x1, 1x1
    minFilter(GL_TEXTURE_2D, GL_NEAREST_MIPMAP_NEAREST);
    for (GLint level = 0; level < 4; ++level) {
        CHECK(sampled() == kBlack);
        image(GL_TEXTURE_2D, level, GL_RGBA, std::max(8 >> level, 1), std::max(2 >> level, 1));
    }
    CHECK(sampled() == kOrange);
}

TEST_CASE("incomplete cube maps sample as black") {
    TestContext context({.width = 4, .height = 4});
    useCubeProgram();
    bindNewTexture(GL_TEXTURE_CUBE_MAP);
    for (GLenum face = GL_TEXTURE_CUBE_MAP_POSITIVE_X; face <= GL_TEXTURE_CUBE_MAP_NEGATIVE_Z; ++face) {
        CHECK(sampled() == kBlack);
        image(face, 0, GL_RGBA, 2, 2);
    }
    CHECK(sampled() == kOrange);
    image(GL_TEXTURE_CUBE_MAP_POSITIVE_Y, 0, GL_RGBA, 4, 4);  // another size
    CHECK(sampled() == kBlack);
    image(GL_TEXTURE_CUBE_MAP_POSITIVE_Y, 0, GL_LUMINANCE, 2, 2);  // another format
    CHECK(sampled() == kBlack);
    image(GL_TEXTURE_CUBE_MAP_POSITIVE_Y, 0, GL_RGBA, 2, 2, GL_UNSIGNED_SHORT_4_4_4_4);  // another type
    CHECK(sampled() == kBlack);
    image(GL_TEXTURE_CUBE_MAP_POSITIVE_Y, 0, GL_RGBA, 2, 2);
    CHECK(sampled() == kOrange);
    minFilter(GL_TEXTURE_CUBE_MAP, GL_NEAREST_MIPMAP_NEAREST);
    CHECK(sampled() == kBlack);
    for (GLenum face = GL_TEXTURE_CUBE_MAP_POSITIVE_X; face <= GL_TEXTURE_CUBE_MAP_NEGATIVE_Z; ++face) {
        CHECK(sampled() == kBlack);
        image(face, 1, GL_RGBA, 1, 1);
    }
    CHECK(sampled() == kOrange);
}

TEST_CASE("a deleted texture is the default one, and vertex shaders see incompleteness too") {
    TestContext context({.width = 4, .height = 4});
    useTextureProgram();
    GLuint texture = bindNewTexture(GL_TEXTURE_2D);
    image(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4);
    CHECK(sampled() == kOrange);
    glDeleteTextures(1, &texture);
    CHECK(sampled() == kBlack);
    // The default texture is one like any other.
    minFilter(GL_TEXTURE_2D, GL_NEAREST);
    image(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2);
    CHECK(sampled() == kOrange);

    useProgram(
        "attribute vec4 position; uniform sampler2D image; varying vec4 color; void main() { color = "
        "texture2D(image, vec2(0.5)); gl_Position = position; }",
        "precision mediump float; varying vec4 color; void main() { gl_FragColor = color; }");
    CHECK(sampled() == kOrange);
    minFilter(GL_TEXTURE_2D, GL_LINEAR_MIPMAP_LINEAR);
    CHECK(sampled() == kBlack);
}

namespace {

/// Reads level `level` of the bound texture texel by texel, with textureLod in the vertex shader.
class LevelReader {
public:
    LevelReader(const char* sampler, const char* lookup)
        : program_(makeProgram(std::string("attribute vec4 position; uniform ") + sampler +
                                   " image; uniform vec4 at; varying vec4 color; void main() { color = " + lookup +
                                   "; gl_Position = position; }",
                               "precision highp float; varying vec4 color; void main() { gl_FragColor = color; }")) {
        REQUIRE(program_ != 0);
    }
    Rgba operator()(double x, double y, double z, int level) const {
        glUseProgram(program_);
        glUniform4f(glGetUniformLocation(program_, "at"), static_cast<GLfloat>(x), static_cast<GLfloat>(y),
                    static_cast<GLfloat>(z), static_cast<GLfloat>(level));
        drawQuad();
        return pixelAt(1, 1);
    }

private:
    GLuint program_;
};

std::vector<Rgba> randomTexels(int count, std::mt19937& random) {
    std::vector<Rgba> texels(static_cast<size_t>(count));
    for (Rgba& texel : texels)
        for (uint8_t& channel : texel) channel = static_cast<uint8_t>(random());
    return texels;
}

/// Mean of the texels of level 0 that a texel of a level of a power-of-two image covers.
std::array<double, 4> boxMean(const std::vector<Rgba>& base, int width, int height, int level, int x, int y) {
    int w = std::min(1 << level, width), h = std::min(1 << level, height);
    std::array<double, 4> sum{};
    for (int j = 0; j < h; ++j)
        for (int i = 0; i < w; ++i)
            for (size_t c = 0; c < 4; ++c) sum[c] += base[static_cast<size_t>((y * h + j) * width + x * w + i)][c];
    for (double& channel : sum) channel /= w * h;
    return sum;
}

bool nearMean(const Rgba& got, const std::array<double, 4>& mean, double tolerance) {
    for (size_t c = 0; c < 4; ++c)
        if (std::abs(got[c] - mean[c]) > tolerance) return false;
    return true;
}

}  // namespace

TEST_CASE("glGenerateMipmap halves with a box filter") {
    TestContext context({.width = 4, .height = 4});
    LevelReader read("sampler2D", "texture2DLod(image, at.xy, at.w)");
    std::mt19937 random(12);
    for (auto [width, height] : {std::array{8, 8}, {16, 2}, {1, 8}, {2, 2}, {1, 1}}) {
        CAPTURE(width);
        CAPTURE(height);
        bindNewTexture(GL_TEXTURE_2D);
        minFilter(GL_TEXTURE_2D, GL_NEAREST_MIPMAP_NEAREST);
        std::vector<Rgba> base = randomTexels(width * height, random);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, base.data());
        glGenerateMipmap(GL_TEXTURE_2D);
        for (int level = 0; (std::max(width, height) >> level) > 0; ++level) {
            int w = std::max(width >> level, 1), h = std::max(height >> level, 1);
            int wrong = 0;
            for (int y = 0; y < h; ++y)
                for (int x = 0; x < w; ++x) {
                    // Half a unit for each rounding on the way.
                    Rgba got = read((x + 0.5) / w, (y + 0.5) / h, 0, level);
                    wrong += !nearMean(got, boxMean(base, width, height, level, x, y), 0.501 * std::max(level, 1));
                }
            CAPTURE(level);
            CHECK(wrong == 0);
        }
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("glGenerateMipmap makes the levels of every format, cube maps face by face, and keeps the base") {
    TestContext context({.width = 4, .height = 4});
    LevelReader flat("sampler2D", "texture2DLod(image, at.xy, at.w)");
    const struct {
        GLenum format, type;
        Rgba mean;
    } cases[] = {{GL_RGB, GL_UNSIGNED_BYTE, {30, 60, 90, 255}},
                 {GL_LUMINANCE, GL_UNSIGNED_BYTE, {30, 30, 30, 255}},
                 {GL_ALPHA, GL_UNSIGNED_BYTE, {0, 0, 0, 30}},
                 {GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, {30, 30, 30, 60}},
                 {GL_RGBA, GL_UNSIGNED_BYTE, {30, 60, 90, 120}}};
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    for (const auto& row : cases) {
        CAPTURE(row.format);
        // Four texels around the mean.
        int channels = row.format == GL_RGBA ? 4 : row.format == GL_RGB ? 3 : row.format == GL_LUMINANCE_ALPHA ? 2 : 1;
        std::vector<uint8_t> data;
        for (int offset : {-20, 10, 30, -20})
            for (int c = 0; c < channels; ++c) data.push_back(static_cast<uint8_t>(30 * (c + 1) + offset));
        bindNewTexture(GL_TEXTURE_2D);
        minFilter(GL_TEXTURE_2D, GL_NEAREST_MIPMAP_NEAREST);
        glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(row.format), 2, 2, 0, row.format, row.type, data.data());
        Rgba before = flat(0.75, 0.25, 0, 0);
        glGenerateMipmap(GL_TEXTURE_2D);
        CHECK(flat(0.75, 0.25, 0, 1) == row.mean);
        if (before != kBlack) CHECK(flat(0.75, 0.25, 0, 0) == before);
    }
    LevelReader cube("samplerCube", "textureCubeLod(image, at.xyz, at.w)");
    bindNewTexture(GL_TEXTURE_CUBE_MAP);
    minFilter(GL_TEXTURE_CUBE_MAP, GL_NEAREST_MIPMAP_NEAREST);
    for (int face = 0; face < 6; ++face) {
        auto level = [&](int offset) { return static_cast<uint8_t>(face * 30 + 40 + offset); };
        const Rgba data[4] = {
            {level(-8), 0, 0, 255}, {level(8), 0, 0, 255}, {level(20), 0, 0, 255}, {level(-20), 0, 0, 255}};
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + static_cast<GLenum>(face), 0, GL_RGBA, 2, 2, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, data);
    }
    glGenerateMipmap(GL_TEXTURE_CUBE_MAP);
    const double directions[6][3] = {{1, 0.1, 0.1},  {-1, 0.1, 0.1}, {0.1, 1, 0.1},
                                     {0.1, -1, 0.1}, {0.1, 0.1, 1},  {0.1, 0.1, -1}};
    for (int face = 0; face < 6; ++face)
        CHECK(cube(directions[face][0], directions[face][1], directions[face][2], 1) ==
              Rgba{static_cast<uint8_t>(face * 30 + 40), 0, 0, 255});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("the level is chosen by the derivatives, the bias and the filter") {
    TestContext context({.width = 32, .height = 32});
    GLuint program = useProgram(
        "attribute vec4 position; varying highp vec2 at; void main() { at = position.xy * 0.5 + 0.5; gl_Position = "
        "position; }",
        "precision highp float; uniform sampler2D image; uniform float scale; uniform float bias; varying highp vec2 "
        "at; void main() { gl_FragColor = texture2D(image, at * scale, bias); }");
    bindNewTexture(GL_TEXTURE_2D);
    minFilter(GL_TEXTURE_2D, GL_NEAREST_MIPMAP_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_REPEAT);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_REPEAT);
    for (int level = 0; level < 6; ++level) {
        std::vector<Rgba> data(static_cast<size_t>((32 >> level) * (32 >> level)),
                               Rgba{static_cast<uint8_t>(40 * level), 255, 0, 255});
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA, 32 >> level, 32 >> level, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     data.data());
    }
    auto levelAt = [&](double scale, double bias) {
        glUniform1f(glGetUniformLocation(program, "scale"), static_cast<GLfloat>(scale));
        glUniform1f(glGetUniformLocation(program, "bias"), static_cast<GLfloat>(bias));
        drawQuad();
        return pixelAt(13, 17)[0];
    };
    for (int level = 0; level < 6; ++level) {  // nearest: the level that lambda rounds to
        CHECK(levelAt(std::exp2(level), 0) == 40 * level);
        CHECK(levelAt(std::exp2(level + 0.4), 0) == 40 * level);
        CHECK(levelAt(std::exp2(level - 0.4), 0) == 40 * level);
        CHECK(levelAt(1, level) == 40 * level);
        CHECK(levelAt(std::exp2(5), level - 5) == 40 * level);
    }
    CHECK(levelAt(std::exp2(-3), 0) == 0);
    CHECK(levelAt(std::exp2(9), 0) == 200);
    minFilter(GL_TEXTURE_2D, GL_NEAREST_MIPMAP_LINEAR);
    for (double lambda : {0.5, 1.25, 3.75, 4.5}) CHECK(std::abs(levelAt(std::exp2(lambda), 0) - 40 * lambda) <= 1.5);
}

TEST_CASE("linear filtering mixes the four neighbours") {
    TestContext context({.width = 32, .height = 32});
    useTextureProgram();
    bindNewTexture(GL_TEXTURE_2D);
    const uint8_t texels[4] = {0, 100, 200, 240};
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_LUMINANCE, 2, 2, 0, GL_LUMINANCE, GL_UNSIGNED_BYTE, texels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    drawQuad();
    std::vector<Rgba> got = readRect(0, 0, 32, 32);
    double worst = 0;
    for (int y = 0; y < 32; ++y)
        for (int x = 0; x < 32; ++x) {
            double u = std::min(std::max((x + 0.5) / 32 * 2 - 0.5, 0.0), 1.0);
            double v = std::min(std::max((y + 0.5) / 32 * 2 - 0.5, 0.0), 1.0);
            double bottom = texels[0] + (texels[1] - texels[0]) * u, top = texels[2] + (texels[3] - texels[2]) * u;
            double expected = bottom + (top - bottom) * v;
            worst = std::max(worst, std::abs(got[static_cast<size_t>(y * 32 + x)][0] - expected));
        }
    CHECK(worst <= 1.01);
}
