// Versions of OpenGL ES that EGL makes contexts of (EGL 1.5, section 3.7.1).
#include <GLES3/gl3.h>
#include <doctest/doctest.h>

#include <string>

#include "tests/egl/fixture.h"

using namespace egltest;

namespace {

EGLContext make(const DisplayFixture& egl, EGLConfig config, std::vector<EGLint> attributes,
                EGLContext share = EGL_NO_CONTEXT) {
    attributes.push_back(EGL_NONE);
    return eglCreateContext(egl.display, config, share, attributes.data());
}

std::string versionOf(const DisplayFixture& egl, EGLContext context) {
    REQUIRE(eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_TRUE);
    return reinterpret_cast<const char*>(glGetString(GL_VERSION));
}

EGLint clientVersion(const DisplayFixture& egl, EGLContext context) {
    EGLint value = 0;
    eglQueryContext(egl.display, context, EGL_CONTEXT_CLIENT_VERSION, &value);
    return value;
}

}  // namespace

TEST_CASE("a context has the version that is asked for, and no later one") {
    DisplayFixture egl;
    for (EGLConfig config : {egl.config(), EGLConfig{EGL_NO_CONFIG_KHR}}) {
        const EGLContext two = make(egl, config, {EGL_CONTEXT_CLIENT_VERSION, 2}),
                         three = make(egl, config, {EGL_CONTEXT_CLIENT_VERSION, 3}),
                         both = make(egl, config, {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 0});
        CHECK(versionOf(egl, two).rfind("OpenGL ES 2.0 ", 0) == 0);
        CHECK(versionOf(egl, three).rfind("OpenGL ES 3.0 ", 0) == 0);
        CHECK(versionOf(egl, both).rfind("OpenGL ES 3.0 ", 0) == 0);
        CHECK(clientVersion(egl, two) == 2);
        CHECK(clientVersion(egl, three) == 3);
        for (const EGLint minor : {1, 2, 3, -1}) {
            CHECK(make(egl, config, {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, minor}) ==
                  EGL_NO_CONTEXT);
            CHECK(error() == EGL_BAD_MATCH);
        }
    }
    CHECK(contains(eglQueryString(egl.display, EGL_EXTENSIONS), "EGL_KHR_no_config_context"));
}

TEST_CASE("asked from 3.2 downwards, with reset notification, 3.0 is found") {
    DisplayFixture egl;
    EGLContext context = EGL_NO_CONTEXT;
    EGLint minor = 3;
    while (context == EGL_NO_CONTEXT && minor > 0)
        context = make(egl, egl.config(),
                       {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, --minor,
                        EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT, EGL_LOSE_CONTEXT_ON_RESET_EXT,
                        EGL_CONTEXT_OPENGL_ROBUST_ACCESS_EXT, EGL_TRUE});
    CHECK(minor == 0);
    CHECK(versionOf(egl, context).rfind("OpenGL ES 3.0 ", 0) == 0);
    GLint strategy = 0;
    glGetIntegerv(GL_RESET_NOTIFICATION_STRATEGY_KHR, &strategy);
    CHECK(strategy == GL_LOSE_CONTEXT_ON_RESET_KHR);
    CHECK(make(egl, egl.config(), {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_CONTEXT_OPENGL_NO_ERROR_KHR, EGL_TRUE}) !=
          EGL_NO_CONTEXT);
}

TEST_CASE("contexts of two versions share") {
    DisplayFixture egl;
    const EGLContext two = make(egl, egl.config(), {EGL_CONTEXT_CLIENT_VERSION, 2}),
                     three = make(egl, egl.config(), {EGL_CONTEXT_CLIENT_VERSION, 3}, two);
    REQUIRE(eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, two) == EGL_TRUE);
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    REQUIRE(eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, three) == EGL_TRUE);
    CHECK(glIsBuffer(buffer) == GL_TRUE);
}

TEST_CASE("a program finds the functions of 3.0") {
    DisplayFixture egl;
    for (const char* name : {"glDrawArraysInstanced", "glGenVertexArrays", "glMapBufferRange", "glGetStringi"})
        CHECK_MESSAGE((eglGetProcAddress(name) != nullptr), std::string(name));
    // They are exported, too: these are linked.
    REQUIRE(eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE,
                           make(egl, egl.config(), {EGL_CONTEXT_CLIENT_VERSION, 3})) == EGL_TRUE);
    GLuint array = 0;
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    CHECK(glIsVertexArray(array) == GL_TRUE);
    CHECK(glGetError() == GL_NO_ERROR);
}
