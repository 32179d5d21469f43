#include "tools/inspector/report/frame_costs.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "base/process/env.h"
#include "model/chip/record.h"
#include "model/chip/unit/machine.h"
#include "model/trim/trim.h"

namespace tessera::tools {

namespace {

DrawCost costOfDraw(const model::Workload& workload, const model::Result& result, uint32_t number) {
    const model::DrawWork& draw = workload.draws[number];
    DrawCost cost;
    for (uint32_t i = 0; i < draw.batches.count; ++i)
        cost.vertices += workload.batches[draw.batches.first + i].vertices();
    cost.primitives = draw.primitives.count;
    for (uint32_t i = 0; i < draw.primitives.count; ++i) {
        const model::Primitive& primitive = workload.primitives[draw.primitives.first + i];
        cost.outside += primitive.fate == model::Fate::Outside;
        cost.facing += primitive.fate == model::Fate::Facing;
        cost.empty += primitive.fate == model::Fate::Empty;
        for (uint32_t b = 0; b < primitive.blocks.count; ++b) {
            const model::Block& block = workload.blocks[primitive.blocks.first + b];
            cost.covered += static_cast<uint64_t>(std::popcount(block.covered));
            cost.shaded += static_cast<uint64_t>(std::popcount(block.early));
            cost.written += static_cast<uint64_t>(std::popcount(block.written));
        }
    }
    const model::ItemResult& item = result.items[number];
    cost.cycles = item.alone;
    if (item.boundBy != model::kNone) cost.boundBy = item.boundText(result.units);
    return cost;
}

}  // namespace

std::optional<FrameCosts> costsOf(inspect::FrameModel& model, size_t frame, const std::string& preset, std::string& why,
                                  const std::function<bool()>& isCancelled) {
    const auto machine = model::loadPreset(preset, &why);
    if (!machine) return std::nullopt;
    FrameCosts costs;
    {
        model::Recorder recorder;
        {
            pipeline::Gpu gpu(recorder.executor(), 1);
            gpu.setMachineProbe(recorder);
            gpu.setTimeLimit({});
            (void)model.replayFrame(frame, gpu);
        }
        if (recorder.isFull()) {
            why = "the frame has more instructions than a workload holds";
            return std::nullopt;
        }
        costs.workload = recorder.take();
    }
    if (isCancelled && isCancelled()) {
        why = "it was cancelled";
        return std::nullopt;
    }
    for (const model::ProgramUse& use : costs.workload.programs)
        if (const auto refused = model::refusal(*use.program, *machine)) {
            why = model::refusalText(*refused, use.name);
            return std::nullopt;
        }
    why = model::cannotRun(costs.workload, *machine);
    if (!why.empty()) return std::nullopt;
    costs.result =
        model::simulate(costs.workload, *machine, {.threads = threadCount(), .keepStalls = true, .keepLevels = true});
    costs.programs = model::costsOf(costs.workload, costs.result, *machine);
    for (const auto& program : model.stream().programs)
        for (const isa::Stage stage : pipeline::kDrawStages)
            for (size_t i = 0; i < costs.programs.size(); ++i)
                if (costs.programs[i].program == program->stages[stage].program)
                    costs.places[{model.names().of(program.get()), stage}] = i;
    const inspect::Frame& of = model.frames()[frame];
    uint32_t next = 0;
    for (size_t i = of.first; i < of.end; ++i) {
        const pipeline::Draw* const draw = model.actions()[i].draw();
        const bool isCounted = draw != nullptr && draw->state->program && next < costs.workload.draws.size();
        costs.drawNumbers.push_back(isCounted ? next : model::kNone);
        costs.draws.push_back(isCounted ? std::optional(costOfDraw(costs.workload, costs.result, next)) : std::nullopt);
        next += isCounted;
    }
    return costs;
}

std::vector<PresetCost> presetCosts(const FrameCosts& costs, const std::function<bool()>& isCancelled) {
    std::vector<PresetCost> all;
    for (const std::string_view name : model::presetNames()) {
        std::string why;
        const std::optional<model::Preset> preset = model::loadPreset(name, &why);
        if (!preset || !preset->drawsPictures()) continue;
        std::vector<std::string_view> memories = {""};
        memories.insert(memories.end(), model::memoryNames().begin(), model::memoryNames().end());
        for (const std::string_view memory : memories) {
            if (isCancelled && isCancelled()) return all;
            model::Preset machine = *preset;
            PresetCost& cost = all.emplace_back();
            cost.name = memory.empty() ? std::string(name) : fmt::format("{}, memory {}", name, memory);
            if (!memory.empty() && !model::setMemory(machine, memory, &cost.problem)) continue;
            for (const model::ProgramUse& use : costs.workload.programs)
                if (const auto refused = model::refusal(*use.program, machine))
                    cost.problem = model::refusalText(*refused, use.name);
            if (cost.problem.empty()) cost.problem = model::cannotRun(costs.workload, machine);
            if (!cost.problem.empty()) continue;
            const model::Result result = model::simulate(costs.workload, machine, {.threads = threadCount()});
            cost.cycles = result.cycles;
            cost.milliseconds = static_cast<double>(result.cycles) / result.clockKhz;
        }
    }
    return all;
}

/// The draws that are counted of what the last draw up to the action draws to.
struct CountedDraws {
    std::vector<uint32_t> numbers;         ///< in the workload, in order; the last is that draw's
    const pipeline::RenderTarget* target;  ///< null: there are none
    bool isOwn = false;                    ///< the action is that draw
};

static CountedDraws countedDraws(const FrameCosts& costs, const inspect::FrameModel& model, size_t action) {
    const inspect::Frame& frame = model.frames()[model.actions()[action].frame];
    size_t last = action + 1;
    while (last > frame.first && costs.drawNumbers[last - 1 - frame.first] == model::kNone) --last;
    if (last == frame.first) return {.numbers = {}, .target = nullptr};
    CountedDraws counted{
        .numbers = {}, .target = &model.actions()[last - 1].draw()->state->target, .isOwn = last == action + 1};
    for (size_t i = frame.first; i < last; ++i)
        if (const uint32_t number = costs.drawNumbers[i - frame.first];
            number != model::kNone && model.actions()[i].draw()->state->target == *counted.target)
            counted.numbers.push_back(number);
    return counted;
}

/// Calls use(primitive's block) for all blocks of a draw.
template <class Use>
static void forEachBlock(const model::Workload& workload, uint32_t draw, const Use& use) {
    const model::Range primitives = workload.draws[draw].primitives;
    for (uint32_t p = 0; p < primitives.count; ++p) {
        const model::Range blocks = workload.primitives[primitives.first + p].blocks;
        for (uint32_t b = 0; b < blocks.count; ++b) use(workload.blocks[blocks.first + b]);
    }
}

/// The lanes whose quad has one of these.
static uint32_t quadsOf(uint32_t lanes) {
    uint32_t all = 0;
    for (const uint32_t quad : {0x0033u, 0x00CCu, 0x3300u, 0xCC00u})
        if ((lanes & quad) != 0) all |= quad;
    return all;
}

static LaneFate fateOf(const model::Block& block, int lane) {
    const auto has = [lane](uint32_t mask) { return (mask >> lane & 1) != 0; };
    if (has(block.written)) return LaneFate::Written;
    if (has(block.early)) return LaneFate::Discarded;
    if (has(block.covered)) return LaneFate::Failed;
    return has(quadsOf(block.early)) ? LaneFate::Helper : LaneFate::Idle;
}

HeatMap heatOf(const FrameCosts& costs, const inspect::FrameModel& model, size_t action, Heat heat) {
    HeatMap map{.counts = {}, .heat = heat};
    CountedDraws counted = countedDraws(costs, model, action);
    if (counted.target == nullptr) return map;
    if (heat == Heat::Lanes) counted.numbers = {counted.numbers.back()};
    map.width = counted.target->width, map.height = counted.target->height;
    map.counts.resize(static_cast<size_t>(map.width) * static_cast<size_t>(map.height));
    for (const uint32_t number : counted.numbers)
        forEachBlock(costs.workload, number, [&](const model::Block& block) {
            const uint32_t mask = heat == Heat::Overdraw  ? block.early
                                  : heat == Heat::Written ? block.written
                                                          : block.early & ~block.written;
            for (int lane = 0; lane < 16; ++lane) {
                const int x = block.x * 4 + lane % 4, y = block.y * 4 + lane / 4;
                if (x >= map.width || y >= map.height) continue;
                uint32_t& count = map.counts[static_cast<size_t>(map.height - 1 - y) * static_cast<size_t>(map.width) +
                                             static_cast<size_t>(x)];
                if (heat == Heat::Lanes)
                    count = std::max(count, static_cast<uint32_t>(fateOf(block, lane)));
                else
                    count += mask >> lane & 1;
                map.most = std::max(map.most, count);
            }
        });
    return map;
}

std::string HeatMap::summary() const {
    if (heat != Heat::Lanes) return fmt::format("up to {} times", most);
    std::array<uint64_t, std::size(kLaneFateWords)> lanes{};
    for (const uint32_t count : counts) ++lanes[count];
    const auto of = [&](LaneFate fate) { return lanes[static_cast<size_t>(fate)]; };
    const uint64_t all = counts.size() - of(LaneFate::NoBlock);
    const uint64_t shaded = of(LaneFate::Discarded) + of(LaneFate::Written);
    return fmt::format("{} pixels in blocks of 4x4: {} shaded, {} helpers, {} fail early, {} idle", all, shaded,
                       of(LaneFate::Helper), of(LaneFate::Failed), of(LaneFate::Idle));
}

std::string HeatMap::text(int x, int y) const {
    if (x >= width || y >= height) return {};
    if (heat != Heat::Lanes) return fmt::format("{}", at(x, y));
    const int fromBottom = height - 1 - y;
    return fmt::format("{}; lane {} of block {},{}", kLaneFateWords[at(x, y)], fromBottom % 4 * 4 + x % 4, x / 4,
                       fromBottom / 4);
}

inspect::Picture pictureOf(const HeatMap& map) {
    inspect::Picture picture{map.width, map.height, {}};
    constexpr std::array<std::array<float, 3>, 6> kRamp = {
        {{10, 14, 40}, {30, 60, 160}, {40, 160, 160}, {230, 200, 60}, {230, 70, 40}, {255, 255, 255}}};
    constexpr std::array<std::array<float, 3>, 6> kLanes = {
        {{0, 0, 0}, {70, 70, 76}, {60, 100, 220}, {200, 50, 50}, {235, 150, 40}, {60, 180, 90}}};
    static_assert(kLanes.size() == std::size(kLaneFateWords));
    const auto& ramp = map.heat == Heat::Lanes ? kLanes : kRamp;
    picture.rgba.reserve(map.counts.size() * 4);
    for (const uint32_t count : map.counts) {
        // Counts up to the ramp's length have a colour each.
        const float most = std::max<float>(static_cast<float>(map.most), kRamp.size() - 1);
        const float at = static_cast<float>(count) / most * (kRamp.size() - 1);
        const auto low = std::min(static_cast<size_t>(at), kRamp.size() - 2);
        const float part = at - static_cast<float>(low);
        for (size_t c = 0; c < 3; ++c)
            picture.rgba.push_back(static_cast<uint8_t>(ramp[low][c] + (ramp[low + 1][c] - ramp[low][c]) * part));
        picture.rgba.push_back(255);
    }
    return picture;
}

TileCounts tilesOf(const FrameCosts& costs, const inspect::FrameModel& model, size_t action) {
    TileCounts tiles;
    const CountedDraws counted = countedDraws(costs, model, action);
    if (counted.target == nullptr) return tiles;
    tiles.columns = (counted.target->width + TileCounts::kSize - 1) / TileCounts::kSize;
    tiles.rows = (counted.target->height + TileCounts::kSize - 1) / TileCounts::kSize;
    const size_t count = static_cast<size_t>(tiles.columns) * static_cast<size_t>(tiles.rows);
    tiles.own.resize(count), tiles.all.resize(count);
    constexpr uint32_t kNobody = model::kNone;
    std::vector<uint32_t> last(count, kNobody);  // the primitive that a tile has counted
    for (const uint32_t number : counted.numbers) {
        const bool isOwn = counted.isOwn && number == counted.numbers.back();
        const model::Range primitives = costs.workload.draws[number].primitives;
        for (uint32_t p = primitives.first; p < primitives.first + primitives.count; ++p) {
            const model::Range blocks = costs.workload.primitives[p].blocks;
            for (uint32_t b = blocks.first; b < blocks.first + blocks.count; ++b) {
                const model::Block& block = costs.workload.blocks[b];
                const int column = block.x * 4 / TileCounts::kSize, row = block.y * 4 / TileCounts::kSize;
                if (column >= tiles.columns || row >= tiles.rows) continue;
                const size_t tile =
                    static_cast<size_t>(row) * static_cast<size_t>(tiles.columns) + static_cast<size_t>(column);
                if (std::exchange(last[tile], p) == p) continue;
                ++tiles.all[tile];
                tiles.own[tile] += isOwn;
            }
        }
    }
    return tiles;
}

}  // namespace tessera::tools
