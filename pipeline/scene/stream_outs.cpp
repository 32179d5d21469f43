#include "pipeline/scene/stream_outs.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "pipeline/commands.h"
#include "pipeline/geometry/assembly.h"
#include "pipeline/geometry/stream_out_chunk.h"

namespace tessera::pipeline {
namespace {

/// Whole primitives that there is room for from the place on.
uint64_t roomOf(const StreamOut& out, uint64_t corners) {
    uint64_t most = UINT64_MAX;
    for (size_t i = 0; i < out.ranges.size(); ++i)
        if (const uint64_t stride = out.layout.stride[i]; stride != 0) {
            const uint64_t vertices = out.ranges[i].size / stride;
            most = std::min(most, (vertices - std::min(vertices, out.place->vertices)) / corners);
        }
    return most == UINT64_MAX ? 0 : most;
}

/// Whether the draw fetches from memory that it writes.
bool fetchesOwn(const Draw& draw) {
    return std::ranges::any_of(draw.streamOut->ranges, [&](const StreamOutRange& range) {
        const auto isOf = [&](const ConstBufferPtr& data) {
            return data && range.buffer && data->overlaps(*range.buffer);
        };
        return isOf(draw.indices) || std::ranges::any_of(draw.state->attributes, [&](const VertexAttribute& attribute) {
                   return isOf(attribute.data);
               });
    });
}

/// Whether two of the ranges have memory in common. Which primitive writes last there is to be the same each time.
bool haveCommonMemory(const StreamOut& out) {
    for (size_t i = 0; i < out.ranges.size(); ++i)
        for (size_t j = i + 1; j < out.ranges.size(); ++j) {
            if (out.layout.stride[i] == 0 || out.layout.stride[j] == 0) continue;
            const StreamOutRange &a = out.ranges[i], &b = out.ranges[j];
            const auto begin = [](const StreamOutRange& range) {
                return reinterpret_cast<uintptr_t>(range.buffer->data()) + range.offset;
            };
            if (begin(a) < begin(b) + b.size && begin(b) < begin(a) + a.size) return true;
        }
    return false;
}

/// The memory of a draw's primitives: the buffers' own, or, where what they held must stay until the draw is done, a
/// copy.
class Memory {
public:
    Memory(const StreamOut& out, uint64_t vertices, bool isCopied) {
        for (size_t i = 0; i < out.ranges.size(); ++i) {
            const uint64_t stride = out.layout.stride[i];
            if (stride == 0) continue;
            const StreamOutRange& range = out.ranges[i];
            own_[i] = range.buffer->bytes().subspan(range.offset + out.place->vertices * stride, vertices * stride);
            to[i] = isCopied ? copy_[i].emplace(std::span<const std::byte>(own_[i])).data() : own_[i].data();
        }
    }
    void finish() {
        for (size_t i = 0; i < copy_.size(); ++i)
            if (copy_[i]) std::ranges::copy(copy_[i]->bytes(), own_[i].begin());
    }

    StreamOutMemory to{};

private:
    std::array<std::span<std::byte>, kMaxStreamOutBuffers> own_;
    std::array<std::optional<Buffer>, kMaxStreamOutBuffers> copy_;
};

}  // namespace

bool StreamOuts::run(const Draw& draw, Counters& counters) {
    DrawGeometry geometry(draw);
    geometry.stop = &stop_;
    const StreamOut& out = *draw.streamOut;
    const auto corners = static_cast<uint64_t>(cornerCount(draw.primitive));
    const uint64_t count = std::min(geometry.allPrimitives(), roomOf(out, corners));
    if (count == 0) return true;
    const bool mayOverrun = draw.state->program->stages[isa::Stage::Vertex].facts.mayOverrun;
    Memory memory(out, count * corners, mayOverrun || fetchesOwn(draw));
    if (scratch_.empty()) scratch_.resize(static_cast<size_t>(pool_.threads()));
    std::atomic<uint64_t> vertices{0}, instructions{0};
    const auto chunk = [&](size_t i, int worker) {
        if (geometry.abandoned.load(std::memory_order_relaxed)) return;
        const uint64_t first = i * kChunkPrimitives;
        ChunkGeometry done;
        if (streamOutChunk(geometry, first, static_cast<uint32_t>(std::min<uint64_t>(kChunkPrimitives, count - first)),
                           out.layout, memory.to, scratch_[static_cast<size_t>(worker)],
                           done) == VertexStage::Result::Abandoned)
            geometry.abandoned.store(true, std::memory_order_relaxed);
        vertices += done.vertices;
        instructions += done.instructions;
    };
    const size_t chunks = (count + kChunkPrimitives - 1) / kChunkPrimitives;
    if (haveCommonMemory(out))
        for (size_t i = 0; i < chunks; ++i) chunk(i, 0);
    else
        pool_.parallelFor("stream_out", chunks, chunk);
    counters.vertices += vertices;
    counters.instructions += instructions;
    if (geometry.abandoned) return false;
    if (stop_.load(std::memory_order_relaxed)) return true;
    memory.finish();
    out.place->vertices += count * corners;
    if (out.written) out.written->primitives += count;
    return true;
}

}  // namespace tessera::pipeline
