// OES_sample_variables and OES_sample_shading: what a fragment shader sees of the samples of its pixel, which of them
// it keeps, and that it is run for each where it, or the draw, asks for it.
#define GL_GLEXT_PROTOTYPES 1
#include <GLES3/gl3.h>
// After it: the tokens of extensions.
#include <GLES2/gl2ext.h>

#include <bit>
#include <cmath>

#include "tests/gles/fixture.h"

using namespace tessera::gles_test;

namespace {

using Color = std::array<GLfloat, 4>;

constexpr int kSide = 4, kSamples = 4;
/// Samples' places in the pixel, of pipeline/samples.h.
constexpr std::array<std::array<GLfloat, 2>, kSamples> kPlaces = {
    {{0.375f, 0.125f}, {0.875f, 0.375f}, {0.125f, 0.625f}, {0.625f, 0.875f}}};

/// A framebuffer of halves, which hold all that is compared exactly, with a depth buffer; bound.
struct Target {
    GLuint framebuffer = 0, buffers[2] = {};
    explicit Target(int samples) {
        glGenFramebuffers(1, &framebuffer);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        glGenRenderbuffers(2, buffers);
        const GLenum formats[] = {GL_RGBA16F, GL_DEPTH_COMPONENT16};
        const GLenum attachments[] = {GL_COLOR_ATTACHMENT0, GL_DEPTH_ATTACHMENT};
        for (int i = 0; i < 2; ++i) {
            glBindRenderbuffer(GL_RENDERBUFFER, buffers[i]);
            glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, formats[i], kSide, kSide);
            glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachments[i], GL_RENDERBUFFER, buffers[i]);
        }
        REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        glViewport(0, 0, kSide, kSide);
        glClearColor(0, 0, 0, 0);
    }
    ~Target() {
        glDeleteFramebuffers(1, &framebuffer);
        glDeleteRenderbuffers(2, buffers);
    }
    Target(const Target&) = delete;
    Target& operator=(const Target&) = delete;
};

constexpr const char* kVertex =
    "#version 300 es\nin vec4 position; out vec2 place; void main() { gl_Position = position; place = (position.xy + "
    "1.0) * 2.0; }";

GLuint program(const std::string& statements, const std::string& declarations = "") {
    return useProgram(kVertex,
                      "#version 300 es\n#extension GL_OES_sample_variables : require\nprecision highp float;\n"
                      "precision highp int; in vec2 place; out vec4 color;\n" +
                          declarations + "\nvoid main() {\n" + statements + "\n}\n");
}

/// The mean of the pixel's samples after the draw.
Color drawn(const Target& target, int x = 1, int y = 1) {
    const Target resolved(0);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, target.framebuffer);
    glBlitFramebuffer(0, 0, kSide, kSide, 0, 0, kSide, kSide, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, resolved.framebuffer);
    Color got{};
    glReadPixels(x, y, 1, 1, GL_RGBA, GL_FLOAT, got.data());
    glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
    CHECK(glGetError() == GL_NO_ERROR);
    return got;
}

Color drawnWith(const Target& target, const std::string& statements, const std::string& declarations = "") {
    const GLuint made = program(statements, declarations);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    drawQuad();
    glDeleteProgram(made);
    return drawn(target);
}

/// A triangle on one side of the diagonal: of pixels (i, i) it covers samples 0 and 1, or 2 and 3.
void drawTriangle(bool isLower) {
    static const GLfloat lower[] = {-1, -1, 1, -1, 1, 1}, upper[] = {-1, -1, 1, 1, -1, 1};
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, isLower ? lower : upper);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

const std::string kAll = "vec4(float(gl_SampleID), gl_SamplePosition, float(gl_SampleMaskIn[0] * 16 + gl_NumSamples))";

}  // namespace

TEST_CASE("one sample is number 0, in the middle of the pixel, and covered") {
    TestContext context(kEs3);
    const std::string list = reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS));
    CHECK(list.find("GL_OES_sample_variables ") != std::string::npos);
    CHECK(list.find("GL_OES_sample_shading ") != std::string::npos);
    const Target target(0);
    CHECK(drawnWith(target, "color = " + kAll + ";") == Color{0, 0.5f, 0.5f, 17});
    CHECK(drawnWith(target, "color = vec4(gl_MaxSamples);")[0] == kSamples);
    // Of the mask bit 0 counts.
    CHECK(drawnWith(target, "color = vec4(1.0); gl_SampleMask[0] = 1;")[0] == 1);
    CHECK(drawnWith(target, "color = vec4(1.0); gl_SampleMask[0] = ~1;")[0] == 0);
    CHECK(drawnWith(target, "color = vec4(1.0); gl_SampleMask[0] = place.x > 1.0 ? 3 : 2;")[0] == 1);
}

TEST_CASE("each sample has its number and its place, and sees itself alone in the mask") {
    TestContext context(kEs3);
    const Target target(kSamples);
    for (size_t i = 0; i < kSamples; ++i) {
        CAPTURE(i);
        const std::string chosen = "color = gl_SampleID == " + std::to_string(i) + " ? " + kAll + " : vec4(0);";
        const auto number = static_cast<GLfloat>(i), mask = static_cast<GLfloat>(16 << i);
        const Color expected = {number / 4, kPlaces[i][0] / 4, kPlaces[i][1] / 4, (mask + 4) / 4};
        CHECK(drawnWith(target, chosen) == expected);
        // The place alone, found out by a function.
        CHECK(drawnWith(target,
                        "color = vec4(at() == vec2(" + std::to_string(kPlaces[i][0]) + ", " +
                            std::to_string(kPlaces[i][1]) + "));",
                        "vec2 at() { return gl_SamplePosition; }")[0] == 0.25f);
    }
}

TEST_CASE("a shader that is run for the whole pixel sees all covered samples, before depth is tested") {
    TestContext context(kEs3);
    const Target target(kSamples);
    CHECK(drawnWith(target, "color = vec4(gl_SampleMaskIn[0]);")[0] == 15);
    CHECK(drawnWith(target, "color = vec4(gl_NumSamples);")[0] == kSamples);
    for (const bool depthTest : {false, true}) {
        CAPTURE(depthTest);
        (depthTest ? glEnable : glDisable)(GL_DEPTH_TEST);
        const GLuint made = program("color = vec4(gl_SampleMaskIn[0]);");
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        drawTriangle(true);
        CHECK(drawn(target)[0] == 2 * 3 / 4.0f);
        drawTriangle(false);
        CHECK(drawn(target)[0] == (2 * 3 + 2 * 12) / 4.0f);
        glDepthFunc(GL_LESS);
        drawQuad();  // behind the triangles where depth is tested
        CHECK(drawn(target)[0] == (depthTest ? (2 * 3 + 2 * 12) / 4.0f : 15.0f));
        glDeleteProgram(made);
    }
    // Two samples hidden, the others seen: the mask has all the same.
    const GLuint made = program("color = vec4(gl_SampleMaskIn[0]);");
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    drawTriangle(true);
    drawQuad(0.5f);
    CHECK(drawn(target)[0] == (2 * 3 + 2 * 15) / 4.0f);
    // What coverage drops is not in it.
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_SAMPLE_COVERAGE);
    glSampleCoverage(0.5f, GL_FALSE);
    glClear(GL_COLOR_BUFFER_BIT);
    drawQuad();
    const GLfloat half = drawn(target)[0];
    glSampleCoverage(0.5f, GL_TRUE);
    glClear(GL_COLOR_BUFFER_BIT);
    drawQuad();
    const GLfloat other = drawn(target)[0];
    CHECK(half + other <= 15);
    CHECK(half > 0);
    CHECK(other > 0);
    glDeleteProgram(made);
}

TEST_CASE("gl_SampleMask keeps the samples whose bits are set, and adds none") {
    TestContext context(kEs3);
    const Target target(kSamples);
    for (int mask = 0; mask < 16; ++mask) {
        CAPTURE(mask);
        const std::string number = std::to_string(mask);
        const auto count = static_cast<GLfloat>(std::popcount(static_cast<unsigned>(mask)));
        CHECK(drawnWith(target, "color = vec4(1); gl_SampleMask[0] = " + number + ";")[0] == count / 4);
        // The shader still sees all of them, returns where it likes and writes depth.
        CHECK(drawnWith(target, "color = vec4(gl_SampleMaskIn[0]); gl_SampleMask[0] = " + number +
                                    "; gl_FragDepth = 0.5; if (place.x > 1.0) return; color = vec4(1);")[0] ==
              15 * count / 4);
        const std::string function = "void keep(int some) { gl_SampleMask[0] &= some; }";
        CHECK(drawnWith(target, "color = vec4(1); gl_SampleMask[0] = 16 + 7; keep(" + number + ");", function)[0] ==
              static_cast<GLfloat>(std::popcount(static_cast<unsigned>(mask & 7))) / 4);
    }
    // It begins with all of them.
    CHECK(drawnWith(target, "color = vec4(1); if (place.x < 0.0) gl_SampleMask[0] = 0;")[0] == 1);
    CHECK(drawnWith(target, "color = vec4(1); gl_SampleMask[0] &= 7;")[0] == 0.75f);
    // Samples that are dropped leave depth alone.
    glEnable(GL_DEPTH_TEST);
    CHECK(drawnWith(target, "color = vec4(1); gl_SampleMask[0] = 5;")[0] == 0.5f);
    const GLuint made = program("color = vec4(2);");
    drawQuad(0.5f);
    CHECK(drawn(target)[0] == 1.5f);
    glDeleteProgram(made);
    glDisable(GL_DEPTH_TEST);
    // Of a triangle's edge the covered ones.
    const GLuint all = program("color = vec4(1); gl_SampleMask[0] = ~4;");
    glClear(GL_COLOR_BUFFER_BIT);
    drawTriangle(false);
    CHECK(drawn(target)[0] == 0.25f);
    glDeleteProgram(all);
    // With the sample's number beside it.
    CHECK(drawnWith(target, "color = vec4(gl_SampleID + 1); gl_SampleMask[0] = gl_SampleID == 2 ? ~0 : 0;")[0] ==
          0.75f);
    CHECK(drawnWith(target, "color = vec4(gl_SampleID + 1); gl_SampleMask[0] = 2;")[0] == 0.5f);
}

TEST_CASE("where the draw asks for it a program is run for each sample, at its place") {
    TestContext context(kEs3);
    CHECK(glIsEnabled(GL_SAMPLE_SHADING_OES) == GL_FALSE);
    GLfloat least = -1;
    for (const auto& [value, kept] : {std::pair{0.75f, 0.75f}, {-3.0f, 0.0f}, {7.0f, 1.0f}}) {
        glMinSampleShadingOES(value);
        glGetFloatv(GL_MIN_SAMPLE_SHADING_VALUE_OES, &least);
        CHECK(least == kept);
    }
    const Target target(kSamples);
    // The middle is beyond the step, and so are two of the samples.
    const std::string step = "color = vec4(step(0.4375, fract(place.x)));", mask = "color = vec4(gl_SampleMaskIn[0]);";
    CHECK(drawnWith(target, step)[0] == 1);
    glEnable(GL_SAMPLE_SHADING_OES);
    CHECK(drawnWith(target, step)[0] == 0.5f);
    CHECK(drawnWith(target, mask)[0] == 15 / 4.0f);
    // A part of the samples is a quarter of them, or all.
    glMinSampleShadingOES(0.25f);
    CHECK(drawnWith(target, step)[0] == 1);
    CHECK(drawnWith(target, mask)[0] == 15);
    glMinSampleShadingOES(0.26f);
    CHECK(drawnWith(target, step)[0] == 0.5f);
    glDisable(GL_SAMPLE_SHADING_OES);
    CHECK(drawnWith(target, step)[0] == 1);
    // One sample is shaded once.
    glEnable(GL_SAMPLE_SHADING_OES);
    glMinSampleShadingOES(1);
    const Target single(0);
    CHECK(drawnWith(single, step)[0] == 1);
}

TEST_CASE("sample in: inputs are those of the sample's place") {
    TestContext context(kEs3);
    const std::string list = reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS));
    CHECK(list.find("GL_OES_shader_multisample_interpolation ") != std::string::npos);
    const auto step = [](const std::string& qualifier) {
        return useProgram(kVertex,
                          "#version 300 es\n#extension GL_OES_shader_multisample_interpolation : require\n"
                          "precision highp float; out vec4 color; " +
                              qualifier +
                              " in vec2 place;\nvoid main() { color = vec4(step(0.4375, fract(place.x))); }");
    };
    const Target target(kSamples);
    for (const auto& [qualifier, expected] : {std::pair{"", 1.0f}, {"sample", 0.5f}}) {
        const GLuint made = step(qualifier);
        drawQuad();
        CHECK(drawn(target)[0] == expected);
        glDeleteProgram(made);
    }
}

namespace {

/// Draws a quad whose corners lie at different depths of view, and compares the function's values with those that the
/// formulas of perspective give at the places.
void checkInterpolation(const Target& target, bool isEachSample) {
    CAPTURE(isEachSample);
    const std::string vertex =
        "#version 300 es\nin vec4 position; out vec2 at; out vec4 value[2]; void main() {\n"
        "float w = 2.0 + position.x + position.y * 0.5; gl_Position = vec4(position.xy * w, 0, w);\n"
        "at = position.xy; value[0] = vec4(3); value[1] = vec4(position.xy, position.x * w, 1); }";
    // Of the pixel (1, 1): window x and y of a place to values, by the planes of value / w and 1 / w.
    const auto expected = [](GLfloat x, GLfloat y) {
        const double s = (1 + static_cast<double>(x)) / kSide * 2 - 1, t = (1 + static_cast<double>(y)) / kSide * 2 - 1;
        // w at a place of the screen: the corners' 1 / w are not in one plane, so of the triangle that covers it.
        const auto inverse = [](double cx, double cy) { return 1 / (2 + cx + cy * 0.5); };
        const double a = inverse(-1, -1), b = inverse(1, -1), c = inverse(-1, 1);
        const double u = (s + 1) / 2, v = (t + 1) / 2;
        const double over = -a * (1 - u - v) + b * u - c * v, w = a * (1 - u - v) + b * u + c * v;
        return over / w;
    };
    const auto value = [&](const std::string& call) {
        const std::string id = isEachSample ? "float(gl_SampleID) * 0.0" : "0.0";
        const GLuint made = useProgram(
            vertex,
            "#version 300 es\n#extension GL_OES_shader_multisample_interpolation : require\n"
            "#extension GL_OES_sample_variables : require\nprecision highp float; out vec4 color; in vec4 value[2];\n"
            "uniform int one; void main() { color = vec4(0); if (gl_FragCoord.x > 0.0) color = " +
                call + " + " + id + "; }");
        glUniform1i(glGetUniformLocation(made, "one"), 1);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        drawQuad();
        glDeleteProgram(made);
        return static_cast<double>(drawn(target)[0]);
    };
    const auto isNear = [](double a, double b) { return std::abs(a - b) < 2e-3; };
    for (const auto& [x, y] : {std::pair{0.0f, 0.0f}, {0.25f, -0.5f}, {-0.5f, 0.4375f}}) {
        CAPTURE(x);
        const std::string offset = "vec2(" + std::to_string(x) + ", " + std::to_string(y) + ")";
        CHECK(isNear(value("interpolateAtOffset(value[1], " + offset + ")"), expected(0.5f + x, 0.5f + y)));
        CHECK(isNear(value("interpolateAtOffset(value[one], " + offset + ")"), expected(0.5f + x, 0.5f + y)));
    }
    CHECK(value("interpolateAtOffset(value[one - 1], vec2(0.5))") == 3);
    for (size_t i = 0; i < kSamples; ++i) {
        const bool isSingle = getInt(GL_SAMPLES) == 0;
        const auto at = isSingle ? std::array{0.5f, 0.5f} : kPlaces[i];
        CHECK(isNear(value("interpolateAtSample(value[1], " + std::to_string(i) + ")"), expected(at[0], at[1])));
    }
    CHECK(isNear(value("interpolateAtCentroid(value[1])"), expected(0.5f, 0.5f)));
}

}  // namespace

TEST_CASE("interpolateAtOffset, interpolateAtSample and interpolateAtCentroid take inputs elsewhere") {
    TestContext context(kEs3);
    GLfloat limits[2] = {};
    glGetFloatv(GL_MIN_FRAGMENT_INTERPOLATION_OFFSET_OES, &limits[0]);
    glGetFloatv(GL_MAX_FRAGMENT_INTERPOLATION_OFFSET_OES, &limits[1]);
    CHECK(limits[0] == -0.5f);
    CHECK(limits[1] == 0.5f);
    CHECK(getInt(GL_FRAGMENT_INTERPOLATION_OFFSET_BITS_OES) >= 4);
    for (const int samples : {0, kSamples}) {
        CAPTURE(samples);
        const Target target(samples);
        checkInterpolation(target, false);
        checkInterpolation(target, true);
    }
    // At an edge the centroid is the mean of the covered samples, which is within the triangle.
    const Target target(kSamples);
    const GLuint made = useProgram(
        kVertex,
        "#version 300 es\n#extension GL_OES_shader_multisample_interpolation : require\nprecision highp float;\n"
        "in vec2 place; out vec4 color; void main() { color = vec4(interpolateAtCentroid(place), 0, 1); }");
    static const GLfloat corners[] = {-1, -1, 1, -1, 1, 0.9375f};  // below the middle of pixel (1, 1)
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    const Color edge = drawn(target);
    const GLfloat covered = edge[3];  // a share of the samples, each of which has the place's value
    CHECK(covered == 0.5f);
    CHECK(std::abs(edge[0] / covered - (1 + (kPlaces[0][0] + kPlaces[1][0]) / 2)) < 1e-2f);
    CHECK(std::abs(edge[1] / covered - (1 + (kPlaces[0][1] + kPlaces[1][1]) / 2)) < 1e-2f);
    glDeleteProgram(made);
}

TEST_CASE("samples that are shaded one by one obey discard, depth, blending and alpha to coverage") {
    TestContext context(kEs3);
    const Target target(kSamples);
    CHECK(drawnWith(target, "if (gl_SampleID == 1) discard; color = vec4(1);")[0] == 0.75f);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    const GLuint made = program("color = vec4(gl_SampleID);");
    glClear(GL_COLOR_BUFFER_BIT);
    for (int i = 0; i < 3; ++i) drawQuad();
    CHECK(drawn(target)[0] == 3 * (0 + 1 + 2 + 3) / 4.0f);
    glDisable(GL_BLEND);
    glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(drawnWith(target, "color = vec4(1, 0, 0, gl_SampleID == 3 ? 1 : 0);")[0] == 0.25f);
    glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    glEnable(GL_DEPTH_TEST);
    CHECK(drawnWith(target, "color = vec4(1); gl_FragDepth = gl_SampleID < 2 ? 0.25 : 0.75;")[0] == 1);
    glUseProgram(made);
    drawQuad(0);  // at depth 0.5: before samples 2 and 3
    CHECK(drawn(target)[0] == (1 + 1 + 2 + 3) / 4.0f);
    glDeleteProgram(made);
}
