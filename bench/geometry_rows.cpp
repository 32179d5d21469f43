// Geometry rows: fine meshes lit per vertex. A mesh is a grid of square cells of two triangles each, cut into pieces
// whose vertices 16-bit indices can reach.
#include <GLES2/gl2.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "bench/gl.h"
#include "bench/row.h"

namespace bench {

namespace {

constexpr const char* kLitVertexShader = R"(
attribute vec3 a_position;
attribute vec3 a_normal;
uniform mat4 u_modelView;
uniform mat4 u_projection;
uniform vec3 u_light;
uniform vec3 u_color;
varying vec4 v_color;
void main() {
    vec3 normal = normalize((u_modelView * vec4(a_normal, 0.0)).xyz);
    float diffuse = max(dot(normal, u_light), 0.0);
    v_color = vec4(u_color * (0.2 + 0.8 * diffuse), 1.0);
    gl_Position = u_projection * (u_modelView * vec4(a_position, 1.0));
}
)";

constexpr const char* kColorFragment = R"(
precision mediump float;
varying vec4 v_color;
void main() { gl_FragColor = v_color; }
)";

struct MeshVertex {
    float position[3];
    float normal[3];
};

constexpr double kMaterial[3] = {0.9, 0.6, 0.4};
constexpr double kLight[3] = {0.36, 0.48, 0.8};

/// The normal at (x, y), 0 to 1 over the surface: a shallow bowl.
MeshVertex meshVertex(double x, double y, double z = 0) {
    return {{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)},
            {static_cast<float>(x - 0.5), static_cast<float>(y - 0.5), 0.8f}};
}

Color litColor(double x, double y) {
    double nx = x - 0.5, ny = y - 0.5, nz = 0.8;
    double length = std::sqrt(nx * nx + ny * ny + nz * nz);
    double diffuse = std::max((nx * kLight[0] + ny * kLight[1] + nz * kLight[2]) / length, 0.0);
    Color color{};
    for (size_t i = 0; i < 3; ++i) color[i] = kMaterial[i] * (0.2 + 0.8 * diffuse);
    return color;
}

/// Positions 0 to 1 over the surface; the two matrices undo each other but for the map to clip space, which no driver
/// can know.
void setLitUniforms(GLuint program) {
    const float modelView[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -0.5f, -0.5f, -2, 1};
    const float projection[16] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, -0.4f, 0, 0, 0, -0.8f, 1};
    glUniformMatrix4fv(uniform(program, "u_modelView"), 1, GL_FALSE, modelView);
    glUniformMatrix4fv(uniform(program, "u_projection"), 1, GL_FALSE, projection);
    glUniform3f(uniform(program, "u_light"), float{kLight[0]}, float{kLight[1]}, float{kLight[2]});
    glUniform3f(uniform(program, "u_color"), float{kMaterial[0]}, float{kMaterial[1]}, float{kMaterial[2]});
}

enum class Form { indexed, strip, arrays };

struct GeometrySpec {
    int cell = 4;    ///< pixels on a cell's side
    int region = 0;  ///< pixels on the mesh's side; 0 is the whole surface
    Form form = Form::indexed;
    bool isBackFacing = false;  ///< culled, but for one quad in the middle that faces the viewer
    bool isOutside = false;     ///< beyond the right plane of the view, but for one quad in the middle
    bool countsVertices = false;
};

/// Indices of one piece of a grid, `columns` cells wide.
std::vector<uint16_t> triangleIndices(int columns, int rows, bool isBackFacing) {
    std::vector<uint16_t> indices;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            int a = row * (columns + 1) + column, b = a + 1, c = a + columns + 2, d = a + columns + 1;
            if (isBackFacing) std::swap(b, d);
            for (int corner : {a, b, c, a, c, d}) indices.push_back(static_cast<uint16_t>(corner));
        }
    return indices;
}

/// The same as one strip; rows are joined by triangles without area.
std::vector<uint16_t> stripIndices(int columns, int rows) {
    std::vector<uint16_t> indices;
    for (int row = 0; row < rows; ++row) {
        if (row > 0) indices.insert(indices.end(), {indices.back(), static_cast<uint16_t>((row + 1) * (columns + 1))});
        for (int column = 0; column <= columns; ++column)
            for (int side : {1, 0}) indices.push_back(static_cast<uint16_t>((row + side) * (columns + 1) + column));
    }
    return indices;
}

class GeometryRow final : public Row {
public:
    GeometryRow(const GeometrySpec& spec, Size size) : spec_(spec), size_(size) {
        setLitUniforms(makeProgram(kLitVertexShader, kColorFragment, {"a_position", "a_normal"}));
        width_ = spec.region > 0 ? std::min(spec.region, size.width) : size.width;
        height_ = spec.region > 0 ? std::min(spec.region, size.height) : size.height;
        columns_ = width_ / spec.cell, rows_ = height_ / spec.cell;
        // 65,536 vertices at most in a piece.
        int rowsPerPiece = std::max(1, 65536 / (columns_ + 1) - 1);
        for (int first = 0; first < rows_; first += rowsPerPiece)
            pieces_.push_back(makePiece(first, std::min(rowsPerPiece, rows_ - first)));
        markerVertices_ = makeBuffer(GL_ARRAY_BUFFER, markerQuad());
        glEnable(GL_DEPTH_TEST);
        if (spec.isBackFacing) glEnable(GL_CULL_FACE);
        glEnableVertexAttribArray(0);
        glEnableVertexAttribArray(1);
    }

    void frame() override {
        glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
        for (const Piece& piece : pieces_) {
            bindVertices(piece.vertices);
            if (spec_.form == Form::arrays) {
                glDrawArrays(GL_TRIANGLES, 0, piece.count);
                continue;
            }
            glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, piece.indices);
            glDrawElements(spec_.form == Form::strip ? GL_TRIANGLE_STRIP : GL_TRIANGLES, piece.count, GL_UNSIGNED_SHORT,
                           nullptr);
        }
        if (!hasMarker()) return;
        bindVertices(markerVertices_);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }

    [[nodiscard]] double workPerFrame() const override {
        return rows_ * columns_ * (spec_.countsVertices ? 6 : 2) * 1e-6;
    }

    [[nodiscard]] std::vector<ExpectedPixel> expected() const override {
        std::vector<ExpectedPixel> pixels;
        auto add = [&](double x, double y, bool isLit) {
            int column = static_cast<int>(x * size_.width), row = static_cast<int>(y * size_.height);
            pixels.push_back(
                {column, row, isLit ? litColor((column + 0.5) / size_.width, (row + 0.5) / size_.height) : Color{}, 3});
        };
        if (hasMarker()) {
            add(0.5, 0.5, true);
            add(0.2, 0.7, false);
            return pixels;
        }
        double right = static_cast<double>(columns_) * spec_.cell / size_.width;
        double top = static_cast<double>(rows_) * spec_.cell / size_.height;
        for (double x : {0.02, 0.35, 0.71, 0.97})
            for (double y : {0.03, 0.52, 0.96}) add(x * right, y * top, true);
        return pixels;
    }

private:
    struct Piece {
        GLuint vertices = 0, indices = 0;
        GLsizei count = 0;
    };

    [[nodiscard]] bool hasMarker() const { return spec_.isBackFacing || spec_.isOutside; }

    [[nodiscard]] MeshVertex gridVertex(int column, int row) const {
        double x = static_cast<double>(column) * spec_.cell / size_.width;
        double y = static_cast<double>(row) * spec_.cell / size_.height;
        return meshVertex(x + (spec_.isOutside ? 1.5 : 0.0), y);
    }

    [[nodiscard]] Piece makePiece(int firstRow, int rows) const {
        std::vector<MeshVertex> vertices;
        for (int row = firstRow; row <= firstRow + rows; ++row)
            for (int column = 0; column <= columns_; ++column) vertices.push_back(gridVertex(column, row));
        std::vector<uint16_t> indices = spec_.form == Form::strip ? stripIndices(columns_, rows)
                                                                  : triangleIndices(columns_, rows, spec_.isBackFacing);
        Piece piece;
        piece.count = static_cast<GLsizei>(indices.size());
        if (spec_.form == Form::arrays) {
            std::vector<MeshVertex> flat;
            flat.reserve(indices.size());
            for (uint16_t index : indices) flat.push_back(vertices[index]);
            piece.vertices = makeBuffer(GL_ARRAY_BUFFER, flat);
            return piece;
        }
        piece.vertices = makeBuffer(GL_ARRAY_BUFFER, vertices);
        piece.indices = makeBuffer(GL_ELEMENT_ARRAY_BUFFER, indices);
        return piece;
    }

    static std::vector<MeshVertex> markerQuad() {
        return {meshVertex(0.49, 0.49, 0.1), meshVertex(0.51, 0.49, 0.1), meshVertex(0.49, 0.51, 0.1),
                meshVertex(0.51, 0.51, 0.1)};
    }

    static void bindVertices(GLuint buffer) {
        glBindBuffer(GL_ARRAY_BUFFER, buffer);
        floatAttribute(0, 3, sizeof(MeshVertex), offsetof(MeshVertex, position));
        floatAttribute(1, 3, sizeof(MeshVertex), offsetof(MeshVertex, normal));
    }

    GeometrySpec spec_;
    Size size_;
    int width_ = 0, height_ = 0, columns_ = 0, rows_ = 0;
    std::vector<Piece> pieces_;
    GLuint markerVertices_ = 0;
};

RowInfo geometry(const char* name, const char* unit, const char* meaning, const GeometrySpec& spec) {
    return {.name = name, .unit = unit, .meaning = meaning, .make = [spec](Size size) {
                return std::make_unique<GeometryRow>(spec, size);
            }};
}

}  // namespace

std::vector<RowInfo> geometryRows() {
    constexpr const char* kTriangles = "Mtriangle/s";
    return {
        geometry("triangles_8px", kTriangles, "lit indexed triangles of 8 pixels, depth test", {.cell = 4}),
        geometry("triangles_subpixel", kTriangles, "lit indexed triangles of half a pixel, depth test",
                 {.cell = 1, .region = 512}),
        geometry("indexed", kTriangles, "lit indexed triangles of 2 pixels; a vertex is shared by six",
                 {.cell = 2, .region = 512}),
        geometry("strip", kTriangles, "the same mesh as triangle strips",
                 {.cell = 2, .region = 512, .form = Form::strip}),
        geometry("culled", kTriangles, "the same mesh, facing away and culled",
                 {.cell = 2, .region = 512, .isBackFacing = true}),
        geometry("lit_vertices", "Mvertex/s", "lit triangles without indices, outside the view",
                 {.cell = 2, .region = 512, .form = Form::arrays, .isOutside = true, .countsVertices = true}),
    };
}

}  // namespace bench
