// Rows for what OpenGL ES 3.0 added: array textures and comparisons at offsets, several targets, integer targets,
// blits and resolves, instances, ranges of uniform buffers, stream-out.
#include <GLES3/gl3.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "bench/gl.h"
#include "bench/row.h"

namespace bench {

namespace {

const std::string kHead = R"(#version 300 es
precision highp float;
precision highp int;
precision highp usampler2D;
precision highp sampler2DArray;
precision highp sampler2DShadow;
)";

/// A quad over the viewport, from no arrays; `at` is 0..1.
const std::string kScreenVertex = kHead + R"(
out vec2 at;
void main() { at = vec2(gl_VertexID & 1, gl_VertexID >> 1); gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0); }
)";

GLuint screenProgram(const std::string& fragment) { return makeProgram(kScreenVertex, kHead + fragment, {}); }
void drawScreen() { glDrawArrays(GL_TRIANGLE_STRIP, 0, 4); }

/// A new texture with storage, bound and not filtered.
GLuint newStorage(GLenum format, Size size) {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, format, size.width, size.height);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    return texture;
}

/// A new framebuffer that draws to these textures, bound.
GLuint newFramebuffer(std::initializer_list<GLuint> textures) {
    GLuint framebuffer = 0;
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    std::vector<GLenum> targets;
    for (const GLuint texture : textures) {
        targets.push_back(GL_COLOR_ATTACHMENT0 + static_cast<GLenum>(targets.size()));
        glFramebufferTexture2D(GL_FRAMEBUFFER, targets.back(), GL_TEXTURE_2D, texture, 0);
    }
    glDrawBuffers(static_cast<GLsizei>(targets.size()), targets.data());
    return framebuffer;
}

constexpr int kLayers = 8;

struct LayersSpec {
    const char* fragment;
    void (*bind)();
    Color (*reference)(double u, double v);
    int tolerance = 4;
};

/// Layers that each weigh half of what is below.
class LayersRow final : public Row {
public:
    LayersRow(const LayersSpec& spec, Size size) : spec_(spec), size_(size) {
        (void)screenProgram(spec.fragment);
        spec.bind();
        glEnable(GL_BLEND);
        glBlendColor(0, 0, 0, 0.5f);
        glBlendFunc(GL_CONSTANT_ALPHA, GL_ONE_MINUS_CONSTANT_ALPHA);
    }
    void frame() override {
        glClear(GL_COLOR_BUFFER_BIT);
        for (int i = 0; i < kLayers; ++i) drawScreen();
    }
    [[nodiscard]] double workPerFrame() const override { return kLayers * size_.megapixels(); }
    [[nodiscard]] std::vector<ExpectedPixel> expected() const override {
        return pixelsOf(size_, spec_.tolerance, [this](double u, double v) { return spec_.reference(u, v); });
    }

private:
    LayersSpec spec_;
    Size size_;
};

constexpr const char* kArrayFragment = R"(
in vec2 at;
out vec4 color;
uniform sampler2DArray image;
void main() { color = texture(image, vec3(at * 4.0, floor(at.x * 8.0))); }
)";

void bindArray() {
    constexpr int kSide = 128;
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D_ARRAY, texture);
    glTexStorage3D(GL_TEXTURE_2D_ARRAY, 8, GL_RGBA8, kSide, kSide, 8);
    for (int layer = 0; layer < 8; ++layer)
        glTexSubImage3D(GL_TEXTURE_2D_ARRAY, 0, 0, 0, layer, kSide, kSide, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                        wavesImage(kSide, layer / 8.0).data());
    glGenerateMipmap(GL_TEXTURE_2D_ARRAY);
    glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
}
Color arrayReference(double u, double v) { return waves(u * 4 + static_cast<int>(u * 8) / 8.0, v * 4); }

constexpr const char* kOffsetsFragment = R"(
in vec2 at;
out vec4 color;
uniform sampler2DShadow map;
void main() {
    vec3 place = vec3(at, 0.5);
    float lit = textureOffset(map, place, ivec2(-1, -1)) + textureOffset(map, place, ivec2(1, -1)) +
                textureOffset(map, place, ivec2(-1, 1)) + textureOffset(map, place, ivec2(1, 1));
    color = vec4(0.5, lit * 0.25, 0.25, 1.0);
}
)";

/// Near at the left, far at the right.
void bindDepth() {
    constexpr int kSide = 256;
    std::vector<uint32_t> depths;
    for (int i = 0; i < kSide * kSide; ++i) depths.push_back(i % kSide < kSide / 2 ? 0x40000000u : 0xC0000000u);
    (void)newStorage(GL_DEPTH_COMPONENT24, {kSide, kSide});
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, kSide, kSide, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, depths.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
}
Color offsetsReference(double u, double /*v*/) { return {0.5, u < 0.5 ? 0.0 : 1.0, 0.25}; }

/// Layers into four targets at once, blended into each.
class TargetsRow final : public Row {
public:
    explicit TargetsRow(Size size)
        : size_(size),
          framebuffer_(newFramebuffer({newStorage(GL_RGBA8, size), newStorage(GL_RGBA8, size),
                                       newStorage(GL_RGB10_A2, size), newStorage(GL_RGBA8, size)})) {
        (void)screenProgram(R"(
            in vec2 at;
            layout(location = 0) out vec4 o_first;
            layout(location = 1) out vec4 o_second;
            layout(location = 2) out vec4 o_third;
            layout(location = 3) out vec4 o_fourth;
            void main() {
                o_first = vec4(at, 0.0, 1.0);
                o_second = vec4(at.yx, 0.5, 1.0);
                o_third = vec4(1.0 - at, 0.25, 1.0);
                o_fourth = vec4(at.x, 0.75, at.y, 1.0);
            })");
        glEnable(GL_BLEND);
        glBlendColor(0, 0, 0, 0.5f);
        glBlendFunc(GL_CONSTANT_ALPHA, GL_ONE_MINUS_CONSTANT_ALPHA);
    }
    void frame() override {
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_);
        glClear(GL_COLOR_BUFFER_BIT);
        for (int i = 0; i < kLayers; ++i) drawScreen();
    }
    /// The surface gets the last target.
    void settle() override {
        glReadBuffer(GL_COLOR_ATTACHMENT3);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
        glBlitFramebuffer(0, 0, size_.width, size_.height, 0, 0, size_.width, size_.height, GL_COLOR_BUFFER_BIT,
                          GL_NEAREST);
        glReadBuffer(GL_COLOR_ATTACHMENT0);
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
    }
    [[nodiscard]] double workPerFrame() const override { return kLayers * size_.megapixels(); }
    [[nodiscard]] std::vector<ExpectedPixel> expected() const override {
        return pixelsOf(size_, 4, [](double u, double v) { return Color{u, 0.75, v}; });
    }

private:
    Size size_;
    GLuint framebuffer_;
};

/// Layers of integers, each computed from the one before, which is fetched.
class IntegersRow final : public Row {
public:
    explicit IntegersRow(Size size) : size_(size) {
        show_ = screenProgram(R"(
            in vec2 at;
            out vec4 color;
            uniform usampler2D image;
            void main() { color = vec4(texelFetch(image, ivec2(gl_FragCoord.xy), 0)) / vec4(255.0); })");
        step_ = screenProgram(R"(
            out uvec4 numbers;
            uniform usampler2D image;
            void main() {
                ivec2 pixel = ivec2(gl_FragCoord.xy);
                uvec4 before = texelFetch(image, pixel, 0);
                numbers = before + uvec4(1u, uint(pixel.x) & 15u, (before.x ^ uint(pixel.y)) & 7u, 2u);
            })");
        for (int i = 0; i < 2; ++i) {
            textures_[i] = newStorage(GL_RGBA16UI, size);
            framebuffers_[i] = newFramebuffer({textures_[i]});
        }
    }
    void frame() override {
        constexpr GLuint kZeros[4] = {};
        glUseProgram(step_);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffers_[0]);
        glClearBufferuiv(GL_COLOR, 0, kZeros);
        for (int i = 1; i <= kLayers; ++i) {
            glBindFramebuffer(GL_FRAMEBUFFER, framebuffers_[i % 2]);
            glBindTexture(GL_TEXTURE_2D, textures_[(i + 1) % 2]);
            drawScreen();
        }
        // Of the surface, which is bytes, a pixel is read that all of this has to be finished for.
        present(1);
    }
    void settle() override { present(size_.width); }
    [[nodiscard]] double workPerFrame() const override { return kLayers * size_.megapixels(); }
    [[nodiscard]] std::vector<ExpectedPixel> expected() const override {
        std::vector<ExpectedPixel> pixels = pixelsOf(size_, 1, [](double, double) { return Color{}; });
        for (ExpectedPixel& pixel : pixels) {
            const int across = kLayers * (pixel.x & 15);
            int up = 0;
            for (int before = 0; before < kLayers; ++before) up += (before ^ pixel.y) & 7;
            pixel.color = {kLayers / 255.0, across / 255.0, up / 255.0};
        }
        return pixels;
    }

private:
    /// Shows so many columns.
    void present(int columns) const {
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glUseProgram(show_);
        glBindTexture(GL_TEXTURE_2D, textures_[kLayers % 2]);
        glEnable(GL_SCISSOR_TEST);
        glScissor(0, 0, columns, columns == 1 ? 1 : size_.height);
        drawScreen();
        glDisable(GL_SCISSOR_TEST);
    }

    Size size_;
    GLuint show_ = 0, step_ = 0;
    std::array<GLuint, 2> textures_{}, framebuffers_{};
};

/// Blits of a whole picture: of half the size, filtered; or of four samples a pixel, resolved.
class BlitRow final : public Row {
public:
    BlitRow(Size size, bool isResolve) : size_(size), isResolve_(isResolve), from_(size) {
        GLuint color = 0;
        if (!isResolve) from_ = {size.width / 2, size.height / 2};
        glGenFramebuffers(1, &source_);
        glBindFramebuffer(GL_FRAMEBUFFER, source_);
        glGenRenderbuffers(1, &color);
        glBindRenderbuffer(GL_RENDERBUFFER, color);
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, isResolve ? 4 : 0, GL_RGBA8, from_.width, from_.height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
        glViewport(0, 0, from_.width, from_.height);
        (void)screenProgram("in vec2 at; out vec4 color; void main() { color = vec4(at, 0.25, 1.0); }");
        drawScreen();
        target_ = newFramebuffer({newStorage(GL_RGBA8, size)});
    }
    void frame() override {
        for (int i = 0; i < kLayers; ++i) blit(source_, target_, from_, isResolve_ ? GL_NEAREST : GL_LINEAR);
        glBindFramebuffer(GL_FRAMEBUFFER, target_);
    }
    void settle() override {
        blit(target_, 0, size_, GL_NEAREST);
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
    }
    [[nodiscard]] double workPerFrame() const override { return kLayers * size_.megapixels(); }
    [[nodiscard]] std::vector<ExpectedPixel> expected() const override {
        return pixelsOf(size_, 3, [](double u, double v) { return Color{u, v, 0.25}; });
    }

private:
    void blit(GLuint from, GLuint to, Size part, GLenum filter) const {
        glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
        glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
        glBlitFramebuffer(0, 0, part.width, part.height, 0, 0, size_.width, size_.height, GL_COLOR_BUFFER_BIT, filter);
    }

    Size size_;
    bool isResolve_;
    Size from_;
    GLuint source_ = 0, target_ = 0;
};

/// Quads on a grid over the surface, each with a colour of its own.
constexpr int kColumns = 64, kQuads = kColumns * (kColumns - 1);

struct Quad {
    std::array<float, 4> place;  ///< of the lower left corner, and its sides, in the surface's -1 .. 1
    std::array<float, 4> color;
};

Color quadColor(int index) { return {(index % kColumns) / 63.0, (index / kColumns) / 63.0, 0.5}; }

Quad quadAt(int index) {
    constexpr float kSide = 2.0f / kColumns;
    const Color color = quadColor(index);
    return {{static_cast<float>(index % kColumns) * kSide - 1, static_cast<float>(index / kColumns) * kSide - 1, kSide,
             kSide},
            {static_cast<float>(color[0]), static_cast<float>(color[1]), static_cast<float>(color[2]), 1}};
}

std::vector<ExpectedPixel> quadPixels(Size size) {
    std::vector<ExpectedPixel> pixels;
    for (const int i : {0, 1, 63, 64, 1777, 2500, kQuads - 1}) {
        const auto middle = [](int index, int extent) { return (2 * index + 1) * extent / (2 * kColumns); };
        pixels.push_back({middle(i % kColumns, size.width), middle(i / kColumns, size.height), quadColor(i), 2});
    }
    return pixels;
}

constexpr const char* kQuadMain = R"(
out vec4 v_color;
void main() {
    gl_Position = vec4(place.xy + vec2(gl_VertexID & 1, gl_VertexID >> 1) * place.zw, 0.0, 1.0);
    v_color = color;
}
)";
constexpr const char* kQuadFragment = "in vec4 v_color; out vec4 o; void main() { o = v_color; }";

void quadAttributes(GLuint divisor) {
    floatAttribute(0, 4, sizeof(Quad), offsetof(Quad, place));
    floatAttribute(1, 4, sizeof(Quad), offsetof(Quad, color));
    for (const GLuint i : {0u, 1u}) glVertexAttribDivisor(i, divisor);
}

std::vector<Quad> allQuads() {
    std::vector<Quad> quads;
    for (int i = 0; i < kQuads; ++i) quads.push_back(quadAt(i));
    return quads;
}

class InstancesRow final : public Row {
public:
    explicit InstancesRow(Size size) : size_(size) {
        (void)makeProgram(kHead + "in vec4 place, color;" + kQuadMain, kHead + kQuadFragment, {"place", "color"});
        makeBuffer(GL_ARRAY_BUFFER, allQuads());
        quadAttributes(1);
    }
    void frame() override {
        glClear(GL_COLOR_BUFFER_BIT);
        for (int i = 0; i < kLayers; ++i) glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, kQuads);
    }
    [[nodiscard]] double workPerFrame() const override { return kLayers * kQuads * 1e-6; }
    [[nodiscard]] std::vector<ExpectedPixel> expected() const override { return quadPixels(size_); }

private:
    Size size_;
};

/// A draw call for each quad, which it finds in a range of a uniform buffer.
class RangesRow final : public Row {
public:
    explicit RangesRow(Size size) : size_(size) {
        const GLuint program = makeProgram(kHead + "layout(std140) uniform Quad { vec4 place, color; };" + kQuadMain,
                                           kHead + kQuadFragment, {});
        glUniformBlockBinding(program, glGetUniformBlockIndex(program, "Quad"), 0);
        GLint alignment = 1;
        glGetIntegerv(GL_UNIFORM_BUFFER_OFFSET_ALIGNMENT, &alignment);
        step_ = (static_cast<GLintptr>(sizeof(Quad)) + alignment - 1) / alignment * alignment;
        std::vector<unsigned char> bytes(static_cast<size_t>(step_) * kQuads);
        for (int i = 0; i < kQuads; ++i) {
            const Quad quad = quadAt(i);
            const auto* from = reinterpret_cast<const unsigned char*>(&quad);
            std::copy(from, from + sizeof quad, bytes.begin() + step_ * i);
        }
        buffer_ = makeBuffer(GL_UNIFORM_BUFFER, bytes);
    }
    void frame() override {
        glClear(GL_COLOR_BUFFER_BIT);
        for (int i = 0; i < kQuads; ++i) {
            glBindBufferRange(GL_UNIFORM_BUFFER, 0, buffer_, step_ * i, sizeof(Quad));
            drawScreen();
        }
    }
    [[nodiscard]] double workPerFrame() const override { return kQuads * 1e-3; }
    [[nodiscard]] std::vector<ExpectedPixel> expected() const override { return quadPixels(size_); }

private:
    Size size_;
    GLintptr step_ = 0;
    GLuint buffer_ = 0;
};

/// Vertices streamed out, with nothing drawn; those of the grid are looked at by an instanced draw from the buffer.
class StreamOutRow final : public Row {
public:
    explicit StreamOutRow(Size size) : size_(size) {
        show_ = makeProgram(kHead + "in vec4 place, color;" + kQuadMain, kHead + kQuadFragment, {"place", "color"});
        stream_ = makeProgram(kHead + R"(
            in vec4 place, color;
            out vec4 o_place, o_color;
            void main() {
                o_place = vec4(place.xy * 2.0 - 1.0, place.zw * 2.0);
                o_color = sqrt(color);
                gl_Position = vec4(0.0);
            })",
                              kHead + "out vec4 o; void main() { o = vec4(1.0); }", {"place", "color"});
        const char* const outputs[] = {"o_place", "o_color"};
        glTransformFeedbackVaryings(stream_, 2, outputs, GL_INTERLEAVED_ATTRIBS);
        glLinkProgram(stream_);
        std::vector<Quad> quads;
        for (int i = 0; i < kVertices; ++i) {
            Quad quad = quadAt(i % kQuads);
            for (size_t c = 0; c < 4; ++c) {
                quad.place[c] = c < 2 ? quad.place[c] * 0.5f + 0.5f : quad.place[c] * 0.5f;
                quad.color[c] *= quad.color[c];
            }
            quads.push_back(quad);
        }
        from_ = makeBuffer(GL_ARRAY_BUFFER, quads);
        to_ = makeBuffer(GL_ARRAY_BUFFER, quads, GL_STREAM_COPY);
    }
    void frame() override {
        glUseProgram(stream_);
        glBindBuffer(GL_ARRAY_BUFFER, from_);
        quadAttributes(0);
        glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, to_);
        glEnable(GL_RASTERIZER_DISCARD);
        glBeginTransformFeedback(GL_POINTS);
        glDrawArrays(GL_POINTS, 0, kVertices);
        glEndTransformFeedback();
        glDisable(GL_RASTERIZER_DISCARD);
        glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, 0);
        // A pixel is read that the streamed vertices have to be there for.
        show(1);
    }
    void settle() override {
        glClear(GL_COLOR_BUFFER_BIT);
        show(kQuads);
    }
    [[nodiscard]] double workPerFrame() const override { return kVertices * 1e-6; }
    [[nodiscard]] std::vector<ExpectedPixel> expected() const override { return quadPixels(size_); }

private:
    static constexpr int kVertices = 1 << 17;

    void show(GLsizei quads) const {
        glUseProgram(show_);
        glBindBuffer(GL_ARRAY_BUFFER, to_);
        quadAttributes(1);
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, quads);
    }

    Size size_;
    GLuint show_ = 0, stream_ = 0, from_ = 0, to_ = 0;
};

template <class MadeRow>
RowInfo row(const char* name, const char* unit, const char* meaning) {
    return {.name = name, .unit = unit, .meaning = meaning, .version = 3, .make = [](Size size) {
                return std::make_unique<MadeRow>(size);
            }};
}

RowInfo layers(const char* name, const char* meaning, const LayersSpec& spec) {
    return {.name = name, .unit = "Mfragment/s", .meaning = meaning, .version = 3, .make = [spec](Size size) {
                return std::make_unique<LayersRow>(spec, size);
            }};
}

RowInfo blits(const char* name, const char* meaning, bool isResolve) {
    return {.name = name, .unit = "Mpixel/s", .meaning = meaning, .version = 3, .make = [isResolve](Size size) {
                return std::make_unique<BlitRow>(size, isResolve);
            }};
}

}  // namespace

std::vector<RowInfo> es3Rows() {
    return {
        layers("es3_array_every", "eight blended layers of an array texture of eight images, trilinear",
               {kArrayFragment, bindArray, arrayReference, 12}),
        layers("es3_shadow_offsets_every", "eight blended layers, each four filtered comparisons at offsets",
               {kOffsetsFragment, bindDepth, offsetsReference}),
        row<TargetsRow>("es3_targets_every", "Mfragment/s", "eight layers, blended into four targets at once"),
        row<IntegersRow>("es3_integers_every", "Mfragment/s",
                         "eight layers of four 16-bit integers, each from the one before"),
        blits("es3_blit_scaled", "eight blits of a picture of half the size, filtered", false),
        blits("es3_resolve", "eight resolves of four samples a pixel", true),
        row<InstancesRow>("es3_instances", "Minstance/s",
                          "eight draw calls of 4,032 quads, a 64th of the surface wide"),
        row<RangesRow>("es3_uniform_ranges", "kdraw/s", "4,032 draw calls, each with its range of a uniform buffer"),
        row<StreamOutRow>("es3_stream_out", "Mvertex/s", "131,072 vertices of 32 bytes streamed into a buffer"),
    };
}

}  // namespace bench
