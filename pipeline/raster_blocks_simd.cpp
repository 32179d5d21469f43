// Blocks through machine code: when the fragment program has code for single blocks (shader-core/isa/block.h), a
// primitive's blocks in a tile go through three loops, each with the state that matters to it constant:
//
//   1. coverage        squares of 16x16 pixels that the hierarchical depth hides are left out whole (tile_depth.h),
//                      covered blocks become a list;
//   2. early tests     the list loses what fails; one instance for each depth function that is common;
//   3. colour          attributes, the program, late tests, blending and writing; one instance for each common way to
//                      blend and store, and one that does everything.
//
// Large primitives that overwrite what is below them are not shaded at once: their pixels wait, with the primitive's
// number, until the draw ends, and a later primitive of the draw takes pixels over (C. Burns and W. Hunt, "The
// Visibility Buffer", 2013, for one draw in one tile). What nobody sees is tested but not shaded.
//
// A primitive meets a block at most once, so the loops may follow each other. Bytes are those of raster_tile.cpp, which
// serves the interpreter and is the reference: raster_blocks_test.cpp compares the two in random states. Compiled once
// for each SIMD level.
#include "pipeline/coverage.h"
#include "pipeline/fragment_group.h"
#include "pipeline/pixel_fast.h"
#include "pipeline/raster_kernels.h"
#include "pipeline/tile_depth.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

namespace {

constexpr int kTileBlocks = kTileSize / kBlockSize;
constexpr uint32_t kAllLanes = 0xFFFF;

/// Covered blocks of a primitive in a tile: lanes in bits 0..15, then the block's column and row in the tile.
struct BlockList {
    int count = 0;
    alignas(64) uint32_t entry[kTileBlocks * kTileBlocks + kBlockLanes];

    void add(int x, int y, uint32_t lanes) {
        entry[count++] = lanes | static_cast<uint32_t>(x >> 2) << 16 | static_cast<uint32_t>(y >> 2) << 20;
    }
    /// All blocks of a square of 16x16 pixels.
    void addSquare(int x, int y) {
        constexpr I32x16 kPlaces = (kLaneX << 16) | (kLaneY << 20) | static_cast<int>(kAllLanes);
        store(entry + count, asUint(kPlaces + ((x >> 2) << 16 | (y >> 2) << 20)));
        count += kBlockLanes;
    }
};

inline uint32_t lanesOf(uint32_t entry) { return entry & kAllLanes; }

/// A block's place in the target, in blocks.
struct BlockPlace {
    int x, y;  ///< not initialised
};
inline BlockPlace placeOf(const TileBounds& tile, uint32_t entry) {
    return {(tile.minX >> 2) + static_cast<int>(entry >> 16 & 15), (tile.minY >> 2) + static_cast<int>(entry >> 20)};
}

/// Places of a tile's blocks relative to a primitive's origin: blockPosition() with the whole part of the sum done
/// before; all values are multiples of 1/2 below 2^23, so that sums are exact in any order.
class TilePositions {
public:
    TilePositions(const TileBounds& tile, const SetupPrimitive& primitive)
        : first_(blockPosition(primitive, tile.minX / kBlockSize, tile.minY / kBlockSize)) {}
    [[nodiscard]] BlockPosition operator[](uint32_t entry) const {
        return {first_.x + kSteps[entry >> 16 & 15], first_.y + kSteps[entry >> 20]};
    }

private:
    static constexpr float kSteps[kTileBlocks] = {0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60};
    BlockPosition first_;
};

/// The blocks of a surface in a tile.
class TileBlocks {
public:
    TileBlocks(const Surface& surface, const TileBounds& tile)
        : first_(surface.block(tile.minX / kBlockSize, tile.minY / kBlockSize)),
          rowBytes_(int64_t{surface.blocksWide} * surface.blockBytes) {}
    /// Of 32-bit elements.
    [[nodiscard]] uint32_t* operator[](uint32_t entry) const {
        return elements(first_ + (entry >> 20) * rowBytes_ + (entry >> 16 & 15) * sizeof(uint32_t[kBlockLanes]));
    }

private:
    std::byte* first_;
    int64_t rowBytes_;
};

// 1. Coverage

/// Lists the covered blocks outside of `hidden` squares; returns the squares that are covered whole.
uint32_t listBlocks(const TileBounds& tile, const SetupPrimitive& primitive, uint32_t hidden, BlockList& list) {
    const TileCoverage coverage = tileCoverage(primitive, tile.minX, tile.minY, tile.maxX, tile.maxY);
    if (coverage.empty) return 0;
    const auto add = [&](int x, int y, uint32_t lanes) { list.add(x, y, lanes); };
    if (primitive.kind == PrimitiveKind::ThinLine) {
        coverTile(coverage, tile.minX, tile.minY, add);
        return 0;
    }
    uint32_t whole = 0;
    for (int y = coverage.minY & ~15; y <= coverage.maxY; y += 16) {
        for (int x = coverage.minX & ~15; x <= coverage.maxX; x += 16) {
            const uint32_t square = 1u << (y / 4 + x / 16);
            if ((hidden & square) != 0) continue;
            const bool inside = coverage.minX <= x && coverage.minY <= y && coverage.maxX >= x + 15 &&
                                coverage.maxY >= y + 15 && coversSquare(coverage, x, y);
            if (inside) {
                list.addSquare(x, y);
                whole |= square;
            } else {
                coverSquare(coverage, x, y, add);
            }
        }
    }
    return whole;
}

/// The triangle or square at no more than 2x2 blocks of the tile, with a vector of each edge's values. `x`, `y`: first
/// pixel of the first block, relative to the tile; `columns`, `rows`: bits of the pixels within bounds.
template <int kEdges>
void listFewBlocks(const TileBounds& tile, const SetupPrimitive& primitive, int x, int y, uint32_t columns,
                   uint32_t rows, BlockList& list) {
    constexpr int64_t kFar = int64_t{1} << 30;
    I32x16 value[kEdges];
    int32_t stepX[kEdges], stepY[kEdges];
    for (int i = 0; i < kEdges; ++i) {
        const int64_t a = primitive.edge[i].a >> 8, b = primitive.edge[i].b >> 8;
        const int64_t first = a * (tile.minX + x) + b * (tile.minY + y) + (primitive.edge[i].c >> 8);
        // Over eight pixels an edge changes by less than 14 * 2^24 (coverage.h): beyond kFar it says the same of all.
        if (first < -kFar) return;
        const bool accepts = first >= kFar;
        stepX[i] = accepts ? 0 : static_cast<int32_t>(a);
        stepY[i] = accepts ? 0 : static_cast<int32_t>(b);
        value[i] = splat(accepts ? 0 : static_cast<int32_t>(first)) + kLaneX * stepX[i] + kLaneY * stepY[i];
    }
    for (int blockY = 0; rows >> blockY != 0; blockY += kBlockSize) {
        for (int blockX = 0; columns >> blockX != 0; blockX += kBlockSize) {
            I32x16 outside = splat(0);
            for (int i = 0; i < kEdges; ++i) outside |= value[i] + (stepX[i] * blockX + stepY[i] * blockY);
            const uint32_t lanes = toBits(outside >= 0) & gridBits(columns >> blockX & 0xF, rows >> blockY & 0xF);
            if (lanes != 0) list.add(x + blockX, y + blockY, lanes);
        }
    }
}

/// Lists the blocks of a primitive that meets no more than 2x2 of the tile; false: it may meet more.
bool listSmall(const TileBounds& tile, const SetupPrimitive& primitive, BlockList& list) {
    constexpr int kMost = 2 * kBlockSize;
    const int minX = primitive.minX > tile.minX ? primitive.minX - tile.minX : 0;
    const int minY = primitive.minY > tile.minY ? primitive.minY - tile.minY : 0;
    const int maxX = (primitive.maxX < tile.maxX ? primitive.maxX : tile.maxX) - tile.minX;
    const int maxY = (primitive.maxY < tile.maxY ? primitive.maxY : tile.maxY) - tile.minY;
    if (minX > maxX || minY > maxY) return true;
    const int x = minX & -kBlockSize, y = minY & -kBlockSize;
    if (maxX - x >= kMost || maxY - y >= kMost || primitive.edgeCount < 3 || primitive.kind == PrimitiveKind::ThinLine)
        return false;
    const uint32_t columns = (2u << (maxX - x)) - (1u << (minX - x)), rows = (2u << (maxY - y)) - (1u << (minY - y));
    if (primitive.edgeCount == 3)
        listFewBlocks<3>(tile, primitive, x, y, columns, rows, list);
    else
        listFewBlocks<4>(tile, primitive, x, y, columns, rows, list);
    return true;
}

// 2. Early tests

template <Compare kCompare, bool kWrite, int kBits>
void testDepth(const TileBounds& tile, const SetupPrimitive& primitive, TileDraw& draw, BlockList& list) {
    const TileBlocks blocks(draw.depth, tile);
    const TilePositions positions(tile, primitive);
    const Plane plane = primitive.depth;
    const int listed = list.count;
    int count = 0;
    for (int i = 0; i < listed; ++i) {
        const uint32_t entry = list.entry[i];
        uint32_t* block = blocks[entry];
        const I32x16 incoming = quantizeDepthFast<kBits>(evaluate(plane, positions[entry]));
        const I32x16 stored = load<I32x16>(block);
        const Mask16 passes = compare(kCompare, incoming, asInt(asUint(stored) >> 8));
        const uint32_t lanes = toBits(passes) & lanesOf(entry);
        if (lanes == 0) continue;
        if constexpr (kWrite) {
            const I32x16 written = incoming << 8 | (stored & 255);
            store(block, lanes == kAllLanes ? written : select(fromBits(lanes), written, stored));
        }
        list.entry[count++] = (entry & ~kAllLanes) | lanes;
    }
    list.count = count;
}

/// Everything else: stencil, rare depth functions, tests that do not write yet.
void testGeneric(const TileBounds& tile, const SetupPrimitive& primitive, TileDraw& draw, BlockList& list) {
    const bool final = draw.key.order == TestOrder::Early;
    int count = 0;
    for (int i = 0; i < list.count; ++i) {
        const uint32_t entry = list.entry[i];
        const BlockPlace place = placeOf(tile, entry);
        F32x16 depth = splat(0.0f);
        if (draw.key.depthTest) depth = evaluateDepth(primitive, blockPosition(primitive, place.x, place.y));
        const uint32_t lanes =
            toBits(testDepthStencil(draw.key, draw.values, primitive.frontFacing, depth, fromBits(lanesOf(entry)),
                                    depthStencilBlock(draw, place.x, place.y), final));
        if (lanes != 0) list.entry[count++] = (entry & ~kAllLanes) | lanes;
    }
    list.count = count;
}

using TestLoop = void (*)(const TileBounds& tile, const SetupPrimitive& primitive, TileDraw& draw, BlockList& list);

template <bool kWrite, int kBits>
TestLoop depthLoop(Compare function) {
    switch (function) {
        case Compare::Less:
            return testDepth<Compare::Less, kWrite, kBits>;
        case Compare::LessEqual:
            return testDepth<Compare::LessEqual, kWrite, kBits>;
        case Compare::Greater:
            return testDepth<Compare::Greater, kWrite, kBits>;
        case Compare::GreaterEqual:
            return testDepth<Compare::GreaterEqual, kWrite, kBits>;
        case Compare::Equal:
            return testDepth<Compare::Equal, kWrite, kBits>;
        case Compare::Always:
            return testDepth<Compare::Always, kWrite, kBits>;
        default:
            return testGeneric;
    }
}

/// Null: there is nothing to test before the program.
TestLoop chooseTests(const PixelKey& key) {
    if (key.order == TestOrder::Late || (!key.depthTest && !key.stencilTest)) return nullptr;
    if (key.stencilTest || key.order != TestOrder::Early) return testGeneric;
    if (key.depthBits == 24)
        return key.depthWrite ? depthLoop<true, 24>(key.depthCompare) : depthLoop<false, 24>(key.depthCompare);
    return key.depthWrite ? depthLoop<true, 16>(key.depthCompare) : depthLoop<false, 16>(key.depthCompare);
}

// 3. Colour

/// Runs the program over the blocks of one primitive, kBatchBlocks at a time: what each block waits for most (a
/// division, then the program, then the conversion of its results) is done for all of them before the next step.
class BlockShader {
public:
    /// `blocks`: how many will be shaded.
    BlockShader(const TileBounds& tile, const SetupPrimitive& primitive, const Plane* planes, TileDraw& draw,
                int blocks)
        : tile_(tile),
          primitive_(primitive),
          planes_(planes),
          draw_(draw),
          components_(*draw.components),
          batch_(*draw.batch),
          positions_(tile, primitive),
          function_(draw.code.function),
          quads_(draw.quads) {
        run_.constants = reinterpret_cast<const float*>(draw.constants);
        run_.sample = draw.sampleBlock != nullptr ? draw.sampleBlock : draw.code.sample;
        run_.textures = draw.textures;
        run_.budget = kGroupInstructionBudget;
        run_.hasQuads = 1;
        if (components_.count != 0 && blocks > kManyBlocks) lookAtPlanes();
    }

    /// Afterwards lanes() and color() answer for the blocks of the entries, count <= kBatchBlocks.
    void run(const uint32_t* entries, int count) {
        if (components_.count != 0 || draw_.specialMask != 0) {
            alignas(64) BlockPosition at[kBatchBlocks];
            for (int i = 0; i < count; ++i) at[i] = positions_[entries[i]];
            if ((count & 1) != 0) at[count] = at[0];
            if (components_.count != 0) interpolate(at, count);
            for (int i = 0; i < count && draw_.specialMask != 0; ++i) fillBlockSpecials(i, entries[i], at[i]);
        }
        uint64_t fragments = 0, instructions = 0;
        for (int i = 0; i < count; ++i) {
            lanes_[i] = 0;
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
    }

    /// As if the program had run for `blocks` more blocks like the last one.
    void repeat(int blocks, uint64_t fragments) {
        fragments_ += fragments;
        instructions_ += run_.instructions * static_cast<uint64_t>(blocks);
    }

    /// Lanes that live on.
    [[nodiscard]] uint32_t lanes(int block) const { return lanes_[block]; }
    [[nodiscard]] ColorBlock color(int block, int target) const {
        return programColor(registers(block).outputs, target, firstLane(block));
    }
    [[nodiscard]] F32x16 depth(int block) const {
        return load<F32x16>(registers(block).outputs[isa::kOutDepth].lane[0] + firstLane(block));
    }

private:
    static constexpr int kManyBlocks = 6;  ///< more are worth a look at their planes

    [[nodiscard]] BlockRegisters& registers(int block) const { return batch_.registers[block >> 1]; }
    static int firstLane(int block) { return (block & 1) * kBlockLanes; }
    [[nodiscard]] float* inputs(int block) const { return registers(block).inputs[0].lane[0] + firstLane(block); }

    void interpolate(const BlockPosition* at, int count) {
        alignas(64) F32x16 w[kBatchBlocks];
        if ((count & 1) != 0) w[count] = w_;
        if (isConstantW_) {
            for (int i = 0; i < count; ++i) w[i] = w_;
        } else {
            for (int i = 0; i < count; ++i) w[i] = evaluateW(primitive_, at[i]);
        }
        return isTame_ ? interpolateAll<true>(at, w, count) : interpolateAll<false>(at, w, count);
    }

    /// For an odd count also the block after the last, which nobody looks at.
    template <bool kTame>
    void interpolateAll(const BlockPosition* at, const F32x16* w, int count) {
        constexpr int kPairFloats = sizeof(BlockRegisters) / sizeof(float);
        float* const first = inputs(0);
        const auto value = [&](const Plane& plane, int i) {
            return kTame ? evaluate(plane, at[i]) * w[i] : evaluateAttribute(plane, at[i], w[i]);
        };
        for (int component = 0; component < components_.count; ++component) {
            const Plane plane = planes_[components_.plane[component]];
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
        constexpr float kLarge = 0x1p60f, kSmall = 0x1p-60f;
        const auto moderate = [](float x) { return std::abs(x) < kLarge; };
        const auto moderatePlane = [&](const Plane& p) { return moderate(p.base) && moderate(p.dx) && moderate(p.dy); };
        isTame_ = moderatePlane(primitive_.inverseW);
        for (int i = 0; i < components_.count; ++i) isTame_ &= moderatePlane(planes_[components_.plane[i]]);
        const I32x16 right = (kLaneX & 1) * (kTileSize - 1), top = (kLaneY & 1) * (kTileSize - 1);
        const BlockPosition corners = {toFloat(splat(tile_.minX - primitive_.originX) + right) + 0.5f,
                                       toFloat(splat(tile_.minY - primitive_.originY) + top) + 0.5f};
        const F32x16 inverse = evaluate(primitive_.inverseW, corners);
        isTame_ &= toBits((inverse > kSmall) & (inverse < kLarge)) == kAllLanes;
        // Exact: fma(0, x, base) is base, which is not 0.
        isConstantW_ = isTame_ && primitive_.inverseW.dx == 0 && primitive_.inverseW.dy == 0;
        if (isConstantW_) w_ = 1.0f / inverse;
    }

    [[gnu::noinline]] void fillBlockSpecials(int i, uint32_t entry, const BlockPosition& at) {
        const BlockPlace place = placeOf(tile_, entry);
        PendingBlock block;
        block.blockX = place.x, block.blockY = place.y;
        block.primitive = &primitive_;
        if (reads(draw_, isa::Special::FragCoord)) store(block.depth, evaluateDepth(primitive_, at));
        fillSpecials(draw_, block, at, firstLane(i), registers(i).specials);
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
            run_.launch = wholeQuads(lanes);
            run_.helper = run_.launch & ~lanes;
        }
        function_(&run_);
        if (run_.instructions > kGroupInstructionBudget) {
            // The rest of the draw is left out here, or the tile would take hours.
            draw_.stats.budgetExceeded = true;
            return false;
        }
        lanes_[i] = lanes & ~run_.kill;
        return true;
    }

    const TileBounds tile_;
    const SetupPrimitive& primitive_;
    const Plane* const planes_;
    TileDraw& draw_;
    const InputComponents& components_;
    BlockBatch& batch_;
    const TilePositions positions_;
    const isa::BlockFunction function_;
    const bool quads_;
    isa::BlockRun run_;
    uint32_t lanes_[kBatchBlocks];
    bool isTame_ = false, isConstantW_ = false;
    F32x16 w_ = {};
    uint64_t fragments_ = 0, instructions_ = 0;
};

/// A program that gives all pixels one colour runs once.
template <class Finish>
void colorConstant(const TileBounds& tile, TileDraw& draw, BlockShader& shader, const Finish& finish,
                   const BlockList& list) {
    const TileBlocks blocks(draw.color[0], tile);
    shader.run(list.entry, 1);
    if (shader.lanes(0) == 0) return;
    // Lanes that were not launched hold anything: take one that was.
    const int lane = __builtin_ctz(shader.lanes(0));
    ColorBlock color = shader.color(0, 0);
    for (F32x16& channel : color.channel) channel = splat(static_cast<float>(channel[lane]));
    const typename Finish::Source source = finish.prepare(color);
    uint64_t fragments = 0;
    for (int i = 0; i < list.count; ++i) {
        finish.write(blocks[list.entry[i]], source, lanesOf(list.entry[i]));
        fragments += static_cast<uint64_t>(__builtin_popcount(lanesOf(list.entry[i])));
    }
    shader.repeat(list.count - 1, fragments - static_cast<uint64_t>(__builtin_popcount(lanesOf(list.entry[0]))));
}

/// One normalised target of eight bits a channel, early tests.
template <class Finish>
void colorFast(const TileBounds& tile, TileDraw& draw, BlockShader& shader, const BlockList& list) {
    const TileBlocks blocks(draw.color[0], tile);
    const Finish finish(draw.key, draw.values);
    if (draw.constantColor) return colorConstant(tile, draw, shader, finish, list);
    for (int first = 0; first < list.count && !draw.stats.budgetExceeded; first += kBatchBlocks) {
        const int count = list.count - first < kBatchBlocks ? list.count - first : kBatchBlocks;
        shader.run(list.entry + first, count);
        for (int i = 0; i < count; ++i) {
            if (shader.lanes(i) == 0) continue;
            finish.write(blocks[list.entry[first + i]], finish.prepare(shader.color(i, 0)), shader.lanes(i));
        }
    }
}

/// Late tests and every target of a shaded block.
void mergeShaded(TileDraw& draw, const BlockShader& shader, const SetupPrimitive& primitive, int block,
                 BlockPlace place) {
    uint32_t lanes = shader.lanes(block);
    if (draw.key.order != TestOrder::Early) {
        const F32x16 depth = draw.writesDepth ? shader.depth(block)
                                              : evaluateDepth(primitive, blockPosition(primitive, place.x, place.y));
        lanes = toBits(testDepthStencil(draw.key, draw.values, primitive.frontFacing, depth, fromBits(lanes),
                                        depthStencilBlock(draw, place.x, place.y), true));
        draw.samples += static_cast<uint64_t>(__builtin_popcount(lanes));
        if (lanes == 0) return;
    }
    const Mask16 coverage = fromBits(lanes);
    for (int target = 0; target < kMaxColorTargets; ++target) {
        const ColorLayout& layout = draw.key.color[target];
        if (!layout.present) continue;
        writeColor(draw.key, draw.values, layout, draw.color[target].block(place.x, place.y),
                   shader.color(block, draw.key.broadcastColor ? 0 : target), coverage);
    }
}

/// All states.
void colorGeneric(const TileBounds& tile, TileDraw& draw, BlockShader& shader, const SetupPrimitive& primitive,
                  const BlockList& list) {
    for (int first = 0; first < list.count && !draw.stats.budgetExceeded; first += kBatchBlocks) {
        const int count = list.count - first < kBatchBlocks ? list.count - first : kBatchBlocks;
        shader.run(list.entry + first, count);
        for (int i = 0; i < count; ++i) {
            if (shader.lanes(i) != 0) mergeShaded(draw, shader, primitive, i, placeOf(tile, list.entry[first + i]));
        }
    }
}

/// Colour of the listed blocks of one primitive.
void shadeBlocks(const TileBounds& tile, const SetupPrimitive& primitive, const Plane* planes, TileDraw& draw,
                 const BlockList& list) {
    BlockShader shader(tile, primitive, planes, draw, list.count);
    const auto fast = [&]<class Finish>() { colorFast<Finish>(tile, draw, shader, list); };
    if (!withFinish(draw.finish, fast)) colorGeneric(tile, draw, shader, primitive, list);
    shader.finish();
}

// 4. Waiting pixels

/// Primitives of at least so many blocks in the tile wait; smaller ones are shaded at once, as they hide little.
constexpr int kDeferredBlocks = 32;

using Numbers = uint8_t __attribute__((ext_vector_type(16)));

inline uint32_t equalLanes(Numbers a, Numbers b) {
    using Bool16 = bool __attribute__((ext_vector_type(16)));
    return __builtin_bit_cast(uint16_t, __builtin_convertvector(a == b, Bool16));
}

/// Writes `number` for the listed pixels.
void markPixels(DeferredPixels& deferred, const BlockList& list, int number) {
    const Numbers value = static_cast<uint8_t>(number);
    for (int i = 0; i < list.count; ++i) {
        uint8_t* place = deferred.number[list.entry[i] >> 16];
        if (lanesOf(list.entry[i]) == kAllLanes) {
            std::memcpy(place, &value, sizeof value);
            continue;
        }
        for (uint32_t left = lanesOf(list.entry[i]); left != 0; left &= left - 1) {
            place[__builtin_ctz(left)] = static_cast<uint8_t>(number);
        }
    }
}

/// Shades all pixels that wait, primitive by primitive along the rows of the tile.
void shadeDeferred(const TileBounds& tile, TileDraw& draw) {
    DeferredPixels& deferred = *draw.deferred;
    BlockList list;
    int current = 0;
    const auto shade = [&] {
        if (list.count != 0 && !draw.stats.budgetExceeded)
            shadeBlocks(tile, *deferred.primitive[current], deferred.planes[current], draw, list);
        list.count = 0;
    };
    const Numbers none = {};
    for (uint32_t block = 0; block < kTileBlocks * kTileBlocks; ++block) {
        Numbers numbers;
        std::memcpy(&numbers, deferred.number[block], sizeof numbers);
        uint32_t left = kAllLanes & ~equalLanes(numbers, none);
        if (left == 0) continue;
        std::memset(deferred.number[block], 0, sizeof numbers);
        while (left != 0) {
            const int number = numbers[__builtin_ctz(left)];
            const uint32_t lanes = equalLanes(numbers, Numbers(static_cast<uint8_t>(number)));
            if (number != current) shade();
            current = number;
            list.entry[list.count++] = lanes | block << 16;
            left &= ~lanes;
        }
    }
    shade();
    deferred.count = 0;
}

/// Whether the primitive's listed pixels wait. If not, nothing that waited in them is seen any more.
bool defer(const TileBounds& tile, const SetupPrimitive& primitive, const Plane* planes, TileDraw& draw,
           const BlockList& list) {
    DeferredPixels& deferred = *draw.deferred;
    if (list.count < kDeferredBlocks) {
        if (deferred.count != 0) markPixels(deferred, list, 0);
        return false;
    }
    if (deferred.count == DeferredPixels::kMaxPrimitives) shadeDeferred(tile, draw);
    const int number = ++deferred.count;
    deferred.primitive[number] = &primitive;
    deferred.planes[number] = planes;
    markPixels(deferred, list, number);
    return true;
}

/// Tests and colours the listed blocks, of which there are some.
template <class Tested>
void drawListed(const TileBounds& tile, const SetupPrimitive& primitive, const Plane* planes, TileDraw& draw,
                BlockList& list, const Tested& tested) {
    if (const TestLoop test = chooseTests(draw.key); test != nullptr) {
        test(tile, primitive, draw, list);
        tested();
        if (list.count == 0) return;
    }
    if (draw.countsSamples && draw.key.order == TestOrder::Early) {
        for (int i = 0; i < list.count; ++i) draw.samples += __builtin_popcount(lanesOf(list.entry[i]));
    }
    if (!draw.shade) return;
    if (draw.deferred != nullptr && defer(tile, primitive, planes, draw, list)) return;
    shadeBlocks(tile, primitive, planes, draw, list);
}

}  // namespace

void drawBlocks(const TileBounds& tile, const SetupPrimitive& primitive, const Plane* planes, TileDraw& draw,
                FragmentGroup&) {
    if (draw.stats.budgetExceeded) return;
    BlockList list;
    if (listSmall(tile, primitive, list)) {
        if (list.count != 0) drawListed(tile, primitive, planes, draw, list, [] {});
        return;
    }
    const SquareDepths depths(draw, primitive, tile);
    const uint32_t whole = listBlocks(tile, primitive, depths.hidden(), list);
    if (list.count != 0) drawListed(tile, primitive, planes, draw, list, [&] { depths.note(whole); });
}

void finishBlocks(const TileBounds& tile, TileDraw& draw) { shadeDeferred(tile, draw); }

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
