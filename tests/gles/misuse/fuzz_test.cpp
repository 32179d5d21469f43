// A long run of a hostile caller over two contexts that share objects.
#include <doctest/doctest.h>

#include <chrono>
#include <random>

#include "tests/gles/fixture.h"
#include "tests/gles/hostile_caller.h"

using namespace tessera::gles_test;

namespace {

constexpr int kCalls = 100000;

/// On two contexts by turns. Returns how many calls ended in an error.
int callAtRandom(unsigned seed, bool clientArrays, const TestContext& first, const TestContext& second) {
    std::mt19937 random(seed);
    HostileCaller caller([&random] { return static_cast<uint32_t>(random()); }, clientArrays);
    int errors = 0;
    for (int i = 0; i < kCalls; ++i) {
        if (i % 5000 == 0) (i / 5000 % 2 == 0 ? first : second).makeCurrent();
        if (i % 1000 == 0) caller.makePrograms();
        const GLenum error = caller.call();
        if (error != GL_NO_ERROR && (error < GL_INVALID_ENUM || error > GL_INVALID_FRAMEBUFFER_OPERATION))
            FAIL("unknown error " << error);
        errors += error != GL_NO_ERROR;
    }
    glFinish();
    return errors;
}

void callAndDraw(unsigned seed, bool clientArrays) {
    const auto start = std::chrono::steady_clock::now();
    const TestContext first, second({.share = &first});
    const uint64_t before = drawnFragments();
    const int errors = callAtRandom(seed, clientArrays, first, second);
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    CHECK_MESSAGE(took < 60, "took " << took << " s");
    CHECK(drawnFragments() - before > 5000);  // and something was drawn
    CHECK(errors > kCalls / 10);              // many calls were wrong,
    CHECK(errors < kCalls * 8 / 10);          // but not nearly all
    const TestContext context;
    const GLuint program = useProgram(kPassVertex, kColorFragment);
    glUniform4f(glGetUniformLocation(program, "color"), 0, 1, 0, 1);
    drawQuad();
    CHECK(pixelAt(3, 3) == Rgba{0, 255, 0, 255});
}

}  // namespace

TEST_CASE("random calls with client arrays") { callAndDraw(20261, true); }
TEST_CASE("random calls with buffers and four-byte indices") { callAndDraw(20262, false); }
