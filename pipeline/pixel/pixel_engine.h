// The pixel engine: what becomes of a block after its program, and what is known of it before. One chain of stages,
//
//     AlphaToCoverage  TestStencil  TestDepth  WriteDepth  WriteStencil             for each sample   (test_stages.h)
//     ClampSource  LoadStored  Blend  ToUnits  Quantize  CombineBits  MaskChannels  for each target   (color_stages.h)
//     storeColor                                                                                      (color_block.h)
//
// for the interpreter's groups and for compiled blocks, for one sample, which is a pixel, and for four. States that are
// common take short forms of it (pixel_forms.h, short_forms.h).
#pragma once

#include "pipeline/pixel/color_stages.h"
#include "pipeline/pixel/pixel_draw.h"
#include "pipeline/pixel/short_forms.h"
#include "pipeline/pixel/test_stages.h"
#include "shader-core/isa/executor.h"
#include "shader-core/isa/stage_registers.h"

namespace tessera::pipeline {

/// A block whose program has run.
struct ShadedBlock {
    BlockPlace place;
    bool frontFacing;
    const isa::GroupRegister* outputs;  ///< of its group; the block's lanes begin
    int firstLane;                      ///< here
};

inline namespace TESSERA_SIMD {

/// A colour among the outputs of a block whose lanes begin at firstLane.
inline ColorBlock programColor(const isa::GroupRegister* outputs, int firstLane, int output) {
    ColorBlock color;
    for (int c = 0; c < 4; ++c) color.channel[c] = load<F32x16>(outputs[output].lane[c] + firstLane);
    return color;
}

/// What the program writes for a target, to go through the color stages.
inline void loadSources(const PixelKey& key, const ShadedBlock& block, int target, ColorLanes& lanes) {
    const auto colorOf = [&](int output) { return programColor(block.outputs, block.firstLane, output); };
    lanes.color = colorOf(isa::kOutColor0 + (key.broadcastColor ? 0 : target));
    if (key.target[target].dualSource) lanes.second = colorOf(isa::kOutSecondColor);
}

/// Whether a test writes: the final one does, one that only says early what will fail does not.
enum class TestTime : uint8_t { Final, Reject };

/// TestForm::DepthOnly of a block's samples. What is the same for all of them is found once: memory is written between
/// one and the next, so the compiler could not know.
template <int kBits, int kCount, class DepthOf>
uint32_t testSampleDepths(const PixelDraw& draw, BlockPlace place, const DepthOf& depthOf, bool write,
                          uint32_t* coverage) {
    const Compare function = draw.key.depthCompare;
    std::byte* const first = draw.depth.block(place);
    const int64_t planeBytes = draw.depth.planeBytes;
    uint32_t lanes = 0;
    for (int sample = 0; sample < kCount; ++sample) {
        if (coverage[sample] == 0) continue;
        coverage[sample] = testDepthOnly<kBits, (kCount > 1)>(function, write, depthOf(sample), coverage[sample],
                                                              elements(first + sample * planeBytes));
        lanes |= coverage[sample];
    }
    return lanes;
}

/// Tests what is left of a block's kCount samples; returns the pixels that have one. `depthOf(sample)` is the window z,
/// which need not be clamped. `alpha`: of the program's colour, if it has run.
template <int kCount, class DepthOf>
uint32_t testSamples(const PixelDraw& draw, BlockPlace place, bool frontFacing, const DepthOf& depthOf,
                     const float* alpha, TestTime time, uint32_t* coverage) {
    const PixelKey& key = draw.key;
    const bool isFinal = time == TestTime::Final;
    if (draw.way.forms.tests == TestForm::DepthOnly) {
        const bool write = isFinal && key.depthWrite;
        if (key.depthBits == 32) return testSampleDepths<32, kCount>(draw, place, depthOf, write, coverage);
        return key.depthBits == 16 ? testSampleDepths<16, kCount>(draw, place, depthOf, write, coverage)
                                   : testSampleDepths<24, kCount>(draw, place, depthOf, write, coverage);
    }
    uint32_t lanes = 0;
    for (int sample = 0; sample < kCount; ++sample) {
        uint32_t& covered = coverage[sample];
        if (covered == 0) continue;
        DepthStencilBlock block;
        if (key.depthTest) block.depth = elements(draw.depth.block(place, sample));
        if (key.stencilTest) block.stencil = elements(draw.stencil.block(place, sample));
        const F32x16 z = key.depthTest ? depthOf(sample) : splat(0.0f);
        TestLanes tested = {key, draw.values, frontFacing ? 0 : 1, sample, block, z, alpha, fromBits(covered)};
        if (isFinal)
            TestStages::runInline(tested);
        else
            RejectStages::runInline(tested);
        covered = toBits(tested.passed());
        lanes |= covered;
    }
    return lanes;
}

template <int kCount>
void countSamples(PixelDraw& draw, const uint32_t* coverage) {
    for (int sample = 0; sample < kCount; ++sample)
        draw.samplesPassed += static_cast<uint64_t>(__builtin_popcount(coverage[sample]));
}

/// Colours of a block into one target, stage by stage, for the samples whose coverage is not 0.
template <int kCount>
void mergeByStages(const PixelDraw& draw, const ShadedBlock& block, int target, const uint32_t* coverage) {
    const TargetKey& key = draw.key.target[target];
    ColorLanes lanes(key, draw.values);
    bool isFinished = false;  // the same for all samples if the target is not read
    for (int sample = 0; sample < kCount; ++sample) {
        if (coverage[sample] == 0) continue;
        std::byte* const memory = draw.color[target].block(block.place, sample);
        if (!isFinished) {
            lanes.memory = memory;
            loadSources(draw.key, block, target, lanes);
            ColorStages::run(lanes);
        }
        isFinished = !key.readsColor();
        storeColor(key.layout, memory, lanes.color, fromBits(coverage[sample]), lanes.channels);
    }
}

/// The end of a block: late tests, and every target. `coverage`: the pixels whose samples the program ran for and did
/// not discard. Returns the pixels with a sample that passed.
template <int kCount, class DepthOf>
uint32_t mergeBlock(PixelDraw& draw, const ShadedBlock& block, const DepthOf& depthOf, uint32_t* coverage) {
    if (draw.key.order != TestOrder::Early) {
        const auto finalDepth = [&](int sample) {
            return draw.writesDepth ? load<F32x16>(block.outputs[isa::kOutDepth].lane[0] + block.firstLane)
                                    : depthOf(sample);
        };
        const float* alpha = block.outputs[isa::kOutColor0].lane[3] + block.firstLane;
        if (draw.way.forms.tests != TestForm::None &&
            testSamples<kCount>(draw, block.place, block.frontFacing, finalDepth, alpha, TestTime::Final, coverage) ==
                0)
            return 0;
        countSamples<kCount>(draw, coverage);
    }
    uint32_t passed = 0;
    for (int sample = 0; sample < kCount; ++sample) passed |= coverage[sample];
    // Calls write(memory, lanes) for each sample that is left.
    const auto forEachSample = [&](int target, const auto& write) {
        for (int sample = 0; sample < kCount; ++sample)
            if (coverage[sample] != 0) write(draw.color[target].block(block.place, sample), coverage[sample]);
    };
    // Inline, so that where there is only one target its number is known.
    const auto finishShort = [&]<class Finish>(int target, int output) __attribute__((always_inline)) {
        const Finish finish(draw.key.target[target], draw.values);
        const typename Finish::Source source = finish.prepare(programColor(block.outputs, block.firstLane, output));
        forEachSample(target,
                      [&](std::byte* memory, uint32_t lanes) { finish.write(elements(memory), source, lanes); });
    };
    const auto finishFirst = [&]<class Finish>() { finishShort.template operator()<Finish>(0, isa::kOutColor0); };
    if (withFinish(draw.way.forms.finish, finishFirst)) return passed;
    for (int target = 0; target < kMaxColorTargets; ++target) {
        const TargetKey& key = draw.key.target[target];
        if (!key.layout.present) continue;
        const int output = isa::kOutColor0 + (draw.key.broadcastColor ? 0 : target);
        const auto finishOne = [&]<class Finish>() { finishShort.template operator()<Finish>(target, output); };
        if (!withFinish(draw.way.forms.ofTarget[static_cast<size_t>(target)], finishOne))
            mergeByStages<kCount>(draw, block, target, coverage);
    }
    return passed;
}

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
