// Programs that filter an image by many lookups of it, against the same sums of texels in double precision.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <sstream>

#include "tests/gles/texturing.h"

using namespace tessera::gles_test;

namespace {

constexpr int kReach = 2;  ///< texels to each side of the middle
constexpr int kAcross = 2 * kReach + 1;

/// No two weights are the same, and they add up to 1.
double weight(int dx, int dy) {
    const int number = (dy + kReach) * kAcross + dx + kReach;
    return (number + 1) / (kAcross * kAcross * (kAcross * kAcross + 1) / 2.0);
}

/// Where the image is looked up: turn * at + shift, in texels; at is 0..1 over the viewport.
struct Placement {
    double xx, xy, yx, yy, x, y;
};

struct Image {
    int width, height;
    std::vector<Rgba> texels;
};

Image randomImage(int width, int height) {
    std::mt19937 random(static_cast<unsigned>(width * 100 + height));
    Image image{width, height, {}};
    for (int i = 0; i < width * height; ++i) {
        const auto word = static_cast<uint32_t>(random());
        image.texels.push_back({static_cast<uint8_t>(word), static_cast<uint8_t>(word >> 8),
                                static_cast<uint8_t>(word >> 16), static_cast<uint8_t>(word >> 24)});
    }
    return image;
}

/// The sum of kAcross x kAcross lookups, written out, a texel apart.
std::string filterOf(const Image& image) {
    std::ostringstream sum;
    sum.precision(9);
    for (int dy = -kReach; dy <= kReach; ++dy)
        for (int dx = -kReach; dx <= kReach; ++dx)
            sum << (dx == -kReach && dy == -kReach ? "" : " + ") << std::fixed << weight(dx, dy)
                << " * texture2D(image, turn * at + shift + vec2(" << static_cast<double>(dx) / image.width << ", "
                << static_cast<double>(dy) / image.height << "))";
    return sum.str();
}

/// Section 3.7.6 of the ES 2.0 specification.
int wrapped(int texel, int size, GLenum wrap) {
    if (wrap == GL_CLAMP_TO_EDGE) return std::clamp(texel, 0, size - 1);
    const int period = wrap == GL_REPEAT ? size : 2 * size;
    const int inside = (texel % period + period) % period;
    return inside < size ? inside : period - 1 - inside;
}

/// Whether a place, in texels, is so near to the edge of one that rounding may decide.
bool doubtful(double place) { return std::abs(place - std::round(place)) < 0.01; }

/// How many pixels of the viewport are not the sum of their texels within one of 255, how many could be told.
struct Compared {
    int wrong = 0, told = 0;
};

Compared compare(const Image& image, const Placement& at, GLenum wrap, int width, int height) {
    Compared compared;
    const std::vector<Rgba> drawn = readRect(0, 0, width, height);
    for (int j = 0; j < height; ++j)
        for (int i = 0; i < width; ++i) {
            const double s = (i + 0.5) / width, t = (j + 0.5) / height;
            const double x = at.xx * s + at.xy * t + at.x, y = at.yx * s + at.yy * t + at.y;
            if (doubtful(x) || doubtful(y)) continue;
            std::array<double, 4> sum{};
            for (int dy = -kReach; dy <= kReach; ++dy)
                for (int dx = -kReach; dx <= kReach; ++dx) {
                    const int column = wrapped(static_cast<int>(std::floor(x)) + dx, image.width, wrap);
                    const int row = wrapped(static_cast<int>(std::floor(y)) + dy, image.height, wrap);
                    const Rgba& texel = image.texels[static_cast<size_t>(row * image.width + column)];
                    for (size_t c = 0; c < 4; ++c) sum[c] += weight(dx, dy) * texel[c];
                }
            Rgba expected{};
            for (size_t c = 0; c < 4; ++c) expected[c] = static_cast<uint8_t>(std::lround(sum[c]));
            compared.wrong += !near(drawn[static_cast<size_t>(j * width + i)], expected, 1);
            ++compared.told;
        }
    return compared;
}

}  // namespace

TEST_CASE("a filter of 25 lookups is the weighted sum of 25 texels") {
    constexpr int kWidth = 45, kHeight = 38;
    TestContext context({.width = kWidth, .height = kHeight});
    for (const auto& [columns, rows] : {std::pair{16, 16}, {64, 8}, {4, 2}, {37, 21}}) {
        const Image image = randomImage(columns, rows);
        const bool powersOfTwo = (columns & (columns - 1)) == 0 && (rows & (rows - 1)) == 0;
        const double w = columns, h = rows;
        const GLuint texture = bindNewTexture(GL_TEXTURE_2D);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, columns, rows, 0, GL_RGBA, GL_UNSIGNED_BYTE, image.texels.data());
        const GLuint program = useTextureProgram(filterOf(image), "uniform mat2 turn; uniform vec2 shift;");
        for (GLenum wrap : {GL_CLAMP_TO_EDGE, GL_REPEAT, GL_MIRRORED_REPEAT}) {
            if (wrap != GL_CLAMP_TO_EDGE && !powersOfTwo) continue;  // incomplete in ES 2.0
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, static_cast<GLint>(wrap));
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, static_cast<GLint>(wrap));
            for (const Placement& at : {Placement{w, 0, 0, h, 0, 0},                     // as it is
                                        {kWidth, 0, 0, kHeight, -7, 3.25},               // a texel to a pixel
                                        {0, -97.3, 88.1, 0, 40.2, -51.7},                // a quarter turn, smaller
                                        {11.9, 23.6, -21.3, 13.7, -3.4, 5.8},            // turned, larger
                                        {0.37, 0.11, -0.23, 0.41, w - 0.2, h - 0.1}}) {  // hardly a texel, at a corner
                CAPTURE(columns);
                CAPTURE(rows);
                CAPTURE(wrap);
                CAPTURE(at.x);
                const GLfloat turn[] = {static_cast<GLfloat>(at.xx / w), static_cast<GLfloat>(at.yx / h),
                                        static_cast<GLfloat>(at.xy / w), static_cast<GLfloat>(at.yy / h)};
                glUniformMatrix2fv(glGetUniformLocation(program, "turn"), 1, GL_FALSE, turn);
                glUniform2f(glGetUniformLocation(program, "shift"), static_cast<GLfloat>(at.x / w),
                            static_cast<GLfloat>(at.y / h));
                drawQuad();
                const Compared compared = compare(image, at, wrap, kWidth, kHeight);
                CHECK(compared.wrong == 0);
                CHECK(compared.told > kWidth * kHeight * 8 / 10);
            }
        }
        glDeleteTextures(1, &texture);
        glDeleteProgram(program);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}
