// A lagoon: waves move the surface, which reflects the sky and refracts its bed (demos/shaders/water.*).
#include <algorithm>
#include <glm/ext/matrix_transform.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <string>
#include <vector>

#include "demos/drawing/hdr_frame.h"
#include "demos/drawing/image_texture.h"
#include "demos/drawing/mesh.h"
#include "demos/drawing/portable_math.h"
#include "demos/drawing/shader_file.h"
#include "demos/drawing/sky.h"
#include "demos/host/harness.h"

namespace {

/// Metres from the eye that the surface's grid begins and ends at.
constexpr float kNear = -1, kFar = 320;

const glm::vec3 kToSun = glm::normalize(glm::vec3(-0.28f, 0.22f, -0.9f));

struct Wave {
    float x, z, amplitude, frequency, speed;  ///< direction of length 1; metres; radians per metre and second
};
constexpr Wave kWaves[4] = {{0.28f, 0.96f, 0.060f, 0.9f, 1.3f},
                            {-0.6f, 0.8f, 0.030f, 1.7f, 1.9f},
                            {0.8f, 0.6f, 0.018f, 3.1f, 2.4f},
                            {-0.96f, 0.28f, 0.010f, 5.3f, 3.3f}};

class Water final : public demos::Demo {
public:
    explicit Water(bool plain)
        : frame_(plain, 0.75f),
          columns_(plain ? 96 : 56),
          rows_(plain ? 160 : 104),
          sky_(frame_),
          surroundings_(sky_.cubeMap(128, kToSun)),
          relief_(demos::loadTexture("relief.png")) {
        program_ = frame_.loadProgram("water.vert", "water.frag", {"a_position"});
        glUseProgram(program_);
        for (int i = 0; i < 4; ++i) {
            const Wave& wave = kWaves[i];
            std::string name = "u_waves[" + std::to_string(i) + "].";
            glUniform2f(uniform((name + "direction").c_str()), wave.x, wave.z);
            glUniform1f(uniform((name + "amplitude").c_str()), wave.amplitude);
            glUniform1f(uniform((name + "frequency").c_str()), wave.frequency);
            glUniform1f(uniform((name + "speed").c_str()), wave.speed);
        }
        glUniform1i(uniform("u_surroundings"), 0);
        glUniform1i(uniform("u_relief"), 1);
        glUniform3fv(uniform("u_toSun"), 1, glm::value_ptr(kToSun));
        makeGrid();
    }
    ~Water() override {
        glDeleteTextures(1, &surroundings_);
        glDeleteTextures(1, &relief_);
        for (GLuint buffer : {vertices_, triangleIndices_, lineIndices_}) glDeleteBuffers(1, &buffer);
    }

    void draw(const demos::Frame& frame) override {
        const float aspect = static_cast<float>(frame.width) / static_cast<float>(frame.height);
        // The eye stays on its stone; the wheel changes the lens.
        const float zoom = std::clamp(frame.zoom, 0.2f, 1.8f);
        const glm::mat4 projection = demos::perspective(glm::radians(53.0f) * zoom, aspect, 0.1f, 500.0f);
        const glm::vec3 eye(0, 1.55f, 0);
        glm::mat4 view = demos::rotate(glm::mat4(1), frame.turn.y, glm::vec3(1, 0, 0));
        view *= glm::lookAt(glm::vec3(0), glm::vec3(0, -0.17f, -1), glm::vec3(0, 1, 0));
        view = glm::translate(demos::rotate(view, frame.turn.x, glm::vec3(0, 1, 0)), -eye);

        frame_.begin(frame.width, frame.height);
        if (frame_.isPlain()) sky_.draw(projection, view, kToSun);
        glUseProgram(program_);
        glUniformMatrix4fv(uniform("u_viewProjection"), 1, GL_FALSE, glm::value_ptr(projection * view));
        glUniform3fv(uniform("u_eye"), 1, glm::value_ptr(eye));
        glUniform1f(uniform("u_time"), static_cast<float>(frame.time));
        glActiveTexture(GL_TEXTURE1);
        glBindTexture(GL_TEXTURE_2D, relief_);
        glActiveTexture(GL_TEXTURE0);
        glBindTexture(GL_TEXTURE_CUBE_MAP, surroundings_);
        glBindBuffer(GL_ARRAY_BUFFER, vertices_);
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
        glEnableVertexAttribArray(0);
        glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, frame.wireframe ? lineIndices_ : triangleIndices_);
        const GLsizei quads = (columns_ - 1) * (rows_ - 1);
        glDrawElements(frame.wireframe ? GL_LINES : GL_TRIANGLES, quads * (frame.wireframe ? 4 : 6), GL_UNSIGNED_SHORT,
                       nullptr);
        if (!frame_.isPlain()) sky_.draw(projection, view, kToSun);
        frame_.end();
    }

    [[nodiscard]] uint64_t triangles() const override {
        return 2 * static_cast<uint64_t>(columns_ - 1) * static_cast<uint64_t>(rows_ - 1);
    }

private:
    [[nodiscard]] GLint uniform(const char* name) const { return glGetUniformLocation(program_, name); }

    /// A fan of rows that widens with the distance, so that its quads are about as large on the screen everywhere.
    void makeGrid() {
        std::vector<glm::vec2> vertices;
        std::vector<uint16_t> triangles, lines;
        for (int row = 0; row < rows_; ++row) {
            const float along = static_cast<float>(row) / static_cast<float>(rows_ - 1);
            const float distance = kNear + (kFar - kNear) * along * along * along;
            for (int column = 0; column < columns_; ++column) {
                const float across = static_cast<float>(column) / static_cast<float>(columns_ - 1) * 2 - 1;
                vertices.emplace_back(across * (4 + distance * 1.5f), -distance);
                if (row + 1 == rows_ || column + 1 == columns_) continue;
                const auto a = static_cast<uint16_t>(row * columns_ + column), b = static_cast<uint16_t>(a + 1);
                const auto c = static_cast<uint16_t>(a + columns_), d = static_cast<uint16_t>(c + 1);
                triangles.insert(triangles.end(), {a, b, d, a, d, c});
                lines.insert(lines.end(), {a, b, a, c});
            }
        }
        vertices_ = demos::makeBuffer(GL_ARRAY_BUFFER, vertices);
        triangleIndices_ = demos::makeBuffer(GL_ELEMENT_ARRAY_BUFFER, triangles);
        lineIndices_ = demos::makeBuffer(GL_ELEMENT_ARRAY_BUFFER, lines);
    }

    demos::HdrFrame frame_;
    int columns_, rows_;  ///< of the surface's grid; its rows are denser near the eye
    demos::Sky sky_;
    GLuint surroundings_, relief_, program_ = 0, vertices_ = 0, triangleIndices_ = 0, lineIndices_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    return demos::runDemo(argc, argv, {"water", [](bool plain) { return std::make_unique<Water>(plain); }});
}
