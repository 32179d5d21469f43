// Multisampling: a 4x renderbuffer with colour, depth and stencil. Edges, depth and stencil of each sample, lines and
// points, alpha to coverage, sample coverage, blending, and the resolve of the read.
#include <vector>

#include "tests/goldens/scenes/scene.h"

using namespace scenes;

namespace {

constexpr int kSize = 256;

constexpr const char* kVertex = R"(
attribute vec4 position;
attribute vec4 color;
varying mediump vec4 shade;
void main() { gl_Position = position; shade = color; gl_PointSize = 9.0; }
)";
constexpr const char* kFragment = "varying mediump vec4 shade; void main() { gl_FragColor = shade; }";

struct Vertex {
    GLfloat x, y, z, r, g, b, a;
};

void draw(GLenum mode, const std::vector<Vertex>& vertices) {
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(Vertex), &vertices[0].x);
    glVertexAttribPointer(1, 4, GL_FLOAT, GL_FALSE, sizeof(Vertex), &vertices[0].r);
    glEnableVertexAttribArray(0);
    glEnableVertexAttribArray(1);
    glDrawArrays(mode, 0, static_cast<GLsizei>(vertices.size()));
}

/// Two triangles, the colour at the right end another.
std::vector<Vertex> bar(float x0, float y0, float x1, float y1, Vertex left, Vertex right) {
    auto at = [](Vertex v, float x, float y) { return v.x = x, v.y = y, v; };
    return {at(left, x0, y0), at(right, x1, y0), at(left, x0, y1),
            at(left, x0, y1), at(right, x1, y0), at(right, x1, y1)};
}

using StorageMultisample = void (*)(GLenum, GLsizei, GLenum, GLsizei, GLsizei);
using Blit = void (*)(GLint, GLint, GLint, GLint, GLint, GLint, GLint, GLint, GLbitfield, GLenum);

GLuint renderbuffer(GLenum format, GLenum attachment, StorageMultisample storage) {
    GLuint name = 0;
    glGenRenderbuffers(1, &name);
    glBindRenderbuffer(GL_RENDERBUFFER, name);
    if (storage != nullptr) {
        storage(GL_RENDERBUFFER, 4, format, kSize, kSize);
    } else {
        glRenderbufferStorage(GL_RENDERBUFFER, format, kSize, kSize);
    }
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, name);
    return name;
}

/// A fan of slivers around (x, y); every second one has another depth.
void drawFan(float x, float y, float radius, int count) {
    std::vector<Vertex> vertices;
    for (int i = 0; i < count; ++i) {
        const float hue = static_cast<float>(i) / static_cast<float>(count), z = i % 2 == 0 ? -0.5f : 0.5f;
        const Vertex color{x, y, z, hue, 1 - hue, 0.5f + 0.5f * static_cast<float>(i % 2), 1};
        for (float side : {0.1f, 0.7f}) {
            const Direction to = direction((static_cast<double>(i) + side) / count);
            Vertex corner = color;
            corner.x += radius * to.x, corner.y += radius * to.y, corner.z = -z;
            vertices.push_back(corner);
        }
        vertices.push_back(color);
    }
    draw(GL_TRIANGLES, vertices);
}

void drawEdges() {
    glEnable(GL_DEPTH_TEST);
    drawFan(-0.5f, 0.5f, 0.45f, 24);
    // Two triangles through each other, and through the fan.
    draw(GL_TRIANGLES, {{-0.9f, 0.1f, -0.9f, 1, 1, 1, 1},
                        {-0.1f, 0.45f, 0.9f, 1, 1, 1, 1},
                        {-0.8f, 0.4f, -0.2f, 1, 1, 1, 1},
                        {-0.1f, 0.1f, -0.9f, 1, 0.8f, 0, 1},
                        {-0.93f, 0.5f, 0.9f, 1, 0.8f, 0, 1},
                        {-0.2f, 0.37f, 0, 1, 0.8f, 0, 1}});
    glDisable(GL_DEPTH_TEST);
    // A fan cut out by a triangle in the stencil buffer.
    glEnable(GL_STENCIL_TEST);
    glStencilFunc(GL_ALWAYS, 1, 0xFF);
    glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
    draw(GL_TRIANGLES, {{0.1f, 0.15f, 0, 0.1f, 0.1f, 0.3f, 1},
                        {0.97f, 0.3f, 0, 0.1f, 0.1f, 0.3f, 1},
                        {0.4f, 0.95f, 0, 0.1f, 0.1f, 0.3f, 1}});
    glStencilFunc(GL_EQUAL, 1, 0xFF);
    glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
    drawFan(0.5f, 0.45f, 0.5f, 40);
    glDisable(GL_STENCIL_TEST);
}

void drawLinesAndPoints() {
    for (int i = 0; i < 9; ++i) {
        const Direction to = direction(i * 0.03);
        glLineWidth(1 + static_cast<float>(i % 3));
        draw(GL_LINES, {{-0.95f, -0.95f, 0, 0.2f, 1, 0.6f, 1},
                        {-0.95f + 0.85f * to.x, -0.95f + 0.85f * to.y, 0, 1, 0.3f, 0.2f, 1}});
    }
    std::vector<Vertex> points;
    for (int i = 0; i < 8; ++i) {
        const float step = static_cast<float>(i);
        points.push_back({-0.42f + step * 0.0547f, -0.2f - step * 0.0813f, 0, 1, step / 8, 1 - step / 8, 1});
    }
    draw(GL_POINTS, points);
    glLineWidth(1);
}

void drawCoverage() {
    glEnable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    draw(GL_TRIANGLES, bar(0.1f, -0.35f, 0.95f, -0.1f, {0, 0, 0, 0.2f, 0.9f, 1, 0}, {0, 0, 0, 0.2f, 0.9f, 1, 1}));
    glDisable(GL_SAMPLE_ALPHA_TO_COVERAGE);
    glEnable(GL_SAMPLE_COVERAGE);
    for (int i = 0; i < 4; ++i) {
        const float left = 0.1f + 0.2125f * static_cast<float>(i);
        const Vertex color{0, 0, 0, 1, 0.6f, 0.1f * static_cast<float>(i), 1}, other{0, 0, 0, 0.3f, 0.2f, 1, 1};
        glSampleCoverage(0.25f * static_cast<float>(i) + 0.1f, GL_FALSE);
        draw(GL_TRIANGLES, bar(left, -0.65f, left + 0.2f, -0.4f, color, color));
        glSampleCoverage(0.25f * static_cast<float>(i) + 0.1f, GL_TRUE);
        draw(GL_TRIANGLES, bar(left, -0.65f, left + 0.2f, -0.5f, other, other));
    }
    glDisable(GL_SAMPLE_COVERAGE);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    draw(GL_TRIANGLES, {{0.05f, -0.97f, 0, 1, 1, 1, 0.7f},
                        {0.98f, -0.9f, 0, 0, 0, 1, 0.7f},
                        {0.5f, -0.3f, 0, 0, 1, 0, 0.5f},
                        {0.03f, -0.7f, 0, 1, 0, 0, 0.5f},
                        {0.98f, -0.97f, 0, 1, 0, 1, 0.5f},
                        {0.9f, -0.6f, 0, 1, 1, 0, 0.5f}});
    glDisable(GL_BLEND);
}

void drawScene() {
    // Drivers without the extension: what OpenGL ES 3.0 has instead, and resolve by a blit.
    const bool implicit = hasExtension("GL_EXT_multisampled_render_to_texture");
    auto storage = procedure<StorageMultisample>(implicit ? "glRenderbufferStorageMultisampleEXT"
                                                          : "glRenderbufferStorageMultisample");
    GLuint framebuffers[2] = {};
    glGenFramebuffers(2, framebuffers);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[0]);
    renderbuffer(GL_RGBA8_OES, GL_COLOR_ATTACHMENT0, storage);
    const GLuint depth = renderbuffer(GL_DEPTH24_STENCIL8_OES, GL_DEPTH_ATTACHMENT, storage);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_RENDERBUFFER, depth);
    glViewport(0, 0, kSize, kSize);
    glClearColor(0.05f, 0.06f, 0.1f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    useProgram(kVertex, kFragment, {"position", "color"});
    drawEdges();
    drawLinesAndPoints();
    drawCoverage();
    if (implicit) return;
    glBindFramebuffer(0x8CA9 /* GL_DRAW_FRAMEBUFFER */, framebuffers[1]);
    GLuint resolved = 0;
    glGenRenderbuffers(1, &resolved);
    glBindRenderbuffer(GL_RENDERBUFFER, resolved);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8_OES, kSize, kSize);
    glFramebufferRenderbuffer(0x8CA9, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, resolved);
    procedure<Blit>("glBlitFramebuffer")(0, 0, kSize, kSize, 0, 0, kSize, kSize, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffers[1]);
}

}  // namespace

int main(int argc, char** argv) { return run(argc, argv, kSize, kSize, drawScene); }
