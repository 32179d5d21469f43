// What is new reads zero (alpha 1 where a format has none), whatever the memory held before.
#define GL_GLEXT_PROTOTYPES 1
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

#include "tests/gles/texturing.h"

using namespace tessera::gles_test;

namespace {

constexpr int kSize = 128;

/// Fills memory of many sizes with ones and gives it back.
void spoilMemory() {
    const std::vector<uint8_t> ones(kSize * kSize * 16, 0xFF);
    for (int round = 0; round < 3; ++round) {
        GLuint textures[4], buffers[4];
        glGenTextures(4, textures);
        glGenBuffers(4, buffers);
        const GLenum types[] = {GL_UNSIGNED_BYTE, GL_HALF_FLOAT_OES, GL_FLOAT, GL_UNSIGNED_BYTE};
        for (int i = 0; i < 4; ++i) {
            glBindTexture(GL_TEXTURE_2D, textures[i]);
            glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, kSize, kSize, 0, GL_RGBA, types[i], ones.data());
            glBindBuffer(GL_ARRAY_BUFFER, buffers[i]);
            glBufferData(GL_ARRAY_BUFFER, kSize * kSize * (4 << i) / 8, ones.data(), GL_STATIC_DRAW);
        }
        glFinish();
        glDeleteTextures(4, textures);
        glDeleteBuffers(4, buffers);
    }
    glFinish();
}

bool allAre(const Rgba& wanted, int size) {
    for (const Rgba& pixel : readRect(0, 0, size, size))
        if (pixel != wanted) return false;
    return true;
}

void newFramebuffer() {
    GLuint name = 0;
    glGenFramebuffers(1, &name);
    glBindFramebuffer(GL_FRAMEBUFFER, name);
}

GLuint attachRenderbuffer(GLenum format, GLenum attachment, GLsizei samples, int size) {
    GLuint name = 0;
    glGenRenderbuffers(1, &name);
    glBindRenderbuffer(GL_RENDERBUFFER, name);
    glRenderbufferStorageMultisampleEXT(GL_RENDERBUFFER, samples, format, size, size);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, name);
    return name;
}

}  // namespace

TEST_CASE("fresh textures of every format and way of making") {
    TestContext context({.width = kSize, .height = kSize});
    const struct {
        GLenum format, type, sized;
        Rgba wanted;
    } rows[] = {
        {GL_RGBA, GL_UNSIGNED_BYTE, GL_RGBA8_OES, {0, 0, 0, 0}},
        {GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, GL_RGBA4, {0, 0, 0, 0}},
        {GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, GL_RGB5_A1, {0, 0, 0, 0}},
        {GL_RGB, GL_UNSIGNED_BYTE, GL_RGB8_OES, {0, 0, 0, 255}},
        {GL_RGB, GL_UNSIGNED_SHORT_5_6_5, GL_RGB565, {0, 0, 0, 255}},
        {GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, GL_LUMINANCE8_ALPHA8_EXT, {0, 0, 0, 0}},
        {GL_LUMINANCE, GL_UNSIGNED_BYTE, GL_LUMINANCE8_EXT, {0, 0, 0, 255}},
        {GL_ALPHA, GL_UNSIGNED_BYTE, GL_ALPHA8_EXT, {0, 0, 0, 0}},
        {GL_BGRA_EXT, GL_UNSIGNED_BYTE, GL_BGRA8_EXT, {0, 0, 0, 0}},
        {GL_RED_EXT, GL_UNSIGNED_BYTE, GL_R8_EXT, {0, 0, 0, 255}},
        {GL_RG_EXT, GL_UNSIGNED_BYTE, GL_RG8_EXT, {0, 0, 0, 255}},
        {GL_SRGB_EXT, GL_UNSIGNED_BYTE, GL_NONE, {0, 0, 0, 255}},
        {GL_SRGB_ALPHA_EXT, GL_UNSIGNED_BYTE, GL_NONE, {0, 0, 0, 0}},
        {GL_RGBA, GL_HALF_FLOAT_OES, GL_RGBA16F_EXT, {0, 0, 0, 0}},
        {GL_RGB, GL_HALF_FLOAT_OES, GL_RGB16F_EXT, {0, 0, 0, 255}},
        {GL_RGBA, GL_FLOAT, GL_RGBA32F_EXT, {0, 0, 0, 0}},
        {GL_RGB, GL_FLOAT, GL_RGB32F_EXT, {0, 0, 0, 255}},
        {GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, GL_DEPTH_COMPONENT16, {0, 0, 0, 255}},
        {GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, GL_DEPTH_COMPONENT24_OES, {0, 0, 0, 255}},
        {GL_DEPTH_STENCIL_OES, GL_UNSIGNED_INT_24_8_OES, GL_DEPTH24_STENCIL8_OES, {0, 0, 0, 255}},
    };
    useTextureProgram();
    for (const auto& row : rows) {
        CAPTURE(row.format);
        CAPTURE(row.type);
        spoilMemory();
        bindNewTexture(GL_TEXTURE_2D);
        glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(row.format), kSize, kSize, 0, row.format, row.type, nullptr);
        glClearColor(1, 1, 1, 0.5f);
        glClear(GL_COLOR_BUFFER_BIT);
        drawQuad();
        CHECK(allAre(row.wanted, kSize));
        if (row.sized == GL_NONE) continue;
        spoilMemory();
        bindNewTexture(GL_TEXTURE_2D);
        glTexStorage2DEXT(GL_TEXTURE_2D, 1, row.sized, kSize, kSize);
        glClear(GL_COLOR_BUFFER_BIT);
        drawQuad();
        CHECK(allAre(row.wanted, kSize));
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("fresh renderbuffers, with and without samples") {
    TestContext context;
    const struct {
        GLenum format;
        bool hasAlpha;
    } colors[] = {{GL_RGBA4, true},     {GL_RGB5_A1, true},   {GL_RGB565, false},
                  {GL_RGB8_OES, false}, {GL_RGBA8_OES, true}, {GL_BGRA8_EXT, true},
                  {GL_R8_EXT, false},   {GL_RG8_EXT, false},  {GL_SRGB8_ALPHA8_EXT, true}};
    for (GLsizei samples : {0, 4})
        for (const auto& row : colors) {
            CAPTURE(row.format);
            CAPTURE(samples);
            spoilMemory();
            newFramebuffer();
            attachRenderbuffer(row.format, GL_COLOR_ATTACHMENT0, samples, kSize);
            CHECK(allAre({0, 0, 0, static_cast<uint8_t>(row.hasAlpha ? 0 : 255)}, kSize));
        }
    // Depth and stencil: what is drawn at depth 0 where the stencil is 0 shows that both were.
    for (GLsizei samples : {0, 4})
        for (GLenum format :
             {GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT24_OES, GL_DEPTH24_STENCIL8_OES, GL_STENCIL_INDEX8}) {
            CAPTURE(format);
            spoilMemory();
            newFramebuffer();
            attachRenderbuffer(GL_RGBA8_OES, GL_COLOR_ATTACHMENT0, samples, kSize);
            const bool stencil = format == GL_DEPTH24_STENCIL8_OES || format == GL_STENCIL_INDEX8;
            const GLuint name = attachRenderbuffer(
                format, format == GL_STENCIL_INDEX8 ? GL_STENCIL_ATTACHMENT : GL_DEPTH_ATTACHMENT, samples, kSize);
            if (stencil) glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_RENDERBUFFER, name);
            glViewport(0, 0, kSize, kSize);
            const GLuint program = useProgram(kPassVertex, kColorFragment);
            glUniform4f(glGetUniformLocation(program, "color"), 0, 1, 0, 1);
            glEnable(GL_DEPTH_TEST);
            glDepthFunc(GL_EQUAL);
            glEnable(GL_STENCIL_TEST);
            glStencilFunc(GL_EQUAL, 0, 0xFF);
            drawQuad(-1);
            CHECK(allAre({0, 255, 0, 255}, kSize));
            glDisable(GL_DEPTH_TEST);
            glDisable(GL_STENCIL_TEST);
        }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("fresh buffers: drawn from and mapped") {
    TestContext context;
    spoilMemory();
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, 65536, nullptr, GL_STATIC_DRAW);
    const auto* mapped =
        static_cast<const uint8_t*>(glMapBufferRangeEXT(GL_ARRAY_BUFFER, 0, 65536, GL_MAP_READ_BIT_EXT));
    REQUIRE(mapped != nullptr);
    bool zero = true;
    for (int i = 0; i < 65536; ++i) zero = zero && mapped[i] == 0;
    CHECK(zero);
    glUnmapBufferOES(GL_ARRAY_BUFFER);
    useProgram("attribute vec4 position, tint; varying vec4 v; void main() { gl_Position = position; v = tint; }",
               "precision mediump float; varying vec4 v; void main() { gl_FragColor = v; }");
    glClearColor(1, 1, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    GLint program = 0;
    glGetIntegerv(GL_CURRENT_PROGRAM, &program);
    const auto tint = static_cast<GLuint>(glGetAttribLocation(static_cast<GLuint>(program), "tint"));
    glVertexAttribPointer(tint, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(tint);
    drawQuad();
    CHECK(allAre({0, 0, 0, 0}, 16));
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("the samples of a texture attachment start as the texture is") {
    TestContext context;
    spoilMemory();
    newFramebuffer();
    const GLuint texture = bindNewTexture(GL_TEXTURE_2D);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, kSize, kSize, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glFramebufferTexture2DMultisampleEXT(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0, 4);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 1, 1);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);  // the samples exist from here on
    CHECK(pixelAt(0, 0) == Rgba{255, 0, 0, 255});
    CHECK(pixelAt(1, 0) == Rgba{0, 0, 0, 0});
    CHECK(pixelAt(kSize - 1, kSize - 1) == Rgba{0, 0, 0, 0});
    CHECK(glGetError() == GL_NO_ERROR);
}
