#define GL_GLEXT_PROTOTYPES 1
#include "tests/gles/state/state_scene.h"

#include <GLES2/gl2ext.h>
#include <GLES3/gl3.h>

#include <algorithm>
#include <array>

#include "tests/gles/state/state_rows.h"

namespace tessera::gles_test {

namespace {

const char* const kVertex2 = R"(
attribute vec4 position, color, wild; attribute float shift;
uniform vec4 place;
varying vec4 shade; varying vec2 coord;
void main() {
    shade = color + wild * 0.25;
    coord = color.xy;
    gl_Position = vec4(position.x * place.x + place.y, position.y + shift, position.zw);
    gl_PointSize = 4.0;
})";
const char* const kFragment2 = R"(
precision highp float;
uniform vec4 look, tint; uniform sampler2D image;
varying vec4 shade; varying vec2 coord;
void main() { gl_FragColor = mix(shade, texture2D(image, coord), look.x) * tint; })";

const char* const kVertex3 = R"(#version 300 es
in vec4 position, color, wild; in float shift;
uniform vec4 place;
out vec4 shade; out vec2 coord;
void main() {
    shade = color + wild * 0.25;
    coord = color.xy;
    gl_Position = vec4(position.x * place.x + place.y, position.y + shift, position.zw);
    gl_PointSize = 4.0;
})";
const char* const kFragment3 = R"(#version 300 es
precision highp float;
uniform vec4 look, tint; uniform sampler2D image; uniform highp sampler2DArray layers; uniform highp sampler2DShadow shadow;
in vec4 shade; in vec2 coord;
out vec4 result;
void main() {
    vec4 seen = mix(shade, texture(image, coord), look.x);
    seen = mix(seen, texture(layers, vec3(coord, 1.0)), look.y);
    seen = mix(seen, vec4(texture(shadow, vec3(coord, 0.5))), look.z);
    result = seen * tint;
})";

struct Rectangle {
    GLfloat x0, y0, x1, y1, z;
    GLfloat color[4];
    GLfloat slope = 0;  ///< of the depth, from left to right
};

// Every one covers a part of those before it, some in front and some behind.
constexpr Rectangle kOverlapping[] = {
    {-0.5f, 0.45f, 0.5f, 0.90f, 0.25f, {0.75f, 0.5f, 0.25f, 0.25f}},
    {-0.2f, 0.50f, 0.8f, 0.95f, -0.5f, {0.25f, 0.7f, 0.5f, 0.5f}},
    {0.10f, 0.55f, 0.6f, 0.85f, 0.50f, {0.5f, 0.25f, 0.7f, 0.4f}},
    {-0.4f, 0.60f, 0.3f, 0.80f, -0.9f, {0.6f, 0.6f, 0.1f, 0.7f}},
};
/// The second lies behind the first, and comes before it when its slope moves it.
constexpr Rectangle kTilted[] = {
    {-0.95f, 0.2f, -0.6f, 0.9f, -0.7f, {0.2f, 0.3f, 0.7f, 0.5f}},
    {-0.95f, 0.2f, -0.6f, 0.9f, -0.6f, {0.7f, 0.3f, 0.2f, 0.6f}, 0.2f},
};
/// Behind the line, which no offset moves.
constexpr Rectangle kBehindLine = {-0.8f, -0.28f, 0.8f, -0.12f, 0.2f, {0.1f, 0.4f, 0.2f, 0.5f}};
constexpr Rectangle kInstance = {-0.95f, -0.45f, -0.7f, -0.3f, 0, {0.3f, 0.6f, 0.3f, 0.5f}};
constexpr Rectangle kStripEnd = {0.5f, -0.5f, 0.9f, -0.3f, 0, {0.6f, 0.2f, 0.4f, 0.5f}};
constexpr Rectangle kStripBegin = {-0.1f, -0.5f, 0.2f, -0.3f, 0, {0.2f, 0.6f, 0.4f, 0.5f}};
/// Texels larger and smaller than pixels; colours are where to look.
constexpr Rectangle kMagnified = {-0.95f, -0.95f, -0.4f, -0.6f, 0, {0.1f, 0.6f, 0, 0}};
constexpr Rectangle kMinified = {-0.3f, -0.95f, 0.2f, -0.6f, 0, {0, 3, 0, 0}};
constexpr Rectangle kLayers = {0.3f, -0.95f, 0.55f, -0.6f, 0, {0, 1, 0, 0}};
constexpr Rectangle kShadow = {0.65f, -0.95f, 0.95f, -0.6f, 0, {0, 1, 0, 0}};

constexpr int kFirstOverlapping = 0, kFirstBack = 16, kFirstTilted = 32, kFirstInstance = 40, kFirstStrip = 44,
              kFirstMagnified = 52, kFirstMinified = 56, kFirstLayers = 60, kFirstShadow = 64, kFirstBehindLine = 68,
              kFirstLine = 72, kPoint = 74;
/// The strip's indices; the last of a byte restarts it.
constexpr GLubyte kIndices[] = {44, 45, 46, 47, 255, 48, 49, 50, 51};
constexpr int kVertices = 256, kFloats = 7;

/// What is uploaded: rows of nine bytes are padded to twelve where rows begin at multiples of four.
const std::array<GLubyte, 2048>& texels() {
    static const std::array<GLubyte, 2048> bytes = [] {
        std::array<GLubyte, 2048> out{};
        for (size_t i = 0; i < out.size(); ++i) out[i] = static_cast<GLubyte>(i * 37 + i / 9 * 11);
        return out;
    }();
    return bytes;
}

void putVertex(std::vector<GLfloat>& out, int index, GLfloat x, GLfloat y, GLfloat z, const GLfloat (&color)[4]) {
    GLfloat* at = out.data() + static_cast<ptrdiff_t>(index) * kFloats;
    at[0] = x, at[1] = y, at[2] = z;
    std::copy_n(color, 4, at + 3);
}

/// A strip that is a front, or a back.
void put(std::vector<GLfloat>& out, int first, const Rectangle& of, bool isBack = false, GLfloat down = 0) {
    for (int corner = 0; corner < 4; ++corner) {
        const bool right = ((corner & 1) != 0) != isBack;
        putVertex(out, first + corner, right ? of.x1 : of.x0, (corner < 2 ? of.y0 : of.y1) - down,
                  of.z + (right ? of.slope : 0), of.color);
    }
}

/// The colours of a rectangle that is textured go from one number to the other.
void putTextured(std::vector<GLfloat>& out, int first, const Rectangle& of) {
    for (int corner = 0; corner < 4; ++corner) {
        const GLfloat coords[4] = {of.color[corner & 1], of.color[corner >> 1], 0, 0};
        putVertex(out, first + corner, (corner & 1) != 0 ? of.x1 : of.x0, corner < 2 ? of.y0 : of.y1, of.z, coords);
    }
}

/// Levels of one colour each, of 4 x 4 texels.
void makeLevels() {
    for (int level = 0; level < 3; ++level) {
        const int size = 4 >> level;
        std::vector<GLubyte> bytes(static_cast<size_t>(size * size * 3));
        for (size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = static_cast<GLubyte>(level == 0 ? i * 23 : 60 * level + 40 * static_cast<int>(i % 3));
        glTexImage2D(GL_TEXTURE_2D, level, GL_RGB, size, size, 0, GL_RGB, GL_UNSIGNED_BYTE, bytes.data());
    }
}

void makeLayers() {
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGB8, 3, 3, 2, 0, GL_RGB, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

}  // namespace

StateScene::StateScene(int version) : version_(version), vertices_(static_cast<size_t>(kVertices) * kFloats) {
    for (int i = 0; i < 4; ++i) {
        put(vertices_, kFirstOverlapping + 4 * i, kOverlapping[i]);
        put(vertices_, kFirstBack + 4 * i, kOverlapping[i], true, 0.6f);
    }
    put(vertices_, kFirstTilted, kTilted[0]);
    put(vertices_, kFirstTilted + 4, kTilted[1]);
    put(vertices_, kFirstInstance, kInstance);
    put(vertices_, kFirstBehindLine, kBehindLine);
    put(vertices_, kFirstStrip, kStripBegin);
    put(vertices_, kFirstStrip + 4, kStripEnd);
    putTextured(vertices_, kFirstMagnified, kMagnified);
    putTextured(vertices_, kFirstMinified, kMinified);
    putTextured(vertices_, kFirstLayers, kLayers);
    putTextured(vertices_, kFirstShadow, kShadow);
    putVertex(vertices_, kFirstLine, -0.9f, -0.22f, 0, {0.9f, 0.9f, 0.6f, 0.5f});
    putVertex(vertices_, kFirstLine + 1, 0.9f, -0.18f, 0, {0.9f, 0.6f, 0.9f, 0.5f});
    putVertex(vertices_, kPoint, 0.85f, 0.2f, 0, {0.9f, 0.1f, 0.2f, 0.5f});

    program_ = glCreateProgram();
    const GLuint shaders[] = {makeShader(GL_VERTEX_SHADER, version == 3 ? kVertex3 : kVertex2),
                              makeShader(GL_FRAGMENT_SHADER, version == 3 ? kFragment3 : kFragment2)};
    for (const GLuint shader : shaders) glAttachShader(program_, shader);
    glBindAttribLocation(program_, 0, "position");
    glBindAttribLocation(program_, 1, "color");
    glBindAttribLocation(program_, kWildAttribute, "wild");
    glBindAttribLocation(program_, kShiftAttribute, "shift");
    glLinkProgram(program_);
    for (const GLuint shader : shaders) glDeleteShader(shader);
    glUseProgram(program_);
    place_ = glGetUniformLocation(program_, "place");
    look_ = glGetUniformLocation(program_, "look");
    tint_ = glGetUniformLocation(program_, "tint");
    glUniform4f(tint_, 1, 1, 1, 1);

    constexpr GLsizei kStride = kFloats * sizeof(GLfloat);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, kStride, vertices_.data());
    glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, kStride, vertices_.data() + 3);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);

    // What is uploaded goes to the texture of the active unit: there is one for each that a row makes active.
    glActiveTexture(GL_TEXTURE3);
    makeLevels();
    if (version == 3) makeLayers();
    glActiveTexture(GL_TEXTURE0);
    glGenTextures(1, &texture_);
    glBindTexture(GL_TEXTURE_2D, texture_);
    makeLevels();
    if (version != 3) return;
    glGenTextures(1, &layers_);
    glGenTextures(1, &shadow_);
    glUniform1i(glGetUniformLocation(program_, "layers"), 1);
    glUniform1i(glGetUniformLocation(program_, "shadow"), 2);
    glBindTexture(GL_TEXTURE_2D_ARRAY, layers_);
    makeLayers();
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D_ARRAY, layers_);
    glActiveTexture(GL_TEXTURE2);
    glBindTexture(GL_TEXTURE_2D, shadow_);
    const GLuint depths[4] = {0, 0x90000000, 0x40000000, 0xFFFFFFFF};
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, 2, 2, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, depths);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    glActiveTexture(GL_TEXTURE0);
}

void StateScene::draw(Half half) const {
    const auto strip = [](int first) { glDrawArrays(GL_TRIANGLE_STRIP, first, 4); };
    // Behind rows and images that would be skipped.
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 3, 3, GL_RGB, GL_UNSIGNED_BYTE, texels().data());
    if (version_ == 3)
        glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, 3, 3, 2, GL_RGB, GL_UNSIGNED_BYTE, texels().data());
    glUniform4f(place_, 0.5f, half == Half::Left ? -0.5f : 0.5f, 0, 0);
    glUniform4f(look_, 0, 0, 0, 0);
    for (int i = 0; i < 8; ++i) strip(kFirstOverlapping + 4 * i);
    for (int i = 0; i < 2; ++i) strip(kFirstTilted + 4 * i);
    glDrawElements(GL_TRIANGLE_STRIP, sizeof kIndices, GL_UNSIGNED_BYTE, kIndices);
    glDrawArraysInstancedEXT(GL_TRIANGLE_STRIP, kFirstInstance, 4, 3);
    strip(kFirstBehindLine);
    glDrawArrays(GL_LINES, kFirstLine, 2);
    glDrawArrays(GL_POINTS, kPoint, 1);
    glUniform4f(look_, 1, 0, 0, 0);
    strip(kFirstMagnified);
    strip(kFirstMinified);
    if (version_ != 3) return;
    glUniform4f(look_, 0, 1, 0, 0);
    strip(kFirstLayers);
    glUniform4f(look_, 0, 0, 1, 0);
    strip(kFirstShadow);
}

Picture StateScene::read() const {
    Picture bytes(size_t{4} * 64 * 64);
    glReadPixels(0, 0, kSceneWidth - 1, kSceneHeight, GL_RGBA, GL_UNSIGNED_BYTE, bytes.data());
    return bytes;
}

}  // namespace tessera::gles_test
