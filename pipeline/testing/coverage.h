// For tests: which pixels a polygon covers, pixel by pixel, by the definition of its edges.
#pragma once

#include "pipeline/geometry/primitive.h"

namespace tessera::pipeline::test {

inline bool covers(const SetupPrimitive& primitive, int x, int y) {
    bool inside = x >= primitive.minX && x <= primitive.maxX && y >= primitive.minY && y <= primitive.maxY;
    for (int e = 0; e < primitive.edgeCount; ++e)
        inside &= primitive.edge[e].a * x + primitive.edge[e].b * y + primitive.edge[e].c >= 0;
    return inside;
}
inline bool coversAny(const SetupPrimitive& primitive) {
    for (int y = primitive.minY; y <= primitive.maxY; ++y)
        for (int x = primitive.minX; x <= primitive.maxX; ++x)
            if (covers(primitive, x, y)) return true;
    return false;
}

/// Whether its pixels lie in 2x2 blocks of 4x4 pixels.
inline bool isSmall(const SetupPrimitive& primitive) {
    return primitive.maxX / 4 - primitive.minX / 4 < 2 && primitive.maxY / 4 - primitive.minY / 4 < 2;
}
/// SetupPrimitive::coverage of such a primitive, by its edges.
inline uint64_t coverageByEdges(const SetupPrimitive& primitive) {
    uint64_t coverage = 0;
    for (int y = primitive.minY; y <= primitive.maxY; ++y)
        for (int x = primitive.minX; x <= primitive.maxX; ++x) {
            const int block = x / 4 - primitive.minX / 4 + 2 * (y / 4 - primitive.minY / 4);
            coverage |= uint64_t{covers(primitive, x, y)} << (16 * block + 4 * (y % 4) + x % 4);
        }
    return coverage;
}

}  // namespace tessera::pipeline::test
