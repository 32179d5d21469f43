// Program rows: the fragment or vertex program is the work, as in lights with powers, marched distances, noise, filters
// of nine taps, many programs, many targets. Nothing is hidden: where layers lie on each other they are blended with an
// alpha of 1, which no driver knows before it has shaded them.
#include <GLES3/gl3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/gl.h"
#include "bench/row.h"

namespace bench {

namespace {

constexpr int kLayers = 4;

const std::string kPrecision = "precision highp float;\n";

constexpr const char* kScreenVertex = R"(
attribute vec2 a_corner;
varying vec2 v_at;
void main() {
    v_at = a_corner;
    gl_Position = vec4(a_corner * 2.0 - 1.0, 0.0, 1.0);
}
)";

/// A program for drawScreen(); v_at is 0 to 1 over the viewport.
GLuint screenProgram(const std::string& fragment) {
    return makeProgram(kScreenVertex, kPrecision + "varying vec2 v_at;\n" + fragment, {"a_corner"});
}

void bindScreen() {
    makeBuffer(GL_ARRAY_BUFFER, std::vector<float>{0, 0, 1, 0, 0, 1, 1, 1});
    floatAttribute(0, 2, 2 * sizeof(float), 0);
}

void drawScreen() { glDrawArrays(GL_TRIANGLE_STRIP, 0, 4); }

using Vec3 = std::array<double, 3>;
double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vec3 sum(const Vec3& a, const Vec3& b, double factor = 1) {
    return {a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]};
}
Vec3 normalize(const Vec3& a) { return sum({}, a, 1 / std::sqrt(dot(a, a))); }

/// Layers of one program over the surface.
struct ProgramSpec {
    std::string fragment;
    std::function<Color(double u, double v)> reference;  ///< a negative channel where it must not be looked at
    int tolerance = 3;
    void (*prepare)(GLuint program) = nullptr;  ///< uniforms and textures
    int version = 2;
};

/// For programs of GLSL ES 3.00.
const std::string kScreenVertex3 =
    std::string("#version 300 es\n#define attribute in\n#define varying out\n") + kScreenVertex;
const std::string kFragmentHead3 = R"(#version 300 es
precision highp float;
precision highp int;
precision highp sampler2DShadow;
in vec2 v_at;
out vec4 color;
)";

class ProgramRow final : public Row {
public:
    ProgramRow(ProgramSpec spec, Size size) : spec_(std::move(spec)), size_(size) {
        const GLuint program = spec_.version == 2
                                   ? screenProgram(spec_.fragment)
                                   : makeProgram(kScreenVertex3, kFragmentHead3 + spec_.fragment, {"a_corner"});
        bindScreen();
        if (spec_.prepare != nullptr) spec_.prepare(program);
        glEnable(GL_BLEND);
        glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    }
    void frame() override {
        glClear(GL_COLOR_BUFFER_BIT);
        for (int i = 0; i < kLayers; ++i) drawScreen();
    }
    [[nodiscard]] double workPerFrame() const override { return kLayers * size_.megapixels(); }
    [[nodiscard]] std::vector<ExpectedPixel> expected() const override {
        return pixelsOf(size_, spec_.tolerance, spec_.reference);
    }

private:
    ProgramSpec spec_;
    Size size_;
};

// Eight point lights, each with a highlight, on a surface whose normals lie in a texture.

constexpr int kLights = 8;

constexpr const char* kLightsFragment = R"(
uniform sampler2D u_normals;
uniform vec3 u_places[8];
uniform vec3 u_colors[8];
void main() {
    vec3 normal = normalize(texture2D(u_normals, v_at).xyz - vec3(0.5, 0.5, -0.5));
    vec3 place = vec3(v_at, 0.0);
    vec3 eye = normalize(vec3(0.5, 0.5, 2.0) - place);
    vec3 light = vec3(0.05);
    for (int i = 0; i < 8; ++i) {
        vec3 towards = u_places[i] - place;
        float square = dot(towards, towards);
        towards *= inversesqrt(square);
        float highlight = pow(max(dot(normal, normalize(towards + eye)), 0.0), 32.0);
        light += u_colors[i] * (max(dot(normal, towards), 0.0) + highlight) / (1.0 + 4.0 * square);
    }
    gl_FragColor = vec4(light, 1.0);
}
)";

Vec3 lightPlace(int i) { return {0.5 + 0.45 * std::cos(i * 0.8), 0.5 + 0.45 * std::sin(i * 0.8), 0.3 + 0.05 * i}; }
Vec3 lightColor(int i) { return {0.1 + 0.04 * i, 0.35 - 0.03 * i, 0.2}; }

void prepareLights(GLuint program) {
    (void)makeTexture(256, GL_LINEAR, GL_LINEAR);
    std::vector<float> places, colors;
    for (int i = 0; i < kLights; ++i)
        for (size_t c = 0; c < 3; ++c) {
            places.push_back(static_cast<float>(lightPlace(i)[c]));
            colors.push_back(static_cast<float>(lightColor(i)[c]));
        }
    glUniform3fv(uniform(program, "u_places"), kLights, places.data());
    glUniform3fv(uniform(program, "u_colors"), kLights, colors.data());
}

Color lightsReference(double u, double v) {
    const Color texel = waves(u, v);
    const Vec3 normal = normalize({texel[0] - 0.5, texel[1] - 0.5, texel[2] + 0.5}), place = {u, v, 0};
    const Vec3 eye = normalize({0.5 - u, 0.5 - v, 2});
    Color color = {0.05, 0.05, 0.05};
    for (int i = 0; i < kLights; ++i) {
        const Vec3 towards = sum(lightPlace(i), place, -1);
        const double square = dot(towards, towards);
        const Vec3 direction = normalize(towards);
        const double highlight = std::pow(std::max(dot(normal, normalize(sum(direction, eye))), 0.0), 32);
        const double factor = (std::max(dot(normal, direction), 0.0) + highlight) / (1 + 4 * square);
        for (size_t c = 0; c < 3; ++c) color[c] += lightColor(i)[c] * factor;
    }
    for (double& channel : color) channel = std::min(channel, 1.0);
    return color;
}

// Spheres on a lattice, found by marching their distance; each fragment leaves the loop when it has met one.

constexpr const char* kMarchFragment = R"(
float distanceTo(vec3 p) { return length(fract(p) - 0.5) - 0.35; }
void main() {
    vec3 from = vec3(0.5, 0.5, 0.0);
    vec3 along = normalize(vec3(v_at - 0.5, 0.7));
    float way = 0.0;
    for (int i = 0; i < 64; ++i) {
        float next = distanceTo(from + along * way);
        if (next < 0.002) break;
        way += next;
        if (way > 12.0) break;
    }
    gl_FragColor = vec4(exp(-0.3 * way), 0.25 + 0.5 * exp(-way), 0.5, 1.0);
}
)";

double march(double u, double v) {
    const Vec3 from = {0.5, 0.5, 0}, along = normalize({u - 0.5, v - 0.5, 0.7});
    double way = 0;
    for (int i = 0; i < 64 && way <= 12; ++i) {
        Vec3 p = sum(from, along, way);
        for (double& c : p) c = c - std::floor(c) - 0.5;
        const double next = std::sqrt(dot(p, p)) - 0.35;
        if (next < 0.002) break;
        way += next;
    }
    return way;
}

/// Not at an edge, where rounding decides which sphere is met.
Color marchReference(double u, double v) {
    const double way = march(u, v);
    for (const double du : {-0.004, 0.004})
        for (const double dv : {-0.004, 0.004})
            if (std::abs(march(u + du, v + dv) - way) > 0.05) return {-1, -1, -1};
    return {std::exp(-0.3 * way), 0.25 + 0.5 * std::exp(-way), 0.5};
}

// Five octaves of values on a lattice, which a permutation of 0 to 288 gives: its products are exact in floats.

constexpr const char* kNoiseFragment = R"(
float permuted(float x) {
    float y = (34.0 * x + 1.0) * x;
    return y - 289.0 * floor((y + 0.5) / 289.0);
}
float valueAt(vec2 cell) { return permuted(permuted(cell.x) + cell.y) / 288.0; }
float noise(vec2 p) {
    vec2 cell = floor(p), part = p - cell;
    part = part * part * (3.0 - 2.0 * part);
    return mix(mix(valueAt(cell), valueAt(cell + vec2(1.0, 0.0)), part.x),
               mix(valueAt(cell + vec2(0.0, 1.0)), valueAt(cell + vec2(1.0, 1.0)), part.x), part.y);
}
void main() {
    vec2 p = v_at * 5.0;
    float total = 0.0, weight = 0.5;
    for (int i = 0; i < 5; ++i) {
        total += weight * noise(p);
        p = p * 2.0 + 3.0;
        weight *= 0.5;
    }
    gl_FragColor = vec4(total, 1.0 - total, 0.5 + 0.5 * sin(total * 12.0), 1.0);
}
)";

double permuted(double x) { return std::fmod((34 * x + 1) * x, 289); }
double valueAt(double x, double y) { return permuted(permuted(x) + y) / 288; }

Color noiseReference(double u, double v) {
    double x = u * 5, y = v * 5, total = 0, weight = 0.5;
    for (int i = 0; i < 5; ++i) {
        const double column = std::floor(x), row = std::floor(y);
        const auto smooth = [](double part) { return part * part * (3 - 2 * part); };
        const double across = smooth(x - column), up = smooth(y - row);
        total += weight * std::lerp(std::lerp(valueAt(column, row), valueAt(column + 1, row), across),
                                    std::lerp(valueAt(column, row + 1), valueAt(column + 1, row + 1), across), up);
        x = x * 2 + 3, y = y * 2 + 3, weight *= 0.5;
    }
    return {total, 1 - total, 0.5 + 0.5 * std::sin(total * 12)};
}

// A long program: 24 values that stay alive, each combined with two others, in twelve rounds.

constexpr int kValues = 24, kRounds = 12;

std::string longFragment() {
    std::string text = "void main() {\n";
    const auto name = [](int i) { return "a" + std::to_string(i % kValues); };
    for (int i = 0; i < kValues; ++i)
        text += "    vec2 " + name(i) + " = v_at * " + std::to_string(0.1 + 0.03 * i) + " + " +
                std::to_string(0.01 * i) + ";\n";
    for (int round = 0; round < kRounds; ++round)
        for (int i = 0; i < kValues; ++i)
            text += "    " + name(i) + " = " + name(i + 7) + ".yx * 0.5 + " + name(i) + " * " + name(i + 11) +
                    " * 0.25 + 0.1;\n";
    text += "    vec2 total = vec2(0.0);\n";
    for (int i = 0; i < kValues; ++i) text += "    total += " + name(i) + ";\n";
    return text + "    gl_FragColor = vec4(total * 0.08, 0.5, 1.0);\n}\n";
}

Color longReference(double u, double v) {
    std::array<std::array<double, 2>, kValues> a{};
    for (int i = 0; i < kValues; ++i)
        a[static_cast<size_t>(i)] = {u * (0.1 + 0.03 * i) + 0.01 * i, v * (0.1 + 0.03 * i) + 0.01 * i};
    for (int round = 0; round < kRounds; ++round)
        for (size_t i = 0; i < kValues; ++i) {
            const auto &near = a[(i + 7) % kValues], &far = a[(i + 11) % kValues];
            a[i] = {near[1] * 0.5 + a[i][0] * far[0] * 0.25 + 0.1, near[0] * 0.5 + a[i][1] * far[1] * 0.25 + 0.1};
        }
    Color color = {0, 0, 0.5};
    for (const auto& each : a) color[0] += each[0] * 0.08, color[1] += each[1] * 0.08;
    return {std::min(color[0], 1.0), std::min(color[1], 1.0), 0.5};
}

// Two hundred branches, of which neighbours take different ones.

constexpr int kSteps = 200;

std::string branchesFragment() {
    std::string text = "void main() {\n    float step = floor(v_at.x * 200.0);\n    vec3 c = vec3(v_at, 0.5);\n";
    for (int i = 0; i < kSteps; ++i)
        text += "    if (step == " + std::to_string(i) + ".0) c = c.zxy * " + std::to_string(0.5 + 0.002 * i) + " + " +
                std::to_string(0.001 * i) + ";\n";
    return text + "    gl_FragColor = vec4(c, 1.0);\n}\n";
}

/// Not where rounding decides between two branches.
Color branchesReference(double u, double v) {
    const double step = std::floor(u * kSteps), part = u * kSteps - step;
    if (part < 0.01 || part > 0.99) return {-1, -1, -1};
    const double factor = 0.5 + 0.002 * step, more = 0.001 * step;
    return {0.5 * factor + more, std::min(u * factor + more, 1.0), std::min(v * factor + more, 1.0)};
}

// Integers of OpenGL ES 3.0: a hash of the cell, in three octaves, and sixteen comparisons with a depth texture.

constexpr const char* kHashFragment = R"(
uint hashed(uvec2 cell) {
    uint h = cell.x * 374761393u + cell.y * 668265263u;
    h = (h ^ (h >> 13)) * 1274126177u;
    return h ^ (h >> 16);
}
float valueAt(uvec2 cell) { return float(hashed(cell) & 0xffffu) / 65535.0; }
float noise(vec2 p) {
    uvec2 cell = uvec2(p);
    vec2 part = fract(p);
    return mix(mix(valueAt(cell), valueAt(cell + uvec2(1u, 0u)), part.x),
               mix(valueAt(cell + uvec2(0u, 1u)), valueAt(cell + uvec2(1u)), part.x), part.y);
}
void main() {
    color = vec4(noise(v_at * 8.0), noise(v_at * 24.0 + 7.0), noise(v_at * 64.0 + 3.0), 1.0);
}
)";

double hashedValue(uint32_t x, uint32_t y) {
    uint32_t h = x * 374761393U + y * 668265263U;
    h = (h ^ (h >> 13U)) * 1274126177U;
    return ((h ^ (h >> 16U)) & 0xFFFFU) / 65535.0;
}

double hashNoise(double x, double y) {
    const auto column = static_cast<uint32_t>(x), row = static_cast<uint32_t>(y);
    return std::lerp(std::lerp(hashedValue(column, row), hashedValue(column + 1, row), x - column),
                     std::lerp(hashedValue(column, row + 1), hashedValue(column + 1, row + 1), x - column), y - row);
}

Color hashReference(double u, double v) {
    return {hashNoise(u * 8, v * 8), hashNoise(u * 24 + 7, v * 24 + 7), hashNoise(u * 64 + 3, v * 64 + 3)};
}

constexpr const char* kSoftShadowFragment = R"(
uniform sampler2DShadow u_map;
void main() {
    float lit = 0.0;
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x) lit += texture(u_map, vec3(v_at + vec2(x, y) / 256.0 - 1.5 / 256.0, 0.5));
    color = vec4(0.5, lit / 16.0, 0.25, 1.0);
}
)";

/// Near at the left, far at the right.
void prepareShadow(GLuint /*program*/) {
    constexpr int kSide = 256;
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    std::vector<uint32_t> depths;
    for (int i = 0; i < kSide * kSide; ++i) depths.push_back(i % kSide < kSide / 2 ? 0x40000000U : 0xC0000000U);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT24, kSide, kSide, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT,
                 depths.data());
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
        glTexParameteri(GL_TEXTURE_2D, filter, GL_LINEAR);
    for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
        glTexParameteri(GL_TEXTURE_2D, wrap, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
}
/// Not beside the border between near and far, which the filter softens.
Color softShadowReference(double u, double /*v*/) {
    if (std::abs(u - 0.5) < 0.02) return {-1, -1, -1};
    return {0.5, u < 0.5 ? 0.0 : 1.0, 0.25};
}

/// A texture to draw to, and the framebuffer for it, which is bound.
struct Target {
    GLuint texture = 0, framebuffer = 0;

    Target(Size size, GLenum filter, const void* texels = nullptr) {
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, size.width, size.height, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
        for (const GLenum which : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
            glTexParameteri(GL_TEXTURE_2D, which, static_cast<GLint>(filter));
        for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
            glTexParameteri(GL_TEXTURE_2D, wrap, GL_CLAMP_TO_EDGE);
        glGenFramebuffers(1, &framebuffer);
        glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    }
};

/// The game of life: a generation a pass, of nine lookups a cell, one from the other of two textures.
class LifeRow final : public Row {
public:
    explicit LifeRow(Size size)
        : size_(size),
          cells_(firstCells(size)),
          first_(size, GL_NEAREST, texels(cells_).data()),
          targets_{Target(size, GL_NEAREST), Target(size, GL_NEAREST)} {
        program_ = screenProgram(R"(
            uniform sampler2D u_cells;
            uniform vec2 u_texel;
            float at(float x, float y) { return texture2D(u_cells, v_at + vec2(x, y) * u_texel).r; }
            void main() {
                float around = at(-1.0, -1.0) + at(0.0, -1.0) + at(1.0, -1.0) + at(-1.0, 0.0) + at(1.0, 0.0) +
                               at(-1.0, 1.0) + at(0.0, 1.0) + at(1.0, 1.0);
                float lives = around == 3.0 || (around == 2.0 && at(0.0, 0.0) == 1.0) ? 1.0 : 0.0;
                gl_FragColor = vec4(lives, around / 8.0, 0.5, 1.0);
            })");
        glUniform2f(uniform(program_, "u_texel"), 1 / static_cast<float>(size.width),
                    1 / static_cast<float>(size.height));
        bindScreen();
        for (int i = 0; i < kGenerations; ++i) live();
    }
    void frame() override { generations(targets_[(kGenerations - 1) % 2].framebuffer); }
    void settle() override { generations(0); }
    [[nodiscard]] double workPerFrame() const override { return kGenerations * size_.megapixels(); }
    [[nodiscard]] std::vector<ExpectedPixel> expected() const override {
        std::vector<ExpectedPixel> pixels = pixelsOf(size_, 2, [](double, double) { return Color{}; });
        for (ExpectedPixel& pixel : pixels)
            pixel.color = {cells_[index(pixel.x, pixel.y)] * 1.0, around_[index(pixel.x, pixel.y)] / 8.0, 0.5};
        return pixels;
    }

private:
    static constexpr int kGenerations = 8;

    static std::vector<unsigned char> firstCells(Size size) {
        std::vector<unsigned char> cells;
        uint32_t state = 1;
        for (int i = 0; i < size.width * size.height; ++i) {
            state = state * 1664525U + 1013904223U;
            cells.push_back(static_cast<unsigned char>(state >> 31U));
        }
        return cells;
    }
    static std::vector<unsigned char> texels(const std::vector<unsigned char>& cells) {
        std::vector<unsigned char> bytes;
        for (const unsigned char cell : cells)
            bytes.insert(bytes.end(), {static_cast<unsigned char>(cell * 255), 0, 0, 255});
        return bytes;
    }
    [[nodiscard]] size_t index(int x, int y) const {
        return static_cast<size_t>(std::clamp(y, 0, size_.height - 1)) * static_cast<size_t>(size_.width) +
               static_cast<size_t>(std::clamp(x, 0, size_.width - 1));
    }
    /// A generation on the processor. Beyond the edge is what is on it, as the textures are clamped.
    void live() {
        around_.assign(cells_.size(), 0);
        std::vector<unsigned char> next = cells_;
        for (int y = 0; y < size_.height; ++y)
            for (int x = 0; x < size_.width; ++x) {
                int around = -cells_[index(x, y)];
                for (int dy = -1; dy <= 1; ++dy)
                    for (int dx = -1; dx <= 1; ++dx) around += cells_[index(x + dx, y + dy)];
                around_[index(x, y)] = static_cast<unsigned char>(around);
                next[index(x, y)] = around == 3 || (around == 2 && cells_[index(x, y)] == 1) ? 1 : 0;
            }
        cells_ = std::move(next);
    }
    void generations(GLuint last) const {
        for (int i = 0; i < kGenerations; ++i) {
            glBindTexture(GL_TEXTURE_2D, i == 0 ? first_.texture : targets_[(i + 1) % 2].texture);
            glBindFramebuffer(GL_FRAMEBUFFER, i == kGenerations - 1 ? last : targets_[i % 2].framebuffer);
            drawScreen();
        }
        if (last == 0) glBindFramebuffer(GL_FRAMEBUFFER, 0);
    }

    Size size_;
    std::vector<unsigned char> cells_, around_;
    Target first_;
    std::array<Target, 2> targets_;
    GLuint program_ = 0;
};

/// A blur of nine filtered taps across, and of nine up, three times.
class BlurRow final : public Row {
public:
    explicit BlurRow(Size size) : size_(size), between_(size, GL_LINEAR) {
        std::string fragment =
            "uniform sampler2D u_image;\nuniform vec2 u_step;\nvoid main() {\n    vec3 total = vec3(0.0);\n";
        for (int i = 0; i < kTaps; ++i)
            fragment += "    total += texture2D(u_image, v_at + u_step * " + std::to_string(i - kTaps / 2) +
                        ".0).rgb * " + std::to_string(weight(i)) + ";\n";
        program_ = screenProgram(fragment + "    gl_FragColor = vec4(total, 1.0);\n}\n");
        step_ = uniform(program_, "u_step");
        glActiveTexture(GL_TEXTURE0);
        image_ = makeTexture(256, GL_LINEAR, GL_LINEAR);
        bindScreen();
    }
    void frame() override {
        for (int i = 0; i < 3; ++i) {
            pass(image_, between_.framebuffer, kStep, 0);
            pass(between_.texture, 0, 0, kStep);
        }
    }
    [[nodiscard]] double workPerFrame() const override { return 6 * size_.megapixels(); }
    [[nodiscard]] std::vector<ExpectedPixel> expected() const override {
        // Near the edges the second pass is clamped, the image repeats.
        return pixelsOf(size_, 4, [](double u, double v) {
            if (v < 0.04 || v > 0.96) return Color{-1, -1, -1};
            Color color{};
            for (int x = 0; x < kTaps; ++x)
                for (int y = 0; y < kTaps; ++y) {
                    const Color texel = waves(u + (x - kTaps / 2) * kStep, v + (y - kTaps / 2) * kStep);
                    for (size_t c = 0; c < 3; ++c) color[c] += weight(x) * weight(y) * texel[c];
                }
            return color;
        });
    }

private:
    static constexpr int kTaps = 9;
    static constexpr float kStep = 1.0F / 256;
    static double weight(int tap) { return (5 - std::abs(tap - kTaps / 2)) / 25.0; }

    void pass(GLuint from, GLuint to, float x, float y) const {
        glBindFramebuffer(GL_FRAMEBUFFER, to);
        glBindTexture(GL_TEXTURE_2D, from);
        glUniform2f(step_, x, y);
        drawScreen();
    }

    Size size_;
    Target between_;
    GLuint program_ = 0, image_ = 0;
    GLint step_ = -1;
};

/// Cells of a grid over the surface, one for each of some objects that a frame uses in turn.
struct Cells {
    static constexpr int kColumns = 10, kCount = kColumns * kColumns;

    static Color color(int index) { return {(index % kColumns) / 9.0, (index / kColumns) / 9.0, 0.5}; }
    static std::string text(int index) {
        const Color c = color(index);
        return "vec3(" + std::to_string(c[0]) + ", " + std::to_string(c[1]) + ", " + std::to_string(c[2]) + ")";
    }
    static void viewport(Size size, int index) {
        const int column = index % kColumns, row = index / kColumns;
        const int left = column * size.width / kColumns, bottom = row * size.height / kColumns;
        glViewport(left, bottom, (column + 1) * size.width / kColumns - left,
                   (row + 1) * size.height / kColumns - bottom);
    }
    static std::vector<ExpectedPixel> expected(Size size) {
        std::vector<ExpectedPixel> pixels;
        for (const int i : {0, 1, 9, 10, 37, 58, 81, kCount - 1})
            pixels.push_back({(2 * (i % kColumns) + 1) * size.width / (2 * kColumns),
                              (2 * (i / kColumns) + 1) * size.height / (2 * kColumns), color(i), 2});
        return pixels;
    }
};

/// A hundred programs, each with a small part of the surface.
class ProgramsRow final : public Row {
public:
    explicit ProgramsRow(Size size) : size_(size) {
        for (int i = 0; i < Cells::kCount; ++i)
            programs_.push_back(screenProgram("void main() { gl_FragColor = vec4(" + Cells::text(i) +
                                              " + 0.001 * sin(v_at.x * " + std::to_string(i + 1) + ".0), 1.0); }"));
        bindScreen();
    }
    void frame() override {
        for (int i = 0; i < Cells::kCount; ++i) {
            glUseProgram(programs_[static_cast<size_t>(i)]);
            Cells::viewport(size_, i);
            drawScreen();
        }
    }
    [[nodiscard]] double workPerFrame() const override { return Cells::kCount * 1e-3; }
    [[nodiscard]] std::vector<ExpectedPixel> expected() const override { return Cells::expected(size_); }

private:
    Size size_;
    std::vector<GLuint> programs_;
};

/// A hundred targets: each is cleared and drawn to, then drawn with.
class TargetsRow final : public Row {
public:
    explicit TargetsRow(Size size) : size_(size) {
        for (int i = 0; i < Cells::kCount; ++i) targets_.emplace_back(Size{kSide, kSide}, GL_NEAREST);
        fill_ = screenProgram("uniform vec3 u_color;\nvoid main() { gl_FragColor = vec4(u_color, 1.0); }");
        color_ = uniform(fill_, "u_color");
        show_ = screenProgram("uniform sampler2D u_image;\nvoid main() { gl_FragColor = texture2D(u_image, v_at); }");
        bindScreen();
    }
    void frame() override {
        for (int i = 0; i < Cells::kCount; ++i) {
            const Target& target = targets_[static_cast<size_t>(i)];
            const Color color = Cells::color(i);
            glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
            glViewport(0, 0, kSide, kSide);
            glClear(GL_COLOR_BUFFER_BIT);
            glUseProgram(fill_);
            glUniform3f(color_, static_cast<float>(color[0]), static_cast<float>(color[1]),
                        static_cast<float>(color[2]));
            drawScreen();
            glBindFramebuffer(GL_FRAMEBUFFER, 0);
            glUseProgram(show_);
            glBindTexture(GL_TEXTURE_2D, target.texture);
            Cells::viewport(size_, i);
            drawScreen();
        }
    }
    [[nodiscard]] double workPerFrame() const override { return Cells::kCount * 1e-3; }
    [[nodiscard]] std::vector<ExpectedPixel> expected() const override { return Cells::expected(size_); }

private:
    static constexpr int kSide = 128;

    Size size_;
    std::vector<Target> targets_;
    GLuint fill_ = 0, show_ = 0;
    GLint color_ = -1;
};

/// A grid over the surface, of 256 x 256 cells, whose vertex program is the work.
constexpr int kGrid = 256;

struct GridVertex {
    float at[2];     ///< 0 to 1 over the surface
    float bones[4];  ///< of which each pair moves it as far to the left as to the right
    float weights[4];
};

class GridRow final : public Row {
public:
    GridRow(Size size, const char* vertexShader, Color (*reference)(double u, double v),
            void (*prepare)(GLuint program))
        : size_(size), reference_(reference) {
        const GLuint program = makeProgram(
            vertexShader, kPrecision + "varying vec3 v_color;\nvoid main() { gl_FragColor = vec4(v_color, 1.0); }",
            {"a_at", "a_bones", "a_weights"});
        std::vector<GridVertex> vertices;
        for (int row = 0; row <= kGrid - 1; ++row)
            for (int column = 0; column <= kGrid - 1; ++column) {
                const auto bone = static_cast<float>((column + row) % 31 * 2);
                vertices.push_back({{static_cast<float>(column) / (kGrid - 1), static_cast<float>(row) / (kGrid - 1)},
                                    {bone, bone + 1, std::fmod(bone + 32, 64.0F), std::fmod(bone + 33, 64.0F)},
                                    {0.3F, 0.3F, 0.2F, 0.2F}});
            }
        std::vector<uint16_t> indices;
        for (int row = 0; row < kGrid - 1; ++row)
            for (int column = 0; column < kGrid - 1; ++column) {
                const int a = row * kGrid + column, b = a + 1, c = a + kGrid + 1, d = a + kGrid;
                for (const int corner : {a, b, c, a, c, d}) indices.push_back(static_cast<uint16_t>(corner));
            }
        count_ = static_cast<GLsizei>(indices.size());
        makeBuffer(GL_ARRAY_BUFFER, vertices);
        makeBuffer(GL_ELEMENT_ARRAY_BUFFER, indices);
        floatAttribute(0, 2, sizeof(GridVertex), offsetof(GridVertex, at));
        floatAttribute(1, 4, sizeof(GridVertex), offsetof(GridVertex, bones));
        floatAttribute(2, 4, sizeof(GridVertex), offsetof(GridVertex, weights));
        prepare(program);
    }
    void frame() override {
        glClear(GL_COLOR_BUFFER_BIT);
        glDrawElements(GL_TRIANGLES, count_, GL_UNSIGNED_SHORT, nullptr);
    }
    [[nodiscard]] double workPerFrame() const override { return kGrid * 1e-6 * kGrid; }
    [[nodiscard]] std::vector<ExpectedPixel> expected() const override { return pixelsOf(size_, 4, reference_); }

private:
    Size size_;
    Color (*reference_)(double u, double v);
    GLsizei count_ = 0;
};

constexpr const char* kSkinnedShader = R"(
attribute vec2 a_at;
attribute vec4 a_bones;
attribute vec4 a_weights;
uniform vec4 u_bones[192];
varying vec3 v_color;
vec3 moved(vec4 p, float bone) {
    int i = int(bone) * 3;
    return vec3(dot(u_bones[i], p), dot(u_bones[i + 1], p), dot(u_bones[i + 2], p));
}
void main() {
    vec4 p = vec4(a_at, 0.25, 1.0);
    vec3 place = moved(p, a_bones.x) * a_weights.x + moved(p, a_bones.y) * a_weights.y +
                 moved(p, a_bones.z) * a_weights.z + moved(p, a_bones.w) * a_weights.w;
    v_color = place;
    gl_Position = vec4(place.xy * 2.0 - 1.0, 0.0, 1.0);
}
)";

/// A bone moves and shears as far to one side as its neighbour to the other.
void prepareBones(GLuint program) {
    std::vector<float> rows;
    for (int i = 0; i < 64; ++i) {
        const float side = (i % 2 == 0 ? 1.0F : -1.0F) * 0.01F * static_cast<float>(i / 2);
        rows.insert(rows.end(), {1, side, 0, side, -side, 1, side, -side, 0, side, 1, side});
    }
    glUniform4fv(uniform(program, "u_bones"), 192, rows.data());
}
Color skinnedReference(double u, double v) { return {u, v, 0.25}; }

constexpr const char* kHeightsShader = R"(
attribute vec2 a_at;
uniform sampler2D u_heights;
varying vec3 v_color;
float height(vec2 at) { return texture2DLod(u_heights, at, 0.0).r; }
void main() {
    float here = height(a_at), step = 1.0 / 256.0;
    vec2 slope = vec2(height(a_at + vec2(step, 0.0)) - height(a_at - vec2(step, 0.0)),
                      height(a_at + vec2(0.0, step)) - height(a_at - vec2(0.0, step)));
    v_color = vec3(here, vec2(0.5) + slope * 2.0);
    gl_Position = vec4(a_at * 2.0 - 1.0, here * 0.5, 1.0);
}
)";

void prepareHeights(GLuint /*program*/) { (void)makeTexture(256, GL_LINEAR, GL_LINEAR); }
Color heightsReference(double u, double v) {
    constexpr double kStep = 1 / 256.0;
    return {waves(u, v)[0], 0.5 + 2 * (waves(u + kStep, v)[0] - waves(u - kStep, v)[0]),
            0.5 + 2 * (waves(u, v + kStep)[0] - waves(u, v - kStep)[0])};
}

constexpr const char* kMatricesShader = R"(
attribute vec2 a_at;
uniform mat4 u_projection, u_view, u_model;
varying vec3 v_color;
void main() {
    v_color = vec3(a_at, 0.25);
    gl_Position = u_projection * u_view * u_model * vec4(a_at, 0.0, 1.0);
}
)";

/// The model is turned about its middle, and the view back.
void prepareMatrices(GLuint program) {
    constexpr float c = 0.8F, s = 0.6F;
    const auto set = [&](const char* name, std::array<float, 16> columns) {
        glUniformMatrix4fv(uniform(program, name), 1, GL_FALSE, columns.data());
    };
    const float x = -0.5F * c + 0.5F * s, y = -0.5F * s - 0.5F * c;
    set("u_model", {c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, x, y, 0, 1});
    set("u_view", {c, -s, 0, 0, s, c, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
    set("u_projection", {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
}
Color matricesReference(double u, double v) { return {u, v, 0.25}; }

RowInfo program(const char* name, const char* meaning, const ProgramSpec& spec) {
    return {
        .name = name, .unit = "Mfragment/s", .meaning = meaning, .version = spec.version, .make = [spec](Size size) {
            return std::make_unique<ProgramRow>(spec, size);
        }};
}

template <class MadeRow>
RowInfo row(const char* name, const char* unit, const char* meaning) {
    return {.name = name, .unit = unit, .meaning = meaning, .make = [](Size size) {
                return std::make_unique<MadeRow>(size);
            }};
}

RowInfo grid(const char* name, const char* meaning, const char* vertexShader, Color (*reference)(double u, double v),
             void (*prepare)(GLuint program)) {
    return {.name = name, .unit = "Mvertex/s", .meaning = meaning, .make = [=](Size size) {
                return std::make_unique<GridRow>(size, vertexShader, reference, prepare);
            }};
}

}  // namespace

std::vector<RowInfo> programRows() {
    return {
        program("lights",
                "eight point lights with a power of 32 each, normals from a texture; four layers, each counts",
                {kLightsFragment, lightsReference, 6, prepareLights}),
        program("march", "up to 64 steps of marched distances, which each fragment leaves when it has met something",
                {kMarchFragment, marchReference, 4}),
        program("noise", "five octaves of values on a lattice, smoothly mixed", {kNoiseFragment, noiseReference, 3}),
        program("long_program", "700 multiplications and additions on 24 pairs of values that stay alive",
                {longFragment(), longReference, 3}),
        program("branches", "200 branches, of which each fragment takes one",
                {branchesFragment(), branchesReference, 2}),
        row<LifeRow>("life", "Mfragment/s", "the game of life, eight generations of nine lookups"),
        row<BlurRow>("blur", "Mfragment/s", "nine filtered taps across and nine up, three times, by a texture"),
        row<ProgramsRow>("programs", "kdraw/s", "a hundred programs in turn, each with a hundredth of the surface"),
        row<TargetsRow>("targets", "kdraw/s", "a hundred textures in turn, each cleared, drawn to and drawn"),
        grid("skinned", "a grid of 256 x 256 vertices, each moved by four of 64 bones", kSkinnedShader,
             skinnedReference, prepareBones),
        grid("vertex_lookups", "the same grid, five filtered lookups for each vertex", kHeightsShader, heightsReference,
             prepareHeights),
        grid("matrices", "the same grid, by three matrices that are multiplied for each vertex", kMatricesShader,
             matricesReference, prepareMatrices),
        program("es3_hash", "three integer hash noises", {kHashFragment, hashReference, 3, nullptr, 3}),
        program("es3_soft_shadow", "sixteen filtered comparisons with a depth texture",
                {kSoftShadowFragment, softShadowReference, 2, prepareShadow, 3}),
    };
}

}  // namespace bench
