// The vertex stage, which computes positions alone while all that it has seen is outside of the view.
#include <cstring>
#include <random>

#include <doctest/doctest.h>

#include "pipeline/geometry/geometry.h"
#include "pipeline/testing/geometry.h"

using namespace tessera;
using namespace tessera::pipeline;
using namespace tessera::pipeline::test;

TEST_CASE("while all vertices are outside of the view, positions alone are computed; then everything is") {
    PassThrough programs;
    int wholes = 0, parts = 0;
    auto program = std::make_shared<Program>(*programs.program);
    ProgramStage& vertex = program->stages[isa::Stage::Vertex];
    vertex.routine = std::make_shared<FunctionRoutine>([&, original = vertex.routine](isa::GroupRun& group) {
        ++wholes;
        original->run(group);
    });
    auto positions = std::make_shared<isa::Program>(*vertex.program);
    positions->inputMask = positions->outputMask = 1;
    vertex.facts.positions = positions;
    vertex.positionsRoutine = std::make_shared<FunctionRoutine>([&](isa::GroupRun& group) {
        ++parts;
        group.outputs[isa::kOutPosition] = group.inputs[0];
    });
    const auto drawn = [&](const std::shared_ptr<const Program>& by, int outside) {
        std::mt19937 random(7);
        std::vector<TestVertex> vertices(300);
        for (size_t i = 0; i < vertices.size(); ++i) {
            for (float& component : vertices[i].position) component = static_cast<float>(random() % 2000) / 1000 - 1;
            for (float& component : vertices[i].color) component = static_cast<float>(random() % 1000) / 1000;
            vertices[i].position[3] = 1;
            if (i < static_cast<size_t>(outside)) vertices[i].position[0] = 2;
        }
        programs.program = by;
        const Draw draw = makeDraw(programs, vertices, 64, 64);
        DrawGeometry geometry(draw);
        GeometryScratch scratch;
        auto chunk = std::make_unique<ChunkGeometry>();
        wholes = parts = 0;
        processChunk(geometry, 0, 100, scratch, *chunk);
        return chunk;
    };
    auto plain = std::make_shared<Program>(*program);
    plain->stages[isa::Stage::Vertex].positionsRoutine = nullptr;
    for (const int outside : {0, 40, 150, 299, 300}) {
        CAPTURE(outside);
        const auto expected = drawn(plain, outside);
        CHECK(parts == 0);
        const auto actual = drawn(program, outside);
        CHECK((parts != 0) == (outside >= 32));
        CHECK(wholes == (outside == 300 ? 1 : 10));
        const auto& one = expected->primitives;
        const auto& other = actual->primitives;
        REQUIRE(one.primitives.size() == other.primitives.size());
        CHECK(one.primitives.empty() == (outside == 300));
        CHECK(one.planes.size() == other.planes.size());
        const size_t bytes = one.planes.size() * sizeof(Plane);
        CHECK((bytes == 0 || std::memcmp(one.planes.data(), other.planes.data(), bytes) == 0));
        for (size_t i = 0; i < one.primitives.size(); ++i)
            CHECK(std::memcmp(&one.primitives[i], &other.primitives[i], offsetof(SetupPrimitive, edge[3])) == 0);
    }
}
