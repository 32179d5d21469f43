// OES_draw_buffers_indexed and EXT_draw_buffers_indexed: blending and masks of each draw buffer.
#include "api/gles/gles.h"
#include "tests/gles/api_test.h"

using namespace tessera::gles_test;

namespace {

/// A framebuffer with two RGBA8 renderbuffers, both cleared to a colour.
struct TwoTargets {
    TwoTargets() {
        glGenFramebuffers(1, &framebuffer);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        glGenRenderbuffers(2, renderbuffers);
        for (GLuint i = 0; i < 2; ++i) {
            glBindRenderbuffer(GL_RENDERBUFFER, renderbuffers[i]);
            glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, 16, 16);
            glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + i, GL_RENDERBUFFER, renderbuffers[i]);
        }
        const GLenum buffers[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
        glDrawBuffers(2, buffers);
        REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        glClearColor(0, 0, 1, 1);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    [[nodiscard]] static Rgba pixel(GLuint i) {
        glReadBuffer(GL_COLOR_ATTACHMENT0 + i);
        return pixelAt(8, 8);
    }
    GLuint framebuffer = 0, renderbuffers[2] = {};
};

void drawRed() {
    useProgram(
        "#version 300 es\nin vec4 position; void main() { gl_Position = position; }",
        "#version 300 es\nprecision highp float; layout(location = 0) out vec4 a; layout(location = 1) out vec4 b;"
        " void main() { a = vec4(1, 0, 0, 1); b = vec4(1, 0, 0, 1); }");
    drawQuad();
}

GLint told(GLenum name, GLuint index) {
    GLint value[4] = {-1, -1, -1, -1};
    glGetIntegeri_v(name, index, value);
    return value[0];
}

}  // namespace

TEST_CASE("each draw buffer blends for itself") {
    TestContext context(kEs3);
    const TwoTargets targets;
    glEnableiOES(GL_BLEND, 1);
    glBlendFunciOES(1, GL_ONE, GL_ONE);
    CHECK(glIsEnablediOES(GL_BLEND, 0) == GL_FALSE);
    CHECK(glIsEnablediEXT(GL_BLEND, 1) == GL_TRUE);
    drawRed();
    CHECK(TwoTargets::pixel(0) == Rgba{255, 0, 0, 255});
    CHECK(TwoTargets::pixel(1) == Rgba{255, 0, 255, 255});
    // One call for all of them ends the difference.
    glEnable(GL_BLEND);
    glBlendFunc(GL_ZERO, GL_ONE);
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    drawQuad();
    CHECK(TwoTargets::pixel(0) == Rgba{0, 255, 0, 255});
    CHECK(TwoTargets::pixel(1) == Rgba{0, 255, 0, 255});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("each draw buffer has its equations and its mask, for clears too") {
    TestContext context(kEs3);
    const TwoTargets targets;
    glEnable(GL_BLEND);
    glBlendEquationSeparateiEXT(0, GL_MAX, GL_MIN);
    glBlendEquationiEXT(1, GL_FUNC_REVERSE_SUBTRACT);
    glBlendFuncSeparateiEXT(1, GL_ZERO, GL_ONE, GL_ZERO, GL_ONE);
    glColorMaskiEXT(1, GL_TRUE, GL_FALSE, GL_FALSE, GL_TRUE);
    drawRed();
    CHECK(TwoTargets::pixel(0) == Rgba{255, 0, 255, 255});
    CHECK(TwoTargets::pixel(1) == Rgba{0, 0, 255, 255});
    glClearColor(1, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(TwoTargets::pixel(0) == Rgba{255, 255, 0, 255});
    CHECK(TwoTargets::pixel(1) == Rgba{255, 0, 255, 255});
    CHECK(told(GL_BLEND_EQUATION_RGB, 0) == GL_MAX);
    CHECK(told(GL_BLEND_EQUATION_ALPHA, 0) == GL_MIN);
    CHECK(told(GL_BLEND_EQUATION_RGB, 1) == GL_FUNC_REVERSE_SUBTRACT);
    CHECK(told(GL_BLEND_DST_RGB, 1) == GL_ONE);
    CHECK(told(GL_BLEND_SRC_ALPHA, 0) == GL_ONE);
    GLint mask[4] = {};
    glGetIntegeri_v(GL_COLOR_WRITEMASK, 1, mask);
    CHECK((mask[0] == 1 && mask[1] == 0 && mask[2] == 0 && mask[3] == 1));
    CHECK(getInt(GL_BLEND_EQUATION_RGB) == GL_MAX);  // without an index: the first one's
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("errors of draw buffers one by one") {
    TestContext context(kEs3);
    const std::vector<std::string> before = stateSnapshot();
    const auto expect = [](GLenum error) { CHECK(std::string(errorName(glGetError())) == errorName(error)); };
    glEnableiOES(GL_DEPTH_TEST, 0);
    expect(GL_INVALID_ENUM);
    glDisableiOES(GL_BLEND, 8);
    expect(GL_INVALID_VALUE);
    (void)glIsEnablediOES(GL_BLEND, 8);
    expect(GL_INVALID_VALUE);
    glBlendEquationiOES(0, GL_ONE);
    expect(GL_INVALID_ENUM);
    glBlendEquationiOES(8, GL_FUNC_ADD);
    expect(GL_INVALID_VALUE);
    glBlendFunciOES(0, GL_RGBA, GL_ONE);
    expect(GL_INVALID_ENUM);
    glBlendFuncSeparateiOES(8, GL_ONE, GL_ONE, GL_ONE, GL_ONE);
    expect(GL_INVALID_VALUE);
    glColorMaskiOES(8, GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    expect(GL_INVALID_VALUE);
    CHECK(told(GL_BLEND_SRC_RGB, 8) == -1);
    expect(GL_INVALID_VALUE);
    CHECK(stateSnapshot() == before);
}

TEST_CASE("EXT_float_blend: colours of single precision are blended as such") {
    TestContext context(kEs3);
    CHECK(std::string(reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS))).find("GL_EXT_float_blend") !=
          std::string::npos);
    for (const GLenum format : {GL_RGBA32F, GL_RG32F, GL_R32F}) {
        const ColorTarget target(format, 16, 16);
        const GLfloat before[] = {1000.5f, -2, 1 / 3.0f, 8};
        glClearBufferfv(GL_COLOR, 0, before);
        const GLuint program = useProgram(kPassVertex, kColorFragment);
        glUniform4f(glGetUniformLocation(program, "color"), 1e-3f, 3, 100, 0.25f);
        glEnable(GL_BLEND);
        glBlendFunc(GL_SRC_ALPHA, GL_ONE);
        drawQuad();
        glDisable(GL_BLEND);
        GLfloat pixel[4] = {};
        glReadPixels(3, 3, 1, 1, GL_RGBA, GL_FLOAT, pixel);
        CHECK(static_cast<double>(pixel[0]) == doctest::Approx(1000.5 + 0.25e-3).epsilon(1e-7));
        if (format != GL_R32F) CHECK(pixel[1] == -1.25f);
        if (format == GL_RGBA32F) CHECK(static_cast<double>(pixel[2]) == doctest::Approx(25 + 1 / 3.0).epsilon(1e-6));
        if (format == GL_RGBA32F) CHECK(pixel[3] == 8.0625f);
        CHECK(glGetError() == GL_NO_ERROR);
    }
}
