#include "model/chip/unit/machine.h"

#include <fmt/format.h>

#include "base/check.h"
#include "base/thread/thread_pool.h"
#include "model/chip/interval.h"
#include "model/chip/unit/chip.h"

namespace tessera::model {
namespace {

std::vector<UnitResult> unitsOf(const Preset& preset) {
    const uint32_t rasterizers = preset.raster.rasterizers, processors = preset.block.processors;
    const std::pair<UnitKind, uint32_t> kinds[] = {
        {UnitKind::Display, 1},
        {UnitKind::Command, 1},
        {UnitKind::VertexFetch, 1},
        {UnitKind::Dispatch, 1},
        {UnitKind::Assembly, 1},
        {UnitKind::Clip, 1},
        {UnitKind::Setup, 1},
        {UnitKind::Rasterizer, rasterizers},
        {UnitKind::EarlyTests, 1},
        {UnitKind::Interpolator, rasterizers},
        {UnitKind::GroupFormer, 1},
        {UnitKind::BlockProcessor, processors},
        {UnitKind::TextureEngine, preset.texture.engines},
        {UnitKind::FragmentStore, 1},
        {UnitKind::PixelEngine, preset.pixel.engines},
        {UnitKind::Sdram, preset.sdram.channels},
        {UnitKind::HostBus, preset.host.megabytes ? 1u : 0u},
        {UnitKind::Relay, preset.relay.cycles ? 1u : 0u},
        {UnitKind::Lanes, processors},
    };
    std::vector<UnitResult> units;
    for (const auto& [kind, count] : kinds)
        for (uint32_t number = 0; number < count; ++number) units.push_back({kind, number, {}, {}});
    return units;
}

}  // namespace

UnitNumbers::UnitNumbers(const Preset& preset) {
    const std::vector<UnitResult> units = unitsOf(preset);
    const auto first = [&](UnitKind kind) {
        uint32_t number = 0;
        while (number < units.size() && units[number].kind < kind) ++number;
        return number;
    };
    display = first(UnitKind::Display);
    command = first(UnitKind::Command);
    vertexFetch = first(UnitKind::VertexFetch);
    dispatch = first(UnitKind::Dispatch);
    assembly = first(UnitKind::Assembly);
    clip = first(UnitKind::Clip);
    setup = first(UnitKind::Setup);
    rasterizer = first(UnitKind::Rasterizer);
    earlyTests = first(UnitKind::EarlyTests);
    interpolator = first(UnitKind::Interpolator);
    groupFormer = first(UnitKind::GroupFormer);
    blockProcessor = first(UnitKind::BlockProcessor);
    textureEngine = first(UnitKind::TextureEngine);
    fragmentStore = first(UnitKind::FragmentStore);
    pixelEngine = first(UnitKind::PixelEngine);
    sdram = acting = first(UnitKind::Sdram);
    hostBus = first(UnitKind::HostBus);
    relay = first(UnitKind::Relay);
    lanes = first(UnitKind::Lanes);
    all = static_cast<uint32_t>(units.size());
}

Chip::Chip(const Workload& work, const Interval& commands, const Preset& machine, const MachineOptions& chosen,
           Result& books)
    : workload(work),
      interval(commands),
      preset(machine),
      options(chosen),
      result(books),
      at(machine),
      ledger(books.units, chosen.pieces, chosen.keepStalls ? &books.stalls : nullptr),
      clock(at.acting),
      programs(work, machine),
      sdram(machine, ledger, clock, at.sdram, books, chosen.keepRequests),
      progress(clock, books, work, sdram, at.command),
      hostBus(machine, ledger, at.hostBus),
      relay(machine, ledger, sdram, at.relay),
      display(work, machine),
      command(clock, machine, commands.commands, at.command, at.vertexFetch, at.assembly),
      vertexFetch(clock, machine, at.vertexFetch, at.dispatch),
      dispatch(machine),
      assembly(clock, work, machine, at.assembly, at.clip),
      clip(clock, machine, at.clip, at.setup),
      setup(clock, machine, at.setup, at.rasterizer),
      earlyTests(clock, machine, at.earlyTests, at.interpolator),
      groupFormer(clock, machine, at.groupFormer, at.dispatch),
      fragmentStore(machine, at.fragmentStore),
      secondCache(machine) {
    for (uint32_t i = 0; i < machine.raster.rasterizers; ++i) {
        rasterizers.emplace_back(clock, machine, i, at.rasterizer + i, at.earlyTests);
        interpolators.emplace_back(clock, machine, i, at.interpolator + i, at.groupFormer);
    }
    for (uint32_t i = 0; i < machine.block.processors; ++i)
        blockProcessors.emplace_back(machine, i, at.blockProcessor + i);
    for (uint32_t i = 0; i < machine.texture.engines; ++i)
        textureEngines.emplace_back(clock, machine, at.textureEngine + i, at.blockProcessor);
    for (uint32_t i = 0; i < machine.pixel.engines; ++i)
        pixelEngines.emplace_back(clock, machine, at.pixelEngine + i, at.fragmentStore);
}

void Chip::step(uint32_t unit) {
    switch (result.units[unit].kind) {
        case UnitKind::Display:
            return display.step(*this);
        case UnitKind::Command:
            return command.step(*this);
        case UnitKind::VertexFetch:
            return vertexFetch.step(*this);
        case UnitKind::Dispatch:
            return dispatch.step(*this);
        case UnitKind::Assembly:
            return assembly.step(*this);
        case UnitKind::Clip:
            return clip.step(*this);
        case UnitKind::Setup:
            return setup.step(*this);
        case UnitKind::Rasterizer:
            return rasterizers[unit - at.rasterizer].step(*this);
        case UnitKind::EarlyTests:
            return earlyTests.step(*this);
        case UnitKind::Interpolator:
            return interpolators[unit - at.interpolator].step(*this);
        case UnitKind::GroupFormer:
            return groupFormer.step(*this);
        case UnitKind::BlockProcessor:
            return blockProcessors[unit - at.blockProcessor].step(*this);
        case UnitKind::TextureEngine:
            return textureEngines[unit - at.textureEngine].step(*this);
        case UnitKind::FragmentStore:
            return fragmentStore.step(*this);
        case UnitKind::PixelEngine:
            return pixelEngines[unit - at.pixelEngine].step(*this);
        case UnitKind::Sdram:
        case UnitKind::HostBus:
        case UnitKind::Relay:
        case UnitKind::Lanes:
            break;
    }
    UNREACHABLE("a unit that only has books acts");
}

Cycle Chip::flush(Cycle now, bool forget) {
    Cycle done = earlyTests.flush(*this, now, forget);
    for (PixelEngine& engine : pixelEngines) done = std::max(done, engine.flush(*this, now, forget));
    done = std::max(done, secondCache.flush(*this, now, forget));
    done = std::max(done, sdram.drain(now));
    if (!forget) return done;
    for (TextureEngine& engine : textureEngines) engine.forget();
    for (BlockProcessor& processor : blockProcessors) processor.forget();
    vertexFetch.forget();
    return done;
}

void Chip::listenToQueues() {
    const auto listen = [&](auto& queue) {
        result.queues.push_back(queue.listen(result.levels, static_cast<uint32_t>(result.queues.size())));
    };
    listen(command.drawsToFetch);
    listen(command.drawsToAssemble);
    listen(vertexFetch.groups);
    listen(assembly.primitives);
    listen(clip.primitives);
    for (auto& queue : setup.primitives) listen(queue);
    for (Rasterizer& rasterizer : rasterizers) listen(rasterizer.blocks);
    for (auto& queue : earlyTests.blocks) listen(queue);
    for (Interpolator& interpolator : interpolators) listen(interpolator.blocks);
    listen(groupFormer.groups);
    for (TextureEngine& engine : textureEngines)
        for (uint32_t processor = 0; processor < blockProcessors.size(); ++processor)
            listen(engine.requests(processor));
    for (PixelEngine& engine : pixelEngines) listen(engine.blocks);
}

namespace {

/// Lanes have no line of time of their own: theirs is their block processor's, and what its instructions left empty.
void closeLanes(const Chip& chip, Result& result) {
    const uint64_t perCycle = uint64_t{chip.preset.block.lanes} * chip.preset.block.issue;
    for (uint32_t i = 0; i < chip.blockProcessors.size(); ++i) {
        const CauseCycles& processor = result.units[chip.at.blockProcessor + i].cycles;
        CauseCycles& lanes = result.units[chip.at.lanes + i].cycles;
        for (size_t cause = 1; cause < kCauses; ++cause) lanes[cause] = processor[cause] * perCycle;
        const BlockProcessor::LaneBooks& books = chip.blockProcessors[i].laneBooks();
        lanes[static_cast<size_t>(Cause::Busy)] = books.busy;
        lanes[static_cast<size_t>(Cause::Divergence)] = books.divergence;
        lanes[static_cast<size_t>(Cause::Unfilled)] = books.unfilled;
        // Beside a busy port others may have had nothing to issue.
        lanes[static_cast<size_t>(Cause::NoWork)] +=
            processor[0] * perCycle - (books.busy + books.divergence + books.unfilled);
    }
}

}  // namespace

std::string cannotRun(const Workload& workload, const Preset& preset) {
    for (size_t i = 0; i < workload.programs.size(); ++i) {
        const ProgramUse& program = workload.programs[i];
        const uint32_t registers = registersOf(workload, preset, static_cast<uint32_t>(i));
        if (registers > preset.block.registers) {
            return fmt::format(
                "{}: a group of it needs {} registers, a block processor of {} has {}; raise "
                "block.registers",
                program.name, registers, preset.name, preset.block.registers);
        }
    }
    if (!workload.draws.empty() && !preset.drawsPictures())
        return fmt::format("{}: {} has no rasterizers and draws nothing; take a preset that does, as tessera",
                           workload.draws[0].name, preset.name);
    for (const LaunchWork& launch : workload.launches) {
        if (launch.sharedBytes > preset.block.shared_bytes) {
            return fmt::format("{}: a block needs {} bytes of shared memory, a block processor of {} has {}",
                               launch.name, launch.sharedBytes, preset.name, preset.block.shared_bytes);
        }
        for (uint32_t i = 0; i < launch.blocks.count; ++i) {
            const uint32_t together = preset.block.threads / isa::kGroupSize;
            const uint32_t count = workload.threadBlocks[launch.blocks.first + i].groups.count;
            const uint32_t groups = (count + together - 1) / together;
            const uint64_t registers = uint64_t{groups} * registersOf(workload, preset, launch.program);
            if (groups > preset.block.groups || registers > preset.block.registers) {
                return fmt::format(
                    "{}: a block has {} groups and {} registers, a block processor of {} takes {} and {}", launch.name,
                    groups, registers, preset.name, preset.block.groups, preset.block.registers);
            }
        }
    }
    return "";
}

Result simulateInterval(const Workload& workload, const Interval& interval, const Preset& preset,
                        const MachineOptions& options) {
    Result result;
    result.units = unitsOf(preset);
    Chip chip(workload, interval, preset, options, result);
    if (options.keepLevels) chip.listenToQueues();
    chip.clock.wake(chip.at.command, 0);
    chip.display.start(chip);
    while (chip.clock.advance()) {
        chip.clock.forDue([&](uint32_t unit) { chip.step(unit); });
        if (chip.command.isFinished()) break;
    }
    CHECK(chip.command.isFinished());
    chip.sdram.finish(chip.clock.now());
    for (BlockProcessor& processor : chip.blockProcessors) processor.finish(chip, chip.ledger.end());
    result.cycles = chip.ledger.close();
    chip.progress.end(result.cycles);
    for (Cycle end = 0; end < result.cycles;)
        result.pieceEnds.push_back(end = std::min(end + chip.ledger.pieceCycles(), result.cycles));
    closeLanes(chip, result);
    result.programs = chip.programs.results();
    return result;
}

Result simulate(const Workload& workload, const Preset& preset, const MachineOptions& options) {
    Result result;
    result.workload = workload.name;
    result.preset = preset.name;
    result.clockKhz = preset.clock.khz;
    result.units = unitsOf(preset);
    const std::vector<Interval> intervals = intervalsOf(workload);
    MachineOptions each = options;
    each.pieces = std::max(options.pieces / static_cast<int>(intervals.size()), 2);
    // Results are put in order as they come, so that few are held at once.
    constexpr size_t kTogether = 64;
    ThreadPool pool(static_cast<int>(std::min({static_cast<size_t>(options.threads), intervals.size(), kTogether})));
    for (size_t first = 0; first < intervals.size(); first += kTogether) {
        std::vector<Result> results(std::min(intervals.size() - first, kTogether));
        pool.parallelFor("model", results.size(), [&](size_t index, int) {
            results[index] = simulateInterval(workload, intervals[first + index], preset, each);
        });
        for (size_t i = 0; i < results.size(); ++i) append(result, results[i], intervals[first + i], workload);
    }
    limitPieces(result, static_cast<size_t>(options.pieces));
    return result;
}

}  // namespace tessera::model
