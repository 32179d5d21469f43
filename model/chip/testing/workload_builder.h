// Test only: workloads by hand, for machines to be measured with.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/chip/workload.h"
#include "shader-core/isa/isa.h"
#include "shader-core/isa/program.h"

namespace tessera::model {

class WorkloadBuilder {
public:
    Workload w;

    static isa::Instruction instruction(isa::Op op, int destination = 0, int source = 0) {
        isa::Instruction i;
        i.op = op;
        const isa::Shape shape = isa::opInfo(op).shape;
        if (!(isa::opInfo(op).types & 1)) i.type = isa::Type::U32;
        if (isa::hasDestination(shape)) i.dst.index = static_cast<uint16_t>(destination);
        for (int s = 0; s < isa::sourceCount(shape); ++s)
            i.src[static_cast<size_t>(s)].index = static_cast<uint16_t>(source);
        return i;
    }
    static isa::Instruction memory(isa::Op op, int slot) {
        isa::Instruction i = instruction(op);
        i.type = isa::Type::U32;
        i.slot = static_cast<uint8_t>(slot);
        if (op == isa::Op::Ld) i.dst.writeMask = 1;
        return i;
    }

    uint32_t program(isa::Stage stage, const std::vector<isa::Instruction>& code, uint32_t temporaries = 1) {
        auto program = std::make_shared<isa::Program>();
        program->stage = stage;
        for (const isa::Instruction& i : code) program->code.push_back(isa::encode(i));
        isa::deriveUsage(*program);
        w.programs.push_back({program, "program " + std::to_string(w.programs.size()), temporaries});
        return static_cast<uint32_t>(w.programs.size() - 1);
    }

    /// The accesses of one instruction, by hand.
    using Accesses = std::vector<Access>;

    /// Each instruction of the program once, for these lanes; instruction n has accesses[n], if there are so many.
    Range trace(uint32_t program, uint32_t lanes, const std::vector<Accesses>& accesses = {}) {
        Range range{static_cast<uint32_t>(w.executed.size()), 0};
        for (uint32_t pc = 0; pc < w.programs[program].program->code.size(); ++pc, ++range.count) {
            Executed executed;
            executed.pc = pc;
            executed.lanes = lanes;
            executed.accesses.first = static_cast<uint32_t>(w.accesses.size());
            if (pc < accesses.size()) {
                executed.accesses.count = static_cast<uint32_t>(accesses[pc].size());
                w.accesses.insert(w.accesses.end(), accesses[pc].begin(), accesses[pc].end());
            }
            w.executed.push_back(executed);
        }
        return range;
    }

    // Kernels

    struct KernelOptions {
        uint32_t blocks = 1, lanes = ~0u, sharedBytes = 0;
        std::vector<Accesses> accesses;  ///< of each group
    };
    /// A launch of blocks of so many groups, all of which do the same.
    void launch(uint32_t program, uint32_t groups, const KernelOptions& options) {
        LaunchWork work;
        work.name = "launch";
        work.program = program;
        work.threadsPerBlock = groups * 32;
        work.sharedBytes = options.sharedBytes;
        work.blocks.first = static_cast<uint32_t>(w.threadBlocks.size());
        work.blocks.count = options.blocks;
        const Range shared = trace(program, options.lanes, options.accesses);
        for (uint32_t block = 0; block < options.blocks; ++block) {
            w.threadBlocks.push_back({{static_cast<uint32_t>(w.groups.size()), groups}});
            for (uint32_t group = 0; group < groups; ++group) w.groups.push_back({options.lanes, shared});
        }
        w.commands.push_back({CommandWork::Kind::Launch, static_cast<uint32_t>(w.launches.size())});
        w.launches.push_back(work);
    }
    void launch(uint32_t program, uint32_t groups) { launch(program, groups, KernelOptions{}); }

    // Draws

    struct Triangle {
        std::vector<std::pair<int, int>> blocks;  ///< places, in blocks
        uint16_t covered = 0xFFFF;
        uint32_t scanned = 0;  ///< 0: as many as are covered
        Fate fate = Fate::Drawn;
        uint8_t outcodes = 0, newVertices = 0;
    };
    struct DrawOptions {
        std::vector<Accesses> accesses;  ///< of each block
        PixelWork pixels;
        uint8_t varyings = 1;
        uint32_t batches = 1;  ///< of 32 vertices, used in turn
    };
    void draw(uint32_t vertexProgram, uint32_t fragmentProgram, const std::vector<Triangle>& triangles,
              const DrawOptions& options) {
        DrawWork draw;
        draw.name = "draw " + std::to_string(w.draws.size());
        draw.vertexProgram = vertexProgram;
        draw.fragmentProgram = fragmentProgram;
        draw.attributes = 1;
        draw.varyings = options.varyings;
        draw.pixels = options.pixels;
        draw.batches = {static_cast<uint32_t>(w.batches.size()), options.batches};
        const Range vertices = trace(vertexProgram, ~0u);
        for (uint32_t batch = 0; batch < options.batches; ++batch) w.batches.push_back({~0u, vertices, {}});
        draw.primitives = {static_cast<uint32_t>(w.primitives.size()), static_cast<uint32_t>(triangles.size())};
        const Range fragments = trace(fragmentProgram, 0xFFFF, options.accesses);
        for (size_t i = 0; i < triangles.size(); ++i) {
            const Triangle& triangle = triangles[i];
            Primitive primitive;
            const auto batch = static_cast<uint32_t>(i * options.batches / triangles.size());
            for (uint32_t& index : primitive.batch) index = draw.batches.first + batch;
            primitive.fate = triangle.fate;
            primitive.outcodes = triangle.outcodes;
            primitive.newVertices = triangle.newVertices;
            primitive.scanned = std::max<uint32_t>(triangle.scanned, static_cast<uint32_t>(triangle.blocks.size()));
            primitive.blocks = {static_cast<uint32_t>(w.blocks.size()), static_cast<uint32_t>(triangle.blocks.size())};
            for (const auto& [x, y] : triangle.blocks) {
                Block block;
                block.x = static_cast<int16_t>(x);
                block.y = static_cast<int16_t>(y);
                block.covered = block.early = block.written = triangle.covered;
                block.trace = fragments;
                w.blocks.push_back(block);
            }
            w.primitives.push_back(primitive);
        }
        w.commands.push_back({CommandWork::Kind::Draw, static_cast<uint32_t>(w.draws.size())});
        w.draws.push_back(draw);
    }
    void draw(uint32_t vertexProgram, uint32_t fragmentProgram, const std::vector<Triangle>& triangles) {
        draw(vertexProgram, fragmentProgram, triangles, DrawOptions{});
    }

    void transfer(uint64_t read, uint64_t written) {
        w.commands.push_back({CommandWork::Kind::Transfer, static_cast<uint32_t>(w.transfers.size())});
        w.transfers.push_back({"transfer", read, written});
    }
    void endFrame() { w.commands.push_back({CommandWork::Kind::EndFrame, frames_++}); }

    /// Blocks in rows of `width`.
    static std::vector<std::pair<int, int>> square(int width, int height) {
        std::vector<std::pair<int, int>> places;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) places.emplace_back(x, y);
        return places;
    }

private:
    uint32_t frames_ = 0;
};

}  // namespace tessera::model
