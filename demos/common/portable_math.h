// Sine, cosine and powers of two as functions of their arguments alone, and the matrices made with them.
//
// The C library picks a variant of its own by the processor (with or without fused multiply-add), and the variants
// round differently now and then. What a demo draws must be the same everywhere, so it takes none of them. Here is
// plain IEEE-754 arithmetic in one order; the build contracts none of it.
//
// In double precision the results are within 3 units in the last place for angles up to 100,000 and exponents that
// double holds; rounded to single they are the nearest float but for one argument in some hundred million.
#pragma once

#include <glm/glm.hpp>

namespace demos {

[[nodiscard]] double sine(double radians);
[[nodiscard]] double cosine(double radians);
[[nodiscard]] inline float sine(float radians) { return static_cast<float>(sine(double{radians})); }
[[nodiscard]] inline float cosine(float radians) { return static_cast<float>(cosine(double{radians})); }

/// 2 to the power of x.
[[nodiscard]] double powerOfTwo(double x);
[[nodiscard]] inline float powerOfTwo(float x) { return static_cast<float>(powerOfTwo(double{x})); }

/// glm::rotate and glm::perspective, without the C library's sine, cosine and tangent.
[[nodiscard]] glm::mat4 rotate(const glm::mat4& matrix, float radians, glm::vec3 axis);
[[nodiscard]] glm::mat4 perspective(float fieldOfViewY, float aspect, float zNear, float zFar);

}  // namespace demos
