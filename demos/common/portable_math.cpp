#include "demos/common/portable_math.h"

#include <cmath>
#include <numbers>

namespace demos {

namespace {

/// Taylor's series of sine, cosine and the exponential function, as far as double precision reaches for arguments up
/// to pi / 4 and ln 2 / 2. Horner's scheme: the term of x^n is the one before times x / n.
double sineSeries(double x) {
    const double square = x * x;
    double sum = 1;
    for (int n = 18; n >= 2; n -= 2) sum = 1 - square / (n * (n + 1)) * sum;
    return x * sum;
}
double cosineSeries(double x) {
    const double square = x * x;
    double sum = 1;
    for (int n = 17; n >= 1; n -= 2) sum = 1 - square / (n * (n + 1)) * sum;
    return sum;
}
double exponentialSeries(double x) {
    double sum = 1;
    for (int n = 14; n >= 1; --n) sum = 1 + x / n * sum;
    return sum;
}

struct Reduced {
    double angle;  ///< -pi / 4 to pi / 4
    int quadrant;  ///< 0 to 3
};

/// Less multiples of pi / 2, which is taken in three parts: those of 33 bits have exact products with multiples below
/// 2^20, so nothing cancels but what is equal (Cody and Waite).
Reduced reduce(double radians) {
    constexpr double kHigh = 0x1.921fb544p+0, kMiddle = 0x1.0b4611a6p-34, kLow = 0x1.3198a2e037073p-69;
    const double multiple = std::floor(radians * (2 / std::numbers::pi) + 0.5);
    const double angle = radians - multiple * kHigh - multiple * kMiddle - multiple * kLow;
    return {angle, static_cast<int>(static_cast<long long>(multiple) & 3)};
}

}  // namespace

double sine(double radians) {
    const auto [angle, quadrant] = reduce(radians);
    const double value = quadrant % 2 == 0 ? sineSeries(angle) : cosineSeries(angle);
    return quadrant < 2 ? value : -value;
}

double cosine(double radians) {
    const auto [angle, quadrant] = reduce(radians);
    const double value = quadrant % 2 == 0 ? cosineSeries(angle) : sineSeries(angle);
    return quadrant == 0 || quadrant == 3 ? value : -value;
}

double powerOfTwo(double x) {
    const double whole = std::floor(x + 0.5);
    return std::ldexp(exponentialSeries((x - whole) * std::numbers::ln2), static_cast<int>(whole));
}

glm::mat4 rotate(const glm::mat4& matrix, float radians, glm::vec3 axis) {
    const float c = cosine(radians), s = sine(radians);
    axis = glm::normalize(axis);
    // Rodrigues: c I + (1 - c) a a^T + s [a]x
    glm::mat3 turn = glm::outerProduct(axis, (1 - c) * axis);
    turn += glm::mat3(c, s * axis.z, -s * axis.y, -s * axis.z, c, s * axis.x, s * axis.y, -s * axis.x, c);
    return matrix * glm::mat4(turn);
}

glm::mat4 perspective(float fieldOfViewY, float aspect, float zNear, float zFar) {
    const double half = double{fieldOfViewY / 2};
    const auto tangent = static_cast<float>(sine(half) / cosine(half));
    glm::mat4 projection(0);
    projection[0][0] = 1 / (aspect * tangent);
    projection[1][1] = 1 / tangent;
    projection[2] = glm::vec4(0, 0, -(zFar + zNear) / (zFar - zNear), -1);
    projection[3][2] = -(2 * zFar * zNear) / (zFar - zNear);
    return projection;
}

}  // namespace demos
