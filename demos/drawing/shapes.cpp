#include "demos/drawing/shapes.h"

#include <numbers>

#include "demos/drawing/portable_math.h"

namespace demos {

namespace {

/// A closed grid of columns + 1 by rows + 1 vertices; vertex(s, t) with s and t from 0 to 1.
template <class VertexAt>
MeshData gridMesh(int columns, int rows, VertexAt vertexAt) {
    MeshData data;
    auto step = [](int i, int count) { return static_cast<float>(i) / static_cast<float>(count); };
    for (int row = 0; row <= rows; ++row)
        for (int column = 0; column <= columns; ++column)
            data.vertices.push_back(vertexAt(step(column, columns), step(row, rows)));
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            const auto a = static_cast<uint16_t>(row * (columns + 1) + column), b = static_cast<uint16_t>(a + 1);
            const auto c = static_cast<uint16_t>(a + columns + 1), d = static_cast<uint16_t>(c + 1);
            data.indices.insert(data.indices.end(), {a, b, d, a, d, c});
        }
    return data;
}

constexpr float kTurn = 2 * std::numbers::pi_v<float>;

}  // namespace

MeshData sphereMesh(int segments) {
    return gridMesh(segments, segments / 2, [](float s, float t) {
        const float around = s * kTurn, up = (t - 0.5f) * kTurn / 2, ring = cosine(up);
        const glm::vec3 normal(ring * sine(around), sine(up), ring * cosine(around));
        return MeshVertex{normal, normal, {s, t}};
    });
}

MeshData torusMesh(float tube, int segments) {
    return gridMesh(segments, segments / 2, [tube](float s, float t) {
        const float around = s * kTurn, across = t * kTurn;
        const glm::vec3 outwards(cosine(around), sine(around), 0);
        const glm::vec3 normal = outwards * cosine(across) + glm::vec3(0, 0, sine(across));
        return MeshVertex{outwards + normal * tube, normal, {s, t}};
    });
}

MeshData planeMesh(float half, float repeats) {
    return gridMesh(1, 1, [=](float s, float t) {
        return MeshVertex{{(2 * s - 1) * half, 0, (1 - 2 * t) * half}, {0, 1, 0}, glm::vec2(s, t) * repeats};
    });
}

MeshData roundedCubeMesh(float radius) {
    // The lines of a face: half of the bend to the neighbour at each side, and the flat part between.
    constexpr int kBend = 4, kLines = 2 * kBend + 2;
    static_assert(kRoundedFace == 2 * (kLines - 1) * (kLines - 1));
    float lines[kLines];
    for (int i = 0; i <= kBend; ++i) {
        lines[i] = -1 + radius * static_cast<float>(i) / kBend;
        lines[kLines - 1 - i] = -lines[i];
    }
    MeshData data;
    const MeshData cube = cubeMesh();
    for (size_t face = 0; face < 6; ++face) {
        // Each face of the cube is four corners: 0,0 1,0 1,1 0,1.
        const MeshVertex* corner = &cube.vertices[4 * face];
        const glm::vec3 out = corner[0].normal, right = (corner[1].position - corner[0].position) / 2.0f,
                        up = (corner[3].position - corner[0].position) / 2.0f;
        const auto first = static_cast<uint16_t>(data.vertices.size());
        for (const float y : lines)
            for (const float x : lines) {
                const glm::vec3 place = out + right * x + up * y;
                const glm::vec3 middle = glm::clamp(place, radius - 1, 1 - radius);
                const glm::vec3 normal = glm::normalize(place - middle);
                data.vertices.push_back({middle + normal * radius, normal, glm::vec2(x, y) * 0.5f + 0.5f});
            }
        for (int y = 0; y + 1 < kLines; ++y)
            for (int x = 0; x + 1 < kLines; ++x) {
                const auto a = static_cast<uint16_t>(first + y * kLines + x), b = static_cast<uint16_t>(a + 1);
                const auto c = static_cast<uint16_t>(a + kLines), d = static_cast<uint16_t>(c + 1);
                data.indices.insert(data.indices.end(), {a, b, d, a, d, c});
            }
    }
    return data;
}

}  // namespace demos
