// Everything at its limit, all at once: 16 attributes, 31 varyings, 256 uniform vectors in each stage, 16 + 16
// samplers.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "tests/gles/texturing.h"

using namespace tessera::gles_test;

namespace {

std::string number(int i) { return std::to_string(i); }

}  // namespace

TEST_CASE("16 attributes") {
    TestContext context({.width = 8, .height = 8});
    std::string declare, sum = "vec4(0.0)";
    for (int i = 0; i < 16; ++i) {
        declare += "attribute vec4 a" + number(i) + ";";
        if (i > 0) sum += " + a" + number(i);
    }
    GLuint program = glCreateProgram();
    glAttachShader(program, makeShader(GL_VERTEX_SHADER, declare + "varying vec4 color; void main() { color = " + sum +
                                                             "; gl_Position = a0; }"));
    glAttachShader(program,
                   makeShader(GL_FRAGMENT_SHADER,
                              "precision highp float; varying vec4 color; void main() { gl_FragColor = color; }"));
    for (int i = 0; i < 16; ++i) glBindAttribLocation(program, static_cast<GLuint>(i), ("a" + number(i)).c_str());
    glLinkProgram(program);
    glUseProgram(program);
    double expected[4] = {};
    std::vector<std::array<GLfloat, 4>> arrays[16];
    for (GLuint i = 1; i < 16; ++i) {
        std::array<GLfloat, 4> value{static_cast<GLfloat>(i) / 255.0f, static_cast<GLfloat>(16 - i) / 255.0f,
                                     1.0f / 255, 2.0f / 255};
        for (size_t c = 0; c < 4; ++c) expected[c] += static_cast<double>(value[c]) * 255;
        arrays[i].assign(4, value);
        if (i % 3 == 0) {
            glVertexAttrib4fv(i, value.data());
        } else {
            glVertexAttribPointer(i, 4, GL_FLOAT, GL_FALSE, 0, arrays[i].data());
            glEnableVertexAttribArray(i);
        }
    }
    drawQuad();
    Rgba got = pixelAt(4, 4);
    for (size_t c = 0; c < 4; ++c) CHECK(std::abs(got[c] - expected[c]) < 0.51);
    CHECK(glGetError() == GL_NO_ERROR);
}

namespace {

/// A triangle over the viewport, seen in perspective: varying i of vertex k is near[k] * i / 30 + far[k] * (1 - i /
/// 30).
struct Perspective {
    static constexpr double kPosition[3][2] = {{-1, -1}, {3, -1}, {-1, 3}}, kW[3] = {1, 2, 4};
    static constexpr double kNear[3][4] = {{0.1, 0.9, 0.4, 1}, {0.8, 0.2, 0.1, 0.7}, {0.3, 0.6, 0.9, 0.5}};
    static constexpr double kFar[3][4] = {{0.9, 0.1, 0.7, 0.2}, {0.05, 0.8, 0.3, 1}, {0.6, 0.5, 0.2, 0.8}};

    static void draw(GLuint program) {
        GLfloat position[3][4], near[3][4], far[3][4];
        for (int k = 0; k < 3; ++k)
            for (int c = 0; c < 4; ++c) {
                position[k][c] = static_cast<GLfloat>(c < 2 ? kPosition[k][c] * kW[k] : c == 2 ? 0 : kW[k]);
                near[k][c] = static_cast<GLfloat>(kNear[k][c]);
                far[k][c] = static_cast<GLfloat>(kFar[k][c]);
            }
        const auto use = [&](const char* name, const GLfloat(&values)[3][4]) {
            const auto at = static_cast<GLuint>(glGetAttribLocation(program, name));
            glVertexAttribPointer(at, 4, GL_FLOAT, GL_FALSE, 0, values);
            glEnableVertexAttribArray(at);
        };
        use("position", position), use("near", near), use("far", far);
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }

    /// Of varying i at the middle of a pixel, in 1/255.
    static double value(int i, int channel, double x, double y, double width, double height) {
        const double u = x / width / 2, v = y / height / 2;  // of the second and the third vertex
        const double weight[3] = {(1 - u - v) / kW[0], u / kW[1], v / kW[2]}, t = i / 30.0;
        double sum = 0, all = 0;
        for (int k = 0; k < 3; ++k) {
            sum += weight[k] * (kNear[k][channel] * t + kFar[k][channel] * (1 - t));
            all += weight[k];
        }
        return 255 * sum / all;
    }

    /// Column i shows varying i.
    static void check(int columns, int height) {
        const std::vector<Rgba> pixels = readRect(0, 0, columns, height);
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < columns; ++x)
                for (int c = 0; c < 4; ++c) {
                    CAPTURE(x);
                    CAPTURE(y);
                    CAPTURE(c);
                    CHECK(std::abs(pixels[static_cast<size_t>(y * columns + x)][static_cast<size_t>(c)] -
                                   value(x, c, x + 0.5, y + 0.5, columns, height)) < 0.51);
                }
    }
};

constexpr const char* kPerspectiveInputs =
    "precision highp float; attribute vec4 position; attribute vec4 near; attribute vec4 far;";

}  // namespace

TEST_CASE("31 varyings are interpolated apart from each other, in perspective") {
    TestContext context({.width = 31, .height = 8});
    CHECK(getInt(GL_MAX_VARYING_VECTORS) == 31);
    std::string declare, write, pick;
    for (int i = 0; i < 31; ++i) {
        const std::string name = "v" + number(i);
        declare += "varying vec4 " + name + ";";
        write += name + " = mix(far, near, " + number(i) + ".0 / 30.0);";
        pick += "if (column == " + number(i) + ") gl_FragColor = " + name + ";";
    }
    Perspective::draw(useProgram(kPerspectiveInputs + declare + "void main() { " + write + " gl_Position = position; }",
                                 "precision highp float;" + declare +
                                     "void main() { int column = int(gl_FragCoord.x); gl_FragColor = vec4(0.0); " +
                                     pick + " }"));
    Perspective::check(31, 8);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("an array of 31 varyings is written and read by number") {
    TestContext context({.width = 31, .height = 8});
    Perspective::draw(useProgram(kPerspectiveInputs + std::string("varying vec4 v[gl_MaxVaryingVectors]; void main() {"
                                                                  " for (int i = 0; i < gl_MaxVaryingVectors; ++i)"
                                                                  "  v[i] = mix(far, near, float(i) / 30.0);"
                                                                  " gl_Position = position; }"),
                                 "precision highp float; varying vec4 v[gl_MaxVaryingVectors];"
                                 "void main() { gl_FragColor = v[int(gl_FragCoord.x)]; }"));
    Perspective::check(31, 8);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("32 varyings do not link") {
    TestContext context;
    std::string declare, write, sum;
    for (int i = 0; i < 32; ++i) {
        const std::string name = "v" + number(i);
        declare += "varying vec4 " + name + ";";
        write += name + " = position * " + number(i + 2) + ".0;";
        sum += " + " + name;
    }
    const GLuint program = glCreateProgram();
    glAttachShader(program, makeShader(GL_VERTEX_SHADER, "attribute vec4 position;" + declare + "void main() { " +
                                                             write + " gl_Position = position; }"));
    glAttachShader(program, makeShader(GL_FRAGMENT_SHADER, "precision highp float;" + declare +
                                                               "void main() { gl_FragColor = vec4(0.0)" + sum + "; }"));
    glLinkProgram(program);
    GLint linked = GL_TRUE;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    CHECK(linked == GL_FALSE);
    char log[512] = "";
    glGetProgramInfoLog(program, sizeof log, nullptr, log);
    CHECK(std::string(log).find("32 varying vectors are used, limit 31") != std::string::npos);
    CHECK(glGetError() == GL_NO_ERROR);
}

// As filters of emulators do it: the vertex shader makes the coordinates of a texel's neighbours, two to a vector.
TEST_CASE("thirteen varyings hold the places of 25 neighbours") {
    constexpr int kSize = 16;
    TestContext context({.width = kSize, .height = kSize});
    std::string declare, write, sum;
    for (int i = 0; i < 13; ++i) {
        const auto place = [&](int n) {
            return "at + texel * vec2(" + number(n % 5 - 2) + ".0, " + number(n / 5 - 2) + ".0)";
        };
        const std::string name = "t" + number(i);
        declare += "varying vec4 " + name + ";";
        write += name + " = vec4(" + place(2 * i) + ", " + place(2 * i + 1) + ");";
        sum += " + texture2D(image, " + name + ".xy)";
        if (2 * i + 1 < 25) sum += " + texture2D(image, " + name + ".zw)";
    }
    useProgram("precision highp float; attribute vec4 position;" + declare +
                   "void main() { vec2 at = position.xy * 0.5 + 0.5; const vec2 texel = vec2(1.0 / 16.0);" + write +
                   " gl_Position = position; }",
               "precision highp float; uniform sampler2D image;" + declare + "void main() { gl_FragColor = (vec4(0.0)" +
                   sum + ") / 25.0; }");
    bindNewTexture(GL_TEXTURE_2D);
    std::vector<Rgba> image(kSize * kSize);
    std::mt19937 random(7);
    for (Rgba& texel : image)
        for (uint8_t& channel : texel) channel = static_cast<uint8_t>(random());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, kSize, kSize, 0, GL_RGBA, GL_UNSIGNED_BYTE, image.data());
    drawQuad();
    const std::vector<Rgba> pixels = readRect(0, 0, kSize, kSize);
    const auto clamped = [](int x) { return static_cast<size_t>(x < 0 ? 0 : x >= kSize ? kSize - 1 : x); };
    for (int y = 0; y < kSize; ++y)
        for (int x = 0; x < kSize; ++x)
            for (size_t c = 0; c < 4; ++c) {
                double mean = 0;
                for (int n = 0; n < 25; ++n)
                    mean += image[clamped(y + n / 5 - 2) * kSize + clamped(x + n % 5 - 2)][c] / 25.0;
                CAPTURE(x);
                CAPTURE(y);
                CHECK(std::abs(pixels[clamped(y) * kSize + clamped(x)][c] - mean) < 0.51);
            }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("256 uniform vectors in each stage") {
    TestContext context({.width = 4, .height = 4});
    GLuint program = useProgram(
        "attribute vec4 position; uniform vec4 u[256]; varying highp vec4 sum; void main() { sum = vec4(0.0); for (int "
        "i "
        "= 0; i < 256; ++i) sum += u[i]; gl_Position = position; }",
        "precision highp float; uniform vec4 w[256]; varying highp vec4 sum; void main() { vec4 s = vec4(0.0); for "
        "(int i "
        "= 0; i < 256; ++i) s += w[i]; gl_FragColor = vec4(sum.xy, s.zw); }");
    std::vector<std::array<GLfloat, 4>> values(256);
    double expected[4] = {};
    for (size_t i = 0; i < 256; ++i)
        for (size_t c = 0; c < 4; ++c) {
            values[i][c] = static_cast<GLfloat>((i * 7 + c * 3) % 11) / 2048.0f;
            expected[c] += static_cast<double>(values[i][c]);
        }
    glUniform4fv(glGetUniformLocation(program, "u"), 256, values[0].data());
    glUniform4fv(glGetUniformLocation(program, "w"), 256, values[0].data());
    drawQuad();
    Rgba got = pixelAt(1, 1);
    for (size_t c = 0; c < 4; ++c) CHECK(std::abs(got[c] - expected[c] * 255) < 0.6);
    // One element far in.
    glUniform4f(glGetUniformLocation(program, "w[255]"), 0, 0, -1, 1);
    drawQuad();
    CHECK(pixelAt(1, 1)[2] == 0);
    CHECK(pixelAt(1, 1)[3] == 255);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("16 samplers in the vertex shader and 16 in the fragment shader") {
    TestContext context({.width = 16, .height = 4});
    // 16 + 16 single samplers; the fragment shader shows sampler i in column i, the vertex shader's sum in green.
    std::string vertex = "attribute vec4 position; varying highp float sum;", add;
    std::string fragment = "precision highp float; varying highp float sum;", pick;
    for (int i = 0; i < 16; ++i) {
        std::string v = "v" + number(i), f = "f" + number(i);
        vertex += "uniform sampler2D " + v + ";";
        fragment += "uniform sampler2D " + f + ";";
        add += "sum += texture2DLod(" + v + ", vec2(0.5), 0.0).r * " + number(i + 1) + ".0;";
        pick += "vec4 c" + number(i) + " = texture2D(" + f + ", vec2(0.5)); if (gl_FragCoord.x > " + number(i) +
                ".0) c = c" + number(i) + ".r;";
    }
    GLuint program = useProgram(
        vertex + "void main() { sum = 0.0; " + add + " gl_Position = position; }",
        fragment + "void main() { float c = 0.0; " + pick + " gl_FragColor = vec4(c, sum / 136.0, 0.0, 1.0); }");
    double sum = 0;
    for (int unit = 0; unit < 32; ++unit) {
        glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
        bindNewTexture(GL_TEXTURE_2D);
        const Rgba texel = {static_cast<uint8_t>(unit * 8), 0, 0, 255};
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, texel.data());
        std::string name = (unit < 16 ? "f" : "v") + number(unit % 16);
        glUniform1i(glGetUniformLocation(program, name.c_str()), unit);
        if (unit >= 16) sum += unit * 8 * (unit - 16 + 1);
    }
    drawQuad();
    for (int i = 0; i < 16; ++i) {
        Rgba got = pixelAt(i, 1);
        CHECK(got[0] == i * 8);
        CHECK(std::abs(got[1] - sum / 136) <= 1);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("a framebuffer of the largest size, drawn to its corners") {
    TestContext context;
    GLuint program = useProgram(kPassVertex, kColorFragment);
    GLint color = glGetUniformLocation(program, "color");
    GLint most = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
    for (auto [width, height] : {std::array{most, 2}, {2, most}}) {
        ColorTarget target(GL_RGB565, width, height);
        glViewport(0, 0, width, height);
        glUniform4f(color, 0, 1, 0, 1);
        drawQuad();
        CHECK(pixelAt(0, 0) == Rgba{0, 255, 0, 255});
        CHECK(pixelAt(width - 1, height - 1) == Rgba{0, 255, 0, 255});
    }
    CHECK(glGetError() == GL_NO_ERROR);
}
