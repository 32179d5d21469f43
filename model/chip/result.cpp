#include "model/chip/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/check.h"
#include "shader-core/isa/program.h"

namespace tessera::model {
namespace {

struct CauseName {
    std::string_view key, text;
};
constexpr CauseName kCauseNames[] = {
    {"busy", "busy"},
    {"no_work", "nothing to do"},
    {"queue_full", "queue behind it full"},
    {"order", "waiting for its turn in order"},
    {"vertices", "waiting for shaded vertices"},
    {"earlier_work", "waiting for earlier work to end"},
    {"places_full", "no place in a block processor"},
    {"registers_full", "no registers in a block processor"},
    {"store_full", "no place for results"},
    {"no_group", "no group resident"},
    {"dependency", "waiting for an instruction's result"},
    {"unit_taken", "unit taken by another group"},
    {"texture", "waiting for texture engines"},
    {"sdram", "waiting for SDRAM"},
    {"host_bus", "waiting for the host bus"},
    {"relay", "waiting for the relay of memory"},
    {"prefetch", "waiting for prefetch memory"},
    {"shared_memory", "waiting for shared memory"},
    {"barrier", "waiting at a barrier"},
    {"switch", "switching contexts"},
    {"draining", "last results on their way"},
    {"filling", "first result on its way"},
    {"row_change", "opening a row"},
    {"divergence", "divergence"},
    {"unfilled", "group not full"},
};
static_assert(std::size(kCauseNames) == kCauses);

constexpr std::string_view kUnitNames[] = {
    "display read-out",
    "command processor",
    "vertex fetch",
    "dispatch",
    "primitive assembly",
    "clip",
    "setup",
    "rasterizer",
    "early tests",
    "interpolator",
    "group former",
    "block processor",
    "texture engine",
    "fragment store",
    "pixel engine",
    "SDRAM channel",
    "host bus",
    "relay of memory",
    "lanes of block processor",
};
static_assert(std::size(kUnitNames) == static_cast<size_t>(UnitKind::Lanes) + 1);

double share(uint64_t part, uint64_t whole) {
    return whole ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0;
}

uint64_t sum(const CauseCycles& cycles) {
    uint64_t total = 0;
    for (const uint64_t count : cycles) total += count;
    return total;
}

/// "waiting for SDRAM 31.0 %, nothing to do 4.5 %": the causes, largest first.
std::string causesText(const CauseCycles& cycles, size_t most) {
    std::vector<size_t> order;
    for (size_t cause = 1; cause < kCauses; ++cause)
        if (cycles[cause]) order.push_back(cause);
    std::sort(order.begin(), order.end(),
              [&](size_t a, size_t b) { return std::pair(cycles[b], a) < std::pair(cycles[a], b); });
    std::string text;
    for (size_t i = 0; i < std::min(order.size(), most); ++i) {
        text += fmt::format("{}{} {:.1f} %", i ? ", " : "", kCauseNames[order[i]].text,
                            share(cycles[order[i]], sum(cycles)));
    }
    return text;
}

std::string cacheText(std::string_view name, const CacheResult& cache) {
    const uint64_t lookups = cache.hits + cache.misses;
    if (!lookups) return "";
    return fmt::format("  {:<22}{:>12} lookups, {:>5.1f} % hits, {} lines fetched{}\n", name, lookups,
                       share(cache.hits, lookups), cache.fetched,
                       cache.writeBacks ? fmt::format(", {} written back", cache.writeBacks) : "");
}

nlohmann::json causesJson(const CauseCycles& cycles) {
    nlohmann::json json = nlohmann::json::object();
    for (size_t cause = 0; cause < kCauses; ++cause)
        if (cycles[cause]) json[std::string(kCauseNames[cause].key)] = cycles[cause];
    return json;
}

nlohmann::json cacheJson(const CacheResult& cache) {
    return {
        {"hits", cache.hits}, {"misses", cache.misses}, {"fetched", cache.fetched}, {"write_backs", cache.writeBacks}};
}

}  // namespace

std::string ItemResult::boundText(std::span<const UnitResult> units) const {
    std::string text = fmt::format("{}, {:.0f} % busy", unitText(units[boundBy].kind), 100 * boundUse);
    if (boundRows >= 0.005) text += fmt::format(", {:.0f} % opening rows", 100 * boundRows);
    return text;
}

std::string_view causeText(Cause cause) { return kCauseNames[static_cast<size_t>(cause)].text; }
std::string_view causeKey(Cause cause) { return kCauseNames[static_cast<size_t>(cause)].key; }
std::string_view unitText(UnitKind kind) { return kUnitNames[static_cast<size_t>(kind)]; }

std::string_view kindText(CommandWork::Kind kind) {
    switch (kind) {
        case CommandWork::Kind::Draw:
            return "draw";
        case CommandWork::Kind::Launch:
            return "launch";
        case CommandWork::Kind::Transfer:
            return "transfer";
        case CommandWork::Kind::EndFrame:
            return "frame";
    }
    UNREACHABLE("a command of no kind");
}

std::string itemName(const Workload& workload, uint32_t item) {
    if (item < workload.launchItem(0)) return workload.draws[item].name;
    if (item < workload.transferItem(0)) {
        const uint32_t number = item - workload.launchItem(0);
        return fmt::format("launch {}: {}", number + 1, workload.launches[number].name);
    }
    if (item < workload.frameItem(0)) {
        const uint32_t number = item - workload.transferItem(0);
        return fmt::format("transfer {}: {}", number + 1, workload.transfers[number].name);
    }
    uint32_t before = item - workload.frameItem(0);
    for (const CommandWork& command : workload.commands)
        if (command.kind == CommandWork::Kind::EndFrame && before-- == 0)
            return fmt::format("end of frame {}", command.item);
    UNREACHABLE("an item that the workload has not");
}

std::string UnitResult::name() const { return fmt::format("{} {}", unitText(kind), number); }

double Result::framesPerSecond() const {
    if (!frames || !frameEnds.back()) return 0;
    return static_cast<double>(frames) * 1000.0 * clockKhz / static_cast<double>(frameEnds.back());
}

uint64_t Result::unitCount(UnitKind kind) const {
    return static_cast<uint64_t>(
        std::count_if(units.begin(), units.end(), [kind](const UnitResult& unit) { return unit.kind == kind; }));
}

uint64_t Result::total(UnitKind kind, Cause cause) const {
    uint64_t cycles = 0;
    for (const UnitResult& unit : units)
        if (unit.kind == kind) cycles += unit.cycles[static_cast<size_t>(cause)];
    return cycles;
}

std::string reportText(const Result& result, const Workload& workload) {
    const double seconds = static_cast<double>(result.cycles) / (1000.0 * result.clockKhz);
    std::string text = fmt::format("{} on {}: {} cycles at {} MHz, {:.3f} ms", result.workload, result.preset,
                                   result.cycles, result.clockKhz / 1000.0, seconds * 1000);
    if (result.frames)
        text += fmt::format(", {} frame{}, {:.1f} frames/s", result.frames, result.frames == 1 ? "" : "s",
                            result.framesPerSecond());
    text += fmt::format("\n\n{} instructions of groups", result.instructions);
    const char* separator = "; ";
    const auto add = [&](uint64_t groups, const std::string& what) {
        if (groups) text += separator + what;
        if (groups) separator = ", ";
    };
    add(result.vertexGroups, fmt::format("{} vertices in {} groups", result.vertices, result.vertexGroups));
    add(result.fragmentGroups, fmt::format("{} fragments in {} groups", result.fragments, result.fragmentGroups));
    add(result.kernelGroups, fmt::format("{} groups of kernels", result.kernelGroups));
    text += "\n\nUnits (of a kind together): busy, and what they waited for\n";
    for (size_t first = 0; first < result.units.size();) {
        CauseCycles cycles{};
        size_t end = first;
        for (; end < result.units.size() && result.units[end].kind == result.units[first].kind; ++end)
            for (size_t cause = 0; cause < kCauses; ++cause) cycles[cause] += result.units[end].cycles[cause];
        text += fmt::format("  {:<26}{:>3} {:>6.1f} %   {}\n", unitText(result.units[first].kind), end - first,
                            share(cycles[0], sum(cycles)), causesText(cycles, 3));
        first = end;
    }

    text += "\nMemory\n";
    text += fmt::format("  {:<22}{:>12} bytes read, {} written, {:.2f} GB/s\n", "SDRAM", result.sdramRead,
                        result.sdramWritten,
                        seconds > 0 ? static_cast<double>(result.sdramRead + result.sdramWritten) / seconds * 1e-9 : 0);
    if (result.displayRead)
        text += fmt::format("  {:<22}{:>12} bytes of that\n", "display read-out", result.displayRead);
    text += cacheText("vertex cache", result.vertexCache) + cacheText("texture caches", result.textureCache) +
            cacheText("early tests' cache", result.earlyCache) + cacheText("pixel engines' caches", result.pixelCache) +
            cacheText("first caches", result.firstCache) + cacheText("second cache", result.secondCache);
#define COUNTER(name, meaning) \
    if (result.counters.name) text += fmt::format("  {:<22}{:>12}  {}\n", #name, result.counters.name, meaning);
#include "model/chip/policies/counters.def"
#undef COUNTER

    text += "\nCommands, by the cycles that they add\n";
    std::vector<uint32_t> order(result.items.size());
    for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        return std::pair(result.items[b].alone, a) < std::pair(result.items[a].alone, b);
    });
    constexpr size_t kItemsShown = 20;
    for (size_t i = 0; i < std::min(order.size(), kItemsShown); ++i) {
        const ItemResult& row = result.items[order[i]];
        text += fmt::format("  {:>10} {:>5.1f} %  {}", row.alone, share(row.alone, result.cycles),
                            itemName(workload, order[i]));
        if (row.boundBy != kNone) text += fmt::format("; bound by {}", row.boundText(result.units));
        text += '\n';
    }
    if (order.size() > kItemsShown) text += fmt::format("  and {} more\n", order.size() - kItemsShown);

    return text;
}

std::string reportJson(const Result& result, const Workload& workload) {
    nlohmann::json json{
        {"workload", result.workload},
        {"preset", result.preset},
        {"clock_khz", result.clockKhz},
        {"cycles", result.cycles},
        {"frames", result.frames},
        {"frame_ends", result.frameEnds},
        {"frames_per_second", result.framesPerSecond()},
        {"instructions", result.instructions},
        {"vertices", result.vertices},
        {"fragments", result.fragments},
        {"groups",
         {{"vertices", result.vertexGroups}, {"fragments", result.fragmentGroups}, {"kernels", result.kernelGroups}}},
        {"sdram",
         {{"read", result.sdramRead},
          {"written", result.sdramWritten},
          {"display_read", result.displayRead},
          {"reads", result.sdramReads},
          {"read_cycles", result.sdramReadCycles}}},
        {"caches",
         {{"vertex", cacheJson(result.vertexCache)},
          {"texture", cacheJson(result.textureCache)},
          {"early", cacheJson(result.earlyCache)},
          {"pixel", cacheJson(result.pixelCache)},
          {"first", cacheJson(result.firstCache)},
          {"second", cacheJson(result.secondCache)}}},
        {"counters",
         {
#define COUNTER(name, meaning) {#name, result.counters.name},
#include "model/chip/policies/counters.def"
#undef COUNTER
         }},
        {"piece_ends", result.pieceEnds}};
    json["units"] = nlohmann::json::array();
    for (const UnitResult& unit : result.units) {
        nlohmann::json row{{"unit", unitText(unit.kind)}, {"number", unit.number}, {"cycles", causesJson(unit.cycles)}};
        row["over_time"] = nlohmann::json::array();
        for (const CauseCycles& piece : unit.overTime) row["over_time"].push_back(causesJson(piece));
        json["units"].push_back(std::move(row));
    }
    json["items"] = nlohmann::json::array();
    for (uint32_t i = 0; i < result.items.size(); ++i) {
        const ItemResult& row = result.items[i];
        nlohmann::json item{{"kind", kindText(row.kind)},
                            {"name", itemName(workload, i)},
                            {"begin", row.begin},
                            {"end", row.end},
                            {"alone", row.alone}};
        if (i < workload.draws.size()) item["call"] = workload.draws[i].call;
        if (row.boundBy != kNone) {
            item["bound_by"] = unitText(result.units[row.boundBy].kind);
            item["bound_use"] = row.boundUse;
            item["bound_rows"] = row.boundRows;
        }
        json["items"].push_back(std::move(item));
    }
    json["programs"] = nlohmann::json::array();
    for (size_t program = 0; program < result.programs.size(); ++program) {
        nlohmann::json rows = nlohmann::json::array();
        const std::vector<uint32_t>& lines = workload.programs[program].program->lines;
        for (size_t pc = 0; pc < result.programs[program].size(); ++pc) {
            const PcResult& row = result.programs[program][pc];
            if (!row.issues) continue;
            nlohmann::json entry{{"pc", pc},
                                 {"issues", row.issues},
                                 {"lanes", row.lanes},
                                 {"cycles", row.cycles},
                                 {"stalls", causesJson(row.stalls)}};
            if (pc < lines.size()) entry["line"] = lines[pc];
            rows.push_back(std::move(entry));
        }
        json["programs"].push_back({{"name", workload.programs[program].name}, {"instructions", std::move(rows)}});
    }
    return json.dump(1) + '\n';
}

}  // namespace tessera::model
