// Extensions that add formats of textures and renderbuffers, and ways to lay pixels out in memory.
#include <algorithm>
#include <cmath>
#include <vector>

#include "api/gles/gles.h"
#include "tests/gles/fixture.h"

using namespace tessera::gles_test;

namespace {

constexpr const char* kTexturedFragment = R"(
precision mediump float;
uniform sampler2D image;
uniform vec2 at;
uniform float scale;
void main() { gl_FragColor = texture2D(image, at) * scale; }
)";

/// Draws one texel of the bound texture over the whole target, multiplied.
class TexelReader {
public:
    TexelReader() : program_(makeProgram(kPassVertex, kTexturedFragment)) {
        glUseProgram(program_);
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, kQuad);
        glEnableVertexAttribArray(0);
    }
    uint32_t read(float s, float t, float scale = 1) const {
        glUniform2f(glGetUniformLocation(program_, "at"), s, t);
        glUniform1f(glGetUniformLocation(program_, "scale"), scale);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        return packedPixelAt(0, 0);
    }

private:
    GLuint program_;
};

GLuint bindTexture(GLenum filter = GL_NEAREST) {
    GLuint name = 0;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, static_cast<GLint>(filter));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, static_cast<GLint>(filter));
    return name;
}

GLuint bindFramebuffer() {
    GLuint name = 0;
    glGenFramebuffers(1, &name);
    glBindFramebuffer(GL_FRAMEBUFFER, name);
    return name;
}

GLenum colorStorage(GLenum internalformat, GLsizei size = 4) {
    GLuint renderbuffer = 0;
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorage(GL_RENDERBUFFER, internalformat, size, size);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER);
}

}  // namespace

TEST_CASE("EXT_texture_format_BGRA8888: renderbuffers and sized textures") {
    TestContext context(kLarge);
    bindFramebuffer();
    for (GLenum format : {GL_BGRA_EXT, GL_BGRA8_EXT}) {
        CHECK(colorStorage(format) == GL_FRAMEBUFFER_COMPLETE);
        GLint bits = 0;
        glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_ALPHA_SIZE, &bits);
        CHECK(bits == 8);
        glClearColor(1, 0.2f, 0, 0.6f);
        glClear(GL_COLOR_BUFFER_BIT);
        CHECK(packedPixelAt(1, 2) == 0x990033FFu);
        uint32_t bgra = 0;
        glReadPixels(1, 2, 1, 1, GL_BGRA_EXT, GL_UNSIGNED_BYTE, &bgra);
        CHECK(bgra == 0x99FF3300u);
    }
    bindTexture();
    const uint32_t texel = 0x40FF8001;  // blue 1, green 128, red 255, alpha 64
    glTexImage2D(GL_TEXTURE_2D, 0, GL_BGRA8_EXT, 1, 1, 0, GL_BGRA_EXT, GL_UNSIGNED_BYTE, &texel);
    CHECK(glGetError() == GL_NO_ERROR);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    CHECK(TexelReader().read(0.5f, 0.5f) == 0x400180FFu);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_BGRA8_EXT, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, &texel);
    CHECK(glGetError() == GL_INVALID_OPERATION);
}

TEST_CASE("APPLE_texture_format_BGRA8888: pixels in BGRA order for RGBA textures") {
    TestContext context(kLarge);
    bindFramebuffer();
    const GLuint texture = bindTexture();
    const GLubyte red[] = {0, 0, 255, 128}, green[] = {0, 255, 0, 64};
    for (const GLenum internalformat : {GLenum{GL_RGBA}, GLenum{GL_RGBA8_OES}}) {
        glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(internalformat), 1, 1, 0, GL_BGRA_EXT, GL_UNSIGNED_BYTE, red);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
        CHECK(packedPixelAt(0, 0) == 0x800000FFu);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_BGRA_EXT, GL_UNSIGNED_BYTE, green);
        CHECK(packedPixelAt(0, 0) == 0x4000FF00u);
    }
    CHECK(glGetError() == GL_NO_ERROR);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 1, 1, 0, GL_BGRA_EXT, GL_UNSIGNED_BYTE, red);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_BGRA_EXT, GL_UNSIGNED_SHORT_4_4_4_4, red);
    CHECK(glGetError() == GL_INVALID_OPERATION);
}

TEST_CASE("EXT_texture_border_clamp: outside is the border, as the format has it") {
    TestContext context(kLarge);
    TexelReader reader;
    bindTexture();
    const GLint border = GL_CLAMP_TO_BORDER_EXT;
    const GLfloat color[] = {0.2f, 0.4f, 0.6f, 0.8f};  // 51 102 153 204
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR_EXT, color);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, border);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    CHECK(reader.read(-0.1f, 0.5f) == 0xFF000000u);  // incomplete, which has no border
    const struct {
        GLenum format;
        uint32_t outside;
    } formats[] = {{GL_RGBA, 0xCC996633u},
                   {GL_RGB, 0xFF996633u},
                   {GL_ALPHA, 0xCC000000u},
                   {GL_LUMINANCE, 0xFF333333u},
                   {GL_LUMINANCE_ALPHA, 0xCC333333u},
                   {GL_RED_EXT, 0xFF000033u},
                   {GL_RG_EXT, 0xFF006633u}};
    const GLubyte white[16] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255};
    for (const auto& [format, outside] : formats) {
        CAPTURE(format);
        glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), 2, 2, 0, format, GL_UNSIGNED_BYTE, white);
        CHECK(reader.read(-0.1f, 0.5f) == outside);
        CHECK(reader.read(1.1f, 5.0f) == outside);
        CHECK(reader.read(0.1f, -5.0f) != outside);
    }
    // Depth is grey.
    const GLuint far[4] = {~0u, ~0u, ~0u, ~0u};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, 2, 2, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, far);
    CHECK(reader.read(0.1f, 0.5f) == 0xFFFFFFFFu);
    CHECK(reader.read(-0.1f, 0.5f) == 0xFF333333u);
    // Half way to the border, where it is filtered.
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, white);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    CHECK(reader.read(0, 0.5f) == 0xE6CCB399u);  // (255 + 51) / 2 = 153, ...
    GLfloat floats[4] = {};
    glGetTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR_EXT, floats);
    CHECK(std::equal(floats, floats + 4, color));
    const GLint ints[] = {0x7FFFFFFF, 0, -0x7FFFFFFF - 1, 0x40000000};
    glTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR_EXT, ints);
    glGetTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR_EXT, floats);
    CHECK((floats[0] == 1 && floats[1] == 0 && floats[2] == -1 && std::abs(floats[3] - 0.5f) < 1e-6f));
    GLint back[4] = {};
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR_EXT, back);
    CHECK(back[0] == 0x7FFFFFFF);
    CHECK(glGetError() == GL_NO_ERROR);
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR_EXT, 1);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR_EXT, 1);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glTexParameterfv(GL_ARRAY_BUFFER, GL_TEXTURE_BORDER_COLOR_EXT, color);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glTexParameteri(GL_TEXTURE_EXTERNAL_OES, GL_TEXTURE_WRAP_S, border);
    CHECK(glGetError() == GL_INVALID_ENUM);
}

TEST_CASE("OES_texture_float and half_float: range, linear filtering, missing channels") {
    TestContext context(kLarge);
    TexelReader reader;
    bindTexture(GL_LINEAR);
    const GLfloat two[] = {100, 0, 0, 1, 300, 0, 0, 1};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 1, 0, GL_RGBA, GL_FLOAT, two);
    CHECK((reader.read(0.5f, 0.5f, 1.0f / 255) & 0xFF) == 200);
    const uint16_t halves[] = {0x5640, 0x3C00, 0x5CB0, 0x3C00};  // 100, 1, 300, 1
    glTexImage2D(GL_TEXTURE_2D, 0, GL_LUMINANCE_ALPHA, 2, 1, 0, GL_LUMINANCE_ALPHA, GL_HALF_FLOAT_OES, halves);
    CHECK(reader.read(0.5f, 0.5f, 1.0f / 255) == 0x01C8C8C8u);
    // Without data: zero, and alpha 1 where the format has none.
    for (GLenum type : {GL_FLOAT, GL_HALF_FLOAT_OES}) {
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 3, 3, 0, GL_RGB, type, nullptr);
        CHECK(reader.read(0.5f, 0.5f) == 0xFF000000u);
    }
    const GLfloat one[] = {-5, 7, 0.2f};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 3, 3, 0, GL_RGB, GL_FLOAT, nullptr);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 1, 1, 1, 1, GL_RGB, GL_FLOAT, one);
    CHECK(reader.read(0.5f, 0.5f) == 0xFF33FF00u);
    CHECK(glGetError() == GL_NO_ERROR);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 1, 1, 1, 1, GL_RGB, GL_UNSIGNED_BYTE, one);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_BGRA_EXT, 3, 3, 0, GL_BGRA_EXT, GL_FLOAT, nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    // Mipmaps of floats: the average, not clamped.
    const GLfloat four[] = {-100, 500, 300, 100};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_LUMINANCE, 2, 2, 0, GL_LUMINANCE, GL_FLOAT, four);
    glGenerateMipmap(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK((reader.read(0.25f, 0.25f, -1.0f / 255) & 0xFF) == 100);
}

TEST_CASE("EXT_color_buffer_half_float: values outside 0..1 are kept, blended and read") {
    TestContext context(kLarge);
    bindFramebuffer();
    for (GLenum format : {GL_RGBA16F_EXT, GL_RGB16F_EXT, GL_RG16F_EXT, GL_R16F_EXT}) {
        CHECK(colorStorage(format) == GL_FRAMEBUFFER_COMPLETE);
        GLint type = 0;
        glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                              GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE_EXT, &type);
        CHECK(type == GL_FLOAT);
        glClearColor(5, -2, 0.5f, 3);
        glClear(GL_COLOR_BUFFER_BIT);
        GLfloat pixel[4];
        glReadPixels(2, 2, 1, 1, GL_RGBA, GL_FLOAT, pixel);
        CHECK(pixel[0] == 5);
        CHECK(pixel[1] == (format == GL_R16F_EXT ? 0 : -2));
        CHECK(pixel[2] == (format == GL_R16F_EXT || format == GL_RG16F_EXT ? 0 : 0.5f));
        CHECK(pixel[3] == (format == GL_RGBA16F_EXT ? 3 : 1));
        CHECK(getInt(GL_IMPLEMENTATION_COLOR_READ_FORMAT) == GL_RGBA);
        CHECK(getInt(GL_IMPLEMENTATION_COLOR_READ_TYPE) == GL_HALF_FLOAT_OES);
        CHECK(glGetError() == GL_NO_ERROR);
        glReadPixels(2, 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
        CHECK(glGetError() == GL_INVALID_OPERATION);
    }
    // 5, -2 blended with a constant beyond 1: 10 * 2 + 5, 10 * 2 - 2.
    CHECK(colorStorage(GL_RGBA16F_EXT) == GL_FRAMEBUFFER_COMPLETE);
    glClear(GL_COLOR_BUFFER_BIT);
    GLuint program = makeProgram(kPassVertex, kColorFragment);
    glUseProgram(program);
    glUniform4f(glGetUniformLocation(program, "color"), 10, 10, 10, 10);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, kQuad);
    glEnableVertexAttribArray(0);
    glEnable(GL_BLEND);
    glBlendColor(2, 2, 2, 2);
    glBlendFunc(GL_CONSTANT_COLOR, GL_ONE);
    glViewport(0, 0, 4, 4);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    GLfloat pixel[4];
    glReadPixels(0, 3, 1, 1, GL_RGBA, GL_FLOAT, pixel);
    CHECK(pixel[0] == 25);
    CHECK(pixel[1] == 18);
    uint16_t half[4];
    glReadPixels(0, 3, 1, 1, GL_RGBA, GL_HALF_FLOAT_OES, half);
    CHECK(half[0] == 0x4E40);
    // The colours are kept as they were given, for any buffer; fixed-point buffers clamp them.
    GLfloat color[4];
    glGetFloatv(GL_COLOR_CLEAR_VALUE, color);
    CHECK(color[0] == 5);
    glGetFloatv(GL_BLEND_COLOR, color);
    CHECK(color[0] == 2);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(packedPixelAt(1, 1) == 0xFF8000FFu);
}

TEST_CASE("half float textures can be drawn to, single precision ones cannot") {
    TestContext context(kLarge);
    bindFramebuffer();
    GLuint texture = bindTexture();
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_HALF_FLOAT_OES, nullptr);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_FLOAT, nullptr);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    // EXT_color_buffer_float, which allows it, is for OpenGL ES 3.0: the Khronos suite insists.
    CHECK(colorStorage(GL_RGBA32F_EXT) != GL_FRAMEBUFFER_COMPLETE);
    CHECK(colorStorage(GL_R11F_G11F_B10F_APPLE) != GL_FRAMEBUFFER_COMPLETE);
    CHECK(glGetError() == GL_INVALID_ENUM);
}

TEST_CASE("EXT_texture_rg: one and two channels, drawn to and sampled") {
    TestContext context(kLarge);
    TexelReader reader;
    GLuint texture = bindTexture();
    const uint8_t texels[] = {10, 20, 30, 40};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RG_EXT, 2, 1, 0, GL_RG_EXT, GL_UNSIGNED_BYTE, texels);
    CHECK(reader.read(0.75f, 0.5f) == 0xFF00281Eu);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RED_EXT, 1, 1, 0, GL_RED_EXT, GL_UNSIGNED_BYTE, texels);
    CHECK(reader.read(0.5f, 0.5f) == 0xFF00000Au);
    const GLfloat wide[] = {0.25f, 1};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RG_EXT, 1, 1, 0, GL_RG_EXT, GL_FLOAT, wide);
    CHECK(reader.read(0.5f, 0.5f, 0.8f) == 0xCC00CC33u);

    bindFramebuffer();
    for (GLenum format : {GL_R8_EXT, GL_RG8_EXT}) {
        CHECK(colorStorage(format) == GL_FRAMEBUFFER_COMPLETE);
        GLenum base = format == GL_R8_EXT ? GL_RED_EXT : GL_RG_EXT;
        CHECK(getInt(GL_IMPLEMENTATION_COLOR_READ_FORMAT) == static_cast<GLint>(base));
        glClearColor(0.2f, 0.4f, 0.6f, 0.8f);
        glClear(GL_COLOR_BUFFER_BIT);
        CHECK(packedPixelAt(3, 3) == (format == GL_R8_EXT ? 0xFF000033u : 0xFF006633u));
        uint8_t own[2] = {7, 7};
        glReadPixels(0, 0, 1, 1, base, GL_UNSIGNED_BYTE, own);
        CHECK(own[0] == 0x33);
        CHECK(own[1] == (format == GL_R8_EXT ? 7 : 0x66));
        // Copies need the channels they take (table 3.9).
        CHECK(glGetError() == GL_NO_ERROR);
        glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RED_EXT, 0, 0, 2, 2, 0);
        CHECK(glGetError() == GL_NO_ERROR);
        glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RG_EXT, 0, 0, 2, 2, 0);
        CHECK(glGetError() == (format == GL_R8_EXT ? GL_INVALID_OPERATION : GL_NO_ERROR));
        glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGB, 0, 0, 2, 2, 0);
        CHECK(glGetError() == GL_INVALID_OPERATION);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glReadPixels(0, 0, 1, 1, GL_RED_EXT, GL_UNSIGNED_BYTE, &texture);
    CHECK(glGetError() == GL_INVALID_OPERATION);
}

TEST_CASE("OES_depth_texture: drawn, sampled, uploaded, refused where it does not apply") {
    TestContext context(kLarge);
    TexelReader reader;
    GLuint depth = bindTexture();
    const uint32_t wide = 0x80000000u;
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, 1, 1, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, &wide);
    CHECK(reader.read(0.5f, 0.5f) == 0xFF808080u);
    const uint16_t narrow = 0x3333;
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, 1, 1, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT, &narrow);
    CHECK(reader.read(0.5f, 0.5f) == 0xFF333333u);

    const struct {
        GLenum format, type;
    } kPairs[] = {{GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT},
                  {GL_DEPTH_COMPONENT, GL_UNSIGNED_INT},
                  {GL_DEPTH_STENCIL_OES, GL_UNSIGNED_INT_24_8_OES}};
    for (const auto& pair : kPairs) {
        GLuint framebuffer = bindFramebuffer();
        glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(pair.format), 4, 4, 0, pair.format, pair.type, nullptr);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, depth, 0);
        if (pair.format == GL_DEPTH_STENCIL_OES)
            glFramebufferTexture2D(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_TEXTURE_2D, depth, 0);
        CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        glClearDepthf(0.2f);
        glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        CHECK(reader.read(0.6f, 0.6f) == 0xFF333333u);
        CHECK(glGetError() == GL_NO_ERROR);
        glGenerateMipmap(GL_TEXTURE_2D);
        CHECK(glGetError() == GL_INVALID_OPERATION);
        glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, 1, 1);
        CHECK(glGetError() == GL_INVALID_OPERATION);
        glDeleteFramebuffers(1, &framebuffer);
    }
    glTexImage3DOES(GL_TEXTURE_3D_OES, 0, GL_DEPTH_COMPONENT, 4, 4, 4, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, 4, 4, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_BYTE, nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_INT, nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, 0, 0, 2, 2, 0);
    CHECK(glGetError() == GL_INVALID_ENUM);
    uint32_t pixel = 0;
    glReadPixels(0, 0, 1, 1, GL_DEPTH_COMPONENT, GL_UNSIGNED_BYTE, &pixel);
    CHECK(glGetError() == GL_INVALID_OPERATION);
}

TEST_CASE("OES_required_internalformat: the precision asked for, and only combinations of its table") {
    TestContext context(kLarge);
    TexelReader reader;
    bindTexture();
    const uint8_t texel[] = {0x4F, 0x4F, 0x4F, 0x4F};
    const struct {
        GLenum internalformat, format;
        uint32_t pixel;
    } kCases[] = {
        {GL_RGBA8_OES, GL_RGBA, 0x4F4F4F4Fu},
        {GL_RGBA4, GL_RGBA, 0x55555555u},    // 79 * 15 / 255 = 4.65: 5
        {GL_RGB5_A1, GL_RGBA, 0x00525252u},  // 79 * 31 / 255 = 9.6: 10
        {GL_RGB8_OES, GL_RGB, 0xFF4F4F4Fu},
        {GL_RGB565, GL_RGB, 0xFF525152u},  // green: 79 * 63 / 255 = 19.5: 20
        {GL_LUMINANCE8_ALPHA8_OES, GL_LUMINANCE_ALPHA, 0x4F4F4F4Fu},
        {GL_LUMINANCE8_OES, GL_LUMINANCE, 0xFF4F4F4Fu},
        {GL_ALPHA8_OES, GL_ALPHA, 0x4F000000u},
    };
    for (const auto& one : kCases) {
        CAPTURE(one.internalformat);
        glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(one.internalformat), 1, 1, 0, one.format, GL_UNSIGNED_BYTE,
                     texel);
        CHECK(glGetError() == GL_NO_ERROR);
        CHECK(reader.read(0.5f, 0.5f) == one.pixel);
    }
    const struct {
        GLenum internalformat, format, type;
    } kWrong[] = {{GL_RGBA8_OES, GL_RGB, GL_UNSIGNED_BYTE},
                  {GL_RGBA8_OES, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4},
                  {GL_RGB565, GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1},
                  {GL_DEPTH_COMPONENT24_OES, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT}};
    for (const auto& one : kWrong) {
        glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(one.internalformat), 1, 1, 0, one.format, one.type, nullptr);
        CHECK(glGetError() == GL_INVALID_OPERATION);
    }
    // Copies take sized formats as well.
    glClearColor(0.31f, 0.31f, 0.31f, 0.31f);
    glClear(GL_COLOR_BUFFER_BIT);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA4, 0, 0, 1, 1, 0);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK(reader.read(0.5f, 0.5f) == 0x55555555u);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA16F_EXT, 0, 0, 1, 1, 0);
    CHECK(glGetError() == GL_INVALID_OPERATION);
}

TEST_CASE("EXT_texture_storage: immutable, complete, zero") {
    TestContext context(kLarge);
    TexelReader reader;
    bindTexture();
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexStorage2DEXT(GL_TEXTURE_2D, 2, GL_RGBA8_OES, 8, 4);
    CHECK(glGetError() == GL_NO_ERROR);
    GLint immutable = 0;
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_IMMUTABLE_FORMAT_EXT, &immutable);
    CHECK(immutable == GL_TRUE);
    glClearColor(1, 1, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(reader.read(0.5f, 0.5f) == 0u);  // two levels of four are complete
    const uint32_t white = ~0u;
    glTexSubImage2D(GL_TEXTURE_2D, 0, 4, 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &white);
    glTexSubImage2D(GL_TEXTURE_2D, 1, 3, 1, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &white);
    CHECK(glGetError() == GL_NO_ERROR);
    glTexSubImage2D(GL_TEXTURE_2D, 2, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &white);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glGenerateMipmap(GL_TEXTURE_2D);
    CHECK(glGetError() == GL_NO_ERROR);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 8, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, 8, 4, 0);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glTexStorage2DEXT(GL_TEXTURE_2D, 2, GL_RGBA8_OES, 8, 4);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_IMMUTABLE_FORMAT_EXT, GL_FALSE);
    CHECK(glGetError() == GL_INVALID_ENUM);

    bindTexture();
    const struct {
        GLenum target;
        GLsizei levels;
        GLenum format;
        GLsizei width, height;
        GLenum error;
    } kWrong[] = {{GL_TEXTURE_CUBE_MAP_POSITIVE_X, 1, GL_RGBA8_OES, 4, 4, GL_INVALID_ENUM},
                  {GL_TEXTURE_2D, 1, GL_RGBA, 4, 4, GL_INVALID_ENUM},
                  {GL_TEXTURE_2D, 0, GL_RGBA8_OES, 4, 4, GL_INVALID_VALUE},
                  {GL_TEXTURE_2D, 1, GL_RGBA8_OES, 0, 4, GL_INVALID_VALUE},
                  {GL_TEXTURE_2D, 1, GL_RGBA8_OES, 16385, 4, GL_INVALID_VALUE},
                  {GL_TEXTURE_2D, 4, GL_RGBA8_OES, 4, 4, GL_INVALID_OPERATION},
                  {GL_TEXTURE_CUBE_MAP, 1, GL_RGBA8_OES, 4, 4, GL_INVALID_OPERATION}};  // the default texture
    for (const auto& one : kWrong) {
        glTexStorage2DEXT(one.target, one.levels, one.format, one.width, one.height);
        CHECK(glGetError() == one.error);
    }
    for (GLenum format : {GL_ALPHA8_EXT,
                          GL_LUMINANCE8_EXT,
                          GL_LUMINANCE8_ALPHA8_EXT,
                          GL_RGBA32F_EXT,
                          GL_RGB32F_EXT,
                          GL_ALPHA32F_EXT,
                          GL_LUMINANCE32F_EXT,
                          GL_LUMINANCE_ALPHA32F_EXT,
                          GL_RGBA16F_EXT,
                          GL_RGB16F_EXT,
                          GL_ALPHA16F_EXT,
                          GL_LUMINANCE16F_EXT,
                          GL_LUMINANCE_ALPHA16F_EXT,
                          GL_BGRA8_EXT,
                          GL_R8_EXT,
                          GL_RG8_EXT,
                          GL_R32F_EXT,
                          GL_RG32F_EXT,
                          GL_R16F_EXT,
                          GL_RG16F_EXT,
                          GL_RGBA4,
                          GL_RGB5_A1,
                          GL_RGB565,
                          GL_RGB8_OES,
                          GL_DEPTH_COMPONENT16,
                          GL_DEPTH24_STENCIL8_OES}) {
        CAPTURE(format);
        bindTexture();
        glTexStorage2DEXT(GL_TEXTURE_2D, 1, format, 4, 4);
        CHECK(glGetError() == GL_NO_ERROR);
    }
}

TEST_CASE("EXT_unpack_subimage and NV_pack_subimage: a rectangle out of a larger one") {
    TestContext context(kLarge);
    TexelReader reader;
    bindTexture();
    std::vector<uint8_t> source(7 * 5);
    for (size_t i = 0; i < source.size(); ++i) source[i] = static_cast<uint8_t>(i);
    glPixelStorei(GL_UNPACK_ROW_LENGTH_EXT, 7);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS_EXT, 2);
    glPixelStorei(GL_UNPACK_SKIP_ROWS_EXT, 1);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_LUMINANCE, 2, 2, 0, GL_LUMINANCE, GL_UNSIGNED_BYTE, source.data());
    CHECK((reader.read(0.25f, 0.25f) & 0xFF) == 9);
    CHECK((reader.read(0.75f, 0.75f) & 0xFF) == 17);
    glPixelStorei(GL_UNPACK_SKIP_PIXELS_EXT, 5);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 2, 2, GL_LUMINANCE, GL_UNSIGNED_BYTE, source.data());
    CHECK((reader.read(0.25f, 0.25f) & 0xFF) == 12);
    CHECK((reader.read(0.75f, 0.75f) & 0xFF) == 20);
    // Alignment rounds the row length's bytes: 7 to 8.
    glPixelStorei(GL_UNPACK_ALIGNMENT, 8);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 2, 2, GL_LUMINANCE, GL_UNSIGNED_BYTE, source.data());
    CHECK((reader.read(0.25f, 0.25f) & 0xFF) == 13);

    glClearColor(1, 1, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    std::vector<uint32_t> pixels(5 * 4, 0x12345678u);
    glPixelStorei(GL_PACK_ROW_LENGTH_NV, 5);
    glPixelStorei(GL_PACK_SKIP_PIXELS_NV, 1);
    glPixelStorei(GL_PACK_SKIP_ROWS_NV, 2);
    glReadPixels(0, 0, 3, 2, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    for (size_t i = 0; i < pixels.size(); ++i) {
        bool inside = i / 5 >= 2 && i % 5 >= 1 && i % 5 < 4;
        CHECK(pixels[i] == (inside ? ~0u : 0x12345678u));
    }
    CHECK(getInt(GL_UNPACK_ROW_LENGTH_EXT) == 7);
    CHECK(getInt(GL_PACK_SKIP_ROWS_NV) == 2);
    for (GLenum pname : {GL_UNPACK_ROW_LENGTH_EXT, GL_UNPACK_SKIP_ROWS_EXT, GL_UNPACK_SKIP_PIXELS_EXT,
                         GL_PACK_ROW_LENGTH_NV, GL_PACK_SKIP_ROWS_NV, GL_PACK_SKIP_PIXELS_NV}) {
        CHECK(glGetError() == GL_NO_ERROR);
        glPixelStorei(pname, -1);
        CHECK(glGetError() == GL_INVALID_VALUE);
    }
}
