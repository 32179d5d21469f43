// Test only: workloads made by hand, an array at a time.
#pragma once

#include <doctest/doctest.h>

#include <bit>
#include <string>
#include <vector>

#include "model/chip/workload.h"
#include "shader-core/asm/assembler.h"

namespace tessera::model::reference {

/// Instructions in assembly, a line each. They need not make a sound program: the model only listens.
inline std::shared_ptr<const isa::Program> assembled(const std::string& code) {
    const auto result = assembly::assemble(".compute\n" + code, "hand", {.extent = assembly::Extent::Instructions});
    REQUIRE_MESSAGE(result.program, result.log());
    return std::make_shared<const isa::Program>(*result.program);
}

/// What a group's instruction does in a trace.
struct HandStep {
    uint32_t pc = 0;
    uint32_t lanes = ~0u;
    std::vector<Access> accesses;
};
using HandTrace = std::vector<HandStep>;

/// Instructions 0 .. count - 1, one behind the other.
inline HandTrace straight(uint32_t count, uint32_t lanes = ~0u) {
    HandTrace trace;
    for (uint32_t pc = 0; pc < count; ++pc) trace.push_back({.pc = pc, .lanes = lanes});
    return trace;
}
inline std::string repeated(const std::string& text, uint32_t times) {
    std::string all;
    for (; times > 0; --times) all += text;
    return all;
}

struct HandWorkload : Workload {
    uint32_t addProgram(const std::string& code, uint32_t temporaries = 1) {
        programs.push_back({.program = assembled(code), .name = "hand", .temporaries = temporaries});
        return static_cast<uint32_t>(programs.size() - 1);
    }
    Range addTrace(const HandTrace& trace) {
        const auto first = static_cast<uint32_t>(executed.size());
        for (const HandStep& step : trace) {
            const auto firstAccess = static_cast<uint32_t>(accesses.size());
            accesses.insert(accesses.end(), step.accesses.begin(), step.accesses.end());
            executed.push_back({.pc = step.pc,
                                .lanes = step.lanes,
                                .accesses = {firstAccess, static_cast<uint32_t>(step.accesses.size())}});
        }
        return {first, static_cast<uint32_t>(trace.size())};
    }
    /// A launch of thread blocks, each of as many groups as it has traces.
    void addLaunch(uint32_t program, const std::vector<std::vector<HandTrace>>& blocks, uint32_t sharedBytes = 0) {
        LaunchWork launch{.name = "hand",
                          .program = program,
                          .threadsPerBlock = static_cast<uint32_t>(blocks.front().size()) * isa::kGroupSize,
                          .sharedBytes = sharedBytes,
                          .blocks = {static_cast<uint32_t>(threadBlocks.size()), static_cast<uint32_t>(blocks.size())}};
        for (const std::vector<HandTrace>& traces : blocks) {
            threadBlocks.push_back({{static_cast<uint32_t>(groups.size()), static_cast<uint32_t>(traces.size())}});
            for (const HandTrace& trace : traces) groups.push_back({.lanes = ~0u, .trace = addTrace(trace)});
        }
        commands.push_back({.kind = CommandWork::Kind::Launch, .item = static_cast<uint32_t>(launches.size())});
        launches.push_back(launch);
    }
    void addTransfer(uint64_t bytesRead, uint64_t bytesWritten) {
        commands.push_back({.kind = CommandWork::Kind::Transfer, .item = static_cast<uint32_t>(transfers.size())});
        transfers.push_back({.name = "hand", .bytesRead = bytesRead, .bytesWritten = bytesWritten});
    }
    void endFrame() { commands.push_back({.kind = CommandWork::Kind::EndFrame, .item = frames_++}); }

private:
    uint32_t frames_ = 0;
};

}  // namespace tessera::model::reference
