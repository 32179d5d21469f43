#include "model/trim/trim.h"

#include <algorithm>
#include <bit>

#include <fmt/format.h>

#include "base/check.h"

namespace tessera::model {

namespace {

/// Changes parameters of a preset, and says why in their sources.
class Change {
public:
    Change(Preset& preset, std::string source) : preset_(preset), source_(std::move(source)) {}

    void set(std::string_view name, uint32_t value) {
        const Parameter* parameter = findParameter(name);
        CHECK(parameter != nullptr);
        value = std::clamp(value, parameter->least, parameter->most);
        if (parameter->get(preset_) == value) return;
        parameter->set(preset_, value);
        preset_.sources[static_cast<size_t>(parameter - parameters().data())] = source_;
    }
    /// No more than it was.
    void lower(std::string_view name, uint32_t value) { set(name, std::min(value, findParameter(name)->get(preset_))); }

private:
    Preset& preset_;
    std::string source_;
};

constexpr std::string_view kClassNames[kInstructionClasses] = {"alu",      "multiply", "floating", "divide", "tfu",
                                                               "lighting", "texture",  "control",  "load",   "store",
                                                               "atomic",   "lane",     "reduce"};

}  // namespace

Preset trimmed(const Preset& full, const Needs& needs, std::string_view why) {
    Preset preset = full;
    Change change(preset, fmt::format("ours: trimmed to what {} needs", why));
    bool looksUp = false;
    for (int i = 0; i < isa::kOpCount; ++i) {
        const isa::OpInfo& info = isa::opInfo(static_cast<isa::Op>(i));
        const auto at = static_cast<size_t>(i);
        preset.without[at] |= static_cast<uint8_t>(info.types & ~needs.forms[at]);
        looksUp |= isa::isTexture(info.shape) && needs.forms[at] != 0;
    }
    const auto& block = preset.block;
    change.lower("program.instructions", needs.instructions);
    change.lower("program.temporaries", needs.temporaries);
    change.lower("program.constants", needs.constants);
    change.lower("program.predicates", needs.predicates);
    change.lower("program.stack", needs.stack);
    // Of narrow registers a program's may take several.
    const uint32_t narrow = (4 + block.components - 1) / block.components;
    change.lower("block.registers", block.groups * block.threads * std::max(needs.temporaries, 1u) * narrow);
    change.lower("block.shared_bytes", std::max(needs.sharedBytes, needs.sharedBytesOfGroup * block.groups));
    const auto target = [&](isa::TextureTarget t) { return needs.textureTargets >> static_cast<int>(t) & 1u; };
    change.lower("texture.units", needs.textureUnits);
    change.lower("texture.cube", target(isa::TextureTarget::Cube) | target(isa::TextureTarget::ShadowCube));
    change.lower("texture.volume", target(isa::TextureTarget::Tex3D));
    change.lower("texture.shadow", target(isa::TextureTarget::Shadow2D) | target(isa::TextureTarget::ShadowCube) |
                                       target(isa::TextureTarget::ShadowArray2D));
    change.lower("texture.external", target(isa::TextureTarget::External));
    if (!looksUp) change.set("texture.engines", 0);
    if (!needs.draws()) {
        change.set("raster.rasterizers", 0);
        change.set("pixel.engines", 0);
    }
    preset.name += "-trimmed";
    preset.title += fmt::format(", trimmed to what {} needs", why);
    return preset;
}

Preset refilled(const Preset& machine, const Area& room, Refill refill, const ResourceTable& table) {
    // What gives way: a prefetch memory, or a first cache.
    const bool prefetches = machine.prefetch.bytes > 0;
    const std::string_view memory = prefetches ? "prefetch.bytes" : "global.cache_bytes";
    const uint64_t memoryBytes = uint64_t{findParameter(memory)->get(machine)} * machine.block.processors;
    const uint64_t step =
        prefetches ? machine.global.line_bytes : uint64_t{machine.global.cache_ways} * machine.global.line_bytes;
    Preset best = machine;
    for (;;) {
        Preset next = best;
        Change change(next, "ours: as many as fit into the area that trimming freed");
        if (refill == Refill::Cores) {
            change.set("block.processors", best.block.processors + 1);
        } else {
            change.set("block.lanes", std::min(best.block.lanes * 2, best.block.threads));
            for (const std::string_view name : kClassNames) {
                const std::string interval = fmt::format("instruction.{}.interval", name);
                change.set(interval,
                           std::max(1u, findParameter(interval)->get(best) * best.block.lanes / next.block.lanes));
            }
        }
        const bool more = next.block.processors > best.block.processors || next.block.lanes > best.block.lanes;
        // Block RAM is this memory's as far as nothing else needs it (seed 002, 4.1.1): a processor has its part of
        // what they had together, or half of that.
        bool fits = false;
        const uint64_t steps = std::bit_floor(memoryBytes / next.block.processors / step);
        for (const uint64_t some : {steps, steps / 2}) {
            if (fits) break;
            change.set(memory, static_cast<uint32_t>(some * step));
            fits = estimate(next, table).area.fits(room);
        }
        if (!more || !fits || presetProblem(next)) return best;
        best = std::move(next);
    }
}

double throughputCycles(const Preset& preset, const InstructionCounts& executed) {
    std::array<double, kInstructionClasses> busy{};
    double lookups = 0;
    for (int i = 0; i < isa::kOpCount; ++i) {
        const auto op = static_cast<isa::Op>(i);
        const auto count = static_cast<double>(executed.count(op));
        const InstructionClass instructions = instructionClass(op);
        busy[static_cast<size_t>(instructions)] += count * preset.timing(instructions).interval;
        if (isa::isTexture(isa::opInfo(op).shape)) lookups += count * preset.block.threads;
    }
    const double processors = *std::ranges::max_element(busy) / preset.block.processors;
    return preset.texture.engines == 0 ? processors : std::max(processors, lookups / preset.texture.engines);
}

double predictedSpeedup(const Preset& before, const Preset& after, const InstructionCounts& executed,
                        const Cycles& cycles) {
    const double then = cycles(before, executed), now = cycles(after, executed);
    return now > 0 ? then / now : 1;
}

}  // namespace tessera::model
