// The plain program for each kernel: loops as anyone would write them, compiled with -O2 for x86-64-v2, on one thread
// or split over several by rows, transforms or points.
#include <algorithm>
#include <cmath>
#include <map>

#include "bench/kernels/contender.h"
#include "demos/kernels/mandelbrot.h"
#include "demos/kernels/reference.h"

namespace tessera::bench {

namespace {

using kernels::Job;
using kernels::Memory;

/// What a plain program gets: the memories, the job (for its sizes) and threads.
struct Run {
    std::vector<Memory>& memory;
    const Job& job;
    ThreadPool& pool;

    template <class T>
    [[nodiscard]] std::span<const T> in(size_t index) const {
        return memory[index].as<T>();
    }
    template <class T>
    [[nodiscard]] std::span<T> out(size_t index) const {
        return write<T>(memory[index]);
    }
    /// Uniform `index` of the first step as integers.
    [[nodiscard]] int uniform(size_t vector, size_t component) const {
        return static_cast<int>(job.steps.front().uniforms[vector][component]);
    }
    /// body(first, last) over parts of 0..count.
    template <class Body>
    void split(size_t count, Body body) const {
        const size_t parts = static_cast<size_t>(pool.threads()) == 1 ? 1 : static_cast<size_t>(pool.threads()) * 4;
        pool.parallelFor(parts, [&](size_t part, int) { body(count * part / parts, count * (part + 1) / parts); });
    }
};

/// In place, radix 2; roots as in the kernels' memory.
void transform(std::span<float> re, std::span<float> im, std::span<const float> roots) {
    const size_t n = re.size();
    for (size_t i = 1, j = 0; i < n; ++i) {
        size_t bit = n >> 1;
        for (; (j & bit) != 0; bit >>= 1) j ^= bit;
        j ^= bit;
        if (i < j) std::swap(re[i], re[j]), std::swap(im[i], im[j]);
    }
    for (size_t half = 1; half < n; half *= 2) {
        for (size_t start = 0; start < n; start += 2 * half) {
            for (size_t k = 0; k < half; ++k) {
                const float wr = roots[k * (n / half)], wi = roots[k * (n / half) + 1];
                const size_t a = start + k, b = a + half;
                const float tr = re[b] * wr - im[b] * wi, ti = re[b] * wi + im[b] * wr;
                re[b] = re[a] - tr, im[b] = im[a] - ti;
                re[a] += tr, im[a] += ti;
            }
        }
    }
}

void fft(const Run& run) {
    const size_t n = size_t{1} << run.uniform(0, 0), batch = run.in<float>(0).size() / 2 / n;
    run.split(batch, [&](size_t first, size_t last) {
        std::vector<float> re(n), im(n);
        for (size_t t = first; t < last; ++t) {
            const auto in = run.in<float>(0).subspan(2 * n * t);
            const auto out = run.out<float>(1).subspan(2 * n * t);
            for (size_t i = 0; i < n; ++i) re[i] = in[2 * i], im[i] = in[2 * i + 1];
            transform(re, im, run.in<float>(2));
            for (size_t i = 0; i < n; ++i) out[2 * i] = re[i], out[2 * i + 1] = im[i];
        }
    });
}

void fftBatch(const Run& run) {
    constexpr size_t kN = 256, kLanes = 32;
    run.split(run.in<float>(0).size() / kN, [&](size_t first, size_t last) {
        std::vector<float> re(kN), im(kN);
        for (size_t t = first; t < last; ++t) {
            const size_t at = t / kLanes * kN * kLanes + t % kLanes;
            for (size_t i = 0; i < kN; ++i) {
                re[i] = run.in<float>(0)[at + i * kLanes];
                im[i] = run.in<float>(1)[at + i * kLanes];
            }
            transform(re, im, run.in<float>(4));
            for (size_t i = 0; i < kN; ++i) {
                run.out<float>(2)[at + i * kLanes] = re[i];
                run.out<float>(3)[at + i * kLanes] = im[i];
            }
        }
    });
}

void qr(const Run& run) {
    constexpr size_t kN = 16;
    run.split(run.in<float>(0).size() / (kN * kN), [&](size_t first, size_t last) {
        for (size_t m = first; m < last; ++m) {
            const auto a = run.in<float>(0).subspan(m * kN * kN, kN * kN);
            const auto q = run.out<float>(1).subspan(m * kN * kN), r = run.out<float>(2).subspan(m * kN * kN);
            std::copy(a.begin(), a.end(), q.begin());
            for (size_t k = 0; k < kN; ++k) {
                float norm = 0;
                for (size_t i = 0; i < kN; ++i) norm += q[k * kN + i] * q[k * kN + i];
                norm = std::sqrt(norm);
                r[k * kN + k] = norm;
                for (size_t i = 0; i < kN; ++i) q[k * kN + i] /= norm;
                for (size_t j = k + 1; j < kN; ++j) {
                    float dot = 0;
                    for (size_t i = 0; i < kN; ++i) dot += q[k * kN + i] * q[j * kN + i];
                    r[j * kN + k] = dot;
                    for (size_t i = 0; i < kN; ++i) q[j * kN + i] -= dot * q[k * kN + i];
                }
            }
        }
    });
}

/// Partial sums of 256 elements, as the kernels leave them.
void reductionSum(const Run& run) {
    run.split(run.out<float>(1).size(), [&](size_t first, size_t last) {
        for (size_t part = first; part < last; ++part) {
            float sum = 0;
            for (size_t i = 0; i < 256; ++i) sum += run.in<float>(0)[part * 256 + i];
            run.out<float>(1)[part] = sum;
        }
    });
}
void reductionDot(const Run& run) {
    run.split(run.out<float>(2).size(), [&](size_t first, size_t last) {
        for (size_t part = first; part < last; ++part) {
            float sum = 0;
            for (size_t i = part * 256; i < part * 256 + 256; ++i) sum += run.in<float>(0)[i] * run.in<float>(1)[i];
            run.out<float>(2)[part] = sum;
        }
    });
}

template <class Iterations>
void picture(const Run& run, Iterations iterations) {
    const auto width = static_cast<size_t>(run.uniform(1, 0));
    const int limit = run.uniform(1, 1) * kernels::kMandelbrotRound, shift = run.uniform(1, 2);
    const auto palette = run.in<uint32_t>(0);
    const auto image = run.out<uint32_t>(1);
    run.split(image.size() / width, [&](size_t first, size_t last) {
        for (size_t y = first; y < last; ++y) {
            for (size_t x = 0; x < width; ++x) {
                const int n = iterations(static_cast<int>(x), static_cast<int>(y), limit);
                image[y * width + x] = palette[static_cast<size_t>(std::min(n >> shift, 15))];
            }
        }
    });
}
void mandelbrot(const Run& run) {
    const auto& window = run.job.steps.front().uniforms[0];
    const auto real = [&](size_t i) { return std::bit_cast<float>(window[i]); };
    picture(run, [=](int x, int y, int limit) {
        return kernels::reference::mandelbrot(real(0) + static_cast<float>(x) * real(2),
                                              real(1) + static_cast<float>(y) * real(3), limit);
    });
}
void mandelbrotFixed(const Run& run) {
    picture(run, [&](int x, int y, int limit) {
        return kernels::reference::mandelbrotFixed(static_cast<int16_t>(run.uniform(0, 0) + x * run.uniform(0, 2)),
                                                   static_cast<int16_t>(run.uniform(0, 1) + y * run.uniform(0, 3)),
                                                   limit);
    });
}

void multiply2x2(const Run& run) {
    const auto a = run.in<int16_t>(0), b = run.in<int16_t>(1);
    const auto c = run.out<int16_t>(2);
    run.split(a.size() / 4, [&](size_t first, size_t last) {
        for (size_t i = first * 4; i < last * 4; ++i) {
            const size_t matrix = i / 4 * 4, row = i % 4 / 2, column = i % 2;
            const int16_t sum = kernels::reference::fixedMultiplyAdd(a[matrix + row * 2], b[matrix + column], 0);
            c[i] = kernels::reference::fixedMultiplyAdd(a[matrix + row * 2 + 1], b[matrix + 2 + column], sum);
        }
    });
}

template <class T>
void multiply(const Run& run) {
    const auto m = static_cast<size_t>(run.uniform(0, 0)), n = static_cast<size_t>(run.uniform(0, 1));
    run.split(m, [&](size_t first, size_t last) {
        kernels::reference::multiply<T>(run.in<T>(0), run.in<T>(1), run.out<T>(2), first, last, n,
                                        static_cast<size_t>(run.uniform(0, 2)));
    });
}
void multiplyTiled(const Run& run) {
    const auto n = static_cast<size_t>(run.uniform(0, 0));
    run.split(n, [&](size_t first, size_t last) {
        kernels::reference::multiply<float>(run.in<float>(0), run.in<float>(1), run.out<float>(2), first, last, n, n);
    });
}

template <class T>
void addArrays(const Run& run) {
    const auto a = run.in<T>(0), b = run.in<T>(1);
    const auto c = run.out<T>(2);
    run.split(a.size(), [&](size_t first, size_t last) {
        for (size_t i = first; i < last; ++i) c[i] = a[i] + b[i];
    });
}

template <class T>
void convolve(const Run& run) {
    const int width = run.uniform(0, 0), height = run.uniform(0, 1), size = run.uniform(0, 2);
    std::vector<T> mask(static_cast<size_t>(size * size));  // by rows again
    for (int row = 0; row < size; ++row) {
        for (int column = 0; column < size; ++column) {
            mask[static_cast<size_t>(row * size + column)] =
                run.in<T>(1)[static_cast<size_t>(column * (size + 6) + 3 + size - 1 - row)];
        }
    }
    const auto image = run.in<T>(0);
    const int pitch = width + size - 1;
    run.split(static_cast<size_t>(height), [&](size_t first, size_t last) {
        for (int y = static_cast<int>(first); y < static_cast<int>(last); ++y) {
            for (int x = 0; x < width; ++x) {
                T sum = 0;
                for (int j = 0; j < size; ++j) {
                    for (int i = 0; i < size; ++i) {
                        sum += image[static_cast<size_t>((y + j) * pitch + x + i)] *
                               mask[static_cast<size_t>(j * size + i)];
                    }
                }
                run.out<T>(2)[static_cast<size_t>(y * width + x)] = sum;
            }
        }
    });
}

void sort(const Run& run) {
    auto values = run.out<int32_t>(0);
    const auto input = run.job.memories[0].as<int32_t>();
    std::copy(input.begin(), input.end(), values.begin());
    std::sort(values.begin(), values.end());
}

void transpose(const Run& run) {
    const auto rows = static_cast<size_t>(run.uniform(0, 0)), columns = static_cast<size_t>(run.uniform(0, 1));
    run.split(rows, [&](size_t first, size_t last) {
        for (size_t row = first; row < last; ++row) {
            for (size_t column = 0; column < columns; ++column) {
                run.out<uint32_t>(1)[column * rows + row] = run.in<uint32_t>(0)[row * columns + column];
            }
        }
    });
}

template <class Combine>
void pool(const Run& run, Combine combine) {
    const auto width = static_cast<size_t>(run.uniform(0, 0)), height = static_cast<size_t>(run.uniform(0, 1));
    run.split(height, [&](size_t first, size_t last) {
        for (size_t y = first; y < last; ++y) {
            for (size_t x = 0; x < width; ++x) {
                const float* upper = &run.in<float>(0)[4 * y * width + 2 * x];
                run.out<float>(1)[y * width + x] = combine(upper[0], upper[1], upper[2 * width], upper[2 * width + 1]);
            }
        }
    });
}
void poolMax(const Run& run) {
    pool(run, [](float a, float b, float c, float d) { return std::max(std::max(a, b), std::max(c, d)); });
}
void poolAverage(const Run& run) {
    pool(run, [](float a, float b, float c, float d) { return (a + b + c + d) * 0.25f; });
}
void poolMedian(const Run& run) {
    pool(run, [](float a, float b, float c, float d) {
        return (std::max(std::min(a, b), std::min(c, d)) + std::min(std::max(a, b), std::max(c, d))) * 0.5f;
    });
}

void kmeans(const Run& run) {
    const auto points = static_cast<size_t>(run.uniform(0, 0)), features = static_cast<size_t>(run.uniform(0, 1));
    const auto clusters = static_cast<size_t>(run.uniform(0, 2));
    const auto start = run.job.memories[1].as<float>();
    std::copy(start.begin(), start.end(), run.out<float>(1).begin());
    for (size_t i = 0; i < run.job.steps.size() / 2; ++i) {
        run.split(points, [&](size_t first, size_t last) {
            kernels::reference::assign<float>(run.in<float>(0), run.in<float>(1), run.out<int32_t>(2), first, last,
                                              points, features, clusters);
        });
        kernels::reference::update<float>(run.in<float>(0), run.out<float>(1), run.in<int32_t>(2), points, features,
                                          clusters);
    }
}

void gaussian(const Run& run) {
    const auto start = run.job.memories[0].as<float>();
    std::copy(start.begin(), start.end(), run.out<float>(0).begin());
    kernels::reference::eliminate(run.out<float>(0), static_cast<size_t>(run.uniform(0, 0)));
}

constexpr int kMaps = 16;

/// A layer over maps with borders, weights as in parts/layer.tsa; pooled or not.
template <class T>
void layer(const Run& run, const kernels::Step& step, bool pooled) {
    const auto& size = step.uniforms[0];
    const int width = static_cast<int>(size[0]), height = static_cast<int>(size[1]), in = static_cast<int>(size[2]);
    const auto from = run.in<T>(static_cast<size_t>(step.buffers[0]));
    const auto weights = run.in<T>(static_cast<size_t>(step.buffers[1]));
    const auto biases = run.in<T>(static_cast<size_t>(step.buffers[2]));
    const auto to = run.out<T>(static_cast<size_t>(step.buffers[3]));
    const int pitch = width + 2, plane = pitch * (height + 2);
    const auto sumAt = [&](int m, int y, int x) {
        T sum = biases[static_cast<size_t>(m)];
        for (int c = 0; c < in; ++c) {
            for (int column = 0; column < 3; ++column) {
                for (int row = 0; row < 3; ++row) {
                    const int weight = (((m / 4 * in + c) * 3 + column) * 3 + row) * 4 + m % 4;
                    sum += from[static_cast<size_t>(c * plane + (y + row) * pitch + x + column)] *
                           weights[static_cast<size_t>(weight)];
                }
            }
        }
        return kernels::reference::activate(sum, static_cast<int>(size[3]));
    };
    const int outWidth = pooled ? width / 2 : width, outHeight = pooled ? height / 2 : height;
    run.split(static_cast<size_t>(kMaps * outHeight), [&](size_t first, size_t last) {
        for (size_t i = first; i < last; ++i) {
            const int m = static_cast<int>(i) / outHeight, y = static_cast<int>(i) % outHeight;
            T* row = &to[static_cast<size_t>((m * (outHeight + 2) + y + 1) * (outWidth + 2) + 1)];
            for (int x = 0; x < outWidth; ++x) {
                row[x] = pooled ? std::max(std::max(sumAt(m, 2 * y, 2 * x), sumAt(m, 2 * y, 2 * x + 1)),
                                           std::max(sumAt(m, 2 * y + 1, 2 * x), sumAt(m, 2 * y + 1, 2 * x + 1)))
                                : sumAt(m, y, x);
            }
        }
    });
}

template <class T>
void cnn(const Run& run) {
    for (const auto& step : run.job.steps) layer<T>(run, step, true);
}

template <class T>
void perceptron(const Run& run, const kernels::Step& step) {
    const auto& size = step.uniforms[0];
    const size_t pitch = size[0] + 2, rows = size[1], plane = pitch * (rows + 2), inputs = size[2];
    const auto from = run.in<T>(static_cast<size_t>(step.buffers[0]));
    const auto weights = run.in<T>(static_cast<size_t>(step.buffers[1]));
    const auto to = run.out<T>(static_cast<size_t>(step.buffers[3]));
    run.split(kMaps * rows, [&](size_t first, size_t last) {
        for (size_t i = first; i < last; ++i) {
            const size_t m = i / rows, start = (i % rows + 1) * pitch;
            for (size_t element = start + 1; element < start + pitch - 1; ++element) {
                T sum = run.in<T>(static_cast<size_t>(step.buffers[2]))[m];
                for (size_t c = 0; c < inputs; ++c) {
                    sum += from[(m / 4 * 4 + c) % kMaps * plane + element] * weights[(m / 4 * inputs + c) * 4 + m % 4];
                }
                to[m * plane + element] = kernels::reference::activate(sum, static_cast<int>(size[3]));
            }
        }
    });
}

template <class T>
void nin(const Run& run) {
    for (const auto& step : run.job.steps) {
        if (step.kernel.starts_with("nin_layer")) layer<T>(run, step, false);
        if (step.kernel.starts_with("nin_mlp")) perceptron<T>(run, step);
    }
    const auto& step = run.job.steps.back();
    const auto maps = run.in<T>(static_cast<size_t>(step.buffers[0]));
    const auto means = run.out<T>(static_cast<size_t>(step.buffers[1]));
    const size_t plane = step.uniforms[0][0];
    for (size_t m = 0; m < kMaps; ++m) {
        T sum = 0;
        for (size_t i = 0; i < plane; ++i) sum += maps[m * plane + i];
        means[m] = sum / static_cast<T>(step.uniforms[0][1]);
    }
}

void sumIntegers(const Run& run) {
    const auto values = run.in<int32_t>(0);
    std::vector<uint32_t> sums(64);
    run.split(values.size(), [&](size_t first, size_t last) {
        uint32_t sum = 0;
        for (size_t i = first; i < last; ++i) sum += static_cast<uint32_t>(values[i]);
        sums[first * sums.size() / (values.size() + 1)] += sum;
    });
    uint32_t total = 0;
    for (uint32_t sum : sums) total += sum;
    run.out<uint32_t>(1)[0] = total;
}

const std::map<std::string_view, void (*)(const Run&)>& programs() {
    static const std::map<std::string_view, void (*)(const Run&)> all{
        {"fft_32", fft},
        {"fft_256", fft},
        {"fft_4096", fft},
        {"fft_batch", fftBatch},
        {"qr", qr},
        {"reduction_sum", reductionSum},
        {"reduction_dot", reductionDot},
        {"mandelbrot", mandelbrot},
        {"mandelbrot_fixed", mandelbrotFixed},
        {"matrix_multiply_2x2", multiply2x2},
        {"matrix_multiply", multiply<float>},
        {"kmeans_5", kmeans},
        {"kmeans_10", kmeans},
        {"gaussian", gaussian},
        {"matrix_add_int", addArrays<int32_t>},
        {"matrix_add_float", addArrays<float>},
        {"matrix_multiply_int", multiply<int32_t>},
        {"matrix_multiply_float", multiply<float>},
        {"convolution_int", convolve<int32_t>},
        {"convolution_float", convolve<float>},
        {"bitonic_sort", sort},
        {"transpose", transpose},
        {"pool_max", poolMax},
        {"pool_median", poolMedian},
        {"pool_average", poolAverage},
        {"cnn_int", cnn<int32_t>},
        {"cnn_float", cnn<float>},
        {"nin_int", nin<int32_t>},
        {"nin_float", nin<float>},
        {"vector_add", addArrays<float>},
        {"sum_reduction", sumIntegers},
        {"matrix_multiply_tiled", multiplyTiled},
    };
    return all;
}

}  // namespace

Contender plain(std::string_view row, const Job& job, int threads) {
    const auto program = programs().find(row);
    if (program == programs().end()) return {};
    auto memories = std::make_shared<std::vector<Memory>>(job.memories);
    auto pool = std::make_shared<ThreadPool>(threads);
    return {"plain " + std::to_string(threads), [=, &job, call = program->second] { call(Run{*memories, job, *pool}); },
            [=] { return *memories; }};
}

}  // namespace tessera::bench
