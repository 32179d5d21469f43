// Call rows: many draw calls of a few pixels, with what programs change between them.
#include <GLES2/gl2.h>

#include <algorithm>
#include <cmath>

#include "bench/gl.h"
#include "bench/row.h"

namespace bench {

namespace {

constexpr const char* kQuadVertexShader = R"(
attribute vec2 a_position;
uniform vec4 u_place;
varying vec2 v_texCoord;
void main() {
    v_texCoord = a_position;
    gl_Position = vec4(a_position * u_place.zw + u_place.xy, 0.0, 1.0);
}
)";

constexpr const char* kTextureFragment = R"(
precision mediump float;
uniform sampler2D u_image;
uniform vec4 u_color;
varying vec2 v_texCoord;
void main() { gl_FragColor = texture2D(u_image, v_texCoord) * u_color; }
)";

GLuint unitQuad() {
    GLuint buffer = makeBuffer(GL_ARRAY_BUFFER, std::vector<float>{0, 0, 1, 0, 0, 1, 1, 1});
    floatAttribute(0, 2, 2 * sizeof(float), 0);
    return buffer;
}

/// A program and where its uniforms are.
struct QuadProgram {
    GLuint name = 0;
    GLint place = -1, color = -1;

    explicit QuadProgram(const char* fragmentShader)
        : name(makeProgram(kQuadVertexShader, fragmentShader, {"a_position"})) {
        place = uniform(name, "u_place"), color = uniform(name, "u_color");
    }
};

/// Quads of 8x8 pixels (less on a small surface) on a grid of 64 columns, one draw call each.
class QuadGrid {
public:
    explicit QuadGrid(Size size) : size_(size), side_(std::min({8, size.width / kColumns, size.height / kColumns})) {}

    void place(GLint location, int index) const {
        auto width = static_cast<float>(size_.width), height = static_cast<float>(size_.height);
        auto x = static_cast<float>(left(index)), y = static_cast<float>(bottom(index));
        auto extent = 2 * static_cast<float>(side_);
        glUniform4f(location, 2 * x / width - 1, 2 * y / height - 1, extent / width, extent / height);
    }
    [[nodiscard]] ExpectedPixel pixel(int index, const Color& color, int tolerance) const {
        return {left(index) + side_ / 2, bottom(index) + side_ / 2, color, tolerance};
    }
    /// Texture coordinate of that pixel's centre in its quad.
    [[nodiscard]] double pixelPlace() const { return (side_ / 2 + 0.5) / side_; }

private:
    static constexpr int kColumns = 64;
    [[nodiscard]] int left(int index) const { return index % kColumns * (size_.width / kColumns); }
    [[nodiscard]] int bottom(int index) const { return index / kColumns * (size_.height / kColumns); }
    Size size_;
    int side_;
};

Color drawColor(int index) { return {(index % 64) / 63.0, (index / 64) / 63.0, 0.5}; }

/// 4,000 draws, each with a place and a colour of its own.
class DrawsRow final : public Row {
public:
    explicit DrawsRow(Size size) : grid_(size), program_(kUniformColorFragment) { unitQuad(); }

    void frame() override {
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        for (int i = 0; i < kDraws; ++i) {
            Color color = drawColor(i);
            grid_.place(program_.place, i);
            glUniform4f(program_.color, static_cast<float>(color[0]), static_cast<float>(color[1]),
                        static_cast<float>(color[2]), 1);
            glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        }
    }
    [[nodiscard]] double workPerFrame() const override { return kDraws * 1e-3; }
    [[nodiscard]] std::vector<ExpectedPixel> expected() const override {
        std::vector<ExpectedPixel> pixels;
        for (int i : {0, 1, 63, 64, 1777, 2500, kDraws - 1}) pixels.push_back(grid_.pixel(i, drawColor(i), 2));
        return pixels;
    }

private:
    static constexpr int kDraws = 4000;
    QuadGrid grid_;
    QuadProgram program_;
};

/// 1,000 draws; program, texture, vertex buffer, blending, depth test, scissor, colour mask change between them.
class ChurnRow final : public Row {
public:
    explicit ChurnRow(Size size) : grid_(size), size_(size), flat_(kUniformColorFragment), textured_(kTextureFragment) {
        for (GLuint& texture : textures_) texture = makeTexture(16, GL_LINEAR, GL_LINEAR);
        for (GLuint& buffer : buffers_) buffer = unitQuad();
    }

    void frame() override {
        glDisable(GL_SCISSOR_TEST);
        glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
        glDepthMask(GL_TRUE);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        for (int i = 0; i < kDraws; ++i) drawOne(i);
    }
    [[nodiscard]] double workPerFrame() const override { return kDraws * 1e-3; }
    [[nodiscard]] std::vector<ExpectedPixel> expected() const override {
        std::vector<ExpectedPixel> pixels;
        // 8 to 15 of each sixteen are blended (half the colour over black), odd ones are textured.
        for (int i : {0, 2, 8, 10, 498, 504, 992}) {
            double scale = i % 16 >= 8 ? 0.5 : 1;
            pixels.push_back(grid_.pixel(i, {0.8 * scale, 0.6 * scale, (i % 3 == 0 ? 0.0 : 0.4) * scale}, 2));
        }
        for (int i : {1, 9, 995}) {
            Color wave = waves(grid_.pixelPlace(), grid_.pixelPlace());
            double scale = i % 16 >= 8 ? 0.5 : 1;
            pixels.push_back(grid_.pixel(
                i, {0.8 * scale * wave[0], 0.6 * scale * wave[1], (i % 3 == 0 ? 0.0 : 0.4) * scale * wave[2]}, 8));
        }
        return pixels;
    }

private:
    static constexpr int kDraws = 1000;

    static void enable(GLenum capability, bool on) { on ? glEnable(capability) : glDisable(capability); }

    void drawOne(int i) {
        const QuadProgram& program = i % 2 == 0 ? flat_ : textured_;
        glUseProgram(program.name);
        glBindTexture(GL_TEXTURE_2D, textures_[i % 4]);
        glBindBuffer(GL_ARRAY_BUFFER, buffers_[i % 3]);
        floatAttribute(0, 2, 2 * sizeof(float), 0);
        enable(GL_BLEND, i % 16 >= 8);
        glBlendFunc(GL_SRC_ALPHA, i % 5 == 0 ? GL_ONE : GL_ONE_MINUS_SRC_ALPHA);
        enable(GL_DEPTH_TEST, i % 4 >= 2);
        glDepthFunc(i % 7 == 0 ? GL_LESS : GL_LEQUAL);
        glDepthMask(i % 8 >= 4 ? GL_TRUE : GL_FALSE);
        enable(GL_SCISSOR_TEST, i % 6 >= 3);
        glScissor(0, 0, size_.width, size_.height);
        glColorMask(GL_TRUE, GL_TRUE, i % 3 == 0 ? GL_FALSE : GL_TRUE, GL_TRUE);
        grid_.place(program.place, i);
        glUniform4f(program.color, 0.8f, 0.6f, 0.4f, 0.5f);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }

    QuadGrid grid_;
    Size size_;
    QuadProgram flat_, textured_;
    GLuint textures_[4] = {};
    GLuint buffers_[3] = {};
};

}  // namespace

std::vector<RowInfo> callRows() {
    return {
        {.name = "draws",
         .unit = "kdraw/s",
         .meaning = "4,000 draw calls a frame of 8x8 pixels, two uniforms changed before each",
         .make = [](Size size) { return std::make_unique<DrawsRow>(size); }},
        {.name = "state_churn",
         .unit = "kdraw/s",
         .meaning =
             "1,000 draw calls a frame; program, texture, buffer, blend, depth, scissor, mask change before each",
         .make = [](Size size) { return std::make_unique<ChurnRow>(size); }},
    };
}

}  // namespace bench
