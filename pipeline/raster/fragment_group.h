// Two covered blocks through the fragment program: filling its registers and running it. What is filled is the same
// for groups (raster_groups_simd.cpp) and for single blocks (block_color.h).
#pragma once

#include "base/limits.h"
#include "pipeline/pixel/color_block.h"
#include "pipeline/raster/interpolate.h"
#include "pipeline/raster/raster_functions.h"
#include "shader-core/isa/sample_words.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

inline bool reads(const TileDraw& draw, isa::Special special) {
    return draw.specialMask.has(static_cast<int>(special));
}

/// `at`: where the block's pixels are shaded.
template <class Places>
inline void fillSpecials(const TileDraw& draw, const SetupPrimitive& primitive, BlockPlace place, const Places& at,
                         int firstLane, isa::GroupRegister* specials) {
    if (reads(draw, isa::Special::FragCoord)) {
        isa::GroupRegister& fragCoord = specials[static_cast<int>(isa::Special::FragCoord)];
        store(fragCoord.lane[0] + firstLane, toFloat(splat(place.x * kBlockSize) + kLaneX) + 0.5f);
        store(fragCoord.lane[1] + firstLane, toFloat(splat(place.y * kBlockSize) + kLaneY) + 0.5f);
        store(fragCoord.lane[2] + firstLane, evaluateDepth(primitive, at));
        store(fragCoord.lane[3] + firstLane, canonicalNan(evaluate(primitive.inverseW, at)));
    }
    if (reads(draw, isa::Special::FrontFacing)) {
        isa::GroupRegister& frontFacing = specials[static_cast<int>(isa::Special::FrontFacing)];
        for (auto& component : frontFacing.lane) {
            store(component + firstLane, splat(primitive.frontFacing ? 1.0f : 0.0f));
        }
    }
    if (reads(draw, isa::Special::PointCoord)) {
        isa::GroupRegister& pointCoord = specials[static_cast<int>(isa::Special::PointCoord)];
        const bool isPoint = primitive.kind == PrimitiveKind::Point;
        for (int axis = 0; axis < 2; ++axis) {
            const F32x16 value = isPoint ? canonicalNan(evaluate(primitive.pointCoord[axis], at)) : splat(0.0f);
            store(pointCoord.lane[axis] + firstLane, value);
        }
        constexpr uint32_t kMiddle = kPixelCenter;
        store(pointCoord.lane[isa::kSampleComponent] + firstLane, asFloat(splat(isa::sampleWord(0, kMiddle, kMiddle))));
        store(pointCoord.lane[isa::kSamplesComponent] + firstLane,
              asFloat(splat(isa::samplesWord(1, 1, true, kMiddle, kMiddle))));
    }
}

static_assert([] {
    for (int i = 0; i < kSamples; ++i)
        if (kSamplePosition[i].x != isa::kSamplePlaces[i][0] || kSamplePosition[i].y != isa::kSamplePlaces[i][1])
            return false;
    return std::size(isa::kSamplePlaces) == kSamples;
}());

/// What fillSpecials() says of samples, for blocks of several.
inline void fillSamples(const TileDraw& draw, const PendingBlock& block, int firstLane, isa::GroupRegister* specials) {
    if (!reads(draw, isa::Special::PointCoord)) return;
    isa::GroupRegister& samples = specials[static_cast<int>(isa::Special::PointCoord)];
    const auto x = static_cast<uint32_t>(kSamplePosition[block.sample].x),
               y = static_cast<uint32_t>(kSamplePosition[block.sample].y);
    constexpr uint32_t kMiddle = kPixelCenter;
    const bool isEach = draw.way.place == BlockWay::Place::EachSample;
    const U32x16 lane = asUint(kLaneX + kLaneY * kBlockSize);
    U32x16 covered = splat(isa::samplesWord(0, kSamples, false, isEach ? x : kMiddle, isEach ? y : kMiddle));
    for (int i = 0; i < kSamples; ++i)
        covered |= (splat(block.seen[i]) >> lane & 1u) << static_cast<uint32_t>(isa::kSampleMask.shift + i);
    covered |= (splat(block.seenCenters) >> lane & 1u) << static_cast<uint32_t>(isa::kCenterCovered.shift);
    const uint32_t number = isa::sampleWord(static_cast<uint32_t>(block.sample), x, y);
    store(samples.lane[isa::kSampleComponent] + firstLane, asFloat(splat(number)));
    store(samples.lane[isa::kSamplesComponent] + firstLane, asFloat(covered));
}

/// The varyings whose bits, by number, are in `some`.
template <class Places>
inline void fillInputs(const TileDraw& draw, const PendingBlock& block, const Places& at, uint32_t some, int firstLane,
                       isa::GroupRegister* inputs) {
    const F32x16 w = evaluateW(*block.primitive, at);
    int number = -1;
    for (const int varying : draw.groups.varyingMask) {
        if ((some >> ++number & 1) == 0) continue;
        const Plane* plane = block.planes + 4 * number;
        isa::GroupRegister& input = inputs[varying];
        const bool isFlat = (draw.groups.flat >> number & 1) != 0;
        for (int component = 0; component < 4; ++component) {
            const F32x16 value = isFlat ? splat(plane[component].base) : evaluateAttribute(plane[component], at, w);
            store(input.lane[component] + firstLane, value);
        }
    }
}

/// What the pixels hold, as programs read it (GL_EXT_shader_framebuffer_fetch): fractions, of sRGB the light, integers
/// as they are, and 0, 0, 0, 1 for channels that the format lacks.
inline ColorBlock lastColor(const ColorLayout& layout, const std::byte* block) {
    ColorBlock color = loadColor(layout, block);
    for (int channel = 0; channel < 4; ++channel) {
        F32x16& value = color.channel[channel];
        const bool exists = (layout.channels >> channel & 1) != 0;
        if (!exists)
            value = asFloat(splat(texture::missingBits(layout.element, channel)));
        else if (!texture::isInteger(layout.element))
            value = canonicalNan(value / layout.scale[channel]);
    }
    return color;
}

static_assert(kMaxColorTargets == isa::kColors);

/// The last colours that the program reads, of one sample; 0 where there is no buffer.
inline void fillLastColors(const TileDraw& draw, BlockPlace place, int sample, int firstLane,
                           isa::GroupRegister* inputs) {
    for (const int target : draw.lastColorMask) {
        const Surface& surface = draw.color[target];
        ColorBlock color = {};
        if (surface.blocks != nullptr)
            color = lastColor(draw.lastColor[static_cast<size_t>(target)], surface.block(place, sample));
        for (int channel = 0; channel < 4; ++channel) {
            store(inputs[isa::kInLastColor0 + target].lane[channel] + firstLane, color.channel[channel]);
        }
    }
}

/// Empties the group and runs the program over its blocks, whose registers are filled. Returns the covered lanes that
/// live on, 32 bits.
inline uint32_t runProgram(TileDraw& draw, FragmentGroup& group) {
    uint32_t covered = 0, active = 0;
    for (int slot = 0; slot < group.count; ++slot) {
        const uint32_t coverage = group.block[slot].coverage;
        covered |= coverage << slot * kBlockLanes;
        active |= (draw.quads ? isa::wholeQuads(coverage) : coverage) << slot * kBlockLanes;
        if (draw.groups.probe != nullptr) [[unlikely]] {
            draw.groups.probe->pixelX[slot] = group.block[slot].place.x * kBlockSize;
            draw.groups.probe->pixelY[slot] = group.block[slot].place.y * kBlockSize;
        }
    }
    group.count = 0;
    isa::GroupRun run;
    run.activeMask = active;
    run.helperMask = active & ~covered;
    run.inputs = group.inputs;
    run.outputs = group.outputs;
    run.specials = group.specials;
    run.constants = draw.constants;
    run.values = &draw.computed;
    run.textures = draw.textures;
    run.budget = instructionBudget();
    draw.lookAtStop();
    if (draw.stats.budgetExceeded) return 0;
    draw.groups.routine->run(run);
    draw.stats.fragments += __builtin_popcount(covered);
    draw.stats.instructions += run.instructions;
    if (run.budgetExceeded) {
        // The program does not end; the rest of the draw is left out here, or the tile would take hours.
        draw.stats.budgetExceeded = true;
        return 0;
    }
    return covered & ~run.killMask;
}

inline bool isQueued(const FragmentGroup& group, BlockPlace place) {
    return group.count == 1 && group.block[0].place == place;
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
