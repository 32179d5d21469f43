// The shape of an error test. ERROR_TEST(glName, errors...) names the entry point and every error that OpenGL ES 2.0.25
// gives for it (outside these, any command may run out of memory). Its body provokes them; at the end the test fails
// when one of the named errors was not provoked. Every provoking call runs twice: once alone, when exactly that error
// must be set and the context's state must be as before, and once with another error pending, which must stick.
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tests/gles/fixture.h"

namespace tessera::gles_test {

/// Name of a GL error for messages.
[[nodiscard]] const char* errorName(GLenum error);

/// Everything glGet* tells about the current context, as text lines "NAME = values".
[[nodiscard]] std::vector<std::string> stateSnapshot();

class ErrorTest {
public:
    ErrorTest(const char* name, std::vector<GLenum> named) : name_(name), named_(std::move(named)) {}
    ErrorTest(const ErrorTest&) = delete;
    ErrorTest& operator=(const ErrorTest&) = delete;

    /// The call gives exactly this error and changes nothing.
    void error(GLenum expected, const std::function<void()>& call);
    /// The call gives no error.
    void fine(const std::function<void()>& call);
    /// All named errors have been seen.
    void finish();

private:
    std::string name_;
    std::vector<GLenum> named_;
    std::set<GLenum> seen_;
};

/// Names of the entry points with an error test in this program.
[[nodiscard]] std::set<std::string>& testedEntryPoints();
/// Always true: registers a name while static objects are made.
bool registerEntryPoint(const char* name);

}  // namespace tessera::gles_test

#define ERROR_TEST(name, ...)                                                                               \
    static void errorsOf_##name(::tessera::gles_test::ErrorTest& t);                                        \
    [[maybe_unused]] static const bool registered_##name = ::tessera::gles_test::registerEntryPoint(#name); \
    TEST_CASE("errors of " #name) {                                                                         \
        ::tessera::gles_test::TestContext context;                                                          \
        ::tessera::gles_test::ErrorTest test(#name, {__VA_ARGS__});                                         \
        errorsOf_##name(test);                                                                              \
        test.finish();                                                                                      \
    }                                                                                                       \
    static void errorsOf_##name([[maybe_unused]] ::tessera::gles_test::ErrorTest& t)
