// Windows of configurations other than RGBA8: fewer bits, floats, samples, a front buffer.
#include "tests/egl/x11/x11_window.h"

using namespace egltest;

TEST_CASE("windows of fewer bits are shown in deeper ones, and chosen last") {
    X11Fixture server;
    if (server.x == nullptr) return;
    DisplayFixture egl(eglGetDisplay(native(server.x)));
    EGLConfig first = egl.choose({EGL_SURFACE_TYPE, EGL_WINDOW_BIT});
    CHECK(egl.attribute(first, EGL_RED_SIZE) == 8);
    CHECK(egl.attribute(first, EGL_CONFIG_CAVEAT) == EGL_NONE);
    EGLConfig config = egl.choose(
        {EGL_SURFACE_TYPE, EGL_WINDOW_BIT, EGL_CONFIG_CAVEAT, EGL_SLOW_CONFIG, EGL_BUFFER_SIZE, 16, EGL_GREEN_SIZE, 6});
    REQUIRE(config != nullptr);
    CHECK(egl.attribute(config, EGL_BUFFER_SIZE) == 16);
    ShownWindow shown(server, egl, config);
    clearTo(0.5f, 0.5f, 0.5f);
    CHECK(eglSwapBuffers(egl.display, shown.surface) == EGL_TRUE);
    // 16 of 31 and 32 of 63, in eight bits.
    CHECK(shown.window.shown(3, 3) == 0x848284);
}

TEST_CASE("a window has an alpha channel where its configuration has one, of however few bits") {
    X11Fixture server;
    if (server.x == nullptr) return;
    DisplayFixture egl(eglGetDisplay(native(server.x)));
    std::vector<EGLConfig> configs(256);
    EGLint count = 0;
    REQUIRE(eglGetConfigs(egl.display, configs.data(), static_cast<EGLint>(configs.size()), &count) == EGL_TRUE);
    configs.resize(static_cast<size_t>(count));
    size_t slow = 0, windows = 0;
    for (EGLConfig config : configs) {
        if ((egl.attribute(config, EGL_SURFACE_TYPE) & EGL_WINDOW_BIT) == 0) continue;
        XVisualInfo wanted{};
        wanted.visualid = static_cast<VisualID>(egl.attribute(config, EGL_NATIVE_VISUAL_ID));
        int found = 0;
        XVisualInfo* info = XGetVisualInfo(server.x, VisualIDMask, &wanted, &found);
        REQUIRE(found == 1);
        CHECK((info->depth == 32) == (egl.attribute(config, EGL_ALPHA_SIZE) > 0));
        XFree(info);
        ++windows;
        slow += egl.attribute(config, EGL_CONFIG_CAVEAT) == EGL_SLOW_CONFIG ? 1 : 0;
    }
    CHECK(slow > 0);
    CHECK(windows > slow);
}

TEST_CASE("float windows are shown in eight bits and read as floats") {
    X11Fixture server;
    if (server.x == nullptr) return;
    DisplayFixture egl(eglGetDisplay(native(server.x)));
    EGLConfig config = egl.choose({EGL_SURFACE_TYPE, EGL_WINDOW_BIT, EGL_COLOR_COMPONENT_TYPE_EXT,
                                   EGL_COLOR_COMPONENT_TYPE_FLOAT_EXT, EGL_RED_SIZE, 16});
    REQUIRE(config != nullptr);
    ShownWindow shown(server, egl, config);
    clearTo(2.5f, 0.2f, -1, 1);
    GLfloat pixel[4] = {};
    glReadPixels(2, 2, 1, 1, GL_RGBA, GL_FLOAT, pixel);
    CHECK(pixel[0] == 2.5f);
    CHECK(pixel[1] == doctest::Approx(0.2).epsilon(0.001));
    CHECK(pixel[2] == -1);
    CHECK(eglSwapBuffers(egl.display, shown.surface) == EGL_TRUE);
    CHECK(shown.window.shown(3, 3) == 0xFF3300);
    XResizeWindow(server.x, shown.window.id, 20, 20);
    XSync(server.x, False);
    CHECK(eglSwapBuffers(egl.display, shown.surface) == EGL_TRUE);
    glReadPixels(2, 19, 1, 1, GL_RGBA, GL_FLOAT, pixel);
    CHECK(pixel[0] == 2.5f);  // what is kept keeps its range
}

TEST_CASE("windows with samples show their mean, also after a change of size") {
    X11Fixture server;
    if (server.x == nullptr) return;
    DisplayFixture egl(eglGetDisplay(native(server.x)));
    EGLConfig config = egl.choose({EGL_SURFACE_TYPE, EGL_WINDOW_BIT, EGL_RED_SIZE, 8, EGL_SAMPLES, 4});
    REQUIRE(config != nullptr);
    CHECK((egl.attribute(config, EGL_SURFACE_TYPE) & EGL_MUTABLE_RENDER_BUFFER_BIT_KHR) == 0);
    ShownWindow shown(server, egl, config);
    GLuint drawing = plainProgram();
    glUseProgram(drawing);
    glUniform4f(glGetUniformLocation(drawing, "color"), 1, 1, 1, 1);
    const GLfloat corners[] = {-1, -1, 1, -1, 1, 1};
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    clearTo(0, 0, 0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    CHECK(eglSwapBuffers(egl.display, shown.surface) == EGL_TRUE);
    const unsigned long middle = shown.window.shown(3, 4) & 0xFF;
    CHECK(shown.window.shown(6, 6) == 0xFFFFFF);
    CHECK(shown.window.shown(1, 1) == 0x000000);
    CHECK(middle >= 64);
    CHECK(middle <= 192);
    XResizeWindow(server.x, shown.window.id, 20, 20);
    XSync(server.x, False);
    CHECK(eglSwapBuffers(egl.display, shown.surface) == EGL_TRUE);
    GLint samples = 0;
    glGetIntegerv(GL_SAMPLES, &samples);
    CHECK(samples == 4);
    CHECK(pixelAt(3, 15)[0] == static_cast<int>(middle));  // below the upper left corner
    CHECK(pixelAt(6, 13)[0] == 255);
}

TEST_CASE("EGL_KHR_mutable_render_buffer: a front buffer is shown by glFlush") {
    X11Fixture server;
    if (server.x == nullptr) return;
    DisplayFixture egl(eglGetDisplay(native(server.x)));
    EGLConfig config = egl.choose(
        {EGL_SURFACE_TYPE, EGL_WINDOW_BIT | EGL_MUTABLE_RENDER_BUFFER_BIT_KHR, EGL_RED_SIZE, 8, EGL_ALPHA_SIZE, 0});
    REQUIRE(config != nullptr);
    ShownWindow shown(server, egl, config);
    auto buffers = [&](EGLint wantAsked, EGLint wantActive) {
        EGLint asked = 0, active = 0;
        CHECK(eglQuerySurface(egl.display, shown.surface, EGL_RENDER_BUFFER, &asked) == EGL_TRUE);
        CHECK(eglQueryContext(egl.display, shown.context, EGL_RENDER_BUFFER, &active) == EGL_TRUE);
        CHECK(asked == wantAsked);
        CHECK(active == wantActive);
    };
    buffers(EGL_BACK_BUFFER, EGL_BACK_BUFFER);
    clearTo(1, 0, 0);
    CHECK(eglSwapBuffers(egl.display, shown.surface) == EGL_TRUE);
    CHECK(eglSurfaceAttrib(egl.display, shown.surface, EGL_RENDER_BUFFER, EGL_SINGLE_BUFFER) == EGL_TRUE);
    buffers(EGL_SINGLE_BUFFER, EGL_BACK_BUFFER);
    clearTo(0, 1, 0);
    glFlush();
    CHECK(shown.window.shown(3, 3) == 0xFF0000);  // not yet: from the next swap on
    CHECK(eglSwapBuffers(egl.display, shown.surface) == EGL_TRUE);
    CHECK(shown.window.shown(3, 3) == 0x00FF00);
    buffers(EGL_SINGLE_BUFFER, EGL_SINGLE_BUFFER);
    EGLint age = -1;
    CHECK(eglQuerySurface(egl.display, shown.surface, EGL_BUFFER_AGE_EXT, &age) == EGL_TRUE);
    CHECK(age == 0);  // a single buffer has no frames
    clearTo(0, 0, 1);
    glFlush();
    CHECK(shown.window.shown(3, 3) == 0x0000FF);
    clearTo(1, 1, 0);
    glFinish();
    CHECK(shown.window.shown(3, 3) == 0xFFFF00);
    CHECK(eglSurfaceAttrib(egl.display, shown.surface, EGL_RENDER_BUFFER, EGL_BACK_BUFFER) == EGL_TRUE);
    CHECK(eglSwapBuffers(egl.display, shown.surface) == EGL_TRUE);
    clearTo(1, 0, 1);
    glFlush();
    CHECK(shown.window.shown(3, 3) == 0xFFFF00);
    CHECK(eglSurfaceAttrib(egl.display, shown.surface, EGL_RENDER_BUFFER, EGL_NONE) == EGL_FALSE);
    CHECK(error() == EGL_BAD_PARAMETER);
    EGLSurface pbuffer = egl.pbuffer();
    CHECK(eglSurfaceAttrib(egl.display, pbuffer, EGL_RENDER_BUFFER, EGL_SINGLE_BUFFER) == EGL_FALSE);
    CHECK(error() == EGL_BAD_MATCH);
}
