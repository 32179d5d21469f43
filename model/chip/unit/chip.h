// All units of a machine, and what they share. A unit is a structure with step(): what it does in the current cycle.
// Whatever it does to another one is seen there in a later cycle (docs/model.md, Time).
#pragma once

#include <memory>
#include <vector>

#include "model/chip/interval.h"
#include "model/chip/unit/block_processor.h"
#include "model/chip/unit/clock.h"
#include "model/chip/unit/command.h"
#include "model/chip/unit/dispatch.h"
#include "model/chip/unit/fragments.h"
#include "model/chip/unit/geometry.h"
#include "model/chip/unit/ledger.h"
#include "model/chip/unit/machine.h"
#include "model/chip/unit/memory.h"
#include "model/chip/unit/pixels.h"
#include "model/chip/unit/program_table.h"
#include "model/chip/unit/progress.h"
#include "model/chip/unit/texture_engine.h"

namespace tessera::model {

/// Numbers of the units: those of a kind follow each other. This is also the order in which requests of one cycle reach
/// SDRAM.
struct UnitNumbers {
    explicit UnitNumbers(const Preset& preset);
    uint32_t display, command, vertexFetch, dispatch, assembly, clip, setup, rasterizer, earlyTests, interpolator,
        groupFormer, blockProcessor, textureEngine, fragmentStore, pixelEngine;
    uint32_t acting;  ///< those above act; those below only have books
    uint32_t sdram, hostBus, relay, lanes;
    uint32_t all;
};

struct Chip {
    Chip(const Workload& workload, const Interval& interval, const Preset& preset, const MachineOptions& options,
         Result& result);

    void step(uint32_t unit);
    /// All that is dirty goes to SDRAM; `forget`: and caches are empty. Returns the cycle in which it is written.
    Cycle flush(Cycle now, bool forget);
    /// All queues tell how full they are.
    void listenToQueues();

    const Workload& workload;
    const Interval interval;  ///< of the workload
    const Preset& preset;
    const MachineOptions& options;
    Result& result;
    UnitNumbers at;
    Ledger ledger;
    Clock clock;
    ProgramTable programs;
    Sdram sdram;
    Progress progress;
    HostBus hostBus;
    Relay relay;

    DisplayReadOut display;
    CommandProcessor command;
    VertexFetch vertexFetch;
    Dispatch dispatch;
    Assembly assembly;
    Clip clip;
    Setup setup;
    std::vector<Rasterizer> rasterizers;
    EarlyTests earlyTests;
    std::vector<Interpolator> interpolators;
    GroupFormer groupFormer;
    std::vector<BlockProcessor> blockProcessors;
    std::vector<TextureEngine> textureEngines;
    FragmentStore fragmentStore;
    std::vector<PixelEngine> pixelEngines;
    SecondCache secondCache;
};

}  // namespace tessera::model
