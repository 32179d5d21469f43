// Matrices of OpenGL ES 1.1 (section 2.10): column-major, single precision. Products and inverses are computed in
// double precision and rounded once, by the same arithmetic on every host.
#pragma once

#include <array>
#include <vector>

namespace tessera::gles1 {

using Matrix = std::array<float, 16>;
using Vector4 = std::array<float, 4>;

inline constexpr Matrix kIdentity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

[[nodiscard]] Matrix operator*(const Matrix& a, const Matrix& b);
[[nodiscard]] Vector4 operator*(const Matrix& m, const Vector4& v);
/// A matrix without an inverse gives the identity.
[[nodiscard]] Matrix inverse(const Matrix& m);
/// The row vector v * m.
[[nodiscard]] Vector4 transformRow(const Vector4& v, const Matrix& m);

/// By `degrees` around an axis of any length; an axis of no length gives the identity.
[[nodiscard]] Matrix rotation(float degrees, float x, float y, float z);
[[nodiscard]] Matrix translation(float x, float y, float z);
[[nodiscard]] Matrix scaling(float x, float y, float z);
[[nodiscard]] Matrix frustum(float left, float right, float bottom, float top, float zNear, float zFar);
[[nodiscard]] Matrix orthographic(float left, float right, float bottom, float top, float zNear, float zFar);

/// Never empty.
struct MatrixStack {
    std::vector<Matrix> matrices{kIdentity};
    [[nodiscard]] Matrix& top() { return matrices.back(); }
    [[nodiscard]] const Matrix& top() const { return matrices.back(); }
    [[nodiscard]] int depth() const { return static_cast<int>(matrices.size()); }
};

}  // namespace tessera::gles1
