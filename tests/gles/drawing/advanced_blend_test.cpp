// KHR_blend_equation_advanced: what is accepted, which programs may be drawn with, and what comes out. Every equation
// against its formula is in pipeline/pixel/color_stages_test.cpp.
#define GL_GLEXT_PROTOTYPES 1
#include <GLES3/gl3.h>
// After it: the tokens of extensions.
#include <GLES2/gl2ext.h>

#include <string>

#include "tests/gles/fixture.h"

using namespace tessera::gles_test;

namespace {

constexpr const char* kVertex = "#version 300 es\nin vec4 position; void main() { gl_Position = position; }";

GLuint useBlending(const std::string& support) {
    return useProgram(kVertex, "#version 300 es\n#extension GL_KHR_blend_equation_advanced : require\n" + support +
                                   "precision highp float; uniform vec4 color; out vec4 o; void main() { o = color; }");
}

void setColor(GLuint program, float red, float green, float blue, float alpha) {
    glUniform4f(glGetUniformLocation(program, "color"), red, green, blue, alpha);
}

constexpr GLenum kEquations[] = {GL_MULTIPLY_KHR,       GL_SCREEN_KHR,     GL_OVERLAY_KHR,       GL_DARKEN_KHR,
                                 GL_LIGHTEN_KHR,        GL_COLORDODGE_KHR, GL_COLORBURN_KHR,     GL_HARDLIGHT_KHR,
                                 GL_SOFTLIGHT_KHR,      GL_DIFFERENCE_KHR, GL_EXCLUSION_KHR,     GL_HSL_HUE_KHR,
                                 GL_HSL_SATURATION_KHR, GL_HSL_COLOR_KHR,  GL_HSL_LUMINOSITY_KHR};

}  // namespace

TEST_CASE("advanced equations are set for colour and alpha together, in contexts of OpenGL ES 3.0") {
    TestContext context(kEs3);
    for (const GLenum equation : kEquations) {
        CAPTURE(equation);
        glBlendEquation(equation);
        CHECK(getInt(GL_BLEND_EQUATION_RGB) == static_cast<GLint>(equation));
        CHECK(getInt(GL_BLEND_EQUATION_ALPHA) == static_cast<GLint>(equation));
        glBlendEquationiOES(1, equation);
        CHECK(glGetError() == GL_NO_ERROR);
        glBlendEquationSeparate(equation, GL_FUNC_ADD);
        CHECK(glGetError() == GL_INVALID_ENUM);
        glBlendEquationSeparateiEXT(0, equation, equation);
        CHECK(glGetError() == GL_INVALID_ENUM);
    }
    glBlendEquation(0x929F);  // between DIFFERENCE_KHR and EXCLUSION_KHR
    CHECK(glGetError() == GL_INVALID_ENUM);
    CHECK(glIsEnabled(GL_BLEND_ADVANCED_COHERENT_KHR) == GL_TRUE);
    TestContext second;
    glBlendEquation(GL_MULTIPLY_KHR);
    CHECK(glGetError() == GL_INVALID_ENUM);
}

TEST_CASE("fragment shaders say which advanced equations they may be drawn with") {
    TestContext context(kEs3);
    glEnable(GL_BLEND);
    const auto drawsWith = [](GLenum equation) {
        glBlendEquation(equation);
        drawQuad();
        const GLenum error = glGetError();
        CHECK((error == GL_NO_ERROR || error == GL_INVALID_OPERATION));
        return error == GL_NO_ERROR;
    };
    setColor(useBlending(""), 1, 1, 1, 1);
    for (const GLenum equation : kEquations) CHECK_FALSE(drawsWith(equation));
    CHECK(drawsWith(GL_FUNC_ADD));
    useBlending("layout(blend_support_multiply) out; layout(blend_support_hsl_color, blend_support_screen) out;\n");
    for (const GLenum equation : kEquations)
        CHECK(drawsWith(equation) ==
              (equation == GL_MULTIPLY_KHR || equation == GL_SCREEN_KHR || equation == GL_HSL_COLOR_KHR));
    const GLuint all = useBlending("layout(blend_support_all_equations) out;\n");
    for (const GLenum equation : kEquations) CHECK(drawsWith(equation));
    // A binary remembers.
    glUseProgram(reloaded(all));
    CHECK(drawsWith(GL_HSL_HUE_KHR));
    // Without blending nothing is asked for, and with several buffers nothing is drawn.
    useBlending("");
    glDisable(GL_BLEND);
    CHECK(drawsWith(GL_HSL_HUE_KHR));
    glEnable(GL_BLEND);
    glUseProgram(all);
    GLuint framebuffer = 0, textures[2] = {};
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenTextures(2, textures);
    for (GLenum i = 0; i < 2; ++i) {
        glBindTexture(GL_TEXTURE_2D, textures[i]);
        glTexStorage2D(GL_TEXTURE_2D, 1, GL_RGBA8, 4, 4);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + i, GL_TEXTURE_2D, textures[i], 0);
    }
    CHECK(drawsWith(GL_MULTIPLY_KHR));
    const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT0 + 1};
    glDrawBuffers(2, both);
    CHECK_FALSE(drawsWith(GL_MULTIPLY_KHR));
    CHECK(drawsWith(GL_FUNC_ADD));
}

TEST_CASE("advanced blending: colours of source and destination are premultiplied, primitives are in order") {
    TestContext context(kEs3);
    const GLuint program = useBlending("layout(blend_support_all_equations) out;\n");
    glEnable(GL_BLEND);
    glDisable(GL_DITHER);
    glClearColor(0.4f, 0.2f, 0, 0.8f);
    struct Row {
        GLenum equation;
        Rgba want;
    };
    // Source 0.5, 0.25, 0.5 of alpha 0.5: its colour is 1, 0.5, 1, the destination's 0.5, 0.25, 0.
    for (const Row& row : {Row{GL_MULTIPLY_KHR, {128, 51, 26, 230}}, Row{GL_SCREEN_KHR, {179, 102, 128, 230}},
                           Row{GL_DIFFERENCE_KHR, {128, 64, 128, 230}}, Row{GL_LIGHTEN_KHR, {179, 89, 128, 230}}}) {
        CAPTURE(row.equation);
        glBlendEquation(row.equation);
        glClear(GL_COLOR_BUFFER_BIT);
        setColor(program, 0.5f, 0.25f, 0.5f, 0.5f);
        drawQuad();
        CHECK(near(pixelAt(3, 3), row.want, 1));
    }
    glBlendEquation(GL_MULTIPLY_KHR);
    glClearColor(1, 1, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    setColor(program, 0.5f, 0.5f, 0.5f, 1);
    for (int i = 0; i < 3; ++i) drawQuad();
    CHECK(near(pixelAt(3, 3), {32, 32, 32, 255}, 1));
    glBlendBarrierKHR();
    CHECK(glGetError() == GL_NO_ERROR);
}
