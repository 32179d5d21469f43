// No tile that a primitive has a pixel in may be left out; and large primitives must not name many others. Sorting is
// compared with a map of lists.
#include "pipeline/geometry/binning.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include <doctest/doctest.h>

#include "pipeline/geometry/setup.h"

using namespace tessera::pipeline;

namespace {

constexpr int kTarget = 512, kTiles = kTarget / kTileSize;

SetupState targetState() {
    SetupState state;
    state.bounds = state.viewport = {0, 0, kTarget - 1, kTarget - 1};
    return state;
}

std::set<int> tilesOf(const UninitializedVector<TileSpan>& spans, uint32_t primitive) {
    std::set<int> tiles;
    for (const TileSpan& span : spans)
        if (primitive >= span.primitive && primitive - span.primitive < span.count)
            for (int x = span.firstX; x <= span.lastX; ++x) tiles.insert(span.y * kTiles + x);
    return tiles;
}

WindowVertex at(double x, double y) {
    WindowVertex vertex;
    vertex.x = static_cast<int32_t>(x * 256), vertex.y = static_cast<int32_t>(y * 256);
    return vertex;
}

}  // namespace

TEST_CASE("polygons and points are binned into every tile they touch, in order") {
    std::mt19937 random(21);
    const auto place = [&] { return static_cast<double>(random() % 1400000) / 1000 - 400; };
    PrimitiveChunk chunk;
    for (int i = 0; i < 150; ++i) {
        const WindowVertex v[3] = {at(place(), place()), at(place(), place()), at(place(), place())};
        setupPolygon(targetState(), v, 3, v[2].attributes, chunk);
        setupPoint(targetState(), v[0], static_cast<float>(random() % 256), chunk);
    }
    UninitializedVector<TileSpan> spans;
    binPrimitives(chunk, 0, 1, spans);
    CHECK(std::is_sorted(spans.begin(), spans.end(),
                         [](const TileSpan& a, const TileSpan& b) { return a.primitive < b.primitive; }));
    int missing = 0;
    for (uint32_t i = 0; i < chunk.primitives.size(); ++i) {
        const SetupPrimitive& p = chunk.primitives[i];
        const std::set<int> tiles = tilesOf(spans, i);
        for (int y = p.minY; y <= p.maxY; ++y)
            for (int x = p.minX; x <= p.maxX; ++x) {
                bool inside = true;
                for (int e = 0; e < p.edgeCount; ++e) inside &= p.edge[e].a * x + p.edge[e].b * y + p.edge[e].c >= 0;
                missing += inside && tiles.count(y / kTileSize * kTiles + x / kTileSize) == 0;
            }
    }
    CHECK(missing == 0);
}

TEST_CASE("small triangles that follow each other are binned together, each into its tile") {
    std::mt19937 random(24);
    PrimitiveChunk chunk;
    for (int run = 0; run < 40; ++run) {
        const double x = random() % kTarget, y = random() % kTarget;
        for (uint32_t i = 0; i < 1 + random() % 12; ++i) {
            const auto near = [&](double from) { return from + static_cast<double>(random() % 8000) / 1000; };
            const WindowVertex v[3] = {at(near(x), near(y)), at(near(x), near(y)), at(near(x), near(y))};
            setupPolygon(targetState(), v, 3, v[2].attributes, chunk);
        }
    }
    UninitializedVector<TileSpan> spans;
    binPrimitives(chunk, 0, 1, spans);
    CHECK(spans.size() < chunk.primitives.size() / 2);
    int wrong = 0;
    for (uint32_t i = 0; i < chunk.primitives.size(); ++i) {
        const SetupPrimitive& p = chunk.primitives[i];
        std::set<int> expected;
        for (const int tileY : {p.minY / kTileSize, p.maxY / kTileSize})
            for (const int tileX : {p.minX / kTileSize, p.maxX / kTileSize}) expected.insert(tileY * kTiles + tileX);
        const std::set<int> tiles = tilesOf(spans, i);
        // Where it could be in four tiles its edges may leave some out.
        wrong += expected.size() == 4 ? !std::ranges::includes(expected, tiles) : tiles != expected;
    }
    CHECK(wrong == 0);
}

TEST_CASE("thin lines are binned along their length, within a pixel") {
    std::mt19937 random(22);
    const auto place = [&] { return static_cast<double>(random() % 900000) / 1000 - 200; };
    int missing = 0;
    for (int i = 0; i < 300; ++i) {
        PrimitiveChunk chunk;
        const double x0 = place(), y0 = place(), x1 = place(), y1 = place();
        setupLine(targetState(), at(x0, y0), at(x1, y1), nullptr, chunk);
        if (chunk.primitives.empty()) continue;
        UninitializedVector<TileSpan> spans;
        binPrimitives(chunk, 0, 1, spans);
        const std::set<int> tiles = tilesOf(spans, 0);
        for (int step = 0; step <= 2000; ++step) {
            const int x = static_cast<int>(std::floor(x0 + (x1 - x0) * step / 2000));
            const int y = static_cast<int>(std::floor(y0 + (y1 - y0) * step / 2000));
            if (x < 0 || y < 0 || x >= kTarget || y >= kTarget) continue;
            missing += tiles.count(y / kTileSize * kTiles + x / kTileSize) == 0;
        }
    }
    CHECK(missing == 0);
}

TEST_CASE("the edges trim what the bounding box would add") {
    PrimitiveChunk chunk;
    const WindowVertex half[3] = {at(0, 0), at(kTarget, 0), at(0, kTarget)};
    const WindowVertex sliver[3] = {at(1, 1), at(500, 501), at(501, 500)};
    setupPolygon(targetState(), half, 3, half[2].attributes, chunk);
    setupPolygon(targetState(), sliver, 3, sliver[2].attributes, chunk);
    setupLine(targetState(), at(10, 10), at(500, 490), nullptr, chunk);
    UninitializedVector<TileSpan> spans;
    binPrimitives(chunk, 0, 1, spans);
    CHECK(tilesOf(spans, 0).size() == kTiles * (kTiles + 1) / 2);
    CHECK(tilesOf(spans, 1).size() <= 3 * kTiles);
    CHECK(tilesOf(spans, 2).size() <= 3 * kTiles);
}

TEST_CASE("sorted by tile, each tile has the primitives of its spans in their order, again and again") {
    std::mt19937 random(23);
    TileSorter sorter;
    UninitializedVector<uint32_t> byTile;
    std::vector<TileSegment> segments;
    for (int round = 0; round < 50; ++round) {
        UninitializedVector<TileSpan> spans;
        std::map<uint32_t, std::vector<uint32_t>> expected;
        const int wide = round == 0 ? kMaxRenderSize / kTileSize : 1 + static_cast<int>(random() % 9);
        const uint32_t count = round == 1 ? 0 : random() % 300;
        for (uint32_t i = 0; i < count; ++i) {
            const auto first = static_cast<uint16_t>(random() % wide), y = static_cast<uint16_t>(random() % wide);
            const auto last = static_cast<uint16_t>(first + random() % (wide - first));
            const uint32_t primitives = 1 + random() % 4;
            spans.push_back({i / 2, primitives, y, first, last});
            for (int x = first; x <= last; ++x)
                for (uint32_t k = 0; k < primitives; ++k)
                    expected[static_cast<uint32_t>(y * wide + x)].push_back(i / 2 + k);
        }
        byTile.clear(), segments.clear();
        sorter.sort(spans, wide, wide, byTile, segments);
        std::map<uint32_t, std::vector<uint32_t>> got;
        for (const TileSegment& segment : segments) {
            CHECK(got.count(segment.tile) == 0);
            const auto first = byTile.begin() + segment.first;
            got[segment.tile].assign(first, first + segment.count);
        }
        CHECK(got == expected);
    }
}
