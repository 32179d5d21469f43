// EXT_sRGB: encoded textures are decoded before filtering, encoded framebuffers decode, blend and encode.
#define GL_GLEXT_PROTOTYPES 1
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

#include <cmath>
#include <vector>

#include "tests/gles/texturing.h"

using namespace tessera::gles_test;

namespace {

double decode(double code) {
    const double c = code / 255;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}
int encode(double linear) {
    const double c = linear < 0.0031308 ? linear * 12.92 : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
    return static_cast<int>(std::lround(255 * c));
}

GLuint srgbTexture(GLenum format, int width, int height, const void* pixels, GLenum filter = GL_NEAREST) {
    GLuint name = 0;
    glGenTextures(1, &name);
    glBindTexture(GL_TEXTURE_2D, name);
    for (GLenum parameter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
        glTexParameteri(GL_TEXTURE_2D, parameter, static_cast<GLint>(filter));
    glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(format), width, height, 0, format, GL_UNSIGNED_BYTE, pixels);
    return name;
}

constexpr const char* kLookUp = R"(
precision mediump float;
uniform sampler2D image;
uniform vec2 at;
void main() { gl_FragColor = texture2D(image, at); }
)";

Rgba lookUp(float s, float t) {
    const GLuint program = useProgram(kPassVertex, kLookUp);
    glUniform2f(glGetUniformLocation(program, "at"), s, t);
    drawQuad();
    return pixelAt(1, 1);
}

void drawColor(float red, float green, float blue, float alpha) {
    const GLuint program = useProgram(kPassVertex, kColorFragment);
    glUniform4f(glGetUniformLocation(program, "color"), red, green, blue, alpha);
    drawQuad();
}

GLint encodingOf(GLenum attachment = GL_COLOR_ATTACHMENT0) {
    GLint value = -1;
    glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, attachment, GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING_EXT,
                                          &value);
    return value;
}

}  // namespace

TEST_CASE("sRGB textures give light, with alpha as it is") {
    TestContext context;
    for (int code = 0; code < 256; code += 5) {
        const GLubyte pixel[4] = {static_cast<GLubyte>(code), 255, 0, static_cast<GLubyte>(code)};
        srgbTexture(GL_SRGB_ALPHA_EXT, 1, 1, pixel);
        const Rgba got = lookUp(0.5f, 0.5f);
        CHECK(
            near(got, {static_cast<uint8_t>(std::lround(255 * decode(code))), 255, 0, static_cast<uint8_t>(code)}, 0));
        srgbTexture(GL_SRGB_EXT, 1, 1, pixel);
        CHECK(lookUp(0.5f, 0.5f)[3] == 255);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("sRGB texels are decoded before they are filtered") {
    TestContext context;
    const GLubyte pixels[8] = {0, 0, 0, 0, 255, 255, 255, 255};
    srgbTexture(GL_SRGB_ALPHA_EXT, 2, 1, pixels, GL_LINEAR);
    CHECK(near(lookUp(0.5f, 0.5f), {128, 128, 128, 128}, 1));  // decoded afterwards: 55
    const GLubyte one[4] = {188, 188, 188, 10};
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_SRGB_ALPHA_EXT, GL_UNSIGNED_BYTE, one);
    CHECK(near(lookUp(0.25f, 0.5f), {128, 128, 128, 10}, 1));
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("a picture that many frames look up gives what a new one gives, also after it has changed") {
    TestContext context;
    constexpr int kSide = 24;
    const auto makeTexels = [](unsigned seed) {
        std::vector<GLubyte> texels(size_t{kSide} * kSide * 4);
        for (GLubyte& texel : texels) texel = static_cast<GLubyte>((seed = seed * 1664525u + 1013904223u) >> 24);
        return texels;
    };
    ColorTarget target(GL_RGBA8_OES, 64, 64);
    glViewport(0, 0, 64, 64);
    useProgram(R"(
attribute vec4 position;
varying vec2 at;
void main() { at = position.xy * 0.6 + 0.3; gl_Position = position; }
)",
               "precision mediump float; uniform sampler2D image; varying vec2 at;"
               "void main() { gl_FragColor = texture2D(image, at); }");
    const auto frame = [](GLuint texture) {
        glBindTexture(GL_TEXTURE_2D, texture);
        drawQuad();
        std::vector<GLubyte> pixels(64 * 64 * 4);
        glReadPixels(0, 0, 64, 64, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
        return pixels;
    };
    for (const GLenum filter : {GL_NEAREST, GL_LINEAR}) {
        const std::vector<GLubyte> first = makeTexels(1), second = makeTexels(2);
        const GLuint kept = srgbTexture(GL_SRGB_ALPHA_EXT, kSide, kSide, first.data(), filter);
        const std::vector<GLubyte> expected = frame(kept);
        for (int i = 0; i < 5; ++i) CHECK(frame(kept) == expected);
        const GLuint other = srgbTexture(GL_SRGB_ALPHA_EXT, kSide, kSide, second.data(), filter);
        const std::vector<GLubyte> expectedThen = frame(other);
        CHECK(expectedThen != expected);
        glBindTexture(GL_TEXTURE_2D, kept);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kSide, kSide, GL_SRGB_ALPHA_EXT, GL_UNSIGNED_BYTE, second.data());
        for (int i = 0; i < 10; ++i) CHECK(frame(kept) == expectedThen);
        // Drawn to, it changes too.
        GLuint framebuffer = 0;
        glGenFramebuffers(1, &framebuffer);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, kept, 0);
        REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        glClearColor(1, 0, 1, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
        for (int i = 0; i < 10; ++i) {
            const std::vector<GLubyte> pixels = frame(kept);
            CHECK(Rgba{pixels[0], pixels[1], pixels[2], pixels[3]} == Rgba{255, 0, 255, 255});
        }
        glDeleteFramebuffers(1, &framebuffer);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("sRGB framebuffers encode what is drawn and cleared, and blend light") {
    TestContext context;
    ColorTarget target(GL_SRGB8_ALPHA8_EXT, 4, 4);
    glViewport(0, 0, 4, 4);
    REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    CHECK(encodingOf() == GL_SRGB_EXT);
    CHECK(pixelAt(0, 0) == Rgba{0, 0, 0, 0});
    for (int i = 0; i <= 16; ++i) {
        const float linear = static_cast<float>(i) / 16;
        const auto code = static_cast<uint8_t>(encode(linear));
        drawColor(linear, 1 - linear, 0, linear);
        const Rgba drawn = pixelAt(3, 3);
        CHECK(drawn ==
              Rgba{code, static_cast<uint8_t>(encode(1 - linear)), 0, static_cast<uint8_t>(std::lround(255 * linear))});
        glClearColor(linear, 1 - linear, 0, linear);
        glClear(GL_COLOR_BUFFER_BIT);
        CHECK(pixelAt(3, 3) == drawn);
    }
    // Half of white over black is half the light: code 188, alpha 128.
    glClearColor(0, 0, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_BLEND);
    glBlendFunc(GL_CONSTANT_ALPHA, GL_ONE_MINUS_CONSTANT_ALPHA);
    glBlendColor(0, 0, 0, 0.5f);
    drawColor(1, 1, 1, 1);
    CHECK(pixelAt(0, 0) == Rgba{188, 188, 188, 128});
    drawColor(0, 0, 0, 0);
    CHECK(pixelAt(0, 0) == Rgba{137, 137, 137, 64});
    glBlendFunc(GL_ZERO, GL_DST_COLOR);  // light squared
    drawColor(0, 0, 0, 0);
    CHECK(std::abs(pixelAt(0, 0)[0] - encode(decode(137) * decode(137))) <= 0);
    // Blending with nothing keeps every code.
    glBlendFunc(GL_ZERO, GL_ONE);
    const Rgba before = pixelAt(2, 1);
    for (int i = 0; i < 5; ++i) drawColor(1, 1, 1, 1);
    CHECK(pixelAt(2, 1) == before);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("sRGB textures are drawn to and sampled back") {
    TestContext context;
    const GLuint texture = srgbTexture(GL_SRGB_ALPHA_EXT, 4, 4, nullptr);
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    CHECK(encodingOf() == GL_SRGB_EXT);
    glViewport(0, 0, 4, 4);
    drawColor(0.5f, 0.25f, 0.125f, 0.5f);
    CHECK(pixelAt(1, 1) == Rgba{188, 137, 99, 128});
    // Copies take the codes as they are.
    bindNewTexture(GL_TEXTURE_2D);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, 4, 4, 0);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    CHECK(lookUp(0.5f, 0.5f) == Rgba{188, 137, 99, 128});
    glBindTexture(GL_TEXTURE_2D, texture);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, 16, 16);
    CHECK(near(lookUp(0.5f, 0.5f), {128, 64, 32, 128}, 1));
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("multisampled sRGB renderbuffers resolve light") {
    TestContext context;
    GLuint framebuffer = 0, renderbuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenRenderbuffers(1, &renderbuffer);
    glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
    glRenderbufferStorageMultisampleEXT(GL_RENDERBUFFER, 4, GL_SRGB8_ALPHA8_EXT, 4, 4);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
    REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    glViewport(0, 0, 4, 4);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SAMPLE_COVERAGE);
    glSampleCoverage(0.5f, GL_FALSE);
    drawColor(1, 1, 1, 1);
    CHECK(pixelAt(1, 1) == Rgba{188, 188, 188, 128});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("multisampled sRGB textures resolve light, for reads and for sampling") {
    TestContext context;
    const GLuint texture = srgbTexture(GL_SRGB_ALPHA_EXT, 4, 4, nullptr);
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2DMultisampleEXT(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0, 4);
    REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    CHECK(encodingOf() == GL_SRGB_EXT);
    glViewport(0, 0, 4, 4);
    glEnable(GL_SAMPLE_COVERAGE);
    glSampleCoverage(0.5f, GL_FALSE);
    drawColor(1, 1, 1, 1);
    glDisable(GL_SAMPLE_COVERAGE);
    CHECK(pixelAt(1, 1) == Rgba{188, 188, 188, 128});
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, 16, 16);
    CHECK(near(lookUp(0.5f, 0.5f), {128, 128, 128, 128}, 1));
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("sRGB: errors and queries") {
    TestContext context;
    const GLubyte pixels[16] = {};
    auto error = [](GLenum expected) { CHECK(glGetError() == expected); };
    srgbTexture(GL_SRGB_ALPHA_EXT, 2, 2, pixels);
    glGenerateMipmap(GL_TEXTURE_2D);
    error(GL_INVALID_OPERATION);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    error(GL_INVALID_OPERATION);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB_ALPHA_EXT, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    error(GL_INVALID_OPERATION);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_SRGB_ALPHA_EXT, GL_UNSIGNED_BYTE, pixels);
    error(GL_INVALID_OPERATION);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB_EXT, 2, 2, 0, GL_SRGB_EXT, GL_UNSIGNED_SHORT_5_6_5, pixels);
    error(GL_INVALID_OPERATION);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB_ALPHA_EXT, 0, 0, 2, 2, 0);
    error(GL_INVALID_ENUM);
    GLubyte read[4];
    glReadPixels(0, 0, 1, 1, GL_SRGB_ALPHA_EXT, GL_UNSIGNED_BYTE, read);
    error(GL_INVALID_ENUM);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_SRGB_ALPHA_EXT, 2, 2);
    error(GL_INVALID_ENUM);
    {
        ColorTarget linear(GL_RGBA4, 4, 4, GL_DEPTH_COMPONENT16);
        CHECK(encodingOf() == GL_LINEAR);
        CHECK(encodingOf(GL_DEPTH_ATTACHMENT) == GL_LINEAR);
        error(GL_NO_ERROR);
        encodingOf(GL_STENCIL_ATTACHMENT);
        error(GL_INVALID_ENUM);
    }
    // Three channels cannot be drawn to (EXT_sRGB, issue 1).
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, srgbTexture(GL_SRGB_EXT, 2, 2, pixels),
                           0);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    error(GL_NO_ERROR);
}

TEST_CASE("EXT_sRGB_write_control: codes are drawn, blended, cleared and blitted as numbers") {
    TestContext context(kEs3);
    glDisable(GL_DITHER);
    CHECK(glIsEnabled(GL_FRAMEBUFFER_SRGB_EXT) == GL_TRUE);
    ColorTarget encoded(0x8C43, 8, 8);  // GL_SRGB8_ALPHA8
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    for (const bool encodes : {true, false}) {
        encodes ? glEnable(GL_FRAMEBUFFER_SRGB_EXT) : glDisable(GL_FRAMEBUFFER_SRGB_EXT);
        glClearColor(0.25f, 0.5f, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        const auto code = [&](double value) {
            return static_cast<uint8_t>(encodes ? encode(value) : static_cast<int>(std::lround(value * 255)));
        };
        CHECK(near(pixelAt(2, 2), {code(0.25), code(0.5), 0, 255}, 1));
        drawColor(0.25f, 0, 0.125f, 0);
        CHECK(near(pixelAt(2, 2), {code(0.5), code(0.5), code(0.125), 255}, 1));
        // A program that gives back what it finds changes nothing.
        glDisable(GL_BLEND);
        useProgram("attribute vec4 position; void main() { gl_Position = position; }",
                   "#extension GL_EXT_shader_framebuffer_fetch : require\nprecision highp float;\n"
                   "void main() { gl_FragColor = gl_LastFragData[0]; }");
        drawQuad();
        CHECK(near(pixelAt(2, 2), {code(0.5), code(0.5), code(0.125), 255}, 1));
        glEnable(GL_BLEND);
        // A blit decodes, or does not.
        const Rgba here = pixelAt(2, 2);
        const ColorTarget plain(GL_RGBA8_OES, 8, 8);
        glBindFramebuffer(0x8CA8, encoded.framebuffer);  // GL_READ_FRAMEBUFFER
        glBlitFramebufferNV(0, 0, 8, 8, 0, 0, 8, 8, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        glBindFramebuffer(GL_FRAMEBUFFER, plain.framebuffer);
        const Rgba there = pixelAt(2, 2);
        const Rgba light = {static_cast<uint8_t>(std::lround(255 * decode(here[0]))),
                            static_cast<uint8_t>(std::lround(255 * decode(here[1]))),
                            static_cast<uint8_t>(std::lround(255 * decode(here[2]))), 255};
        CHECK(near(there, encodes ? light : here, encodes ? 1 : 0));
        glBindFramebuffer(GL_FRAMEBUFFER, encoded.framebuffer);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

namespace {

constexpr GLenum kSrgb8Alpha8 = 0x8C43;

/// A texture of 8 x 4 texels with all its levels, the same whatever its format; bound.
GLuint chainOf(bool isEs3, bool isEncoded) {
    const GLuint name = bindNewTexture(GL_TEXTURE_2D, GL_LINEAR_MIPMAP_LINEAR);
    const GLenum format = isEncoded && !isEs3 ? GL_SRGB_ALPHA_EXT : GL_RGBA;
    const GLenum internal = isEncoded && isEs3 ? kSrgb8Alpha8 : format;
    unsigned seed = 7;
    for (GLint level = 0; level < 4; ++level) {
        std::vector<GLubyte> texels(8 * 4 * 4);
        for (GLubyte& texel : texels) texel = static_cast<GLubyte>((seed = seed * 1664525u + 1013904223u) >> 24);
        glTexImage2D(GL_TEXTURE_2D, level, static_cast<GLint>(internal), 8 >> level, level < 3 ? 4 >> level : 1, 0,
                     format, GL_UNSIGNED_BYTE, texels.data());
    }
    return name;
}

}  // namespace

TEST_CASE("EXT_texture_sRGB_decode: without decoding a texture is looked up as one of bytes") {
    for (const bool isEs3 : {false, true}) {
        TestContext context(isEs3 ? kEs3 : ContextSettings{});
        useTextureProgram("texture2D(image, at * 3.0 - 1.0, (at.x - 0.5) * 4.0)");
        constexpr GLenum kFilters[] = {GL_NEAREST, GL_LINEAR, GL_LINEAR_MIPMAP_LINEAR, GL_NEAREST_MIPMAP_NEAREST};
        const GLuint bytes = chainOf(isEs3, false), encoded = chainOf(isEs3, true);
        const auto drawn = [](GLuint texture, GLenum filter) {
            glBindTexture(GL_TEXTURE_2D, texture);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, static_cast<GLint>(filter));
            const bool isLinear = filter == GL_LINEAR || filter == GL_LINEAR_MIPMAP_LINEAR;
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, isLinear ? GL_LINEAR : GL_NEAREST);
            return drawnPixels(16, 16);
        };
        for (const GLenum filter : kFilters) {
            CAPTURE(filter);
            const std::vector<uint32_t> light = drawn(encoded, filter), codes = drawn(bytes, filter);
            CHECK(light != codes);
            glBindTexture(GL_TEXTURE_2D, encoded);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SRGB_DECODE_EXT, GL_SKIP_DECODE_EXT);
            for (int frame = 0; frame < 4; ++frame) CHECK(drawn(encoded, filter) == codes);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SRGB_DECODE_EXT, GL_DECODE_EXT);
            CHECK(drawn(encoded, filter) == light);
            // Of other textures it changes nothing.
            glBindTexture(GL_TEXTURE_2D, bytes);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SRGB_DECODE_EXT, GL_SKIP_DECODE_EXT);
            CHECK(drawn(bytes, filter) == codes);
        }
        GLint value = 0;
        glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_SRGB_DECODE_EXT, &value);
        CHECK(value == GL_SKIP_DECODE_EXT);
        CHECK(glGetError() == GL_NO_ERROR);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SRGB_DECODE_EXT, GL_TRUE);
        CHECK(glGetError() == GL_INVALID_ENUM);
    }
}

TEST_CASE("EXT_texture_sRGB_decode: levels are means of codes or of light, as lookups see them") {
    TestContext context(kEs3);
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    const auto level = [](GLuint texture, GLint number) {
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, number);
        REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        return readRect(0, 0, 8 >> number, number < 3 ? 4 >> number : 1);
    };
    const GLuint bytes = chainOf(true, false);
    glGenerateMipmap(GL_TEXTURE_2D);
    const GLuint encoded = chainOf(true, true);
    glGenerateMipmap(GL_TEXTURE_2D);
    for (GLint number = 1; number < 4; ++number) CHECK(level(encoded, number) != level(bytes, number));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_SRGB_DECODE_EXT, GL_SKIP_DECODE_EXT);
    glGenerateMipmap(GL_TEXTURE_2D);
    for (GLint number = 0; number < 4; ++number) CHECK(level(encoded, number) == level(bytes, number));
    CHECK(glGetError() == GL_NO_ERROR);
}
