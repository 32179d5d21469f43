// EXT_color_buffer_float and EXT_float_blend: single precision and 11-bit colour buffers, with and without samples.
#define GL_GLEXT_PROTOTYPES 1
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

#include <limits>

#include "tests/gles/texturing.h"

using namespace tessera::gles_test;

namespace {

constexpr GLenum kR11G11B10 = 0x8C3A;

using Floats = std::array<float, 4>;

Floats floatsAt(int x, int y) {
    Floats pixel{};
    glReadPixels(x, y, 1, 1, GL_RGBA, GL_FLOAT, pixel.data());
    return pixel;
}

GLenum newTarget(GLenum format, GLsizei samples) {
    GLuint framebuffer = 0, renderbuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorageMultisampleEXT(GL_RENDERBUFFER, samples, format, 4, 4);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
    glViewport(0, 0, 4, 4);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER);
}

void drawColor(float red, float green, float blue, float alpha) {
    const GLuint program = useProgram(kPassVertex, kColorFragment);
    glUniform4f(glGetUniformLocation(program, "color"), red, green, blue, alpha);
    drawQuad();
}

}  // namespace

TEST_CASE("single precision buffers keep, blend and resolve every value") {
    TestContext context;
    for (GLsizei samples : {0, 4})
        for (GLenum format : {GL_RGBA32F_EXT, GL_RG32F_EXT, GL_R32F_EXT}) {
            CAPTURE(format);
            REQUIRE(newTarget(format, samples) == GL_FRAMEBUFFER_COMPLETE);
            const bool green = format != GL_R32F_EXT, rest = format == GL_RGBA32F_EXT;
            CHECK(floatsAt(1, 1) == Floats{0, 0, 0, rest ? 0.0f : 1.0f});
            const float odd = 16777215;
            drawColor(odd, -odd, 1e30f, 0.1f);
            CHECK(floatsAt(1, 1) == Floats{odd, green ? -odd : 0, rest ? 1e30f : 0, rest ? 0.1f : 1});
            glEnable(GL_BLEND);
            glBlendFunc(GL_ONE, GL_ONE);
            drawColor(1, 1, 0, 0.25f);
            glDisable(GL_BLEND);
            CHECK(floatsAt(1, 1) == Floats{odd + 1, green ? 1 - odd : 0, rest ? 1e30f : 0, rest ? 0.1f + 0.25f : 1});
            CHECK(glGetError() == GL_NO_ERROR);
        }
    // Half of the samples.
    REQUIRE(newTarget(GL_RGBA32F_EXT, 4) == GL_FRAMEBUFFER_COMPLETE);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SAMPLE_COVERAGE);
    glSampleCoverage(0.5f, GL_FALSE);
    drawColor(1000, -10, 3, 1);
    CHECK(floatsAt(2, 3) == Floats{500, -5, 1.5f, 0.5f});
}

TEST_CASE("11-bit and 10-bit floats have no sign and 6 or 5 bits of fraction") {
    TestContext context;
    REQUIRE(newTarget(kR11G11B10, 0) == GL_FRAMEBUFFER_COMPLETE);
    GLint bits[3];
    glGetIntegerv(GL_RED_BITS, &bits[0]);
    glGetIntegerv(GL_GREEN_BITS, &bits[1]);
    glGetIntegerv(GL_BLUE_BITS, &bits[2]);
    CHECK((bits[0] == 11 && bits[1] == 11 && bits[2] == 10));
    CHECK(floatsAt(0, 0) == Floats{0, 0, 0, 1});
    drawColor(1.015625f, 3, 1.03125f, 0);  // 1 + 2^-6, 1 + 2^-5: the last places
    CHECK(floatsAt(0, 0) == Floats{1.015625f, 3, 1.03125f, 1});
    drawColor(1.015625f / 2 + 0.5f, 1.025f, 1.015625f, 0);  // ties to even, nearest, ties to even
    CHECK(floatsAt(0, 0) == Floats{1, 1.03125f, 1, 1});
    drawColor(-3, 65100, 65000, 0);
    CHECK(floatsAt(0, 0) == Floats{0, 65024, 64512, 1});
    const float infinity = std::numeric_limits<float>::infinity();
    glClearColor(infinity, -infinity, 1e-30f, 0.5f);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(floatsAt(0, 0) == Floats{infinity, 0, 0, 1});
    glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(kR11G11B10), 4, 4, 0, GL_RGB, GL_FLOAT, nullptr);
    CHECK(glGetError() == GL_INVALID_VALUE);  // no texture format of OpenGL ES 2.0
}
