// Framebuffers by the rules of OpenGL ES 3.0: attachments, completeness, queries, clears of one buffer, blits.
#include <GLES3/gl3.h>
// After it: the tokens of extensions.
#include <GLES2/gl2ext.h>

#include <vector>

#include "tests/gles/api_test.h"
#include "tests/gles/fixture.h"

using namespace tessera::gles_test;

namespace {

GLuint bindFramebuffer(GLenum target = GL_FRAMEBUFFER) {
    GLuint name = 0;
    glGenFramebuffers(1, &name);
    glBindFramebuffer(target, name);
    return name;
}

GLuint makeRenderbuffer(GLenum format, int width = 8, int height = 8, GLsizei samples = 0) {
    GLuint name = 0;
    glGenRenderbuffers(1, &name);
    glBindRenderbuffer(GL_RENDERBUFFER, name);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
    return name;
}

void attach(GLenum attachment, GLuint renderbuffer, GLenum target = GL_FRAMEBUFFER) {
    glFramebufferRenderbuffer(target, attachment, GL_RENDERBUFFER, renderbuffer);
}

GLenum status() { return glCheckFramebufferStatus(GL_FRAMEBUFFER); }

GLint parameter(GLenum attachment, GLenum pname, GLenum error = GL_NO_ERROR, GLenum target = GL_FRAMEBUFFER) {
    GLint value = -1;
    glGetFramebufferAttachmentParameteriv(target, attachment, pname, &value);
    CHECK(glGetError() == error);
    return value;
}

void blit(GLbitfield mask, GLenum filter = GL_NEAREST, GLint shift = 0) {
    glBlitFramebuffer(0, 0, 8, 8, shift, shift, 8 + shift, 8 + shift, mask, filter);
}

}  // namespace

TEST_CASE("attachments may differ in size, and what is drawn to is what all have") {
    TestContext context(kEs3);
    bindFramebuffer();
    attach(GL_COLOR_ATTACHMENT0, makeRenderbuffer(GL_RGBA8, 16, 4));
    attach(GL_COLOR_ATTACHMENT1, makeRenderbuffer(GL_R8UI, 4, 16));
    CHECK(status() == GL_FRAMEBUFFER_COMPLETE);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(packedPixelAt(3, 3) == 0xFF0000FF);
    // Whichever is the lower one: no row of the other is written beyond it.
    for (const bool isFirstLower : {true, false}) {
        CAPTURE(isFirstLower);
        attach(GL_COLOR_ATTACHMENT0, makeRenderbuffer(GL_RGBA8, 4, isFirstLower ? 4 : 16));
        attach(GL_COLOR_ATTACHMENT1, makeRenderbuffer(GL_RGBA8, 4, isFirstLower ? 16 : 4));
        const GLenum both[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
        glDrawBuffers(2, both);
        const GLfloat green[] = {0, 1, 0, 1};
        for (const GLint buffer : {0, 1}) glClearBufferfv(GL_COLOR, buffer, green);
        glReadBuffer(both[isFirstLower ? 1 : 0]);
        CHECK(packedPixelAt(3, 3) == 0xFF00FF00);
        CHECK(packedPixelAt(3, 4) == 0);
        CHECK(packedPixelAt(3, 15) == 0);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("depth and stencil are of one image, and samples are of one number") {
    TestContext context(kEs3);
    bindFramebuffer();
    attach(GL_DEPTH_ATTACHMENT, makeRenderbuffer(GL_DEPTH_COMPONENT16));
    CHECK(status() == GL_FRAMEBUFFER_COMPLETE);
    attach(GL_STENCIL_ATTACHMENT, makeRenderbuffer(GL_STENCIL_INDEX8));
    CHECK(status() == GL_FRAMEBUFFER_UNSUPPORTED);
    parameter(GL_DEPTH_STENCIL_ATTACHMENT, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, GL_INVALID_OPERATION);
    const GLuint both = makeRenderbuffer(GL_DEPTH32F_STENCIL8);
    attach(GL_DEPTH_STENCIL_ATTACHMENT, both);
    CHECK(status() == GL_FRAMEBUFFER_COMPLETE);
    for (GLenum point : {GL_DEPTH_ATTACHMENT, GL_STENCIL_ATTACHMENT, GL_DEPTH_STENCIL_ATTACHMENT})
        CHECK(parameter(point, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME) == static_cast<GLint>(both));
    parameter(GL_DEPTH_STENCIL_ATTACHMENT, GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE, GL_INVALID_OPERATION);
    CHECK(parameter(GL_DEPTH_ATTACHMENT, GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE) == GL_FLOAT);
    CHECK(parameter(GL_DEPTH_ATTACHMENT, GL_FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE) == 32);
    CHECK(parameter(GL_STENCIL_ATTACHMENT, GL_FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE) == 8);
    attach(GL_COLOR_ATTACHMENT0, makeRenderbuffer(GL_RGBA8, 8, 8, 4));
    CHECK(status() == GL_FRAMEBUFFER_INCOMPLETE_MULTISAMPLE);
    attach(GL_DEPTH_STENCIL_ATTACHMENT, 0);
    CHECK(status() == GL_FRAMEBUFFER_COMPLETE);
    CHECK(parameter(GL_STENCIL_ATTACHMENT, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE) == GL_NONE);
    makeRenderbuffer(GL_RGBA8, 8, 8, 5);
    CHECK(glGetError() == GL_INVALID_OPERATION);
}

TEST_CASE("two levels, and two layers, of one texture are two images of depth and stencil") {
    TestContext context(kEs3);
    bindFramebuffer();
    GLuint textures[2];
    glGenTextures(2, textures);
    glBindTexture(GL_TEXTURE_2D, textures[0]);
    glTexStorage2D(GL_TEXTURE_2D, 2, GL_DEPTH24_STENCIL8, 8, 8);
    glBindTexture(GL_TEXTURE_2D_ARRAY, textures[1]);
    glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_DEPTH24_STENCIL8, 8, 8, 2);
    for (const GLint depth : {0, 1})
        for (const GLint stencil : {0, 1}) {
            CAPTURE(depth);
            CAPTURE(stencil);
            const GLenum want = depth == stencil ? GL_FRAMEBUFFER_COMPLETE : GL_FRAMEBUFFER_UNSUPPORTED;
            glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, textures[0], depth);
            glFramebufferTexture2D(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_TEXTURE_2D, textures[0], stencil);
            CHECK(status() == want);
            glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, textures[1], 0, depth);
            glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, textures[1], 0, stencil);
            CHECK(status() == want);
        }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("levels that mipmapping does not take are no attachments, but of immutable textures") {
    TestContext context(kEs3);
    bindFramebuffer();
    GLuint textures[2];
    glGenTextures(2, textures);
    const auto attachLevel = [](GLuint texture, GLint base, GLint last, GLint level) {
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, base);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, last);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, level);
        return status();
    };
    glBindTexture(GL_TEXTURE_2D, textures[0]);
    for (GLint level = 0; level < 4; ++level)
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA8, 8 >> level, 8 >> level, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    for (GLint level = 0; level < 4; ++level) {
        CHECK(attachLevel(textures[0], 0, 1000, level) == GL_FRAMEBUFFER_COMPLETE);
        CHECK(attachLevel(textures[0], 1, 2, level) ==
              (level == 1 || level == 2 ? GL_FRAMEBUFFER_COMPLETE : GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT));
        CHECK(attachLevel(textures[0], 2, 1, level) == GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    }
    // A level is missing: the chain ends above it, and only the first one is left.
    glTexImage2D(GL_TEXTURE_2D, 2, GL_RGBA8, 3, 3, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    CHECK(attachLevel(textures[0], 0, 1000, 0) == GL_FRAMEBUFFER_COMPLETE);
    CHECK(attachLevel(textures[0], 0, 1000, 1) == GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    CHECK(attachLevel(textures[0], 0, 1, 1) == GL_FRAMEBUFFER_COMPLETE);
    // The base level has no image, or is none that a texture can have.
    for (GLint base : {4, 100, INT32_MAX})
        CHECK(attachLevel(textures[0], base, 1000, 0) == GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    glBindTexture(GL_TEXTURE_2D, textures[1]);
    glTexStorage2D(GL_TEXTURE_2D, 3, GL_RGBA8, 8, 8);
    for (GLint level = 0; level < 3; ++level) {
        CHECK(attachLevel(textures[1], 1, 0, level) == GL_FRAMEBUFFER_COMPLETE);
        CHECK(attachLevel(textures[1], 2, 2, level) == GL_FRAMEBUFFER_COMPLETE);
    }
    // Of a cube every face has to be there, for other levels than the first.
    GLuint cube = 0;
    glGenTextures(1, &cube);
    glBindTexture(GL_TEXTURE_CUBE_MAP, cube);
    const auto attachFace = [&](GLint level) {
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_CUBE_MAP_POSITIVE_X, cube, level);
        return status();
    };
    for (GLenum face = 0; face < 6; ++face) {
        for (GLint level = 0; level < 3; ++level)
            glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, level, GL_RGBA8, 4 >> level, 4 >> level, 0, GL_RGBA,
                         GL_UNSIGNED_BYTE, nullptr);
        CHECK(attachFace(0) == GL_FRAMEBUFFER_COMPLETE);
        CHECK(attachFace(1) == (face == 5 ? GL_FRAMEBUFFER_COMPLETE : GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT));
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("every slice of a volume without alpha has that of 1") {
    TestContext context(kEs3);
    bindFramebuffer();
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_3D, texture);
    glTexImage3D(GL_TEXTURE_3D, 0, GL_RGB8, 4, 4, 3, 0, GL_RGB, GL_UNSIGNED_BYTE, nullptr);
    useProgram(kPassVertex, "void main() { gl_FragColor = vec4(0.0, 1.0, 0.0, 0.0); }");
    glEnable(GL_BLEND);
    glBlendFunc(GL_DST_ALPHA, GL_ZERO);
    glViewport(0, 0, 4, 4);
    for (GLint z = 0; z < 3; ++z) {
        CAPTURE(z);
        glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture, 0, z);
        REQUIRE(status() == GL_FRAMEBUFFER_COMPLETE);
        drawQuad();
        CHECK(packedPixelAt(2, 2) == 0xFF00FF00);
    }
}

TEST_CASE("a renderbuffer that is deleted leaves the framebuffer that is read, too") {
    TestContext context(kEs3);
    const GLuint framebuffer = bindFramebuffer();
    const GLuint renderbuffer = makeRenderbuffer(GL_RGBA8);
    attach(GL_COLOR_ATTACHMENT0, renderbuffer);
    glStencilFunc(GL_ALWAYS, 5, 0xFF);
    CHECK(getInt(GL_STENCIL_REF) == 0);  // which it clamps to what there is
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    CHECK(getInt(GL_STENCIL_REF) == 5);
    CHECK(getInt(GL_READ_FRAMEBUFFER_BINDING) == static_cast<GLint>(framebuffer));
    glDeleteRenderbuffers(1, &renderbuffer);
    CHECK(glCheckFramebufferStatus(GL_READ_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT);
}

TEST_CASE("copies of what is not read from are errors") {
    TestContext context(kEs3);
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glReadBuffer(GL_NONE);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, 4, 4, 0);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glReadBuffer(GL_BACK);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, 4, 4, 0);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("what is attached tells of itself") {
    TestContext context(kEs3);
    bindFramebuffer();
    CHECK(parameter(GL_COLOR_ATTACHMENT0, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME) == 0);
    parameter(GL_COLOR_ATTACHMENT0, GL_FRAMEBUFFER_ATTACHMENT_RED_SIZE, GL_INVALID_OPERATION);
    parameter(GL_BACK, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, GL_INVALID_ENUM);
    parameter(GL_COLOR_ATTACHMENT31, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, GL_INVALID_OPERATION);
    struct Row {
        GLenum format;
        GLint red, green, blue, alpha;
        GLenum type, encoding;
    };
    for (const Row& row :
         {Row{GL_RGB10_A2, 10, 10, 10, 2, GL_UNSIGNED_NORMALIZED, GL_LINEAR},
          Row{GL_RG16I, 16, 16, 0, 0, GL_INT, GL_LINEAR}, Row{GL_RGBA32UI, 32, 32, 32, 32, GL_UNSIGNED_INT, GL_LINEAR},
          Row{GL_R11F_G11F_B10F, 11, 11, 10, 0, GL_FLOAT, GL_LINEAR},
          Row{GL_SRGB8_ALPHA8, 8, 8, 8, 8, GL_UNSIGNED_NORMALIZED, GL_SRGB}}) {
        attach(GL_COLOR_ATTACHMENT0, makeRenderbuffer(row.format));
        CHECK(parameter(GL_COLOR_ATTACHMENT0, GL_FRAMEBUFFER_ATTACHMENT_RED_SIZE) == row.red);
        CHECK(parameter(GL_COLOR_ATTACHMENT0, GL_FRAMEBUFFER_ATTACHMENT_GREEN_SIZE) == row.green);
        CHECK(parameter(GL_COLOR_ATTACHMENT0, GL_FRAMEBUFFER_ATTACHMENT_BLUE_SIZE) == row.blue);
        CHECK(parameter(GL_COLOR_ATTACHMENT0, GL_FRAMEBUFFER_ATTACHMENT_ALPHA_SIZE) == row.alpha);
        CHECK(parameter(GL_COLOR_ATTACHMENT0, GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE) ==
              static_cast<GLint>(row.type));
        CHECK(parameter(GL_COLOR_ATTACHMENT0, GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING) ==
              static_cast<GLint>(row.encoding));
        parameter(GL_COLOR_ATTACHMENT0, GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL, GL_INVALID_ENUM);
    }
    GLuint volume = 0;
    glGenTextures(1, &volume);
    glBindTexture(GL_TEXTURE_3D, volume);
    glTexStorage3D(GL_TEXTURE_3D, 2, GL_RGBA8, 8, 8, 8);
    glFramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, volume, 1, 3);
    CHECK(status() == GL_FRAMEBUFFER_COMPLETE);
    CHECK(parameter(GL_COLOR_ATTACHMENT0, GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER) == 3);
    CHECK(parameter(GL_COLOR_ATTACHMENT0, GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL) == 1);
    const auto layerError = [](GLenum attachment, GLuint texture, GLint level, GLint layer) {
        glFramebufferTextureLayer(GL_FRAMEBUFFER, attachment, texture, level, layer);
        return glGetError();
    };
    CHECK(layerError(GL_COLOR_ATTACHMENT0, volume, -1, 0) == GL_INVALID_VALUE);
    CHECK(layerError(GL_COLOR_ATTACHMENT0, volume, 0, -1) == GL_INVALID_VALUE);
    CHECK(layerError(GL_COLOR_ATTACHMENT0, volume, 0, getInt(GL_MAX_3D_TEXTURE_SIZE)) == GL_INVALID_VALUE);
    CHECK(layerError(GL_COLOR_ATTACHMENT0, volume + 1, 0, 0) == GL_INVALID_OPERATION);
    GLuint flat = 0;
    glGenTextures(1, &flat);
    glBindTexture(GL_TEXTURE_2D, flat);
    CHECK(layerError(GL_COLOR_ATTACHMENT0, flat, 0, 0) == GL_INVALID_OPERATION);
    CHECK(layerError(GL_BACK, volume, 0, 0) == GL_INVALID_ENUM);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT31, GL_TEXTURE_2D, flat, 0);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT31, GL_RENDERBUFFER, 0);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    // The default framebuffer.
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    for (GLenum target : {GL_FRAMEBUFFER, GL_READ_FRAMEBUFFER, GL_DRAW_FRAMEBUFFER}) {
        for (GLenum buffer : {GL_BACK, GL_DEPTH, GL_STENCIL})
            CHECK(parameter(buffer, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, GL_NO_ERROR, target) ==
                  GL_FRAMEBUFFER_DEFAULT);
        CHECK(parameter(GL_BACK, GL_FRAMEBUFFER_ATTACHMENT_GREEN_SIZE, GL_NO_ERROR, target) == 8);
        CHECK(parameter(GL_DEPTH, GL_FRAMEBUFFER_ATTACHMENT_DEPTH_SIZE, GL_NO_ERROR, target) == 24);
        CHECK(parameter(GL_STENCIL, GL_FRAMEBUFFER_ATTACHMENT_STENCIL_SIZE, GL_NO_ERROR, target) == 8);
    }
    parameter(GL_BACK, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, GL_INVALID_ENUM);
    parameter(GL_COLOR_ATTACHMENT0, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, GL_INVALID_OPERATION);
}

TEST_CASE("draw and read buffers of OpenGL ES 3.0") {
    TestContext context(kEs3);
    const auto drawError = [](std::vector<GLenum> buffers) {
        glDrawBuffers(static_cast<GLsizei>(buffers.size()), buffers.data());
        return glGetError();
    };
    const auto readError = [](GLenum buffer) {
        glReadBuffer(buffer);
        return glGetError();
    };
    CHECK(drawError({GL_NONE}) == GL_NO_ERROR);
    CHECK(drawError({GL_BACK}) == GL_NO_ERROR);
    CHECK(drawError({GL_NONE, GL_BACK}) == GL_INVALID_OPERATION);
    CHECK(drawError({GL_COLOR_ATTACHMENT0}) == GL_INVALID_OPERATION);
    CHECK(drawError({GL_DEPTH_ATTACHMENT}) == GL_INVALID_ENUM);
    CHECK(readError(GL_BACK) == GL_NO_ERROR);
    CHECK(readError(GL_COLOR_ATTACHMENT0) == GL_INVALID_OPERATION);
    bindFramebuffer();
    attach(GL_COLOR_ATTACHMENT0, makeRenderbuffer(GL_RGBA8));
    CHECK(drawError({GL_BACK}) == GL_INVALID_OPERATION);
    CHECK(drawError({GL_NONE, GL_COLOR_ATTACHMENT1}) == GL_NO_ERROR);
    CHECK(drawError({GL_COLOR_ATTACHMENT1}) == GL_INVALID_OPERATION);
    CHECK(drawError({GL_COLOR_ATTACHMENT31}) == GL_INVALID_OPERATION);
    CHECK(drawError({GL_FRONT}) == GL_INVALID_ENUM);
    CHECK(readError(GL_BACK) == GL_INVALID_OPERATION);
    CHECK(readError(GL_COLOR_ATTACHMENT31) == GL_INVALID_OPERATION);
    CHECK(readError(GL_FRONT) == GL_INVALID_ENUM);
    CHECK(readError(GL_COLOR_ATTACHMENT0 - 1) == GL_INVALID_ENUM);
    CHECK(readError(GL_NONE) == GL_NO_ERROR);
    uint32_t pixel = 0;
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &pixel);
    CHECK(glGetError() == GL_INVALID_OPERATION);
}

TEST_CASE("clears of one buffer obey scissor and masks, and touch no other") {
    TestContext context(kEs3);
    bindFramebuffer();
    attach(GL_COLOR_ATTACHMENT0, makeRenderbuffer(GL_RGBA8));
    attach(GL_COLOR_ATTACHMENT1, makeRenderbuffer(GL_RGBA16UI));
    attach(GL_DEPTH_STENCIL_ATTACHMENT, makeRenderbuffer(GL_DEPTH24_STENCIL8));
    const GLenum buffers[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1};
    glDrawBuffers(2, buffers);
    REQUIRE(status() == GL_FRAMEBUFFER_COMPLETE);
    const GLfloat green[] = {0, 1, 0, 1};
    const GLuint numbers[] = {1, 2, 65535, 4};
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 4, 8);
    glClearBufferfv(GL_COLOR, 0, green);
    glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_TRUE);
    glClearBufferuiv(GL_COLOR, 1, numbers);
    CHECK(packedPixelAt(3, 7) == 0xFF00FF00);
    CHECK(packedPixelAt(4, 7) == 0);
    glReadBuffer(GL_COLOR_ATTACHMENT1);
    GLuint read[4] = {};
    glReadPixels(3, 0, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT, read);
    CHECK(read[0] == 1);
    CHECK(read[1] == 0);
    CHECK(read[2] == 65535);
    glReadPixels(4, 0, 1, 1, GL_RGBA_INTEGER, GL_UNSIGNED_INT, read);
    CHECK(read[0] == 0);
    // Depth and stencil: a draw that passes where they were cleared.
    glDisable(GL_SCISSOR_TEST);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    const GLfloat near = 0, far = 1;
    const GLint three = 3;
    glClearBufferfv(GL_DEPTH, 0, &near);
    glScissor(0, 0, 2, 8);
    glEnable(GL_SCISSOR_TEST);
    glClearBufferfv(GL_DEPTH, 0, &far);
    glClearBufferiv(GL_STENCIL, 0, &three);
    glScissor(6, 0, 2, 8);
    glClearBufferfi(GL_DEPTH_STENCIL, 0, 1, 3);
    glDisable(GL_SCISSOR_TEST);
    glViewport(0, 0, 8, 8);
    glReadBuffer(GL_COLOR_ATTACHMENT0);
    const GLenum first = GL_COLOR_ATTACHMENT0;
    glDrawBuffers(1, &first);
    useProgram(kPassVertex, kColorFragment);
    glUniform4f(glGetUniformLocation(static_cast<GLuint>(getInt(GL_CURRENT_PROGRAM)), "color"), 1, 0, 0, 1);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_EQUAL, 3, 0xFF);
    drawQuad();
    CHECK(packedPixelAt(1, 4) == 0xFF0000FF);
    CHECK(packedPixelAt(3, 4) == 0xFF00FF00);
    CHECK(packedPixelAt(7, 4) == 0xFF0000FF);
    CHECK(glGetError() == GL_NO_ERROR);
    attach(GL_COLOR_ATTACHMENT0, 0);
    attach(GL_COLOR_ATTACHMENT1, 0);
    attach(GL_DEPTH_STENCIL_ATTACHMENT, 0);
    glClearBufferfv(GL_COLOR, 0, green);
    CHECK(glGetError() == GL_INVALID_FRAMEBUFFER_OPERATION);
    glClearBufferfi(GL_DEPTH_STENCIL, 0, 1, 3);
    CHECK(glGetError() == GL_INVALID_FRAMEBUFFER_OPERATION);
}

TEST_CASE("blits of OpenGL ES 3.0: kinds of numbers, samples, and images that are one") {
    TestContext context(kEs3);
    const GLuint from = bindFramebuffer(), to = bindFramebuffer();
    const auto bind = [&](GLenum target, GLuint framebuffer, GLenum color, GLsizei samples, GLenum depth) {
        glBindFramebuffer(target, framebuffer);
        attach(GL_COLOR_ATTACHMENT0, makeRenderbuffer(color, 8, 8, samples), target);
        attach(GL_DEPTH_STENCIL_ATTACHMENT, depth == GL_NONE ? 0 : makeRenderbuffer(depth, 8, 8, samples), target);
    };
    const auto error = [&](GLbitfield mask, GLenum filter = GL_NEAREST, GLint shift = 0) {
        blit(mask, filter, shift);
        return glGetError();
    };
    bind(GL_READ_FRAMEBUFFER, from, GL_RGBA32I, 0, GL_DEPTH24_STENCIL8);
    bind(GL_DRAW_FRAMEBUFFER, to, GL_RGBA32I, 0, GL_DEPTH32F_STENCIL8);
    CHECK(error(GL_COLOR_BUFFER_BIT) == GL_NO_ERROR);
    CHECK(error(GL_COLOR_BUFFER_BIT, GL_LINEAR) == GL_INVALID_OPERATION);
    CHECK(error(GL_DEPTH_BUFFER_BIT) == GL_INVALID_OPERATION);
    CHECK(error(GL_STENCIL_BUFFER_BIT) == GL_INVALID_OPERATION);
    CHECK(error(GL_COLOR_BUFFER_BIT | 1) == GL_INVALID_VALUE);
    CHECK(error(GL_COLOR_BUFFER_BIT, GL_REPEAT) == GL_INVALID_ENUM);
    bind(GL_DRAW_FRAMEBUFFER, to, GL_RGBA32UI, 0, GL_DEPTH24_STENCIL8);
    CHECK(error(GL_COLOR_BUFFER_BIT) == GL_INVALID_OPERATION);
    CHECK(error(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT) == GL_NO_ERROR);
    CHECK(error(GL_DEPTH_BUFFER_BIT, GL_LINEAR) == GL_INVALID_OPERATION);
    bind(GL_DRAW_FRAMEBUFFER, to, GL_RGBA8, 0, GL_NONE);
    CHECK(error(GL_COLOR_BUFFER_BIT) == GL_INVALID_OPERATION);
    CHECK(error(GL_DEPTH_BUFFER_BIT) == GL_NO_ERROR);  // there is none to write
    bind(GL_READ_FRAMEBUFFER, from, GL_RGBA16F, 0, GL_NONE);
    CHECK(error(GL_COLOR_BUFFER_BIT, GL_LINEAR, 2) == GL_NO_ERROR);
    // One image is not read and written.
    glBindFramebuffer(GL_FRAMEBUFFER, to);
    attach(GL_DEPTH_STENCIL_ATTACHMENT, makeRenderbuffer(GL_DEPTH24_STENCIL8));
    for (const GLbitfield one : {GL_COLOR_BUFFER_BIT, GL_DEPTH_BUFFER_BIT, GL_STENCIL_BUFFER_BIT}) {
        CAPTURE(one);
        CHECK(error(one, GL_NEAREST, 2) == GL_INVALID_OPERATION);
    }
    // Samples are resolved in their place, in their format, and never written.
    bind(GL_READ_FRAMEBUFFER, from, GL_RGBA8, 4, GL_NONE);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, from);
    const GLfloat red[] = {1, 0, 0, 1};
    glClearBufferfv(GL_COLOR, 0, red);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
    CHECK(error(GL_COLOR_BUFFER_BIT) == GL_NO_ERROR);
    CHECK(error(GL_COLOR_BUFFER_BIT, GL_NEAREST, 2) == GL_INVALID_OPERATION);
    uint32_t pixel = 0;
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &pixel);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glBindTexture(GL_TEXTURE_2D, 0);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, 4, 4, 0);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, to);
    CHECK(packedPixelAt(5, 5) == 0xFF0000FF);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, from);
    CHECK(error(GL_COLOR_BUFFER_BIT) == GL_INVALID_OPERATION);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
    bind(GL_DRAW_FRAMEBUFFER, to, GL_RGB8, 0, GL_NONE);
    CHECK(error(GL_COLOR_BUFFER_BIT) == GL_INVALID_OPERATION);
}

TEST_CASE("a blit of depth leaves the stencil, and one of stencil the depth, in either layout of both") {
    TestContext context(kEs3);
    for (const GLenum format : {GL_DEPTH24_STENCIL8, GL_DEPTH32F_STENCIL8})
        for (const GLbitfield mask : {GL_DEPTH_BUFFER_BIT, GL_STENCIL_BUFFER_BIT}) {
            CAPTURE(format);
            CAPTURE(mask);
            const GLuint from = bindFramebuffer();
            attach(GL_DEPTH_STENCIL_ATTACHMENT, makeRenderbuffer(format));
            glClearBufferfi(GL_DEPTH_STENCIL, 0, 0.25f, 3);
            const GLuint to = bindFramebuffer();
            attach(GL_DEPTH_STENCIL_ATTACHMENT, makeRenderbuffer(format));
            glClearBufferfi(GL_DEPTH_STENCIL, 0, 0.75f, 5);
            glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
            blit(mask);
            glBindFramebuffer(GL_READ_FRAMEBUFFER, to);
            GLfloat depth = -1;
            GLubyte stencil = 99;
            glReadPixels(5, 6, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &depth);
            glReadPixels(5, 6, 1, 1, GL_STENCIL_INDEX_OES, GL_UNSIGNED_BYTE, &stencil);
            CHECK(depth == doctest::Approx(mask == GL_DEPTH_BUFFER_BIT ? 0.25 : 0.75));
            CHECK(stencil == (mask == GL_STENCIL_BUFFER_BIT ? 3 : 5));
            CHECK(glGetError() == GL_NO_ERROR);
        }
}

TEST_CASE("what may be lost is kept") {
    TestContext context(kEs3);
    const GLenum back = GL_COLOR, color = GL_COLOR_ATTACHMENT0, both = GL_DEPTH_STENCIL_ATTACHMENT,
                 none = GL_COLOR_ATTACHMENT31;
    glClearColor(0, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glInvalidateFramebuffer(GL_FRAMEBUFFER, 1, &back);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(packedPixelAt(0, 0) == 0xFFFF0000);
    glInvalidateFramebuffer(GL_FRAMEBUFFER, 1, &color);
    CHECK(glGetError() == GL_INVALID_ENUM);
    bindFramebuffer();
    attach(GL_COLOR_ATTACHMENT0, makeRenderbuffer(GL_RGBA8));
    glInvalidateSubFramebuffer(GL_DRAW_FRAMEBUFFER, 1, &color, 0, 0, 4, 4);
    glInvalidateSubFramebuffer(GL_READ_FRAMEBUFFER, 1, &both, -5, -5, 4, 4);
    CHECK(glGetError() == GL_NO_ERROR);
    glInvalidateSubFramebuffer(GL_FRAMEBUFFER, 1, &none, 0, 0, 4, 4);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glInvalidateSubFramebuffer(GL_FRAMEBUFFER, 1, &color, 0, 0, 4, -4);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glInvalidateFramebuffer(GL_FRAMEBUFFER, 1, &back);
    CHECK(glGetError() == GL_INVALID_ENUM);
}
