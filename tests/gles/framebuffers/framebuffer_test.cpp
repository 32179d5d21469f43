// Framebuffer objects (section 4.4): completeness, formats, precision, rendering to textures; clears; reads (4.3.1).
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <string>

#include "tests/gles/texturing.h"

using namespace tessera::gles_test;

namespace {

constexpr GLenum kAttachments[] = {GL_COLOR_ATTACHMENT0, GL_DEPTH_ATTACHMENT, GL_STENCIL_ATTACHMENT};

GLuint newFramebuffer() {
    GLuint name = 0;
    glGenFramebuffers(1, &name);
    glBindFramebuffer(GL_FRAMEBUFFER, name);
    return name;
}

GLuint newRenderbuffer(GLenum format, int width, int height) {
    GLuint name = 0;
    glGenRenderbuffers(1, &name);
    glBindRenderbuffer(GL_RENDERBUFFER, name);
    glRenderbufferStorage(GL_RENDERBUFFER, format, width, height);
    return name;
}

void attach(GLenum attachment, GLuint renderbuffer) {
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, renderbuffer);
}

void attachTexture(GLenum attachment, GLuint texture, GLenum target = GL_TEXTURE_2D) {
    glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, target, texture, 0);
}

GLenum status() { return glCheckFramebufferStatus(GL_FRAMEBUFFER); }

constexpr GLenum kComplete = GL_FRAMEBUFFER_COMPLETE;
constexpr GLenum kBadAttachment = GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT;
constexpr GLenum kMissing = GL_FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT;
constexpr GLenum kDimensions = GL_FRAMEBUFFER_INCOMPLETE_DIMENSIONS;

struct Format {
    GLenum name;
    bool color, depth, stencil;
    int bits[6];  ///< red, green, blue, alpha, depth, stencil
};
const Format kFormats[] = {
    {GL_RGBA4, true, false, false, {4, 4, 4, 4, 0, 0}},
    {GL_RGB5_A1, true, false, false, {5, 5, 5, 1, 0, 0}},
    {GL_RGB565, true, false, false, {5, 6, 5, 0, 0, 0}},
    {0x8051 /* RGB8_OES */, true, false, false, {8, 8, 8, 0, 0, 0}},
    {0x8058 /* RGBA8_OES */, true, false, false, {8, 8, 8, 8, 0, 0}},
    {GL_DEPTH_COMPONENT16, false, true, false, {0, 0, 0, 0, 16, 0}},
    {0x81A6 /* DEPTH_COMPONENT24_OES */, false, true, false, {0, 0, 0, 0, 24, 0}},
    {0x8C43 /* SRGB8_ALPHA8_EXT */, true, false, false, {8, 8, 8, 8, 0, 0}},
    {0x88F0 /* DEPTH24_STENCIL8_OES */, false, true, true, {0, 0, 0, 0, 24, 8}},
    {GL_STENCIL_INDEX8, false, false, true, {0, 0, 0, 0, 0, 8}},
};

}  // namespace

TEST_CASE("each renderbuffer format at each attachment point") {
    TestContext context;
    for (const Format& format : kFormats)
        for (GLenum attachment : kAttachments) {
            CAPTURE(format.name);
            CAPTURE(attachment);
            newFramebuffer();
            attach(attachment, newRenderbuffer(format.name, 4, 4));
            bool fits = attachment == GL_COLOR_ATTACHMENT0  ? format.color
                        : attachment == GL_DEPTH_ATTACHMENT ? format.depth
                                                            : format.stencil;
            CHECK(status() == (fits ? kComplete : kBadAttachment));
        }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("a format has the bits that its name says, or is refused: there is no depth of 32 bits") {
    TestContext context;
    newRenderbuffer(GL_RGBA4, 4, 4);
    glRenderbufferStorage(GL_RENDERBUFFER, 0x81A7 /* DEPTH_COMPONENT32_OES */, 4, 4);
    CHECK(glGetError() == GL_INVALID_ENUM);
    const std::string extensions(reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS)));
    CHECK(extensions.find("GL_OES_required_internalformat") != std::string::npos);
    CHECK(extensions.find("GL_OES_depth32") == std::string::npos);
}

TEST_CASE("renderbuffers report size, format and bits, framebuffers report the bits of what is attached") {
    TestContext context;
    for (const Format& format : kFormats) {
        CAPTURE(format.name);
        newFramebuffer();
        GLuint renderbuffer = newRenderbuffer(format.name, 7, 5);
        auto parameter = [](GLenum name) {
            GLint value = -1;
            glGetRenderbufferParameteriv(GL_RENDERBUFFER, name, &value);
            return value;
        };
        CHECK(parameter(GL_RENDERBUFFER_WIDTH) == 7);
        CHECK(parameter(GL_RENDERBUFFER_HEIGHT) == 5);
        CHECK(parameter(GL_RENDERBUFFER_INTERNAL_FORMAT) == static_cast<GLint>(format.name));
        const GLenum sizes[6] = {GL_RENDERBUFFER_RED_SIZE,   GL_RENDERBUFFER_GREEN_SIZE, GL_RENDERBUFFER_BLUE_SIZE,
                                 GL_RENDERBUFFER_ALPHA_SIZE, GL_RENDERBUFFER_DEPTH_SIZE, GL_RENDERBUFFER_STENCIL_SIZE};
        for (int i = 0; i < 6; ++i) CHECK(parameter(sizes[i]) == format.bits[i]);
        if (format.color) attach(GL_COLOR_ATTACHMENT0, renderbuffer);
        if (format.depth) attach(GL_DEPTH_ATTACHMENT, renderbuffer);
        if (format.stencil) attach(GL_STENCIL_ATTACHMENT, renderbuffer);
        const GLenum bits[6] = {GL_RED_BITS,   GL_GREEN_BITS, GL_BLUE_BITS,
                                GL_ALPHA_BITS, GL_DEPTH_BITS, GL_STENCIL_BITS};
        for (int i = 0; i < 6; ++i) {
            GLint value = -1;
            glGetIntegerv(bits[i], &value);
            CHECK(value == format.bits[i]);
        }
    }
}

TEST_CASE("the rules of completeness, one after another") {
    TestContext context;
    newFramebuffer();
    CHECK(status() == kMissing);
    GLuint color = newRenderbuffer(GL_RGB565, 4, 4);
    attach(GL_COLOR_ATTACHMENT0, color);
    CHECK(status() == kComplete);
    GLuint depth = newRenderbuffer(GL_DEPTH_COMPONENT16, 4, 5);
    attach(GL_DEPTH_ATTACHMENT, depth);
    CHECK(status() == kDimensions);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT16, 4, 4);  // takes effect at once
    CHECK(status() == kComplete);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA4, 4, 4);
    CHECK(status() == kBadAttachment);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT16, 0, 0);
    CHECK(status() == kBadAttachment);
    attach(GL_DEPTH_ATTACHMENT, 0);
    CHECK(status() == kComplete);
    attach(GL_COLOR_ATTACHMENT0, 0);
    CHECK(status() == kMissing);
    glBindRenderbuffer(GL_RENDERBUFFER, depth);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT16, 4, 4);
    attach(GL_DEPTH_ATTACHMENT, depth);  // depth alone is complete
    CHECK(status() == kComplete);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    CHECK(status() == kComplete);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("which textures can be drawn to") {
    TestContext context;
    const struct {
        GLenum format, type;
        GLenum expected;
    } rows[] = {
        {GL_RGBA, GL_UNSIGNED_BYTE, kComplete},           {GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4, kComplete},
        {GL_RGBA, GL_UNSIGNED_SHORT_5_5_5_1, kComplete},  {GL_RGB, GL_UNSIGNED_BYTE, kComplete},
        {GL_RGB, GL_UNSIGNED_SHORT_5_6_5, kComplete},     {GL_ALPHA, GL_UNSIGNED_BYTE, kBadAttachment},
        {GL_LUMINANCE, GL_UNSIGNED_BYTE, kBadAttachment}, {GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE, kBadAttachment},
    };
    for (const auto& row : rows) {
        CAPTURE(row.format);
        CAPTURE(row.type);
        newFramebuffer();
        GLuint texture = bindNewTexture(GL_TEXTURE_2D);
        attachTexture(GL_COLOR_ATTACHMENT0, texture);
        CHECK(status() == kBadAttachment);  // no image yet
        glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(row.format), 4, 4, 0, row.format, row.type, nullptr);
        CHECK(status() == row.expected);
        glTexImage2D(GL_TEXTURE_2D, 0, static_cast<GLint>(row.format), 0, 0, 0, row.format, row.type, nullptr);
        CHECK(status() == kBadAttachment);
        attachTexture(GL_COLOR_ATTACHMENT0, 0);
        attachTexture(GL_DEPTH_ATTACHMENT, texture);
        CHECK(status() == kBadAttachment);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("attachments are told back") {
    TestContext context;
    newFramebuffer();
    GLuint cube = bindNewTexture(GL_TEXTURE_CUBE_MAP), flat = bindNewTexture(GL_TEXTURE_2D);
    auto get = [](GLenum name) {
        GLint value = -1;
        glGetFramebufferAttachmentParameteriv(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, name, &value);
        return value;
    };
    attachTexture(GL_COLOR_ATTACHMENT0, cube, GL_TEXTURE_CUBE_MAP_NEGATIVE_Y);
    CHECK(get(GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE) == GL_TEXTURE);
    CHECK(get(GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME) == static_cast<GLint>(cube));
    CHECK(get(GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL) == 0);
    CHECK(get(GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE) == GL_TEXTURE_CUBE_MAP_NEGATIVE_Y);
    attachTexture(GL_COLOR_ATTACHMENT0, flat);
    CHECK(get(GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME) == static_cast<GLint>(flat));
    CHECK(get(GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_CUBE_MAP_FACE) == 0);
    attach(GL_COLOR_ATTACHMENT0, newRenderbuffer(GL_RGBA4, 1, 1));
    CHECK(get(GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE) == GL_RENDERBUFFER);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("colours are stored at the precision of the format, by clears and by draws") {
    TestContext context;
    GLuint program = useProgram(kPassVertex, kColorFragment);
    GLint color = glGetUniformLocation(program, "color");
    glDisable(GL_DITHER);
    for (const Format& format : kFormats) {
        if (!format.color || format.name == 0x8C43) continue;  // encoded: srgb_test.cpp
        ColorTarget target(format.name, 4, 4);
        for (int i = 0; i <= 40; ++i) {
            double v = i / 40.0;
            glClearColor(static_cast<GLfloat>(v), static_cast<GLfloat>(1 - v), static_cast<GLfloat>(v),
                         static_cast<GLfloat>(v));
            glClear(GL_COLOR_BUFFER_BIT);
            Rgba cleared = pixelAt(1, 1);
            glUniform4f(color, static_cast<GLfloat>(v), static_cast<GLfloat>(1 - v), static_cast<GLfloat>(v),
                        static_cast<GLfloat>(v));
            glViewport(0, 0, 4, 4);
            drawQuad();
            Rgba drawn = pixelAt(1, 1);
            for (int c = 0; c < 4; ++c) {
                int bits = format.bits[c];
                double value = c == 1 ? 1 - v : v;
                // Nearest of the 2^n levels; a value in the middle of two may go either way.
                double levels = std::exp2(bits) - 1;
                auto reaches = [&](uint8_t got) {
                    if (bits == 0) return got == 255;
                    double level = got / 255.0 * levels;
                    return std::abs(std::round(level) - value * levels) <= 0.502 &&
                           std::abs(level - std::round(level)) * 255 / levels <= 0.501;
                };
                CAPTURE(format.name);
                CAPTURE(value);
                CAPTURE(c);
                CHECK(reaches(cleared[static_cast<size_t>(c)]));
                CHECK(reaches(drawn[static_cast<size_t>(c)]));
            }
        }
    }
}

TEST_CASE("draw to a texture, then draw with it; cube faces apart") {
    TestContext context({.width = 8, .height = 8});
    GLuint fill = makeProgram(kPassVertex, kColorFragment);
    GLuint cubeProgram = makeProgram(kPassVertex,
                                     "precision highp float; uniform samplerCube image; uniform vec3 direction; void "
                                     "main() { gl_FragColor = textureCube(image, direction); }");
    GLuint cube = bindNewTexture(GL_TEXTURE_CUBE_MAP);
    for (GLenum face = 0; face < 6; ++face)
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    newFramebuffer();
    glUseProgram(fill);
    for (int face = 0; face < 6; ++face) {
        attachTexture(GL_COLOR_ATTACHMENT0, cube, GL_TEXTURE_CUBE_MAP_POSITIVE_X + static_cast<GLenum>(face));
        glUniform4f(glGetUniformLocation(fill, "color"), static_cast<GLfloat>(face) / 5.0f, 1, 0, 1);
        drawQuad();
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glUseProgram(cubeProgram);
    const GLfloat directions[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    for (int face = 0; face < 6; ++face) {
        glUniform3fv(glGetUniformLocation(cubeProgram, "direction"), 1, directions[face]);
        drawQuad();
        CHECK(pixelAt(4, 4) == Rgba{static_cast<uint8_t>(51 * face), 255, 0, 255});
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("OES_depth_texture_cube_map: depth drawn to the faces is looked up as luminance, filtered at will") {
    TestContext context({.width = 8, .height = 8});
    GLuint fill = makeProgram(kPassVertex, kColorFragment);
    GLuint lookup = makeProgram(kPassVertex,
                                "precision highp float; uniform samplerCube image; uniform vec3 direction; void "
                                "main() { gl_FragColor = textureCube(image, direction) * vec4(1.0, 1.0, 1.0, 0.5); }");
    const struct {
        GLenum format, type;
    } kinds[] = {{GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT},
                 {GL_DEPTH_COMPONENT, GL_UNSIGNED_INT},
                 {0x84F9 /* DEPTH_STENCIL_OES */, 0x84FA /* UNSIGNED_INT_24_8_OES */}};
    for (const auto& kind : kinds)
        for (const GLint filter : {GL_NEAREST, GL_LINEAR}) {
            CAPTURE(kind.type);
            GLuint cube = bindNewTexture(GL_TEXTURE_CUBE_MAP);
            glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, filter);
            glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MAG_FILTER, filter);
            for (GLenum face = 0; face < 6; ++face)
                glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, static_cast<GLint>(kind.format), 8, 8, 0,
                             kind.format, kind.type, nullptr);
            newFramebuffer();
            glUseProgram(fill);
            glEnable(GL_DEPTH_TEST);
            for (int face = 0; face < 6; ++face) {
                attachTexture(GL_DEPTH_ATTACHMENT, cube, GL_TEXTURE_CUBE_MAP_POSITIVE_X + static_cast<GLenum>(face));
                REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
                glClear(GL_DEPTH_BUFFER_BIT);
                drawQuad(0.9f);
                drawQuad(static_cast<GLfloat>(face) * 0.2f - 0.6f);
            }
            glBindFramebuffer(GL_FRAMEBUFFER, 0);
            glDisable(GL_DEPTH_TEST);
            glUseProgram(lookup);
            const GLfloat directions[6][3] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
            for (int face = 0; face < 6; ++face) {
                glUniform3fv(glGetUniformLocation(lookup, "direction"), 1, directions[face]);
                drawQuad();
                const auto depth = static_cast<uint8_t>(std::lround(255 * (0.2 + 0.1 * face)));
                CHECK(near(pixelAt(4, 4), {depth, depth, depth, 128}, 1));
            }
            CHECK(glGetError() == GL_NO_ERROR);
        }
}

TEST_CASE("each framebuffer has its own pixels, and switching back and forth keeps the order") {
    TestContext context({.width = 8, .height = 8});
    GLuint texture = bindNewTexture(GL_TEXTURE_2D);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    GLuint framebuffer = newFramebuffer();
    attachTexture(GL_COLOR_ATTACHMENT0, texture);
    GLuint fill = makeProgram(kPassVertex, kColorFragment), show = useTextureProgram();
    GLint color = glGetUniformLocation(fill, "color");
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glEnable(GL_SCISSOR_TEST);
    for (int i = 0; i < 8; ++i) {  // column i of the window shows what the texture held in round i
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        glDisable(GL_SCISSOR_TEST);
        glUseProgram(fill);
        glUniform4f(color, static_cast<GLfloat>(i * 30) / 255.0f, 0, 1, 1);
        drawQuad();
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glEnable(GL_SCISSOR_TEST);
        glScissor(i, 0, 1, 8);
        glUseProgram(show);
        drawQuad();
    }
    for (int i = 0; i < 8; ++i) CHECK(pixelAt(i, 3) == Rgba{static_cast<uint8_t>(i * 30), 0, 255, 255});
}

TEST_CASE("clears obey scissor and masks") {
    TestContext context({.width = 16, .height = 16});
    glClearColor(1, 1, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glEnable(GL_SCISSOR_TEST);
    glScissor(3, 5, 6, 4);
    glColorMask(GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
    glClearColor(0.2f, 0.4f, 0.6f, 0.8f);
    glClear(GL_COLOR_BUFFER_BIT);
    int wrong = 0;
    std::vector<Rgba> pixels = readRect(0, 0, 16, 16);
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 16; ++x) {
            bool in = x >= 3 && x < 9 && y >= 5 && y < 9;
            wrong +=
                pixels[static_cast<size_t>(y * 16 + x)] != (in ? Rgba{51, 255, 153, 255} : Rgba{255, 255, 255, 255});
        }
    CHECK(wrong == 0);
    for (auto [x, y, w, h] : {std::array{-5, -5, 5, 30}, {16, 0, 9, 9}, {2, 2, 0, 5}, {INT32_MAX, 0, INT32_MAX, 5}}) {
        glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
        glScissor(x, y, w, h);
        glClear(GL_COLOR_BUFFER_BIT);
        CHECK(readRect(0, 0, 16, 16) == pixels);
    }
    glScissor(INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(readRect(0, 0, 16, 16) == pixels);
    glScissor(-10, -10, INT32_MAX, INT32_MAX);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(pixelAt(15, 15) == Rgba{51, 102, 153, 204});
}

TEST_CASE("glReadPixels: alignment, and rectangles partly outside") {
    TestContext context({.width = 8, .height = 8});
    useTextureProgram();
    bindNewTexture(GL_TEXTURE_2D);
    std::mt19937 random(9);
    std::vector<Rgba> image(64);
    for (Rgba& pixel : image)
        for (uint8_t& c : pixel) c = static_cast<uint8_t>(random());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, image.data());
    drawQuad();
    for (GLint alignment : {1, 2, 4, 8})
        for (auto [x, y, w, h] : {std::array{0, 0, 8, 8},
                                  {1, 2, 3, 4},
                                  {-2, -3, 5, 9},
                                  {5, 6, 7, 7},
                                  {-1, -1, 10, 10},
                                  {20, 0, 3, 3},
                                  {0, -20, 3, 3},
                                  {3, 3, 1, 1},
                                  {INT32_MIN, 0, 3, 3},
                                  {0, INT32_MAX, 3, 3}}) {
            CAPTURE(alignment);
            CAPTURE(x);
            CAPTURE(y);
            glPixelStorei(GL_PACK_ALIGNMENT, alignment);
            size_t row = static_cast<size_t>((w * 4 + alignment - 1) / alignment * alignment);
            // Exactly the bytes that the call may touch lie between the guards.
            size_t size = row * static_cast<size_t>(h - 1) + static_cast<size_t>(w) * 4;
            std::vector<uint8_t> bytes(size + 16, 0xA5), expected = bytes;
            for (int j = 0; j < h; ++j)
                for (int i = 0; i < w; ++i) {
                    int64_t sx = int64_t{x} + i, sy = int64_t{y} + j;
                    if (sx < 0 || sy < 0 || sx >= 8 || sy >= 8) continue;
                    std::memcpy(expected.data() + 8 + static_cast<size_t>(j) * row + static_cast<size_t>(i) * 4,
                                image[static_cast<size_t>(sy * 8 + sx)].data(), 4);
                }
            glReadPixels(x, y, w, h, GL_RGBA, GL_UNSIGNED_BYTE, bytes.data() + 8);
            CHECK(bytes == expected);
        }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("the implementation's own read format works for every colour format") {
    TestContext context;
    for (const Format& format : kFormats) {
        if (!format.color) continue;
        ColorTarget target(format.name, 4, 4);
        GLint readFormat = 0, readType = 0;
        glGetIntegerv(GL_IMPLEMENTATION_COLOR_READ_FORMAT, &readFormat);
        glGetIntegerv(GL_IMPLEMENTATION_COLOR_READ_TYPE, &readType);
        glClearColor(1, 0, 1, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        uint8_t pixel[4] = {};
        glReadPixels(0, 0, 1, 1, static_cast<GLenum>(readFormat), static_cast<GLenum>(readType), pixel);
        CHECK(glGetError() == GL_NO_ERROR);
        uint16_t word = 0;
        std::memcpy(&word, pixel, 2);
        if (readType == GL_UNSIGNED_SHORT_5_6_5) CHECK(word == 0xF81F);
        if (readType == GL_UNSIGNED_BYTE) CHECK(pixel[0] == 255);
        if (readType == GL_UNSIGNED_BYTE) CHECK(pixel[1] == 0);
    }
}

namespace {

template <class T>
T readAt(int x, int y, GLenum format, GLenum type) {
    T value{};
    glReadPixels(x, y, 1, 1, format, type, &value);
    return value;
}

}  // namespace

TEST_CASE("depth and stencil are read, of framebuffers and of surfaces") {
    for (const int version : {2, 3}) {
        TestContext context({.version = version});
        const auto fill = [] {
            glClearDepthf(1);
            glClearStencil(0x5A);
            glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
            useProgram(kPassVertex, kColorFragment);
            glEnable(GL_DEPTH_TEST);
            glEnable(GL_STENCIL_TEST);
            glStencilFunc(GL_ALWAYS, 0xC3, 0xFF);
            glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
            glEnable(GL_SCISSOR_TEST);
            glScissor(0, 0, 4, 16);
            drawQuad(-0.5f);  // depth 1/4
            glDisable(GL_SCISSOR_TEST);
        };
        const auto check = [] {
            CHECK(readAt<GLfloat>(1, 1, GL_DEPTH_COMPONENT, GL_FLOAT) == doctest::Approx(0.25).epsilon(1e-6));
            CHECK(readAt<GLfloat>(5, 1, GL_DEPTH_COMPONENT, GL_FLOAT) == 1.0f);
            CHECK(readAt<GLushort>(1, 1, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT) == 0x4000);
            CHECK(readAt<GLushort>(5, 1, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT) == 0xFFFF);
            CHECK((readAt<GLuint>(1, 1, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT) >> 8) == 0x400000);
            CHECK(readAt<GLuint>(5, 1, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT) == 0xFFFFFFFF);
            CHECK((readAt<GLuint>(1, 1, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT_24_8_OES) >> 8) == 0x400000);
            CHECK(readAt<GLubyte>(1, 1, GL_STENCIL_INDEX_OES, GL_UNSIGNED_BYTE) == 0xC3);
            CHECK(readAt<GLubyte>(5, 1, GL_STENCIL_INDEX_OES, GL_UNSIGNED_BYTE) == 0x5A);
            CHECK(readAt<GLuint>(1, 1, GL_DEPTH_STENCIL_OES, GL_UNSIGNED_INT_24_8_OES) == 0x400000C3);
            CHECK(readAt<GLuint>(5, 1, GL_DEPTH_STENCIL_OES, GL_UNSIGNED_INT_24_8_OES) == 0xFFFFFF5A);
            CHECK(glGetError() == GL_NO_ERROR);
            // Rows as the pack parameters have them: four bytes of stencil.
            GLubyte rows[12] = {};
            glReadPixels(3, 0, 2, 3, GL_STENCIL_INDEX_OES, GL_UNSIGNED_BYTE, rows);
            for (size_t row = 0; row < 3; ++row) {
                CHECK(rows[4 * row] == 0xC3);
                CHECK(rows[4 * row + 1] == 0x5A);
                CHECK(rows[4 * row + 2] == 0);
            }
        };
        fill();
        check();
        glDisable(GL_DEPTH_TEST);
        glDisable(GL_STENCIL_TEST);
        const ColorTarget target(GL_RGBA8_OES, 16, 16, GL_DEPTH24_STENCIL8_OES);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_RENDERBUFFER, target.depthRenderbuffer);
        REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        fill();
        check();
        // What is not there is not read; nor are pairs that there are not.
        const auto refused = [](GLenum format, GLenum type, GLenum error = GL_INVALID_OPERATION) {
            CHECK(readAt<std::array<GLuint, 4>>(0, 0, format, type) == std::array<GLuint, 4>{});
            CHECK(glGetError() == error);
        };
        refused(GL_DEPTH_COMPONENT, GL_UNSIGNED_BYTE);
        refused(GL_STENCIL_INDEX_OES, GL_UNSIGNED_SHORT);
        refused(GL_DEPTH_STENCIL_OES, GL_UNSIGNED_INT);
        refused(GL_STENCIL_INDEX8, GL_UNSIGNED_BYTE, GL_INVALID_ENUM);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_RENDERBUFFER, 0);
        CHECK(readAt<GLuint>(5, 1, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT) == 0xFFFFFFFF);
        refused(GL_STENCIL_INDEX_OES, GL_UNSIGNED_BYTE);
        refused(GL_DEPTH_STENCIL_OES, GL_UNSIGNED_INT_24_8_OES);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, 0);
        refused(GL_DEPTH_COMPONENT, GL_UNSIGNED_INT);
    }
}
