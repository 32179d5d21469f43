// A scalar model of the pixel engine that follows the specification's order sample by sample; tests compare whole tiles
// with it.
#pragma once

#include "pipeline/testing/raster.h"

namespace tessera::pipeline::test {

/// The samples of a pixel again, written by hand: 1/256 pixel from the centre.
inline constexpr int kFromCenter[4][2] = {{-32, -96}, {96, -32}, {-96, 32}, {32, 96}};

/// What is drawn of a pixel: the point that coverage and depth are those of, in 1/256 pixel from the centre, and a
/// fragment's coverage mask. A single sample lies at the centre and is always in the mask.
struct ModelSample {
    int x = 0, y = 0;
    std::function<bool(const PixelState& state, int pixelX, int pixelY, double alpha)> inMask =
        [](const PixelState&, int, int, double) { return true; };
};

/// The programs of the random draws: colour from v1, and where they say so, a kill and a depth by position.
struct Behaviour {
    bool kills = false, writesDepth = false, quads = false;
    int salt = 0;
    bool integers = false;  ///< v1 holds integers, as makeIntegers() makes them: flat
    [[nodiscard]] bool killsPixel(int x, int y) const { return kills && (x * 7 + y * 13 + salt) % 5 == 0; }
    [[nodiscard]] float depthOf(int x, int y) const { return static_cast<float>((x ^ y ^ salt) & 7) / 8; }
};

/// A component of v1, which is the same everywhere, in 1/255.
inline int modelComponent(const Behaviour& behaviour, const PrimitiveChunk& chunk, const SetupPrimitive& primitive,
                          size_t component) {
    const float base = chunk.planes[primitive.firstPlane + 4 + component].base;
    return behaviour.integers ? static_cast<int>(std::bit_cast<uint32_t>(base) & 255)
                              : static_cast<int>(std::lround(base * 255));
}

inline bool compareScalar(Compare function, uint32_t a, uint32_t b) {
    switch (function) {
        case Compare::Never:
            return false;
        case Compare::Less:
            return a < b;
        case Compare::Equal:
            return a == b;
        case Compare::LessEqual:
            return a <= b;
        case Compare::Greater:
            return a > b;
        case Compare::NotEqual:
            return a != b;
        case Compare::GreaterEqual:
            return a >= b;
        case Compare::Always:
            return true;
    }
    return false;
}

inline uint32_t stencilScalar(StencilOp operation, uint32_t value, uint32_t reference) {
    switch (operation) {
        case StencilOp::Keep:
            return value;
        case StencilOp::Zero:
            return 0;
        case StencilOp::Replace:
            return reference;
        case StencilOp::Increment:
            return std::min(value + 1, 255u);
        case StencilOp::IncrementWrap:
            return (value + 1) % 256;
        case StencilOp::Decrement:
            return value == 0 ? 0 : value - 1;
        case StencilOp::DecrementWrap:
            return (value + 255) % 256;
        case StencilOp::Invert:
            return ~value & 255;
    }
    return 0;
}

/// Depth and stencil in one word, or in two.
inline bool isPaired(const Image& image) { return image.format() == PixelFormat::Depth32FStencil8; }
inline bool isFloatDepth(PixelFormat format) {
    return format == PixelFormat::Depth32F || format == PixelFormat::Depth32FStencil8;
}
/// The word with the pixel's depth, or its stencil; of plane 0.
inline uint32_t* modelWordAt(Image& image, int x, int y, bool stencil) {
    auto* const block = reinterpret_cast<uint32_t*>(image.block(x / 4, y / 4));
    const int pixel = y % 4 * 4 + x % 4;
    return isPaired(image) ? block + 2 * pixel + (stencil ? 1 : 0) : block + pixel;
}

inline uint32_t quantizeScalar(double z, PixelFormat format) {
    if (isFloatDepth(format)) return std::bit_cast<uint32_t>(static_cast<float>(z));
    if (format == PixelFormat::Depth16) {
        const auto d = static_cast<uint32_t>(std::nearbyint(z * 65535));
        return d * 256 + d / 256;
    }
    return static_cast<uint32_t>(std::nearbyint(z * 16777215));
}

/// The depth in a word, and the word with a depth. Floats that are not negative have the order of their bits.
inline uint32_t modelDepth(const Image& image, uint32_t word) {
    return isFloatDepth(image.format()) ? word : word >> 8;
}
inline uint32_t modelWord(const Image& image, uint32_t depth, uint32_t old) {
    return isFloatDepth(image.format()) ? depth : depth << 8 | (old & 255);
}

inline std::array<int, 4> bitsOf(PixelFormat format) {
    if (format == PixelFormat::Rgb565) return {5, 6, 5, 0};
    if (format == PixelFormat::Rgba4) return {4, 4, 4, 4};
    if (format == PixelFormat::Rgb8) return {8, 8, 8, 0};
    if (format == PixelFormat::Rg8) return {8, 8, 0, 0};
    return {8, 8, 8, 8};
}

/// Sets a channel of a pixel to value/255, added to what is there when `add`.
inline void modelChannel(Image& image, int x, int y, int c, int value, bool add) {
    const int bits = bitsOf(image.format())[c];
    uint32_t texel = image.texel32(x, y) & ~(255u << (8 * c));
    uint32_t byte = c == 3 ? 255 : 0;
    if (bits != 0) {
        const double largest = (1 << bits) - 1;
        const double old = std::nearbyint((image.texel32(x, y) >> (8 * c) & 255) * largest / 255);
        const double sum = std::min(largest, std::nearbyint(value * largest / 255 + (add ? old : 0)));
        byte = static_cast<uint32_t>(std::floor(sum * 255 / largest + 0.5));
    }
    image.setTexel32(x, y, texel | byte << (8 * c));
}

inline void modelColor(const RenderTarget& target, int x, int y, int index, const std::array<int, 4>& color,
                       uint8_t mask, bool add) {
    const ImagePtr& image = target.color[index];
    if (image == nullptr || mask == 0) return;
    for (int c = 0; c < 4; ++c) {
        if ((mask >> c & 1) != 0 || bitsOf(image->format())[c] == 0) modelChannel(*image, x, y, c, color[c], add);
    }
}

inline float modelPlane(const Plane& plane, const SetupPrimitive& primitive, const ModelSample& sample, int x, int y) {
    const float px = static_cast<float>(x - primitive.originX) + static_cast<float>(128 + sample.x) / 256;
    const float py = static_cast<float>(y - primitive.originY) + static_cast<float>(128 + sample.y) / 256;
    return std::fma(plane.dx, px, std::fma(plane.dy, py, plane.base));
}

/// One fragment in the specification's order: program, stencil, depth, blend. True when it passes.
inline bool modelFragment(const RenderTarget& target, const Draw& draw, const Behaviour& behaviour,
                          const PrimitiveChunk& chunk, const SetupPrimitive& primitive, const ModelSample& sample,
                          int x, int y) {
    const PixelState& state = draw.state->pixel;
    if (behaviour.killsPixel(x, y)) return false;
    const float alpha = static_cast<float>(modelComponent(behaviour, chunk, primitive, 3)) / 255.0f;
    if (!sample.inMask(state, x, y, alpha)) return false;
    const bool depthTest = state.depthTest && target.depth != nullptr;
    const bool stencilTest = state.stencilTest && target.stencil != nullptr;
    const StencilFace& face = primitive.frontFacing ? state.front : state.back;
    const uint32_t stencil = stencilTest ? *modelWordAt(*target.stencil, x, y, true) & 255 : 0;
    const bool stencilPass =
        !stencilTest || compareScalar(face.compare, face.reference & face.compareMask, stencil & face.compareMask);
    bool depthPass = true;
    if (depthTest && stencilPass) {
        double z = std::clamp(modelPlane(primitive.depth, primitive, sample, x, y), 0.0f, 1.0f);
        if (behaviour.writesDepth) z = static_cast<double>(behaviour.depthOf(x, y));
        if (state.depthClamp) z = std::clamp(z, double{state.depthLow}, double{state.depthHigh});
        const uint32_t incoming = quantizeScalar(z, target.depth->format());
        uint32_t* const stored = modelWordAt(*target.depth, x, y, false);
        depthPass = compareScalar(state.depthCompare, incoming, modelDepth(*target.depth, *stored));
        if (depthPass && state.depthWrite) *stored = modelWord(*target.depth, incoming, *stored);
    }
    if (stencilTest) {
        const StencilOp operation = !stencilPass ? face.stencilFail : depthPass ? face.depthPass : face.depthFail;
        const uint32_t next = stencilScalar(operation, stencil, face.reference);
        uint32_t* const word = modelWordAt(*target.stencil, x, y, true);
        *word = (*word & ~255u) | (stencil & ~uint32_t{face.writeMask}) | (next & face.writeMask);
    }
    if (!stencilPass || !depthPass) return false;
    std::array<int, 4> color, inverse;
    for (size_t c = 0; c < 4; ++c) {
        color[c] = modelComponent(behaviour, chunk, primitive, c);
        inverse[c] = 255 - color[c];
    }
    for (int index = 0; index < kMaxColorTargets; ++index) {
        const TargetState& one = state.target[index];
        modelColor(target, x, y, index, index == 0 ? color : inverse, one.colorMask, one.blend);
    }
    return true;
}

inline uint64_t modelDraw(const RenderTarget& target, const Draw& draw, const Behaviour& behaviour,
                          const PrimitiveChunk& chunk, const ModelSample& sample = {}) {
    uint64_t samples = 0;
    for (const SetupPrimitive& primitive : chunk.primitives) {
        const PixelBounds bounds = primitive.pixels();
        for (int y = std::max(0, bounds.minY); y <= std::min(target.height - 1, bounds.maxY); ++y) {
            for (int x = std::max(0, bounds.minX); x <= std::min(target.width - 1, bounds.maxX); ++x) {
                bool inside = true;
                for (int i = 0; i < primitive.edgeCount; ++i) {
                    const Edge& edge = primitive.edge[i];
                    inside &= edge.a * (256 * x + sample.x) + edge.b * (256 * y + sample.y) + 256 * edge.c >= 0;
                }
                if (inside && modelFragment(target, draw, behaviour, chunk, primitive, sample, x, y)) ++samples;
            }
        }
    }
    return samples;
}

inline void modelClear(const RenderTarget& target, const Clear& clear) {
    for (int y = 0; y < target.height; ++y) {
        for (int x = 0; x < target.width; ++x) {
            const Rect& box = clear.scissor;
            if (clear.scissorTest && (x < box.x || y < box.y || x >= box.x + box.width || y >= box.y + box.height))
                continue;
            if (clear.clearColor) {
                std::array<int, 4> color;
                for (int c = 0; c < 4; ++c) color[c] = static_cast<int>(std::lround(clear.color[c] * 255));
                for (int index = 0; index < kMaxColorTargets; ++index)
                    modelColor(target, x, y, index, color, clear.colorMask[index], false);
            }
            if (clear.clearDepth && clear.depthMask && target.depth != nullptr) {
                const uint32_t depth = quantizeScalar(clear.depth, target.depth->format());
                uint32_t* const word = modelWordAt(*target.depth, x, y, false);
                *word = modelWord(*target.depth, depth, *word);
            }
            if (clear.clearStencil && target.stencil != nullptr) {
                uint32_t* const word = modelWordAt(*target.stencil, x, y, true);
                const uint32_t mask = clear.stencilMask;
                *word = (*word & ~mask) | (clear.stencil & mask);
            }
        }
    }
}

}  // namespace tessera::pipeline::test
