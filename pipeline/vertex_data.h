// Where a draw's vertices are, and what is made of them.
#pragma once

#include <cstdint>

#include "pipeline/buffer.h"

namespace tessera::pipeline {

enum class Primitive : uint8_t { Points, Lines, LineLoop, LineStrip, Triangles, TriangleStrip, TriangleFan };
/// How elements are stored: the rows of geometry/vertex_formats.h.
enum class VertexType : uint8_t { I8, U8, I16, U16, Fixed16_16, F32, F16, I32, U32, I2_10_10_10, U2_10_10_10 };
/// What a register gets of an integer. Other types give their value in any case.
enum class VertexConversion : uint8_t {
    Number,               ///< its value, as a float
    Normalized,           ///< 0..1; signed -1..1, where 0 is none of the values (OpenGL ES 2.0)
    NormalizedSymmetric,  ///< 0..1; signed -1..1, where 0 is 0 and the two lowest are -1 (OpenGL ES 3.0)
    Integer,              ///< its value, as an integer of 32 bits
};

/// Of an element of so many components; a packed one has all of them.
[[nodiscard]] int vertexElementBytes(VertexType type, int components);

enum class IndexType : uint8_t { None, U8, U16, U32 };

struct VertexAttribute {
    ConstBufferPtr data;   ///< null: the constant value below
    int64_t offset = 0;    ///< bytes to element 0; may be negative for copied client arrays
    uint32_t stride = 16;  ///< bytes between elements
    VertexType type = VertexType::F32;
    uint8_t components = 4;  ///< 1..4; missing ones read 0, 0, 0, 1; packed types have 4
    VertexConversion conversion = VertexConversion::Number;
    uint32_t divisor = 0;              ///< instanced arrays; 0: per vertex
    float constant[4] = {0, 0, 0, 1};  ///< copied bit by bit
};

/// Names a vertex of a draw: the array element and the instance it belongs to.
struct VertexKey {
    uint32_t element = 0, instance = 0;
    bool operator==(const VertexKey&) const = default;
};

/// What a primitive is from setup on.
enum class PrimitiveKind : uint8_t { Polygon, ThinLine, Point };

}  // namespace tessera::pipeline
