// What demos compute for their pictures, without the C library's transcendental functions: those depend on the
// processor (base/portable_math.h). In the precision of the argument.
#pragma once

#include <glm/glm.hpp>

#include "base/portable_math.h"

namespace demos {

[[nodiscard]] inline double sine(double radians) { return tessera::portable::sin(radians); }
[[nodiscard]] inline double cosine(double radians) { return tessera::portable::cos(radians); }
[[nodiscard]] inline double powerOfTwo(double x) { return tessera::portable::exp2(x); }
[[nodiscard]] inline float sine(float radians) { return static_cast<float>(sine(double{radians})); }
[[nodiscard]] inline float cosine(float radians) { return static_cast<float>(cosine(double{radians})); }
[[nodiscard]] inline float powerOfTwo(float x) { return static_cast<float>(powerOfTwo(double{x})); }

/// glm::rotate and glm::perspective.
[[nodiscard]] glm::mat4 rotate(const glm::mat4& matrix, float radians, glm::vec3 axis);
[[nodiscard]] glm::mat4 perspective(float fieldOfViewY, float aspect, float zNear, float zFar);

}  // namespace demos
