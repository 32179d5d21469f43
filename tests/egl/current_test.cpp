// Contexts and what is current (EGL 1.5 section 3.7).
#include <doctest/doctest.h>

#include <thread>

#include "tests/egl/fixture.h"

using namespace egltest;

TEST_CASE("binding, querying and releasing a context") {
    DisplayFixture egl;
    EGLContext context = egl.context();
    EGLSurface draw = egl.pbuffer(), read = egl.pbuffer(8, 8);
    REQUIRE(eglMakeCurrent(egl.display, draw, read, context) == EGL_TRUE);
    CHECK(eglGetCurrentContext() == context);
    CHECK(eglGetCurrentDisplay() == egl.display);
    CHECK(eglGetCurrentSurface(EGL_DRAW) == draw);
    CHECK(eglGetCurrentSurface(EGL_READ) == read);
    CHECK(eglGetCurrentSurface(EGL_WIDTH) == EGL_NO_SURFACE);
    CHECK(error() == EGL_BAD_PARAMETER);
    EGLint value = 0;
    CHECK(eglQueryContext(egl.display, context, EGL_CONTEXT_CLIENT_VERSION, &value) == EGL_TRUE);
    CHECK(value == 2);
    CHECK(eglQueryContext(egl.display, context, EGL_RENDER_BUFFER, &value) == EGL_TRUE);
    CHECK(value == EGL_BACK_BUFFER);
    GLint viewport[4] = {};
    glGetIntegerv(GL_VIEWPORT, viewport);
    CHECK(viewport[2] == 16);
    CHECK(eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT) == EGL_TRUE);
    CHECK(eglGetCurrentContext() == EGL_NO_CONTEXT);
    CHECK(eglQueryContext(egl.display, context, EGL_RENDER_BUFFER, &value) == EGL_TRUE);
    CHECK(value == EGL_NONE);
}

TEST_CASE("draw and read surfaces are separate") {
    DisplayFixture egl;
    EGLContext context = egl.context();
    EGLSurface red = egl.pbuffer(), green = egl.pbuffer();
    eglMakeCurrent(egl.display, green, green, context);
    clearTo(0, 1, 0);
    eglMakeCurrent(egl.display, red, green, context);
    clearTo(1, 0, 0);
    CHECK(pixelAt(3, 3) == Color{0, 255, 0, 255});
    // What is drawn to and what is read may change places.
    CHECK(eglMakeCurrent(egl.display, green, red, context) == EGL_TRUE);
    CHECK(pixelAt(3, 3) == Color{255, 0, 0, 255});
    CHECK(eglMakeCurrent(egl.display, red, green, context) == EGL_TRUE);
    CHECK(pixelAt(3, 3) == Color{0, 255, 0, 255});
    eglMakeCurrent(egl.display, red, red, context);
    CHECK(pixelAt(3, 3) == Color{255, 0, 0, 255});
}

TEST_CASE("what does not fit is not made current, and what was stays so") {
    DisplayFixture egl;
    EGLContext context = egl.context();
    EGLSurface surface = egl.pbuffer();
    REQUIRE(eglMakeCurrent(egl.display, surface, surface, context) == EGL_TRUE);
    auto refused = [&](EGLSurface draw, EGLSurface read, EGLContext other, EGLint want) {
        CHECK(eglMakeCurrent(egl.display, draw, read, other) == EGL_FALSE);
        CHECK(error() == want);
        CHECK(eglGetCurrentContext() == context);
        CHECK(eglGetCurrentSurface(EGL_DRAW) == surface);
    };
    refused(surface, EGL_NO_SURFACE, context, EGL_BAD_MATCH);
    refused(EGL_NO_SURFACE, surface, context, EGL_BAD_MATCH);
    refused(surface, surface, EGL_NO_CONTEXT, EGL_BAD_MATCH);
    refused(&egl, surface, context, EGL_BAD_SURFACE);
    refused(surface, &egl, context, EGL_BAD_SURFACE);
    refused(surface, surface, &egl, EGL_BAD_CONTEXT);

    const EGLint small[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_NONE};
    EGLConfig first = nullptr;
    EGLint count = 0;
    REQUIRE(eglChooseConfig(egl.display, small, &first, 1, &count) == EGL_TRUE);
    REQUIRE(egl.attribute(first, EGL_BUFFER_SIZE) < 32);
    const EGLint size[] = {EGL_WIDTH, 4, EGL_HEIGHT, 4, EGL_NONE};
    EGLSurface other = eglCreatePbufferSurface(egl.display, first, size);
    refused(other, other, context, EGL_BAD_MATCH);
}

TEST_CASE("a context without a configuration goes with every surface, and without one") {
    DisplayFixture egl;
    CHECK(contains(eglQueryString(egl.display, EGL_EXTENSIONS), "EGL_MESA_configless_context"));
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLContext context = eglCreateContext(egl.display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version);
    REQUIRE(context != EGL_NO_CONTEXT);
    EGLint value = -1;
    CHECK(eglQueryContext(egl.display, context, EGL_CONFIG_ID, &value) == EGL_TRUE);
    CHECK(value == 0);
    EGLSurface surface = egl.pbuffer();
    CHECK(eglMakeCurrent(egl.display, surface, surface, context) == EGL_TRUE);
    CHECK(eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_TRUE);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_UNDEFINED_OES);
}

TEST_CASE("destroyed objects live while they are current") {
    DisplayFixture egl;
    EGLContext context = egl.context();
    EGLSurface surface = egl.pbuffer();
    REQUIRE(eglMakeCurrent(egl.display, surface, surface, context) == EGL_TRUE);
    CHECK(eglDestroyContext(egl.display, context) == EGL_TRUE);
    CHECK(eglDestroySurface(egl.display, surface) == EGL_TRUE);
    clearTo(0, 0, 1);
    CHECK(pixelAt(1, 1) == Color{0, 0, 255, 255});
    CHECK(eglDestroyContext(egl.display, context) == EGL_FALSE);
    CHECK(error() == EGL_BAD_CONTEXT);
    CHECK(eglDestroySurface(egl.display, surface) == EGL_FALSE);
    CHECK(error() == EGL_BAD_SURFACE);
}

TEST_CASE("drawing goes on after eglTerminate until the context is released") {
    DisplayFixture egl;
    EGLContext context = egl.context();
    EGLSurface surface = egl.pbuffer();
    REQUIRE(eglMakeCurrent(egl.display, surface, surface, context) == EGL_TRUE);
    CHECK(eglTerminate(egl.display) == EGL_TRUE);
    clearTo(1, 1, 0);
    CHECK(pixelAt(1, 1) == Color{255, 255, 0, 255});
    CHECK(eglMakeCurrent(egl.display, surface, surface, context) == EGL_FALSE);
    CHECK(error() == EGL_NOT_INITIALIZED);
    CHECK(eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT) == EGL_TRUE);
    CHECK(eglInitialize(egl.display, nullptr, nullptr) == EGL_TRUE);
    CHECK(eglMakeCurrent(egl.display, surface, surface, context) == EGL_FALSE);
    CHECK(error() == EGL_BAD_CONTEXT);
}

TEST_CASE("one thread has a context, or a surface, at a time") {
    DisplayFixture egl;
    EGLContext first = egl.context(), second = egl.context();
    EGLSurface surface = egl.pbuffer(), spare = egl.pbuffer();
    REQUIRE(eglMakeCurrent(egl.display, surface, surface, first) == EGL_TRUE);
    std::thread([&] {
        CHECK(eglGetCurrentContext() == EGL_NO_CONTEXT);
        CHECK(eglMakeCurrent(egl.display, spare, spare, first) == EGL_FALSE);
        CHECK(error() == EGL_BAD_ACCESS);
        CHECK(eglMakeCurrent(egl.display, surface, surface, second) == EGL_FALSE);
        CHECK(error() == EGL_BAD_ACCESS);
        CHECK(eglMakeCurrent(egl.display, spare, spare, second) == EGL_TRUE);
        // The thread ends with it current: that releases it.
    }).join();
    CHECK(eglMakeCurrent(egl.display, spare, spare, second) == EGL_TRUE);
}

TEST_CASE("context attributes") {
    DisplayFixture egl;
    auto create = [&](std::vector<EGLint> attributes, EGLint want) {
        attributes.push_back(EGL_NONE);
        EGLContext context = eglCreateContext(egl.display, egl.config(), EGL_NO_CONTEXT, attributes.data());
        EGLint got = error();
        CHECK((context != EGL_NO_CONTEXT) == (want == EGL_SUCCESS));
        CHECK(got == want);
    };
    create({EGL_CONTEXT_MAJOR_VERSION, 2, EGL_CONTEXT_MINOR_VERSION, 0}, EGL_SUCCESS);
    create({EGL_CONTEXT_MAJOR_VERSION, 2, EGL_CONTEXT_MINOR_VERSION, 1}, EGL_BAD_MATCH);
    create({EGL_CONTEXT_MAJOR_VERSION, 4}, EGL_BAD_MATCH);
    create({EGL_CONTEXT_CLIENT_VERSION, 3}, EGL_SUCCESS);
    create({EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 1}, EGL_BAD_MATCH);
    create({EGL_CONTEXT_MAJOR_VERSION, 1, EGL_CONTEXT_MINOR_VERSION, 1}, EGL_SUCCESS);
    create({EGL_CONTEXT_MAJOR_VERSION, 1, EGL_CONTEXT_MINOR_VERSION, 2}, EGL_BAD_MATCH);
    create({}, EGL_SUCCESS);  // OpenGL ES 1.0
    create({EGL_CONTEXT_CLIENT_VERSION, 2, EGL_CONTEXT_FLAGS_KHR, EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR}, EGL_SUCCESS);
    create({EGL_CONTEXT_CLIENT_VERSION, 2, EGL_CONTEXT_FLAGS_KHR, 0x100}, EGL_BAD_ATTRIBUTE);
    create({EGL_CONTEXT_CLIENT_VERSION, 2, EGL_WIDTH, 2}, EGL_BAD_ATTRIBUTE);
    create({EGL_CONTEXT_CLIENT_VERSION, 2, EGL_CONTEXT_RELEASE_BEHAVIOR_KHR, EGL_CONTEXT_RELEASE_BEHAVIOR_NONE_KHR},
           EGL_SUCCESS);
    create({EGL_CONTEXT_CLIENT_VERSION, 2, EGL_CONTEXT_RELEASE_BEHAVIOR_KHR, 5}, EGL_BAD_ATTRIBUTE);
    create({EGL_CONTEXT_CLIENT_VERSION, 2, EGL_CONTEXT_OPENGL_NO_ERROR_KHR, EGL_TRUE}, EGL_SUCCESS);
    create({EGL_CONTEXT_CLIENT_VERSION, 2, EGL_CONTEXT_OPENGL_NO_ERROR_KHR, 2}, EGL_BAD_ATTRIBUTE);
    for (EGLint other : {EGL_CONTEXT_OPENGL_DEBUG, EGL_CONTEXT_OPENGL_ROBUST_ACCESS_EXT}) {
        create({EGL_CONTEXT_CLIENT_VERSION, 2, EGL_CONTEXT_OPENGL_NO_ERROR_KHR, EGL_TRUE, other, EGL_TRUE},
               EGL_BAD_MATCH);
        create({EGL_CONTEXT_CLIENT_VERSION, 2, EGL_CONTEXT_OPENGL_NO_ERROR_KHR, EGL_FALSE, other, EGL_TRUE},
               EGL_SUCCESS);
    }
}

TEST_CASE("contexts that share agree in whether they report errors (EGL_KHR_create_context_no_error)") {
    DisplayFixture egl;
    const auto create = [&](EGLContext share, EGLint noError) {
        const EGLint attributes[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_CONTEXT_OPENGL_NO_ERROR_KHR, noError, EGL_NONE};
        return eglCreateContext(egl.display, egl.config(), share, attributes);
    };
    for (const EGLint noError : {EGL_TRUE, EGL_FALSE}) {
        const EGLContext context = create(EGL_NO_CONTEXT, noError);
        REQUIRE(context != EGL_NO_CONTEXT);
        CHECK(create(context, noError) != EGL_NO_CONTEXT);
        CHECK(create(context, noError == EGL_TRUE ? EGL_FALSE : EGL_TRUE) == EGL_NO_CONTEXT);
        CHECK(error() == EGL_BAD_MATCH);
    }
}

TEST_CASE("a context tells whether leaving it flushes (KHR_context_flush_control)") {
    DisplayFixture egl;
    for (const EGLint behavior : {EGL_CONTEXT_RELEASE_BEHAVIOR_NONE_KHR, EGL_CONTEXT_RELEASE_BEHAVIOR_FLUSH_KHR}) {
        const EGLint attributes[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_CONTEXT_RELEASE_BEHAVIOR_KHR, behavior,
                                     EGL_NONE};
        const EGLContext context = eglCreateContext(egl.display, egl.config(), EGL_NO_CONTEXT, attributes);
        REQUIRE(eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) == EGL_TRUE);
        GLint told = -1;
        glGetIntegerv(GL_CONTEXT_RELEASE_BEHAVIOR_KHR, &told);
        CHECK(told ==
              (behavior == EGL_CONTEXT_RELEASE_BEHAVIOR_NONE_KHR ? GL_NONE : GL_CONTEXT_RELEASE_BEHAVIOR_FLUSH_KHR));
        CHECK(glGetError() == GL_NO_ERROR);
    }
}

TEST_CASE("a context without attributes is one of OpenGL ES 1.1, and shares with one of OpenGL ES 2.0") {
    DisplayFixture egl;
    EGLContext first = eglCreateContext(egl.display, egl.config(), EGL_NO_CONTEXT, nullptr);
    REQUIRE(first != EGL_NO_CONTEXT);
    EGLint version = 0;
    CHECK(eglQueryContext(egl.display, first, EGL_CONTEXT_CLIENT_VERSION, &version) == EGL_TRUE);
    CHECK(version == 1);
    REQUIRE(eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, first) == EGL_TRUE);
    CHECK(std::string_view(reinterpret_cast<const char*>(glGetString(GL_VERSION))).starts_with("OpenGL ES-CM 1.1 "));
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    const EGLint two[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLContext second = eglCreateContext(egl.display, egl.config(), first, two);
    REQUIRE(second != EGL_NO_CONTEXT);
    REQUIRE(eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, second) == EGL_TRUE);
    CHECK(std::string_view(reinterpret_cast<const char*>(glGetString(GL_VERSION))).starts_with("OpenGL ES 2.0 "));
    CHECK(glIsBuffer(buffer) == GL_TRUE);
    eglMakeCurrent(egl.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
}

TEST_CASE("contexts that share agree about resets") {
    DisplayFixture egl;
    const EGLint robust[] = {EGL_CONTEXT_CLIENT_VERSION,
                             2,
                             EGL_CONTEXT_OPENGL_ROBUST_ACCESS_EXT,
                             EGL_TRUE,
                             EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT,
                             EGL_LOSE_CONTEXT_ON_RESET_EXT,
                             EGL_NONE};
    EGLContext first = eglCreateContext(egl.display, egl.config(), EGL_NO_CONTEXT, robust);
    REQUIRE(first != EGL_NO_CONTEXT);
    EGLint strategy = 0;
    CHECK(eglQueryContext(egl.display, first, EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT, &strategy) ==
          EGL_TRUE);
    CHECK(strategy == EGL_LOSE_CONTEXT_ON_RESET_EXT);
    CHECK(egl.context(first) == EGL_NO_CONTEXT);
    CHECK(error() == EGL_BAD_MATCH);
    CHECK(eglCreateContext(egl.display, egl.config(), first, robust) != EGL_NO_CONTEXT);
}
