// Texture images: every format and type uploaded and read back, alignment, sub-images, copies, cube maps, NPOT.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "tests/gles/texturing.h"

#include <GLES2/gl2ext.h>

using namespace tessera::gles_test;

namespace {

struct Pair {
    GLenum format, type;
    int bytes;
};
const Pair kPairs[] = {
    {GL_RGBA, GL_UNSIGNED_BYTE, 4},
    {GL_RGB, GL_UNSIGNED_BYTE, 3},
    {GL_ALPHA, GL_UNSIGNED_BYTE, 1},
    {GL_LUMINANCE, GL_UNSIGNED_BYTE, 1},
    {GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, 2},
    {GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, 2},
    {GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, 2},
    {GL_RGB, GL_UNSIGNED_SHORT_5_6_5, 2},
};

uint8_t expand(unsigned value, int bits) {
    return static_cast<uint8_t>(std::lround(255.0 * value / ((1 << bits) - 1)));
}

/// The RGBA a pixel of client memory means, by tables 3.4 to 3.6 and 3.12.
Rgba meaning(const Pair& pair, const uint8_t* p) {
    uint16_t word = 0;
    if (pair.bytes >= 2) std::memcpy(&word, p, 2);
    if (pair.type == GL_UNSIGNED_SHORT_4_4_4_4)
        return {expand(word >> 12, 4), expand(word >> 8 & 15, 4), expand(word >> 4 & 15, 4), expand(word & 15, 4)};
    if (pair.type == GL_UNSIGNED_SHORT_5_5_5_1)
        return {expand(word >> 11, 5), expand(word >> 6 & 31, 5), expand(word >> 1 & 31, 5), expand(word & 1, 1)};
    if (pair.type == GL_UNSIGNED_SHORT_5_6_5)
        return {expand(word >> 11, 5), expand(word >> 5 & 63, 6), expand(word & 31, 5), 255};
    switch (pair.format) {
        case GL_RGBA:
            return {p[0], p[1], p[2], p[3]};
        case GL_RGB:
            return {p[0], p[1], p[2], 255};
        case GL_ALPHA:
            return {0, 0, 0, p[0]};
        case GL_LUMINANCE:
            return {p[0], p[0], p[0], 255};
        default:
            return {p[0], p[0], p[0], p[1]};
    }
}

struct ClientImage {
    int width, height, rowBytes;
    std::vector<uint8_t> bytes;
    std::vector<Rgba> expected;
};

ClientImage randomImage(const Pair& pair, int width, int height, int alignment, std::mt19937& random) {
    int rowBytes = (width * pair.bytes + alignment - 1) / alignment * alignment;
    ClientImage image{width, height, rowBytes, {}, {}};
    for (int i = 0; i < rowBytes * height; ++i) image.bytes.push_back(static_cast<uint8_t>(random()));
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            image.expected.push_back(meaning(pair, image.bytes.data() + y * rowBytes + x * pair.bytes));
    return image;
}

int differences(const std::vector<Rgba>& a, const std::vector<Rgba>& b, int tolerance) {
    int count = a.size() == b.size() ? 0 : 1000000;
    for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) count += !near(a[i], b[i], tolerance);
    return count;
}

}  // namespace

TEST_CASE("every format and type is sampled as uploaded, at every alignment") {
    TestContext context({.width = 13, .height = 7});
    useTextureProgram();
    std::mt19937 random(1);
    for (const Pair& pair : kPairs)
        for (int alignment : {1, 2, 4, 8}) {
            CAPTURE(pair.format);
            CAPTURE(pair.type);
            CAPTURE(alignment);
            glPixelStorei(GL_UNPACK_ALIGNMENT, alignment);
            ClientImage image = randomImage(pair, 13, 7, alignment, random);
            GLuint texture = bindNewTexture(GL_TEXTURE_2D);
            glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(pair.format), 13, 7, 0, pair.format, pair.type,
                         image.bytes.data());
            drawQuad();
            CHECK(differences(readRect(0, 0, 13, 7), image.expected, 0) == 0);
            // The same in two pieces, over an image without data.
            glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(pair.format), 13, 7, 0, pair.format, pair.type, nullptr);
            glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 13, 3, pair.format, pair.type, image.bytes.data());
            glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 3, 13, 4, pair.format, pair.type,
                            image.bytes.data() + 3 * image.rowBytes);
            drawQuad();
            CHECK(differences(readRect(0, 0, 13, 7), image.expected, 0) == 0);
            glDeleteTextures(1, &texture);
        }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("renderable textures are read back through a framebuffer as uploaded") {
    TestContext context;
    std::mt19937 random(2);
    for (const Pair& pair : kPairs) {
        if (pair.format != GL_RGBA && pair.format != GL_RGB) continue;
        CAPTURE(pair.type);
        ClientImage image = randomImage(pair, 9, 10, 4, random);
        GLuint texture = bindNewTexture(GL_TEXTURE_2D), framebuffer = 0;
        glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(pair.format), 9, 10, 0, pair.format, pair.type,
                     image.bytes.data());
        glGenFramebuffers(1, &framebuffer);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
        // RGB with bytes need not be renderable in ES 2.0; here it is.
        REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        CHECK(differences(readRect(0, 0, 9, 10), image.expected, 0) == 0);
        glDeleteFramebuffers(1, &framebuffer);
        glDeleteTextures(1, &texture);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("a sub-image changes its rectangle and nothing else, and only for what comes after") {
    TestContext context({.width = 16, .height = 16});
    useTextureProgram();
    std::mt19937 random(3);
    const Pair rgba = kPairs[0];
    ClientImage base = randomImage(rgba, 16, 16, 4, random);
    bindNewTexture(GL_TEXTURE_2D);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, base.bytes.data());
    std::vector<Rgba> expected = base.expected;
    for (auto [x, y, w, h] : {std::array{0, 0, 1, 1}, {3, 5, 7, 2}, {15, 15, 1, 1}, {1, 0, 15, 16}, {4, 4, 8, 8}}) {
        ClientImage part = randomImage(rgba, w, h, 4, random);
        drawQuad();
        glTexSubImage2D(GL_TEXTURE_2D, 0, x, y, w, h, GL_RGBA, GL_UNSIGNED_BYTE, part.bytes.data());
        CHECK(differences(readRect(0, 0, 16, 16), expected, 0) == 0);  // drawn before
        for (int j = 0; j < h; ++j)
            for (int i = 0; i < w; ++i)
                expected[static_cast<size_t>((y + j) * 16 + x + i)] = part.expected[static_cast<size_t>(j * w + i)];
        drawQuad();
        CHECK(differences(readRect(0, 0, 16, 16), expected, 0) == 0);
    }
}

TEST_CASE("copies from the framebuffer keep the channels of the texture's format") {
    TestContext context({.width = 16, .height = 16});
    std::mt19937 random(4);
    GLuint program = useTextureProgram();
    ClientImage image = randomImage(kPairs[0], 16, 16, 4, random);
    bindNewTexture(GL_TEXTURE_2D);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, image.bytes.data());
    for (GLenum format : {GL_ALPHA, GL_LUMINANCE, GL_LUMINANCE_ALPHA, GL_RGB, GL_RGBA}) {
        CAPTURE(format);
        glUseProgram(program);
        glViewport(0, 0, 16, 16);
        drawQuad();  // the source picture
        GLuint copy = 0;
        glActiveTexture(GL_TEXTURE1);
        copy = bindNewTexture(GL_TEXTURE_2D);
        glCopyTexImage2D(GL_TEXTURE_2D, 0, format, 2, 3, 8, 9, 0);
        glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 1, 2, 10, 5, 4, 3);
        glUniform1i(glGetUniformLocation(program, "image"), 1);
        glViewport(0, 0, 8, 9);
        drawQuad();
        std::vector<Rgba> expected;
        for (int y = 0; y < 9; ++y)
            for (int x = 0; x < 8; ++x) {
                bool sub = x >= 1 && x < 5 && y >= 2 && y < 5;
                int sx = sub ? x - 1 + 10 : x + 2, sy = sub ? y - 2 + 5 : y + 3;
                Rgba c = image.expected[static_cast<size_t>(sy * 16 + sx)];
                if (format == GL_ALPHA) c = {0, 0, 0, c[3]};
                if (format == GL_LUMINANCE) c = {c[0], c[0], c[0], 255};
                if (format == GL_LUMINANCE_ALPHA) c = {c[0], c[0], c[0], c[3]};
                if (format == GL_RGB) c[3] = 255;
                expected.push_back(c);
            }
        CHECK(differences(readRect(0, 0, 8, 9), expected, 0) == 0);
        glDeleteTextures(1, &copy);
        glActiveTexture(GL_TEXTURE0);
        glUniform1i(glGetUniformLocation(program, "image"), 0);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("a copy reaching outside the framebuffer gets what is inside") {
    TestContext context({.width = 8, .height = 8});
    GLuint program = useTextureProgram();
    std::mt19937 random(5);
    ClientImage image = randomImage(kPairs[0], 8, 8, 4, random);
    bindNewTexture(GL_TEXTURE_2D);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, image.bytes.data());
    for (auto [x, y] :
         {std::array{-3, -2}, {5, 6}, {-3, 6}, {100, 0}, {INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX}}) {
        CAPTURE(x);
        CAPTURE(y);
        drawQuad();
        glActiveTexture(GL_TEXTURE1);
        GLuint copy = bindNewTexture(GL_TEXTURE_2D);
        glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, x, y, 8, 8, 0);
        glUniform1i(glGetUniformLocation(program, "image"), 1);
        drawQuad();
        std::vector<Rgba> got = readRect(0, 0, 8, 8);
        int wrong = 0;
        for (int j = 0; j < 8; ++j)
            for (int i = 0; i < 8; ++i) {
                int64_t sx = int64_t{x} + i, sy = int64_t{y} + j;
                if (sx < 0 || sy < 0 || sx >= 8 || sy >= 8) continue;
                wrong += got[static_cast<size_t>(j * 8 + i)] != image.expected[static_cast<size_t>(sy * 8 + sx)];
            }
        CHECK(wrong == 0);
        glUniform1i(glGetUniformLocation(program, "image"), 0);
        glDeleteTextures(1, &copy);
        glActiveTexture(GL_TEXTURE0);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("cube maps: faces and directions by table 3.11") {
    TestContext context({.width = 16, .height = 16});
    GLuint program = useProgram(kPassVertex,
                                "precision highp float; uniform samplerCube image; uniform vec3 direction; void "
                                "main() { gl_FragColor = textureCube(image, direction); }");
    bindNewTexture(GL_TEXTURE_CUBE_MAP);
    constexpr int kSide = 4;
    auto texel = [](int face, int x, int y) {
        return Rgba{static_cast<uint8_t>(40 * face + 10), static_cast<uint8_t>(60 * x), static_cast<uint8_t>(60 * y),
                    255};
    };
    for (int face = 0; face < 6; ++face) {
        std::vector<Rgba> data;
        for (int y = 0; y < kSide; ++y)
            for (int x = 0; x < kSide; ++x) data.push_back(texel(face, x, y));
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + static_cast<GLenum>(face), 0, GL_RGBA, kSide, kSide, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, data.data());
    }
    std::mt19937 random(6);
    std::uniform_real_distribution<double> place(-1, 1);
    GLint location = glGetUniformLocation(program, "direction");
    for (int round = 0; round < 200; ++round) {
        double r[3] = {place(random), place(random), place(random)};
        int major = 0;
        for (int i = 1; i < 3; ++i)
            if (std::abs(r[i]) > std::abs(r[major])) major = i;
        bool negative = r[major] < 0;
        // Table 3.11: sc and tc of each major axis.
        double sc = major == 0 ? (negative ? r[2] : -r[2]) : major == 1 ? r[0] : (negative ? -r[0] : r[0]);
        double tc = major == 1 ? (negative ? -r[2] : r[2]) : -r[1];
        double s = (sc / std::abs(r[major]) + 1) / 2 * kSide, t = (tc / std::abs(r[major]) + 1) / 2 * kSide;
        if (std::abs(s - std::round(s)) < 0.01 || std::abs(t - std::round(t)) < 0.01) continue;
        glUniform3f(location, static_cast<GLfloat>(r[0]), static_cast<GLfloat>(r[1]), static_cast<GLfloat>(r[2]));
        drawQuad();
        CHECK(pixelAt(5, 5) == texel(2 * major + negative, static_cast<int>(s), static_cast<int>(t)));
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("wrap modes, for powers of two and others") {
    TestContext context({.width = 64, .height = 1});
    bool npot = std::strstr(reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS)), "GL_OES_texture_npot");
    useTextureProgram("texture2D(image, vec2(at.x * 8.0 - 4.0, 0.5))");
    for (int width : {4, 5}) {
        std::vector<Rgba> data;
        for (int x = 0; x < width; ++x) data.push_back({static_cast<uint8_t>(50 * x), 0, 0, 255});
        bindNewTexture(GL_TEXTURE_2D);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, width, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, data.data());
        for (GLenum wrap : {GL_CLAMP_TO_EDGE, GL_REPEAT, GL_MIRRORED_REPEAT, GL_MIRROR_CLAMP_TO_EDGE_EXT}) {
            if (width == 5 && wrap != GL_CLAMP_TO_EDGE && !npot) continue;
            CAPTURE(width);
            CAPTURE(wrap);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, static_cast<GLint>(wrap));
            drawQuad();
            std::vector<Rgba> row = readRect(0, 0, 64, 1);
            int wrong = 0;
            for (int x = 0; x < 64; ++x) {
                double s = ((x + 0.5) / 64 * 8 - 4) * width;
                if (std::abs(s - std::round(s)) < 0.02) continue;
                int i = static_cast<int>(std::floor(s));
                int cycle = ((i % width) + width) % width;
                bool odd = static_cast<int>(std::floor(static_cast<double>(i) / width)) % 2 != 0;
                if (wrap == GL_CLAMP_TO_EDGE) cycle = std::min(std::max(i, 0), width - 1);
                if (wrap == GL_MIRROR_CLAMP_TO_EDGE_EXT) cycle = std::min(i < 0 ? -1 - i : i, width - 1);
                if (wrap == GL_MIRRORED_REPEAT && odd) cycle = width - 1 - cycle;
                wrong += row[static_cast<size_t>(x)][0] != 50 * cycle;
            }
            CHECK(wrong == 0);
        }
    }
}

TEST_CASE("a texture of the largest size") {
    TestContext context({.width = 16, .height = 1});
    useTextureProgram("texture2D(image, vec2(255.5 / 256.0 + at.x / 256.0, 0.5))");
    bindNewTexture(GL_TEXTURE_2D);
    std::vector<uint8_t> row(4096);
    for (size_t x = 0; x < row.size(); ++x) row[x] = static_cast<uint8_t>(x * 7);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_LUMINANCE, 4096, 1, 0, GL_LUMINANCE, GL_UNSIGNED_BYTE, row.data());
    // At 16 pixels over 1/256 of the texture, each pixel is one texel; s = 255.5/256 + (x + 0.5)/16/256.
    drawQuad();
    for (int x = 0; x < 8; ++x) CHECK(pixelAt(x, 0)[0] == row[static_cast<size_t>(4088 + x)]);
    CHECK(glGetError() == GL_NO_ERROR);
}
