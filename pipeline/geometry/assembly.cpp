// Primitive assembly (OpenGL ES 2.0.25, section 2.7 and figures 2.2, 2.3).
#include "pipeline/geometry/assembly.h"

#include "base/check.h"

namespace tessera::pipeline {

int cornerCount(Primitive primitive) {
    switch (primitive) {
        case Primitive::Points:
            return 1;
        case Primitive::Lines:
        case Primitive::LineLoop:
        case Primitive::LineStrip:
            return 2;
        case Primitive::Triangles:
        case Primitive::TriangleStrip:
        case Primitive::TriangleFan:
            return 3;
    }
    UNREACHABLE("primitive");
}

uint32_t primitiveCount(Primitive primitive, uint32_t vertexCount) {
    switch (primitive) {
        case Primitive::Points:
            return vertexCount;
        case Primitive::Lines:
            return vertexCount / 2;
        case Primitive::LineLoop:
            return vertexCount < 2 ? 0 : vertexCount;
        case Primitive::LineStrip:
            return vertexCount < 2 ? 0 : vertexCount - 1;
        case Primitive::Triangles:
            return vertexCount / 3;
        case Primitive::TriangleStrip:
        case Primitive::TriangleFan:
            return vertexCount < 3 ? 0 : vertexCount - 2;
    }
    UNREACHABLE("primitive");
}

void primitiveCorners(Primitive primitive, uint32_t number, uint32_t vertexCount, uint32_t corners[3]) {
    switch (primitive) {
        case Primitive::Points:
            corners[0] = number;
            return;
        case Primitive::Lines:
            corners[0] = 2 * number;
            corners[1] = 2 * number + 1;
            return;
        case Primitive::LineLoop:
        case Primitive::LineStrip:
            corners[0] = number;
            corners[1] = number + 1 == vertexCount ? 0 : number + 1;
            return;
        case Primitive::Triangles:
            for (uint32_t i = 0; i < 3; ++i) corners[i] = 3 * number + i;
            return;
        case Primitive::TriangleStrip:
            corners[0] = number + (number & 1);
            corners[1] = number + 1 - (number & 1);
            corners[2] = number + 2;
            return;
        case Primitive::TriangleFan:
            corners[0] = 0;
            corners[1] = number + 1;
            corners[2] = number + 2;
            return;
    }
    UNREACHABLE("primitive");
}

}  // namespace tessera::pipeline
