#include "tools/inspector/frame_costs.h"

#include <algorithm>
#include <bit>

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

std::optional<FrameCosts> costsOf(inspect::FrameModel& model, size_t frame, const std::string& preset,
                                  std::string& why) {
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

HeatMap heatOf(const FrameCosts& costs, const inspect::FrameModel& model, size_t action, Heat heat) {
    HeatMap map;
    const inspect::Frame& frame = model.frames()[model.actions()[action].frame];
    // What the last draw up to the action draws to.
    size_t last = action + 1;
    while (last > frame.first && costs.drawNumbers[last - 1 - frame.first] == model::kNone) --last;
    if (last == frame.first) return map;
    const pipeline::RenderTarget& target = model.actions()[last - 1].draw()->state->target;
    map.width = target.width, map.height = target.height;
    map.counts.resize(static_cast<size_t>(map.width) * static_cast<size_t>(map.height));
    for (size_t i = frame.first; i < last; ++i) {
        const uint32_t number = costs.drawNumbers[i - frame.first];
        if (number == model::kNone || !(model.actions()[i].draw()->state->target == target)) continue;
        const model::Range primitives = costs.workload.draws[number].primitives;
        for (uint32_t p = 0; p < primitives.count; ++p) {
            const model::Range blocks = costs.workload.primitives[primitives.first + p].blocks;
            for (uint32_t b = 0; b < blocks.count; ++b) {
                const model::Block& block = costs.workload.blocks[blocks.first + b];
                const uint32_t mask = heat == Heat::Overdraw  ? block.early
                                      : heat == Heat::Written ? block.written
                                                              : block.early & ~block.written;
                for (int lane = 0; lane < 16; ++lane) {
                    const int x = block.x * 4 + lane % 4, y = block.y * 4 + lane / 4;
                    if ((mask >> lane & 1) == 0 || x >= map.width || y >= map.height) continue;
                    uint32_t& count =
                        map.counts[static_cast<size_t>(map.height - 1 - y) * static_cast<size_t>(map.width) +
                                   static_cast<size_t>(x)];
                    map.most = std::max(map.most, ++count);
                }
            }
        }
    }
    return map;
}

inspect::Picture pictureOf(const HeatMap& map) {
    inspect::Picture picture{map.width, map.height, {}};
    constexpr std::array<std::array<float, 3>, 6> kRamp = {
        {{10, 14, 40}, {30, 60, 160}, {40, 160, 160}, {230, 200, 60}, {230, 70, 40}, {255, 255, 255}}};
    picture.rgba.reserve(map.counts.size() * 4);
    for (const uint32_t count : map.counts) {
        // Counts up to the ramp's length have a colour each.
        const float most = std::max<float>(static_cast<float>(map.most), kRamp.size() - 1);
        const float at = static_cast<float>(count) / most * (kRamp.size() - 1);
        const auto low = std::min(static_cast<size_t>(at), kRamp.size() - 2);
        const float part = at - static_cast<float>(low);
        for (size_t c = 0; c < 3; ++c)
            picture.rgba.push_back(static_cast<uint8_t>(kRamp[low][c] + (kRamp[low + 1][c] - kRamp[low][c]) * part));
        picture.rgba.push_back(255);
    }
    return picture;
}

}  // namespace tessera::tools
