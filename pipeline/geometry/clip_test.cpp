// Outcodes and clipping: what stays is inside, what is shared stays shared.
#include "pipeline/geometry/clip.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "pipeline/geometry/setup.h"

using namespace tessera::pipeline;

namespace {

using Position = std::array<float, 4>;

constexpr ClipSpace kSpace = {200, 200, 150, 150};  // a viewport of 400 x 300

/// Clips a triangle whose corners carry the attributes given.
std::unique_ptr<ClipPolygon> clipTriangle(const Position (&p)[3], const std::array<float, 4> (&attributes)[3]) {
    auto polygon = std::make_unique<ClipPolygon>();
    polygon->count = 3;
    uint8_t planes = 0;
    for (int i = 0; i < 3; ++i) {
        loadClipVertex(kSpace, p[i].data(), attributes[i].data(), 4, polygon->vertex[i]);
        planes |= polygon->vertex[i].outcode;
    }
    clipPolygon(kSpace, planes, 4, *polygon);
    return polygon;
}

constexpr std::array<float, 4> kCorner[3] = {{1, 0, 0, 7}, {0, 1, 0, 7}, {0, 0, 1, 7}};

/// Positions around, inside and far outside the volume, in front of and behind the eye.
Position randomPosition(std::mt19937& random) {
    std::uniform_real_distribution<float> unit(-1, 1);
    const float scale = std::exp2(unit(random) * 12);
    Position p = {unit(random) * scale, unit(random) * scale, unit(random) * 3, unit(random) * 2 + 1};
    if (random() % 16 == 0) p[random() % 3] = p[3];  // on a plane
    if (random() % 16 == 0) p[3] = 0;                // at infinity
    return p;
}

struct Bits {
    std::array<uint64_t, 4> word;
    auto operator<=>(const Bits&) const = default;
};

/// Bits of the positions of vertices that lie on the edge between corners 0 and 1: attribute 2 is exactly 0 there.
std::vector<Bits> onFirstEdge(const ClipPolygon& polygon) {
    std::vector<Bits> found;
    for (int i = 0; i < polygon.count; ++i) {
        if (polygon.vertex[i].attributes[2] != 0) continue;
        Bits bits;
        std::memcpy(bits.word.data(), polygon.vertex[i].position, sizeof bits.word);
        found.push_back(bits);
    }
    // A corner exactly on a plane appears twice when the third corner is outside.
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

}  // namespace

TEST_CASE("outcodes in the paper's order") {
    const float inside[4] = {0.5f, -0.5f, 1, 1}, rightTopFar[4] = {2, 3, 4, 1}, leftBottomNear[4] = {-2, -3, -4, 1};
    const float behind[4] = {0, 0, 0, -1};
    // Seed 004, section 2.2: {z>w, z<-w, y>w, y<-w, x>w, x<-w}; 000000 is inside, 100000 outside of the far boundary.
    CHECK(viewOutcode(inside) == 0b000000);
    const float far[4] = {0, 0, 2, 1}, near[4] = {0, 0, -2, 1}, top[4] = {0, 2, 0, 1}, bottom[4] = {0, -2, 0, 1};
    const float right[4] = {2, 0, 0, 1}, left[4] = {-2, 0, 0, 1};
    CHECK(viewOutcode(far) == 0b100000);
    CHECK(viewOutcode(near) == 0b010000);
    CHECK(viewOutcode(top) == 0b001000);
    CHECK(viewOutcode(bottom) == 0b000100);
    CHECK(viewOutcode(right) == 0b000010);
    CHECK(viewOutcode(left) == 0b000001);
    CHECK(viewOutcode(rightTopFar) == 0b101010);
    CHECK(viewOutcode(leftBottomNear) == 0b010101);
    CHECK(viewOutcode(behind) == 0b111111);
    // The clip volume's outcode has the same bits, its sides at the guard band.
    const double beyond[4] = {kGuardBand, -kGuardBand, 2, 1};
    CHECK(clipOutcode(kSpace, beyond) == 0b100110);
    const float notANumber[4] = {0, NAN, 0, 1}, infinite[4] = {INFINITY, 0, 0, 1};
    CHECK(isFinite(inside));
    CHECK(!isFinite(notANumber));
    CHECK(!isFinite(infinite));
}

TEST_CASE("a line is cut where it leaves the volume") {
    ClipPolygon line;
    line.count = 2;
    const float a[4] = {0, 0, 0, 1}, b[4] = {0, 0, 4, 1}, from[4] = {0, 10, 3, 3}, to[4] = {8, 20, 3, 5};
    loadClipVertex(kSpace, a, from, 4, line.vertex[0]);
    loadClipVertex(kSpace, b, to, 4, line.vertex[1]);
    clipPolygon(kSpace, kOutFar, 4, line);
    REQUIRE(line.count == 2);
    CHECK(line.vertex[1].position[2] == 1);
    CHECK(line.vertex[1].attributes[0] == 2);
    CHECK(line.vertex[1].attributes[1] == 12.5f);
    CHECK(line.vertex[1].attributes[2] == 3);
    CHECK(line.vertex[0].attributes[1] == 10);
}

TEST_CASE("clipped polygons lie inside, keep constant attributes exactly, and have few vertices") {
    std::mt19937 random(1);
    double worst = 0;
    int varied = 0, tooMany = 0, empty = 0;
    for (int i = 0; i < 20000; ++i) {
        const Position p[3] = {randomPosition(random), randomPosition(random), randomPosition(random)};
        auto polygon = clipTriangle(p, kCorner);
        empty += polygon->count == 0;
        tooMany += polygon->count > 9;
        for (int v = 0; v < polygon->count; ++v) {
            const ClipVertex& vertex = polygon->vertex[v];
            varied += vertex.attributes[3] != 7;
            const double x = vertex.position[0], y = vertex.position[1], z = vertex.position[2], w = vertex.position[3];
            worst = std::max({worst, std::abs(z) - w, (std::abs(200 * x + 200 * w) - kGuardBand * w) / kGuardBand,
                              (std::abs(150 * y + 150 * w) - kGuardBand * w) / kGuardBand});
        }
    }
    CHECK(varied == 0);
    CHECK(tooMany == 0);
    CHECK(empty > 1000);
    CHECK(empty < 19000);
    CHECK(worst < 1e-9);
}

TEST_CASE("two triangles that share an edge get the same new vertices on it, to the bit") {
    std::mt19937 random(2);
    int clippedEdges = 0, differences = 0;
    for (int i = 0; i < 30000; ++i) {
        const Position a = randomPosition(random), b = randomPosition(random);
        const Position left[3] = {a, b, randomPosition(random)};
        const Position right[3] = {b, a, randomPosition(random)};  // the edge the other way round
        const auto first = clipTriangle(left, kCorner), second = clipTriangle(right, kCorner);
        const std::vector<Bits> mine = onFirstEdge(*first), theirs = onFirstEdge(*second);
        if (mine.empty() && theirs.empty()) continue;
        clippedEdges += mine.size() >= 2;
        differences += mine != theirs;
    }
    CHECK(clippedEdges > 5000);
    CHECK(differences == 0);
}

// A mesh over the edge of the clip volume: after clipping and rounding to the window, every edge inside the mesh must
// be met by its opposite, so the pieces tile the clipped mesh without gap or overlap and their signed areas add up to
// its area exactly.
TEST_CASE("random meshes stay watertight when clipped") {
    constexpr int kSize = 9;
    std::mt19937 random(3);
    std::uniform_real_distribution<float> jitter(-0.3f, 0.3f), depth(-1, 1);
    int clippedVertices = 0, open = 0;
    for (int mesh = 0; mesh < 300; ++mesh) {
        std::vector<Position> grid(kSize * kSize);
        std::vector<std::array<float, 4>> border(grid.size());
        const float scale = std::exp2(depth(random) * 4 + 5), tilt = depth(random) * 3, slope = depth(random) * 2;
        for (int y = 0; y < kSize; ++y)
            for (int x = 0; x < kSize; ++x) {
                const float u = (x - 4 + jitter(random)) / 4, v = (y - 4 + jitter(random)) / 4;
                grid[y * kSize + x] = {u * scale, v * scale, 0.8f * slope * u + 0.3f * v, 1.2f + tilt * v};
                const bool isBorder = x == 0 || y == 0 || x == kSize - 1 || y == kSize - 1;
                border[y * kSize + x] = {isBorder ? 1.0f : 0.0f, 0, 0, 0};
            }
        SetupState setup;
        setup.space = kSpace;
        struct Corner {
            int32_t x, y;
            bool isBorder;
            uint8_t onPlanes;
        };
        std::map<std::array<int32_t, 4>, int> edges;
        std::map<std::pair<int32_t, int32_t>, std::pair<bool, uint8_t>> places;
        bool usable = true;
        const auto addTriangle = [&](int i, int j, int k) {
            const Position p[3] = {grid[i], grid[j], grid[k]};
            const std::array<float, 4> flags[3] = {border[i], border[j], border[k]};
            const auto polygon = clipTriangle(p, flags);
            std::vector<Corner> corners;
            for (int v = 0; v < polygon->count; ++v) {
                const ClipVertex& vertex = polygon->vertex[v];
                WindowVertex window;
                if (!toWindow(setup, vertex.position, vertex.attributes, window)) {
                    usable = false;
                    return;
                }
                const double w = vertex.position[3], z = vertex.position[2];
                uint8_t on = 0;
                if (std::abs(z - w) < 1e-9 * w) on |= kOutFar;
                if (std::abs(z + w) < 1e-9 * w) on |= kOutNear;
                if (window.x == kGuardBand * 256) on |= kOutRight;
                if (window.x == -kGuardBand * 256) on |= kOutLeft;
                if (window.y == kGuardBand * 256) on |= kOutTop;
                if (window.y == -kGuardBand * 256) on |= kOutBottom;
                clippedVertices += on != 0;
                corners.push_back({window.x, window.y, vertex.attributes[0] == 1, on});
            }
            for (size_t v = 0; v < corners.size(); ++v) {
                const Corner& a = corners[v];
                const Corner& b = corners[(v + 1) % corners.size()];
                auto& place = places[{a.x, a.y}];
                place.first |= a.isBorder;
                place.second |= a.onPlanes;
                if (a.x == b.x && a.y == b.y) continue;
                ++edges[{a.x, a.y, b.x, b.y}];
                --edges[{b.x, b.y, a.x, a.y}];
            }
        };
        for (int y = 0; y + 1 < kSize; ++y)
            for (int x = 0; x + 1 < kSize; ++x) {
                const int corner = y * kSize + x;
                addTriangle(corner, corner + 1, corner + kSize);
                addTriangle(corner + 1, corner + kSize + 1, corner + kSize);
            }
        if (!usable) continue;
        for (const auto& [edge, count] : edges) {
            if (count <= 0) continue;
            const auto& a = places[{edge[0], edge[1]}];
            const auto& b = places[{edge[2], edge[3]}];
            open += !((a.first && b.first) || (a.second & b.second) != 0);
        }
    }
    CHECK(clippedVertices > 1000);
    CHECK(open == 0);
}

TEST_CASE("a clip distance cuts like a plane, and its complement begins with the same vertices") {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> unit(-1, 1);
    ClipSpace space = kSpace;
    space.firstDistance = 4, space.clipDistances = 2;
    constexpr uint16_t kFirst = 1 << kClipPlanes;
    int cut = 0;
    for (int round = 0; round < 3000; ++round) {
        Position p[3];
        std::array<float, 3> distance{};
        for (int i = 0; i < 3; ++i) {
            p[i] = {unit(random), unit(random), unit(random), 1.5f + 0.4f * unit(random)};  // in the view volume
            distance[static_cast<size_t>(i)] = round % 7 == 0 && i == 0 ? 0.0f : unit(random);
        }
        std::vector<std::array<uint64_t, 4>> made[2];
        for (const int side : {0, 1}) {
            auto polygon = std::make_unique<ClipPolygon>();
            polygon->count = 3;
            uint16_t planes = 0;
            for (int i = 0; i < 3; ++i) {
                const float own = distance[static_cast<size_t>(i)];
                // A second distance, which nothing is outside of.
                const float attributes[6] = {kCorner[i][0], kCorner[i][1], kCorner[i][2], 7, side == 0 ? own : -own, 1};
                loadClipVertex(space, p[i].data(), attributes, 6, polygon->vertex[i]);
                CHECK((polygon->vertex[i].outcode & ~kFirst) == 0);
                planes |= polygon->vertex[i].outcode;
            }
            clipPolygon(space, planes, 6, *polygon);
            for (int i = 0; i < polygon->count; ++i) {
                const ClipVertex& vertex = polygon->vertex[i];
                CHECK(vertex.attributes[4] >= -1e-6f);
                CHECK(vertex.attributes[5] == 1);
                const bool isCorner = std::ranges::count_if(p, [&](const Position& one) {
                                          return one[0] == vertex.position[0] && one[1] == vertex.position[1];
                                      }) != 0;
                if (isCorner) continue;
                std::array<uint64_t, 4> bits{};
                std::memcpy(bits.data(), vertex.position, sizeof bits);
                made[side].push_back(bits);
            }
            std::ranges::sort(made[side]);
        }
        CHECK(made[0] == made[1]);
        cut += !made[0].empty();
    }
    CHECK(cut > 1000);
    // What is no number is outside.
    ClipVertex vertex;
    const float attributes[6] = {0, 0, 0, 0, NAN, 0}, position[4] = {0, 0, 0, 1};
    loadClipVertex(space, position, attributes, 6, vertex);
    CHECK(vertex.outcode == kFirst);
}
