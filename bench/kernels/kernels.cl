// The kernels of demos/kernels as one writes them in OpenCL C: an item to an element, the same memory layouts, uniforms as
// int4. Float arithmetic is left to the compiler's defaults.

#define ADD(NAME, T)                                                                                             \
    __kernel void NAME(__global const T* a, __global const T* b, __global T* c) {                                \
        size_t i = get_global_id(0);                                                                             \
        c[i] = a[i] + b[i];                                                                                      \
    }
ADD(vector_add, float)
ADD(matrix_add_float, float)
ADD(matrix_add_int, int)

#define MULTIPLY(NAME, T)                                                                                        \
    __kernel void NAME(__global const T* a, __global const T* b, __global T* c, int4 size) {                     \
        int x = get_global_id(0), y = get_global_id(1);                                                          \
        T sum = 0;                                                                                               \
        for (int k = 0; k < size.z; ++k) sum += a[y * size.z + k] * b[k * size.y + x];                           \
        c[y * size.y + x] = sum;                                                                                 \
    }
MULTIPLY(matrix_multiply_float, float)
MULTIPLY(matrix_multiply_int, int)

__kernel void matrix_multiply_tiled(__global const float* a, __global const float* b, __global float* c, int4 size) {
    __local float tileA[16][16], tileB[16][16];
    int n = size.x, x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int tile = 0; tile < n; tile += 16) {
        tileA[y][x] = a[row * n + tile + x];
        tileB[y][x] = b[(tile + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; ++k) sum += tileA[y][k] * tileB[k][x];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}

#define CONVOLVE(NAME, T)                                                                                        \
    __kernel void NAME(__global const T* image, __constant T* mask, __global T* result, int4 size) {             \
        int x = get_global_id(0), y = get_global_id(1), k = size.z, pitch = size.x + k - 1;                      \
        T sum = 0;                                                                                               \
        for (int i = 0; i < k; ++i) {                                                                            \
            for (int j = 0; j < k; ++j) {                                                                        \
                sum += image[(y + j) * pitch + x + i] * mask[i * (k + 6) + 3 + k - 1 - j];                       \
            }                                                                                                    \
        }                                                                                                        \
        result[y * size.x + x] = sum;                                                                            \
    }
CONVOLVE(convolution_float, float)
CONVOLVE(convolution_int, int)

__kernel void transpose(__global const uint* from, __global uint* to, int4 size) {
    __local uint tile[16][17];
    int x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
    tile[y][x] = from[row * size.y + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    to[(column - x + y) * size.x + row - y + x] = tile[x][y];
}

#define POOL(NAME, RESULT)                                                                                       \
    __kernel void NAME(__global const float* image, __global float* result, int4 size) {                         \
        int x = get_global_id(0), y = get_global_id(1);                                                          \
        __global const float* upper = image + 4 * y * size.x + 2 * x;                                            \
        float a = upper[0], b = upper[1], c = upper[2 * size.x], d = upper[2 * size.x + 1];                      \
        result[y * size.x + x] = RESULT;                                                                         \
    }
POOL(pool_max, fmax(fmax(a, b), fmax(c, d)))
POOL(pool_average, (a + b + c + d) * 0.25f)
POOL(pool_median, (fmax(fmin(a, b), fmin(c, d)) + fmin(fmax(a, b), fmax(c, d))) * 0.5f)

__kernel void mandelbrot(__constant uint* palette, __global uint* image, int4 window, int4 size) {
    int column = get_global_id(0), row = get_global_id(1), n = 0;
    float4 w = as_float4(window);
    float cx = w.x + column * w.z, cy = w.y + row * w.w, x = cx, y = cy;
    for (; n < size.y * 9 && x * x + y * y <= 4; ++n) {
        float next = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = next;
    }
    image[row * size.x + column] = palette[min(n >> size.z, 15)];
}

short fixedMultiplyAdd(short a, short b, short c) { return (short)((((int)a * b) >> 10) + c); }

__kernel void mandelbrot_fixed(__constant uint* palette, __global uint* image, int4 window, int4 size) {
    int column = get_global_id(0), row = get_global_id(1), n = 0;
    short cx = window.x + column * window.z, cy = window.y + row * window.w, x = cx, y = cy;
    for (; n < size.y * 9 && fixedMultiplyAdd(y, y, fixedMultiplyAdd(x, x, 0)) <= 4096; ++n) {
        short next = fixedMultiplyAdd(-y, y, fixedMultiplyAdd(x, x, cx));
        y = fixedMultiplyAdd(2 * x, y, cy);
        x = next;
    }
    image[row * size.x + column] = palette[min(n >> size.z, 15)];
}

__kernel void matrix_multiply_2x2(__global const short4* a, __global const short4* b, __global short4* c) {
    size_t i = get_global_id(0);
    short4 l = a[i], r = b[i];
    c[i] = (short4)(fixedMultiplyAdd(l.y, r.z, fixedMultiplyAdd(l.x, r.x, 0)),
                    fixedMultiplyAdd(l.y, r.w, fixedMultiplyAdd(l.x, r.y, 0)),
                    fixedMultiplyAdd(l.w, r.z, fixedMultiplyAdd(l.z, r.x, 0)),
                    fixedMultiplyAdd(l.w, r.w, fixedMultiplyAdd(l.z, r.y, 0)));
}

__kernel void fft(__global const float2* input, __global float2* output, __constant float2* roots, int4 size) {
    __local float2 data[4096];
    int t = get_local_id(0), n = 2 * get_local_size(0), base = get_group_id(0) * n, log2n = size.x, step = 0;
    data[t] = input[base + t];
    data[t + n / 2] = input[base + t + n / 2];
    for (int span = 1 << (log2n - 1); span > 0; span >>= 1, ++step) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int j = t & (span - 1), upper = 2 * (t - j) + j;
        float2 a = data[upper], b = data[upper + span], d = a - b, w = roots[j << step];
        data[upper] = a + b;
        data[upper + span] = (float2)(d.x * w.x - d.y * w.y, d.x * w.y + d.y * w.x);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int part = 0; part < 2; ++part) {
        uint k = t + part * (n / 2), reversed = 0, within = k & ((1u << log2n) - 1);
        for (int bit = 0; bit < log2n; ++bit) reversed |= ((within >> bit) & 1) << (log2n - 1 - bit);
        output[base + k] = data[(k - within) | reversed];
    }
}

__kernel void kmeans_assign(__global const float* points, __global const float* centroids, __global int* membership,
                            int4 size) {
    int p = get_global_id(0), best = 0;
    float nearest = 3.4e38f;
    for (int c = 0; c < size.z; ++c) {
        float distance = 0;
        for (int f = 0; f < size.y; ++f) {
            float d = points[f * size.x + p] - centroids[c * size.y + f];
            distance += d * d;
        }
        if (distance < nearest) nearest = distance, best = c;
    }
    membership[p] = best;
}

__kernel void kmeans_update(__global const float* points, __global float* centroids, __global const int* membership,
                            int4 size) {
    int f = get_global_id(0), c = get_global_id(1), members = 0;
    float sum = 0;
    for (int p = 0; p < size.x; ++p) {
        if (membership[p] == c) sum += points[f * size.x + p], ++members;
    }
    if (members > 0) centroids[c * size.y + f] = sum / members;
}

__kernel void gaussian_multipliers(__global const float* a, __global float* m, int4 step) {
    int row = get_global_id(0) + step.z + 1;
    m[row] = a[row * step.y + step.z] / a[step.z * step.y + step.z];
}

__kernel void gaussian_eliminate(__global float* a, __global const float* m, int4 step) {
    int column = get_global_id(0) + step.z, row = get_global_id(1) + step.z + 1;
    a[row * step.y + column] -= m[row] * a[step.z * step.y + column];
}

#define SUM_AT(T, Y, X)                                                                                          \
    T sum = biases[m];                                                                                           \
    for (int c = 0; c < in; ++c) {                                                                               \
        for (int column = 0; column < 3; ++column) {                                                             \
            for (int row = 0; row < 3; ++row) {                                                                  \
                sum += maps[c * plane + ((Y) + row) * pitch + (X) + column] *                                    \
                       weights[(((m / 4 * in + c) * 3 + column) * 3 + row) * 4 + m % 4];                         \
            }                                                                                                    \
        }                                                                                                        \
    }
#define RELU_INT(VALUE, SHIFT) max((VALUE) >> (SHIFT), 0)
#define RELU_FLOAT(VALUE, SHIFT) fmax(VALUE, 0.0f)
#define NETWORK(SUFFIX, T, MAX, RELU)                                                                            \
    __kernel void cnn_layer_##SUFFIX(__global const T* maps, __global const T* weights, __global const T* biases,  \
                                     __global T* result, int4 size) {                                            \
        int x = get_global_id(0), y = get_global_id(1), m = get_global_id(2);                                    \
        int in = size.z, pitch = size.x + 2, plane = pitch * (size.y + 2);                                       \
        T largest = 0;                                                                                           \
        for (int j = 0; j < 2; ++j) {                                                                            \
            for (int i = 0; i < 2; ++i) {                                                                        \
                SUM_AT(T, 2 * y + j, 2 * x + i)                                                                  \
                largest = MAX(largest, RELU(sum, size.w));                                                       \
            }                                                                                                    \
        }                                                                                                        \
        result[(m * (size.y / 2 + 2) + y + 1) * (size.x / 2 + 2) + x + 1] = largest;                             \
    }                                                                                                            \
    __kernel void nin_layer_##SUFFIX(__global const T* maps, __global const T* weights, __global const T* biases,  \
                                     __global T* result, int4 size) {                                            \
        int x = get_global_id(0), y = get_global_id(1), m = get_global_id(2);                                    \
        int in = size.z, pitch = size.x + 2, plane = pitch * (size.y + 2);                                       \
        SUM_AT(T, y, x)                                                                                          \
        result[m * plane + (y + 1) * pitch + x + 1] = RELU(sum, size.w);                                         \
    }                                                                                                            \
    __kernel void nin_mlp_##SUFFIX(__global const T* maps, __global const T* weights, __global const T* biases,    \
                                   __global T* result, int4 size) {                                              \
        int x = get_global_id(0), y = get_global_id(1), m = get_global_id(2), pitch = size.x + 2;                \
        int plane = pitch * (size.y + 2), at = (y + 1) * pitch + x + 1;                                          \
        T sum = biases[m];                                                                                       \
        for (int c = 0; c < size.z; ++c) {                                                                       \
            sum += maps[((m / 4 * 4 + c) & 15) * plane + at] * weights[(m / 4 * size.z + c) * 4 + m % 4];       \
        }                                                                                                        \
        result[m * plane + at] = RELU(sum, size.w);                                                             \
    }                                                                                                            \
    __kernel void nin_average_##SUFFIX(__global const T* maps, __global T* means, int4 size) {                     \
        int t = get_local_id(0), m = get_group_id(0);                                                            \
        __local T sums[256];                                                                                     \
        T sum = 0;                                                                                               \
        for (int i = t; i < size.x; i += 256) sum += maps[m * size.x + i];                                       \
        sums[t] = sum;                                                                                           \
        for (int step = 128; step > 0; step >>= 1) {                                                             \
            barrier(CLK_LOCAL_MEM_FENCE);                                                                        \
            if (t < step) sums[t] += sums[t + step];                                                             \
        }                                                                                                        \
        if (t == 0) means[m] = sums[0] / size.y;                                                                 \
    }
NETWORK(float, float, fmax, RELU_FLOAT)
NETWORK(int, int, max, RELU_INT)
