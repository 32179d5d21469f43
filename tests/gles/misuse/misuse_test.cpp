// Misuse that must neither crash, hang, nor read foreign memory: indices and buffers that do not fit, values that are
// no numbers, sizes of nothing, shaders that never end. After each the context still draws.
#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <random>

#include "api/gles/gles.h"
#include "tests/gles/texturing.h"

using namespace tessera::gles_test;

namespace {

constexpr Rgba kGreen = {0, 255, 0, 255}, kRed = {255, 0, 0, 255};

/// The context is in working order: a program made now fills the window with green.
void checkStillDraws() {
    while (glGetError() != GL_NO_ERROR) {
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, 16, 16);
    GLuint program = useProgram(kPassVertex, kColorFragment);
    glUniform4f(glGetUniformLocation(program, "color"), 0, 1, 0, 1);
    for (GLuint i = 0; i < 16; ++i) glDisableVertexAttribArray(i);
    drawQuad();
    CHECK(pixelAt(1, 14) == kGreen);
    CHECK(glGetError() == GL_NO_ERROR);
    glDeleteProgram(program);
}

/// position at 0, tint at 1 shown as colour.
GLuint useTintProgram() {
    GLuint program = glCreateProgram();
    glAttachShader(program, makeShader(GL_VERTEX_SHADER,
                                       "attribute vec4 position; attribute vec4 tint; varying vec4 color; void main() "
                                       "{ color = tint; gl_Position = position; gl_PointSize = 16.0; }"));
    glAttachShader(program,
                   makeShader(GL_FRAGMENT_SHADER,
                              "precision mediump float; varying vec4 color; void main() { gl_FragColor = color; }"));
    glBindAttribLocation(program, 0, "position");
    glBindAttribLocation(program, 1, "tint");
    glLinkProgram(program);
    glUseProgram(program);
    return program;
}

GLuint bindBuffer(GLenum target, const void* data, size_t bytes) {
    GLuint buffer = 0;
    glGenBuffers(1, &buffer);
    glBindBuffer(target, buffer);
    glBufferData(target, static_cast<GLsizeiptr>(bytes), data, GL_STATIC_DRAW);
    return buffer;
}

const void* offset(uintptr_t bytes) { return reinterpret_cast<const void*>(bytes); }

double seconds(const std::function<void()>& run) {
    auto start = std::chrono::steady_clock::now();
    run();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

TEST_CASE("attributes beyond their buffer read as nothing of anybody else's") {
    TestContext context;
    useTintProgram();
    std::vector<uint8_t> secret(4096, 0xFF);  // lies about in memory near what is read
    const GLfloat position[4] = {0, 0, 0, 1};
    glVertexAttrib4fv(0, position);
    glEnableVertexAttribArray(1);
    const GLubyte tint[8] = {255, 0, 0, 255, 255, 0, 0, 255};
    bindBuffer(GL_ARRAY_BUFFER, tint, sizeof tint);
    const struct {
        GLint first;
        GLsizei stride;
        uintptr_t start;
        bool inside;
    } rows[] = {{0, 0, 0, true},
                {1, 0, 0, true},
                {2, 0, 0, false},
                {1000, 0, 0, false},
                {INT32_MAX - 1, 0, 0, false},
                {0, 0, 4, true},
                {0, 0, 6, false},
                {0, 0, 8, false},
                {0, 0, ~uintptr_t{0}, false},
                {0, 0, uintptr_t{1} << 63, false},
                {0, 0, (uintptr_t{1} << 63) - 1, false},
                {1, INT32_MAX, 0, false},
                {0, INT32_MAX, 0, true},
                {1000, INT32_MAX, 0, false},
                {1, 5, 0, false}};
    for (const auto& row : rows) {
        CAPTURE(row.first);
        CAPTURE(row.stride);
        CAPTURE(row.start);
        glClear(GL_COLOR_BUFFER_BIT);
        glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, row.stride, offset(row.start));
        glDrawArrays(GL_POINTS, row.first, 1);
        Rgba got = pixelAt(8, 8);
        if (row.inside) CHECK(got == kRed);
        // Zeros, with or without the 1 of a missing w; never bytes from beyond the end.
        if (!row.inside) CHECK((got == Rgba{0, 0, 0, 0} || got == Rgba{0, 0, 0, 255} || got == kRed));
        if (!row.inside && (row.first >= 2 || row.start >= 8)) CHECK(got[0] == 0);
    }
    CHECK(secret[17] == 0xFF);
    checkStillDraws();
}

TEST_CASE("indices beyond the vertices, and beyond their buffer") {
    TestContext context;
    useTintProgram();
    glEnableVertexAttribArray(0);
    glVertexAttrib4f(1, 1, 0, 0, 1);
    const GLfloat triangle[3][2] = {{-1, -1}, {3, -1}, {-1, 3}};
    bindBuffer(GL_ARRAY_BUFFER, triangle, sizeof triangle);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    const GLushort indices[6] = {0, 1, 2, 65535, 65534, 65533};
    glDrawElements(GL_TRIANGLES, 6, GL_UNSIGNED_SHORT, indices);
    CHECK(pixelAt(8, 8) == kRed);  // the good triangle is drawn
    bindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices, sizeof indices);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawElements(GL_TRIANGLES, 300, GL_UNSIGNED_SHORT, nullptr);
    CHECK(pixelAt(8, 8) == kRed);
    for (uintptr_t at : {uintptr_t{1}, uintptr_t{11}, uintptr_t{12}, uintptr_t{1000}, ~uintptr_t{0}, ~uintptr_t{1},
                         uintptr_t{1} << 63})
        for (GLenum type : {GL_UNSIGNED_BYTE, GL_UNSIGNED_SHORT, GL_UNSIGNED_INT})
            glDrawElements(GL_TRIANGLES, 30, type, offset(at));
    // Client arrays with indices from a buffer that is too small: missing indices are 0.
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, triangle);
    bindBuffer(GL_ELEMENT_ARRAY_BUFFER, indices, 6);
    glClear(GL_COLOR_BUFFER_BIT);
    glDrawElements(GL_TRIANGLES, 300, GL_UNSIGNED_SHORT, nullptr);
    CHECK(pixelAt(8, 8) == kRed);
    bindBuffer(GL_ELEMENT_ARRAY_BUFFER, nullptr, 0);
    glDrawElements(GL_TRIANGLES, 300, GL_UNSIGNED_SHORT, nullptr);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
    glDrawElements(GL_TRIANGLES, 300, GL_UNSIGNED_SHORT, nullptr);  // neither a buffer nor client indices
    checkStillDraws();
}

TEST_CASE("an enabled array that points nowhere, a deleted buffer, a shrunk buffer") {
    TestContext context;
    useTintProgram();
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
    glVertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, 0, nullptr);
    glDrawArrays(GL_TRIANGLES, 0, 300);
    const GLfloat triangle[3][2] = {{-1, -1}, {3, -1}, {-1, 3}};
    GLuint buffer = bindBuffer(GL_ARRAY_BUFFER, triangle, sizeof triangle);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, offset(8));
    glDeleteBuffers(1, &buffer);
    glDrawArrays(GL_TRIANGLES, 0, 300);
    buffer = bindBuffer(GL_ARRAY_BUFFER, triangle, sizeof triangle);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    glDisableVertexAttribArray(1);
    glVertexAttrib4f(1, 0, 1, 0, 1);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glBufferData(GL_ARRAY_BUFFER, 4, nullptr, GL_STATIC_DRAW);
    glVertexAttrib4f(1, 1, 0, 0, 1);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    CHECK(pixelAt(8, 8) == kGreen);  // the first draw had the whole buffer, the second made nothing of its rest
    {
        // Deleted in one context, still attached to the attributes of another.
        glBufferData(GL_ARRAY_BUFFER, sizeof triangle, triangle, GL_STATIC_DRAW);
        TestContext second({.share = &context});
        glDeleteBuffers(1, &buffer);
        context.makeCurrent();
        glDrawArrays(GL_TRIANGLES, 0, 3);
        CHECK(pixelAt(8, 8) == kRed);
    }
    context.makeCurrent();
    checkStillDraws();
}

TEST_CASE("counts beyond all memory") {
    TestContext context;
    useTintProgram();
    static const GLfloat data[4] = {};
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, data);
    glDrawArrays(GL_POINTS, 0, INT32_MAX);  // would copy 32 gigabytes of client memory
    CHECK(glGetError() == GL_OUT_OF_MEMORY);
    glBindBuffer(GL_ARRAY_BUFFER, 1);
    glBufferData(GL_ARRAY_BUFFER, PTRDIFF_MAX, nullptr, GL_STATIC_DRAW);
    CHECK(glGetError() == GL_OUT_OF_MEMORY);
    // Many vertices with nothing behind them come back in time.
    glBufferData(GL_ARRAY_BUFFER, 16, nullptr, GL_STATIC_DRAW);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
    CHECK(seconds([] {
              glDrawArrays(GL_TRIANGLES, 0, 300000);
              glDrawArrays(GL_TRIANGLES, INT32_MAX - 1000, 1000);
              glFinish();
          }) < 20);
    checkStillDraws();
}

TEST_CASE("positions that are no numbers, or infinite") {
    TestContext context;
    useTintProgram();
    glVertexAttrib4f(1, 1, 0, 0, 1);
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    const float odd[] = {nan, infinity, -infinity, 3.4e38f, -3.4e38f, 1e-45f, 0.0f, -0.0f, 1.0f, -1.0f};
    std::mt19937 random(6);
    glEnableVertexAttribArray(0);
    glEnable(GL_DEPTH_TEST);
    glLineWidth(5);
    for (int round = 0; round < 400; ++round) {
        GLfloat vertices[6][4];
        for (auto& vertex : vertices)
            for (GLfloat& x : vertex) x = odd[random() % std::size(odd)];
        glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, vertices);
        for (GLenum mode = GL_POINTS; mode <= GL_TRIANGLE_FAN; ++mode) glDrawArrays(mode, 0, 6);
    }
    glFinish();
    // A triangle with one corner that is no number draws nothing near the others' neighbour.
    glDisable(GL_DEPTH_TEST);
    checkStillDraws();
    useTintProgram();
    const GLfloat split[6][2] = {{nan, nan}, {0, 0}, {1, 1}, {-1, -1}, {-0.5f, -1}, {-1, -0.5f}};
    glEnableVertexAttribArray(0);
    glVertexAttrib4f(1, 1, 0, 0, 1);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, split);
    glDrawArrays(GL_TRIANGLES, 0, 6);
    CHECK(pixelAt(0, 0) == kRed);  // the healthy triangle of the same draw
    checkStillDraws();
}

TEST_CASE("values that are no numbers in every float argument") {
    TestContext context;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    glClearColor(nan, nan, nan, nan);
    glClearDepthf(nan);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    CHECK(pixelAt(1, 1) == Rgba{0, 0, 0, 0});
    glBlendColor(nan, nan, nan, nan);
    glDepthRangef(nan, nan);
    glSampleCoverage(nan, GL_FALSE);
    glLineWidth(nan);
    CHECK(glGetError() == GL_INVALID_VALUE);
    glPolygonOffset(nan, nan);
    glEnable(GL_POLYGON_OFFSET_FILL);
    glEnable(GL_DEPTH_TEST);
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, nan);
    CHECK(glGetError() == GL_INVALID_ENUM);
    glVertexAttrib4f(1, nan, nan, nan, nan);
    useTintProgram();
    drawQuad();
    glFinish();
    // Asked for as integers, what is no number is 0.
    for (GLenum name : {GL_POLYGON_OFFSET_FACTOR, GL_COLOR_CLEAR_VALUE, GL_BLEND_COLOR, GL_DEPTH_RANGE}) {
        GLint value[4] = {7, 7, 7, 7};
        glGetIntegerv(name, value);
        CHECK(value[0] == 0);
    }
    GLint current[4] = {7, 7, 7, 7};
    glGetVertexAttribiv(1, GL_CURRENT_VERTEX_ATTRIB, current);
    CHECK(current[3] == 0);
    glDisable(GL_POLYGON_OFFSET_FILL);
    glDisable(GL_DEPTH_TEST);
    glDepthRangef(0, 1);
    checkStillDraws();
}

TEST_CASE("a border that is no number is kept, and 0 where it is asked for as integers") {
    TestContext context(kEs3);
    bindNewTexture(GL_TEXTURE_2D);
    const float nan = std::numeric_limits<float>::quiet_NaN(), border[4] = {nan, nan, nan, nan};
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR_EXT, border);
    GLfloat kept[4] = {7, 7, 7, 7};
    glGetTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR_EXT, kept);
    GLint integers[4] = {7, 7, 7, 7};
    glGetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR_EXT, integers);
    for (int i = 0; i < 4; ++i) {
        CHECK(std::isnan(kept[i]));
        CHECK(integers[i] == 0);
    }
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("shaders compute with what is no number and look textures up with it") {
    TestContext context;
    GLuint program =
        useTextureProgram("texture2D(image, (at - at) / (at - at) + vec2(3.0e38, -3.0e38) * at * at.yx * 9.0)");
    REQUIRE(program != 0);
    bindNewTexture(GL_TEXTURE_2D);
    const Rgba texels[4] = {kGreen, kGreen, kGreen, kGreen};
    for (GLint wrap : {GL_REPEAT, GL_MIRRORED_REPEAT, GL_CLAMP_TO_EDGE})
        for (GLint filter : {GL_NEAREST, GL_LINEAR, GL_LINEAR_MIPMAP_LINEAR}) {
            glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
            glGenerateMipmap(GL_TEXTURE_2D);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wrap);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wrap);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
            drawQuad();
            CHECK(pixelAt(3, 3) == kGreen);  // whichever texel it is
        }
    checkStillDraws();
}

TEST_CASE("dynamic indices out of their arrays read nothing of another program's and write nothing") {
    TestContext context;
    // Leaves ones in as many constants and temporaries as there are.
    const GLuint other = useProgram(
        "attribute vec4 position; uniform vec4 ones[240]; uniform int at; varying vec4 color; void main() { vec4 "
        "local[120]; for (int i = 0; i < 120; ++i) local[i] = ones[i] * ones[i + 120]; local[at] *= ones[at]; color = "
        "local[at + 1]; gl_Position = position; }",
        "precision mediump float; varying vec4 color; void main() { gl_FragColor = color; }");
    const std::vector<GLfloat> ones(240 * 4, 1.0f);
    glUniform4fv(glGetUniformLocation(other, "ones"), 240, ones.data());
    const char* const kFragment = "precision mediump float; varying vec4 color; void main() { gl_FragColor = color; }";
    const std::string head =
        "attribute vec4 position; uniform vec4 values[4]; uniform int at; varying vec4 color; void main() { "
        "gl_Position = position; vec4 local[4]; for (int i = 0; i < 4; ++i) local[i] = values[i]; ";
    const struct {
        const char* body;
        Rgba beyond;
    } rows[] = {{"color = values[at]; }", {0, 0, 0, 0}},
                {"color = local[at]; }", {0, 0, 0, 0}},
                {"local[at] = vec4(1.0); color = local[0] + local[1] + local[2]; }", {153, 153, 153, 153}}};
    const std::vector<GLfloat> values = {0.2f, 0.2f, 0.2f, 0.2f, 0.2f, 0.2f, 0.2f, 0.2f,
                                         0.2f, 0.2f, 0.2f, 0.2f, 0.6f, 0.6f, 0.6f, 0.6f};
    for (const auto& row : rows) {
        const GLuint program = useProgram(head + row.body, kFragment);
        const GLint place = glGetUniformLocation(program, "at");
        glUniform4fv(glGetUniformLocation(program, "values"), 4, values.data());
        const auto seen = [&](GLint at) {
            glUseProgram(other);
            drawQuad();
            CHECK(pixelAt(8, 8) == Rgba{255, 255, 255, 255});
            glUseProgram(program);
            glUniform1i(place, at);
            drawQuad();
            return pixelAt(8, 8);
        };
        CAPTURE(std::string(row.body));
        CHECK(seen(3) == Rgba{153, 153, 153, 153});
        for (GLint at : {30, 100, 200, 255, 256, 4096, 1 << 20, INT32_MAX, -100, -200, -4096, INT32_MIN}) {
            CAPTURE(at);
            CHECK(seen(at) == row.beyond);
        }
        for (GLint at : {4, 5, -1, -2}) (void)seen(at);  // perhaps another variable of the same program
        CHECK(seen(3) == Rgba{153, 153, 153, 153});
    }
    checkStillDraws();
}

TEST_CASE("viewports, framebuffers and surfaces of no size") {
    TestContext context;
    useTintProgram();
    glVertexAttrib4f(1, 1, 0, 0, 1);
    for (auto [w, h] : {std::array{0, 0}, {0, 5}, {5, 0}}) {
        glViewport(3, 3, w, h);
        drawQuad();
        static const GLfloat centre[2] = {0, 0};
        glEnableVertexAttribArray(0);
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, centre);
        glDrawArrays(GL_POINTS, 0, 1);
        glDrawArrays(GL_LINES, 0, 1);
        CHECK(pixelAt(12, 12) == Rgba{0, 0, 0, 0});
    }
    checkStillDraws();
    {
        TestContext empty({.width = 0, .height = 0});
        useTintProgram();
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        drawQuad();
        Rgba pixel = pixelAt(0, 0);
        (void)pixel;
        glBindTexture(GL_TEXTURE_2D, 1);
        glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, 4, 4, 0);
        glFinish();
        CHECK(glGetError() == GL_NO_ERROR);
    }
    {
        TestContext surfaceless({.surface = false});
        useTintProgram();
        CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE);
        drawQuad();
        CHECK(glGetError() == GL_INVALID_FRAMEBUFFER_OPERATION);
        ColorTarget target(GL_RGB565, 4, 4);  // drawing to objects works
        glClearColor(1, 0, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT);
        CHECK(pixelAt(1, 1) == kRed);
        CHECK(glGetError() == GL_NO_ERROR);
    }
}

TEST_CASE("sampling the texture that is being drawn to") {
    TestContext context;
    useTextureProgram("texture2D(image, at * 0.5 + 0.25) + vec4(0.0, 0.1, 0.0, 0.0)");
    GLuint texture = bindNewTexture(GL_TEXTURE_2D), framebuffer = 0;
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 32, 32, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    for (int i = 0; i < 5; ++i) drawQuad();  // undefined pixels, nothing worse
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    drawQuad();
    glDeleteTextures(1, &texture);
    glClear(GL_COLOR_BUFFER_BIT);
    CHECK(glGetError() == GL_INVALID_FRAMEBUFFER_OPERATION);  // the only attachment went with the texture
    checkStillDraws();
}

TEST_CASE("shaders that never end give the GPU back") {
    TestContext context({.width = 4, .height = 4});
    const struct {
        const char *vertex, *fragment;
    } programs[] = {
        {kPassVertex,
         "precision highp float; uniform float one; void main() { float x = 0.0; while (one > 0.0) x += one; "
         "gl_FragColor = vec4(x); }"},
        {"attribute vec4 position; uniform float one; void main() { float x = 0.0; while (one > 0.0) x += one; "
         "gl_Position = position + x; }",
         "void main() { gl_FragColor = vec4(1.0); }"},
        {kPassVertex,
         "precision highp float; uniform float one; void main() { float x = 0.0; for (int i = 0; i < 30000; ++i) for "
         "(int j = 0; j < 30000; ++j) for (int k = 0; k < 30000; ++k) x += one; gl_FragColor = vec4(x); }"},
    };
    for (const auto& text : programs) {
        GLuint program = makeProgram(text.vertex, text.fragment);
        if (program == 0) continue;  // a compiler may refuse loops outside Appendix A
        glUseProgram(program);
        glUniform1f(glGetUniformLocation(program, "one"), 1);
        CHECK(seconds([] {
                  drawQuad();
                  glFinish();
              }) < 20);
        glUseProgram(0);
        glDeleteProgram(program);
    }
    glViewport(0, 0, 4, 4);
    GLuint program = useProgram(kPassVertex, kColorFragment);
    glUniform4f(glGetUniformLocation(program, "color"), 0, 1, 0, 1);
    drawQuad();
    CHECK(pixelAt(2, 2) == kGreen);
}
