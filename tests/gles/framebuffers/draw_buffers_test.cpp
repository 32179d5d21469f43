// Extensions of framebuffers: several colour buffers, the buffer to read, levels as targets, discarding; our counters.
#include <array>

#include "api/gles/gles.h"
#include "tests/gles/fixture.h"

using namespace tessera::gles_test;

namespace {

constexpr const char* kManyFragment = R"(
#extension GL_EXT_draw_buffers : require
precision mediump float;
void main() {
    gl_FragData[0] = vec4(1.0, 0.0, 0.0, 1.0);
    gl_FragData[1] = vec4(0.0, 1.0, 0.0, 1.0);
    gl_FragData[2] = vec4(0.0, 0.0, 1.0, 1.0);
    gl_FragData[3] = vec4(1.0, 1.0, 0.0, 1.0);
}
)";

/// A framebuffer with four textures of 8 x 8.
struct FourTargets {
    GLuint framebuffer = 0;
    std::array<GLuint, 4> textures{};

    FourTargets() {
        glGenFramebuffers(1, &framebuffer);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        glGenTextures(4, textures.data());
        for (GLuint i = 0; i < 4; ++i) {
            glBindTexture(GL_TEXTURE_2D, textures[i]);
            glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
            glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + i, GL_TEXTURE_2D, textures[i], 0);
        }
        glViewport(0, 0, 8, 8);
    }
    static uint32_t pixel(GLenum attachment) {
        glReadBufferNV(attachment);
        return packedPixelAt(3, 4);
    }
};

void drawQuad(GLuint program) {
    glUseProgram(program);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, kQuad);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

constexpr GLenum kAll[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1_EXT, GL_COLOR_ATTACHMENT2_EXT,
                           GL_COLOR_ATTACHMENT3_EXT};

}  // namespace

TEST_CASE("EXT_draw_buffers: each output goes to its buffer") {
    TestContext context(kLarge);
    CHECK(getInt(GL_MAX_DRAW_BUFFERS_EXT) == 4);
    CHECK(getInt(GL_MAX_COLOR_ATTACHMENTS_EXT) == 4);
    FourTargets targets;
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    CHECK(getInt(GL_DRAW_BUFFER0_EXT) == GL_COLOR_ATTACHMENT0);
    CHECK(getInt(GL_DRAW_BUFFER1_EXT) == GL_NONE);
    GLuint program = makeProgram(kPassVertex, kManyFragment);
    drawQuad(program);
    CHECK(FourTargets::pixel(GL_COLOR_ATTACHMENT0) == 0xFF0000FFu);
    CHECK(FourTargets::pixel(GL_COLOR_ATTACHMENT1_EXT) == 0u);

    glDrawBuffersEXT(4, kAll);
    drawQuad(program);
    CHECK(FourTargets::pixel(GL_COLOR_ATTACHMENT0) == 0xFF0000FFu);
    CHECK(FourTargets::pixel(GL_COLOR_ATTACHMENT1_EXT) == 0xFF00FF00u);
    CHECK(FourTargets::pixel(GL_COLOR_ATTACHMENT2_EXT) == 0xFFFF0000u);
    CHECK(FourTargets::pixel(GL_COLOR_ATTACHMENT3_EXT) == 0xFF00FFFFu);

    // Loop indices are constant-index-expressions (GLSL ES 1.00, appendix A.5), others are allowed.
    GLuint indexed = makeProgram(kPassVertex, R"(
#extension GL_EXT_draw_buffers : require
precision mediump float;
uniform vec4 colors[4];
uniform int last;
void main() {
    for (int i = 0; i < 4; ++i) gl_FragData[i] = vec4(0.0);
    for (int i = 0; i < 3; ++i) gl_FragData[i] = colors[i];
    gl_FragData[last].xw = vec2(1.0);
}
)");
    glUseProgram(indexed);
    const GLfloat colors[16] = {0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 0, 1};
    glUniform4fv(glGetUniformLocation(indexed, "colors"), 4, colors);
    glUniform1i(glGetUniformLocation(indexed, "last"), 3);
    drawQuad(indexed);
    CHECK(FourTargets::pixel(GL_COLOR_ATTACHMENT0) == 0xFF00FF00u);
    CHECK(FourTargets::pixel(GL_COLOR_ATTACHMENT1_EXT) == 0xFFFF0000u);
    CHECK(FourTargets::pixel(GL_COLOR_ATTACHMENT2_EXT) == 0xFF00FFFFu);
    CHECK(FourTargets::pixel(GL_COLOR_ATTACHMENT3_EXT) == 0xFF0000FFu);
    drawQuad(program);

    // Clears reach the selected buffers only.
    const GLenum some[] = {GL_NONE, GL_COLOR_ATTACHMENT1_EXT};
    glDrawBuffersEXT(2, some);
    CHECK(getInt(GL_DRAW_BUFFER0_EXT) == GL_NONE);
    CHECK(getInt(GL_DRAW_BUFFER1_EXT) == GL_COLOR_ATTACHMENT1_EXT);
    CHECK(getInt(GL_DRAW_BUFFER3_EXT) == GL_NONE);
    glClearColor(1, 1, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(FourTargets::pixel(GL_COLOR_ATTACHMENT0) == 0xFF0000FFu);
    CHECK(FourTargets::pixel(GL_COLOR_ATTACHMENT1_EXT) == 0xFFFFFFFFu);
    CHECK(FourTargets::pixel(GL_COLOR_ATTACHMENT3_EXT) == 0xFF00FFFFu);

    // A buffer without an image is not written; nothing selected writes nothing.
    glDrawBuffersEXT(4, kAll);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1_EXT, GL_TEXTURE_2D, 0, 0);
    drawQuad(program);
    glDrawBuffersEXT(0, nullptr);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(FourTargets::pixel(GL_COLOR_ATTACHMENT2_EXT) == 0xFFFF0000u);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("EXT_draw_buffers: gl_FragColor reaches every selected buffer") {
    TestContext context(kLarge);
    FourTargets targets;
    const GLenum some[] = {GL_COLOR_ATTACHMENT0, GL_NONE, GL_COLOR_ATTACHMENT2_EXT};
    glDrawBuffersEXT(3, some);
    GLuint program = makeProgram(kPassVertex, kColorFragment);
    glUseProgram(program);
    glUniform4f(glGetUniformLocation(program, "color"), 1, 0, 1, 1);
    drawQuad(program);
    CHECK(FourTargets::pixel(GL_COLOR_ATTACHMENT0) == 0xFFFF00FFu);
    CHECK(FourTargets::pixel(GL_COLOR_ATTACHMENT1_EXT) == 0u);
    CHECK(FourTargets::pixel(GL_COLOR_ATTACHMENT2_EXT) == 0xFFFF00FFu);
}

TEST_CASE("EXT_draw_buffers and NV_read_buffer: errors") {
    TestContext context(kLarge);
    auto drawBuffers = [](std::initializer_list<GLenum> list) {
        glDrawBuffersEXT(static_cast<GLsizei>(list.size()), list.begin());
        return glGetError();
    };
    CHECK(drawBuffers({GL_BACK}) == GL_NO_ERROR);
    CHECK(drawBuffers({GL_COLOR_ATTACHMENT0}) == GL_INVALID_OPERATION);
    CHECK(drawBuffers({}) == GL_INVALID_OPERATION);
    CHECK(drawBuffers({GL_BACK, GL_NONE}) == GL_INVALID_OPERATION);
    glDrawBuffersEXT(-1, kAll);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glDrawBuffersEXT(5, kAll);
    CHECK(glGetError() == GL_INVALID_VALUE);

    glClearColor(1, 1, 1, 1);
    CHECK(drawBuffers({GL_NONE}) == GL_NO_ERROR);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(packedPixelAt(0, 0) == 0u);
    CHECK(drawBuffers({GL_BACK}) == GL_NO_ERROR);
    CHECK(getInt(GL_READ_BUFFER_NV) == GL_BACK);
    glReadBufferNV(GL_NONE);
    (void)packedPixelAt(0, 0);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glReadBufferNV(GL_COLOR_ATTACHMENT0);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glReadBufferNV(GL_FRONT);
    CHECK(glGetError() == GL_INVALID_ENUM);

    FourTargets targets;
    CHECK(drawBuffers({GL_BACK}) == GL_INVALID_OPERATION);
    CHECK(drawBuffers({GL_COLOR_ATTACHMENT1_EXT}) == GL_INVALID_OPERATION);
    CHECK(drawBuffers({GL_NONE, GL_COLOR_ATTACHMENT1_EXT, GL_NONE, GL_NONE}) == GL_NO_ERROR);
    CHECK(getInt(GL_READ_BUFFER_NV) == GL_COLOR_ATTACHMENT0);
    glReadBufferNV(GL_BACK);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glReadBufferNV(GL_COLOR_ATTACHMENT0 + 4);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT3_EXT, GL_TEXTURE_2D, 0, 0);
    glReadBufferNV(GL_COLOR_ATTACHMENT3_EXT);
    CHECK(glGetError() == GL_NO_ERROR);
    (void)packedPixelAt(0, 0);
    CHECK(glGetError() == GL_INVALID_OPERATION);
}

TEST_CASE("NV_draw_buffers: colours go to attachments in any order") {
    TestContext context(kLarge);
    FourTargets targets;
    const GLenum turned[] = {GL_COLOR_ATTACHMENT2_EXT, GL_COLOR_ATTACHMENT0, GL_NONE, GL_COLOR_ATTACHMENT1_EXT};
    glDrawBuffersNV(4, turned);
    CHECK(getInt(GL_MAX_DRAW_BUFFERS_NV) == 4);
    for (int i = 0; i < 4; ++i)
        CHECK(getInt(static_cast<GLenum>(GL_DRAW_BUFFER0_NV + i)) == static_cast<GLint>(turned[i]));
    drawQuad(makeProgram(
        kPassVertex,
        std::string(kManyFragment).replace(std::string(kManyFragment).find("GL_EXT_"), 7, "GL_NV_").c_str()));
    CHECK(FourTargets::pixel(GL_COLOR_ATTACHMENT0) == 0xFF00FF00u);
    CHECK(FourTargets::pixel(GL_COLOR_ATTACHMENT1_EXT) == 0xFF00FFFFu);
    CHECK(FourTargets::pixel(GL_COLOR_ATTACHMENT2_EXT) == 0xFF0000FFu);
    CHECK(FourTargets::pixel(GL_COLOR_ATTACHMENT3_EXT) == 0u);
    CHECK(glGetError() == GL_NO_ERROR);

    auto drawBuffers = [](std::initializer_list<GLenum> list) {
        glDrawBuffersNV(static_cast<GLsizei>(list.size()), list.begin());
        return glGetError();
    };
    CHECK(drawBuffers({GL_BACK}) == GL_INVALID_ENUM);
    CHECK(drawBuffers({}) == GL_INVALID_VALUE);
    CHECK(drawBuffers({GL_NONE, GL_NONE, GL_NONE, GL_NONE, GL_NONE}) == GL_INVALID_VALUE);
    CHECK(drawBuffers({GL_COLOR_ATTACHMENT4_NV}) == GL_INVALID_OPERATION);
    CHECK(drawBuffers({GL_COLOR_ATTACHMENT15_NV + 1}) == GL_INVALID_ENUM);
    CHECK(drawBuffers({GL_COLOR_ATTACHMENT0, GL_NONE, GL_COLOR_ATTACHMENT0}) == GL_INVALID_OPERATION);
    CHECK(getInt(GL_DRAW_BUFFER0_NV) == GL_COLOR_ATTACHMENT2_EXT);
    CHECK(drawBuffers({GL_COLOR_ATTACHMENT3_EXT}) == GL_NO_ERROR);
    CHECK(getInt(GL_DRAW_BUFFER1_NV) == GL_NONE);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    CHECK(drawBuffers({GL_NONE}) == GL_INVALID_OPERATION);
}

TEST_CASE("a deleted texture leaves every colour attachment") {
    TestContext context(kLarge);
    FourTargets targets;
    glDeleteTextures(1, &targets.textures[2]);
    GLint type = -1;
    glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT2_EXT,
                                          GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, &type);
    CHECK(type == GL_NONE);
    glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT3_EXT,
                                          GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, &type);
    CHECK(type == GL_TEXTURE);
}

TEST_CASE("OES_fbo_render_mipmap: levels are drawn one by one") {
    TestContext context(kLarge);
    GLuint framebuffer = 0, texture = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    for (GLint level = 0; level < 3; ++level)
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA, 4 >> level, 4 >> level, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    for (GLint level = 0; level < 3; ++level) {
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, level);
        CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        glClearColor(level == 0, level == 1, level == 2, 1);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    for (GLint level = 0; level < 3; ++level) {
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, level);
        CHECK(packedPixelAt(0, 0) == (0xFF000000u | 0xFFu << (8 * level)));
    }
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 3);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    CHECK(glGetError() == GL_NO_ERROR);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 15);
    CHECK(glGetError() == GL_INVALID_VALUE);
}

TEST_CASE("EXT_discard_framebuffer: names are checked, contents stay") {
    TestContext context(kLarge);
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    const GLenum all[] = {GL_COLOR_EXT, GL_DEPTH_EXT, GL_STENCIL_EXT};
    glDiscardFramebufferEXT(GL_FRAMEBUFFER, 3, all);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(packedPixelAt(1, 1) == 0xFF0000FFu);
    glDiscardFramebufferEXT(GL_RENDERBUFFER, 3, all);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glDiscardFramebufferEXT(GL_FRAMEBUFFER, -1, all);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glDiscardFramebufferEXT(GL_FRAMEBUFFER, 1, kAll);
    CHECK(glGetError() == GL_INVALID_ENUM);
    FourTargets targets;
    glDiscardFramebufferEXT(GL_FRAMEBUFFER, 4, kAll);
    CHECK(glGetError() == GL_NO_ERROR);
    glDiscardFramebufferEXT(GL_FRAMEBUFFER, 1, all);
    CHECK(glGetError() == GL_INVALID_ENUM);
}

TEST_CASE("GL_TESSERA_counters count finished work") {
    TestContext context(kLarge);
    GLuint program = makeProgram(kPassVertex, kColorFragment);
    finishAllContexts();  // the counters are of the process
    const GLint draws = getInt(GL_DRAWS_TESSERA), fragments = getInt(GL_FRAGMENTS_TESSERA);
    const GLint vertices = getInt(GL_VERTICES_TESSERA), primitives = getInt(GL_PRIMITIVES_TESSERA);
    // Blended: of what is overwritten unseen, some fragments are shaded and some are not.
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    drawQuad(program);
    drawQuad(program);
    glFinish();
    CHECK(getInt(GL_DRAWS_TESSERA) - draws == 2);
    CHECK(getInt(GL_FRAGMENTS_TESSERA) - fragments == 2 * kLarge.width * kLarge.width);
    CHECK(getInt(GL_VERTICES_TESSERA) - vertices == 8);
    CHECK(getInt(GL_PRIMITIVES_TESSERA) - primitives == 4);
    CHECK(glGetError() == GL_NO_ERROR);
}
