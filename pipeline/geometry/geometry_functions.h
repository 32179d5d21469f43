// Between the geometry path (compiled once) and geometry_simd.cpp (compiled for each SIMD level): what is done for
// every vertex and every triangle, in batches. Plain data only, so that no library code is compiled for more than one
// level.
#pragma once

#include "base/process/env.h"
#include "base/simd.h"
#include "pipeline/geometry/setup.h"
#include "pipeline/geometry/vertex_fetch.h"
#include "shader-core/isa/executor.h"

namespace tessera::pipeline {

/// An attribute array as the functions see it.
struct AttributeSource {
    const std::byte* data = nullptr;
    int64_t size = 0, offset = 0, stride = 0;
    VertexType type = VertexType::F32;
    int components = 4;
    VertexConversion conversion = VertexConversion::Number;
};

/// Array elements of a group of vertices; those of lanes beyond its last vertex repeat that one's.
struct ElementGroup {
    alignas(64) uint32_t element[isa::kGroupSize];
    int lanes;           ///< that there are elements for: 16 or 32
    uint32_t low, high;  ///< smallest and largest
    bool isRun;          ///< element[i] is low + i, for 32 vertices
};

// A vertex's code: what primitive assembly asks about it.
inline constexpr uint32_t kViewOutcode = 0x3F;  ///< viewOutcode()
inline constexpr int kClipShift = 8;
inline constexpr uint32_t kClipOutcode = kViewOutcode << kClipShift;  ///< clipOutcode()
inline constexpr uint32_t kNotFinite = 1u << 16;                      ///< not isFinite()
inline constexpr uint32_t kNoPlace = 1u << 17;                        ///< toWindow() fails
inline constexpr int kDistanceShift = 18;
inline constexpr uint32_t kDistanceCode = 0xFFu << kDistanceShift;  ///< bit i: distance i is not at least 0

/// Shaded vertices, ready for assembly. The arrays have room for a multiple of kGroupSize vertices.
struct VertexArrays {
    int stride = 0;            ///< floats from one record to the next
    float* records = nullptr;  ///< position x y z w, four floats for each varying, and distances, a multiple of four
    float* pointSize = nullptr;
    uint32_t* code = nullptr;
    int32_t *x = nullptr, *y = nullptr;  ///< window coordinates in 1/256 pixel
    double *z = nullptr, *inverseW = nullptr;
};

/// A group's outputs on their way to the arrays; null registers read 0 (a null point size 1).
struct ShadedGroup {
    const isa::GroupRegister* position = nullptr;
    const isa::GroupRegister* pointSize = nullptr;
    const isa::GroupRegister* varying[isa::kMaxVaryings + kMaxDistances / 4] = {};  ///< behind them distances
    int varyings = 0;
};

/// Triangles named by three arrays of vertex numbers.
struct TriangleCorners {
    const uint32_t* corner[3] = {};
    uint32_t count = 0;
};

/// Bit of a number in a list of triangles: it is to be clipped first.
inline constexpr uint32_t kToClip = 1u << 31;

struct GeometryFunctions {
    /// The elements of 1 to kGroupSize keys.
    void (*elements)(const VertexKey* keys, int count, ElementGroup& out);
    /// fetchAttribute() for lanes whose elements all lie inside the array; false, without effect, when they do not.
    bool (*fetch)(const AttributeSource& source, const ElementGroup& group, isa::GroupRegister& out);
    /// The view outcode that the first `lanes` vertices of a group have in common.
    uint32_t (*commonOutcode)(const ShadedGroup& group, int lanes);
    /// Vertices first .. first + lanes - 1 from a group's outputs; some after them may be overwritten.
    void (*finishGroup)(const SetupState& state, const ShadedGroup& group, int lanes, uint32_t first,
                        const VertexArrays& arrays);
    /// Lists, in order, the numbers of the triangles that are to be set up: not rejected by the view volume or
    /// distances, not culled, not without area, with a pixel inside the bounds, and when their blocks are at most 2x2
    /// of one sample, with one covered: then coverage[i], of list[i], is SetupPrimitive::coverage, else 0. Those with
    /// kToClip are only known to be not rejected, and their coverage says nothing. Returns how many; both lists have
    /// room for count + kBlockLanes.
    uint32_t (*cull)(const SetupState& state, const VertexArrays& arrays, const TriangleCorners& triangles,
                     uint32_t* list, uint64_t* coverage);
    /// Sets up listed triangles without kToClip: `primitives` and `planes` are the new ends of a chunk's arrays,
    /// firstPlane is the number of planes[0] there.
    void (*setup)(const SetupState& state, const VertexArrays& arrays, const TriangleCorners& triangles,
                  const uint32_t* list, const uint64_t* coverage, uint32_t count, SetupPrimitive* primitives,
                  Plane* planes, uint32_t firstPlane);
};

[[nodiscard]] GeometryFunctions geometryFunctions(SimdLevel level);

}  // namespace tessera::pipeline
