// The test stages of the pixel engine: which of a block's pixels stay, for one sample (OpenGL ES 2.0.25, sections 4.1.3
// to 4.1.5).
#pragma once

#include "base/simd.h"
#include "pipeline/pixel/ordered_dither.h"
#include "pipeline/pixel/pixel_key.h"
#include "pipeline/pixel/stage_list.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

/// `incoming` compared with `stored`; both nonnegative integers.
inline Mask16 compare(Compare function, I32x16 incoming, I32x16 stored) {
    switch (function) {
        case Compare::Never:
            return splat(0);
        case Compare::Less:
            return incoming < stored;
        case Compare::Equal:
            return incoming == stored;
        case Compare::LessEqual:
            return incoming <= stored;
        case Compare::Greater:
            return incoming > stored;
        case Compare::NotEqual:
            return incoming != stored;
        case Compare::GreaterEqual:
            return incoming >= stored;
        case Compare::Always:
            return splat(-1);
    }
    return splat(-1);
}

/// The depth in a word of a depth buffer: its upper 24 bits, or the bits of a float. What is drawn is not negative, and
/// floats that are not have the order of their bits, so that depths of both kinds are compared as integers.
inline I32x16 storedDepth(I32x16 word, int bits) { return bits == 32 ? word : asInt(asUint(word) >> 8); }
inline I32x16 withDepth(I32x16 word, I32x16 depth, int bits) { return bits == 32 ? depth : depth << 8 | (word & 255); }

/// Window z as a depth buffer holds it. Of 24 bits: z clamped to 0..1 (NaN gives 0), times 2^n - 1, rounded to nearest,
/// ties to even.
/// The product of a 24-bit significand and an n-bit integer is exact in double, so there is one rounding only.
/// A 16-bit depth d is kept as d * 256 + d / 256, which is d / (2^16 - 1) of the 24-bit range as exactly as 24 bits
/// can hold it: 0 is 0 and the largest value is the largest value. A float is kept as it is, clamped.
inline I32x16 quantizeDepth(F32x16 z, int bits) {
    const F32x16 clamped = clamp(z, 0.0f, 1.0f);
    if (bits == 32) return asInt(clamped);
    const double largest = bits == 16 ? 65535.0 : 16777215.0;
    const F64x16 scaled = __builtin_elementwise_roundeven(__builtin_convertvector(clamped, F64x16) * largest);
    const I32x16 depth = __builtin_convertvector(scaled, I32x16);
    return bits == 16 ? depth << 8 | depth >> 8 : depth;
}

/// The depth that is tested, quantised; of a primitive that is not clipped at near and far brought to between them.
inline I32x16 incomingDepth(const PixelKey& key, const PixelValues& values, F32x16 z) {
    return quantizeDepth(key.depthClamp ? clamp(z, values.depthLow, values.depthHigh) : z, key.depthBits);
}

inline I32x16 applyStencilOp(StencilOp operation, I32x16 stencil, int reference) {
    switch (operation) {
        case StencilOp::Keep:
            return stencil;
        case StencilOp::Zero:
            return splat(0);
        case StencilOp::Replace:
            return splat(reference);
        case StencilOp::Increment:
            return min(stencil + 1, splat(255));
        case StencilOp::IncrementWrap:
            return (stencil + 1) & 255;
        case StencilOp::Decrement:
            return max(stencil - 1, splat(0));
        case StencilOp::DecrementWrap:
            return (stencil - 1) & 255;
        case StencilOp::Invert:
            return stencil ^ 255;
    }
    return stencil;
}

inline Mask16 stencilTest(const StencilKey& key, const StencilValues& values, I32x16 stencil) {
    const int mask = values.compareMask;
    return compare(key.compare, splat(values.reference & mask), stencil & mask);
}

inline Mask16 depthTest(const PixelKey& key, I32x16 incoming, I32x16 stored) {
    return compare(key.depthCompare, incoming, stored);
}

/// Stencil after the tests: the operation that the tests' outcome selects, through the write mask.
inline I32x16 updateStencil(const StencilKey& key, const StencilValues& values, I32x16 stencil, Mask16 stencilPass,
                            Mask16 depthPass) {
    const I32x16 failed = applyStencilOp(key.stencilFail, stencil, values.reference);
    const I32x16 hidden = applyStencilOp(key.depthFail, stencil, values.reference);
    const I32x16 visible = applyStencilOp(key.depthPass, stencil, values.reference);
    const I32x16 result = select(stencilPass, select(depthPass, visible, hidden), failed);
    const int mask = values.writeMask;
    return (stencil & ~mask) | (result & mask);
}

/// A word of each of sixteen elements, which are words, or pairs of them.
inline I32x16 loadWords(const uint32_t* block, bool isPaired, bool second) {
    if (!isPaired) return load<I32x16>(block);
    const I32x16 low = load<I32x16>(block), high = load<I32x16>(block + kBlockLanes);
    return second ? __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)
                  : __builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
}
/// The others of the pairs are left alone.
inline void storeWords(uint32_t* block, bool isPaired, bool second, I32x16 words) {
    if (!isPaired) return store(block, words);
    const Mask16 isOther = (kLaneX & 1) != (second ? 1 : 0);
    const I32x16 low = __builtin_shufflevector(words, words, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7);
    const I32x16 high =
        __builtin_shufflevector(words, words, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13, 14, 14, 15, 15);
    store(block, select(isOther, load<I32x16>(block), low));
    store(block + kBlockLanes, select(isOther, load<I32x16>(block + kBlockLanes), high));
}

/// Depth and stencil buffer of one block: sixteen elements each, D24S8, of depth alone D32F, or pairs D32FS8; perhaps
/// the same ones.
struct DepthStencilBlock {
    uint32_t* depth = nullptr;    ///< used with PixelKey::depthTest
    uint32_t* stencil = nullptr;  ///< used with PixelKey::stencilTest
};

/// Sixteen pixels of one sample on their way through the tests.
struct TestLanes {
    const PixelKey& key;
    const PixelValues& values;
    int side;    ///< 0 front, 1 back
    int sample;  ///< 0 of a pixel that has one
    DepthStencilBlock block;
    F32x16 z;            ///< window z, with PixelKey::depthTest
    const float* alpha;  ///< of the program's colour 0, with PixelKey::alphaToCoverage
    Mask16 coverage;     ///< pixels that are tested
    Mask16 stencilPass = splat(-1), depthPass = splat(-1);
    I32x16 depth = splat(0), stencil = splat(0);  ///< the buffers' elements
    I32x16 incoming = splat(0);                   ///< the quantised depth

    [[nodiscard]] Mask16 passed() const { return coverage & stencilPass & depthPass; }
};

struct AlphaToCoverage {
    static constexpr bool isNeeded(const PixelKey& key) { return key.alphaToCoverage; }
    static void run(TestLanes& lanes) { lanes.coverage &= fractionCovers(load<F32x16>(lanes.alpha), lanes.sample); }
};

struct TestStencil {
    static constexpr bool isNeeded(const PixelKey& key) { return key.stencilTest; }
    static void run(TestLanes& lanes) {
        lanes.stencil = loadWords(lanes.block.stencil, lanes.key.pairedStencil, true);
        lanes.stencilPass =
            stencilTest(lanes.key.stencil[lanes.side], lanes.values.stencil[lanes.side], lanes.stencil & 255);
    }
};

struct TestDepth {
    static constexpr bool isNeeded(const PixelKey& key) { return key.depthTest; }
    static void run(TestLanes& lanes) {
        lanes.depth = loadWords(lanes.block.depth, lanes.key.pairedDepth, false);
        lanes.incoming = incomingDepth(lanes.key, lanes.values, lanes.z);
        lanes.depthPass = depthTest(lanes.key, lanes.incoming, storedDepth(lanes.depth, lanes.key.depthBits));
    }
};

struct WriteDepth {
    static constexpr bool isNeeded(const PixelKey& key) { return key.depthWrite; }
    static void run(TestLanes& lanes) {
        const I32x16 written = withDepth(lanes.depth, lanes.incoming, lanes.key.depthBits);
        lanes.depth = select(lanes.passed(), written, lanes.depth);
        if (!lanes.key.sharedDepthStencil) storeWords(lanes.block.depth, lanes.key.pairedDepth, false, lanes.depth);
    }
};

/// Writes the depth as well when both are in one image.
struct WriteStencil {
    static constexpr bool isNeeded(const PixelKey& key) { return key.stencilTest; }
    static void run(TestLanes& lanes) {
        const I32x16 stencil = lanes.stencil & 255;
        const I32x16 updated = updateStencil(lanes.key.stencil[lanes.side], lanes.values.stencil[lanes.side], stencil,
                                             lanes.stencilPass, lanes.depthPass);
        const I32x16 rest = (lanes.key.sharedDepthStencil ? lanes.depth : lanes.stencil) & ~255;
        storeWords(lanes.block.stencil, lanes.key.pairedStencil, true, rest | select(lanes.coverage, updated, stencil));
    }
};

/// All tests between coverage and colour. They run before the program (TestOrder::Early) or after it.
using TestStages = StageList<AlphaToCoverage, TestStencil, TestDepth, WriteDepth, WriteStencil>;
/// What can be said before the program when the tests are after it: which pixels will fail.
using RejectStages = StageList<TestStencil, TestDepth>;

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
