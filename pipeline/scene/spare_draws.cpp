#include "pipeline/scene/spare_draws.h"

#include <utility>

namespace tessera::pipeline {
namespace {

constexpr size_t kMostChunkBytes = 16u << 20, kMostDraws = 4096;
/// Memory of a draw's only chunk that stays with it when it is emptied, where the next worker finds it.
constexpr size_t kMostOwnBytes = kMostChunkBytes / kMostDraws;

size_t memoryOf(const PrimitiveChunk& chunk) {
    return sizeof chunk + chunk.primitives.capacity() * sizeof(SetupPrimitive) +
           chunk.planes.capacity() * sizeof(Plane) + chunk.byTile.capacity() * sizeof(uint32_t);
}

}  // namespace

void empty(PrimitiveChunk& chunk) {
    chunk.primitives.clear();
    chunk.planes.clear();
    chunk.byTile.clear();
    chunk.sources.clear();
}

PrimitiveChunk SpareDraws::chunk() {
    if (chunks_.empty()) return {};
    PrimitiveChunk chunk = std::move(chunks_.back());
    chunks_.pop_back();
    chunkBytes_ -= memoryOf(chunk);
    return chunk;
}

std::unique_ptr<RasterDraw> SpareDraws::draw() {
    std::unique_ptr<RasterDraw> draw;
    if (draws_.empty()) {
        draw = std::make_unique<RasterDraw>();
    } else {
        draw = std::move(draws_.back());
        draws_.pop_back();
    }
    if (draw->chunks.empty()) draw->chunks.push_back(chunk());
    return draw;
}

void SpareDraws::keep(std::unique_ptr<RasterDraw> draw) {
    const bool hasRoom = draws_.size() < kMostDraws;
    if (hasRoom && draw->chunks.size() == 1 && memoryOf(draw->chunks.front()) <= kMostOwnBytes)
        return draws_.push_back(std::move(draw));
    for (PrimitiveChunk& chunk : draw->chunks) {
        const size_t bytes = memoryOf(chunk);
        if (chunkBytes_ + bytes > kMostChunkBytes) continue;
        chunkBytes_ += bytes;
        empty(chunk);
        chunks_.push_back(std::move(chunk));
    }
    if (!hasRoom) return;
    draw->chunks.clear();
    draws_.push_back(std::move(draw));
}

}  // namespace tessera::pipeline
