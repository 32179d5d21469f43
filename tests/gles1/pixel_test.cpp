// Alpha test, logical operations (sections 4.1.4, 4.1.9), glDrawTex, paletted textures and framebuffer objects.
#include "tests/gles1/fixture.h"

using namespace tessera::gles1_test;

TEST_CASE("alpha test") {
    const Context1 context;
    glEnable(GL_ALPHA_TEST);
    const GLenum functions[] = {GL_NEVER, GL_LESS, GL_EQUAL, GL_LEQUAL, GL_GREATER, GL_NOTEQUAL, GL_GEQUAL, GL_ALWAYS};
    for (const float alpha : {0.25f, 0.5f, 0.75f}) {
        const bool passes[] = {false,        alpha < 0.5f,  alpha == 0.5f, alpha <= 0.5f,
                               alpha > 0.5f, alpha != 0.5f, alpha >= 0.5f, true};
        for (size_t i = 0; i < 8; ++i) {
            glAlphaFunc(functions[i], 0.5f);
            glClear(GL_COLOR_BUFFER_BIT);
            glColor4f(1, 1, 1, alpha);
            drawWindow();
            CAPTURE(i);
            CHECK((pixelAt(8, 8)[0] == 255) == passes[i]);
        }
    }
    glAlphaFuncx(GL_GREATER, 3 << 16);
    GLfloat reference = 0;
    glGetFloatv(GL_ALPHA_TEST_REF, &reference);
    CHECK(reference == 1);
}

TEST_CASE("an alpha that is the same everywhere equals its reference in perspective, too") {
    const Context1 context(32);
    const GLfloat corners[] = {-1, -1, 0, 1, 7, -7, 0, 7, -3, 3, 0, 3, 5, 5, 0, 5};
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(4, GL_FLOAT, 0, corners);
    glEnable(GL_ALPHA_TEST);
    for (const float alpha : {0.1f, 0.3f, 0.7f, 77 / 255.0f, 1.0f})
        for (const GLenum function : {GLenum{GL_EQUAL}, GLenum{GL_LEQUAL}, GLenum{GL_GEQUAL}}) {
            CAPTURE(alpha);
            glAlphaFunc(function, alpha);
            glColor4f(1, 1, 1, alpha);
            glClear(GL_COLOR_BUFFER_BIT);
            glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
            int drawn = 0;
            for (const Rgba& pixel : tessera::gles_test::readRect(0, 0, 32, 32)) drawn += pixel[0] == 255;
            CHECK(drawn == 32 * 32);
        }
}

TEST_CASE("logical operations, in place of blending, through the colour mask") {
    const Context1 context;
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    glEnable(GL_COLOR_LOGIC_OP);
    const unsigned s = 0xA5, d = 0x3C;
    const unsigned want[] = {0,        s & d,    s & ~d, s,      ~s & d, d,      s ^ d,    s | d,
                             ~(s | d), ~(s ^ d), ~d,     s | ~d, ~s,     ~s | d, ~(s & d), ~0u};
    for (unsigned i = 0; i < 16; ++i) {
        glLogicOp(GL_CLEAR + i);
        glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
        glClearColor(d / 255.0f, d / 255.0f, 0, d / 255.0f);
        glClear(GL_COLOR_BUFFER_BIT);
        glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_TRUE);
        glColor4ub(s, s, s, s);
        drawWindow();
        CAPTURE(i);
        const Rgba pixel = pixelAt(8, 8);
        CHECK(pixel[0] == (want[i] & 0xFF));
        CHECK(pixel[1] == d);
        CHECK(pixel[3] == (want[i] & 0xFF));
    }
    glLogicOp(GL_COPY);
    drawWindow();
    CHECK(pixelAt(8, 8)[0] == s);
    glDisable(GL_COLOR_LOGIC_OP);
    drawWindow();
    CHECK(pixelAt(8, 8)[0] == 255);  // blended: s + s
}

TEST_CASE("logical operations in a buffer of fewer bits") {
    const Context1 context;
    GLuint framebuffer = 0, renderbuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER_OES, framebuffer);
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER_OES, renderbuffer);
    glRenderbufferStorage(GL_RENDERBUFFER_OES, GL_RGB565_OES, 16, 16);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER_OES, GL_COLOR_ATTACHMENT0_OES, GL_RENDERBUFFER_OES, renderbuffer);
    REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER_OES) == GL_FRAMEBUFFER_COMPLETE_OES);
    glDisable(GL_DITHER);
    glEnable(GL_COLOR_LOGIC_OP);
    glLogicOp(GL_XOR);
    glClearColor(21 / 31.0f, 42 / 63.0f, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glColor4f(12 / 31.0f, 12 / 63.0f, 1, 1);
    drawWindow();
    const Rgba pixel = pixelAt(3, 3);
    const unsigned red = 21 ^ 12, green = 42 ^ 12;
    CHECK(pixel[0] == (red * 255 + 15) / 31);
    CHECK(pixel[1] == (green * 255 + 31) / 63);
    CHECK(pixel[2] == 255);
}

TEST_CASE("glDrawTex draws crop rectangles in window coordinates, whatever the matrices") {
    const Context1 context;
    glRotatef(33, 1, 2, 3);
    glViewport(5, 5, 2, 2);
    glEnable(GL_CULL_FACE);
    glCullFace(GL_FRONT_AND_BACK);
    glEnable(GL_LIGHTING);
    glEnable(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    GLubyte texels[4 * 4 * 4];
    for (size_t i = 0; i < 16; ++i) {
        texels[4 * i] = static_cast<GLubyte>(10 * i);
        texels[4 * i + 1] = texels[4 * i + 2] = 0;
        texels[4 * i + 3] = 255;
    }
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    const GLint crop[] = {1, 2, 2, -2};  // columns 1 and 2, rows 1 and 0 from the bottom up
    glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_CROP_RECT_OES, crop);
    GLint got[4];
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_CROP_RECT_OES, got);
    CHECK(std::equal(crop, crop + 4, got));
    // Fixed point has sixteen bits behind the point, also of what are integers (section 2.1.2 of the specification).
    GLfixed fixed[6] = {0, 0, 0, 0, 7, 7};
    glGetTexParameterxv(GL_TEXTURE_2D, GL_TEXTURE_CROP_RECT_OES, fixed);
    for (int i = 0; i < 4; ++i) CHECK(fixed[i] == crop[i] * 65536);
    CHECK((fixed[4] == 7 && fixed[5] == 7));
    const GLfixed other[] = {0, 3 * 65536, -65536, 2 * 65536};
    glTexParameterxv(GL_TEXTURE_2D, GL_TEXTURE_CROP_RECT_OES, other);
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_CROP_RECT_OES, got);
    for (int i = 0; i < 4; ++i) CHECK(got[i] == other[i] / 65536);
    glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_CROP_RECT_OES, crop);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawTexiOES(2, 4, 0, 6, 8);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(pixelAt(2, 4) == Rgba{50, 0, 0, 255});
    CHECK(pixelAt(7, 4) == Rgba{60, 0, 0, 255});
    CHECK(pixelAt(2, 11) == Rgba{10, 0, 0, 255});
    CHECK(pixelAt(7, 8) == Rgba{20, 0, 0, 255});
    CHECK(pixelAt(1, 4)[3] == 0);
    CHECK(pixelAt(8, 4)[3] == 0);
    CHECK(pixelAt(2, 12)[3] == 0);
    glDrawTexfOES(0, 0, 0, 0, 1);
    CHECK(glGetError() == GL_INVALID_VALUE);
    // The depth is the third coordinate's place between near and far.
    glEnable(GL_DEPTH_TEST);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glDrawTexxOES(0, 0, 0x4000, 16 << 16, 16 << 16);
    glDisable(GL_TEXTURE_2D);
    glColor4f(0, 1, 0, 1);
    glDrawTexfOES(0, 0, 0.5f, 8, 16);
    glDrawTexfOES(8, 0, 0.125f, 8, 16);
    CHECK(pixelAt(4, 8)[1] == 0);
    CHECK(pixelAt(12, 8)[1] == 255);
    GLint viewport[4];
    glGetIntegerv(GL_VIEWPORT, viewport);
    CHECK(viewport[2] == 2);
}

TEST_CASE("paletted textures, all ten formats") {
    const Context1 context;
    glEnable(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    const struct {
        GLenum format;
        GLsizei entries, bytes;
        std::array<GLubyte, 4> red;  ///< an entry of the palette
    } formats[] = {{GL_PALETTE4_RGB8_OES, 16, 3, {255, 0, 0}},        {GL_PALETTE4_RGBA8_OES, 16, 4, {255, 0, 0, 255}},
                   {GL_PALETTE4_R5_G6_B5_OES, 16, 2, {0x00, 0xF8}},   {GL_PALETTE4_RGBA4_OES, 16, 2, {0x0F, 0xF0}},
                   {GL_PALETTE4_RGB5_A1_OES, 16, 2, {0x01, 0xF8}},    {GL_PALETTE8_RGB8_OES, 256, 3, {255, 0, 0}},
                   {GL_PALETTE8_RGBA8_OES, 256, 4, {255, 0, 0, 255}}, {GL_PALETTE8_R5_G6_B5_OES, 256, 2, {0x00, 0xF8}},
                   {GL_PALETTE8_RGBA4_OES, 256, 2, {0x0F, 0xF0}},     {GL_PALETTE8_RGB5_A1_OES, 256, 2, {0x01, 0xF8}}};
    for (const auto& format : formats) {
        std::vector<GLubyte> data(static_cast<size_t>(format.entries * format.bytes));
        std::copy_n(format.red.begin(), format.bytes, data.begin() + 3 * format.bytes);
        data.insert(data.end(), format.entries == 16 ? 2u : 4u, format.entries == 16 ? 0x33 : 3);  // 2 x 2 texels
        glCompressedTexImage2D(GL_TEXTURE_2D, 0, format.format, 2, 2, 0, static_cast<GLsizei>(data.size()),
                               data.data());
        CAPTURE(format.format);
        CHECK(glGetError() == GL_NO_ERROR);
        drawWindow();
        CHECK(pixelAt(8, 8) == Rgba{255, 0, 0, 255});
    }
}

// Section 4.1.3: while MULTISAMPLE is disabled, coverage stays as it is, also where there are samples.
TEST_CASE("alpha and sample coverage act while multisampling is enabled") {
    const Context1 context;
    GLuint framebuffer = 0, renderbuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER_OES, framebuffer);
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER_OES, renderbuffer);
    glRenderbufferStorageMultisampleEXT(GL_RENDERBUFFER_OES, 4, GL_RGBA8_OES, 16, 16);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER_OES, GL_COLOR_ATTACHMENT0_OES, GL_RENDERBUFFER_OES, renderbuffer);
    REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER_OES) == GL_FRAMEBUFFER_COMPLETE_OES);
    glColor4f(1, 1, 1, 0.5f);
    const auto drawn = [] {
        glClear(GL_COLOR_BUFFER_BIT);
        drawWindow();
        return pixelAt(8, 8)[0];
    };
    CHECK(drawn() == 255);
    glSampleCoverage(0.5f, GL_FALSE);
    for (const GLenum coverage : {GL_SAMPLE_ALPHA_TO_COVERAGE, GL_SAMPLE_COVERAGE}) {
        CAPTURE(coverage);
        glEnable(coverage);
        CHECK(std::abs(drawn() - 128) <= 1);  // two samples of four
        glDisable(GL_MULTISAMPLE);
        CHECK(drawn() == 255);
        glEnable(GL_MULTISAMPLE);
        CHECK(std::abs(drawn() - 128) <= 1);
        glDisable(coverage);
        CHECK(drawn() == 255);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}
