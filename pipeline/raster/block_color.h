// Blocks through machine code, 3: attributes, the program, late tests, blending and writing.
#pragma once

#include "pipeline/pixel/pixel_engine.h"
#include "pipeline/raster/block_list.h"
#include "pipeline/raster/fragment_group.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

// Of raster_blocks_simd.cpp alone: internal, so that what has one caller becomes part of it.
namespace {

/// Runs the program over listed blocks, kBatchBlocks at a time: what each block waits for most (a
/// division, then the program, then the conversion of its results) is done for all of them before the next step.
template <class Source>
class BlockShader {
public:
    BlockShader(const PixelBounds& tile, const Source& source, TileDraw& draw, const BlockList& list)
        : tile_(tile),
          source_(source),
          draw_(draw),
          list_(list),
          components_(*draw.blocks.components),
          batch_(*draw.blocks.batch),
          function_(draw.blocks.code.function),
          pair_(draw.blocks.code.pair),
          quads_(draw.quads) {
        run_.constants = reinterpret_cast<const float*>(draw.constants);
        run_.values = &draw.computed;
        run_.sample = draw.blocks.code.sample;
        run_.textures = draw.textures;
        run_.lookups = draw.blocks.lookups;
        run_.budget = instructionBudget();
        run_.hasQuads = 1;
        if (!Source::kIsRun && components_.interpolated != 0 && list.count > kManyBlocks) lookAtPlanes();
    }

    /// Blocks first .. first + count - 1 of the list, count <= kBatchBlocks. Afterwards lanes(), color() and shaded()
    /// answer for them, numbered from 0.
    void run(int first, int count) {
        draw_.lookAtStop();
        const uint32_t* entries = list_.entry + first;
        if (components_.count != 0) {
            if constexpr (Source::kIsRun) {
                interpolateEach(first, entries, count);
            } else {
                if (components_.interpolated != 0) interpolate(first, entries, count);
                if (components_.interpolated != components_.count) fillFlat(count);
            }
        }
        for (int i = 0; i < count && draw_.specialMask.any(); ++i) {
            fillSpecials(draw_, source_.primitive(first + i), placeOf(tile_, entries[i]),
                         source_.position(first + i, entries[i]), firstLane(i), registers(i).specials);
        }
        for (int i = 0; i < count && draw_.lastColorMask.any(); ++i) {
            fillLastColors(draw_, placeOf(tile_, entries[i]), 0, firstLane(i), registers(i).inputs);
        }
        if (draw_.way.color == BlockWay::Color::Copy) return takeCopies(entries, count);
        uint64_t fragments = 0, instructions = 0;
        for (int i = 0; i < count; ++i) {
            lanes_[i] = 0;
            if (draw_.way.runsPairs && i + 1 < count && (i & 1) == 0) {
                lanes_[i] = lanesOf(entries[i]), lanes_[i + 1] = lanesOf(entries[i + 1]);
                const uint32_t lanes = lanes_[i] | lanes_[i + 1] << kBlockLanes;
                shadePair(i, lanes);
                fragments += static_cast<uint64_t>(__builtin_popcount(lanes));
                instructions += run_.instructions + run_.secondInstructions;
                ++i;
                continue;
            }
            if (draw_.stats.budgetExceeded || !shade(i, lanesOf(entries[i]))) continue;
            fragments += static_cast<uint64_t>(__builtin_popcount(lanesOf(entries[i])));
            instructions += run_.instructions;
        }
        fragments_ += fragments;
        instructions_ += instructions;
    }

    void finish() {
        draw_.stats.fragments += fragments_;
        draw_.stats.instructions += instructions_;
        draw_.groups.routine->ranBlocks(instructions_);
    }

    /// Counts as if the program had run for `blocks` more blocks like the last one.
    void repeat(int blocks, uint64_t fragments) {
        fragments_ += fragments;
        instructions_ += run_.instructions * static_cast<uint64_t>(blocks);
    }

    /// Lanes that live on.
    [[nodiscard]] uint32_t lanes(int block) const { return lanes_[block]; }
    [[nodiscard]] const uint32_t* allLanes() const { return lanes_; }
    [[nodiscard]] ShadedBlock shaded(int block, int entry) const {
        return {placeOf(tile_, list_.entry[entry]), source_.primitive(entry).frontFacing, registers(block).outputs,
                firstLane(block)};
    }
    [[nodiscard]] ColorBlock color(int block) const {
        return programColor(registers(block).outputs, firstLane(block), isa::kOutColor0);
    }

private:
    static constexpr int kManyBlocks = 6;  ///< more are worth a look at their planes

    [[nodiscard]] BlockRegisters& registers(int block) const { return batch_.registers[block >> 1]; }
    static int firstLane(int block) { return (block & 1) * kBlockLanes; }
    [[nodiscard]] float* inputs(int block) const { return registers(block).inputs[0].lane[0] + firstLane(block); }

    void interpolate(int first, const uint32_t* entries, int count) {
        alignas(64) BlockPosition at[kBatchBlocks];
        for (int i = 0; i < count; ++i) {
            at[i] = source_.position(first + i, entries[i]);
            if constexpr (BlockPlane::kKeepsRows) isSameRow_[i] = i != 0 && entries[i] >> 20 == entries[i - 1] >> 20;
        }
        alignas(64) F32x16 w[kBatchBlocks];
        if ((count & 1) != 0) at[count] = at[0], w[count] = w_;
        if (isConstantW_) {
            for (int i = 0; i < count; ++i) w[i] = w_;
        } else {
            BlockPlane inverse(source_.primitive(0).inverseW);
            for (int i = 0; i < count; ++i) w[i] = splat(1.0f) / inverse.next(at[i], isSameRow_[i]);
        }
        return isTame_ ? interpolateAll<true>(at, w, count) : interpolateAll<false>(at, w, count);
    }

    /// Blocks of different primitives, each with its guests.
    void interpolateEach(int first, const uint32_t* entries, int count) {
        // These are copied to the stack: members would be read anew after each store, which might change them for all
        // that the compiler knows.
        const int components = components_.count, interpolated = components_.interpolated;
        const uint16_t *const plane = components_.plane, *const offset = components_.offset;
        for (int i = 0; i < count; ++i) {
            const BlockPosition at = source_.position(first + i, entries[i]);
            const F32x16 w = evaluateW(source_.primitive(first + i), at);
            const Plane* planes = source_.planes(first + i);
            float* input = inputs(i);
            for (int component = 0; component < interpolated; ++component)
                store(input + offset[component], evaluateAttribute(planes[plane[component]], at, w));
            for (int component = interpolated; component < components; ++component)
                store(input + offset[component], splat(planes[plane[component]].base));
            source_.forEachGuest(first + i, [&](const SetupPrimitive& guest, const Plane* guestPlanes, uint32_t lanes) {
                if ((lanes & entries[i]) == 0) return;
                const BlockPosition place = source_.positionIn(guest, entries[i]);
                const F32x16 guestW = evaluateW(guest, place);
                const Mask16 mask = fromBits(lanes);
                for (int component = 0; component < components; ++component) {
                    float* to = input + offset[component];
                    const Plane& of = guestPlanes[plane[component]];
                    const F32x16 value =
                        component < interpolated ? evaluateAttribute(of, place, guestW) : splat(of.base);
                    store(to, select(mask, value, load<F32x16>(to)));
                }
            });
        }
    }

    /// The flat components of one primitive's blocks.
    void fillFlat(int count) {
        for (int component = components_.interpolated; component < components_.count; ++component) {
            const F32x16 value = splat(source_.planes(0)[components_.plane[component]].base);
            for (int i = 0; i < count; ++i) store(inputs(i) + components_.offset[component], value);
        }
    }

    /// For an odd count also the block after the last, which nobody looks at.
    template <bool kTame>
    void interpolateAll(const BlockPosition* at, const F32x16* w, int count) {
        constexpr int kPairFloats = sizeof(BlockRegisters) / sizeof(float);
        float* const first = inputs(0);
        const auto value = [&](BlockPlane& plane, int i) {
            const F32x16 product = plane.next(at[i], isSameRow_[i]) * w[i];
            return kTame ? product : canonicalNan(product);
        };
        for (int component = 0; component < components_.interpolated; ++component) {
            BlockPlane plane(source_.planes(0)[components_.plane[component]]);
            float* input = first + components_.offset[component];
            for (int i = 0; i < count; i += 2, input += kPairFloats) {
                store(input, value(plane, i));
                store(input + kBlockLanes, value(plane, i + 1));
            }
        }
    }

    /// Whether no pixel of the tile has a NaN for an attribute: 1/w, which is monotonic (tile_depth.h), lies in a sane
    /// range at the tile's corners, and all planes are finite and moderate.
    void lookAtPlanes() {
        const SetupPrimitive& primitive = source_.primitive(0);
        const Plane* planes = source_.planes(0);
        constexpr float kLarge = 0x1p60f, kSmall = 0x1p-60f;
        const auto moderate = [](float x) { return std::abs(x) < kLarge; };
        const auto moderatePlane = [&](const Plane& p) { return moderate(p.base) && moderate(p.dx) && moderate(p.dy); };
        isTame_ = moderatePlane(primitive.inverseW);
        for (int i = 0; i < components_.interpolated; ++i) isTame_ &= moderatePlane(planes[components_.plane[i]]);
        const I32x16 right = (kLaneX & 1) * (kTileSize - 1), top = (kLaneY & 1) * (kTileSize - 1);
        const BlockPosition corners = {toFloat(splat(tile_.minX - primitive.originX) + right) + 0.5f,
                                       toFloat(splat(tile_.minY - primitive.originY) + top) + 0.5f};
        const F32x16 inverse = evaluate(primitive.inverseW, corners);
        isTame_ &= toBits((inverse > kSmall) & (inverse < kLarge)) == kAllLanes;
        // Exact: fma(0, x, base) is base, which is not 0.
        isConstantW_ = isTame_ && primitive.inverseW.dx == 0 && primitive.inverseW.dy == 0;
        if (isConstantW_) w_ = 1.0f / inverse;
    }

    /// Writes blocks whose interpolated components are their colours, so that no program runs.
    void takeCopies(const uint32_t* entries, int count) {
        for (int i = 0; i < count; ++i) {
            lanes_[i] = lanesOf(entries[i]);
            fragments_ += static_cast<uint64_t>(__builtin_popcount(lanes_[i]));
        }
        instructions_ += uint64_t{draw_.blocks.picture->instructions} * static_cast<uint64_t>(count);
    }

    /// Blocks i and i + 1 at once, i being even. `lanes`: of both.
    void shadePair(int i, uint32_t lanes) {
        BlockRegisters& registers = this->registers(i);
        run_.inputs = registers.inputs[0].lane[0];
        run_.outputs = registers.outputs[0].lane[0];
        run_.specials = registers.specials[0].lane[0];
        run_.launch = quads_ ? isa::wholeQuads(lanes) : lanes;
        run_.helper = run_.launch & ~lanes;
        pair_(&run_);
    }

    /// False: the program does not end.
    bool shade(int i, uint32_t lanes) {
        BlockRegisters& registers = this->registers(i);
        const int lane = firstLane(i);
        run_.inputs = registers.inputs[0].lane[0] + lane;
        run_.outputs = registers.outputs[0].lane[0] + lane;
        run_.specials = registers.specials[0].lane[0] + lane;
        run_.launch = lanes;
        run_.helper = 0;
        if (quads_ && lanes != kAllLanes) {
            run_.launch = isa::wholeQuads(lanes);
            run_.helper = run_.launch & ~lanes;
        }
        function_(&run_);
        if (run_.instructions > run_.budget) {
            // The rest of the draw is left out here, or the tile would take hours.
            draw_.stats.budgetExceeded = true;
            return false;
        }
        lanes_[i] = lanes & ~run_.kill;
        return true;
    }

    const PixelBounds tile_;
    const Source& source_;
    TileDraw& draw_;
    const BlockList& list_;
    const InputComponents& components_;
    BlockBatch& batch_;
    const isa::BlockFunction function_, pair_;
    const bool quads_;
    isa::BlockRun run_;
    uint32_t lanes_[kBatchBlocks];
    bool isSameRow_[kBatchBlocks] = {};  ///< as BlockPlane::next() asks, of one primitive's blocks
    bool isTame_ = false, isConstantW_ = false;
    F32x16 w_ = {};
    uint64_t fragments_ = 0, instructions_ = 0;
};

/// A program that gives all pixels one colour runs once.
template <class Finish, class Source>
void colorConstant(const PixelBounds& tile, TileDraw& draw, BlockShader<Source>& shader, const Finish& finish,
                   const BlockList& list) {
    const TileBlocks blocks(draw.color[0], tile);
    shader.run(0, 1);
    if (shader.lanes(0) == 0) return;
    // Lanes that were not launched hold anything: take one that was.
    const int lane = __builtin_ctz(shader.lanes(0));
    ColorBlock color = shader.color(0);
    for (F32x16& channel : color.channel) channel = splat(static_cast<float>(channel[lane]));
    uint64_t fragments = 0;
    const auto fill = [&](const auto& form) {
        const auto prepared = form.prepare(color);
        for (int i = 0; i < list.count; ++i) {
            form.write(blocks[list.entry[i]], prepared, lanesOf(list.entry[i]));
            fragments += static_cast<uint64_t>(__builtin_popcount(lanesOf(list.entry[i])));
        }
    };
    if (Finish::isOpaque(color))
        fill(OpaqueFinish(draw.key.target[0], draw.values));
    else
        fill(finish);
    shader.repeat(list.count - 1, fragments - static_cast<uint64_t>(__builtin_popcount(lanesOf(list.entry[0]))));
}

/// Runs the program over the listed blocks; calls end(i, entry) for those that live on, `i` being the shader's number.
template <class Source, class End>
void forEachShaded(const TileDraw& draw, BlockShader<Source>& shader, const BlockList& list, const End& end) {
    for (int first = 0; first < list.count && !draw.stats.budgetExceeded; first += kBatchBlocks) {
        const int count = list.count - first < kBatchBlocks ? list.count - first : kBatchBlocks;
        shader.run(first, count);
        for (int i = 0; i < count; ++i)
            if (shader.lanes(i) != 0) end(i, first + i);
    }
}

/// Colours of a batch of blocks, which lie in the batch's registers, into one target. `lanes`: that live on, of each.
inline void colorTarget(const PixelBounds& tile, TileDraw& draw, int target, const uint32_t* entries,
                        const uint32_t* lanes, int count) {
    const TargetKey& key = draw.key.target[target];
    const BlockBatch& batch = *draw.blocks.batch;
    const int output = isa::kOutColor0 + (draw.key.broadcastColor ? 0 : target);
    const auto outputsOf = [&](int i) { return batch.registers[i >> 1].outputs; };
    const auto firstLane = [](int i) { return (i & 1) * kBlockLanes; };
    const auto finishAll = [&]<class Finish>() {
        const TileBlocks blocks(draw.color[target], tile);
        const Finish finish(key, draw.values);
        for (int i = 0; i < count; ++i)
            if (lanes[i] != 0)
                finish.merge(blocks[entries[i]], programColor(outputsOf(i), firstLane(i), output), lanes[i]);
    };
    if (withFinish(draw.way.forms.ofTarget[static_cast<size_t>(target)], finishAll)) return;
    for (int i = 0; i < count; ++i)
        if (lanes[i] != 0)
            mergeByStages<1>(draw, {placeOf(tile, entries[i]), true, outputsOf(i), firstLane(i)}, target, &lanes[i]);
}

/// A short form, early tests. Not mergeBlock(): where a tile's blocks are, and what the form needs of the state, is
/// found out once and not for each block.
template <class Finish, class Source>
void colorShort(const PixelBounds& tile, TileDraw& draw, BlockShader<Source>& shader, const BlockList& list) {
    const TileBlocks blocks(draw.color[0], tile);
    const Finish finish(draw.key.target[0], draw.values);
    if (draw.way.color == BlockWay::Color::Once) return colorConstant(tile, draw, shader, finish, list);
    forEachShaded(draw, shader, list,
                  [&](int i, int entry) { finish.merge(blocks[list.entry[entry]], shader.color(i), shader.lanes(i)); });
}

/// Any targets, early tests: the blocks of a batch into one after the other, so that what one needs of the state is
/// found out once for all of them.
template <class Source>
void colorTargets(const PixelBounds& tile, TileDraw& draw, BlockShader<Source>& shader, const BlockList& list) {
    for (int first = 0; first < list.count && !draw.stats.budgetExceeded; first += kBatchBlocks) {
        const int count = list.count - first < kBatchBlocks ? list.count - first : kBatchBlocks;
        shader.run(first, count);
        for (int target = 0; target < kMaxColorTargets; ++target)
            if (draw.key.target[target].layout.present)
                colorTarget(tile, draw, target, list.entry + first, shader.allLanes(), count);
    }
}

/// Late tests.
template <class Source>
void colorGeneral(TileDraw& draw, BlockShader<Source>& shader, const Source& source, const BlockList& list) {
    forEachShaded(draw, shader, list, [&](int i, int entry) {
        const ShadedBlock block = shader.shaded(i, entry);
        const auto depthOf = [&](int) {
            const SetupPrimitive& primitive = source.primitive(entry);
            return evaluateDepth(primitive, blockPosition(primitive, block.place.x, block.place.y));
        };
        uint32_t coverage = shader.lanes(i);
        mergeBlock<1>(draw, block, depthOf, &coverage);
    });
}

/// Colour of the listed blocks.
template <class Source>
void shadeBlocks(const PixelBounds& tile, const Source& source, TileDraw& draw, const BlockList& list) {
    BlockShader<Source> shader(tile, source, draw, list);
    const auto inShort = [&]<class Finish>() { colorShort<Finish>(tile, draw, shader, list); };
    if (draw.key.order != TestOrder::Early)
        colorGeneral(draw, shader, source, list);
    else if (!withFinish(draw.way.writesInLoop ? draw.way.forms.finish : FinishForm::General, inShort))
        colorTargets(tile, draw, shader, list);
    shader.finish();
}

}  // namespace

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
