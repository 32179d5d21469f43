// Programs of GLSL ES 3.00 draw in contexts of OpenGL ES 3.0, those of 1.00 too, and the two do not mix.
#include <GLES3/gl3.h>

#include "tests/gles/fixture.h"

using namespace tessera::gles_test;

namespace {

constexpr const char* kVertex3 =
    "#version 300 es\nin vec4 position; out vec2 at; void main() { gl_Position = position; at = position.xy; }";
constexpr const char* kFragment3 =
    "#version 300 es\nprecision highp float; in vec2 at; uniform uint blue; layout(location = 0) out vec4 color;"
    " void main() { color = vec4(at * 0.5 + 0.5, float(blue & 0xFFu) / 255.0, 1.0); }";

GLint linkStatus(GLuint program) {
    GLint linked = GL_TRUE;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    return linked;
}

}  // namespace

TEST_CASE("a program of GLSL ES 3.00 draws") {
    TestContext context(kEs3);
    useProgram(kVertex3, kFragment3);
    drawQuad();
    REQUIRE(glGetError() == GL_NO_ERROR);
    for (int y = 0; y < context.height(); ++y)
        for (int x = 0; x < context.width(); ++x) {
            const auto expected = [](int i, int size) { return static_cast<uint8_t>((i + 0.5) / size * 255 + 0.5); };
            const Rgba want{expected(x, context.width()), expected(y, context.height()), 0, 255};
            CHECK_MESSAGE(near(pixelAt(x, y), want, 1), "at " << x << ", " << y);
        }
}

TEST_CASE("a program of GLSL ES 1.00 draws in a context of 3.0") {
    TestContext context(kEs3);
    const GLuint program = useProgram(kPassVertex, kColorFragment);
    glUniform4f(glGetUniformLocation(program, "color"), 1, 0, 1, 1);
    drawQuad();
    CHECK(pixelAt(3, 7) == Rgba{255, 0, 255, 255});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("GLSL ES 3.00 does not compile in a context of 2.0") {
    TestContext context;
    const GLuint shader = glCreateShader(GL_VERTEX_SHADER);
    glShaderSource(shader, 1, &kVertex3, nullptr);
    glCompileShader(shader);
    GLint compiled = GL_TRUE;
    glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
    CHECK(compiled == GL_FALSE);
}

TEST_CASE("shaders of two versions do not link") {
    TestContext context(kEs3);
    const GLuint vertex = makeShader(GL_VERTEX_SHADER, kVertex3),
                 fragment = makeShader(GL_FRAGMENT_SHADER, kColorFragment);
    REQUIRE(vertex != 0);
    REQUIRE(fragment != 0);
    const GLuint program = glCreateProgram();
    glAttachShader(program, vertex);
    glAttachShader(program, fragment);
    glLinkProgram(program);
    CHECK(linkStatus(program) == GL_FALSE);
    CHECK(glGetError() == GL_NO_ERROR);
}
