#include "model/chip/interval.h"

#include <algorithm>

namespace tessera::model {
namespace {

void add(CauseCycles& sum, const CauseCycles& cycles) {
    for (size_t cause = 0; cause < kCauses; ++cause) sum[cause] += cycles[cause];
}

void add(CacheResult& sum, const CacheResult& cache) {
    sum.hits += cache.hits;
    sum.misses += cache.misses;
    sum.fetched += cache.fetched;
    sum.writeBacks += cache.writeBacks;
}

void add(PcResult& sum, const PcResult& row) {
    sum.issues += row.issues;
    sum.lanes += row.lanes;
    sum.cycles += row.cycles;
    add(sum.stalls, row.stalls);
}

/// The command's item; `frames` have ended before.
uint32_t itemOf(const Workload& workload, const CommandWork& command, uint32_t frames) {
    switch (command.kind) {
        case CommandWork::Kind::Draw:
            break;
        case CommandWork::Kind::Launch:
            return workload.launchItem(command.item);
        case CommandWork::Kind::Transfer:
            return workload.transferItem(command.item);
        case CommandWork::Kind::EndFrame:
            return workload.frameItem(frames);
    }
    return command.item;
}

}  // namespace

std::vector<Interval> intervalsOf(const Workload& workload) {
    using enum CommandWork::Kind;
    std::vector<Interval> intervals(1);
    uint32_t frames = 0;
    for (uint32_t i = 0; i < workload.commands.size(); ++i) {
        Interval& interval = intervals.back();
        ++interval.commands.count;
        const CommandWork::Kind kind = workload.commands[i].kind;
        frames += kind == EndFrame;
        if ((kind != EndFrame && kind != Launch) || i + 1 == workload.commands.size()) continue;
        interval.isLast = false;
        intervals.push_back({{i + 1, 0}, frames});
    }
    return intervals;
}

void append(Result& result, const Result& next, const Interval& interval, const Workload& workload) {
    const Cycle before = result.cycles;
    result.cycles += next.cycles;
    for (const Cycle end : next.frameEnds) result.frameEnds.push_back(before + end);
    result.frames = result.frameEnds.size();
    for (size_t unit = 0; unit < next.units.size(); ++unit) {
        const UnitResult& from = next.units[unit];
        add(result.units[unit].cycles, from.cycles);
        result.units[unit].overTime.insert(result.units[unit].overTime.end(), from.overTime.begin(),
                                           from.overTime.end());
    }
    for (const Cycle end : next.pieceEnds) result.pieceEnds.push_back(before + end);

    result.items.resize(next.items.size());
    for (uint32_t i = 0; i < interval.commands.count; ++i) {
        const uint32_t item = itemOf(workload, workload.commands[interval.commands.first + i], interval.framesEnded);
        ItemResult& row = result.items[item];
        row = next.items[item];
        row.begin += before;
        row.end += before;
    }
    result.programs.resize(next.programs.size());
    for (size_t program = 0; program < next.programs.size(); ++program) {
        result.programs[program].resize(next.programs[program].size());
        for (size_t pc = 0; pc < next.programs[program].size(); ++pc)
            add(result.programs[program][pc], next.programs[program][pc]);
    }
    for (CacheResult Result::* const cache : {&Result::vertexCache, &Result::textureCache, &Result::earlyCache,
                                              &Result::pixelCache, &Result::firstCache, &Result::secondCache})
        add(result.*cache, next.*cache);
    for (uint64_t Result::* const count :
         {&Result::sdramRead, &Result::sdramWritten, &Result::displayRead, &Result::sdramReads,
          &Result::sdramReadCycles, &Result::instructions, &Result::vertices, &Result::fragments, &Result::vertexGroups,
          &Result::fragmentGroups, &Result::kernelGroups})
        result.*count += next.*count;
    result.counters += next.counters;
    for (Stall stall : next.stalls) {
        stall.begin += before;
        stall.end += before;
        result.stalls.push_back(stall);
    }
    for (Issue issue : next.issues) {
        issue.cycle += before;
        issue.begin += before;
        if (issue.result != kNever) issue.result += before;
        result.issues.push_back(issue);
    }
    for (MemoryRequest request : next.requests) {
        request.cycle += before;
        result.requests.push_back(request);
    }
    result.queues = next.queues;
    for (QueueLevel level : next.levels) {
        level.cycle += before;
        result.levels.push_back(level);
    }
}

void limitPieces(Result& result, size_t pieces) {
    if (result.pieceEnds.size() <= pieces) return;
    std::vector<Cycle> ends;
    std::vector<size_t> placeOf;  // of a piece, among those that stay
    for (size_t piece = 0; piece < result.pieceEnds.size(); ++piece) {
        placeOf.push_back(ends.size());
        // So many parts of equal length; a piece belongs to that in which it ends.
        const Cycle end = result.pieceEnds[piece], next = (ends.size() + 1) * result.cycles / pieces;
        if (end >= next || piece + 1 == result.pieceEnds.size()) ends.push_back(end);
    }
    for (UnitResult& unit : result.units) {
        std::vector<CauseCycles> overTime(ends.size());
        for (size_t piece = 0; piece < unit.overTime.size(); ++piece)
            add(overTime[placeOf[piece]], unit.overTime[piece]);
        unit.overTime = std::move(overTime);
    }
    result.pieceEnds = std::move(ends);
}

}  // namespace tessera::model
