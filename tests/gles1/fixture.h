// What tests of OpenGL ES 1.1 start from: the fixture of tests/gles with contexts of version 1.
#pragma once

#include <GLES/gl.h>
#define GL_GLEXT_PROTOTYPES 1
#include <GLES/glext.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "tests/gles/fixture.h"

namespace tessera::gles1_test {

using gles_test::near;
using gles_test::pixelAt;
using gles_test::Rgba;
using gles_test::TestContext;

struct Context1 : TestContext {
    explicit Context1(int size = 16) : TestContext({.width = size, .height = size, .version = 1}) {}
};

using Vec3 = std::array<double, 3>;
using Vec4 = std::array<double, 4>;

inline Vec3 operator+(const Vec3& a, const Vec3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vec3 operator-(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vec3 operator*(double s, const Vec3& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline double length(const Vec3& a) { return std::sqrt(dot(a, a)); }
inline Vec3 normalized(const Vec3& a) { return (1 / length(a)) * a; }

/// 0..1 as a byte.
inline Rgba bytes(const Vec4& color) {
    Rgba out;
    for (size_t i = 0; i < 4; ++i)
        out[i] = static_cast<uint8_t>(std::floor(std::min(std::max(color[i], 0.0), 1.0) * 255 + 0.5));
    return out;
}

class Random {
public:
    explicit Random(unsigned seed) : engine_(seed) {}
    double between(double low, double high) {
        return low + (high - low) * static_cast<double>(engine_() >> 8) / static_cast<double>(1 << 24);
    }
    bool chance(int oneOf) { return engine_() % static_cast<unsigned>(oneOf) == 0; }
    template <class T, size_t N>
    T pick(const T (&values)[N]) {
        return values[engine_() % N];
    }
    Vec4 color() { return {between(0, 1), between(0, 1), between(0, 1), between(0, 1)}; }

private:
    std::mt19937 engine_;
};

inline std::array<GLfloat, 4> floats(const Vec4& v) {
    return {static_cast<GLfloat>(v[0]), static_cast<GLfloat>(v[1]), static_cast<GLfloat>(v[2]),
            static_cast<GLfloat>(v[3])};
}

/// A rectangle over the whole viewport at that depth of normalised coordinates, with the current values.
inline void drawWindow(GLfloat z = 0) {
    const GLfloat corners[] = {-1, -1, z, 1, -1, z, -1, 1, z, 1, 1, z};
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(3, GL_FLOAT, 0, corners);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glDisableClientState(GL_VERTEX_ARRAY);
}

/// A point of eight pixels at the vertex, drawn wherever it is.
inline void drawPoint(const Vec3& at) {
    const GLfloat vertex[] = {static_cast<GLfloat>(at[0]), static_cast<GLfloat>(at[1]), static_cast<GLfloat>(at[2])};
    glEnableClientState(GL_VERTEX_ARRAY);
    glVertexPointer(3, GL_FLOAT, 0, vertex);
    glDrawArrays(GL_POINTS, 0, 1);
    glDisableClientState(GL_VERTEX_ARRAY);
}

}  // namespace tessera::gles1_test
