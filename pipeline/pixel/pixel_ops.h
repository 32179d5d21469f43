// The pixel engine's tests: depth and stencil of a 4x4 block (OpenGL ES 2.0.25, sections 4.1.4 and 4.1.5).
// State comes as plain data (pixel_key.h), so that a constant key folds everything away.
#pragma once

#include "base/simd.h"
#include "pipeline/pixel/pixel_key.h"

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

/// Window z to a 24-bit depth: z clamped to 0..1 (NaN gives 0), times 2^n - 1, rounded to nearest, ties to even.
/// The product of a 24-bit significand and an n-bit integer is exact in double, so there is one rounding only.
/// A 16-bit depth d is kept as d * 256 + d / 256, which is d / (2^16 - 1) of the 24-bit range as exactly as 24 bits
/// can hold it: 0 is 0 and the largest value is the largest value.
inline I32x16 quantizeDepth(F32x16 z, int bits) {
    const F32x16 clamped = clamp(z, 0.0f, 1.0f);
    const double largest = bits == 16 ? 65535.0 : 16777215.0;
    const F64x16 scaled = __builtin_elementwise_roundeven(__builtin_convertvector(clamped, F64x16) * largest);
    const I32x16 depth = __builtin_convertvector(scaled, I32x16);
    return bits == 16 ? depth << 8 | depth >> 8 : depth;
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

/// Depth and stencil buffer of one block: sixteen D24S8 elements each, perhaps the same ones.
struct DepthStencilBlock {
    uint32_t* depth = nullptr;    ///< used with PixelKey::depthTest
    uint32_t* stencil = nullptr;  ///< used with PixelKey::stencilTest
};

/// Tests the lanes of `coverage` and, with `write`, updates the buffers; returns the lanes that pass both tests.
inline Mask16 testDepthStencil(const PixelKey& key, const PixelValues& values, bool frontFacing, F32x16 z,
                               Mask16 coverage, DepthStencilBlock block, bool write) {
    const int side = frontFacing ? 0 : 1;
    I32x16 depthElement = splat(0), stencilElement = splat(0), incoming = splat(0);
    Mask16 stencilPass = splat(-1), depthPass = splat(-1);
    if (key.stencilTest) {
        stencilElement = load<I32x16>(block.stencil);
        stencilPass = stencilTest(key.stencil[side], values.stencil[side], stencilElement & 255);
    }
    if (key.depthTest) {
        depthElement = load<I32x16>(block.depth);
        incoming = quantizeDepth(z, key.depthBits);
        depthPass = depthTest(key, incoming, asInt(asUint(depthElement) >> 8));
    }
    const Mask16 pass = coverage & stencilPass & depthPass;
    if (!write) return pass;

    if (key.depthWrite) {
        depthElement = select(pass, incoming << 8 | (depthElement & 255), depthElement);
        if (!key.sharedDepthStencil) store(block.depth, depthElement);
    }
    if (key.stencilTest) {
        const I32x16 updated =
            select(coverage,
                   updateStencil(key.stencil[side], values.stencil[side], stencilElement & 255, stencilPass, depthPass),
                   stencilElement & 255);
        const I32x16 rest = (key.sharedDepthStencil ? depthElement : stencilElement) & ~255;
        store(block.stencil, rest | updated);
    }
    return pass;
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
