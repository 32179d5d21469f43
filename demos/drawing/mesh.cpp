#include "demos/drawing/mesh.h"

#include <cstddef>

namespace demos {

void MeshData::addQuad(const MeshVertex& a, const MeshVertex& b, const MeshVertex& c, const MeshVertex& d) {
    auto first = static_cast<uint16_t>(vertices.size());
    vertices.insert(vertices.end(), {a, b, c, d});
    for (int corner : {0, 1, 2, 0, 2, 3}) indices.push_back(static_cast<uint16_t>(first + corner));
}

void MeshData::addTriangle(const MeshVertex& a, const MeshVertex& b, const MeshVertex& c) {
    for (const MeshVertex& vertex : {a, b, c}) {
        indices.push_back(static_cast<uint16_t>(vertices.size()));
        vertices.push_back(vertex);
    }
}

Mesh::Mesh(const MeshData& data) : triangles_(static_cast<uint32_t>(data.indices.size() / 3)) {
    std::vector<uint16_t> lines;
    for (size_t i = 0; i + 2 < data.indices.size(); i += 3)
        for (size_t corner = 0; corner < 3; ++corner) {
            lines.push_back(data.indices[i + corner]);
            lines.push_back(data.indices[i + (corner + 1) % 3]);
        }
    vertices_ = makeBuffer(GL_ARRAY_BUFFER, data.vertices);
    indices_ = makeBuffer(GL_ELEMENT_ARRAY_BUFFER, data.indices);
    lines_ = makeBuffer(GL_ELEMENT_ARRAY_BUFFER, lines);
}

Mesh::~Mesh() {
    for (GLuint buffer : {vertices_, indices_, lines_}) glDeleteBuffers(1, &buffer);
}

GLsizei Mesh::bind(bool wireframe) const {
    auto pointer = [](GLuint index, GLint size, size_t offset) {
        glEnableVertexAttribArray(index);
        glVertexAttribPointer(index, size, GL_FLOAT, GL_FALSE, sizeof(MeshVertex),
                              reinterpret_cast<const void*>(offset));
    };
    glBindBuffer(GL_ARRAY_BUFFER, vertices_);
    pointer(kMeshPosition, 3, offsetof(MeshVertex, position));
    pointer(kMeshNormal, 3, offsetof(MeshVertex, normal));
    pointer(kMeshTexCoord, 2, offsetof(MeshVertex, texCoord));
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, wireframe ? lines_ : indices_);
    return static_cast<GLsizei>(triangles_ * (wireframe ? 6 : 3));
}

void Mesh::drawRange(bool wireframe, uint32_t first, uint32_t count) const {
    (void)bind(wireframe);
    uint32_t perTriangle = wireframe ? 6 : 3;
    glDrawElements(wireframe ? GL_LINES : GL_TRIANGLES, static_cast<GLsizei>(count * perTriangle), GL_UNSIGNED_SHORT,
                   reinterpret_cast<const void*>(size_t{first} * perTriangle * sizeof(uint16_t)));
}

void drawScreenQuad() {
    constexpr GLfloat kCorners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
    glBindBuffer(GL_ARRAY_BUFFER, 0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, kCorners);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

MeshData cubeMesh() {
    MeshData data;
    for (int axis = 0; axis < 3; ++axis) {
        for (float side : {1.0f, -1.0f}) {
            glm::vec3 normal(0), right(0), up(0);
            normal[axis] = side;
            // Seen from outside, `right` points right and `up` up; y is up for the side faces.
            up[axis == 1 ? 2 : 1] = axis == 1 ? -side : 1.0f;
            right = glm::cross(up, normal);
            auto corner = [&](float s, float t) {
                return MeshVertex{normal + right * (2 * s - 1) + up * (2 * t - 1), normal, {s, t}};
            };
            data.addQuad(corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1));
        }
    }
    return data;
}

}  // namespace demos
