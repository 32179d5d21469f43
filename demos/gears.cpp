// The paper's second program (figure 7b): the classic three gears: flat faces and teeth, a smooth bore. Plain they are
// lit per vertex, on black; else per pixel, over a ground, in each other's shadow.
#include <algorithm>
#include <cmath>
#include <glm/ext/matrix_clip_space.hpp>
#include <glm/ext/matrix_transform.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <numbers>

#include "demos/drawing/mesh.h"
#include "demos/drawing/portable_math.h"
#include "demos/drawing/stage.h"
#include "demos/host/harness.h"

namespace {

constexpr const char* kVertexShader = R"(
attribute vec3 a_position;
attribute vec3 a_normal;
uniform mat4 u_projection;
uniform mat4 u_modelView;
uniform vec3 u_color;
varying vec3 v_color;
const vec3 kLight = vec3(0.4082483, 0.4082483, 0.8164966);
void main() {
    vec3 normal = normalize((u_modelView * vec4(a_normal, 0.0)).xyz);
    v_color = u_color * (0.2 + 0.8 * max(dot(normal, kLight), 0.0));
    gl_Position = u_projection * (u_modelView * vec4(a_position, 1.0));
}
)";

constexpr const char* kFragmentShader = R"(
precision mediump float;
varying vec3 v_color;
void main() { gl_FragColor = vec4(v_color, 1.0); }
)";

struct GearShape {
    float bore, radius, width;  ///< radius: to the middle of the teeth
    int teeth;
    float toothDepth;
};

/// The outline of one tooth: angles (as a share of the tooth's pitch) and radii of its six points.
struct Outline {
    glm::vec2 root0, tip0, tip1, root1, next;  ///< next: root of the following tooth
};

glm::vec2 polar(float radius, float angle) { return {radius * demos::cosine(angle), radius * demos::sine(angle)}; }

Outline toothOutline(const GearShape& shape, int tooth) {
    float pitch = 2 * std::numbers::pi_v<float> / static_cast<float>(shape.teeth);
    float angle = static_cast<float>(tooth) * pitch;
    float root = shape.radius - shape.toothDepth / 2, tip = shape.radius + shape.toothDepth / 2;
    return {polar(root, angle), polar(tip, angle + pitch * 0.25f), polar(tip, angle + pitch * 0.5f),
            polar(root, angle + pitch * 0.75f), polar(root, angle + pitch)};
}

/// The wall that stands on the outline's edge from `a` to `b` (counter-clockwise seen from the front).
void addWall(demos::MeshData& data, glm::vec2 a, glm::vec2 b, float half) {
    glm::vec2 along = glm::normalize(b - a);
    glm::vec3 normal(along.y, -along.x, 0);
    data.addQuad({{a, half}, normal}, {{a, -half}, normal}, {{b, -half}, normal}, {{b, half}, normal});
}

/// Front (side = 1) or back (side = -1) of one tooth and of the ring below it.
void addFace(demos::MeshData& data, const GearShape& shape, const Outline& o, float angle0, float angle1, float side) {
    float z = side * shape.width / 2;
    glm::vec3 normal(0, 0, side);
    auto vertex = [&](glm::vec2 p) { return demos::MeshVertex{{p, z}, normal}; };
    auto quad = [&](glm::vec2 a, glm::vec2 b, glm::vec2 c, glm::vec2 d) {
        if (side > 0)
            data.addQuad(vertex(a), vertex(b), vertex(c), vertex(d));
        else
            data.addQuad(vertex(d), vertex(c), vertex(b), vertex(a));
    };
    float middle = angle0 + (angle1 - angle0) * 0.75f;
    glm::vec2 bore0 = polar(shape.bore, angle0), bore1 = polar(shape.bore, middle), bore2 = polar(shape.bore, angle1);
    quad(bore0, o.root0, o.root1, bore1);
    quad(bore1, o.root1, o.next, bore2);
    quad(o.root0, o.tip0, o.tip1, o.root1);
}

demos::MeshData gearMesh(const GearShape& shape, bool plain) {
    demos::MeshData data;
    float half = shape.width / 2;
    float pitch = 2 * std::numbers::pi_v<float> / static_cast<float>(shape.teeth);
    for (int tooth = 0; tooth < shape.teeth; ++tooth) {
        Outline o = toothOutline(shape, tooth);
        float angle0 = static_cast<float>(tooth) * pitch, angle1 = angle0 + pitch;
        addFace(data, shape, o, angle0, angle1, 1);
        addFace(data, shape, o, angle0, angle1, -1);
        addWall(data, o.root0, o.tip0, half);
        addWall(data, o.tip0, o.tip1, half);
        addWall(data, o.tip1, o.root1, half);
        addWall(data, o.root1, o.next, half);
        // The bore is smooth: normals point to the axis at each corner.
        auto bore = [&](float angle, float z) {
            glm::vec2 p = polar(shape.bore, angle);
            return demos::MeshVertex{{p, z}, {-p / shape.bore, 0}};
        };
        auto addBore = [&](float a, float b) {
            data.addQuad(bore(a, -half), bore(a, half), bore(b, half), bore(b, -half));
        };
        if (plain) {
            addBore(angle0, angle1);
        } else {
            // As its faces are divided, which leaves no gap for light.
            addBore(angle0, angle0 + 0.75f * pitch);
            addBore(angle0 + 0.75f * pitch, angle1);
        }
    }
    return data;
}

struct Gear {
    demos::Mesh mesh;
    glm::vec2 position;
    glm::vec3 color;
    float speed, phase;  ///< degrees of turn for each degree of the first gear, and at its zero
};

/// The gears and how they turn.
class Train {
public:
    explicit Train(bool plain)
        : gears{
              {demos::Mesh(gearMesh({1.0f, 4.0f, 1.0f, 20, 0.7f}, plain)), {-3.0f, -2.0f}, {0.8f, 0.1f, 0.0f}, 1, 0},
              {demos::Mesh(gearMesh({0.5f, 2.0f, 2.0f, 10, 0.7f}, plain)), {3.1f, -2.0f}, {0.0f, 0.8f, 0.2f}, -2, -9},
              {demos::Mesh(gearMesh({1.3f, 2.0f, 0.5f, 10, 0.7f}, plain)), {-3.1f, 4.2f}, {0.2f, 0.2f, 1.0f}, -2, -25},
          } {}

    [[nodiscard]] uint64_t triangles() const {
        uint64_t sum = 0;
        for (const Gear& gear : gears) sum += gear.mesh.triangles();
        return sum;
    }
    /// Where a gear is in space.
    [[nodiscard]] static glm::mat4 place(const glm::mat4& space, const Gear& gear, double time) {
        const auto degrees = static_cast<float>(std::fmod(time * 70, 360.0));
        const glm::mat4 model = glm::translate(space, glm::vec3(gear.position, 0));
        return demos::rotate(model, glm::radians(gear.speed * degrees + gear.phase), glm::vec3(0, 0, 1));
    }

    const Gear gears[3];
};

class PlainGears final : public demos::Demo {
public:
    PlainGears() : program_(demos::buildProgram(kVertexShader, kFragmentShader, {"a_position", "a_normal"})) {
        projection_ = glGetUniformLocation(program_, "u_projection");
        modelView_ = glGetUniformLocation(program_, "u_modelView");
        color_ = glGetUniformLocation(program_, "u_color");
    }

    void draw(const demos::Frame& frame) override {
        glClearColor(0, 0, 0, 1);
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        glEnable(GL_DEPTH_TEST);
        glEnable(GL_CULL_FACE);
        // The shorter side of the window spans the classic square view.
        float width = static_cast<float>(frame.width), height = static_cast<float>(frame.height);
        glm::vec2 extent = glm::vec2(width, height) / std::min(width, height);
        glm::mat4 projection = glm::frustum(-extent.x, extent.x, -extent.y, extent.y, 5.0f, 60.0f);
        glm::mat4 view = glm::translate(glm::mat4(1), glm::vec3(0, 0, -40 * frame.zoom));
        view = demos::rotate(view, glm::radians(20.0f) + frame.turn.y, glm::vec3(1, 0, 0));
        view = demos::rotate(view, glm::radians(30.0f) + frame.turn.x, glm::vec3(0, 1, 0));
        glUseProgram(program_);
        glUniformMatrix4fv(projection_, 1, GL_FALSE, glm::value_ptr(projection));
        for (const Gear& gear : train_.gears) {
            glUniformMatrix4fv(modelView_, 1, GL_FALSE, glm::value_ptr(Train::place(view, gear, frame.time)));
            glUniform3fv(color_, 1, glm::value_ptr(gear.color));
            gear.mesh.draw(frame.wireframe);
        }
    }

    [[nodiscard]] uint64_t triangles() const override { return train_.triangles(); }

private:
    Train train_{true};
    GLuint program_;
    GLint projection_, modelView_, color_;
};

class Gears final : public demos::Demo {
public:
    Gears()
        : stage_({.ground = -6.6f,
                  .reach = 8.6f,
                  .toLamp = {-0.75f, 1.0f, 0.75f},
                  .distance = 38,
                  .pitch = 0.30f,
                  .yaw = glm::radians(30.0f),
                  .fieldOfView = 0.42f},
                 "uniform vec3 u_color;\n"
                 "void main() { gl_FragColor = shown(lit(u_color, 0.35)); }") {}

    void draw(const demos::Frame& frame) override {
        const glm::mat4 space(1);
        stage_.begin(frame);
        for (const Gear& gear : train_.gears) stage_.cast(gear.mesh, Train::place(space, gear, frame.time));
        stage_.show();
        for (const Gear& gear : train_.gears) {
            stage_.place(Train::place(space, gear, frame.time));
            glUniform3fv(glGetUniformLocation(stage_.program(), "u_color"), 1, glm::value_ptr(gear.color));
            gear.mesh.draw(frame.wireframe);
        }
        stage_.end();
    }

    [[nodiscard]] uint64_t triangles() const override { return 2 * train_.triangles() + demos::Stage::kTriangles; }

private:
    Train train_{false};
    demos::Stage stage_;
};

std::unique_ptr<demos::Demo> makeGears(bool plain) {
    if (plain) return std::make_unique<PlainGears>();
    return std::make_unique<Gears>();
}

}  // namespace

int main(int argc, char** argv) { return demos::runDemo(argc, argv, {"gears", makeGears}); }
