#include "demos/drawing/portable_math.h"

namespace demos {

glm::mat4 rotate(const glm::mat4& matrix, float radians, glm::vec3 axis) {
    const float c = cosine(radians), s = sine(radians);
    axis = glm::normalize(axis);
    // Rodrigues: c I + (1 - c) a a^T + s [a]x
    glm::mat3 turn = glm::outerProduct(axis, (1 - c) * axis);
    turn += glm::mat3(c, s * axis.z, -s * axis.y, -s * axis.z, c, s * axis.x, s * axis.y, -s * axis.x, c);
    return matrix * glm::mat4(turn);
}

glm::mat4 perspective(float fieldOfViewY, float aspect, float zNear, float zFar) {
    const auto tangent = static_cast<float>(tessera::portable::tan(double{fieldOfViewY / 2}));
    glm::mat4 projection(0);
    projection[0][0] = 1 / (aspect * tangent);
    projection[1][1] = 1 / tangent;
    projection[2] = glm::vec4(0, 0, -(zFar + zNear) / (zFar - zNear), -1);
    projection[3][2] = -(2 * zFar * zNear) / (zFar - zNear);
    return projection;
}

}  // namespace demos
