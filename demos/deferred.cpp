// Deferred shading by OpenGL ES 3.0: instanced bodies are drawn into a G-buffer of three targets of different formats
// and a depth texture; then each tile of the picture adds up the lights that reach it, of which an integer of its
// instance says which; at last edges are smoothed. Camera, lights and materials are uniform blocks.
#include <GLES3/gl3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <glm/ext/matrix_transform.hpp>
#include <glm/glm.hpp>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "demos/drawing/mesh.h"
#include "demos/drawing/portable_math.h"
#include "demos/drawing/shapes.h"
#include "demos/host/harness.h"

namespace {

constexpr uint32_t kLights = 24, kColumns = 16, kRows = 12;

/// What all programs begin with: blocks that hold what the structures below hold, in the layout std140.
constexpr const char* kBlocks = R"(#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp usampler2D;
layout(std140) uniform Camera {
    mat4 u_viewProjection;
    vec4 u_eye, u_rayCorner, u_rayRight, u_rayUp;
    vec4 u_depth;  // x, y: from depth to the distance along the axis of the view
};
struct Light {
    vec4 place;  // w: how far it reaches
    vec4 color;
};
layout(std140) uniform Lights { Light u_lights[24]; };
layout(std140) uniform Materials { vec4 u_materials[4]; };  // gloss, its sharpness, glow, tiles
)";

constexpr const char* kBodyVertex = R"(
layout(location = 0) in vec3 a_position;
layout(location = 1) in vec3 a_normal;
layout(location = 3) in vec4 a_place;  // w: cosine of the turn around y
layout(location = 4) in vec4 a_scale;  // w: its sine
layout(location = 5) in vec4 a_color;
layout(location = 6) in uint a_material;
out vec3 v_position;
out vec3 v_normal;
flat out vec3 v_color;
flat out uint v_material;

vec3 turned(vec3 v) { return vec3(a_place.w * v.x + a_scale.w * v.z, v.y, a_place.w * v.z - a_scale.w * v.x); }

void main() {
    v_position = a_place.xyz + turned(a_position * a_scale.xyz);
    v_normal = turned(a_normal / a_scale.xyz);
    v_color = a_color.rgb;
    v_material = a_material;
    gl_Position = u_viewProjection * vec4(v_position, 1.0);
}
)";

constexpr const char* kBodyFragment = R"(
in vec3 v_position;
in vec3 v_normal;
flat in vec3 v_color;
flat in uint v_material;
layout(location = 0) out vec4 o_color;
layout(location = 1) out vec4 o_normal;
layout(location = 2) out uint o_material;

void main() {
    float tiles = u_materials[v_material].w, dark = 0.0;
    if (tiles > 0.0) {
        ivec2 tile = ivec2(floor(v_position.xz * tiles));
        dark = float((tile.x ^ tile.y) & 1) * 0.4;
    }
    o_color = vec4(v_color * (1.0 - dark), 1.0);
    o_normal = vec4(normalize(v_normal) * 0.5 + 0.5, 1.0);
    o_material = v_material;
}
)";

constexpr const char* kTileVertex = R"(
layout(location = 0) in uint a_lights;
uniform ivec2 u_tiles;
out vec3 v_ray;  // from the eye, as long as one unit along the axis of the view
flat out uint v_lights;

void main() {
    ivec2 corner = ivec2(gl_InstanceID % u_tiles.x, gl_InstanceID / u_tiles.x) + ivec2(gl_VertexID & 1, gl_VertexID >> 1);
    vec2 at = vec2(corner) / vec2(u_tiles);
    v_ray = u_rayCorner.xyz + at.x * u_rayRight.xyz + at.y * u_rayUp.xyz;
    v_lights = a_lights;
    gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);
}
)";

constexpr const char* kTileFragment = R"(
uniform sampler2D u_colors, u_normals, u_depths;
uniform usampler2D u_material;
uniform float u_fog;
in vec3 v_ray;
flat in uint v_lights;
out vec4 o_color;  // alpha: how bright it is

vec3 filmic(vec3 x) {
    return clamp((x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
}

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy);
    float depth = texelFetch(u_depths, pixel, 0).r, ray = length(v_ray);
    vec3 toEye = v_ray / -ray, light = vec3(0.0);
    vec3 sky = mix(vec3(0.020, 0.022, 0.040), vec3(0.004, 0.006, 0.018), clamp(-toEye.y * 3.0 + 0.3, 0.0, 1.0));
    vec3 color = vec3(0.0), normal = vec3(0.0), position = vec3(0.0);
    vec4 material = vec4(0.0);
    float distance = 1.0e4;
    bool isBody = depth < 1.0;
    if (isBody) {
        color = texelFetch(u_colors, pixel, 0).rgb;
        color *= color;
        normal = normalize(texelFetch(u_normals, pixel, 0).xyz * 2.0 - 1.0);
        material = u_materials[texelFetch(u_material, pixel, 0).r];
        float along = u_depth.x / (depth * 2.0 - 1.0 + u_depth.y);
        position = u_eye.xyz + v_ray * along;
        distance = ray * along;
        light = color * (mix(vec3(0.010, 0.008, 0.007), vec3(0.022, 0.028, 0.048), 0.5 + 0.5 * normal.y) +
                         3.2 * material.z);
    }
    vec3 halo = vec3(0.0);
    for (int i = 0; i < 24; ++i) {
        if ((v_lights >> uint(i) & 1u) == 0u) continue;
        vec4 place = u_lights[i].place;
        vec3 lightColor = u_lights[i].color.rgb;
        float reach = 1.0 / (place.w * place.w);
        vec3 fromEye = place.xyz - u_eye.xyz, toLight = place.xyz - position;
        // What glows in the air near the lamp, unless it is behind the body.
        float along = -dot(fromEye, toEye);
        float beside = dot(fromEye, fromEye) - along * along, inHalo = max(1.0 - 6.0 * beside * reach, 0.0);
        if (along > 0.0 && along < distance + 0.2) halo += lightColor * (inHalo * inHalo / (beside + 0.06));
        float square = dot(toLight, toLight), within = 1.0 - square * reach;
        if (!isBody || within <= 0.0) continue;
        vec3 direction = toLight * inversesqrt(square);
        float facing = dot(normal, direction);
        if (facing <= 0.0) continue;
        vec3 halfway = normalize(direction + toEye);
        float shine = material.x * exp2(material.y * (dot(normal, halfway) - 1.0));
        light += lightColor * (color + shine) * (facing * within * within / (square + 0.25));
    }
    light = mix(sky, light, isBody ? exp2(-distance * distance * 0.0016) : 0.0) + halo * u_fog;
    vec3 shown = filmic(light * 1.5), root = sqrt(shown), fourth = sqrt(root);
    shown = max(0.585122 * root + 0.783140 * fourth - 0.368263 * sqrt(fourth), 0.0);
    o_color = vec4(shown, dot(shown, vec3(0.30, 0.59, 0.11)));
}
)";

/// A triangle over the viewport, from no arrays at all.
constexpr const char* kScreenVertex = R"(
void main() { gl_Position = vec4(float(gl_VertexID & 1) * 4.0 - 1.0, float(gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0); }
)";

/// Where brightness changes, the picture is averaged along the edge.
constexpr const char* kScreenFragment = R"(
uniform sampler2D u_image;
uniform bool u_isSmooth;
out vec4 o_color;

void main() {
    ivec2 pixel = ivec2(gl_FragCoord.xy), size = textureSize(u_image, 0), last = size - 1;
    vec4 middle = texelFetch(u_image, pixel, 0);
    ivec2 low = max(pixel - 1, 0), high = min(pixel + 1, last);
    float a = texelFetch(u_image, low, 0).a, b = texelFetch(u_image, ivec2(high.x, low.y), 0).a;
    float c = texelFetch(u_image, ivec2(low.x, high.y), 0).a, d = texelFetch(u_image, high, 0).a;
    float darkest = min(min(min(a, b), min(c, d)), middle.a), brightest = max(max(max(a, b), max(c, d)), middle.a);
    o_color = vec4(middle.rgb, 1.0);
    if (!u_isSmooth || brightest - darkest < max(0.05, 0.125 * brightest)) return;
    vec2 along = vec2(c + d - a - b, a + c - b - d);
    along *= 1.0 / (min(abs(along.x), abs(along.y)) + max(0.03 * (a + b + c + d), 0.008));
    along = clamp(along, -8.0, 8.0);
    vec2 texel = 1.0 / vec2(size), at = gl_FragCoord.xy * texel;
    along *= texel;
    vec4 near = 0.5 * (texture(u_image, at - along / 6.0) + texture(u_image, at + along / 6.0));
    vec4 far = 0.5 * near + 0.25 * (texture(u_image, at - along * 0.5) + texture(u_image, at + along * 0.5));
    o_color = vec4(far.a < darkest || far.a > brightest ? near.rgb : far.rgb, 1.0);
}
)";

/// The uniform blocks, by binding point.
enum Block : GLuint { kCamera, kLight, kMaterial };

struct CameraBlock {
    glm::mat4 viewProjection;
    glm::vec4 eye, rayCorner, rayRight, rayUp, depth;
};
struct LightBlock {
    glm::vec4 place, color;
};
struct Instance {
    glm::vec3 place;
    float cosine;
    glm::vec3 scale;
    float sine;
    glm::vec4 color;
    uint32_t material;
};
enum Material : uint32_t { kStone, kMetal, kFloor, kLamp };
constexpr glm::vec4 kMaterials[] = {{0.06f, 30, 0, 0}, {0.55f, 110, 0, 0}, {0.16f, 60, 0, 0.5f}, {0, 0, 1, 0}};

GLuint buildProgram3(const char* vertex, const char* fragment) {
    const GLuint program =
        demos::buildProgram((std::string(kBlocks) + vertex).c_str(), (std::string(kBlocks) + fragment).c_str(), {});
    GLuint binding = 0;
    for (const char* name : {"Camera", "Lights", "Materials"}) {
        const GLuint index = glGetUniformBlockIndex(program, name);
        if (index != GL_INVALID_INDEX) glUniformBlockBinding(program, index, binding);
        ++binding;
    }
    return program;
}

/// A mesh and where it stands, again and again: one draw call.
class Bodies {
public:
    Bodies(const demos::MeshData& data, const std::vector<Instance>& instances)
        : mesh_(data),
          instances_(demos::makeBuffer(GL_ARRAY_BUFFER, instances)),
          count_(static_cast<GLsizei>(instances.size())) {
        glGenVertexArrays(1, &array_);
        glBindVertexArray(array_);
        const auto pointer = [](GLuint index, size_t offset) {
            glEnableVertexAttribArray(index);
            glVertexAttribDivisor(index, 1);
            return reinterpret_cast<const void*>(offset);
        };
        for (GLuint i = 0; i < 3; ++i)
            glVertexAttribPointer(3 + i, 4, GL_FLOAT, GL_FALSE, sizeof(Instance), pointer(3 + i, 16 * size_t{i}));
        glVertexAttribIPointer(6, 1, GL_UNSIGNED_INT, sizeof(Instance), pointer(6, offsetof(Instance, material)));
        glBindVertexArray(0);
    }
    ~Bodies() {
        glDeleteVertexArrays(1, &array_);
        glDeleteBuffers(1, &instances_);
    }
    Bodies(const Bodies&) = delete;
    Bodies& operator=(const Bodies&) = delete;

    /// All instances anew.
    void move(const std::vector<Instance>& instances) const {
        glBindBuffer(GL_ARRAY_BUFFER, instances_);
        const auto size = static_cast<GLsizeiptr>(instances.size() * sizeof(Instance));
        void* const bytes = glMapBufferRange(GL_ARRAY_BUFFER, 0, size, GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT);
        if (bytes == nullptr) return;
        std::copy(instances.begin(), instances.end(), static_cast<Instance*>(bytes));
        glUnmapBuffer(GL_ARRAY_BUFFER);
    }
    void draw(bool wireframe) const {
        glBindVertexArray(array_);
        const GLsizei indices = mesh_.bind(wireframe);
        glDrawElementsInstanced(wireframe ? GL_LINES : GL_TRIANGLES, indices, GL_UNSIGNED_SHORT, nullptr, count_);
        glBindVertexArray(0);
    }
    [[nodiscard]] uint64_t triangles() const { return uint64_t{mesh_.triangles()} * static_cast<uint64_t>(count_); }

private:
    demos::Mesh mesh_;
    GLuint instances_, array_ = 0;
    GLsizei count_;
};

Instance standing(glm::vec3 place, glm::vec3 scale, float turn, glm::vec3 color, Material material) {
    return {place, demos::cosine(turn), scale, demos::sine(turn), glm::vec4(color, 1), material};
}

constexpr float kTurn = 2 * std::numbers::pi_v<float>;

glm::vec3 onRing(float radius, float turns, float height) {
    return {radius * demos::cosine(turns * kTurn), height, radius * demos::sine(turns * kTurn)};
}

/// Colours around the circle, bright and full.
glm::vec3 hue(float turns) {
    const auto channel = [turns](float offset) {
        const float wave = 0.5f + 0.5f * demos::cosine((turns - offset) * kTurn);
        return 0.08f + 0.92f * wave * wave;
    };
    return {channel(0), channel(1 / 3.0f), channel(2 / 3.0f)};
}

std::vector<Instance> pillars() {
    std::vector<Instance> found;
    constexpr struct {
        int count;
        float radius, width, height;
    } kRings[] = {{10, 3.6f, 0.26f, 0.55f}, {18, 6.2f, 0.30f, 0.95f}, {24, 9.2f, 0.34f, 1.25f}};
    for (const auto& ring : kRings)
        for (int i = 0; i < ring.count; ++i) {
            const float turns = static_cast<float>(i) / static_cast<float>(ring.count);
            const float height = ring.height * (i % 2 == 0 ? 1.0f : 0.7f);
            found.push_back(standing(onRing(ring.radius, turns, height), {ring.width, height, ring.width},
                                     -turns * kTurn, {0.80f, 0.78f, 0.74f}, kStone));
        }
    return found;
}

std::vector<Instance> balls() {
    std::vector<Instance> found{standing({0, 1.1f, 0}, glm::vec3(1.1f), 0, {0.93f, 0.92f, 0.90f}, kMetal)};
    for (int i = 0; i < 10; ++i) {
        const float turns = static_cast<float>(i) / 10;
        found.push_back(standing(onRing(3.6f, turns, i % 2 == 0 ? 1.38f : 1.05f), glm::vec3(0.28f), 0,
                                 {0.95f, 0.80f, 0.50f}, kMetal));
    }
    for (int i = 0; i < 14; ++i)
        found.push_back(standing(onRing(4.9f, (static_cast<float>(i) + 0.5f) / 14, 0.3f), glm::vec3(0.3f), 0,
                                 {0.85f, 0.86f, 0.90f}, kMetal));
    return found;
}

std::vector<Instance> rings() {
    std::vector<Instance> found;
    for (int i = 0; i < 9; ++i) {
        const float turns = (static_cast<float>(i) + 0.5f) / 9;
        found.push_back(standing(onRing(7.7f, turns, 0.8f), glm::vec3(0.62f), 0.25f * kTurn - turns * kTurn,
                                 {0.90f, 0.70f, 0.58f}, kMetal));
    }
    return found;
}

std::vector<Instance> lampsOf(const std::array<LightBlock, kLights>& lights) {
    std::vector<Instance> found;
    for (const LightBlock& light : lights)
        found.push_back(standing(glm::vec3(light.place), glm::vec3(0.085f), 0,
                                 glm::sqrt(glm::min(glm::vec3(light.color) * 0.30f, 1.0f)), kLamp));
    return found;
}

/// Three rings of lamps that go round in turn, up and down.
std::array<LightBlock, kLights> lightsAt(float time) {
    std::array<LightBlock, kLights> lights{};
    for (uint32_t i = 0; i < kLights; ++i) {
        const uint32_t ring = i % 3;
        const auto number = static_cast<float>(i);
        const float speed = ring == 0 ? 0.045f : ring == 1 ? -0.03f : 0.02f;
        const float turns = static_cast<float>(i / 3) / 8 + speed * time + 0.04f * static_cast<float>(ring);
        const float height =
            0.65f + 0.45f * static_cast<float>(ring) + 0.35f * demos::sine(1.1f * time + 1.7f * number);
        const float radius = 2.4f + 2.75f * static_cast<float>(ring);
        lights[i] = {glm::vec4(onRing(radius, turns, height), 3.4f + 0.5f * static_cast<float>(ring)),
                     glm::vec4(hue(turns * 2 + 0.33f * static_cast<float>(ring)) * 2.6f, 0)};
    }
    return lights;
}

/// Of tiles side by side over -1 .. 1, those that a sphere reaches, as bits. `across` and `ahead`: its centre beside
/// the axis of the view and along it; `scale`: of the projection.
uint32_t reached(uint32_t count, float across, float ahead, float radius, float scale) {
    uint32_t found = 0;
    const auto isBeyond = [=](float edge, float side) {  // of the plane through the eye and the edge
        return side * (across * scale - edge * ahead) > radius * std::sqrt(scale * scale + edge * edge);
    };
    for (uint32_t i = 0; i < count; ++i) {
        const float low = 2 * static_cast<float>(i) / static_cast<float>(count) - 1;
        const float high = low + 2 / static_cast<float>(count);
        if (!isBeyond(low, -1) && !isBeyond(high, 1)) found |= 1u << i;
    }
    return found;
}

class Deferred final : public demos::Demo {
public:
    explicit Deferred(bool plain)
        : floor_(demos::planeMesh(1, 1), {standing({0, 0, 0}, {40, 1, 40}, 0, {0.62f, 0.62f, 0.66f}, kFloor)}),
          pillars_(demos::cubeMesh(), pillars()),
          balls_(demos::sphereMesh(28), balls()),
          rings_(demos::torusMesh(0.28f, 32), rings()),
          lamps_(demos::sphereMesh(12), lampsOf(lightsAt(0))),
          body_(buildProgram3(kBodyVertex, kBodyFragment)),
          tile_(buildProgram3(kTileVertex, kTileFragment)),
          screen_(buildProgram3(kScreenVertex, kScreenFragment)) {
        glGenTextures(static_cast<GLsizei>(textures_.size()), textures_.data());
        glGenFramebuffers(1, &geometry_);
        glGenFramebuffers(1, &lit_);
        const GLsizeiptr sizes[] = {sizeof(CameraBlock), sizeof(LightBlock) * kLights, sizeof kMaterials};
        glGenBuffers(3, blocks_.data());
        for (GLuint i = 0; i < 3; ++i) {
            glBindBufferBase(GL_UNIFORM_BUFFER, i, blocks_[i]);
            glBufferData(GL_UNIFORM_BUFFER, sizes[i], i == kMaterial ? kMaterials : nullptr, GL_DYNAMIC_DRAW);
        }
        glGenVertexArrays(1, &tileArray_);
        glBindVertexArray(tileArray_);
        tileLights_ = demos::makeBuffer(GL_ARRAY_BUFFER, std::vector<uint32_t>(kColumns * kRows));
        glEnableVertexAttribArray(0);
        glVertexAttribIPointer(0, 1, GL_UNSIGNED_INT, 0, nullptr);
        glVertexAttribDivisor(0, 1);
        glBindVertexArray(0);
        glUseProgram(tile_);
        glUniform2i(glGetUniformLocation(tile_, "u_tiles"), kColumns, kRows);
        glUniform1f(glGetUniformLocation(tile_, "u_fog"), plain ? 0.0f : 0.006f);
        GLint unit = 0;
        for (const char* name : {"u_colors", "u_normals", "u_material", "u_depths"})
            glUniform1i(glGetUniformLocation(tile_, name), unit++);
        glUseProgram(screen_);
        glUniform1i(glGetUniformLocation(screen_, "u_isSmooth"), plain ? 0 : 1);
    }
    ~Deferred() override {
        for (const GLuint program : {body_, tile_, screen_}) glDeleteProgram(program);
        glDeleteTextures(static_cast<GLsizei>(textures_.size()), textures_.data());
        for (const GLuint* framebuffer : {&geometry_, &lit_}) glDeleteFramebuffers(1, framebuffer);
        glDeleteBuffers(3, blocks_.data());
        glDeleteBuffers(1, &tileLights_);
        glDeleteVertexArrays(1, &tileArray_);
    }
    Deferred(const Deferred&) = delete;
    Deferred& operator=(const Deferred&) = delete;

    void draw(const demos::Frame& frame) override {
        if (frame.width != width_ || frame.height != height_) allocate(frame.width, frame.height);
        const std::array<LightBlock, kLights> lights = lightsAt(static_cast<float>(frame.time));
        const float aspect = static_cast<float>(frame.width) / static_cast<float>(frame.height);
        const glm::mat4 projection = demos::perspective(glm::radians(46.0f), aspect, 0.3f, 80.0f);
        glm::mat4 view = glm::translate(glm::mat4(1), glm::vec3(0, -0.2f, -14 * frame.zoom));
        view = demos::rotate(view, 0.52f + frame.turn.y, glm::vec3(1, 0, 0));
        view = demos::rotate(view, 0.2f + 0.05f * static_cast<float>(frame.time) + frame.turn.x, glm::vec3(0, 1, 0));
        fillBlocks(projection, view, lights);
        drawBodies(frame.wireframe, lights);
        addLight(projection, view, lights);
        show();
    }

    [[nodiscard]] uint64_t triangles() const override {
        uint64_t sum = uint64_t{2} * kColumns * kRows + 1;
        for (const Bodies* bodies : {&floor_, &pillars_, &balls_, &rings_, &lamps_}) sum += bodies->triangles();
        return sum;
    }

private:
    enum Image : size_t { kColors, kNormals, kMaterialNumbers, kDepths, kLit, kImages };

    void allocate(int width, int height) {
        width_ = width, height_ = height;
        // A texture with storage keeps its size: another size is another texture.
        glDeleteTextures(kImages, textures_.data());
        glGenTextures(kImages, textures_.data());
        constexpr GLenum kFormats[kImages] = {GL_RGBA8, GL_RGB10_A2, GL_R8UI, GL_DEPTH_COMPONENT24, GL_RGBA8};
        for (size_t i = 0; i < kImages; ++i) {
            glBindTexture(GL_TEXTURE_2D, textures_[i]);
            glTexStorage2D(GL_TEXTURE_2D, 1, kFormats[i], width, height);
            const GLint filter = i == kLit ? GL_LINEAR : GL_NEAREST;
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
            glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
        }
        const auto attach = [this](GLenum attachment, Image image) {
            glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, GL_TEXTURE_2D, textures_[image], 0);
        };
        constexpr GLenum kTargets[] = {GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1, GL_COLOR_ATTACHMENT2};
        glBindFramebuffer(GL_FRAMEBUFFER, geometry_);
        for (const Image image : {kColors, kNormals, kMaterialNumbers}) attach(kTargets[image], image);
        attach(GL_DEPTH_ATTACHMENT, kDepths);
        glDrawBuffers(3, kTargets);
        const bool isWhole = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
        glBindFramebuffer(GL_FRAMEBUFFER, lit_);
        attach(GL_COLOR_ATTACHMENT0, kLit);
        if (isWhole && glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE) return;
        std::fprintf(stderr, "the driver has no framebuffer of this kind\n");
        std::exit(1);
    }

    void fillBlocks(const glm::mat4& projection, const glm::mat4& view,
                    const std::array<LightBlock, kLights>& lights) const {
        const glm::mat4 toWorld = glm::inverse(view);
        const glm::vec4 right = toWorld[0] / projection[0][0], up = toWorld[1] / projection[1][1];
        const CameraBlock camera{.viewProjection = projection * view,
                                 .eye = toWorld[3],
                                 .rayCorner = -toWorld[2] - right - up,
                                 .rayRight = right * 2.0f,
                                 .rayUp = up * 2.0f,
                                 .depth = {projection[3][2], projection[2][2], 0, 0}};
        glBindBuffer(GL_UNIFORM_BUFFER, blocks_[kCamera]);
        glBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof camera, &camera);
        glBindBuffer(GL_UNIFORM_BUFFER, blocks_[kLight]);
        glBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof lights, lights.data());
    }

    void drawBodies(bool wireframe, const std::array<LightBlock, kLights>& lights) const {
        lamps_.move(lampsOf(lights));
        glBindFramebuffer(GL_FRAMEBUFFER, geometry_);
        glViewport(0, 0, width_, height_);
        constexpr GLfloat kZeros[4] = {}, kFar = 1;
        constexpr GLuint kNoMaterial[4] = {};
        glClearBufferfv(GL_COLOR, 0, kZeros);
        glClearBufferfv(GL_COLOR, 1, kZeros);
        glClearBufferuiv(GL_COLOR, 2, kNoMaterial);
        glClearBufferfv(GL_DEPTH, 0, &kFar);
        glEnable(GL_DEPTH_TEST);
        glEnable(GL_CULL_FACE);
        glUseProgram(body_);
        for (const Bodies* bodies : {&balls_, &rings_, &pillars_, &lamps_, &floor_}) bodies->draw(wireframe);
        glDisable(GL_CULL_FACE);
        glDisable(GL_DEPTH_TEST);
    }

    void addLight(const glm::mat4& projection, const glm::mat4& view,
                  const std::array<LightBlock, kLights>& lights) const {
        std::vector<uint32_t> tiles(kColumns * kRows);
        for (uint32_t light = 0; light < kLights; ++light) {
            const glm::vec4 place = view * glm::vec4(glm::vec3(lights[light].place), 1);
            const float radius = lights[light].place.w;
            if (-place.z + radius < 0) continue;
            const uint32_t columns = reached(kColumns, place.x, -place.z, radius, projection[0][0]);
            const uint32_t rows = reached(kRows, place.y, -place.z, radius, projection[1][1]);
            for (uint32_t i = 0; i < kColumns * kRows; ++i)
                tiles[i] |= (columns >> i % kColumns & rows >> i / kColumns & 1) << light;
        }
        glBindBuffer(GL_ARRAY_BUFFER, tileLights_);
        glBufferSubData(GL_ARRAY_BUFFER, 0, static_cast<GLsizeiptr>(tiles.size() * sizeof(uint32_t)), tiles.data());
        glBindFramebuffer(GL_FRAMEBUFFER, lit_);
        for (const Image image : {kDepths, kMaterialNumbers, kNormals, kColors}) {
            glActiveTexture(GL_TEXTURE0 + image);
            glBindTexture(GL_TEXTURE_2D, textures_[image]);
        }
        glUseProgram(tile_);
        glBindVertexArray(tileArray_);
        glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, kColumns * kRows);
        glBindVertexArray(0);
    }

    void show() const {
        glBindFramebuffer(GL_FRAMEBUFFER, 0);
        glBindTexture(GL_TEXTURE_2D, textures_[kLit]);
        glUseProgram(screen_);
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }

    Bodies floor_, pillars_, balls_, rings_, lamps_;
    GLuint body_, tile_, screen_;
    std::array<GLuint, kImages> textures_{};
    std::array<GLuint, 3> blocks_{};
    GLuint geometry_ = 0, lit_ = 0, tileArray_ = 0, tileLights_ = 0;
    int width_ = 0, height_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    return demos::runDemo(argc, argv,
                          {.name = "deferred",
                           .make = [](bool plain) { return std::make_unique<Deferred>(plain); },
                           .version = 3,
                           .samples = 1});
}
