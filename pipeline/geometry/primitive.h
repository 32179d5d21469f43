// Between setup and raster: a set-up primitive and a binned scene. Setup (setup.h) writes these, the
// tile rasteriser (pipeline/raster) reads them; a primitive is never changed afterwards.
//
// Every primitive is a convex polygon of three or four edges (triangles have three, a point sprite is a square), a
// rectangle made of two triangles (rectangles.h) or a thin line with its own coverage rule (diamond exit). A line of w
// pixels arrives as w thin lines.
//
// All values of a pixel are functions of the pixel and the primitive alone: a plane p evaluates, for pixel
// (x, y) with integer coordinates, to fma(p.dx, x - originX + 0.5f, fma(p.dy, y - originY + 0.5f, p.base)),
// in single precision with this order of operations.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "pipeline/probe/texture_probe.h"
#include "pipeline/program.h"
#include "pipeline/render_target.h"
#include "pipeline/vertex_data.h"

namespace tessera::pipeline {

struct Draw;
struct Clear;

/// Pixels from one to another, inclusive.
struct PixelBounds {
    int32_t minX = 0, minY = 0, maxX = -1, maxY = -1;

    [[nodiscard]] bool isEmpty() const { return minX > maxX || minY > maxY; }
    bool operator==(const PixelBounds&) const = default;
};

struct Plane {
    float base = 0, dx = 0, dy = 0;
};

/// Half plane over pixel centres: inside where a*x + b*y + c >= 0 for integer pixel (x, y). The top-left rule
/// and the half-pixel centre are in c. |a|, |b| < 2^32 (in 1/65536 pixel^2 units), c fits 63 bits over the target.
struct Edge {
    int64_t a = 0, b = 0, c = 0;
};

/// Ordered so that what a triangle needs fills two cache lines; the third is neither written nor read for it.
struct alignas(64) SetupPrimitive {
    PrimitiveKind kind = PrimitiveKind::Polygon;
    uint8_t edgeCount = 3;  ///< 3 or 4; 0: a rectangle, which covers its bounds (rectangles.h)
    bool frontFacing = true;
    uint32_t firstPlane = 0;                           ///< attribute planes in PrimitiveChunk::planes
    int16_t minX = 0, minY = 0, maxX = -1, maxY = -1;  ///< inclusive pixel bounds, inside target and scissor
    int32_t originX = 0, originY = 0;                  ///< pixel that planes are relative to
    /// Of a small triangle the pixels that it covers of 2x2 blocks of 4x4 pixels, of which the first has (minX, minY):
    /// those of block b, along rows, in bits 16 * b and up. 0: as the edges say.
    uint64_t coverage = 0;
    Plane depth;     ///< window z, 0..1, polygon offset applied; clamp to 0..1 after evaluation
    Plane inverseW;  ///< 1/w of clip space
    Edge edge[4];
    Plane pointCoord[2];  ///< Point: s and t over the sprite (no perspective)
    /// Thin line: end points in 1/256 pixel, window space, for the diamond-exit rule.
    int32_t lineX0 = 0, lineY0 = 0, lineX1 = 0, lineY1 = 0;

    [[nodiscard]] PixelBounds pixels() const { return {minX, minY, maxX, maxY}; }
    /// minX, minY, maxX and maxY, 16 bits each.
    [[nodiscard]] uint64_t packedPixels() const {
        static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
        uint64_t packed;
        std::memcpy(&packed, &minX, sizeof packed);
        return packed;
    }
    void setPixels(const PixelBounds& pixels) {
        minX = static_cast<int16_t>(pixels.minX), minY = static_cast<int16_t>(pixels.minY);
        maxX = static_cast<int16_t>(pixels.maxX), maxY = static_cast<int16_t>(pixels.maxY);
    }
};
static_assert(offsetof(SetupPrimitive, maxY) == offsetof(SetupPrimitive, minX) + 3 * sizeof(int16_t));
static_assert(offsetof(SetupPrimitive, edge) + 3 * sizeof(Edge) == 128);
static_assert(kMaxRenderSize <= INT16_MAX);

/// Leaves what a vector's resize() adds as the memory is: setup writes every primitive and plane anyway.
template <class T>
struct UninitializedAllocator : std::allocator<T> {
    template <class U>
    struct rebind {
        using other = UninitializedAllocator<U>;
    };
    template <class U>
    void construct(U*) noexcept {
        static_assert(std::is_trivially_copyable_v<U> && std::is_trivially_destructible_v<U>);
    }
    template <class U, class First, class... Rest>
    void construct(U* at, First&& first, Rest&&... rest) {
        ::new (static_cast<void*>(at)) U(std::forward<First>(first), std::forward<Rest>(rest)...);
    }
};
template <class T>
using UninitializedVector = std::vector<T, UninitializedAllocator<T>>;

/// Set-up primitives of one draw, in submission order. Attribute planes: for varying k (the k-th set bit of
/// Draw's fragment varyingMask()) and component c the plane of attribute/w is planes[firstPlane + 4 * k + c]. The base
/// of a flat varying's plane is its value, bit by bit, and there are no slopes.
struct PrimitiveChunk {
    UninitializedVector<SetupPrimitive> primitives;
    UninitializedVector<Plane> planes;
    UninitializedVector<uint32_t> byTile;  ///< numbers of primitives: those of a tile together, in order
    uint64_t first = 0;                    ///< number of the draw's primitive that the chunk's work began with
    std::vector<uint32_t> sources;         ///< with a machine probe: primitives, from `first`, that these are made of
};

/// A draw as the rasteriser needs it: state plus constants with literals filled in. Shared by its primitives.
struct RasterDraw {
    const Draw* draw = nullptr;
    std::span<const ConstantRegister> fragmentConstants;  ///< literals filled in
    std::vector<ConstantRegister> ownConstants;           ///< what they are in when the draw's have to be copied
    int varyingCount = 0;                                 ///< set bits of the fragment program's varyingMask()
    uint64_t number = 0;                                  ///< of the draw, for a probe
    std::vector<PrimitiveChunk> chunks;
    bool mayBeUndone = false;  ///< it may overrun, here or in a part to come: tiles are saved before it
    bool isLeftOut = false;    ///< it has overrun, or its program in an earlier draw
};

struct TileCommand {
    enum class Kind : uint8_t { Draw, Clear } kind = Kind::Draw;
    uint32_t item = 0;  ///< index of the RasterDraw or Clear in the scene
    // Draw: primitives byTile[first .. first + count - 1] of the chunk.
    uint32_t chunk = 0;
    uint32_t first = 0, count = 0;
};

struct SceneUndo;
class PixelProbe;
class MachineProbe;

/// Everything drawn to one render target between two flushes, binned into 64x64 tiles.
struct Scene {
    RenderTarget target;
    int tilesWide = 0, tilesHigh = 0;
    std::vector<std::unique_ptr<RasterDraw>> draws;
    std::vector<const Clear*> clears;
    TextureProbe* probe = nullptr;                ///< hears what fragments look up; null: none
    std::vector<std::vector<TileCommand>> tiles;  ///< [tileY * tilesWide + tileX], in submission order
    PixelProbe* pixelProbe = nullptr;             ///< records what the scene does to pixels; null: none
    MachineProbe* machineProbe = nullptr;         ///< hears of everything; null: none
    const std::atomic<bool>* stop = nullptr;      ///< set: the scene has taken too long and is given up; null: never
    SceneUndo* undo = nullptr;                    ///< null: no draw may be undone
};

}  // namespace tessera::pipeline
