// Random targets, states, primitives, programs and clears for tests of whole tiles.
#pragma once

#include "pipeline/testing/raster_model.h"

namespace tessera::pipeline::test {

inline int below(Random& random, int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); }
inline bool chance(Random& random, int outOf) { return below(random, outOf) == 0; }
inline float eighths(Random& random) { return static_cast<float>(below(random, 9)) / 8; }

inline RenderTarget randomTarget(Random& random, int width, int height, int samples = 1) {
    constexpr PixelFormat kColors[] = {PixelFormat::Rgba8, PixelFormat::Rgb565, PixelFormat::Rgba4, PixelFormat::Rgb8,
                                       PixelFormat::Rg8};
    RenderTarget target;
    target.width = width, target.height = height;
    const auto make = [&](PixelFormat format) {
        // Larger than the target at times: what lies outside must stay.
        return std::make_shared<Image>(format, width + below(random, 2) * 9, height + below(random, 2) * 3, samples);
    };
    target.color[0] = chance(random, 8) ? nullptr : make(kColors[below(random, static_cast<int>(std::size(kColors)))]);
    if (chance(random, 3)) target.color[1] = make(kColors[below(random, static_cast<int>(std::size(kColors)))]);
    for (const ImagePtr& image : {target.color[0], target.color[1]}) {
        for (int y = 0; image != nullptr && y < image->height(); ++y) {
            for (int x = 0; x < image->width(); ++x) {
                for (int c = 0; c < 4; ++c) modelChannel(*image, x, y, c, below(random, 256), false);
            }
        }
    }
    switch (below(random, 9)) {
        case 0:
            break;
        case 1:
            target.depth = make(PixelFormat::Depth16);
            break;
        case 2:
            target.depth = make(PixelFormat::Depth24), target.stencil = make(PixelFormat::Stencil8);
            break;
        case 3:
            target.depth = make(PixelFormat::Depth24Stencil8);
            break;
        case 4:
            target.depth = make(PixelFormat::Depth32F), target.stencil = make(PixelFormat::Stencil8);
            break;
        case 5:
            target.depth = target.stencil = make(PixelFormat::Depth32FStencil8);
            break;
        case 6:
            target.depth = make(PixelFormat::Depth32FStencil8);
            if (chance(random, 2)) target.stencil = make(PixelFormat::Stencil8);
            break;
        case 7:
            target.stencil = make(PixelFormat::Depth32FStencil8);
            if (chance(random, 2)) target.depth = make(PixelFormat::Depth24);
            break;
        default:
            target.depth = target.stencil = make(PixelFormat::Depth24Stencil8);
            break;
    }
    return target;
}

inline StencilFace randomFace(Random& random) {
    const auto operation = [&] {
        return chance(random, 2) ? StencilOp::Keep : static_cast<StencilOp>(below(random, 8));
    };
    StencilFace face;
    face.compare = static_cast<Compare>(below(random, 8));
    face.stencilFail = operation(), face.depthFail = operation(), face.depthPass = operation();
    face.reference = static_cast<uint8_t>(below(random, 4));
    face.compareMask = chance(random, 2) ? 0xFF : static_cast<uint8_t>(random());
    face.writeMask = chance(random, 2) ? 0xFF : static_cast<uint8_t>(random());
    return face;
}

inline PixelState randomState(Random& random) {
    PixelState state;
    state.depthTest = !chance(random, 3);
    state.depthWrite = !chance(random, 4);
    state.depthCompare = static_cast<Compare>(below(random, 8));
    state.depthClamp = chance(random, 6);
    if (chance(random, 2)) state.depthLow = eighths(random) / 2, state.depthHigh = 1 - eighths(random) / 2;
    state.stencilTest = chance(random, 2);
    state.front = randomFace(random), state.back = randomFace(random);
    for (TargetState& target : state.target) {
        target.blend = chance(random, 2);  // One, One
        target.dstRgb = target.dstAlpha = BlendFactor::One;
        target.colorMask = chance(random, 3) ? static_cast<uint8_t>(below(random, 16)) : 0xF;
    }
    state.dither = false;
    return state;
}

inline PrimitiveChunk randomPrimitives(Random& random, int width, int height) {
    PrimitiveChunk chunk;
    const int count = 1 + below(random, 6);
    for (int i = 0; i < count; ++i) {
        SetupPrimitive primitive = rectangle(0, 0, width - 1, height - 1);
        primitive.edgeCount = static_cast<uint8_t>(below(random, 5));
        for (int e = 0; e < primitive.edgeCount; ++e) {
            const int64_t a = 256 * (below(random, 40001) - 20000), b = 256 * (below(random, 40001) - 20000);
            primitive.edge[e] = {a, b,
                                 -(a * below(random, width) + b * below(random, height)) + below(random, 513) - 256};
        }
        if (chance(random, 2)) {
            primitive.minX = below(random, width), primitive.minY = below(random, height);
            primitive.maxX = std::min(width - 1, primitive.minX + below(random, 30));
            primitive.maxY = std::min(height - 1, primitive.minY + below(random, 30));
        }
        primitive.frontFacing = chance(random, 2);
        primitive.originX = below(random, width), primitive.originY = below(random, height);
        primitive.depth = {eighths(random) * 1.5f - 0.25f, chance(random, 2) ? 0.0f : 1.0f / 64,
                           chance(random, 2) ? 0.0f : -1.0f / 128};
        primitive.firstPlane = static_cast<uint32_t>(chunk.planes.size());
        // v0: unused values; v1: a constant colour.
        for (int c = 0; c < 4; ++c) chunk.planes.push_back({5.0f, 0.25f, 0.5f});
        for (int c = 0; c < 4; ++c) chunk.planes.push_back({static_cast<float>(below(random, 256)) / 255.0f, 0, 0});
        chunk.primitives.push_back(primitive);
    }
    return chunk;
}

/// What is above the eight bits of an integer that makeIntegers() made: a signalling NaN, if it were a float.
inline constexpr uint32_t kIntegerMark = 0x7FA00000;

/// Makes the colours, v1 of randomPrimitives(), integers from 0 to 255 with kIntegerMark. The planes of flat varyings
/// are their base alone, whatever w is.
inline void makeIntegers(PrimitiveChunk& chunk) {
    for (SetupPrimitive& primitive : chunk.primitives) {
        primitive.inverseW = {2, 1.0f / 64, -1.0f / 128};
        for (size_t c = 0; c < 4; ++c) {
            float& base = chunk.planes[primitive.firstPlane + 4 + c].base;
            base = std::bit_cast<float>(kIntegerMark | static_cast<uint32_t>(std::lround(base * 255)));
        }
    }
}

/// randomPrimitives() for a program of that behaviour.
inline PrimitiveChunk primitivesFor(const Behaviour& behaviour, Random& random, int width, int height) {
    PrimitiveChunk chunk = randomPrimitives(random, width, height);
    if (behaviour.integers) makeIntegers(chunk);
    return chunk;
}

/// v0 and v2 are the varyings: the second one is the colour.
inline std::shared_ptr<Program> programOf(const Behaviour& behaviour) {
    isa::Program program;
    program.stage = isa::Stage::Fragment;
    program.inputMask = 0b101;
    program.outputMask = 0b11 | (behaviour.writesDepth ? 1 << isa::kOutDepth : 0);
    program.specialMask = behaviour.kills || behaviour.writesDepth ? 1 : 0;
    program.usesKill = behaviour.kills;
    program.writesDepth = behaviour.writesDepth;
    program.usesDerivatives = behaviour.quads;
    const auto colorOf = [behaviour](float input) {
        if (!behaviour.integers) return input;
        const auto bits = std::bit_cast<uint32_t>(input);
        CHECK((bits & ~255u) == kIntegerMark);
        return static_cast<float>(bits & 255) / 255.0f;
    };
    const std::shared_ptr<Program> linked = programOf(program, [behaviour, colorOf](isa::GroupRun& run) {
        CHECK((run.helperMask & ~run.activeMask) == 0);
        CHECK((run.activeMask & ~run.helperMask) != 0);
        run.instructions = 1;
        for (int lane = 0; lane < isa::kGroupSize; ++lane) {
            if ((run.activeMask >> lane & 1) == 0) {
                for (int c = 0; c < 4; ++c) run.outputs[0].lane[c][lane] = 0.77f;  // must not be seen
                continue;
            }
            if (behaviour.quads) {
                const uint32_t quad = 1u << lane | 1u << (lane ^ 1) | 1u << (lane ^ 4) | 1u << (lane ^ 5);
                CHECK((run.activeMask & quad) == quad);
                CHECK((run.activeMask & ~run.helperMask & quad) != 0);
            }
            for (int c = 0; c < 4; ++c) {
                run.outputs[0].lane[c][lane] = colorOf(run.inputs[2].lane[c][lane]);
                run.outputs[1].lane[c][lane] = 1 - colorOf(run.inputs[2].lane[c][lane]);
            }
            if (!behaviour.kills && !behaviour.writesDepth) continue;
            const int x = static_cast<int>(run.specials[0].lane[0][lane]),
                      y = static_cast<int>(run.specials[0].lane[1][lane]);
            if (behaviour.killsPixel(x, y)) run.killMask |= 1u << lane;
            run.outputs[isa::kOutDepth].lane[0][lane] = behaviour.depthOf(x, y);
        }
    });
    if (behaviour.integers) linked->interpolation[2] = Interpolation::Flat;
    return linked;
}

inline Clear randomClear(Random& random, int width, int height) {
    Clear clear;
    clear.scissorTest = chance(random, 2);
    clear.scissor = {below(random, width + 20) - 20, below(random, height + 20) - 20, below(random, 90),
                     below(random, 90)};
    clear.clearColor = chance(random, 2), clear.clearDepth = chance(random, 2), clear.clearStencil = chance(random, 2);
    for (float& channel : clear.color) channel = static_cast<float>(below(random, 256)) / 255.0f;
    for (uint8_t& mask : clear.colorMask) mask = chance(random, 2) ? 0xF : static_cast<uint8_t>(below(random, 16));
    clear.depth = eighths(random);
    clear.depthMask = !chance(random, 4);
    clear.stencil = static_cast<uint8_t>(below(random, 4));
    clear.stencilMask = chance(random, 2) ? 0xFF : static_cast<uint8_t>(random());
    return clear;
}

}  // namespace tessera::pipeline::test
