// EXT_multisampled_render_to_texture.
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "api/gles/driver.h"
#include "api/gles/gles.h"
#include "api/gles/objects/framebuffer.h"
#include "tests/gles/fixture.h"

using namespace tessera::gles;
using namespace tessera::gles_test;

namespace {

constexpr GLsizei kTexels = 8;

struct Target {
    GLuint framebuffer = 0, texture = 0;

    explicit Target(GLsizei samples = 4) {
        glGenFramebuffers(1, &framebuffer);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, kTexels, kTexels, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        glFramebufferTexture2DMultisampleEXT(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0, samples);
        glViewport(0, 0, kTexels, kTexels);
    }
};

void drawWhite(GLuint program, const GLfloat* corners) {
    glUseProgram(program);
    glUniform4f(glGetUniformLocation(program, "color"), 1, 1, 1, 1);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

/// A white triangle whose long side is the diagonal: pixels (i, i) are half covered.
void drawTriangle(GLuint program) {
    static const GLfloat corners[] = {-1, -1, 1, -1, 1, 1};
    drawWhite(program, corners);
}

/// The triangle on the other side of the diagonal.
void drawOtherTriangle(GLuint program) {
    static const GLfloat corners[] = {-1, -1, 1, 1, -1, 1};
    drawWhite(program, corners);
}

uint32_t red(int x, int y) { return packedPixelAt(x, y) & 0xFF; }

void checkTriangle() {
    CHECK(red(6, 1) == 255);
    CHECK(red(1, 6) == 0);
    for (int i = 0; i < kTexels; ++i) {
        CHECK(red(i, i) >= 64);  // one to three samples of four
        CHECK(red(i, i) <= 192);
    }
}

}  // namespace

TEST_CASE("multisampled textures: edges are smooth, for reads, copies and sampling") {
    TestContext context(kLarge);
    CHECK(getInt(GL_MAX_SAMPLES_EXT) == 4);
    GLuint program = makeProgram(kPassVertex, kColorFragment);
    GLuint sampling = makeProgram(kPassVertex, R"(
precision mediump float;
uniform sampler2D image;
void main() { gl_FragColor = texture2D(image, gl_FragCoord.xy / 8.0); }
)");
    Target target;
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    CHECK(getInt(GL_SAMPLES) == 4);
    CHECK(getInt(GL_SAMPLE_BUFFERS) == 1);
    GLint samples = 0;
    glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                          GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_SAMPLES_EXT, &samples);
    CHECK(samples == 4);
    drawTriangle(program);
    checkTriangle();
    // Drawing goes on over what was there.
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    drawTriangle(program);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glUseProgram(sampling);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, kQuad);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    checkTriangle();

    // Uploads into the texture are under later draws.
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
    const uint32_t blue = 0xFFFF0000u;
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 7, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &blue);
    drawTriangle(program);
    CHECK(packedPixelAt(0, 7) == blue);
    checkTriangle();
    GLuint copy = 0;
    glGenTextures(1, &copy);
    glBindTexture(GL_TEXTURE_2D, copy);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, kTexels, kTexels, 0);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, copy, 0);
    CHECK(getInt(GL_SAMPLES) == 0);
    checkTriangle();
    // The texture itself, attached plainly, has the resolved pixels.
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target.texture, 0);
    checkTriangle();
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("multisampled textures: a picture does not depend on when commands are handed over") {
    TestContext context(kLarge);
    const GLuint program = makeProgram(kPassVertex, kColorFragment);
    const std::pair<const char*, std::function<void()>> ways[] = {
        {"not", [] {}},
        {"flush", [] { glFlush(); }},
        {"twice", [] { glFlush(), glFlush(); }},
        {"finish", [] { glFinish(); }},
        {"fence", [] { glDeleteSyncAPPLE(glFenceSyncAPPLE(GL_SYNC_GPU_COMMANDS_COMPLETE_APPLE, 0)); }},
        {"leave", [&] { tessera::gles::flush(*context.context()); }},
    };
    for (const auto& [name, handOver] : ways) {
        CAPTURE(name);
        Target target;
        drawTriangle(program);
        handOver();
        drawOtherTriangle(program);
        for (int i = 0; i < kTexels; ++i) CHECK(red(i, i) == 255);  // each sample is in one of the two
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("multisampled textures: a picture does not depend on what else is done in the middle of it") {
    TestContext context({.version = 3});
    const GLuint program = makeProgram(kPassVertex, kColorFragment);
    const GLuint sampling = makeProgram(kPassVertex, R"(
precision mediump float;
uniform sampler2D image;
void main() { gl_FragColor = texture2D(image, gl_FragCoord.xy / 8.0); }
)");
    // Of somebody else, as a browser has beside a page's.
    GLuint others = 0, another = 0;
    glGenFramebuffers(1, &others);
    glBindFramebuffer(GL_FRAMEBUFFER, others);
    glGenTextures(1, &another);
    glBindTexture(GL_TEXTURE_2D, another);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, kTexels, kTexels, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, another, 0);
    const uint32_t blue = 0xFFFF0000u;
    const auto elsewhere = [&](const std::function<void()>& act) {
        GLint own = 0;
        glGetIntegerv(GL_FRAMEBUFFER_BINDING, &own);
        glBindFramebuffer(GL_FRAMEBUFFER, others);
        act();
        glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(own));
    };
    const std::pair<const char*, std::function<void(const Target&)>> ways[] = {
        {"bound", [&](const Target&) { elsewhere([] {}); }},
        {"cleared", [&](const Target&) { elsewhere([] { glClear(GL_COLOR_BUFFER_BIT); }); }},
        {"drawn with it",
         [&](const Target& target) {
             elsewhere([&] {
                 glUseProgram(sampling);
                 glBindTexture(GL_TEXTURE_2D, target.texture);
                 glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, kQuad);
                 glEnableVertexAttribArray(0);
                 glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
                 glFlush();
             });
         }},
        {"uploaded",
         [&](const Target&) {
             glBindTexture(GL_TEXTURE_2D, another);
             glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 7, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &blue);
         }},
        {"mipmaps",
         [&](const Target&) {
             glBindTexture(GL_TEXTURE_2D, another);
             glGenerateMipmap(GL_TEXTURE_2D);
         }},
        {"copied",
         [&](const Target&) {
             glBindTexture(GL_TEXTURE_2D, another);
             glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, kTexels, kTexels);
         }},
        {"blitted",
         [&](const Target&) {
             glBindFramebuffer(GL_DRAW_FRAMEBUFFER, others);
             glBlitFramebuffer(0, 0, kTexels, kTexels, 0, 0, kTexels, kTexels, GL_COLOR_BUFFER_BIT, GL_NEAREST);
             GLint own = 0;
             glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &own);
             glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(own));
         }},
        {"read", [](const Target&) { checkTriangle(); }},
        {"attached",
         [&](const Target&) {
             elsewhere([&] {
                 glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
                 glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, another, 0);
             });
         }},
        {"deleted",
         [](const Target&) {
             GLuint texture = 0;
             glGenTextures(1, &texture);
             glBindTexture(GL_TEXTURE_2D, texture);
             glDeleteTextures(1, &texture);
         }},
    };
    for (const auto& [name, act] : ways) {
        CAPTURE(name);
        const Target target;
        drawTriangle(program);
        act(target);
        drawOtherTriangle(program);
        for (int i = 0; i < kTexels; ++i) CHECK(red(i, i) == 255);  // each sample is in one of the two
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("multisampled textures: what something else writes meanwhile is under later draws") {
    TestContext context({.version = 3});
    const GLuint program = makeProgram(kPassVertex, kColorFragment);
    GLuint framebuffers[2] = {}, blueTexture = 0;
    glGenFramebuffers(2, framebuffers);
    glGenTextures(1, &blueTexture);
    const std::vector<uint32_t> blue(size_t{kTexels} * kTexels, 0xFFFF0000u);
    glBindTexture(GL_TEXTURE_2D, blueTexture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, kTexels, kTexels, 0, GL_RGBA, GL_UNSIGNED_BYTE, blue.data());
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[0]);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, blueTexture, 0);
    glClearColor(0, 0, 1, 1);
    // Clears the texel (0, 7) of the texture, attached to another framebuffer.
    const auto clearBy = [&](const Target& target, GLsizei samples) {
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[1]);
        glFramebufferTexture2DMultisampleEXT(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target.texture, 0,
                                             samples);
        glEnable(GL_SCISSOR_TEST);
        glScissor(0, 7, 1, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glDisable(GL_SCISSOR_TEST);
        glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
    };
    const std::pair<const char*, std::function<void(const Target&)>> ways[] = {
        {"upload",
         [&](const Target&) { glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 7, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, blue.data()); }},
        {"image",
         [&](const Target&) {
             glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, kTexels, kTexels, 0, GL_RGBA, GL_UNSIGNED_BYTE, blue.data());
         }},
        {"copy",
         [&](const Target& target) {
             glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[0]);
             glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 7, 0, 7, 1, 1);
             glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
         }},
        {"clear", [&](const Target& target) { clearBy(target, 0); }},
        {"samples of another framebuffer", [&](const Target& target) { clearBy(target, 4); }},
        {"blit",
         [&](const Target& target) {
             glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[1]);
             glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target.texture, 0);
             glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers[0]);
             glBlitFramebuffer(0, 7, 1, 8, 0, 7, 1, 8, GL_COLOR_BUFFER_BIT, GL_NEAREST);
             glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
         }},
    };
    for (const auto& [name, write] : ways) {
        for (const bool isFlushed : {false, true}) {
            CAPTURE(name);
            CAPTURE(isFlushed);
            const Target target;
            drawTriangle(program);
            if (isFlushed) glFlush();
            write(target);
            if (isFlushed) glFlush();
            drawTriangle(program);
            CHECK(packedPixelAt(0, 7) == blue[0]);
            CHECK(red(6, 1) == 255);
        }
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("multisampled textures: faces of a cube in one framebuffer keep their samples, each its own") {
    TestContext context({.version = 3});
    const GLuint program =
        makeProgram("#version 300 es\nin vec4 position; void main() { gl_Position = position; }",
                    "#version 300 es\nprecision highp float; uniform vec4 color; layout(location = 0) out vec4 a;"
                    " layout(location = 1) out vec4 b; void main() { a = color; b = color; }");
    GLuint framebuffer = 0, cube = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenTextures(1, &cube);
    glBindTexture(GL_TEXTURE_CUBE_MAP, cube);
    glTexStorage2D(GL_TEXTURE_CUBE_MAP, 1, GL_RGBA8, kTexels, kTexels);
    for (GLenum i = 0; i < 2; ++i)
        glFramebufferTexture2DMultisampleEXT(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + i,
                                             GL_TEXTURE_CUBE_MAP_POSITIVE_X + i, cube, 0, 4);
    const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT0 + 1};
    glDrawBuffers(2, both);
    glViewport(0, 0, kTexels, kTexels);
    drawTriangle(program);
    glFlush();
    drawOtherTriangle(program);
    for (GLenum i = 0; i < 2; ++i) {
        glReadBuffer(GL_COLOR_ATTACHMENT0 + i);
        CHECK(red(3, 3) == 255);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("multisampled textures: respecified, detached and deleted while drawn to") {
    TestContext context(kLarge);
    GLuint program = makeProgram(kPassVertex, kColorFragment);
    Target target;
    drawTriangle(program);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 2 * kTexels, kTexels, 0, GL_RGB, GL_UNSIGNED_SHORT_5_6_5, nullptr);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    drawTriangle(program);
    checkTriangle();
    drawTriangle(program);
    glDeleteTextures(1, &target.texture);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT);
    Target other;
    drawTriangle(program);
    glDeleteFramebuffers(1, &other.framebuffer);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("multisampled renderbuffers: colour and depth, all attachments of one count") {
    TestContext context(kLarge);
    GLuint program = makeProgram(kPassVertex, kColorFragment);
    GLuint framebuffer = 0, buffers[2];
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenRenderbuffers(2, buffers);
    auto storage = [&](int i, GLenum attachment, GLsizei samples, GLenum format) {
        glBindRenderbuffer(GL_RENDERBUFFER, buffers[i]);
        glRenderbufferStorageMultisampleEXT(GL_RENDERBUFFER, samples, format, kTexels, kTexels);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, buffers[i]);
        GLint got = -1;
        glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_SAMPLES_EXT, &got);
        return got;
    };
    CHECK(storage(0, GL_COLOR_ATTACHMENT0, 1, GL_RGB565) == 4);
    CHECK(storage(0, GL_COLOR_ATTACHMENT0, 2, GL_RGB565) == 4);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    CHECK(storage(1, GL_DEPTH_ATTACHMENT, 0, GL_DEPTH_COMPONENT16) == 0);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_MULTISAMPLE_EXT);
    CHECK(storage(1, GL_DEPTH_ATTACHMENT, 4, GL_DEPTH_COMPONENT16) == 4);
    CHECK(storage(0, GL_COLOR_ATTACHMENT0, 0, GL_RGB565) == 0);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_MULTISAMPLE_EXT);
    CHECK(storage(0, GL_COLOR_ATTACHMENT0, 2, GL_RGB565) == 4);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    CHECK(getInt(GL_SAMPLES) == 4);
    glViewport(0, 0, kTexels, kTexels);
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    drawTriangle(program);
    checkTriangle();
    // A texture with samples beside it.
    Target target;
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, buffers[1]);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    glEnable(GL_DEPTH_TEST);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    drawTriangle(program);
    checkTriangle();
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("multisampled render to texture: errors") {
    TestContext context(kLarge);
    GLuint renderbuffer = 0;
    glGenRenderbuffers(1, &renderbuffer);
    glRenderbufferStorageMultisampleEXT(GL_RENDERBUFFER, 4, GL_RGBA4, 4, 4);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    auto storage = [](GLenum target, GLsizei samples, GLenum format, GLsizei width) {
        glRenderbufferStorageMultisampleEXT(target, samples, format, width, 4);
        return glGetError();
    };
    CHECK(storage(GL_TEXTURE_2D, 4, GL_RGBA4, 4) == GL_INVALID_ENUM);
    CHECK(storage(GL_RENDERBUFFER, 4, GL_RGBA, 4) == GL_INVALID_ENUM);
    CHECK(storage(GL_RENDERBUFFER, 5, GL_RGBA4, 4) == GL_INVALID_VALUE);
    CHECK(storage(GL_RENDERBUFFER, -1, GL_RGBA4, 4) == GL_INVALID_VALUE);
    CHECK(storage(GL_RENDERBUFFER, 4, GL_RGBA4, 16385) == GL_INVALID_VALUE);
    CHECK(storage(GL_RENDERBUFFER, 4, GL_RGBA4, -1) == GL_INVALID_VALUE);
    CHECK(storage(GL_RENDERBUFFER, 1, GL_RGBA4, 4) == GL_NO_ERROR);
    Target target;
    auto attach = [&](GLenum where, GLenum attachment, GLenum textarget, GLint level, GLsizei samples) {
        glFramebufferTexture2DMultisampleEXT(where, attachment, textarget, target.texture, level, samples);
        return glGetError();
    };
    CHECK(attach(GL_TEXTURE_2D, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 4) == GL_INVALID_ENUM);
    CHECK(attach(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, 0, 4) ==
          GL_NO_ERROR);  // EXT_multisampled_render_to_texture2
    CHECK(attach(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, 0, 4) == GL_INVALID_ENUM);
    CHECK(attach(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 5) == GL_INVALID_VALUE);
    CHECK(attach(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, -1, 4) == GL_INVALID_VALUE);
    CHECK(attach(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0) == GL_NO_ERROR);
    CHECK(getInt(GL_SAMPLES) == 0);
}

TEST_CASE("multisampled textures: the samples of an image do not come into one that takes its place") {
    TestContext context(kLarge);
    GLuint program = makeProgram(kPassVertex, kColorFragment);
    Target target;
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, kTexels, kTexels, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    drawTriangle(program);
    glTexStorage2DEXT(GL_TEXTURE_2D, 1, GL_RGBA8_OES, kTexels, kTexels);
    CHECK(packedPixelAt(6, 1) == 0);
    drawTriangle(program);
    checkTriangle();
    CHECK(glGetError() == GL_NO_ERROR);
}

// What a use of the texture must see is made sure of by the types (api/gles/objects/attachable_image.h): without
// resolving, nobody gets at what an image holds.
static_assert(!std::is_convertible_v<AttachableImage, tessera::texture::ImagePtr>);
static_assert(!std::is_default_constructible_v<SamplesResolved>);
static_assert(!std::is_invocable_v<decltype(&AttachableImage::contents), const AttachableImage&>);
static_assert(!std::is_invocable_v<decltype(&Recorder::flush), Recorder&>);

TEST_CASE("a clear of what all attachments have leaves the rest of a larger texture with samples") {
    TestContext context({.version = 3});
    GLuint framebuffer = 0, textures[2] = {};
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenTextures(2, textures);
    const std::vector<uint8_t> white(size_t{4} * 2 * kTexels * 2 * kTexels, 255);
    for (size_t i = 0; i < 2; ++i) {
        const auto size = static_cast<GLsizei>(kTexels * (i + 1));
        glBindTexture(GL_TEXTURE_2D, textures[i]);
        glTexStorage2DEXT(GL_TEXTURE_2D, 1, GL_RGBA8_OES, size, size);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, size, size, GL_RGBA, GL_UNSIGNED_BYTE, white.data());
        glFramebufferTexture2DMultisampleEXT(GL_FRAMEBUFFER, static_cast<GLenum>(GL_COLOR_ATTACHMENT0 + i),
                                             GL_TEXTURE_2D, textures[i], 0, 4);
    }
    REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT0 + 1};
    glDrawBuffersEXT(2, both);
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    // The larger one by itself.
    GLuint alone = 0;
    glGenFramebuffers(1, &alone);
    glBindFramebuffer(GL_FRAMEBUFFER, alone);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, textures[1], 0);
    CHECK(red(kTexels - 1, kTexels - 1) == 0);
    CHECK(red(kTexels, kTexels - 1) == 255);
    CHECK(red(2 * kTexels - 1, 2 * kTexels - 1) == 255);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("EXT_multisampled_render_to_texture2: several colours and depth have samples beside textures") {
    TestContext context({.version = 3});
    GLuint framebuffer = 0, textures[3] = {};
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenTextures(3, textures);
    const GLenum formats[] = {GL_RGBA8_OES, GL_RGBA8_OES, GL_DEPTH24_STENCIL8_OES};
    const GLenum points[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT0 + 1, 0x821A};  // GL_DEPTH_STENCIL_ATTACHMENT
    for (size_t i = 0; i < 3; ++i) {
        glBindTexture(GL_TEXTURE_2D, textures[i]);
        glTexStorage2DEXT(GL_TEXTURE_2D, 1, formats[i], kTexels, kTexels);
        glFramebufferTexture2DMultisampleEXT(GL_FRAMEBUFFER, points[i], GL_TEXTURE_2D, textures[i], 0, 4);
        CHECK(glGetError() == GL_NO_ERROR);
    }
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    CHECK(getInt(GL_SAMPLES) == 4);
    glViewport(0, 0, kTexels, kTexels);
    const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT0 + 1};
    glDrawBuffersEXT(2, both);
    const GLuint program =
        makeProgram("#version 300 es\nin vec4 position; void main() { gl_Position = position; }",
                    "#version 300 es\nprecision highp float; uniform vec4 color; layout(location = 0) out vec4 a;"
                    " layout(location = 1) out vec4 b; void main() { a = color; b = 0.2 * color; }");
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_STENCIL_TEST);
    glStencilOp(GL_KEEP, GL_KEEP, GL_INCR);
    glDepthFunc(GL_LESS);
    drawTriangle(program);
    drawTriangle(program);  // which is not nearer than itself
    // Stencil has been counted once, in every sample of the triangle.
    glDisable(GL_DEPTH_TEST);
    glStencilFunc(GL_EQUAL, 1, 0xFF);
    glClear(GL_COLOR_BUFFER_BIT);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, kQuad);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    checkTriangle();
    glReadBufferNV(GL_COLOR_ATTACHMENT0 + 1);
    CHECK(red(6, 1) == 51);
    CHECK(red(1, 6) == 0);
    // The depth texture itself holds one sample of each pixel.
    glDisable(GL_STENCIL_TEST);
    glBindTexture(GL_TEXTURE_2D, textures[2]);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    useProgram("#version 300 es\nin vec4 position; void main() { gl_Position = position; }",
               "#version 300 es\nprecision highp float; uniform highp sampler2D image; out vec4 color;"
               " void main() { color = vec4(texelFetch(image, ivec2(gl_FragCoord.xy), 0).r); }");
    drawQuad();
    CHECK(near(pixelAt(6, 1), {128, 128, 128, 128}, 1));
    CHECK(pixelAt(1, 6) == Rgba{255, 255, 255, 255});
    glFramebufferTexture2DMultisampleEXT(GL_FRAMEBUFFER, GL_TEXTURE_2D, GL_TEXTURE_2D, textures[0], 0, 4);
    CHECK(glGetError() != GL_NO_ERROR);
}

TEST_CASE("samples that are discarded are not resolved: the texture holds what it held") {
    TestContext context({.version = 3});
    const Target target;
    const GLuint program = makeProgram(kPassVertex, kColorFragment);
    const auto fill = [&](float red, float green) {
        glUseProgram(program);
        glUniform4f(glGetUniformLocation(program, "color"), red, green, 0, 1);
        drawQuad();
    };
    fill(1, 0);
    CHECK(pixelAt(3, 3) == Rgba{255, 0, 0, 255});  // which resolves them
    const GLenum color = GL_COLOR_ATTACHMENT0, depth = GL_DEPTH_ATTACHMENT;
    fill(0, 1);
    glInvalidateFramebuffer(GL_FRAMEBUFFER, 1, &color);
    CHECK(pixelAt(3, 3) == Rgba{255, 0, 0, 255});
    // And goes on from there.
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    fill(0, 1);
    glDiscardFramebufferEXT(GL_FRAMEBUFFER, 1, &depth);
    glInvalidateSubFramebuffer(GL_FRAMEBUFFER, 1, &color, 0, 0, 4, 4);
    CHECK(pixelAt(3, 3) == Rgba{255, 255, 0, 255});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("samples of depth and stencil are discarded when both are, where both are of one texture") {
    TestContext context({.version = 3});
    GLuint framebuffer = 0, texture = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_DEPTH24_STENCIL8, kTexels, kTexels);
    for (const GLenum point : {GL_DEPTH_ATTACHMENT, GL_STENCIL_ATTACHMENT})
        glFramebufferTexture2DMultisampleEXT(GL_FRAMEBUFFER, point, GL_TEXTURE_2D, texture, 0, 4);
    REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    const auto stencilAfter = [](GLint cleared, const std::vector<GLenum>& discarded) {
        glClearBufferfi(GL_DEPTH_STENCIL, 0, 0.5f, cleared);
        glInvalidateFramebuffer(GL_FRAMEBUFFER, static_cast<GLsizei>(discarded.size()), discarded.data());
        GLubyte stencil = 0;
        glReadPixels(3, 3, 1, 1, GL_STENCIL_INDEX_OES, GL_UNSIGNED_BYTE, &stencil);
        return static_cast<int>(stencil);
    };
    CHECK(stencilAfter(5, {}) == 5);
    CHECK(stencilAfter(6, {GL_DEPTH_ATTACHMENT}) == 6);
    CHECK(stencilAfter(7, {GL_STENCIL_ATTACHMENT}) == 7);
    CHECK(stencilAfter(8, {GL_STENCIL_ATTACHMENT, GL_DEPTH_ATTACHMENT}) == 7);
    CHECK(stencilAfter(9, {GL_DEPTH_STENCIL_ATTACHMENT}) == 7);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("a clear of the draw buffers alone leaves other colours what they hold") {
    TestContext context({.version = 3});
    GLuint framebuffer = 0, textures[2] = {};
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenTextures(2, textures);
    const std::vector<uint32_t> pixels(size_t{kTexels} * kTexels, 0xFF00FF00);
    for (GLenum i = 0; i < 2; ++i) {
        glBindTexture(GL_TEXTURE_2D, textures[i]);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, kTexels, kTexels, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
        glFramebufferTexture2DMultisampleEXT(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + i, GL_TEXTURE_2D, textures[i], 0,
                                             4);
    }
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);  // the first
    CHECK(pixelAt(3, 3) == Rgba{255, 0, 0, 255});
    glReadBuffer(GL_COLOR_ATTACHMENT0 + 1);
    CHECK(pixelAt(3, 3) == Rgba{0, 255, 0, 255});
}
