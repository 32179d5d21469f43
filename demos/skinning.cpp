// An anemone of tentacles that bend by their bones: the vertex stage blends four of 24 matrices for each vertex
// (demos/shaders/skinning.*).
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <glm/ext/matrix_transform.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <numbers>
#include <vector>

#include "demos/drawing/hdr_frame.h"
#include "demos/drawing/mesh.h"
#include "demos/drawing/portable_math.h"
#include "demos/drawing/shader_file.h"
#include "demos/drawing/sky.h"
#include "demos/host/harness.h"

namespace {

constexpr int kBones = 24, kRings = 97, kSides = 32, kTentacles = 9;
constexpr float kLength = 3.3f, kBoneLength = kLength / kBones;
constexpr float kTurn = 2 * std::numbers::pi_v<float>;

struct Vertex {
    glm::vec3 position, normal;
    glm::vec4 bones, weights;
};

/// The four bones around a height, with the weights of a cubic B-spline: the bend has no kinks.
void bindToBones(Vertex& vertex) {
    const float place = vertex.position.y / kBoneLength - 0.5f, first = std::floor(place), t = place - first;
    const float s = 1 - t;
    vertex.weights =
        glm::vec4(s * s * s, 3 * t * t * t - 6 * t * t + 4, 3 * s * s * s - 6 * s * s + 4, t * t * t) / 6.0f;
    for (int i = 0; i < 4; ++i)
        vertex.bones[i] = std::clamp(first - 1 + static_cast<float>(i), 0.0f, static_cast<float>(kBones - 1));
}

/// Vertices of a tentacle that stands on the origin, thick below and round at its tip.
std::vector<Vertex> tentacle() {
    std::vector<Vertex> vertices;
    for (int ring = 0; ring < kRings; ++ring)
        for (int side = 0; side <= kSides; ++side) {
            const float t = static_cast<float>(ring) / (kRings - 1), angle = kTurn * static_cast<float>(side) / kSides;
            const float radius = (0.34f - 0.27f * t) * std::sqrt(std::min(1.0f, (1 - t) * 22));
            const glm::vec3 outwards(demos::sine(angle), 0, demos::cosine(angle));
            Vertex vertex{outwards * radius + glm::vec3(0, t * kLength, 0),
                          glm::normalize(outwards + glm::vec3(0, 0.08f, 0))};
            bindToBones(vertex);
            vertices.push_back(vertex);
        }
    return vertices;
}

class Skinning final : public demos::Demo {
public:
    explicit Skinning(bool plain)
        : frame_(plain, 0.7f),
          sky_(frame_),
          program_(frame_.loadProgram("skinning.vert", "skinning.frag",
                                      {"a_position", "a_normal", "a_bones", "a_weights"})) {
        std::vector<Vertex> vertices = tentacle();
        ground_ = static_cast<GLint>(vertices.size());
        for (const auto& [x, z] : {std::pair{-60, 60}, {60, 60}, {-60, -60}, {60, -60}})
            vertices.push_back({{x, 0, z}, {0, 1, 0}, glm::vec4(0), {1, 0, 0, 0}});
        std::vector<uint16_t> triangles, lines;
        for (int ring = 0; ring + 1 < kRings; ++ring)
            for (int side = 0; side < kSides; ++side) {
                const auto a = static_cast<uint16_t>(ring * (kSides + 1) + side), b = static_cast<uint16_t>(a + 1);
                const auto c = static_cast<uint16_t>(a + kSides + 1), d = static_cast<uint16_t>(c + 1);
                triangles.insert(triangles.end(), {a, b, d, a, d, c});
                lines.insert(lines.end(), {a, b, a, c});
            }
        vertices_ = demos::makeBuffer(GL_ARRAY_BUFFER, vertices);
        triangles_ = demos::makeBuffer(GL_ELEMENT_ARRAY_BUFFER, triangles);
        lines_ = demos::makeBuffer(GL_ELEMENT_ARRAY_BUFFER, lines);
    }
    ~Skinning() override {
        for (GLuint buffer : {vertices_, triangles_, lines_}) glDeleteBuffers(1, &buffer);
    }

    void draw(const demos::Frame& frame) override {
        const auto time = static_cast<float>(frame.time);
        const glm::vec3 toSun = glm::normalize(glm::vec3(0.55f, 0.6f, 0.6f));
        const float aspect = static_cast<float>(frame.width) / static_cast<float>(frame.height);
        const glm::mat4 projection = demos::perspective(glm::radians(42.0f), aspect, 0.5f, 150.0f);
        glm::mat4 view = glm::translate(glm::mat4(1), glm::vec3(0, -1.45f, -7.6f * frame.zoom));
        view = demos::rotate(view, 0.22f + frame.turn.y, glm::vec3(1, 0, 0));
        view = demos::rotate(view, 0.12f * time + frame.turn.x, glm::vec3(0, 1, 0));

        frame_.begin(frame.width, frame.height);
        if (frame_.isPlain()) sky_.draw(projection, view, toSun);
        glEnable(GL_CULL_FACE);
        glUseProgram(program_);
        glUniformMatrix4fv(uniform("u_viewProjection"), 1, GL_FALSE, glm::value_ptr(projection * view));
        glUniform3fv(uniform("u_eye"), 1, glm::value_ptr(glm::vec3(glm::inverse(view)[3])));
        glUniform3fv(uniform("u_toSun"), 1, glm::value_ptr(toSun));
        bindVertices();
        setPalette(std::vector<glm::mat4>(kBones, glm::mat4(1)));
        glUniform3f(uniform("u_color"), 0.34f, 0.30f, 0.25f);
        glUniform3f(uniform("u_tip"), 0, 0, 0);
        glDrawArrays(frame.wireframe ? GL_LINE_STRIP : GL_TRIANGLE_STRIP, ground_, 4);
        glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, frame.wireframe ? lines_ : triangles_);
        for (int i = 0; i < kTentacles; ++i) {
            setPalette(pose(i, time));
            const float hue = static_cast<float>(i) / kTentacles;
            glUniform3f(uniform("u_color"), 0.30f + 0.12f * hue, 0.045f, 0.16f - 0.10f * hue);
            glUniform3f(uniform("u_tip"), 0.95f, 0.34f + 0.12f * hue, 0.14f);
            glDrawElements(frame.wireframe ? GL_LINES : GL_TRIANGLES, (kRings - 1) * kSides * (frame.wireframe ? 4 : 6),
                           GL_UNSIGNED_SHORT, nullptr);
        }
        for (GLuint array = 1; array < 4; ++array) glDisableVertexAttribArray(array);
        glDisable(GL_CULL_FACE);
        if (!frame_.isPlain()) sky_.draw(projection, view, toSun);
        frame_.end();
    }

    [[nodiscard]] uint64_t triangles() const override { return 2 + uint64_t{kTentacles} * (kRings - 1) * kSides * 2; }

private:
    [[nodiscard]] GLint uniform(const char* name) const { return glGetUniformLocation(program_, name); }

    /// What each bone does to the vertices of the standing tentacle, so that tentacle i sways at `time`.
    static std::vector<glm::mat4> pose(int i, float time) {
        const bool isMiddle = i == 0;
        const float around = kTurn * static_cast<float>(i) / (kTentacles - 1), phase = 2.4f * static_cast<float>(i);
        glm::mat4 place = demos::rotate(glm::mat4(1), around, glm::vec3(0, 1, 0));
        place = glm::translate(place, glm::vec3(0, -0.05f, isMiddle ? 0 : 0.62f));
        place = demos::rotate(place, isMiddle ? 0 : 0.25f, glm::vec3(1, 0, 0));
        place = demos::rotate(place, isMiddle ? 0 : std::numbers::pi_v<float>, glm::vec3(0, 1, 0));
        std::vector<glm::mat4> bones;
        for (int bone = 0; bone < kBones; ++bone) {
            const float along = static_cast<float>(bone) / kBones;
            const float sway = 0.15f * along * demos::sine(1.5f * time - 4.2f * along + phase);
            // Outer ones lean out, then curl back at the tip.
            const float curl = isMiddle ? 0.05f * demos::sine(0.9f * time)
                                        : -0.055f + 0.16f * along * along * demos::sine(0.8f * time + phase);
            place = demos::rotate(place, curl, glm::vec3(1, 0, 0));
            place = demos::rotate(place, sway, glm::vec3(0, 0, 1));
            bones.push_back(glm::translate(place, glm::vec3(0, -kBoneLength * static_cast<float>(bone), 0)));
            place = glm::translate(place, glm::vec3(0, kBoneLength, 0));
        }
        return bones;
    }

    void setPalette(const std::vector<glm::mat4>& bones) const {
        std::vector<glm::vec4> rows;
        for (const glm::mat4& bone : bones)
            for (int row = 0; row < 3; ++row) rows.emplace_back(bone[0][row], bone[1][row], bone[2][row], bone[3][row]);
        glUniform4fv(uniform("u_palette"), static_cast<GLsizei>(rows.size()), glm::value_ptr(rows[0]));
    }

    void bindVertices() const {
        glBindBuffer(GL_ARRAY_BUFFER, vertices_);
        auto pointer = [](GLuint array, GLint size, size_t offset) {
            glEnableVertexAttribArray(array);
            glVertexAttribPointer(array, size, GL_FLOAT, GL_FALSE, sizeof(Vertex),
                                  reinterpret_cast<const void*>(offset));
        };
        pointer(0, 3, offsetof(Vertex, position));
        pointer(1, 3, offsetof(Vertex, normal));
        pointer(2, 4, offsetof(Vertex, bones));
        pointer(3, 4, offsetof(Vertex, weights));
    }

    demos::HdrFrame frame_;
    demos::Sky sky_;
    GLuint program_, vertices_ = 0, triangles_ = 0, lines_ = 0;
    GLint ground_ = 0;  ///< first vertex of the ground's strip
};

}  // namespace

int main(int argc, char** argv) {
    return demos::runDemo(argc, argv, {"skinning", [](bool plain) { return std::make_unique<Skinning>(plain); }});
}
