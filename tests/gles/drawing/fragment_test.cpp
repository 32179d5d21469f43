// Per-fragment operations (section 4.1): scissor, stencil, depth, masks, dithering, with expectations from the
// specification's formulas in double precision.
#define GL_GLEXT_PROTOTYPES 1
#include <GLES3/gl3.h>
// After it: the tokens of extensions.
#include <GLES2/gl2ext.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "tests/gles/drawing/color_program.h"

using namespace tessera::gles_test;

namespace {

bool passes(GLenum func, double incoming, double stored) {
    switch (func) {
        case GL_NEVER:
            return false;
        case GL_LESS:
            return incoming < stored;
        case GL_EQUAL:
            return incoming == stored;
        case GL_LEQUAL:
            return incoming <= stored;
        case GL_GREATER:
            return incoming > stored;
        case GL_NOTEQUAL:
            return incoming != stored;
        case GL_GEQUAL:
            return incoming >= stored;
        default:
            return true;
    }
}

constexpr Rgba kGreen = {0, 255, 0, 255}, kNothing = {0, 0, 0, 0};

/// The stencil value of pixel (1, 1), bit by bit through the stencil test. Changes colour state.
int stencilAt(const ColorProgram& program) {
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_STENCIL_TEST);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    program.set(0, 1, 0, 1);
    int value = 0;
    for (int bit = 0; bit < 8; ++bit) {
        clearTo({0, 0, 0, 0});
        glStencilFunc(GL_EQUAL, 0xFF, 1u << bit);
        drawQuad();
        if (pixelAt(1, 1) == kGreen) value |= 1 << bit;
    }
    return value;
}

}  // namespace

TEST_CASE("depth functions, masks and ranges") {
    TestContext context;
    ColorProgram program;
    glEnable(GL_DEPTH_TEST);
    for (GLenum func = GL_NEVER; func <= GL_ALWAYS; ++func)
        for (double stored : {0.0, 0.25, 0.5, 1.0})
            for (double incoming : {0.0, 0.25, 0.5, 1.0}) {
                CAPTURE(func);
                CAPTURE(stored);
                CAPTURE(incoming);
                glClearDepthf(static_cast<GLfloat>(stored));
                glClear(GL_DEPTH_BUFFER_BIT);
                clearTo({0, 0, 0, 0});
                glDepthFunc(func);
                program.set(0, 1, 0, 1);
                drawQuad(static_cast<GLfloat>(incoming * 2 - 1));
                CHECK((pixelAt(1, 1) == kGreen) == passes(func, incoming, stored));
                // What passed is stored, what did not is not.
                double now = passes(func, incoming, stored) ? incoming : stored;
                glDepthFunc(GL_EQUAL);
                clearTo({0, 0, 0, 0});
                drawQuad(static_cast<GLfloat>(now * 2 - 1));
                CHECK(pixelAt(1, 1) == kGreen);
            }
    // The mask keeps the depth, for draws and clears.
    glClearDepthf(0.5f);
    glClear(GL_DEPTH_BUFFER_BIT);
    glDepthMask(GL_FALSE);
    glDepthFunc(GL_ALWAYS);
    drawQuad(-1);
    glClearDepthf(0);
    glClear(GL_DEPTH_BUFFER_BIT);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_EQUAL);
    clearTo({0, 0, 0, 0});
    drawQuad(0);
    CHECK(pixelAt(1, 1) == kGreen);
    // Without the test nothing is stored either.
    glDisable(GL_DEPTH_TEST);
    drawQuad(-0.5f);
    glEnable(GL_DEPTH_TEST);
    clearTo({0, 0, 0, 0});
    drawQuad(0);
    CHECK(pixelAt(1, 1) == kGreen);
    // The range maps, also turned round: z -1..1 to n..f.
    glDepthRangef(0.75f, 0.25f);
    glDepthFunc(GL_ALWAYS);
    drawQuad(-1);
    glDepthRangef(0, 1);
    glDepthFunc(GL_EQUAL);
    clearTo({0, 0, 0, 0});
    drawQuad(0.5f);
    CHECK(pixelAt(1, 1) == kGreen);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("shaders have the depth range, and its length") {
    TestContext context;
    useProgram(kPassVertex,
               "precision highp float; void main() { gl_FragColor = vec4(gl_DepthRange.near, gl_DepthRange.far, "
               "gl_DepthRange.diff * 0.5 + 0.5, 1.0); }");
    glDepthRangef(0.2f, 0.8f);
    drawQuad();
    CHECK(pixelAt(3, 3) == Rgba{51, 204, 204, 255});
    glDepthRangef(1, 0);
    drawQuad();
    CHECK(pixelAt(3, 3) == Rgba{255, 0, 0, 255});
}

TEST_CASE("polygon offset moves polygons, not lines and points") {
    TestContext context;
    ColorProgram program;
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_POLYGON_OFFSET_FILL);
    auto drawnOver = [&](GLfloat factor, GLfloat units) {
        glClearDepthf(0.5f);
        glClear(GL_DEPTH_BUFFER_BIT);
        clearTo({0, 0, 0, 0});
        glPolygonOffset(factor, units);
        glDepthFunc(GL_LESS);
        program.set(0, 1, 0, 1);
        drawQuad(0);
        return pixelAt(1, 1) == kGreen;
    };
    CHECK_FALSE(drawnOver(0, 0));
    CHECK(drawnOver(0, -1));
    CHECK(drawnOver(0, -8));
    CHECK_FALSE(drawnOver(0, 1));
    CHECK_FALSE(drawnOver(-4, 0));  // no slope
    const GLfloat slope[4][3] = {{-1, -1, -0.5f}, {1, -1, 0.5f}, {-1, 1, -0.5f}, {1, 1, 0.5f}};
    auto slopeOver = [&](GLfloat factor) {
        glClear(GL_DEPTH_BUFFER_BIT);
        clearTo({0, 0, 0, 0});
        glEnableVertexAttribArray(0);
        glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, slope);
        glDepthFunc(GL_ALWAYS);
        glPolygonOffset(0, 0);
        program.set(1, 0, 0, 1);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        glDepthFunc(GL_LESS);
        glPolygonOffset(factor, 0);
        program.set(0, 1, 0, 1);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        return pixelAt(5, 5) == kGreen;
    };
    CHECK(slopeOver(-1));
    CHECK_FALSE(slopeOver(0));
    CHECK_FALSE(slopeOver(1));
    glDisable(GL_POLYGON_OFFSET_FILL);
    CHECK_FALSE(slopeOver(-1));
    // A line at the same depth is not moved.
    glEnable(GL_POLYGON_OFFSET_FILL);
    glClear(GL_DEPTH_BUFFER_BIT);
    clearTo({0, 0, 0, 0});
    const GLfloat line[2][2] = {{-1, 0.03f}, {1, 0.03f}};
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, line);
    glPolygonOffset(-10, -10);
    glDrawArrays(GL_LINES, 0, 2);
    CHECK(pixelAt(5, 8) == kNothing);
}

TEST_CASE("EXT_polygon_offset_clamp: the offset is bounded on the clamp's side of zero") {
    TestContext context;
    ColorProgram program;
    program.set(0, 1, 0, 1);
    glEnable(GL_DEPTH_TEST);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glClearDepthf(0.5f);
    // Depth rises from 0.3 to 0.7 over 16 columns, 0.025 a column: factor 8 is an offset of 0.2.
    const GLfloat slope[4][3] = {{-1, -1, -0.4f}, {1, -1, 0.4f}, {-1, 1, -0.4f}, {1, 1, 0.4f}};
    auto columnsBefore = [&](GLfloat factor, GLfloat clamp) {
        glClear(GL_DEPTH_BUFFER_BIT);
        clearTo({0, 0, 0, 0});
        glEnableVertexAttribArray(0);
        glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, slope);
        glPolygonOffsetClampEXT(factor, 0, clamp);
        GLfloat got = -1;
        glGetFloatv(GL_POLYGON_OFFSET_CLAMP_EXT, &got);
        CHECK((got == clamp || std::isnan(clamp)));
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        int columns = 0;
        for (int x = 0; x < 16; ++x) columns += pixelAt(x, 7) == kGreen;
        return columns;
    };
    CHECK(columnsBefore(0, 0) == 8);
    CHECK(columnsBefore(-8, 0) == 16);
    CHECK(columnsBefore(8, 0) == 0);
    CHECK(columnsBefore(-8, -0.05f) == 10);
    CHECK(columnsBefore(8, 0.05f) == 6);
    CHECK(columnsBefore(-8, 0.05f) == 16);  // bounds the other side
    CHECK(columnsBefore(8, -0.05f) == 0);
    CHECK(columnsBefore(-8, -1) == 16);
    CHECK(columnsBefore(8, NAN) == 0);
    columnsBefore(-8, -0.05f);
    glPolygonOffset(-8, 0);
    GLfloat clamp = -1;
    glGetFloatv(GL_POLYGON_OFFSET_CLAMP_EXT, &clamp);
    CHECK(clamp == 0);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("stencil functions compare masked reference and value") {
    TestContext context;
    ColorProgram program;
    glEnable(GL_STENCIL_TEST);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    program.set(0, 1, 0, 1);
    for (GLenum func = GL_NEVER; func <= GL_ALWAYS; ++func)
        for (int stored : {0, 5, 200, 255})
            for (int reference : {0, 4, 5, 255, 300, -1})
                for (unsigned mask : {0xFFu, 0xF0u, 0x01u, 0u}) {
                    glClearStencil(stored);
                    glClear(GL_STENCIL_BUFFER_BIT);
                    clearTo({0, 0, 0, 0});
                    glStencilFunc(func, reference, mask);
                    drawQuad();
                    auto clamped = static_cast<unsigned>(std::clamp(reference, 0, 255));
                    CAPTURE(func);
                    CAPTURE(stored);
                    CAPTURE(reference);
                    CAPTURE(mask);
                    CHECK((pixelAt(1, 1) == kGreen) ==
                          passes(func, clamped & mask, static_cast<unsigned>(stored) & mask));
                }
}

TEST_CASE("stencil operations in all three outcomes, with a write mask") {
    TestContext context;
    ColorProgram program;
    auto apply = [](GLenum op, int value, int reference) {
        switch (op) {
            case GL_ZERO:
                return 0;
            case GL_REPLACE:
                return reference;
            case GL_INCR:
                return std::min(value + 1, 255);
            case GL_DECR:
                return std::max(value - 1, 0);
            case GL_INCR_WRAP:
                return (value + 1) & 255;
            case GL_DECR_WRAP:
                return (value - 1) & 255;
            case GL_INVERT:
                return ~value & 255;
            default:
                return value;
        }
    };
    for (GLenum op : {GL_KEEP, GL_ZERO, GL_REPLACE, GL_INCR, GL_DECR, GL_INVERT, GL_INCR_WRAP, GL_DECR_WRAP})
        for (int value : {0, 1, 0x5C, 255})
            for (int outcome = 0; outcome < 3; ++outcome)
                for (unsigned mask : {0xFFu, 0x3Cu}) {
                    CAPTURE(op);
                    CAPTURE(value);
                    CAPTURE(outcome);
                    CAPTURE(mask);
                    glStencilMask(~0u);
                    glClearStencil(value);
                    glClearDepthf(0.5f);
                    glClear(GL_STENCIL_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
                    glEnable(GL_STENCIL_TEST);
                    glEnable(GL_DEPTH_TEST);
                    glStencilFunc(outcome == 0 ? GL_NEVER : GL_ALWAYS, 0x77, ~0u);
                    glDepthFunc(outcome == 1 ? GL_NEVER : GL_ALWAYS);
                    GLenum other = op == GL_ZERO ? GL_INVERT : GL_ZERO;
                    glStencilOp(outcome == 0 ? op : other, outcome == 1 ? op : other, outcome == 2 ? op : other);
                    glStencilMask(mask);
                    drawQuad();
                    auto keep = static_cast<int>(~mask & 255), write = static_cast<int>(mask);
                    CHECK(stencilAt(program) == ((value & keep) | (apply(op, value, 0x77) & write)));
                }
}

TEST_CASE("two-sided stencil follows the facing; clears use the front mask") {
    TestContext context;
    ColorProgram program;
    const GLfloat front[3][2] = {{-1, -1}, {3, -1}, {-1, 3}}, back[3][2] = {{-1, -1}, {-1, 3}, {3, -1}};
    for (bool isFront : {true, false})
        for (GLenum frontFace : {GL_CCW, GL_CW}) {
            glStencilMask(~0u);
            glClearStencil(10);
            glClear(GL_STENCIL_BUFFER_BIT);
            glEnable(GL_STENCIL_TEST);
            glFrontFace(frontFace);
            glStencilFuncSeparate(GL_FRONT, GL_ALWAYS, 100, ~0u);
            glStencilFuncSeparate(GL_BACK, GL_ALWAYS, 200, ~0u);
            glStencilOpSeparate(GL_FRONT, GL_KEEP, GL_KEEP, GL_REPLACE);
            glStencilOpSeparate(GL_BACK, GL_KEEP, GL_KEEP, GL_REPLACE);
            glStencilMaskSeparate(GL_BACK, 0xF0);
            glEnableVertexAttribArray(0);
            glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, isFront ? front : back);
            glDrawArrays(GL_TRIANGLES, 0, 3);
            bool drawnAsFront = isFront == (frontFace == GL_CCW);
            CHECK(stencilAt(program) == (drawnAsFront ? 100 : ((200 & 0xF0) | (10 & 0x0F))));
        }
    glStencilMask(~0u);
    glClearStencil(0);
    glClear(GL_STENCIL_BUFFER_BIT);
    glStencilMaskSeparate(GL_FRONT, 0x0F);
    glStencilMaskSeparate(GL_BACK, 0xF0);
    glClearStencil(0x1FF);  // masked with what the buffer holds
    glClear(GL_STENCIL_BUFFER_BIT);
    CHECK(stencilAt(program) == 0x0F);
}

TEST_CASE("scissor and colour mask on draws") {
    TestContext context({.width = 16, .height = 16});
    ColorProgram program;
    clearTo({0, 0, 0, 0});
    glEnable(GL_SCISSOR_TEST);
    glScissor(2, 3, 5, 6);
    glColorMask(GL_FALSE, GL_TRUE, GL_FALSE, GL_TRUE);
    program.set(1, 1, 1, 1);
    drawQuad();
    std::vector<Rgba> pixels = readRect(0, 0, 16, 16);
    int wrong = 0;
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 16; ++x) {
            bool in = x >= 2 && x < 7 && y >= 3 && y < 9;
            wrong += pixels[static_cast<size_t>(y * 16 + x)] != (in ? kGreen : kNothing);
        }
    CHECK(wrong == 0);
    glScissor(0, 0, 0, 0);
    drawQuad();
    CHECK(readRect(0, 0, 16, 16) == pixels);
    glDisable(GL_SCISSOR_TEST);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    drawQuad();
    CHECK(readRect(0, 0, 16, 16) == pixels);
}

TEST_CASE("dithering keeps exact values, and stays within a step of the others with the right mean") {
    TestContext context;
    ColorProgram program;
    for (bool dither : {true, false}) {
        (dither ? glEnable : glDisable)(GL_DITHER);
        ColorTarget target(GL_RGB565, 16, 16);
        glViewport(0, 0, 16, 16);
        program.set(8.0 / 31, 21.0 / 63, 1, 1);
        drawQuad();
        for (const Rgba& pixel : readRect(0, 0, 16, 16)) {
            CHECK(pixel[0] == std::lround(8 * 255 / 31.0));
            CHECK(pixel[1] == 85);
            CHECK(pixel[2] == 255);
        }
        double value = 8.3 / 31;
        program.set(value, value, value, 1);
        drawQuad();
        double sum = 0;
        for (const Rgba& pixel : readRect(0, 0, 16, 16)) {
            CHECK(std::abs(pixel[0] - value * 255) < 255 / 31.0 + 1);
            sum += pixel[0];
        }
        // There are sixteen thresholds, and what is read has been rounded to eight bits.
        if (dither) CHECK(std::abs(sum / 256 - value * 255) < 255 / 31.0 / 16 + 0.5);
        if (!dither) CHECK(std::abs(sum / 256 - 8 * 255 / 31.0) < 0.5);
    }
}

TEST_CASE("multisample state has no effect without sample buffers") {
    TestContext context;
    ColorProgram program;
    glEnable(GL_SAMPLE_COVERAGE);
    glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    glSampleCoverage(0, GL_FALSE);
    program.set(0, 1, 0, 0);
    drawQuad();
    CHECK(pixelAt(1, 1) == Rgba{0, 255, 0, 0});
}

// Section 4.2.3: a clear honours the masks of table 6.11 and the scissor; what they keep, keeps the draws before it.
TEST_CASE("a clear of a part leaves what was drawn before it in the other part") {
    TestContext context;
    ColorProgram program;
    constexpr GLbitfield kAll = GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT;
    const auto whole = [] {
        glStencilMask(~0u);
        glDepthMask(GL_TRUE);
        glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
        glDisable(GL_SCISSOR_TEST);
        glEnable(GL_STENCIL_TEST);
        glEnable(GL_DEPTH_TEST);
        glStencilFunc(GL_ALWAYS, 0xFF, 0xFF);
        glStencilOp(GL_REPLACE, GL_REPLACE, GL_REPLACE);
        glDepthFunc(GL_LESS);
        glClear(kAll);
    };
    const auto drawBlue = [&] {
        program.set(0, 0, 1, 1);
        drawQuad(0.5f);
    };

    whole();
    drawBlue();
    glStencilMask(0x0F);
    glClear(kAll);
    glStencilFunc(GL_EQUAL, 0xF0, 0xFF);
    program.set(0, 1, 0, 1);
    drawQuad(0);
    CHECK(pixelAt(5, 5) == Rgba{0, 255, 0, 255});

    whole();
    drawBlue();
    glDepthMask(GL_FALSE);
    glClear(kAll);
    glDepthFunc(GL_EQUAL);
    program.set(0, 1, 0, 1);
    drawQuad(0.5f);
    CHECK(pixelAt(5, 5) == Rgba{0, 255, 0, 255});

    whole();
    drawBlue();
    glColorMask(GL_TRUE, GL_TRUE, GL_FALSE, GL_FALSE);
    glClear(kAll);
    CHECK(pixelAt(5, 5) == Rgba{0, 0, 255, 255});

    whole();
    drawBlue();
    glEnable(GL_SCISSOR_TEST);
    glScissor(0, 0, 16, 15);
    glClear(kAll);
    CHECK(pixelAt(5, 15) == Rgba{0, 0, 255, 255});
    CHECK(pixelAt(5, 14) == Rgba{0, 0, 0, 0});

    whole();
    drawBlue();
    glClear(GL_COLOR_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    program.set(0, 1, 0, 1);
    drawQuad(0.75f);
    CHECK(pixelAt(5, 5) == Rgba{0, 0, 0, 0});
}

// EXT_occlusion_query_boolean: the query is of the samples that pass while it is active, whatever becomes of them.
TEST_CASE("samples are counted that a clear or a draw then covers") {
    TestContext context;
    ColorProgram program;
    program.set(0, 1, 0, 1);
    GLuint queries[3] = {};
    glGenQueriesEXT(3, queries);
    for (const GLuint query : queries) {
        glBeginQueryEXT(GL_ANY_SAMPLES_PASSED_EXT, query);
        if (query != queries[2]) drawQuad();
        glEndQueryEXT(GL_ANY_SAMPLES_PASSED_EXT);
        if (query == queries[0]) glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
        if (query == queries[1]) drawQuad();
    }
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    for (const GLuint query : queries) {
        GLuint passed = 7;
        glGetQueryObjectuivEXT(query, GL_QUERY_RESULT_EXT, &passed);
        CHECK(passed == (query != queries[2] ? 1 : 0));
    }
}
