// What primitives are clipped and culled by besides the view volume: EXT_clip_cull_distance, EXT_depth_clamp.
#include <GLES3/gl3.h>
// After it: the tokens of extensions.
#include <GLES2/gl2ext.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "tests/gles/fixture.h"

using namespace tessera::gles_test;

namespace {

const std::string kHead = "#version 300 es\n#extension GL_EXT_clip_cull_distance : require\n";

std::string vertexText(const std::string& declarations, const std::string& body) {
    return kHead + declarations + "in vec4 position; uniform vec4 plane; void main() { gl_Position = position; " +
           body + " }";
}
constexpr const char* kGreen =
    "#version 300 es\nprecision highp float; out vec4 color; void main() { color = vec4(0.0, 1.0, 0.0, 1.0); }";

/// Counts what is drawn: a pixel that is drawn n times has n * 50.
constexpr const char* kCount =
    "#version 300 es\nprecision highp float; out vec4 color; void main() { color = vec4(50.0 / 255.0); }";

bool isGreen(int x, int y) { return pixelAt(x, y) == Rgba{0, 255, 0, 255}; }

void draw(GLuint program, GLenum mode, const std::vector<GLfloat>& positions) {
    glUseProgram(program);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, positions.data());
    glEnableVertexAttribArray(0);
    glDrawArrays(mode, 0, static_cast<GLsizei>(positions.size() / 4));
    CHECK(glGetError() == GL_NO_ERROR);
}

GLuint makePlaneProgram(const std::string& vertex, const char* fragment, std::array<GLfloat, 4> plane) {
    const GLuint program = makeProgram(vertex, fragment);
    REQUIRE(program != 0);
    glUseProgram(program);
    glUniform4fv(glGetUniformLocation(program, "plane"), 1, plane.data());
    return program;
}

}  // namespace

TEST_CASE("limits of clip and cull distances, and their switches") {
    TestContext context(kEs3);
    for (const GLenum limit :
         {GL_MAX_CLIP_DISTANCES_EXT, GL_MAX_CULL_DISTANCES_EXT, GL_MAX_COMBINED_CLIP_AND_CULL_DISTANCES_EXT})
        CHECK(getInt(limit) == 8);
    for (GLenum i = 0; i < 8; ++i) {
        CHECK(glIsEnabled(GL_CLIP_DISTANCE0_EXT + i) == GL_FALSE);
        glEnable(GL_CLIP_DISTANCE0_EXT + i);
        CHECK(glIsEnabled(GL_CLIP_DISTANCE0_EXT + i) == GL_TRUE);
        CHECK(getInt(GL_CLIP_DISTANCE0_EXT + i) == 1);
    }
    glEnable(GL_CLIP_DISTANCE0_EXT + 8);
    CHECK(glGetError() == GL_INVALID_ENUM);
    TestContext second;
    glEnable(GL_CLIP_DISTANCE0_EXT);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glEnable(GL_DEPTH_CLAMP_EXT);
    CHECK(glGetError() == GL_INVALID_ENUM);
    CHECK(getInt(GL_MAX_CLIP_DISTANCES_EXT) == 0);
}

TEST_CASE("a clip distance that is enabled cuts triangles, lines and points where it is negative") {
    TestContext context(kEs3);
    const GLuint program =
        makePlaneProgram(vertexText("", "gl_ClipDistance[1] = dot(plane, position); gl_PointSize = 1.0;"), kGreen,
                         {1, 0, 0, -0.25f});  // x >= 0.25: from pixel 10 on
    const std::vector<GLfloat> quad = {-1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1, 1, 1, 0, 1};
    draw(program, GL_TRIANGLE_STRIP, quad);
    CHECK(isGreen(2, 5));  // it is not enabled yet
    glEnable(GL_CLIP_DISTANCE0_EXT + 1);
    glEnable(GL_CLIP_DISTANCE0_EXT + 5);  // which the shader does not write
    glClear(GL_COLOR_BUFFER_BIT);
    draw(program, GL_TRIANGLE_STRIP, quad);
    for (const int y : {0, 7, 15}) {
        CHECK_FALSE(isGreen(9, y));
        CHECK(isGreen(10, y));
        CHECK(isGreen(15, y));
    }
    glClear(GL_COLOR_BUFFER_BIT);
    draw(program, GL_LINES, {-1, 0.0625f, 0, 1, 1, 0.0625f, 0, 1});
    CHECK_FALSE(isGreen(8, 8));
    CHECK(isGreen(11, 8));
    glClear(GL_COLOR_BUFFER_BIT);
    draw(program, GL_POINTS, {-0.4375f, 0.0625f, 0, 1, 0.5625f, 0.0625f, 0, 1});
    CHECK_FALSE(isGreen(4, 8));
    CHECK(isGreen(12, 8));
}

TEST_CASE("what two complements of a clip distance leave covers each pixel once") {
    TestContext context({.width = 64, .height = 64, .version = 3});
    const std::string vertex = vertexText("out highp float gl_ClipDistance[1];",
                                          "gl_ClipDistance[0] = plane.w * dot(plane.xyz, position.xyw);");
    std::mt19937 random(1);
    const auto unit = [&] { return static_cast<GLfloat>(random() % 2001) / 1000 - 1; };
    glEnable(GL_CLIP_DISTANCE0_EXT);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    const std::vector<GLfloat> quad = {-1, -1, 0, 1, 2, -2, 0, 2, -3, 3, 0, 3, 1, 1, 0, 1};
    for (int round = 0; round < 20; ++round) {
        const GLfloat a = unit(), b = unit(), c = unit() / 2;
        glClear(GL_COLOR_BUFFER_BIT);
        for (const GLfloat sign : {1.0f, -1.0f})
            draw(makePlaneProgram(vertex, kCount, {a, b, c, sign}), GL_TRIANGLE_STRIP, quad);
        int wrong = 0;
        for (const Rgba& pixel : readRect(0, 0, 64, 64)) wrong += pixel != Rgba{50, 50, 50, 50};
        CHECK(wrong == 0);
    }
}

TEST_CASE("a primitive is culled when one of its cull distances is negative at all vertices") {
    TestContext context(kEs3);
    const GLuint program =
        makePlaneProgram(vertexText("", "gl_CullDistance[0] = 1.0; gl_CullDistance[1] = dot(plane, position);"), kGreen,
                         {1, 0, 0, -0.25f});
    // The first reaches into the half space and stays whole; the second does not.
    draw(program, GL_TRIANGLES,
         {-1, -1, 0, 1, 0.5f, -1, 0, 1, -1, 0, 0, 1, -1, 0.1f, 0, 1, 0.2f, 1, 0, 1, -1, 1, 0, 1});
    CHECK(isGreen(1, 1));
    CHECK_FALSE(isGreen(1, 14));
    draw(program, GL_POINTS, {-0.4375f, 0.9375f, 0, 1});
    CHECK_FALSE(isGreen(4, 15));
}

TEST_CASE("fragment shaders read distances, and sizes agree") {
    TestContext context(kEs3);
    const GLuint program = makePlaneProgram(
        vertexText("out highp float gl_ClipDistance[2]; out highp float gl_CullDistance[1];",
                   "for (int i = 0; i < 2; ++i) gl_ClipDistance[i] = position.x * float(i) + 0.5;"
                   "gl_CullDistance[0] = 0.25;"),
        (kHead + "precision highp float; out vec4 color; in float gl_ClipDistance[2]; in float gl_CullDistance[1];"
                 "void main() { color = vec4(gl_ClipDistance[0], gl_ClipDistance[1], gl_CullDistance[0],"
                 " float(gl_MaxClipDistances + gl_MaxCullDistances + gl_MaxCombinedClipAndCullDistances) / 24.0); }")
            .c_str(),
        {});
    const std::vector<GLfloat> quad = {-1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1, 1, 1, 0, 1};
    draw(program, GL_TRIANGLE_STRIP, quad);
    CHECK(near(pixelAt(4, 4), {128, 16, 64, 255}, 2));
    CHECK(compiles(GL_VERTEX_SHADER, vertexText("", "gl_ClipDistance[7] = 1.0;")));
    CHECK_FALSE(compiles(GL_VERTEX_SHADER, vertexText("", "gl_ClipDistance[8] = 1.0;")));
    CHECK_FALSE(compiles(GL_VERTEX_SHADER, vertexText("", "gl_ClipDistance[6] = 1.0; gl_CullDistance[1] = 1.0;")));
    CHECK_FALSE(compiles(GL_VERTEX_SHADER, vertexText("out highp float gl_ClipDistance[9];", "")));
    CHECK_FALSE(compiles(GL_VERTEX_SHADER, vertexText("out highp vec2 gl_ClipDistance[2];", "")));
    CHECK_FALSE(compiles(GL_VERTEX_SHADER,
                         "#version 300 es\nvoid main() { gl_ClipDistance[0] = 1.0; gl_Position = vec4(0.0); }"));
}

TEST_CASE("with GL_DEPTH_CLAMP_EXT nothing is cut at the near and far planes, and depths are brought to their range") {
    TestContext context(kEs3);
    const GLuint program = makePlaneProgram(
        "#version 300 es\nin vec4 position; uniform vec4 plane; void main() { gl_Position = position;"
        " gl_PointSize = 1.0; }",
        kGreen, {});
    const auto depthQuad = [](GLfloat z) {
        return std::vector<GLfloat>{-1, -1, z, 1, 1, -1, z, 1, -1, 1, z, 1, 1, 1, z, 1};
    };
    // Each covers pixel 8,8 by itself.
    const auto corners = [&](GLenum mode, GLfloat z) {
        constexpr GLfloat kMiddle = 0.0625f;
        return mode == GL_LINES    ? std::vector<GLfloat>{-1, kMiddle, z, 1, 1, kMiddle, z, 1}
               : mode == GL_POINTS ? std::vector<GLfloat>{kMiddle, kMiddle, z, 1}
                                   : depthQuad(z);
    };
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_ALWAYS);
    draw(program, GL_TRIANGLE_STRIP, depthQuad(3));
    CHECK_FALSE(isGreen(5, 5));
    glEnable(GL_DEPTH_CLAMP_EXT);
    CHECK(glIsEnabled(GL_DEPTH_CLAMP_EXT) == GL_TRUE);
    for (const auto [z, range0, range1, nearest] :
         {std::array{3.0f, 0.0f, 1.0f, 1.0f}, std::array{-5.0f, 0.0f, 1.0f, 0.0f}, std::array{3.0f, 0.25f, 0.5f, 0.5f},
          std::array{-3.0f, 0.25f, 0.5f, 0.25f}, std::array{3.0f, 0.5f, 0.25f, 0.25f}}) {
        for (const GLenum mode : {GL_TRIANGLE_STRIP, GL_LINES, GL_POINTS}) {
            CAPTURE(mode);
            glDepthRangef(range0, range1);
            glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
            glDepthFunc(GL_ALWAYS);
            draw(program, mode, corners(mode, z));
            CHECK(isGreen(8, 8));
            // It is stored as the end of the range.
            glDepthRangef(0, 1);
            glDepthFunc(GL_EQUAL);
            glClear(GL_COLOR_BUFFER_BIT);
            draw(program, GL_TRIANGLE_STRIP, depthQuad(nearest * 2 - 1));
            CHECK(isGreen(8, 8));
        }
    }
    // Behind the eye nothing is seen in any case.
    glClear(GL_COLOR_BUFFER_BIT);
    glDepthFunc(GL_ALWAYS);
    draw(program, GL_TRIANGLES, {-1, -1, 0, -1, 1, -1, 0, -1, 0, 1, 0, -1});
    draw(program, GL_TRIANGLES, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0});
    CHECK_FALSE(isGreen(8, 8));
    // A triangle that crosses the plane of the eye keeps the part before it.
    draw(program, GL_TRIANGLES, {-1, -1, 0, 1, 1, -1, 0, 1, 0, 3, 9, -1});
    CHECK(isGreen(8, 4));
}
