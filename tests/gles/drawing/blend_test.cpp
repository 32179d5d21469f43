// Blending (OpenGL ES 2.0, 4.1.6) of one colour and of two, with expectations from its formulas in double precision.
#define GL_GLEXT_PROTOTYPES 1
#include <GLES3/gl3.h>
// After it: the tokens of extensions.
#include <GLES2/gl2ext.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/gles/drawing/color_program.h"

using namespace tessera::gles_test;

namespace {

/// Writes the uniforms "color" and "second" as the two colours of blending.
const char* const kTwoColorsFragment = R"(#extension GL_EXT_blend_func_extended : require
precision highp float;
uniform vec4 color, second;
void main() { gl_FragColor = color; gl_SecondaryFragColorEXT = second; }
)";

/// Blend factor of one channel, table 4.2 and EXT_blend_func_extended.
double factor(GLenum name, size_t channel, const Color& src, const Color& second, const Color& dst,
              const Color& constant) {
    switch (name) {
        case GL_ZERO:
            return 0;
        case GL_ONE:
            return 1;
        case GL_SRC_COLOR:
            return src[channel];
        case GL_ONE_MINUS_SRC_COLOR:
            return 1 - src[channel];
        case GL_DST_COLOR:
            return dst[channel];
        case GL_ONE_MINUS_DST_COLOR:
            return 1 - dst[channel];
        case GL_SRC_ALPHA:
            return src[3];
        case GL_ONE_MINUS_SRC_ALPHA:
            return 1 - src[3];
        case GL_DST_ALPHA:
            return dst[3];
        case GL_ONE_MINUS_DST_ALPHA:
            return 1 - dst[3];
        case GL_CONSTANT_COLOR:
            return constant[channel];
        case GL_ONE_MINUS_CONSTANT_COLOR:
            return 1 - constant[channel];
        case GL_CONSTANT_ALPHA:
            return constant[3];
        case GL_ONE_MINUS_CONSTANT_ALPHA:
            return 1 - constant[3];
        case GL_SRC1_COLOR_EXT:
            return second[channel];
        case GL_ONE_MINUS_SRC1_COLOR_EXT:
            return 1 - second[channel];
        case GL_SRC1_ALPHA_EXT:
            return second[3];
        case GL_ONE_MINUS_SRC1_ALPHA_EXT:
            return 1 - second[3];
        default:  // SRC_ALPHA_SATURATE
            return channel == 3 ? 1 : std::min(src[3], 1 - dst[3]);
    }
}

constexpr GLenum kFactors[] = {GL_ZERO,
                               GL_ONE,
                               GL_SRC_COLOR,
                               GL_ONE_MINUS_SRC_COLOR,
                               GL_DST_COLOR,
                               GL_ONE_MINUS_DST_COLOR,
                               GL_SRC_ALPHA,
                               GL_ONE_MINUS_SRC_ALPHA,
                               GL_DST_ALPHA,
                               GL_ONE_MINUS_DST_ALPHA,
                               GL_CONSTANT_COLOR,
                               GL_ONE_MINUS_CONSTANT_COLOR,
                               GL_CONSTANT_ALPHA,
                               GL_ONE_MINUS_CONSTANT_ALPHA,
                               GL_SRC_ALPHA_SATURATE,
                               GL_SRC1_COLOR_EXT,
                               GL_ONE_MINUS_SRC1_COLOR_EXT,
                               GL_SRC1_ALPHA_EXT,
                               GL_ONE_MINUS_SRC1_ALPHA_EXT};
constexpr int kFactorCount = std::size(kFactors);

double combine(GLenum equation, double s, double d) {
    return equation == GL_FUNC_ADD ? s + d : equation == GL_FUNC_SUBTRACT ? s - d : d - s;
}

struct Blend {
    GLenum equation[2], src[2], dst[2];  ///< colour, alpha
};

Rgba blended(const Blend& blend, const Color& src, const Color& second, const Color& dst, const Color& constant) {
    Rgba out{};
    for (size_t c = 0; c < 4; ++c) {
        size_t part = c == 3;
        double value = combine(blend.equation[part], src[c] * factor(blend.src[part], c, src, second, dst, constant),
                               dst[c] * factor(blend.dst[part], c, src, second, dst, constant));
        out[c] = static_cast<uint8_t>(std::lround(std::clamp(value, 0.0, 1.0) * 255));
    }
    return out;
}

void set(const Blend& blend) {
    glBlendEquationSeparate(blend.equation[0], blend.equation[1]);
    glBlendFuncSeparate(blend.src[0], blend.dst[0], blend.src[1], blend.dst[1]);
}

Color randomColor(std::mt19937& random) {
    Color color;
    for (double& x : color) x = static_cast<double>(random() % 256) / 255;
    return color;
}

}  // namespace

/// The colours of a program of kTwoColorsFragment, and that of the blend.
void setColors(GLuint program, const Color& src, const Color& second, const Color& constant) {
    const auto at = [](const Color& color, size_t c) { return static_cast<GLfloat>(color[c]); };
    const auto set = [&](const char* name, const Color& color) {
        glUniform4f(glGetUniformLocation(program, name), at(color, 0), at(color, 1), at(color, 2), at(color, 3));
    };
    set("color", src);
    set("second", second);
    glBlendColor(at(constant, 0), at(constant, 1), at(constant, 2), at(constant, 3));
}

TEST_CASE("every pair of blend factors under every equation") {
    TestContext context({.width = kFactorCount, .height = kFactorCount});
    GLuint program = useProgram(kPassVertex, kTwoColorsFragment);
    glEnable(GL_BLEND);
    glEnable(GL_SCISSOR_TEST);
    std::mt19937 random(1);
    for (GLenum equation : {GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT}) {
        std::vector<Rgba> expected;
        for (int y = 0; y < kFactorCount; ++y)
            for (int x = 0; x < kFactorCount; ++x) {
                Color src = randomColor(random), second = randomColor(random), dst = randomColor(random),
                      constant = randomColor(random);
                glScissor(x, y, 1, 1);
                clearTo(dst);
                Blend blend = {{equation, equation}, {kFactors[x], kFactors[x]}, {kFactors[y], kFactors[y]}};
                set(blend);
                setColors(program, src, second, constant);
                drawQuad();
                expected.push_back(blended(blend, src, second, dst, constant));
            }
        std::vector<Rgba> got = readRect(0, 0, kFactorCount, kFactorCount);
        for (size_t i = 0; i < got.size(); ++i) {
            CAPTURE(kFactors[i % kFactorCount]);
            CAPTURE(kFactors[i / kFactorCount]);
            CHECK_MESSAGE(near(got[i], expected[i], 1), doctest::toString(got[i])
                                                            << " not " << doctest::toString(expected[i]));
        }
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("colour and alpha blend apart") {
    TestContext context({.width = 16, .height = 16});
    GLuint program = useProgram(kPassVertex, kTwoColorsFragment);
    glEnable(GL_BLEND);
    std::mt19937 random(2);
    const GLenum equations[] = {GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_FUNC_REVERSE_SUBTRACT};
    for (int round = 0; round < 100; ++round) {
        Blend blend;
        for (int part = 0; part < 2; ++part) {
            blend.equation[part] = equations[random() % 3];
            blend.src[part] = kFactors[random() % kFactorCount];
            blend.dst[part] = kFactors[random() % kFactorCount];
        }
        Color src = randomColor(random), second = randomColor(random), dst = randomColor(random),
              constant = randomColor(random);
        clearTo(dst);
        set(blend);
        setColors(program, src, second, constant);
        drawQuad();
        Rgba got = pixelAt(3, 3), expected = blended(blend, src, second, dst, constant);
        CHECK_MESSAGE(near(got, expected, 1), doctest::toString(got) << " not " << doctest::toString(expected));
    }
}

TEST_CASE("a second colour is clamped, one that no shader writes is 0, and it goes to one buffer only") {
    TestContext context;
    GLint most = 0;
    glGetIntegerv(GL_MAX_DUAL_SOURCE_DRAW_BUFFERS_EXT, &most);
    CHECK(most == 1);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC1_COLOR_EXT, GL_ONE_MINUS_SRC1_ALPHA_EXT);
    GLuint program = useProgram(kPassVertex, kTwoColorsFragment);
    clearTo({0.2, 0.4, 0.6, 0.8});
    setColors(program, {1, 1, 1, 1}, {3, -2, 0.5, 7}, {});
    drawQuad();
    CHECK(near(pixelAt(1, 1), {255, 0, 128, 255}, 1));
    // gl_SecondaryFragDataEXT is the same.
    program = useProgram(kPassVertex, R"(#extension GL_EXT_blend_func_extended : require
precision highp float;
uniform vec4 color, second;
void main() { gl_FragData[0] = color; gl_SecondaryFragDataEXT[gl_MaxDualSourceDrawBuffersEXT - 1] = second; }
)");
    clearTo({0.2, 0.4, 0.6, 0.8});
    setColors(program, {1, 0.5, 1, 1}, {0, 1, 0, 0.5}, {});
    drawQuad();
    CHECK(near(pixelAt(1, 1), {26, 179, 77, 230}, 1));
    const ColorProgram one;
    one.set(1, 1, 1, 1);
    clearTo({0.2, 0.4, 0.6, 0.8});
    drawQuad();
    CHECK(pixelAt(1, 1) == Rgba{51, 102, 153, 204});
    // Section 15.1.5.X: the other draw buffers must be none.
    ColorTarget target(GL_RGBA4, 4, 4);
    GLuint renderbuffer = 0;
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA4, 4, 4);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1_EXT, GL_RENDERBUFFER, renderbuffer);
    const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1_EXT};
    const auto draws = [](GLenum source, GLenum destination) {
        glBlendFunc(source, destination);
        drawQuad();
        return glGetError();
    };
    CHECK(draws(GL_ONE, GL_SRC1_ALPHA_EXT) == GL_NO_ERROR);
    glDrawBuffersEXT(2, both);
    for (GLenum factor :
         {GL_SRC1_COLOR_EXT, GL_ONE_MINUS_SRC1_COLOR_EXT, GL_SRC1_ALPHA_EXT, GL_ONE_MINUS_SRC1_ALPHA_EXT}) {
        CHECK(draws(factor, GL_ONE) == GL_INVALID_OPERATION);
        CHECK(draws(GL_ONE, factor) == GL_INVALID_OPERATION);
    }
    CHECK(draws(GL_ONE, GL_ONE) == GL_NO_ERROR);
    glDeleteRenderbuffers(1, &renderbuffer);
}

TEST_CASE("OpenGL ES 3.0: outputs are the colours that the shader or the program says") {
    TestContext context(kEs3);
    const std::string list = reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS));
    CHECK(list.find("GL_EXT_blend_func_extended ") != std::string::npos);
    const std::string vertex = "#version 300 es\nin vec4 position; void main() { gl_Position = position; }";
    const std::string head =
                          "#version 300 es\n#extension GL_EXT_blend_func_extended : require\nprecision highp float;\n"
                          "uniform vec4 color, second;\n",
                      main = "void main() { a = color; b = second; }";
    glEnable(GL_BLEND);
    const auto drawn = [&](GLuint program) {
        glUseProgram(program);
        glBlendFunc(GL_SRC1_COLOR_EXT, GL_ONE_MINUS_SRC1_ALPHA_EXT);
        clearTo({0.2, 0.4, 0.6, 0.8});
        setColors(program, {1, 0.5, 1, 1}, {0, 1, 0, 0.5}, {});
        drawQuad();
        return pixelAt(1, 1);
    };
    const Rgba blended = {26, 179, 77, 230}, other = {0, 0, 0, 0};
    GLuint program = makeProgram(
        vertex, head + "layout(location = 0, index = 1) out vec4 b; layout(location = 0) out vec4 a;" + main);
    CHECK(near(drawn(program), blended, 1));
    CHECK(glGetFragDataLocation(program, "b") == 0);
    CHECK(glGetFragDataIndexEXT(program, "b") == 1);
    CHECK(glGetFragDataIndexEXT(program, "a") == 0);
    CHECK(glGetFragDataIndexEXT(program, "c") == -1);
    CHECK(glGetFragDataIndexEXT(program, nullptr) == -1);
    // The same through a binary.
    program = reloaded(program);
    CHECK(near(drawn(program), blended, 1));
    CHECK(glGetFragDataIndexEXT(program, "b") == 1);
    // By calls, which the next link obeys.
    program = makeProgram(vertex, head + "out vec4 a, b;" + main);
    CHECK(glGetFragDataLocation(program, "b") == 1);
    glBindFragDataLocationIndexedEXT(program, 0, 1, "b");
    glBindFragDataLocationEXT(program, 0, "a");
    CHECK(glGetFragDataIndexEXT(program, "b") == 0);
    glLinkProgram(program);
    CHECK(near(drawn(program), blended, 1));
    CHECK(glGetFragDataLocation(program, "b") == 0);
    CHECK(glGetFragDataIndexEXT(program, "b") == 1);
    glBindFragDataLocationIndexedEXT(program, 0, 1, "a");
    glBindFragDataLocationEXT(program, 0, "b");
    glLinkProgram(program);
    CHECK_FALSE(near(drawn(program), blended, 8));
    CHECK_FALSE(near(drawn(program), other, 8));
    CHECK(glGetError() == GL_NO_ERROR);
    // Both at one place do not link.
    glBindFragDataLocationEXT(program, 0, "a");
    glLinkProgram(program);
    GLint linked = GL_TRUE;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    CHECK(linked == GL_FALSE);
    CHECK(glGetFragDataIndexEXT(program, "a") == -1);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    // Any draw buffer's factors count.
    program = makeProgram(vertex, head + "out vec4 a, b;" + main);
    glUseProgram(program);
    ColorTarget target(GL_RGBA4, 4, 4);
    const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    glDrawBuffers(2, both);
    glBlendFunc(GL_ONE, GL_ZERO);
    drawQuad();
    CHECK(glGetError() == GL_NO_ERROR);
    glBlendFunciOES(1, GL_ONE, GL_SRC1_COLOR_EXT);
    drawQuad();
    CHECK(glGetError() == GL_INVALID_OPERATION);
}

TEST_CASE("glBindFragDataLocationIndexedEXT: errors") {
    TestContext context(kEs3);
    const GLuint program = glCreateProgram(), shader = glCreateShader(GL_FRAGMENT_SHADER);
    const auto error = [](GLuint of, GLuint color, GLuint index, const char* name) {
        glBindFragDataLocationIndexedEXT(of, color, index, name);
        return glGetError();
    };
    CHECK(error(program, 7, 0, "a") == GL_NO_ERROR);
    CHECK(error(program, 0, 1, "a") == GL_NO_ERROR);
    CHECK(error(program, 8, 0, "a") == GL_INVALID_VALUE);
    CHECK(error(program, 1, 1, "a") == GL_INVALID_VALUE);
    CHECK(error(program, 0, 2, "a") == GL_INVALID_VALUE);
    CHECK(error(program, ~0u, ~0u, "a") == GL_INVALID_VALUE);
    CHECK(error(program, 0, 0, nullptr) == GL_INVALID_VALUE);
    CHECK(error(program, 0, 0, "gl_FragColor") == GL_INVALID_OPERATION);
    CHECK(error(shader, 0, 0, "a") == GL_INVALID_OPERATION);
    CHECK(error(4711, 0, 0, "a") == GL_INVALID_VALUE);
    glBindFragDataLocationEXT(program, 8, "a");
    CHECK(glGetError() == GL_INVALID_VALUE);
    CHECK(glGetFragDataIndexEXT(program, "a") == -1);  // not linked
    CHECK(glGetError() == GL_INVALID_OPERATION);
}

TEST_CASE("what a shader writes is clamped before blending; a missing alpha is 1") {
    TestContext context;
    ColorProgram program;
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    clearTo({0.2, 0.2, 0.2, 0.2});
    program.set(-5, 7, 0, 1e30);
    drawQuad();
    CHECK(pixelAt(1, 1) == Rgba{51, 255, 51, 255});
    ColorTarget target(GL_RGB565, 4, 4);
    glBlendFunc(GL_DST_ALPHA, GL_ZERO);
    program.set(1, 1, 1, 0);
    glViewport(0, 0, 4, 4);
    drawQuad();
    CHECK(pixelAt(1, 1) == Rgba{255, 255, 255, 255});
}
