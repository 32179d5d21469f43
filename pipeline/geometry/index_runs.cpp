#include "pipeline/geometry/index_runs.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "pipeline/commands.h"
#include "pipeline/geometry/assembly.h"

namespace tessera::pipeline {
namespace {

/// Calls found(number) for each of the draw's indices that is all ones, in order. What is outside the buffer reads 0.
template <class Index, class Found>
void forEachRestart(const Draw& draw, const Found& found) {
    const uint64_t size = draw.indices ? draw.indices->size() : 0;
    if (draw.indexOffset > size) return;
    const auto count = static_cast<uint32_t>(std::min<uint64_t>(draw.count, (size - draw.indexOffset) / sizeof(Index)));
    const std::byte* from = draw.indices ? draw.indices->data() + draw.indexOffset : nullptr;
    for (uint32_t i = 0; i < count; ++i) {
        Index index;
        std::memcpy(&index, from + size_t{i} * sizeof(Index), sizeof(Index));
        if (index == std::numeric_limits<Index>::max()) found(i);
    }
}

}  // namespace

bool restarts(const Draw& draw) { return draw.restart && draw.indexType != IndexType::None; }

std::vector<IndexRun> indexRuns(const Draw& draw) {
    std::vector<IndexRun> runs;
    uint32_t first = 0, primitives = 0;
    const auto end = [&](uint32_t number) {
        const uint32_t count = number - first, own = primitiveCount(draw.primitive, count);
        if (own != 0) runs.push_back({first, count, primitives});
        primitives += own;
        first = number + 1;
    };
    if (draw.indexType == IndexType::U8)
        forEachRestart<uint8_t>(draw, end);
    else if (draw.indexType == IndexType::U16)
        forEachRestart<uint16_t>(draw, end);
    else
        forEachRestart<uint32_t>(draw, end);
    end(draw.count);
    return runs;
}

uint32_t primitivesPerInstance(const Draw& draw, std::span<const IndexRun> runs) {
    if (!restarts(draw)) return primitiveCount(draw.primitive, draw.count);
    if (runs.empty()) return 0;
    return runs.back().firstPrimitive + primitiveCount(draw.primitive, runs.back().count);
}

uint64_t drawnPrimitives(const Draw& draw) {
    std::vector<IndexRun> runs;
    if (restarts(draw)) runs = indexRuns(draw);
    return uint64_t{primitivesPerInstance(draw, runs)} * draw.instances;
}

const IndexRun& runOf(std::span<const IndexRun> runs, uint32_t primitive) {
    return *std::prev(std::ranges::upper_bound(runs, primitive, {}, &IndexRun::firstPrimitive));
}

void drawCorners(const Draw& draw, std::span<const IndexRun> runs, uint32_t number, uint32_t corners[3]) {
    if (runs.empty()) return primitiveCorners(draw.primitive, number, draw.count, corners);
    const IndexRun& run = runOf(runs, number);
    primitiveCorners(draw.primitive, number - run.firstPrimitive, run.count, corners);
    for (int c = 0; c < cornerCount(draw.primitive); ++c) corners[c] += run.first;
}

}  // namespace tessera::pipeline
