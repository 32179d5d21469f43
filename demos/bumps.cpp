// A lamp circles over bricks whose joints are a texture of normals (demos/shaders/normal_mapping.*).
#include <cstddef>
#include <glm/ext/matrix_transform.hpp>
#include <glm/gtc/type_ptr.hpp>

#include "demos/drawing/hdr_frame.h"
#include "demos/drawing/image_texture.h"
#include "demos/drawing/mesh.h"
#include "demos/drawing/portable_math.h"
#include "demos/drawing/shader_file.h"
#include "demos/drawing/shapes.h"
#include "demos/host/harness.h"

namespace {

/// The mesh with the direction in which the texture's s grows, at each vertex: what a normal of the texture is
/// relative to. Of all triangles at a vertex, weighted by their sizes in the texture.
class BumpyMesh {
public:
    explicit BumpyMesh(const demos::MeshData& data) : mesh_(data) {
        std::vector<glm::vec3> tangents(data.vertices.size(), glm::vec3(0));
        for (size_t i = 0; i < data.indices.size(); i += 3) {
            const auto& a = data.vertices[data.indices[i]];
            const auto& b = data.vertices[data.indices[i + 1]];
            const auto& c = data.vertices[data.indices[i + 2]];
            const glm::vec2 u = b.texCoord - a.texCoord, v = c.texCoord - a.texCoord;
            const glm::vec3 tangent = (b.position - a.position) * v.y - (c.position - a.position) * u.y;
            const float side = u.x * v.y - u.y * v.x < 0 ? -1.0f : 1.0f;
            for (size_t corner = 0; corner < 3; ++corner) tangents[data.indices[i + corner]] += tangent * side;
        }
        for (size_t i = 0; i < tangents.size(); ++i) {
            const glm::vec3 normal = data.vertices[i].normal;
            const glm::vec3 flat = tangents[i] - normal * glm::dot(normal, tangents[i]);
            tangents[i] = glm::dot(flat, flat) > 0 ? glm::normalize(flat) : glm::vec3(1, 0, 0);
        }
        tangents_ = demos::makeBuffer(GL_ARRAY_BUFFER, tangents);
    }
    ~BumpyMesh() { glDeleteBuffers(1, &tangents_); }
    BumpyMesh(const BumpyMesh&) = delete;
    BumpyMesh& operator=(const BumpyMesh&) = delete;

    void draw(bool wireframe) const {
        glBindBuffer(GL_ARRAY_BUFFER, tangents_);
        glEnableVertexAttribArray(kTangent);
        glVertexAttribPointer(kTangent, 3, GL_FLOAT, GL_FALSE, 0, nullptr);
        mesh_.draw(wireframe);
        glDisableVertexAttribArray(kTangent);
    }
    [[nodiscard]] uint32_t triangles() const { return mesh_.triangles(); }

private:
    static constexpr GLuint kTangent = demos::kMeshTexCoord + 1;
    demos::Mesh mesh_;
    GLuint tangents_ = 0;
};

class Bumps final : public demos::Demo {
public:
    explicit Bumps(bool plain)
        : frame_(plain, 1.0f),
          floor_(demos::planeMesh(12, 9)),
          ball_(repeated(demos::sphereMesh(96), {6, 3})),
          ring_(repeated(demos::torusMesh(0.36f, 96), {8, 3})),
          glow_(demos::sphereMesh(24)),
          program_(frame_.loadProgram("normal_mapping.vert", "normal_mapping.frag",
                                      {"a_position", "a_normal", "a_texCoord", "a_tangent"})),
          glowProgram_(frame_.loadProgram("glow.vert", "glow.frag", {"a_position"})),
          colors_(demos::loadTexture("bricks.png")),
          normals_(demos::loadTexture("bricks_normal.png")) {
        glUseProgram(program_);
        glUniform1i(uniform("u_diffuseMap"), 0);
        glUniform1i(uniform("u_normalMap"), 1);
        glUniform1f(uniform("u_shininess"), 28);
    }
    ~Bumps() override {
        glDeleteTextures(1, &colors_);
        glDeleteTextures(1, &normals_);
    }

    void draw(const demos::Frame& frame) override {
        const auto time = static_cast<float>(frame.time);
        const float aspect = static_cast<float>(frame.width) / static_cast<float>(frame.height);
        const glm::mat4 projection = demos::perspective(glm::radians(42.0f), aspect, 0.3f, 60.0f);
        glm::mat4 view = glm::translate(glm::mat4(1), glm::vec3(0, -0.5f, -6.6f * frame.zoom));
        view = demos::rotate(view, 0.26f + frame.turn.y, glm::vec3(1, 0, 0));
        view = demos::rotate(view, -0.25f + frame.turn.x, glm::vec3(0, 1, 0));
        const float angle = 0.9f * time;
        const glm::vec3 lamp(2.1f * demos::sine(angle), 1.75f + 0.4f * demos::sine(1.7f * time),
                             1.1f + 1.3f * demos::cosine(angle));

        glClearColor(0.012f, 0.017f, 0.032f, 1);
        frame_.begin(frame.width, frame.height);
        glEnable(GL_DEPTH_TEST);
        glUseProgram(program_);
        glUniformMatrix4fv(uniform("u_viewProjection"), 1, GL_FALSE, glm::value_ptr(projection * view));
        glUniform3fv(uniform("u_eye"), 1, glm::value_ptr(glm::vec3(glm::inverse(view)[3])));
        glUniform3fv(uniform("u_lamp"), 1, glm::value_ptr(lamp));
        glActiveTexture(GL_TEXTURE1);
        glBindTexture(GL_TEXTURE_2D, normals_);
        glActiveTexture(GL_TEXTURE0);
        glBindTexture(GL_TEXTURE_2D, colors_);
        const glm::mat4 identity(1);
        drawBody(floor_, identity, frame.wireframe);
        const glm::mat4 wall = glm::translate(identity, glm::vec3(0, 0, -2.6f));
        drawBody(floor_, demos::rotate(wall, glm::radians(90.0f), glm::vec3(1, 0, 0)), frame.wireframe);
        const glm::mat4 ball = glm::translate(identity, glm::vec3(-1.45f, 1, 0.1f));
        drawBody(ball_, demos::rotate(ball, 0.2f * time, glm::vec3(0, 1, 0)), frame.wireframe);
        glm::mat4 ring = glm::translate(identity, glm::vec3(1.45f, 1.2f, -0.2f));
        ring = demos::rotate(ring, 0.5f * time, glm::vec3(0, 1, 0));
        drawBody(ring_, glm::scale(ring, glm::vec3(0.88f)), frame.wireframe);

        glUseProgram(glowProgram_);
        const glm::mat4 glow = glm::scale(glm::translate(projection * view, lamp), glm::vec3(0.07f));
        glUniformMatrix4fv(glGetUniformLocation(glowProgram_, "u_transform"), 1, GL_FALSE, glm::value_ptr(glow));
        glow_.draw(frame.wireframe);
        frame_.end();
    }

    [[nodiscard]] uint64_t triangles() const override {
        return 2 * floor_.triangles() + ball_.triangles() + ring_.triangles() + glow_.triangles();
    }

private:
    static demos::MeshData repeated(demos::MeshData data, glm::vec2 times) {
        for (auto& vertex : data.vertices) vertex.texCoord *= times;
        return data;
    }
    [[nodiscard]] GLint uniform(const char* name) const { return glGetUniformLocation(program_, name); }
    void drawBody(const BumpyMesh& body, const glm::mat4& model, bool wireframe) const {
        glUniformMatrix4fv(uniform("u_model"), 1, GL_FALSE, glm::value_ptr(model));
        body.draw(wireframe);
    }

    demos::HdrFrame frame_;
    BumpyMesh floor_, ball_, ring_;
    demos::Mesh glow_;
    GLuint program_, glowProgram_, colors_, normals_;
};

}  // namespace

int main(int argc, char** argv) {
    return demos::runDemo(argc, argv, {"bumps", [](bool plain) { return std::make_unique<Bumps>(plain); }});
}
