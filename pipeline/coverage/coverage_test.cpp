// Coverage against brute force: polygons pixel by pixel in 64 bits, lines against the diamond-exit rule as the
// specification states it, with a real (tiny) displacement instead of a symbolic one, in 128-bit integers.
#include "pipeline/coverage/coverage.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "pipeline/geometry/setup.h"

using namespace tessera;
using namespace tessera::pipeline;

namespace {

using Pixels = std::set<std::pair<int, int>>;
using Random = std::mt19937_64;

int64_t between(Random& random, int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
}

/// Pixels of the tile at (tileX, tileY) by the code under test; checks that no block comes twice.
Pixels coveredPixels(const SetupPrimitive& primitive, int tileX, int tileY) {
    Pixels pixels;
    std::set<std::pair<int, int>> blocks;
    const PixelBounds tile = {tileX, tileY, tileX + 63, tileY + 63};
    const TileCoverage coverage = tileCoverage(primitive, tile);
    coverTile(coverage, tile, [&](int x, int y, uint32_t lanes) {
        CHECK(lanes != 0);
        CHECK(lanes <= 0xFFFFu);
        CHECK((x & 3) == 0);
        CHECK((y & 3) == 0);
        CHECK(blocks.insert({x, y}).second);
        for (int lane = 0; lane < 16; ++lane) {
            if ((lanes >> lane & 1) != 0) pixels.insert({tileX + x + lane % 4, tileY + y + lane / 4});
        }
    });
    return pixels;
}

Pixels bruteForce(const SetupPrimitive& primitive, int tileX, int tileY) {
    Pixels pixels;
    for (int y = tileY; y < tileY + 64; ++y) {
        for (int x = tileX; x < tileX + 64; ++x) {
            bool inside = x >= primitive.minX && x <= primitive.maxX && y >= primitive.minY && y <= primitive.maxY;
            for (int i = 0; i < primitive.edgeCount; ++i) {
                const Edge& edge = primitive.edge[i];
                inside &= static_cast<__int128>(edge.a) * x + static_cast<__int128>(edge.b) * y + edge.c >= 0;
            }
            if (inside) pixels.insert({x, y});
        }
    }
    return pixels;
}

/// An edge of random slope and magnitude that crosses, or just misses, the tile.
Edge randomEdge(Random& random, int tileX, int tileY) {
    const int64_t limit = int64_t{1} << between(random, 1, 24);
    Edge edge;
    edge.a = 256 * between(random, -limit + 1, limit - 1);
    edge.b = 256 * between(random, -limit + 1, limit - 1);
    const int64_t x = tileX + between(random, -8, 71), y = tileY + between(random, -8, 71);
    edge.c = -(edge.a * x + edge.b * y) + between(random, -limit * 256, limit * 256);
    return edge;
}

void setBounds(Random& random, SetupPrimitive& primitive, int tileX, int tileY) {
    if (random() % 2 == 0) {
        primitive.minX = primitive.minY = 0;
        primitive.maxX = primitive.maxY = 4095;
        return;
    }
    primitive.minX = tileX + static_cast<int>(between(random, -20, 63));
    primitive.minY = tileY + static_cast<int>(between(random, -20, 63));
    primitive.maxX = primitive.minX + static_cast<int>(between(random, -1, 90));
    primitive.maxY = primitive.minY + static_cast<int>(between(random, -1, 90));
}

// The diamond-exit rule, by the book: coordinates in 2^-48 pixel, the line displaced by (2^-20, 2^-40) sub-pixels.
// Lines are shorter than 2^17 sub-pixels, so that displacement is small enough to act as if infinitely small.

using Wide = __int128;
constexpr int kFraction = 40;  // bits below 1/256 pixel
constexpr Wide kDisplaceX = Wide{1} << (kFraction - 20), kDisplaceY = 1;

struct WidePoint {
    Wide x, y;
};
WidePoint displaced(int x, int y) {
    return {Wide{x} * (Wide{1} << kFraction) - kDisplaceX, Wide{y} * (Wide{1} << kFraction) - kDisplaceY};
}

/// How far inside one of the four sides of the open diamond of pixel (x, y) a point is; positive inside.
Wide room(WidePoint p, int x, int y, int side) {
    const Wide centerX = Wide{x * 256 + 128} << kFraction, centerY = Wide{y * 256 + 128} << kFraction;
    const Wide u = (side & 1) != 0 ? p.x - centerX : centerX - p.x;
    const Wide v = (side & 2) != 0 ? p.y - centerY : centerY - p.y;
    return (Wide{128} << kFraction) - u - v;
}

bool diamondHolds(WidePoint p, int x, int y) {
    for (int side = 0; side < 4; ++side) {
        if (room(p, x, y, side) <= 0) return false;
    }
    return true;
}

/// Clips the segment against the four sides: parameters strictly inside are enter < t < leave.
bool diamondMeets(WidePoint p0, WidePoint p1, int x, int y) {
    Wide enter = -1, enterScale = 1, leave = 2, leaveScale = 1;  // fractions with positive denominators
    for (int side = 0; side < 4; ++side) {
        const Wide from = room(p0, x, y, side), to = room(p1, x, y, side);
        const Wide step = to - from;  // from + t * step > 0
        if (step == 0 && from <= 0) return false;
        if (step > 0 && -from * enterScale > enter * step) enter = -from, enterScale = step;
        if (step < 0 && from * leaveScale < leave * -step) leave = from, leaveScale = -step;
    }
    return enter * leaveScale < leave * enterScale && enter < enterScale && leave > 0;
}

Pixels slowLine(const SetupPrimitive& line, int tileX, int tileY) {
    Pixels pixels;
    const WidePoint p0 = displaced(line.lineX0, line.lineY0), p1 = displaced(line.lineX1, line.lineY1);
    const auto [minX, maxX] = std::minmax(line.lineX0, line.lineX1);
    const auto [minY, maxY] = std::minmax(line.lineY0, line.lineY1);
    for (int y = std::max(tileY, (minY >> 8) - 2); y <= std::min(tileY + 63, (maxY >> 8) + 2); ++y) {
        for (int x = std::max(tileX, (minX >> 8) - 2); x <= std::min(tileX + 63, (maxX >> 8) + 2); ++x) {
            if (diamondMeets(p0, p1, x, y) && !diamondHolds(p1, x, y)) pixels.insert({x, y});
        }
    }
    return pixels;
}

SetupPrimitive makeLine(int x0, int y0, int x1, int y1) {
    SetupPrimitive line;
    line.kind = PrimitiveKind::ThinLine;
    line.edgeCount = 0;
    line.minX = line.minY = 0;
    line.maxX = line.maxY = 4095;
    line.lineX0 = x0, line.lineY0 = y0, line.lineX1 = x1, line.lineY1 = y1;
    return line;
}

}  // namespace

TEST_CASE("polygons cover exactly the pixels inside all edges") {
    Random random(1);
    int partial = 0, full = 0;
    for (int round = 0; round < 3000; ++round) {
        const int tileX = 64 * static_cast<int>(between(random, 0, 63)),
                  tileY = 64 * static_cast<int>(between(random, 0, 63));
        SetupPrimitive primitive;
        primitive.edgeCount = static_cast<uint8_t>(between(random, 0, 4));
        for (int i = 0; i < primitive.edgeCount; ++i) primitive.edge[i] = randomEdge(random, tileX, tileY);
        setBounds(random, primitive, tileX, tileY);
        const Pixels expected = bruteForce(primitive, tileX, tileY);
        full += expected.size() == 4096;
        partial += !expected.empty() && expected.size() != 4096;
        CHECK_MESSAGE(coveredPixels(primitive, tileX, tileY) == expected, "round " << round);
    }
    CHECK(partial > 500);
    CHECK(full > 20);
}

TEST_CASE("half planes of the largest slope stay exact in 32 bits") {
    constexpr int64_t kLargest = ((int64_t{1} << 24) - 1) * 256;
    for (const int64_t a : {-kLargest, int64_t{0}, kLargest}) {
        for (const int64_t b : {-kLargest, int64_t{0}, kLargest}) {
            for (const int x : {4032, 4033, 4095}) {
                for (const int64_t offset : {-256, -1, 0, 1, 255}) {
                    SetupPrimitive primitive;
                    primitive.edgeCount = 1;
                    primitive.edge[0] = {a, b, -(a * x + b * 4064) + offset};
                    primitive.minX = primitive.minY = 0;
                    primitive.maxX = primitive.maxY = 4095;
                    CHECK(coveredPixels(primitive, 4032, 4032) == bruteForce(primitive, 4032, 4032));
                }
            }
        }
    }
}

TEST_CASE("thin lines follow the diamond-exit rule exactly") {
    Random random(2);
    size_t drawn = 0;
    for (int round = 0; round < 6000; ++round) {
        const int tileX = round % 3 == 0 ? 0 : 64 * 17, tileY = round % 3 == 1 ? 0 : 64 * 23;
        // Coarse grids make end points and slopes meet the corners and sides of diamonds.
        const int grid = std::array{1, 16, 64, 128, 256}[random() % 5];
        const int reach = std::array{2, 12, 80}[random() % 3] * 256;
        const auto place = [&](int from) {
            return static_cast<int>(from + between(random, -reach, reach)) / grid * grid;
        };
        const int x0 = place(tileX * 256 + 32 * 256), y0 = place(tileY * 256 + 32 * 256);
        int x1 = place(x0), y1 = place(y0);
        if (random() % 8 == 0) x1 = x0;
        if (random() % 8 == 0) y1 = y0;
        if (random() % 8 == 0) y1 = y0 + (random() % 2 == 0 ? x1 - x0 : x0 - x1);
        const SetupPrimitive line = makeLine(x0, y0, x1, y1);
        const Pixels expected = slowLine(line, tileX, tileY);
        drawn += expected.size();
        CHECK_MESSAGE(coveredPixels(line, tileX, tileY) == expected,
                      "(" << x0 << ", " << y0 << ") to (" << x1 << ", " << y1 << ")");
    }
    CHECK(drawn > 20000);
}

TEST_CASE("every end point in a pixel, every octant") {
    for (int grid = 0; grid <= 256; grid += 32) {
        for (int other = 0; other <= 256; other += 32) {
            const int x0 = 10 * 256 + grid, y0 = 10 * 256 + other;
            for (int x1 = x0 - 640; x1 <= x0 + 640; x1 += 128) {
                for (int y1 = y0 - 640; y1 <= y0 + 640; y1 += 128) {
                    const SetupPrimitive line = makeLine(x0, y0, x1, y1);
                    CHECK(coveredPixels(line, 0, 0) == slowLine(line, 0, 0));
                }
            }
        }
    }
}

// Section 3.4.1: an end point on the border between two pixels touches the diamonds of both.
TEST_CASE("the bounds that setup gives a line leave out none of its pixels") {
    SetupState state;
    state.bounds = state.viewport = {0, 0, 63, 63};
    for (int grid = 0; grid <= 256; grid += 64) {
        for (int other = 0; other <= 256; other += 64) {
            WindowVertex from, to;
            from.x = 10 * 256 + grid, from.y = 10 * 256 + other;
            for (to.x = from.x - 640; to.x <= from.x + 640; to.x += 64) {
                for (to.y = from.y - 640; to.y <= from.y + 640; to.y += 64) {
                    PrimitiveChunk chunk;
                    setupLine(state, from, to, nullptr, chunk);
                    const Pixels expected = slowLine(makeLine(from.x, from.y, to.x, to.y), 0, 0);
                    const Pixels got =
                        chunk.primitives.empty() ? Pixels{} : coveredPixels(chunk.primitives.front(), 0, 0);
                    CHECK(got == expected);
                }
            }
        }
    }
}

TEST_CASE("pieces of a straight line hit each of its pixels once") {
    Random random(3);
    for (int round = 0; round < 500; ++round) {
        const int pieces = static_cast<int>(between(random, 2, 6));
        const int stepX = static_cast<int>(between(random, -1300, 1300)),
                  stepY = static_cast<int>(between(random, -1300, 1300));
        const int x0 = static_cast<int>(between(random, 6000, 10000)),
                  y0 = static_cast<int>(between(random, 6000, 10000));
        Pixels together;
        size_t count = 0;
        for (int i = 0; i < pieces; ++i) {
            const Pixels part = coveredPixels(
                makeLine(x0 + i * stepX, y0 + i * stepY, x0 + (i + 1) * stepX, y0 + (i + 1) * stepY), 0, 0);
            count += part.size();
            together.insert(part.begin(), part.end());
        }
        CHECK(count == together.size());
        CHECK(together == coveredPixels(makeLine(x0, y0, x0 + pieces * stepX, y0 + pieces * stepY), 0, 0));
    }
}

TEST_CASE("a line from pixel centre to pixel centre leaves out its end") {
    const Pixels right = coveredPixels(makeLine(10 * 256 + 128, 5 * 256 + 128, 14 * 256 + 128, 5 * 256 + 128), 0, 0);
    CHECK(right == Pixels{{10, 5}, {11, 5}, {12, 5}, {13, 5}});
    const Pixels left = coveredPixels(makeLine(14 * 256 + 128, 5 * 256 + 128, 10 * 256 + 128, 5 * 256 + 128), 0, 0);
    CHECK(left == Pixels{{11, 5}, {12, 5}, {13, 5}, {14, 5}});
    CHECK(coveredPixels(makeLine(2688, 2688, 2688, 2688), 0, 0).empty());
}
