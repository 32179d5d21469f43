#include "api/gles1/matrix.h"

#include <cmath>

#include "base/portable_math.h"

namespace tessera::gles1 {

Matrix operator*(const Matrix& a, const Matrix& b) {
    Matrix out;
    for (size_t column = 0; column < 4; ++column)
        for (size_t row = 0; row < 4; ++row) {
            double sum = 0;
            for (size_t i = 0; i < 4; ++i) sum += double{a[4 * i + row]} * b[4 * column + i];
            out[4 * column + row] = static_cast<float>(sum);
        }
    return out;
}

Vector4 operator*(const Matrix& m, const Vector4& v) {
    Vector4 out;
    for (size_t row = 0; row < 4; ++row) {
        double sum = 0;
        for (size_t i = 0; i < 4; ++i) sum += double{m[4 * i + row]} * v[i];
        out[row] = static_cast<float>(sum);
    }
    return out;
}

Vector4 transformRow(const Vector4& v, const Matrix& m) {
    Vector4 out;
    for (size_t column = 0; column < 4; ++column) {
        double sum = 0;
        for (size_t i = 0; i < 4; ++i) sum += double{v[i]} * m[4 * column + i];
        out[column] = static_cast<float>(sum);
    }
    return out;
}

// Gauss and Jordan's elimination with the largest pivot of each column.
Matrix inverse(const Matrix& m) {
    double left[4][4], right[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
    for (size_t row = 0; row < 4; ++row)
        for (size_t column = 0; column < 4; ++column) left[row][column] = m[4 * column + row];
    for (size_t step = 0; step < 4; ++step) {
        size_t pivot = step;
        for (size_t row = step + 1; row < 4; ++row)
            if (std::abs(left[row][step]) > std::abs(left[pivot][step])) pivot = row;
        if (!(std::abs(left[pivot][step]) > 0)) return kIdentity;
        std::swap(left[pivot], left[step]);
        std::swap(right[pivot], right[step]);
        const double scale = 1 / left[step][step];
        for (size_t i = 0; i < 4; ++i) {
            left[step][i] *= scale;
            right[step][i] *= scale;
        }
        for (size_t row = 0; row < 4; ++row) {
            if (row == step) continue;
            const double factor = left[row][step];
            for (size_t i = 0; i < 4; ++i) {
                left[row][i] -= factor * left[step][i];
                right[row][i] -= factor * right[step][i];
            }
        }
    }
    Matrix out;
    for (size_t row = 0; row < 4; ++row)
        for (size_t column = 0; column < 4; ++column) out[4 * column + row] = static_cast<float>(right[row][column]);
    return out;
}

Matrix rotation(float degrees, float axisX, float axisY, float axisZ) {
    const double length = std::sqrt(double{axisX} * axisX + double{axisY} * axisY + double{axisZ} * axisZ);
    if (!(length > 0)) return kIdentity;
    const double radians = degrees * 0x1.1df46a2529d39p-6;  // pi / 180
    const double s = portable::sin(radians), c = portable::cos(radians), t = 1 - c;
    const double x = axisX / length, y = axisY / length, z = axisZ / length;
    const double columns[3][3] = {{x * x * t + c, y * x * t + z * s, x * z * t - y * s},
                                  {x * y * t - z * s, y * y * t + c, y * z * t + x * s},
                                  {x * z * t + y * s, y * z * t - x * s, z * z * t + c}};
    Matrix out = kIdentity;
    for (size_t column = 0; column < 3; ++column)
        for (size_t row = 0; row < 3; ++row) out[4 * column + row] = static_cast<float>(columns[column][row]);
    return out;
}

Matrix translation(float x, float y, float z) { return {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1}; }
Matrix scaling(float x, float y, float z) { return {x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1}; }

Matrix frustum(float left, float right, float bottom, float top, float zNear, float zFar) {
    const double l = left, r = right, b = bottom, t = top, n = zNear, f = zFar;
    Matrix out{};
    out[0] = static_cast<float>(2 * n / (r - l));
    out[5] = static_cast<float>(2 * n / (t - b));
    out[8] = static_cast<float>((r + l) / (r - l));
    out[9] = static_cast<float>((t + b) / (t - b));
    out[10] = static_cast<float>(-(f + n) / (f - n));
    out[11] = -1;
    out[14] = static_cast<float>(-2 * f * n / (f - n));
    return out;
}

Matrix orthographic(float left, float right, float bottom, float top, float zNear, float zFar) {
    const double l = left, r = right, b = bottom, t = top, n = zNear, f = zFar;
    Matrix out = kIdentity;
    out[0] = static_cast<float>(2 / (r - l));
    out[5] = static_cast<float>(2 / (t - b));
    out[10] = static_cast<float>(-2 / (f - n));
    out[12] = static_cast<float>(-(r + l) / (r - l));
    out[13] = static_cast<float>(-(t + b) / (t - b));
    out[14] = static_cast<float>(-(f + n) / (f - n));
    return out;
}

}  // namespace tessera::gles1
