#include "demos/kernels/suite.h"

#include <cmath>
#include <limits>

#include "demos/kernels/jobs.h"

namespace tessera::kernels {

std::span<const Row> suite() {
    static const Row kRows[] = {
        // Seed 000, eGPU
        {"fft_32", "000", "", makeFft32},
        {"fft_256", "000", "1,200 cycles (table III)", makeFft256},
        {"fft_4096", "000", "", makeFft4096},
        {"fft_batch", "000", "1,200 cycles (table III)", makeFftBatch},
        {"fft_passes", "000", "1,200 cycles (table III)", makeFftPasses},
        {"fft_passes_32", "000", "", makeFftPasses32},
        {"qr", "000", "291 cycles (table IV)", makeQr},
        {"qr_snooping", "000", "291 cycles (table IV)", makeQrSnooping},
        {"reduction_sum", "000", "", makeReductionSum},
        {"reduction_dot", "000", "", makeReductionDot},
        // Seed 001, Minimalist GPU on an FPGA
        {"mandelbrot", "001", "0.37 s a frame, 3 frames/s", makeMandelbrot},
        {"mandelbrot_fixed", "001", "0.37 s a frame, 3 frames/s", makeMandelbrotFixed},
        {"matrix_multiply_2x2", "001", "", makeMultiply2x2},
        {"matrix_multiply", "001", "", makeMultiply},
        {"matrix_multiply_fixed", "001", "", makeMultiplyFixed},
        {"multiply_chained", "001", "", makeMultiplyChained},
        {"multiply_chained_fixed", "001", "", makeMultiplyChainedFixed},
        // Seed 002, SCRATCH: the seventeen applications of its evaluation
        {"kmeans_5", "002", "", makeKMeans<5>},
        {"kmeans_10", "002", "", makeKMeans<10>},
        {"gaussian", "002", "20x the energy efficiency of MIAOW", makeGaussian},
        {"matrix_add_int", "002", "", makeAddInt},
        {"matrix_add_float", "002", "", makeAddFloat},
        {"matrix_multiply_int", "002", "", makeMultiplyInt},
        {"matrix_multiply_float", "002", "", makeMultiplyFloat},
        {"convolution_int_3", "002", "", makeConvolutionInt<3>},
        {"convolution_int", "002", "", makeConvolutionInt<5>},
        {"convolution_int_7", "002", "", makeConvolutionInt<7>},
        {"convolution_int_15", "002", "", makeConvolutionInt<15>},
        {"convolution_float_3", "002", "", makeConvolutionFloat<3>},
        {"convolution_float", "002", "", makeConvolutionFloat<5>},
        {"convolution_float_7", "002", "", makeConvolutionFloat<7>},
        {"convolution_float_15", "002", "", makeConvolutionFloat<15>},
        {"bitonic_sort", "002", "", makeBitonic},
        {"transpose", "002", "", makeTranspose},
        {"pool_max", "002", "", makePoolMax},
        {"pool_median", "002", "", makePoolMedian},
        {"pool_average", "002", "", makePoolAverage},
        {"cnn_int", "002", "up to 260x the speed of MIAOW", makeCnnInt},
        {"cnn_float", "002", "up to 260x the speed of MIAOW", makeCnnFloat},
        {"nin_int", "002", "", makeNinInt},
        {"nin_int8", "002", "", makeNinInt8},
        {"nin_float", "002", "", makeNinFloat},
        // Seed 003, OpenGPU: its kernels, and one for each SIMT feature that it names
        {"vector_add", "003", "", makeVectorAdd},
        {"sum_reduction", "003", "1 + ... + 10 = 55", makeSumReduction},
        {"matrix_multiply_tiled", "003", "", makeMultiplyTiled},
        {"divergence", "003", "stack of 8 entries", makeDivergence},
        {"barrier", "003", "16 barriers", makeBarrier},
        {"vote", "003", "", makeVote},
        {"shuffle", "003", "", makeShuffle},
        {"bank_stride_1", "003", "1 cycle an access", makeBank1},
        {"bank_broadcast", "003", "1 cycle an access", makeBank0},
        {"bank_stride_2", "003", "", makeBank2},
        {"bank_stride_32", "003", "32 cycles an access", makeBank32},
        {"coalesced", "003", "1 request a warp", makeCoalesced},
        {"strided", "003", "", makeStrided},
        {"scattered", "003", "32 requests a warp", makeScattered},
    };
    return kRows;
}

std::vector<float> randomReals(uint64_t seed, size_t count) {
    Random random(seed);
    std::vector<float> values(count);
    for (float& value : values) value = random.real();
    return values;
}

std::vector<int32_t> randomIntegers(uint64_t seed, size_t count, int32_t low, int32_t high) {
    Random random(seed);
    std::vector<int32_t> values(count);
    for (int32_t& value : values) value = random.integer(low, high);
    return values;
}

double largestDifference(std::span<const float> actual, std::span<const double> expected) {
    if (actual.size() < expected.size()) return std::numeric_limits<double>::infinity();
    double largest = 0;
    for (size_t i = 0; i < expected.size(); ++i) {
        const double difference = std::abs(static_cast<double>(actual[i]) - expected[i]);
        if (!(difference <= largest)) largest = difference;
        if (std::isnan(difference)) return std::numeric_limits<double>::infinity();
    }
    return largest;
}

}  // namespace tessera::kernels
