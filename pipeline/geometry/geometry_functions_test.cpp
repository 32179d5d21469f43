// The batched geometry path against the formulas for one vertex and one triangle (clip.h, setup.h, vertex_fetch.h),
// byte for byte and at every SIMD level; rejection against brute force; vertex collection against primitiveCorners().
#include "pipeline/geometry/geometry_functions.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <random>
#include <string>

#include <doctest/doctest.h>

#include "base/enumeration.h"
#include "pipeline/commands.h"
#include "pipeline/geometry/assembly.h"
#include "pipeline/geometry/vertex_collect.h"
#include "pipeline/geometry/vertex_stage.h"
#include "pipeline/testing/coverage.h"

using namespace tessera;
using namespace tessera::pipeline;
using namespace tessera::pipeline::test;

namespace {

using Random = std::mt19937;

float anyFloat(Random& random) {
    const float special[] = {0, -0.0f, 1, -1, NAN, INFINITY, -INFINITY, 1e-40f, 3e38f, -3e38f, 16384, 1e-30f};
    const auto kind = random() % 8;
    if (kind == 0) return special[random() % std::size(special)];
    if (kind == 1) return std::bit_cast<float>(static_cast<uint32_t>(random()));
    return std::uniform_real_distribution<float>(-2, 2)(random);
}

SetupState randomState(Random& random) {
    SetupState state;
    const auto between = [&](double low, double high) { return std::uniform_real_distribution(low, high)(random); };
    state.space = {between(1, 2048), between(-100, 3000), between(1, 2048), between(-100, 3000)};
    state.scaleZ = between(-0.5, 0.5);
    state.offsetZ = between(0, 1);
    state.viewport = {0, 0, static_cast<int>(random() % kMaxRenderSize), static_cast<int>(random() % kMaxRenderSize)};
    state.bounds = state.viewport;
    state.bounds.minX = static_cast<int>(random() % 64);
    state.bounds.maxY = static_cast<int>(random() % kMaxRenderSize);
    state.cull = static_cast<CullFace>(random() % 3);
    state.frontIsClockwise = random() % 2 != 0;
    if (random() % 2) state.offsetFactor = between(-2, 2), state.offsetUnits = between(-1e-3, 1e-3);
    state.offsetFollowsDepth = random() % 2 != 0;
    if (random() % 4 == 0) state.leastOffset = between(-1e-3, 0);
    if (random() % 4 == 0) state.mostOffset = between(0, 1e-3);
    if (random() % 4 == 0) state.samples = 4;
    return state;
}

/// The same bits, all NaN being one.
template <class T>
bool same(T a, T b) {
    return (a != a && b != b) || std::memcmp(&a, &b, sizeof(T)) == 0;
}
bool same(const Plane& a, const Plane& b) { return same(a.base, b.base) && same(a.dx, b.dx) && same(a.dy, b.dy); }

bool same(const SetupPrimitive& a, const SetupPrimitive& b) {
    for (int e = 0; e < 3; ++e)
        if (a.edge[e].a != b.edge[e].a || a.edge[e].b != b.edge[e].b || a.edge[e].c != b.edge[e].c) return false;
    return a.kind == b.kind && a.edgeCount == b.edgeCount && a.frontFacing == b.frontFacing && a.minX == b.minX &&
           a.minY == b.minY && a.maxX == b.maxX && a.maxY == b.maxY && a.originX == b.originX &&
           a.originY == b.originY && same(a.depth, b.depth) && same(a.inverseW, b.inverseW) &&
           a.firstPlane == b.firstPlane && a.coverage == b.coverage;
}

/// Vertices with places in the window, or without, as if a group had been shaded.
struct Window {
    ShadedVertices vertices;
    std::vector<uint32_t> corner[3];

    Window(size_t count, int varyings) {
        vertices.reserve(count, varyings);
        for (auto& c : corner) c.resize(count + kBlockLanes);
    }
    [[nodiscard]] TriangleCorners triangles(uint32_t count) const {
        return {{corner[0].data(), corner[1].data(), corner[2].data()}, count};
    }
    [[nodiscard]] WindowVertex at(uint32_t i) const {
        const VertexArrays& a = vertices.arrays();
        return {a.x[i], a.y[i], a.z[i], a.inverseW[i], vertices.attributes(i)};
    }
};

constexpr uint32_t kVertices = 512, kTriangles = 1000;  // not a multiple of sixteen
constexpr int kVaryings = 3;

/// Triangles of all sizes, from less than a pixel to the guard band; codes mostly clean.
void fill(Random& random, Window& window) {
    const VertexArrays& a = window.vertices.arrays();
    for (uint32_t i = 0; i < kVertices; ++i) {
        const int reach = 1 << (6 + random() % 17);
        const int center = random() % 2 ? 0 : 1 << 15;
        a.x[i] = std::clamp<int>(center + static_cast<int>(random() % reach) - reach / 2, -4194304, 4194304);
        a.y[i] = std::clamp<int>(center + static_cast<int>(random() % reach) - reach / 2, -4194304, 4194304);
        a.z[i] = random() % 3 == 0 ? 0.25 : std::uniform_real_distribution(0.0, 1.0)(random);
        a.inverseW[i] = random() % 3 == 0 ? 1 : std::uniform_real_distribution(0.1, 10.0)(random);
        const uint32_t odd[] = {kNotFinite, kNoPlace, kOutLeft, kOutLeft | kOutTop, kOutFar | kOutFar << kClipShift};
        a.code[i] = random() % 16 == 0 ? odd[random() % 5] : 0;
        for (int f = 0; f < a.stride; ++f)
            a.records[i * a.stride + f] =
                random() % 4 == 0 ? 1.5f : std::uniform_real_distribution<float>(-3, 3)(random);
    }
    for (uint32_t i = 0; i < kTriangles; ++i) {
        window.corner[0][i] = random() % kVertices;
        // Often a small triangle: two more vertices near the first.
        for (int c = 1; c < 3; ++c) window.corner[c][i] = random() % kVertices;
        if (random() % 2 == 0) continue;
        const int reach = random() % 3 == 0 ? 1024 : 350;
        for (int c = 1; c < 3; ++c) {
            const uint32_t v = window.corner[c][i], first = window.corner[0][i];
            a.x[v] = a.x[first] + static_cast<int>(random() % (2 * reach)) - reach;
            a.y[v] = a.y[first] + static_cast<int>(random() % (2 * reach)) - reach;
        }
    }
}

/// Whether a few triangles at a time are rejected as all together are.
bool isCulledInParts(const GeometryFunctions& functions, const SetupState& state, const VertexArrays& arrays,
                     const TriangleCorners& all, const std::vector<uint32_t>& expected,
                     const std::vector<uint64_t>& expectedCoverage) {
    Random random(static_cast<unsigned>(expected.size()));
    size_t at = 0;
    for (uint32_t first = 0; first < all.count;) {
        const uint32_t count = std::min(all.count - first, 1 + static_cast<uint32_t>(random() % 8));
        const TriangleCorners part = {{all.corner[0] + first, all.corner[1] + first, all.corner[2] + first}, count};
        uint32_t list[kBlockLanes * 2];
        uint64_t coverage[kBlockLanes * 2];
        const uint32_t listed = functions.cull(state, arrays, part, list, coverage);
        for (uint32_t i = 0; i < listed; ++i, ++at) {
            if (at == expected.size() || list[i] + first != expected[at]) return false;
            if ((list[i] & kToClip) == 0 && coverage[i] != expectedCoverage[at]) return false;
        }
        first += count;
    }
    return at == expected.size();
}

}  // namespace

TEST_CASE("projection in batches is that of single vertices") {
    Random random(7);
    for (const SimdLevel level : simdLevels()) {
        const GeometryFunctions functions = geometryFunctions(level);
        int wrong = 0, placed = 0;
        for (int round = 0; round < 2000; ++round) {
            const SetupState state = randomState(random);
            isa::GroupRegister position, size, varying;
            for (int c = 0; c < 4; ++c)
                for (int lane = 0; lane < isa::kGroupSize; ++lane) {
                    position.lane[c][lane] = anyFloat(random);
                    size.lane[c][lane] = anyFloat(random), varying.lane[c][lane] = anyFloat(random);
                }
            ShadedVertices vertices;
            vertices.reserve(3 * isa::kGroupSize, 2);
            ShadedGroup group;
            group.position = &position, group.pointSize = round % 2 ? &size : nullptr;
            group.varying[1] = &varying, group.varyings = 2;
            const uint32_t first = isa::kGroupSize;
            const int lanes = 1 + static_cast<int>(random() % isa::kGroupSize);
            if (round % 4 == 0) std::fill_n(position.lane[3], lanes, 1.0f);  // as without perspective
            const uint32_t common = functions.commonOutcode(group, lanes);
            functions.finishGroup(state, group, lanes, first, vertices.arrays());
            uint32_t expectedCommon = kViewOutcode;
            for (uint32_t lane = 0; lane < static_cast<uint32_t>(lanes); ++lane) {
                const VertexArrays& arrays = vertices.arrays();
                float p[4];
                for (int c = 0; c < 4; ++c) p[c] = position.lane[c][lane];
                const double wide[4] = {p[0], p[1], p[2], p[3]};
                WindowVertex expected;
                const bool hasPlace = toWindow(state, wide, nullptr, expected);
                uint32_t code = viewOutcode(p) | static_cast<uint32_t>(clipOutcode(state.space, wide)) << kClipShift;
                if (!isFinite(p)) code |= kNotFinite;
                expectedCommon &= code & kViewOutcode;
                if (!hasPlace) code |= kNoPlace;
                const uint32_t v = first + lane;
                const bool counts = (code & kNotFinite) == 0;  // else no one asks for a place
                wrong += ((arrays.code[v] ^ code) & (counts ? ~0u : ~kNoPlace)) != 0;
                if (!counts) continue;
                wrong += hasPlace && (arrays.x[v] != expected.x || arrays.y[v] != expected.y ||
                                      !same(arrays.z[v], expected.z) || !same(arrays.inverseW[v], expected.inverseW));
                placed += hasPlace;
                wrong += !same(vertices.pointSize(v), round % 2 ? size.lane[0][lane] : 1.0f);
                for (int c = 0; c < 4; ++c) {
                    wrong += !same(vertices.position(v)[c], p[c]);
                    wrong += !same(vertices.attributes(v)[c], 0.0f);
                    wrong += !same(vertices.attributes(v)[4 + c], varying.lane[c][lane]);
                }
            }
            wrong += common != expectedCommon;
        }
        CHECK(wrong == 0);
        CHECK(placed > 500);
    }
}

TEST_CASE("triangles are rejected and set up in batches as one by one") {
    for (const SimdLevel level : simdLevels()) {
        const GeometryFunctions functions = geometryFunctions(level);
        Random random(11);
        int wrong = 0, uncovered = 0, known = 0, inSeveralBlocks = 0, cut = 0, flat = 0;
        size_t kept = 0, clipped = 0, rejected = 0;
        for (int round = 0; round < 200; ++round) {
            SetupState state = randomState(random);
            const int varyings = round % (kVaryings + 1);
            state.attributeFloats = 4 * varyings;
            if (random() % 2 != 0) state.flatVaryings = static_cast<uint32_t>(random()) & ((1u << varyings) - 1);
            Window window(std::max(kVertices, kTriangles), kVaryings);
            fill(random, window);
            const VertexArrays& arrays = window.vertices.arrays();
            const TriangleCorners triangles = window.triangles(kTriangles);
            std::vector<uint32_t> list(kTriangles + kBlockLanes);
            std::vector<uint64_t> coverage(list.size());
            list.resize(functions.cull(state, arrays, triangles, list.data(), coverage.data()));
            wrong += !isCulledInParts(functions, state, arrays, triangles, list, coverage);

            size_t next = 0;
            PrimitiveChunk expected;
            std::vector<uint32_t> plain;
            std::vector<uint64_t> plainCoverage;
            for (uint32_t i = 0; i < kTriangles; ++i) {
                uint32_t some = 0, all = ~0u;
                WindowVertex v[3];
                for (int c = 0; c < 3; ++c) {
                    v[c] = window.at(window.corner[c][i]);
                    some |= arrays.code[window.corner[c][i]], all &= arrays.code[window.corner[c][i]];
                }
                const bool isListed = next < list.size() && (list[next] & ~kToClip) == i;
                const bool toClip = isListed && (list[next] & kToClip) != 0;
                next += isListed;
                if ((some & kNotFinite) != 0 || (all & kViewOutcode) != 0) {
                    wrong += isListed;
                } else if ((some & kClipOutcode) != 0) {
                    wrong += !toClip;
                    ++clipped;
                } else if ((some & kNoPlace) != 0) {
                    wrong += isListed;
                } else {
                    PrimitiveChunk one;
                    setupPolygon(state, v, 3, v[2].attributes, one);
                    wrong += toClip || (isListed && one.primitives.empty());
                    if (!isListed) {
                        // Left out: nothing to draw, and what has many pixels is not looked at.
                        wrong += !one.primitives.empty() && coversAny(one.primitives[0]);
                        uncovered += !one.primitives.empty();
                        ++rejected;
                    } else {
                        const SetupPrimitive& p = one.primitives[0];
                        const bool mayBeKnown = isSmall(p) && state.samples == 1;
                        int spread = 0;
                        for (int c = 0; c < 3; ++c)
                            spread = std::max({spread, std::abs(v[c].x - v[0].x), std::abs(v[c].y - v[0].y)});
                        const uint64_t found = coverage[next - 1];
                        const bool isKnown = mayBeKnown && (spread < 4000 || found != 0);
                        wrong += isKnown ? found == 0 || found != coverageByEdges(p) : found != 0;
                        known += isKnown;
                        inSeveralBlocks += isKnown && (found >> 16) != 0;
                        cut += isKnown && (p.minX == state.bounds.minX || p.maxY == state.bounds.maxY);
                        plain.push_back(i), plainCoverage.push_back(found);
                        setupPolygon(state, v, 3, v[2].attributes, expected);
                        expected.primitives.back().coverage = found;
                    }
                }
            }
            wrong += next != list.size();

            std::vector<SetupPrimitive> primitives(plain.size());
            std::vector<Plane> planes(plain.size() * state.attributeFloats + 1);
            functions.setup(state, arrays, triangles, plain.data(), plainCoverage.data(),
                            static_cast<uint32_t>(plain.size()), primitives.data(), planes.data(), 0);
            REQUIRE(primitives.size() == expected.primitives.size());
            for (size_t i = 0; i < primitives.size(); ++i) wrong += !same(primitives[i], expected.primitives[i]);
            for (size_t i = 0; i < expected.planes.size(); ++i) {
                wrong += !same(planes[i], expected.planes[i]);
                const size_t varying = i % (4 * static_cast<size_t>(varyings)) / 4;
                if ((state.flatVaryings >> varying & 1) == 0) continue;
                wrong += std::memcmp(&planes[i], &expected.planes[i], sizeof(Plane)) != 0;  // NaN are numbers, too
                ++flat;
            }
            kept += plain.size();
        }
        CHECK(wrong == 0);
        CHECK(kept > 1000);
        CHECK(clipped > 1000);
        CHECK(rejected > 1000);
        CHECK(uncovered > 100);
        CHECK(known > 1000);
        CHECK(flat > 1000);
        CHECK(inSeveralBlocks > 500);
        CHECK(cut > 20);
    }
}

TEST_CASE("attributes fetched in batches are those fetched one by one; elements outside are left to that") {
    for (const SimdLevel level : simdLevels()) {
        const GeometryFunctions functions = geometryFunctions(level);
        Random random(13);
        int wrong = 0, taken = 0, refused = 0, runs = 0;
        for (int round = 0; round < 3000; ++round) {
            VertexAttribute attribute;
            auto data = std::make_shared<Buffer>(random() % 4000);
            for (std::byte& byte : data->bytes()) byte = static_cast<std::byte>(random());
            attribute.type = static_cast<VertexType>(random() % enumeratorCount<VertexType>());
            attribute.components = static_cast<uint8_t>(1 + random() % 4);
            attribute.conversion = static_cast<VertexConversion>(random() % enumeratorCount<VertexConversion>());
            attribute.stride = random() % 40;
            attribute.offset = static_cast<int>(random() % 64) - (random() % 8 == 0 ? 40 : 0);
            attribute.data = data;
            if (random() % 50 == 0) attribute.stride = ~0u;
            VertexKey keys[isa::kGroupSize];
            const int count = random() % 2 != 0 ? isa::kGroupSize : 1 + static_cast<int>(random() % isa::kGroupSize);
            const uint32_t low = random() % 40, span = 1 + random() % 80;
            const bool run = random() % 2 != 0;
            for (int lane = 0; lane < isa::kGroupSize; ++lane) {
                keys[lane].element = run ? low + static_cast<uint32_t>(lane) : low + random() % span;
                if (random() % 2000 == 0) keys[lane].element = ~0u;
                keys[lane].instance = random() % 3;
            }
            ElementGroup group;
            functions.elements(keys, count, group);
            uint32_t least = ~0u, most = 0;
            wrong += group.lanes != (count > kBlockLanes ? isa::kGroupSize : kBlockLanes);
            for (int lane = 0; lane < group.lanes; ++lane) {
                const uint32_t element = keys[std::min(lane, count - 1)].element;
                least = std::min(least, element), most = std::max(most, element);
                wrong += group.element[lane] != element;
            }
            bool isRun = count == isa::kGroupSize;
            for (uint32_t lane = 0; lane < isa::kGroupSize; ++lane) isRun &= group.element[lane] - least == lane;
            wrong += group.low != least || group.high != most || group.isRun != isRun;
            runs += isRun;
            const AttributeSource source = {data->data(),        static_cast<int64_t>(data->size()),
                                            attribute.offset,    attribute.stride,
                                            attribute.type,      attribute.components,
                                            attribute.conversion};
            isa::GroupRegister batch, single;
            fetchAttribute(attribute, keys, count, single);
            if (!functions.fetch(source, group, batch)) {
                ++refused;
                continue;
            }
            ++taken;
            for (int c = 0; c < 4; ++c)
                for (int lane = 0; lane < count; ++lane)
                    wrong += std::memcmp(&batch.lane[c][lane], &single.lane[c][lane], 4) != 0;
        }
        CHECK(wrong == 0);
        CHECK(taken > 500);
        CHECK(refused > 500);
        CHECK(runs > 500);
    }
}

TEST_CASE("collected corners name the vertices that assembly names, each of them once") {
    Random random(17);
    int wrong = 0;
    for (int round = 0; round < 400; ++round) {
        Draw draw;
        draw.primitive = static_cast<Primitive>(random() % 7);
        draw.count = 3 + random() % 3000;
        draw.instances = 1 + random() % 3;
        if (random() % 3 == 0) draw.count = 9 + random() % 150, draw.instances = 1 + random() % 90;
        draw.first = random() % 100;
        const auto indexType = static_cast<IndexType>(random() % 4);
        if (indexType != IndexType::None) {
            draw.first = 0;
            draw.indexType = indexType;
            const uint32_t bytes = indexType == IndexType::U8 ? 1 : indexType == IndexType::U16 ? 2 : 4;
            auto data = std::make_shared<Buffer>(draw.count * bytes - (random() % 4 == 0 ? 7 : 0));
            const uint32_t range = random() % 2 ? 300 : ~0u;  // near each other or anywhere
            for (size_t i = 0; i + bytes <= data->size(); i += bytes) {
                const uint32_t index = random() % range;
                std::memcpy(data->data() + i, &index, bytes);
            }
            draw.indices = data;
            draw.indexOffset = random() % 3 ? 0 : bytes * (random() % 9);
            draw.baseVertex = random() % 2 ? 0 : static_cast<int32_t>(random());
            draw.restart = random() % 2 != 0;
            // Runs of any length: long ones, short ones, and such that make no primitive.
            const uint32_t often = 1u << random() % 11;
            for (size_t i = 0; draw.restart && i + bytes <= data->size(); i += bytes)
                if (random() % often == 0) std::memset(data->data() + i, 0xFF, bytes);
        }
        std::vector<IndexRun> runs;
        if (restarts(draw)) runs = indexRuns(draw);
        const uint32_t perInstance = primitivesPerInstance(draw, runs);
        wrong += drawnPrimitives(draw) != uint64_t{perInstance} * draw.instances;
        const uint64_t total = uint64_t{perInstance} * draw.instances;
        VertexCollector collector;
        for (uint64_t first = 0; first < total; first += 1024) {
            const auto count = static_cast<uint32_t>(std::min<uint64_t>(1024, total - first));
            collector.collect(draw, runs, perInstance, first, count);
            const auto keys = collector.keys();
            std::vector<bool> used(keys.size());
            for (uint32_t i = 0; i < count; ++i) {
                uint32_t ordinals[3];
                drawCorners(draw, runs, static_cast<uint32_t>((first + i) % perInstance), ordinals);
                for (int c = 0; c < cornerCount(draw.primitive); ++c) {
                    const VertexKey key = {vertexElement(draw, ordinals[c]),
                                           static_cast<uint32_t>((first + i) / perInstance)};
                    const uint32_t number = collector.corner(c)[i];
                    wrong += number >= keys.size() || keys[number] != key;
                    if (number < keys.size()) used[number] = true;
                }
            }
            wrong += static_cast<int>(std::count(used.begin(), used.end(), false));
            std::vector<uint64_t> distinct;
            for (VertexKey key : keys) distinct.push_back(uint64_t{key.instance} << 32 | key.element);
            std::sort(distinct.begin(), distinct.end());
            wrong += std::adjacent_find(distinct.begin(), distinct.end()) != distinct.end();
        }
    }
    CHECK(wrong == 0);
}
