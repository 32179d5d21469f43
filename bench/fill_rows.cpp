// Fill rows: 32 layers over the whole surface, in one draw call, so that nothing but fragments counts.
//
// The layers are a plane that recedes: w is 1 at the bottom and 2 at the top, so every varying is interpolated with
// perspective. With x, y from 0 to 1 over the surface and 1/w = 1 - y/2, the plane's own coordinates are
//     u = x w / 2,  v = y w / 2      (both linear over w at all four corners, hence on both triangles).
// Fragment programs ask for highp, so that every driver computes in 32 bits; one row shows what mediump changes.
// Each row has a reference in double precision: the colour of a fragment as a function of (u, v).
#include <EGL/egl.h>
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

#include <algorithm>
#include <cmath>

#include "bench/gl.h"
#include "bench/row.h"

namespace bench {

namespace {

constexpr int kLayers = 32;

struct PlaneVertex {
    float position[4];
    float color[4];
    float texCoord[2];
};

constexpr const char* kPositionShader = R"(
attribute vec4 a_position;
void main() { gl_Position = a_position; }
)";

constexpr const char* kColorShader = R"(
attribute vec4 a_position;
attribute vec4 a_color;
varying vec4 v_color;
void main() {
    v_color = a_color;
    gl_Position = a_position;
}
)";

constexpr const char* kTextureShader = R"(
attribute vec4 a_position;
attribute vec2 a_texCoord;
uniform float u_repeat;
varying vec2 v_texCoord;
void main() {
    v_texCoord = a_texCoord * u_repeat;
    gl_Position = a_position;
}
)";

constexpr const char* kLitShader = R"(
attribute vec4 a_position;
attribute vec2 a_texCoord;
varying vec3 v_normal;
varying vec3 v_eye;
void main() {
    v_normal = vec3(a_texCoord - 0.5, 0.6);
    v_eye = vec3(0.5 - a_texCoord.x, 0.3 - a_texCoord.y, 1.0);
    gl_Position = a_position;
}
)";

constexpr const char* kFlatFragment = R"(
precision highp float;
uniform vec4 u_color;
void main() { gl_FragColor = u_color; }
)";

constexpr const char* kColorFragment = R"(
precision highp float;
varying vec4 v_color;
void main() { gl_FragColor = v_color; }
)";

constexpr const char* kTextureFragment = R"(
precision highp float;
uniform sampler2D u_image0;
varying vec2 v_texCoord;
void main() { gl_FragColor = texture2D(u_image0, v_texCoord); }
)";

// The face of +Z, all of it once over the surface.
constexpr const char* kCubeFragment = R"(
precision highp float;
uniform samplerCube u_image0;
varying vec2 v_texCoord;
void main() { gl_FragColor = textureCube(u_image0, vec3(2.0 * v_texCoord.x - 1.0, 1.0 - 2.0 * v_texCoord.y, 1.0)); }
)";

constexpr const char* kVolumeFragment = R"(#extension GL_OES_texture_3D : require
precision highp float;
uniform highp sampler3D u_image0;
varying vec2 v_texCoord;
void main() { gl_FragColor = texture3D(u_image0, v_texCoord.xyx); }
)";

constexpr const char* kShadowFragment = R"(#extension GL_EXT_shadow_samplers : require
precision highp float;
uniform highp sampler2DShadow u_image0;
varying vec2 v_texCoord;
void main() { gl_FragColor = vec4(0.5, shadow2DEXT(u_image0, v_texCoord.xyy), 0.25, 1.0); }
)";

constexpr const char* kMultiTextureFragment = R"(
precision highp float;
uniform sampler2D u_image0;
uniform sampler2D u_image1;
uniform sampler2D u_image2;
varying vec2 v_texCoord;
void main() {
    vec4 base = texture2D(u_image0, v_texCoord);
    vec4 light = texture2D(u_image1, v_texCoord * 0.5);
    vec4 detail = texture2D(u_image2, v_texCoord.yx * 2.0);
    gl_FragColor = base * light + detail * 0.25;
}
)";

constexpr const char* kPhongFragment = R"(
varying vec3 v_normal;
varying vec3 v_eye;
uniform vec3 u_light;
uniform vec3 u_color;
void main() {
    vec3 normal = normalize(v_normal);
    vec3 halfway = normalize(u_light + normalize(v_eye));
    float diffuse = max(dot(normal, u_light), 0.0);
    float specular = pow(max(dot(normal, halfway), 0.0), 24.0);
    gl_FragColor = vec4(u_color * (0.2 + 0.6 * diffuse) + 0.3 * specular, 1.0);
}
)";

// A contraction: 24 steps of eight multiplications and additions on four components, then transcendentals.
constexpr const char* kArithmeticFragment = R"(
precision highp float;
varying vec2 v_texCoord;
uniform vec4 u_bias;
#define STEP a = a.yzwx * 0.5 + a * a.zwxy * 0.25 + u_bias;
#define STEPS STEP STEP STEP STEP STEP STEP STEP STEP
void main() {
    vec4 a = vec4(v_texCoord, v_texCoord.yx * 0.5);
    STEPS STEPS STEPS
    gl_FragColor = vec4(0.5 + 0.4 * sin(6.0 * a.x + 9.0 * v_texCoord.x), exp2(-2.0 * v_texCoord.y - a.y),
                        inversesqrt(1.0 + 3.0 * v_texCoord.x + a.z) , 1.0);
}
)";

constexpr const char* kLoopFragment = R"(
precision highp float;
varying vec2 v_texCoord;
uniform vec4 u_table[32];
void main() {
    vec4 a = vec4(v_texCoord, v_texCoord.yx * 0.5);
    vec4 sum = vec4(0.0);
    for (int i = 0; i < 32; ++i) {
        a = a.yzwx * 0.5 + a * a.zwxy * 0.25 + u_table[i];
        sum += a;
    }
    gl_FragColor = vec4(sum.rgb * 0.03125, 1.0);
}
)";

constexpr const char* kDivergeFragment = R"(
precision highp float;
varying vec2 v_texCoord;
void main() {
    vec2 c = v_texCoord * 2.6 - vec2(2.0, 1.3);
    vec2 z = vec2(0.0);
    float count = 0.0;
    for (int i = 0; i < 64; ++i) {
        z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
        if (dot(z, z) > 4.0) break;
        count += 1.0;
    }
    gl_FragColor = vec4(count / 64.0, fract(count / 8.0), 0.25, 1.0);
}
)";

using Vec3 = std::array<double, 3>;
double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vec3 normalize(const Vec3& a) {
    double length = std::sqrt(dot(a, a));
    return {a[0] / length, a[1] / length, a[2] / length};
}

constexpr Vec3 kLight = {0.36, 0.48, 0.8};
constexpr Vec3 kMaterial = {0.9, 0.5, 0.3};

Color phongReference(double u, double v) {
    Vec3 normal = normalize({u - 0.5, v - 0.5, 0.6});
    Vec3 eye = normalize({0.5 - u, 0.3 - v, 1.0});
    Vec3 halfway = normalize({kLight[0] + eye[0], kLight[1] + eye[1], kLight[2] + eye[2]});
    double diffuse = std::max(dot(normal, kLight), 0.0);
    double specular = std::pow(std::max(dot(normal, halfway), 0.0), 24.0);
    Color color{};
    for (size_t i = 0; i < 3; ++i) color[i] = std::min(kMaterial[i] * (0.2 + 0.6 * diffuse) + 0.3 * specular, 1.0);
    return color;
}

using Vec4 = std::array<double, 4>;
constexpr Vec4 kBias = {0.1, 0.2, 0.15, 0.05};

Vec4 step(const Vec4& a, const Vec4& bias) {
    Vec4 next{};
    for (size_t i = 0; i < 4; ++i) next[i] = a[(i + 1) % 4] * 0.5 + a[i] * a[(i + 2) % 4] * 0.25 + bias[i];
    return next;
}

Color arithmeticReference(double u, double v) {
    Vec4 a = {u, v, v * 0.5, u * 0.5};
    for (int i = 0; i < 24; ++i) a = step(a, kBias);
    return {0.5 + 0.4 * std::sin(6 * a[0] + 9 * u), std::min(std::exp2(-2 * v - a[1]), 1.0),
            1 / std::sqrt(1 + 3 * u + a[2])};
}

Vec4 tableEntry(int i) { return {0.1 + 0.002 * i, 0.2 - 0.003 * i, 0.15, 0.05 + 0.001 * i}; }

Color loopReference(double u, double v) {
    Vec4 a = {u, v, v * 0.5, u * 0.5}, sum{};
    for (int i = 0; i < 32; ++i) {
        a = step(a, tableEntry(i));
        for (size_t j = 0; j < 4; ++j) sum[j] += a[j];
    }
    return {sum[0] / 32, sum[1] / 32, sum[2] / 32};
}

int escapeCount(double u, double v) {
    double cx = u * 2.6 - 2.0, cy = v * 2.6 - 1.3, x = 0, y = 0;
    for (int count = 0; count < 64; ++count) {
        double next = x * x - y * y + cx;
        y = 2 * x * y + cy, x = next;
        if (x * x + y * y > 4) return count;
    }
    return 64;
}

/// Only where the count is the same all around: elsewhere rounding decides.
Color divergeReference(double u, double v) {
    int count = escapeCount(u, v);
    for (double du : {-0.002, 0.0, 0.002})
        for (double dv : {-0.002, 0.0, 0.002})
            if (escapeCount(u + du, v + dv) != count) return {-1, -1, -1};
    return {count / 64.0, std::fmod(count / 8.0, 1.0), 0.25};
}

Color multiTextureReference(double u, double v) {
    Color base = waves(u * 4, v * 4), light = waves(u * 2, v * 2), detail = waves(v * 8, u * 8), color{};
    for (size_t i = 0; i < 3; ++i) color[i] = std::min(base[i] * light[i] + detail[i] * 0.25, 1.0);
    return color;
}

Color linearOf(const Color& encoded) {
    Color linear{};
    for (size_t i = 0; i < 3; ++i)
        linear[i] = encoded[i] <= 0.04045 ? encoded[i] / 12.92 : std::pow((encoded[i] + 0.055) / 1.055, 2.4);
    return linear;
}

/// Not where the comparison turns.
Color shadowReference(double, double v) {
    if (std::abs(v - 0.5) < 0.01) return {-1, -1, -1};
    return {0.5, v < 0.5 ? 1.0 : 0.0, 0.25};
}

// Textures of other kinds than makeTexture() makes, each bound to unit 0.

constexpr int kSide = 256, kVolumeSide = 64;

void bindCube() {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_CUBE_MAP, texture);
    const std::vector<unsigned char> image = wavesImage(kSide);
    for (GLenum face = 0; face < 6; ++face)
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA, kSide, kSide, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     image.data());
    glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
}

/// waves() in every slice.
void bindVolume() {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_3D_OES, texture);
    const std::vector<unsigned char> slice = wavesImage(kVolumeSide);
    std::vector<unsigned char> volume;
    for (int i = 0; i < kVolumeSide; ++i) volume.insert(volume.end(), slice.begin(), slice.end());
    const auto image3D = reinterpret_cast<PFNGLTEXIMAGE3DOESPROC>(eglGetProcAddress("glTexImage3DOES"));
    image3D(GL_TEXTURE_3D_OES, 0, GL_RGBA, kVolumeSide, kVolumeSide, kVolumeSide, 0, GL_RGBA, GL_UNSIGNED_BYTE,
            volume.data());
    glTexParameteri(GL_TEXTURE_3D_OES, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
}

void bindAnisotropic() {
    (void)makeTexture(kSide, GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR);
    glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, 8);
}

void bindSrgb() {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_SRGB_ALPHA_EXT, kSide, kSide, 0, GL_SRGB_ALPHA_EXT, GL_UNSIGNED_BYTE,
                 wavesImage(kSide).data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
}

/// A depth of one half everywhere.
void bindShadow() {
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    const std::vector<GLushort> depth(size_t{kSide} * kSide, 0x8000);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_DEPTH_COMPONENT, kSide, kSide, 0, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT,
                 depth.data());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE_EXT, GL_COMPARE_REF_TO_TEXTURE_EXT);
}

struct FillSpec {
    const char* vertexShader = kPositionShader;
    std::string fragmentShader = kFlatFragment;
    /// The colour of a fragment; a negative channel where it must not be looked at.
    std::function<Color(double u, double v)> reference;
    int tolerance = 3;
    /// Depth of layer i in normalized device coordinates; the depth test is off without it.
    double (*depth)(int layer) = nullptr;
    bool isBlended = false;
    /// Texture filters, one texture each.
    std::vector<std::array<GLenum, 2>> textures = {};
    float repeat = 1;
    void (*bind)() = nullptr;  ///< instead of `textures`
    bool isDrawEach = false;   ///< a draw for each layer, of two equal textures in turn
};

double backToFront(int layer) { return 0.9 - 0.05 * layer; }
double frontToBack(int layer) { return -0.9 + 0.05 * layer; }

/// Blue of the colour attribute; the visible layer is the nearest one.
float layerBlue(int layer) { return 0.25f + 0.02f * static_cast<float>(layer); }

class FillRow final : public Row {
public:
    FillRow(FillSpec spec, Size size) : spec_(std::move(spec)), size_(size) {
        GLuint program = makeProgram(spec_.vertexShader, spec_.fragmentShader, {"a_position", "a_color", "a_texCoord"});
        setUniforms(program);
        image_ = uniform(program, "u_image0");
        makeBuffer(GL_ARRAY_BUFFER, vertices());
        floatAttribute(0, 4, sizeof(PlaneVertex), offsetof(PlaneVertex, position));
        floatAttribute(1, 4, sizeof(PlaneVertex), offsetof(PlaneVertex, color));
        floatAttribute(2, 2, sizeof(PlaneVertex), offsetof(PlaneVertex, texCoord));
        for (size_t i = 0; i < spec_.textures.size(); ++i) {
            glActiveTexture(static_cast<GLenum>(GL_TEXTURE0 + i));
            (void)makeTexture(256, spec_.textures[i][0], spec_.textures[i][1]);
        }
        if (spec_.bind != nullptr) spec_.bind();
        if (spec_.depth != nullptr) glEnable(GL_DEPTH_TEST);
        if (spec_.isBlended) glEnable(GL_BLEND);
        glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    }

    void frame() override {
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        if (!spec_.isDrawEach) return glDrawArrays(GL_TRIANGLES, 0, kLayers * 6);
        for (int layer = 0; layer < kLayers; ++layer) {
            glUniform1i(image_, layer % 2);
            glDrawArrays(GL_TRIANGLES, layer * 6, 6);
        }
    }

    [[nodiscard]] double workPerFrame() const override { return size_.megapixels() * kLayers; }

    [[nodiscard]] std::vector<ExpectedPixel> expected() const override {
        std::vector<ExpectedPixel> pixels;
        for (double x : {0.07, 0.27, 0.53, 0.78, 0.96})
            for (double y : {0.04, 0.31, 0.62, 0.93}) {
                int column = static_cast<int>(x * size_.width), row = static_cast<int>(y * size_.height);
                double w = 1 / (1 - 0.5 * (row + 0.5) / size_.height);
                Color color = spec_.reference((column + 0.5) / size_.width * w / 2 * density(),
                                              (row + 0.5) / size_.height * w / 2 * density());
                if (color[0] >= 0) pixels.push_back({column, row, color, spec_.tolerance});
            }
        return pixels;
    }

private:
    void setUniforms(GLuint program) const {
        glUniform4f(uniform(program, "u_color"), 0.2f, 0.4f, 0.6f, 0.25f);
        glUniform1f(uniform(program, "u_repeat"), spec_.repeat);
        glUniform3f(uniform(program, "u_light"), float{kLight[0]}, float{kLight[1]}, float{kLight[2]});
        glUniform3f(uniform(program, "u_color"), float{kMaterial[0]}, float{kMaterial[1]}, float{kMaterial[2]});
        glUniform4f(uniform(program, "u_bias"), float{kBias[0]}, float{kBias[1]}, float{kBias[2]}, float{kBias[3]});
        std::vector<float> table;
        for (int i = 0; i < 32; ++i)
            for (double entry : tableEntry(i)) table.push_back(static_cast<float>(entry));
        glUniform4fv(uniform(program, "u_table"), 32, table.data());
        for (int unit = 0; unit < 3; ++unit) {
            const char name[] = {'u', '_', 'i', 'm', 'a', 'g', 'e', static_cast<char>('0' + unit), 0};
            glUniform1i(uniform(program, name), unit);
        }
        // Setting a uniform with the wrong type or one that is not there is an error or nothing; neither matters here.
        while (glGetError() != GL_NO_ERROR) {
        }
    }

    /// Textures keep the number of texels for each pixel on surfaces of other sizes.
    [[nodiscard]] double density() const {
        return spec_.textures.empty() ? 1 : std::min(size_.width, size_.height) / 1024.0;
    }

    [[nodiscard]] std::vector<PlaneVertex> vertices() const {
        constexpr int kCorners[6][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}};
        std::vector<PlaneVertex> result;
        for (int layer = 0; layer < kLayers; ++layer)
            for (auto [x, y] : kCorners) {
                auto w = static_cast<float>(1 + y), right = static_cast<float>(x), up = static_cast<float>(y);
                float z = spec_.depth != nullptr ? static_cast<float>(spec_.depth(layer)) : 0;
                auto scale = static_cast<float>(density());
                float u = right * w / 2, v = up * w / 2;
                result.push_back({{(2 * right - 1) * w, (2 * up - 1) * w, z * w, w},
                                  {u, v, layerBlue(layer), 0.25f},
                                  {u * scale, v * scale}});
            }
        return result;
    }

    FillSpec spec_;
    Size size_;
    GLint image_ = -1;
};

RowInfo fill(const char* name, const char* meaning, const FillSpec& spec, int multisamples = 0) {
    return {.name = name,
            .unit = "Mfragment/s",
            .meaning = meaning,
            .multisamples = multisamples,
            .isCovered = !spec.isBlended,
            .make = [spec](Size size) { return std::make_unique<FillRow>(spec, size); }};
}

/// Every layer counts.
RowInfo sampling(const char* name, const char* meaning, const char* extension, const char* fragmentShader,
                 Color (*reference)(double u, double v), float repeat, void (*bind)(), int tolerance = 6) {
    FillSpec spec{kTextureShader, fragmentShader, reference, tolerance, nullptr, true, {}, repeat};
    spec.bind = bind;
    RowInfo info = fill(name, meaning, spec);
    info.extension = extension;
    return info;
}

Color gouraudNear(double u, double v) { return {u, v, layerBlue(kLayers - 1)}; }
Color gouraudFirst(double u, double v) { return {u, v, layerBlue(0)}; }

/// 32 layers of one alpha over black; blue rises from layer to layer.
Color blendReference(double u, double v) {
    Color color{};
    for (int layer = 0; layer < kLayers; ++layer) {
        const Color source = {u, v, layerBlue(layer)};
        for (size_t i = 0; i < 3; ++i) color[i] = 0.25 * source[i] + 0.75 * color[i];
    }
    return color;
}

Color texture4(double u, double v) { return waves(u * 4, v * 4); }
Color texture8(double u, double v) { return waves(u * 8, v * 8); }
Color texture12(double u, double v) { return waves(u * 12, v * 12); }
Color srgb4(double u, double v) { return linearOf(waves(u * 4, v * 4)); }

}  // namespace

/// The same with blending on. The sources are opaque, so the picture is the same, but a driver cannot know that and
/// must shade every layer.
FillSpec everyLayer(FillSpec spec) {
    spec.isBlended = true;
    return spec;
}

std::vector<RowInfo> fillRows() {
    auto flatColor = [](double, double) { return Color{0.2, 0.4, 0.6}; };
    FillSpec gouraud{kColorShader, kColorFragment, gouraudNear, 3, backToFront};
    FillSpec nearest{kTextureShader, kTextureFragment, texture4, 6, nullptr, false, {{GL_NEAREST, GL_NEAREST}}, 4};
    FillSpec bilinear{kTextureShader, kTextureFragment, texture4, 4, nullptr, false, {{GL_LINEAR, GL_LINEAR}}, 4};
    FillSpec layers = bilinear;
    layers.textures.push_back({GL_LINEAR, GL_LINEAR});
    layers.isDrawEach = true;
    FillSpec trilinear{
        kTextureShader, kTextureFragment, texture12, 5, nullptr, false, {{GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR}}, 12};
    FillSpec phong{kLitShader, std::string("precision highp float;") + kPhongFragment, phongReference, 3};
    FillSpec arithmetic{kTextureShader, kArithmeticFragment, arithmeticReference, 3};
    return {
        fill("flat", "one colour, no depth test; a driver may drop layers that later ones cover",
             {kPositionShader, kFlatFragment, flatColor}),
        fill("gouraud_depth", "colour per vertex, depth test and write, every layer nearer than the one before",
             gouraud),
        fill("hidden", "the same, nearest layer first: 31 of 32 layers are hidden",
             {kColorShader, kColorFragment, gouraudFirst, 3, frontToBack}),
        fill("blend", "colour per vertex, alpha blended",
             {kColorShader, kColorFragment, blendReference, 5, nullptr, true}),
        fill("nearest", "one texture of 256 x 256, nearest", nearest),
        fill("nearest_every", "the same, blended with an alpha of 1: every layer counts", everyLayer(nearest)),
        fill("bilinear", "one texture of 256 x 256, bilinear", bilinear),
        fill("bilinear_every", "the same, every layer counts", everyLayer(bilinear)),
        fill("layers", "the layers of bilinear, a draw each, two textures in turn", layers),
        fill("trilinear", "one texture of 256 x 256 with mip levels, trilinear, level of detail 0.6 to 2.6", trilinear),
        fill("trilinear_every", "the same, every layer counts", everyLayer(trilinear)),
        sampling("cube_every", "a cube map with faces of 256 x 256, bilinear; every layer counts, here and below", "",
                 kCubeFragment, waves, 1, bindCube),
        sampling("volume_every", "a 3D texture of 64 x 64 x 64, linear in all three", "GL_OES_texture_3D",
                 kVolumeFragment, texture4, 4, bindVolume),
        sampling("anisotropic_every", "trilinear, level of detail 0 to 2, with up to eight lookups along the footprint",
                 "GL_EXT_texture_filter_anisotropic", kTextureFragment, texture8, 8, bindAnisotropic,
                 9),  // the mean over the footprint is a little flatter than the waves
        sampling("srgb_every", "bilinear_every of an sRGB texture", "GL_EXT_sRGB", kTextureFragment, srgb4, 4,
                 bindSrgb),
        sampling("shadow_every", "a depth texture of 256 x 256, four comparisons filtered", "GL_EXT_shadow_samplers",
                 kShadowFragment, shadowReference, 1, bindShadow),
        fill("multitexture", "three bilinear textures, multiplied and added",
             {kTextureShader,
              kMultiTextureFragment,
              multiTextureReference,
              5,
              nullptr,
              false,
              {{GL_LINEAR, GL_LINEAR}, {GL_LINEAR, GL_LINEAR}, {GL_LINEAR, GL_LINEAR}},
              4}),
        fill("phong", "Blinn-Phong light per pixel: three normalizations and a power", phong),
        fill("phong_every", "the same, every layer counts", everyLayer(phong)),
        fill("phong_mediump", "the same program with precision mediump",
             {kLitShader, std::string("precision mediump float;") + kPhongFragment, phongReference, 6}),
        fill("arithmetic", "24 steps of multiplications and additions on four components, then sin, exp2, inversesqrt",
             arithmetic),
        fill("arithmetic_every", "the same, every layer counts", everyLayer(arithmetic)),
        fill("loop", "a loop of 32 steps over a uniform array", {kTextureShader, kLoopFragment, loopReference, 3}),
        fill("diverge", "a loop of up to 64 steps that each fragment leaves when it wants (Mandelbrot set)",
             {kTextureShader, kDivergeFragment, divergeReference, 3}),
        fill("gouraud_msaa4", "gouraud_depth with four samples for each pixel", gouraud, 4),
    };
}

}  // namespace bench
