// Streams of GL calls, right and wrong, on a context or on two that share objects: by turns on one thread, or each on a
// thread of its own. Demands: no error but those of OpenGL ES 2.0, and a fresh context still draws.
#include <algorithm>
#include <thread>

#include "tests/fuzz/check.h"
#include "tests/fuzz/input.h"
#include "tests/gles/fixture.h"
#include "tests/gles/hostile_caller.h"

#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

namespace {

using namespace tessera;
using gles_test::HostileCaller;
using gles_test::TestContext;

constexpr int kCallsOfATurn = 20;

void call(HostileCaller& caller) {
    const GLenum error = caller.call();
    fuzz::demand(error == GL_NO_ERROR || (error >= GL_INVALID_ENUM && error <= GL_INVALID_FRAMEBUFFER_OPERATION),
                 "an error of OpenGL ES 2.0", std::to_string(error));
}

HostileCaller callerOf(fuzz::Input& input, bool clientArrays) {
    // Most numbers are a choice among few: two bytes do, spread so that a whole word is odd as well.
    return HostileCaller([&input] { return input.half() * 0x10001u; }, clientArrays);
}

void takeTurns(fuzz::Input input, bool clientArrays) {
    HostileCaller caller = callerOf(input, clientArrays);
    const TestContext first, second({.share = &first});
    first.makeCurrent();
    caller.makePrograms();
    for (int calls = 1; !input.empty(); ++calls) {
        call(caller);
        if (calls % kCallsOfATurn == 0) (calls / kCallsOfATurn % 2 == 0 ? first : second).makeCurrent();
    }
    glFinish();
}

void runTogether(const uint8_t* data, size_t size, bool clientArrays) {
    const TestContext first, second({.share = &first});
    TestContext::makeNoneCurrent();
    const auto run = [clientArrays](const TestContext& context, fuzz::Input input) {
        HostileCaller caller = callerOf(input, clientArrays);
        context.makeCurrent();
        caller.makePrograms();
        while (!input.empty()) call(caller);
        glFinish();
        TestContext::makeNoneCurrent();
    };
    const size_t half = size / 2;
    std::thread beside(run, std::cref(second), fuzz::Input(data + half, size - half));
    run(first, fuzz::Input(data, half));
    beside.join();
}

/// Without a shader: what is demanded after every input must not take longer than the input.
void demandThatAContextDraws() {
    const TestContext context;
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    fuzz::demand(gles_test::pixelAt(3, 3) == gles_test::Rgba{0, 255, 0, 255}, "a fresh context draws");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size < 2) return 0;
    const bool clientArrays = data[0] & 1;
    if (data[0] & 2)
        runTogether(data + 1, size - 1, clientArrays);
    else
        takeTurns(fuzz::Input(data + 1, size - 1), clientArrays);
    demandThatAContextDraws();
    return 0;
}
