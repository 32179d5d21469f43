// Everything at its limit, all at once: 16 attributes, 12 varyings, 256 uniform vectors in each stage, 16 + 16
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

TEST_CASE("12 varyings keep their values apart") {
    TestContext context({.width = 12, .height = 4});
    std::string declare = "precision highp float; attribute vec4 position;", write, pick;
    std::string fragmentDeclare = "precision highp float;";
    for (int i = 0; i < 12; ++i) {
        std::string name = "v" + number(i);
        declare += "varying vec4 " + name + ";";
        fragmentDeclare += "varying vec4 " + name + ";";
        write += name + " = vec4(" + number(i * 20) + ".0, " + number(255 - i * 20) + ".0, " + number(i) +
                 ".0, 255.0) / 255.0;";
        pick +=
            "if (gl_FragCoord.x < " + number(i + 1) + ".0 && gl_FragCoord.x > " + number(i) + ".0) c = " + name + ";";
    }
    useProgram(declare + "void main() { " + write + " gl_Position = position; }",
               fragmentDeclare + "void main() { vec4 c = vec4(0.0); " + pick + " gl_FragColor = c; }");
    drawQuad();
    for (int i = 0; i < 12; ++i)
        CHECK(pixelAt(i, 2) ==
              Rgba{static_cast<uint8_t>(i * 20), static_cast<uint8_t>(255 - i * 20), static_cast<uint8_t>(i), 255});
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
    for (auto [width, height] : {std::array{4096, 2}, {2, 4096}}) {
        ColorTarget target(GL_RGB565, width, height);
        glViewport(0, 0, width, height);
        glUniform4f(color, 0, 1, 0, 1);
        drawQuad();
        CHECK(pixelAt(0, 0) == Rgba{0, 255, 0, 255});
        CHECK(pixelAt(width - 1, height - 1) == Rgba{0, 255, 0, 255});
    }
    CHECK(glGetError() == GL_NO_ERROR);
}
