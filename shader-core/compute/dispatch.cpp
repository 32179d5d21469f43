#include "shader-core/compute/dispatch.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/thread/thread_pool.h"
#include "shader-core/isa/program.h"

namespace tessera::compute {

namespace {

constexpr uint64_t kPiecesOfThread = 16;   ///< of a grid, so that uneven ones balance
constexpr uint64_t kBlocksOfPiece = 4096;  ///< at most, so that a long dispatch can be stopped

}  // namespace

std::string resolveSize(const isa::Program& program, LaunchSize& size) {
    if (size.block == std::array<uint32_t, 3>{})
        std::copy(program.blockSize.begin(), program.blockSize.end(), size.block.begin());
    uint64_t threads = 1;
    for (const uint32_t n : size.block) threads = std::min<uint64_t>(threads * n, isa::kMaxThreadBlockThreads + 1);
    bool tooMany = false;
    uint64_t blocks = 1;
    for (const uint32_t n : size.grid) tooMany |= __builtin_mul_overflow(blocks, uint64_t{n}, &blocks);
    if (threads == 0 || threads > isa::kMaxThreadBlockThreads)
        return fmt::format("a block has 1 to {} threads", isa::kMaxThreadBlockThreads);
    if (tooMany || blocks > UINT32_MAX) return "a grid has fewer than 2^32 blocks";
    return {};
}

DispatchResult dispatch(ThreadPool& pool, const isa::Kernel& kernel, const isa::ComputeRun& whole,
                        const std::atomic<bool>& stop) {
    const uint64_t blocks = uint64_t{whole.grid[0]} * whole.grid[1] * whole.grid[2];
    const auto threads = static_cast<size_t>(pool.threads());
    const uint64_t pieces = std::max(std::min(blocks, threads * kPiecesOfThread), blocks / kBlocksOfPiece);
    std::vector<isa::ComputeRun> runs(threads, whole);
    // The fault with the lowest block is the one to tell, so pieces before it still run.
    std::vector<isa::ComputeFault> faults(threads);
    std::atomic<uint64_t> lowestFault = UINT64_MAX;
    pool.parallelFor("compute", pieces, [&](size_t piece, int worker) {
        isa::ComputeRun& run = runs[static_cast<size_t>(worker)];
        run.firstBlock = blocks * piece / pieces;
        run.blockCount = blocks * (piece + 1) / pieces - run.firstBlock;
        if (run.firstBlock > lowestFault.load(std::memory_order_relaxed) || stop.load(std::memory_order_relaxed))
            return;
        run.fault = {};
        kernel.run(run);
        if (run.fault.kind == isa::FaultKind::None) return;
        isa::ComputeFault& own = faults[static_cast<size_t>(worker)];
        if (own.kind == isa::FaultKind::None || run.fault.block < own.block) own = run.fault;
        uint64_t lowest = lowestFault.load();
        while (run.fault.block < lowest && !lowestFault.compare_exchange_weak(lowest, run.fault.block)) {
        }
    });

    DispatchResult result;
    for (const isa::ComputeRun& run : runs) result.counters.add(run.counters);
    for (const isa::ComputeFault& fault : faults)
        if (fault.kind != isa::FaultKind::None &&
            (result.fault.kind == isa::FaultKind::None || fault.block < result.fault.block))
            result.fault = fault;
    result.isDone = result.fault.kind == isa::FaultKind::None && !stop;
    return result;
}

// --- Faults ---

namespace {

std::string laneList(uint32_t lanes) {
    std::string text;
    for (int lane = 0; lane < isa::kGroupSize;) {
        if (!(lanes >> lane & 1)) {
            ++lane;
            continue;
        }
        int last = lane;
        while (last + 1 < isa::kGroupSize && (lanes >> (last + 1) & 1)) ++last;
        text += text.empty() ? "" : ", ";
        text += last == lane ? fmt::format("{}", lane) : fmt::format("{}..{}", lane, last);
        lane = last + 1;
    }
    return text;
}

/// "groups 0..2: all lanes; group 5: lanes 3, 7..9".
std::string missingList(const std::array<uint32_t, isa::kMaxThreadBlockGroups>& missing) {
    std::string text;
    for (size_t g = 0; g < missing.size();) {
        if (missing[g] == 0) {
            ++g;
            continue;
        }
        size_t last = g;
        while (last + 1 < missing.size() && missing[last + 1] == missing[g]) ++last;
        text += text.empty() ? "" : "; ";
        text += last == g ? fmt::format("group {}", g) : fmt::format("groups {}..{}", g, last);
        text += fmt::format(": lanes {}", laneList(missing[g]));
        g = last + 1;
    }
    return text;
}

std::string whoIsMissing(const std::array<uint32_t, isa::kMaxThreadBlockGroups>& missing) {
    const std::string list = missingList(missing);
    return list.empty() ? "it is for more groups than the block has" : "missing: " + list;
}

}  // namespace

std::string faultMessage(const isa::Program& program, const isa::ComputeFault& fault, std::array<uint32_t, 3> grid) {
    const uint64_t x = grid[0], y = grid[1];
    std::string where = fmt::format("block ({}, {}, {})", fault.block % x, fault.block / x % y, fault.block / x / y);
    std::string line;
    if (fault.instruction < program.lines.size() && program.lines[fault.instruction] != 0)
        line = fmt::format(" in line {}", program.lines[fault.instruction]);
    switch (fault.kind) {
        case isa::FaultKind::None:
            return {};
        case isa::FaultKind::OutOfBudget:
            return fmt::format("{}, group {}: the budget of instructions ran out; does every loop end?", where,
                               fault.group);
        case isa::FaultKind::DivergentLanes:
            return fmt::format("{}, group {}: barrier {}{} in divergent code; missing: {}", where, fault.group,
                               fault.barrier, line, missingList(fault.missing));
        case isa::FaultKind::MissingGroups:
            return fmt::format("{}: group {} waits for ever at barrier {}{}; {}", where, fault.group, fault.barrier,
                               line, whoIsMissing(fault.missing));
    }
    return {};
}

}  // namespace tessera::compute
