// EXT_shader_framebuffer_fetch: a program reads what the framebuffer holds at its pixel, in the order of the
// primitives.
#define GL_GLEXT_PROTOTYPES 1
#include <GLES3/gl3.h>
// After it: the tokens of extensions.
#include <GLES2/gl2ext.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/gles/fixture.h"

using namespace tessera::gles_test;

namespace {

const std::string kExtension = "#extension GL_EXT_shader_framebuffer_fetch : require\nprecision highp float;\n";

/// Rectangles of whole pixels: coverage is beyond doubt.
struct Rectangle {
    int minX, minY, maxX, maxY;  ///< inclusive
    float depth;                 ///< 0..1
    std::array<int, 4> addend;   ///< 0..255
};

constexpr int kSide = 75;

std::vector<Rectangle> randomRectangles(std::mt19937& random, int count) {
    std::vector<Rectangle> list;
    const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
    for (int i = 0; i < count; ++i) {
        const int x = below(kSide), y = below(kSide), size = below(4) == 0 ? kSide : 12;
        Rectangle one = {x, y, std::min(kSide - 1, x + below(size)), std::min(kSide - 1, y + below(size)), 0, {}};
        one.depth = static_cast<float>(below(15) + 1) / 16;
        for (int& value : one.addend) value = below(256);
        list.push_back(one);
    }
    return list;
}

/// All of them in one draw, two triangles each.
void draw(const std::vector<Rectangle>& list) {
    std::vector<GLfloat> positions, addends;
    for (const Rectangle& one : list)
        for (const auto& [right, top] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}}) {
            const auto window = [](int edge) { return static_cast<GLfloat>(edge) * 2 / kSide - 1; };
            positions.insert(positions.end(), {window(right != 0 ? one.maxX + 1 : one.minX),
                                               window(top != 0 ? one.maxY + 1 : one.minY), one.depth * 2 - 1, 1});
            for (const int value : one.addend) addends.push_back(static_cast<GLfloat>(value));
        }
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, positions.data());
    glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, 0, addends.data());
    glDrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(positions.size() / 4));
    glDisableVertexAttribArray(1);
}

/// What it makes of a stored colour d: (3 d + addend) mod 256, discarded where d's red is above 200 and `discards` is
/// set. Rectangles in another order give another colour.
GLuint orderProgram(bool discards) {
    const char* vertex =
        "attribute vec4 position, addend; varying vec4 v_addend;\n"
        "void main() { gl_Position = position; v_addend = addend; }";
    const std::string discard = discards ? "    if (d.x > 200.5) discard;\n" : "";
    const std::string fragment = kExtension + "varying vec4 v_addend;\nvoid main() {\n" +
                                 "    vec4 d = floor(gl_LastFragData[0] * 255.0 + 0.5);\n" + discard +
                                 "    gl_FragColor = mod(d * 3.0 + floor(v_addend + 0.5), 256.0) / 255.0;\n}\n";
    const GLuint shaders[] = {makeShader(GL_VERTEX_SHADER, vertex), makeShader(GL_FRAGMENT_SHADER, fragment)};
    const GLuint program = glCreateProgram();
    for (const GLuint shader : shaders) glAttachShader(program, shader);
    glBindAttribLocation(program, 0, "position");
    glBindAttribLocation(program, 1, "addend");
    glLinkProgram(program);
    for (const GLuint shader : shaders) glDeleteShader(shader);
    glUseProgram(program);
    return program;
}

struct OrderState {
    bool discards = false, depthTest = false, masked = false, blended = false;
};

std::vector<Rgba> expectedOrder(const std::vector<Rectangle>& list, const OrderState& state, const Rgba& cleared) {
    std::vector<Rgba> pixels(static_cast<size_t>(kSide * kSide), cleared);
    std::vector<float> depths(pixels.size(), 1.0f);
    for (const Rectangle& one : list)
        for (int y = one.minY; y <= one.maxY; ++y)
            for (int x = one.minX; x <= one.maxX; ++x) {
                const size_t at = static_cast<size_t>(y * kSide + x);
                const Rgba stored = pixels[at];
                if (state.discards && stored[0] > 200) continue;
                if (state.depthTest && one.depth >= depths[at]) continue;
                if (state.depthTest) depths[at] = one.depth;
                for (size_t c = 0; c < 4; ++c) {
                    if (state.masked && c == 1) continue;
                    const int shaded = (stored[c] * 3 + one.addend[c]) % 256;
                    pixels[at][c] = static_cast<uint8_t>(state.blended ? std::min(shaded + stored[c], 255) : shaded);
                }
            }
    return pixels;
}

void checkOrder(const OrderState& state, unsigned seed) {
    CAPTURE(state.discards);
    CAPTURE(state.depthTest);
    CAPTURE(state.masked);
    CAPTURE(state.blended);
    std::mt19937 random(seed);
    const GLuint program = orderProgram(state.discards);
    const Rgba cleared = {17, 93, 200, 4};
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glClearColor(17 / 255.0f, 93 / 255.0f, 200 / 255.0f, 4 / 255.0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glColorMask(GL_TRUE, state.masked ? GL_FALSE : GL_TRUE, GL_TRUE, GL_TRUE);
    (state.depthTest ? glEnable : glDisable)(GL_DEPTH_TEST);
    (state.blended ? glEnable : glDisable)(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    std::vector<Rectangle> all;
    for (int draws = 0; draws < 2; ++draws) {
        const std::vector<Rectangle> list = randomRectangles(random, 60);
        draw(list);
        all.insert(all.end(), list.begin(), list.end());
    }
    CHECK(readRect(0, 0, kSide, kSide) == expectedOrder(all, state, cleared));
    CHECK(glGetError() == GL_NO_ERROR);
    glDeleteProgram(program);
}

void checkAllOrders() {
    unsigned seed = 1;
    for (int bits = 0; bits < 16; ++bits)
        checkOrder({(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0}, seed++);
}

/// A quad with the statement as its fragment program.
void drawWith(const std::string& statements) {
    const GLuint program = useProgram(kPassVertex, kExtension + "void main() {\n" + statements + "\n}\n");
    drawQuad();
    glDeleteProgram(program);
}

/// Multisampled renderbuffers for colour and depth, bound.
struct SampledTarget {
    GLuint framebuffer = 0, buffers[2] = {};
    explicit SampledTarget(int side) {
        glGenFramebuffers(1, &framebuffer);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        glGenRenderbuffers(2, buffers);
        const GLenum formats[] = {GL_RGBA8_OES, GL_DEPTH_COMPONENT16};
        const GLenum attachments[] = {GL_COLOR_ATTACHMENT0, GL_DEPTH_ATTACHMENT};
        for (int i = 0; i < 2; ++i) {
            glBindRenderbuffer(GL_RENDERBUFFER, buffers[i]);
            glRenderbufferStorageMultisampleEXT(GL_RENDERBUFFER, 4, formats[i], side, side);
            glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachments[i], GL_RENDERBUFFER, buffers[i]);
        }
        REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        glViewport(0, 0, side, side);
    }
    ~SampledTarget() {
        glDeleteFramebuffers(1, &framebuffer);
        glDeleteRenderbuffers(2, buffers);
    }
    SampledTarget(const SampledTarget&) = delete;
    SampledTarget& operator=(const SampledTarget&) = delete;
};

}  // namespace

TEST_CASE("fragments of one draw read what those before them wrote, in every state") {
    TestContext context({.width = kSide, .height = kSide});
    checkAllOrders();
}

TEST_CASE("so do the samples of multisampled targets") {
    TestContext context;
    const SampledTarget target(kSide);
    checkAllOrders();
}

TEST_CASE("each sample is shaded by itself, and discarded by itself") {
    constexpr int kTexels = 8;
    TestContext context;
    const SampledTarget target(kTexels);
    GLboolean discardsSamples = GL_FALSE;
    glGetBooleanv(GL_FRAGMENT_SHADER_DISCARDS_SAMPLES_EXT, &discardsSamples);
    CHECK(discardsSamples == GL_TRUE);
    // A white triangle whose long side is the diagonal: some samples of pixels (i, i) are white, the others black.
    const auto drawTriangle = [] {
        glClearColor(0, 0, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        const GLuint program = useProgram(kPassVertex, kColorFragment);
        glUniform4f(glGetUniformLocation(program, "color"), 1, 1, 1, 1);
        static const GLfloat corners[] = {-1, -1, 1, -1, 1, 1};
        glEnableVertexAttribArray(0);
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
        glDrawArrays(GL_TRIANGLES, 0, 3);
        glDeleteProgram(program);
    };
    drawTriangle();
    const std::vector<Rgba> white = readRect(0, 0, kTexels, kTexels);
    for (size_t i = 0; i < kTexels; ++i) {
        CHECK(white[i * kTexels + i][0] >= 64);
        CHECK(white[i * kTexels + i][0] <= 192);
    }
    drawTriangle();
    drawWith("    gl_FragColor = vec4(1.0 - gl_LastFragData[0].x, gl_LastFragData[0].x, 0.0, 1.0);");
    std::vector<Rgba> got = readRect(0, 0, kTexels, kTexels);
    for (size_t i = 0; i < got.size(); ++i) {
        const int samples = (white[i][0] + 32) / 64;
        const auto share = [](int count) { return static_cast<uint8_t>(std::lround(count * 255 / 4.0)); };
        CHECK(near(got[i], {share(4 - samples), share(samples), 0, 255}, 1));
    }
    drawTriangle();
    drawWith("    if (gl_LastFragData[0].x > 0.5) discard;\n    gl_FragColor = vec4(0.0, 0.0, 1.0, 1.0);");
    got = readRect(0, 0, kTexels, kTexels);
    for (size_t i = 0; i < got.size(); ++i) CHECK(near(got[i], {white[i][0], white[i][0], 255, 255}, 1));
}

TEST_CASE("colours are read as the format holds them") {
    TestContext context;
    struct Format {
        GLenum name;
        std::array<int, 4> bits;
    };
    for (const Format& format : {Format{GL_RGBA8_OES, {8, 8, 8, 8}},
                                 {GL_RGB565, {5, 6, 5, 0}},
                                 {GL_RGBA4, {4, 4, 4, 4}},
                                 {GL_RGB5_A1, {5, 5, 5, 1}},
                                 {GL_RG8_EXT, {8, 8, 0, 0}}}) {
        CAPTURE(format.name);
        ColorTarget target(format.name, 4, 4);
        glViewport(0, 0, 4, 4);
        glDisable(GL_DITHER);
        for (int step = 0; step <= 16; ++step) {
            const GLfloat color[] = {static_cast<GLfloat>(step) / 16, 0.35f, 0.8f, static_cast<GLfloat>(step % 2)};
            glClearColor(color[0], color[1], color[2], color[3]);
            glClear(GL_COLOR_BUFFER_BIT);
            drawWith("    gl_FragColor = 1.0 - gl_LastFragData[0];");
            Rgba expected;
            for (size_t c = 0; c < 4; ++c) {
                const double most = (1 << format.bits[c]) - 1;
                const double stored = std::nearbyint(static_cast<double>(color[c]) * most);
                expected[c] = static_cast<uint8_t>(format.bits[c] == 0 ? (c == 3 ? 255 : 0)
                                                                       : std::lround((most - stored) / most * 255));
            }
            CHECK(pixelAt(1, 1) == expected);
        }
        // What the format lacks is 0, 0, 0, 1.
        drawWith("    gl_FragColor = vec4(gl_LastFragData[0].a, gl_LastFragData[0].b, 0.0, 1.0);");
        if (format.bits[3] == 0) CHECK(pixelAt(1, 1)[0] == 255);
        if (format.bits[2] == 0) CHECK(pixelAt(1, 1)[1] == 0);
    }
}

TEST_CASE("sRGB is read as light") {
    TestContext context({.width = 4, .height = 4});
    std::vector<uint8_t> codes;
    for (int i = 0; i < 256; ++i)
        codes.insert(codes.end(), {static_cast<uint8_t>(i), 128, 255, static_cast<uint8_t>(i)});
    GLuint texture = 0, framebuffer = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB_ALPHA_EXT, 256, 1, 0, GL_SRGB_ALPHA_EXT, GL_UNSIGNED_BYTE, codes.data());
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glViewport(0, 0, 256, 1);
    drawWith("    gl_FragColor = gl_LastFragData[0];");
    std::vector<Rgba> got = readRect(0, 0, 256, 1);
    for (int i = 0; i < 256; ++i)
        CHECK(got[static_cast<size_t>(i)] == Rgba{static_cast<uint8_t>(i), 128, 255, static_cast<uint8_t>(i)});
    drawWith("    gl_FragColor = gl_LastFragData[0] * 0.5;");
    got = readRect(0, 0, 256, 1);
    for (int i = 0; i < 256; ++i) {
        const double code = i / 255.0;
        const double light = 0.5 * (code <= 0.04045 ? code / 12.92 : std::pow((code + 0.055) / 1.055, 2.4));
        const double half = light < 0.0031308 ? light * 12.92 : 1.055 * std::pow(light, 1 / 2.4) - 0.055;
        CHECK(std::abs(got[static_cast<size_t>(i)][0] - half * 255) < 1);
        CHECK(std::abs(got[static_cast<size_t>(i)][3] - i * 0.5) < 1);
    }
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteTextures(1, &texture);
}

TEST_CASE("float colours are read unclamped") {
    TestContext context;
    ColorTarget target(GL_RGBA16F_EXT, 4, 4);
    glViewport(0, 0, 4, 4);
    drawWith("    gl_FragColor = vec4(2.5, -3.0, 1000.0, 0.25);");
    drawWith("    gl_FragColor = gl_LastFragData[0] * 2.0;");
    std::array<GLfloat, 4> got{};
    glReadPixels(1, 1, 1, 1, GL_RGBA, GL_FLOAT, got.data());
    CHECK(got == std::array{5.0f, -6.0f, 2000.0f, 0.5f});
}

TEST_CASE("each draw buffer has a last colour of its own, which an index may choose") {
    TestContext context;
    GLuint framebuffer = 0, buffers[4];
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glGenRenderbuffers(4, buffers);
    const GLenum all[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1_EXT, GL_COLOR_ATTACHMENT2_EXT,
                          GL_COLOR_ATTACHMENT3_EXT};
    for (int i = 0; i < 4; ++i) {
        glBindRenderbuffer(GL_RENDERBUFFER, buffers[i]);
        glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8_OES, 4, 4);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, all[i], GL_RENDERBUFFER, buffers[i]);
    }
    glViewport(0, 0, 4, 4);
    glDrawBuffersEXT(4, all);
    const auto colors = [&] {
        std::array<Rgba, 4> got;
        for (size_t i = 0; i < 4; ++i) {
            glReadBufferNV(all[i]);
            got[i] = pixelAt(1, 1);
        }
        return got;
    };
    const Rgba a = {0, 17, 34, 255}, b = {51, 17, 34, 255}, c = {102, 17, 34, 255}, d = {153, 17, 34, 255};
    drawWith(
        "    vec4 rest = vec4(0.0, 17.0, 34.0, 255.0) / 255.0;\n    gl_FragData[0] = rest;\n"
        "    gl_FragData[1] = rest + vec4(0.2, 0.0, 0.0, 0.0);\n"
        "    gl_FragData[2] = rest + vec4(0.4, 0.0, 0.0, 0.0);\n"
        "    gl_FragData[3] = rest + vec4(0.6, 0.0, 0.0, 0.0);");
    CHECK(colors() == std::array{a, b, c, d});
    // Each reads its neighbour's colour: all are read before any is written.
    drawWith(
        "    gl_FragData[0] = gl_LastFragData[1];\n    gl_FragData[1] = gl_LastFragData[2];\n"
        "    gl_FragData[2] = gl_LastFragData[3];\n    gl_FragData[3] = gl_LastFragData[0];");
    CHECK(colors() == std::array{b, c, d, a});
    // gl_FragColor goes to all of them. The pixel's column chooses.
    drawWith("    gl_FragColor = gl_LastFragData[int(gl_FragCoord.x) + 1];");
    CHECK(colors() == std::array{d, d, d, d});
    CHECK(readRect(0, 1, 3, 1) == std::vector{c, d, a});
    // Where there is no buffer there is no colour.
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, all[1], GL_RENDERBUFFER, 0);
    glReadBufferNV(all[0]);
    drawWith("    gl_FragData[0] = gl_LastFragData[1];");
    CHECK(pixelAt(1, 1) == Rgba{0, 0, 0, 0});
    CHECK(glGetError() == GL_NO_ERROR);
    glDeleteFramebuffers(1, &framebuffer);
    glDeleteRenderbuffers(4, buffers);
}

namespace {

/// The same in version 3.00: outputs that are declared with "inout" begin as what the framebuffer holds.
const char* const kPassVertex3 = "#version 300 es\nin vec4 position; void main() { gl_Position = position; }";

void drawWith3(const std::string& declarations, const std::string& statements) {
    const GLuint program =
        useProgram(kPassVertex3,
                   "#version 300 es\n#extension GL_EXT_shader_framebuffer_fetch : require\nprecision highp float;\n" +
                       declarations + "\nvoid main() {\n" + statements + "\n}\n");
    drawQuad();
    glDeleteProgram(program);
}

/// A framebuffer with a renderbuffer of each format, one after the other, bound.
struct Renderbuffers {
    GLuint framebuffer = 0;
    std::vector<GLuint> buffers;
    explicit Renderbuffers(const std::vector<GLenum>& formats) : buffers(formats.size()) {
        glGenFramebuffers(1, &framebuffer);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        glGenRenderbuffers(static_cast<GLsizei>(buffers.size()), buffers.data());
        std::vector<GLenum> drawn;
        for (size_t i = 0; i < formats.size(); ++i) {
            glBindRenderbuffer(GL_RENDERBUFFER, buffers[i]);
            glRenderbufferStorage(GL_RENDERBUFFER, formats[i], 4, 4);
            drawn.push_back(GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(i));
            glFramebufferRenderbuffer(GL_FRAMEBUFFER, drawn.back(), GL_RENDERBUFFER, buffers[i]);
        }
        glDrawBuffers(static_cast<GLsizei>(drawn.size()), drawn.data());
        REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        glViewport(0, 0, 4, 4);
    }
    ~Renderbuffers() {
        glDeleteFramebuffers(1, &framebuffer);
        glDeleteRenderbuffers(static_cast<GLsizei>(buffers.size()), buffers.data());
    }
    Renderbuffers(const Renderbuffers&) = delete;
    Renderbuffers& operator=(const Renderbuffers&) = delete;
};

template <class Number>
std::array<Number, 4> numbersAt(int buffer) {
    std::array<Number, 4> got{};
    glReadBuffer(GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(buffer));
    const bool isFloat = std::is_same_v<Number, GLfloat>, isSigned = std::is_same_v<Number, GLint>;
    glReadPixels(1, 1, 1, 1, isFloat ? GL_RGBA : GL_RGBA_INTEGER,
                 isFloat    ? GL_FLOAT
                 : isSigned ? GL_INT
                            : GL_UNSIGNED_INT,
                 got.data());
    return got;
}

}  // namespace

TEST_CASE("OpenGL ES 3.0: an inout output is what the framebuffer holds until it is written") {
    TestContext context(kEs3);
    const std::string list = reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS));
    CHECK(list.find("GL_EXT_shader_framebuffer_fetch ") != std::string::npos);
    CHECK(list.find("GL_EXT_shader_framebuffer_fetch_non_coherent ") != std::string::npos);
    glClearColor(0.2f, 0.4f, 0.6f, 0.8f);
    glClear(GL_COLOR_BUFFER_BIT);
    drawWith3("inout vec4 color;", "    color += vec4(0.2, 0.0, 0.0, 0.0);");
    CHECK(pixelAt(1, 1) == Rgba{102, 102, 153, 204});
    // The parts that are not written stay, and so does all of it where nothing is.
    drawWith3("inout vec4 color;", "    if (gl_FragCoord.x > 8.0) color.gb = color.bg; color.a = 1.0;");
    CHECK(pixelAt(1, 1) == Rgba{102, 102, 153, 255});
    CHECK(pixelAt(9, 1) == Rgba{102, 153, 102, 255});
    drawWith3("inout vec4 color;", "");
    CHECK(pixelAt(9, 1) == Rgba{102, 153, 102, 255});
    // Blending comes behind it.
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    drawWith3("inout vec4 color;", "    color *= 0.5;");
    CHECK(pixelAt(9, 1) == Rgba{153, 230, 153, 255});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("OpenGL ES 3.0: each inout output reads its own draw buffer, integers as they are") {
    TestContext context(kEs3);
    const Renderbuffers buffers({GL_RGBA8, GL_RGBA32I, GL_RGBA16UI, GL_RG8I, GL_R32UI, GL_RGBA8UI});
    const GLfloat color[] = {0.2f, 0.4f, 0.6f, 0.8f};
    // Among them bits that are no number, as a float.
    const GLint ints[][4] = {{INT32_MIN, 0x7f800001, -1, 1}, {-128, 127, 5, 6}};
    const GLuint uints[][4] = {{65535, 1, 2, 40000}, {0xffc00001, 1, 2, 3}, {255, 1, 0, 128}};
    glClearBufferfv(GL_COLOR, 0, color);
    glClearBufferiv(GL_COLOR, 1, ints[0]);
    glClearBufferuiv(GL_COLOR, 2, uints[0]);
    glClearBufferiv(GL_COLOR, 3, ints[1]);
    glClearBufferuiv(GL_COLOR, 4, uints[1]);
    glClearBufferuiv(GL_COLOR, 5, uints[2]);
    // What RG8I lacks is 0 and 1.
    drawWith3(
        "layout(location = 0) inout vec4 a; layout(location = 1) inout highp ivec4 b;"
        "layout(location = 2) inout highp uvec4 c; layout(location = 3) inout highp ivec4 d;"
        "layout(location = 4) inout highp uint e; layout(location = 5) inout highp uvec4 f;",
        "    b = b.yxwz; c = c ^ uvec4(d.zwzw); d.x = -d.y; f = uvec4(a * 255.0 + 0.5) + (e & 1u);");
    CHECK(pixelAt(1, 1) == Rgba{51, 102, 153, 204});
    CHECK(numbersAt<GLint>(1) == std::array{0x7f800001, INT32_MIN, 1, -1});
    CHECK(numbersAt<GLuint>(2) == std::array{65535u, 0u, 2u, 40001u});
    CHECK(numbersAt<GLint>(3) == std::array{-127, 127, 0, 1});
    CHECK(numbersAt<GLuint>(4) == std::array{0xffc00001u, 0u, 0u, 1u});
    CHECK(numbersAt<GLuint>(5) == std::array{52u, 103u, 154u, 205u});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("OpenGL ES 3.0: rectangles of one draw read what those before them wrote") {
    TestContext context({.width = kSide, .height = kSide, .version = 3});
    const GLuint shaders[] = {
        makeShader(GL_VERTEX_SHADER,
                   "#version 300 es\nlayout(location = 0) in vec4 position; layout(location = 1) in vec4 addend;\n"
                   "out vec4 v_addend; void main() { gl_Position = position; v_addend = addend; }"),
        makeShader(GL_FRAGMENT_SHADER,
                   "#version 300 es\n#extension GL_EXT_shader_framebuffer_fetch_non_coherent : require\n"
                   "precision highp float; in vec4 v_addend; layout(noncoherent) inout vec4 color;\n"
                   "void main() { vec4 d = floor(color * 255.0 + 0.5); if (d.x > 200.5) discard;\n"
                   "color = mod(d * 3.0 + floor(v_addend + 0.5), 256.0) / 255.0; }")};
    const GLuint program = glCreateProgram();
    for (const GLuint shader : shaders) glAttachShader(program, shader);
    glLinkProgram(program);
    glUseProgram(program);
    std::mt19937 random(77);
    const std::vector<Rectangle> list = randomRectangles(random, 120);
    const Rgba cleared = {17, 93, 200, 4};
    glClearColor(17 / 255.0f, 93 / 255.0f, 200 / 255.0f, 4 / 255.0f);
    glClear(GL_COLOR_BUFFER_BIT);
    glFramebufferFetchBarrierEXT();
    draw(list);
    CHECK(readRect(0, 0, kSide, kSide) == expectedOrder(list, {.discards = true}, cleared));
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("EXT_shader_framebuffer_fetch_non_coherent: the barrier has nothing to wait for") {
    TestContext context;
    glClearColor(0, 0.2f, 0, 0);
    glClear(GL_COLOR_BUFFER_BIT);
    useProgram(kPassVertex, R"(#extension GL_EXT_shader_framebuffer_fetch_non_coherent : require
layout(noncoherent) highp vec4 gl_LastFragData[gl_MaxDrawBuffers];
void main() { gl_FragColor = gl_LastFragData[0] + vec4(0.2); }
)");
    for (int i = 0; i < 3; ++i) {
        glFramebufferFetchBarrierEXT();
        drawQuad();
    }
    CHECK(pixelAt(1, 1) == Rgba{153, 204, 153, 153});
    CHECK(glGetError() == GL_NO_ERROR);
}
