// Entry points that OpenGL ES 3.0 adds, called wrongly: in a context of 3.0, in one of 2.0, without one, on a lost one.
#include "tests/gles/es3_calls.h"

#include <GLES2/gl2ext.h>

#include <algorithm>
#include <set>
#include <string>

#include "api/gles/entry_points.h"
#include "tests/gles/api_test.h"

using namespace tessera::gles_test;
namespace gles = tessera::gles;

namespace {

/// Whether an extension has the function too, with a suffix.
bool isOfExtension(const std::string& name) {
    return std::ranges::any_of(gles::kSuffixes, [&](std::string_view suffix) {
        return std::ranges::find(gles::kEntryPoints, name + std::string(suffix), &gles::EntryPoint::name) !=
               std::end(gles::kEntryPoints);
    });
}

}  // namespace

TEST_CASE("every entry point of OpenGL ES 3.0 is called wrongly somewhere") {
    std::set<std::string> all, called;
    for (const gles::EntryPoint& entry : gles::kEntryPoints)
        if (entry.since == gles::kCore3) all.emplace(entry.name);
    for (const Es3Call& row : kEs3Calls) called.insert(row.name);
    CHECK(called == all);
}

TEST_CASE("wrong calls of OpenGL ES 3.0 give their error and change nothing") {
    for (const Es3Call& row : kEs3Calls) {
        INFO(std::string(row.name));
        TestContext context(kEs3);
        const std::vector<std::string> before = stateSnapshot();
        REQUIRE(glGetError() == GL_NO_ERROR);
        row.call();
        CHECK(std::string(errorName(glGetError())) == std::string(errorName(row.error)));
        CHECK(glGetError() == GL_NO_ERROR);
        CHECK(stateSnapshot() == before);
    }
}

TEST_CASE("what no extension of OpenGL ES 2.0 has is an invalid operation there") {
    TestContext context;
    const std::vector<std::string> before = stateSnapshot();
    for (const Es3Call& row : kEs3Calls) {
        INFO(std::string(row.name));
        if (isOfExtension(row.name)) continue;
        row.call();
        CHECK(std::string(errorName(glGetError())) == std::string(errorName(GL_INVALID_OPERATION)));
    }
    CHECK(stateSnapshot() == before);
}

TEST_CASE("entry points of OpenGL ES 3.0 return quietly without a current context") {
    TestContext::makeNoneCurrent();
    for (const Es3Call& row : kEs3Calls) row.call();
    TestContext context(kEs3);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("on a lost context every entry point of OpenGL ES 3.0 gives CONTEXT_LOST and nothing else") {
    TestContext context({.width = 4, .height = 4, .version = 3, .resetNotification = true});
    const GLuint program = useProgram(kPassVertex,
                                      "precision highp float; uniform float one; void main() { float x = 0.0;"
                                      " while (one > 0.0) x += one; gl_FragColor = vec4(x); }");
    glUniform1f(glGetUniformLocation(program, "one"), 1);
    drawQuad();
    glFinish();
    while (glGetError() != GL_NO_ERROR) {
    }
    for (const Es3Call& row : kEs3Calls) {
        INFO(std::string(row.name));
        row.call();
        CHECK(std::string(errorName(glGetError())) == std::string(errorName(GL_CONTEXT_LOST_KHR)));
    }
}
