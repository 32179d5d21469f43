#include "demos/drawing/stage.h"

#include <algorithm>
#include <glm/ext/matrix_clip_space.hpp>
#include <glm/ext/matrix_transform.hpp>
#include <glm/gtc/type_ptr.hpp>
#include <string>

#include "demos/drawing/portable_math.h"
#include "demos/drawing/shader_file.h"
#include "demos/drawing/shapes.h"

namespace demos {

namespace {

constexpr GLsizei kShadowSize = 256;

constexpr const char* kVertexShader = R"(
attribute vec3 a_position;
attribute vec3 a_normal;
attribute vec2 a_texCoord;
uniform mat4 u_model;
uniform mat4 u_viewProjection;
uniform mat4 u_toShadow;  // from the world to the shadow map: column and row 0 .. 1, depth 0 .. 1
varying vec3 v_position;
varying vec3 v_normal;
varying vec3 v_shadow;
varying vec2 v_texCoord;
void main() {
    vec4 position = u_model * vec4(a_position, 1.0);
    v_position = position.xyz;
    v_normal = mat3(u_model[0].xyz, u_model[1].xyz, u_model[2].xyz) * a_normal;
    v_shadow = (u_toShadow * position).xyz;
    v_texCoord = a_texCoord;
    gl_Position = u_viewProjection * position;
}
)";

constexpr const char* kBackdropVertexShader = R"(
attribute vec2 a_position;
uniform mat4 u_toWorld;  // from clip space to directions
varying vec3 v_direction;
void main() {
    vec4 place = vec4(a_position, 1.0, 1.0);
    v_direction = (u_toWorld * place).xyz;
    gl_Position = place;
}
)";

/// Light as numbers to bytes of a picture: bright light saturates, as on film.
constexpr const char* kBackdrop = R"(
precision highp float;
vec4 shown(vec3 light) { return vec4(sqrt(1.0 - exp2(-1.7 * light)), 1.0); }
vec3 backdrop(vec3 direction) {
    float height = max(direction.y, 0.0) * inversesqrt(dot(direction, direction));
    return mix(vec3(0.105, 0.150, 0.215), vec3(0.008, 0.016, 0.036), sqrt(height));
}
)";

constexpr const char* kBackdropShader = R"(
varying vec3 v_direction;
void main() { gl_FragColor = shown(backdrop(v_direction)); }
)";

constexpr const char* kLight = R"(
uniform sampler2D u_shadowMap;
uniform vec3 u_eye;
uniform vec3 u_toLamp;
varying vec3 v_position;
varying vec3 v_normal;
varying vec3 v_shadow;
varying vec2 v_texCoord;
const float kTexels = 256.0;

// 1 where the lamp's light passes what the map has there.
float passes(vec2 texel, float depth) {
    vec4 channels = texture2D(u_shadowMap, texel / kTexels);
    return step(depth, dot(channels, vec4(1.0, 1.0 / 255.0, 1.0 / 65025.0, 1.0 / 16581375.0)));
}

// The share of sixteen texels around that the light passes, weighted as if each result were interpolated. Where those at
// the corners agree, so do the others.
float litShare(vec3 place) {
    vec2 inTexels = place.xy * kTexels - 0.5, corner = floor(inTexels), within = inTexels - corner;
    float depth = min(place.z, 1.0);
    corner -= 0.5;
    vec4 corners = vec4(passes(corner, depth), passes(corner + vec2(3.0, 0.0), depth),
                        passes(corner + vec2(0.0, 3.0), depth), passes(corner + 3.0, depth));
    float sum = dot(corners, vec4(1.0));
    if (sum == 0.0 || sum == 4.0) return sum / 4.0;
    float lit = 0.0;
    for (int y = 0; y < 4; ++y) {
        float row = y == 0 ? 1.0 - within.y : y == 3 ? within.y : 1.0;
        for (int x = 0; x < 4; ++x) {
            float column = x == 0 ? 1.0 - within.x : x == 3 ? within.x : 1.0;
            lit += row * column * passes(corner + vec2(float(x), float(y)), depth);
        }
    }
    return lit / 9.0;
}

vec3 lit(vec3 color, float gloss) {
    vec3 normal = normalize(v_normal), toEye = normalize(u_eye - v_position);
    float facing = dot(normal, u_toLamp);
    float lamp = facing > 0.0 ? facing * litShare(v_shadow) : 0.0;
    vec3 light = vec3(1.30, 1.20, 1.05) * lamp + mix(vec3(0.09, 0.08, 0.08), vec3(0.17, 0.21, 0.28), 0.5 + 0.5 * normal.y);
    float grazing = 1.0 - max(dot(normal, toEye), 0.0);
    float shine = lamp * pow(max(dot(normal, normalize(u_toLamp + toEye)), 0.0), 48.0);
    return color * light + gloss * (vec3(1.30, 1.20, 1.05) * shine + vec3(0.30, 0.38, 0.50) * grazing * grazing * grazing);
}
)";

/// The lamp lights a round of the ground; far from it the ground is the backdrop. Under the bodies little of the sky's
/// light arrives.
constexpr const char* kGroundShader = R"(
uniform float u_reach;
void main() {
    float distance = dot(v_position.xz, v_position.xz) / (u_reach * u_reach);
    vec3 ground = lit(vec3(0.50, 0.52, 0.55), 0.0) * (1.0 - 0.4 * exp2(-1.8 * distance));
    gl_FragColor = shown(mix(backdrop(v_position - u_eye), ground, exp2(-0.13 * distance)));
}
)";

GLuint litProgram(const char* fragmentShader) {
    return buildProgram(kVertexShader, (std::string(kBackdrop) + kLight + fragmentShader).c_str(),
                        {"a_position", "a_normal", "a_texCoord"});
}

void setMatrix(GLuint program, const char* name, const glm::mat4& matrix) {
    glUniformMatrix4fv(glGetUniformLocation(program, name), 1, GL_FALSE, glm::value_ptr(matrix));
}

}  // namespace

Stage::Stage(const StageShape& shape, const char* bodyShader)
    : shape_(shape),
      plane_(planeMesh(40 * shape.reach, 1)),
      shadowMap_(kShadowSize),
      groundProgram_(litProgram(kGroundShader)),
      backdropProgram_(
          buildProgram(kBackdropVertexShader, (std::string(kBackdrop) + kBackdropShader).c_str(), {"a_position"})),
      body_(bodyShader != nullptr ? litProgram(bodyShader) : 0) {
    shape_.toLamp = glm::normalize(shape.toLamp);
}

Stage::~Stage() {
    for (GLuint program : {groundProgram_, backdropProgram_, body_}) glDeleteProgram(program);
}

void Stage::begin(const Frame& frame) {
    width_ = frame.width, height_ = frame.height;
    const float aspect = static_cast<float>(width_) / static_cast<float>(height_), reach = shape_.reach;
    // The bodies fit the shorter side of the window.
    const float away = shape_.distance * frame.zoom / std::min(aspect, 1.0f);
    projection_ = perspective(shape_.fieldOfView, aspect, away * 0.1f, away + 60 * reach);
    view_ = glm::translate(glm::mat4(1), glm::vec3(0, 0, -away));
    view_ = rotate(view_, shape_.pitch + frame.turn.y, glm::vec3(1, 0, 0));
    view_ = rotate(view_, shape_.yaw + frame.turn.x, glm::vec3(0, 1, 0));

    const glm::mat4 lampView = glm::lookAt(shape_.toLamp * (2 * reach), glm::vec3(0), glm::vec3(0, 1, 0));
    toShadow_ = glm::ortho(-reach, reach, -reach, reach, 0.0f, 4 * reach) * lampView;
    shadowMap_.begin();
    glEnable(GL_CULL_FACE);
    // The sides that face away from the lamp cast the shadows: those that face it do not shade themselves.
    glCullFace(GL_FRONT);
}

void Stage::cast(const Mesh& mesh, const glm::mat4& model) const { shadowMap_.cast(mesh, toShadow_ * model); }

void Stage::use(GLuint program, const glm::mat4& model) const {
    const glm::mat4 toTexture = glm::translate(glm::scale(glm::mat4(1), glm::vec3(0.5f)), glm::vec3(1));
    glUseProgram(program);
    setMatrix(program, "u_model", model);
    setMatrix(program, "u_viewProjection", projection_ * view_);
    setMatrix(program, "u_toShadow", toTexture * toShadow_);
    glUniform3fv(glGetUniformLocation(program, "u_eye"), 1, glm::value_ptr(glm::vec3(glm::inverse(view_)[3])));
    glUniform3fv(glGetUniformLocation(program, "u_toLamp"), 1, glm::value_ptr(shape_.toLamp));
    glUniform1i(glGetUniformLocation(program, "u_shadowMap"), 1);
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, shadowMap_.texture());
    glActiveTexture(GL_TEXTURE0);
}

void Stage::show() const {
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glViewport(0, 0, width_, height_);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glCullFace(GL_BACK);
    use(groundProgram_, glm::translate(glm::mat4(1), glm::vec3(0, shape_.ground, 0)));
    glUniform1f(glGetUniformLocation(groundProgram_, "u_reach"), shape_.reach);
    plane_.draw(false);
}

void Stage::place(const glm::mat4& model) const { use(body_, model); }

void Stage::end() const {
    glDepthFunc(GL_LEQUAL);
    glUseProgram(backdropProgram_);
    setMatrix(backdropProgram_, "u_toWorld", glm::inverse(projection_ * glm::mat4(glm::mat3(view_))));
    drawScreenQuad();
    glDepthFunc(GL_LESS);
}

}  // namespace demos
