// Chunks of draws that wait for the geometry path, and the loop that takes them through it side by side. A frame of
// many small draws is then as parallel as one large draw, and threads are woken seldom.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <memory_resource>
#include <span>
#include <vector>

#include "base/thread/thread_pool.h"
#include "pipeline/geometry/geometry.h"

namespace tessera::pipeline {

class Buffer;

/// A chunk of a draw's primitives on its way through the geometry path. Of one that is the whole draw the worker makes
/// all that the scene keeps, so that small draws cost the command processor's thread little.
struct QueuedChunk {
    const Draw* draw = nullptr;
    const Program* program = nullptr;        ///< of the draw
    uint64_t number = 0;                     ///< of the draw
    const DrawGeometry* geometry = nullptr;  ///< null: the chunk is the whole draw, and its worker makes it
    uint64_t first = 0;
    uint32_t count = 0;                ///< of a whole draw at most, as indices may restart it
    bool countsSamples = false;        ///< the draw has an occlusion counter
    bool abandoned = false;            ///< the draw's vertex program exceeded its budget
    size_t primitives = 0, bytes = 0;  ///< of the result, before any were merged; what it takes in the scene
    ChunkGeometry result;
    /// What the raster needs of the whole draw; never null where the chunk is that. The chunk's worker makes it, with
    /// the primitives in it, when `result` has segments.
    std::unique_ptr<RasterDraw> raster;

    [[nodiscard]] bool isAbandoned() const { return geometry != nullptr ? geometry->abandoned.load() : abandoned; }
    /// Makes `begun` the draw, with this as its only chunk.
    void beginDraw(RasterDraw& begun);
    /// Hands the primitives over; memory of what `drawn` had serves the next result.
    void moveTo(PrimitiveChunk& drawn);
};

class GeometryQueue {
public:
    /// Chunks are of the scene's target, and told to its probes.
    GeometryQueue(ThreadPool& pool, const Scene& scene);

    /// The queue is to be run before anything is added.
    [[nodiscard]] bool isFull() const { return queued_ >= maxQueued_; }
    /// Begins a draw of several chunks, or one that somebody hears of.
    [[nodiscard]] const DrawGeometry& begin(const Draw& draw, uint64_t number);
    /// Adds primitives of a draw; all of them, if it has not begun (`geometry` is null).
    QueuedChunk& add(const Draw& draw, uint64_t number, uint64_t first, uint64_t count, const DrawGeometry* geometry);

    /// Whether a chunk has yet to fetch vertices or indices from the buffer.
    [[nodiscard]] bool fetches(const Buffer& buffer) const;
    /// Takes all chunks through the geometry path: their results, in order, to be taken before clear().
    [[nodiscard]] std::span<QueuedChunk> run();
    /// `bytes`: what the chunks have come to in the scene, which may have so many. As many are queued next as fill it.
    void clear(size_t bytes, size_t maxBytes);
    /// The last draw has no more chunks.
    void endDraws() { geometries_.clear(); }

private:
    void process(QueuedChunk& chunk, GeometryScratch& scratch) const;

    ThreadPool& pool_;
    const Scene& scene_;
    std::pmr::unsynchronized_pool_resource geometryMemory_;
    std::pmr::deque<DrawGeometry> geometries_{&geometryMemory_};  ///< of draws of several chunks; addresses stay
    std::vector<QueuedChunk> queue_;  ///< the first queued_ are in use, the rest keeps memory
    size_t queued_ = 0;
    size_t maxQueued_;                      ///< the queue is full when it has as many chunks
    std::vector<GeometryScratch> scratch_;  ///< by worker
};

}  // namespace tessera::pipeline
