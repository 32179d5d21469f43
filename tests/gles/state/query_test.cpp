// Query objects: occlusion and time.
#include "api/gles/gles.h"
#include "tests/gles/fixture.h"

using namespace tessera::gles_test;

namespace {

GLuint result(GLuint query) {
    GLuint value = 77;
    glGetQueryObjectuivEXT(query, GL_QUERY_RESULT_EXT, &value);
    return value;
}

GLint current(GLenum target) {
    GLint value = -1;
    glGetQueryivEXT(target, GL_CURRENT_QUERY_EXT, &value);
    return value;
}

}  // namespace

TEST_CASE("EXT_occlusion_query_boolean: what passes the tests counts") {
    TestContext context(kLarge);
    glUseProgram(makeProgram(kPassVertex, kColorFragment));
    GLuint queries[3];
    glGenQueriesEXT(3, queries);
    CHECK(glIsQueryEXT(queries[0]) == GL_FALSE);
    for (GLenum target : {GL_ANY_SAMPLES_PASSED_EXT, GL_ANY_SAMPLES_PASSED_CONSERVATIVE_EXT}) {
        GLuint query = queries[target == GL_ANY_SAMPLES_PASSED_EXT ? 0 : 1];
        glBeginQueryEXT(target, query);
        CHECK(current(target) == static_cast<GLint>(query));
        CHECK(current(target == GL_ANY_SAMPLES_PASSED_EXT ? GL_ANY_SAMPLES_PASSED_CONSERVATIVE_EXT
                                                          : GL_ANY_SAMPLES_PASSED_EXT) == 0);
        drawQuad();
        glEndQueryEXT(target);
        CHECK(current(target) == 0);
        CHECK(result(query) == 1);
        CHECK(glIsQueryEXT(query) == GL_TRUE);

        // Nothing drawn, scissored away, behind the depth buffer: no sample passes.
        glBeginQueryEXT(target, query);
        glEndQueryEXT(target);
        CHECK(result(query) == 0);
        glBeginQueryEXT(target, query);
        glEnable(GL_SCISSOR_TEST);
        glScissor(0, 0, 0, 0);
        drawQuad();
        glDisable(GL_SCISSOR_TEST);
        glClearDepthf(0);
        glClear(GL_DEPTH_BUFFER_BIT);
        glEnable(GL_DEPTH_TEST);
        drawQuad();
        glDisable(GL_DEPTH_TEST);
        glEndQueryEXT(target);
        drawQuad();  // after the query
        CHECK(result(query) == 0);
        // Points and lines have samples as triangles have.
        const GLfloat inside[] = {-0.47f, -0.47f, 0.47f, -0.47f, -0.47f, 0.47f, 0.47f, 0.47f};
        for (const GLenum mode : {GL_POINTS, GL_LINES, GL_LINE_STRIP, GL_TRIANGLE_STRIP}) {
            glBeginQueryEXT(target, query);
            glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, inside);
            glEnableVertexAttribArray(0);
            glDrawArrays(mode, 0, 4);
            glEndQueryEXT(target);
            CHECK(result(query) == 1);
        }
    }
    // Availability comes without waiting, by asking alone.
    glBeginQueryEXT(GL_ANY_SAMPLES_PASSED_EXT, queries[0]);
    drawQuad();
    glEndQueryEXT(GL_ANY_SAMPLES_PASSED_EXT);
    GLuint available = GL_FALSE;
    while (!available) glGetQueryObjectuivEXT(queries[0], GL_QUERY_RESULT_AVAILABLE_EXT, &available);
    CHECK(result(queries[0]) == 1);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("queries: errors, names, deletion") {
    TestContext context(kLarge);
    GLuint queries[2];
    glGenQueriesEXT(-1, queries);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glDeleteQueriesEXT(-1, queries);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glGenQueriesEXT(2, queries);
    auto begin = [](GLenum target, GLuint id) {
        glBeginQueryEXT(target, id);
        return glGetError();
    };
    CHECK(begin(GL_TEXTURE_2D, queries[0]) == GL_INVALID_ENUM);
    CHECK(begin(GL_TIMESTAMP_EXT, queries[0]) == GL_INVALID_ENUM);
    CHECK(begin(GL_ANY_SAMPLES_PASSED_EXT, 0) == GL_INVALID_OPERATION);
    CHECK(begin(GL_ANY_SAMPLES_PASSED_EXT, 999) == GL_INVALID_OPERATION);
    glEndQueryEXT(GL_ANY_SAMPLES_PASSED_EXT);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glEndQueryEXT(GL_TEXTURE_2D);
    CHECK(glGetError() == GL_INVALID_ENUM);
    CHECK(begin(GL_ANY_SAMPLES_PASSED_EXT, queries[0]) == GL_NO_ERROR);
    CHECK(begin(GL_ANY_SAMPLES_PASSED_EXT, queries[1]) == GL_INVALID_OPERATION);
    CHECK(begin(GL_ANY_SAMPLES_PASSED_CONSERVATIVE_EXT, queries[1]) == GL_INVALID_OPERATION);
    CHECK(begin(GL_TIME_ELAPSED_EXT, queries[0]) == GL_INVALID_OPERATION);
    glEndQueryEXT(GL_ANY_SAMPLES_PASSED_CONSERVATIVE_EXT);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    GLuint value = 5;
    glGetQueryObjectuivEXT(queries[0], GL_QUERY_RESULT_EXT, &value);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glDeleteQueriesEXT(1, queries);
    CHECK(glIsQueryEXT(queries[0]) == GL_FALSE);
    glEndQueryEXT(GL_ANY_SAMPLES_PASSED_EXT);  // the object was still active
    CHECK(glGetError() == GL_NO_ERROR);
    glGetQueryObjectuivEXT(queries[0], GL_QUERY_RESULT_EXT, &value);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glGetQueryObjectuivEXT(queries[1], GL_QUERY_RESULT_EXT, &value);
    CHECK(glGetError() == GL_INVALID_OPERATION);  // a name without an object
    CHECK(value == 5);
    CHECK(begin(GL_TIME_ELAPSED_EXT, queries[1]) == GL_NO_ERROR);
    glQueryCounterEXT(queries[1], GL_TIMESTAMP_EXT);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glEndQueryEXT(GL_TIME_ELAPSED_EXT);
    CHECK(begin(GL_ANY_SAMPLES_PASSED_EXT, queries[1]) == GL_INVALID_OPERATION);  // another type
    glGetQueryObjectuivEXT(queries[1], GL_TEXTURE_2D, &value);
    CHECK(glGetError() == GL_INVALID_ENUM);
    GLint bits = 0;
    glGetQueryivEXT(GL_TEXTURE_2D, GL_CURRENT_QUERY_EXT, &bits);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glGetQueryivEXT(GL_TIMESTAMP_EXT, GL_TEXTURE_2D, &bits);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glQueryCounterEXT(queries[1], GL_TIME_ELAPSED_EXT);
    CHECK(glGetError() == GL_INVALID_ENUM);
}

TEST_CASE("EXT_disjoint_timer_query: time passes in order") {
    TestContext context(kLarge);
    glUseProgram(makeProgram(kPassVertex, kColorFragment));
    GLint bits = 0;
    glGetQueryivEXT(GL_TIME_ELAPSED_EXT, GL_QUERY_COUNTER_BITS_EXT, &bits);
    CHECK(bits >= 30);
    glGetQueryivEXT(GL_TIMESTAMP_EXT, GL_QUERY_COUNTER_BITS_EXT, &bits);
    CHECK(bits >= 30);
    GLint64 before = 0, after = 0;
    glGetInteger64vEXT(GL_TIMESTAMP_EXT, &before);
    GLuint queries[3];
    glGenQueriesEXT(3, queries);
    glQueryCounterEXT(queries[0], GL_TIMESTAMP_EXT);
    glBeginQueryEXT(GL_TIME_ELAPSED_EXT, queries[1]);
    CHECK(current(GL_TIME_ELAPSED_EXT) == static_cast<GLint>(queries[1]));
    for (int i = 0; i < 20; ++i) drawQuad();
    glEndQueryEXT(GL_TIME_ELAPSED_EXT);
    glQueryCounterEXT(queries[2], GL_TIMESTAMP_EXT);
    GLuint64 first = 0, elapsed = 0, last = 0;
    glGetQueryObjectui64vEXT(queries[0], GL_QUERY_RESULT_EXT, &first);
    glGetQueryObjectui64vEXT(queries[1], GL_QUERY_RESULT_EXT, &elapsed);
    glGetQueryObjectui64vEXT(queries[2], GL_QUERY_RESULT_EXT, &last);
    glGetInteger64vEXT(GL_TIMESTAMP_EXT, &after);
    CHECK(static_cast<GLuint64>(before) <= first);
    CHECK(elapsed > 0);
    CHECK(first + elapsed <= last);
    CHECK(last <= static_cast<GLuint64>(after));
    // 32 bits saturate.
    GLint narrow = 0;
    glGetQueryObjectivEXT(queries[2], GL_QUERY_RESULT_EXT, &narrow);
    CHECK(narrow == (last > 0x7FFFFFFF ? 0x7FFFFFFF : static_cast<GLint>(last)));
    CHECK(getInt(GL_GPU_DISJOINT_EXT) == 0);
    GLint64 units = 0;
    glGetInteger64vEXT(GL_MAX_TEXTURE_SIZE, &units);
    CHECK(units == 16384);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("core names of OpenGL ES 3.0, and a query of primitives written") {
    {
        TestContext old;
        GLuint query = 0;
        glGenQueries(1, &query);
        glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, query);
        CHECK(glGetError() == GL_INVALID_ENUM);
    }
    TestContext context(kEs3);
    glUseProgram(makeProgram(kPassVertex, kColorFragment));
    GLuint queries[2];
    glGenQueries(2, queries);
    glBeginQuery(GL_ANY_SAMPLES_PASSED, queries[0]);
    glBeginQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, queries[1]);
    CHECK(current(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN) == static_cast<GLint>(queries[1]));
    GLint bits = 0;
    glGetQueryivEXT(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN, GL_QUERY_COUNTER_BITS_EXT, &bits);
    CHECK(bits == 32);
    CHECK(glGetError() == GL_NO_ERROR);
    glBeginQuery(GL_ANY_SAMPLES_PASSED_CONSERVATIVE, queries[1]);  // the two occlusion targets are one
    CHECK(glGetError() == GL_INVALID_OPERATION);
    drawQuad();
    glEndQuery(GL_ANY_SAMPLES_PASSED);
    glEndQuery(GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN);
    CHECK(result(queries[0]) == 1);
    CHECK(result(queries[1]) == 0);                   // nothing is written to a buffer
    glBeginQuery(GL_ANY_SAMPLES_PASSED, queries[1]);  // of another target
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glDeleteQueries(2, queries);
    CHECK(glIsQuery(queries[0]) == GL_FALSE);
}
