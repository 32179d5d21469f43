// Framebuffers to read from and to draw to, blits between them, and the renderbuffers with samples that blits resolve
// (NV_ and ANGLE_framebuffer_blit, NV_ and ANGLE_framebuffer_multisample).
#include <array>

#include "api/gles/driver.h"
#include "api/gles/gles.h"
#include "tests/gles/fixture.h"

using namespace tessera::gles_test;

namespace {

constexpr int kSize = 16;
constexpr uint32_t kRed = 0xFF0000FFu, kGreen = 0xFF00FF00u;
constexpr GLbitfield kAllBuffers = GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT;

/// A framebuffer of renderbuffers of 16 x 16.
struct Target {
    GLuint framebuffer = 0, color = 0, depth = 0;
    explicit Target(GLsizei samples = 0, GLenum format = GL_RGBA8_OES, bool forBlits = true) {
        glGenFramebuffers(1, &framebuffer);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        const auto attach = [&](GLuint& name, GLenum internalformat) {
            glGenRenderbuffers(1, &name);
            glBindRenderbuffer(GL_RENDERBUFFER, name);
            const auto store = forBlits ? glRenderbufferStorageMultisampleNV : glRenderbufferStorageMultisampleEXT;
            store(GL_RENDERBUFFER, samples, internalformat, kSize, kSize);
        };
        attach(color, format);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
        attach(depth, GL_DEPTH24_STENCIL8_OES);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_RENDERBUFFER, depth);
        REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        glViewport(0, 0, kSize, kSize);
        clear(0, 0, 0);
    }
    static void clear(GLfloat r, GLfloat g, GLfloat b) {
        glClearColor(r, g, b, 1);
        glClear(GL_COLOR_BUFFER_BIT);
    }
};

void bind(GLuint draw, GLuint read) {
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER_NV, draw);
    glBindFramebuffer(GL_READ_FRAMEBUFFER_NV, read);
}

GLenum blit(std::array<GLint, 4> from, std::array<GLint, 4> to, GLbitfield mask = GL_COLOR_BUFFER_BIT,
            GLenum filter = GL_NEAREST) {
    glBlitFramebufferNV(from[0], from[1], from[2], from[3], to[0], to[1], to[2], to[3], mask, filter);
    return glGetError();
}
GLenum blitUnchanged(std::array<GLint, 4> from, std::array<GLint, 4> to, GLbitfield mask = GL_COLOR_BUFFER_BIT,
                     GLenum filter = GL_NEAREST) {
    glBlitFramebufferANGLE(from[0], from[1], from[2], from[3], to[0], to[1], to[2], to[3], mask, filter);
    return glGetError();
}
constexpr std::array<GLint, 4> kWhole{0, 0, kSize, kSize};

void drawTriangle(const std::array<GLfloat, 6>& corners) {
    const GLuint program = makeProgram(kPassVertex, kColorFragment);
    glUseProgram(program);
    glUniform4f(glGetUniformLocation(program, "color"), 1, 1, 1, 1);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners.data());
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace

TEST_CASE("one framebuffer is read from, another drawn to") {
    TestContext context(kLarge);
    Target red, green;
    glBindFramebuffer(GL_FRAMEBUFFER, red.framebuffer);
    CHECK(getInt(GL_FRAMEBUFFER_BINDING) == static_cast<GLint>(red.framebuffer));
    CHECK(getInt(GL_DRAW_FRAMEBUFFER_BINDING_NV) == static_cast<GLint>(red.framebuffer));
    CHECK(getInt(GL_READ_FRAMEBUFFER_BINDING_NV) == static_cast<GLint>(red.framebuffer));
    Target::clear(1, 0, 0);
    bind(green.framebuffer, red.framebuffer);
    CHECK(getInt(GL_FRAMEBUFFER_BINDING) == static_cast<GLint>(green.framebuffer));
    CHECK(getInt(GL_READ_FRAMEBUFFER_BINDING_NV) == static_cast<GLint>(red.framebuffer));
    Target::clear(0, 1, 0);
    CHECK(packedPixelAt(1, 1) == kRed);
    // Copies read from the one that is read from, too.
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, 4, 4, 0);
    glFramebufferTexture2D(GL_READ_FRAMEBUFFER_NV, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glFramebufferRenderbuffer(GL_READ_FRAMEBUFFER_NV, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, 0);
    glFramebufferRenderbuffer(GL_READ_FRAMEBUFFER_NV, GL_STENCIL_ATTACHMENT, GL_RENDERBUFFER, 0);
    CHECK(packedPixelAt(3, 3) == kRed);
    GLint type = 0;
    glGetFramebufferAttachmentParameteriv(GL_READ_FRAMEBUFFER_NV, GL_COLOR_ATTACHMENT0,
                                          GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, &type);
    CHECK(type == GL_TEXTURE);
    glGetFramebufferAttachmentParameteriv(GL_DRAW_FRAMEBUFFER_NV, GL_COLOR_ATTACHMENT0,
                                          GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, &type);
    CHECK(type == GL_RENDERBUFFER);
    // Completeness and the read buffer belong to one of them.
    glReadBufferNV(GL_NONE);
    CHECK(getInt(GL_READ_BUFFER_NV) == GL_NONE);
    glBindFramebuffer(GL_READ_FRAMEBUFFER_NV, green.framebuffer);
    CHECK(getInt(GL_READ_BUFFER_NV) == GL_COLOR_ATTACHMENT0);
    CHECK(packedPixelAt(1, 1) == kGreen);
    GLuint empty = 0;
    glGenFramebuffers(1, &empty);
    glBindFramebuffer(GL_READ_FRAMEBUFFER_NV, empty);
    CHECK(glCheckFramebufferStatus(GL_READ_FRAMEBUFFER_NV) == GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT);
    CHECK(glCheckFramebufferStatus(GL_DRAW_FRAMEBUFFER_NV) == GL_FRAMEBUFFER_COMPLETE);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(glGetError() == GL_NO_ERROR);
    (void)packedPixelAt(0, 0);
    CHECK(glGetError() == GL_INVALID_FRAMEBUFFER_OPERATION);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, 4, 4, 0);
    CHECK(glGetError() == GL_INVALID_FRAMEBUFFER_OPERATION);
    CHECK(blit(kWhole, kWhole) == GL_INVALID_FRAMEBUFFER_OPERATION);
    bind(empty, green.framebuffer);
    CHECK(blit(kWhole, kWhole) == GL_INVALID_FRAMEBUFFER_OPERATION);
    // What is deleted is bound nowhere, and attached to neither.
    glDeleteFramebuffers(1, &green.framebuffer);
    CHECK(getInt(GL_READ_FRAMEBUFFER_BINDING_NV) == 0);
    bind(empty, red.framebuffer);
    glDeleteTextures(1, &texture);
    glGetFramebufferAttachmentParameteriv(GL_READ_FRAMEBUFFER_NV, GL_COLOR_ATTACHMENT0,
                                          GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, &type);
    CHECK(type == GL_NONE);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER_NV + 10, 0);
    CHECK(glGetError() == GL_INVALID_ENUM);
    const GLenum color = GL_COLOR_ATTACHMENT0;
    glDiscardFramebufferEXT(GL_READ_FRAMEBUFFER_NV, 1, &color);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("blits scale, mirror, obey the scissor and no masks, and reach every draw buffer") {
    TestContext context(kLarge);
    Target from, to;
    glBindFramebuffer(GL_FRAMEBUFFER, from.framebuffer);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 8, kSize);
    Target::clear(1, 0, 0);
    glScissor(8, 0, 8, kSize);
    Target::clear(0, 1, 0);
    glDisable(GL_SCISSOR_TEST);
    bind(to.framebuffer, from.framebuffer);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    CHECK(blit(kWhole, {kSize, 0, 0, kSize}) == GL_NO_ERROR);
    glBindFramebuffer(GL_READ_FRAMEBUFFER_NV, to.framebuffer);
    CHECK(packedPixelAt(3, 3) == kGreen);
    CHECK(packedPixelAt(12, 3) == kRed);
    glBindFramebuffer(GL_READ_FRAMEBUFFER_NV, from.framebuffer);
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 4, 4);
    CHECK(blit({6, 0, 10, 4}, kWhole, GL_COLOR_BUFFER_BIT, GL_LINEAR) == GL_NO_ERROR);
    glBindFramebuffer(GL_READ_FRAMEBUFFER_NV, to.framebuffer);
    CHECK(packedPixelAt(1, 1) == kRed);
    CHECK(packedPixelAt(12, 3) == kRed);
    CHECK(packedPixelAt(4, 1) == kGreen);
    glScissor(4, 4, 4, 4);
    glBindFramebuffer(GL_READ_FRAMEBUFFER_NV, from.framebuffer);
    // Pixel 7 of the destination is half a source pixel, less an eighth, left of the edge between both colours.
    CHECK(blit({6, 0, 10, 4}, kWhole, GL_COLOR_BUFFER_BIT, GL_LINEAR) == GL_NO_ERROR);
    glBindFramebuffer(GL_READ_FRAMEBUFFER_NV, to.framebuffer);
    CHECK(packedPixelAt(7, 5) == (0xFF000000u | 159u | 96u << 8));
    glDisable(GL_SCISSOR_TEST);

    // From the window's buffer into two buffers at once.
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    GLuint second = 0;
    glGenRenderbuffers(1, &second);
    glBindRenderbuffer(GL_RENDERBUFFER, second);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGB565, kSize, kSize);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1_EXT, GL_RENDERBUFFER, second);
    const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1_EXT};
    glDrawBuffersEXT(2, both);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    Target::clear(1, 0, 0);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER_NV, to.framebuffer);
    CHECK(blit({0, 0, 32, 32}, kWhole) == GL_NO_ERROR);
    glBindFramebuffer(GL_READ_FRAMEBUFFER_NV, to.framebuffer);
    CHECK(packedPixelAt(15, 15) == kRed);
    glReadBufferNV(GL_COLOR_ATTACHMENT1_EXT);
    CHECK(packedPixelAt(15, 15) == kRed);
    // Nothing to read, nothing to draw: ignored.
    glReadBufferNV(GL_NONE);
    CHECK(blit(kWhole, kWhole) == GL_NO_ERROR);
    CHECK(blit(kWhole, kWhole, 0) == GL_NO_ERROR);
}

TEST_CASE("depth and stencil are blitted") {
    TestContext context(kLarge);
    Target from, to;
    glBindFramebuffer(GL_FRAMEBUFFER, from.framebuffer);
    glClearDepthf(0.25f);
    glClearStencil(3);
    glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    bind(to.framebuffer, from.framebuffer);
    glDepthMask(GL_FALSE);
    CHECK(blit(kWhole, kWhole, GL_DEPTH_BUFFER_BIT) == GL_NO_ERROR);
    glBindFramebuffer(GL_FRAMEBUFFER, to.framebuffer);
    // A triangle at depth 0 in clip space, 0.5 in the window, lies behind 0.25.
    glEnable(GL_DEPTH_TEST);
    drawTriangle({-1, -1, 3, -1, -1, 3});
    CHECK(packedPixelAt(5, 5) == 0xFF000000u);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_EQUAL, 3, 0xFF);
    drawTriangle({-1, -1, 3, -1, -1, 3});
    CHECK(packedPixelAt(5, 5) == 0xFF000000u);  // the stencil was not asked for
    bind(to.framebuffer, from.framebuffer);
    CHECK(blit(kWhole, kWhole, kAllBuffers) == GL_NO_ERROR);
    glBindFramebuffer(GL_FRAMEBUFFER, to.framebuffer);
    drawTriangle({-1, -1, 3, -1, -1, 3});
    CHECK(packedPixelAt(5, 5) == 0xFFFFFFFFu);
}

TEST_CASE("renderbuffers with samples are resolved by blits, and by nothing else") {
    TestContext context(kLarge);
    Target many(4), one;
    CHECK(getInt(GL_MAX_SAMPLES_NV) == 4);
    glBindFramebuffer(GL_FRAMEBUFFER, many.framebuffer);
    CHECK(getInt(GL_SAMPLES) == 4);
    // The edge goes through pixels of the diagonal: their value is a mean.
    drawTriangle({-1, -1, 1, -1, -1, 1});
    (void)packedPixelAt(0, 0);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, 4, 4, 0);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    for (const auto& call : {blit, blitUnchanged}) {
        glBindFramebuffer(GL_FRAMEBUFFER, one.framebuffer);
        Target::clear(1, 0, 0);
        bind(one.framebuffer, many.framebuffer);
        CHECK(call(kWhole, kWhole, GL_COLOR_BUFFER_BIT, GL_NEAREST) == GL_NO_ERROR);
        glBindFramebuffer(GL_FRAMEBUFFER, one.framebuffer);
        CHECK(packedPixelAt(2, 2) == 0xFFFFFFFFu);
        CHECK(packedPixelAt(14, 14) == 0xFF000000u);
        const uint32_t edge = packedPixelAt(8, 7) & 0xFF;
        CHECK((edge > 0 && edge < 255));
    }
    // A part of it, and to all samples.
    bind(one.framebuffer, many.framebuffer);
    CHECK(blit({0, 0, 4, 4}, {12, 12, 16, 16}) == GL_NO_ERROR);
    glBindFramebuffer(GL_READ_FRAMEBUFFER_NV, one.framebuffer);
    CHECK(packedPixelAt(13, 13) == 0xFFFFFFFFu);
    CHECK(packedPixelAt(11, 13) == 0xFF000000u);
    Target other(4);
    bind(other.framebuffer, one.framebuffer);
    CHECK(blit(kWhole, kWhole) == GL_NO_ERROR);
    Target last;
    bind(last.framebuffer, other.framebuffer);
    CHECK(blit(kWhole, kWhole, kAllBuffers) == GL_NO_ERROR);
    glBindFramebuffer(GL_READ_FRAMEBUFFER_NV, last.framebuffer);
    CHECK(packedPixelAt(13, 13) == 0xFFFFFFFFu);
    CHECK(glGetError() == GL_NO_ERROR);
    // Those of EXT_multisampled_render_to_texture are resolved when they are read.
    Target implicit(4, GL_RGBA8_OES, false);
    Target::clear(0, 1, 0);
    CHECK(packedPixelAt(1, 1) == kGreen);
    CHECK(glGetError() == GL_NO_ERROR);
    bind(last.framebuffer, implicit.framebuffer);
    CHECK(blit(kWhole, kWhole) == GL_NO_ERROR);
    glBindFramebuffer(GL_READ_FRAMEBUFFER_NV, last.framebuffer);
    CHECK(packedPixelAt(1, 1) == kGreen);
}

TEST_CASE("blits into a texture that is drawn to with samples") {
    TestContext context(kLarge);
    Target from;
    Target::clear(0, 1, 0);
    GLuint texture = 0, framebuffer = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, kSize, kSize, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER_NV, framebuffer);
    glFramebufferTexture2DMultisampleEXT(GL_DRAW_FRAMEBUFFER_NV, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0, 4);
    CHECK(blit(kWhole, kWhole) == GL_NO_ERROR);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    CHECK(packedPixelAt(7, 7) == kGreen);
}

TEST_CASE("blits: errors") {
    TestContext context(kLarge);
    Target from, to, many(4), small(4, GL_RGB565), flat(0, GL_RGB565);
    bind(to.framebuffer, from.framebuffer);
    CHECK(blit(kWhole, kWhole, GL_COLOR_BUFFER_BIT | 1) == GL_INVALID_VALUE);
    CHECK(blit(kWhole, kWhole, GL_COLOR_BUFFER_BIT, GL_REPEAT) == GL_INVALID_ENUM);
    CHECK(blit(kWhole, kWhole, GL_STENCIL_BUFFER_BIT, GL_LINEAR) == GL_INVALID_OPERATION);
    bind(to.framebuffer, flat.framebuffer);
    CHECK(blit(kWhole, kWhole) == GL_NO_ERROR);
    CHECK(blitUnchanged(kWhole, kWhole) == GL_INVALID_OPERATION);
    CHECK(blitUnchanged(kWhole, kWhole, GL_COLOR_BUFFER_BIT, GL_LINEAR) == GL_INVALID_ENUM);
    bind(to.framebuffer, from.framebuffer);
    CHECK(blitUnchanged(kWhole, {0, 0, 8, 8}) == GL_INVALID_OPERATION);
    CHECK(blitUnchanged(kWhole, {kSize, 0, 0, kSize}) == GL_INVALID_OPERATION);
    CHECK(blitUnchanged({kSize, 0, 0, kSize}, {kSize, 0, 0, kSize}) == GL_NO_ERROR);
    CHECK(blitUnchanged({0, 0, 8, 8}, {8, 8, 16, 16}) == GL_NO_ERROR);
    CHECK(blitUnchanged({0, 0, 8, 8}, {8, 8, 16, 16}, GL_DEPTH_BUFFER_BIT) == GL_INVALID_OPERATION);
    CHECK(blitUnchanged(kWhole, kWhole, kAllBuffers) == GL_NO_ERROR);
    bind(to.framebuffer, many.framebuffer);
    CHECK(blit(kWhole, {0, 0, 8, 8}) == GL_INVALID_OPERATION);
    CHECK(blit(kWhole, {kSize, 0, 0, kSize}) == GL_INVALID_OPERATION);
    CHECK(blitUnchanged(kWhole, kWhole, GL_DEPTH_BUFFER_BIT) == GL_INVALID_OPERATION);
    CHECK(blitUnchanged({0, 0, 8, 8}, {0, 0, 8, 8}) == GL_INVALID_OPERATION);
    bind(to.framebuffer, small.framebuffer);
    CHECK(blit(kWhole, kWhole) == GL_INVALID_OPERATION);
    bind(many.framebuffer, from.framebuffer);
    CHECK(blitUnchanged(kWhole, kWhole) == GL_INVALID_OPERATION);
    // Depth of another format.
    glBindFramebuffer(GL_FRAMEBUFFER, to.framebuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, to.depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT16, kSize, kSize);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_RENDERBUFFER, 0);
    bind(to.framebuffer, from.framebuffer);
    CHECK(blit(kWhole, kWhole, GL_DEPTH_BUFFER_BIT) == GL_INVALID_OPERATION);
    CHECK(blit(kWhole, kWhole, GL_STENCIL_BUFFER_BIT) == GL_NO_ERROR);
}

TEST_CASE("functions that later versions took up are found by their name there") {
    const auto isSame = [](const char* a, const char* b) {
        return tessera::gles::procAddress(a) == tessera::gles::procAddress(b);
    };
    CHECK(isSame("glGetObjectLabel", "glGetObjectLabelKHR"));
    CHECK(isSame("glDrawElementsBaseVertex", "glDrawElementsBaseVertexOES"));
    CHECK(isSame("glReadnPixels", "glReadnPixelsKHR"));
    // OpenGL ES 3.0 has functions of its own.
    for (const char* name : {"glBlitFramebuffer", "glRenderbufferStorageMultisample", "glMapBufferRange"})
        CHECK_FALSE(isSame(name, "glDispatchCompute"));
    CHECK_FALSE(isSame("glFenceSync", "glDispatchCompute"));
    CHECK(isSame("glDispatchCompute", "gl"));
}
