// Rows for what user interfaces draw: rectangles whose sides are parallel to the surface's, in pixels, textured, many
// in a draw call. Textures are at one texel for each pixel or stretched, layers are blended with premultiplied alpha.
//
// A row is a list of rectangles and of the draws that take them in order; the colour of a pixel is computed from the
// same list in double precision.
#include <GLES2/gl2.h>

#include <algorithm>
#include <cmath>

#include "bench/gl.h"
#include "bench/row.h"

namespace bench {

namespace {

constexpr int kSide = 256;  ///< texels of a texture

/// Half-open, in pixels; x to the right, y upwards.
struct Box {
    int left = 0, bottom = 0, right = 0, top = 0;
    [[nodiscard]] bool contains(double x, double y) const { return x >= left && x < right && y >= bottom && y < top; }
    [[nodiscard]] double area() const { return std::max(right - left, 0) * double(std::max(top - bottom, 0)); }
};

Box intersection(const Box& a, const Box& b) {
    return {std::max(a.left, b.left), std::max(a.bottom, b.bottom), std::min(a.right, b.right), std::min(a.top, b.top)};
}

struct Rectangle {
    Box box;
    double left = 0, bottom = 0, right = 1, top = 1;  ///< of the texture, in texels
};

/// Rectangles of one draw call.
struct Draw {
    std::vector<Rectangle> rectangles;
    Box scissor;
};

struct InterfaceSpec {
    std::vector<Draw> (*draws)(Size) = nullptr;
    bool isBlended = false;
    bool isText = false;  ///< the texture is coverage of a colour, and the work is counted in glyphs
    int tolerance = 3;
    GLenum minFilter = GL_LINEAR;
};

constexpr double kAlpha = 0.5;  ///< of blended layers
constexpr Color kTextColor = {0.9, 0.7, 0.2};

constexpr const char* kVertexShader = R"(
attribute vec2 a_position;
attribute vec2 a_texCoord;
uniform vec2 u_scale;
varying highp vec2 v_texCoord;
void main() {
    v_texCoord = a_texCoord;
    gl_Position = vec4(a_position * u_scale - 1.0, 0.0, 1.0);
}
)";

constexpr const char* kImageFragment = R"(
precision highp float;
uniform sampler2D u_image;
uniform float u_alpha;
varying highp vec2 v_texCoord;
void main() { gl_FragColor = texture2D(u_image, v_texCoord) * u_alpha; }
)";

constexpr const char* kTextFragment = R"(
precision highp float;
uniform sampler2D u_image;
uniform vec4 u_color;
varying highp vec2 v_texCoord;
void main() { gl_FragColor = u_color * texture2D(u_image, v_texCoord).a; }
)";

Box whole(Size size) { return {0, 0, size.width, size.height}; }

/// Rectangles of `side` pixels over the whole surface, each of another part of the texture; `scale` pixels for a texel.
std::vector<Rectangle> grid(Size size, int side, double scale) {
    std::vector<Rectangle> result;
    for (int y = 0; y < size.height; y += side)
        for (int x = 0; x < size.width; x += side) {
            const auto part = static_cast<double>(result.size());
            const double u = std::fmod(part * 37, kSide), v = std::fmod(part * 91, kSide), texels = side / scale;
            result.push_back({{x, y, x + side, y + side}, u, v, u + texels, v + texels});
        }
    return result;
}

constexpr int kGridSide = 128, kLayers = 8;
constexpr double kStretch = 1.6, kShrink = 0.45;

std::vector<Draw> plain(Size size) { return {{grid(size, kGridSide, 1), whole(size)}}; }
std::vector<Draw> scaled(Size size) { return {{grid(size, kGridSide, kStretch), whole(size)}}; }

std::vector<Draw> layers(Size size, double scale) {
    return std::vector<Draw>(kLayers, {grid(size, kGridSide, scale), whole(size)});
}
std::vector<Draw> plainLayers(Size size) { return layers(size, 1); }
std::vector<Draw> scaledLayers(Size size) { return layers(size, kStretch); }
std::vector<Draw> shrunkLayers(Size size) { return layers(size, kShrink); }

/// Panels with borders of 16 pixels that keep their size, and sides and a middle that are stretched.
std::vector<Draw> ninePatches(Size size) {
    constexpr int kPanel = 128, kBorder = 16;
    const int pixels[] = {0, kBorder, kPanel - kBorder, kPanel};
    const double texels[] = {0, kBorder, 64 - kBorder, 64};
    Draw draw{{}, whole(size)};
    for (int y = 0; y < size.height; y += kPanel)
        for (int x = 0; x < size.width; x += kPanel)
            for (int row = 0; row < 3; ++row)
                for (int column = 0; column < 3; ++column)
                    draw.rectangles.push_back(
                        {{x + pixels[column], y + pixels[row], x + pixels[column + 1], y + pixels[row + 1]},
                         texels[column],
                         texels[row],
                         texels[column + 1],
                         texels[row + 1]});
    return std::vector<Draw>(4, draw);
}

/// A page of glyphs of 8 x 16 pixels from an atlas of 32 x 16, at most 128 in each of 64 lines.
std::vector<Draw> glyphs(Size size) {
    constexpr int kWidth = 8, kHeight = 16, kColumns = 128, kLines = 64;
    Draw draw{{}, whole(size)};
    for (int line = 0; line < std::min(kLines, size.height / kHeight); ++line)
        for (int column = 0; column < std::min(kColumns, size.width / kWidth); ++column) {
            const int letter = (line * 131 + column * 37) % (32 * 16);
            const int x = column * kWidth, y = line * kHeight, u = letter % 32 * kWidth, v = letter / 32 * kHeight;
            draw.rectangles.push_back({{x, y, x + kWidth, y + kHeight},
                                       static_cast<double>(u),
                                       static_cast<double>(v),
                                       static_cast<double>(u + kWidth),
                                       static_cast<double>(v + kHeight)});
        }
    return {draw};
}

/// Lists in lists: each layer shows less of itself than the one below.
std::vector<Draw> scissored(Size size) {
    std::vector<Draw> result;
    for (int layer = 0; layer < 2 * kLayers; ++layer) {
        const int x = layer * size.width / 40, y = layer * size.height / 40;
        result.push_back({grid(size, kGridSide, 1), {x, y, size.width - x, size.height - y}});
    }
    return result;
}

class InterfaceRow final : public Row {
public:
    InterfaceRow(const InterfaceSpec& spec, Size size) : spec_(spec), size_(size), draws_(spec.draws(size)) {
        GLuint program =
            makeProgram(kVertexShader, spec.isText ? kTextFragment : kImageFragment, {"a_position", "a_texCoord"});
        glUniform2f(uniform(program, "u_scale"), 2.0f / static_cast<float>(size.width),
                    2.0f / static_cast<float>(size.height));
        if (spec.isText)
            glUniform4f(uniform(program, "u_color"), float{kTextColor[0]}, float{kTextColor[1]}, float{kTextColor[2]},
                        1);
        else
            glUniform1f(uniform(program, "u_alpha"), static_cast<float>(alpha()));
        makeBuffers();
        (void)makeTexture(kSide, spec.minFilter, GL_LINEAR);
        if (spec.isText) setCoverage();
        if (spec.isBlended) glEnable(GL_BLEND);
        glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    }

    void frame() override {
        glDisable(GL_SCISSOR_TEST);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
        size_t first = 0;
        for (const Draw& draw : draws_) {
            if (draw.scissor.area() < whole(size_).area()) {
                glEnable(GL_SCISSOR_TEST);
                glScissor(draw.scissor.left, draw.scissor.bottom, draw.scissor.right - draw.scissor.left,
                          draw.scissor.top - draw.scissor.bottom);
            }
            glDrawElements(GL_TRIANGLES, static_cast<GLsizei>(draw.rectangles.size() * 6), GL_UNSIGNED_SHORT,
                           reinterpret_cast<const void*>(first * 6 * sizeof(GLushort)));
            first += draw.rectangles.size();
        }
    }

    [[nodiscard]] double workPerFrame() const override {
        double fragments = 0, count = 0;
        for (const Draw& draw : draws_)
            for (const Rectangle& rectangle : draw.rectangles) {
                fragments += intersection(rectangle.box, draw.scissor).area();
                ++count;
            }
        return (spec_.isText ? count : fragments) * 1e-6;
    }

    [[nodiscard]] std::vector<ExpectedPixel> expected() const override {
        std::vector<ExpectedPixel> pixels;
        for (double x : {0.005, 0.07, 0.27, 0.53, 0.78, 0.96})
            for (double y : {0.01, 0.04, 0.31, 0.62, 0.93}) {
                const int column = static_cast<int>(x * size_.width), row = static_cast<int>(y * size_.height);
                pixels.push_back({column, row, colorAt(column + 0.5, row + 0.5), spec_.tolerance});
            }
        return pixels;
    }

private:
    struct Vertex {
        float position[2];
        float texCoord[2];
    };

    void makeBuffers() {
        std::vector<Vertex> vertices;
        std::vector<GLushort> indices;
        for (const Draw& draw : draws_)
            for (const Rectangle& one : draw.rectangles) {
                const auto base = static_cast<int>(vertices.size());
                for (int corner = 0; corner < 4; ++corner) {
                    const bool isRight = corner % 2 == 1, isTop = corner / 2 == 1;
                    vertices.push_back({{static_cast<float>(isRight ? one.box.right : one.box.left),
                                         static_cast<float>(isTop ? one.box.top : one.box.bottom)},
                                        {static_cast<float>((isRight ? one.right : one.left) / kSide),
                                         static_cast<float>((isTop ? one.top : one.bottom) / kSide)}});
                }
                for (int corner : {0, 1, 2, 2, 1, 3}) indices.push_back(static_cast<GLushort>(base + corner));
            }
        makeBuffer(GL_ARRAY_BUFFER, vertices);
        makeBuffer(GL_ELEMENT_ARRAY_BUFFER, indices);
        floatAttribute(0, 2, sizeof(Vertex), offsetof(Vertex, position));
        floatAttribute(1, 2, sizeof(Vertex), offsetof(Vertex, texCoord));
    }

    /// The texture's alpha becomes what was its red: eight bits for each texel, as atlases of glyphs have.
    static void setCoverage() {
        const std::vector<unsigned char> image = wavesImage(kSide);
        std::vector<unsigned char> coverage;
        for (size_t i = 0; i < image.size(); i += 4) coverage.push_back(image[i]);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_ALPHA, kSide, kSide, 0, GL_ALPHA, GL_UNSIGNED_BYTE, coverage.data());
    }

    [[nodiscard]] double alpha() const { return spec_.isBlended ? kAlpha : 1; }

    [[nodiscard]] Color colorAt(double x, double y) const {
        Color color{};
        for (const Draw& draw : draws_) {
            if (!draw.scissor.contains(x, y)) continue;
            for (const Rectangle& one : draw.rectangles)
                if (one.box.contains(x, y)) color = over(shade(one, x, y), color);
        }
        return color;
    }

    struct Premultiplied {
        Color color;
        double alpha = 1;
    };

    [[nodiscard]] Premultiplied shade(const Rectangle& one, double x, double y) const {
        const double across = (x - one.box.left) / (one.box.right - one.box.left);
        const double up = (y - one.box.bottom) / (one.box.top - one.box.bottom);
        const Color image =
            waves(std::lerp(one.left, one.right, across) / kSide, std::lerp(one.bottom, one.top, up) / kSide);
        const double factor = spec_.isText ? image[0] : alpha();
        Premultiplied result{spec_.isText ? kTextColor : image, factor};
        for (double& channel : result.color) channel *= factor;
        return result;
    }

    [[nodiscard]] Color over(const Premultiplied& source, const Color& below) const {
        Color result{};
        for (size_t i = 0; i < 3; ++i)
            result[i] = source.color[i] + (spec_.isBlended ? 1 - source.alpha : 0) * below[i];
        return result;
    }

    InterfaceSpec spec_;
    Size size_;
    std::vector<Draw> draws_;
};

RowInfo interface(const char* name, const char* meaning, const InterfaceSpec& spec) {
    return {
        .name = name, .unit = spec.isText ? "Mglyph/s" : "Mfragment/s", .meaning = meaning, .make = [spec](Size size) {
            return std::make_unique<InterfaceRow>(spec, size);
        }};
}

}  // namespace

std::vector<RowInfo> interfaceRows() {
    return {
        interface("rectangles", "the surface once, in rectangles of 128 x 128, a texel for each pixel, bilinear",
                  {plain}),
        interface("rectangles_scaled", "the same, textures stretched by 1.6", {scaled}),
        interface("rectangles_blended", "eight layers of rectangles, half transparent", {plainLayers, true}),
        interface("rectangles_scaled_blended", "the same, textures stretched by 1.6", {scaledLayers, true}),
        interface("rectangles_shrunk", "the same, textures with mip levels shrunk by 0.45, trilinear",
                  {shrunkLayers, true, false, 12, GL_LINEAR_MIPMAP_LINEAR}),
        interface("nine_patches", "four layers of panels of nine stretched parts, half transparent",
                  {ninePatches, true}),
        interface("glyphs", "a page of text of 8 x 16 pixels a glyph, from an atlas of one channel, blended",
                  {glyphs, true, true}),
        interface("scissored", "16 layers of blended rectangles, each in a smaller scissor", {scissored, true}),
    };
}

}  // namespace bench
