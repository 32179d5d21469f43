// Small extensions: EXT_blend_minmax, EXT_clip_control, EXT_read_format_bgra, OES_element_index_uint,
// OES_standard_derivatives, OES_texture_npot, ANGLE_pack_reverse_row_order, KHR_context_flush_control,
// NV_conditional_render, NV_fbo_color_attachments.
#define GL_GLEXT_PROTOTYPES 1
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

#include <algorithm>
#include <random>

#include "tests/gles/texturing.h"

using namespace tessera::gles_test;

namespace {

void drawColor(float red, float green, float blue, float alpha) {
    const GLuint program = useProgram(kPassVertex, kColorFragment);
    glUniform4f(glGetUniformLocation(program, "color"), red, green, blue, alpha);
    drawQuad();
}

GLint get(GLenum name) {
    GLint value = -1;
    glGetIntegerv(name, &value);
    return value;
}

}  // namespace

TEST_CASE("blending by minimum and maximum ignores the factors") {
    TestContext context;
    glEnable(GL_BLEND);
    glBlendFunc(GL_ZERO, GL_ZERO);
    glClearColor(0.2f, 0.6f, 0.4f, 0.8f);
    glClear(GL_COLOR_BUFFER_BIT);
    glBlendEquation(GL_MAX_EXT);
    CHECK(get(GL_BLEND_EQUATION_RGB) == GL_MAX_EXT);
    drawColor(0.4f, 0.4f, 0.4f, 0.4f);
    CHECK(pixelAt(2, 2) == Rgba{102, 153, 102, 204});
    glBlendEquation(GL_MIN_EXT);
    drawColor(0, 1, 1, 0.6f);
    CHECK(pixelAt(2, 2) == Rgba{0, 153, 102, 153});
    glBlendEquationSeparate(GL_MIN_EXT, GL_MAX_EXT);
    CHECK(get(GL_BLEND_EQUATION_ALPHA) == GL_MAX_EXT);
    drawColor(1, 0.2f, -5, 9);
    CHECK(pixelAt(2, 2) == Rgba{0, 51, 0, 255});
    CHECK(glGetError() == GL_NO_ERROR);
    glBlendEquation(0x8009);  // between FUNC_ADD and FUNC_SUBTRACT: BLEND_EQUATION itself
    CHECK(glGetError() == GL_INVALID_ENUM);
}

TEST_CASE("pixels are read as BGRA, in bytes and in 16 bits") {
    TestContext context;
    glClearColor(1, 0.2f, 0.6f, 1);  // 255 51 153
    glClear(GL_COLOR_BUFFER_BIT);
    GLubyte bytes[4] = {};
    glReadPixels(0, 0, 1, 1, GL_BGRA_EXT, GL_UNSIGNED_BYTE, bytes);
    CHECK((bytes[0] == 153 && bytes[1] == 51 && bytes[2] == 255 && bytes[3] == 255));
    GLushort words[8];
    std::fill(std::begin(words), std::end(words), GLushort{0xEEEE});
    glReadPixels(0, 0, 3, 2, GL_BGRA_EXT, GL_UNSIGNED_SHORT_4_4_4_4_REV_EXT, words);
    CHECK(words[0] == (9 | 3 << 4 | 15 << 8 | 15 << 12));
    CHECK(words[2] == words[0]);
    CHECK(words[3] == 0xEEEE);  // rows start at multiples of four bytes
    CHECK(words[6] == words[0]);
    CHECK(words[7] == 0xEEEE);
    glReadPixels(0, 0, 1, 1, GL_BGRA_EXT, GL_UNSIGNED_SHORT_1_5_5_5_REV_EXT, words);
    CHECK(words[0] == (19 | 6 << 5 | 31 << 10 | 1 << 15));
    CHECK(glGetError() == GL_NO_ERROR);
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_SHORT_4_4_4_4_REV_EXT, words);
    CHECK(glGetError() == GL_INVALID_OPERATION);
    glReadPixels(0, 0, 1, 1, GL_BGRA_EXT, GL_UNSIGNED_SHORT_5_6_5, words);
    CHECK(glGetError() == GL_INVALID_OPERATION);
}

TEST_CASE("indices of 32 bits reach beyond 65535, and beyond the buffer read zero") {
    TestContext context;
    useProgram(kPassVertex, "void main() { gl_FragColor = vec4(0.0, 1.0, 0.0, 1.0); }");
    constexpr GLuint kFirst = 70000;
    std::vector<GLfloat> vertices((kFirst + 3) * 2, 5.0f);
    const GLfloat corners[] = {-1, -1, 3, -1, -1, 3};
    std::copy_n(corners, 6, &vertices[static_cast<size_t>(kFirst) * 2]);
    GLuint buffers[2];
    glGenBuffers(2, buffers);
    glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
    glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(vertices.size() * 4), vertices.data(), GL_STATIC_DRAW);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    glEnableVertexAttribArray(0);
    const GLuint indices[] = {kFirst, kFirst + 1, kFirst + 2};
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_INT, indices);
    CHECK(pixelAt(8, 8) == Rgba{0, 255, 0, 255});
    glClear(GL_COLOR_BUFFER_BIT);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices, GL_STATIC_DRAW);
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_INT, nullptr);
    CHECK(pixelAt(8, 8) == Rgba{0, 255, 0, 255});
    // The corner that is out of reach lies at the origin: what is left covers the lower left half of the rest.
    const GLuint beyond[] = {kFirst, kFirst + 1, 0xFFFFFFFFu};
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof beyond, beyond, GL_STATIC_DRAW);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_INT, nullptr);
    CHECK(pixelAt(8, 2) == Rgba{0, 255, 0, 255});
    CHECK(pixelAt(8, 12) == Rgba{0, 0, 0, 0});
    // An index beyond its buffer is 0, of vertices in the application's memory too.
    const GLushort two[] = {1, 2};
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof two, two, GL_STATIC_DRAW);
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, nullptr);
    CHECK(pixelAt(0, 0) == Rgba{0, 255, 0, 255});
    CHECK(pixelAt(15, 15) == Rgba{0, 255, 0, 255});
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("derivatives: of planes, and the hint") {
    TestContext context;
    useProgram(
        "attribute vec4 position; varying highp vec2 at; void main() { gl_Position = position;"
        " at = (position.xy * 0.5 + 0.5) * 16.0; }",
        "#extension GL_OES_standard_derivatives : require\n"
        "precision highp float; varying highp vec2 at;"
        "void main() { gl_FragColor = vec4(dFdx(at.x * 0.2 + at.y), dFdy(at.x - at.y * 0.4) + 1.0,"
        " fwidth(at.x * 0.2 - at.y * 0.4), 1.0); }");
    drawQuad();
    for (int i = 0; i < 16; ++i) CHECK(near(pixelAt(i, 15 - i), {51, 153, 153, 255}, 1));
    CHECK(get(GL_FRAGMENT_SHADER_DERIVATIVE_HINT_OES) == GL_DONT_CARE);
    glHint(GL_FRAGMENT_SHADER_DERIVATIVE_HINT_OES, GL_NICEST);
    CHECK(get(GL_FRAGMENT_SHADER_DERIVATIVE_HINT_OES) == GL_NICEST);
    glHint(GL_FRAGMENT_SHADER_DERIVATIVE_HINT_OES, GL_LINEAR);
    CHECK(glGetError() == GL_INVALID_ENUM);
}

TEST_CASE("textures of any size repeat and have mipmaps") {
    TestContext context;
    const GLuint texture = bindNewTexture(GL_TEXTURE_2D);
    std::vector<Rgba> pixels(5 * 3, Rgba{0, 0, 255, 255});
    pixels[0] = {255, 0, 0, 255};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 5, 3, 0, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
    glGenerateMipmap(GL_TEXTURE_2D);
    CHECK(glGetError() == GL_NO_ERROR);
    for (GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) glTexParameteri(GL_TEXTURE_2D, wrap, GL_REPEAT);
    useTextureProgram("texture2D(image, vec2(0.1, 0.1) + vec2(3.0, -2.0))");
    drawQuad();
    CHECK(pixelAt(4, 4) == Rgba{255, 0, 0, 255});
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_MIRRORED_REPEAT);
    drawQuad();
    CHECK(pixelAt(4, 4) == Rgba{0, 0, 255, 255});  // the third repetition is mirrored
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    useTextureProgram("texture2D(image, at * 100.0)");
    drawQuad();
    CHECK(near(pixelAt(4, 4), {17, 0, 238, 255}, 1));  // the smallest level: one texel of fifteen is red
    glDeleteTextures(1, &texture);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("a framebuffer takes several colour attachments, alike or not complete") {
    TestContext context;
    REQUIRE(get(GL_MAX_COLOR_ATTACHMENTS_NV) >= 2);
    ColorTarget target(GL_RGBA4, 8, 8);
    GLuint second = 0;
    glGenRenderbuffers(1, &second);
    glBindRenderbuffer(GL_RENDERBUFFER, second);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA4, 8, 8);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1_NV, GL_RENDERBUFFER, second);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    // Only the first is drawn to unless EXT_draw_buffers says otherwise.
    glClearColor(1, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(pixelAt(3, 3) == Rgba{255, 0, 0, 255});
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, second);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1_NV, GL_RENDERBUFFER, 0);
    CHECK(pixelAt(3, 3) == Rgba{0, 0, 0, 0});
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1_NV, GL_RENDERBUFFER, second);
    glBindRenderbuffer(GL_RENDERBUFFER, second);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT16, 8, 8);
    CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    CHECK(glGetError() == GL_NO_ERROR);
    const GLenum beyond = static_cast<GLenum>(GL_COLOR_ATTACHMENT0 + get(GL_MAX_COLOR_ATTACHMENTS_NV));
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, beyond, GL_RENDERBUFFER, second);
    CHECK(glGetError() != GL_NO_ERROR);
    glDeleteRenderbuffers(1, &second);
}

namespace {

/// Triangles with corners on multiples of 1/8, drawn as `convention` writes clip coordinates, with depth and culling.
std::vector<Rgba> trianglesAs(const std::string& convention, GLenum frontFace) {
    GLuint program = useProgram("attribute vec4 position; varying vec3 tint; void main() { vec4 p = position; " +
                                    convention + " gl_Position = p; tint = abs(position.zxy) * 0.4; }",
                                "precision highp float; varying vec3 tint;"
                                "void main() { gl_FragColor = vec4(tint, gl_FrontFacing ? 1.0 : 0.5); }");
    std::mt19937 random(8);
    std::vector<std::array<GLfloat, 3>> corners(300);
    for (auto& corner : corners)
        for (GLfloat& x : corner) x = static_cast<GLfloat>(static_cast<int>(random() % 33) - 16) / 8;
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, corners.data());
    glEnableVertexAttribArray(0);
    glEnable(GL_DEPTH_TEST);
    glFrontFace(frontFace);
    glDepthRangef(0.25f, 0.75f);
    std::vector<Rgba> both;
    for (const bool culls : {false, true}) {
        culls ? glEnable(GL_CULL_FACE) : glDisable(GL_CULL_FACE);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glDrawArrays(GL_TRIANGLES, 0, 300);
        const std::vector<Rgba> picture = readRect(0, 0, 32, 32);
        both.insert(both.end(), picture.begin(), picture.end());
    }
    glDeleteProgram(program);
    return both;
}

}  // namespace

TEST_CASE("EXT_clip_control: positions of every convention give the picture of the common one") {
    TestContext context({.width = 32, .height = 32});
    CHECK(get(GL_CLIP_ORIGIN_EXT) == GL_LOWER_LEFT_EXT);
    CHECK(get(GL_CLIP_DEPTH_MODE_EXT) == GL_NEGATIVE_ONE_TO_ONE_EXT);
    const std::vector<Rgba> common = trianglesAs("", GL_CCW);
    CHECK(common != trianglesAs("", GL_CW));
    // z from 0 on is (z + w) / 2, exactly for these corners. A face turns over when y does.
    glClipControlEXT(GL_LOWER_LEFT_EXT, GL_ZERO_TO_ONE_EXT);
    CHECK(get(GL_CLIP_DEPTH_MODE_EXT) == GL_ZERO_TO_ONE_EXT);
    CHECK(trianglesAs("p.z = (p.z + p.w) / 2.0;", GL_CCW) == common);
    CHECK(trianglesAs("", GL_CCW) != common);
    glClipControlEXT(GL_UPPER_LEFT_EXT, GL_NEGATIVE_ONE_TO_ONE_EXT);
    CHECK(get(GL_CLIP_ORIGIN_EXT) == GL_UPPER_LEFT_EXT);
    CHECK(trianglesAs("p.y = -p.y;", GL_CW) == common);
    glClipControlEXT(GL_UPPER_LEFT_EXT, GL_ZERO_TO_ONE_EXT);
    CHECK(trianglesAs("p.y = -p.y; p.z = (p.z + p.w) / 2.0;", GL_CW) == common);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("EXT_clip_control: a depth from 0 on is the window's, without scaling") {
    TestContext context;
    glClipControlEXT(GL_LOWER_LEFT_EXT, GL_ZERO_TO_ONE_EXT);
    GLuint program = useProgram(kPassVertex,
                                "precision highp float; uniform float expected;"
                                "void main() { float d = abs(gl_FragCoord.z - expected);"
                                " gl_FragColor = vec4(d < 1e-6 ? 0.0 : 1.0, 1.0, 0.0, 1.0); }");
    for (const float z : {0.0f, 0.125f, 0.3f, 1.0f}) {
        glUniform1f(glGetUniformLocation(program, "expected"), z);
        glClear(GL_COLOR_BUFFER_BIT);
        drawQuad(z);
        CHECK(pixelAt(3, 3) == Rgba{0, 255, 0, 255});
    }
    glClear(GL_COLOR_BUFFER_BIT);
    drawQuad(-0.125f);  // before the near plane
    CHECK(pixelAt(3, 3) == Rgba{0, 0, 0, 0});
}

TEST_CASE("NV_conditional_render: draws, clears and blits wait for the query and depend on it") {
    TestContext context;
    GLuint white = 0, texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glGenFramebuffers(1, &white);
    glBindFramebuffer(GL_FRAMEBUFFER, white);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glClearColor(1, 1, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    GLuint queries[2] = {};
    glGenQueriesEXT(2, queries);
    glScissor(0, 0, 0, 0);
    for (const bool passes : {false, true}) {
        passes ? glDisable(GL_SCISSOR_TEST) : glEnable(GL_SCISSOR_TEST);
        glBeginQueryEXT(GL_ANY_SAMPLES_PASSED_EXT, queries[passes]);
        drawColor(1, 1, 1, 1);
        glEndQueryEXT(GL_ANY_SAMPLES_PASSED_EXT);
    }
    for (const GLenum mode :
         {GL_QUERY_WAIT_NV, GL_QUERY_NO_WAIT_NV, GL_QUERY_BY_REGION_WAIT_NV, GL_QUERY_BY_REGION_NO_WAIT_NV})
        for (const bool passes : {false, true}) {
            glClearColor(0, 0, 1, 1);
            glClear(GL_COLOR_BUFFER_BIT);
            glBeginConditionalRenderNV(queries[passes], mode);
            glClearColor(1, 0, 0, 1);
            glClear(GL_COLOR_BUFFER_BIT);
            CHECK(pixelAt(3, 3) == (passes ? Rgba{255, 0, 0, 255} : Rgba{0, 0, 255, 255}));
            drawColor(0, 1, 0, 1);
            CHECK(pixelAt(3, 3) == (passes ? Rgba{0, 255, 0, 255} : Rgba{0, 0, 255, 255}));
            glBindFramebuffer(GL_READ_FRAMEBUFFER_NV, white);
            glBlitFramebufferNV(0, 0, 4, 4, 0, 0, 4, 4, GL_COLOR_BUFFER_BIT, GL_NEAREST);
            glBindFramebuffer(GL_READ_FRAMEBUFFER_NV, 0);
            glEndConditionalRenderNV();
            CHECK(pixelAt(3, 3) == (passes ? Rgba{255, 255, 255, 255} : Rgba{0, 0, 255, 255}));
            drawColor(1, 1, 0, 1);
            CHECK(pixelAt(3, 3) == Rgba{255, 255, 0, 255});
        }
    CHECK(glGetError() == GL_NO_ERROR);
    const auto error = [](GLenum expected, auto call) {
        call();
        CHECK(glGetError() == expected);
    };
    glBeginConditionalRenderNV(queries[0], GL_QUERY_WAIT_NV);
    error(GL_INVALID_OPERATION, [&] { glBeginConditionalRenderNV(queries[1], GL_QUERY_WAIT_NV); });
    error(GL_INVALID_OPERATION, [&] { glBeginQueryEXT(GL_ANY_SAMPLES_PASSED_EXT, queries[0]); });
    glEndConditionalRenderNV();
    glBeginQueryEXT(GL_ANY_SAMPLES_PASSED_EXT, queries[0]);
    error(GL_INVALID_OPERATION, [&] { glBeginConditionalRenderNV(queries[0], GL_QUERY_WAIT_NV); });
    glEndQueryEXT(GL_ANY_SAMPLES_PASSED_EXT);
    GLuint time = 0;
    glGenQueriesEXT(1, &time);
    error(GL_INVALID_VALUE, [&] { glBeginConditionalRenderNV(time, GL_QUERY_WAIT_NV); });  // a name alone
    glQueryCounterEXT(time, GL_TIMESTAMP_EXT);
    error(GL_INVALID_OPERATION, [&] { glBeginConditionalRenderNV(time, GL_QUERY_WAIT_NV); });
}

TEST_CASE("ANGLE_pack_reverse_row_order: the topmost row comes first") {
    TestContext context({.width = 8, .height = 8});
    glEnable(GL_SCISSOR_TEST);
    for (int y = 0; y < 8; ++y) {
        glScissor(0, y, 8, 1);
        glClearColor(static_cast<float>(y) / 255, static_cast<float>(8 * y) / 255, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT);
    }
    const auto read = [](int y, int height, bool reversed) {
        glPixelStorei(GL_PACK_REVERSE_ROW_ORDER_ANGLE, reversed ? 77 : 0);
        std::vector<Rgba> rows(static_cast<size_t>(3 * height), Rgba{9, 9, 9, 9});
        glReadPixels(2, y, 3, height, GL_RGBA, GL_UNSIGNED_BYTE, rows.data());
        CHECK(get(GL_PACK_REVERSE_ROW_ORDER_ANGLE) == (reversed ? GL_TRUE : GL_FALSE));
        return rows;
    };
    // Rows beyond the framebuffer stay what they were, wherever they are.
    for (const auto& [y, height] : {std::pair{0, 8}, {1, 4}, {-3, 6}, {5, 9}, {-2, 12}, {7, 1}}) {
        CAPTURE(y);
        std::vector<Rgba> plain = read(y, height, false);
        for (int row = 0; row < height; ++row) {
            const auto code = static_cast<uint8_t>(y + row);
            const bool inside = y + row >= 0 && y + row < 8;
            CHECK(plain[static_cast<size_t>(3 * row)] ==
                  (inside ? Rgba{code, static_cast<uint8_t>(8 * code), 0, 255} : Rgba{9, 9, 9, 9}));
        }
        std::vector<Rgba> flipped;
        for (int row = height - 1; row >= 0; --row)
            flipped.insert(flipped.end(), plain.begin() + 3 * row, plain.begin() + 3 * row + 3);
        CHECK(read(y, height, true) == flipped);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("KHR_context_flush_control: what a context does when it is left") {
    TestContext context;
    CHECK(get(GL_CONTEXT_RELEASE_BEHAVIOR_KHR) == GL_CONTEXT_RELEASE_BEHAVIOR_FLUSH_KHR);
}
