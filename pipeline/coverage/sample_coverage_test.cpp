// Which samples and centres triangles, lines and points from setup cover, beside exact arithmetic; meshes leave no gap.
#include "pipeline/coverage/sample_coverage.h"

#include "pipeline/geometry/setup.h"
#include "pipeline/testing/raster_random.h"

using namespace tessera;
using namespace tessera::pipeline;
using namespace tessera::pipeline::test;

namespace {

SetupState sampledState(int size) {
    SetupState state;
    state.space = {size / 2.0, size / 2.0, size / 2.0, size / 2.0};
    state.bounds = state.viewport = {0, 0, size - 1, size - 1};
    state.samples = 4;
    return state;
}

/// How often each sample, and each centre, of a 128x128 target is covered by the primitives.
struct SampleCounts {
    static constexpr int kSize = 128;
    std::vector<int> count = std::vector<int>(kSize * kSize * 5);

    int& at(int x, int y, int sample) { return count[(y * kSize + x) * 5 + sample]; }
    void add(const PrimitiveChunk& chunk) {
        for (const SetupPrimitive& primitive : chunk.primitives) {
            for (int tile = 0; tile < 4; ++tile) {
                const int left = tile % 2 * 64, bottom = tile / 2 * 64;
                const SampleCoverage coverage = sampleCoverage(primitive, {left, bottom, left + 63, bottom + 63});
                coverTileSamples(coverage, [&](int x, int y, const SampleLanes& lanes) {
                    for (int lane = 0; lane < 16; ++lane) {
                        for (int i = 0; i < 5; ++i) {
                            const uint32_t bits = i < 4 ? lanes.sample[i] : lanes.center;
                            at(left + x + lane % 4, bottom + y + lane / 4, i) += bits >> lane & 1;
                        }
                    }
                });
            }
        }
    }
};

WindowVertex windowVertex(double x, double y) {
    WindowVertex vertex;
    vertex.x = static_cast<int32_t>(std::lround(x * 256));
    vertex.y = static_cast<int32_t>(std::lround(y * 256));
    return vertex;
}

/// A coordinate in pixels that is often that of a sample, a centre or a corner.
double trickyCoordinate(Random& random, int size) {
    constexpr double kFractions[] = {0, 0.125, 0.375, 0.5, 0.625, 0.875};
    if (chance(random, 2)) return below(random, size) + kFractions[below(random, 6)];
    return below(random, size * 256) / 256.0;
}

}  // namespace

TEST_CASE("coverage of triangles equals exact arithmetic at every sample and centre") {
    Random random(1);
    const SetupState state = sampledState(SampleCounts::kSize);
    int wrong = 0, covered = 0;
    for (int round = 0; round < 60; ++round) {
        WindowVertex v[3];
        for (WindowVertex& one : v) one = windowVertex(trickyCoordinate(random, 128), trickyCoordinate(random, 128));
        PrimitiveChunk chunk;
        setupPolygon(state, v, 3, v[2].attributes, chunk);
        SampleCounts counts;
        counts.add(chunk);
        const int64_t area =
            int64_t{v[1].x - v[0].x} * (v[2].y - v[0].y) - int64_t{v[2].x - v[0].x} * (v[1].y - v[0].y);
        if (area < 0) std::swap(v[1], v[2]);
        for (int i = 0; i < 128 * 128 * 5; ++i) {
            const int pixel = i / 5, sample = i % 5;
            const int64_t x = pixel % 128 * 256 + 128 + (sample < 4 ? kFromCenter[sample][0] : 0);
            const int64_t y = pixel / 128 * 256 + 128 + (sample < 4 ? kFromCenter[sample][1] : 0);
            bool inside = area != 0;
            for (int e = 0; e < 3; ++e) {
                const int64_t dx = v[(e + 1) % 3].x - v[e].x, dy = v[(e + 1) % 3].y - v[e].y;
                const int64_t side = dx * (y - v[e].y) - dy * (x - v[e].x);
                const bool topLeft = dy < 0 || (dy == 0 && dx < 0);
                inside &= topLeft || sample == 4 ? side >= 0 : side > 0;  // both sides of an edge have a centre on it
            }
            wrong += counts.count[i] != static_cast<int>(inside);
            covered += inside;
        }
    }
    CHECK(wrong == 0);
    CHECK(covered > 10000);
}

TEST_CASE("meshes are watertight sample by sample") {
    Random random(2);
    const SetupState state = sampledState(SampleCounts::kSize);
    int onEdges = 0;
    for (int round = 0; round < 40; ++round) {
        // A grid whose outer vertices lie beyond the window and whose inner ones are moved at random.
        constexpr int kCells = 9;
        WindowVertex grid[kCells + 1][kCells + 1];
        for (int j = 0; j <= kCells; ++j) {
            for (int i = 0; i <= kCells; ++i) {
                const bool rim = i == 0 || j == 0 || i == kCells || j == kCells;
                const auto jitter = [&] { return rim ? 0 : trickyCoordinate(random, 8) - 4; };
                grid[j][i] = windowVertex(i * 16 - 8 + jitter(), j * 16 - 8 + jitter());
            }
        }
        PrimitiveChunk chunk;
        for (int j = 0; j < kCells; ++j) {
            for (int i = 0; i < kCells; ++i) {
                const WindowVertex a = grid[j][i], b = grid[j][i + 1], c = grid[j + 1][i + 1], d = grid[j + 1][i];
                const bool split = chance(random, 2);
                const WindowVertex first[3] = {a, b, split ? c : d}, second[3] = {split ? a : b, c, d};
                setupPolygon(state, first, 3, first[2].attributes, chunk);
                setupPolygon(state, second, 3, second[2].attributes, chunk);
            }
        }
        SampleCounts counts;
        counts.add(chunk);
        // A centre on an edge is in the primitives on both sides.
        int wrong = 0;
        for (size_t i = 0; i < counts.count.size(); ++i) {
            wrong += i % 5 == 4 ? counts.count[i] < 1 : counts.count[i] != 1;
            onEdges += counts.count[i] > 1;
        }
        CHECK(wrong == 0);
    }
    CHECK(onEdges > 10);
}

TEST_CASE("lines are rectangles along their direction, points squares, of the exact width") {
    Random random(3);
    SetupState state = sampledState(SampleCounts::kSize);
    int wrong = 0, covered = 0;
    for (int round = 0; round < 60; ++round) {
        const WindowVertex from = windowVertex(10 + below(random, 100), 10 + trickyCoordinate(random, 100));
        const WindowVertex to = windowVertex(10 + trickyCoordinate(random, 100), 10 + below(random, 100));
        state.exactLineWidth = 1 + below(random, 30) / 4.0;
        PrimitiveChunk chunk;
        const bool isLine = round % 2 == 0;
        isLine ? setupLine(state, from, to, to.attributes, chunk)
               : setupPoint(state, from, static_cast<float>(state.exactLineWidth), chunk);
        SampleCounts counts;
        counts.add(chunk);
        const double dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
        if (isLine && length == 0) continue;
        for (int i = 0; i < 128 * 128 * 5; ++i) {
            const int pixel = i / 5, sample = i % 5;
            const double x = pixel % 128 * 256 + 128 + (sample < 4 ? kFromCenter[sample][0] : 0) - from.x;
            const double y = pixel / 128 * 256 + 128 + (sample < 4 ? kFromCenter[sample][1] : 0) - from.y;
            const double half = state.exactLineWidth * 128;
            double outside;  // beyond the nearest side, in 1/256 pixel
            if (isLine) {
                const double along = (x * dx + y * dy) / length, across = std::abs(x * dy - y * dx) / length;
                outside = std::max({across - half, -along, along - length});
            } else {
                outside = std::max(std::abs(x), std::abs(y)) - half;
            }
            if (std::abs(outside) < 2) continue;  // corners are rounded
            wrong += counts.count[i] != (outside < 0);
            covered += outside < 0;
        }
    }
    CHECK(wrong == 0);
    CHECK(covered > 5000);
}
