#include "pipeline/scene/geometry_queue.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "pipeline/commands.h"
#include "pipeline/scene/spare_draws.h"
#include "shader-core/isa/stage_registers.h"

namespace tessera::pipeline {
namespace {

/// Chunks that run through the geometry path together, for each thread: at least so many, to keep all busy; more, so
/// that threads are woken seldom, when the last ones left little behind.
constexpr size_t kLeastQueuedPerThread = 4, kMostQueuedPerThread = 256;

}  // namespace

void QueuedChunk::beginDraw(RasterDraw& begun) {
    const isa::Program& fragment = program->fragment();
    begun.draw = draw;
    begun.number = number;
    begun.fragmentConstants = filledConstants(fragment, draw->constants[isa::Stage::Fragment], begun.ownConstants);
    begun.varyingCount = isa::varyingMask(fragment).count();
    begun.mayBeUndone = program->stages[isa::Stage::Fragment].facts.mayOverrun;
    begun.isLeftOut = false;
    moveTo(begun.chunks.front());
}

void QueuedChunk::moveTo(PrimitiveChunk& drawn) {
    std::swap(drawn, result.primitives);
    drawn.first = first;
    empty(result.primitives);
}

GeometryQueue::GeometryQueue(ThreadPool& pool, const Scene& scene)
    : pool_(pool), scene_(scene), maxQueued_(kLeastQueuedPerThread * pool.threads()), scratch_(pool.threads()) {}

const DrawGeometry& GeometryQueue::begin(const Draw& draw, uint64_t number) {
    DrawGeometry& geometry = geometries_.emplace_back(
        draw, DrawProbe{scene_.probe, number, true, scene_.target.anyImage(), {}, {}, scene_.machineProbe},
        scene_.pixelProbe);
    geometry.stop = scene_.stop;
    return geometry;
}

QueuedChunk& GeometryQueue::add(const Draw& draw, uint64_t number, uint64_t first, uint64_t count,
                                const DrawGeometry* geometry) {
    if (queued_ == queue_.size()) queue_.emplace_back();
    QueuedChunk& chunk = queue_[queued_++];
    chunk.draw = &draw;
    chunk.program = draw.state->program.get();
    chunk.countsSamples = draw.occlusion != nullptr;
    chunk.number = number;
    chunk.geometry = geometry;
    chunk.first = first;
    chunk.count = static_cast<uint32_t>(count);
    chunk.abandoned = false;
    return chunk;
}

void GeometryQueue::process(QueuedChunk& chunk, GeometryScratch& scratch) const {
    ChunkGeometry& result = chunk.result;
    if (chunk.geometry != nullptr) {
        processChunk(*chunk.geometry, chunk.first, chunk.count, scratch, result);
    } else {
        DrawGeometry geometry(*chunk.draw, DrawProbe{nullptr, chunk.number, true, scene_.target.anyImage(), {}, {}});
        geometry.stop = scene_.stop;
        const auto count = static_cast<uint32_t>(std::min<uint64_t>(chunk.count, geometry.primitiveCount()));
        if (count != 0) processChunk(geometry, chunk.first, count, scratch, result);
        chunk.abandoned = geometry.abandoned;
    }
    const PrimitiveChunk& made = result.primitives;
    chunk.primitives = made.primitives.size() + std::exchange(result.merged, 0);
    chunk.bytes = result.segments.size() * sizeof(TileCommand) + made.primitives.size() * sizeof(SetupPrimitive) +
                  made.planes.size() * sizeof(Plane) + made.byTile.size() * sizeof(uint32_t);
    if (chunk.geometry == nullptr && !result.segments.empty()) chunk.beginDraw(*chunk.raster);
}

bool GeometryQueue::fetches(const Buffer& buffer) const {
    const auto isOf = [&](const ConstBufferPtr& data) { return data && data->overlaps(buffer); };
    const DrawState* state = nullptr;  // of the draw before: most share it
    for (const QueuedChunk& chunk : std::span(queue_).first(queued_)) {
        if (isOf(chunk.draw->indices)) return true;
        if (state == chunk.draw->state.get()) continue;
        state = chunk.draw->state.get();
        for (const VertexAttribute& attribute : state->attributes)
            if (isOf(attribute.data)) return true;
    }
    return false;
}

std::span<QueuedChunk> GeometryQueue::run() {
    if (queued_ != 0)
        pool_.parallelFor("geometry", queued_, [this](size_t i, int worker) { process(queue_[i], scratch_[worker]); });
    return {queue_.data(), queued_};
}

void GeometryQueue::clear(size_t bytes, size_t maxBytes) {
    const size_t threads = pool_.threads();
    maxQueued_ =
        std::clamp(maxBytes / (bytes / queued_ + 1), kLeastQueuedPerThread * threads, kMostQueuedPerThread * threads);
    queued_ = 0;
    while (geometries_.size() > 1) geometries_.pop_front();  // the last one may have chunks still to come
}

}  // namespace tessera::pipeline
