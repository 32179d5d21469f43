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
// A primitive meets a block at most once, so the loops may follow each other. Where all tests come before the colour,
// and the program does not read last colours, small primitives of a draw go through them together: each loop takes the
// blocks in the order of the primitives, so a pixel sees what it would have seen one by one, but there are long loops
// instead of many short ones, whose ends a processor cannot foresee. Bytes are those of raster_tile_simd.cpp, which
// serves the interpreter and is the reference: raster_blocks_test.cpp compares the two in random states. Compiled once
// for each SIMD level.
#include "pipeline/pixel/pixel_fast.h"
#include "pipeline/raster/coverage.h"
#include "pipeline/raster/fragment_group.h"
#include "pipeline/raster/raster_kernels.h"
#include "pipeline/raster/tile_depth.h"

namespace tessera::pipeline {

inline namespace TESSERA_SIMD {

namespace {

constexpr int kTileBlocks = kTileSize / kBlockSize;
constexpr uint32_t kAllLanes = 0xFFFF;
/// Blocks of a primitive that counts as small.
constexpr int kMostSmallBlocks = 4;
static_assert(kRunPrimitives * kMostSmallBlocks <= kTileBlocks * kTileBlocks && kRunPrimitives <= 256);

/// Covered blocks of primitives in a tile: lanes in bits 0..15, then the block's column and row in the tile.
struct BlockList {
    int count = 0;
    alignas(64) uint32_t entry[kTileBlocks * kTileBlocks + kBlockLanes];

    /// Nothing without lanes, but without a branch.
    void addIfAny(int x, int y, uint32_t lanes) {
        entry[count] = lanes | static_cast<uint32_t>(x >> 2) << 16 | static_cast<uint32_t>(y >> 2) << 20;
        count += lanes != 0 ? 1 : 0;
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

// Whose blocks a list holds. Both classes answer by number in the list.

/// All one primitive's.
class OnePrimitive {
public:
    OnePrimitive(const TileBounds& tile, const PlacedPrimitive& placed)
        : placed_(placed), positions_(tile, *placed.setup) {}
    static constexpr bool kIsRun = false;
    [[nodiscard]] const SetupPrimitive& primitive(int) const { return *placed_.setup; }
    [[nodiscard]] const Plane* planes(int) const { return placed_.planes; }
    [[nodiscard]] BlockPosition position(int, uint32_t entry) const { return positions_[entry]; }
    void move(int, int) const {}

private:
    const PlacedPrimitive& placed_;
    const TilePositions positions_;
};

/// Those of up to kRunPrimitives small primitives.
class PrimitiveRun {
public:
    PrimitiveRun(const TileBounds& tile, const PlacedPrimitive* placed)
        : placed_(placed), firstX_(tile.minX / kBlockSize), firstY_(tile.minY / kBlockSize) {}
    static constexpr bool kIsRun = true;
    [[nodiscard]] const SetupPrimitive& primitive(int i) const { return *placed_[number_[i]].setup; }
    [[nodiscard]] const Plane* planes(int i) const { return placed_[number_[i]].planes; }
    [[nodiscard]] BlockPosition position(int i, uint32_t entry) const {
        return blockPosition(primitive(i), firstX_ + static_cast<int>(entry >> 16 & 15),
                             firstY_ + static_cast<int>(entry >> 20));
    }
    /// Block `from` becomes number `to`.
    void move(int from, int to) { number_[to] = number_[from]; }
    /// The next kMostSmallBlocks blocks are those of the primitive, or of the one named after it.
    void name(int block, int primitive) {
        const auto number = static_cast<uint8_t>(primitive);
        for (int i = 0; i < kMostSmallBlocks; ++i) number_[block + i] = number;
    }

private:
    const PlacedPrimitive* const placed_;
    const int firstX_, firstY_;
    uint8_t number_[(kRunPrimitives + 1) * kMostSmallBlocks];
};

// 1. Coverage

/// Lists the covered blocks outside of `hidden` squares; returns the squares that are covered whole.
uint32_t listBlocks(const TileBounds& tile, const SetupPrimitive& primitive, uint32_t hidden, BlockList& list) {
    const TileCoverage coverage = tileCoverage(primitive, tile.minX, tile.minY, tile.maxX, tile.maxY);
    if (coverage.empty) return 0;
    const auto add = [&](int x, int y, uint32_t lanes) { list.addIfAny(x, y, lanes); };
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
    const auto add = [&](int blockX, int blockY) {
        I32x16 outside = splat(0);
        for (int i = 0; i < kEdges; ++i) outside |= value[i] + (stepX[i] * blockX + stepY[i] * blockY);
        list.addIfAny(x + blockX, y + blockY,
                      toBits(outside >= 0) & gridBits(columns >> blockX & 0xF, rows >> blockY & 0xF));
    };
    add(0, 0);
    if ((columns | rows) < 1u << kBlockSize) return;
    add(kBlockSize, 0);
    add(0, kBlockSize);
    add(kBlockSize, kBlockSize);
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

template <Compare kCompare, bool kWrite, int kBits, class Source>
void testDepth(const TileBounds& tile, Source& source, TileDraw& draw, BlockList& list) {
    const TileBlocks blocks(draw.depth, tile);
    Plane plane;
    if constexpr (!Source::kIsRun) plane = source.primitive(0).depth;
    const int listed = list.count;
    int count = 0;
    for (int i = 0; i < listed; ++i) {
        const uint32_t entry = list.entry[i];
        uint32_t* block = blocks[entry];
        if constexpr (Source::kIsRun) plane = source.primitive(i).depth;
        const I32x16 incoming = quantizeDepthFast<kBits>(evaluate(plane, source.position(i, entry)));
        const I32x16 stored = load<I32x16>(block);
        const Mask16 passes = compare(kCompare, incoming, asInt(asUint(stored) >> 8));
        const uint32_t lanes = toBits(passes) & lanesOf(entry);
        if (!Source::kIsRun && lanes == 0) continue;
        if constexpr (kWrite) {
            const I32x16 written = incoming << 8 | (stored & 255);
            const bool isWhole = !Source::kIsRun && lanes == kAllLanes;
            store(block, isWhole ? written : select(fromBits(lanes), written, stored));
        }
        source.move(i, count);
        list.entry[count] = (entry & ~kAllLanes) | lanes;
        count += !Source::kIsRun || lanes != 0 ? 1 : 0;
    }
    list.count = count;
}

/// Everything else: stencil, rare depth functions, tests that do not write yet.
template <class Source>
void testGeneric(const TileBounds& tile, Source& source, TileDraw& draw, BlockList& list) {
    const bool final = draw.key.order == TestOrder::Early;
    int count = 0;
    for (int i = 0; i < list.count; ++i) {
        const uint32_t entry = list.entry[i];
        const BlockPlace place = placeOf(tile, entry);
        const SetupPrimitive& primitive = source.primitive(i);
        F32x16 depth = splat(0.0f);
        if (draw.key.depthTest) depth = evaluateDepth(primitive, blockPosition(primitive, place.x, place.y));
        const uint32_t lanes =
            toBits(testDepthStencil(draw.key, draw.values, primitive.frontFacing, depth, fromBits(lanesOf(entry)),
                                    depthStencilBlock(draw, place.x, place.y), final));
        if (lanes == 0) continue;
        source.move(i, count);
        list.entry[count++] = (entry & ~kAllLanes) | lanes;
    }
    list.count = count;
}

template <class Source>
using TestLoop = void (*)(const TileBounds& tile, Source& source, TileDraw& draw, BlockList& list);

template <bool kWrite, int kBits, class Source>
TestLoop<Source> depthLoop(Compare function) {
    switch (function) {
        case Compare::Less:
            return testDepth<Compare::Less, kWrite, kBits, Source>;
        case Compare::LessEqual:
            return testDepth<Compare::LessEqual, kWrite, kBits, Source>;
        case Compare::Greater:
            return testDepth<Compare::Greater, kWrite, kBits, Source>;
        case Compare::GreaterEqual:
            return testDepth<Compare::GreaterEqual, kWrite, kBits, Source>;
        case Compare::Equal:
            return testDepth<Compare::Equal, kWrite, kBits, Source>;
        case Compare::Always:
            return testDepth<Compare::Always, kWrite, kBits, Source>;
        default:
            return testGeneric<Source>;
    }
}

/// Null: there is nothing to test before the program.
template <class Source>
TestLoop<Source> chooseTests(const PixelKey& key) {
    if (key.order == TestOrder::Late || (!key.depthTest && !key.stencilTest)) return nullptr;
    if (key.stencilTest || key.order != TestOrder::Early) return testGeneric<Source>;
    if (key.depthBits == 24)
        return key.depthWrite ? depthLoop<true, 24, Source>(key.depthCompare)
                              : depthLoop<false, 24, Source>(key.depthCompare);
    return key.depthWrite ? depthLoop<true, 16, Source>(key.depthCompare)
                          : depthLoop<false, 16, Source>(key.depthCompare);
}

// 3. Colour

/// Runs the program over listed blocks, kBatchBlocks at a time: what each block waits for most (a
/// division, then the program, then the conversion of its results) is done for all of them before the next step.
template <class Source>
class BlockShader {
public:
    BlockShader(const TileBounds& tile, const Source& source, TileDraw& draw, const BlockList& list)
        : tile_(tile),
          source_(source),
          draw_(draw),
          list_(list),
          components_(*draw.components),
          batch_(*draw.batch),
          function_(draw.code.function),
          pair_(draw.code.pair),
          quads_(draw.quads) {
        run_.constants = reinterpret_cast<const float*>(draw.constants);
        run_.sample = draw.sampleBlock != nullptr ? draw.sampleBlock : draw.code.sample;
        run_.textures = draw.textures;
        run_.budget = instructionBudget();
        run_.hasQuads = 1;
        if (!Source::kIsRun && components_.count != 0 && list.count > kManyBlocks) lookAtPlanes();
    }

    /// Blocks first .. first + count - 1 of the list, count <= kBatchBlocks. Afterwards lanes(), color() and sources()
    /// answer for them, numbered from 0.
    void run(int first, int count) {
        draw_.lookAtStop();
        const uint32_t* entries = list_.entry + first;
        if (components_.count != 0 || draw_.specialMask != 0) {
            alignas(64) BlockPosition at[kBatchBlocks];
            for (int i = 0; i < count; ++i) at[i] = source_.position(first + i, entries[i]);
            if (components_.count != 0) interpolate(first, at, count);
            for (int i = 0; i < count && draw_.specialMask != 0; ++i) {
                fillBlockSpecials(i, source_.primitive(first + i), entries[i], at[i]);
            }
        }
        for (int i = 0; i < count && draw_.lastColorMask != 0; ++i) {
            const BlockPlace place = placeOf(tile_, entries[i]);
            fillLastColors(draw_, place.x, place.y, 0, firstLane(i), registers(i).inputs);
        }
        uint64_t fragments = 0, instructions = 0;
        for (int i = 0; i < count; ++i) {
            lanes_[i] = 0;
            if (pair_ != nullptr && i + 1 < count && (i & 1) == 0) {
                shadePair(i);
                lanes_[i] = lanesOf(entries[i]), lanes_[i + 1] = lanesOf(entries[i + 1]);
                fragments += static_cast<uint64_t>(__builtin_popcount(lanes_[i] | lanes_[i + 1] << 16));
                instructions += 2 * run_.instructions;
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
    }

    /// As if the program had run for `blocks` more blocks like the last one.
    void repeat(int blocks, uint64_t fragments) {
        fragments_ += fragments;
        instructions_ += run_.instructions * static_cast<uint64_t>(blocks);
    }

    /// Lanes that live on.
    [[nodiscard]] uint32_t lanes(int block) const { return lanes_[block]; }
    [[nodiscard]] ColorBlock color(int block) const {
        return programColor(registers(block).outputs, isa::kOutColor0, firstLane(block));
    }
    [[nodiscard]] SourceColors sources(int block, int target) const {
        return sourceColors(draw_.key, registers(block).outputs, target, firstLane(block));
    }
    [[nodiscard]] F32x16 depth(int block) const {
        return load<F32x16>(registers(block).outputs[isa::kOutDepth].lane[0] + firstLane(block));
    }

private:
    static constexpr int kManyBlocks = 6;  ///< more are worth a look at their planes

    [[nodiscard]] BlockRegisters& registers(int block) const { return batch_.registers[block >> 1]; }
    static int firstLane(int block) { return (block & 1) * kBlockLanes; }
    [[nodiscard]] float* inputs(int block) const { return registers(block).inputs[0].lane[0] + firstLane(block); }

    void interpolate(int first, BlockPosition* at, int count) {
        if constexpr (Source::kIsRun) return interpolateEach(first, at, count);
        alignas(64) F32x16 w[kBatchBlocks];
        if ((count & 1) != 0) at[count] = at[0], w[count] = w_;
        if (isConstantW_) {
            for (int i = 0; i < count; ++i) w[i] = w_;
        } else {
            for (int i = 0; i < count; ++i) w[i] = evaluateW(source_.primitive(0), at[i]);
        }
        return isTame_ ? interpolateAll<true>(at, w, count) : interpolateAll<false>(at, w, count);
    }

    /// Blocks of different primitives.
    void interpolateEach(int first, const BlockPosition* at, int count) {
        for (int i = 0; i < count; ++i) {
            const F32x16 w = evaluateW(source_.primitive(first + i), at[i]);
            const Plane* planes = source_.planes(first + i);
            float* input = inputs(i);
            for (int component = 0; component < components_.count; ++component) {
                const Plane& plane = planes[components_.plane[component]];
                store(input + components_.offset[component], evaluateAttribute(plane, at[i], w));
            }
        }
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
            const Plane plane = source_.planes(0)[components_.plane[component]];
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
        for (int i = 0; i < components_.count; ++i) isTame_ &= moderatePlane(planes[components_.plane[i]]);
        const I32x16 right = (kLaneX & 1) * (kTileSize - 1), top = (kLaneY & 1) * (kTileSize - 1);
        const BlockPosition corners = {toFloat(splat(tile_.minX - primitive.originX) + right) + 0.5f,
                                       toFloat(splat(tile_.minY - primitive.originY) + top) + 0.5f};
        const F32x16 inverse = evaluate(primitive.inverseW, corners);
        isTame_ &= toBits((inverse > kSmall) & (inverse < kLarge)) == kAllLanes;
        // Exact: fma(0, x, base) is base, which is not 0.
        isConstantW_ = isTame_ && primitive.inverseW.dx == 0 && primitive.inverseW.dy == 0;
        if (isConstantW_) w_ = 1.0f / inverse;
    }

    [[gnu::noinline]] void fillBlockSpecials(int i, const SetupPrimitive& primitive, uint32_t entry,
                                             const BlockPosition& at) {
        const BlockPlace place = placeOf(tile_, entry);
        PendingBlock block;
        block.blockX = place.x, block.blockY = place.y;
        block.primitive = &primitive;
        if (reads(draw_, isa::Special::FragCoord)) store(block.depth, evaluateDepth(primitive, at));
        fillSpecials(draw_, block, at, firstLane(i), registers(i).specials);
    }

    /// Blocks i and i + 1 at once, i being even.
    void shadePair(int i) {
        BlockRegisters& registers = this->registers(i);
        run_.inputs = registers.inputs[0].lane[0];
        run_.outputs = registers.outputs[0].lane[0];
        run_.specials = registers.specials[0].lane[0];
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
            run_.launch = wholeQuads(lanes);
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

    const TileBounds tile_;
    const Source& source_;
    TileDraw& draw_;
    const BlockList& list_;
    const InputComponents& components_;
    BlockBatch& batch_;
    const isa::BlockFunction function_, pair_;
    const bool quads_;
    isa::BlockRun run_;
    uint32_t lanes_[kBatchBlocks];
    bool isTame_ = false, isConstantW_ = false;
    F32x16 w_ = {};
    uint64_t fragments_ = 0, instructions_ = 0;
};

/// A program that gives all pixels one colour runs once.
template <class Finish, class Source>
void colorConstant(const TileBounds& tile, TileDraw& draw, BlockShader<Source>& shader, const Finish& finish,
                   const BlockList& list) {
    const TileBlocks blocks(draw.color[0], tile);
    shader.run(0, 1);
    if (shader.lanes(0) == 0) return;
    // Lanes that were not launched hold anything: take one that was.
    const int lane = __builtin_ctz(shader.lanes(0));
    ColorBlock color = shader.color(0);
    for (F32x16& channel : color.channel) channel = splat(static_cast<float>(channel[lane]));
    const typename Finish::Source prepared = finish.prepare(color);
    uint64_t fragments = 0;
    for (int i = 0; i < list.count; ++i) {
        finish.write(blocks[list.entry[i]], prepared, lanesOf(list.entry[i]));
        fragments += static_cast<uint64_t>(__builtin_popcount(lanesOf(list.entry[i])));
    }
    shader.repeat(list.count - 1, fragments - static_cast<uint64_t>(__builtin_popcount(lanesOf(list.entry[0]))));
}

/// One normalised target of eight bits a channel, early tests.
template <class Finish, class Source>
void colorFast(const TileBounds& tile, TileDraw& draw, BlockShader<Source>& shader, const BlockList& list) {
    const TileBlocks blocks(draw.color[0], tile);
    const Finish finish(draw.key, draw.values);
    if (draw.constantColor) return colorConstant(tile, draw, shader, finish, list);
    for (int first = 0; first < list.count && !draw.stats.budgetExceeded; first += kBatchBlocks) {
        const int count = list.count - first < kBatchBlocks ? list.count - first : kBatchBlocks;
        shader.run(first, count);
        for (int i = 0; i < count; ++i) {
            if (shader.lanes(i) == 0) continue;
            finish.write(blocks[list.entry[first + i]], finish.prepare(shader.color(i)), shader.lanes(i));
        }
    }
}

/// Late tests and every target of a shaded block.
template <class Source>
void mergeShaded(TileDraw& draw, const BlockShader<Source>& shader, const SetupPrimitive& primitive, int block,
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
                   shader.sources(block, target), coverage);
    }
}

/// All states.
template <class Source>
void colorGeneric(const TileBounds& tile, TileDraw& draw, BlockShader<Source>& shader, const Source& source,
                  const BlockList& list) {
    for (int first = 0; first < list.count && !draw.stats.budgetExceeded; first += kBatchBlocks) {
        const int count = list.count - first < kBatchBlocks ? list.count - first : kBatchBlocks;
        shader.run(first, count);
        for (int i = 0; i < count; ++i) {
            if (shader.lanes(i) == 0) continue;
            mergeShaded(draw, shader, source.primitive(first + i), i, placeOf(tile, list.entry[first + i]));
        }
    }
}

/// Colour of the listed blocks.
template <class Source>
void shadeBlocks(const TileBounds& tile, const Source& source, TileDraw& draw, const BlockList& list) {
    BlockShader<Source> shader(tile, source, draw, list);
    const auto fast = [&]<class Finish>() { colorFast<Finish>(tile, draw, shader, list); };
    if (!withFinish(draw.finish, fast)) colorGeneric(tile, draw, shader, source, list);
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
            shadeBlocks(tile, OnePrimitive(tile, deferred.primitive[current]), draw, list);
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
bool defer(const TileBounds& tile, const PlacedPrimitive& placed, TileDraw& draw, const BlockList& list) {
    DeferredPixels& deferred = *draw.deferred;
    if (list.count < kDeferredBlocks) {
        if (deferred.count != 0) markPixels(deferred, list, 0);
        return false;
    }
    if (deferred.count == DeferredPixels::kMaxPrimitives) shadeDeferred(tile, draw);
    const int number = ++deferred.count;
    deferred.primitive[number] = placed;
    markPixels(deferred, list, number);
    return true;
}

// 5. Primitives

void countSamples(TileDraw& draw, const BlockList& list) {
    if (!draw.countsSamples || draw.key.order != TestOrder::Early) return;
    for (int i = 0; i < list.count; ++i) draw.samples += __builtin_popcount(lanesOf(list.entry[i]));
}

/// Tests and colours the listed blocks of one primitive, of which there are some.
template <class Tested>
void drawListed(const TileBounds& tile, const PlacedPrimitive& placed, TileDraw& draw, BlockList& list,
                const Tested& tested) {
    OnePrimitive source(tile, placed);
    if (const auto test = chooseTests<OnePrimitive>(draw.key); test != nullptr) {
        test(tile, source, draw, list);
        tested();
        if (list.count == 0) return;
    }
    countSamples(draw, list);
    if (!draw.shade) return;
    if (draw.deferred != nullptr && defer(tile, placed, draw, list)) return;
    shadeBlocks(tile, source, draw, list);
}

/// Asks for the memory of the listed blocks, which nobody may have touched in this scene.
void prefetchBlocks(const TileBounds& tile, const TileDraw& draw, const BlockList& list) {
    const TileBlocks depth(draw.depth, tile), color(draw.color[0], tile);
    const bool hasDepth = draw.key.depthTest, hasColor = draw.finish != FinishKind::Generic;
    for (int i = 0; i < list.count; ++i) {
        if (hasDepth) __builtin_prefetch(depth[list.entry[i]]);
        if (hasColor) __builtin_prefetch(color[list.entry[i]]);
    }
}

/// The same for small primitives together.
void drawRun(const TileBounds& tile, PrimitiveRun& source, TileDraw& draw, BlockList& list) {
    prefetchBlocks(tile, draw, list);
    if (const auto test = chooseTests<PrimitiveRun>(draw.key); test != nullptr) test(tile, source, draw, list);
    countSamples(draw, list);
    if (!draw.shade || list.count == 0) return;
    if (draw.deferred != nullptr && draw.deferred->count != 0) markPixels(*draw.deferred, list, 0);
    shadeBlocks(tile, source, draw, list);
}

void drawLarge(const TileBounds& tile, const PlacedPrimitive& placed, TileDraw& draw, BlockList& list) {
    const SquareDepths depths(draw, *placed.setup, tile);
    const uint32_t whole = listBlocks(tile, *placed.setup, depths.hidden(), list);
    if (list.count != 0) drawListed(tile, placed, draw, list, [&] { depths.note(whole); });
}

}  // namespace

void drawBlocks(const TileBounds& tile, const PlacedPrimitive* placed, int count, TileDraw& draw) {
    BlockList list;
    PrimitiveRun run(tile, placed);
    const bool together = draw.key.order == TestOrder::Early && draw.lastColorMask == 0;
    for (int i = 0; i < count && !draw.stats.budgetExceeded; ++i) {
        run.name(list.count, i);
        const bool isSmall = listSmall(tile, *placed[i].setup, list);
        if (isSmall && together) continue;
        if (list.count != 0 && isSmall) drawListed(tile, placed[i], draw, list, [] {});
        if (list.count != 0 && !isSmall) drawRun(tile, run, draw, list);
        list.count = 0;
        if (!isSmall && !draw.stats.budgetExceeded) drawLarge(tile, placed[i], draw, list);
        list.count = 0;
    }
    if (list.count != 0 && !draw.stats.budgetExceeded) drawRun(tile, run, draw, list);
}

void finishBlocks(const TileBounds& tile, TileDraw& draw) { shadeDeferred(tile, draw); }

}  // namespace TESSERA_SIMD

}  // namespace tessera::pipeline
