// A lit, indexed triangle mesh in buffer objects, drawable as triangles or as the lines of their edges.
#pragma once

#include <GLES2/gl2.h>

#include <cstdint>
#include <glm/glm.hpp>
#include <vector>

namespace demos {

/// A buffer object with these elements, left bound to `target`.
template <class Element>
[[nodiscard]] GLuint makeBuffer(GLenum target, const std::vector<Element>& elements) {
    GLuint name = 0;
    glGenBuffers(1, &name);
    glBindBuffer(target, name);
    glBufferData(target, static_cast<GLsizeiptr>(elements.size() * sizeof(Element)), elements.data(), GL_STATIC_DRAW);
    return name;
}

struct MeshVertex {
    glm::vec3 position;
    glm::vec3 normal;
    glm::vec2 texCoord{0};
};

struct MeshData {
    std::vector<MeshVertex> vertices;
    std::vector<uint16_t> indices;  ///< three for each triangle

    /// Four corners counter-clockwise seen from the side the normal points to.
    void addQuad(const MeshVertex& a, const MeshVertex& b, const MeshVertex& c, const MeshVertex& d);
    void addTriangle(const MeshVertex& a, const MeshVertex& b, const MeshVertex& c);
};

/// Attribute locations of every mesh program.
enum MeshAttribute : GLuint { kMeshPosition, kMeshNormal, kMeshTexCoord };

class Mesh {
public:
    explicit Mesh(const MeshData& data);
    ~Mesh();
    Mesh(const Mesh&) = delete;
    Mesh& operator=(const Mesh&) = delete;

    void draw(bool wireframe) const { drawRange(wireframe, 0, triangles()); }
    /// Makes this the source of vertices and indices (16 bits, of triangles or of lines). Returns how many indices.
    [[nodiscard]] GLsizei bind(bool wireframe) const;
    /// Triangles first .. first + count - 1.
    void drawRange(bool wireframe, uint32_t first, uint32_t count) const;
    [[nodiscard]] uint32_t triangles() const { return triangles_; }

private:
    GLuint vertices_ = 0, indices_ = 0, lines_ = 0;
    uint32_t triangles_ = 0;
};

/// Two triangles over the whole viewport at location 0: vec2 positions -1 .. 1.
void drawScreenQuad();

/// A cube of side 2 around the origin: six faces of two triangles each, in the order +x -x +y -y +z -z.
[[nodiscard]] MeshData cubeMesh();

}  // namespace demos
