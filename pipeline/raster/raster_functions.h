// Between raster.cpp (compiled once: walks a tile's commands) and what is compiled for each SIMD level, everything per
// block: raster_groups_simd.cpp, raster_blocks_simd.cpp, tile_clear_simd.cpp. Plain data only, so that no library code
// is compiled for more than one level.
#pragma once

#include <algorithm>
#include <array>
#include <iterator>

#include "base/simd.h"
#include "pipeline/pixel/pixel_draw.h"
#include "pipeline/raster/block_listener.h"
#include "pipeline/raster/raster.h"
#include "pipeline/samples.h"
#include "shader-core/analysis/picture.h"
#include "shader-core/isa/block.h"
#include "texture/sample/bound_texture.h"

namespace tessera::pipeline {

/// The largest depth stored in each 16x16 square of a tile, or more, as depths are compared (storedDepth()). Square (x,
/// y) is number 4 * y + x.
struct TileDepth {
    static constexpr int32_t kUnknown = INT32_MAX;
    alignas(64) int32_t largest[16];

    TileDepth() { forget(); }
    void forget() { std::fill(std::begin(largest), std::end(largest), kUnknown); }
    /// Keeps this true when a draw comes. The bounds are from above, so only a draw that can make depth greater ends
    /// them.
    void noteDraw(const PixelKey& key) {
        const bool falls = key.depthCompare == Compare::Less || key.depthCompare == Compare::LessEqual ||
                           key.depthCompare == Compare::Equal || key.depthCompare == Compare::Never;
        if (key.depthTest && key.depthWrite && !falls) forget();
    }
    /// The tile, or a part of it, has been cleared to that depth.
    void noteClear(int32_t depth, bool whole) {
        for (int32_t& square : largest) square = whole ? depth : std::max(square, depth);
    }
};

inline constexpr uint32_t kAllLanes = 0xFFFF;  ///< of a block

/// Registers of two blocks, one in each half of the lanes. Not cleared: machine code reads what it was promised only.
struct BlockRegisters {
    isa::GroupRegister inputs[isa::kMaxInputs];
    isa::GroupRegister specials[3];
    isa::GroupRegister outputs[isa::kMaxFragmentOutputs];
};

/// Blocks that drawBlocks takes through each of its steps together. One per tile, on the stack.
inline constexpr int kBatchBlocks = 8;
struct BlockBatch {
    BlockRegisters registers[kBatchBlocks / 2];
};

/// Input components that a draw's program reads, or, of a copy (Picture::isCopy()), that are its outputs. Filled up to
/// `count`, first those that are interpolated, then the flat ones.
struct InputComponents {
    int count = 0, interpolated = 0;
    uint16_t plane[4 * isa::kMaxVaryings];   ///< number among a primitive's planes
    uint16_t offset[4 * isa::kMaxVaryings];  ///< floats from the first component of the first input, in BlockRegisters
};

/// A primitive and its attribute planes, in a chunk.
struct PlacedPrimitive {
    const SetupPrimitive* setup;
    const Plane* planes;
};
/// Primitives that drawBlocks takes at once.
inline constexpr int kRunPrimitives = 64;

/// Pixels that wait for their colour: which primitive is seen in them. A later primitive takes pixels over, so that
/// what it hides is never shaded. While none has, they are lists; from then on each pixel has a number.
struct DeferredPixels {
    static constexpr int kMaxPrimitives = 255;
    static constexpr int kBlocks = kTileSize / kBlockSize * (kTileSize / kBlockSize);
    int count = 0;  ///< primitives that pixels may refer to
    PlacedPrimitive primitive[kMaxPrimitives + 1];

    /// Primitive n, counted from 1, has the entries from first[n] up to first[n + 1]. An entry has lanes and place of a
    /// block, as BlockList has them.
    uint16_t first[kMaxPrimitives + 2] = {};
    uint32_t entry[kTileSize * kTileSize];
    uint16_t listed[kBlocks] = {};  ///< by block of the tile: lanes in lists

    bool areNumbered = false, numbersAreClear = false;
    /// For each block of the tile and each lane the number of the primitive that the pixel waits with, or 0 if it does
    /// not wait. The numbers are cleared once, and are all 0 again whenever no pixel waits.
    alignas(64) uint8_t number[kBlocks][kBlockLanes];
};

/// Blocks of a draw with several samples that wait for their colour: one primitive is seen in all samples of each. A
/// later primitive that is too takes the place of the first, which is then never shaded.
struct DeferredBlocks {
    struct Block {
        BlockPlace place;
        PlacedPrimitive seen;
    };
    static constexpr int kWide = kTileSize / kBlockSize;
    static_assert((kWide & (kWide - 1)) == 0 && kWide * kWide % 64 == 0);
    uint64_t waits[kWide * kWide / 64] = {};  ///< a bit for each block of the tile
    Block block[kWide * kWide];

    /// A block's number in its tile.
    static int numberOf(BlockPlace place) { return (place.y & (kWide - 1)) * kWide + (place.x & (kWide - 1)); }
    void add(int number, const Block& seen) {
        waits[number / 64] |= bitOf(number);
        block[number] = seen;
    }
    /// Whether the block waited; it does no longer.
    bool take(int number) {
        const bool waited = (waits[number / 64] & bitOf(number)) != 0;
        waits[number / 64] &= ~bitOf(number);
        return waited;
    }
    void drop() { std::fill(std::begin(waits), std::end(waits), 0); }

private:
    static uint64_t bitOf(int number) { return uint64_t{1} << number % 64; }
};

/// What the ways in groups, BlockWay::Kind::Groups and Samples, need of a draw.
struct GroupDraw {
    const isa::Routine* routine = nullptr;
    isa::RegisterMask varyingMask;       ///< v registers with varyings that the program reads
    uint32_t flat = 0, centroid = 0;     ///< of them, numbered in their order: bit k is varying k
    DrawProbe* probe = nullptr;          ///< is told which blocks run; null: nobody listens
    BlockListener* listener = nullptr;   ///< hears of the blocks; null: nobody does
    DeferredBlocks* deferred = nullptr;  ///< of Samples, for blocks that wait
};

/// What the way of single blocks, BlockWay::Kind::Blocks, needs of a draw.
struct BlockDraw {
    isa::BlockCode code;
    const isa::BlockLookup* lookups = isa::kNoBlockLookups.data();  ///< of TileDraw::textures
    BlockBatch* batch = nullptr;
    const InputComponents* components = nullptr;
    DeferredPixels* deferred = nullptr;                     ///< for pixels that wait
    TileDepth* depth = nullptr;                             ///< for squares that are hidden
    const Picture* picture = nullptr;                       ///< of Color::Picture and Color::Copy
    uint32_t flat = 0;                                      ///< varyings, numbered in their order: bit k is varying k
    const texture::BoundTexture* pictureTexture = nullptr;  ///< of Color::Picture; it has a view
};

/// Copied, which is less than to make eight layouts.
inline constexpr std::array<ColorLayout, kMaxColorTargets> kNoLayouts{};

/// A draw in a tile. How it is done is its way's to say; the rest is what the ways work with.
struct TileDraw : PixelDraw {
    using PixelDraw::PixelDraw;

    WayCase wayCase;  ///< that `way` is made of
    const isa::TextureUnits* textures = nullptr;
    const float (*constants)[4] = nullptr;
    isa::RegisterMask lastColorMask;  ///< colour targets whose last colours the program reads
    std::array<ColorLayout, kMaxColorTargets> lastColor = kNoLayouts;  ///< of those that have a buffer
    isa::RegisterMask specialMask;
    bool quads = false;                       ///< the program needs whole quads for its derivatives
    bool eachSample = false;                  ///< the draw asks that it is run for each sample
    bool countsSamples = false;               ///< `samplesPassed` is asked for
    const std::atomic<bool>* stop = nullptr;  ///< of the scene
    GroupDraw groups;
    BlockDraw blocks;
    RasterStats stats;         ///< results
    isa::DrawValues computed;  ///< of the constants

    /// Ends the draw in the tile when the scene is given up.
    void lookAtStop() {
        if (stop != nullptr && stop->load(std::memory_order_relaxed)) stats.budgetExceeded = true;
    }
};

/// A covered block on its way to the program. Of the arrays over samples a draw uses as many elements as it has.
struct PendingBlock {
    BlockPlace place = {};
    uint32_t coverage = 0;            ///< bit per lane: pixels with a sample that is covered
    uint32_t samples[kSamples] = {};  ///< the same for each sample
    uint32_t seen[kSamples] = {};     ///< of several samples: the same before any test
    uint32_t seenCenters = 0;         ///< of several samples: pixels whose centre is covered
    int32_t sample = 0;               ///< that the program is run for, when each is shaded by itself
    const SetupPrimitive* primitive = nullptr;
    const Plane* planes = nullptr;  ///< the primitive's attribute planes
    bool atCenters = false;         ///< all pixels are shaded at their centres; if not, at x and y
    uint32_t insideOnly = 0;  ///< of atCenters: varyings that are evaluated at x and y all the same, bits by number
    alignas(64) float x[kBlockLanes], y[kBlockLanes];  ///< places in pixels, relative to the primitive's origin
};

/// Two blocks make one group of 32 lanes. One per tile, on the stack.
struct FragmentGroup {
    int count = 0;
    PendingBlock block[2];
    // Cleared before their first use in the tile only, as few programs read many.
    isa::GroupRegister specials[3];
    isa::GroupRegister inputs[isa::kMaxInputs];
    isa::GroupRegister outputs[isa::kMaxFragmentOutputs];
};

/// A clear of one plane of an image in one tile.
struct TileClear {
    Surface surface;
    PixelBounds bounds;  ///< cut with the scissor; need not start at a multiple of anything
    enum class Elements : uint8_t { Words, Pairs, Colors } elements = Elements::Words;
    // Words: these bits become those of the element; of pairs, which are depth and stencil, those of either word.
    uint32_t element = 0, elementMask = 0;
    uint32_t second = 0, secondMask = 0;
    // Colours of other elements.
    ColorLayout layout;
    uint8_t colorMask = 0xF;
    float color[4] = {};
};

/// Each SIMD level defines `RasterFunctions rasterFunctions()` in its namespace.
struct RasterFunctions {
    /// Adds the blocks of a primitive to the group, which runs whenever it is full.
    void (*drawPrimitive)(const PixelBounds& tile, const SetupPrimitive& primitive, const Plane* planes, TileDraw& draw,
                          FragmentGroup& group);
    /// Shades the blocks that wait, runs what is left in the group.
    void (*finishGroup)(TileDraw& draw, FragmentGroup& group);
    /// The primitives block by block, for up to kRunPrimitives of a program with block code, in order, and one sample;
    /// there is no group, but pixels may wait: `draw.blocks.deferred` has room for so many primitives.
    void (*drawBlocks)(const PixelBounds& tile, const PlacedPrimitive* primitives, int count, TileDraw& draw);
    /// Makes lists of all pixels that wait.
    void (*listDeferred)(DeferredPixels& deferred);
    /// Shades `count` blocks of a primitive whose pixels have waited.
    void (*shadeDeferred)(const PixelBounds& tile, const PlacedPrimitive& placed, const uint32_t* entries, int count,
                          TileDraw& draw);
    void (*clear)(const TileClear& clear);
};

[[nodiscard]] RasterFunctions rasterFunctions(SimdLevel level);

/// rasterTile() with the functions of a given level.
void rasterTileWith(const RasterFunctions& functions, const Scene& scene, int tileX, int tileY, RasterStats& stats);

}  // namespace tessera::pipeline
