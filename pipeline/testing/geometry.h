// For tests: programs without instructions, whose routines are written in C++, so that the pipeline is tested without
// a shader core behind it.
#pragma once

#include <atomic>
#include <cstring>
#include <functional>

#include "pipeline/commands.h"
#include "shader-core/isa/executor.h"
#include "shader-core/isa/program.h"

namespace tessera::pipeline::test {

/// A routine that calls a function.
class FunctionRoutine final : public isa::Routine {
public:
    explicit FunctionRoutine(std::function<void(isa::GroupRun&)> body) : body_(std::move(body)) {}
    void run(isa::GroupRun& group) const override { body_(group); }

private:
    std::function<void(isa::GroupRun&)> body_;
};

/// A command that calls a function.
inline RunTask taskOf(std::function<void()> body) {
    class FunctionTask final : public Task {
    public:
        explicit FunctionTask(std::function<void()> body) : body_(std::move(body)) {}
        [[nodiscard]] const char* name() const override { return "test"; }
        void run() override { body_(); }

    private:
        std::function<void()> body_;
    };
    return {std::make_shared<FunctionTask>(std::move(body))};
}

/// Vertex: o0 = v0, varying 0 = v1, point size = v1.w; counts the active lanes. Fragment: o0 = v0.
struct PassThrough {
    std::atomic<uint64_t> shadedVertices{0};
    std::shared_ptr<const Program> program;

    PassThrough() {
        auto vertex = std::make_shared<isa::Program>();
        vertex->stage = isa::Stage::Vertex;
        vertex->inputMask = 0b11;
        vertex->outputMask = 0b111;
        auto fragment = std::make_shared<isa::Program>();
        fragment->stage = isa::Stage::Fragment;
        fragment->inputMask = 0b1;
        fragment->outputMask = 0b1;
        auto linked = std::make_shared<Program>();
        linked->stages[isa::Stage::Vertex].program = vertex;
        linked->stages[isa::Stage::Fragment].program = fragment;
        linked->stages[isa::Stage::Vertex].routine = std::make_shared<FunctionRoutine>([this](isa::GroupRun& group) {
            shadedVertices += __builtin_popcount(group.activeMask);
            group.outputs[isa::kOutPosition] = group.inputs[0];
            group.outputs[isa::kOutVarying0] = group.inputs[1];
            std::memcpy(group.outputs[isa::kOutPointSize].lane[0], group.inputs[1].lane[3],
                        sizeof(float[isa::kGroupSize]));
            group.instructions = 3;
        });
        linked->stages[isa::Stage::Fragment].routine = std::make_shared<FunctionRoutine>([](isa::GroupRun& group) {
            group.outputs[isa::kOutColor0] = group.inputs[0];
            group.instructions = 1;
        });
        program = linked;
    }
};

inline BufferPtr bufferOf(const void* data, size_t size) {
    return std::make_shared<Buffer>(std::span(static_cast<const std::byte*>(data), size));
}

struct TestVertex {
    float position[4], color[4];
};

/// A draw of vertices that passes them through, to a target of the size given.
inline Draw makeDraw(const PassThrough& programs, const std::vector<TestVertex>& vertices, int width, int height) {
    Draw draw;
    draw.state->program = programs.program;
    draw.state->target.width = width;
    draw.state->target.height = height;
    draw.state->raster.viewport[2] = static_cast<float>(width);
    draw.state->raster.viewport[3] = static_cast<float>(height);
    const BufferPtr data = bufferOf(vertices.data(), vertices.size() * sizeof(TestVertex));
    for (int i = 0; i < 2; ++i) {
        draw.state->attributes[i].data = data;
        draw.state->attributes[i].offset = i * 16;
        draw.state->attributes[i].stride = sizeof(TestVertex);
    }
    draw.count = static_cast<uint32_t>(vertices.size());
    return draw;
}

inline void setIndices(Draw& draw, const std::vector<uint32_t>& indices) {
    draw.indices = bufferOf(indices.data(), indices.size() * sizeof(uint32_t));
    draw.indexType = IndexType::U32;
    draw.count = static_cast<uint32_t>(indices.size());
}

}  // namespace tessera::pipeline::test
