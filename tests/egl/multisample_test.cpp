// Surfaces with four samples for each pixel: what GL says of them, and that whatever leaves them is resolved.
#include <doctest/doctest.h>

#include "tests/egl/fixture.h"

using namespace egltest;

namespace {

constexpr int kSize = 8;

/// RGBA8 D24 S8 with four samples.
EGLConfig multisampleConfig(const DisplayFixture& egl) {
    return egl.choose({EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RED_SIZE, 8, EGL_ALPHA_SIZE, 8, EGL_DEPTH_SIZE, 24,
                       EGL_STENCIL_SIZE, 8, EGL_SAMPLES, 4});
}

/// A surface with samples, current with a context that draws one colour.
struct Multisampled {
    DisplayFixture egl;
    EGLConfig config = multisampleConfig(egl);
    EGLSurface surface = nullptr;
    EGLContext context = nullptr;

    Multisampled() {
        REQUIRE(config != nullptr);
        const EGLint size[] = {
            EGL_WIDTH,          kSize,          EGL_HEIGHT, kSize, EGL_TEXTURE_FORMAT, EGL_TEXTURE_RGBA,
            EGL_TEXTURE_TARGET, EGL_TEXTURE_2D, EGL_NONE};
        const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
        surface = eglCreatePbufferSurface(egl.display, config, size);
        context = eglCreateContext(egl.display, config, EGL_NO_CONTEXT, version);
        REQUIRE(eglMakeCurrent(egl.display, surface, surface, context) == EGL_TRUE);
    }
};

void draw(const GLfloat (&corners)[6], float alpha = 1) {
    GLuint program = plainProgram();
    glUseProgram(program);
    glUniform4f(glGetUniformLocation(program, "color"), 1, 1, 1, alpha);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDeleteProgram(program);
}
constexpr GLfloat kLowerRight[6] = {-1, -1, 1, -1, 1, 1};
constexpr GLfloat kEverything[6] = {-1, -1, 3, -1, -1, 3};

/// The lower right is white, the upper left black, and the diagonal between them is neither.
void checkDiagonal() {
    CHECK(pixelAt(6, 1)[0] == 255);
    CHECK(pixelAt(1, 6)[0] == 0);
    for (int i = 0; i < kSize; ++i) {
        CHECK(pixelAt(i, i)[0] >= 64);
        CHECK(pixelAt(i, i)[0] <= 192);
    }
}

int sumOfReds() {
    int sum = 0;
    for (int y = 0; y < kSize; ++y)
        for (int x = 0; x < kSize; ++x) sum += pixelAt(x, y)[0];
    return sum;
}

GLint integer(GLenum name) {
    GLint value = -1;
    glGetIntegerv(name, &value);
    return value;
}

}  // namespace

TEST_CASE("configurations with samples come after those without, and only when they are asked for") {
    DisplayFixture egl;
    EGLConfig with = multisampleConfig(egl), without = egl.config();
    REQUIRE(with != nullptr);
    CHECK(egl.attribute(with, EGL_SAMPLES) == 4);
    CHECK(egl.attribute(with, EGL_SAMPLE_BUFFERS) == 1);
    CHECK(egl.attribute(without, EGL_SAMPLES) == 0);
    CHECK(egl.attribute(without, EGL_SAMPLE_BUFFERS) == 0);
    CHECK(egl.choose({EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_SAMPLES, 5}) == nullptr);
}

TEST_CASE("a context of a configuration with samples does not fit a surface without") {
    Multisampled f;
    EGLSurface plain = f.egl.pbuffer();
    CHECK(eglMakeCurrent(f.egl.display, plain, plain, f.context) == EGL_FALSE);
    CHECK(error() == EGL_BAD_MATCH);
}

TEST_CASE("edges are smooth when read, copied and bound as a texture") {
    Multisampled f;
    CHECK(integer(GL_SAMPLES) == 4);
    CHECK(integer(GL_SAMPLE_BUFFERS) == 1);
    CHECK(integer(GL_DEPTH_BITS) == 24);
    CHECK(integer(GL_STENCIL_BITS) == 8);
    CHECK(pixelAt(3, 3) == Color{0, 0, 0, 0});  // a fresh surface is zero
    draw(kLowerRight);
    checkDiagonal();

    GLuint framebuffer = 0, textures[2] = {};
    glGenTextures(2, textures);
    glBindTexture(GL_TEXTURE_2D, textures[0]);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, kSize, kSize, 0);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, textures[0], 0);
    CHECK(integer(GL_SAMPLES) == 0);
    checkDiagonal();

    glBindTexture(GL_TEXTURE_2D, textures[1]);
    CHECK(eglBindTexImage(f.egl.display, f.surface, EGL_BACK_BUFFER) == EGL_TRUE);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, textures[1], 0);
    REQUIRE(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
    checkDiagonal();
    CHECK(eglReleaseTexImage(f.egl.display, f.surface, EGL_BACK_BUFFER) == EGL_TRUE);
    CHECK(glGetError() == GL_NO_ERROR);
}

TEST_CASE("each sample has its own depth and stencil") {
    Multisampled f;
    glClearColor(0, 0, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_ALWAYS, 1, 0xFF);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
    draw(kLowerRight);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glStencilFunc(GL_EQUAL, 1, 0xFF);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    draw(kEverything);
    checkDiagonal();
}

TEST_CASE("sample coverage and alpha to coverage choose samples") {
    Multisampled f;
    constexpr int kFull = kSize * kSize * 255;
    glEnable(GL_SAMPLE_COVERAGE);
    glSampleCoverage(0.5f, GL_FALSE);
    draw(kEverything);
    CHECK(sumOfReds() == doctest::Approx(kFull / 2.0).epsilon(0.02));
    // The other half: both together are everything.
    glSampleCoverage(0.5f, GL_TRUE);
    draw(kEverything);
    CHECK(sumOfReds() == kFull);

    clearTo(0, 0, 0);
    glDisable(GL_SAMPLE_COVERAGE);
    glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    draw(kEverything, 0.25f);
    CHECK(sumOfReds() == doctest::Approx(kFull / 4.0).epsilon(0.02));
    clearTo(0, 0, 0);
    draw(kEverything, 0);
    CHECK(sumOfReds() == 0);
}

TEST_CASE("the edge between two triangles of one surface does not show") {
    // On the diagonal of a square of two triangles, which goes through pixel centres, both halves of a pixel must be
    // shaded at the centre. The colours are steep, so any other place would give another one.
    Multisampled f;
    const char* vertex =
        "attribute vec4 position; attribute float shade; varying mediump float v;"
        "void main() { gl_Position = position; v = shade; }";
    const char* fragment = "varying mediump float v; void main() { gl_FragColor = vec4(v, v, v, 1.0); }";
    glUseProgram(program(vertex, fragment));
    const GLfloat corners[] = {-1, -1, 1, -1, -1, 1, 1, 1}, shades[] = {1, 0, 0, 1};
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glVertexAttribPointer(1, 1, GL_FLOAT, GL_FALSE, 0, shades);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    // 1 at two opposite corners, 0 along the whole diagonal between the others, and an eighth next to that.
    for (int i = 0; i < kSize; ++i) CHECK(pixelAt(i, kSize - 1 - i)[0] <= 1);
    for (int i = 0; i < kSize - 1; ++i) CHECK(pixelAt(i, kSize - 2 - i)[0] == doctest::Approx(255 / 8.0).epsilon(0.04));
}

TEST_CASE("the level of detail does not change along the edges inside of a surface") {
    // Level 0 is red, level 1 green, level 2 blue. 2.7 texels for each pixel, so all is green, but not far from blue.
    Multisampled f;
    glUseProgram(
        program("attribute vec4 position; varying mediump vec2 at;"
                "void main() { gl_Position = position; at = position.xy; }",
                "uniform sampler2D image; varying mediump vec2 at;"
                "void main() { gl_FragColor = texture2D(image, at * 2.7); }"));
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    const unsigned char levels[3][4] = {{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}};
    for (int level = 0; level < 3; ++level) {
        const int size = 4 >> level;
        std::vector<unsigned char> texels;
        for (int i = 0; i < size * size; ++i) texels.insert(texels.end(), levels[level], levels[level] + 4);
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGBA, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels.data());
    }
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
    // A fan whose edges run at all angles.
    const GLfloat corners[] = {0.1f, 0.07f, -1, -1, 0.2f, -1, 1, -1, 1, 0.3f, 1, 1, -0.4f, 1, -1, 1, -1, -0.6f, -1, -1};
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLE_FAN, 0, 10);
    int wrong = 0;
    for (int y = 0; y < kSize; ++y)
        for (int x = 0; x < kSize; ++x) wrong += pixelAt(x, y) != Color{0, 255, 0, 255};
    CHECK(wrong == 0);
}
