// What a machine did with a workload: cycles, and for every unit and every cycle what it did or why not.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/chip/preset.h"
#include "model/chip/workload.h"

namespace tessera::model {

using Cycle = uint64_t;
inline constexpr Cycle kNever = ~Cycle{0};

/// What a unit did in a cycle. All but Busy are causes of an idle one.
enum class Cause : uint8_t {
    Busy,
    NoWork,         ///< nothing came from the units in front
    QueueFull,      ///< its entry has no place in a queue behind it
    Order,          ///< an older primitive's or group's entry has to come first
    Vertices,       ///< the primitive's vertices are not shaded yet
    EarlierWork,    ///< what was submitted before has to be finished first
    PlacesFull,     ///< no block processor has a place for the group
    RegistersFull,  ///< one has a place, but not the registers, or not the shared memory
    StoreFull,      ///< no place for the group's results
    NoGroup,        ///< no group resident
    Dependency,     ///< the result of the group's instruction before
    UnitTaken,      ///< the instruction's unit is taken by another group
    Texture,        ///< a texture engine
    Sdram,          ///< memory outside
    HostBus,        ///< the bus from the host
    Relay,          ///< the processor that reads and writes it for the block processors
    Prefetch,       ///< prefetch memory
    SharedMemory,   ///< shared memory
    Barrier,        ///< other groups have to come to the barrier
    Switch,         ///< contexts are saved and restored
    Draining,       ///< everything has issued, last results are on their way
    Filling,        ///< the first result is on its way through the unit
    RowChange,      ///< a bank opens another row
    Divergence,     ///< lanes: the instruction is not theirs
    Unfilled,       ///< lanes: the group has no thread there
};
inline constexpr int kCauses = 25;
/// "waiting for SDRAM"
[[nodiscard]] std::string_view causeText(Cause cause);
/// "sdram": the key in JSON
[[nodiscard]] std::string_view causeKey(Cause cause);

enum class UnitKind : uint8_t {
    Display,
    Command,
    VertexFetch,
    Dispatch,
    Assembly,
    Clip,
    Setup,
    Rasterizer,
    EarlyTests,
    Interpolator,
    GroupFormer,
    BlockProcessor,
    TextureEngine,
    FragmentStore,
    PixelEngine,
    Sdram,
    HostBus,  ///< this one and the next have books only
    Relay,
    Lanes,  ///< of a block processor: counted in lanes, block.lanes * block.issue of them in a cycle
};
[[nodiscard]] std::string_view unitText(UnitKind kind);

using CauseCycles = std::array<uint64_t, kCauses>;

struct UnitResult {
    UnitKind kind = UnitKind::Display;
    uint32_t number = 0;                ///< among units of its kind
    CauseCycles cycles{};               ///< by Cause; they add up to Result::cycles (Lanes: times lanes)
    std::vector<CauseCycles> overTime;  ///< the same by piece of Result::pieceEnds; they add up to `cycles`
    [[nodiscard]] uint64_t busy() const { return cycles[0]; }
    /// "block processor 2"
    [[nodiscard]] std::string name() const;
};

/// What a command took: a row of the report.
struct ItemResult {
    CommandWork::Kind kind = CommandWork::Kind::Draw;
    Cycle begin = 0;           ///< the command processor begins to read it
    Cycle end = 0;             ///< its last pixel is in its engine's cache; a transfer's or frame's last byte in SDRAM
    uint64_t alone = 0;        ///< cycles from the end of what was submitted before until `end`; of the last item until
                               ///< the last unit is done. Those of all items add up to Result::cycles
    uint32_t boundBy = kNone;  ///< in Result::units: the unit least free in those cycles (units of a kind together):
                               ///< that was busy, or SDRAM that opened rows
    double boundUse = 0;       ///< how busy it was then, 0..1
    double boundRows = 0;      ///< how much of the time it opened rows instead, 0..1
    /// "SDRAM channel, 39 % busy, 56 % opening rows"; there is a unit that bounds it
    [[nodiscard]] std::string boundText(std::span<const UnitResult> units) const;
};

/// What one instruction of a program cost.
struct PcResult {
    uint64_t issues = 0;
    uint64_t lanes = 0;    ///< that executed it, over all issues
    uint64_t cycles = 0;   ///< passes: cycles of a port
    CauseCycles stalls{};  ///< idle cycles of block processors that waited for it (Dependency, Texture, ...)
};

struct CacheResult {
    uint64_t hits = 0, misses = 0;
    uint64_t fetched = 0;  ///< lines that were read for a miss; what is only written is not
    uint64_t writeBacks = 0;
    bool operator==(const CacheResult&) const = default;
};

/// A time for which a unit was idle for one cause, and whom it waited for: a link of the chain that `--why` follows.
struct Stall {
    uint32_t unit = 0;  ///< in Result::units
    Cause cause = Cause::NoWork;
    Cycle begin = 0, end = 0;
    uint32_t on = kNone;       ///< unit that it waited for, in Result::units
    uint32_t draw = kNone;     ///< whose work waited, in Result::items
    uint32_t program = kNone;  ///< with `pc`: instruction that was waited for
    uint32_t pc = 0;
};

/// An instruction that a block processor issued.
struct Issue {
    Cycle cycle = 0;   ///< it was issued
    Cycle begin = 0;   ///< and began, after a switch
    Cycle result = 0;  ///< kNever: of a lookup, an access or a barrier, whose time was not known then
    uint32_t unit = 0, port = 0;
    uint32_t item = 0;   ///< in Result::items
    uint32_t group = 0;  ///< its first trace's number: in Workload::batches, blocks or groups
    uint32_t pc = 0;
    uint32_t lanes = 0;    ///< so many
    uint32_t program = 0;  ///< in Workload::programs; with `group` the group, as a draw has groups of two programs
    bool operator==(const Issue&) const = default;
};

/// What was asked of memory outside.
struct MemoryRequest {
    Cycle cycle = 0;       ///< it came to its channel
    uint64_t address = 0;  ///< bytes
    uint32_t bytes = 0;
    bool write = false;
    bool operator==(const MemoryRequest&) const = default;
};

/// A queue between two units.
struct QueueResult {
    uint32_t from = 0, to = 0;  ///< in Result::units
    uint32_t places = 0;
};
/// From that cycle on so many places of a queue are taken: by entries that its consumer sees, or will.
struct QueueLevel {
    Cycle cycle = 0;
    uint32_t queue = 0;  ///< in Result::queues
    uint32_t entries = 0;
    bool operator==(const QueueLevel&) const = default;
};

/// What is counted beside: the rows of counters.def.
struct Counters {
#define COUNTER(name, meaning) uint64_t name = 0;
#include "model/chip/policies/counters.def"
#undef COUNTER
    Counters& operator+=(const Counters& other) {
#define COUNTER(name, meaning) name += other.name;
#include "model/chip/policies/counters.def"
#undef COUNTER
        return *this;
    }
};

struct Result {
    std::string workload, preset;
    uint32_t clockKhz = 0;
    Cycle cycles = 0;
    uint64_t frames = 0;
    std::vector<Cycle> frameEnds;
    std::vector<UnitResult> units;
    std::vector<Cycle> pieceEnds;                 ///< cycle behind each piece of UnitResult::overTime
    std::vector<ItemResult> items;                ///< draws, launches, transfers, ends of frames (Workload::frameItem)
    std::vector<std::vector<PcResult>> programs;  ///< by program, by pc
    CacheResult vertexCache, textureCache, earlyCache, pixelCache, firstCache, secondCache;
    Counters counters;
    uint64_t sdramRead = 0, sdramWritten = 0, displayRead = 0;  ///< bytes; the display's are in sdramRead too
    uint64_t sdramReads = 0, sdramReadCycles = 0;               ///< requests to read, and the cycles that all waited
    uint64_t instructions = 0, vertices = 0, fragments = 0;
    uint64_t vertexGroups = 0, fragmentGroups = 0, kernelGroups = 0;
    std::vector<Stall> stalls;            ///< with MachineOptions::keepStalls, in the order of their ends
    std::vector<Issue> issues;            ///< with MachineOptions::keepIssues, by cycle
    std::vector<MemoryRequest> requests;  ///< with MachineOptions::keepRequests, in the order in which they were made
    // With MachineOptions::keepLevels. Queues are empty at first; of changes in one cycle the last one counts.
    std::vector<QueueResult> queues;
    std::vector<QueueLevel> levels;  ///< by cycle

    /// At the preset's clock; 0 without a whole frame.
    [[nodiscard]] double framesPerSecond() const;
    [[nodiscard]] uint64_t unitCount(UnitKind kind) const;
    /// Cycles of all units of a kind for one cause.
    [[nodiscard]] uint64_t total(UnitKind kind, Cause cause) const;
};

/// "draw", "launch", "transfer", "frame": how reports and questions call a kind of items.
[[nodiscard]] std::string_view kindText(CommandWork::Kind kind);
/// What an item is called, as Result::items counts them, from 1: "draw 3: 220 triangles",
/// "transfer 1: clear color", "end of frame 2".
[[nodiscard]] std::string itemName(const Workload& workload, uint32_t item);

/// For a person: totals, units with the causes of their idle cycles, commands with what bounds them.
[[nodiscard]] std::string reportText(const Result& result, const Workload& workload);
/// The same as JSON, with everything over time.
[[nodiscard]] std::string reportJson(const Result& result, const Workload& workload);

}  // namespace tessera::model
