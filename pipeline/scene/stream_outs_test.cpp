// Stream-outs against a model that goes through the draw's indices one after the other.
#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "pipeline/command/command_buffer.h"
#include "pipeline/command/gpu.h"
#include "pipeline/testing/geometry.h"

using namespace tessera;
using namespace tessera::pipeline;
using namespace tessera::pipeline::test;

namespace {

constexpr uint32_t kVertices = 5000;

using Corners = std::vector<uint32_t>;

/// The vertices of the primitives that those elements make, in the order in which they are written.
Corners takenApart(Primitive primitive, const Corners& v) {
    Corners out;
    const size_t n = v.size();
    const auto add = [&](std::initializer_list<size_t> corners) {
        for (const size_t corner : corners) out.push_back(v[corner]);
    };
    switch (primitive) {
        case Primitive::Points:
            return v;
        case Primitive::Lines:
            for (size_t i = 0; i + 1 < n; i += 2) add({i, i + 1});
            return out;
        case Primitive::LineStrip:
        case Primitive::LineLoop:
            for (size_t i = 0; i + 1 < n; ++i) add({i, i + 1});
            if (primitive == Primitive::LineLoop && n > 1) add({n - 1, 0});
            return out;
        case Primitive::Triangles:
            for (size_t i = 0; i + 2 < n; i += 3) add({i, i + 1, i + 2});
            return out;
        case Primitive::TriangleStrip:
            for (size_t i = 0; i + 2 < n; ++i) {
                if (i % 2 == 0)
                    add({i, i + 1, i + 2});
                else
                    add({i + 1, i, i + 2});
            }
            return out;
        case Primitive::TriangleFan:
            for (size_t i = 1; i + 1 < n; ++i) add({0, i, i + 1});
            return out;
    }
    return out;
}

size_t cornersOf(Primitive primitive) {
    return primitive == Primitive::Points ? 1 : primitive < Primitive::Triangles ? 2 : 3;
}

/// The elements of an instance's primitives.
Corners modelCorners(const Draw& draw) {
    Corners all, run;
    const auto end = [&] {
        const Corners apart = takenApart(draw.primitive, run);
        all.insert(all.end(), apart.begin(), apart.end());
        run.clear();
    };
    for (uint32_t i = 0; i < draw.count; ++i) {
        if (draw.indexType == IndexType::None) {
            run.push_back(draw.first + i);
            continue;
        }
        uint32_t index = 0, bytes = 1u << (static_cast<uint32_t>(draw.indexType) - 1);
        std::memcpy(&index, draw.indices->data() + draw.indexOffset + size_t{i} * bytes, bytes);
        if (draw.restart && index == (bytes == 4 ? ~0u : (1u << 8 * bytes) - 1))
            end();
        else
            run.push_back(index + static_cast<uint32_t>(draw.baseVertex));
    }
    end();
    return all;
}

/// A stream-out with what the model makes of it.
struct Captured {
    StreamOut out;
    std::array<std::vector<std::byte>, kMaxStreamOutBuffers> expected;
    uint64_t vertices = 0, written = 0;
};

struct Case {
    std::vector<Captured> captured;  ///< those that take turns
    std::vector<Draw> draws;
    uint64_t generated = 0;
};

class Cases {
public:
    explicit Cases(uint32_t seed) : random_(seed) {
        for (TestVertex& vertex : vertices_)
            for (int c = 0; c < 4; ++c) vertex.position[c] = any(), vertex.color[c] = any();
    }

    Case next() {
        Case made;
        const auto primitive = static_cast<Primitive>(below(7));
        for (size_t i = 0; i < 1 + below(2); ++i) made.captured.push_back(captured());
        const auto generated = std::make_shared<PrimitiveCounter>();
        for (size_t i = 0; i < 1 + below(4); ++i) {
            Captured& to = made.captured[below(static_cast<uint32_t>(made.captured.size()))];
            Draw draw = this->draw(primitive);
            draw.streamOut = std::make_shared<StreamOut>(to.out);
            draw.generated = generated;
            expect(draw, to, made.generated);
            made.draws.push_back(std::move(draw));
        }
        return made;
    }

private:
    uint32_t below(uint32_t limit) { return random_() % limit; }
    float any() { return static_cast<float>(static_cast<int32_t>(random_() % 2000) - 1000) / 64; }

    Captured captured() {
        Captured made;
        StreamOut& out = made.out;
        for (size_t i = 0; i < kMaxStreamOutBuffers; ++i) {
            if (below(2) == 0) continue;
            uint32_t& stride = out.layout.stride[i];
            for (size_t part = 0; part < 1 + below(3); ++part) {
                StreamOutPart one;
                one.output = static_cast<uint8_t>(below(4));  // the last one is not written
                one.component = static_cast<uint8_t>(below(4));
                one.components = static_cast<uint8_t>(1 + below(4u - one.component));
                one.buffer = static_cast<uint8_t>(i);
                one.offset = stride + 4 * below(2);
                stride = one.offset + 4u * one.components;
                out.layout.parts.push_back(one);
            }
            StreamOutRange& range = out.ranges[i];
            range.buffer = std::make_shared<Buffer>(1000 + below(below(2) == 0 ? 400000 : 4000));
            for (std::byte& byte : range.buffer->bytes()) byte = static_cast<std::byte>(random_());
            range.offset = 4 * below(50);
            range.size = below(static_cast<uint32_t>(range.buffer->size() - range.offset));
            made.expected[i].assign(range.buffer->bytes().begin(), range.buffer->bytes().end());
        }
        out.place = std::make_shared<StreamOutPlace>();
        out.written = std::make_shared<PrimitiveCounter>();
        return made;
    }

    Draw draw(Primitive primitive) {
        Draw draw = makeDraw(programs_, vertices_, 64, 64);
        draw.state->target.color[0] = image_;
        draw.state->raster.discard = below(2) == 0;
        draw.primitive = primitive;
        draw.count = below(3) == 0 ? 3 + below(4000) : below(200);
        draw.first = below(kVertices - draw.count);
        draw.instances = below(3) == 0 ? 1 + below(4) : 1;
        if (below(4) == 0) draw.state->attributes[1].divisor = 1;
        const auto type = static_cast<IndexType>(below(4));
        if (type == IndexType::None) return draw;
        draw.first = 0;
        draw.indexType = type;
        const uint32_t bytes = 1u << (static_cast<uint32_t>(type) - 1), often = 1u << below(9);
        auto indices = std::make_shared<Buffer>(draw.count * size_t{bytes} + 40);
        for (size_t i = 0; i + bytes <= indices->size(); i += bytes) {
            const uint32_t index = random_() % often == 0 ? ~0u : below(kVertices);
            std::memcpy(indices->data() + i, &index, bytes);
        }
        draw.indices = indices;
        draw.indexOffset = uint64_t{bytes} * below(10);
        draw.restart = below(4) != 0;
        return draw;
    }

    void expect(const Draw& draw, Captured& to, uint64_t& generated) const {
        const size_t corners = cornersOf(draw.primitive);
        const Corners elements = modelCorners(draw);
        generated += elements.size() / corners * draw.instances;
        const StreamOut& out = to.out;
        for (uint32_t instance = 0; instance < draw.instances; ++instance)
            for (size_t first = 0; first < elements.size(); first += corners) {
                bool any = false;
                for (size_t i = 0; i < out.ranges.size(); ++i) {
                    const uint64_t stride = out.layout.stride[i];
                    if (stride != 0 && (to.vertices + corners) * stride > out.ranges[i].size) return;
                    any |= stride != 0;
                }
                if (!any) return;
                for (size_t c = 0; c < corners; ++c, ++to.vertices) put(draw, {elements[first + c], instance}, to);
                ++to.written;
            }
    }

    void put(const Draw& draw, VertexKey key, Captured& to) const {
        const auto value = [&](size_t attribute, size_t component) {
            const uint32_t element = draw.state->attributes[attribute].divisor == 0 ? key.element : key.instance;
            if (element >= kVertices) return component == 3 ? 1.0f : 0.0f;
            const TestVertex& vertex = vertices_[element];
            return attribute == 0 ? vertex.position[component] : vertex.color[component];
        };
        for (const StreamOutPart& part : to.out.layout.parts)
            for (size_t k = 0; k < part.components; ++k) {
                const size_t component = part.component + k;
                float written = 0;
                if (part.output == isa::kOutPosition) written = value(0, component);
                if (part.output == isa::kOutPointSize) {
                    if (component != 0) continue;  // the program leaves them alone
                    written = value(1, 3);
                }
                if (part.output == isa::kOutVarying0) written = value(1, component);
                std::byte* const at = to.expected[part.buffer].data() + to.out.ranges[part.buffer].offset +
                                      to.vertices * to.out.layout.stride[part.buffer] + part.offset + 4 * k;
                std::memcpy(at, &written, 4);
            }
    }

    std::mt19937 random_;
    const PassThrough programs_;
    std::vector<TestVertex> vertices_{kVertices};
    texture::ImagePtr image_ = std::make_shared<texture::Image>(texture::PixelFormat::Rgba8, 64, 64);
};

void run(Gpu& gpu, const std::vector<Draw>& draws, const std::shared_ptr<Faults>& faults = nullptr) {
    CommandBuffer buffer;
    for (const Draw& draw : draws) buffer.commands.emplace_back(draw);
    buffer.faults = faults;
    gpu.wait(gpu.submit(std::move(buffer)));
}

/// Whether the buffers hold what the model says; of point sizes, the first component alone.
bool isAsExpected(const Captured& captured) {
    bool same =
        captured.out.place->vertices == captured.vertices && captured.out.written->primitives == captured.written;
    for (size_t i = 0; i < kMaxStreamOutBuffers; ++i) {
        if (!captured.out.ranges[i].buffer) continue;
        std::vector<std::byte> found(captured.out.ranges[i].buffer->bytes().begin(),
                                     captured.out.ranges[i].buffer->bytes().end());
        for (const StreamOutPart& part : captured.out.layout.parts)
            for (uint64_t vertex = 0;
                 part.buffer == i && part.output == isa::kOutPointSize && vertex < captured.vertices; ++vertex)
                for (uint32_t k = part.component == 0 ? 1 : 0; k < part.components; ++k) {
                    const uint64_t at = captured.out.ranges[i].offset + vertex * captured.out.layout.stride[i] +
                                        part.offset + uint64_t{4} * k;
                    std::memcpy(found.data() + at, captured.expected[i].data() + at, 4);
                }
        same &= found == captured.expected[i];
    }
    return same;
}

}  // namespace

TEST_CASE("stream-outs write what the model writes, and as many threads as there are write the same") {
    for (const int threads : {1, 2, 8}) {
        Cases cases(static_cast<uint32_t>(threads));
        Gpu gpu(nullptr, threads);
        int wrong = 0, full = 0, written = 0;
        for (int i = 0; i < 150; ++i) {
            const Case one = cases.next();
            run(gpu, one.draws);
            uint64_t all = 0;
            for (const Captured& captured : one.captured) {
                wrong += isAsExpected(captured) ? 0 : 1;
                all += captured.written;
            }
            wrong += one.draws.front().generated->primitives != one.generated;
            full += all < one.generated;
            written += all != 0;
        }
        CHECK(wrong == 0);
        CHECK(full > 20);
        CHECK(written > 60);
    }
}

TEST_CASE("a draw that fetches what it streams out has read all of it before; the next one reads what was written") {
    const PassThrough programs;
    for (const int threads : {1, 4}) {
        std::vector<TestVertex> vertices(4000);
        for (size_t i = 0; i < vertices.size(); ++i) vertices[i].color[0] = static_cast<float>(i);
        Draw draw = makeDraw(programs, vertices, 64, 64);
        const BufferPtr buffer = bufferOf(vertices.data(), vertices.size() * sizeof(TestVertex));
        for (VertexAttribute& attribute : draw.state->attributes)
            if (attribute.data) attribute.data = buffer;
        draw.primitive = Primitive::Points;
        draw.state->raster.discard = true;
        draw.first = 1;
        draw.count = 3999;
        StreamOut out;
        out.layout.parts = {{isa::kOutVarying0, 0, 1, 0, 16}};
        out.layout.stride[0] = sizeof(TestVertex);
        out.ranges[0] = {buffer, 0, buffer->size()};
        std::vector<Draw> draws;
        for (int i = 0; i < 3; ++i) {
            out.place = std::make_shared<StreamOutPlace>();
            draw.streamOut = std::make_shared<StreamOut>(out);
            draws.push_back(draw);
        }
        Gpu gpu(nullptr, threads);
        run(gpu, draws);
        int wrong = 0;
        for (size_t i = 0; i < vertices.size(); ++i)
            wrong += buffer->as<TestVertex>()[i].color[0] != static_cast<float>(std::min<size_t>(i + 3, 3999));
        CHECK(wrong == 0);
    }
}

TEST_CASE("ranges that share memory are written in the order of primitives") {
    const PassThrough programs;
    std::vector<TestVertex> vertices(9000);
    for (size_t i = 0; i < vertices.size(); ++i)
        vertices[i] = {{static_cast<float>(i), 0, 0, 1}, {-static_cast<float>(i), 0, 0, 1}};
    std::vector<float> first;
    for (const int threads : {1, 2, 8}) {
        Draw draw = makeDraw(programs, vertices, 64, 64);
        draw.primitive = Primitive::Points;
        draw.state->raster.discard = true;
        StreamOut out;
        out.layout.parts = {{isa::kOutPosition, 0, 1, 0, 0}, {isa::kOutVarying0, 0, 1, 1, 0}};
        out.layout.stride[0] = 8, out.layout.stride[1] = 4;
        const auto buffer = std::make_shared<Buffer>(80000);
        out.ranges[0] = {buffer, 0, 80000};
        out.ranges[1] = {buffer, 20000, 40000};
        out.place = std::make_shared<StreamOutPlace>();
        draw.streamOut = std::make_shared<StreamOut>(out);
        Gpu gpu(nullptr, threads);
        run(gpu, {draw});
        const std::span<const float> floats = buffer->as<float>();
        if (threads == 1) first.assign(floats.begin(), floats.end());
        CHECK(std::ranges::equal(floats, first));
    }
}

TEST_CASE("of a draw whose vertex program does not end nothing is streamed out, and its program is done with") {
    const auto routine = [](const Program& of, bool& isEndless) {
        auto own = std::make_shared<Program>(of);
        own->stages[isa::Stage::Vertex].facts.mayOverrun = true;
        own->stages[isa::Stage::Vertex].routine = std::make_shared<FunctionRoutine>([&isEndless](isa::GroupRun& group) {
            group.outputs[isa::kOutPosition] = group.inputs[0];
            group.budgetExceeded = isEndless && group.inputs[0].lane[0][0] == 1000;
        });
        return own;
    };
    const PassThrough programs;
    std::vector<TestVertex> vertices(6000);
    for (size_t i = 0; i < vertices.size(); ++i)
        vertices[i].position[0] = static_cast<float>(i / 32 * 32 == 4992 ? 1000 : 7);
    bool isEndless = false;
    for (const int threads : {1, 3}) {
        Draw draw = makeDraw(programs, vertices, 64, 64);
        draw.state->program = routine(*programs.program, isEndless);
        draw.primitive = Primitive::Points;
        StreamOut out;
        out.layout.parts = {{isa::kOutPosition, 0, 1, 0, 0}};
        out.layout.stride[0] = 4;
        out.ranges[0] = {std::make_shared<Buffer>(8000 * 4), 0, 8000 * 4};
        out.place = std::make_shared<StreamOutPlace>();
        out.written = std::make_shared<PrimitiveCounter>();
        draw.streamOut = std::make_shared<StreamOut>(out);
        draw.generated = std::make_shared<PrimitiveCounter>();
        const auto faults = std::make_shared<Faults>();
        Gpu gpu(nullptr, threads);
        isEndless = true;
        run(gpu, {draw}, faults);
        CHECK(faults->takeNews().size() == 1);
        const auto floats = out.ranges[0].buffer->as<float>();
        CHECK(std::accumulate(floats.begin(), floats.end(), 0.0f) == 0);
        isEndless = false;
        run(gpu, {draw}, faults);
        CHECK(std::accumulate(floats.begin(), floats.end(), 0.0f) == 0);
        CHECK(out.place->vertices == 0);
        CHECK(out.written->primitives + draw.generated->primitives == 0);
        draw.state->program->isBanned = false;
        run(gpu, {draw}, faults);
        CHECK(floats[0] == 7);
        CHECK(floats[4992] == 1000);
        CHECK(out.place->vertices == 6000);
        CHECK(draw.generated->primitives == 6000);
    }
}

TEST_CASE("discarded draws have no pixels and pass no samples") {
    const PassThrough programs;
    const std::vector<TestVertex> vertices = {
        {{-1, -1, 0, 1}, {1, 1, 1, 1}}, {{3, -1, 0, 1}, {1, 1, 1, 1}}, {{-1, 3, 0, 1}, {1, 1, 1, 1}}};
    for (const bool isDiscarded : {true, false}) {
        Draw draw = makeDraw(programs, vertices, 64, 64);
        const auto image = std::make_shared<texture::Image>(texture::PixelFormat::Rgba8, 64, 64);
        draw.state->target.color[0] = image;
        draw.state->raster.discard = isDiscarded;
        draw.occlusion = std::make_shared<OcclusionCounter>();
        draw.generated = std::make_shared<PrimitiveCounter>();
        Gpu gpu(nullptr, 2);
        run(gpu, {draw});
        CHECK(image->texel32(5, 5) == (isDiscarded ? 0 : 0xFFFFFFFFu));
        CHECK(draw.occlusion->samples == (isDiscarded ? 0 : 4096));
        CHECK(draw.generated->primitives == 1);
    }
}
