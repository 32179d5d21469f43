// No entry point without an error test, none without a call outside any context.
#include "api/gles/entry_points.h"
#include "tests/gles/api_test.h"
#include "tests/gles/no_context.h"

using namespace tessera::gles_test;

namespace {

std::set<std::string> exportedNames() {
    std::set<std::string> names;
    for (const tessera::gles::EntryPoint& entry : tessera::gles::kEntryPoints)
        if (entry.since == tessera::gles::kCore) names.emplace(entry.name);
    return names;
}

}  // namespace

TEST_CASE("every entry point has an error test") {
    std::set<std::string> names = exportedNames();
    CHECK(names.size() == 142);
    for (const std::string& name : names)
        CHECK_MESSAGE(testedEntryPoints().count(name) == 1, name << " has no ERROR_TEST");
    for (const std::string& name : testedEntryPoints())
        CHECK_MESSAGE(names.count(name) == 1, name << " is no entry point");
}

TEST_CASE("every entry point returns quietly without a current context") {
    TestContext::makeNoneCurrent();
    std::set<std::string> called;
    for (const NoContextCall& entry : kNoContextCalls) {
        INFO(entry.name);
        CHECK(called.insert(entry.name).second);
        entry.call();
        CHECK(glGetError() == GL_NO_ERROR);
    }
    CHECK(called == exportedNames());

    // And none of it reached a context made later.
    TestContext context;
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(glIsBuffer(1) == GL_FALSE);
    CHECK(glIsProgram(1) == GL_FALSE);
}
