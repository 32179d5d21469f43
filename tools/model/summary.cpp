#include "tools/model/summary.h"
#include "shader-core/isa/isa.h"
#include "shader-core/isa/program.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>

#include <fmt/format.h>

namespace tessera::tools {

namespace {

using model::Fate;
using model::Workload;

constexpr const char* kUnitWords[] = {"arithmetic", "transcendental", "lighting", "texture",
                                      "control",    "memory",         "lane"};
constexpr size_t kUnits = std::size(kUnitWords);

struct Counts {
    uint64_t vertices = 0, batches = 0, fetchedLines = 0;
    std::array<uint64_t, 4> primitives{};  ///< by fate
    uint64_t newVertices = 0, scanned = 0, blocks = 0, covered = 0, early = 0, written = 0;
    std::array<uint64_t, kUnits> instructions{};
    uint64_t textureLines = 0, words = 0;

    uint64_t allInstructions() const {
        uint64_t sum = 0;
        for (const uint64_t one : instructions) sum += one;
        return sum;
    }
};

void addTrace(const Workload& workload, model::Range trace, uint32_t program, Counts& counts) {
    const isa::Program& code = *workload.programs[program].program;
    for (const model::Executed& executed : workload.trace(trace)) {
        const auto instruction = isa::decode(code.code[executed.pc]);
        const isa::Unit unit = instruction ? isa::opInfo(instruction->op).unit : isa::Unit::Control;
        ++counts.instructions[static_cast<size_t>(unit)];
        (unit == isa::Unit::Memory ? counts.words : counts.textureLines) += executed.accesses.count;
    }
}

void addDraw(const Workload& workload, const model::DrawWork& draw, Counts& counts) {
    for (const model::VertexBatch& batch :
         std::span(workload.batches).subspan(draw.batches.first, draw.batches.count)) {
        ++counts.batches;
        counts.vertices += batch.vertices();
        counts.fetchedLines += batch.fetches.count;
        addTrace(workload, batch.trace, draw.vertexProgram, counts);
    }
    const auto primitives = std::span(workload.primitives).subspan(draw.primitives.first, draw.primitives.count);
    for (const model::Primitive& primitive : primitives) {
        ++counts.primitives[static_cast<size_t>(primitive.fate)];
        counts.newVertices += primitive.newVertices;
        counts.scanned += primitive.scanned;
        counts.blocks += primitive.blocks.count;
        for (const model::Block& block :
             std::span(workload.blocks).subspan(primitive.blocks.first, primitive.blocks.count)) {
            counts.covered += static_cast<uint64_t>(std::popcount(block.covered));
            counts.early += static_cast<uint64_t>(std::popcount(block.early));
            counts.written += static_cast<uint64_t>(std::popcount(block.written));
            addTrace(workload, block.trace, draw.fragmentProgram, counts);
        }
    }
}

void addLaunch(const Workload& workload, const model::LaunchWork& launch, Counts& counts) {
    for (const model::ThreadBlock& block :
         std::span(workload.threadBlocks).subspan(launch.blocks.first, launch.blocks.count))
        for (const model::KernelGroup& group :
             std::span(workload.groups).subspan(block.groups.first, block.groups.count))
            addTrace(workload, group.trace, launch.program, counts);
}

std::string instructionsText(const Counts& counts) {
    std::string text = fmt::format("  {:>12} instructions of groups", counts.allInstructions());
    const char* separator = ": ";
    for (size_t unit = 0; unit < kUnits; ++unit) {
        if (counts.instructions[unit] == 0) continue;
        text += fmt::format("{}{} {}", separator, counts.instructions[unit], kUnitWords[unit]);
        separator = ", ";
    }
    return text + "\n";
}

std::string commandText(const Workload& workload, const model::CommandWork& command) {
    switch (command.kind) {
        case model::CommandWork::Kind::Draw: {
            const model::DrawWork& draw = workload.draws[command.item];
            Counts counts;
            addDraw(workload, draw, counts);
            return fmt::format(
                "{}: {} vertices, {} of {} primitives drawn, {} fragments, {} instructions, {} texture "
                "lines\n",
                draw.name, counts.vertices, counts.primitives[static_cast<size_t>(Fate::Drawn)], draw.primitives.count,
                counts.early, counts.allInstructions(), counts.textureLines);
        }
        case model::CommandWork::Kind::Transfer: {
            const model::TransferWork& transfer = workload.transfers[command.item];
            return fmt::format("{}: {} bytes read, {} written\n", transfer.name, transfer.bytesRead,
                               transfer.bytesWritten);
        }
        case model::CommandWork::Kind::Launch: {
            const model::LaunchWork& launch = workload.launches[command.item];
            Counts counts;
            addLaunch(workload, launch, counts);
            return fmt::format("{}: {} blocks of {} threads, {} instructions, {} words\n", launch.name,
                               launch.blocks.count, launch.threadsPerBlock, counts.allInstructions(), counts.words);
        }
        case model::CommandWork::Kind::EndFrame:
            return fmt::format("end of frame {}\n", command.item);
    }
    return {};
}

}  // namespace

std::string summary(const Workload& workload) {
    Counts all;
    for (const model::DrawWork& draw : workload.draws) addDraw(workload, draw, all);
    for (const model::LaunchWork& launch : workload.launches) addLaunch(workload, launch, all);
    uint64_t read = 0, written = 0;
    for (const model::TransferWork& transfer : workload.transfers)
        read += transfer.bytesRead, written += transfer.bytesWritten;
    std::string text = workload.name;
    if (workload.width != 0) text += fmt::format(", {}x{}", workload.width, workload.height);
    text += "\n";
    const auto line = [&](uint64_t count, const std::string& what) {
        text += fmt::format("  {:>12} {}\n", count, what);
    };
    line(workload.commands.size(), fmt::format("commands: {} draws, {} transfers, {} launches", workload.draws.size(),
                                               workload.transfers.size(), workload.launches.size()));
    if (!workload.transfers.empty())
        line(read + written, fmt::format("bytes of transfers: {} read, {} written", read, written));
    if (!workload.draws.empty()) {
        line(all.vertices, fmt::format("vertices in {} batches, which fetch {} lines", all.batches, all.fetchedLines));
        line(workload.primitives.size(),
             fmt::format("primitives: {} drawn, {} outside, {} facing away, {} without a pixel; {} new vertices",
                         all.primitives[static_cast<size_t>(Fate::Drawn)],
                         all.primitives[static_cast<size_t>(Fate::Outside)],
                         all.primitives[static_cast<size_t>(Fate::Facing)],
                         all.primitives[static_cast<size_t>(Fate::Empty)], all.newVertices));
        line(all.scanned, fmt::format("blocks scanned, {} covered", all.blocks));
        line(all.covered, fmt::format("fragments covered, {} after early tests, {} written", all.early, all.written));
    }
    text += instructionsText(all);
    if (all.textureLines != 0) line(all.textureLines, "lines of textures asked for");
    if (all.words != 0) line(all.words, "words of memory");
    text += "\n";
    for (const model::CommandWork& command : workload.commands) text += commandText(workload, command);
    return text;
}

}  // namespace tessera::tools
