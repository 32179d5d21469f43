// What validation says of a draw, and that it says it alone.
#include "api/gles/drawing/validation.h"

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
