// The cache model against a simulator that is nothing but a list: byte addresses, a queue for each set, and loops. On
// random streams, on streams that a GPU gave while it rendered, and after a trip through a file.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <list>
#include <random>
#include <set>
#include <tuple>

#include "model/texture_cache_probe.h"
#include "pipeline/command/command_buffer.h"
#include "pipeline/command/gpu.h"
#include "pipeline/testing/geometry.h"

using namespace tessera;
using namespace tessera::model;
using Counters = pipeline::TextureCacheCounters;

namespace {

// --- The naive simulator ---

/// One engine's cache: for each set the lines in it, the one used last at the end.
class NaiveCache {
public:
    explicit NaiveCache(TextureCacheShape shape) : shape_(shape), sets_(shape.lines / shape.ways) {}

    Counters read(uint32_t image, int entries, const TexelFootprint& f) {
        Counters c;
        c.lookups = 1;
        std::set<Line> seen;
        std::vector<std::set<std::pair<Line, int>>> banks(shape_.banks);
        for (int k = 0; k < f.slices; ++k)
            for (int j = 0; j < f.rows; ++j)
                for (int i = 0; i < f.columns; ++i)
                    for (int e = 0; e < entries; ++e) {
                        const int x = f.x[i] * entries + e, y = f.y[j];
                        const Line line = {image, f.z[k], y / shape_.tileHeight, x / shape_.tileWidth};
                        const int inLine = y % shape_.tileHeight * shape_.tileWidth + x % shape_.tileWidth;
                        const int word = inLine / shape_.bankEntries;
                        banks[word % shape_.banks].insert({line, word});
                        if (seen.insert(line).second) ask(line, c);
                    }
        size_t cycles = 0;
        for (const auto& bank : banks) cycles = std::max(cycles, bank.size());
        c.bankConflicts = cycles - 1;
        return c;
    }

private:
    using Line = std::tuple<uint32_t, int, int, int>;  // image, slice, tile row, tile column

    [[nodiscard]] int setOf(const Line& line) const {
        int number = 0;
        for (int bit = 0; bit < 16; ++bit) {
            number += (std::get<3>(line) >> bit & 1) * (bit < 15 ? 1 << 2 * bit : 0);
            number += (std::get<2>(line) >> bit & 1) * (bit < 15 ? 2 << 2 * bit : 0);
        }
        return (number ^ std::get<1>(line)) % static_cast<int>(sets_.size());
    }
    void ask(const Line& line, Counters& c) {
        std::list<Line>& set = sets_[setOf(line)];
        const auto found = std::find(set.begin(), set.end(), line);
        if (found != set.end()) {
            ++c.hits;
            set.erase(found);
        } else {
            ++c.misses;
            c.bytes += shape_.tileWidth * shape_.tileHeight * 4;
            if (static_cast<int>(set.size()) == shape_.ways) set.pop_front();
        }
        set.push_back(line);
    }

    TextureCacheShape shape_;
    std::vector<std::list<Line>> sets_;
};

/// Which engine serves which pixel of a square of 16x16; the squares repeat over the target.
constexpr const char* kEngineOfPixel[16] = {
    "0000111122223333", "0000111122223333", "0000111122223333", "0000111122223333",
    "4444555566667777", "4444555566667777", "4444555566667777", "4444555566667777",
    "88889999aaaabbbb", "88889999aaaabbbb", "88889999aaaabbbb", "88889999aaaabbbb",
    "ccccddddeeeeffff", "ccccddddeeeeffff", "ccccddddeeeeffff", "ccccddddeeeeffff",
};

/// All blocks of a stream, every draw and engine with a cache of its own.
Counters simulate(const std::vector<TexelBlock>& blocks, const TextureCacheShape& shape) {
    std::map<std::pair<uint32_t, char>, NaiveCache> caches;
    Counters all;
    for (const TexelBlock& block : blocks)
        for (int lane = 0; lane < 16; ++lane) {
            if ((block.lanes >> lane & 1) == 0) continue;
            const int x = block.pixelX + lane % 4, y = block.pixelY + lane / 4;
            const char engine = block.isVertex ? "0123456789abcdef"[lane] : kEngineOfPixel[y % 16][x % 16];
            NaiveCache& cache = caches.try_emplace({block.draw, engine}, shape).first->second;
            all.add(cache.read(block.image, block.entriesPerTexel, block.footprint(lane)));
        }
    return all;
}

Counters modelled(const std::vector<TexelBlock>& blocks, const TextureCacheShape& shape) {
    EngineCaches caches(shape);
    Counters all;
    for (const TexelBlock& block : blocks) all.add(caches.read(block));
    return all;
}

TextureCacheShape shapeOf(int lines, int ways, int width, int height) {
    TextureCacheShape shape;
    shape.lines = lines, shape.ways = ways, shape.tileWidth = width, shape.tileHeight = height;
    return shape;
}
const TextureCacheShape kShapes[] = {{},
                                     shapeOf(32, 1, 4, 4),
                                     shapeOf(32, 32, 4, 4),
                                     shapeOf(8, 2, 8, 8),
                                     shapeOf(64, 4, 16, 1),
                                     shapeOf(4, 4, 2, 2),
                                     shapeOf(1, 1, 4, 4)};

// --- A GPU that renders ---

texture::TextureViewPtr makeView(uint64_t identity, texture::PixelFormat format, int width, int height) {
    auto view = std::make_shared<texture::TextureView>();
    view->identity = identity;
    for (int w = width, h = height;; w = std::max(1, w / 2), h = std::max(1, h / 2)) {
        view->image[0][view->levels++] = std::make_shared<texture::Image>(format, w, h);
        if (w == 1 && h == 1) return view;
    }
}

/// Renders squares whose fragments look two textures up, and the second one also in the vertex program.
struct Rendering {
    static constexpr int kWidth = 150, kHeight = 90;
    pipeline::test::PassThrough vertexOnly;
    std::vector<std::string> reports;
    std::string file;
    Counters total, first, second;

    static void lookUp(isa::GroupRun& group, int unit, float scale, bool hasQuads, isa::GroupRegister& result) {
        isa::GroupRegister scaled = group.inputs[0];
        for (auto& component : scaled.lane)
            for (float& value : component) value *= scale;
        isa::TextureRequest request;
        request.mask = group.activeMask;
        request.hasQuads = hasQuads;
        for (int c = 0; c < 3; ++c) request.coord[c] = scaled.lane[c];
        group.textures->sample(unit, request, result);
    }

    Rendering() {
        TextureCacheProbe::Options options;
        options.report = [this](const std::string& text) { reports.push_back(text); };
        options.recorded = [this](const std::string& bytes) { file = bytes; };
        options.recordedFrame = 2;
        TextureCacheProbe probe(std::move(options));
        pipeline::Gpu gpu(nullptr, 1, &probe);
        for (int frame = 1; frame <= 3; ++frame) {
            pipeline::CommandBuffer buffer;
            for (int square = 0; square < 3; ++square) buffer.commands.emplace_back(draw(frame + square));
            buffer.commands.emplace_back(pipeline::EndFrame{});
            gpu.wait(gpu.submit(std::move(buffer)));
        }
        total = probe.total();
        first = probe.ofTexture(uint64_t{5} << 32 | 1);
        second = probe.ofTexture(uint64_t{6} << 32 | 2);
    }

    pipeline::Draw draw(int turn) {
        auto program = std::make_shared<pipeline::Program>(*vertexOnly.program);
        auto fragment = std::make_shared<isa::Program>(program->fragment());
        fragment->usesDerivatives = true;
        program->stages[isa::Stage::Fragment].program = fragment;
        program->stages[isa::Stage::Vertex].routine =
            std::make_shared<pipeline::test::FunctionRoutine>([](isa::GroupRun& group) {
                isa::GroupRegister ignored;
                lookUp(group, 1, 0.7f, false, ignored);
                group.outputs[isa::kOutPosition] = group.inputs[0];
                group.outputs[isa::kOutVarying0] = group.inputs[1];
            });
        program->stages[isa::Stage::Fragment].routine =
            std::make_shared<pipeline::test::FunctionRoutine>([](isa::GroupRun& group) {
                lookUp(group, 0, 1.5f, true, group.outputs[isa::kOutColor0]);
                lookUp(group, 1, 0.3f, true, group.outputs[isa::kOutColor0]);
            });
        const float s = 0.3f * static_cast<float>(turn);
        const auto corner = [&](float x, float y) {
            return pipeline::test::TestVertex{{x, y, 0, 1}, {x * std::cos(s) - y, y + x * std::sin(s), 0, 1}};
        };
        const std::vector<pipeline::test::TestVertex> vertices = {
            corner(-1, -0.7f), corner(0.9f, -1), corner(1, 1), corner(-1, -0.7f), corner(1, 1), corner(-0.8f, 1)};
        pipeline::Draw result = pipeline::test::makeDraw(vertexOnly, vertices, kWidth, kHeight);
        result.state->program = program;
        result.state->target.color[0] = std::make_shared<texture::Image>(texture::PixelFormat::Rgba8, kWidth, kHeight);
        texture::SamplerState trilinear;
        trilinear.minFilter = texture::Filter::Linear;
        texture::SamplerState nearest;
        nearest.magFilter = texture::Filter::Nearest;
        nearest.wrapS = texture::Wrap::MirroredRepeat;
        result.state->textures[isa::Stage::Fragment] = {{one, trilinear}, {two, nearest}};
        result.state->textures[isa::Stage::Vertex] = {{nullptr, {}}, {two, nearest}};
        return result;
    }

    const texture::TextureViewPtr one = makeView(uint64_t{5} << 32 | 1, texture::PixelFormat::Rgba8, 256, 128),
                                  two = makeView(uint64_t{6} << 32 | 2, texture::PixelFormat::Rgba16F, 64, 64);
};

TexelStream parsed(const std::string& bytes) {
    TexelStream stream;
    std::string error;
    const bool isRead = readStream(std::as_bytes(std::span(bytes)), stream, error);
    CHECK_MESSAGE(isRead, error);
    return stream;
}

}  // namespace

TEST_CASE("a miss fetches a line, a hit does not, and the oldest line goes") {
    TextureCache cache;
    const auto readTexel = [&](int x, int y) { cache.read({0, 1}, {1, 1, 1, {x, x}, {y, y}}); };
    for (int i = 0; i < 16; ++i) readTexel(i % 4, i / 4);  // one tile
    CHECK(cache.counters() == Counters{16, 15, 1, 0, 64});
    // Tiles (0, 0), (4, 0), (8, 0) ... share a set of four ways: bits 0 and 1 of x and bit 0 of y choose it.
    for (int tile = 1; tile <= 4; ++tile) readTexel(tile * 16, 0);
    CHECK(cache.counters().misses == 5);
    readTexel(0, 0);  // replaced by the fourth
    CHECK(cache.counters().misses == 6);
    readTexel(2 * 16, 0);  // still there: tile 1 had to go
    CHECK(cache.counters().misses == 6);
    cache.clear();
    readTexel(0, 0);
    CHECK(cache.counters().misses == 7);
}

TEST_CASE("the four texels of a filter come at once from one tile, and from tiles above each other") {
    TextureCache cache;
    const auto conflictsOf = [&](int x0, int x1, int y0, int y1, int entries = 1) {
        const uint64_t before = cache.counters().bankConflicts;
        cache.read({0, entries}, {2, 2, 1, {x0, x1}, {y0, y1}});
        return cache.counters().bankConflicts - before;
    };
    CHECK(conflictsOf(1, 2, 1, 2) == 0);
    CHECK(conflictsOf(1, 2, 3, 4) == 0);
    CHECK(conflictsOf(3, 4, 1, 2) == 1);     // each of two banks delivers a row of two lines
    CHECK(conflictsOf(3, 4, 3, 4) == 1);     // four lines
    CHECK(conflictsOf(0, 63, 0, 64) == 3);   // four lines, one bank
    CHECK(conflictsOf(0, 0, 0, 0) == 0);     // at an edge: one texel four times
    CHECK(conflictsOf(1, 2, 1, 2, 2) == 1);  // texels of two entries: two lines
}

TEST_CASE("sixteen engines serve the blocks of 16x16 pixels side by side, whatever the texture unit") {
    // One tile, read by every pixel of 32 x 16: each engine fetches it once, for its block on the left.
    std::vector<TexelBlock> blocks;
    for (int y = 0; y < 16; y += 4)
        for (int x = 0; x < 32; x += 4) {
            TexelBlock block;
            block.pixelX = static_cast<uint16_t>(x), block.pixelY = static_cast<uint16_t>(y);
            block.unit = static_cast<uint8_t>(x / 4);
            block.lanes = 0xFFFF;
            blocks.push_back(block);
        }
    CHECK(modelled(blocks, {}) == Counters{512, 512 - 16, 16, 0, 16 * 64});
    // Vertices have no place: each lane of a block is another engine's.
    TexelBlock vertices;
    vertices.isVertex = true;
    vertices.lanes = 0x7FFF;
    CHECK(modelled({vertices, vertices}, {}) == Counters{30, 15, 15, 0, 15 * 64});
}

TEST_CASE("the model agrees with a simulator on random streams") {
    std::mt19937 random(3);
    std::vector<TexelBlock> blocks;
    for (int i = 0; i < 3000; ++i) {
        TexelBlock block;
        block.draw = random() % 3;
        block.image = random() % 4;
        block.unit = static_cast<uint8_t>(random() % 16);
        block.isVertex = random() % 8 == 0;
        block.pixelX = static_cast<uint16_t>(random() % 10 * 4),
        block.pixelY = static_cast<uint16_t>(random() % 10 * 4);
        block.lanes = static_cast<uint16_t>(random());
        block.entriesPerTexel = static_cast<uint8_t>(1 << random() % 3);
        block.columns = static_cast<uint8_t>(1 + random() % 2), block.rows = static_cast<uint8_t>(1 + random() % 2);
        block.slices = static_cast<uint8_t>(1 + random() % 2);
        const uint32_t spread = 1u << random() % 12;
        for (int lane = 0; lane < 16; ++lane)
            for (int k = 0; k < 2; ++k) {
                block.x[k][lane] = static_cast<uint16_t>(random() % spread);
                block.y[k][lane] = static_cast<uint16_t>(random() % spread);
                block.z[k][lane] = static_cast<uint16_t>(random() % 4);
            }
        blocks.push_back(block);
    }
    for (const TextureCacheShape& shape : kShapes) {
        CAPTURE(shape.name());
        const Counters expected = simulate(blocks, shape);
        CHECK(modelled(blocks, shape) == expected);
        CHECK(expected.misses > 1000);
        CHECK(expected.bankConflicts > 1000);
        CHECK(expected.bytes == expected.misses * static_cast<uint64_t>(shape.lineBytes()));
    }
}

TEST_CASE("the model agrees with a simulator on the streams of a rendering") {
    const Rendering rendering;
    REQUIRE(rendering.reports.size() == 3);
    const TexelStream stream = parsed(rendering.file);
    CHECK(stream.targets.size() == 3);  // each square has a target of its own
    uint64_t fragments = 0, vertices = 0, linear = 0;
    for (const TexelBlock& block : stream.blocks) {
        (block.isVertex ? vertices : fragments) += static_cast<uint64_t>(std::popcount(block.lanes));
        linear += block.columns == 2;
        CHECK(block.pixelX < Rendering::kWidth);
        CHECK(block.pixelY < Rendering::kHeight);
    }
    CHECK(vertices == 3 * 6);  // no vertex is shared
    CHECK(fragments > 2 * 3 * Rendering::kWidth * Rendering::kHeight / 2);
    CHECK(linear > 100);
    for (const TextureCacheShape& shape : kShapes)
        CHECK(modelled(stream.blocks, shape) == simulate(stream.blocks, shape));

    // The probe counted the same while it listened: all frames together, and the second in its report.
    CHECK(rendering.first.misses > 0);
    CHECK(rendering.second.misses > 0);
    Counters both = rendering.first;
    both.add(rendering.second);
    CHECK(both == rendering.total);
    const Counters second = simulate(stream.blocks, {});
    CHECK(rendering.reports[1].find("frame 2: texture cache: lookups " + std::to_string(second.lookups) + " hits " +
                                    std::to_string(second.hits)) != std::string::npos);
    CHECK(rendering.reports[1].find("draw 4: ") != std::string::npos);
    CHECK(rendering.reports[1].find("texture 2: ") != std::string::npos);
}

TEST_CASE("the stream is the same every time") { CHECK(Rendering().file == Rendering().file); }

TEST_CASE("what is no stream is refused with its place") {
    const Rendering rendering;
    const auto errorOf = [](const std::string& bytes) {
        TexelStream stream;
        std::string error;
        return readStream(std::as_bytes(std::span(bytes)), stream, error) ? "" : error;
    };
    CHECK(errorOf("") == "at byte 0: a texel stream starts with \"TSTREAM2\"");
    CHECK(errorOf("TSTREAM1") == "at byte 0: a texel stream starts with \"TSTREAM2\"");
    CHECK(errorOf("TSTREAM2\x07") == "at byte 8: no record is of kind 7");
    CHECK(errorOf(std::string("TSTREAM2\x03\x01\0\0\0", 13)) == "at byte 8: 1 blocks are promised, 0 are there");
    CHECK(errorOf(std::string("TSTREAM2\x03\0\0\0\0x", 14)) == "at byte 13: something follows the end of the stream");
    std::string bad = rendering.file;
    const size_t firstBlock = 8 + 9;  // after the magic and the first target
    REQUIRE(bad[firstBlock] == 2);
    bad[firstBlock + 23] = 16;  // the unit
    CHECK(errorOf(bad) == "at byte 17: there are 16 texture units");
    std::mt19937 random(5);
    for (int round = 0; round < 300; ++round) {
        bad = rendering.file.substr(0, 4000);
        for (int i = 0; i < 5; ++i) bad[8 + random() % (bad.size() - 8)] = static_cast<char>(random());
        (void)errorOf(bad);
    }
}

TEST_CASE("of a stream that is cut off all whole records are read, and what is left out is counted") {
    const Rendering rendering;
    const std::string& file = rendering.file;
    const TexelStream whole = parsed(file);
    CHECK(!whole.leftOut);
    REQUIRE(whole.blocks.size() > 20);
    // The places where records begin, of the first ones and of the end, are where nothing is left out.
    size_t records = 0, blocks = 0;
    for (size_t end = 8; end < file.size(); end = end == 2000 ? file.size() - 100 : end + 1) {
        const TexelStream stream = parsed(file.substr(0, end));
        REQUIRE(stream.leftOut);
        CHECK(*stream.leftOut < 200);
        CHECK(stream.blocks.size() + stream.targets.size() >= records);
        records = stream.blocks.size() + stream.targets.size();
        blocks = stream.blocks.size();
        if (*stream.leftOut != 0) continue;
        CHECK(stream.blocks.size() == parsed(file.substr(0, end)).blocks.size());
        if (blocks != 0) CHECK(stream.blocks.back().draw == whole.blocks[blocks - 1].draw);
    }
    CHECK(blocks == whole.blocks.size());
}
