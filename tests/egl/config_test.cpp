// Configurations: attributes, choice and order (EGL 1.5 section 3.4).
#include <doctest/doctest.h>

#include <cstddef>
#include <tuple>

#include "tests/egl/fixture.h"

using namespace egltest;

namespace {

std::vector<EGLConfig> choose(EGLDisplay display, std::vector<EGLint> attributes) {
    attributes.push_back(EGL_NONE);
    EGLint count = 0;
    REQUIRE(eglChooseConfig(display, attributes.data(), nullptr, 0, &count) == EGL_TRUE);
    std::vector<EGLConfig> found(static_cast<std::size_t>(count));
    REQUIRE(eglChooseConfig(display, attributes.data(), found.data(), count, &count) == EGL_TRUE);
    CHECK(count == static_cast<EGLint>(found.size()));
    return found;
}

}  // namespace

TEST_CASE("every configuration has consistent attributes") {
    DisplayFixture egl;
    EGLint count = 0;
    REQUIRE(eglGetConfigs(egl.display, nullptr, 0, &count) == EGL_TRUE);
    REQUIRE(count > 0);
    std::vector<EGLConfig> configs(static_cast<std::size_t>(count));
    REQUIRE(eglGetConfigs(egl.display, configs.data(), count, &count) == EGL_TRUE);
    std::vector<bool> seen(static_cast<std::size_t>(count) + 1);
    for (EGLConfig config : configs) {
        EGLint id = egl.attribute(config, EGL_CONFIG_ID);
        REQUIRE(id >= 1);
        REQUIRE(id <= count);
        CHECK_FALSE(seen[static_cast<std::size_t>(id)]);
        seen[static_cast<std::size_t>(id)] = true;
        EGLint sum = 0;
        for (EGLint name : {EGL_RED_SIZE, EGL_GREEN_SIZE, EGL_BLUE_SIZE, EGL_ALPHA_SIZE})
            sum += egl.attribute(config, name);
        CHECK(egl.attribute(config, EGL_BUFFER_SIZE) == sum);
        // One format of texture for what has alpha, one for what has none.
        const bool isPbuffer = (egl.attribute(config, EGL_SURFACE_TYPE) & EGL_PBUFFER_BIT) != 0;
        const bool hasAlpha = egl.attribute(config, EGL_ALPHA_SIZE) > 0;
        CHECK(egl.attribute(config, EGL_BIND_TO_TEXTURE_RGB) == (isPbuffer && !hasAlpha ? EGL_TRUE : EGL_FALSE));
        CHECK(egl.attribute(config, EGL_BIND_TO_TEXTURE_RGBA) == (isPbuffer && hasAlpha ? EGL_TRUE : EGL_FALSE));
        const EGLint all = EGL_OPENGL_ES_BIT | EGL_OPENGL_ES2_BIT | EGL_OPENGL_ES3_BIT;
        CHECK(egl.attribute(config, EGL_RENDERABLE_TYPE) == all);
        CHECK(egl.attribute(config, EGL_CONFORMANT) == all);
        CHECK((egl.attribute(config, EGL_SURFACE_TYPE) & EGL_WINDOW_BIT) == 0);  // no windows without a window system
        CHECK(egl.attribute(config, EGL_NATIVE_VISUAL_ID) == 0);
        CHECK(egl.attribute(config, EGL_LUMINANCE_SIZE) == 0);
        bool samples = egl.attribute(config, EGL_SAMPLES) > 0;
        CHECK(egl.attribute(config, EGL_SAMPLE_BUFFERS) == (samples ? 1 : 0));
    }
}

TEST_CASE("configurations are sorted by the specified keys") {
    DisplayFixture egl;
    // Asking for red and blue: more of those two first, then the smaller buffer, samples, depth, stencil, identifier.
    auto key = [&](EGLConfig config) {
        auto get = [&](EGLint name) { return egl.attribute(config, name); };
        return std::tuple(-(get(EGL_RED_SIZE) + get(EGL_BLUE_SIZE)), get(EGL_BUFFER_SIZE), get(EGL_SAMPLE_BUFFERS),
                          get(EGL_SAMPLES), get(EGL_DEPTH_SIZE), get(EGL_STENCIL_SIZE), get(EGL_CONFIG_ID));
    };
    auto found = choose(egl.display, {EGL_RED_SIZE, 1, EGL_BLUE_SIZE, 1, EGL_SURFACE_TYPE, EGL_PBUFFER_BIT,
                                      EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT});
    REQUIRE(found.size() > 4);
    for (std::size_t i = 1; i < found.size(); ++i) CHECK(key(found[i - 1]) < key(found[i]));
}

TEST_CASE("sizes are minima, masks are subsets, the rest is exact") {
    DisplayFixture egl;
    for (EGLConfig config : choose(egl.display, {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                                 EGL_OPENGL_ES2_BIT, EGL_DEPTH_SIZE, 17, EGL_ALPHA_SIZE, 2})) {
        CHECK(egl.attribute(config, EGL_DEPTH_SIZE) >= 17);
        CHECK(egl.attribute(config, EGL_ALPHA_SIZE) >= 2);
    }
    CHECK(choose(egl.display, {EGL_SURFACE_TYPE, EGL_WINDOW_BIT}).empty());
    CHECK(choose(egl.display, {EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_RENDERABLE_TYPE, EGL_OPENVG_BIT}).empty());
    CHECK(choose(egl.display, {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_DEPTH_SIZE, 33}).empty());
    CHECK(choose(egl.display, {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_CONFIG_CAVEAT, EGL_SLOW_CONFIG}).empty());
    // An identifier makes everything else count for nothing.
    auto byId = choose(egl.display, {EGL_CONFIG_ID, 3, EGL_DEPTH_SIZE, 99});
    REQUIRE(byId.size() == 1);
    CHECK(egl.attribute(byId[0], EGL_CONFIG_ID) == 3);
}

TEST_CASE("the defaults ask for a window and OpenGL ES 1, which nothing here has") {
    DisplayFixture egl;
    EGLint count = -1;
    CHECK(eglChooseConfig(egl.display, nullptr, nullptr, 0, &count) == EGL_TRUE);
    CHECK(count == 0);
}

TEST_CASE("unknown attributes and values are errors") {
    DisplayFixture egl;
    EGLint count = 7;
    for (const std::array<EGLint, 3>& attributes : {std::array<EGLint, 3>{EGL_WIDTH, 4, EGL_NONE},
                                                    {EGL_CONFIG_CAVEAT, 77, EGL_NONE},
                                                    {EGL_RED_SIZE, -5, EGL_NONE},
                                                    {EGL_LEVEL, EGL_DONT_CARE, EGL_NONE},
                                                    {EGL_COLOR_BUFFER_TYPE, 3, EGL_NONE}}) {
        CHECK(eglChooseConfig(egl.display, attributes.data(), nullptr, 0, &count) == EGL_FALSE);
        CHECK(error() == EGL_BAD_ATTRIBUTE);
    }
    EGLint value = 0;
    CHECK(eglGetConfigAttrib(egl.display, egl.config(), EGL_WIDTH, &value) == EGL_FALSE);
    CHECK(error() == EGL_BAD_ATTRIBUTE);
    CHECK(eglGetConfigAttrib(egl.display, reinterpret_cast<EGLConfig>(&value), EGL_RED_SIZE, &value) == EGL_FALSE);
    CHECK(error() == EGL_BAD_CONFIG);
}

TEST_CASE("a short array gets the first configurations") {
    DisplayFixture egl;
    const EGLint any[] = {EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_NONE};
    std::vector<EGLConfig> all = choose(egl.display, {any, any + 4});
    EGLConfig two[3] = {nullptr, nullptr, egl.display};
    EGLint count = 0;
    CHECK(eglChooseConfig(egl.display, any, two, 2, &count) == EGL_TRUE);
    CHECK(count == 2);
    CHECK(two[0] == all[0]);
    CHECK(two[1] == all[1]);
    CHECK(two[2] == egl.display);
    CHECK(eglGetConfigs(egl.display, two, -3, &count) == EGL_TRUE);
    CHECK(count == 0);
}

TEST_CASE("EGL_EXT_pixel_format_float: halves, only when they are asked for") {
    DisplayFixture egl;
    CHECK(contains(eglQueryString(egl.display, EGL_EXTENSIONS), "EGL_EXT_pixel_format_float"));
    CHECK(egl.choose({EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RED_SIZE, 9}) == nullptr);
    EGLConfig config = egl.choose({EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_COLOR_COMPONENT_TYPE_EXT,
                                   EGL_COLOR_COMPONENT_TYPE_FLOAT_EXT, EGL_DEPTH_SIZE, 24});
    REQUIRE(config != nullptr);
    CHECK(egl.attribute(config, EGL_BUFFER_SIZE) == 64);
    // Of both kinds, those of fixed point come first.
    auto both = choose(egl.display, {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT,
                                     EGL_COLOR_COMPONENT_TYPE_EXT, EGL_DONT_CARE, EGL_RED_SIZE, 8});
    CHECK(egl.attribute(both.front(), EGL_RED_SIZE) == 8);
    CHECK(egl.attribute(both.back(), EGL_RED_SIZE) == 16);

    const EGLint size[] = {EGL_WIDTH, 4, EGL_HEIGHT, 4, EGL_NONE},
                 version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLSurface surface = eglCreatePbufferSurface(egl.display, config, size);
    EGLContext context = eglCreateContext(egl.display, config, EGL_NO_CONTEXT, version);
    REQUIRE(eglMakeCurrent(egl.display, surface, surface, context) == EGL_TRUE);
    GLint bits = 0;
    glGetIntegerv(GL_ALPHA_BITS, &bits);
    CHECK(bits == 16);
    clearTo(1000, -0.25f, 0, 2);
    GLfloat pixel[4] = {};
    glReadPixels(1, 1, 1, 1, GL_RGBA, GL_FLOAT, pixel);
    CHECK(pixel[0] == 1000);
    CHECK(pixel[1] == -0.25f);
    CHECK(pixel[3] == 2);
    CHECK(glGetError() == GL_NO_ERROR);
    EGLSurface fixed = egl.pbuffer();
    CHECK(eglMakeCurrent(egl.display, fixed, fixed, context) == EGL_FALSE);
    CHECK(error() == EGL_BAD_MATCH);
}
