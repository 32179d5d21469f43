// The raster rule by brute force: the Edge equations of setup are evaluated at every pixel centre and compared with
// exact integer geometry. Then planes against perspective-correct interpolation in double, and the smaller rules.
#include "pipeline/geometry/setup.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "pipeline/commands.h"

using namespace tessera;
using namespace tessera::pipeline;

namespace {

constexpr int kWindow = 40;  ///< pixels along each side of the test window
constexpr int kOne = 256;

struct Point {
    int32_t x, y;
    bool operator==(const Point&) const = default;
};

SetupState windowState() {
    SetupState state;
    state.space = {kWindow / 2.0, kWindow / 2.0, kWindow / 2.0, kWindow / 2.0};
    state.bounds = state.viewport = {0, 0, kWindow - 1, kWindow - 1};
    return state;
}

bool covers(const SetupPrimitive& primitive, int x, int y) {
    if (x < primitive.minX || x > primitive.maxX || y < primitive.minY || y > primitive.maxY) return false;
    for (int i = 0; i < primitive.edgeCount; ++i)
        if (primitive.edge[i].a * x + primitive.edge[i].b * y + primitive.edge[i].c < 0) return false;
    return true;
}

/// How often each pixel of the window is covered.
struct Coverage {
    std::array<int, kWindow * kWindow> count{};
    void add(const PrimitiveChunk& chunk) {
        for (const SetupPrimitive& primitive : chunk.primitives)
            for (int y = 0; y < kWindow; ++y)
                for (int x = 0; x < kWindow; ++x) count[y * kWindow + x] += covers(primitive, x, y);
    }
};

void addTriangle(Point a, Point b, Point c, PrimitiveChunk& chunk) {
    WindowVertex v[3];
    v[0].x = a.x, v[0].y = a.y;
    v[1].x = b.x, v[1].y = b.y;
    v[2].x = c.x, v[2].y = c.y;
    static const SetupState state = windowState();
    setupPolygon(state, v, 3, v[2].attributes, chunk);
}

int64_t cross(Point a, Point b, Point c) {
    return (int64_t{b.x} - a.x) * (int64_t{c.y} - a.y) - (int64_t{c.x} - a.x) * (int64_t{b.y} - a.y);
}

/// 1 inside, 0 on the boundary, -1 outside of a closed polygon without self-intersections; exact (crossing number).
int inside(const std::vector<Point>& polygon, Point p) {
    bool in = false;
    for (size_t i = 0; i < polygon.size(); ++i) {
        const Point a = polygon[i], b = polygon[(i + 1) % polygon.size()];
        const int64_t side = cross(a, b, p);
        if (side == 0 && p.x >= std::min(a.x, b.x) && p.x <= std::max(a.x, b.x) && p.y >= std::min(a.y, b.y) &&
            p.y <= std::max(a.y, b.y))
            return 0;
        if ((a.y > p.y) != (b.y > p.y)) in ^= (side > 0) == (b.y > a.y);
    }
    return in ? 1 : -1;
}

/// Pixels whose count contradicts the polygon: inside once, outside never, on the boundary at most once.
int contradictions(const Coverage& coverage, const std::vector<Point>& outline) {
    int wrong = 0;
    for (int y = 0; y < kWindow; ++y)
        for (int x = 0; x < kWindow; ++x) {
            const int where = inside(outline, {x * kOne + kOne / 2, y * kOne + kOne / 2});
            const int count = coverage.count[y * kWindow + x];
            wrong += where > 0 ? count != 1 : where < 0 ? count != 0 : count > 1;
        }
    return wrong;
}

/// A coordinate that often falls on pixel centres and corners.
int32_t coordinate(std::mt19937& random, int32_t low, int32_t high) {
    const int32_t value = low + static_cast<int32_t>(random() % (high - low + 1));
    switch (random() % 4) {
        case 0:
            return (value & ~(kOne - 1)) + kOne / 2;
        case 1:
            return value & ~(kOne - 1);
        default:
            return value;
    }
}

float evaluate(const Plane& plane, const SetupPrimitive& primitive, int x, int y) {
    return std::fma(plane.dx, x - primitive.originX + 0.5f,
                    std::fma(plane.dy, y - primitive.originY + 0.5f, plane.base));
}

}  // namespace

TEST_CASE("grids of shared edges cover each pixel of the union exactly once") {
    std::mt19937 random(11);
    int wrong = 0;
    for (int mesh = 0; mesh < 600; ++mesh) {
        const int cells = 2 + static_cast<int>(random() % 6);
        const bool regular = random() % 4 == 0;  // many ties
        const int32_t cell = regular ? 32 << random() % 6 : 40 + static_cast<int32_t>(random() % 1600);
        const int32_t start = coordinate(random, -2000, 4000);
        const int32_t jitter = regular ? 0 : cell / 8;  // the triangles keep their orientation
        std::vector<Point> grid((cells + 1) * (cells + 1));
        for (int y = 0; y <= cells; ++y)
            for (int x = 0; x <= cells; ++x) {
                const auto nudge = [&] { return static_cast<int32_t>(random() % (2 * jitter + 1)) - jitter; };
                grid[y * (cells + 1) + x] = {start + x * cell + nudge(), start + y * cell + nudge()};
            }
        PrimitiveChunk chunk;
        std::vector<Point> outline;
        for (int y = 0; y < cells; ++y)
            for (int x = 0; x < cells; ++x) {
                const int i = y * (cells + 1) + x, up = i + cells + 1;
                // Either diagonal, either winding.
                if (random() % 2 != 0) {
                    addTriangle(grid[i], grid[i + 1], grid[up], chunk);
                    addTriangle(grid[up + 1], grid[i + 1], grid[up], chunk);
                } else {
                    addTriangle(grid[i], grid[i + 1], grid[up + 1], chunk);
                    addTriangle(grid[i], grid[up], grid[up + 1], chunk);
                }
            }
        for (int i = 0; i < cells; ++i) outline.push_back(grid[i]);
        for (int i = 0; i < cells; ++i) outline.push_back(grid[i * (cells + 1) + cells]);
        for (int i = cells; i > 0; --i) outline.push_back(grid[cells * (cells + 1) + i]);
        for (int i = cells; i > 0; --i) outline.push_back(grid[i * (cells + 1)]);
        Coverage coverage;
        coverage.add(chunk);
        wrong += contradictions(coverage, outline);
    }
    CHECK(wrong == 0);
}

TEST_CASE("fans around a point, from tiny to far beyond the window") {
    std::mt19937 random(12);
    int wrong = 0;
    for (int mesh = 0; mesh < 1500; ++mesh) {
        const Point hub = {coordinate(random, 0, kWindow * kOne), coordinate(random, 0, kWindow * kOne)};
        const double radius = std::exp2(2 + random() % 1000 / 1000.0 * 19.5);  // 4 subpixels .. 12,000 pixels
        const int spokes = 3 + static_cast<int>(random() % 12);
        std::vector<Point> rim;
        for (int i = 0; i < spokes; ++i) {
            const double angle = (i + random() % 100 / 250.0) * 2 * 3.14159265358979 / spokes;
            const Point p = {hub.x + static_cast<int32_t>(radius * std::cos(angle)),
                             hub.y + static_cast<int32_t>(radius * std::sin(angle))};
            rim.push_back(p);
        }
        bool star = true;  // rounding may spoil tiny ones
        for (int i = 0; i < spokes; ++i) star &= cross(hub, rim[i], rim[(i + 1) % spokes]) > 0;
        if (!star) continue;
        PrimitiveChunk chunk;
        for (int i = 0; i < spokes; ++i) {
            if (random() % 2 != 0)
                addTriangle(hub, rim[i], rim[(i + 1) % spokes], chunk);
            else
                addTriangle(rim[(i + 1) % spokes], rim[i], hub, chunk);
        }
        Coverage coverage;
        coverage.add(chunk);
        wrong += contradictions(coverage, rim);
    }
    CHECK(wrong == 0);
}

TEST_CASE("a triangle split again and again into slivers keeps its pixels") {
    std::mt19937 random(13);
    int wrong = 0, slivers = 0;
    for (int mesh = 0; mesh < 60; ++mesh) {
        std::vector<std::array<Point, 3>> parts(1);
        for (Point& p : parts[0]) p = {coordinate(random, -3000, 13000), coordinate(random, -3000, 13000)};
        if (cross(parts[0][0], parts[0][1], parts[0][2]) == 0) continue;
        PrimitiveChunk whole;
        addTriangle(parts[0][0], parts[0][1], parts[0][2], whole);
        for (int split = 0; split < 40; ++split) {
            const size_t index = random() % parts.size();
            const std::array<Point, 3> t = parts[index];
            const int u = 1 + static_cast<int>(random() % 98), v = 1 + static_cast<int>(random() % (99 - u));
            const Point p = {(t[0].x * u + t[1].x * v + t[2].x * (100 - u - v)) / 100,
                             (t[0].y * u + t[1].y * v + t[2].y * (100 - u - v)) / 100};
            const int64_t area = cross(t[0], t[1], t[2]);
            const int64_t part[3] = {cross(t[0], t[1], p), cross(t[1], t[2], p), cross(t[2], t[0], p)};
            if (std::any_of(part, part + 3, [&](int64_t a) { return a == 0 || (a > 0) != (area > 0); })) continue;
            slivers += std::abs(area) < 1000;
            parts[index] = {t[0], t[1], p};
            parts.push_back({t[1], t[2], p});
            parts.push_back({t[2], t[0], p});
        }
        PrimitiveChunk pieces;
        for (const auto& t : parts) addTriangle(t[0], t[1], t[2], pieces);
        Coverage expected, got;
        expected.add(whole);
        got.add(pieces);
        wrong += expected.count != got.count;
    }
    CHECK(slivers > 0);
    CHECK(wrong == 0);
}

TEST_CASE("pixel centres on left and top edges belong to the polygon, others do not") {
    // A square whose edges run through pixel centres: of each pair of opposite edges one has them.
    const int32_t low = 5 * kOne + kOne / 2, high = 9 * kOne + kOne / 2;
    PrimitiveChunk chunk;
    addTriangle({low, low}, {high, low}, {low, high}, chunk);
    addTriangle({high, low}, {high, high}, {low, high}, chunk);
    Coverage coverage;
    coverage.add(chunk);
    for (int i = 4; i <= 10; ++i) {
        CHECK(coverage.count[7 * kWindow + i] == (i >= 5 && i <= 8 ? 1 : 0));
        CHECK(coverage.count[i * kWindow + 7] == (i >= 6 && i <= 9 ? 1 : 0));
    }
}

TEST_CASE("planes interpolate with perspective") {
    std::mt19937 random(14);
    std::uniform_real_distribution<double> unit(-1, 1);
    SetupState state = windowState();
    state.attributeFloats = 4;
    double worst = 0, worstDepth = 0;
    int pixels = 0;
    for (int i = 0; i < 2000; ++i) {
        WindowVertex v[3];
        float attributes[3][4];
        double position[3][4];
        for (int k = 0; k < 3; ++k) {
            const double w = std::exp2(unit(random) * 3);
            for (int c = 0; c < 3; ++c) position[k][c] = unit(random) * w;
            position[k][3] = w;
            for (float& a : attributes[k]) a = static_cast<float>(unit(random));
            REQUIRE(toWindow(state, position[k], attributes[k], v[k]));
        }
        PrimitiveChunk chunk;
        setupPolygon(state, v, 3, v[2].attributes, chunk);
        if (chunk.primitives.empty()) continue;
        const SetupPrimitive& primitive = chunk.primitives[0];
        const double area = static_cast<double>(cross({v[0].x, v[0].y}, {v[1].x, v[1].y}, {v[2].x, v[2].y}));
        if (std::abs(area) < 1e6) continue;
        for (int y = 0; y < kWindow; ++y)
            for (int x = 0; x < kWindow; ++x) {
                if (!covers(primitive, x, y)) continue;
                const Point p = {x * kOne + kOne / 2, y * kOne + kOne / 2};
                double weight[3], sum = 0, depth = 0, value = 0;
                for (int k = 0; k < 3; ++k) {
                    const WindowVertex &a = v[(k + 1) % 3], &b = v[(k + 2) % 3];
                    const double linear = static_cast<double>(cross({a.x, a.y}, {b.x, b.y}, p)) / area;
                    depth += linear * v[k].z;
                    weight[k] = linear / position[k][3];
                    sum += weight[k];
                }
                for (int k = 0; k < 3; ++k) value += weight[k] / sum * attributes[k][1];
                const float inverseW = evaluate(primitive.inverseW, primitive, x, y);
                const float got = evaluate(chunk.planes[primitive.firstPlane + 1], primitive, x, y) / inverseW;
                worst = std::max(worst, std::abs(got - value));
                worstDepth = std::max<double>(worstDepth, std::abs(evaluate(primitive.depth, primitive, x, y) - depth));
                ++pixels;
            }
    }
    CHECK(pixels > 50000);
    CHECK(worst < 1e-4);
    CHECK(worstDepth < 4e-6);  // steep slivers; 24 bits resolve 6e-8
}

TEST_CASE("flat values stay flat to the bit, and w = 1 keeps them as they are") {
    std::mt19937 random(15);
    SetupState state = windowState();
    state.attributeFloats = 4;
    int wrong = 0, primitives = 0;
    for (int i = 0; i < 2000; ++i) {
        const float flat[4] = {1, 0.1f, std::nextafter(1.0f, 0.0f), -3};
        WindowVertex v[3];
        for (WindowVertex& vertex : v) {
            vertex.x = coordinate(random, -3000, 13000), vertex.y = coordinate(random, -3000, 13000);
            vertex.z = 0.3f;
            vertex.attributes = flat;
        }
        PrimitiveChunk chunk;
        setupPolygon(state, v, 3, v[2].attributes, chunk);
        setupLine(state, v[0], v[1], v[1].attributes, chunk);
        setupPoint(state, v[2], 7.5f, chunk);
        for (const SetupPrimitive& primitive : chunk.primitives) {
            ++primitives;
            for (int c = 0; c < 4; ++c)
                wrong += evaluate(chunk.planes[primitive.firstPlane + c], primitive, primitive.maxX, primitive.minY) !=
                         flat[c];
            wrong += evaluate(primitive.inverseW, primitive, primitive.minX, primitive.maxY) != 1;
            wrong += evaluate(primitive.depth, primitive, primitive.minX, primitive.maxY) != 0.3f;
        }
    }
    CHECK(primitives > 2000);
    CHECK(wrong == 0);
}

TEST_CASE("scissor and target size change bounds only") {
    Draw draw;
    draw.state->target.width = draw.state->target.height = kWindow;
    draw.state->raster.viewport[2] = draw.state->raster.viewport[3] = kWindow;
    const SetupState open = makeSetupState(draw, 1, 0);
    draw.state->raster.scissorTest = true;
    draw.state->raster.scissor = {5, 6, 7, 8};
    const SetupState cut = makeSetupState(draw, 1, 0);
    CHECK(cut.bounds.minX == 5);
    CHECK(cut.bounds.maxX == 11);
    CHECK(cut.bounds.minY == 6);
    CHECK(cut.bounds.maxY == 13);
    const float values[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 9}, {9, 1, 2, 3}};
    const double positions[3][4] = {{-1, -0.9, 0, 1}, {2, -1, 0.5, 2}, {0.1, 3, 0.2, 3}};
    WindowVertex v[3];
    for (int i = 0; i < 3; ++i) REQUIRE(toWindow(open, positions[i], values[i], v[i]));
    PrimitiveChunk a, b;
    setupPolygon(open, v, 3, v[2].attributes, a);
    setupPolygon(cut, v, 3, v[2].attributes, b);
    REQUIRE(a.primitives.size() == 1);
    REQUIRE(b.primitives.size() == 1);
    CHECK(b.primitives[0].minX == 5);
    for (size_t i = 0; i < a.planes.size(); ++i) CHECK(a.planes[i].base == b.planes[i].base);
    CHECK(a.primitives[0].originX == b.primitives[0].originX);
    draw.state->raster.scissor = {-2147483647 - 1, 0, 0, 5};
    CHECK(makeSetupState(draw, 1, 0).bounds.isEmpty());
}

TEST_CASE("facing and culling follow the window's winding") {
    SetupState state = windowState();
    WindowVertex v[3];
    v[1].x = v[2].y = 3000;  // counter-clockwise
    const auto drawn = [&](CullFace cull, bool frontIsClockwise) {
        state.cull = cull;
        state.frontIsClockwise = frontIsClockwise;
        PrimitiveChunk chunk;
        setupPolygon(state, v, 3, v[2].attributes, chunk);
        return chunk.primitives.empty() ? -1 : static_cast<int>(chunk.primitives[0].frontFacing);
    };
    CHECK(drawn(CullFace::None, false) == 1);
    CHECK(drawn(CullFace::None, true) == 0);
    CHECK(drawn(CullFace::Back, false) == 1);
    CHECK(drawn(CullFace::Front, false) == -1);
    CHECK(drawn(CullFace::Back, true) == -1);
    CHECK(drawn(CullFace::Both, false) == -1);
    std::swap(v[1], v[2]);
    CHECK(drawn(CullFace::None, false) == 0);
    CHECK(drawn(CullFace::Back, false) == -1);
    v[1] = v[2];
    CHECK(drawn(CullFace::None, false) == -1);  // no area
}

TEST_CASE("polygon offset is m * factor + r * units") {
    SetupState state = windowState();
    WindowVertex v[3];
    v[1].x = 10 * kOne, v[2].y = 10 * kOne;
    v[0].z = 0.25, v[1].z = 0.5, v[2].z = 0.25;  // 0.025 for each pixel in x
    state.offsetFactor = 2;
    state.offsetUnits = 0x1p-24 * 8;
    PrimitiveChunk chunk;
    setupPolygon(state, v, 3, v[2].attributes, chunk);
    REQUIRE(chunk.primitives.size() == 1);
    const SetupPrimitive& primitive = chunk.primitives[0];
    CHECK(evaluate(primitive.depth, primitive, 4, 2) ==
          doctest::Approx(0.25 + 4.5 * 0.025 + 0.05 + 8 / 16777216.0).epsilon(1e-7));
}

TEST_CASE("an offset of nothing changes no depth, infinite ones that are clamped later included") {
    const SetupState state = windowState();
    for (const double depth : {0.25, double{INFINITY}, -double{INFINITY}}) {
        WindowVertex v[3];
        v[1].x = 10 * kOne, v[2].y = 10 * kOne;
        for (WindowVertex& vertex : v) vertex.z = depth;
        PrimitiveChunk chunk;
        setupPolygon(state, v, 3, v[2].attributes, chunk);
        REQUIRE(chunk.primitives.size() == 1);
        CHECK(static_cast<double>(evaluate(chunk.primitives[0].depth, chunk.primitives[0], 4, 2)) == depth);
    }
}

TEST_CASE("one unit of polygon offset is resolvable in the buffer, at every depth and either way") {
    std::mt19937 random(15);
    for (const texture::PixelFormat format : {texture::PixelFormat::Depth16, texture::PixelFormat::Depth24Stencil8}) {
        const double largest = format == texture::PixelFormat::Depth16 ? 65535 : 16777215;
        Draw draw;
        draw.state->target.width = draw.state->target.height = kWindow;
        draw.state->target.depth = std::make_shared<texture::Image>(format, kWindow, kWindow);
        draw.state->raster.viewport[2] = draw.state->raster.viewport[3] = kWindow;
        draw.state->raster.polygonOffset = true;
        int wrong = 0;
        for (int i = 0; i < 20000; ++i) {
            WindowVertex v[3];
            v[1].x = 10 * kOne, v[2].y = 10 * kOne;
            const double z = i == 0 ? 0.5 : 0.001 + 0.997 * random() * 0x1p-32;
            v[0].z = v[1].z = v[2].z = z;
            if (i % 2 == 1) v[1].z += 0.001 * random() * 0x1p-32;
            double stored[3];
            for (int units = -1; units <= 1; ++units) {
                draw.state->raster.offsetUnits = static_cast<float>(units);
                PrimitiveChunk chunk;
                setupPolygon(makeSetupState(draw, 0, 0), v, 3, v[2].attributes, chunk);
                const float depth = evaluate(chunk.primitives.at(0).depth, chunk.primitives[0], 2, 2);
                stored[units + 1] = std::nearbyint(depth * largest);
            }
            wrong += !(stored[0] < stored[1] && stored[1] < stored[2]);
            wrong += stored[2] - stored[0] > 6;
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("a unit of polygon offset is a step of floats at the primitive's largest depth") {
    // OpenGL ES 3.0.6, section 3.6.2: r = 2^(e - 23).
    struct Case {
        double z[3], step;
    };
    for (const texture::PixelFormat format : {texture::PixelFormat::Depth32F, texture::PixelFormat::Depth32FStencil8}) {
        Draw draw;
        draw.state->target.width = draw.state->target.height = kWindow;
        draw.state->target.depth = std::make_shared<texture::Image>(format, kWindow, kWindow);
        draw.state->raster.viewport[2] = draw.state->raster.viewport[3] = kWindow;
        draw.state->raster.polygonOffset = true;
        draw.state->raster.offsetUnits = 3;
        for (const auto& [z, step] : {Case{{0.75, 0.75, 0.75}, 0x1p-24}, Case{{0.25, 0.25, 0.25}, 0x1p-25},
                                      Case{{0x1.8p-10, 0x1.8p-10, 0x1.8p-10}, 0x1p-33}, Case{{0, 0, 0}, 0},
                                      Case{{0.125, 0.25, 0.375}, 0x1p-25}, Case{{0.125, 0.625, 0.25}, 0x1p-24}}) {
            WindowVertex v[3];
            v[1].x = 8 * kOne, v[2].y = 8 * kOne;
            for (int i = 0; i < 3; ++i) v[i].z = z[i];
            double at[2];
            for (const bool isOffset : {false, true}) {
                draw.state->raster.polygonOffset = isOffset;
                PrimitiveChunk chunk;
                setupPolygon(makeSetupState(draw, 0, 0), v, 3, v[2].attributes, chunk);
                at[isOffset ? 1 : 0] = chunk.primitives.at(0).depth.base;
            }
            CAPTURE(z[0]);
            CAPTURE(z[1]);
            CHECK(at[1] - at[0] == 3 * step);
        }
    }
}

TEST_CASE("points cover size x size pixels and run s to the right, t downwards") {
    SetupState state = windowState();
    std::mt19937 random(16);
    for (float size : {0.0f, -3.0f, NAN, 1.0f, 2.0f, 5.0f, 16.0f}) {
        const int side = size >= 1 ? static_cast<int>(size) : 1;
        for (int i = 0; i < 50; ++i) {
            WindowVertex center;
            center.x = coordinate(random, 20 * kOne, 21 * kOne);
            center.y = coordinate(random, 20 * kOne, 21 * kOne);
            PrimitiveChunk chunk;
            setupPoint(state, center, size, chunk);
            Coverage coverage;
            coverage.add(chunk);
            int pixels = 0;
            for (int count : coverage.count) pixels += count;
            CHECK(pixels == side * side);
        }
    }
    WindowVertex center;
    center.x = center.y = 20 * kOne;
    PrimitiveChunk chunk;
    setupPoint(state, center, 8, chunk);
    const SetupPrimitive& point = chunk.primitives.at(0);
    CHECK(point.kind == PrimitiveKind::Point);
    CHECK(point.minX == 16);
    CHECK(point.maxX == 23);
    CHECK(evaluate(point.pointCoord[0], point, 16, 20) == 0.5f / 8);
    CHECK(evaluate(point.pointCoord[0], point, 23, 20) == 7.5f / 8);
    CHECK(evaluate(point.pointCoord[1], point, 20, 23) == 0.5f / 8);
    CHECK(evaluate(point.pointCoord[1], point, 20, 16) == 7.5f / 8);
    chunk = {};
    setupPoint(state, center, 1e9f, chunk);
    CHECK(chunk.primitives.at(0).edge[0].b == 256ll * kOne * kOne);  // clamped to 256 pixels
}

TEST_CASE("wide lines are columns of thin lines with the values of the first") {
    SetupState state = windowState();
    state.attributeFloats = 4;
    state.lineWidth = 4;
    const float values[2][4] = {{0, 1, 2, 3}, {4, 3, 2, 1}};
    WindowVertex a, b;
    a.x = 5 * kOne, a.y = 9 * kOne, a.attributes = values[0];
    b.x = 30 * kOne, b.y = 15 * kOne, b.attributes = values[1];
    PrimitiveChunk chunk;
    setupLine(state, a, b, b.attributes, chunk);
    REQUIRE(chunk.primitives.size() == 4);
    CHECK(chunk.planes.size() == 4);
    const SetupPrimitive& root = chunk.primitives[0];
    CHECK(root.kind == PrimitiveKind::ThinLine);
    CHECK(root.lineY0 == a.y - 3 * kOne / 2);
    CHECK(root.lineX1 == b.x);
    for (int i = 1; i < 4; ++i) {
        const SetupPrimitive& line = chunk.primitives[i];
        CHECK(line.lineY0 == root.lineY0 + i * kOne);
        CHECK(line.lineX0 == root.lineX0);
        CHECK(line.firstPlane == root.firstPlane);
        CHECK(evaluate(chunk.planes[0], line, 12, 10 + i) == evaluate(chunk.planes[0], root, 12, 10));
    }
    // The value at the middle of the line, and none across it.
    const double t = ((17 + 0.5 - 5) * 25 + (12 + 0.5 - 7.5) * 6) / (25.0 * 25 + 6 * 6);
    CHECK(evaluate(chunk.planes[0], root, 17, 12) == doctest::Approx(4 * t).epsilon(1e-5));
    CHECK(chunk.planes[0].dx * -6 + chunk.planes[0].dy * 25 == doctest::Approx(0).epsilon(1e-6));
    std::swap(a.x, a.y);
    std::swap(b.x, b.y);
    chunk = {};
    setupLine(state, a, b, b.attributes, chunk);
    CHECK(chunk.primitives.at(3).lineX0 == chunk.primitives.at(0).lineX0 + 3 * kOne);
    chunk = {};
    setupLine(state, a, a, a.attributes, chunk);
    CHECK(chunk.primitives.empty());
}

TEST_CASE("positions without a place in the window are refused") {
    const SetupState state = windowState();
    WindowVertex vertex;
    const double good[4] = {0.5, -0.5, 0, 1}, behind[4] = {0, 0, 0, -1}, origin[4] = {0, 0, 0, 0};
    const double far[4] = {1e9, 0, 0, 1}, bad[4] = {NAN, 0, 0, 1};
    CHECK(toWindow(state, good, nullptr, vertex));
    CHECK(vertex.x == 30 * kOne);
    CHECK(vertex.y == 10 * kOne);
    CHECK(vertex.z == 0.5);
    CHECK(!toWindow(state, behind, nullptr, vertex));
    CHECK(!toWindow(state, origin, nullptr, vertex));
    CHECK(!toWindow(state, far, nullptr, vertex));
    CHECK(!toWindow(state, bad, nullptr, vertex));
}
