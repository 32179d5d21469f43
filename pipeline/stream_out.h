// Stream-out (transform feedback): outputs of the vertex program that go to buffers, primitive by primitive.
//
// Strips, fans and loops are taken apart into points, lines and triangles, whose vertices follow each other in the
// order of assembly (geometry/assembly.h). Primitives are written in the order of their numbers, instance after
// instance, as long as there is room for a whole one in each of the buffers; those that there is none for are left out.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "pipeline/buffer.h"
#include "pipeline/query_counters.h"

namespace tessera::pipeline {

inline constexpr int kMaxStreamOutBuffers = 4;
inline constexpr uint32_t kMaxStreamOutStride = 4096;  ///< bytes that a vertex has in a buffer
inline constexpr size_t kMaxStreamOutParts = 256;

/// Neighbouring components of an output of the vertex program, and where a vertex has them. Components are words of 32
/// bits, written as they are; an output that the program does not write is 0.
struct StreamOutPart {
    uint8_t output = 0;  ///< o register: isa::kOutPosition, kOutPointSize, kOutVarying0 and those behind it
    uint8_t component = 0, components = 4;
    uint8_t buffer = 0;
    uint32_t offset = 0;  ///< bytes from the vertex's first
    bool operator==(const StreamOutPart&) const = default;
};

/// What is written of a vertex. In the buffers nothing else changes.
struct StreamOutLayout {
    std::vector<StreamOutPart> parts;
    std::array<uint32_t, kMaxStreamOutBuffers> stride{};  ///< bytes from one vertex to the next; 0: not written
};

/// A range of a buffer, inside it.
struct StreamOutRange {
    BufferPtr buffer;
    uint64_t offset = 0, size = 0;  ///< bytes
};

/// How far a stream-out has come, in all its buffers. Draws with the same one go on where the draw before has ended, so
/// that a stream-out which pauses and resumes keeps its own. The command processor's: others may look when the commands
/// that have it are executed.
struct StreamOutPlace {
    uint64_t vertices = 0;
};

struct StreamOut {
    StreamOutLayout layout;
    std::array<StreamOutRange, kMaxStreamOutBuffers> ranges;  ///< of each buffer with a stride
    std::shared_ptr<StreamOutPlace> place;                    ///< never null
    std::shared_ptr<PrimitiveCounter> written;  ///< counts the primitives that there was room for; may be null
};

}  // namespace tessera::pipeline
