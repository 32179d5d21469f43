// Every kernel's job (suite.h), by the file that makes it.
#pragma once

#include "demos/kernels/suite.h"

namespace tessera::kernels {

// fft.cpp
[[nodiscard]] Job makeFft32(Scale scale);
[[nodiscard]] Job makeFft256(Scale scale);
[[nodiscard]] Job makeFft4096(Scale scale);
[[nodiscard]] Job makeFftBatch(Scale scale);
[[nodiscard]] Job makeFftPasses(Scale scale);
[[nodiscard]] Job makeFftPasses32(Scale scale);

// matrices.cpp
[[nodiscard]] Job makeAddInt(Scale scale);
[[nodiscard]] Job makeAddFloat(Scale scale);
[[nodiscard]] Job makeTranspose(Scale scale);
[[nodiscard]] Job makeMultiply2x2(Scale scale);
[[nodiscard]] Job makeMultiply(Scale scale);
[[nodiscard]] Job makeMultiplyFixed(Scale scale);
[[nodiscard]] Job makeMultiplyChained(Scale scale);
[[nodiscard]] Job makeMultiplyChainedFixed(Scale scale);
[[nodiscard]] Job makeMultiplyInt(Scale scale);
[[nodiscard]] Job makeMultiplyFloat(Scale scale);
[[nodiscard]] Job makeMultiplyTiled(Scale scale);
[[nodiscard]] Job makeGaussian(Scale scale);
[[nodiscard]] Job makeQr(Scale scale);
[[nodiscard]] Job makeQrSnooping(Scale scale);

// vectors.cpp
[[nodiscard]] Job makeVectorAdd(Scale scale);
[[nodiscard]] Job makeReductionSum(Scale scale);
[[nodiscard]] Job makeReductionDot(Scale scale);
[[nodiscard]] Job makeSumReduction(Scale scale);

// mandelbrot.cpp
[[nodiscard]] Job makeMandelbrot(Scale scale);
[[nodiscard]] Job makeMandelbrotFixed(Scale scale);

// images.cpp
template <int kMask>
[[nodiscard]] Job makeConvolutionInt(Scale scale);
template <int kMask>
[[nodiscard]] Job makeConvolutionFloat(Scale scale);
[[nodiscard]] Job makePoolMax(Scale scale);
[[nodiscard]] Job makePoolMedian(Scale scale);
[[nodiscard]] Job makePoolAverage(Scale scale);

// bitonic_sort.cpp
[[nodiscard]] Job makeBitonic(Scale scale);

// kmeans.cpp
template <size_t kClusters>
[[nodiscard]] Job makeKMeans(Scale scale);

// simt.cpp
[[nodiscard]] Job makeDivergence(Scale scale);
[[nodiscard]] Job makeBarrier(Scale scale);
[[nodiscard]] Job makeVote(Scale scale);
[[nodiscard]] Job makeShuffle(Scale scale);
[[nodiscard]] Job makeBank1(Scale scale);
[[nodiscard]] Job makeBank0(Scale scale);
[[nodiscard]] Job makeBank2(Scale scale);
[[nodiscard]] Job makeBank32(Scale scale);
[[nodiscard]] Job makeCoalesced(Scale scale);
[[nodiscard]] Job makeStrided(Scale scale);
[[nodiscard]] Job makeScattered(Scale scale);

// networks.cpp
[[nodiscard]] Job makeCnnInt(Scale scale);
[[nodiscard]] Job makeCnnFloat(Scale scale);
[[nodiscard]] Job makeNinInt(Scale scale);
[[nodiscard]] Job makeNinInt8(Scale scale);
[[nodiscard]] Job makeNinFloat(Scale scale);

}  // namespace tessera::kernels
