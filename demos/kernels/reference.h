// The kernels' mathematics in plain C++, without a thought for speed or for how the kernels do it: with T = double or
// int64_t the check of `kernels`, with T = float or int32_t the plain program that `bench` compares with.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <span>
#include <vector>

namespace tessera::kernels::reference {

/// rows firstRow..lastRow - 1 of c = a * b; a m x k, b k x n, by rows.
template <class T, class In>
void multiply(std::span<const In> a, std::span<const In> b, std::span<T> c, size_t firstRow, size_t lastRow, size_t n,
              size_t k) {
    for (size_t i = firstRow; i < lastRow; ++i) {
        for (size_t j = 0; j < n; ++j) c[i * n + j] = 0;
        for (size_t p = 0; p < k; ++p) {
            const T factor = static_cast<T>(a[i * k + p]);
            for (size_t j = 0; j < n; ++j) c[i * n + j] += factor * static_cast<T>(b[p * n + j]);
        }
    }
}

/// Rows firstRow..lastRow - 1 of the convolution with a size x size mask (by rows, not mirrored).
template <class T, class In>
void convolve(std::span<const In> image, std::span<const In> mask, std::span<T> result, int firstRow, int lastRow,
              int width, int height, int size) {
    const int radius = (size - 1) / 2;
    for (int y = firstRow; y < lastRow; ++y) {
        for (int x = 0; x < width; ++x) {
            T sum = 0;
            for (int j = std::max(0, y - radius); j <= std::min(height - 1, y + radius); ++j) {
                for (int i = std::max(0, x - radius); i <= std::min(width - 1, x + radius); ++i) {
                    sum += static_cast<T>(image[static_cast<size_t>(j * width + i)]) *
                           static_cast<T>(mask[static_cast<size_t>((j - y + radius) * size + i - x + radius)]);
                }
            }
            result[static_cast<size_t>(y * width + x)] = sum;
        }
    }
}

/// The discrete Fourier transform by its definition; `data` has real and imaginary parts in turn.
template <class In>
std::vector<std::complex<double>> transform(std::span<const In> data) {
    const size_t n = data.size() / 2;
    std::vector<std::complex<double>> roots(n), result(n);
    for (size_t k = 0; k < n; ++k) {
        const double angle = -2 * M_PI * static_cast<double>(k) / static_cast<double>(n);
        roots[k] = {std::cos(angle), std::sin(angle)};
    }
    for (size_t k = 0; k < n; ++k) {
        double re = 0, im = 0;
        for (size_t i = 0; i < n; ++i) {
            const auto& w = roots[i * k % n];
            re += data[2 * i] * w.real() - data[2 * i + 1] * w.imag();
            im += data[2 * i] * w.imag() + data[2 * i + 1] * w.real();
        }
        result[k] = {re, im};
    }
    return result;
}

/// Iterations of z' = z * z + c, from z = c on, during which |z| <= 2.
template <class T>
int mandelbrot(T cx, T cy, int limit) {
    T x = cx, y = cy;
    for (int n = 0; n < limit; ++n) {
        const T xx = x * x, yy = y * y;
        if (!(xx + yy <= 4)) return n;
        y = 2 * x * y + cy;
        x = xx - yy + cx;
    }
    return limit;
}

/// ((a * b) >> 10) + c in 16 bits, as the paper's FMA block does it.
inline int16_t fixedMultiplyAdd(int16_t a, int16_t b, int16_t c) {
    return static_cast<int16_t>(((int32_t{a} * b) >> 10) + c);
}

/// The same iteration in that arithmetic; the first time the length is above 2 counts.
inline int mandelbrotFixed(int16_t cx, int16_t cy, int limit) {
    int16_t x = cx, y = cy;
    for (int n = 0; n < limit; ++n) {
        const int16_t length = fixedMultiplyAdd(y, y, fixedMultiplyAdd(x, x, 0));
        if (length > 4096) return n;
        const int16_t nextX = fixedMultiplyAdd(static_cast<int16_t>(-y), y, fixedMultiplyAdd(x, x, cx));
        y = fixedMultiplyAdd(static_cast<int16_t>(2 * x), y, cy);
        x = nextX;
    }
    return limit;
}

/// The nearest centroid of points first..last - 1: points[feature][point], centroids[cluster][feature].
template <class T, class In>
void assign(std::span<const In> points, std::span<const T> centroids, std::span<int32_t> membership, size_t first,
            size_t last, size_t count, size_t features, size_t clusters) {
    for (size_t p = first; p < last; ++p) {
        T best = 0;
        for (size_t c = 0; c < clusters; ++c) {
            T distance = 0;
            for (size_t f = 0; f < features; ++f) {
                const T d = static_cast<T>(points[f * count + p]) - centroids[c * features + f];
                distance += d * d;
            }
            if (c == 0 || distance < best) {
                best = distance;
                membership[p] = static_cast<int32_t>(c);
            }
        }
    }
}

/// Each centroid becomes the mean of its points.
template <class T, class In>
void update(std::span<const In> points, std::span<T> centroids, std::span<const int32_t> membership, size_t count,
            size_t features, size_t clusters) {
    for (size_t c = 0; c < clusters; ++c) {
        const auto members = std::count(membership.begin(), membership.end(), static_cast<int32_t>(c));
        for (size_t f = 0; members != 0 && f < features; ++f) {
            T sum = 0;
            for (size_t p = 0; p < count; ++p) {
                if (membership[p] == static_cast<int32_t>(c)) sum += static_cast<T>(points[f * count + p]);
            }
            centroids[c * features + f] = sum / static_cast<T>(members);
        }
    }
}

/// Brings a, n x (n + 1), into upper triangular form.
template <class T>
void eliminate(std::span<T> a, size_t n) {
    const size_t pitch = n + 1;
    for (size_t t = 0; t + 1 < n; ++t) {
        for (size_t row = t + 1; row < n; ++row) {
            const T m = a[row * pitch + t] / a[t * pitch + t];
            for (size_t column = t; column <= n; ++column) a[row * pitch + column] -= m * a[t * pitch + column];
        }
    }
}

/// A stack of maps without border.
template <class T>
struct Maps {
    int count = 0, width = 0, height = 0;
    std::vector<T> values = {};
    [[nodiscard]] T at(int map, int y, int x) const {  // zero outside
        return x < 0 || y < 0 || x >= width || y >= height ? T{0} : values[index(map, y, x)];
    }
    [[nodiscard]] size_t index(int map, int y, int x) const {
        return (static_cast<size_t>(map) * static_cast<size_t>(height) + static_cast<size_t>(y)) *
                   static_cast<size_t>(width) +
               static_cast<size_t>(x);
    }
};

/// ReLU; integers first drop the weights' fraction bits.
inline double activate(double sum, int) { return std::max(sum, 0.0); }
inline float activate(float sum, int) { return std::max(sum, 0.0f); }
inline int64_t activate(int64_t sum, int shift) { return std::max<int64_t>(sum >> shift, 0); }
inline int32_t activate(int32_t sum, int shift) { return std::max(sum >> shift, 0); }

/// A size x size convolution (1 or 3) from all maps to `out` maps, weights[out][in][row][column], then ReLU.
template <class T, class In, class Bias>
Maps<T> layer(const Maps<T>& in, const std::vector<In>& weights, const std::vector<Bias>& biases, int out, int size,
              int shift) {
    Maps<T> result{out, in.width, in.height};
    result.values.resize(static_cast<size_t>(out) * static_cast<size_t>(in.width) * static_cast<size_t>(in.height));
    const int radius = size / 2;
    for (int m = 0; m < out; ++m) {
        for (int y = 0; y < in.height; ++y) {
            for (int x = 0; x < in.width; ++x) {
                T sum = static_cast<T>(biases[static_cast<size_t>(m)]);
                for (int c = 0; c < in.count; ++c) {
                    for (int j = 0; j < size; ++j) {
                        for (int i = 0; i < size; ++i) {
                            const auto weight = static_cast<size_t>(((m * in.count + c) * size + j) * size + i);
                            sum += in.at(c, y + j - radius, x + i - radius) * static_cast<T>(weights[weight]);
                        }
                    }
                }
                result.values[result.index(m, y, x)] = activate(sum, shift);
            }
        }
    }
    return result;
}

/// The largest of each 2 x 2 window.
template <class T>
Maps<T> poolMaximum(const Maps<T>& in) {
    Maps<T> result{in.count, in.width / 2, in.height / 2};
    for (int m = 0; m < in.count; ++m) {
        for (int y = 0; y < in.height; y += 2) {
            for (int x = 0; x < in.width; x += 2) {
                result.values.push_back(std::max(std::max(in.at(m, y, x), in.at(m, y, x + 1)),
                                                 std::max(in.at(m, y + 1, x), in.at(m, y + 1, x + 1))));
            }
        }
    }
    return result;
}

}  // namespace tessera::kernels::reference
