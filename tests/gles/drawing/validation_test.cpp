// What validation says of a draw, and that it says it alone.
#include "api/gles/drawing/validation.h"

#include <GLES3/gl3.h>

#include "tests/gles/fixture.h"

using namespace tessera::gles;
using namespace tessera::gles_test;

TEST_CASE("whether a draw is valid changes nothing") {
    TestContext test;
    useProgram(kPassVertex, kColorFragment);
    glEnableVertexAttribArray(0);
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof kQuad, kQuad, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    Context& context = *test.context();
    const auto kept = context.lastDraw.state;
    REQUIRE(kept);
    bool begun = false;
    test.drawable()->begun = [&] { begun = true; };
    ++context.group().changes;  // as a call of a context that shares with it
    for (const GLsizei count : {4, -1}) {
        CHECK(validate::drawArrays(context, GL_TRIANGLE_STRIP, 0, count, 1) == (count > 0));
        CHECK(context.lastDraw.state == kept);
        CHECK_FALSE(begun);
    }
    CHECK(glGetError() == GL_INVALID_VALUE);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    CHECK(context.lastDraw.state != kept);
    CHECK(begun);
}

TEST_CASE("of the values of uniforms, texture image units alone end what draws share") {
    TestContext test(kEs3);
    const GLuint program = useProgram(
        "#version 300 es\nin vec4 position; uniform int i; uniform uvec2 u; uniform mat2x3 m; uniform mat3 n; void "
        "main() {"
        " gl_Position = position + float(i) + vec4(u, m[0].xy) + vec4(n[0], 0); }",
        "#version 300 es\nprecision highp float; uniform sampler2D image; out vec4 color;"
        " void main() { color = texture(image, vec2(0)); }");
    const auto at = [&](const char* name) { return glGetUniformLocation(program, name); };
    const GLint i = at("i"), u = at("u"), m = at("m"), n = at("n"), image = at("image");
    glEnableVertexAttribArray(0);
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, sizeof kQuad, kQuad, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    const auto kept = test.context()->lastDraw.state;
    REQUIRE(kept);
    const GLint ints[] = {1};
    const GLuint uints[] = {1, 2};
    const GLfloat floats[9] = {};
    glUniform1i(i, 1);
    glUniform1iv(i, 1, ints);
    glUniform2ui(u, 1, 2);
    glUniform2uiv(u, 1, uints);
    glUniformMatrix2x3fv(m, 1, GL_FALSE, floats);
    glUniformMatrix2x3fv(m, 1, GL_TRUE, floats);
    glUniformMatrix3fv(n, 1, GL_TRUE, floats);
    glUniform1i(image, -1);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    CHECK(test.context()->lastDraw.state == kept);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glUniform1i(image, 1);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    CHECK(test.context()->lastDraw.state != kept);
    CHECK(glGetError() == GL_NO_ERROR);
}
